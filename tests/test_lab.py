"""JupyterLab as a student has it: lessons open whole, run and move; an exercise answers.

A browser opens what ``course.py lab`` serves from a handout. Every lesson is opened, lesson 01 is
restarted and run; COURSE_LAB_ALL=1 runs them all. COURSE_LAB_SHOTS=DIR keeps screenshots there.
"""

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import psutil
import pytest
from browser import chromium

from mlcourse import checks
from tools import handout

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted(path.stem for path in ROOT.glob("notebooks/[0-9][0-9]*.ipynb"))
RUN = LESSONS if os.environ.get("COURSE_LAB_ALL") == "1" else LESSONS[:1]
EXERCISE = "01_information_theory"
WAIT = 60_000  # milliseconds; a test that passes does not use them
START = """
import sys
sys.path.insert(0, sys.argv[1])
from tools import commands
commands.prepare = lambda root, extra: sys.executable  # everything is installed
sys.exit(commands.main(["lab", "--no-browser", "--port", sys.argv[2]]))
"""
PANEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"

# What every cell shows. ``raw`` is mathematics or a computed number that stayed source text.
LOOK = r"""panel => [...panel.querySelectorAll(".jp-Cell")].map(cell => {
  const all = selector => [...cell.querySelectorAll(selector)];
  const prose = all(".jp-RenderedMarkdown").map(node => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll("pre, code, mjx-container").forEach(part => part.remove());
    return copy.textContent; }).join("\n");
  return {
    code: cell.matches(".jp-CodeCell"),
    prompt: all(".jp-InputPrompt").map(node => node.textContent).join(""),
    text: all(".jp-OutputArea .jp-RenderedText pre").map(node => node.textContent).join(""),
    pictures: all(".jp-OutputArea img").filter(node => node.naturalWidth > 0).length,
    broken: all("img").filter(node => !node.naturalWidth).length,
    tables: all(".jp-OutputArea table").length,
    sliders: all(".jp-OutputArea input[type=range]").length,
    still: cell.textContent.includes("Run this cell to move"),
    errors: all("mjx-merror, [data-mjx-error], mjx-mtext[style*='red']," +  // unknown commands
                "[data-mime-type*='jupyter.error'], [data-mime-type*='stderr']").length,
    math: all("mjx-container").length,
    raw: (prose.match(/\$[^$]+\$|\\\(|\\\[|\\frac|\\sum|\{\{/) || [""])[0],
  }; })"""
# All is there: every cell, its outputs, its mathematics; and nothing waits for the kernel.
SETTLED = r"""([selector, count]) => {
  const panel = document.querySelector(selector);
  return panel && panel.querySelectorAll(".jp-Cell").length == count
    && !panel.querySelector(".jp-Cell-Placeholder, [data-old]")
    && ![...panel.querySelectorAll(".jp-InputPrompt")].some(node => node.textContent == "[*]:")
    && [...panel.querySelectorAll(".jp-RenderedImage img")].every(node => node.complete); }"""
OLD = """panel => panel.querySelectorAll(".jp-OutputArea-output").forEach(
  node => { node.dataset.old = "yes"; })"""


@pytest.fixture(scope="module")
def browser():
    browser, end = chromium()
    yield browser
    end()


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Return a new handout, with work/ of nobody yet."""
    tree = tmp_path_factory.mktemp("lab") / "a course"
    handout.write(ROOT, tree)
    return tree


@pytest.fixture(scope="module")
def lab(browser, course):
    """Serve the handout with ``lab``; return the address with its token."""
    home = course.parent
    env = dict(os.environ, IPYTHONDIR=str(home / "ipython"))
    for kind in ("CONFIG", "DATA", "RUNTIME"):
        env[f"JUPYTER_{kind}_DIR"] = str(home / kind)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command, said = [sys.executable, "-c", START, course, str(port)], home / "output"
    with open(said, "w") as output:
        server = subprocess.Popen(command, env=env, stdout=output, stderr=subprocess.STDOUT)
    try:
        end = time.monotonic() + 90
        while not (found := re.search(r"http://127\S+/lab\?token=\w+", said.read_text())):
            assert server.poll() is None and time.monotonic() < end, said.read_text()
            time.sleep(0.1)
        yield found[0]
    finally:
        family = psutil.Process(server.pid).children(recursive=True)
        server.terminate()
        for process in psutil.wait_procs([server, *family], timeout=20)[1]:
            process.kill()


@pytest.fixture(scope="module")
def page(lab, browser):
    """Open JupyterLab once; note what goes wrong and what leaves this machine."""
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    page.set_default_timeout(WAIT)
    page.start, page.problems, page.outside = lab, [], []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    host = lab.split("/lab")[0]
    page.on("request", lambda one: note_outside(page, host, one.url))
    page.goto(lab)
    page.wait_for_selector(".jp-DirListing-item")
    yield page
    page.close()


def note_outside(page, host, url):
    if url.startswith(("http", "ws")) and host.split("://")[1] not in url:
        page.outside.append(url)


def stored(path):
    return nbformat.read(path, as_version=4).cells


def open_notebook(page, *names):
    """Open a notebook as a student does: from the top of the file browser, by double clicks."""
    if page.locator(".jp-NotebookPanel").count():  # what a failed test has left
        page.goto(page.start + "&reset")
    page.locator(".jp-BreadCrumbs-home").click()
    for name in names:
        whole = re.compile(f"^{re.escape(name)}$")
        page.locator(".jp-DirListing-itemText", has_text=whole).dblclick()
    page.wait_for_selector(PANEL)


def close_notebook(page):
    """Close the notebook without saving and shut its kernel down."""
    this = page.locator(PANEL).get_attribute("id")
    menu(page, "File", "Close and Shut Down Notebook")
    page.locator(".jp-Dialog .jp-mod-accept").click()
    page.locator(f"[id='{this}']").wait_for(state="detached")


def menu(page, name, entry):
    page.locator(".lm-MenuBar-itemLabel", has_text=re.compile(f"^{name}$")).click()
    page.locator(".lm-Menu-itemLabel", has_text=entry).first.click()


def look(page, count):
    page.wait_for_function(SETTLED, arg=[PANEL, count], polling=100, timeout=3 * WAIT)
    return page.locator(PANEL).evaluate(LOOK)


def shoot(page, name):
    if folder := os.environ.get("COURSE_LAB_SHOTS"):
        page.screenshot(path=Path(folder, name + ".png"))


def wanted(cell, ran):
    """Return what a code cell should show; the answer to a guess is hidden until it is run."""
    hidden = cell.metadata.get("jupyter", {}).get("outputs_hidden") and not ran
    outputs = [] if hidden else cell.outputs
    data = [output.get("data", {}) for output in outputs]
    html = [one.get("text/html", "") for one in data]
    plain = [
        output.get("text", "") + ("" if len(one) > 1 else one.get("text/plain", ""))
        for output, one in zip(outputs, data, strict=True)
    ]
    return {
        "text": "".join(plain).strip(),
        "pictures": sum("image/png" in one for one in data),
        "tables": sum(one.count("<table") for one in html),
        "sliders": sum('id="slider-' in one for one in html),
    }


def complaints(cells, seen, ran=False):
    """Return what a reader would miss: outputs, pictures, sliders, mathematics."""
    found = []
    for number, (cell, shown) in enumerate(zip(cells, seen, strict=True)):
        if shown["errors"] or shown["broken"] or shown["raw"] or shown["still"]:
            found.append(f"cell {number} is broken: {shown}")
        if shown["code"] != (cell.cell_type == "code"):
            found.append(f"cell {number} is of another kind")
        elif shown["code"]:
            shown = shown | {"text": shown["text"].strip()}
            found += [
                f"cell {number}: {what} is {shown[what]!r}, stored {value!r}"
                for what, value in wanted(cell, ran).items()
                if shown[what] != value
            ]
        elif re.search(r"\$[^$]+\$", re.sub(r"`[^`]*`", "", cell.source)) and not shown["math"]:
            found.append(f"cell {number} has no mathematics")
    return found


def move_sliders(page):
    """Move every slider by mouse and by key; each changes its label and its picture."""
    sliders = page.locator(f"{PANEL} .jp-OutputArea input[type=range]")
    for number in range(sliders.count()):
        slider = sliders.nth(number)
        cell = slider.locator("xpath=ancestor::*[contains(@class, 'jp-CodeCell')]")
        slider.scroll_into_view_if_needed()

        def state(cell=cell):
            return cell.locator("output").inner_text(), cell.locator("img").get_attribute("src")

        states, box = [], slider.bounding_box()
        for share in (0.05, 0.95):
            page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
            states.append(state())
        page.keyboard.press("ArrowLeft")
        states.append(state())
        labels, pictures = zip(*states, strict=True)
        assert len(set(labels)) == 3, labels
        assert len(set(pictures)) == 3, "the label moves, the picture does not"


@pytest.mark.slow
@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_opens_whole_and_runs(name, page, course):
    cells = stored(course / "notebooks" / f"{name}.ipynb")
    open_notebook(page, "lessons", f"{name}.ipynb")
    assert complaints(cells, look(page, len(cells))) == []
    move_sliders(page)
    shoot(page, name)
    if name in RUN:
        page.locator(PANEL).evaluate(OLD)
        menu(page, "Kernel", "Restart Kernel and Run All Cells")
        page.locator(".jp-Dialog .jp-mod-accept").click()
        seen = look(page, len(cells))
        assert complaints(cells, seen, ran=True) == []
        prompts = [shown["prompt"] for shown in seen if shown["code"]]
        assert prompts == [f"[{number + 1}]:" for number in range(len(prompts))]
        move_sliders(page)
        shoot(page, name + "_run")
    close_notebook(page)
    assert page.problems == []
    assert page.outside == []


@pytest.mark.slow
def test_an_exercise_tells_what_is_wrong_and_what_is_right(page, course):
    """Type a wrong and a right answer into question 1, run its check, save."""
    name = f"exercises/{EXERCISE}/{EXERCISE}.ipynb"
    cells = stored(course / name)
    question = checks.questions("01")["q1"]
    at = next(i for i, cell in enumerate(cells) if 'check("q1"' in cell.source)
    open_notebook(page, "exercises", EXERCISE, f"{EXERCISE}.ipynb")
    look(page, len(cells))
    shown = page.locator(f"{PANEL} .jp-Cell")
    answer, check = shown.nth(at - 1), shown.nth(at)

    def answers(says):
        """Run the answer and its check; the check says this."""
        check.evaluate(OLD)
        answer.locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        page.keyboard.press("Shift+Enter")
        check.locator(".jp-OutputArea-output:not([data-old])", has_text=says).wait_for()
        check.scroll_into_view_if_needed()

    page.wait_for_selector(f"{PANEL} .jp-Notebook-ExecutionIndicator[data-status=idle]")
    shown.nth(1).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    shown.nth(1).locator(".jp-InputPrompt", has_text="[1]:").wait_for()
    answers("q1: " + checks.BLANK)

    def types(text, instead_of):
        """Replace a line of the answer."""
        answer.locator(".cm-line", has_text=instead_of).click()
        page.keyboard.press("End")
        page.keyboard.press("Shift+Home")
        page.keyboard.type(text)

    types("return -sum(x * math.log(x) for x in p if x > 0)", "raise NotImplementedError()")
    answers("q1: " + question.messages()["nats"])
    assert "Traceback" not in check.inner_text(), "a sentence, no stack of calls"
    shoot(page, "exercise_wrong")
    types("return -sum(x * math.log2(x) for x in p if x > 0)", "math.log(x)")
    answers(f"q1: correct ({question.points} points)")
    shoot(page, "exercise_right")

    page.keyboard.press("Control+s")
    page.locator(".jp-mod-current[data-type='document-title'].jp-mod-dirty").wait_for(
        state="detached"
    )
    mine = course / "work" / name
    assert "math.log2(x)" in stored(mine)[at - 1].source, "saved among the student's own files"
    assert stored(course / name) == cells, "the course's file stays as it is"
    close_notebook(page)
    assert page.problems == []
    assert page.outside == []
