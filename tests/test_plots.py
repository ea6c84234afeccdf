"""Figures: what a reader gets, with and without scripts, and that they say what they show."""

import base64
import io
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from PIL import Image

from mlcourse import plots

CAPTION = "Line chart: a line. It rises."


@pytest.fixture
def published(monkeypatch):
    """Collect what is sent to the notebook: a list of (data, metadata)."""
    found = []
    monkeypatch.setattr(
        plots, "display", lambda data, raw, metadata=None: found.append((data, metadata or {}))
    )
    with plt.style.context(plots.STYLE):
        yield found
    plt.close("all")


def line(end=1.0, size=(3, 2)):
    figure, axes = plt.subplots(figsize=size)
    axes.plot([0, 1], [0, end])
    axes.set(ylim=(0, 1))
    return figure


def size_of(picture):
    return Image.open(io.BytesIO(base64.b64decode(picture))).size


def test_show_sends_the_picture_with_its_caption_and_closes_it(published):
    others = plt.get_fignums()
    plots.show(line(), CAPTION)
    (picture, metadata), (text, _) = published
    assert metadata["image/png"] == {"alt": CAPTION, "width": 300, "height": 200}
    assert size_of(picture["image/png"]) == (450, 300)  # sharp on a fine screen
    assert text == {"text/markdown": f"*{CAPTION}*", "text/plain": CAPTION}
    assert plt.get_fignums() == others


def test_the_same_figure_gives_the_same_bytes(published):
    plots.show(line(), CAPTION)
    plots.show(line(), CAPTION)
    assert published[0] == published[2]


@pytest.mark.parametrize("caption", ["", "  ", None, "with $math$", "with *stars*", "snake_case"])
def test_a_caption_is_plain_text(published, caption):
    with pytest.raises(ValueError, match="caption"):
        plots.show(line(), caption)


def test_a_caption_over_several_lines_becomes_one(published):
    plots.show(line(), "Line chart:\n   a line.")
    assert published[1][0]["text/plain"] == "Line chart: a line."


def test_slider_sends_the_first_picture_then_all_frames(published):
    plots.figure_slider(line, [0.2, 0.5, 0.9], CAPTION, name="end", start=1)
    (picture, metadata), (text, _), (slider, _) = published
    frames = re.findall(r"data:image/png;base64,([\w+/=]+)", slider["text/html"])
    assert len(frames) == 3 == len(set(frames))
    assert picture["image/png"] == frames[1]
    assert metadata["image/png"]["alt"] == text["text/plain"] == CAPTION
    assert "Run this cell to move the slider." in slider["text/html"]
    assert '["end = 0.20", "end = 0.50", "end = 0.90"]' in slider["text/html"]
    assert "value: 1}" in slider["text/html"]


def test_slider_text_cannot_break_out_of_its_script(published):
    plots.figure_slider(line, [0.2], CAPTION, name="</script><b>")
    assert published[-1][0]["text/html"].count("</script>") == 1


def test_sliders_of_one_page_have_different_ids(published):
    plots.figure_slider(line, [0.2], CAPTION)
    plots.figure_slider(line, [0.2], CAPTION + " Again.")
    ids = re.findall(r'div id="([\w-]+)"', "".join(d.get("text/html", "") for d, _ in published))
    assert len(set(ids)) == 2


def test_slider_refuses_figures_of_different_sizes(published):
    with pytest.raises(ValueError, match="different sizes"):
        plots.figure_slider(lambda v: line(size=(v, 2)), [3, 4], CAPTION)


def test_slider_refuses_a_start_outside(published):
    with pytest.raises(ValueError, match="start is 2, expected 0 to 1"):
        plots.figure_slider(line, [0.1, 0.2], CAPTION, start=2)


def test_transport_draws_a_band_per_move(published):
    plan = np.array([[0.25, 0.25, 0], [0, 0, 0.5]])
    axes = plots.plot_transport([0.5, 0.5], [0.25, 0.25, 0.5], plan)
    colors = [to_hex(band.get_facecolor()[0]) for band in axes.collections]
    assert len(colors) == 3
    assert colors.count("#bbbbbb") == 1  # the mass at 0 that stays
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["P", "Q"]


def test_transport_bands_are_as_wide_as_their_mass(published):
    plan = np.array([[0.5, 0.25], [0, 0.25]])
    axes = plots.plot_transport([0.75, 0.25], [0.5, 0.5], plan)
    widths = []
    for band in axes.collections:
        points = band.get_paths()[0].vertices
        top = points[np.isclose(points[:, 1], points[:, 1].max()), 0]
        widths.append(top.max() - top.min())
    np.testing.assert_allclose(np.array(widths) / widths[0], [1, 0.5, 0.5])


def test_transport_refuses_a_plan_of_the_wrong_shape(published):
    with pytest.raises(ValueError, match=r"shape \(2, 2\), expected \(2, 3\)"):
        plots.plot_transport([0.5, 0.5], [0.25, 0.25, 0.5], np.eye(2) / 2)


def test_style_tells_lines_apart_without_color(published):
    plots.use_style()
    cycle = plt.rcParams["axes.prop_cycle"].by_key()
    assert len(set(map(str, cycle["linestyle"]))) == len(cycle["color"]) == 6
