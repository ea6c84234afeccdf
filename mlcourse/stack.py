"""How do rows go through many trees fast? As if the trees were one.

Lectures 06 and 08. The arrays of the trees are put one after the other, and a leaf leads back to
itself. Then one step down, for all rows in all trees, is four look-ups and a comparison.
"""

import numpy as np

__all__ = []

BLOCK = 1 << 16  # rows times trees on their way at once: they fit into the cache
PATIENCE = 4  # levels between two looks at who has arrived


class Stack:
    """Trees of two branches per node, one after the other."""

    def __init__(self, trees):
        self.trees = trees
        size = np.array([tree.n_nodes for tree in trees])
        self.root = np.cumsum(size) - size
        feature = np.concatenate([tree.feature for tree in trees])
        self.inner = feature >= 0
        self.feature = np.where(self.inner, feature, 0)
        threshold = np.concatenate([tree.threshold for tree in trees])
        self.threshold = np.where(self.inner, threshold, np.inf)
        children = np.concatenate([tree.children for tree in trees])
        children += np.repeat(self.root, size)[:, None]
        self.children = np.where(self.inner[:, None], children, np.arange(len(feature))[:, None])
        self.children = self.children.ravel()
        self.value = np.concatenate([tree.value for tree in trees])  # (nodes, K)

    def ends(self, values, rows=None):
        """Return the node in which each row ends, in each tree: (T, n).

        ``values`` is the (d, N) array of Columns; ``rows`` (n,) are some of its rows, None: all.
        """
        if any(tree.branches.shape[1] for tree in self.trees):  # categories
            values = values if rows is None else values[:, rows]
            return np.stack([tree.apply(values) for tree in self.trees]) + self.root[:, None]
        flat, width = values.ravel(), values.shape[1]
        n = width if rows is None else len(rows)
        node = np.repeat(self.root, n)
        where = np.flatnonzero(self.inner.take(node))  # those on their way: tree · n + row
        while len(where):
            at, row = node.take(where), where % n
            row = row if rows is None else rows.take(row)
            for _ in range(PATIENCE):
                x = flat.take(self.feature.take(at) * width + row)
                at = self.children.take(2 * at + (x > self.threshold.take(at)))
            node[where] = at
            where = np.compress(self.inner.take(at), where)
        return node.reshape(-1, n)

    def answers(self, values):
        """Return the number with which each tree answers for each row, shape (T, n)."""
        return self.value[:, 0].take(self.ends(values))
