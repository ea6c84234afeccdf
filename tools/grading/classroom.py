"""The whole class, in parallel: ``python3 course.py grade SUBMISSIONS``.

joblib spreads the students over the cores, or over the workers of a Dask cluster. What a worker
needs travels with the job and only the record comes back, so the cost of a student does not grow
with the class, and workers on other machines need no shared folder.
"""

import argparse
import compileall
import hashlib
import os
import sys
import time
import traceback
from dataclasses import asdict, replace
from pathlib import Path

import joblib

from tools.grading import book, cells, collect, lessons, manual, pages, sandbox, submission
from tools.grading.submission import CannotGrade, Job

UNSAFE = (
    "WARNING: --unsafe-no-sandbox: students' code runs with your rights: it can read your files, "
    "use the network, and leave processes behind."
)


class GradeError(Exception):
    """A problem that the instructor can solve; its text says how."""


def parser():
    """Return the parser of the options."""
    made = argparse.ArgumentParser(prog="course.py grade", description=__doc__.split("\n")[0])
    made.add_argument("submissions", type=Path)
    made.add_argument("--lesson")
    made.add_argument("--out", type=Path, default=Path("grades"))
    made.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    made.add_argument("--dask")
    made.add_argument("--seed", type=int)
    made.add_argument("--manual", type=Path)
    made.add_argument("--regrade", action="store_true")
    made.add_argument("--timeout", type=float, default=sandbox.Limits.cell_seconds)
    made.add_argument("--memory", type=int, default=sandbox.Limits.memory >> 20)
    made.add_argument("--export", type=Path)
    made.add_argument("--unsafe-no-sandbox", action="store_true")
    return made


def main(argv=None):
    """Grade a class; return the exit code."""
    options = parser().parse_args(argv)
    try:
        return grade_class(options)
    except (GradeError, CannotGrade, manual.ManualError) as error:
        print(f"course.py: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\ncourse.py: stopped; the same command goes on from here.", file=sys.stderr)
    return 1


def grade_class(options):
    """Collect, grade who is not graded yet, write tables and pages."""
    ready(options)
    compileall.compile_dir(lessons.ROOT / "mlcourse", quiet=2)  # once, not in every sandbox
    handed, remarks = collect.handed_in(options.submissions)
    if not handed:
        raise GradeError(
            f"{options.submissions} holds no submissions: one folder, notebook or zip each"
        )
    lesson = choose_lesson(options.lesson, handed)
    out = options.out / lesson.name
    kept = book.Book(out)
    seed = kept.seed(options.seed)
    limits = replace(
        sandbox.Limits(),
        cell_seconds=options.timeout,
        question_seconds=options.timeout,
        memory=options.memory << 20,
    )
    kept.log(f"lesson {lesson.name}, {len(handed)} students, checks {lesson.fingerprint}", *remarks)
    basis = [seed, lesson.fingerprint, asdict(limits), options.unsafe_no_sandbox]
    keys = {each.student: book.key(each.digest(), basis) for each in handed}
    records = {}
    if not options.regrade:
        found = {student: kept.done(student, key) for student, key in keys.items()}
        records = {student: record for student, record in found.items() if record}
    todo = [each for each in handed if each.student not in records]
    if records:
        print(f"{len(records)} of {len(handed)} students are graded already.")
    secret = (lesson.folder.parent, options.submissions.resolve(), out.resolve())
    common = {"lesson": lesson.number, "limits": limits, "secret": secret}
    common |= {"unsafe": options.unsafe_no_sandbox}
    common["inputs"] = lesson.inputs(seed) if todo else {}
    began = time.monotonic()
    progress = Progress(len(todo))
    for record in graded(todo, lesson, common, options):
        record["key"] = keys[record["student"]]
        kept.keep(record)
        line = f"{record['student']}: {book.total(record):g} points, {record['seconds']:.1f} s"
        kept.log(line, *(f"{record['student']}: {note}" for note in record["log"]))
        records[record["student"]] = record
        progress.step()
    progress.end()
    finish(kept, lesson, seed, [records[each.student] for each in handed], options.manual)
    if options.export:
        export(handed, lesson, options.export)
    seconds = time.monotonic() - began
    print(f"{len(handed)} students, {len(todo)} graded now in {seconds:.0f} s: {out}/summary.html")
    return 0


def ready(options):
    """Refuse what cannot work, before anything is written."""
    if not options.submissions.exists():
        raise GradeError(f"{options.submissions} does not exist")
    if options.out.resolve().is_relative_to(options.submissions.resolve()):
        raise GradeError(f"--out {options.out} lies in the folder of submissions: choose another")
    if os.name == "nt":
        raise GradeError(f"grading needs Linux or macOS. {sandbox.ELSEWHERE}, or WSL.")
    if options.jobs < 1 or options.timeout <= 0 or options.memory < 768:
        raise GradeError(
            "--jobs should be at least 1, --timeout above 0, --memory at least 768 (MB)"
        )
    if options.unsafe_no_sandbox:
        print(UNSAFE, file=sys.stderr)
    elif reason := sandbox.problem():
        raise GradeError(
            f"no sandbox: {reason}. Without one, students' code could do anything on this machine; "
            "to take that risk, add --unsafe-no-sandbox."
        )


def choose_lesson(number, handed):
    """Return the lesson asked for, or the one that most of the notebooks look like."""
    known = lessons.lessons()
    if number:
        if number.zfill(2) not in known:
            raise GradeError(
                f"there is no exercise {number}; there are: {', '.join(known)} "
                "(`python3 course.py build` releases new ones)"
            )
        return known[number.zfill(2)]
    votes = dict.fromkeys(known, 0)
    for each in handed[:30]:
        for file in each.files:
            if file.name.lower().endswith(".ipynb"):
                try:
                    found = cells.read(file.read(), file.size)
                except (cells.Unreadable, *collect.UNZIP):
                    continue
                like = {one: cells.likeness(found, lesson) for one, lesson in known.items()}
                best = max(like, key=like.get)
                votes[best] += like[best] > 0
    best = max(votes, key=votes.get)
    if not votes[best]:
        raise GradeError(f"which exercise is this? Add --lesson with one of: {', '.join(known)}")
    print(f"Exercise {known[best].name} (by the look of the notebooks; --lesson NN decides).")
    return known[best]


def jobs(todo, lesson, common):
    """Make the jobs one after the other, so that few notebooks are in memory at once."""
    others = [other for number, other in lessons.lessons().items() if number != lesson.number]
    for each in todo:
        chosen, why, notes, files = collect.choose(each, lesson, others)
        notebook = {"notebook": chosen.name, "data": chosen.read()} if chosen else {"data": None}
        yield Job(each.student, problem=why, files=files, notes=tuple(notes), **notebook, **common)


def graded(todo, lesson, common, options):
    """Yield the records of the students as they get ready."""
    if not todo:
        return
    calls = (joblib.delayed(grade_safely)(job) for job in jobs(todo, lesson, common))
    if not options.dask:
        run = joblib.Parallel(n_jobs=options.jobs, return_as="generator_unordered", batch_size=1)
        yield from run(calls)
        return
    try:
        from dask.distributed import Client
    except ImportError:
        raise GradeError('--dask needs distributed: pip install -e ".[dev]"') from None
    try:
        client = Client(options.dask, timeout=20)
    except (OSError, ValueError) as error:
        raise GradeError(f"no Dask scheduler answers at {options.dask} ({error})") from None
    with client, joblib.parallel_config(backend="dask", wait_for_workers_timeout=60):
        workers = max(1, sum(client.nthreads().values()))
        run = joblib.Parallel(
            n_jobs=workers, return_as="generator_unordered", batch_size=1, pre_dispatch="3*n_jobs"
        )
        yield from run(calls)


def grade_safely(job):
    """Grade one student; an error of the grader is no zero, a person should look."""
    digest = hashlib.sha256(job.data or b"").hexdigest()
    try:
        record = submission.grade(job)
    except Exception as error:
        if isinstance(error, CannotGrade) and not submission.works(job):
            raise
        lesson = lessons.lessons()[job.lesson]
        reason = "the grader failed here, the log says how: a person should look"
        results = {n: submission.result(None, m, reason) for n, m in submission.points(lesson)}
        record = {"student": job.student, "notebook": job.notebook, "results": results}
        record |= {"log": [*job.notes, traceback.format_exc()], "seconds": 0.0}
    return {**record, "file": digest}


def finish(kept, lesson, seed, records, points):
    """Merge points by hand, write the tables, a page for each student and the summary."""
    twins = {}
    for record in records:
        if any(entry["answer"] for entry in record["results"].values()):
            worth = [e["mistake"] != "blank" for e in record["results"].values()]
            if any(worth):
                twins.setdefault(record["file"], []).append(record["student"])
    for record in records:
        same = twins.get(record["file"], [])
        record["twins"] = [one for one in same if one != record["student"]]
        if record["twins"]:
            kept.log(f"{record['student']}: the same file as {', '.join(record['twins'])}")
    by_hand = manual.given(points, lesson) if points else {}
    for student in manual.merge(records, by_hand, kept.folder / "manual.json"):
        print(f"{points.name}: no student {student}, or several; not merged", file=sys.stderr)
        kept.log(f"{points.name}: no student {student}, or several; not merged")
    kept.tables(lesson, seed, records)
    for record in records:
        path = kept.folder / "feedback" / f"{book.file_name(record['student'])}.html"
        book.write(path, pages.feedback(lesson, record))
    book.write(kept.folder / "summary.html", pages.summary(lesson, records))


def export(handed, lesson, folder):
    """Write the chosen notebooks where nbgrader expects them: STUDENT/NAME/NAME.ipynb."""
    for each in handed:
        others = [other for other in lessons.lessons().values() if other != lesson]
        chosen, *_ = collect.choose(each, lesson, others)
        if chosen:
            target = folder / book.file_name(each.student) / lesson.name / f"{lesson.name}.ipynb"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(chosen.read())


class Progress:
    """A bar on a terminal; elsewhere a line for every tenth."""

    def __init__(self, whole, stream=sys.stderr):
        self.whole, self.done, self.stream = whole, 0, stream
        self.began, self.terminal = time.monotonic(), stream.isatty()

    def step(self):
        """Count one student."""
        self.done += 1
        left = (time.monotonic() - self.began) / self.done * (self.whole - self.done)
        text = f"{self.done}/{self.whole} students, {left:.0f} s left"
        if self.terminal:
            bar = "#" * (30 * self.done // self.whole)
            self.stream.write(f"\r[{bar:-<30}] {text}   ")
        elif self.done * 10 // self.whole > (self.done - 1) * 10 // self.whole:
            self.stream.write(text + "\n")
        self.stream.flush()

    def end(self):
        """Leave the line of the bar."""
        if self.terminal and self.whole:
            self.stream.write("\n")


if __name__ == "__main__":
    sys.exit(main())
