"""How do a hundred trees grow as fast as one? All trees of a batch at once, level by level.

Lecture 06. A tree of a forest is grown on its own bootstrap sample, and each of its nodes draws
its own few columns. A case is a row that is in the tree's sample; being drawn twice gives it the
weight 2. The nodes of one depth of all trees of a batch are split together (mlcourse.cuts) and
their cases dealt to the children together.
"""

from itertools import pairwise

import numpy as np

from mlcourse.columns import ranks
from mlcourse.cuts import BITS, CASES, Cases, Cuts
from mlcourse.growing import Grower
from mlcourse.splitting import Splits, statistics
from mlcourse.tree import Tree

__all__ = []


class Grove(Grower):
    """Grows trees in batches. Classification: ``y`` holds codes 0 … K-1; else ``n_classes=0``.

    ``max_features`` columns are drawn for every node or, with ``per_tree=True``, once for every
    tree. If none of the columns a node drew can split it, it goes on drawing until one can.
    """

    def __init__(
        self,
        columns,
        y,
        n_classes,
        *,
        weight=None,
        criterion="gini",
        max_features=1,
        per_tree=False,
        max_samples=None,
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_leaf_nodes=None,
    ):
        self.columns, self.y, self.n_classes, self.criterion = columns, y, n_classes, criterion
        self.max_features, self.per_tree, self.max_samples = max_features, per_tree, max_samples
        self.max_depth = np.inf if max_depth is None else max_depth
        self.min_samples_split, self.fewest = min_samples_split, min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.rank = np.array([ranks(values)[1] for values in columns.values])  # (d, N)
        self.whole, self.unit = None, 1.0
        if weight is not None:  # in units that leave room for sums and for rows drawn again
            self.unit = 2.0 ** np.ceil(np.log2(weight.sum()) - BITS + 8)
            self.whole = np.maximum(np.rint(weight / self.unit), 1).astype(np.int64)
        self.widest = max((len(c) for c in columns.categories if c is not None), default=0)

    def batch(self):
        """Return how many trees to grow at a time: small ones together, large ones alone."""
        return max(1, int(1.5 * CASES) // len(self.y))

    def sample(self, random):
        """Draw the sample of one tree: how often each row is in it, shape (N,)."""
        n = len(self.y)
        if self.max_samples is None:  # no bootstrap
            return np.ones(n, dtype=np.int64)
        return np.bincount(random.integers(n, size=self.max_samples), minlength=n)

    def grow(self, seeds):
        """Grow a tree from each seed and return them; a tree depends on nothing but its seed."""
        randoms = [np.random.default_rng(seed) for seed in seeds]
        drawn = np.stack([self.sample(random) for random in randoms])  # (trees, N)
        tree, row = np.nonzero(drawn)
        weight = drawn[tree, row] * (1 if self.whole is None else self.whole[row])
        trees = np.arange(len(seeds))
        level = Cases(row, weight, (drawn > 0).sum(axis=1), trees, trees)
        self.subsets = None
        if self.per_tree:
            self.subsets = np.stack([self.draw(random, 1)[0] for random in randoms])
        self.levels, self.n_nodes, depth = [], len(seeds), 0
        while len(level.size):
            weight = None if level.weight.max() == 1 else level.weight.astype(float) * self.unit
            stats = statistics(level, self.y[level.row], weight, self.n_classes, self.criterion)
            level.centered = stats.centered
            small = (level.size < self.min_samples_split) | (depth >= self.max_depth)
            asked = ~(stats.pure | small)
            level = self.divide(level, stats, asked, self.draws(randoms, level.tree[asked]))
            depth += 1
        grown = self.finished_trees(len(seeds))
        return grown if self.max_leaf_nodes is None else [self.best_first(tree) for tree in grown]

    def draw(self, random, nodes):
        """Return all columns in random order for some nodes, (nodes, d)."""
        return np.argsort(random.random((nodes, len(self.rank))), axis=1)

    def draws(self, randoms, tree):
        """Return the columns in the order in which each node tries them; ``tree`` (k,)."""
        if self.subsets is not None:
            return self.subsets[tree][:, : self.max_features]
        if self.max_features == len(self.rank):
            return np.broadcast_to(np.arange(self.max_features), (len(tree), self.max_features))
        nodes = np.bincount(tree, minlength=len(randoms))
        drawn = [self.draw(randoms[t], nodes[t]) for t in np.flatnonzero(nodes)]
        order = np.empty((len(tree), len(self.rank)), dtype=int)
        if drawn:
            order[np.argsort(tree, kind="stable")] = np.concatenate(drawn)
        return order

    def divide(self, level, stats, asked, drawn):
        """Split the nodes that are asked for, write down the level, return the one below."""
        k, inner = len(level.size), np.flatnonzero(asked)
        splits = Splits(
            np.full(k, -np.inf), np.zeros(k, dtype=int), np.full(k, np.nan),
            np.full((k, self.widest), -1), None,
        )  # fmt: skip
        last = np.zeros(k, dtype=np.int32)  # greatest rank that goes left
        part, mean = level.only(asked), stats.value
        if self.n_classes:
            mean = stats.value / stats.weight[:, None]  # of each class's indicator
        node_bits = 63 - (len(self.y) - 1).bit_length() - (len(level.row) - 1).bit_length()
        for nodes in part.chunks(1 << min(node_bits, 40)):
            cases, mine = part.part(nodes), inner[nodes]
            cuts = Cuts(self, cases, mean[mine], stats.impurity[mine])
            cuts.search(drawn[nodes], self.max_features)
            splits.score[mine], splits.feature[mine] = cuts.score, cuts.feature
            splits.threshold[mine], last[mine] = cuts.threshold, cuts.last
            splits.branches[mine] = cuts.branches
        leaf = np.isneginf(splits.score)
        children = self.number_children(level, stats, splits, leaf)  # (2, k)
        part = level.only(~leaf)
        right = self.goes_right(part, splits, last, np.flatnonzero(~leaf))
        row = [np.compress(side, part.row) for side in (~right, right)]
        weight = [np.compress(side, part.weight) for side in (~right, right)]
        n_right = part.sums(right).astype(int)
        return Cases(
            np.concatenate(row), np.concatenate(weight),
            np.concatenate([part.size - n_right, n_right]),
            children[:, ~leaf].ravel(), np.concatenate([part.tree, part.tree]),
        )  # fmt: skip

    def goes_right(self, part, splits, last, nodes):
        """Say of each case whether its node's split sends it to the second child, (m,)."""
        n, feature = len(self.y), splits.feature[nodes]
        place = np.repeat(feature * n, part.size) + part.row
        right = self.rank.ravel().take(place) > np.repeat(last[nodes], part.size)
        categorical = np.isnan(splits.threshold[nodes])
        if categorical.any():
            mine = np.repeat(categorical, part.size)
            code = self.columns.values.ravel()[place[mine]].astype(int)
            right[mine] = splits.branches[nodes[part.at[mine]], code] == 1
        return right

    def finished_trees(self, n_trees):
        """Return the trees of the batch: its nodes in preorder lie tree after tree."""
        whole, place = self.finished_tree(), self._preorder()
        roots = [*place[:n_trees], whole.n_nodes]
        return [self.slice_of(whole, a, b) for a, b in pairwise(roots)]

    def slice_of(self, whole, a, b):
        """Return the nodes a … b-1 as a tree of their own."""
        children = np.where(whole.children[a:b] >= 0, whole.children[a:b] - a, -1)
        return Tree(
            whole.feature[a:b], whole.threshold[a:b], children, whole.branches[a:b],
            whole.value[a:b], whole.impurity[a:b], whole.weight[a:b], whole.count[a:b],
            whole.names, whole.categories, extra={"score": whole.extra["score"][a:b]},
        )  # fmt: skip
