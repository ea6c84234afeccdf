"""Run the benchmark of lesson 09: ten data sets, seven learners, ten random splits each.

    python tools/studies/09_benchmark.py

writes mlcourse/data/study_09_benchmark.csv, which lesson 09 reads: a row per data set and learner,
with the mean and the standard deviation of the test error in percent. It takes about ten minutes
on one core; the same versions give the same file. Names of data sets after the command run these
only, and print instead of writing.

The protocol is that of lecture document 001 (Rätsch, Onoda and Müller 2001), shortened: ten splits
instead of a hundred. The training sizes are theirs, and so are the whole numbers in place of words
(C4.5 gets the words). The parameters of a learner are those of least 5-fold cross-validated error,
averaged over the first three training sets (theirs: five); then each split is learned and tested.
"""

import csv
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

import mlcourse
from mlcourse import (
    AdaBoostClassifier,
    C45Classifier,
    CARTClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)

OUT = Path(__file__).resolve().parents[2] / "mlcourse" / "data" / "study_09_benchmark.csv"
SPLITS, TUNED, FOLDS = 10, 3, 5
ROUNDS = (10, 30, 100)  # of boosting, from which cross validation chooses

# Name: how to get the rows, and how many of them are for training.
DATA = {
    "banana": (mlcourse.load_banana, 400),
    "breast cancer": (mlcourse.load_breast_cancer_ljubljana, 200),
    "german": (mlcourse.load_german, 700),
    "heart": (mlcourse.load_heart, 170),
    "ringnorm": (lambda: mlcourse.make_ringnorm(7400, random_state=0), 400),
    "flare solar": (mlcourse.load_flare_solar, 666),
    "thyroid": (mlcourse.load_thyroid, 140),
    "titanic": (mlcourse.load_titanic, 150),
    "twonorm": (lambda: mlcourse.make_twonorm(7400, random_state=0), 400),
    "waveform": (lambda: mlcourse.make_waveform(5000, random_state=0, n_classes=2), 400),
}


def read(name):
    """Return X, y (n,) and the number of training rows; rows with a missing value are left out."""
    load, n_train = DATA[name]
    X, y = load()
    X, y = pd.DataFrame(X).rename(columns=str), np.asarray(y)
    whole = X.notna().all(axis=1).to_numpy()
    return X[whole].reset_index(drop=True), y[whole], n_train


def split(n, n_train, seed):
    """Return the rows for training and for testing of one split."""
    order = np.random.default_rng(seed).permutation(n)
    return order[:n_train], order[n_train:]


def as_numbers(X):
    """Return the table as floats; a word becomes its place among the words of its column."""
    words = X.select_dtypes("category")
    return X.assign(**{name: words[name].cat.codes for name in words}).to_numpy(dtype=float)


def standardized(train, *others):
    """Return the tables, moved and scaled so that the training columns have mean 0 and sd 1."""
    mean, sd = train.mean(axis=0), train.std(axis=0)
    sd[sd == 0] = 1.0
    return [(table - mean) / sd for table in (train, *others)]


class Learner:
    """One column of the table: how it is made, and the parameters that are tried.

    ``stages`` are the numbers of rounds that are tried, if the learner boosts. ``scale`` asks for
    standardized columns, ``words`` for the table as it is.
    """

    def __init__(self, make, grid=({},), stages=None, scale=False, words=False):
        self.make, self.grid, self.stages = make, list(grid), stages
        self.scale, self.words = scale, words

    def errors(self, parameters, X, y, train, test):
        """Return the test error after each number of rounds in ``stages``; one without stages."""
        table = X if self.words else as_numbers(X)
        pick = table.iloc.__getitem__ if self.words else table.__getitem__
        tables = pick(train), pick(test)
        if self.scale:
            tables = standardized(*tables)
        model = self.make(**parameters).fit(tables[0], y[train])
        if self.stages is None:
            return [np.mean(model.predict(tables[1]) != y[test])]
        answers = list(model.staged_predict(tables[1]))  # fewer if boosting stopped
        return [np.mean(answers[min(t, len(answers)) - 1] != y[test]) for t in self.stages]

    def tuned(self, X, y, trains, grid):
        """Return the parameters and the stage of least cross-validated error."""
        if len(grid) == 1 and self.stages is None:
            return grid[0], 0
        total = np.zeros((len(grid), len(self.stages or [0])))
        for train in trains:
            for fit, held in KFold(FOLDS).split(train):
                for g, parameters in enumerate(grid):
                    total[g] += self.errors(parameters, X, y, train[fit], train[held])
        g, stage = np.unravel_index(total.argmin(), total.shape)
        return grid[g], int(stage)


def boosted(depth, C=0.0):
    """Return AdaBoost of stumps (depth 1) or of small trees; C is the soft margin's."""
    base = None if depth == 1 else CARTClassifier(max_depth=depth)
    return AdaBoostClassifier(base, n_estimators=ROUNDS[-1], store_weights=False, regularization=C)


def softened(depth):
    """Return what is tried for the regularized AdaBoost, given the depth that AdaBoost chose."""
    return [{"depth": depth, "C": C} for C in (0.05, 0.2, 0.8)]


LEARNERS = {
    "KNN": Learner(
        lambda k: KNeighborsClassifier(k), [{"k": k} for k in (1, 3, 5, 9, 15, 25, 41)], scale=True
    ),
    "C4.5": Learner(C45Classifier, words=True),
    "AB": Learner(boosted, [{"depth": depth} for depth in (1, 3)], ROUNDS),
    "AB_R": Learner(boosted, stages=ROUNDS),
    "forest": Learner(
        lambda leaf: RandomForestClassifier(200, min_samples_leaf=leaf, random_state=0),
        [{"leaf": leaf} for leaf in (1, 5, 10)],
    ),
    "GB": Learner(
        lambda depth: GradientBoostingClassifier(
            max_depth=depth, n_estimators=ROUNDS[-1], random_state=0
        ),
        [{"depth": depth} for depth in (1, 3)],
        ROUNDS,
    ),
    "SVM": Learner(
        lambda C, gamma: SVC(C=C, gamma=gamma),
        [{"C": C, "gamma": g} for C in (0.3, 1, 10, 100) for g in (0.003, 0.01, 0.03, 0.1, 0.5)],
        scale=True,
    ),
}


def study(name):
    """Return the rows of one data set."""
    X, y, n_train = read(name)
    splits = [split(len(y), n_train, seed) for seed in range(SPLITS)]
    rows, chosen = [], {}
    for column, learner in LEARNERS.items():
        grid = softened(chosen["AB"]["depth"]) if column == "AB_R" else learner.grid
        parameters, stage = learner.tuned(X, y, [train for train, _ in splits[:TUNED]], grid)
        errors = [learner.errors(parameters, X, y, *each)[stage] for each in splits]
        rounds = {"rounds": learner.stages[stage]} if learner.stages else {}
        chosen[column] = parameters | rounds
        rows.append({
            "data": name, "learner": column, "n_train": n_train, "n_test": len(y) - n_train,
            "splits": SPLITS, "mean": f"{100 * np.mean(errors):.4f}",
            "sd": f"{100 * np.std(errors, ddof=1):.4f}",
            "parameters": " ".join(f"{key}={value}" for key, value in chosen[column].items()),
        })  # fmt: skip
    return rows


def main(names):
    """Run the study, of all data sets or of those named."""
    rows = []
    for name in names or DATA:
        rows += study(name)
        for row in rows[-len(LEARNERS) :]:
            print(*row.values(), sep="  ", flush=True)
    if not names:
        with OUT.open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            table.writeheader()
            table.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
