"""A copy of the course for students, without solutions: ``course.py build --handout DIR``.

The folder may be a git repository that students clone: only what an earlier handout wrote is
replaced. Copied is what is named here, never what happens to lie around. Standard library only.
"""

import ast
import json
import re
import shutil
from pathlib import Path

from tools.environment import CourseError

RECORD = ".handout.json"
FILES = ["course.py", "pyproject.toml", "constraints.txt", "environment.yml", "LICENSE"]
FILES += ["CITATION.cff", "CHANGELOG.md", ".gitignore", "tools/__init__.py"]
TREES = {  # folder → what of it
    "notebooks": "*.ipynb",
    "exercises": "**/*",
    "mlcourse": "**/*",
    "jupyter": "**/*",
    "docs": "*.png",
}
SKIPPED = {"__pycache__", ".ipynb_checkpoints"}
KEPT_SECTIONS = ("Two commands", "For students", "License")  # of the README
SOLUTION = re.compile(r"BEGIN SOLUTION|BEGIN MARK SCHEME|BEGIN HIDDEN")


def write(root, target):
    """Write the students' copy; return how many files it has."""
    released(root)
    target = Path(target)
    try:
        earlier = json.loads((target / RECORD).read_text(encoding="utf-8"))["files"]
    except FileNotFoundError:
        earlier = []
        if target.exists() and [path for path in target.iterdir() if path.name != ".git"]:
            raise CourseError(
                f"{target} is not empty and no earlier handout: name a new folder."
            ) from None
    except (ValueError, LookupError):
        raise CourseError(f"{target / RECORD} is damaged: name a new folder.") from None
    if target.resolve().is_relative_to(root.resolve()):
        raise CourseError(f"{target} lies inside the course: name a folder outside of it.")
    for name in earlier:
        (target / name).unlink(missing_ok=True)
    names = sorted({*FILES, *trees(root), *used(root, "tools/commands.py")})
    for name in names:
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, place)
    (target / "README.md").write_text(readme(root), encoding="utf-8")
    record = {"written by": "course.py build --handout", "files": [*names, "README.md"]}
    (target / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return len(names) + 1


def released(root):
    """Refuse if an exercise is not released, or if its release still holds a solution."""
    for folder in sorted(path for path in (root / "solutions").glob("[0-9]*") if path.is_dir()):
        notebook = root / "exercises" / folder.name / f"{folder.name}.ipynb"
        if not notebook.exists():
            raise CourseError(f"exercises/{folder.name} is missing: run `python3 course.py build`.")
        if SOLUTION.search(notebook.read_text(encoding="utf-8")):
            raise CourseError(f"{notebook} holds a solution: run `python3 course.py build`.")


def trees(root):
    """Return the names of the files below the folders that are copied."""
    found = set()
    for folder, pattern in TREES.items():
        for path in (root / folder).glob(pattern):
            if path.is_file() and not path.is_symlink() and not SKIPPED & set(path.parts):
                found.add(path.relative_to(root).as_posix())
    return found


def used(root, name, found=()):
    """Return a module of tools/ and the modules of tools/ that it imports, and so on."""
    found = {*found, name}
    for node in ast.walk(ast.parse((root / name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            modules = [node.module]
            if node.module == "tools":
                modules = [f"tools.{alias.name}" for alias in node.names]
            for path in (module.replace(".", "/") + ".py" for module in modules):
                if path.startswith("tools/") and path not in found and (root / path).exists():
                    found |= used(root, path, found)
    return found


def readme(root):
    """Return the README without what is for instructors and authors."""
    text = (root / "README.md").read_text(encoding="utf-8")
    first, *sections = re.split(r"(?m)^(?=## )", text)
    kept = [part for part in sections if part[3:].split("\n")[0].strip() in KEPT_SECTIONS]
    text = "".join([first, *kept]).replace("## Two commands", "## One command")
    text = re.sub(r" \([^()]* with `test`\)", "", text)
    return "".join(line for line in text.splitlines(True) if "course.py test" not in line)
