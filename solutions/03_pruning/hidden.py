"""Hidden checks of exercise 03: fresh inputs, and the verdict on what came back.

``fresh`` and ``judge`` are all a grader needs. No student code runs here: the grader calls the
student's functions elsewhere and hands the returned values over as plain data.
"""

import numpy as np

from mlcourse.checks import lesson03, trees03
from tools.grading.inputs import Inputs

CASES = 8  # fresh inputs per question
QUESTIONS = {question.name: question for question in lesson03.QUESTIONS}
WORDS = ("sun", "wind", "rain", "snow", "fog", "hail", "frost", "dew")
ATTRIBUTES = trees03.ATTRIBUTES


# Random trees ---------------------------------------------------------------------------------


def _counts(rng, classes, most=9):
    """Return random counts with one frequent class, never all zero."""
    counts = rng.integers(0, 4, size=len(classes))
    counts[rng.integers(len(classes))] += rng.integers(1, most)
    return dict(zip(classes, counts.tolist(), strict=True))


def _tree(rng, words, classes=("yes", "no"), depth=3):
    """Return a random tree that asks for these words in turn, at most ``depth`` deep."""
    if depth == 0 or len(words) == 0:
        return {"counts": _counts(rng, classes)}
    values = rng.permutation(list("abcd"))[: rng.integers(2, 4)].tolist()
    deeper = rng.integers(0, depth, size=len(values))
    deeper[rng.integers(len(values))] = depth - 1
    branches = {
        value: _tree(rng, words[1:], classes, int(below))
        for value, below in zip(values, deeper, strict=True)
    }
    counts = {k: sum(child["counts"][k] for child in branches.values()) for k in classes}
    return {"counts": counts, "ask": words[0], "branches": branches}


def _words(rng, number=3):
    return rng.permutation(list(WORDS))[:number].tolist()


def _rows(rng, words, number):
    return [{word: str(rng.choice(list("abcd"))) for word in words} for _ in range(number)]


def _patients(rng):
    """Return a tree grown on patients, and the other patients: real data."""
    width = int(rng.integers(3, 5))
    picked = rng.permutation(ATTRIBUTES)[:width].tolist()
    return trees03.patients(int(rng.integers(10**6)), picked)


# Fresh inputs ---------------------------------------------------------------------------------


def _stuck(rng):
    for _ in range(3 * CASES):
        words, classes = _words(rng), rng.permutation(["yes", "no", "maybe"])[:2].tolist()
        tree = _tree(rng, words, classes)
        yield tree, _rows(rng, words, 1)[0]


def _validation(rng):
    for _ in range(CASES - 2):
        words = _words(rng)
        tree, rows = _tree(rng, words), _rows(rng, words, 25)
        yield tree, rows, rng.choice(["yes", "no"], size=25).tolist()
    yield _patients(rng)
    yield _patients(rng)


def _limits(rng):
    yield 0, int(rng.integers(2, 30)), 0.25
    size = int(rng.integers(2, 8))
    yield size, size, 0.25
    for _ in range(CASES - 2):
        n = int(rng.integers(4, 60))
        yield int(rng.integers(1, n)), n, float(rng.choice([0.05, 0.1, 0.2, 0.25, 0.4]))


def _clear(tree, cf):
    """Say whether the decision at a node leaves room for rounding."""
    found = trees03.pessimism(tree, cf)
    gap = found["leaf"] - found["subtree"]
    return min(abs(gap), abs(gap - 0.1)) > 1e-3


def _close(tree, cf):
    """Say whether only the tenth of an error decides."""
    found = trees03.pessimism(tree, cf)
    return 0 < found["leaf"] - found["subtree"] < 0.1


def _nodes(rng):
    made = [(_tree(rng, _words(rng), depth=2), 0.25) for _ in range(CASES - 1)]
    while True:
        close = {"yes": int(rng.integers(2, 9)), "no": int(rng.integers(0, 4))}
        other = {"yes": int(rng.integers(0, 6)), "no": int(rng.integers(2, 13))}
        both = {k: close[k] + other[k] for k in close}
        branches = {"a": {"counts": close}, "b": {"counts": other}}
        tree = {"counts": both, "ask": "wind", "branches": branches}
        if _close(tree, 0.25) and _clear(tree, 0.25):
            break
    return [args for args in [*made, (tree, 0.25)] if _clear(*args)]


def _splits(rng):
    for number in range(CASES):
        classes = ("low", "high", "none")[: 2 + number % 2]
        tree = _tree(rng, _words(rng), classes, depth=1 + number % 3)
        if number % 4 == 2:  # a class without a case
            for node in [*trees03.inner_nodes(tree), *trees03.leaves(tree)]:
                node["counts"] |= {"never": 0}
        yield (tree,)


def _messages(rng):
    for number in range(CASES):
        depth = number % 4
        yield _tree(rng, _words(rng), depth=depth), int(rng.integers(max(depth, 1), 9))
    yield {"counts": {"yes": int(rng.integers(3, 12)), "no": 0}}, 4


def _links(rng):
    for _ in range(CASES):
        tree = _tree(rng, _words(rng))
        yield tree, trees03.size(tree)
        below = [node for node in trees03.inner_nodes(tree)[1:]]
        if below:
            yield below[int(rng.integers(len(below)))], trees03.size(tree)


def _unclear(tree):
    """Say whether two values of g are so close that rounding could decide."""
    n = trees03.size(tree)
    values = np.sort([trees03.link(node, n) for node in trees03.inner_nodes(tree)])
    gaps = np.diff(values)
    return bool(np.any((gaps > 1e-12) & (gaps < 1e-6)))


def _paths(rng):
    made = [_tree(rng, _words(rng)) for _ in range(CASES - 1)] + [_patients(rng)[0]]
    return [(tree,) for tree in made if not _unclear(tree)]


def _tables(rng):
    for _ in range(CASES):  # sixty-fourths: sums are exact
        length = int(rng.integers(4, 9))
        sizes = rng.permutation(np.arange(1, 40))[:length].tolist()
        errors, widths = rng.integers(10, 24, size=length), rng.integers(1, 8, size=length)
        yield (
            [
                {"leaves": leaves, "error": int(e) / 64, "se": int(se) / 64}
                for leaves, e, se in zip(sizes, errors, widths, strict=True)
            ],
        )


MAKERS = {
    "q1": _stuck,
    "q2": _validation,
    "q3a": _limits,
    "q3b": _nodes,
    "q4": _splits,
    "q5": _messages,
    "q6a": _links,
    "q6b": _paths,
    "q6c": _tables,
    "q7": _validation,
}

INPUTS = Inputs(QUESTIONS, MAKERS)
fresh, judge = INPUTS.fresh, INPUTS.judge
