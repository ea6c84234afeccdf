"""Exercise 07, AdaBoost: the visible cases, the known mistakes and the hints."""

import math
from contextlib import suppress
from functools import partial

import numpy as np

from mlcourse.checks import Case, Question, mapping, show
from mlcourse.datasets import load_heart

LIBRARY = "AdaBoostClassifier", "DecisionStump", "three_learner_boost", "training_error_bound"
Asked = partial(Question, asks=LIBRARY)  # no answer may come from there
TIE = 1e-9  # errors closer than this are equal


def _arrays(*values):
    return tuple(np.array(value, dtype=float) for value in values)


def _wants(what, fits, got):
    """Say what is wrong with an answer that does not have the form asked for, or return None."""
    with suppress(Exception):
        if fits(got):
            return None
    return f"returned {show(got)}: the question asks for {what}"


def _error(w, y, h):
    return float(np.dot(w, np.not_equal(y, h)) / np.sum(w))


def _signed(got, expected, w, y, h):
    total = abs(np.dot(w, np.subtract(h, y)))
    return any(math.isclose(abs(got), total / part) for part in (1, sum(w), len(w)))


q1 = Asked(
    *("q1", "Weighted error", 2, "weighted_error"),
    prepare=_arrays,
    reference=_error,
    cases=(
        Case(([1 / 2, 1 / 4, 1 / 8, 1 / 8], [1, -1, 1, -1], [1, 1, 1, -1])),
        Case(([1 / 10, 2 / 5, 3 / 10, 1 / 5], [1, 1, -1, -1], [-1, 1, -1, 1])),
        Case(([3, 1, 1, 2, 1], [1, -1, -1, 1, 1], [-1, -1, 1, 1, -1])),
        Case(([1, 2, 1], [1, -1, 1], [1, -1, 1])),
    ),
    mistakes="""
        count: this is the share of wrong points, each counted once: what do the weights do?
        unscaled: this is the weight of the wrong points: which share of all the weight is it?
        right: this is the share of the right points: the error is about the others.
        signed: h − y is +2 or −2 at a mistake, and these cancel: ask where h and y differ.
    """,
    gives={
        "count": lambda w, y, h: float(np.mean(np.not_equal(y, h))),
        "unscaled": lambda w, y, h: _error(w, y, h) * sum(w),
        "right": lambda w, y, h: 1 - _error(w, y, h),
    },
    shows={"signed": _signed},
    hints=(
        "Which points are wrong? h != y tells, point by point.",
        "Add up the weights of the wrong points. Then compare with the weight of all points.",
        "w[h != y] holds the weights of the wrong points; divide its sum by the sum of w.",
    ),
)


def _vote(epsilon):
    return 0.5 * math.log((1 - epsilon) / epsilon)


q2a = Asked(
    *("q2a", "The vote", 1, "vote"),
    reference=_vote,
    cases=tuple(Case((epsilon,)) for epsilon in (3 / 10, 3 / 14, 1 / 2, 1 / 50, 4 / 5)),
    mistakes="""
        no_half: this is twice the vote: which factor stands before the logarithm?
        bits: this logarithm has base 2: boosting takes the natural one.
        sign: the sign is wrong: a learner with few mistakes should get a positive vote.
        absolute: a learner worse than a coin gets a negative vote: keep the sign.
    """,
    gives={
        "no_half": lambda epsilon: 2 * _vote(epsilon),
        "bits": lambda epsilon: _vote(epsilon) / math.log(2),
        "sign": lambda epsilon: -_vote(epsilon),
        "absolute": lambda epsilon: abs(_vote(epsilon)),
    },
    hints=(
        "The odds of being right are (1 − ε) : ε. The vote is half of their logarithm.",
        "np.log and math.log are the natural logarithm. The factor ½ stands before it.",
        "0.5 * np.log(odds), with the odds (1 − ε) / ε.",
    ),
)


def _reweighted(w, alpha, y, h, right=-1, scaled=True, closed=False):
    """Return the new weights and Z; the options make the known mistakes."""
    new = np.array(w) * np.exp(alpha * np.where(np.equal(y, h), right, 1))
    epsilon = _error(w, y, h)
    z = 2 * math.sqrt(epsilon * (1 - epsilon)) if closed else float(new.sum())
    return [(new / z if scaled else new).tolist(), z]


q2b = Asked(
    *("q2b", "The new weights", 2, "reweight"),
    kind=partial(_wants, "new weights and Z", lambda got: [*map(np.ndim, got)] == [1, 0]),
    prepare=lambda w, alpha, y, h: (*_arrays(w), alpha, *_arrays(y, h)),
    reference=_reweighted,
    cases=(
        Case(([1 / 4] * 4, 1 / 2, [1, 1, -1, -1], [1, -1, -1, -1])),
        Case(([1 / 2, 1 / 4, 1 / 8, 1 / 8], 1, [1, -1, 1, -1], [1, 1, 1, 1])),
    ),
    mistakes="""
        indicator: only the wrong points change here: in this update the right ones shrink too.
        wrong_way: the right points become heavier here: look at the sign in the exponent.
        unscaled: the new weights should sum to 1: divide them by Z.
        closed_form: 2√(ε(1 − ε)) is Z for one α only, and here α may be any number: sum up.
    """,
    gives={
        "indicator": partial(_reweighted, right=0),
        "wrong_way": lambda w, alpha, y, h: _reweighted(w, -alpha, y, h),
        "unscaled": partial(_reweighted, scaled=False),
        "closed_form": partial(_reweighted, closed=True),
    },
    hints=(
        "y * h is +1 where the learner is right and −1 where it is wrong.",
        "Multiply every weight by exp(−α y h). Only then look at the sum: it is Z.",
        "new = w * np.exp(-alpha * y * h); Z is its sum; return new / Z and Z.",
    ),
)


def _answers(stump, X, shift=0):
    left = np.array(X, dtype=float)[:, stump["column"]] + shift <= stump["threshold"]
    return np.where(left, stump["left"], -stump["left"])


def _stumps(X, cut=lambda low, high: (low + high) / 2, lefts=(1, -1)):
    """List all stumps, in the order that decides ties, and what they answer, (stumps, N)."""
    values = [np.unique(column) for column in np.array(X, dtype=float).T]
    stumps = [
        {"column": column, "threshold": float(threshold), "left": left}
        for column in range(len(values))
        for threshold in cut(values[column][:-1], values[column][1:])
        for left in lefts
    ]
    return stumps, np.array([_answers(stump, X) for stump in stumps])


def _least(errors, pick=0):
    """Return the position of the least error, of equal ones the first."""
    return int(np.flatnonzero(errors <= np.min(errors) + TIE)[pick])


def _best_stump(X, y, w, pick=0, **options):
    stumps, answers = _stumps(X, **options)
    return stumps[_least((answers != y) @ np.array(w, dtype=float), pick)]


def _tied(got, expected, X, y, w):
    return abs(_error(w, y, _answers(got, X)) - _error(w, y, _answers(expected, X))) < TIE


STUMP = "column", "threshold", "left"
LINE, SIGNS = [[value] for value in range(10)], [1, 1, 1, -1, -1, -1, 1, 1, 1, -1]
q3 = Asked(
    *("q3", "The best stump", 4, "best_stump"),
    kind=mapping,
    prepare=_arrays,
    reference=_best_stump,
    cases=(
        Case(([[1], [2], [4], [7]], [1, 1, -1, 1], [1 / 4] * 4)),
        Case(([[1], [2], [4], [7]], [-1, 1, 1, -1], [1 / 8, 1 / 8, 1 / 4, 1 / 2])),
        Case(([[5, 1], [5, 2], [8, 3], [9, 3]], [-1, -1, 1, 1], [3 / 8, 1 / 8, 1 / 4, 1 / 4])),
        Case(([[3, 4], [1, 1], [2, 6], [1, 2]], [1, -1, 1, 1], [1 / 4, 1 / 4, 1 / 8, 3 / 8])),
        Case((LINE, SIGNS, [1 / 10] * 10), label="best_stump(points, signs, equal weights)"),
    ),
    mistakes="""
        keys: the dict should have just the keys "column", "threshold" and "left".
        unweighted: this stump makes the fewest mistakes: the question asks for the lightest.
        one_way: a stump may also say −1 on the left and +1 on the right: try both.
        at_values: a threshold should lie in the middle between two neighboring values.
        tied: this stump is as good as the one asked for: which of equally good ones comes first?
    """,
    gives={
        "unweighted": lambda X, y, w: _best_stump(X, y, np.ones(len(y))),
        "one_way": partial(_best_stump, lefts=(1,)),
        "at_values": partial(_best_stump, cut=lambda low, high: low),
    },
    shows={"keys": lambda got, *_: set(got) != set(STUMP), "tied": _tied},
    hints=(
        "There are not that many stumps: you can try them all and keep the best.",
        "Three loops, one in the other: columns, thresholds between neighbors in np.unique, left.",
        "Take weighted_error of answers(stump, X); replace the best only if the error is smaller.",
    ),
)


def _boost(X, y, n_rounds, *, half=0.5, wrong=1, right=-1, weighted=True, scaled=True, pick=0):
    """Return the rounds of AdaBoost; the options make the known mistakes."""
    stumps, answers = _stumps(X)
    w, rounds = np.full(len(y), 1 / len(y)), []
    for _ in range(n_rounds):
        best = _least((answers != y) @ w, pick)
        miss = answers[best] != y
        epsilon = float(w @ miss if weighted else miss.mean())
        if epsilon > 0.5 - TIE:
            break
        alpha = 2 * half * _vote(epsilon) if miss.any() else 1.0
        rounds.append(stumps[best] | {"epsilon": epsilon, "alpha": alpha})
        if not miss.any():
            break
        w = w * np.exp(alpha * np.where(miss, wrong, right))
        w = w / w.sum() if scaled else w
    return rounds


PLANE = (
    [[6, 5], [7, 1], [9, 4], [11, 13], [13, 18], [14, 14], [15, 11], [17, 15], [18, 7]],
    [-1, 1, -1, -1, -1, 1, 1, 1, -1],
)
ONE_BIT = [[0]] * 6 + [[1]] * 6, [1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, 1]
EASY = [[1, 4], [2, 9], [3, 5], [6, 7]], [-1, -1, -1, 1]
XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]
TABLES = {"PLANE": PLANE, "ONE_BIT": ONE_BIT, "EASY": EASY, "XOR": XOR}
q4a = Asked(
    *("q4a", "AdaBoost", 4, "boost"),
    kind=partial(_wants, "a list of dicts", lambda got: {type(step) for step in got} <= {dict}),
    prepare=lambda X, y, n_rounds: (*_arrays(X, y), n_rounds),
    reference=_boost,
    cases=(
        Case((LINE, SIGNS, 3), label="boost(points, signs, 3)"),
        *(Case((*table, 4), label=f"boost(*{name}, 4)") for name, table in TABLES.items()),
    ),
    mistakes="""
        keys: a round has the keys "column", "threshold", "left", "epsilon" and "alpha".
        no_half: without ½ the update goes twice as far as it should: take your vote.
        indicator: a vote with ½ needs an update of right and wrong points: take your reweight.
        same_weights: the weights never change here: every round needs the new ones.
        unscaled: the weights do not sum to 1 after a round, so ε is no error rate any more.
        share: epsilon is the share of wrong points here: it should be their share of the weight.
        wrong_way: the points that are right become heavier here: look at the sign.
        coin: a stump with ε = ½ is a coin: stop without it (rounding may make ½ a bit smaller).
        perfect: this table has a stump without mistakes: keep it, with the vote 1, and stop.
    """,
    gives={
        "no_half": partial(_boost, half=1),
        "indicator": partial(_boost, right=0),
        "same_weights": partial(_boost, wrong=0, right=0),
        "unscaled": partial(_boost, scaled=False),
        "share": partial(_boost, weighted=False),
        "wrong_way": partial(_boost, wrong=-1, right=1),
    },
    shows={
        "keys": lambda got, *_: any(set(step) != {*STUMP, "epsilon", "alpha"} for step in got),
        "coin": lambda got, *_: any(step["epsilon"] > 0.5 - 1e-6 for step in got),
        "perfect": lambda got, expected, *_: expected[0]["epsilon"] == 0,
    },
    hints=(
        "You have all parts: best_stump, answers, weighted_error, vote, reweight. In which order?",
        "A round: the stump, its answers, its error, stop or vote, keep it, the new weights.",
        "If ε > 0.5 − 1e-9, break before you keep it. If ε is 0, keep it with alpha 1 and break.",
    ),
)


def _sums(rounds, X, shift=0, **changes):
    """Return F (N,), the sum of the votes, with some entries of all rounds replaced."""
    steps = [step | changes for step in rounds]
    return sum((step["alpha"] * _answers(step, X, shift) for step in steps), np.zeros(len(X)))


def _predicted(rounds, X, **changes):
    return np.where(_sums(rounds, X, **changes) >= 0, 1, -1).tolist()


def _steps(*steps):
    names = *STUMP, "alpha", "epsilon"
    rows = [(*step, 1 / (1 + math.exp(2 * step[-1]))) for step in steps]
    return [dict(zip(names, row, strict=True)) for row in rows]


SPOTS = [[1, 5], [2, 3], [3, 8], [4, 1], [6, 6]]
THREE = _steps((0, 2.5, 1, 1), (1, 4.5, -1, 0.5), (0, 4, 1, 0.75))
EQUAL = _steps((0, 3, -1, 0.5), (1, 5, 1, 0.5))
STRONG = _steps((0, 5, 1, 0.25), (0, 3.5, 1, 0.25), (1, 6.5, -1, 0.75))
q4b = Asked(
    *("q4b", "The vote of all rounds", 2, "predict"),
    kind=partial(_wants, "a list of answers", lambda got: np.ndim(got) == 1),
    prepare=lambda rounds, X: (rounds, *_arrays(X)),
    reference=_predicted,
    cases=tuple(
        Case((rounds, SPOTS), label=f"predict({name}, SPOTS)")
        for name, rounds in {"THREE": THREE, "EQUAL": EQUAL, "STRONG": STRONG, "[]": []}.items()
    ),
    mistakes="""
        sums: these are the sums F: an answer is the sign of F, +1 or −1.
        zero: the answer is 0 where the votes cancel: the question asks for +1 there.
        plain_vote: every round counts the same here: multiply its answers by its alpha.
        strict: a value that is equal to the threshold belongs to the left side.
        one_way: left says what the stump answers on the left: it may be −1.
    """,
    gives={
        "sums": lambda rounds, X: _sums(rounds, X).tolist(),
        "zero": lambda rounds, X: np.sign(_sums(rounds, X)).tolist(),
        "plain_vote": partial(_predicted, alpha=1),
        "strict": partial(_predicted, shift=TIE),
        "one_way": partial(_predicted, left=1),
    },
    hints=(
        "F starts at 0 for every row, and every round adds its vote times its answers.",
        "answers(round, X) works for a round too: it has the three keys of a stump.",
        "F = np.zeros(len(X)), add alpha * answers in a loop, then np.where(F >= 0, 1, -1).",
    ),
)


def _curve(rounds, X, y, *, two=2, first=0, single=False, total=None):
    """Return [training error, bound] after each round; the options make the known mistakes."""
    z = [two * math.sqrt(step["epsilon"] * (1 - step["epsilon"])) for step in rounds]
    bounds = z if single else np.cumprod(z).tolist()
    votes = [_predicted(rounds[first * t : t + 1], X) for t in range(len(rounds))]
    errors = [int(np.not_equal(vote, y).sum()) / (total or len(y)) for vote in votes]
    return [list(pair) for pair in zip(errors, bounds, strict=True)]


q5 = Asked(
    *("q5", "Training error and its bound", 2, "error_and_bound"),
    kind=partial(_wants, "a list of pairs", lambda got: np.ndim(got) == 2),
    prepare=lambda rounds, X, y: (rounds, *_arrays(X, y)),
    reference=_curve,
    cases=(
        Case((_boost(LINE, SIGNS, 3), LINE, SIGNS), label="error_and_bound(rounds, points, signs)"),
        Case((_boost(*PLANE, 4), *PLANE), label="error_and_bound(boost(*PLANE, 4), *PLANE)"),
    ),
    mistakes="""
        turned: these are two lists: the question asks for one pair for each round.
        alone: this is the error of each stump alone: after round t the first t stumps vote.
        single: this is the Z of each round alone: the bound is the product of all so far.
        count: these are numbers of mistakes: the error is a share, between 0 and 1.
        no_two: the factor 2 is missing: with ε = ½ nothing changes, so Z must be 1 there.
    """,
    gives={
        "alone": partial(_curve, first=1),
        "single": partial(_curve, single=True),
        "count": partial(_curve, total=1),
        "no_two": partial(_curve, two=1),
    },
    shows={"turned": lambda got, expected, *_: np.allclose(np.transpose(got), expected)},
    hints=(
        "After round t the ensemble is rounds[:t]. Your predict takes any list of rounds.",
        "The bound starts at 1 and is multiplied by 2√(ε(1 − ε)) in every round.",
        "Loop t from 1 to len(rounds); append (np.mean(predict(rounds[:t], X) != y), bound).",
    ),
)


def _heart(start, stop):
    """Return six numbers (ST depression in tenths) and ±1 of patients without gaps."""
    X, y = load_heart()
    X = X.select_dtypes("number").dropna().iloc[start:stop]
    X["st_depression"] = (10 * X["st_depression"]).round()
    return X.astype(int).to_numpy().tolist(), np.where(y[X.index] == "present", 1, -1).tolist()


def _chosen(X, y, X_valid, y_valid, n_rounds, *, pick=0, training=False, count=1, **options):
    """Return the number of rounds that is best on validation data."""
    data = (X, y) if training else (X_valid, y_valid)
    errors = [error for error, _ in _curve(_boost(X, y, n_rounds), *data, **options)]
    return _least(errors, pick) + count


SPLITS = [(*_heart(a, a + 60), *_heart(a + 60, a + 100)) for a in (0, 80, 90)]
q6 = Asked(
    *("q6", "How many rounds?", 3, "best_rounds"),
    prepare=lambda X, y, X_valid, y_valid, n: (*_arrays(X, y, X_valid, y_valid), n),
    reference=_chosen,
    cases=tuple(Case((*SPLITS[k], 15), label=f"best_rounds(*SPLITS[{k}], 15)") for k in range(3)),
    mistakes="""
        from_zero: this is one too few: the first place of a list is round 1.
        training: this looks at the training error, which hardly ever says stop.
        alone: this looks at single stumps: after round t the first t stumps vote.
        last_tie: of equally good numbers of rounds the question asks for the smallest.
    """,
    gives={
        "from_zero": partial(_chosen, count=0),
        "training": partial(_chosen, training=True),
        "alone": partial(_chosen, first=1),
        "last_tie": partial(_chosen, pick=-1),
    },
    hints=(
        "Boost once, on the training data. Then look at the validation data after every round.",
        "error_and_bound(rounds, X, y) takes any data: the first entries are the errors on them.",
        "np.argmin finds the first least error; its places count from 0, rounds from 1.",
    ),
)

QUESTIONS = (q1, q2a, q2b, q3, q4a, q4b, q5, q6)
