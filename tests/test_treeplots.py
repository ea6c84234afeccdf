"""Pictures of trees: nothing overlaps, what is drawn is what the tree says, errors are clear."""

from dataclasses import replace
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from mlcourse import (
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    describe,
    load_german,
    load_kyphosis,
    load_play_tennis,
    plot_impurities,
    plot_regions,
    plot_tree,
    plots,
)
from mlcourse.charts import Chart
from mlcourse.columns import columns_of
from mlcourse.layout import COLORS, HATCHES, MARKERS, marks, tidy
from mlcourse.treeplots import Picture
from mlcourse.words import listed


@pytest.fixture(autouse=True)
def style():
    """Draw in the course's style; whatever a test opens is closed."""
    with plt.style.context(plots.STYLE):
        yield
    plt.close("all")


def table(seed, n=150, n_classes=3):
    """Return a random table of numbers and categories, and labels or (0 classes) numbers."""
    random = np.random.default_rng(seed)
    levels = ["a", "a rather long name of a level", "b", "c, with comma", "$d$", "e_f"]
    X = pd.DataFrame(
        {
            "number": random.normal(size=n).round(2),
            "whole": random.integers(0, 9, n),
            "a_rather_long_feature_name": random.normal(size=n) * 1e4,
            "kind": pd.Categorical(random.choice(levels, n), levels),
        }
    )
    y = random.normal(size=n) if n_classes == 0 else random.integers(0, n_classes, n)
    return X, y


def fitted(seed, depth, kind):
    X, y = table(seed, n_classes=0 if kind is CARTRegressor else 2 + seed % 3)
    return kind(max_depth=depth).fit(X, y), X, y


def overlap(one, other):
    (a, b, c, d), (e, f, g, h) = one, other
    return min(b, f) - max(a, e) > 1e-9 and min(d, h) - max(c, g) > 1e-9


def of(axes, kind):
    """Return the artists of a kind ("node", "edge", "label", "text"): name → list of artists."""
    found = {}
    for artist in axes.findobj(lambda artist: (artist.get_gid() or "").startswith(kind + " ")):
        key = tuple(int(part) for part in artist.get_gid().split()[1:])
        found.setdefault(key, []).append(artist)
    return found


# plot_tree: where things stand ------------------------------------------------------------------


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor, ID3Classifier])
@pytest.mark.parametrize("seed", range(4))
def test_no_two_boxes_overlap_and_children_stand_below(kind, seed):
    model, X, y = fitted(seed, 3 + seed, kind)
    for values in (None, X):
        target = None if values is None else np.unique(y, return_inverse=True)[1]
        if kind is CARTRegressor and values is not None:
            target = y
        data = None if values is None else model_values(model, X)
        picture = Picture(model.tree_, data, target, None, None)
        boxes = {n: (left, right, top, bottom) for n, (left, right, top, _, bottom) in picture.box.items()}  # noqa: E501  # fmt: skip
        assert len(boxes) == model.tree_.n_nodes
        places = np.array(list(boxes.values()))
        left, right, top, bottom = places.T
        wide = np.minimum.outer(right, right) - np.maximum.outer(left, left)
        high = np.minimum.outer(bottom, bottom) - np.maximum.outer(top, top)
        assert (np.triu(np.minimum(wide, high), 1) < 1e-9).all()
        assert left.min() >= 0 and right.max() <= picture.size[0] and bottom.max() < picture.size[1]
        for node, children in picture.children.items():
            assert all(boxes[child][2] > boxes[node][3] for child in children)
            if children:  # the parent stands above the middle of its first and last child
                ends = [sum(boxes[child][:2]) / 2 for child in (children[0], children[-1])]
                assert np.isclose(sum(boxes[node][:2]) / 2, np.mean(ends))
                assert ends == sorted(ends)


def model_values(model, X):
    return columns_of(model, X).values


def test_tidy_is_as_narrow_as_the_outlines_allow():
    # A deep left subtree; the leaf beside it tucks in under nothing.
    children = {0: [1, 4], 1: [2, 3], 2: [], 3: [], 4: []}
    x = tidy(children, dict.fromkeys(children, 1.0))
    assert np.isclose(x[3] - x[2], 1.06) and np.isclose(x[4] - x[1], 1.06)
    assert np.isclose(x[1], (x[2] + x[3]) / 2) and np.isclose(x[0], (x[1] + x[4]) / 2)


@pytest.mark.parametrize("charts", [True, False])
@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor, ID3Classifier])
def test_texts_stay_in_their_boxes(kind, charts):
    model, X, y = fitted(1, 4, kind)
    axes = plot_tree(model, *((X, y) if charts else ()), sample=X.iloc[3])
    figure = axes.figure
    frames = {node: patch.get_window_extent() for node, (patch,) in of(axes, "node").items()}
    for node, texts in of(axes, "text").items():
        for text in texts:
            inside, frame = text.get_window_extent(), frames[node]
            assert frame.x0 - 1 <= inside.x0 and inside.x1 <= frame.x1 + 1, text
            assert frame.y0 - 1 <= inside.y0 and inside.y1 <= frame.y1 + 1, text
    words = [text for text in axes.texts if text.get_text()]
    extents = [(e.x0 + 1, e.x1 - 1, e.y0 + 1, e.y1 - 1) for e in map(Text.get_window_extent, words)]
    page = figure.bbox
    for i, extent in enumerate(extents):
        assert extent[0] >= 0 and extent[1] <= page.x1 and extent[2] >= 0 and extent[3] <= page.y1
        for j in range(i):
            assert not overlap(extent, extents[j]), (words[i], words[j])


def test_the_figure_grows_with_the_tree():
    X, y = table(0)
    sizes = [plot_tree(CARTClassifier(max_depth=d).fit(X, y)).figure.get_size_inches() for d in (1, 3, 5)]  # noqa: E501  # fmt: skip
    assert (np.diff(sizes, axis=0) > 0).all()


def test_a_tree_too_wide_is_refused_and_its_top_is_drawn():
    X, y = table(0, n=2000)
    model = CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match="max_depth=4"):
        plot_tree(model)
    assert plt.get_fignums() == []
    axes = plot_tree(model, X, y, max_depth=2)
    nodes = {node for (node,) in of(axes, "node")}
    assert nodes == set(np.flatnonzero(model.tree_.depths <= 2).tolist())
    more = [text.get_text() for text in axes.texts if text.get_text().startswith("… ")]
    cut = (model.tree_.depths == 2) & ~model.tree_.is_leaf
    assert len(more) == cut.sum()
    shown = int((model.tree_.is_leaf & (model.tree_.depths <= 2)).sum())
    assert sum(int(text.split()[1]) for text in more) == model.tree_.n_leaves - shown


# plot_tree: what it says ------------------------------------------------------------------------


def test_every_edge_is_labelled():
    X, y = load_play_tennis()
    model = ID3Classifier().fit(X, y)
    labels = {node: text.get_text() for (node,), (text,) in of(plot_tree(model), "label").items()}
    assert labels == {
        1: "sunny", 2: "high", 3: "normal", 4: "overcast", 5: "rain", 6: "false", 7: "true"
    }  # fmt: skip
    assert len(of(plot_tree(model, X, y), "edge")) == model.tree_.n_nodes - 1


@pytest.mark.parametrize(("strict", "signs"), [(False, "≤>"), (True, "<≥")])
def test_signs_of_numbers(strict, signs):
    X, y = load_kyphosis()
    tree = replace(CARTClassifier(max_depth=1).fit(X, y).tree_, strict=strict)
    labels = [text.get_text() for (text,) in of(plot_tree(tree, X, y), "label").values()]
    assert labels == [f"{sign} 8.5" for sign in signs]
    words = ("below", "at least") if strict else ("at most", "above")
    assert all(f"start is {word} 8.5" in describe(tree) for word in words)


def test_long_lists_of_categories_are_shortened():
    labels = ["furniture/equipment", "car (new)", "car (used)", "business", "education", "repairs"]
    rows = listed(labels, 12, 3)
    assert len(rows) <= 3 and all(len(row) <= 16 for row in rows)
    assert rows[0].startswith("furniture") and rows[-1].endswith("… +4")
    assert listed(["A61", "A62", "A63"], 18) == ["A61, A62, A63"]
    assert listed(["one"], 12) == ["one"]
    X, y = load_german()
    model = CARTClassifier(max_depth=5, min_samples_leaf=10).fit(X, y)
    axes = plot_tree(model, X, y)
    for (node,), (text,) in of(axes, "label").items():
        assert node > 0 and 1 <= len(text.get_text().splitlines()) <= 3


def test_leaves_say_answer_size_and_purity():
    X, y = load_kyphosis()
    model = CARTClassifier(max_depth=2, min_samples_leaf=7).fit(X, y)
    for data in ((), (X, y)):
        texts = of(plot_tree(model, *data), "text")
        leaf = model.tree_.children[model.tree_.children[0, 0], 0]
        assert [text.get_text() for text in texts[(leaf,)]] == ["absent", "n = 10", "60%"]


def test_class_weights_leave_the_counts():
    X, y = load_kyphosis()
    model = CARTClassifier(max_depth=1, class_weight="balanced").fit(X, y)
    texts = of(plot_tree(model), "text")
    assert sum(int(texts[(n,)][1].get_text()[4:]) for n in (1, 2)) == 81
    assert "of the weight of" in describe(model)


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor, ID3Classifier])
def test_the_path_is_the_trees_path(kind):
    model, X, y = fitted(2, 4, kind)
    values = model_values(model, X)
    forms = (lambda row: row.iloc[0], lambda row: row, lambda row: row.iloc[0].tolist())
    for i, form in enumerate((*forms, lambda row: row.iloc[0].to_dict())):
        path = model.tree_.path(values[:, i])
        for data in ((X, y), ()) if i == 0 else ((),):
            axes = plot_tree(model, *data, sample=form(X.iloc[[i]]))
            thick = [edge for edge, (line,) in of(axes, "edge").items() if line.get_linewidth() > 2]
            assert sorted(thick) == list(pairwise(path))
            framed = [n for (n,), (box,) in of(axes, "node").items() if box.get_linewidth() > 2]
            assert sorted(framed) == path
            diamonds = [line for line in axes.lines if line.get_marker() == "D"]
            assert len(diamonds) == 1 + bool(data) * (
                len(path) - 1
            )  # the legend's, each question's
            plt.close(axes.figure)


def test_a_sample_that_stops_at_a_question():
    X, y = load_play_tennis()
    model = ID3Classifier().fit(X, y)
    row = X.iloc[0].astype(object)
    row["outlook"] = "hail"
    axes = plot_tree(model, X, y.to_numpy(), sample=row)
    assert [n for (n,), (box,) in of(axes, "node").items() if box.get_linewidth() > 2] == [0]
    assert "missing" in of(axes, "text")[(0,)][1].get_text()


def test_the_bars_of_a_histogram_count_the_rows():
    X, y = load_kyphosis()
    model = CARTClassifier(max_depth=3, min_samples_leaf=7).fit(X, y)
    values, codes = model_values(model, X), np.unique(y, return_inverse=True)[1]
    rows = Picture(model.tree_, values, codes, None, None).rows
    assert [len(rows[node]) for node in range(model.tree_.n_nodes)] == model.tree_.count.tolist()
    for node in np.flatnonzero(~model.tree_.is_leaf):
        mine = rows[int(node)]
        seen = values[model.tree_.feature[node], mine]
        chart = Chart(model.tree_, node, seen, codes[mine], None)
        below = chart.bars[chart.bin] < chart.cuts[0]  # no bar on both sides of the split
        assert (below == (seen <= model.tree_.threshold[node])).all()
        assert (np.abs(chart.bars[chart.bin] - seen) <= chart.wide / 2 + 1e-9).all()
        edges = np.column_stack([chart.bars - chart.wide / 2, chart.bars + chart.wide / 2])
        assert chart.low <= edges.min() and edges.max() <= chart.high


@pytest.mark.parametrize("strict", [False, True])
def test_a_value_at_the_threshold_stands_on_the_side_it_goes_to(strict):
    x = np.linspace(0, 1, 101)
    tree = CARTClassifier(max_depth=1).fit(x[:, None], x > 0.455).tree_
    tree = replace(tree, strict=strict, threshold=np.where(tree.is_leaf, np.nan, x[45]))
    chart = Chart(tree, 0, x, (x > 0.455).astype(int), None)
    assert (chart.bars[chart.bin[45]] > x[45]) == strict


def test_classes_differ_without_color():
    looks = {marks(k) for k in range(42)}
    assert len(looks) == 42 and len({(h, m) for _, h, m in looks}) == 42
    assert len(COLORS) == 6 and len(HATCHES) == 7 and len(MARKERS) == 8
    assert COLORS[:2] == (plots.BLUE, plots.ORANGE)


def test_draws_on_given_axes_and_leaks_no_figure():
    X, y = load_kyphosis()
    model = CARTClassifier(max_depth=3).fit(X, y)
    figure, (left, right) = plt.subplots(1, 2)
    assert plot_tree(model, X, y, axes=left) is left
    assert plot_regions(model, X, y, features=("age", "start"), axes=right) is right
    assert plt.get_fignums() == [figure.number]
    sizes = [text.get_fontsize() for text in left.texts]
    assert max(sizes) < 8  # shrunk with the axes
    plt.close(figure)
    plot_impurities(plt.figure().add_subplot())
    assert len(plt.get_fignums()) == 1


def test_a_tree_of_one_leaf_and_rows_that_never_arrive():
    X, y = load_kyphosis()
    leaf = CARTClassifier(min_samples_split=1000).fit(X, y)
    assert len(of(plot_tree(leaf, X, y, sample=X.iloc[0]), "node")) == 1
    assert describe(leaf) == "The tree asks nothing: the answer is absent (64 of 81 cases)."
    model = CARTClassifier(max_depth=3).fit(X, y)
    assert plot_tree(model, X.iloc[:2], y.iloc[:2])  # most nodes get no row
    model, X, y = fitted(0, 3, CARTRegressor)
    assert plot_tree(model, X.iloc[:2], y[:2])


def test_an_ordered_category_is_a_number():
    X, y = table(5, n_classes=2)
    X["kind"] = X["kind"].cat.as_ordered()
    y = X["kind"].cat.codes >= 3
    model = CARTClassifier(max_depth=2).fit(X, y)
    axes = plot_tree(model, X, y, sample=X.iloc[0])
    assert "≤ 3.5" in {text.get_text() for (text,) in of(axes, "label").values()}


# Errors -----------------------------------------------------------------------------------------


def test_errors_of_plot_tree_say_what_to_do():
    X, y = load_kyphosis()
    model = CARTClassifier(max_depth=2).fit(X, y)
    for bad, message in [
        ({"sample": [1, 2]}, "sample has 2 values, expected 3: age, number, start"),
        ({"sample": X.iloc[:2]}, "sample has 2 rows"),
        ({"X": X}, "both X and y"),
        ({"X": X, "y": y[:-1]}, "81 rows but y"),
        ({"X": X, "y": ["?"] * 81}, "the tree knows absent, present"),
        ({"X": X[["age"]], "y": y}, "X has 1 columns, expected 3"),
        ({"max_depth": -1}, "max_depth is -1"),
    ]:
        with pytest.raises(ValueError, match=message):
            plot_tree(model, **bad)
    with pytest.raises(ValueError, match="DataFrame"):
        tennis = load_play_tennis()
        plot_tree(ID3Classifier().fit(*tennis), tennis[0].to_numpy(), tennis[1])
    with pytest.raises(TypeError, match="DecisionTreeClassifier"):
        plot_tree(DecisionTreeClassifier().fit(X, y))
    with pytest.raises(ValueError, match="not fitted"):
        describe(CARTClassifier())
    assert plt.get_fignums() == []


def test_errors_of_plot_regions_say_what_to_do():
    X, y = load_kyphosis()
    model = CARTClassifier(max_depth=2).fit(X, y)
    for bad, message in [
        ({}, "X has 3 features; choose two of them with features="),
        ({"features": ["age"]}, "1 entries, expected two"),
        ({"features": ["age", "height"]}, "no feature 'height'"),
    ]:
        with pytest.raises(ValueError, match=message):
            plot_regions(model, X, y, **bad)
    with pytest.raises(ValueError, match="81 rows but y has 5"):
        plot_regions(model, X, y[:5], features=(0, 1))
    X, y = table(0)
    with pytest.raises(ValueError, match="'kind' holds no numbers"):
        plot_regions(CARTClassifier().fit(X, y), X, y, features=("number", "kind"))
    assert plt.get_fignums() == []


# describe ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor, ID3Classifier])
@pytest.mark.parametrize("seed", range(3))
def test_describe_mentions_every_leaf(kind, seed):
    model, _, _ = fitted(seed, 6, kind)
    tree = model.tree_
    lines = describe(model).splitlines()
    assert describe(tree) == "\n".join(lines)
    assert len(lines) == tree.n_nodes  # the first line, and one for every node below the root
    for node in range(1, tree.n_nodes):
        line = lines[node]  # preorder
        assert len(line) - len(line.lstrip()) == 4 * (tree.depths[node] - 1)
        if tree.feature[node] >= 0:
            assert line.endswith(f"the next question is {tree.names[tree.feature[node]]}.")
        elif kind is CARTRegressor:
            assert f"the answer is {tree.answer(node):.6g} (the mean of {tree.count[node]}" in line
        elif tree.count[node] == 0:
            assert f"the answer is {tree.answer(node)} (no case came here" in line
        else:
            right = int(tree.value[node].max())
            assert f"the answer is {tree.answer(node)} ({right} of {tree.count[node]} case" in line


# plot_regions -----------------------------------------------------------------------------------


def drawn(axes, points):
    """Return the color of the rectangle under each point."""
    found = np.full((len(points), 3), np.nan)
    for patch in axes.patches:
        if isinstance(patch, Rectangle):
            (x, y), (w, h) = patch.get_xy(), (patch.get_width(), patch.get_height())
            inside = (points >= (x, y)).all(axis=1) & (points <= (x + w, y + h)).all(axis=1)
            assert np.isnan(found[inside]).all()  # rectangles do not overlap
            found[inside] = patch.get_facecolor()[:3]
    return found


@pytest.mark.parametrize("features", [("number", "whole"), ("whole", "a_rather_long_feature_name")])
@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_rectangles_are_the_answers_of_the_model(kind, features):
    model, X, y = fitted(3, 5, kind)
    axes = plot_regions(model, X, y, features=features)
    random = np.random.default_rng(0)
    low, high = np.transpose([axes.get_xlim(), axes.get_ylim()])
    points = low + (high - low) * random.random((500, 2))
    asked = pd.concat([X.iloc[:1]] * 500, ignore_index=True)
    for name in X:
        asked[name] = X[name].mode()[0] if name == "kind" else X[name].median()
    asked["kind"] = asked["kind"].astype(X["kind"].dtype)
    asked[list(features)] = points
    answers = model.predict(asked)
    colors = drawn(axes, points)
    assert not np.isnan(colors).any()
    if kind is CARTRegressor:
        dots = axes.collections[-1]
        expected = dots.cmap(dots.norm(answers))[:, :3]
    else:
        pale = [0.3 * np.array(to_rgb(marks(k)[0])) + 0.7 for k in range(len(model.classes_))]
        expected = np.array(pale)[np.searchsorted(model.classes_, answers)]
    assert np.allclose(colors, expected)
    assert axes.get_title(loc="left") == "other features at their median"


def test_a_tree_that_asks_for_two_features_needs_no_others():
    X, y = load_kyphosis()
    model = CARTClassifier(max_depth=4, min_samples_leaf=7).fit(X, y)
    axes = plot_regions(model, X, y, features=("age", "start"))
    assert len(axes.patches) == model.tree_.n_leaves
    assert axes.get_title(loc="left") == ""
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["absent", "present"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("age", "start")


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_regions_without_legend_and_without_cuts(kind):
    model, X, y = fitted(3, 5, kind)
    features = ("number", "whole")
    lines, plain = (
        plot_regions(model, X, y, features=features, cuts=cuts, legend=cuts)
        for cuts in (True, False)
    )
    scale = kind is CARTRegressor
    assert len(lines.figure.axes) == 1 + scale and (lines.get_legend() is None) == scale
    assert len(plain.figure.axes) == 1 and plain.get_legend() is None
    assert all(patch.get_linewidth() > 0 for patch in lines.patches)
    # without antialiasing the rectangles leave no pale seams between them
    assert not any(patch.get_linewidth() or patch.get_antialiased() for patch in plain.patches)
    low, high = np.transpose([plain.get_xlim(), plain.get_ylim()])
    points = low + (high - low) * np.random.default_rng(0).random((200, 2))
    np.testing.assert_array_equal(drawn(plain, points), drawn(lines, points))


def test_other_models_are_asked_on_a_grid():
    X, y = load_kyphosis()
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    axes = plot_regions(model, X, y, features=("age", "start"), resolution=30)
    assert not axes.patches and len(axes.collections) == 4  # two regions, two sets of points
    plain = LogisticRegression().fit(X.to_numpy()[:, :2], y)
    assert plot_regions(plain, X.to_numpy()[:, :2], y, resolution=30).get_xlabel() == "x0"
    line = LinearRegression().fit(X[["age", "start"]], X["number"])
    axes = plot_regions(line, X[["age", "start"]], X["number"], resolution=20)
    (mesh,) = (found for found in axes.collections if isinstance(found, QuadMesh))
    assert mesh.get_array().size == 400
    assert axes.figure.axes[1].get_ylabel() == "number"


# plot_impurities --------------------------------------------------------------------------------


def test_impurity_curves():
    axes = plot_impurities()
    curves = {line.get_label(): line for line in axes.lines}
    assert len({line.get_linestyle() for line in axes.lines}) == len(axes.lines) == 3
    assert {text.get_text() for text in axes.texts} == set(curves)  # labelled directly
    for line in curves.values():
        assert np.allclose(line.get_ydata()[[0, 100, -1]], [0, 0.5, 0])
    half, gini, error = (curves[name].get_ydata() for name in curves)
    assert (half >= gini - 1e-12).all() and (gini >= error - 1e-12).all()
