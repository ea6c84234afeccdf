"""Build what the tree holds in two forms: ``python3 course.py build [NN …] [--check]``.

notebooks/source/NN_topic.md            → notebooks/NN_topic.ipynb
solutions/NN_topic/NN_topic.md          → solutions/NN_topic/NN_topic.ipynb
solutions/NN_topic/ without solutions   → exercises/NN_topic/
the first figure of each lesson         → docs/figures/NN_topic.png
"""

import argparse
import base64
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat

from tools import exercises
from tools.notebooks import (
    BuildError,
    build,
    differences,
    dumps,
    same_picture,
    write_atomically,
)

ROOT = Path(__file__).resolve().parent.parent
WARN_SECONDS = 30
FAIL_SECONDS = 120


def sources(root=ROOT):
    """Return {source .md: the .ipynb it produces}, lessons first, in lecture order."""
    lessons = sorted((root / "notebooks" / "source").glob("*.md"))
    found = {path: root / "notebooks" / f"{path.stem}.ipynb" for path in lessons}
    for folder in sorted(path for path in (root / "solutions").glob("*") if path.is_dir()):
        source = folder / f"{folder.name}.md"
        if source.exists():
            found[source] = source.with_suffix(".ipynb")
    return found


def chosen(numbers, root=ROOT):
    """Return the sources that ``numbers`` name ("02" means 02a, 02b … too); all if none given."""
    everything = sources(root)
    unknown = [n for n in numbers if not any(path.stem.startswith(n) for path in everything)]
    if unknown:
        known = ", ".join(sorted({path.stem for path in everything}))
        raise BuildError(f"no lesson or exercise begins with {unknown[0]!r}; there are: {known}")
    return {
        source: target
        for source, target in everything.items()
        if not numbers or any(source.stem.startswith(n) for n in numbers)
    }


def orphans(root=ROOT):
    """List built files that no source produces."""
    produced = set(sources(root).values())
    stored = {*(root / "notebooks").rglob("*.ipynb"), *(root / "solutions").rglob("*.ipynb")}
    stored = {path for path in stored if ".ipynb_checkpoints" not in path.parts}
    released = {path for path in (root / "exercises").glob("*") if path.name[0].isdigit()}
    lone = {path for path in released if not (root / "solutions" / path.name).is_dir()}
    return [
        f"{path.relative_to(root)}: no source produces it"
        for path in sorted(stored - produced | lone)
    ]


def time_problem(name, seconds):
    """Return a sentence if a notebook takes longer than its budget, else None."""
    if seconds <= WARN_SECONDS:
        return None
    limit = FAIL_SECONDS if seconds > FAIL_SECONDS else WARN_SECONDS
    return f"{name} took {seconds:.0f} s to run: over {limit} s"


def unlike(notebook, target):
    """List where the file ``target`` is not what ``notebook`` would be written as."""
    try:
        text = target.read_text(encoding="utf-8")
        stored = nbformat.reads(text, as_version=4)
    except Exception as error:  # truncated JSON, merge markers, no notebook at all
        return [f"not a readable notebook: {error}"]
    found = differences(notebook, stored)
    if not found and text != dumps(stored):
        found = ["the same notebook, but not in the form `course.py build` writes"]
    return found


def lesson_picture(notebook, target, check):
    """Write the first figure of a lesson for README and site, or (``check``) compare it."""
    pictures = [
        output.data["image/png"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    if not pictures:
        raise BuildError(f"{target.stem}: a lesson needs a figure")
    stored = base64.b64encode(target.read_bytes()).decode() if target.exists() else None
    if stored and same_picture(stored, pictures[0]):
        return []
    if check:
        return [f"{target.name}: not the picture of the lesson; run `python3 course.py build`"]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(base64.b64decode(pictures[0]))
    return []


def make(source, target, check, root=ROOT):
    """Build one source; return the problems found (checking) or none (writing), and the seconds."""
    name = target.relative_to(root)
    notebook, seconds = build(source, target.parent)
    problems = []
    if seconds > FAIL_SECONDS:
        problems.append(time_problem(name, seconds))
    if check and not target.exists():
        problems.append(f"{name}: missing; run `python3 course.py build`")
    elif check:
        problems += [f"{name}: {difference}" for difference in unlike(notebook, target)]
    elif not target.exists() or unlike(notebook, target):
        # A picture that moved within the tolerance is not written again: no noise in git.
        write_atomically(target, dumps(notebook))
    if target.parent == root / "notebooks":
        picture = root / "docs" / "figures" / f"{source.stem}.png"
        problems += lesson_picture(notebook, picture, check)
    if source.parent != root / "notebooks" / "source":
        problems += exercises.release(notebook, source.parent, root / "exercises", check)
    return problems, seconds


def main(arguments=None):
    """Build or check; exit code 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="course.py build", description=__doc__.split("\n")[0])
    parser.add_argument("numbers", nargs="*", metavar="NN", help="lessons to build; default: all")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on differences")
    options = parser.parse_args(arguments)
    try:
        todo = chosen(options.numbers)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    problems = orphans() if not options.numbers else []
    with ThreadPoolExecutor(max_workers=2) as pool:  # each source runs in a kernel of its own
        jobs = {s: pool.submit(make, s, t, options.check) for s, t in todo.items()}
        for source, job in jobs.items():
            name = source.relative_to(ROOT)
            try:
                found, seconds = job.result()
            except BuildError as error:
                print(f"FAILED  {name}", flush=True)
                problems.append(str(error).removeprefix(f"{ROOT}/"))
                continue
            verdict = "differs" if found else "same" if options.check else "built"
            print(f"{verdict:7s} {name}  ({seconds:.1f} s)", flush=True)
            slow = time_problem(name, seconds)
            if slow and not found:
                print(f"warning: {slow}", flush=True)
            problems += found
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
