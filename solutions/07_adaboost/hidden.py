"""Hidden checks of exercise 07: fresh inputs, and the verdict on what came back.

``fresh`` and ``judge`` are all a grader needs. No student code runs here: the grader calls the
student's functions elsewhere and hands the returned values over as plain data.
"""

from itertools import islice

import numpy as np

from mlcourse.checks import lesson07
from tools.grading.inputs import Inputs

CASES = 8  # fresh inputs per question
QUESTIONS = {question.name: question for question in lesson07.QUESTIONS}


# Fresh inputs ---------------------------------------------------------------------------------


def _labels(rng, size):
    """Return labels -1 and +1, both of them, as a list."""
    labels = rng.choice([-1, 1], size=size)
    labels[rng.permutation(size)[:2]] = -1, 1
    return labels.tolist()


def _flipped(rng, y):
    """Return the labels with some, not all, of them wrong."""
    wrong = rng.permutation(len(y))[: int(rng.integers(1, len(y)))]
    h = np.array(y)
    h[wrong] *= -1
    return h.tolist()


def _weights(rng, size, total=1):
    w = rng.dirichlet(np.ones(size))
    return (total * w).tolist()


def _errors(rng):
    for number in range(CASES):
        y = _labels(rng, int(rng.integers(4, 10)))
        total = 1 if number % 2 else int(rng.integers(2, 20))
        yield _weights(rng, len(y), total), y, _flipped(rng, y)


def _epsilons(rng):
    yield from ((float(value),) for value in rng.uniform(0.02, 0.48, size=CASES - 3))
    yield from ((float(value),) for value in rng.uniform(0.55, 0.95, size=2))
    yield (1 / 2,)


def _updates(rng):
    for _ in range(CASES):
        y = _labels(rng, int(rng.integers(4, 9)))
        yield _weights(rng, len(y)), float(rng.uniform(0.1, 1.5)), y, _flipped(rng, y)


def _table(rng, rows, columns, highest):
    """Return rows of whole numbers; no column is constant."""
    X = rng.integers(highest, size=(rows, columns))
    X[rng.permutation(rows)[:2]] = [[0], [highest]]
    return X.tolist()


def _weighted_tables(rng):
    """Yield tables with ties; weights are 64ths, so that sums are exact in any order."""
    tied = 0
    while tied < 3:
        y = _labels(rng, int(rng.integers(6, 10)))
        X = _table(rng, len(y), int(rng.integers(1, 4)), highest=6)
        args = X, y, (rng.multinomial(64, [1 / len(y)] * len(y)) / 64).tolist()
        if lesson07._best_stump(*args) != lesson07._best_stump(*args, pick=-1):
            tied += 1
            yield args
    for _ in range(CASES - tied):
        y = _labels(rng, int(rng.integers(6, 10)))
        X = _table(rng, len(y), int(rng.integers(1, 4)), highest=20)
        yield X, y, (rng.multinomial(64, [1 / len(y)] * len(y)) / 64).tolist()


def _clear(X, y, n_rounds):
    """Say whether there are rounds enough, and no tie that rounding could decide."""
    rounds = lesson07._boost(X, y, n_rounds)
    return len(rounds) == n_rounds and rounds == lesson07._boost(X, y, n_rounds, pick=-1)


def _boosted_tables(rng):
    while True:
        y = _labels(rng, int(rng.integers(10, 15)))
        X = _table(rng, len(y), 2, highest=30)
        n_rounds = int(rng.integers(3, 5))
        if _clear(X, y, n_rounds):
            yield X, y, n_rounds


def _ends(rng):
    """Yield tables on which boosting has to stop: a coin in round 2 and in round 1, no mistake."""
    low, high = sorted(rng.choice(30, size=2, replace=False).tolist())
    few, many = int(rng.integers(1, 3)), int(rng.integers(4, 8))
    side = [1] * many + [-1] * few
    yield [[low]] * len(side) + [[high]] * len(side), side + [-label for label in side], 4
    sign, copies = int(rng.choice([-1, 1])), int(rng.integers(1, 3))
    square = [[low, low], [low, high], [high, low], [high, high]]
    yield square * copies, [sign, -sign, -sign, sign] * copies, 4
    X = np.sort(rng.choice(50, size=9, replace=False))
    place = int(rng.integers(2, 8))
    yield X[:, None].tolist(), [sign] * place + [-sign] * (len(X) - place), 4


def _tables(rng):
    yield from islice(_boosted_tables(rng), CASES - 3)
    yield from _ends(rng)


def _votes(rng):
    """Yield rounds whose votes are eighths, so that sums are exact: some of them cancel."""
    for number in range(CASES - 1):
        count = 2 if number < 2 else int(rng.integers(3, 6))
        alphas = [rng.integers(1, 9) / 8] * 2 if number < 2 else rng.integers(1, 17, size=count) / 8
        steps = [
            (int(rng.integers(2)), int(rng.integers(1, 9)) / 2, int(rng.choice([-1, 1])), alpha)
            for alpha in np.array(alphas).tolist()
        ]
        yield lesson07._steps(*steps), _table(rng, 8, 2, highest=5)
    yield [], _table(rng, 4, 2, highest=5)


def _boosted(rng):
    for X, y, n_rounds in islice(_boosted_tables(rng), CASES):
        yield lesson07._boost(X, y, n_rounds), X, y


def _patients(rng):
    X, y = (np.array(part) for part in lesson07._heart(None, None))
    while True:
        columns = rng.permutation(X.shape[1])[:4]
        rows = rng.permutation(len(y))
        train, valid = rows[:60], rows[60:100]
        parts = [X[np.ix_(train, columns)], y[train], X[np.ix_(valid, columns)], y[valid]]
        parts = [part.tolist() for part in parts]
        if _clear(*parts[:2], 12):
            yield (*parts, 12)


MAKERS = {
    "q1": _errors,
    "q2a": _epsilons,
    "q2b": _updates,
    "q3": _weighted_tables,
    "q4a": _tables,
    "q4b": _votes,
    "q5": _boosted,
    "q6": lambda rng: islice(_patients(rng), 6),
}

INPUTS = Inputs(QUESTIONS, MAKERS)
fresh, judge = INPUTS.fresh, INPUTS.judge
