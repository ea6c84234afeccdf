"""Every exercise in solutions/: the solution passes, the blank one and every wrong answer do not.

An exercise is a folder with its source NN_topic.md, hidden.py and wrong.py; new ones are found by
themselves. Cells are tied to questions by their grade_id: "q1" is the answer, "q1-check" the check.
"""

import contextlib
import importlib.util
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import jupytext
import nbformat
import numpy as np
import pytest

from mlcourse import checks

ROOT = Path(__file__).resolve().parents[1]
SEEDS = range(5)


@dataclass(frozen=True)
class Exercise:
    """The files of one exercise."""

    folder: Path

    @property
    def lesson(self):
        return self.folder.name[:2]

    @property
    def notebook(self):
        return jupytext.read(self.folder / f"{self.folder.name}.md", fmt="md:myst")

    @cached_property
    def questions(self):
        return checks.questions(self.lesson)

    def module(self, name):
        """Import hidden.py or wrong.py, which are in no package."""
        spec = importlib.util.spec_from_file_location(
            f"{name}{self.lesson}", self.folder / f"{name}.py"
        )
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


EXERCISES = [Exercise(path.parent) for path in sorted(ROOT.glob("solutions/*/hidden.py"))]


def each(make):
    """Parametrize over (exercise, …) with readable names."""
    cases = [(exercise, *more) for exercise in EXERCISES for more in make(exercise)]
    ids = ["-".join([case[0].lesson, *map(str, case[1:])]).replace(" ", "_") for case in cases]
    return cases, ids


def named(kind):
    """List (question, name) of the WRONG or HARMLESS answers."""
    return lambda exercise: [
        (question, name)
        for question, answers in getattr(exercise.module("wrong"), kind).items()
        for name in answers
    ]


def every(make, *names):
    cases, ids = each(make)
    return pytest.mark.parametrize(("exercise", *names), cases, ids=ids)


exercise_only = every(lambda exercise: [()])
each_question = every(lambda exercise: [(name,) for name in exercise.questions], "name")
each_wrong = every(named("WRONG"), "name", "mistake")
each_harmless = every(named("HARMLESS"), "name", "what")


def grader(cell):
    return cell.metadata.get("nbgrader", {})


def execute(exercise, notebook):
    """Run the cells in this process; return the namespace and {grade_id: exception}."""
    namespace, errors = {"__name__": "__main__"}, {}
    with contextlib.chdir(exercise.folder), contextlib.redirect_stdout(io.StringIO()):
        for cell in notebook.cells:
            if cell.cell_type == "code":
                name = grader(cell).get("grade_id")
                try:
                    exec(compile(cell.source, f"<{name}>", "exec"), namespace)
                except Exception as error:
                    errors[name] = error
    return namespace, errors


@cache
def solved(exercise):
    return execute(exercise, exercise.notebook)


def answered(exercise, name, source):
    """Return the function that an answer cell defines, with the solution around it."""
    namespace = dict(solved(exercise)[0])
    with contextlib.chdir(exercise.folder):
        exec(compile(source, "<answer>", "exec"), namespace)
    return namespace[exercise.questions[name].function]


def visible(exercise, name, answer):
    """Return what a visible check says."""
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            checks.check(f"{exercise.lesson}.{name}", answer)
    except checks.CheckFailed as failure:
        return str(failure)
    return output.getvalue().strip()


def plain(value):
    """Send a returned value through JSON, as the grader does."""
    if isinstance(value, checks.Raised | checks.Changed):
        return value
    return json.loads(json.dumps(value, default=lambda item: item.tolist()))


def hidden(exercise, name, answer, seed=0):
    """Return the hidden verdict on an answer."""
    module, question = exercise.module("hidden"), exercise.questions[name]
    inputs = module.fresh(name, np.random.default_rng(seed))
    returned = [plain(checks.run(question, answer, args)) for args in inputs]
    return module.judge(name, inputs, returned)


# The source -----------------------------------------------------------------------------------


def test_an_exercise_is_found():
    assert EXERCISES


@exercise_only
def test_cells_and_questions_belong_together(exercise):
    cells = {grader(cell).get("grade_id"): cell for cell in exercise.notebook.cells}
    for name, question in exercise.questions.items():
        answer, check = cells[name], cells[f"{name}-check"]
        assert grader(answer)["solution"] and not grader(answer)["grade"]
        assert "### BEGIN SOLUTION" in answer.source and "### END SOLUTION" in answer.source
        assert f"def {question.function}(" in answer.source.split("### BEGIN")[0]
        assert grader(check)["grade"] and grader(check)["locked"]
        assert grader(check)["points"] == question.points
        assert f'checks.check("{name}", {question.function})' in check.source
        assert len(check.source.splitlines()) <= 2
    tested = {name.removesuffix("-check") for name in cells if str(name).endswith("-check")}
    assert tested == set(exercise.questions)
    by_hand = [c for c in cells.values() if c.cell_type == "markdown" and grader(c).get("grade")]
    assert by_hand and all("BEGIN SOLUTION" in cell.source for cell in by_hand)
    assert any("BEGIN MARK SCHEME" in cell.source for cell in cells.values())


@exercise_only
def test_every_cell_has_nbgrader_metadata_and_prose_is_locked(exercise):
    pytest.importorskip("nbgrader")
    from nbgrader.nbgraderformat import MetadataValidator

    MetadataValidator().validate_nb(exercise.notebook)
    for cell in exercise.notebook.cells:
        assert grader(cell)["schema_version"] == 3
        assert grader(cell)["locked"] != grader(cell)["solution"]


@exercise_only
def test_the_points_stated_at_the_top_are_the_points_given(exercise):
    cells = exercise.notebook.cells
    total = sum(grader(cell).get("points", 0) for cell in cells)
    by_checks = sum(question.points for question in exercise.questions.values())
    split = (
        rf"\({by_checks} by the checks, {total - by_checks} for the derivation( and the report)?\)"
    )
    assert re.search(rf"\*\*Points\*\*: {total} {split}\.", cells[0].source)
    for cell in cells:
        for line in cell.source.splitlines():
            assert "{{" not in line or cell.cell_type == "code"


# Right answers --------------------------------------------------------------------------------


@exercise_only
def test_the_solution_passes_every_visible_check(exercise):
    namespace, errors = solved(exercise)
    assert not errors
    for name, question in exercise.questions.items():
        plural = "s" * (question.points != 1)
        says = visible(exercise, name, namespace[question.function])
        assert says == f"{name}: correct ({question.points} point{plural})"


@each_question
@pytest.mark.parametrize("seed", SEEDS)
def test_the_solution_passes_the_hidden_checks(exercise, name, seed):
    answer = solved(exercise)[0][exercise.questions[name].function]
    assert hidden(exercise, name, answer, seed) == (1.0, "correct", None)


@each_harmless
def test_a_harmless_variant_passes(exercise, name, what):
    answer = answered(exercise, name, exercise.module("wrong").HARMLESS[name][what])
    assert visible(exercise, name, answer).startswith(f"{name}: correct")
    for seed in SEEDS:
        assert hidden(exercise, name, answer, seed).share == 1


# Wrong and blank answers ----------------------------------------------------------------------


@exercise_only
def test_every_question_has_wrong_and_harmless_answers(exercise):
    module = exercise.module("wrong")
    for name in exercise.questions:
        assert len(module.WRONG[name]) >= 3
        assert len(module.HARMLESS[name]) >= 1
    assert set(module.WRONG) == set(module.HARMLESS) == set(exercise.questions)


@each_question
def test_every_known_mistake_has_a_wrong_answer(exercise, name):
    question = exercise.questions[name]
    known = set(question.messages())
    assert known == set(question.gives) | set(question.shows)
    assert known <= set(exercise.module("wrong").WRONG[name])


@each_wrong
def test_a_wrong_answer_gets_its_own_message(exercise, name, mistake):
    answer = answered(exercise, name, exercise.module("wrong").WRONG[name][mistake])
    says = visible(exercise, name, answer)
    message = exercise.questions[name].messages().get(mistake)
    assert says.startswith(f"{name}: ") and "correct (" not in says
    if message:
        assert message in says
    assert "np." not in says and "0x" not in says and "\n" not in says
    for seed in SEEDS:
        verdict = hidden(exercise, name, answer, seed)
        assert (verdict.share, verdict.mistake) == (0, mistake), verdict
        assert message is None or message in verdict.reason


@each_question
def test_right_answers_are_no_evidence_of_a_mistake(exercise, name):
    question = exercise.questions[name]
    answer = solved(exercise)[0][question.function]
    for kept in question.cases:
        stopped = checks.Raised("RuntimeError", "no message")
        returned = [
            checks.run(question, answer, case.args) if case is kept else stopped
            for case in question.cases
        ]
        assert checks.judge(question, question.cases, returned).mistake == "raised"


@each_question
def test_the_messages_of_a_question_differ(exercise, name):
    sources = exercise.module("wrong").WRONG[name].values()
    answers = [answered(exercise, name, source) for source in sources]
    for say in (visible, lambda *args: hidden(*args).reason):
        messages = [say(exercise, name, answer) for answer in answers]
        assert len(set(messages)) == len(messages)


@exercise_only
def test_the_blank_exercise_is_not_answered_and_gets_nothing(exercise):
    pytest.importorskip("nbgrader")
    from nbgrader.preprocessors import ClearSolutions

    notebook, _ = ClearSolutions().preprocess(exercise.notebook, {})
    namespace, errors = execute(exercise, notebook)
    for name, question in exercise.questions.items():
        failure = errors[f"{name}-check"]
        assert isinstance(failure, checks.NotAnswered)
        assert str(failure) == f"{name}: not answered yet"
        verdict = hidden(exercise, name, namespace[question.function])
        assert verdict == (0.0, "not answered yet", "blank")
    assert "setup" not in errors


# Fresh inputs and hints -----------------------------------------------------------------------


@each_question
def test_fresh_inputs_are_plain_and_decided_by_the_seed(exercise, name):
    module = exercise.module("hidden")
    one, same, other = (module.fresh(name, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one == same and one != other
    assert [tuple(args) for args in json.loads(json.dumps(one))] == one
    assert len(one) >= 5


@each_question
def test_the_hidden_verdict_reveals_no_input(exercise, name):
    module = exercise.module("hidden")
    inputs = module.fresh(name, np.random.default_rng(3))
    verdict = module.judge(name, inputs, [None] * len(inputs))
    assert verdict.share == 0
    assert verdict.reason.startswith(f"your {exercise.questions[name].function}(…)")


@each_question
def test_listed_answers_are_what_the_hidden_functions_compute(exercise, name):
    listed, computed = exercise.questions[name], exercise.module("hidden").QUESTIONS[name]
    for case in listed.cases:
        right = computed.reference(*case.args)
        assert checks.same(listed.expected(case), right, 1e-9)
        for mistake, gives in computed.gives.items():
            assert checks.same(listed.gives[mistake](*case.args), gives(*case.args), 1e-9)


@each_question
def test_visible_cases_tell_the_known_mistakes_apart(exercise, name):
    question = exercise.questions[name]
    answers = [[question.expected(case) for case in question.cases]]
    answers += [[gives(*case.args) for case in question.cases] for gives in question.gives.values()]
    for one, other in itertools.combinations(answers, 2):
        assert not checks.same(one, other, 1e-6)


@each_question
def test_there_are_hints_that_rise(exercise, name):
    hints = exercise.questions[name].hints
    assert len(hints) >= 2 and len(set(hints)) == len(hints)


# The release, and real kernels ----------------------------------------------------------------


def run_in_kernel(notebook, folder):
    from nbclient import NotebookClient

    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    client = NotebookClient(
        notebook, timeout=60, allow_errors=True, resources={"metadata": {"path": str(folder)}}
    )
    with client.setup_kernel(env=environment):
        for index, cell in enumerate(notebook.cells):
            client.execute_cell(cell, index)
    return {grader(cell).get("grade_id"): cell for cell in notebook.cells}


@pytest.fixture(scope="module", params=EXERCISES, ids=lambda exercise: exercise.lesson)
def release(request, tmp_path_factory):
    """Let nbgrader itself make the student's version, in a course folder of its own."""
    pytest.importorskip("nbgrader")
    exercise, course = request.param, tmp_path_factory.mktemp("course")
    name = exercise.folder.name
    shutil.copytree(exercise.folder, course / "solutions" / name)
    for clutter in ("__pycache__", ".ipynb_checkpoints"):
        (course / "solutions" / name / clutter).mkdir(exist_ok=True)
        (course / "solutions" / name / clutter / "old.txt").write_text("not for students")
    shutil.copy(ROOT / "nbgrader_config.py", course)
    nbformat.write(exercise.notebook, course / "solutions" / name / f"{name}.ipynb")
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", name]
    command += ["--create", "--no-db", "--force"]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return exercise, course / "exercises" / name


@pytest.mark.slow
def test_only_the_notebook_and_its_data_are_released(release):
    exercise, folder = release
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    data = {str(p.relative_to(exercise.folder)) for p in exercise.folder.glob("data/*")}
    assert files == {f"{exercise.folder.name}.ipynb"} | data


@pytest.mark.slow
def test_nothing_of_the_solution_is_released(release):
    exercise, folder = release
    notebook = nbformat.read(folder / f"{exercise.folder.name}.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells)
    for word in ("BEGIN SOLUTION", "END SOLUTION", "MARK SCHEME", "Mark scheme"):
        assert word not in text
    for cell in notebook.cells:
        if grader(cell)["solution"]:
            stub = "YOUR CODE HERE" if cell.cell_type == "code" else "YOUR ANSWER HERE"
            assert stub in cell.source
            assert cell.metadata.get("editable", True)
        else:
            assert cell.metadata["editable"] is False


@pytest.mark.slow
def test_the_release_says_not_answered_yet_without_a_traceback(release):
    exercise, folder = release
    notebook = nbformat.read(folder / f"{exercise.folder.name}.ipynb", as_version=4)
    cells = run_in_kernel(notebook, folder)
    for name in exercise.questions:
        (output,) = cells[f"{name}-check"].outputs
        assert output.ename == "NotAnswered"
        assert output.traceback == [output.evalue] == [f"{name}: not answered yet"]


@pytest.mark.slow
@exercise_only
def test_the_solution_runs_in_a_kernel_without_a_word_on_stderr(exercise):
    cells = run_in_kernel(exercise.notebook, exercise.folder)
    for cell in cells.values():
        for output in cell.get("outputs", []):
            assert output.output_type != "error"
            assert output.get("name") != "stderr"
    for name in exercise.questions:
        (output,) = cells[f"{name}-check"].outputs
        assert output.text.startswith(f"{name}: correct")
