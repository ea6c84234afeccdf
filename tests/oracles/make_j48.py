"""Record what Weka's J48 answers: `python tests/oracles/make_j48.py FOLDER_OF_ARFF_FILES`."""

import csv
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracle import FOLDER, _typed, j48_live_many, perturbed, schema_of, write_json, write_table

REAL = [
    "weather.nominal",
    "weather.numeric",
    "contact-lenses",
    "iris",
    "labor",
    "vote",
    "breast-cancer",
    "glass",
    "ionosphere",
    "credit-g",
    "soybean",
]
OPTIONS = {"default": "", "U": "-U"}
VARIANTS = {"M5": "-M 5", "C0.1": "-C 0.1", "S": "-S", "O": "-O", "J": "-J"}
MORE = {"M1": "-M 1", "C0.5": "-C 0.5", "O-U": "-O -U", "A": "-A", "J-M3-S": "-J -M 3 -S"}


def read_arff(path):
    """Read one of Weka's ARFF files: nominal and numeric attributes, the class last."""
    schema, rows, in_data = [], [], False
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if in_data:
            rows.append(_cells(line))
        elif line.lower().startswith("@attribute"):
            name, kind = re.fullmatch(r"@\w+\s+('[^']*'|\S+)\s+(.*)", line).groups()
            column = {"name": name.strip("'"), "type": "numeric"}
            if kind.startswith("{"):
                column |= {"type": "nominal", "levels": _cells(kind.strip("{} \t"))}
            schema.append(column)
        in_data = in_data or line.lower().startswith("@data")
    columns = zip(schema, zip(*rows, strict=True), strict=True)
    return pd.concat([_typed(cells, column) for column, cells in columns], axis=1)


def _cells(line):
    [cells] = csv.reader([line], quotechar="'", skipinitialspace=True)
    return [cell.strip() for cell in cells]


def random_frame(seed):
    """Make a small table at random: mixed columns, ties, rare and unused levels, missing values."""
    rng = np.random.default_rng(seed)
    n, classes = int(rng.integers(20, 151)), int(rng.integers(2, 5))
    score = np.zeros(n)
    columns = {}
    for j in range(int(rng.integers(3, 8))):
        if rng.random() < 0.5:
            x = rng.normal(size=n).round(int(rng.integers(0, 4))) + 0.0
            score += rng.normal() * x
        else:
            levels = [f"v{k}" for k in range(int(rng.integers(2, 7)))]
            if seed % 4 == 0 and j == 1:  # more than 0.3 n values: J48 treats it apart
                levels = [f"v{k}" for k in range(n // 2)]
            present = max(2, len(levels) - int(rng.integers(0, 2)))
            code = rng.integers(0, present, n)
            score += rng.normal(size=len(levels))[code]
            x = pd.Categorical.from_codes(code, pd.Index(levels, dtype=object))
        columns[f"x{j}"] = x
    score += rng.normal(size=n) * rng.choice([0.3, 1.5])
    edges = np.quantile(score, np.arange(1, classes) / classes)
    labels = pd.Index([f"c{k}" for k in range(classes + (seed % 6 == 0))], dtype=object)
    frame = pd.DataFrame(columns)
    missing = rng.choice([0.0, 0.1, 0.3])
    for name in frame:
        frame.loc[rng.random(n) < missing, name] = np.nan
    frame["class"] = pd.Categorical.from_codes(np.searchsorted(edges, score), labels)
    return frame


def perturbation(frame, seed):
    """Choose 10 % of the cells to delete and 10 % to change, the class aside.

    A changed number becomes the mean of its own and of another row's, so that it often lies between
    two values of the training set; a changed level becomes any declared one, present or not.
    """
    rng = np.random.default_rng(seed)
    n, width = len(frame), frame.shape[1] - 1
    fate = rng.random((n, width))
    deleted = ["".join("x" if f < 0.1 else "." for f in row) + "." for row in fate]
    replaced = []
    for i, j in zip(*np.nonzero((fate >= 0.1) & (fate < 0.2)), strict=True):
        own, other = frame.iloc[i, j], frame.iloc[rng.integers(n), j]
        if isinstance(frame.dtypes.iloc[j], pd.CategoricalDtype):
            other = rng.choice(frame.dtypes.iloc[j].categories.to_numpy())
            replaced += [[int(i), int(j), other]] if pd.notna(own) else []
        elif pd.notna(own) and pd.notna(other):
            replaced.append([int(i), int(j), round((own + other) / 2, 7)])
    return {"seed": seed, "deleted": deleted, "replaced": replaced}


def main(folder):
    frames = {name: read_arff(Path(folder, f"{name}.arff")) for name in REAL}
    frames |= {f"random{seed:02d}": random_frame(seed) for seed in range(1, 13)}
    out = FOLDER / "j48"
    (out / "data").mkdir(parents=True, exist_ok=True)
    names, jobs = [], []
    for number, (data, frame) in enumerate(frames.items()):
        about = {"columns": schema_of(frame), **perturbation(frame, 100 + number)}
        write_table(out / "data" / f"{data}.csv.gz", frame, lambda x: f"{x:.15g}")
        write_json(out / "data" / f"{data}.json.gz", about)
        options = dict(OPTIONS)
        if data in ("labor", "glass", "credit-g", "soybean"):
            options |= VARIANTS
        if data == "soybean":  # has no numbers, so that -J would change nothing
            del options["J"]
        if data in ("labor", "random03", "random05"):
            options |= MORE
        new = perturbed(frame, about)
        for label, option in options.items():
            names.append((f"{data}-{label}", data))
            jobs.append((frame.iloc[:, :-1], frame.iloc[:, -1], option, new.iloc[:, :-1]))
    for (name, data), case in zip(names, j48_live_many(jobs), strict=True):
        content = {"data": data, "options": case.options, "answer": case.raw}
        write_json(out / f"{name}.json.gz", content)
    print(len(names), "cases by Weka", case.raw["version"])


if __name__ == "__main__":
    main(sys.argv[1])
