"""What do forests share? Seeds for every tree, rows no tree has seen, and ways to look inside.

Lecture 06. What is around the trees of mlcourse.grove: a tree depends on the forest's seed and its
own number, and on nothing else; the rows that it has not seen judge it (out of bag), also when the
values of one column are shuffled (permutation importance); and two rows are near each other if
they often end in the same leaf (proximity).
"""

import sys
from copy import copy, deepcopy
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.utils.validation import check_is_fitted

from mlcourse.bags import OutOfBag, add_up, number_of, report, seed_of
from mlcourse.cart import checked_limits, n_drawn
from mlcourse.columns import columns_of
from mlcourse.grove import Grove
from mlcourse.learner import TableModel
from mlcourse.stack import BLOCK, Stack

__all__ = []

LIMITS = ("criterion", "max_depth", "min_samples_split", "min_samples_leaf", "max_leaf_nodes")


@dataclass(frozen=True)
class Importances:
    """How much worse the out-of-bag answers get when the values of one column are shuffled."""

    importances: np.ndarray  # (d, T): the rise of each tree's error, for each column
    importances_mean: np.ndarray  # (d,)
    importances_std: np.ndarray  # (d,) over the trees


class Forest(TableModel):
    """What the forests share: growing, asking, looking into them."""

    _per_tree = False  # are the columns drawn for each split, or once for each tree?

    def fit(self, X, y, sample_weight=None):
        """Grow the trees. A row of weight 2 counts like two rows wherever it is drawn."""
        limits, before = self._checked(), self._trees_before()
        columns, target, weight, there = self._prepared(X, y, sample_weight)
        grove = self._grove(columns, target, weight, limits)
        if not before:
            self._seed, self._oob = seed_of(self.random_state), None
        elif not np.array_equal(target, self._target):
            raise ValueError(
                f"{type(self).__name__}: warm_start goes on with the same data, but the rows or "
                "labels changed; set warm_start=False"
            )
        trees = list(before)
        for grown in self._parallel(_grow, self._batches(grove, len(trees))):
            trees += map(self._named, grown)
            if self.verbose:
                end = "\n" if len(trees) == self.n_estimators else ""
                progress = f"\r{type(self).__name__}: {len(trees)} of {self.n_estimators} trees"
                print(progress, end=end, file=sys.stderr, flush=True)
        self.trees_, self._target = trees, target
        self._out_of_bag(grove, there, sample_weight)
        return self

    def _checked(self):
        """Return the limits of the trees; a bad parameter gets a sentence."""
        name, wanted = type(self).__name__, self.n_estimators
        if not isinstance(wanted, Integral) or wanted < 1:
            raise ValueError(f"{name}: n_estimators is {wanted!r}, expected a whole number ≥ 1")
        if self.oob_score and not self.bootstrap:
            raise ValueError(
                f"{name}: without bootstrap every tree sees every row, so no row is out of bag; "
                "set bootstrap=True or oob_score=False"
            )
        return checked_limits(self)

    def _trees_before(self):
        """Return the trees of an earlier fit to go on from: with warm_start, else none."""
        trees = getattr(self, "trees_", []) if self.warm_start else []
        if self.n_estimators < len(trees):
            raise ValueError(
                f"{type(self).__name__}: n_estimators is {self.n_estimators}, but there are "
                f"{len(trees)} trees already; set warm_start=False to have fewer"
            )
        return trees

    def _grove(self, columns, target, weight, limits):
        d, n = columns.values.shape
        limits["max_features"] = n_drawn(type(self).__name__, self.max_features, d) or d
        drawn = None
        if self.bootstrap:
            drawn = n if self.max_samples is None else number_of(self, "max_samples", n)
        K = len(self.classes_) if hasattr(self, "classes_") else 0
        chance = {"max_samples": drawn, "per_tree": self._per_tree}
        return Grove(columns, target, K, weight=weight, **chance, **limits)

    def _seeds(self, first, last):
        """Return the seeds of some trees: each depends on the forest's seed and its number."""
        return [np.random.SeedSequence(self._seed, spawn_key=(t,)) for t in range(first, last)]

    def _batches(self, grove, first):
        """Yield what one job grows: the grove and the seeds of some trees."""
        seeds = self._seeds(first, self.n_estimators)
        share = -(-len(seeds) // effective_n_jobs(self.n_jobs))  # rounded up
        size = max(1, min(grove.batch(), share))
        yield from ((grove, seeds[i : i + size]) for i in range(0, len(seeds), size))

    def _parallel(self, function, jobs):
        """Yield function(*job) for every job, in order, on as many cores as n_jobs says."""
        work = (delayed(function)(*job) for job in jobs)
        return Parallel(n_jobs=self.n_jobs, return_as="generator")(work)

    # Out of bag --------------------------------------------------------------------------------

    def _left_out(self, grove, t):
        """Return the rows that tree t has not seen."""
        return np.flatnonzero(grove.sample(np.random.default_rng(self._seeds(t, t + 1)[0])) == 0)

    def _out_of_bag(self, grove, there, sample_weight):
        """Let every tree answer for the rows it has not seen, and report."""
        for name in [name for name in vars(self) if "oob_" in name and name.endswith("_")]:
            delattr(self, name)  # of an earlier fit
        if not self.oob_score:
            self._oob = None
            return
        rows, target = np.flatnonzero(there), np.zeros(len(there), dtype=self._target.dtype)
        target[rows] = self._target
        nothing = self._nothing(len(there))
        oob = deepcopy(self._oob)
        if oob is None or oob.total.dtype != nothing.dtype:
            weight = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
            oob = OutOfBag(target, weight, nothing)
        for t in range(len(oob.curve), len(self.trees_)):
            out = self._left_out(grove, t)
            oob.add(rows[out], next(self._said([self.trees_[t]], grove.columns.values, out)))
        self._oob = oob
        report(self, oob)

    # Asking ------------------------------------------------------------------------------------

    def _said(self, trees, values, rows=None):
        """Yield what each tree says of the rows (None: all): codes, shares or numbers, (n, …)."""
        n = values.shape[1] if rows is None else len(rows)
        step = max(1, BLOCK // max(1, n))
        for first in range(0, len(trees), step):
            stack = Stack(trees[first : first + step])
            answers = self._answers(stack.value)  # of every node
            for ends in stack.ends(values, rows):
                yield answers.take(ends, axis=0)

    def _staged(self, X):
        """Yield Σ_t of the answers (n, K) or (n,) after each tree: one growing array."""
        check_is_fitted(self)
        values = columns_of(self, X, missing=False).values
        total, rows = self._nothing(values.shape[1]), np.arange(values.shape[1])
        for answers in self._said(self.trees_, values):
            add_up(total, rows, answers)
            yield total

    def staged_predict(self, X):
        """Yield the answers of the first 1, 2, … T trees."""
        for t, total in enumerate(self._staged(X), 1):
            yield self._answer(total, t)

    def predict(self, X):
        """Return the answer to each row: the class of most votes, or the mean."""
        *_, total = self._staged(X)
        return self._answer(total, len(self.trees_))

    def apply(self, X):
        """Return the node in which each row ends, in each tree, shape (n, T)."""
        check_is_fitted(self)
        values = columns_of(self, X, missing=False).values
        return np.stack([Stack([tree]).ends(values)[0] for tree in self.trees_], axis=1)

    # Looking into it ---------------------------------------------------------------------------

    @property
    def estimators_(self):
        """The trees as fitted CART models."""
        check_is_fitted(self)
        return [self._as_model(tree) for tree in self.trees_]

    def _as_model(self, tree):
        model = self._base(**{name: getattr(self, name) for name in LIMITS})
        fitted = ("n_features_in_", "feature_names_in_", "classes_", "categories_", "_scales")
        vars(model).update({name: vars(self)[name] for name in fitted if name in vars(self)})
        model.tree_ = tree
        return model

    @property
    def feature_importances_(self):
        """Impurity removed by each column, as a share, averaged over the trees, shape (d,)."""
        check_is_fitted(self)
        removed = np.stack([tree.removed() for tree in self.trees_])
        total = removed.sum(axis=1, keepdims=True)
        mean = (removed / np.where(total > 0, total, 1.0)).mean(axis=0)
        return mean / (mean.sum() or 1.0)

    def permutation_importances(self, X, y, *, random_state=None):
        """Return how much shuffling each column hurts the trees on rows they have not seen.

        Breiman's measure: each tree answers for its out-of-bag rows, as they are and with one
        column shuffled among them; the rise of its error (0/1, or squared) is the column's
        importance. ``X`` and ``y`` are the training set of the forest.

        Returns
        -------
        Importances: ``importances_mean``, ``importances_std`` (d,) and ``importances`` (d, T)
        """
        check_is_fitted(self)
        name = type(self).__name__
        if not self.bootstrap:
            raise ValueError(f"{name}: no row is out of bag; fit with bootstrap=True")
        columns, target = columns_of(self, X, missing=False), self._coded(y)
        if not np.array_equal(target, self._target):
            raise ValueError(
                f"{name}: permutation_importances needs the X and y of the fit, since it asks each "
                "tree about the rows it has not seen; for other rows use "
                "sklearn.inspection.permutation_importance"
            )
        grove, seed = self._grove(columns, target, None, self._checked()), seed_of(random_state)
        jobs = (
            (self, tree, columns.values, target, self._left_out(grove, t), [seed, t])
            for t, tree in enumerate(self.trees_)
        )
        rises = np.stack(list(self._parallel(_shuffled, jobs)), axis=1)
        return Importances(rises, rises.mean(axis=1), rises.std(axis=1))

    def proximity(self, X):
        """Return for every pair of rows the share of the trees in which both end in one leaf.

        Shape (n, n): mind the memory, n² numbers.
        """
        ends = self.apply(X)
        total = np.zeros((len(ends), len(ends)))
        for of_tree in ends.T:
            total += of_tree[:, None] == of_tree
        return total / ends.shape[1]


def _grow(grove, seeds):
    """Grow some trees on a copy of the grove: jobs may share it."""
    return copy(grove).grow(seeds)


def _shuffled(model, tree, values, target, out, seed):
    """Return the rise of one tree's error on the rows ``out`` when a column is shuffled, (d,)."""
    random, part, y = np.random.default_rng(seed), values[:, out], target[out]
    rise = np.zeros(len(values))
    if not len(out):
        return rise

    def error():
        return np.mean(model._loss(next(model._said([tree], part)), y))

    before = error()
    for j in np.unique(tree.feature[~tree.is_leaf]):  # the others change nothing
        kept = part[j].copy()
        part[j] = random.permutation(kept)
        rise[j] = error() - before
        part[j] = kept
    return rise
