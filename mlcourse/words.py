"""What does a tree say, in words? Sentences for a reader, and short labels for a picture.

Lecture 02. ``describe`` writes a tree as sentences that a screen reader reads well; the functions
after it write numbers and lists of categories in the little space that a picture has.
"""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from mlcourse.tree import Tree

__all__ = []


def describe(model):
    """Return a tree in plain English, a sentence per answer, indented under its question.

    Parameters
    ----------
    model : a fitted tree model, or its ``tree_``

    Examples
    --------
    >>> from mlcourse import ID3Classifier, load_play_tennis
    >>> print(describe(ID3Classifier().fit(*load_play_tennis())))
    The tree asks 3 questions and has 5 leaves. The first question is outlook.
    If outlook is sunny, the next question is humidity.
        If humidity is high, the answer is no (3 of 3 cases).
        If humidity is normal, the answer is yes (2 of 2 cases).
    If outlook is overcast, the answer is yes (4 of 4 cases).
    If outlook is rain, the next question is windy.
        If windy is false, the answer is yes (3 of 3 cases).
        If windy is true, the answer is no (2 of 2 cases).
    """
    tree = tree_of("describe", model)
    if tree.feature[0] < 0:
        return f"The tree asks nothing: {_answer(tree, 0)}."
    questions = tree.n_nodes - tree.n_leaves
    lines = [
        f"The tree asks {questions} question{'s' * (questions > 1)} and has {tree.n_leaves} "
        f"leaves. The first question is {tree.names[tree.feature[0]]}."
    ]

    def write(node, indent):
        name = tree.names[tree.feature[node]]
        for branch, child in enumerate(tree.children[node].tolist()):
            if child < 0:
                continue
            then = _answer(tree, child)
            if tree.feature[child] >= 0:
                then = f"the next question is {tree.names[tree.feature[child]]}"
            lines.append(f"{'    ' * indent}If {name} is {_value(tree, node, branch)}, {then}.")
            if tree.feature[child] >= 0:
                write(child, indent + 1)

    write(0, 0)
    return "\n".join(lines)


def _value(tree, node, branch):
    """Say which values take a branch: at most 8.5; sunny; red, green or blue."""
    categories = tree.categories[tree.feature[node]]
    if categories is None:
        words = ("below", "at least") if tree.strict else ("at most", "above")
        return f"{words[branch]} {tree.threshold[node]:.6g}"
    codes = np.flatnonzero(tree.branches[node, : len(categories)] == branch)
    *others, last = [str(categories[code]) for code in codes]
    return f"{', '.join(others)} or {last}" if others else last


def _answer(tree, node):
    """Say what a leaf answers, and on how many cases that rests."""
    n = cases(tree, node)
    if tree.classes is None:
        return f"the answer is {tree.value[node, 0]:.6g} (the mean of {n} case{'s' * (n != '1')})"
    answer = f"the answer is {tree.answer(node)}"
    if tree.count[node] == 0:
        return f"{answer} (no case came here, so it answers like the question above)"
    if _weighted(tree):
        share = tree.value[node].max() / tree.value[node].sum()
        return f"{answer} ({share:.0%} of the weight of {n} cases)"
    right = f"{tree.value[node].max():.1f}".removesuffix(".0")
    return f"{answer} ({right} of {n} case{'s' * (n != '1')})"


def tree_of(caller, model):
    """Return the Tree of a fitted model, or the Tree itself."""
    if isinstance(model, Tree):
        return model
    if hasattr(model, "fit"):
        check_is_fitted(model)
    tree = getattr(model, "tree_", None)
    if not isinstance(tree, Tree):
        raise TypeError(
            f"{caller}: got {type(model).__name__}, expected a fitted ID3, C4.5 or CART model of "
            "this library, or its tree_"
        )
    return tree


# Labels of a picture ---------------------------------------------------------------------------


def number(value):
    """Write a number of an axis shortly."""
    return f"{value:.0f}" if 1000 <= abs(value) < 1e7 else f"{value:.3g}"


def cases(tree, node):
    """Write how many cases a node has; C4.5 counts parts of cases."""
    n = tree.count[node] if _weighted(tree) else tree.weight[node]
    return f"{n:.1f}".removesuffix(".0")


def _weighted(tree):
    """Say whether rows had weights; without, none counts for more than one case."""
    return tree.weight[0] < 0.999 * tree.count[0] or (tree.weight > 1.001 * tree.count).any()


def shown(tree, feature, value):
    """Write a value as the tree sees it: a number, or the name of a category."""
    if np.isnan(value):
        return "missing"
    categories = tree.categories[feature]
    return f"{value:.4g}" if categories is None else str(categories[int(value)])


def clipped(text, width):
    """Shorten a text to ``width`` letters; beginning and end stay, for they tell labels apart."""
    text = str(text)
    return text if len(text) <= width else f"{text[: width - 4]}…{text[-3:]}"


def wrapped(words, width, lines):
    """Set words in lines of at most ``width`` letters; return None if that takes too many."""
    rows = [""]
    for word in words:
        if rows[-1] and len(rows[-1]) + len(word.rstrip()) > width:
            rows.append("")
        rows[-1] += word
    rows = [row.strip() for row in rows]
    return rows if len(rows) <= lines else None


def listed(labels, width=12, lines=3):
    """Set a list of categories in a few short lines: all of them, or some and "… +3"."""
    labels = [clipped(label, width + 3) for label in labels]
    for shown in range(len(labels), 0, -1):
        words = [f"{label}, " for label in labels[:shown]]
        left = len(labels) - shown
        words[-1] = f"{labels[shown - 1]} " if left else labels[shown - 1]
        rows = wrapped([*words, f"… +{left}"] if left else words, width, lines)
        if rows:
            return rows
    return [labels[0], f"… +{len(labels) - 1}"]


def answers(tree, node, branch, width):
    """Return the label of an edge: lines of about ``width`` letters."""
    categories = tree.categories[tree.feature[node]]
    if categories is None:
        sign = ("<", "≥") if tree.strict else ("≤", ">")
        return [f"{sign[branch]} {tree.threshold[node]:.6g}"]
    codes = np.flatnonzero(tree.branches[node, : len(categories)] == branch)
    return listed([categories[code] for code in codes], width)
