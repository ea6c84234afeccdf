"""Exercise 06, random forests: the visible cases, the known mistakes and the hints.

Trees are nested dicts; how they are grown, asked and shuffled, rightly and wrongly, stands in
``trees06``.
"""

import math
from functools import partial

import numpy as np

from mlcourse import forest
from mlcourse.checks import Case, Question, trees06
from mlcourse.checks.trees06 import any_node, drawn_at, importance, likeness, listed, odd_one, split


def _is_here(thing):
    return getattr(thing, "__module__", "") == trees06.__name__


Asked = partial(
    Question,
    asks=(
        *(*forest.__all__, "CARTClassifier", "C45Classifier", "gini", "gini_index", "split_table"),
        *(f"checks.trees06.{name}" for name, thing in vars(trees06).items() if _is_here(thing)),
    ),
)

# 1: drawing columns ---------------------------------------------------------------------------

RULES = {  # d → the number before rounding
    "sqrt": math.sqrt,
    "log2": math.log2,
    "breiman": lambda d: math.log2(d) + 1,
    "third": lambda d: d / 3,
}


def _per_node(d, rule, round_to=math.floor, least=1, rules=RULES):
    return max(least, int(round_to(rules[rule](d))))


q1a = Asked(
    *("q1a", "Columns per node", 1, "columns_per_node"),
    reference=_per_node,
    cases=tuple(Case((d, rule)) for d in (57, 15, 8, 2, 1) for rule in RULES),
    mistakes="""
        nearest: this rounds to the nearest whole number: round down.
        up: this rounds up: round down.
        nats: this is the natural logarithm: take the one to base 2.
        inside: Breiman's rule adds 1 to the logarithm, not to d.
        zero: a node that draws no column cannot ask anything: the least number is 1.
    """,
    gives={
        "nearest": partial(_per_node, round_to=lambda x: math.floor(x + 1 / 2)),
        "up": partial(_per_node, round_to=math.ceil),
        "nats": partial(
            _per_node, rules=RULES | {"log2": math.log, "breiman": lambda d: math.log(d) + 1}
        ),
        "inside": partial(_per_node, rules=RULES | {"breiman": lambda d: math.log2(d + 1)}),
        "zero": partial(_per_node, least=0),
    },
    hints=(
        "Compute the number of each rule first, and round it down at the very end.",
        "int and math.floor round down; math.log2 is the logarithm to base 2.",
        "A dict from the rule to its number, then max(1, int(number)).",
    ),
)

q1b = Asked(
    *("q1b", "A draw without a good column", 2, "misses"),
    reference=lambda d, k, m: math.comb(d - k, m) / math.comb(d, m),
    cases=tuple(map(Case, ((4, 1, 2), (6, 2, 3), (60, 3, 7), (5, 2, 4), (10, 10, 1)))),
    mistakes="""
        replacement: this draws with replacement: a node never draws the same column twice.
        hit: this is the chance of at least one good column: the question asks for none.
        one_column: this is the chance to miss one certain column: all k good ones must be missed.
        independent: the k misses are not independent: one column not drawn leaves fewer others.
    """,
    gives={
        "replacement": lambda d, k, m: ((d - k) / d) ** m,
        "hit": lambda d, k, m: 1 - math.comb(d - k, m) / math.comb(d, m),
        "one_column": lambda d, k, m: (d - m) / d,
        "independent": lambda d, k, m: ((d - m) / d) ** k,
    },
    hints=(
        "How many sets of m columns are there? How many of them avoid the good columns?",
        "A set that avoids the k good columns is drawn from the other d − k.",
        "math.comb(n, m) counts the sets of m out of n. Divide the one number by the other.",
    ),
)

# 2: the best split among the drawn columns ----------------------------------------------------


TABLE = [  # ten rows, four columns
    *([24, 20, 7, 19], [9, 4, 23, 1], [1, 7, 6, 21], [15, 13, 16, 10], [7, 3, 19, 23]),
    *([12, 1, 9, 14], [18, 18, 11, 11], [14, 25, 3, 18], [25, 12, 20, 7], [21, 17, 18, 20]),
]
LABELS = ["yes", "no", "no", "yes", "yes", "no", "no", "no", "yes", "yes"]
FLAT = [[7, 1, 7], [7, 3, 7], [7, 8, 7]]

q2 = Asked(
    *("q2", "The best split among some columns", 3, "best_split"),
    kind=trees06.question,
    prepare=lambda X, y, columns: (np.array(X), np.array(y), columns),
    reference=split,
    cases=(
        *(
            Case((TABLE, LABELS, list(c)), label=f"best_split(TABLE, LABELS, {list(c)})")
            for c in ((0,), (3, 2), (1, 2), (3, 0, 1))
        ),
        Case((FLAT, ["no", "no", "yes"], [2, 0])),
    ),
    mistakes="""
        all_columns: this looks at all columns: only those in columns were drawn.
        position: the first number is the place in columns: return the number of the column in X.
        unweighted: both sides count the same here: weigh each by its share of the rows.
        value: the threshold is a value of the column: take the middle between two neighbors.
        worst: this is the split that leaves most impurity: look for the least.
    """,
    gives={
        "all_columns": lambda X, y, columns, **how: split(X, y, range(len(X[0])), **how),
        "position": trees06.place_in_list,
        "unweighted": partial(split, score=partial(trees06.left_over, weigh=False)),
        "value": partial(split, place=lambda low, high: low),
        "worst": partial(split, score=lambda left, right: -trees06.left_over(left, right)),
    },
    hints=(
        "Write a helper for the Gini impurity of some labels. Then try every column in columns, "
        "and for each of them every middle between two neighbors.",
        "np.unique(X[:, column]) gives the different values in order. A column with one value "
        "has no middle, so it offers no split.",
        "Keep the best so far: best = None, least = infinity; whenever a split leaves less, "
        "remember its impurity, its column and its threshold.",
    ),
)

# 3: trees -------------------------------------------------------------------------------------


DRAWS = {"": [1, 2], "L": [3], "R": [0, 3], "LL": [0], "LR": [1], "RL": [1], "RR": [2]}
HERD = ["owl", "cat", "cat", "cat", "owl", "cat", "owl", "cat", "owl", "owl"]
GROWN = {
    "TABLE, LABELS, DRAWS": (TABLE, LABELS, DRAWS),
    "TABLE, HERD, DRAWS": (TABLE, HERD, DRAWS),
    'TABLE, HERD, {"": [3], "L": [0], "R": [2]}': (TABLE, HERD, {"": [3], "L": [0], "R": [2]}),
    'FLAT, HERD[:3], {"": [0, 2]}': (FLAT, HERD[:3], {"": [0, 2]}),
}
q3a = Asked(
    *("q3a", "A tree that draws at every node", 4, "grow"),
    kind=trees06.tree_of,
    prepare=lambda X, y, draws: (np.array(X), np.array(y), draws),
    reference=trees06.grow,
    cases=tuple(Case(args, label=f"grow({call})") for call, args in GROWN.items()),
    mistakes="""
        pure: a node asks though all of its rows have one class: it should be a leaf.
        per_tree: every node uses the draw of the root: in a forest each has its own. Is the path handed down, with "L" or "R" added?
        mirrored: the draws of left and right are mixed up: the left child is at path + "L".
        no_draw: a node asks where draws has no entry: that is a leaf.
        all_columns: a node asks about a column that it has not drawn: use draws[path].
        sides: left and right are exchanged: rows with a value <= threshold go left.
        leaf: the questions are right, but a leaf says the wrong class: the most frequent one answers, of equals the first in the alphabet.
        stopped: a node stops too early: it has two classes, a draw, and a split.
    """,  # noqa: E501
    shows={
        "pure": any_node(lambda path, column, classes, draws: len(classes) < 2),
        "per_tree": drawn_at(lambda path: ""),
        "mirrored": drawn_at(lambda path: path.translate(str.maketrans("LR", "RL"))),
        "no_draw": any_node(lambda path, column, classes, draws: path not in draws),
        "all_columns": any_node(lambda path, column, _, draws: column not in draws[path]),
        "sides": trees06.exchanged,
        "leaf": trees06.same_questions,
        "stopped": trees06.smaller,
    },
    hints=(
        "First the three reasons to be a leaf: one class only, no draw for this path, no split.",
        "Otherwise low = X[:, column] <= threshold says which rows go left. The function calls "
        "itself on X[low], y[low] and on X[~low], y[~low].",
        'The left child is grow(X[low], y[low], draws, path + "L"). np.unique(y, '
        "return_counts=True) lists the classes in the order of the alphabet with their counts.",
    ),
)


STUMP = {"column": 1, "threshold": 4, "left": "cat", "right": "owl"}
TREES = [trees06.grow(TABLE, y, DRAWS) for y in (LABELS, HERD)]
q3b = Asked(
    *("q3b", "The answers of a tree", 1, "answers"),
    kind=listed,
    prepare=lambda tree, X: (tree, np.array(X)),
    reference=trees06.answers,
    cases=(
        Case((STUMP, TABLE), label="answers(STUMP, TABLE)"),
        *(Case((t, TABLE), label=f"answers(TREES[{i}], TABLE)") for i, t in enumerate(TREES)),
        Case(("cat", FLAT)),
    ),
    mistakes="""
        strict: a value that is equal to the threshold goes left.
        sides: left and right are exchanged: a value <= threshold goes left.
        first_row: every row gets the answer of the first row: walk down anew for each.
    """,
    gives={
        "strict": partial(trees06.answers, left=lambda value, threshold: value < threshold),
        "sides": partial(trees06.answers, left=lambda value, threshold: value > threshold),
        "first_row": lambda tree, X: trees06.answers(tree, X[:1]) * len(X),
    },
    hints=(
        "Take one row first. Start at the top: while the node is a dict, go left or right.",
        'isinstance(node, dict) is true as long as there is a question; x[node["column"]] is '
        "the value it asks about.",
        "A loop over the rows of X, a while loop inside, and a list of what it ends at.",
    ),
)

# 4: correlation -------------------------------------------------------------------------------


TRUTH = [*"abbabbab"]
SAID = [[*tree] for tree in ("abaaabab", "bbaabbbb", "ababbbaa", "abbbaabb")]
q4 = Asked(
    *("q4", "Correlation of the errors", 2, "mean_correlation"),
    prepare=lambda said, y: (np.array(said), np.array(y)),
    reference=likeness,
    cases=(
        *(Case((SAID[:t], TRUTH), label=f"mean_correlation(SAID[:{t}], TRUTH)") for t in (2, 3, 4)),
        Case(([[*"abba"], [*"aabb"]], [*"aaaa"])),
    ),
    mistakes="""
        answers: this correlates the answers: two good trees agree because both are right. Compare their errors.
        diagonal: every tree is perfectly correlated with itself: leave the diagonal out.
        agreement: this is the share of rows where both are right or both are wrong, not the correlation.
        covariance: these are covariances: a correlation is divided by both standard deviations.
    """,  # noqa: E501
    gives={
        "answers": lambda s, y: likeness(s, y, lambda said, y: said == min(np.unique(said))),
        "diagonal": partial(likeness, mean=np.mean),
        "agreement": partial(likeness, alike=trees06.agreement),
        "covariance": partial(likeness, alike=np.cov),
    },
    hints=(
        "First the table of errors: where does said differ from y? It has a row for each tree.",
        "np.corrcoef(errors) is the table (T, T) of all correlations between its rows.",
        "np.triu_indices(T, k=1) picks the entries above the diagonal; take their mean.",
    ),
)

# 5: permutation importance --------------------------------------------------------------------

BAGS = [  # the rows that each of three trees was grown on
    *([0, 0, 0, 1, 1, 2, 5, 8, 8, 8], [0, 1, 1, 2, 3, 4, 4, 6, 6, 7]),
    *([1, 3, 4, 4, 4, 5, 5, 6, 7, 8],),
]
FOREST = [
    trees06.grow(
        *([part[i] for i in bag] for part in (TABLE, LABELS)), dict.fromkeys(DRAWS, range(4))
    )
    for bag in BAGS
]
COUNTS = [[bag.count(i) for i in range(len(TABLE))] for bag in BAGS]
ORDERS = [[9, 6, 7, 3, 4], [9, 5, 8], [0, 9, 2]]


def _whole_rows(mixed, X, out, order, column):
    mixed[out] = X[order]


def _backwards(mixed, X, out, order, column):
    mixed[order, column] = X[out, column]


q5 = Asked(
    *("q5", "Permutation importance", 4, "importance"),
    prepare=lambda trees, X, y, counts, column, orders: (
        *(trees, np.array(X), np.array(y), np.array(counts), column, orders),
    ),
    reference=importance,
    cases=tuple(
        Case(
            (FOREST, TABLE, LABELS, COUNTS, column, ORDERS),
            label=f"importance(FOREST, TABLE, LABELS, COUNTS, {column}, ORDERS)",
        )
        for column in range(4)
    ),
    mistakes="""
        sign: the sign is reversed: the importance is the error after the shuffle minus that before.
        after: this is the error after the shuffle: how much did it rise?
        all_rows: this divides by all N rows: a tree is judged by its rows out of bag only.
        pooled: this puts the rows of all trees together: take the rise of each tree, then the mean.
        whole_rows: this shuffles whole rows: only the one column may change.
        backwards: the shuffle goes the wrong way: row out[i] gets the value of row orders[t][i].
    """,
    gives={
        "sign": partial(importance, result=lambda b, a, out, n: np.mean((b - a) / out)),
        "after": partial(importance, result=lambda b, a, out, n: np.mean(a / out)),
        "all_rows": partial(importance, result=lambda b, a, out, n: np.mean((a - b) / n)),
        "pooled": partial(importance, result=lambda b, a, out, n: np.sum(a - b) / np.sum(out)),
        "whole_rows": partial(importance, mix=_whole_rows),
        "backwards": partial(importance, mix=_backwards),
    },
    hints=(
        "One tree first. out = np.flatnonzero(counts[t] == 0) are the rows it has not seen. How "
        "often is it wrong about X[out]?",
        "mixed = X[out] is a copy: picking rows by their numbers makes one. Put X[orders[t], "
        "column] into its column, and ask the tree again.",
        "The rise of tree t is the mean of (answers about mixed != y[out]) minus the mean of "
        "(answers about X[out] != y[out]). Return the mean of all rises.",
    ),
)

# 6: proximity ---------------------------------------------------------------------------------

LEAVES = [
    row.split() for row in ("LL L R", "LL L LL", "R R R", "LR L R", "R LL LL", "LR R LL", "R L R")
]
q6a = Asked(
    *("q6a", "Proximity", 1, "proximity"),
    kind=partial(listed, depth=2),
    prepare=lambda leaves: (np.array(leaves),),
    reference=lambda leaves: trees06.proximity(leaves).tolist(),
    cases=tuple(
        Case((LEAVES[part],), label=f"proximity(LEAVES{p})")
        for p, part in {"": slice(None), "[:4]": slice(4), "[2:]": slice(2, None)}.items()
    ),
    mistakes="""
        counts: these are numbers of trees: divide by T to get shares.
        rows: this divides by the number of rows: divide by the number of trees.
        trees: this compares trees with each other: the table should have a row for each row.
        diagonal: a row is in the same leaf as itself in every tree: the diagonal is 1.
    """,
    gives={
        "counts": lambda v: (trees06.proximity(v) * len(v[0])).tolist(),
        "rows": lambda v: (trees06.proximity(v) * len(v[0]) / len(v)).tolist(),
        "trees": lambda v: trees06.proximity(np.transpose(v)).tolist(),
        "diagonal": lambda v: (trees06.proximity(v) - np.eye(len(v))).tolist(),
    },
    hints=(
        "For two rows i and j: in how many columns do leaves[i] and leaves[j] agree?",
        "np.mean(leaves[i] == leaves[j]) is the share. Do it for every i and every j.",
    ),
)

PERCENT = {  # classes, and proximities above the diagonal, row by row, in percent
    "aaabbbb": "70 34 26 94 21 34 63 76 63 84 9 40 57 44 40 38 8 14 54 48 92",
    "abbaabbbb": "26 82 28 18 21 41 22 86 79 78 43 7 28 45 58 45 59 39 63 7 87 53 18 79 38 84 30 "
    "86 6 44 21 44 40 94 40 73",
    "aaaaabbb": "61 40 46 12 60 41 25 19 17 86 34 84 13 11 38 92 46 68 70 60 83 34 9 18 92 14 "
    "70 45",
}


def _near(classes, above):
    """Return the symmetric table of proximities."""
    prox = np.eye(len(classes))
    prox[np.triu_indices(len(classes), k=1)] = [int(value) / 100 for value in above.split()]
    return np.maximum(prox, prox.T).tolist()


NEAR = {classes: _near(classes, above) for classes, above in PERCENT.items()}

q6b = Asked(
    *("q6b", "The odd one out", 2, "odd_one"),
    prepare=lambda prox, y: (np.array(prox), np.array(y)),
    reference=odd_one,
    cases=tuple(
        Case((prox, [*y]), label=f'odd_one(NEAR["{y}"], list("{y}"))') for y, prox in NEAR.items()
    ),
    mistakes="""
        most: this is the row that is most like its class: look for the least proximity.
        all_rows: this looks at the rows of all classes: only those of the row's own class count.
        itself: a row is no evidence about itself: leave it out of its mean.
        total: this adds up the proximities: in a small class the sum is small anyway. Take the mean.
    """,  # noqa: E501
    gives={
        "most": partial(odd_one, sign=-1),
        "all_rows": partial(odd_one, own=False),
        "itself": partial(odd_one, itself=True),
        "total": partial(odd_one, mean=False),
    },
    hints=(
        "For row i: which rows have its class, and are not row i itself?",
        "same = (y == y[i]) marks the rows of the class; same[i] = False takes out the row.",
        "prox[i][same].mean() for every i, then np.argmin.",
    ),
)

QUESTIONS = (q1a, q1b, q2, q3a, q3b, q4, q5, q6a, q6b)
