"""Who learns from what, and who may be asked? A learner may not be asked about what it has seen.

Lecture 05. The parts of bagging (mlcourse.bagging): the samples D_1 … D_T, a learner trained on one
of them, what it says of a row, and the sums of what the learners say that have not seen a row.
"""

import warnings
from dataclasses import dataclass, replace
from numbers import Integral, Real

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import r2_score
from sklearn.utils import _safe_indexing, check_random_state, column_or_1d, get_tags
from sklearn.utils.validation import (
    _check_sample_weight,
    _check_y,
    _num_samples,
    check_consistent_length,
    has_fit_parameter,
    validate_data,
)

from mlcourse.learner import TreeClassifier, TreeModel
from mlcourse.tree import majority

__all__ = []


@dataclass(frozen=True)
class Bags:
    """Who learns from what. Learner t depends on the seed and t alone, not on who comes before."""

    seed: int
    n_rows: int
    n_columns: int
    max_samples: int
    max_features: int
    bootstrap: bool
    weight: np.ndarray | None  # (N,)

    def rows(self, t):
        """Return the rows of D_t."""
        random = self.random(t, 0)
        if not self.bootstrap:
            there = self.n_rows if self.weight is None else np.flatnonzero(self.weight)
            return np.sort(random.choice(there, self.max_samples, replace=False))
        if self.weight is None:
            return random.integers(self.n_rows, size=self.max_samples)
        ends = np.cumsum(self.weight)  # a row is hit with probability weight / total
        return np.searchsorted(ends / ends[-1], random.random(self.max_samples), side="right")

    def columns(self, t):
        """Return the columns learner t sees, in order."""
        if self.max_features == self.n_columns:
            return np.arange(self.n_columns)
        return np.sort(self.random(t, 1).permutation(self.n_columns)[: self.max_features])

    def random(self, t, purpose):
        """Return a Generator: for the rows (0), the columns (1), the learner itself (2)."""
        return np.random.default_rng([self.seed, t, purpose])

    def same_as(self, other):
        """Say whether these are the same bags."""
        alike = replace(self, weight=None) == replace(other, weight=None)
        return alike and np.array_equal(self.weight, other.weight)

    def left_out(self, rows):
        """Return the rows that are not among these."""
        return np.flatnonzero(np.bincount(rows, minlength=self.n_rows) == 0)

    def part(self, X, columns):
        """Return the columns of a table."""
        return X if len(columns) == self.n_columns else _safe_indexing(X, columns, axis=1)


@dataclass(frozen=True)
class Always:
    """The learner of a sample that holds one class only: it always says that class."""

    classes_: np.ndarray  # (1,)

    def predict(self, X):
        """Return that class for every row."""
        return np.repeat(self.classes_, _num_samples(X))

    def predict_proba(self, X):
        """Return that it is sure, (n, 1)."""
        return np.ones((_num_samples(X), 1))


class OutOfBag:
    """What the learners that have not seen a row say of it, added up learner by learner."""

    def __init__(self, target, weight, total):
        self.target, self.total = target, total  # total: votes (N, K), or sums of numbers (N,)
        self.weight = np.ones(len(target)) if weight is None else weight
        self.n_learners = np.zeros(len(target), dtype=int)  # that have not seen the row
        self.loss = np.zeros(len(target))  # of H_oob: 0 or 1, or the squared error
        self.curve = []  # ε_oob after 1, 2, … learners

    def add(self, rows, answers):
        """Count the answers of one more learner for the rows it has not seen."""
        add_up(self.total, rows, answers)
        self.n_learners[rows] += 1
        if self.total.ndim == 2:
            self.loss[rows] = majority(self.total[rows]) != self.target[rows]
        else:
            self.loss[rows] = (self.total[rows] / self.n_learners[rows] - self.target[rows]) ** 2
        weight = self.weight * (self.n_learners > 0)  # V: rows with a vote
        given = weight.sum()
        self.curve.append(float(weight @ self.loss / given) if given > 0 else np.nan)

    def mean(self):
        """Return the mean answer of the learners that have not seen a row; NaN if there is none."""
        n = np.where(self.n_learners > 0, self.n_learners, np.nan)
        return self.total / (n if self.total.ndim == 1 else n[:, None])


def report(model, oob):
    """Set the out-of-bag attributes of a model; say how many rows have no out-of-bag answer."""
    there = oob.weight > 0
    seen = there & (oob.n_learners > 0)
    model.n_never_oob_ = int(np.count_nonzero(there & ~seen))
    model.oob_curve_, model.oob_error_ = np.array(oob.curve), oob.curve[-1]
    if oob.total.ndim == 2:
        model.oob_votes_, model.oob_decision_function_ = oob.total, oob.mean()
        model.oob_score_ = 1 - model.oob_error_
    else:
        model.oob_prediction_, model.oob_score_ = oob.mean(), np.nan
        if np.count_nonzero(seen) > 1:
            known = oob.target[seen], model.oob_prediction_[seen]
            model.oob_score_ = float(r2_score(*known, sample_weight=oob.weight[seen]))
    if model.n_never_oob_:
        warnings.warn(
            f"{type(model).__name__}: {model.n_never_oob_} of {len(seen)} rows are in the sample "
            "of every learner; they have no out-of-bag answer (NaN), and oob_error_ is that of the "
            f"others. Give more learners (n_estimators is {model.n_estimators})",
            stacklevel=4,
        )


def add_up(total, rows, answers):
    """Add the answers of one learner: class codes as one vote each, else numbers as they are."""
    if total.ndim > answers.ndim:
        total[rows, answers] += 1
    else:
        total[rows] += answers


def learn(estimator, X, y, classes, bags, t, learner, ask):
    """Draw D_t and train h_t on it, unless it is given; return it, and what it says out of bag."""
    rows, columns = bags.rows(t), bags.columns(t)
    if learner is None:
        D_t = _safe_indexing(bags.part(X, columns), rows)
        weight = None if bags.bootstrap or bags.weight is None else bags.weight[rows]
        learner = train(estimator, D_t, y[rows], classes, weight, bags.random(t, 2))
    if ask is None:
        return learner, None, None
    out = bags.left_out(rows)
    if not len(out):
        return learner, out, np.empty(0, dtype=int)
    return learner, out, ask(learner, bags.part(_safe_indexing(X, out), columns), classes)


def train(estimator, X, y, classes, weight, random):
    """Return a copy of the estimator with seeds of its own, fitted to one sample."""
    if classes is not None:
        there = np.flatnonzero(np.bincount(y, minlength=len(classes)))
        if len(there) == 1:
            return Always(classes[there])
        if isinstance(estimator, TreeClassifier):  # a tree breaks its ties in our class order
            y = pd.Categorical.from_codes(np.searchsorted(there, y), categories=classes[there])
        else:
            y = classes[y]
    learner = clone(estimator)
    names = sorted(name for name in learner.get_params() if name.split("__")[-1] == "random_state")
    learner.set_params(**{name: int(random.integers(2**31)) for name in names})
    return learner.fit(X, y) if weight is None else learner.fit(X, y, sample_weight=weight)


def say_class(learner, X, classes):
    """Return the class each row gets from a learner, as codes (n,)."""
    labels = np.asarray(learner.predict(X))
    codes = pd.Index(classes).get_indexer(labels)
    if (codes < 0).any():
        raise ValueError(
            f"{type(learner).__name__} answered {labels[codes < 0][0]!r}, which is not one of the "
            f"classes {classes.tolist()}; bagging needs a classifier that answers with labels of y"
        )
    return codes


def say_probabilities(learner, X, classes):
    """Return the probability of each class by a learner, (n, K): 0 for classes it never saw."""
    shares = np.zeros((_num_samples(X), len(classes)))
    shares[:, pd.Index(classes).get_indexer(learner.classes_)] = learner.predict_proba(X)
    return shares


def say_number(learner, X, classes):
    """Return the number each row gets from a learner, (n,)."""
    return column_or_1d(learner.predict(X)).astype(float)


# What a user gives ------------------------------------------------------------------------------


class Delegating(BaseEstimator):
    """A model that takes what its base learner takes, and leaves the checking of values to it.

    A subclass has ``estimator``, and for None a ``_default``; ``_kind`` is classifier or regressor.
    """

    def _base(self):
        return self._default() if self.estimator is None else self.estimator

    def __sklearn_tags__(self):
        """Tell scikit-learn what this model takes: what its base learner takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._base()).input_tags
        return tags

    def _lenient(self):
        """Return how much is checked here: that there is a table."""
        base = self._base()
        takes = get_tags(base).input_tags
        # A learner that sees a part of the table may miss a gap. Others may fill gaps and not say.
        complete = isinstance(base, TreeModel) and not takes.allow_nan
        sparse = "csr" if takes.sparse else False
        return {"accept_sparse": sparse, "dtype": None, "ensure_all_finite": complete}

    def _checked(self, X, y):
        """Return a training table, frames as they are; y (N,); and its declared classes, if any."""
        declared = getattr(getattr(y, "dtype", None), "categories", None)
        self._frame, numeric = isinstance(X, pd.DataFrame), self._kind == "regressor"
        if not self._frame:
            return *validate_data(self, X, y, y_numeric=numeric, **self._lenient()), declared
        validate_data(self, X, y, skip_check_array=True)
        y = _check_y(y, y_numeric=numeric)
        check_consistent_length(X, y)
        if not len(X):
            raise ValueError(f"{type(self).__name__}: the table has 0 rows; give at least one")
        return X, y, declared

    def _asked(self, X):
        """Return a table to predict from, as a frame or an array like the one of the training."""
        if self._frame and isinstance(X, pd.DataFrame):
            validate_data(self, X, reset=False, skip_check_array=True)
            return X
        X = validate_data(self, X, reset=False, **self._lenient())
        names = getattr(self, "feature_names_in_", None)
        return pd.DataFrame(X, columns=names) if self._frame else X


def seed_of(random_state):
    """Return a whole number as seed: of an int, None, RandomState or Generator."""
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    return int(check_random_state(random_state).randint(2**31))


def number_of(model, parameter, most):
    """Return how many rows or columns a parameter asks for: a number, or a share of ``most``."""
    value = getattr(model, parameter)
    if isinstance(value, Integral) and not isinstance(value, bool) and 1 <= value <= most:
        return int(value)
    if isinstance(value, Real) and not isinstance(value, Integral) and 0 < value <= 1:
        return max(1, int(value * most + 1e-9))  # 0.29 · 100 is 28.999…
    raise ValueError(
        f"{type(model).__name__}: {parameter} is {value!r}, expected a share above 0.0 and at "
        f"most 1.0, or a whole number from 1 to {most}"
    )


def checked_weight(model, weight, y):
    """Return the weights of the rows, (N,)."""
    name, base = type(model).__name__, model._base()
    weight = _check_sample_weight(weight, y, dtype=np.float64, ensure_non_negative=True)
    if not weight.any():
        raise ValueError(f"{name}: sample_weight is zero for every row; give some a weight")
    if not model.bootstrap and not has_fit_parameter(base, "sample_weight"):
        raise ValueError(
            f"{name}: {type(base).__name__} takes no sample_weight; set bootstrap=True, which "
            "draws the rows by weight, or give another estimator"
        )
    return weight
