"""Bias and variance: exact identities, the 18 combinations, naive twins, same bits, errors."""

import itertools

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from mlcourse import (
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    average,
    bias_variance_squared,
    bias_variance_zero_one,
    load_play_tennis,
    make_twonorm,
    make_waveform,
    plurality_vote,
)
from mlcourse.bias_variance import decompose_squared, decompose_zero_one

pytestmark = pytest.mark.filterwarnings("error")
quick = settings(derandomize=True, deadline=None, database=None, max_examples=60)
seeds = st.integers(0, 2**32 - 1)
X_LINE = np.linspace(0, 6, 40)[:, None]
COMBINATIONS = list(itertools.product([0, 1], [0.0, 0.2, 0.4], [0.0, 0.1, 0.3]))


def f(X):
    return np.sin(X[:, 0])


def noisy_sine(rng, n=30):
    X = rng.uniform(0, 6, (n, 1))
    return X, f(X) + rng.normal(0, 0.3, n)


def twonorm(rng):
    return make_twonorm(60, 5, random_state=rng)


def optimal(X):
    return np.where(X.sum(axis=1) > 0, 1, -1)


X_NORM = make_twonorm(50, 5, random_state=1)[0]


# ------------------------------------------------------------------ squared loss


@quick
@given(st.integers(1, 8), st.integers(1, 5), st.integers(1, 4), seeds)
def test_squared_identity_and_naive_twin(repeats, n, draws, seed):
    rng = np.random.default_rng(seed)
    h, y, sigma = rng.normal(3, 2, (repeats, n)), rng.normal(3, 1, (draws, n)), rng.random(n)
    found = decompose_squared(h, y, sigma)
    parts = found.variance + found.bias_squared + found.noise
    assert np.allclose(found.error, parts, rtol=1e-12, atol=1e-14)
    for i in range(n):
        consensus, truth = sum(h[:, i]) / repeats, sum(y[:, i]) / draws
        error = sum((a - b) ** 2 for a in h[:, i] for b in y[:, i]) / (repeats * draws) + sigma[i]
        assert np.isclose(found.error[i], error)
        assert np.isclose(found.variance[i], sum((a - consensus) ** 2 for a in h[:, i]) / repeats)
        assert np.isclose(found.bias[i], consensus - truth)
        noise = sum((b - truth) ** 2 for b in y[:, i]) / draws + sigma[i]
        assert np.isclose(found.noise[i], noise)


@quick
@given(st.integers(1, 8), st.integers(1, 5), seeds)
def test_uniform_blending_is_an_equality(repeats, n, seed):
    # avg (g − f)² = avg (g − ḡ)² + (ḡ − f)²: lecture 003 prints ≥ after deriving =.
    rng = np.random.default_rng(seed)
    g, truth = rng.normal(size=(repeats, n)), rng.normal(size=n)
    found = decompose_squared(g, truth)
    assert np.allclose(np.mean((g - truth) ** 2, axis=0), found.variance + found.bias_squared)
    assert np.allclose(found.mean_prediction, average(g)) and not found.noise.any()


@pytest.mark.parametrize(
    "estimator",
    [
        LinearRegression(),
        DummyRegressor(),
        KNeighborsRegressor(3),
        CARTRegressor(),
        make_pipeline(StandardScaler(), DecisionTreeRegressor(max_depth=2)),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_any_regressor(estimator):
    found = bias_variance_squared(
        estimator, noisy_sine, X_LINE, f, noise=0.09, n_repeats=20, random_state=0
    )
    parts = found.variance + found.bias_squared + found.noise
    assert np.allclose(found.error, parts, rtol=1e-12, atol=0)
    direct = np.mean((found.predictions - f(X_LINE)) ** 2, axis=0) + 0.09
    assert np.allclose(found.error, direct, rtol=1e-12)
    assert found.predictions.shape == (20, 40)
    means = found.averages
    assert np.isclose(means["error"], means["variance"] + means["bias_squared"] + means["noise"])
    assert set(means) == {"error", "variance", "bias_squared", "noise"}
    assert repr(found).startswith("SquaredDecomposition(error=")


def test_theory_of_the_mean():
    # The mean of N numbers has variance σ²/N and no bias: here σ² = 1, N = 25.
    found = bias_variance_squared(
        DummyRegressor(),
        lambda rng: (np.zeros((25, 1)), rng.normal(5, 1, 25)),
        [[0]],
        [5.0],
        noise=1.0,
        n_repeats=600,
        random_state=0,
    )
    assert abs(found.averages["variance"] - 0.04) < 0.008
    assert found.averages["bias_squared"] < 0.001
    assert abs(found.averages["error"] - 1.04) < 0.008


def test_flexible_trees_have_less_bias_and_more_variance():
    stump, tree = (
        bias_variance_squared(
            CARTRegressor(max_depth=depth), noisy_sine, X_LINE, f, n_repeats=60, random_state=0
        ).averages
        for depth in (1, None)
    )
    assert stump["bias_squared"] > 5 * tree["bias_squared"]
    assert tree["variance"] > 1.5 * stump["variance"]


def test_a_noisy_truth_counts_its_noise_as_bias():
    y = f(X_LINE) + np.random.default_rng(0).normal(0, 0.3, 40)
    known, unknown = (
        bias_variance_squared(
            LinearRegression(), noisy_sine, X_LINE, truth, n_repeats=10, random_state=0
        )
        for truth in (f, y)
    )
    assert np.array_equal(known.variance, unknown.variance)
    assert np.allclose(unknown.bias, known.bias - (y - f(X_LINE)))
    assert unknown.averages["bias_squared"] > known.averages["bias_squared"] + 0.03


# ------------------------------------------------------------------ 0/1 loss


@pytest.mark.parametrize(("B", "V", "N"), COMBINATIONS)
def test_two_case_formula_in_18_combinations(B, V, N):
    main = -1 if B else 1  # the optimal class is 1
    h = np.where(np.arange(10) < 10 * V, -main, main)[:, None]  # (10 training sets, 1 point)
    found = decompose_zero_one(h, [1], N, classes=[-1, 1])
    assert np.allclose([found.bias[0], found.variance[0], found.noise[0]], [B, V, N])
    assert np.allclose([found.unbiased_variance[0], found.biased_variance[0]], [V - B * V, B * V])
    # All pairs of a prediction and an observation, y* = 1 in 10 (1 − N) of ten cases.
    y = np.where(np.arange(10) < round(10 * N), -1, 1)
    direct = np.mean(h != y)
    bracket = V + N - 2 * V * N
    assert np.isclose(found.error[0], direct)
    assert np.isclose(direct, B - bracket if B else B + bracket)
    assert np.isclose(found.two_case()[0], direct)
    if N == 0:
        assert np.isclose(direct, B + found.unbiased_variance[0] - found.biased_variance[0])


def naive_zero_one(h, p, classes):
    """Return B, V, N, the error and Domingos' c1·N and c2·V of one point, by his theorem."""
    shares = [np.mean([label == c for label in h]) for c in classes]
    main = max(range(len(classes)), key=lambda j: (shares[j], -j))
    best = max(range(len(classes)), key=lambda j: (p[j], -j))
    B, V, N = int(main != best), 1 - shares[main], 1 - p[best]
    error = sum(
        p[j] * shares[i]
        for i, j in np.ndindex(len(classes), len(classes))
        if classes[i] != classes[j]
    )
    others = [j for j in range(len(classes)) if j != best]
    wrong = 1 - shares[best]
    meet = sum(shares[j] * p[j] for j in others) / (wrong * N) if wrong * N > 0 else 0.0
    c1 = shares[best] - wrong * meet  # P(h = o) − P(h ≠ o) P(h = y* | h ≠ o, y* ≠ o)
    c2 = 1 if not B else -shares[best] / V if V > 0 else 0.0  # −P(h = o | h ≠ m) where B = 1
    return B, V, N, error, c1 * N, c2 * V


@quick
@given(st.integers(1, 9), st.integers(1, 4), st.integers(2, 4), seeds)
def test_domingos_decomposition_for_any_number_of_classes(repeats, n, k, seed):
    rng = np.random.default_rng(seed)
    classes = np.array(["ant", "bee", "cat", "dog"])[:k]
    h, p = rng.choice(classes, (repeats, n)), rng.multinomial(8, np.ones(k) / k, n) / 8
    found = decompose_zero_one(h, p, classes=classes)
    for i in range(n):
        B, V, N, error, c1_n, c2_v = naive_zero_one(h[:, i], p[i], classes)
        got = [found.bias[i], found.variance[i], found.noise[i], found.error[i]]
        assert np.allclose(got, [B, V, N, error], atol=1e-12)
        assert np.allclose([found.noise_effect[i], found.variance_effect[i]], [c1_n, c2_v])
    total = found.bias + found.variance_effect + found.noise_effect
    assert np.allclose(found.error, total, rtol=0, atol=1e-14)
    if k == 2:
        assert np.allclose(found.two_case(), found.error, rtol=0, atol=1e-14)
        net = found.unbiased_variance - found.biased_variance
        assert np.allclose(found.variance_effect, net, atol=1e-14)
    assert np.array_equal(found.main_prediction, plurality_vote(h, classes))


@pytest.mark.parametrize(
    "estimator",
    [CARTClassifier(), GaussianNB(), KNeighborsClassifier(1), DecisionTreeClassifier()],
    ids=lambda estimator: type(estimator).__name__,
)
def test_any_classifier(estimator):
    found = bias_variance_zero_one(
        estimator, twonorm, X_NORM, optimal, noise=0.1, n_repeats=15, random_state=0
    )
    assert np.allclose(found.error, found.two_case(), atol=1e-14)
    means = found.averages
    assert np.isclose(
        means["error"], means["bias"] + means["variance_effect"] + means["noise_effect"]
    )
    assert np.isclose(means["variance"], means["unbiased_variance"] + means["biased_variance"])
    assert np.isclose(means["noise"], 0.1) and np.array_equal(found.optimal, optimal(X_NORM))


def test_without_noise_the_averages_add_up():
    found = bias_variance_zero_one(
        CARTClassifier(max_depth=1), twonorm, X_NORM, optimal, n_repeats=40, random_state=0
    )
    means = found.averages
    error = np.mean(found.predictions != optimal(X_NORM))
    net = means["bias"] + means["unbiased_variance"] - means["biased_variance"]
    assert np.isclose(error, net) and np.isclose(error, means["error"])
    assert means["bias"] > 0 and means["biased_variance"] > 0


def test_more_than_two_classes():
    X_test, truth = make_waveform(60, random_state=3)
    found = bias_variance_zero_one(
        CARTClassifier(),
        lambda rng: make_waveform(100, random_state=rng),
        X_test,
        truth,
        n_repeats=15,
        random_state=0,
    )
    assert np.isclose(found.averages["error"], np.mean(found.predictions != truth))
    assert np.allclose(found.error, found.bias + found.variance_effect)
    biased = found.bias == 1  # there V_b may be more than it helps
    assert np.all(-found.variance_effect[biased] <= found.biased_variance[biased] + 1e-14)
    with pytest.raises(ValueError, match="two_case: more than two classes; use the effects"):
        found.two_case()


def test_ties_go_to_the_first_class():
    found = decompose_zero_one([["b"], ["a"]], ["b"])
    assert found.main_prediction[0] == "a" and found.bias[0] == 1 and found.error[0] == 0.5
    found = decompose_zero_one([["b"], ["a"]], ["b"], classes=["b", "a"])
    assert found.main_prediction[0] == "b" and found.bias[0] == 0


# ------------------------------------------------------------------ training sets


def test_a_data_set_is_bootstrapped():
    X, y = load_play_tennis()
    found = bias_variance_zero_one(ID3Classifier(), (X, y), X, y, n_repeats=30, random_state=0)
    assert set(np.unique(found.predictions)) == {"no", "yes"}
    assert 0 < found.averages["variance"] < 0.4 and found.averages["bias"] < 0.3
    table = pd.DataFrame({"x": np.arange(8.0)}), pd.Series(np.arange(8.0), index=range(20, 28))
    mean = bias_variance_squared(
        DummyRegressor(), table, [[0]], [3.5], n_repeats=600, random_state=0
    )
    assert abs(mean.variance[0] - np.var(np.arange(8)) / 8) < 0.05


class Coin(RegressorMixin, BaseEstimator):
    """Answer with a random number that depends on random_state alone."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.answer_ = np.random.default_rng(self.random_state).random()
        return self

    def predict(self, X):
        return np.full(len(X), self.answer_)


def test_random_learners_are_seeded_anew_unless_they_have_a_seed():
    study = dict(truth=[0.5], n_repeats=5, random_state=0)
    free, again = (bias_variance_squared(Coin(), noisy_sine, [[0]], **study) for _ in range(2))
    assert np.array_equal(free.predictions, again.predictions)
    assert len(np.unique(free.predictions)) == 5
    fixed = bias_variance_squared(Coin(random_state=3), noisy_sine, [[0]], **study)
    assert len(np.unique(fixed.predictions)) == 1
    inside = bias_variance_squared(make_pipeline(Coin()), noisy_sine, [[0]], **study)
    assert np.array_equal(inside.predictions, free.predictions)


@pytest.mark.parametrize("how", ["loky", "threading"])
def test_same_bits_for_any_n_jobs(how):
    study = dict(n_repeats=12, random_state=5)
    one = bias_variance_squared(CARTRegressor(), noisy_sine, X_LINE, f, **study)
    votes = bias_variance_zero_one(CARTClassifier(), twonorm, X_NORM, optimal, **study)
    with joblib.parallel_config(how):
        two = bias_variance_squared(CARTRegressor(), noisy_sine, X_LINE, f, n_jobs=2, **study)
        both = bias_variance_zero_one(
            CARTClassifier(), twonorm, X_NORM, optimal, n_jobs=2, verbose=True, **study
        )
    assert np.array_equal(one.predictions, two.predictions)
    assert np.array_equal(votes.predictions, both.predictions)
    other = bias_variance_squared(
        CARTRegressor(), noisy_sine, X_LINE, f, n_repeats=12, random_state=6
    )
    assert not np.array_equal(one.predictions, other.predictions)


def test_more_repeats_begin_with_the_same_training_sets():
    few, many = (
        bias_variance_squared(CARTRegressor(), noisy_sine, X_LINE, f, n_repeats=n, random_state=0)
        for n in (3, 6)
    )
    assert np.array_equal(few.predictions, many.predictions[:3])


def test_progress_is_shown_on_stderr_when_asked(capsys):
    for verbose in (False, True):
        bias_variance_squared(
            DummyRegressor(), noisy_sine, X_LINE, f, n_repeats=3, random_state=0, verbose=verbose
        )
        out, err = capsys.readouterr()
        assert out == "" and (err.endswith("3 of 3\n") if verbose else err == "")
    assert err.count("\r") == 3 and err.count("\n") == 1


# ------------------------------------------------------------------ errors

DUMMY, NORM = DummyRegressor(), GaussianNB()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: bias_variance_squared(DUMMY, noisy_sine, X_LINE, f, n_repeats=0),
            "n_repeats is 0",
        ),
        (
            lambda: bias_variance_squared(DUMMY, 5, X_LINE, f),
            r"function of a Generator, or \(X, y\)",
        ),
        (
            lambda: bias_variance_squared(DUMMY, noisy_sine, X_LINE, [1, 2]),
            r"truth \(2,\); give one",
        ),
        (
            lambda: bias_variance_squared(DUMMY, noisy_sine, X_LINE, ["a"] * 40),
            "truth must be finite",
        ),
        (
            lambda: bias_variance_squared(DUMMY, noisy_sine, X_LINE, f, noise=-1),
            "noise must be .* 0 to",
        ),
        (lambda: bias_variance_squared(DUMMY, noisy_sine, X_LINE, f, noise=[1, 2]), "one per test"),
        (
            lambda: bias_variance_squared(
                DUMMY, lambda r: (X_LINE, np.ones((40, 2))), X_LINE, f, n_repeats=2
            ),
            r"bias_variance_squared: predict gave shape \(40, 2\), expected one value",
        ),
        (lambda: bias_variance_squared(DUMMY, ([[1], [2]], [1, 2, 3]), X_LINE, f), "inconsistent"),
        (lambda: bias_variance_zero_one(NORM, twonorm, X_NORM, [1]), "inconsistent"),
        (lambda: decompose_squared([["a"]], [1]), "predictions must be finite"),
        (lambda: decompose_squared([1, 2], [1, 2]), r"predictions have shape \(2,\)"),
        (lambda: decompose_zero_one([[1, 2]], [1]), r"truth \(1,\); give one truth per point"),
        (lambda: decompose_zero_one([[1, 2]], ["1", "2"]), r"label \[1\] is not among classes"),
        (lambda: decompose_zero_one([[1, 2]], [1, 3], classes=[1, 2]), r"label \[3\] is not among"),
        (lambda: decompose_zero_one([[1, 2]], [1, 2], noise=0.6), "from 0 to 0.5"),
        (lambda: decompose_zero_one([[1, 2, 3]], [1, 2, 3], noise=0.1), "noise needs two classes"),
        (
            lambda: decompose_zero_one([[1]], [1], noise=0.1),
            "two classes, here are 1; give classes=",
        ),
        (lambda: decompose_zero_one([[0]], [[0.5, 0.5]]), "name them by classes="),
        (
            lambda: decompose_zero_one([[0]], [[0.5, 0.6]], classes=[0, 1]),
            "2 probabilities per point",
        ),
        (
            lambda: decompose_zero_one([[0]], [[0.5, 0.5]], noise=0.1, classes=[0, 1]),
            "give noise or probabilities",
        ),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()
