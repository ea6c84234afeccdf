"""Which branches of a tree are worth keeping? Pruning cuts those that only fit the noise.

Lecture 03. A tree that grows until its leaves are pure learns its training set by heart: the
training error falls, the test error rises. *Pre*-pruning stops the growth (max_depth,
min_samples_leaf, or ``fit(X, y, validation=(X_val, y_val))``: split only if that helps on the
validation rows). It is cheap, but may stop before a split that pays only with the next one: XOR.
*Post*-pruning grows the tree and then, from the bottom up, turns a node into a leaf where

    reduced_error_prune    the error on a validation set does not rise,
    pessimistic_prune      C4.5's pessimistic estimate of the error does not rise,
    chi_square_prune       the branches do not differ significantly (Pearson's χ²),
    mdl_prune              the message "tree, then exceptions" does not get longer,
    cost_complexity_prune  error + α · leaves does not rise; α by cross-validation (CART).

Each takes a fitted model and returns a new one; the given one stays as it is. The new one says in
``pruning_table_`` why: a row per inner node of the *given* tree, in the order in which they were
looked at, with the numbers compared, decision "cut" or "kept", and the reason. A node that was
kept may still be gone, because one above it was cut later. All nodes cut up to some row are
``given.tree_.cut(nodes)``: the tree at that moment.

``cases`` are training rows. All counts of classes are sums of sample weights: a row of weight 2
counts like two, and fractions of cases (C4.5) as fractions. So the pessimistic estimate, χ² and
the description length depend on the scale of the weights; errors and cost-complexity do not.
"""

from numbers import Integral, Real

import numpy as np
from scipy.special import chdtrc
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold, check_cv
from sklearn.utils import _safe_indexing, check_consistent_length
from sklearn.utils.validation import _check_sample_weight

from mlcourse.columns import columns_of
from mlcourse.complexity import cost_complexity_path, risk_of, weakest_links
from mlcourse.cutting import HeldOut, Record, from_the_bottom
from mlcourse.description import node_bits
from mlcourse.learner import checked_tree
from mlcourse.pessimistic import class_weights, expected_errors

__all__ = [
    "chi_square_prune",
    "cost_complexity_path",
    "cost_complexity_prune",
    "mdl_prune",
    "pessimistic_prune",
    "reduced_error_prune",
]

_TIE = 1e-10  # numbers that differ by less than this share are equal


# A validation set --------------------------------------------------------------------------------


def reduced_error_prune(model, X_val, y_val):
    """Cut every node whose subtree does not lower the error on the validation set.

    One pass from the bottom up, one cut at a time, left before right: a node becomes a leaf if the
    validation error (regression: the squared error) does not rise by it; a tie is cut, and so is
    what no validation row reaches. No pruned version of the tree has a lower error on these rows,
    and of those with this error the result is the smallest (rows that C4.5 parts may spoil this
    optimum, but the error never rises). It is lower than that on new rows: they were used.

    Parameters
    ----------
    model : fitted ID3Classifier, C45Classifier, CARTClassifier or CARTRegressor
    X_val, y_val : rows that were not used to grow the tree

    Returns
    -------
    A new model. Its ``pruning_table_`` has, besides the common columns, ``validation_cases``: rows
    that the cut concerns; ``subtree`` and ``leaf``: their errors (sums) before and after it;
    ``validation_error``: share of errors (mean square) of all rows after this step; ``leaves``: of
    the tree after it.

    Examples
    --------
    >>> from mlcourse import ID3Classifier, load_play_tennis
    >>> X, y = load_play_tennis()
    >>> pruned = reduced_error_prune(ID3Classifier().fit(X[:10], y[:10]), X[10:], y[10:])
    >>> print(pruned.tree_.to_text())
    yes (10/4)
    >>> columns = ["node", "test", "subtree", "leaf", "decision"]
    >>> print(pruned.pruning_table_[columns].to_string(index=False))
     node        test  subtree  leaf decision
        1 temperature      1.0   1.0      cut
        6       windy      0.0   1.0     kept
        0     outlook      1.0   1.0      cut
    """
    tree = checked_tree("reduced_error_prune", model)
    columns, loss = model._held_out((X_val, y_val))
    held_out, record, leaves = HeldOut(model, columns, y_val, loss), Record(model), tree.n_leaves
    n_leaves = tree.is_leaf.astype(int)  # that hang at each node by now
    for node in from_the_bottom(tree):
        n_leaves[node] = n_leaves[tree.children[node][tree.children[node] >= 0]].sum()
        rows, losses = held_out.if_cut(node)
        before, after = float(held_out.losses[rows].sum()), float(losses.sum())
        cut = after <= before
        if cut:
            held_out.cut([node])
            leaves, n_leaves[node] = leaves - n_leaves[node] + 1, 1
        what = "errors" if tree.classes is not None else "squared error"
        sign = "no more than" if cut else "more than"
        reason = f"{what}: {after:.4g} as a leaf, {sign} {before:.4g} as a subtree"
        if not len(rows):
            reason = "no validation row comes here: nothing speaks for the subtree"
        numbers = {"validation_cases": len(rows), "subtree": before, "leaf": after}
        numbers |= {"validation_error": float(held_out.losses.mean()), "leaves": int(leaves)}
        record.write(node, cut, reason, **numbers)
    return record.pruned_model(
        ["validation_cases", "subtree", "leaf", "validation_error", "leaves"]
    )


# Estimates from the training set -----------------------------------------------------------------


def _replace_subtrees(model, inner, leaf, slack, unit):
    """Cut, from the bottom up, where a leaf costs no more than the subtree (and ``slack``).

    ``inner`` (M,) is what the test of a node costs, ``leaf`` (M,) what the node costs as a leaf.
    """
    record, tree = Record(model), model.tree_
    cost = leaf.copy()  # of what hangs at each node by now
    for node in from_the_bottom(tree):
        below = tree.children[node][tree.children[node] >= 0]
        subtree = inner[node] + cost[below].sum()
        cut = leaf[node] <= subtree + slack + _TIE * abs(subtree)
        cost[node] = leaf[node] if cut else subtree
        more = f" + {slack:g}" if slack else ""
        sign = "no more than" if cut else "more than"
        reason = f"{unit}: {leaf[node]:.4g} as a leaf, {sign} {subtree:.4g}{more} as a subtree"
        record.write(node, cut, reason, subtree=float(subtree), leaf=float(leaf[node]))
    return record.pruned_model(["subtree", "leaf"])


def pessimistic_prune(model, confidence=0.25, convention="c45"):
    """Cut every node that C4.5's pessimistic estimate finds no worse as a leaf; no set aside.

    A leaf with N cases is expected to make N·U(e, N) errors on new ones (see
    mlcourse.pessimistic), a subtree the sum over its leaves. A node becomes a leaf if it is
    expected to make no more errors than its subtree + 0.1, the allowance of C4.5 and J48.

    This is subtree *replacement*. C4.5 also *raises* subtrees, which needs the training rows:
    C45Classifier does both while it fits.

    Parameters
    ----------
    model : fitted classifier, best one that is not pruned: C45Classifier(prune=False)
    confidence : CF; the smaller, the more is cut
    convention : "c45", "j48" or "binomial", see mlcourse.pessimistic.pessimistic_error

    Returns
    -------
    A new model; in its ``pruning_table_`` are the expected errors of ``subtree`` and ``leaf``.

    Examples
    --------
    >>> from mlcourse import ID3Classifier, load_play_tennis
    >>> pruned = pessimistic_prune(ID3Classifier().fit(*load_play_tennis()))
    >>> columns = ["node", "test", "subtree", "leaf", "decision"]
    >>> print(pruned.pruning_table_[columns].round(3).to_string(index=False))
     node     test  subtree  leaf decision
        1 humidity    2.110 3.240     kept
        5    windy    2.110 3.240     kept
        0  outlook    5.392 6.795     kept
    """
    tree = checked_tree("pessimistic_prune", model, classifier=True)
    _require_share("pessimistic_prune", "confidence", confidence)
    errors = expected_errors(class_weights(tree), confidence, convention)
    nothing = np.zeros(tree.n_nodes)
    return _replace_subtrees(model, nothing, errors, 0.1, "expected errors")


def chi_square_prune(model, alpha=0.05):
    """Cut splits whose branches do not differ significantly, from the bottom up.

    Pearson's χ² compares the class counts O of the branches with those E that one would expect if
    the class did not depend on the branch, E = branch total · class total / total:

        χ² = Σ (O − E)² / E,    (branches − 1) · (classes − 1) degrees of freedom,

    branches and classes without cases left out, no continuity correction. If splits were made
    blindly, a χ² as large or larger would come with probability p. A split whose children are all
    leaves by now is cut if p > alpha. So a weak split stays if a significant one hangs below it: a
    *pre*-pruner at 5 % would stop play tennis at the root (outlook has p = 0.17), this
    *post*-pruner keeps the tree, since the splits below outlook have p = 0.025. A split is not made
    blindly, though: it is the best of many, so p is too small, and a small alpha is reasonable.

    Parameters
    ----------
    model : fitted classifier
    alpha : significance level; the smaller, the more is cut

    Returns
    -------
    A new model; in its ``pruning_table_`` are ``chi_square``, ``df`` and ``p`` of every split.

    Examples
    --------
    >>> from mlcourse import ID3Classifier, load_play_tennis
    >>> pruned = chi_square_prune(ID3Classifier().fit(*load_play_tennis()))
    >>> columns = ["node", "test", "chi_square", "df", "p", "decision"]
    >>> print(pruned.pruning_table_[columns].round(4).to_string(index=False))
     node     test  chi_square  df      p decision
        1 humidity      5.0000   1 0.0253     kept
        5    windy      5.0000   1 0.0253     kept
        0  outlook      3.5467   2 0.1698     kept
    """
    tree = checked_tree("chi_square_prune", model, classifier=True)
    _require_share("chi_square_prune", "alpha", alpha)
    record, counts, open_nodes = Record(model), class_weights(tree), ~tree.is_leaf
    for node in from_the_bottom(tree):
        below = tree.children[node][tree.children[node] >= 0]
        value, df, p = _pearson(counts[below])
        cut = not open_nodes[below].any() and p > alpha
        if cut:
            open_nodes[node] = False
            reason = f"p = {p:.4g} > {alpha:g}: so different by chance, too"
        elif p > alpha:
            reason = f"p = {p:.4g} > {alpha:g}, but a split below is significant"
        else:
            reason = f"p = {p:.4g} is at most {alpha:g}: significant"
        record.write(node, cut, reason, chi_square=value, df=df, p=p)
    return record.pruned_model(["chi_square", "df", "p"])


def _pearson(observed):
    """Return χ², its degrees of freedom and p of a table (branches, classes)."""
    observed = observed[observed.sum(axis=1) > 0][:, observed.sum(axis=0) > 0]
    total = observed.sum()
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / total
    value = float(((observed - expected) ** 2 / expected).sum())
    df = (observed.shape[0] - 1) * (observed.shape[1] - 1)
    return value, df, float(chdtrc(df, value)) if df else 1.0


def mdl_prune(model, X=None):
    """Cut where the message "tree, then exceptions" does not get longer by it.

    The bits are those of mlcourse.description (Quinlan and Rivest 1989), where ``X``, the training
    table, is explained too: it only serves to count the cuts of numeric attributes.

    Returns
    -------
    A new model; in its ``pruning_table_`` are the bits of ``subtree`` (tests, classes and
    exceptions below, as cut by then) and ``leaf``.

    Examples
    --------
    >>> from mlcourse import ID3Classifier, load_play_tennis
    >>> pruned = mdl_prune(ID3Classifier().fit(*load_play_tennis()))
    >>> columns = ["node", "test", "subtree", "leaf", "decision"]
    >>> print(pruned.pruning_table_[columns].round(3).to_string(index=False))
     node     test  subtree   leaf decision
        1 humidity    9.170  7.322      cut
        5    windy    9.170  7.322      cut
        0  outlook   21.229 15.967      cut
    """
    checked_tree("mdl_prune", model, classifier=True)
    test, of_class, exceptions = node_bits(model, X)
    return _replace_subtrees(model, test, of_class + exceptions, 0.0, "bits")


# Cost-complexity ---------------------------------------------------------------------------------


def cost_complexity_prune(
    model,
    alpha=None,
    X=None,
    y=None,
    *,
    cv=10,
    rule="1-SE",
    risk=None,
    sample_weight=None,
    random_state=None,
):
    """Cut to the smallest tree that minimizes risk + α · leaves; α given or cross-validated.

    With X and y, α is chosen among those of the path: for each fold a tree is grown on the other
    rows (a clone of the model), pruned at the geometric mean of each α and the next, and asked for
    the rows of the fold. Their error (share of wrong answers, or mean square) has a standard error.
    Give the unpruned model: what its parameters cut off, no fold has either.

    Parameters
    ----------
    model : fitted tree model
    alpha : price of a leaf
    X, y, sample_weight : instead of alpha, the training set
    cv : number of folds (shuffled; stratified by class), or a scikit-learn splitter, or its splits
    rule : "1-SE": the smallest tree whose error is within one standard error of the least;
        "min": the smallest tree of least error
    risk : see cost_complexity_path
    random_state : seed of the folds

    Returns
    -------
    A new model with ``alpha_`` and, if cross-validated, ``cv_table_``: a row per tree of the path
    (alpha, tested alpha, leaves, mean and standard error). In its ``pruning_table_`` the weakest
    link comes first: ``alpha``, from which on it is cut, the risk of ``subtree`` and ``leaf``, and
    ``leaves`` of the subtree at that moment. Nodes that fall with a link follow it.

    Examples
    --------
    >>> from mlcourse import CARTClassifier, load_kyphosis
    >>> X, y = load_kyphosis()
    >>> tree = CARTClassifier(min_samples_split=20, min_samples_leaf=7).fit(X, y)
    >>> print(cost_complexity_prune(tree, alpha=0.01).tree_.to_text())
    start <= 8.5: present (19/8)
    start > 8.5: absent (62/6)
    >>> pruned = cost_complexity_prune(tree, X=X, y=y, random_state=0)
    >>> print(pruned.cv_table_.round(4))
        alpha  tested_alpha  leaves  mean_error  standard_error
    0  0.0000        0.0000       5      0.1975          0.0442
    1  0.0041        0.0123       2      0.1975          0.0442
    2  0.0370           inf       1      0.2099          0.0452
    """
    name = "cost_complexity_prune"
    tree = checked_tree(name, model)
    path = cost_complexity_path(model, risk)
    about = {}
    if (alpha is None) == (X is None) or (X is None) != (y is None):
        raise ValueError(f"{name}: give either alpha, or the training set X and y to choose it")
    if rule not in ("1-SE", "min"):
        raise ValueError(f"{name}: rule is {rule!r}, expected '1-SE' or 'min'")
    if alpha is None:
        table = _cross_validate(model, path, X, y, cv, risk, sample_weight, random_state)
        error, spread = table["mean_error"].to_numpy(), table["standard_error"].to_numpy()
        best = np.flatnonzero(error <= error.min() * (1 + _TIE))[-1]
        limit = error[best] + (spread[best] if rule == "1-SE" else 0.0)
        chosen = np.flatnonzero(error <= limit * (1 + _TIE))[-1]
        alpha, about = float(path.ccp_alphas[chosen]), {"cv_table_": table}
    elif not isinstance(alpha, Real) or not alpha >= 0:
        raise ValueError(f"{name}: alpha is {alpha!r}, expected a number ≥ 0")
    record, nothing = Record(model), dict.fromkeys(["subtree", "leaf", "leaves"], np.nan)
    for node, _, of_leaf, of_subtree, n_leaves, inner in weakest_links(tree, risk_of(tree, risk)):
        link = float(path.node_alphas[node])
        cut = link <= alpha * (1 + _TIE)
        sign = "no more than" if cut else "more than"
        saved = f"saves {of_leaf - of_subtree:.4g}, {link:.4g} per extra leaf"
        reason = f"{saved}: {sign} alpha = {alpha:.4g}"
        numbers = {"subtree": float(of_subtree), "leaf": float(of_leaf), "leaves": n_leaves}
        record.write(node, cut, reason, alpha=link, **numbers)
        for fallen in inner[1:].tolist():
            record.write(fallen, cut, f"goes with node {node} above it", alpha=link, **nothing)
    return record.pruned_model(["alpha", "subtree", "leaf", "leaves"], alpha_=alpha, **about)


def _cross_validate(model, path, X, y, cv, risk, sample_weight, random_state):
    """Return the table of errors on rows left out, a row per tree of the path."""
    check_consistent_length(X, y)
    n, labels = len(y), np.asarray(y)
    if isinstance(cv, Integral):
        folds = KFold if path.grown.classes is None else StratifiedKFold
        cv = folds(cv, shuffle=True, random_state=random_state)
    weight = None if sample_weight is None else _check_sample_weight(sample_weight, np.zeros(n))
    tested = np.append(np.sqrt(path.ccp_alphas[:-1] * path.ccp_alphas[1:]), np.inf)
    losses, weights = [], []
    for train, test in check_cv(cv).split(np.zeros(n), labels):
        fold_weight = None if weight is None else weight[train]
        fold = clone(model).fit(_safe_indexing(X, train), _safe_indexing(y, train), fold_weight)
        columns = columns_of(fold, _safe_indexing(X, test), missing=fold._takes_missing())
        held_out = HeldOut(fold, columns, labels[test], fold._losses(labels[test]))
        gone, before = cost_complexity_path(fold, risk).node_alphas, -np.inf
        found = []
        for alpha in tested:
            held_out.cut(np.flatnonzero((gone > before) & (gone <= alpha)).tolist())
            found.append(held_out.losses.copy())
            before = alpha
        losses.append(np.array(found))
        weights.append(np.ones(len(test)) if weight is None else weight[test])
    losses, weights = np.concatenate(losses, axis=1), np.concatenate(weights)  # (trees, rows)
    total, sums = weights.sum(), losses @ weights
    spread = np.sqrt(np.maximum(losses**2 @ weights - sums**2 / total, 0.0))
    frame = path.to_frame().drop(columns="risk")
    frame.insert(1, "tested_alpha", tested)
    return frame.assign(mean_error=sums / total, standard_error=spread / total)


def _require_share(name, parameter, value):
    if not isinstance(value, Real) or not 0 < value < 1:
        raise ValueError(f"{name}: {parameter} is {value!r}, expected a number between 0 and 1")
