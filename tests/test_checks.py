"""mlcourse.checks: what a student is told, in a notebook and outside."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mlcourse
from mlcourse import checks
from mlcourse.checks import Case, CheckFailed, NotAnswered, Question, mapping, text

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def fresh_notebook(monkeypatch):
    """Let every test begin like a notebook that has just been opened."""
    monkeypatch.setitem(checks._current, "lesson", None)
    monkeypatch.setattr(checks, "_hints_given", {})


def double(**more):
    """Make a small question: return twice the number."""
    question = {
        "name": "q1",
        "title": "Twice",
        "points": 2,
        "function": "double",
        "cases": (Case((1,)), Case((3,))),
        "reference": lambda x: 2 * x,
        "hints": ("a nudge", "the idea"),
    }
    return Question(**question | more)


def says(question, answer, **options):
    """Run and judge an answer to a question that is in no lesson."""
    returned = [checks.run(question, answer, case.args) for case in question.cases]
    return checks.judge(question, question.cases, returned, **options)


def failure(*args):
    with pytest.raises(CheckFailed) as caught:
        checks.check(*args)
    return str(caught.value)


def entropy(p):
    p = np.asarray(p, dtype=float)
    return -np.sum(p[p > 0] * np.log2(p[p > 0]))


# What a notebook calls ------------------------------------------------------------------------


def test_use_then_check_prints_one_line(capsys):
    checks.use("01")
    assert capsys.readouterr().out == "Exercise 01: 8 checks, 20 points\n"
    assert checks.check("q1", entropy) is None
    assert capsys.readouterr().out == "q1: correct (2 points)\n"


def test_a_full_name_needs_no_use(capsys):
    checks.check("01.q1", entropy)
    assert capsys.readouterr().out == "q1: correct (2 points)\n"


@pytest.mark.parametrize("lesson", ["1", 1, "01"])
def test_use_takes_the_number_in_any_form(lesson, capsys):
    checks.use(lesson)
    checks.check("q1", entropy)


def test_without_use_the_message_says_what_to_do():
    message = failure("q1", entropy)
    assert "checks.use(" in message and "set-up cell" in message
    with pytest.raises(CheckFailed, match=r"checks\.use"):
        checks.hint("q1")


def test_an_unknown_question_names_the_known_ones():
    message = failure("01.q9", entropy)
    assert message == "exercise 01 has no question 'q9'; it has q1, q2, q3a, q3b, q4a, q4b, q5, q6"


def test_an_unknown_exercise_names_the_known_ones():
    with pytest.raises(CheckFailed, match="no checks for exercise '99'; there are: 01"):
        checks.use("99")


def test_lessons_are_found_by_their_file():
    files = (ROOT / "mlcourse" / "checks").glob("lesson*.py")
    assert checks.lessons() == sorted(path.stem.removeprefix("lesson") for path in files)


@pytest.mark.parametrize("blank", [None, ...])
def test_a_blank_name_is_not_answered_yet(blank):
    with pytest.raises(NotAnswered, match=r"^q1: not answered yet$"):
        checks.check("01.q1", blank)


def test_a_stub_is_not_answered_yet():
    def entropy(p):
        raise NotImplementedError()

    with pytest.raises(NotAnswered, match=r"^q1: not answered yet$"):
        checks.check("01.q1", entropy)


def test_a_stub_that_another_answer_calls_is_named():
    def entropy(p):
        raise NotImplementedError()

    def conditional_entropy(joint):
        return sum(entropy(column) for column in joint.T)

    message = failure("01.q2", conditional_entropy)
    assert message == "q2: your conditional_entropy calls entropy, which is not answered yet"


def test_the_library_is_no_answer():
    assert failure("01.q1", mlcourse.entropy) == "q1: this is mlcourse's own entropy: write yours"


def test_what_is_no_function_is_said_to_be_none():
    assert failure("01.q1", 3.5) == "q1: entropy should be a function, yours is 3.5"
    assert failure("01.q1") == 'q1: give your answer too: checks.check("q1", entropy)'


def test_hints_rise_and_say_how_many_there_are(capsys):
    checks.use("01")
    capsys.readouterr()
    for _ in range(4):
        checks.hint("q1")
    first, second, third, again = capsys.readouterr().out.splitlines()
    assert first.startswith("q1, hint 1 of 3: ")
    assert second.startswith("q1, hint 2 of 3: ")
    assert third.startswith("q1, hint 3 of 3, the last: ")
    assert again == third


# Diagnoses ------------------------------------------------------------------------------------


def test_a_right_answer_gets_everything():
    assert says(double(), lambda x: 2 * x) == (1.0, "correct", None)


def test_an_unknown_wrong_answer_shows_input_got_and_expected():
    verdict = says(double(unit="bit"), lambda x: 2 * x + 1 / 3)
    assert verdict.reason == "your double(1) gives 2.3333, but it should be 2 bits"
    assert verdict.mistake == "unknown"


def test_a_tiny_difference_is_shown_with_enough_digits():
    verdict = says(double(), lambda x: 2 * x + 1e-7)
    assert verdict.reason == "your double(1) gives 2.0000001, but it should be 2"


def test_nothing_of_the_inputs_is_revealed_unless_wanted():
    verdict = says(double(), lambda x: 2 * x + (x > 1), reveal=False)
    assert verdict.reason == "your double(…) is wrong on 1 of 2 fresh inputs"


def test_a_known_mistake_must_explain_every_case():
    question = double(mistakes="squared: is it x times x?", gives={"squared": lambda x: x**2})
    assert says(question, lambda x: x * x).mistake == "squared"
    assert says(question, lambda x: x * x).reason == "is it x times x? (Your double(1) gives 1.)"
    assert says(question, lambda x: 1).mistake == "unknown"


def test_a_right_case_beside_an_exception_is_no_evidence_of_a_known_mistake():
    def answer(x):
        return 4 if x == 2 else 1 / 0

    question = double(
        cases=(Case((2,)), Case((3,))),
        mistakes="squared: is it x times x?",
        gives={"squared": lambda x: x**2},
    )
    assert says(question, answer).mistake == "raised"
    assert says(question, lambda x: x * x).mistake == "squared"


@pytest.mark.parametrize(
    "work",
    [
        lambda flow, x: np.sum(flow * np.diff(x)),
        lambda flow, x: flow @ np.diff(x),
        lambda flow, x: np.dot(flow, np.diff(x)),
        lambda flow, x: sum(flow[i] * (x[i + 1] - x[i]) for i in range(len(x))),
    ],
    ids=["times", "@", "dot", "loop"],
)
def test_a_gap_too_many_is_explained_in_every_way_to_write_it(work):
    message = failure("01.q5", lambda p, q, x: work(np.abs(np.cumsum(p - q)), x))
    assert "raised" in message and message.endswith("nothing has to cross after the last one.")


def test_a_property_may_show_a_mistake_too():
    question = double(
        mistakes="small: too small", shows={"small": lambda got, right, x: got < right}
    )
    assert says(question, lambda x: x).mistake == "small"
    assert says(question, lambda x: 3 * x).mistake == "unknown"
    assert says(question, lambda x: "text").mistake == "wrong_type"


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (None, "your double(1) returned None: did you forget return?"),
        (np.array([2.0, 2.0]), "returned an array of shape (2,): the question asks for one number"),
        ([2], "returned [2]: the question asks for one number"),
        ("2", "returned '2': the question asks for one number"),
        (True, "returned True: the question asks for one number"),
        (print, "returned a builtin_function_or_method: the question asks for one number"),
        (math.nan, "gives NaN (not a number): look for 0/0"),
        (np.float64("inf"), "gives inf: look for"),
    ],
)
def test_wrong_types_and_values_have_their_own_words(returned, words):
    assert words in says(double(), lambda x: returned).reason


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, np.array, float, int])
def test_any_number_type_is_accepted(kind):
    assert says(double(), lambda x: kind(2 * x)).share == 1


def test_names_and_dicts_are_asked_for_by_name():
    assert "asks for a name" in says(double(kind=text), lambda x: 1).reason
    assert "asks for a dict" in says(double(kind=mapping), lambda x: [1]).reason


def test_an_exception_is_reported_with_the_line_of_the_student():
    def wrong(x):
        y = x - 1
        return x / y

    verdict = says(double(), wrong)
    assert verdict.mistake == "raised"
    assert "your double(1) raised ZeroDivisionError: division by zero in line" in verdict.reason
    assert verdict.reason.endswith("(return x / y)")


def test_the_line_is_the_students_even_if_a_library_raised():
    def wrong(x):
        return np.linalg.inv(np.zeros((2, 2)))[0, 0]

    verdict = says(double(), wrong)
    assert "LinAlgError" in verdict.reason and "np.linalg.inv(np.zeros" in verdict.reason


def test_an_exit_is_an_exception_like_others():
    assert "raised SystemExit" in says(double(), lambda x: sys.exit(0)).reason


@pytest.mark.parametrize(
    ("prepare", "change"),
    [
        (lambda x: ([x, x],), lambda given: given.append(1)),
        (lambda x: (np.array([x, 0.0]),), lambda given: given.__setitem__(1, 5)),
        (lambda x: ({"a": x},), lambda given: given.pop("a")),
        (lambda x: (pd.DataFrame({"a": [x]}),), lambda given: given.insert(0, "b", 1)),
    ],
)
def test_changing_the_input_is_noticed(prepare, change):
    right = iter([2, 6])

    def answer(given):
        change(given)
        return next(right)

    verdict = says(double(prepare=prepare), answer)
    assert verdict.mistake == "changed_input"
    assert verdict.reason == "your double(1) changes its argument number 1: work on a copy"


def test_the_trick_with_zeros_changes_its_input():
    def entropy(p):
        p[p == 0] = 1
        return -np.sum(p * np.log2(p))

    message = failure("01.q1", entropy)
    assert message == "q1: your entropy([1, 0]) changes its argument number 1: work on a copy"


def test_a_right_answer_may_warn(capfd):
    def entropy(p):
        return float(np.nansum(-p * np.log2(p)))

    checks.check("01.q1", entropy)
    assert capfd.readouterr().err == ""


def test_the_cases_stay_as_they_are():
    before = repr(checks.questions("01")["q1"].cases)
    failure("01.q1", lambda p: p.fill(0))
    assert repr(checks.questions("01")["q1"].cases) == before


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.float64(0.25), "0.25"),
        (np.float64(1), "1"),
        (1 / 3, "0.3333"),
        (1e-7, "1.0e-07"),
        (np.str_("sunny"), "'sunny'"),
        ({"a": np.float64(0.5)}, "{'a': 0.5}"),
        ([np.int64(1), (2.5,)], "[1, (2.5)]"),
        (pd.DataFrame(), "a DataFrame"),
    ],
)
def test_values_are_shown_without_reprs(value, shown):
    assert checks.show(value) == shown


def test_inputs_are_shown_as_fractions():
    assert checks.show([9 / 14, 5 / 14, 0.1234567, 1.0], exact=True) == "[9/14, 5/14, 0.1235, 1]"


# Elsewhere ------------------------------------------------------------------------------------


def test_checks_load_neither_matplotlib_nor_scikit_learn():
    code = (
        "import sys; from mlcourse import checks; checks.use('01');"
        "print([name for name in ('matplotlib', 'sklearn') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.splitlines()[-1] == "[]", run.stderr


@pytest.mark.slow
def test_ipython_shows_the_diagnosis_without_a_traceback():
    import nbformat
    from nbclient import NotebookClient

    cells = [
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from mlcourse import checks\nchecks.use('01')",
        "import math\ndef entropy(p):\n    return -sum(x * math.log(x) for x in p if x)",
        "checks.check('q1', entropy)",
        "def entropy(p):\n    total = 0\n    return 1 / total",
        "checks.check('q1', entropy)",
        "checks.check('q9', entropy)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=60, allow_errors=True, kernel_name="python3").execute()
    nats, zero, unknown = (notebook.cells[place].outputs[0] for place in (2, 4, 5))
    for output in (nats, zero, unknown):
        assert output.ename == "CheckFailed"
        assert output.traceback == [output.evalue]
    assert nats.evalue.startswith("q1: this is in nats")
    assert zero.evalue == (
        "q1: your entropy([1/2, 1/2]) raised ZeroDivisionError: division by zero "
        "in line 3 of your cell (return 1 / total)"
    )
    assert "has no question 'q9'" in unknown.evalue


def test_a_wrong_vector_is_shown_with_its_entries():
    question = Question(
        "q", "t", 1, "f", (Case(([1.0, 2.0],), expected=np.array([1.0, 2.0])),), ("hint",),
        kind=lambda got: None,
    )  # fmt: skip
    verdict = checks.judge(question, question.cases, [np.array([1.0, 2.5])])
    assert verdict.reason == "your f([1, 2]) gives [1, 2.5], but it should be [1, 2]"


def test_the_lines_of_a_harness_are_not_the_students(monkeypatch):
    def answer(x):
        raise ValueError("no")

    question = Question("q", "t", 1, "answer", (Case((1,)),), ("hint",))
    assert checks.run(question, answer, (1,)).line > 0
    monkeypatch.setattr(checks, "_harness", {__file__})
    assert checks.run(question, answer, (1,)).line == 0
