"""Build the website: ``python -m tools.site [--out DIR]``."""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from sphinx.cmd.build import build_main

from tools.site.lessons import ROOT
from tools.site.links import problems
from tools.site.stage import BESIDE, stage

UNUSED = (".buildinfo", "objects.inv", "_static/*.html", "_static/**/*.map")  # by a reader
MARK = ".course-site"  # a folder that has this file was written by us and may be replaced


def build(out, beside=()):
    """Build the site into a folder; return an exit code. Warnings are errors, links are checked.

    ``beside``: which of the folders BESIDE to link to. They are never touched.
    """
    out = Path(out).resolve()
    old = [path for path in out.iterdir() if path.name not in BESIDE] if out.is_dir() else []
    if old and not (out / MARK).exists():
        print(f"site: {out} has files that are no site's; give an empty folder", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        source, fresh = Path(scratch, "source"), Path(scratch, "html")
        stage(source, beside)
        options = ["-b", "html", "-c", str(Path(__file__).parent), "-W", "--keep-going", "-q"]
        options += ["-j", "auto", "-d", str(Path(scratch, "doctrees")), str(source), str(fresh)]
        code = build_main(options)
        shutil.copytree(source / "extra", fresh, dirs_exist_ok=True)
        shutil.rmtree(fresh / "_sources", ignore_errors=True)
        for path in [path for unused in UNUSED for path in fresh.glob(unused)]:
            path.unlink()
        found = problems(fresh, beside)
        print("".join(f"site: {sentence}\n" for sentence in found), end="", file=sys.stderr)
        if code or found:
            return 1
        (fresh / MARK).write_text(
            "Written by `python3 course.py site`; replaced by the next run.\n"
        )
        files = [path for path in fresh.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files) / 1e6
        for path in old:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(fresh, out, dirs_exist_ok=True)
    pages = sum(path.suffix == ".html" for path in files)
    print(f"{out / 'index.html'}: {pages} pages, {size:.0f} MB; open it in a browser.")
    return 0


def main(argv=None):
    """Read the options and build."""
    parser = argparse.ArgumentParser(prog="course.py site", description=__doc__)
    parser.add_argument("--out", type=Path, metavar="DIR", default=ROOT / "build" / "site")
    for name, maker in BESIDE.items():
        parser.add_argument(f"--{name}", action="store_true", help=f"link to what {maker} writes")
    options = parser.parse_args(argv)
    return build(options.out, [name for name in BESIDE if getattr(options, name)])


if __name__ == "__main__":
    sys.exit(main())
