"""Hidden checks of exercise 05: fresh inputs, and the verdict on what came back.

``fresh`` and ``judge`` are all a grader needs. No student code runs here: the grader calls the
student's functions elsewhere and hands the returned values over as plain data.
"""

import numpy as np

from mlcourse import load_heart
from mlcourse.checks import lesson05
from tools.grading.inputs import Inputs

CASES = 8  # fresh inputs per question
ANIMALS = ("ant", "bee", "cow", "doe", "elk", "fox", "gnu", "hen")
NUMBERS = ("age", "rest_blood_pressure", "cholesterol", "max_heart_rate")
QUESTIONS = {question.name: question for question in lesson05.QUESTIONS}


# Fresh inputs ---------------------------------------------------------------------------------


def _formulas(rng):
    for _ in range(CASES - 2):
        variance, share = rng.integers(1, 20), rng.integers(1, 20) / 20
        yield int(variance), float(share), int(rng.integers(2, 50))
    yield int(rng.integers(1, 9)), 1, int(rng.integers(2, 9))
    yield int(rng.integers(1, 9)), 0, int(rng.integers(2, 9))


def _patients(rng, names):
    """Yield the name of a statistic and a few real measurements, not all equal."""
    X, _ = load_heart()
    for number in range(CASES):
        column = X[NUMBERS[number % len(NUMBERS)]].to_numpy()
        x = rng.choice(column, size=int(rng.integers(4, 12)), replace=False)
        if np.ptp(x) == 0:
            x[0] += 1
        yield names[number % len(names)], x.tolist()


def _samples(rng):
    yield from _patients(rng, ("numpy.var", "numpy.mean", "numpy.std"))


def _resamples(rng):
    for name, x in _patients(rng, ("numpy.median", "numpy.mean", "numpy.std")):
        yield name, x, rng.integers(len(x), size=(int(rng.integers(4, 9)), len(x))).tolist()


def _classes(rng, size):
    return rng.permutation(ANIMALS)[:size].tolist()


def _ballots(rng):
    for more_than in (0, 0, 0, 1 / 4, 1 / 2, 1 / 2, 1 / 2, 3 / 4):
        classes = _classes(rng, int(rng.integers(3, 5)))
        chosen = classes[int(rng.integers(2)) :]  # a class may get no vote
        yield rng.choice(chosen, size=int(rng.integers(4, 9))).tolist(), classes, more_than
    one, other = classes = _classes(rng, 2)
    yield [other, one, other, one], classes, 1 / 2  # half and half


def _beliefs(rng):
    for number in range(CASES):
        classes = _classes(rng, int(rng.integers(2, 5)))
        learners = int(rng.integers(3, 6))
        share = np.full(len(classes), 1 / len(classes))
        soft = rng.multinomial(16, share, size=learners) / 16  # sums without rounding
        if number % 2:
            soft[0] = np.eye(len(classes))[rng.integers(len(classes))]  # one learner is certain
        if number >= CASES - 2:
            soft = np.vstack([soft[:2], soft[:2, ::-1]])  # a tie of the first and the last
        yield soft.tolist(), classes


def _trees(rng):
    """Yield what T trees say of N rows, how often they have seen them, the truth, the classes."""
    made = 0
    while made < CASES - 2:
        classes = _classes(rng, int(rng.integers(2, 4)))
        T, N = (int(size) for size in rng.integers((3, 6), (7, 11)))
        y = rng.choice(classes, size=N)
        said = np.where(rng.random((T, N)) < 3 / 5, y, rng.choice(classes, size=(T, N)))
        counts = np.array([np.bincount(rng.integers(N, size=N), minlength=N) for _ in range(T)])
        out = counts == 0
        if made % 2 == 0:
            out[:, rng.integers(N)] = False  # a row that every tree has seen
            counts = np.where((counts == 0) & ~out, 1, counts)
        if out.any(axis=1).all() and (~out).any(axis=1).all():  # every tree has left out a row
            made += 1
            yield said.tolist(), counts.tolist(), y.tolist(), classes


def _votes(rng):
    return ((said, counts, classes) for said, counts, _, classes in _trees(rng))


def _curves(rng):
    for number in range(CASES):
        steps = int(rng.integers(8, 20))
        noise = rng.integers(-8, 9, size=steps) // np.arange(1, steps + 1) ** (1 / 2)
        curve = 20 + 24 // np.arange(1, steps + 1) + noise
        within = int(rng.integers(2, 5))
        if number % 2:  # a dip below, or a distance of just within
            curve[rng.integers(2, steps // 2)] = curve[-1] - within - 2
        else:
            curve[rng.integers(steps // 2, steps - 1)] = curve[-1] + within
        yield (curve / 64).tolist(), within / 64  # 64ths: no rounding


MAKERS = {
    "q1": _formulas,
    "q2": _samples,
    "q3": _resamples,
    "q4a": _ballots,
    "q4b": _beliefs,
    "q5a": _votes,
    "q5b": _trees,
    "q6a": _trees,
    "q6b": _curves,
}

INPUTS = Inputs(QUESTIONS, MAKERS)
fresh, judge = INPUTS.fresh, INPUTS.judge
