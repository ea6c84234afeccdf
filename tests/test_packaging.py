"""The files that name packages agree: pyproject.toml, environment.yml and constraints.txt."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8")
PLATFORMS = {
    "here": {},
    "Python 3.13": {"python_version": "3.13", "python_full_version": "3.13.0"},
    "Windows": {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows"},
    "macOS": {"sys_platform": "darwin", "os_name": "posix", "platform_system": "Darwin"},
}


def required(extra):
    """Return the requirements of an extra, with those of the extras that it includes."""
    found = []
    for text in PROJECT["optional-dependencies"][extra]:
        requirement = Requirement(text)
        if requirement.name == PROJECT["name"]:
            found += [one for name in requirement.extras for one in required(name)]
        else:
            found.append(requirement)
    return found


def dependencies():
    return [Requirement(text) for text in PROJECT["dependencies"]]


def pinned():
    """Return {canonical name: version} of constraints.txt."""
    lines = [line for line in CONSTRAINTS.splitlines() if not line.startswith("#")]
    pairs = [line.split("==") for line in lines]
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def bounds(requirements):
    return {canonicalize_name(one.name): one.specifier for one in requirements}


def test_environment_yml_names_what_pyproject_names():
    entries = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    named = bounds(Requirement(entry) for entry in entries if isinstance(entry, str))
    wanted = bounds([*dependencies(), *required("course")])
    wanted["python"] = Requirement("python" + PROJECT["requires-python"]).specifier
    wanted["pip"] = Requirement("pip").specifier
    assert named == wanted
    assert [entry for entry in entries if not isinstance(entry, str)] == [{"pip": ["-e ."]}]


def test_constraints_are_names_and_versions_sorted_and_nothing_else():
    head, *rest = re.split(r"^(?!#)", CONSTRAINTS, maxsplit=1, flags=re.MULTILINE)
    assert head, "a comment says what the file is"
    lines = "".join(rest).splitlines()
    wrong = [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line)]
    assert not wrong
    names = [line.split("==")[0] for line in lines]
    assert names == sorted(set(names))
    assert canonicalize_name(PROJECT["name"]) not in names


@pytest.mark.parametrize("name", ["constraints.txt", "environment.yml", "pyproject.toml"])
def test_no_address_in_the_files_that_name_packages(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"://|@ |\bfile:|--(extra-)?index|--find-links", text)


def test_constraints_satisfy_every_bound():
    versions = pinned()
    outside = [
        f"{one} but {versions.get(canonicalize_name(one.name))}"
        for one in [*dependencies(), *required("dev")]
        if versions.get(canonicalize_name(one.name)) not in one.specifier
    ]
    assert not outside


@pytest.mark.parametrize("platform", PLATFORMS)
def test_constraints_cover_every_distribution_that_dev_needs(platform):
    """Walk through what is installed here, with the markers of this and of other platforms."""
    environment = default_environment() | PLATFORMS[platform]
    queue, seen, problems = [*dependencies(), *required("dev")], set(), []
    versions = pinned()
    while queue:
        one = queue.pop()
        name = canonicalize_name(one.name)
        if name not in versions or versions[name] not in one.specifier:
            problems.append(f"{one}: {versions.get(name)}")
        if (name, *sorted(one.extras)) in seen:
            continue
        seen.add((name, *sorted(one.extras)))
        try:
            needs = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            assert platform != "here", f"{name} is not installed: run `python3 course.py test`"
            continue  # needed on the other platform only
        for need in map(Requirement, needs):
            extras = one.extras or {""}
            if not need.marker or any(
                need.marker.evaluate(environment | {"extra": extra}) for extra in extras
            ):
                queue.append(need)
    assert not problems


def test_every_package_folder_is_named_in_pyproject():
    folders = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "mlcourse").rglob("__init__.py")
    }
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert folders <= set(tomllib.loads(text)["tool"]["setuptools"]["packages"])


@pytest.mark.slow
def test_the_wheel_holds_every_module_and_the_figure_style(tmp_path):
    tree = tmp_path / "tree"
    shutil.copytree(
        ROOT / "mlcourse", tree / "mlcourse", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name in ["pyproject.toml", PROJECT["readme"], *PROJECT["license-files"]]:
        shutil.copy(ROOT / name, tree)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path, tree]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    source = {
        path.relative_to(tree).as_posix()
        for path in (tree / "mlcourse").rglob("*")
        if path.suffix in (".py", ".mplstyle")
    }
    assert any(name.endswith(".mplstyle") for name in source)
    assert source <= held
    assert {name.split("/")[0].split("-")[0] for name in held} == {"mlcourse"}
