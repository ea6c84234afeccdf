"""A grown tree as arrays: asking it, cutting it, showing it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcourse import CARTClassifier, CARTRegressor, ID3Classifier, load_play_tennis
from mlcourse.columns import columns_of

X, Y = load_play_tennis()
TENNIS = ID3Classifier().fit(X, Y)
settings.register_profile("tree", derandomize=True, deadline=None, max_examples=30)
settings.load_profile("tree")


def random_tree(seed, depth=6):
    rng = np.random.default_rng(seed)
    table, y = rng.integers(0, 9, (80, 4)).astype(float), rng.integers(0, 3, 80)
    return CARTClassifier(max_depth=depth).fit(table, y), table


def test_tennis_has_eight_nodes_in_preorder():
    tree = TENNIS.tree_
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (8, 5, 2)
    assert tree.parent.tolist() == [-1, 0, 1, 1, 0, 0, 5, 5]
    assert tree.depths.tolist() == [0, 1, 2, 2, 1, 1, 2, 2]
    assert tree.weight.tolist() == [14, 5, 3, 2, 4, 5, 3, 2] == tree.count.tolist()


def test_text_rules_and_frame_tell_the_same():
    tree = TENNIS.tree_
    assert tree.to_text().splitlines()[3] == "outlook = overcast: yes (4)"
    rules = tree.rules()
    assert ("outlook = sunny and humidity = high", "no") in rules and len(rules) == tree.n_leaves
    frame = tree.to_frame()
    assert frame.loc[2, "test"] == "humidity = high" and frame.loc[2, "answer"] == "no"
    assert frame["impurity"].round(6).tolist()[:2] == [0.940286, 0.970951]


def test_a_leaf_alone_is_a_tree():
    model = CARTRegressor().fit([[1.0], [1.0]], [2.0, 4.0])
    assert model.tree_.to_text() == "3 (2)"
    assert model.tree_.rules() == [("always", 3.0)]
    assert model.predict([[7.0]]).tolist() == [3.0]


def test_path_of_each_row_ends_where_apply_says():
    values = columns_of(TENNIS, X).values
    ends = TENNIS.tree_.apply(values)
    for row, end in zip(values.T, ends, strict=True):
        path = TENNIS.tree_.path(row)
        assert path[0] == 0 and path[-1] == end
        assert TENNIS.tree_.parent[path[1:]].tolist() == path[:-1]


def test_a_missing_or_new_value_stops_at_its_node():
    odd = X.iloc[[0, 0]].copy()
    odd["outlook"] = pd.Categorical(["fog", None])
    assert TENNIS.apply(odd).tolist() == [0, 0]
    assert TENNIS.predict(odd).tolist() == ["yes", "yes"]
    odd["outlook"] = "sunny"
    odd["humidity"] = ["damp", "high"]
    assert TENNIS.apply(odd).tolist() == [1, 2]
    assert TENNIS.predict(odd).tolist() == ["no", "no"]


@given(st.integers(0, 10_000))
def test_preorder_holds_and_below_is_a_subtree(seed):
    tree = random_tree(seed)[0].tree_
    parent = tree.parent
    assert (parent[1:] < np.arange(1, tree.n_nodes)).all()
    for node in range(tree.n_nodes):
        below = set(tree.below(node).tolist())
        expected = {node}
        for other in range(node + 1, tree.n_nodes):
            if parent[other] in expected:
                expected.add(other)
        assert below == expected


@given(st.integers(0, 10_000), st.lists(st.integers(0, 200), max_size=4))
def test_cut_makes_leaves_and_keeps_the_rest(seed, picks):
    model, table = random_tree(seed)
    tree = model.tree_
    nodes = [pick % tree.n_nodes for pick in picks]
    small = tree.cut(nodes)
    ends, new_ends = tree.apply(table.T), small.apply(table.T)
    gone = {n for cut in nodes for n in tree.below(cut).tolist() if n != cut}
    kept = [n for n in range(tree.n_nodes) if n not in gone]
    assert small.n_nodes == len(kept)
    for end, new_end in zip(ends, new_ends, strict=True):
        while end in gone:
            end = tree.parent[end]
        assert kept[new_end] == end
    assert small.value.tolist() == tree.value[kept].tolist()
    assert len(small.extra["score"]) == small.n_nodes


def test_cut_of_nothing_is_the_same_tree_and_cut_at_the_root_a_leaf():
    tree = TENNIS.tree_
    assert tree.cut([]).to_text() == tree.to_text()
    assert tree.cut([0]).to_text() == "yes (14/5)"


def test_subset_of_categories_in_words():
    table = pd.DataFrame({"color": pd.Categorical(list("aabbccdd"))})
    tree = CARTClassifier().fit(table, [0, 0, 1, 1, 0, 0, 1, 1]).tree_
    assert tree.to_text() == "color in {a, c}: 0 (4)\ncolor in {b, d}: 1 (4)"


def test_strict_trees_say_below_and_at_least():
    from dataclasses import replace

    tree = CARTClassifier().fit([[1.0], [3.0]], ["a", "b"]).tree_
    assert tree.to_text().startswith("x0 <= 2: a")
    strict = replace(tree, strict=True)
    assert strict.to_text().startswith("x0 < 2: a")
    at_the_threshold = np.array([[2.0]])
    assert (tree.apply(at_the_threshold), strict.apply(at_the_threshold)) == ([1], [2])


@pytest.mark.parametrize("width", [1, 3])
def test_importances_sum_to_one(width):
    rng = np.random.default_rng(0)
    table = rng.random((50, width))
    model = CARTClassifier().fit(table, table[:, 0] > 0.5)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.feature_importances_[0] == pytest.approx(1)
