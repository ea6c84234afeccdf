"""Information theory: the worked numbers, the theorems, naive twins, SciPy, and every error."""

import inspect
import math
import subprocess
import sys
import warnings
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from mlcourse import information
from mlcourse.information import (
    conditional_entropy,
    cross_entropy,
    entropy,
    joint_entropy,
    js_divergence,
    kl_divergence,
    mutual_information,
    optimal_transport,
    self_information,
    wasserstein_distance,
)

# Zeros, infinities and large numbers must not make NumPy warn.
pytestmark = pytest.mark.filterwarnings("error")
quick = settings(derandomize=True, deadline=None, database=None, max_examples=100)

P, Q, R = (0.5, 0.5), (0.25, 0.75), (0.1, 0.9)
ORDERS = (1, 1.5, 2, 3, 10, 100, math.inf)
ONE_TABLE = (entropy, joint_entropy, conditional_entropy, mutual_information)
TWO_DISTRIBUTIONS = (cross_entropy, kl_divergence, js_divergence)


def close(value, expected, tolerance=1e-9):
    return math.isclose(value, expected, rel_tol=tolerance, abs_tol=tolerance)


# ------------------------------------------------------------------ random inputs


def normalized(counts):
    return np.array(counts) / np.sum(counts)


def counts(size):
    return st.lists(st.integers(0, 20), min_size=size, max_size=size).filter(any)


@st.composite
def distributions(draw, n=1, least=1):
    """Draw ``n`` distributions over the same outcomes, some of probability zero."""
    size = draw(st.integers(least, 6))
    return [normalized(draw(counts(size))) for _ in range(n)]


@st.composite
def tables(draw):
    """Draw a joint distribution of X (rows) and Y (columns)."""
    m, n = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    return normalized(draw(counts(m * n))).reshape(m, n)


@st.composite
def samples(draw, n=1):
    """Draw ``n`` weighted samples: a list of numbers, and an integer weight for each."""
    number = st.integers(-1000, 1000).map(lambda i: i / 8) | st.floats(-100, 100)
    drawn = []
    for _ in range(n):
        values = draw(st.lists(number, min_size=1, max_size=6))
        drawn.append((values, draw(counts(len(values)))))
    return drawn


def distance(first, second, p):
    (u, u_weights), (v, v_weights) = first, second
    return wasserstein_distance(u, v, u_weights, v_weights, p=p)


# ------------------------------------------------------------------ the worked numbers


@pytest.mark.parametrize(
    ("p", "bits"),
    [
        ([0.7, 0.3], 0.881291),
        ([9 / 14, 5 / 14], 0.940286),
        ([2 / 5, 3 / 5], 0.970951),
        ([1 / 2, 1 / 2], 1.0),
        ([1.0, 0.0], 0.0),
    ],
)
def test_worked_entropies(p, bits):
    assert entropy(p) == pytest.approx(bits, abs=5e-7)


def test_printed_entropy_comes_from_rounded_logs():
    """0.8816 is printed in a lecture; it is what logs of three digits give."""
    rounded = -0.7 * round(math.log2(0.7), 3) - 0.3 * round(math.log2(0.3), 3)
    assert round(rounded, 4) == 0.8816
    assert round(entropy([0.7, 0.3]), 4) == 0.8813


def test_worked_kl_divergences():
    assert kl_divergence(P, Q) == pytest.approx(0.2075, abs=5e-5)
    assert kl_divergence(Q, R) == pytest.approx(0.1332, abs=5e-5)
    assert kl_divergence(P, R) == pytest.approx(0.7370, abs=5e-5)
    assert kl_divergence(Q, P) == pytest.approx(0.1887, abs=5e-5)


def test_kl_and_js_break_the_triangle_inequality_and_the_root_of_js_keeps_it():
    assert kl_divergence(P, R) > kl_divergence(P, Q) + kl_divergence(Q, R)
    assert js_divergence(P, R) > js_divergence(P, Q) + js_divergence(Q, R)
    root = [math.sqrt(js_divergence(*pair)) for pair in [(P, R), (P, Q), (Q, R)]]
    assert root[0] < root[1] + root[2]


def test_js_of_disjoint_distributions_is_one_bit():
    assert js_divergence([1, 0], [0, 1]) == 1
    assert js_divergence([0.5, 0.5, 0, 0], [0, 0, 0.3, 0.7]) == pytest.approx(1, rel=1e-15)


@pytest.mark.parametrize(("p", "value"), [(1, 1.0), (2, 1.41421), (3, 1.58740), (math.inf, 2.0)])
def test_worked_wasserstein_distances(p, value):
    assert wasserstein_distance([0, 2], [0, 4], p=p) == pytest.approx(value, abs=5e-6)


def test_worked_wasserstein_of_a_shift():
    assert wasserstein_distance([0, 1, 3], [5, 6, 8]) == pytest.approx(5, rel=1e-15)


def test_the_printed_exponent_one_half_is_not_a_distance():
    """With the exponent 1/2 for every p, W_3 would be 2.0 and would not scale with the data."""
    cost = {}
    for scale in (1, 10):
        u, v = np.array([0, 2]) * scale, np.array([0, 4]) * scale
        cost[scale] = optimal_transport(np.abs(u[:, None] - v) ** 3.0, P, P).cost
    assert cost[1] ** (1 / 2) == pytest.approx(2.0)
    assert cost[10] ** (1 / 2) != pytest.approx(10 * cost[1] ** (1 / 2), rel=0.5)
    assert cost[10] ** (1 / 3) == pytest.approx(10 * cost[1] ** (1 / 3))
    assert cost[1] ** (1 / 3) == pytest.approx(wasserstein_distance([0, 2], [0, 4], p=3))


# ------------------------------------------------------------------ the theorems


@quick
@given(distributions())
def test_entropy_lies_between_0_and_log_k(drawn):
    (p,) = drawn
    k = p.size
    bits = entropy(p)
    assert 0 <= bits <= math.log2(k) + 1e-12
    assert (bits == 0) == (p.max() == 1)  # only for the deterministic distribution
    assert close(bits, math.log2(k), 1e-12) == (p.min() == p.max())  # only for the uniform one


@pytest.mark.parametrize("k", [1, 2, 3, 7, 1000])
def test_entropy_of_uniform_and_deterministic_distributions(k):
    assert entropy(np.full(k, 1 / k)) == pytest.approx(math.log2(k), rel=1e-12)
    assert entropy(np.eye(k)[0]) == 0


@quick
@given(tables())
def test_chain_rule(joint):
    x, y = joint.sum(axis=1), joint.sum(axis=0)
    assert close(conditional_entropy(joint), joint_entropy(joint) - entropy(y))
    assert close(conditional_entropy(joint.T), joint_entropy(joint) - entropy(x))
    assert conditional_entropy(joint) <= entropy(x) + 1e-12  # knowing never hurts on average


@quick
@given(distributions(), distributions())
def test_entropies_add_under_independence(first, second):
    joint = np.outer(first[0], second[0])
    assert close(joint_entropy(joint), entropy(first[0]) + entropy(second[0]))
    assert close(conditional_entropy(joint), entropy(first[0]))
    assert mutual_information(joint) == pytest.approx(0, abs=1e-12)


@quick
@given(tables())
def test_mutual_information_is_symmetric_and_its_forms_agree(joint):
    x, y = joint.sum(axis=1), joint.sum(axis=0)
    shared = mutual_information(joint)
    assert shared >= 0
    assert close(shared, mutual_information(joint.T))
    assert close(shared, entropy(x) - conditional_entropy(joint))
    assert close(shared, entropy(y) - conditional_entropy(joint.T))
    assert close(shared, entropy(x) + entropy(y) - joint_entropy(joint))
    assert close(shared, kl_divergence(joint, np.outer(x, y)))


def test_mutual_information_of_a_copy_is_the_entropy():
    assert mutual_information(np.diag([0.7, 0.3])) == pytest.approx(entropy([0.7, 0.3]))
    assert conditional_entropy(np.diag([0.7, 0.3])) == 0


@quick
@given(distributions(n=2))
def test_kl_is_not_negative_and_zero_only_for_equals(drawn):
    p, q = drawn
    total_variation = np.abs(p - q).sum() / 2
    assert kl_divergence(p, p) == 0
    assert kl_divergence(p, q) >= 2 * total_variation**2 / math.log(2) - 1e-12  # Pinsker
    assert (kl_divergence(p, q) > 0) == (total_variation > 1e-12)
    assert math.isinf(kl_divergence(p, q)) == bool(np.any((p > 0) & (q == 0)))


@quick
@given(distributions(n=2))
def test_cross_entropy_is_entropy_plus_kl(drawn):
    p, q = drawn
    assert close(cross_entropy(p, q), entropy(p) + kl_divergence(p, q))
    assert close(cross_entropy(p, p), entropy(p))


@quick
@given(distributions(n=3))
def test_js_is_symmetric_at_most_one_bit_and_its_root_is_a_metric(drawn):
    p, q, r = drawn
    assert js_divergence(p, q) == js_divergence(q, p)
    assert 0 <= js_divergence(p, q) <= 1
    assert (js_divergence(p, q) < 1e-12) == np.allclose(p, q, atol=1e-12)
    assert close(js_divergence(p, q), 1) == (not np.any((p > 0) & (q > 0)))
    p_r, p_q, q_r = (math.sqrt(js_divergence(*pair)) for pair in [(p, r), (p, q), (q, r)])
    assert p_r <= p_q + q_r + 1e-9


@quick
@given(tables(), distributions(n=2), st.sampled_from([0.5, 1.5, math.e, 3, 10, Fraction(7, 2)]))
def test_base_only_changes_the_unit(joint, drawn, base):
    for function in ONE_TABLE:
        assert close(function(joint, base=base), function(joint) / math.log2(base))
    for function in TWO_DISTRIBUTIONS:
        assert close(function(*drawn, base=base), function(*drawn) / math.log2(base))
    assert np.allclose(self_information(joint, base), self_information(joint) / math.log2(base))


def test_units():
    assert entropy(P, base=math.e) == pytest.approx(math.log(2), rel=1e-15)
    assert self_information(0.001, base=10) == pytest.approx(3, rel=1e-15)
    assert js_divergence([1, 0], [0, 1], base=math.e) == pytest.approx(math.log(2), rel=1e-15)
    assert entropy(P, base=0.5) == -1.0  # a base below 1 turns the sign of every logarithm
    assert kl_divergence([1, 0], [0, 1], base=0.5) == -math.inf


@quick
@given(samples(n=3), st.sampled_from(ORDERS), st.integers(-3, 3))
def test_wasserstein_is_a_metric_that_scales_and_ignores_shifts(drawn, p, factor):
    a, b, c = drawn
    a_b = distance(a, b, p)
    assert a_b >= 0
    assert distance(b, a, p) == a_b
    assert distance(a, a, p) == 0
    assert distance(a, c, p) <= (a_b + distance(b, c, p)) * (1 + 1e-9) + 1e-9
    scaled = [(np.array(values) * factor, weights) for values, weights in (a, b)]
    assert close(distance(*scaled, p), abs(factor) * a_b)
    shifted = [(np.array(values) + 7, weights) for values, weights in (a, b)]
    assert close(distance(*shifted, p), a_b)


@quick
@given(samples(n=2))
def test_wasserstein_is_zero_only_for_equal_distributions(drawn):
    masses = []
    for values, weights in drawn:
        mass = {}
        for value, weight in zip(values, weights, strict=True):
            mass[value] = mass.get(value, 0) + Fraction(weight, sum(weights))
        masses.append({value: share for value, share in mass.items() if share})
    for p in (1, 2, math.inf):
        assert (distance(*drawn, p) == 0) == (masses[0] == masses[1])


@quick
@given(samples(n=2))
def test_wasserstein_grows_with_its_order(drawn):
    values = [distance(*drawn, p) for p in ORDERS]
    assert all(low <= high * (1 + 1e-9) for low, high in pairwise(values))


@quick
@given(samples(n=2), st.sampled_from(ORDERS))
def test_weights_mean_repetition(drawn, p):
    repeated = [np.repeat(values, weights) for values, weights in drawn]
    assert close(distance(*drawn, p), wasserstein_distance(*repeated, p=p))
    tenths = [(values, np.array(weights) * 0.1) for values, weights in drawn]
    assert close(distance(*tenths, p), distance(*drawn, p))


@quick
@given(samples(n=2), st.sampled_from([1, 1.5, 2, 3]))
def test_wasserstein_is_the_cost_of_the_optimal_plan(drawn, p):
    (u, u_weights), (v, v_weights) = drawn
    cost = np.abs(np.subtract.outer(u, v)) ** p
    plan, least = optimal_transport(cost, normalized(u_weights), normalized(v_weights))
    assert plan.min() >= 0
    assert plan.sum(axis=1) == pytest.approx(normalized(u_weights), abs=1e-9)
    assert plan.sum(axis=0) == pytest.approx(normalized(v_weights), abs=1e-9)
    assert least == pytest.approx(np.sum(plan * cost), rel=1e-12)
    assert least == pytest.approx(distance(*drawn, p) ** p, rel=1e-6, abs=1e-8 * cost.max())


# ------------------------------------------------------------------ naive twins and SciPy


def naive_entropy(p, base):
    return -sum(p_i * math.log(p_i, base) for p_i in p if p_i > 0)


def naive_cross_entropy(p, q, base):
    total = 0.0
    for p_i, q_i in zip(p, q, strict=True):
        if p_i > 0:
            total += math.inf if q_i == 0 else -p_i * math.log(q_i, base)
    return total


def naive_kl(p, q, base):
    total = 0.0
    for p_i, q_i in zip(p, q, strict=True):
        if p_i > 0:
            total += math.inf if q_i == 0 else p_i * math.log(p_i / q_i, base)
    return total


def naive_conditional_entropy(joint, base):
    """Average the entropy of X over the values of Y."""
    total = 0.0
    for column in zip(*joint, strict=True):
        if sum(column) > 0:
            total += sum(column) * naive_entropy([cell / sum(column) for cell in column], base)
    return total


def naive_mutual_information(joint, base):
    total = 0.0
    for row in joint:
        for j, cell in enumerate(row):
            if cell > 0:
                independent = sum(row) * sum(other[j] for other in joint)
                total += cell * math.log(cell / independent, base)
    return total


def naive_wasserstein(u, v, u_weights, v_weights, p):
    """Move the smallest mass left to the smallest place left, in exact fractions."""
    left = sorted((x, Fraction(w, sum(u_weights))) for x, w in zip(u, u_weights, strict=True) if w)
    right = sorted((x, Fraction(w, sum(v_weights))) for x, w in zip(v, v_weights, strict=True) if w)
    moves = []
    while left:
        (x, have), (y, room) = left.pop(0), right.pop(0)
        mass = min(have, room)
        moves.append((float(mass), abs(x - y)))
        if have > mass:
            left.insert(0, (x, have - mass))
        if room > mass:
            right.insert(0, (y, room - mass))
    if math.isinf(p):
        return max(move for _, move in moves)
    return sum(mass * move**p for mass, move in moves) ** (1 / p)


@quick
@given(tables(), st.sampled_from([2, math.e, 10]))
def test_tables_agree_with_naive_twins(joint, base):
    cells = joint.tolist()
    assert close(entropy(joint, base), naive_entropy(joint.ravel().tolist(), base))
    assert close(joint_entropy(cells, base), naive_entropy(joint.ravel().tolist(), base))
    assert close(conditional_entropy(cells, base), naive_conditional_entropy(cells, base))
    assert close(mutual_information(cells, base), naive_mutual_information(cells, base))


@quick
@given(distributions(n=2), st.sampled_from([2, math.e, 10]))
def test_divergences_agree_with_naive_twins_and_scipy(drawn, base):
    p, q = drawn
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    js = (naive_kl(p, middle, base) + naive_kl(q, middle, base)) / 2
    assert close(cross_entropy(p, q, base), naive_cross_entropy(p, q, base))
    assert close(kl_divergence(p, q, base), naive_kl(p, q, base))
    assert close(js_divergence(p, q, base), js)
    assert close(entropy(p, base), scipy.stats.entropy(p, base=base))
    assert close(kl_divergence(p, q, base), scipy.stats.entropy(p, q, base=base))
    if not np.array_equal(p, q):  # SciPy takes the root of a rounding error there
        assert close(js_divergence(p, q, base), jensenshannon(p, q, base=base) ** 2)


@quick
@given(samples(n=2), st.sampled_from([1, 1.5, 2, 3, 10, math.inf]))
def test_wasserstein_agrees_with_naive_twin_and_scipy(drawn, p):
    (u, u_weights), (v, v_weights) = drawn
    assert close(distance(*drawn, p), naive_wasserstein(u, v, u_weights, v_weights, p))
    expected = scipy.stats.wasserstein_distance(u, v, u_weights, v_weights)
    assert close(distance(*drawn, 1), expected)
    assert close(wasserstein_distance(u, v), scipy.stats.wasserstein_distance(u, v))


def test_wasserstein_agrees_with_scipy_on_long_samples():
    rng = np.random.default_rng(0)
    u, v, u_weights, v_weights = (rng.exponential(size=n) for n in (3001, 2000, 3001, 2000))
    expected = scipy.stats.wasserstein_distance(u, v, u_weights, v_weights)
    assert wasserstein_distance(u, v, u_weights, v_weights) == pytest.approx(expected, rel=1e-12)
    expected = scipy.stats.wasserstein_distance(u, v)
    assert wasserstein_distance(u, v) == pytest.approx(expected, rel=1e-12)


def test_transport_agrees_with_the_assignment_problem_in_the_plane():
    rng = np.random.default_rng(1)
    cost = np.linalg.norm(rng.normal(size=(30, 1, 2)) - rng.normal(size=(1, 30, 2)), axis=2)
    rows, columns = scipy.optimize.linear_sum_assignment(cost)
    equal = np.full(30, 1 / 30)
    assert optimal_transport(cost, equal, equal).cost == pytest.approx(cost[rows, columns].mean())


# ------------------------------------------------------------------ zeros and extreme numbers


def test_zero_times_log_zero_is_zero():
    assert entropy([0.5, 0.5, 0]) == 1
    assert joint_entropy([[0.5, 0], [0, 0.5]]) == 1
    assert conditional_entropy([[0.5, 0, 0.25], [0, 0, 0.25]]) == 0.5
    assert mutual_information([[0.5, 0, 0], [0, 0, 0.5]]) == 1
    assert cross_entropy([1, 0, 0], [0.5, 0, 0.5]) == 1
    assert kl_divergence([1, 0, 0], [0.5, 0, 0.5]) == 1
    assert js_divergence([1, 0, 0], [1, 0, 0]) == 0


def test_an_impossible_outcome_that_happens_costs_infinity():
    assert kl_divergence([0.5, 0.5], [1, 0]) == math.inf
    assert cross_entropy([0.5, 0.5], [1, 0]) == math.inf
    assert kl_divergence([1, 0], [0.5, 0.5]) == 1
    assert self_information(0) == math.inf


def test_the_smallest_probabilities_neither_overflow_nor_vanish():
    tiny = 1e-200
    assert kl_divergence([1, 0], [tiny, 1]) == pytest.approx(-math.log2(tiny))
    assert kl_divergence([1, 0], [5e-324, 1]) == pytest.approx(1074)
    assert js_divergence([5e-324, 1], [0, 1]) == 0
    assert js_divergence([5e-324, 1], [1, 0]) == 1
    assert mutual_information([[tiny, 0], [0, 1]]) == pytest.approx(-tiny * math.log2(tiny))


def test_no_result_is_minus_zero_or_slightly_negative():
    p = normalized([1, 2, 3, 4, 5, 6, 7])
    results = [entropy([1]), entropy([1 + 5e-7, 0]), self_information(1), kl_divergence(p, p)]
    results += [cross_entropy([1, 0], [1, 0]), js_divergence(p, p), conditional_entropy([[1]])]
    results += [entropy([1], base=0.5), self_information(1 + 5e-7), mutual_information([[1]])]
    results += [wasserstein_distance([3], [3]), optimal_transport([[-0.0]], [1], [1]).cost]
    assert all(value == 0 and math.copysign(1, value) == 1 for value in results), results
    for k in range(2, 12):
        p = normalized(range(1, k + 1))
        assert 0 <= mutual_information(np.outer(p, p)) < 1e-15


def test_js_never_exceeds_one_bit_even_by_rounding():
    rng = np.random.default_rng(0)
    for _ in range(200):
        p, q = rng.dirichlet(np.ones(7), size=2)
        assert 1 - 1e-12 < js_divergence([*p, *[0] * 7], [*[0] * 7, *q]) <= 1


def test_distributions_may_be_off_by_rounding():
    assert entropy([0.1] * 10) == pytest.approx(math.log2(10))
    assert entropy([1 / 3 + 1e-7, 1 / 3, 1 / 3]) == pytest.approx(math.log2(3))
    assert kl_divergence([0.5, 0.5 - 9e-7], [0.5, 0.5]) == pytest.approx(0, abs=1e-11)
    assert entropy(np.array([0.7, 0.3]) * (1 - 9e-7)) == pytest.approx(
        entropy([0.7, 0.3]), rel=1e-12
    )
    p = np.array([0.5, 0.5]) * (1 + 9e-7)
    assert optimal_transport([[0, 1], [1, 0]], p, Q).plan.sum() == pytest.approx(1, rel=1e-12)
    assert entropy(np.float32([0.7, 0.2, 0.1])) == pytest.approx(entropy([0.7, 0.2, 0.1]), rel=1e-6)


def test_large_orders_and_large_values_do_not_overflow():
    assert wasserstein_distance([0], [1e200], p=100) == 1e200
    far = wasserstein_distance([-1e307, -1e307], [1e307, -1e307], p=2)
    assert far == pytest.approx(2e307 / math.sqrt(2))
    half = 0.5 ** (1 / 100)
    assert wasserstein_distance([0, 0], [0, 1000], p=100) == pytest.approx(1000 * half)
    assert wasserstein_distance([0, 0], [0, 3e-300], p=3) == pytest.approx(3e-300 * 0.5 ** (1 / 3))
    assert wasserstein_distance([0, 0], [0, 5], p=1e300) == 5


def test_rounding_of_the_weights_moves_no_mass():
    """0.1 + 0.2 is not 0.3; the sliver between them must not count as a move."""
    assert 0.1 + 0.2 != 0.3
    for p in (1, 100, math.inf):
        assert wasserstein_distance([0, 0, 9], [0, 9], [0.1, 0.2, 0.7], [0.3, 0.7], p=p) == 0
        assert wasserstein_distance(range(1000), range(1000), [0.1] * 1000, p=p) == 0


def test_weights_of_zero_drop_their_values():
    assert wasserstein_distance([0, 99], [1, -99], [1, 0], [5, 0], p=math.inf) == 1


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1, 1e9, 1e290])
@pytest.mark.parametrize("shift", [0, -3, 1e9])
def test_transport_is_optimal_at_any_scale_of_the_costs(scale, shift):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=20), rng.normal(size=25)
    p, q = rng.dirichlet(np.ones(20)), rng.dirichlet(np.ones(25))
    cost = np.abs(x[:, None] - y)
    plan, least = optimal_transport((cost + shift) * scale, p, q)
    best = wasserstein_distance(x, y, p, q)
    assert np.sum(plan * cost) == pytest.approx(best, rel=1e-7)
    assert least == pytest.approx((best + shift) * scale, rel=1e-8, abs=0)


def test_transport_is_optimal_beside_a_large_price_of_each_row_or_column():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=20), rng.normal(size=25)
    p, q = rng.dirichlet(np.ones(20)), rng.dirichlet(np.ones(25))
    cost = np.abs(x[:, None] - y)
    for price in (1e10 * rng.random((20, 1)), 1e10 * rng.random((1, 25))):
        plan = optimal_transport(cost + price, p, q).plan
        assert np.sum(plan * cost) == pytest.approx(wasserstein_distance(x, y, p, q), rel=1e-5)


def test_transport_is_optimal_among_small_costs_beside_a_large_one():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 20)) * 1e-8
    x[0] = y[0] = 1
    cost, equal = np.abs(x[:, None] - y), np.full(20, 1 / 20)
    best = wasserstein_distance(x, y)
    assert optimal_transport(cost, equal, equal).cost == pytest.approx(best, rel=1e-3, abs=0)


def test_transport_takes_costs_as_large_as_floats_are():
    largest = np.array([[-1.7e308, 1.7e308], [1.7e308, -1.7e308]])
    assert optimal_transport(largest, P, P).plan.tolist() == [[0.5, 0], [0, 0.5]]


def test_transport_plans_hold_no_negative_mass(monkeypatch):
    """A solver may return −1e-17 for nothing."""
    almost = scipy.optimize.OptimizeResult(status=0, x=np.array([0.5, -1e-17, -1e-17, 0.5]))
    monkeypatch.setattr(scipy.optimize, "linprog", lambda *_, **__: almost)
    assert optimal_transport([[0, 1], [1, 0]], P, P).plan.tolist() == [[0.5, 0], [0, 0.5]]


def test_transport_with_nothing_to_choose():
    assert optimal_transport(np.zeros((2, 3)), P, [0.2, 0.3, 0.5]).cost == 0
    plan, cost = optimal_transport([[3, 4]], [1], [0.25, 0.75])
    assert plan.tolist() == [[0.25, 0.75]]
    assert cost == 3.75


# ------------------------------------------------------------------ what goes in and comes out


def test_results_are_plain_floats():
    table = np.array([[0.25, 0.25], [0.5, 0]], dtype=np.float32)
    results = [function(table, base=np.float64(2)) for function in ONE_TABLE]
    results += [function(table, table.T) for function in TWO_DISTRIBUTIONS]
    results += [function([1, 0], [0, 1]) for function in TWO_DISTRIBUTIONS]
    results += [self_information(x) for x in (0.5, 0, 1, True, np.float32(0.5), np.array(0.5))]
    results += [wasserstein_distance(np.arange(3), [1], p=np.int64(p)) for p in (1, 2)]
    results += [wasserstein_distance([1], [2], p=math.inf), wasserstein_distance([1], [1])]
    results += [optimal_transport(table, P, P).cost]
    assert [type(value) for value in results] == [float] * len(results)


def test_transport_has_named_parts():
    answer = optimal_transport([[0, 1], [1, 0]], P, Q)
    assert answer._fields == ("plan", "cost")
    assert isinstance(answer.plan, np.ndarray)
    assert answer.plan == pytest.approx(np.array([[0.25, 0.25], [0, 0.5]]), abs=1e-12)
    assert answer.cost == pytest.approx(0.25)


def test_self_information_returns_what_it_was_given():
    array = self_information([[1, 0.5], [0.25, 0]])
    assert isinstance(array, np.ndarray)
    assert array.tolist() == [[0, 1], [2, math.inf]]
    assert not np.signbit(array).any()
    series = pd.Series([0.5, 0.0, 1.0], index=list("bac"), name="P")
    expected = pd.Series([1.0, math.inf, 0.0], index=list("bac"), name="P")
    pd.testing.assert_series_equal(self_information(series), expected)
    frame = pd.DataFrame({"x": [1, 0]}, index=["a", "b"])
    expected = pd.DataFrame({"x": [0.0, math.inf]}, index=["a", "b"])
    pd.testing.assert_frame_equal(self_information(frame), expected)


def test_entropy_takes_any_shape():
    flat = normalized(range(24))
    assert entropy(flat.reshape(2, 3, 4)) == pytest.approx(entropy(flat), rel=1e-14)
    assert joint_entropy(flat.reshape(2, 3, 4)) == pytest.approx(entropy(flat), rel=1e-14)
    assert kl_divergence(flat.reshape(4, 6), flat.reshape(4, 6)) == 0


def test_inputs_are_left_alone():
    p, q = np.array([0.5, 0.5]), np.array([0.25, 0.75])
    u, cost = np.array([3.0, 1.0]), np.array([[0.0, 2.0], [2.0, 0.0]])
    js_divergence(p, q)
    self_information(p)
    wasserstein_distance(u, [0], p)
    optimal_transport(cost, p, q)
    assert (p.tolist(), q.tolist(), u.tolist()) == ([0.5, 0.5], [0.25, 0.75], [3, 1])
    assert cost.tolist() == [[0, 2], [2, 0]]


def test_frames_of_any_number_type():
    frame = pd.DataFrame({"a": [0.5, 0], "b": [0, 0.5]})
    for kind in ("float32", "Float64", "Float32"):
        assert mutual_information(frame.astype(kind)) == 1
    assert entropy(pd.DataFrame({"a": [True], "b": [0.0], "c": [0]})) == 0


# ------------------------------------------------------------------ pandas labels


@pytest.mark.parametrize("function", TWO_DISTRIBUTIONS)
def test_series_are_matched_by_label(function):
    p = pd.Series({"sunny": 0.5, "rain": 0.3, "overcast": 0.2})
    q = pd.Series({"overcast": 0.7, "sunny": 0.2, "rain": 0.1})
    expected = function([0.5, 0.3, 0.2], [0.2, 0.1, 0.7])
    assert function(p, q) == pytest.approx(expected, rel=1e-14)
    assert function(p, q) != pytest.approx(function(p.to_numpy(), q.to_numpy()))
    assert function(p, q.to_numpy()) == function(p.to_numpy(), q.to_numpy())  # no labels to match


def test_other_kinds_of_labels_are_matched_too():
    pairs = pd.MultiIndex.from_product([["a", "b"], [1, 2]])
    kinds = [
        pairs,
        pd.Index([3, 1, 4, 2]),
        pd.CategoricalIndex(list("wxyz"), categories=list("zyxw")),
    ]
    for index in kinds:
        p = pd.Series([0.1, 0.2, 0.3, 0.4], index=index)
        assert kl_divergence(p, p.iloc[::-1]) == 0
    days = pd.Series(["rain"] * 3 + ["sunny"] * 2, dtype="category")
    dry = pd.Series(["rain"] + ["sunny"] * 4, dtype=pd.CategoricalDtype(["sunny", "rain"]))
    shares = [column.value_counts(normalize=True) for column in (days, dry)]
    assert kl_divergence(*shares) == pytest.approx(kl_divergence([0.6, 0.4], [0.2, 0.8]))


def test_frames_are_matched_on_both_axes():
    p = pd.DataFrame([[0.1, 0.2], [0.3, 0.4]], index=["a", "b"], columns=["x", "y"])
    assert kl_divergence(p, p.loc[["b", "a"], ["y", "x"]]) == 0
    assert kl_divergence(p, p.loc[["b", "a"]].to_numpy()) > 0


def test_repeated_labels_are_fine_only_in_the_same_order():
    p = pd.Series([0.2, 0.3, 0.5], index=["a", "a", "b"])
    assert kl_divergence(p, p.copy()) == 0
    with pytest.raises(ValueError, match=r"^kl_divergence: q and p cannot be matched by repeated"):
        kl_divergence(p, p.iloc[::-1])


def test_missing_labels_are_named():
    p = pd.Series({"sunny": 0.5, "rain": 0.5})
    q = pd.Series({"sunny": 0.5, "snow": 0.5})
    message = (
        r"^kl_divergence: q and p must have the same labels, but q lacks \['rain'\] and p lacks"
    )
    with pytest.raises(ValueError, match=message + r" \['snow'\]; reindex both alike"):
        kl_divergence(p, q)
    with pytest.raises(ValueError, match=r"but q lacks \['rain'\]; reindex"):
        js_divergence(p, pd.Series({"sunny": 1.0}))
    with pytest.raises(ValueError, match=r"but p lacks \['rain'\]; reindex"):
        cross_entropy(pd.Series({"sunny": 1.0}), p)
    frame = pd.DataFrame([[0.5, 0.5]], columns=["x", "y"])
    with pytest.raises(ValueError, match=r"but q lacks \['y'\] and p lacks \['z'\]"):
        kl_divergence(frame, frame.rename(columns={"y": "z"}))


def test_weights_are_matched_to_their_values():
    values = pd.Series([0.0, 10.0], index=["a", "b"])
    weights = pd.Series([0.25, 0.75], index=["b", "a"])
    assert wasserstein_distance(values, [0], weights) == 2.5
    assert wasserstein_distance([0], values, None, weights) == 2.5
    with pytest.raises(ValueError, match=r"u_weights and u_values must .* u_weights lacks \['b'\]"):
        wasserstein_distance(values, [0], weights.rename({"b": "c"}))


def test_costs_are_matched_to_both_distributions():
    cost = pd.DataFrame([[0.0, 1, 2], [1, 0, 1]], index=["a", "b"], columns=["x", "y", "z"])
    p, q = pd.Series([0.5, 0.5], index=["a", "b"]), pd.Series([0.1, 0.2, 0.7], index=list("xyz"))
    straight = optimal_transport(cost, p, q)
    mixed = optimal_transport(cost.loc[["b", "a"], ["z", "x", "y"]], p, q)
    assert mixed.plan.tolist() == straight.plan.tolist()
    assert optimal_transport(cost.to_numpy(), p, q).cost == straight.cost == pytest.approx(1.1)
    with pytest.raises(
        ValueError, match=r"cost and q must .* cost lacks \['w'\] and q lacks \['x'\]"
    ):
        optimal_transport(cost, p, q.rename({"x": "w"}))


# ------------------------------------------------------------------ errors

SERIES = pd.Series([0.5, 0.5])
BAD_DISTRIBUTIONS = [
    ([9, 5], r"must sum to 1, but they sum to 14: divide counts by their total"),
    ([0.5, 0.6], r"must sum to 1, but they sum to 1\.1: divide"),
    ([0.5, 0.500002], r"they sum to 1\.000002: divide"),
    ([0.3, 0.3], r"they sum to 0\.6: divide"),
    ([1e308, 1e308], r"they sum to inf: divide"),
    ([0.0, 0.0], r"they sum to 0: at least one must be positive"),
    ([1.5, -0.5], r"holds -0\.5, expected no negative number; check"),
    ([0.5, math.nan], r"holds nan, expected finite; drop or fill it"),
    ([1, math.inf], r"holds inf, expected finite"),
    ([-math.inf, 1], r"holds -inf, expected finite"),
    (pd.Series([1, None], dtype="Float64"), r"holds nan, expected finite"),
    ([], r"is empty; give at least one number"),
    (pd.Series([], dtype=object), r"is empty"),
    (["0.5", "0.5"], r"holds text, objects or rows of different lengths, expected numbers only"),
    ([0.5, None], r"holds text, objects"),
    ({"a": 0.5, "b": 0.5}, r"holds text, objects"),
    (SERIES.astype(str), r"holds text, objects"),
    ([0.5 + 0j, 0.5], r"holds text, objects"),
    ([[0.5], [0.25, 0.25]], r"rows of different lengths"),
    (pd.DataFrame({"a": [0.5], "b": ["x"]}), r"holds text, objects"),
]


def name_of(function):
    return function.__name__


@pytest.mark.parametrize(("bad", "message"), BAD_DISTRIBUTIONS)
def test_bad_distributions_are_refused(bad, message):
    with pytest.raises(ValueError, match=f"^entropy: .*p .*{message}"):
        entropy(bad)
    with pytest.raises(ValueError, match=f"^optimal_transport: .*q .*{message}"):
        optimal_transport([[0, 1]], [1], bad)
    for function in TWO_DISTRIBUTIONS:
        with pytest.raises(ValueError, match=f"^{function.__name__}: .*p .*{message}"):
            function(bad, [0.5, 0.5])
        with pytest.raises(ValueError, match=f"^{function.__name__}: .*q .*{message}"):
            function([0.5, 0.5], bad)


@pytest.mark.parametrize("function", ONE_TABLE[1:], ids=name_of)
def test_bad_joint_tables_are_refused(function):
    name = function.__name__
    wanted = "at least 2-D" if function is joint_entropy else "2-D"
    with pytest.raises(
        ValueError, match=rf"^{name}: joint has shape \(2,\), expected {wanted}; give"
    ):
        function([0.5, 0.5])
    with pytest.raises(ValueError, match=rf"^{name}: joint has shape \(2,\), expected"):
        function(SERIES)
    with pytest.raises(ValueError, match=rf"^{name}: .*joint must sum to 1, but they sum to 14:"):
        function([[3, 0, 2], [2, 4, 3]])
    with pytest.raises(ValueError, match=rf"^{name}: joint holds -1, expected no negative"):
        function([[1, 1], [-1, 0]])
    if function is not joint_entropy:
        with pytest.raises(
            ValueError, match=rf"^{name}: joint has shape \(1, 1, 2\), expected 2-D"
        ):
            function([[[0.5, 0.5]]])


def test_a_single_number_is_not_a_distribution():
    with pytest.raises(
        ValueError, match=r"^entropy: p has shape \(\), expected at least 1-D; give a flat list"
    ):
        entropy(0.7)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (14, r"holds 14, expected at most 1; divide counts by their total"),
        ([0.5, 1.1], r"holds 1\.1, expected at most 1"),
        (-0.1, r"holds -0\.1, expected no negative number"),
        (math.nan, r"holds nan, expected finite"),
        ([], r"is empty"),
        ("0.5", r"holds text, objects"),
        (None, r"holds text, objects"),
    ],
)
def test_self_information_refuses_what_is_no_probability(bad, message):
    with pytest.raises(ValueError, match=f"^self_information: p {message}"):
        self_information(bad)


@pytest.mark.parametrize(
    "base", [1, 1.0, True, 0, -2, math.nan, math.inf, "2", None, [2]], ids=repr
)
def test_bad_bases_are_refused(base):
    expected = (
        "base is .*, expected a positive number other than 1; use 2 for bits, math.e for nats"
    )
    calls = [(function, ([[0.5, 0.5]],)) for function in ONE_TABLE]
    calls += [(function, (P, Q)) for function in TWO_DISTRIBUTIONS] + [(self_information, (0.5,))]
    for function, arguments in calls:
        with pytest.raises(ValueError, match=f"^{function.__name__}: {expected}"):
            function(*arguments, base=base)


@pytest.mark.parametrize("function", TWO_DISTRIBUTIONS, ids=name_of)
def test_two_distributions_need_one_shape(function):
    message = (
        rf"^{function.__name__}: p has shape \(2,\) but q has shape \(3,\); give both one entry"
    )
    with pytest.raises(ValueError, match=message):
        function([0.5, 0.5], [0.5, 0.25, 0.25])
    with pytest.raises(ValueError, match=r"p has shape \(2,\) but q has shape \(2, 1\)"):
        function(SERIES, SERIES.to_frame())
    with pytest.raises(ValueError, match=r"p has shape \(2, 1\) but q has shape \(2,\)"):
        function(SERIES.to_frame(), SERIES)


@pytest.mark.parametrize(
    ("arguments", "order", "message"),
    [
        (([0], [1]), 0.5, r"p is 0\.5, expected a number ≥ 1; use math\.inf"),
        (([0], [1]), math.nan, r"p is nan, expected a number ≥ 1"),
        (([0], [1]), "2", r"p is '2', expected a number ≥ 1"),
        (([0], [1]), None, r"p is None, expected a number ≥ 1"),
        (([], [1]), 1, r"u_values is empty"),
        (([0], [math.nan]), 1, r"v_values holds nan, expected finite"),
        (([0], [math.inf]), 1, r"v_values holds inf, expected finite"),
        ((["a"], [1]), 1, r"u_values holds text, objects"),
        (([[0, 1]], [1]), 1, r"u_values has shape \(1, 2\), expected 1-D; give a flat list"),
        ((0, [1]), 1, r"u_values has shape \(\), expected 1-D"),
        (
            ([0, 1], [1], [1]),
            1,
            r"u_weights has 1 entries but u_values has 2; give one weight each",
        ),
        (([0], [1, 2], None, [1, -1]), 1, r"v_weights holds -1, expected no negative number"),
        (([0], [1, 2], None, [1, math.nan]), 1, r"v_weights holds nan, expected finite"),
        (([0, 1], [1], [0, 0]), 1, r"u_weights sum to 0, expected a positive, finite total; resc"),
        (([0, 1], [1], [1e308, 1e308]), 1, r"u_weights sum to inf, expected a positive, finite"),
        (([0, 1], [1], [[1, 1]]), 1, r"u_weights has shape \(1, 2\), expected 1-D"),
        (([1.5e308], [-1.5e308]), 1, r"values differ by more than the largest float; rescale"),
    ],
)
def test_wasserstein_refuses_bad_samples(arguments, order, message):
    with pytest.raises(ValueError, match=f"^wasserstein_distance: {message}"):
        wasserstein_distance(*arguments, p=order)


@pytest.mark.parametrize(
    ("cost", "p", "q", "message"),
    [
        (
            [[0, 1]],
            P,
            P,
            r"cost has shape \(1, 2\), expected \(len\(p\), len\(q\)\) = \(2, 2\); check",
        ),
        (
            [[0, 1, 2], [1, 0, 1]],
            [0.2, 0.3, 0.5],
            P,
            r"cost has shape \(2, 3\), expected .*\(3, 2\)",
        ),
        ([0, 1], P, P, r"cost has shape \(2,\), expected 2-D"),
        ([[0, math.nan], [1, 0]], P, P, r"cost holds nan, expected finite"),
        ([[0, math.inf], [1, 0]], P, P, r"cost holds inf, expected finite"),
        ([["a", "b"], ["c", "d"]], P, P, r"cost holds text, objects"),
        (
            [[0, 1], [1, 0]],
            [[0.5, 0.5]],
            P,
            r"p has shape \(1, 2\), expected 1-D; give a flat list",
        ),
        ([[0, 1], [1, 0]], [1, 1], P, r"probabilities p must sum to 1, but they sum to 2: divide"),
        (SERIES, SERIES, SERIES, r"cost has shape \(2,\), expected 2-D"),
        (SERIES.to_frame(), SERIES.to_frame(), [1], r"p has shape \(2, 1\), expected 1-D"),
    ],
)
def test_transport_refuses_bad_problems(cost, p, q, message):
    with pytest.raises(ValueError, match=f"^optimal_transport: {message}"):
        optimal_transport(cost, p, q)


def test_transport_reports_a_solver_that_fails(monkeypatch):
    failed = scipy.optimize.OptimizeResult(status=1, message="Iteration limit reached.", x=None)
    monkeypatch.setattr(scipy.optimize, "linprog", lambda *_, **__: failed)
    message = (
        r"^optimal_transport: no plan found \(linprog status 1: Iteration limit reached\.\); try"
    )
    with pytest.raises(RuntimeError, match=message):
        optimal_transport([[0, 1], [1, 0]], P, P)


# ------------------------------------------------------------------ the module itself


def test_importing_the_module_loads_neither_scipy_nor_pandas():
    code = "import sys, mlcourse.information as m; m.entropy([1]); print(*sys.modules)"
    root = Path(__file__).resolve().parents[1]
    run = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "numpy" in run.stdout.split()
    assert not {"scipy", "pandas", "sklearn", "matplotlib"} & set(run.stdout.split())


def test_public_names_are_functions_with_examples():
    for name in information.__all__:
        function = getattr(information, name)
        assert inspect.isfunction(function)
        assert ">>>" in function.__doc__, name


def test_warnings_are_errors_here():
    """The mark at the top of this file is what makes the tests of zeros mean something."""
    with pytest.raises(RuntimeWarning):
        np.log2(np.array([0.0]))
    with pytest.raises(UserWarning):
        warnings.warn("caught", UserWarning, stacklevel=1)
