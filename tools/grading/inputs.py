"""Which inputs tell a right answer from every known mistake? What all hidden checks share.

A ``hidden.py`` names its questions and, for each, a maker of random inputs; ``Inputs`` gives it
``fresh`` and ``judge``, all a grader needs. No student code runs here: the grader calls the
student's functions elsewhere and hands the returned values over as plain data.
"""

import json
from itertools import combinations

from mlcourse import checks
from mlcourse.checks import Case

TRIES = 200


def told_apart(question, cases):
    """Say whether the cases tell the right answer and all computed mistakes apart."""
    if question.accepts:  # many answers are right: its mistakes show in properties
        return True
    functions = [question.reference, *question.gives.values()]
    answers = [[function(*args) for args in cases] for function in functions]
    return not any(checks.same(one, other, 1e-6) for one, other in combinations(answers, 2))


class Inputs:
    """The hidden inputs of an exercise; ``telling`` may ask more of them than ``told_apart``."""

    def __init__(self, questions, makers, telling=told_apart):
        self.questions, self.makers, self.telling = questions, makers, telling

    def fresh(self, name, rng):
        """Return new arguments for a question: a list of tuples of plain data, decided by ``rng``.

        Draws until every known mistake answers something wrong and no two of them agree throughout.
        """
        for _ in range(TRIES):
            cases = json.loads(json.dumps([list(args) for args in self.makers[name](rng)]))
            if self.telling(self.questions[name], cases):
                return [tuple(args) for args in cases]
        raise RuntimeError(f"{name}: no inputs found that tell the known mistakes apart")

    def judge(self, name, args, returned):
        """Return (share of the points, reason, name of the mistake or None) for one question.

        ``args`` is what ``fresh`` gave; ``returned`` holds a value, Raised or Changed for each.
        """
        cases = [Case(tuple(each)) for each in args]
        return checks.judge(self.questions[name], cases, returned, reveal=False)
