"""The decks: made from the notebooks, complete, offline; and, in a browser, nothing is clipped."""

import nbformat
import pytest
from browser import chromium

from tools import slides
from tools.slides import ROOT, deck, lead, lessons, read_assets, slides_of

LESSONS = lessons([])
each = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
SMALLEST = 0.6  # a slide may be scaled down to this

LOOK = r"""() => {
  const slide = Reveal.getCurrentSlide(), box = slide.querySelector(".fit").cloneNode(true);
  const at = slide.querySelector(".fit").getBoundingClientRect();
  const page = document.querySelector(".reveal").getBoundingClientRect();
  box.querySelectorAll("pre, code, script, mjx-container, title").forEach(e => e.remove());
  return {
    title: slide.querySelector("h1, h2")?.innerText,
    scale: Number(slide.dataset.scale),
    below: at.bottom - page.bottom, beside: at.right - page.right,
    raw: /\$[^$]+\$|\\\(|\\frac|\\sum|\{\{/.test(box.textContent),
    broken: [...slide.querySelectorAll("img")].filter(i => !i.naturalWidth).length,
    errors: slide.querySelectorAll("mjx-merror, [data-mjx-error]").length,
  }; }"""


def read(path):
    return nbformat.read(path, as_version=4)


def test_the_first_sentence_keeps_what_belongs_together():
    assert lead("Take $a. B$ and `c. D`. Then go.") == "Take $a. B$ and `c. D`."
    assert lead("One. Two. Three.", 2) == "One. Two."
    assert lead("**Try it. Now") == "**Try it.**"
    assert lead("See [a. B](x.ipynb), e.g. Here. End.").endswith("e.g. Here.")
    assert lead("Needs: all of it. End.") == "Needs: all of it."
    assert lead("By J. R. Quinlan. End.") == "By J. R. Quinlan."
    assert lead("*Best $F^*$ is. It.*") == "*Best $F^*$ is.*"
    assert lead("Rate * step (so. And so).") == "Rate * step (so.)"
    assert lead("**1. Trees.** They.") == "**1. Trees.**"
    assert lead("One. Two. Why? Four.") == "One. … Why?"
    assert lead("One. Two. Three:", last=True) == "One. … Three:"


@each
def test_a_deck_has_every_section_figure_and_note(path):
    notebook = read(path)
    shown = slides_of(notebook)
    html = "".join("".join(slide.blocks) for slide in shown)
    headings = [
        slides.plain(found[2])
        for cell in notebook.cells if cell.cell_type == "markdown"
        for found in slides.HEADING.finditer(cell.source) if len(found[1]) == 2
    ]  # fmt: skip
    assert {slide.section for slide in shown} >= set(headings) - set(slides.SKIPPED)
    cells = [
        cell for cell in notebook.cells
        if cell.metadata.get("slideshow", {}).get("slide_type") != "skip"
    ]  # fmt: skip
    pictures = [
        output for cell in cells for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]  # fmt: skip
    assert html.count('<img class="figure"') == len(pictures)
    assert html.count('class="box"') == sum(
        cell.source.count('<div class="alert') for cell in cells if cell.cell_type == "markdown"
    )
    notes = "\n".join(note for slide in slides.with_timing(shown, 45) for note in slide.notes)
    assert "about" in notes and "minutes, from minute 0." in notes
    assert notes.count("Misconceptions:") >= 1


def test_slideshow_metadata_has_the_last_word():
    def cell(make, source, kind, **more):
        return make(source, metadata={"slideshow": {"slide_type": kind}}, **more)

    text, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    notebook = nbformat.v4.new_notebook(
        cells=[
            text("# Lesson 1: X\n\nWords."),
            text("## A\n\nFirst. Second. Third."),
            cell(text, "Only for the speaker.", "notes"),
            cell(text, "Nobody sees this.", "skip"),
            cell(code, "import numpy", "slide"),
        ]
    )
    shown = slides_of(notebook)
    assert [slide.title for slide in shown] == ["Lesson 1: X", "A", "A"]
    assert "Only for the speaker." in shown[1].notes
    page = deck(notebook, "X", dict.fromkeys(("css", "reveal", "notes", "mathjax"), ""))
    assert "Nobody sees this" not in page and "numpy" in page


def test_what_is_shown_of_headings_code_and_folded_answers():
    text, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    cells = [
        text("# Lesson"),
        text("## A\n\n### B"),
        code("1 + 1"),
        text("It is\n\n    for row\n        go\n\nsaid."),
        text("<details><summary>Answer</summary>\n\nTwo.\n\n</details>"),
        text('<div class="alert alert-info">\n\n**Note.** A.\n\n- x\n- y\n\n</div>'),
        text("Warm up.\n\n<details><summary>What is it?</summary>\n\nThree.\n\n</details>"),
    ]
    shown = slides_of(nbformat.v4.new_notebook(cells=cells))
    assert [slide.title for slide in shown] == ["Lesson", "B", "B", "B", "B"]
    assert "for row\n    go" in "".join(shown[2].blocks)
    assert any("Two." in note for note in shown[2].notes)
    assert "<li>x</li>" in "".join(shown[3].blocks)
    assert "What is it?" in "".join(shown[4].blocks) and "Three" not in "".join(shown[4].blocks)


def test_the_author_gives_notes_and_minutes():
    def cell(source, **plan):
        return nbformat.v4.new_markdown_cell(source, metadata={"slideshow": plan})

    cells = [
        cell("# Lesson", minutes=1),
        cell("## A", minutes=7),
        cell("One.", notes="Ask."),
        cell("## B\n\nB."),
    ]
    shown = slides.with_timing(slides_of(nbformat.v4.new_notebook(cells=cells)), 10)
    one, two = [slide for slide in shown if slide.section in "AB"]
    assert one.notes[:2] == ["**A**: about 7 minutes, from minute 1.", "**In class:** Ask."]
    assert two.notes[0].startswith("**B**: about 2 minutes")


@each
def test_each_section_has_its_minutes_and_something_to_do_in_class(path):
    notebook = read(path)
    shown = slides_of(notebook)
    minutes, notes = {}, {}
    for slide in shown:
        minutes[slide.section] = minutes.get(slide.section, 0) + slide.minutes
        text = "\n".join(slide.notes)
        notes[slide.section] = notes.get(slide.section, 0) + text.count("**In class:**")
    assert all(minutes.values()), minutes
    assert sum(minutes.values()) == slides.minutes_of(notebook)
    lecture = [name for name in notes if name not in ("What you can now do", "The exercise")]
    assert all(notes[name] for name in lecture), notes


@pytest.fixture(scope="module")
def browser():
    browser, end = chromium()
    yield browser
    end()


@pytest.mark.slow
@each
def test_nothing_is_clipped_raw_or_missing(path, browser, tmp_path):
    target = tmp_path / "deck.html"
    target.write_text(deck(read(path), path.stem, read_assets()), encoding="utf-8")
    page, outside, problems = browser.new_page(viewport={"width": 1280, "height": 760}), [], []
    page.on("request", lambda r: outside.append(r.url) if r.url.startswith("http") else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(target.as_uri())
    page.wait_for_function("document.body.dataset.ready == 'yes'", timeout=60_000)
    total = page.evaluate("Reveal.getTotalSlides()")
    assert total == len(slides_of(read(path)))
    for number in range(total):
        seen = page.evaluate(LOOK)
        if seen["below"] > 2 or seen["beside"] > 2 or seen["scale"] < SMALLEST:
            problems.append(f"slide {number} does not fit: {seen}")
        if seen["raw"] or seen["broken"] or seen["errors"]:
            problems.append(f"slide {number} is broken: {seen}")
        page.evaluate("Reveal.next({skipFragments: true})")
    page.keyboard.press("Home")
    before = page.evaluate("JSON.stringify(Reveal.getIndices())")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("JSON.stringify(Reveal.getIndices())") != before, "the keyboard moves it"
    page.close()
    assert problems == []
    assert outside == []


@pytest.mark.slow
def test_print_view_has_a_page_per_slide(browser, tmp_path):
    target = tmp_path / "deck.html"
    target.write_text(deck(read(LESSONS[0]), "one", read_assets()), encoding="utf-8")
    page = browser.new_page()
    page.goto(target.as_uri() + "?print-pdf")
    page.wait_for_function("document.body.dataset.ready == 'yes'", timeout=60_000)
    page.wait_for_selector(".pdf-page", state="attached")
    assert page.locator(".pdf-page").count() >= len(slides_of(read(LESSONS[0])))
    page.close()


def test_an_unknown_lesson_is_refused():
    with pytest.raises(SystemExit, match="no lesson 77 in notebooks/"):
        lessons(["77"])
    assert ROOT.joinpath("notebooks").is_dir()
