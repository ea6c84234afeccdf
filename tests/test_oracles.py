"""The records of J48 and rpart: the numbers known before, whole and well formed, equal to a run."""

import gzip
import os
import subprocess
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from oracle import (
    FOLDER,
    J48Branch,
    available,
    j48_cases,
    j48_live,
    j48_live_many,
    load_j48,
    load_rpart,
    parse_j48,
    read_json,
    rpart_cases,
    rpart_live,
    rpart_live_many,
    weka_jar,
    write_arff,
)

needs_weka = pytest.mark.skipif(
    not available("weka"), reason="needs java, javac and a weka.jar 3.9 (set WEKA_JAR)"
)
needs_rpart = pytest.mark.skipif(not available("rpart"), reason="needs Rscript with rpart 4.1")

# Leaves, size and correctly classified training rows; default and -U.
SUMMARY = {
    "iris": ((5, 9, 147), (5, 9, 147)),
    "weather.numeric": ((5, 8, 14), (5, 8, 14)),
    "weather.nominal": ((5, 8, 14), None),
    "contact-lenses": ((4, 7, 22), None),
    "labor": ((3, 5, 50), (13, 22, 55)),
    "vote": ((6, 11, 423), (19, 37, 426)),
    "breast-cancer": ((4, 6, 217), (152, 179, 252)),
    "glass": ((30, 59, 206), (30, 59, 206)),
    "ionosphere": ((18, 35, 350), (18, 35, 350)),
    "credit-g": ((103, 140, 855), (359, 466, 940)),
    "soybean": ((61, 93, 658), (121, 175, 668)),
}


def leaves_below(branches):
    return sum(1 if b.leaf is not None else leaves_below(b.branches) for b in branches)


def nodes_below(branches):
    return 1 + sum(1 if b.leaf is not None else nodes_below(b.branches) for b in branches)


def routed(branches, rows):
    """Send rows without missing values down the printed tree; return the labels."""
    labels = pd.Series(index=rows.index, dtype=object)
    for branch in branches:
        x = rows[branch.attribute] if branch.attribute else None
        if branch.operator == "=":
            here = rows[x == branch.value]
        elif branch.operator:
            here = rows[(x <= branch.value) == (branch.operator == "<=")]
        else:
            here = rows
        labels[here.index] = branch.leaf or routed(branch.branches, here)
    return labels


# ---- quick: the records --------------------------------------------------------------------------
@pytest.mark.parametrize("name", SUMMARY)
def test_j48_gives_the_numbers_known_before(name):
    for options, expected in zip(("default", "U"), SUMMARY[name], strict=True):
        case = load_j48(f"{name}-{options}")
        right = int((case.predicted == case.y.astype(object)).sum())
        assert expected in (None, (case.leaves, case.size, right))


@pytest.mark.parametrize("name", j48_cases())
def test_j48_record_is_whole(name):
    case = load_j48(name)
    assert case.raw["version"].startswith("3.9")
    single = case.tree[0].attribute is None
    assert leaves_below(case.tree) == case.leaves
    assert (1 if single else nodes_below(case.tree)) == case.size
    assert f"Number of Leaves  : \t{case.leaves}" in case.text
    for X, predicted, shares in (
        (case.X, case.predicted, case.distribution),
        (case.X_new, case.predicted_new, case.distribution_new),
    ):
        assert list(X) == list(case.X) and (X.dtypes == case.X.dtypes).all()
        assert shares.shape == (len(X), len(case.classes))
        np.testing.assert_allclose(shares.sum(1), 1, atol=1e-9)
        if "-A" not in case.options:  # Weka's -A smooths the shares, not the predicted class
            assert (shares.max(1) - 1e-9 <= shares[range(len(X)), codes(case, predicted)]).all()
        full = X[X.notna().all(axis=1)]
        assert (routed(case.tree, full) == predicted[full.index]).all()
    known = case.X.notna().to_numpy()
    assert case.X_new.notna().to_numpy()[~known].sum() == 0
    deleted = (case.X_new.isna().to_numpy() & known).sum() / known.sum()
    assert len(case.X) < 30 or 0.05 < deleted < 0.15


def codes(case, labels):
    return pd.Categorical(labels, categories=case.y.cat.categories).codes


def test_j48_declares_what_no_row_has():
    glass = load_j48("glass-default")
    assert "vehic wind non-float" in glass.classes
    assert "vehic wind non-float" not in set(glass.y)
    assert list(load_j48("weather.nominal-default").X["outlook"].cat.categories) == [
        "sunny",
        "overcast",
        "rainy",
    ]


def test_j48_tree_as_tuples():
    windy = (J48Branch("windy", "=", "TRUE", "no", 2, 0, ()),)
    windy += (J48Branch("windy", "=", "FALSE", "yes", 3, 0, ()),)
    tree = load_j48("weather.numeric-default").tree
    assert tree[2] == ("outlook", "=", "rainy", None, None, None, windy)
    assert tree[0].branches[0] == ("humidity", "<=", 75.0, "yes", 2.0, 0.0, ())
    assert load_j48("random08-default").tree[0][:3] == (None, None, None)
    labor = load_j48("labor-default").tree
    assert labor[0] == ("wage-increase-first-year", "<=", 2.5, "bad", 15.27, 2.27, ())
    assert labor[1].branches[0] == ("statutory-holidays", "<=", 10, "bad", 10.77, 4.77, ())
    with pytest.raises(ValueError, match="not a line"):
        parse_j48("a <= 1: x (2.0)\nnonsense")


def test_kyphosis_gives_the_numbers_known_before():
    case = load_rpart("kyphosis-default")
    assert case.nodes == {
        1: ("Start", 81, 17, "absent", ("<", 8.5, "right")),
        2: ("Start", 62, 6, "absent", ("<", 14.5, "right")),
        4: ("<leaf>", 29, 0, "absent", None),
        5: ("Age", 33, 6, "absent", ("<", 55, "left")),
        10: ("<leaf>", 12, 0, "absent", None),
        11: ("Age", 21, 6, "absent", ("<", 111, "right")),
        22: ("<leaf>", 14, 2, "absent", None),
        23: ("<leaf>", 7, 3, "present", None),
        3: ("<leaf>", 19, 8, "present", None),
    }
    table = case.cptable
    np.testing.assert_allclose(table["CP"], [3 / 17, 1 / 51, 0.01], rtol=1e-12)
    assert table["nsplit"].tolist() == [0, 1, 4]
    np.testing.assert_allclose(table["rel error"], [1, 14 / 17, 13 / 17], rtol=1e-12)
    root = case.splits[case.splits["node"] == 1]
    assert root["role"].tolist() == ["primary", "competitor", "competitor", "surrogate"]
    assert root["var"].tolist() == ["Start", "Number", "Age", "Number"]
    assert root["index"].tolist() == [8.5, 5.5, 39.5, 6.5]
    np.testing.assert_allclose(root["improve"].iloc[:3], [6.762330, 2.866795, 2.250212], atol=1e-6)
    np.testing.assert_allclose(root.iloc[3][["improve", "adj"]].astype(float), [65 / 81, 3 / 19])
    assert case.importance == pytest.approx(
        {"Start": 8.198442, "Age": 3.101801, "Number": 1.521863}, abs=1e-6
    )


@pytest.mark.parametrize("name", rpart_cases())
def test_rpart_record_is_whole(name):
    case = load_rpart(name)
    frame, splits, n = case.frame, case.splits, len(case.X)
    assert case.raw["version"].startswith("4.1")
    assert len(case.y) == n == len(case.kept) == len(case.where) == len(case.control["xval"])
    assert case.y.notna().all()
    assert list(case.X_new) == list(case.X) and (case.X_new.dtypes == case.X.dtypes).all()
    known = case.X.notna().to_numpy()
    assert 0.3 < (case.X_new.isna().to_numpy() & known).sum() / known.sum() < 0.5
    inner = frame.index[frame["var"] != "<leaf>"]
    roles = splits.groupby(["node", "role"]).size()
    for node in inner:
        counts = (1, *frame.loc[node, ["ncompete", "nsurrogate"]])
        names = ("primary", "competitor", "surrogate")
        assert counts == tuple(roles.get((node, role), 0) for role in names)
        assert {2 * node, 2 * node + 1} <= set(frame.index)
    assert set(splits["node"]) == set(inner)
    for nodes, value in ((case.node, case.value), (case.node_new, case.value_new)):
        assert len(nodes) == len(value) == n
        expected = frame["yval"].loc[nodes] if case.method == "anova" else shares(case, nodes)
        np.testing.assert_allclose(value, expected, rtol=1e-12)
    assert frame.loc[1, "n"] == n
    assert case.cptable["nsplit"].iloc[-1] == len(inner)
    np.testing.assert_allclose(case.cptable["rel error"].iloc[0], 1)
    for row in splits.to_dict("records"):
        assert len(case.describe(row)) == 3


def shares(case, nodes):
    k = len(case.classes)
    return np.array(case.frame["yval2"].loc[nodes].tolist())[:, 1 + k : 1 + 2 * k]


def test_equally_good_splits_go_to_the_first_variable_of_the_formula():
    found = 0
    for name in rpart_cases():
        case = load_rpart(name)
        for node in case.ties:
            rows = case.splits[(case.splits["node"] == node) & (case.splits["role"] != "surrogate")]
            best = rows["improve"].iloc[0]
            tied = rows["var"][best - rows["improve"] <= 1e-9 * best]
            places = [list(case.X).index(var) for var in tied]
            assert places == sorted(places)
            found += 1
    assert found > 10


def test_records_are_small_and_carry_no_time():
    files = [
        path for path in FOLDER.rglob("*") if path.is_file() and "__pycache__" not in str(path)
    ]
    assert sum(path.stat().st_size for path in files) < 600_000
    for path in files:
        if path.suffix == ".gz":
            assert path.read_bytes()[4:8] == bytes(4)
            assert gzip.decompress(path.read_bytes())


def test_available_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match="'weka' or 'rpart'"):
        available("sas")


# ---- slow: the programs --------------------------------------------------------------------------
@pytest.mark.slow
@needs_weka
def test_j48_answers_as_recorded():
    cases = [load_j48(name) for name in j48_cases()]
    answers = j48_live_many([(case.X, case.y, case.options, case.X_new) for case in cases])
    for case, answer in zip(cases, answers, strict=True):
        assert answer.raw == {**case.raw, "version": answer.raw["version"]}, case.name


@pytest.mark.slow
@needs_weka
@pytest.mark.parametrize("name", ["labor-default", "soybean-U", "credit-g-C0.1"])
def test_weka_itself_prints_the_recorded_tree(name, tmp_path):
    case = load_j48(name)
    write_arff(tmp_path / "data.arff", case.X, case.y)
    command = ["java", "-cp", weka_jar(), "weka.classifiers.trees.J48", "-no-cv", "-v"]
    command += ["-t", str(tmp_path / "data.arff"), *case.options.split()]
    home = {**os.environ, "WEKA_HOME": str(tmp_path)}
    printed = subprocess.run(command, capture_output=True, text=True, check=True, env=home).stdout
    assert "\n" + case.text.strip() + "\n" in printed


@pytest.mark.slow
@needs_weka
def test_j48_takes_any_frame():
    X = pd.DataFrame({"it's": ["a b", None, "%", "a b"] * 5, "x, y": [1.5, 2, np.nan, 1e-7] * 5})
    X = X.astype({"it's": "category"})
    answer = j48_live(X, np.array([1, 2, 2, 1] * 5), "-M 1")
    assert answer.classes == ["1", "2"]
    assert answer.tree[0].attribute == "it's"
    assert len(answer.predicted) == 20


@pytest.mark.slow
@needs_rpart
def test_rpart_answers_as_recorded():
    cases = [load_rpart(name) for name in rpart_cases()]
    keys = ("X", "y", "method", "parms", "control", "weights", "cost", "X_new")
    answers = rpart_live_many([{key: getattr(case, key) for key in keys} for case in cases])
    programs = ("version", "r")
    for case, answer in zip(cases, answers, strict=True):
        same = {key: answer.raw[key] for key in programs}
        if same == {key: case.raw[key] for key in programs}:
            assert answer.raw == case.raw, case.name
        else:  # another build may add up in another order
            assert close(answer.raw | same, case.raw | same), case.name
        assert answer.call == case.call


def close(one, other):
    """Compare two pieces of JSON, numbers to 1e-9."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) and isinstance(other, (int, float)):
        return one == pytest.approx(other, rel=1e-9, abs=1e-12)
    return one == other


def test_close():
    assert close({"a": [1.0, "b", None]}, {"a": [1.0 + 1e-12, "b", None]})
    assert not close({"a": [1.0, "b"]}, {"a": [1.001, "b"]})
    assert not close([1, 2], [1, 2, 3])


@pytest.mark.slow
@needs_rpart
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("kyphosis-default", "rpart(Kyphosis ~ ., kyphosis)"),
        ("kyphosis-loss", "rpart(Kyphosis ~ ., kyphosis, parms = list(loss = t(loss)))"),
        ("cu.summary-class", "rpart(Reliability ~ ., cu.summary)"),
        ("airquality-minsplit8", "rpart(Ozone ~ ., airquality, cp = 0.001, minsplit = 8)"),
        ("solder.balance-cp.0005", "rpart(skips ~ ., solder.balance, cp = 0.0005)"),
        ("car90-anova", "rpart(Price ~ ., car90[!names(car90) %in% c('Rim','Tires','Model2')])"),
    ],
)
def test_rpart_on_its_own_data_frames_gives_the_recorded_tree(name, call):
    code = "library(rpart); loss <- matrix(c(0, 1, 3, 0), 2); f <- " + call + "$frame; "
    code += "cat(sprintf('%s %s %d %.15g\\n', row.names(f), f$var, f$n, f$dev), sep = '')"
    done = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=True)
    nodes = [line.split() for line in done.stdout.splitlines()]
    recorded = [(str(k), v[0], str(v[1])) for k, v in load_rpart(name).nodes.items()]
    assert [tuple(node[:3]) for node in nodes] == recorded
    dev = [float(node[3]) for node in nodes]
    np.testing.assert_allclose(dev, load_rpart(name).frame["dev"], rtol=1e-12)


@pytest.mark.slow
@needs_rpart
def test_rpart_takes_any_frame():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a b": rng.normal(size=60), "it's": rng.choice(["u, v", 'w"'], 60)})
    X = X.astype({"it's": "category"})
    y = np.where(X["a b"] > 0.1, "yes", "no")
    answer = rpart_live(X, y, control={"cp": 0.1})
    assert (answer.method, answer.classes) == ("class", ["no", "yes"])
    assert answer.nodes[1][0] == "a b"
    assert replace(answer, name="x").importance == answer.importance
    anova = rpart_live(X, X["a b"].to_numpy() * 2, weights=np.ones(60))
    assert anova.method == "anova"
    assert list(anova.cptable) == ["CP", "nsplit", "rel error"]


def test_every_case_names_a_data_set():
    for program, cases in (("j48", j48_cases()), ("rpart", rpart_cases())):
        used = {read_json(FOLDER / program / f"{name}.json.gz")["data"] for name in cases}
        stored = {
            path.name.split(".json")[0] for path in (FOLDER / program / "data").glob("*.json.gz")
        }
        assert used == stored
