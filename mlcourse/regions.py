"""Where does a classifier say what? Its answers over the plane of two features.

Lecture 02. A tree cuts the plane by lines parallel to the axes, so its regions are rectangles, and
``plot_regions`` draws these very rectangles; any other model is asked at the points of a grid.
``plot_impurities`` draws the three measures by which a tree judges a node of two classes.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch, Rectangle
from sklearn.base import is_regressor

from mlcourse.columns import _encode
from mlcourse.criteria import gini, misclassification
from mlcourse.information import entropy
from mlcourse.layout import GRAY, marks
from mlcourse.tree import Tree

__all__ = []


def plot_regions(model, X, y, *, features=None, axes=None, resolution=200, cuts=True, legend=True):
    """Draw what a fitted model answers over two features, and the points (X, y).

    Regions and points of a class share its color; regions also differ by hatch, points by marker.
    A regression model gets colors by value, with a scale beside. If the model has further
    features, they are held at their median (categories: the most frequent), and the title says so
    unless the tree asks for none of them.

    Parameters
    ----------
    model : a fitted model with ``predict``
    X, y : the points to show: a DataFrame or array, and labels or numbers
    features : names or positions of the two features; needed if X has more than two
    axes : where to draw; by default on a new figure
    resolution : points of the grid along each axis, for a model that is no tree
    cuts : False leaves out the lines between the regions of a tree
    legend : False leaves out the legend (regression: the scale of colors)

    Returns
    -------
    The axes.
    """
    table = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X)).add_prefix("x")
    pair, name = _pair(table, features), getattr(y, "name", None)
    points, y = table.iloc[:, pair].to_numpy(dtype=float), np.asarray(y)  # (n, 2), (n,)
    if len(y) != len(points):
        raise ValueError(f"plot_regions: X has {len(points)} rows but y has {len(y)}")
    if not len(points) or not np.isfinite(points).all():
        raise ValueError("plot_regions: the two features must hold numbers only, without gaps")
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.05 * np.where(high > low, high - low, 1.0)
    low, high = low - margin, high + margin
    tree, regions, asked = getattr(model, "tree_", None), None, set(range(table.shape[1]))
    if isinstance(tree, Tree) and tree.names == tuple(map(str, table.columns)):
        asked = set(tree.feature[tree.feature >= 0].tolist())
        typical = _encode("plot_regions", _typical(table), tree.categories)[:, 0]
        regions = rectangles(tree, pair, typical, low, high)
    grid = [np.linspace(a, b, resolution) for a, b in zip(low, high, strict=True)]
    answer = None
    if regions is None:  # no tree, or one that does not know what to say here
        answer = _asked(model, X, _typical(table), pair, *np.meshgrid(*grid))
    if axes is None:
        axes = plt.subplots()[1]
    if is_regressor(model):
        dots = _draw_values(axes, regions, grid, answer, points, y, cuts)
        if legend:
            axes.figure.colorbar(dots, ax=axes, label=str(name or "answer"))
    else:
        classes = getattr(model, "classes_", set(y))
        handles = _draw_classes(axes, regions, grid, answer, points, y, classes, cuts)
        if legend:
            place = {"loc": "upper left", "bbox_to_anchor": (1, 1), "handleheight": 1.2}
            axes.legend(handles, map(str, classes), **place)
    across, up = (str(table.columns[j]) for j in pair)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel=across, ylabel=up)
    axes.grid(False)
    if asked - set(pair):
        axes.set_title("other features at their median", fontsize="small", weight="normal")
    return axes


def rectangles(tree, pair, row, low, high):
    """Return the regions of a tree in the plane of two features: (x0, y0, x1, y1, answer).

    ``row`` (d,) holds the values of all other features. A region reaches from the first pair of
    coordinates to the second, at most from ``low`` to ``high``. None if a value of ``row`` is one
    that the tree has no branch for.
    """
    found, stack = [], [(0, list(low), list(high))]
    while stack:
        node, start, end = stack.pop()
        feature = tree.feature[node]
        if feature < 0:
            found.append((*start, *end, tree.answer(node)))
        elif feature in pair:
            axis, cut = pair.index(feature), tree.threshold[node]
            left, right = tree.children[node][:2]
            if start[axis] < cut:
                stack.append((left, start, [*end[:axis], min(end[axis], cut), *end[axis + 1 :]]))
            if end[axis] > cut:
                stack.append(
                    (right, [*start[:axis], max(start[axis], cut), *start[axis + 1 :]], end)
                )
        else:
            branch = int(tree.branch(np.array([node]), row[[feature]])[0])
            if branch < 0 or tree.children[node, branch] < 0:
                return None
            stack.append((tree.children[node, branch], start, end))
    return found


def _pair(table, features):
    """Return the positions of the two features."""
    d, columns = table.shape[1], list(table.columns)
    if features is None:
        if d != 2:
            raise ValueError(
                f"plot_regions: X has {d} features; choose two of them with features=(…, …)"
            )
        features = (0, 1)
    features = list(features)
    if len(features) != 2:
        raise ValueError(f"plot_regions: features holds {len(features)} entries, expected two")
    pair = []
    for feature in features:
        if feature in columns:
            pair.append(columns.index(feature))
        elif isinstance(feature, int | np.integer) and 0 <= feature < d:
            pair.append(int(feature))
        else:
            raise ValueError(f"plot_regions: no feature {feature!r}; there are {columns}")
        if not pd.api.types.is_numeric_dtype(table.dtypes.iloc[pair[-1]]):
            raise ValueError(f"plot_regions: feature {feature!r} holds no numbers; choose another")
    return pair


def _typical(table):
    """Return a table of one row: the median of each column, or its most frequent value."""
    row = {}
    for name, column in table.items():
        numeric = pd.api.types.is_numeric_dtype(column.dtype)
        value = column.median() if numeric else column.mode().iloc[0]
        row[name] = pd.Series([value], dtype=None if numeric else column.dtype)
    return pd.DataFrame(row)


def _asked(model, X, typical, pair, across, up):
    """Return the answers of a model at the points of a grid."""
    table = typical.iloc[np.zeros(across.size, dtype=int)].reset_index(drop=True)
    for j, values in zip(pair, (across, up), strict=True):
        table[typical.columns[j]] = values.ravel()
    answer = model.predict(table if isinstance(X, pd.DataFrame) else table.to_numpy())
    return np.reshape(answer, across.shape)


def _draw_classes(axes, regions, grid, answer, points, y, classes, cuts):
    """Fill the regions of each class and draw its points; return the handles of a legend."""
    handles, lines = [], {"lw": 0.8 if cuts else 0, "aa": cuts}
    for k, label in enumerate(classes):
        color, hatch, marker = marks(k)
        pale = tuple(0.3 * np.array(to_rgb(color)) + 0.7)
        look = {"fc": pale, "ec": "white", "hatch": hatch[:2], "zorder": 0.5, **lines}
        if answer is None:
            for x0, y0, x1, y1, said in regions:
                if said == label:
                    axes.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, **look))
        elif (answer == label).any():
            filled = axes.contourf(
                *grid, answer == label, levels=[0.5, 1.5], colors=[pale], hatches=[hatch[:2]],
                zorder=0.5,
            )  # fmt: skip
            filled.set(edgecolor="white", linewidth=0)
        dots = axes.scatter(
            *points[y == label].T, s=30, marker=marker, color=color, ec="white", lw=0.7, zorder=3,
            label=str(label),
        )  # fmt: skip
        handles.append((Patch(**look), dots))
    return handles


def _draw_values(axes, regions, grid, answer, points, y, cuts):
    """Fill the regions of a regression model by value and draw the points, which it returns."""
    known = answer if regions is None else [value for *_, value in regions]
    norm = plt.Normalize(min(np.min(known), y.min()), max(np.max(known), y.max()))
    colors = plt.colormaps["viridis"]
    if answer is None:
        lines = {"ec": "white", "lw": 0.8} if cuts else {"lw": 0, "aa": False}
        for x0, y0, x1, y1, value in regions:
            axes.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, fc=colors(norm(value)), **lines))
    else:
        axes.pcolormesh(*grid, answer, norm=norm, cmap=colors, rasterized=True)
    return axes.scatter(*points.T, c=y, norm=norm, cmap=colors, ec="white", lw=0.9, s=34, zorder=3)


def plot_impurities(axes=None):
    """Draw the impurities of a node of two classes against the share p of the first.

    Entropy, in bits, is halved: then all three are 0 for a pure node and ½ at p = ½.
    """
    p = np.linspace(0, 1, 201)
    both = np.column_stack([p, 1 - p])
    if axes is None:
        axes = plt.subplots()[1]
    # name, curve, line style, where its label stands, the point on the curve it belongs to
    curves = [
        ("half the entropy (bits)", [entropy(row) / 2 for row in both], "-", (0.02, 0.535), 0.24),
        ("Gini impurity", gini(both), "--", (0.73, 0.535), 0.75),
        ("misclassification", misclassification(both), "-.", (0.42, 0.2), 0.3),
    ]
    for k, (name, curve, style, place, share) in enumerate(curves):
        axes.plot(p, curve, ls=style, color=marks(k)[0], label=name)
        spot = (share, float(np.interp(share, p, curve)))
        axes.annotate(
            name, spot, place, va="center", arrowprops={"arrowstyle": "-", "color": GRAY, "lw": 0.9}
        )
    axes.set(xlabel="share p of the first class", ylabel="impurity", xlim=(0, 1), ylim=(0, 0.57))
    return axes
