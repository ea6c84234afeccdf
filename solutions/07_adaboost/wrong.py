"""Answers to exercise 07 that must fail, and unusual ones that must pass.

Each is the whole text of an answer cell. WRONG has, for each question, the name of the mistake
whose message the answer must get, from the visible and from the hidden checks; HARMLESS says
what is unusual about an answer that is right.
"""

BOOST = """
def boost(X, y, n_rounds):
    w, rounds = np.full(len(y), 1 / len(y)), []
    for _ in range(n_rounds):
        stump = best_stump(X, y, w)
        h = answers(stump, X)
        epsilon = np.sum(w[h != y])
        if epsilon > 0.5 - 1e-9:
            break
        if np.all(h == y):
            rounds.append(stump | {"epsilon": 0.0, "alpha": 1.0})
            break
        alpha = 0.5 * np.log((1 - epsilon) / epsilon)
        rounds.append(stump | {"epsilon": epsilon, "alpha": alpha})
        w = w * np.exp(-alpha * y * h)
        w = w / w.sum()
    return rounds
"""


def boost_with(*changes):
    """Return the answer to question 4a with some of its text replaced."""
    source = BOOST
    for old, new in changes:
        if old not in source:
            raise ValueError(f"the answer does not contain {old!r}")
        source = source.replace(old, new)
    return source


SCALING = "        w = w / w.sum()\n"

WRONG = {
    "q1": {
        "count": """
def weighted_error(w, y, h):
    return np.mean(h != y)
""",
        "unscaled": """
def weighted_error(w, y, h):
    return np.sum(w * (h != y))
""",
        "right": """
def weighted_error(w, y, h):
    return w[h == y].sum() / w.sum()
""",
        "signed": """
def weighted_error(w, y, h):
    return w @ (h - y) / w.sum()
""",
        "no_return": """
def weighted_error(w, y, h):
    np.sum(w[h != y]) / np.sum(w)
""",
        "wrong_type": """
def weighted_error(w, y, h):
    return w * (h != y) / np.sum(w)
""",
    },
    "q2a": {
        "no_half": """
def vote(epsilon):
    return np.log((1 - epsilon) / epsilon)
""",
        "bits": """
def vote(epsilon):
    return 0.5 * np.log2((1 - epsilon) / epsilon)
""",
        "sign": """
def vote(epsilon):
    return 0.5 * np.log(epsilon / (1 - epsilon))
""",
        "absolute": """
def vote(epsilon):
    return abs(0.5 * np.log((1 - epsilon) / epsilon))
""",
        "unknown": """
def vote(epsilon):
    return 1 - epsilon
""",
    },
    "q2b": {
        "indicator": """
def reweight(w, alpha, y, h):
    new = np.where(h != y, w * np.exp(alpha), w)
    return new / new.sum(), new.sum()
""",
        "wrong_way": """
def reweight(w, alpha, y, h):
    new = w * np.exp(alpha * y * h)
    return new / new.sum(), new.sum()
""",
        "unscaled": """
def reweight(w, alpha, y, h):
    new = w * np.exp(-alpha * y * h)
    return new, new.sum()
""",
        "closed_form": """
def reweight(w, alpha, y, h):
    epsilon = weighted_error(w, y, h)
    Z = 2 * np.sqrt(epsilon * (1 - epsilon))
    return w * np.exp(-alpha * y * h) / Z, Z
""",
        "wrong_type": """
def reweight(w, alpha, y, h):
    new = w * np.exp(-alpha * y * h)
    return new / new.sum()
""",
        "changed_input": """
def reweight(w, alpha, y, h):
    w *= np.exp(-alpha * y * h)
    return w / w.sum(), w.sum()
""",
    },
    "q3": {
        "keys": """
def best_stump(X, y, w):
    best, least = None, np.inf
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            for left in (1, -1):
                stump = {"column": column, "threshold": threshold, "left": left}
                error = weighted_error(w, y, answers(stump, X))
                if error < least - 1e-9:
                    best, least = stump | {"error": error}, error
    return best
""",
        "unweighted": """
def best_stump(X, y, w):
    best, least = None, np.inf
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            for left in (1, -1):
                stump = {"column": column, "threshold": threshold, "left": left}
                error = np.mean(answers(stump, X) != y)
                if error < least - 1e-9:
                    best, least = stump, error
    return best
""",
        "one_way": """
def best_stump(X, y, w):
    best, least = None, np.inf
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            stump = {"column": column, "threshold": threshold, "left": 1}
            error = weighted_error(w, y, answers(stump, X))
            if error < least - 1e-9:
                best, least = stump, error
    return best
""",
        "at_values": """
def best_stump(X, y, w):
    best, least = None, np.inf
    for column in range(X.shape[1]):
        for threshold in np.unique(X[:, column])[:-1]:
            for left in (1, -1):
                stump = {"column": column, "threshold": threshold, "left": left}
                error = weighted_error(w, y, answers(stump, X))
                if error < least - 1e-9:
                    best, least = stump, error
    return best
""",
        "tied": """
def best_stump(X, y, w):
    best, least = None, np.inf
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            for left in (1, -1):
                stump = {"column": column, "threshold": threshold, "left": left}
                error = weighted_error(w, y, answers(stump, X))
                if error <= least + 1e-9:
                    best, least = stump, error
    return best
""",
        "wrong_type": """
def best_stump(X, y, w):
    best, least = None, np.inf
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            for left in (1, -1):
                stump = {"column": column, "threshold": threshold, "left": left}
                error = weighted_error(w, y, answers(stump, X))
                if error < least - 1e-9:
                    best, least = (column, threshold, left), error
    return best
""",
    },
    "q4a": {
        "keys": boost_with(('"epsilon": 0.0, ', ""), ('"epsilon": epsilon, ', "")),
        "no_half": boost_with(("0.5 * np.log", "np.log")),
        "indicator": boost_with(("-alpha * y * h", "alpha * (h != y)")),
        "same_weights": boost_with(("        w = w * np.exp(-alpha * y * h)\n", "")),
        "unscaled": boost_with((SCALING, "")),
        "share": boost_with(("np.sum(w[h != y])", "np.mean(h != y)")),
        "wrong_way": boost_with(("-alpha * y * h", "alpha * y * h")),
        "coin": boost_with(("epsilon > 0.5 - 1e-9", "epsilon > 0.5")),
        "perfect": boost_with(("if np.all(h == y)", "if False")),
        "wrong_type": boost_with(("return rounds", "return [step['alpha'] for step in rounds]")),
    },
    "q4b": {
        "sums": """
def predict(rounds, X):
    return sum([step["alpha"] * answers(step, X) for step in rounds], np.zeros(len(X)))
""",
        "zero": """
def predict(rounds, X):
    F = sum([step["alpha"] * answers(step, X) for step in rounds], np.zeros(len(X)))
    return np.sign(F)
""",
        "plain_vote": """
def predict(rounds, X):
    F = sum([answers(step, X) for step in rounds], np.zeros(len(X)))
    return np.where(F >= 0, 1, -1)
""",
        "strict": """
def predict(rounds, X):
    F = np.zeros(len(X))
    for step in rounds:
        below = X[:, step["column"]] < step["threshold"]
        F += step["alpha"] * np.where(below, step["left"], -step["left"])
    return np.where(F >= 0, 1, -1)
""",
        "one_way": """
def predict(rounds, X):
    F = np.zeros(len(X))
    for step in rounds:
        F += step["alpha"] * np.where(X[:, step["column"]] <= step["threshold"], 1, -1)
    return np.where(F >= 0, 1, -1)
""",
        "wrong_type": """
def predict(rounds, X):
    F = sum(step["alpha"] * answers(step, X) for step in rounds)
    return np.where(F >= 0, 1, -1)
""",
    },
    "q5": {
        "turned": """
def error_and_bound(rounds, X, y):
    steps = range(1, len(rounds) + 1)
    Z = [2 * math.sqrt(step["epsilon"] * (1 - step["epsilon"])) for step in rounds]
    return [np.mean(predict(rounds[:t], X) != y) for t in steps], np.cumprod(Z)
""",
        "alone": """
def error_and_bound(rounds, X, y):
    Z = [2 * math.sqrt(step["epsilon"] * (1 - step["epsilon"])) for step in rounds]
    errors = [np.mean(answers(step, X) != y) for step in rounds]
    return list(zip(errors, np.cumprod(Z)))
""",
        "single": """
def error_and_bound(rounds, X, y):
    pairs = []
    for t in range(1, len(rounds) + 1):
        epsilon = rounds[t - 1]["epsilon"]
        error = np.mean(predict(rounds[:t], X) != y)
        pairs.append((error, 2 * math.sqrt(epsilon * (1 - epsilon))))
    return pairs
""",
        "count": """
def error_and_bound(rounds, X, y):
    pairs, bound = [], 1
    for t in range(1, len(rounds) + 1):
        epsilon = rounds[t - 1]["epsilon"]
        bound *= 2 * math.sqrt(epsilon * (1 - epsilon))
        pairs.append((np.sum(predict(rounds[:t], X) != y), bound))
    return pairs
""",
        "no_two": """
def error_and_bound(rounds, X, y):
    pairs, bound = [], 1
    for t in range(1, len(rounds) + 1):
        epsilon = rounds[t - 1]["epsilon"]
        bound *= math.sqrt(epsilon * (1 - epsilon))
        pairs.append((np.mean(predict(rounds[:t], X) != y), bound))
    return pairs
""",
        "wrong_type": """
def error_and_bound(rounds, X, y):
    Z = [2 * math.sqrt(step["epsilon"] * (1 - step["epsilon"])) for step in rounds]
    return np.mean(predict(rounds, X) != y), np.prod(Z)
""",
    },
    "q6": {
        "from_zero": """
def best_rounds(X, y, X_valid, y_valid, n_rounds):
    rounds = boost(X, y, n_rounds)
    return np.argmin([error for error, _ in error_and_bound(rounds, X_valid, y_valid)])
""",
        "training": """
def best_rounds(X, y, X_valid, y_valid, n_rounds):
    rounds = boost(X, y, n_rounds)
    return np.argmin([error for error, _ in error_and_bound(rounds, X, y)]) + 1
""",
        "alone": """
def best_rounds(X, y, X_valid, y_valid, n_rounds):
    rounds = boost(X, y, n_rounds)
    return np.argmin([np.mean(answers(step, X_valid) != y_valid) for step in rounds]) + 1
""",
        "last_tie": """
def best_rounds(X, y, X_valid, y_valid, n_rounds):
    best, least = 0, 1
    rounds = boost(X, y, n_rounds)
    for t in range(1, len(rounds) + 1):
        error = np.mean(predict(rounds[:t], X_valid) != y_valid)
        if error <= least:
            best, least = t, error
    return best
""",
        "wrong_type": """
def best_rounds(X, y, X_valid, y_valid, n_rounds):
    return min(error_and_bound(boost(X, y, n_rounds), X_valid, y_valid))
""",
    },
}

HARMLESS = {
    "q1": {
        "a loop over lists": """
def weighted_error(w, y, h):
    total = wrong = 0
    for weight, label, answer in zip(w, y, h):
        total += weight
        if label != answer:
            wrong += weight
    return wrong / total
""",
    },
    "q2a": {
        "the inverse hyperbolic tangent of the edge": """
def vote(epsilon):
    return np.arctanh(1 - 2 * epsilon)
""",
    },
    "q2b": {
        "a list and a Python float, by cases": """
def reweight(w, alpha, y, h):
    new = [v * math.exp(-alpha if a == b else alpha) for v, a, b in zip(w, y, h)]
    return [[v / sum(new) for v in new], sum(new)]
""",
    },
    "q3": {
        "all errors at once, first of the least, without a tolerance": """
def best_stump(X, y, w):
    stumps = []
    for column, values in enumerate(X.T):
        values = sorted(set(values.tolist()))
        for low, high in zip(values, values[1:]):
            for left in (1, -1):
                threshold = low + (high - low) / 2
                stumps.append({"column": column, "threshold": threshold, "left": left})
    errors = [np.sum(w[answers(stump, X) != y]) for stump in stumps]
    return stumps[np.argmin(errors)]
""",
    },
    "q4a": {
        "the other way to write it: twice the vote, the wrong ones only": """
def boost(X, y, n_rounds):
    w, rounds = np.ones(len(y)), []
    while len(rounds) < n_rounds:
        stump = best_stump(X, y, w / w.sum())
        wrong = answers(stump, X) != y
        epsilon = weighted_error(w, wrong, np.zeros(len(y)))
        if epsilon > 0.5 - 1e-9:
            return rounds
        full = np.log((1 - epsilon) / epsilon) if epsilon > 0 else 2
        rounds.append({"epsilon": epsilon, "alpha": full / 2} | stump)
        if epsilon == 0:
            return rounds
        w = w * np.exp(full * wrong)
    return rounds
""",
        "weights that do not sum to 1, with an error that divides": """
def boost(X, y, n_rounds):
    F, rounds = np.zeros(len(y)), []
    for _ in range(n_rounds):
        w = np.exp(-y * F)
        stump = best_stump(X, y, w)
        h = answers(stump, X)
        epsilon = weighted_error(w, y, h)
        if epsilon >= 0.5 - 1e-9:
            break
        alpha = vote(epsilon) if epsilon else 1
        rounds.append({**stump, "epsilon": epsilon, "alpha": alpha})
        if not epsilon:
            break
        F = F + alpha * h
    return rounds
""",
    },
    "q4b": {
        "row by row, a list": """
def predict(rounds, X):
    labels = []
    for row in X:
        F = 0
        for step in rounds:
            same = row[step["column"]] <= step["threshold"]
            F += step["alpha"] * (step["left"] if same else -step["left"])
        labels.append(-1 if F < 0 else 1)
    return labels
""",
    },
    "q5": {
        "the exponential loss itself, an array": """
def error_and_bound(rounds, X, y):
    F, pairs = np.zeros(len(y)), []
    for step in rounds:
        F = F + step["alpha"] * answers(step, X)
        pairs.append([np.mean(np.where(F >= 0, 1, -1) != y), np.mean(np.exp(-y * F))])
    return np.array(pairs)
""",
    },
    "q6": {
        "a running sum, np.int64": """
def best_rounds(X, y, X_valid, y_valid, n_rounds):
    F, wrong = np.zeros(len(y_valid)), []
    for step in boost(X, y, n_rounds):
        F += step["alpha"] * answers(step, X_valid)
        wrong.append(np.sum(np.where(F >= 0, 1, -1) != y_valid))
    return np.flatnonzero(wrong == np.min(wrong))[0] + 1
""",
    },
}
