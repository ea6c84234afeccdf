"""course.py bench: what it hands on, and that a quick run has every table. No time is asserted."""

import json
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import cases, measure, report, run, tables
from tools import commands

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "benchmarks"


def row(value, **more):
    return tables.Row("gini", "fit", 1_000, "scikit-learn", "s", value=value, **more)


@pytest.fixture
def ran(monkeypatch):
    """Replace the program that bench starts: the list gets its commands."""
    calls = []
    monkeypatch.setattr(commands, "run", lambda name, command: calls.append(command) or 0)
    monkeypatch.setattr(commands, "prepare", lambda root, extra: f"python with {extra}")
    return calls


def test_bench_hands_on_its_arguments(ran, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    commands.main(["bench"])
    commands.main(["bench", "gini", "c45", "--quick", "--out", "here"])
    start = ["python with dev", "-m", "benchmarks.run"]
    assert ran[0] == start
    assert ran[1] == [*start, "gini", "c45", "--out", str(tmp_path / "here"), "--quick"]


def test_an_unknown_table_is_refused(capsys):
    with pytest.raises(SystemExit) as end:
        run.main(["ginny"])
    assert end.value.code == 2
    assert "no table ginny; there are gini, entropy" in capsys.readouterr().err


def test_the_goals_and_floors_are_those_agreed_on():
    goals = {name: case.goals for name, case in cases.CASES.items()}
    full = (1.3, 4.0, 5.0)
    assert goals == {
        "gini": full, "entropy": full, "depth6": (1.5, 4.0, 5.0), "regression": (1.2, 3.0, 4.0),
        "forest": (1.2, 2.0, 1.8), "adaboost": (10, 30, 30), "boosting": (3, 10, 15),
    }  # fmt: skip
    assert cases.CASES["boosting"].other_goals == (0.5, 0.6, 0.6)
    assert cases.FOREST_MEGABYTES == 1_500
    assert cases.FLOOR == {1_000: 1.0, 10_000: 2.5, 100_000: 4.0}
    limits = (cases.SLOWEST_PREDICTION, cases.POINTS, cases.MEGABYTES, cases.EXPONENT)
    assert (*limits, cases.C45_SECONDS) == (3, 0.5, 250, 1.2, 0.3)


def test_a_verdict_compares_with_goal_and_floor():
    verdicts = [row(v, goal=4.0, floor=2.5).verdict for v in (4.0, 3.9, 2.5, 2.4)]
    assert verdicts == ["goal", "floor", "floor", "MISSED"]
    assert [row(v, goal=1.2, more=False).verdict for v in (1.2, 1.3)] == ["goal", "MISSED"]
    assert row(1.0).verdict == ""


def test_the_data_are_the_same_each_time_and_noisy():
    (X, y), (again, _) = measure.make_classes(500), measure.make_classes(500)
    assert X.shape == (500, 20) and set(y) == {0, 1}
    assert np.array_equal(X, again)
    assert not np.array_equal(X, measure.make_classes(500, seed=1)[0])
    new, _ = measure.make_classes(500, sample=1)
    assert not np.array_equal(X, new)
    assert 0.4 < y.mean() < 0.6


def test_the_columns_that_matter_are_not_always_the_first():
    strongest = set()
    for seed in range(5):
        X, y = measure.make_numbers(5_000, seed)
        assert np.corrcoef(X.T, y)[-1, :-1].max() < 0.7, "noise"
        strongest.add(int(np.corrcoef(X.T, y)[-1, :-1].argmax()))
    assert len(strongest) > 2


def test_turns_are_taken_after_a_round_to_warm_up():
    calls = []
    times = measure.take_turns({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, 2)
    assert calls == ["a", "b"] * 3
    assert list(times) == ["a", "b"] and 0 <= times["a"]["best"] <= times["a"]["median"]


def test_the_columns_of_the_table_are_aligned():
    same = {"best": 0.002, "median": 0.003}
    lines = report.table([row(2.0, ours=same, theirs=same, goal=1.3, floor=1.0)]).splitlines()
    assert lines[0].split()[-3:] == ["goal", "floor", "reached"]
    assert lines[2].endswith("2.00 ×  ≥ 1.30 ×  ≥ 1.00 ×  goal")
    assert lines[0].index("goal") + len("goal") == lines[2].index("≥ 1.30 ×") + len("≥ 1.30 ×")


def test_tables_that_are_not_measured_anew_are_kept(tmp_path):
    took = {"best": 0.1, "median": 0.1}
    rows = [row(2.0, ours=took, theirs=took), row(3.0, ours=took, theirs=took, note="old")]
    rows[1].table = "forest"
    report.write(rows, tmp_path, True)
    (kept,) = report.kept(tmp_path, ["gini"], True)
    assert (kept.table, kept.value, kept.note) == ("forest", 3.0, "old")
    assert report.kept(tmp_path, ["gini"], False) == []
    assert report.kept(tmp_path / "nowhere", ["gini"], True) == []


@pytest.mark.slow
def test_a_quick_run_has_every_table(tmp_path):
    command = [sys.executable, "-m", "benchmarks.run", "--quick", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert results["quick"] and {"python", "numpy", "scikit-learn"} <= set(results["versions"])
    rows = results["rows"]
    assert {one["table"] for one in rows} == set(tables.TABLES)
    for one in rows:
        assert np.isfinite(one["value"]) and one["n"] <= 10_000
        assert one["title"] in done.stdout
        if one["unit"] == "s":
            assert 0 < one["ours"]["best"] <= one["ours"]["median"]
    for name, case in cases.CASES.items():
        fits = [r for r in rows if r["table"] == name and r["peer"] == "scikit-learn"]
        wanted = [(1_000, case.goals[0]), (10_000, case.goals[1])]
        assert [(r["n"], r["goal"]) for r in fits] == wanted[: 2 if case.one_tree else 1]
        for one in fits:
            assert one["value"] == one["theirs"]["best"] / one["ours"]["best"]
    assert (tmp_path / "results.png").read_bytes().startswith(b"\x89PNG")
    assert "| fit, full tree, Gini | 1,000 |" in (tmp_path / "RESULTS.md").read_text("utf-8")


def test_the_snapshot_is_complete_and_names_no_machine():
    text = (FOLDER / "RESULTS.md").read_text(encoding="utf-8")
    for case in cases.CASES.values():
        assert text.count(f"| fit, {case.title} |") >= len(cases.SIZES)
        if case.one_tree:
            assert f"| exponent of cost, {case.title} |" in text
    for name in ("predict", "accuracy", "peak extra memory"):
        assert f"| {name}, full tree, Gini | 100,000 |" in text
        largest = "100,000" if name == "peak extra memory" else "10,000"
        assert f"| {name}, forest of 100, √d | {largest} |" in text
    assert (FOLDER / "results.png").read_bytes().startswith(b"\x89PNG")
    assert f" {platform.node()}" not in text and " ms" not in text and str(ROOT) not in text
