"""The course in the browser: lesson 01 runs there, gives the stored numbers, and asks nobody else.

The tests that run Python in the browser need a Pyodide folder: name it in PYODIDE_DIR.
"""

import ast
import asyncio
import json
import os
import threading
import zipfile
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat
import pytest
from browser import chromium

from tools import lite
from tools.environment import CourseError

needs_jupyterlite = pytest.mark.skipif(
    lite.find_spec("jupyterlite_core") is None, reason="JupyterLite is not installed"
)
LESSON = "notebooks/01_information_theory.ipynb"
EXERCISE = "exercises/01_information_theory/01_information_theory.ipynb"
DATA = "data/english.txt"  # beside the exercise
BROWSERS_OWN = {"content-autofill.googleapis.com:443"}  # Chromium itself asks it about any form
MINUTES = 5  # at most, for a start of Python or a notebook; a notebook takes far less

READY = """() => {
  const panel = window.jupyterapp?.shell.currentWidget;
  return Boolean(panel?.context?.isReady && panel.sessionContext?.isReady
    && panel.sessionContext.session?.kernel?.status === "idle"); }"""
RUN = """async first => {
  const {commands, shell} = window.jupyterapp, model = shell.currentWidget.content.model;
  if (first) model.sharedModel.insertCell(0, {cell_type: "code", source: first});
  await commands.execute("notebook:clear-all-cell-outputs");
  const cleared = JSON.stringify(model.toJSON());
  await commands.execute("notebook:run-all-cells");
  return {cleared: JSON.parse(cleared), done: model.toJSON()}; }"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


class Trap(BaseHTTPRequestHandler):
    """A proxy that lets nothing out and remembers what wanted to go."""

    def refuse(self):
        if self.path not in BROWSERS_OWN:
            self.server.wanted.append(self.path)
        self.send_error(403)

    do_GET = do_HEAD = do_POST = do_CONNECT = refuse

    def log_message(self, *words):
        pass


@pytest.fixture
def served():
    """Return what serves a folder or a handler on this machine, until the test ends."""
    servers = []

    def serve(handler):
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.wanted = []
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def wheel_files(wheel):
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_of_mlcourse_has_its_modules_its_data_and_its_needs(tmp_path):
    wheel = lite.own_wheel(tmp_path / "one")
    files = wheel_files(wheel)
    for path in (lite.ROOT / "mlcourse").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert files[path.relative_to(lite.ROOT).as_posix()] == path.read_bytes()
    assert not [name for name in files if name.endswith(".pyc")]
    entry = lite.listed(wheel, "3.14.0")
    assert entry["imports"] == ["mlcourse"]
    assert {"numpy", "pandas", "matplotlib", "scipy", "scikit-learn"} <= set(entry["depends"])
    assert lite.own_wheel(tmp_path / "two").read_bytes() == wheel.read_bytes()


def test_an_installed_package_becomes_the_same_wheel_again(tmp_path):
    entry = lite.listed(lite.repack("ipython", tmp_path, "the folder"), "3.14.0")
    assert entry["imports"] == ["IPython"]
    assert "traitlets" in entry["depends"]
    assert not {"pexpect", "psutil", "colorama"} & set(entry["depends"])  # not in a browser


def test_what_cannot_run_in_the_browser_is_named(tmp_path):
    with pytest.raises(CourseError, match="lacks numpy, which is not plain Python"):
        lite.repack("numpy", tmp_path, "the folder")
    with pytest.raises(CourseError, match="no-such-package is neither in the folder"):
        lite.repack("no-such-package", tmp_path, "the folder")
    with pytest.raises(CourseError, match=r"it lacks pyodide\.mjs"):
        lite.offline(tmp_path, tmp_path / "out")


def test_versions_that_do_not_fit_are_refused(tmp_path):
    wheel = lite.own_wheel(tmp_path)
    chosen = {"mlcourse": lite.listed(wheel, "3.14.0")}
    chosen["pandas"] = {"name": "pandas", "version": "3.0.2", "file_name": wheel.name}
    chosen["openblas"] = {"name": "openblas", "version": "0.3", "file_name": "openblas.zip"}
    lite.agree(chosen, tmp_path, "3.14.0")
    chosen["pandas"]["version"] = "2.3.0"
    with pytest.raises(CourseError, match=r"mlcourse needs pandas>=3.0, .* 2\.3\.0"):
        lite.agree(chosen, tmp_path, "3.14.0")


def test_the_cell_that_fetches_mlcourse_changes_nothing_else():
    before = nbformat.read(lite.ROOT / LESSON, as_version=4)
    after = nbformat.reads(lite.with_fetch(lite.ROOT / LESSON), as_version=4)
    nbformat.validate(after)
    fetch = after.cells.pop(1)
    assert after == before
    ast.parse(fetch.source)  # a grader that reads cells can read this one
    names = {}
    cell = compile(fetch.source, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    asyncio.run(eval(cell, names))
    assert "sys" in names and "piplite" not in names  # outside the browser it fetches nothing


def test_only_lessons_and_exercises_are_shown():
    shown = {path.relative_to(lite.ROOT).as_posix() for path in lite.contents()}
    assert {LESSON, EXERCISE} <= shown
    assert {name.split("/")[0] for name in shown} == {"notebooks", "exercises"}
    assert not [name for name in shown if name.endswith((".md", ".py"))]


def test_a_folder_of_other_files_is_left_alone(tmp_path):
    kept = tmp_path / "lite" / "thesis.txt"
    kept.parent.mkdir()
    kept.write_text("mine")
    with pytest.raises(CourseError, match="not of JupyterLite"):
        lite.build(tmp_path)
    assert kept.read_text() == "mine"


@needs_jupyterlite
@pytest.mark.slow
def test_without_a_folder_the_site_brings_mlcourse_and_names_the_usual_pyodide(tmp_path):
    site = lite.build(tmp_path)
    index = json.loads((site / "pypi" / "all.json").read_text())
    (release,) = next(iter(index["mlcourse"]["releases"].values()))
    assert "mlcourse/datasets.py" in wheel_files(site / "pypi" / release["filename"])
    settings = json.loads((site / "jupyter-lite.json").read_text())["jupyter-config-data"]
    settings = settings["litePluginSettings"][f"{lite.EXTENSION}:kernel"]
    assert "pyodideUrl" not in settings and not settings["disablePyPIFallback"]
    assert settings["pipliteUrls"][0].startswith("./pypi/all.json")
    assert not (site / "static" / "pyodide").exists()
    for path in lite.contents():
        assert (site / "files" / path.relative_to(lite.ROOT)).is_file()
    assert "piplite" in (site / "files" / LESSON).read_text(encoding="utf-8")
    lite.build(tmp_path)  # an earlier one is replaced


def texts(cell):
    """Return the text outputs of a cell: streams joined, then what is displayed."""
    stream, shown = "", []
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            stream += "".join(output["text"])
        elif output["output_type"] == "error":
            shown.append({"error": f"{output['ename']}: {output['evalue']}"})
        else:
            shown.append({
                kind: "".join(data)
                for kind, data in output["data"].items()
                if kind.startswith("text/") and "data:image/png" not in "".join(data)
            })  # fmt: skip
    return stream, shown


def pictures(cell):
    return sum("image/png" in output.get("data", {}) for output in cell["outputs"])


@needs_jupyterlite
@pytest.mark.slow
@pytest.mark.skipif(
    "PYODIDE_DIR" not in os.environ,
    reason="PYODIDE_DIR names no Pyodide folder: no lesson was run in a browser",
)
def test_lesson_and_exercise_run_in_the_browser_with_the_stored_numbers(tmp_path, served):
    browser, end = chromium()
    try:
        site = lite.build(tmp_path, Path(os.environ["PYODIDE_DIR"]))
        config = json.loads((site / "jupyter-lite.json").read_text())
        config["jupyter-config-data"]["exposeAppInBrowser"] = True  # for this test only
        (site / "jupyter-lite.json").write_text(json.dumps(config))
        server = served(partial(Quiet, directory=tmp_path))
        trap = served(Trap)
        context = browser.new_context(
            proxy={"server": f"http://127.0.0.1:{trap.server_port}", "bypass": "127.0.0.1"}
        )
        home = f"http://127.0.0.1:{server.server_port}"
        lesson = run_all(context, home, LESSON)
        stored = json.loads((lite.ROOT / LESSON).read_text(encoding="utf-8"))
        ran = 0
        for cell, before in zip(lesson["cells"], stored["cells"], strict=True):
            assert "".join(cell["source"]) == "".join(before["source"])
            if cell["cell_type"] == "code":
                ran += 1
                assert cell["execution_count"] == ran
                assert texts(cell) == texts(before), cell["source"]
                assert pictures(cell) == pictures(before), cell["source"]
        assert trap.wanted == []
        # The exercise finds its data, and its first check stops at the first open question.
        count = f'print(len(open("{DATA}", encoding="utf-8").read()))'
        exercise = run_all(context, home, EXERCISE, first=count)
        outputs = [texts(cell) for cell in exercise["cells"] if cell["cell_type"] == "code"]
        data = (lite.ROOT / EXERCISE).parent / DATA
        assert outputs[0] == (f"{len(data.read_text(encoding='utf-8'))}\n", [])
        assert "q1: not answered yet" in str(outputs)
        assert trap.wanted == []
        page = context.new_page()  # and the trap does catch
        page.goto(f"{home}/lite/package.json")
        page.evaluate("fetch('http://outside.invalid/a').catch(() => null)")
        assert trap.wanted == ["http://outside.invalid/a"]
    finally:
        end()


def run_all(context, site, path, first=None):
    """Open a notebook as a reader does, run all its cells and return it."""
    page = context.new_page()
    page.set_default_timeout(MINUTES * 60_000)
    page.goto(f"{site}/{lite.address(path)}")
    page.wait_for_function(READY)
    notebook = page.evaluate(RUN, first)
    page.close()
    assert not any(cell.get("outputs") for cell in notebook["cleared"]["cells"])
    return notebook["done"]
