"""What does a tree see of a table? Columns of numbers and of categories, with gaps.

Lecture 02. A tree asks two kinds of question: *is it at most t?* of a number, and *which value is
it?* of a category. So a table becomes one array of shape (d, N), a row per feature: numbers as
they are, categories as codes 0, 1, 2 … in their declared order, and NaN where a value is missing.
A category that was not there in fitting is missing too.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.utils.validation import validate_data

__all__ = []


@dataclass(frozen=True)
class Columns:
    """A table as trees use it; ``categories[j]`` is None for a column of numbers."""

    values: np.ndarray  # (d, N) float
    names: tuple  # of the d features
    categories: tuple  # of the d features: a pandas Index, or None

    @property
    def numeric(self):
        """Say of each feature whether it holds numbers, shape (d,)."""
        return np.array([index is None for index in self.categories])


def fit_columns(estimator, X, y, *, missing, ordered="number"):
    """Check the training table of an estimator and turn it into Columns.

    Sets ``n_features_in_``, ``feature_names_in_`` (of a frame with string names) and
    ``categories_``. ``missing`` says whether the algorithm can do with missing values; an ordered
    category is taken as a number (its code) or, ``ordered="category"``, like any other.
    Returns the Columns and y as an array.
    """
    name = type(estimator).__name__
    if isinstance(y, (list, tuple)) and pd.isna(np.asarray(y, dtype=object)).any():
        raise ValueError(f"{name}: y has missing values (NaN); drop these rows")
    if not _has_categories(X):
        finite = "allow-nan" if missing else True
        X, y = validate_data(
            estimator, X, y, dtype=np.float64, ensure_all_finite=finite, multi_output=False
        )
        estimator.categories_ = estimator._scales = (None,) * X.shape[1]
        values = np.ascontiguousarray(X.T)
    else:
        validate_data(estimator, X, y, skip_check_array=True)
        if len(X) == 0:
            raise ValueError(f"{name}: the table has 0 rows; give at least one")
        y = np.asarray(y)
        if y.ndim != 1 or len(y) != len(X):
            raise ValueError(
                f"{name}: X has {len(X)} rows but y has shape {y.shape}; give one each"
            )
        estimator.categories_ = tuple(_categories(X[column], ordered) for column in X)
        estimator._scales = tuple(_scale(X[column], ordered) for column in X)
        values = _encode(name, X, estimator.categories_, estimator._scales)
    names = _names(estimator)
    gaps = np.isnan(values)
    if gaps.any() and not missing:
        j = int(gaps.any(axis=1).argmax())
        raise ValueError(
            f"{name}: column {names[j]!r} has missing values (NaN); fill or drop them, or use "
            "C45Classifier, or a CART model with surrogates=5"
        )
    if gaps.all(axis=1).any():
        j = int(gaps.all(axis=1).argmax())
        raise ValueError(f"{name}: column {names[j]!r} is all missing; drop it or fill it")
    if pd.isna(y).any():
        raise ValueError(f"{name}: y has missing values; drop these rows")
    return Columns(values, names, estimator.categories_), y


def columns_of(estimator, X, *, missing=True):
    """Turn a table to predict from into Columns, with the features and categories of the fit."""
    name = type(estimator).__name__
    if any(index is not None for index in estimator.categories_) or _has_categories(X):
        if not isinstance(X, pd.DataFrame):
            raise ValueError(
                f"{name} was fitted on a table with categories: give a pandas DataFrame with the "
                f"columns {list(_names(estimator))}"
            )
        validate_data(estimator, X, reset=False, skip_check_array=True)
        values = _encode(name, X, estimator.categories_, estimator._scales)
    else:
        finite = "allow-nan" if missing else True
        X = validate_data(estimator, X, reset=False, dtype=np.float64, ensure_all_finite=finite)
        values = np.ascontiguousarray(X.T)
    return Columns(values, _names(estimator), estimator.categories_)


def ranks(values):
    """Return the order of one column's values, the rank of each, and whether any are equal.

    Equal values have equal ranks, the next value the next rank; missing ones come last.

    >>> ranks(np.array([7.0, 1.0, 7.0, 3.0]))[1]
    array([2, 0, 2, 1], dtype=int32)
    """
    order = np.argsort(values)
    ordered = values[order]
    new = (ordered[1:] != ordered[:-1]) & ~np.isnan(ordered[:-1])  # all NaN: one rank
    rank = np.empty(len(values), dtype=np.int32)
    rank[order] = np.concatenate([[0], np.cumsum(new)])
    return order, rank, not new.all()


def _has_categories(X):
    """Say whether a table has columns that are no numbers."""
    if not isinstance(X, pd.DataFrame):
        return False
    return not all(pd.api.types.is_numeric_dtype(dtype) for dtype in X.dtypes)


def _names(estimator):
    """Return the feature names: those of the frame, or else x0, x1 and so on."""
    plain = [f"x{j}" for j in range(estimator.n_features_in_)]
    return tuple(str(name) for name in getattr(estimator, "feature_names_in_", plain))


def _categories(column, ordered):
    """Return the categories of a column in their order, or None if it holds numbers."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        if column.dtype.ordered and ordered == "number":
            return None
        return column.cat.categories
    if pd.api.types.is_numeric_dtype(column.dtype):
        return None
    return pd.Index(sorted(column.dropna().unique(), key=str))


def _scale(column, ordered):
    """Return the categories of an ordered column that is taken as a number, else None."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered and ordered == "number":
        return column.cat.categories
    return None


def _encode(name, X, categories, scales=None):
    """Return the (d, N) array of a frame: numbers, codes of categories, NaN for missing.

    ``scales`` holds the declared levels of ordered categories, which count from 1 (else None).
    """
    values = np.empty((X.shape[1], len(X)))
    for j, index in enumerate(categories):
        column = X.iloc[:, j]
        scale = scales[j] if scales is not None else _scale(column, "number")
        if index is not None or scale is not None:
            known, first = (scale, 1) if index is None else (index, 0)
            codes = known.get_indexer(pd.Index(column.astype(object)))
            values[j] = np.where(codes >= 0, codes + first, np.nan)
        else:
            try:
                values[j] = column.to_numpy(dtype=float, na_value=np.nan)
            except (TypeError, ValueError):
                raise ValueError(
                    f"{name}: column {X.columns[j]!r} held numbers in fitting but not here; "
                    "convert it to numbers"
                ) from None
        if np.isinf(values[j]).any():
            raise ValueError(
                f"{name}: column {X.columns[j]!r} contains infinity; replace it by a number or NaN"
            )
    return values
