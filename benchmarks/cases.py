"""What is compared with what, and how fast should it be? Models, peers, goals and floors."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.measure import make_classes, make_numbers
from mlcourse import CARTClassifier, CARTRegressor

OURS, PEER = "mlcourse", "scikit-learn"
SIZES = (1_000, 10_000, 100_000)
FLOOR = dict(zip(SIZES, (1.0, 2.5, 4.0), strict=True))  # × as fast as scikit-learn
PREDICTED = 10_000  # rows to predict
SLOWEST_PREDICTION = 3.0  # × scikit-learn's time
POINTS = 0.5  # of test accuracy that may be missing
MEGABYTES = 250  # of extra memory at 100,000 rows
EXPONENT = 1.2  # of the cost from 10,000 to 100,000 rows
C45_SECONDS = 0.3  # on german, 1,000 rows and 20 mixed columns


@dataclass
class Case:
    """A tree to grow: our model, scikit-learn's, and the goals at each size."""

    title: str
    ours: Callable
    peer: Callable
    data: Callable
    goals: tuple  # × as fast as scikit-learn at SIZES
    others: Callable = dict  # → {name: maker}, of peers that may be installed

    def models(self):
        """Return {library: function that makes its model}, ours and scikit-learn's first."""
        return {OURS: self.ours, PEER: self.peer} | self.others()


def xgboost(name, **parameters):
    """Return one exact tree of XGBoost that grows as far as ours, if it is installed."""
    if not find_spec("xgboost"):
        return {}

    def make():
        import xgboost

        full = {"max_depth": 64, "min_child_weight": 0, "reg_lambda": 0, "n_jobs": 1}
        return getattr(xgboost, name)(n_estimators=1, tree_method="exact", **full | parameters)

    return {"xgboost": make}


def lightgbm(name, **parameters):
    """Return one tree of LightGBM, which bins its columns, if it is installed."""
    if not find_spec("lightgbm"):
        return {}

    def make():
        import lightgbm

        return getattr(lightgbm, name)(n_estimators=1, n_jobs=1, verbose=-1, **parameters)

    return {"lightgbm": make}


CASES = {
    "gini": Case(
        "full tree, Gini",
        CARTClassifier,
        lambda: DecisionTreeClassifier(random_state=0),
        make_classes,
        (1.3, 4.0, 5.0),
        lambda: xgboost("XGBClassifier"),
    ),
    "entropy": Case(
        "full tree, entropy",
        lambda: CARTClassifier(criterion="entropy"),
        lambda: DecisionTreeClassifier(criterion="entropy", random_state=0),
        make_classes,
        (1.3, 4.0, 5.0),
    ),
    "depth6": Case(
        "depth 6, Gini",
        lambda: CARTClassifier(max_depth=6),
        lambda: DecisionTreeClassifier(max_depth=6, random_state=0),
        make_classes,
        (1.5, 4.0, 5.0),
        lambda: (
            xgboost("XGBClassifier", max_depth=6)
            | lightgbm("LGBMClassifier", max_depth=6, num_leaves=64)
        ),
    ),
    "regression": Case(
        "full regression tree",
        CARTRegressor,
        lambda: DecisionTreeRegressor(random_state=0),
        make_numbers,
        (1.2, 3.0, 4.0),
        lambda: xgboost("XGBRegressor"),
    ),
}
