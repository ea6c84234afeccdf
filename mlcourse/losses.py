"""What does a wrong answer cost, and which way is downhill? The losses of gradient boosting.

Lecture 08 (Friedman 2001). Boosting needs four things of a loss L(y, F):

    loss               L(y_i, F_i), row by row
    initial            the constant to start from: argmin_ρ Σ w_i L(y_i, ρ)
    negative_gradient  the pseudo-residual ỹ_i = −∂L(y_i, F)/∂F at F = F_i: what the next tree fits
    line_search        the step in each leaf R of that tree: argmin_γ Σ_{i in R} w_i L(y_i, F_i + γ)

Only for squared error is the pseudo-residual the residual itself. Shapes: y and F are (n,); with
K > 2 classes F is (n, K) and the initial value (K,). Classes are coded 0 … K−1. Row i lies in leaf
``leaf[i]`` of ``n_leaves``; without ``leaf`` all rows lie in one. Without ``weight`` each counts 1.
"""

from dataclasses import dataclass, replace

import numpy as np

__all__ = ["absolute_error", "exponential", "huber", "log_loss", "quantile", "squared_error"]


class Loss:
    """What the losses share."""

    n_scores = 1  # columns of F

    def adapted(self, y, F, weight=None):
        """Return the loss for the next round; only Huber's changes (its δ)."""
        return self

    def mean(self, y, F, weight=None):
        """Return the (weighted) mean of the loss."""
        return float(np.average(self.loss(y, F), weights=weight))


# Regression --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class squared_error(Loss):
    """L = ½(y − F)². The pseudo-residual is the residual, the best constant the mean.

    Examples
    --------
    >>> squared_error().negative_gradient(np.array([5.0, 9.0]), np.array([6.0, 6.0])).tolist()
    [-1.0, 3.0]
    """

    def loss(self, y, F):
        """Return ½(y − F)²."""
        return (y - F) ** 2 / 2

    def initial(self, y, weight=None):
        """Return the mean of y."""
        return float(np.average(y, weights=weight))

    def negative_gradient(self, y, F):
        """Return y − F."""
        return y - F

    def line_search(self, y, F, residual, leaf=None, n_leaves=1, weight=None):
        """Return the mean residual of each leaf: what the tree found already."""
        return ratio(
            sums(residual, leaf, n_leaves, weight), sums(None, leaf, n_leaves, weight, len(y))
        )


@dataclass(frozen=True)
class quantile(Loss):
    """L = α·max(y − F, 0) + (1 − α)·max(F − y, 0), the pinball: its best constant is a quantile.

    Examples
    --------
    >>> quantile(alpha=0.75).initial(np.array([1.0, 2.0, 3.0, 10.0, 20.0]))
    10.0
    """

    alpha: float = 0.9

    def loss(self, y, F):
        """Return α|y − F| above the answer and (1 − α)|y − F| below it."""
        return np.where(y > F, self.alpha, self.alpha - 1) * (y - F)

    def initial(self, y, weight=None):
        """Return the α-quantile of y."""
        return float(quantiles(y, self.alpha, weight=weight)[0])

    def negative_gradient(self, y, F):
        """Return α where y > F and α − 1 elsewhere."""
        return np.where(y > F, self.alpha, self.alpha - 1)

    def line_search(self, y, F, residual, leaf=None, n_leaves=1, weight=None):
        """Return the α-quantile of y − F in each leaf."""
        return quantiles(y - F, self.alpha, leaf, n_leaves, weight)


@dataclass(frozen=True)
class absolute_error(Loss):
    """L = |y − F|. The tree fits signs only, so an outlier pulls no more than its neighbours.

    Examples
    --------
    >>> absolute_error().initial(np.array([1.0, 2.0, 1000.0]))
    2.0
    """

    def loss(self, y, F):
        """Return |y − F|."""
        return np.abs(y - F)

    def initial(self, y, weight=None):
        """Return the median of y."""
        return float(quantiles(y, 0.5, weight=weight)[0])

    def negative_gradient(self, y, F):
        """Return the sign of y − F."""
        return np.sign(y - F)

    def line_search(self, y, F, residual, leaf=None, n_leaves=1, weight=None):
        """Return the median of y − F in each leaf."""
        return quantiles(y - F, 0.5, leaf, n_leaves, weight)


@dataclass(frozen=True)
class huber(Loss):
    """L = ½(y − F)² up to |y − F| = δ and δ(|y − F| − δ/2) beyond: squares, but not for outliers.

    Before each round δ becomes the α-quantile of |y − F| (``adapted``), so that the share 1 − α
    of the rows counts as outliers (Friedman 2001, section 4.4).
    """

    alpha: float = 0.9
    delta: float = 1.0

    def adapted(self, y, F, weight=None):
        """Return the loss with δ = the α-quantile of |y − F|."""
        return replace(self, delta=float(quantiles(np.abs(y - F), self.alpha, weight=weight)[0]))

    def loss(self, y, F):
        """Return ½(y − F)², beyond δ its tangent."""
        size = np.abs(y - F)
        inner = np.minimum(size, self.delta)
        return inner * (size - inner / 2)

    def initial(self, y, weight=None):
        """Return the median of y, as Friedman does: the minimiser while δ is not known (δ → 0)."""
        return absolute_error().initial(y, weight)

    def negative_gradient(self, y, F):
        """Return y − F, cut off at ±δ."""
        return np.clip(y - F, -self.delta, self.delta)

    def line_search(self, y, F, residual, leaf=None, n_leaves=1, weight=None):
        """Return Friedman's step: the median m of y − F, plus the mean of y − F − m cut at ±δ."""
        median = quantiles(y - F, 0.5, leaf, n_leaves, weight)
        beyond = y - F - (median[0] if leaf is None else median[leaf])
        cut = np.clip(beyond, -self.delta, self.delta)
        return median + squared_error().line_search(y, F, cut, leaf, n_leaves, weight)


# Classification ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class log_loss(Loss):
    """L = −log p_y, with p = 1/(1 + e^−F) for two classes and p_k = e^F_k / Σ_l e^F_l for more.

    F is the log-odds (twice Friedman's F). Examples: even odds, and the surprise at either class.

    >>> log_loss().loss(np.array([0, 1]), np.zeros(2)).round(4).tolist()
    [0.6931, 0.6931]
    """

    n_classes: int = 2

    @property
    def n_scores(self):
        """Columns of F: one score for two classes, else one per class."""
        return 1 if self.n_classes == 2 else self.n_classes

    def loss(self, y, F):
        """Return −log p_y."""
        if self.n_classes == 2:
            return np.log(1 + np.exp(-np.abs(F))) + np.maximum(F, 0.0) - y * F
        top = F.max(axis=1)
        own = F[np.arange(len(y)), y]
        return np.log(np.exp(F - top[:, None]).sum(axis=1)) + top - own

    def initial(self, y, weight=None):
        """Return the log-odds of the class shares; K classes: their logarithms, of mean 0."""
        share = np.bincount(y, weight, self.n_classes) / (len(y) if weight is None else sum(weight))
        log = np.log(np.maximum(share, np.finfo(float).eps))  # a class may have no rows
        return float(log[1] - log[0]) if self.n_classes == 2 else log - log.mean()

    def probability(self, F):
        """Return the class probabilities, shape (n, K)."""
        if self.n_classes == 2:
            positive = logistic(F)
            return np.stack([1 - positive, positive], axis=1)
        power = np.exp(F - F.max(axis=1, keepdims=True))
        return power / power.sum(axis=1, keepdims=True)

    def negative_gradient(self, y, F):
        """Return 1[y = k] − p_k: what is missing to certainty."""
        if self.n_classes == 2:
            return y - logistic(F)
        return (y[:, None] == np.arange(self.n_classes)) - self.probability(F)

    def line_search(self, y, F, residual, leaf=None, n_leaves=1, weight=None):
        """Return one Newton step per leaf: Σ ỹ / Σ |ỹ|(1 − |ỹ|), since |ỹ|(1 − |ỹ|) = p(1 − p).

        There is no closed form. K classes: times (K − 1)/K, with the ỹ of one class at a time
        (Friedman 2001, algorithms 5 and 6).
        """
        size = np.abs(residual)
        curvature = sums(size * (1 - size), leaf, n_leaves, weight)
        step = ratio(sums(residual, leaf, n_leaves, weight), curvature)
        return step if self.n_classes == 2 else step * (self.n_classes - 1) / self.n_classes


@dataclass(frozen=True)
class exponential(Loss):
    """L = exp(−yF), y = ±1 (codes 0 and 1): AdaBoost's loss. F is half the log-odds.

    The size of the pseudo-residual y·exp(−yF) is AdaBoost's weight of the row, its sign the class.

    Examples
    --------
    >>> round(exponential().initial(np.array([1, 1, 1, 0])), 6)  # ½ log 3
    0.549306
    """

    def loss(self, y, F):
        """Return exp(−yF)."""
        return np.exp(np.where(y == 1, -F, F))

    def initial(self, y, weight=None):
        """Return ½ log(weight of class 1 / weight of class 0)."""
        return log_loss().initial(y, weight) / 2

    def probability(self, F):
        """Return the class probabilities that F stands for, shape (n, 2)."""
        return log_loss().probability(2 * F)

    def negative_gradient(self, y, F):
        """Return y·exp(−yF)."""
        return np.where(y == 1, 1.0, -1.0) * self.loss(y, F)

    def line_search(self, y, F, residual, leaf=None, n_leaves=1, weight=None):
        """Return ½ log(W₊/W₋) of each leaf, the exact minimum; W₊ sums exp(−yF) over y = +1.

        In a leaf of one class it is infinite. So the smaller of the two counts as at least
        1/10,000 of their sum (smoothing as in Schapire and Singer 1999, who take about 1/n).
        """
        positive = sums(np.maximum(residual, 0.0), leaf, n_leaves, weight)
        negative = sums(np.maximum(-residual, 0.0), leaf, n_leaves, weight)
        least = 1e-4 * (positive + negative)
        positive, negative = np.maximum(positive, least), np.maximum(negative, least)
        return np.log(ratio(positive, negative, otherwise=1.0)) / 2


# Sums and quantiles by leaf ----------------------------------------------------------------------


def sums(values, leaf, n_leaves, weight, n=None):
    """Return Σ w_i v_i of each leaf, shape (n_leaves,); ``values=None`` stands for n ones."""
    if weight is not None:
        values = weight if values is None else weight * values
    if leaf is None:
        return np.array([n if values is None else values.sum()], dtype=float)
    return np.bincount(leaf, values, n_leaves).astype(float)


def ratio(above, below, otherwise=0.0):
    """Return above / below, and ``otherwise`` where ``below`` is nothing to divide by."""
    return np.divide(above, below, out=np.full(len(above), otherwise), where=below > 1e-150)


def logistic(F):
    """Return 1/(1 + e^−F)."""
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-F))


def quantiles(values, alpha, leaf=None, n_leaves=1, weight=None):
    """Return the α-quantile of each leaf: where the running weight passes the share α.

    Where it meets the share exactly, every number up to the next value is a minimiser, and the
    middle is taken: so the ½-quantile is the median, and a row of weight 2 counts like two rows.
    """
    leaf = np.zeros(len(values), dtype=int) if leaf is None else leaf
    weight = np.ones(len(values)) if weight is None else weight
    order = np.argsort(values, kind="stable")
    order = order[np.argsort(leaf[order], kind="stable")]  # by leaf, inside by value
    leaf, weight = leaf[order], weight[order]
    size, total = np.bincount(leaf, minlength=n_leaves), np.bincount(leaf, weight, n_leaves)
    end = np.cumsum(size)
    start, before = end - size, np.cumsum(total) - total
    over = np.cumsum(weight) - (before + alpha * total)[leaf]  # running weight minus the share
    rounding = 1e-12 * total[leaf]
    low, high = (start + np.bincount(leaf, short, n_leaves).astype(int)
                 for short in (over < -rounding, over <= rounding))  # fmt: skip
    last = np.maximum(end - 1, 0)  # an empty leaf has none: it gets any number
    low, high = (values[order[np.minimum(place, last)]] for place in (low, high))
    return low + (high - low) / 2
