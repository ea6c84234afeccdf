"""What do the pictures of ensembles share? Checked examples, a grid, regions, points, a legend.

Lectures 05 to 08. A class is told by color, by hatch (its region) and by marker (its examples); a
ring marks an example that is classified wrongly.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from mlcourse.layout import INK, marks, wide

__all__ = []

WIDTH = 7.6  # inches: figures of several panels
STYLES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)))  # of lines, as in course.mplstyle


def checked(name, X, y, classes):
    """Return X as a table of one or two features, and y: codes of classes, or numbers (None)."""
    table = X
    if not isinstance(X, pd.DataFrame):
        array = np.asarray(X)
        if array.ndim != 2:
            raise ValueError(f"{name}: X has shape {array.shape}, expected a table (n, d)")
        table = pd.DataFrame(array).add_prefix("x")
        table.columns = ["x"] if table.shape[1] == 1 else table.columns
    if table.shape[1] not in (1, 2):
        raise ValueError(
            f"{name}: X has {table.shape[1]} features; a picture has room for one or two, so fit "
            "a model to two columns"
        )
    y = np.asarray(y)
    if y.shape != (len(table),):
        raise ValueError(f"{name}: X has {len(table)} rows but y has shape {y.shape}")
    numeric = all(map(pd.api.types.is_numeric_dtype, table.dtypes))
    if not len(table) or not numeric or not np.isfinite(table.to_numpy(dtype=float)).all():
        raise ValueError(f"{name}: X must hold numbers only, without gaps")
    return table, y.astype(float) if classes is None else codes_of(name, classes, y)


def codes_of(name, classes, labels):
    """Return the position of each label among the classes."""
    labels = np.asarray(labels)
    codes = pd.Index(np.asarray(classes)).get_indexer(labels)
    if (codes < 0).any():
        known = ", ".join(map(str, classes))
        raise ValueError(f"{name}: label {str(labels[codes < 0][0])!r} is none of {known}")
    return codes


def panels_of(name, axes, count, size, across=None):
    """Return a figure and its panels: those given, or new ones, ``across`` in a row."""
    if axes is None:
        across = across or count
        figure, panels = plt.subplots(
            -(-count // across), across, figsize=size, squeeze=False, layout="constrained"
        )
        for spare in panels.flat[count:]:
            spare.remove()
        return figure, list(panels.flat[:count])
    panels = list(np.ravel(axes))
    if len(panels) != count:
        raise ValueError(f"{name}: {len(panels)} axes are given, expected {count}")
    return panels[0].figure, panels


def grid_of(X, table, resolution):
    """Return the values along each feature, and the table of all their combinations."""
    points = table.to_numpy(dtype=float)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.06 * np.where(high > low, high - low, 1.0)
    grid = [np.linspace(a, b, resolution) for a, b in zip(low - margin, high + margin, strict=True)]
    asked = np.column_stack([values.ravel() for values in np.meshgrid(*grid)])
    return grid, pd.DataFrame(asked, columns=table.columns) if X is table else asked


def look(k):
    """Return the fill and the hatch of a region of class k."""
    color, hatch, _ = marks(k)
    return tuple(0.3 * np.array(to_rgb(color)) + 0.7), hatch[:2]


def fill_plane(axes, grid, codes, border=False):
    """Fill the regions of the classes over two features; draw the lines between them."""
    codes = codes.reshape(len(grid[1]), len(grid[0]))
    for k in np.unique(codes):
        pale, hatch = look(k)
        region = axes.contourf(
            *grid, codes == k, levels=[0.5, 1.5], colors=[pale], hatches=[hatch], zorder=0.5
        )
        region.set(edgecolor="white", linewidth=0, gid=f"region {k}")
        if border and (codes != k).any():
            line = axes.contour(*grid, codes == k, levels=[0.5], colors=[INK], linewidths=1.4)
            line.set(zorder=1, gid="border")


def fill_line(axes, x, codes):
    """Fill the regions of the classes over one feature; draw a line between two of them."""
    cuts = np.flatnonzero(np.diff(codes)) + 1
    middles = (x[cuts - 1] + x[cuts]) / 2
    ends = zip([x[0], *middles], [*middles, x[-1]], codes[[0, *cuts]], strict=True)
    for start, end, k in ends:
        pale, hatch = look(k)
        axes.axvspan(
            start, end, fc=pale, ec="white", hatch=hatch, lw=0, zorder=0.5, gid=f"region {k}"
        )
    for middle in middles:
        axes.axvline(middle, color=INK, lw=1.4, ls="-", zorder=1, gid="border")


def draw_points(axes, points, codes, areas, wrong, n_classes):
    """Draw the examples (n, 2) of each class, and a ring around each wrong one."""
    for k in range(n_classes):
        color, _, marker = marks(k)
        mine = codes == k
        axes.scatter(
            *points[mine].T, s=areas[mine], marker=marker, color=color, ec="white",
            lw=np.where(areas[mine] > 14, 0.5, 0.0), zorder=3, gid=f"class {k}", clip_on=False,
        )  # fmt: skip
    axes.scatter(
        *points[wrong].T, s=(1.35 * np.sqrt(areas[wrong]) + 1.6) ** 2, marker="o", fc="none",
        ec=INK, lw=0.9, zorder=4, gid="wrong", clip_on=False,
    )  # fmt: skip


def class_handles(classes):
    """Return what stands in the legend for each class: its region and its marker."""
    handles = []
    for k, label in enumerate(classes):
        color, _, marker = marks(k)
        pale, hatch = look(k)
        dot = Line2D([], [], ls="", marker=marker, color=color, mec="white", ms=6)
        handles.append((Patch(fc=pale, ec="white", hatch=hatch, lw=0), dot, str(label)))
    ring = Line2D([], [], ls="", marker="o", mfc="none", mec=INK, ms=9, label="wrong")
    return [*handles, ring]


def legend_of(figure, last, axes, handles):
    """Write the legend below a figure of our own, or beside the last of the given axes."""
    labels = [h[-1] if isinstance(h, tuple) else h.get_label() for h in handles]
    handles = [h[:-1] if isinstance(h, tuple) else h for h in handles]
    if axes is None:
        room, columns = figure.get_size_inches()[0] - 0.3, len(labels)
        widest = max(wide(label, 9.5) for label in labels) + 0.62  # with its sign and a gap
        if sum(wide(label, 9.5) + 0.62 for label in labels) > room:
            columns = max(1, min(-(-len(labels) // 2), int(room / widest)))
        figure.legend(handles, labels, loc="outside lower center", ncols=columns, handleheight=1.1)
    else:
        last.legend(handles, labels, loc="upper left", bbox_to_anchor=(1, 1), handleheight=1.1)


def axes_of(axes, size=(7.2, 3.6)):
    """Return the given axes, or those of a new figure."""
    return plt.subplots(figsize=size, layout="constrained")[1] if axes is None else axes


def beside(axes, **options):
    """Write the legend of the axes at their right."""
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), **options)
