"""What is asked, and on which inputs? One lesson as the grader sees it.

Only trusted processes load this: it imports the hidden checks. Every lesson is found by its files
in solutions/, exercises/ and mlcourse/checks/; nothing here knows a particular one.
"""

import hashlib
import importlib.util
import json
import re
import zlib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from mlcourse import checks
from mlcourse.checks import Raised, Verdict
from tools.grading import plain

ROOT = Path(__file__).resolve().parents[2]
CHECKS = ROOT / "mlcourse" / "checks"
WRONG_ON = re.compile(r"is wrong on \d+ of \d+ fresh inputs")
SAYS = {
    "no_return": "returned None: did you forget return?",
    "wrong_type": "returned a value of the wrong kind",
    "not_finite": "gives NaN or infinity: look for 0/0, a division by 0 or log 0",
    "changed_input": "changes its argument: work on a copy",
    "unknown": "is wrong",
}
FRESH = "on fresh inputs"


@dataclass(frozen=True)
class Lesson:
    """One exercise: its questions, its hidden checks, and the notebook that was handed out."""

    number: str
    folder: Path  # in solutions/

    @property
    def name(self):
        """Return the name of the exercise, as 01_information_theory."""
        return self.folder.name

    @cached_property
    def questions(self):
        """Return the automatic questions by name."""
        return checks.questions(self.number)

    @cached_property
    def hidden(self):
        """Import hidden.py, which is in no package."""
        path = self.folder / "hidden.py"
        spec = importlib.util.spec_from_file_location(f"hidden{self.number}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    @property
    def checks_path(self):
        """Return the file of the visible checks."""
        return CHECKS / f"lesson{self.number}.py"

    @property
    def release(self):
        """Return the folder that students got."""
        return ROOT / "exercises" / self.name

    @cached_property
    def cells(self):
        """Return the cells of the student's version, as (kind, nbgrader metadata, source)."""
        path = self.release / f"{self.name}.ipynb"
        notebook = json.loads(path.read_text(encoding="utf-8"))
        return [
            (cell["cell_type"], cell["metadata"].get("nbgrader", {}), "".join(cell["source"]))
            for cell in notebook["cells"]
        ]

    @cached_property
    def locked(self):
        """Return {grade_id: source} of the code cells that come with the exercise."""
        return {
            meta["grade_id"]: source
            for kind, meta, source in self.cells
            if kind == "code" and meta.get("locked") and not meta.get("grade")
        }

    @cached_property
    def manual(self):
        """Return {name: (points, text handed out)} of the questions that a person reads."""
        return {
            meta["grade_id"]: (meta["points"], source)
            for kind, meta, source in self.cells
            if kind == "markdown" and meta.get("grade") and meta.get("solution")
        }

    @cached_property
    def fingerprint(self):
        """Return a digest of everything that decides points."""
        paths = [self.folder / "hidden.py", self.release / f"{self.name}.ipynb"]
        paths += [CHECKS / "__init__.py", self.checks_path]
        paths += sorted(CHECKS.glob(f"*{self.number}.py"))  # helpers of the lesson
        paths += sorted(path for path in self.folder.glob("data/**/*") if path.is_file())
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
        return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]

    def inputs(self, seed):
        """Return {question: fresh arguments} of a seed, the same for the whole class."""
        return {
            name: self.hidden.fresh(name, np.random.default_rng([seed, zlib.crc32(name.encode())]))
            for name in self.questions
        }

    def visible_verdict(self, name, returned):
        """Judge what came back for the cases that students see: every detail may be told."""
        question = self.questions[name]
        return judged(lambda: checks.judge(question, question.cases, returned), question)

    def hidden_verdict(self, name, args, returned):
        """Judge what came back for fresh inputs; the reason repeats nothing from the sandbox.

        A message, value or line that student code chose could carry the inputs out, into the
        feedback.
        """
        question = self.questions[name]
        verdict = judged(lambda: self.hidden.judge(name, args, returned), question)
        call = f"your {question.function}(…)"
        if verdict.share >= 1:
            return verdict
        if verdict.mistake in question.messages():
            reason = question.messages()[verdict.mistake]
        elif verdict.mistake == "raised":
            raised = [plain.exception(got.type) for got in returned if isinstance(got, Raised)]
            reason = f"{call} raised {(raised or ['an exception'])[0]} {FRESH}"
        elif verdict.mistake == "blank":
            reason = checks.BLANK
        elif verdict.mistake == "unknown" and (found := WRONG_ON.search(verdict.reason)):
            reason = f"{call} {found[0]}"
        else:
            reason = f"{call} {SAYS.get(verdict.mistake, SAYS['unknown'])} {FRESH}"
        return Verdict(verdict.share, reason, verdict.mistake)


def judged(judge, question):
    """Call the checks; a value so strange that it breaks them is of the wrong kind."""
    try:
        share, reason, mistake = judge()
        return Verdict(min(max(float(share), 0.0), 1.0), str(reason), mistake)
    except Exception:
        reason = f"your {question.function}(…) {SAYS['wrong_type']}"
        return Verdict(0.0, reason, "wrong_type")


def sources():
    """Return {name: text} of the modules of the checks; their files are not in the sandbox."""
    paths = [path for path in CHECKS.glob("*.py") if path.stem != "__init__"]
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


@cache
def lessons():
    """Return {number: Lesson} of all exercises that can be graded: checks and release are there."""
    folders = sorted(path.parent for path in ROOT.glob("solutions/[0-9][0-9]*/hidden.py"))
    found = [Lesson(folder.name[:2], folder) for folder in folders]
    return {
        each.number: each
        for each in found
        if each.checks_path.exists() and (each.release / f"{each.name}.ipynb").exists()
    }
