"""How does rpart grow a tree? As CART, with missing values and its own rules for ties.

Lecture 02 (Therneau and Atkinson, "An introduction to recursive partitioning using the RPART
routines"). The grower is that of all trees; here is how R's rpart judges a split, number by
number, so that its tree comes out:

* A split is scored on the cases whose value is known; a case whose value is missing adds nothing.
* Sums run along the sorted column, and of equal scores the first wins, by plain comparison. So
  rounding decides ties, and what looks pedantic here (class weights that are 1 only up to
  rounding) is there to round as rpart does. Equal values are summed in the order of the data;
  rpart's sort shuffles them, so a tie in regression may, rarely, fall the other way.
* The left son (side 0) is the one with the smaller mean, of y or of the class codes.
* min_samples_leaf and min_samples_split count cases, whatever their weight.
* Cases with a missing value follow surrogates, then the heavier side; if the sides weigh the same
  they stay in the inner node.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from mlcourse.growing import Grower
from mlcourse.splitting import Level, Splits, Splitter, Statistics
from mlcourse.surrogates import Question, SurrogateTree, find_surrogates, middle

__all__ = []

LEAST = 1e-10  # a split must improve more than this share of the largest improvement so far
MOST_LEVELS = 16  # of a category in one node if there are three classes or more
COMPETITORS = 4  # questions that lost, kept per node


@dataclass
class RpartStatistics(Statistics):
    """Statistics of nodes, with rpart's risk: the weight in error, or the sum of squares."""

    risk: np.ndarray | None = None  # (k,)


@dataclass
class RpartSplits(Splits):
    """Splits, with what is remembered of each node (a dict, empty if there is no split)."""

    notes: list = field(default_factory=list)


class RpartSplitter(Splitter):
    """Finds the split of every node that rpart would find."""

    def __init__(
        self, *arguments, surrogates, min_samples_split, cp, whole, prior, largest, steps, order
    ):
        self.order = order
        super().__init__(*arguments)
        self.steps = np.zeros(len(self.values), dtype=bool) if steps is None else steps
        self.surrogates, self.min_samples_split = surrogates, min_samples_split
        self.cp, self.whole, self.largest = cp, whole, largest
        self.prior = prior
        if prior is None and self.n_classes:
            self.prior = priors(self.y, self.weight, self.n_classes)

    def _sort_columns(self):
        """Sort every column of numbers once, if that is not done yet."""
        self.known = ~np.isnan(self.values)
        if self.order is None:
            self.order = sorted_rows(self.columns)

    def statistics(self, level):
        """Return what each node of the level holds, summed in rpart's order."""
        if level.number[0] == 0:  # the root: in the order of the data, not of the first column
            level = Level(np.sort(level.order[:1]), level.size, level.number)
        y, weight = self.y[level.cases], self.weight[level.cases]
        if not self.n_classes:
            total = level.sums(weight)
            mean = level.sums(y * weight) / total
            centered = y - mean[level.at]
            risk = level.sums(centered * centered * weight)
            return RpartStatistics(mean[:, None], total, risk, self._done(risk), risk=risk)
        stats = super().statistics(level)
        loss = np.zeros_like(stats.value)  # (k, K): weight in error if the node answers that class
        for answer in range(self.n_classes):
            for other in set(range(self.n_classes)) - {answer}:
                loss[:, answer] += stats.value[:, other] * self.prior[0, other]
        risk = loss.min(axis=1)
        pure = self._done(risk)
        return RpartStatistics(stats.value, stats.weight, stats.impurity, pure, risk=risk)

    def _done(self, risk):
        """Say which nodes need no split: nothing is left to gain, or less than cp asks for."""
        if self.whole is None:
            self.whole = risk[0]  # the first level is the root
        return risk <= max(self.cp * self.whole, 0.0)

    # Scoring -----------------------------------------------------------------------------------

    def scores(self, level, stats):
        """Return the improvement best (d, k), the Questions [feature][node], and nothing more."""
        d, k = len(self.values), len(level.size)
        best = np.full((d, k), -np.inf)
        questions = [[None] * k for _ in range(d)]
        for node in np.flatnonzero((level.size >= self.min_samples_split) & ~stats.pure):
            for j in range(d):
                question = self._question(j, *self._rows(level, node, j), stats.risk[node])
                if question is None:
                    continue
                self.largest = max(self.largest, question.worth)
                if question.worth > LEAST * self.largest:
                    best[j, node], questions[j][node] = question.worth, question
        return best, questions, {}

    def _rows(self, level, node, j):
        """Return the rows of a node whose feature j is known, sorted by it, and its values."""
        rows = level.order[j, level.start[node] : level.end[node]]
        rows = rows[self.known[j][rows]]
        return rows, self.values[j][rows]

    def _question(self, j, rows, values, risk):
        """Return the best question about one feature in one node, or None."""
        if len(rows) < 2:
            return None
        y, weight = self.y[rows], self.weight[rows]
        if self.n_classes:
            sums = [weight * (y == c) for c in range(self.n_classes)]
        else:
            mean = np.cumsum(y * weight)[-1] / np.cumsum(weight)[-1]
            sums = [(y - mean) * weight]
        each = self.prior[1, y] * weight if self.n_classes else weight
        amounts = np.array([*sums, each, np.ones(len(y))])  # (S + 2, n)
        whole = np.cumsum(amounts, axis=1)[:, -1:]
        if not self.n_classes:
            whole[0] = 0.0  # deviations from the mean
        if self.columns.numeric[j]:
            found = self._best(amounts, whole, np.append(values[1:] != values[:-1], False))
            if found is None:
                return None
            cut, improve, left, right = found
            lower = int(not (left < right))
            threshold = middle(values[cut], values[cut + 1], self.steps[j])
            return Question(j, threshold, np.array([lower, 1 - lower]), self._share(improve, risk))
        codes, levels = values.astype(int), len(self.columns.categories[j])
        table = np.stack([np.bincount(codes, weights=a, minlength=levels) for a in amounts])
        moved, joins, left_after = self._moves(table)
        found = self._best(table[:, moved] * joins, whole, np.ones(len(moved), dtype=bool))
        if found is None:
            return None
        step, improve, left, right = found
        swap = not (left < right) if self.n_classes else left > right
        sides = np.where(left_after[step] != swap, 0, 1)
        sides = np.where(table[-1] > 0, sides, -1)
        return Question(j, np.nan, sides, self._share(improve, risk))

    def _share(self, improve, risk):
        """Return an improvement as rpart shows it: in regression a share of the node's risk."""
        return float(improve if self.n_classes else improve / risk)

    def _moves(self, table):
        """Return the levels that change sides one by one, +1 (to the left) or -1, and who is left.

        Two classes or a mean: in the order of the share of the first class or the mean, which
        contains the best partition. More classes: all partitions, in the order of the Gray code.
        """
        present, last = np.flatnonzero(table[-1]), table.shape[1] - 1
        if self.n_classes <= 2:
            order = present[np.argsort(table[0, present] / table[-2, present], kind="stable")]
            left = np.zeros((len(order), last + 1), dtype=bool)
            left[:, order] = np.tri(len(order), dtype=bool)
            return order, np.ones(len(order)), left
        if len(present) > MOST_LEVELS:
            raise ValueError(
                f"a category with {len(present)} values in one node can be parted in "
                f"{2 ** (len(present) - 1) - 1} ways, too many to try for {self.n_classes} "
                f"classes; merge values until {MOST_LEVELS} are left, or use C45Classifier"
            )
        free = present[present != last]  # the last declared level never moves
        step = np.arange(1, 2 ** len(free))
        bit = np.log2(step & -step).astype(int)  # the lowest 1-bit of the step
        gray = ((step ^ (step >> 1))[:, None] >> np.arange(len(free))) & 1 == 1
        left = np.zeros((len(step), last + 1), dtype=bool)
        left[:, free] = gray
        return free[bit], np.where(gray[np.arange(len(step)), bit], 1.0, -1.0), left

    def _best(self, amounts, whole, allowed):
        """Return (position, improvement, left mean, right mean) of the best split, or None.

        The columns of ``amounts`` (S + 2, T) move from right to left one after the other.
        """
        left = np.cumsum(amounts, axis=1)
        right = np.cumsum(np.hstack([whole, -amounts]), axis=1)[:, 1:]
        allowed = allowed & (left[-1] >= self.fewest) & (right[-1] >= self.fewest)
        places = np.flatnonzero(allowed)
        if not len(places):
            return None
        left, right = left[:, places], right[:, places]
        removed, node = self._removed(left, right, whole)
        best = int(np.where(np.isnan(removed), -np.inf, removed).argmax())
        if not removed[best] > node:
            return None
        if self.n_classes:
            code = np.arange(self.n_classes)
            shares = [self.prior[1] * s[:-2, best] / s[-2, best] for s in (left, right)]
            means = [np.cumsum(share * code)[-1] for share in shares]
        else:
            means = [left[0, best], right[0, best]]  # sums that add up to 0: the sign tells
        return int(places[best]), removed[best] - node, *means

    def _removed(self, left, right, whole):
        """Return minus the impurity after each split, and that of the node; times weight."""
        if not self.n_classes:
            return left[0] * left[0] / left[1] + right[0] * right[0] / right[1], 0.0
        if self.criterion == "misclassification":
            of = [side[:-2].max(axis=0) - side[-2] for side in (left, right, whole)]
            return of[0] + of[1], float(of[2][0])
        after, node = np.zeros(left.shape[1]), np.zeros(1)
        for c, prior in enumerate(self.prior[1]):
            after += left[-2] * self._impurity(prior * left[c] / left[-2])
            after += right[-2] * self._impurity(prior * right[c] / right[-2])
            node += whole[-2] * self._impurity(prior * whole[c] / whole[-2])
        return -after, float(-node[0])

    def _impurity(self, p):
        """Return what one class of share p adds to the impurity."""
        if self.criterion == "gini":
            return p * (1 - p)
        # Rounding may leave a share a hair below 0: no logarithm, and rpart passes this cut over.
        with np.errstate(invalid="ignore"):
            return -p * np.log(np.where(p == 0, 1.0, p))

    # Choosing ----------------------------------------------------------------------------------

    def choose(self, level, stats, best, questions, _):
        """Return the Splits: the first feature of the best improvement, and its surrogates."""
        k = len(level.size)
        feature, score = best.argmax(axis=0), best.max(axis=0)
        branches, threshold = np.full((k, self.widest), -1), np.full(k, np.nan)
        taken, notes = np.full(len(level.cases), -1, dtype=np.int8), [{} for _ in range(k)]
        for node in np.flatnonzero(~np.isneginf(score)):
            primary = questions[feature[node]][node]
            rows = level.cases[level.start[node] : level.end[node]]
            side, surrogates, heavier = self._sent(level, node, rows, primary)
            # A tree's branch 0 is "below the threshold"; rpart's left son may be the other one.
            flipped = not np.isnan(primary.threshold) and primary.sides[0] == 1
            threshold[node] = primary.threshold
            if np.isnan(primary.threshold):
                branches[node, : len(primary.sides)] = primary.sides
            taken[level.start[node] : level.end[node]] = np.where(side < 0, -1, side ^ flipped)
            ranked = np.argsort(-best[:, node], kind="stable")[1 : COMPETITORS + 1]
            notes[node] = {
                "flipped": flipped,
                "improve": primary.worth,
                "heavier": heavier ^ flipped if heavier >= 0 else -1,
                "surrogates": [q.turned() if flipped else q for q in surrogates],
                "competitors": [questions[j][node] for j in ranked if questions[j][node]],
            }
            if not self.n_classes:
                score[node] *= stats.risk[node]
        return RpartSplits(score, feature, threshold, branches, taken, notes)

    def _sent(self, level, node, rows, primary):
        """Return the side of each of a node's rows (-1: it stays), surrogates, heavier side."""
        side = np.full(len(self.y), -1)
        side[rows] = primary.side(self.values[primary.feature, rows])
        if not self.surrogates:
            return side[rows], [], -1
        weights = np.array([self.weight[side == s].sum() for s in (0, 1)])
        heavier = int(weights.argmax()) if weights[0] != weights[1] else -1
        others = [
            (j, *self._rows(level, node, j), self.steps[j], len(index) if index is not None else 0)
            for j, index in enumerate(self.columns.categories)
            if j != primary.feature
        ]
        surrogates = find_surrogates(primary, others, side, self.weight, self.surrogates)
        lost = rows[side[rows] < 0]
        for place, question in enumerate(surrogates):
            side[lost] = question.side(self.values[question.feature, lost])
            sent = int((side[lost] >= 0).sum())
            surrogates[place] = replace(question, count=sent)
            lost = lost[side[lost] < 0]
        side[lost] = heavier
        return side[rows], surrogates, heavier


def priors(y, weight, n_classes):
    """Return the weights of the classes in the risk and in the impurity, shape (2, K).

    They are prior / share, which is 1 unless rounding is in the way: R adds the priors up with
    more digits (a long double) than rpart the shares.
    """
    of_class = [weight[y == c] for c in range(n_classes)]
    totals = np.array([float(w.astype(np.longdouble).sum()) for w in of_class])
    prior = totals / float(totals.astype(np.longdouble).sum())
    share = np.bincount(y, weight, n_classes) / np.cumsum(weight)[-1]
    share = np.where(share > 0, share, 1.0)
    others = [np.repeat(p, n_classes - 1) for p in prior]  # a loss of 1 for each other class
    each, whole = [np.cumsum(o)[-1] for o in others], np.cumsum(np.concatenate(others))[-1]
    return np.stack([prior / share, np.array(each) / (whole * share)])


def sorted_rows(columns):
    """Return the rows in the order of each column, (d, N); equal values in the order of the data.

    A missing value stands where 0 would. Categories are not sorted.
    """
    rows = np.tile(np.arange(columns.values.shape[1]), (len(columns.values), 1))
    for j in np.flatnonzero(columns.numeric):
        rows[j] = np.argsort(np.nan_to_num(columns.values[j], nan=0.0), kind="stable")
    return rows


class RpartGrower(Grower):
    """Grows the tree that rpart grows before it looks at cp.

    ``surrogates`` are kept per node. A node whose risk is at most ``cp`` times the risk ``whole``
    (of the root, if not given) is not split: no such split would be kept. In cross-validation
    ``whole``, ``prior``, ``largest`` (improvement) and ``order`` come from all the data. ``steps``
    says of each feature whether it holds the levels of an ordered category, counted from 1 (not
    used by rpart in cross-validation). After ``grow``, ``where`` holds the node of each row.
    """

    def __init__(
        self, columns, y, n_classes, *, surrogates=0, cp=-1.0, whole=None, prior=None, largest=0.0,
        steps=None, order=None, **more,
    ):  # fmt: skip
        super().__init__(columns, y, n_classes, **more)
        plain = self.splitter
        self.splitter = RpartSplitter(
            columns, y, n_classes, more.get("weight"), plain.criterion, plain.fewest, False,
            surrogates=surrogates, min_samples_split=self.min_samples_split,
            cp=cp, whole=whole, prior=prior, largest=largest, steps=steps, order=order,
        )  # fmt: skip
        self.where = np.zeros(len(y), dtype=int)

    def best_splits(self, level, stats):
        """Return the best split of every node, and remember which rows are here."""
        self.where[level.cases] = level.number[level.at]
        return super().best_splits(level, stats)

    def finished_tree(self):
        """Gather the levels into one tree that knows its surrogates and rpart's risk."""
        tree, place = super().finished_tree(), self._preorder()
        risk, notes = np.zeros(tree.n_nodes), [{} for _ in range(tree.n_nodes)]
        for number, _, stats, splits, leaf, _ in self.levels:
            risk[place[number]] = stats.risk
            for node in np.flatnonzero(~leaf):
                notes[place[number[node]]] = splits.notes[node]
        self.where = place[self.where]
        sons = tree.count[tree.children[:, :2]]
        default = np.where(sons[:, 0] == sons[:, 1], -1, sons.argmax(axis=1))
        extra = tree.extra | {
            "default": np.where(tree.is_leaf, -1, default),
            "heavier": np.array([note.get("heavier", -1) for note in notes]),
            "risk": risk,
            "improve": np.array([note.get("improve", 0.0) for note in notes]),
            "flipped": np.array([note.get("flipped", False) for note in notes]),
            "surrogates": [note.get("surrogates", []) for note in notes],
            "competitors": [note.get("competitors", []) for note in notes],
        }
        parts = {name: getattr(tree, name) for name in tree.__dataclass_fields__}
        return SurrogateTree(**parts | {"strict": True, "extra": extra})
