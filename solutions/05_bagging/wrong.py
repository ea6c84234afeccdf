"""Answers to exercise 05 that must fail, and unusual ones that must pass.

Each is the whole text of an answer cell. WRONG has, for each question, the name of the mistake
whose message the answer must get, from the visible and from the hidden checks; HARMLESS says
what is unusual about an answer that is right.
"""

WRONG = {
    "q1": {
        "independent": """
def variance_of_mean(variance, rho, B):
    return variance / B
""",
        "floor": """
def variance_of_mean(variance, rho, B):
    return rho * variance
""",
        "swapped": """
def variance_of_mean(variance, rho, B):
    return (1 - rho) * variance + rho * variance / B
""",
        "unknown": """
def variance_of_mean(variance, rho, B):
    return (B * variance + B**2 * rho * variance) / B**2
""",
        "no_return": """
def variance_of_mean(variance, rho, B):
    print(rho * variance + (1 - rho) * variance / B)
""",
    },
    "q2": {
        "divisor": """
def jackknife(statistic, x):
    N = len(x)
    values = np.array([statistic(np.delete(x, i)) for i in range(N)])
    corrected = N * statistic(x) - (N - 1) * values.mean()
    return {"variance": np.sum((values - values.mean()) ** 2) / (N - 1), "corrected": corrected}
""",
        "no_factor": """
def jackknife(statistic, x):
    N = len(x)
    values = np.array([statistic(np.delete(x, i)) for i in range(N)])
    corrected = N * statistic(x) - (N - 1) * values.mean()
    return {"variance": np.sum((values - values.mean()) ** 2), "corrected": corrected}
""",
        "around_estimate": """
def jackknife(statistic, x):
    N, estimate = len(x), statistic(x)
    values = np.array([statistic(np.delete(x, i)) for i in range(N)])
    variance = (N - 1) / N * np.sum((values - estimate) ** 2)
    return {"variance": variance, "corrected": N * estimate - (N - 1) * values.mean()}
""",
        "mean_of_values": """
def jackknife(statistic, x):
    N = len(x)
    values = np.array([statistic(np.delete(x, i)) for i in range(N)])
    variance = (N - 1) / N * np.sum((values - values.mean()) ** 2)
    return {"variance": variance, "corrected": values.mean()}
""",
        "added": """
def jackknife(statistic, x):
    N = len(x)
    values = np.array([statistic(np.delete(x, i)) for i in range(N)])
    bias = (N - 1) * (values.mean() - statistic(x))
    variance = (N - 1) / N * np.sum((values - values.mean()) ** 2)
    return {"variance": variance, "corrected": statistic(x) + bias}
""",
        "factor": """
def jackknife(statistic, x):
    N = len(x)
    values = np.array([statistic(np.delete(x, i)) for i in range(N)])
    bias = N * (values.mean() - statistic(x))
    variance = (N - 1) / N * np.sum((values - values.mean()) ** 2)
    return {"variance": variance, "corrected": statistic(x) - bias}
""",
        "wrong_type": """
def jackknife(statistic, x):
    N = len(x)
    values = np.array([statistic(np.delete(x, i)) for i in range(N)])
    variance = (N - 1) / N * np.sum((values - values.mean()) ** 2)
    return variance, N * statistic(x) - (N - 1) * values.mean()
""",
        "changed_input": """
def jackknife(statistic, x):
    N, estimate, values = len(x), statistic(x), []
    for i in range(N):
        x[[0, i]] = x[[i, 0]]
        values.append(statistic(x[1:]))
    variance = (N - 1) / N * np.sum((values - np.mean(values)) ** 2)
    return {"variance": variance, "corrected": N * estimate - (N - 1) * np.mean(values)}
""",
    },
    "q3": {
        "divisor": """
def bootstrap_error(statistic, x, rows):
    return np.std([statistic(x[sample]) for sample in rows])
""",
        "variance": """
def bootstrap_error(statistic, x, rows):
    return np.var([statistic(x[sample]) for sample in rows], ddof=1)
""",
        "of_the_mean": """
def bootstrap_error(statistic, x, rows):
    values = np.array([statistic(x[sample]) for sample in rows])
    return values.std(ddof=1) / np.sqrt(len(rows))
""",
        "around_estimate": """
def bootstrap_error(statistic, x, rows):
    values = np.array([statistic(x[sample]) for sample in rows])
    return np.sqrt(np.sum((values - statistic(x)) ** 2) / (len(rows) - 1))
""",
        "textbook": """
def bootstrap_error(statistic, x, rows):
    return np.sqrt(np.sum((x - x.mean()) ** 2) / (len(x) - 1) / len(x))
""",
        "unknown": """
def bootstrap_error(statistic, x, rows):
    return np.std(statistic(x[rows], axis=0), ddof=1)
""",
        "wrong_type": """
def bootstrap_error(statistic, x, rows):
    return [statistic(x[sample]) for sample in rows]
""",
    },
    "q4a": {
        "at_least": """
def vote(labels, classes, more_than):
    winner = max(classes, key=labels.count)
    return winner if labels.count(winner) >= more_than * len(labels) else "reject"
""",
        "never_rejects": """
def vote(labels, classes, more_than):
    return max(classes, key=labels.count)
""",
        "last_tie": """
def vote(labels, classes, more_than):
    winner, most = None, 0
    for c in classes:
        if labels.count(c) >= most:
            winner, most = c, labels.count(c)
    return winner if most > more_than * len(labels) else "reject"
""",
        "alphabetical": """
def vote(labels, classes, more_than):
    names, counts = np.unique(labels, return_counts=True)
    share = counts.max() / len(labels)
    return str(names[counts.argmax()]) if share > more_than else "reject"
""",
        "first_seen": """
def vote(labels, classes, more_than):
    (winner, count), *_ = Counter(labels).most_common()
    return winner if count / len(labels) > more_than else "reject"
""",
        "no_return": """
def vote(labels, classes, more_than):
    winner = max(classes, key=labels.count)
    if labels.count(winner) / len(labels) > more_than:
        return winner
""",
    },
    "q4b": {
        "hard": """
def soft_vote(soft, classes):
    labels = [classes[best] for best in np.argmax(soft, axis=1)]
    return vote(labels, classes, 0)
""",
        "surest": """
def soft_vote(soft, classes):
    return classes[np.argmax(np.max(soft, axis=0))]
""",
        "product": """
def soft_vote(soft, classes):
    return classes[np.argmax(np.prod(soft, axis=0))]
""",
        "last_tie": """
def soft_vote(soft, classes):
    sums = soft.sum(axis=0)
    return [c for c, s in zip(classes, sums) if s == sums.max()][-1]
""",
        "wrong_type": """
def soft_vote(soft, classes):
    return np.argmax(soft.sum(axis=0))
""",
    },
    "q5a": {
        "in_bag": """
def oob_votes(predictions, counts, classes):
    seen = counts > 0
    return np.transpose([np.sum((predictions == c) & seen, axis=0) for c in classes])
""",
        "everyone": """
def oob_votes(predictions, counts, classes):
    return np.transpose([np.sum(predictions == c, axis=0) for c in classes])
""",
        "transposed": """
def oob_votes(predictions, counts, classes):
    return [np.sum((predictions == c) & (counts == 0), axis=0).tolist() for c in classes]
""",
        "unknown": """
def oob_votes(predictions, counts, classes):
    return np.transpose([np.sum((predictions == c) & (counts <= 1), axis=0) for c in classes])
""",
        "wrong_type": """
def oob_votes(predictions, counts, classes):
    return [int(np.sum((predictions == c) & (counts == 0))) for c in classes]
""",
    },
    "q5b": {
        "all_rows": """
def oob_error(predictions, counts, y, classes):
    votes = np.array(oob_votes(predictions, counts, classes))
    winners = np.array(classes)[votes.argmax(axis=1)]
    return np.sum((winners != y) & (votes.sum(axis=1) > 0)) / len(y)
""",
        "silent_first": """
def oob_error(predictions, counts, y, classes):
    votes = np.array(oob_votes(predictions, counts, classes))
    return np.mean(np.array(classes)[votes.argmax(axis=1)] != y)
""",
        "in_bag": """
def oob_error(predictions, counts, y, classes):
    votes = np.array(oob_votes(predictions, counts == 0, classes))
    heard = votes.sum(axis=1) > 0
    return np.mean(np.array(classes)[votes.argmax(axis=1)][heard] != y[heard])
""",
        "everyone": """
def oob_error(predictions, counts, y, classes):
    winners = [vote(column, classes, 0) for column in predictions.T.tolist()]
    return np.mean(np.array(winners) != y)
""",
        "per_tree": """
def oob_error(predictions, counts, y, classes):
    out = counts == 0
    return np.mean([np.mean(h[o] != y[o]) for h, o in zip(predictions, out)])
""",
        "last_tie": """
def oob_error(predictions, counts, y, classes):
    classes = classes[::-1]
    votes = np.array(oob_votes(predictions, counts, classes))
    heard = votes.sum(axis=1) > 0
    return np.mean(np.array(classes)[votes.argmax(axis=1)][heard] != y[heard])
""",
        "unknown": """
def oob_error(predictions, counts, y, classes):
    votes = np.array(oob_votes(predictions, counts, classes))
    heard = votes.sum(axis=1) > 0
    return np.mean(np.array(classes)[votes.argmax(axis=1)][heard] == y[heard])
""",
    },
    "q6a": {
        "each_tree": """
def oob_curve(predictions, counts, y, classes):
    T = len(predictions)
    return [oob_error(predictions[[t]], counts[[t]], y, classes) for t in range(T)]
""",
        "one_short": """
def oob_curve(predictions, counts, y, classes):
    T = len(predictions)
    return [oob_error(predictions[:t], counts[:t], y, classes) for t in range(1, T)]
""",
        "no_trees": """
def oob_curve(predictions, counts, y, classes):
    T = len(predictions)
    return [oob_error(predictions[:t], counts[:t], y, classes) for t in range(T)]
""",
        "wrong_type": """
def oob_curve(predictions, counts, y, classes):
    for t in range(1, len(predictions) + 1):
        error = oob_error(predictions[:t], counts[:t], y, classes)
    return error
""",
        "unknown": """
def oob_curve(predictions, counts, y, classes):
    T = len(predictions)
    alone = [oob_error(predictions[[t]], counts[[t]], y, classes) for t in range(T)]
    return np.cumsum(alone) / np.arange(1, T + 1)
""",
    },
    "q6b": {
        "first_time": """
def trees_needed(curve, within):
    for t, error in enumerate(curve, start=1):
        if abs(error - curve[-1]) <= within:
            return t
""",
        "from_zero": """
def trees_needed(curve, within):
    for t in range(len(curve)):
        if all(abs(error - curve[-1]) <= within for error in curve[t:]):
            return t
""",
        "one_sided": """
def trees_needed(curve, within):
    for t in range(len(curve)):
        if max(curve[t:]) <= curve[-1] + within:
            return t + 1
""",
        "strict": """
def trees_needed(curve, within):
    for t in range(len(curve)):
        if all(abs(error - curve[-1]) < within for error in curve[t:]):
            return t + 1
""",
        "no_return": """
def trees_needed(curve, within):
    far = [t for t, error in enumerate(curve) if abs(error - curve[-1]) > within]
""",
    },
}

HARMLESS = {
    "q1": {
        "all pairs, a sum of covariances": """
def variance_of_mean(variance, rho, B):
    pairs = np.full((B, B), rho * variance)
    np.fill_diagonal(pairs, variance)
    return pairs.mean()
""",
    },
    "q2": {
        "a loop, a mask, keys in another order": """
def jackknife(statistic, x):
    values = []
    for i in range(len(x)):
        keep = np.arange(len(x)) != i
        values.append(statistic(x[keep]))
    bias = (len(x) - 1) * (np.mean(values) - statistic(x))
    return {"corrected": statistic(x) - bias, "variance": (len(x) - 1) * np.var(values)}
""",
        "pseudovalues": """
def jackknife(statistic, x):
    N = len(x)
    pseudo = [N * statistic(x) - (N - 1) * statistic(np.delete(x, i)) for i in range(N)]
    return {"variance": np.var(pseudo, ddof=1) / N, "corrected": sum(pseudo) / N}
""",
    },
    "q3": {
        "all samples at once": """
def bootstrap_error(statistic, x, rows):
    return statistic(x[rows], axis=1).std(ddof=1)
""",
        "the standard library": """
def bootstrap_error(statistic, x, rows):
    import statistics

    return statistics.stdev(float(statistic(x[sample])) for sample in rows)
""",
    },
    "q4a": {
        "an array of counts": """
def vote(labels, classes, more_than):
    votes = np.sum(np.array(labels)[:, None] == np.array(classes), axis=0)
    winner = np.argmax(votes)
    return "reject" if votes[winner] <= more_than * len(labels) else np.array(classes)[winner]
""",
    },
    "q4b": {
        "means instead of sums, pandas": """
def soft_vote(soft, classes):
    return pd.DataFrame(soft, columns=classes).mean().idxmax()
""",
    },
    "q5a": {
        "loops and lists": """
def oob_votes(predictions, counts, classes):
    T, N = predictions.shape
    votes = [[0] * len(classes) for _ in range(N)]
    for t in range(T):
        for i in range(N):
            if counts[t, i] == 0:
                votes[i][classes.index(predictions[t, i])] += 1
    return votes
""",
        "an array of floats": """
def oob_votes(predictions, counts, classes):
    out = np.where(counts > 0, "", predictions)
    return np.stack([(out == c).sum(axis=0) for c in classes], axis=1) * 1.0
""",
    },
    "q5b": {
        "row by row with the vote": """
def oob_error(predictions, counts, y, classes):
    wrong = []
    for i in range(len(y)):
        labels = predictions[counts[:, i] == 0, i].tolist()
        if labels:
            wrong.append(vote(labels, classes, 0) != y[i])
    return sum(wrong) / len(wrong)
""",
    },
    "q6a": {
        "an array, filled in a loop": """
def oob_curve(predictions, counts, y, classes):
    curve = np.zeros(len(predictions))
    for t in range(len(curve)):
        curve[t] = oob_error(predictions[: t + 1], counts[: t + 1], y, classes)
    return curve
""",
    },
    "q6b": {
        "from the end": """
def trees_needed(curve, within):
    t = len(curve)
    while t > 1 and abs(curve[t - 2] - curve[-1]) <= within:
        t -= 1
    return t
""",
        "NumPy": """
def trees_needed(curve, within):
    far = np.flatnonzero(np.abs(np.array(curve) - curve[-1]) > within)
    return far[-1] + 2 if len(far) else 1
""",
    },
}
