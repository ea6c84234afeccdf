"""How much do we not know, and how far apart are two beliefs? Information theory answers in bits.

Lecture 01. P and Q are distributions, X and Y random variables.

    self-information     I(x)     = −log P(x)
    entropy              H(X)     = −Σ P(x) log P(x)
    joint entropy        H(X,Y)   = −Σ P(x,y) log P(x,y)
    conditional entropy  H(X|Y)   = −Σ P(x,y) log P(x,y)/P(y)         = H(X,Y) − H(Y)
    mutual information   I(X;Y)   =  Σ P(x,y) log P(x,y)/(P(x) P(y))  = H(X) − H(X|Y)
    cross entropy        H(P,Q)   = −Σ P(x) log Q(x)                  = H(P) + KL(P‖Q)
    KL divergence        KL(P‖Q)  =  Σ P(x) log P(x)/Q(x)
    JS divergence        JS(P,Q)  =  ½ KL(P‖M) + ½ KL(Q‖M),  M = (P+Q)/2
    Wasserstein          W_p(P,Q) =  (min over plans γ of E_γ |x−y|^p)^(1/p)

Conventions: 0·log 0 = 0, 0·log(0/q) = 0 and p·log(p/0) = ∞. A distribution is a list, an array,
a Series or a DataFrame; it must sum to one within 1e-6 and is then divided by its sum. Two
pandas objects are matched by label, never by position. All sums are taken in bits; ``base``
only sets the unit of the result: 2 for bits, ``math.e`` for nats.
"""

import math
import numbers
import sys
from typing import NamedTuple

import numpy as np

__all__ = [
    "conditional_entropy",
    "cross_entropy",
    "entropy",
    "joint_entropy",
    "js_divergence",
    "kl_divergence",
    "mutual_information",
    "optimal_transport",
    "self_information",
    "wasserstein_distance",
]

_TOLERANCE = 1e-6  # how far from one a sum of probabilities may be


def self_information(p, base=2):
    """Return I(x) = −log P(x) of each probability; a number, an array or a Series, as given.

    >>> self_information(0.5)
    1.0
    >>> self_information([1, 0.25, 0]).tolist()
    [0.0, 2.0, inf]
    """
    array = _numbers("self_information", "p", p, negative=False)
    largest = array.max()
    advice = f"p holds {largest:.9g}, expected at most 1; divide counts by their total"
    _require(largest <= 1 + _TOLERANCE, "self_information", advice)
    values = p.astype(float) if _is_pandas(p) else array
    with np.errstate(divide="ignore"):  # −log 0 = ∞; + 0.0 turns −0.0 into 0.0
        information = -np.log2(np.minimum(values, 1)) / _unit("self_information", base) + 0.0
    return information if array.ndim else float(information)


def entropy(p, base=2):
    """Return H = −Σ p log p; ``p`` of any shape is one distribution over all its entries.

    >>> entropy([0.5, 0.5])
    1.0
    >>> round(entropy([9 / 14, 5 / 14]), 3)
    0.94
    >>> round(entropy([0.7, 0.3]), 4)  # one lecture prints 0.8816, from logs of three digits
    0.8813
    """
    return _result("entropy", _entropy_bits(_distribution("entropy", "p", p)), base)


def joint_entropy(joint, base=2):
    """Return H(X,Y) = −Σ P(x,y) log P(x,y) of a table with one axis per variable (two or more).

    >>> joint_entropy([[0.25, 0.25], [0.25, 0.25]])  # two fair coins
    2.0
    """
    joint = _distribution("joint_entropy", "joint", joint, (2, None))
    return _result("joint_entropy", _entropy_bits(joint), base)


def conditional_entropy(joint, base=2):
    """Return H(X|Y) = −Σ P(x,y) log P(x,y)/P(y), the doubt about X that is left once Y is known.

    ``joint`` is the (x, y) table: X on axis 0, Y on axis 1. Transpose it for H(Y|X).

    >>> play_by_outlook = [[3 / 14, 0, 2 / 14], [2 / 14, 4 / 14, 3 / 14]]
    >>> round(conditional_entropy(play_by_outlook), 4)
    0.6935
    """
    joint = _distribution("conditional_entropy", "joint", joint, (2, 2))
    x, y = np.nonzero(joint)  # only the cells that can occur: 0·log 0 = 0
    p_xy, p_y = joint[x, y], joint.sum(axis=0)[y]
    bits = -np.sum(p_xy * (np.log2(p_xy) - np.log2(p_y)))
    return _result("conditional_entropy", bits, base)


def mutual_information(joint, base=2):
    """Return I(X;Y) = Σ P(x,y) log P(x,y)/(P(x)P(y)) of a 2-D table: what X and Y share.

    It is how much knowing Y lowers the entropy of X. Of class and attribute it is the gain.

    >>> play_by_outlook = [[3 / 14, 0, 2 / 14], [2 / 14, 4 / 14, 3 / 14]]
    >>> round(mutual_information(play_by_outlook), 3)
    0.247
    """
    joint = _distribution("mutual_information", "joint", joint, (2, 2))
    x, y = np.nonzero(joint)
    p_xy, p_x, p_y = joint[x, y], joint.sum(axis=1)[x], joint.sum(axis=0)[y]
    bits = np.sum(p_xy * (np.log2(p_xy) - np.log2(p_x) - np.log2(p_y)))
    return _result("mutual_information", bits, base)


def cross_entropy(p, q, base=2):
    """Return H(P,Q) = −Σ p log q: the mean length of P's messages in the code made for Q.

    >>> cross_entropy([0.5, 0.5], [0.25, 0.75]) > entropy([0.5, 0.5])
    True
    """
    p, q = _pair("cross_entropy", p, q)
    p, q = p[p > 0], q[p > 0]
    bits = -np.sum(p * np.log2(q)) if q.all() else math.inf
    return _result("cross_entropy", bits, base)


def kl_divergence(p, q, base=2):
    """Return KL(P‖Q) = Σ p log p/q: the price of using Q's code for P. Not symmetric.

    >>> P, Q, R = [0.5, 0.5], [0.25, 0.75], [0.1, 0.9]
    >>> [round(kl_divergence(*pair), 4) for pair in [(P, Q), (Q, P), (Q, R), (P, R)]]
    [0.2075, 0.1887, 0.1332, 0.737]
    """
    return _result("kl_divergence", _kl_bits(*_pair("kl_divergence", p, q)), base)


def js_divergence(p, q, base=2):
    """Return JS = ½ KL(P‖M) + ½ KL(Q‖M) with M = (P+Q)/2: from 0 to 1 bit; its root is a metric.

    >>> js_divergence([1, 0], [0, 1])
    1.0
    """
    p, q = _pair("js_divergence", p, q)
    middle = np.maximum((p + q) / 2, 5e-324)  # half of the smallest float must not become 0
    bits = (_kl_bits(p, middle) + _kl_bits(q, middle)) / 2
    return _result("js_divergence", min(1.0, bits), base)


def wasserstein_distance(u_values, v_values, u_weights=None, v_weights=None, *, p=1):
    """Return W_p of two weighted samples of numbers: how far mass must move, in the p-th mean.

    On a line the best plan moves quantile to quantile: W_p = (∫ |U⁻¹(t) − V⁻¹(t)|^p dt)^(1/p),
    and W_∞ (``p=math.inf``) is the longest move. Weights are divided by their total; the default
    is equal weights. Levels t of the two samples that differ by rounding only count as one.

    >>> [round(wasserstein_distance([0, 2], [0, 4], p=p), 4) for p in (1, 2, 3)]
    [1.0, 1.4142, 1.5874]
    >>> wasserstein_distance([0, 1, 3], [5, 6, 8])
    5.0
    """
    caller = "wasserstein_distance"
    known = isinstance(p, numbers.Real) and p >= 1
    _require(known, caller, f"p is {p!r}, expected a number ≥ 1; use math.inf for the longest move")
    u, u_levels = _quantiles("u", u_values, u_weights)
    v, v_levels = _quantiles("v", v_values, v_weights)
    # Merge the levels: between two neighbors both quantile functions are constant.
    levels = np.sort(np.concatenate([[0.0], u_levels, v_levels]))
    rounding = min(np.finfo(float).eps * levels.size, 1e-10)
    levels = levels[np.diff(levels, prepend=-1.0) > rounding]
    mass, middle = np.diff(levels), (levels[1:] + levels[:-1]) / 2
    with np.errstate(over="ignore"):
        moves = np.abs(u[np.searchsorted(u_levels, middle)] - v[np.searchsorted(v_levels, middle)])
    longest = float(moves.max())
    _require(longest < math.inf, caller, "values differ by more than the largest float; rescale")
    if longest == 0 or p == math.inf:
        return longest
    # Powers of numbers up to 1 cannot overflow, so the longest move is taken out first.
    return longest * float(np.sum(mass * (moves / longest) ** float(p))) ** (1 / float(p))


class Transport(NamedTuple):
    """An optimal plan, (m, n) with marginals p and q, and its cost Σ plan·cost."""

    plan: np.ndarray
    cost: float


def optimal_transport(cost, p, q):
    """Return the cheapest plan γ ≥ 0 that moves P to Q, and its cost Σ γ(i,j)·cost(i,j).

    ``cost`` is (m, n), ``p`` has m entries and ``q`` n; row i of γ sums to p[i], column j to q[j].
    With cost |x−y|^p the least cost is W_p^p, in any number of dimensions.

    >>> plan, cost = optimal_transport([[0, 4], [2, 2]], [0.5, 0.5], [0.5, 0.5])  # {0,2} to {0,4}
    >>> plan.tolist(), cost
    ([[0.5, 0.0], [0.0, 0.5]], 1.0)
    """
    caller = "optimal_transport"
    for axis, (name, side) in enumerate([("p", p), ("q", q)]):
        if _is_pandas(cost) and _is_pandas(side) and (cost.ndim, side.ndim) == (2, 1):
            cost = _matched(caller, "cost", cost, axis, name, side.index)
    p, q = _distribution(caller, "p", p, (1, 1)), _distribution(caller, "q", q, (1, 1))
    cost = _numbers(caller, "cost", cost, (2, 2))
    advice = f"cost has shape {cost.shape}, expected (len(p), len(q)) = {(p.size, q.size)}"
    _require(cost.shape == (p.size, q.size), caller, f"{advice}; check or transpose it")
    # The solver's tolerances are absolute: give it costs from 0 to 1. Neither a common factor
    # nor what all costs of a row or a column share changes which plan is best.
    scaled = cost / (np.abs(cost).max() or 1.0)
    scaled = scaled - scaled.min(axis=1, keepdims=True)
    scaled = scaled - scaled.min(axis=0)
    plan = _solve(scaled / (scaled.max() or 1.0), p, q)
    return Transport(plan, float(np.sum(plan * cost)))


def _solve(cost, p, q):
    """Solve the linear program: γ ≥ 0 with row sums p and column sums q, least Σ γ·cost."""
    from scipy import sparse
    from scipy.optimize import linprog

    m, n = cost.shape
    rows = sparse.kron(sparse.eye_array(m), np.ones((1, n)))  # (m, m·n): sums of each row of γ
    columns = sparse.kron(np.ones((1, m)), sparse.eye_array(n))  # (n, m·n): sums of each column
    answer = linprog(
        cost.ravel(),
        A_eq=sparse.vstack([rows, columns], format="csr"),
        b_eq=np.concatenate([p, q]),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if answer.status != 0:
        problem = f"no plan found (linprog status {answer.status}: {answer.message})"
        raise RuntimeError(f"optimal_transport: {problem}; try fewer points or more even costs")
    return np.maximum(answer.x, 0.0).reshape(m, n)


def _entropy_bits(p):
    p = p[p > 0]
    return -np.sum(p * np.log2(p))


def _kl_bits(p, q):
    p, q = p[p > 0], q[p > 0]
    # A difference of logs, not the log of a ratio: p/q may overflow.
    return np.sum(p * (np.log2(p) - np.log2(q))) if q.all() else math.inf


def _result(caller, bits, base):
    """Return a plain float in the unit asked for; a rounding error below 0 becomes 0."""
    return max(0.0, float(bits)) / _unit(caller, base) + 0.0


def _unit(caller, base):
    """Return how many bits one unit of log ``base`` is."""
    try:
        bits = math.log2(base)
    except (TypeError, ValueError):
        bits = math.nan
    advice = f"base is {base!r}, expected a positive number other than 1; use 2 for bits, math.e"
    _require(math.isfinite(bits) and bits != 0, caller, f"{advice} for nats")
    return bits


def _quantiles(side, values, weights):
    """Return the sorted values of one sample and the cumulative weight up to each, ending at 1."""
    caller, name, of = "wasserstein_distance", f"{side}_weights", f"{side}_values"
    if _is_pandas(values) and _is_pandas(weights):
        weights = _matched(caller, name, weights, 0, of, values.index)
    values = _numbers(caller, of, values, (1, 1))
    weights = np.ones(values.size) if weights is None else weights
    weights = _numbers(caller, name, weights, (1, 1), negative=False)
    advice = f"{name} has {weights.size} entries but {of} has {values.size}; give one weight each"
    _require(weights.size == values.size, caller, advice)
    order = np.argsort(values, kind="stable")
    with np.errstate(over="ignore"):
        cumulative = np.cumsum(weights[order])
    total = cumulative[-1]
    advice = f"{name} sum to {total:g}, expected a positive, finite total; rescale the weights"
    _require(0 < total < math.inf, caller, advice)
    return values[order], cumulative / total


def _pair(caller, p, q):
    """Return two distributions of one shape; two pandas objects are matched by label first."""
    if _is_pandas(p) and _is_pandas(q) and p.ndim == q.ndim:
        for axis, labels in enumerate(p.axes):
            q = _matched(caller, "q", q, axis, "p", labels)
    p, q = _distribution(caller, "p", p), _distribution(caller, "q", q)
    advice = f"p has shape {p.shape} but q has shape {q.shape}; give both one entry per outcome"
    _require(p.shape == q.shape, caller, advice)
    return p, q


def _distribution(caller, name, values, dims=(1, None)):
    """Return probabilities as an array that sums to one."""
    array = _numbers(caller, name, values, dims, negative=False)
    with np.errstate(over="ignore"):
        total = array.sum()
    advice = "divide counts by their total" if total > 0 else "at least one must be positive"
    message = f"probabilities {name} must sum to 1, but they sum to {total:.9g}: {advice}"
    _require(abs(total - 1) <= _TOLERANCE, caller, message)
    return array / total


def _numbers(caller, name, values, dims=(0, None), negative=True):
    """Return a non-empty array of finite floats whose number of dimensions is within ``dims``."""
    if _is_pandas(values) and values.ndim == 2 and all(t.kind in "biuf" for t in values.dtypes):
        values = values.astype(float)  # one type for all columns
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.array(None)
    _require(array.size > 0, caller, f"{name} is empty; give at least one number")
    advice = f"{name} holds text, objects or rows of different lengths, expected numbers only"
    _require(array.dtype.kind in "biuf", caller, f"{advice}; convert or reshape it")
    low, high = dims
    wanted = f"{low}-D" if low == high else f"at least {low}-D"
    advice = "give one axis per variable" if low > 1 else "give a flat list such as [0.7, 0.3]"
    message = f"{name} has shape {array.shape}, expected {wanted}; {advice}"
    _require(low <= array.ndim <= (high or array.ndim), caller, message)
    array = array.astype(float)
    worst = array.flat[np.argmin(np.isfinite(array))]  # the first that is not finite, if any
    _require(np.isfinite(worst), caller, f"{name} holds {worst}, expected finite; drop or fill it")
    advice = f"{name} holds {array.min():.9g}, expected no negative number; check where it is from"
    _require(negative or array.min() >= 0, caller, advice)
    return array


def _require(condition, caller, message):
    if not condition:
        raise ValueError(f"{caller}: {message}")


def _is_pandas(values):
    """Tell a Series or DataFrame. If pandas was never imported, it is neither."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(values, pandas.Series | pandas.DataFrame)


def _matched(caller, name, values, axis, other, labels):
    """Return pandas ``values`` with one axis in the order of ``labels``, which are ``other``'s."""
    own = values.axes[axis]
    if own.equals(labels):
        return values
    message = f"{name} and {other} cannot be matched by repeated labels; give each label once"
    _require(own.is_unique and labels.is_unique, caller, message)
    order = own.get_indexer(labels)
    absent = {name: labels[order < 0], other: own[labels.get_indexer(own) < 0]}
    lacks = [f"{who} lacks {list(some[:9])}" for who, some in absent.items() if len(some)]
    found = " and ".join(lacks)
    message = f"{name} and {other} must have the same labels, but {found}; reindex both alike"
    _require(not found, caller, message)
    return values.take(order, axis=axis)
