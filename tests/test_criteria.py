"""Splitting criteria: the lectures' tables, naive twins, theorems, input kinds, and every error."""

import inspect
import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score
from sklearn.tree import DecisionTreeClassifier

from mlcourse import criteria
from mlcourse.criteria import (
    gain_ratio,
    gini,
    gini_index,
    information_gain,
    intrinsic_value,
    misclassification,
    split_table,
    variance,
)
from mlcourse.datasets import load_golf, load_play_tennis, load_restaurant
from mlcourse.information import entropy, mutual_information

pytestmark = pytest.mark.filterwarnings("error")
quick = settings(derandomize=True, deadline=None, database=None, max_examples=60)

COLUMNS = ["gain", "intrinsic_value", "gain_ratio", "gini", "misclassification", "threshold"]
OF_X_AND_Y = (information_gain, gain_ratio, gini_index)


def near(value):
    """Expect a worked number of six digits."""
    return pytest.approx(value, abs=5.1e-7)


def close(value):
    return pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True)


# ------------------------------------------------------------------ naive twins, from the formulas


def naive_impurities(counts):
    """Return entropy, Gini (ordered pairs of different classes) and misclassification."""
    total = sum(counts)
    p = [count / total for count in counts]
    bits = -sum(p_k * math.log2(p_k) for p_k in p if p_k > 0)
    pairs = sum(p[j] * p[k] for j in range(len(p)) for k in range(len(p)) if j != k)
    return bits, pairs, 1 - max(p)


def naive_node(labels, weights):
    counts = Counter()
    for label, weight in zip(labels, weights, strict=True):
        counts[label] += weight
    return naive_impurities(list(counts.values()))


def naive_split(x, y, weights):
    """Return a row of the table but for its threshold; None in x is missing."""
    rows = [row for row in zip(x, y, weights, strict=True) if row[2] > 0]
    known = [row for row in rows if row[0] is not None]
    total, known_total = sum(w for *_, w in rows), sum(w for *_, w in known)
    before = naive_node([y for _, y, _ in known], [w for *_, w in known])[0]
    after = [0.0, 0.0, 0.0]
    value = 0.0
    for v in {x for x, _, _ in rows}:
        branch = [row for row in rows if row[0] == v]
        size = sum(w for *_, w in branch)
        value -= size / total * math.log2(size / total)
        if v is not None:
            impurities = naive_node([y for _, y, _ in branch], [w for *_, w in branch])
            after = [a + size / known_total * i for a, i in zip(after, impurities, strict=True)]
    gain = known_total / total * (before - after[0])
    return [gain, value, gain / value if value > 0 else 0.0, after[1], after[2]]


def naive_cut(x, y, weights):
    """Return the row of a numeric attribute: try every midpoint, keep the lowest of the best."""
    counted = [v for v, w in zip(x, weights, strict=True) if v is not None and w > 0]
    values = sorted(set(counted))
    best, best_threshold = naive_split(x, y, weights), math.nan  # a constant has no midpoint
    for number, (low, high) in enumerate(pairwise(values)):
        threshold = (low + high) / 2
        sides = [None if v is None else v <= threshold for v in x]
        row = naive_split(sides, y, weights)
        if number == 0 or row[0] > best[0] + 1e-9:
            best, best_threshold = row, threshold
    return [*best, best_threshold]


INTEGER_WEIGHTS = st.integers(0, 3)


def rows_of(x_values, weight=INTEGER_WEIGHTS):
    """Draw x, y and weights of up to 12 rows, at least one of them known and counted."""
    row = st.tuples(x_values, st.sampled_from("ABC"), weight)
    drawn = st.lists(row, min_size=1, max_size=12)
    drawn = drawn.filter(lambda rows: any(x is not None and w > 0 for x, _, w in rows))
    return drawn.map(lambda rows: [list(column) for column in zip(*rows, strict=True)])


WORDS = st.sampled_from(["red", "green", "blue", None])
NUMBERS = st.none() | st.integers(-4, 4).map(lambda i: i / 2)
REAL_WEIGHTS = st.just(0.0) | st.floats(0.01, 100)
COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any)


@quick
@given(rows_of(WORDS, REAL_WEIGHTS))
def test_categorical_criteria_equal_their_twins(rows):
    x, y, weights = rows
    gain, value, ratio, mean_gini, mean_error = naive_split(x, y, weights)
    assert information_gain(x, y, sample_weight=weights) == close(gain)
    assert intrinsic_value(x, sample_weight=weights) == close(value)
    assert gain_ratio(x, y, sample_weight=weights) == close(ratio)
    assert gini_index(x, y, sample_weight=weights) == close(mean_gini)
    frame = pd.DataFrame({"x": pd.Series(x, dtype=object)})
    row = split_table(frame, y, sample_weight=weights).loc["x"]
    assert row.to_list() == close([gain, value, ratio, mean_gini, mean_error, math.nan])


@quick
@given(rows_of(NUMBERS, REAL_WEIGHTS), st.integers(-5, 5).map(lambda i: i / 2))
def test_criteria_at_a_threshold_equal_their_twins(rows, threshold):
    x, y, weights = rows
    sides = [None if v is None else v <= threshold for v in x]
    gain, value, ratio, mean_gini, _ = naive_split(sides, y, weights)
    x, options = pd.Series(x, dtype=float), {"threshold": threshold, "sample_weight": weights}
    assert information_gain(x, y, **options) == close(gain)
    assert intrinsic_value(x, **options) == close(value)
    assert gain_ratio(x, y, **options) == close(ratio)
    assert gini_index(x, y, **options) == close(mean_gini)


@settings(quick, max_examples=150)
@given(rows_of(NUMBERS))
def test_best_cut_equals_the_twin_that_tries_every_midpoint(rows):
    x, y, weights = rows
    row = split_table({"x": pd.Series(x, dtype=float)}, y, sample_weight=weights).loc["x"]
    assert row.to_list() == close(naive_cut(x, y, weights))


@quick
@given(COUNTS)
def test_impurities_equal_their_twins(counts):
    _, pairs, error = naive_impurities(counts)
    assert gini(counts) == close(pairs)
    assert misclassification(counts) == close(error)


@quick
@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(0.01, 10)), min_size=1, max_size=8))
def test_variance_equals_its_twin(rows):
    total = sum(w for _, w in rows)
    mean = sum(w * v for v, w in rows) / total
    expected = sum(w * (v - mean) ** 2 for v, w in rows) / total
    values, weights = zip(*rows, strict=True)
    result = variance(values, sample_weight=weights)
    assert result == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert variance(values) == pytest.approx(np.var(values), rel=1e-9, abs=1e-9)


# ------------------------------------------------------------------ the worked numbers


PLAY_TENNIS = {
    "outlook": [0.246750, 1.577406, 0.156428, 0.342857, 0.285714],
    "temperature": [0.029223, 1.556657, 0.018773, 0.440476, 0.357143],
    "humidity": [0.151836, 1.000000, 0.151836, 0.367347, 0.285714],
    "windy": [0.048127, 0.985228, 0.048849, 0.428571, 0.357143],
}


@pytest.mark.parametrize("attribute", PLAY_TENNIS)
def test_play_tennis(attribute):
    X, y = load_play_tennis()
    gain, value, ratio, mean_gini, _ = PLAY_TENNIS[attribute]
    assert split_table(X, y).loc[attribute, COLUMNS[:-1]].to_list() == near(PLAY_TENNIS[attribute])
    assert information_gain(X[attribute], y) == near(gain)
    assert intrinsic_value(X[attribute]) == near(value)
    assert gain_ratio(X[attribute], y) == near(ratio)
    assert gini_index(X[attribute], y) == near(mean_gini)


def test_play_tennis_table():
    X, y = load_play_tennis()
    table = split_table(X, y)
    assert table.columns.to_list() == COLUMNS
    assert table.index.to_list() == list(PLAY_TENNIS)
    assert table["threshold"].isna().all()
    assert table.dtypes.eq(float).all()
    assert table["gain"].mean() == near(0.118984)
    assert entropy(y.value_counts(normalize=True)) == near(0.940286)


def test_row_number_beats_outlook_even_by_ratio():
    X, y = load_play_tennis()
    number = pd.Series(range(14))
    assert information_gain(number, y) == near(0.940286)
    assert intrinsic_value(number) == near(3.807355)
    assert gain_ratio(number, y) == near(0.246966)
    row = split_table(X.assign(number=number.astype(str)), y)["gain_ratio"]
    assert row.idxmax() == "number"


@pytest.mark.parametrize(
    ("outlook", "gains"),
    [
        ("sunny", {"temperature": 0.570951, "humidity": 0.970951, "windy": 0.019973}),
        ("rain", {"temperature": 0.019973, "humidity": 0.019973, "windy": 0.970951}),
    ],
)
def test_play_tennis_second_level(outlook, gains):
    X, y = load_play_tennis()
    here = X["outlook"] == outlook
    table = split_table(X[here], y[here])
    assert table["gain"].drop("outlook").to_dict() == near(gains)
    assert table.loc["outlook", ["gain", "intrinsic_value", "gain_ratio"]].to_list() == [0, 0, 0]


def test_restaurant():
    X, y = load_restaurant()
    table = split_table(X, y)
    gains = {"patrons": 0.540852, "est": 0.207519, "hungry": 0.195710, "price": 0.195710}
    gains |= {"fri": 0.020721, "rain": 0.020721, "res": 0.020721}
    assert table["gain"].to_dict() == near(gains | {"alt": 0, "bar": 0, "type": 0})
    assert (table.loc[["alt", "bar", "type"], "gain"] == 0).all()  # exactly: no rounding is left
    assert table.loc["patrons", ["gini", "misclassification"]].to_list() == near([2 / 9, 1 / 6])
    assert table.loc["type", ["gini", "misclassification"]].to_list() == near([0.5, 0.5])
    no_split = [y.value_counts().to_list()]
    assert (gini(*no_split), misclassification(*no_split)) == (0.5, 0.5)
    full = X["patrons"] == "full"
    gain = split_table(X[full], y[full])["gain"]
    assert (gain > 0.2516285).sum() == 5
    assert gain.max() == near(0.251629)


SPLITS = {"A": [[300, 100], [100, 300]], "B": [[200, 400], [200, 0]]}


@pytest.mark.parametrize(
    ("split", "error", "mean_gini", "bits"),
    [("A", 0.25, 0.375, 0.8113), ("B", 0.25, 0.3333, 0.6887)],
)
def test_impurity_example(split, error, mean_gini, bits):
    counts = np.array(SPLITS[split])
    x, y, weights = [0, 0, 1, 1], [0, 1, 0, 1], counts.ravel()
    row = split_table({"x": ["l", "l", "r", "r"]}, y, sample_weight=weights).loc["x"]
    assert row["misclassification"] == close(error)
    assert row["gini"] == pytest.approx(mean_gini, abs=5e-5)
    assert gini_index(x, y, sample_weight=weights) == close(row["gini"])
    assert 1 - information_gain(x, y, sample_weight=weights) == pytest.approx(bits, abs=5e-5)
    share = counts.sum(axis=1) / 800
    assert share @ gini(counts) == close(row["gini"])
    assert share @ misclassification(counts) == close(error)
    assert (gini([400, 400]), misclassification([400, 400])) == (0.5, 0.5)


def test_golf_with_an_unknown_outlook_as_in_quinlans_book():
    X, y = load_golf()
    case = X.astype(str).agg(" ".join, axis=1) == "overcast 72 90 true"
    assert case.sum() == 1
    X.loc[case, "outlook"] = None
    info = entropy(y[~case].value_counts(normalize=True))
    assert info == near(0.961237)
    assert info - information_gain(X["outlook"][~case], y[~case]) == near(0.746885)
    assert information_gain(X["outlook"], y) == near(0.199041)
    assert intrinsic_value(X["outlook"]) == near(1.809200)
    assert gain_ratio(X["outlook"], y) == near(0.110016)
    row = split_table(X, y).loc["outlook"]
    assert row.iloc[:3].to_list() == near([0.199041, 1.809200, 0.110016])
    assert row["gini"] == close(gini_index(X["outlook"][~case], y[~case]))


def test_golf_humidity_has_one_threshold_by_gain_and_another_by_ratio():
    X, y = load_golf()
    humidity = X["humidity"]
    cuts = sorted(set(humidity))[:-1]
    by_gain = {t: information_gain(humidity, y, threshold=t) for t in cuts}
    by_ratio = {t: gain_ratio(humidity, y, threshold=t) for t in cuts}
    best, ratio_best = max(by_gain, key=by_gain.get), max(by_ratio, key=by_ratio.get)
    assert (best, ratio_best) == (80, 65)
    assert by_gain[80] == pytest.approx(0.1022, abs=5e-5)
    assert by_ratio[65] == pytest.approx(0.1285, abs=5e-5)
    row = split_table(X, y).loc["humidity"]
    assert row["threshold"] == 82.5  # halfway from 80 to 85: the same split
    assert row["gain"] == close(by_gain[80])
    assert row["gain_ratio"] == close(by_ratio[80])
    assert row["gini"] == close(gini_index(humidity, y, threshold=80))
    assert intrinsic_value(humidity, threshold=80) == close(row["intrinsic_value"])
    assert information_gain(humidity, y) > by_gain[80]  # without a threshold: nine categories


# ------------------------------------------------------------------ theorems


@quick
@given(COUNTS)
def test_bounds_and_zeros_of_the_impurities(counts):
    k, pure = len(counts), sum(c > 0 for c in counts) == 1
    assert 0 <= misclassification(counts) <= gini(counts) + 1e-12 <= 1 - 1 / k + 2e-12
    assert (gini(counts) == 0) == (misclassification(counts) == 0) == pure
    scaled = np.array(counts) / sum(counts)
    assert gini(scaled) == close(gini(counts))
    assert misclassification(scaled * 1e-9) == close(misclassification(counts))


@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_even_classes_are_the_least_pure(k):
    assert gini([7] * k) == misclassification([7] * k) == close(1 - 1 / k)


def test_gini_is_the_chance_that_two_draws_differ():
    p, draws = [0.5, 0.3, 0.2], 200_000
    first, second = np.random.default_rng(0).choice(3, p=p, size=(2, draws))
    assert (first != second).mean() == pytest.approx(gini(p), abs=4 * 0.5 / math.sqrt(draws))
    unordered = p[0] * p[1] + p[0] * p[2] + p[1] * p[2]
    assert gini(p) == close(2 * unordered)


@quick
@given(rows_of(st.sampled_from(["red", "green", "blue"]), st.integers(1, 3)))
def test_gain_is_mutual_information(rows):
    x, y, weights = rows
    gain = information_gain(x, y, sample_weight=weights)
    joint = pd.crosstab(pd.Series(x), pd.Series(y), pd.Series(weights), aggfunc="sum").fillna(0)
    assert gain == close(mutual_information(joint / joint.to_numpy().sum()))
    assert gain == close(information_gain(y, x, sample_weight=weights))
    assert information_gain(x, y) == close(mutual_info_score(x, y) / math.log(2))
    assert 0 <= gain <= intrinsic_value(x, sample_weight=weights) + 1e-12
    assert 0 <= gain_ratio(x, y, sample_weight=weights) <= 1 + 1e-9
    counts = Counter()
    for label, weight in zip(y, weights, strict=True):
        counts[label] += weight
    assert gini_index(x, y, sample_weight=weights) <= gini(list(counts.values())) + 1e-12


@quick
@given(rows_of(WORDS), st.lists(NUMBERS, min_size=12, max_size=12))
def test_weights_equal_repetition(rows, numbers):
    x, y, weights = rows
    X = pd.DataFrame({"x": pd.Series(x, dtype=object), "n": numbers[: len(x)]})
    X["n"] = X["n"].astype(float).fillna(0.25)
    again = np.repeat(range(len(y)), weights)
    weighted = split_table(X, y, sample_weight=weights)
    repeated = split_table(X.iloc[again], np.array(y)[again])
    assert weighted.to_numpy().ravel().tolist() == close(repeated.to_numpy().ravel().tolist())
    values = X["n"].to_numpy()
    assert variance(values, sample_weight=weights) == close(variance(values[again]))


@quick
@given(rows_of(NUMBERS, st.floats(0.1, 10)))
def test_the_scale_of_the_weights_changes_nothing(rows):
    x, y, weights = rows
    frame = {"x": pd.Series(x, dtype=float)}
    row, tiny = (
        split_table(frame, y, sample_weight=np.array(weights) * scale).loc["x"].to_list()
        for scale in (1, 1e-9)
    )
    assert row == close(tiny)


def test_variance_does_not_change_when_the_values_are_shifted():
    values = np.random.default_rng(1).normal(size=100)
    assert variance(values + 1e6) == pytest.approx(variance(values), rel=1e-8)
    assert variance([3]) == variance([2, 9], sample_weight=[1, 0]) == 0


def test_best_cut_is_that_of_a_scikit_learn_stump():
    random = np.random.default_rng(2)
    X = random.normal(size=(300, 5)).astype(np.float32).astype(float)  # scikit-learn's precision
    weights = random.uniform(0.1, 3, 300)
    y = (X[:, 0] + X[:, 1] + random.normal(size=300) > 0).astype(int) + (X[:, 2] > 1)
    table = split_table(X, y, sample_weight=weights)
    for j, row in table.iterrows():
        stump = DecisionTreeClassifier(criterion="entropy", max_depth=1)
        tree = stump.fit(X[:, [j]], y, sample_weight=weights).tree_
        after = tree.weighted_n_node_samples[1:] @ tree.impurity[1:] / weights.sum()
        assert row["threshold"] == pytest.approx(tree.threshold[0], rel=1e-9)
        assert row["gain"] == close(tree.impurity[0] - after)


# ------------------------------------------------------------------ kinds of input


def test_every_kind_of_column_gives_the_same():
    X, y = load_play_tennis()
    word = X["humidity"].astype(str)
    kinds = [word, word.astype(object), word.astype("category"), word == "high"]
    kinds += [(word == "high").astype("boolean"), (word == "high").astype("Int64")]
    kinds += [kind.to_list() for kind in kinds] + [kind.to_numpy() for kind in kinds[:4]]
    kinds += [tuple(word), pd.Index(word), pd.Categorical(word)]
    for x in kinds:
        for label in (y, y.to_list(), y.to_numpy(), y == "yes", y.cat.codes):
            assert information_gain(x, label) == near(0.151836)
            assert intrinsic_value(x) == close(1)


@pytest.mark.parametrize("dtype", ["object", "str", "category", "boolean", "float", "Int64"])
def test_every_kind_of_missing_value(dtype):
    codes = [0, 0, 1, 1, None, 0, None, 1]
    words = {0: "a", 1: "b", None: None}
    if dtype in ("object", "str", "category"):
        x = pd.Series([words[code] for code in codes], dtype=dtype)
    else:
        x = pd.Series(codes, dtype=dtype)
    y = [0, 0, 1, 0, 1, 0, 1, 1]
    gain, value, ratio, *_ = naive_split(codes, y, [1] * 8)
    for same in (x, x.to_list(), x.to_numpy()):
        assert information_gain(same, y) == close(gain)
        assert intrinsic_value(same) == close(value)
        assert gain_ratio(same, y) == close(ratio)


def test_table_goes_by_dtype():
    y = [0, 0, 1, 1]
    frame = pd.DataFrame(
        {"int": [1, 2, 3, 4], "float": [1, 2, math.nan, 4], "bool": [True, False] * 2}
    )
    frame["word"], frame["digits"] = list("abca"), list("1234")
    frame["category"] = pd.Categorical([1, 2, 3, 4])
    frame["Int64"] = pd.array([None, 2, 3, 4], dtype="Int64")
    thresholds = split_table(frame, y)["threshold"].dropna().to_dict()
    assert thresholds == {"int": 2.5, "float": 3.0, "Int64": 2.5}
    assert split_table(np.arange(8).reshape(4, 2), y)["threshold"].to_list() == [3.0, 4.0]
    mixed = np.array([["a", 1], ["b", 2], ["a", 3], ["b", 4]], dtype=object)
    assert split_table(mixed, y)["threshold"].to_list() == close([math.nan, 2.5])


def test_rows_are_matched_by_position_and_nothing_is_changed():
    X, y = load_golf()
    before, table = X.copy(), split_table(X, y)
    shuffled = np.random.default_rng(3).permutation(14)
    moved = split_table(X.iloc[shuffled], y.to_numpy()[shuffled])
    assert moved.to_numpy().ravel().tolist() == close(table.to_numpy().ravel().tolist())
    other = y.set_axis(range(100, 114))
    pd.testing.assert_frame_equal(split_table(X, other), table)
    gain = information_gain(X["humidity"].set_axis(range(100, 114)), y, threshold=80)
    assert gain == table.loc["humidity", "gain"]
    pd.testing.assert_frame_equal(X, before)
    unused = X["outlook"].cat.add_categories(["snow"])
    assert information_gain(unused, y) == information_gain(X["outlook"], y)


@pytest.mark.parametrize(
    ("x", "y", "threshold"),
    [
        ([1, 2, 3, 4], [0, 1, 1, 0], 1.5),  # the first and the last cut are equally good
        ([1, 2, 3], [1, 1, 1], 1.5),  # nothing to gain anywhere: still the lowest
        ([1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 0, 1], 1.5),
        ([0, 1, 5, 9], [0, 0, 1, 1], 3.0),
        ([-1e308, 1e308], [0, 1], 0.0),  # no overflow
        ([1e308, 1.5e308], [0, 1], 1.25e308),
        ([1, np.nextafter(1, 2)], [0, 1], 1.0),  # no float in between
        ([np.nextafter(1, 0), 1], [0, 1], np.nextafter(1, 0)),
        ([0.0, 5e-324], [0, 1], 0.0),
    ],
)
def test_threshold(x, y, threshold):
    row = split_table({"x": x}, y).loc["x"]
    assert row["threshold"] == threshold
    assert row["gain"] == close(information_gain(x, y, threshold=threshold))


def test_cuts_that_differ_by_rounding_are_equally_good():
    x, y, weights = [1, 1, 2, 2, 3, 3, 4, 4], [0, 1] * 4, [2, 4, 3, 6, 3, 6, 2, 4]
    row = split_table({"x": x}, y, sample_weight=weights).loc["x"]
    assert (row["gain"], row["threshold"]) == (0, 1.5)  # a third of class 0 everywhere


def test_constant_attributes_gain_nothing():
    y = [0, 0, 1, 1, 1]
    table = split_table({"number": [5.0] * 5, "word": ["a"] * 5}, y)
    for _, row in table.iterrows():
        assert row.to_list() == close([0, 0, 0, 0.48, 0.4, math.nan])
    assert gain_ratio(["a"] * 5, y) == 0
    assert gain_ratio(["a"] * 4 + [None], y) == 0
    assert intrinsic_value(["a"] * 4 + [None]) == close(entropy([0.8, 0.2]))


def test_results_are_plain_floats():
    x, y = [1, 2, 2, None], ["a", "b", "b", "a"]
    results = [f(x, y) for f in OF_X_AND_Y] + [f(x, y, threshold=1) for f in OF_X_AND_Y]
    results += [intrinsic_value(x), gini([3, 1]), misclassification(np.array([3, 1]))]
    results += [variance([1, 2]), variance(pd.Series([1, 2]), sample_weight=pd.Series([1, 2]))]
    assert {type(result) for result in results} == {float}
    assert gini(pd.DataFrame(SPLITS["A"])).tolist() == [0.375, 0.375]


def test_public_names_are_documented_with_examples():
    for name in criteria.__all__:
        function = getattr(criteria, name)
        assert ">>>" in function.__doc__
        for parameter in inspect.signature(function).parameters.values():
            keyword = parameter.name in ("threshold", "sample_weight")
            assert (parameter.kind is parameter.KEYWORD_ONLY) == keyword


# ------------------------------------------------------------------ errors


@pytest.mark.parametrize("impurity", [gini, misclassification])
@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([], "counts is empty"),
        ([3, -1], "counts holds -1, expected no negative number"),
        ([0, 0], "counts must have a positive, finite total"),
        ([[1, 2], [0, 0]], "leave empty nodes out"),
        ([1e308, 1e308], "counts must have a positive, finite total"),
        ([1, math.nan], "counts holds nan"),
        (["a", "b"], "counts holds text"),
        (3, r"counts has shape \(\), expected at least 1-D"),
    ],
)
def test_bad_counts(impurity, counts, message):
    with pytest.raises(ValueError, match=f"{impurity.__name__}: .*{message}"):
        impurity(counts)


@pytest.mark.parametrize(
    ("values", "weights", "message"),
    [
        ([], None, "values is empty"),
        ([1, math.nan], None, "values holds nan"),
        ([[1, 2]], None, r"values has shape \(1, 2\), expected 1-D"),
        (["a"], None, "values holds text"),
        ([1, 2], [1], r"sample_weight has shape \(1,\), expected \(2,\)"),
        ([1, 2], [1, -1], "sample_weight holds -1, expected no negative number"),
        ([1, 2], [0, 0], "sample_weight must have a positive, finite total"),
    ],
)
def test_bad_values(values, weights, message):
    with pytest.raises(ValueError, match=f"variance: {message}"):
        variance(values, sample_weight=weights)


BAD_ROWS = [
    (["a", "b"], [0], {}, "x has 2 rows, y 1; give a label each"),
    ([], [], {}, r"x has shape \(0,\), expected a value per row"),
    (["a"], [], {}, r"y has shape \(0,\), expected a value per row"),
    ([[1, 2], [3, 4]], [0, 1], {}, r"x has shape \(2, 2\), expected a value per row"),
    (["a", "b"], [[0], [1]], {}, r"y has shape \(2, 1\), expected a value per row"),
    (3, [0], {}, r"x has shape \(\), expected a value per row"),
    ("outlook", [0], {}, "x is the name 'outlook'; give its values"),
    (["a"], "play", {}, "y is the name 'play'; give its values"),
    ([None, None], [0, 1], {}, "x is all missing; drop it or fill it"),
    ([None, "a"], [0, 1], {"sample_weight": [1, 0]}, "x is all missing"),
    (["a", "b"], [0, None], {}, "y has 1 missing labels; drop their rows"),
    (["a", "b"], ["no", math.nan], {}, "y has 1 missing labels"),
    (
        ["a", "b"],
        [0, 1],
        {"sample_weight": [1]},
        r"sample_weight has shape \(1,\), expected \(2,\)",
    ),
    (["a", "b"], [0, 1], {"sample_weight": [1, -2]}, "sample_weight holds -2"),
    (["a", "b"], [0, 1], {"sample_weight": [1, math.nan]}, "sample_weight holds nan"),
    (["a", "b"], [0, 1], {"sample_weight": [0, 0]}, "sample_weight must have a positive"),
    (["a", "b"], [0, 1], {"sample_weight": ["c", "d"]}, "sample_weight holds text"),
    (["a", "b"], [0, 1], {"threshold": 1}, "x holds str, expected numbers; give no threshold"),
    ([1, 2], [0, 1], {"threshold": "1"}, "threshold is '1', expected a number"),
    ([1, 2], [0, 1], {"threshold": math.nan}, "threshold is nan, expected a number"),
    ([1, math.inf], [0, 1], {"threshold": 1}, "x holds infinity; drop or fill it"),
]


@pytest.mark.parametrize("function", OF_X_AND_Y)
@pytest.mark.parametrize(("x", "y", "options", "message"), BAD_ROWS)
def test_bad_rows(function, x, y, options, message):
    with pytest.raises(ValueError, match=f"^{function.__name__}: {message}"):
        function(x, y, **options)


@pytest.mark.parametrize(
    ("x", "options", "message"),
    [(x, options, message) for x, _, options, message in BAD_ROWS if message.startswith("x is")]
    + [([], {}, r"x has shape \(0,\)"), ([1, 2], {"threshold": "1"}, "threshold is '1'")],
)
def test_bad_x_of_intrinsic_value(x, options, message):
    with pytest.raises(ValueError, match=f"^intrinsic_value: {message}"):
        intrinsic_value(x, **options)


@pytest.mark.parametrize(
    ("X", "y", "options", "message"),
    [
        ({"a": [1, 2]}, [0], {}, "column 'a' has 2 rows, y 1; give a label each"),
        ({}, [], {}, r"X has shape \(0, 0\); give at least one row and column"),
        ({"a": []}, [], {}, r"X has shape \(0, 1\)"),
        (pd.DataFrame(index=[0, 1]), [0, 1], {}, r"X has shape \(2, 0\)"),
        (
            {"b": [1, 2], "age": [None, math.nan]},
            [0, 1],
            {},
            "column 'age' is all missing; drop it",
        ),
        ({"age": [math.nan, math.nan]}, [0, 1], {}, "column 'age' is all missing"),
        ({"age": [1, math.inf]}, [0, 1], {}, "column 'age' holds infinity; drop or fill it"),
        ({"age": [1, 2]}, [0, None], {}, "y has 1 missing labels"),
        ({"age": [1, 2]}, "play", {}, "y is the name 'play'; give its values"),
        ({"age": [1, 2]}, [0, 1], {"sample_weight": [1, -1]}, "sample_weight holds -1"),
        ({"age": [1, 2]}, [0, 1], {"sample_weight": [1, 1, 1]}, r"sample_weight has shape \(3,\)"),
    ],
)
def test_bad_tables(X, y, options, message):
    with pytest.raises(ValueError, match=f"^split_table: {message}"):
        split_table(X, y, **options)
