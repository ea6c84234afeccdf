"""Which cells run, and which are the answers? From a notebook as handed in to a plan.

The notebook is read leniently: students rename, delete, duplicate, reorder and edit cells, and
some programs drop nbgrader's metadata. Cells that came with the exercise and were deleted or
edited run first, in the version handed out; then the student's own cells run, in their order,
without the checks. The function of a question is taken where its check stands, as in JupyterLab.
"""

import json
import re
from dataclasses import dataclass, field

LARGEST = 30 * 2**20  # bytes of a notebook
MOST_CELLS = 2000
CHECK = re.compile(r"""^[ \t]*checks\.check\(\s*["'](?:\d+\.)?(\w+)["']""", re.MULTILINE)
USE = re.compile(r"""checks\.use\(\s*["'](\d+)["']""")


class Unreadable(Exception):
    """A file that is no notebook; the text says why, for the student."""


@dataclass(frozen=True)
class Cell:
    """A cell as handed in."""

    kind: str
    source: str
    name: str  # nbgrader's grade_id, or ""


@dataclass
class Plan:
    """What to run, and what is whose answer."""

    prelude: list  # sources that come with the exercise
    steps: list  # ("cell", number) and ("take", question), in order
    sources: dict  # number → source of the student's code cells
    answers: dict = field(default_factory=dict)  # question → numbers of its answer cells
    manual: dict = field(default_factory=dict)  # question → text
    notes: list = field(default_factory=list)

    def answer(self, question):
        """Return the student's answer to an automatic question."""
        return "\n\n".join(self.sources[number] for number in self.answers[question])


def read(data, size=None):
    """Return the cells of a notebook; ``size`` is the file's if data is only its beginning."""
    size = max(len(data), size or 0)
    if size > LARGEST:
        size = f"{size / 2**20:.0f} MB, more than {LARGEST >> 20} MB"
        raise Unreadable(f"the notebook has {size}: clear its outputs, save it, hand it in again")
    if not data.strip():
        raise Unreadable("the file is empty")
    try:
        notebook = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Unreadable("the file is not a notebook: it cannot be read as JSON") from None
    found = notebook.get("cells") if isinstance(notebook, dict) else None
    if found is None and isinstance(notebook, dict):  # the format before 2015
        sheets = notebook.get("worksheets")
        sheets = sheets if isinstance(sheets, list) else []
        found = [c for s in sheets if isinstance(s, dict) for c in listed(s.get("cells"))] or None
    if not isinstance(found, list):
        raise Unreadable("the file is not a notebook: it has no cells")
    return [cell(entry) for entry in found[:MOST_CELLS] if isinstance(entry, dict)]


def listed(value):
    """Return a value if it is a list, else an empty list."""
    return value if isinstance(value, list) else []


def cell(entry):
    """Return one cell of a notebook's JSON, whatever it holds."""
    source = entry.get("source", entry.get("input", ""))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    meta = entry.get("metadata")
    grader = meta.get("nbgrader") if isinstance(meta, dict) else None
    name = grader.get("grade_id") if isinstance(grader, dict) else None
    source = source if isinstance(source, str) else ""
    return Cell(str(entry.get("cell_type")), source, name if isinstance(name, str) else "")


def likeness(cells, lesson):
    """Say how much a notebook looks like the exercise of a lesson: 0 is not at all."""
    handed = {source.strip() for _, _, source in lesson.cells if source.strip()}
    shared = sum(entry.source.strip() in handed for entry in cells)
    text = "\n".join(entry.source for entry in cells if entry.kind == "code")
    shared += 100 * (lesson.number in [number.zfill(2) for number in USE.findall(text)])
    return shared + sum(defines(text, question.function) for question in lesson.questions.values())


def defines(source, function):
    """Say whether a text seems to define a function."""
    return bool(
        re.search(rf"^[ \t]*(def|class)\s+{function}\b|^{function}\s*=", source, re.MULTILINE)
    )


def blank(cells, lesson):
    """Say whether all answer cells are as they were handed out."""
    handed = {meta.get("grade_id"): source.strip() for _, meta, source in lesson.cells}
    answers = [c for c in cells if c.name in lesson.questions or c.name in lesson.manual]
    known = {source.strip() for _, _, source in lesson.cells}
    added = [c for c in cells if c.kind == "code" and c.source.strip() not in known | {""}]
    return not added and all(c.source.strip() == handed.get(c.name) for c in answers)


def plan(cells, lesson):
    """Return the plan for a notebook."""
    code = {i: c for i, c in enumerate(cells) if c.kind == "code" and c.source.strip()}
    own, checked = {}, {}
    for number, entry in code.items():
        asked = [name for name in CHECK.findall(entry.source) if name in lesson.questions]
        if entry.name.removesuffix("-check") in lesson.questions and entry.name.endswith("-check"):
            asked.append(entry.name.removesuffix("-check"))
        named = entry.name in lesson.questions
        if asked and not named and not any(defines(entry.source, f) for f in functions(lesson)):
            checked.update(dict.fromkeys(asked, number))
        else:
            own[number] = entry.source
    made = Plan(prelude(own, code, lesson), [], own)
    for name, question in lesson.questions.items():
        numbers = [i for i in own if code[i].name == name]
        made.answers[name] = numbers or [i for i in own if defines(own[i], question.function)]
    at = {name: place(made.answers[name], checked.get(name)) for name in lesson.questions}
    for number in sorted({*own, *checked.values()}):
        if number in own:
            made.steps.append(("cell", number))
        made.steps += [("take", name) for name in at if at[name] == number]
    last = max((i for i, step in enumerate(made.steps) if step[0] == "take"), default=-1)
    late = [("take", name) for name in at if at[name] is None]
    made.steps = made.steps + late if late else made.steps[: last + 1]
    known = {source.strip() for _, _, source in lesson.cells}
    written = [c for c in cells if c.kind != "code" and c.source.strip() not in known | {""}]
    for name in lesson.manual:
        texts = [c.source for c in written if c.name == name]
        # An answer in a cell of its own, or without metadata: a person sees all that was written.
        texts = texts or [c.source for c in written if c.name not in lesson.manual]
        made.manual[name] = "\n\n".join(texts).strip()
    remark(made, code, lesson)
    return made


def functions(lesson):
    """Return the names of the functions that a lesson asks for."""
    return [question.function for question in lesson.questions.values()]


def place(answers, check):
    """Return the check's place if it comes after every answer cell, else None: the end."""
    return check if check is not None and answers and check > max(answers) else None


def prelude(own, code, lesson):
    """Return the sources of cells that came with the exercise and are missing or edited now."""
    present = {source.strip() for source in own.values()}
    return [source for source in lesson.locked.values() if source.strip() not in present]


def remark(made, code, lesson):
    """Note what is unusual, for the log."""
    if made.prelude:
        made.notes.append(f"{len(made.prelude)} cells of the exercise are missing or edited")
    for name, numbers in made.answers.items():
        if sum(code[i].name == name for i in numbers) > 1:
            made.notes.append(f"{name}: {len(numbers)} answer cells, run in their order")
        elif numbers and code[numbers[0]].name != name:
            made.notes.append(f"{name}: found by the name of its function")
