"""What is wrong with this installation, and what would mend it? ``python3 course.py doctor``.

Each check returns what it found and, if something must be mended, what to do. Nothing is changed
or installed. Standard library only: it must run where nothing else does.
"""

import os
import platform
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass

from tools.environment import (
    INCLUDES,
    NAMED_IN,
    PIPED,
    CourseError,
    clean,
    digest,
    python_of,
    read_stamp,
    version_of,
)

NEEDED = 1_000_000_000  # bytes of disk for a first set-up
PACKAGES = ("numpy", "pandas", "matplotlib", "scipy", "scikit-learn", "jupyterlab", "ipykernel")
ASK = """
import sys
from importlib.metadata import PackageNotFoundError, version
for name in sys.argv[1:]:
    try:
        print(name, version(name))
    except PackageNotFoundError:
        print(name, "missing")
"""
COMPUTE = """
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="python3")
reply = client.execute_interactive("import mlcourse; print(mlcourse.entropy([0.25] * 4))",
                                   timeout=60, output_hook=lambda m: print(m["content"]))
client.stop_channels()
manager.shutdown_kernel(now=True)
"""


@dataclass
class Finding:
    """One line of the report: ``mend`` says what to do if something is wrong."""

    what: str
    mend: str = ""
    note: bool = False  # good to know, nothing to mend

    def __str__(self):
        sign = "FIX " if self.mend else "note" if self.note else "ok  "
        return f"{sign}  {self.what}" + (f"\n      → {self.mend}" if self.mend else "")


def examine(root):
    """Yield the findings, the most basic first; stop where the rest would only repeat a fault."""
    yield Finding(f"Python {platform.python_version()} on {platform.system()}")
    yield writable(root)
    yield from shadows(root)
    ready = environment(root)
    yield ready
    if not ready.mend and not ready.note:
        python = python_of(root / ".venv")
        yield from packages(root, python)
        yield kernel(root, python)
    yield port(8888)
    yield from helpers()


def writable(root):
    """Say whether the course folder can be written, and has room."""
    if not os.access(root, os.W_OK):
        return Finding(
            f"the folder {root} cannot be written",
            "move the course to a folder of your own, for example your home folder",
        )
    free = shutil.disk_usage(root).free
    if free < NEEDED and not (root / ".venv").exists():
        return Finding(
            f"{free / 1e9:.1f} GB of disk are free; the set-up needs about 1 GB", "free some disk"
        )
    return Finding(f"the folder can be written; {free / 1e9:.1f} GB of disk are free")


def shadows(root):
    """Yield files whose names hide a module from the notebooks beside them."""
    names = {*PACKAGES, "mlcourse", "sklearn", "random", "math", "json", "types", "copy"}
    places = [root, *root.glob("work"), *root.glob("work/*")]
    for folder in places:
        for path in sorted(folder.glob("*.py")):
            if path.stem in names:
                yield Finding(
                    f"{path.relative_to(root)} has the name of a module and hides it",
                    f"rename that file, for example to my_{path.name}",
                )


def environment(root):
    """Say whether .venv is there, complete and of this course."""
    folder = root / ".venv"
    if not folder.exists():
        return Finding("not set up yet: `course.py lab` does it, once", note=True)
    try:
        version = version_of(python_of(folder), folder)
    except CourseError as error:
        return Finding("the environment .venv cannot be used", str(error))
    stamp, lab = read_stamp(folder), "run `course.py lab`: it goes on with the set-up"
    if not stamp:
        return Finding("the set-up of .venv was interrupted", lab)
    now = {name: digest(root / name) for name in NAMED_IN}
    now |= {"python": version, "folder": str(root)}
    changed = [name for name, value in now.items() if stamp.get(name) != value]
    if changed:
        return Finding(f"changed since the set-up: {', '.join(changed)}", lab)
    extras = [name for name in INCLUDES if name in stamp["extras"]]
    return Finding(f"the environment .venv is complete (Python {version}; {', '.join(extras)})")


def packages(root, python):
    """Yield what is installed, and what differs from constraints.txt."""
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wanted = dict(line.split("==") for line in lines if "==" in line and not line.startswith("#"))
    found = ask(python, "-c", ASK, *PACKAGES)
    if found.returncode:
        yield Finding("the Python of .venv does not answer", reinstall())
        return
    versions = dict(line.split() for line in found.stdout.splitlines() if len(line.split()) == 2)
    wrong = [name for name in PACKAGES if versions.get(name) != wanted.get(name)]
    if wrong:
        words = ", ".join(f"{n} is {versions.get(n)}, expected {wanted.get(n)}" for n in wrong)
        yield Finding(f"packages were changed by hand: {words}", reinstall())
    else:
        yield Finding("packages: " + ", ".join(f"{n} {v}" for n, v in versions.items()))
    checked = ask(python, "-m", "pip", "check")
    if checked.returncode:
        yield Finding(f"pip check says: {checked.stdout.strip().splitlines()[0]}", reinstall())


def kernel(root, python):
    """Start a kernel as JupyterLab does, and let it compute an entropy: two bits."""
    try:
        answer = ask(python, "-P", "-c", COMPUTE)
    except subprocess.TimeoutExpired:
        answer = None
    if answer and "2.0" in answer.stdout:
        return Finding("a notebook kernel starts and computes with mlcourse")
    last = answer.stdout.strip().splitlines()[-1] if answer and answer.stdout.strip() else "silence"
    return Finding(f"a notebook kernel does not compute ({last[:200]})", reinstall())


def port(number):
    """Say whether JupyterLab's usual port is free."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", number))
        except OSError:
            return Finding(f"port {number} is in use: `lab` takes the next one", note=True)
    return Finding(f"port {number} is free for JupyterLab")


def helpers():
    """Yield what instructors and authors may want, and whether it is here."""
    wanted = {
        "bwrap": "bubblewrap: `course.py grade` runs students' code in it (Linux)",
        "chromium": "Chromium: the tests look at notebooks, slides and site in it",
        "Rscript": "R with rpart: live comparison of the trees",
    }
    for program, purpose in wanted.items():
        here = "here" if shutil.which(program) else "not here, and only needed for this"
        yield Finding(f"{purpose}: {here}", note=True)


def reinstall():
    """Return the advice that mends most environments."""
    delete = "cmd /c rmdir /s /q .venv" if os.name == "nt" else "rm -rf .venv"
    return f"delete the folder .venv ({delete}) and run `course.py lab`"


def ask(python, *arguments):
    """Run the environment's Python and return what it said."""
    return subprocess.run([python, *arguments], env=clean(), timeout=120, **PIPED)


def main(root):
    """Print the report; return 0 if nothing must be mended."""
    faults = 0
    for finding in examine(root):
        print(finding, flush=True)
        faults += bool(finding.mend)
    print(f"{faults} to mend." if faults else "All is well.")
    if faults:
        print(f"Then run `{os.path.basename(sys.executable)} course.py doctor` again.")
    return int(faults > 0)
