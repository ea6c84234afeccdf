"""Exercise 05, bagging: the visible cases, the known mistakes and the hints."""

from functools import partial

import numpy as np

from mlcourse import resampling, voting
from mlcourse.checks import Case, Question, mapping, show, text

Asked = partial(Question, asks=(*resampling.__all__, *voting.__all__, "BaggingClassifier"))


def _depth(got):
    got = got.tolist() if isinstance(got, np.ndarray) else got
    return 1 + max(map(_depth, got), default=0) if isinstance(got, list | tuple) else 0


def listed(got, depth=1):
    """Say what is wrong with an answer that should be a list (or, with 2, a table) or None."""
    if _depth(got) == depth:
        return None
    what = "a list" if depth == 1 else "a table, a list of rows"
    return f"returned {show(got)}: the question asks for {what}"


q1 = Asked(
    name="q1",
    title="Variance of a mean of correlated answers",
    points=1,
    function="variance_of_mean",
    reference=lambda v, rho, B: rho * v + (1 - rho) * v / B,
    cases=(Case((2, 3 / 10, 10)), Case((9, 1 / 2, 4)), Case((5, 0, 8)), Case((3, 1, 20))),
    mistakes="""
        independent: this is right for independent answers only: where does rho come in?
        floor: this is what is left for endlessly many answers: B must come in.
        swapped: the two parts are swapped: which of them does a large B remove?
    """,
    gives={
        "independent": lambda v, rho, B: v / B,
        "floor": lambda v, rho, B: rho * v,
        "swapped": lambda v, rho, B: (1 - rho) * v + rho * v / B,
    },
    hints=(
        "Two parts: one that B cannot touch, and one that it divides.",
        "Try your function with rho = 0 and with rho = 1: what must come out?",
        "rho · variance is the floor; (1 − rho) · variance / B comes on top.",
    ),
)

STATISTICS = {f"numpy.{f.__name__}": f for f in (np.mean, np.var, np.std, np.median)}


def _with_statistic(name, *values):
    return STATISTICS[name], *map(np.array, values)


def _call(function, name, *values):
    """Make a case that prints the statistic as the student would type it."""
    given = ", ".join(show(value, exact=True) for value in values)
    return Case((name, *values), label=f"{function}({name}, {given})")


def _jackknife(variance=lambda e, x, n: (n - 1) * x.var(), bias=lambda e, x, n: (n - 1) * (x - e)):
    """Apply two formulas to the estimate e, the n leave-one-out values x and n."""

    def result(name, data):
        e = STATISTICS[name](data)
        x = np.array([STATISTICS[name](np.delete(data, i)) for i in range(len(data))])
        corrected = e - np.mean(bias(e, x, len(x)))
        return {"variance": float(variance(e, x, len(x))), "corrected": float(corrected)}

    return result


q2 = Asked(
    name="q2",
    title="Jackknife",
    points=4,
    function="jackknife",
    kind=mapping,
    prepare=_with_statistic,
    reference=_jackknife(),
    cases=(
        _call("jackknife", "numpy.var", [1, 2, 4, 9]),
        _call("jackknife", "numpy.std", [3, 0, 5, 4, 8]),
    ),
    mistakes="""
        divisor: the variance divides by N − 1, but the θ_i hardly differ: N − 1 belongs on top.
        no_factor: the variance is the bare sum of the squares: (N − 1)/N is missing.
        around_estimate: the squares are around θ̂: take them around the mean of the θ_i.
        mean_of_values: the mean of the θ_i is no correction: it is more biased than θ̂, not less.
        added: the bias is added to θ̂: it has to be taken away.
        factor: the corrected value is off: which factor has the bias, N or N − 1?
    """,
    gives={
        "divisor": _jackknife(lambda e, x, n: x.var(ddof=1)),
        "no_factor": _jackknife(lambda e, x, n: n * x.var()),
        "around_estimate": _jackknife(lambda e, x, n: (n - 1) * np.mean((x - e) ** 2)),
        "mean_of_values": _jackknife(bias=lambda e, x, n: e - x),
        "added": _jackknife(bias=lambda e, x, n: (n - 1) * (e - x)),
        "factor": _jackknife(bias=lambda e, x, n: n * (x - e)),
    },
    hints=(
        "First make the N values θ_i: the statistic of the data without observation i.",
        "np.delete(x, i) is a copy of x without entry i. Besides the θ_i you need N and θ̂ only.",
        "Variance: sum (θ_i − mean)², times (N − 1)/N. Corrected: N · θ̂ − (N − 1) · mean.",
    ),
)


def _bootstrap(formula):
    """Apply a formula to the estimate e and the statistics x of the samples."""

    def result(name, data, rows):
        samples = np.array(data)[np.array(rows)]
        return float(formula(STATISTICS[name](data), STATISTICS[name](samples, axis=1)))

    return result


DRAWS = [[0, 0, 1, 2], [3, 1, 1, 0], [2, 2, 3, 3], [1, 0, 2, 3], [0, 1, 0, 0]]
q3 = Asked(
    name="q3",
    title="Bootstrap standard error",
    points=2,
    function="bootstrap_error",
    prepare=_with_statistic,
    reference=_bootstrap(lambda e, x: x.std(ddof=1)),
    cases=(
        _call("bootstrap_error", "numpy.mean", [1, 2, 4, 9], DRAWS),
        _call("bootstrap_error", "numpy.median", [6, 1, 3, 2], DRAWS[:3]),
    ),
    mistakes="""
        divisor: the divisor is M here: the question asks for M − 1.
        variance: this is the variance: the standard error is its root.
        of_the_mean: dividing by √M gives the error of the mean of the θ*, not that of θ̂.
        around_estimate: the differences are taken from θ̂: take them from the mean of the θ*.
        textbook: this is s/√N, which holds for the mean only: use the draws.
    """,
    gives={
        "divisor": _bootstrap(lambda e, x: x.std()),
        "variance": _bootstrap(lambda e, x: x.var(ddof=1)),
        "of_the_mean": _bootstrap(lambda e, x: x.std(ddof=1) / len(x) ** 0.5),
        "around_estimate": _bootstrap(lambda e, x: (np.sum((x - e) ** 2) / (len(x) - 1)) ** 0.5),
        "textbook": lambda name, x, rows: float(np.std(x, ddof=1) / len(x) ** 0.5),
    },
    hints=(
        "Each row of rows holds the numbers of the observations in one bootstrap sample.",
        "x[rows[m]] is sample m; apply the statistic to each of them.",
        "The standard error is the standard deviation of these M values, with ddof=1.",
    ),
)


def _vote(labels, classes, more_than, enough=float.__gt__):
    """Return the first class of most votes if its share is enough, else reject."""
    winner = max(classes, key=labels.count)
    share = labels.count(winner) / len(labels)
    return winner if enough(share, float(more_than)) else "reject"


CLASSES = ["owl", "cat", "dog"]  # not in the order of the alphabet
BALLOTS = (
    ("dog cat cat dog", 0),
    ("cat owl dog", 0),
    ("dog cat owl cat dog", 1 / 2),
    ("dog owl dog owl", 1 / 2),
    ("dog cat dog", 1 / 2),
)
q4a = Asked(
    name="q4a",
    title="Vote, or reject",
    points=3,
    function="vote",
    kind=text,
    reference=_vote,
    cases=tuple(Case((labels.split(), CLASSES, share)) for labels, share in BALLOTS),
    mistakes="""
        at_least: a share of exactly more_than is not enough: with half, two classes could win.
        never_rejects: the class of most votes wins here even if its share is too small.
        last_tie: of classes with equally many votes the first in class order wins, not the last.
        alphabetical: ties go by the alphabet here: the order is that of classes.
        first_seen: ties go to the label that was seen first: the order is that of classes.
    """,
    gives={
        "at_least": partial(_vote, enough=float.__ge__),
        "never_rejects": lambda labels, classes, share: _vote(labels, classes, 0),
        "last_tie": lambda labels, classes, share: _vote(labels, classes[::-1], share),
        "alphabetical": lambda labels, classes, share: _vote(labels, sorted(classes), share),
        "first_seen": lambda labels, classes, share: _vote(labels, labels, share),
    },
    hints=(
        "Count the votes of each class, in the order of classes. Who has the most?",
        "np.argmax, and max of a list, find the first of equally large entries.",
        "max(classes, key=labels.count) is the winner. Compare its share with more_than.",
    ),
)


def _largest(score):
    """Return the function that finds the first class with the largest score."""
    return lambda soft, classes: classes[int(np.argmax(score(np.array(soft))))]


BELIEFS = "152 611 251", "431 431 071", "710 710 035", "044 233 422", "431 431 026"  # eighths
q4b = Asked(
    name="q4b",
    title="Soft vote",
    points=2,
    function="soft_vote",
    kind=text,
    prepare=lambda soft, classes: (np.array(soft), classes),
    reference=_largest(lambda soft: soft.sum(axis=0)),
    cases=tuple(Case(([[int(x) / 8 for x in h] for h in t.split()], CLASSES)) for t in BELIEFS),
    mistakes="""
        hard: this rounds every learner to one class first: a soft vote adds up the numbers.
        surest: this asks only the surest learner: all of them have a say.
        product: this multiplies, so a single 0 is a veto: add the numbers up.
        last_tie: of equal sums the first in class order wins, not the last.
    """,
    gives={
        "hard": _largest(lambda s: (s.argmax(axis=1)[:, None] == range(s.shape[1])).sum(axis=0)),
        "surest": _largest(lambda soft: soft.max(axis=0)),
        "product": _largest(lambda soft: soft.prod(axis=0)),
        "last_tie": lambda soft, classes: q4b.reference(np.fliplr(soft), classes[::-1]),
    },
    hints=(
        "A row of the table is a learner, a column is a class.",
        "Add up each column. Whose sum is the largest?",
        "soft.sum(axis=0) has one number per class; np.argmax finds the place of the largest.",
    ),
)


def _votes(said, counts, classes, may=lambda counts: counts == 0):
    """Count (N, K) the votes of the trees that may vote: by default those out of bag."""
    said, counts = np.array(said), np.array(counts)
    return np.array([np.sum(may(counts) & (said == c), axis=0) for c in classes]).T


def _error(said, counts, y, classes, may=lambda counts: counts == 0, silent=None):
    """Return the error of the vote; rows without one are left out, or else right, or class 0."""
    votes = _votes(said, counts, classes, may)
    wrong, heard = np.take(classes, votes.argmax(axis=1)) != y, votes.sum(axis=1) > 0
    return float({None: wrong[heard], "right": wrong & heard, "first": wrong}[silent].mean())


def _tree_errors(said, counts, y, classes):
    return [_error([tree], [count], y, classes) for tree, count in zip(said, counts, strict=True)]


def _words(letters):
    return [{"o": "owl", "c": "cat", "d": "dog"}[letter] for letter in letters]


LETTERS = "odccdcc oocdcco ddcdccc ooocooo ooccccc cdcddco"  # what six trees say of seven rows
DIGITS = "2011201 3012001 2111200 2001121 2011300 0212002"  # how often they have seen them
SAID, COUNTS = [_words(tree) for tree in LETTERS.split()], [[*map(int, n)] for n in DIGITS.split()]
TRUTH = _words("odcdcco")


def _trees(function, *more):
    """Make a case of all trees, one of the first three, and one of the last three."""
    labels = "TRUTH, CLASSES" if len(more) > 1 else "CLASSES"
    return tuple(
        Case((SAID[part], COUNTS[part], *more), label=f"{function}(SAID{p}, COUNTS{p}, {labels})")
        for p, part in {"": slice(None), "[:3]": slice(3), "[3:]": slice(3, None)}.items()
    )


def _arrays(*args):
    return *map(np.array, args[:-1]), args[-1]


q5a = Asked(
    name="q5a",
    title="Out-of-bag votes",
    points=2,
    function="oob_votes",
    kind=partial(listed, depth=2),
    prepare=_arrays,
    reference=lambda *args: _votes(*args).tolist(),
    cases=_trees("oob_votes", CLASSES),
    mistakes="""
        in_bag: these are the votes of the trees that have seen the row: take the others.
        everyone: every tree votes on every row here: a tree that has seen the row must not.
        transposed: rows and columns are swapped: a row of the table is a row of the data.
    """,
    gives={
        "in_bag": lambda *args: _votes(*args, lambda counts: counts > 0).tolist(),
        "everyone": lambda *args: _votes(*args, lambda counts: counts >= 0).tolist(),
        "transposed": lambda *args: _votes(*args).T.tolist(),
    },
    hints=(
        "counts[t, i] == 0 says that tree t has not seen row i.",
        "For one class: which cells of the table say this class and are out of bag?",
        "(predictions == c) & (counts == 0), summed over the trees, is the column of class c.",
    ),
)
q5b = Asked(
    name="q5b",
    title="Out-of-bag error",
    points=3,
    function="oob_error",
    prepare=_arrays,
    reference=_error,
    cases=_trees("oob_error", TRUTH, CLASSES),
    mistakes="""
        all_rows: this divides by all N rows: rows without a vote are neither right nor wrong.
        silent_first: a row without a vote gets the first class here: leave it out.
        in_bag: here the trees judge rows that they were trained on.
        everyone: all trees vote on all rows here: most of them have seen the row.
        per_tree: this is the mean error of single trees: let them vote before you count errors.
        last_tie: of classes with equally many votes the first in class order wins.
    """,
    gives={
        "all_rows": partial(_error, silent="right"),
        "silent_first": partial(_error, silent="first"),
        "in_bag": partial(_error, may=lambda counts: counts > 0),
        "everyone": partial(_error, may=lambda counts: counts >= 0),
        "per_tree": lambda *args: float(np.mean(_tree_errors(*args))),
        "last_tie": lambda said, counts, y, classes: _error(said, counts, y, classes[::-1]),
    },
    hints=(
        "Your oob_votes has a row per row of the data. Which rows have no vote at all?",
        "np.argmax(votes, axis=1) gives the place of the winner in classes, first of equals.",
        "Compare winners and y only where votes.sum(axis=1) > 0, and take the mean.",
    ),
)


def _curve(said, counts, y, classes):
    return [_error(said[:t], counts[:t], y, classes) for t in range(1, len(said) + 1)]


q6a = Asked(
    name="q6a",
    title="Out-of-bag curve",
    points=1,
    function="oob_curve",
    kind=listed,
    prepare=_arrays,
    reference=_curve,
    cases=_trees("oob_curve", TRUTH, CLASSES),
    mistakes="""
        each_tree: entry t is the error of tree t alone: it should be that of the first t trees.
        one_short: the last tree is missing: the list should have T entries.
        no_trees: the first entry is the error of no trees at all: begin with one tree.
    """,
    gives={
        "each_tree": _tree_errors,
        "one_short": lambda *args: _curve(*args)[:-1],
    },
    shows={"no_trees": lambda got, expected, *_: np.isnan(got[0])},
    hints=(
        "You have the out-of-bag error of any table. Which table belongs to the first t trees?",
        "predictions[:t] and counts[:t] are the first t trees; t goes from 1 to T.",
    ),
)


def _needed(far):
    """Return the function that finds where a curve is far(distances, within) no more."""
    return lambda curve, within: int(
        max(np.flatnonzero(far(np.array(curve) - curve[-1], within)), default=-1) + 2
    )


CURVES = (  # in 64ths, with the distance that is close enough
    ([24, 20, 12, 16, 10, 14, 11, 12, 12], 2),
    ([8, 20, 9, 16, 12, 17, 16], 3),
    ([16, 16, 16], 1),
)
q6b = Asked(
    name="q6b",
    title="Enough trees",
    points=2,
    function="trees_needed",
    reference=_needed(lambda d, within: abs(d) > within),
    cases=tuple(Case(([x / 64 for x in curve], w / 64)) for curve, w in CURVES),
    mistakes="""
        first_time: the curve leaves again after this: from your answer on it must stay close.
        from_zero: this counts from 0: entry 0 of the list is the error of one tree.
        one_sided: an error far below the last one is not close either: take the distance.
        strict: a distance of exactly within counts as close.
    """,
    gives={
        "first_time": lambda c, within: int(np.argmax(abs(np.subtract(c, c[-1])) <= within)) + 1,
        "from_zero": lambda *args: q6b.reference(*args) - 1,
        "one_sided": _needed(lambda d, within: d > within),
        "strict": _needed(lambda d, within: abs(d) >= within),
    },
    hints=(
        "Go through the curve from the end: which entry is the last that is too far away?",
        "Everything after the last entry that is too far away is fine.",
        "If the last bad entry has index i (from 0), it belongs to i + 1 trees: return i + 2.",
    ),
)

QUESTIONS = (q1, q2, q3, q4a, q4b, q5a, q5b, q6a, q6b)
