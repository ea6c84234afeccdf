"""Weka's J48 and R's rpart: what they answered, recorded, and the programs themselves if installed.

>>> case = load_j48("iris-default")
>>> case.leaves, case.size, case.tree[0].attribute, case.tree[0].value
(5, 9, 'petalwidth', 0.6)
>>> case = load_rpart("kyphosis-default")
>>> case.nodes[1]
('Start', 81, 17.0, 'absent', ('<', 8.5, 'right'))

`tests/oracles/README.md` tells how the records were made. `j48_live` and `rpart_live` run the real
program on any data and return the same kind of object; `available` says whether they can.
"""

import csv
import functools
import gzip
import json
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

FOLDER = Path(__file__).resolve().parent / "oracles"
MISSING = "?"


# ---- programs ------------------------------------------------------------------------------------
@functools.cache
def weka_jar():
    """Return the path of a Weka 3.9 jar, or None: WEKA_JAR first, then the usual places."""
    places = [
        os.environ.get("WEKA_JAR"),
        "/usr/share/java/weka.jar",
        "/usr/local/share/java/weka.jar",
    ]
    spec = find_spec("weka")  # the jar that python-weka-wrapper3 brings along
    if spec and spec.origin:
        places.append(Path(spec.origin).parent / "lib" / "weka.jar")
    for place in places:
        if place and Path(place).is_file() and _weka_version(place).startswith("3.9"):
            return str(place)
    return None


def _weka_version(jar):
    try:
        with zipfile.ZipFile(jar) as archive:
            return archive.read("weka/core/version.txt").decode().strip().replace("-", ".")
    except (OSError, KeyError, zipfile.BadZipFile):
        return ""


@functools.cache
def available(program):
    """Say whether "weka" (a 3.9 jar and a Java with its compiler) or "rpart" can be run here."""
    if program == "weka":
        return bool(shutil.which("java") and shutil.which("javac") and weka_jar())
    if program == "rpart":
        if not shutil.which("Rscript"):
            return False
        script = 'stopifnot(packageVersion("rpart") >= "4.1")'
        return subprocess.run(["Rscript", "-e", script], capture_output=True).returncode == 0
    raise ValueError(f"program is {program!r}; it must be 'weka' or 'rpart'")


def _run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", **more)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stderr[-3000:]}")
    return done.stdout


# ---- files ---------------------------------------------------------------------------------------
def read_json(path):
    """Read one gzipped JSON file."""
    return json.loads(gzip.decompress(Path(path).read_bytes()))


def write_json(path, content):
    """Write gzipped JSON, the same bytes every time."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    Path(path).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _typed(text, column):
    """Turn a list of texts into the Series that the schema's column asks for."""
    values = [None if cell == MISSING else cell for cell in text]
    if column["type"] == "numeric":
        values = np.array([np.nan if cell is None else float(cell) for cell in values])
        return pd.Series(values, name=column["name"])
    kind = pd.CategoricalDtype(
        pd.Index(column["levels"], dtype=object), column["type"] == "ordered"
    )
    codes = pd.Categorical(pd.Series(values, dtype=object), dtype=kind)
    return pd.Series(codes, name=column["name"])


def _text(series, number=repr):
    """Turn a Series into a list of texts; number writes a float."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        return [MISSING if pd.isna(cell) else str(cell) for cell in series]
    return [MISSING if np.isnan(cell) else number(float(cell)) for cell in series]


def schema_of(frame):
    """Describe the columns of a frame: name, type (numeric, nominal, ordered), levels in order."""
    columns = []
    for name, series in frame.items():
        if isinstance(series.dtype, pd.CategoricalDtype):
            kind = "ordered" if series.cat.ordered else "nominal"
            columns.append(
                {"name": str(name), "type": kind, "levels": [str(v) for v in series.cat.categories]}
            )
        else:
            columns.append({"name": str(name), "type": "numeric"})
    return columns


def write_table(path, frame, number=repr):
    """Write a frame as CSV (gzipped, the same bytes every time, if the name says so)."""
    lines = [_quote_row(frame.columns)]
    lines += [
        _quote_row(row) for row in zip(*(_text(frame[c], number) for c in frame), strict=True)
    ]
    content = "".join(line + "\n" for line in lines).encode()
    path = Path(path)
    path.write_bytes(gzip.compress(content, 9, mtime=0) if path.suffix == ".gz" else content)


def _quote_row(cells):
    return ",".join(
        '"' + c.replace('"', '""') + '"' if re.search('[",\n]', c) else c for c in cells
    )


def read_table(text, schema):
    """Read CSV text into a frame with the types of the schema."""
    names, *rows = csv.reader(text.splitlines())
    cells = dict(zip(names, zip(*rows, strict=True), strict=True))
    return pd.concat([_typed(cells[column["name"]], column) for column in schema], axis=1)


@functools.cache
def _data(program, name):
    """Return (frame, perturbed frame, what else data/NAME.json.gz says) of a recorded data set."""
    folder = FOLDER / program / "data"
    about = read_json(folder / f"{name}.json.gz")
    text = gzip.decompress((folder / f"{name}.csv.gz").read_bytes()).decode()
    frame = read_table(text, about["columns"])
    return frame, perturbed(frame, about), about


def perturbed(frame, about):
    """Return the frame with about["deleted"] cells missing and about["replaced"] cells changed."""
    new = frame.copy()
    gone = np.array([[mark == "x" for mark in row] for row in about["deleted"]])
    for j, name in enumerate(frame):
        new.loc[gone[:, j], name] = np.nan
    for i, j, value in about.get("replaced", []):
        new.iloc[i, j] = value
    return new


def _distinct(rows):
    """Store a list of lists as its distinct members and, per row, which one it is."""
    members = {}
    which = [members.setdefault(tuple(row), len(members)) for row in rows]
    return {"rows": [list(member) for member in members], "which": which}


def _spread(stored):
    rows = [[np.nan if cell is None else cell for cell in row] for row in stored["rows"]]
    return np.array(rows, dtype=float)[stored["which"]]


# ---- J48 -----------------------------------------------------------------------------------------
class J48Branch(NamedTuple):
    """One line of a printed tree: the test that leads here, and a leaf or further branches."""

    attribute: str | None  # None: the tree is one leaf
    operator: str | None  # "<=", ">" or "="
    value: float | str | None
    leaf: str | None  # its class; None: this is an inner node
    n: float | None  # weight of the cases in the leaf, rounded to 2 decimals by Weka
    e: float | None  # weight of those of another class
    branches: tuple


@dataclass
class J48:
    """A data set, the options of J48, and what J48 answered."""

    X: pd.DataFrame
    y: pd.Series
    options: str
    X_new: pd.DataFrame | None  # X with cells deleted and changed
    raw: dict = field(repr=False)  # the answer as JSON
    name: str = ""

    @property
    def classes(self):
        """Return the declared class labels in order, also those no row has."""
        return list(self.y.cat.categories)

    @property
    def text(self):
        """Return the printed tree exactly as Weka prints it."""
        return self.raw["text"]

    @property
    def tree(self):
        """Return the printed tree as nested tuples (J48Branch)."""
        return parse_j48(self.text)

    @property
    def leaves(self):
        return self.raw["leaves"]

    @property
    def size(self):
        return self.raw["size"]

    @property
    def predicted(self):
        """Return the predicted label of each row of X."""
        return np.array(self.classes, dtype=object)[self.raw["train"]["predicted"]]

    @property
    def distribution(self):
        """Return the class distribution of each row of X (columns as in classes)."""
        return _spread(self.raw["train"]["distribution"])

    @property
    def predicted_new(self):
        return np.array(self.classes, dtype=object)[self.raw["new"]["predicted"]]

    @property
    def distribution_new(self):
        return _spread(self.raw["new"]["distribution"])


LINE = re.compile(
    r"(?P<bars>(?:\|   )*)(?P<attribute>.+?) (?P<operator><=|>|=) (?P<value>.*?)"
    r"(?:: (?P<leaf>.*) \((?P<n>[\d.E-]+)(?:/(?P<e>[\d.E-]+))?\))?"
)
LEAF = re.compile(r": (?P<leaf>.*) \((?P<n>[\d.E-]+)(?:/(?P<e>[\d.E-]+))?\)")


def parse_j48(text):
    r"""Turn a tree as J48 prints it into nested J48Branch tuples.

    >>> parse_j48("x <= 2.5: no (3.0)\nx > 2.5\n|   c = a: yes (2.0/1.0)\n|   c = b: no (4.0)")[0]
    J48Branch(attribute='x', operator='<=', value=2.5, leaf='no', n=3.0, e=0.0, branches=())
    """
    lines = [
        line
        for line in text.splitlines()
        if line.strip() and not re.match(r"J48 |-+$|Number of Leaves|Size of the tree", line)
    ]
    if len(lines) == 1:
        found = LEAF.fullmatch(lines[0])
        n, e = float(found["n"]), float(found["e"] or 0)
        return (J48Branch(None, None, None, found["leaf"], n, e, ()),)
    parsed = [LINE.fullmatch(line) for line in lines]
    if None in parsed:
        raise ValueError(f"not a line of a J48 tree: {lines[parsed.index(None)]!r}")
    branches, used = _branches(parsed, 0, 0)
    assert used == len(parsed)
    return branches


def _branches(lines, at, depth):
    found = []
    while at < len(lines) and len(lines[at]["bars"]) == 4 * depth:
        line = lines[at]
        value = line["value"] if line["operator"] == "=" else float(line["value"])
        at += 1
        if line["leaf"] is not None:
            leaf, below = (line["leaf"], float(line["n"]), float(line["e"] or 0)), ()
        else:
            leaf = (None, None, None)
            below, at = _branches(lines, at, depth + 1)
        found.append(J48Branch(line["attribute"], line["operator"], value, *leaf, below))
    return tuple(found), at


def j48_cases():
    """Return the names of the recorded J48 cases."""
    return sorted(path.name.removesuffix(".json.gz") for path in (FOLDER / "j48").glob("*.json.gz"))


def load_j48(name):
    """Return a recorded case: data, options and J48's answer."""
    case = read_json(FOLDER / "j48" / f"{name}.json.gz")
    frame, new, _ = _data("j48", case["data"])
    X, y = frame.iloc[:, :-1].copy(), frame.iloc[:, -1].copy()
    return J48(X, y, case["options"], new.iloc[:, :-1].copy(), case["answer"], name)


def write_arff(path, X, y):
    """Write X and y as an ARFF file; y stands last and must be categorical."""

    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    frame = pd.concat([X, y.rename(_class_name(X, y))], axis=1)
    lines = ["@relation data"]
    columns = []
    for column in schema_of(frame):
        levels = column.get("levels")
        kind = "numeric" if levels is None else "{" + ",".join(map(quoted, levels)) + "}"
        lines.append(f"@attribute {quoted(column['name'])} {kind}")
        cells = _text(frame[column["name"]])
        known = quoted if levels is not None else str
        columns.append([cell if cell == MISSING else known(cell) for cell in cells])
    lines += ["@data", *map(",".join, zip(*columns, strict=True))]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _class_name(X, y):
    name = str(y.name) if y.name is not None else "class"
    return name if name not in X else name + "_"


def j48_live(X, y, options="", X_new=None):
    """Run J48 on X and y; its answer also covers X_new if given.

    Numbers are numeric attributes, categorical columns nominal ones with their categories as the
    declared values, NaN is missing. y is made categorical if it is not (labels sorted).
    """
    return j48_live_many([(X, y, options, X_new)])[0]


def j48_live_many(jobs):
    """Run J48 on several (X, y, options, X_new) in one Java process."""
    jobs = [
        (X.reset_index(drop=True), _categorical(y), options, X_new) for X, y, options, X_new in jobs
    ]
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for i, (X, y, options, X_new) in enumerate(jobs):
            train, new = Path(folder, f"{i}.arff"), ""
            write_arff(train, X, y)
            if X_new is not None:
                new = Path(folder, f"{i}.new.arff")
                nothing = pd.Series(
                    pd.Categorical([np.nan] * len(X_new), dtype=y.dtype), name=y.name
                )
                write_arff(new, X_new.reset_index(drop=True), nothing)
            lines.append(f"{options}\t{train}\t{new}")
        Path(folder, "jobs").write_text("\n".join(lines) + "\n", encoding="utf-8")
        java = ["java", "-Dweka.packageManager.offline=true", "-Dfile.encoding=UTF-8"]
        program = [str(FOLDER / "J48Oracle.java"), str(Path(folder, "jobs"))]
        home = {**os.environ, "WEKA_HOME": folder}  # where Weka would keep its packages
        answers = _run([*java, "-cp", weka_jar(), *program], env=home).splitlines()
    found = []
    for (X, y, options, X_new), line in zip(jobs, answers, strict=True):
        raw = json.loads(line)
        for part in {"train", "new"} & set(raw):
            rows = raw[part]["distribution"]
            raw[part]["distribution"] = _distinct([float(f"{p:.13g}") for p in row] for row in rows)
        found.append(J48(X, y, options, X_new, raw))
    return found


def _categorical(y):
    y = pd.Series(y).reset_index(drop=True)
    return y if isinstance(y.dtype, pd.CategoricalDtype) else y.astype(str).astype("category")


# ---- rpart ---------------------------------------------------------------------------------------
@dataclass
class Rpart:
    """A data set, a call of rpart, and what rpart answered."""

    X: pd.DataFrame
    y: pd.Series
    method: str  # "class" or "anova"
    parms: dict  # prior: list, loss: list of rows (true class), split: "gini" or "information"
    control: dict  # arguments of rpart.control; xval: 0 or a fold number (from 1) per row
    weights: np.ndarray | None
    cost: list | None
    X_new: pd.DataFrame | None  # X with cells deleted
    call: str  # the call in R's words
    raw: dict = field(repr=False)  # the answer as JSON
    name: str = ""

    @property
    def classes(self):
        return list(self.y.cat.categories) if self.method == "class" else None

    @property
    def frame(self):
        """Return R's frame, indexed by node number; a class method has a column yval2 of lists.

        yval is R's (class: code from 1); yval2 is (code, class weights, class shares, node share).
        """
        columns = dict(self.raw["frame"])
        index = pd.Index(columns.pop("node"), name="node")
        return pd.DataFrame(columns, index=index)

    @property
    def splits(self):
        """Return R's splits with, of each, node and role (primary, competitor or surrogate).

        As in R: improve is the agreement in a surrogate's row; ncat is −1 where "< index" goes
        left, +1 where it goes right, and the number of levels for a factor, whose index is then
        the row of csplit, counted from 1.
        """
        names = ["node", "role", "var", "count", "ncat", "improve", "index", "adj"]
        return pd.DataFrame(self.raw["splits"] or {name: [] for name in names})

    @property
    def csplit(self):
        """Return R's csplit: per level 1 left, 3 right, 2 neither (also beyond the last level)."""
        return np.array(self.raw["csplit"] or [], dtype=int)

    @property
    def cptable(self):
        return pd.DataFrame(self.raw["cptable"]["value"], columns=self.raw["cptable"]["name"])

    @property
    def importance(self):
        """Return {variable: importance}, largest first."""
        return _named(self.raw["importance"])

    @property
    def kept(self):
        """Return the positions of the rows that R used (it drops rows without any predictor)."""
        return np.array(self.raw["kept"])

    @property
    def where(self):
        """Return the node number in which each kept row ended in growing."""
        return np.array(self.raw["where"])

    @property
    def node(self):
        """Return the node number that predicts each row of X."""
        return np.array(self.raw["train"]["node"])

    @property
    def value(self):
        """Return R's prediction for each row of X: class shares (n, classes) or values (n,)."""
        return self._value("train")

    @property
    def node_new(self):
        return np.array(self.raw["new"]["node"])

    @property
    def value_new(self):
        return self._value("new")

    def _value(self, part):
        value = _spread(self.raw[part]["value"])
        return value if self.method == "class" else value[:, 0]

    @property
    def pruned(self):
        """Return (cp, node numbers, importance) of prune(fit, cp) at the middle row of cptable."""
        pruned = self.raw["pruned"]
        return pruned["cp"], pruned["node"], _named(pruned["importance"])

    @property
    def xerror_comparable(self):
        """Say no where R's own xerror is wrong: usesurrogate 0 and missing values."""
        return self.control.get("usesurrogate", 2) != 0 or not self.X.isna().any().any()

    @property
    def ties(self):
        """Return the nodes whose first two splits are equally good: R chose by its rounding."""
        first, second = (self.splits[self.splits["role"] == r] for r in ("primary", "competitor"))
        second = second.groupby("node")["improve"].max()
        first = first.set_index("node")["improve"].reindex(second.index)
        return second.index[first - second <= 1e-9 * first].tolist()

    @property
    def nodes(self):
        """Return {node number: (var, n, dev, yval, split)}.

        yval is a label for classes; split is None for a leaf, ("<", cut, son) for a number (son,
        "left" or "right", gets the values below the cut; an ordered factor counts from 1), and
        ("in", levels left, levels right) for a factor.
        """
        first = self.splits.drop_duplicates("node").set_index("node")
        columns = [self.raw["frame"][name] for name in ("node", "var", "n", "dev", "yval")]
        found = {}
        for node, var, n, dev, value in zip(*columns, strict=True):
            value = self.classes[value - 1] if self.classes else float(value)
            split = self.describe(first.loc[node]) if node in first.index else None
            found[node] = (var, n, float(dev), value, split)
        return found

    def describe(self, split):
        """Describe one row of splits, as in nodes."""
        if abs(split["ncat"]) == 1:
            return ("<", float(split["index"]), "left" if split["ncat"] < 0 else "right")
        levels = self.X[split["var"]].cat.categories
        sides = self.csplit[int(split["index"]) - 1][: len(levels)]
        return ("in", *(tuple(levels[sides == side]) for side in (1, 3)))


def _named(stored):
    return dict(zip(stored["name"], stored["value"], strict=True)) if stored else {}


def rpart_cases():
    """Return the names of the recorded rpart cases."""
    return sorted(
        path.name.removesuffix(".json.gz") for path in (FOLDER / "rpart").glob("*.json.gz")
    )


def load_rpart(name):
    """Return a recorded case: data, call and rpart's answer."""
    case = read_json(FOLDER / "rpart" / f"{name}.json.gz")
    frame, new, _ = _data("rpart", case["data"])
    rows = frame[case["target"]].notna()  # the call was made with these only
    frame, new = (table[rows].reset_index(drop=True) for table in (frame, new))
    y = frame[case["target"]]
    if case["method"] == "class" and not isinstance(y.dtype, pd.CategoricalDtype):
        y = _typed([f"{v:g}" for v in y], {**schema_class(y), "name": y.name})
    weights = None if case["weights"] is None else np.array(case["weights"], dtype=float)
    arguments = case["method"], case["parms"], case["control"], weights, case["cost"]
    X, X_new = frame[case["predictors"]], new[case["predictors"]]
    return Rpart(X, y, *arguments, X_new, case["call"], case["answer"], name)


def schema_class(y):
    """Describe a numeric target as classes: its distinct values in order."""
    return {"type": "nominal", "levels": [f"{value:g}" for value in sorted(y.dropna().unique())]}


def _r(value):
    """Write a Python value in R's words."""
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (list, tuple, np.ndarray)):
        if len(value) and isinstance(value[0], (list, tuple, np.ndarray)):
            cells = ", ".join(_r(cell) for row in value for cell in row)
            return f"matrix(c({cells}), nrow = {len(value)}, byrow = TRUE)"
        return f"c({', '.join(map(_r, value))})"
    if isinstance(value, dict):
        return f"list({', '.join(f'{_name(k)} = {_r(v)}' for k, v in value.items())})"
    return f"{value:.17g}" if float(f"{value:.15g}") != value else f"{value:.15g}"


def _name(name):
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9._]*", name)
    return name if plain else "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def rpart_call(X, y, method, parms, control, weights, cost):
    """Return the call of rpart in R's words; long vectors are named case_weights and folds."""
    arguments = [f"{_name(y.name)} ~ {' + '.join(_name(str(c)) for c in X)}", "data = d"]
    if weights is not None:
        arguments.append("weights = case_weights")
    arguments.append(f"method = {_r(method)}")
    if parms:
        arguments.append(f"parms = {_r(parms)}")
    options = {k: v for k, v in control.items() if k != "xval"}
    folds = "0" if np.ndim(control.get("xval", 0)) == 0 else "folds"
    shown = [f"{k} = {_r(v)}" for k, v in options.items()] + [f"xval = {folds}"]
    arguments.append(f"control = rpart.control({', '.join(shown)})")
    if cost is not None:
        arguments.append(f"cost = {_r(cost)}")
    return f"rpart({', '.join(arguments)})"


def rpart_live(X, y, method=None, parms=None, control=None, weights=None, cost=None, X_new=None):
    """Run rpart on X and y (formula: the columns of X in order); also predict X_new if given.

    Categorical columns are factors (ordered ones ordered factors), all else numbers, NaN is NA.
    method is "class" for a categorical (or text) y, else "anova". control goes to rpart.control;
    its xval is 0 unless given as a vector of fold numbers from 1.
    """
    job = {"method": method, "parms": parms, "control": control, "weights": weights}
    return rpart_live_many([{"X": X, "y": y, **job, "cost": cost, "X_new": X_new}])[0]


def rpart_live_many(jobs):
    """Run rpart on several jobs, each a dict of the arguments of rpart_live, in one R process."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for i, job in enumerate(jobs):
            case = _rpart_job(**job)
            found.append(case)
            _write_job(Path(folder, f"{i:05d}"), case)
        _run(["Rscript", "--vanilla", str(FOLDER / "rpart_oracle.R"), folder])
        for i, case in enumerate(found):
            text = Path(folder, f"{i:05d}", "result.json").read_text(encoding="utf-8")
            case.raw.update(_compact(json.loads(text)))
    return found


def _rpart_job(X, y, method=None, parms=None, control=None, weights=None, cost=None, X_new=None):
    y = pd.Series(y).reset_index(drop=True)
    if method is None:
        method = "anova" if pd.api.types.is_numeric_dtype(y.dtype) else "class"
    y = _categorical(y) if method == "class" else y.astype(float)
    y = y.rename(_class_name(X, y) if y.name is not None else "y")
    X = X.reset_index(drop=True)
    control, parms = dict(control or {}), dict(parms or {})
    if weights is not None:
        weights = np.asarray(weights, dtype=float)
    call = rpart_call(X, y, method, parms, control, weights, cost)
    return Rpart(X, y, method, parms, control, weights, cost, X_new, call, {})


def _write_job(folder, case):
    folder.mkdir()
    train = pd.concat([case.X, case.y], axis=1)
    write_table(folder / "data.csv", train, float.hex)
    columns = schema_of(train)
    levels = {column["name"]: column["levels"] for column in columns if "levels" in column}
    ordered = [column["name"] for column in columns if column["type"] == "ordered"]
    lines = [f"levels <- {_r(levels)}", f"ordered <- {_r(ordered)}"]
    lines.append('d <- read_table(file.path(folder, "data.csv"), levels, ordered)')
    if case.X_new is not None:
        write_table(folder / "new.csv", case.X_new, float.hex)
        lines.append('new <- read_table(file.path(folder, "new.csv"), levels, ordered)')
    else:
        lines.append("new <- NULL")
    if case.weights is not None:
        lines.append(f"case_weights <- {_r(case.weights)}")
    if np.ndim(case.control.get("xval", 0)):
        lines.append(f"folds <- {_r(case.control['xval'])}")
    lines.append(f"fit <- {case.call}")
    (folder / "job.R").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _compact(raw):
    """Undo what R's JSON writer cannot know: single values, whole numbers, repeated rows."""
    raw["version"], raw["r"] = raw["version"][0], raw["r"][0]
    raw["pruned"]["cp"] = raw["pruned"]["cp"][0]
    for part in ("train", "new"):
        if raw[part]:
            raw[part]["value"] = _distinct(raw[part]["value"])
    return raw
