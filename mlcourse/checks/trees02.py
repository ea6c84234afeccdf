"""Splits and trees, and the right and the wrong ways to score and grow them, for exercise 02.

Columns and labels are lists of plain data. A tree is a label, or {column: {value: tree}}. Where a
function has options, the default is right, and an option makes a known mistake. The grader keeps
all of this from students: ``lesson02`` asks for it.
"""

import json
import math
from functools import lru_cache

import numpy as np
import pandas as pd

from mlcourse.checks import Raised, number, show

UNKNOWN = "?"


def table(value):
    """Turn {name: list} into {name: array}."""
    return {name: np.array(column) for name, column in value.items()}


def arrays(*values):
    """Turn lists into arrays."""
    return tuple(np.array(value) for value in values)


def bits(labels):
    """Return the entropy of labels."""
    p = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-np.sum(p * np.log2(p)) + 0)


def gini(labels):
    """Return the Gini impurity of labels."""
    p = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(1 - np.sum(p**2))


def left(x, y, impurity=bits, weigh=True):
    """Return the average impurity of the branches, plain or weighted."""
    x, y = arrays(x, y)
    parts = [y[x == value] for value in np.unique(x)]
    sizes = [len(part) for part in parts] if weigh else None
    return float(np.average([impurity(part) for part in parts], weights=sizes))


def removed(x, y, impurity=bits, weigh=True):
    """Return the impurity that the question x takes away."""
    return impurity(np.array(y)) - left(x, y, impurity, weigh)


# Cuts of a number -----------------------------------------------------------------------------


def best_cut(score, place=lambda low, high: (low + high) / 2, sign=1):
    """Return the function that finds the first best cut of x: [threshold, sign · score]."""

    def cut(x, y):
        x, y = arrays(x, y)
        values = np.unique(x)
        scores = [round(float(score(x <= low, y)), 10) for low in values[:-1]]
        best = max(range(len(scores)), key=scores.__getitem__)
        return [float(place(*values[best : best + 2])), sign * scores[best]]

    return cut


def pair(what, got):
    """Say what is wrong with an answer that should be two numbers, or return None."""
    values = got.tolist() if isinstance(got, np.ndarray) else got
    if isinstance(values, list | tuple) and len(values) == 2 and not any(map(number, values)):
        return None
    return f"returned {show(got)}: the question asks for two numbers, {what}"


def is_value(got, expected, x, y):
    """Say whether the threshold is one of the values."""
    return got[0] in x


def is_tie(got, expected, x, y):
    """Say whether another cut has the same score, but does not come first."""
    x = np.array(x)
    other = np.any((x <= got[0]) != (x <= expected[0]))
    return bool(other and math.isclose(got[1], expected[1], abs_tol=1e-9))


# Trees of dicts -------------------------------------------------------------------------------


def tree(got):
    """Say what is wrong with an answer that should be a tree of dicts, or return None."""
    if isinstance(got, str):
        return None
    if not isinstance(got, dict):
        return f"has {show(got)} where a tree should be: a label or a dict"
    if len(got) != 1 or not isinstance(next(iter(got.values())), dict):
        return f"has the node {show(got)}: a node should be {{column: {{value: tree, …}}}}"
    below = map(tree, next(iter(got.values())).values())
    return next(filter(None, below), None)


def fault(got, right, columns, y, here):
    """Name the first difference of two trees, on the rows where ``here`` is true."""
    if isinstance(got, str):
        if isinstance(right, dict):
            return "stopped"
        return None if got == right else "majority" if here.any() else "parent_majority"
    (name, branches), gains = next(iter(got.items())), {}
    if len(set(np.array(columns[name])[here])) < 2:
        return "useless"
    if isinstance(right, str):
        return "pure"
    for each in {name, *right}:
        gains[each] = removed(np.array(columns[each])[here], np.array(y)[here])
    if name not in right:
        return "tie" if math.isclose(*gains.values(), abs_tol=1e-9) else "choice"
    if branches.keys() != right[name].keys():
        return "missing_branch"
    for value, part in branches.items():
        arrived = here & (np.array(columns[name]) == value)
        if below := fault(part, right[name][value], columns, y, arrived):
            return below
    return None


def shows_fault(name, got, right, columns, y, values):
    """Say whether this is the fault of a tree, or of a function that never ends."""
    if isinstance(got, Raised):
        return name == "endless" and got.type == "RecursionError"
    return fault(got, right, columns, y, np.ones(len(y), bool)) == name


def predict(tree, columns, questions=math.inf):
    """Answer every row; below so many questions, the first branch is taken."""
    answers = []
    for row in zip(*columns.values(), strict=True):
        node, values, asked = tree, dict(zip(columns, row, strict=True)), 0
        while isinstance(node, dict):
            ((name, branches),) = node.items()
            node = branches[values[name] if asked < questions else next(iter(branches))]
            asked += 1
        answers.append(node)
    return answers


def labels(got):
    """Say what is wrong with an answer that should be a list of labels, or return None."""
    values = got.tolist() if isinstance(got, np.ndarray) else got
    if isinstance(values, list | tuple) and all(isinstance(label, str) for label in values):
        return None
    return f"returned {show(got)}: the question asks for a list with one label per row"


# C4.5 and CART --------------------------------------------------------------------------------


def contest(keep, score=lambda gain, iv, of_class: gain / iv):
    """Return the function that scores the columns that ``keep`` lets pass."""

    def scores(columns, y):
        gain = np.array([removed(x, y) for x in columns.values()])
        iv = np.array([bits(x) for x in columns.values()])
        kept, got = keep(gain, gain / iv), score(gain, iv, bits(y))
        return {name: float(got[i]) for i, name in enumerate(columns) if kept[i]}

    return scores


def average(gain, ratio):
    """Keep the columns with at least average gain."""
    return gain >= gain.mean() - 1e-10


def scored(gain=None, iv=None, fractions=None):
    """Return [gain, intrinsic value, fractions] of a column with gaps, parts of it replaced."""

    def scores(x, y):
        x, y = arrays(x, y)
        known = x != UNKNOWN
        share = {str(v): float(np.mean(x[known] == v)) for v in np.unique(x[known])}
        return [
            float(gain(x, y, known) if gain else np.mean(known) * removed(x[known], y[known])),
            iv(x, known) if iv else bits(x),
            fractions(share, np.mean(known)) if fractions else share,
        ]

    return scores


def gaps(got):
    """Say what is wrong with an answer that should be two numbers and a dict, or return None."""
    if isinstance(got, list | tuple) and len(got) == 3 and isinstance(got[2], dict):
        entries = [*got[:2], *got[2].values()]
        return next(filter(None, map(number, entries)), None)
    asked = "the gain, the intrinsic value and the dict of fractions"
    return f"returned {show(got)}: the question asks for {asked}"


def sample(values):
    """Return the variance with divisor N − 1."""
    return np.var(values, ddof=1) if len(values) > 1 else math.nan


@lru_cache(maxsize=64)
def _wrong(problem, rows):
    """Say for each row whether the library's ID3 tree of the first rows gets it wrong."""
    from mlcourse import ID3Classifier  # loads scikit-learn: only when it is needed

    columns, y, values = json.loads(problem)
    frame = pd.DataFrame(
        {name: pd.Categorical(x, categories=values[name]) for name, x in columns.items()}
    )
    model = ID3Classifier().fit(frame[:rows], np.array(y)[:rows])
    return model.predict(frame) != np.array(y)


def errors(judge, whole=False):
    """Return the function that grows a tree on n rows and judges what it gets wrong."""

    def result(columns, y, values, n):
        wrong = _wrong(json.dumps([columns, y, values]), len(y) if whole else n)
        return [float(error) for error in judge(wrong, n)]

    return result


def both(wrong, n):
    """Return the share of errors among the first n rows and among the others."""
    return wrong[:n].mean(), wrong[n:].mean()
