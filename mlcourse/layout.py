"""How is a tree set on a page? How a class looks, how wide a text is, where every node stands.

Lecture 02. ``tidy`` places the nodes of a tree: children below their parents, side by side, and
no two on top of one another.
"""

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

__all__ = []

# Okabe and Ito's colors. The number of hatches and of markers differs, so no two of the first
# 42 classes look the same, even without color.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
HATCHES = ("", "/////", ".....", "xxxxx", "-----", r"\\\\\ ".strip(), "+++++")
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")
INK, GRAY, PALE = "#222222", "#777777", "#f7f7f7"
TITLE, TEXT, SMALL = 8.0, 7.0, 6.2  # sizes of letters, in points
PLOT, PIE = (1.0, 0.44), 0.21  # inches: a histogram's size, the largest pie's radius
PAD, GAP = 0.05, 0.3  # inches: inside a box, between levels


def marks(k):
    """Return how class number k is drawn: color, hatch, marker."""
    return COLORS[k % len(COLORS)], HATCHES[k % len(HATCHES)], MARKERS[k % len(MARKERS)]


def wide(text, size, bold=False):
    """Return the width of a text in inches."""
    font = FontProperties(size=size, weight="bold" if bold else "normal")
    return text_to_path.get_text_width_height_descent(text, font, ismath=False)[0] / 72


def tall(size, lines=1):
    """Return the height of lines of text in inches."""
    return lines * size * 1.3 / 72


def tidy(children, width):
    """Return the x of every node: as narrow as can be, parents above the middle of their children.

    ``children`` maps a node to the list of its children, ``width`` a node to its width. A subtree
    is known by its outline: at each depth, how far it reaches to the left and to the right.
    Brothers are pushed together until their outlines touch, once from the left and once from the
    right, and stand in between (Reingold and Tilford 1981; Kennedy 1996).
    """

    def pushed(outlines):
        """Return how far each outline is moved to stand right of those before it."""
        edge, places = [], []
        for outline in outlines:
            reach = [e - left for e, (left, _) in zip(edge, outline, strict=False)]
            gaps = [0.06 if depth == 0 else 0.12 for depth in range(len(reach))]
            places.append(max((r + g for r, g in zip(reach, gaps, strict=True)), default=0.0))
            edge = [places[-1] + right for _, right in outline] + edge[len(outline) :]
        return np.array(places)

    def place(node):
        """Return the positions of a subtree and its outline, the node itself standing at 0."""
        half, below = width[node] / 2, [place(child) for child in children[node]]
        if not below:
            return {node: 0.0}, [(-half, half)]
        outlines = [outline for _, outline in below]
        mirrored = [[(-right, -left) for left, right in outline] for outline in outlines[::-1]]
        first, second = pushed(outlines), -pushed(mirrored)[::-1]
        shift = (first - first[[0, -1]].mean() + second - second[[0, -1]].mean()) / 2
        where, reach = {node: 0.0}, [(-half, half)]
        for move, (places, outline) in zip(shift, below, strict=True):
            where |= {child: x + move for child, x in places.items()}
            for depth, (left, right) in enumerate(outline, start=1):
                if depth == len(reach):
                    reach.append((left + move, right + move))
                low, high = reach[depth]
                reach[depth] = (min(low, left + move), max(high, right + move))
        return where, reach

    where, reach = place(0)
    start = -min(left for left, _ in reach)
    return {node: x + start for node, x in where.items()}
