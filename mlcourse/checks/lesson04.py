"""Exercise 04, bias and variance: the visible cases, the known mistakes and the hints."""

import math
from functools import partial

import numpy as np

from mlcourse.checks import Case, Question, mapping, parts04, show, text

LIBRARY = (
    *("bias_variance_squared", "bias_variance_zero_one"),
    *("bias_variance.decompose_squared", "bias_variance.decompose_zero_one"),
)
Asked = partial(Question, asks=LIBRARY)  # no answer may come from there


def _cases(function, *calls):
    """Make a case of each call, as a student would type it with the names of parts04."""
    return tuple(
        Case(eval(f"({call},)", dict(vars(parts04))), label=f"{function}({call})") for call in calls
    )


def _arrays(*values):
    return tuple(np.array(value, dtype=float) for value in values)


def _close(one, other):
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def _part(key, formula):
    """Recognize a mistake by one entry of a dict: it is what the formula gives, and wrong."""
    return lambda got, expected, *args: (
        not _close(got[key], expected[key]) and _close(got[key], formula(*args))
    )


def _keys(got, expected, *_):
    return set(got) != set(expected)


def listed(got):
    """Say what is wrong with an answer that should be a list of numbers, or return None."""
    if isinstance(got, list | tuple | np.ndarray) and np.ndim(got) == 1:
        return None
    return f"returned {show(got)}: the question asks for a list, one entry per point"


q1 = Asked(
    *("q1", "The parts at one point", 3, "parts"),
    kind=mapping,
    prepare=lambda h, f, sigma: (*_arrays(h), f, sigma),
    reference=parts04.parts,
    cases=_cases("parts", "[1, 2, 3, 6], 5, 0.5", "[2, 2, 2], 2.5, 2", "[4, 0, 1, 5, 5], -1, 3"),
    mistakes="""
        keys: the dict should have the keys variance, bias_squared, noise and error.
        ddof: the variance divides by N − 1 here: the sum of the parts is exact with N only.
        spread: this is the standard deviation: the variance is its square.
        unsquared: this is the bias itself: the parts have its square.
        squared_first: this squares before it averages: bias is about the mean prediction.
        sigma: the noise is sigma itself here: it is the variance of y*, sigma squared.
        squared_twice: the noise is squared twice: sigma squared is the noise already.
        total: the parts are right, their sum is not: variance + bias² + noise.
    """,
    shows={
        "keys": _keys,
        "ddof": _part("variance", lambda h, f, sigma: np.var(h, ddof=1)),
        "spread": _part("variance", lambda h, f, sigma: np.std(h)),
        "unsquared": lambda got, expected, h, f, sigma: any(
            _part("bias_squared", lambda *_, s=sign: s * parts04.bias(h, f))(got, expected)
            for sign in (1, -1)
        ),
        "squared_first": _part("bias_squared", lambda h, f, sigma: np.mean(np.subtract(h, f) ** 2)),
        "sigma": _part("noise", lambda h, f, sigma: sigma),
        "squared_twice": _part("noise", lambda h, f, sigma: sigma**4),
        "total": lambda got, expected, *_: all(
            _close(got[key], expected[key]) for key in ("variance", "bias_squared", "noise")
        ),
    },
    hints=(
        "First the consensus: the mean of the predictions. Everything else is measured from it.",
        "Variance: the mean of (h − consensus)². Bias²: (consensus − f)². Noise: sigma².",
        "np.mean((h - h.mean()) ** 2), or np.var(h), divides by N as it should.",
    ),
)

q2 = Asked(
    *("q2", "The parts of a whole table", 3, "table_parts"),
    kind=mapping,
    prepare=lambda h, f, sigma: (*_arrays(h, f), sigma),
    reference=parts04.parts,
    cases=_cases(
        "table_parts",
        "TABLE, [3, 3, 3], 0.5",
        "[[1, 2, 3, 4], [3, 2, 5, 0]], [1, 3, 3, 3], 2",
        "[[2, 0], [2, 4], [5, 2]], [1, 4], 3",
    ),
    mistakes="""
        keys: the dict should have the keys variance, bias_squared, noise and error.
        averaged_first: biases of opposite sign cancel here: square at each point, then average.
        pooled: there is one consensus for all points here: each point has its own.
        over_points: this is the variance along the points: training sets are the rows.
        ddof: the variance divides by N − 1 here: the sum of the parts is exact with N only.
        summed: this adds the points up: the question asks for the average over the points.
        no_noise: the error lacks the noise: a new observation scatters too.
        noise: the noise is sigma squared, at every point and so on average.
    """,
    shows={
        "keys": _keys,
        "averaged_first": _part(
            "bias_squared", lambda h, f, sigma: np.mean(parts04.bias(h, f)) ** 2
        ),
        "pooled": _part("variance", lambda h, f, sigma: np.var(h)),
        "over_points": _part("variance", lambda h, f, sigma: np.mean(np.var(h, axis=1))),
        "ddof": _part("variance", lambda h, f, sigma: np.mean(np.var(h, axis=0, ddof=1))),
        "summed": _part("variance", lambda h, f, sigma: np.sum(np.var(h, axis=0))),
        "no_noise": _part("error", lambda h, f, sigma: np.mean(np.subtract(h, f) ** 2)),
        "noise": lambda got, expected, *_: not _close(got["noise"], expected["noise"]),
    },
    hints=(
        "A column of the table is one point: your parts can do a column.",
        "h[:, j] with f[j] is one call. Average each of the four entries over the points.",
        "Or all at once: h.mean(axis=0) is the consensus at every point, h.var(axis=0) the "
        "variance; average them last.",
    ),
)


q3 = Asked(
    *("q3", "The uniform blend", 3, "blend"),
    kind=mapping,
    prepare=_arrays,
    reference=parts04.blend,
    cases=_cases(
        "blend",
        "TABLE, [3, 3, 3]",
        "[[1, 2, 3, 4], [3, 2, 5, 0]], [1, 3, 3, 3]",
        "[[2, 0], [2, 4], [5, 2]], [1, 4]",
    ),
    mistakes="""
        keys: the dict should have the keys members, blend and deviation.
        best_member: this is the error of the best member: take the average of them all.
        from_truth: this is the distance from f: the deviation is measured from the blend G.
        divisor: the deviation divides by T − 1 here: then the identity fails.
        early: errors of opposite sign cancel here: square at each point, then average.
        one_model: the blend averages over the models (rows), not over the points.
    """,
    shows={
        "keys": _keys,
        "best_member": _part("members", lambda g, f: np.mean(np.subtract(g, f) ** 2, axis=1).min()),
        "from_truth": _part("deviation", lambda g, f: parts04.blend(g, f)["members"]),
        "divisor": _part("deviation", lambda g, f: parts04.deviation(g, len(g) - 1)),
        "early": _part("blend", lambda g, f: np.mean(parts04.bias(g, f)) ** 2),
        "one_model": _part(
            "deviation", lambda g, f: np.mean((np.array(g).T - np.mean(g, axis=1)) ** 2)
        ),
    },
    hints=(
        "G = g.mean(axis=0) is the blend: one number per point.",
        "Three means of squares: of g − f, of G − f and of g − G.",
        "NumPy subtracts f and G from every row of g, so np.mean((g - f) ** 2) is the first.",
    ),
)


q4a = Asked(
    *("q4a", "The main prediction", 2, "main_prediction"),
    kind=listed,
    prepare=lambda h: (np.array(h),),
    reference=parts04.modes,
    cases=_cases("main_prediction", "VOTES", "MIXED", "[[5, 3], [5, 9], [7, 9]]"),
    mistakes="""
        mean: this is the mean: a class is no amount, so count which class comes most often.
        rounded: this rounds the mean: between class 0 and class 2 there is no class 1.
        median: this is the median: classes have no order, so count them.
        last_tie: at a tie the question asks for the smallest class.
        rows: this asks each model (row): the question asks for each point (column).
    """,
    gives={
        "mean": lambda h: np.mean(h, axis=0).tolist(),
        "rounded": lambda h: np.round(np.mean(h, axis=0)).tolist(),
        "median": lambda h: np.median(h, axis=0).tolist(),
        "last_tie": partial(parts04.modes, pick=-1),
        "rows": lambda h: parts04.modes(np.transpose(h)),
    },
    hints=(
        "A column holds the answers of all models at one point. Which class comes most often?",
        "np.unique(column, return_counts=True) gives the classes, sorted, and how often each is.",
        "np.argmax takes the first of the largest counts, so the smallest class wins a tie.",
    ),
)


q4b = Asked(
    *("q4b", "The parts of the error rate", 4, "zero_one"),
    kind=mapping,
    prepare=lambda h, o, noise: (np.array(h), np.array(o), *_arrays(noise)),
    reference=parts04.zero_one,
    cases=_cases(
        "zero_one",
        "SIGNS, [1, 1, -1, -1], [0.1, 0.2, 0.3, 0.1]",
        "SIGNS, [1, 1, 1, 1], [0, 0, 0, 0]",
        "MIXED, [1, 1, -1], [0.25, 0, 0.125]",
    ),
    mistakes="""
        keys: the dict should have the keys bias, variance, unbiased_variance, biased_variance and error.
        distance: bias is 1 where m and o differ: the distance between the classes −1 and 1 is 2.
        around_optimal: this is how often h is not o: variance is how often h is not m.
        only_there: this averages over the unbiased points only: average over all points.
        swapped: unbiased and biased variance are swapped: unbiased is where m = o.
        plus: the biased variance is added here: where the consensus is wrong, variance helps.
        one_case: the second case is missing: where B = 1, the error is 1 − [V + N − 2VN].
        noise_added: the term −2VN is missing: if both leave the class, they meet again.
        noise_missing: the noise N is missing: without noise this would be right.
        averages: the formula is for one point: apply it at each point, then average.
    """,  # noqa: E501
    shows={
        "keys": _keys,
        "distance": _part("bias", lambda h, o, noise: 2 * parts04.zero_one(h, o, noise)["bias"]),
        "around_optimal": _part("variance", lambda h, o, noise: np.mean(np.array(h) != o)),
        "only_there": _part("unbiased_variance", parts04.only_there),
        "swapped": _part(
            "unbiased_variance", lambda *args: parts04.zero_one(*args)["biased_variance"]
        ),
        "plus": _part("error", parts04.plus),
        "one_case": _part(
            "error", lambda *args: np.mean(parts04.at_points(*args, one_case=True)[2])
        ),
        "noise_added": _part("error", lambda *args: np.mean(parts04.at_points(*args, both=0)[2])),
        "noise_missing": _part("error", lambda h, o, noise: np.mean(np.array(h) != o)),
        "averages": _part("error", parts04.of_averages),
    },
    hints=(
        "Work with arrays over the points: m, B, V. Take the averages at the very end.",
        "B = (m != o), V = np.mean(h != m, axis=0). Unbiased variance is V where B is 0, else 0.",
        "c = V + N − 2VN at every point; the error is np.where(B, 1 - c, c).",
    ),
)


q5 = Asked(
    *("q5", "Nearest neighbors", 3, "knn"),
    kind=listed,
    prepare=lambda X, y, X_new, k: (*_arrays(X, y, X_new), k),
    reference=parts04.knn,
    cases=_cases(
        "knn",
        "PLACES, HEIGHTS, [[1, 1], [4, 4]], 1",
        "PLACES, HEIGHTS, [[1, 0], [5, 4], [3, 3]], 3",
        "[[0], [2], [6], [3]], [1, 5, 9, 2], [[1], [4]], 2",
        "PLACES, HEIGHTS, [[2, 2]], 5",
    ),
    mistakes="""
        farthest: these are the farthest points: sort the distances upward.
        first_column: only the first column counts here: a distance has all of them in it.
        sum: this is the sum of the neighbors' values: take their mean.
        median: this is the median of the neighbors' values: take their mean.
        last_tie: of two equally distant points the question takes the one that comes first.
        nearest_only: this is the value of the nearest point: average the k nearest.
    """,
    gives={
        "farthest": partial(parts04.knn, pick=lambda d, k: parts04.nearest(-d, k)),
        "first_column": lambda X, y, new, k: parts04.knn(
            [row[:1] for row in X], y, [row[:1] for row in new], k
        ),
        "sum": partial(parts04.knn, middle=np.sum),
        "median": partial(parts04.knn, middle=np.median),
        "last_tie": partial(parts04.knn, pick=parts04.last_nearest),
        "nearest_only": lambda X, y, new, k: parts04.knn(X, y, new, 1),
    },
    hints=(
        "For one new point: its distance to every training point. Which k are smallest?",
        "np.sum((X - x) ** 2, axis=1) are the squared distances; their order is the same.",
        'np.argsort(distances, kind="stable")[:k] are the rows; average y there.',
    ),
)


q6a = Asked(
    *("q6a", "Turning the knob", 3, "best_k"),
    kind=mapping,
    prepare=lambda sets, X, f, sigma, ks: (
        [list(_arrays(*each)) for each in sets],
        *_arrays(X, f),
        sigma,
        ks,
    ),
    reference=parts04.best_k,
    cases=_cases(
        "best_k",
        "SETS, POINTS, TRUTH, 1, [1, 2, 3, 5, 8, 13]",
        "LOUD_SETS, POINTS, TRUTH, 5, [7, 1, 3]",
    ),
    mistakes="""
        keys: the dict should have the keys k, variance, bias_squared and error.
        least_bias: this k has the least bias²: what counts is the sum of all parts.
        least_variance: this k has the least variance: what counts is the sum of all parts.
        most: this k has the largest error: which one do you want?
        joined: all training sets are thrown together: each of them trains a model of its own.
    """,
    gives={
        "least_bias": partial(parts04.best_k, by="bias_squared"),
        "least_variance": partial(parts04.best_k, by="variance"),
        "most": partial(parts04.best_k, sign=-1),
        "joined": partial(parts04.best_k, joined=True),
    },
    shows={"keys": _keys},
    hints=(
        "For one k: each training set gives one row of predictions at the test points.",
        "np.array([knn(X, y, X_test, k) for X, y in sets]) is the table for your table_parts.",
        "Do so for every k and keep the one with the least error; at a tie the smaller k.",
    ),
)

q6b = Asked(
    *("q6b", "What would help?", 1, "advice"),
    kind=text,
    reference=parts04.advice,
    cases=_cases("advice", "3, 1, 2", "1, 3, 2", "1, 2, 3", "0.2, 0.1, 0.4", "2, 5, 1"),
    mistakes="""
        swapped: more data lowers the variance, more flexibility the bias: these are swapped.
        noise_ignored: if the noise is the largest part, no learner can do much: leave it.
        smallest: this treats the smallest part: start with the largest.
    """,
    gives={
        "swapped": partial(parts04.advice, ways=("more flexible", "more data", "leave it")),
        "noise_ignored": lambda v, b, noise: parts04.advice(v, b, -1),
        "smallest": lambda v, b, noise: parts04.advice(-v, -b, -noise),
    },
    hints=(
        "Which of the three numbers is the largest?",
        "Large variance: more data. Large bias²: a more flexible learner. Large noise: leave it.",
    ),
)


q7 = Asked(
    *("q7", "One training set, many resamples", 3, "resampled"),
    kind=mapping,
    prepare=lambda X, y, X_test, y_test, rows, k: (*map(np.array, (X, y, X_test, y_test, rows)), k),
    reference=parts04.resampled,
    cases=_cases("resampled", "*CLINICS[0], 1", "*CLINICS[1], 5"),
    mistakes="""
        keys: the dict is what your zero_one returns, with its five keys.
        same_rows: every model sees the same rows here, so nothing varies: use the draws.
        labels_stay: the rows of X are drawn, those of y are not: a patient keeps the diagnosis.
        training: the models are judged on training rows: use the test rows.
        nearest_only: k is ignored here: hand it on to knn.
    """,
    gives={
        "same_rows": partial(parts04.resampled, whole=True),
        "labels_stay": partial(parts04.resampled, labels=False),
        "training": partial(parts04.resampled, swap=True),
        "nearest_only": lambda *args: parts04.resampled(*args[:-1], 1),
    },
    shows={"keys": _keys},
    hints=(
        "Each row of rows is one training set: X[draw] and y[draw].",
        "knn gives the mean of the classes −1 and 1: above 0 the class is 1, else −1.",
        "Stack the answers to a table, and hand it to zero_one with y_test and zeros as noise.",
    ),
)

QUESTIONS = (q1, q2, q3, q4a, q4b, q5, q6a, q6b, q7)
