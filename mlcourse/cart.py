"""How does CART learn a tree? By the best binary split, one after the other.

Lecture 02 (Breiman, Friedman, Olshen and Stone 1984). Every question has two answers: a number is
at most t or above, a category lies in a subset or not. Classification takes the split that removes
most Gini impurity (or entropy, or misclassification), regression the one that removes most
variance; a leaf answers with the majority or the mean.

With ``cp`` or ``surrogates`` the tree is that of R's rpart (mlcourse.rpart), else scikit-learn's.
"""

from dataclasses import replace
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state, compute_class_weight
from sklearn.utils.validation import check_is_fitted

from mlcourse.complexity import cut_at
from mlcourse.growing import Grower
from mlcourse.learner import TreeClassifier, TreeRegressor
from mlcourse.rpart import RpartGrower
from mlcourse.sizing import cp_table, cut_at_cp, importance

__all__ = ["CARTClassifier", "CARTRegressor"]


def checked_limits(model):
    """Return the criterion and the limits of growth of a model; a bad one gets a sentence."""
    name = type(model).__name__
    for parameter, least in [("min_samples_split", 2), ("min_samples_leaf", 1)]:
        value = getattr(model, parameter)
        if not isinstance(value, Integral) or value < least:
            raise ValueError(f"{name}: {parameter} is {value!r}, expected a whole number ≥ {least}")
    for parameter, least in [("max_depth", 1), ("max_leaf_nodes", 2)]:
        value = getattr(model, parameter)
        if value is not None and (not isinstance(value, Integral) or value < least):
            raise ValueError(
                f"{name}: {parameter} is {value!r}, expected None or a whole number ≥ {least}"
            )
    if model.criterion not in model._criteria:
        raise ValueError(
            f"{name}: criterion is {model.criterion!r}, expected one of {list(model._criteria)}"
        )
    return {
        "criterion": model._criteria[model.criterion],
        "max_depth": model.max_depth,
        "min_samples_split": model.min_samples_split,
        "min_samples_leaf": model.min_samples_leaf,
        "max_leaf_nodes": model.max_leaf_nodes,
    }


def class_weighted(model, target, weight):
    """Return the weights of the rows times those of their classes, ``model.class_weight``."""
    if model.class_weight is None:
        return weight
    labels = model.classes_[target]
    of_class = compute_class_weight(model.class_weight, classes=model.classes_, y=labels)
    return of_class[target] * (1.0 if weight is None else weight)


def n_drawn(name, wanted, d):
    """Return how many of d columns ``max_features`` means, or None for all; ``name`` asks."""
    if wanted is None:
        return None
    if wanted in ("sqrt", "log2"):
        return max(1, int(np.sqrt(d) if wanted == "sqrt" else np.log2(d)))
    if isinstance(wanted, Integral) and not isinstance(wanted, bool) and 1 <= wanted <= d:
        return int(wanted)
    if isinstance(wanted, Real) and not isinstance(wanted, Integral) and 0 < wanted <= 1:
        return max(1, int(wanted * d))
    raise ValueError(
        f"{name}: max_features is {wanted!r}, expected None, 'sqrt', 'log2', a whole number from 1 "
        f"to {d} or a share above 0 and at most 1.0"
    )


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
    cp : rpart's way to prune: a split is kept if it saves this share of the root's error (per
        split that hangs on it); see mlcourse.sizing. Not together with ccp_alpha
    max_features : columns drawn at random for each split: a number, a share, "sqrt", "log2"; if
        none of them can split the node, more are drawn until one can
    surrogates : surrogate splits kept per node; with one or more, values may be missing. With cp
        or surrogates every rule is rpart's, whose defaults are cp=0.01, surrogates=5,
        min_samples_split=20, min_samples_leaf=7, and whose trees are at most 30 deep; cp=None
        then keeps every split
    random_state : seed of that draw
    """

    def _checked(self):
        """Return the parameters of the grower; a bad one gets a sentence."""
        name, limits = type(self).__name__, checked_limits(self)
        if not isinstance(self.ccp_alpha, Real) or not self.ccp_alpha >= 0:
            raise ValueError(f"{name}: ccp_alpha is {self.ccp_alpha!r}, expected a number ≥ 0")
        if self.cp is not None and (not isinstance(self.cp, Real) or not self.cp >= 0):
            raise ValueError(f"{name}: cp is {self.cp!r}, expected None or a number ≥ 0")
        if self.cp is not None and self.ccp_alpha > 0:
            raise ValueError(f"{name}: cp and ccp_alpha are two ways to prune; give one of them")
        if not isinstance(self.surrogates, Integral) or self.surrogates < 0:
            raise ValueError(
                f"{name}: surrogates is {self.surrogates!r}, expected a whole number ≥ 0"
            )
        return limits | {"max_features": n_drawn(name, self.max_features, self.n_features_in_)}

    def _takes_missing(self):
        return isinstance(self.surrogates, Integral) and self.surrogates > 0

    def _grow(self, columns, y, weight):
        parameters = self._checked()
        self.__dict__.pop("cp_table_", None)
        if self.cp is not None or self.surrogates:
            if weight is None:  # rpart leaves out rows without any value, but only then
                there = ~np.isnan(columns.values).all(axis=0)
                columns, y = replace(columns, values=columns.values[:, there]), y[there]
            tree = self._rpart_tree(columns, y, weight)
            self.cp_table_ = cp_table(tree, self._least_cp)
        else:
            grower = self._grower(Grower, columns, y, weight, parameters, record=self._record)
            tree = self._named(self._grown(grower))
        return cut_at(tree, self.ccp_alpha) if self.ccp_alpha > 0 else tree

    def _grower(self, kind, columns, y, weight, parameters, **more):
        """Return a grower of this kind with the model's parameters."""
        seed = check_random_state(self.random_state).randint(2**31)
        n_classes = len(self.classes_) if hasattr(self, "classes_") else 0
        random = np.random.default_rng(seed)
        return kind(columns, y, n_classes, weight=weight, random=random, **parameters, **more)

    @property
    def _least_cp(self):
        return -1.0 if self.cp is None else float(self.cp)  # rpart's way to keep every split

    def _rpart_tree(self, columns, y, weight, whole=None, **more):
        """Return rpart's tree; ``whole`` is the risk that cp refers to, if not the root's."""
        more |= {"surrogates": self.surrogates, "cp": self._least_cp, "whole": whole}
        if whole is None:
            more["steps"] = np.array([scale is not None for scale in self._scales])
        parameters = self._checked() | {"max_depth": min(self.max_depth or 30, 30)}  # rpart's most
        grower = self._grower(RpartGrower, columns, y, weight, parameters, **more)
        return cut_at_cp(self._named(grower.grow()), self._least_cp, whole)

    @property
    def variable_importance_(self):
        """Improvement by each feature, as a primary or a surrogate split, largest first: rpart's.

        A Series by feature name; the amounts are impurity times weight (entropy: in nats with
        ``cp`` or ``surrogates``, as in rpart).
        """
        check_is_fitted(self)
        return importance(self.tree_)


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
        cp=None,
        max_features=None,
        surrogates=0,
        class_weight=None,
        random_state=None,
    ):
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.cp = cp
        self.max_features = max_features
        self.surrogates = surrogates
        self.class_weight = class_weight
        self.random_state = random_state

    def _weighted(self, target, weight):
        return class_weighted(self, target, weight)


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
        cp=None,
        max_features=None,
        surrogates=0,
        random_state=None,
    ):
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.cp = cp
        self.max_features = max_features
        self.surrogates = surrogates
        self.random_state = random_state

    def _named(self, tree):
        return tree
