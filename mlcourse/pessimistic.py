"""How wrong will a leaf be on new cases? C4.5 answers with an upper limit, and prunes by it.

Lectures 02 and 03 (Quinlan 1993). A leaf with N cases, e of them of another class, has the
training error e/N, which is too good to be true. C4.5 takes the N cases for a sample and asks for
the upper confidence limit U(e, N): the error rate so high that e errors or fewer would be as rare
as CF = 25 %. A leaf is then expected to make N·U(e, N) errors, a tree the sum over its leaves.

From the leaves up, a node becomes a leaf if that promises no more errors (give or take 0.1), or
else it gives way to the child with most cases: *subtree raising*.

A case whose value is missing goes down every branch, as a fraction: weight × the branch's share.
"""

from dataclasses import replace

import numpy as np
from scipy.special import betaincinv, ndtri

from mlcourse.splitting import xlogx

__all__ = ["pessimistic_error"]

CLOSE = 1e-6  # weights, errors and gains that differ by less are equal, as in J48

# The table of C4.5 (stats.c): the normal deviation that is exceeded with each probability.
PROBABILITY = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
DEVIATION = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)


def above(a, b):
    """Say whether a is greater than b, by more than rounding explains."""
    return np.subtract(a, b) > CLOSE


def bits(weight):
    """Return w·log2 w; a weight that is only rounding counts as none."""
    return xlogx(np.where(weight < CLOSE, 0.0, weight))


def disorder(counts):
    """Return weight × entropy of class weights (K, …), in bits."""
    return bits(counts.sum(axis=0)) - bits(counts).sum(axis=0)


def divided(top, bottom):
    """Return top/bottom, or 0 where the bottom is 0."""
    return np.where(above(bottom, 0), top / np.maximum(bottom, CLOSE), 0.0)


def pessimistic_error(n, e, confidence=0.25, convention="c45"):
    """Return U(e, N), the upper confidence limit of the error rate of a leaf.

    Parameters
    ----------
    n, e : weight of the cases in the leaf, and of those in error; numbers or arrays
    confidence : CF; the smaller, the more pessimistic
    convention : "binomial" solves P(at most e errors of n) = CF exactly. The programs do so for
        e = 0 only, U = 1 − CF^(1/N), go linearly from there to e = 1, and then take the normal
        approximation with continuity correction: "c45" with z from Quinlan's table (0.6925 for
        CF = 0.25), "j48" with the exact normal z (0.6745) and CF rounded to 32 bits.
        Where e + ½ ≥ N, "j48" takes U = 1 and "c45" adds 0.67 of the other N − e.

    Examples
    --------
    >>> [round(float(pessimistic_error(n, 0)), 4) for n in (6, 9, 1)]
    [0.2063, 0.1428, 0.75]
    >>> for convention in ("binomial", "c45", "j48"):
    ...     print(convention, round(float(pessimistic_error(16, 1, convention=convention)), 4))
    binomial 0.1596
    c45 0.1567
    j48 0.1547
    """
    n, e = np.broadcast_arrays(np.asarray(n, dtype=float), np.asarray(e, dtype=float))
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence!r}, expected a number between 0 and 1")
    if not ((n > 0) & (e >= 0) & (e <= n)).all():
        raise ValueError("expected n > 0 and errors e between 0 and n")
    if convention == "binomial":
        return np.where(e < n, betaincinv(e + 1, np.where(e < n, n - e, 1), 1 - confidence), 1.0)
    if convention == "c45":
        z, rest = np.interp(confidence, PROBABILITY, DEVIATION), 0.67
    elif convention == "j48":
        single = np.float32(confidence)
        z, confidence, rest = float(ndtri(float(1 - single))), float(single), 1.0
        if confidence > 0.5:
            return e / n
    else:
        raise ValueError(f"convention is {convention!r}, expected 'c45', 'j48' or 'binomial'")

    def normal(errors):
        rate = np.minimum((errors + 0.5) / n, 1.0)
        spread = np.sqrt(rate * (1 - rate) / n + z**2 / (4 * n**2))
        limit = (rate + z**2 / (2 * n) + z * spread) / (1 + z**2 / n)
        nearly_all = errors / n + rest * np.maximum(1 - errors / n, 0.0)
        return np.where(errors + 0.5 >= n, nearly_all, limit)

    none = 1 - confidence ** (1 / n)
    # The errors to add, U − e/N, go linearly from those of e = 0 to those of e = 1.
    between = none + e * (normal(1.0) - 1 / n - none) + e / n
    return np.where(e < 1, between, normal(e))


def expected_errors(counts, confidence, convention):
    """Return N·U(e, N) of leaves with these class weights, shape (leaves, K) → (leaves,)."""
    n = counts.sum(axis=1)
    there = n > CLOSE
    n = np.where(there, n, 1.0)
    e = np.clip(n - counts.max(axis=1), 0.0, n)
    return np.where(there, n * pessimistic_error(n, e, confidence, convention), 0.0)


# Fractional cases --------------------------------------------------------------------------------


def deal(tree, values, node, row, weight, shares=None):
    """Send cases one step down the tree; returns child, row and weight of the dealt cases.

    Case i is row ``row[i]`` of the table ``values`` (d, N), stands at the inner node ``node[i]``
    and weighs ``weight[i]``. If its value is missing, every branch gets a case of weight × share.
    ``shares`` (M, B) are given, or else those of the cases that arrive here with a known value.
    """
    branch = tree.branch(node, values[tree.feature[node], row])
    known = branch >= 0
    if known.all():
        return tree.children[node, branch], row, weight
    gap = np.flatnonzero(~known)
    part = _shares_here(tree, node, branch, weight)[gap] if shares is None else shares[node[gap]]
    piece, to = np.nonzero(part > CLOSE)
    gap = gap[piece]
    node, branch = np.append(node[known], node[gap]), np.append(branch[known], to)
    row, weight = np.append(row[known], row[gap]), np.append(weight[known], weight[gap])
    weight[known.sum() :] *= part[piece, to]
    return tree.children[node, branch], row, weight


def _shares_here(tree, node, branch, weight):
    """Return the shares (cases, B) of the branches in the weight that takes them at each node."""
    which, at = np.unique(node, return_inverse=True)
    exists, known = tree.children[which] >= 0, branch >= 0
    cell = at[known] * exists.shape[1] + branch[known]
    seen = np.bincount(cell, weight[known], minlength=exists.size).reshape(exists.shape)
    total = seen.sum(axis=1, keepdims=True)
    equal = exists / exists.sum(axis=1, keepdims=True)  # where nobody's value is known
    return np.where(total > CLOSE, seen / np.maximum(total, CLOSE), equal)[at]


def descend(tree, values, node, row, weight, shares=None):
    """Send cases down to the leaves; returns leaf, row and weight of all pieces."""
    ended = []
    while len(node):
        inner = tree.feature[node] >= 0
        ended.append((node[~inner], row[~inner], weight[~inner]))
        node, row, weight = deal(tree, values, node[inner], row[inner], weight[inner], shares)
    return tuple(np.concatenate(parts) for parts in zip(*ended, strict=True))


def branch_shares(tree):
    """Return the share of each branch in the training weight of its node, shape (M, B)."""
    below = np.where(tree.children >= 0, tree.weight[tree.children], 0.0)
    return below / np.maximum(below.sum(axis=1, keepdims=True), CLOSE)


# Pruning -----------------------------------------------------------------------------------------


def class_weights(tree):
    """Return the class weights (M, K) with zeros in a leaf without cases (it has its parent's)."""
    return np.where(above(tree.weight, 0)[:, None], tree.value, 0.0)


def with_class_weights(tree, counts):
    """Return the tree with these class weights; a leaf without cases answers like its parent."""
    weight = counts.sum(axis=1)
    empty = ~above(weight, 0) & (tree.parent >= 0)
    value = np.where(empty[:, None], counts[tree.parent], counts)
    impurity = divided(disorder(counts.T), weight)
    return replace(tree, value=value, weight=np.where(empty, 0.0, weight), impurity=impurity)


def collapse(tree):
    """Return the tree with every subtree cut that makes no fewer training errors than a leaf."""
    counts, parent = class_weights(tree), tree.parent
    as_leaf = counts.sum(axis=1) - counts.max(axis=1)
    as_tree = np.where(tree.is_leaf, as_leaf, 0.0)
    for node in range(tree.n_nodes - 1, 0, -1):
        as_tree[parent[node]] += as_tree[node]
    return tree.cut(np.flatnonzero(~tree.is_leaf & (as_tree >= as_leaf - 1e-3)))


class Pruning:
    """Pessimistic pruning of a tree that was grown on ``values`` (d, N) and ``y`` (N,)."""

    def __init__(self, tree, values, y, *, confidence, convention, raising):
        changed = "feature", "threshold", "children", "branches", "count", "value"
        copies = {name: getattr(tree, name).copy() for name in changed}
        score = tree.extra["score"].copy()
        self.tree = replace(tree, **copies, extra=tree.extra | {"score": score})
        self.values, self.y, self.raising = values, y, raising
        self.counts = self.tree.value  # (M, K), the node's class weights
        self.estimate = lambda counts: expected_errors(counts, confidence, convention)
        self.errors = np.zeros(tree.n_nodes)  # expected of each node as a leaf,
        self.errors_of_tree = np.zeros(tree.n_nodes)  # and with all that hangs below it

    def pruned(self, weight):
        """Return the pruned tree; ``weight`` (N,) is that of the training rows."""
        self.prune(0, np.arange(len(weight)), weight)
        keep = np.zeros(self.tree.n_nodes, dtype=bool)
        nodes = np.zeros(1, dtype=int)
        while len(nodes):
            keep[nodes] = True
            nodes = self.tree.children[nodes]
            nodes = nodes[nodes >= 0]
        tree = self.tree._kept(keep, self.tree.is_leaf)
        return with_class_weights(tree, tree.value)

    def prune(self, top, row, weight):
        """Send the cases of a node down its subtree, then prune that from the leaves up."""
        held, nodes, waiting = {top: (row, weight)}, [], [top]
        while waiting:
            node = waiting.pop()
            row, weight = held[node]
            self.counts[node] = np.bincount(self.y[row], weight, minlength=self.counts.shape[1])
            self.tree.count[node] = len(row)
            nodes.append(node)
            if self.tree.feature[node] >= 0:
                held |= self.children(node, row, weight)
                waiting += self.below(node)
        self.errors[nodes] = self.estimate(self.counts[nodes])
        for node in reversed(nodes):
            self.prune_node(node, *held.pop(node))

    def prune_node(self, node, row, weight):
        """Keep a node whose children are pruned, make it a leaf, or raise its largest child."""
        as_leaf = self.errors[node]
        if self.tree.feature[node] < 0:
            self.errors_of_tree[node] = as_leaf
            return
        as_tree = self.errors_of_tree[self.below(node)].sum()
        largest = self.largest_child(node)
        raised = self.errors_with(largest, row, weight) if self.raising else np.inf
        if not above(as_leaf, min(as_tree, raised) + 0.1):
            self.take_over(node, None)
            self.errors_of_tree[node] = as_leaf
        elif not above(raised, as_tree + 0.1):
            self.take_over(node, largest)
            self.prune(node, row, weight)  # again, now with all the cases
        else:
            self.errors_of_tree[node] = as_tree

    def below(self, node):
        """Return the children of a node as a list."""
        return [child for child in self.tree.children[node].tolist() if child >= 0]

    def children(self, node, row, weight):
        """Deal the cases of one node; returns {child: (row, weight)}."""
        child, row, weight = deal(self.tree, self.values, np.full(len(row), node), row, weight)
        return {c: (row[child == c], weight[child == c]) for c in self.below(node)}

    def largest_child(self, node):
        """Return the child with most weight; of equals the last."""
        largest, *others = self.below(node)
        for child in others:
            if not above(self.counts[largest].sum(), self.counts[child].sum()):
                largest = child
        return largest

    def errors_with(self, node, row, weight):
        """Return the errors expected of the subtree at ``node`` if it gets these cases."""
        start = np.full(len(row), node)
        leaf, row, weight = descend(self.tree, self.values, start, row, weight)
        leaves, at = np.unique(leaf, return_inverse=True)
        K = self.counts.shape[1]
        counts = np.bincount(at * K + self.y[row], weight, minlength=len(leaves) * K)
        return self.estimate(counts.reshape(-1, K)).sum()

    def take_over(self, node, child):
        """Give a node the test and the children of ``child``; None makes it a leaf."""
        tree, bare = self.tree, child is None
        tree.feature[node] = -1 if bare else tree.feature[child]
        tree.threshold[node] = np.nan if bare else tree.threshold[child]
        tree.children[node] = -1 if bare else tree.children[child]
        tree.branches[node] = -1 if bare else tree.branches[child]
        tree.extra["score"][node] = 0.0 if bare else tree.extra["score"][child]
