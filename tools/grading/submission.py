"""The points of one student: run the notebook in a sandbox, judge outside, give reasons.

All questions are first called on the visible cases, then on the fresh inputs. When the sandbox
dies, the cell or the question that killed it is left out, and a new sandbox takes up the rest:
one bad answer costs one question.
"""

import contextlib
import re
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tools.grading import cells, lessons, plain
from tools.grading.sandbox import HOME, ROOT, Limits
from tools.grading.session import Dead, Session

START_SECONDS = 90  # the first start on a slow disk; nothing of the student's runs yet
BY_HAND = "read by a person: no points entered yet"
ENOUGH = 30  # sandboxes for one submission
LONGEST = 20_000  # characters of an answer in a record and on a page


class CannotGrade(RuntimeError):
    """The grader itself does not work here."""


@dataclass(frozen=True)
class Job:
    """One student's hand-in and what is needed to grade it, on any machine."""

    student: str
    lesson: str
    data: bytes | None  # the notebook, or None if there is none
    problem: str = ""  # why there is none
    notebook: str = ""
    files: dict = field(default_factory=dict)  # what lay beside it
    inputs: dict = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    unsafe: bool = False
    secret: tuple = ()
    notes: tuple = ()


def result(points, most, reason, mistake=None, answer=""):
    """Return the record of one question."""
    parts = {"points": points, "most": most, "reason": reason, "mistake": mistake}
    return {**parts, "answer": answer[:LONGEST] + " …" * (len(answer) > LONGEST)}


def grade(job):
    """Return the record of one student: points and reasons of every question, and a log."""
    began = time.monotonic()
    lesson = lessons.lessons()[job.lesson]
    record = {"student": job.student, "notebook": job.notebook, "log": list(job.notes)}
    try:
        if job.data is None:
            raise cells.Unreadable(job.problem)
        handed = cells.read(job.data)
        made = cells.plan(handed, lesson)
    except cells.Unreadable as reason:
        record["log"].append(str(reason))
        record["results"] = {
            name: result(0.0, most, str(reason), "unreadable") for name, most in points(lesson)
        }
    else:
        record["log"] += made.notes
        record["results"] = Grading(job, lesson, made, record["log"]).results()
    record["seconds"] = round(time.monotonic() - began, 2)
    return record


def points(lesson):
    """Return (name, points) of every question, automatic ones first."""
    automatic = [(name, question.points) for name, question in lesson.questions.items()]
    return automatic + [(name, most) for name, (most, _) in lesson.manual.items()]


def works(job):
    """Say whether a sandbox with nothing of the student's in it starts here."""
    lesson = lessons.lessons()[job.lesson]
    grading = Grading(job, lesson, None, [])
    with tempfile.TemporaryDirectory(prefix="grading-") as folder:
        place = Path(folder, "files")
        write_files(lesson, {}, place)
        try:
            with Session(job.limits, place, job.secret, unsafe=job.unsafe) as session:
                grading.session = session
                grading.start(str(session.folder or HOME))
        except CannotGrade:
            return False
    return True


class Grading:
    """The grading of one notebook, over as many sandboxes as it takes."""

    def __init__(self, job, lesson, made, log):
        self.job, self.lesson, self.plan, self.log = job, lesson, made, log
        self.lost = {}  # number of a cell → why it is left out
        self.errors = {}  # number of a cell → its exception
        self.found = {}  # question → what its name stands for
        self.visible, self.verdicts = {}, {}  # question → verdict
        self.over = time.monotonic() + job.limits.submission_seconds

    def results(self):
        """Return {question: record}."""
        with tempfile.TemporaryDirectory(prefix="grading-") as folder:
            place = Path(folder, "files")
            write_files(self.lesson, self.job.files, place)
            for _ in range(ENOUGH):
                if not self.pending() or time.monotonic() > self.over:
                    break
                self.one_sandbox(place)
        for name in self.pending():
            reason = "the time for the whole submission was used up"
            self.verdicts[name] = lessons.Verdict(0.0, reason, "stopped")
        return {name: self.record(name, most) for name, most in points(self.lesson)}

    def record(self, name, most):
        """Return the record of one question."""
        if name in self.lesson.manual:
            text = self.plan.manual[name]
            if text:
                return result(None, most, BY_HAND, None, text)
            return result(0.0, most, lessons.checks.BLANK, "blank")
        share, reason, mistake = self.verdicts[name]
        answer = self.plan.answer(name)
        if share < 1 and (used := self.uses(name, answer)):
            reason = f"{reason.rstrip('.')}; it calls {used}, which has not all points itself"
        return result(round(share * most, 4), most, reason, mistake, answer)

    def uses(self, name, answer):
        """Name the functions of other questions that an answer calls and that are not right."""
        found = [
            f"{question.function} ({other})"
            for other, question in self.lesson.questions.items()
            if other != name
            and self.verdicts[other].share < 1
            and re.search(rf"\b{question.function}\s*\(", answer)
        ]
        return " and ".join(found)

    def pending(self):
        """List the questions that have no verdict yet."""
        return [name for name in self.lesson.questions if name not in self.verdicts]

    def one_sandbox(self, files):
        """Run the cells and grade questions until something dies."""
        job = self.job
        with Session(job.limits, files, job.secret, unsafe=job.unsafe) as session:
            self.session = session
            self.start(str(session.folder or HOME))
            try:
                for source in self.plan.prelude:  # not of the student's time
                    session.ask("cell", time.monotonic() + START_SECONDS, source=source)
            except Dead as reason:
                raise CannotGrade(f"a cell of exercise {self.lesson.number} {reason}") from None
            if not self.run_cells():
                return
            for name in self.pending():
                if self.found.get(name) != "function":
                    self.verdicts[name] = self.missing(name)
            if self.call_all(self.see):
                self.call_all(self.compare)

    def start(self, folder):
        """Load the library and the lesson in a new sandbox."""
        arguments = {"root": str(ROOT), "lesson": self.lesson.number}
        arguments["sources"] = lessons.sources()
        try:
            answer = self.ask("start", START_SECONDS, **arguments, folder=folder)
        except Dead as reason:
            raise CannotGrade(f"the sandbox does not start: Python inside it {reason}") from None
        if not answer.get("ready"):
            raise CannotGrade(f"the sandbox does not start: {answer.get('raised')}")

    def ask(self, action, seconds, **arguments):
        """Ask the sandbox; running out of memory counts as a death."""
        deadline = time.monotonic() + seconds
        if action != "start":
            deadline = min(deadline, self.over)
        answer = self.session.ask(action, deadline, **arguments)
        error, raised = answer.get("error"), answer.get("raised")
        kind = error[0] if isinstance(error, list) and error else None
        kind = raised.get("type") if isinstance(raised, dict) else kind
        if kind == "MemoryError":
            self.session.kill()
            raise Dead(f"asked for more than {self.job.limits.memory >> 20} MB of memory")
        return answer

    def run_cells(self):
        """Run the student's cells and take their functions; return success."""
        last = None
        for action, what in self.plan.steps:
            try:
                if action == "take":
                    answer = self.ask("take", self.job.limits.cell_seconds, question=what)
                    self.found[what] = str(answer.get("found"))
                elif what not in self.lost:
                    last = what
                    source = self.plan.sources[what]
                    answer = self.ask("cell", self.job.limits.cell_seconds, source=source)
                    self.errors[what] = error_text(answer.get("error") or answer.get("raised"))
            except Dead as reason:
                # Looking up a name kills nobody: what did it came before.
                number = what if action == "cell" else last
                if number is None:
                    raise CannotGrade(f"a new sandbox {reason}") from None
                self.lost[number] = str(reason)
                self.log.append(f"cell {number + 1} is left out: it {reason}")
                return False
        return True

    def call_all(self, call):
        """Call every question that is still open; return False if the sandbox died."""
        for name in self.pending():
            try:
                call(name)
            except Dead as reason:
                told = str(reason)
                if call == self.compare:  # an exit code could tell a fresh input
                    told = re.sub(r" \(exit code.*?\)", "", told)
                self.lose(name, f"your {self.function(name)}(…) {told}")
                return False
        return True

    def see(self, name):
        """Judge a function by the visible cases, once."""
        if name not in self.visible:
            cases = range(len(self.lesson.questions[name].cases))
            returned = self.returned(name, [{"case": number} for number in cases], keys=None)
            self.visible[name] = verdict = self.lesson.visible_verdict(name, returned)
            if verdict.share <= 0:
                self.verdicts[name] = verdict

    def compare(self, name):
        """Judge a function by the fresh inputs; the visible cases must be right too."""
        args = self.job.inputs[name]
        returned = self.returned(name, [{"args": list(each)} for each in args])
        verdict = self.lesson.hidden_verdict(name, args, returned)
        self.verdicts[name] = min(self.visible[name], verdict, key=lambda each: each.share)

    def returned(self, name, calls, keys=str):
        """Call the student's function several times, all within the time of one question."""
        end = time.monotonic() + self.job.limits.question_seconds
        values = []
        for call in calls:
            left = max(end - time.monotonic(), 0)
            values.append(plain.value(self.ask("call", left, question=name, **call), keys))
        return values

    def function(self, name):
        """Return the name of the function that a question asks for."""
        return self.lesson.questions[name].function

    def lose(self, name, reason):
        """Give no points for a question that killed the sandbox."""
        self.verdicts[name] = lessons.Verdict(0.0, reason, "stopped")
        self.log.append(f"{name}: {reason}")

    def missing(self, name):
        """Say why there is no function to grade."""
        function, numbers = self.function(name), self.plan.answers[name]
        found = self.found.get(name)
        lost = [self.lost[i] for i in numbers if i in self.lost]
        errors = [self.errors[i] for i in numbers if self.errors.get(i)]
        if lost:
            return lessons.Verdict(0.0, f"your cell {lost[-1]}", "stopped")
        if found == "mlcourse":
            reason = f"this is mlcourse's own {function}: write yours"
            return lessons.Verdict(0.0, reason, "mlcourse")
        if errors:
            return lessons.Verdict(0.0, f"your cell does not run: {errors[-1]}", "broken_cell")
        if found == "no function":
            return lessons.Verdict(0.0, f"{function} is not a function", "no_function")
        if not numbers:
            reason = f"the answer is missing: no cell defines {function}"
            return lessons.Verdict(0.0, reason, "missing")
        return lessons.Verdict(0.0, f"your cell defines no function {function}", "missing")


def error_text(error):
    """Return an exception of a cell in words; it happened before any fresh input was sent."""
    if isinstance(error, dict):
        return str(error.get("type"))[:60]
    if not isinstance(error, list) or len(error) != 3:
        return ""
    name, message, line = error
    where = f" (line {line})" if isinstance(line, int) and line else ""
    message = re.sub(r"\(<ipython-input[^>]*>, (line \d+)\)", r"(\1)", str(message)[:250])
    return f"{str(name)[:60]}: {message}".rstrip(": ") + where * ("line" not in message)


def write_files(lesson, files, place):
    """Write the student's folder: the lesson's data, and what lay beside the notebook.

    Settings (names with a dot) and names that are taken or not possible are left out.
    """
    place.mkdir()
    if (lesson.release / "data").is_dir():
        shutil.copytree(lesson.release / "data", place / "data")
    for name, data in files.items():
        path = PurePosixPath(name)
        if path.is_absolute() or any(part.startswith(".") for part in path.parts):
            continue
        target = place / path
        with contextlib.suppress(OSError, ValueError):
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
    for path in [place.parent, place, *place.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
