"""How do our gradient boosting and its peers compare? The table that lesson 08 draws.

Fits 100 rounds of trees of depth 3 with learning rate 0.1 in every library, on one core, and
writes mlcourse/data/study_08_boosting.csv. Times are kept as ratios to ours. From the root:

    python -m tools.studies.08_boosting          # a few minutes on a quiet machine

XGBoost and LightGBM are measured if they are installed; the course does not need them.
"""

import platform
import time
from datetime import date
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import ensemble
from threadpoolctl import threadpool_limits

import mlcourse
from benchmarks.measure import FEATURES, make_classes

TARGET = Path(__file__).resolve().parents[2] / "mlcourse" / "data" / "study_08_boosting.csv"
PLAN = {1_000: 10, 10_000: 5, 100_000: 2}  # rows: data sets, on each of which all are fitted
TEST_ROWS = 20_000
SAME = {"learning_rate": 0.1, "max_depth": 3}


def models():
    """Return {library: (its package, function that makes its model)}, ours first."""
    made = {
        "mlcourse": ("mlcourse", lambda: mlcourse.GradientBoostingClassifier(**SAME)),
        "mlcourse, exact splits": (
            "mlcourse",
            lambda: mlcourse.GradientBoostingClassifier(**SAME, max_bins=None),
        ),
        "scikit-learn": (
            "scikit-learn",
            lambda: ensemble.GradientBoostingClassifier(**SAME, random_state=0),
        ),
        "scikit-learn, histogram": (
            "scikit-learn",
            lambda: ensemble.HistGradientBoostingClassifier(**SAME, early_stopping=False),
        ),
    }
    if find_spec("xgboost"):
        from xgboost import XGBClassifier

        made["XGBoost"] = "xgboost", lambda: XGBClassifier(**SAME, n_estimators=100, n_jobs=1)
    if find_spec("lightgbm"):
        from lightgbm import LGBMClassifier

        options = SAME | {"num_leaves": 8, "n_jobs": 1, "verbose": -1}
        made["LightGBM"] = "lightgbm", lambda: LGBMClassifier(**options)
    return made


def fit_and_test(make, n, seed):
    """Return the CPU seconds of one fit to n rows, and the share of wrong answers on new rows."""
    X, y = make_classes(n, seed)
    start = time.process_time()  # of all threads; another program's work does not count
    model = make().fit(X, y)
    took = time.process_time() - start
    X, y = make_classes(TEST_ROWS, seed, sample=1)
    return took, np.mean(model.predict(X) != y)


def runs(n, seeds):
    """Return a row per data set and library, which take turns: time, error."""
    rows, made = [], models()
    for _, make in made.values():
        make().fit(*make_classes(200))  # load what loads on first use
    for seed in seeds:
        for name, (package, make) in made.items():
            rows.append((n, name, version(package), *fit_and_test(make, n, seed)))
            print(*rows[-1], flush=True)
    return pd.DataFrame(rows, columns=["n", "library", "version", "seconds", "error"])


def summary(table):
    """Return a row per size and library: best time over our best, mean and spread of the error.

    ``spread`` is the standard deviation from data set to data set.
    """
    groups = table.groupby(["n", "library", "version"], sort=False)
    best, error = groups["seconds"].min(), groups["error"]
    ours = best.xs("mlcourse", level="library").droplevel("version")
    result = pd.DataFrame({
        "time_over_ours": (best / ours.reindex(best.index, level="n")).round(3),
        "test_error": error.mean().round(4),
        "spread": error.std().round(4),
        "data_sets": error.count(),
    })  # fmt: skip
    return result.reset_index()


def processor():
    """Return the name of the processor, as well as it can be found out."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def main():
    """Measure and write the table, with a first line that says where it comes from."""
    about = (
        f"# Made by tools/studies/08_boosting.py on {date.today()}; do not edit. One core of "
        f"{processor()}; Python {platform.python_version()}; numpy {version('numpy')}; "
        f"{FEATURES} columns; two noisy classes; best CPU time of several fits; "
        f"{TEST_ROWS} test rows\n"
    )
    with threadpool_limits(1):
        table = pd.concat(runs(n, range(data_sets)) for n, data_sets in PLAN.items())
    TARGET.write_text(about + summary(table).to_csv(index=False), encoding="utf-8")


if __name__ == "__main__":
    main()
