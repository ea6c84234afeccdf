"""Which question splits the examples best? Impurities, and what a split takes away from them.

Lecture 02. Node D has classes k with shares p_k; attribute a sends D to V branches D_v.

    Gini impurity          Gini(D) = Σ p_k (1 − p_k) = 1 − Σ p_k² = Σ p_j p_k over ordered pairs j≠k
    misclassification      Err(D)  = 1 − max p_k
    variance (regression)  Var(D)  = Σ (y − mean)² / |D|
    information gain       Gain(D,a)      = H(D) − Σ |D_v|/|D| H(D_v)
    intrinsic value        IV(a)          = −Σ |D_v|/|D| log |D_v|/|D|
    gain ratio             GainRatio(D,a) = Gain(D,a) / IV(a)
    Gini index             GiniIndex(D,a) = Σ |D_v|/|D| Gini(D_v)

The first three are *im*purities: 0 is pure. So the best split has the least Gini index, but the
largest gain. Information is in bits. The Gini index is the lecture's, of V branches; CART itself
makes two. A gain is not reduced by C4.5's price of a threshold, log2(cuts)/|D|: that is c45's.

``x`` and ``y`` are lists, arrays or Series, one value per row, matched by position. The values of
``x`` are categories, even numbers, unless there is a ``threshold``: then x ≤ threshold is one
branch and x > threshold the other. ``sample_weight`` counts a row so many times. A missing value
(NaN, None) of ``x`` is treated as in C4.5: the gain is that of the known rows times their share,
and the unknown are one more branch in IV; weighted impurities are those of the known rows.
"""

import math
import numbers

import numpy as np
import pandas as pd

from mlcourse.information import _numbers, _require, entropy, mutual_information

__all__ = [
    "gain_ratio", "gini", "gini_index", "information_gain", "intrinsic_value",
    "misclassification", "split_table", "variance",
]  # fmt: skip

_ROUNDING = 1e-14  # bits; a smaller gain is a sum of rounding errors
_TIE = 1e-10  # cuts whose gains differ by less than this share of the entropy are equally good


def gini(counts):
    """Return Σ p(1 − p): how often two draws, with replacement, are of different classes.

    ``counts`` are counts or probabilities of the classes; they are divided by their total. A table
    (nodes, classes) gives an array, the impurity of each row.

    >>> gini([400, 400]), gini([800, 0]), gini([[300, 100], [100, 300]]).tolist()
    (0.5, 0.0, [0.375, 0.375])
    >>> print(np.average(gini([[200, 400], [200, 0]]), weights=[600, 200]).round(4))
    0.3333
    """
    p = _shares("gini", counts)
    impurity = (p * (1 - p)).sum(axis=-1)
    return impurity if p.ndim > 1 else float(impurity)


def misclassification(counts):
    """Return 1 − max p: the error of predicting the most frequent class. Arguments as in ``gini``.

    It finds these splits of (400, 400) equally good; Gini and entropy prefer the second.

    >>> misclassification([[300, 100], [100, 300]]).tolist()
    [0.25, 0.25]
    >>> print(np.average(misclassification([[200, 400], [200, 0]]), weights=[600, 200]).round(4))
    0.25
    """
    p = _shares("misclassification", counts)
    impurity = 1 - p.max(axis=-1)
    return impurity if p.ndim > 1 else float(impurity)


def variance(values, *, sample_weight=None):
    """Return the mean squared distance from the mean: the impurity of a regression tree's node.

    >>> variance([1, 2, 3, 4]), variance([5, 5, 5])
    (1.25, 0.0)
    """
    values = _numbers("variance", "values", values, (1, 1))
    weight = _weights("variance", sample_weight, values.size)
    mean = np.average(values, weights=weight)
    return float(np.average((values - mean) ** 2, weights=weight))


def information_gain(x, y, *, threshold=None, sample_weight=None):
    """Return H(y) − H(y|x), the mutual information: how much x lowers the doubt about class y.

    >>> from mlcourse import load_play_tennis, load_restaurant
    >>> for (X, y), name in [(load_play_tennis(), "outlook"), (load_restaurant(), "patrons")]:
    ...     print(f"{name} {information_gain(X[name], y):.3f}")
    outlook 0.247
    patrons 0.541
    """
    return _criteria(*_count("information_gain", x, y, sample_weight, threshold))["gain"]


def intrinsic_value(x, *, threshold=None, sample_weight=None):
    """Return the entropy of x itself: large if it scatters the rows evenly over many branches.

    >>> intrinsic_value(["high", "high", "normal", "normal"]), intrinsic_value(range(8))
    (1.0, 3.0)
    """
    split = _count("intrinsic_value", x, None, sample_weight, threshold)
    return _criteria(*split)["intrinsic_value"]


def gain_ratio(x, y, *, threshold=None, sample_weight=None):
    """Return gain / intrinsic value; 0 if x is constant, where both are 0.

    It is harder on many branches, but not always enough: the row number still beats the outlook.

    >>> from mlcourse import load_play_tennis
    >>> X, y = load_play_tennis()
    >>> round(gain_ratio(X["outlook"], y), 3), round(gain_ratio(range(14), y), 3)
    (0.156, 0.247)
    """
    return _criteria(*_count("gain_ratio", x, y, sample_weight, threshold))["gain_ratio"]


def gini_index(x, y, *, threshold=None, sample_weight=None):
    """Return Σ |D_v|/|D| Gini(D_v), the mean impurity of the branches of x; less is better.

    >>> from mlcourse import load_restaurant
    >>> X, y = load_restaurant()
    >>> round(gini_index(X["patrons"], y), 4), round(gini_index(X["type"], y), 4)
    (0.2222, 0.5)
    """
    return _criteria(*_count("gini_index", x, y, sample_weight, threshold))["gini"]


def split_table(X, y, *, sample_weight=None):
    """Return a DataFrame with a row per attribute (column of X) and a column per criterion.

    A column of numbers is cut in two at the ``threshold`` of most gain, halfway between neighboring
    values (the lowest of equally good cuts), and *all* its criteria are those of this cut. Any
    other column has a branch for each value and threshold NaN; so has a constant column, which
    cannot be cut. C4.5 prints a cut as the largest value not above it: 80 for 82.5 here.

    >>> from mlcourse import load_golf
    >>> print(split_table(*load_golf()).round(3).to_string())
                  gain  intrinsic_value  gain_ratio   gini  misclassification  threshold
    outlook      0.247            1.577       0.156  0.343              0.286        NaN
    temperature  0.113            0.371       0.305  0.396              0.286       84.0
    humidity     0.102            0.940       0.109  0.394              0.286       82.5
    windy        0.048            0.985       0.049  0.429              0.357        NaN
    """
    X = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X).infer_objects()
    _require(X.size > 0, "split_table", f"X has shape {X.shape}; give at least one row and column")
    rows = []
    for name, x in X.items():
        what = f"column {name!r}"
        numeric = pd.api.types.is_numeric_dtype(x) and not pd.api.types.is_bool_dtype(x)
        x = _floats("split_table", what, x) if numeric else x
        rows.append(_criteria(*_count("split_table", x, y, sample_weight, what=what), cut=numeric))
    return pd.DataFrame(rows, X.columns)


def _criteria(counts, unknown, values, cut=False):
    """Return a row of the table; the arguments are what ``_count`` returns. ``cut`` makes V = 2."""
    threshold = math.nan
    if cut and len(values) > 1:
        counts, threshold = _bipartition(counts, values)
    branches, known = counts.sum(axis=1), counts.sum()
    gain = mutual_information(counts / known) * float(known / (known + unknown))
    gain = gain if gain > _ROUNDING else 0.0
    value = entropy(np.append(branches, unknown) / (known + unknown))
    return {
        "gain": gain,
        "intrinsic_value": value,
        "gain_ratio": gain / value if value > 0 else 0.0,
        "gini": float(branches / known @ gini(counts)),
        "misclassification": float(branches / known @ misclassification(counts)),
        "threshold": threshold,
    }


def _bipartition(counts, values):
    """Return class counts (2, K) and threshold of the cut of most gain through the ``values``."""
    order = np.argsort(values)
    counts, values = counts[order], values[order]
    # Cut i has the values 0 … i below and the rest above. Sums from either end give the class
    # counts of both sides of every cut; the cut of most gain leaves the least entropy.
    below, above = counts.cumsum(axis=0)[:-1], counts[::-1].cumsum(axis=0)[-2::-1]  # (cuts, K)
    left = _doubt(below) + _doubt(above)  # (cuts,)
    i = np.argmax(left <= left.min() + _TIE * _doubt(counts.sum(axis=0)))  # the first: the lowest
    low, high = values[i : i + 2]
    middle = low / 2 + high / 2  # (low + high)/2 may overflow; next to high, it may round to it
    return np.array([below[i], above[i]]), float(middle if middle < high else low)


def _doubt(counts):
    """Return |D|·H(D) of class counts on the last axis."""
    p = counts / counts.sum(axis=-1, keepdims=True)
    return -(counts * np.log2(np.where(p > 0, p, 1))).sum(axis=-1)


def _count(caller, x, y, sample_weight, threshold=None, what="x"):
    """Return class counts (V, K) of rows with known x, the weight of the others, the V values."""
    x = _column(caller, what, x)
    y = pd.Series(np.zeros(len(x))) if y is None else _column(caller, "y", y)
    _require(len(x) == len(y), caller, f"{what} has {len(x)} rows, y {len(y)}; give a label each")
    _require(y.notna().all(), caller, f"y has {y.isna().sum()} missing labels; drop their rows")
    weight = _weights(caller, sample_weight, len(x))
    if threshold is not None:
        fits = isinstance(threshold, numbers.Real) and not math.isnan(threshold)
        _require(fits, caller, f"threshold is {threshold!r}, expected a number")
        x = pd.Series(_floats(caller, what, x) > threshold).where(x.notna(), None)
    known = x.notna().to_numpy() & (weight > 0)
    _require(known.any(), caller, f"{what} is all missing; drop it or fill it")
    (branch, values), (label, labels) = pd.factorize(x[known]), pd.factorize(y[known])
    counts = np.zeros((len(values), len(labels)))
    np.add.at(counts, (branch, label), weight[known])
    return counts, weight[~known].sum(), values


def _column(caller, name, values):
    """Return one value per row as a Series that is indexed by position."""
    _require(not isinstance(values, str), caller, f"{name} is the name {values!r}; give its values")
    shape = np.shape(values)
    advice = f"{name} has shape {shape}, expected a value per row; give one column, not empty"
    _require(len(shape) == 1 and shape[0] > 0, caller, advice)
    return pd.Series(values).reset_index(drop=True)


def _floats(caller, name, x):
    """Return a Series of numbers as an array of floats, NaN where missing."""
    numeric = pd.api.types.is_numeric_dtype(x)
    _require(numeric, caller, f"{name} holds {x.dtype}, expected numbers; give no threshold")
    array = x.to_numpy(dtype=float, na_value=np.nan)
    _require(not np.isinf(array).any(), caller, f"{name} holds infinity; drop or fill it")
    return array


def _weights(caller, sample_weight, n):
    """Return a weight per row; 1 by default."""
    weight = np.ones(n) if sample_weight is None else np.asarray(sample_weight)
    advice = f"sample_weight has shape {weight.shape}, expected ({n},); give one weight per row"
    _require(weight.shape == (n,), caller, advice)
    _shares(caller, weight, "sample_weight")
    return weight.astype(float)


def _shares(caller, counts, name="counts"):
    """Return the counts (K,) or (nodes, K) divided by the total of each node."""
    counts = _numbers(caller, name, counts, (1, None), negative=False)
    with np.errstate(over="ignore"):
        total = counts.sum(axis=-1, keepdims=True)
    fits = ((total > 0) & (total < math.inf)).all()
    _require(fits, caller, f"{name} must have a positive, finite total; leave empty nodes out")
    return counts / total
