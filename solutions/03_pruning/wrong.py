"""Answers to exercise 03 that must fail, and unusual ones that must pass.

Each is the whole text of an answer cell. WRONG has, for each question, the name of the mistake
whose message the answer must get, from the visible and from the hidden checks; HARMLESS says
what is unusual about an answer that is right.
"""

WRONG = {
    "q1": {
        "root": """
def answer(tree, row):
    return max(tree["counts"], key=tree["counts"].get)
""",
        "rarest": """
def answer(tree, row):
    while "branches" in tree and row[tree["ask"]] in tree["branches"]:
        tree = tree["branches"][row[tree["ask"]]]
    return sorted(tree["counts"], key=tree["counts"].get)[0]
""",
        "last_tie": """
def answer(tree, row):
    while "branches" in tree and row[tree["ask"]] in tree["branches"]:
        tree = tree["branches"][row[tree["ask"]]]
    best, most = None, -1
    for name, count in tree["counts"].items():
        if count >= most:
            best, most = name, count
    return best
""",
        "no_branch": """
def answer(tree, row):
    while "branches" in tree:
        tree = tree["branches"][row[tree["ask"]]]
    return max(tree["counts"], key=tree["counts"].get)
""",
        "root_answers": """
def answer(tree, row):
    root = tree
    while "branches" in tree:
        tree = tree["branches"].get(row[tree["ask"]], {"counts": root["counts"]})
    return max(tree["counts"], key=tree["counts"].get)
""",
        "largest_child": """
def answer(tree, row):
    while "branches" in tree:
        largest = max(tree["branches"].values(), key=size)
        tree = tree["branches"].get(row[tree["ask"]], largest)
    return max(tree["counts"], key=tree["counts"].get)
""",
        "wrong_type": """
def answer(tree, row):
    while "branches" in tree and row[tree["ask"]] in tree["branches"]:
        tree = tree["branches"][row[tree["ask"]]]
    return max(tree["counts"].values())
""",
    },
    "q2": {
        "question_left": """
def reduced_error(tree, rows, labels):
    if "branches" not in tree:
        return tree
    new = {**tree, "branches": {}}
    for value, child in tree["branches"].items():
        here = [pair for pair in zip(rows, labels) if pair[0][tree["ask"]] == value]
        new["branches"][value] = reduced_error(
            child, [row for row, _ in here], [label for _, label in here])
    leaf = {"counts": tree["counts"], "ask": tree["ask"]}
    return leaf if errors(leaf, rows, labels) <= errors(new, rows, labels) else new
""",
        "strict": """
def reduced_error(tree, rows, labels):
    if "branches" not in tree:
        return tree
    new = {**tree, "branches": {}}
    for value, child in tree["branches"].items():
        here = [pair for pair in zip(rows, labels) if pair[0][tree["ask"]] == value]
        new["branches"][value] = reduced_error(
            child, [row for row, _ in here], [label for _, label in here])
    leaf = {"counts": tree["counts"]}
    return leaf if errors(leaf, rows, labels) < errors(new, rows, labels) else new
""",
        "training": """
def reduced_error(tree, rows, labels):
    if "branches" not in tree:
        return tree
    new = {**tree, "branches": {}}
    for value, child in tree["branches"].items():
        new["branches"][value] = reduced_error(child, rows, labels)
    leaf = {"counts": tree["counts"]}
    return leaf if wrong(leaf) <= sum(map(wrong, leaves(new))) else new
""",
        "top_down": """
def reduced_error(tree, rows, labels):
    if "branches" not in tree:
        return tree
    leaf = {"counts": tree["counts"]}
    if errors(leaf, rows, labels) <= errors(tree, rows, labels):
        return leaf
    new = {**tree, "branches": {}}
    for value, child in tree["branches"].items():
        here = [pair for pair in zip(rows, labels) if pair[0][tree["ask"]] == value]
        new["branches"][value] = reduced_error(
            child, [row for row, _ in here], [label for _, label in here])
    return new
""",
        "all_rows": """
def reduced_error(tree, rows, labels):
    if "branches" not in tree:
        return tree
    branches = {v: reduced_error(child, rows, labels) for v, child in tree["branches"].items()}
    new = {"counts": tree["counts"], "ask": tree["ask"], "branches": branches}
    leaf = {"counts": tree["counts"]}
    return leaf if errors(leaf, rows, labels) <= errors(new, rows, labels) else new
""",
        "changed_input": """
def reduced_error(tree, rows, labels):
    for value, child in tree.get("branches", {}).items():
        here = [pair for pair in zip(rows, labels) if pair[0][tree["ask"]] == value]
        reduced_error(child, [row for row, _ in here], [label for _, label in here])
    leaf = {"counts": tree["counts"]}
    if "branches" in tree and errors(leaf, rows, labels) <= errors(tree, rows, labels):
        del tree["branches"], tree["ask"]
    return tree
""",
    },
    "q3a": {
        "rate": """
def upper_limit(e, n, cf):
    return e / n
""",
        "fewer": """
def upper_limit(e, n, cf):
    low, high = 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        luck = sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(e))
        low, high = (p, high) if luck > cf else (low, p)
    return low
""",
        "optimistic": """
def upper_limit(e, n, cf):
    low, high = 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        luck = sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(e + 1))
        low, high = (p, high) if luck > 1 - cf else (low, p)
    return low
""",
        "two_sided": """
from scipy.special import betaincinv

def upper_limit(e, n, cf):
    return 1.0 if e == n else betaincinv(e + 1, n - e, 1 - cf / 2)
""",
        "normal": """
from scipy.stats import norm

def upper_limit(e, n, cf):
    z, f = norm.isf(cf), e / n
    root = math.sqrt(f / n - f**2 / n + z**2 / (4 * n**2))
    return (f + z**2 / (2 * n) + z * root) / (1 + z**2 / n)
""",
        "coarse": """
def upper_limit(e, n, cf):
    low, high = 0.0, 1.0
    for _ in range(10):
        p = (low + high) / 2
        luck = sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(e + 1))
        low, high = (p, high) if luck > cf else (low, p)
    return high
""",
    },
    "q3b": {
        "keys": """
def pessimism(tree, cf):
    def expected(node):
        return size(node) * upper_limit(wrong(node), size(node), cf)
    leaf, subtree = expected(tree), sum(map(expected, leaves(tree)))
    return {"leaf": leaf, "tree": subtree, "decision": "cut" if leaf <= subtree + .1 else "keep"}
""",
        "rates": """
def pessimism(tree, cf):
    def expected(node):
        return upper_limit(wrong(node), size(node), cf)
    leaf, subtree = expected(tree), sum(map(expected, leaves(tree)))
    decision = "cut" if leaf <= subtree + 0.1 else "keep"
    return {"leaf": leaf, "subtree": subtree, "decision": decision}
""",
        "training": """
def pessimism(tree, cf):
    leaf, subtree = wrong(tree), sum(map(wrong, leaves(tree)))
    decision = "cut" if leaf <= subtree + 0.1 else "keep"
    return {"leaf": leaf, "subtree": subtree, "decision": decision}
""",
        "pooled": """
def pessimism(tree, cf):
    n = size(tree)
    leaf = n * upper_limit(wrong(tree), n, cf)
    subtree = n * upper_limit(sum(map(wrong, leaves(tree))), n, cf)
    decision = "cut" if leaf <= subtree + 0.1 else "keep"
    return {"leaf": leaf, "subtree": subtree, "decision": decision}
""",
        "children": """
def pessimism(tree, cf):
    def expected(node):
        return size(node) * upper_limit(wrong(node), size(node), cf)
    leaf, subtree = expected(tree), sum(map(expected, tree["branches"].values()))
    decision = "cut" if leaf <= subtree + 0.1 else "keep"
    return {"leaf": leaf, "subtree": subtree, "decision": decision}
""",
        "no_slack": """
def pessimism(tree, cf):
    def expected(node):
        return size(node) * upper_limit(wrong(node), size(node), cf)
    leaf, subtree = expected(tree), sum(map(expected, leaves(tree)))
    return {"leaf": leaf, "subtree": subtree, "decision": "cut" if leaf <= subtree else "keep"}
""",
        "decision": """
def pessimism(tree, cf):
    def expected(node):
        return size(node) * upper_limit(wrong(node), size(node), cf)
    leaf, subtree = expected(tree), sum(map(expected, leaves(tree)))
    return {"leaf": leaf, "subtree": subtree, "decision": bool(leaf <= subtree + 0.1)}
""",
    },
    "q4": {
        "empty_class": """
def chi_square(tree):
    O = np.array([list(child["counts"].values()) for child in tree["branches"].values()])
    E = np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()
    return ((O - E) ** 2 / E).sum(), (O.shape[0] - 1) * (O.shape[1] - 1)
""",
        "df_empty": """
def chi_square(tree):
    O = np.array([list(child["counts"].values()) for child in tree["branches"].values()])
    E = np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()
    return np.nansum((O - E) ** 2 / E), (O.shape[0] - 1) * (O.shape[1] - 1)
""",
        "unsquared": """
def chi_square(tree):
    O = np.array([list(child["counts"].values()) for child in tree["branches"].values()])
    O = O[:, O.sum(axis=0) > 0]
    E = np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()
    return (abs(O - E) / E).sum(), (O.shape[0] - 1) * (O.shape[1] - 1)
""",
        "undivided": """
def chi_square(tree):
    O = np.array([list(child["counts"].values()) for child in tree["branches"].values()])
    O = O[:, O.sum(axis=0) > 0]
    E = np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()
    return ((O - E) ** 2).sum(), (O.shape[0] - 1) * (O.shape[1] - 1)
""",
        "even": """
def chi_square(tree):
    O = np.array([list(child["counts"].values()) for child in tree["branches"].values()])
    O = O[:, O.sum(axis=0) > 0]
    E = O.sum() / O.size
    return ((O - E) ** 2 / E).sum(), (O.shape[0] - 1) * (O.shape[1] - 1)
""",
        "leaves": """
def chi_square(tree):
    O = np.array([list(leaf["counts"].values()) for leaf in leaves(tree)])
    O = O[:, O.sum(axis=0) > 0]
    E = np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()
    return ((O - E) ** 2 / E).sum(), (O.shape[0] - 1) * (O.shape[1] - 1)
""",
        "df_branches": """
def chi_square(tree):
    O = np.array([list(child["counts"].values()) for child in tree["branches"].values()])
    O = O[:, O.sum(axis=0) > 0]
    E = np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()
    return ((O - E) ** 2 / E).sum(), len(O) - 1
""",
        "df_cells": """
def chi_square(tree):
    O = np.array([list(child["counts"].values()) for child in tree["branches"].values()])
    O = O[:, O.sum(axis=0) > 0]
    E = np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()
    return ((O - E) ** 2 / E).sum(), O.size - 1
""",
        "wrong_type": """
def chi_square(tree):
    O = np.array([list(child["counts"].values()) for child in tree["branches"].values()])
    O = O[:, O.sum(axis=0) > 0]
    E = np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()
    return ((O - E) ** 2 / E).sum()
""",
    },
    "q5": {
        "nats": """
def description_length(tree, attributes):
    if "branches" in tree:
        children = tree["branches"].values()
        below = sum(description_length(child, attributes - 1) for child in children)
        return math.log(2) + math.log(attributes) + below
    n, k = size(tree), wrong(tree)
    return 2 * math.log(2) + math.log((n + 1) // 2 + 1) + math.log(comb(n, k))
""",
        "used_again": """
def description_length(tree, attributes):
    bits = sum(1 + math.log2(attributes) for node in inner_nodes(tree))
    for leaf in leaves(tree):
        n, k = size(leaf), wrong(leaf)
        bits += 2 + math.log2((n + 1) // 2 + 1) + math.log2(comb(n, k))
    return bits
""",
        "no_node_bit": """
def description_length(tree, attributes):
    if "branches" in tree:
        children = tree["branches"].values()
        below = sum(description_length(child, attributes - 1) for child in children)
        return math.log2(attributes) + below
    n, k = size(tree), wrong(tree)
    return 1 + math.log2((n + 1) // 2 + 1) + math.log2(comb(n, k))
""",
        "tree_only": """
def description_length(tree, attributes):
    if "branches" in tree:
        children = tree["branches"].values()
        below = sum(description_length(child, attributes - 1) for child in children)
        return 1 + math.log2(attributes) + below
    return 2
""",
        "pure_free": """
def description_length(tree, attributes):
    if "branches" in tree:
        children = tree["branches"].values()
        below = sum(description_length(child, attributes - 1) for child in children)
        return 1 + math.log2(attributes) + below
    n, k = size(tree), wrong(tree)
    return 2 if k == 0 else 2 + math.log2((n + 1) // 2 + 1) + math.log2(comb(n, k))
""",
        "which_only": """
def description_length(tree, attributes):
    if "branches" in tree:
        children = tree["branches"].values()
        below = sum(description_length(child, attributes - 1) for child in children)
        return 1 + math.log2(attributes) + below
    return 2 + math.log2(comb(size(tree), wrong(tree)))
""",
        "everywhere": """
def description_length(tree, attributes):
    n, k = size(tree), wrong(tree)
    bits = 1 + math.log2((n + 1) // 2 + 1) + math.log2(comb(n, k))
    if "branches" not in tree:
        return bits + 1
    children = tree["branches"].values()
    below = sum(description_length(child, attributes - 1) for child in children)
    return bits + math.log2(attributes) + below
""",
    },
    "q6a": {
        "counts": """
def g(node, n):
    return (wrong(node) - sum(map(wrong, leaves(node)))) / (len(leaves(node)) - 1)
""",
        "own_rows": """
def g(node, n):
    saved = wrong(node) - sum(map(wrong, leaves(node)))
    return saved / size(node) / (len(leaves(node)) - 1)
""",
        "all_leaves": """
def g(node, n):
    return (wrong(node) - sum(map(wrong, leaves(node)))) / n / len(leaves(node))
""",
        "undivided": """
def g(node, n):
    return wrong(node) / n - sum(wrong(leaf) / n for leaf in leaves(node))
""",
        "children": """
def g(node, n):
    below = node["branches"].values()
    return (wrong(node) - sum(map(wrong, below))) / n / (len(below) - 1)
""",
        "sign": """
def g(node, n):
    return (sum(map(wrong, leaves(node))) - wrong(node)) / n / (len(leaves(node)) - 1)
""",
    },
    "q6b": {
        "keys": """
def next_tree(tree):
    n = size(tree)
    least = min(g(node, n) for node in inner_nodes(tree))
    def cut(node):
        if "branches" not in node or g(node, n) < least + 1e-9:
            return {"counts": node["counts"]}
        return {**node, "branches": {v: cut(child) for v, child in node["branches"].items()}}
    return {"g": least, "tree": cut(tree)}
""",
        "question_left": """
def next_tree(tree):
    n = size(tree)
    least = min(g(node, n) for node in inner_nodes(tree))
    def cut(node):
        node = dict(node)
        if "branches" in node and g(node, n) < least + 1e-9:
            del node["branches"]
        elif "branches" in node:
            node["branches"] = {v: cut(child) for v, child in node["branches"].items()}
        return node
    return {"alpha": least, "tree": cut(tree)}
""",
        "strongest": """
def next_tree(tree):
    n = size(tree)
    most = max(g(node, n) for node in inner_nodes(tree))
    def cut(node):
        if "branches" not in node or g(node, n) > most - 1e-9:
            return {"counts": node["counts"]}
        return {**node, "branches": {v: cut(child) for v, child in node["branches"].items()}}
    return {"alpha": most, "tree": cut(tree)}
""",
        "lowest": """
def next_tree(tree):
    n = size(tree)
    least = min(g(node, n) for node in inner_nodes(tree)
                if not any("branches" in child for child in node["branches"].values()))
    def cut(node):
        if "branches" not in node or abs(g(node, n) - least) < 1e-9:
            return {"counts": node["counts"]}
        return {**node, "branches": {v: cut(child) for v, child in node["branches"].items()}}
    return {"alpha": least, "tree": cut(tree)}
""",
        "own_rows": """
def next_tree(tree):
    least = min(g(node, size(node)) for node in inner_nodes(tree))
    def cut(node):
        if "branches" not in node or g(node, size(node)) < least + 1e-9:
            return {"counts": node["counts"]}
        return {**node, "branches": {v: cut(child) for v, child in node["branches"].items()}}
    return {"alpha": least, "tree": cut(tree)}
""",
        "one_tie": """
def next_tree(tree):
    n = size(tree)
    values = [g(node, n) for node in inner_nodes(tree)]
    first = next(i for i, value in enumerate(values) if value < min(values) + 1e-9)
    weakest = inner_nodes(tree)[first]
    def cut(node):
        if "branches" not in node or node is weakest:
            return {"counts": node["counts"]}
        return {**node, "branches": {v: cut(child) for v, child in node["branches"].items()}}
    return {"alpha": min(values), "tree": cut(tree)}
""",
    },
    "q6c": {
        "least": """
def one_se(table):
    return min(table, key=lambda row: (row["error"], row["leaves"]))["leaves"]
""",
        "own_se": """
def one_se(table):
    least = min(row["error"] for row in table)
    return min(row["leaves"] for row in table if row["error"] - row["se"] <= least)
""",
        "strict": """
def one_se(table):
    best = min(table, key=lambda row: (row["error"], row["leaves"]))
    limit = best["error"] + best["se"]
    return min(row["leaves"] for row in table if row["error"] < limit)
""",
        "largest": """
def one_se(table):
    best = min(table, key=lambda row: (row["error"], row["leaves"]))
    limit = best["error"] + best["se"]
    return max(row["leaves"] for row in table if row["error"] <= limit)
""",
        "two_se": """
def one_se(table):
    best = min(table, key=lambda row: (row["error"], row["leaves"]))
    limit = best["error"] + 2 * best["se"]
    return min(row["leaves"] for row in table if row["error"] <= limit)
""",
        "wrong_type": """
def one_se(table):
    best = min(table, key=lambda row: (row["error"], row["leaves"]))
    good = [row for row in table if row["error"] <= best["error"] + best["se"]]
    return min(good, key=lambda row: row["leaves"])
""",
    },
    "q7": {
        "keys": """
def best_on_path(tree, rows, labels):
    step, best = {"alpha": 0, "tree": tree}, None
    while step:
        step["errors"] = errors(step["tree"], rows, labels)
        if best is None or step["errors"] <= best["errors"]:
            best = step
        step = next_tree(step["tree"]) if "branches" in step["tree"] else None
    return best
""",
        "larger": """
def best_on_path(tree, rows, labels):
    step, found = {"alpha": 0, "tree": tree}, []
    while step:
        tree = step["tree"]
        found.append({"alpha": step["alpha"], "leaves": len(leaves(tree)),
                      "errors": errors(tree, rows, labels)})
        step = next_tree(tree) if "branches" in tree else None
    return min(found, key=lambda row: row["errors"])
""",
        "no_grown": """
def best_on_path(tree, rows, labels):
    found = []
    while "branches" in tree:
        step = next_tree(tree)
        tree = step["tree"]
        found.append({"alpha": step["alpha"], "leaves": len(leaves(tree)),
                      "errors": errors(tree, rows, labels)})
    return min(found, key=lambda row: (row["errors"], row["leaves"]))
""",
        "no_root": """
def best_on_path(tree, rows, labels):
    alpha, found = 0, []
    while "branches" in tree:
        found.append({"alpha": alpha, "leaves": len(leaves(tree)),
                      "errors": errors(tree, rows, labels)})
        step = next_tree(tree)
        alpha, tree = step["alpha"], step["tree"]
    return min(found, key=lambda row: (row["errors"], row["leaves"]))
""",
        "greedy": """
def best_on_path(tree, rows, labels):
    best = {"alpha": 0, "leaves": len(leaves(tree)), "errors": errors(tree, rows, labels)}
    while "branches" in tree:
        step = next_tree(tree)
        tree = step["tree"]
        now = errors(tree, rows, labels)
        if now > best["errors"]:
            break
        best = {"alpha": step["alpha"], "leaves": len(leaves(tree)), "errors": now}
    return best
""",
        "next_alpha": """
def best_on_path(tree, rows, labels):
    best = None
    while True:
        step = next_tree(tree) if "branches" in tree else None
        now = errors(tree, rows, labels)
        alpha = step["alpha"] if step else alpha
        if best is None or now <= best["errors"]:
            best = {"alpha": alpha, "leaves": len(leaves(tree)), "errors": now}
        if step is None:
            return best
        tree = step["tree"]
""",
    },
}

HARMLESS = {
    "q1": {
        "a loop, np.argmax": """
def answer(tree, row):
    while "branches" in tree and row[tree["ask"]] in tree["branches"]:
        tree = tree["branches"][row[tree["ask"]]]
    names = list(tree["counts"])
    return np.array(names)[np.argmax(list(tree["counts"].values()))]
""",
    },
    "q2": {
        "a new tree, keys in another order, leaves copied": """
def reduced_error(tree, rows, labels):
    leaf = {"counts": dict(tree["counts"])}
    if "branches" not in tree:
        return leaf
    new = {"branches": {}, "ask": tree["ask"], "counts": dict(tree["counts"])}
    for value in reversed(tree["branches"]):
        here = [(row, label) for row, label in zip(rows, labels) if row[tree["ask"]] == value]
        part = list(zip(*here)) or [[], []]
        new["branches"][value] = reduced_error(tree["branches"][value], *map(list, part))
    return new if errors(new, rows, labels) < errors(leaf, rows, labels) else leaf
""",
    },
    "q3a": {
        "SciPy's root finder": """
from scipy.optimize import brentq
from scipy.stats import binom

def upper_limit(e, n, cf):
    return 1 if e == n else brentq(lambda p: binom.cdf(e, n, p) - cf, 0, 1)
""",
        "the beta distribution": """
from scipy.special import betaincinv

def upper_limit(e, n, cf):
    return np.float64(1) if e == n else betaincinv(e + 1, n - e, 1 - cf)
""",
    },
    "q3b": {
        "a recursion instead of leaves": """
def expected_below(tree, cf):
    if "branches" in tree:
        return sum(expected_below(child, cf) for child in tree["branches"].values())
    return size(tree) * upper_limit(wrong(tree), size(tree), cf)

def pessimism(tree, cf):
    leaf = expected_below({"counts": tree["counts"]}, cf)
    subtree = expected_below(tree, cf)
    decision = "keep" if leaf > subtree + 0.1 else "cut"
    return {"decision": decision, "leaf": np.float64(leaf), "subtree": subtree}
""",
    },
    "q4": {
        "SciPy's table test, an array": """
from scipy.stats import chi2_contingency

def chi_square(tree):
    O = np.array([list(child["counts"].values()) for child in tree["branches"].values()])
    found = chi2_contingency(O[:, O.any(axis=0)], correction=False)
    return np.array([found.statistic, found.dof])
""",
        "loops, a list": """
def chi_square(tree):
    n, value = size(tree), 0
    classes = [name for name in tree["counts"] if tree["counts"][name] > 0]
    for child in tree["branches"].values():
        for name in classes:
            E = size(child) * tree["counts"][name] / n
            value += (child["counts"][name] - E) ** 2 / E
    return [value, (len(tree["branches"]) - 1) * (len(classes) - 1)]
""",
    },
    "q5": {
        "levels instead of a recursion, logarithms of factorials": """
def description_length(tree, attributes):
    bits, level = 0, [tree]
    while level:
        below = []
        for node in level:
            if "branches" in node:
                bits += 1 + np.log2(attributes)
                below += node["branches"].values()
            else:
                n, k = size(node), wrong(node)
                logs = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
                bits += 2 + np.log2(int((n + 1) / 2) + 1) + logs / np.log(2)
        level, attributes = below, attributes - 1
    return bits
""",
    },
    "q6a": {
        "shares first": """
def g(node, n):
    R_t, R_T = wrong(node) / n, sum(wrong(leaf) / n for leaf in leaves(node))
    return (R_t - R_T) / (len(leaves(node)) - 1)
""",
    },
    "q6b": {
        "a deep copy, changed from the top": """
import copy

def next_tree(tree):
    tree, n = copy.deepcopy(tree), size(tree)
    alpha = min(g(node, n) for node in inner_nodes(tree))
    weak = [node for node in inner_nodes(tree) if g(node, n) <= alpha + 1e-9]
    for node in weak:
        node.pop("branches")
        node.pop("ask")
    return {"tree": tree, "alpha": np.float64(alpha)}
""",
    },
    "q6c": {
        "sorted by leaves, a loop": """
def one_se(table):
    rows = sorted(table, key=lambda row: row["leaves"])
    least = min(rows, key=lambda row: row["error"])
    for row in rows:
        if row["error"] - least["error"] <= least["se"]:
            return np.int64(row["leaves"])
""",
    },
    "q7": {
        "the best so far": """
def best_on_path(tree, rows, labels):
    step, best = {"alpha": 0.0, "tree": tree}, None
    while step:
        tree = step["tree"]
        now = errors(tree, rows, labels)
        if best is None or now <= best["errors"]:
            best = {"errors": now, "alpha": step["alpha"], "leaves": len(leaves(tree))}
        step = next_tree(tree) if "branches" in tree else None
    return best
""",
    },
}
