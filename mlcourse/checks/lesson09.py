"""Exercise 09, margins and real data: the visible cases, the known mistakes and the hints."""

from functools import partial
from math import e, log, log2, sqrt

import numpy as np

from mlcourse import margins
from mlcourse.checks import Case, Question, mapping, show, text


def _ask(heading, **more):
    """Make a question from "name, points, function, title" and the rest."""
    name, points, function, title = heading.split(", ", 3)
    return Question(name, title, int(points), function, asks=tuple(margins.__all__), **more)


def _arrays(*args):
    return tuple(map(np.array, args))


def _array_first(first, *rest):
    return np.array(first), *rest


def listed(got):
    """Say what is wrong with an answer that should be a list of numbers, or return None."""
    if isinstance(got, list | tuple | np.ndarray) and np.asarray(got, dtype=object).ndim == 1:
        return None
    return f"returned {show(got)}: the question asks for a list of numbers"


def _list(formula):
    """Return the function that applies a formula to arrays, and gives a list of numbers."""
    return lambda *args: np.asarray(formula(*_arrays(*args)), dtype=float).tolist()


VOTES = (
    ([1, 1 / 2, 1 / 2], [[1, 1, -1, 1], [1, -1, -1, -1], [1, 1, 1, -1]], [1, 1, 1, -1]),
    ([3 / 4, 1 / 2, 1 / 8, 1 / 4], [[1, -1, 1], [-1, -1, 1], [1, 1, -1], [-1, 1, -1]], [-1, 1, 1]),
    ([5 / 8], [[1, -1, -1]], [1, 1, -1]),
)
q1 = _ask(
    "q1, 2, normalized_margins, Margins",
    kind=listed,
    prepare=_arrays,
    reference=_list(lambda a, h, y: y * (a @ h) / a.sum()),
    cases=tuple(map(Case, VOTES)),
    mistakes="""
        unnormalized: these are y F(x): divide by the sum of all votes.
        per_learner: this divides by the number of learners: divide by the sum of their votes.
        unweighted: every learner counts the same here: where do the votes α come in?
        euclidean: this divides by √Σα², the norm of an SVM: a vote is divided by the sum Σα.
        no_label: this is F(x)/Σα: where does the label y come in?
    """,
    gives={
        "unnormalized": _list(lambda a, h, y: y * (a @ h)),
        "per_learner": _list(lambda a, h, y: y * (a @ h) / len(a)),
        "unweighted": _list(lambda a, h, y: y * h.mean(axis=0)),
        "euclidean": _list(lambda a, h, y: y * (a @ h) / sqrt(a @ a)),
        "no_label": _list(lambda a, h, y: (a @ h) / a.sum()),
    },
    hints=(
        "F(x_i) adds up the votes of all learners, each with the sign of its answer.",
        "alphas @ answers is the list of all F(x_i).",
        "Multiply with y, and divide by the sum of all votes.",
    ),
)


def _share(counts):
    """Return the function that gives the share of margins m for which counts(m, θ)."""
    return lambda m, theta: float(np.mean(counts(np.array(m), theta)))


MARGINS = [x / 8 for x in (-4, 1, 2, 2, 3, 5, 8, -1)]
q2 = _ask(
    "q2, 1, share_up_to, Share of margins up to θ",
    prepare=_array_first,
    reference=_share(lambda m, theta: m <= theta),
    cases=tuple(Case((MARGINS, theta)) for theta in (1 / 4, 0, -1 / 2, 1, -1)),
    mistakes="""
        strict: a margin of exactly θ belongs to it: at most θ is ≤.
        count: this is a number of examples: the bounds are about their share.
        above: these are the margins above θ: take the others.
        absolute: a margin of −1/2 is a clear mistake, smaller than 0: do not drop the sign.
    """,
    gives={
        "strict": _share(lambda m, theta: m < theta),
        "count": lambda m, theta: int(np.sum(np.array(m) <= theta)),
        "above": _share(lambda m, theta: m > theta),
        "absolute": _share(lambda m, theta: abs(m) <= theta),
    },
    hints=(
        "margins <= theta is an array of True and False.",
        "The mean of True and False is the share of True.",
    ),
)


def _product(factor, first=1):
    """Return the function that multiplies factor(ε, θ) over the rounds, and first once."""
    return lambda eps, theta: float(first * np.prod([factor(x, theta) for x in eps]))


def _factor(x, theta):
    return 2 * sqrt(x ** (1 - theta) * (1 - x) ** (1 + theta))


EPSILONS = [0.3, 0.2, 0.4, 0.25]
q3a = _ask(
    "q3a, 3, theorem_2, Theorem 2",
    prepare=_array_first,
    reference=_product(_factor),
    cases=tuple(Case((EPSILONS[:T], th)) for T, th in ((4, 0), (4, 0.1), (2, 0.5), (3, -0.2))),
    mistakes="""
        no_root: the factors have lost their square root.
        one_two: there is a 2 in every factor, not one for all of them: it is 2 to the power T.
        swapped: the exponents are swapped: a larger θ must give a larger bound.
        ignores_theta: this is theorem 1: it does not change with θ.
        summed: the factors are added up here: multiply them.
    """,
    gives={
        "no_root": _product(lambda x, th: 2 * x ** (1 - th) * (1 - x) ** (1 + th)),
        "one_two": _product(lambda x, th: _factor(x, th) / 2, first=2),
        "swapped": _product(lambda x, th: _factor(x, -th)),
        "ignores_theta": _product(lambda x, th: _factor(x, 0)),
        "summed": lambda eps, theta: float(sum(_factor(x, theta) for x in eps)),
    },
    hints=(
        "Every round has a factor. Try one round with ε = 1/5 and θ = 0: it is 4/5.",
        "The factor: 2 times the root of ε to the power 1 − θ times (1 − ε) to the power 1 + θ.",
        "With an array of the ε, np.prod multiplies all factors at once.",
    ),
)


def _first(bound, never=lambda eps: 0, shift=1):
    """Return the function that finds the first round with bound(ε …)[t] below 1/N."""

    def result(eps, N):
        below = np.flatnonzero(bound(np.array(eps)) < 1 / N)
        return int(below[0]) + shift if len(below) else never(eps)

    return result


def _z(eps):
    return 2 * np.sqrt(eps * (1 - eps))


q3b = _ask(
    "q3b, 2, rounds_needed, Rounds until no mistake is left",
    prepare=_array_first,
    reference=_first(lambda eps: np.cumprod(_z(eps))),
    cases=(
        Case(([0.1, 0.2, 0.15, 0.1, 0.3, 0.05, 0.1, 0.2, 0.1, 0.1], 10)),
        *(Case(([x] * T, N)) for x, T, N in ((0.2, 6, 2), (0.3, 3, 100), (0.05, 3, 2))),
    ),
    mistakes="""
        from_zero: this counts from 0: the first ε is that of round 1.
        not_one_over_n: the bound must be below 1/N: below 1 it still allows mistakes.
        no_root: this multiplies 4ε(1 − ε), the square of Z: where is the root?
        never_is_one: argmax of nothing but False is 0: what if the bound never gets there?
        never_is_last: if the bound never gets below 1/N, the answer is 0.
    """,
    gives={
        "from_zero": _first(lambda eps: np.cumprod(_z(eps)), shift=0),
        "not_one_over_n": lambda eps, N: q3b.reference(eps, 1),
        "no_root": _first(lambda eps: np.cumprod(_z(eps) ** 2)),
        "never_is_one": _first(lambda eps: np.cumprod(_z(eps)), never=lambda eps: 1),
        "never_is_last": _first(lambda eps: np.cumprod(_z(eps)), never=len),
    },
    hints=(
        "The bound after t rounds is your theorem_2 of the first t errors, with θ = 0.",
        "Go through t = 1, 2, … T and stop at the first bound below 1/N.",
        "epsilons[:t] are the first t errors. After the loop: return 0.",
    ),
)


def _by_margins(share, theta, N, d, delta, ln=log, power=2, inside=1):
    of_delta = ln(1 / delta)
    root = sqrt((d * ln(N / d) ** power / theta**2 + inside * of_delta) / N)
    return share + root + (1 - inside) * of_delta / N


q4a = _ask(
    "q4a, 2, margin_bound, Theorem 4",
    reference=_by_margins,
    cases=(Case((1 / 10, 1 / 2, 1000, 2, 1 / 20)), Case((0, 1 / 5, 100000, 9, 1 / 1000))),
    mistakes="""
        outside: the term with δ stands outside the root, as in the lecture notes: put it inside.
        log_once: the logarithm of N/d is squared.
        theta_once: θ is squared: half the margin costs twice the root.
        base: the logarithms are natural ones here, not those to base 2 or 10.
    """,
    gives={
        "outside": partial(_by_margins, inside=0),
        "log_once": partial(_by_margins, power=1),
        "theta_once": lambda share, theta, *rest: _by_margins(share, sqrt(theta), *rest),
        "base": partial(_by_margins, ln=log2),
    },
    hints=(
        "Two summands: the share, and one root. All the rest is under the root.",
        "Under the root: d ln²(N/d)/θ² plus ln(1/δ), and this sum divided by N.",
        "ln² means: first the logarithm, then the square: np.log(N / d) ** 2.",
    ),
)


def _by_vc(error, T, N, d, delta, two=2, more=1, ln=log2, single=False):
    D = d if single else 2 * (d + 1) * (T + 1) * ln(e * (T + 1))
    return error + two * sqrt((D * (log(2 * N / D) + more) + log(9 / delta)) / N)


q4b = _ask(
    "q4b, 2, vc_risk_bound, VC bound",
    reference=_by_vc,
    cases=(Case((0, 10, 10000, 2, 1 / 20)), Case((1 / 50, 100, 1000000, 9, 1 / 100))),
    mistakes="""
        no_two: the 2 in front of the root is missing.
        natural: D has a logarithm to base 2; the others are natural.
        rounds: D has T + 1, twice, not T.
        no_one: after ln(2N/D) comes + 1, inside the bracket.
        one_learner: this puts in d, the VC dimension of one learner: take D, that of the vote.
    """,
    gives={
        "no_two": partial(_by_vc, two=1),
        "natural": partial(_by_vc, ln=log),
        "rounds": lambda err, T, *rest: _by_vc(err, T - 1, *rest),
        "no_one": partial(_by_vc, more=0),
        "one_learner": partial(_by_vc, single=True),
    },
    hints=(
        "First compute D on a line of its own, then the root.",
        "np.log2(np.e * (T + 1)) in D; np.log everywhere else.",
        "Under the root: D · (ln(2N/D) + 1) + ln(9/δ), all of it divided by N.",
    ),
)

TABLES = (  # of errors: a row for each data set, a column for each learner
    [[8, 6, 6, 9], [5, 4, 2, 4], [3, 3, 3, 1]],
    [[25.5, 22.9, 22.6, 22.6, 22.4], [35.9, 15.3, 1.9, 1.6, 1.7], [5.8, 8.7, 4.4, 4.6, 4.8]],
)


def _ranks(place, axis=1):
    """Average places of (how many are smaller, who is equal to whom) within rows, or columns."""

    def ranked(row):
        return place(np.sum(row < row[:, None], axis=1), row == row[:, None])

    return lambda table: np.mean(np.apply_along_axis(ranked, axis, table), axis=0).tolist()


def _shared(s, equal):
    return s + (equal.sum(axis=1) + 1) / 2


q6a = _ask(
    "q6a, 2, mean_ranks, Mean ranks",
    kind=listed,
    prepare=_arrays,
    reference=_ranks(_shared),
    cases=tuple(Case((table,)) for table in TABLES),
    mistakes="""
        reversed: the largest error has rank 1 here: rank 1 is the best, the smallest error.
        down: this ranks the data sets within a column: rank the learners within each row.
        in_order: learners with equal errors get different ranks here: they share their places.
        lowest: of equal errors each gets the best place here: give all the mean of their places.
    """,
    gives={
        "reversed": lambda table: q6a.reference((-np.array(table)).tolist()),
        "down": _ranks(_shared, axis=0),
        "in_order": _ranks(lambda s, equal: s + np.tril(equal).sum(axis=1)),
        "lowest": _ranks(lambda s, equal: s + 1),
    },
    hints=(
        "Take one row. How many learners have a smaller error, and how many an equal one?",
        "With s smaller ones and k equal ones (itself included) it shares the places s+1 to s+k.",
        "The mean of these places is s + (k + 1)/2. Then take the mean of every column.",
    ),
)


def _worse(table, best=None):
    best = table.min(axis=1, keepdims=True) if best is None else best
    return (100 * (table / best - 1)).mean(axis=0)


q6b = _ask(
    "q6b, 2, mean_percent, The row Mean%",
    kind=listed,
    prepare=_arrays,
    reference=_list(_worse),
    cases=tuple(Case((table,)) for table in TABLES),
    mistakes="""
        overall: the best error of the whole table is no yardstick: take the best of each row.
        points: these are points of difference: the row asks by how many percent of the best error.
        ratio: the best learner of a row is 0 percent worse than itself, not 100: subtract 1.
        of_means: this compares mean errors: compare within each row first, then average.
    """,
    gives={
        "overall": _list(lambda t: _worse(t, t.min())),
        "points": _list(lambda t: (t - t.min(axis=1, keepdims=True)).mean(axis=0)),
        "ratio": _list(lambda t: _worse(t) + 100),
        "of_means": _list(lambda t: 100 * (t.mean(axis=0) / t.min(axis=1).mean() - 1)),
    },
    hints=(
        "In a row with the errors 4 and 5 the second is 25 percent worse than the best.",
        "Divide each row by its smallest entry; subtract 1; times 100.",
        "table.min(axis=1, keepdims=True) has the right shape; then the mean over axis 0.",
    ),
)


def _paired(mean=np.mean, spread=lambda a, b: np.std(a - b, ddof=1), root=sqrt):
    """Return the function that gives the mean of a − b, and the spread divided by √n."""

    def result(a, b):
        a, b = np.array(a), np.array(b)
        return {"mean": float(mean(a - b)), "standard_error": float(spread(a, b) / root(len(a)))}

    return result


_APART = {"spread": lambda a, b: sqrt(a.var(ddof=1) + b.var(ddof=1))}  # as if independent
RUNS = ([8, 5, 6, 9], [6, 5, 3, 6]), ([4, 9, 14, 5, 8], [5, 9.5, 15.5, 6.5, 8.5])
q7a = _ask(
    "q7a, 2, paired, Paired differences",
    kind=mapping,
    prepare=_arrays,
    reference=_paired(),
    cases=tuple(map(Case, RUNS)),
    mistakes="""
        deviation: this is the standard deviation of the differences: the mean of n varies less.
        unpaired: this treats the lists as independent: the same splits belong together.
        divisor: the standard deviation has the divisor n − 1 here: ddof=1.
        reversed: this is b − a: the question asks for a − b.
        absolute: the differences have lost their signs: then nothing can cancel out.
    """,
    gives={
        "deviation": _paired(root=lambda n: 1),
        "unpaired": _paired(**_APART),
        "divisor": _paired(spread=lambda a, b: np.std(a - b)),
        "reversed": lambda a, b: q7a.reference(b, a),
        "absolute": _paired(lambda d: abs(d).mean(), lambda a, b: abs(a - b).std(ddof=1)),
    },
    hints=(
        "First make the list of the n differences, split by split. Then forget the two lists.",
        "The standard error of a mean is the standard deviation divided by √n.",
        "d = errors_a − errors_b; d.mean() and d.std(ddof=1) / √n.",
    ),
)


def _decide(times=2, enough=float.__gt__, **how):
    """Return the function that names a winner if the mean is far enough from 0."""

    def result(a, b):
        mean, error = _paired(**how)(a, b).values()
        return ("a" if mean < 0 else "b") if enough(abs(mean), times * error) else "open"

    return result


DUELS = (
    "8569 3458, 6794 6454, 7783 5864, 2324 5565, 8569 6536, 49258 59369"  # the first on the border
)
q7b = _ask(
    "q7b, 2, decision, Decide or leave it open",
    kind=text,
    prepare=_arrays,
    reference=_decide(),
    cases=tuple(Case(tuple([*map(int, x)] for x in d.split())) for d in DUELS.split(", ")),
    mistakes="""
        no_doubt: this names a winner however small the difference is: when is it open?
        larger_wins: these are errors: the learner with the smaller ones is better.
        one_error: one standard error is not enough: the rule says two.
        deviation: this compares with two standard deviations: take two standard errors.
        unpaired: this treats the lists as independent: use the paired standard error.
        at_least: a distance of exactly two standard errors is open: it must be more.
    """,
    gives={
        "no_doubt": _decide(times=0),
        "larger_wins": lambda a, b: q7b.reference(b, a),
        "one_error": _decide(times=1),
        "deviation": _decide(root=lambda n: 1),
        "unpaired": _decide(**_APART),
        "at_least": _decide(enough=float.__ge__),
    },
    hints=(
        "Your paired(errors_a, errors_b) has all you need.",
        "A mean difference below 0 means that a makes fewer mistakes than b.",
        'If abs(mean) is more than 2 standard errors: "a" or "b" by its sign. Else "open".',
    ),
)

QUESTIONS = (q1, q2, q3a, q3b, q4a, q4b, q6a, q6b, q7a, q7b)
