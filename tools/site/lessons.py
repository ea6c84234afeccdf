"""What the lessons say about themselves: question, minutes, needs, glossary and errata.

Everything is read from the executed notebooks, so the site cannot say anything else.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent.parent
HEADING = re.compile(r"^(#{1,4}) +(.+?) *$", re.MULTILINE)
BOX = re.compile(r'<div class="alert[^>]*>\s*(\*\*In the lecture notes\..*?)\s*</div>', re.DOTALL)
ROW = re.compile(r"^\|(.+)\|\s*$")
CELL = re.compile(r"((?:\$[^$]*\$|`[^`]*`|\\\||[^|$`])*)(?:\||$)")  # no bar inside $…$ and `…`


@dataclass(frozen=True)
class Word:
    """One row of a lesson's glossary."""

    word: str
    symbol: str
    meaning: str
    code: str
    lesson: object


@dataclass(frozen=True)
class Erratum:
    """One box "In the lecture notes", with the cell that settles it."""

    text: str
    anchor: str
    heading: str  # of the section it stands in
    computation: object  # a code cell, or None
    lesson: object


@dataclass
class Lesson:
    """A notebook of the course, a lesson or an exercise."""

    path: Path

    @cached_property
    def notebook(self):
        """Return the notebook as it is stored."""
        return nbformat.read(self.path, as_version=4)

    @property
    def opening(self):
        """Return the first cell: title, question, objectives, minutes, needs."""
        return self.notebook.cells[0].source

    @property
    def number(self):
        """Return the number, as 02a."""
        return self.path.stem.split("_")[0]

    @property
    def title(self):
        """Return the title."""
        return HEADING.search(self.opening)[2]

    @property
    def question(self):
        """Return the question that the lesson answers."""
        found = re.search(r"^\*\*([^*]+\?)\*\*", self.opening, re.MULTILINE)
        return found[1] if found else ""

    @property
    def minutes(self):
        """Return the minutes that the lesson says it takes, 0 if it does not say."""
        found = re.search(r"[Aa]bout (\d+) minutes", self.opening)
        return int(found[1]) if found else 0

    @property
    def needs(self):
        """Return the sentence about what the reader must know, without links."""
        found = re.search(r"Needs: (.*?)[.] Follows", self.opening, re.DOTALL)
        text = found[1] if found else ""
        return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)

    def glossary(self):
        """Return the rows of the tables that begin with the columns word and symbol."""
        words = []
        for cell in self.notebook.cells:
            if cell.cell_type != "markdown":
                continue
            head = None
            for line in cell.source.splitlines():
                row = ROW.match(line)
                cells = split_row(row[1]) if row else None
                if cells is None:
                    head = None
                elif head is None:
                    head = cells
                elif head[:2] == ["word", "symbol"] and not set(line) <= set("|-: "):
                    words.append(self._word(dict(zip(head, cells, strict=True))))
        return words

    def _word(self, row):
        return Word(row["word"], row["symbol"], row.get("meaning", ""), row["in code"], self)

    def errata(self):
        """Return the boxes "In the lecture notes" in order."""
        found, heading = [], self.title
        cells = self.notebook.cells
        for at, cell in enumerate(cells):
            if cell.cell_type != "markdown":
                continue
            for match in BOX.finditer(cell.source):
                above = HEADING.findall(cell.source[: match.start()])
                place = above[-1][1] if above else heading
                last = not cell.source[match.end() :].strip() and not goes_on(cells, at)
                step = direction(match[1], last)
                computation = neighbor(cells, at, step) or neighbor(cells, at, -step)
                anchor = f"erratum-{len(found) + 1}"
                found.append(Erratum(match[1], anchor, place, computation, self))
            heads = HEADING.findall(cell.source)
            heading = heads[-1][1] if heads else heading
        return found


def direction(text, last):
    """Say where the computation of a box stands: 1 after it, -1 before it.

    A box at the end of its text leads to the next cell; one with text after it looks back. A box
    that says so itself is believed.

    >>> direction("It is 0.8813. The next cell shows why.", last=False)
    1
    >>> direction("The cell above computes all three.", last=True)
    -1
    """
    if re.search(r"\bcells? above\b", text):
        return -1
    return 1 if last or re.search(r"\bnext (two )?cells?\b", text) else -1


def goes_on(cells, at):
    """Say whether the text of a cell goes on in the next one."""
    return at + 1 < len(cells) and cells[at + 1].cell_type == "markdown"


def neighbor(cells, at, step):
    """Return the nearest code cell before (-1) or after (1) a place, or None."""
    while 0 <= (at := at + step) < len(cells):
        if cells[at].cell_type == "code":
            return cells[at]
    return None


def split_row(text):
    r"""Split a row of a Markdown table at its bars, not at those in formulas and code.

    >>> split_row(r" entropy | $H(X|Y)$ | `a | b` ")
    ['entropy', '$H(X|Y)$', '`a | b`']
    """
    return [cell.strip() for cell in CELL.findall(text)][: -1 if text else None]


def slug(text):
    """Return the anchor that JupyterLab gives a heading, which the lessons' links use.

    >>> slug("Is small always good?")
    'Is-small-always-good?'
    """
    return text.strip().replace(" ", "-")


def lessons(root=ROOT):
    """Return all lessons in order."""
    return [Lesson(path) for path in sorted((root / "notebooks").glob("[0-9][0-9]*.ipynb"))]


def exercises(root=ROOT):
    """Return all exercises, as students get them, in order."""
    return [Lesson(path) for path in sorted((root / "exercises").glob("[0-9]*/[0-9]*.ipynb"))]
