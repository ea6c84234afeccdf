"""Hidden checks of exercise 09: fresh inputs, and the verdict on what came back.

``fresh`` and ``judge`` are all a grader needs. No student code runs here: the grader calls the
student's functions elsewhere and hands the returned values over as plain data.
"""

import csv
from pathlib import Path

import numpy as np

from mlcourse.checks import lesson09
from tools.grading.inputs import Inputs

CASES = 8  # fresh inputs per question
QUESTIONS = {question.name: question for question in lesson09.QUESTIONS}


# Fresh inputs ---------------------------------------------------------------------------------


def _votes(rng):
    for _ in range(CASES):
        T, N = (int(size) for size in rng.integers((2, 3), (7, 9)))
        alphas = rng.integers(1, 17, size=T) / 8
        yield alphas.tolist(), rng.choice([-1, 1], (T, N)).tolist(), rng.choice([-1, 1], N).tolist()


def _margins(rng):
    for number in range(CASES):
        margins = rng.integers(-12, 17, size=int(rng.integers(5, 15))) / 16  # exact, with ties
        theta = rng.choice(margins) if number % 2 else rng.integers(-8, 13) / 16
        yield margins.tolist(), float(theta)


def _epsilons(rng, least, most, rounds):
    return (rng.integers(least, most, size=rounds) / 100).tolist()


def _levels(rng):
    for number in range(CASES):
        theta = 0 if number == 0 else int(rng.integers(-6, 13)) / 20
        yield _epsilons(rng, 5, 48, int(rng.integers(2, 9))), theta


def _runs(rng):
    made = 0
    while made < CASES:
        rounds = int(rng.integers(4, 16))
        epsilons = _epsilons(rng, 3, 36, rounds)
        N = 500 if made < 2 else int(rng.integers(2, 25))
        bounds = np.cumprod([2 * np.sqrt(x * (1 - x)) for x in epsilons])
        if np.abs(bounds * N - 1).min() > 1e-6:  # not so close that rounding decides
            made += 1
            yield epsilons, N


def _margin_levels(rng):
    for _ in range(CASES):
        d, theta = int(rng.integers(2, 12)), int(rng.integers(2, 19)) / 20
        N = int(rng.integers(2, 50)) * 100
        yield int(rng.integers(0, 10)) / 20, theta, N, d, 1 / int(rng.integers(5, 200))


def _dimensions(rng):
    for _ in range(CASES):
        d, T = int(rng.integers(2, 12)), int(rng.integers(2, 60))
        N = int(rng.integers(5, 100)) * 10_000  # more than half of any D here
        yield int(rng.integers(0, 10)) / 50, T, N, d, 1 / int(rng.integers(5, 200))


def _tables(rng):
    """Yield parts of the lecture's table, with a tie in them."""
    path = Path(__file__).parent / "data" / "lecture_table.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        _, *rows = csv.reader(lines)
    table = np.array([row[1:] for row in rows], dtype=float)
    for _ in range(CASES):
        part = table[np.ix_(rng.permutation(10)[:4], rng.permutation(6)[:5])]
        row, one, other = rng.integers(4), *rng.permutation(5)[:2]
        part[row, one] = part[row, other]
        yield (part.tolist(),)


def _errors(rng):
    """Yield errors of two learners in half percent, split by split; some splits are harder."""
    for number in range(CASES + 2):
        n = int(rng.integers(4, 12))
        harder, gain = rng.integers(0, 13, size=n), rng.integers(-3, 4)
        errors = np.array([harder + 8 + gain, harder + 8]) + rng.integers(0, 4, size=(2, n))
        if number < 2:  # the mean is exactly two standard errors away from 0
            errors = rng.integers(10, 30, size=4) + np.array([[5, 1, 1, 1], [0] * 4]) * 2
            errors = errors[:, rng.permutation(4)][:: 1 - 2 * number]
        gap = errors[0] - errors[1]
        border = 2 * np.std(gap, ddof=1) / np.sqrt(len(gap))
        if number < 2 or abs(abs(gap.mean()) - border) > 1e-6:  # rounding decides nothing
            yield tuple((errors / 2).tolist())


MAKERS = {
    "q1": _votes,
    "q2": _margins,
    "q3a": _levels,
    "q3b": _runs,
    "q4a": _margin_levels,
    "q4b": _dimensions,
    "q6a": _tables,
    "q6b": _tables,
    "q7a": _errors,
    "q7b": _errors,
}

INPUTS = Inputs(QUESTIONS, MAKERS)
fresh, judge = INPUTS.fresh, INPUTS.judge
