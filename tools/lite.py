"""The course in a browser, with nothing to install: ``python -m tools.lite --out DIR``.

Writes a JupyterLite app into DIR/lite: Jupyter, a Python that runs in the browser (Pyodide), the
lessons, the exercises and mlcourse with its data. It is files only: any web server can serve it.

Without ``--pyodide`` the reader's browser takes Python and its packages from Pyodide's usual place
on the Internet. With ``--pyodide FOLDER`` (an unpacked Pyodide distribution) everything is in
DIR/lite, and the browser asks nobody else. What the kernel needs and the folder lacks, such as
IPython, is taken from the running environment, which must hold it as plain Python.
"""

import argparse
import base64
import email
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.environment import CourseError, clean

ROOT = Path(__file__).resolve().parent.parent
TREES = {"notebooks": "*.ipynb", "exercises": "**/*"}  # what a reader sees: folder → what of it
SKIPPED = {"__pycache__", ".ipynb_checkpoints"}
# One notebook per page, and a page that lists them. JupyterLab would open the notebooks of the last
# visit too and start a Python for each at once, which was seen to hang.
APPS = ["notebooks", "tree"]
EXTENSION = "@jupyterlite/pyodide-kernel-extension"
KERNEL = ["micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython"]
RUNTIME = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]
LOCK = "pyodide-lock.json"
COMPILED = {".so", ".pyd", ".dylib"}
OPTIONAL = {"wcwidth"}  # its compiled part is optional: it runs without
# Without a Pyodide folder a notebook fetches mlcourse from the site first. On a student's own
# machine and in the grader the cell does nothing.
FETCH = """\
import sys

if sys.platform == "emscripten":  # in the browser
    import piplite

    await piplite.install("mlcourse")"""


def address(path):
    """Return the address, relative to the site, that opens a notebook in the browser.

    >>> address("notebooks/01_information_theory.ipynb")
    'lite/notebooks/index.html?path=notebooks/01_information_theory.ipynb'
    """
    return f"lite/notebooks/index.html?path={quote(str(path))}"


def build(out, pyodide=None):
    """Write the app into out/lite, replacing an earlier one; return that folder."""
    target = Path(out).resolve() / "lite"
    if target.exists() and any(target.iterdir()) and not (target / "jupyter-lite.json").exists():
        raise CourseError(f"{target} has files that are not of JupyterLite: name another folder.")
    if find_spec("jupyterlite_core") is None or find_spec("jupyterlite_pyodide_kernel") is None:
        raise CourseError("JupyterLite is missing: install mlcourse[lite] (see pyproject.toml).")
    with tempfile.TemporaryDirectory() as scratch:
        project, fresh = Path(scratch, "project"), Path(scratch, "lite")
        stage(project, pyodide)
        compose(project, fresh)
        if target.exists():
            shutil.rmtree(target)
        shutil.copytree(fresh, target)
    return target


def stage(project, pyodide):
    """Write what JupyterLite builds from: contents, settings, wheels and, if given, Pyodide."""
    settings = {"disablePyPIFallback": pyodide is not None}
    if pyodide is None:
        own_wheel(project / "pypi")
    else:
        offline(Path(pyodide), project / "static" / "pyodide")
        settings["loadPyodideOptions"] = {"packages": KERNEL}
    for path in contents():
        target = project / "files" / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".ipynb" and pyodide is None:
            target.write_text(with_fetch(path), encoding="utf-8")
        else:
            shutil.copyfile(path, target)
    config = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "Decision trees and ensembles",
            "appUrl": "./tree",
            "litePluginSettings": {f"{EXTENSION}:kernel": settings},
        },
    }
    (project / "jupyter-lite.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    shutil.copyfile(
        ROOT / "jupyter" / "labconfig" / "default_setting_overrides.json",
        project / "overrides.json",
    )


def contents():
    """Return the files that the reader finds in the browser."""
    return sorted(
        path
        for folder, pattern in TREES.items()
        for path in (ROOT / folder).glob(pattern)
        if path.is_file() and not SKIPPED & set(path.parts)
    )


def with_fetch(path):
    """Return a notebook's text with the cell that fetches mlcourse, right below the title."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cell = {"cell_type": "code", "execution_count": None, "id": "fetch-mlcourse"}
    cell |= {"metadata": {}, "outputs": [], "source": FETCH}
    notebook["cells"].insert(1, cell)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def compose(project, fresh):
    """Let JupyterLite build the app; nothing of the environment but the kernel goes into it."""
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--ignore-sys-prefix"]
    command += ["--no-sourcemaps", "--no-unused-shared-packages"]
    command += [f"--apps={name}" for name in APPS]
    command += ["--lite-dir", project, "--contents", project / "files"]
    command += ["--output-dir", fresh, f"--LiteBuildConfig.federated_extensions={kernel_folder()}"]
    done = subprocess.run(
        [str(part) for part in command], cwd=project, env=clean(), capture_output=True, text=True
    )
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        raise CourseError(f"JupyterLite ended with exit code {done.returncode}: see above.")


def kernel_folder():
    """Return the folder of the kernel's files in this environment."""
    folder = Path(sys.prefix, "share", "jupyter", "labextensions", EXTENSION)
    if not (folder / "package.json").exists():
        raise CourseError(f"{folder} is missing: install jupyterlite-pyodide-kernel again.")
    return folder


def offline(source, target):
    """Copy of a Pyodide folder what the course needs, and add what it lacks.

    Packages are found by Pyodide's own list, pyodide-lock.json; a cell that imports one of them
    loads it with all that it depends on. So mlcourse, the kernel and what the kernel needs go into
    the list too.
    """
    missing = [name for name in [*RUNTIME, LOCK] if not (source / name).is_file()]
    if missing:
        raise CourseError(
            f"{source} is no folder of Pyodide 314 or later: it lacks {', '.join(missing)}."
        )
    target.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copyfile(source / name, target / name)
    lock = json.loads((source / LOCK).read_text(encoding="utf-8"))
    python = lock["info"]["python"]
    added = [own_wheel(target)]
    for wheel in sorted(kernel_folder().glob("static/pypi/*.whl")):
        if wheel.name.startswith(("ipykernel", "piplite", "pyodide_kernel")):
            added.append(Path(shutil.copyfile(wheel, target / wheel.name)))
    entries = {entry["name"]: entry for entry in (listed(wheel, python) for wheel in added)}
    todo, chosen = [*KERNEL, "mlcourse"], {}
    while todo:
        name = canonicalize_name(todo.pop())
        if name in chosen:
            continue
        entry = entries.get(name)
        if entry is None:
            entry = lock["packages"].get(name)
            if entry and (source / entry["file_name"]).is_file():
                shutil.copyfile(source / entry["file_name"], target / entry["file_name"])
            else:
                entry = listed(repack(name, target, source), python)
        chosen[name] = entry
        todo += entry["depends"]
    agree(chosen, target, python)
    lock["packages"] = dict(sorted(chosen.items()))
    (target / LOCK).write_text(json.dumps(lock, indent=1), encoding="utf-8")


def agree(chosen, target, python):
    """Refuse versions that do not fit together: Pyodide itself would load them all the same."""
    wheels = {name: entry["file_name"] for name, entry in chosen.items()}
    for name, wheel in wheels.items():
        if not wheel.endswith(".whl"):
            continue  # a library in C, which needs no Python package
        for need in requirements(target / wheel, python):
            other = chosen.get(canonicalize_name(need.name))
            if other and not need.specifier.contains(other["version"], prereleases=True):
                raise CourseError(
                    f"{name} needs {need}, but the browser would have {other['version']}: "
                    "give a Pyodide folder that fits."
                )


def listed(wheel, python):
    """Return the entry of a pure wheel in pyodide-lock.json."""
    about = metadata(wheel)
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist() if name.endswith(".py")}
    return {
        "depends": [canonicalize_name(need.name) for need in requirements(wheel, python)],
        "file_name": wheel.name,
        "imports": sorted(top.removesuffix(".py") for top in tops),
        "install_dir": "site",
        "name": canonicalize_name(about["Name"]),
        "package_type": "package",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "unvendored_tests": False,
        "version": about["Version"],
    }


def metadata(wheel):
    """Return what a wheel says about itself."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))


def requirements(wheel, python):
    """Return what a wheel requires in the browser."""
    browser = {
        "extra": "",
        "os_name": "posix",
        "platform_machine": "wasm32",
        "platform_system": "Emscripten",
        "python_full_version": python,
        "python_version": ".".join(python.split(".")[:2]),
        "sys_platform": "emscripten",
    }
    needs = [Requirement(text) for text in metadata(wheel).get_all("Requires-Dist", [])]
    return [need for need in needs if need.marker is None or need.marker.evaluate(browser)]


def own_wheel(folder):
    """Write mlcourse with its data as a wheel; return its path."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}"]
    lines.append(f"Requires-Python: {project['requires-python']}")
    lines += [f"Requires-Dist: {need}" for need in project["dependencies"]]
    stem = f"{project['name']}-{project['version']}"
    files = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in (ROOT / project["name"]).rglob("*")
        if path.is_file() and not SKIPPED & set(path.parts)
    }
    files[f"{stem}.dist-info/METADATA"] = ("\n".join(lines) + "\n").encode()
    return write_wheel(folder, stem, files)


def repack(name, folder, source):
    """Write an installed package of plain Python as a wheel again; return its path."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        raise CourseError(f"{name} is neither in {source} nor installed here.") from None
    files, compiled = {}, []
    for path in found.files:
        if ".." in path.parts or SKIPPED & set(path.parts) or path.name in ("RECORD", "WHEEL"):
            continue
        if path.suffix in COMPILED:
            compiled.append(path.name)
        else:
            files[path.as_posix()] = path.locate().read_bytes()
    if compiled and name not in OPTIONAL:
        raise CourseError(
            f"{source} lacks {name}, which is not plain Python: give a fuller folder."
        )
    stem = next(path.parts[0] for path in found.files if path.name == "METADATA")
    return write_wheel(folder, stem.removesuffix(".dist-info"), files)


def write_wheel(folder, stem, files):
    """Write a pure wheel, the same bytes for the same files; return its path."""
    about = f"{stem}.dist-info"
    wheel = "Wheel-Version: 1.0\nGenerator: tools.lite\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {**files, f"{about}/WHEEL": wheel.encode()}
    record = [f"{name},sha256={digest(data)},{len(data)}" for name, data in sorted(files.items())]
    files[f"{about}/RECORD"] = "\n".join([*record, f"{about}/RECORD,,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


def digest(data):
    """Return a file's hash as a wheel records it."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main(argv=None):
    """Read the options, build, and say what came of it."""
    parser = argparse.ArgumentParser(prog="tools.lite", description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, metavar="DIR", default=ROOT / "build" / "site")
    parser.add_argument("--pyodide", type=Path, metavar="DIR", help="for a site without Internet")
    options = parser.parse_args(argv)
    try:
        target = build(options.out, options.pyodide)
    except CourseError as error:
        print(f"lite: {error}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file()) / 1e6
    python = "from the Internet" if options.pyodide is None else "inside"
    print(f"{target}: {size:.0f} MB, Python {python}; serve {target.parent} with a web server, as")
    print(f"python3 -m http.server --bind 127.0.0.1 --directory {target.parent}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
