"""Exercise 02, decision trees: the visible cases, the known mistakes and the hints."""

import math
from functools import partial

import numpy as np

from mlcourse import criteria
from mlcourse.checks import Case, Question, mapping, trees02
from mlcourse.checks.trees02 import UNKNOWN, arrays, best_cut, contest, left, removed, scored, table
from mlcourse.datasets import load_breast_cancer_ljubljana, load_heart, load_play_tennis


def _is_answer(thing):
    here = getattr(thing, "__module__", "") == trees02.__name__
    return here and thing not in (arrays, table)


Asked = partial(
    Question,
    asks=(
        *criteria.__all__,
        *("ID3Classifier", "C45Classifier", "CARTClassifier", "CARTRegressor"),
        *("conditional_entropy", "mutual_information"),  # entropy itself may be used
        *(f"checks.trees02.{name}" for name, thing in vars(trees02).items() if _is_answer(thing)),
    ),
)

# 1: information gain --------------------------------------------------------------------------

X, y = load_play_tennis()
TENNIS = {name: column.astype(str).tolist() for name, column in X.items()}
PLAY = y.astype(str).tolist()
VALUES = {name: sorted(set(column)) for name, column in TENNIS.items()}

q1 = Asked(
    *("q1", "Information gain", 2, "information_gain"),
    unit="bit",
    prepare=arrays,
    reference=criteria.information_gain,
    cases=(
        Case((list("aabb"), list("++--"))),
        Case((list("aaab"), list("++--"))),
        Case((list("aabbcccc"), list("++-+--+-"))),
        *(Case((TENNIS[x], PLAY), label=f"information_gain({x}, play)") for x in TENNIS),
    ),
    mistakes="""
        nats: this is in nats: the question asks for bits.
        unweighted: every branch counts the same here: weigh a branch by its share of the rows.
        summed: the entropies of the branches are just added up: weigh each by its share of the rows.
        left: this is the doubt that is left after the question: how much did the question take away?
        attribute: you start from the entropy of x: the doubt is about y.
    """,  # noqa: E501
    gives={
        "nats": lambda x, y: removed(x, y) * math.log(2),
        "unweighted": lambda x, y: removed(x, y, weigh=False),
        "summed": lambda x, y: trees02.bits(y) - len(set(x)) * left(x, y, weigh=False),
        "left": left,
        "attribute": lambda x, y: trees02.bits(x) - left(x, y),
    },
    hints=(
        "Entropy of y before the question, minus what is left after it, on average.",
        "y[x == value] holds the labels of one branch; np.unique(x) lists the values.",
        "Take entropy(shares(y)), and subtract len(branch) / len(y) · entropy(shares(branch)) "
        "for every branch.",
    ),
)

# 2 and 6b: the best cut of a number -----------------------------------------------------------

CUT = """
        left_value: the threshold is the value left of the gap: take the middle of the gap.
        right_value: the threshold is the value right of the gap: take the middle of the gap.
        duplicates: the threshold is a value of x: equal values have no gap between them, cut between different ones.
        tie: another cut is just as good, and the lowest one counts: does rounding noise decide? Use first_best.
    """  # noqa: E501
PLACES = {"left_value": lambda low, high: low, "right_value": lambda low, high: high}

q2 = Asked(
    *("q2", "The best threshold", 3, "best_threshold"),
    kind=partial(trees02.pair, "the threshold and its gain"),
    prepare=arrays,
    reference=best_cut(removed),
    cases=(
        Case(([1, 2, 4, 8], list("--++"))),
        Case(([8, 3, 5, 3, 9, 6], list("+--++-"))),
        Case(([10, 20, 20, 40, 40, 50, 60], list("+-++-++"))),
        Case(([1, 2, 3, 5, 8, 9], list("-++++-"))),
        Case(([7, 3, 9, 1, 5, 4, 8], list("+-+++-+"))),
    ),
    mistakes="""
        nats: the gain is in nats: the question asks for bits.
        unweighted: both sides count the same here: weigh a side by its share of the rows.
        worst: this is the cut with the least gain: which one do you want?"""
    + CUT,
    gives={
        "nats": best_cut(lambda side, y: removed(side, y) * math.log(2)),
        "unweighted": best_cut(partial(removed, weigh=False)),
        "worst": best_cut(lambda side, y: -removed(side, y), sign=-1),
        **{name: best_cut(removed, place) for name, place in PLACES.items()},
    },
    shows={"duplicates": trees02.is_value, "tie": trees02.is_tie},
    hints=(
        "List the candidates first: np.unique(x) gives the different values in order.",
        "The middles are (values[:-1] + values[1:]) / 2. A cut at t is the column x <= t.",
        "Make a dict {t: information_gain(x <= t, y)} over the middles; first_best picks t.",
    ),
)

# 3: ID3 ---------------------------------------------------------------------------------------

FAULTS = """
        endless: your function calls itself forever: each branch should get only its own rows, and a node whose rows nothing tells apart is a leaf.
        missing_branch: every value of a column needs a branch, even if no row has it here.
        parent_majority: an empty branch answers with the majority of the rows that reached the question above it.
        stopped: a leaf stands where a question still tells rows apart: with a gain of zero it may help together with the next one.
        useless: a column is asked that has a single value among the rows there: it tells nothing apart.
        pure: a question is asked where all rows have the same label: make a leaf.
        tie: a column that stands before has the same gain: ties go to the first, and first_best sees through rounding noise.
        choice: a question is asked that does not have the largest gain among the rows that arrive there.
        majority: a leaf has the wrong label: take the majority of its rows, and of labels that tie the first in the alphabet.
    """  # noqa: E501
NAMES = [line.split(":")[0].strip() for line in FAULTS.strip().splitlines()]
YES_NO = ["no", "yes"]


def _said(word):
    """Turn a word of n and y into labels."""
    return [{"n": "no", "y": "yes"}[letter] for letter in word]


BITS = {"city": ["here"] * 4, "b1": _said("nnyy"), "b2": _said("nyny")}
SKY = {"sky": list("aabccccc"), "wind": list("zzzzxxzz"), "moon": list("vvuuuuvu")}
q3a = Asked(
    *("q3a", "ID3", 5, "grow"),
    kind=trees02.tree,
    prepare=lambda columns, y, values: (table(columns), np.array(y), values),
    cases=(
        Case(
            (BITS, _said("nyyn"), {"city": ["here", "there"], "b1": YES_NO, "b2": YES_NO}),
            {
                "b1": {
                    "no": {"b2": {"no": "no", "yes": "yes"}},
                    "yes": {"b2": {"no": "yes", "yes": "no"}},
                }
            },
        ),
        Case(
            (SKY, _said("nnyyynny"), {"sky": list("abc"), "wind": list("xyz"), "moon": ["u", "v"]}),
            {"moon": {"u": {"wind": {"x": "no", "y": "yes", "z": "yes"}}, "v": "no"}},
        ),
        Case(
            (TENNIS, PLAY, VALUES),
            {
                "outlook": {
                    "overcast": "yes",
                    "rain": {"windy": {"false": "yes", "true": "no"}},
                    "sunny": {"humidity": {"high": "no", "normal": "yes"}},
                }
            },
            "grow(tennis, play, values)",
        ),
    ),
    mistakes=FAULTS,
    shows={name: partial(trees02.shows_fault, name) for name in NAMES},
    hints=(
        "Three cases: a leaf because nothing is left to do or to ask, a question, and below the "
        "question a branch that nobody reaches.",
        "Which columns can be asked? Those with len(np.unique(column)) > 1 among the rows here. "
        "first_best of {name: information_gain(column, y)} over them picks the question.",
        "For each value of values[best] let here = columns[best] == value. If no row is there, the "
        "branch is the majority of y; else grow({name: column[here] …}, y[here], values).",
    ),
)


DEEP = {"a": {"0": {"b": {"0": "no", "1": {"c": {"0": "yes", "1": "no"}}}}, "1": "yes"}}
q3b = Asked(
    *("q3b", "Predict with a tree", 2, "predict"),
    kind=trees02.labels,
    prepare=lambda tree, columns: (tree, table(columns)),
    reference=trees02.predict,
    cases=(
        Case((DEEP, {"c": list("01011"), "b": list("10110"), "a": list("00010")})),
        Case((DEEP["a"]["0"], {"b": list("1101"), "c": list("0111")})),
        Case(("yes", {"a": list("010")})),
    ),
    mistakes="""
        first_row: every row gets the answer of the first row: look up the values of row i.
        first_branch: the values of the row play no part: which branch belongs to them?
        one_question: the first question is asked, those below it are not: go on until you reach a leaf.
        per_column: there is one label per column: the question asks for one per row.
    """,  # noqa: E501
    gives={
        "first_row": lambda tree, columns: (
            [trees02.predict(tree, columns)[0]] * len(next(iter(columns.values())))
        ),
        "first_branch": partial(trees02.predict, questions=0),
        "one_question": partial(trees02.predict, questions=1),
    },
    shows={"per_column": lambda got, right, tree, columns: len(columns) == len(got) != len(right)},
    hints=(
        "Follow one row first: from the root, until the node is no dict any more.",
        "(name, branches), = node.items() takes a node apart; the row's value of that column "
        "picks the branch.",
        "while isinstance(node, dict): node = branches[columns[name][i]]. Then the next row.",
    ),
)

# 4 and 5: C4.5 --------------------------------------------------------------------------------

FOUR = {"half": list("aabb"), "each": list("1234"), "noise": list("xyxy")}
EIGHT = {"pair": list("aaaabbbb"), "lone": list("pqqqqqqq"), "many": list("uvwuxxww")}
q4 = Asked(
    *("q4", "Gain ratio after the average-gain filter", 3, "contest"),
    kind=mapping,
    prepare=lambda columns, y: (table(columns), np.array(y)),
    reference=contest(trees02.average),
    cases=(
        Case((FOUR, list("++--"))),
        Case((EIGHT, list("+++-+---"))),
        Case(({"one": list("aabb"), "two": list("aabb")}, list("++-+"))),
        Case((TENNIS, PLAY), label="contest(tennis, play)"),
    ),
    mistakes="""
        no_filter: all columns take part: C4.5 lets only those with at least average gain compete.
        ratio_filter: the filter compares gain ratios with their average: it should compare gains with the average gain.
        strict: a column with just the average gain takes part too: at least, not more than.
        below: these are the columns below the average: which side should stay?
        gains: these are the gains: divide each by the intrinsic value of its column.
        class_entropy: you divide by the entropy of y: the intrinsic value is the entropy of the column's own values.
    """,  # noqa: E501
    gives={
        "no_filter": contest(lambda gain, ratio: gain > -1),
        "ratio_filter": contest(lambda gain, ratio: ratio >= ratio.mean() - 1e-10),
        "strict": contest(lambda gain, ratio: gain > gain.mean() + 1e-10),
        "below": contest(lambda gain, ratio: gain <= gain.mean() + 1e-10),
        "gains": contest(trees02.average, lambda gain, iv, of_class: gain),
        "class_entropy": contest(trees02.average, lambda gain, iv, of_class: gain / of_class),
    },
    hints=(
        "Two passes: first the gains of all columns and their average, then the ratios.",
        "The intrinsic value of a column is the entropy of its own values: entropy(shares(x)).",
        "Keep the names with gains[name] >= average, and give each gains[name] / "
        "entropy(shares(columns[name])).",
    ),
)


q5 = Asked(
    *("q5", "A column with unknown values", 3, "score_with_unknowns"),
    kind=trees02.gaps,
    prepare=arrays,
    reference=scored(),
    cases=(
        Case((list("ab??"), list("+-+-"))),
        Case((list("aab?bb"), list("+++--+"))),
        Case((list("?aaab?cc"), list("+++--+-+"))),
    ),
    mistakes="""
        no_share: the gain is that of the known rows alone: multiply it by their share of all rows.
        as_value: the unknown is a branch of its own in the gain: score the rows with a known value only.
        all_labels: the entropy before the question is that of all rows: take the labels of the known rows.
        known_iv: the intrinsic value leaves the unknown rows out: here they count as one more branch.
        of_all: the fractions do not sum to one: divide by the number of known rows.
        even: every branch gets the same fraction: the larger the branch, the larger its part.
        unknown_branch: the fractions have a branch for the unknown: a row with a gap goes to the known values.
    """,  # noqa: E501
    gives={
        "no_share": scored(gain=lambda x, y, known: removed(x[known], y[known])),
        "as_value": scored(gain=lambda x, y, known: removed(x, y)),
        "all_labels": scored(
            gain=lambda x, y, known: np.mean(known) * (trees02.bits(y) - left(x[known], y[known]))
        ),
        "known_iv": scored(iv=lambda x, known: trees02.bits(x[known])),
        "of_all": scored(fractions=lambda share, known: {v: s * known for v, s in share.items()}),
        "even": scored(fractions=lambda share, known: dict.fromkeys(share, 1 / len(share))),
    },
    shows={"unknown_branch": lambda got, *_: UNKNOWN in got[2]},
    hints=(
        'known = x != "?" marks the rows with a known value. Which of the three parts use it?',
        "The gain uses x[known] and y[known], times np.mean(known). The intrinsic value uses all "
        'of x: the "?" is a value like the others there.',
        "The fraction of a value is its share of x[known].",
    ),
)

# 6: CART --------------------------------------------------------------------------------------

q6a = Asked(
    *("q6a", "Gini after a subset split", 2, "gini_after"),
    prepare=lambda x, y, side: (np.array(x), np.array(y), side),
    reference=lambda x, y, side: left(np.isin(x, side), y, trees02.gini),
    cases=(
        Case((list("aabc"), list("+++-"), ["a"])),
        Case((list("aabbccc"), list("++-+-++"), ["a", "c"])),
        Case((list("aabbcdd"), list("1231332"), ["b", "d"])),
    ),
    mistakes="""
        half: this is half of it: the pairs (k, k') and (k', k) both count.
        unweighted: both sides count the same here: weigh a side by its share of the rows.
        removed: this is the Gini that the split takes away: the question asks for what is left.
        per_value: this has a branch for every value of x: CART has two, left and right.
        bits: this is the entropy: the question asks for Gini.
        left_only: this is one side only: the rows on the right count too.
    """,
    gives={
        "half": lambda x, y, side: left(np.isin(x, side), y, trees02.gini) / 2,
        "unweighted": lambda x, y, side: left(np.isin(x, side), y, trees02.gini, weigh=False),
        "removed": lambda x, y, side: removed(np.isin(x, side), y, trees02.gini),
        "per_value": lambda x, y, side: left(x, y, trees02.gini),
        "bits": lambda x, y, side: left(np.isin(x, side), y),
        "left_only": lambda x, y, side: trees02.gini(np.array(y)[np.isin(x, side)]),
    },
    hints=(
        "np.isin(x, left) marks the rows on the left; ~ turns it round.",
        "The Gini of a side is 1 minus the sum of its squared shares.",
        "Weigh each side by its number of rows over len(y), and add up.",
    ),
)


VARIANCE_REDUCTION = partial(removed, impurity=np.var)
heart = load_heart()[0].iloc[:40]
AGE, RATE = heart["age"].tolist(), heart["max_heart_rate"].tolist()
q6b = Asked(
    *("q6b", "The best cut for a regression tree", 2, "best_regression_cut"),
    kind=partial(trees02.pair, "the threshold and the variance reduction"),
    prepare=arrays,
    reference=best_cut(VARIANCE_REDUCTION),
    cases=(
        Case(([1, 2, 4, 5], [0, 0, 6, 6])),
        Case(([3, 1, 2, 2, 6, 6, 8], [5, 1, 2, 0, 9, 6, 8])),
        Case(([1, 2, 3, 4], [3, 0, 0, 3])),
        Case((AGE, RATE), label="best_regression_cut(age, max_heart_rate of 40 patients)"),
    ),
    mistakes="""
        sample: these variances have the divisor N − 1: with the mean as the answer, the mean squared error has N.
        unweighted: both sides count the same here: weigh a side by its share of the rows.
        squares: these are sums of squares, N times too large: the variance is their mean.
        deviation: these are standard deviations: use their squares."""  # noqa: E501
    + CUT,
    gives={
        "sample": best_cut(partial(removed, impurity=trees02.sample)),
        "unweighted": best_cut(partial(VARIANCE_REDUCTION, weigh=False)),
        "squares": best_cut(lambda side, y: len(y) * VARIANCE_REDUCTION(side, y)),
        "deviation": best_cut(partial(removed, impurity=np.std)),
        **{name: best_cut(VARIANCE_REDUCTION, place) for name, place in PLACES.items()},
    },
    shows={"duplicates": trees02.is_value, "tie": trees02.is_tie},
    hints=(
        "Only the score differs from question 2: the same candidates, the same way to choose.",
        "np.var(y) is the variance with divisor N; y[x <= t] and y[x > t] are the two sides.",
        "np.var(y) minus the two variances, each times its share of the rows, for every middle t.",
    ),
)

# 7: seen and unseen rows ----------------------------------------------------------------------

cancer, outcome = load_breast_cancer_ljubljana()
known = cancer.notna().all(axis=1)
CANCER = {name: column.astype(str).tolist() for name, column in cancer[known].items()}
OUTCOME = outcome[known].astype(str).tolist()
RANGES = {name: sorted(set(column)) for name, column in CANCER.items()}
q7 = Asked(
    *("q7", "Errors on rows seen and unseen", 2, "train_and_test"),
    kind=partial(trees02.pair, "the error on the training rows and on the others"),
    prepare=lambda columns, y, values, n: (table(columns), np.array(y), values, n),
    reference=trees02.errors(trees02.both),
    cases=(
        Case((TENNIS, PLAY, VALUES, 9), label="train_and_test(tennis, play, values, 9)"),
        Case((CANCER, OUTCOME, RANGES, 100), label="train_and_test(cancer, outcome, ranges, 100)"),
    ),
    mistakes="""
        whole: the tree was grown on all rows: the rows after the first n must stay unseen.
        swapped: the two errors are swapped: the training rows come first.
        right: these are the shares of right answers: the question asks for errors.
        counts: these are numbers of errors: divide by the number of rows.
        all_rows: the second error is over all rows: take only those that the tree has not seen.
        own_values: a new row has a value that no training row has: grow the tree with the given values.
    """,  # noqa: E501
    gives={
        "whole": trees02.errors(trees02.both, whole=True),
        "swapped": trees02.errors(lambda wrong, n: trees02.both(wrong, n)[::-1]),
        "right": trees02.errors(lambda wrong, n: trees02.both(~wrong, n)),
        "counts": trees02.errors(lambda wrong, n: (wrong[:n].sum(), wrong[n:].sum())),
        "all_rows": trees02.errors(lambda wrong, n: (wrong[:n].mean(), wrong.mean())),
    },
    shows={"own_values": lambda got, *_: getattr(got, "type", "") == "KeyError"},
    hints=(
        "column[:n] holds the first n rows of a column, column[n:] the others.",
        "Grow a tree on the first n rows; predict both parts with it.",
        "np.mean(np.array(predict(tree, part)) != labels_of_the_part) is an error.",
    ),
)

QUESTIONS = (q1, q2, q3a, q3b, q4, q5, q6a, q6b, q7)
