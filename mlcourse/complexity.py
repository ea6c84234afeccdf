"""How much must a leaf cost before a subtree is not worth its leaves? Cost-complexity pruning.

Lecture 03 (Breiman, Friedman, Olshen and Stone 1984). A tree T with |T| leaves costs
R(T) + α·|T|. The subtree at node t pays until α reaches

    g(t) = (R(t) − R(T_t)) / (|T_t| − 1),

the risk it saves per extra leaf. The node with the least g is the weakest link: it is cut first.
Cutting one link after the other gives a nested path of trees, each the best for its range of α.
"""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from mlcourse.learner import checked_tree
from mlcourse.tree import Tree

__all__ = []

TIE = 1e-10  # links whose α differ by less than this share of the largest are equally weak


def node_risk(tree, risk):
    """Return R(t) of every node as a share of the training weight: its error or its impurity."""
    whole = tree.weight[0]
    if risk == "impurity":
        return tree.impurity * tree.weight / whole
    if risk == "misclassification" and tree.classes is not None:
        return (tree.value.sum(axis=1) - tree.value.max(axis=1)) * (tree.weight > 0) / whole
    raise ValueError(
        f"risk is {risk!r}, expected 'impurity', or 'misclassification' of a classifier"
    )


def weakest_links(tree, risk):
    """Yield the cuts of the path, the weakest link first.

    Each is (node t, α, R(t), R(T_t), |T_t|, inner nodes that this cut takes away, t the first).
    """
    leaf_risk, parent, after = node_risk(tree, risk), tree.parent, tree.after
    n_leaves, tree_risk = tree.is_leaf.astype(float), np.where(tree.is_leaf, leaf_risk, 0.0)
    for node in range(tree.n_nodes - 1, 0, -1):
        n_leaves[parent[node]] += n_leaves[node]
        tree_risk[parent[node]] += tree_risk[node]
    with np.errstate(divide="ignore", invalid="ignore"):
        link = np.where(tree.is_leaf, np.inf, (leaf_risk - tree_risk) / (n_leaves - 1))
    alpha = -np.inf
    while np.isfinite(link).any():
        node = int(link.argmin())
        alpha = max(alpha, float(link[node]))
        inner = node + np.flatnonzero(np.isfinite(link[node : after[node]]))
        yield node, alpha, leaf_risk[node], tree_risk[node], int(n_leaves[node]), inner
        link[inner] = np.inf
        saved, leaves = leaf_risk[node] - tree_risk[node], n_leaves[node] - 1
        above = parent[node]
        while above >= 0:  # the subtrees above have lost these leaves
            tree_risk[above] += saved
            n_leaves[above] -= leaves
            link[above] = (leaf_risk[above] - tree_risk[above]) / (n_leaves[above] - 1)
            above = parent[above]


def cutting_alphas(tree, risk):
    """Return the α at which each node becomes a leaf on the path, shape (M,); leaves: -inf.

    A node below one that was cut earlier keeps the α of that cut.
    """
    alphas = np.full(tree.n_nodes, -np.inf)
    for _, alpha, *_, inner in weakest_links(tree, risk):
        alphas[inner] = alpha
    return alphas


def cut_at(tree, alpha, risk="impurity"):
    """Return the smallest best tree for this α: every node whose α is at most it is a leaf."""
    alphas = cutting_alphas(tree, risk)
    return tree.cut(np.flatnonzero((alphas <= alpha) & ~tree.is_leaf))


@dataclass(frozen=True)
class CostComplexityPath:
    """The nested trees of cost-complexity pruning, from the largest to the root alone.

    Tree i is the smallest one that minimizes risk + α · leaves for ccp_alphas[i] ≤ α <
    ccp_alphas[i+1]. The first α is 0: there only splits that lower no risk are gone.
    """

    ccp_alphas: np.ndarray  # (m,) strictly rising from 0
    n_leaves: np.ndarray  # (m,)
    risks: np.ndarray  # (m,) share of the training weight in error, or mean impurity
    node_alphas: np.ndarray  # (M,) α at which each node of the grown tree is gone; leaves: -inf
    grown: Tree = field(repr=False)

    def cuts(self, i):
        """Return the nodes of the grown tree that are cut for tree i."""
        return np.flatnonzero((self.node_alphas <= self.ccp_alphas[i]) & ~self.grown.is_leaf)

    def tree(self, i):
        """Return tree i of the path."""
        return self.grown.cut(self.cuts(i))

    def to_frame(self):
        """Return a DataFrame with a row per tree."""
        return pd.DataFrame({"alpha": self.ccp_alphas, "leaves": self.n_leaves, "risk": self.risks})


def cost_complexity_path(model, risk=None):
    """Return the path of nested trees: which leaves are worth their price α, for every α.

    Parameters
    ----------
    model : fitted tree model
    risk : "misclassification" (of a classifier; the default), "impurity" (as in scikit-learn; of
        a regressor the only one). Both are shares of the training weight.

    Links that are equally weak are cut together: every α is there once, as in rpart. scikit-learn
    gives them a row each; apart from that its cost_complexity_pruning_path is this one.

    Examples
    --------
    >>> from mlcourse import CARTClassifier, load_kyphosis
    >>> X, y = load_kyphosis()
    >>> tree = CARTClassifier(min_samples_split=20, min_samples_leaf=7).fit(X, y)
    >>> print(cost_complexity_path(tree).to_frame().round(4))
        alpha  leaves    risk
    0  0.0000       5  0.1605
    1  0.0041       2  0.1728
    2  0.0370       1  0.2099
    """
    tree = checked_tree("cost_complexity_path", model)
    risk = risk_of(tree, risk)
    links = list(weakest_links(tree, risk))
    alphas, leaves = [0.0], [tree.n_leaves]
    risks = [float(node_risk(tree, risk)[tree.is_leaf].sum())]
    group = np.full(tree.n_nodes, -1)  # tree of the path in which each node is gone
    tie = TIE * max([alpha for _, alpha, *_ in links], default=0.0)
    for _, alpha, of_leaf, of_subtree, n_leaves, inner in links:
        if alpha > alphas[-1] + tie:
            alphas.append(alpha)
            leaves.append(leaves[-1])
            risks.append(risks[-1])
        elif alphas[-1] > 0:
            alphas[-1] = alpha
        leaves[-1] -= n_leaves - 1
        risks[-1] += of_leaf - of_subtree
        group[inner] = len(alphas) - 1
    alphas = np.array(alphas)
    node_alphas = np.where(tree.is_leaf, -np.inf, alphas[group])
    return CostComplexityPath(alphas, np.array(leaves), np.array(risks), node_alphas, tree)


def risk_of(tree, risk):
    """Return the risk asked for, or that of the lecture."""
    return ("impurity" if tree.classes is None else "misclassification") if risk is None else risk
