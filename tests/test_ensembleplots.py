"""Pictures of ensembles: what is drawn is what the models say, no labels overlap, clear errors."""

from itertools import combinations, pairwise
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.path import Path
from matplotlib.text import Text
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.linear_model import LogisticRegression

from mlcourse import (
    AdaBoostClassifier,
    CARTClassifier,
    CARTRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    bias_variance_squared,
    minimum_margins,
    normalized_margins,
    plot_bias_variance,
    plot_boosting_round,
    plot_growing_regions,
    plot_importances,
    plot_margins,
    plot_oob_curve,
    plots,
)
from mlcourse.bias_variance import decompose_squared, decompose_zero_one
from mlcourse.layout import marks
from mlcourse.panels import STYLES

LINE = np.arange(10)[:, None]  # ten points of Li Hang's example
SIGNS = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])


@pytest.fixture(autouse=True)
def style():
    """Draw in the course's style; whatever a test opens is closed."""
    with plt.style.context(plots.STYLE):
        yield
    plt.close("all")


def plane(n_classes=2, n=90, seed=0):
    """Return points of the plane and labels that no single cut separates."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.uniform(-2, 2, (n, 2)), columns=["width", "height"])
    radius = np.hypot(X["width"], X["height"])
    names = np.array(["in", "around", "outside", "far out"])[:n_classes]
    return X, names[np.digitize(radius, np.linspace(1.1, 2.1, n_classes - 1))]


def boosted(n_classes=2, estimator=None, n_estimators=12):
    X, y = plane(n_classes)
    return AdaBoostClassifier(estimator, n_estimators=n_estimators).fit(X, y), X, y


def of(axes, gid):
    """Return the artists with a name."""
    return axes.findobj(lambda artist: artist.get_gid() == gid)


def places(axes, gid):
    """Return where the points of a name stand, (n, 2), and their areas (n,)."""
    (dots,) = of(axes, gid)
    return np.asarray(dots.get_offsets()), np.broadcast_to(
        dots.get_sizes(), len(dots.get_offsets())
    )


def within(axes, k, points):
    """Return whether each point lies in the region of class k: inside an odd number of outlines."""
    inside = np.zeros(len(points), dtype=int)
    for region in of(axes, f"region {k}"):
        for path in region.get_paths():
            for outline in path.to_polygons():
                inside += Path(outline).contains_points(points)
    return inside % 2 == 1


def check_letters(figure):
    """Hold the letters to 8 points or more, on the page, and not on each other."""
    figure.canvas.draw()
    page, found = figure.bbox, []
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip():
            box = Text.get_window_extent(text)  # of an annotation: without its line
            owner = getattr(text, "axes", None)
            if owner is None or owner.get_visible():
                found.append((text, box))
    shown = [(text, box) for text, box in found if not unseen_tick(figure, text)]
    assert len(shown) > 5
    for text, box in shown:
        assert text.get_fontsize() >= 8, text
        assert box.x0 >= -1 and box.y0 >= -1, text
        assert box.x1 <= page.x1 + 1 and box.y1 <= page.y1 + 1, text
    for (one, a), (two, b) in combinations(shown, 2):
        wide = min(a.x1, b.x1) - max(a.x0, b.x0)
        high = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(wide, high) < 1, (one, two)


def unseen_tick(figure, text):
    """Say whether a text belongs to a tick that is not drawn: outside the limits, or hidden."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            drawn = {id(tick.label1) for tick in axis._update_ticks()}
            every = {id(label) for tick in axis.get_major_ticks() + axis.get_minor_ticks()
                     for label in (tick.label1, tick.label2)}  # fmt: skip
            if id(text) in every:
                return id(text) not in drawn
    return False


# plot_boosting_round ----------------------------------------------------------------------------


def test_the_rounds_of_ten_points_on_a_line():
    model = AdaBoostClassifier(n_estimators=3).fit(LINE, SIGNS)
    limits = set()
    for t, cut, wrong, all_wrong in [
        (1, 2.5, [6, 7, 8], [6, 7, 8]), (2, 8.5, [3, 4, 5], [3, 4, 5]), (3, 5.5, [0, 1, 2, 9], []),
    ]:  # fmt: skip
        figure = plot_boosting_round(model, LINE, SIGNS, t)
        left, right = figure.axes
        (border,) = of(left, "border")
        assert np.allclose(border.get_xdata(), cut, atol=0.01)
        assert sorted(places(left, "wrong")[0][:, 0]) == wrong
        assert sorted(places(right, "wrong")[0][:, 0]) == all_wrong
        for k, label in enumerate((-1, 1)):
            spots, areas = places(left, f"class {k}")
            mine = model.weights_[t - 1][label == SIGNS]
            np.testing.assert_allclose(spots, np.column_stack([LINE[label == SIGNS], mine]))
            np.testing.assert_allclose(areas / areas[0], mine / mine[0])  # the area is the weight
            heights = places(right, f"class {k}")[0][:, 1]
            F = sum(a * h.predict(LINE) for a, h in zip(model.alphas_[:t], model.estimators_, strict=False))  # noqa: E501  # fmt: skip
            np.testing.assert_allclose(heights, F[label == SIGNS])
        assert left.get_title("left") == f"round {t}: ε = {model.errors_[t - 1]:.3f}, α = {model.alphas_[t - 1]:.3f}"  # noqa: E501  # fmt: skip
        assert right.get_title("left") == f"F after round {t}: {len(all_wrong)} of 10 wrong"
        limits.add((left.get_xlim(), left.get_ylim(), right.get_xlim(), right.get_ylim()))
        check_letters(figure)
    assert len(limits) == 1  # the axes stay where they are
    assert [len(of(right, "border")), len(of(right, "sum"))] == [3, 1]


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("estimator", [None, CARTClassifier(max_depth=2)])
def test_a_round_in_the_plane_shows_learner_and_sum(n_classes, estimator):
    model, X, y = boosted(n_classes, estimator)
    t = min(5, len(model.estimators_))
    figure = plot_boosting_round(model, X, y, t)
    answers = (model.estimators_[t - 1].predict(X), list(model.staged_predict(X))[t - 1])
    for axes, answer in zip(figure.axes, answers, strict=True):
        assert (axes.get_xlabel(), axes.get_title("left")[:1]) in {("width", "r"), ("width", "F")}
        np.testing.assert_allclose(places(axes, "wrong")[0], X[answer != y])
        for k, label in enumerate(model.classes_):
            drawn = within(axes, k, X.to_numpy())
            assert np.mean(drawn == (answer == label)) > 0.96  # a few lie next to a border
    sizes = np.concatenate([places(figure.axes[0], f"class {k}")[1] for k in range(n_classes)])
    weights = np.concatenate([model.weights_[t - 1][y == label] for label in model.classes_])
    seen = sizes > sizes.min() + 1e-9  # the smallest are drawn a little larger, to be seen
    assert np.ptp(sizes[seen] / weights[seen]) < 1e-6 * sizes.max() / weights.max()
    for axes in figure.axes:  # lines between regions, wherever there are several
        regions = sum(bool(of(axes, f"region {k}")) for k in range(n_classes))
        assert len(of(axes, "border")) == (regions if regions > 1 else 0)
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert words == [*map(str, model.classes_), "wrong", "weight 1/N (left)"]
    check_letters(figure)


def test_classes_of_regions_differ_by_hatch():
    model, X, y = boosted(4, CARTClassifier(max_depth=3))
    right = plot_boosting_round(model, X, y, 3).axes[1]
    hatches = [of(right, f"region {k}")[0].hatches for k in range(4)]
    assert hatches == [[marks(k)[1][:2]] for k in range(4)]
    assert len({str(h) for h in hatches}) == 4


def test_the_scale_of_weights_is_that_of_all_rounds():
    model, X, y = boosted(n_estimators=20)
    ratio = []
    for t in (2, 20):
        axes = plot_boosting_round(model, X, y, t).axes[0]
        mine = model.weights_[t - 1][y == model.classes_[0]]
        ratio.append(places(axes, "class 0")[1].max() / mine.max())
    assert np.isclose(*ratio)


def test_several_classes_on_a_line_have_a_sum_each():
    X = np.linspace(0, 9, 30)[:, None]
    y = np.digitize(X[:, 0], [3, 6])
    model = AdaBoostClassifier(n_estimators=6).fit(X, y)
    figure = plot_boosting_round(model, X, y, 4)
    lines, F = of(figure.axes[1], "sum"), list(model.staged_decision_function(X))[3]
    for k, line in enumerate(lines):
        np.testing.assert_allclose(places(figure.axes[1], f"class {k}")[0][:, 1], F[y == k, k])
        x, heights = line.get_data()
        curve = list(model.staged_decision_function(x[:, None]))[3]
        np.testing.assert_allclose(heights, curve[:, k])
    assert len(lines) == 3 == len({str(line.get_linestyle()) for line in lines})
    check_letters(figure)


def test_rounds_are_frames_of_a_slider(monkeypatch):
    found = []
    monkeypatch.setattr(plots, "display", lambda data, raw, metadata=None: found.append(data))
    model = AdaBoostClassifier(n_estimators=3).fit(LINE, SIGNS)
    plots.figure_slider(
        lambda t: plot_boosting_round(model, LINE, SIGNS, t), [1, 2, 3], "Two charts: rounds.",
        name="round", label="round {value}",
    )  # fmt: skip
    assert "slider over 3 values of round" in [data["text/plain"] for data in found]
    assert plt.get_fignums() == []


def test_a_round_on_given_axes():
    model, X, y = boosted()
    figure, axes = plt.subplots(1, 2)
    assert plot_boosting_round(model, X, y, 1, axes=axes) is figure
    assert plt.get_fignums() == [figure.number] and axes[1].get_legend() is not None


def test_errors_of_a_round_say_what_to_do():
    model, X, y = boosted()
    for arguments, message in [
        ((X, y, 0), "round is 0, expected a whole number from 1 to 12"),
        ((X, y, 13), "round is 13"),
        ((X, y, 1.0), "round is 1.0"),
        ((X[:5], y[:5], 1), "fitted to 90 examples, but X has 5 rows"),
        ((X, y[:5], 1), "90 rows but y has shape"),
        ((X, np.repeat("?", 90), 1), "label '\\?' is none of around, in"),
        ((X.assign(third=1), y, 1), "X has 3 features"),
        ((X.to_numpy()[:, 0], y, 1), "expected a table"),
        ((X.astype(str), y, 1), "numbers only"),
    ]:
        with pytest.raises(ValueError, match=message):
            plot_boosting_round(model, *arguments)
    with pytest.raises(ValueError, match="1 axes are given, expected 2"):
        plot_boosting_round(model, X, y, 1, axes=plt.figure().add_subplot())
    plt.close("all")
    with pytest.raises(ValueError, match="store_weights=True"):
        plot_boosting_round(AdaBoostClassifier(store_weights=False).fit(X, y), X, y, 1)
    with pytest.raises(ValueError, match="not fitted"):
        plot_boosting_round(AdaBoostClassifier(), X, y, 1)
    with pytest.raises(TypeError, match="CARTClassifier, expected a fitted AdaBoostClassifier"):
        plot_boosting_round(CARTClassifier().fit(X, y), X, y, 1)
    assert plt.get_fignums() == []


# plot_growing_regions ---------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("kind", ["ada", "gradient"])
def test_growing_regions_are_the_staged_answers(kind, n_classes):
    X, y = plane(n_classes)
    new = plane(n_classes, seed=1)
    model = AdaBoostClassifier(CARTClassifier(max_depth=2), n_estimators=12)
    if kind == "gradient":
        model = GradientBoostingClassifier(n_estimators=12, max_depth=2)
    model.fit(X, y)
    figure = plot_growing_regions(model, X, y, rounds=(1, 3, 10), test=new)
    stages, tests = list(model.staged_predict(X)), list(model.staged_predict(new[0]))
    assert len(figure.axes) == 3
    for t, axes in zip((1, 3, 10), figure.axes, strict=True):
        wrong = stages[t - 1] != y
        np.testing.assert_allclose(places(axes, "wrong")[0].reshape(-1, 2), X[wrong])
        words = axes.get_title("left").splitlines()
        assert words == [
            f"T = {t}", f"train error {wrong.mean():.3f}",
            f"test error {np.mean(tests[t - 1] != new[1]):.3f}",
        ]  # fmt: skip
        (low, high), grid = axes.get_xlim(), np.random.default_rng(0).uniform(-1.9, 1.9, (200, 2))
        assert low < -1.9 and high > 1.9
        answers = list(model.staged_predict(pd.DataFrame(grid, columns=X.columns)))[t - 1]
        for k, label in enumerate(model.classes_):
            drawn = within(axes, k, grid)
            assert np.mean(drawn == (answers == label)) > 0.96  # a few lie next to a border
    assert len({axes.get_xlim() + axes.get_ylim() for axes in figure.axes}) == 1
    check_letters(figure)


def test_the_default_panels_and_a_frame():
    model, X, y = boosted(n_estimators=20)
    titles = [axes.get_title("left").splitlines()[0] for axes in plot_growing_regions(model, X, y).axes]  # noqa: E501  # fmt: skip
    assert titles == ["T = 1", "T = 3", "T = 10", "T = 20"]
    frames = [plot_growing_regions(model, X, y, rounds=[t]) for t in (1, 7, 20)]
    assert len({tuple(figure.get_size_inches()) for figure in frames}) == 1
    assert len({figure.axes[0].get_xlim() for figure in frames}) == 1
    many = plot_growing_regions(model, X, y, rounds=range(1, 7), titles=list("abcdef"))
    assert [axes.get_title("left")[0] for axes in many.axes] == list("abcdef")
    check_letters(many)


def test_a_list_of_models_has_a_panel_each():
    X, y = plane()
    trees = [CARTClassifier(max_depth=d).fit(X, y) for d in (1, 4)]
    figure = plot_growing_regions(trees, X, y)
    assert [a.get_title("left").splitlines()[0] for a in figure.axes] == ["model 1", "model 2"]
    figure = plot_growing_regions({"stump": trees[0], "tree": trees[1]}, X, y)
    assert [a.get_title("left").splitlines()[0] for a in figure.axes] == ["stump", "tree"]
    for axes, tree in zip(figure.axes, trees, strict=True):
        assert len(places(axes, "wrong")[0]) == np.sum(tree.predict(X) != y)
    check_letters(figure)


def test_curves_of_a_regression_grow():
    random = np.random.default_rng(0)
    x = np.sort(random.uniform(0, 6, 60))[:, None]
    y = np.sin(x[:, 0])
    model = GradientBoostingRegressor(n_estimators=30).fit(x, y)
    figure = plot_growing_regions(model, x, y)
    for t, axes in zip((1, 3, 10, 30), figure.axes, strict=True):
        points, curve = axes.lines
        np.testing.assert_allclose(points.get_xydata(), np.column_stack([x, y]))
        stage = list(model.staged_predict(curve.get_xdata()[:, None]))[t - 1]
        np.testing.assert_allclose(curve.get_ydata(), stage)
        error = np.mean((list(model.staged_predict(x))[t - 1] - y) ** 2)
        assert axes.get_title("left") == f"T = {t}\ntrain MSE {error:.3g}"
    assert len({axes.get_ylim() for axes in figure.axes}) == 1
    alone = plot_growing_regions(model, x, y, rounds=3)
    assert alone.axes[0].get_ylim() == figure.axes[0].get_ylim()
    check_letters(figure)


def test_surfaces_of_a_regression_share_their_colors():
    X, _ = plane()
    y = X["width"] ** 2 + X["height"]
    model = GradientBoostingRegressor(n_estimators=10).fit(X, y)
    figure = plot_growing_regions(model, X, y, rounds=(1, 10), resolution=40)
    meshes = [axes.collections[0] for axes in figure.axes[:2]]
    assert meshes[0].norm is meshes[1].norm
    for t, mesh in zip((1, 10), meshes, strict=True):
        corners = mesh.get_coordinates()
        centers = (corners[:-1, :-1] + corners[1:, 1:])[::13, ::13].reshape(-1, 2) / 2
        stage = list(model.staged_predict(pd.DataFrame(centers, columns=X.columns)))[t - 1]
        drawn = mesh.get_array().reshape(40, 40)[::13, ::13].ravel()
        np.testing.assert_allclose(drawn, stage)
    check_letters(figure)


def test_errors_of_growing_regions_say_what_to_do():
    model, X, y = boosted()
    tree = CARTClassifier().fit(X, y)
    for models, options, message in [
        (model, {"rounds": (1, 100)}, "100 learners are asked for, the ensemble has 12"),
        (model, {"rounds": (0, 1)}, "whole numbers from 1 up"),
        (model, {"rounds": ()}, "whole numbers from 1 up"),
        (model, {"titles": ["a"]}, "1 titles for 4 panels"),
        (model, {"test": (X, y[:4])}, "90 test rows, but y has shape"),
        ([], {}, "there are no models"),
        ([tree], {"rounds": [1]}, "rounds are for one ensemble"),
        ([tree, CARTClassifier().fit(X, y == "in")], {}, "the same classes"),
    ]:
        with pytest.raises(ValueError, match=message):
            plot_growing_regions(models, X, y, **options)
    with pytest.raises(ValueError, match="regions of classes need two"):
        plot_growing_regions(AdaBoostClassifier().fit(LINE, SIGNS), LINE, SIGNS)
    with pytest.raises(TypeError, match="LogisticRegression has no staged_predict"):
        plot_growing_regions(LogisticRegression().fit(X, y), X, y)
    assert plt.get_fignums() == []


# plot_margins -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
def test_margins_of_rounds(n_classes):
    model, X, y = boosted(n_classes, CARTClassifier(max_depth=2), 30)
    figure = plot_margins(model, X, y, rounds=(2, 30), theta=(0.05, 0.1))
    (axes,) = figure.axes
    smallest = minimum_margins(model, X, y)[[1, 29]]
    np.testing.assert_allclose([m.get_xdata()[0] for m in of(axes, "least")], smallest)
    early, late = of(axes, "margins")
    margins = normalized_margins(model, X, y)
    theta, share = late.get_data()
    np.testing.assert_allclose(share, [np.mean(margins <= value) for value in theta])
    assert (theta[0], theta[-1], share[-1]) == (-1, 1, 1) and late.get_drawstyle() == "steps-post"
    # at 0 the first curve has the error of the first two learners
    at = early.get_ydata()[early.get_xdata() <= 0][-1]
    assert np.isclose(at, np.mean(list(model.staged_predict(X))[1] != y), atol=0.03)
    assert [line.get_xdata()[0] for line in of(axes, "theta")] == [0.05, 0.1]
    words = [text.get_text().splitlines()[0] for text in axes.get_legend().get_texts()]
    assert words == ["after 2 rounds", "after 30 rounds"]
    assert early.get_linestyle() != late.get_linestyle()
    check_letters(figure)


def test_default_rounds_and_labels_that_stand_apart():
    model, X, y = boosted(n_estimators=100)
    figure = plot_margins(model, X, y, theta=(0.1, 0.12, 0.5, -0.3, 0.11))
    words = [text.get_text().splitlines()[0] for text in figure.axes[0].get_legend().get_texts()]
    assert words == ["after 1 round", "after 10 rounds", "after 100 rounds"]
    check_letters(figure)


def test_given_margins():
    figure, axes = plt.subplots()
    assert plot_margins([0.5, -0.25, 1.0], axes=axes) is figure
    assert of(axes, "least")[0].get_xdata() == [-0.25]
    figure = plot_margins({"one": [0.1, 0.2], "two": np.array([0.3])})
    words = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert words == ["one\n(smallest 0.10)", "two\n(smallest 0.30)"]


def test_errors_of_margins_say_what_to_do():
    model, X, y = boosted()
    for arguments, options, message in [
        ((model,), {}, "X and y are missing"),
        ((model, X, y), {"rounds": [13]}, "from 1 to 12"),
        ((model, X, y), {"rounds": []}, "from 1 to 12"),
        (([0.5, 1.5],), {}, "from -1 to 1; divide by the sum of votes"),
        (([0.5, np.nan],), {}, "from -1 to 1"),
        (({},), {}, "there are no margins"),
        (([0.5], X, y), {}, "of no use"),
    ]:
        with pytest.raises(ValueError, match=message):
            plot_margins(*arguments, **options)
    with pytest.raises(TypeError, match="expected a fitted ensemble with votes"):
        plot_margins(CARTClassifier().fit(X, y), X, y)
    assert plt.get_fignums() == []


# plot_bias_variance -----------------------------------------------------------------------------


def squared(seed, noise=0.1, n=20):
    random = np.random.default_rng(seed)
    return decompose_squared(random.normal(size=(15, n)), random.normal(size=n), noise)


def zero_one(seed, noise=0.1, n=40):
    random = np.random.default_rng(seed)
    return decompose_zero_one(random.integers(0, 2, (9, n)), random.integers(0, 2, n), noise)


@pytest.mark.parametrize("log", [False, True])
def test_the_areas_of_squared_errors_sum_to_the_error(log):
    results, knob = [squared(s) for s in range(4)], [8, 2, 4, 1]
    figure = plot_bias_variance(results, knob, xlabel="depth", log=log)
    (axes,) = figure.axes
    means = [results[i].averages for i in (3, 1, 2, 0)]  # by the knob
    floor = np.zeros(4)
    for term in ("noise", "bias_squared", "variance"):
        (area,) = of(axes, term)
        corners = area.get_paths()[0].vertices
        heights = floor + [mean[term] for mean in means]
        for x, low, high in zip((1, 2, 4, 8), floor, heights, strict=True):
            column = corners[corners[:, 0] == x, 1]
            np.testing.assert_allclose([column.min(), column.max()], [low, high])
        floor = heights
    (line,) = of(axes, "error")
    np.testing.assert_allclose(line.get_ydata(), floor)  # the top of the areas
    assert list(line.get_xdata()) == [1, 2, 4, 8]
    (star,) = of(axes, "smallest")
    best = int(np.argmin(floor))
    assert (star.get_xdata()[0], star.get_ydata()[0]) == ((1, 2, 4, 8)[best], floor[best])
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    assert words[:4] == ["error (sum)", "variance", "bias²", "noise"]
    assert words[4] == f"smallest: {floor[best]:.3f}\nat {(1, 2, 4, 8)[best]}"
    assert axes.get_xlabel() == "depth" and axes.get_xscale() == ("log" if log else "linear")
    check_letters(figure)


def test_a_knob_of_names_has_bars():
    results, names = [squared(s) for s in range(3)], ["tree", "bagging", "forest"]
    figure = plot_bias_variance(results, names)
    (axes,) = figure.axes
    tops = [[bar.get_y() + bar.get_height() for bar in bars] for bars in axes.containers]
    np.testing.assert_allclose(tops[-1], [result.averages["error"] for result in results])
    assert [label.get_text() for label in axes.get_xticklabels()] == names
    assert len({bars[0].get_hatch() for bars in axes.containers}) == 3
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    assert words[:4] == ["error (sum)", "variance", "bias²", "noise"]
    check_letters(figure)


@pytest.mark.parametrize("noise", [0.0, 0.1])
@pytest.mark.parametrize("named", [False, True])
def test_the_lines_of_the_error_rate(noise, named):
    results = [zero_one(s, noise) for s in range(4)]
    figure = plot_bias_variance(results, list("abcd") if named else [1, 2, 3, 4])
    (axes,) = figure.axes
    found = {}
    for term in ("error", "bias", "variance", "unbiased_variance", "biased_variance", "noise"):
        lines = of(axes, term)
        assert len(lines) == (term != "noise" or noise > 0)
        for line in lines:
            found[term] = line
            means = [result.averages[term] for result in results]
            np.testing.assert_allclose(line.get_ydata(), means)
    V = [found[f"{kind}variance"].get_ydata() for kind in ("", "unbiased_", "biased_")]
    np.testing.assert_allclose(V[0], V[1] + V[2])
    if not noise:
        np.testing.assert_allclose(found["error"].get_ydata(), found["bias"].get_ydata() + V[1] - V[2])  # noqa: E501  # fmt: skip
    assert len({line.get_marker() for line in found.values()}) == len(found)
    (star,) = of(axes, "smallest")
    best = int(np.argmin(found["error"].get_ydata()))
    assert star.get_xdata()[0] == found["error"].get_xdata()[best]
    check_letters(figure)


def test_many_fits_their_mean_and_the_truth():
    def sample(random):
        X = random.uniform(0, 6, (40, 1))
        return X, np.sin(X[:, 0]) + random.normal(0, 0.2, 40)

    x = np.linspace(6, 0, 31)[:, None]  # not in order
    result = bias_variance_squared(
        CARTRegressor(max_depth=3), sample, x, np.sin(x[:, 0]), n_repeats=12, random_state=0
    )
    training = sample(np.random.default_rng(5))
    figure = plot_bias_variance(result, x, data=training, n_curves=8)
    (axes,) = figure.axes
    fits = of(axes, "fit")
    assert len(fits) == 8
    np.testing.assert_allclose(fits[3].get_ydata(), result.predictions[3][::-1])
    (mean,), (truth,) = of(axes, "mean"), of(axes, "truth")
    np.testing.assert_allclose(mean.get_ydata(), result.predictions.mean(axis=0)[::-1])
    np.testing.assert_allclose(truth.get_ydata(), np.sin(x[::-1, 0]), atol=1e-12)
    assert (np.diff(truth.get_xdata()) > 0).all()
    np.testing.assert_allclose(axes.lines[0].get_xydata(), np.column_stack(training))
    assert f"variance = {result.averages['variance']:.3f}" in axes.get_title("left")
    check_letters(figure)
    figure, panels = plt.subplots(1, 2, figsize=(7.6, 3))
    for panel, legend in zip(panels, (False, True), strict=True):
        assert plot_bias_variance(result, x, axes=panel, legend=legend) is figure
        assert (panel.get_legend() is not None) == legend
    check_letters(figure)
    figure = plot_bias_variance([result, result], [1, 2], legend=False)
    assert figure.axes[0].get_legend() is None


def test_errors_of_bias_variance_say_what_to_do():
    one, other = squared(0), zero_one(0)
    for results, x, options, message in [
        ([one, one], [1, 2, 3], {}, "2 results, but x has shape"),
        ([one, other], [1, 2], {}, "do not go together"),
        ([one], [1], {"data": ([1], [1])}, "data are for one decomposition"),
        (one, [1, 2], {}, "expected the 20 test points"),
    ]:
        with pytest.raises(ValueError, match=message):
            plot_bias_variance(results, x, **options)
    for results, message in [([], "results must be"), ([0.3], "results must be"), (other, "give a list")]:  # noqa: E501  # fmt: skip
        with pytest.raises(TypeError, match=message):
            plot_bias_variance(results, [1])
    assert plt.get_fignums() == []


# plot_oob_curve ---------------------------------------------------------------------------------


class Bag(ClassifierMixin, BaseEstimator):
    """A model that knows its out-of-bag curve."""

    def fit(self, curve):
        self.oob_curve_ = curve
        return self


class NumberBag(RegressorMixin, Bag):
    pass


CURVE = np.r_[np.nan, np.nan, np.linspace(0.4, 0.2, 58)]


def test_the_curve_of_a_model_beside_its_test_error():
    test = np.linspace(0.5, 0.25, 60)
    figure = plot_oob_curve(Bag().fit(CURVE), test)
    (axes,) = figure.axes
    (out,), (new,) = of(axes, "out of bag"), of(axes, "test")
    np.testing.assert_array_equal(out.get_ydata(), CURVE)
    np.testing.assert_array_equal(new.get_xydata(), np.column_stack([np.arange(1, 61), test]))
    assert out.get_linestyle() != new.get_linestyle() and out.get_marker() != new.get_marker()
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    assert words == ["out of bag\n(last 0.200)", "test\n(last 0.250)"]
    assert axes.get_ylabel() == "error"
    check_letters(figure)
    assert plot_oob_curve(NumberBag().fit(CURVE)).axes[0].get_ylabel() == "mean squared error"


def test_curves_of_several_models():
    models = {"bagging": Bag().fit(CURVE + 0.1), "forest": CURVE}
    figure, axes = plt.subplots()
    assert plot_oob_curve(models, {"forest": CURVE + 0.02}, axes=axes) is figure
    first, second = of(axes, "out of bag")
    assert first.get_marker() != second.get_marker() and first.get_color() != second.get_color()
    (new,) = of(axes, "test")
    assert new.get_color() == second.get_color() and new.get_linestyle() == STYLES[1]
    check_letters(figure)


def test_errors_of_curves_say_what_to_do():
    X, y = plane()
    bag = Bag().fit(CURVE)
    for models, test, message in [
        (CARTClassifier().fit(X, y), None, "CARTClassifier has no oob_curve_"),
        (bag, CURVE[:5], "test_curve has 5 values, the out-of-bag curve 60"),
        ({"a": bag}, {"b": CURVE}, r"test_curve names \['b'\]"),
        ([np.nan, np.nan], None, "not all of them missing"),
        (np.ones((2, 2)), None, r"must be numbers \(T,\)"),
        ({}, None, "there are no models"),
    ]:
        with pytest.raises(ValueError, match=message):
            plot_oob_curve(models, test)
    with pytest.raises(TypeError, match="test_curve as a dictionary"):
        plot_oob_curve({"a": bag}, CURVE)
    with pytest.raises(ValueError, match="not fitted"):
        plot_oob_curve(Bag())
    assert plt.get_fignums() == []


# plot_importances -------------------------------------------------------------------------------


def bars(axes):
    """Return name (or number) → (length of the bar, reach of its error bar)."""
    container = axes.containers[-1]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    names = labels or range(len(container.patches))
    reach = [None] * len(names)
    if container.errorbar is not None:
        segments = container.errorbar.lines[2][0].get_segments()
        reach = [tuple(segment[:, 0]) for segment in segments]
    lengths = [bar.get_width() for bar in container.patches]
    return dict(zip(names, zip(lengths, reach, strict=True), strict=True))


def test_importances_are_sorted_with_error_bars():
    figure = plot_importances(
        pd.Series([0.1, 0.6, 0.3], ["windy", "outlook", "humidity"]), spread=[0.01, 0.1, 0.05]
    )
    (axes,) = figure.axes
    found = bars(axes)
    assert list(found) == ["outlook", "humidity", "windy"]
    assert [length for length, _ in found.values()] == [0.6, 0.3, 0.1]
    np.testing.assert_allclose([found[name][1] for name in found], [(0.5, 0.7), (0.25, 0.35), (0.09, 0.11)])  # noqa: E501  # fmt: skip
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first bar is on top
    check_letters(figure)


def test_two_kinds_stand_side_by_side_in_one_order():
    random = np.random.default_rng(0)
    names = [f"a rather long name of feature {j}" for j in range(30)]
    impurity, drop = random.random(30), random.normal(0, 0.02, 30)
    result = SimpleNamespace(importances_mean=drop, importances_std=np.full(30, 0.01))
    figure = plot_importances({"impurity": impurity, "permutation": result}, names, top=8)
    left, right = figure.axes
    order = np.argsort(-impurity)[:8]
    for axes, values, kind in ((left, impurity, "impurity"), (right, drop, "permutation")):
        found = [length for length, _ in bars(axes).values()]
        np.testing.assert_allclose(found, values[order])
        assert axes.get_xlabel() == kind
    labels = [label.get_text() for label in left.get_yticklabels()]
    assert [label[-3:].strip() for label in labels] == [names[j][-3:].strip() for j in order]
    reach = [reach for _, reach in bars(right).values()]
    np.testing.assert_allclose(reach, np.column_stack([drop[order] - 0.01, drop[order] + 0.01]))
    assert left.patches[0].get_hatch() != right.patches[0].get_hatch()
    check_letters(figure)


def test_the_figure_grows_with_the_features():
    heights = [plot_importances(np.ones(d)).get_size_inches()[1] for d in (2, 10, 40)]
    assert all(a < b for a, b in pairwise(heights))
    axes = plt.figure().add_subplot()
    assert plot_importances([1, 2], ["a", "b"], axes=axes) is axes.figure
    assert list(bars(axes)) == ["b", "a"]


def test_errors_of_importances_say_what_to_do():
    for values, options, message in [
        ([0.1, 0.2], {"names": ["a"]}, "there are 2 importances, but names has 1"),
        ({"a": [1, 2], "b": [1]}, {}, "but b has 1"),
        ([0.1, np.nan], {}, "missing or infinite"),
        (["x"], {}, "must be numbers"),
        ([], {}, "must be numbers"),
        ({}, {}, "there are no importances"),
        ([0.1, 0.2], {"spread": [0.1]}, "2 numbers from 0 up"),
        ([0.1, 0.2], {"spread": [0.1, -1]}, "2 numbers from 0 up"),
        ([0.1, 0.2], {"spread": {"b": [0.1, 0.1]}}, r"spread names \['b'\]"),
        ([0.1, 0.2], {"top": 0}, "top is 0"),
    ]:
        with pytest.raises(ValueError, match=message):
            plot_importances(values, **options)
    assert plt.get_fignums() == []
