"""Hidden checks of exercise 02: fresh inputs, and the verdict on what came back.

``fresh`` and ``judge`` are all a grader needs. No student code runs here: the grader calls the
student's functions elsewhere and hands the returned values over as plain data.
"""

from dataclasses import replace

import numpy as np

from mlcourse import checks
from mlcourse.checks import Case, Raised, lesson02
from mlcourse.checks.trees02 import UNKNOWN, best_cut, predict, removed
from tools.grading.inputs import Inputs, told_apart

CASES = 8  # fresh inputs per question
NAMES = ("sun", "rain", "snow", "fog", "hail", "wind", "storm", "frost", "dew", "sleet")
LABELS = ("maybe", "no", "yes")


def _telling(question, cases):
    """Ask also that every mistake that only shows in a property is recognized."""
    if not told_apart(question, cases):
        return False
    known = [Case(tuple(args), question.reference(*args)) for args in cases]
    return all(
        checks.judge(question, known, [function(*args) for args in cases]).mistake == mistake
        for mistake, function in SHOWN.get(question.name, {}).items()
    )


# References and mistakes that the visible checks only list ------------------------------------


def grow(columns, y, values, mistake=None, top=None):
    """Return ID3's tree as nested dicts; ``mistake`` names a known way to get it wrong."""
    columns, y = {name: np.array(column) for name, column in columns.items()}, np.array(y)
    labels, first, counts = np.unique(y, return_index=True, return_counts=True)
    order = first if mistake == "majority" else range(len(labels))  # of labels that tie
    majority = str(min(zip(-counts, order, labels, strict=True))[2])
    top = top or (majority, columns, y)
    open_ = [name for name in columns if len(set(columns[name])) > 1 or mistake == "useless"]
    if not open_ or (len(labels) == 1 and mistake != "pure"):
        return majority
    table, target = top[1:] if mistake == "choice" else (columns, y)
    gains = {name: round(removed(table[name], target), 10) for name in open_}
    names = reversed(open_) if mistake == "tie" else open_
    best = max(names, key=gains.get)
    if mistake == "stopped" and gains[best] <= 0:
        return majority
    branches = {}
    for value in values[best]:
        here = columns[best] == value
        if here.any():
            rest = {
                name: column[here]
                for name, column in columns.items()
                if mistake != "useless" or name != best
            }
            branches[value] = grow(rest, y[here], values, mistake, top)
        elif mistake != "missing_branch":
            branches[value] = top[0] if mistake == "parent_majority" else majority
    return {best: branches}


def _wrong_tree(mistake):
    return lambda columns, y, values: grow(columns, y, values, mistake)


def _last_of_ties(score):
    """Return the best cut, but the highest of those that tie."""

    def cut(x, y):
        threshold, best = best_cut(score)(-np.array(x), y)  # mirrored: the sides change places
        return [-threshold, best]

    return cut


def _at_repeated_values(score):
    """Return the best cut among the middles of all neighbors, equal ones included."""

    def cut(x, y):
        threshold, best = best_cut(score)(x, y)
        low = max(value for value in x if value <= threshold)
        return [float(low) if x.count(low) > 1 else threshold, best]

    return cut


def _own_values(columns, y, values, n):
    """Grow with the values of the training rows only: a new value finds no branch."""
    seen = {name: column[:n] for name, column in columns.items()}
    tree = grow(seen, y[:n], {name: sorted(set(column)) for name, column in seen.items()})
    try:
        wrong = np.array(predict(tree, columns)) != np.array(y)
    except KeyError as error:
        return Raised("KeyError", str(error))
    return [float(wrong[:n].mean()), float(wrong[n:].mean())]


QUESTIONS = {question.name: question for question in lesson02.QUESTIONS}
QUESTIONS["q3a"] = replace(QUESTIONS["q3a"], reference=grow)
SCORES = {"q2": removed, "q6b": lesson02.VARIANCE_REDUCTION}
SHOWN = {  # mistakes that are recognized by a property, and what they answer
    "q3a": {  # from the end: what is hardest to tell comes first
        name: _wrong_tree(name) for name in reversed(QUESTIONS["q3a"].shows) if name != "endless"
    },
    **{
        name: {"tie": _last_of_ties(score), "duplicates": _at_repeated_values(score)}
        for name, score in SCORES.items()
    },
    "q7": {"own_values": _own_values},
}


# Fresh inputs ---------------------------------------------------------------------------------


def _column(rng, rows, values):
    """Return a column with at least two of the values, unevenly drawn."""
    while True:
        shares = rng.dirichlet(np.ones(len(values)))
        column = rng.choice(values, size=rows, p=shares).tolist()
        if len(set(column)) > 1:
            return column


def _follows(rng, column, labels):
    """Return labels that depend on a column, with exceptions."""
    answer = {value: str(rng.choice(labels)) for value in sorted(set(column))}
    return [answer[v] if rng.random() < 3 / 5 else str(rng.choice(labels)) for v in column]


def _labels(rng, column, count=2):
    """Return labels of at least two classes that go along with a column."""
    labels = sorted(rng.permutation(LABELS)[:count].tolist())
    while True:
        y = _follows(rng, column, labels)
        if len(set(y)) > 1:
            return y


def _letters(rng, low=2, high=4):
    return list("abcd")[: int(rng.integers(low, high + 1))]


def _gains(rng):
    for number in range(CASES):
        x = _column(rng, int(rng.integers(8, 20)), _letters(rng))
        yield x, _labels(rng, x, 2 + number % 2)


def _cuts(rng):
    for _ in range(CASES - 2):
        x = rng.integers(0, 12, size=int(rng.integers(8, 14))).tolist()
        yield x, _labels(rng, [value > 5 for value in x])
    for _ in range(2):  # cutting off the lowest is as good as cutting off the highest
        x = np.cumsum(rng.integers(1, 9, size=int(rng.integers(5, 9)))).tolist()
        yield x, ["no", *["yes"] * (len(x) - 2), "no"]


def _shuffled(rng, columns, y):
    order = rng.permutation(len(y))
    return {name: [x[i] for i in order] for name, x in columns.items()}, [y[i] for i in order]


def _tables(rng):
    """Yield tables with unseen values, equal rows that disagree, and questions that tie."""
    while True:
        names = rng.permutation(NAMES)[:3].tolist()
        values = {name: _letters(rng, 2 + (name == names[0])) for name in names}
        rows = int(rng.integers(8, 13))
        columns = {name: rng.choice(values[name], size=rows).tolist() for name in names}
        yield columns, _labels(rng, columns[names[1]], int(rng.integers(2, 4))), values


def _trees(rng):
    tables = _tables(rng)
    for _ in range(CASES):
        yield next(tables)
    first, second, third = rng.permutation(NAMES)[:3].tolist()  # exclusive or, with a constant
    columns = {third: list("aaaa"), first: list("aabb"), second: list("abab")}
    columns, y = _shuffled(rng, columns, ["no", "yes", "yes", "no"])
    yield columns, y, {third: ["a", "b"], first: ["a", "b"], second: ["a", "b"]}


def _rows(rng):
    tables = _tables(rng)
    for _ in range(CASES):
        columns, y, values = next(tables)
        tree = grow(columns, y, values)
        new = {name: rng.choice(values[name], size=7).tolist() for name in columns}
        names = rng.permutation(list(new)).tolist()
        yield tree, {name: new[name] for name in names}


def _contests(rng):
    cases = []
    while len(cases) < CASES - 1:
        rows, names = int(rng.integers(10, 20)), rng.permutation(NAMES)[:4].tolist()
        columns = {name: _column(rng, rows, _letters(rng)) for name in names}
        y = _labels(rng, columns[names[0]])
        gains = np.array([removed(x, y) for x in columns.values()])
        ratios = gains / [removed(x, x) for x in columns.values()]
        if all(abs(score - score.mean()).min() > 1e-6 for score in (gains, ratios)):
            cases.append((columns, y))
    x = _column(rng, 9, _letters(rng))
    y = _labels(rng, x)
    return [*cases, ({"one": x, "two": x}, y)]  # both have just the average gain


def _gaps(rng):
    for number in range(CASES):
        x = _column(rng, int(rng.integers(8, 16)), _letters(rng))
        y = _labels(rng, x, 2 + number % 2)
        for gap in rng.permutation(len(x))[: int(rng.integers(1, 4))]:
            x[gap] = UNKNOWN
        yield (x, y) if len(set(x) - {UNKNOWN}) > 1 else (["a", "b", *x], ["no", "yes", *y])


def _subsets(rng):
    for number in range(CASES):
        x = _column(rng, int(rng.integers(8, 16)), list("abcd"))
        values = rng.permutation(sorted(set(x))).tolist()
        yield x, _labels(rng, x, 2 + number % 2), values[: int(rng.integers(1, len(values)))]


def _regressions(rng):
    for _ in range(CASES - 2):
        x = rng.integers(0, 12, size=int(rng.integers(8, 14))).tolist()
        yield x, [int(5 * (value > 5) + rng.integers(0, 8)) for value in x]
    for _ in range(2):
        x = np.cumsum(rng.integers(1, 9, size=int(rng.integers(5, 9)))).tolist()
        y = int(rng.integers(2, 9))
        yield x, [y, *[0] * (len(x) - 2), y]


def _patients(rng):
    """Yield some columns and rows of the cancer table, in a new order."""
    names, table = list(lesson02.CANCER), lesson02.CANCER
    for _ in range(CASES - 2):
        chosen = rng.permutation(names)[: int(rng.integers(3, 6))].tolist()
        rows = rng.permutation(len(lesson02.OUTCOME))[: int(rng.integers(60, 120))]
        columns = {name: [table[name][i] for i in rows] for name in chosen}
        y = [lesson02.OUTCOME[i] for i in rows]
        yield columns, y, {name: lesson02.RANGES[name] for name in chosen}, len(rows) // 2


MAKERS = {
    "q1": _gains,
    "q2": _cuts,
    "q3a": _trees,
    "q3b": _rows,
    "q4": _contests,
    "q5": _gaps,
    "q6a": _subsets,
    "q6b": _regressions,
    "q7": _patients,
}

INPUTS = Inputs(QUESTIONS, MAKERS, _telling)
fresh, judge = INPUTS.fresh, INPUTS.judge
