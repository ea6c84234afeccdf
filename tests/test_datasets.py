"""The data sets: shapes, counts, and the numbers that the lectures compute from them."""

import pandas as pd
import pytest

from mlcourse import datasets
from mlcourse.datasets import load_play_tennis
from mlcourse.information import entropy, mutual_information

PLAY_TENNIS = {
    "outlook": {"sunny": 5, "overcast": 4, "rain": 5},
    "temperature": {"hot": 4, "mild": 6, "cool": 4},
    "humidity": {"high": 7, "normal": 7},
    "windy": {"false": 8, "true": 6},
}


def test_play_tennis_has_the_lecture_s_shape():
    X, y = load_play_tennis()
    assert X.shape == (14, 4)
    assert list(X.columns) == list(PLAY_TENNIS)
    assert y.name == "play"
    assert X.index.equals(pd.RangeIndex(14))
    assert y.index.equals(X.index)
    assert not X.isna().any(axis=None)
    assert not y.isna().any()


def test_play_tennis_counts():
    X, y = load_play_tennis()
    assert y.value_counts().to_dict() == {"yes": 9, "no": 5}
    for name, counts in PLAY_TENNIS.items():
        assert X[name].value_counts().to_dict() == counts


def test_play_tennis_categories_are_words_in_the_lecture_s_order():
    X, y = load_play_tennis()
    for name, counts in PLAY_TENNIS.items():
        assert isinstance(X[name].dtype, pd.CategoricalDtype)
        assert list(X[name].cat.categories) == list(counts)
    assert list(y.cat.categories) == ["no", "yes"]


def test_play_tennis_rows_are_distinct_and_in_order():
    X, y = load_play_tennis()
    assert not X.duplicated().any()
    assert "".join(y.astype(str).str[0]) == "nnyyynynyyyyyn"
    assert "".join(X["outlook"].astype(str).str[0]) == "ssorrrossrsoor"
    assert X.iloc[13].tolist() == ["rain", "mild", "high", "true"]


@pytest.mark.parametrize(
    ("attribute", "gain"),
    [
        ("outlook", 0.246750),
        ("temperature", 0.029223),
        ("humidity", 0.151836),
        ("windy", 0.048127),
    ],
)
def test_play_tennis_information_gains(attribute, gain):
    X, y = load_play_tennis()
    joint = pd.crosstab(y, X[attribute], normalize=True)
    assert mutual_information(joint) == pytest.approx(gain, abs=5e-7)
    assert entropy(y.value_counts(normalize=True)) == pytest.approx(0.940286, abs=5e-7)


def test_play_tennis_second_level_gains():
    """The subtables decide the tree: sunny days by humidity, rainy days by wind."""
    X, y = load_play_tennis()
    expected = {
        "sunny": {"temperature": 0.570951, "humidity": 0.970951, "windy": 0.019973},
        "rain": {"temperature": 0.019973, "humidity": 0.019973, "windy": 0.970951},
    }
    for outlook, gains in expected.items():
        rows = X["outlook"] == outlook
        for attribute, gain in gains.items():
            joint = pd.crosstab(y[rows], X.loc[rows, attribute], normalize=True)
            assert mutual_information(joint) == pytest.approx(gain, abs=5e-7)


def test_each_call_returns_fresh_tables():
    X, y = load_play_tennis()
    X.loc[0, "outlook"] = "rain"
    y.loc[0] = "yes"
    X["new"] = 1
    X_again, y_again = load_play_tennis()
    assert X_again.loc[0, "outlook"] == "sunny"
    assert y_again.loc[0] == "no"
    assert list(X_again.columns) == list(PLAY_TENNIS)


def test_a_misspelled_value_in_an_inline_table_is_caught():
    with pytest.raises(ValueError, match=r"column 'windy' holds \['flase'\]; add"):
        datasets._words("windy play\nflase no", {"windy": ["false"], "play": ["no"]})
