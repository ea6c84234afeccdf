"""What is the weakest useful tree? A stump: one question, two answers.

Lecture 07. AdaBoost asks in every round for the base learner h of least weighted error

    ε(h) = Σ_i w_i · 1(h(x_i) ≠ y_i),

and a stump, *is column j at most t?* with the majority on either side as the answer, can be found
exactly. Between the rounds only the weights change, so each column is sorted once for all rounds;
a round is one cumulative sum along the sorted columns, which holds the error of every stump.

The weights are turned into whole numbers (units of 2⁻⁶⁰ of their sum) before they are added up:
sums are then exact in any order, and ten times faster than NumPy's sums of floats.
"""

import numpy as np

from mlcourse.learner import TreeClassifier
from mlcourse.tree import Tree

__all__ = ["DecisionStump"]

UNIT = 2**60  # the sum of all weights in fixed point
TOLERANCE = UNIT // 10**10  # errors closer than 1e-10 are equal
BLOCK = 2**15  # entries of the table that are worked on at a time: they stay in the cache


class StumpSearch:
    """Finds stumps of least weighted error in one table, for one set of weights after the other.

    ``values`` (d, N) holds the columns, ``codes`` (N,) the classes 0 … K-1. A threshold lies in
    the middle of two neighbouring values; of equally good stumps (within 1e-10) the first column's
    is taken, and there the lowest threshold.
    """

    def __init__(self, values, codes, n_classes):
        self.values, self.codes, self.n_classes = values, codes, n_classes
        order = np.argsort(values, axis=1)
        ordered = np.take_along_axis(values, order, axis=1)
        rises = ordered[:, 1:] > ordered[:, :-1]  # (d, N-1) is there a cut after this position?
        self.columns = np.flatnonzero(rises.any(axis=1))  # the others are constant
        self.order = order if len(self.columns) == len(order) else order[self.columns]
        self.rises = rises[self.columns]
        # Positions without a cut are multiplied away; most tables of numbers have none.
        self.mask = None if self.rises.all() else self.rises.astype(np.int64)

    def best(self, weight):
        """Return column, threshold and the class weights (2, K) of both sides of the best stump.

        ``weight`` (N,) need not sum to 1. In a table of constants the column is -1: no question.
        """
        if not len(self.columns):
            return -1, np.inf, self._sides(np.zeros(len(self.codes), dtype=bool), weight)
        whole = np.rint(weight * (UNIT / weight.sum())).astype(np.int64)
        parts, lowest = self._parts(whole)
        step = max(1, BLOCK // len(whole))
        tops = [
            self._scores(slice(j, j + step), parts).max(axis=1)
            for j in range(0, len(self.columns), step)
        ]
        top = np.concatenate(tops)  # (d,) the best score of each column
        best = top.max()
        if best <= lowest + TOLERANCE:  # no stump is better than one class for all
            j, position = 0, int(self.rises[0].argmax())
        else:
            j = int((top >= best - TOLERANCE).argmax())
            scores = self._scores(slice(j, j + 1), parts)[0]
            position = int((scores >= best - TOLERANCE).argmax())
        column = int(self.columns[j])
        low, high = self.values[column, self.order[j, position : position + 2]]
        middle = low + (high - low) / 2
        threshold = float(middle if middle < high else low)  # neighbours may have no middle
        return column, threshold, self._sides(self.values[column] > threshold, weight)

    def _sides(self, above, weight):
        """Return the weight of each class below and above a cut, shape (2, K)."""
        K = self.n_classes
        return np.bincount(above * K + self.codes, weight, minlength=2 * K).reshape(2, K)

    def _parts(self, whole):
        """Return the weights to be summed (per class; two classes: signed), and the least score."""
        if self.n_classes == 2:
            signed = np.where(self.codes == 1, whole, -whole)
            return [signed], abs(int(signed.sum()) // 2)
        parts = [np.where(self.codes == k, whole, 0) for k in range(self.n_classes)]
        return parts, max(int(part.sum()) for part in parts)

    def _scores(self, columns, parts):
        """Return how good each cut is, (columns, N-1): the weight that is right, up to a constant.

        Right are the majorities of both sides, max_k B_k + max_k A_k for class weights B below and
        A above. With two classes, S = B₁ - B₀ and S + (A₁ - A₀) = T, a stump whose sides answer
        differently is right with weight ½ + abs(S - T/2): one sum instead of two.
        """
        order = self.order[columns]
        if self.n_classes == 2:
            scores = parts[0].take(order)
            scores[:, 0] -= parts[0].sum() // 2
            np.cumsum(scores, axis=1, out=scores)
            scores = np.abs(scores, out=scores)[:, :-1]
        else:
            below = np.zeros((len(order), order.shape[1] - 1), dtype=np.int64)
            above = below.copy()
            for part in parts:
                sums = np.cumsum(part.take(order), axis=1)
                np.maximum(below, sums[:, :-1], out=below)
                np.maximum(above, sums[:, -1:] - sums[:, :-1], out=above)
            scores = below + above
        if self.mask is not None:
            scores *= self.mask[columns]
        return scores


class DecisionStump(TreeClassifier):
    """Tree of one question on a number, the one with the least weighted error.

    Both sides answer with their majority. A table of constants gives a leaf.

    Examples
    --------
    >>> stump = DecisionStump().fit([[1], [2], [3], [4]], ["a", "a", "b", "a"])
    >>> print(stump.tree_.to_text())
    x0 <= 1.5: a (1)
    x0 > 1.5: a (3/1)
    >>> stump.fit([[1], [2], [3], [4]], ["a", "a", "b", "a"], sample_weight=[1, 1, 3, 1])
    DecisionStump()
    >>> print(stump.tree_.to_text())
    x0 <= 2.5: a (2)
    x0 > 2.5: b (4/1)
    """

    def __sklearn_tags__(self):
        """Tell scikit-learn that a stump takes numbers only, and need not be accurate."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = False
        tags.classifier_tags.poor_score = True
        return tags

    def _grow(self, columns, y, weight):
        numbers_only(self, columns)
        weight = np.ones(len(y)) if weight is None else weight
        search = StumpSearch(columns.values, y, len(self.classes_))
        return stump_tree(*search.best(weight), columns, self.classes_)

    @classmethod
    def found(cls, model, columns, column, threshold, sides):
        """Return the fitted stump that a search found for an ensemble ``model`` of such stumps."""
        stump = cls()
        stump.classes_, stump.n_features_in_ = model.classes_, model.n_features_in_
        stump.categories_, stump._scales = model.categories_, model._scales
        if hasattr(model, "feature_names_in_"):
            stump.feature_names_in_ = model.feature_names_in_
        stump.tree_ = stump_tree(column, threshold, sides, columns, model.classes_)
        return stump


def numbers_only(model, columns):
    """Raise if a table has a column of categories; ``model`` is the one that asks for a stump."""
    if not columns.numeric.all():
        name = columns.names[int((~columns.numeric).argmax())]
        raise ValueError(
            f"{type(model).__name__}: column {name!r} holds categories, but a stump asks about "
            "numbers only; encode it, or boost CARTClassifier(max_depth=1)"
        )


def stump_tree(column, threshold, sides, columns, classes):
    """Return the Tree of a stump; ``sides`` (2, K) are the class weights below and above."""
    nodes = np.array([sides.sum(axis=0)] if column < 0 else [sides.sum(axis=0), *sides])
    weight = nodes.sum(axis=1)
    wrong = weight - nodes.max(axis=1)
    inner = np.zeros(len(nodes), dtype=bool)
    inner[0] = column >= 0
    above = columns.values[column] > threshold
    count = np.array([len(above), len(above) - above.sum(), above.sum()])[: len(nodes)]
    return Tree(
        feature=np.where(inner, column, -1),
        threshold=np.where(inner, threshold, np.nan),
        children=np.where(inner[:, None], [[1, 2]], -1),
        branches=np.empty((len(nodes), 0), dtype=int),
        value=nodes,
        impurity=wrong / np.maximum(weight, np.finfo(float).tiny),
        weight=weight,
        count=count,
        names=columns.names,
        categories=columns.categories,
        classes=tuple(classes.tolist()),
        extra={"score": np.where(inner, wrong[0] - wrong[1:].sum(), 0.0)},
    )
