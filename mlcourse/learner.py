"""What do all tree models share? Fitting on a checked table, asking the tree, stopping early.

Lecture 02. ID3, C4.5 and CART differ in how they grow a tree; what is around it is the same, and
follows scikit-learn: ``fit``, ``predict``, ``classes_``, and the grown tree as ``tree_``.
"""

from dataclasses import replace

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from mlcourse.columns import Columns, columns_of, fit_columns
from mlcourse.tree import majority

__all__ = []


class TableModel(BaseEstimator):
    """A model that is fitted on a table of numbers and categories."""

    _missing = False  # can the algorithm do with missing values?
    _ordered = "number"  # is an ordered category a number or a category?

    def __sklearn_tags__(self):
        """Tell scikit-learn what this model takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _takes_missing(self):
        return self._missing

    def _weighted(self, target, weight):
        """Return the weights with which to grow (CART multiplies class weights in)."""
        return weight

    def _prepared(self, X, y, sample_weight):
        """Check a training set; return its Columns, target and weights, and which rows are there.

        The weights are None if all are 1. A row of weight 0 is not there.
        """
        declared = getattr(getattr(y, "dtype", None), "categories", None)
        columns, y = fit_columns(self, X, y, missing=self._takes_missing(), ordered=self._ordered)
        weight, there = None, np.ones(len(y), dtype=bool)
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, y, dtype=np.float64)
            if (weight < 0).any():
                raise ValueError(f"{type(self).__name__}: sample_weight has negative entries")
            if not weight.any():
                raise ValueError(f"{type(self).__name__}: sample_weight is zero for every row")
        target = self._encoded(y, weight, declared)
        weight = self._weighted(target, weight)
        if weight is not None and not weight.all():
            there = weight > 0
            columns = Columns(columns.values[:, there], columns.names, columns.categories)
            target, weight = target[there], weight[there]
        if weight is not None and (weight == 1).all():
            weight = None
        return columns, target, weight, there


class TreeModel(TableModel):
    """A model that is one tree. A subclass says how to grow it: ``_grow``."""

    _record = False  # keep every candidate split?

    def fit(self, X, y, sample_weight=None, *, validation=None):
        """Grow the tree.

        Parameters
        ----------
        X : (N, d) table: a DataFrame (numbers and categories) or an array of numbers
        y : (N,) labels, or numbers in regression
        sample_weight : (N,) how much each row counts; a row of weight 2 counts like two rows
        validation : a pair (X, y) of rows not in the training set. Then a node is split only if
            that raises the accuracy (regression: lowers the squared error) on these rows: the
            pre-pruning of the lecture. A row that C4.5 would part, for a missing value, counts at
            the node where it would be parted.
        """
        columns, target, weight, _ = self._prepared(X, y, sample_weight)
        self.tree_ = self._grow(columns, target, weight)
        if validation is not None:
            self.tree_ = self._stopped(validation)
        return self

    def _grown(self, grower):
        """Return the tree of a grower; keep its candidate splits if they are wanted."""
        tree = grower.grow()
        if self._record:
            self.candidates_ = grower.candidates
        return tree

    def candidate_splits(self, X, y, sample_weight=None):
        """Return every split that was looked at while growing on these data, node by node.

        A DataFrame: ``node`` of the tree, ``feature``, ``threshold`` (NaN for a category, which
        has one row with its best split), ``score``: impurity removed, times the node's weight.
        The model itself is not changed. For ID3 and for CART without cp and surrogates.
        """
        model = clone(self)
        model._record = True
        model.fit(X, y, sample_weight)
        if not hasattr(model, "candidates_"):
            raise ValueError(
                f"{type(self).__name__} with these parameters keeps no record of its splits; use "
                "ID3Classifier, or CART without cp and surrogates"
            )
        return model.candidates_

    def apply(self, X):
        """Return the node in which each row ends."""
        check_is_fitted(self)
        return self._ends(columns_of(self, X, missing=self._takes_missing()))

    def _ends(self, columns):
        return self.tree_.apply(columns.values)

    def get_depth(self):
        """Return the greatest number of tests on a path."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self):
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self):
        """Impurity removed by each feature, as a share of all that was removed, shape (d,)."""
        check_is_fitted(self)
        removed = self.tree_.removed()
        return removed / (removed.sum() or 1.0)

    def _held_out(self, validation):
        """Return the Columns of rows kept out of the training, and their loss function."""
        name = type(self).__name__
        if not (isinstance(validation, (tuple, list)) and len(validation) == 2):
            raise ValueError(f"{name}: validation must be a pair (X, y) of rows not trained on")
        columns = columns_of(self, validation[0], missing=self._takes_missing())
        y, n = np.asarray(validation[1]), columns.values.shape[1]
        if y.shape != (n,):
            raise ValueError(
                f"{name}: the validation X has {n} rows but y has shape {y.shape}; give one each"
            )
        if n == 0:
            raise ValueError(f"{name}: the validation set has 0 rows; give at least one")
        if pd.isna(y).any():
            raise ValueError(f"{name}: the validation y has missing values; drop these rows")
        if hasattr(self, "classes_") and not pd.Index(y).isin(self.classes_).any():
            raise ValueError(f"{name}: no label in the validation y is one of the model's classes")
        return columns, self._losses(y)

    def _stopped(self, validation):
        """Return the tree cut where a split does not help on the validation rows, from the top."""
        columns, loss = self._held_out(validation)
        ends = self._ends(columns)
        tree, cut = self.tree_, []
        after, rows = tree.after, {0: np.arange(len(ends))}  # open node → the rows that reach it
        while rows:
            node, mine = rows.popitem()
            if tree.feature[node] < 0:
                continue
            below = tree.children[node][tree.children[node] >= 0].tolist()
            unsplit, split = np.full((2, len(mine)), node)  # where they end without its split, with
            for child in below:
                split[(ends[mine] >= child) & (ends[mine] < after[child])] = child
            if loss(mine, split).sum() < loss(mine, unsplit).sum():
                rows |= {child: mine[split == child] for child in below}
            else:
                cut.append(node)
        return tree.cut(cut)


def as_declared(y, declared):
    """Return the labels as they were declared: validation turns booleans into numbers."""
    return y if declared is None else pd.Index(y).astype(declared.dtype)


def class_codes(name, y, weight=None, declared=None):
    """Return the classes (as declared by a categorical y, else sorted) and the codes of y."""
    if declared is None:
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
    else:
        classes, codes = np.asarray(declared), declared.get_indexer(as_declared(y, declared))
    seen = np.unique(codes if weight is None else codes[weight > 0])
    if len(seen) < 2:
        raise ValueError(
            f"{name}: y has one class only, {str(classes[seen[0]])!r}; a classifier needs two "
            "classes or more"
        )
    return classes, codes


class TreeClassifier(ClassifierMixin, TreeModel):
    """A tree that answers with a class."""

    def _encoded(self, y, weight, declared):
        self.classes_, codes = class_codes(type(self).__name__, y, weight, declared)
        return codes

    def _named(self, tree):
        """Return the tree with the class labels in it."""
        return replace(tree, classes=tuple(self.classes_.tolist()))

    def predict_proba(self, X):
        """Return the class shares in the leaf of each row, shape (n, K)."""
        check_is_fitted(self)
        return self._shares(columns_of(self, X, missing=self._takes_missing()))

    def _shares(self, columns):
        value = self.tree_.value[self._ends(columns)]
        return value / value.sum(axis=1, keepdims=True)

    def predict(self, X):
        """Return the class of each row; of equally likely ones the first in ``classes_``."""
        shares = self.predict_proba(X)
        return self.classes_[majority(shares)]

    def _losses(self, y):
        """Return loss(rows, nodes): 1 where the answer of a node is not the label of a row."""
        codes, answer = pd.Index(self.classes_).get_indexer(y), majority(self.tree_.value)
        return lambda rows, nodes: answer[nodes] != codes[rows]


class TreeRegressor(RegressorMixin, TreeModel):
    """A tree that answers with a number."""

    def _encoded(self, y, weight, declared):
        return np.asarray(y, dtype=np.float64)

    def predict(self, X):
        """Return the mean of the leaf of each row."""
        check_is_fitted(self)
        columns = columns_of(self, X, missing=self._takes_missing())
        return self.tree_.value[self._ends(columns), 0]

    def _losses(self, y):
        """Return loss(rows, nodes): the squared difference of answer and truth."""
        y, answer = np.asarray(y, dtype=float), self.tree_.value[:, 0]
        return lambda rows, nodes: (answer[nodes] - y[rows]) ** 2


def checked_tree(name, model, *, classifier=False):
    """Return the tree of a fitted model; ``name`` is the function that asks for it."""
    if not isinstance(model, TreeModel):
        raise TypeError(
            f"{name}: model is {type(model).__name__}, expected a fitted ID3Classifier, "
            "C45Classifier, CARTClassifier" + ("" if classifier else " or CARTRegressor")
        )
    check_is_fitted(model, "tree_")
    if classifier and model.tree_.classes is None:
        raise TypeError(
            f"{name} counts classes, so it cannot take a {type(model).__name__}; use "
            "reduced_error_prune or cost_complexity_prune for regression"
        )
    return model.tree_
