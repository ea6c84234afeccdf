"""The course's own environment: the folder .venv, made once and kept up to date.

A stamp in .venv records what the packages were installed from (the two files that name them, the
Python version, the place of the repository). While nothing of that changes, no pip is started.
Standard library only: this runs before anything is installed, on Linux, macOS and Windows.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time

OLDEST = (3, 11)
NAMED_IN = ("pyproject.toml", "constraints.txt")
INCLUDES = {"course": {"course"}, "dev": {"dev", "course"}}  # what an extra of pyproject brings
COST = {"course": "about a minute and 700 MB of disk", "dev": "about two minutes and 1.1 GB"}
AGAIN = "then run the same command again"
PIPED = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
PIPED |= {"encoding": "utf-8", "errors": "replace"}

# What the systems say in any language: error numbers of Windows, messages of the others.
DISK = re.compile(r"No space left on device|Disk quota exceeded|WinError 112\b")
PERMISSION = re.compile(
    r"Permission denied|Operation not permitted|Read-only file system|WinError 5\b"
)
NETWORK = re.compile(
    r"No matching distribution found|Connection(Error| refused| reset| broken)"
    r"|NewConnectionError|ConnectTimeout|ReadTimeout|Read timed out|ProxyError|SSLError"
    r"|Network is unreachable|name resolution|Name or service not known|getaddrinfo failed"
    r"|nodename nor servname"
)


class CourseError(Exception):
    """A problem that the user can solve; its text is one sentence that says how."""


def prepare(root, extra):
    """Return the Python of root/.venv with the packages of ``extra``; install only what changed."""
    folder = root / ".venv"
    python = python_of(folder)
    fresh = not folder.exists()
    if fresh:
        print(f"Setting up the course in {folder}, once: {COST[extra]}.", flush=True)
        create(folder)
    state = {name: digest(root / name) for name in NAMED_IN}
    state |= {"python": version_of(python, folder), "folder": str(root)}
    stamp = read_stamp(folder)
    changed = [name for name in state if stamp.get(name) != state[name]]
    if not changed and extra in stamp["extras"]:
        return python
    if not fresh:
        print(f"{reason(stamp, changed, extra)}: {COST[extra]} at most.", flush=True)
    (folder / "course.json").unlink(missing_ok=True)  # an interrupted installation has no stamp
    install(root, python, extra)
    kept = set() if changed else set(stamp["extras"])
    state["extras"] = sorted(kept | INCLUDES[extra])
    (folder / "course.json").write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")
    return python


def python_of(folder):
    """Return where a virtual environment keeps its Python on this operating system."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def digest(path):
    """Return the SHA-256 of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_stamp(folder):
    """Return what the last complete installation recorded; nothing if there was none."""
    try:
        stamp = json.loads((folder / "course.json").read_text(encoding="utf-8"))
        return stamp if isinstance(stamp["extras"], list) else {}
    except (FileNotFoundError, ValueError, LookupError, TypeError):
        return {}


def reason(stamp, changed, extra):
    """Say why packages are installed into an environment that exists already."""
    if not stamp:
        return "The set-up of .venv is not complete, so it goes on"
    if not changed:
        return f'Adding the packages of the extra "{extra}" to .venv'
    words = {"python": "the Python of .venv", "folder": "the place of the course folder"}
    what = " and ".join(words.get(name, name) for name in changed)
    return f"Changed since the last set-up: {what}; the packages are installed again"


def create(folder):
    """Make the virtual environment with the running Python; leave nothing half made."""
    command = [sys.executable, "-m", "venv", str(folder)]
    try:
        made = subprocess.run(command, env=clean(), **PIPED)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    if not made.returncode:
        return
    shutil.rmtree(folder, ignore_errors=True)
    if re.search(r"ensurepip|No module named '?venv", made.stdout):
        package = "python{}.{}-venv".format(*sys.version_info)
        raise CourseError(
            "This Python cannot make environments because its venv module is incomplete: on "
            f"Debian or Ubuntu install python3-venv (sudo apt install {package}), elsewhere "
            f"install Python from python.org, {AGAIN}."
        )
    explain_system(made.stdout, folder.parent)
    raise CourseError(
        f'{folder} could not be made ("{last_line(made.stdout)}"): solve this, {AGAIN}.'
    )


def version_of(python, folder):
    """Return the version of the environment's Python, or say that the environment is broken."""
    question = "import sys; print(*sys.version_info[:2], sys.prefix)"
    command = [python, "-I", "-X", "utf8", "-c", question]
    try:
        answer = subprocess.run(command, timeout=60, **PIPED)
        major, minor, prefix = answer.stdout.strip().split(maxsplit=2)
        version, inside = (int(major), int(minor)), os.path.samefile(prefix, folder)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise broken(folder, "its Python does not start") from None
    if not inside:
        raise broken(folder, "its Python belongs to another environment")
    if version < OLDEST:
        raise broken(folder, f"its Python is {major}.{minor}, older than 3.11")
    return f"{major}.{minor}"


def broken(folder, why):
    """Return the error for an environment that cannot be used."""
    delete = "cmd /c rmdir /s /q" if os.name == "nt" else "rm -rf"
    return CourseError(
        f"The environment .venv is broken ({why}): delete the folder .venv, by the command "
        f'{delete} "{folder}", {AGAIN}.'
    )


def install(root, python, extra):
    """Install the project with ``extra`` under the exact versions of constraints.txt."""
    log = root / ".venv" / "install.log"
    command = [python, "-m", "pip", "install", "-e", f".[{extra}]", "-c", "constraints.txt"]
    code, text = follow(command, root, log)
    if not code:
        return
    if "No module named pip" in text:
        raise broken(root / ".venv", "pip is missing in it")
    explain_system(text, root)
    errors = [line for line in text.splitlines() if not line.lstrip().startswith("WARNING")]
    if NETWORK.search("\n".join(errors)):
        what = re.search(r"No matching distribution found for (\S+)", text)
        raise CourseError(
            f"pip could not download {what[1] if what else 'a package'}: connect to the network or "
            f"configure the proxy, {AGAIN} (what is downloaded is kept; complete log: {log})."
        )
    raise CourseError(
        f'pip failed with "{last_line(text)}": solve this (complete log: {log}), {AGAIN}.'
    )


def follow(command, root, log):
    """Run pip and show its progress; return its exit code and its text, which goes to ``log``."""
    start, text, stages, over = time.monotonic(), [], ["starting pip"], threading.Event()
    terminal = sys.stdout.isatty()

    def show():  # one line on a terminal, written anew twice a second
        while not over.wait(0.5):
            width = shutil.get_terminal_size().columns - 1
            line = f"  {time.monotonic() - start:3.0f} s  {stages[-1]}"[:width].ljust(width)
            print("\r" + line, end="", flush=True)

    if terminal:
        threading.Thread(target=show, daemon=True).start()
    try:
        env = clean(PYTHONIOENCODING="utf-8")
        with (
            open(log, "w", encoding="utf-8") as file,
            subprocess.Popen(command, cwd=root, env=env, **PIPED) as pip,
        ):
            for line in pip.stdout:
                file.write(line)
                text.append(line)
                if stage := stage_of(line):
                    stages.append(stage)
                    if not terminal:
                        print("  " + stage, flush=True)
    finally:
        over.set()
        if terminal:
            print(flush=True)
    return pip.returncode, "".join(text)


def stage_of(line):
    """Return what a line of pip's output says about its progress, in a few words, or None."""
    word, _, rest = line.strip().partition(" ")
    if word == "Collecting":
        return "collecting " + rest.split(" (from")[0]
    if word in ("Processing", "Downloading") and ".whl" in rest and ".metadata" not in rest:
        return "getting " + re.split(r"[/\\]", rest.split(".whl")[0])[-1]
    if line.startswith("Installing collected packages"):
        return f"installing {line.count(',') + 1} packages (the longest step)"
    return "finished" if line.startswith("Successfully installed") else None


def explain_system(text, folder):
    """Raise the sentence for a full disk or a missing permission, if ``text`` shows one."""
    if DISK.search(text):
        raise CourseError(f"The disk is full: free about 1 GB, {AGAIN}.")
    if PERMISSION.search(text):
        raise CourseError(
            f"No permission to write in {folder}: close a JupyterLab that still uses it or move "
            f"the course to a folder of your own, {AGAIN}."
        )


def explain_error(error, root):
    """Return the sentence for an error that the operating system reported to us."""
    try:
        explain_system(str(error), error.filename or root)
    except CourseError as sentence:
        return sentence
    return CourseError(f'The system reports "{error}": solve this, {AGAIN}.')


def last_line(text):
    """Return the line of a program's output that most likely says why it failed."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error:")]
    return ["no output", *lines[-1:], *errors[-1:]][-1][:200]


def clean(**added):
    """Return the environment for our programs: the user's, without what would change results."""
    dropped = {"PYTHONPATH", "PYTHONHOME", "MPLBACKEND", "COLUMNS", "__PYVENV_LAUNCHER__"}
    return {name: value for name, value in os.environ.items() if name not in dropped} | added
