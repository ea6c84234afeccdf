"""The website: its pages say what the notebooks say, every link leads somewhere, and it opens."""

import doctest
import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import mlcourse
from tools.site import docstrings, lessons, links, stage

ROOT = Path(__file__).resolve().parent.parent
WIDTHS = 1280, 390
TABLE = re.compile(r"^\| *word *\| *symbol *\|.*\n\|[-| :]+\|\n((?:\|.*\n?)+)", re.MULTILINE)


def prose(folder="notebooks"):
    """Yield the path and all the text of each notebook, without help from tools.site."""
    for path in sorted((ROOT / folder).rglob("[0-9][0-9]*.ipynb")):
        if ".ipynb_checkpoints" not in path.parts:
            cells = nbformat.read(path, as_version=4).cells
            yield path, "\n\n".join(c.source for c in cells if c.cell_type == "markdown")


def glossary_rows():
    """Yield the lesson's file and the text of each row of each glossary."""
    for path, text in prose():
        for table in TABLE.finditer(text):
            yield from ((path, row) for row in table[1].splitlines())


def test_lessons_say_what_the_site_needs():
    for lesson in lessons.lessons():
        assert lesson.title and lesson.question.endswith("?"), lesson.path.name
        assert lesson.minutes > 0 and lesson.needs, lesson.path.name
        assert lesson.glossary() and lesson.errata(), lesson.path.name
    for task in lessons.exercises():
        assert task.title and task.minutes > 0, task.path.name


def test_readme_says_of_each_lesson_what_the_lesson_says():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = [
        line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| <img")
    ]
    course = lessons.lessons()
    assert len(rows) == len(course)
    for lesson, (figure, title, question, minutes, needs) in zip(course, rows, strict=True):
        assert f"docs/figures/{lesson.path.stem}.png" in figure
        assert f"notebooks/{lesson.path.name}" in title and lesson.title.split(": ")[1] in title
        assert (question, minutes) == (lesson.question, str(lesson.minutes))
        if lesson.number != "01":
            wanted = re.findall(r"\b0\d[abc]?\b", lesson.needs.split(";")[0])
            assert re.findall(r"\b0\d[abc]?\b", needs) == wanted


def test_glossary_has_every_row_of_every_lesson():
    course = lessons.lessons()
    notation, words = stage.notation(course), stage.words(course)
    rows = list(glossary_rows())
    assert len({path for path, _ in rows}) == len(course)
    assert len(rows) == len(words.splitlines()) - 2
    for path, row in rows:
        word, rest = row.strip("| ").split(" | ", 1)
        symbol = lessons.split_row(rest + " |")[0]
        found = [line for line in words.splitlines() if line.startswith(f"| {word} | {symbol} |")]
        assert any(f"{path.stem}.ipynb" in line for line in found), (path.name, row)
        if symbol != "–":
            assert any(
                line.startswith(f"| {symbol} | {word}") and f"{path.stem}.ipynb" in line
                for line in notation.splitlines()
            ), (path.name, row)


def test_errata_has_every_box():
    for path, text in prose():
        boxes = lessons.Lesson(path).errata()
        assert len(boxes) == text.count("**In the lecture notes.**"), path.name
        for box in boxes:
            assert box.text in text
            assert box.heading in text
            assert box.computation is not None


def test_map_names_lessons_that_are_there():
    course = lessons.lessons()
    needs = {lesson.number: stage.prerequisites(lesson, course) for lesson in course}
    assert needs["02a"] == ["01"]
    assert needs["09"] == ["05", "06", "07", "08"]
    for number, needed in needs.items():
        assert all(other < number for other in needed), number
        assert needed or number == "01"


def test_speed_page_computes_what_it_prints():
    text = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, "speed.md", "speed.md", 0)
    assert len(test.examples) > 10
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("module", [docstrings, lessons])
def test_examples(module):
    result = doctest.testmod(module)
    assert result.attempted > 1 and result.failed == 0


def test_formulas_in_a_summary_are_marked():
    source = "<details><summary>Is $a<b$?</summary>\n\nYes, $a$.\n\n</details>"
    assert '<span class="math notranslate nohighlight">\\(a&lt;b\\)</span>?' in (
        stage.with_formulas(source)
    )
    assert "Yes, $a$." in stage.with_formulas(source)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ('<a href="gone.html">x</a>', "leads to no file"),
        ('<a href="#gone">x</a>', "leads to no place"),
        ('<a href="other.html#gone">x</a>', "leads to no place"),
        ('<img src="gone.png">', "is missing"),
        ('<script src="https://example.org/x.js"></script>', "from outside"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "from outside"),
    ],
)
def test_link_check_finds(tmp_path, body, complaint):
    (tmp_path / "other.html").write_text('<p id="here"></p>')
    page = tmp_path / "index.html"
    page.write_text('<p id="a"></p><a href="#a">x</a><a href="other.html#here">y</a>')
    assert links.problems(tmp_path) == []
    page.write_text(body)
    (problem,) = links.problems(tmp_path)
    assert complaint in problem


# The site itself -------------------------------------------------------------------------------


def build(out):
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tools.site", "--out", str(out)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site once; warnings are errors, and every link is looked at."""
    for name in ("sphinx", "myst_nb", "pydata_sphinx_theme"):
        pytest.importorskip(name)
    out = tmp_path_factory.mktemp("site") / "out"
    run = build(out)
    assert run.returncode == 0, run.stdout + run.stderr
    return out


@pytest.mark.slow
def test_site_is_whole(site):
    for path, _ in [*prose(), *prose("exercises")]:
        text = (site / path.relative_to(ROOT)).with_suffix(".html").read_text(encoding="utf-8")
        cells = nbformat.read(path, as_version=4).cells
        outputs = [output for cell in cells for output in cell.get("outputs", [])]
        pictures = sum("image/png" in output.get("data", {}) for output in outputs)
        assert len(re.findall(r'<img class="figure"[^>]* alt="[^"]+"', text)) == pictures, path.name
    glossary = html.unescape((site / "glossary.html").read_text(encoding="utf-8"))
    for path, row in glossary_rows():
        for symbol in re.findall(r"\$([^$]+)\$", row):
            assert f"\\({symbol}\\)" in glossary, (path.name, symbol)
    errata = (site / "errata.html").read_text(encoding="utf-8")
    for path, text in prose():
        for number in range(1, text.count("**In the lecture notes.**") + 1):
            assert f"notebooks/{path.stem}.html#erratum-{number}" in errata
    library = "".join(p.read_text(encoding="utf-8") for p in (site / "library").glob("*.html"))
    for name, module in mlcourse._MODULE_OF.items():
        assert f'id="mlcourse.{module}.{name}"' in library, name
    assert "entropi" in (site / "searchindex.js").read_text(encoding="utf-8")  # the stem


def test_links_to_what_others_write():
    lesson, task = lessons.lessons()[0], lessons.exercises()[0]
    assert stage.offered(lesson, "..", []) == ""
    both = stage.offered(lesson, "..", ["lite", "slides"])
    assert f"../lite/lab/index.html?path=notebooks/{lesson.path.name}" in both
    assert f"../slides/{lesson.path.stem}.html" in both
    assert "slides" not in stage.offered(task, "../..", ["lite", "slides"])


def test_link_check_waits_for_other_folders(tmp_path):
    (tmp_path / "index.html").write_text('<a href="lite/lab/index.html?path=x">x</a>')
    assert len(links.problems(tmp_path)) == 1
    assert links.problems(tmp_path, ["lite"]) == []


@pytest.mark.slow
def test_site_replaces_only_what_it_wrote(site, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    run = build(tmp_path)
    assert run.returncode == 1 and "empty folder" in run.stderr
    assert (tmp_path / "thesis.txt").read_text() == "mine"
    assert not (tmp_path / "index.html").exists()


@pytest.fixture(scope="module")
def browser(site):
    playwright = pytest.importorskip("playwright.sync_api")
    names = "chromium", "chromium-browser", "google-chrome"
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip("no Chromium on the path: the pages are not opened")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    flags += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with playwright.sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=program, args=flags)
        yield chromium
        chromium.close()


def opened(page, path, query=""):
    page.goto(path.as_uri() + query)
    page.wait_for_function("document.body.dataset.ready == 'yes'", timeout=60_000)


LOOK = r"""async () => {
  const images = [...document.querySelectorAll("article img")];
  images.forEach((image) => { image.loading = "eager"; });
  const broken = await Promise.all(images.map((image) => image.decode().then(() => 0, () => 1)));
  const copy = (document.querySelector("article") || document.body).cloneNode(true);
  copy.querySelectorAll("pre, code, script, style, mjx-container").forEach((e) => e.remove());
  return {
    broken: broken.reduce((sum, each) => sum + each, 0),
    raw: copy.textContent.match(/\$[^$\n]+\$|\\[([]|\\(frac|text|mathrm)\b/g) || [],
    errors: document.querySelectorAll("[data-mml-node=merror]").length,
  };
}"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.slow
def test_every_page_opens(site, browser):
    """Desktop and phone: nothing too wide, no raw formula, no broken picture, nothing fetched."""
    page = browser.new_page()
    outside, faults = [], []
    page.on("request", lambda r: outside.append(r.url) if r.url.startswith("http") else None)
    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
    pages = [path for path in sorted(site.rglob("*.html")) if "_modules" not in path.parts]
    pages += sorted((site / "_modules").rglob("tree.html"))
    for path in pages:
        name = path.relative_to(site)
        page.set_viewport_size({"width": WIDTHS[0], "height": 800})
        opened(page, path)
        seen = page.evaluate(LOOK)
        if any(seen.values()):
            faults.append(f"{name}: {seen}")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            if (over := page.evaluate(OVERFLOW)) > 0:
                faults.append(f"{name}: {over} pixels too wide at {width}")
    page.close()
    assert not faults, "\n".join(faults)
    assert not outside


@pytest.mark.slow
def test_slider_search_and_dark_mode(site, browser):
    pages = sorted((site / "notebooks").glob("*.html"))
    moving = [path for path in pages if "slider.addEventListener" in path.read_text("utf-8")]
    page = browser.new_page(color_scheme="dark")
    opened(page, moving[0])
    slider = page.locator("input[type=range]").first
    slider.evaluate("s => { s.value = s.min; s.dispatchEvent(new Event('input')); }")
    assert page.locator("img[src^='data:image/png']").count() == 1
    red, green, blue = map(int, re.findall(r"\d+", page.evaluate(
        "getComputedStyle(document.body).backgroundColor"))[:3])  # fmt: skip
    assert max(red, green, blue) < 64
    opened(page, site / "search.html", "?q=entropy")
    page.wait_for_selector("#search-results li a", timeout=20_000)
    page.close()


@pytest.mark.slow
def test_accessibility(site, browser):
    """axe-core finds nothing serious; AXE names its file axe.min.js (npm pack axe-core)."""
    if not os.environ.get("AXE"):
        pytest.skip("AXE does not name the file axe.min.js: no accessibility audit")
    axe = Path(os.environ["AXE"]).read_text(encoding="utf-8")
    names = ["index", "glossary", "errata", "speed", "library/forest", "search"]
    names += [str(next(iter(prose(folder)))[0].relative_to(ROOT).with_suffix(""))
              for folder in ("notebooks", "exercises")]  # fmt: skip
    found = []
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)
        for name, width in [(name, width) for name in names for width in WIDTHS]:
            page.set_viewport_size({"width": width, "height": 800})
            opened(page, site / f"{name}.html")
            page.evaluate(axe)
            run = "axe.run(document, {preload: false, resultTypes: ['violations']})"
            for each in page.evaluate(f"{run}.then((result) => result.violations)"):
                if each["impact"] in ("serious", "critical"):
                    found.append(f"{name}, {width}, {scheme}: {each['id']}, {len(each['nodes'])}")
        page.close()
    assert not found, "\n".join(found)
