"""The commands of course.py.

A command is a function that takes the parsed options and returns an exit code; ``arguments``
gives it a name, a line of help and its options. Standard library only.
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from tools import doctor as examination
from tools import handout, work
from tools.environment import CourseError, clean, explain_error, prepare

ROOT = Path(__file__).resolve().parent.parent
# One thread per process and one place for Jupyter's files: outputs are the same everywhere.
REPEATABLE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "JUPYTER_PLATFORM_DIRS": "1"}


def arguments():
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="course.py", description="Study, test or build the course."
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(function, text):
        command = commands.add_parser(
            function.__name__, help=text, description=text, allow_abbrev=False
        )
        command.set_defaults(run=function, usage=command)
        return command

    command = add(lab, "open the lessons and exercises in JupyterLab")
    command.add_argument("--no-browser", action="store_true", help="do not open a browser")
    command.add_argument("--port", type=port_number, default=8888, help="default: 8888")
    command.add_argument("--in-place", action="store_true", help="for authors: open the repository")
    add(test, "run every test; further arguments go to pytest")
    command = add(build, "rebuild lessons and exercises from their sources")
    command.add_argument("lessons", nargs="*", metavar="NN", help="only these, for example 01")
    command.add_argument("--check", action="store_true", help="fail if anything would change")
    command.add_argument(
        "--handout", type=Path, metavar="DIR", help="only write a copy for students into DIR"
    )
    command = add(grade, "grade a folder of submissions; INSTRUCTORS.md tells how")
    command.add_argument("submissions", type=Path, help="a folder, or a learning platform's zip")
    command.add_argument("--lesson", metavar="NN", help="default: as the notebooks look")
    command.add_argument("--out", type=Path, metavar="DIR", default=Path("grades"))
    command.add_argument(
        "--jobs", type=int, metavar="N", help="students at once; default: all cores"
    )
    command.add_argument("--dask", metavar="ADDRESS", help="use the Dask cluster of this scheduler")
    command.add_argument("--seed", type=int, help="of the fresh inputs; default: kept or new")
    command.add_argument("--manual", type=Path, metavar="FILE", help="gradebook.db or CSV to merge")
    command.add_argument(
        "--export", type=Path, metavar="DIR", help="write nbgrader's submitted/ too"
    )
    command.add_argument(
        "--timeout", type=float, metavar="S", help="a cell, a question; default: 20"
    )
    command.add_argument("--memory", type=int, metavar="MB", help="of a submission; default: 2048")
    command.add_argument("--regrade", action="store_true", help="grade finished students again too")
    command.add_argument(
        "--unsafe-no-sandbox", action="store_true", help="run students' code with your own rights"
    )
    command = add(slides, "make a deck of slides from each lesson")
    command.add_argument("lessons", nargs="*", metavar="NN", help="only these, for example 01")
    command.add_argument("--out", type=Path, metavar="DIR", help="default: slides")
    command = add(site, "build the website")
    command.add_argument("--out", type=Path, metavar="DIR", help="default: build/site")
    command.add_argument("--slides", action="store_true", help="with the decks of the lessons")
    command.add_argument("--lite", action="store_true", help="with lessons that run in the browser")
    command.add_argument("--pyodide", type=Path, metavar="DIR", help="a Pyodide folder, for --lite")
    add(doctor, "look at the installation and say what to mend")
    command = add(bench, "time the library against its peers and draw the result")
    command.add_argument("names", nargs="*", metavar="NAME", help="only these tables, as gini")
    command.add_argument("--quick", action="store_true", help="small sizes only, in seconds")
    command.add_argument("--out", type=Path, metavar="DIR", help="default: benchmarks/results")
    return parser


def main(argv=None):
    """Run one command and return its exit code; a problem is told in one sentence."""
    sys.stdout.reconfigure(errors="replace")
    options, rest = arguments().parse_known_args(argv)
    if rest and options.run is not test:
        options.usage.error("unknown arguments: " + " ".join(rest))
    options.rest = rest
    try:
        return options.run(options)
    except CourseError as error:
        sentence = error
    except OSError as error:
        sentence = explain_error(error, ROOT)
    except KeyboardInterrupt:
        sentence = "stopped; the same command goes on from here."
    print(f"course.py: {sentence}", file=sys.stderr)
    return 1


def lab(options):
    """Copy lessons and exercises to work/ (or not), trust them and serve them until Ctrl-C."""
    python = prepare(ROOT, "course")
    folder, files = ROOT, sorted(ROOT.glob("notebooks/[0-9][0-9]*.ipynb"))
    if not options.in_place:
        folder, files = ROOT / "work", work.deliver(ROOT)
        print(f"Your own copies, {len(files)} of them new: {folder}")
    if files and not work.trust(python, files):
        print("The notebooks are not trusted yet: moving figures show after their cell is run.")
    port = free_port(options.port)
    print(f"JupyterLab starts at http://localhost:{port}/lab; Ctrl-C ends it.", flush=True)
    config = [str(ROOT / "jupyter"), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    code = serve(
        lab_command(python, folder, port, browser=not options.no_browser),
        clean(JUPYTER_CONFIG_PATH=os.pathsep.join(config)),
    )
    if code:
        raise CourseError(f"JupyterLab ended with exit code {code}: its lines above say why.")
    print(f"Bye. Your work stays in {folder}")
    return 0


def lab_command(python, folder, port, browser):
    """Return the command that starts JupyterLab (-P: files in a folder hide no module)."""
    command = [str(python), "-P", "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    command += [f"--ServerApp.port={port}", "--ServerApp.log_level=WARN", "--LabApp.log_level=WARN"]
    if not browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # in a container; the server listens on this machine only
    return command


def serve(command, env):
    """Run a server until it ends or Ctrl-C; return its exit code, 0 after Ctrl-C."""
    for name in ("SIGTERM", "SIGHUP"):  # a closed terminal ends the server too
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    # Its own process group: Ctrl-C reaches us only, and we ask the server to end its kernels first.
    group = {"process_group": 0} if os.name == "posix" else {}
    server = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, **group)
    try:
        return server.wait()
    except KeyboardInterrupt:
        if group:
            server.terminate()  # on Windows, Ctrl-C has reached the server too
        try:
            server.wait(timeout=15)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            server.kill()
            server.wait()
        return 0


def free_port(first):
    """Return the first port of fifty that this user may open, and say if it is not the first."""
    for port in range(first, min(first + 50, 65536)):
        with socket.socket() as probe:
            if os.name == "posix":  # as the server does; on Windows it would share a used port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port != first:
            print(f"Port {first} is in use or not allowed; JupyterLab takes {port}.")
        return port
    raise CourseError(
        f"No port from {first} on is free and allowed: choose another, as --port 8888."
    )


def port_number(text):
    """Return the port number that ``text`` names."""
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)


def pytest_command(python):
    """Return the one pytest call that runs every test, doctest and notebook."""
    workers = max(1, min(os.cpu_count() or 1, 4))
    command = [python, "-m", "pytest", "-o", "addopts=", "--strict-markers", "--doctest-modules"]
    command += ["--nbval", "--nbval-current-env", "--nbval-sanitize-with", "tests/nbval.cfg"]
    command += ["-n", str(workers), "--dist", "loadscope"]
    command.append("--ignore-glob=solutions/*/*.py")  # files of one name in nine folders: no tests
    return [*command, "tests", "mlcourse", "notebooks", "solutions"]


def whole(what):
    """Refuse in the students' copy, which lacks what the command needs."""
    if (ROOT / handout.RECORD).exists():
        raise CourseError(f"this copy of the course is for students: it has nothing to {what}.")


def test(options):
    """Run the style checks and, in one pytest call, every test, doctest and notebook."""
    whole("test")
    python = prepare(ROOT, "dev")
    steps = {
        "ruff check": [python, "-m", "ruff", "check", "."],
        "ruff format": [python, "-m", "ruff", "format", "--check", "."],
        # The first use of fonts prints a warning: let it be this one.
        "font cache": [python, "-c", "import matplotlib.font_manager"],
        "pytest": [*pytest_command(python), *options.rest],
    }
    codes = {name: run(name, step) for name, step in steps.items()}
    failed = [name for name, code in codes.items() if code]
    print("Failed: " + ", ".join(failed) if failed else "Everything passed.")
    return next(filter(None, codes.values()), 0)


def build(options):
    """Rebuild notebooks and exercises, check that they are up to date, or write a handout."""
    whole("build")
    if options.handout:
        count = handout.write(ROOT, options.handout)
        print(f"{count} files for students, without solutions: {options.handout}")
        return 0
    python = prepare(ROOT, "dev")
    command = [python, "-m", "tools.build", *options.lessons]
    return run("build", command + ["--check"] * options.check)


def grade(options):
    """Grade submissions; the program runs in the repository, the paths are the user's."""
    whole("grade with")
    command = [prepare(ROOT, "dev"), "-m", "tools.grading.classroom"]
    command.append(str(options.submissions.resolve()))
    for name in ("out", "manual", "export"):
        if path := getattr(options, name):
            command += [f"--{name}", str(path.resolve())]
    for name in ("lesson", "jobs", "dask", "seed", "timeout", "memory"):
        if (value := getattr(options, name)) is not None:
            command += [f"--{name}", str(value)]
    for name in ("regrade", "unsafe-no-sandbox"):
        command += [f"--{name}"] * getattr(options, name.replace("-", "_"))
    return run("grade", command)


def slides(options):
    """Write one self-contained reveal.js deck per lesson."""
    command = [prepare(ROOT, "dev"), "-m", "tools.slides", *options.lessons]
    if options.out:
        command += ["--out", str(options.out.resolve())]
    return run("slides", command)


def site(options):
    """Build the website, and into it what it offers beside its pages."""
    python, out = prepare(ROOT, "dev"), (options.out or ROOT / "build" / "site").resolve()
    beside = [name for name in ("slides", "lite") if getattr(options, name)]
    steps = {"site": ["-m", "tools.site", "--out", str(out), *(f"--{name}" for name in beside)]}
    if options.slides:
        steps["slides"] = ["-m", "tools.slides", "--out", str(out / "slides")]
    if options.lite:
        steps["lite"] = ["-m", "tools.lite", "--out", str(out)]
        if options.pyodide:
            steps["lite"] += ["--pyodide", str(options.pyodide.resolve())]
    for name, step in steps.items():
        if code := run(name, [python, *step]):
            return code
    return 0


def doctor(options):
    """Look at the installation; change nothing."""
    return examination.main(ROOT)


def bench(options):
    """Run the benchmarks; their table, data and picture go to --out."""
    command = [prepare(ROOT, "dev"), "-m", "benchmarks.run", *options.names]
    if options.out:  # as seen from the user's folder, while the benchmarks run in the repository
        command += ["--out", str(options.out.resolve())]
    return run("bench", command + ["--quick"] * options.quick)


def run(name, command):
    """Say what runs, run it in the repository and return its exit code."""
    print(f"== {name}", flush=True)
    return subprocess.run(command, cwd=ROOT, env=clean(**REPEATABLE)).returncode
