"""How much must a leaf cost before a subtree is not worth its leaves? Cost-complexity pruning.

Lecture 03 (Breiman, Friedman, Olshen and Stone 1984). A tree T with |T| leaves costs
R(T) + α·|T|. The subtree at node t pays until α reaches

    g(t) = (R(t) − R(T_t)) / (|T_t| − 1),

the risk it saves per extra leaf. The node with the least g is the weakest link: it is cut first.
Cutting one link after the other gives a nested path of trees, each the best for its range of α.
"""

import numpy as np

__all__ = []


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


def cutting_alphas(tree, risk):
    """Return the α at which each node becomes a leaf on the path, shape (M,); leaves: -inf.

    A node below one that was cut earlier keeps the α of that cut.
    """
    leaf_risk, parent = node_risk(tree, risk), tree.parent
    n_leaves, tree_risk = tree.is_leaf.astype(float), np.where(tree.is_leaf, leaf_risk, 0.0)
    for node in range(tree.n_nodes - 1, 0, -1):
        n_leaves[parent[node]] += n_leaves[node]
        tree_risk[parent[node]] += tree_risk[node]
    alphas = np.full(tree.n_nodes, -np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        link = np.where(tree.is_leaf, np.inf, (leaf_risk - tree_risk) / (n_leaves - 1))
    alpha = -np.inf
    while np.isfinite(link).any():
        node = int(link.argmin())
        alpha = max(alpha, float(link[node]))
        below = tree.below(node)
        inner = below[np.isfinite(link[below])]
        alphas[inner], link[inner] = alpha, np.inf
        saved, leaves = leaf_risk[node] - tree_risk[node], n_leaves[node] - 1
        above = parent[node]
        while above >= 0:  # the subtrees above have lost these leaves
            tree_risk[above] += saved
            n_leaves[above] -= leaves
            link[above] = (leaf_risk[above] - tree_risk[above]) / (n_leaves[above] - 1)
            above = parent[above]
    return alphas


def cut_at(tree, alpha, risk="impurity"):
    """Return the smallest best tree for this α: every node whose α is at most it is a leaf."""
    alphas = cutting_alphas(tree, risk)
    return tree.cut(np.flatnonzero((alphas <= alpha) & ~tree.is_leaf))
