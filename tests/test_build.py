"""The notebook build: the same bytes twice, prose from the kernel, faults with file and line."""

import base64
import copy
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jupytext
import nbformat
import numpy as np
import pytest
from PIL import Image
from sample import HEADER, LESSON

from tools import build as build_command
from tools.notebooks import (
    BuildError,
    build,
    differences,
    dumps,
    normalized,
    read_source,
    same_picture,
)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    source = tmp_path_factory.mktemp("lesson") / "01_sample.md"
    source.write_text(LESSON, encoding="utf-8")
    return source


@pytest.fixture(scope="module")
def built(lesson):
    return build(lesson)[0]


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.slow
def test_building_twice_gives_the_same_bytes(lesson, built):
    assert dumps(build(lesson)[0]) == dumps(built)


@pytest.mark.slow
def test_outputs_counts_and_metadata(built):
    assert [cell.execution_count for cell in code_cells(built)] == [1, 2, 3, 4]
    assert code_cells(built)[0].outputs[0].text == "0.500\n"
    assert built.metadata.kernelspec.name == "python3"
    assert "version" not in built.metadata.language_info
    assert "jupytext" not in built.metadata
    assert not any("execution" in cell.metadata for cell in built.cells)
    assert len({cell.id for cell in built.cells}) == len(built.cells)
    assert built.cells[4].metadata == {"slideshow": {"slide_type": "skip"}}


@pytest.mark.slow
def test_prose_is_filled_at_its_place(built):
    assert "The half is 0.50, and $\\frac{1}{2}$" in built.cells[2].source


@pytest.mark.slow
def test_ids_follow_the_text_and_not_the_position(lesson, built, tmp_path):
    longer = tmp_path / "01_sample.md"
    longer.write_text(LESSON.replace("Some words.", "Other words.\n\n+++\n\nAnd more."))
    new, old = [[cell.id for cell in nb.cells] for nb in (build(longer)[0], built)]
    assert len(new) == len(old) + 1
    assert new[2:] == old[1:] and new[0] != old[0]


FAULTS = {
    "name": ("Words {{ nothing:.2f }}.", 14, "NameError"),
    "latex": ("$x_{{1}}$", 14, "inside LaTeX"),
    "later": ("one\ntwo\n{{ 1 + }}", 16, "expression:format"),
    "code": ("```{code-cell} ipython3\nx = 1\n1 / 0\n```", 15, "ZeroDivisionError"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("text", "line", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_names_file_and_line(tmp_path, text, line, message):
    source = tmp_path / "01_faulty.md"
    source.write_text(f"{HEADER}\n{text}\n")
    with pytest.raises(BuildError, match=message) as error:
        build(source)
    assert str(error.value).startswith(f"{source}:{line}: ")


def test_source_lines_are_those_of_the_file(lesson):
    notebook, lines = read_source(lesson)
    text = LESSON.splitlines()
    for cell, line in zip(notebook.cells, lines, strict=True):
        assert text[line - 1] == cell.source.split("\n")[0]


def test_broken_cell_header_is_a_build_error(tmp_path):
    source = tmp_path / "01_broken.md"
    source.write_text(HEADER + "\n```{code-cell} ipython3\n---\ntags: [a\n---\nx\n```\n")
    with pytest.raises(BuildError, match=r"01_broken\.md"):
        read_source(source)


# Comparison ----------------------------------------------------------------------------------


def changed(built, change):
    other = copy.deepcopy(built)
    change(other)
    return differences(built, other)


def picture(output):
    data = base64.b64decode(output.data["image/png"])
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).copy()


def as_base64(pixels):
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format="png")
    return base64.b64encode(buffer.getvalue()).decode()


def shift_picture(output):
    output.data["image/png"] = as_base64(np.roll(picture(output), 3, axis=0))


def shift_frame(output):
    frame = re.findall(r"data:image/png;base64,([\w+/=]+)", output.data["text/html"])[0]
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(frame))).convert("RGB"))
    other = as_base64(np.roll(pixels, 3, axis=0))
    output.data["text/html"] = output.data["text/html"].replace(frame, other)


CHANGES = {
    "number": (lambda nb: code_cells(nb)[0].outputs[0].update(text="0.501\n"), "output 1"),
    "prose": (lambda nb: nb.cells[2].update(source="The half is 0.51"), "0.51"),
    "code": (lambda nb: code_cells(nb)[0].update(source="half = 1"), "half = 1"),
    "count": (lambda nb: code_cells(nb)[1].update(execution_count=7), "execution_count"),
    "stripped": (lambda nb: code_cells(nb)[0].update(outputs=[]), "0 outputs"),
    "picture": (lambda nb: shift_picture(code_cells(nb)[1].outputs[0]), "picture"),
    "frame": (lambda nb: shift_frame(code_cells(nb)[2].outputs[2]), "text/html"),
    "caption": (lambda nb: code_cells(nb)[1].outputs[1]["data"].clear(), "output 2"),
    "cell": (lambda nb: nb.cells.pop(), "cells are stored"),
    "id": (lambda nb: nb.cells[0].update(id="other"), "id is"),
    "tags": (lambda nb: nb.cells[0].metadata.update(tags=["a"]), "metadata"),
    "kernel": (lambda nb: nb.metadata.kernelspec.update(name="other"), "metadata differ"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("change", "message"), CHANGES.values(), ids=CHANGES.keys())
def test_every_change_is_found(built, change, message):
    found = changed(built, change)
    assert len(found) >= 1 and message in " ".join(found)


@pytest.mark.slow
def test_no_change_is_found_in_a_copy(built):
    assert changed(built, lambda notebook: None) == []


def test_tolerance_of_pictures():
    rng = np.random.default_rng(0)
    pixels = rng.integers(40, 200, (300, 400, 3), dtype=np.uint8)
    reference = as_base64(pixels)
    noise = pixels + rng.integers(-30, 31, pixels.shape)
    assert same_picture(reference, as_base64(noise.astype(np.uint8)))
    few, many = pixels.copy(), pixels.copy()
    few[0, :12] = 255  # 12 of 120,000 pixels: one in ten thousand
    many[0, :13] = 255
    assert same_picture(reference, as_base64(few))
    assert not same_picture(reference, as_base64(many))
    assert not same_picture(reference, as_base64(pixels[:-1]))


# jupytext and the command --------------------------------------------------------------------


def test_jupytext_reads_and_writes_the_sample():
    assert normalized(LESSON) == LESSON
    notebook = jupytext.reads(LESSON, fmt="md:myst")
    assert [cell.cell_type for cell in notebook.cells].count("code") == 4


@pytest.fixture
def tree(tmp_path):
    """Make a small course of its own: the tools, one lesson, no exercises."""
    shutil.copytree(
        ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__")
    )
    (tmp_path / "notebooks" / "source").mkdir(parents=True)
    (tmp_path / "notebooks" / "source" / "01_sample.md").write_text(LESSON)
    (tmp_path / "exercises").mkdir()
    return tmp_path


def run_build(tree, *arguments):
    command = [sys.executable, "-m", "tools.build", *arguments]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True)


@pytest.mark.slow
def test_command_builds_then_checks_then_finds_a_change(tree):
    missing = run_build(tree, "--check")
    assert missing.returncode == 1 and "missing" in missing.stderr
    made = run_build(tree)
    assert made.returncode == 0, made.stderr
    target = tree / "notebooks" / "01_sample.ipynb"
    before = target.read_bytes()
    assert run_build(tree, "01").returncode == 0 and target.read_bytes() == before
    clean = run_build(tree, "--check")
    assert clean.returncode == 0 and "same" in clean.stdout, clean.stderr

    target.write_text(target.read_text().replace("The half is 0.50", "The half is 0.60"))
    found = run_build(tree, "--check")
    assert found.returncode == 1 and "0.60" in found.stderr

    target.write_text(json.dumps(json.loads(before)))
    form = run_build(tree, "--check")
    assert form.returncode == 1 and "not in the form" in form.stderr

    target.write_bytes(before[:-100])
    torn = run_build(tree, "--check")
    assert torn.returncode == 1 and "not a readable notebook" in torn.stderr
    assert run_build(tree).returncode == 0 and target.read_bytes() == before

    (tree / "notebooks" / "02_lost.ipynb").write_bytes(before)
    orphan = run_build(tree, "--check")
    assert orphan.returncode == 1 and "no source produces it" in orphan.stderr


@pytest.mark.slow
def test_command_reports_a_fault_and_writes_nothing(tree):
    source = tree / "notebooks" / "source" / "01_sample.md"
    source.write_text(LESSON.replace("half:.2f", "third:.2f"))
    run = run_build(tree)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert re.match(r"notebooks/source/01_sample\.md:\d+: .*NameError", run.stderr)
    assert not list(tree.glob("notebooks/*.ipynb*"))


def test_unknown_number_is_named(tree):
    run = run_build(tree, "77")
    assert run.returncode == 1 and "'77'" in run.stderr and "01_sample" in run.stderr


def test_time_budget():
    assert build_command.time_problem("x", 29) is None
    assert "over 30 s" in build_command.time_problem("x", 31)
    assert "over 120 s" in build_command.time_problem("x", 121)


def test_numbers_choose_by_prefix(tmp_path):
    folder = tmp_path / "notebooks" / "source"
    folder.mkdir(parents=True)
    for name in ("01_a.md", "02a_b.md", "02b_c.md"):
        (folder / name).write_text("")
    names = [path.stem for path in build_command.chosen(["02"], tmp_path)]
    assert names == ["02a_b", "02b_c"]


@pytest.mark.slow
def test_the_ipynb_is_a_valid_notebook(built):
    nbformat.validate(nbformat.reads(dumps(built), as_version=4))
