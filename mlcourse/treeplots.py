"""What does a tree look like? Its questions from top to bottom, each with the cases it sorts.

Lecture 02. ``plot_tree`` draws a tree: children below their parents, side by side and never on
top of one another. Given the training table, every question shows how its feature is distributed
among the cases that reach it and where it cuts; every leaf shows its classes, its size and how
pure it is. A class is told by color, by hatch and by name. For the tree in words see ``describe``.
"""

import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.patches import FancyBboxPatch, Rectangle

from mlcourse.charts import Chart, Pen
from mlcourse.columns import _encode
from mlcourse.layout import (
    GAP,
    GRAY,
    INK,
    PAD,
    PALE,
    PIE,
    PLOT,
    SMALL,
    TEXT,
    TITLE,
    marks,
    tall,
    tidy,
    wide,
)
from mlcourse.words import answers, cases, clipped, number, shown, tree_of, wrapped

__all__ = []

WIDEST = 60  # inches; a wider figure is refused


def plot_tree(model, X=None, y=None, *, sample=None, max_depth=None, axes=None):
    """Draw a decision tree.

    Each inner node names the feature it asks for, each edge says which answer follows it: ≤ or >
    a threshold (< or ≥ if the tree is strict), or the categories of the branch. With ``X`` and
    ``y`` an inner node shows the histogram of its feature among the rows that reach it, stacked
    by class (regression: y against the feature, with the mean of each side), and a wedge where it
    splits; the area of a leaf's pie grows with its number of cases. Without them a thin bar shows
    the shares of the classes. A leaf says its answer, its size n and the share of its class
    (regression: its mean, and a bar one standard deviation to each side). Leaves always show the
    cases from which the tree was grown; a row of X with a missing value stops at the question.

    Parameters
    ----------
    model : a fitted tree model, or its ``tree_``
    X, y : the table and the target of the fit; give both or none
    sample : one row of X (such as ``X.iloc[0]``); its path gets thick lines, and diamonds
        mark its values
    max_depth : draw so many levels of questions; what is cut off is counted with "…"
    axes : where to draw; by default on a new figure that grows with the tree

    Returns
    -------
    The axes; ``show(axes.figure, caption)`` shows them.
    """
    tree = tree_of("plot_tree", model)
    if (X is None) != (y is None):
        raise ValueError("plot_tree: give both X and y, or none of them")
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"plot_tree: max_depth is {max_depth}, expected None or a number ≥ 0")
    values = target = row = None
    if X is not None:
        values = _table("X", tree, X)
        target = _target(tree, y, values.shape[1])
    if sample is not None:
        row = _row(tree, sample, X)
    picture = Picture(tree, values, target, row, max_depth)
    if picture.size[0] > WIDEST and axes is None:
        raise ValueError(
            f"plot_tree: the picture would be {picture.size[0]:.0f} inches wide; draw the top of "
            "the tree with max_depth=4, or prune it"
        )
    if axes is None:
        figure = plt.figure(figsize=picture.size, layout="none")
        axes = figure.add_axes((0, 0, 1, 1))
    picture.draw(axes)
    return axes


# What was given --------------------------------------------------------------------------------


def _table(what, tree, X):
    """Return the (d, n) array of a table, as the tree was grown on it."""
    d = len(tree.names)
    if isinstance(X, pd.DataFrame):
        if set(tree.names) <= set(X.columns):
            X = X[list(tree.names)]
    elif any(index is not None for index in tree.categories):
        raise ValueError(f"plot_tree: {what} must be a DataFrame, for the tree asks for categories")
    else:
        X = pd.DataFrame(np.asarray(X))
    if X.shape[1] != d:
        raise ValueError(
            f"plot_tree: {what} has {X.shape[1]} columns, expected {d}: {', '.join(tree.names)}"
        )
    return _encode("plot_tree", X, tree.categories)


def _row(tree, sample, X):
    """Return one row as the tree sees it, shape (d,)."""
    if isinstance(sample, pd.DataFrame):
        if len(sample) != 1:
            raise ValueError(f"plot_tree: sample has {len(sample)} rows, expected one")
        return _table("sample", tree, sample)[:, 0]
    if isinstance(sample, dict):
        sample = pd.Series(sample, dtype=object)
    if isinstance(sample, pd.Series) and set(tree.names) <= set(sample.index):
        sample = sample[list(tree.names)]
    cells = list(sample)
    if len(cells) != len(tree.names):
        raise ValueError(
            f"plot_tree: sample has {len(cells)} values, expected {len(tree.names)}: "
            f"{', '.join(tree.names)}"
        )
    frame = pd.DataFrame([cells], columns=list(tree.names)).infer_objects()
    for name, categories in zip(tree.names, tree.categories, strict=True):
        ordered = isinstance(X, pd.DataFrame) and name in X and categories is None
        if ordered and isinstance(X[name].dtype, pd.CategoricalDtype):  # its type knows the order
            frame[name] = frame[name].astype(X[name].dtype)
    return _encode("plot_tree", frame, tree.categories)[:, 0]


def _target(tree, y, n):
    """Return y as numbers: class codes, or in regression the values."""
    y = np.asarray(y)
    if y.shape != (n,):
        raise ValueError(f"plot_tree: X has {n} rows but y has shape {y.shape}")
    if tree.classes is None:
        return y.astype(float)
    codes = pd.Index(list(tree.classes), dtype=object).get_indexer(y.astype(object))
    if (codes < 0).any():
        label = y[codes < 0][0]
        raise ValueError(
            f"plot_tree: y holds {label!r}, but the tree knows {', '.join(map(str, tree.classes))}"
        )
    return codes


# The picture -----------------------------------------------------------------------------------


class Picture:
    """A tree on paper: everything is placed in inches, then drawn on axes of any size."""

    def __init__(self, tree, values, target, row, max_depth):
        self.tree, self.values, self.target, self.row = tree, values, target, row
        depths, most = tree.depths, np.inf if max_depth is None else max_depth
        self.nodes = np.flatnonzero(depths <= most).tolist()  # those in the picture
        self.asks = {node: tree.feature[node] >= 0 and depths[node] < most for node in self.nodes}
        self.children = {
            node: [c for c in tree.children[node].tolist() if c >= 0] if self.asks[node] else []
            for node in self.nodes
        }
        self.path = [] if row is None else [n for n in tree.path(row) if depths[n] <= most]
        self.rows = self._rows()
        self.edge = {0: []}  # node → lines of the label above it
        for node in self.nodes:
            for branch, child in enumerate(tree.children[node].tolist()):
                if child in self.asks:
                    width = 18 if self.asks[child] else 12
                    self.edge[child] = answers(tree, node, branch, width)
        self.lines = {node: self._lines(node) for node in self.nodes}
        self._place(depths)

    def _rows(self):
        """Return the rows of the table that reach each node."""
        if self.values is None:
            return {}
        rows = {0: np.arange(self.values.shape[1])}
        for node in self.nodes:  # preorder: the parent comes first
            mine = rows[node]
            if self.asks[node]:
                seen = self.values[self.tree.feature[node], mine]
                taken = self.tree.branch(np.full(len(mine), node), seen)
                for branch, child in enumerate(self.tree.children[node].tolist()):
                    if child >= 0:
                        rows[child] = mine[taken == branch]
        return rows

    def _lines(self, node):
        """Return the text of a node: a list of (text, size, bold)."""
        tree, n = self.tree, f"n = {cases(self.tree, node)}"
        if self.asks[node]:
            if node in self.path:
                value = shown(tree, tree.feature[node], self.row[tree.feature[node]])
                n = f"{n}   ◆ {clipped(value, 14)}"
            name = tree.names[tree.feature[node]]
            words = [word for word in re.split(r"(?<=[_ .])", name) if word]
            title = wrapped(words, 17, 2) or [clipped(name, 17)]
            lines = [(line, TITLE, True) for line in title]
            if self.values is None and tree.classes is None:
                lines.append((f"mean {number(tree.value[node, 0])}", TEXT, False))
            return [*lines, (n, SMALL, node in self.path)]
        if tree.classes is None:
            lines = [(number(tree.value[node, 0]), TITLE, True), (n, TEXT, False)]
        else:
            share = tree.value[node].max() / (tree.value[node].sum() or 1.0)
            lines = [(clipped(tree.answer(node), 14), TITLE, True), (n, TEXT, False)]
            lines.append(
                (f"{share:.0%}", TEXT, False) if tree.count[node] else ("empty", TEXT, False)
            )
        if tree.feature[node] >= 0:
            below = int(tree.is_leaf[tree.below(node)].sum())
            lines.append((f"… {below} leaves", SMALL, False))
        return lines

    def _place(self, depths):
        """Find the size of every box and where it stands; set ``box`` and ``size``."""
        charts = self.values is not None
        inner = (PLOT[0], PLOT[1] + tall(SMALL) + 0.06) if charts else (0.7, 0.12)
        leaf = (2 * PIE, 2 * PIE + 0.03) if charts and self.tree.classes else (0.5, 0.16)
        width, self.label, self.body = {}, {}, {}
        for node in self.nodes:
            chart = inner if self.asks[node] else leaf
            texts = [wide(text, size, bold) for text, size, bold in self.lines[node]]
            label = [wide(text, TEXT, True) for text in self.edge[node]]
            width[node] = max([chart[0] + 2 * PAD, *(text + 2 * PAD for text in texts), *label])
            self.label[node] = tall(TEXT, len(self.edge[node])) + 0.04 * bool(label)
            self.body[node] = chart[1] + sum(tall(s) for _, s, _ in self.lines[node]) + 2 * PAD
        across = tidy(self.children, width)
        self.legend = self._legend(max(4.0, max(across[n] + width[n] / 2 for n in self.nodes)))
        top, self.box, self.bottom = 0.12 + tall(TITLE, len(self.legend)), {}, {}
        for depth in range(max(depths[self.nodes]) + 1):
            level = [node for node in self.nodes if depths[node] == depth]
            label = max(self.label[node] for node in level)
            for node in level:  # left, right, top of the label, top of the body, bottom
                body = top + label
                left, right = across[node] - width[node] / 2, across[node] + width[node] / 2
                self.box[node] = (
                    left,
                    right,
                    body - self.label[node],
                    body,
                    body + self.body[node],
                )
            top = max(self.box[node][4] for node in level) + GAP
            self.bottom |= dict.fromkeys(level, top - GAP)
        right = max(box[1] for box in self.box.values())
        wanted = max([right, *(x for row in self.legend for *_, x in row)])
        shift = (wanted - right) / 2 + 0.1
        self.box = {n: (b[0] + shift, b[1] + shift, *b[2:]) for n, b in self.box.items()}
        self.size = (wanted + 0.2, top - GAP + 0.1)

    def _legend(self, width):
        """Set the legend in rows: lists of (kind, text, left, right)."""
        kinds, charts = list(enumerate(self.tree.classes or [])), self.values is not None
        kinds += [("split", "split")] * charts
        if self.tree.classes is None:
            kinds += [("mean", "mean of a branch")] * charts
            kinds.append(("spread", "mean ± standard deviation"))
        if self.path:
            kinds += [("path", "path of the sample"), ("value", "its value")]
        rows, x = [[]], 0.1
        for kind, text in kinds:
            space = 0.34 + wide(str(text), TITLE)
            if rows[-1] and x + space > width:
                rows, x = [*rows, []], 0.1
            rows[-1].append((kind, str(text), x, x + space))
            x += space + 0.16
        return rows

    # Drawing: y grows downward, in inches --------------------------------------------------------

    def draw(self, axes):
        """Draw everything; letters and lines shrink if the axes are smaller than the picture."""
        axes.set(xlim=(0, self.size[0]), ylim=(self.size[1], 0), aspect="equal", anchor="N")
        axes.set_axis_off()
        extent = axes.get_window_extent()
        room = np.array([extent.width, extent.height]) / axes.figure.dpi
        self.pen = Pen(axes, min(1.0, *(room / self.size)))
        self._draw_legend()
        for node in self.nodes:
            for child in self.children[node]:
                self._draw_edge(node, child)
        for node in self.nodes:
            self._draw_node(node)

    def _draw_legend(self):
        for row, entries in enumerate(self.legend):
            y = 0.06 + tall(TITLE, row + 0.5)
            for kind, text, left, _ in entries:
                if kind == "split":
                    self.pen.wedge(left + 0.14, y - 0.05)
                elif kind == "path":
                    self.pen.line((left, left + 0.22), (y, y), 3, color=INK)
                elif kind == "value":
                    self.pen.diamond(left + 0.14, y)
                elif kind == "mean":
                    self.pen.line((left, left + 0.22), (y, y), 2.2, color=marks(1)[0])
                elif kind == "spread":
                    self.pen.spread(left + 0.02, left + 0.22, left + 0.12, y)
                else:
                    self.pen.patch(Rectangle((left + 0.02, y - 0.05), 0.22, 0.1), kind)
                self.pen.text(left + 0.3, y, text, TITLE, ha="left")

    def _draw_edge(self, node, child):
        """Draw an edge, down through the label of the child to its box."""
        x, below = (sum(self.box[n][:2]) / 2 for n in (node, child))
        _, _, top, body, _ = self.box[child]
        on = node in self.path and child in self.path
        self.pen.line(
            (x, x, below, below), (self.box[node][4], self.bottom[node] + 0.04, top - 0.02, body),
            3 if on else 0.9, color=INK if on else GRAY, zorder=2 if on else 1,
            gid=f"edge {node} {child}",
        )  # fmt: skip
        back = {"fc": "white", "ec": "none", "pad": 0.8 * self.pen.scale}
        self.pen.text(
            below, (top + body) / 2, "\n".join(self.edge[child]), bold=on, bbox=back,
            linespacing=1.15, gid=f"label {child}", zorder=4,
        )  # fmt: skip

    def _draw_node(self, node):
        left, right, _, top, bottom = self.box[node]
        on, asks = node in self.path, self.asks[node]
        frame = FancyBboxPatch(
            (left, top), right - left, bottom - top, boxstyle="round,pad=0,rounding_size=0.05"
        )
        edge = INK if on else ("#bbbbbb" if asks else "none")
        self.pen.patch(
            frame, fc=PALE if asks else "white", ec=edge, lw=(2.2 if on else 0.8) * self.pen.scale,
            zorder=3, gid=f"node {node}",
        )  # fmt: skip
        middle, y = (left + right) / 2, top + PAD
        pie = not asks and self.values is not None and self.tree.classes is not None
        if pie:
            self.pen.pie(self.tree, node, middle, y + PIE)
            y += 2 * PIE + 0.03
        for text, size, bold in self.lines[node]:
            self.pen.text(
                middle, y + tall(size) / 2, text, size, bold, gid=f"text {node}",
                color=INK if bold else "#444444",
            )  # fmt: skip
            y += tall(size)
        if asks and self.values is not None:
            self._draw_chart(node, middle - PLOT[0] / 2, y + 0.02 + PLOT[1])
        elif not pie:
            bar = self.pen.mean if self.tree.classes is None else self.pen.shares
            bar(self.tree, node, left + PAD, right - PAD, y + 0.08)

    def _draw_chart(self, node, left, base):
        rows, feature = self.rows[node], self.tree.feature[node]
        span = (self.target.min(), self.target.max())
        sample = self.row[feature] if node in self.path else None
        chart = Chart(self.tree, node, self.values[feature, rows], self.target[rows], span, sample)
        chart.draw(self.pen, left, base)
