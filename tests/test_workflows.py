"""The hosted workflows and .ci/run, which no test can start: they parse and call what there is."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from browser import NAMES

from tools.commands import arguments

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
each = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def steps(path):
    """Return the steps of all jobs of a workflow."""
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


def lines(path):
    """Return the commands that a workflow runs."""
    return [line for step in steps(path) for line in step.get("run", "").splitlines()]


@each
def test_a_workflow_says_what_it_runs_and_on_which_version(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# "), "a comment says what the file is for"
    assert steps(path)
    for step in steps(path):
        assert ("run" in step) != ("uses" in step), step
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"])


@each
def test_a_workflow_calls_commands_and_files_that_exist(path):
    calls = [line for line in lines(path) if "course.py" in line]
    for call in calls:
        words = re.sub(r"\s+#.*", "", call).split()
        assert words[:2] == ["python", "course.py"]
        options, rest = arguments().parse_known_args(words[2:])
        assert not rest or options.run.__name__ == "test", f"{call}: unknown {rest}"
    assert calls
    for name in re.findall(r"[\w/]+\.(?:cfg|yml)\b", "\n".join(lines(path))):
        assert (ROOT / name).exists(), name


def test_the_oldest_and_the_newest_python_are_tested():
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["command"]["strategy"]["matrix"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    claimed = re.search(r"for Python (3\.\d+) to (3\.\d+)", text).groups()
    assert tuple(matrix["python"]) == claimed
    assert project["requires-python"] == ">=" + claimed[0]
    assert {name.split("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}


CI = ROOT / ".ci/run"
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


def test_ci_looks_for_the_browsers_that_the_tests_look_for():
    (found,) = re.findall(r'^need chromium "[^"]*" (.*)$', CI.read_text(), flags=re.MULTILINE)
    assert tuple(found.split()) == NAMES


@needs_bash
@pytest.mark.parametrize("apt", ["none", "fails", "installs"])
def test_ci_reaches_the_tests_whatever_apt_does(tmp_path, apt):
    """The programs it calls are replaced: nothing is installed, no tests run."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (tmp_path / ".ci").mkdir()
    shutil.copy(CI, tmp_path / ".ci")
    bash = shutil.which("bash")

    def program(name, body):
        (folder / name).write_text(f"#!{bash}\n{body}\n")
        (folder / name).chmod(0o755)

    program("dirname", f"echo '{tmp_path}/.ci'")
    program("id", "echo 0")
    program("timeout", 'shift; "$@"')
    program("python3", 'echo "python3 $*"')
    made = f'for name in bwrap chromium; do echo > "{folder}/$name"; {shutil.which("chmod")} +x'
    if apt != "none":
        program("apt-get", made + f' "{folder}/$name"; done' if apt == "installs" else "exit 100")
    done = subprocess.run(
        [bash, tmp_path / ".ci/run"], env={"PATH": str(folder)}, capture_output=True, text=True
    )
    said = done.stdout.splitlines()
    assert done.returncode == 0 and said[-1] == "python3 course.py test", done
    assert ("== installing" in done.stdout) == (apt != "none")
    missing = [line.split()[0] for line in said if "is missing" in line]
    assert missing == ([] if apt == "installs" else ["bubblewrap", "chromium"])
