"""What is compared with what, and how fast should it be? Models, peers, goals and floors."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from sklearn import ensemble
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.measure import make_classes, make_numbers
from mlcourse import (
    AdaBoostClassifier,
    CARTClassifier,
    CARTRegressor,
    GradientBoostingClassifier,
    RandomForestClassifier,
)

OURS, PEER, HISTOGRAM = "mlcourse", "scikit-learn", "HistGradientBoosting"
SIZES = (1_000, 10_000, 100_000)
FLOOR = dict(zip(SIZES, (1.0, 2.5, 4.0), strict=True))  # × as fast as scikit-learn
PREDICTED = 10_000  # rows to predict
SLOWEST_PREDICTION = 3.0  # × scikit-learn's time
POINTS = 0.5  # of test accuracy that may be missing
MEGABYTES = 250  # of extra memory at 100,000 rows
FOREST_MEGABYTES = 1_500  # of a forest of 100 trees there
EXPONENT = 1.2  # of the cost from 10,000 to 100,000 rows
C45_SECONDS = 0.3  # on german, 1,000 rows and 20 mixed columns


@dataclass
class Case:
    """A model to fit: ours, scikit-learn's, and the goals at each size."""

    title: str
    ours: Callable
    peer: Callable
    data: Callable
    goals: tuple  # × as fast as scikit-learn at SIZES
    others: Callable = dict  # → {name: maker}, of other peers, if they are installed
    other_goals: tuple = ()  # of HISTOGRAM
    one_tree: bool = True  # else an ensemble: measured less often

    def goal(self, peer, place):
        """Return the goal against a peer at a place of SIZES, or None."""
        goals = {PEER: self.goals, HISTOGRAM: self.other_goals}.get(peer)
        return goals[place] if goals else None

    def models(self):
        """Return {library: function that makes its model}, ours and scikit-learn's first."""
        return {OURS: self.ours, PEER: self.peer} | self.others()


def xgboost(name, **parameters):
    """Return XGBoost, if it is installed: by default one exact tree that grows as far as ours."""
    if not find_spec("xgboost"):
        return {}

    def make():
        import xgboost

        full = {"max_depth": 64, "min_child_weight": 0, "reg_lambda": 0, "n_jobs": 1}
        full |= {"n_estimators": 1, "tree_method": "exact"}
        return getattr(xgboost, name)(**full | parameters)

    return {"xgboost": make}


def lightgbm(name, **parameters):
    """Return LightGBM, which bins its columns, if it is installed: by default one tree."""
    if not find_spec("lightgbm"):
        return {}

    def make():
        import lightgbm

        one = {"n_estimators": 1, "n_jobs": 1, "verbose": -1}
        return getattr(lightgbm, name)(**one | parameters)

    return {"lightgbm": make}


def histogram_boosting():
    """Return scikit-learn's boosting on binned columns, with trees like ours."""
    return ensemble.HistGradientBoostingClassifier(
        max_iter=100, max_depth=3, early_stopping=False, random_state=0
    )


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
    "forest": Case(
        "forest of 100, √d",
        lambda: RandomForestClassifier(100, random_state=0),
        lambda: ensemble.RandomForestClassifier(100, random_state=0),
        make_classes,
        (1.2, 2.0, 1.8),
        lambda: xgboost(
            "XGBRFClassifier", n_estimators=100, tree_method="hist", colsample_bynode=0.2
        ),
        one_tree=False,
    ),
    "adaboost": Case(
        "AdaBoost, 200 stumps",
        lambda: AdaBoostClassifier(n_estimators=200),
        lambda: ensemble.AdaBoostClassifier(n_estimators=200, random_state=0),
        make_classes,
        (10.0, 30.0, 30.0),
        one_tree=False,
    ),
    "boosting": Case(
        "gradient boosting, 100 × depth 3",
        lambda: GradientBoostingClassifier(n_estimators=100, max_depth=3),
        lambda: ensemble.GradientBoostingClassifier(n_estimators=100, max_depth=3, random_state=0),
        make_classes,
        (3.0, 10.0, 15.0),
        lambda: (
            {HISTOGRAM: histogram_boosting}
            | xgboost("XGBClassifier", n_estimators=100, tree_method="hist", max_depth=3)
            | lightgbm("LGBMClassifier", n_estimators=100, max_depth=3, num_leaves=8)
        ),
        (0.5, 0.6, 0.6),
        one_tree=False,
    ),
}
