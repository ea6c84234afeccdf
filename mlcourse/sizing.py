"""How large should the tree be? rpart's complexity parameter, its table and the 1-SE rule.

Lecture 03 (Breiman, Friedman, Olshen and Stone 1984; the details are those of R's rpart). Let R(t)
be the risk of node t as a leaf: the weight in error, or the sum of squares. A split is worth

    complexity(t) = (R(t) − R(T_t)) / (number of splits in T_t),

the risk that the subtree T_t at t saves per split, once those of its splits that save less are
left out. ``cp`` is the least complexity, relative to the risk of the root, for which a split is
kept: with cp = 0.01 every split must save one percent of the error we began with. Cross-validation
tells which cp is best; the 1-SE rule takes the smallest tree that is within one standard error.
"""

from copy import copy
from dataclasses import replace

import numpy as np
import pandas as pd
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from mlcourse.columns import columns_of
from mlcourse.rpart import priors, sorted_rows
from mlcourse.tree import majority

__all__ = ["cross_validate_cp", "one_se_cp", "prune_cp"]


def complexities(tree, alpha):
    """Return the complexity of every node (M,), absolute; ``alpha`` if rpart would not try it.

    rpart grows and prunes in one walk. A node may save no more per split than its risk or the
    ``bound`` that its parent leaves to it; if that is no more than alpha, it is a leaf. After the
    sons, the one of smaller complexity (of equal ones the right) is left out if that raises the
    saving per split, then the other. A node that saves no more than alpha becomes a leaf.
    """
    risk, flipped = tree.extra["risk"], tree.extra["flipped"]
    complexity = np.full(tree.n_nodes, float(alpha))

    def walk(node, bound):
        """Return the number of splits that survive below a node, and the risk they leave."""
        most = min(risk[node], bound)
        if tree.feature[node] < 0 or most <= alpha:
            return 0, risk[node]
        sons = tree.children[node, ::-1] if flipped[node] else tree.children[node, :2]
        n, r = [0, 0], [0.0, 0.0]  # of the left and the right son
        n[0], r[0] = walk(sons[0], most - alpha)
        most = max((risk[node] - r[0]) / (n[0] + 1), risk[node] - risk[sons[0]])
        n[1], r[1] = walk(sons[1], min(most, bound) - alpha)
        saving = (risk[node] - (r[0] + r[1])) / (sum(n) + 1)
        for side in [0, 1] if complexity[sons[0]] < complexity[sons[1]] else [1, 0]:
            if saving > complexity[sons[side]]:
                n[side], r[side] = 0, risk[sons[side]]
                saving = (risk[node] - (r[0] + r[1])) / (sum(n) + 1)
        complexity[node] = saving
        return (sum(n) + 1, r[0] + r[1]) if saving > alpha else (0, risk[node])

    walk(0, risk[0])
    return complexity


def cut_at_cp(tree, cp, unit=None):
    """Return the tree that rpart's ``cp`` leaves of a full one.

    Adds ``extra["saving"]``, the complexity of each node (at most that of its parent),
    ``extra["complexity"]``, the same in units of the root's risk, as cp is, and
    ``extra["number"]``, rpart's node numbers.
    """
    unit = tree.extra["risk"][0] if unit is None else unit
    complexity, parent = complexities(tree, cp * unit), tree.parent
    dropped = np.flatnonzero(complexity <= cp * unit)
    for node in range(1, tree.n_nodes):
        complexity[node] = min(complexity[node], complexity[parent[node]])
    relative = complexity / unit if unit > 0 else complexity
    extra = {"saving": complexity, "complexity": relative, "number": _numbers(tree)}
    return replace(tree, extra=tree.extra | extra).cut(dropped)


def _numbers(tree):
    """Return rpart's node numbers: the root is 1, the sons of node k are 2k and 2k + 1."""
    number = [1] * tree.n_nodes  # a list: the numbers of deep nodes are long
    for node in np.flatnonzero(~tree.is_leaf):
        for side, son in enumerate(tree.children[node, :2]):
            number[son] = 2 * number[node] + int(side ^ tree.extra["flipped"][node])
    return number


def steps_of(tree, cp):
    """Return the savings per split at which the tree shrinks, descending, the last that of cp."""
    saving, inner = tree.extra["saving"], ~tree.is_leaf
    if not inner[0]:
        return saving[:1]  # as rpart has it for a tree of one leaf
    return np.array(sorted({cp * tree.extra["risk"][0], *saving[inner].tolist()}, reverse=True))


def cp_table(tree, cp):
    """Return rpart's table: a row per nested tree, from the root alone to the whole tree.

    CP is the least cp that gives the tree, nsplit its splits, "rel error" its risk relative to
    the root's.
    """
    whole, rows = tree.extra["risk"][0], []
    for step in steps_of(tree, cp):
        small = tree.cut(np.flatnonzero((tree.extra["saving"] <= step) & ~tree.is_leaf))
        error = small.extra["risk"][small.is_leaf].sum() / whole if whole > 0 else 1.0
        rows.append((step / whole if whole > 0 else cp, small.n_leaves - 1, error))
    if tree.feature[0] >= 0:
        rows[-1] = (float(cp), *rows[-1][1:])
    return pd.DataFrame(rows, columns=["CP", "nsplit", "rel error"])


def importance(tree):
    """Return rpart's variable importance as a Series, largest first.

    A split gives its feature what it improves (weight · impurity), and the feature of each
    surrogate that times its adjusted agreement.
    """
    given = {}
    for node in np.flatnonzero(~tree.is_leaf):
        score = tree.extra["score"][node]
        shares = [(tree.feature[node], 1.0)]
        if "surrogates" in tree.extra:
            shares += [(q.feature, q.adjusted) for q in tree.extra["surrogates"][node]]
        for feature, share in shares:
            given[tree.names[feature]] = given.get(tree.names[feature], 0.0) + score * share
    found = pd.Series(given, dtype=float, name="importance")
    return found.sort_values(ascending=False, kind="stable")


# Choosing cp -------------------------------------------------------------------------------------


def cross_validate_cp(model, X, y, folds=10, *, sample_weight=None, random_state=None):
    """Complete ``model.cp_table_`` by cross-validation and return it.

    For each fold a tree is grown on the other rows, and the fold's rows are asked at every cp of
    the table (at the geometric mean of a row's CP and that above). ``xerror`` is their error
    relative to the root's, ``xstd`` its standard error.

    Parameters
    ----------
    model : a CARTClassifier or CARTRegressor fitted with ``cp``
    X, y, sample_weight : what it was fitted on
    folds : how many folds to draw, or the fold of each row
    random_state : seed of the draw

    Examples
    --------
    >>> from mlcourse import CARTClassifier, load_kyphosis
    >>> X, y = load_kyphosis()
    >>> tree = CARTClassifier(cp=0.01, surrogates=5, min_samples_split=20, min_samples_leaf=7)
    >>> table = cross_validate_cp(tree.fit(X, y), X, y, folds=[i % 10 for i in range(81)])
    >>> print(table.round(3).to_string(index=False))
       CP  nsplit  rel error  xerror  xstd
    0.176       0      1.000   1.000 0.216
    0.020       1      0.824   1.059 0.220
    0.010       4      0.765   1.059 0.220
    """
    check_is_fitted(model, "cp_table_")
    if model.cp is None:
        raise ValueError(f"{type(model).__name__}: give cp (for example 0.01) and fit again")
    columns, target, weight, folds = _sample(model, X, y, folds, sample_weight, random_state)
    table = model.cp_table_[["CP", "nsplit", "rel error"]].copy()
    step = steps_of(model.tree_, model.cp)
    tested = np.append(10 * step[0], np.sqrt(step[:-1] * step[1:]))
    whole, largest = model.tree_.extra["risk"][0], model.tree_.extra["improve"].max()
    order, fit = sorted_rows(columns), {"largest": largest, "prior": None}
    if hasattr(model, "classes_"):
        fit["prior"] = priors(target, weight, len(model.classes_))
    error, square = np.zeros(len(table)), np.zeros(len(table))
    for fold in np.unique(folds):
        out = folds == fold
        share = weight[~out].sum() / weight.sum()
        train, number = replace(columns, values=columns.values[:, ~out]), np.cumsum(~out) - 1
        fit["order"] = np.stack([number[rows[~out[rows]]] for rows in order])
        tree = model._rpart_tree(train, target[~out], weight[~out], whole=whole * share, **fit)
        tree = _with_heavier_sons(tree)
        for i, limit in enumerate(tested * share):
            small = tree.cut(np.flatnonzero((tree.extra["saving"] <= limit) & ~tree.is_leaf))
            loss = _loss(small, columns.values[:, out], target[out])
            error[i] += weight[out] @ loss
            square[i] += weight[out] @ loss**2
    table["xerror"] = error / whole
    table["xstd"] = np.sqrt(np.maximum(square - error**2 / weight.sum(), 0)) / whole
    model.cp_table_ = table
    return table


def _sample(model, X, y, folds, sample_weight, random_state):
    """Return the Columns, coded y, weights and folds of the rows that count."""
    name, columns, y = type(model).__name__, columns_of(model, X), np.asarray(y)
    n = columns.values.shape[1]
    if len(y) != n:
        raise ValueError(f"{name}: X has {n} rows but y has {len(y)}; give one each")
    if np.ndim(folds) == 0:
        folds = check_random_state(random_state).permutation(np.arange(n) % folds)
    folds = np.asarray(folds)
    if folds.shape != (n,) or len(np.unique(folds)) < 2:
        raise ValueError(f"{name}: folds must be a number ≥ 2 or a fold for each of the {n} rows")
    if hasattr(model, "classes_"):
        target = pd.Index(model.classes_).get_indexer(pd.Index(y))
        if (target < 0).any():
            raise ValueError(f"{name}: y has a class that was not there in fitting; fit on this y")
    else:
        target = y.astype(float)
    weight = model._weighted(target, None if sample_weight is None else np.asarray(sample_weight))
    there = ~np.isnan(columns.values).all(axis=0)  # as in fitting
    if weight is not None and not (weight == 1).all():
        there = _check_sample_weight(weight, y) > 0
    weight = np.ones(n) if weight is None else weight
    columns = replace(columns, values=columns.values[:, there])
    return columns, target[there], weight[there], folds[there]


def _with_heavier_sons(tree):
    """Return the tree in which a lost case goes to the son of more weight, right if they tie.

    So rpart does it in cross-validation; in predicting, the son with more cases is taken.
    """
    right = np.where(tree.extra["flipped"], 0, 1)
    heavier = tree.extra["heavier"]
    return replace(tree, extra=tree.extra | {"default": np.where(heavier < 0, right, heavier)})


def _loss(tree, values, target):
    """Return the loss of each row: 1 for a wrong class, or the squared error."""
    answer = tree.value[tree.apply(values)]
    if tree.classes is None:
        return (answer[:, 0] - target) ** 2
    return (majority(answer) != target).astype(float)


def one_se_cp(table):
    """Return the CP of the smallest tree whose xerror is within one xstd of the least.

    >>> one_se_cp(pd.DataFrame({"CP": [0.3, 0.1], "xerror": [1.0, 0.9], "xstd": [0.1, 0.15]}))
    0.3
    """
    if "xerror" not in table:
        raise ValueError("the table has no xerror; call cross_validate_cp first")
    best = table["xerror"].idxmin()
    limit = table.loc[best, "xerror"] + table.loc[best, "xstd"]
    return float(table.loc[table["xerror"] <= limit, "CP"].iloc[0])


def prune_cp(model, cp):
    """Return a new model: the tree without the splits of complexity at most ``cp``."""
    check_is_fitted(model, "cp_table_")
    table = model.cp_table_
    if not cp >= table["CP"].iloc[-1]:
        least = table["CP"].iloc[-1]
        raise ValueError(
            f"{type(model).__name__}: cp is {cp!r}, but the tree was grown with cp = {least:g} and "
            "knows no smaller splits; fit again with the smaller cp"
        )
    pruned = copy(model).set_params(cp=cp)
    small = (model.tree_.extra["complexity"] <= cp) & ~model.tree_.is_leaf
    pruned.tree_ = model.tree_.cut(np.flatnonzero(small))
    pruned.cp_table_ = table[: int((table["CP"] > cp).sum()) + 1].copy()
    pruned.cp_table_.iloc[-1, 0] = cp
    return pruned
