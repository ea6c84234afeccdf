"""How many bits does it take to tell somebody the classes? The tree, and its exceptions.

Lecture 03 (Quinlan and Rivest 1989). Two people have the same table; one knows the classes too and
tells them: first a tree, then the cases in which it is wrong. The better the tree, the shorter the
message; a branch that only fits noise costs more bits than the exceptions that it saves.

    tree        a bit per node: is it a leaf?
                of an inner node the attribute, log2(attributes that still can split), and which
                    cut, log2(cuts), or which subsets, log2(2^(L-1) − 1), if there is a choice
                of a leaf its class, log2 K
    exceptions  of a leaf with n cases, k of another class and never more than b:
                    L(n, k, b) = log2(b + 1) + log2 C(n, k),   b = ⌊(n + 1)·(K − 1)/K⌋,
                how many there are and which; and if K > 2, log2(K − 1) for the class of each

b is Quinlan and Rivest's (n + 1)/2 for two classes; for more, and for the class of the exceptions,
theirs is a longer story and this is our short one. Weights count as cases: n and k need not be
whole (C(n, k) is then taken with the Γ function), so the lengths change if all weights are scaled.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from mlcourse.columns import columns_of
from mlcourse.learner import checked_tree

__all__ = ["description_length"]


class DescriptionLength(NamedTuple):
    """Bits of the message."""

    tree: float
    exceptions: float

    @property
    def total(self):
        """Bits of both parts."""
        return self.tree + self.exceptions


def description_length(model, X=None):
    """Return the bits for the tree of a fitted classifier, and for the exceptions to it.

    Parameters
    ----------
    model : fitted ID3Classifier, C45Classifier or CARTClassifier
    X : the training table, to count the cuts of a numeric attribute: one less than the different
        values at the node. Without it every case is taken to have its own value: cases − 1 cuts.

    Examples
    --------
    >>> from mlcourse import ID3Classifier, load_play_tennis
    >>> length = description_length(ID3Classifier().fit(*load_play_tennis()))
    >>> print(f"{length.tree:.6f} + {length.exceptions:.3f} = {length.total:.3f} bits")
    18.169925 + 6.755 = 24.925 bits
    """
    tree = checked_tree("description_length", model, classifier=True)
    inner, leaf, exceptions = node_bits(model, X)
    return DescriptionLength(
        float(np.where(tree.is_leaf, leaf, inner).sum()), float(exceptions[tree.is_leaf].sum())
    )


def node_bits(model, X=None):
    """Return the bits of every node: its test, its class as a leaf, its exceptions as a leaf."""
    tree = model.tree_
    K, exists = tree.value.shape[1], tree.weight > 0  # an empty leaf has no cases
    n = np.where(exists, tree.value.sum(axis=1), 0.0)
    k = np.where(exists, n - tree.value.max(axis=1), 0.0)
    most = np.floor((n + 1) * (K - 1) / K)
    choose = (gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)) / np.log(2)
    exceptions = np.log2(most + 1) + choose + k * np.log2(max(K - 1, 1))
    inner = 1 + np.log2(_usable(tree)) + np.log2(_ways(model, X))
    return inner, np.full(tree.n_nodes, 1 + np.log2(K)), exceptions


def _usable(tree):
    """Return how many attributes can split each node, shape (M,): at least 1.

    A number always can; a category as long as two of its values can get to the node.
    """
    widths = [0 if index is None else len(index) for index in tree.categories]
    numbers = sum(index is None for index in tree.categories)
    open_values = {0: np.arange(max(widths, default=0)) < np.array(widths)[:, None]}  # (d, L)
    usable = np.ones(tree.n_nodes)
    for node in np.flatnonzero(~tree.is_leaf):
        values, feature = open_values.pop(node), tree.feature[node]
        usable[node] = max(1, numbers + (values.sum(axis=1) >= 2).sum())
        for branch, child in enumerate(tree.children[node]):
            if child >= 0 and tree.feature[child] >= 0:
                left = values.copy()
                if np.isnan(tree.threshold[node]):
                    left[feature] &= tree.branches[node, : left.shape[1]] == branch
                open_values[int(child)] = left
    return usable


def _ways(model, X):
    """Return in how many ways the attribute of each node could split it, shape (M,)."""
    tree, ways = model.tree_, np.ones(model.tree_.n_nodes)
    if X is not None:
        columns = columns_of(model, X, missing=model._takes_missing())
        ends, after = model._ends(columns), tree.after
    for node in np.flatnonzero(~tree.is_leaf):
        feature = tree.feature[node]
        if not np.isnan(tree.threshold[node]):
            values = tree.count[node]
            if X is not None:
                here = columns.values[feature, (ends >= node) & (ends < after[node])]
                values = len(np.unique(here[~np.isnan(here)]))
            ways[node] = max(1, values - 1)
        else:
            branch = tree.branches[node][tree.branches[node] >= 0]
            if np.bincount(branch).max() > 1:  # subsets; not one branch per value
                ways[node] = 2.0 ** (len(branch) - 1) - 1
    return ways
