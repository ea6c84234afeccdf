"""Trees as nested dicts, and the right and the wrong ways to prune them, for exercise 03.

A leaf is {"counts": {class: cases}}; an inner node has "ask", the attribute, and "branches",
{value: tree}, too. Without options the functions give the right answer, and each option makes a
known mistake. While grading, students find the examples here, and no function.
"""

import math
from collections import Counter
from statistics import NormalDist

import numpy as np

from mlcourse.datasets import load_breast_cancer_ljubljana, load_play_tennis
from mlcourse.pessimistic import pessimistic_error

TIE = 1e-9  # values of g closer than this are equal


def children(tree):
    """List the children of a node."""
    return list(tree.get("branches", {}).values())


def inner_nodes(tree):
    """List the nodes that ask something, a node before those below it."""
    below = [node for child in children(tree) for node in inner_nodes(child)]
    return [tree, *below] if children(tree) else []


def leaves(tree):
    """List the leaves of a tree."""
    return [leaf for child in children(tree) for leaf in leaves(child)] or [tree]


def leaf_of(tree):
    """Return the node as a leaf."""
    return {"counts": tree["counts"]}


def size(node):
    """Return the number of cases of a node."""
    return sum(node["counts"].values())


def wrong(node):
    """Return the training errors of a node as a leaf."""
    return size(node) - max(node["counts"].values())


# Growing ---------------------------------------------------------------------------------------


def grow(rows, labels, attributes, classes):
    """Grow a tree as ID3 does, with branches for the values that occur."""
    tree = {"counts": {name: labels.count(name) for name in classes}}
    usable = [a for a in attributes if len({row[a] for row in rows}) > 1]
    if len(set(labels)) < 2 or not usable:
        return tree

    def left(attribute):  # cases × H(class | attribute)
        values = Counter(row[attribute] for row in rows)
        cells = Counter((row[attribute], label) for row, label in zip(rows, labels, strict=True))
        return round(-sum(n * math.log2(n / values[cell[0]]) for cell, n in cells.items()), 9)

    ask = min(usable, key=left)
    rest = [attribute for attribute in usable if attribute != ask]
    tree |= {"ask": ask, "branches": {}}
    for value in sorted({row[ask] for row in rows}):
        here = [i for i, row in enumerate(rows) if row[ask] == value]
        part = [rows[i] for i in here], [labels[i] for i in here]
        tree["branches"][value] = grow(*part, rest, classes)
    return tree


ATTRIBUTES = [
    *("age", "menopause", "tumor_size", "inv_nodes", "node_caps", "deg_malig"),
    *("breast", "breast_quad", "irradiat"),
]


def patients(seed, attributes=ATTRIBUTES):
    """Return (tree, rows, labels): grown on two thirds of the patients, the others to validate."""
    X, y = load_breast_cancer_ljubljana()
    X = X.dropna()
    rows = X[attributes].astype(str).to_dict("records")
    labels = ["back" if label.startswith("rec") else "well" for label in y[X.index]]
    order = np.random.default_rng(seed).permutation(len(rows)).tolist()
    cut = 2 * len(rows) // 3
    train, others = order[:cut], order[cut:]
    pick = [rows[i] for i in train], [labels[i] for i in train]
    tree = grow(*pick, attributes, ["well", "back"])
    return tree, [rows[i] for i in others], [labels[i] for i in others]


# Answers and errors ----------------------------------------------------------------------------


def answer(tree, row, best=max, unknown=None, root=None):
    """Return the class of a row."""
    root = root or tree
    value = row[tree["ask"]] if children(tree) else None
    if value in tree.get("branches", {}):
        return answer(tree["branches"][value], row, best, unknown, root)
    if unknown and children(tree):
        return answer(unknown(tree, root), row, best, unknown, root)
    return best(tree["counts"], key=tree["counts"].get)


def last(counts, key):
    """Return the class with most cases, the last one at a tie."""
    return max(reversed(counts), key=key)


def largest_child(tree, _):
    """Return the child with most cases."""
    return max(children(tree), key=size)


def errors(tree, rows, labels):
    """Count the rows that a tree gets wrong."""
    return sum(answer(tree, row) != label for row, label in zip(rows, labels, strict=True))


# Pruning ---------------------------------------------------------------------------------------


def reduced(tree, rows, labels, tie=0, top=False, all_rows=False, judge=errors):
    """Return the tree after reduced-error pruning."""
    if not children(tree):
        return tree
    leaf, branches = leaf_of(tree), {}
    as_leaf = judge(leaf, rows, labels) + tie
    if top and as_leaf <= judge(tree, rows, labels):
        return leaf
    for value, child in tree["branches"].items():
        here = [i for i, row in enumerate(rows) if all_rows or row[tree["ask"]] == value]
        part = [rows[i] for i in here], [labels[i] for i in here]
        branches[value] = reduced(child, *part, tie, top, all_rows, judge)
    pruned = {**tree, "branches": branches}
    return leaf if not top and as_leaf <= judge(pruned, rows, labels) else pruned


def training_errors(tree, *_):
    """Count the training errors of the leaves."""
    return sum(map(wrong, leaves(tree)))


def limit(e, n, cf):
    """Return U(e, n), the exact binomial limit."""
    return float(pessimistic_error(n, e, cf, convention="binomial"))


def normal_limit(e, n, cf):
    """Return U(e, n) by the normal approximation."""
    z, f = NormalDist().inv_cdf(1 - cf), e / n
    spread = math.sqrt(f / n - f**2 / n + z**2 / (4 * n**2))
    return (f + z**2 / (2 * n) + z * spread) / (1 + z**2 / n)


def pessimism(tree, cf, limit=limit, weigh=size, parts=leaves, pooled=False, slack=0.1):
    """Return the expected errors of a node as leaf and as subtree, and the decision."""

    def expected(node):
        return weigh(node) * limit(wrong(node), size(node), cf)

    leaf, subtree = expected(tree), sum(map(expected, parts(tree)))
    if pooled:
        subtree = size(tree) * limit(training_errors(tree), size(tree), cf)
    decision = "cut" if leaf <= subtree + slack else "keep"
    return {"leaf": leaf, "subtree": subtree, "decision": decision}


def pearson(tree, term=lambda o, e: (o - e) ** 2 / e, even=False, parts=children, df=None):
    """Return [χ², degrees of freedom] of the split at the root."""
    table = np.array([list(part["counts"].values()) for part in parts(tree)], dtype=float)
    observed = table[:, table.sum(axis=0) > 0]  # classes that occur
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / observed.sum()
    if even:
        expected = np.full(observed.shape, observed.mean())
    branches, classes = observed.shape
    degrees = df(branches, classes, table.shape[1]) if df else (branches - 1) * (classes - 1)
    return [float(term(observed, expected).sum()), degrees]


def exceptions(leaf, how_many=1):
    """Return the bits of the exceptions of a leaf, for two classes."""
    n, k = size(leaf), wrong(leaf)
    return how_many * math.log2((n + 1) // 2 + 1) + math.log2(math.comb(n, k))


def bits(tree, attributes, extra=exceptions, bit=1, used=1, inner=0):
    """Return the bits of a tree and of its exceptions."""
    if not children(tree):
        return bit + 1 + extra(tree)
    below = sum(bits(child, attributes - used, extra, bit, used, inner) for child in children(tree))
    return bit + math.log2(attributes) + below + inner * extra(tree)


# Cost-complexity -------------------------------------------------------------------------------


def link(node, n, less=1, parts=leaves, own=False):
    """Return g of a node in a tree of n training cases."""
    ends = parts(node)
    saved = wrong(node) - sum(map(wrong, ends))
    return saved / (size(node) if own else n) / (len(ends) - less)


def broken(tree, least, n, g, once=False):
    """Return the tree with every node cut whose g is least, or the first one only."""
    left = [1 if once else math.inf]  # cuts that may still be made

    def walk(node):
        if not children(node):
            return node
        if left[0] > 0 and abs(g(node, n) - least) < TIE:
            left[0] -= 1
            return leaf_of(node)
        branches = {value: walk(child) for value, child in node["branches"].items()}
        return {**node, "branches": branches}

    return walk(tree)


def next_tree(tree, g=link, choose=min, once=False, lowest=False):
    """Return the least g and the tree with its weakest links cut."""
    n, nodes = size(tree), inner_nodes(tree)
    if lowest:
        nodes = [node for node in nodes if not any(map(children, children(node)))]
    least = choose(g(node, n) for node in nodes)
    return {"alpha": least, "tree": broken(tree, least, n, g, once)}


def one_se(table, own=False, strict=False, width=1, best=min):
    """Return the leaves of the tree that the 1-SE rule chooses."""
    first = min(table, key=lambda row: (row["error"], row["leaves"]))

    def highest(row):  # the error that is still good enough
        return first["error"] + width * (row if own else first)["se"]

    good = [
        row["leaves"]
        for row in table
        if row["error"] < highest(row) or (row["error"] == highest(row) and not strict)
    ]
    return best(good)


def best_on_path(tree, rows, labels, first=0, root=True, greedy=False, later=0, larger=False):
    """Return alpha, leaves and errors of the best tree of the path on these rows."""
    steps = [{"alpha": 0.0, "tree": tree}]
    while children(steps[-1]["tree"]):
        steps.append(next_tree(steps[-1]["tree"]))
    counts = [errors(step["tree"], rows, labels) for step in steps]
    places = range(first, len(steps) - (not root)) or range(len(steps))
    if greedy:
        rises = [i for i in range(1, len(counts)) if counts[i] > counts[i - 1]]
        places = range(rises[0] if rises else len(steps))
    place = min(places, key=lambda i: (counts[i], i if larger else -i))
    alpha = steps[min(place + later, len(steps) - 1)]["alpha"]
    return {
        "alpha": alpha,
        "leaves": len(leaves(steps[place]["tree"])),
        "errors": counts[place],
    }


# Examples -------------------------------------------------------------------------------------


def _leaf(yes, no):
    return {"counts": {"yes": yes, "no": no}}


def _ask(ask, **branches):
    """Make an inner node whose counts are the sums of its children's."""
    classes = next(iter(branches.values()))["counts"]
    counts = {name: sum(child["counts"][name] for child in branches.values()) for name in classes}
    return {"counts": counts, "ask": ask, "branches": branches}


X, y = load_play_tennis()
DAYS, PLAY = X.astype(str).to_dict("records"), y.astype(str).tolist()
TENNIS = grow(DAYS, PLAY, list(X), ["yes", "no"])
FILM = _ask(
    "genre",
    comedy=_ask("length", short=_leaf(6, 1), long=_leaf(3, 3)),
    drama=_ask(
        "length",
        short=_ask("stars", few=_leaf(1, 4), many=_leaf(4, 0)),
        long=_ask("stars", few=_leaf(1, 9), many=_leaf(2, 3)),
    ),
    horror=_leaf(0, 5),
)
RISK = {  # three classes
    "counts": {"low": 14, "high": 12, "none": 10},
    "ask": "smoker",
    "branches": {
        "never": {"counts": {"low": 8, "high": 3, "none": 1}},
        "once": {"counts": {"low": 4, "high": 6, "none": 2}},
        "often": {"counts": {"low": 2, "high": 3, "none": 7}},
    },
}
DRAMA = FILM["branches"]["drama"]
CLOSE = _ask("rain", some=_leaf(3, 0), much=_leaf(4, 5))
ABSENT = {
    "counts": {"low": 9, "high": 7, "none": 0},
    "ask": "age",
    "branches": {
        "young": {"counts": {"low": 6, "high": 1, "none": 0}},
        "old": {"counts": {"low": 3, "high": 6, "none": 0}},
    },
}
SPINE = _ask(
    "start",
    low=_ask("age", baby=_leaf(3, 1), child=_ask("number", few=_leaf(4, 2), many=_leaf(2, 5))),
    high=_ask("age", baby=_leaf(14, 0), child=_ask("number", few=_leaf(6, 2), many=_leaf(3, 2))),
)
TIED = _ask(
    "color",
    red=_ask("shape", round=_leaf(1, 9), square=_leaf(3, 2)),
    blue=_ask("shape", round=_leaf(2, 9), square=_ask("size", big=_leaf(7, 1), small=_leaf(3, 4))),
)
FILMS = [
    {"genre": "comedy", "length": "short", "stars": "few"},
    {"genre": "comedy", "length": "long", "stars": "many"},
    {"genre": "drama", "length": "short", "stars": "some"},
    {"genre": "drama", "length": "endless", "stars": "few"},
    {"genre": "western", "length": "long", "stars": "few"},
    {"genre": "drama", "length": "long", "stars": "some"},
    {"genre": "comedy", "length": "endless", "stars": "few"},
    {"genre": "horror", "length": "short", "stars": "few"},
]
CRITIC = """comedy short few yes; comedy long few no; comedy long many no; drama short few no
    drama short many yes; drama short few no; drama long few no; drama long many yes
    drama long many yes; horror short few no; western long many yes; comedy short many yes"""
CRITIC = [film.split() for film in CRITIC.replace("\n", ";").split(";")]
SEEN = [dict(zip(("genre", "length", "stars"), film, strict=False)) for film in CRITIC]
LIKED = [film[-1] for film in CRITIC]
SPLITS = [patients(seed) for seed in (3, 4)]


def _cv(*rows):
    """Make a table of cross-validation from (leaves, errors, standard error) of 64 rows."""
    return [{"leaves": k, "error": e / 64, "se": se / 64} for k, e, se in rows]


VALLEY = _cv((30, 18, 2), (12, 15, 2), (7, 14, 3), (4, 16, 5), (2, 17, 2), (1, 24, 3))
ROUGH = _cv((1, 40, 4), (9, 20, 3), (3, 24, 4), (14, 21, 1), (5, 22, 4), (20, 20, 5))
STEEP = _cv((8, 10, 2), (5, 12, 1), (3, 15, 6), (2, 13, 1), (11, 11, 2))
