"""Jackknife and bootstrap: worked numbers, naive twins, SciPy on the same replicates, errors."""

import functools
import math
import statistics
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcourse import bootstrap, jackknife, load_galton, resampling

pytestmark = pytest.mark.filterwarnings("error")
quick = settings(derandomize=True, deadline=None, database=None, max_examples=60)
samples = st.lists(st.integers(-50, 50), min_size=3, max_size=25).map(
    lambda values: np.array(values) / 4 + np.arange(len(values)) / 7
)


def close(value, expected, tolerance=1e-9):
    return np.allclose(value, expected, rtol=tolerance, atol=tolerance)


def naive_jackknife(statistic, x):
    """Return estimate, bias, corrected value and variance, straight from the formulas."""
    n = len(x)
    left = [statistic(np.concatenate([x[:i], x[i + 1 :]])) for i in range(n)]
    estimate, mean = statistic(x), sum(left) / n
    variance = (n - 1) / n * sum((value - mean) ** 2 for value in left)
    return estimate, (n - 1) * (mean - estimate), n * estimate - (n - 1) * mean, variance


def naive_bca(found, left, level):
    """Return the BCa interval from the formulas of the module, with Python's own normal law."""
    normal, replicates, m = statistics.NormalDist(), found.replicates, len(found.replicates)
    below = sum(int(r < found.estimate) + int(r <= found.estimate) for r in replicates) / (2 * m)
    z0, apart = normal.inv_cdf(below), np.mean(left) - np.array(left)
    a = sum(apart**3) / (6 * sum(apart**2) ** 1.5)
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = z0 + normal.inv_cdf(tail)
        ends.append(np.quantile(replicates, normal.cdf(z0 + z / (1 - a * z))))
    return ends


# ------------------------------------------------------------------ jackknife


@quick
@given(samples)
def test_jackknife_of_the_mean_is_the_usual_variance(x):
    found = jackknife(np.mean, x)
    assert close(found.variance, np.var(x, ddof=1) / len(x))
    assert close(found.standard_error, scipy.stats.sem(x))
    assert close(found.bias, 0) and close(found.corrected, np.mean(x))


@quick
@given(samples)
def test_corrected_plug_in_variance_is_the_unbiased_one(x):
    found = jackknife(np.var, x)
    assert close(found.corrected, np.var(x, ddof=1))
    assert close(found.bias, -np.var(x, ddof=1) / len(x))


@quick
@given(samples, st.sampled_from([np.mean, np.var, np.std, scipy.stats.skew, np.ptp]))
def test_jackknife_agrees_with_its_naive_twin(x, statistic):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ptp is not smooth
        found = jackknife(statistic, x)
        loop = jackknife(lambda sample: statistic(sample), x)  # takes no axis
    numbers = (found.estimate, found.bias, found.corrected, found.variance)
    assert close(numbers, naive_jackknife(statistic, x))
    assert close(found.values, loop.values, 1e-12) and found.values.shape == (len(x),)
    assert all(type(number) is float for number in (*numbers, found.standard_error))


def test_a_large_shift_does_not_matter():
    x = np.random.default_rng(0).normal(size=50)
    assert close(jackknife(np.var, x + 1e6).corrected, np.var(x, ddof=1), 1e-6)
    assert close(jackknife(np.mean, x + 1e6).variance, np.var(x, ddof=1) / 50, 1e-6)


def test_statistics_of_many_samples_are_computed_at_once():
    calls = []

    def mean(x, axis=None):
        calls.append(np.shape(x))
        return np.mean(x, axis=axis)

    jackknife(mean, np.arange(40.0))
    assert calls == [(40,), (2, 40), (40, 39)]
    calls.clear()
    bootstrap(mean, np.arange(40.0), 500, 0)
    assert calls == [(40,), (2, 40), (500, 40)]


def test_an_axis_that_means_something_else_is_not_used():
    def odd(x, axis=None):
        return np.mean(x) if axis is None else np.sum(x, axis=axis)

    def broken(x, axis=None):
        assert axis is None
        return np.mean(x)

    x = np.arange(9.0) ** 2
    for statistic in (odd, broken):
        assert close(jackknife(statistic, x).values, jackknife(np.mean, x).values)


def test_blocks_do_not_change_the_numbers(monkeypatch):
    x = np.random.default_rng(1).normal(size=30)
    whole = jackknife(np.var, x).values, bootstrap(np.var, x, 200, 5).replicates
    monkeypatch.setattr(resampling, "_BLOCK", 100)
    parts = jackknife(np.var, x).values, bootstrap(np.var, x, 200, 5).replicates
    assert all(np.array_equal(a, b) for a, b in zip(whole, parts, strict=True))


@pytest.mark.parametrize(
    "statistic",
    [
        np.median,
        statistics.median,
        np.max,
        functools.partial(np.quantile, q=0.25),
        scipy.stats.iqr,
        lambda x: np.sort(x)[len(x) // 2],
        lambda x: np.array([np.mean(x), np.median(x)]),
    ],
)
@pytest.mark.parametrize("n", [9, 10, 101])
def test_warning_for_statistics_that_are_not_smooth(statistic, n):
    with pytest.warns(UserWarning, match=r"not (a )?smooth.*use bootstrap") as seen:
        jackknife(statistic, np.random.default_rng(n).normal(size=n))
    assert len(seen) == 1 and seen[0].filename == __file__


def test_no_warning_for_smooth_statistics():
    rng = np.random.default_rng(0)
    x, table = rng.normal(size=60), rng.normal(size=(40, 2))
    for statistic in (np.mean, np.std, lambda s: scipy.stats.trim_mean(s, 0.2), lambda s: 5.0):
        jackknife(statistic, x)
    jackknife(np.mean, rng.integers(2, size=50))  # few values in the data are no sign
    jackknife(np.mean, np.ones(5))
    jackknife(lambda rows: np.corrcoef(rows.T), table)  # the diagonal never changes


def test_median_jackknife_fails_and_bootstrap_does_not():
    # N = 100, normal: true .0155, jackknife .0285 ± .058, bootstrap .0166 ± .0075.
    rng = np.random.default_rng(3)
    x = rng.normal(size=(4000, 100))
    assert 0.0148 < np.var(np.median(x, axis=1)) < 0.0162
    with pytest.warns(UserWarning, match="median is not a smooth statistic"):
        jack = np.array([jackknife(np.median, row).variance for row in x])
    boot = [bootstrap(np.median, row, 200, rng).standard_error ** 2 for row in x[:600]]
    assert 0.025 < jack.mean() < 0.032 and 0.045 < jack.std() < 0.075
    assert 0.0155 < np.mean(boot) < 0.0178 and 0.006 < np.std(boot) < 0.009


# ------------------------------------------------------------------ bootstrap


def test_same_seed_same_bits():
    x = np.random.default_rng(2).normal(size=40)
    first, second = bootstrap(np.mean, x, 300, 7), bootstrap(np.mean, x, 300, random_state=7)
    assert np.array_equal(first.replicates, second.replicates)
    assert not np.array_equal(first.replicates, bootstrap(np.mean, x, 300, 8).replicates)
    loop = bootstrap(lambda sample: np.mean(sample), x, 300, np.random.default_rng(7))
    assert close(loop.replicates, first.replicates, 1e-14)  # a loop draws the same samples


def test_standard_error_is_the_spread_of_the_replicates():
    x = np.random.default_rng(4).exponential(size=80)
    found = bootstrap(np.mean, x, 4000, 0)
    assert close(found.standard_error, statistics.stdev(found.replicates))
    assert abs(found.standard_error / (np.std(x) / math.sqrt(80)) - 1) < 0.04  # exact for M → ∞
    assert close(found.bias, found.replicates.mean() - np.mean(x))
    assert abs(found.bias) < 4 * found.standard_error / math.sqrt(4000)
    assert type(found.standard_error) is float and "replicates" not in repr(found)


@pytest.mark.parametrize("statistic", [np.mean, np.median, np.std, lambda s: np.quantile(s, 0.7)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_intervals_agree_with_scipy_on_the_same_replicates(statistic, level):
    x = np.random.default_rng(5).exponential(size=37)
    found = bootstrap(statistic, x, 800, 1)
    old = scipy.stats._resampling.BootstrapResult(None, found.replicates, None)
    for method, theirs in [("percentile", "percentile"), ("bca", "BCa")]:
        reference = scipy.stats.bootstrap(
            (x,),
            statistic,
            n_resamples=0,
            bootstrap_result=old,
            confidence_level=level,
            method=theirs,
            vectorized=False,
        ).confidence_interval
        assert close(found.interval(level, method), reference)
        assert found.interval(level, method).low < found.interval(level, method).high
    left = [statistic(np.delete(x, i)) for i in range(len(x))]
    assert close(found.interval(level, "bca"), naive_bca(found, left, level))


def test_replicates_have_scipys_distribution():
    x = np.random.default_rng(6).gamma(2, size=50)
    ours = bootstrap(np.std, x, 5000, 0).replicates
    theirs = scipy.stats.bootstrap((x,), np.std, n_resamples=5000, rng=1).bootstrap_distribution
    assert scipy.stats.ks_2samp(ours, theirs).pvalue > 0.01


def test_intervals_cover_the_truth():
    rng, hits = np.random.default_rng(7), {"percentile": 0, "bca": 0}
    for _ in range(300):
        found = bootstrap(np.mean, rng.exponential(size=40), 400, rng)
        for method in hits:
            low, high = found.interval(0.9, method)
            hits[method] += low <= 1 <= high
    assert all(0.83 < count / 300 < 0.94 for count in hits.values())


@pytest.mark.parametrize("n", [5, 10, 100])
def test_share_that_a_sample_misses(n):
    # (1 − 1/N)^N, and N!/N^N, the chance to draw every observation once.
    exact = {5: 0.32768, 10: 0.34868, 100: 0.36603}[n]
    found = bootstrap(lambda sample: len(np.unique(sample)), np.arange(n), 20_000, 0)
    assert abs(1 - found.replicates.mean() / n - exact) < 0.003
    assert close((1 - 1 / n) ** n, exact, 1e-5)
    if n == 5:
        chance = math.factorial(n) / n**n
        assert close(chance, 0.0384) and abs(np.mean(found.replicates == n) - chance) < 0.005


# ------------------------------------------------------------------ tables


def test_rows_of_tables_and_frames_stay_together():
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({"x": rng.normal(size=50), "group": rng.choice(["a", "b"], 50)})
    frame["y"] = frame["x"] + 0.5 * rng.normal(size=50)
    by_frame = bootstrap(lambda rows: rows["x"].corr(rows["y"]), frame, 300, 0)
    table = frame[["x", "y"]].to_numpy()
    by_array = bootstrap(lambda rows: np.corrcoef(rows.T)[0, 1], table, 300, 0)
    assert close(by_frame.replicates, by_array.replicates)
    assert 0.5 < by_frame.interval(method="bca").low < by_frame.estimate < 1
    assert close(jackknife(lambda rows: rows["x"].mean(), frame).variance, frame["x"].var() / 50)
    series = frame["x"].set_axis(range(100, 150))
    assert close(jackknife(np.mean, series).variance, series.var() / 50)
    assert close(jackknife(lambda s: s.mean(), series).variance, series.var() / 50)


def test_statistics_may_be_arrays():
    rng = np.random.default_rng(9)
    table = rng.exponential(size=(40, 3))
    many = bootstrap(lambda rows: rows.mean(axis=0), table, 500, 0)
    assert many.replicates.shape == (500, 3) and many.standard_error.shape == (3,)
    for column in range(3):
        one = bootstrap(np.mean, table[:, column], 500, 0)
        for method in ("percentile", "bca"):
            ends = [end[column] for end in many.interval(0.9, method)]
            assert close(ends, one.interval(0.9, method))
    assert close(jackknife(lambda rows: rows.mean(0), table).variance, table.var(0, ddof=1) / 40)


def test_labels_and_lists_work_too():
    found = bootstrap(lambda s: np.mean(s == "yes"), ["yes", "no", "yes", "yes"], 500, 0)
    assert found.estimate == 0.75 and set(found.replicates) <= {0, 0.25, 0.5, 0.75, 1}


def test_galtons_crowd():
    guesses = load_galton(787, random_state=0)[0]["guess"]
    low, high = bootstrap(np.median, guesses, 500, 0).interval()
    assert low < 1207 < high


# ------------------------------------------------------------------ edges and errors


def test_constant_data_have_no_spread():
    found = bootstrap(np.mean, [3.0, 3.0, 3.0], 50, 0)
    assert found.standard_error == 0
    assert found.interval() == found.interval(method="bca") == (3.0, 3.0)


def test_bca_does_not_depend_on_the_scale():
    x = np.random.default_rng(10).exponential(size=30)
    one, tiny = (bootstrap(np.mean, x * c, 300, 0).interval(0.9, "bca") for c in (1, 1e-150))
    assert close(np.array(tiny) * 1e150, one)


@pytest.mark.parametrize("function", [jackknife, bootstrap])
@pytest.mark.parametrize(
    ("statistic", "x", "message"),
    [
        ("mean", [1, 2, 3], "statistic is 'mean', expected a function"),
        (np.mean, [1.0], r"x has shape \(1,\); give at least two"),
        (np.mean, 5, r"x has shape \(\)"),
        (np.mean, [[1, 2], [3]], "different lengths"),
        (np.mean, [1, np.nan], "not a finite number"),
        (lambda s: "a", [1, 2, 3], "not a finite number"),
        (lambda s: np.sqrt(len(np.unique(s)) - 2.5 + 0j).real or np.nan, [1, 2, 3], "cope"),
    ],
)
def test_errors(function, statistic, x, message):
    with pytest.raises(ValueError, match=f"{function.__name__}: .*{message}"):
        function(statistic, x)


def test_errors_of_the_bootstrap():
    for wrong in (1, 2.5, "many"):
        with pytest.raises(ValueError, match=r"n_resamples is .*whole number from 2 up"):
            bootstrap(np.mean, [1, 2, 3], wrong)
    found = bootstrap(np.max, np.arange(30.0) ** 2, 300, 0)
    for wrong in (0, 1, 95, "high"):
        with pytest.raises(ValueError, match=r"level is .*between 0 and 1"):
            found.interval(wrong)
    with pytest.raises(ValueError, match="method is 'basic', expected 'percentile' or 'bca'"):
        found.interval(method="basic")
    one_sided = bootstrap(lambda s: len(np.unique(s)), np.arange(30), 300, 0)
    with pytest.raises(ValueError, match="one side of the estimate; use the percentile"):
        one_sided.interval(method="bca")
