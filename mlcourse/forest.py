"""Why ask for so little at each split? Trees that differ more err together less.

Lecture 06 (Breiman 2001). A random forest is bagging of trees with one more source of chance:

    for t = 1 … T:  draw D_t, N rows of D with replacement, and grow a tree h_t on D_t, unpruned;
                    at every node look only at a few columns, drawn anew
    classes         H(x) = argmax_c Σ_t 1[h_t(x) = c]
    numbers         H(x) = (1/T) Σ_t h_t(x)

The mean of T trees of variance σ² and correlation ρ has the variance ρσ² + (1 − ρ)σ²/T. More trees
lower the second term, and only that; drawing columns lowers ρ. How many columns: √d for classes
and d/3 for numbers is usual, Breiman also tried 1 and log2 d + 1.

*Random subspaces* (Ho 1998): all rows, but each tree sees only a random half of the columns.

Out of bag, as in mlcourse.bagging: a row is judged by the trees that have not seen it.
All trees of a batch grow at once (mlcourse.grove); a tree depends on the seed and its number
only, so the same forest grows on one core, on many (``n_jobs=-1``), or on a Dask cluster:

    client = dask.distributed.Client("address-of-the-scheduler:8786")
    with joblib.parallel_config(backend="dask"):
        model = RandomForestClassifier(random_state=0).fit(X, y)
"""

from dataclasses import replace

import numpy as np
import pandas as pd
from sklearn.base import ClassifierMixin, RegressorMixin

from mlcourse.cart import CARTClassifier, CARTRegressor, class_weighted
from mlcourse.forestry import Forest
from mlcourse.learner import class_codes
from mlcourse.tree import majority

__all__ = ["RandomForestClassifier", "RandomForestRegressor", "RandomSubspaceClassifier"]

PARAMETERS = """
    Parameters
    ----------
    n_estimators : T, the number of trees
    criterion : how impurity is measured: "gini" or "entropy"; "squared_error" for numbers
    max_features : columns drawn for each split: "sqrt", "log2", a number, a share, None for all. If
        all that were drawn are constant in the node, it goes on drawing until one is not
    max_depth, min_samples_split, min_samples_leaf, max_leaf_nodes : limits of each tree. The two
        in the middle count different rows: being drawn twice makes one row of weight 2
    bootstrap : draw the rows of each tree with replacement; else every tree gets all rows
    max_samples : rows drawn for each tree, a number or a share of N; None for N
    oob_score : compute what is out of bag
    n_jobs : as in joblib; the result is the same, bit for bit
    random_state : seed; tree t depends on it and on t alone
    verbose : 1 counts the trees on stderr
    warm_start : keep the trees of the last fit, and add some up to n_estimators
    class_weight : weights of the classes, as in scikit-learn: None, "balanced" or a dict
    voting : "hard", each tree has one vote, as in the lecture; "soft", the class shares of its leaf
        are its votes

    Attributes
    ----------
    trees_ : the T grown trees, each a Tree; ``estimators_`` are the same as CART models
    feature_importances_ : (d,) impurity removed by each column; see also permutation_importances
    oob_error_, oob_score_ : of the rows that were out of bag at least once
    oob_curve_ : (T,) the error of the first 1, 2, … T trees
    oob_votes_, oob_decision_function_ : (N, K) votes out of bag, and as shares; NaN for none
    oob_prediction_ : (N,) for numbers: the mean out of bag
    n_never_oob_ : number of rows that were never out of bag; if there are some, a warning says so
"""


class RandomForestClassifier(ClassifierMixin, Forest):
    """Trees that differ vote for a class.

    Examples
    --------
    >>> from mlcourse import CARTClassifier, make_twonorm
    >>> (X, y), (X_new, y_new) = (make_twonorm(n, random_state=n) for n in (300, 3000))
    >>> round(1 - CARTClassifier().fit(X, y).score(X_new, y_new), 3)  # error of one tree
    0.219
    >>> forest = RandomForestClassifier(oob_score=True, random_state=0).fit(X, y)
    >>> round(1 - forest.score(X_new, y_new), 3), round(forest.oob_error_, 3)
    (0.056, 0.057)
    """

    _base = CARTClassifier
    _criteria = {name: name for name in ("gini", "entropy")}  # noqa: RUF012

    def __init__(
        self,
        n_estimators=100,
        *,
        criterion="gini",
        max_features="sqrt",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_leaf_nodes=None,
        bootstrap=True,
        max_samples=None,
        oob_score=False,
        voting="hard",
        class_weight=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
        warm_start=False,
    ):
        self.n_estimators, self.criterion, self.max_features = n_estimators, criterion, max_features
        self.max_depth, self.min_samples_split = max_depth, min_samples_split
        self.min_samples_leaf, self.max_leaf_nodes = min_samples_leaf, max_leaf_nodes
        self.bootstrap, self.max_samples, self.oob_score = bootstrap, max_samples, oob_score
        self.voting, self.class_weight, self.n_jobs = voting, class_weight, n_jobs
        self.random_state, self.verbose, self.warm_start = random_state, verbose, warm_start

    def _checked(self):
        if self.voting not in ("hard", "soft"):
            raise ValueError(
                f"{type(self).__name__}: voting is {self.voting!r}, expected 'hard' or 'soft'"
            )
        return super()._checked()

    def _encoded(self, y, weight, declared):
        self.classes_, codes = class_codes(type(self).__name__, y, weight, declared)
        return codes

    def _coded(self, y):
        return pd.Index(self.classes_).get_indexer(y)

    def _weighted(self, target, weight):
        return class_weighted(self, target, weight)

    def _named(self, tree):
        return replace(tree, classes=tuple(self.classes_.tolist()))

    def _nothing(self, n):
        """Return no votes yet, (n, K)."""
        return np.zeros((n, len(self.classes_)), dtype=int if self.voting == "hard" else float)

    def _answers(self, value):
        """Return what nodes of class weights ``value`` (M, K) answer: a class, or the shares."""
        if self.voting == "hard":
            return majority(value)
        return value / value.sum(axis=1, keepdims=True)

    def _answer(self, votes, t):
        return self.classes_[majority(votes)]

    def _loss(self, answers, y):
        return (answers if answers.ndim == 1 else majority(answers)) != y

    def predict_proba(self, X):
        """Return the share of the votes for each class, (n, K); soft: the mean of the shares."""
        *_, votes = self._staged(X)
        return votes / len(self.trees_)


class RandomSubspaceClassifier(RandomForestClassifier):
    """Trees on all rows but on random columns, the same in the whole tree, vote (Ho 1998).

    Examples
    --------
    >>> from mlcourse import make_twonorm
    >>> (X, y), (X_new, y_new) = (make_twonorm(n, random_state=n) for n in (300, 3000))
    >>> round(1 - RandomSubspaceClassifier(random_state=0).fit(X, y).score(X_new, y_new), 3)
    0.068
    """

    _per_tree = True

    def __init__(
        self,
        n_estimators=100,
        *,
        criterion="gini",
        max_features=0.5,
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_leaf_nodes=None,
        bootstrap=False,
        max_samples=None,
        oob_score=False,
        voting="hard",
        class_weight=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
        warm_start=False,
    ):
        given = {
            name: value for name, value in locals().items() if name not in ("self", "__class__")
        }
        super().__init__(**given)


class RandomForestRegressor(RegressorMixin, Forest):
    """Mean of trees that differ.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(0, 6, (300, 3))
    >>> y = np.sin(X[:, 0]) + X[:, 1] / 3
    >>> forest = RandomForestRegressor(max_features=2, oob_score=True, random_state=0).fit(X, y)
    >>> round(forest.oob_score_, 2), round(forest.score(X, y), 2)
    (0.98, 1.0)
    """

    _base = CARTRegressor
    _criteria = {"squared_error": "variance"}  # noqa: RUF012

    def __init__(
        self,
        n_estimators=100,
        *,
        criterion="squared_error",
        max_features=1 / 3,
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_leaf_nodes=None,
        bootstrap=True,
        max_samples=None,
        oob_score=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        warm_start=False,
    ):
        self.n_estimators, self.criterion, self.max_features = n_estimators, criterion, max_features
        self.max_depth, self.min_samples_split = max_depth, min_samples_split
        self.min_samples_leaf, self.max_leaf_nodes = min_samples_leaf, max_leaf_nodes
        self.bootstrap, self.max_samples, self.oob_score = bootstrap, max_samples, oob_score
        self.n_jobs, self.random_state = n_jobs, random_state
        self.verbose, self.warm_start = verbose, warm_start

    def _encoded(self, y, weight, declared):
        return np.asarray(y, dtype=np.float64)

    def _coded(self, y):
        return np.asarray(y, dtype=np.float64)

    def _named(self, tree):
        return tree

    def _nothing(self, n):
        """Return no sum yet, (n,)."""
        return np.zeros(n)

    def _answers(self, value):
        return value[:, 0]

    def _answer(self, sums, t):
        return sums / t

    def _loss(self, answers, y):
        return (answers - y) ** 2


for model in (RandomForestClassifier, RandomForestRegressor, RandomSubspaceClassifier):
    model.__doc__ += PARAMETERS
