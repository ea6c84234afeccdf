"""CART as the lecture writes it: recursion, one case after the other, no arrays.

The twin of mlcourse.growing. A table is a list of rows, a row a list of values: numbers, or codes
of categories where ``levels[j]`` says how many there are (0 for a number). A node is a dict.
"""

import itertools
from math import fsum, log2

TIE = 1e-10  # scores closer than this share of the node's impurity are equal


def impurity(cases, criterion, n_classes):
    """Return weight · impurity of some (y, weight) pairs."""
    total = fsum(w for _, w in cases)
    if not cases:
        return 0.0
    if criterion == "variance":
        mean = fsum(w * y for y, w in cases) / total
        return fsum(w * (y - mean) ** 2 for y, w in cases)
    shares = [fsum(w for y, w in cases if y == c) / total for c in range(n_classes)]
    if criterion == "gini":
        return total * (1 - fsum(p * p for p in shares))
    if criterion == "entropy":
        return -total * fsum(p * log2(p) for p in shares if p > 0)
    return total * (1 - max(shares))


def partitions(column, cases, criterion, n_classes, levels):
    """Yield (test, left): every question about one column, in the order that breaks ties."""
    if not levels:
        values = sorted(set(column))
        for low, high in itertools.pairwise(values):
            yield low + (high - low) / 2, [x <= low for x in column]
        return
    present = sorted(set(column))
    if criterion == "variance" or n_classes == 2:  # the ordering theorem

        def mean(level):
            mine = [(y, w) for x, (y, w) in zip(column, cases, strict=True) if x == level]
            return fsum(y * w for y, w in mine) / fsum(w for _, w in mine)

        ordered = sorted(present, key=mean)
        subsets = [set(ordered[:k]) for k in range(1, len(ordered))]
    else:
        subsets = [
            {level for place, level in enumerate(present) if number >> place & 1}
            for number in range(1, 2 ** (len(present) - 1))
        ]
    for subset in subsets:
        yield frozenset(subset), [x in subset for x in column]


def candidates(rows, cases, criterion, n_classes, levels, min_samples_leaf):
    """Return (feature, test, score, left) of every allowed question in a node."""
    before, found = impurity(cases, criterion, n_classes), []
    for j, n_levels in enumerate(levels):
        column = [row[j] for row in rows]
        for test, left in partitions(column, cases, criterion, n_classes, n_levels):
            if min(sum(left), len(left) - sum(left)) < min_samples_leaf:
                continue
            sides = [
                [c for c, is_left in zip(cases, left, strict=True) if is_left == s] for s in (1, 0)
            ]
            after = fsum(impurity(side, criterion, n_classes) for side in sides)
            found.append((j, test, max(before - after, 0.0), left))
    return found


def grow(
    rows,
    y,
    weight,
    *,
    criterion,
    n_classes,
    levels,
    max_depth=None,
    min_samples_split=2,
    min_samples_leaf=1,
    depth=0,
):
    """Grow a tree; return its root. ``candidates`` of a node are kept for comparison."""
    cases = list(zip(y, weight, strict=True))
    node = {"count": len(y), "weight": fsum(weight), "feature": None}
    node["impurity"] = impurity(cases, criterion, n_classes)
    if criterion == "variance":
        node["value"] = [fsum(a * w for a, w in cases) / node["weight"]]
    else:
        node["value"] = [fsum(w for a, w in cases if a == c) for c in range(n_classes)]
    found = candidates(rows, cases, criterion, n_classes, levels, min_samples_leaf)
    node["candidates"] = [(j, test, score) for j, test, score, _ in found]
    # The reasons to stop: one class only, nothing that tells the cases apart, a limit.
    pure = len(set(y)) == 1
    if pure or not found or len(y) < min_samples_split or depth == max_depth:
        return node
    best = max(score for _, _, score, _ in found)
    close = [c for c in found if c[2] >= best - TIE * node["impurity"]]
    node["feature"], node["test"], node["score"], left = close[0]
    limits = {
        "criterion": criterion, "n_classes": n_classes, "levels": levels, "max_depth": max_depth,
        "min_samples_split": min_samples_split, "min_samples_leaf": min_samples_leaf,
    }  # fmt: skip
    node["children"] = []
    for side in (True, False):
        mine = [i for i, is_left in enumerate(left) if is_left == side]
        parts = ([values[i] for i in mine] for values in (rows, y, weight))
        node["children"].append(grow(*parts, **limits, depth=depth + 1))
    return node


def preorder(node):
    """Yield the nodes of a tree, each before what hangs below it."""
    yield node
    for child in node.get("children", []):
        yield from preorder(child)
