"""Hidden checks of exercise 01: fresh inputs, and the verdict on what came back.

``fresh`` and ``judge`` are all a grader needs. No student code runs here: the grader calls the
student's functions elsewhere and hands the returned values over as plain data.
"""

import heapq
import math
from dataclasses import replace
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

import numpy as np
import pandas as pd

from mlcourse import information
from mlcourse.checks import lesson01
from tools.grading.inputs import Inputs

CASES = 8  # fresh inputs per question
LANGUAGES = ("english", "french", "german", "latin", "spanish")
WORDS = ("sun", "rain", "snow", "fog", "hail", "wind", "storm", "frost", "dew", "sleet")


# References and mistakes that the visible checks only list ------------------------------------


def least_average_length(probabilities):
    """Return the average length of Huffman's code: the sum of all merged probabilities."""
    heap = list(probabilities.values())
    if len(heap) == 1:
        return 1
    heapq.heapify(heap)
    total = 0
    while len(heap) > 1:
        merged = heapq.heappop(heap) + heapq.heappop(heap)
        heapq.heappush(heap, merged)
        total += merged
    return total


def bits_per_letter(text, counts, added=1):
    """Return the cross entropy of a text and a model with ``added`` in every count."""
    n = sum(counts.values()) + 26 * added
    costs = [math.log2(n / (counts[x] + added)) if counts[x] + added else math.inf for x in text]
    return sum(costs) / len(costs)


def _smoothed_entropy(counts):
    text = "".join(letter * (count + 1) for letter, count in counts.items())
    return bits_per_letter(text, counts)


def _least(cost):
    """Return the function that picks the first model with the least cost."""
    return lambda text, models: min(models, key=lambda name: cost(text, models[name]))


QUESTIONS = {question.name: question for question in lesson01.QUESTIONS}
QUESTIONS["q3b"] = replace(QUESTIONS["q3b"], reference=least_average_length)
QUESTIONS["q4a"] = replace(QUESTIONS["q4a"], reference=bits_per_letter)
QUESTIONS["q4b"] = replace(
    QUESTIONS["q4b"],
    reference=_least(bits_per_letter),
    gives={
        "worst": _least(lambda text, counts: -bits_per_letter(text, counts)),
        "unsmoothed": _least(lambda text, counts: bits_per_letter(text, counts, added=0)),
        "raw_counts": _least(lambda text, counts: -sum(math.log2(counts[x] + 1) for x in text)),
        "text_ignored": _least(lambda text, counts: _smoothed_entropy(counts)),
    },
)


# Fresh inputs ---------------------------------------------------------------------------------


def _distribution(rng, size, zeros=0):
    """Return random probabilities, ``zeros`` of them 0, as a list."""
    p = rng.dirichlet(np.ones(size))
    p[rng.permutation(size)[:zeros]] = 0
    return (p / p.sum()).tolist()


def _entropies(rng):
    sizes = rng.integers(2, 9, size=CASES - 3)
    yield from ((_distribution(rng, size),) for size in sizes)
    yield (_distribution(rng, 6, zeros=2),)
    yield (_distribution(rng, 4, zeros=3),)  # one certain outcome
    yield ([1 / 5] * 5,)


def _tables(rng):
    for number in range(CASES):
        rows, columns = rng.integers(2, 5, size=2)
        joint = np.reshape(_distribution(rng, rows * columns, zeros=number % 3), (rows, columns))
        if number % 4 == 3:
            joint = np.insert(joint, rng.integers(columns + 1), 0, axis=1)  # never happens
        yield ((joint / joint.sum()).tolist(),)


def _alphabet(rng, size, words):
    return rng.permutation(list(WORDS if words else ascii_uppercase))[:size].tolist()


def _codes(rng):
    for number in range(CASES):
        size = int(rng.integers(3, 8))
        words = ["1" * i + "0" for i in range(size - 1)] + ["1" * (size - 1)]
        symbols = _alphabet(rng, size, words=number % 2)
        code = dict(zip(symbols, words, strict=True))
        order = rng.permutation(symbols).tolist()
        yield code, dict(zip(order, _distribution(rng, size), strict=True))


def _alphabets(rng):
    shares = [
        [3 / 10, 3 / 10, 1 / 5, 1 / 5],  # the merged pair must go back in line
        [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 16],
        [7 / 20, 17 / 100, 17 / 100, 4 / 25, 3 / 20],  # splitting from the top is not enough
        [1 / 3, 1 / 3, 1 / 3],
        *(_distribution(rng, int(size)) for size in rng.integers(5, 10, size=CASES - 5)),
        [1],
    ]
    for number, p in enumerate(shares):
        p = rng.permutation(p).tolist()
        yield (dict(zip(_alphabet(rng, len(p), words=number % 2), p, strict=True)),)


def _samples():
    """Return the letters of each sample: the texts are plain enough for a crude cleaning."""
    folder = Path(__file__).parent / "data"
    texts = {name: (folder / f"{name}.txt").read_text(encoding="utf-8") for name in LANGUAGES}
    return {
        name: "".join(letter for letter in text.lower() if letter in ascii_lowercase)
        for name, text in texts.items()
    }


def _count(text):
    return {letter: text.count(letter) for letter in ascii_lowercase}


def _window(rng, text, length):
    start = int(rng.integers(len(text) - length))
    return text[start : start + length]


def _texts(rng):
    samples = _samples()
    for _ in range(CASES):
        one, other = rng.choice(LANGUAGES, size=2)
        text = _window(rng, samples[one], int(rng.integers(20, 60)))
        counts = _count(_window(rng, samples[other], int(rng.integers(80, 400))))
        unseen = "".join(letter for letter in ascii_lowercase if not counts[letter])
        yield text + unseen[:2], counts


def _sentences(rng):
    samples = _samples()
    while True:
        names = rng.permutation(LANGUAGES).tolist()
        sizes = rng.integers(80, 600, size=len(names))
        models = {
            name: _count(_window(rng, samples[name], int(size)))
            for name, size in zip(names, sizes, strict=True)
        }
        text = _window(rng, samples[rng.choice(LANGUAGES)], int(rng.integers(30, 80)))
        bits = sorted(bits_per_letter(text, counts) for counts in models.values())
        if bits[1] - bits[0] > 1 / 100:  # no close calls
            yield text, models


def _histograms(rng):
    for number in range(CASES):
        size = int(rng.integers(3, 8))
        p, q = (_distribution(rng, size, zeros=number % 2) for _ in range(2))
        yield p, q, np.cumsum(rng.integers(1, 20, size=size)).tolist()


def _clear(columns, target):
    """Say whether no two columns come so close that rounding could decide between them."""
    tables = [
        pd.crosstab(np.array(columns[target]), np.array(values), normalize=True).to_numpy()
        for name, values in columns.items()
        if name != target
    ]
    told = [information.mutual_information(table) for table in tables]
    varied = [information.entropy(table.sum(axis=0)) for table in tables]
    left = [  # H(target | value), averaged without weights
        np.mean([information.entropy(column / column.sum()) for column in table.T])
        for table in tables
    ]
    return all(np.diff(np.sort(scores)).min() > 1e-6 for scores in (told, varied, left))


def _frames(rng):
    while True:
        rows, width = int(rng.integers(10, 20)), int(rng.integers(3, 6))
        columns = {}
        for name in rng.permutation(WORDS)[: width + 1].tolist():
            share = _distribution(rng, int(rng.integers(2, 5)))
            columns[name] = rng.choice(list("abcd")[: len(share)], size=rows, p=share).tolist()
        target = str(rng.choice(list(columns)))
        if not _clear(columns, target):
            continue
        if rng.random() < 1 / 2:
            columns["twin"] = columns[QUESTIONS["q6"].reference(columns, target)]  # a tie
        yield columns, target


def _first(maker):
    """Take CASES inputs of a maker that never ends."""
    return lambda rng: [args for _, args in zip(range(CASES), maker(rng), strict=False)]


MAKERS = {
    "q1": _entropies,
    "q2": _tables,
    "q3a": _codes,
    "q3b": _alphabets,
    "q4a": _texts,
    "q4b": _first(_sentences),
    "q5": _histograms,
    "q6": _first(_frames),
}

INPUTS = Inputs(QUESTIONS, MAKERS)
fresh, judge = INPUTS.fresh, INPUTS.judge
