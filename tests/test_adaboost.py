"""AdaBoost: the lecture's numbers, a naive twin, the stops, K classes, soft margins."""

import pickle
import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier as Peer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from mlcourse import (
    AdaBoostClassifier,
    CARTClassifier,
    DecisionStump,
    load_play_tennis,
    make_nested_spheres,
    make_ringnorm,
    make_twonorm,
    make_waveform,
    three_learner_boost,
)

LINE = np.arange(10.0)[:, None]  # Li Hang, example 8.1
SIGNS = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])
quick = settings(derandomize=True, deadline=None, max_examples=60)


# ---- The numbers of the lecture ------------------------------------------------------------------
def test_ten_points_on_a_line():
    model = AdaBoostClassifier(n_estimators=3).fit(LINE, SIGNS)
    assert [h.tree_.threshold[0] for h in model.estimators_] == [2.5, 8.5, 5.5]
    assert model.errors_ == pytest.approx([0.3, 0.214286, 0.181818], abs=1e-6)
    assert model.alphas_ == pytest.approx([0.423649, 0.649641, 0.752039], abs=1e-6)
    assert model.normalizers_ == pytest.approx(2 * np.sqrt(model.errors_ * (1 - model.errors_)))
    assert [round(10 * (1 - s)) for s in model.staged_score(LINE, SIGNS)] == [3, 3, 0]
    assert model.training_error_bound_[-1] == pytest.approx(0.580193, abs=1e-6)
    loss = np.exp(-SIGNS * model.decision_function(LINE)).mean()
    assert loss == pytest.approx(model.training_error_bound_[-1], rel=1e-12)
    assert model.weights_[0] == pytest.approx(np.full(10, 0.1))
    wrong = [6, 7, 8]  # 1/(2 · .3) and 1/(2 · .7) as much as before
    assert model.weights_[1][wrong] == pytest.approx(np.full(3, 1 / 6))
    assert np.delete(model.weights_[1], wrong) == pytest.approx(np.full(7, 1 / 14))
    assert model.stop_reason_ == "all 3 rounds were run"


def test_freund_and_schapires_ten_points_three_disjoint_error_triples():
    y = np.array([1, -1] * 5)
    X = np.repeat(y[:, None], 3, axis=1)
    for column, triple in enumerate([[0, 1, 2], [3, 4, 5], [6, 7, 8]]):
        X[triple, column] *= -1
    model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    assert [h.tree_.feature[0] for h in model.estimators_] == [0, 1, 2]
    assert model.errors_ == pytest.approx([0.3, 3 / 14, 3 / 22])
    assert model.alphas_ == pytest.approx([0.423649, 0.649641, 0.922913], abs=1e-6)
    assert model.normalizers_ == pytest.approx([0.916515, 0.820652, 0.686349], abs=1e-6)


def test_alpha_above_one_needs_an_error_below_1_over_1_plus_e_squared():
    assert 0.5 * np.log((1 - 0.1192) / 0.1192) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("seed", [0, 1])
def test_nested_spheres(seed):
    X, y = make_nested_spheres(2000, random_state=seed)
    X_new, y_new = make_nested_spheres(10_000, random_state=1000 + seed)
    model = AdaBoostClassifier(n_estimators=400, store_weights=False).fit(X, y)
    errors = [1 - score for score in model.staged_score(X_new, y_new)]
    assert 0.45 <= errors[0] <= 0.47  # over ten seeds: 45.5–46.2 %
    assert 0.113 <= errors[-1] <= 0.146  # 11.7–14.2 %
    assert 0.053 <= 1 - model.score(X, y) <= 0.085  # 5.7–8.1 %
    assert model.weights_ is None


# ---- The naive twin ------------------------------------------------------------------------------
def naive_majority(counts):
    return next(k for k, count in enumerate(counts) if count >= max(counts) * (1 - 1e-10))


def naive_stump(X, y, w, n_classes):
    """Every column, every cut, the majority on both sides; a pass over the rows for each."""
    found = []
    for j in range(X.shape[1]):
        values = sorted(set(X[:, j]))
        for low, high in pairwise(values):
            sides = [[0.0] * n_classes, [0.0] * n_classes]
            for i in range(len(y)):
                sides[int(X[i, j] > low)][y[i]] += w[i]
            error = sum(sum(side) - max(side) for side in sides)
            found.append((error, j, low + (high - low) / 2, [naive_majority(s) for s in sides]))
    if not found:
        counts = [sum(w[i] for i in range(len(y)) if y[i] == k) for k in range(n_classes)]
        return 0, np.inf, [naive_majority(counts)] * 2
    least = min(stump[0] for stump in found)
    return next(stump[1:] for stump in found if stump[0] <= least + 1e-10)


def naive_adaboost(X, y, n_rounds, n_classes, *, rate=1.0, C=0.0):
    """Return column, threshold, ε, α, Z and the weights before each round, from the pseudocode."""
    N = len(y)
    w, rounds = [1 / N] * N, []
    for _ in range(n_rounds):
        column, threshold, labels = naive_stump(X, y, w, n_classes)
        wrong = [labels[int(X[i, column] > threshold)] != y[i] for i in range(N)]
        epsilon = sum(w[i] for i in range(N) if wrong[i])
        if epsilon >= 1 - 1 / n_classes - 1e-10:
            break
        if any(wrong):
            alpha = rate * 0.5 * (np.log((1 - epsilon) / epsilon) + np.log(n_classes - 1))
        else:
            alpha = 1 + sum(r[3] for r in rounds)
        new = [
            w[i] * np.exp(-alpha * ((-1 if wrong[i] else 1) + C * (w[i] * N - min(w) * N)))
            for i in range(N)
        ]
        rounds.append((column, threshold, epsilon, alpha, sum(new), w))
        if not any(wrong):
            break
        w = [value / sum(new) for value in new]
    return rounds


@quick
@given(
    st.integers(0, 10**6),
    st.integers(2, 4),
    st.sampled_from([2, 3, 1000]),
    st.sampled_from([1.0, 0.5]),
    st.sampled_from([0.0, 0.1]),
)
def test_the_naive_twin_agrees(seed, n_classes, n_values, rate, C):
    rng = np.random.default_rng(seed)
    n, d = rng.integers(4, 25), rng.integers(1, 4)
    X, y = rng.integers(0, n_values, (n, d)).astype(float), rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    expected = naive_adaboost(X, y, 6, n_classes, rate=rate, C=C)
    model = AdaBoostClassifier(n_estimators=6, learning_rate=rate, regularization=C)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    assert len(model.estimators_) == len(expected)
    for t, (column, threshold, epsilon, alpha, normalizer, w) in enumerate(expected):
        tree = model.estimators_[t].tree_
        if np.isfinite(threshold):
            assert (tree.feature[0], tree.threshold[0]) == (column, threshold)
        assert model.errors_[t] == pytest.approx(epsilon, abs=1e-9)
        assert model.alphas_[t] == pytest.approx(alpha, abs=1e-9)
        assert model.normalizers_[t] == pytest.approx(normalizer, rel=1e-9)
        assert model.weights_[t] == pytest.approx(np.array(w), abs=1e-9)


@quick
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from([0.0, 0.2]))
def test_training_error_stays_under_its_bound(seed, n_classes, C):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 3)).round(1), rng.integers(0, n_classes, 60)
    model = AdaBoostClassifier(n_estimators=30, regularization=C).fit(X, y)
    errors = 1 - np.array(list(model.staged_score(X, y)))
    assert (errors <= model.training_error_bound_ + 1e-12).all()
    assert model.weights_.sum(axis=1) == pytest.approx(np.ones(len(errors)))
    if n_classes == 2:
        for F, bound in zip(
            model.staged_decision_function(X), model.training_error_bound_, strict=True
        ):
            loss = np.exp(-np.where(y == model.classes_[1], F, -F)).mean()
            assert loss == pytest.approx(bound, rel=1e-9)


def test_both_conventions_of_alpha_give_the_same_weights_and_votes():
    """½ ln with exp(∓α), as in lecture 000, and ln with exp(α · wrong), as in 004."""
    X, y = make_twonorm(120, 3, random_state=0)
    model = AdaBoostClassifier(n_estimators=8).fit(X, y)
    w = np.full(120, 1 / 120)
    for t, stump in enumerate(model.estimators_):
        assert model.weights_[t] == pytest.approx(w, abs=1e-12)
        wrong = stump.predict(X) != y
        full = np.log((1 - w[wrong].sum()) / w[wrong].sum())
        assert full == pytest.approx(2 * model.alphas_[t])
        w = w * np.exp(full * wrong)
        w /= w.sum()


# ---- Against scikit-learn ------------------------------------------------------------------------
@pytest.mark.parametrize("data", ["two", "three"])
@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_same_rounds_as_scikit_learn_with_its_own_tree(data, rate):
    X, y = make_twonorm(200, 5, random_state=1) if data == "two" else load_iris(return_X_y=True)
    X = X + np.random.default_rng(0).normal(size=X.shape) * 1e-3 + (0.5 if data == "two" else 0)
    y = y if data == "two" else np.random.default_rng(1).permutation(3)[y]
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    options = {"n_estimators": 15, "learning_rate": rate, "random_state": 0}
    ours, peer = AdaBoostClassifier(tree, **options).fit(X, y), Peer(tree, **options).fit(X, y)
    assert len(ours.estimators_) == len(peer.estimators_) == 15
    assert ours.errors_ == pytest.approx(peer.estimator_errors_, abs=1e-9)
    assert 2 * ours.alphas_ == pytest.approx(peer.estimator_weights_)
    assert (ours.predict(X) == peer.predict(X)).all()


def test_test_error_is_that_of_scikit_learn():
    X, y = make_ringnorm(400, random_state=0)
    X_new, y_new = make_ringnorm(4000, random_state=1)
    ours = AdaBoostClassifier(n_estimators=200).fit(X, y).score(X_new, y_new)
    peer = Peer(n_estimators=200).fit(X, y).score(X_new, y_new)
    assert abs(ours - peer) < 0.02


# ---- Stops ---------------------------------------------------------------------------------------
def test_a_perfect_learner_stops_with_a_finite_vote():
    model = AdaBoostClassifier().fit([[0], [1], [2], [3]], list("aabb"))
    assert (len(model.estimators_), model.errors_.tolist(), model.alphas_.tolist()) == (1, [0], [1])
    assert "round 1" in model.stop_reason_ and "no mistakes" in model.stop_reason_
    assert model.training_error_bound_ == pytest.approx([np.exp(-1)])
    assert model.predict([[0], [3]]).tolist() == ["a", "b"]


class SecondIsPerfect(ClassifierMixin, BaseEstimator):
    """Wrong about row 0 while the weights are equal, then never again."""

    def fit(self, X, y, sample_weight):
        self.classes_ = np.unique(y)
        self.table_ = dict(zip(X[:, 0].tolist(), y.tolist(), strict=True))
        if np.ptp(sample_weight) < 1e-12:
            self.table_[X[0, 0]] = -self.table_[X[0, 0]]
        return self

    def predict(self, X):
        return np.array([self.table_[x] for x in X[:, 0].tolist()])


def test_a_perfect_learner_outvotes_all_before_it():
    model = AdaBoostClassifier(SecondIsPerfect()).fit(LINE, SIGNS)
    first = 0.5 * np.log(9)
    assert model.alphas_ == pytest.approx([first, 1 + first])
    assert model.score(LINE, SIGNS) == 1 and "round 2" in model.stop_reason_


def test_guessing_stops_with_a_reason_and_the_learner_is_left_out():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.warns(UserWarning, match="no learners .*round 1.*0.5.*stronger estimator"):
        model = AdaBoostClassifier().fit(X, y)
    assert model.estimators_ == [] and model.weights_.shape == (0, 4)
    assert model.predict(X).tolist() == [0, 0, 0, 0]
    assert model.predict_proba(X).tolist() == [[0.5, 0.5]] * 4
    assert model.feature_importances_.tolist() == [0, 0]
    model = AdaBoostClassifier(CARTClassifier(max_depth=2)).fit(X, y)
    assert model.score(X, y) == 1
    model = AdaBoostClassifier(n_estimators=99).fit([[1], [1], [1]], [0, 1, 1])
    assert len(model.estimators_) == 1 and "round 2" in model.stop_reason_


def test_with_k_classes_guessing_means_one_in_k():
    y = [0, 0, 0, 1, 1, 2, 2]
    model = AdaBoostClassifier().fit(np.ones((7, 1)), y)
    assert model.errors_[0] == pytest.approx(4 / 7)  # above ½, but below 2/3
    assert model.alphas_[0] == pytest.approx(0.5 * (np.log(3 / 4) + np.log(2)))
    assert "0.666667" in model.stop_reason_


# ---- Labels, weights, learners -------------------------------------------------------------------
def test_sample_weight_equals_repetition():
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(80, 3)).round(1), rng.integers(0, 3, 80), rng.integers(0, 4, 80)
    for options in ({}, {"regularization": 0.1}, {"estimator": CARTClassifier(max_depth=2)}):
        weighted = AdaBoostClassifier(n_estimators=10, **options).fit(X, y, sample_weight=w)
        repeated = AdaBoostClassifier(n_estimators=10, **options).fit(X.repeat(w, 0), y.repeat(w))
        assert weighted.alphas_ == pytest.approx(repeated.alphas_)
        assert (weighted.predict(X) == repeated.predict(X)).all()
        assert weighted.weights_.shape == (10, 80) and not weighted.weights_[:, w == 0].any()


def test_scale_of_the_weights_does_not_matter():
    X, y = make_twonorm(100, 3, random_state=0)
    w = np.random.default_rng(0).random(100)
    one, other = (AdaBoostClassifier().fit(X, y, sample_weight=w * s) for s in (1, 1e-9))
    assert one.alphas_ == pytest.approx(other.alphas_)


@pytest.mark.parametrize(
    "labels",
    [["no", "yes"], [True, False], [3.0, -1.0], [-1, 1], pd.Categorical(["b", "a"], ["b", "a"])],
)
def test_any_two_labels(labels):
    y = pd.Series(labels)[np.where(SIGNS == 1, 0, 1)]
    model = AdaBoostClassifier(n_estimators=3).fit(LINE, y)
    assert (model.predict(LINE) == np.asarray(y)).all()
    assert model.alphas_ == pytest.approx([0.423649, 0.649641, 0.752039], abs=1e-6)
    declared = list(labels.categories) if isinstance(labels, pd.Categorical) else sorted(labels)
    assert model.classes_.tolist() == declared


def test_k_classes():
    X, y = make_waveform(600, random_state=0)
    X_new, y_new = make_waveform(2000, random_state=1)
    model = AdaBoostClassifier(n_estimators=150).fit(X, y)
    peer = Peer(n_estimators=150).fit(X, y).score(X_new, y_new)
    assert abs(model.score(X_new, y_new) - peer) < 0.03
    F, P, V = model.decision_function(X), model.predict_proba(X), model.votes(X)
    assert F.shape == P.shape == V.shape == (600, 3)
    assert F.sum(axis=1) == pytest.approx(np.zeros(600), abs=1e-9)
    assert P.sum(axis=1) == pytest.approx(np.ones(600)) == V.sum(axis=1)
    assert (F.argmax(1) == P.argmax(1)).all()
    assert (model.classes_[F.argmax(1)] == model.predict(X)).all()


def test_staged_answers_end_with_the_answers():
    X, y = make_twonorm(150, 4, random_state=0)
    model = AdaBoostClassifier(n_estimators=12).fit(X, y)
    assert (list(model.staged_predict(X))[-1] == model.predict(X)).all()
    *_, last = model.staged_decision_function(X)
    assert (last == model.decision_function(X)).all()
    assert list(model.staged_score(X, y))[-1] == model.score(X, y)
    H = np.array([h.predict(X) for h in model.estimators_])
    assert model.decision_function(X) == pytest.approx(model.alphas_ @ H)
    assert model.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-2 * last)))
    small = AdaBoostClassifier(n_estimators=5).fit(X, y)
    assert (list(model.staged_predict(X))[4] == small.predict(X)).all()


def test_learners_without_weights_are_resampled():
    X, y = make_twonorm(200, 4, random_state=0)
    for learner in (KNeighborsClassifier(5), None, CARTClassifier(max_depth=1)):
        options = {"n_estimators": 20, "resample": not isinstance(learner, KNeighborsClassifier)}
        one, same, other = (
            AdaBoostClassifier(learner, random_state=seed, **options).fit(X, y)
            for seed in (0, 0, 1)
        )
        assert one.score(X, y) > 0.85
        assert (one.alphas_ == same.alphas_).all() and (one.weights_ == same.weights_).all()
        assert one.alphas_.tolist() != other.alphas_.tolist()
        errors = 1 - np.array(list(one.staged_score(X, y)))
        assert (errors <= one.training_error_bound_ + 1e-12).all()


def test_any_base_learner_also_on_words():
    X, y = load_play_tennis()
    model = AdaBoostClassifier(CARTClassifier(max_depth=1), n_estimators=20).fit(X, y)
    assert model.score(X, y) > 0.9
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert set(model.predict(X)) == {"no", "yes"}
    X, y = make_twonorm(100, random_state=0)
    assert AdaBoostClassifier(LogisticRegression(), n_estimators=5).fit(X, y).score(X, y) > 0.95


def test_deep_trees_survive_very_unequal_weights():
    X, y = make_twonorm(300, random_state=0)
    model = AdaBoostClassifier(CARTClassifier(max_depth=3), n_estimators=60).fit(X, y)
    assert model.score(X, y) == 1 and np.isfinite(model.alphas_).all()


def test_same_bits_twice_and_row_order_does_not_matter():
    X, y = make_twonorm(300, 5, random_state=0)
    one, two = (AdaBoostClassifier(n_estimators=40).fit(X, y) for _ in range(2))
    assert (one.weights_ == two.weights_).all()
    order = np.random.default_rng(0).permutation(300)
    three = AdaBoostClassifier(n_estimators=40).fit(X[order], y[order])
    assert three.alphas_ == pytest.approx(one.alphas_)
    assert [h.tree_.threshold[0] for h in one.estimators_] == [
        h.tree_.threshold[0] for h in three.estimators_
    ]


# ---- Soft margins --------------------------------------------------------------------------------
def test_soft_margins_help_with_wrong_labels():
    plain, soft = [], []
    X_new, y_new = make_twonorm(2000, random_state=99)
    for seed in range(3):
        X, y = make_twonorm(300, random_state=seed)
        y = np.where(np.random.default_rng(seed).random(300) < 0.2, -y, y)
        for errors, C in ((plain, 0), (soft, 0.3)):
            model = AdaBoostClassifier(n_estimators=200, regularization=C).fit(X, y)
            errors.append(1 - model.score(X_new, y_new))
    assert np.mean(soft) < np.mean(plain) - 0.05


def test_soft_margins_make_the_heaviest_example_lighter():
    X, y = make_twonorm(200, 4, random_state=0)
    y[:20] *= -1
    heaviest = [
        AdaBoostClassifier(n_estimators=80, regularization=C).fit(X, y).weights_[-20:].max()
        for C in (0, 0.03, 0.3)
    ]
    assert heaviest[0] > heaviest[1] > heaviest[2]


@pytest.mark.parametrize("C", [1, 30, 1e6])
@pytest.mark.parametrize("learner", [None, CARTClassifier(max_depth=3)])
def test_much_regularization_stays_finite(C, learner):
    X, y = make_twonorm(100, 4, random_state=0)
    y[:20] *= -1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = AdaBoostClassifier(learner, n_estimators=60, regularization=C).fit(X, y)
    for values in (model.alphas_, model.weights_, model.training_error_bound_):
        assert np.isfinite(values).all()
    errors = 1 - np.array(list(model.staged_score(X, y)))
    assert (errors <= model.training_error_bound_ + 1e-9).all()


# ---- Errors and conventions ----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_estimators": 0}, "n_estimators is 0"),
        ({"n_estimators": 2.5}, "n_estimators is 2.5"),
        ({"learning_rate": 0}, "learning_rate is 0"),
        ({"learning_rate": float("nan")}, "learning_rate is nan"),
        ({"regularization": -1}, "regularization is -1"),
    ],
)
def test_bad_parameters(options, message):
    with pytest.raises(ValueError, match=f"AdaBoostClassifier: {message}"):
        AdaBoostClassifier(**options).fit(LINE, SIGNS)


def test_bad_data():
    with pytest.raises(TypeError, match="estimator is 'stump'"):
        AdaBoostClassifier("stump").fit(LINE, SIGNS)
    with pytest.raises(ValueError, match="one class only, '1'"):
        AdaBoostClassifier().fit(LINE, np.ones(10, dtype=int))
    with pytest.raises(ValueError, match=r"'outlook' holds categories.*CARTClassifier"):
        AdaBoostClassifier().fit(*load_play_tennis())
    with pytest.raises(ValueError, match="'outlook' holds categories"):
        DecisionStump().fit(*load_play_tennis())
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        AdaBoostClassifier().fit(LINE, SIGNS, sample_weight=-np.ones(10))
    with pytest.raises(ValueError, match="zero"):
        AdaBoostClassifier().fit(LINE, SIGNS, sample_weight=np.zeros(10))
    with pytest.raises(ValueError, match="NaN"):
        AdaBoostClassifier().fit([[np.nan], [1]], [0, 1])
    with pytest.raises(NotFittedError):
        AdaBoostClassifier().predict(LINE)


RESAMPLED = "drawing rows by weight is not the same as drawing from repeated rows"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (DecisionStump(), {}),
        (AdaBoostClassifier(n_estimators=10), {}),
        (AdaBoostClassifier(CARTClassifier(max_depth=2), n_estimators=3), {}),
        (
            AdaBoostClassifier(KNeighborsClassifier(3), n_estimators=3, regularization=0.1),
            {
                "check_sample_weight_equivalence_on_dense_data": RESAMPLED,
                "check_sample_weight_equivalence_on_sparse_data": RESAMPLED,
            },
        ),
    ],
)
def test_scikit_learn_accepts_it(model, expected):
    results = check_estimator(model, expected_failed_checks=expected, on_fail=None)
    failed = [r for r in results if r["status"] not in ("passed", "skipped", "xfail")]
    assert not failed, [(r["check_name"], r["exception"]) for r in failed]
    assert len(results) > 40


def test_pickles_and_works_in_pipelines_and_searches():
    X, y = make_twonorm(150, 4, random_state=0)
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = AdaBoostClassifier(n_estimators=10).fit(frame, y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_proba(frame) == model.predict_proba(frame)).all()
    assert again.feature_names_in_.tolist() == list("abcd")
    assert (again.estimators_[0].predict(frame) == model.estimators_[0].predict(frame)).all()
    assert model.feature_importances_.sum() == pytest.approx(1)
    steps = make_pipeline(StandardScaler(), AdaBoostClassifier())
    search = GridSearchCV(steps, {"adaboostclassifier__n_estimators": [1, 20]}, cv=3).fit(X, y)
    assert search.best_params_["adaboostclassifier__n_estimators"] == 20
    assert cross_val_score(AdaBoostClassifier(n_estimators=10), X, y, cv=3).mean() > 0.8


# ---- Stumps --------------------------------------------------------------------------------------
@quick
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from([2, 5, 1000]))
def test_the_stump_is_the_naive_one(seed, n_classes, n_values):
    rng = np.random.default_rng(seed)
    n = rng.integers(5, 40)
    X, y = rng.integers(0, n_values, (n, 3)).astype(float), rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    w = rng.integers(1, 4, n).astype(float)
    column, threshold, labels = naive_stump(X, y, (w / w.sum()).tolist(), n_classes)
    stump = DecisionStump().fit(X, y, sample_weight=w)
    if np.isfinite(threshold):
        assert (stump.tree_.feature[0], stump.tree_.threshold[0]) == (column, threshold)
    assert stump.predict(X).tolist() == [labels[int(x > threshold)] for x in X[:, column]]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_size_of_the_blocks_makes_no_difference(monkeypatch, n_classes):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 30, (100, 7)).astype(float), rng.integers(0, n_classes, 100)
    X[:, 2] = 5.0  # a constant column
    whole = AdaBoostClassifier(n_estimators=30).fit(X, y)
    monkeypatch.setattr("mlcourse.stumps.BLOCK", 250)
    parts = AdaBoostClassifier(n_estimators=30).fit(X, y)
    assert (whole.weights_ == parts.weights_).all()
    assert whole.feature_importances_[2] == 0


def test_a_stump_is_a_tree():
    tree = DecisionStump().fit(LINE, SIGNS).tree_
    assert tree.to_text() == "x0 <= 2.5: 1 (3)\nx0 > 2.5: -1 (7/3)"
    assert tree.count.tolist() == [10, 3, 7] and tree.n_leaves == 2
    assert DecisionStump().fit([[1], [1], [1]], list("aab")).tree_.to_text() == "a (3/1)"
    neighbours = [[1.0], [np.nextafter(1.0, 2)]]
    assert DecisionStump().fit(neighbours, [0, 1]).predict(neighbours).tolist() == [0, 1]


# ---- Three learners ------------------------------------------------------------------------------
def test_three_learners_as_schapire_first_did():
    X, y = make_twonorm(1500, random_state=0)
    X, X_new, y, y_new = X[:900], X[900:], y[:900], y[900:]
    model = three_learner_boost(DecisionStump(), X, y, random_state=0)
    f1, f2, f3 = model.estimators_
    first, second, third = model.samples_
    assert len(first) == 300 and not set(first) & set(second)
    assert np.mean(f1.predict(X[second]) == y[second]) == 0.5  # f1 tosses a coin there
    assert third.tolist() == np.flatnonzero(f1.predict(X) != f2.predict(X)).tolist()
    votes = f1.predict(X_new) + f2.predict(X_new) + f3.predict(X_new)
    assert (model.predict(X_new) == np.sign(votes)).all()
    assert model.score(X_new, y_new) > max(h.score(X_new, y_new) for h in model.estimators_)
    again = three_learner_boost(DecisionStump(), X, y, random_state=0)
    assert [rows.tolist() for rows in again.samples_] == [rows.tolist() for rows in model.samples_]


def test_three_learners_need_not_be_three_and_words_will_do():
    X, y = np.arange(30.0)[:, None], np.repeat(["a", "b"], 15)
    model = three_learner_boost(CARTClassifier(), X, y, share=0.9, random_state=0)
    assert model.score(X, y) > 0.9
    X, y = load_play_tennis()
    model = three_learner_boost(CARTClassifier(max_depth=1), X, y, share=0.5, random_state=1)
    assert set(model.predict(X)) <= {"no", "yes"}
    assert model.classes_.tolist() == ["no", "yes"]


def test_three_learners_errors():
    with pytest.raises(ValueError, match="y has 3 classes, expected two"):
        three_learner_boost(DecisionStump(), [[1], [2], [3]], [0, 1, 2])
    with pytest.raises(ValueError, match=r"share is 1\.5"):
        three_learner_boost(DecisionStump(), LINE, SIGNS, share=1.5)
