"""Forests: every tree equals a CART tree or a naive one, the votes, out of bag, importances."""

import pickle
import re
import warnings
from functools import partial

import naive_tree
import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import parallel_config
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import check_estimator

import mlcourse.cuts
from mlcourse import (
    AdaBoostClassifier,
    BaggingClassifier,
    CARTClassifier,
    CARTRegressor,
    GradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    RandomSubspaceClassifier,
    load_play_tennis,
    load_spam,
    make_nested_spheres,
    make_ringnorm,
    make_threenorm,
    make_twonorm,
    make_waveform,
)
from mlcourse.grove import Grove
from mlcourse.stack import Stack

FORESTS = [RandomForestClassifier, RandomForestRegressor, RandomSubspaceClassifier]
quick = settings(max_examples=40, deadline=None, derandomize=True)


def same_tree(a, b):
    """Say whether two trees are equal, up to rounding of impurities and means."""
    equal = all(
        np.array_equal(getattr(a, name), getattr(b, name), equal_nan=name == "threshold")
        for name in ("feature", "threshold", "children", "branches", "count")
    )
    return equal and all(
        np.allclose(getattr(a, name), getattr(b, name), rtol=1e-9, atol=1e-9)
        for name in ("value", "impurity", "weight")
    )


def counts_of(forest, n):
    """Return how often each row was drawn, tree by tree."""
    for seed in forest._seeds(0, len(forest.trees_)):
        yield np.bincount(np.random.default_rng(seed).integers(n, size=n), minlength=n)


def table(random, n, d, n_classes, n_values):
    X = random.integers(n_values, size=(n, d)).astype(float)
    y = X[:, 0] - X[:, -1] + random.normal(size=n)
    if n_classes:
        y = np.searchsorted(np.quantile(y, np.arange(1, n_classes) / n_classes), y)
        y[:n_classes] = np.arange(n_classes)
    return X, y


# ---- the trees ----------------------------------------------------------------------------------
@quick
@given(
    st.integers(0, 2**32 - 1), st.sampled_from([0, 2, 4]), st.sampled_from([3, 50]),
    st.sampled_from(["gini", "entropy"]), st.sampled_from([1, 3]), st.booleans(),
)  # fmt: skip
def test_a_tree_of_all_columns_is_the_cart_tree_of_its_sample(seed, K, values, criterion, leaf, w):
    random = np.random.default_rng(seed)
    X, y = table(random, 40, 4, K, values)
    weight = random.integers(1, 4, size=40) / 3 if w else None
    limits = {"min_samples_leaf": leaf, "criterion": criterion if K else "squared_error"}
    forest = (RandomForestClassifier if K else RandomForestRegressor)(
        4, max_features=None, random_state=seed, **limits
    ).fit(X, y, sample_weight=weight)
    cart = (CARTClassifier if K else CARTRegressor)(**limits)
    for tree, counts in zip(forest.trees_, counts_of(forest, 40), strict=True):
        labels = np.unique(y[counts > 0])
        if K and len(labels) < K:
            continue  # CART would number fewer classes
        expected = cart.fit(X, y, sample_weight=counts * (1 if weight is None else weight)).tree_
        assert same_tree(tree, expected)


@quick
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 2]))
def test_categories_are_parted_as_cart_parts_them(seed, K):
    random = np.random.default_rng(seed)
    X, y = table(random, 60, 3, K, 6)
    X = pd.DataFrame({"a": X[:, 0], "b": X[:, 1].astype(int).astype(str), "c": list("uvwxyz") * 10})
    forest = (RandomForestClassifier if K else RandomForestRegressor)(
        3, max_features=None, random_state=seed
    ).fit(X, y)
    cart = CARTClassifier() if K else CARTRegressor()
    for tree, counts in zip(forest.trees_, counts_of(forest, 60), strict=True):
        assert same_tree(tree, cart.fit(X, y, sample_weight=counts).tree_)
    assert forest.predict(X.iloc[:5]).shape == (5,)


def naive_tree_of_a_forest(X, y, n_classes, random, max_features, criterion, min_samples_leaf):
    """Grow a tree as the lecture says, level by level; a node draws from ``random``."""
    n, d = X.shape
    counts = np.bincount(random.integers(n, size=n), minlength=n)
    root = {"rows": [i for i in range(n) if counts[i]]}
    level = [root]
    while level:
        open_nodes = []
        for node in level:
            cases = node["cases"] = [(y[i], float(counts[i])) for i in node["rows"]]
            if len({label for label, _ in cases}) > 1:
                open_nodes.append(node)
        if not open_nodes:
            break
        order = np.argsort(random.random((len(open_nodes), d)), axis=1)
        lefts, rights = [], []
        for node, drawn in zip(open_nodes, order, strict=True):
            rows = [X[i].tolist() for i in node["rows"]]
            constant = [len({row[j] for row in rows}) == 1 for j in range(d)]
            tried = sorted(drawn[:max_features])
            if all(constant[j] for j in tried):
                tried = [j for j in drawn[max_features:] if not constant[j]][:1]
            tie = 1e-10 * naive_tree.impurity(node["cases"], criterion, n_classes)
            found = naive_tree.candidates(
                rows, node["cases"], criterion, n_classes, [0] * d, min_samples_leaf
            )
            found = [question for question in found if question[0] in tried]
            if not found:
                continue
            best = max(score for _, _, score, _ in found)
            feature, test, _, left = next(q for q in found if q[2] >= best - tie)
            node["feature"], node["threshold"] = feature, test
            for side, children in ((True, lefts), (False, rights)):
                child = {
                    "rows": [
                        i for i, is_left in zip(node["rows"], left, strict=True) if is_left == side
                    ]
                }
                node[side] = child
                children.append(child)
        level = lefts + rights
    return root


def preorder(node):
    yield node.get("feature", -1), node.get("threshold", np.nan), len(node["rows"])
    if "feature" in node:
        yield from preorder(node[True])
        yield from preorder(node[False])


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.integers(0, 2**32 - 1), st.sampled_from([0, 2, 3]), st.integers(1, 3),
    st.sampled_from([2, 4, 100]), st.sampled_from([1, 2]),
)  # fmt: skip
def test_a_tree_that_draws_columns_equals_its_naive_twin(seed, K, drawn, values, leaf):
    X, y = table(np.random.default_rng(seed), 30, 4, K, values)
    kind, criterion = (RandomForestClassifier, "gini") if K else (RandomForestRegressor, "variance")
    forest = kind(3, max_features=drawn, min_samples_leaf=leaf, random_state=seed).fit(X, y)
    for tree, tree_seed in zip(forest.trees_, forest._seeds(0, 3), strict=True):
        random = np.random.default_rng(tree_seed)
        naive = naive_tree_of_a_forest(X, y, K, random, drawn, criterion, leaf)
        feature, threshold, count = map(np.array, zip(*preorder(naive), strict=True))
        assert tree.feature.tolist() == feature.tolist()
        np.testing.assert_allclose(tree.threshold, threshold)
        assert tree.count.tolist() == count.tolist()


def test_the_order_of_work_changes_nothing(monkeypatch):
    X, y = make_waveform(400, random_state=0)
    fit = partial(RandomForestClassifier, 12, random_state=3)
    whole = fit().fit(X, y)
    monkeypatch.setattr(mlcourse.cuts, "CASES", 100)  # many chunks of nodes
    monkeypatch.setattr(Grove, "batch", lambda self: 5)
    parts = fit().fit(X, y)
    assert all(same_tree(a, b) for a, b in zip(whole.trees_, parts.trees_, strict=True))
    two = fit(n_jobs=2).fit(X, y)
    with parallel_config(backend="threading", n_jobs=3):
        threads = fit().fit(X, y)
    for other in (two, threads):
        assert pickle.dumps(other.trees_[7].threshold) == pickle.dumps(whole.trees_[7].threshold)
        assert all(same_tree(a, b) for a, b in zip(whole.trees_, other.trees_, strict=True))


def test_shifted_numbers_and_scaled_weights_change_nothing():
    X, y = load_diabetes(return_X_y=True)
    weight = np.random.default_rng(0).uniform(1, 3, len(y))
    forest = RandomForestRegressor(5, random_state=0)
    trees = forest.fit(X, y, weight).trees_
    for other in (forest.fit(X, y + 1e6, weight).trees_, forest.fit(X, y, weight * 1e-9).trees_):
        for a, b in zip(trees, other, strict=True):
            assert a.feature.tolist() == b.feature.tolist()
            assert np.array_equal(a.threshold, b.threshold, equal_nan=True)


def test_very_unequal_numbers_keep_their_digits():
    X = np.arange(40.0)[:, None]
    y = np.where(X[:, 0] < 20, np.sin(X[:, 0]), 1e12)
    tree = RandomForestRegressor(1, max_features=1, bootstrap=False).fit(X, y).trees_[0]
    assert same_tree(tree, CARTRegressor().fit(X, y).tree_)


def test_columns_drawn_once_for_each_tree():
    X, y = make_twonorm(200, random_state=0)
    model = RandomSubspaceClassifier(20, max_features=3, random_state=0).fit(X, y)
    used = [np.unique(tree.feature[~tree.is_leaf]) for tree in model.trees_]
    assert max(map(len, used)) <= 3
    assert len({tuple(columns) for columns in used}) > 15
    for tree, columns in zip(model.trees_, used, strict=True):
        assert tree.count[0] == 200  # all rows
        if len(columns) == 3:
            expected = CARTClassifier().fit(X[:, columns], y).tree_
            assert tree.n_nodes == expected.n_nodes
            assert columns[expected.feature[~expected.is_leaf]].tolist() == (
                tree.feature[~tree.is_leaf].tolist()
            )


@pytest.mark.parametrize(
    ("wanted", "d", "drawn"),
    [("sqrt", 20, 4), ("log2", 20, 4), (3, 20, 3), (0.5, 20, 10), (None, 20, 20), (1 / 3, 9, 3)],
)
def test_how_many_columns_are_drawn(wanted, d, drawn, monkeypatch):
    seen = []
    original = Grove.__init__

    def spy(self, *args, **options):
        seen.append(options["max_features"])
        original(self, *args, **options)

    monkeypatch.setattr(Grove, "__init__", spy)
    X = np.random.default_rng(0).normal(size=(30, d))
    RandomForestClassifier(2, max_features=wanted, random_state=0).fit(X, X[:, 0] > 0)
    assert seen == [drawn]


def test_columns_are_drawn_evenly_at_the_root():
    X = np.random.default_rng(0).normal(size=(60, 5))
    y = X.sum(axis=1) > 0
    forest = RandomForestClassifier(600, max_features=1, random_state=0).fit(X, y)
    roots = np.bincount([tree.feature[0] for tree in forest.trees_], minlength=5)
    assert np.all(np.abs(roots - 120) < 4 * np.sqrt(600 * 0.2 * 0.8))


def test_trees_agree_with_scikit_learn_without_chance():
    X, y = load_iris(return_X_y=True)
    ours = RandomForestClassifier(3, max_features=None, bootstrap=False).fit(X, y)
    theirs = CARTClassifier().fit(X, y)
    assert all(same_tree(tree, theirs.tree_) for tree in ours.trees_)


# ---- asking -------------------------------------------------------------------------------------
@quick
@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_stack_ends_where_each_tree_does(seed, T):
    random = np.random.default_rng(seed)
    X, y = table(random, 50, 3, 0, 30)
    trees = RandomForestRegressor(T, random_state=seed).fit(X, y).trees_
    new = random.normal(10, 10, size=(3, 70))
    rows = np.sort(random.choice(70, 20))
    stack = Stack(trees)
    for t, tree in enumerate(trees):
        assert (stack.ends(new)[t] - stack.root[t] == tree.apply(new)).all()
        assert (stack.ends(new, rows)[t] - stack.root[t] == tree.apply(new[:, rows])).all()


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_the_trees_vote(voting):
    X, y = make_waveform(150, random_state=1)
    X_new, _ = make_waveform(200, random_state=2)
    forest = RandomForestClassifier(15, max_depth=3, voting=voting, random_state=0).fit(X, y)
    shares = np.stack([tree.predict_proba(X_new) for tree in forest.estimators_])
    if voting == "hard":
        answers = np.stack([tree.predict(X_new) for tree in forest.estimators_])
        shares = (answers[..., None] == forest.classes_).astype(float)
    mean = shares.mean(axis=0)
    np.testing.assert_allclose(forest.predict_proba(X_new), mean)
    best = np.argmax(mean >= mean.max(axis=1, keepdims=True) - 1e-9, axis=1)
    assert (forest.predict(X_new) == forest.classes_[best]).all()
    *_, last = forest.staged_predict(X_new)
    assert (last == forest.predict(X_new)).all()
    first = next(iter(forest.staged_predict(X_new)))
    assert (first == forest.estimators_[0].predict(X_new)).all()


def test_numbers_are_averaged():
    X, y = load_diabetes(return_X_y=True)
    forest = RandomForestRegressor(7, random_state=0).fit(X, y)
    each = np.stack([tree.predict(X) for tree in forest.estimators_])
    np.testing.assert_allclose(forest.predict(X), each.mean(axis=0))
    for t, answer in enumerate(forest.staged_predict(X), 1):
        np.testing.assert_allclose(answer, each[:t].mean(axis=0))


# ---- out of bag ---------------------------------------------------------------------------------
def naive_curve(forest, X, y):
    """Return ε_oob after each tree, row by row, straight from the definition."""
    n, curve = len(y), []
    answers = [tree.predict(X) for tree in forest.estimators_]
    counts = list(counts_of(forest, n))
    for t in range(1, len(answers) + 1):
        losses = []
        for i in range(n):
            said = [answers[s][i] for s in range(t) if counts[s][i] == 0]
            if not said:
                continue
            if isinstance(forest, RandomForestClassifier):
                votes = [said.count(c) for c in forest.classes_]
                losses.append(forest.classes_[votes.index(max(votes))] != y[i])
            else:
                losses.append((np.mean(said) - y[i]) ** 2)
        curve.append(np.mean(losses) if losses else np.nan)
    return curve


@pytest.mark.filterwarnings("ignore:.*are in the sample of every learner")
@pytest.mark.parametrize("K", [0, 3])
def test_out_of_bag_curve_equals_its_definition(K):
    X, y = table(np.random.default_rng(5), 40, 4, K, 20)
    kind = RandomForestClassifier if K else RandomForestRegressor
    forest = kind(9, oob_score=True, random_state=0).fit(X, y)
    np.testing.assert_allclose(forest.oob_curve_, naive_curve(forest, X, y))
    assert forest.oob_error_ == forest.oob_curve_[-1]
    outs = np.sum([counts == 0 for counts in counts_of(forest, 40)], axis=0)
    assert forest.n_never_oob_ == np.count_nonzero(outs == 0)
    if K:
        assert (forest.oob_votes_.sum(axis=1) == outs).all()


def test_rows_without_an_out_of_bag_answer_are_said():
    X, y = make_twonorm(50, random_state=0)
    with pytest.warns(UserWarning, match="rows are in the sample of every learner") as record:
        forest = RandomForestClassifier(2, oob_score=True, random_state=0).fit(X, y)
    assert record[0].filename == __file__
    assert np.isnan(forest.oob_decision_function_).any(axis=1).sum() == forest.n_never_oob_ > 0


def test_warm_growth_is_the_same_forest():
    X, y = make_twonorm(100, random_state=0)
    once = RandomForestClassifier(30, oob_score=True, random_state=7).fit(X, y)
    grown = RandomForestClassifier(12, oob_score=True, warm_start=True, random_state=7).fit(X, y)
    first = grown.trees_[:]
    grown.set_params(n_estimators=30).fit(X, y)
    assert all(a is b for a, b in zip(first, grown.trees_, strict=False))
    assert all(same_tree(a, b) for a, b in zip(once.trees_, grown.trees_, strict=True))
    assert (once.oob_curve_ == grown.oob_curve_).all()
    late = RandomForestClassifier(12, warm_start=True, random_state=7).fit(X, y)
    late.set_params(n_estimators=30, oob_score=True).fit(X, y)
    assert (once.oob_curve_ == late.oob_curve_).all()
    with pytest.raises(ValueError, match="there are 30 trees already; set warm_start=False"):
        late.set_params(n_estimators=5).fit(X, y)
    with pytest.raises(ValueError, match="the same data"):
        late.set_params(n_estimators=40).fit(X[:50], y[:50])


def test_a_row_of_weight_zero_is_not_there():
    X, y = make_twonorm(120, random_state=0)
    weight = np.ones(120)
    weight[100:] = 0
    with_zeros = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X, y, weight)
    without = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X[:100], y[:100])
    assert all(same_tree(a, b) for a, b in zip(with_zeros.trees_, without.trees_, strict=True))
    assert with_zeros.oob_error_ == without.oob_error_
    assert with_zeros.n_never_oob_ == 0
    assert np.isnan(with_zeros.oob_decision_function_[100:]).all()


def test_class_weights_are_weights():
    X, y = make_twonorm(150, random_state=0)
    by_class = RandomForestClassifier(5, class_weight={-1: 1, 1: 3}, random_state=0).fit(X, y)
    by_row = RandomForestClassifier(5, random_state=0).fit(X, y, np.where(y == 1, 3, 1))
    assert all(same_tree(a, b) for a, b in zip(by_class.trees_, by_row.trees_, strict=True))


# ---- looking into it ----------------------------------------------------------------------------
def test_importances():
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 6))
    y = (X[:, 1] + 0.5 * X[:, 4] > 0).astype(int)
    forest = RandomForestClassifier(60, random_state=0).fit(X, y)
    mean = np.mean([tree.feature_importances_ for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.feature_importances_, mean)
    found = forest.permutation_importances(X, y, random_state=1)
    assert found.importances.shape == (6, 60)
    assert found.importances_mean.argsort()[::-1][:2].tolist() == [1, 4]
    assert np.abs(found.importances_mean[[0, 2, 3, 5]]).max() < 0.02
    again = forest.permutation_importances(X, y, random_state=1)
    assert (again.importances == found.importances).all()
    with pytest.raises(ValueError, match="needs the X and y of the fit"):
        forest.permutation_importances(X[:50], y[:50])


def test_permutation_importance_of_one_tree_by_hand():
    random = np.random.default_rng(3)
    X = random.normal(size=(80, 2))
    y = X[:, 0] * 2
    forest = RandomForestRegressor(1, max_features=2, random_state=0).fit(X, y)
    rise = forest.permutation_importances(X, y, random_state=5).importances[:, 0]
    out = next(counts_of(forest, 80)) == 0
    tree, part = forest.estimators_[0], X[out].copy()
    before = np.mean((tree.predict(part) - y[out]) ** 2)
    seed = np.random.RandomState(5).randint(2**31)
    part[:, 0] = np.random.default_rng([seed, 0]).permutation(part[:, 0])
    assert rise[0] == pytest.approx(np.mean((tree.predict(part) - y[out]) ** 2) - before)


def test_proximity_is_the_share_of_common_leaves():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    near = forest.proximity(X)
    leaves = [tree.apply(X) for tree in forest.estimators_]
    assert near[3, 77] == np.mean([of_tree[3] == of_tree[77] for of_tree in leaves])
    assert (np.diag(near) == 1).all()
    assert (near == near.T).all()
    same = y[:, None] == y
    assert near[same].mean() > 5 * near[~same].mean()


# ---- conventions --------------------------------------------------------------------------------
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": "which rows are drawn depends on their number",
    "check_class_weight_classifiers": "a fully grown tree has pure leaves whatever the weights",
}


@pytest.mark.parametrize("forest", FORESTS)
def test_scikit_learns_own_checks(forest):
    model = forest(10, random_state=0)
    if forest is RandomSubspaceClassifier:
        model.set_params(max_features=1.0)  # half of the two columns in these checks is too few
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(model, expected_failed_checks=EXPECTED)


def test_in_a_grid_and_with_strings():
    X, y = load_play_tennis()
    grid = GridSearchCV(RandomForestClassifier(10, random_state=0), {"max_features": [1, 2]}, cv=3)
    assert set(grid.fit(X, y).predict(X)) <= {"yes", "no"}
    assert cross_val_score(RandomForestRegressor(5), *load_diabetes(return_X_y=True)).mean() > 0.2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_estimators": 0}, "n_estimators is 0, expected a whole number"),
        ({"max_features": 9}, "max_features is 9, expected None, 'sqrt', 'log2', a whole number"),
        ({"max_samples": 1.5}, "max_samples is 1.5, expected a share"),
        ({"voting": "loud"}, "voting is 'loud', expected 'hard' or 'soft'"),
        ({"criterion": "misclassification"}, "expected one of ['gini', 'entropy']"),
        ({"bootstrap": False, "oob_score": True}, "set bootstrap=True or oob_score=False"),
    ],
)
def test_bad_parameters_get_a_sentence(options, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=re.escape(message)):
        RandomForestClassifier(**options).fit(X, y)


def test_progress_is_shown(capsys):
    X, y = load_iris(return_X_y=True)
    RandomForestClassifier(4, verbose=1, random_state=0).fit(X, y)
    assert capsys.readouterr().err.endswith("RandomForestClassifier: 4 of 4 trees\n")


# ---- what the lectures report -------------------------------------------------------------------
def test_as_good_as_scikit_learn():
    (X, y), (X_new, y_new) = (make_ringnorm(n, random_state=n) for n in (400, 4000))
    options = {"n_estimators": 100, "random_state": 0}
    ours = RandomForestClassifier(voting="soft", **options).fit(X, y).score(X_new, y_new)
    theirs = sklearn.ensemble.RandomForestClassifier(**options).fit(X, y).score(X_new, y_new)
    assert abs(ours - theirs) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "least", "most"),  # Breiman 2001: 17.3, 3.9, 17.5, 4.9 %; recomputed mean ± 3 sd
    [
        (make_waveform, 0.148, 0.202),
        (make_twonorm, 0.027, 0.045),
        (make_threenorm, 0.152, 0.194),
        (make_ringnorm, 0.030, 0.060),
    ],
    ids=["waveform", "twonorm", "threenorm", "ringnorm"],
)
def test_breimans_rows_of_2001(make, least, most):
    errors = []
    for seed in range(5):
        X, y = make(300, random_state=seed)
        X_new, y_new = make(3000, random_state=100 + seed)
        forest = RandomForestClassifier(100, max_features=1, random_state=seed).fit(X, y)
        errors.append(1 - forest.score(X_new, y_new))
    assert least < np.mean(errors) < most


@pytest.fixture(scope="module")
def spam():
    """Return a random division of the spam data: 3065 rows to train, 1536 to test."""
    X, y = map(np.asarray, load_spam())
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[:3065], order[3065:]
    return X[train], y[train], X[test], y[test]


@pytest.mark.slow
def test_spam_forest_of_500(spam):
    X, y, X_new, y_new = spam
    forest = RandomForestClassifier(500, oob_score=True, random_state=0, n_jobs=2).fit(X, y)
    error = 1 - forest.score(X_new, y_new)
    assert 0.040 <= error <= 0.052
    assert abs(forest.oob_error_ - error) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "mean", "spread"),  # over random divisions, mean ± 3 standard deviations
    [
        (CARTClassifier(), 0.088, 0.024),
        (BaggingClassifier(n_estimators=100, random_state=0), 0.057, 0.021),
        (GradientBoostingClassifier(n_estimators=200, max_leaf_nodes=5), 0.045, 0.015),
        (AdaBoostClassifier(n_estimators=400), 0.056, 0.021),
        (RandomForestClassifier(500, max_depth=2, random_state=0), 0.106, 0.03),
    ],
    ids=["tree", "bagging", "boosting", "adaboost", "forest of depth 2"],
)  # fmt: skip
def test_spam_by_the_other_learners(spam, model, mean, spread):
    X, y, X_new, y_new = spam
    assert abs(1 - model.fit(X, y).score(X_new, y_new) - mean) < spread


@pytest.mark.slow
def test_nested_spheres_ordering():
    (X, y), (X_new, y_new) = (make_nested_spheres(n, random_state=n) for n in (2000, 10_000))
    models = {
        "boosting": AdaBoostClassifier(n_estimators=400),
        "forest": RandomForestClassifier(100, random_state=0),
        "bagging": BaggingClassifier(n_estimators=100, random_state=0),
        "tree": CARTClassifier(),
    }
    error = {name: 1 - model.fit(X, y).score(X_new, y_new) for name, model in models.items()}
    assert error["boosting"] < error["forest"] < error["bagging"] < error["tree"]
    assert 0.117 <= error["boosting"] <= 0.142
    assert 0.13 <= error["bagging"] <= 0.17
    assert 0.245 <= error["tree"] <= 0.273
    few = [1 - CARTClassifier().fit(X[i::10], y[i::10]).score(X_new, y_new) for i in range(10)]
    assert 0.30 < np.mean(few) < 0.37  # 200 training points: 33.7 ± 3.4 %
