"""How far might an estimate be off, when there is only one sample? Draw samples from that sample.

Lecture 05. θ̂ is a statistic of N observations, for example their mean. Resampling makes new data
sets from the only one there is, and looks how θ̂ varies over them.

Jackknife (Quenouille 1949): leave out one observation at a time. With θ_i the statistic without
observation i and θ̄ the mean of the θ_i

    variance of θ̂   =  (N−1)/N · Σ (θ_i − θ̄)²     (N−1, since the θ_i are almost the same)
    bias of θ̂       =  (N−1) · (θ̄ − θ̂)
    corrected value  =  θ̂ − bias  =  N·θ̂ − (N−1)·θ̄     (not θ̄ itself, which is more biased)

Bootstrap (Efron 1979): draw M samples of N observations with replacement. With θ*_m the statistic
of sample m

    standard error of θ̂  =  √( 1/(M−1) · Σ (θ*_m − mean θ*)² )

This is the spread of θ̂, not that of the mean of the θ*. The percentile interval cuts off the same
share of the θ* at both ends; BCa (Efron 1987) moves the two ends by z0, how far the median of
the θ* is from θ̂, and by the acceleration a, how much the spread changes with θ (a jackknife's
skewness):

    z0 = Φ⁻¹(share of θ* below θ̂)    a = Σ (θ̄ − θ_i)³ / (6 (Σ (θ̄ − θ_i)²)^1.5)
    ends at the shares  Φ( z0 + (z0 + z) / (1 − a (z0 + z)) )  of the θ*,  z = ±1.96 for 95 %

The jackknife is not for every statistic: it needs one that changes smoothly with each observation.
The median does not, its θ_i take three values at most, and its jackknife variance stays wrong
however large N is. The bootstrap's is right.
"""

import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

__all__ = ["bootstrap", "jackknife"]

_BLOCK = 2**20  # observations that are gathered at once: bounds the memory
_NOT_SMOOTH = {"median", "quantile", "percentile", "min", "max", "amin", "amax", "mode", "iqr"}


@dataclass(frozen=True)
class Jackknife:
    """What leave-one-out tells about an estimate: numbers, or arrays if the statistic is one."""

    estimate: float  # θ̂
    bias: float
    corrected: float  # θ̂ − bias
    variance: float  # of θ̂
    values: np.ndarray = field(repr=False)  # (N, …): the statistic without observation i

    @property
    def standard_error(self):
        """The root of the variance."""
        return _plain(np.sqrt(self.variance))


def jackknife(statistic, x):
    """Leave out each observation once: the bias and the variance of ``statistic(x)``.

    A UserWarning says if the statistic does not look smooth: if it is called median, quantile,
    percentile, min, max, mode or iqr (also nan…, amin, amax, or a ``functools.partial`` of them),
    or if at least three and more than a third of its leave-one-out values, which are not all equal
    up to rounding, coincide although no more than a third of the observations do.

    Parameters
    ----------
    statistic : function of a data set like x, to a number or an array of numbers. If x is a row of
        numbers and the statistic takes ``axis`` (np.mean, np.var, most of scipy.stats), many
        samples are computed at once as ``statistic(samples, axis=-1)``
    x : N ≥ 2 observations: a list, array, or Series; the *rows* of a table or DataFrame

    Returns
    -------
    Jackknife: ``estimate``, ``bias``, ``corrected``, ``variance``, ``standard_error``, ``values``

    Examples
    --------
    >>> x = [1.0, 2.0, 4.0, 9.0]
    >>> found = jackknife(np.var, x)  # divides by N: too small on average
    >>> found.estimate, round(found.bias, 6), round(found.corrected, 6)
    (9.5, -3.166667, 12.666667)
    >>> round(jackknife(np.mean, x).variance, 6)  # s²/N = 12.666667 / 4
    3.166667
    """
    x, estimate = _start("jackknife", statistic, x)
    values = _leave_one_out("jackknife", statistic, x, estimate)
    reason = _why_not_smooth(statistic, x, values)
    if reason:
        advice = "its jackknife variance can be far off for any N; use bootstrap"
        warnings.warn(f"jackknife: {reason}: {advice}", UserWarning, stacklevel=2)
    n = len(values)
    apart = values - estimate  # (N, …); small numbers, so that little is lost to rounding
    bias = (n - 1) * apart.mean(axis=0)
    variance = (n - 1) / n * np.sum((apart - apart.mean(axis=0)) ** 2, axis=0)
    plain = [_plain(number) for number in (estimate, bias, estimate - bias, variance)]
    return Jackknife(*plain, values)


class Interval(NamedTuple):
    """The two ends of a confidence interval."""

    low: float
    high: float


@dataclass(frozen=True)
class Bootstrap:
    """An estimate and its bootstrap replicates: how much it varies from sample to sample."""

    estimate: float  # θ̂, of the data themselves
    standard_error: float  # of θ̂
    bias: float  # mean of the replicates − θ̂
    replicates: np.ndarray = field(repr=False)  # (M, …)
    statistic: Callable = field(repr=False)
    x: Any = field(repr=False)

    def interval(self, level=0.95, method="percentile"):
        """Return the confidence interval (low, high); ``method`` is "percentile" or "bca"."""
        name = "Bootstrap.interval"
        proper = isinstance(level, Real) and 0 < level < 1
        _require(proper, name, f"level is {level!r}; give a number between 0 and 1, such as 0.95")
        known = method in ("percentile", "bca")
        _require(known, name, f"method is {method!r}, expected 'percentile' or 'bca'")
        replicates = self.replicates.reshape(len(self.replicates), -1)  # (M, numbers)
        shares = np.tile([(1 - level) / 2, (1 + level) / 2], (replicates.shape[1], 1))
        if method == "bca":
            estimate = np.asarray(self.estimate)
            values = _leave_one_out(name, self.statistic, self.x, estimate)
            shares = _bca(replicates, estimate.ravel(), values.reshape(len(values), -1), shares)
        ends = [np.quantile(column, s) for column, s in zip(replicates.T, shares, strict=True)]
        low, high = np.transpose(ends).reshape(2, *np.shape(self.estimate))
        return Interval(_plain(low), _plain(high))


def bootstrap(statistic, x, n_resamples=2000, random_state=None):
    """Draw samples of N from the N observations, with replacement, and watch the statistic vary.

    Parameters
    ----------
    statistic, x : as in jackknife; the statistic need not be smooth, nor take ``axis``
    n_resamples : number M of samples; 200 for a standard error, 2000 for an interval
    random_state : seed, numpy Generator or None; the same seed gives the same bits

    Returns
    -------
    Bootstrap: ``estimate``, ``standard_error``, ``bias``, ``replicates`` and the method
    ``interval(level=0.95, method="percentile" or "bca")``

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=100)
    >>> found = bootstrap(np.median, x, random_state=0)
    >>> round(found.estimate, 3), round(found.standard_error, 3)
    (0.073, 0.142)
    >>> [round(end, 3) for end in found.interval(level=0.9, method="bca")]
    [-0.209, 0.257]
    """
    x, estimate = _start("bootstrap", statistic, x)
    whole = isinstance(n_resamples, Integral) and n_resamples >= 2
    advice = f"n_resamples is {n_resamples!r}; give a whole number from 2 up"
    _require(whole, "bootstrap", advice)
    rng, n = np.random.default_rng(random_state), len(x)
    draws = (rng.integers(n, size=(rows.stop - rows.start, n)) for rows in _blocks(n_resamples, n))
    replicates = _values("bootstrap", statistic, x, estimate, draws)
    error, bias = replicates.std(axis=0, ddof=1), (replicates - estimate).mean(axis=0)
    plain = [_plain(number) for number in (estimate, error, bias)]
    return Bootstrap(*plain, replicates, statistic, x)


def _bca(replicates, estimate, values, shares):
    """Return the shares (numbers, 2) of the replicates at which the BCa intervals end."""
    below = (np.mean(replicates < estimate, axis=0) + np.mean(replicates <= estimate, axis=0)) / 2
    advice = "all replicates are on one side of the estimate; use the percentile interval"
    _require(np.all((below > 0) & (below < 1)), "Bootstrap.interval", advice)
    apart = values.mean(axis=0) - values  # (N, numbers)
    apart = apart / (np.abs(apart).max(axis=0) + (np.ptp(values, axis=0) == 0))  # scale: no matter
    squares = np.sum(apart**2, axis=0)
    acceleration = np.sum(apart**3, axis=0) / (6 * np.where(squares == 0, 1.0, squares) ** 1.5)
    z0 = ndtri(below)[:, None]
    z = z0 + ndtri(shares)
    bend = 1 - acceleration[:, None] * z
    advice = "the sample is too skewed for BCa; use the percentile interval"
    _require(np.all(bend > 0), "Bootstrap.interval", advice)
    return ndtr(z0 + z / bend)


def _start(name, statistic, x):
    """Check the arguments; return the observations and the statistic of them as an array."""
    _require(callable(statistic), name, f"statistic is {statistic!r}, expected a function")
    if not isinstance(x, pd.Series | pd.DataFrame):
        try:
            x = np.asarray(x)
        except ValueError:
            raise ValueError(f"{name}: x has rows of different lengths; give a table") from None
    shape = np.shape(x)
    advice = f"x has shape {shape}; give at least two observations, or rows"
    _require(len(shape) >= 1 and shape[0] >= 2, name, advice)
    return x, _finite(name, statistic(x))


def _leave_one_out(name, statistic, x, estimate):
    """Return the statistic (N, …) without each observation."""
    n = len(x)
    others = np.arange(n - 1)
    left = (others + (others >= np.arange(b.start, b.stop)[:, None]) for b in _blocks(n, n))
    return _values(name, statistic, x, estimate, left)


def _blocks(count, n):
    """Yield ranges that together count samples of n observations, as many as fit in a block."""
    step = max(1, _BLOCK // n)
    return (range(start, min(start + step, count)) for start in range(0, count, step))


def _values(name, statistic, x, estimate, blocks):
    """Return the statistic (samples, …) of samples given by row numbers, blocks of (b, rows)."""
    array, found = np.asarray(x), []
    at_once = _takes_axis(statistic, array, estimate)
    for block in blocks:
        if at_once:
            found.append(_finite(name, statistic(array[block], axis=-1)))
        else:
            samples = (x.iloc[rows] if hasattr(x, "iloc") else x[rows] for rows in block)
            found.append(np.stack([_finite(name, statistic(sample)) for sample in samples]))
    return np.concatenate(found)


def _takes_axis(statistic, array, estimate):
    """Tell if statistic(samples, axis=-1) does what statistic(sample) does: try it on x twice."""
    if array.ndim != 1 or array.dtype.kind not in "biuf" or estimate.ndim:
        return False
    try:
        if "axis" not in inspect.signature(statistic).parameters:
            return False
        twice = np.asarray(statistic(np.stack([array, array]), axis=-1))
    except Exception:  # whatever is wrong with the axis: one sample at a time works
        return False
    return twice.shape == (2,) and np.allclose(twice, estimate, rtol=1e-9, atol=0)


def _why_not_smooth(statistic, x, values):
    """Return why the jackknife is not to be trusted, or None; the rule is in its docstring."""
    while isinstance(statistic, partial):
        statistic = statistic.func
    name = getattr(statistic, "__name__", "")
    if name.removeprefix("nan") in _NOT_SMOOTH:
        return f"{name} is not a smooth statistic"
    n, columns = len(values), values.reshape(len(values), -1).T
    varied = [c for c in columns if np.ptp(c) > 1e-12 * np.abs(c).max()]
    most = max((int(np.unique(c, return_counts=True)[1].max()) for c in varied), default=0)
    if most >= 3 and 3 * most > n and 3 * _largest_count(x) <= n:
        return f"{most} of {n} leave-one-out values are equal, so it is not smooth"
    return None


def _largest_count(x):
    """Return how often the most frequent observation occurs."""
    table = pd.DataFrame(np.asarray(x).reshape(len(x), -1))
    return int(table.value_counts(dropna=False).iloc[0])


def _finite(name, value):
    """Return what a statistic gave as an array of finite floats."""
    array = np.asarray(value)
    good = array.dtype.kind in "biuf" and np.isfinite(array).all()
    advice = "the statistic of a sample is not a finite number; sampling repeats or drops rows"
    _require(good, name, f"{advice}, and it must cope with that")
    return array.astype(float)


def _plain(array):
    """Return a Python float for a single number, else the array."""
    return array if np.ndim(array) else float(array)


def _require(condition, name, message):
    if not condition:
        raise ValueError(f"{name}: {message}")
