"""What is already graded? The folder of a run: a seed, a record for each student, tables.

A record is written when its student is done, so a stopped run goes on where it stopped. A student
is graded anew if the hand-in, the checks, the seed or the limits have changed.
"""

import csv
import hashlib
import json
import os
import re
import secrets
import time
from pathlib import Path


class Book:
    """The output folder of one lesson's grading."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.records = self.folder / "records"
        if not self.folder.exists():
            self.folder.mkdir(parents=True, mode=0o700)  # the seed and the points are private
        self.records.mkdir(exist_ok=True)
        (self.folder / "feedback").mkdir(exist_ok=True)

    def seed(self, given=None):
        """Return the secret seed: the one given, the one of this folder, or a new one."""
        path = self.folder / "seed.txt"
        if given is None and path.exists():
            return int(path.read_text(encoding="utf-8"))
        seed = secrets.randbits(63) if given is None else given
        write(path, f"{seed}\n")
        path.chmod(0o600)
        return seed

    def done(self, student, key):
        """Return a student's record if it was made under the same key, else None."""
        try:
            record = json.loads(self.record_path(student).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return record if record.get("key") == key else None

    def keep(self, record):
        """Write a student's record."""
        write(self.record_path(record["student"]), json.dumps(record, ensure_ascii=False, indent=1))

    def record_path(self, student):
        """Return where a student's record is kept."""
        return self.records / f"{file_name(student)}.json"

    def log(self, *lines):
        """Add lines to the log."""
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        with open(self.folder / "grade.log", "a", encoding="utf-8", errors="replace") as file:
            file.writelines(f"{now}  {one_line(line)}\n" for line in lines)

    def tables(self, lesson, seed, records):
        """Write scores.csv and scores.json."""
        part, coded = self.folder / "scores.csv.part", {"encoding": "utf-8-sig", "newline": ""}
        with open(part, "w", errors="replace", **coded) as file:
            table = csv.writer(file, quoting=csv.QUOTE_ALL)  # also where ";" parts the columns
            table.writerow(["student", "question", "points", "reason"])
            for record in records:
                for name, entry in record["results"].items():
                    points = "" if entry["points"] is None else f"{entry['points']:g}"
                    reason = one_line(entry["reason"])
                    table.writerow([harmless(record["student"]), name, points, harmless(reason)])
        os.replace(part, self.folder / "scores.csv")
        whole = {
            "lesson": lesson.name,
            "seed": seed,
            "checks": lesson.fingerprint,
            "students": [
                {
                    "student": record["student"],
                    "notebook": record["notebook"],
                    "points": total(record),
                    "most": sum(entry["most"] for entry in record["results"].values()),
                    "open": [n for n, e in record["results"].items() if e["points"] is None],
                    "same_file_as": record.get("twins", []),
                    "seconds": record["seconds"],
                    "questions": {
                        name: {key: entry[key] for key in ("points", "most", "reason", "mistake")}
                        for name, entry in record["results"].items()
                    },
                }
                for record in records
            ],
        }
        write(self.folder / "scores.json", json.dumps(whole, ensure_ascii=False, indent=1) + "\n")


def total(record):
    """Return the points a student has so far."""
    return round(sum(entry["points"] or 0 for entry in record["results"].values()), 4)


def key(*parts):
    """Return a digest of everything that decides a student's points."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def file_name(student):
    """Return a file name for a student that no other student has.

    >>> file_name("jane"), file_name("Ana María (1234)")[:13]
    ('jane', 'Ana_María_123')
    """
    name = re.sub(r"[^\w-]+", "_", student).strip("_")[:60]
    taken = re.search(r"-[0-9a-f]{8}$", name)  # looks like the name of somebody else's file
    if name == student and name.isascii() and name == name.lower() and not taken:
        return name
    return f"{name}-{hashlib.sha256(student.encode(errors='replace')).hexdigest()[:8]}"


def harmless(text):
    """Keep a spreadsheet from taking a text for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def one_line(text):
    """Return a text without line breaks and control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())


def write(path, text):
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8", errors="replace")
    os.replace(part, path)
