"""Answers to exercise 02 that must fail, and unusual ones that must pass.

Each is the whole text of an answer cell. WRONG has, for each question, the name of the mistake
whose message the answer must get, from the visible and from the hidden checks; HARMLESS says
what is unusual about an answer that is right.
"""


def _cut(score, pick="first_best(scores)", place="(values[:-1] + values[1:]) / 2", returns=""):
    """Return the body of a function that scans the cuts of x."""
    return f"""
    values = np.unique(x)
    middles = {place}
    scores = {{t: {score} for t in middles}}
    best = {pick}
    return best, {returns or "scores[best]"}
"""


def _threshold(*args, **options):
    return "\ndef best_threshold(x, y):" + _cut(*args, **options)


VARIANCE = "np.var(y) - np.mean(x <= t) * np.var(y[x <= t]) - np.mean(x > t) * np.var(y[x > t])"


def _regression(*args, **options):
    return "\ndef best_regression_cut(x, y):" + _cut(*args, **options)


GROW = """
def grow(columns, y, values):
    labels, counts = np.unique(y, return_counts=True)
    majority = str(labels[np.argmax(counts)])
    can_ask = [name for name in columns if len(np.unique(columns[name])) > 1]
    if len(labels) == 1 or not can_ask:
        return majority
    gains = {name: information_gain(columns[name], y) for name in can_ask}
    best = first_best(gains)
    branches = {}
    for value in values[best]:
        here = columns[best] == value
        if here.any():
            rows = {name: column[here] for name, column in columns.items()}
            branches[value] = grow(rows, y[here], values)
        else:
            branches[value] = majority
    return {best: branches}
"""


def _changed(source, *changes):
    """Return a source with (old, new) replaced; a change that changes nothing is an error."""
    for old, new in changes:
        if old not in source:
            raise ValueError(f"wrong.py: {old!r} is not in the answer it should change")
        source = source.replace(old, new)
    return source


CONTEST = """
def contest(columns, y):
    gains = {name: information_gain(column, y) for name, column in columns.items()}
    iv = {name: entropy(shares(column)) for name, column in columns.items()}
    average = np.mean(list(gains.values()))
    return {name: gains[name] / iv[name] for name in columns if gains[name] >= average}
"""

UNKNOWNS = """
def score_with_unknowns(x, y):
    known = x != "?"
    gain = np.mean(known) * information_gain(x[known], y[known])
    iv = entropy(shares(x))
    fractions = {v: np.mean(x[known] == v) for v in np.unique(x[known])}
    return gain, iv, fractions
"""

GINI = """
def gini_after(x, y, left):
    total = 0
    here = np.isin(x, left)
    for side in (y[here], y[~here]):
        gini = 1 - np.sum(shares(side) ** 2)
        total += len(side) / len(y) * gini
    return total
"""

ERRORS = """
def train_and_test(columns, y, values, n):
    first = {name: column[:n] for name, column in columns.items()}
    last = {name: column[n:] for name, column in columns.items()}
    tree = grow(first, y[:n], values)
    training = np.mean(np.array(predict(tree, first)) != y[:n])
    test = np.mean(np.array(predict(tree, last)) != y[n:])
    return training, test
"""

WRONG = {
    "q1": {
        "nats": """
def information_gain(x, y):
    gain = entropy(shares(y), base=np.e)
    for value in np.unique(x):
        gain -= np.mean(x == value) * entropy(shares(y[x == value]), base=np.e)
    return gain
""",
        "unweighted": """
def information_gain(x, y):
    return entropy(shares(y)) - np.mean([entropy(shares(y[x == v])) for v in np.unique(x)])
""",
        "summed": """
def information_gain(x, y):
    return entropy(shares(y)) - sum(entropy(shares(y[x == v])) for v in np.unique(x))
""",
        "left": """
def information_gain(x, y):
    return sum(np.mean(x == v) * entropy(shares(y[x == v])) for v in np.unique(x))
""",
        "attribute": """
def information_gain(x, y):
    left = sum(np.mean(x == v) * entropy(shares(y[x == v])) for v in np.unique(x))
    return entropy(shares(x)) - left
""",
        "no_return": """
def information_gain(x, y):
    left = sum(np.mean(x == v) * entropy(shares(y[x == v])) for v in np.unique(x))
    gain = entropy(shares(y)) - left
""",
    },
    "q2": {
        "nats": _threshold("information_gain(x <= t, y) * np.log(2)"),
        "unweighted": _threshold(
            "entropy(shares(y)) - (entropy(shares(y[x <= t])) + entropy(shares(y[x > t]))) / 2"
        ),
        "worst": _threshold(
            "information_gain(x <= t, y)",
            pick="min(scores, key=lambda t: round(scores[t], 10))",
        ),
        "left_value": _threshold("information_gain(x <= t, y)", place="values[:-1]"),
        "right_value": _threshold("information_gain(x < t, y)", place="values[1:]"),
        "duplicates": """
def best_threshold(x, y):
    values = np.sort(x)
    scores = {t: information_gain(x <= t, y) for t in (values[:-1] + values[1:]) / 2}
    best = first_best(scores)
    return best, scores[best]
""",
        "tie": _threshold(
            "information_gain(x <= t, y)",
            pick="max(scores, key=lambda t: (round(scores[t], 10), t))",
        ),
        "wrong_type": _threshold("information_gain(x <= t, y)").replace(", scores[best]", ""),
    },
    "q3a": {
        "endless": """
def grow(columns, y, values):
    trees = {a: {value: grow(columns, y, values) for value in values[a]} for a in columns}
    best = first_best({a: information_gain(columns[a], y) for a in columns})
    return {best: trees[best]} if len(np.unique(y)) > 1 else str(y[0])
""",
        "missing_branch": _changed(GROW, ("values[best]:", "np.unique(columns[best]):")),
        "parent_majority": _changed(
            GROW,
            ("values):\n", "values, usual=None):\n"),
            ("    can_ask", "    usual = usual or majority\n    can_ask"),
            ("y[here], values)", "y[here], values, usual)"),
            ("branches[value] = majority", "branches[value] = usual"),
        ),
        "stopped": _changed(
            GROW,
            (
                "    branches = {}",
                "    if gains[best] < 1e-9:\n        return majority\n    branches = {}",
            ),
        ),
        "useless": _changed(
            GROW,
            ("[name for name in columns if len(np.unique(columns[name])) > 1]", "list(columns)"),
            ("in columns.items()}", "in columns.items() if name != best}"),
        ),
        "pure": _changed(GROW, ("len(labels) == 1 or not", "not")),
        "tie": _changed(
            GROW, ("first_best(gains)", "max(reversed(can_ask), key=lambda a: round(gains[a], 10))")
        ),
        "choice": _changed(
            GROW,
            ("values):\n", "values, gains=None):\n"),
            (
                "    gains = {name: information_gain(columns[name], y) for name in can_ask}",
                "    gains = gains or {a: information_gain(columns[a], y) for a in columns}",
            ),
            ("first_best(gains)", "first_best({name: gains[name] for name in can_ask})"),
            ("y[here], values)", "y[here], values, gains)"),
        ),
        "majority": _changed(
            GROW, ("str(labels[np.argmax(counts)])", "max(y.tolist(), key=y.tolist().count)")
        ),
        "wrong_type": _changed(GROW, ("branches[value] = majority", "branches[value] = None")),
    },
    "q3b": {
        "first_row": """
def predict(tree, columns):
    node = tree
    while isinstance(node, dict):
        name = next(iter(node))
        node = node[name][columns[name][0]]
    return [node for _ in next(iter(columns.values()))]
""",
        "first_branch": """
def predict(tree, columns):
    node = tree
    while isinstance(node, dict):
        node = list(node.values())[0]
    return [node] * len(list(columns.values())[0])
""",
        "one_question": """
def predict(tree, columns):
    answers = []
    for i in range(len(list(columns.values())[0])):
        node = tree
        if isinstance(node, dict):
            name = list(node)[0]
            node = node[name][columns[name][i]]
        while isinstance(node, dict):
            node = list(node.values())[0]
        answers.append(node)
    return answers
""",
        "per_column": """
def predict(tree, columns):
    answers = []
    for i in range(len(columns)):
        node = tree
        while isinstance(node, dict):
            name = list(node)[0]
            node = node[name][columns[name][i]]
        answers.append(node)
    return answers
""",
        "wrong_type": """
def predict(tree, columns):
    answers = []
    for i in range(len(list(columns.values())[0])):
        name = list(tree)[0] if isinstance(tree, dict) else None
        answers.append(tree[name][columns[name][i]] if name else tree)
    return answers
""",
    },
    "q4": {
        "no_filter": _changed(CONTEST, (" if gains[name] >= average", "")),
        "ratio_filter": """
def contest(columns, y):
    ratios = {a: information_gain(x, y) / entropy(shares(x)) for a, x in columns.items()}
    average = sum(ratios.values()) / len(ratios)
    return {a: ratio for a, ratio in ratios.items() if ratio >= average}
""",
        "strict": _changed(CONTEST, (">= average", "> average")),
        "below": _changed(CONTEST, (">= average", "<= average")),
        "gains": _changed(CONTEST, ("gains[name] / iv[name]", "gains[name]")),
        "class_entropy": _changed(CONTEST, ("/ iv[name]", "/ entropy(shares(y))")),
        "wrong_type": _changed(
            CONTEST,
            ("return {", "ratios = {"),
            (">= average}", ">= average}\n    return first_best(ratios)"),
        ),
    },
    "q5": {
        "no_share": _changed(UNKNOWNS, ("np.mean(known) * ", "")),
        "as_value": _changed(
            UNKNOWNS,
            ("np.mean(known) * information_gain(x[known], y[known])", "information_gain(x, y)"),
        ),
        "all_labels": _changed(
            UNKNOWNS,
            (
                "information_gain(x[known], y[known])",
                "(entropy(shares(y)) - entropy(shares(y[known]))"
                " + information_gain(x[known], y[known]))",
            ),
        ),
        "known_iv": _changed(UNKNOWNS, ("shares(x))", "shares(x[known]))")),
        "of_all": _changed(UNKNOWNS, ("np.mean(x[known] == v)", "np.mean(x == v)")),
        "even": _changed(UNKNOWNS, ("np.mean(x[known] == v)", "1 / len(np.unique(x[known]))")),
        "unknown_branch": _changed(
            UNKNOWNS,
            (
                "{v: np.mean(x[known] == v) for v in np.unique(x[known])}",
                "{v: np.mean(x == v) for v in np.unique(x)}",
            ),
        ),
        "wrong_type": _changed(UNKNOWNS, ("return gain, iv, fractions", "return gain / iv")),
    },
    "q6a": {
        "half": _changed(
            GINI, ("1 - np.sum(shares(side) ** 2)", "(1 - np.sum(shares(side) ** 2)) / 2")
        ),
        "unweighted": _changed(GINI, ("len(side) / len(y)", "1 / 2")),
        "removed": _changed(GINI, ("return total", "return 1 - np.sum(shares(y) ** 2) - total")),
        "per_value": """
def gini_after(x, y, left):
    ginis = {value: 1 - np.sum(shares(y[x == value]) ** 2) for value in np.unique(x)}
    return sum(np.mean(x == value) * gini for value, gini in ginis.items())
""",
        "bits": _changed(GINI, ("1 - np.sum(shares(side) ** 2)", "entropy(shares(side))")),
        "left_only": _changed(
            GINI, ("(y[here], y[~here])", "(y[here],)"), ("len(side) / len(y) * ", "")
        ),
        "raised": _changed(GINI, ("np.isin(x, left)", "x in left")),
    },
    "q6b": {
        "sample": _regression(VARIANCE.replace("])", "], ddof=1)").replace("(y)", "(y, ddof=1)")),
        "unweighted": _regression("np.var(y) - (np.var(y[x <= t]) + np.var(y[x > t])) / 2"),
        "squares": _regression(f"len(y) * ({VARIANCE})"),
        "deviation": _regression(VARIANCE.replace("np.var", "np.std")),
        "left_value": _regression(VARIANCE, place="values[:-1]"),
        "right_value": _regression(
            VARIANCE.replace("x <= t", "x < t").replace("x > t", "x >= t"), place="values[1:]"
        ),
        "duplicates": _regression(
            f"({VARIANCE}) if t < values[-1] else 0",
            place="(np.sort(x)[:-1] + np.sort(x)[1:]) / 2",
        ),
        "tie": _regression(VARIANCE, pick="max(scores, key=lambda t: (round(scores[t], 10), t))"),
    },
    "q7": {
        "whole": _changed(ERRORS, ("grow(first, y[:n], values)", "grow(columns, y, values)")),
        "swapped": _changed(ERRORS, ("return training, test", "return test, training")),
        "right": _changed(ERRORS, ("return training, test", "return 1 - training, 1 - test")),
        "counts": _changed(ERRORS, ("np.mean", "np.sum")),
        "all_rows": _changed(ERRORS, ("column[n:]", "column"), ("y[n:]", "y")),
        "own_values": _changed(
            ERRORS,
            ("column[n:]", "column[n:].tolist()"),
            ("y[:n], values)", "y[:n], {a: np.unique(x) for a, x in first.items()})"),
        ),
        "wrong_type": _changed(ERRORS, ("return training, test", "return test")),
    },
}

HARMLESS = {
    "q1": {
        "the chain rule, a Python float": """
def information_gain(x, y):
    both = [f"{a} {b}" for a, b in zip(x, y)]
    return float(entropy(shares(x)) + entropy(shares(y)) - entropy(shares(both)))
""",
        "pandas": """
def information_gain(x, y):
    joint = pd.crosstab(np.asarray(y), np.asarray(x), normalize=True).to_numpy()
    return entropy(joint.sum(axis=1)) + entropy(joint.sum(axis=0)) - entropy(joint.ravel())
""",
    },
    "q2": {
        "a loop, a list": """
def best_threshold(x, y):
    values, best, most = sorted(set(x.tolist())), None, -1.0
    for low, high in zip(values, values[1:]):
        gain = information_gain(np.where(x <= low, "low", "high"), y)
        if gain > most + 1e-9:
            best, most = (low + high) / 2, gain
    return [best, most]
""",
        "an array": """
def best_threshold(x, y):
    values = np.unique(x)
    t = (values[:-1] + values[1:]) / 2
    gains = np.array([information_gain(x > cut, y) for cut in t])
    i = np.argmax(gains.round(10))
    return np.array([t[i], gains[i]])
""",
    },
    "q3a": {
        "the asked column is taken out, np.str_ labels": """
def grow(columns, y, values):
    labels, counts = np.unique(y, return_counts=True)
    majority = labels[counts.argmax()]
    ask = {name: column for name, column in columns.items() if len(set(column)) > 1}
    if len(labels) == 1 or not ask:
        return majority
    best = first_best({name: information_gain(column, y) for name, column in ask.items()})
    column = ask.pop(best)
    node = dict.fromkeys(values[best], majority)
    for value in set(column):
        here = column == value
        node[str(value)] = grow({name: rest[here] for name, rest in ask.items()}, y[here], values)
    return {best: node}
""",
    },
    "q3b": {
        "recursion, an array": """
def answer(tree, row):
    if isinstance(tree, str):
        return tree
    name = next(iter(tree))
    return answer(tree[name][row[name]], row)

def predict(tree, columns):
    return np.array([answer(tree, row) for _, row in pd.DataFrame(columns).iterrows()])
""",
    },
    "q4": {
        "natural logarithms in both parts, another order": """
def contest(columns, y):
    gains = {name: information_gain(x, y) * np.log(2) for name, x in columns.items()}
    average = sum(gains.values()) / len(gains)
    passed = [name for name in reversed(columns) if gains[name] >= average - 1e-12]
    return {name: gains[name] / entropy(shares(columns[name]), base=np.e) for name in passed}
""",
    },
    "q5": {
        "a list, counts": """
def score_with_unknowns(x, y):
    known = [i for i in range(len(x)) if x[i] != "?"]
    there = x[known].tolist()
    gain = information_gain(x[known], y[known]) * len(known) / len(x)
    iv = entropy(pd.Series(x).value_counts(normalize=True))
    return [gain, iv, {value: there.count(value) / len(there) for value in there}]
""",
    },
    "q6a": {
        "products of shares, ordered pairs": """
def gini_after(x, y, left):
    total = 0
    for side in (True, False):
        labels = [label for value, label in zip(x, y) if (value in left) == side]
        p = shares(labels)
        pairs = sum(p[i] * p[j] for i in range(len(p)) for j in range(len(p)) if i != j)
        total += len(labels) * pairs
    return total / len(x)
""",
    },
    "q6b": {
        "the means of the sides": """
def best_regression_cut(x, y):
    values, reductions = np.unique(x), {}
    for low, high in zip(values, values[1:]):
        sides = y[x <= low], y[x > low]
        squares = sum(len(side) * (side.mean() - y.mean()) ** 2 for side in sides)
        reductions[(low + high) / 2] = squares / len(y)
    best = first_best(reductions)
    return [best, reductions[best]]
""",
    },
    "q7": {
        "one prediction for all rows": """
def train_and_test(columns, y, values, n):
    tree = grow({name: column[:n] for name, column in columns.items()}, y[:n], values)
    wrong = np.array(predict(tree, columns)) != y
    return [wrong[:n].sum() / n, wrong[n:].sum() / (len(y) - n)]
""",
    },
}
