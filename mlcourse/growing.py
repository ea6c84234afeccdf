"""How does a tree grow? Divide and conquer, but a whole level of nodes at a time.

Lecture 02. The recursion of the lecture asks of every node: is it a leaf, and if not, which
question splits it best? Here all nodes of one depth are asked together (mlcourse.splitting), and
their cases are dealt to the children together. Dealing a sorted list keeps both hands sorted, so
no column is ever sorted again.
"""

import heapq

import numpy as np
import pandas as pd

from mlcourse.splitting import Level, Splitter, blocks
from mlcourse.tree import Tree

__all__ = []


class Grower:
    """Grows one tree. Classification: ``y`` holds codes 0 … K-1; regression: ``n_classes=0``.

    ``multiway=True`` gives a category one branch per value (ID3); otherwise it is parted in two
    subsets (CART). ``max_features`` columns are drawn for each node with ``random``, a Generator;
    if none of them can split it, more are drawn until one can.
    ``record=True`` keeps every candidate split in ``candidates``, a DataFrame.
    """

    record = False

    def __init__(
        self,
        columns,
        y,
        n_classes,
        *,
        weight=None,
        criterion="gini",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_leaf_nodes=None,
        max_features=None,
        multiway=False,
        random=None,
        record=False,
    ):
        self.columns = columns
        self.splitter = Splitter(
            columns, y, n_classes, weight, criterion, min_samples_leaf, multiway
        )
        self.widest = self.splitter.widest  # most values of a category
        self.max_depth = np.inf if max_depth is None else max_depth
        self.min_samples_split, self.max_leaf_nodes = min_samples_split, max_leaf_nodes
        self.max_features, self.random = max_features, random
        self.record, self.candidates = record, []

    def grow(self):
        """Grow the tree and return it."""
        order = self.splitter.order
        level = Level(order, np.array([order.shape[1]]), np.array([0]))
        self.levels, self.n_nodes, depth = [], 1, 0
        while len(level.size):
            stats = self.splitter.statistics(level)
            splits = self.best_splits(level, stats)
            # The three reasons to stop of lecture 000:
            pure = stats.pure  # 1. all cases are of one class
            alike = np.isneginf(splits.score)  # 2. no attribute is left that tells them apart
            #                                    3. no cases: see divide()
            # and the limits a user may set:
            limit = (level.size < self.min_samples_split) | (depth >= self.max_depth)
            level = self.divide(level, stats, splits, pure | alike | limit)
            depth += 1
        tree = self.finished_tree()
        return tree if self.max_leaf_nodes is None else self.best_first(tree)

    def best_splits(self, level, stats):
        """Return the best split of every node of the level."""
        best, scores, branches = self.splitter.scores(level, stats)
        if self.record:
            self._record(level, best, scores)
        if self.max_features is not None:
            place = np.argsort(np.argsort(self.random.random(best.shape), axis=0), axis=0)
            first = np.where(np.isneginf(best), len(best), place).min(axis=0)  # that can split
            best[place > np.maximum(first, self.max_features - 1)] = -np.inf
        return self.splitter.choose(level, stats, best, scores, branches)

    def divide(self, level, stats, splits, leaf):
        """Write down the nodes of this level, deal their cases, return the level below."""
        children = self.number_children(level, stats, splits, leaf)
        width = len(children)
        taken = np.where(leaf[level.at], -1, splits.taken)
        size = np.array([np.add.reduceat(taken == b, level.start, dtype=int) for b in range(width)])
        branch = np.full(len(self.splitter.y), -1, dtype=np.int8)
        branch[level.cases] = taken
        # Two pieces of memory take turns: this level is read while the next one is written.
        name, shape = f"order {len(self.levels) % 2}", (len(level.order), int(size.sum()))
        order, dealt = self.splitter.reused(name, shape, level.order.dtype), size.sum(axis=1)
        for block in blocks(*level.order.shape):
            old, new = level.order[block], order[block]
            hand, first = branch.take(old), 0
            for b, cases in enumerate(dealt):
                mine = np.compress((hand == b).ravel(), old.ravel())
                new[:, first : first + cases] = mine.reshape(len(new), cases)
                first += cases
        # The third reason to stop: a branch without cases is a leaf that answers like its parent.
        return Level(order, size[size > 0], children[size > 0])

    def number_children(self, level, stats, splits, leaf):
        """Write down the nodes of this level; return the numbers of their children (width, k)."""
        k = len(level.size)
        n_branches = np.where(np.isnan(splits.threshold), splits.branches.max(1, initial=-1) + 1, 2)
        n_branches[leaf] = 0
        width = max(2, int(n_branches.max()))
        # Children are numbered branch by branch: all first branches, then all second ones …
        exists = np.arange(width)[:, None] < n_branches  # (width, k)
        children = np.full((width, k), -1)
        children[exists] = self.n_nodes + np.arange(exists.sum())
        self.n_nodes += int(exists.sum())
        self.levels.append((level.number, level.size, stats, splits, leaf, children.T))
        return children

    def finished_tree(self):
        """Gather the levels into one Tree, its nodes renumbered in preorder."""
        n, width = self.n_nodes, max(children.shape[1] for *_, children in self.levels)
        value = np.zeros((n, self.levels[0][2].value.shape[1]))
        score, impurity, weight = np.zeros(n), np.zeros(n), np.zeros(n)
        feature, threshold, count = np.full(n, -1), np.full(n, np.nan), np.zeros(n, dtype=int)
        children, branches = np.full((n, width), -1), np.full((n, self.widest), -1)
        for number, size, stats, splits, leaf, below in self.levels:
            inner = number[~leaf]
            score[inner], feature[inner] = splits.score[~leaf], splits.feature[~leaf]
            threshold[inner], branches[inner] = splits.threshold[~leaf], splits.branches[~leaf]
            children[number, : below.shape[1]] = below
            value[number], weight[number], count[number] = stats.value, stats.weight, size
            impurity[number] = stats.impurity / stats.weight
            empty = np.where((below >= 0) & ~leaf[:, None], below, -1)
            value[empty[empty >= 0]] = np.repeat(stats.value, (empty >= 0).sum(1), axis=0)
        place = self._preorder()
        order = np.argsort(place)
        if self.record:
            found = pd.concat(self.candidates)
            found["node"] = place[found["node"]]
            self.candidates = found.sort_values("node", kind="stable", ignore_index=True)
        children = np.where(children >= 0, place[children], -1)
        return Tree(
            feature[order], threshold[order], children[order], branches[order], value[order],
            impurity[order], weight[order], count[order], self.columns.names,
            self.columns.categories, extra={"score": score[order]},
        )  # fmt: skip

    def _preorder(self):
        """Return the place of every node when each is followed by all that hangs below it."""
        size = np.ones(self.n_nodes, dtype=int)  # nodes of each subtree
        for number, *_, children in reversed(self.levels):
            size[number] += np.where(children >= 0, size[children], 0).sum(axis=1)
        place, roots = np.zeros(self.n_nodes, dtype=int), self.levels[0][0]
        place[roots] = np.cumsum(size[roots]) - size[roots]  # of one tree: 0
        for number, *_, children in self.levels:
            sizes = np.where(children >= 0, size[children], 0)
            after = place[number][:, None] + 1 + np.cumsum(sizes, axis=1) - sizes
            place[children[children >= 0]] = after[children >= 0]
        return place

    def best_first(self, tree):
        """Keep only as many splits as max_leaf_nodes allows, the most useful ones first.

        A split does not depend on other branches. So the tree grown best-first is the part of the
        full tree that one reaches by always taking the open split with the best score.
        """
        score, leaves, kept = tree.extra["score"], 1, set()
        open_splits = [(-score[0], 0)] if tree.feature[0] >= 0 else []
        while open_splits:
            _, node = heapq.heappop(open_splits)
            below = tree.children[node][tree.children[node] >= 0]
            if leaves + len(below) - 1 > self.max_leaf_nodes:
                continue
            leaves += len(below) - 1
            kept.add(node)
            for child in below[tree.feature[below] >= 0]:
                heapq.heappush(open_splits, (-score[child], int(child)))
        return tree.cut([n for n in range(tree.n_nodes) if n not in kept])

    def _record(self, level, best, scores):
        """Keep every candidate split of the level, for the tables and figures of the lessons."""
        found, names = [], self.columns.names
        for row, j in enumerate(self.splitter.numeric):
            cut = np.flatnonzero(~np.isneginf(scores[row]))
            ordered = self.columns.values[j][level.order[row]]
            low, high = ordered[cut], ordered[cut + 1]  # no cut follows the last case
            found.append((level.at[cut], names[j], low + (high - low) / 2, scores[row][cut]))
        for j in self.splitter.categorical:
            node = np.flatnonzero(~np.isneginf(best[j]))
            found.append((node, names[j], np.full(len(node), np.nan), best[j][node]))
        for node, name, threshold, score in found:
            frame = {"node": level.number[node], "feature": name, "threshold": threshold}
            self.candidates.append(pd.DataFrame(frame | {"score": score}))
