"""Hidden checks of exercise 08: fresh inputs, and the verdict on what came back.

``fresh`` and ``judge`` are all a grader needs. No student code runs here: the grader calls the
student's functions elsewhere and hands the returned values over as plain data.
"""

from pathlib import Path

import numpy as np

from mlcourse.checks import lesson08
from tools.grading.inputs import Inputs

CASES = 8  # fresh inputs per question
CLOSE = 1e-6  # what comes closer than this could be decided by rounding
LOSSES = ("squared", "absolute", "poisson")
QUESTIONS = {question.name: question for question in lesson08.QUESTIONS}


# Fresh inputs ---------------------------------------------------------------------------------


def _loss(number):
    return LOSSES[number % len(LOSSES)]


def _targets(rng, size):
    return rng.integers(1, 30, size=size).tolist()


def _scores(rng, y):
    """Return F near log y, and now and then y itself: where F hits the target."""
    F = np.log(y) + rng.normal(size=len(y))
    hits = rng.random(len(y)) < 1 / 5
    return np.where(hits, np.minimum(y, 4), F).tolist()


def _constants(rng):
    for number in range(CASES + 1):
        yield _targets(rng, int(rng.integers(4, 10))), _loss(number)


def _directions(rng):
    for number in range(CASES + 1):
        y = _targets(rng, int(rng.integers(4, 10)))
        y[0] = 3
        F = _scores(rng, y)
        yield y, [3, *F[1:]], _loss(number)


def _leaves(rng):
    for number in range(CASES + 1):
        size, count = int(rng.integers(9, 15)), int(rng.integers(2, 4))
        leaf = rng.permutation([*range(count), *rng.integers(count, size=size - count)]).tolist()
        y = _targets(rng, size)
        yield y, _scores(rng, y), leaf, _loss(number)


def _table(rng, rows, columns):
    """Return whole numbers, no two the same in a column."""
    return np.stack([rng.permutation(2 * rows)[:rows] for _ in range(columns)], axis=1)


def _clear_cut(X, target):
    """Say whether the best cut, right or by a known mistake, does not hang on rounding."""
    scores = [{}] + [
        {"score": make.keywords["score"]}
        for make in QUESTIONS["q4"].gives.values()
        if "score" in getattr(make, "keywords", {})
    ]
    return all(
        lesson08._stump(X, target, tie=CLOSE, **score)
        == lesson08._stump(X, target, tie=CLOSE, pick=-1, **score)
        for score in scores
    )


def _stumps(rng):
    found = []
    while len(found) < CASES - 2:
        X = _table(rng, int(rng.integers(7, 14)), int(rng.integers(1, 4)))
        target = rng.normal(size=len(X)).round(3) + (X[:, 0] > np.median(X[:, 0]))
        if not _clear_cut(X.tolist(), target.tolist()):
            continue
        number = len(found)
        if number % 3 == 1:
            X = np.insert(X, rng.integers(X.shape[1] + 1), 7, axis=1)  # a constant column
        if number % 3 == 2:
            column = lesson08._stump(X.tolist(), target.tolist())[0]
            X = np.column_stack([X, X[:, column]])  # a twin of the best column: a tie
        found.append((X.tolist(), target.tolist()))
    for _ in range(2):  # two equally good thresholds, in numbers that no computer rounds
        low, high = rng.permutation(9)[:2].tolist()
        x = np.sort(rng.permutation(40)[:12])
        rows = rng.permutation(12)
        target = np.repeat([low, high, low], 4)
        found.append((x[rows][:, None].tolist(), target[rows].tolist()))
    return found


def _clear(X, y, loss, M, nu):
    """Say whether no round of boosting hangs on rounding: a tied cut, the sign of almost 0."""
    X, y = np.array(X, dtype=float), np.array(y, dtype=float)
    for train in (1, nu):  # by whole steps, a known mistake, and by the right ones
        first, last = (
            lesson08._boost(X, y, X, loss, M, nu, train=train, stump={"tie": CLOSE, "pick": pick})
            for pick in (0, -1)
        )
        if not np.array_equal(first, last):
            return False
    return (abs(y - first[1:]) > CLOSE).all()


def _rounds(rng):
    number = 0
    while number < CASES + 1:
        X = _table(rng, int(rng.integers(12, 19)), int(rng.integers(2, 4)))
        trend = X[:, 0] / len(X) + (X[:, 1] > len(X))
        y = rng.poisson(3 * np.exp(trend)) + 1
        M, nu = int(rng.integers(2, 6)), float(rng.choice([0.1, 0.15, 0.3, 0.35]))
        if _clear(X, y, _loss(number), M, nu):
            X_new = rng.integers(4 * len(X), size=(8, X.shape[1])) / 2
            yield X.tolist(), y.tolist(), X_new.tolist(), _loss(number), M, nu
            number += 1


def _curves(rng):
    for _ in range(3 * CASES):
        size, patience = int(rng.integers(6, 16)), int(rng.integers(1, 5))
        valley = abs(np.arange(size) - size / 2)
        yield (valley + rng.integers(6, size=size)).round().tolist(), patience


def _bikes():
    lines = (Path(__file__).parent / "data" / "bikes.csv").read_text(encoding="utf-8").split()
    return np.array([line.split(",") for line in lines[1:]], dtype=float)


def _clear_choice(X, y, X_valid, y_valid, loss, rates, M):
    """Say whether no part of tuning hangs on rounding."""
    lowest = []
    for nu in rates:
        if not _clear(X, y, loss, M, nu):
            return False
        curve = [
            lesson08.MEAN_LOSS[loss](y_valid, F)
            for F in lesson08._boost(X, y, X_valid, loss, M, nu)
        ]
        lowest.extend(np.minimum.accumulate(curve)[1:])
        if min(abs(np.subtract(curve[1:], np.minimum.accumulate(curve)[:-1]))) < CLOSE:
            return False
    values = np.unique(lowest)
    return len(values) > 3 and np.diff(values).min() > CLOSE


def _choices(rng):
    table, number = _bikes(), 0
    while number < CASES - 2:
        rows = table[rng.permutation(len(table))[:70]]
        X, y = rows[:, rng.permutation(6)[:4]], rows[:, -1]
        rates = rng.permutation([0.9, 0.6, 0.35, 0.15])[:3].tolist()
        M, patience = 15, int(rng.integers(1, 4))
        parts = X[:40], y[:40], X[40:], y[40:]
        if _clear_choice(*parts, _loss(number), rates, M):
            yield *(part.tolist() for part in parts), _loss(number), rates, M, patience
            number += 1


MAKERS = {
    "q1": _constants,
    "q2": _directions,
    "q3": _leaves,
    "q4": _stumps,
    "q5": _rounds,
    "q6": _curves,
    "q7": _choices,
}

INPUTS = Inputs(QUESTIONS, MAKERS)
fresh, judge = INPUTS.fresh, INPUTS.judge
