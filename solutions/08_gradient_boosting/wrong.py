"""Answers to exercise 08 that must fail, and unusual ones that must pass.

Each is the whole text of an answer cell. WRONG has, for each question, the name of the mistake
whose message the answer must get, from the visible and from the hidden checks; HARMLESS says
what is unusual about an answer that is right.
"""

WRONG = {
    "q1": {
        "mean_for_absolute": """
def initial(y, loss):
    return np.log(np.mean(y)) if loss == "poisson" else np.mean(y)
""",
        "upper_median": """
def initial(y, loss):
    if loss == "absolute":
        return sorted(y)[len(y) // 2]
    return np.mean(y) if loss == "squared" else np.log(np.mean(y))
""",
        "no_log": """
def initial(y, loss):
    return np.median(y) if loss == "absolute" else np.mean(y)
""",
        "mean_of_logs": """
def initial(y, loss):
    if loss == "poisson":
        return np.mean(np.log(y))
    return np.mean(y) if loss == "squared" else np.median(y)
""",
        "other_base": """
def initial(y, loss):
    if loss == "poisson":
        return np.log2(np.mean(y))
    return np.mean(y) if loss == "squared" else np.median(y)
""",
        "wrong_type": """
def initial(y, loss):
    F0 = {"squared": np.mean(y), "absolute": np.median(y), "poisson": np.log(np.mean(y))}
    return np.full(len(y), F0[loss])
""",
    },
    "q2": {
        "uphill": """
def pseudo_residuals(y, F, loss):
    if loss == "squared":
        return F - y
    return np.sign(F - y) if loss == "absolute" else np.exp(F) - y
""",
        "residual": """
def pseudo_residuals(y, F, loss):
    return y - F
""",
        "not_sign": """
def pseudo_residuals(y, F, loss):
    return y - np.exp(F) if loss == "poisson" else y - F
""",
        "no_zero": """
def pseudo_residuals(y, F, loss):
    if loss == "absolute":
        return [1 if y_i > F_i else -1 for y_i, F_i in zip(y, F)]
    return y - F if loss == "squared" else y - np.exp(F)
""",
        "no_exp": """
def pseudo_residuals(y, F, loss):
    return np.sign(y - F) if loss == "absolute" else y - F
""",
        "log_scale": """
def pseudo_residuals(y, F, loss):
    if loss == "poisson":
        return np.log(y) - F
    return np.sign(y - F) if loss == "absolute" else y - F
""",
        "no_return": """
def pseudo_residuals(y, F, loss):
    {"squared": y - F, "absolute": np.sign(y - F), "poisson": y - np.exp(F)}[loss]
""",
        "wrong_type": """
def pseudo_residuals(y, F, loss):
    tilde = {"squared": y - F, "absolute": np.sign(y - F), "poisson": y - np.exp(F)}[loss]
    return np.sum(tilde)
""",
    },
    "q3": {
        "tree_values": """
def leaf_steps(y, F, leaf, loss):
    tilde = pseudo_residuals(y, F, loss)
    return [tilde[leaf == j].mean() for j in range(leaf.max() + 1)]
""",
        "one_step": """
def leaf_steps(y, F, leaf, loss):
    if loss == "poisson":
        step = np.log(y.sum() / np.exp(F).sum())
    else:
        step = np.mean(y - F) if loss == "squared" else np.median(y - F)
    return np.full(leaf.max() + 1, step)
""",
        "ignores_F": """
def leaf_steps(y, F, leaf, loss):
    return [initial(y[leaf == j], loss) for j in np.unique(leaf)]
""",
        "mean_for_absolute": """
def leaf_steps(y, F, leaf, loss):
    steps = []
    for j in np.unique(leaf):
        inside = leaf == j
        if loss == "poisson":
            steps.append(np.log(y[inside].sum() / np.exp(F[inside]).sum()))
        else:
            steps.append((y - F)[inside].mean())
    return steps
""",
        "mean_of_logs": """
def leaf_steps(y, F, leaf, loss):
    if loss == "poisson":
        return [np.mean(np.log(y[leaf == j]) - F[leaf == j]) for j in np.unique(leaf)]
    middle = np.mean if loss == "squared" else np.median
    return [middle((y - F)[leaf == j]) for j in np.unique(leaf)]
""",
        "newton": """
def leaf_steps(y, F, leaf, loss):
    if loss == "poisson":
        count = np.exp(F)
        return np.bincount(leaf, y - count) / np.bincount(leaf, count)
    middle = np.mean if loss == "squared" else np.median
    return [middle((y - F)[leaf == j]) for j in np.unique(leaf)]
""",
        "wrong_type": """
def leaf_steps(y, F, leaf, loss):
    middle = np.mean if loss == "squared" else np.median
    return {j: middle((y - F)[leaf == j]) for j in range(leaf.max() + 1)}
""",
    },
    "q4": {
        "at_value": """
def fit_stump(X, target):
    best, most = None, -1
    for column in range(X.shape[1]):
        for threshold in np.unique(X[:, column])[:-1]:
            left = X[:, column] <= threshold
            score = sum(s.sum() ** 2 / len(s) for s in (target[left], target[~left]))
            if score > most:
                best, most = (column, threshold), score
    return best
""",
        "last_tie": """
def fit_stump(X, target):
    best, most = None, -1
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            left = X[:, column] <= threshold
            score = sum(s.sum() ** 2 / len(s) for s in (target[left], target[~left]))
            if score >= most:
                best, most = (column, threshold), score
    return best
""",
        "unweighted": """
def fit_stump(X, target):
    best, least = None, np.inf
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            left = X[:, column] <= threshold
            score = target[left].var() + target[~left].var()
            if score < least - 1e-12:
                best, least = (column, threshold), score
    return best
""",
        "most_different": """
def fit_stump(X, target):
    best, most = None, -1
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            left = X[:, column] <= threshold
            score = abs(target[left].mean() - target[~left].mean())
            if score > most + 1e-12:
                best, most = (column, threshold), score
    return best
""",
        "worst": """
def fit_stump(X, target):
    best, least = None, np.inf
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            left = X[:, column] <= threshold
            score = sum(s.sum() ** 2 / len(s) for s in (target[left], target[~left]))
            if score < least - 1e-12:
                best, least = (column, threshold), score
    return best
""",
        "reversed": """
def fit_stump(X, target):
    best, most = None, -1
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            left = X[:, column] <= threshold
            score = sum(s.sum() ** 2 / len(s) for s in (target[left], target[~left]))
            if score > most:
                best, most = (threshold, column), score
    return best
""",
        "wrong_type": """
def fit_stump(X, target):
    values = np.unique(X[:, 0])
    return 0, (values[0] + values[-1]) / 2, target.mean()
""",
    },
    "q5": {
        "no_row_0": """
def boost(X, y, X_new, loss, M, nu):
    F = np.full(len(y), initial(y, loss))
    F_new = np.full(len(X_new), initial(y, loss))
    stages = []
    for m in range(M):
        column, threshold = fit_stump(X, pseudo_residuals(y, F, loss))
        leaf = (X[:, column] > threshold).astype(int)
        gamma = leaf_steps(y, F, leaf, loss)
        F = F + nu * gamma[leaf]
        F_new = F_new + nu * gamma[(X_new[:, column] > threshold).astype(int)]
        stages.append(F_new)
    return stages
""",
        "no_initial": """
def boost(X, y, X_new, loss, M, nu):
    F, stages = np.full(len(y), initial(y, loss)), [np.zeros(len(X_new))]
    for m in range(M):
        column, threshold = fit_stump(X, pseudo_residuals(y, F, loss))
        leaf = (X[:, column] > threshold).astype(int)
        gamma = leaf_steps(y, F, leaf, loss)
        F = F + nu * gamma[leaf]
        stages.append(stages[-1] + nu * gamma[(X_new[:, column] > threshold).astype(int)])
    return stages
""",
        "no_nu": """
def boost(X, y, X_new, loss, M, nu):
    F = np.full(len(y), initial(y, loss))
    stages = [np.full(len(X_new), initial(y, loss))]
    for m in range(M):
        column, threshold = fit_stump(X, pseudo_residuals(y, F, loss))
        leaf = (X[:, column] > threshold).astype(int)
        gamma = leaf_steps(y, F, leaf, loss)
        F = F + nu * gamma[leaf]
        stages.append(stages[-1] + gamma[(X_new[:, column] > threshold).astype(int)])
    return np.array(stages)
""",
        "nu_ignored": """
def boost(X, y, X_new, loss, M, nu):
    F = np.full(len(y), initial(y, loss))
    stages = [np.full(len(X_new), initial(y, loss))]
    for m in range(M):
        column, threshold = fit_stump(X, pseudo_residuals(y, F, loss))
        leaf = (X[:, column] > threshold).astype(int)
        gamma = leaf_steps(y, F, leaf, loss)
        F = F + gamma[leaf]
        stages.append(stages[-1] + gamma[(X_new[:, column] > threshold).astype(int)])
    return np.array(stages)
""",
        "tree_residual": """
def boost(X, y, X_new, loss, M, nu):
    F = np.full(len(y), initial(y, loss))
    stages = [np.full(len(X_new), initial(y, loss))]
    for m in range(M):
        column, threshold = fit_stump(X, pseudo_residuals(y, F, loss))
        leaf = (X[:, column] > threshold).astype(int)
        gamma = leaf_steps(y, F, leaf, loss)
        F = F + gamma[leaf]
        stages.append(stages[-1] + nu * gamma[(X_new[:, column] > threshold).astype(int)])
    return np.array(stages)
""",
        "frozen": """
def boost(X, y, X_new, loss, M, nu):
    F = np.full(len(y), initial(y, loss))
    stages = [np.full(len(X_new), initial(y, loss))]
    for m in range(M):
        column, threshold = fit_stump(X, pseudo_residuals(y, F, loss))
        leaf = (X[:, column] > threshold).astype(int)
        gamma = leaf_steps(y, F, leaf, loss)
        stages.append(stages[-1] + nu * gamma[(X_new[:, column] > threshold).astype(int)])
    return np.array(stages)
""",
        "tree_values": """
def boost(X, y, X_new, loss, M, nu):
    F = np.full(len(y), initial(y, loss))
    stages = [np.full(len(X_new), initial(y, loss))]
    for m in range(M):
        target = pseudo_residuals(y, F, loss)
        column, threshold = fit_stump(X, target)
        leaf = (X[:, column] > threshold).astype(int)
        values = np.array([target[leaf == 0].mean(), target[leaf == 1].mean()])
        F = F + nu * values[leaf]
        stages.append(stages[-1] + nu * values[(X_new[:, column] > threshold).astype(int)])
    return np.array(stages)
""",
        "strict": """
def boost(X, y, X_new, loss, M, nu):
    F = np.full(len(y), initial(y, loss))
    stages = [np.full(len(X_new), initial(y, loss))]
    for m in range(M):
        column, threshold = fit_stump(X, pseudo_residuals(y, F, loss))
        leaf = (X[:, column] >= threshold).astype(int)
        gamma = leaf_steps(y, F, leaf, loss)
        F = F + nu * gamma[leaf]
        stages.append(stages[-1] + nu * gamma[(X_new[:, column] >= threshold).astype(int)])
    return np.array(stages)
""",
        "counts": """
def boost(X, y, X_new, loss, M, nu):
    F = np.full(len(y), initial(y, loss))
    stages = [np.full(len(X_new), initial(y, loss))]
    for m in range(M):
        column, threshold = fit_stump(X, pseudo_residuals(y, F, loss))
        leaf = (X[:, column] > threshold).astype(int)
        gamma = leaf_steps(y, F, leaf, loss)
        F = F + nu * gamma[leaf]
        stages.append(stages[-1] + nu * gamma[(X_new[:, column] > threshold).astype(int)])
    return np.exp(stages) if loss == "poisson" else np.array(stages)
""",
        "wrong_type": """
def boost(X, y, X_new, loss, M, nu):
    F = np.full(len(y), initial(y, loss))
    F_new = np.full(len(X_new), initial(y, loss))
    for m in range(M):
        column, threshold = fit_stump(X, pseudo_residuals(y, F, loss))
        leaf = (X[:, column] > threshold).astype(int)
        gamma = leaf_steps(y, F, leaf, loss)
        F = F + nu * gamma[leaf]
        F_new = F_new + nu * gamma[(X_new[:, column] > threshold).astype(int)]
    return F_new
""",
    },
    "q6": {
        "no_patience": """
def stopping_round(curve, patience):
    return np.argmin(curve)
""",
        "stopped_at": """
def stopping_round(curve, patience):
    lowest, waited = curve[0], 0
    for m in range(1, len(curve)):
        waited = 0 if curve[m] < lowest else waited + 1
        lowest = min(lowest, curve[m])
        if waited == patience:
            break
    return m
""",
        "too_patient": """
def stopping_round(curve, patience):
    best, waited = 0, 0
    for m in range(1, len(curve)):
        if curve[m] < curve[best]:
            best, waited = m, 0
        else:
            waited += 1
        if waited > patience:
            break
    return best
""",
        "hasty": """
def stopping_round(curve, patience):
    best, waited = 0, 1
    for m in range(1, len(curve)):
        if curve[m] < curve[best]:
            best, waited = m, 1
        else:
            waited += 1
            if waited >= patience:
                break
    return best
""",
        "previous": """
def stopping_round(curve, patience):
    best, waited = 0, 0
    for m in range(1, len(curve)):
        if curve[m] < curve[m - 1]:
            best, waited = m, 0
        else:
            waited += 1
        if waited == patience:
            break
    return best
""",
        "last_tie": """
def stopping_round(curve, patience):
    best, waited = 0, 0
    for m in range(1, len(curve)):
        if curve[m] <= curve[best]:
            best, waited = m, 0
        else:
            waited += 1
        if waited == patience:
            break
    return best
""",
        "from_one": """
def stopping_round(curve, patience):
    best, lowest, waited = 0, np.inf, 0
    for m, loss in enumerate(curve, start=1):
        if loss < lowest:
            best, lowest, waited = m, loss, 0
        else:
            waited += 1
        if waited == patience:
            break
    return best
""",
    },
    "q7": {
        "on_training": """
def tune(X, y, X_valid, y_valid, loss, rates, M, patience):
    found = []
    for nu in rates:
        curve = [mean_loss(y, F, loss) for F in boost(X, y, X, loss, M, nu)]
        m = stopping_round(curve, patience)
        found.append((curve[m], nu, m))
    return min(found, key=lambda each: each[0])[1:]
""",
        "last_round": """
def tune(X, y, X_valid, y_valid, loss, rates, M, patience):
    last = [mean_loss(y_valid, boost(X, y, X_valid, loss, M, nu)[-1], loss) for nu in rates]
    return rates[np.argmin(last)], M
""",
        "no_patience": """
def tune(X, y, X_valid, y_valid, loss, rates, M, patience):
    found = []
    for nu in rates:
        curve = [mean_loss(y_valid, F, loss) for F in boost(X, y, X_valid, loss, M, nu)]
        found.append((min(curve), nu, np.argmin(curve)))
    return min(found, key=lambda each: each[0])[1:]
""",
        "squared": """
def tune(X, y, X_valid, y_valid, loss, rates, M, patience):
    found = []
    for nu in rates:
        curve = [np.mean((y_valid - F) ** 2) for F in boost(X, y, X_valid, loss, M, nu)]
        m = stopping_round(curve, patience)
        found.append((curve[m], nu, m))
    return min(found, key=lambda each: each[0])[1:]
""",
        "wrong_type": """
def tune(X, y, X_valid, y_valid, loss, rates, M, patience):
    found = {}
    for nu in rates:
        curve = [mean_loss(y_valid, F, loss) for F in boost(X, y, X_valid, loss, M, nu)]
        found[nu] = curve[stopping_round(curve, patience)]
    return min(found, key=found.get)
""",
    },
}

HARMLESS = {
    "q1": {
        "a dict of functions, a Python float": """
def initial(y, loss):
    best = {"squared": np.mean, "absolute": np.median, "poisson": lambda y: np.log(sum(y) / len(y))}
    return float(best[loss](y))
""",
    },
    "q2": {
        "a list, row by row": """
def pseudo_residuals(y, F, loss):
    answer = []
    for y_i, F_i in zip(y, F):
        if loss == "squared":
            answer.append(float(y_i - F_i))
        elif loss == "absolute":
            answer.append(int(y_i > F_i) - int(y_i < F_i))
        else:
            answer.append(float(y_i - np.exp(F_i)))
    return answer
""",
    },
    "q3": {
        "sums by leaf, log of quotients as a difference": """
def leaf_steps(y, F, leaf, loss):
    if loss == "squared":
        return np.bincount(leaf, y - F) / np.bincount(leaf)
    if loss == "poisson":
        return np.log(np.bincount(leaf, y)) - np.log(np.bincount(leaf, np.exp(F)))
    return pd.Series(y - F).groupby(leaf).median().to_numpy()
""",
    },
    "q4": {
        "running sums of the sorted target": """
def fit_stump(X, target):
    best, most = None, -1.0
    for column in range(X.shape[1]):
        order = np.argsort(X[:, column], kind="stable")
        x, total = X[order, column], np.cumsum(target[order])
        for k in range(1, len(x)):
            if x[k] > x[k - 1]:
                left, right = total[k - 1], total[-1] - total[k - 1]
                score = left**2 / k + right**2 / (len(x) - k)
                if score > most * (1 + 1e-12):
                    best, most = [column, (x[k - 1] + x[k]) / 2], score
    return best
""",
        "variances times counts, np.int64": """
def fit_stump(X, target):
    cuts = []
    for column in np.arange(X.shape[1]):
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            left = X[:, column] <= threshold
            squares = left.sum() * target[left].var() + (~left).sum() * target[~left].var()
            cuts.append((squares.round(10), column, threshold))
    return min(cuts)[1:]
""",
    },
    "q5": {
        "the trees are kept and used afterwards": """
def boost(X, y, X_new, loss, M, nu):
    F0, trees = initial(y, loss), []
    F = F0 + np.zeros(len(y))
    for m in range(M):
        column, threshold = fit_stump(X, pseudo_residuals(y, F, loss))
        gamma = leaf_steps(y, F, 1 - (X[:, column] <= threshold), loss)
        F += nu * np.where(X[:, column] <= threshold, *gamma)
        trees.append((column, threshold, gamma))
    stages = [[F0 for row in X_new]]
    for column, threshold, (left, right) in trees:
        step = [nu * (left if row[column] <= threshold else right) for row in X_new]
        stages.append([before + more for before, more in zip(stages[-1], step)])
    return stages
""",
    },
    "q6": {
        "looks back at the last rounds": """
def stopping_round(curve, patience):
    for m in range(len(curve)):
        best = int(np.argmin(curve[: m + 1]))
        if m - best >= patience:
            break
    return best
""",
    },
    "q7": {
        "rate by rate, a list": """
def tune(X, y, X_valid, y_valid, loss, rates, M, patience):
    lowest, answer = np.inf, None
    for nu in rates:
        curve = np.array([mean_loss(y_valid, F, loss) for F in boost(X, y, X_valid, loss, M, nu)])
        m = stopping_round(curve.tolist(), patience)
        if curve[m] < lowest:
            lowest, answer = curve[m], [nu, np.int64(m)]
    return answer
""",
    },
}
