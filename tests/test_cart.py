"""CART in scikit-learn's manner: the same trees, a naive twin, invariances, conventions; ID3."""

import pickle

import naive_tree
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import check_estimator

from mlcourse import (
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    load_play_tennis,
    load_restaurant,
)
from mlcourse.columns import Columns
from mlcourse.complexity import cutting_alphas
from mlcourse.growing import Grower

LIMITS = {"max_depth": 6, "min_samples_leaf": 20}
CRITERIA = ["gini", "entropy", "squared_error"]
quick = settings(max_examples=60, deadline=None, derandomize=True)


# ---- scikit-learn --------------------------------------------------------------------------------
def single(X):
    """Return numbers that float32 can hold: scikit-learn converts to it."""
    return np.asarray(X, dtype=np.float32).astype(float)


def noisy(n, d, n_classes, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n)
    if n_classes:
        y = np.searchsorted(np.quantile(y, np.arange(1, n_classes) / n_classes), y)
    return single(X), y


DATA = {
    "cancer": load_breast_cancer(return_X_y=True),
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "two classes": noisy(800, 6, 2, 1),
    "five classes": noisy(1500, 4, 5, 2),
    "diabetes": load_diabetes(return_X_y=True),
    "numbers": noisy(1000, 5, 0, 3),
}
REGRESSION = ("diabetes", "numbers")


def pair(criterion, **parameters):
    """Return our model and scikit-learn's."""
    if criterion == "squared_error":
        return CARTRegressor(**parameters), DecisionTreeRegressor(**parameters)
    parameters["criterion"] = criterion
    return CARTClassifier(**parameters), DecisionTreeClassifier(**parameters)


def compare(ours, theirs):
    """Compare two trees from the root on; return (nodes compared, nodes where they part).

    scikit-learn breaks ties at random: trees may part where both splits are equally good.
    """
    a, b = ours.tree_, theirs.tree_
    compared, parted, todo = 0, 0, [(0, 0)]
    while todo:
        i, j = todo.pop()
        compared += 1
        assert a.count[i] == b.n_node_samples[j]
        np.testing.assert_allclose(a.weight[i], b.weighted_n_node_samples[j], rtol=1e-9)
        np.testing.assert_allclose(a.impurity[i], b.impurity[j], rtol=1e-9, atol=1e-9)
        sons = b.children_left[j], b.children_right[j]
        if a.impurity[i] == 0:
            continue  # pure; with rounded weights scikit-learn may still cut it
        if a.feature[i] < 0 or sons[0] < 0:
            assert a.feature[i] < 0 and sons[0] < 0
        elif a.feature[i] == b.feature[j] and np.isclose(a.threshold[i], b.threshold[j], rtol=1e-6):
            todo += zip(a.children[i], sons, strict=True)
        else:
            whole = b.impurity * b.weighted_n_node_samples
            score = whole[j] - whole[list(sons)].sum()
            np.testing.assert_allclose(a.extra["score"][i], score, rtol=1e-9, atol=1e-9 * whole[j])
            parted += 1
    if not parted:
        importances = ours.feature_importances_, theirs.feature_importances_
        np.testing.assert_allclose(*importances, rtol=1e-9, atol=1e-9)
        assert a.n_nodes == compared
    return compared, parted


SKLEARN = [
    (name, criterion, weights)
    for name in DATA
    for criterion in CRITERIA
    for weights in ("none", "sample", "class", "both")
    if (criterion == "squared_error") == (name in REGRESSION)
    and (name not in REGRESSION or weights in ("none", "sample"))
]


@pytest.mark.parametrize(("name", "criterion", "weights"), SKLEARN)
def test_tree_is_scikit_learns(name, criterion, weights):
    X, y = DATA[name]
    X, parameters, weight = single(X), dict(LIMITS), None
    if weights in ("class", "both"):
        parameters["class_weight"] = "balanced"
    if weights in ("sample", "both"):
        weight = np.random.default_rng(0).integers(1, 5, len(y)) / 2
    found = []
    for seed in range(5):  # scikit-learn breaks ties by this seed
        ours, theirs = pair(criterion, random_state=seed, **parameters)
        found.append(compare(ours.fit(X, y, weight), theirs.fit(X, y, weight)))
    assert max(compared for compared, _ in found) >= 0.5 * ours.tree_.n_nodes
    assert min(parted for _, parted in found) <= 4
    if criterion == "squared_error":
        assert (ours.tree_.n_nodes, 0) in found


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(3))
def test_full_tree_is_scikit_learns(criterion, seed):
    X, y = noisy(300, 5, 0 if criterion == "squared_error" else 3, seed)
    ours, theirs = pair(criterion, min_samples_leaf=2, min_samples_split=7, random_state=0)
    compared, _ = compare(ours.fit(X, y), theirs.fit(X, y))
    assert compared > 30


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("leaves", [2, 5, 13, 40])
def test_best_first_tree_is_scikit_learns(criterion, leaves):
    X, y = noisy(2000, 5, 0 if criterion == "squared_error" else 3, leaves)
    ours, theirs = pair(criterion, max_leaf_nodes=leaves, min_samples_leaf=20)
    ours.fit(X, y)
    theirs.set_params(random_state=0).fit(X, y)  # scikit-learn numbers its nodes as they come
    assert ours.get_n_leaves() == theirs.get_n_leaves() == leaves
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)
    thresholds = np.sort(theirs.tree_.threshold[theirs.tree_.feature >= 0])
    mine = np.sort(ours.tree_.threshold[~ours.tree_.is_leaf])
    np.testing.assert_allclose(mine, thresholds, rtol=1e-6)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_pruning_path_is_scikit_learns(criterion):
    X, y = noisy(2000, 4, 0 if criterion == "squared_error" else 3, 6)
    ours, theirs = pair(criterion, min_samples_leaf=40)
    theirs.set_params(random_state=0)
    alphas = theirs.cost_complexity_pruning_path(X, y).ccp_alphas
    links = cutting_alphas(ours.fit(X, y).tree_, "impurity")
    found = np.unique(links[np.isfinite(links)].round(12))
    assert all(np.abs(alphas - alpha).min() < 1e-9 for alpha in found)
    assert all(np.abs(found - alpha).min() < 1e-9 for alpha in alphas[1:])
    for low, high in zip(alphas[1::9], alphas[2::9], strict=False):
        alpha = (low + high) / 2
        pruned = [clone(model).set_params(ccp_alpha=alpha).fit(X, y) for model in (ours, theirs)]
        assert compare(*pruned) == (pruned[0].tree_.n_nodes, 0)


def test_max_features_draws_that_many():
    X, y = noisy(200, 8, 2, 0)
    X[:, 7] = 1.0  # nothing to cut: it is never drawn in vain
    roots = [
        CARTClassifier(max_features=1, max_depth=1, random_state=seed).fit(X, y).tree_.feature[0]
        for seed in range(400)
    ]
    drawn = np.bincount(roots, minlength=8)
    assert drawn[7] == 0 and (np.abs(drawn[:7] - 400 / 7) < 30).all()
    first = CARTClassifier(max_depth=1).fit(X, y).tree_.feature[0]
    for wanted, chance in [(3, 3 / 7), ("sqrt", 2 / 7), ("log2", 3 / 7), (0.5, 4 / 7)]:
        model = CARTClassifier(max_features=wanted, max_depth=1)
        hits = [
            model.set_params(random_state=seed).fit(X, y).tree_.feature[0] == first
            for seed in range(300)
        ]
        assert abs(np.mean(hits) - chance) < 0.1, wanted
    a, b = (CARTClassifier(max_features=8, random_state=seed).fit(X, y) for seed in (1, 2))
    assert a.tree_.to_text() == b.tree_.to_text() == CARTClassifier().fit(X, y).tree_.to_text()


# ---- the naive twin ------------------------------------------------------------------------------
@st.composite
def problems(draw):
    """Draw a small table with ties, its target, weights and the parameters of a grower."""
    seed = draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    n, d = draw(st.integers(2, 40)), draw(st.integers(1, 4))
    levels = [draw(st.sampled_from([0, 0, 2, 3, 5])) for _ in range(d)]
    table = [rng.integers(0, k, n) if k else rng.integers(-3, 4, n) / 2 for k in levels]
    criterion = draw(st.sampled_from(["gini", "entropy", "misclassification", "variance"]))
    n_classes = 0 if criterion == "variance" else draw(st.integers(2, 4))
    y = rng.integers(0, n_classes, n) if n_classes else rng.integers(0, 6, n) / 4
    weight = draw(st.sampled_from([None, [1, 2, 3], [0.25, 1.75, 0.5]]))
    if weight is not None:
        weight = rng.choice(weight, n)
    limits = {
        "max_depth": draw(st.sampled_from([None, 1, 3])),
        "min_samples_split": draw(st.sampled_from([2, 5])),
        "min_samples_leaf": draw(st.sampled_from([1, 1, 3])),
    }
    return np.array(table, dtype=float), levels, y, n_classes, weight, criterion, limits


def both(problem, record=False):
    """Return the grower after growing, its tree, and the root of the naive twin."""
    values, levels, y, n_classes, weight, criterion, limits = problem
    labels = tuple(pd.Index([f"v{i}" for i in range(k)]) if k else None for k in levels)
    columns = Columns(values, tuple(f"x{j}" for j in range(len(levels))), labels)
    y = np.asarray(y, dtype=np.intp if n_classes else float)
    grower = Grower(
        columns, y, n_classes, weight=weight, criterion=criterion, record=record, **limits
    )
    naive = naive_tree.grow(
        values.T.tolist(), y.tolist(), (np.ones(len(y)) if weight is None else weight).tolist(),
        criterion=criterion, n_classes=n_classes, levels=levels, **limits,
    )  # fmt: skip
    return grower, grower.grow(), naive


@quick
@given(problems())
def test_grower_equals_the_naive_twin(problem):
    _, tree, naive = both(problem)
    nodes = list(naive_tree.preorder(naive))
    assert tree.n_nodes == len(nodes)
    for place, node in enumerate(nodes):
        assert tree.count[place] == node["count"]
        np.testing.assert_allclose(tree.weight[place], node["weight"])
        np.testing.assert_allclose(tree.value[place], node["value"], atol=1e-12)
        whole = tree.impurity[place] * tree.weight[place]
        np.testing.assert_allclose(whole, node["impurity"], atol=1e-10)
        if node["feature"] is None:
            assert tree.feature[place] == -1
            continue
        assert tree.feature[place] == node["feature"]
        np.testing.assert_allclose(tree.extra["score"][place], node["score"], atol=1e-10)
        if isinstance(node["test"], frozenset):
            left = set(np.flatnonzero(tree.branches[place] == 0).tolist())
            assert left == set(node["test"])
        else:
            assert tree.threshold[place] == node["test"]


@quick
@given(problems())
def test_recorded_candidates_are_the_naive_enumeration(problem):
    grower, _, naive = both(problem, record=True)
    found = grower.candidates
    ours, expected = [], []
    for name, part in found.groupby("feature"):
        ours += [(name, t, s) for t, s in zip(part["threshold"], part["score"], strict=True)]
    for node in naive_tree.preorder(naive):
        best = {}  # of a category only the best question is recorded
        for j, test, score in node["candidates"]:
            if isinstance(test, frozenset):
                best[j] = max(best.get(j, 0.0), score)
            else:
                expected.append((f"x{j}", test, score))
        expected += [(f"x{j}", np.nan, score) for j, score in best.items()]

    def key(entry):
        return entry[0], np.nan_to_num(entry[1], nan=99.0), round(entry[2], 9)

    ours, expected = sorted(map(key, ours)), sorted(map(key, expected))
    assert [entry[:2] for entry in ours] == [entry[:2] for entry in expected]
    np.testing.assert_allclose(
        [entry[2] for entry in ours], [entry[2] for entry in expected], atol=2e-9
    )


# ---- what must not change a tree -----------------------------------------------------------------
def same_splits(a, b):
    return (
        a.n_nodes == b.n_nodes
        and (a.feature == b.feature).all()
        and np.array_equal(a.threshold, b.threshold, equal_nan=True)
        and (a.branches == b.branches).all()
    )


def mixed(seed, n=150):
    """Return a frame of numbers and categories with many ties, classes and numbers to predict."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 6, n).astype(float),
            "b": pd.Categorical(rng.choice(list("uvwx"), n)),
            "c": rng.normal(size=n).round(1),
        }
    )
    score = X["a"] - 2 * (X["b"] == "u") + rng.normal(size=n)
    return X, pd.cut(score, [-np.inf, 1, 3, np.inf], labels=["low", "mid", "top"]), score


@pytest.mark.parametrize("seed", range(4))
def test_shift_of_y_changes_no_tree(seed):
    X, _, y = mixed(seed)
    y = (y * 8).round() / 8  # a shift by a million then costs no digits
    a, b = (CARTRegressor(min_samples_leaf=2).fit(X, y + shift) for shift in (0, 1e6))
    assert same_splits(a.tree_, b.tree_)
    np.testing.assert_allclose(b.predict(X) - 1e6, a.predict(X), atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rules", [{}, {"cp": 0.001, "surrogates": 3}])
def test_scale_of_weights_changes_no_tree(seed, rules):
    X, classes, y = mixed(seed)
    weight = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float)
    for model, target in [(CARTClassifier(**rules), classes), (CARTRegressor(**rules), y)]:
        scales = (1.0, 2.0**-30) if rules else (1.0, 1e-9)  # rpart's ties are broken by rounding
        a, b = (clone(model).fit(X, target, weight * scale).tree_ for scale in scales)
        assert same_splits(a, b)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "squared_error"])
def test_sample_weight_is_repetition(seed, criterion):
    X, classes, y = mixed(seed)
    times = np.random.default_rng(seed).integers(0, 4, len(y))
    model, target = CARTClassifier(criterion=criterion), classes
    if criterion == "squared_error":
        model, target = CARTRegressor(), (y * 8).round() / 8
    weighted = clone(model).fit(X, target, times)
    rows = np.repeat(np.arange(len(y)), times)
    repeated = clone(model).fit(X.iloc[rows], target.iloc[rows])
    assert same_splits(weighted.tree_, repeated.tree_)
    np.testing.assert_allclose(weighted.tree_.weight, repeated.tree_.weight)
    np.testing.assert_allclose(weighted.tree_.impurity, repeated.tree_.impurity, atol=1e-9)


def test_class_weight_is_sample_weight():
    X, classes, _ = mixed(1)
    weights = {"low": 3.0, "mid": 1.0, "top": 0.5}
    a = CARTClassifier(class_weight=weights, max_depth=3).fit(X, classes)
    b = CARTClassifier(max_depth=3).fit(X, classes, [weights[label] for label in classes])
    assert same_splits(a.tree_, b.tree_) and np.allclose(a.tree_.value, b.tree_.value)


# ---- categories, odd input -----------------------------------------------------------------------
def test_ordering_theorem_finds_the_best_of_all_subsets():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"c": pd.Categorical(rng.choice(list("abcdef"), 80))})
    y = rng.integers(0, 2, 80)
    score = CARTClassifier(max_depth=1).fit(X, y).tree_.extra["score"][0]
    codes, best = X["c"].cat.codes.to_numpy(), 0.0
    for number in range(1, 2**5):
        left = np.isin(codes, [i for i in range(6) if number >> i & 1])
        cases = [[(a, 1.0) for a in y[side]] for side in (left | ~left, left, ~left)]
        whole, *parts = (naive_tree.impurity(side, "gini", 2) for side in cases)
        best = max(best, whole - sum(parts))
    assert score == pytest.approx(best)


@pytest.mark.parametrize("rules", [{}, {"surrogates": 1}])
def test_too_many_levels_for_three_classes(rules):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"c": [f"v{i % 26}" for i in range(200)]})
    with pytest.raises(ValueError, match=r"26 values.*too many to try for 3 classes.*merge"):
        CARTClassifier(**rules).fit(X, rng.integers(0, 3, 200))
    CARTClassifier(**rules).fit(X, rng.integers(0, 2, 200))  # two classes: ordered
    CARTRegressor(**rules).fit(X, rng.normal(size=200))


def test_predict_of_odd_rows():
    X, classes, y = mixed(3)
    plain = CARTClassifier(max_depth=4).fit(X, classes)
    new = X.iloc[:3].copy()
    new["b"] = pd.Categorical(["never", "u", "v"])
    assert set(plain.predict(new)) <= {"low", "mid", "top"}  # a new category stops at its node
    far = X.iloc[:2].assign(a=[-1e300, 1e300])
    assert len(plain.predict(far)) == 2
    assert plain.predict(X.iloc[:1]).shape == (1,)
    rpart = CARTRegressor(surrogates=2, min_samples_leaf=5).fit(X, y)
    empty = pd.DataFrame({"a": [np.nan], "b": pd.Categorical([None], list("uvwx")), "c": [np.nan]})
    assert np.isfinite(rpart.predict(empty)).all()
    with pytest.raises(ValueError, match="feature names"):
        plain.predict(X[["b", "a", "c"]])
    with pytest.raises(ValueError, match="DataFrame"):
        plain.predict(X.to_numpy())


def test_neighbouring_floats_are_told_apart():
    low = 1.0
    high = np.nextafter(low, 2)
    model = CARTClassifier().fit([[low], [low], [high], [high]], [0, 0, 1, 1])
    assert model.predict([[low], [high]]).tolist() == [0, 1]
    model = CARTClassifier().fit([[-1e308], [1e308]], [0, 1])
    assert model.predict([[-1e308], [1e308]]).tolist() == [0, 1]


BAD = [
    ({"min_samples_split": 1}, "min_samples_split is 1, expected a whole number ≥ 2"),
    ({"min_samples_leaf": 0.5}, "min_samples_leaf is 0.5, expected a whole number ≥ 1"),
    ({"max_depth": 0}, "max_depth is 0, expected None or a whole number ≥ 1"),
    ({"max_leaf_nodes": 1}, "max_leaf_nodes is 1, expected None or a whole number ≥ 2"),
    ({"ccp_alpha": -1}, "ccp_alpha is -1, expected a number ≥ 0"),
    ({"cp": -0.1}, "cp is -0.1, expected None or a number ≥ 0"),
    ({"cp": "auto"}, "cp is 'auto', expected None or a number ≥ 0"),
    ({"cp": 0.1, "ccp_alpha": 0.1}, "two ways to prune; give one of them"),
    ({"surrogates": -1}, "surrogates is -1, expected a whole number ≥ 0"),
    ({"surrogates": 1.5}, "surrogates is 1.5, expected a whole number ≥ 0"),
    ({"criterion": "logloss"}, "criterion is 'logloss', expected one of"),
    (
        {"max_features": 9},
        "max_features is 9, expected None, 'sqrt', 'log2', a whole number from 1 to",
    ),
]


@pytest.mark.parametrize(("parameters", "message"), BAD)
def test_bad_parameters_get_a_sentence(parameters, message):
    X, y = noisy(30, 3, 2, 0)
    for kind in (CARTClassifier, CARTRegressor):
        with pytest.raises(ValueError, match=kind.__name__) as error:
            kind(**parameters).fit(X, y)
        assert message in str(error.value)


def test_bad_tables_get_a_sentence():
    X, classes, y = mixed(0)
    gap = X.assign(c=X["c"].where(X.index > 3))
    for model, target in [(CARTClassifier(), classes), (CARTRegressor(), y)]:
        with pytest.raises(ValueError, match=r"'c' has missing values.*surrogates=5"):
            model.fit(gap, target)
        with pytest.raises(ValueError, match="NaN"):
            clone(model).fit(gap[["a", "c"]].to_numpy(), target)
        filled = clone(model).set_params(surrogates=5).fit(gap, target)
        assert len(filled.predict(gap)) == len(gap)
        with pytest.raises(ValueError, match=r"'c' is all missing; drop it or fill it"):
            clone(model).set_params(surrogates=5).fit(X.assign(c=np.nan), target)
        with pytest.raises(ValueError, match="infinity"):
            clone(model).set_params(surrogates=5).fit(X.assign(c=np.inf), target)
        with pytest.raises(ValueError, match="rows"):
            clone(model).fit(X.iloc[:0], target[:0])
        with pytest.raises(ValueError, match="give one each"):
            clone(model).fit(X, target[:-1])
        with pytest.raises(ValueError, match="negative"):
            clone(model).fit(X, target, -np.ones(len(X)))
        with pytest.raises(ValueError, match="zero"):
            clone(model).fit(X, target, np.zeros(len(X)))
    with pytest.raises(ValueError, match="missing"):
        CARTRegressor().fit(X, y.where(y > 0))
    with pytest.raises(ValueError, match="one class only"):
        CARTClassifier().fit(X, ["a"] * len(X))


# ---- conventions ---------------------------------------------------------------------------------
@pytest.mark.parametrize("rules", [{}, {"cp": 0.01, "surrogates": 2}])
def test_pickled_models_answer_alike(rules):
    X, classes, y = mixed(2)
    for model, target in [(CARTClassifier(**rules), classes), (CARTRegressor(**rules), y)]:
        model.fit(X, target)
        again = pickle.loads(pickle.dumps(model))
        assert (again.predict(X) == model.predict(X)).all()
        assert again.tree_.to_text() == model.tree_.to_text()
        assert again.variable_importance_.equals(model.variable_importance_)


def test_pipeline_grid_search_and_cross_validation():
    X, y = noisy(200, 4, 2, 0)
    X[::7, 1] = np.nan
    pipe = make_pipeline(SimpleImputer(), CARTClassifier())
    grid = GridSearchCV(pipe, {"cartclassifier__max_depth": [1, 3]}, cv=3).fit(X, y)
    assert grid.best_score_ > 0.5
    grid = GridSearchCV(CARTClassifier(surrogates=3), {"cp": [None, 0.01, 0.1]}, cv=3).fit(X, y)
    assert grid.best_estimator_.tree_.n_nodes >= 1
    frame, _, target = mixed(0)
    assert cross_val_score(CARTRegressor(min_samples_leaf=5), frame, target, cv=4).mean() > 0.3
    assert clone(CARTRegressor(cp=0.1, surrogates=2)).get_params()["cp"] == 0.1


def test_variable_importance_without_surrogates_is_that_of_the_splits():
    X, classes, _ = mixed(0)
    model = CARTClassifier(max_depth=3).fit(X, classes)
    found = model.variable_importance_
    share = found / found.sum()
    ours = dict(zip(X.columns, model.feature_importances_, strict=True))
    assert all(share[name] == pytest.approx(ours[name]) for name in found.index)


PURE = {"check_class_weight_classifiers": "a fully grown tree has pure leaves whatever the weights"}


@pytest.mark.parametrize(
    "model",
    [CARTClassifier(), CARTRegressor(), ID3Classifier(), CARTClassifier(cp=0.0, surrogates=1)],
    ids=["CARTClassifier", "CARTRegressor", "ID3Classifier", "rpart"],
)
def test_scikit_learns_own_checks(model):
    expected = PURE if isinstance(model, CARTClassifier) else {}
    check_estimator(model, expected_failed_checks=expected)


# ---- ID3 -----------------------------------------------------------------------------------------
def test_id3_play_tennis():
    X, y = load_play_tennis()
    model = ID3Classifier().fit(X, y)
    assert (model.tree_.n_nodes, model.tree_.n_leaves) == (8, 5)
    assert dict(model.tree_.rules()) == {
        "outlook = sunny and humidity = high": "no",
        "outlook = sunny and humidity = normal": "yes",
        "outlook = overcast": "yes",
        "outlook = rain and windy = false": "yes",
        "outlook = rain and windy = true": "no",
    }
    assert (model.predict(X) == y).all()
    assert model.tree_.extra["score"][0] / 14 == pytest.approx(0.246750, abs=1e-6)


def test_id3_empty_branch_takes_the_majority_of_the_parent():
    kind = pd.CategoricalDtype(["a", "b", "c"])
    X = pd.DataFrame({"x": pd.Categorical(["a", "a", "b", "b", "b"], dtype=kind)})
    y = ["yes", "yes", "no", "no", "no"]
    model = ID3Classifier().fit(X, y)
    assert model.tree_.n_leaves == 3 and model.tree_.count.tolist() == [5, 2, 3, 0]
    assert model.predict(pd.DataFrame({"x": pd.Categorical(["c"], dtype=kind)})).tolist() == ["no"]


def test_id3_unseen_category_takes_the_majority_of_its_node():
    X, y = load_play_tennis()
    model = ID3Classifier().fit(X, y)
    new = X.iloc[[0, 0]].copy()
    new["outlook"] = pd.Categorical(["fog", "sunny"], ["fog", "sunny"])
    new["humidity"] = pd.Categorical(["high", "damp"], ["high", "damp"])
    assert model.predict(new).tolist() == ["yes", "no"]  # of all 9/5, of the sunny days 2/3


def test_id3_restaurant_asks_for_patrons_first():
    X, y = load_restaurant()
    model = ID3Classifier().fit(X, y)
    root = model.tree_.names[model.tree_.feature[0]]
    assert root.lower() == "patrons"
    assert model.tree_.extra["score"][0] / 12 == pytest.approx(0.540852, abs=1e-6)
    assert (model.predict(X) == y).all()
