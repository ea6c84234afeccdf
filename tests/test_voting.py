"""Voting: every rule against a naive loop, ties, rejection, soft labels, weights, errors."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcourse import voting
from mlcourse.voting import (
    average,
    count_votes,
    majority_vote,
    plurality_vote,
    unanimous_vote,
    weighted_vote,
)

pytestmark = pytest.mark.filterwarnings("error")
quick = settings(derandomize=True, deadline=None, database=None, max_examples=80)
VOTES = [plurality_vote, majority_vote, unanimous_vote]
LABELS = {
    "text": ["ant", "bee", "cat", "dog"],
    "signs": [-1, 1],
    "floats": [-1.0, 0.0, 2.0],
    "truth": [False, True],
    "objects": [Fraction(1, 2), Fraction(1, 3), Fraction(3, 4)],
}


@st.composite
def elections(draw):
    """Return hard labels (T, n), weights (T,) in tenths, as whole numbers too."""
    labels = LABELS[draw(st.sampled_from(sorted(LABELS)))]
    T, n = draw(st.integers(1, 9)), draw(st.integers(1, 5))
    rows = draw(st.lists(st.lists(st.sampled_from(labels), min_size=n, max_size=n), min_size=T,
                         max_size=T))  # fmt: skip
    tenths = draw(st.lists(st.integers(0, 10), min_size=T, max_size=T).filter(any))
    return rows, tenths


def naive(rows, weights, rule):
    """Return the answers of a rule, point by point, in whole numbers; None is a rejection."""
    answers = []
    for votes in zip(*rows, strict=True):
        tally = Counter()
        for label, weight in zip(votes, weights, strict=True):
            tally[label] += weight
        total, most = sum(tally.values()), max(tally.values())
        winner = min(label for label in tally if tally[label] == most)
        needed = {"plurality": True, "majority": 2 * most > total, "unanimous": most == total}
        answers.append(winner if needed[rule] else None)
    return answers


@quick
@given(elections())
def test_rules_agree_with_naive_loops(election):
    rows, tenths = election
    ones, weights = [1] * len(rows), np.array(tenths) / 10  # 0.1 + 0.2 is not 0.3 in floats
    assert plurality_vote(rows).tolist() == naive(rows, ones, "plurality")
    assert majority_vote(rows).tolist() == naive(rows, ones, "majority")
    assert unanimous_vote(rows).tolist() == naive(rows, ones, "unanimous")
    assert weighted_vote(rows, weights).tolist() == naive(rows, tenths, "plurality")
    assert majority_vote(rows, weights).tolist() == naive(rows, tenths, "majority")


@quick
@given(elections())
def test_hard_labels_are_soft_labels_of_zero_and_one(election):
    rows, tenths = election
    classes = np.unique(rows)
    soft = (np.array(rows)[..., None] == classes).astype(float)
    for rule in VOTES:
        assert rule(soft, classes=classes).tolist() == rule(rows).tolist()
    votes, _ = count_votes(soft, tenths)
    assert np.array_equal(votes, count_votes(rows, tenths)[0])
    assert (
        weighted_vote(soft, tenths, classes=classes).tolist()
        == weighted_vote(rows, tenths).tolist()
    )


@quick
@given(elections())
def test_weights_may_differ_from_point_to_point(election):
    rows, tenths = election
    n = len(rows[0])
    table = np.array([np.roll(tenths, i) for i in range(n)]).T  # (T, n)
    separately = [weighted_vote(np.array(rows)[:, [i]], table[:, i])[0] for i in range(n)]
    assert weighted_vote(rows, table).tolist() == separately


def test_more_than_half_is_needed():
    assert majority_vote(["a", "b"]) is None  # ≥ ½ would elect both
    assert majority_vote(["a", "b", "a"]) == "a"
    assert majority_vote(["a", "b", "c", "a"]) is None and plurality_vote(list("abca")) == "a"
    assert majority_vote([["a"], ["b"], ["c"]], weights=[0.1, 0.2, 0.3]).tolist() == [None]
    assert majority_vote([["a"], ["b"], ["c"]], weights=[0.1, 0.2, 0.31]).tolist() == ["c"]


def test_ties_go_to_the_first_class():
    rows = [["b", "c"], ["a", "b"]]
    assert plurality_vote(rows).tolist() == ["a", "b"]
    assert plurality_vote(rows, classes=["c", "b", "a"]).tolist() == ["b", "c"]
    assert weighted_vote([["b"], ["c"], ["a"]], [0.1, 0.3, 0.2]).tolist() == ["c"]
    assert weighted_vote([["b"], ["b"], ["a"]], [0.1, 0.2, 0.3]).tolist() == ["a"]
    assert plurality_vote([[[0.3, 0.7]], [[0.7, 0.3]]]).tolist() == [0]


def test_soft_votes_differ_from_hard_ones():
    soft = np.array([[0.9, 0.1], [0.4, 0.6], [0.4, 0.6]])[:, None]  # (3, 1, 2)
    assert plurality_vote(soft).tolist() == [0]
    assert plurality_vote(soft.argmax(axis=2)).tolist() == [1]
    assert majority_vote(soft, classes=["no", "yes"]).tolist() == ["no"]
    assert unanimous_vote(soft).tolist() == [None]
    assert unanimous_vote([[[0, 1]], [[0, 1]]]).tolist() == [1]


def test_reject_value_and_types():
    rows = [[1, 2], [1, 3]]
    assert majority_vote(rows, reject=-1).dtype.kind == "i"
    assert majority_vote(rows, reject=-1).tolist() == [1, -1]
    assert np.isnan(unanimous_vote(rows, reject=np.nan)[1])
    assert majority_vote([["a", "b"], ["a", "c"]], reject="nobody").tolist() == ["a", "nobody"]
    assert majority_vote(rows, reject="nobody").tolist() == [1, "nobody"]
    assert majority_vote([[True], [False]], reject=-1).tolist() == [-1]
    assert majority_vote([[1, 1]]).dtype == object  # also where nothing is rejected
    assert plurality_vote(rows).dtype.kind == "i"
    assert type(plurality_vote([1, 2, 2])) is int


def test_pandas_and_unsortable_labels():
    rows = [pd.Series(["a", "b"], index=[7, 8]), pd.Series(["a", "a"])]
    assert plurality_vote(rows).tolist() == ["a", "a"]
    mixed = np.array([["a", 1], ["a", 1], [2, "a"]], dtype=object)
    assert plurality_vote(mixed, classes=np.array(["a", 1, 2], dtype=object)).tolist() == ["a", 1]
    with pytest.raises(ValueError, match="plurality_vote: the labels cannot be sorted; give clas"):
        plurality_vote(mixed)


# ------------------------------------------------------------------ averages


@quick
@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_average_agrees_with_a_loop(T, n, seed):
    rng = np.random.default_rng(seed)
    outputs, weights = rng.normal(size=(T, n)), rng.dirichlet(np.ones(T))
    assert np.allclose(average(outputs), [sum(column) / T for column in outputs.T])
    expected = [sum(w * h for w, h in zip(weights, c, strict=True)) for c in outputs.T]
    assert np.allclose(average(outputs, weights), expected)
    assert np.all(average(outputs, weights) <= outputs.max(axis=0) + 1e-12)


def test_average_of_probabilities_and_of_one_point():
    soft = np.random.default_rng(0).dirichlet(np.ones(3), size=(4, 5))  # (T, n, K)
    assert average(soft).shape == (5, 3) and np.allclose(average(soft).sum(axis=1), 1)
    assert np.array_equal(average(soft).argmax(axis=1), plurality_vote(soft))
    assert average([1, 2, 6]) == 3.0 and type(average([1, 2, 6])) is float


def test_variance_of_an_average_of_correlated_learners():
    # ρσ² + (1 − ρ)σ²/B = .74 for ρ = .3, B = 10, σ² = 2: more learners leave ρσ² = .6.
    rho, B, variance = 0.3, 10, 2.0
    rng = np.random.default_rng(0)
    common, own = rng.normal(size=100_000), rng.normal(size=(B, 100_000))
    learners = np.sqrt(variance) * (np.sqrt(rho) * common + np.sqrt(1 - rho) * own)
    assert 0.72 < np.var(average(learners)) < 0.76
    covariance = variance * (rho + (1 - rho) * np.eye(B))
    exact = average(average(covariance))  # wᵀ Σ w with w = 1/B
    assert np.isclose(exact, rho * variance + (1 - rho) * variance / B) and np.isclose(exact, 0.74)


# ------------------------------------------------------------------ errors

HARD, SOFT = [["a", "b"], ["a", "a"]], np.full((2, 3, 2), 0.5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: average([1, 2], [1, 1]), "average: weights sum to 2, expected 1; divide"),
        (lambda: average([1, 2], [1.5, -0.5]), "weights must be finite and not negative"),
        (lambda: average([1, 2], [1]), r"weights have shape \(1,\), expected \(2,\)"),
        (lambda: average(HARD), "give a row of numbers per learner, and vote on labels"),
        (lambda: average([1, np.nan]), "not all finite"),
        (lambda: average([]), r"shape \(0,\)"),
        (lambda: plurality_vote("a"), r"predictions have shape \(\); give \(T, n\) hard"),
        (lambda: plurality_vote([[]]), "not empty"),
        (lambda: plurality_vote([["a"], [None]]), "labels are missing"),
        (lambda: plurality_vote([[1.0], [np.nan]]), "labels are missing"),
        (
            lambda: plurality_vote([[0.2, 0.8]]),
            r"not whole numbers; soft labels need .*\(T, n, K\)",
        ),
        (lambda: plurality_vote(HARD, classes=["a"]), r"label \['b'\] is not among classes"),
        (lambda: plurality_vote(HARD, classes=["a", "b", "a"]), "names each class once"),
        (lambda: plurality_vote(SOFT, classes=["a"]), "1 classes for 2 columns"),
        (lambda: plurality_vote(SOFT * 3), "must be numbers from 0 to 1"),
        (lambda: plurality_vote(SOFT * 0), r"all 0 at point \[0\]; nobody votes"),
        (lambda: weighted_vote(HARD, None), "weights are missing; use plurality_vote"),
        (lambda: weighted_vote(HARD, [1, 2, 3]), r"expected \(2,\) or \(2, 2\)"),
        (lambda: weighted_vote(HARD, [1, -2]), "weighted_vote: weights must be .*not negative"),
        (lambda: weighted_vote(HARD, [[1, 0], [1, 0]]), r"all weights are 0 at point \[1\]"),
        (lambda: majority_vote(HARD, reject="b"), "reject is 'b', which is a class"),
        (lambda: unanimous_vote([[0, -1]], reject=-1), "unanimous_vote: reject is -1"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_public_names():
    assert all(callable(getattr(voting, name)) for name in voting.__all__)
