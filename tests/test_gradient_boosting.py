"""Gradient boosting: Friedman's pseudocode, AdaBoost, scikit-learn, bins, stages, stopping."""

import pickle
from itertools import pairwise
from math import exp, log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import ensemble
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from mlcourse import GradientBoostingClassifier, GradientBoostingRegressor, Tree, make_twonorm
from mlcourse.binning import BinnedSplitter, bin_column, whole_numbers
from mlcourse.columns import Columns
from mlcourse.stack import Stack

settings.register_profile("boosting", derandomize=True, deadline=None, max_examples=15)
settings.load_profile("boosting")

REGRESSION = ("squared_error", "absolute_error", "huber", "quantile")
MODELS = [GradientBoostingRegressor, GradientBoostingClassifier]
both = pytest.mark.parametrize("Model", MODELS, ids=lambda Model: Model.__name__)
bins = pytest.mark.parametrize("max_bins", [256, None], ids=["binned", "exact"])


def numbers(n=200, seed=0, d=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, 0] + np.sin(3 * X[:, 1]) + X[:, 2] ** 2 / 2 + rng.normal(size=n) / 2


def classes(n=200, seed=0, K=2):
    X, y = numbers(n, seed)
    return X, np.searchsorted(np.quantile(y, np.arange(1, K) / K), y)


def data_for(Model, n=200, seed=0):
    return numbers(n, seed) if Model is GradientBoostingRegressor else classes(n, seed)


# ---- the naive twin: Friedman's pseudocode in loops ----------------------------------------------
def naive_split(X, r, rows):
    """Return (column, threshold) that lowers the squared error most; ties: the first."""

    def error(part):
        mean = sum(r[i] for i in part) / len(part)
        return sum((r[i] - mean) ** 2 for i in part)

    whole, found = error(rows), None
    if len({r[i] for i in rows}) == 1:
        return None
    for j in range(X.shape[1]):
        values = sorted({X[i, j] for i in rows})
        for low, high in pairwise(values):
            cut = low + (high - low) / 2
            left, right = [i for i in rows if X[i, j] <= cut], [i for i in rows if X[i, j] > cut]
            gain = whole - error(left) - error(right)
            if found is None or gain > found[0] + 1e-9 * whole:
                found = gain, j, cut
    return found and found[1:]


def naive_leaves(X, r, rows, depth):
    """Return the leaves of a regression tree as lists of rows."""
    split = naive_split(X, r, rows) if depth else None
    if split is None:
        return [rows]
    j, cut = split
    sides = [i for i in rows if X[i, j] <= cut], [i for i in rows if X[i, j] > cut]
    return [leaf for side in sides for leaf in naive_leaves(X, r, side, depth - 1)]


def naive_quantile(values, alpha):
    values = sorted(values)
    place = alpha * len(values)
    if abs(place - round(place)) < 1e-9:
        return (values[round(place) - 1] + values[min(round(place), len(values) - 1)]) / 2
    return values[int(place)]


def naive_regression(X, y, loss, rounds, rate, depth, alpha):
    """Return F_M at the training rows."""
    n = len(y)
    start = {"squared_error": sum(y) / n, "quantile": naive_quantile(y, alpha)}
    F = [start.get(loss, naive_quantile(y, 0.5))] * n
    for _ in range(rounds):
        away = [y[i] - F[i] for i in range(n)]
        delta = naive_quantile([abs(a) for a in away], alpha)
        gradient = {
            "squared_error": lambda a: a,
            "absolute_error": lambda a: (a > 0) - (a < 0),
            "quantile": lambda a: alpha if a > 0 else alpha - 1,
            "huber": lambda a, delta=delta: max(-delta, min(delta, a)),
        }[loss]
        for leaf in naive_leaves(X, [gradient(a) for a in away], list(range(n)), depth):
            mine = [away[i] for i in leaf]
            middle = naive_quantile(mine, 0.5)
            step = {
                "squared_error": sum(mine) / len(mine),
                "absolute_error": middle,
                "quantile": naive_quantile(mine, alpha),
                "huber": middle
                + sum(max(-delta, min(delta, a - middle)) for a in mine) / len(mine),
            }[loss]
            for i in leaf:
                F[i] += rate * step
    return F


def naive_classification(X, y, loss, rounds, rate, depth):
    """Return F_M at the training rows: (n,) for two classes, (n, K) for more."""
    n, K = len(y), max(y) + 1
    share = [sum(label == k for label in y) / n for k in range(K)]
    if K > 2:
        middle = sum(map(log, share)) / K
        F = [[log(s) - middle for s in share] for _ in y]
        for _ in range(rounds):
            power = [[exp(f) for f in row] for row in F]
            p = [[e / sum(row) for e in row] for row in power]
            for k in range(K):
                r = [(y[i] == k) - p[i][k] for i in range(n)]
                for leaf in naive_leaves(X, r, list(range(n)), depth):
                    below = sum(abs(r[i]) * (1 - abs(r[i])) for i in leaf)
                    for i in leaf:
                        F[i][k] += rate * (K - 1) / K * sum(r[j] for j in leaf) / below
        return F
    sign = [1 if label else -1 for label in y]
    half = loss == "exponential"
    F = [log(share[1] / share[0]) / (2 if half else 1)] * n
    for _ in range(rounds):
        r = [s * exp(-s * f) if half else (s > 0) - 1 / (1 + exp(-f))
             for s, f in zip(sign, F, strict=True)]  # fmt: skip
        for leaf in naive_leaves(X, r, list(range(n)), depth):
            if half:
                plus = sum(r[i] for i in leaf if r[i] > 0)
                minus = sum(-r[i] for i in leaf if r[i] < 0)
                least = (plus + minus) / 10_000
                step = log(max(plus, least) / max(minus, least)) / 2
            else:
                step = sum(r[i] for i in leaf) / sum(abs(r[i]) * (1 - abs(r[i])) for i in leaf)
            for i in leaf:
                F[i] += rate * step
    return F


SMALL = {"n_estimators": 4, "learning_rate": 0.5, "max_depth": 2}


@bins
@pytest.mark.parametrize("loss", REGRESSION)
@given(seed=st.integers(0, 10_000))
def test_regression_is_friedmans_pseudocode(loss, max_bins, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (30, 3)).astype(float), rng.normal(size=30)
    model = GradientBoostingRegressor(loss=loss, max_bins=max_bins, alpha=0.8, **SMALL)
    expected = naive_regression(X, y.tolist(), loss, 4, 0.5, 2, 0.8)
    assert model.fit(X, y).predict(X) == pytest.approx(expected, abs=1e-9)


@bins
@pytest.mark.parametrize(("loss", "K"), [("log_loss", 2), ("exponential", 2), ("log_loss", 3)])
@given(seed=st.integers(0, 10_000))
def test_classification_is_friedmans_pseudocode(loss, K, max_bins, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (30, 3)).astype(float), rng.integers(0, K, 30)
    y[:K] = np.arange(K)
    model = GradientBoostingClassifier(loss=loss, max_bins=max_bins, **SMALL).fit(X, y)
    expected = naive_classification(X, y.tolist(), loss, 4, 0.5, 2)
    assert model.decision_function(X) == pytest.approx(np.array(expected), abs=1e-9)


# ---- AdaBoost ------------------------------------------------------------------------------------
def naive_adaboost(X, y, rounds):
    """Return (alpha, h) of each round: stumps of least weighted error, y = ±1."""
    n = len(y)
    w, found = np.full(n, 1 / n), []
    for _ in range(rounds):
        best = None
        for j in range(X.shape[1]):
            values = np.unique(X[:, j])
            for low, high in pairwise(values):
                right = X[:, j] > low + (high - low) / 2
                votes = [1 if w[side] @ y[side] > 1e-12 else -1 for side in (~right, right)]
                h = np.where(right, votes[1], votes[0])
                epsilon = w[h != y].sum()
                if best is None or epsilon < best[0] - 1e-10:
                    best = epsilon, h
        epsilon, h = best
        alpha = np.log((1 - epsilon) / epsilon) / 2
        w = w * np.exp(-alpha * y * h)
        w /= w.sum()
        found.append((alpha, h))
    return found


ADABOOST = {"loss": "exponential", "criterion": "misclassification", "init": "zero",
            "learning_rate": 1.0, "max_depth": 1}  # fmt: skip


@bins
@pytest.mark.parametrize("seed", range(4))
def test_exponential_loss_with_stumps_of_signs_is_adaboost(max_bins, seed):
    X, y = classes(60, seed)
    model = GradientBoostingClassifier(n_estimators=12, max_bins=max_bins, **ADABOOST).fit(X, y)
    F = np.zeros(len(y))
    for tree, (alpha, h), stage in zip(
        model.estimators_[:, 0],
        naive_adaboost(X, 2 * y - 1, 12),
        model.staged_decision_function(X),
        strict=True,
    ):
        F += alpha * h
        assert np.abs(tree.value[tree.is_leaf]) == pytest.approx(alpha)
        assert stage == pytest.approx(F)


@bins
def test_the_ten_points_of_li_hang(max_bins):
    y = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])
    X = np.arange(10.0)[:, None]
    model = GradientBoostingClassifier(n_estimators=3, max_bins=max_bins, **ADABOOST).fit(X, y)
    trees = model.estimators_[:, 0]
    assert [tree.threshold[0] for tree in trees] == [2.5, 8.5, 5.5]
    alphas = [abs(tree.value[1, 0]) for tree in trees]
    assert alphas == pytest.approx([0.423649, 0.649641, 0.752039], abs=1e-6)
    assert [(p != y).sum() for p in model.staged_predict(X)] == [3, 3, 0]
    assert model.train_score_[-1] == pytest.approx(0.580193, abs=1e-6)  # ΠZ


@bins
def test_one_step_for_all_leaves_lowers_log_loss_too(max_bins):
    X, y = classes(150)
    model = GradientBoostingClassifier(criterion="misclassification", max_bins=max_bins).fit(X, y)
    for tree in model.estimators_[:, 0]:
        assert np.ptp(np.abs(tree.value[tree.is_leaf])) == pytest.approx(0, abs=1e-12)
    assert (np.diff(model.train_score_) < 0).all() and model.score(X, y) > 0.9


# ---- scikit-learn --------------------------------------------------------------------------------
@pytest.mark.parametrize("loss", REGRESSION)
def test_agrees_with_scikit_learn_in_regression(loss):
    X, y = numbers(301)
    options = {"loss": loss, "n_estimators": 20, "alpha": 0.8, "min_samples_leaf": 10}
    ours = GradientBoostingRegressor(max_bins=None, **options).fit(X, y)
    peer = ensemble.GradientBoostingRegressor(random_state=0, **options).fit(X, y)
    if loss == "squared_error":
        assert ours.predict(X) == pytest.approx(peer.predict(X), abs=1e-9)
        assert 2 * ours.train_score_ == pytest.approx(peer.train_score_)
        assert ours.feature_importances_ == pytest.approx(peer.feature_importances_, abs=1e-9)
        for tree, (estimator,) in zip(ours.estimators_[:, 0], peer.estimators_, strict=True):
            inner = ~tree.is_leaf
            assert tree.feature[inner].tolist() == estimator.tree_.feature[inner].tolist()
    else:  # signs tie more often, and then the trees differ
        difference = np.abs(ours.predict(X) - peer.predict(X)).mean()
        assert difference < 0.25 * np.std(y)
        cost = [ours.loss_.mean(y, model.predict(X)) for model in (ours, peer)]
        assert cost[0] < 1.1 * cost[1]


@pytest.mark.parametrize(("loss", "K"), [("log_loss", 2), ("log_loss", 3)])
def test_agrees_with_scikit_learn_in_classification(loss, K):
    X, y = classes(601, K=K)
    options = {"loss": loss, "n_estimators": 10, "min_samples_leaf": 20}
    ours = GradientBoostingClassifier(max_bins=None, **options).fit(X, y)
    peer = ensemble.GradientBoostingClassifier(random_state=0, **options).fit(X, y)
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X), abs=1e-9)


@both
def test_binned_is_as_good_as_scikit_learns_histograms(Model):
    X, y = data_for(Model, 3000)
    test = data_for(Model, 3000, seed=1)
    peer = getattr(ensemble, "Hist" + Model.__name__)(max_depth=3, early_stopping=False)
    assert Model().fit(X, y).score(*test) > peer.fit(X, y).score(*test) - 0.01
    coarse = Model(max_bins=16).fit(X, y)
    assert coarse.score(*test) > 0.7
    assert max(len(np.unique(t.threshold[t.feature == 0])) for t in coarse.estimators_.flat) < 16


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@both
@bins
def test_check_estimator(Model, max_bins):
    results = check_estimator(Model(n_estimators=20, max_bins=max_bins), on_fail=None)
    assert [r["check_name"] for r in results if r["status"] == "failed"] == []


# ---- bins ----------------------------------------------------------------------------------------
@given(
    st.lists(st.floats(-1e6, 1e6) | st.integers(0, 4).map(float), min_size=1, max_size=60),
    st.integers(2, 20),
)
def test_a_bin_is_what_lies_between_two_edges(values, max_bins):
    values = np.array(values)
    code, edges = bin_column(values, max_bins)
    assert code.tolist() == np.searchsorted(edges, values).tolist()
    assert (np.diff(edges) > 0).all() and len(edges) < max_bins
    if len(np.unique(values)) <= max_bins:
        assert len(edges) == len(np.unique(values)) - 1


def test_bins_hold_about_equally_many_rows():
    code, _ = bin_column(np.random.default_rng(0).exponential(size=10_000), 100)
    assert np.ptp(np.bincount(code)) == 0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("heavy", [False, True])
def test_tables_add_up_whole_numbers_exactly(weighted, heavy):
    rng = np.random.default_rng(0)
    values, residual = rng.normal(size=(3, 500)), rng.normal(size=500)
    if heavy:
        residual[0] = 1e12  # leaves no digits for a count beside the sum
    weight = rng.integers(1, 4, 500).astype(float) if weighted else None
    columns = Columns(values, ("a", "b", "c"), (None,) * 3)
    splitter = BinnedSplitter(
        columns, weight, max_bins=16, min_samples_leaf=1, criterion="variance"
    )
    splitter.start(residual)
    assert (splitter.room is not None) == (not weighted and not heavy)
    rows, size = rng.permutation(500)[:300], np.array([120, 180])
    packed = splitter.table(rows, size)
    table = np.stack(splitter.unpacked(packed.swapaxes(0, 1)), axis=1)
    for node, mine in enumerate(np.split(rows, [120])):
        for j in range(3):
            for b in range(16):
                here = mine[splitter.codes[j, mine] == b]
                w = 1 if weight is None else weight[here]
                assert table[node, 1, j, b] == len(here)
                total = table[node, 0, j, b] * splitter.unit
                assert total == pytest.approx((w * residual[here]).sum(), abs=500 * splitter.unit)
    whole = splitter.root_table()[0]
    rest = np.setdiff1d(np.arange(500), rows)
    others = splitter.table(rest, np.array([len(rest)]))[0]
    assert (whole - packed.sum(axis=0) == others).all()


def test_whole_numbers_are_whole_and_close():
    values = np.array([0.1, -3.7, 1e-3])
    whole, unit = whole_numbers(values, 52)
    assert (whole == np.rint(whole)).all() and np.abs(whole).sum() <= 2**52
    assert whole * unit == pytest.approx(values, abs=1e-14)
    assert whole_numbers(np.zeros(2), 52)[0].tolist() == [0, 0]


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_outliers_and_shifts_do_not_blur_the_bins(shift):
    X, y = numbers(400)
    X = X.round(1)
    y[0] += 1e7
    y = y + shift
    options = {"n_estimators": 5, "learning_rate": 1.0}
    binned = GradientBoostingRegressor(**options).fit(X, y)
    exact = GradientBoostingRegressor(max_bins=None, **options).fit(X, y)
    assert binned.predict(X) == pytest.approx(exact.predict(X), abs=1e-6 * np.ptp(y) / 100)


# ---- the sum and its stages ----------------------------------------------------------------------
@both
@bins
@pytest.mark.parametrize("subsample", [1.0, 0.6])
def test_predictions_are_the_start_plus_the_shrunken_trees(Model, max_bins, subsample):
    X, y = data_for(Model)
    model = Model(n_estimators=12, max_bins=max_bins, subsample=subsample, random_state=0).fit(X, y)
    new = numbers(50, seed=3)[0]
    F = np.full(50, model.initial_)
    for (tree,) in model.estimators_:
        assert isinstance(tree, Tree)
        F += model.learning_rate * tree.value[tree.apply(new.T), 0]
    raw = model.predict(new) if Model is MODELS[0] else model.decision_function(new)
    assert raw == pytest.approx(F)
    loss = model.loss_.mean(y, model.predict(X) if Model is MODELS[0] else model._scores(X))
    assert model.train_score_[-1] == pytest.approx(loss)


@pytest.mark.parametrize("K", [2, 3])
def test_stages_end_in_the_prediction(K):
    X, y = classes(K=K)
    model = GradientBoostingClassifier(n_estimators=8).fit(X, np.array(["a", "b", "c"])[y])
    assert model.estimators_.shape == (8, 1 if K == 2 else 3)
    for stages, last in [
        (model.staged_decision_function, model.decision_function(X)),
        (model.staged_predict, model.predict(X)),
        (model.staged_predict_proba, model.predict_proba(X)),
    ]:
        found = list(stages(X))
        assert len(found) == 8 and (found[-1] == last).all()
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
    assert (model.classes_[model.predict_proba(X).argmax(axis=1)] == model.predict(X)).all()
    few = GradientBoostingClassifier(n_estimators=3).fit(X, y)
    assert (few.predict_proba(X) == list(model.staged_predict_proba(X))[2]).all()


@both
def test_training_loss_falls_and_a_small_rate_falls_slower(Model):
    X, y = data_for(Model)
    fast, slow = (Model(n_estimators=20, learning_rate=rate).fit(X, y) for rate in (0.3, 0.03))
    assert (np.diff(fast.train_score_) < 0).all() and (np.diff(slow.train_score_) < 0).all()
    assert fast.train_score_[-1] < slow.train_score_[-1]


def test_a_stack_of_trees_answers_like_the_trees():
    X, y = numbers()
    trees = GradientBoostingRegressor(n_estimators=5, min_samples_leaf=40).fit(X, y).estimators_
    constant = GradientBoostingRegressor(n_estimators=1).fit(X, np.ones(200)).estimators_
    trees = [*trees[:, 0], constant[0, 0]]
    assert trees[-1].n_nodes == 1
    expected = [tree.value[tree.apply(X.T), 0] for tree in trees]
    assert (Stack(trees).answers(X.T) == expected).all()


@both
@bins
def test_limits_of_the_trees_hold(Model, max_bins):
    X, y = data_for(Model)
    options = {"n_estimators": 4, "max_bins": max_bins}
    for tree in Model(max_leaf_nodes=5, max_depth=None, **options).fit(X, y).estimators_.flat:
        assert tree.n_leaves == 5
    for tree in Model(min_samples_leaf=30, **options).fit(X, y).estimators_.flat:
        assert tree.count[tree.is_leaf].min() >= 30
    for tree in Model(min_samples_split=90, **options).fit(X, y).estimators_.flat:
        assert tree.count[~tree.is_leaf].min() >= 90
    for tree in Model(subsample=0.5, **options).fit(X, y).estimators_.flat:
        assert tree.count[0] == 100


def test_best_first_trees_agree_on_bins_and_exactly():
    X, y = numbers(150)
    options = {"n_estimators": 6, "max_leaf_nodes": 4, "max_depth": None}
    exact, binned = (
        GradientBoostingRegressor(max_bins=b, **options).fit(X, y) for b in (None, 256)
    )
    assert binned.predict(X) == pytest.approx(exact.predict(X))


def test_quantile_loss_finds_the_quantile():
    rng = np.random.default_rng(0)
    X = rng.random((2000, 1))
    y = X[:, 0] + rng.exponential(size=2000)
    for alpha in (0.1, 0.5, 0.9):
        model = GradientBoostingRegressor(loss="quantile", alpha=alpha, n_estimators=50).fit(X, y)
        assert (y <= model.predict(X)).mean() == pytest.approx(alpha, abs=0.02)


def test_robust_losses_shrug_off_outliers():
    X, y = numbers(600)
    dirty = y.copy()
    dirty[::20] += 100
    error = {}
    for loss in ("squared_error", "absolute_error", "huber"):
        model = GradientBoostingRegressor(loss=loss, n_estimators=60).fit(X, dirty)
        error[loss] = np.median(np.abs(model.predict(X) - y))
    assert error["absolute_error"] < error["squared_error"] / 2
    assert error["huber"] < error["squared_error"] / 2


# ---- rows, weights, stopping ---------------------------------------------------------------------
@bins
@pytest.mark.parametrize(
    ("Model", "loss"), [(Model, loss) for Model in MODELS for loss in Model._losses]
)
def test_a_weight_counts_like_repetitions(Model, loss, max_bins):
    X, y = data_for(Model, 80)
    weight = np.random.default_rng(0).integers(0, 4, 80)
    options = {"loss": loss, "n_estimators": 5, "max_bins": max_bins}
    weighted = Model(**options).fit(X, y, sample_weight=weight)
    again = np.repeat(np.arange(80), weight)
    repeated = Model(**options).fit(X[again], y[again])
    assert weighted._scores(X[again]) == pytest.approx(repeated._scores(X[again]))
    plain, ones = Model(**options).fit(X, y), Model(**options).fit(X, y, np.ones(80))
    assert (plain._scores(X) == ones._scores(X)).all()


@both
@bins
def test_same_seed_same_bits(Model, max_bins):
    X, y = data_for(Model)
    options = {"n_estimators": 6, "subsample": 0.5, "max_bins": max_bins}
    first, second, other = (
        Model(random_state=seed, **options).fit(X, y)._scores(X) for seed in (1, 1, 2)
    )
    assert (first == second).all() and (first != other).any()


@both
def test_early_stopping_stops_when_the_held_out_loss_does(Model):
    X, y = data_for(Model, 300)
    rng = np.random.default_rng(0)
    y = rng.permutation(y)  # nothing to learn
    options = {"n_estimators": 200, "n_iter_no_change": 5, "random_state": 0}
    model = Model(**options).fit(X, y)
    assert 6 <= model.n_estimators_ == len(model.estimators_) < 60
    assert len(model.validation_score_) == len(model.train_score_) == model.n_estimators_
    scores = model.validation_score_
    assert scores[-1] + model.tol >= scores[-6:-1].max()
    assert all(scores[t] + model.tol < scores[t - 5 : t].max() for t in range(5, len(scores) - 1))
    never = Model(n_estimators=20).fit(X, y)
    assert never.n_estimators_ == 20 and len(never.validation_score_) == 0


def test_held_out_rows_are_not_trained_on():
    X, y = classes(200)
    model = GradientBoostingClassifier(n_iter_no_change=3, validation_fraction=0.25).fit(X, y)
    assert model.estimators_[0, 0].count[0] == 150
    weight = np.ones(200)
    weight[:40] = 0
    model.fit(X, y, weight)
    assert model.estimators_[0, 0].count[0] == 120


# ---- conventions ---------------------------------------------------------------------------------
@both
def test_works_in_pipelines_searches_and_pickles(Model):
    X, y = data_for(Model, 120)
    pipe = make_pipeline(StandardScaler(), Model(n_estimators=5)).fit(X, y)
    again = pickle.loads(pickle.dumps(pipe))
    assert (again.predict(X) == pipe.predict(X)).all()
    search = GridSearchCV(Model(n_estimators=5), {"max_depth": [1, 2], "loss": Model._losses}, cv=2)
    assert search.fit(X, y).best_params_["max_depth"] in (1, 2)
    assert len(cross_val_score(Model(n_estimators=5), X, y, cv=3)) == 3


def test_frames_keep_their_names_and_exact_trees_take_categories():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"size": rng.random(120), "color": pd.Categorical(rng.choice(list("rgb"), 120))}
    )
    y = (table["color"] == "g") * 3.0 + table["size"]
    model = GradientBoostingRegressor(max_bins=None).fit(table, y)
    assert model.score(table, y) > 0.99
    assert model.feature_importances_.argmax() == 1
    assert "color in {b, r}" in model.estimators_[0, 0].to_text()
    stages = list(model.staged_predict(table))
    assert (stages[-1] == model.predict(table)).all()
    with pytest.raises(ValueError, match=r"column 'color' holds categories.*max_bins=None"):
        GradientBoostingRegressor().fit(table, y)


def test_two_norm_is_learnt():
    X, y = make_twonorm(600, random_state=0)
    model = GradientBoostingClassifier().fit(X, y)
    assert model.score(*make_twonorm(2000, random_state=1)) > 0.92


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"loss": "hinge"}, r"loss is 'hinge', expected one of \['log_loss', 'exponential'\]"),
        ({"learning_rate": 0}, "learning_rate is 0, expected a number above 0"),
        ({"n_estimators": 2.5}, "n_estimators is 2.5, expected a whole number ≥ 1"),
        ({"subsample": 1.2}, "subsample is 1.2, expected a number above 0 and at most 1"),
        ({"criterion": "gini"}, r"criterion is 'gini', expected one of \['squared_error'"),
        ({"max_depth": 0}, "max_depth is 0, expected None or a whole number ≥ 1"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes is 1, expected None or a whole number ≥ 2"),
        ({"min_samples_leaf": None}, "min_samples_leaf is None, expected a whole number ≥ 1"),
        ({"min_samples_split": 1}, "min_samples_split is 1, expected a whole number ≥ 2"),
        ({"init": "one"}, "init is 'one', expected None or 'zero'"),
        ({"n_iter_no_change": 0}, "n_iter_no_change is 0, expected None or"),
        ({"validation_fraction": 1}, "validation_fraction is 1, expected a number above 0"),
        ({"tol": -1}, "tol is -1, expected a number ≥ 0"),
        ({"max_bins": 257}, "max_bins is 257, expected None or 2 to 256"),
        ({"max_depth": 11}, "binned trees have at most 10 levels.*max_bins=None"),
        ({"max_depth": None}, "binned trees have at most 10 levels"),
    ],
)
def test_bad_parameters_get_a_sentence(options, message):
    with pytest.raises(ValueError, match="GradientBoostingClassifier: " + message):
        GradientBoostingClassifier(**options).fit(*classes(20))


def test_bad_data_gets_a_sentence():
    X, y = classes(30, K=3)
    with pytest.raises(ValueError, match="'exponential' is for two classes, y has 3"):
        GradientBoostingClassifier(loss="exponential").fit(X, y)
    with pytest.raises(ValueError, match="'misclassification' is for two classes"):
        GradientBoostingClassifier(criterion="misclassification").fit(X, y)
    with pytest.raises(ValueError, match="alpha is 1, expected a number above 0 and below 1"):
        GradientBoostingRegressor(loss="quantile", alpha=1).fit(X, y)
    with pytest.raises(ValueError, match="y has one class only, '7'"):
        GradientBoostingClassifier().fit(X, np.full(30, 7))
    with pytest.raises(ValueError, match="sample_weight has negative entries"):
        GradientBoostingRegressor().fit(X, y, -np.ones(30))
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        GradientBoostingRegressor().fit(X, y)
