"""Hidden checks of exercise 04: fresh inputs, and the verdict on what came back.

``fresh`` and ``judge`` are all a grader needs. No student code runs here: the grader calls the
student's functions elsewhere and hands the returned values over as plain data.
"""

import numpy as np

from mlcourse.checks import lesson04, parts04
from tools.grading.inputs import Inputs

CASES = 8  # fresh inputs per question
QUESTIONS = {question.name: question for question in lesson04.QUESTIONS}


# Fresh inputs ---------------------------------------------------------------------------------


def _shape(rng):
    """Return how many models and how many points: never the same."""
    models = int(rng.integers(3, 8))
    return models, models + int(rng.choice([-1, 1, 2]))


def _sigma(rng):
    return round(rng.uniform(1 / 4, 3), 3)


def _spots(rng):
    for _ in range(CASES):
        h = rng.normal(5, 2, size=int(rng.integers(3, 9)))
        yield h.round(3).tolist(), round(rng.uniform(0, 3), 3), _sigma(rng)


def _tables(rng):
    for _ in range(CASES):
        models, points = _shape(rng)
        h = rng.normal(rng.normal(0, 3, size=points), 1, size=(models, points))
        yield h.round(3).tolist(), rng.normal(size=points).round(3).tolist()


def _noisy_tables(rng):
    return [(h, f, _sigma(rng)) for h, f in _tables(rng)]


def _votes(rng):
    for number in range(CASES):
        classes = ([0, 1, 2], [-1, 1], [2, 5, 6, 9])[number % 3]
        yield (rng.choice(classes, size=_shape(rng)).tolist(),)


def _signs(rng):
    while True:
        models, points = 2 * int(rng.integers(2, 5)) + 1, int(rng.integers(4, 8))
        leaning = rng.uniform(size=points)
        h = np.where(rng.random((models, points)) < leaning, 1, -1)
        o, noise = rng.choice([-1, 1], size=points), rng.uniform(0, 1 / 2, size=points).round(3)
        B, V, _ = parts04.at_points(h, o, noise)
        if 0 < B.mean() < 1 and V[B == 1].sum() > 0 and V[B == 0].sum() > 0:
            yield h.tolist(), o.tolist(), noise.tolist()


def _noise_free(rng):
    """Make half of the cases without noise: there the short formula holds."""
    for number, (h, o, noise) in zip(range(CASES), _signs(rng), strict=False):
        yield h, o, noise if number % 2 else [0.0] * len(o)


def _neighbors(rng):
    for number in range(CASES):
        n, d = int(rng.integers(5, 12)), 1 + number % 3
        X, X_new = (rng.integers(0, 9, size=(m, d)).tolist() for m in (n, 3))
        yield X, rng.integers(0, 20, size=n).tolist(), X_new, int(rng.integers(1, n + 1))


def _knobs(rng):
    for number in range(CASES - 2):
        sigma = (1 / 2, 2, 5)[number % 3]
        ks = rng.permutation([1, 2, 3, 4, 6, 9, 12])[:4].tolist()
        yield *parts04.world(rng, int(rng.integers(4, 7)), 14, sigma), sigma, ks


def _amounts(rng):
    return [tuple(rng.permutation(rng.choice(50, 3, replace=False) / 8)) for _ in range(CASES)]


def _clinics(rng):
    for _ in range(CASES - 2):
        yield *parts04.clinic(rng, 40, 20, 9), int(rng.choice([1, 3, 5, 9]))


MAKERS = {
    "q1": _spots,
    "q2": _noisy_tables,
    "q3": _tables,
    "q4a": _votes,
    "q4b": _noise_free,
    "q5": _neighbors,
    "q6a": _knobs,
    "q6b": _amounts,
    "q7": _clinics,
}

INPUTS = Inputs(QUESTIONS, MAKERS)
fresh, judge = INPUTS.fresh, INPUTS.judge
