"""How is a tree cut, and the reason told? What the ways to prune have in common.

Lecture 03. They all look at the inner nodes one after the other and write down what they compared
and decided: the pruning table. Cutting moves the rows below a node up to it.
"""

import copy
from dataclasses import replace

import numpy as np
import pandas as pd

from mlcourse.learner import TreeClassifier

__all__ = []


def from_the_bottom(tree):
    """Return the inner nodes, each after all that hangs below it, left before right."""
    inner = np.flatnonzero(~tree.is_leaf)
    return inner[np.lexsort((-inner, tree.after[inner]))].tolist()


def _question(tree, node):
    """Return what a node asks: ``humidity <= 75``, ``outlook in {a, b}``, or just ``outlook``."""
    taken = tree.branches[node][tree.branches[node] >= 0]
    if np.isnan(tree.threshold[node]) and len(np.unique(taken)) == len(taken):
        return tree.names[tree.feature[node]]  # every value has its own branch
    return tree.test(node, 0)


class Record:
    """The rows of a pruning table, as they are written."""

    def __init__(self, model):
        self.model, self.tree, self.depths = model, model.tree_, model.tree_.depths
        self.rows, self.cuts = [], []

    def write(self, node, cut, reason, **numbers):
        """Write down what was decided of a node, the numbers compared and the reason."""
        if cut:
            self.cuts.append(node)
        about = {"step": len(self.rows) + 1, "node": node, "test": _question(self.tree, node)}
        about |= {"depth": int(self.depths[node]), "cases": int(self.tree.count[node]), **numbers}
        self.rows.append(about | {"decision": "cut" if cut else "kept", "reason": reason})

    def pruned_model(self, columns, **attributes):
        """Return a copy of the model with the tree cut, and what it knows about its pruning."""
        new = copy.copy(self.model)
        for name in ("alpha_", "cv_table_", *(["cp_table_"] if self.cuts else [])):
            vars(new).pop(name, None)  # they speak of the tree as it was
        new.tree_ = self.tree.cut(self.cuts)
        names = ["step", "node", "test", "depth", "cases", *columns, "decision", "reason"]
        new.pruning_table_ = pd.DataFrame(self.rows, columns=names)
        for name, value in attributes.items():
            setattr(new, name, value)
        return new


class HeldOut:
    """Rows that were not trained on, each at the node that answers it; a cut moves them up.

    C4.5 sends a row with a missing value down several branches (``parted``): what it answers then
    after a cut, only the model itself can say.
    """

    def __init__(self, model, columns, y, loss):
        self.model, self.columns, self.y, self.loss = model, columns, np.asarray(y), loss
        self.after, self.cuts, self.ends = model.tree_.after, [], model._ends(columns)
        parted = np.zeros(len(self.ends), dtype=bool)
        if isinstance(model, TreeClassifier) and type(model)._shares is not TreeClassifier._shares:
            parted = ~model.tree_.is_leaf[self.ends]
        self.plain, self.parted = np.flatnonzero(~parted), np.flatnonzero(parted)
        self.losses = np.zeros(len(self.ends))  # of every row by now
        self.losses[self.plain] = loss(self.plain, self.ends[self.plain])
        self.losses[self.parted] = self._losses_of_parted([])

    def _losses_of_parted(self, cuts):
        if not len(self.parted):
            return np.zeros(0)
        cut = copy.copy(self.model)
        cut.tree_ = self.model.tree_.cut(cuts)
        rows = replace(self.columns, values=self.columns.values[:, self.parted])
        return cut.classes_[cut._shares(rows).argmax(axis=1)] != self.y[self.parted]

    def if_cut(self, node):
        """Return the rows that a cut at ``node`` concerns, and their losses after it."""
        ends = self.ends[self.plain]
        rows = self.plain[(ends >= node) & (ends < self.after[node])]
        losses = self.loss(rows, np.full(len(rows), node))
        if len(self.parted):
            after = self._losses_of_parted([*self.cuts, node])
            changed = after != self.losses[self.parted]
            rows = np.concatenate([rows, self.parted[changed]])
            losses = np.concatenate([losses, after[changed]])
        return rows, losses

    def cut(self, nodes):
        """Cut at ``nodes``: all rows below one of them end there."""
        self.cuts.extend(nodes)
        for node in nodes:
            self.ends[(self.ends >= node) & (self.ends < self.after[node])] = node
        self.losses[self.plain] = self.loss(self.plain, self.ends[self.plain])
        self.losses[self.parted] = self._losses_of_parted(self.cuts)
