"""The grower itself: mixed columns, limits, records; equality with a naive twin is in test_cart."""

import numpy as np
import pandas as pd
import pytest

from mlcourse import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    load_german,
    load_play_tennis,
)
from mlcourse.columns import Columns
from mlcourse.growing import Grower


def columns_of(*columns, categories=None):
    values = np.array(columns, dtype=float)
    names = tuple(f"x{j}" for j in range(len(columns)))
    return Columns(values, names, categories or (None,) * len(columns))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
def test_a_category_after_the_last_number_can_be_chosen(criterion):
    X, y = load_german()  # its last columns are categories
    model = CARTClassifier(criterion=criterion, max_depth=6).fit(X, y)
    assert model.score(X, y) > 0.7
    table = pd.DataFrame({"number": [1.0, 2.0, 3.0, 4.0], "kind": list("abab")})
    tree = CARTClassifier(criterion=criterion).fit(table, [0, 1, 0, 1]).tree_
    assert tree.to_text() == "kind = a: 0 (2)\nkind = b: 1 (2)"


def test_xor_is_split_although_nothing_is_gained_at_the_root():
    model = CARTClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    assert model.tree_.extra["score"][0] == 0
    assert model.score([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]) == 1


def test_conflicting_rows_end_in_one_leaf():
    tree = CARTClassifier().fit([[1.0], [1.0], [2.0]], [0, 1, 1]).tree_
    assert tree.to_text() == "x0 <= 1.5: 0 (2/1)\nx0 > 1.5: 1 (1)"


def test_empty_branch_answers_like_its_parent():
    kind = pd.Categorical(list("aaabb"), categories=list("abc"))  # c is declared, but never there
    model = ID3Classifier().fit(pd.DataFrame({"kind": kind}), [1, 1, 1, 0, 0])
    assert model.tree_.to_text() == "kind = a: 1 (3)\nkind = b: 0 (2)\nkind = c: 1 (0)"
    new = pd.DataFrame({"kind": pd.Categorical(["c"], categories=list("abc"))})
    assert model.predict(new).tolist() == [1]


def test_limits_hold():
    rng = np.random.default_rng(0)
    X, y = rng.random((300, 3)), rng.integers(0, 3, 300)
    for options in ({"max_depth": 3}, {"min_samples_leaf": 9}, {"min_samples_split": 40}):
        tree = CARTClassifier(**options).fit(X, y).tree_
        assert tree.depth <= options.get("max_depth", 99)
        assert tree.count[tree.is_leaf].min() >= options.get("min_samples_leaf", 1)
        assert tree.count[~tree.is_leaf].min() >= options.get("min_samples_split", 2)
    assert CARTClassifier(max_leaf_nodes=7).fit(X, y).tree_.n_leaves == 7


def test_record_lists_every_cut_of_every_node():
    x, y = [1, 2, 2, 3, 5], np.array([0, 0, 1, 1, 0])
    grower = Grower(columns_of(x), y, 2, record=True)
    tree = grower.grow()
    frame = grower.candidates
    root = frame[frame["node"] == 0]
    assert root["threshold"].tolist() == [1.5, 2.5, 4.0]
    gini = lambda part: 1 - np.mean(part) ** 2 - np.mean(1 - part) ** 2  # noqa: E731
    for threshold, score in zip(root["threshold"], root["score"], strict=True):
        left, right = y[np.array(x) <= threshold], y[np.array(x) > threshold]
        removed = 5 * gini(y) - len(left) * gini(left) - len(right) * gini(right)
        assert score == pytest.approx(removed)
    assert frame["node"].nunique() >= (~tree.is_leaf).sum()


def test_candidate_splits_of_a_model():
    X, y = load_play_tennis()
    model = ID3Classifier()
    frame = model.candidate_splits(X, y)
    assert not hasattr(model, "tree_")
    root = frame[frame["node"] == 0].set_index("feature")["score"] / 14
    assert root.round(6).to_dict() == {
        "outlook": 0.246750, "temperature": 0.029223, "humidity": 0.151836, "windy": 0.048127
    }  # fmt: skip
    tree = model.fit(X, y).tree_
    best = frame.loc[frame.groupby("node")["score"].idxmax()].set_index("node")["feature"]
    for node in np.flatnonzero(~tree.is_leaf):
        assert best[node] == tree.names[tree.feature[node]]
    numbers = CARTRegressor().candidate_splits([[1.0], [2.0], [4.0]], [1.0, 5.0, 5.0])
    assert numbers[numbers["node"] == 0]["threshold"].tolist() == [1.5, 3.0]
    with pytest.raises(ValueError, match="keeps no record"):
        C45Classifier().candidate_splits(X, y)


def test_a_large_mean_and_tiny_weights_change_nothing():
    rng = np.random.default_rng(1)
    X, y = rng.random((200, 4)), rng.random(200)
    plain = CARTRegressor(max_depth=6).fit(X, y).tree_
    shifted = CARTRegressor(max_depth=6).fit(X, y + 1e6).tree_
    light = CARTRegressor(max_depth=6).fit(X, y, sample_weight=np.full(200, 1e-9)).tree_
    for other in (shifted, light):
        assert other.feature.tolist() == plain.feature.tolist()
        np.testing.assert_array_equal(other.threshold, plain.threshold)


@pytest.mark.parametrize("exponent", [8, 16, 30, 100])
def test_very_unequal_weights(exponent):
    rng = np.random.default_rng(3)
    X, y = rng.random((60, 3)), rng.integers(0, 2, 60)
    heavy = X[:, 2] < 0.5
    weight = np.where(heavy, 1.0, 10.0**-exponent)
    model = CARTClassifier().fit(X, y, weight)
    assert model.score(X[heavy], y[heavy]) == 1
    if exponent > 10:
        return  # next to the heavy rows the light ones are rounding: a node with both is pure
    # A part of the table with light rows only is split as if they were heavy.
    split = np.column_stack([X[:, :2], heavy])
    tree = CARTClassifier(max_depth=4).fit(split, np.where(heavy, 2, y), weight)
    alone = CARTClassifier(max_depth=3).fit(split[~heavy], y[~heavy])
    assert (tree.predict(split[~heavy]) == alone.predict(split[~heavy])).all()


def test_too_many_subsets_is_a_clear_error():
    table = pd.DataFrame({"code": [f"c{i % 20:02d}" for i in range(60)]})
    with pytest.raises(ValueError, match="20 values in one node can be parted in 524287 ways"):
        CARTClassifier().fit(table, np.arange(60) % 3)


def test_drawing_features_is_repeatable_and_draws():
    rng = np.random.default_rng(2)
    X, y = rng.random((100, 6)), rng.integers(0, 2, 100)
    texts = [
        CARTClassifier(max_features=1, random_state=seed).fit(X, y).tree_.to_text()
        for seed in (0, 0, 1)
    ]
    assert texts[0] == texts[1] != texts[2]
    every = CARTClassifier(max_features=6, random_state=0).fit(X, y).tree_.to_text()
    assert every == CARTClassifier().fit(X, y).tree_.to_text()
