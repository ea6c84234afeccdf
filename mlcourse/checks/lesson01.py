"""Exercise 01, information theory: the visible cases, the known mistakes and the hints."""

import math
from collections import Counter
from functools import partial
from itertools import pairwise
from string import ascii_lowercase

import numpy as np
import pandas as pd

from mlcourse import information
from mlcourse.checks import Case, Question, Raised, mapping, text
from mlcourse.datasets import load_play_tennis

Asked = partial(Question, asks=tuple(information.__all__))  # no answer may come from there


def _arrays(*values):
    return tuple(np.array(value, dtype=float) for value in values)


def _undefined(got, *_):
    """Recognise log 0 and 0/0: NaN or infinite in NumPy, an exception elsewhere."""
    if isinstance(got, Raised):
        return got.type in ("ValueError", "ZeroDivisionError")
    return not math.isfinite(got)


def _bits(p):
    """Return Σ −p log₂ p over the entries above 0, whether or not they sum to one."""
    p = np.asarray(p, dtype=float)
    return float(-(p[p > 0] * np.log2(p[p > 0])).sum())


SHARES = [1 / 2, 1 / 2], [9 / 14, 5 / 14], [1 / 4] * 4, [1, 0], [1 / 2, 0, 1 / 4, 1 / 4]
q1 = Asked(
    name="q1",
    title="Entropy",
    points=2,
    unit="bit",
    function="entropy",
    prepare=_arrays,
    reference=information.entropy,
    cases=tuple(Case((p,)) for p in SHARES),
    mistakes="""
        nats: this is in nats: which base does the question ask for?
        sign: the sign is wrong: logarithms of probabilities are negative, entropy is not.
        unweighted: each −log p counts the same here: how often does each outcome happen?
        log_of_zero: log 0 is not defined; by convention 0·log 0 is 0, so leave the zeros out.
        epsilon: close, but not exact: do not round, and add no small number inside the logarithm.
    """,
    gives={
        "nats": lambda p: _bits(p) * math.log(2),
        "sign": lambda p: -_bits(p),
        "unweighted": lambda p: -sum(math.log2(x) for x in p if x > 0),
    },
    shows={
        "log_of_zero": lambda got, expected, p: 0 in p and _undefined(got),
        "epsilon": lambda got, expected, p: 0 < abs(got - expected) < 1e-2,
    },
    hints=(
        "Read the formula from the inside out: a logarithm, a weight, a sum, a sign.",
        "An entry 0 adds nothing to the sum, so drop those entries before you take logarithms.",
        "Keep p[p > 0]; multiply it entry by entry with its np.log2; add up; change the sign.",
    ),
)


def _column_entropies(joint):
    """Return H(X|Y=y) of every column that can occur."""
    columns = np.transpose(joint)
    return [_bits(column / np.sum(column)) for column in columns if np.sum(column) > 0]


q2 = Asked(
    name="q2",
    title="Conditional entropy from a joint table",
    points=3,
    unit="bit",
    function="conditional_entropy",
    prepare=_arrays,
    reference=information.conditional_entropy,
    cases=(
        Case(([[1 / 4, 1 / 2], [0, 1 / 4]],)),
        Case(([[1 / 8, 3 / 8], [1 / 8, 3 / 8]],)),
        Case(([[1 / 2, 1 / 16], [1 / 8, 1 / 16], [1 / 8, 1 / 8]],)),
        Case(([[1 / 4, 0, 1 / 16], [1 / 4, 0, 7 / 16]],)),
    ),
    mistakes="""
        transposed: this is H(Y|X): which axis of the table is Y?
        joint: this is H(X,Y): a column must become a distribution before you take its entropy.
        unweighted: every column counts the same here: weigh a column by its probability.
        nats: this is in nats: the question asks for bits.
        zero_cell: a cell or a whole column is zero here: what should it add to the sum?
    """,
    gives={
        "transposed": lambda joint: information.conditional_entropy(np.transpose(joint)),
        "joint": _bits,
        "unweighted": lambda joint: float(np.mean(_column_entropies(joint))),
        "nats": lambda joint: information.conditional_entropy(joint, base=math.e),
    },
    shows={"zero_cell": lambda got, expected, joint: 0 in np.array(joint) and _undefined(got)},
    hints=(
        "Each column is one value of Y. What do you still not know about X inside that column?",
        "Divide a column by its sum, and it is the distribution of X given that value of Y.",
        "Add up P(y) · entropy(column / P(y)) where P(y) > 0. Or use the chain rule.",
    ),
)


def _length(code, p):
    return sum(p[symbol] * len(code[symbol]) for symbol in p)


def _plain_length(code):
    return sum(map(len, code.values())) / len(code)


SMALL = {"a": "0", "b": "10", "c": "110", "d": "111"}
q3a = Asked(
    name="q3a",
    title="Average length of a code",
    points=1,
    unit="bit",
    function="average_length",
    reference=_length,
    cases=(
        Case((SMALL, {"a": 1 / 2, "b": 1 / 4, "c": 1 / 8, "d": 1 / 8})),
        Case((SMALL, {"d": 1 / 2, "c": 1 / 4, "b": 1 / 8, "a": 1 / 8})),
        Case(({"sun": "00", "rain": "01", "snow": "1"}, {"snow": 0.5, "rain": 0.3, "sun": 0.2})),
    ),
    mistakes="""
        unweighted: this is the plain average of the lengths, but some symbols come more often.
        by_position: the two dicts may list their symbols in different orders: look symbols up.
        divided_twice: the probabilities already make it an average: you divide once too often.
    """,
    gives={
        "unweighted": lambda code, p: _plain_length(code),
        "by_position": lambda code, p: _length(dict(zip(p, code.values(), strict=True)), p),
        "divided_twice": lambda code, p: _length(code, p) / len(p),
    },
    hints=(
        "How many bits does one symbol cost, on average, if you send a very long message?",
        "It is an expectation: probability times length, summed over the symbols.",
    ),
)


def _bad_word(code):
    return not all(isinstance(word, str) and set(word) <= {"0", "1"} for word in code.values())


def _clash(words):
    """Say whether one codeword begins another: after sorting, that one stands right behind it."""
    return any(longer.startswith(word) for word, longer in pairwise(sorted(words)))


def _is_code(code, p):
    """Check for a codeword per symbol, no codeword that begins another, and Kraft's sum."""
    words = list(code.values())
    if set(code) != set(p) or _bad_word(code) or "" in words or _clash(words):
        return False
    return sum(2.0 ** -len(word) for word in words) <= 1


def _shannon(code, best, p):
    return all(len(code[symbol]) == math.ceil(-math.log2(x) - 1e-9) for symbol, x in p.items())


q3b = Asked(
    name="q3b",
    title="Huffman's code",
    points=4,
    function="huffman",
    kind=mapping,
    accepts=lambda code, best, p: _is_code(code, p) and _length(code, p) < best + 1e-9,
    cases=(  # each with the least possible average length
        Case(({"a": 1 / 2, "b": 1 / 4, "c": 1 / 8, "d": 1 / 8},), 7 / 4),
        Case(({"a": 3 / 10, "b": 1 / 5, "c": 3 / 10, "d": 1 / 5},), 2),
        Case(({"rain": 1 / 4, "sun": 1 / 2, "snow": 1 / 4},), 3 / 2),
        Case(({"a": 7 / 20, "b": 17 / 100, "c": 17 / 100, "d": 4 / 25, "e": 3 / 20},), 23 / 10),
        Case(({"x": 1},), 1),
    ),
    mistakes="""
        missing_symbol: the keys of the code should be the symbols, each of them once and whole.
        not_bits: every codeword should be a string of the characters '0' and '1'.
        empty_codeword: an empty codeword sends nothing: a lone symbol needs one bit too.
        backwards: the codewords are written backwards: the last merge decides the first bit.
        not_prefix_free: one codeword begins another, so the receiver cannot split the bits.
        largest_first: the probable symbols have the long codewords: which two do you merge?
        fixed_length: all codewords have one length: frequent symbols deserve shorter ones.
        shannon: these lengths are −log₂ p rounded up: a good code, but merging does better.
        not_optimal: a shorter code exists: does a merged pair go back in line with the sum of its probabilities?
    """,  # noqa: E501
    shows={
        "missing_symbol": lambda code, best, p: set(code) != set(p),
        "not_bits": lambda code, best, p: _bad_word(code),
        "empty_codeword": lambda code, best, p: "" in code.values(),
        "backwards": lambda code, *_: (
            _clash(code.values()) and not _clash([w[::-1] for w in code.values()])
        ),
        "not_prefix_free": lambda code, *_: _clash(code.values()),
        "largest_first": lambda code, best, p: _length(code, p) > _plain_length(code) + 1e-9,
        "fixed_length": lambda code, best, p: len(set(map(len, code.values()))) == 1,
        "shannon": _shannon,
        "not_optimal": lambda code, best, p: _is_code(code, p),
    },
    hints=(
        "Work from the leaves up: which two symbols should share the longest codewords?",
        "Merge the two least probable groups into one, put it back, repeat until one is left.",
        "Let a group be (probability, number, {symbol: codeword so far}); heapq finds the smallest "
        "two. A merge puts '0' before the codewords of one and '1' before those of the other.",
    ),
)


def _counts(**seen):
    return {letter: seen.get(letter, 0) for letter in ascii_lowercase}


def _sum_above_one(got, expected, letters, counts):
    n = sum(counts.values())
    parts = n, n + 1, n + sum(map(bool, counts.values()))  # what stands below instead of n + 26
    return any(math.isclose(got, expected - math.log2((n + 26) / part)) for part in parts)


FEW, MANY = _counts(a=3, b=1, c=1, d=1), _counts(a=31, b=7)
q4a = Asked(
    name="q4a",
    title="Bits per letter under a model",
    points=2,
    unit="bit",
    function="bits_per_letter",
    cases=(
        Case(("aabz", FEW), 15 / 4, 'bits_per_letter("aabz", counts of "aaabcd")'),
        Case(("zzz", FEW), 5, 'bits_per_letter("zzz", counts of "aaabcd")'),
        Case(("abba", FEW), 7 / 2, 'bits_per_letter("abba", counts of "aaabcd")'),
        Case(("abazz", MANY), 17 / 5, 'bits_per_letter("abazz", counts of 31 a and 7 b)'),
    ),
    mistakes="""
        nats: this is in nats: the question asks for bits.
        sign: the sign is wrong: a letter cannot cost less than nothing.
        total: these are the bits of the whole text: the question asks for bits per letter.
        unsmoothed: a letter the model never saw costs infinitely much: did you smooth the counts?
        sum_above_one: the probabilities do not sum to one: the 26 added ones change the total.
    """,
    shows={
        "nats": lambda got, expected, *_: math.isclose(got, expected * math.log(2)),
        "sign": lambda got, expected, *_: math.isclose(got, -expected),
        "total": lambda got, expected, word, counts: math.isclose(got, expected * len(word)),
        "unsmoothed": _undefined,
        "sum_above_one": _sum_above_one,
    },
    hints=(
        "The code is made for the model, the letters come from the text. Who supplies what?",
        "A letter x costs −log₂ q(x) bits, with q(x) = (its count + 1) / (all counts + 26).",
        "Average that cost over the letters of the text, each letter as often as it comes.",
    ),
)

MODELS = {  # four small made-up languages
    "north": _counts(a=2, b=2, c=2),
    "south": _counts(a=300, b=30, c=30, d=300),
    "east": _counts(a=10, c=40, d=10),
    "west": _counts(c=90, e=10),
}
TEXTS = ("adad", "bed", "cccd", "cede", "dace")


def _listed(answers):
    return lambda word, models: answers.split()[TEXTS.index(word)]


q4b = Asked(
    name="q4b",
    title="Which language?",
    points=2,
    function="language_of",
    kind=text,
    reference=_listed("south north east west east"),
    cases=tuple(Case((word, MODELS), label=f'language_of("{word}", MODELS)') for word in TEXTS),
    mistakes="""
        worst: this picks the model that fits worst: are more bits better or worse?
        unsmoothed: one letter that a model never saw rules it out: did you smooth the counts?
        raw_counts: a longer sample wins too easily here: turn counts into probabilities.
        text_ignored: the text plays no part here: whose letters have to be paid for?
    """,
    gives={
        "worst": _listed("west west north south west"),
        "unsmoothed": _listed("south north east north north"),
        "raw_counts": _listed("south south south west south"),
        "text_ignored": _listed("south south south south south"),
    },
    hints=(
        "You have a number for each model. Which one wins: the large or the small?",
        "The model whose code needs the fewest bits per letter fits best; min takes a key.",
    ),
)


def _work(formula):
    """Apply a formula to what must cross each gap and the width of the gap."""
    return lambda p, q, x: float(formula(np.cumsum(np.subtract(p, q))[:-1], np.diff(x)))


UNEQUAL = "shapes", "mismatch", "out of"  # lengths that do not fit, in words of NumPy and Python
q5 = Asked(
    name="q5",
    title="Wasserstein distance of two histograms",
    points=3,
    function="wasserstein_histogram",
    prepare=_arrays,
    reference=lambda p, q, x: information.wasserstein_distance(x, x, p, q),
    cases=(
        Case(([1, 0, 0], [0, 0, 1], [0, 1, 4])),
        Case(([1 / 2, 0, 1 / 2], [0, 1, 0], [0, 1, 3])),
        Case(([1 / 2, 1 / 4, 1 / 4, 0], [0, 1 / 4, 1 / 4, 1 / 2], [0, 2, 3, 10])),
        Case(([1 / 4, 3 / 4], [1 / 4, 3 / 4], [2, 5])),
    ),
    mistakes="""
        even_spacing: the positions are ignored: earth that crosses a wide gap travels farther.
        signed: surpluses of opposite sign cancel here: earth moved left is work too.
        abs_at_end: the absolute value comes too late: left and right cancel before it.
        not_cumulative: this compares bar with bar: how much must cross the gap after each?
        wrong_gap: each surplus crosses the gap to its right, not the one to its left.
        last_gap: there is one gap fewer than positions: nothing has to cross after the last one.
    """,
    gives={
        "even_spacing": _work(lambda flow, gap: abs(flow).sum()),
        "signed": _work(lambda flow, gap: (flow * gap).sum()),
        "abs_at_end": _work(lambda flow, gap: abs((flow * gap).sum())),
        "not_cumulative": lambda p, q, x: float(abs(np.subtract(p, q))[:-1] @ np.diff(x)),
        "wrong_gap": _work(lambda flow, gap: (abs(flow[1:]) * gap[:-1]).sum()),
    },
    shows={"last_gap": lambda got, *_: any(word in got.message for word in UNEQUAL)},
    hints=(
        "Think of earth on a line. Everything that is surplus on the left must cross each gap.",
        "What must cross the gap after position i is the difference of the two cumulative sums.",
        "Add up |cumulative difference| · width over the gaps: np.cumsum and np.diff.",
    ),
)


def _best(score, with_target=False):
    """Return the function that finds the first column with the largest score of its table."""

    def table(target, column):  # shares, target in rows
        pairs = Counter(zip(target, column, strict=True))
        cells = [[pairs[a, b] for b in sorted(set(column))] for a in sorted(set(target))]
        return np.array(cells) / len(target)

    def best(columns, target):
        names = [name for name in columns if with_target or name != target]
        scores = [round(score(table(columns[target], columns[name])), 9) for name in names]
        return names[int(np.argmax(scores))]

    return best


X, y = load_play_tennis()
TENNIS = {name: column.astype(str).tolist() for name, column in X.assign(play=y).items()}
SELL = {"sell": ["yes", "no", "yes", "yes", "no", "no", "yes", "no"]}
EVEN, RARE, MANY_VALUES = (list(word) for word in ("xxxxyyyy", "uuuuuuuv", "kklmlmnn"))

q6 = Asked(
    name="q6",
    title="The best question to ask first",
    points=3,
    function="best_attribute",
    kind=text,
    prepare=lambda columns, target: (pd.DataFrame(columns), target),
    reference=_best(information.mutual_information),
    cases=(
        Case((TENNIS, "play"), label='best_attribute(tennis, "play")'),
        Case(({"many": MANY_VALUES, "rare": RARE, "even": EVEN} | SELL, "sell")),
        Case((SELL | {"left": EVEN, "right": EVEN}, "sell")),
    ),
    mistakes="""
        target: the target tells everything about itself: leave its column out.
        least: this is the column that tells least: which way does your score point?
        last_tie: of two equally good columns the question asks for the first.
        unweighted: a value that comes once counts as much as a frequent one: weigh them.
        most_values: this column varies most: what does it say about the target?
    """,
    gives={
        "target": _best(information.mutual_information, with_target=True),
        "least": _best(lambda table: -information.mutual_information(table)),
        "last_tie": lambda frame, target: q6.reference(dict(reversed(frame.items())), target),
        "unweighted": _best(lambda table: -np.mean(_column_entropies(table))),
        "most_values": _best(lambda table: _bits(table.sum(axis=0))),
    },
    hints=(
        "Mutual information needs a joint table: one for each column, with the target.",
        "pd.crosstab(frame[target], frame[column], normalize=True) is that table.",
        "I(target; column) = H(target) − H(target | column), and you wrote both parts.",
    ),
)

QUESTIONS = (q1, q2, q3a, q3b, q4a, q4b, q5, q6)
