"""What a notebook must not hold: the faults nbval lets through.

Each guard takes a notebook and returns the problems it finds as sentences, empty if none.
tests/test_guards.py breaks a notebook in just the way each guard is for.
Guards of STORED look at the built .ipynb, guards of WRITTEN at the text the author wrote.
"""

import re
import socket
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from tools.prose import blank

ROOT = Path(__file__).resolve().parent.parent


def _cells(notebook, kind):
    """Yield (number from 1, cell) of the cells of one kind."""
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == kind:
            yield number, cell


def _texts(notebook):
    """Yield (number, text) of everything readable that the code cells put out."""
    for number, cell in _cells(notebook, "code"):
        for output in cell.outputs:
            if "text" in output:
                yield number, output.text
            if output.output_type == "error":
                yield number, "\n".join([output.ename, output.evalue, *output.traceback])
            for kind, value in output.get("data", {}).items():
                if isinstance(value, str) and not kind.startswith("image/"):
                    yield number, re.sub(r"data:image/png;base64,[\w+/=]+", "", value)


# The built notebook --------------------------------------------------------------------------


def not_executed(notebook):
    """Find cells run out of order, not run at all, or stripped of their outputs."""
    problems = []
    for order, (number, cell) in enumerate(_cells(notebook, "code"), start=1):
        if cell.execution_count is None:
            problems.append(f"cell {number} was not executed")
        elif cell.execution_count != order:
            problems.append(f"cell {number} was executed as number {cell.execution_count}")
        elif not cell.outputs and re.search(r"^(show|print|figure_slider)\(", cell.source, re.M):
            problems.append(f"cell {number} has lost its output")
    return problems


def untagged_errors(notebook):
    """Find errors in cells that are not tagged raises-exception."""
    return [
        f"cell {number} stores the error {output.ename}"
        for number, cell in _cells(notebook, "code")
        for output in cell.outputs
        if output.output_type == "error" and "raises-exception" not in cell.metadata.get("tags", [])
    ]


def warnings(notebook):
    """Find warnings and anything else on the error stream."""
    streams = [
        f"cell {number} writes to stderr: {output.text.strip()[:60]!r}"
        for number, cell in _cells(notebook, "code")
        for output in cell.outputs
        if output.get("name") == "stderr"
    ]
    printed = [
        f"cell {number} shows a {match[0]}"
        for number, text in _texts(notebook)
        if (match := re.search(r"\b\w*Warning\b(?=:)", text))
    ]
    return streams + printed


def addresses(notebook):
    """Find memory addresses, which differ from run to run."""
    return [
        f"cell {number} prints an address: {match[0]}"
        for number, text in _texts(notebook)
        if (match := re.search(r"\b0x[0-9a-fA-F]{6,}\b", text))
    ]


def trailing_semicolons(notebook):
    """Find cells that end with ';', which nbval cannot compare."""
    return [
        f"cell {number} ends with ';'"
        for number, cell in _cells(notebook, "code")
        if cell.source.rstrip().endswith(";")
    ]


WIDTH = 92  # characters of code that fit a cell in JupyterLab beside the file browser


def wide_code(notebook):
    """Find code lines that would be cut off at the right edge of the cell."""
    return [
        f"cell {number} has a line of {len(line)} characters, over {WIDTH}: {line.strip()[:40]!r}"
        for number, cell in _cells(notebook, "code")
        for line in cell.source.splitlines()
        if len(line) > WIDTH
    ]


def spoilers(notebook):
    """Find hidden outputs whose first line, which JupyterLab shows, holds a number."""
    problems = []
    for number, cell in _cells(notebook, "code"):
        if cell.metadata.get("jupyter", {}).get("outputs_hidden") and cell.outputs:
            first = cell.outputs[0].get("text", "0").split("\n")[0]
            if re.search(r"\d", first):
                problems.append(f"cell {number} hides its output but shows {first!r}")
    return problems


def captions(notebook):
    """Find pictures without a caption, in their metadata and as text below."""
    problems = []
    for number, cell in _cells(notebook, "code"):
        for place, output in enumerate(cell.outputs):
            if "image/png" not in output.get("data", {}):
                continue
            caption = output.metadata.get("image/png", {}).get("alt", "")
            below = cell.outputs[place + 1 : place + 2]
            text = below[0].get("data", {}).get("text/plain", "") if below else ""
            if not caption:
                problems.append(f"cell {number} has a picture without a caption: use show()")
            elif caption not in text:
                problems.append(f"cell {number} does not print its picture's caption below it")
    return problems


_MACHINE = re.compile(
    r"(?:^|[\s\"'(=<>~])(/(?:home|root|tmp|var|usr|opt|mnt|private|Users|Volumes)/[^\s\"'<]*"
    r"|[A-Z]:\\[^\s\"'<]+|(?:https?|ftp)://[^\s\"'<]+|localhost\b|127\.0\.0\.1)",
    re.MULTILINE,
)


def machine_traces(notebook):
    """Find paths of this machine, host names and web addresses in outputs."""
    host = socket.gethostname()
    problems = []
    for number, text in _texts(notebook):
        match = _MACHINE.search(text)
        if match:
            problems.append(f"cell {number} shows a path or host: {match[1]}")
        elif len(host) > 3 and re.search(rf"\b{re.escape(host)}\b", text):
            problems.append(f"cell {number} shows the name of this machine")
        elif str(ROOT) in text:
            problems.append(f"cell {number} shows the path of the repository")
    return problems


# The written text ----------------------------------------------------------------------------

_MYST = [
    (re.compile(r"^\s*(?:```+|~~~+|:::+)\{[\w:-]+\}", re.M), "directive"),
    (re.compile(r"\{[a-zA-Z][\w:-]*\}`[^`]+`"), "role"),
    (re.compile(r"^\([\w -]+\)=\s*$", re.M), "target"),
]


def myst_syntax(notebook):
    """Find MyST directives, roles and targets, which JupyterLab shows as raw text."""
    return [
        f"cell {number} uses a MyST {what}: {match[0].strip()}"
        for number, cell in _cells(notebook, "markdown")
        for pattern, what in _MYST
        if (match := pattern.search(cell.source))
    ]


_DECIMAL = re.compile(r"(?<![\w.])(?:\d+)?\.\d+(?![\w.]*\d\.)")


def typed_decimals(notebook):
    """Find decimals typed into prose; {{ }} computes them, <q> marks what a lecture printed."""
    problems = []
    for number, cell in _cells(notebook, "markdown"):
        text = re.sub(r"\{\{.*?\}\}", "", cell.source, flags=re.DOTALL)
        text = re.sub(r"<q>.*?</q>", "", text, flags=re.DOTALL)
        text = re.sub(r"\]\([^)]*\)|<a [^>]*>|https?://\S+", "", text)  # addresses of links
        problems += [
            f"cell {number} types the number {match[0]}: compute it with {{{{ }}}}, "
            "or mark what is printed elsewhere with <q></q>"
            for match in _DECIMAL.finditer(text)
        ]
    return problems


def _headings(notebook):
    """Yield (cell number, level, text) of every Markdown heading."""
    for number, cell in _cells(notebook, "markdown"):
        for match in re.finditer(r"^(#{1,6})\s+(.+?)\s*#*$", blank(cell.source, "code"), re.M):
            yield number, len(match[1]), cell.source[match.start(2) : match.end(2)]


def headings(notebook):
    """Find a missing or second title, skipped levels and headings that occur twice."""
    found = list(_headings(notebook))
    problems = []
    if not found or found[0][1] != 1:
        problems.append("the first heading is not the title (one '#')")
    seen, level = set(), 1
    for place, (number, depth, text) in enumerate(found):
        if place and depth == 1:
            problems.append(f"cell {number}: second title {text!r}")
        if depth > level + 1:
            problems.append(f"cell {number}: heading {text!r} skips a level")
        if text in seen:
            problems.append(f"cell {number}: heading {text!r} occurs twice")
        seen.add(text)
        level = depth
    return problems


def links(notebook, path):
    """Find internal links that lead nowhere, in the repository or in a student's copy of it.

    ``path`` is where the .ipynb stands. A student has only lessons and exercises, so links must
    stay within notebooks/ and exercises/.
    """
    anchors = {text.replace(" ", "-") for _, _, text in _headings(notebook)}
    problems = []
    for number, cell in _cells(notebook, "markdown"):
        text = blank(cell.source, "code", "math")
        targets = re.findall(r"\]\(([^)\s]+)[^)]*\)", text)
        targets += re.findall(r"(?:href|src)=[\"']([^\"']+)[\"']", text)
        for target in targets:
            if re.match(r"https?://|mailto:|attachment:", target):
                continue
            file, _, anchor = unquote(unescape(target)).partition("#")
            whole = (Path(path).parent / file).resolve() if file else Path(path).resolve()
            if file and not whole.exists():
                problems.append(f"cell {number} links to {target}, which does not exist")
            elif (
                file
                and not whole.is_relative_to(ROOT / "exercises")
                and (whole.parent != Path(path).resolve().parent)
            ):
                problems.append(f"cell {number} links to {target}, which students do not have")
            elif not file and anchor not in anchors:
                problems.append(f"cell {number} links to {target}, but no such heading is here")
    return problems


STORED = [
    not_executed,
    untagged_errors,
    warnings,
    addresses,
    trailing_semicolons,
    wide_code,
    spoilers,
    captions,
    machine_traces,
]
WRITTEN = [myst_syntax, typed_decimals, headings]
