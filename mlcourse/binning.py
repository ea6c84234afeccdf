"""How do trees grow on a hundred thousand rows, a hundred times? Bin the columns once and count.

Lecture 08. Every number is replaced by the number of its bin, at most 256 per column: bins of
about equally many rows, or one per value where the values are few. A cut lies between two bins.
Then no order matters any more: a table of (column, node, bin) with the count of the rows and the
sum of their residuals holds all that is needed to score every cut of every node of a level.

Two savings. Sums are kept in whole numbers, so they are exact in any order; and so the table of a
node minus that of its one child is exactly that of the other child. Only the smaller child is
ever counted.
"""

from dataclasses import dataclass, replace

import numpy as np

from mlcourse.growing import Grower
from mlcourse.splitting import TIE, Splits, Statistics, blocks
from mlcourse.tree import Tree

__all__ = []

MOST_BINS = 256  # the bin number fits into one byte
BITS = 52  # floating point adds whole numbers up to 2^52 without rounding
ENOUGH = 2**12  # units that most residuals should measure


def bin_column(values, max_bins):
    """Return the bin of each value (n,), and the edges: value ≤ edges[b] means bin ≤ b.

    >>> bin_column(np.array([3.0, 1.0, 1.0, 2.0]), 256)
    (array([2, 0, 0, 1], dtype=uint8), array([1.5, 2.5]))
    """
    order = np.argsort(values)
    ordered = values[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))  # of each value
    if len(first) > max_bins:  # keep the values that open a new one of max_bins equal shares
        share = first * max_bins // len(values)
        first = first[np.concatenate([[True], share[1:] != share[:-1]])]
    code = np.empty(len(values), dtype=np.uint8)
    code[order] = np.repeat(np.arange(len(first)), np.diff(first, append=len(values)))
    low, high = ordered[first[1:] - 1], ordered[first[1:]]
    middle = low + (high - low) / 2
    return code, np.where(middle < high, middle, low)


@dataclass
class Rows:
    """The nodes of one depth and their rows, grouped by node."""

    rows: np.ndarray  # (m,)
    size: np.ndarray  # (k,) rows of each node
    number: np.ndarray  # (k,) the nodes' numbers in the tree
    table: np.ndarray | None = None  # (k, channels, d, bins); None where no split is asked for

    def spread(self, values):
        """Give each row what ``values`` (k,) holds for its node, shape (m,)."""
        return np.repeat(values, self.size)


class BinnedSplitter:
    """Scores all cuts between the bins; ``start`` says which residuals to fit.

    ``criterion="variance"``: the tree's means should be close to the residuals.
    ``"misclassification"``: it answers ±1 and should agree with the residuals' signs.
    """

    def __init__(self, columns, weight, *, max_bins, min_samples_leaf, criterion):
        binned = [bin_column(values, max_bins) for values in columns.values]
        self.codes = np.stack([code for code, _ in binned])  # (d, n) bytes
        self.cells = self.codes.astype(np.intp)  # what bincount wants: every tree begins with them
        self.edges = [edges for _, edges in binned]
        self.n_bins = max(len(edges) for edges in self.edges) + 1
        self.weight, self.fewest, self.criterion = weight, min_samples_leaf, criterion
        self.weight_unit = 1.0
        if weight is not None:
            self.whole_weight, self.weight_unit = whole_numbers(weight, BITS)

    def start(self, residual):
        """Take new residuals (n,) to fit: set what is added up in the channels of a table.

        The channels are residuals, ones (None) and weights, if any. Without weights one number can
        carry the first two, residual + 2^room: a sum of them tells how many there were. That is
        half the work, and is done if it leaves enough of the residuals' digits.
        """
        self.residual, self.room = residual, None
        if self.weight is not None:
            whole, self.unit = whole_numbers(residual * self.weight, BITS)
            self.channels = [whole, None, self.whole_weight]
            return
        room = BITS - len(residual).bit_length()
        whole, self.unit = whole_numbers(residual, room - 1)
        if np.count_nonzero(np.abs(whole) >= ENOUGH) > len(whole) / 2:
            self.channels, self.room = [whole + 2.0**room], room
        else:
            whole, self.unit = whole_numbers(residual, BITS)
            self.channels = [whole, None]

    def unpacked(self, sums):
        """Return the sums of residuals, the counts and the weights behind sums of channels (C, …).

        A packed sum is R + count·2^room with |R| ≤ 2^(room − 1).
        """
        if self.room is None:
            return sums[0], sums[1], sums[-1]
        count = (sums[0] + (1 << self.room - 1)) >> self.room
        return sums[0] - (count << self.room), count, count

    def root_table(self):
        """Add up the channels of all rows by column and bin, shape (1, channels, d, bins)."""
        sums = [
            [np.bincount(c, values, self.n_bins) for c in self.cells] for values in self.channels
        ]
        return np.array([sums], dtype=np.int64)

    def table(self, rows, size):
        """Add up the channels by node, column and bin, shape (k, channels, d, bins).

        ``rows`` are grouped by node, ``size`` (k,) of them each.
        """
        (d, _), k, bins = self.codes.shape, len(size), self.n_bins
        channels = [v if v is None else v.take(rows) for v in self.channels]
        node = np.repeat(np.arange(k) * bins, size)
        table = np.empty((k, len(channels), d, bins), dtype=np.int64)
        for block in blocks(d, len(rows)):
            code = self.codes[block].take(rows, axis=1)
            width, cell = len(code), code.astype(np.intp)
            if width * k > 1:
                cell += node + np.arange(width)[:, None] * (k * bins)
            for channel, values in enumerate(channels):
                if values is not None and width > 1:
                    values = np.tile(values, width)
                total = np.bincount(cell.ravel(), values, width * k * bins)
                table[:, channel, block] = total.reshape(width, k, bins).swapaxes(0, 1)
        return table

    def statistics(self, level):
        """Return what each node of the level holds: mean residual, weight, impurity."""
        start, total = np.cumsum(level.size) - level.size, level.size.astype(float)
        weight = None if self.weight is None else self.weight.take(level.rows)
        if weight is not None:
            total = np.add.reduceat(weight, start)

        def mean(values):
            return np.add.reduceat(values if weight is None else weight * values, start) / total

        residual = self.residual.take(level.rows)
        value = mean(residual)
        residual -= level.spread(value)
        variance = mean(np.square(residual, out=residual))
        pure = variance <= (1e-15 * value) ** 2
        return Statistics(value[:, None], total, variance * total, pure)

    def best_splits(self, level, stats):
        """Return the best split of every node, and the last bin that goes left (k,)."""
        k = len(level.size)
        none = np.full(k, -np.inf), np.zeros(k, dtype=int), np.full(k, np.nan)
        splits, last = Splits(*none, np.empty((k, 0), dtype=int), None), np.zeros(k, dtype=int)
        if level.table is None:
            return splits, last
        score = self.scores(level.table)  # (k, d, bins)
        best = score.max(axis=-1)
        splits.score, tie = best.max(axis=1), TIE * stats.impurity
        if self.criterion == "misclassification":  # a sum of residuals, not of squares
            tie = TIE * np.sqrt(stats.impurity * stats.weight)
        splits.feature = np.argmax(best >= (splits.score - tie)[:, None], axis=1)
        for node in np.flatnonzero(splits.score > -np.inf):
            j = splits.feature[node]
            last[node] = np.argmax(score[node, j] >= best[node, j] - tie[node])
            splits.threshold[node] = self.edges[j][last[node]]
        return splits, last

    def scores(self, table):
        """Score the cut after each bin, shape (k, d, bins); -inf if a side has too few rows.

        As for exact trees the score is the impurity removed, L²(1/n_left + 1/n_right), where L
        sums the residuals minus their mean over the left bins. Where the tree answers ±1, each
        side gains |its sum| by the right sign.
        """
        left = self.unpacked(np.cumsum(table, axis=-1).swapaxes(0, 1))  # each (k, d, bins)
        (residual, count, weight), total = left, [each[:, :1, -1:] for each in left]
        if self.criterion == "variance":
            weight = weight.astype(float)
            score = residual.astype(float)
            score -= weight * (total[0] / np.maximum(total[2], 1))
            score *= score
            weight *= total[2] - weight
            score /= np.maximum(weight, 1.0, out=weight)
            score *= total[2] * (self.unit**2 / self.weight_unit)
        else:
            score = np.abs(residual) + np.abs(total[0] - residual) - np.abs(total[0])
            score = score * self.unit
        few = (count < self.fewest) | (count > total[1] - self.fewest)
        np.copyto(score, -np.inf, where=few)
        return score


class BinnedGrower(Grower):
    """Grows tree after tree on the same columns, each on new residuals."""

    def __init__(self, splitter, columns, *, max_depth, min_samples_split, max_leaf_nodes):
        self.splitter, self.columns, self.max_depth = splitter, columns, max_depth
        self.min_samples_split, self.max_leaf_nodes = min_samples_split, max_leaf_nodes

    def grow(self, residual, rows=None):
        """Grow a tree on some rows (None: all); return it and the node in which each row ends.

        The nodes are None if not all rows took part, or if the tree was cut back to
        max_leaf_nodes: then drop the rows down the tree.
        """
        n = len(residual)
        self.splitter.start(residual)
        self.levels, self.n_nodes, self.ends = [], 1, np.empty(n, dtype=np.intp)
        size = np.array([n if rows is None else len(rows)])
        table = self.splitter.root_table() if rows is None else self.splitter.table(rows, size)
        level = Rows(np.arange(n) if rows is None else rows, size, np.array([0]), table)
        while len(level.size):
            stats = self.splitter.statistics(level)
            splits, last = self.splitter.best_splits(level, stats)
            leaf = stats.pure | (splits.score == -np.inf) | (level.size < self.min_samples_split)
            level = self.divide(level, stats, splits, leaf, last)
        tree, place = self.finished_tree()
        if self.max_leaf_nodes is not None:
            return self.best_first(tree), None
        return tree, place[self.ends] if rows is None else None

    def divide(self, level, stats, splits, leaf, last):
        """Write down the nodes of this level, deal their rows, return the level below."""
        rows, inner = level.rows, np.flatnonzero(~leaf)
        # All first children, then all second ones, in numbers as in rows.
        number = self.n_nodes + np.arange(2 * len(inner))
        children = np.full((len(leaf), 2), -1)
        children[inner] = number.reshape(2, -1).T
        self.n_nodes += len(number)
        self.levels.append((level.size, stats, splits, leaf, children))
        if not len(inner):
            self.ends[rows] = level.spread(level.number)
            return Rows(rows[:0], inner, number)
        if len(inner) < len(leaf):
            stays = level.spread(leaf)
            self.ends[np.compress(stays, rows)] = np.compress(stays, level.spread(level.number))
            rows = np.compress(~stays, rows)
        size, codes = level.size[inner], self.splitter.codes
        place = np.repeat(splits.feature[inner] * codes.shape[1], size) + rows
        right = codes.ravel().take(place) > np.repeat(last[inner].astype(np.uint8), size)
        n_right = np.add.reduceat(right, np.cumsum(size) - size, dtype=int)
        below = Rows(
            np.concatenate([np.compress(~right, rows), np.compress(right, rows)]),
            np.concatenate([size - n_right, n_right]),
            number,
        )
        if len(self.levels) < self.max_depth:
            below.table = self.child_tables(level.table, inner, below)
        return below

    def child_tables(self, table, inner, below):
        """Count the smaller child of each inner node; the other one is the node minus it."""
        k = len(inner)  # children i and i + k are siblings
        first, second = below.size[:k], below.size[k:]
        smaller = np.concatenate([first <= second, second < first])
        small = np.flatnonzero(smaller)
        rows = np.compress(below.spread(smaller), below.rows)
        tables = np.empty((2 * k, *table.shape[1:]), dtype=np.int64)
        tables[small] = counted = self.splitter.table(rows, below.size[small])
        tables[(small + k) % (2 * k)] = table[inner[small % k]] - counted
        return tables

    def finished_tree(self):
        """Gather the levels into one Tree in preorder; return it and the new place of each node."""
        sizes, stats, splits, leaf, children = zip(*self.levels, strict=True)
        children, leaf = np.concatenate(children), np.concatenate(leaf)
        below, order, open_nodes = children.tolist(), [], [0]
        while open_nodes:
            order.append(node := open_nodes.pop())
            if below[node][0] >= 0:
                open_nodes += reversed(below[node])
        order = np.array(order)
        place = np.empty_like(order)
        place[order] = np.arange(len(order))

        def gathered(of_levels, at_leaves=None):
            values = np.concatenate(of_levels)
            return (values if at_leaves is None else np.where(leaf, at_leaves, values))[order]

        weight = gathered([each.weight for each in stats])
        tree = Tree(
            gathered([each.feature for each in splits], -1),
            gathered([each.threshold for each in splits], np.nan),
            np.where(leaf[:, None], -1, place[children])[order],
            np.empty((len(order), 0), dtype=int),
            gathered([each.value for each in stats]),
            gathered([each.impurity for each in stats]) / weight,
            weight,
            gathered(sizes),
            self.columns.names,
            self.columns.categories,
            extra={"score": gathered([each.score for each in splits], 0.0)},
        )
        return tree, place


class ExactGrower(Grower):
    """Grows tree after tree on columns that are sorted once, each on new residuals.

    ``criterion="misclassification"``: the tree answers ±1, the sign of most residual in a leaf.
    That is a classification tree of the signs, in which each row weighs what its residual measures.
    """

    def __init__(self, columns, weight, *, criterion, **limits):
        n, self.signs = columns.values.shape[1], criterion == "misclassification"
        self.weight = np.ones(n) if weight is None else weight
        if self.signs:
            super().__init__(columns, np.zeros(n, dtype=int), 2, weight=self.weight,
                             criterion=criterion, **limits)  # fmt: skip
        else:
            super().__init__(columns, np.zeros(n), 0, weight=weight, criterion=criterion, **limits)
        self.order = self.splitter.order

    def grow(self, residual, rows=None):
        """Grow a tree on some rows (None: all); return it, and None for the rows' nodes."""
        splitter = self.splitter
        splitter.y, splitter.order = residual, self.order
        if self.signs:
            splitter.y, splitter.weight = (residual > 0).astype(int), np.abs(residual) * self.weight
        if rows is not None:
            drawn = np.zeros(len(residual), dtype=bool)
            drawn[rows] = True
            kept = np.compress(drawn[self.order].ravel(), self.order.ravel())
            splitter.order = kept.reshape(len(self.order), len(rows))
        tree = super().grow()
        if self.signs:
            tree = replace(tree, value=np.diff(tree.value, axis=1) / tree.count[:, None])
        return tree, None


def whole_numbers(values, bits):
    """Return values in units of a power of two, rounded to whole numbers, and the unit.

    It is the smallest unit for which no sum of the values passes 2^bits.
    """
    largest = np.abs(values).max() or 1.0
    unit = 2.0 ** max(np.ceil(np.log2(largest) + np.log2(len(values))) - bits, -500)
    return np.rint(values / unit), unit
