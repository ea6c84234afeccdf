"""Points given by a person: from nbgrader's gradebook.db, or from a table.

A table has the columns student, question, points (a column reason is kept too). In a grade book,
points entered by hand in the formgrader count, for derivations and, as corrections, for automatic
questions; what nbgrader's own autograde gave does not.
"""

import csv
import hashlib
import json
import os
import re
import sys
from pathlib import Path

from tools.grading import book


class ManualError(ValueError):
    """Points that cannot be used; the text says which and why."""


def given(path, lesson):
    """Return {student: {question: (points, reason)}}."""
    path = Path(path)
    if not path.exists():
        raise ManualError(f"{path} does not exist: name a gradebook.db or a CSV file")
    found = table(path) if path.suffix.lower() == ".csv" else gradebook(path, lesson)
    most = {name: question.points for name, question in lesson.questions.items()}
    most |= {name: points for name, (points, _) in lesson.manual.items()}
    for student, entries in found.items():
        for name, (points, _) in entries.items():
            if name not in most:
                known = ", ".join(most)
                raise ManualError(
                    f"{path.name}: {student} has points for {name!r}; there are {known}"
                )
            if not 0 <= points <= most[name]:
                raise ManualError(
                    f"{path.name}: {student} has {points:g} points for {name}; "
                    f"it has from 0 to {most[name]:g}"
                )
    return found


def table(path):
    """Read a CSV file; rows without points are skipped."""
    found = {}
    with open(path, encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            try:
                student, name = row["student"].lstrip("'"), row["question"]
                if (row["points"] or "").strip():
                    reason = (row.get("reason") or "").strip() or "points given by a person"
                    found.setdefault(student, {})[name] = float(row["points"]), reason
            except (KeyError, AttributeError):
                raise ManualError(
                    f"{path.name}: the first line should name the columns student, question, points"
                ) from None
            except ValueError:
                raise ManualError(
                    f"{path.name}: {row['points']!r} of {student} is not a number"
                ) from None
    return found


def gradebook(path, lesson):
    """Read the points entered by hand in nbgrader's formgrader."""
    from nbgrader.api import Gradebook, MissingEntry

    # nbgrader calls a program of its environment by name, which need not be on the path.
    folders = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    os.environ["PATH"] = os.pathsep.join(folders)
    found = {}
    with Gradebook(f"sqlite:///{path.resolve()}") as book:
        try:
            submissions = book.assignment_submissions(lesson.name)
        except MissingEntry:
            raise ManualError(f"{path.name} has no assignment {lesson.name}") from None
        for submission in submissions:
            for notebook in submission.notebooks:
                for grade in notebook.grades:
                    if grade.manual_score is not None:
                        name = grade.name.removesuffix("-check")
                        points = grade.manual_score + (grade.extra_credit or 0)
                        entry = points, "points entered in nbgrader"
                        found.setdefault(submission.student.id, {})[name] = entry
    return found


def merge(records, points, path):
    """Put points given by a person into the records; return names that nobody has.

    They are kept in ``path`` for later runs, each with a digest of the answer it was given for:
    a student who hands in another answer is read again.
    """
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    by_name = {}
    for record in records:
        for name in names(record["student"]):
            by_name.setdefault(name, []).append(record)
    unknown = []
    for student, entries in points.items():
        matching = by_name.get(fold(student), [])
        if len(matching) != 1:
            unknown.append(student)
            continue
        mine = kept.setdefault(matching[0]["student"], {})
        for name, (value, reason) in entries.items():
            mine[name] = [value, reason, digest(matching[0]["results"][name])]
    for record in records:
        for name, (value, reason, answer) in kept.get(record["student"], {}).items():
            result = record["results"].get(name)
            if result and digest(result) == answer:
                result.update(points=value, reason=reason, mistake=None)
    if kept:
        book.write(path, json.dumps(kept, ensure_ascii=False, indent=1) + "\n")
    return unknown


def digest(result):
    """Return a digest of a student's answer."""
    return hashlib.sha256(result["answer"].encode(errors="replace")).hexdigest()[:16]


def names(student):
    """Return what a student may be called elsewhere: the whole, the name, the number, the file."""
    parts = re.match(r"^(.*) \((\d+)\)$", student)
    found = [student, book.file_name(student), *(parts.groups() if parts else ())]
    return {fold(name) for name in found}


def fold(name):
    """Compare names without regard to case, blanks and underscores."""
    return re.sub(r"[\W_]+", "", name).casefold()
