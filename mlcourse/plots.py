"""Figures of the course: one style, one way to show a picture, one way to move it.

A figure ends with ``show(fig, caption)``: the picture, with the caption as its alternative text,
and the caption below for every reader. ``figure_slider`` turns a function of one value into a
picture with a slider; it is plain HTML over finished pictures, so it works in JupyterLab, on a
web page and in slides, with no server behind it.
"""

import base64
import io
import json
from hashlib import sha256
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from PIL import Image

from mlcourse.curveplots import plot_bias_variance, plot_importances, plot_oob_curve
from mlcourse.ensembleplots import plot_boosting_round, plot_growing_regions
from mlcourse.layout import COLORS
from mlcourse.marginplots import plot_margins
from mlcourse.regions import plot_impurities, plot_regions
from mlcourse.treeplots import plot_tree
from mlcourse.words import describe

__all__ = [
    "describe", "figure_slider", "plot_bias_variance", "plot_boosting_round",
    "plot_growing_regions", "plot_importances", "plot_impurities", "plot_margins",
    "plot_oob_curve", "plot_regions", "plot_transport", "plot_tree", "show", "use_style",
]  # fmt: skip

STYLE = Path(__file__).with_name("course.mplstyle")
BLUE, ORANGE, GREEN, PURPLE = COLORS[:4]


def use_style():
    """Switch on the course's Matplotlib style (call it once, at the top of a notebook)."""
    plt.style.use(STYLE)


def _png(figure):
    """Render a figure; return its PNG bytes and its size on the page in CSS pixels."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    plt.close(figure)
    # A palette of 256 colors looks the same and takes a third of the space.
    image = Image.open(buffer).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small = io.BytesIO()
    image.save(small, format="png", optimize=True)
    width, height = (round(100 * inches) for inches in figure.get_size_inches())
    return small.getvalue(), {"width": width, "height": height}


def _publish(png, size, caption):
    """Send a picture and, below it, its caption to the notebook."""
    picture = base64.b64encode(png).decode("ascii")
    data = {"image/png": picture, "text/plain": f"[picture: {caption}]"}
    display(data, raw=True, metadata={"image/png": {"alt": caption, **size}})
    display({"text/markdown": f"*{caption}*", "text/plain": caption}, raw=True)


def _checked(caption):
    """Return the caption, or say what is wrong with it."""
    if not isinstance(caption, str) or not caption.strip():
        raise ValueError("a figure needs a caption: say chart type, what is plotted, what it shows")
    if "*" in caption or "_" in caption or "$" in caption:
        raise ValueError("a caption is plain text: no '*', '_' or '$'")
    return " ".join(caption.split())


def show(figure, caption):
    """Show a figure with its caption, and close it.

    The caption says chart type, what is plotted and what it shows, in plain text.
    """
    _publish(*_png(figure), _checked(caption))


_SLIDER = """\
<div id="{id}" style="max-width: {width}px">
<p>Run this cell to move the slider.</p>
<script>
(function () {{
  const box = document.getElementById("{id}");
  const labels = {labels};
  const frames = {frames};
  // The picture is the last one before this box: the output right above it.
  function picture() {{
    for (let node = box.parentNode; node; node = node.parentNode) {{
      const before = Array.from(node.querySelectorAll("img")).filter(
        (img) => img.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING);
      if (before.length) return before[before.length - 1];
    }}
  }}
  const label = document.createElement("label");
  label.style.cssText = "display: flex; gap: 1em; align-items: center; font: inherit";
  const value = document.createElement("output");
  value.style.cssText = "min-width: 9em; font-variant-numeric: tabular-nums";
  const slider = document.createElement("input");
  Object.assign(slider, {{type: "range", min: 0, max: frames.length - 1, step: 1, value: {start}}});
  slider.style.flex = "1";
  slider.setAttribute("aria-label", {name});
  slider.setAttribute("data-lm-suppress-shortcuts", "true");  // JupyterLab, leave me the arrow keys
  function update() {{
    value.textContent = labels[slider.value];
    slider.setAttribute("aria-valuetext", labels[slider.value]);
  }}
  slider.addEventListener("input", () => {{ picture().src = frames[slider.value]; update(); }});
  update();
  label.append(value, slider);
  box.replaceChildren(label);
}})();
</script>
</div>"""


def _script(value):
    """Write a value as JavaScript that may stand inside an HTML page."""
    return json.dumps(value).replace("<", "\\u003c")


def figure_slider(draw, values, caption, *, name="value", label="{name} = {value:.2f}", start=0):
    """Show a figure for each of ``values`` and a slider that moves through them.

    Parameters
    ----------
    draw : function of one value that returns a new figure; all figures have the same size
    values : what the slider runs over, in order
    caption : as for ``show``; it describes what happens when the slider moves
    name : what the slider changes, as read by a screen reader
    label : how the chosen value is written beside the slider
    start : position in ``values`` at which the slider stands first

    In a notebook that is not trusted, scripts do not run: the first picture stays, with the
    words "Run this cell to move the slider".
    """
    values = list(values)
    caption = _checked(caption)
    if not 0 <= start < len(values):
        raise ValueError(f"figure_slider: start is {start}, expected 0 to {len(values) - 1}")
    pictures = [_png(draw(value)) for value in values]
    sizes = {(size["width"], size["height"]) for _, size in pictures}
    if len(sizes) != 1:
        raise ValueError(f"figure_slider: the figures have different sizes: {sorted(sizes)}")
    frames = ["data:image/png;base64," + base64.b64encode(png).decode() for png, _ in pictures]
    html = _SLIDER.format(
        id="slider-" + sha256((caption + name).encode()).hexdigest()[:10],
        width=pictures[0][1]["width"],
        labels=_script([label.format(name=name, value=value) for value in values]),
        frames=_script(frames),
        name=_script(name),
        start=start,
    )
    _publish(*pictures[start], caption)
    text = f"slider over {len(values)} values of {name}"
    display({"text/html": html, "text/plain": text}, raw=True)


def plot_transport(p, q, plan, positions=None, *, labels=("P", "Q"), axes=None):
    """Draw a transport plan: which mass of P moves where to become Q.

    P stands upward in blue, Q hangs downward in orange and hatched, and every entry of ``plan``
    (shape (m, n), as ``optimal_transport`` returns it) is a band from P to Q whose width is the
    mass moved. Mass that stays where it is gives a gray band.

    Parameters
    ----------
    p, q : (m,) and (n,) probabilities
    positions : where the bars stand, shared by both; by default 0, 1, 2 …
    axes : where to draw; by default on a new figure
    """
    p, q, plan = (np.asarray(array, dtype=float) for array in (p, q, plan))
    if plan.shape != (p.size, q.size):
        raise ValueError(
            f"plot_transport: the plan has shape {plan.shape}, expected {(p.size, q.size)}"
        )
    positions = np.arange(max(p.size, q.size)) if positions is None else np.asarray(positions)
    if axes is None:
        axes = plt.subplots()[1]
    width = 0.8 * np.min(np.diff(np.sort(positions))) if len(positions) > 1 else 0.8
    highest = max(p.max(), q.max())
    gap = 0.7 * highest  # half the height of the strip in which the bands run
    of_p, of_q = np.flatnonzero(p), np.flatnonzero(q)
    axes.bar(positions[of_p], p[of_p], width, bottom=gap, color=BLUE, label=labels[0])
    axes.bar(
        positions[of_q], -q[of_q], width, bottom=-gap,
        color="white", edgecolor=ORANGE, hatch="///", label=labels[1],
    )  # fmt: skip
    # Bands leave a bar of P from left to right and reach a bar of Q in the same order.
    scale = width / highest
    leaves = positions[: p.size, None] - scale * p[:, None] / 2 + scale * (plan.cumsum(1) - plan)
    arrives = positions[None, : q.size] - scale * q[None, :] / 2 + scale * (plan.cumsum(0) - plan)
    height = np.linspace(gap, -gap, 40)
    bend = (1 - np.cos(np.linspace(0, np.pi, 40))) / 2
    for i, j in zip(*np.nonzero(plan > 1e-12), strict=True):
        left = leaves[i, j] + (arrives[i, j] - leaves[i, j]) * bend
        moved = not np.isclose(positions[i], positions[j])
        axes.fill_betweenx(
            height, left, left + scale * plan[i, j], lw=0.4, ec="#555555",
            color=GREEN if moved else "#bbbbbb", alpha=0.55,
        )  # fmt: skip
    axes.set(yticks=[], xlabel="position", xticks=positions)
    axes.grid(False)
    axes.spines["left"].set_visible(False)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return axes
