"""The data sets: shapes, counts, and the numbers that the lectures compute from them."""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, ks_2samp, kstest, norm

from mlcourse import datasets
from mlcourse.datasets import load_play_tennis
from mlcourse.information import entropy, mutual_information

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "mlcourse" / "data" / "SOURCES.md"
PLAY_TENNIS = {
    "outlook": {"sunny": 5, "overcast": 4, "rain": 5},
    "temperature": {"hot": 4, "mild": 6, "cool": 4},
    "humidity": {"high": 7, "normal": 7},
    "windy": {"false": 8, "true": 6},
}


def test_play_tennis_has_the_lecture_s_shape():
    X, y = load_play_tennis()
    assert X.shape == (14, 4)
    assert list(X.columns) == list(PLAY_TENNIS)
    assert y.name == "play"
    assert X.index.equals(pd.RangeIndex(14))
    assert y.index.equals(X.index)
    assert not X.isna().any(axis=None)
    assert not y.isna().any()


def test_play_tennis_counts():
    X, y = load_play_tennis()
    assert y.value_counts().to_dict() == {"yes": 9, "no": 5}
    for name, counts in PLAY_TENNIS.items():
        assert X[name].value_counts().to_dict() == counts


def test_play_tennis_categories_are_words_in_the_lecture_s_order():
    X, y = load_play_tennis()
    for name, counts in PLAY_TENNIS.items():
        assert isinstance(X[name].dtype, pd.CategoricalDtype)
        assert list(X[name].cat.categories) == list(counts)
    assert list(y.cat.categories) == ["no", "yes"]


def test_play_tennis_rows_are_distinct_and_in_order():
    X, y = load_play_tennis()
    assert not X.duplicated().any()
    assert "".join(y.astype(str).str[0]) == "nnyyynynyyyyyn"
    assert "".join(X["outlook"].astype(str).str[0]) == "ssorrrossrsoor"
    assert X.iloc[13].tolist() == ["rain", "mild", "high", "true"]


@pytest.mark.parametrize(
    ("attribute", "gain"),
    [
        ("outlook", 0.246750),
        ("temperature", 0.029223),
        ("humidity", 0.151836),
        ("windy", 0.048127),
    ],
)
def test_play_tennis_information_gains(attribute, gain):
    X, y = load_play_tennis()
    joint = pd.crosstab(y, X[attribute], normalize=True)
    assert mutual_information(joint) == pytest.approx(gain, abs=5e-7)
    assert entropy(y.value_counts(normalize=True)) == pytest.approx(0.940286, abs=5e-7)


def test_play_tennis_second_level_gains():
    """The subtables decide the tree: sunny days by humidity, rainy days by wind."""
    X, y = load_play_tennis()
    expected = {
        "sunny": {"temperature": 0.570951, "humidity": 0.970951, "windy": 0.019973},
        "rain": {"temperature": 0.019973, "humidity": 0.019973, "windy": 0.970951},
    }
    for outlook, gains in expected.items():
        rows = X["outlook"] == outlook
        for attribute, gain in gains.items():
            joint = pd.crosstab(y[rows], X.loc[rows, attribute], normalize=True)
            assert mutual_information(joint) == pytest.approx(gain, abs=5e-7)


def test_each_call_returns_fresh_tables():
    X, y = load_play_tennis()
    X.loc[0, "outlook"] = "rain"
    y.loc[0] = "yes"
    X["new"] = 1
    X_again, y_again = load_play_tennis()
    assert X_again.loc[0, "outlook"] == "sunny"
    assert y_again.loc[0] == "no"
    assert list(X_again.columns) == list(PLAY_TENNIS)


def test_a_misspelled_value_in_an_inline_table_is_caught():
    with pytest.raises(ValueError, match=r"column 'windy' holds \['flase'\]; add"):
        datasets._words("windy play\nflase no", {"windy": ["false"], "play": ["no"]})


# What every loader returns.

SHAPES = {
    "play_tennis": ((14, 4), "play", {"no": 5, "yes": 9}),
    "golf": ((14, 4), "play", {"no": 5, "yes": 9}),
    "restaurant": ((12, 10), "wait", {"no": 6, "yes": 6}),
    "kyphosis": ((81, 3), "kyphosis", {"absent": 64, "present": 17}),
    "spam": ((4601, 57), "type", {"nonspam": 2788, "spam": 1813}),
    "titanic": ((2201, 3), "survived", {"no": 1490, "yes": 711}),
    "breast_cancer_ljubljana": (
        (286, 9),
        "class",
        {"no-recurrence-events": 201, "recurrence-events": 85},
    ),
    "german": ((1000, 20), "credit", {"good": 700, "bad": 300}),
    "heart": ((303, 13), "disease", {"absent": 164, "present": 139}),
    "flare_solar": ((1066, 9), "label", {-1: 477, 1: 589}),
    "thyroid": ((215, 5), "function", {-1: 150, 1: 65}),
    "banana": ((5300, 2), "label", {-1: 2924, 1: 2376}),
    "galton": ((19, 2), "weight", {1198: 19}),
}
MISSING = {
    "breast_cancer_ljubljana": {"node_caps": 8, "breast_quad": 1},
    "heart": {"vessels": 4, "thallium": 2},
}


def load(name):
    return getattr(datasets, f"load_{name}")()


def test_every_loader_is_in_the_table():
    loaders = {name.removeprefix("load_") for name in datasets.__all__ if name[:5] == "load_"}
    assert loaders == set(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_shape_label_and_counts(name):
    X, y = load(name)
    shape, label, counts = SHAPES[name]
    assert X.shape == shape
    assert y.name == label
    assert y.value_counts().to_dict() == counts
    assert X.index.equals(pd.RangeIndex(len(X)))
    assert y.index.equals(X.index)
    assert not y.isna().any()
    if isinstance(y.dtype, pd.CategoricalDtype):
        assert list(y.cat.categories) == list(counts)
    else:
        assert y.dtype == np.int64


@pytest.mark.parametrize("name", SHAPES)
def test_columns_are_categories_or_numbers_with_lower_case_names(name):
    X, _ = load(name)
    for column in X:
        assert re.fullmatch(r"[a-z0-9_]+", column)
        kind = X[column].dtype
        assert isinstance(kind, pd.CategoricalDtype) or kind in (np.int64, np.float64)
        if isinstance(kind, pd.CategoricalDtype):
            assert not kind.ordered
            assert all(isinstance(value, str) for value in kind.categories)
    assert X.isna().sum().loc[lambda missing: missing > 0].to_dict() == MISSING.get(name, {})


@pytest.mark.parametrize("name", SHAPES)
def test_every_loader_returns_fresh_tables(name):
    X, y = load(name)
    first, kept = X.iloc[0, 0], X.copy()
    X.iloc[:, 0] = X.iloc[-1, 0]
    X["new"] = 1
    y.iloc[:] = y.iloc[-1]
    X_again, y_again = load(name)
    assert X_again.iloc[0, 0] == first
    pd.testing.assert_frame_equal(X_again, kept)
    assert y_again.value_counts().to_dict() == SHAPES[name][2]


# The small tables.


def test_golf_is_quinlan_s_version_of_play_tennis():
    X, y = datasets.load_golf()
    nominal, play = load_play_tennis()
    pd.testing.assert_frame_equal(X[["outlook", "windy"]], nominal[["outlook", "windy"]])
    pd.testing.assert_series_equal(y, play)
    assert X.sum(numeric_only=True).to_dict() == {"temperature": 1030, "humidity": 1124}
    assert X.loc[X["outlook"] == "overcast", "humidity"].to_list() == [78, 65, 90, 75]
    assert X.loc[X["outlook"] == "rain", "humidity"].to_list() == [96, 80, 70, 80, 80]
    # The words of play-tennis are ranges of these temperatures.
    ranges = X["temperature"].groupby(nominal["temperature"], observed=True).agg(["min", "max"])
    assert ranges.to_numpy().tolist() == [[80, 85], [70, 75], [64, 69]]


def test_golf_thresholds_of_humidity():
    """By gain the cut is at 80; by gain ratio it would be at 65."""
    X, y = datasets.load_golf()
    gains = {}
    for cut in sorted(X["humidity"].unique())[:-1]:
        below = X["humidity"] <= cut
        gains[cut] = mutual_information(pd.crosstab(y, below, normalize=True))
        gains[cut] = gains[cut], gains[cut] / entropy(below.value_counts(normalize=True))
    assert max(gains, key=lambda cut: gains[cut][0]) == 80
    assert max(gains, key=lambda cut: gains[cut][1]) == 65
    assert gains[80][0] == pytest.approx(0.1022, abs=5e-5)
    assert gains[65][1] == pytest.approx(0.1285, abs=5e-5)


@pytest.mark.parametrize(
    ("attribute", "gain"),
    [
        ("patrons", 0.540852),
        ("est", 0.207519),
        ("hungry", 0.195710),
        ("price", 0.195710),
        ("fri", 0.020721),
        ("rain", 0.020721),
        ("res", 0.020721),
        ("alt", 0),
        ("bar", 0),
        ("type", 0),
    ],
)
def test_restaurant_information_gains(attribute, gain):
    X, y = datasets.load_restaurant()
    joint = pd.crosstab(y, X[attribute], normalize=True)
    assert mutual_information(joint) == pytest.approx(gain, abs=5e-7)


def test_restaurant_categories_and_counts():
    X, _ = datasets.load_restaurant()
    assert X["type"].value_counts(sort=False).to_dict() == {
        "french": 2,
        "italian": 2,
        "thai": 4,
        "burger": 4,
    }
    assert X["patrons"].value_counts(sort=False).to_dict() == {"none": 2, "some": 4, "full": 6}
    assert list(X["est"].cat.categories) == ["0-10", "10-30", "30-60", ">60"]
    assert list(X["price"].cat.categories) == ["$", "$$", "$$$"]


def test_restaurant_ties_under_full():
    X, y = datasets.load_restaurant()
    full = X["patrons"] == "full"
    gains = [
        mutual_information(pd.crosstab(y[full], X.loc[full, name], normalize=True)) for name in X
    ]
    assert sum(gain == pytest.approx(0.251629, abs=5e-7) for gain in gains) == 5


# The stored tables.


def least_training_error(X, y):
    """Return the share of rows outside the majority of their group of equal rows."""
    groups = y.groupby([X[name] for name in X], observed=True)
    return 1 - groups.agg(lambda labels: labels.value_counts().max()).sum() / len(y)


def test_kyphosis_sums_and_root_split():
    X, y = datasets.load_kyphosis()
    assert X.sum().to_dict() == {"age": 6776, "number": 328, "start": 931}
    split = pd.crosstab(X["start"] >= 8.5, y)
    assert split.loc[True].to_dict() == {"absent": 56, "present": 6}
    assert split.loc[False].to_dict() == {"absent": 8, "present": 11}


def test_spam_columns():
    X, y = datasets.load_spam()
    assert list(X.columns[[0, 26, 51, 52]]) == ["make", "george", "char_exclamation", "char_dollar"]
    assert list(X.columns[-3:]) == ["capital_average", "capital_longest", "capital_total"]
    assert X.dtypes.astype(str).value_counts().to_dict() == {"float64": 55, "int64": 2}
    assert X.iloc[:, :54].min(axis=None) == 0
    assert X.iloc[:, :54].max(axis=None) <= 100
    assert X["capital_total"].max() == 15841
    assert X["george"].groupby(y, observed=True).mean().round(2).to_dict() == {
        "nonspam": 1.27,
        "spam": 0.00,
    }


def test_titanic_groups():
    X, y = datasets.load_titanic()
    assert len(X.drop_duplicates()) == 14
    assert X["class"].value_counts(sort=False).to_dict() == {
        "1st": 325,
        "2nd": 285,
        "3rd": 706,
        "crew": 885,
    }
    assert X["age"].value_counts().to_dict() == {"adult": 2092, "child": 109}
    assert X["sex"].value_counts().to_dict() == {"male": 1731, "female": 470}
    assert (y.groupby([X[name] for name in X], observed=True).nunique() == 2).sum() == 10
    assert least_training_error(X, y) == pytest.approx(0.2095, abs=5e-5)


def test_breast_cancer_complete_rows_and_declared_categories():
    X, y = datasets.load_breast_cancer_ljubljana()
    complete = X.notna().all(axis=1)
    assert complete.sum() == 277
    assert y[complete].value_counts().to_list() == [196, 81]
    assert len(X[complete].drop_duplicates()) == 257
    assert least_training_error(X[complete], y[complete]) == pytest.approx(6 / 277)
    assert list(X["age"].cat.categories)[::8] == ["10-19", "90-99"]
    assert list(X["inv_nodes"].cat.categories)[-2:] == ["33-35", "36-39"]
    assert [len(X[name].cat.categories) for name in X] == [9, 3, 12, 13, 2, 3, 2, 5, 2]
    assert list(X["deg_malig"].cat.categories) == ["1", "2", "3"]


def test_german_columns():
    X, y = datasets.load_german()
    numbers = X.select_dtypes("number")
    assert numbers.sum().to_dict() == {
        "duration": 20903,
        "credit_amount": 3271258,
        "installment_rate": 2973,
        "residence_since": 2845,
        "age": 35546,
        "existing_credits": 1407,
        "people_liable": 1155,
    }
    assert X["checking_status"].value_counts(sort=False).to_list() == [274, 269, 63, 394]
    assert X["purpose"].value_counts(sort=False)["A47"] == 0
    assert X["purpose"].cat.categories[-1] == "A410"
    assert X["employment"].value_counts(sort=False).to_dict() == {
        "unemployed": 62,
        "<1 year": 172,
        "1-4 years": 339,
        "4-7 years": 174,
        ">=7 years": 253,
    }
    assert X["other_debtors"].value_counts().to_dict()["none"] == 907
    assert y.iloc[:5].to_list() == ["good", "bad", "good", "good", "bad"]


def test_heart_columns():
    X, _ = datasets.load_heart()
    assert X["sex"].value_counts().to_dict() == {"male": 206, "female": 97}
    assert X["chest_pain"].value_counts(sort=False).to_list() == [23, 50, 86, 144]
    assert X["thallium"].value_counts(sort=False).to_list() == [166, 18, 117]
    assert X[["age", "rest_blood_pressure", "cholesterol", "max_heart_rate"]].sum().to_list() == [
        16495,
        39902,
        74748,
        45331,
    ]
    assert X["st_depression"].sum() == pytest.approx(315.0)
    assert X["vessels"].dtype == float


def test_flare_solar_cannot_be_learned_below_30_percent():
    X, y = datasets.load_flare_solar()
    assert len(X.drop_duplicates()) == 115
    assert (y.groupby([X[name] for name in X]).nunique() == 2).sum() == 29
    assert least_training_error(X, y) == pytest.approx(0.305, abs=5e-4)
    assert X["c_class"].value_counts().loc[0] == 884
    assert (X.dtypes == np.int64).all()


def test_thyroid_has_two_classes_or_three():
    X, y = datasets.load_thyroid()
    X_three, three = datasets.load_thyroid(n_classes=3)
    pd.testing.assert_frame_equal(X, X_three)
    assert three.value_counts(sort=False).to_dict() == {"normal": 150, "hyper": 35, "hypo": 30}
    assert ((y == -1) == (three == "normal")).all()
    assert X.iloc[0].to_list() == [107, 10.1, 2.2, 0.9, 2.7]
    with pytest.raises(ValueError, match="load_thyroid: n_classes is 4; choose 2 or 3"):
        datasets.load_thyroid(n_classes=4)


def test_banana_is_standardised():
    X, _ = datasets.load_banana()
    assert X.mean().to_list() == pytest.approx([0, 0], abs=1e-6)
    assert X.std().to_list() == pytest.approx([1, 1], abs=1e-3)
    assert len(X.drop_duplicates()) == 5300


def test_galton_s_percentiles():
    X, weight = datasets.load_galton()
    assert X["percentile"].to_list() == list(range(5, 100, 5))
    assert X.set_index("percentile").loc[[5, 50, 95], "guess"].to_list() == [1074, 1207, 1293]
    assert X["guess"].is_monotonic_increasing
    assert (X["guess"] - weight).abs().min() == 1


def test_galton_s_crowd_follows_the_percentiles():
    X, weight = datasets.load_galton(200_000, random_state=0)
    table, _ = datasets.load_galton()
    assert np.percentile(X["guess"], table["percentile"]) == pytest.approx(table["guess"], abs=1.5)
    assert X["guess"].median() == pytest.approx(1207, abs=1)
    assert X["guess"].mean() == pytest.approx(1196.3, abs=0.5)
    assert X["guess"].between(1039, 1319).all()
    assert X["guess"].dtype == np.int64
    assert (weight == 1198).all()
    again, _ = datasets.load_galton(200_000, random_state=0)
    pd.testing.assert_frame_equal(X, again)
    assert len(datasets.load_galton(787)[0]) == 787
    with pytest.raises(ValueError, match="load_galton: n_samples is 0"):
        datasets.load_galton(0)


# Where the stored tables come from.


def sources():
    """Return {file name: cells of its row} of SOURCES.md."""
    rows = re.findall(r"^\| (\S+\.csv\.gz) \| (.*) \|$", SOURCES.read_text("utf-8"), re.MULTILINE)
    return {name: rest.split(" | ") for name, rest in rows}


def test_every_stored_file_is_the_one_in_sources():
    files = {path.name: path.read_bytes() for path in SOURCES.parent.glob("*.csv.gz")}
    assert sources().keys() == files.keys()
    for name, cells in sources().items():
        assert cells[-1].strip("`") == hashlib.sha256(files[name]).hexdigest()
        assert int(cells[3]) == gzip.decompress(files[name]).count(b"\n") - 1
        assert all(cells)
        assert re.search(r"[\w-]+ \d+\.\d", cells[0]), "package and version"
    assert sum(map(len, files.values())) < 200_000


def test_stored_files_have_no_time_in_them():
    for path in SOURCES.parent.glob("*.csv.gz"):
        assert path.read_bytes()[4:8] == bytes(4)


def test_sources_and_script_name_no_machine():
    script = ROOT / "tools" / "vendor_data.py"
    for path in (SOURCES, script, ROOT / "mlcourse" / "datasets.py"):
        assert not re.search(r"://|/work/|/tmp/|/home/|localhost", path.read_text("utf-8"))


@pytest.fixture
def source_tree(tmp_path):
    """Return a copy of what the package is built from."""
    tree = tmp_path / "tree"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "mlcourse", tree / "mlcourse", ignore=ignore)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    return tree


def data_files():
    return {path.name for path in SOURCES.parent.iterdir()}


@pytest.mark.slow
def test_the_wheel_holds_the_data_and_loads_it_elsewhere(source_tree, tmp_path):
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path, source_tree]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    (wheel,) = tmp_path.glob("*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if "/data/" in name}
    assert {name.split("/")[-1] for name in held} == data_files()
    # The zipped wheel itself is importable: nothing depends on a folder of the repository.
    code = (
        f"import sys; sys.path.insert(0, {str(wheel)!r}); import mlcourse\n"
        "assert '.whl' in mlcourse.__file__; print(len(mlcourse.load_spam()[0]))"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert run.stdout.strip() == "4601", run.stderr


@pytest.mark.slow
def test_the_sdist_holds_the_data(source_tree, tmp_path):
    """Call the build hook as PEP 517 says, in an environment with what pyproject.toml asks for."""
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]
    builder = tmp_path / "builder"
    command = [sys.executable, "-m", "pip", "install", "--target", builder, *requires["requires"]]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    code = f"from setuptools import build_meta; build_meta.build_sdist({str(tmp_path)!r})"
    env = os.environ | {"PYTHONPATH": str(builder)}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=source_tree, env=env
    )
    assert run.returncode == 0, run.stderr
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name for name in archive.getnames() if "/mlcourse/data/" in name}
    assert {name.split("/")[-1] for name in held} == data_files()


# The makers.

MAKERS = [getattr(datasets, name) for name in datasets.__all__ if name.startswith("make_")]
DEFAULTS = {
    "make_nested_spheres": (2000, 10),
    "make_nested_gaussians": (2000, 10),
    "make_twonorm": (300, 20),
    "make_threenorm": (300, 20),
    "make_ringnorm": (300, 20),
    "make_waveform": (300, 21),
}


def by_name(maker):
    return maker.__name__


@pytest.mark.parametrize("maker", MAKERS, ids=by_name)
def test_makers_return_arrays_of_the_literature_s_shape(maker):
    X, y = maker(random_state=0)
    assert X.shape == DEFAULTS[maker.__name__]
    assert X.dtype == float
    assert np.isfinite(X).all()
    assert y.shape == X.shape[:1]
    assert np.issubdtype(y.dtype, np.integer)
    assert set(y) == ({0, 1, 2} if maker is datasets.make_waveform else {-1, 1})


@pytest.mark.parametrize("maker", MAKERS, ids=by_name)
def test_same_seed_same_bits(maker):
    def draw(random_state):
        X, y = maker(50, 25, random_state)
        return X.tobytes() + y.tobytes()

    assert draw(7) == draw(7) == draw(np.random.default_rng(7))
    assert len({draw(7), draw(8), draw(None), draw(None)}) == 4
    generator = np.random.default_rng(7)
    assert draw(generator) != draw(generator), "a Generator moves on"


@pytest.mark.parametrize("maker", MAKERS, ids=by_name)
def test_makers_check_their_arguments(maker):
    name = maker.__name__
    for wrong in (0, -3, 2.5, "10", None):
        with pytest.raises(ValueError, match=rf"{name}: n_samples is {wrong!r}; give a whole"):
            maker(wrong)
        with pytest.raises(ValueError, match=rf"{name}: n_features is {wrong!r}; give a whole"):
            maker(10, wrong)
    X, y = maker(np.int64(1), np.int32(30), random_state=0)
    assert X.shape == (1, 30)
    assert y.shape == (1,)


def test_waveform_has_21_features_or_more():
    with pytest.raises(ValueError, match=r"make_waveform: n_features is 20; .* from 21 up"):
        datasets.make_waveform(10, 20)
    X, _ = datasets.make_waveform(20_000, 40, random_state=0)
    noise = X[:, 21:]
    assert noise.mean(axis=0) == pytest.approx(np.zeros(19), abs=0.04)
    assert noise.std(axis=0) == pytest.approx(np.ones(19), abs=0.03)
    assert (X[:, 1:20].std(axis=0) > 1.02).all()


@pytest.mark.parametrize("wrong", [1, 4, "3", None])
def test_waveform_has_two_classes_or_three(wrong):
    with pytest.raises(ValueError, match=f"make_waveform: n_classes is {wrong!r}; choose 2 or 3"):
        datasets.make_waveform(10, n_classes=wrong)


def test_two_class_waveform_is_wave_1_and_3_against_the_rest():
    X, y = datasets.make_waveform(500, random_state=3)
    X_two, y_two = datasets.make_waveform(500, random_state=3, n_classes=2)
    assert np.array_equal(X, X_two)
    assert ((y == 1) == (y_two == 1)).all()
    assert set(y_two) == {-1, 1}


@pytest.mark.parametrize("maker", MAKERS, ids=by_name)
def test_classes_are_balanced(maker):
    _, y = maker(200_000, random_state=1)
    shares = np.unique(y, return_counts=True)[1] / len(y)
    assert shares == pytest.approx(np.full(len(shares), 1 / len(shares)), abs=0.005)


def test_ratio_of_the_two_class_waveform():
    _, y = datasets.make_waveform(200_000, random_state=1, n_classes=2)
    assert np.mean(y == 1) == pytest.approx(1 / 3, abs=0.005)


# The Bayes rule of each maker: choose the class whose density at x, times its prior, is greatest.


def squared_distance(X, centre):
    return ((X - centre) ** 2).sum(axis=1)


def outside_sphere(X):
    """Nested spheres, and Gaussians: outside, +1 has twice the density of -1, inside none."""
    return np.where(squared_distance(X, 0) > chi2.median(X.shape[1]), 1, -1)


def nearer_centre(X):
    return np.where(X.sum(axis=1) > 0, 1, -1)


def threenorm_rule(X):
    d = X.shape[1]
    a = 2 / np.sqrt(d)
    centres = [np.full(d, a), np.full(d, -a)]
    plus = np.logaddexp(*(-squared_distance(X, centre) / 2 for centre in centres)) - np.log(2)
    minus = -squared_distance(X, a * np.where(np.arange(d) % 2 == 0, 1, -1)) / 2
    return np.where(plus > minus, 1, -1)


def ringnorm_rule(X, a=2 / 20**0.5):
    plus = -X.shape[1] * np.log(2) - squared_distance(X, 0) / 8
    return np.where(plus > -squared_distance(X, a) / 2, 1, -1)


def waveform_densities(X):
    """Return log densities (3, n), the mixing weight u integrated out in closed form.

    With r = x − h' and v = h − h', |r − uv|² = |r|² − t²|v|² + |v|²(u − t)² for t = r·v/|v|², so
    the integral over u in (0, 1) is a difference of two values of the normal distribution.
    """
    i = np.arange(1, 22)
    waves = [np.maximum(6 - abs(i - peak), 0) for peak in (7, 15, 11)]
    logs = []
    for first, second in ((0, 1), (0, 2), (1, 2)):
        v = waves[first] - waves[second]
        length, r = np.sqrt(v @ v), X - waves[second]
        t = r @ v / length**2
        mass = norm.cdf(length * (1 - t)) - norm.cdf(-length * t)
        with np.errstate(divide="ignore"):
            logs.append((t * length) ** 2 / 2 - (r**2).sum(axis=1) / 2 + np.log(mass / length))
    return np.array(logs)


def waveform_rule(X):
    return waveform_densities(X).argmax(axis=0)


def two_class_waveform_rule(X):
    first, second, third = waveform_densities(X)
    return np.where(second > np.logaddexp(first, third), 1, -1)


@pytest.mark.parametrize(
    ("maker", "options", "rule", "error", "rounding"),
    [
        (datasets.make_nested_spheres, {}, outside_sphere, 0, 0),
        (datasets.make_nested_gaussians, {}, outside_sphere, 0.25, 0),
        (datasets.make_nested_gaussians, {"n_features": 3}, outside_sphere, 0.25, 0),
        (datasets.make_twonorm, {}, nearer_centre, 0.02275, 5e-6),
        (datasets.make_twonorm, {"n_features": 5}, nearer_centre, 0.02275, 5e-6),
        (datasets.make_threenorm, {}, threenorm_rule, 0.1046, 5e-5),
        (datasets.make_ringnorm, {}, ringnorm_rule, 0.01240, 5e-6),
        (
            datasets.make_ringnorm,
            {"a": 1 / np.sqrt(20)},
            lambda X: ringnorm_rule(X, 1 / np.sqrt(20)),
            0.01497,
            5e-6,
        ),
        (datasets.make_waveform, {}, waveform_rule, 0.133, 5e-4),
        (datasets.make_waveform, {"n_classes": 2}, two_class_waveform_rule, 0.083, 5e-4),
    ],
)
def test_bayes_rule_reaches_the_bayes_error(maker, options, rule, error, rounding):
    n = 200_000
    X, y = maker(n, random_state=2, **options)
    tolerance = 4 * np.sqrt(error * (1 - error) / n) + rounding
    assert np.mean(rule(X) != y) == pytest.approx(error, abs=tolerance)


def test_nested_gaussians_are_gaussian_within_their_class():
    X, y = datasets.make_nested_gaussians(100_000, random_state=0)
    squared_radius = squared_distance(X, 0)
    assert squared_radius[y == 1].min() > chi2.median(10)
    assert kstest(squared_radius[y == -1], chi2(10).cdf).pvalue > 0.001
    outside = squared_radius[(y == -1) & (squared_radius > chi2.median(10))]
    assert ks_2samp(squared_radius[y == 1], outside).pvalue > 0.001
    assert abs(X[y == 1].mean(axis=0)).max() < 0.03


def test_centres_and_spreads():
    X, y = datasets.make_ringnorm(100_000, random_state=0)
    assert X[y == 1].std(axis=0) == pytest.approx(np.full(20, 2), abs=0.03)
    assert X[y == -1].mean(axis=0) == pytest.approx(np.full(20, 2 / np.sqrt(20)), abs=0.02)
    X, y = datasets.make_threenorm(100_000, random_state=0)
    alternating = 2 / np.sqrt(20) * (-1.0) ** np.arange(20)
    assert X[y == -1].mean(axis=0) == pytest.approx(alternating, abs=0.02)
    assert X[y == 1].mean(axis=0) == pytest.approx(np.zeros(20), abs=0.02)
    X, y = datasets.make_waveform(100_000, random_state=0)
    # h1 and h3 rise to a plateau around the 9th point and fall again.
    assert X[y == 1].mean(axis=0)[6:11] == pytest.approx(np.full(5, 4), abs=0.04)
    assert X[y == 0].mean(axis=0)[[6, 10, 14]] == pytest.approx([3, 2, 3], abs=0.04)
    assert X[y == 2].mean(axis=0)[10:15] == pytest.approx(np.full(5, 4), abs=0.04)
