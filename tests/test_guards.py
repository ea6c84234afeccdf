"""Each guard is tried on a notebook broken in just its way, and on one that is not."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import guards

CAPTION = "Line chart: a line. It rises."


def picture(alt=CAPTION):
    metadata = {"image/png": {"alt": alt}} if alt else {}
    return new_output("display_data", data={"image/png": "iVBORw0K"}, metadata=metadata)


def stream(text, name="stdout"):
    return new_output("stream", text=text, name=name)


def code(source, *outputs, count=1, tags=()):
    cell = new_code_cell(source, execution_count=count, outputs=list(outputs))
    if tags:
        cell.metadata.tags = list(tags)
    return cell


def hidden(text):
    cell = code("x", stream(text))
    cell.metadata.jupyter = {"outputs_hidden": True}
    return cell


def below(text=CAPTION):
    return new_output("display_data", data={"text/plain": text})


def error():
    return new_output("error", ename="ValueError", evalue="bad", traceback=["ValueError: bad"])


def good():
    notebook = new_notebook(
        cells=[
            new_markdown_cell("# Title\n\nWords, C4.5, 14 days and <q>0.8816</q>. {{ x:.2f }}"),
            code('print("a")', stream("a\n"), count=1),
            new_markdown_cell("## Part\n\n[here](#Part), [out](https://example.org/1.2)"),
            code("show(fig, caption)", picture(), below(), count=2),
            code("1 / 0", error(), count=3, tags=["raises-exception"]),
            hidden("Your guess first!\n42"),
        ]
    )
    notebook.cells[-1].execution_count = 4
    return notebook


def with_cells(*cells):
    return new_notebook(cells=list(cells))


def prose(text):
    return with_cells(new_markdown_cell(text))


BROKEN = {
    "stripped": (guards.not_executed, with_cells(new_code_cell("x = 1"))),
    "out of order": (guards.not_executed, with_cells(code("x", count=1), code("y", count=3))),
    "output lost": (guards.not_executed, with_cells(code("print(1)"))),
    "untagged error": (guards.untagged_errors, with_cells(code("1 / 0", error()))),
    "stderr": (guards.warnings, with_cells(code("x", stream("careful", "stderr")))),
    "warning": (guards.warnings, with_cells(code("x", stream("FutureWarning: soon gone")))),
    "address": (guards.addresses, with_cells(code("x", stream("<object at 0x7f3a2b1c4d5e>")))),
    "semicolon": (guards.trailing_semicolons, with_cells(code("plt.plot(x);\n"))),
    "wide code": (guards.wide_code, with_cells(code("x = " + "1 + " * 30 + "1"))),
    "spoiler": (guards.spoilers, with_cells(hidden("answer 42\nmore"))),
    "no alt": (guards.captions, with_cells(code("show()", picture(""), below()))),
    "no text below": (guards.captions, with_cells(code("show()", picture()))),
    "other text below": (guards.captions, with_cells(code("show()", picture(), below("x")))),
    "home": (guards.machine_traces, with_cells(code("x", stream("saved in /home/ann/data.csv")))),
    "windows": (guards.machine_traces, with_cells(code("x", stream(r"C:\Users\ann\data.csv")))),
    "address of a server": (guards.machine_traces, with_cells(code("x", stream("http://a.b/c")))),
    "local server": (guards.machine_traces, with_cells(code("x", stream("on localhost:8888")))),
    "directive": (guards.myst_syntax, prose("```{note}\nhello\n```")),
    "colon directive": (guards.myst_syntax, prose(":::{tip}\nhello\n:::")),
    "role": (guards.myst_syntax, prose("see {ref}`part`")),
    "target": (guards.myst_syntax, prose("(here)=\n# Title")),
    "decimal": (guards.typed_decimals, prose("The entropy is 0.94 bits.")),
    "short decimal": (guards.typed_decimals, prose("The entropy is .94 bits.")),
    "decimal in mathematics": (guards.typed_decimals, prose("$H = 0.94$")),
    "decimal in code": (guards.typed_decimals, prose("it gives `0.94 bits`")),
    "decimal at the end": (guards.typed_decimals, prose("It is 0.94.")),
    "no title": (guards.headings, prose("## Part")),
    "two titles": (guards.headings, prose("# One\n\n# Two")),
    "skipped level": (guards.headings, prose("# One\n\n### Three")),
    "heading twice": (guards.headings, prose("# One\n\n## A\n\n## A")),
}


@pytest.mark.parametrize(("guard", "notebook"), BROKEN.values(), ids=BROKEN.keys())
def test_guard_finds_its_fault(guard, notebook):
    assert len(guard(notebook)) == 1


@pytest.mark.parametrize("guard", [*guards.STORED, *guards.WRITTEN])
def test_guards_leave_a_good_notebook_alone(guard):
    assert guard(good()) == []


def test_every_guard_is_tried():
    assert {guard for guard, _ in BROKEN.values()} == {*guards.STORED, *guards.WRITTEN}


def test_captions_of_real_notebooks_survive_writing():
    text = nbformat.writes(good())
    assert guards.captions(nbformat.reads(text, as_version=4)) == []


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setattr(guards, "ROOT", tmp_path)
    for name in ("notebooks/01.ipynb", "notebooks/02.ipynb", "exercises/01/01.ipynb", "tools/a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path / "notebooks" / "01.ipynb"


@pytest.mark.parametrize(
    "link",
    [
        "[a](02.ipynb)",
        "[a](../exercises/01/01.ipynb)",
        "[a](#A-title)",
        "[a](https://example.org)",
        '<a href="02.ipynb">a</a>',
        "`[a](nowhere.ipynb)`",
    ],
)
def test_links_that_resolve(course, link):
    assert guards.links(prose(f"# A title\n\n{link}"), course) == []


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("[a](03.ipynb)", "does not exist"),
        ("[a](#Nothing)", "no such heading"),
        ("[a](../tools/a.py)", "students do not have"),
        ('<img src="missing.png">', "does not exist"),
    ],
)
def test_links_that_do_not(course, link, message):
    problems = guards.links(prose(f"# A title\n\n{link}"), course)
    assert len(problems) == 1 and message in problems[0]
