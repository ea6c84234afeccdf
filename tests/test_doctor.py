"""course.py doctor: what it finds and what it advises; nothing is changed."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tools import commands, doctor
from tools.environment import NAMED_IN, digest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def course(tmp_path):
    """Make a course folder with the two files that name packages."""
    for name in NAMED_IN:
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    return tmp_path


@pytest.fixture
def installed(course, monkeypatch):
    """Pretend that the running environment is the .venv of the course folder."""
    (course / ".venv").mkdir()
    state = {name: digest(course / name) for name in NAMED_IN}
    state |= {"python": "3.11", "folder": str(course), "extras": ["course"]}
    (course / ".venv" / "course.json").write_text(json.dumps(state), encoding="utf-8")
    monkeypatch.setattr(doctor, "version_of", lambda python, folder: "3.11")
    monkeypatch.setattr(doctor, "python_of", lambda folder: sys.executable)
    return course


def test_a_fresh_folder_needs_no_mending(course, capsys):
    assert doctor.main(course) == 0
    out = capsys.readouterr().out
    assert "not set up yet: `course.py lab` does it, once" in out
    assert out.endswith("All is well.\n")
    assert not (course / ".venv").exists()


@pytest.mark.slow
def test_a_good_installation_starts_a_kernel(installed):
    findings = [str(finding) for finding in doctor.examine(installed)]
    assert any("a notebook kernel starts and computes with mlcourse" in f for f in findings)
    assert any(f.startswith("ok    the environment .venv is complete") for f in findings)


def test_an_interrupted_set_up_and_a_changed_file_are_told(installed, capsys):
    (installed / "constraints.txt").write_text("numpy==1.0\n", encoding="utf-8")
    assert "changed since the set-up: constraints.txt" in doctor.environment(installed).what
    (installed / ".venv" / "course.json").unlink()
    assert doctor.main(installed) == 1
    out = capsys.readouterr().out
    assert "FIX   the set-up of .venv was interrupted" in out
    assert "→ run `course.py lab`" in out and "1 to mend." in out


def test_a_broken_environment_is_told(course):
    (course / ".venv").mkdir()
    finding = doctor.environment(course)
    assert "cannot be used" in finding.what and "delete the folder .venv" in finding.mend


def test_packages_changed_by_hand_are_named(installed):
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    older = "\n".join("numpy==0.9" if s.startswith("numpy==") else s for s in text.splitlines())
    (installed / "constraints.txt").write_text(older, encoding="utf-8")
    first = next(doctor.packages(installed, sys.executable))
    assert "numpy is 2." in first.what and "expected 0.9" in first.what and first.mend


def test_a_kernel_that_does_not_answer_is_told(course):
    assert "does not compute" in doctor.kernel(course, "/bin/true").what


def test_a_file_that_hides_a_module_is_found(course):
    (course / "work" / "lessons").mkdir(parents=True)
    (course / "work" / "lessons" / "numpy.py").touch()
    (found,) = doctor.shadows(course)
    assert "hides it" in found.what and "my_numpy.py" in found.mend


def test_a_used_port_is_no_fault():
    with socket.socket() as used:
        used.bind(("127.0.0.1", 0))
        used.listen()
        finding = doctor.port(used.getsockname()[1])
    assert finding.note and "takes the next one" in finding.what


def test_the_command_runs_without_any_package():
    command = [sys.executable, "-I", "-S", str(ROOT / "course.py"), "doctor"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert "Python 3" in done.stdout and "Traceback" not in done.stderr


def test_the_command_hands_over(monkeypatch):
    monkeypatch.setattr(doctor, "main", lambda root: 7 if root == commands.ROOT else 0)
    assert commands.main(["doctor"]) == 7
