"""What stands inside a node of a drawn tree? The cases it sorts, in a chart the size of a stamp.

Lecture 02. Everything is drawn in inches, y growing downward, on the axes that hold the tree:
a histogram or a scatter of the feature asked for, the pie of a leaf, a bar of class shares, and
in regression a leaf's mean with one standard deviation to each side.
"""

from itertools import pairwise

import numpy as np
from matplotlib.patches import Circle, Polygon, Rectangle, Wedge

from mlcourse.layout import GRAY, INK, PIE, PLOT, SMALL, TEXT, marks, tall, wide
from mlcourse.words import number

__all__ = []

BINS, MOST = 14, 18  # bins of a histogram; bars, if every value gets its own


class Pen:
    """Draws in inches on axes; letters and lines are ``scale`` times their size."""

    def __init__(self, axes, scale):
        self.axes, self.scale = axes, scale

    def text(self, x, y, text, size=TEXT, bold=False, **options):
        """Write a text whose middle is at (x, y)."""
        options = {"ha": "center", "va": "center", "color": INK, "zorder": 5} | options
        weight = "bold" if bold else "normal"
        self.axes.text(
            x, y, text, fontsize=size * self.scale, weight=weight, parse_math=False, **options
        )

    def line(self, x, y, width=0.8, **options):
        """Draw a line."""
        options = {"color": GRAY, "ls": "-", "solid_capstyle": "round"} | options
        self.axes.plot(x, y, lw=width * self.scale, **options)

    def patch(self, shape, k=None, **options):
        """Add a shape; that of class k gets the class's color and hatch."""
        if k is not None:
            color, hatch, _ = marks(k)
            options = {"fc": color, "ec": "white", "hatch": hatch, "lw": 0.4} | options
        shape.set(**options)
        self.axes.add_patch(shape)

    def wedge(self, x, y, size=0.042):
        """Draw the sign of a split: a wedge whose tip is at (x, y)."""
        corners = [(x, y), (x - size, y + 2 * size), (x + size, y + 2 * size)]
        self.patch(Polygon(corners), fc=INK, ec=INK, lw=0.3, zorder=6)

    def diamond(self, x, y, **options):
        """Draw the sign of the sample's value."""
        self.axes.plot(
            x, y, "D", ms=5.5 * self.scale, mfc="#F0E442", mec=INK, mew=1.1 * self.scale,
            ls="", zorder=7, **options,
        )  # fmt: skip

    def pie(self, tree, node, x, y):
        """Draw a leaf's classes; the area grows with its cases, up to the largest leaf's."""
        if tree.weight[node] <= 0:  # an empty branch
            return self.patch(Circle((x, y), 0.4 * PIE), fc="none", ec=GRAY, ls=":", zorder=4)
        largest = tree.weight[tree.is_leaf].max()
        radius = PIE * np.clip(np.sqrt(tree.weight[node] / largest), 0.35, 1.0)
        ends = np.append(0.0, np.cumsum(tree.value[node]) / tree.value[node].sum())
        for k, (start, end) in enumerate(pairwise(270 + 360 * ends)):
            if end - start > 359.9:
                self.patch(Circle((x, y), radius), k, zorder=4)
            elif end > start:
                self.patch(Wedge((x, y), radius, start, end), k, zorder=4)

    def shares(self, tree, node, left, right, y):
        """Draw the class shares as a bar, thicker for more cases."""
        height = 0.04 + 0.08 * np.sqrt(tree.weight[node] / tree.weight[0])
        value = tree.value[node] / (tree.value[node].sum() or 1.0)
        ends = left + (right - left) * np.append(0.0, np.cumsum(value))
        for k, (start, end) in enumerate(pairwise(ends)):
            if end > start:
                self.patch(Rectangle((start, y - height / 2), end - start, height), k, zorder=4)

    def mean(self, tree, node, left, right, y):
        """Draw a mean and one standard deviation to each side, on the scale of all nodes."""
        spread = np.sqrt(np.maximum(tree.impurity, 0))
        low, high = (tree.value[:, 0] - spread).min(), (tree.value[:, 0] + spread).max()
        scale = (right - left) / ((high - low) or 1.0)
        middle = left + scale * (tree.value[node, 0] - low)
        reach = scale * spread[node]
        self.line((left, right), (y, y), 0.6, color="#bbbbbb", zorder=4)
        self.spread(middle - reach, middle + reach, middle, y)

    def spread(self, left, right, middle, y):
        """Draw a bar with a mark: a mean, and how far the values spread around it."""
        self.line((left, right), (y, y), 3, color=marks(0)[0], zorder=4, solid_capstyle="butt")
        self.line((middle, middle), (y - 0.05, y + 0.05), 1.4, color=INK, zorder=5)


class Chart:
    """The chart of one question: its feature among the rows that reach it.

    The feature is laid along an axis: numbers as they are; categories in slots, one after the
    other, those of a branch together.
    """

    def __init__(self, tree, node, values, target, span, sample=None):
        feature = tree.feature[node]
        known = ~np.isnan(values)
        values, self.target, self.span = values[known], target[known], span
        self.sample = sample if sample is not None and not np.isnan(sample) else None
        self.n_classes, self.strict = len(tree.classes or ()), tree.strict
        self.categories = tree.categories[feature]
        if self.categories is None:
            self._lay_numbers(tree.threshold[node], values)
        else:
            self._lay_categories(tree.branches[node, : len(self.categories)], values)

    def _lay_numbers(self, threshold, values):
        self.at, self.cuts = values, [threshold]
        self.low = min(values.min(initial=threshold), threshold)
        self.high = max(values.max(initial=threshold), threshold)
        reach = (self.high - self.low) or 1.0
        self.ends = (number(self.low), number(self.high))
        distinct = np.unique(values)
        gap = np.diff(distinct).min(initial=reach)
        if gap * MOST >= reach:  # few values: a bar for each
            self.wide = 0.8 * min(gap, reach / 3)
            self.bars, self.bin = distinct, np.searchsorted(distinct, values)
        else:  # bins that end at the threshold, so that no bar stands on both sides
            self.wide = reach / BINS
            if (values == np.round(values)).all():  # whole numbers: as many in every bin
                self.wide = np.ceil(self.wide)
            first = threshold - self.wide * np.ceil((threshold - self.low) / self.wide)
            edges = np.arange(first, self.high + self.wide, self.wide)
            edges[np.abs(edges - threshold).argmin()] = threshold
            side = "right" if self.strict else "left"
            self.bin = np.clip(np.searchsorted(edges, values, side) - 1, 0, len(edges) - 2)
            self.bars = (edges[:-1] + edges[1:]) / 2
        self.low = min(self.low, self.bars.min(initial=self.low) - self.wide / 2)
        self.high = max(self.high, self.bars.max(initial=self.high) + self.wide / 2)
        if self.low == self.high:  # no rows
            self.low, self.high = threshold - 1, threshold + 1
        self.groups = [(self.low, threshold), (threshold, self.high)]
        self.side = (values >= threshold) if self.strict else (values > threshold)
        self.mark = self.sample

    def _lay_categories(self, branches, values):
        codes = values.astype(int)
        shown = np.flatnonzero((branches >= 0) | np.isin(np.arange(len(branches)), codes))
        slot = np.full(len(branches), -1)
        shown = shown[
            np.lexsort((shown, np.where(branches[shown] < 0, len(slot), branches[shown])))
        ]
        slot[shown] = np.arange(len(shown))
        self.low, self.high, self.wide = 0.0, float(len(shown)), 0.8
        self.bars, self.bin = np.arange(len(shown)) + 0.5, slot[codes]
        self.at = self.bin + 0.5
        starts = np.flatnonzero(np.diff(branches[shown], prepend=-2))
        self.groups = list(pairwise([*starts.tolist(), len(shown)]))
        self.side = np.searchsorted(starts, self.bin, side="right") - 1
        self.cuts = starts[1:2].tolist() if branches.max(initial=-1) == 1 else []
        self.labels, self.ends = [str(self.categories[code]) for code in shown], None
        place = -1 if self.sample is None else slot[int(self.sample)]
        self.mark = place + 0.5 if place >= 0 else None

    def draw(self, pen, left, base):
        """Draw the chart with the left end of its axis at (left, base)."""
        width, height = PLOT
        self.x = lambda value: left + width * (value - self.low) / (self.high - self.low)
        if self.n_classes:
            self._draw_bars(pen, base, height, width / (self.high - self.low))
        else:
            self._draw_dots(pen, base, height)
        pen.line((left, left + width), (base, base), 0.8, color=INK, zorder=5)
        for cut in map(self.x, self.cuts):
            pen.line((cut, cut), (base - height, base), 0.9, color=INK, ls="--", zorder=6)
            pen.wedge(cut, base)
        self._draw_ticks(pen, left, base + 0.02 + tall(SMALL) / 2)
        if self.mark is not None:
            pen.diamond(self.x(np.clip(self.mark, self.low, self.high)), base)

    def _draw_bars(self, pen, base, height, inch):
        counts = np.zeros((self.n_classes, len(self.bars)))
        np.add.at(counts, (self.target, self.bin), 1)
        counts *= height / max(counts.sum(axis=0).max(initial=0), 1)
        foot = np.cumsum(counts, axis=0) - counts
        wide = self.wide * inch
        for k, i in zip(*np.nonzero(counts), strict=True):
            corner = (self.x(self.bars[i]) - wide / 2, base - foot[k, i] - counts[k, i])
            pen.patch(Rectangle(corner, wide, counts[k, i]), int(k), zorder=4)

    def _draw_dots(self, pen, base, height):
        low, high = self.span
        rise = lambda y: base - height * (y - low) / ((high - low) or 1.0)  # noqa: E731
        some = np.linspace(0, len(self.at) - 1, min(len(self.at), 400)).astype(int)
        jitter = 0.0 if self.categories is None else 0.6 * ((some * 0.618034) % 1 - 0.5)
        pen.axes.plot(
            self.x(self.at[some] + jitter), rise(self.target[some]), marks(0)[2],
            ms=2 * pen.scale, mew=0, ls="", color=marks(0)[0], alpha=0.6, zorder=4,
        )  # fmt: skip
        for side, ends in enumerate(self.groups):
            mine = self.target[self.side == side]
            if len(mine):
                pen.line(
                    [self.x(end) for end in ends], [rise(mine.mean())] * 2, 2.2,
                    color=marks(1)[0], zorder=5, solid_capstyle="butt",
                )  # fmt: skip

    def _draw_ticks(self, pen, left, y):
        """Write the ends of the axis, or the categories if there is room for all of them."""
        width, style = PLOT[0], {"size": SMALL, "color": "#555555"}
        if self.ends is not None:
            cut = self.x(self.cuts[0])
            for x, text, side in zip(
                (left, left + width), self.ends, ("left", "right"), strict=True
            ):
                if abs(cut - x) > wide(text, SMALL) + 0.05:  # else the wedge stands there
                    pen.text(x, y, text, ha=side, **style)
            return
        room = width / len(self.labels) - (0.1 if self.cuts else 0.04)
        if all(wide(text, SMALL) < room for text in self.labels):
            for spot, text in zip(self.bars, self.labels, strict=True):
                pen.text(self.x(spot), y, text, **style)
