"""How do forests fare on many data sets? The long measurements of lesson 06, made once and stored.

    python -m tools.studies.06_forests

writes mlcourse/data/study_06_forests.csv in about ten minutes on one core. Each row is one ensemble
on one division of one data set (``repeat`` is the seed of both), with its errors as shares:

    part         what was varied: features, randomness, depth, methods
    data         name of the data set
    setting      the value of what was varied
    error        of the ensemble, on test rows
    tree_error   the mean of its trees on the same rows
    correlation  the mean correlation of the errors of two of its trees there
    oob          out-of-bag error

The same seed gives the same bits, so lesson 06 can compute single rows again.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import mlcourse
from mlcourse import (
    AdaBoostClassifier,
    CARTClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    RandomSubspaceClassifier,
)

TARGET = Path(mlcourse.__file__).parent / "data" / "study_06_forests.csv"
REPEATS = 10
FIELDS = ["part", "data", "setting", "repeat", "error", "tree_error", "correlation", "oob"]


# The data --------------------------------------------------------------------------------------


def split(table, n_train):
    """Return a function of a seed: training and test rows of a table."""

    def rows(seed):
        X, y = table
        order = np.random.default_rng(seed).permutation(len(X))
        train, test = order[:n_train], order[n_train:]
        return X.iloc[train], y.iloc[train], X.iloc[test], y.iloc[test]

    return rows


def drawn(maker, n_train, n_test=3000):
    """Return a function of a seed: fresh training and test rows of a distribution."""

    def rows(seed):
        X, y = maker(n_train + n_test, random_state=seed)
        return X[:n_train], y[:n_train], X[n_train:], y[n_train:]

    return rows


def needles(n_samples, random_state):
    """Draw 60 columns of noise, of which three decide."""
    X = np.random.default_rng(random_state).standard_normal((n_samples, 60))
    return X, np.where(X[:, 0] + X[:, 1] + X[:, 2] > 0, 1, -1)


def complete(table):
    """Return a table without the rows that have gaps."""
    X, y = table
    whole = X.notna().all(axis=1)
    return X[whole], y[whole]


def data_sets():
    """Return {name: function of a seed}."""
    breast = complete(mlcourse.load_breast_cancer_ljubljana())
    return {
        "spam": split(mlcourse.load_spam(), 3065),
        "waveform": drawn(mlcourse.make_waveform, 300),
        "twonorm": drawn(mlcourse.make_twonorm, 300),
        "threenorm": drawn(mlcourse.make_threenorm, 300),
        "ringnorm": drawn(mlcourse.make_ringnorm, 300),
        "needles": drawn(needles, 300),
        "spheres 200": drawn(mlcourse.make_nested_spheres, 200, 10_000),
        "spheres 2000": drawn(mlcourse.make_nested_spheres, 2000, 10_000),
        "german": split(mlcourse.load_german(), 700),
        "breast cancer": split(breast, 200),
        "thyroid": split(mlcourse.load_thyroid(), 140),
    }


# What is measured ------------------------------------------------------------------------------


def measure(model, X, y, X_test, y_test):
    """Return the four numbers of an ensemble, NaN where there is none."""
    model.fit(X, y)
    error = np.mean(np.asarray(model.predict(X_test)) != np.asarray(y_test))
    found = {"error": error, "oob": getattr(model, "oob_error_", np.nan)}
    if hasattr(model, "trees_"):
        found |= together(model, X_test, y_test)
    return found


def together(forest, X, y):
    """Return the mean error of the trees and the mean correlation of the errors of two trees."""
    wrong = np.array([tree.predict(X) != np.asarray(y) for tree in forest.estimators_])  # (T, n)
    pairs = np.corrcoef(wrong[wrong.any(axis=1) & ~wrong.all(axis=1)])
    correlation = pairs[np.triu_indices(len(pairs), k=1)].mean()
    return {"tree_error": wrong.mean(), "correlation": correlation}


def numbers_of_features(d):
    """Return the numbers of columns to try: one, those of the lectures, all."""
    tried = {1, 2, int(np.log2(d)), int(np.log2(d) + 1), int(d**0.5), d // 3, d // 2, d}
    return sorted(tried)


def settings(name, d, seed):
    """Yield (part, setting, model) of all that is tried on a data set."""
    common = {"n_estimators": 100, "random_state": seed}
    forest, oob = RandomForestClassifier, {"oob_score": True}
    if name in ("spam", "waveform", "twonorm", "threenorm", "ringnorm", "needles"):
        for m in numbers_of_features(d):
            yield "features", m, forest(max_features=m, **common, **oob)
    if name == "spam":
        some, half = int(d**0.5), d // 2
        subspace = RandomSubspaceClassifier
        yield "randomness", "split", forest(max_features=some, bootstrap=False, **common)
        yield "randomness", "tree, few", subspace(max_features=some, **common)
        yield "randomness", "tree, half", subspace(max_features=half, **common)
        both = {"bootstrap": True, **common, **oob}
        yield "randomness", "rows + tree, half", subspace(max_features=half, **both)
    if name in ("spam", "german", "breast cancer"):
        for depth in (1, 2, 4, 8, 16, None):
            yield "depth", depth or "none", forest(max_depth=depth, **common, **oob)
    yield "methods", "tree", CARTClassifier()
    yield "methods", "bagging", forest(max_features=None, **common, **oob)
    yield "methods", "forest", forest(**common, **oob)
    if name not in ("german", "breast cancer"):  # words: not for these
        yield "methods", "boosted stumps", AdaBoostClassifier(n_estimators=400)
        yield (
            "methods",
            "boosted trees",
            GradientBoostingClassifier(
                n_estimators=400, learning_rate=0.1, max_depth=3, random_state=seed
            ),
        )
    if name == "spam":
        yield "methods", "forest of 500", forest(500, random_state=seed, **oob)
        yield "methods", "SVM", make_pipeline(StandardScaler(), SVC())


def main():
    """Measure everything and write the table."""
    rows = []
    for name, draw in data_sets().items():
        for seed in range(REPEATS):
            parts = draw(seed)
            for part, setting, model in settings(name, parts[0].shape[1], seed):
                rows.append((part, name, setting, seed, measure(model, *parts)))
        print(name, flush=True, file=sys.stderr)
    table = pd.DataFrame([row[:4] for row in rows], columns=FIELDS[:4])
    table = table.join(pd.DataFrame([row[4] for row in rows]).round(5))[FIELDS]
    head = (
        "# Made by tools/studies/06_forests.py; do not edit. Its first lines explain the columns.\n"
    )
    TARGET.write_text(head + table.to_csv(index=False, lineterminator="\n"), encoding="utf-8")


if __name__ == "__main__":
    main()
