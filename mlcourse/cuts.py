"""Which cut is best, when every node looks at columns of its own? Sort them, all nodes at once.

Lecture 06. In a random forest each node draws a few columns, so no column is kept sorted for all.
At every level the cases of a node are sorted by the columns that it drew. That is one sort of
whole numbers for all nodes of all trees,

    key = node · … + rank of the case's value · … + position of the case,

which leaves the cases grouped by node and in each node ordered by value. As in
mlcourse.splitting, the cuts of all nodes then lie side by side.

The score of a cut is the impurity it removes, n·L²/(n_left·n_right), where L sums the weighted
deviations from the node's mean over the left cases (for Gini: of every class's indicator). L is
kept in whole numbers that sum to 0 in each node, so one cumulative sum serves all nodes.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlcourse.splitting import PURITY, TIE, blocks

__all__ = []

CASES = 1 << 16  # that are sorted and scored at once: they fit into the cache
BITS = 60  # sums of whole numbers stay below 2^60


@dataclass
class Cases:
    """Nodes of one depth, of any number of trees, and their cases, grouped by node."""

    row: np.ndarray  # (m,)
    weight: np.ndarray  # (m,) whole numbers
    size: np.ndarray  # (k,) cases of each node
    number: np.ndarray  # (k,) the nodes' numbers in the grove
    tree: np.ndarray  # (k,)
    centered: np.ndarray | None = None  # (m,) regression: y minus the node's mean

    @cached_property
    def end(self):
        """Position after the last case of each node, (k,)."""
        return np.cumsum(self.size)

    @cached_property
    def start(self):
        """Position of the first case of each node, (k,)."""
        return self.end - self.size

    @cached_property
    def at(self):
        """Node of each case, (m,)."""
        return np.repeat(np.arange(len(self.size)), self.size)

    def sums(self, values):
        """Add up per node what ``values`` (m,) holds per case; shape (k,)."""
        return np.bincount(self.at, weights=values, minlength=len(self.size))

    def only(self, nodes):
        """Return the nodes of a mask (k,) with their cases."""
        if nodes.all():
            return self
        mine = np.repeat(nodes, self.size)
        return self._some(nodes, lambda values: np.compress(mine, values))

    def _some(self, nodes, take):
        centered = None if self.centered is None else take(self.centered)
        of_nodes = self.size[nodes], self.number[nodes], self.tree[nodes]
        return Cases(take(self.row), take(self.weight), *of_nodes, centered)

    def chunks(self, most):
        """Yield slices of nodes of about CASES cases together, at most ``most`` nodes each."""
        first = 0
        while first < len(self.size):
            limit = self.start[first] + CASES
            last = np.clip(np.searchsorted(self.end, limit, "right"), first + 1, first + most)
            yield slice(first, last)
            first = last

    def part(self, nodes):
        """Return a slice of the nodes with their cases."""
        mine = slice(self.start[nodes.start], self.end[nodes.stop - 1])
        return self._some(nodes, lambda values: values[mine])


class Cuts:
    """The best cut of each node of some cases, over the columns that the node tries."""

    def __init__(self, grove, cases, mean, impurity):
        self.grove, self.cases, self.mean, self.impurity = grove, cases, mean, impurity
        k, m = len(cases.size), len(cases.row)
        self.score, self.threshold = np.full(k, -np.inf), np.full(k, np.nan)
        self.feature, self.last = np.zeros(k, dtype=int), np.zeros(k, dtype=int)
        self.branches = np.full((k, grove.widest), -1)
        self.low_bits = (m - 1).bit_length()
        node_bits = (len(grove.y) - 1).bit_length() + self.low_bits
        self.key = (cases.at.astype(np.int64) << node_bits) | np.arange(m)
        total = np.add.reduceat(cases.weight, cases.start)
        self.before = np.repeat(np.cumsum(total) - total, cases.size)  # in the nodes before
        self.total = np.repeat(total, cases.size)
        position = np.arange(m) - cases.start[cases.at]
        rest = np.repeat(cases.size, cases.size) - position - 1
        self.few = np.flatnonzero(np.minimum(position + 1, rest) < grove.fewest)
        self.deviations, unit = self._whole_deviations(position)
        self.factor = total * unit**2 * grove.unit  # from whole numbers back to impurity
        if len(self.deviations) < grove.n_classes:
            self.factor *= 2  # of two classes both deviate by the same amount
        if grove.criterion == "entropy":
            self.unit, self.factor = unit, np.full(k, grove.unit)

    def _whole_deviations(self, position):
        """Return weight · (indicator or y − mean) in whole numbers (C, m), and the units (k,).

        What rounding leaves over is shared by the cases of the node, so that the sum is 0.
        """
        grove, cases, at = self.grove, self.cases, self.cases.at
        if grove.n_classes:
            one_is_enough = grove.n_classes == 2 and grove.criterion == "gini"
            y, classes = grove.y[cases.row], range(one_is_enough, grove.n_classes)
            deviation = np.stack([(y == c) - self.mean[:, c][at] for c in classes])
        else:
            deviation = cases.centered[None].copy()
        deviation *= cases.weight
        largest = np.maximum.reduceat(np.abs(deviation).max(axis=0), cases.start)
        unit = np.where(largest > 0, largest * cases.size * 2.0**-BITS, 1.0)
        whole = np.rint(deviation / unit[at]).astype(np.int64)
        share, rest = np.divmod(np.add.reduceat(whole, cases.start, axis=1), cases.size)
        whole -= share[:, at] + (position < rest[:, at])
        return whole, unit

    def search(self, drawn, tries):
        """Try the first columns that each node drew; if all are constant, the next that is not."""
        self.attempt(np.sort(drawn[:, :tries], axis=1).T)  # equally good: the first column wins
        stuck = np.isneginf(self.score)
        if tries == drawn.shape[1] or not stuck.any():
            return
        cases, differs = self.cases.only(stuck), []
        for feature in drawn[stuck].T:
            rank = self._ranks(cases, feature)
            low, high = (f.reduceat(rank, cases.start) for f in (np.minimum, np.maximum))
            differs.append(low < high)
        place = np.argmax(differs, axis=0)  # of the first column that is not constant
        nodes, place = np.flatnonzero(stuck)[place >= tries], place[place >= tries]
        if not len(nodes):
            return
        stuck[:] = False
        stuck[nodes] = True
        more = Cuts(self.grove, self.cases.only(stuck), self.mean[nodes], self.impurity[nodes])
        more.attempt(drawn[nodes, place][None])
        for name in ("score", "threshold", "feature", "last", "branches"):
            getattr(self, name)[nodes] = getattr(more, name)

    def _ranks(self, cases, feature):
        """Return the rank of each case's value of its node's ``feature`` (…, k); (…, m)."""
        place = np.repeat(feature * len(self.grove.y), cases.size, axis=-1) + cases.row
        return self.grove.rank.ravel().take(place)

    def attempt(self, features):
        """Try the columns ``features`` (s, k), some at a time; keep what is best so far."""
        for block in blocks(len(features), len(self.cases.row)):
            self._attempt(features[block])

    def _attempt(self, feature):
        cases, grove = self.cases, self.grove
        rank = self._ranks(cases, feature)
        tables = self._order_categories(feature, rank) if grove.widest else None
        key = rank.astype(np.int64)
        key <<= self.low_bits
        key += self.key
        key.sort(axis=1)  # by node, in it by value
        score = self._scores(key & ((1 << self.low_bits) - 1))
        score[:, self.few] = -np.inf
        equal = np.zeros(key.shape, dtype=bool)
        np.less(key[:, 1:] ^ key[:, :-1], 1 << self.low_bits, out=equal[:, :-1])
        score.ravel()[np.flatnonzero(equal)] = -np.inf  # no cut between equal values
        best = np.maximum.reduceat(score, cases.start, axis=1)  # (s, k)
        tie = TIE * self.impurity / self.factor
        slot = np.argmax(best >= best.max(axis=0) - tie, axis=0)
        top = best[slot, np.arange(len(slot))]
        new, old = top * self.factor, self.score + TIE * self.impurity
        better = np.flatnonzero((top > -np.inf) & (new > old))
        if not len(better):
            return
        # The first cut in each node that is as good as the best
        flat = np.repeat(slot * score.shape[1], cases.size) + np.arange(score.shape[1])
        hits = np.flatnonzero(score.ravel().take(flat) >= np.repeat(top - tie, cases.size))
        cut = hits[np.searchsorted(hits, cases.start[better])]
        sides = key[slot[better], cut], key[slot[better], cut + 1]
        rows = [cases.row[side & ((1 << self.low_bits) - 1)] for side in sides]
        chosen = feature[slot[better], better]
        low, high = (grove.columns.values[chosen, row] for row in rows)
        with np.errstate(over="ignore"):
            middle = low + (high - low) / 2
        self.score[better], self.feature[better] = new[better], chosen
        self.threshold[better] = np.where(middle < high, middle, low)
        rank_bits = (len(grove.y) - 1).bit_length()
        self.last[better] = (sides[0] >> self.low_bits) & ((1 << rank_bits) - 1)
        if tables is not None:
            self._part_categories(tables, better, slot[better])

    def _scores(self, position):
        """Score the cut after each position of the sorted cases ``position`` (s, m)."""
        left = self.cases.weight.take(position)
        np.cumsum(left, axis=1, out=left)
        left -= self.before
        if self.grove.criterion == "entropy":
            return self._entropies(position, left)
        product = np.multiply(left, self.total - left, dtype=float)
        product[:, self.cases.end - 1] = 1.0
        score = np.zeros(position.shape)
        for deviation in self.deviations:
            whole = deviation.take(position)
            square = np.cumsum(whole, axis=1, out=whole).astype(float)
            square *= square
            score += square
        score /= product
        return score

    def _entropies(self, position, left):
        """Score by entropy, from the class weights left and right of the cut."""
        purity, at, score = PURITY["entropy"], self.cases.at, 0.0
        share = self.mean.T[:, None, at]  # (K, 1, m)
        deviation = np.cumsum(self.deviations[:, position], axis=2) * self.unit[at]
        for weight, sign in ((left, 1), (self.total - left, -1), (self.total[None], 0)):
            classes = np.maximum(weight * share + sign * deviation, 0.0)
            score = score + purity(classes, weight) * (1 if sign else -1)
        return np.maximum(score, 0.0)

    # Categories: in the order of their class share (or mean) in the node they are like numbers ----

    def _order_categories(self, feature, rank):
        """Put into ``rank`` (s, m) the places of the categories; return all places and presence.

        For two classes or a mean one of the cuts in this order is the best of all subsets (Fisher
        1958). For more classes the order is by the share of the node's most frequent class.
        """
        grove, cases = self.grove, self.cases
        k, levels = len(cases.size), grove.widest
        lead = self.mean.argmax(axis=1) if len(self.deviations) > 1 else np.zeros(k, dtype=int)
        deviation = self.deviations[lead[cases.at], np.arange(len(cases.row))]
        places = np.zeros((len(feature), k, levels), dtype=int)
        present = np.zeros((len(feature), k, levels), dtype=bool)
        for slot, chosen in enumerate(feature):
            mine = np.flatnonzero(~grove.columns.numeric[chosen][cases.at])
            code = grove.columns.values[chosen[cases.at[mine]], cases.row[mine]].astype(int)
            cell = cases.at[mine] * levels + code
            sums = np.bincount(cell, deviation[mine], k * levels).reshape(k, levels)
            weight = np.bincount(cell, cases.weight[mine], k * levels).reshape(k, levels)
            present[slot] = weight > 0
            scale = 2.0**BITS / cases.size[:, None]  # the largest deviation, in its units
            share = np.round(sums / np.maximum(weight, 1) / scale, 10)  # rounding orders nothing
            order = np.argsort(np.where(present[slot], share, np.inf), axis=1, kind="stable")
            np.put_along_axis(places[slot], order, np.arange(levels)[None], axis=1)
            rank[slot, mine] = places[slot].ravel()[cell]
        return places, present

    def _part_categories(self, tables, nodes, slot):
        """Write down which categories go left and right, where a category is asked for."""
        categorical = ~self.grove.columns.numeric[self.feature[nodes]]
        nodes, slot = nodes[categorical], slot[categorical]
        places, present = (table[slot, nodes] for table in tables)  # (…, levels)
        self.threshold[nodes] = np.nan
        self.branches[nodes] = np.where(present, places > self.last[nodes, None], -1)
