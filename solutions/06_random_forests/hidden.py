"""Hidden checks of exercise 06: fresh inputs, and the verdict on what came back.

``fresh`` and ``judge`` are all a grader needs. No student code runs here: the grader calls the
student's functions elsewhere and hands the returned values over as plain data.
"""

from functools import partial

import numpy as np

from mlcourse.checks import lesson06, trees06
from tools.grading.inputs import Inputs

CASES = 8  # fresh inputs per question
QUESTIONS = {question.name: question for question in lesson06.QUESTIONS}


# Fresh inputs ---------------------------------------------------------------------------------


def _rules(rng):
    for d in (int(rng.integers(1, 3)), *rng.choice(np.arange(3, 200), size=5, replace=False)):
        yield from ((int(d), rule) for rule in lesson06.RULES)


def _draws(rng):
    for _ in range(CASES):
        d = int(rng.integers(6, 40))
        yield d, int(rng.integers(2, d // 2 + 1)), int(rng.integers(2, d // 2 + 1))


def _table(rng, rows, columns):
    """Return rows of whole numbers, with some equal values in a column."""
    return rng.integers(1, 25, size=(rows, columns)).tolist()


def _labels(rng, size, names):
    """Return labels of two classes, with both of them."""
    labels = rng.choice(names, size=size)
    labels[rng.permutation(size)[:2]] = names
    return labels.tolist()


def _names(rng):
    return rng.permutation(["ant", "bee", "cow", "doe", "elk", "fox"])[:2].tolist()


def _untied(function, args):
    """Say whether the first and the last of equally good answers are the same."""
    return function(*args) == partial(function, pick=-1)(*args)


def _splits(rng):
    """Yield tables whose best split is clear, for the right answer and for every mistake."""
    functions = [trees06.split, *QUESTIONS["q2"].gives.values()]
    made = 0
    while made < CASES - 2:
        X, y = _table(rng, int(rng.integers(8, 13)), 4), None
        y = _labels(rng, len(X), _names(rng))
        args = X, y, rng.permutation(4)[: int(rng.integers(1, 4))].tolist()
        if all(_untied(function, args) for function in functions):
            made += 1
            yield args
    for size in (3, 4):  # only constant columns were drawn
        X = np.full((size, 3), int(rng.integers(1, 9)))
        X[:, 1] = range(size)
        yield X.tolist(), _labels(rng, size - 1, names := _names(rng)) + names[1:], [2, 0]


def _paths(rng, columns):
    """Return draws for all paths up to depth 2: two columns for the root, one for the others."""
    paths = ["", "L", "R", "LL", "LR", "RL", "RR"]
    sizes = [2, 2, 2, 1, 1, 1, 1]
    pairs = zip(paths, sizes, strict=True)
    return {path: rng.permutation(columns)[:size].tolist() for path, size in pairs}


def _is_rich(tree, X, y, draws):
    """Say whether a tree asks at least four questions, and not all from the root's draw."""
    asked = list(trees06.nodes(tree, np.array(X), np.array(y)))
    other = {column for _, column, _ in asked} - set(draws[""])
    return len(asked) >= 4 and len(other) >= 1


def _plants(rng):
    """Yield tables on which no node has a tie."""
    made = 0
    while made < CASES - 3:
        X = _table(rng, int(rng.integers(10, 15)), 6)
        args = X, _labels(rng, len(X), _names(rng)), _paths(rng, 6)
        if _untied(trees06.grow, args) and _is_rich(trees06.grow(*args), *args):
            made += 1
            yield args
    one, other = sorted(_names(rng))
    yield [[4, 1], [4, 2], [4, 3], [4, 4]], [other, one, other, one], {"": [0], "L": [1]}
    yield _table(rng, 5, 2), [one] * 5, {"": [0, 1], "L": [0], "R": [1]}
    low, high = sorted(rng.choice(20, size=2, replace=False).tolist())
    X = [[low, 1], [low, 2], [high, 2], [high, 3], [high, 3]]
    yield X, [other, one, other, other, other], {"": [0]}


def _forest(rng):
    """Return trees, the table and labels they were grown on, and the counts of their bags."""
    X = _table(rng, int(rng.integers(9, 13)), 3)
    y = _labels(rng, len(X), _names(rng))
    bags = rng.integers(len(X), size=(int(rng.integers(3, 6)), len(X)))
    draws = dict.fromkeys(("", "L", "R", "LL", "LR", "RL", "RR"), range(3))
    trees = [trees06.grow([X[i] for i in bag], [y[i] for i in bag], draws) for bag in bags]
    return trees, X, y, np.array([np.bincount(bag, minlength=len(X)) for bag in bags])


def _asked(rng):
    """Yield trees and rows; some values are equal to the first threshold."""
    made = 0
    while made < CASES - 1:
        trees, X, *_ = _forest(rng)
        if isinstance(trees[0], dict):
            rows, tree = np.array(X, dtype=float), trees[0]
            rows[rng.permutation(len(rows))[:3], tree["column"]] = tree["threshold"]
            made += 1
            yield tree, rows.tolist()
    yield _names(rng)[0], _table(rng, 4, 2)


def _errors(rng):
    """Yield answers of trees that are each right and wrong somewhere, and say both classes."""
    made = 0
    while made < CASES:
        names = _names(rng)
        y = np.array(_labels(rng, int(rng.integers(8, 15)), names))
        shape = int(rng.integers(3, 6)), len(y)
        said = np.where(rng.random(shape) < 2 / 3, y, rng.choice(names, size=shape))
        coded = np.vstack([said != y, said == names[0]])
        if np.all(coded.any(axis=1) & ~coded.all(axis=1)):
            made += 1
            yield said.tolist(), y.tolist()


def _shuffles(rng):
    made = 0
    while made < CASES:
        trees, X, y, counts = _forest(rng)
        if (counts == 0).any(axis=1).all():
            made += 1
            orders = [rng.permutation(np.flatnonzero(seen == 0)).tolist() for seen in counts]
            yield trees, X, y, counts.tolist(), int(rng.integers(3)), orders


def _leaves(rng):
    for _ in range(CASES):
        trees = int(rng.integers(2, 6))
        yield (rng.choice(["L", "RL", "RRL", "RRR"], size=(trees + 3, trees)).tolist(),)


def _near(rng):
    """Yield proximities of rows of two classes, such that no answer hangs on a tie."""
    functions = [odd := trees06.odd_one, *QUESTIONS["q6b"].gives.values()]
    made = 0
    while made < CASES:
        names = _names(rng)
        few, many = int(rng.integers(3, 5)), int(rng.integers(5, 8))
        y = rng.permutation([names[0]] * few + [names[1]] * many).tolist()
        prox = np.triu(rng.integers(5, 96, size=(len(y),) * 2) / 100, k=1)
        args = (prox + prox.T + np.eye(len(y))).tolist(), y
        told = odd(*args) != odd(*args, itself=True) or made % 2
        if told and all(_untied(function, args) for function in functions):
            made += 1
            yield args


MAKERS = {
    "q1a": _rules,
    "q1b": _draws,
    "q2": _splits,
    "q3a": _plants,
    "q3b": _asked,
    "q4": _errors,
    "q5": _shuffles,
    "q6a": _leaves,
    "q6b": _near,
}

INPUTS = Inputs(QUESTIONS, MAKERS)
fresh, judge = INPUTS.fresh, INPUTS.judge
