"""Write the pages of the site as Sphinx wants them, from the notebooks and documents of the course.

A page of ``docs/`` may have lines ``<!-- name -->``; what is generated under that name stands
there. Folders are as in the repository, so the links between notebooks lead where they should.
"""

import base64
import copy
import hashlib
import html
import re
import shutil
import struct
from importlib import import_module

from nbformat.v4 import new_markdown_cell, new_notebook, writes

import mlcourse
from tools.site.lessons import BOX, HEADING, ROOT, exercises, lessons

SUMMARY = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)
PLACE = re.compile(r"^<!-- (\w+) -->$", re.MULTILINE)
CODE = re.compile(r"`([\w.]+)`")

BESIDE = {"lite": "python -m tools.lite", "slides": "course.py slides"}  # folders of other makers
IN_BROWSER = """<p><b>Here and now.</b> <a href="lite/lab/index.html">JupyterLab in this browser</a>
has all lessons and exercises, with nothing to install. Your changes stay in this browser.</p>"""


def stage(folder, beside=()):
    """Write everything that Sphinx needs into a new folder; link to the folders ``beside``."""
    course, tasks = lessons(), exercises()
    generated = {
        "browser": IN_BROWSER if "lite" in beside else "",
        "lessons": lesson_cards(course, tasks),
        "exercises": exercise_cards(tasks),
        "notation": notation(course),
        "words": words(course),
        "modules": modules(),
        "pages": "\n".join(f"library/{name}" for name in public_modules()),
        "results": results(),
    }
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = PLACE.sub(lambda match: generated[match[1]], page.read_text(encoding="utf-8"))
        if page.stem == "errata":
            write(folder / "errata.ipynb", writes(errata(text, course, folder)))
        else:
            write(folder / page.name, text)
    for each in [*course, *tasks]:
        write(folder / each.path.relative_to(ROOT), writes(staged(each, folder, beside)))
    for name in ("INSTRUCTORS", "CONTRIBUTING"):
        text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
        write(folder / f"{name.lower()}.md", text)
    shutil.copytree(ROOT / "docs" / "figures", folder / "extra" / "figures", dirs_exist_ok=True)
    for name in ("benchmarks/results.png", "docs/figures/01_information_theory.png"):
        shutil.copy(ROOT / name, folder)
    for name in public_modules():
        write(folder / "library" / f"{name}.md", module_page(name))
    write(folder / "library" / "inside.md", inside())


def write(path, text):
    """Write a text file, with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# Notebooks -------------------------------------------------------------------------------------


def staged(lesson, folder, beside=()):
    """Return a notebook for the site: anchors at errata, pictures as files, answers folded."""
    notebook = copy.deepcopy(lesson.notebook)
    count, up = 0, "/".join(".." for _ in page_of(lesson).split("/")[1:])

    def anchored(match):
        nonlocal count
        count += 1
        return match[0].replace("<div ", f'<div id="erratum-{count}" ', 1)

    for cell in notebook.cells:
        cell.metadata.pop("slideshow", None)
        if cell.cell_type == "markdown":
            cell.source = BOX.sub(anchored, with_formulas(cell.source))
        elif cell.cell_type == "code":
            cell.outputs = [seen(output, lesson, folder, up) for output in cell.outputs]
            if cell.metadata.get("jupyter", {}).get("outputs_hidden"):
                fold(cell, "hide-output", "Predict first, then unfold", "Fold the answer")
    if offers := offered(lesson, up, beside):
        head, _, rest = notebook.cells[0].source.partition("\n")
        notebook.cells[0].source = f'{head}\n\n<p class="offers">{offers}</p>\n{rest}'
    return notebook


def offered(lesson, up, beside):
    """Return links to what else there is of a lesson: to run it in the browser, to see slides."""
    path, links = lesson.path.relative_to(ROOT).as_posix(), []
    if "lite" in beside:
        links.append(f'<a href="{up}/lite/lab/index.html?path={path}">Run it in the browser</a>')
    if "slides" in beside and lesson.path.parent.name == "notebooks":
        links.append(f'<a href="{up}/slides/{lesson.path.stem}.html">Slides</a>')
    return " · ".join(links)


def fold(cell, tag, show, hide):
    """Fold (a part of) a code cell under a line of text."""
    cell.metadata = {"tags": [tag], "mystnb": {"code_prompt_show": show, "code_prompt_hide": hide}}


def with_formulas(source):
    """Mark the formulas in the one line of HTML that Markdown does not read: the summary."""

    def formula(match):
        inner = html.escape(match[1], quote=False)
        return f'<span class="math notranslate nohighlight">\\({inner}\\)</span>'

    def summary(match):
        return f"<summary>{re.sub(r'[$]([^$]+)[$]', formula, match[1])}</summary>"

    return SUMMARY.sub(summary, source)


def seen(output, lesson, folder, up):
    """Return an output as the site shows it: a picture as a file with its text and its size."""
    data = output.get("data", {})
    if "image/png" not in data:
        return output
    raw = base64.b64decode(data["image/png"])
    width, height = struct.unpack(">II", raw[16:24])
    name = f"{lesson.path.stem}-{digest(raw)}.png"
    target = folder / "extra" / "figures" / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(raw)
    alt = html.escape(output.metadata.get("image/png", {}).get("alt", ""), quote=True)
    shown = copy.deepcopy(output)
    shown.data = {
        "text/html": f'<img class="figure" src="{up}/figures/{name}" alt="{alt}" '
        f'width="{width}" height="{height}" loading="lazy">',
        "text/plain": data.get("text/plain", ""),
    }
    shown.metadata = {}
    return shown


def digest(raw):
    """Return a short name for some bytes."""
    return hashlib.sha256(raw).hexdigest()[:10]


def page_of(lesson):
    """Return where a lesson's page is, seen from the top of the site, without its ending."""
    return lesson.path.relative_to(ROOT).with_suffix("").as_posix()


def errata(intro, course, folder):
    """Return a notebook of all boxes "In the lecture notes" with the cells that settle them."""
    cells = [new_markdown_cell(intro)]
    for lesson in course:
        found = lesson.errata()
        if not found:
            continue
        cells.append(new_markdown_cell(f"## {lesson.title}"))
        for erratum in found:
            place = f"{page_of(lesson)}.html#{erratum.anchor}"
            text = re.sub(r"\]\(#", f"]({page_of(lesson)}.ipynb#", erratum.text)
            text = re.sub(r"^\*\*In the lecture notes\.\*\*\s*", "", text)
            where = f'<a href="{place}">Lesson {lesson.number}: {spoken(erratum.heading)}</a>'
            cells.append(
                new_markdown_cell(f'<p class="erratum-place">{where}</p>\n\n{with_formulas(text)}')
            )
            if erratum.computation is not None:
                cells.append(computation(erratum, folder))
    for number, cell in enumerate(cells):
        cell.id = f"e{number}"  # a cell may settle two boxes
    return new_notebook(cells=cells, metadata=course[0].notebook.metadata if course else {})


def computation(erratum, folder):
    """Return a folded copy of the code cell beside a box; a moving figure shows its first frame."""
    cell = copy.deepcopy(erratum.computation)
    moving = [o for o in cell.outputs if "<script" in o.get("data", {}).get("text/html", "")]
    cell.outputs = [
        seen(output, erratum.lesson, folder, up=".")
        for output in cell.outputs
        if output not in moving
    ]
    fold(cell, "hide-cell", "Show the computation", "Fold the computation")
    return cell


def spoken(heading):
    """Return a heading for a line of HTML: its formulas marked, Markdown's marks gone."""
    text = with_formulas(f"<summary>{re.sub('[*`]', '', heading)}</summary>")
    return text.removeprefix("<summary>").removesuffix("</summary>")


# Cards and tables ------------------------------------------------------------------------------


def lesson_cards(course, tasks):
    """Return the map of the lessons: question, minutes, needs, what follows, exercise."""
    needed = {lesson.number: prerequisites(lesson, course) for lesson in course}
    cards = []
    for lesson in course:
        mine = [task for task in tasks if task.number == lesson.number[:2]]
        after = [other for other in course if lesson.number in needed[other.number]]
        lines = [
            '<div class="lesson-card">\n',
            thumbnail(lesson),
            f"**[{lesson.title.removeprefix('Lesson ')}]({page_of(lesson)}.ipynb)**\n",
            f"{lesson.question}\n",
            f"*{lesson.minutes} minutes.* Needs: {lesson.needs}.\n",
        ]
        if after:
            numbers = ", ".join(f"[{other.number}]({page_of(other)}.ipynb)" for other in after)
            lines.append(f"Used by: {numbers}.\n")
        for task in mine:
            lines.append(f"[{task.title}]({page_of(task)}.ipynb)\n")
        cards.append("\n".join([*lines, "</div>"]))
    total = sum(lesson.minutes for lesson in course)
    head = f"{len(course)} lessons, {total // 60} hours and {total % 60} minutes of reading."
    return "\n\n".join([head, '<div class="lesson-map">', *cards, "</div>"])


def thumbnail(lesson):
    """Return the small picture of a lesson; it says nothing that the card does not."""
    picture = ROOT / "docs" / "figures" / f"{lesson.path.stem}.png"
    if not picture.exists():
        return ""
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    size = f'width="{width}" height="{height}" loading="lazy"'
    return f'<p><img src="figures/{picture.name}" alt="" {size}></p>\n'


def prerequisites(lesson, course):
    """Return the numbers of the lessons that a lesson says it needs."""
    text = lesson.needs.split(";")[0]
    for first, last in re.findall(r"(\d\d) to (\d\d)", text):
        text += " " + " ".join(f"{n:02d}" for n in range(int(first), int(last) + 1))
    named = re.findall(r"\b\d\d[a-z]?\b", text)
    return [each.number for each in course if any(each.number.startswith(name) for name in named)]


def exercise_cards(tasks):
    """Return the exercises with what they are about and the minutes they take."""
    lines = []
    for task in tasks:
        about = re.split(r"\n\s*\n", task.opening)[1]
        minutes = f" *{task.minutes} minutes.*" if task.minutes else ""
        lines.append(f"**[{task.title}]({page_of(task)}.ipynb)**{minutes}\n\n{about}\n")
    return "\n".join(lines)


def linked(code):
    """Return what a glossary calls a thing in code, with links to the library where it has it."""

    def link(match):
        name = match[1].removeprefix("mlcourse.")
        home = mlcourse._MODULE_OF.get(name)
        if home is None:
            return match[0]
        kind = "class" if isinstance(getattr(mlcourse, name), type) else "func"
        return f"{{py:{kind}}}`{name} <mlcourse.{home}.{name}>`"

    return CODE.sub(link, code)


def notation(course):
    """Return the table of all symbols, in the order in which they come up."""
    rows = ["| symbol | meaning | in code | introduced |", "|---|---|---|---|"]
    for word in (word for lesson in course for word in lesson.glossary()):
        if word.symbol.strip("–- "):
            meaning = f"{word.word}: {word.meaning}" if word.meaning else word.word
            rows.append(f"| {word.symbol} | {meaning} | {linked(word.code)} | {origin(word)} |")
    return "\n".join(rows)


def words(course):
    """Return the table of all words in alphabetical order."""
    found = [word for lesson in course for word in lesson.glossary()]
    rows = ["| word | symbol | meaning | in code | lesson |", "|---|---|---|---|---|"]
    for word in sorted(
        found, key=lambda word: (re.sub(r"\W", "", word.word).casefold(), word.lesson.number)
    ):
        cells = word.word, word.symbol, word.meaning or "–", linked(word.code), origin(word)
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def origin(word):
    """Return a link to the lesson of a word."""
    return f"[{word.lesson.number}]({page_of(word.lesson)}.ipynb)"


def results():
    """Return the benchmark page without its title, for the middle of another page."""
    text = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    return text[HEADING.search(text).end() :]


# The library -----------------------------------------------------------------------------------


def public_modules():
    """Return the modules that have public names, in lecture order."""
    return [name for name, names in mlcourse._NAMES.items() if names]


def first_sentence(name):
    """Return the question that a module answers."""
    lines = import_module(f"mlcourse.{name}").__doc__.strip().split("\n\n")[0]
    return " ".join(lines.split())


def modules():
    """Return the list of the modules: the question of each, its public names, its page."""
    lines = []
    for name in public_modules():
        public = ", ".join(linked(f"`{each}`") for each in mlcourse._NAMES[name])
        question = first_sentence(name).replace("*", "\\*")
        lines.append(f"- **[mlcourse.{name}](library/{name}.md)** {question}\\\n  {public}")
    return "\n".join(lines)


def module_page(name):
    """Return the page of a module: its docstring and those of its public names."""
    return f"# mlcourse.{name}\n\n```{{eval-rst}}\n.. automodule:: mlcourse.{name}\n```\n"


def inside():
    """Return the page of the modules without public names: what they are for."""
    lines = ["# Inside the library", ""]
    lines += [
        "The modules that no lesson calls by name, and the question each of them answers.",
        "",
    ]
    for name, names in mlcourse._NAMES.items():
        if not names:
            lines += [
                f"## mlcourse.{name}",
                "",
                "```{eval-rst}",
                f".. automodule:: mlcourse.{name}",
            ]
            lines += ["   :no-members:", "```", ""]
    return "\n".join(lines)
