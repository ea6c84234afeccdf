"""Grading for real: hostile and unlucky submissions in the sandbox, each with its exact outcome.

All of them are one class, graded once; the tests then look at the tables, the pages and the
machine. Skipped, visibly, where bubblewrap cannot run; `.ci/run` installs it.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import hostile
import psutil
import pytest

from tools.grading import classroom, lessons, sandbox, session, submission

ROOT = Path(__file__).resolve().parents[1]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(sandbox.problem()), reason=f"no sandbox: {sandbox.problem()}"),
]
QUICK = ["--lesson", "01", "--timeout", "5", "--memory", "1024"]


def grade(submissions, out, *more):
    """Grade a folder with small limits; return {student: entry of scores.json}."""
    arguments = [str(submissions), "--out", str(out), *QUICK, *map(str, more)]
    assert classroom.main(arguments) == 0
    whole = json.loads((out / hostile.NAME / "scores.json").read_text(encoding="utf-8"))
    return {entry["student"]: entry for entry in whole["students"]}


def hand_in(folder, **students):
    """Write a small class: {student: notebook}."""
    for student, notebook in students.items():
        (folder / student).mkdir(parents=True, exist_ok=True)
        (folder / student / "exercise.ipynb").write_text(json.dumps(notebook))
    return folder


def processes():
    """Return the command lines of everything that runs on this machine."""
    lines = []
    for process in psutil.process_iter():
        try:
            lines.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return lines


# The hostile class ----------------------------------------------------------------------------


def solution():
    """Return the bytes of the solution's files."""
    paths = (ROOT / "solutions" / hostile.NAME).glob("*.*")
    return {path.name: path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Grade the hostile class once; a server waits for a student who gets through."""
    folder = tmp_path_factory.mktemp("hostile")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        hostile.write(folder / "in", server.getsockname()[1])
        before = solution()
        scores = grade(folder / "in", folder / "out", "--jobs", "2")
        with pytest.raises(BlockingIOError):
            server.accept()
    assert solution() == before
    return scores, folder / "out" / hostile.NAME, folder / "in"


@pytest.mark.parametrize("student", hostile.CLASS)
def test_the_outcome_is_exactly_this(run, student):
    entry, wanted = run[0][student], hostile.CLASS[student]
    for name, most in hostile.POINTS.items():
        found, pattern = entry["questions"][name], wanted.everything or wanted.wrong.get(name)
        if pattern:
            assert found["points"] == 0
            assert re.search(pattern, found["reason"]), found["reason"]
        else:
            assert (found["points"], found["reason"]) == (most, "correct")


def test_every_student_is_in_the_table_with_reasons(run):
    import csv

    scores, out, _ = run
    with open(out / "scores.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["student", "question", "points", "reason"]
    students = {row["student"].lstrip("'") for row in rows}
    assert students == {*hostile.CLASS, "200 MB", "nothing"} == set(scores)
    assert len(rows) == len(students) * (len(hostile.POINTS) + 1)
    assert all(row["reason"] for row in rows)
    assert not any(row["student"].startswith("=") for row in rows)
    assert "200 MB" in scores["200 MB"]["questions"]["q1"]["reason"]
    assert scores["nothing"]["questions"]["q1"]["reason"] == "nothing was handed in"


def test_nothing_runs_on_afterwards(run):
    time.sleep(0.2)
    running = processes()
    assert not [line for line in running if hostile.SLEEP in line]
    assert not [line for line in running if str(run[2]) in line and "bwrap" in line]


def test_nothing_was_written_outside(run):
    for place in (ROOT, Path("/etc"), Path("/usr"), Path("/"), Path("/var/tmp"), Path("/dev")):
        assert not (place / "written_by_a_student").exists()
    assert not Path("/tmp/pickled").exists()


def test_two_with_one_file_are_named(run):
    one, two = (f"two with one file, {number}" for number in ("one", "two"))
    assert run[0][one]["same_file_as"] == [two] and run[0][two]["same_file_as"] == [one]
    assert f"{one}, {two}" in (run[1] / "summary.html").read_text(encoding="utf-8")


def test_no_page_or_table_tells_a_fresh_input(run):
    text = (run[1] / "scores.csv").read_text(encoding="utf-8")
    text += "".join(p.read_text(encoding="utf-8") for p in (run[1] / "feedback").iterdir())
    assert "SECRET array" not in text and "SECRET (array" not in text
    assert "SECRET &quot; + repr((p" in text  # their own line


def test_every_student_has_a_page_without_scripts(run):
    pages = list((run[1] / "feedback").iterdir())
    assert len(pages) == len(run[0])
    for page in pages:
        assert "<script" not in page.read_text(encoding="utf-8").lower()


def test_the_log_says_what_was_left_out(run):
    log = (run[1] / "grade.log").read_text(encoding="utf-8")
    assert "loop in a cell: cell" in log and "is left out: it did not finish in time" in log
    assert "cells of the exercise are missing or edited" in log
    assert "q5: 2 answer cells, run in their order" in log


@pytest.mark.parametrize("lesson", lessons.lessons().values(), ids=lambda each: each.number)
def test_the_solution_of_every_exercise_gets_all_points_in_the_sandbox(lesson):
    data = (lesson.folder / f"{lesson.name}.ipynb").read_bytes()
    job = submission.Job("ann", lesson.number, data, inputs=lesson.inputs(1))
    record = submission.grade(job)
    for name, question in lesson.questions.items():
        entry = record["results"][name]
        assert (entry["points"], entry["reason"]) == (question.points, "correct")
    assert not record["log"]


# The sandbox itself ---------------------------------------------------------------------------


@pytest.fixture
def inside(tmp_path):
    """Start a sandbox and return the function that runs a cell in it."""
    (tmp_path / "files").mkdir()
    (tmp_path / "files").chmod(0o755)
    tmp_path.chmod(0o755)
    with session.Session(sandbox.Limits(processes=40), tmp_path / "files") as opened:
        places = {"root": str(ROOT), "folder": sandbox.HOME, "lesson": "01"}

        def ask(action, **arguments):
            return opened.ask(action, time.monotonic() + 60, **arguments)

        assert ask("start", sources=lessons.sources(), **places)["ready"]
        yield lambda cell: ask("cell", source=cell)["error"], opened


def test_processes_are_counted(inside):
    run_cell, _ = inside
    name, message, _ = run_cell("""
import os, time
children = 0
try:
    while children < 1000:
        if not os.fork():
            time.sleep(100)
        children += 1
except OSError:
    raise RuntimeError(f"{children} children")
""")
    assert name == "RuntimeError"
    assert 10 <= int(message.split()[0]) < 40


def test_student_code_has_no_rights(inside):
    run_cell, _ = inside
    assert run_cell("""
import os
status = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
assert int(status["CapEff"], 16) == 0 and int(status["CapPrm"], 16) == 0
assert int(status["NoNewPrivs"]) == 1
assert os.getuid() != 0
assert len([name for name in os.listdir("/proc") if name.isdigit()]) <= 3
try:
    os.setuid(0)
except PermissionError:
    pass
else:
    assert False
""") is None  # fmt: skip


def test_the_sandbox_ends_when_the_grader_is_killed(tmp_path):
    seconds = f"87654.{os.getpid()}"
    program = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
from tools.grading import sandbox
command = sandbox.bubblewrap(sandbox.Limits(), None)
import subprocess
subprocess.Popen([*command, "sh", "-c", "sleep {seconds} & sleep {seconds}"])
time.sleep(1000)
"""
    with subprocess.Popen([sys.executable, "-c", program]) as grader:
        deadline = time.monotonic() + 60
        while sum(line == f"sleep {seconds}" for line in processes()) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        grader.kill()
    while any(seconds in line for line in processes()):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_secrets_inside_a_bound_folder_are_covered(tmp_path):
    hidden = Path(sys.prefix, f"secret-{os.getpid()}")
    hidden.mkdir()
    try:
        (hidden / "seed.txt").write_text("1")
        command = sandbox.bubblewrap(sandbox.Limits(), None, secret=[hidden])
        look = f"import os; print(os.listdir({str(hidden)!r}))"
        done = subprocess.run(
            [*command, sys.executable, "-c", look], capture_output=True, text=True
        )
        assert done.stdout.strip() == "[]", done.stderr
    finally:
        shutil.rmtree(hidden)


# A run can be stopped, goes on, and can be repeated ---------------------------------------------


def test_a_stopped_run_goes_on_and_only_new_work_is_graded(tmp_path, capsys):
    wrong = hostile.answered(q5="return 0")
    students = {f"student{number}": hostile.BASE for number in range(4)}
    folder = hand_in(tmp_path / "in", **students)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "tools.grading.classroom", str(folder), "--out", str(out)]
    records = out / hostile.NAME / "records"
    with subprocess.Popen(
        [*command, *QUICK, "--jobs", "1"], cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as process:
        while not list(records.glob("*.json")) and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        message = process.communicate(timeout=60)[1]
    assert process.returncode == 1 and "the same command goes on" in message
    finished = {path: path.stat().st_mtime_ns for path in records.glob("*.json")}
    assert 1 <= len(finished) < 4
    scores = grade(folder, out, "--jobs", "2")
    assert f"{len(finished)} of 4 students are graded already" in capsys.readouterr().out
    assert all(path.stat().st_mtime_ns == then for path, then in finished.items())
    assert {entry["points"] for entry in scores.values()} == {20}
    hand_in(folder, student2=wrong)
    assert grade(folder, out, "--jobs", "1")["student2"]["points"] == 17
    assert "3 of 4 students are graded already" in capsys.readouterr().out


def test_the_seed_repeats_a_run_here_and_on_a_dask_cluster(tmp_path):
    distributed = pytest.importorskip("dask.distributed", reason="dask.distributed is not there")
    nearly = hostile.answered(q5="return 0", q3a="return 1 / 0", q6="return list(frame)[-1]")
    folder = hand_in(tmp_path / "in", ann=hostile.BASE, ben=nearly, cem=nearly, dia=hostile.BASE)
    grade(folder, tmp_path / "one", "--jobs", "1")
    first = tmp_path / "one" / hostile.NAME
    seed = json.loads((first / "scores.json").read_text(encoding="utf-8"))["seed"]
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1",
        local_directory=str(tmp_path),
    )  # fmt: skip
    with cluster, distributed.Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        address = cluster.scheduler_address
        with distributed.get_task_stream(client) as tasks:
            grade(folder, tmp_path / "two", "--seed", seed, "--dask", address)
        assert len({task["worker"] for task in tasks.data}) == 2
    second = tmp_path / "two" / hostile.NAME
    assert (first / "scores.csv").read_bytes() == (second / "scores.csv").read_bytes()


def test_without_a_sandbox_it_works_only_when_asked(tmp_path, capsys, monkeypatch):
    folder = hand_in(tmp_path / "in", ann=hostile.answered(q5="return 0"))
    monkeypatch.setattr(sandbox, "problem", lambda: "bubblewrap (bwrap) is missing: install it")
    arguments = [str(folder), "--out", str(tmp_path / "out"), *QUICK, "--jobs", "1"]
    assert classroom.main(arguments) == 1
    said = capsys.readouterr().err
    assert "bubblewrap (bwrap) is missing" in said and "--unsafe-no-sandbox" in said
    assert not (tmp_path / "out").exists()
    assert classroom.main([*arguments, "--unsafe-no-sandbox"]) == 0
    assert "WARNING" in capsys.readouterr().err
    whole = json.loads((tmp_path / "out" / hostile.NAME / "scores.json").read_text("utf-8"))
    assert whole["students"][0]["points"] == 17


# nbgrader beside it -----------------------------------------------------------------------------


def test_points_entered_in_nbgrader_are_merged(tmp_path, monkeypatch):
    pytest.importorskip("nbgrader")
    from nbgrader.api import Gradebook

    name, course = hostile.NAME, tmp_path / "course"
    shutil.copytree(ROOT / "solutions" / name, course / "solutions" / name)
    shutil.copy(ROOT / "nbgrader_config.py", course)
    folder = hand_in(tmp_path / "in", Zoë=hostile.BASE)
    scores = grade(folder, tmp_path / "out", "--export", course / "submitted", "--jobs", "1")
    assert scores["Zoë"]["points"] == 20 and scores["Zoë"]["open"] == ["q7"]
    bin_folder = str(Path(sys.executable).parent)  # as in an activated environment
    path = {**os.environ, "PATH": os.pathsep.join([bin_folder, os.environ["PATH"]])}

    def nbgrader(*step):
        command = [sys.executable, "-m", "nbgrader", *step]
        done = subprocess.run(command, cwd=course, capture_output=True, text=True, env=path)
        assert done.returncode == 0, done.stderr

    nbgrader("generate_assignment", name, "--create")
    nbgrader("autograde", name, "--create")
    (student,) = os.listdir(course / "submitted")
    monkeypatch.setenv("PATH", path["PATH"])
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        automatic = book.find_grade("q5-check", name, name, student)
        assert automatic.auto_score == 3
        book.find_grade("q7", name, name, student).manual_score = 3.5
        book.db.commit()
    nbgrader("generate_feedback", name)
    monkeypatch.undo()
    assert list((course / "feedback").rglob("*.html"))
    again = grade(folder, tmp_path / "out", "--manual", course / "gradebook.db")["Zoë"]
    assert again["points"] == 23.5 and not again["open"]
    assert again["questions"]["q7"]["reason"] == "points entered in nbgrader"
    kept = grade(folder, tmp_path / "out")["Zoë"]
    assert kept["points"] == 23.5, "points by hand are kept for later runs"
