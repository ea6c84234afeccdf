"""Make a deck of slides from each lesson: ``python3 course.py slides [NN]``.

The deck comes from the notebook itself, so it cannot say anything else. One idea a slide: a slide
shows the heading, the first sentence of each paragraph, the formulas, a figure or a short cell with
its output. The full text goes to the speaker notes (key S), with the minutes for each section and
the misconceptions it refutes. A cell can say otherwise by its slideshow metadata, as in Jupyter:
``slide_type`` of "skip", "notes", "slide" (even if it would be skipped) or "fragment".

A deck is one HTML file that needs no network: reveal.js, MathJax and the figures are inside.
"""

import argparse
import html
import re
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import nbformat
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from pygments.formatters import HtmlFormatter

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = ("Glossary", "Sources")  # sections for readers, not for listeners
MOST_LINES = 16  # of a code cell that is shown
SENTENCES = 2  # shown of a paragraph; the rest is for the notes
BLOCKS = 4  # paragraphs and formulas on one slide
BOX = re.compile(r'<div class="alert[^>]*>\s*(.*?)\s*</div>', re.DOTALL)
DETAILS = re.compile(r"<details>.*?</details>", re.DOTALL)
FORMULA = re.compile(r"\$\$.*?\$\$", re.DOTALL)
SECTION = re.compile(r"^(?=##? )", re.MULTILINE)
END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)[.!?:][*_)\"”]*(?=\s+[A-Z*\"“\0]|$)")
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


def lead(paragraph, sentences=1):
    """Return the first sentences of a paragraph; formulas and code in them stay whole.

    >>> lead("One idea, $x. y$ is fine. The rest is for the notes.")
    'One idea, $x. y$ is fine.'
    """
    kept = []

    def hide(match):
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    text = re.sub(r"\$[^$]+\$|`[^`]+`|\[[^\]]*\]\([^)]*\)", hide, " ".join(paragraph.split()))
    ends = [match.end() for match in END.finditer(text)][:sentences]
    first = text[: ends[-1]] if ends else text
    first = re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], first)
    for mark in ("**", "*"):  # a sentence cut out of emphasis closes it
        if first.count(mark) % 2:
            first += mark
    return first


def paragraphs(text):
    """Split Markdown into blocks at blank lines."""
    return [block.strip() for block in re.split(r"\n\s*\n", text) if block.strip()]


def slides_of(notebook):
    """Return the slides of a lesson."""
    slides, section, skipping = [], "", False
    for cell in notebook.cells:
        wish = cell.metadata.get("slideshow", {}).get("slide_type", "")
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
    return [slide for slide in slides if slide.blocks]


def plain(text):
    """Return a heading without Markdown's marks."""
    return re.sub(r"[*_`]", "", text).strip()


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
    rest = DETAILS.sub("", BOX.sub("\n\n\0BOX\n\n", source))
    for block in paragraphs(rest):
        heading = HEADING.match(block)
        if block == "\0BOX":
            flush()
            box = boxes.pop(0)
            current.blocks.append(f'<div class="box">{rendered(lead(box, BLOCKS))}</div>')
            current.notes.append(box)
            current.full = True
            flush()
        elif heading:
            flush()
            title = plain(heading[2])
            current = Slide(title, section or title, level=len(heading[1]))
            if len(heading[1]) == 1:
                current.blocks.append(f"<h1>{html.escape(title)}</h1>")
            following = block[heading.end() :].strip()
            if following:
                show_block(current, following)
        elif block.startswith("**Common mistake"):
            flush()
            show_block(current, block)
        else:
            if len(current.blocks) >= BLOCKS:
                flush()
            show_block(current, block)
    if folded and (current.blocks or slides):
        current.notes.extend(re.sub(r"</?details>|</?summary>", "", text) for text in folded)
    flush()
    return slides


def show_block(slide, block):
    """Put a paragraph on a slide: lists, tables and formulas whole, of prose the first sentence."""
    slide.notes.append(block)
    if re.match(r"([-*+]|\d+\.) ", block) or block.startswith(("|", "$$", ">")):
        slide.blocks.append(rendered(block))
        return
    formulas = FORMULA.findall(block)
    text = FORMULA.sub("", block)
    if text.strip():
        # The label is no sentence
        labeled = text.startswith(("**Try it.**", "**Common mistake:**"))
        slide.blocks.append(rendered(lead(text, SENTENCES + labeled)))
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
    pictures = [picture for picture in map(figure, cell.outputs) if picture]
    if pictures and wish != "slide":
        return [*pictures, *caption(cell.outputs)]
    printed = [text for text in map(text_output, cell.outputs) if text]
    setup = not cell.outputs and re.match(r"(from|import) ", cell.source)
    too_long = cell.source.count("\n") >= MOST_LINES
    if (setup or too_long) and wish != "slide":
        return printed
    hidden = cell.metadata.get("jupyter", {}).get("outputs_hidden") or wish == "fragment"
    kind = "fragment" if hidden else "output"
    code = Highlight2HTML(pygments_lexer="python")(cell.source)
    return [code, *(f'<div class="{kind}">{text}</div>' for text in printed)]


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
            yield f'<p class="caption">{rendered(text)}</p>'


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
    """Give each section its minutes by its share of the words, and say it on its first slide."""
    words = {}
    for slide in slides:
        count = sum(len(note.split()) for note in slide.notes) + 40 * len(slide.blocks)
        words[slide.section] = words.get(slide.section, 0) + count
    total, clock, seen = sum(words.values()), 0.0, set()
    for slide in slides:
        if slide.section in seen:
            continue
        seen.add(slide.section)
        span = minutes * words[slide.section] / total
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
    return PAGE.format(
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


PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{css}</style>
<style>{pygments}</style>
<style>
.reveal {{ font-size: 26px; font-family: "Source Sans 3", "Helvetica Neue", Arial, sans-serif; }}
.reveal h1, .reveal h2, .reveal h3 {{ text-transform: none; letter-spacing: normal; }}
.reveal h1 {{ font-size: 1.9em; }} .reveal h2 {{ font-size: 1.3em; color: #1f4e79; }}
.reveal .slides section {{ text-align: left; height: 100%; }}
.reveal .fit {{ transform-origin: top left; }}
.reveal p, .reveal li {{ line-height: 1.35; }}
.reveal ul, .reveal ol {{ display: block; margin-left: 1.2em; }}
.reveal img.figure {{ max-height: 470px; max-width: 100%; display: block; margin: 0 auto; }}
.reveal .caption, .reveal .caption p {{ font-size: 0.66em; color: #555; margin: 0.3em 0; }}
.reveal pre, .reveal .highlight pre {{ font-size: 0.7em; width: 100%; box-shadow: none;
  margin: 0.3em 0; line-height: 1.3; white-space: pre; }}
.reveal .highlight {{ background: #f6f6f6; padding: 0.2em 0.6em; }}
.reveal table {{ font-size: 0.68em; margin: 0.4em 0; }}
.reveal table th, .reveal table td {{ padding: 0.15em 0.5em; }}
.reveal .box {{ border-left: 6px solid #1f77b4; background: #eaf3fb; padding: 0.2em 0.8em; }}
.reveal q {{ font-style: italic; }}
</style>
</head>
<body>
<div class="reveal"><div class="slides">
{body}
</div></div>
<script>
window.MathJax = {{ tex: {{ inlineMath: [["$", "$"], ["\\\\(", "\\\\)"]] }},
  svg: {{ fontCache: "local" }}, options: {{ enableMenu: false }}, startup: {{ typeset: false }} }};
</script>
<script>{mathjax}</script>
<script>{reveal}</script>
<script>{notes}</script>
<script>
const HEIGHT = 700;
// A slide that is too tall or too wide is scaled until it fits.
function fit(section) {{
  const box = section.querySelector(".fit");
  if (!box) return;
  box.style.transform = ""; box.style.width = "";
  const scale = Math.min(1, (HEIGHT - 30) / box.scrollHeight, 1160 / box.scrollWidth);
  if (scale < 1) {{
    box.style.transform = `scale(${{scale}})`;
    box.style.width = `${{100 / scale}}%`;
  }}
  section.dataset.scale = scale.toFixed(3);
}}
Reveal.initialize({{ width: 1200, height: HEIGHT, margin: 0.03, hash: true, center: false,
  slideNumber: "c/t", transition: "none", plugins: [RevealNotes], pdfSeparateFragments: false }})
  .then(() => MathJax.startup.promise)
  .then(() => MathJax.typesetPromise([document.querySelector(".slides")]))
  .then(() => {{
    Reveal.on("slidechanged", event => fit(event.currentSlide));
    fit(Reveal.getCurrentSlide());
    document.body.dataset.ready = "yes";
  }});
</script>
</body>
</html>
"""


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
