"""How does a weighted vote answer? With the class that collects most of it.

Lecture 07. Learners h_1 … h_T answer with a class each and carry weights α_t. With two classes as
-1 and +1 the ensemble is the sign of F(x) = Σ_t α_t h_t(x); with K classes it is the class k with
the largest Σ_t α_t · 1(h_t(x) = k), which for K = 2 is the same. The sums grow round by round, so
the answers after each round (*staged*) cost no more than those after the last.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from mlcourse.tree import majority

__all__ = []

ROUNDING = 1e-10  # a lead in votes below this share of them is none


class WeightedVote(ClassifierMixin, BaseEstimator):
    """An ensemble with ``classes_``, ``estimators_`` and their votes ``alphas_``.

    A subclass has ``_answers(X)``: the number of rows and an iterator over the learners' answers,
    each (n,) codes of classes.
    """

    def _staged(self, X):
        """Yield Σ_t α_t · 1(h_t = k), (n, K), before round 1 and after each: one growing array."""
        check_is_fitted(self)
        n, answers = self._answers(X)
        sums = np.zeros((n, len(self.classes_)))
        flat, first = sums.reshape(-1), np.arange(n) * len(self.classes_)
        yield sums
        for alpha, answer in zip(self.alphas_, answers, strict=True):
            flat[first + answer] += alpha
            yield sums

    def _last(self, X):
        return deque(self._staged(X), maxlen=1)[0]

    def _after_rounds(self, X):
        rounds = self._staged(X)
        next(rounds)
        return rounds

    def _decision(self, sums):
        K = len(self.classes_)
        if K > 2:  # 1 for the class a learner names, -1/(K-1) for the others: they sum to 0
            return (K * sums - sums.sum(axis=1, keepdims=True)) / (K - 1)
        lead = sums[:, 1] - sums[:, 0]
        return np.where(np.abs(lead) <= ROUNDING * sums.max(axis=1), 0.0, lead)

    def decision_function(self, X):
        """Return F(x) = Σ_t α_t h_t(x): (n,) for two classes, or (n, K), each row with sum 0."""
        sums = self._last(X)
        return self._decision(sums)

    def staged_decision_function(self, X):
        """Yield F after each round."""
        for sums in self._after_rounds(X):
            yield self._decision(sums)

    def predict(self, X):
        """Return the class with the largest sum of votes; of equal ones the first."""
        sums = self._last(X)
        return self.classes_[majority(sums)]

    def staged_predict(self, X):
        """Yield the answers after each round."""
        for sums in self._after_rounds(X):
            yield self.classes_[majority(sums)]

    def staged_score(self, X, y, sample_weight=None):
        """Yield the accuracy after each round."""
        y = np.asarray(y)
        for answer in self.staged_predict(X):
            yield float(np.average(answer == y, weights=sample_weight))

    def votes(self, X):
        """Return the share of the votes for each class, (n, K)."""
        return _shares(self._last(X))

    def staged_votes(self, X):
        """Yield the shares of the votes after each round."""
        for sums in self._after_rounds(X):
            yield _shares(sums)

    def predict_proba(self, X):
        """Return what the exponential loss says of each class, (n, K): rarely a good probability.

        Its minimiser is F = ½ ln(P(+1|x) / P(-1|x)), so P(+1|x) = 1 / (1 + exp(-2 F(x))); with K
        classes P(k|x) ∝ exp(2 Σ_t α_t 1(h_t(x) = k)).
        """
        sums = self._last(X)
        if len(self.classes_) > 2:
            return softmax(2 * sums, axis=1)
        positive = expit(2 * self._decision(sums))
        return np.column_stack([1 - positive, positive])

    @property
    def feature_importances_(self):
        """Importances of the learners, averaged with their votes as weights, (d,)."""
        check_is_fitted(self)
        if not self.estimators_:
            return np.zeros(self.n_features_in_)
        each = [learner.feature_importances_ for learner in self.estimators_]
        return np.average(each, axis=0, weights=self.alphas_)


def _shares(sums):
    """Return the rows of an (n, K) array divided by their sums, if these are not 0."""
    given = sums.sum(axis=1, keepdims=True)
    return sums / np.where(given > 0, given, 1.0)


@dataclass(frozen=True)
class ThreeLearners:
    """Three learners that vote: what ``three_learner_boost`` returns."""

    estimators_: tuple  # three learners; only the first if it was never wrong
    samples_: tuple  # the rows on which each was fitted
    classes_: np.ndarray

    def predict(self, X):
        """Return the majority of the three: where the first two disagree, the third decides."""
        first, *others = (learner.predict(X) for learner in self.estimators_)
        if not others:
            return first
        return np.where(first == others[0], first, others[-1])

    def score(self, X, y):
        """Return the accuracy."""
        return float(np.mean(self.predict(X) == np.asarray(y)))


@dataclass(frozen=True)
class Always:
    """Learner for a sample of one class."""

    answer: object

    def predict(self, X):
        """Return that class for every row."""
        return np.full(np.shape(X)[0], self.answer)
