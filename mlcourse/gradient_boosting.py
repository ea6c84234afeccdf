"""How does a sum of small trees learn? Each one steps downhill on the loss of those before it.

Lecture 08 (Friedman 2001, 2002). With a loss L, a learning rate ν and M rounds:

    F_0(x) = argmin_ρ Σ L(y_i, ρ)                                  start from a constant
    for m = 1 … M:
        ỹ_i = −∂L(y_i, F)/∂F at F = F_{m−1}(x_i)                   the pseudo-residuals
        fit a tree to ỹ by least squares: leaves R_1 … R_J
        γ_j = argmin_γ Σ_{x_i in R_j} L(y_i, F_{m−1}(x_i) + γ)     a line search in each leaf
        F_m(x) = F_{m−1}(x) + ν·γ_j for x in R_j
    output F_M

So F_M = F_0 + ν Σ h_m: the initial constant, the learning rate and the line search belong to the
sum. This is gradient descent on the loss, with a tree for the step. Each tree corrects the whole
ensemble before it, and only for squared error does it fit residuals in the everyday sense.

Splits are found among at most 256 bins per column (mlcourse.binning), or exactly.
"""

from dataclasses import replace
from numbers import Integral, Real

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from mlcourse import losses
from mlcourse.binning import MOST_BINS, BinnedGrower, BinnedSplitter, ExactGrower
from mlcourse.columns import Columns, columns_of
from mlcourse.learner import TableModel, class_codes
from mlcourse.stack import Stack

__all__ = ["GradientBoostingClassifier", "GradientBoostingRegressor"]

MOST_LEVELS = 10  # of a binned tree: its tables grow with 2^depth
BLOCK = 1 << 16  # rows times trees that are predicted at once
CRITERIA = {"squared_error": "variance", "misclassification": "misclassification"}
RULES = {  # what each parameter may be: its type, a test, and both in words
    "learning_rate": (Real, lambda value: value > 0, "a number above 0"),
    "n_estimators": (Integral, lambda value: value >= 1, "a whole number ≥ 1"),
    "subsample": (Real, lambda value: 0 < value <= 1, "a number above 0 and at most 1"),
    "criterion": (str, CRITERIA.__contains__, f"one of {list(CRITERIA)}"),
    "min_samples_split": (Integral, lambda value: value >= 2, "a whole number ≥ 2"),
    "min_samples_leaf": (Integral, lambda value: value >= 1, "a whole number ≥ 1"),
    "max_depth": (Integral, lambda value: value >= 1, "None or a whole number ≥ 1"),
    "max_leaf_nodes": (Integral, lambda value: value >= 2, "None or a whole number ≥ 2"),
    "init": (str, lambda value: value == "zero", "None or 'zero'"),
    "alpha": (Real, lambda value: 0 < value < 1, "a number above 0 and below 1"),
    "n_iter_no_change": (Integral, lambda value: value >= 1, "None or a whole number ≥ 1"),
    "validation_fraction": (Real, lambda value: 0 < value < 1, "a number above 0 and below 1"),
    "tol": (Real, lambda value: value >= 0, "a number ≥ 0"),
    "max_bins": (Integral, range(2, MOST_BINS + 1).__contains__, f"None or 2 to {MOST_BINS}"),
}

PARAMETERS = """
    Parameters
    ----------
    loss : see the losses of mlcourse.losses
    learning_rate : ν, the share of each step that is taken
    n_estimators : M, the number of rounds
    subsample : share of the rows, drawn without replacement, that each tree is grown on
    criterion : "squared_error": trees fit the pseudo-residuals by least squares, each leaf has its
        own step. "misclassification" (two classes): trees of ±1 that agree with the signs of the
        pseudo-residuals, weighted by size, and one step for the whole tree (Mason et al. 2000).
        With exponential loss, learning_rate=1 and init="zero" this is AdaBoost
    max_depth, min_samples_split, min_samples_leaf, max_leaf_nodes : limits of each tree
    init : "zero" starts from 0 instead of the best constant
    n_iter_no_change : stop when so many rounds did not lower the loss of a held-out share
        ``validation_fraction`` of the rows by more than ``tol``; None: never
    max_bins : bins per column, up to 256; None: exact splits, which also take categories
    random_state : seed of the subsamples and of the held-out share

    Attributes
    ----------
    initial_ : F_0
    estimators_ : (rounds, K) array of Trees, one per class and round (one for two classes). A leaf
        answers with its step γ, an inner node with its mean pseudo-residual
    train_score_, validation_score_ : mean loss after each round
"""


class _GradientBoosting(TableModel):
    """What the two models share."""

    criterion = "squared_error"  # unless a model has it as a parameter

    def __sklearn_tags__(self):
        """Tell scikit-learn what this model takes: categories have no bins."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = self.max_bins is None
        return tags

    def _check_parameters(self):
        """Refuse parameters that make no sense, with a sentence."""
        name = type(self).__name__
        loss = {"loss": (str, self._losses.__contains__, f"one of {list(self._losses)}")}
        for parameter, (kind, right, expected) in (loss | RULES).items():
            value = getattr(self, parameter, None)
            if value is None and (expected.startswith("None") or not hasattr(self, parameter)):
                continue
            if not isinstance(value, kind) or not right(value):
                raise ValueError(f"{name}: {parameter} is {value!r}, expected {expected}")
        limits = [self.max_depth, self.max_leaf_nodes and self.max_leaf_nodes - 1]
        self._depth = min([limit for limit in limits if limit is not None], default=None)
        if self.max_bins is not None and (self._depth is None or self._depth > MOST_LEVELS):
            raise ValueError(
                f"{name}: binned trees have at most {MOST_LEVELS} levels; give max_depth ≤ "
                f"{MOST_LEVELS} or fewer max_leaf_nodes, or max_bins=None for exact splits"
            )

    def fit(self, X, y, sample_weight=None):
        """Start from a constant and add tree after tree.

        X is an (N, d) table of numbers (max_bins=None: of categories too), y (N,) holds numbers
        or labels; a row with ``sample_weight`` 2 counts like two rows.
        """
        self._check_parameters()
        name = type(self).__name__
        columns, target, weight, _ = self._prepared(X, y, sample_weight)
        if self.max_bins is not None and not columns.numeric.all():
            column = columns.names[int(np.argmin(columns.numeric))]
            raise ValueError(
                f"{name}: column {column!r} holds categories, which have no bins; encode it as "
                "numbers, or set max_bins=None for exact splits"
            )
        if self.criterion == "misclassification" and self.loss_.n_scores > 1:
            raise ValueError(f"{name}: criterion='misclassification' is for two classes")
        random = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        held = None
        if self.n_iter_no_change is not None:
            train, held = train_test_split(
                np.arange(len(target)),
                test_size=self.validation_fraction,
                stratify=target if hasattr(self, "classes_") else None,
                random_state=int(random.integers(2**31)),
            )
            held = columns.values[:, held], target[held], None if weight is None else weight[held]
            values = np.ascontiguousarray(columns.values[:, train])
            columns, target = Columns(values, columns.names, columns.categories), target[train]
            weight = None if weight is None else weight[train]
        self._boost(columns, target, weight, held, random)
        return self

    def _boost(self, columns, y, weight, held, random):
        """Run Friedman's rounds; sets ``initial_``, ``estimators_`` and the scores."""
        n, loss, rounds = len(y), self.loss_, []
        self.initial_ = 0.0 * loss.initial(y, weight) if self.init else loss.initial(y, weight)
        grower, F = self._grower(columns, weight), self._start(n)
        held_F = None if held is None else self._start(len(held[1]))
        self.train_score_, self.validation_score_ = [], []
        for _ in range(self.n_estimators):
            loss = loss.adapted(y, F, weight)
            residuals = loss.negative_gradient(y, F)
            rows = None
            if self.subsample < 1:
                rows = np.sort(random.permutation(n)[: max(1, int(self.subsample * n))])
            trees = []
            for c in range(loss.n_scores):
                residual, score = (a if a.ndim == 1 else a[:, c] for a in (residuals, F))
                tree, ends = grower.grow(np.ascontiguousarray(residual), rows)
                if ends is None:
                    ends = Stack([tree]).ends(columns.values)[0]
                tree = self._with_steps(loss, tree, ends, rows, y, score, residual, weight)
                score += self.learning_rate * tree.value[:, 0].take(ends)  # changes F
                trees.append(tree)
            rounds.append(trees)
            self.train_score_.append(loss.mean(y, F, weight))
            if held is not None:
                held_F = self._add(held_F, Stack(trees).answers(held[0]))
                self.validation_score_.append(loss.mean(held[1], held_F, held[2]))
                if self._stalled():
                    break
        self.estimators_ = np.empty((len(rounds), loss.n_scores), dtype=object)
        self.estimators_[:] = rounds
        self.n_estimators_ = len(rounds)
        self.train_score_ = np.array(self.train_score_)
        self.validation_score_ = np.array(self.validation_score_)

    def _grower(self, columns, weight):
        """Return what grows the trees, on bins or exactly."""
        leaf = {"criterion": CRITERIA[self.criterion], "min_samples_leaf": self.min_samples_leaf}
        limits = {name: getattr(self, name) for name in ("min_samples_split", "max_leaf_nodes")}
        limits["max_depth"] = self._depth
        if self.max_bins is None:
            return ExactGrower(columns, weight, **leaf, **limits)
        splitter = BinnedSplitter(columns, weight, max_bins=self.max_bins, **leaf)
        return BinnedGrower(splitter, columns, **limits)

    def _with_steps(self, loss, tree, ends, rows, y, F, residual, weight):
        """Return the tree with the line search's step in each leaf, found on the drawn rows."""
        leaves = np.flatnonzero(tree.is_leaf)
        number = np.cumsum(tree.is_leaf) - 1  # node → leaf
        leaf = number.take(ends)
        if rows is not None:
            leaf, y, F, residual = leaf[rows], y[rows], F[rows], residual[rows]
            weight = None if weight is None else weight[rows]
        if self.criterion == "squared_error":
            steps = loss.line_search(y, F, residual, leaf, len(leaves), weight)
        else:  # h = ±1: seen along h, in y·h and F·h, all rows lie in one leaf
            sign = np.where(losses.sums(residual, leaf, len(leaves), weight) > 0, 1, -1)
            h = sign[leaf]
            along = np.where(h > 0, y, 1 - y), F * h, residual * h
            steps = sign * loss.line_search(*along, weight=weight)
        value = tree.value.copy()
        value[leaves, 0] = steps
        return replace(tree, value=value)

    def _start(self, n):
        """Return F_0 for n rows: (n,), or (n, K) for K > 2 classes."""
        return np.full((n, *np.shape(self.initial_)), self.initial_)

    def _add(self, F, answers):
        """Return F + ν·h for the answers (K, n) of one round."""
        return F + self.learning_rate * (answers[0] if F.ndim == 1 else answers.T)

    def _stalled(self):
        """Say whether the held-out loss is no lower than in any of the last rounds."""
        scores, patience = self.validation_score_, self.n_iter_no_change
        return len(scores) > patience and scores[-1] + self.tol >= max(scores[-patience - 1 : -1])

    def _stages(self, X):
        """Yield F_1, F_2 … for the rows of X."""
        check_is_fitted(self)
        values = columns_of(self, X, missing=False).values
        F = self._start(values.shape[1])
        for trees in self.estimators_:
            F = self._add(F, Stack(list(trees)).answers(values))
            yield F

    def _scores(self, X):
        """Return F_M for the rows of X, a block of rows at a time through all trees at once."""
        check_is_fitted(self)
        values = columns_of(self, X, missing=False).values
        stack, F = Stack(self.estimators_.ravel().tolist()), self._start(values.shape[1])
        step = max(1, BLOCK // self.estimators_.size)
        for first in range(0, len(F), step):
            block = slice(first, first + step)
            answers = stack.answers(np.ascontiguousarray(values[:, block]))
            for of_round in answers.reshape(*self.estimators_.shape, -1):
                F[block] = self._add(F[block], of_round)
        return F

    @property
    def feature_importances_(self):
        """Impurity removed by each feature in all trees, as a share of all, shape (d,)."""
        check_is_fitted(self)
        removed = sum(tree.removed() for tree in self.estimators_.ravel())
        return removed / (removed.sum() or 1.0)


class GradientBoostingRegressor(RegressorMixin, _GradientBoosting):
    """Sum of small regression trees for a number.

    ``loss`` is "squared_error", "absolute_error", "huber" or "quantile"; ``alpha`` belongs to the
    last two: the quantile that is asked for, or the share of rows that are no outliers.

    Examples
    --------
    >>> X, y = [[1], [2], [3], [4]], [5, 5, 9, 9]
    >>> model = GradientBoostingRegressor(n_estimators=2, learning_rate=0.5, max_depth=1).fit(X, y)
    >>> model.initial_, [p.tolist() for p in model.staged_predict([[1], [4]])]
    (7.0, [[6.0, 8.0], [5.5, 8.5]])
    """

    _losses = ("squared_error", "absolute_error", "huber", "quantile")

    def __init__(
        self,
        *,
        loss="squared_error",
        learning_rate=0.1,
        n_estimators=100,
        subsample=1.0,
        min_samples_split=2,
        min_samples_leaf=1,
        max_depth=3,
        max_leaf_nodes=None,
        init=None,
        alpha=0.9,
        n_iter_no_change=None,
        validation_fraction=0.1,
        tol=1e-4,
        max_bins=256,
        random_state=None,
    ):
        self.loss, self.learning_rate, self.n_estimators = loss, learning_rate, n_estimators
        self.subsample, self.min_samples_split = subsample, min_samples_split
        self.min_samples_leaf, self.max_depth = min_samples_leaf, max_depth
        self.max_leaf_nodes, self.init, self.alpha = max_leaf_nodes, init, alpha
        self.n_iter_no_change, self.validation_fraction = n_iter_no_change, validation_fraction
        self.tol, self.max_bins, self.random_state = tol, max_bins, random_state

    def _encoded(self, y, weight, declared):
        """Set the loss; return y as numbers."""
        make = getattr(losses, self.loss)
        self.loss_ = make(self.alpha) if self.loss in ("huber", "quantile") else make()
        return np.asarray(y, dtype=np.float64)

    def predict(self, X):
        """Return F_M of each row."""
        return self._scores(X)

    def staged_predict(self, X):
        """Yield the prediction after each round."""
        yield from self._stages(X)


class GradientBoostingClassifier(ClassifierMixin, _GradientBoosting):
    """Sum of small regression trees for the log-odds of the classes.

    ``loss`` is "log_loss" or, for two classes, "exponential", AdaBoost's.

    Examples
    --------
    >>> X, y = [[1], [2], [3], [4]], ["no", "no", "yes", "yes"]
    >>> model = GradientBoostingClassifier(n_estimators=10).fit(X, y)
    >>> model.predict([[1], [4]]).tolist(), model.predict_proba([[1], [4]]).round(2).tolist()
    (['no', 'yes'], [[0.82, 0.18], [0.18, 0.82]])
    """

    _losses = ("log_loss", "exponential")

    def __init__(
        self,
        *,
        loss="log_loss",
        learning_rate=0.1,
        n_estimators=100,
        subsample=1.0,
        criterion="squared_error",
        min_samples_split=2,
        min_samples_leaf=1,
        max_depth=3,
        max_leaf_nodes=None,
        init=None,
        n_iter_no_change=None,
        validation_fraction=0.1,
        tol=1e-4,
        max_bins=256,
        random_state=None,
    ):
        self.loss, self.learning_rate, self.n_estimators = loss, learning_rate, n_estimators
        self.subsample, self.criterion = subsample, criterion
        self.min_samples_split, self.min_samples_leaf = min_samples_split, min_samples_leaf
        self.max_depth, self.max_leaf_nodes, self.init = max_depth, max_leaf_nodes, init
        self.n_iter_no_change, self.validation_fraction = n_iter_no_change, validation_fraction
        self.tol, self.max_bins, self.random_state = tol, max_bins, random_state

    def _encoded(self, y, weight, declared):
        """Set ``classes_`` and the loss; return the codes of the classes."""
        self.classes_, codes = class_codes(type(self).__name__, y, weight, declared)
        K = len(self.classes_)
        if self.loss == "exponential" and K > 2:
            raise ValueError(
                f"{type(self).__name__}: loss='exponential' is for two classes, y has {K}; use "
                "loss='log_loss'"
            )
        self.loss_ = losses.log_loss(K) if self.loss == "log_loss" else losses.exponential()
        return codes

    def _labels(self, F):
        """Return the class of greatest score; of equal ones the first."""
        return self.classes_[(F > 0).astype(int) if F.ndim == 1 else F.argmax(axis=1)]

    def decision_function(self, X):
        """Return F_M: (n,), above 0 for the second of two classes, or (n, K)."""
        return self._scores(X)

    def predict(self, X):
        """Return the most likely class of each row."""
        return self._labels(self._scores(X))

    def predict_proba(self, X):
        """Return the class probabilities, shape (n, K)."""
        F = self._scores(X)
        return self.loss_.probability(F)

    def staged_decision_function(self, X):
        """Yield the scores after each round."""
        yield from self._stages(X)

    def staged_predict(self, X):
        """Yield the classes after each round."""
        yield from map(self._labels, self._stages(X))

    def staged_predict_proba(self, X):
        """Yield the class probabilities after each round."""
        yield from (self.loss_.probability(F) for F in self._stages(X))


for model in (GradientBoostingRegressor, GradientBoostingClassifier):
    model.__doc__ += PARAMETERS
