"""How does an unstable learner become a steady one? Train it on many samples, and let them vote.

Lecture 05 (Breiman 1996). *Bootstrap aggregating* of a training set D of N rows:

    for t = 1 … T:  draw D_t, N rows of D with replacement, and train h_t on D_t
    classes         H(x) = argmax_c Σ_t 1[h_t(x) = c]      plurality; of equals the first class
    numbers         H(x) = (1/T) Σ_t h_t(x)

If the h_t have variance σ² and correlation ρ, their mean has variance ρσ² + (1 − ρ)σ²/T and the
bias of one h_t. So bagging is for learners of low bias and high variance, such as deep trees.

A row is left out of D_t with probability (1 − 1/N)^N → 1/e = 0.368: it is *out of bag*, and h_t
has not seen it. The learners that have not seen x_i are a test set for free:

    H_oob(x_i) = argmax_c Σ_{t: x_i ∉ D_t} 1[h_t(x_i) = c]
    ε_oob      = (1/|V|) Σ_{i ∈ V} 1[H_oob(x_i) ≠ y_i],    V: the rows with such a learner

Lecture 000 divides by all N rows. That is right once every row has been out of bag; with few
learners some have not, they have no H_oob, and they must not count as right or wrong.

*Random subspaces* (Ho 1998): every learner gets all rows, but only some columns drawn at random:
``bootstrap=False, max_features=0.5``.

The learners do not wait for each other: ``n_jobs=-1`` trains on all cores, with the same result.
On a Dask cluster (``Client()`` alone starts one on this machine) three lines are enough:

    client = dask.distributed.Client("address-of-the-scheduler:8786")
    with joblib.parallel_config(backend="dask"):
        model = BaggingClassifier(random_state=0).fit(X, y)
"""

import sys
from collections import deque
from copy import deepcopy
from numbers import Integral

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from mlcourse.bags import (
    Bags,
    Delegating,
    OutOfBag,
    add_up,
    checked_weight,
    learn,
    number_of,
    report,
    say_class,
    say_number,
    say_probabilities,
    seed_of,
)
from mlcourse.cart import CARTClassifier, CARTRegressor
from mlcourse.learner import as_declared
from mlcourse.tree import majority

__all__ = ["BaggingClassifier", "BaggingRegressor"]


class _Bagging(Delegating):
    """What the two models share: drawing, training, adding up."""

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        max_samples=1.0,
        max_features=1.0,
        bootstrap=True,
        oob_score=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        warm_start=False,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    def fit(self, X, y, sample_weight=None):
        """Train the learners, each on a sample of its own.

        ``sample_weight`` (N,): a row of weight 2 is drawn like two rows, one of weight 0 never, and
        the out-of-bag error is weighted alike; the samples keep their size, so scaling the weights
        changes nothing. With bootstrap=False the learners get the weights, and must take them.
        """
        base = self._checked_base()
        X, labels, declared = self._checked(X, y)
        weight = None if sample_weight is None else checked_weight(self, sample_weight, labels)
        target = self._target(labels, declared, weight)  # codes of classes, or numbers
        bags, learners, oob = self._start(X, target, weight)
        T, first = self.n_estimators, 0 if self.oob_score and oob is None else len(learners)
        if self.oob_score and oob is None:
            oob = OutOfBag(target, weight, self._nothing(len(target)))
        classes, ask = getattr(self, "classes_", None), self._say if self.oob_score else None
        given = dict(enumerate(learners))  # of an earlier fit: warm_start
        jobs = ((base, X, target, classes, bags, t, given.get(t), ask) for t in range(first, T))
        trained = learners[:first]
        for h, out, answers in self._parallel(learn, jobs):
            trained.append(h)
            if oob is not None:
                oob.add(out, answers)
            if self.verbose:
                end = "\n" if len(trained) == T else ""
                progress = f"\r{type(self).__name__}: {len(trained)} of {T}"
                print(progress, end=end, file=sys.stderr, flush=True)
        self.estimator_, self.estimators_ = base, trained
        self._bags, self._oob, self._fitted_to = bags, oob, target
        self._report()
        return self

    def _report(self):
        """Set the out-of-bag attributes, and leave none of an earlier fit."""
        for attribute in [key for key in vars(self) if "oob_" in key and key.endswith("_")]:
            delattr(self, attribute)
        if self._oob is not None:
            report(self, self._oob)

    def _parallel(self, function, jobs):
        """Yield function(*job) for every job, in order, on as many cores as n_jobs says."""
        work = (delayed(function)(*job) for job in jobs)
        return Parallel(n_jobs=self.n_jobs, return_as="generator")(work)

    def _start(self, X, target, weight):
        """Return the bags, and the learners and the out-of-bag sums to go on from, if any."""
        name, (n, d) = type(self).__name__, X.shape
        there = n if weight is None else np.count_nonzero(weight)
        before = getattr(self, "_bags", None) if self.warm_start else None
        seed = before.seed if before else seed_of(self.random_state)
        rows, columns = number_of(self, "max_samples", there), number_of(self, "max_features", d)
        bags = Bags(seed, n, d, rows, columns, bool(self.bootstrap), weight)
        if self.oob_score and not self.bootstrap and rows == there:
            raise ValueError(
                f"{name}: every learner sees every row, so no row is out of bag; set "
                "bootstrap=True, a max_samples below 1.0, or oob_score=False"
            )
        if before is None:
            return bags, [], None
        if not bags.same_as(before) or not np.array_equal(target, self._fitted_to):
            raise ValueError(
                f"{name}: warm_start goes on with the same data and parameters (only n_estimators "
                "grows), but rows, columns, labels or weights changed; set warm_start=False"
            )
        if self.n_estimators < len(self.estimators_):
            raise ValueError(
                f"{name}: n_estimators is {self.n_estimators}, but there are "
                f"{len(self.estimators_)} learners already; set warm_start=False to have fewer"
            )
        usable = self._oob and self._oob.total.dtype == self._nothing(1).dtype  # voting changed?
        return bags, self.estimators_, deepcopy(self._oob) if self.oob_score and usable else None

    def _checked_base(self):
        """Return the base learner; raise if a parameter makes no sense."""
        name, base = type(self).__name__, self._base()
        if not isinstance(self.n_estimators, Integral) or self.n_estimators < 1:
            raise ValueError(
                f"{name}: n_estimators is {self.n_estimators!r}, expected a whole number ≥ 1"
            )
        fits = hasattr(base, "fit") and hasattr(base, "predict") and not isinstance(base, type)
        if not fits or get_tags(base).estimator_type not in (None, self._kind):
            raise TypeError(
                f"{name}: estimator is {base!r}, expected None or a {self._kind} with fit and "
                f"predict, such as {self._default.__name__}(max_depth=3)"
            )
        return base

    @property
    def estimators_samples_(self):
        """The rows each learner was trained on, drawn again from the seed."""
        check_is_fitted(self)
        return [self._bags.rows(t) for t in range(len(self.estimators_))]

    @property
    def estimators_features_(self):
        """The columns each learner was trained on."""
        check_is_fitted(self)
        return [self._bags.columns(t) for t in range(len(self.estimators_))]

    def _staged(self, X):
        """Yield Σ_t of the answers (n, K) or (n,) after each learner: one growing array."""
        check_is_fitted(self)
        X = self._asked(X)
        bags, classes = self._bags, getattr(self, "classes_", None)
        parts = (bags.part(X, columns) for columns in self.estimators_features_)
        jobs = ((h, part, classes) for h, part in zip(self.estimators_, parts, strict=True))
        total, rows = self._nothing(X.shape[0]), np.arange(X.shape[0])
        for answers in self._parallel(self._say, jobs):
            add_up(total, rows, answers)
            yield total

    def staged_predict(self, X):
        """Yield the answers of the first 1, 2, … T learners."""
        for t, total in enumerate(self._staged(X), 1):
            yield self._answer(total, t)

    def predict(self, X):
        """Return the answer to each row: the class of most votes, or the mean."""
        return self._answer(deque(self._staged(X), maxlen=1)[0], len(self.estimators_))

    def staged_score(self, X, y, sample_weight=None):
        """Yield the score of the first 1, 2, … T learners: accuracy or R²."""
        for answer in self.staged_predict(X):
            yield float(self._measure(y, answer, sample_weight=sample_weight))


class BaggingClassifier(ClassifierMixin, _Bagging):
    """Learners trained on bootstrap samples vote for a class.

    Parameters
    ----------
    estimator : the base learner, anything with fit and predict that scikit-learn can clone; None
        for a fully grown CART tree. Wherever it has a ``random_state`` each copy gets its own seed
    n_estimators : T, the number of learners
    max_samples : rows drawn for each learner, a number or a share of N
    max_features : columns drawn for each learner, without replacement, a number or a share of d
    bootstrap : draw rows with replacement; without it, and with all rows, only max_features < 1.0
        makes the learners differ
    oob_score : compute what is out of bag; needs rows that are left out
    n_jobs : as in joblib; the result is the same, bit for bit
    random_state : seed; learner t depends on it and on t alone
    verbose : 1 counts the learners on stderr
    warm_start : keep the learners of the last fit, and add some up to n_estimators: the same
        learners, bit for bit, as if all were trained at once
    voting : "hard", each learner has one vote, as in the lecture; "soft", its ``predict_proba`` are
        its votes (for fully grown trees about the same)

    Attributes
    ----------
    estimators_ : the T learners; an ``Always`` where a sample held one class only
    estimators_samples_, estimators_features_ : rows and columns of each learner
    classes_ : (K,) labels, sorted, or as declared by a categorical y
    oob_votes_ : (N, K) Σ of the votes of learners that have not seen the row
    oob_decision_function_ : (N, K) the same as shares; NaN for a row that was never out of bag
    oob_error_, oob_score_ : ε_oob of the rows that were out of bag at least once, and 1 − ε_oob
    oob_curve_ : (T,) ε_oob of the first 1, 2, … T learners
    n_never_oob_ : number of rows that were never out of bag; if there are some, a warning says so

    Examples
    --------
    >>> from mlcourse import CARTClassifier, make_waveform
    >>> X, y = make_waveform(300, random_state=0)
    >>> X_new, y_new = make_waveform(3000, random_state=1)
    >>> round(1 - CARTClassifier().fit(X, y).score(X_new, y_new), 3)  # error of one tree
    0.318
    >>> model = BaggingClassifier(n_estimators=50, oob_score=True, random_state=0).fit(X, y)
    >>> round(1 - model.score(X_new, y_new), 3), round(model.oob_error_, 3)
    (0.222, 0.2)
    """

    _kind, _default, _measure = "classifier", CARTClassifier, staticmethod(accuracy_score)

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        voting="hard",
        max_samples=1.0,
        max_features=1.0,
        bootstrap=True,
        oob_score=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        warm_start=False,
    ):
        super().__init__(
            estimator,
            n_estimators,
            max_samples=max_samples,
            max_features=max_features,
            bootstrap=bootstrap,
            oob_score=oob_score,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
            warm_start=warm_start,
        )
        self.voting = voting

    def _checked_base(self):
        base, name = super()._checked_base(), type(self).__name__
        if self.voting not in ("hard", "soft"):
            raise ValueError(f"{name}: voting is {self.voting!r}, expected 'hard' or 'soft'")
        if self.voting == "soft" and not hasattr(base, "predict_proba"):
            raise ValueError(
                f"{name}: voting='soft' adds up predict_proba, which {type(base).__name__} does "
                "not have; use voting='hard'"
            )
        return base

    def _target(self, y, declared, weight):
        """Set ``classes_``; return y as codes 0 … K−1."""
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if declared is not None:
            y = as_declared(y, declared)
            self.classes_ = np.asarray(declared[declared.isin(y)])
            codes = pd.Index(self.classes_).get_indexer(y)
        there = np.unique(codes if weight is None else codes[weight > 0])
        if len(there) < 2:
            raise ValueError(
                f"{type(self).__name__}: y has one class only, {str(self.classes_[there[0]])!r}; a "
                "classifier needs two classes or more"
            )
        return codes

    @property
    def _say(self):
        return say_class if self.voting == "hard" else say_probabilities

    def _nothing(self, n):
        """Return no votes yet, (n, K)."""
        return np.zeros((n, len(self.classes_)), dtype=int if self.voting == "hard" else float)

    def _answer(self, votes, t):
        return self.classes_[majority(votes)]

    def predict_proba(self, X):
        """Return the share of the votes for each class, (n, K); soft: the mean probability."""
        return deque(self._staged(X), maxlen=1)[0] / len(self.estimators_)


class BaggingRegressor(RegressorMixin, _Bagging):
    """Mean of learners trained on bootstrap samples.

    Parameters
    ----------
    estimator, n_estimators, …, warm_start : as in BaggingClassifier, with a regressor as estimator

    Attributes
    ----------
    estimators_, estimators_samples_, estimators_features_ : the T learners, their rows and columns
    oob_prediction_ : (N,) mean of the learners that have not seen the row; NaN if all have
    oob_error_, oob_score_ : mean squared error, and R², of the rows that have an oob_prediction_
    oob_curve_ : (T,) the mean squared error of the first 1, 2, … T learners
    n_never_oob_ : number of rows that were never out of bag; if there are some, a warning says so

    Examples
    --------
    >>> x = np.linspace(0, 6, 200)
    >>> y = np.sin(x) + np.random.default_rng(0).normal(0, 0.3, 200)
    >>> model = BaggingRegressor(oob_score=True, random_state=0).fit(x[:, None], y)
    >>> round(model.oob_error_, 3), round(model.oob_score_, 2)
    (0.12, 0.81)
    """

    _kind, _default, _measure = "regressor", CARTRegressor, staticmethod(r2_score)
    _say = staticmethod(say_number)

    def _target(self, y, declared, weight):
        return np.asarray(y, dtype=float)

    def _nothing(self, n):
        """Return no sum yet, (n,)."""
        return np.zeros(n)

    def _answer(self, sums, t):
        return sums / t
