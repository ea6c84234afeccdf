"""How does CART learn a tree? By the best binary split, one after the other.

Lecture 02 (Breiman, Friedman, Olshen and Stone 1984). Every question has two answers: a number is
at most t or above, a category lies in a subset or not. Classification takes the split that removes
most Gini impurity (or entropy, or misclassification), regression the one that removes most
variance; a leaf answers with the majority or the mean.
"""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state, compute_class_weight

from mlcourse.complexity import cut_at
from mlcourse.growing import Grower
from mlcourse.learner import TreeClassifier, TreeRegressor

__all__ = ["CARTClassifier", "CARTRegressor"]


class _CART:
    """What the two CART models share: the parameters and how to grow."""

    _parameters = """
    Parameters
    ----------
    criterion : how impurity is measured
    max_depth : most tests on a path; None for no limit
    min_samples_split : fewest cases a node needs to be split
    min_samples_leaf : fewest cases on each side of a split
    max_leaf_nodes : most leaves; the tree then grows where most impurity is removed first
    ccp_alpha : cost of a leaf; the tree is pruned to least risk + ccp_alpha · leaves
    max_features : columns drawn at random for each split: a number, a share, "sqrt", "log2"
    random_state : seed of that draw
    """

    def _checked(self):
        """Return the parameters of the grower; a bad one gets a sentence."""
        name = type(self).__name__
        for parameter, least in [("min_samples_split", 2), ("min_samples_leaf", 1)]:
            value = getattr(self, parameter)
            if not isinstance(value, Integral) or value < least:
                raise ValueError(
                    f"{name}: {parameter} is {value!r}, expected a whole number ≥ {least}"
                )
        for parameter, least in [("max_depth", 1), ("max_leaf_nodes", 2)]:
            value = getattr(self, parameter)
            if value is not None and (not isinstance(value, Integral) or value < least):
                raise ValueError(
                    f"{name}: {parameter} is {value!r}, expected None or a whole number ≥ {least}"
                )
        if not isinstance(self.ccp_alpha, Real) or not self.ccp_alpha >= 0:
            raise ValueError(f"{name}: ccp_alpha is {self.ccp_alpha!r}, expected a number ≥ 0")
        if self.criterion not in self._criteria:
            raise ValueError(
                f"{name}: criterion is {self.criterion!r}, expected one of {list(self._criteria)}"
            )
        return {
            "criterion": self._criteria[self.criterion],
            "max_depth": self.max_depth,
            "min_samples_split": self.min_samples_split,
            "min_samples_leaf": self.min_samples_leaf,
            "max_leaf_nodes": self.max_leaf_nodes,
            "max_features": self._n_drawn(),
        }

    def _n_drawn(self):
        """Return how many columns are drawn for each split, or None for all."""
        d, wanted = self.n_features_in_, self.max_features
        if wanted is None:
            return None
        if wanted in ("sqrt", "log2"):
            return max(1, int(np.sqrt(d) if wanted == "sqrt" else np.log2(d)))
        if isinstance(wanted, Integral) and 1 <= wanted <= d:
            return int(wanted)
        if isinstance(wanted, Real) and 0 < wanted <= 1:
            return max(1, int(wanted * d))
        raise ValueError(
            f"{type(self).__name__}: max_features is {wanted!r}, expected None, 'sqrt', 'log2', a "
            f"number from 1 to {d} or a share of at most 1"
        )

    def _grow(self, columns, y, weight):
        seed = check_random_state(self.random_state).randint(2**31)
        grower = Grower(
            columns,
            y,
            len(self.classes_) if hasattr(self, "classes_") else 0,
            weight=weight,
            random=np.random.default_rng(seed),
            **self._checked(),
        )
        tree = grower.grow()
        tree = self._named(tree)
        return cut_at(tree, self.ccp_alpha) if self.ccp_alpha > 0 else tree


class CARTClassifier(_CART, TreeClassifier):
    """Binary decision tree for classes.

    Examples
    --------
    >>> from mlcourse import load_kyphosis
    >>> X, y = load_kyphosis()
    >>> print(CARTClassifier(max_depth=1).fit(X, y).tree_.to_text())
    start <= 8.5: present (19/8)
    start > 8.5: absent (62/6)
    """

    _criteria = {name: name for name in ("gini", "entropy", "misclassification")}  # noqa: RUF012

    def __init__(
        self,
        *,
        criterion="gini",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_leaf_nodes=None,
        ccp_alpha=0.0,
        max_features=None,
        class_weight=None,
        random_state=None,
    ):
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.max_features = max_features
        self.class_weight = class_weight
        self.random_state = random_state

    def _weighted(self, target, weight):
        if self.class_weight is None:
            return weight
        of_class = compute_class_weight(
            self.class_weight, classes=self.classes_, y=self.classes_[target]
        )
        return of_class[target] * (1.0 if weight is None else weight)


class CARTRegressor(_CART, TreeRegressor):
    """Binary regression tree: a staircase of means.

    Examples
    --------
    >>> tree = CARTRegressor(max_depth=1).fit([[1], [2], [3], [4]], [5, 5, 9, 9]).tree_
    >>> print(tree.to_text())
    x0 <= 2.5: 5 (2)
    x0 > 2.5: 9 (2)
    """

    _criteria = {"squared_error": "variance", "variance": "variance"}  # noqa: RUF012

    def __init__(
        self,
        *,
        criterion="squared_error",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_leaf_nodes=None,
        ccp_alpha=0.0,
        max_features=None,
        random_state=None,
    ):
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.max_features = max_features
        self.random_state = random_state

    def _named(self, tree):
        return tree
