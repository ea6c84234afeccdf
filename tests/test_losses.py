"""The losses of gradient boosting: gradients, constants and leaf steps against numerical minima."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit, softmax

from mlcourse import absolute_error, exponential, huber, log_loss, quantile, squared_error
from mlcourse.losses import quantiles

settings.register_profile("losses", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("losses")

REGRESSION = [squared_error(), absolute_error(), huber(0.8, 0.7), quantile(0.8), quantile(0.25)]
TWO_CLASSES = [log_loss(), exponential()]
ONE_SCORE = REGRESSION + TWO_CLASSES
name = str


def sample(loss, n=40, seed=0):
    """Return y, F and whole weights that suit the loss; F of K classes is (n, K)."""
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 4, n).astype(float)
    if loss in REGRESSION:
        return rng.normal(size=n), rng.normal(size=n), weight
    K = getattr(loss, "n_classes", 2)
    y = np.concatenate([np.arange(K), rng.integers(0, K, n - K)])
    return y, rng.normal(size=n if K == 2 else (n, K)), weight


@pytest.mark.parametrize("loss", [*ONE_SCORE, log_loss(3), log_loss(5)], ids=name)
def test_negative_gradient_is_minus_the_derivative(loss):
    y, F, _ = sample(loss)
    step = 1e-6
    if F.ndim == 1:
        slope = (loss.loss(y, F + step) - loss.loss(y, F - step)) / (2 * step)
    else:
        shifts = step * np.eye(F.shape[1])
        slope = np.stack([loss.loss(y, F + s) - loss.loss(y, F - s) for s in shifts], axis=1)
        slope /= 2 * step
    assert loss.negative_gradient(y, F) == pytest.approx(-slope, abs=1e-7)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("loss", [loss for loss in ONE_SCORE if "huber" not in str(loss)], ids=name)
def test_initial_constant_is_the_minimiser(loss, weighted):
    y, _, weight = sample(loss, 41)
    weight = weight if weighted else np.ones(len(y))

    def cost(constant):
        return weight @ loss.loss(y, np.full(len(y), constant))

    start = loss.initial(y, weight if weighted else None)
    best = minimize_scalar(cost, bounds=(-5, 5), method="bounded", options={"xatol": 1e-10})
    assert cost(start) <= best.fun + 1e-9


@pytest.mark.parametrize("weighted", [False, True])
def test_initial_constants_of_k_classes_give_the_class_shares(weighted):
    y, _, weight = sample(log_loss(4), 60)
    weight = weight if weighted else None
    loss = log_loss(4)
    start = loss.initial(y, weight)
    share = np.bincount(y, weight) / (60 if weight is None else weight.sum())
    assert loss.probability(start[None])[0] == pytest.approx(share)
    assert start.sum() == pytest.approx(0)
    best = minimize(lambda F: np.average(loss.loss(y, np.tile(F, (60, 1))), weights=weight), start)
    assert loss.mean(y, np.tile(start, (60, 1)), weight) <= best.fun + 1e-9


def test_a_class_without_rows_keeps_the_start_finite():
    assert np.isfinite(log_loss(3).initial(np.array([0, 0, 1]))).all()


def test_huber_starts_from_the_median_and_adapts_delta():
    y = np.array([1.0, 2.0, 3.0, 4.0, 100.0])
    loss = huber(0.6)
    assert loss.initial(y) == 3.0
    adapted = loss.adapted(y, np.full(5, 3.0))
    assert adapted.delta == pytest.approx(1.5)  # |y − 3| = 0 1 1 2 97: between 1 and 2
    assert loss.delta == 1.0 and squared_error().adapted(y, y) == squared_error()


def test_huber_is_squared_error_inside_and_straight_outside():
    loss, F = huber(delta=2.0), np.zeros(3)
    y = np.array([1.0, 2.0, 5.0])
    assert loss.loss(y, F).tolist() == [0.5, 2.0, 8.0]
    assert loss.negative_gradient(y, F).tolist() == [1.0, 2.0, 2.0]


def leaf_minima(loss, y, F, weight, leaf, k):
    """Return the least cost of each leaf, found numerically, and the cost function."""

    def cost(step, j):
        mine = leaf == j
        return weight[mine] @ loss.loss(y[mine], F[mine] + step)

    found = [
        minimize_scalar(cost, bounds=(-8, 8), args=(j,), method="bounded", options={"xatol": 1e-9})
        for j in range(k)
    ]
    return np.array([each.x for each in found]), cost


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "loss", [squared_error(), absolute_error(), quantile(0.8), exponential()], ids=name
)
def test_exact_line_searches_reach_the_minimum_of_each_leaf(loss, weighted):
    y, F, weight = sample(loss, 90)
    weight = weight if weighted else np.ones(90)
    leaf = np.arange(90) % 4
    residual = loss.negative_gradient(y, F)
    steps = loss.line_search(y, F, residual, leaf, 4, weight if weighted else None)
    best, cost = leaf_minima(loss, y, F, weight, leaf, 4)
    for j in range(4):
        assert cost(steps[j], j) <= cost(best[j], j) + 1e-8
    whole = loss.line_search(y, F, residual)
    assert whole == pytest.approx(loss.line_search(y, F, residual, np.zeros(90, dtype=int), 1))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("loss", [log_loss(), huber(0.8, 0.7)], ids=name)
def test_one_step_line_searches_come_close_to_the_minimum(loss, weighted):
    y, F, weight = sample(loss, 200)
    F = 0.3 * F - 1  # the best constant is far from 0
    weight = weight if weighted else np.ones(200)
    leaf = np.arange(200) % 4
    residual = loss.negative_gradient(y, F)
    steps = loss.line_search(y, F, residual, leaf, 4, weight if weighted else None)
    best, cost = leaf_minima(loss, y, F, weight, leaf, 4)
    for j in range(4):
        gain, most = cost(0, j) - cost(steps[j], j), cost(0, j) - cost(best[j], j)
        assert gain >= 0.9 * most - 1e-9


def test_newton_step_of_log_loss_is_slope_over_curvature():
    y, F, weight = sample(log_loss())
    p = expit(F)
    step = log_loss().line_search(y, F, y - p, weight=weight)
    assert step == pytest.approx([weight @ (y - p) / (weight @ (p * (1 - p)))])


def test_newton_step_of_k_classes_is_friedmans():
    y, F, _ = sample(log_loss(3))
    p = softmax(F, axis=1)
    residual = log_loss(3).negative_gradient(y, F)
    for k in range(3):
        r = residual[:, k]
        expected = 2 / 3 * r.sum() / (np.abs(r) * (1 - np.abs(r))).sum()
        assert log_loss(3).line_search(y, F[:, k], r) == pytest.approx([expected])
        assert expected == pytest.approx(2 / 3 * r.sum() / (p[:, k] * (1 - p[:, k])).sum())


def test_hubers_step_by_hand():
    y, F = np.array([0.0, 1.0, 2.0, 30.0, 2.0]), np.zeros(5)
    # median 2; deviations −2, −1, 0, 28, 0 cut at ±1.5: −1.5 − 1 + 0 + 1.5 + 0 = −1
    assert huber(delta=1.5).line_search(y, F, y) == pytest.approx([2 - 1 / 5])


def test_a_pure_leaf_gets_a_finite_step():
    y, F = np.array([1, 1, 1, 0]), np.zeros(4)
    leaf = np.array([0, 0, 0, 1])
    for loss in TWO_CLASSES:
        steps = loss.line_search(y, F, loss.negative_gradient(y, F), leaf, 2)
        assert np.isfinite(steps).all() and steps[0] > 0 > steps[1]
    assert steps == pytest.approx([np.log(1e4) / 2, -np.log(1e4) / 2])


def test_probabilities_of_the_two_class_losses():
    F = np.array([-800.0, -1.0, 0.0, 2.0, 800.0])
    assert log_loss().probability(F)[:, 1] == pytest.approx(expit(F))
    assert exponential().probability(F)[:, 1] == pytest.approx(expit(2 * F))
    assert log_loss(3).probability(np.array([[1e4, 0, -1e4]])).tolist() == [[1.0, 0.0, 0.0]]
    assert log_loss().loss(np.array([1, 0]), np.array([-800.0, -800.0])).tolist() == [800.0, 0.0]


def test_two_classes_agree_with_k_classes():
    y, F, _ = sample(log_loss())
    pair = np.stack([np.zeros_like(F), F], axis=1)
    three = log_loss(3)
    pair = np.column_stack([pair, np.full(len(F), -1e9)])  # a third class that cannot be
    assert three.loss(y, pair) == pytest.approx(log_loss().loss(y, F))
    assert three.negative_gradient(y, pair)[:, 1] == pytest.approx(
        log_loss().negative_gradient(y, F)
    )


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 3), st.integers(0, 2)), min_size=1),
    st.sampled_from([0.1, 0.25, 0.5, 0.8, 0.9]),
)
def test_quantiles_count_weights_as_repetitions(rows, alpha):
    values, weight, leaf = np.array(rows).T
    again = np.repeat(np.arange(len(rows)), weight)
    weighted = quantiles(values.astype(float), alpha, leaf, 3, weight.astype(float))
    repeated = quantiles(values[again].astype(float), alpha, leaf[again], 3)
    for j in set(leaf.tolist()):
        assert weighted[j] == repeated[j]
        mine = values[again][leaf[again] == j]
        assert weighted[j] == np.quantile(mine, alpha, method="averaged_inverted_cdf")
        if alpha == 0.5:
            assert weighted[j] == np.median(mine)
