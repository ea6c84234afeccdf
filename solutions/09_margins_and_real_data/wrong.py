"""Answers to exercise 09 that must fail, and unusual ones that must pass.

Each is the whole text of an answer cell. WRONG has, for each question, the name of the mistake
whose message the answer must get, from the visible and from the hidden checks; HARMLESS says
what is unusual about an answer that is right.
"""

WRONG = {
    "q1": {
        "unnormalized": """
def normalized_margins(alphas, answers, y):
    return y * (alphas @ answers)
""",
        "per_learner": """
def normalized_margins(alphas, answers, y):
    return y * np.mean(alphas[:, None] * answers, axis=0)
""",
        "unweighted": """
def normalized_margins(alphas, answers, y):
    return np.mean(answers == y, axis=0) - np.mean(answers != y, axis=0)
""",
        "euclidean": """
def normalized_margins(alphas, answers, y):
    return y * (alphas @ answers) / np.linalg.norm(alphas)
""",
        "no_label": """
def normalized_margins(alphas, answers, y):
    return alphas / alphas.sum() @ answers
""",
        "unknown": """
def normalized_margins(alphas, answers, y):
    right = answers == y
    return [alphas[right[:, i]].sum() / alphas.sum() for i in range(len(y))]
""",
        "wrong_type": """
def normalized_margins(alphas, answers, y):
    return min(y * (alphas @ answers) / alphas.sum())
""",
        "changed_input": """
def normalized_margins(alphas, answers, y):
    answers *= y
    return alphas @ answers / alphas.sum()
""",
    },
    "q2": {
        "strict": """
def share_up_to(margins, theta):
    return np.mean(margins < theta)
""",
        "count": """
def share_up_to(margins, theta):
    return np.count_nonzero(margins <= theta)
""",
        "above": """
def share_up_to(margins, theta):
    return 1 - np.mean(margins <= theta)
""",
        "absolute": """
def share_up_to(margins, theta):
    return np.mean(np.abs(margins) <= theta)
""",
        "wrong_type": """
def share_up_to(margins, theta):
    return margins <= theta
""",
    },
    "q3a": {
        "no_root": """
def theorem_2(epsilons, theta):
    return np.prod(2 * epsilons ** (1 - theta) * (1 - epsilons) ** (1 + theta))
""",
        "one_two": """
def theorem_2(epsilons, theta):
    return 2 * np.prod(np.sqrt(epsilons ** (1 - theta) * (1 - epsilons) ** (1 + theta)))
""",
        "swapped": """
def theorem_2(epsilons, theta):
    return np.prod(2 * np.sqrt(epsilons ** (1 + theta) * (1 - epsilons) ** (1 - theta)))
""",
        "ignores_theta": """
def theorem_2(epsilons, theta):
    return np.prod(2 * np.sqrt(epsilons * (1 - epsilons)))
""",
        "summed": """
def theorem_2(epsilons, theta):
    return np.sum(2 * np.sqrt(epsilons ** (1 - theta) * (1 - epsilons) ** (1 + theta)))
""",
        "unknown": """
def theorem_2(epsilons, theta):
    return np.prod(np.sqrt(epsilons ** (1 - theta) * (1 - epsilons) ** (1 + theta)))
""",
        "wrong_type": """
def theorem_2(epsilons, theta):
    return np.cumprod(2 * np.sqrt(epsilons ** (1 - theta) * (1 - epsilons) ** (1 + theta)))
""",
    },
    "q3b": {
        "from_zero": """
def rounds_needed(epsilons, N):
    for t in range(len(epsilons)):
        if theorem_2(epsilons[: t + 1], 0) < 1 / N:
            return t
    return 0
""",
        "not_one_over_n": """
def rounds_needed(epsilons, N):
    for t in range(1, len(epsilons) + 1):
        if theorem_2(epsilons[:t], 0) < 1:
            return t
    return 0
""",
        "no_root": """
def rounds_needed(epsilons, N):
    bound = 1
    for t, epsilon in enumerate(epsilons, start=1):
        bound *= 4 * epsilon * (1 - epsilon)
        if bound < 1 / N:
            return t
    return 0
""",
        "never_is_one": """
def rounds_needed(epsilons, N):
    bounds = np.cumprod(2 * np.sqrt(epsilons * (1 - epsilons)))
    return np.argmax(bounds < 1 / N) + 1
""",
        "never_is_last": """
def rounds_needed(epsilons, N):
    for t in range(1, len(epsilons)):
        if theorem_2(epsilons[:t], 0) < 1 / N:
            return t
    return len(epsilons)
""",
        "unknown": """
def rounds_needed(epsilons, N):
    gamma = 1 - 2 * max(epsilons)
    for t in range(1, len(epsilons) + 1):
        if np.exp(-t * gamma**2 / 2) < 1 / N:
            return t
    return 0
""",
        "no_return": """
def rounds_needed(epsilons, N):
    for t in range(1, len(epsilons) + 1):
        if theorem_2(epsilons[:t], 0) < 1 / N:
            return None
""",
    },
    "q4a": {
        "outside": """
def margin_bound(share, theta, N, d, delta):
    root = np.sqrt(d * np.log(N / d) ** 2 / (theta**2 * N))
    return share + root + np.log(1 / delta) / N
""",
        "log_once": """
def margin_bound(share, theta, N, d, delta):
    return share + np.sqrt((d * np.log(N / d) / theta**2 + np.log(1 / delta)) / N)
""",
        "theta_once": """
def margin_bound(share, theta, N, d, delta):
    return share + np.sqrt((d * np.log(N / d) ** 2 / theta + np.log(1 / delta)) / N)
""",
        "base": """
def margin_bound(share, theta, N, d, delta):
    return share + np.sqrt((d * np.log2(N / d) ** 2 / theta**2 + np.log2(1 / delta)) / N)
""",
        "unknown": """
def margin_bound(share, theta, N, d, delta):
    return share + np.sqrt(d * np.log(N / d) ** 2 / theta**2 + np.log(1 / delta)) / N
""",
        "no_return": """
def margin_bound(share, theta, N, d, delta):
    root = np.sqrt((d * np.log(N / d) ** 2 / theta**2 + np.log(1 / delta)) / N)
    print(share + root)
""",
    },
    "q4b": {
        "no_two": """
def vc_risk_bound(training_error, T, N, d, delta):
    D = 2 * (d + 1) * (T + 1) * np.log2(np.e * (T + 1))
    return training_error + np.sqrt((D * (np.log(2 * N / D) + 1) + np.log(9 / delta)) / N)
""",
        "natural": """
def vc_risk_bound(training_error, T, N, d, delta):
    D = 2 * (d + 1) * (T + 1) * np.log(np.e * (T + 1))
    return training_error + 2 * np.sqrt((D * (np.log(2 * N / D) + 1) + np.log(9 / delta)) / N)
""",
        "rounds": """
def vc_risk_bound(training_error, T, N, d, delta):
    D = 2 * (d + 1) * T * np.log2(np.e * T)
    return training_error + 2 * np.sqrt((D * (np.log(2 * N / D) + 1) + np.log(9 / delta)) / N)
""",
        "no_one": """
def vc_risk_bound(training_error, T, N, d, delta):
    D = 2 * (d + 1) * (T + 1) * np.log2(np.e * (T + 1))
    return training_error + 2 * np.sqrt((D * np.log(2 * N / D) + np.log(9 / delta)) / N)
""",
        "one_learner": """
def vc_risk_bound(training_error, T, N, d, delta):
    return training_error + 2 * np.sqrt((d * (np.log(2 * N / d) + 1) + np.log(9 / delta)) / N)
""",
        "unknown": """
def vc_risk_bound(training_error, T, N, d, delta):
    D = 2 * (d + 1) * (T + 1) * np.log2(np.e * (T + 1))
    return training_error + 2 * np.sqrt((D * (np.log(N / D) + 1) + np.log(9 / delta)) / N)
""",
    },
    "q6a": {
        "reversed": """
def mean_ranks(table):
    return pd.DataFrame(table).rank(axis=1, ascending=False).mean().tolist()
""",
        "down": """
def mean_ranks(table):
    return pd.DataFrame(table).rank().mean().tolist()
""",
        "in_order": """
def mean_ranks(table):
    order = np.argsort(table, axis=1, kind="stable")
    return np.mean(np.argsort(order, axis=1) + 1, axis=0)
""",
        "lowest": """
def mean_ranks(table):
    return [np.mean([1 + sum(row < row[j]) for row in table]) for j in range(table.shape[1])]
""",
        "unknown": """
def mean_ranks(table):
    return pd.DataFrame(table).rank(axis=1, method="dense").mean().tolist()
""",
        "wrong_type": """
def mean_ranks(table):
    return pd.DataFrame(table).rank(axis=1).to_numpy()
""",
    },
    "q6b": {
        "overall": """
def mean_percent(table):
    return np.mean(100 * (table / table.min() - 1), axis=0)
""",
        "points": """
def mean_percent(table):
    return np.mean(table - table.min(axis=1)[:, None], axis=0)
""",
        "ratio": """
def mean_percent(table):
    return 100 * np.mean(table / table.min(axis=1)[:, None], axis=0)
""",
        "of_means": """
def mean_percent(table):
    return 100 * (table.mean(axis=0) / table.min(axis=1).mean() - 1)
""",
        "unknown": """
def mean_percent(table):
    return np.mean(table / table.min(axis=1)[:, None] - 1, axis=0)
""",
        "wrong_type": """
def mean_percent(table):
    return 100 * np.mean(table / table.min(axis=1)[:, None] - 1)
""",
    },
    "q7a": {
        "deviation": """
def paired(errors_a, errors_b):
    gap = errors_a - errors_b
    return {"mean": gap.mean(), "standard_error": gap.std(ddof=1)}
""",
        "unpaired": """
def paired(errors_a, errors_b):
    n = len(errors_a)
    variance = errors_a.var(ddof=1) / n + errors_b.var(ddof=1) / n
    return {"mean": errors_a.mean() - errors_b.mean(), "standard_error": np.sqrt(variance)}
""",
        "divisor": """
def paired(errors_a, errors_b):
    gap = errors_a - errors_b
    return {"mean": gap.mean(), "standard_error": gap.std() / np.sqrt(len(gap))}
""",
        "reversed": """
def paired(errors_a, errors_b):
    gap = errors_b - errors_a
    return {"mean": gap.mean(), "standard_error": gap.std(ddof=1) / np.sqrt(len(gap))}
""",
        "absolute": """
def paired(errors_a, errors_b):
    gap = np.abs(errors_a - errors_b)
    return {"mean": gap.mean(), "standard_error": gap.std(ddof=1) / np.sqrt(len(gap))}
""",
        "unknown": """
def paired(errors_a, errors_b):
    gap = errors_a - errors_b
    return {"mean": gap.mean(), "standard_error": gap.std(ddof=1) / len(gap)}
""",
        "wrong_type": """
def paired(errors_a, errors_b):
    gap = errors_a - errors_b
    return gap.mean(), gap.std(ddof=1) / np.sqrt(len(gap))
""",
    },
    "q7b": {
        "no_doubt": """
def decision(errors_a, errors_b):
    mean = paired(errors_a, errors_b)["mean"]
    return "a" if mean < 0 else "b" if mean > 0 else "open"
""",
        "larger_wins": """
def decision(errors_a, errors_b):
    mean, error = paired(errors_a, errors_b).values()
    if abs(mean) <= 2 * error:
        return "open"
    return "a" if mean > 0 else "b"
""",
        "one_error": """
def decision(errors_a, errors_b):
    mean, error = paired(errors_a, errors_b).values()
    return "a" if mean < -error else "b" if mean > error else "open"
""",
        "deviation": """
def decision(errors_a, errors_b):
    gap = errors_a - errors_b
    if abs(gap.mean()) <= 2 * gap.std(ddof=1):
        return "open"
    return "a" if gap.mean() < 0 else "b"
""",
        "unpaired": """
def decision(errors_a, errors_b):
    mean, n = errors_a.mean() - errors_b.mean(), len(errors_a)
    error = np.sqrt(errors_a.var(ddof=1) / n + errors_b.var(ddof=1) / n)
    return "a" if mean < -2 * error else "b" if mean > 2 * error else "open"
""",
        "at_least": """
def decision(errors_a, errors_b):
    mean, error = paired(errors_a, errors_b).values()
    return "a" if mean <= -2 * error else "b" if mean >= 2 * error else "open"
""",
        "wrong_type": """
def decision(errors_a, errors_b):
    mean, error = paired(errors_a, errors_b).values()
    return abs(mean) > 2 * error
""",
    },
}

HARMLESS = {
    "q1": {
        "shares of right and wrong votes, in loops": """
def normalized_margins(alphas, answers, y):
    margins, total = [], sum(alphas)
    for i in range(len(y)):
        right = sum(a for a, h in zip(alphas, answers[:, i]) if h == y[i])
        margins.append((right - (total - right)) / total)
    return margins
""",
    },
    "q2": {
        "counts by hand": """
def share_up_to(margins, theta):
    return len([m for m in margins if not m > theta]) / len(margins)
""",
    },
    "q3a": {
        "from the votes, exp(theta sum alpha) times the product of the Z": """
def theorem_2(epsilons, theta):
    alphas = np.log((1 - epsilons) / epsilons) / 2
    return np.exp(theta * alphas.sum()) * np.prod(2 * np.sqrt(epsilons * (1 - epsilons)))
""",
        "a sum of logarithms": """
def theorem_2(epsilons, theta):
    logs = (1 - theta) * np.log(epsilons) + (1 + theta) * np.log(1 - epsilons)
    return np.exp(len(epsilons) * np.log(2) + logs.sum() / 2)
""",
    },
    "q3b": {
        "all bounds at once": """
def rounds_needed(epsilons, N):
    below = np.cumprod(2 * np.sqrt(epsilons * (1 - epsilons))) * N < 1
    return int(below.argmax()) + 1 if below.any() else 0
""",
    },
    "q4a": {
        "two quotients under the root": """
def margin_bound(share, theta, N, d, delta):
    first, second = d * (np.log(N) - np.log(d)) ** 2 / theta**2 / N, -np.log(delta) / N
    return (first + second) ** 0.5 + share
""",
    },
    "q4b": {
        "the logarithm taken apart": """
def vc_risk_bound(training_error, T, N, d, delta):
    D = (2 * d + 2) * (T + 1) * (np.log(T + 1) + 1) / np.log(2)
    inside = D * np.log(2 * np.e * N / D) + np.log(9) - np.log(delta)
    return training_error + np.sqrt(4 * inside / N)
""",
    },
    "q6a": {
        "ranks from pandas": """
def mean_ranks(table):
    return pd.DataFrame(table).rank(axis=1).mean().to_numpy()
""",
        "places counted one by one": """
def mean_ranks(table):
    ranks = []
    for row in table.tolist():
        places = {error: [] for error in row}
        for place, error in enumerate(sorted(row), start=1):
            places[error].append(place)
        ranks.append([sum(places[error]) / len(places[error]) for error in row])
    return [sum(column) / len(column) for column in zip(*ranks)]
""",
    },
    "q6b": {
        "row by row": """
def mean_percent(table):
    rows = [[100 * (error - min(row)) / min(row) for error in row] for row in table]
    return [sum(column) / len(rows) for column in zip(*rows)]
""",
    },
    "q7a": {
        "the formula written out": """
def paired(errors_a, errors_b):
    n = len(errors_a)
    gap = [float(a - b) for a, b in zip(errors_a, errors_b)]
    mean = sum(gap) / n
    variance = sum((d - mean) ** 2 for d in gap) / (n - 1)
    return {"standard_error": (variance / n) ** 0.5, "mean": mean}
""",
    },
    "q7b": {
        "one side after the other": """
def decision(errors_a, errors_b):
    for name, one, other in (("a", errors_a, errors_b), ("b", errors_b, errors_a)):
        gap = paired(other, one)
        if gap["mean"] > 2 * gap["standard_error"]:
            return name
    return "open"
""",
    },
}
