"""Exercise 03, pruning: the visible cases, the known mistakes and the hints.

Trees are nested dicts; what is done to them, rightly and wrongly, stands in ``trees03``.
"""

import math
from functools import partial

import numpy as np

from mlcourse.checks import Case, Question, Raised, mapping, show, text, trees03
from mlcourse.checks.trees03 import children, leaf_of, leaves

LIBRARY = (
    *("pessimistic_error", "description_length", "one_se_cp", "cross_validate_cp", "prune_cp"),
    *("reduced_error_prune", "pessimistic_prune", "chi_square_prune", "mdl_prune"),
    *("cost_complexity_path", "cost_complexity_prune"),
)
Asked = partial(Question, asks=LIBRARY)  # no answer may come from there


def _cases(function, *calls):
    """Make a case of each call, as a student would type it with the names of trees03."""
    return tuple(
        Case(eval(f"({call},)", dict(vars(trees03))), label=f"{function}({call})") for call in calls
    )


def pair(got):
    """Say what is wrong with an answer that should be two numbers, or return None."""
    if isinstance(got, list | tuple | np.ndarray) and len(got) == 2 and np.ndim(got) == 1:
        return None
    return f"returned {show(got)}: the question asks for a pair, the value and df"


def _with_questions(got):
    """Say whether a leaf still asks something."""
    asks = "ask" in got and not children(got)
    return asks or any(_with_questions(child) for child in children(got))


q1 = Asked(
    *("q1", "The answer of a tree", 2, "answer"),
    kind=text,
    reference=trees03.answer,
    cases=_cases("answer", *(f"FILM, FILMS[{i}]" for i in range(len(trees03.FILMS)))),
    mistakes="""
        root: this is always the root's class: follow the branches down first.
        rarest: this is the rarer class of the node: a leaf answers the class with most cases.
        last_tie: if two classes have equally many cases, the first of them in counts answers.
        no_branch: no branch fits the row's value: then the node itself answers, like a leaf.
        root_answers: no branch fits: the node where the row is stuck answers, not the root.
        largest_child: no branch fits: the node itself answers, not its largest branch.
    """,
    gives={
        "root": lambda tree, row: trees03.answer(leaf_of(tree), row),
        "rarest": partial(trees03.answer, best=min),
        "last_tie": partial(trees03.answer, best=trees03.last),
        "root_answers": partial(trees03.answer, unknown=lambda tree, root: leaf_of(root)),
        "largest_child": partial(trees03.answer, unknown=trees03.largest_child),
    },
    shows={
        "no_branch": lambda got, *_: (
            isinstance(got, Raised) and (got.type == "KeyError" or "NoneType" in got.message)
        )
    },
    hints=(
        "Start at the root. As long as there is a branch for the row's value, go down.",
        "row[tree['ask']] is the row's value. Is it among the keys of tree['branches']?",
        "If it is, return answer(branch, row); if not, or in a leaf, max(counts, key=counts.get).",
    ),
)


q2 = Asked(
    *("q2", "Reduced-error pruning", 4, "reduced_error"),
    kind=mapping,
    reference=trees03.reduced,
    cases=_cases(
        "reduced_error",
        *("FILM, SEEN, LIKED", "TENNIS, DAYS[4:], PLAY[4:]", "*SPLITS[0]", "*SPLITS[1]"),
    ),
    mistakes="""
        question_left: a leaf has counts and nothing else: here one still has an ask.
        strict: a node that is as good as its subtree is kept here: at a tie the question cuts.
        training: the training counts judge here: the rows and labels given should.
        top_down: the node is compared with the subtree as it was grown: prune the branches first.
        all_rows: every branch is judged by all rows: only those that reach it may judge it.
    """,
    gives={
        "strict": partial(trees03.reduced, tie=1),
        "training": partial(trees03.reduced, judge=trees03.training_errors),
        "top_down": partial(trees03.reduced, top=True),
        "all_rows": partial(trees03.reduced, all_rows=True),
    },
    shows={"question_left": lambda got, *_: _with_questions(got)},
    hints=(
        "Think from the bottom up: a node can only be judged when all below it is finished.",
        "A function that calls itself does it: prune each branch with the rows that go there, "
        "and put the pruned branches into a new node.",
        "Then compare errors(leaf, rows, labels) <= errors(new node, rows, labels), with "
        "leaf = {'counts': tree['counts']}. A leaf is returned as it is.",
    ),
)


q3a = Asked(
    *("q3a", "The pessimistic limit", 2, "upper_limit"),
    tolerance=1e-6,
    reference=trees03.limit,
    cases=tuple(
        Case(args)
        for args in ((0, 6, 1 / 4), (1, 16, 1 / 4), (3, 10, 1 / 10), (7, 20, 1 / 4), (2, 2, 1 / 4))
    ),
    mistakes="""
        rate: this is the training error e/n: how bad could the true rate be?
        fewer: this counts up to e − 1 errors: "at most e" includes e itself.
        optimistic: the chance of at most e errors is 1 − cf here: it should be cf, a rare luck.
        two_sided: this is the limit for cf/2: nothing is halved here.
        normal: this is a normal approximation: the question asks for the exact binomial sum.
        coarse: close, but not exact: halve the interval more often, and do not round.
    """,
    gives={
        "rate": lambda e, n, cf: e / n,
        "fewer": lambda e, n, cf: trees03.limit(e - 1, n, cf) if e else 0.0,
        "optimistic": lambda e, n, cf: trees03.limit(e, n, 1 - cf),
        "two_sided": lambda e, n, cf: trees03.limit(e, n, cf / 2),
        "normal": trees03.normal_limit,
    },
    shows={"coarse": lambda got, expected, *_: 0 < abs(got - expected) < 1e-2},
    hints=(
        "The larger p, the smaller the chance of at most e errors. So search: too high, too low?",
        "Start with low = 0 and high = 1. If the middle still gives a chance above cf, U is "
        "higher: low = middle. Else high = middle.",
        "The chance is sum(comb(n, i) * p**i * (1 - p)**(n - i) for i in range(e + 1)). Halve "
        "the interval 50 times.",
    ),
)


KEYS = {"leaf", "subtree", "decision"}
q3b = Asked(
    *("q3b", "Cut or keep, by the pessimist", 3, "pessimism"),
    kind=mapping,
    tolerance=1e-6,
    reference=trees03.pessimism,
    cases=_cases(
        "pessimism",
        *(
            "FILM, 1/4",
            "DRAMA, 1/4",
            'DRAMA["branches"]["short"], 1/4',
            "TENNIS, 1/4",
            "CLOSE, 1/4",
        ),
    ),
    mistakes="""
        keys: the dict should have the keys leaf, subtree and decision, and no others.
        rates: these are rates: a leaf with N cases expects N times its limit.
        training: these are the training errors: use your upper_limit.
        pooled: all cases of the subtree share one limit here: every leaf has its own.
        children: the children are treated as leaves: go down to the leaves of the subtree.
        no_slack: the numbers are right, the decision is not: a tenth of an error is granted.
        decision: the numbers are right, the decision is not: it is the text cut or keep.
    """,
    gives={
        "rates": partial(trees03.pessimism, weigh=lambda node: 1),
        "training": partial(trees03.pessimism, limit=lambda e, n, cf: e / n),
        "pooled": partial(trees03.pessimism, pooled=True),
        "children": partial(trees03.pessimism, parts=children),
        "no_slack": partial(trees03.pessimism, slack=0),
    },
    shows={
        "keys": lambda got, *_: set(got) != KEYS,
        "decision": lambda got, expected, *_: all(
            math.isclose(got[key], expected[key], abs_tol=1e-6) for key in ("leaf", "subtree")
        ),
    },
    hints=(
        "Of a node with its counts: how many cases, how many of them not of its class?",
        "N · upper_limit(e, N, cf) is what one leaf expects; leaves(tree) lists the leaves.",
        "leaf: the node's own N and e. subtree: the sum over leaves(tree). Then compare leaf "
        "with subtree + 1/10.",
    ),
)


def _no_number(got, *_):
    if isinstance(got, Raised):
        return got.type == "ZeroDivisionError"
    return not math.isfinite(got[0])


q4 = Asked(
    *("q4", "Pearson's chi-square of a split", 3, "chi_square"),
    kind=pair,
    reference=trees03.pearson,
    cases=_cases("chi_square", "TENNIS", "RISK", "ABSENT", "FILM"),
    mistakes="""
        empty_class: a class without a case at this node has E = 0: leave it out.
        df_empty: a class without a case at this node adds no degree of freedom.
        unsquared: the differences are not squared.
        undivided: each squared difference is divided by its own E, before you sum.
        even: this expects the same count everywhere: E is branch total × class total / total.
        leaves: these are the leaves of the whole tree: a split has its children as branches.
        df_branches: df counts the branches only: the classes come in too.
        df_cells: df is the number of cells minus one here: the totals are given as well.
    """,
    gives={
        "df_empty": partial(trees03.pearson, df=lambda b, k, all_k: (b - 1) * (all_k - 1)),
        "unsquared": partial(trees03.pearson, term=lambda o, e: abs(o - e) / e),
        "undivided": partial(trees03.pearson, term=lambda o, e: (o - e) ** 2),
        "even": partial(trees03.pearson, even=True),
        "leaves": partial(trees03.pearson, parts=leaves),
        "df_branches": partial(trees03.pearson, df=lambda b, k, _: b - 1),
        "df_cells": partial(trees03.pearson, df=lambda b, k, _: b * k - 1),
    },
    shows={"empty_class": _no_number},
    hints=(
        "Make a table O: a row per child of the node, a column per class.",
        "E is np.outer(row sums, column sums) / total. Drop the columns whose sum is 0 first.",
        "((O - E) ** 2 / E).sum() and (rows − 1) · (columns − 1) of what is left of O.",
    ),
)


q5 = Asked(
    *("q5", "Description length", 3, "description_length"),
    unit="bit",
    reference=trees03.bits,
    cases=_cases(
        "description_length",
        *("TENNIS, 4", '{"counts": {"yes": 9, "no": 5}}, 4', "FILM, 3", "DRAMA, 6"),
    ),
    mistakes="""
        nats: this is in nats: the question asks for bits.
        used_again: an attribute that was asked above cannot be asked again: one fewer per level.
        no_node_bit: every node costs one bit, to say whether it is a leaf or a question.
        tree_only: these are the bits of the tree: where are the exceptions?
        pure_free: a leaf without exceptions has to say so: log₂(b + 1) bits.
        which_only: how many exceptions there are costs log₂(b + 1) bits too.
        everywhere: inner nodes have no exceptions: only a leaf answers.
    """,
    gives={
        "nats": lambda tree, attributes: trees03.bits(tree, attributes) * math.log(2),
        "used_again": partial(trees03.bits, used=0),
        "no_node_bit": partial(trees03.bits, bit=0),
        "tree_only": partial(trees03.bits, extra=lambda leaf: 0),
        "pure_free": partial(
            trees03.bits, extra=lambda leaf: trees03.exceptions(leaf) * (trees03.wrong(leaf) > 0)
        ),
        "which_only": partial(trees03.bits, extra=partial(trees03.exceptions, how_many=0)),
        "everywhere": partial(trees03.bits, inner=1),
    },
    hints=(
        "Write down the bits of one leaf first, then those of a node with two leaves.",
        "A leaf: 1 + 1 + log₂(b + 1) + log₂ of comb(n, k). A question: 1 + log₂(attributes), "
        "plus the bits of its branches.",
        "Each branch is a tree of its own with one attribute fewer: "
        "description_length(child, attributes - 1).",
    ),
)

q6a = Asked(
    *("q6a", "Error saved per extra leaf", 2, "g"),
    reference=trees03.link,
    cases=_cases("g", "FILM, 42", "DRAMA, 42", "SPINE, 44", 'SPINE["branches"]["low"], 44'),
    mistakes="""
        counts: these are numbers of errors: R is a share of all n rows.
        own_rows: the errors are shares of the node's own cases: R is a share of all n rows.
        all_leaves: one leaf is there anyway: divide by the number of extra leaves.
        undivided: this is the whole error saved: divide by the number of extra leaves.
        children: the children are taken for the leaves: go down to the leaves of the subtree.
        sign: the sign is wrong: a node as a leaf makes more errors than its subtree.
    """,
    gives={
        "counts": lambda node, n: trees03.link(node, 1),
        "own_rows": partial(trees03.link, own=True),
        "all_leaves": partial(trees03.link, less=0),
        "undivided": lambda node, n: trees03.link(node, n) * (len(leaves(node)) - 1),
        "children": partial(trees03.link, parts=children),
        "sign": lambda node, n: -trees03.link(node, n),
    },
    hints=(
        "How many training errors does the node make as a leaf, and how many do its leaves make?",
        "wrong(node) is the first number, the sum of wrong over leaves(node) the second.",
        "Their difference, divided by n, divided by the number of leaves minus one.",
    ),
)
q6b = Asked(
    *("q6b", "The weakest link", 4, "next_tree"),
    kind=mapping,
    reference=trees03.next_tree,
    cases=_cases("next_tree", "FILM", "SPINE", "TIED", "TENNIS"),
    mistakes="""
        keys: the dict should have the keys alpha and tree, and no others.
        question_left: a leaf has counts and nothing else: here one still has an ask.
        strongest: this cuts the node with the largest g: which link breaks first?
        lowest: only nodes right above leaves are looked at: a node higher up may be weaker.
        own_rows: each g is a share of the node's own cases: n is the cases of the whole tree.
        one_tie: several nodes have the same smallest g: all of them are cut.
    """,
    gives={
        "strongest": partial(trees03.next_tree, choose=max),
        "lowest": partial(trees03.next_tree, lowest=True),
        "own_rows": partial(trees03.next_tree, g=partial(trees03.link, own=True)),
        "one_tie": partial(trees03.next_tree, once=True),
    },
    shows={
        "keys": lambda got, *_: set(got) != {"alpha", "tree"},
        "question_left": lambda got, *_: _with_questions(got["tree"]),
    },
    hints=(
        "Two walks: one finds the smallest g of all inner nodes, the other cuts.",
        "n is the number of cases at the root; hand it down. A node is cut if its g is at most "
        "1e-9 above the smallest: then return {'counts': …} and do not look below it.",
        "inner_nodes(tree) lists the nodes to compare. For the second walk write a function "
        "cut(node) that calls itself on the branches and builds a new node.",
    ),
)


q6c = Asked(
    *("q6c", "The 1-SE rule", 2, "one_se"),
    reference=trees03.one_se,
    cases=_cases("one_se", "VALLEY", "ROUGH", "STEEP"),
    mistakes="""
        least: this is the tree with the least error: the rule takes the smallest good one.
        own_se: each tree has its own standard error here: the limit is made by the best tree.
        strict: an error equal to the limit is good enough too.
        largest: this is the largest of the good trees: the rule takes the smallest.
        two_se: this goes two standard errors up: the rule takes one.
    """,
    gives={
        "least": partial(trees03.one_se, width=0),
        "own_se": partial(trees03.one_se, own=True),
        "strict": partial(trees03.one_se, strict=True),
        "largest": partial(trees03.one_se, best=max),
        "two_se": partial(trees03.one_se, width=2),
    },
    hints=(
        "First find the row with the least error. Which limit does it set?",
        "The limit is its error plus its standard error. Which rows are at or below it?",
        "min over the leaves of those rows. To find the best row: min with the key "
        "(error, leaves).",
    ),
)
q7 = Asked(
    *("q7", "The best tree of the path", 3, "best_on_path"),
    kind=mapping,
    reference=trees03.best_on_path,
    cases=_cases(
        "best_on_path",
        *("FILM, SEEN, LIKED", "*SPLITS[0]", "*SPLITS[1]", "TENNIS, DAYS, PLAY"),
    ),
    mistakes="""
        keys: the dict should have the keys alpha, leaves and errors, and no others.
        larger: two trees of the path are equally good here: take the smaller one.
        no_grown: the grown tree itself belongs to the path, with alpha 0.
        no_root: the path goes on until only the root is left, as a leaf.
        greedy: this stops at the first rise: a later tree may be better, so look at all.
        next_alpha: this alpha belongs to the next tree: a tree's alpha is the g that made it.
    """,
    gives={
        "larger": partial(trees03.best_on_path, larger=True),
        "no_grown": partial(trees03.best_on_path, first=1),
        "no_root": partial(trees03.best_on_path, root=False),
        "greedy": partial(trees03.best_on_path, greedy=True),
        "next_alpha": partial(trees03.best_on_path, later=1),
    },
    shows={"keys": lambda got, *_: set(got) != {"alpha", "leaves", "errors"}},
    hints=(
        "Write the path down first: alpha 0 with the grown tree, then next_tree again and again.",
        "Go on as long as 'branches' is in the tree. Count errors(tree, rows, labels) for each.",
        "Keep the best so far; a later tree is smaller, so it wins if its errors are <= the best.",
    ),
)

QUESTIONS = (q1, q2, q3a, q3b, q4, q5, q6a, q6b, q6c, q7)
