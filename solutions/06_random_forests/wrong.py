"""Answers to exercise 06 that must fail, and unusual ones that must pass.

Each is the whole text of an answer cell. WRONG has, for each question, the name of the mistake
whose message the answer must get, from the visible and from the hidden checks; HARMLESS says
what is unusual about an answer that is right.
"""

SPLIT = """
def gini(labels):
    counts = np.unique(labels, return_counts=True)[1]
    return 1 - np.sum((counts / len(labels)) ** 2)

def best_split(X, y, columns):
    best, least = None, np.inf
    for column in columns:
        values = np.unique(X[:, column])
        for threshold in (values[:-1] + values[1:]) / 2:
            low = X[:, column] <= threshold
            score = low.mean() * gini(y[low]) + (~low).mean() * gini(y[~low])
            if score < least:
                best, least = [column, threshold], score
    return best
"""

GROW = """
def grow(X, y, draws, path=""):
    classes, counts = np.unique(y, return_counts=True)
    answer = str(classes[np.argmax(counts)])
    if len(classes) == 1 or path not in draws:
        return answer
    split = best_split(X, y, draws[path])
    if split is None:
        return answer
    column, threshold = split
    low = X[:, column] <= threshold
    left = grow(X[low], y[low], draws, path + "L")
    right = grow(X[~low], y[~low], draws, path + "R")
    return {"column": column, "threshold": threshold, "left": left, "right": right}
"""

IMPORTANCE = """
def importance(trees, X, y, counts, column, orders):
    rises = []
    for t, tree in enumerate(trees):
        out = np.flatnonzero(counts[t] == 0)
        mixed = X.copy()
        mixed[out, column] = X[orders[t], column]
        before = np.mean(np.array(answers(tree, X[out])) != y[out])
        after = np.mean(np.array(answers(tree, mixed[out])) != y[out])
        rises.append(after - before)
    return np.mean(rises)
"""


def _changed(source, *changes):
    """Return a right answer with some of its text replaced."""
    for old, new in changes:
        if old not in source:
            raise ValueError(f"{old!r} is not in the answer")
        source = source.replace(old, new)
    return source


WRONG = {
    "q1a": {
        "nearest": """
def columns_per_node(d, rule):
    rules = {"sqrt": d**0.5, "log2": math.log2(d), "breiman": math.log2(d) + 1, "third": d / 3}
    return max(1, round(rules[rule]))
""",
        "up": """
def columns_per_node(d, rule):
    rules = {"sqrt": d**0.5, "log2": math.log2(d), "breiman": math.log2(d) + 1, "third": d / 3}
    return max(1, math.ceil(rules[rule]))
""",
        "nats": """
def columns_per_node(d, rule):
    rules = {"sqrt": np.sqrt(d), "log2": np.log(d), "breiman": np.log(d) + 1, "third": d / 3}
    return max(1, int(rules[rule]))
""",
        "inside": """
def columns_per_node(d, rule):
    rules = {"sqrt": d**0.5, "log2": math.log2(d), "breiman": math.log2(d + 1), "third": d / 3}
    return max(1, int(rules[rule]))
""",
        "zero": """
def columns_per_node(d, rule):
    rules = {"sqrt": d**0.5, "log2": math.log2(d), "breiman": math.log2(d) + 1, "third": d / 3}
    return math.floor(rules[rule])
""",
    },
    "q1b": {
        "replacement": """
def misses(d, k, m):
    return (1 - k / d) ** m
""",
        "hit": """
def misses(d, k, m):
    return 1 - math.comb(d - k, m) / math.comb(d, m)
""",
        "one_column": """
def misses(d, k, m):
    return math.comb(d - 1, m) / math.comb(d, m)
""",
        "independent": """
def misses(d, k, m):
    return (1 - m / d) ** k
""",
        "no_return": """
def misses(d, k, m):
    math.comb(d - k, m) / math.comb(d, m)
""",
    },
    "q2": {
        "all_columns": _changed(SPLIT, ("in columns:", "in range(X.shape[1]):")),
        "position": _changed(
            SPLIT,
            ("for column in columns:", "X = X[:, columns]\n    for column in range(len(columns)):"),
        ),
        "unweighted": _changed(SPLIT, ("low.mean() *", ""), ("(~low).mean() *", "")),
        "value": _changed(SPLIT, ("(values[:-1] + values[1:]) / 2", "values[:-1]")),
        "worst": _changed(SPLIT, ("np.inf", "-np.inf"), ("score < least", "score > least")),
        "raised": _changed(SPLIT, ("best, least = None, np.inf", "least = np.inf")),
        "wrong_type": _changed(SPLIT, ("return best", "return least")),
    },
    "q3a": {
        "pure": _changed(GROW, ("len(classes) == 1 or ", "len(y) == 1 or ")),
        "per_tree": _changed(GROW, (', path + "L"', ""), (', path + "R"', "")),
        "no_draw": _changed(
            GROW,
            (" or path not in draws", ""),
            ("draws[path]", "draws.get(path, range(X.shape[1]))"),
        ),
        "mirrored": _changed(
            GROW, ('path + "L"', 'path + "l"'), ('path + "R"', 'path + "L"')
        ).replace('path + "l"', 'path + "R"'),
        "all_columns": _changed(GROW, ("draws[path]", "range(X.shape[1])")),
        "sides": _changed(GROW, ("<= threshold", "> threshold")),
        "leaf": _changed(
            GROW,
            (
                "answer = str(classes[np.argmax(counts)])",
                "answer = Counter(y.tolist()).most_common(1)[0][0]",
            ),
        ),
        "stopped": _changed(GROW, ("len(classes) == 1 or", "len(classes) == 1 or len(y) < 4 or")),
        "raised": _changed(GROW, ("if split is None:", "if split == 0:")),
        "wrong_type": _changed(
            GROW,
            (
                '{"column": column, "threshold": threshold, "left": left, "right": right}',
                "(column, threshold, left, right)",
            ),
        ),
    },
    "q3b": {
        "strict": """
def answers(tree, X):
    if isinstance(tree, str):
        return [tree] * len(X)
    sides = ["left" if x[tree["column"]] < tree["threshold"] else "right" for x in X]
    return [answers(tree[side], [x])[0] for side, x in zip(sides, X)]
""",
        "sides": """
def answers(tree, X):
    if isinstance(tree, str):
        return [tree] * len(X)
    sides = ["right" if x[tree["column"]] <= tree["threshold"] else "left" for x in X]
    return [answers(tree[side], [x])[0] for side, x in zip(sides, X)]
""",
        "first_row": """
def answers(tree, X):
    said, node = [], tree
    for x in X:
        while isinstance(node, dict):
            node = node["left" if x[node["column"]] <= node["threshold"] else "right"]
        said.append(node)
    return said
""",
        "wrong_type": """
def answers(tree, X):
    node, x = tree, X[0]
    while isinstance(node, dict):
        node = node["left" if x[node["column"]] <= node["threshold"] else "right"]
    return node
""",
    },
    "q4": {
        "answers": """
def mean_correlation(said, y):
    table = np.corrcoef(said == y[0])
    return table[np.triu_indices(len(said), k=1)].mean()
""",
        "diagonal": """
def mean_correlation(said, y):
    return np.corrcoef(said != y).mean()
""",
        "agreement": """
def mean_correlation(said, y):
    errors, pairs = said != y, np.triu_indices(len(said), k=1)
    return np.mean([np.mean(errors[s] == errors[t]) for s, t in zip(*pairs)])
""",
        "covariance": """
def mean_correlation(said, y):
    return np.cov(said != y)[np.triu_indices(len(said), k=1)].mean()
""",
        "wrong_type": """
def mean_correlation(said, y):
    return np.corrcoef(said != y)
""",
    },
    "q5": {
        "sign": _changed(IMPORTANCE, ("after - before", "before - after")),
        "after": _changed(IMPORTANCE, ("after - before", "after")),
        "all_rows": _changed(
            IMPORTANCE,
            ("answers(tree, X[out])) != y[out]", "answers(tree, X)) != y"),
            ("answers(tree, mixed[out])) != y[out]", "answers(tree, mixed)) != y"),
        ),
        "pooled": _changed(
            IMPORTANCE,
            ("rises.append(after - before)", "rises.append((after - before) * len(out))"),
            ("np.mean(rises)", "sum(rises) / np.sum(counts == 0)"),
        ),
        "whole_rows": _changed(
            IMPORTANCE, ("mixed[out, column] = X[orders[t], column]", "mixed[out] = X[orders[t]]")
        ),
        "backwards": _changed(
            IMPORTANCE,
            (
                "mixed[out, column] = X[orders[t], column]",
                "mixed[orders[t], column] = X[out, column]",
            ),
        ),
        "changed_input": _changed(
            IMPORTANCE,
            ("mixed = X.copy()", "mixed = X"),
            ("X[orders[t], column]", "X[orders[t], column] + 1"),
        ),
    },
    "q6a": {
        "counts": """
def proximity(leaves):
    return np.sum(leaves[:, None] == leaves[None], axis=2)
""",
        "rows": """
def proximity(leaves):
    return np.sum(leaves[:, None] == leaves[None], axis=2) / len(leaves)
""",
        "trees": """
def proximity(leaves):
    return [[np.mean(one == other) for one in leaves.T] for other in leaves.T]
""",
        "diagonal": """
def proximity(leaves):
    table = np.mean(leaves[:, None] == leaves[None], axis=2)
    np.fill_diagonal(table, 0)
    return table
""",
    },
    "q6b": {
        "most": """
def odd_one(prox, y):
    same = (y[:, None] == y) & ~np.eye(len(y), dtype=bool)
    return np.argmax(np.sum(prox * same, axis=1) / same.sum(axis=1))
""",
        "all_rows": """
def odd_one(prox, y):
    return np.argmin((prox.sum(axis=1) - 1) / (len(y) - 1))
""",
        "itself": """
def odd_one(prox, y):
    return np.argmin([prox[i][y == y[i]].mean() for i in range(len(y))])
""",
        "total": """
def odd_one(prox, y):
    return np.argmin([prox[i][y == y[i]].sum() for i in range(len(y))])
""",
        "wrong_type": """
def odd_one(prox, y):
    return [int(np.argmin(prox.sum(axis=1)))]
""",
    },
}

HARMLESS = {
    "q1a": {
        "branches, NumPy numbers": """
def columns_per_node(d, rule):
    if rule == "third":
        return max(d // 3, 1)
    m = np.floor(np.sqrt(d)) if rule == "sqrt" else np.floor(np.log2(d))
    return max(m + (rule == "breiman"), 1)
""",
    },
    "q1b": {
        "one column after the other": """
def misses(d, k, m):
    p = 1.0
    for i in range(m):
        p *= max(d - k - i, 0) / (d - i)
    return p
""",
    },
    "q2": {
        "thresholds from sorted lists, a tuple of NumPy numbers, sizes not shares": """
def best_split(X, y, columns):
    found = []
    for column in columns:
        values = sorted(set(X[:, column]))
        for low, high in zip(values, values[1:]):
            sides = y[X[:, column] <= low], y[X[:, column] > low]
            wrong = sum(len(s) - sum((s == c).sum() ** 2 for c in set(s)) / len(s) for s in sides)
            found.append((wrong, np.int64(column), (low + high) / 2))
    return min(found)[1:] if found else None
""",
    },
    "q3a": {
        "np.str_ leaves, strict comparison": """
def grow(X, y, draws, path=""):
    split = None
    if len(set(y)) > 1 and path in draws:
        split = best_split(X, y, draws[path])
    if split is None:
        return max(sorted(set(y)), key=list(y).count)
    low = X[:, split[0]] < split[1]
    below = [grow(X[i], y[i], draws, path + s) for i, s in ((low, "L"), (~low, "R"))]
    return {"left": below[0], "right": below[1], "column": split[0], "threshold": split[1]}
""",
    },
    "q3b": {
        "an array, all rows at once": """
def answers(tree, X):
    if isinstance(tree, str):
        return np.full(len(X), tree, dtype=object)
    low = X[:, tree["column"]] <= tree["threshold"]
    said = np.empty(len(X), dtype=object)
    said[low], said[~low] = answers(tree["left"], X[low]), answers(tree["right"], X[~low])
    return said
""",
    },
    "q4": {
        "right instead of wrong, the diagonal taken off": """
def mean_correlation(said, y):
    T, table = len(said), np.corrcoef(said == y)
    return (table.sum() - T) / (T * (T - 1))
""",
    },
    "q5": {
        "counting in loops": """
def importance(trees, X, y, counts, column, orders):
    total = 0.0
    for tree, seen, order in zip(trees, counts, orders):
        out, rise = [i for i in range(len(X)) if seen[i] == 0], 0
        for i, j in zip(out, order):
            x = X[i].copy()
            x[column] = X[j, column]
            before, after = answers(tree, np.array([X[i], x]))
            rise += int(after != y[i]) - int(before != y[i])
        total += rise / len(out)
    return total / len(trees)
""",
    },
    "q6a": {
        "loops, a list": """
def proximity(leaves):
    N, T = leaves.shape
    return [[sum(leaves[i, t] == leaves[j, t] for t in range(T)) / T for j in range(N)]
            for i in range(N)]
""",
    },
    "q6b": {
        "the row itself subtracted, an np.int64": """
def odd_one(prox, y):
    same = y[:, None] == y
    return np.argmin((np.sum(prox * same, axis=1) - 1) / (same.sum(axis=1) - 1))
""",
    },
}
