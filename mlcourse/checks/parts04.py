"""The parts of an error, computed rightly and wrongly, for exercise 04.

Without options the functions give the right answer, and each option makes a known mistake. All
take and return plain data or arrays: h (R, n) has a row per training set, a column per test point.
While grading, students find the examples here, and no function.
"""

import numpy as np

from mlcourse.datasets import load_heart

# Squared error ---------------------------------------------------------------------------------


def bias(h, f):
    """Return the mean prediction minus the truth, at every point."""
    return np.mean(h, axis=0) - f


def parts(h, f, sigma):
    """Return the parts of the squared error, at one point or averaged over all of them."""
    variance, square = float(np.mean(np.var(h, axis=0))), float(np.mean(bias(h, f) ** 2))
    error = variance + square + sigma**2
    return {"variance": variance, "bias_squared": square, "noise": sigma**2, "error": error}


def blend(g, f):
    """Return the squared error of the members on average, of their mean, and their deviation."""
    g, G = np.array(g, dtype=float), np.mean(g, axis=0)
    squares = {"members": (g - f) ** 2, "blend": (G - f) ** 2, "deviation": (g - G) ** 2}
    return {key: float(np.mean(values)) for key, values in squares.items()}


def deviation(g, divisor):
    """Return the squared deviation from the blend, with another divisor than T."""
    return blend(g, 0)["deviation"] * len(g) / divisor


# Error rate ------------------------------------------------------------------------------------


def modes(h, pick=0):
    """Return the most frequent class of each column; at a tie the smallest, or (-1) largest."""
    found = []
    for column in np.transpose(h):
        values, counts = np.unique(column, return_counts=True)
        found.append(int(values[counts == counts.max()][pick]))
    return found


def at_points(h, o, noise, one_case=False, both=2):
    """Return bias, variance and error rate at every point."""
    m = np.array(modes(h))
    B, V, N = (m != o).astype(float), np.mean(np.array(h) != m, axis=0), np.array(noise)
    inside = V + N - both * V * N
    return B, V, np.where((B == 1) & (not one_case), 1 - inside, inside)


def zero_one(h, o, noise):
    """Return the parts of the error rate, averaged over the points."""
    B, V, error = at_points(h, o, noise)
    terms = {"bias": B, "variance": V, "unbiased_variance": (1 - B) * V, "biased_variance": B * V}
    return {key: float(np.mean(values)) for key, values in (terms | {"error": error}).items()}


def of_averages(h, o, noise):
    """Return the formula of the error rate, wrongly applied to averages."""
    B, V, N = *(np.mean(part) for part in at_points(h, o, noise)[:2]), np.mean(noise)
    return B + (1 - 2 * B) * (V + N - 2 * V * N)


def plus(h, o, noise):
    """Return bias plus all variance, biased or not."""
    return np.mean(sum(at_points(h, o, noise)[:2]))


def only_there(h, o, noise):
    """Return the variance averaged over the unbiased points only."""
    B, V, _ = at_points(h, o, noise)
    return np.mean(V[B == 0])


# Neighbors -------------------------------------------------------------------------------------


def nearest(distances, k):
    """Return the places of the k smallest distances, the first ones at a tie."""
    return np.argsort(distances, kind="stable")[:k]


def last_nearest(distances, k):
    """Return the places of the k smallest distances, the last ones at a tie."""
    return len(distances) - 1 - nearest(distances[::-1], k)


def knn(X, y, X_new, k, pick=nearest, middle=np.mean):
    """Return the predictions of k nearest neighbors."""
    X, y, X_new = (np.array(values, dtype=float) for values in (X, y, X_new))
    squares = ((X_new[:, None] - X) ** 2).sum(axis=2)  # (new, training)
    return [float(middle(y[pick(row, k)])) for row in squares]


def best_k(sets, X_test, f, sigma, ks, by="error", sign=1, joined=False):
    """Return k and the parts of the setting with the least error (or of another key)."""
    if joined:
        sets = [[np.concatenate(part) for part in zip(*sets, strict=True)]]
    rows = []
    for k in ks:
        found = parts([knn(X, y, X_test, k) for X, y in sets], f, sigma)
        rows.append({"k": k} | {key: v for key, v in found.items() if key != "noise"})
    return min(rows, key=lambda row: (sign * row[by], row["k"]))


def resampled(X, y, X_test, y_test, rows, k, whole=False, labels=True, swap=False):
    """Return the parts of the error rate of k-NN over bootstrap samples."""
    X, y = np.array(X), np.array(y)
    if swap:
        X_test, y_test = X, y
    draws = np.array([range(len(y))] * len(rows) if whole else rows)
    means = [knn(X[draw], y[draw] if labels else y, X_test, k) for draw in draws]
    return zero_one(np.where(np.array(means) > 0, 1, -1), y_test, np.zeros(len(y_test)))


WAYS = ("more data", "more flexible", "leave it")  # for variance, bias² and noise


def advice(variance, bias_squared, noise, ways=WAYS):
    """Return what helps against the largest part."""
    return ways[int(np.argmax([variance, bias_squared, noise]))]


# Examples --------------------------------------------------------------------------------------


def world(rng, n_sets, n, sigma):
    """Return training sets of a noisy parabola, test points and the truth there: plain data."""
    sets = []
    for _ in range(n_sets):
        x = rng.integers(0, 41, size=n)
        y = (x - 20) ** 2 / 50 + rng.normal(0, sigma, n)
        sets.append([[[int(v)] for v in x], y.round(2).tolist()])
    places = np.arange(2, 40, 4)
    return sets, [[int(v)] for v in places], ((places - 20) ** 2 / 50).tolist()


def clinic(rng, n_train, n_test, n_draws):
    """Return X, y, X_test, y_test and bootstrap rows of heart patients: plain data."""
    X, y = load_heart()
    order = rng.permutation(len(X))[: n_train + n_test]
    X = X[["age", "max_heart_rate"]].to_numpy()[order].astype(int).tolist()
    y = np.where(y.to_numpy()[order] == "present", 1, -1).tolist()
    rows = rng.integers(n_train, size=(n_draws, n_train)).tolist()
    return X[:n_train], y[:n_train], X[n_train:], y[n_train:], rows


TABLE = [[1, 4, 2], [3, 4, 0], [2, 7, 1], [2, 5, 5]]  # four training sets, three points
VOTES = [[0, 2, 1, 2], [0, 2, 0, 0], [2, 1, 1, 2], [1, 1, 0, 0], [0, 2, 2, 1]]
SIGNS = [[1, 1, -1, 1], [1, -1, -1, -1], [1, -1, -1, 1], [-1, 1, -1, 1], [1, -1, -1, -1]]
MIXED = [[1, -1, 1], [-1, -1, 1], [1, -1, -1], [1, 1, -1]]
PLACES, HEIGHTS = [[0, 0], [4, 0], [1, 3], [5, 5], [2, 1]], [10, 2, 7, 1, 4]
SETS, POINTS, TRUTH = world(np.random.default_rng(1), 12, 20, 1)
LOUD_SETS = world(np.random.default_rng(2), 6, 12, 5)[0]
CLINICS = [clinic(np.random.default_rng(seed), 40, 30, 11) for seed in (0, 1)]
