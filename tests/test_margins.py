"""Margins: their range, their distribution, and the bounds of the theorems."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcourse import (
    AdaBoostClassifier,
    CARTClassifier,
    guaranteed_margin,
    make_nested_spheres,
    make_twonorm,
    make_waveform,
    margin_bound,
    margin_distribution,
    minimum_margins,
    normalized_margins,
    rounds_to_zero,
    training_error_bound,
    vc_bound,
    vc_risk_bound,
)

quick = settings(derandomize=True, deadline=None, max_examples=40)
error_lists = st.lists(st.floats(1e-6, 0.499), min_size=1, max_size=30)


# ---- Margins -------------------------------------------------------------------------------------
def test_margins_of_the_ten_points_by_hand():
    x, y = np.arange(10), np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])
    model = AdaBoostClassifier(n_estimators=3).fit(x[:, None], y)
    H = np.array([np.where(x < 2.5, 1, -1), np.where(x < 8.5, 1, -1), np.where(x < 5.5, -1, 1)])
    expected = [
        y[i] * sum(a * h for a, h in zip(model.alphas_, H[:, i], strict=True)) / sum(model.alphas_)
        for i in range(10)
    ]
    assert normalized_margins(model, x[:, None], y) == pytest.approx(expected)
    assert normalized_margins((model.alphas_, H), y=y) == pytest.approx(expected)
    assert minimum_margins(model, x[:, None], y)[-1] == pytest.approx(min(expected))
    assert min(expected) > 0


@quick
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_margins_lie_in_their_range_and_their_sign_says_who_is_right(seed, n_classes):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(50, 2)), rng.integers(0, n_classes, 50)
    model = AdaBoostClassifier(n_estimators=10).fit(X, y)
    margins = normalized_margins(model, X, y)
    assert (np.abs(margins) <= 1).all()
    wrong = model.predict(X) != y
    assert (margins[wrong] <= 1e-9).all() and (margins[~wrong] >= -1e-9).all()
    assert minimum_margins(model, X, y)[-1] == pytest.approx(margins.min())
    assert len(minimum_margins(model, X, y)) == len(model.estimators_)


def test_two_classes_are_the_case_k_equals_2_of_the_votes():
    X, y = make_twonorm(100, 3, random_state=0)
    model = AdaBoostClassifier(n_estimators=9).fit(X, y)
    F = model.decision_function(X) / model.alphas_.sum()
    assert normalized_margins(model, X, y) == pytest.approx(y * F)


def test_an_ensemble_of_nobody_has_margin_zero():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.warns(UserWarning, match="no learners"):
        model = AdaBoostClassifier().fit(X, y)
    assert normalized_margins(model, X, y).tolist() == [0, 0, 0, 0]


def test_margin_distribution_is_a_cumulative_distribution():
    rng = np.random.default_rng(0)
    margins = rng.uniform(-1, 1, 200).round(2)
    theta, share = margin_distribution(margins)
    assert theta[0] == -1 and theta[-1] == 1 and share[-1] == 1
    assert (np.diff(theta) > 0).all() and (np.diff(share) >= 0).all()
    for t in (-0.5, 0.0, 0.25):
        assert margin_distribution(margins, t)[1] == np.mean(margins <= t)


def test_bad_margins():
    X, y = make_twonorm(30, 3, random_state=0)
    model = AdaBoostClassifier(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="y is missing"):
        normalized_margins(model, X)
    with pytest.raises(ValueError, match="label '7' in y is none of the model's classes"):
        normalized_margins(model, X, np.full(30, 7))
    with pytest.raises(TypeError, match="model is CARTClassifier, expected"):
        normalized_margins(CARTClassifier().fit(X, y), X, y)
    with pytest.raises(ValueError, match="do not fit"):
        normalized_margins(([1.0], [[1, 1]]), y=[1])
    with pytest.raises(ValueError, match="-1 or \\+1"):
        normalized_margins(([1.0], [[1, 0]]), y=[1, 1])
    with pytest.raises(ValueError, match="shape"):
        margin_distribution([])


# ---- Theorems 1 and 2, corollary 3 ---------------------------------------------------------------
def test_training_error_bound_of_the_ten_points():
    assert training_error_bound([0.3, 3 / 14, 2 / 11])[-1] == pytest.approx(0.580193, abs=1e-6)


@quick
@given(error_lists)
def test_product_is_below_the_exponential_form_and_both_fall(errors):
    product, exponential = (
        training_error_bound(errors, form=f) for f in ("product", "exponential")
    )
    assert (product <= exponential * (1 + 1e-12)).all()
    assert (np.diff(product) <= 0).all() and (np.diff(exponential) <= 0).all()
    naive = 1.0
    for t, epsilon in enumerate(errors):
        naive *= 2 * (epsilon * (1 - epsilon)) ** 0.5
        assert product[t] == pytest.approx(naive)


@quick
@given(error_lists)
def test_theorem_2_grows_with_theta_and_is_theorem_1_at_zero(errors):
    theta = np.linspace(-0.5, 1, 7)
    bounds = training_error_bound(errors, theta=theta)
    assert bounds.shape == (7, len(errors))
    assert (np.diff(bounds, axis=0) >= -1e-12).all()
    assert training_error_bound(errors, theta=0) == pytest.approx(training_error_bound(errors))


def test_theorem_2_and_corollary_3_hold_for_a_model():
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.random(60)), np.tile([1, 1, 1, -1, -1], 12)
    learner = CARTClassifier(max_depth=3)
    model = AdaBoostClassifier(learner, n_estimators=300).fit(x[:, None], y)
    margins = normalized_margins(model, x[:, None], y)
    for theta in (0.0, 0.05, 0.1, 0.2):
        share = margin_distribution(margins, theta)[1]
        assert share <= training_error_bound(model.errors_, theta=theta)[-1] + 1e-12
    gamma = 1 - 2 * model.errors_.max()
    assert minimum_margins(model, x[:, None], y)[-1] >= guaranteed_margin(gamma)


def test_training_error_is_zero_when_the_bound_says_so():
    X, y = make_nested_spheres(80, 3, random_state=0)
    model = AdaBoostClassifier(n_estimators=2000).fit(X, y)
    T = rounds_to_zero(80, 1 - 2 * model.errors_.max())
    sure = int((model.training_error_bound_ < 1 / 80).argmax())
    scores = list(model.staged_score(X, y))
    assert model.training_error_bound_[sure] < 1 / 80 and sure < T
    assert scores[sure] == 1.0


@quick
@given(st.integers(1, 10**6), st.floats(0.01, 1))
def test_rounds_to_zero_is_the_least_number(n, gamma):
    T = rounds_to_zero(n, gamma)
    assert np.exp(-T * gamma**2 / 2) < 1 / n
    assert np.exp(-(T - 1) * gamma**2 / 2) >= 1 / n * (1 - 1e-9)


def test_sharp_guarantee_lies_between_half_the_edge_and_the_edge():
    gamma = np.linspace(0.01, 0.99, 99)
    sharp = guaranteed_margin(gamma, sharp=True)
    assert (sharp >= gamma / 2).all() and (sharp <= gamma).all()
    # It is where theorem 2 stops falling: the factor of a round with this edge is 1.
    for g, theta in zip(gamma, sharp, strict=True):
        assert training_error_bound([(1 - g) / 2], theta=theta) == pytest.approx([1])


# ---- To new data ---------------------------------------------------------------------------------
def test_margin_bound_moves_as_it_should():
    N = np.array([100, 1000, 10**5, 10**7])
    assert (np.diff(margin_bound(0.1, 0.3, N, 5)) < 0).all()
    assert (np.diff(margin_bound(0.1, np.linspace(0.05, 1, 20), 1000, 5)) < 0).all()
    assert (np.diff(margin_bound(0.1, 0.3, 10**5, np.arange(1, 50))) > 0).all()
    assert margin_bound(0.1, 0.3, 1000, 5, delta=0.01) > margin_bound(0.1, 0.3, 1000, 5, delta=0.1)
    assert margin_bound(0.1, 0.3, 10**12, 5) == pytest.approx(0.1, abs=1e-3)
    inside = (5 * np.log(1000 / 5) ** 2 / 0.09 + np.log(20)) / 1000
    assert margin_bound(0.1, 0.3, 1000, 5, constant=2) == pytest.approx(0.1 + 2 * inside**0.5)


def test_a_curve_over_theta_from_a_model():
    X, y = make_waveform(300, random_state=0, n_classes=2)
    margins = normalized_margins(AdaBoostClassifier().fit(X, y), X, y)
    theta, share = margin_distribution(margins, np.linspace(0.05, 1, 40))
    curve = margin_bound(share, theta, len(y), vc_dimension=5)
    assert curve.shape == (40,) and (curve >= share).all()


def test_vc_bounds():
    T = np.array([1, 10, 100, 1000])
    expected = [2 * 3 * (t + 1) * np.log2(np.e * (t + 1)) for t in T]
    assert vc_bound(T, 2) == pytest.approx(expected)
    assert (np.diff(vc_risk_bound(0.0, T[:3], 10**6, 2)) > 0).all()
    assert (np.diff(vc_risk_bound(0.0, 10, np.array([10**4, 10**5, 10**6]), 2)) < 0).all()
    assert np.isinf(vc_risk_bound(0.0, 1000, 100, 2))
    # With as many rounds as needed, O(ln N · ln ln N): the ratio settles, not so with log² N.
    N = 10.0 ** np.array([50, 100, 200, 300])
    D = vc_bound(rounds_to_zero(N, 0.2), 2)
    ratio = D / (np.log(N) * np.log(np.log(N)))
    assert (np.abs(np.diff(ratio)) < 0.12 * ratio[0]).all() and ratio[-1] < ratio[0]
    assert D[-1] / D[0] < 0.3 * (np.log(N[-1]) / np.log(N[0])) ** 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: training_error_bound([0.2, 0.6]), "errors must be a list of numbers from 0 to ½"),
        (lambda: training_error_bound([0.2], form="sum"), "form is 'sum', expected 'product'"),
        (lambda: training_error_bound([0.2], theta=0.1, form="exponential"), "theta = 0 only"),
        (lambda: rounds_to_zero(10, 0), "gamma must lie in"),
        (lambda: guaranteed_margin(1.5), "gamma must lie in"),
        (lambda: margin_bound(0.1, 0.0, 10, 2), "theta must be above 0"),
        (lambda: margin_bound(0.1, 0.1, 10, 20), "needs N ≥ d"),
        (lambda: margin_bound(0.1, 0.1, 10, 2, delta=1), "delta is a probability"),
        (lambda: vc_bound(0, 2), "n_rounds must be above 0"),
        (lambda: vc_risk_bound(0, 1, 10, 2, delta=0), "delta is a probability"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()
