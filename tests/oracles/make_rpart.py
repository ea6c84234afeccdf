"""Record what R's rpart answers: `python tests/oracles/make_rpart.py`."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracle import (
    FOLDER,
    MISSING,
    load_rpart,
    read_json,
    read_table,
    rpart_live_many,
    schema_of,
    write_json,
    write_table,
)

INFORMATION = {"split": "information"}
GROWN = {"cp": 0, "minsplit": 2}
CARS = "Price ~ . - Type - Reliability"


def r_frames():
    """Return the data frames that rpart_data.R writes."""
    with tempfile.TemporaryDirectory() as folder:
        script = str(FOLDER / "rpart_data.R")
        subprocess.run(["Rscript", "--vanilla", script, folder], check=True)
        frames = {}
        for path in sorted(Path(folder).glob("*.csv")):
            schema = []
            for line in path.with_suffix(".levels").read_text(encoding="utf-8").splitlines():
                name, kind, *levels = line.split("\t")
                schema.append({"name": name, "type": kind} | ({"levels": levels} if levels else {}))
            frames[path.stem] = read_table(path.read_text(encoding="utf-8"), schema)
    return frames


def solder_with_holes(solder):
    """Delete 15 % of the factors' values."""
    frame = solder.copy()
    rng = np.random.default_rng(15)
    for name in ("Solder", "Mask", "PadType"):
        frame.loc[rng.random(len(frame)) < 0.15, name] = np.nan
    return frame


def random_frame(seed):
    """Make a table at random: numbers, factors, missing values; y is a class for seeds 1 to 3."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(80, 200))
    score = rng.normal(size=n) * rng.choice([0.4, 1.0])
    columns = {}
    for j in range(int(rng.integers(4, 8))):
        kind = ["number", "factor", "ordered"][j] if j < 3 else rng.choice(["number", "factor"])
        if kind == "number":
            x = rng.normal(size=n).round(int(rng.integers(1, 4))) + 0.0
            if j > 3:  # resembles the first column, so that surrogates are found
                x = (columns["x0"] + 0.5 * x).round(2)
            score += rng.normal() * x
        else:
            levels = pd.Index([f"v{k}" for k in range(int(rng.integers(2, 7)))], dtype=object)
            code = rng.integers(0, len(levels), n)
            score += rng.normal(size=len(levels))[code]
            x = pd.Categorical.from_codes(code, levels, ordered=bool(kind == "ordered"))
        columns[f"x{j}"] = x
    frame = pd.DataFrame(columns)
    missing = [0.05, 0.15, 0.3][seed % 3]
    for name in frame:
        frame.loc[rng.random(n) < missing, name] = np.nan
    classes = {1: 2, 2: 3, 3: 4}.get(seed)
    if classes:
        edges = np.quantile(score, np.arange(1, classes) / classes)
        labels = pd.Index([f"c{k}" for k in range(classes)], dtype=object)
        frame["y"] = pd.Categorical.from_codes(np.searchsorted(edges, score), labels)
    else:
        frame["y"] = score.round(3)
    return frame.dropna(subset=frame.columns[:-1], how="all").reset_index(drop=True)


def calls():
    """Yield (name, data, formula, arguments); weights is a seed for weights 1, 2, 3 or 0.5 to 2."""

    def call(name, formula, weights=None, method=None, parms=None, cost=None, **control):
        data, _, label = name.partition(":")
        more = {"method": method, "parms": parms, "cost": cost, "control": control}
        return f"{data}-{label}", data, formula, weights, more

    yield call("kyphosis:default", "Kyphosis ~ .")
    yield call("kyphosis:information", "Kyphosis ~ .", parms=INFORMATION)
    yield call("kyphosis:prior", "Kyphosis ~ .", parms={"prior": [0.65, 0.35]})
    loss = {"loss": [[0, 1], [3, 0]]}
    yield call("kyphosis:loss", "Kyphosis ~ .", parms=loss)
    both = {"prior": [0.5, 0.5], **loss, **INFORMATION}
    yield call("kyphosis:prior-loss-information", "Kyphosis ~ .", parms=both, cp=0.001)
    yield call("kyphosis:weights", "Kyphosis ~ .", weights=1)
    yield call("kyphosis:grown", "Kyphosis ~ .", **GROWN)
    yield call("kyphosis:cost", "Kyphosis ~ .", cost=[1, 1, 3])

    yield call("solder.balance:default", "skips ~ .")
    yield call("solder.balance:cp.0005", "skips ~ .", cp=0.0005)
    yield call("solder.balance:maxdepth3", "skips ~ .", cp=0.0005, maxdepth=3)
    yield call("solder.balance:class", "Opening ~ .")
    yield call("solder.balance:class-information", "Opening ~ .", parms=INFORMATION)
    yield call("solder-holes:class", "Opening ~ .")
    yield call("solder-holes:default", "skips ~ .")

    yield call("car90:anova", "Price ~ .")
    yield call("car90:anova-numbers", CARS, maxsurrogate=1, minsplit=10)
    yield call("car90:class", "Type ~ .")
    yield call("car90:class-reliability", "Reliability ~ .", minsplit=10)
    yield call("car90:usesurrogate1", "Price ~ .", usesurrogate=1, surrogatestyle=1)

    yield call("iris:default", "Species ~ .")
    yield call("iris:grown", "Species ~ .", **GROWN)
    yield call("iris:anova", "Sepal.Length ~ .")

    yield call("airquality:default", "Ozone ~ .")
    yield call("airquality:weights", "Ozone ~ .", weights=2)
    yield call("airquality:usesurrogate0", "Ozone ~ .", usesurrogate=0)
    yield call("airquality:usesurrogate1", "Ozone ~ .", usesurrogate=1)
    yield call("airquality:maxsurrogate0", "Ozone ~ .", maxsurrogate=0)
    yield call("airquality:minsplit8", "Ozone ~ .", cp=0.001, minsplit=8)

    yield call("stagec:default", "pgstat ~ . - pgtime", method="class")
    yield call("stagec:anova", "pgtime ~ . - pgstat", minbucket=4)
    yield call("stagec:style1", "pgstat ~ . - pgtime", method="class", surrogatestyle=1, cp=0.001)
    yield call("cu.summary:anova", "Price ~ .")
    yield call("cu.summary:mileage", "Mileage ~ .")
    yield call("cu.summary:class", "Reliability ~ .")
    yield call("car.test.frame:anova", "Mileage ~ .")
    yield call("car.test.frame:weight", "Mileage ~ Weight")

    variants = [
        {},
        {"cp": 0, "minsplit": 10},
        {"weights": 3, "usesurrogate": 1, "cp": 0.002},
        {"maxsurrogate": 2, "maxdepth": 4, "surrogatestyle": 1, "cp": 0.001},
    ]
    for seed in range(1, 7):
        yield call(f"random{seed}:default", "y ~ .")
        for number in (1 + seed % 3, 1 + (seed + 1) % 3):
            yield call(f"random{seed}:variant{number}", "y ~ .", **variants[number])


def terms(formula, names):
    """Read a formula: the target, and the predictors in order."""
    target, right = formula.split(" ~ ")
    included, *left_out = right.split(" - ")
    included = names if included == "." else included.split(" + ")
    return target, [name for name in included if name not in (target, *left_out)]


def main():
    frames = r_frames()
    frames["car90"] = frames["car90"].drop(columns=["Rim", "Tires", "Model2"])
    frames["solder-holes"] = solder_with_holes(frames["solder.balance"])
    frames |= {f"random{seed}": random_frame(seed) for seed in range(1, 7)}
    out = FOLDER / "rpart"
    (out / "data").mkdir(parents=True, exist_ok=True)
    for number, (data, frame) in enumerate(frames.items()):
        assert not (frame.astype(object) == MISSING).any().any()
        seed = 200 + number
        gone = np.random.default_rng(seed).random(frame.shape) < 0.4
        deleted = ["".join("x" if cell else "." for cell in row) for row in gone]
        about = {"columns": schema_of(frame), "seed": seed, "deleted": deleted}
        write_table(out / "data" / f"{data}.csv.gz", frame, lambda x: f"{x:.15g}")
        write_json(out / "data" / f"{data}.json.gz", about)

    cases = []
    for name, data, formula, weights, arguments in calls():
        target, predictors = terms(formula, list(frames[data]))
        n = int(frames[data][target].notna().sum())  # rows without a target are left out
        rng = np.random.default_rng([n, len(predictors)])
        folds = rng.permutation(np.arange(n) % 10 + 1).tolist()
        if weights is not None:
            rng = np.random.default_rng(weights)
            weights = rng.integers(1, 4, n) if weights == 1 else rng.uniform(0.5, 2, n).round(2)
            weights = weights.astype(float).tolist()
        arguments["control"]["xval"] = folds
        method = arguments["method"] or "class"
        if arguments["method"] is None and not isinstance(
            frames[data][target].dtype, pd.CategoricalDtype
        ):
            method = "anova"
        case = {"data": data, "target": target, "predictors": predictors, "method": method}
        case |= {"parms": arguments["parms"] or {}, "control": arguments["control"]}
        case |= {"weights": weights, "cost": arguments["cost"], "call": "", "answer": {}}
        write_json(out / f"{name}.json.gz", case)  # the data are then read as a test reads them
        cases.append(name)

    loaded = [load_rpart(name) for name in cases]
    keys = ("X", "y", "method", "parms", "control", "weights", "cost", "X_new")
    answers = rpart_live_many([{key: getattr(case, key) for key in keys} for case in loaded])
    for name, answer in zip(cases, answers, strict=True):
        case = read_json(out / f"{name}.json.gz")
        case |= {"call": answer.call, "answer": answer.raw}
        write_json(out / f"{name}.json.gz", case)
    print(len(cases), "cases by rpart", answer.raw["version"], "in R", answer.raw["r"])


if __name__ == "__main__":
    main()
