"""What a tree sees of a table: codes, numbers, gaps, and errors that say what to do."""

import numpy as np
import pandas as pd
import pytest

from mlcourse import CARTClassifier, CARTRegressor, ID3Classifier
from mlcourse.columns import columns_of, fit_columns

LABELS = ["a", "b", "a", "b"]


def frame(**changes):
    columns = {
        "size": [1.0, 2.0, 3.0, 4.0],
        "color": pd.Categorical(["red", "blue", "red", "red"], categories=["red", "green", "blue"]),
        "shape": ["round", "flat", "round", "flat"],
        "big": [True, False, True, False],
    }
    return pd.DataFrame(columns | changes)


def encode(table, **options):
    model = ID3Classifier()
    return model, *fit_columns(model, table, np.array(LABELS), **({"missing": False} | options))


def test_numbers_stay_and_categories_become_codes():
    _, columns, y = encode(frame())
    assert columns.values.tolist() == [[1, 2, 3, 4], [0, 2, 0, 0], [1, 0, 1, 0], [1, 0, 1, 0]]
    assert columns.names == ("size", "color", "shape", "big")
    assert columns.numeric.tolist() == [True, False, False, True]
    assert list(columns.categories[1]) == ["red", "green", "blue"]  # declared order, absent too
    assert list(columns.categories[2]) == ["flat", "round"]  # strings: sorted
    assert y.tolist() == LABELS


def test_arrays_get_names_and_no_categories():
    model, columns, _ = encode(np.arange(8.0).reshape(4, 2))
    assert columns.names == ("x0", "x1") and columns.categories == (None, None)
    assert model.n_features_in_ == 2 and not hasattr(model, "feature_names_in_")


def test_ordered_categories_are_numbers_or_categories():
    size = pd.Categorical(["s", "m", "l", None], categories=["s", "m", "l"], ordered=True)
    _, columns, _ = encode(frame(size=size), missing=True)
    assert columns.values[0][:3].tolist() == [1, 2, 3] and np.isnan(columns.values[0][3])
    _, columns, _ = encode(frame(size=size), missing=True, ordered="category")
    assert columns.values[0][:3].tolist() == [0, 1, 2]


def test_new_categories_and_gaps_are_missing_in_prediction():
    model, _, _ = encode(frame())
    new = frame(shape=["oval", None, "round", np.nan])
    assert np.isnan(columns_of(model, new).values[2]).tolist() == [True, True, False, True]


def test_category_order_of_the_fit_is_kept_in_prediction():
    model, columns, _ = encode(frame())
    other = frame(color=pd.Categorical(["red", "blue", "red", "red"]))  # other codes, same labels
    assert columns_of(model, other).values[1].tolist() == columns.values[1].tolist()


def test_nullable_numbers_and_integers():
    table = frame(size=pd.array([1, 2, None, 4], dtype="Int64"))
    _, columns, _ = encode(table, missing=True)
    assert np.isnan(columns.values[0]).tolist() == [False, False, True, False]


BAD = {
    "missing": (frame(size=[1.0, np.nan, 3.0, 4.0]), "column 'size' has missing values"),
    "missing category": (frame(shape=["a", None, "b", "b"]), "column 'shape' has missing values"),
    "infinite": (frame(size=[1.0, np.inf, 3.0, 4.0]), "column 'size' contains infinity"),
    "empty": (frame().iloc[:0], "0 rows|sample"),
    "short": (frame().iloc[:3], "3 rows but y has shape|inconsistent"),
}


@pytest.mark.parametrize(("table", "message"), BAD.values(), ids=BAD.keys())
def test_bad_tables_are_named(table, message):
    y = [] if len(table) == 0 else LABELS
    with pytest.raises(ValueError, match=message):
        ID3Classifier().fit(table, y)


def test_all_missing_column_is_named():
    with pytest.raises(ValueError, match="column 'size' is all missing; drop it or fill it"):
        encode(frame(size=[np.nan] * 4), missing=True)


def test_plain_numbers_follow_scikit_learn():
    with pytest.raises(ValueError, match="NaN"):
        CARTClassifier().fit([[1.0], [np.nan]], [0, 1])
    with pytest.raises(ValueError, match="infinity"):
        CARTClassifier().fit([[1.0], [np.inf]], [0, 1])


def test_missing_target():
    with pytest.raises(ValueError, match=r"y has missing values|NaN"):
        ID3Classifier().fit(frame(), ["a", None, "b", "a"])
    with pytest.raises(ValueError, match="NaN"):
        CARTRegressor().fit([[1.0], [2.0]], [1.0, np.nan])


def test_one_class():
    with pytest.raises(ValueError, match="y has one class only, 'a'"):
        ID3Classifier().fit(frame(), ["a"] * 4)
    with pytest.raises(ValueError, match="one class only"):
        CARTClassifier().fit([[1.0], [2.0]], [0, 1], sample_weight=[1, 0])


def test_classes_as_declared():
    y = pd.Categorical(["b", "a", "b", "b"], categories=["c", "b", "a"])
    model = ID3Classifier().fit(frame(), pd.Series(y))
    assert model.classes_.tolist() == ["c", "b", "a"]
    assert model.predict_proba(frame()).tolist() == [[0, 1, 0], [0, 0, 1], [0, 1, 0], [0, 1, 0]]
    assert ID3Classifier().fit(frame(), LABELS).classes_.tolist() == ["a", "b"]


def test_prediction_needs_the_same_columns():
    model = ID3Classifier().fit(frame(), LABELS)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame().rename(columns={"size": "weight"}))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame().drop(columns="big"))
    with pytest.raises(ValueError, match="give a pandas DataFrame"):
        model.predict(np.zeros((2, 4)))
    with pytest.raises(ValueError, match="column 'size' held numbers in fitting"):
        model.predict(frame(size=["a", "b", "c", "d"]))


def test_weights_are_checked():
    with pytest.raises(ValueError, match="negative"):
        CARTClassifier().fit([[1.0], [2.0]], [0, 1], sample_weight=[1, -1])
    with pytest.raises(ValueError, match="zero"):
        CARTClassifier().fit([[1.0], [2.0]], [0, 1], sample_weight=[0, 0])
