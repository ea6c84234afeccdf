"""Splits, trees and forests, and the right and the wrong ways to make them, for exercise 06.

A tree is a class, or {"column", "threshold", "left", "right"}; a value <= threshold goes left.
Where a function has options, the default is right, and an option makes a known mistake. The
grader keeps all of this from students: ``lesson06`` asks for it.
"""

from itertools import pairwise

import numpy as np

from mlcourse.checks import same, show

# What answers look like -----------------------------------------------------------------------


def listed(got, depth=1):
    """Say what is wrong with an answer that should be a list (or, with 2, a table) or None."""
    if isinstance(got, list | tuple | np.ndarray) and np.ndim(got) == depth:
        return None
    what = "a list" if depth == 1 else "a table, a list of rows"
    return f"returned {show(got)}: the question asks for {what}"


def question(got):
    """Say what is wrong with an answer that should be a column and a threshold, or None."""
    got = got.tolist() if isinstance(got, np.ndarray) else got
    if got is None or (isinstance(got, list | tuple) and len(got) == 2 and np.ndim(got) == 1):
        return None
    return f"returned {show(got)}: the question asks for a pair, column and threshold"


def tree_of(got):
    """Say what is wrong with an answer that should be a tree, or return None."""
    if isinstance(got, str):
        return None
    keys = ["column", "left", "right", "threshold"]
    if not isinstance(got, dict) or sorted(map(str, got)) != keys:
        return f"has {show(got)} where a tree should be: a class, or a dict with four keys"
    return tree_of(got["left"]) or tree_of(got["right"])


# Splits and trees -----------------------------------------------------------------------------


def impurity(y):
    """Return the Gini impurity of labels."""
    return 1 - np.sum((np.unique(y, return_counts=True)[1] / len(y)) ** 2)


def left_over(left, right, weigh=True):
    """Return the average impurity of two sides, weighted or plain."""
    sizes = [len(left), len(right)] if weigh else None
    return float(np.average([impurity(left), impurity(right)], weights=sizes))


def split(X, y, columns, *, score=left_over, place=lambda low, high: (low + high) / 2, pick=0):
    """Return [column, threshold] of the least score; ``pick=-1`` takes the last of equals."""
    X, y, found = np.array(X), np.array(y), []
    for column in columns:
        x, values = X[:, column], np.unique(X[:, column])
        for low, high in pairwise(values):
            value = round(score(y[x <= low], y[x > low]), 9)
            found.append((value, [int(column), float(place(low, high))]))
    least = min((value for value, _ in found), default=None)
    best = [question for value, question in found if value == least]
    return best[pick] if best else None


def place_in_list(X, y, columns, **how):
    """Return the best split with the place of its column among the columns drawn."""
    found = split(X, y, columns, **how)
    return found and [columns.index(found[0]), found[1]]


def grow(X, y, draws, path="", pick=0):
    """Grow a tree; the node at ``path`` may ask about the columns draws[path]."""
    X, y = np.array(X), np.array(y)
    best = split(X, y, draws[path], pick=pick) if path in draws and len(set(y)) > 1 else None
    if best is None:
        names, counts = np.unique(y, return_counts=True)
        return str(names[counts.argmax()])
    low = X[:, best[0]] <= best[1]
    below = {
        side: grow(X[rows], y[rows], draws, path + side[0].upper(), pick)
        for side, rows in (("left", low), ("right", ~low))
    }
    return {"column": best[0], "threshold": best[1], **below}


def answers(tree, X, left=lambda value, threshold: value <= threshold):
    """Return the answers of a tree to all rows."""

    def answer(node, x):
        if isinstance(node, str):
            return node
        side = "left" if left(x[node["column"]], node["threshold"]) else "right"
        return answer(node[side], x)

    return [answer(tree, x) for x in X]


# Faults of grown trees ------------------------------------------------------------------------


def nodes(tree, X, y, path=""):
    """Yield (path, column, classes of the training rows) of every node that asks."""
    if isinstance(tree, dict):
        low = X[:, tree["column"]] <= tree["threshold"]
        yield path, tree["column"], set(y)
        yield from nodes(tree["left"], X[low], y[low], path + "L")
        yield from nodes(tree["right"], X[~low], y[~low], path + "R")


def any_node(test):
    """Make a property of trees: some node has test(path, column, classes, draws)."""

    def shows(got, right, X, y, draws):
        return any(test(*node, draws) for node in nodes(got, np.array(X), np.array(y)))

    return shows


def drawn_at(place):
    """Make a property: all nodes use draws[place(path)], and some of them not draws[path]."""
    strange = any_node(lambda path, column, _, draws: column not in draws.get(path, []))
    other = any_node(lambda path, column, _, draws: column not in draws.get(place(path), []))
    return lambda *args: strange(*args) and not other(*args)


def exchanged(got, right, X, y, draws):
    """Say whether the tree knows its training rows better when left and right are exchanged."""
    known = np.sum(np.array(answers(got, X)) == y)
    return bool(np.sum(np.array(answers(got, X, lambda v, t: v > t)) == y) > known)


def asked(tree):
    """Return the questions of a tree, without its answers."""
    if isinstance(tree, str):
        return []
    return [tree["column"], tree["threshold"], asked(tree["left"]), asked(tree["right"])]


def same_questions(got, right, *_):
    """Say whether two trees differ in their leaves only."""
    return same(asked(got), asked(right), 1e-9)


def smaller(got, right, X, y, draws):
    """Say whether a tree has fewer nodes that ask than the right one."""
    count, most = (sum(1 for _ in nodes(tree, np.array(X), np.array(y))) for tree in (got, right))
    return tree_of(got) is None and count < most


# Forests --------------------------------------------------------------------------------------


def likeness(said, y, code=np.not_equal, alike=np.corrcoef, mean=None):
    """Return the mean over all pairs of trees of how alike their coded answers are."""
    table = alike(code(np.array(said), np.array(y)).astype(float))
    above = np.triu_indices(len(table), k=1)
    return float(mean(table) if mean else table[above].mean())


def agreement(errors):
    """Return the share of equal entries of each pair of rows."""
    return np.mean(errors[:, None] == errors[None], axis=2)


def one_column(mixed, X, out, order, column):
    """Shuffle one column among the rows out of bag."""
    mixed[out, column] = X[order, column]


def mean_rise(before, after, out, n):
    """Return the mean over the trees of the rise of the error, given numbers of wrong answers."""
    return np.mean((after - before) / out)


def importance(trees, X, y, counts, column, orders, *, mix=one_column, result=mean_rise):
    """Return the permutation importance of a column, with the shuffles given by ``orders``."""
    X, y, wrong = np.array(X), np.array(y), []
    for tree, seen, order in zip(trees, counts, orders, strict=True):
        out, mixed = np.flatnonzero(np.array(seen) == 0), X.copy()
        mix(mixed, X, out, order, column)
        tables = X[out], mixed[out]
        wrong.append([*(np.sum(np.array(answers(tree, t)) != y[out]) for t in tables), len(out)])
    return float(result(*np.array(wrong).T, len(X)))


def proximity(leaves):
    """Return the table (N, N) of the shares of trees in which two rows share a leaf."""
    leaves = np.array(leaves)
    return np.mean(leaves[:, None] == leaves[None], axis=2)


def odd_one(prox, y, *, own=True, itself=False, mean=True, sign=1, pick=0):
    """Return the row that is least like the rows of its class; ``pick=-1``: the last of equals."""
    y = np.array(y)
    others = (y[:, None] == y[None]) if own else np.full((len(y),) * 2, True)
    others &= itself | ~np.eye(len(y), dtype=bool)
    score = np.sum(np.array(prox) * others, axis=1) / (others.sum(axis=1) if mean else 1)
    score = np.round(sign * score, 9)
    return int(np.flatnonzero(score == score.min())[pick])
