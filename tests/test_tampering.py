"""Whoever changes one stored number, one prose number or one picture makes the tests fail.

Shown on a copy of the course with one small lesson, by the very call of ``course.py test``.
"""

import base64
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from sample import LESSON

from tools.commands import pytest_command

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Make a course of one built lesson, with the tests that look at notebooks."""
    folder = tmp_path_factory.mktemp("course")
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__py*"))
    for name in ("tests", "mlcourse", "solutions", "exercises", "notebooks/source"):
        (folder / name).mkdir(parents=True)
    for name in (
        "pyproject.toml",
        "tests/nbval.cfg",
        "tests/conftest.py",
        "tests/test_notebooks.py",
    ):
        shutil.copy(ROOT / name, folder / name)
    (folder / "notebooks" / "source" / "01_sample.md").write_text(LESSON, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "tools.build"], cwd=folder, check=True)
    return folder


def run_tests(folder):
    run = subprocess.run(pytest_command(sys.executable), cwd=folder, capture_output=True, text=True)
    return run.returncode, run.stdout


def first_output(notebook, kind):
    """Return the first output that has ``kind`` ("text" for a stream)."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return next(o for o in outputs if kind in o or kind in o.get("data", {}))


def stored_number(notebook):
    first_output(notebook, "text")["text"] = "0.501\n"


def prose_number(notebook):
    cell = next(cell for cell in notebook["cells"] if "The half is" in cell["source"])
    cell["source"] = cell["source"].replace("0.50", "0.51")


def one_point_of_a_picture(notebook):
    data = first_output(notebook, "image/png")["data"]
    image = Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).convert("RGB")
    ImageDraw.Draw(image).ellipse([100, 100, 112, 112], fill="red")
    buffer = io.BytesIO()
    image.save(buffer, format="png")
    data["image/png"] = base64.b64encode(buffer.getvalue()).decode()


def test_the_untouched_course_passes(course):
    code, text = run_tests(course)
    assert code == 0, text


@pytest.mark.parametrize("change", [stored_number, prose_number, one_point_of_a_picture])
def test_a_change_makes_the_test_command_fail(course, change):
    path = course / "notebooks" / "01_sample.ipynb"
    before = path.read_text(encoding="utf-8")
    notebook = json.loads(before)
    change(notebook)
    text = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    assert text != before
    path.write_text(text, encoding="utf-8")
    try:
        code, output = run_tests(course)
    finally:
        path.write_text(before, encoding="utf-8")
    assert code == 1, output
    assert "FAILED" in output and "01_sample" in output
