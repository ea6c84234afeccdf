"""How do many weak learners make a strong one? Each looks at what those before it got wrong.

Lecture 07 (Freund and Schapire 1997). With y and h in {-1, +1} and weights w_i = 1/N at first,
round t fits h_t to the weighted examples and takes

    ε_t = Σ_i w_i · 1(h_t(x_i) ≠ y_i)         its weighted error,
    α_t = ½ ln((1 - ε_t) / ε_t)               its vote, from the exponential loss,
    w_i ← w_i · exp(-α_t y_i h_t(x_i)) / Z_t  with Z_t = 2 √(ε_t (1 - ε_t)), so that Σ w_i = 1.

The ensemble is sign(F(x)), F(x) = Σ_t α_t h_t(x). Of N examples it gets at most the share
(1/N) Σ exp(-y_i F(x_i)) = Π Z_t wrong. Without the ½, and with exp(α·1(wrong)) as the update, the
weights and the votes are the same; only never mix the two ways.

K classes (SAMME; Zhu, Zou, Rosset and Hastie 2009): α_t gets ½ ln(K - 1) on top, the class with
the largest sum of votes wins, and guessing means ε = 1 - 1/K. The share of wrong examples stays
below Π Z_t, where y h is +1 if h is right and -1 if not; the bound is of use while ε < ½.

Lecture 002's first idea of boosting, with three learners, is three_learner_boost.
"""

import warnings
from numbers import Integral, Real

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.utils import _safe_indexing, check_random_state, column_or_1d, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    has_fit_parameter,
    validate_data,
)

from mlcourse.ballot import Always, ThreeLearners, WeightedVote
from mlcourse.columns import Columns, columns_of, fit_columns
from mlcourse.learner import as_declared
from mlcourse.stumps import DecisionStump, StumpSearch, numbers_only
from mlcourse.tree import majority

__all__ = ["AdaBoostClassifier", "three_learner_boost"]

GUESSING = 1e-10  # an edge over guessing below this is rounding
LEAST_ERROR = 1e-10  # of a learner with mistakes: its α is at most ½ ln 10¹⁰ = 11.5
FAINTEST = 1e-12  # share of the largest weight that every example has when a learner is fitted
DRAWS = 100  # resamples of one class only that are drawn again


class AdaBoostClassifier(WeightedVote):
    """AdaBoost: weighted vote of learners, each fitted to the mistakes of those before it.

    Parameters
    ----------
    estimator : the base learner; None for the stump of least weighted error (DecisionStump),
        which is found for all rounds with one sort of each column
    n_estimators : T, the most rounds
    learning_rate : ν, the share of α_t that is taken (in the votes and in the weights)
    resample : fit on N examples drawn with replacement, with probability w_i, instead of weighting
        them; always so if ``fit`` of the base learner takes no ``sample_weight``
    regularization : C ≥ 0 of soft margins for noisy data; 0 for plain AdaBoost. See Notes
    store_weights : keep ``weights_``; False saves T · N · 8 bytes
    random_state : seed of the resampling and of base learners that draw random numbers

    Attributes
    ----------
    estimators_ : the learners, T or fewer
    errors_, alphas_, normalizers_ : (T,) ε_t, α_t (times the learning rate) and Z_t
    weights_ : (T, N) the weights with which each learner was fitted; None if not stored
    training_error_bound_ : (T,) after each round: (1/N) Σ exp(-y F), which is Π Z_t unless C > 0
    stop_reason_ : why there are no more rounds
    classes_ : the labels; the second one of two is +1

    Notes
    -----
    It stops, without the learner, if ε_t is no better than guessing; such a learner would get no
    vote, and change no weight, for ever. It stops with a learner that makes no mistakes: α would
    be infinite, so it gets 1 + the sum of all votes before, and decides alone. (A learner whose
    mistakes weigh next to nothing gets no more than the vote of ε = 1e-10, which is 11.5.)

    C > 0 is AdaBoost_Reg of Rätsch, Onoda and Müller, "Soft margins for AdaBoost", Machine
    Learning 42 (2001) 287–320. An example that stays heavy is mistrusted: its margin gets slack in
    proportion to all the weight it had, and the loss that is driven down is

        Σ_i v_i · exp(-y_i F(x_i) - C Σ_{r ≤ t} α_r w_i⁽ʳ⁾ / v_i),   v the weights at the start.

    w/v is 1 for an example that is as heavy as at the start (the paper's w is not divided by
    v = 1/N, so its C is N times ours). The one departure: while α_t is chosen the slack is held,
    so that α_t = ½ ln((1 - ε_t)/ε_t) as ever; the paper searches along a line on which the slack
    grows with α_t (that search has no end once C w/v ≥ 1 for every mistake).

    Examples
    --------
    Ten points on a line (Li Hang, *Statistical learning methods*, example 8.1):

    >>> X, y = np.arange(10)[:, None], [1, 1, 1, -1, -1, -1, 1, 1, 1, -1]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> [float(stump.tree_.threshold[0]) for stump in model.estimators_]
    [2.5, 8.5, 5.5]
    >>> model.alphas_.round(4)
    array([0.4236, 0.6496, 0.752 ])
    >>> [round(10 - 10 * score) for score in model.staged_score(X, y)]
    [3, 3, 0]
    """

    def __init__(
        self,
        estimator=None,
        *,
        n_estimators=50,
        learning_rate=1.0,
        resample=False,
        regularization=0.0,
        store_weights=True,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.resample = resample
        self.regularization = regularization
        self.store_weights = store_weights
        self.random_state = random_state

    def __sklearn_tags__(self):
        """Tell scikit-learn what this model takes: what its base learner takes."""
        tags = super().__sklearn_tags__()
        if self.estimator is not None:
            tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    # Learning ------------------------------------------------------------------------------------

    def fit(self, X, y, sample_weight=None):
        """Boost.

        ``sample_weight`` (N,) are the weights at the start; a row of weight 2 counts like two
        rows. The default stump takes numbers only, another learner what it takes itself.
        """
        self._check_parameters()
        declared = getattr(getattr(y, "dtype", None), "categories", None)
        X, y = self._checked(X, y)
        start = _check_sample_weight(sample_weight, y, dtype=np.float64, ensure_non_negative=True)
        there = np.flatnonzero(start > 0)  # weight 0: the row is not there
        if not there.size:
            raise ValueError(f"{type(self).__name__}: sample_weight is zero for every row")
        n_rows = len(y)
        if there.size < n_rows:
            y, start = y[there], start[there]
            if self.estimator is None:
                X = Columns(X.values[:, there], X.names, X.categories)
            else:
                X = _safe_indexing(X, there)
        codes = self._encoded(y, declared)
        self._asked = []  # column, threshold and the two answers of each default stump
        learn = self._stumps(X, codes) if self.estimator is None else self._learners(X, y)
        self._boost(learn, codes, start / start.sum())
        if there.size < n_rows and self.store_weights:
            stored = np.zeros((len(self.weights_), n_rows))
            stored[:, there] = self.weights_
            self.weights_ = stored
        return self

    def _boost(self, learn, codes, start):
        """Run the rounds; ``learn(weight)`` returns a fitted learner and its answers (N,)."""
        K, C = len(self.classes_), float(self.regularization)
        self.estimators_, weights, rounds, bounds = [], [], [], []
        weight, margin = start, np.zeros(len(start))  # margin: Σ_t α_t y h_t so far
        self.stop_reason_ = f"all {self.n_estimators} rounds were run"
        for t in range(1, self.n_estimators + 1):
            learner, answer = learn(weight)
            wrong = answer != codes
            epsilon = float(weight @ wrong)
            if epsilon >= 1 - 1 / K - GUESSING:
                self.stop_reason_ = (
                    f"round {t}: the learner's weighted error is {epsilon:.6g}, no better than "
                    f"guessing ({1 - 1 / K:.6g})"
                )
                break
            if wrong.any():
                odds = (1 - epsilon) / max(epsilon, LEAST_ERROR)
                alpha = self.learning_rate * 0.5 * (np.log(odds) + np.log(K - 1))
            else:
                alpha = 1.0 + sum(alpha for _, alpha, _ in rounds)
            self.estimators_.append(learner)
            if self.store_weights:
                weights.append(weight)
            agreement = 1.0 - 2.0 * wrong  # y h
            if C:
                margin += alpha * agreement
                bounds.append(float(start @ np.exp(np.minimum(-margin, 700.0))))
                slack = C * weight / start
                agreement += slack - slack.min()  # what all have makes no difference
            unscaled = weight * np.exp(-alpha * agreement)
            normalizer = float(unscaled.sum())
            weight = unscaled / normalizer
            if C:  # an example may be forgiven, but is not forgotten
                weight = np.maximum(weight, LEAST_ERROR * start)
            rounds.append((epsilon, alpha, normalizer))
            if not wrong.any():
                self.stop_reason_ = f"round {t}: the learner makes no mistakes, so it decides alone"
                break
        self._asked = self._asked[: len(rounds)]
        self.errors_, self.alphas_, self.normalizers_ = np.array(rounds).reshape(-1, 3).T.copy()
        self.training_error_bound_ = np.array(bounds) if C else np.cumprod(self.normalizers_)
        self.weights_ = np.array(weights).reshape(-1, len(start)) if self.store_weights else None
        if not rounds:
            warnings.warn(
                f"{type(self).__name__} has no learners ({self.stop_reason_}) and answers "
                f"{self.classes_[0]!r} always; give a stronger estimator",
                stacklevel=3,
            )

    def _stumps(self, columns, codes):
        """Return the learner of the default: stumps that share one sort."""
        search, random = StumpSearch(columns.values, codes, len(self.classes_)), self._random()

        def learn(weight):
            if self.resample:  # a resample is a weight too: how often each row was drawn
                column, threshold, sides = search.best(random.multinomial(len(codes), weight) * 1.0)
            else:
                column, threshold, sides = search.best(weight)
            below, above = majority(sides)
            self._asked.append((column, threshold, below, above))
            stump = DecisionStump.found(self, columns, column, threshold, sides)
            return stump, np.where(columns.values[column] > threshold, above, below)

        return learn

    def _learners(self, X, y):
        """Return the learner of a given estimator: by weights, or else by resampling."""
        weighted = has_fit_parameter(self.estimator, "sample_weight") and not self.resample
        random = self._random()

        def learn(weight):
            learner = _seeded(clone(self.estimator), random)
            if weighted:
                learner.fit(X, y, sample_weight=np.maximum(weight, FAINTEST * weight.max()))
            else:
                learner.fit(*_drawn(X, y, weight, random))
            return learner, self._codes(learner.predict(X))

        return learn

    def _random(self):
        return np.random.default_rng(check_random_state(self.random_state).randint(2**31))

    def _codes(self, labels):
        return pd.Index(self.classes_).get_indexer(np.asarray(labels))

    def _check_parameters(self):
        """Raise if a parameter makes no sense."""
        name = type(self).__name__
        if not isinstance(self.n_estimators, Integral) or self.n_estimators < 1:
            raise ValueError(
                f"{name}: n_estimators is {self.n_estimators!r}, expected a whole number ≥ 1"
            )
        if not isinstance(self.learning_rate, Real) or not 0 < self.learning_rate < np.inf:
            raise ValueError(
                f"{name}: learning_rate is {self.learning_rate!r}, expected a number > 0"
            )
        if not isinstance(self.regularization, Real) or not 0 <= self.regularization < np.inf:
            raise ValueError(
                f"{name}: regularization is {self.regularization!r}, expected a number ≥ 0"
            )
        if self.estimator is not None and not hasattr(self.estimator, "fit"):
            raise TypeError(
                f"{name}: estimator is {self.estimator!r}, expected None or a classifier with "
                "fit and predict, such as CARTClassifier(max_depth=2)"
            )

    def _checked(self, X, y):
        """Return the table, as Columns for stumps or as the base learner takes it, and y (N,)."""
        if self.estimator is None:
            columns, y = fit_columns(self, X, y, missing=False)
            numbers_only(self, columns)
            return columns, y
        if not isinstance(X, pd.DataFrame):
            return validate_data(self, X, y, **self._lenient())
        validate_data(self, X, y, skip_check_array=True)
        check_consistent_length(X, y)
        return X, column_or_1d(y, warn=True)

    def _lenient(self):
        """Return how much is left to the base learner to check: all that has a shape."""
        sparse = "csr" if get_tags(self.estimator).input_tags.sparse else False
        return {"accept_sparse": sparse, "dtype": None, "ensure_all_finite": False}

    def _encoded(self, y, declared):
        """Set ``classes_``: the labels in y, in the declared order if there is one, else sorted."""
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if declared is not None:
            y = as_declared(y, declared)
            self.classes_ = np.asarray(declared[declared.isin(y)])
            codes = self._codes(y)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__}: y has one class only, {str(self.classes_[0])!r}; a "
                "classifier needs two classes or more"
            )
        return codes

    def _answers(self, X):
        """Return the number of rows and the answers of each learner in turn, as codes."""
        if self.estimator is None:
            values = columns_of(self, X, missing=False).values
            return values.shape[1], (
                np.where(values[j] > t, above, below) for j, t, below, above in self._asked
            )
        if isinstance(X, pd.DataFrame):
            validate_data(self, X, reset=False, skip_check_array=True)
        else:
            X = validate_data(self, X, reset=False, **self._lenient())
        return X.shape[0], (self._codes(learner.predict(X)) for learner in self.estimators_)


def _seeded(learner, random):
    """Return the learner with a seed of its own, wherever it has a random_state."""
    names = sorted(learner.get_params(), key=str)
    seeds = [name for name in names if name.split("__")[-1] == "random_state"]
    return learner.set_params(**{name: int(random.integers(2**31)) for name in seeds})


def _drawn(X, y, weight, random):
    """Return N examples drawn with replacement by weight; again if all are of one class."""
    for _ in range(DRAWS):
        rows = random.choice(len(y), size=len(y), p=weight)
        if (y[rows] != y[rows[0]]).any():
            return _safe_indexing(X, rows), y[rows]
    raise ValueError(
        f"AdaBoostClassifier: {DRAWS} resamples in a row held one class only, because a few "
        "examples have nearly all the weight; use fewer rounds, or a learner that takes weights"
    )


# Three learners ----------------------------------------------------------------------------------


def three_learner_boost(estimator, X, y, *, share=1 / 3, random_state=None):
    """Boost as Schapire first did: three learners, the later two on what is hard for the others.

    1. f1 is fitted to a random sample without replacement: ``share`` of the examples.
    2. f2 is fitted to a sample of the other examples, half of which f1 gets wrong and half right
       (as many as there are, at most as many as f1 had): for f1 it is like tossing a coin.
    3. f3 is fitted to all examples on which f1 and f2 disagree.
    4. The majority of the three answers.

    Schapire, "The strength of weak learnability", Machine Learning 5 (1990) 197–227: if each errs
    with at most ε < ½ on its own distribution, the majority errs with at most 3ε² - 2ε³ < ε.

    Two classes. Returns a fitted model with ``predict``, ``score``, ``estimators_``, ``samples_``.

    Examples
    --------
    >>> from mlcourse import DecisionStump, make_twonorm
    >>> X, y = make_twonorm(900, random_state=0)
    >>> model = three_learner_boost(DecisionStump(), X[:600], y[:600], random_state=0)
    >>> [len(rows) for rows in model.samples_]
    [200, 200, 254]
    >>> [round(float(h.score(X[600:], y[600:])), 2) for h in model.estimators_]
    [0.64, 0.64, 0.64]
    >>> round(model.score(X[600:], y[600:]), 2)
    0.69
    """
    name = "three_learner_boost"
    if isinstance(X, (list, tuple)):
        X = np.asarray(X)
    y = column_or_1d(y)
    check_consistent_length(X, y)
    classes = np.unique(y)
    if len(classes) != 2:
        raise ValueError(f"{name}: y has {len(classes)} classes, expected two")
    if not isinstance(share, Real) or not 0 < share < 1:
        raise ValueError(f"{name}: share is {share!r}, expected a number between 0 and 1")
    random = np.random.default_rng(check_random_state(random_state).randint(2**31))
    order = random.permutation(len(y))
    n_first = min(max(2, round(share * len(y))), len(y))

    def fitted(rows):
        if (y[rows] == y[rows[0]]).all():
            return Always(y[rows[0]])
        return _seeded(clone(estimator), random).fit(_safe_indexing(X, rows), y[rows])

    first, rest = np.sort(order[:n_first]), order[n_first:]
    f1 = fitted(first)
    right = f1.predict(X) == y
    wrong_rest, right_rest = rest[~right[rest]], rest[right[rest]]
    half = min(len(wrong_rest), len(right_rest), max(1, n_first // 2))
    if half == 0:  # nothing to learn from: f1 is right, or wrong, on all other examples
        return ThreeLearners((f1,), (first,), classes)
    second = np.sort(np.concatenate([wrong_rest[:half], right_rest[:half]]))
    f2 = fitted(second)
    third = np.flatnonzero(f1.predict(X) != f2.predict(X))
    if not third.size:
        return ThreeLearners((f1, f2), (first, second), classes)
    return ThreeLearners((f1, f2, fitted(third)), (first, second, third), classes)
