"""CART with cp and surrogates is R's rpart: the records, node by node, and the program itself."""

import pickle

import numpy as np
import pandas as pd
import pytest
from oracle import available, load_rpart, rpart_cases, rpart_live_many

from mlcourse import (
    CARTClassifier,
    CARTRegressor,
    cross_validate_cp,
    load_kyphosis,
    one_se_cp,
    prune_cp,
)
from mlcourse.columns import columns_of
from mlcourse.rpart import RpartGrower

needs_rpart = pytest.mark.skipif(not available("rpart"), reason="needs Rscript with rpart 4.1")
NEAR = {"rtol": 1e-9, "atol": 1e-12}


# ---- from a call of rpart to a model -------------------------------------------------------------
def unsupported(case):
    """Say what of a call has no parameter here; empty if all have."""
    control, gaps = case.control, case.X.isna().any().any()
    if case.cost is not None or {"prior", "loss"} & set(case.parms):
        return "priors, losses and costs of variables are no parameters here"
    if control.get("surrogatestyle", 0):
        return "surrogatestyle is always 0 here"
    if gaps and (control.get("usesurrogate", 2) != 2 or control.get("maxsurrogate", 5) == 0):
        return "missing values need surrogates, and usesurrogate is always 2 here"
    return ""


CASES = {name: unsupported(load_rpart(name)) for name in rpart_cases()}
SUPPORTED = [name for name, reason in CASES.items() if not reason]
every_case = pytest.mark.parametrize("name", SUPPORTED)


def model_of(case):
    """Return the model, unfitted, with the parameters of a call of rpart."""
    control = case.control
    minsplit = control.get("minsplit", 3 * control.get("minbucket", 20 / 3))
    parameters = {
        "cp": control.get("cp", 0.01),
        "surrogates": control.get("maxsurrogate", 5),
        "min_samples_split": round(minsplit),
        "min_samples_leaf": control.get("minbucket", round(minsplit / 3)),
        "max_depth": control.get("maxdepth"),
    }
    if parameters["cp"] == -1:
        parameters["cp"] = None
    if case.method == "anova":
        return CARTRegressor(**parameters)
    criterion = "entropy" if case.parms.get("split") == "information" else "gini"
    return CARTClassifier(criterion=criterion, **parameters)


def fitted(case):
    return model_of(case).fit(case.X, case.y, case.weights)


@pytest.fixture(scope="module")
def records():
    """Return a function: name → (record, fitted model); each is fitted once."""
    made = {}

    def get(name):
        if name not in made:
            case = load_rpart(name)
            made[name] = case, fitted(case)
        return made[name]

    return get


# ---- from a tree to rpart's tables ---------------------------------------------------------------
def in_order(tree, case):
    """Return our nodes in the order of R's frame."""
    number = tree.extra["number"]
    assert sorted(number) == sorted(case.frame.index), "another tree"
    return [number.index(node) for node in case.frame.index]


def described(column, threshold, sides):
    """Describe a question about a column as Rpart.describe does; side 0 is left."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return ("<", threshold, ("left", "right")[sides[0]])
    levels = column.cat.categories
    if column.cat.ordered:  # R shows the cut of an ordered factor as two sets, too
        sides = np.where(np.arange(1, len(levels) + 1) < threshold, sides[0], sides[1])
    return ("in", *(tuple(levels[np.flatnonzero(sides == side)]) for side in (0, 1)))


def same_question(ours, theirs):
    if ours[0] == "<":
        return ours[::2] == theirs[::2] and np.isclose(ours[1], theirs[1], **NEAR)
    return ours == theirs


def check_frame(case, model):
    tree, frame = model.tree_, case.frame
    nodes = in_order(tree, case)
    names = ["<leaf>" if f < 0 else tree.names[f] for f in tree.feature[nodes]]
    assert names == frame["var"].tolist()
    assert tree.count[nodes].tolist() == frame["n"].tolist()
    np.testing.assert_allclose(tree.weight[nodes], frame["wt"], **NEAR)
    np.testing.assert_allclose(tree.extra["risk"][nodes], frame["dev"], rtol=1e-9, atol=1e-9)
    answers = [tree.answer(node) for node in nodes]
    if case.method == "class":
        assert answers == [case.classes[code - 1] for code in frame["yval"]]
    else:
        np.testing.assert_allclose(answers, frame["yval"].astype(float), **NEAR)
    inner = frame["var"].to_numpy() != "<leaf>"
    ours = tree.extra["complexity"][nodes][inner]
    np.testing.assert_allclose(ours, frame["complexity"][inner], rtol=1e-9, atol=1e-12)


def check_splits(case, model):
    tree, splits = model.tree_, case.splits
    for node in np.flatnonzero(~tree.is_leaf):
        rows = splits[splits["node"] == tree.extra["number"][node]]
        first = rows[rows["role"] == "primary"].iloc[0]
        np.testing.assert_allclose(tree.extra["improve"][node], first["improve"], **NEAR)
        flipped = bool(tree.extra["flipped"][node])
        sides = tree.branches[node] if np.isnan(tree.threshold[node]) else [flipped, not flipped]
        ours = described(case.X[first["var"]], tree.threshold[node], np.array(sides).astype(int))
        assert same_question(ours, case.describe(first)), (node, ours, case.describe(first))
        for role, turn in (("competitors", False), ("surrogates", flipped)):
            theirs = rows[rows["role"] == role[:-1]]
            mine = tree.extra[role][node]
            worth = [question.worth for question in mine]
            np.testing.assert_allclose(worth, theirs["improve"], **NEAR)
            adjusted = [question.adjusted for question in mine]
            np.testing.assert_allclose(adjusted, theirs["adj"], rtol=1e-9, atol=1e-9)
            for question, (_, row) in zip(mine, theirs.iterrows(), strict=True):
                assert tree.names[question.feature] == row["var"]
                sides = question.turned().sides if turn else question.sides
                said = described(case.X[row["var"]], question.threshold, sides)
                assert same_question(said, case.describe(row)), (node, role, row["var"])
                if role == "surrogates":
                    assert question.count == row["count"]


def check_table(case, model):
    ours, theirs = model.cp_table_, case.cptable
    assert list(ours)[:3] == list(theirs)[:3]
    np.testing.assert_allclose(ours, theirs[list(ours)], rtol=1e-9, atol=1e-9)


def check_importance(ours, theirs):
    assert sorted(ours.index) == sorted(theirs)
    np.testing.assert_allclose(ours, [theirs[name] for name in ours.index], rtol=1e-9)
    np.testing.assert_allclose(sorted(theirs.values(), reverse=True), ours, rtol=1e-9)


def check_predictions(case, model, new=True):
    for X, node, value in [(case.X, case.node, case.value)] + (
        [(case.X_new, case.node_new, case.value_new)] if new else []
    ):
        assert [model.tree_.extra["number"][end] for end in model.apply(X)] == node.tolist()
        ours = model.predict_proba(X) if case.method == "class" else model.predict(X)
        np.testing.assert_allclose(ours, value, **NEAR)


# ---- the records ---------------------------------------------------------------------------------
def test_most_records_have_a_model_and_the_others_a_reason():
    assert len(SUPPORTED) >= 38 and len(CASES) - len(SUPPORTED) <= 17
    for name in ("kyphosis", "solder", "car90", "airquality", "stagec", "cu.summary", "iris"):
        assert any(case.startswith(name) for case in SUPPORTED)


@every_case
def test_frame(records, name):
    check_frame(*records(name))


@every_case
def test_splits_competitors_and_surrogates(records, name):
    check_splits(*records(name))


@every_case
def test_cp_table(records, name):
    check_table(*records(name))


@every_case
def test_variable_importance(records, name):
    case, model = records(name)
    check_importance(model.variable_importance_, case.importance)


@every_case
def test_nodes_and_predictions(records, name):
    check_predictions(*records(name))


@every_case
def test_node_of_each_row_in_growing(records, name):
    case, model = records(name)
    columns = columns_of(model, case.X.iloc[case.kept])
    y, weight = case.y.iloc[case.kept], None
    if case.weights is not None:
        weight = case.weights[case.kept]
    n_classes = len(case.classes) if case.method == "class" else 0
    target = y.cat.codes.to_numpy().astype(int) if n_classes else y.to_numpy()
    grower = RpartGrower(
        columns, target, n_classes, weight=weight, surrogates=model.surrogates, **model._checked()
    )
    full = grower.grow()
    kept = model.tree_.extra["number"]
    number = {0: 1}
    for node in np.flatnonzero(~full.is_leaf):
        for branch, son in enumerate(full.children[node]):
            number[int(son)] = 2 * number[int(node)] + int(branch ^ full.extra["flipped"][node])
    ends = [number[int(node)] for node in grower.where]
    while not set(ends) <= set(kept):
        ends = [end if end in kept else end // 2 for end in ends]
    assert ends == case.where.tolist()


@every_case
def test_cross_validation(records, name):
    case, model = records(name)
    folds = case.control.get("xval", 0)
    assert "xerror" in case.cptable and len(folds) == len(case.X)
    model = pickle.loads(pickle.dumps(model))
    cross_validate_cp(model, case.X, case.y, folds, sample_weight=case.weights)
    assert list(model.cp_table_) == list(case.cptable)
    check_table(case, model)


@every_case
def test_pruned(records, name):
    case, model = records(name)
    pruned = case.raw["pruned"]
    cp, nodes, weights = pruned["cp"], pruned["node"], pruned["importance"]
    importance = dict(zip(weights["name"] or [], weights["value"], strict=True))
    row = int((model.cp_table_["CP"] - cp).abs().argmin())
    pruned = prune_cp(model, float(model.cp_table_["CP"][row]))
    assert sorted(pruned.tree_.extra["number"]) == sorted(nodes)
    check_importance(pruned.variable_importance_, importance)
    assert len(pruned.cp_table_) == row + 1 and pruned.cp_table_["CP"].iloc[-1] == pruned.cp
