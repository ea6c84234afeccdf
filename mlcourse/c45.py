"""How does C4.5 learn a tree? By gain ratio, from numbers, categories and gaps, and it prunes.

Lecture 02 (Quinlan 1993). At a node of weight W, wK of it with a known value of attribute a:

    Gain(a)      = wK/W · (H(y) − Σ_b w_b/wK · H(y | branch b))          on the known cases,
    SplitInfo(a) = − Σ_b w_b/W · log2(w_b/W), the missing ones as one branch more,
    GainRatio(a) = Gain(a) / SplitInfo(a).

- A category gets a branch per declared value. A number is cut where the gain is largest; for the
  choice of one of n cuts, log2(n)/W is then subtracted from its gain.
- Of the attributes with at least average *gain*, the one with the largest gain *ratio* is asked.
- A case whose value is missing goes down every branch as a fraction: weight × the branch's share.
- The grown tree is collapsed and pruned: see mlcourse.pessimistic.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

from mlcourse.growing import Grower
from mlcourse.learner import TreeClassifier
from mlcourse.pessimistic import (
    Pruning,
    above,
    bits,
    branch_shares,
    class_weights,
    collapse,
    descend,
    disorder,
    divided,
    with_class_weights,
)
from mlcourse.splitting import Level, Splits, Splitter, Statistics

__all__ = ["C45Classifier"]

EXPONENT = 1.0  # w of EG2


@dataclass
class Cases(Level):
    """A level whose cases may be fractions of rows; ``order`` holds cases 0 … m-1."""

    row: np.ndarray  # (m,) training row of each case
    weight: np.ndarray  # (m,)


@dataclass
class Scores:
    """What the attributes are worth to the nodes of a level."""

    usable: np.ndarray  # (d, k)
    gain: np.ndarray  # (d, k) bits per case
    ratio: np.ndarray  # (d, k)
    threshold: np.ndarray  # (d, k) middle of the best cut; NaN for a category


class C45Splitter(Splitter):
    """Finds the attribute that C4.5 asks at every node of a level."""

    def __init__(self, columns, y, n_classes, weight, min_samples_leaf, *, mdl_correction, cost):
        super().__init__(columns, y, n_classes, weight, "entropy", min_samples_leaf, True)
        self.mdl_correction, self.cost = mdl_correction, cost
        self.sorted = {j: np.sort(self.values[j][self.known[j]]) for j in self.numeric}
        # Categories with very many values take no part in the average, unless all have.
        n_values = np.array([0 if c is None else len(c) for c in columns.categories])
        self.large = ~columns.numeric & ~above(0.3 * self.weight.sum(), n_values)
        if self.large.all():
            self.large[:] = False

    def statistics(self, level):
        """Return what each node holds; ``pure`` are those too small or of one class."""
        k, K = len(level.size), self.n_classes
        y = self.y[level.row[level.cases]]
        value = np.bincount(level.at * K + y, level.weight[level.cases], minlength=k * K)
        value = value.reshape(k, K)
        total = value.sum(axis=1)
        done = above(2 * self.fewest, total) | ~above(total, value.max(axis=1))
        return Statistics(value, total, disorder(value.T), done)

    def best(self, level, stats):
        """Return the split of every node."""
        shape = len(self.columns.names), len(level.size)
        usable, unknown = np.zeros(shape, dtype=bool), np.full(shape, np.nan)
        scores = Scores(usable, np.zeros(shape), np.zeros(shape), unknown)
        for j in self.categorical:
            self._category(level, stats, j, scores)
        for j, order in zip(self.numeric, level.order, strict=False):
            self._number(level, stats, j, order, scores)
        feature = self.choose(scores)
        return self._splits(level, stats, scores, feature)

    def _category(self, level, stats, j, scores):
        """Score a category: one branch per declared value."""
        k, L, K = len(level.size), len(self.columns.categories[j]), self.n_classes
        row, weight = level.row[level.cases], level.weight[level.cases]
        known = self.known[j][row]
        row, weight, at = row[known], weight[known], level.at[known]
        # Only values that occur in a node: a branch without cases adds nothing to the sums.
        branch, cell = np.unique(at * L + self.values[j][row].astype(int), return_inverse=True)
        node = branch // L
        counts = np.bincount(cell * K + self.y[row], weight, minlength=len(branch) * K)
        counts = counts.reshape(-1, K).T  # (K, branches) in all nodes
        of_branch = counts.sum(axis=0)

        def sums(values):
            return np.bincount(node, values, minlength=k)

        of_node = np.stack([sums(of_class) for of_class in counts])
        gain = self._gain(of_node, sums(disorder(counts)), stats.weight)
        scores.usable[j] = sums(~above(self.fewest, of_branch)) >= 2
        scores.gain[j] = np.where(scores.usable[j], gain, 0.0)
        missing = stats.weight - sums(of_branch)
        scores.ratio[j] = self._ratio(gain, sums(bits(of_branch)) + bits(missing), stats.weight)

    def _number(self, level, stats, j, order, scores):
        """Score a number: its cut of largest gain."""
        m, K = len(order), self.n_classes
        row, x = level.row[order], self.values[j][level.row[order]]
        weight = np.where(np.isnan(x), 0.0, level.weight[order])
        left = np.zeros((K, m))
        left[self.y[row], np.arange(m)] = weight
        left = np.stack([level.running(w) for w in left])  # (K, m) class weights up to each case
        known = left[:, level.end - 1]  # (K, k)
        known_weight = known.sum(axis=0)
        # Each side of a cut needs a tenth of an equal share of the classes, 25 at most.
        tenth = 0.1 * known_weight / K
        least = np.where(above(tenth, self.fewest), np.minimum(tenth, 25.0), self.fewest)
        rows = level.sums(np.where(np.isnan(x), 0.0, self.weight[row]))  # fractions count in full
        open_node = ~stats.pure & ~above(2 * least, rows)
        cut = np.flatnonzero((x[:-1] + 1e-5 < x[1:]) & (level.at[:-1] == level.at[1:]))
        at, left_weight = level.at[cut], left[:, cut].sum(axis=0)
        side = np.minimum(left_weight, known_weight[at] - left_weight)
        possible = open_node[at] & ~above(least[at], side)
        cut, at, left_weight = cut[possible], at[possible], left_weight[possible]
        if not len(cut):
            return
        after = disorder(left[:, cut]) + disorder(known[:, at] - left[:, cut])
        gains = self._gain(known[:, at], after, stats.weight[at])
        node, n_cuts = np.unique(at, return_counts=True)
        best = first_best(gains, np.cumsum(n_cuts) - n_cuts)
        gain = gains[best]
        if self.mdl_correction:
            gain = gain - np.log2(n_cuts) / stats.weight[node]
        place, use = cut[best], above(gain, 0)
        scores.usable[j, node] = use
        scores.gain[j, node] = np.where(use, gain, 0.0)
        left_weight, right_weight = left_weight[best], (known_weight[at] - left_weight)[best]
        missing = stats.weight[node] - known_weight[node]
        parts = bits(left_weight) + bits(right_weight) + bits(missing)
        scores.ratio[j, node] = self._ratio(gain, parts, stats.weight[node])
        middle = (x[place] + x[place + 1]) / 2
        scores.threshold[j, node] = np.where(middle < x[place + 1], middle, x[place])

    @staticmethod
    def _gain(known, after, weight):
        """Return the gain in bits per case, from class weights (K, …) of the known cases."""
        known_weight = known.sum(axis=0)
        gained = known_weight / weight * (disorder(known) - after)
        return np.where(above(gained, 0), divided(gained, known_weight), 0.0)

    @staticmethod
    def _ratio(gain, parts, weight):
        """Return gain / split info; ``parts`` is Σ w·log w of branches and missing cases."""
        return divided(gain * weight, bits(weight) - parts)

    def choose(self, scores):
        """Return the attribute that each node asks, -1 for none, shape (k,)."""
        if self.cost is None:
            # Among the attributes of at least average gain, the one of largest gain ratio.
            counted = scores.usable & ~self.large[:, None]
            n_counted = counted.sum(axis=0)
            average = (scores.gain * counted).sum(axis=0) / np.maximum(n_counted, 1)
            allowed = scores.usable & (scores.gain >= average - 1e-3) & (n_counted > 0)
            merit = scores.ratio
        else:
            allowed = scores.usable
            merit = (2**scores.gain - 1) / (self.cost[:, None] + 1) ** EXPONENT
        best, feature = np.zeros(merit.shape[1]), np.full(merit.shape[1], -1)
        for j, worth in enumerate(merit):
            better = allowed[j] & above(worth, best)
            best[better], feature[better] = worth[better], j
        return feature

    def _splits(self, level, stats, scores, feature):
        """Return the splits by these attributes, and the branch that every case takes."""
        k = len(feature)
        nodes, asked = np.arange(k), np.maximum(feature, 0)
        score = np.where(feature >= 0, scores.gain[asked, nodes] * stats.weight, -np.inf)
        threshold, branches = scores.threshold[asked, nodes], np.full((k, self.widest), -1)
        for j in np.unique(feature[feature >= 0]):
            mine = feature == j
            if j in self.sorted:  # the threshold moves down to a value of the training set
                lower = np.searchsorted(self.sorted[j], threshold[mine], side="right") - 1
                threshold[mine] = self.sorted[j][lower]
            else:
                n_values = len(self.columns.categories[j])
                branches[mine, :n_values] = np.arange(n_values)
        x, limit = self.values[asked[level.at], level.row[level.cases]], threshold[level.at]
        taken = np.where(np.isnan(limit), x, x > limit)
        taken = np.where(np.isnan(x), -1, taken).astype(int)
        return Splits(score, asked, threshold, branches, taken)


def first_best(gains, start):
    """Return the place of the best gain in each segment, as J48's scan from the left finds it.

    A gain replaces the best so far only if it is greater by more than 1e-6.
    """
    end = np.append(start[1:], len(gains))
    top = np.maximum.reduceat(gains, start)
    near = np.flatnonzero(~above(np.repeat(top, end - start), gains))
    place = near[np.searchsorted(near, start)]  # the first that nothing later can replace
    # The scan stops there, unless something just below the top comes first: then do scan.
    earlier = np.maximum.reduceat(gains, np.stack([start, place], axis=1).ravel())[::2]
    for i in np.flatnonzero((start < place) & ~above(gains[place], earlier)):
        best = 0.0
        for j in range(start[i], end[i]):
            if above(gains[j], best):
                best, place[i] = gains[j], j
    return place


class C45Grower(Grower):
    """Grows a tree on fractional cases, a level at a time."""

    def __init__(self, columns, splitter):
        self.columns, self.splitter, self.widest = columns, splitter, splitter.widest

    def grow(self):
        """Grow the tree and return it."""
        order, weight = self.splitter.order, self.splitter.weight
        rows = np.arange(len(weight))
        level = Cases(order, np.array([len(rows)]), np.array([0]), rows, weight)
        self.levels, self.n_nodes = [], 1
        while len(level.size):
            stats = self.splitter.statistics(level)
            splits = self.splitter.best(level, stats)
            # Reasons to stop: too few cases or one class, or no attribute that tells more.
            level = self.divide(level, stats, splits, stats.pure | np.isneginf(splits.score))
        return self.finished_tree()

    def divide(self, level, stats, splits, leaf):
        """Deal the cases to the children: a known value to its branch, a missing one to all."""
        children = self.number_children(level, stats, splits, leaf)
        width, k = children.shape
        weight, inner = level.weight[level.cases], ~leaf[level.at]
        missing, known = inner & (splits.taken < 0), inner & (splits.taken >= 0)
        seen = np.bincount(
            level.at[known] * width + splits.taken[known], weight[known], minlength=k * width
        ).reshape(k, width)
        shares = divided(seen, seen.sum(axis=1, keepdims=True))
        orders, size, rows, weights, first = [], [], [], [], 0
        for b in range(width):
            share = shares[level.at, b]
            here = known & (splits.taken == b) | missing & above(share, 0)
            size.append(np.bincount(level.at[here], minlength=k))
            case = level.cases[here]
            rows.append(level.row[case])
            weights.append((weight * np.where(missing, share, 1.0))[here])
            # The dealt cases get new numbers; dealing a sorted list keeps it sorted.
            number = np.full(len(level.cases), -1)
            number[case] = first + np.arange(len(case))
            numbers = number[level.order]
            orders.append(numbers[numbers >= 0].reshape(len(level.order), len(case)))
            first += len(case)
        size, order = np.array(size), np.concatenate(orders, axis=1)
        row, weight = np.concatenate(rows), np.concatenate(weights)
        return Cases(order, size[size > 0], children[size > 0], row, weight)


class C45Classifier(TreeClassifier):
    """Quinlan's C4.5 (release 8).

    Numbers, categories (one branch per declared value) and missing values, in fitting and in
    prediction. Classes and categories that are declared (a pandas category) but never occur count
    where C4.5 counts them. Numbers closer than 1e-5 are not told apart, as in Quinlan's program.

    Parameters
    ----------
    confidence : CF of the pessimistic error estimate; smaller prunes more
    min_samples_leaf : weight that at least two branches of a split must have
    prune : prune the grown tree by the pessimistic estimate
    convention : "j48" grows and prunes the very tree of Weka's J48 (3.9). "c45" differs from it
        in one thing, the estimate (see pessimistic_error): z comes from Quinlan's table (0.6925
        for CF = 0.25, where J48 computes 0.6745), and CF is not rounded to 32 bits.
    costs : dict, feature → cost of asking it (0 if not named). Then the attribute with the
        largest (2^Gain − 1) / (cost + 1)^w, w = 1, is asked, not the one of largest gain ratio.
        This is EG2's weighting (Núñez 1991), not part of Quinlan's program. For another w give
        (cost + 1)^w − 1 as costs.
    raising : let a child take the place of its parent in pruning (without: J48's -S)
    collapse : cut subtrees that save no training error, even if prune=False (without: -O)
    mdl_correction : subtract log2(cuts)/W from the gain of a number (without: -J)

    Attributes
    ----------
    tree_ : the Tree. ``value`` holds the class weights, fractions of cases included. A branch
        without cases has weight 0 and the class weights of its parent, like which it answers.
    classes_, n_features_in_, feature_names_in_, feature_importances_ : as in scikit-learn

    Examples
    --------
    >>> from mlcourse import load_golf
    >>> X, y = load_golf()
    >>> print(C45Classifier().fit(X, y).tree_.to_text())
    outlook = sunny
    |   humidity <= 75: yes (2)
    |   humidity > 75: no (3)
    outlook = overcast: yes (4)
    outlook = rain
    |   windy = false: yes (3)
    |   windy = true: no (2)
    """

    _missing = True
    _ordered = "category"

    def __init__(
        self,
        *,
        confidence=0.25,
        min_samples_leaf=2,
        prune=True,
        convention="c45",
        costs=None,
        raising=True,
        collapse=True,
        mdl_correction=True,
    ):
        self.confidence = confidence
        self.min_samples_leaf = min_samples_leaf
        self.prune = prune
        self.convention = convention
        self.costs = costs
        self.raising = raising
        self.collapse = collapse
        self.mdl_correction = mdl_correction

    def _grow(self, columns, y, weight):
        self._check()
        options = {"mdl_correction": self.mdl_correction, "cost": self._cost(columns.names)}
        splitter = C45Splitter(
            columns, y, len(self.classes_), weight, self.min_samples_leaf, **options
        )
        tree = C45Grower(columns, splitter).grow()
        tree = with_class_weights(tree, class_weights(tree))
        if self.collapse:
            tree = collapse(tree)
        if self.prune:
            estimate = {"confidence": self.confidence, "convention": self.convention}
            pruning = Pruning(tree, columns.values, y, raising=self.raising, **estimate)
            tree = pruning.pruned(splitter.weight)
        return self._named(tree)

    def _check(self):
        """Complain about a bad parameter."""
        share = isinstance(self.confidence, Real) and 0 < self.confidence < 1
        whole = isinstance(self.min_samples_leaf, Integral) and self.min_samples_leaf >= 1
        expected = {
            "confidence": (share, "a number between 0 and 1"),
            "min_samples_leaf": (whole, "a whole number ≥ 1"),
            "convention": (self.convention in ("c45", "j48"), "'c45' or 'j48'"),
            "costs": (isinstance(self.costs, Mapping | None), "None or a dict, feature → cost"),
        }
        for parameter, (fine, wanted) in expected.items():
            if not fine:
                given = getattr(self, parameter)
                raise ValueError(
                    f"{type(self).__name__}: {parameter} is {given!r}, expected {wanted}"
                )

    def _cost(self, names):
        """Return the cost of each feature as an array, or None."""
        if self.costs is None:
            return None
        for feature in set(self.costs) - set(names):
            raise ValueError(
                f"{type(self).__name__}: costs names {feature!r}, expected some of {list(names)}"
            )
        cost = np.array([self.costs.get(name, 0.0) for name in names], dtype=float)
        if not (np.isfinite(cost) & (cost >= 0)).all():
            raise ValueError(f"{type(self).__name__}: costs must be numbers ≥ 0, got {self.costs}")
        return cost

    def _shares(self, columns):
        tree, n = self.tree_, columns.values.shape[1]
        start = np.zeros(n, dtype=int), np.arange(n), np.ones(n)
        leaf, row, weight = descend(tree, columns.values, *start, branch_shares(tree))
        answer = tree.value / tree.value.sum(axis=1, keepdims=True)
        shares = np.zeros((n, tree.value.shape[1]))
        np.add.at(shares, row, weight[:, None] * answer[leaf])
        return shares
