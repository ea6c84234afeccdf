"""Where does a case go whose value is missing? Where a question that answers alike sends it.

Lecture 02 (Breiman, Friedman, Olshen and Stone 1984; the details are those of R's rpart). Once a
node has chosen its question, other questions about other features are sought that send the cases
the same way: surrogates. Sending everybody to the larger side already agrees with the share M of
the cases, so a surrogate with agreement A is worth

    adjusted agreement = (A − M) / (1 − M),

and is kept if that is positive. A case without the primary value follows the best surrogate whose
value it has; if there is none, it goes with the majority.
"""

from dataclasses import dataclass, replace

import numpy as np

from mlcourse.tree import Tree

__all__ = []

LEAST = 1e-10  # a surrogate must beat the majority by more than this


@dataclass(frozen=True, eq=False)
class Question:
    """A binary question: the primary split of a node, one that lost to it, or a surrogate."""

    feature: int
    threshold: float  # NaN for a category
    sides: np.ndarray  # of a number: side below and side from the threshold on; of each code: its
    worth: float  # improvement; of a surrogate the agreement
    adjusted: float = 0.0  # of a surrogate: the adjusted agreement
    count: int = 0  # cases that answered it

    def side(self, values):
        """Return the side (0 or 1) of each value, -1 if it is missing or a code of no side."""
        known = ~np.isnan(values)
        place = values if np.isnan(self.threshold) else values >= self.threshold
        return np.where(known, self.sides[np.where(known, place, 0).astype(int)], -1)

    def turned(self):
        """Return the question with its two sides exchanged."""
        return replace(self, sides=np.where(self.sides >= 0, 1 - self.sides, -1))


def find_surrogates(primary, candidates, side, weight, keep):
    """Return the best ``keep`` surrogates of a primary question, best first.

    ``candidates`` holds (feature, rows, values, steps, levels) of every other feature: the node's
    rows with a known value, sorted by it, whether the values are levels of an ordered category,
    and the number of levels of an unordered one, 0 for a number. ``side`` and
    ``weight`` are of all rows of the data; side is -1 where the primary value is missing.
    """
    sent, found = np.array([weight[side == s].sum() for s in (0, 1)]), []
    whole, majority = sent.sum(), sent.max() / sent.sum()
    for feature, rows, values, steps, levels in candidates:
        taken = side[rows], weight[rows]
        best = _by_level(values, *taken, levels) if levels else _by_cut(values, *taken, steps)
        if best is None or majority == 1:
            continue
        threshold, sides, agreeing = best
        agreement = float(agreeing / whole)
        adjusted = float((agreement - majority) / (1 - majority))
        if adjusted > LEAST:
            _insert(found, Question(feature, threshold, sides, agreement, adjusted), keep)
    return found


def _insert(found, question, keep):
    """Insert a question into the list of the best ``keep``; after those that are as good."""
    place = sum(other.worth >= question.worth for other in found)
    if place == keep:
        return
    if len(found) == keep:
        found.pop()
        if keep == 2 and place == 0:  # a slip in rpart's list of two: the new best stands alone
            found.clear()
    found.insert(place, question)


def middle(low, high, steps):
    """Return the threshold between two values; a level between two others goes with the lower."""
    return float(np.floor((low + high) / 2) + 0.5 if steps else (low + high) / 2)


def _by_cut(values, side, weight, steps):
    """Return (threshold, sides, agreeing weight) of the cut that agrees most, or None.

    At least two cases of known side must lie below the cut and above it.
    """
    if len(values) < 2:
        return None
    of_side = np.stack([weight * (side == s) for s in (0, 1)])  # (2, n)
    below = np.cumsum(of_side, axis=1)[:, :-1]
    whole = np.cumsum(of_side[:, ::-1], axis=1)[:, -1:]
    above = np.cumsum(np.hstack([whole, -of_side]), axis=1)[:, 1:-1]
    counted = np.cumsum(side >= 0)
    allowed = (values[1:] != values[:-1]) & (counted[:-1] >= 2) & (counted[-1] - counted[:-1] >= 2)
    agreeing = np.stack([below[0] + above[1], below[1] + above[0]])  # "below" goes to side 0, to 1
    score = np.where(allowed, agreeing.max(axis=0), -np.inf)
    cut = int(score.argmax())
    if not score[cut] > whole.max():
        return None
    lower = int(agreeing[1, cut] > agreeing[0, cut])
    threshold = middle(values[cut], values[cut + 1], steps)
    return threshold, np.array([lower, 1 - lower]), score[cut]


def _by_level(values, side, weight, levels):
    """Return (NaN, side per level, agreeing weight) when each level goes with its majority.

    As in rpart, two cases must agree and two must not: a perfect category is no surrogate.
    """
    known = side >= 0
    key, weight = side[known] * levels + values[known].astype(int), weight[known]
    weights = np.bincount(key, weights=weight, minlength=2 * levels).reshape(2, levels)
    counts = np.bincount(key, minlength=2 * levels).reshape(2, levels)
    overall = weights.sum(axis=1)
    to_1 = (weights[1] > weights[0]) | ((weights[0] == weights[1]) & (overall[0] <= overall[1]))
    agree = int(np.where(to_1, counts[1], counts[0]).sum())
    if agree < 2 or counts.sum() - agree < 2:
        return None
    sides = np.where(counts.any(axis=0), to_1, -1)
    return np.nan, sides, np.where(to_1, weights[1], weights[0]).sum()


class SurrogateTree(Tree):
    """A tree that knows surrogates: ``extra["surrogates"][node]``, a list of Questions.

    ``extra["default"]`` is the branch of the cases that no surrogate can send, -1: they stop.
    """

    def step(self, at, values, rows):
        """Return the branch that each row takes: by its value, a surrogate, or the default."""
        taken = super().step(at, values, rows)
        for node in np.unique(at[taken < 0]):
            lost = np.flatnonzero((taken < 0) & (at == node))
            for question in self.extra["surrogates"][node]:
                taken[lost] = question.side(values[question.feature, rows[lost]])
                lost = lost[taken[lost] < 0]
            taken[lost] = self.extra["default"][node]
        return taken
