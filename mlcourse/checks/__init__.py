"""Is this answer right, and if not, what went wrong? The visible checks of the exercises.

A notebook says once which exercise it is, then checks each answer; hints are one call away::

    checks.use("01")
    checks.check("q1", entropy)
    checks.hint("q1")  # the next call says more

The questions of exercise NN are ``QUESTIONS`` in ``lessonNN.py`` beside this file; a new exercise
is a new file. A Question holds cases, a reference and the known mistakes; a mistake is recognized
by what it answers. ``run`` calls the student's function and ``judge`` only compares values, so
the grader's hidden checks can use the same ``judge`` on fresh inputs, in a process of their own.
"""

import copy
import importlib
import linecache
import math
import numbers
import pkgutil
import sysconfig
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

__all__ = ["CheckFailed", "NotAnswered", "check", "hint", "use"]

BLANK = "not answered yet"

_current = {"lesson": None}  # the exercise named by use()
_hints_given = {}  # (lesson, question) → how many
_harness = set()  # files of a program that runs answers: its lines are not the student's


class CheckFailed(AssertionError):
    """An answer that is not right; the message is the diagnosis."""

    def _render_traceback_(self):
        """Let IPython show the message alone: a traceback through the checks helps nobody."""
        return [str(self)]


class NotAnswered(CheckFailed):
    """An answer that is still blank."""


# What a lesson writes down --------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One call of the student's function: plain data, and the answer if no reference gives it."""

    args: tuple
    expected: Any = None
    label: str = ""  # how to print the call where the arguments themselves are too long


def number(got):
    """Say what is wrong with an answer that should be one number, or return None."""
    if isinstance(got, np.ndarray) and got.ndim == 0:
        got = got.item()
    if isinstance(got, numbers.Real) and not isinstance(got, bool | np.bool_):
        return None
    return f"returned {show(got)}: the question asks for one number"


def text(got):
    """Say what is wrong with an answer that should be a name, or return None."""
    return None if isinstance(got, str) else f"returned {show(got)}: the question asks for a name"


def mapping(got):
    """Say what is wrong with an answer that should be a dict, or return None."""
    return None if isinstance(got, dict) else f"returned {show(got)}: the question asks for a dict"


@dataclass(frozen=True)
class Question:
    """One question: what is asked, how answers are compared, what usually goes wrong.

    A known mistake is recognized either by what it gives or by a property that shows.
    """

    name: str
    title: str
    points: int
    function: str  # the name the notebook asks the student to define
    cases: tuple[Case, ...]
    hints: tuple[str, ...]
    mistakes: str = ""  # lines "name: message"; a message asks or explains, it does not solve
    gives: dict = field(default_factory=dict)  # name → (*args) → what the mistake returns, or
    shows: dict = field(default_factory=dict)  # name → (got, expected, *args) → is it this one?
    reference: Callable | None = None  # the right answer of a case that does not carry it
    asks: tuple[str, ...] = ()  # mlcourse names that would be the answer: not to be imported
    kind: Callable = number  # number, text or mapping: complains about a wrong type
    unit: str = ""
    tolerance: float = 1e-9
    prepare: Callable = lambda *args: args  # plain data → what the function gets
    accepts: Callable | None = None  # (got, expected, *args) → bool, if equality is too strict

    def messages(self):
        """Return {name of a known mistake: what to tell the student}, in the order to try them."""
        lines = self.mistakes.strip().splitlines()
        return dict(line.strip().split(": ", 1) for line in lines)

    def expected(self, case):
        """Return the right answer of a case."""
        if case.expected is not None:
            return case.expected
        return self.reference(*copy.deepcopy(case.args))

    def right(self, got, expected, args):
        """Say whether an answer is right."""
        if isinstance(got, Raised | Changed) or self.kind(got):
            return False
        if self.accepts:
            return bool(self.accepts(got, expected, *args))
        return same(got, expected, self.tolerance)

    def call(self, case):
        """Return the call as the student would type it."""
        given = ", ".join(show(value, exact=True) for value in case.args)
        return case.label or f"{self.function}({given})"


# Running and judging --------------------------------------------------------------------------


@dataclass(frozen=True)
class Raised:
    """What a call raised instead of returning: type, message, and where in the student's code."""

    type: str
    message: str
    function: str = ""
    line: int = 0
    code: str = ""


@dataclass(frozen=True)
class Changed:
    """A call that returned, but changed the argument in this position (from 0)."""

    position: int


class Verdict(NamedTuple):
    """Share of the points, the reason, and the name of the mistake (None if there is none)."""

    share: float
    reason: str
    mistake: str | None = None


def run(question, answer, args):
    """Call the student's function on a copy of ``args``; return its value, Raised or Changed."""
    given = question.prepare(*copy.deepcopy(args))
    kept = copy.deepcopy(given)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # np.log2(0) may warn on the way to a right answer
            returned = answer(*given)
    except (Exception, SystemExit) as error:
        return _raised(error)
    for position, (before, after) in enumerate(zip(kept, given, strict=True)):
        if not same(before, after, 0):
            return Changed(position)
    return returned


def judge(question, cases, returned, *, reveal=True):
    """Compare what was returned for each case; ``reveal=False`` keeps inputs and answers secret."""
    rows = [(got, case, question.expected(case)) for got, case in zip(returned, cases, strict=True)]
    wrong = [row for row in rows if not question.right(row[0], row[2], row[1].args)]
    if not wrong:
        return Verdict(1.0, "correct")
    got, case, expected = wrong[0]
    call = "your " + (question.call(case) if reveal else f"{question.function}(…)")
    found = _recognized(question, rows, wrong)
    if isinstance(got, Raised):
        return _stopped(question, call, got, found)
    if isinstance(got, Changed):
        reason = f"{call} changes its argument number {got.position + 1}: work on a copy"
        return Verdict(0.0, reason, "changed_input")
    if got is None:
        return Verdict(0.0, f"{call} returned None: did you forget return?", "no_return")
    if question.kind(got):
        return Verdict(0.0, f"{call} {question.kind(got)}", "wrong_type")
    if found:
        evidence = f" (Y{call[1:]} gives {_apart(got, expected)[0]}.)" if reveal else ""
        return Verdict(0.0, question.messages()[found] + evidence, found)
    if isinstance(got, numbers.Real) and not math.isfinite(got):
        reason = f"{call} gives {show(got)}: look for 0/0, a division by 0 or log 0"
        return Verdict(0.0, reason, "not_finite")
    if not reveal:
        reason = f"{call} is wrong on {len(wrong)} of {len(rows)} fresh inputs"
        return Verdict(0.0, reason, "unknown")
    shown, wanted = _apart(got, expected)
    unit = f" {question.unit}{'' if wanted == '1' else 's'}" if question.unit else ""
    return Verdict(0.0, f"{call} gives {shown}, but it should be {wanted}{unit}", "unknown")


def _stopped(question, call, raised, found):
    """Give the verdict on a call that raised an exception."""
    if raised.type == "NotImplementedError":
        if raised.function in ("", question.function):
            return Verdict(0.0, BLANK, "blank")
        reason = f"your {question.function} calls {raised.function}, which is {BLANK}"
        return Verdict(0.0, reason, "blank")
    where = f" in line {raised.line} of your cell" if raised.line else ""
    where += f" ({raised.code})" if raised.code else ""
    reason = f"{call} raised {raised.type}: {raised.message}{where}"
    if found:
        return Verdict(0.0, f"{reason}; {question.messages()[found]}", found)
    return Verdict(0.0, reason, "raised")


def _recognized(question, rows, wrong):
    """Name the mistake that explains every case, else one that explains the first wrong case."""

    def explains(name, row):
        got, case, expected = row
        try:
            if name in question.gives:
                return same(got, question.gives[name](*copy.deepcopy(case.args)), 1e-9)
            return bool(question.shows[name](got, expected, *case.args))
        except Exception:  # a strange answer may break the comparison: then it is not this one
            return False

    values = [row for row in rows if not isinstance(row[0], Raised)]
    if all(isinstance(row[0], Raised) for row in wrong):
        values = []  # right answers are no evidence of a mistake
    for name in question.messages():
        evidence = values if name in question.gives else wrong
        if evidence and all(explains(name, row) for row in evidence):
            return name
    properties = (name for name in question.messages() if name in question.shows)
    return next((name for name in properties if explains(name, wrong[0])), None)


def _raised(error):
    """Describe an exception by the last line of it that is the student's own."""
    library = map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))
    foreign = (*library, str(Path(__file__).parents[1]), *_harness, "<frozen")
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(foreign)]
    message = " ".join(str(error).split()) or "no message"
    if not own:
        return Raised(type(error).__name__, message)
    code = linecache.getline(own[-1].filename, own[-1].lineno).strip()
    return Raised(type(error).__name__, message, own[-1].name, own[-1].lineno, code)


# Comparing and printing values ----------------------------------------------------------------


def same(one, other, tolerance):
    """Compare numbers within a tolerance, everything else exactly, through nested containers."""
    if hasattr(one, "equals") and hasattr(other, "equals"):  # pandas
        return bool(one.equals(other))
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        one, other = np.asarray(one), np.asarray(other)
        return one.shape == other.shape and same(one.tolist(), other.tolist(), tolerance)
    if isinstance(one, numbers.Real) and isinstance(other, numbers.Real):
        close = math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
        return close or (math.isnan(one) and math.isnan(other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k], tolerance) for k in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(same(a, b, tolerance) for a, b in pairs)
    alike = isinstance(one, type(other)) or isinstance(other, type(one))  # np.str_ is a str
    return alike and bool(one == other)


def show(value, *, exact=False, digits=4):
    """Print a value in the student's terms: short, no np.float64, inputs (exact) as fractions."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if isinstance(value, float | Fraction):
        if not math.isfinite(value):
            return "NaN (not a number)" if math.isnan(value) else str(float(value))
        if value == round(value):
            return str(round(value))
        fraction = Fraction(value).limit_denominator(100)
        if exact and abs(fraction - value) < 1e-12:
            return str(fraction)
        if abs(value) < 10**-digits:
            return f"{float(value):.1e}"
        return f"{float(value):.{digits}f}".rstrip("0").rstrip(".")
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, dict):
        pairs = [f"{show(key)}: {show(entry, exact=exact)}" for key, entry in value.items()]
        return _cut("{" + ", ".join(pairs) + "}")
    if isinstance(value, list | tuple):
        entries = ", ".join(show(entry, exact=exact) for entry in value)
        return _cut(f"[{entries}]" if isinstance(value, list) else f"({entries})")
    if value is None or isinstance(value, str | bool | int):
        return _cut(repr(value))
    return f"a {type(value).__name__}"


def _cut(shown, length=160):
    return shown if len(shown) <= length else shown[: length - 2] + " …"


def _apart(got, expected):
    """Show two values with as many digits as it takes to see that they differ."""
    if isinstance(got, np.ndarray) and got.size <= 24:
        return show(got.tolist()), show(np.asarray(expected).tolist())
    digits = 4
    if isinstance(got, numbers.Real) and math.isfinite(got):
        while digits < 16 and round(float(got), digits) == round(float(expected), digits):
            digits += 1
    return show(got, digits=digits), show(expected, digits=digits)


# What a notebook calls ------------------------------------------------------------------------


def lessons():
    """List the numbers of the exercises that have checks."""
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    return sorted(name[6:] for name in names if name.startswith("lesson"))


def questions(lesson):
    """Return the questions of an exercise by name."""
    number = str(lesson).zfill(2)
    if number not in lessons():
        known = ", ".join(lessons())
        raise CheckFailed(f"there are no checks for exercise {lesson!r}; there are: {known}")
    module = importlib.import_module(f"{__name__}.lesson{number}")
    return {question.name: question for question in module.QUESTIONS}


def use(lesson):
    """Say which exercise this notebook is: ``checks.use("01")``."""
    found = questions(lesson)
    _current["lesson"] = str(lesson).zfill(2)
    points = sum(question.points for question in found.values())
    print(f"Exercise {_current['lesson']}: {len(found)} checks, {points} points")


def check(name, *answers):
    """Check an answer: print one line if it is right, raise CheckFailed with a diagnosis if not."""
    _, question = _find(name)
    if not answers:
        example = f'checks.check("{question.name}", {question.function})'
        raise CheckFailed(f"{question.name}: give your answer too: {example}")
    answer = answers[0]
    if answer is None or answer is Ellipsis:
        raise NotAnswered(f"{question.name}: {BLANK}")
    if not callable(answer):
        message = f"{question.function} should be a function, yours is {show(answer)}"
        raise CheckFailed(f"{question.name}: {message}")
    if str(getattr(answer, "__module__", "")).startswith("mlcourse"):
        message = f"this is mlcourse's own {question.function}: write yours"
        raise CheckFailed(f"{question.name}: {message}")
    returned = [run(question, answer, case.args) for case in question.cases]
    verdict = judge(question, question.cases, returned)
    if verdict.share < 1:
        failure = NotAnswered if verdict.reason == BLANK else CheckFailed
        raise failure(f"{question.name}: {verdict.reason}")
    plural = "" if question.points == 1 else "s"
    print(f"{question.name}: correct ({question.points} point{plural})")


def hint(name):
    """Print a hint; each further call says more, up to the idea of the solution."""
    lesson, question = _find(name)
    total = len(question.hints)
    given = min(_hints_given.get((lesson, question.name), 0) + 1, total)
    _hints_given[lesson, question.name] = given
    last = ", the last" if given == total else ""
    print(f"{question.name}, hint {given} of {total}{last}: {question.hints[given - 1]}")


def _find(name):
    """Return (exercise, question) of "q1" or "01.q1"."""
    lesson, _, short = str(name).rpartition(".")
    lesson = lesson or _current["lesson"]
    if lesson is None:
        raise CheckFailed(
            f"which exercise is {name!r} of? Run the set-up cell at the top first: "
            'it says checks.use("01") or another number'
        )
    known = questions(lesson)
    if short not in known:
        names = ", ".join(known)
        raise CheckFailed(f"exercise {lesson} has no question {short!r}; it has {names}")
    return lesson, known[short]
