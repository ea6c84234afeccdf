"""Make a deck of slides from each lesson: ``python3 course.py slides [NN]``.

The deck comes from the notebook itself, so it cannot say anything else. One idea a slide: a slide
shows the heading, the first sentence of each paragraph, the formulas, a figure or a short cell with
its output. The full text goes to the speaker notes (key S), with the minutes for each section and
the misconceptions it refutes. The author has the last word in a cell's ``slideshow`` metadata:
``slide_type`` as in Jupyter ("skip", "notes", "slide" even if it would be skipped, "fragment"),
``notes``, what to say or ask in class, and, where a section begins, its ``minutes``.

A deck is one HTML file that needs no network: reveal.js, MathJax and the figures are inside.
"""

import argparse
import html
import re
import sys
import textwrap
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import nbformat
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from pygments.formatters import HtmlFormatter

from tools.slidetext import lead, paragraphs, plain

ROOT = Path(__file__).resolve().parent.parent
PAGE = Path(__file__).with_name("deck.html")
SKIPPED = ("Glossary", "Sources")  # sections for readers, not for listeners
MOST_LINES = 16  # of a code cell that is shown
SENTENCES = 2  # shown of a paragraph; the rest is for the notes
BLOCKS = 4  # paragraphs and formulas on one slide
BOX = re.compile(r'<div class="alert[^>]*>\s*(.*?)\s*</div>', re.DOTALL)
DETAILS = re.compile(r"<details>.*?</details>", re.DOTALL)
FORMULA = re.compile(r"\$\$.*?\$\$", re.DOTALL)
SECTION = re.compile(r"^(?=##? )", re.MULTILINE)
SUMMARY = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)
LABEL = re.compile(r"\*\*[^*]+[.:?]\*\*\s")  # such as **Try it.**: no sentence
LIST = re.compile(r"([-*+]|\d+\.) ")
HEADING = re.compile(r"^(#{1,3}) (.+)$", re.MULTILINE)


@dataclass
class Slide:
    """One screen: a title, blocks of HTML, and notes in Markdown."""

    title: str
    section: str
    level: int = 3
    blocks: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    full: bool = False  # nothing more belongs on it
    minutes: float = 0  # of the section, if its author says


def slides_of(notebook):
    """Return the slides of a lesson."""
    slides, section, skipping = [], "", False
    for cell in notebook.cells:
        plan = cell.metadata.get("slideshow", {})
        wish, count = plan.get("slide_type", ""), len(slides)
        if wish == "skip":
            continue
        if cell.cell_type == "markdown":
            if wish == "notes" and slides:
                slides[-1].notes.append(cell.source)
                continue
            for part in SECTION.split(cell.source):
                found = HEADING.match(part)
                if found and len(found[1]) <= 2:
                    section = plain(found[2])
                    skipping = section in SKIPPED
                if not skipping:
                    slides += from_text(part, section, slides)
        elif cell.cell_type == "code" and not skipping:
            slide = from_code(cell, slides[-1] if slides else None, section, wish)
            if slide is not None:
                slides.append(slide)
        if slides and not skipping:
            first = slides[min(count, len(slides) - 1)]  # what this cell began, or went on
            first.minutes = plan.get("minutes", first.minutes)
            if "notes" in plan:
                first.notes.insert(0, f"**In class:** {plan['notes']}")
    return without_empty(slides)


def without_empty(slides):
    """Leave out slides that show nothing; what is said there is said on the next one."""
    shown, before = [], []
    for slide in slides:
        if not slide.blocks:
            before.append(slide)
            continue
        for empty in before:
            slide.minutes += empty.minutes
        slide.notes[:0] = [note for empty in before for note in empty.notes]
        before = []
        shown.append(slide)
    return shown


def from_text(source, section, before):
    """Return the slides of one Markdown cell: a slide per heading, box and common mistake."""
    slides = []
    title = before[-1].title if before else section
    current = Slide(title, section)

    def flush():
        nonlocal current
        if current.blocks or current.notes:
            slides.append(current)
        current = Slide(title, section)

    boxes = [match[1] for match in BOX.finditer(source)]
    folded = DETAILS.findall(source)
    rest = paragraphs(DETAILS.sub("", BOX.sub("\n\n\0BOX\n\n", source)))
    for block, following in zip(rest, [*rest[1:], ""], strict=False):
        heading = HEADING.match(block)
        if block == "\0BOX":
            flush()
            box = boxes.pop(0)
            current.blocks.append(f'<div class="box">{boxed(box)}</div>')
            current.notes.append(box)
            current.full = True
            flush()
        elif heading:
            flush()
            title = plain(heading[2])
            current = Slide(title, section or title, level=len(heading[1]))
            if len(heading[1]) == 1:
                current.blocks.append(f"<h1>{html.escape(title)}</h1>")
            text = block[heading.end() :].strip()
            if text:
                show_block(current, text, following)
        elif block.startswith("**Common mistake"):
            flush()
            show_block(current, block, following)
        else:
            if len(current.blocks) >= BLOCKS and current.level > 1:
                flush()
            show_block(current, block, following)
    asked = [match[1] for match in map(SUMMARY.search, folded) if "?" in match[1]]
    if asked:
        current.blocks.append(rendered("\n".join(f"- {question}" for question in asked)))
    said = current if rest or not before else before[-1]
    said.notes.extend(re.sub(r"</?details>|</?summary>", "", text) for text in folded)
    headed = bool(rest and HEADING.fullmatch(rest[-1]))  # then the next cell goes on with it
    if current.blocks or current.notes or headed:
        slides.append(current)
    return slides


def boxed(text):
    """Return what is shown of a box: its lists whole, of its paragraphs the beginning."""
    blocks = paragraphs(text)
    for place, block in enumerate(blocks):
        if not re.search(r"^([-*+]|\d+\.) |^\$\$", block, re.MULTILINE):
            blocks[place] = lead(block, BLOCKS + bool(LABEL.match(block)))
    return rendered("\n\n".join(blocks))


def show_block(slide, block, following):
    """Put a paragraph on a slide: lists, tables and formulas whole, of prose the beginning."""
    slide.notes.append(block)
    if block.startswith("    "):
        slide.blocks.append(f"<pre>{html.escape(textwrap.dedent(block))}</pre>")
        return
    if LIST.match(block) or block.startswith(("|", "$$", ">")):
        slide.blocks.append(rendered(block))
        return
    formulas = FORMULA.findall(block)
    text = FORMULA.sub("", block)
    if text.strip():
        count = SENTENCES + bool(LABEL.match(text))
        goes_on = bool(LIST.match(following)) or following.startswith("    ")
        slide.blocks.append(rendered(lead(text, count, last=goes_on)))
    slide.blocks.extend(rendered(formula) for formula in formulas)


def from_code(cell, before, section, wish):
    """Put a code cell on the slide of the text before it, or return a slide of its own.

    Figures come without their code, long cells with their output only.
    """
    blocks = shown(cell, wish)
    if not blocks:
        return None
    room = before is not None and not before.full and before.level > 1
    if room and len(before.blocks) < BLOCKS and before.section == section and wish != "slide":
        before.blocks.extend(blocks)
        before.full = True
        return None
    return Slide(before.title if before else section, section, blocks=blocks, full=True)


def shown(cell, wish):
    """Return what is shown of a code cell, as blocks of HTML."""
    hidden = cell.metadata.get("jupyter", {}).get("outputs_hidden") or wish == "fragment"
    kind = "fragment" if hidden else "output"
    pictures = [picture for picture in map(figure, cell.outputs) if picture]
    printed = [
        f'<div class="{kind}">{text}</div>' for text in map(text_output, cell.outputs) if text
    ]
    if pictures:
        printed = [f'<div class="{kind}">{"".join([*pictures, *caption(cell.outputs)])}</div>']
    setup = not cell.outputs and re.match(r"(from|import) ", cell.source)
    too_long = cell.source.count("\n") >= MOST_LINES
    if (pictures or setup or too_long) and wish != "slide":
        return printed
    return [Highlight2HTML(pygments_lexer="python")(cell.source), *printed]


def figure(output):
    """Return a picture or a slider of an output as HTML, or nothing."""
    data = output.get("data", {})
    if "image/png" in data:
        meta = output.get("metadata", {}).get("image/png", {})
        alt = html.escape(meta.get("alt", "figure"), quote=True)
        code = data["image/png"].replace("\n", "")
        return f'<img class="figure" alt="{alt}" src="data:image/png;base64,{code}">'
    page = data.get("text/html", "")
    return page if "<script" in page else ""


def caption(outputs):
    """Yield the captions of a figure, small."""
    for output in outputs:
        text = output.get("data", {}).get("text/markdown")
        if text:
            yield f'<div class="caption">{rendered(text)}</div>'


def text_output(output):
    """Return what a cell printed, or its table, as HTML."""
    if output.output_type == "stream":
        return f"<pre>{html.escape(output.text)}</pre>"
    data = output.get("data", {})
    if "text/html" in data:
        return data["text/html"]
    if "text/plain" in data and "image/png" not in data and "text/markdown" not in data:
        return f"<pre>{html.escape(data['text/plain'])}</pre>"
    return ""


def rendered(text):
    """Return Markdown as HTML; links inside the lesson lead nowhere in a deck, so they go."""
    page = markdown2html_mistune(text)
    page = re.sub(r'<a class="anchor-link".*?</a>', "", page)
    return re.sub(r'<a href="(#|[^"h])[^"]*">(.*?)</a>', r"\2", page)


def minutes_of(notebook):
    """Return the minutes that a lesson says it takes."""
    found = re.search(r"About (\d+) minutes", notebook.cells[0].source)
    return int(found[1]) if found else 45


def with_timing(slides, minutes):
    """Say on the first slide of each section how many minutes it has, and from when.

    Where the author does not say, the words decide how the rest of the time is shared.
    """
    words, given = {}, {}
    for slide in slides:
        count = sum(len(note.split()) for note in slide.notes) + 40 * len(slide.blocks)
        words[slide.section] = words.get(slide.section, 0) + count
        given[slide.section] = given.get(slide.section, 0) + slide.minutes
    rest = max(0, minutes - sum(given.values()))
    total = sum(words[section] for section in words if not given[section])
    clock, seen = 0.0, set()
    for slide in slides:
        if slide.section in seen:
            continue
        seen.add(slide.section)
        span = given[slide.section] or rest * words[slide.section] / total
        mistakes = [
            lead(note).strip("*")
            for other in slides
            if other.section == slide.section
            for note in other.notes
            if note.startswith("**Common mistake")
        ]
        clue = "".join(f"\n- {mistake}" for mistake in mistakes)
        text = f"**{slide.section}**: about {max(1, round(span))} minutes, from minute {clock:.0f}."
        slide.notes.insert(0, text + (f"\n\nMisconceptions:\n{clue}" if clue else ""))
        clock += span
    return slides


def deck(notebook, title, assets):
    """Return the whole deck as one HTML page."""
    slides, groups = with_timing(slides_of(notebook), minutes_of(notebook)), []
    for slide in slides:
        if not groups or groups[-1][0].section != slide.section:
            groups.append([])
        groups[-1].append(slide)
    body = "\n".join(
        "<section>" + "\n".join(screen(slide) for slide in group) + "</section>" for group in groups
    )
    return PAGE.read_text(encoding="utf-8").format(
        title=html.escape(title),
        css=assets["css"],
        pygments=HtmlFormatter(style="default").get_style_defs(".highlight"),
        body=body,
        reveal=assets["reveal"],
        notes=assets["notes"],
        mathjax=assets["mathjax"],
    )


def screen(slide):
    """Return one slide as a section of reveal.js."""
    head = "" if slide.level == 1 else f"<h2>{html.escape(slide.title)}</h2>"
    notes = rendered("\n\n".join(slide.notes))
    inside = f'<div class="fit">{head}{"".join(slide.blocks)}</div>'
    return f'<section>{inside}<aside class="notes">{notes}</aside></section>'


def read_assets():
    """Return reveal.js and MathJax from the packages that bring them, ready to stand in a page."""
    reveal = package("sphinx_revealjs", "sphinx-revealjs") / "_static" / "revealjs"
    mathjax = package("sphinx-mathjax-offline", "sphinx-mathjax-offline") / "static" / "mathjax"
    theme = (reveal / "dist" / "theme" / "white.css").read_text(encoding="utf-8")
    theme = re.sub(r"@import[^;]+;|@font-face\s*{[^}]*}", "", theme)  # fonts of the system will do
    css = (reveal / "dist" / "reveal.css").read_text(encoding="utf-8") + theme
    scripts = {
        "reveal": reveal / "dist" / "reveal.js",
        "notes": reveal / "plugin" / "notes" / "notes.js",
        "mathjax": mathjax / "tex-svg-full.js",
    }
    assets = {name: path.read_text(encoding="utf-8") for name, path in scripts.items()}
    assets = {name: text.replace("</script", "<\\/script") for name, text in assets.items()}
    return assets | {"css": css}


def package(folder, name):
    """Return the folder of an installed package."""
    found = find_spec(folder) if folder.isidentifier() else None
    place = Path(found.origin).parent if found else None
    if place is None:
        places = (Path(entry) / folder for entry in sys.path)
        place = next((path for path in places if path.is_dir()), None)
    if place is None:
        raise SystemExit(f"slides: the package {name} is missing; run `python3 course.py slides`")
    return place


def lessons(numbers):
    """Return the notebooks of the lessons asked for, all if none are named."""
    found = sorted((ROOT / "notebooks").glob("[0-9][0-9]*.ipynb"))
    if numbers:
        found = [path for path in found if any(path.stem.startswith(n) for n in numbers)]
        if not found:
            raise SystemExit(f"slides: no lesson {', '.join(numbers)} in notebooks/")
    return found


def main(argv=None):
    """Write a deck for each lesson and say where."""
    parser = argparse.ArgumentParser(prog="course.py slides", description=__doc__.split("\n")[0])
    parser.add_argument("lessons", nargs="*", metavar="NN")
    parser.add_argument("--out", type=Path, default=ROOT / "slides")
    options = parser.parse_args(argv)
    paths, assets = lessons(options.lessons), read_assets()
    options.out.mkdir(parents=True, exist_ok=True)
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        title = plain(HEADING.search(notebook.cells[0].source)[2])
        target = options.out / f"{path.stem}.html"
        target.write_text(deck(notebook, title, assets), encoding="utf-8")
        count = len(slides_of(notebook))
        print(f"{target}: {count} slides, {target.stat().st_size / 1e6:.1f} MB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
