"""How is student code locked in? Bubblewrap, limits, and what remains without them.

The sandbox has its own processes, network (none) and file system: the system and Python
read-only, the library without the checks, one small temporary folder, nothing else. Started by
root, the program inside becomes a user of its own, because root has no limit of processes.
"""

import json
import os
import secrets
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INSIDE = Path(__file__).with_name("inside.py")
HOME = "/tmp/home"  # the student's folder in the sandbox
MB = 2**20
SYSTEM = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime", "/etc/ssl/certs")
INSTALL = "install it (Debian, Ubuntu, WSL: sudo apt install bubblewrap)"
ELSEWHERE = "On macOS and Windows use the container command of INSTRUCTORS.md"


class NoSandbox(Exception):
    """Bubblewrap cannot run here; the text says what to do."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use."""

    cell_seconds: float = 20  # for each cell
    question_seconds: float = 20  # for all calls of one question
    submission_seconds: float = 300  # for everything
    memory: int = 2048 * MB  # address space of each process, and real memory of all of them
    processes: int = 64  # threads too
    file: int = 32 * MB  # each file written
    disk: int = 64 * MB  # all of them
    files: int = 256  # open at once
    cpu: int = 240  # seconds, each process
    output: int = 8 * MB  # printed


def problem():
    """Say why the sandbox cannot run here, or return None."""
    try:
        _probe()
    except NoSandbox as reason:
        return str(reason)
    return None


@cache
def _probe():
    """Start an empty sandbox once."""
    program = shutil.which("bwrap")
    if sys.platform != "linux" or not program:
        raise NoSandbox(f"bubblewrap (bwrap) is missing: {INSTALL}. {ELSEWHERE}")
    if "--size" not in features():
        raise NoSandbox(f"this bubblewrap is older than 0.8: update it, or {ELSEWHERE.lower()}")
    command = [*bubblewrap(Limits(), None), sys.executable, "-I", "-S", "-c", "print('works')"]
    trial = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if trial.stdout.strip() != "works":
        why = (trial.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise NoSandbox(
            f"bubblewrap does not start here ({why}): allow user namespaces, or start the "
            "container with --privileged"
        )


@cache
def features():
    """Return the options that this bubblewrap has, as its help prints them."""
    done = subprocess.run(["bwrap", "--help"], capture_output=True, text=True)
    return done.stdout + done.stderr


def bubblewrap(limits, files, secret=()):
    """Return the command that locks in what follows it."""
    root = os.geteuid() == 0
    command = ["bwrap", "--die-with-parent", "--new-session", "--unshare-ipc", "--unshare-pid"]
    command += ["--unshare-net", "--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox"]
    if root:  # needed to become somebody else; gone by then
        command += ["--cap-drop", "ALL"]
        for right in ("SETUID", "SETGID", "CHOWN"):
            command += ["--cap-add", f"CAP_{right}"]
    else:
        command += ["--unshare-user"]
        if "--disable-userns" in features():
            command += ["--disable-userns"]
    command += ["--size", str(limits.disk), "--perms", "1777", "--tmpfs", "/tmp"]
    command += ["--perms", "0755", "--dir", HOME, "--perms", "0755", "--dir", "/tmp/fonts"]
    bound = [Path("/usr"), *prefixes()]
    for path in [*bound[1:], ROOT / "mlcourse"]:  # bubblewrap would make them for root alone
        for folder in reversed(path.parents[:-1]):
            if folder not in (Path("/tmp"), Path("/usr")):
                command += ["--perms", "0755", "--dir", str(folder)]
    for path in bound:
        command += ["--ro-bind", str(path), str(path)]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = Path("/", name)
        if path.is_symlink():
            command += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            command += ["--ro-bind", str(path), str(path)]
    command += ["--perms", "0755", "--dir", "/etc", "--perms", "0755", "--dir", "/etc/ssl"]
    for path in SYSTEM:
        command += ["--ro-bind-try", path, path]
    command += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777"]
    command += ["--size", str(4 * MB), "--tmpfs", "/dev/shm"]
    # Secrets inside a folder that is bound (a course under /usr, say) are covered.
    for path in map(Path, [ROOT, *secret]):
        if any(path.is_relative_to(place) for place in bound):
            command += ["--tmpfs", str(path)]
            for place in bound:
                if place.is_relative_to(path):
                    command += ["--ro-bind", str(place), str(place)]
    library, checks = ROOT / "mlcourse", ROOT / "mlcourse" / "checks"
    command += ["--ro-bind", str(library), str(library), "--perms", "0755"]
    command += ["--tmpfs", str(checks)]
    command += ["--ro-bind", str(checks / "__init__.py"), str(checks / "__init__.py")]
    command += ["--ro-bind", str(INSIDE), "/tmp/inside.py"]
    for path in fonts():
        command += ["--ro-bind", str(path), f"/tmp/fonts/{path.name}"]
    if files:
        command += ["--ro-bind", str(files), "/tmp/files"]
    command += ["--remount-ro", str(checks), "--remount-ro", "/dev", "--remount-ro", "/"]
    return [*command, "--chdir", HOME, "--"]


@cache
def fonts():
    """Return Matplotlib's list of fonts, which takes a second to make: every sandbox gets it."""
    try:
        import matplotlib.font_manager

        return sorted(Path(matplotlib.get_cachedir()).glob("fontlist-*.json"))
    except (ImportError, OSError):
        return []


@cache
def prefixes():
    """Return the folders of Python and its packages that are not under /usr."""
    found = {Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parents[1]}
    found |= {Path(entry) for entry in sys.path if entry.endswith("-packages")}
    found = {path for path in found if path.is_dir() and path not in (Path("/"), Path("/usr"))}
    outer = [path for path in found if not any(path != o and path.is_relative_to(o) for o in found)]
    return sorted(path for path in outer if not path.is_relative_to("/usr"))


def environment(folder):
    """Return the few variables that student code gets."""
    threads = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
    return {
        **{f"{name}_NUM_THREADS": "1" for name in threads},
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": folder,
        "IPYTHONDIR": f"{folder}/.ipython",
        "MPLCONFIGDIR": f"{folder}/.matplotlib",
        "MPLBACKEND": "agg",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8:replace",
        "PIP_NO_INDEX": "1",  # `%pip install` fails at once
        "PIP_NO_INPUT": "1",
    }


def start(limits, files, secret=(), *, unsafe=False, folder=None):
    """Start the program inside; return (process, descriptor to write, to read answers, output)."""
    commands, to_child = os.pipe()
    answers, from_child = os.pipe()
    output, printed = os.pipe()
    place = folder if unsafe else HOME
    inner = {
        **asdict(limits),
        "folder": str(place),
        "unsafe": unsafe,
        "files_from": str(files) if unsafe else "/tmp/files",
        "user": 1_000_000_000 + secrets.randbelow(2**30) if not unsafe and not os.geteuid() else 0,
    }
    program = str(INSIDE) if unsafe else "/tmp/inside.py"
    command = [] if unsafe else bubblewrap(limits, files, secret)
    command += [sys.executable, "-P", "-B", program, str(commands), str(from_child)]
    try:
        process = subprocess.Popen(
            [*command, json.dumps(inner)],
            env=environment(str(place)),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
            pass_fds=(commands, from_child),
            cwd=str(place) if unsafe else "/",
            start_new_session=True,
        )
    finally:
        for descriptor in (commands, from_child, printed):
            os.close(descriptor)
    return process, to_child, answers, output
