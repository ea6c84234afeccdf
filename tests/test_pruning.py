"""Pruning: worked numbers, naive twins, nested trees, and reasons that explain every cut."""

import copy
import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import load_rpart
from scipy.stats import chi2_contingency
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from mlcourse import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    chi_square_prune,
    cost_complexity_path,
    cost_complexity_prune,
    description_length,
    load_breast_cancer_ljubljana,
    load_german,
    load_kyphosis,
    load_play_tennis,
    load_restaurant,
    mdl_prune,
    pessimistic_prune,
    reduced_error_prune,
)
from mlcourse.columns import columns_of
from mlcourse.complexity import cut_at, node_risk
from mlcourse.pessimistic import pessimistic_error

TENNIS = load_play_tennis()
KYPHOSIS = load_kyphosis()


def mixed(seed, n=120, classes=2, gaps=False, regression=False):
    """Return a noisy table with two numbers and two categories, and y."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "size": rng.integers(0, 12, n).astype(float),
            "age": rng.normal(size=n).round(1),
            "colour": pd.Categorical(rng.choice(["red", "green", "blue"], n)),
            "shape": pd.Categorical(rng.choice(["a", "b", "c", "d"], n)),
        }
    )
    signal = (X["size"] > 5) + 2 * (X["colour"] == "red") + rng.normal(scale=1.0, size=n)
    if gaps:
        X = X.mask(rng.random(X.shape) < 0.12)
        X["colour"], X["shape"] = X["colour"].astype("category"), X["shape"].astype("category")
    if regression:
        return X, signal.to_numpy()
    edges = np.quantile(signal, np.arange(1, classes) / classes)
    return X, np.array(list("pqrs"))[np.searchsorted(edges, signal)]


MODELS = {
    "id3": lambda: ID3Classifier(),
    "c45": lambda: C45Classifier(prune=False, collapse=False),
    "cart": lambda: CARTClassifier(),
    "rpart": lambda: CARTClassifier(cp=0.0, surrogates=3),
    "regressor": lambda: CARTRegressor(),
}
CLASSIFIERS = ["id3", "c45", "cart", "rpart"]


def fitted(kind, seed=0, n=240, classes=2, weights=False):
    """Return a model grown on half of a table, and the other half."""
    X, y = mixed(seed, n, classes, regression=kind == "regressor")
    rng, h = np.random.default_rng(seed), n // 2
    weight = rng.integers(1, 4, h).astype(float) if weights else None
    return MODELS[kind]().fit(X[:h], y[:h], weight), X[h:], y[h:]


def prunings(kind, X_val, y_val):
    """Yield name and function of every way to prune that takes this kind of model."""
    yield "reduced error", lambda model: reduced_error_prune(model, X_val, y_val)
    for alpha in (0.0, 0.005, 0.02):
        yield f"cost-complexity {alpha}", lambda m, a=alpha: cost_complexity_prune(m, alpha=a)
    if kind != "regressor":
        for convention in ("c45", "j48", "binomial"):
            yield convention, lambda m, c=convention: pessimistic_prune(m, convention=c)
        yield "chi-square", chi_square_prune
        yield "mdl", mdl_prune


def state(model):
    """Return all arrays of a model's tree, and its attributes, in comparable form."""
    tree = model.tree_
    arrays = (tree.feature, tree.threshold, tree.children, tree.branches, tree.value, tree.count)
    return pickle.dumps([np.asarray(a) for a in arrays]), sorted(vars(model))


def same(one, other):
    """Say whether two trees are equal, node by node."""
    names = ("feature", "threshold", "children", "value", "weight", "count", "impurity")
    return all(np.array_equal(getattr(one, n), getattr(other, n), equal_nan=True) for n in names)


# What holds for all ------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("kind", MODELS)
def test_the_table_explains_every_difference(kind, weights):
    model, X_val, y_val = fitted(kind, seed=3, weights=weights)
    before, tree = state(model), model.tree_
    inner = set(np.flatnonzero(~tree.is_leaf).tolist())
    some = 0
    for name, prune in prunings(kind, X_val, y_val):
        pruned = prune(model)
        table = pruned.pruning_table_
        assert state(model) == before, name
        assert pruned is not model
        assert type(pruned) is type(model)
        assert pruned.get_params() == model.get_params()
        assert sorted(table["node"]) == sorted(inner)  # every inner node once
        assert table["step"].tolist() == list(range(1, len(inner) + 1))
        assert set(table["decision"]) <= {"cut", "kept"}
        assert table["reason"].str.len().min() > 10
        cut = table.loc[table["decision"] == "cut", "node"]
        assert same(pruned.tree_, tree.cut(cut)), name  # the rows, and nothing else
        assert pruned.tree_.n_leaves <= tree.n_leaves
        assert table["cases"].tolist() == tree.count[table["node"]].tolist()
        assert table["depth"].tolist() == tree.depths[table["node"]].tolist()
        pruned.predict(X_val)
        assert same(pickle.loads(pickle.dumps(pruned)).tree_, pruned.tree_)
        some += len(cut)
    assert some > 10


@pytest.mark.parametrize("kind", MODELS)
def test_each_node_is_looked_at_after_those_below_it(kind):
    model, X_val, y_val = fitted(kind, seed=4)
    parent = model.tree_.parent
    for _, prune in itertools.islice(prunings(kind, X_val, y_val), 0, None):
        nodes = prune(model).pruning_table_["node"].tolist()
        if "alpha" in prune(model).pruning_table_:
            continue  # there the weakest link comes first, whatever falls with it after
        place = {node: i for i, node in enumerate(nodes)}
        assert all(place[n] < place[parent[n]] for n in nodes if n)


@pytest.mark.parametrize("kind", MODELS)
def test_pruning_a_leaf_gives_a_leaf_and_an_empty_table(kind):
    model, X_val, y_val = fitted(kind)
    stump = cost_complexity_prune(model, alpha=np.inf)
    assert stump.tree_.n_nodes == 1
    for _, prune in prunings(kind, X_val, y_val):
        again = prune(stump)
        assert again.tree_.n_nodes == 1
        assert len(again.pruning_table_) == 0
        assert {"step", "node", "test", "decision", "reason"} <= set(again.pruning_table_)


@pytest.mark.parametrize("kind", MODELS)
def test_pruning_twice_cuts_no_more_except_by_the_path(kind):
    model, X_val, y_val = fitted(kind, seed=5)
    for _, prune in prunings(kind, X_val, y_val):
        once = prune(model)
        assert same(prune(once).tree_, once.tree_)


def test_a_new_pruning_forgets_the_tables_of_the_last():
    model = CARTClassifier().fit(*KYPHOSIS)
    first = cost_complexity_prune(model, X=KYPHOSIS[0], y=KYPHOSIS[1], cv=3, random_state=0)
    assert {"alpha_", "cv_table_"} <= set(vars(first))
    second = chi_square_prune(first)
    assert not {"alpha_", "cv_table_"} & set(vars(second))
    assert {"alpha_", "cv_table_"} <= set(vars(first))


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_weights_count_like_repeated_rows(kind):
    X, y = mixed(6)
    weight = np.random.default_rng(6).integers(1, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    kind = MODELS[kind]
    weighted = kind().fit(X, y, weight.astype(float))
    repeated = kind().fit(X.iloc[rows], y[rows])
    for prune in (
        pessimistic_prune,
        chi_square_prune,
        lambda m: mdl_prune(m, X),
        lambda m: cost_complexity_prune(m, alpha=0.01),
    ):
        one, other = prune(weighted), prune(repeated)
        assert one.tree_.to_text() == other.tree_.to_text()


def test_bad_input():
    model = ID3Classifier().fit(*TENNIS)
    X, y = TENNIS
    regressor = CARTRegressor().fit([[1], [2], [3]], [1, 2, 4])
    everything = [
        lambda m: reduced_error_prune(m, X, y),
        pessimistic_prune,
        chi_square_prune,
        mdl_prune,
        description_length,
        cost_complexity_path,
        lambda m: cost_complexity_prune(m, alpha=0.1),
    ]
    for prune in everything:
        with pytest.raises(TypeError, match="DecisionTreeClassifier, expected a fitted ID3"):
            prune(DecisionTreeClassifier())
        with pytest.raises(ValueError, match="not fitted"):
            prune(ID3Classifier())
    for prune in everything[1:5]:
        with pytest.raises(TypeError, match="CARTRegressor; use reduced_error_prune"):
            prune(regressor)
    for confidence in (0, 1, -0.1, "much", np.nan):
        with pytest.raises(ValueError, match="confidence is"):
            pessimistic_prune(model, confidence)
        with pytest.raises(ValueError, match="alpha is"):
            chi_square_prune(model, confidence)
    with pytest.raises(ValueError, match="convention is 'weka'"):
        pessimistic_prune(model, convention="weka")
    with pytest.raises(ValueError, match="risk is 'gini'"):
        cost_complexity_path(model, risk="gini")
    with pytest.raises(ValueError, match="misclassification"):
        cost_complexity_path(regressor, risk="misclassification")
    for alpha in (-1, np.nan, "big"):
        with pytest.raises(ValueError, match="alpha is"):
            cost_complexity_prune(model, alpha)
    for arguments in ({}, {"alpha": 0.1, "X": X, "y": y}, {"X": X}, {"y": y}):
        with pytest.raises(ValueError, match="either alpha, or the training set"):
            cost_complexity_prune(model, **arguments)
    with pytest.raises(ValueError, match="rule is '2-SE'"):
        cost_complexity_prune(model, alpha=0.1, rule="2-SE")
    with pytest.raises(ValueError, match="inconsistent numbers"):
        cost_complexity_prune(model, X=X, y=y[:5])


@pytest.mark.parametrize("how", ["post", "pre"])
def test_bad_validation_sets(how):
    X, y = TENNIS
    model, regressor = ID3Classifier().fit(X, y), CARTRegressor().fit([[1], [2]], [1, 2])

    def use(model, X_new, y_new, data=TENNIS):
        if how == "post":
            return reduced_error_prune(model, X_new, y_new)
        return model.fit(*data, validation=(X_new, y_new))

    for rows, labels, message in [
        (X, y[:3], "14 rows but y has shape"),
        (X[:0], y[:0], "0 rows"),
        (X, [None, *y[1:]], "missing values"),
        (X, [1] * 14, "no label"),
        (X.drop(columns="windy"), y, "windy"),
    ]:
        with pytest.raises(ValueError, match=message):
            use(model, rows, labels)
    with pytest.raises(ValueError, match="missing values"):
        use(regressor, [[1], [2]], [1, np.nan], ([[1], [2]], [1, 2]))
    with pytest.raises(ValueError, match="pair"):
        model.fit(X, y, validation=X)
    assert use(model, X, ["maybe", *y[1:]]).tree_.n_nodes > 0  # a new label is always an error


# Reduced error -----------------------------------------------------------------------------------


def loss_of(model, X, y):
    answer = model.predict(X)
    return np.sum((answer - y) ** 2) if model.tree_.classes is None else np.sum(answer != y)


def with_tree(model, tree):
    new = copy.copy(model)
    new.tree_ = tree
    return new


@pytest.mark.parametrize(
    ("kind", "gaps"), [*((kind, False) for kind in MODELS), ("c45", True), ("rpart", True)]
)
def test_reduced_error_never_rises(kind, gaps):
    """Also with gaps: C4.5 sends such rows down several branches, CART by surrogates."""
    for seed in range(3):
        X, y = mixed(seed, 200, gaps=gaps, regression=kind == "regressor")
        model, X_val, y_val = MODELS[kind]().fit(X[:120], y[:120]), X[120:], y[120:]
        pruned = reduced_error_prune(model, X_val, y_val)
        error = loss_of(model, X_val, y_val)
        cut = []
        for row in pruned.pruning_table_.itertuples():  # a frame per row: the tree after each step
            cut += [row.node] if row.decision == "cut" else []
            frame = with_tree(model, model.tree_.cut(cut))
            now = loss_of(frame, X_val, y_val)
            assert now <= error + 1e-9
            assert row.validation_error == pytest.approx(now / len(y_val))
            assert row.leaves == frame.tree_.n_leaves
            assert row.leaf - row.subtree <= 1e-9 or row.decision == "kept"
            error = now
        assert loss_of(pruned, X_val, y_val) == pytest.approx(error)


def naive_reduced_error(model, X, y):
    """Return the nodes to cut, straight from the lecture: recursively, children first."""
    tree, values = model.tree_, columns_of(model, X).values
    answer = tree.value[:, 0] if tree.classes is None else np.array(tree.classes)[
        tree.value.argmax(axis=1)
    ]  # fmt: skip

    def loss(rows, node):
        if tree.classes is None:
            return float(np.sum((y[rows] - answer[node]) ** 2))
        return float(np.sum(y[rows] != answer[node]))

    def prune(node, rows):
        """Return the cuts below, and the loss of what is left."""
        if tree.feature[node] < 0:
            return [], loss(rows, node)
        cuts, total, went = [], 0.0, np.zeros(len(rows), dtype=bool)
        branch = tree.branch(np.full(len(rows), node), values[tree.feature[node], rows])
        for b, child in enumerate(tree.children[node]):
            if child >= 0:
                below, error = prune(child, rows[branch == b])
                cuts, total, went = cuts + below, total + error, went | (branch == b)
        total += loss(rows[~went], node)
        as_leaf = loss(rows, node)
        return ([*cuts, node], as_leaf) if as_leaf <= total else (cuts, total)

    return prune(0, np.arange(len(y)))[0]


@pytest.mark.parametrize("kind", MODELS)
def test_reduced_error_equals_the_recursion(kind):
    for seed in range(4):
        model, X_val, y_val = fitted(kind, seed, classes=3)
        pruned = reduced_error_prune(model, X_val, y_val)
        cuts = naive_reduced_error(model, X_val, y_val)
        table = pruned.pruning_table_
        assert table.loc[table["decision"] == "cut", "node"].tolist() == cuts


def subtrees(tree, node=0):
    """Return the sets of cuts of all pruned versions of the tree at a node."""
    if tree.feature[node] < 0:
        return [()]
    below = [subtrees(tree, child) for child in tree.children[node] if child >= 0]
    return [(node,), *(sum(choice, ()) for choice in itertools.product(*below))]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_reduced_error_is_the_smallest_best_pruned_version(seed):
    X, y = mixed(seed, 60)
    model = CARTClassifier(max_depth=4, min_samples_leaf=4).fit(X[:30], y[:30])
    pruned = reduced_error_prune(model, X[30:], y[30:])
    best = min(
        (loss_of(with_tree(model, tree), X[30:], y[30:]), tree.n_leaves)
        for tree in (model.tree_.cut(cuts) for cuts in subtrees(model.tree_))
    )
    assert (loss_of(pruned, X[30:], y[30:]), pruned.tree_.n_leaves) == best


def test_reduced_error_counts_validation_rows_where_they_stop():
    X, y = TENNIS
    model = ID3Classifier().fit(X, y)
    new = X.astype(str).iloc[:2].copy()
    new["outlook"] = "snow"  # both rows stop at the root, which says yes
    pruned = reduced_error_prune(model, new, ["yes", "no"])
    table = pruned.pruning_table_.set_index("node")
    assert table.loc[[1, 5], "validation_cases"].tolist() == [0, 0]
    assert table.loc[1, "reason"].startswith("no validation row comes here")
    assert table.loc[0, ["subtree", "leaf", "validation_error"]].tolist() == [1, 1, 0.5]
    assert pruned.tree_.n_nodes == 1


# Stopping early ----------------------------------------------------------------------------------


def naive_stopping(model, X, y):
    """Return the nodes at which the recursion stops: the split does not raise the accuracy."""
    tree, values = model.tree_, columns_of(model, X).values

    def loss(node, rows):
        if tree.classes is None:
            return np.sum((y[rows] - tree.value[node, 0]) ** 2)
        return np.sum(y[rows] != tree.classes[tree.value[node].argmax()])

    def grow(node, rows):
        if tree.feature[node] < 0:
            return []
        branch = tree.branch(np.full(len(rows), node), values[tree.feature[node], rows])
        sons = [(c, rows[branch == b]) for b, c in enumerate(tree.children[node]) if c >= 0]
        with_split = sum(loss(*son) for son in sons) + loss(node, rows[branch < 0])
        if not with_split < loss(node, rows):
            return [node]
        return [cut for son in sons for cut in grow(*son)]

    return grow(0, np.arange(len(y)))


@pytest.mark.parametrize("kind", MODELS)
def test_validation_stops_where_the_recursion_stops(kind):
    larger = 0
    for seed in range(6):
        full, X_val, y_val = fitted(kind, seed, classes=3)
        h = len(y_val)
        X, y = mixed(seed, 2 * h, 3, regression=kind == "regressor")
        early = MODELS[kind]().fit(X[:h], y[:h], validation=(X_val, y_val))
        assert same(early.tree_, full.tree_.cut(naive_stopping(full, X_val, y_val)))
        assert loss_of(early, X_val, y_val) <= loss_of(
            with_tree(full, full.tree_.cut([0])), X_val, y_val
        )
        pruned = reduced_error_prune(full, X_val, y_val)  # sees more: it is at least as good
        assert loss_of(pruned, X_val, y_val) <= loss_of(early, X_val, y_val) + 1e-9
        larger += pruned.tree_.n_leaves > early.tree_.n_leaves
    assert larger  # stopping early misses something


def test_xor_shows_what_stopping_early_misses():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, dtype=float)
    y = X[:, 0].astype(int) ^ X[:, 1].astype(int)
    model = CARTClassifier().fit(X, y)
    assert model.tree_.n_leaves == 4
    early = CARTClassifier().fit(X, y, validation=(X, y))
    assert early.tree_.n_nodes == 1
    assert early.score(X, y) == 0.5
    late = reduced_error_prune(model, X, y)
    assert late.tree_.n_leaves == 4
    assert late.score(X, y) == 1.0
    assert chi_square_prune(model).tree_.n_leaves == 4  # the root has p = 1, what follows p < 0.01
    assert chi_square_prune(model).pruning_table_["p"].iloc[-1] == 1.0


def test_early_stopping_stops_at_the_root_of_play_tennis():
    X, y = TENNIS
    model = ID3Classifier().fit(X[:10], y[:10], validation=(X[10:], y[10:]))
    assert model.tree_.to_text() == "yes (10/4)"


# Pessimistic -------------------------------------------------------------------------------------


def test_quinlans_education_spending_subtree():
    """Quinlan's 16 votes: leaves of 6, 9 and 1 without error against one leaf with 1 of 16."""
    X = pd.DataFrame({"spending": pd.Categorical(["n"] * 6 + ["y"] * 9 + ["u"])})
    y = np.array(["democrat"] * 15 + ["republican"])
    model = ID3Classifier().fit(X, y)
    expected = {"c45": 0.1567, "j48": 0.1547, "binomial": 0.1596}
    for convention, rate in expected.items():
        row = pessimistic_prune(model, convention=convention).pruning_table_.iloc[0]
        assert row["subtree"] == pytest.approx(6 * 0.2063 + 9 * 0.1428 + 0.75, abs=1e-3)
        assert row["leaf"] / 16 == pytest.approx(rate, abs=5e-5)
        assert row["decision"] == "cut"


def test_pessimistic_keeps_play_tennis_as_j48_does():
    model = ID3Classifier().fit(*TENNIS)
    for convention in ("c45", "j48", "binomial"):
        assert pessimistic_prune(model, convention=convention).tree_.n_leaves == 5
    assert pessimistic_prune(model, 0.001).tree_.n_leaves == 1


def test_pessimistic_equals_the_recursion():
    for kind, seed in itertools.product(CLASSIFIERS, range(3)):
        model = fitted(kind, seed, classes=3)[0]
        tree = model.tree_

        def estimate(node, tree=tree):
            n = tree.weight[node]
            return n * float(pessimistic_error(n, n - tree.value[node].max())) if n else 0.0

        def prune(node, tree=tree, estimate=estimate):
            if tree.feature[node] < 0:
                return [], estimate(node)
            found = [prune(child) for child in tree.children[node] if child >= 0]
            total = sum(error for _, error in found)
            if estimate(node) <= total + 0.1:
                return [node], estimate(node)
            return [cut for cuts, _ in found for cut in cuts], total

        assert same(pessimistic_prune(model).tree_, tree.cut(prune(0)[0]))


def test_c45_without_raising_prunes_like_pessimistic_prune():
    for X, y in (load_breast_cancer_ljubljana(), load_german(), KYPHOSIS):
        for convention in ("c45", "j48"):
            how = {"convention": convention, "raising": False}
            whole = C45Classifier(prune=False, **how).fit(X, y)
            pruned = C45Classifier(**how).fit(X, y)
            assert pessimistic_prune(whole, convention=convention).tree_.to_text() == (
                pruned.tree_.to_text()
            )


# χ² ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "df", "p"),
    [
        ("outlook", 3.5467, 2, 0.1698),
        ("temperature", 0.5704, 2, 0.7519),
        ("humidity", 2.8, 1, 0.0943),
        ("windy", 0.9333, 1, 0.3340),
    ],
)
def test_chi_square_of_play_tennis(name, value, df, p):
    X, y = TENNIS
    model = ID3Classifier().fit(X[[name]], y)
    pruned = chi_square_prune(model)
    row = pruned.pruning_table_.iloc[-1]
    assert row[["chi_square", "p"]].tolist() == pytest.approx([value, p], abs=5e-5)
    assert row["df"] == df
    assert pruned.tree_.n_nodes == 1  # a single split of play tennis is not significant


def test_chi_square_of_restaurant():
    X, y = load_restaurant()
    row = chi_square_prune(ID3Classifier(max_depth=1).fit(X, y)).pruning_table_.iloc[-1]
    assert row["test"] == "patrons"
    assert (row["chi_square"], row["df"]) == (pytest.approx(6.6667, abs=5e-5), 2)
    assert row["p"] == pytest.approx(0.0357, abs=5e-5)
    assert row["decision"] == "kept"
    row = chi_square_prune(ID3Classifier(max_depth=1).fit(X[["type"]], y)).pruning_table_.iloc[-1]
    assert (row["chi_square"], row["df"], row["p"]) == (pytest.approx(0), 3, pytest.approx(1))


def test_chi_square_prunes_from_the_bottom():
    """A pre-pruner at 5 % would stop at outlook; the post-pruner meets its subtrees first."""
    model = ID3Classifier().fit(*TENNIS)
    kept = chi_square_prune(model)
    assert kept.tree_.n_leaves == 5
    table = kept.pruning_table_.set_index("node")
    assert table.loc[[1, 5, 0], "p"].round(4).tolist() == [0.0253, 0.0253, 0.1698]
    assert "a split below is significant" in table.loc[0, "reason"]
    assert chi_square_prune(model, 0.02).tree_.n_nodes == 1


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_chi_square_is_that_of_scipy(kind):
    model = fitted(kind, 7, classes=3)[0]
    tree = model.tree_
    assert len(chi_square_prune(model).pruning_table_) > 5
    for row in chi_square_prune(model).pruning_table_.itertuples():
        below = tree.children[row.node][tree.children[row.node] >= 0]
        observed = tree.value[below[tree.weight[below] > 0]]
        observed = observed[:, observed.sum(axis=0) > 0]
        if min(observed.shape) == 1:
            assert (row.df, row.p) == (0, 1.0)
            continue
        expected = chi2_contingency(observed, correction=False)
        assert row.chi_square == pytest.approx(expected.statistic)
        assert (row.df, row.p) == (expected.dof, pytest.approx(expected.pvalue))


def test_smaller_alpha_cuts_more():
    model = fitted("cart", 8)[0]
    leaves = [chi_square_prune(model, a).tree_.n_leaves for a in (0.3, 0.05, 0.01, 1e-6)]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[0] > leaves[-1]


# Description length ------------------------------------------------------------------------------


def log2_choose(n, k):
    return np.log2(float(np.prod([(n - i) / (i + 1) for i in range(int(k))])))


def test_description_length_of_play_tennis():
    model = ID3Classifier().fit(*TENNIS)
    length = description_length(model)
    assert length.tree == pytest.approx(18.169925, abs=5e-7)
    assert length.tree == pytest.approx(8 + 2 + 2 * np.log2(3) + 5)
    # L(n, 0, b) of leaves with 3, 2, 4, 3, 2 cases: log2(b + 1), b = ⌊(n + 1)/2⌋
    assert length.exceptions == pytest.approx(np.log2([3, 2, 3, 3, 2]).sum())
    assert length.total == length.tree + length.exceptions


def test_mdl_prunes_play_tennis_to_a_leaf():
    """With 14 cases no split is worth its bits."""
    table = mdl_prune(ID3Classifier().fit(*TENNIS)).pruning_table_.set_index("node")
    leaf = 2 + np.log2(4) + log2_choose(5, 2)
    assert table.loc[1, "leaf"] == pytest.approx(leaf)
    assert table.loc[1, "subtree"] == pytest.approx(1 + np.log2(3) + 4 + np.log2(3) + 1)
    assert table.loc[0, "subtree"] == pytest.approx(1 + 2 + 2 * leaf + 2 + np.log2(3))
    assert table.loc[0, "leaf"] == pytest.approx(2 + np.log2(8) + log2_choose(14, 5))
    assert set(table["decision"]) == {"cut"}


def test_mdl_of_numbers_subsets_and_three_classes():
    x = np.repeat([1.0, 2.0, 3.0, 4.0, 5.0], 4)
    y = np.repeat(["a", "b"], [8, 12])
    model = CARTClassifier().fit(x[:, None], y)
    assert description_length(model, x[:, None]).tree == pytest.approx(1 + np.log2(4) + 4)
    assert description_length(model).tree == pytest.approx(1 + np.log2(19) + 4)
    assert mdl_prune(model).tree_.n_leaves == 2  # 20 cases in order are worth a threshold
    X = pd.DataFrame({"c": pd.Categorical(list("rgby" * 5)), "d": pd.Categorical(list("uv" * 10))})
    model = CARTClassifier().fit(X[["c"]], np.isin(X["c"], ["r", "y"]))
    assert description_length(model).tree == pytest.approx(1 + np.log2(2**3 - 1) + 4)
    # c is asked twice: as long as two of its values get there it can split, d always can
    model = CARTClassifier().fit(X, X["c"].map({"r": 0, "g": 1, "b": 2, "y": 2}).to_numpy())
    tree = model.tree_
    assert tree.n_leaves == 3
    bits = 5 + 3 * np.log2(3)
    for node in np.flatnonzero(~tree.is_leaf):
        levels = (tree.branches[node] >= 0).sum()
        bits += np.log2(2) + np.log2(2 ** (levels - 1) - 1)
    assert description_length(model).tree == pytest.approx(bits)
    leaf = cost_complexity_prune(model, alpha=np.inf)  # 20 cases, 10 exceptions, 3 classes
    exceptions = np.log2(14 + 1) + log2_choose(20, 10) + 10 * np.log2(2)
    assert description_length(leaf).exceptions == pytest.approx(exceptions)


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_mdl_is_the_shortest_of_all_pruned_versions(kind):
    X, y = mixed(9, 60, 3)
    model = clone(MODELS[kind]()).fit(X, y)
    small = with_tree(model, model.tree_.cut(np.flatnonzero(model.tree_.depths >= 3)))
    shortest = min(
        description_length(with_tree(small, small.tree_.cut(c)), X).total
        for c in subtrees(small.tree_)
    )
    pruned = mdl_prune(small, X)
    assert description_length(pruned, X).total == pytest.approx(shortest)
    root = pruned.pruning_table_.iloc[-1]
    assert min(root["subtree"], root["leaf"]) == pytest.approx(shortest)


# Cost-complexity ---------------------------------------------------------------------------------


def merged(alphas, risks):
    """Return scikit-learn's path with equal α in one row, the last."""
    last = np.append(np.diff(alphas) > 1e-10 * alphas.max(), True)
    return alphas[last], risks[last]


@pytest.mark.parametrize(
    ("ours", "theirs", "options"),
    [
        (CARTClassifier, DecisionTreeClassifier, {}),
        (CARTClassifier, DecisionTreeClassifier, {"criterion": "entropy", "max_depth": 6}),
        (CARTRegressor, DecisionTreeRegressor, {}),
        (CARTRegressor, DecisionTreeRegressor, {"max_depth": 4}),
    ],
)
def test_path_is_that_of_scikit_learn(ours, theirs, options):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4)).astype(np.float32)
    y = X[:, 0] + np.abs(X[:, 1]) + rng.normal(size=600)
    y = np.digitize(y, [0, 1]) if ours is CARTClassifier else y
    weight = rng.integers(1, 3, len(y)).astype(float)
    options = options | {"min_samples_leaf": 10}
    for sample_weight in (None, weight):
        model = ours(**options).fit(X, y, sample_weight)
        reference = theirs(random_state=0, **options)
        expected = reference.cost_complexity_pruning_path(X, y, sample_weight)
        alphas, risks = merged(expected.ccp_alphas, expected.impurities)
        path = cost_complexity_path(model, risk="impurity")
        assert path.ccp_alphas == pytest.approx(alphas, abs=1e-12)
        assert path.risks == pytest.approx(risks, abs=1e-12)
        assert len(alphas) > 8
        for alpha in (path.ccp_alphas[:-1] + path.ccp_alphas[1:])[::3] / 2:
            reference.set_params(ccp_alpha=alpha).fit(X, y, sample_weight)
            pruned = cost_complexity_prune(model, alpha, risk="impurity")
            assert pruned.tree_.n_leaves == reference.get_n_leaves()
            ours_cut = ours(ccp_alpha=alpha, **options).fit(X, y, sample_weight)
            assert same(pruned.tree_, ours_cut.tree_)


@pytest.mark.parametrize("risk", [None, "impurity"])
@pytest.mark.parametrize("kind", MODELS)
def test_path_is_nested_and_its_trees_are_the_best(kind, risk):
    model = fitted(kind, 11, weights=True)[0]
    path, tree = cost_complexity_path(model, risk), model.tree_
    measure = risk or ("impurity" if kind == "regressor" else "misclassification")
    assert path.ccp_alphas[0] == 0
    assert (np.diff(path.ccp_alphas) > 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert (np.diff(path.risks) > 0).all()
    assert path.n_leaves[-1] == 1
    frame, before = path.to_frame(), set()
    assert frame.columns.tolist() == ["alpha", "leaves", "risk"]
    for i, row in frame.iterrows():
        small, cuts = path.tree(i), set(path.cuts(i).tolist())
        assert before <= cuts  # nested: what is cut stays cut
        before = cuts
        assert small.n_leaves == row["leaves"]
        assert node_risk(small, measure)[small.is_leaf].sum() == pytest.approx(row["risk"])
        assert same(cost_complexity_prune(model, row["alpha"], risk=risk).tree_, small)
    # For the α in between, nobody in the path is better, nor any tree with one cut more or less.
    for i in range(len(frame) - 1):
        alpha = (path.ccp_alphas[i] + path.ccp_alphas[i + 1]) / 2
        cost = path.risks + alpha * path.n_leaves
        assert cost.argmin() == i
        assert same(cut_at(tree, alpha, measure), path.tree(i))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["misclassification", "impurity"]))
def test_path_trees_are_the_smallest_best_of_all(seed, risk):
    X, y = mixed(seed, 40)
    model = CARTClassifier(max_depth=3).fit(X, y)
    path = cost_complexity_path(model, risk)
    every = [model.tree_.cut(cuts) for cuts in subtrees(model.tree_)]
    leaves = np.array([tree.n_leaves for tree in every])
    risks = np.array([node_risk(tree, risk)[tree.is_leaf].sum() for tree in every])
    for i, alpha in enumerate(path.ccp_alphas):
        cost = risks + alpha * leaves
        best = leaves[cost <= cost.min() + 1e-9].min()
        assert path.n_leaves[i] == best


def test_path_of_kyphosis_is_rparts_cp_table():
    X, y = KYPHOSIS
    model = CARTClassifier(min_samples_split=20, min_samples_leaf=7).fit(X, y)
    path = cost_complexity_path(model)
    root = 17 / 81
    assert (path.ccp_alphas / root).tolist() == pytest.approx([0, 1 / 51, 3 / 17])
    assert path.n_leaves.tolist() == [5, 2, 1]
    assert (path.risks / root).tolist() == pytest.approx([0.7647059, 0.8235294, 1])
    pruned = cost_complexity_prune(model, alpha=0.02 * root)
    assert pruned.tree_.to_text() == "start <= 8.5: present (19/8)\nstart > 8.5: absent (62/6)"


def folds_of(case):
    groups = np.array(case.control["xval"])
    return [(np.flatnonzero(groups != g), np.flatnonzero(groups == g)) for g in np.unique(groups)]


@pytest.mark.parametrize("name", ["kyphosis-grown", "iris-grown"])
def test_cross_validation_is_rparts(name):
    case = load_rpart(name)
    model = CARTClassifier(cp=0.0).fit(case.X, case.y)  # rpart's rules where splits tie
    pruned = cost_complexity_prune(model, X=case.X, y=case.y, cv=folds_of(case))
    table, expected = pruned.cv_table_, case.cptable[::-1]  # rpart begins with the root alone
    root = node_risk(model.tree_, "misclassification")[0]
    assert (table["alpha"] / root).tolist() == pytest.approx(expected["CP"].tolist(), abs=1e-9)
    assert (table["leaves"] - 1).tolist() == expected["nsplit"].tolist()
    assert (table["mean_error"] / root).tolist() == pytest.approx(expected["xerror"].tolist())
    assert (table["standard_error"] / root).tolist() == pytest.approx(expected["xstd"].tolist())
    first = case.cptable["xerror"].idxmin()
    limit = case.cptable.loc[first, ["xerror", "xstd"]].sum()
    chosen = case.cptable[case.cptable["xerror"] <= limit + 1e-9].iloc[0]
    assert pruned.alpha_ / root == pytest.approx(chosen["CP"])
    assert pruned.tree_.n_leaves - 1 == chosen["nsplit"]


def test_one_standard_error_rule():
    X, y = KYPHOSIS
    model = CARTClassifier().fit(X, y)
    for seed in range(3):
        least = cost_complexity_prune(model, X=X, y=y, rule="min", random_state=seed)
        within = cost_complexity_prune(model, X=X, y=y, random_state=seed)
        table = within.cv_table_
        pd.testing.assert_frame_equal(table, least.cv_table_)
        best = table[table["mean_error"] == table["mean_error"].min()].iloc[-1]
        assert least.alpha_ == best["alpha"]
        limit = best["mean_error"] + best["standard_error"]
        assert within.alpha_ == table.loc[table["mean_error"] <= limit + 1e-12, "alpha"].max()
        assert within.tree_.n_leaves <= least.tree_.n_leaves
        again = cost_complexity_prune(model, X=X, y=y, random_state=seed)
        pd.testing.assert_frame_equal(again.cv_table_, table)


@pytest.mark.parametrize("kind", MODELS)
def test_cross_validation_equals_refitting_by_hand(kind):
    X, y = mixed(13, 60, gaps=kind == "c45", regression=kind == "regressor")
    weight = np.random.default_rng(13).integers(1, 4, 60).astype(float)
    splits = [(np.flatnonzero(np.arange(60) % 3 != g), np.arange(g, 60, 3)) for g in range(3)]
    model = MODELS[kind]().fit(X, y, weight)
    table = cost_complexity_prune(model, X=X, y=y, cv=splits, sample_weight=weight).cv_table_
    alphas = cost_complexity_path(model).ccp_alphas
    folds = [clone(model).fit(X.iloc[train], y[train], weight[train]) for train, _ in splits]
    for i, row in table.iterrows():
        tested = np.sqrt(alphas[i] * alphas[i + 1]) if i + 1 < len(alphas) else np.inf
        assert row["tested_alpha"] == tested
        losses = np.zeros(60)
        for fold, (_, test) in zip(folds, splits, strict=True):
            answer = cost_complexity_prune(fold, alpha=tested).predict(X.iloc[test])
            losses[test] = (answer - y[test]) ** 2 if kind == "regressor" else answer != y[test]
        mean = np.average(losses, weights=weight)
        spread = np.sqrt(np.average((losses - mean) ** 2, weights=weight) / weight.sum())
        assert row["mean_error"] == pytest.approx(mean)
        assert row["standard_error"] == pytest.approx(spread)


def test_pruning_helps_on_noise():
    X, y = mixed(14, 600)
    model = CARTClassifier().fit(X[:300], y[:300])
    for pruned in (
        cost_complexity_prune(model, X=X[:300], y=y[:300], cv=5, random_state=0),
        pessimistic_prune(model),
        mdl_prune(model, X[:300]),
    ):
        assert pruned.score(X[300:], y[300:]) > model.score(X[300:], y[300:])
        assert pruned.tree_.n_leaves < model.tree_.n_leaves / 2
