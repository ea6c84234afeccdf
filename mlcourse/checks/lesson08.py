"""Exercise 08, gradient boosting: the visible cases, the known mistakes and the hints."""

from contextlib import suppress
from functools import partial

import numpy as np

from mlcourse import losses
from mlcourse.checks import Case, Question, show
from mlcourse.datasets import load_heart

LIBRARY = "CARTRegressor", "GradientBoostingRegressor", "GradientBoostingClassifier"
Asked = partial(Question, asks=(*LIBRARY, *losses.__all__))  # no answer may come from there
TIE = 1e-9  # cuts whose scores are closer than this, relatively, are equally good


def _wants(what, fits, got):
    """Say what is wrong with an answer that does not have the form asked for, or return None."""
    with suppress(Exception):
        if fits(np.array(got, dtype=float).shape):
            return None
    return f"returned {show(got)}: the question asks for {what}"


def _floats(*values):
    """Turn lists into arrays, and leave numbers and names alone."""
    return tuple(np.array(value, float) if isinstance(value, list) else value for value in values)


INITIAL = {"squared": np.mean, "absolute": np.median, "poisson": lambda y: np.log(np.mean(y))}


def _initial(**changed):
    return lambda y, loss: float((INITIAL | changed)[loss](np.array(y, dtype=float)))


FEW, SOME = [1, 2, 9], [7, 1, 4, 12]
q1 = Asked(
    *("q1", "The constant to start from", 2, "initial"),
    prepare=_floats,
    reference=_initial(),
    cases=tuple(Case((y, loss)) for y in (FEW, SOME) for loss in INITIAL),
    mistakes="""
        mean_for_absolute: the mean is best for the squared loss: which number is in the middle?
        upper_median: with an even number of values the median lies midway between the middle two.
        no_log: this is the count itself: F is its logarithm.
        mean_of_logs: the mean of the logarithms is not the logarithm of the mean: which comes first?
        other_base: the logarithm has another base here: F belongs to e^F.
    """,  # noqa: E501
    gives={
        "mean_for_absolute": _initial(absolute=np.mean),
        "upper_median": _initial(absolute=lambda y: np.sort(y)[len(y) // 2]),
        "no_log": _initial(poisson=np.mean),
        "mean_of_logs": _initial(poisson=lambda y: np.mean(np.log(y))),
        "other_base": _initial(poisson=lambda y: np.log2(np.mean(y))),
    },
    hints=(
        "Each loss has its favorite constant. Lesson 08 names two of the three.",
        "At the best constant the slopes cancel: for counts Σ (y − e^F) = 0. Solve for F.",
        "The mean, the median, and the natural logarithm of the mean.",
    ),
)

PSEUDO = {
    "squared": lambda y, F: y - F,
    "absolute": lambda y, F: np.sign(y - F),
    "poisson": lambda y, F: y - np.exp(F),
}


def _pseudo(**changed):
    return lambda y, F, loss: (PSEUDO | changed)[loss](*_floats(y, F)).tolist()


COUNTS, SCORES = [3, 1, 2, 5], [1, 1, 2, 0]
q2 = Asked(
    *("q2", "Pseudo-residuals", 2, "pseudo_residuals"),
    kind=partial(_wants, "one number per row", lambda shape: len(shape) == 1),
    prepare=_floats,
    reference=_pseudo(),
    cases=tuple(Case((COUNTS, SCORES, loss)) for loss in PSEUDO),
    mistakes="""
        uphill: the sign is wrong: this is the gradient, and boosting steps against it.
        residual: this is y − F for every loss: only the squared loss has that slope.
        not_sign: |y − F| has slope +1 or −1, never more: the size of the miss does not matter.
        no_zero: where F hits y exactly, the question asks for 0.
        no_exp: F is the logarithm of a count here, y a count: compare like with like.
        log_scale: the derivative of e^F − yF has no log y in it: differentiate term by term.
    """,
    gives={
        "uphill": lambda *args: np.negative(_pseudo()(*args)).tolist(),
        "residual": _pseudo(absolute=PSEUDO["squared"], poisson=PSEUDO["squared"]),
        "not_sign": _pseudo(absolute=PSEUDO["squared"]),
        "no_zero": _pseudo(absolute=lambda y, F: np.where(y > F, 1.0, -1.0)),
        "no_exp": _pseudo(poisson=PSEUDO["squared"]),
        "log_scale": _pseudo(poisson=lambda y, F: np.log(y) - F),
    },
    hints=(
        "Differentiate the loss by F, y held fixed, then change the sign.",
        "½(y − F)² gives y − F; |y − F| gives a sign; d/dF of e^F is e^F, and of yF it is y.",
        "y − F, np.sign(y − F) and y − np.exp(F).",
    ),
)

STEP = {
    "squared": lambda y, F: np.mean(y - F),
    "absolute": lambda y, F: np.median(y - F),
    "poisson": lambda y, F: np.log(np.sum(y) / np.sum(np.exp(F))),
}


def _in_leaves(rule):
    """Return the function that applies rule(y, F, loss) in every leaf."""

    def steps(y, F, leaf, loss):
        (y, F), leaf = _floats(y, F), np.array(leaf)
        return [float(rule(y[leaf == j], F[leaf == j], loss)) for j in range(leaf.max() + 1)]

    return steps


def _steps(**changed):
    return _in_leaves(lambda y, F, loss: (STEP | changed)[loss](y, F))


def _mean_pseudo(y, F, loss):
    return np.mean(PSEUDO[loss](y, F))


def _best_step(y, F, loss):
    return STEP[loss](y, F)


LEAVES = [8, 1, 2, 9, 6, 3], [1, 0, 1, 2, 0, 1], [0, 1, 0, 2, 1, 0]
q3 = Asked(
    *("q3", "A step for each leaf", 3, "leaf_steps"),
    kind=partial(_wants, "one number per leaf", lambda shape: len(shape) == 1),
    prepare=lambda y, F, leaf, loss: (*_floats(y, F), np.array(leaf), loss),
    reference=_steps(),
    cases=tuple(Case((*LEAVES, loss)) for loss in STEP),
    mistakes="""
        tree_values: this is the mean pseudo-residual of each leaf: which step costs least there?
        one_step: all leaves get the same step: look at the rows of one leaf at a time.
        ignores_F: this is the best constant for y alone: the step comes on top of F.
        mean_for_absolute: for the absolute loss the mean is not the cheapest: what was F₀ there?
        mean_of_logs: this is the mean of log y − F: add up the counts first, then take logarithms.
        newton: this is a Newton step: a good one, but the exact minimum has a formula here.
    """,
    gives={
        "tree_values": _in_leaves(_mean_pseudo),
        "one_step": lambda y, F, leaf, loss: [_best_step(*_floats(y, F), loss)] * (max(leaf) + 1),
        "ignores_F": _in_leaves(lambda y, F, loss: INITIAL[loss](y)),
        "mean_for_absolute": _steps(absolute=STEP["squared"]),
        "mean_of_logs": _steps(poisson=lambda y, F: np.mean(np.log(y) - F)),
        "newton": _steps(poisson=lambda y, F: np.sum(y - np.exp(F)) / np.sum(np.exp(F))),
    },
    hints=(
        "It is question 1 once more, in one leaf, for what F leaves over.",
        "Mean and median of y − F. For counts set the slope Σ (e^(F + γ) − y) to 0.",
        "e^γ comes out of the sum, so γ = log(Σ y / Σ e^F), over the rows with leaf == j.",
    ),
)


def _spread(side):
    n, total, squares = side
    return squares - total**2 / n


def _least_squares(left, right):
    return -_spread(left) - _spread(right)


def _stump(X, target, *, score=_least_squares, pick=0, tie=TIE, middle=0.5):
    """Return (column, threshold) of the cut with the least sum of squares (or highest score)."""
    X, t = _floats(X, target)
    t, order = t - t.mean(), np.argsort(X, axis=0, kind="stable")
    x, n = np.take_along_axis(X, order, axis=0), np.arange(1, len(t))[:, None]
    total, squares = (np.cumsum(t[order] ** power, axis=0)[:-1] for power in (1, 2))
    left, right = (n, total, squares), (n[::-1], -total, t @ t - squares)
    scores = np.where(np.diff(x, axis=0) > 0, score(left, right), -np.inf).T  # (columns, cuts)
    column, k = np.argwhere(scores > scores.max() - tie * (t @ t))[pick]
    return int(column), float(x[k, column] + middle * (x[k + 1, column] - x[k, column]))


STAIRS = [[5, 1], [5, 2], [5, 3], [5, 4], [5, 6]], [0, 0, 1, 1, 1]
MIXED = [[1, 3], [2, 1], [3, 5], [4, 4], [5, 2], [6, 6]], [0, 4, 9, 6, 3, 9]
TWINS = [[1, 4, 4], [0, 2, 2], [1, 1, 1], [0, 3, 3]], [4, 0, 0, 4]
HILL = [[i] for i in range(12)], [0] * 4 + [8] * 4 + [0] * 4
q4 = Asked(
    *("q4", "A least-squares stump", 4, "fit_stump"),
    kind=partial(_wants, "a pair (column, threshold)", (2,).__eq__),
    prepare=_floats,
    reference=_stump,
    cases=tuple(map(Case, (STAIRS, MIXED, TWINS, HILL))),
    mistakes="""
        at_value: the threshold lies midway between two neighboring values, not on one of them.
        last_tie: of equally good cuts take the first column and the lowest threshold.
        unweighted: this adds the variances of the two sides: a side with more rows counts more.
        most_different: the means lie farthest apart here, but is the sum of squares the least?
        worst: this cut leaves the largest sum of squares: which way does your comparison point?
        reversed: the column comes first, then the threshold.
    """,
    gives={
        "at_value": partial(_stump, middle=0),
        "last_tie": partial(_stump, pick=-1),
        "unweighted": partial(_stump, score=lambda a, b: -_spread(a) / a[0] - _spread(b) / b[0]),
        "most_different": partial(_stump, score=lambda a, b: abs(a[1] / a[0] - b[1] / b[0])),
        "worst": partial(_stump, score=lambda a, b: _spread(a) + _spread(b)),
        "reversed": lambda X, target: _stump(X, target)[::-1],
    },
    hints=(
        "For one column and one threshold: two groups, two means, one sum of squares.",
        "np.unique(X[:, column]) has the values in order; the midpoints are the thresholds.",
        "Two loops, columns outside and thresholds inside; replace the best cut only if the new "
        "one is strictly better. Then ties go the right way by themselves.",
    ),
)


def _boost(X, y, X_new, loss, M, nu, *, start=1, train=None, new=None, frozen=False, **changed):
    """Return F_0 … F_M of the new rows; the options are what usually goes wrong."""
    X, y, X_new = _floats(X, y, X_new)
    step, goes_left = changed.get("step", _best_step), changed.get("goes_left", np.less_equal)
    F0 = INITIAL[loss](y)
    F, stages = np.full(len(y), F0), [np.full(len(X_new), start * F0)]
    for _ in range(M):
        at = np.full(len(y), F0) if frozen else F
        column, threshold = _stump(X, PSEUDO[loss](y, at), **changed.get("stump", {}))
        left = X[:, column] <= threshold
        gamma = [step(y[side], at[side], loss) for side in (left, ~left)]
        F = F + (train or nu) * np.where(left, *gamma)
        new_left = goes_left(X_new[:, column], threshold)
        stages.append(stages[-1] + (new or nu) * np.where(new_left, *gamma))
    return np.array(stages)


def _boosted(**options):
    return lambda *args: _boost(*args, **options).tolist()


SMALL = (  # ten rows of two columns, ten targets, four new rows
    [[1, 3], [2, 9], [3, 2], [4, 8], [5, 1], [6, 10], [7, 5], [8, 4], [9, 7], [10, 6]],
    [3, 21, 4, 17, 9, 40, 12, 13, 22, 31],
    [[0, 0], [5.5, 5.5], [3.5, 9], [9, 7.5]],
)
AS_COUNTS = {"poisson": np.exp}
ROUNDS = ("squared", 1, 1), ("squared", 3, 0.3), ("absolute", 2, 0.3), ("poisson", 4, 0.3)
q5 = Asked(
    *("q5", "The boosting loop", 4, "boost"),
    kind=partial(_wants, "a table with a row for each of F_0 … F_M", lambda shape: len(shape) == 2),
    prepare=_floats,
    reference=_boosted(),
    cases=tuple(
        Case((*SMALL, loss, M, nu), label=f'boost(*SMALL, "{loss}", {M}, {nu})')
        for loss, M, nu in ROUNDS
    ),
    mistakes="""
        no_row_0: the answer has M + 1 rows: the first is F₀, before any tree.
        no_initial: the constant F₀ is missing in the sum for the new rows.
        no_nu: the new rows get whole steps: ν belongs to the prediction too.
        nu_ignored: ν plays no part here: every step should be taken by that share only.
        tree_residual: on the training rows the steps are taken whole, so the next tree sees the wrong residual: it is that of the ensemble, with ν in it.
        frozen: the derivative is taken at F₀ in every round: use the newest F.
        tree_values: the step is the mean pseudo-residual of the leaf: where are your leaf_steps?
        strict: a new row that lies exactly on the threshold goes left: x ≤ threshold.
        counts: these are counts e^F: the question asks for F itself.
    """,  # noqa: E501
    gives={
        "no_row_0": lambda *args: _boosted()(*args)[1:],
        "no_initial": _boosted(start=0),
        "no_nu": _boosted(new=1),
        "nu_ignored": _boosted(new=1, train=1),
        "tree_residual": _boosted(train=1),
        "frozen": _boosted(frozen=True),
        "tree_values": _boosted(step=_mean_pseudo),
        "strict": _boosted(goes_left=np.less),
        "counts": lambda *args: AS_COUNTS.get(args[3], np.array)(_boost(*args)).tolist(),
    },
    hints=(
        "Keep two sums: F of the training rows, which makes the targets, and F of the new rows.",
        "A round: pseudo_residuals at F, fit_stump, leaf number of each row, leaf_steps, add.",
        "leaf = (X[:, column] > threshold).astype(int) and the same for X_new; then "
        "F = F + nu * gamma[leaf] for both, with the same gamma as an array.",
    ),
)


def _stop(curve, patience, *, better=np.less, previous=False):
    """Return (best round, round at which it stopped)."""
    best, lowest, waited = 0, curve[0], 0
    for m in range(1, len(curve)):
        if better(curve[m], curve[m - 1] if previous else lowest):
            best, lowest, waited = m, curve[m], 0
        else:
            waited += 1
        if waited >= patience:
            return best, m
    return best, len(curve) - 1


CURVES = (
    ([9, 7, 6, 8, 5, 7, 6, 6, 4], 3),
    ([5, 4, 4, 4, 3], 2),
    ([9, 7, 8, 6, 7, 7, 5, 8], 2),
    ([8, 7, 6, 5], 4),
    ([3, 5, 2, 4, 4, 1], 1),
)
q6 = Asked(
    *("q6", "Early stopping", 2, "stopping_round"),
    prepare=_floats,
    reference=lambda curve, patience: _stop(curve, patience)[0],
    cases=tuple(map(Case, CURVES)),
    mistakes="""
        no_patience: this is the lowest point of the whole curve, but we would have stopped earlier.
        stopped_at: this is the round at which the waiting ended: go back to the best one.
        too_patient: you wait one round too long: stop when the count reaches the patience.
        hasty: you stop one round too early: the best round itself is not a round without success.
        previous: a round must beat the best so far: beating the round before is not enough.
        last_tie: an equal loss is no success: it must be lower.
        from_one: curve[0] belongs to round 0, before any tree.
    """,
    gives={
        "no_patience": lambda curve, patience: int(np.argmin(curve)),
        "stopped_at": lambda curve, patience: _stop(curve, patience)[1],
        "too_patient": lambda curve, patience: _stop(curve, patience + 1)[0],
        "hasty": lambda curve, patience: _stop(curve, max(patience - 1, 1))[0],
        "previous": lambda curve, patience: _stop(curve, patience, previous=True)[0],
        "last_tie": lambda curve, patience: _stop(curve, patience, better=np.less_equal)[0],
        "from_one": lambda curve, patience: _stop(curve, patience)[0] + 1,
    },
    hints=(
        "Walk along the curve and remember three things: the best round, its loss, the wait.",
        "A lower loss sets the wait back to 0. Anything else adds 1 to it.",
        "When the wait reaches the patience, leave the loop. Return the best round.",
    ),
)

MEAN_LOSS = {
    "squared": lambda y, F: np.mean((y - F) ** 2) / 2,
    "absolute": lambda y, F: np.mean(np.abs(y - F)),
    "poisson": lambda y, F: np.mean(np.exp(F) - y * F),
}


def _tune(X, y, *more, training=False, stop=None, score=None):
    """Return (ν, round) of the lowest loss; the options are what usually goes wrong."""
    X_valid, y_valid, loss, rates, M, patience = more
    rows, truth = _floats(*(X, y) if training else (X_valid, y_valid))
    found = []
    for nu in rates:
        stages = _boost(X, y, rows, loss, M, nu)
        curve = [MEAN_LOSS[score or loss](truth, F) for F in stages]
        m = stop(curve) if stop else _stop(curve, patience)[0]
        found.append((curve[m], nu, m))
    return min(found, key=lambda each: each[0])[1:]


def _heart(first, size):
    """Return columns and highest heart rates of ``size`` patients for training and after them."""
    table, _ = load_heart()
    X = table[["age", "rest_blood_pressure", "cholesterol"]].to_numpy(float)
    y = table["max_heart_rate"].to_numpy(float)
    rows = slice(first, first + size), slice(first + size, first + 2 * size)
    return [part.tolist() for where in rows for part in (X[where], y[where])]


PATIENTS = 'tune(X, y, X_valid, y_valid, "{}", {}, {}, {})'
HEART = (
    (_heart(200, 40), "poisson", [1, 0.5, 0.2], 20, 2),
    (_heart(50, 50), "squared", [0.5, 0.3, 0.1], 20, 2),
)
q7 = Asked(
    *("q7", "Rate and number of rounds, chosen on held-out rows", 3, "tune"),
    kind=partial(_wants, "a pair (rate, round)", (2,).__eq__),
    prepare=lambda X, y, X_valid, y_valid, *more: (*_floats(X, y, X_valid, y_valid), *more),
    reference=_tune,
    cases=tuple(Case((*data, *more), label=PATIENTS.format(*more)) for data, *more in HEART),
    mistakes="""
        on_training: these are the best on the training rows, which prefer many large steps: ask the held-out rows.
        last_round: this compares the rates after all M rounds: where would each have stopped?
        no_patience: this looks at whole curves: each should end where patience runs out.
        squared: the curve is a mean squared error: follow the loss that you boost.
    """,  # noqa: E501
    gives={
        "on_training": partial(_tune, training=True),
        "last_round": partial(_tune, stop=lambda curve: len(curve) - 1),
        "no_patience": partial(_tune, stop=np.argmin),
        "squared": partial(_tune, score="squared"),
    },
    hints=(
        "For one rate: boost with X_valid as the new rows. Row m of the answer is F_m.",
        "[mean_loss(y_valid, F, loss) for F in stages] is the curve; stopping_round reads it.",
        "Keep (loss at that round, rate, round) of every rate and take the one with least loss.",
    ),
)

QUESTIONS = (q1, q2, q3, q4, q5, q6, q7)
