"""course.py: its arguments, when it installs, and the one sentence for everything that can fail."""

import ast
import errno
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tokenize
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from tools import commands, environment

ROOT = Path(__file__).resolve().parent.parent
OLDER = ["2.7", "3.6", "3.7", "3.8", "3.9", "3.10"]
posix = pytest.mark.skipif(os.name == "nt", reason="signals and file modes of POSIX systems")


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Make a small course folder and point the commands at it."""
    folder = tmp_path / "course"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[project]\n")
    (folder / "constraints.txt").write_text("numpy==2.4.6\n")
    monkeypatch.setattr(commands, "ROOT", folder)
    return folder


@pytest.fixture
def pip(monkeypatch):
    """Replace venv and pip: ``installed`` lists the extras asked for, code and text answer."""
    fake = SimpleNamespace(installed=[], code=0, text="", python="3.12")

    def follow(command, root, log):
        assert command[1:5] == ["-m", "pip", "install", "-e"]
        assert command[6:] == ["-c", "constraints.txt"], "no index, no proxy: the user's own"
        fake.installed.append(command[5])
        if isinstance(fake.code, BaseException):
            raise fake.code
        return fake.code, fake.text

    monkeypatch.setattr(environment, "create", lambda folder: folder.mkdir())
    monkeypatch.setattr(environment, "version_of", lambda python, folder: fake.python)
    monkeypatch.setattr(environment, "follow", follow)
    return fake


@pytest.fixture
def served(monkeypatch):
    """Replace the server and what runs before it: the list gets (command, environment)."""
    calls = []
    monkeypatch.setattr(commands, "serve", lambda *call: calls.append(call) or 0)
    monkeypatch.setattr(commands, "prepare", lambda root, extra: "python")
    monkeypatch.setattr(commands.work, "trust", lambda python, files: True)
    monkeypatch.setattr(commands, "free_port", lambda port: port)
    return calls


@pytest.fixture
def ran(monkeypatch):
    """Replace the programs of test and build: ``calls`` lists them, ``codes`` answers."""
    fake = SimpleNamespace(calls={}, codes={}, extras=[])

    def run(name, command):
        fake.calls[name] = command
        return fake.codes.get(name, 0)

    monkeypatch.setattr(commands, "run", run)
    monkeypatch.setattr(commands, "prepare", lambda root, extra: fake.extras.append(extra) or "py")
    return fake


def sentence(capsys, *argv):
    """Return the one line on stderr of a command that fails."""
    capsys.readouterr()
    assert commands.main(list(argv)) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("course.py: ") and "Traceback (" not in lines[0]
    return lines[0]


# Arguments


def test_test_is_one_pytest_call_after_the_style_checks(ran):
    assert commands.main(["test", "-x", "-k", "a or b", "--lf", "tests/test_x.py", "-n", "1"]) == 0
    assert ran.extras == ["dev"]
    assert list(ran.calls) == ["ruff check", "ruff format", "font cache", "pytest"]
    command = ran.calls["pytest"]
    assert command[:5] == ["py", "-m", "pytest", "-o", "addopts="]
    assert "--nbval" in command and "--doctest-modules" in command
    assert command[-11:-7] == ["tests", "mlcourse", "notebooks", "solutions"]
    assert command[-7:] == ["-x", "-k", "a or b", "--lf", "tests/test_x.py", "-n", "1"]


@pytest.mark.parametrize(("cpus", "workers"), [(None, "1"), (1, "1"), (3, "3"), (64, "4")])
def test_the_number_of_workers(ran, monkeypatch, cpus, workers):
    monkeypatch.setattr(os, "cpu_count", lambda: cpus)
    commands.main(["test"])
    command = ran.calls["pytest"]
    assert command[command.index("-n") + 1 :][:3] == [workers, "--dist", "loadscope"]


def test_exit_codes_pass_through_and_every_check_runs(ran, capsys):
    ran.codes.update({"ruff format": 1, "pytest": 2})
    assert commands.main(["test"]) == 1
    assert "pytest" in ran.calls
    assert "Failed: ruff format, pytest" in capsys.readouterr().out
    ran.codes.update({"ruff format": 0, "build": 5})
    assert commands.main(["test"]) == 2
    assert commands.main(["build"]) == 5


def test_build_hands_on_its_lessons_and_the_check(ran):
    commands.main(["build", "01", "02a", "--check"])
    assert ran.extras == ["dev"]
    assert ran.calls["build"] == ["py", "-m", "tools.build", "01", "02a", "--check"]
    commands.main(["build"])
    assert ran.calls["build"] == ["py", "-m", "tools.build"]


@pytest.mark.parametrize(
    "argv",
    [[], ["dance"], ["lab", "-x"], ["build", "--chek"], ["lab", "--port", "0"]]
    + [["lab", "--port", port] for port in ("x", "-1", "65536")],
)
def test_wrong_arguments_are_refused(argv, served, ran, capsys):
    with pytest.raises(SystemExit) as end:
        commands.main(argv)
    assert end.value.code == 2
    assert "usage: course.py" in capsys.readouterr().err
    assert not served and not ran.calls


def test_programs_run_in_the_repository_with_a_clean_environment(root, monkeypatch, capfd):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("HTTPS_PROXY", "kept")
    names = ["MPLBACKEND", "PYTHONPATH", "HTTPS_PROXY", "OMP_NUM_THREADS", "JUPYTER_PLATFORM_DIRS"]
    code = f"import os; print([os.environ.get(n) for n in {names}], os.getcwd()); exit(3)"
    assert commands.run("a step", [sys.executable, "-c", code]) == 3
    said = capfd.readouterr().out.splitlines()
    assert said[0] == "== a step"
    assert said[1].startswith("[None, None, 'kept', '1', '1'] ")
    assert os.path.samefile(said[1].split("] ")[1], root)


def test_lab_serves_the_copies_with_the_settings_of_the_course(root, served, monkeypatch, capsys):
    (root / "notebooks").mkdir()
    (root / "notebooks/01_first.ipynb").write_text("{}")
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "mine")
    assert commands.main(["lab", "--no-browser", "--port", "9999"]) == 0
    ((command, env),) = served
    assert command[:4] == ["python", "-P", "-m", "jupyterlab"]
    assert f"--ServerApp.root_dir={root / 'work'}" in command
    assert "--ServerApp.port=9999" in command and "--no-browser" in command
    assert env["JUPYTER_CONFIG_PATH"].split(os.pathsep) == [str(root / "jupyter"), "mine"]
    assert (root / "work/lessons/01_first.ipynb").exists()
    said = capsys.readouterr().out
    assert str(root / "work") in said and "Bye" in said.splitlines()[-1]


def test_lab_in_place_copies_nothing(root, served):
    assert commands.main(["lab", "--in-place"]) == 0
    ((command, _),) = served
    assert f"--ServerApp.root_dir={root}" in command and "--no-browser" not in command
    assert not (root / "work").exists()


def test_lab_in_place_trusts_the_lessons_and_changes_none(root, served, monkeypatch, capsys):
    (root / "notebooks").mkdir()
    lesson, other = root / "notebooks" / "01_first.ipynb", root / "notebooks" / "scratch.ipynb"
    lesson.write_text("{}")
    other.write_text("{}")
    trusted = []
    monkeypatch.setattr(commands.work, "trust", lambda python, files: trusted.extend(files))
    assert commands.main(["lab", "--in-place"]) == 0
    assert trusted == [lesson] and lesson.read_text() == "{}"
    assert "The notebooks are not trusted yet" in capsys.readouterr().out


# Installing only what changed


def test_a_second_run_installs_nothing(root, pip, capsys):
    first = environment.prepare(root, "course")
    assert pip.installed == [".[course]"]
    said = capsys.readouterr().out
    assert "once" in said and "minute" in said and "MB" in said
    assert environment.prepare(root, "course") == first
    assert pip.installed == [".[course]"]
    assert capsys.readouterr().out == ""


def test_lab_after_test_installs_nothing(root, pip):
    environment.prepare(root, "dev")
    environment.prepare(root, "course")
    environment.prepare(root, "dev")
    assert pip.installed == [".[dev]"]


def test_test_after_lab_adds_the_packages_of_authors(root, pip, capsys):
    environment.prepare(root, "course")
    environment.prepare(root, "dev")
    assert pip.installed == [".[course]", ".[dev]"]
    assert '"dev"' in capsys.readouterr().out.splitlines()[-1]
    environment.prepare(root, "course")
    assert len(pip.installed) == 2


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_file_installs_again_and_says_why(root, pip, capsys, name):
    environment.prepare(root, "dev")
    capsys.readouterr()
    (root / name).write_text("changed\n")
    environment.prepare(root, "course")
    assert pip.installed == [".[dev]", ".[course]"]
    assert name in capsys.readouterr().out
    environment.prepare(root, "dev")
    assert pip.installed[2:] == [".[dev]"], "what authors need is brought up to date when asked for"


def test_a_moved_folder_or_another_python_installs_again(root, pip, capsys):
    environment.prepare(root, "course")
    moved = root.rename(root.with_name("moved"))
    environment.prepare(moved, "course")
    assert len(pip.installed) == 2 and "the course folder" in capsys.readouterr().out
    pip.python = "3.13"
    environment.prepare(moved, "course")
    assert len(pip.installed) == 3 and "the Python of .venv" in capsys.readouterr().out


@pytest.mark.parametrize("trouble", [KeyboardInterrupt(), 1])
def test_an_interrupted_installation_is_continued(root, pip, capsys, trouble):
    pip.code = trouble
    assert "again" in sentence(capsys, "lab") or isinstance(trouble, KeyboardInterrupt)
    pip.code = 0
    capsys.readouterr()
    environment.prepare(root, "course")
    assert len(pip.installed) == 2 and "not complete" in capsys.readouterr().out
    environment.prepare(root, "course")
    assert len(pip.installed) == 2


def test_an_interrupted_update_is_continued_too(root, pip):
    environment.prepare(root, "course")
    before = (root / "constraints.txt").read_text()
    (root / "constraints.txt").write_text("changed\n")
    pip.code = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        environment.prepare(root, "course")
    pip.code = 0
    (root / "constraints.txt").write_text(before)  # half of the update may be there already
    environment.prepare(root, "course")
    assert len(pip.installed) == 3


@pytest.mark.parametrize("stamp", ["", "{", "[]", "{}", '{"extras": 1}'])
def test_a_damaged_stamp_installs_again(root, pip, stamp):
    environment.prepare(root, "course")
    (root / ".venv/course.json").write_text(stamp)
    environment.prepare(root, "course")
    assert len(pip.installed) == 2


PIP_OUTPUT = """
print("Obtaining file:///course")
print("Collecting numpy>=2.2 (from mlcourse==0.1.0)")
print("  Downloading numpy-2.4.6-cp312-cp312-any.whl.metadata (6.6 kB)")
print("Downloading numpy-2.4.6-cp312-cp312-any.whl (16.6 MB)", flush=True)
import time; time.sleep(1.2)
print("Installing collected packages: six, numpy, mlcourse")
print("Successfully installed six-1 \\u2713")
raise SystemExit(4)
"""


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_is_shown_and_everything_is_logged(tmp_path, monkeypatch, capsys, terminal):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setenv("COLUMNS", "30")
    log = tmp_path / "install.log"
    command = [sys.executable, "-c", PIP_OUTPUT]
    code, text = environment.follow(command, tmp_path, log)
    assert code == 4 and "\u2713" in text
    assert log.read_text(encoding="utf-8") == text
    said = capsys.readouterr().out
    if terminal:
        shown = said.strip("\n").split("\r")[1:]
        assert len(shown) >= 2 and {len(line) for line in shown} == {29}
        assert any("getting numpy-2.4.6" in line for line in shown)
        assert said.count("\n") == 1
    else:
        assert said.splitlines() == [
            "  collecting numpy>=2.2",
            "  getting numpy-2.4.6-cp312-cp312-any",
            "  installing 3 packages (the longest step)",
            "  finished",
        ]


# One sentence for each problem

NO_NETWORK = [
    "ERROR: Could not find a version that satisfies the requirement setuptools>=77\n"
    "ERROR: No matching distribution found for setuptools>=77\n",
    "ERROR: Could not install packages due to an OSError: Max retries exceeded (Caused by "
    "NewConnectionError('[Errno -3] Temporary failure in name resolution'))\n",
    "Traceback (most recent call last):\nReadTimeoutError: HTTPSConnectionPool: Read timed out.\n",
    "ERROR: ProxyError('Cannot connect to proxy.')\nnote: see above\n",
]


@pytest.mark.parametrize("text", NO_NETWORK)
def test_no_network(root, pip, capsys, text):
    pip.code, pip.text = 1, text
    said = sentence(capsys, "lab")
    assert "connect to the network or configure the proxy" in said
    assert "run the same command again" in said and "is kept" in said
    assert str(root / ".venv" / "install.log") in said
    assert ("setuptools>=77" in said) == ("setuptools" in text)


def test_another_failure_of_pip_is_quoted_and_not_taken_for_the_network(root, pip, capsys):
    pip.code = 1
    pip.text = (
        "WARNING: Retrying after connection broken by 'NewConnectionError'\n"
        "Collecting x\nERROR: Cannot install a and b because they conflict\nnote: a hint\n"
    )
    said = sentence(capsys, "test")
    assert '"ERROR: Cannot install a and b because they conflict"' in said
    assert "install.log" in said and "network" not in said
    pip.text = ""
    assert "no output" in sentence(capsys, "test")


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("ERROR: OSError: [Errno 28] No space left on device", "free about 1 GB"),
        ("ERROR: [WinError 112] Es steht nicht genug Speicherplatz zur Verf", "free about 1 GB"),
        ("ERROR: [Errno 13] Permission denied: '/course/.venv'", "folder of your own"),
        ("ERROR: [WinError 5] Zugriff verweigert", "folder of your own"),
        ("/course/.venv/bin/python: No module named pip", "delete the folder .venv"),
    ],
)
def test_disk_permission_and_missing_pip(root, pip, capsys, text, remedy):
    pip.code, pip.text = 1, text
    assert remedy in sentence(capsys, "lab")


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.ENOSPC, "free about 1 GB"),
        (errno.EACCES, "folder of your own"),
        (errno.EROFS, "folder of your own"),
        (errno.ENOTDIR, "solve this"),
    ],
)
def test_what_the_system_refuses_us(root, served, monkeypatch, capsys, number, remedy):
    def fail(path, data):
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(commands.work, "write", fail)
    (root / "notebooks").mkdir()
    (root / "notebooks/01_first.ipynb").write_text("{}")
    said = sentence(capsys, "lab")
    assert remedy in said and not served


VENV_OUTPUT = {
    "The virtual environment was not created successfully because ensurepip is not\navailable."
    "  On Debian/Ubuntu systems, you need\n": "install python3-venv",
    "/usr/bin/python3: No module named venv\n": "install python3-venv",
    "Error: [Errno 13] Permission denied: '/course/.venv'\n": "folder of your own",
    "Error: [Errno 28] No space left on device\n": "free about 1 GB",
    "something else\n": '"something else"',
}


@pytest.mark.parametrize("text", VENV_OUTPUT)
def test_an_environment_that_cannot_be_made(root, monkeypatch, capsys, text):
    def run(command, **options):
        assert command[:3] == [sys.executable, "-m", "venv"]
        Path(command[3]).mkdir()
        return SimpleNamespace(returncode=1, stdout=text)

    monkeypatch.setattr(environment.subprocess, "run", run)
    assert VENV_OUTPUT[text] in sentence(capsys, "lab")
    assert not (root / ".venv").exists(), "nothing half made stays"


def fake_python(folder, kind):
    """Put something that is no usable Python where the Python of .venv should be."""
    python = environment.python_of(folder)
    python.parent.mkdir(parents=True)
    if kind == "not a program":
        python.write_text("nonsense")
    if kind == "dead link":
        python.symlink_to(folder / "gone")
    if kind == "of another environment":
        python.symlink_to(sys.executable)


@posix
@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("missing", "does not start"),
        ("not a program", "does not start"),
        ("dead link", "does not start"),
        ("of another environment", "another environment"),
    ],
)
def test_a_broken_environment(root, capsys, kind, why):
    fake_python(root / ".venv", kind)
    said = sentence(capsys, "lab")
    assert why in said and "delete the folder .venv" in said
    assert f'rm -rf "{root / ".venv"}"' in said


def test_an_environment_with_a_python_that_is_too_old(root, monkeypatch, capsys):
    (root / ".venv").mkdir()
    answer = SimpleNamespace(stdout=f"3 10 {root / '.venv'}\n", returncode=0)
    monkeypatch.setattr(environment.subprocess, "run", lambda *command, **options: answer)
    said = sentence(capsys, "test")
    assert "3.10" in said and "3.11" in said and "delete the folder .venv" in said


def test_the_command_that_deletes_is_the_one_of_the_system(root, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(environment.os, "name", "nt")
        said = str(environment.broken("C:\\course\\.venv", "why"))
        python = environment.python_of(root)
    assert 'cmd /c rmdir /s /q "C:\\course\\.venv"' in said
    assert python.parts[-2:] == ("Scripts", "python.exe")


def test_the_real_environment_of_these_tests_is_sound():
    if sys.prefix == sys.base_prefix:
        pytest.skip("these tests run outside a virtual environment")
    folder = Path(sys.prefix)
    version = environment.version_of(environment.python_of(folder), folder)
    assert version == "{}.{}".format(*sys.version_info)


def test_a_port_in_use_is_passed_over_and_said(capsys):
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        if port > 65000:
            pytest.skip("the system gave a port with too few above it")
        free = commands.free_port(port)
        assert free > port
        assert f"Port {port} is in use or not allowed; JupyterLab takes {free}." in (
            capsys.readouterr().out
        )
    assert commands.free_port(free) == free and capsys.readouterr().out == ""


def test_no_port_at_all(root, served, monkeypatch, capsys):
    monkeypatch.undo()
    monkeypatch.setattr(commands, "ROOT", root)
    monkeypatch.setattr(commands, "prepare", lambda root, extra: "python")

    def bind(self, address):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(commands.socket.socket, "bind", bind)
    assert "--port 8888" in sentence(capsys, "lab", "--port", "80")


def test_a_server_that_fails_is_not_wished_goodbye(root, served, monkeypatch, capsys):
    monkeypatch.setattr(commands, "serve", lambda command, env: 3)
    assert "exit code 3" in sentence(capsys, "lab")


# Under any Python


def test_course_py_uses_nothing_that_an_old_python_cannot_parse():
    path = ROOT / "course.py"
    path.read_text(encoding="ascii")
    with open(path, "rb") as file:
        tokens = list(tokenize.tokenize(file.readline))
    kinds = {tokenize.tok_name[token.type] for token in tokens}
    assert not {kind for kind in kinds if kind.startswith(("FSTRING", "TSTRING"))}
    strings = [token.string for token in tokens if token.type == tokenize.STRING]
    assert all(text[0] in "\"'" for text in strings), "plain strings only"
    assert not {":=", "->", "match"} & {token.string for token in tokens}


@pytest.mark.parametrize("version", OLDER)
def test_a_python_that_is_too_old_gets_one_sentence(version):
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = [shutil.which("python" + version), *pyenv.glob(f"{version}.*/bin/python")]
    for python in filter(None, found):
        if not subprocess.run([python, "--version"], capture_output=True).returncode:
            break
    else:
        pytest.skip(f"no Python {version} on this machine")
    run = subprocess.run([python, ROOT / "course.py", "lab"], capture_output=True, text=True)
    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr.count("\n") == 1
    for words in (f"Python {version}", "3.11", "python.org", "py -3.12 course.py lab"):
        assert words in run.stderr


@pytest.mark.parametrize(
    "name", ["course.py", "tools/commands.py", "tools/environment.py", "tools/work.py"]
)
def test_what_runs_before_anything_is_installed_needs_the_standard_library_only(name):
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module.split(".")[0])
    assert found <= sys.stdlib_module_names | {"tools"}


def test_the_settings_of_the_course_exist_in_jupyterlab():
    text = (ROOT / "jupyter/labconfig/default_setting_overrides.json").read_text(encoding="utf-8")
    for plugin, settings in json.loads(text).items():
        path = Path(sys.prefix, "share/jupyter/lab/schemas", plugin.replace(":", "/") + ".json")
        properties = json.loads(path.read_text(encoding="utf-8"))["properties"]
        assert set(settings) <= set(properties)
        for name, value in settings.items():
            choices = [choice["const"] for choice in properties[name].get("oneOf", [])]
            assert not choices or value in choices
            assert value != properties[name]["default"], "only what differs is set"


@posix
def test_ci_runs_the_test_command():
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    assert "python3 course.py test" in script.read_text(encoding="utf-8")


# The real thing


def copy_of_the_course(tmp_path):
    tree = tmp_path / "a course"
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in ("tools", "mlcourse", "jupyter"):
        shutil.copytree(ROOT / name, tree / name, ignore=ignore)
    for name in ("course.py", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tree)
    for name in ("README.md", "LICENSE"):
        (tree / name).write_text("a file that pyproject.toml names\n")
    return tree


@pytest.mark.slow
def test_a_real_set_up_without_network_ends_in_one_sentence(tmp_path):
    tree = copy_of_the_course(tmp_path)
    names = re.compile(r"PIP_.*|.*_proxy", re.IGNORECASE)
    env = {name: value for name, value in os.environ.items() if not names.fullmatch(name)}
    env |= {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_CONFIG_FILE": os.devnull}
    env |= {"PIP_RETRIES": "0"}
    for said in ("once", "not complete"):
        run = subprocess.run(
            [sys.executable, tree / "course.py", "lab", "--no-browser"],
            env=env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert run.returncode == 1
        assert said in run.stdout
        assert run.stderr.count("\n") == 1, run.stderr
        assert "connect to the network or configure the proxy" in run.stderr
    assert (tree / ".venv/install.log").exists()


START_LAB = """
import signal, sys
sys.path.insert(0, sys.argv[1])
from tools import commands
commands.prepare = lambda root, extra: sys.executable  # everything is installed
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs
sys.exit(commands.main(["lab", "--no-browser", "--port", sys.argv[2]]))
"""


@posix
@pytest.mark.slow
def test_a_real_jupyterlab_starts_with_our_settings_and_leaves_nothing_behind(tmp_path):
    tree = copy_of_the_course(tmp_path)
    (tree / "notebooks").mkdir()
    (tree / "notebooks/01_first.ipynb").write_text(
        '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    )
    env = dict(os.environ, IPYTHONDIR=str(tmp_path / "ipython"))
    for kind in ("CONFIG", "DATA", "RUNTIME"):
        env[f"JUPYTER_{kind}_DIR"] = str(tmp_path / kind)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", START_LAB, tree, str(port)]
    with open(tmp_path / "output", "w+") as output:
        lab = subprocess.Popen(command, env=env, stdout=output, stderr=subprocess.STDOUT)
        family = []

        def said():
            return (tmp_path / "output").read_text()

        def ask(path, **options):
            address, token = re.search(r"(http://127\S+:\d+)/lab\?token=(\w+)", said()).groups()
            headers = {"Authorization": f"token {token}"}
            request = urllib.request.Request(address + path, headers=headers, **options)
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)

        try:
            end = time.monotonic() + 60
            while True:
                try:
                    ask("/api/status")
                    break
                except (AttributeError, OSError):  # no address yet, or nobody there
                    assert lab.poll() is None and time.monotonic() < end, said()
                    time.sleep(0.2)
            settings = "/lab/api/settings/@jupyterlab/"
            news = ask(settings + "apputils-extension:notification")["schema"]["properties"]
            assert news["fetchNews"]["default"] == "false"
            assert news["checkForUpdates"]["default"] is False
            tracker = ask(settings + "notebook-extension:tracker")["schema"]["properties"]
            assert tracker["windowingMode"]["default"] == "defer"
            found = ask("/api/contents/lessons")["content"]
            assert [entry["name"] for entry in found] == ["01_first.ipynb"]
            ask("/api/kernels", method="POST", data=b"{}")
            family = psutil.Process(lab.pid).children(recursive=True)
            assert len(family) >= 2, "a server and a kernel"
            lab.send_signal(signal.SIGINT)
            assert lab.wait(timeout=30) == 0
        finally:
            lab.kill()
            lab.wait()
            _, alive = psutil.wait_procs(family, timeout=15)
            for process in alive:
                process.kill()
    assert not alive
    assert said().splitlines()[-1].startswith("Bye") and "Traceback" not in said()
    assert str(tree / "work") in said()
