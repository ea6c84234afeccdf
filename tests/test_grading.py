"""The trusted side of grading, without a sandbox: collecting, planning, judging, writing."""

import contextlib
import csv
import doctest
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import hostile
import numpy as np
import pytest

from mlcourse import checks
from tools import commands, handout
from tools.environment import CourseError
from tools.grading import (
    book,
    cells,
    classroom,
    collect,
    inside,
    lessons,
    manual,
    pages,
    plain,
    sandbox,
    submission,
)

ROOT = Path(__file__).resolve().parents[1]
LESSON = lessons.lessons()["01"]
BLANK = (LESSON.release / f"{LESSON.name}.ipynb").read_bytes()
SOLVED = json.dumps(hostile.BASE).encode()


def data(notebook):
    return json.dumps(notebook).encode()


def write(folder, **files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def zipped(**files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("module", [book, collect])
def test_the_examples_in_the_documentation(module):
    result = doctest.testmod(module)
    assert result.attempted and not result.failed


# Collecting -----------------------------------------------------------------------------------


def test_hand_ins_as_platforms_and_students_make_them(tmp_path):
    write(
        tmp_path,
        **{
            "Ana María_1234_assignsubmission_file_/x.ipynb": SOLVED,
            "Bo_77_assignsubmission_file_my work.ipynb": SOLVED,
            "doejane_8812_771_ex.ipynb": SOLVED,
            "doejane_8812_772_ex-2.ipynb": SOLVED,
            "carl.ipynb": SOLVED,
            "dora.zip": zipped(**{"a/b/my.ipynb": SOLVED, "__MACOSX/._my.ipynb": b"x"}),
            "gus/all.zip": zipped(**{"a/my.ipynb": SOLVED, "a/helper.py": b"x = 1"}),
            "emil/notes.txt": b"hello",
            "emil/.ipynb_checkpoints/old.ipynb": SOLVED,
            "readme.txt": b"from the platform",
        },
    )
    (tmp_path / "fay").symlink_to(tmp_path / "emil")
    found, notes = collect.handed_in(tmp_path)
    files = {each.student: sorted(file.name for file in each.files) for each in found}
    assert files == {
        "Ana María (1234)": ["x.ipynb"],
        "Bo (77)": ["Bo_77_assignsubmission_file_my work.ipynb"],
        "carl": ["carl.ipynb"],
        "doejane (8812)": ["doejane_8812_771_ex.ipynb", "doejane_8812_772_ex-2.ipynb"],
        "dora": ["a/b/my.ipynb"],
        "emil": ["notes.txt"],
        "gus": ["a/helper.py", "a/my.ipynb"],
    }
    chosen, _, _, files = collect.choose(found[-1], LESSON, [])
    assert chosen.read() == SOLVED and files == {"helper.py": b"x = 1"}
    assert any("readme.txt" in note for note in notes)
    assert any("fay" in note and "link" in note for note in notes)


def test_a_broken_archive_or_an_endless_folder_costs_its_student_only(tmp_path):
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "my.ipynb").write_bytes(SOLVED)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("x.ipynb", SOLVED)
    data = bytearray(buffer.getvalue())
    data[46:237] = bytes(byte ^ 0x5A for byte in data[46:237])
    (tmp_path / "bob.zip").write_bytes(data)
    (tmp_path / "cid").mkdir()
    place = os.open(tmp_path / "cid", os.O_RDONLY)
    for _ in range(25):  # longer than a path may be
        os.mkdir("f" * 200, dir_fd=place)
        inner = os.open("f" * 200, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    try:
        found, _ = collect.handed_in(tmp_path)
        assert [each.student for each in found] == ["ann", "bob", "cid"]
        assert len({each.digest() for each in found}) == 3
        chosen = {each.student: collect.choose(each, LESSON, []) for each in found}
        assert chosen["ann"][0] and not chosen["bob"][0] and not chosen["cid"][0]
    finally:
        shutil.rmtree(tmp_path / "cid")


def test_a_failure_with_one_student_does_not_stop_the_class(monkeypatch):
    def fails(job):
        raise submission.CannotGrade("the sandbox does not start")

    job = submission.Job("ann", "01", b"{}")
    monkeypatch.setattr(submission, "grade", fails)
    monkeypatch.setattr(submission, "works", lambda job: True)
    record = classroom.grade_safely(job)
    assert all(entry["points"] is None for entry in record["results"].values())
    assert "a person should look" in record["results"]["q1"]["reason"]
    monkeypatch.setattr(submission, "works", lambda job: False)
    with pytest.raises(submission.CannotGrade):
        classroom.grade_safely(job)


def test_a_platforms_zip_is_read_as_it_is(tmp_path):
    names = ["Ana_1_assignsubmission_file_/x.ipynb", "Bo_2_assignsubmission_file_/y.ipynb"]
    (tmp_path / "all.zip").write_bytes(zipped(**dict.fromkeys(names, SOLVED)))
    found, _ = collect.handed_in(tmp_path / "all.zip")
    assert [each.student for each in found] == ["Ana (1)", "Bo (2)"]
    assert [file.name for each in found for file in each.files] == ["x.ipynb", "y.ipynb"]
    assert found[0].files[0].read() == SOLVED
    nested = zipped(**{"Cy_3_assignsubmission_file_/mine.zip": zipped(**{"z.ipynb": SOLVED})})
    (tmp_path / "all.zip").write_bytes(nested)
    (cy,), _ = collect.handed_in(tmp_path / "all.zip")
    assert (cy.student, cy.files[0].name, cy.files[0].read()) == ("Cy (3)", "z.ipynb", SOLVED)


def test_a_zip_whose_content_is_damaged_is_a_reason(tmp_path):
    content = bytearray(zipped(**{"x.ipynb": SOLVED}))
    content[200] ^= 255
    write(tmp_path, **{"ann.zip": bytes(content)})
    (ann,), _ = collect.handed_in(tmp_path)
    assert ann.digest()
    assert collect.choose(ann, LESSON, [])[1].startswith("the zip is damaged")


def test_damaged_huge_and_climbing_archives(tmp_path, monkeypatch):
    monkeypatch.setattr(collect, "INSIDE_ARCHIVE", 10_000)
    write(
        tmp_path,
        **{
            "damaged.zip": b"PK no archive",
            "bomb.zip": zipped(**{"x.ipynb": bytes(1_000_000)}),
            "climbing.zip": zipped(**{"../../x.ipynb": b"{}", "../evil.py": b"1"}),
        },
    )
    found = {each.student: each for each in collect.handed_in(tmp_path)[0]}
    assert not found["damaged"].files and "cannot be read" in found["damaged"].notes[0]
    assert not found["bomb"].files and "too large" in found["bomb"].notes[0]
    from tools.grading.submission import write_files

    write_files(LESSON, {"../evil.py": b"1", "/tmp/evil.py": b"1", "a/b.py": b"1"}, tmp_path / "f")
    kept = [str(p.relative_to(tmp_path / "f")) for p in (tmp_path / "f").rglob("*.py")]
    assert kept == ["a/b.py"] and not (tmp_path / "evil.py").exists()


def test_of_several_versions_the_newest_with_answers_is_graded(tmp_path):
    names = {"old.ipynb": data(hostile.answered(q5="return 0")), "new.ipynb": SOLVED}
    names |= {"new_v2.ipynb": BLANK, "broken.ipynb": b"{", "helper.py": b"x = 1"}
    write(tmp_path / "ann", **names)
    for age, name in enumerate(["new_v2.ipynb", "new.ipynb", "old.ipynb"]):
        os.utime(tmp_path / "ann" / name, (10**9 - 3600 * age,) * 2)
    (ann,), _ = collect.handed_in(tmp_path)
    chosen, _, notes, files = collect.choose(ann, LESSON, [])
    assert chosen.name == "new.ipynb" and files == {"helper.py": b"x = 1"}
    assert "passed over: broken.ipynb, new_v2.ipynb, old.ipynb" in notes[0]


def test_versions_of_one_minute_are_ordered_by_their_numbers(tmp_path):
    write(tmp_path / "ann", **dict.fromkeys(["ex_v2.ipynb", "ex_v10.ipynb", "ex.ipynb"], SOLVED))
    for path in (tmp_path / "ann").iterdir():
        os.utime(path, (10**9,) * 2)
    (ann,), _ = collect.handed_in(tmp_path)
    assert collect.choose(ann, LESSON, [])[0].name == "ex_v10.ipynb"


# Planning ---------------------------------------------------------------------------------------


def steps(notebook):
    made = cells.plan(cells.read(data(notebook)), LESSON)
    order = []
    for action, what in made.steps:
        order.append(what if action == "take" else made.sources[what].split("\n")[0])
    return order, made


def test_checks_do_not_run_and_functions_are_taken_where_they_stood():
    order, made = steps(hostile.BASE)
    assert not made.prelude and not made.notes
    assert not any(str(step).startswith("checks.check") for step in order)
    assert order.index("q1") == order.index("def entropy(p):") + 1
    assert order[-1] == "q6", "nothing runs after the last answer"


def test_an_answer_written_in_a_cell_of_its_own_counts():
    notebook = hostile.answered(q5="# see below")
    cell = {"cell_type": "code", "metadata": {}, "source": f"{hostile.HEADS['q5']}\n    pass"}
    notebook["cells"].insert(hostile.position(notebook, "q5") + 1, cell)
    order, _ = steps(notebook)
    assert order.index("q5") == order.index(hostile.HEADS["q5"]) + 1


def test_missing_and_edited_cells_of_the_exercise_come_first():
    _, made = steps(hostile.without("setup", "q4-data"))
    assert made.prelude == [LESSON.locked["setup"], LESSON.locked["q4-data"]]
    _, made = steps(hostile.edited(hostile.edit_all_locked))
    assert made.prelude == [LESSON.locked["setup"]]


def test_reordered_functions_are_taken_at_the_end():
    order, _ = steps(hostile.edited(lambda each: each[::-1]))
    assert set(order[-8:]) == set(LESSON.questions)


def test_derivations_are_found_unless_blank():
    assert cells.plan(cells.read(BLANK), LESSON).manual == {"q7": ""}
    assert "KL" in cells.plan(cells.read(SOLVED), LESSON).manual["q7"]
    lost = cells.read(data(hostile.edited(hostile.no_metadata)))
    assert "not negative" in cells.plan(lost, LESSON).manual["q7"]
    beside = json.loads(BLANK)
    beside["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "my own proof"})
    assert cells.plan(cells.read(data(beside)), LESSON).manual["q7"] == "my own proof"


@pytest.mark.parametrize(
    "content",
    [b"[" * 10**6, b"\xff\xfe", b'{"cells": 3}', b'{"worksheets": 1}', b"null", b"\x00" * 50],
)
def test_whatever_is_no_notebook_is_said_to_be_none(content):
    with pytest.raises(cells.Unreadable):
        cells.read(content)


def test_strange_cells_are_read_without_an_error():
    odd = [1, {}, {"cell_type": "code", "source": 5}, {"source": [1, "x"], "metadata": [2]}]
    odd += [{"cell_type": "code", "source": "x", "metadata": {"nbgrader": {"grade_id": [1]}}}]
    found = cells.read(data({"cells": odd}))
    assert [cell.source for cell in found] == ["", "", "x", "x"]
    cells.plan(found, LESSON)
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["a", "b"]}]}]}
    assert cells.read(data(old))[0].source == "ab"


def test_a_notebook_of_another_exercise_is_named():
    handed = collect.Handed(
        "ann", [collect.File("x.ipynb", 9, 0, lambda: data(hostile.other_lesson()))]
    )
    assert collect.choose(handed, LESSON, [])[1] == "this is the notebook of exercise 77"


def test_the_exercise_is_known_by_its_look():
    handed = [collect.Handed("ann", [collect.File("x.ipynb", 9, 0, lambda: BLANK)])]
    assert classroom.choose_lesson(None, handed) == LESSON
    with pytest.raises(classroom.GradeError, match="--lesson"):
        classroom.choose_lesson(None, [collect.Handed("ann")])
    with pytest.raises(classroom.GradeError, match="no exercise 99; there are: 01"):
        classroom.choose_lesson("99", handed)


# Values and verdicts ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [None, True, 3, 0.1, "ß", [1, [2.5, "x"]], {"a": {"b": [1]}}, float("inf"), np.float64(0.1),
     np.arange(6).reshape(2, 3), np.str_("x"), {"a": np.int64(3)}, np.bool_(True)],
)  # fmt: skip
def test_plain_data_come_back_as_the_exercise_tests_send_them(value):
    sent = json.loads(json.dumps({"value": inside.plain(value)}))
    as_tested = json.loads(json.dumps(value, default=lambda item: item.tolist()))
    assert plain.value(sent) == as_tested


def test_keys_are_strings_for_fresh_inputs_and_stay_for_visible_cases():
    given = {2: 2, True: 3, None: 4, 0.5: {"a": [{7: 1}]}}
    sent = json.loads(json.dumps({"value": inside.plain(given)}))
    assert plain.value(sent) == json.loads(json.dumps(given))
    assert plain.value(sent, keys=None) == given
    assert plain.value({"value": inside.plain({np.int64(7): 1})}) == {"7": 1}
    forged = {"__pairs__": [[[1], 2]]}
    assert plain.value({"value": forged}) == forged


@pytest.mark.parametrize("value", [object(), {1, 2}, 10**400, {(1, 2): 3}, 1j, b"x", type])
def test_other_values_are_told_by_the_name_of_their_type(value):
    with pytest.raises(inside.Unplain):
        inside.plain(value)


@pytest.mark.parametrize(
    "answer",
    [{}, {"value": 10**400}, {"odd": "<script>"}, {"odd": [1]}, {"value": [[10**301]]},
     {"changed": "x"}, {"changed": -5}, {"raised": {"line": "x", "type": 3}}, {"raised": 1}],
)  # fmt: skip
def test_forged_answers_give_no_points(answer):
    got = plain.value(answer)
    for name, question in LESSON.questions.items():
        verdict = LESSON.visible_verdict(name, [got] * len(question.cases))
        assert verdict.share == 0 and "<" not in verdict.reason


def test_reasons_on_fresh_inputs_repeat_nothing_that_student_code_chose():
    inputs = LESSON.inputs(5)["q1"]
    secret = [
        checks.Raised("KeyError", f"SECRET {args}", "entropy", 2, "return p[9]") for args in inputs
    ]
    verdict = LESSON.hidden_verdict("q1", inputs, secret)
    assert verdict.reason == "your entropy(…) raised KeyError on fresh inputs"
    named = [checks.Raised("SECRET", "", "", 0, "") for _ in inputs]
    verdict = LESSON.hidden_verdict("q1", inputs, named)
    assert verdict.reason == "your entropy(…) raised an exception of your own on fresh inputs"
    for values in (["SECRET"] * len(inputs), [["SECRET"]] * len(inputs), [plain.odd("SECRET")] * 8):
        assert "SECRET" not in LESSON.hidden_verdict("q1", inputs, values).reason


def test_known_mistakes_keep_their_message_on_fresh_inputs():
    inputs = LESSON.inputs(5)["q1"]
    nats = [-sum(x * np.log(x) for x in args[0] if x > 0) for args in inputs]
    verdict = LESSON.hidden_verdict("q1", inputs, nats)
    assert verdict == (0, "this is in nats: which base does the question ask for?", "nats")


@pytest.mark.slow
@pytest.mark.parametrize("lesson", lessons.lessons().values(), ids=lambda each: each.number)
def test_every_exercise_can_be_graded(lesson):
    one, same, other = (lesson.inputs(seed) for seed in (1, 1, 2))
    assert one == same != other and set(one) == set(lesson.questions)
    assert lesson.locked and lesson.manual and lesson.checks_path.exists()
    json.dumps(one)
    made = cells.plan(cells.read((lesson.release / f"{lesson.name}.ipynb").read_bytes()), lesson)
    assert all(made.answers.values()) and not made.prelude and not made.notes


def through_the_channel(question, function, args, keys):
    """Call a function and send its value as the sandbox does."""
    got = checks.run(question, function, args)
    if isinstance(got, checks.Raised | checks.Changed):
        return got
    return plain.value(json.loads(json.dumps({"value": inside.plain(got)})), keys)


def functions(lesson, folder):
    """Run the solved notebook in this process; return its names."""
    notebook = json.loads((lesson.folder / f"{lesson.name}.ipynb").read_text(encoding="utf-8"))
    names = {"__name__": "__main__"}
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        for cell in cells.read(data(notebook)):
            if cell.kind == "code" and not cell.name.endswith("-check"):
                exec(compile(cell.source, f"<{cell.name}>", "exec"), names)
    return names


@pytest.mark.slow
@pytest.mark.parametrize("lesson", lessons.lessons().values(), ids=lambda each: each.number)
def test_every_solution_and_harmless_variant_survives_the_channel(lesson):
    inputs, names = lesson.inputs(3), functions(lesson, lesson.folder)
    spec = importlib.util.spec_from_file_location("wrong", lesson.folder / "wrong.py")
    wrong = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(wrong)
    for name, question in lesson.questions.items():
        for source in ["", *wrong.HARMLESS[name].values()]:
            variant = dict(names)
            exec(source, variant)
            answer = variant[question.function]
            seen = [through_the_channel(question, answer, c.args, None) for c in question.cases]
            assert lesson.visible_verdict(name, seen).share == 1
            got = [through_the_channel(question, answer, args, str) for args in inputs[name]]
            assert lesson.hidden_verdict(name, inputs[name], got).share == 1


# The guard of the library -----------------------------------------------------------------------


def test_what_a_question_asks_for_is_refused_to_students_only():
    program = """
import sys, types
sys.path.insert(0, sys.argv[1])
from tools.grading.inside import Harness
import mlcourse
from mlcourse import CARTClassifier, entropy, information
from mlcourse.criteria import information_gain
harness = Harness.__new__(Harness)
harness.active = frozenset()
right = entropy([.5, .5]), information_gain(["a", "b"], [0, 1])
harness.guard({"entropy", "CARTClassifier"})
assert entropy([.5, .5], base=4) == .5
harness.active = frozenset({"entropy", "CARTClassifier"})
assert information_gain(["a", "b"], [0, 1]) == right[1]
mlcourse.BaggingClassifier(n_estimators=2, random_state=0).fit([[0], [1]] * 9, [0, 1] * 9)
class Mine(CARTClassifier):
    pass
calls = [lambda: entropy([.5]), lambda: mlcourse.entropy([1]), CARTClassifier, Mine]
calls.append(lambda: list(map(information.entropy, [[1]])))
for call in calls:
    try:
        call()
    except RuntimeError as error:
        assert "write this yourself" in str(error)
    else:
        raise SystemExit(f"{call} was not refused")
print("refused")
"""
    command = [sys.executable, "-P", "-c", program, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.strip() == "refused", done.stderr


# Tables, pages, points by hand ------------------------------------------------------------------


def record(student="ann", **changes):
    results = {
        name: {"points": 1.0, "most": 3, "reason": "x", "mistake": "nats", "answer": "p = 1"}
        for name in [*LESSON.questions, *LESSON.manual]
    }
    for name, change in changes.items():
        results[name].update(change)
    base = {"student": student, "notebook": "x.ipynb", "twins": [], "seconds": 1.0, "log": []}
    return {**base, "results": results, "file": student}


def test_what_students_write_is_escaped_everywhere():
    evil = '<script>alert(1)</script><img src=x onerror="1">'
    one = record(evil, q1={"answer": evil, "reason": evil})
    one["notebook"] = evil
    one["twins"] = [evil]
    for page in (pages.feedback(LESSON, one), pages.summary(LESSON, [one, record()])):
        assert "<script" not in page and "<img src=x" not in page
        assert "&lt;script&gt;" in page and "default-src 'none'" in page


def test_a_page_has_the_answer_the_outcome_and_a_hint():
    page = pages.feedback(LESSON, record(q1={"reason": "no", "answer": "my own words"}))
    assert "my own words" in page and "1 of 3 points. No." in page
    assert pages.escape(LESSON.questions["q1"].hints[0]) in page
    full = pages.feedback(LESSON, record(q1={"points": 3}))
    assert pages.escape(LESSON.questions["q1"].hints[0]) not in full


def test_the_summary_names_common_wrong_answers():
    class_ = [record(f"s{number}") for number in range(3)] + [record("z", q1={"points": 3})]
    page = pages.summary(LESSON, class_)
    message = pages.escape(LESSON.questions["q1"].messages()["nats"])
    assert f'<td>q1</td><td class="number">3</td><td>nats</td><td>{message}</td>' in page
    assert 'alt="Stacked bars' in page and "data:image/png;base64," in page


def test_tables_are_harmless_in_a_spreadsheet(tmp_path):
    kept = book.Book(tmp_path)
    kept.tables(LESSON, 3, [record("=1+1", q1={"reason": "two\nlines", "points": None})])
    with open(tmp_path / "scores.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[1] == ["'=1+1", "q1", "", "two lines"]
    whole = json.loads((tmp_path / "scores.json").read_text(encoding="utf-8"))
    assert whole["seed"] == 3 and whole["students"][0]["open"] == ["q1"]


def test_records_are_kept_by_key_and_the_seed_stays(tmp_path):
    kept = book.Book(tmp_path)
    seed = kept.seed()
    assert kept.seed() == seed == book.Book(tmp_path).seed() and book.Book(tmp_path).seed(7) == 7
    assert (tmp_path / "seed.txt").stat().st_mode & 0o077 == 0
    one = {**record("Zoë / x"), "key": "k"}
    kept.keep(one)
    assert kept.done("Zoë / x", "k") == one and kept.done("Zoë / x", "other") is None
    kept.record_path("Zoë / x").write_text("{")
    assert kept.done("Zoë / x", "k") is None
    names = ["ann", "Ann", "a b", "a_b", "Zoë", "Zoe", "../x", "x" * 300, "jane doe"]
    names += [book.file_name(name) for name in names if name not in ("ann", "a_b")]
    assert len({book.file_name(name).casefold() for name in names}) == len(names)
    assert all(re.fullmatch(r"[\w-]{1,80}", book.file_name(name)) for name in names)


def test_points_by_hand_from_a_table(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("student,question,points\nAna María,q7,2.5\n77,q7,1\nnobody,q7,1\nann,q7,\n")
    class_ = [record("Ana María (1234)"), record("Bo (77)"), record("ann")]
    unknown = manual.merge(class_, manual.given(path, LESSON), tmp_path / "manual.json")
    assert unknown == ["nobody"]
    assert [one["results"]["q7"]["points"] for one in class_] == [2.5, 1, 1.0]
    again = [record("Ana María (1234)"), record("Bo (77)", q7={"answer": "another proof"})]
    manual.merge(again, {}, tmp_path / "manual.json")
    assert [one["results"]["q7"]["points"] for one in again] == [2.5, 1.0]
    assert again[1]["results"]["q7"]["reason"] == "x", "another answer is read again"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("student,question,points\nann,q7,5\n", "from 0 to 4"),
        ("student,question,points\nann,q99,1\n", "'q99'; there are q1"),
        ("student,question,points\nann,q7,two\n", "'two' of ann is not a number"),
        ("name,mark\nann,2\n", "columns student, question, points"),
    ],
)
def test_points_by_hand_that_cannot_be(tmp_path, text, says):
    (tmp_path / "points.csv").write_text(text)
    with pytest.raises(manual.ManualError, match=re.escape(says)):
        manual.given(tmp_path / "points.csv", LESSON)


def test_progress_is_shown_on_terminals_and_elsewhere():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for stream, shown in ((Terminal(), "[" + "#" * 30 + "] 20/20"), (io.StringIO(), "20/20 stu")):
        progress = classroom.Progress(20, stream)
        for _ in range(20):
            progress.step()
        progress.end()
        assert shown in stream.getvalue()
    assert stream.getvalue().count("\n") == 10


# The commands, the handout ------------------------------------------------------------------------


def test_grade_hands_its_options_on(monkeypatch, tmp_path):
    calls = []
    monkeypatch.setattr(commands, "run", lambda name, command: calls.append(command) or 0)
    monkeypatch.setattr(commands, "prepare", lambda root, extra: "py")
    monkeypatch.chdir(tmp_path)
    commands.main(["grade", "in", "--lesson", "01", "--jobs", "3", "--unsafe-no-sandbox"])
    (command,) = calls
    assert command[:3] == ["py", "-m", "tools.grading.classroom"]
    options = classroom.parser().parse_args(command[3:])
    assert options.submissions == tmp_path / "in" and options.out == tmp_path / "grades"
    assert (options.lesson, options.jobs, options.unsafe_no_sandbox) == ("01", 3, True)
    assert options.timeout == sandbox.Limits.cell_seconds


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["missing"], "does not exist"), ([".", "--jobs", "0", "--out", "../o"], "--jobs should be"),
     ([".", "--out", "grades"], "lies in the folder of submissions"),
     ([".", "--lesson", "01", "--unsafe-no-sandbox", "--out", "../o"], "holds no submissions")],
)  # fmt: skip
def test_what_cannot_be_graded_is_said_in_a_sentence(
    arguments, says, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert classroom.main(arguments) == 1
    assert says in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_no_sandbox_on_other_systems(monkeypatch):
    sandbox._probe.cache_clear()
    monkeypatch.setattr(sandbox.sys, "platform", "darwin")
    assert "INSTRUCTORS.md" in sandbox.problem()
    sandbox._probe.cache_clear()


def test_the_guide_names_real_options_and_limits():
    text = (ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8")
    limits, flat = sandbox.Limits(), " ".join(text.split())
    for words in (
        f"folder of {limits.disk >> 20} MB",
        f"{limits.memory >> 30} GB of memory",
        f"{limits.cell_seconds} seconds for each cell and for each question",
        f"{limits.submission_seconds // 60} minutes in all",
        f"{limits.processes} processes",
        f"{limits.output >> 20} MB of output",
    ):
        assert words in flat
    lines = re.findall(r"^ +python3 (course\.py .*?)(?: +#.*)?$", text, re.MULTILINE)
    assert len(lines) >= 5
    for line in lines:
        options, rest = commands.arguments().parse_known_args(line.split()[1:])
        assert not rest and options.run.__name__ in ("build", "grade", "slides")
    named = set(re.findall(r"`(--[a-z-]+)[ `]", text))
    known = set(re.findall(r"--[a-z-]+", classroom.parser().format_help()))
    assert named - {"--privileged"} <= known | {"--handout", "--slides", "--lite"}


@pytest.fixture
def course(tmp_path):
    tree = tmp_path / "course"
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("solutions", "exercises"):
        shutil.copytree(ROOT / name / LESSON.name, tree / name / LESSON.name, ignore=ignore)
    for name in [*handout.FILES, *handout.used(ROOT, "tools/commands.py")]:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    shutil.copy(ROOT / "README.md", tree)
    write(tree, **{"mlcourse/__init__.py": b"", "notebooks/01_x.ipynb": b"{}"})
    return tree


def test_the_handout_has_no_solution_and_says_so(course, tmp_path, monkeypatch, capsys):
    out = tmp_path / "students"
    (out / ".git").mkdir(parents=True)
    monkeypatch.setattr(commands, "ROOT", course)
    assert commands.main(["build", "--handout", str(out)]) == 0
    (course / "notebooks/01_x.ipynb").unlink()
    assert commands.main(["build", "--handout", str(out)]) == 0, "a second time, over the first"
    names = {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()}
    assert f"exercises/{LESSON.name}/data/latin.txt" in names and "course.py" in names
    assert "notebooks/01_x.ipynb" not in names, "what the course dropped is dropped"
    assert not [name for name in names if re.search("solutions|hidden|wrong|tests|grading", name)]
    for name in names - {"tools/handout.py"}:
        assert not handout.SOLUTION.search((out / name).read_text("utf-8", errors="replace"))
    text = (out / "README.md").read_text(encoding="utf-8")
    assert "course.py lab" in text and "instructors" not in text.lower() and "`test`" not in text
    capsys.readouterr()
    lab = [sys.executable, "-I", str(out / "course.py"), "lab", "--help"]
    assert subprocess.run(lab, capture_output=True).returncode == 0, "the copy lacks a module"
    monkeypatch.setattr(commands, "ROOT", out)
    for command in (["test"], ["build"], ["grade", "."]):
        assert commands.main(command) == 1
        assert "this copy of the course is for students" in capsys.readouterr().err


def test_a_handout_never_overwrites_other_files(course, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(CourseError, match="not empty"):
        handout.write(course, tmp_path / "mine")
    with pytest.raises(CourseError, match="inside the course"):
        handout.write(course, course / "out")
    shutil.rmtree(course / "exercises")
    with pytest.raises(CourseError, match="is missing: run"):
        handout.write(course, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_release_that_holds_a_solution_is_not_handed_out(course, tmp_path):
    name = f"{LESSON.name}/{LESSON.name}.ipynb"
    shutil.copy(course / "solutions" / name, course / "exercises" / name)
    with pytest.raises(CourseError, match="holds a solution"):
        handout.write(course, tmp_path / "new")
