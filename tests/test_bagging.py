"""Bagging: votes and out-of-bag errors by definition, any learner, same bits, published numbers."""

import pickle
import warnings
from collections import Counter
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import BaggingClassifier as Peer
from sklearn.ensemble import BaggingRegressor as PeerRegressor
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from mlcourse import (
    BaggingClassifier,
    BaggingRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    load_play_tennis,
    make_twonorm,
    make_waveform,
    plurality_vote,
)
from mlcourse.bags import Always

quick = settings(derandomize=True, deadline=None, max_examples=40)
SHALLOW = CARTClassifier(max_depth=2)
never_oob = pytest.mark.filterwarnings("ignore:.*sample of every learner")


def few(seed, n_classes=3, n=None):
    """Return a small data set with words as labels, and as many points to predict."""
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(4, 25))
    X, codes = rng.integers(0, 5, (n, 3)).astype(float), rng.integers(0, n_classes, n)
    codes[:n_classes] = np.arange(n_classes)
    return X, np.array(["ash", "beech", "cedar", "date"])[codes], rng.integers(0, 5, (n, 3)) * 1.0


# ---- The definition, row by row ------------------------------------------------------------------
def naive_vote(labels, classes):
    """Return the class of most votes; of equals the first."""
    counts = Counter(labels)
    return max(classes, key=lambda label: (counts[label], -list(classes).index(label)))


def naive_oob(model, X, y, T):
    """Return H_oob of each row (None: nobody may be asked) for the first T learners."""
    found = []
    for i in range(len(y)):
        may = [t for t in range(T) if i not in set(model.estimators_samples_[t].tolist())]
        said = [
            model.estimators_[t].predict(X[i : i + 1][:, model.estimators_features_[t]])[0]
            for t in may
        ]
        found.append(said or None)
    return found


@never_oob
@quick
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 7), st.sampled_from([1.0, 2]))
def test_votes_and_out_of_bag_errors_are_those_of_the_definition(seed, n_classes, T, max_features):
    X, y, X_new = few(seed, n_classes)
    model = BaggingClassifier(
        SHALLOW, T, max_features=max_features, oob_score=True, random_state=seed
    ).fit(X, y)
    answers = [
        h.predict(X_new[:, columns])
        for h, columns in zip(model.estimators_, model.estimators_features_, strict=True)
    ]
    expected = [naive_vote(column, model.classes_) for column in zip(*answers, strict=True)]
    assert model.predict(X_new).tolist() == expected
    assert plurality_vote(answers, classes=model.classes_).tolist() == expected
    for t, staged in enumerate(model.staged_predict(X_new), 1):
        now = [naive_vote(column[:t], model.classes_) for column in zip(*answers, strict=True)]
        assert staged.tolist() == now
        votes = naive_oob(model, X, y, t)
        wrong = [
            naive_vote(said, model.classes_) != label
            for said, label in zip(votes, y, strict=True)
            if said
        ]
        assert model.oob_curve_[t - 1] == pytest.approx(
            np.mean(wrong) if wrong else np.nan, nan_ok=True
        )
    assert model.oob_curve_.shape == (T,)
    assert model.oob_error_ == pytest.approx(model.oob_curve_[-1], nan_ok=True)
    assert model.oob_score_ == pytest.approx(1 - model.oob_error_, nan_ok=True)
    assert model.n_never_oob_ == votes.count(None)
    for said, counted, share in zip(
        votes, model.oob_votes_, model.oob_decision_function_, strict=True
    ):
        counts = [(said or []).count(label) for label in model.classes_]
        assert counted.tolist() == counts
        expected = np.array(counts) / len(said) if said else np.full(n_classes, np.nan)
        assert share == pytest.approx(expected, nan_ok=True)


@never_oob
@quick
@given(st.integers(0, 10**6), st.integers(1, 7), st.sampled_from([1.0, 2]))
def test_means_and_out_of_bag_errors_are_those_of_the_definition(seed, T, max_features):
    X, _, X_new = few(seed)
    y = X[:, 0] * X[:, 1] + np.random.default_rng(seed).normal(size=len(X))
    model = BaggingRegressor(
        CARTRegressor(max_depth=2), T, max_features=max_features, oob_score=True, random_state=seed
    ).fit(X, y)
    answers = [
        h.predict(X_new[:, columns])
        for h, columns in zip(model.estimators_, model.estimators_features_, strict=True)
    ]
    for t, staged in enumerate(model.staged_predict(X_new), 1):
        assert staged == pytest.approx(np.mean(answers[:t], axis=0))
        said = naive_oob(model, X, y, t)
        H = np.array([np.mean(numbers) if numbers else np.nan for numbers in said])
        error = np.nan if np.isnan(H).all() else np.nanmean((H - y) ** 2)
        assert model.oob_curve_[t - 1] == pytest.approx(error, nan_ok=True)
    assert model.predict(X_new) == pytest.approx(staged)
    assert model.oob_prediction_ == pytest.approx(H, nan_ok=True)
    assert model.oob_error_ == pytest.approx(model.oob_curve_[-1], nan_ok=True)
    seen = ~np.isnan(H)
    assert model.n_never_oob_ == np.count_nonzero(~seen)
    expected = r2_score(y[seen], H[seen]) if seen.sum() > 1 else np.nan
    assert model.oob_score_ == pytest.approx(expected, nan_ok=True)


def test_the_learners_are_trained_on_their_samples():
    X, y = make_twonorm(60, 5, random_state=0)
    model = BaggingClassifier(n_estimators=6, max_features=3, random_state=1).fit(X, y)
    drawn = zip(
        model.estimators_, model.estimators_samples_, model.estimators_features_, strict=True
    )
    for h, rows, columns in drawn:
        assert rows.shape == (60,) and len(set(rows)) < 60
        assert len(set(columns)) == 3 and (np.diff(columns) > 0).all()
        again = CARTClassifier().fit(X[rows][:, columns], y[rows])
        assert again.tree_.to_text() == h.tree_.to_text()
    assert len({tuple(columns) for columns in model.estimators_features_}) > 1
    assert all(not np.array_equal(a, b) for a, b in pairwise(model.estimators_samples_))


# ---- Numbers that are known ----------------------------------------------------------------------
@pytest.mark.parametrize(("n", "share"), [(5, 0.32768), (10, 0.34868), (100, 0.36603)])
def test_share_of_rows_out_of_bag(n, share):
    X, y = np.arange(n)[:, None], np.arange(n) % 2
    model = BaggingClassifier(GaussianNB(), 1, random_state=0).fit(X, y)
    T = 200_000 // n
    left_out = [len(model._bags.left_out(model._bags.rows(t))) for t in range(T)]
    assert (1 - 1 / n) ** n == pytest.approx(share, abs=5e-6)
    assert np.mean(left_out) / n == pytest.approx(share, abs=4 * np.std(left_out) / n / T**0.5)


@pytest.mark.slow
def test_breimans_waveform():
    """Breiman 1996: one tree 29.1 %, 50 bagged trees 19.3 %; recomputed: 28.9 ± 1.5, 19.3 ± 1.8."""
    one, bagged, oob = [], [], []
    for seed in range(10):
        X, y = make_waveform(300, random_state=seed)
        X_new, y_new = make_waveform(1500, random_state=100 + seed)
        one.append(1 - CARTClassifier().fit(X, y).score(X_new, y_new))
        model = BaggingClassifier(n_estimators=50, oob_score=True, random_state=seed).fit(X, y)
        bagged.append(1 - model.score(X_new, y_new))
        oob.append(model.oob_error_)
    assert 0.274 < np.mean(one) < 0.304
    assert 0.175 < np.mean(bagged) < 0.211
    assert abs(np.mean(oob) - np.mean(bagged)) < 0.02  # a test set for free


def test_accuracy_is_that_of_scikit_learn():
    X, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    X, y, X_new, y_new = X[order[:300]], y[order[:300]], X[order[300:]], y[order[300:]]
    ours = BaggingClassifier(n_estimators=40, oob_score=True, random_state=0).fit(X, y)
    peer = Peer(DecisionTreeClassifier(), 40, oob_score=True, random_state=0).fit(X, y)
    assert abs(ours.score(X_new, y_new) - peer.score(X_new, y_new)) < 0.03
    assert abs(ours.oob_score_ - peer.oob_score_) < 0.03
    assert np.mean(ours.predict(X_new) == peer.predict(X_new)) > 0.96
    X, y = load_diabetes(return_X_y=True)
    ours = BaggingRegressor(n_estimators=40, oob_score=True, random_state=0).fit(X[:300], y[:300])
    peer = PeerRegressor(n_estimators=40, oob_score=True, random_state=0).fit(X[:300], y[:300])
    assert abs(ours.score(X[300:], y[300:]) - peer.score(X[300:], y[300:])) < 0.06
    assert abs(ours.oob_score_ - peer.oob_score_) < 0.06


def test_unstable_learners_gain_and_stable_ones_do_not():
    X, y = make_twonorm(200, random_state=0)
    X_new, y_new = make_twonorm(2000, random_state=1)

    def gain(learner):
        bagged = BaggingClassifier(learner, 40, random_state=0).fit(X, y)
        return bagged.score(X_new, y_new) - learner.fit(X, y).score(X_new, y_new)

    assert gain(CARTClassifier()) > 0.08
    assert abs(gain(GaussianNB())) < 0.01


# ---- Votes ---------------------------------------------------------------------------------------
class Says(ClassifierMixin, BaseEstimator):
    """Always the class that is named; probabilities as they are given."""

    def __init__(self, random_state=None, said="b", shares=(0.4, 0.6)):
        self.random_state = random_state
        self.said = said
        self.shares = shares

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.said)

    def predict_proba(self, X):
        return np.tile(self.shares, (len(X), 1))


def test_ties_go_to_the_first_class():
    X, y = np.zeros((20, 1)), pd.Series(["b", "a"] * 10)
    model = BaggingClassifier(Says(), 2, random_state=0).fit(X, y)
    model.estimators_[0].said = "a"  # one vote each
    assert model.predict(X).tolist() == ["a"] * 20
    assert model.predict_proba(X).tolist() == [[0.5, 0.5]] * 20
    declared = pd.Series(pd.Categorical(y, ["c", "b", "a"]))  # nobody is a c
    model = BaggingClassifier(Says(), 2, random_state=0).fit(X, declared)
    model.estimators_[0].said = "a"
    assert model.classes_.tolist() == ["b", "a"]
    assert model.predict(X).tolist() == ["b"] * 20
    trees = BaggingClassifier(n_estimators=30, max_samples=2, random_state=0).fit(X, declared)
    tied = [h for h in trees.estimators_ if not isinstance(h, Always)]  # leaves with one of each
    assert tied and all(h.predict(X[:1]).tolist() == ["b"] for h in tied)


def test_rounding_decides_no_soft_vote():
    X, y = np.zeros((20, 1)), ["a", "b"] * 10
    model = BaggingClassifier(Says(), 3, voting="soft", random_state=0).fit(X, y)
    for h, share in zip(model.estimators_, [0.3, 0.2, 0.1], strict=True):
        h.shares = (share, 0.4 - share)
    assert 0.3 + 0.2 + 0.1 < 0.1 + 0.2 + 0.3  # in the last digit
    assert model.predict(X).tolist() == ["a"] * 20


@never_oob
def test_soft_votes_are_mean_probabilities():
    X, y = make_waveform(150, random_state=0)
    X_new, _ = make_waveform(400, random_state=1)
    hard, soft = (
        BaggingClassifier(SHALLOW, 9, voting=voting, oob_score=True, random_state=0).fit(X, y)
        for voting in ("hard", "soft")
    )
    mean = np.mean([h.predict_proba(X_new) for h in soft.estimators_], axis=0)
    assert soft.predict_proba(X_new) == pytest.approx(mean)
    assert (soft.predict(X_new) == soft.classes_[mean.argmax(axis=1)]).all()
    shares = np.mean([h.predict(X_new)[:, None] == hard.classes_ for h in hard.estimators_], axis=0)
    assert hard.predict_proba(X_new) == pytest.approx(shares)
    assert (hard.predict(X_new) != soft.predict(X_new)).any()
    assert hard.oob_votes_.dtype.kind == "i" and soft.oob_votes_.dtype.kind == "f"
    assert soft.oob_votes_.sum(axis=1) == pytest.approx(hard.oob_votes_.sum(axis=1))


# ---- Rows that are always in the bag, samples of one class ---------------------------------------
def test_rows_that_are_never_out_of_bag_are_left_out_of_the_error_and_said():
    X, y = make_twonorm(50, random_state=0)
    with pytest.warns(
        UserWarning, match=r"\d+ of 50 rows are in the sample .*n_estimators is 2"
    ) as said:
        model = BaggingClassifier(n_estimators=2, oob_score=True, random_state=0).fit(X, y)
    assert said[0].filename == __file__  # it points to the line above
    inside = np.all([np.isin(np.arange(50), rows) for rows in model.estimators_samples_], axis=0)
    assert 10 < model.n_never_oob_ == inside.sum() < 40
    assert np.isnan(model.oob_decision_function_[inside]).all()
    assert not model.oob_votes_[inside].any()
    right = model.classes_[model.oob_votes_.argmax(axis=1)] == y
    assert model.oob_error_ == pytest.approx(np.mean(~right[~inside]))
    assert model.oob_error_ > np.sum(~right[~inside]) / 50  # lecture 000 divides by N
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = BaggingClassifier(n_estimators=60, oob_score=True, random_state=0).fit(X, y)
    assert model.n_never_oob_ == 0 and not np.isnan(model.oob_decision_function_).any()


@never_oob
def test_no_row_out_of_bag_at_all():
    seed = next(
        s for s in range(100) if len(set(BaggingRegressor(
            n_estimators=1, random_state=s).fit([[0], [1]], [0, 1]).estimators_samples_[0])) == 2
    )  # fmt: skip
    model = BaggingRegressor(n_estimators=1, oob_score=True, random_state=seed)
    model.fit([[0], [1]], [0, 1])
    assert np.isnan([model.oob_error_, model.oob_score_]).all() and model.n_never_oob_ == 2


def test_a_sample_of_one_class_gives_a_learner_that_says_that_class():
    X, y = np.arange(20.0)[:, None], np.array(["rare"] + ["usual"] * 19)
    for learner in (None, LogisticRegression(), GaussianNB(), C45Classifier()):
        for voting in ("hard", "soft"):
            model = BaggingClassifier(
                learner, 30, voting=voting, oob_score=True, random_state=1
            ).fit(X, y)
            lucky = [0 in rows for rows in model.estimators_samples_]
            constant = [isinstance(h, Always) for h in model.estimators_]
            assert 5 < sum(constant) < 25 and constant == [not there for there in lucky]
            assert model.classes_.tolist() == ["rare", "usual"]
            assert model.predict(X[5:]).tolist() == ["usual"] * 15
            assert model.oob_votes_[0].tolist() == [0, sum(constant)]  # who has not seen it
            assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(20))


def test_learners_that_miss_a_class_vote_for_the_others():
    X, y = load_iris(return_X_y=True)
    rows = [0, 1, 2, 50, 51, 52, 100, 101]
    X, y = X[rows], np.array(["seti", "versi", "virgi"])[y[rows]]
    model = BaggingClassifier(GaussianNB(), 40, voting="soft", random_state=0).fit(X, y)
    seen = [len(h.classes_) for h in model.estimators_]
    assert {2, 3} <= set(seen)
    assert model.predict_proba(X).shape == (8, 3)
    mean = np.zeros((8, 3))
    for h in model.estimators_:
        for k, label in enumerate(h.classes_):
            mean[:, model.classes_.tolist().index(label)] += h.predict_proba(X)[:, k] / 40
    assert model.predict_proba(X) == pytest.approx(mean)


# ---- Draws ---------------------------------------------------------------------------------------
@never_oob
@pytest.mark.parametrize("learner", [CARTClassifier(max_features=1), SGDClassifier()])
def test_same_bits_for_any_number_of_jobs(learner):
    X, y = make_waveform(120, random_state=0)
    one, two, other = (
        BaggingClassifier(learner, 8, oob_score=True, max_features=0.5, **more).fit(X, y)
        for more in (
            {"random_state": 3},
            {"random_state": 3, "n_jobs": 2},
            {"random_state": 4},
        )
    )
    assert (one.oob_votes_ == two.oob_votes_).all() and (one.oob_curve_ == two.oob_curve_).all()
    assert (one.predict_proba(X) == two.predict_proba(X)).all()
    assert one.oob_votes_.tolist() != other.oob_votes_.tolist()
    seeds = [h.random_state for h in one.estimators_]
    assert len(set(seeds)) == 8 and seeds == [h.random_state for h in two.estimators_]


@never_oob
def test_same_bits_of_regressors_for_any_number_of_jobs():
    X, y = load_diabetes(return_X_y=True)
    one, two = (
        BaggingRegressor(n_estimators=9, oob_score=True, random_state=0, n_jobs=n_jobs).fit(X, y)
        for n_jobs in (None, 2)
    )
    assert (one.predict(X) == two.predict(X)).all()
    assert np.array_equal(one.oob_prediction_, two.oob_prediction_, equal_nan=True)


@never_oob
@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_warm_growth_is_growth_at_once(voting):
    X, y = make_waveform(80, random_state=0)
    options = {"voting": voting, "max_features": 10, "random_state": 5, "oob_score": True}
    whole = BaggingClassifier(SHALLOW, 12, **options).fit(X, y)
    model = BaggingClassifier(SHALLOW, 3, warm_start=True, **options).fit(X, y)
    first = model.estimators_[0]
    for T in (7, 7, 12):
        model.set_params(n_estimators=T).fit(X, y)
    assert model.estimators_[0] is first and len(model.estimators_) == 12
    assert (model.oob_votes_ == whole.oob_votes_).all()
    assert (model.oob_curve_ == whole.oob_curve_).all()
    assert (model.predict_proba(X) == whole.predict_proba(X)).all()
    assert (
        whole.oob_curve_[:3] == BaggingClassifier(SHALLOW, 3, **options).fit(X, y).oob_curve_
    ).all()
    late = BaggingClassifier(SHALLOW, 5, warm_start=True, **options | {"oob_score": False}).fit(
        X, y
    )
    late.set_params(oob_score=True, n_estimators=12).fit(X, y)  # asked for afterwards
    assert (late.oob_votes_ == whole.oob_votes_).all()
    other = "soft" if voting == "hard" else "hard"
    late.set_params(voting=other).fit(X, y)
    changed = BaggingClassifier(SHALLOW, 12, **options | {"voting": other}).fit(X, y)
    assert (late.oob_votes_ == changed.oob_votes_).all()
    late.set_params(oob_score=False).fit(X, y)
    assert not hasattr(late, "oob_votes_") and not hasattr(late, "n_never_oob_")


def test_warm_growth_needs_the_same_data():
    X, y = make_waveform(60, random_state=0)
    model = BaggingClassifier(SHALLOW, 4, warm_start=True, random_state=0).fit(X, y)
    for data in ((X[:50], y[:50]), (X[:, :9], y), (X, y[::-1])):
        with pytest.raises(ValueError, match=r"warm_start goes on with the same data"):
            model.fit(*data)
    with pytest.raises(ValueError, match="same data"):
        model.fit(X, y, sample_weight=np.arange(1, 61))
    with pytest.raises(ValueError, match="n_estimators is 3, but there are 4 learners"):
        model.set_params(n_estimators=3).fit(X, y)
    assert model.set_params(warm_start=False).fit(X, y).n_estimators == 3


def test_seeds_of_every_kind():
    X, y = make_twonorm(60, random_state=0)

    def votes(seed):
        return BaggingClassifier(n_estimators=5, random_state=seed).fit(X, y).predict_proba(X)

    assert (votes(np.random.default_rng(1)) == votes(np.random.default_rng(1))).all()
    assert (votes(np.random.RandomState(1)) == votes(np.random.RandomState(1))).all()
    generator = np.random.default_rng(1)
    assert (votes(generator) != votes(generator)).any()
    assert (votes(None) != votes(None)).any()
    fit = BaggingClassifier(n_estimators=5).fit(X, y)  # the seed that was found is kept
    assert all((fit.estimators_samples_[t] == fit.estimators_samples_[t]).all() for t in range(5))


def test_random_subspaces():
    X, y = make_waveform(150, random_state=0)
    model = BaggingClassifier(
        n_estimators=10, bootstrap=False, max_features=0.5, random_state=0
    ).fit(X, y)
    for h, rows, columns in zip(
        model.estimators_, model.estimators_samples_, model.estimators_features_, strict=True
    ):
        assert rows.tolist() == list(range(150)) and len(columns) == 10  # half of 21
        assert h.n_features_in_ == 10 and h.score(X[:, columns], y) == 1
    assert len({tuple(columns) for columns in model.estimators_features_}) == 10


def test_number_of_rows_and_columns():
    X, y = make_twonorm(100, 20, random_state=0)
    for max_samples, rows in [(0.29, 29), (7, 7), (1.0, 100), (1e-9, 1), (np.int64(1), 1)]:
        model = BaggingRegressor(n_estimators=2, max_samples=max_samples).fit(X, y)
        assert [len(sample) for sample in model.estimators_samples_] == [rows] * 2
    for max_features, columns in [(0.15, 3), (5, 5), (1, 1), (1.0, 20)]:
        model = BaggingRegressor(n_estimators=2, max_features=max_features).fit(X, y)
        assert [len(c) for c in model.estimators_features_] == [columns] * 2


def test_samples_without_replacement_have_rows_out_of_bag_too():
    X, y = make_twonorm(100, random_state=0)
    model = BaggingClassifier(
        n_estimators=30, bootstrap=False, max_samples=0.5, oob_score=True, random_state=0
    ).fit(X, y)
    assert all(len(set(rows)) == 50 for rows in model.estimators_samples_)
    assert model.oob_votes_.sum() == 30 * 50 and model.oob_error_ < 0.3


# ---- Weights -------------------------------------------------------------------------------------
def test_rows_are_drawn_by_weight():
    X, y = np.arange(40)[:, None], np.arange(40) % 2
    weight = np.arange(40) % 4 * 1.0  # 0, 1, 2, 3
    model = BaggingClassifier(KNeighborsClassifier(1), 300, oob_score=True, random_state=0)
    model.fit(X, y, sample_weight=weight)
    drawn = np.concatenate(model.estimators_samples_)
    counts = np.bincount(drawn, minlength=40)
    assert len(drawn) == 300 * 30 and not counts[weight == 0].any()  # 30 rows are there
    shares = [counts[weight == w].sum() / len(drawn) for w in (1, 2, 3)]
    assert shares == pytest.approx([1 / 6, 2 / 6, 3 / 6], abs=0.02)
    wrong = model.classes_[model.oob_votes_.argmax(axis=1)] != y
    assert model.oob_error_ == pytest.approx(np.average(wrong, weights=weight))
    assert model.oob_votes_[weight == 0].sum() == 300 * 10  # never seen, always asked, weight 0
    assert model.n_never_oob_ == 0
    again = BaggingClassifier(KNeighborsClassifier(1), 300, oob_score=True, random_state=0)
    again.fit(X, y, sample_weight=weight * 2.0**-30)
    assert (again.oob_votes_ == model.oob_votes_).all()
    equal = BaggingRegressor(n_estimators=9, random_state=0, oob_score=True)
    equal.fit(X, y, sample_weight=np.full(40, 7.0))
    known = ~np.isnan(equal.oob_prediction_)
    assert equal.oob_score_ == pytest.approx(r2_score(y[known], equal.oob_prediction_[known]))


def test_without_bootstrap_the_learners_get_the_weights():
    X, y = make_twonorm(60, 4, random_state=0)
    weight = np.arange(60) % 3
    options = {"bootstrap": False, "max_features": 2, "random_state": 0}
    weighted = BaggingClassifier(SHALLOW, 6, **options).fit(X, y, sample_weight=weight)
    repeated = BaggingClassifier(SHALLOW, 6, **options).fit(X.repeat(weight, 0), y.repeat(weight))
    assert (weighted.predict_proba(X) == repeated.predict_proba(X)).all()
    with pytest.raises(
        ValueError, match=r"KNeighborsClassifier takes no sample_weight.*bootstrap=T"
    ):
        BaggingClassifier(KNeighborsClassifier(), bootstrap=False).fit(X, y, sample_weight=weight)


# ---- Any learner, any table ----------------------------------------------------------------------
@pytest.mark.parametrize(
    "learner",
    [
        KNeighborsClassifier(1),
        LogisticRegression(),
        LinearSVC(),
        ID3Classifier(),
        make_pipeline(SimpleImputer(), StandardScaler(), GaussianNB()),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_any_classifier(learner):
    X, y = make_twonorm(120, 6, random_state=0)
    model = BaggingClassifier(learner, 15, oob_score=True, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9 and model.oob_score_ > 0.75
    assert type(model.estimators_[0]) is type(learner)


def test_any_regressor():
    X, y = load_diabetes(return_X_y=True)
    for learner in (LinearRegression(), KNeighborsRegressor(9), CARTRegressor(cp=0.01)):
        model = BaggingRegressor(learner, 20, oob_score=True, random_state=0).fit(X, y)
        assert model.oob_score_ > 0.25
    scores = list(model.staged_score(X, y))
    assert len(scores) == 20 and scores[-1] == model.score(X, y)


def test_columns_of_words():
    X, y = load_play_tennis()
    for learner in (None, ID3Classifier(), C45Classifier()):
        model = BaggingClassifier(learner, 25, oob_score=True, max_features=3, random_state=0)
        model.fit(X, y)
        assert set(model.predict(X)) == {"no", "yes"} and model.score(X, y) > 0.7
        assert model.feature_names_in_.tolist() == list(X.columns)
        names = [list(X.columns[columns]) for columns in model.estimators_features_]
        assert [h.feature_names_in_.tolist() for h in model.estimators_] == names
        assert (model.predict(X.sample(frac=1, random_state=0)) == model.predict(X)[
            X.sample(frac=1, random_state=0).index]).all()  # fmt: skip
    unseen = X.assign(outlook="fog")
    assert set(model.predict(unseen)) <= {"no", "yes"}


@pytest.mark.filterwarnings("error")
def test_frames_of_numbers_with_and_without_names():
    X, y = make_twonorm(80, 4, random_state=0)
    frame = pd.DataFrame(X, columns=list("abcd"), index=np.arange(80) * 3)
    plain = BaggingClassifier(n_estimators=5, random_state=0).fit(X, y)
    named = BaggingClassifier(n_estimators=5, random_state=0).fit(frame, pd.Series(y, frame.index))
    assert (plain.predict_proba(X) == named.predict_proba(frame)).all()
    assert named.estimators_[0].tree_.to_text().startswith(tuple("abcd"))
    with pytest.warns(UserWarning, match="does not have valid feature names") as said:
        assert (named.predict(X) == plain.predict(X)).all()
    assert len(said) == 1
    with pytest.warns(UserWarning, match="without feature names") as said:
        assert (plain.predict(frame) == plain.predict(X)).all()
    assert len(said) == 1
    with pytest.raises(ValueError, match="feature names"):
        named.predict(frame[list("abdc")])


def test_sparse_tables_for_learners_that_take_them():
    X, y = make_twonorm(80, 6, random_state=0)
    options = {"n_estimators": 5, "random_state": 0, "max_features": 3}
    dense = BaggingClassifier(KNeighborsClassifier(), **options).fit(X, y)
    thin = BaggingClassifier(KNeighborsClassifier(), **options).fit(sparse.csc_matrix(X), y)
    assert (thin.predict_proba(sparse.coo_matrix(X)) == dense.predict_proba(X)).all()
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        BaggingClassifier(**options).fit(sparse.csr_matrix(X), y)


@pytest.mark.parametrize("labels", [[True, False], [2.0, -1.0], [7, 3], ["x", "y"]])
def test_labels_of_any_kind(labels):
    X, y = make_twonorm(80, 6, random_state=0)
    y = np.array(labels)[(y > 0).astype(int)]
    for learner in (None, KNeighborsClassifier(3)):
        model = BaggingClassifier(learner, 9, random_state=0).fit(X, y)
        assert model.predict(X).dtype.kind == y.dtype.kind
        assert model.score(X, y) > 0.9 and model.classes_.tolist() == sorted(labels)


def test_progress_is_shown_on_request(capsys):
    X, y = make_twonorm(30, random_state=0)
    BaggingClassifier(SHALLOW, 3, verbose=1).fit(X, y)
    assert capsys.readouterr().err.endswith("\rBaggingClassifier: 3 of 3\n")
    BaggingClassifier(SHALLOW, 3).fit(X, y)
    assert capsys.readouterr().err == ""


# ---- Errors and conventions ----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_estimators": 0}, "n_estimators is 0, expected a whole number"),
        ({"n_estimators": 2.0}, r"n_estimators is 2\.0"),
        ({"voting": "loud"}, "voting is 'loud', expected 'hard' or 'soft'"),
        (
            {"voting": "soft", "estimator": LinearSVC()},
            "LinearSVC does not have; use voting='hard'",
        ),
        ({"max_samples": 0}, "max_samples is 0, expected a share .* from 1 to 40"),
        ({"max_samples": 41}, "max_samples is 41"),
        ({"max_samples": 1.5}, r"max_samples is 1\.5"),
        ({"max_samples": True}, "max_samples is True"),
        ({"max_samples": "all"}, "max_samples is 'all'"),
        ({"max_features": 0.0}, r"max_features is 0\.0, expected a share .* from 1 to 20"),
        ({"max_features": 21}, "max_features is 21"),
        ({"oob_score": True, "bootstrap": False}, "no row is out of bag; set bootstrap=True"),
    ],
)
def test_bad_parameters(options, message):
    X, y = make_twonorm(40, random_state=0)
    with pytest.raises(ValueError, match=f"BaggingClassifier: .*{message}|.*{message}"):
        BaggingClassifier(**options).fit(X, y)


@pytest.mark.parametrize("learner", ["tree", CARTClassifier, CARTRegressor(), KMeans()])
def test_bad_learners(learner):
    X, y = make_twonorm(40, random_state=0)
    with pytest.raises(TypeError, match=r"estimator is .*expected None or a classifier.*CARTClass"):
        BaggingClassifier(learner).fit(X, y)
    with pytest.raises(TypeError, match=r"estimator is .*expected None or a regressor.*CARTRegr"):
        BaggingRegressor(CARTClassifier()).fit(X, y)


def test_bad_data():
    X, y = make_twonorm(40, random_state=0)
    with pytest.raises(ValueError, match="y has one class only, '1'; a classifier needs two"):
        BaggingClassifier().fit(X, np.ones(40, dtype=int))
    with pytest.raises(ValueError, match="one class only"):
        BaggingClassifier().fit(X, y, sample_weight=(y == 1) * 1.0)
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        BaggingClassifier().fit(X, y, sample_weight=-np.ones(40))
    with pytest.raises(ValueError, match="zero"):
        BaggingClassifier().fit(X, y, sample_weight=np.zeros(40))
    frame = pd.DataFrame(X, columns=[f"column {j}" for j in range(20)])
    with pytest.raises(ValueError, match="0 rows"):
        BaggingClassifier().fit(frame[:0], y[:0])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        BaggingClassifier().fit(frame, y[:-1])
    with pytest.raises(ValueError, match="NaN"):
        BaggingRegressor().fit(frame, np.where(y > 0, np.nan, y))
    X[3, 7] = np.nan
    with pytest.raises(ValueError, match="NaN"):  # even if no learner sees it
        BaggingClassifier(n_estimators=1, max_features=1).fit(X, y)
    with pytest.raises(NotFittedError):
        BaggingClassifier().predict(X)
    with pytest.raises(NotFittedError):
        _ = BaggingClassifier().estimators_samples_
    learner = Says(said="z")
    with pytest.raises(
        ValueError, match=r"Says answered .*'z'.* not one of the classes \['a', 'b'"
    ):
        BaggingClassifier(learner, 2).fit(X, ["a", "b"] * 20).predict(X)


DRAWN = "drawing rows by weight is not the same as drawing from repeated rows"
BY_WEIGHT = {
    "check_sample_weight_equivalence_on_dense_data": DRAWN,
    "check_sample_weight_equivalence_on_sparse_data": DRAWN,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (BaggingClassifier(n_estimators=5), BY_WEIGHT),
        (BaggingRegressor(n_estimators=5, oob_score=True), BY_WEIGHT),
        (BaggingClassifier(n_estimators=3, bootstrap=False, voting="soft"), {}),
        (BaggingRegressor(n_estimators=9, bootstrap=False, max_features=0.7), {}),
        (BaggingClassifier(KNeighborsClassifier(3), 5, voting="soft", oob_score=True), BY_WEIGHT),
        (BaggingRegressor(LinearRegression(), 5), BY_WEIGHT),
    ],
    ids=["trees", "regression", "all rows", "subspaces", "neighbors", "lines"],
)
def test_scikit_learn_accepts_it(model, expected):
    results = check_estimator(model, expected_failed_checks=expected, on_fail=None)
    failed = [r for r in results if r["status"] not in ("passed", "skipped", "xfail")]
    assert not failed, [(r["check_name"], r["exception"]) for r in failed]
    assert len(results) > 40


@never_oob
def test_pickles_and_works_in_pipelines_and_searches():
    X, y = make_twonorm(120, 5, random_state=0)
    model = BaggingClassifier(n_estimators=8, oob_score=True, random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    samples = zip(again.estimators_samples_, model.estimators_samples_, strict=True)
    assert all((a == b).all() for a, b in samples)
    steps = make_pipeline(StandardScaler(), BaggingClassifier(random_state=0))
    grid = {
        "baggingclassifier__n_estimators": [1, 20],
        "baggingclassifier__estimator": [CARTClassifier(max_depth=1), CARTClassifier()],
    }
    search = GridSearchCV(steps, grid, cv=3).fit(X, y)
    assert search.best_params_["baggingclassifier__n_estimators"] == 20
    inner = BaggingClassifier(CARTClassifier(), 5, random_state=0)
    search = GridSearchCV(inner, {"estimator__max_depth": [1, None]}, cv=3).fit(X, y)
    assert search.best_params_ == {"estimator__max_depth": None}
    X, y = load_diabetes(return_X_y=True)
    assert cross_val_score(BaggingRegressor(n_estimators=15, random_state=0), X, y).mean() > 0.3
