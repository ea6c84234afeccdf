"""Hostile and unlucky submissions of exercise 01, as generated notebooks with their outcomes.

Each entry of CLASS is a student: the files of the hand-in and, for some questions, the points and
a pattern of the reason; every other automatic question must have full points. Most attacks sit in
the answer to q5, on which no other answer depends.
"""

import copy
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAME = "01_information_theory"
POINTS = {"q1": 2, "q2": 3, "q3a": 1, "q3b": 4, "q4a": 2, "q4b": 2, "q5": 3, "q6": 3}
HEADS = {
    "q1": "def entropy(p):",
    "q3a": "def average_length(code, probabilities):",
    "q3b": "def huffman(probabilities):",
    "q4b": "def language_of(text, models):",
    "q5": "def wasserstein_histogram(p, q, positions):",
    "q6": "def best_attribute(frame, target):",
}
RIGHT = "return np.sum(np.abs(np.cumsum(p - q)[:-1]) * np.diff(positions))"
SLEEP = f"98765.{os.getpid()}"  # seconds: how the tests find the process


@dataclass
class Student:
    """Files of a hand-in, and what must come out."""

    files: dict
    wrong: dict = field(default_factory=dict)  # question → pattern of the reason: no points
    everything: str = ""  # the reason that all automatic questions have


def solved():
    """Return the solved notebook as data."""
    path = ROOT / "solutions" / NAME / f"{NAME}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return notebook


BASE = solved()


def grade_id(cell):
    return cell["metadata"]["nbgrader"]["grade_id"]


def position(notebook, name):
    return next(i for i, cell in enumerate(notebook["cells"]) if grade_id(cell) == name)


def answered(**sources):
    """Return the notebook with other answers: whole cells, or bodies of functions."""
    notebook = copy.deepcopy(BASE)
    for name, source in sources.items():
        cell = notebook["cells"][position(notebook, name)]
        source = source.strip("\n")
        if HEADS[name].partition("(")[0] not in source and not source.startswith("#"):
            lines = "\n".join("    " + line for line in source.splitlines())
            source = f"{HEADS[name]}\n{lines}"
        cell["source"] = source
    return notebook


def edited(change):
    """Return the notebook after a change of its list of cells."""
    notebook = copy.deepcopy(BASE)
    notebook["cells"] = change(notebook["cells"])
    return notebook


def hand_in(notebook, name="exercise.ipynb", **files):
    text = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode()
    return {name: text, **{key.replace("__", "."): value for key, value in files.items()}}


def q5(source, reason=None, **more):
    """Return a student with this answer to q5; without a reason it is right."""
    return Student(hand_in(answered(q5=source), **more), {"q5": reason} if reason else {})


def without(*names):
    return edited(lambda cells: [cell for cell in cells if grade_id(cell) not in names])


def code_cell(source):
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": []}


def no_metadata(cells):
    for cell in cells:
        cell["metadata"] = {}
    return cells


def no_checks(cells):
    return [cell for cell in cells if not grade_id(cell).endswith("-check")]


def edit_all_locked(cells):
    for cell in cells:
        if grade_id(cell).endswith("-check"):
            cell["source"] = 'print("q5: correct (3 points)")'
        elif grade_id(cell) == "setup":
            cell["source"] = "import itertools"
    return cells


def other_kernel(notebook):
    notebook["metadata"]["kernelspec"] = {"name": "ir", "display_name": "R", "language": "R"}
    return notebook


def other_lesson():
    notebook = copy.deepcopy(BASE)
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"]).replace('checks.use("01")', 'checks.use("77")')
    return notebook


PROCESSES = {
    "infinite loop": q5("while True: pass", r"did not finish in time"),
    "loop that ignores interrupts": q5(
        """
import signal
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGXCPU):
    signal.signal(number, signal.SIG_IGN)
while True:
    try:
        while True: pass
    except BaseException: pass
""",
        r"did not finish in time",
    ),
    "loop in a cell": Student(
        hand_in(answered(q5=f"{HEADS['q5']}\n    {RIGHT}\nwhile True: pass")),
        {"q5": r"your cell did not finish in time"},
    ),
    "one huge allocation": q5("return np.ones(10**13).sum()", r"asked for more than 1024 MB"),
    "slow memory growth": q5(
        "kept = []\nwhile True: kept.append(bytearray(10**7))", r"more than 1024 MB of memory"
    ),
    "memory of many children": q5(
        """
import os, time
for _ in range(8):
    if not os.fork():
        kept = bytearray(b"x") * (300 * 2**20)
        time.sleep(60)
time.sleep(60)
""",
        r"used more than 1024 MB of memory",
    ),
    "sys.exit": q5("import sys\nsys.exit(0)", r"raised SystemExit"),
    "os._exit": q5("__import__('os')._exit(0)", r"ended the Python process \(exit code 0\)"),
    "os._exit in a cell": Student(
        hand_in(answered(q5=f"{HEADS['q5']}\n    {RIGHT}\nimport os\nos._exit(7)")),
        {"q5": r"your cell ended the Python process \(exit code 7\)"},
    ),
    "crash of the interpreter": q5(
        "import ctypes\nctypes.string_at(0)", r"ended the Python process"
    ),
    "killing the parent": q5(f"""
import os, signal
for pid in (os.getppid(), 1, -1):
    try: os.kill(pid, signal.SIGKILL)
    except OSError: pass
{RIGHT}"""),
    "fork bomb": q5(
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        r"did not finish in time",
    ),
    "fork that returns twice": q5(f"import os\nos.fork()\n{RIGHT}"),
    "children that outlive": q5(f"""
import subprocess
subprocess.Popen(["sleep", "{SLEEP}"], start_new_session=True)
{RIGHT}"""),
    "printing without end": q5("while True: print('x' * 10_000)", r"printed more than 8 MB"),
    "huge files": q5(
        """
for number in range(1000):
    with open(f"/tmp/{number}", "wb") as file: file.write(bytes(30 * 2**20))
""",
        r"raised OSError",
    ),
}

NOTEBOOKS = {
    "deleted answer": Student(
        hand_in(without("q5")), {"q5": r"the answer is missing: no cell defines"}
    ),
    "deleted set-up and data": Student(hand_in(without("setup", "q4-data", "q6-data"))),
    "deleted checks": Student(hand_in(edited(no_checks))),
    "edited locked cells": Student(hand_in(edited(edit_all_locked))),
    "duplicated cells": Student(hand_in(edited(lambda cells: cells + copy.deepcopy(cells)))),
    "reordered cells": Student(hand_in(edited(lambda cells: cells[::-1]))),
    "lost metadata": Student(hand_in(edited(no_metadata))),
    "syntax error": q5(
        f"{HEADS['q5']}\n    return (p",
        r"your cell does not run: SyntaxError: incomplete input \(line 2\)",
    ),
    "invalid JSON": Student(hand_in(b'{"cells": ['), everything=r"cannot be read as JSON"),
    "empty file": Student(hand_in(b""), everything=r"the file is empty"),
    "no notebook": Student({"answers.docx": b"PK"}, everything=r"no notebook was handed in"),
    "JSON of another kind": Student(hand_in(b"[1, 2]"), everything=r"it has no cells"),
    "wrong kernel name": Student(hand_in(other_kernel(copy.deepcopy(BASE)))),
    "another lesson": Student(hand_in(other_lesson()), everything=r"notebook of exercise 77"),
    "half a character": q5(
        f"# \ud800\n{HEADS['q5']}\n    {RIGHT}", r"your cell does not run: UnicodeEncodeError"
    ),
    "missing function": q5("# I did not get it", r"your cell defines no function wasserstein_hist"),
    "wrong signature": q5(
        f"def wasserstein_histogram(p):\n    {RIGHT}",
        r"raised TypeError: wasserstein_histogram\(\) takes 1 positional argument but 3 were given",
    ),
    "a magic, a shell command, an await": q5(
        f"""# %
%matplotlib inline
%config InlineBackend.figure_format = "retina"
!true
import asyncio
await asyncio.sleep(0)
{HEADS["q5"]}
    {RIGHT}"""
    ),
    "a correct answer that warns": q5(f"""
import sys, warnings
warnings.warn("old")
print("on stderr", file=sys.stderr)
np.log(np.zeros(1))
{RIGHT}"""),
    "Zoë Ångström 王小明": Student(hand_in(answered(), "Übung №1 (letzte Fassung).ipynb")),
    "two with one file, one": Student(
        hand_in(answered(q5="return 0"), "a.ipynb"), {"q5": "gives 0"}
    ),
    "two with one file, two": Student(
        hand_in(answered(q5="return 0"), "b.ipynb"), {"q5": "gives 0"}
    ),
    "=SUM(A1:A9)": Student(hand_in(BASE)),
}

VALUES = {
    "odd values, one": Student(
        hand_in(
            answered(
                q3a="return float('nan')",
                q3b="return {i: probabilities for i in range(10)}",
                q4b="return ['english'] * 3",
                q5="return 'four'",
                q6="return np.zeros(10**7)",
            )
        ),
        {
            "q3a": r"gives NaN",
            "q3b": r"the symbols",
            "q4b": r"asks for a name",
            "q5": r"asks for one number",
            "q6": r"a huge array: the question asks for a name",
        },
    ),
    "odd values, two": Student(
        hand_in(
            answered(
                q3a="return 10**5000",
                q3b="deep = {}\nfor _ in range(10**5): deep = {'a': deep}\nreturn deep",
                q4b="return 'x' * 10**7",
                q5="me = []\nme.append(me)\nreturn me",
                q6="return object()",
            )
        ),
        {
            "q3a": r"a number beyond all limits",
            "q3b": r"nested too deeply",
            "q4b": r"a value of more than 1 MB",
            "q5": r"nested too deeply",
            "q6": r"returned a object",
        },
    ),
    "hostile objects": Student(
        hand_in(
            answered(
                q3a="""class Yes(float):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__
    def __lt__(self, other): return True
    def __hash__(self): return 0
def average_length(code, probabilities): return Yes(9)""",
                q3b="""class Code(dict):
    def items(self): return [("a", "0")]
    def __eq__(self, other): return True
def huffman(probabilities): return Code(a=1)""",
                q4b="""class Name:
    def __eq__(self, other): return True
    def __reduce__(self): return (__import__("os").system, ("touch /tmp/pickled",))
def language_of(text, models): return Name()""",
                q5="""class Answer:
    def __array__(self, *args, **keywords): return np.zeros(3)
    def __float__(self): return 4.0
    def __eq__(self, other): return True
    def tolist(self): return self
def wasserstein_histogram(p, q, positions): return Answer()""",
                q6="return None",
            )
        ),
        {
            "q3a": r"gives 9",
            "q3b": r"the symbols",
            "q4b": r"returned a Name",
            "q5": r"returned a Answer",
            "q6": r"did you forget return",
        },
    ),
}

TRICKS = {
    "patched numpy": q5(
        """import math, builtins
np.isclose = np.allclose = np.array_equal = math.isclose = lambda *a, **k: True
def wasserstein_histogram(p, q, positions): return 0.0""",
        r"gives 0",
    ),
    "patched json": q5(
        """import json
real = json.dumps
json.dumps = lambda value, **k: real({**value, "value": 4.0}) if "value" in value else real(value)
json.loads = lambda text, **k: {}
def wasserstein_histogram(p, q, positions): return 0.0""",
        r"gives 0",
    ),
    "patched checks": q5(
        """from mlcourse import checks as c
import mlcourse.checks
c.same = c.judge = c.run = lambda *a, **k: True
c.Question.right = lambda *a, **k: True
def wasserstein_histogram(p, q, positions): return 0.0""",
        r"gives 0",
    ),
    "import hooks": q5(
        """import builtins, sys, types
class Hook:
    def find_spec(self, name, *args): return None
fake, real = types.SimpleNamespace(dumps=lambda *a, **k: '{"value": 4}'), builtins.__import__
sys.meta_path.insert(0, Hook())
builtins.__import__ = lambda name, *a, **k: fake if name == "json" else real(name, *a, **k)
def wasserstein_histogram(p, q, positions): return 0.0""",
        r"gives 0",
    ),
    "numpy.py beside the notebook": q5(RIGHT, numpy__py=b"raise SystemExit", json__py=b"1/0"),
    "a module of one's own": q5(
        f"import helpers\n{HEADS['q5']}\n    return helpers.distance(p, q, positions)",
        helpers__py=f"import numpy as np\ndef distance(p, q, positions):\n    {RIGHT}".encode(),
    ),
    "forged answers": q5(
        """import os
for number in range(3, 256):
    try: os.write(number, b'{"tag": 1, "value": 4}\\n' * 3)
    except OSError: pass
return 4""",
        r"sent the grader an answer that nobody asked for",
    ),
    "closed descriptors": q5(
        "import os\nos.closerange(0, 256)", r"ended the Python process|closed the channel"
    ),
    "reading solutions and hidden checks": q5(
        f"""
import os
wanted = ("hidden.py", "wrong.py", "lesson01.py", "seed.txt", "scores.json", "{NAME}.md")
found = []
for top in ({str(ROOT)!r}, "/proc/1/root{ROOT}", "/work", "/root", "/home", "/tmp", "/srv"):
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if name not in ("lib", "site-packages")]
        found += [name for name in files if name in wanted]
{HEADS["q5"]}
    if found:
        {RIGHT}
    raise FileNotFoundError("nothing to read")
""",
        r"raised FileNotFoundError: nothing to read",
    ),
    "writing outside": q5(
        f"""
import os
written = 0
for place in ({str(ROOT)!r}, "/etc", "/usr", "/", "/dev", "/var/tmp", os.path.expanduser("~root")):
    try:
        with open(os.path.join(place, "written_by_a_student"), "w") as file: file.write("x")
        written += 1
    except OSError: pass
if not written: raise PermissionError("nothing written")
{RIGHT}
""",
        r"raised PermissionError: nothing written",
    ),
    "the network": q5(
        """
import socket
from pathlib import Path
for host, port in (("127.0.0.1", int(Path("port.txt").read_text())),):
    with socket.socket() as s:
        s.settimeout(1)
        s.connect((host, port))
""",
        r"raised (ConnectionRefusedError|OSError)",
    ),
    "mlcourse's own function": q5(
        """
from mlcourse import wasserstein_distance
return wasserstein_distance(positions, positions, p, q)""",
        r"raised RuntimeError: .*write this yourself",
    ),
    "mlcourse's own by a back door": q5(
        """from functools import partial
import mlcourse.information as i
back = partial(i.wasserstein_distance)
def wasserstein_histogram(p, q, positions): return back(positions, positions, p, q)""",
        r"raised RuntimeError: .*write this yourself",
    ),
    "the reference of the checks": q5(
        """
from mlcourse import checks
return checks.questions("01")["q5"].reference(p, q, positions)""",
        r"raised AttributeError",
    ),
    "right on the visible cases only": q5(
        f"""
if len(p) <= 4 and max(positions) in (4, 3, 10, 5):
    {RIGHT}
raise ValueError("SECRET " + repr((p, q, positions)))""",
        r"your wasserstein_histogram\(…\) raised ValueError on fresh inputs$",
    ),
    "fresh inputs by line number": q5(
        f"""
if len(p) <= 4 and max(positions) in (4, 3, 10, 5):
    {RIGHT}
import linecache
n = 900000 + int(round(p[0] * 10**5))
linecache.cache["<leak>"] = (1, None, ["raise ValueError\\n"] * (n + 1), "<leak>")
exec(compile("\\n" * (n - 1) + "raise ValueError", "<leak>", "exec"), {{}})""",
        r"your wasserstein_histogram\(…\) raised ValueError on fresh inputs$",
    ),
    "fresh inputs by exit code": q5(
        f"""
if len(p) <= 4 and max(positions) in (4, 3, 10, 5):
    {RIGHT}
__import__("os")._exit(100 + int(p[0] * 100))""",
        r"ended the Python process$",
    ),
    "the secret seed": q5(
        """
import random
states = np.random.get_state()[1][0], hash(random.getstate())
random.seed(0)
raise ValueError(f"numpy {states[0]}, random as of 0: {states[1] == hash(random.getstate())}")""",
        r"numpy 0, random as of 0: True",
    ),
    "settings beside the notebook": Student(
        hand_in(BASE, __matplotlib=b"x", __ipython=b"x", data=b"x", matplotlibrc=b"{{{")
    ),
    "endless empty lines": Student(
        hand_in(edited(lambda cells: [*cells, code_cell("\n" * 200_000 + "x = 1")]))
    ),
}

CLASS = {"honest": Student(hand_in(BASE)), **PROCESSES, **NOTEBOOKS, **VALUES, **TRICKS}


def write(folder, port):
    """Write the whole class into a folder; one more student has a notebook of 200 MB."""
    for student, entry in CLASS.items():
        place = folder / student.replace("/", "-")
        place.mkdir(parents=True)
        for name, data in entry.files.items():
            (place / name).write_bytes(data)
        (place / "port.txt").write_text(str(port))
    place = folder / "200 MB"
    place.mkdir()
    with open(place / "huge.ipynb", "wb") as file:
        file.truncate(200 * 2**20)  # sparse: it takes no room on the disk
    (folder / "nothing").mkdir()
