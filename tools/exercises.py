"""From a solution to the exercise a student gets: nbgrader's release, compared or written.

nbgrader's own ``generate_assignment`` removes solutions, hidden tests and mark schemes and locks
the cells; nbgrader_config.py tells it what else may leave solutions/ (the data) and what may not.
"""

import filecmp
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from tools.notebooks import BuildError, dumps

ROOT = Path(__file__).resolve().parent.parent


def released(notebook, folder, into):
    """Make the student's version of ``notebook`` and its data in ``into``; return its folder."""
    name = folder.name
    shutil.copytree(
        folder, into / "solutions" / name, ignore=shutil.ignore_patterns("__pycache__", ".*")
    )
    (into / "solutions" / name / f"{name}.ipynb").write_text(dumps(notebook), encoding="utf-8")
    shutil.copy(ROOT / "nbgrader_config.py", into)
    command = ["nbgrader", "generate_assignment", "--create", "--no-db", "--force"]
    run = subprocess.run(
        [sys.executable, "-m", *command, name], cwd=into, capture_output=True, text=True
    )
    made = into / "exercises" / name
    path = made / f"{name}.ipynb"
    if run.returncode or not path.exists():
        reason = run.stderr.strip().splitlines() or ["no reason given"]
        raise BuildError(f"{folder / name}.md:1: nbgrader could not release it: {reason[-1]}")
    path.write_text(dumps(nbformat.read(path, as_version=4)), encoding="utf-8")
    return made


def release(notebook, folder, exercises, check):
    """Write the student's version under ``exercises``, or (``check``) say where it differs."""
    with tempfile.TemporaryDirectory() as scratch:
        made = released(notebook, folder, Path(scratch))
        target = exercises / folder.name
        new = {path.relative_to(made) for path in made.rglob("*") if path.is_file()}
        old = {path.relative_to(target) for path in target.rglob("*") if path.is_file()}
        old = {path for path in old if ".ipynb_checkpoints" not in path.parts}
        shared = {path for path in new & old if filecmp.cmp(made / path, target / path, False)}
        unequal = sorted(new ^ old | (new & old) - shared)
        if not check:
            for path in unequal:
                if path in new:
                    (target / path).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(made / path, target / path)
                else:
                    (target / path).unlink()
            return []
        return [
            f"{target.parent.name}/{folder.name}/{path}: not what solutions/{folder.name} "
            "releases; run `python3 course.py build`"
            for path in unequal
        ]
