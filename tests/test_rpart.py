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
SKIPPED = [
    pytest.param(name, marks=pytest.mark.skip(reason=reason))
    for name, reason in CASES.items()
    if reason
]
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
    theirs = frame["complexity"][inner].astype(float)
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


# Two recorded cases have competitors or surrogates that are equally good. Which stands first is
# decided by rounding in sums over equal values, whose order R's sort shuffles.
SHUFFLED = {"iris-anova", "solder.balance-cp.0005"}


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
            if case.name in SHUFFLED:
                assert sorted(tree.names[q.feature] for q in mine) == sorted(theirs["var"])
                continue
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


@pytest.mark.parametrize("name", [*SUPPORTED, *SKIPPED])
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


# ---- kyphosis: what the lesson prints ------------------------------------------------------------
RPART = {"cp": 0.01, "surrogates": 5, "min_samples_split": 20, "min_samples_leaf": 7}


def test_kyphosis():
    X, y = load_kyphosis()
    model = CARTClassifier(**RPART).fit(X, y)
    tree = model.tree_
    assert tree.to_text().splitlines() == [
        "start < 8.5: present (19/8)",
        "start >= 8.5",
        "|   start < 14.5",
        "|   |   age < 55: absent (12)",
        "|   |   age >= 55",
        "|   |   |   age < 111: present (7/3)",
        "|   |   |   age >= 111: absent (14/2)",
        "|   start >= 14.5: absent (29)",
    ]
    assert tree.summary(0) == "absent (81/17)" and tree.summary(2) == "absent (62/6)"
    table = model.cp_table_
    assert table["CP"].tolist() == pytest.approx([3 / 17, 1 / 51, 0.01])
    assert table["nsplit"].tolist() == [0, 1, 4]
    assert table["rel error"].tolist() == pytest.approx([1, 14 / 17, 13 / 17])
    assert tree.extra["improve"][0] == pytest.approx(6.762330, abs=1e-6)
    number, age = tree.extra["competitors"][0]
    assert (tree.names[number.feature], number.threshold) == ("number", 5.5)
    assert (tree.names[age.feature], age.threshold) == ("age", 39.5)
    assert [number.worth, age.worth] == pytest.approx([2.866795, 2.250212], abs=1e-6)
    (surrogate,) = tree.extra["surrogates"][0]
    assert (tree.names[surrogate.feature], surrogate.threshold) == ("number", 6.5)
    assert (round(surrogate.worth, 3), round(surrogate.adjusted, 3)) == (0.802, 0.158)
    expected = {"start": 8.198442, "age": 3.101801, "number": 1.521863}
    assert model.variable_importance_.to_dict() == pytest.approx(expected, abs=1e-6)


def test_one_standard_error():
    table = pd.DataFrame(
        {"CP": [0.5, 0.2, 0.1, 0.01], "xerror": [1, 0.72, 0.6, 0.6], "xstd": [0.1, 0.2, 0.12, 0.1]}
    )
    assert one_se_cp(table) == 0.2  # 0.72 is the first within 0.6 + 0.12
    with pytest.raises(ValueError, match="call cross_validate_cp first"):
        one_se_cp(table.drop(columns="xerror"))


def test_cross_validation_draws_folds_and_chooses():
    X, y = load_kyphosis()
    model = CARTClassifier(**RPART).fit(X, y)
    a, b = (cross_validate_cp(model, X, y, 5, random_state=seed)["xerror"] for seed in (1, 1))
    assert (a == b).all() and model.cp_table_["xerror"].equals(b)
    small = prune_cp(model, one_se_cp(model.cp_table_))
    assert small.tree_.n_leaves <= model.tree_.n_leaves and small.cp >= model.cp
    assert model.cp == 0.01 and len(model.cp_table_) == 3  # as it was
    again = CARTClassifier(**RPART | {"cp": small.cp}).fit(X, y)
    assert again.tree_.to_text() == small.tree_.to_text()
    for folds in (1, [1, 2, 3], [1] * 81):
        with pytest.raises(ValueError, match="a fold for each of the 81 rows"):
            cross_validate_cp(model, X, y, folds)
    with pytest.raises(ValueError, match="X has 81 rows but y has 80"):
        cross_validate_cp(model, X, y[:-1])
    with pytest.raises(ValueError, match="was not there in fitting"):
        cross_validate_cp(model, X, ["new"] * 81)
    with pytest.raises(ValueError, match="fit again with the smaller cp"):
        prune_cp(model, 0.001)
    with pytest.raises(ValueError, match="give cp"):
        cross_validate_cp(CARTClassifier(surrogates=1).fit(X, y), X, y)
    with pytest.raises(ValueError, match="not fitted"):
        prune_cp(CARTClassifier().fit(X, y), 0.1)


def test_surrogates_answer_when_the_primary_value_is_gone():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    X = pd.DataFrame(
        {"x": x, "twin": x + 0.01 * rng.normal(size=300), "noise": rng.normal(size=300)}
    )
    y = np.where(x > 0, "up", "down")
    model = CARTClassifier(surrogates=1, min_samples_leaf=5).fit(X, y)
    gone = X.assign(x=np.nan)
    assert (model.predict(gone) == y).mean() > 0.97
    assert len(set(model.predict(gone.assign(twin=np.nan)))) == 1  # all go with the larger son
    path = model.tree_.path([np.nan, -1.0, 0.0])
    assert model.tree_.answer(path[-1]) == "down"


# ---- the program itself --------------------------------------------------------------------------
def random_job(seed):
    """Return a job for rpart_live_many: ties, gaps, categories, weights, any setting we have.

    In regression, and with weights, numbers are all different: R's sort shuffles equal values,
    and then rounding in sums decides ties.
    """
    rng = np.random.default_rng(seed)
    n, kind, columns = int(rng.integers(20, 150)), rng.integers(3), {}
    weights = rng.choice([1.0, 2.0, 3.0], n) if rng.random() < 0.3 else None
    ties = kind == 0 and weights is None
    score, coarse = np.zeros(n), ties and rng.random() < 0.6
    for j in range(int(rng.integers(1, 6))):
        if rng.random() < 0.6:
            x = rng.integers(0, rng.integers(2, 12), n) + 0.0 if coarse else rng.normal(size=n)
            columns[f"x{j}"] = x.round(2) if ties else x
            score += rng.normal() * x
        else:
            levels = pd.Index([f"v{k}" for k in range(int(rng.integers(2, 7)))], dtype=object)
            code, ordered = rng.integers(0, len(levels), n), bool(rng.random() < 0.2)
            score += rng.normal(size=len(levels))[code]
            columns[f"x{j}"] = pd.Categorical.from_codes(code, levels, ordered=ordered)
    X, new = pd.DataFrame(columns), pd.DataFrame(columns)
    surrogates = int(rng.choice([0, 1, 2, 5]))
    for name in X:
        if surrogates and rng.random() < 0.5:
            X.loc[rng.random(n) < rng.choice([0.05, 0.3]), name] = np.nan
        new.loc[rng.random(n) < 0.4, name] = np.nan
    score += rng.normal(size=n) * score.std()
    parms = {}
    if kind == 0:
        k = int(rng.integers(2, 5))
        code = np.searchsorted(np.quantile(score, np.arange(1, k) / k), score)
        labels = pd.Index([f"c{c}" for c in range(k)], dtype=object)
        y = pd.Series(pd.Categorical.from_codes(code, labels), name="y")
        parms = {"split": "information"} if rng.random() < 0.4 else {}
    else:
        rounded = score.round(int(rng.integers(0, 4))) + 0.0
        y = pd.Series(rounded if kind == 1 else rng.integers(0, 4, n) + 0.0, name="y")
    control = {
        "cp": float(rng.choice([-1 if surrogates else 0, 0, 0.001, 0.01, 0.05])),
        "minsplit": int(rng.choice([2, 5, 10, 20])),
        "maxsurrogate": surrogates,
        "xval": (rng.permutation(n) % 5 + 1).tolist(),
    }
    job = {"method": "anova" if kind else "class", "parms": parms, "control": control}
    return {"X": X, "y": y, "weights": weights, "X_new": new if surrogates else None, **job}


@pytest.mark.slow
@needs_rpart
@pytest.mark.parametrize("first", range(0, 400, 50))
def test_rpart_itself(first):
    cases = rpart_live_many([random_job(seed) for seed in range(first, first + 50)])
    # Without ties, where R's rounding may choose the split, and constant y, where R shows NaN.
    clear = [case for case in cases if not case.ties and case.y.nunique() > 1]
    assert len(clear) >= 10
    for case in clear:
        model = fitted(case)
        check_frame(case, model)
        check_splits(case, model)
        check_table(case, model)
        check_predictions(case, model, new=case.X_new is not None)
        check_importance(model.variable_importance_, case.importance)
        if len(case.cptable) > 1 and model.cp is not None:  # rpart validates no single leaf
            folds = case.control["xval"]
            cross_validate_cp(model, case.X, case.y, folds, sample_weight=case.weights)
            check_table(case, model)
