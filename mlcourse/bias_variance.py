"""Is a model always wrong in the same way, or differently each time, or is it the data? All three.

Lecture 04. h is what a learner predicts after one training set S; y* is what is observed at a test
point. Squared loss, with the consensus h̄ = E_S[h], the truth f = E[y*] and σ² = E[(y* − f)²]:

    E[(h − y*)²]  =  E[(h − h̄)²]  +  (h̄ − f)²  +  σ²        at every point
       error           variance        bias²      noise        (σ², not its square)

0/1 loss (Domingos 2000), with main prediction m, the most frequent h, and optimal class o, of y*:

    B = [m ≠ o]        bias: 0 or 1, is the consensus wrong?
    V = P(h ≠ m)       variance; called unbiased (V_u) where B = 0 and biased (V_b) where B = 1
    N = P(y* ≠ o)      noise
    P(h ≠ y*)  =  V + N − 2VN  if B = 0,    1 − (V + N − 2VN)  if B = 1         (two classes)
               =  B + V_u − V_b                                 (two classes, without noise)
               =  B + variance effect + noise effect            (any number of classes)

where the effect of variance is P(h ≠ o) − B, that is V if B = 0 and −P(h = o) if B = 1, and that of
noise P(h ≠ y*) − P(h ≠ o). So variance hurts where the consensus is right and *helps* where it is
wrong. All this needs y* to be independent of h, as it is at a test point. Expectations over S are
means over ``n_repeats`` training sets: the identities hold to rounding for any number of them, the
terms are estimates (bias² still holds about variance/n_repeats). This bias is that of the
consensus, not that of the estimator of a parameter (mlcourse.resampling).
"""

import sys
from dataclasses import dataclass, fields
from numbers import Integral

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.utils import _safe_indexing, check_consistent_length
from sklearn.utils.validation import _num_samples

__all__ = ["bias_variance_squared", "bias_variance_zero_one"]

_TIE = 1e-10  # probabilities closer than this are equal
_SQUARED, _ZERO_ONE = __all__


class Decomposition:
    """Arrays with an entry per test point, and their averages."""

    @property
    def averages(self):
        """The mean of every term over the test points."""
        names = [term.name for term in fields(self)[: self._n_terms]]
        return {name: float(np.mean(getattr(self, name))) for name in names}

    def __repr__(self):
        averages = ", ".join(f"{name}={value:.3f}" for name, value in self.averages.items())
        return f"{type(self).__name__}({averages})"


@dataclass(frozen=True, repr=False, eq=False)
class SquaredDecomposition(Decomposition):
    """error = variance + bias² + noise, at each of n test points."""

    error: np.ndarray  # (n,) mean of (h − y*)²
    variance: np.ndarray  # (n,)
    bias_squared: np.ndarray  # (n,)
    noise: np.ndarray  # (n,) σ²
    bias: np.ndarray  # (n,) h̄ − f, with its sign
    mean_prediction: np.ndarray  # (n,) h̄
    predictions: np.ndarray  # (n_repeats, n) h
    _n_terms = 4


@dataclass(frozen=True, repr=False, eq=False)
class ZeroOneDecomposition(Decomposition):
    """error = bias + variance effect + noise effect, at each of n test points."""

    error: np.ndarray  # (n,) P(h ≠ y*)
    bias: np.ndarray  # (n,) B, 0.0 or 1.0
    variance: np.ndarray  # (n,) V
    unbiased_variance: np.ndarray  # (n,) V where B = 0, else 0: what hurts
    biased_variance: np.ndarray  # (n,) V where B = 1, else 0: what helps
    noise: np.ndarray  # (n,) N
    variance_effect: np.ndarray  # (n,); V_u − V_b if there are two classes
    noise_effect: np.ndarray  # (n,)
    main_prediction: np.ndarray  # (n,) labels m
    optimal: np.ndarray  # (n,) labels o
    predictions: np.ndarray  # (n_repeats, n) labels h
    classes: np.ndarray  # (K,)
    _n_terms = 8

    def two_case(self):
        """Return the lecture's formula (n,): B ± [V + N − 2VN], + if B = 0 and − if B = 1."""
        B, V, N = self.bias, self.variance, self.noise
        _require(len(self.classes) <= 2, "two_case", "more than two classes; use the effects")
        return B + (1 - 2 * B) * (V + N - 2 * V * N)


def bias_variance_squared(
    estimator,
    sample_training_set,
    X_test,
    truth,
    *,
    noise=0.0,
    n_repeats=100,
    random_state=None,
    n_jobs=None,
    verbose=False,
):
    """Train again and again, and split the squared error into variance, bias² and noise.

    Parameters
    ----------
    estimator : regressor, cloned for every training set; a ``random_state`` of None is seeded
    sample_training_set : function that takes a numpy Generator and returns a new (X, y); or one
        data set (X, y), from which bootstrap samples are drawn, a stand-in for new ones
    X_test : n test points
    truth : f at the test points, (n,), or a function of X_test; or draws of y*, (draws, n), whose
        means are taken for f and whose variances for noise. The noise of a single y* per point
        cannot be told from the bias and is counted as bias²
    noise : σ² = E[(y* − f)²], a number or (n,)
    n_repeats : number of training sets
    random_state : seed, SeedSequence or numpy Generator; the result does not depend on n_jobs
    n_jobs : as in joblib, whose ``parallel_config`` can send the work to a Dask cluster
    verbose : True counts the training sets on stderr

    Returns
    -------
    SquaredDecomposition: ``error``, ``variance``, ``bias_squared``, ``noise`` …, arrays (n,) with
    an entry per test point, and their ``averages``

    Examples
    --------
    >>> from mlcourse import CARTRegressor
    >>> def sample(rng):
    ...     X = rng.uniform(0, 6, (50, 1))
    ...     return X, np.sin(X[:, 0]) + rng.normal(0, 0.3, 50)
    >>> X_test = np.linspace(0, 6, 101)[:, None]
    >>> for depth in (1, 3, 9):  # from under- to over-fitting
    ...     tree, f = CARTRegressor(max_depth=depth), np.sin(X_test[:, 0])
    ...     print(bias_variance_squared(tree, sample, X_test, f, noise=0.3**2, random_state=0))
    SquaredDecomposition(error=0.192, variance=0.039, bias_squared=0.063, noise=0.090)
    SquaredDecomposition(error=0.142, variance=0.048, bias_squared=0.004, noise=0.090)
    SquaredDecomposition(error=0.182, variance=0.091, bias_squared=0.001, noise=0.090)
    """
    truth = truth(X_test) if callable(truth) else truth
    decompose_squared(np.zeros((1, _num_samples(X_test))), truth, noise)  # fail now, not at the end
    study = (estimator, sample_training_set, X_test, n_repeats, random_state, n_jobs, verbose)
    return decompose_squared(_predictions(_SQUARED, *study), truth, noise)


def bias_variance_zero_one(
    estimator,
    sample_training_set,
    X_test,
    truth,
    *,
    noise=0.0,
    classes=None,
    n_repeats=100,
    random_state=None,
    n_jobs=None,
    verbose=False,
):
    """Train again and again, and split the error rate into bias, variance and noise (Domingos).

    Parameters
    ----------
    estimator (a classifier), sample_training_set, X_test, …, verbose : as in bias_variance_squared
    truth : optimal class of each test point, (n,), or the probability of every class there, (n, K),
        or a function of X_test that returns one of them. If the classes are noisy observations,
        the noise cannot be told from the bias and is counted as bias
    noise : N = P(y* ≠ optimal class), a number or (n,), at most ½; only for two classes. Of more
        give probabilities, since it matters which other class y* is
    classes : class order (K,), which names the columns and breaks ties; sorted labels by default

    Returns
    -------
    ZeroOneDecomposition: ``error``, ``bias``, ``variance``, ``unbiased_variance`` …, arrays (n,)
    with an entry per test point, and their ``averages``; ``two_case()`` is the lecture's formula

    Examples
    --------
    >>> from mlcourse import CARTClassifier, make_twonorm
    >>> result = bias_variance_zero_one(
    ...     CARTClassifier(), lambda rng: make_twonorm(200, random_state=rng),
    ...     make_twonorm(500, random_state=1)[0], lambda X: np.sign(X.sum(axis=1)), random_state=0)
    >>> {name: round(result.averages[name], 3) for name in ("error", "bias", "variance")}
    {'error': 0.224, 'bias': 0.014, 'variance': 0.223}
    """
    truth = truth(X_test) if callable(truth) else truth
    check_consistent_length(X_test, truth)
    study = (estimator, sample_training_set, X_test, n_repeats, random_state, n_jobs, verbose)
    return decompose_zero_one(_predictions(_ZERO_ONE, *study), truth, noise, classes)


def decompose_squared(predictions, truth, noise=0.0):
    """Decompose the squared error of ``predictions`` (repeats, n); see bias_variance_squared."""
    h = _numbers(_SQUARED, "predictions", predictions)
    y = np.atleast_2d(_numbers(_SQUARED, "truth", truth))  # (draws, n)
    advice = f"predictions have shape {h.shape}, truth {np.shape(truth)}; give one truth per point"
    _require(h.ndim == y.ndim == 2 and h.shape[1] == y.shape[1], _SQUARED, advice)
    noise = _noise(_SQUARED, noise, h.shape[1])
    mean, f = h.mean(axis=0), y.mean(axis=0)
    error = np.mean([np.mean((h - draw) ** 2, axis=0) for draw in y], axis=0) + noise
    variance, noise = np.mean((h - mean) ** 2, axis=0), np.mean((y - f) ** 2, axis=0) + noise
    return SquaredDecomposition(error, variance, (mean - f) ** 2, noise, mean - f, mean, h)


def decompose_zero_one(predictions, truth, noise=0.0, classes=None):
    """Decompose the error rate of ``predictions`` (repeats, n); see bias_variance_zero_one."""
    h, truth = np.asarray(predictions), np.asarray(truth)
    advice = f"predictions have shape {h.shape}, truth {truth.shape}; give one truth per point"
    _require(h.ndim == 2 >= truth.ndim and truth.shape[:1] == h.shape[1:], _ZERO_ONE, advice)
    named = truth.ndim == 1 or classes is not None
    _require(named, _ZERO_ONE, "truth has columns of probabilities; name them by classes=")
    classes = np.asarray(np.unique([*h, truth]) if classes is None else classes)
    q = np.mean(_indicators(h, classes), axis=0)  # (n, K): P(h = c)
    p = _class_probabilities(truth, noise, classes)  # (n, K): P(y* = c)
    # The first of the classes of largest share is the main and the optimal one.
    m, o = (np.argmax(s >= s.max(axis=1, keepdims=True) - _TIE, axis=1) for s in (q, p))
    points = np.arange(len(p))
    V, N, right = 1 - q[points, m], 1 - p[points, o], q[points, o]  # right: P(h = o)
    agree = p * q  # (n, K): P(h = y* = c), since h and y* are independent
    lucky = agree.sum(axis=1, where=np.arange(len(classes)) != o[:, None])  # not o, yet h = y*
    error, B = 1 - agree.sum(axis=1), np.where(m == o, 0.0, 1.0)
    terms = (error, B, V, (1 - B) * V, B * V, N, np.where(m == o, V, -right), right * N - lucky)
    return ZeroOneDecomposition(*terms, classes[m], classes[o], h, classes)


def _indicators(labels, classes):
    """Return whether each label is each class, (…, K)."""
    equal = labels[..., None] == classes
    strange = labels[~equal.any(axis=-1)][:1].tolist()
    _require(not strange, _ZERO_ONE, f"label {strange} is not among classes {classes.tolist()}")
    return equal


def _class_probabilities(truth, noise, classes):
    """Return P(y* = c) at every point, (n, K)."""
    k = len(classes)
    if truth.ndim == 2:
        p = _numbers(_ZERO_ONE, "truth", truth)
        proper = p.shape[1] == k and p.min() >= 0 and np.abs(p.sum(axis=1) - 1).max() <= 1e-6
        _require(proper, _ZERO_ONE, f"truth must hold {k} probabilities per point that sum to 1")
        _require(not np.any(noise), _ZERO_ONE, "give noise or probabilities, which hold the noise")
        return p / p.sum(axis=1, keepdims=True)
    noise = _noise(_ZERO_ONE, noise, len(truth), most=0.5)[:, None]
    advice = f"noise needs two classes, here are {k}; give classes=, or probabilities as truth"
    _require(k == 2 or not np.any(noise), _ZERO_ONE, advice)
    return np.where(_indicators(truth, classes), 1 - noise, noise)


def _predictions(name, estimator, sample, X_test, n_repeats, random_state, n_jobs, verbose):
    """Return the predictions (n_repeats, n) after each training set, the same for any n_jobs."""
    whole = isinstance(n_repeats, Integral) and n_repeats >= 1
    _require(whole, name, f"n_repeats is {n_repeats!r}; give a whole number from 1 up")
    fits = callable(sample) or (isinstance(sample, tuple | list) and len(sample) == 2)
    _require(fits, name, "sample_training_set must be a function of a Generator, or (X, y)")
    streams = np.random.default_rng(random_state).spawn(n_repeats)  # one for each training set
    jobs = (delayed(_train_and_predict)(name, estimator, sample, X_test, rng) for rng in streams)
    rows = []
    for row in Parallel(n_jobs=n_jobs, return_as="generator" if verbose else "list")(jobs):
        rows.append(row)
        if verbose:
            end = "\n" if len(rows) == n_repeats else ""
            print(f"\r{name}: {len(rows)} of {n_repeats}", end=end, file=sys.stderr, flush=True)
    return np.stack(rows)


def _train_and_predict(name, estimator, sample, X_test, rng):
    if callable(sample):
        X, y = sample(rng)
    else:
        check_consistent_length(*sample)
        rows = rng.integers(_num_samples(sample[1]), size=_num_samples(sample[1]))
        X, y = (_safe_indexing(part, rows) for part in sample)
    model = clone(estimator)
    unset = sorted(key for key, value in model.get_params().items() if value is None)
    seeds = {key: int(rng.integers(2**31)) for key in unset if key.endswith("random_state")}
    h = np.asarray(model.set_params(**seeds).fit(X, y).predict(X_test))
    fits = h.shape == (_num_samples(X_test),)
    _require(fits, name, f"predict gave shape {h.shape}, expected one value per test point")
    return h


def _noise(name, noise, n, most=np.inf):
    noise = _numbers(name, "noise", noise)
    proper = noise.shape in [(), (n,)] and noise.min() >= 0 and noise.max() <= most
    _require(proper, name, f"noise must be a number, or one per test point, from 0 to {most}")
    return np.broadcast_to(noise, n)


def _numbers(name, what, values):
    array = np.asarray(values)
    proper = array.dtype.kind in "biuf" and array.size > 0 and np.isfinite(array).all()
    _require(proper, name, f"{what} must be finite numbers; drop, fill or convert the others")
    return array.astype(float)


def _require(condition, name, message):
    if not condition:
        raise ValueError(f"{name}: {message}")
