"""What is a decision tree, once it is grown? A handful of arrays with one entry per node.

Lecture 02. The root is node 0; a node is followed by its children and all that hangs below them
(preorder). An inner node asks about one ``feature``: of a number whether it is at most
``threshold`` (branch 0) or above (branch 1), of a category which branch it takes. A leaf answers.
The path to a leaf is a rule: a conjunction of simple tests.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

__all__ = ["Tree"]


@dataclass(frozen=True)
class Tree:
    """A grown tree as arrays; M nodes, at most B branches per node, K classes."""

    feature: np.ndarray  # (M,) the feature asked for; -1 in a leaf
    threshold: np.ndarray  # (M,) NaN in a leaf and where the feature is a category
    children: np.ndarray  # (M, B) node of each branch; -1 where there is none
    branches: np.ndarray  # (M, L) branch that each category code takes, -1: none
    value: np.ndarray  # (M, K) class weights, or (M, 1) the mean
    impurity: np.ndarray  # (M,) of the node's cases
    weight: np.ndarray  # (M,) total weight of the cases
    count: np.ndarray  # (M,) number of training rows
    names: tuple  # of the features
    categories: tuple  # of the features: labels, or None for numbers
    classes: tuple | None = None  # labels, or None in regression
    strict: bool = False  # numbers go to branch 0 if below the threshold, not if equal
    extra: dict = field(default_factory=dict)  # what an algorithm wants to remember per node

    @property
    def n_nodes(self):
        """Number of nodes, leaves included."""
        return len(self.feature)

    @property
    def is_leaf(self):
        """Say of each node whether it is a leaf, shape (M,)."""
        return self.feature < 0

    @property
    def n_leaves(self):
        """Number of leaves."""
        return int(self.is_leaf.sum())

    @property
    def parent(self):
        """Node above each node, -1 for the root, shape (M,)."""
        parent = np.full(self.n_nodes, -1)
        node, branch = np.nonzero(self.children >= 0)
        parent[self.children[node, branch]] = node
        return parent

    @property
    def depths(self):
        """Number of tests above each node, shape (M,)."""
        depths, parent = np.zeros(self.n_nodes, dtype=int), self.parent
        for node in range(1, self.n_nodes):  # preorder: the parent comes first
            depths[node] = depths[parent[node]] + 1
        return depths

    @property
    def after(self):
        """First node after the subtree of each node, shape (M,): t … after[t]-1 hang at t."""
        after, parent = np.arange(1, self.n_nodes + 1), self.parent
        for node in range(self.n_nodes - 1, 0, -1):  # preorder: the children come later
            after[parent[node]] = max(after[parent[node]], after[node])
        return after

    @property
    def depth(self):
        """Greatest number of tests on a path."""
        return int(self.depths.max())

    def removed(self):
        """Return the impurity (times weight) that the tests of each feature removed, (d,)."""
        inner = ~self.is_leaf
        score = self.extra["score"][inner]
        return np.bincount(self.feature[inner], weights=score, minlength=len(self.names))

    # Asking the tree ---------------------------------------------------------------------------

    def branch(self, node, values):
        """Return the branch that rows take at their nodes, -1 if the value is missing or new.

        ``node`` (n,) holds a node for each row, ``values`` (n,) its value of that node's feature.
        """
        known = ~np.isnan(values)
        if self.branches.shape[1] == 0:
            limit = self.threshold.take(node)
            return np.where(known, values >= limit if self.strict else values > limit, -1)
        taken = np.full(len(node), -1)
        number = np.isnan(self.threshold[node])
        categorical = known & number
        taken[categorical] = self.branches[node[categorical], values[categorical].astype(int)]
        numeric = known & ~number
        limit, value = self.threshold[node[numeric]], values[numeric]
        taken[numeric] = value >= limit if self.strict else value > limit
        return taken

    def step(self, at, values, rows):
        """Return the branch that each of ``rows`` takes at its node of ``at``, -1: it stops.

        ``values`` is the whole (d, n) array: a tree with surrogates looks at other features too.
        """
        return self.branch(at, _pick(values, self.feature.take(at), rows))

    def apply(self, values):
        """Return the node in which each row ends; ``values`` is the (d, n) array of Columns.

        A row whose value is missing, or a category that no branch takes, stops at its inner node.
        """
        node = np.zeros(values.shape[1], dtype=np.intp)
        rows = np.arange(len(node) if self.feature[0] >= 0 else 0)  # those on their way
        at = node[rows]
        while rows.size:
            taken = self.step(at, values, rows)
            below = np.where(taken >= 0, _pick(self.children, at, taken), -1)
            node[rows] = np.where(below >= 0, below, at)
            moving = np.flatnonzero((below >= 0) & (self.feature.take(below) >= 0))
            rows, at = rows.take(moving), below.take(moving)
        return node

    def path(self, row):
        """Return the nodes that one row (d values, as in Columns) visits, from the root on."""
        values, rows = np.asarray(row, dtype=float)[:, None], np.zeros(1, dtype=int)
        nodes = [0]
        while self.feature[nodes[-1]] >= 0:
            at = np.array(nodes[-1:])
            taken = int(self.step(at, values, rows)[0])
            below = self.children[nodes[-1], taken] if taken >= 0 else -1
            if below < 0:
                break
            nodes.append(int(below))
        return nodes

    # Changing it -------------------------------------------------------------------------------

    def below(self, node):
        """Return the nodes of the subtree at ``node``, itself first; they stand together."""
        return np.arange(node, self.after[node])

    def cut(self, nodes):
        """Return a new tree in which each of ``nodes`` is a leaf and what hung below is gone."""
        keep, parent = np.ones(self.n_nodes, dtype=bool), self.parent
        leaf = np.zeros(self.n_nodes, dtype=bool)
        leaf[np.asarray(nodes, dtype=int)] = True
        for node in range(1, self.n_nodes):
            keep[node] = keep[parent[node]] and not leaf[parent[node]]
        return self._kept(keep, leaf)

    def _kept(self, keep, leaf):
        """Return the tree of the nodes in ``keep``, those in ``leaf`` without their test."""
        number = np.cumsum(keep) - 1  # new number of each node
        children = np.where(self.children >= 0, number[self.children], -1)
        children[leaf] = -1
        bare = leaf[keep]
        return replace(
            self,
            feature=np.where(bare, -1, self.feature[keep]),
            threshold=np.where(bare, np.nan, self.threshold[keep]),
            children=children[keep],
            branches=np.where(bare[:, None], -1, self.branches[keep]),
            value=self.value[keep],
            impurity=self.impurity[keep],
            weight=self.weight[keep],
            count=self.count[keep],
            extra={name: _take(array, keep) for name, array in self.extra.items()},
        )

    # Showing it --------------------------------------------------------------------------------

    def test(self, node, branch):
        """Return the test of one branch in words: ``humidity <= 75`` or ``outlook = sunny``."""
        feature = self.feature[node]
        name, categories = self.names[feature], self.categories[feature]
        if categories is None:
            signs = ("<", ">=") if self.strict else ("<=", ">")
            return f"{name} {signs[branch]} {self.threshold[node]:.6g}"
        codes = np.flatnonzero(self.branches[node, : len(categories)] == branch)
        labels = [str(categories[code]) for code in codes]
        if len(labels) == 1:
            return f"{name} = {labels[0]}"
        return f"{name} in {{{', '.join(labels)}}}"

    def answer(self, node):
        """Return what a node answers: the mean, or the first class of greatest weight."""
        if self.classes is None:
            return float(self.value[node, 0])
        return self.classes[int(majority(self.value[node]))]

    def summary(self, node):
        """Return the answer of a node with its weight and, after a slash, the weight in error."""
        if self.classes is None:
            return f"{self.value[node, 0]:.6g} ({self.weight[node]:.6g})"
        weight = self.value[node].sum()
        wrong = weight - self.value[node].max()
        if self.weight[node] == 0:  # no cases: it answers like its parent
            weight = wrong = 0.0
        error = f"/{wrong:.6g}" if wrong > 1e-9 else ""
        return f"{self.answer(node)} ({weight:.6g}{error})"

    def to_text(self):
        """Return the tree as text, a line per branch; leaves say class (weight/weight in error)."""
        if self.feature[0] < 0:
            return self.summary(0)
        lines = []

        def write(node, indent):
            for branch, child in enumerate(self.children[node]):
                if child < 0:
                    continue
                line = "|   " * indent + self.test(node, branch)
                if self.feature[child] < 0:
                    lines.append(f"{line}: {self.summary(child)}")
                else:
                    lines.append(line)
                    write(child, indent + 1)

        write(0, 0)
        return "\n".join(lines)

    def rules(self):
        """Return the leaves as a list of rules: (tests joined by 'and', answer)."""
        found = []

        def walk(node, tests):
            if self.feature[node] < 0:
                found.append((" and ".join(tests) or "always", self.answer(node)))
            for branch, child in enumerate(self.children[node]):
                if child >= 0:
                    walk(child, [*tests, self.test(node, branch)])

        walk(0, [])
        return found

    def to_frame(self):
        """Return a DataFrame with a row per node."""
        parent = self.parent
        tests = [""]
        for node in range(1, self.n_nodes):
            branch = int(np.flatnonzero(self.children[parent[node]] == node)[0])
            tests.append(self.test(parent[node], branch))
        return pd.DataFrame(
            {
                "parent": parent,
                "depth": self.depths,
                "test": tests,
                "feature": [self.names[f] if f >= 0 else None for f in self.feature],
                "threshold": self.threshold,
                "count": self.count,
                "weight": self.weight,
                "impurity": self.impurity,
                "answer": [self.answer(node) for node in range(self.n_nodes)],
            }
        ).rename_axis("node")


def majority(weights):
    """Return the first class of greatest weight, (…, K) → (…); rounding makes no winner."""
    most = np.moveaxis(weights, -1, 0).copy().max(axis=0)  # NumPy is slow along a short last axis
    return np.argmax(weights >= most[..., None] * (1 - 1e-10), axis=-1)


def _pick(table, row, column):
    """Return ``table[row, column]`` of a contiguous table, twice as fast as two indices do it."""
    return table.ravel().take(row * table.shape[1] + column)


def _take(values, keep):
    """Return the entries of a per-node array or list that are kept."""
    if isinstance(values, list):
        return [value for value, kept in zip(values, keep, strict=True) if kept]
    return values[keep]
