"""Which question splits a node best? The scores of all cuts of all nodes of a level, at once.

Lecture 02. Each numeric column is sorted once; the cases of a level stay grouped by node and
sorted inside each node. So the candidate cuts of all nodes lie side by side in one array: one
cumulative sum, one score, one maximum per node.

The score of a split is the impurity it removes, times the weight of the node. For Gini and for
variance this is one formula. Let v be y minus the node's mean (for Gini: the indicator of each
class minus its share) and L the sum of v over the left cases. Then the right sum is −L, and

    removed = L² · (1/n_left + 1/n_right)        (Gini: summed over the classes)

Ties: scores that differ by less than 1e-10 of the node's impurity count as equal; then the first
column and in it the lowest threshold wins.
"""

from dataclasses import dataclass

import numpy as np

from mlcourse.columns import ranks

__all__ = []

TIE = 1e-10  # scores closer than this share of the node's impurity are equal
BLOCK = 1 << 16  # candidate cuts scored at once
MOST_LEVELS = 12  # of a category when all 2^(levels-1) - 1 subsets must be tried


def xlogx(x):
    """Return x·log2 x, with 0·log 0 = 0."""
    return x * np.log2(np.where(x > 0, x, 1.0))


def blocks(columns, cases):
    """Yield slices of columns that have about BLOCK cases together: they fit into the cache."""
    step = max(1, BLOCK // max(1, cases))
    yield from (slice(first, first + step) for first in range(0, columns, step))


# A criterion by its purity: the sum over the children should be as large as possible.
# ``sums`` is (K, …): the weight of each class, or the sum of y minus its mean.
PURITY = {
    "gini": lambda sums, weight: (sums**2).sum(axis=0) / weight,
    "entropy": lambda sums, weight: xlogx(sums).sum(axis=0) - xlogx(weight),
    "misclassification": lambda sums, weight: sums.max(axis=0),
    "variance": lambda sums, weight: (sums**2).sum(axis=0) / weight,
}


@dataclass
class Level:
    """The nodes of one depth and their cases, grouped by node."""

    order: np.ndarray  # (columns, m) cases: by node, inside by the column's value, missing last
    size: np.ndarray  # (k,) cases of each node
    number: np.ndarray  # (k,) the nodes' numbers in the tree

    def __post_init__(self):
        self.cases = self.order[0]
        self.end = np.cumsum(self.size)  # position after the last case of each node
        self.start = self.end - self.size
        self.at = np.repeat(np.arange(len(self.size)), self.size)  # (m,) node of each position
        self.position = np.arange(1, len(self.at) + 1) - self.start[self.at]  # 1 … size

    def sums(self, values):
        """Add up per node what ``values`` (m,) holds per position; shape (k,)."""
        return np.bincount(self.at, weights=values, minlength=len(self.size))

    def running(self, values):
        """Return the running sum of ``values`` (m,) that starts anew in every node."""
        total = np.cumsum(values)
        before = total[self.start] - values[self.start]
        return total - before[self.at]


@dataclass
class Statistics:
    """What the nodes of a level hold."""

    value: np.ndarray  # (k, K) class weights, or (k, 1) the mean
    weight: np.ndarray  # (k,)
    impurity: np.ndarray  # (k,) times weight
    pure: np.ndarray  # (k,) nothing left to split
    centered: np.ndarray | None = None  # (m,) regression: y minus the node's mean


def statistics(level, y, weight, n_classes, criterion):
    """Return what the nodes of a level hold; ``y`` and ``weight`` (or None) are given per case."""
    unit, total = weight is None, level.size.astype(float)
    if not unit:
        total = level.sums(weight)
    if n_classes:
        k = len(level.size)
        value = np.bincount(level.at * n_classes + y, weight, k * n_classes)
        value = value.reshape(k, n_classes).astype(float)
        best = 0.0 if criterion == "entropy" else total
        impurity = np.maximum(best - PURITY[criterion](value.T, total), 0.0)
        return Statistics(value, total, impurity, value.max(axis=1) >= total * (1 - 1e-12))
    # Deviations from the node's mean: so a large mean costs no digits.
    weight = 1.0 if unit else weight
    mean = level.sums(weight * y) / total
    centered = y - mean[level.at]
    rounding = level.sums(weight * centered) / total
    mean, centered = mean + rounding, centered - rounding[level.at]
    impurity = level.sums(weight * centered**2)
    pure = np.maximum.reduceat(np.abs(centered), level.start) <= 4e-16 * np.abs(mean)
    return Statistics(mean[:, None], total, impurity, pure, centered)


@dataclass
class Splits:
    """The best split of each node of a level; ``score`` is -inf where there is none."""

    score: np.ndarray  # (k,) impurity removed, times weight
    feature: np.ndarray  # (k,)
    threshold: np.ndarray  # (k,) NaN for a category
    branches: np.ndarray  # (k, L) branch of each category code, -1: none
    taken: np.ndarray  # (m,) branch that the case at each position takes; -1: value missing


class Splitter:
    """Finds the best split of every node. Classification: ``y`` holds codes; else n_classes=0."""

    def __init__(self, columns, y, n_classes, weight, criterion, min_samples_leaf, multiway):
        self.columns, self.values, self.y = columns, columns.values, y
        self.n_classes, self.criterion, self.multiway = n_classes, criterion, multiway
        self.unit = weight is None  # every case counts one: whole numbers will do
        self.weight = np.ones(len(y)) if self.unit else np.asarray(weight, dtype=float)
        self.fewest = max(1, min_samples_leaf)
        self.numeric = np.flatnonzero(columns.numeric)
        self.categorical = np.flatnonzero(~columns.numeric)
        self.widest = max((len(c) for c in columns.categories if c is not None), default=0)
        self.memory = {}
        if self.unit and criterion in ("entropy", "misclassification"):
            self.indicator = (y == np.arange(n_classes)[:, None]).astype(np.int64)
            self.log = xlogx(np.arange(len(y) + 1.0))
        self._sort_columns()

    def _sort_columns(self):
        """Sort every numeric column once."""
        x = self.values[self.numeric]
        self.known = ~np.isnan(self.values)
        self.gaps = ~self.known[self.numeric].all(axis=1)
        self.complete = self.known.all()
        if len(x):
            ranked = [ranks(column) for column in x]
            self.order, self.rank, self.ties = map(np.array, zip(*ranked, strict=True))
        else:
            self.order = np.arange(len(self.y))[None]  # categories need no order

    def statistics(self, level):
        """Return what each node of the level holds."""
        weight = None if self.unit else self.weight[level.cases]
        return statistics(level, self.y[level.cases], weight, self.n_classes, self.criterion)

    # Numbers -----------------------------------------------------------------------------------

    def scores(self, level, stats):
        """Return best (d, k), the scores of all cuts (columns, m), and branches per category."""
        k, m = len(level.size), len(level.cases)
        best = np.full((len(self.columns.names), k), -np.inf)
        scores = self.reused("scores", (len(self.numeric), m), float)
        smaller = np.minimum(level.position, level.size[level.at] - level.position)
        few = np.flatnonzero(smaller < self.fewest)  # no cut after these positions
        fast = None
        if self.unit:
            fast = self._squares if self.criterion in ("gini", "variance") else self._counts
            prepared = (self._residuals if fast == self._squares else self._totals)(level, stats)
        for block in blocks(len(self.numeric), m):
            if fast and not self.gaps[block].any():
                fast(level, block, scores[block], *prepared)
                scores[block, few] = -np.inf
            else:
                self._any(level, stats, block, scores[block])
            for j in np.flatnonzero(self.ties[block]) + block.start:  # no cut in equal values
                rank = self.rank[j].take(level.order[j])
                scores[j, np.flatnonzero(rank[1:] == rank[:-1])] = -np.inf
            best[self.numeric[block]] = np.maximum.reduceat(scores[block], level.start, axis=1)
        branches = {}
        for j in self.categorical:
            best[j], branches[j] = self._category(level, stats, j)
        return best, scores, branches

    def _residuals(self, level, stats):
        """Return v as whole numbers, a row per statistic, and 1/n_left + 1/n_right in its units.

        Whole numbers add up fast and without rounding, so v sums to exactly 0 in each node.
        Classes: n·1[y = k] − n_k (of two classes one is enough). Regression: y minus the mean in
        units of 2^-b; the few units that rounding leaves over go to the node's first cases.
        """
        size = level.size[level.at]
        rest = size - level.position
        rest[level.end - 1] = 1  # there is no cut after the last case
        if self.n_classes:
            classes = range(self.n_classes == 2, self.n_classes)
            y = self.y[level.cases]
            whole = [size * (y == c) - stats.value[level.at, c].astype(np.int64) for c in classes]
            unit = np.sqrt(2 if self.n_classes == 2 else 1) / size
        else:
            largest = np.abs(stats.centered).max() or 1.0
            unit = 2.0 ** np.ceil(np.log2(largest * len(size)) - 60)
            whole = [np.rint(stats.centered / unit).astype(np.int64)]
            surplus = np.add.reduceat(whole[0], level.start)[level.at]
            whole[0] -= np.sign(surplus) * (level.position <= np.abs(surplus))
        v = self.reused("residuals", (len(whole), len(self.y)), np.int64)
        v[:, level.cases] = whole  # the other cases are not read
        return v, (1 / level.position + 1 / rest) * unit**2

    def _squares(self, level, block, out, residuals, factor):
        """Score the cuts of complete columns by Gini or variance: L²·(1/n_left + 1/n_right)."""
        for row, v in enumerate(residuals):
            left = v.take(level.order[block])  # (b, m)
            np.cumsum(left, axis=1, out=left)  # back at 0 after every node: no need to restart
            square = self.reused("square", out.shape, float) if row else out
            square[:] = left
            square *= square
            square *= factor
            if row:
                out += square

    def _totals(self, level, stats):
        """Return per class its count before and in the node, and the purity of the whole node."""
        total = stats.value.T.astype(np.int64)  # (K, k)
        before = np.cumsum(total, axis=1) - total
        if self.criterion == "entropy":
            size, log = level.size.take(level.at), self.log
            whole = log.take(level.position) + log.take(size - level.position) - log.take(size)
            whole += sum(log[t] for t in total).take(level.at)  # Σ n_k log n_k
        else:
            whole = total.max(axis=0).take(level.at)
        return before.take(level.at, axis=1), total.take(level.at, axis=1), whole

    def _counts(self, level, block, out, before, total, whole):
        """Score the cuts of complete columns by entropy or misclassification, from counts."""
        order = level.order[block]
        left, right, rest = self.reused("counts", (3, *order.shape), np.int64)
        most = self.reused("most", (2, *order.shape), float)
        rest[:], out[:] = level.position, 0.0
        if self.criterion == "misclassification":
            most[:] = 0.0
        for c in range(self.n_classes):
            if c < self.n_classes - 1:
                self.indicator[c].take(order, out=left, mode="clip")
                np.cumsum(left, axis=1, out=left)
                left -= before[c]
                rest -= left  # cases on the left of the classes that follow
            else:
                left = rest
            np.subtract(total[c], left, out=right)
            for count, best in zip((left, right), most, strict=True):
                if self.criterion == "entropy":
                    out += self.log.take(count, out=best, mode="clip")
                else:
                    np.maximum(best, count, out=best)
        if self.criterion == "misclassification":
            np.add(*most, out=out)
        out -= whole
        np.maximum(out, 0.0, out=out)

    def _any(self, level, stats, block, out):
        """Score the cuts of any column with any weights and criterion, from its known cases."""
        purity = PURITY[self.criterion]
        for row, (j, order) in enumerate(zip(self.numeric[block], level.order[block], strict=True)):
            known = self.known[j][order].astype(float)
            # Shares of the node's weight: so a node of tiny weight keeps its digits.
            weight = self.weight[order] * known / stats.weight[level.at]
            left = np.stack([level.running(v) for v in self._summed(level, stats, order, weight)])
            left_weight, count = level.running(weight), level.running(known)
            last = level.end - 1
            right, right_weight = left[:, last][:, level.at] - left, left_weight[last][level.at]
            right_weight = right_weight - left_weight
            possible = np.minimum(count, count[last][level.at] - count) >= self.fewest
            with np.errstate(divide="ignore", invalid="ignore"):
                score = purity(left, left_weight) + purity(right, right_weight)
                score -= purity(left[:, last], left_weight[last])[level.at]
            score = np.where(np.isfinite(score), score, 0.0)  # a side too light to be told from 0
            out[row] = np.where(possible, np.maximum(score, 0.0) * stats.weight[level.at], -np.inf)

    def _summed(self, level, stats, order, weight):
        """Return what is added up to score a split: weight per class, or weight·(y − mean)."""
        if self.n_classes:
            return [weight * (self.y[order] == c) for c in range(self.n_classes)]
        centered = np.empty(len(self.y))
        centered[level.cases] = stats.centered
        return [weight * centered[order]]

    # Categories --------------------------------------------------------------------------------

    def _category(self, level, stats, j):
        """Score a category in each node: its best two subsets, or one branch per value."""
        k, n_levels = len(level.size), len(self.columns.categories[j])
        known = self.known[j][level.cases]
        code = np.where(known, self.values[j][level.cases], 0).astype(int)

        def table(values):  # (k, n_levels)
            flat = np.bincount(level.at * n_levels + code, weights=values, minlength=k * n_levels)
            return flat.reshape(k, n_levels)

        weight = self.weight[level.cases] * known
        sums = np.stack([table(v) for v in self._summed(level, stats, level.cases, weight)])
        weights, counts = table(weight), table(known.astype(float))
        score, branches = np.full(k, -np.inf), np.full((k, self.widest), -1)
        for node in range(k):
            present = np.flatnonzero(counts[node])
            if len(present) < 2:
                continue
            of_node = sums[:, node, present], weights[node, present], counts[node, present]
            if self.multiway:
                masks = np.eye(len(present), dtype=bool)[None]  # one way: (1, branches, levels)
            else:
                spread = np.sqrt(stats.impurity[node] / stats.weight[node])
                masks = self._subsets(*of_node[:2], 1.0 if self.n_classes else spread)
            score[node], chosen = self._best_mask(masks, *of_node, TIE * stats.impurity[node])
            if chosen is not None and self.multiway:
                branches[node, :n_levels] = np.arange(n_levels)
            elif chosen is not None:
                branches[node, present] = np.where(chosen[0], 0, 1)
        return score, branches

    def _subsets(self, sums, weight, spread):
        """Return the ways to part the levels in two, as masks (ways, 2, levels).

        For two classes or a mean, one of the ways along the order of class share or mean is the
        best of all (Fisher 1958; Breiman et al. 1984). For more classes every way is tried.
        """
        levels = len(weight)
        if self.n_classes <= 2:
            rank = np.empty(levels, dtype=int)
            share = np.round(sums[-1] / weight / (spread or 1.0), 10)  # rounding orders no levels
            rank[np.argsort(share, kind="stable")] = np.arange(levels)
            left = rank < np.arange(1, levels)[:, None]
        elif levels <= MOST_LEVELS:
            left = (np.arange(1, 2 ** (levels - 1))[:, None] >> np.arange(levels)) & 1 == 1
        else:
            raise ValueError(
                f"a category with {levels} values in one node can be parted in "
                f"{2 ** (levels - 1) - 1} ways, too many to try for {self.n_classes} classes; "
                f"merge values until {MOST_LEVELS} are left, or use C45Classifier"
            )
        return np.stack([left, ~left], axis=1)

    def _best_mask(self, masks, sums, weight, counts, tie):
        """Return the best score of some ways to part the levels, and its mask (or None)."""
        purity = PURITY[self.criterion]
        sides = np.moveaxis(masks.astype(float) @ sums.T, -1, 0)  # (S, ways, branches)
        score = purity(sides, masks @ weight).sum(axis=1)
        score -= purity(sums.sum(axis=1), weight.sum())
        enough = (masks @ counts >= self.fewest).all(axis=1)
        if not enough.any():
            return -np.inf, None
        score = np.where(enough, np.maximum(score, 0.0), -np.inf)
        first = int(np.argmax(score >= score.max() - tie))
        return score[first], masks[first]

    # Choosing ----------------------------------------------------------------------------------

    def choose(self, level, stats, best, scores, branches):
        """Return the Splits: the first column with the best score, in it the lowest cut."""
        k, m = len(level.size), len(level.cases)
        top, tie = best.max(axis=0), TIE * stats.impurity
        feature = np.argmax(best >= top - tie, axis=0)
        splits = Splits(top, feature, np.full(k, np.nan), np.full((k, self.widest), -1), None)
        side = np.full(len(self.y), -1, dtype=np.int8)
        can = ~np.isneginf(top)
        nodes = np.flatnonzero(can & self.columns.numeric[feature])
        if len(nodes):
            row = np.zeros(k, dtype=int)  # column → its row of order and scores
            row[nodes] = np.searchsorted(self.numeric, feature[nodes])
            flat = row[level.at] * m + np.arange(m)  # each node's own column
            score, case = scores.ravel()[flat], level.order.ravel()[flat]
            limit = np.full(k, np.inf)
            limit[nodes] = best[feature[nodes], nodes] - tie[nodes]
            hits = np.flatnonzero(score >= limit[level.at])
            cut = hits[np.searchsorted(hits, level.start[nodes])]  # the first in each node
            low, high = (self.values[feature[nodes], case[place]] for place in (cut, cut + 1))
            with np.errstate(over="ignore"):  # of ±1e308: then low is taken
                middle = low + (high - low) / 2
            splits.threshold[nodes] = np.where(middle < high, middle, low)
            last = np.full(k, m)
            last[nodes] = cut
            side[case] = np.arange(m) > last[level.at]
        splits.taken = side[level.cases]
        for j, of_nodes in branches.items():
            chosen = can & (feature == j)
            splits.branches[chosen] = of_nodes[chosen]
            mine = chosen[level.at]
            code = np.nan_to_num(self.values[j][level.cases[mine]]).astype(int)
            splits.taken[mine] = splits.branches[level.at[mine], code]
        if not self.complete:
            splits.taken[~self.known[feature[level.at], level.cases]] = -1
        return splits

    def reused(self, name, shape, dtype):
        """Return an array in memory that is used again: fresh memory costs more than the sums."""
        needed = int(np.prod(shape))
        if name not in self.memory or len(self.memory[name]) < needed:
            self.memory[name] = np.empty(needed, dtype=dtype)
        return self.memory[name][:needed].reshape(shape)
