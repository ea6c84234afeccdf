"""The program inside the sandbox: run a student's cells and call the functions they define.

It reads one JSON command per line and writes one JSON answer per line, on descriptors that
student code does not use by itself. Student code lives in the same interpreter and could forge
answers; it gains nothing by it, because an answer is only a value that is judged elsewhere.
Started by sandbox.py as ``python -P inside.py COMMANDS ANSWERS LIMITS``, with plain numbers.
"""

import numbers
import os
import shutil
import sys
import types
from json import dumps, loads  # by their own names: student code may replace those of json
from os import _exit, getpid, write


def limit(limits):
    """Set the limits of the process, give up root, and let nobody undo it."""
    import resource

    sizes = {"AS": "memory", "DATA": "memory", "FSIZE": "file", "NOFILE": "files", "CPU": "cpu"}
    for name, key in {**sizes, "CORE": None, "NPROC": "processes"}.items():
        most = limits[key] if key else 0
        if name == "NPROC" and limits["user"]:  # root has no limit of processes: become somebody
            os.setgroups([])
            os.setresgid(*[limits["user"]] * 3)
            os.setresuid(*[limits["user"]] * 3)
        if sys.platform != "linux" and name in ("AS", "DATA", "NPROC"):
            continue  # macOS refuses some of them; only the unsafe mode comes here
        number = getattr(resource, f"RLIMIT_{name}")
        allowed = resource.getrlimit(number)[1]
        if allowed != resource.RLIM_INFINITY:
            most = min(most, allowed)
        resource.setrlimit(number, (most, most))


class Sources:
    """Imports the modules of the checks from texts: their files are not in the sandbox."""

    def __init__(self, sources):
        self.sources = sources

    def find_spec(self, name, path=None, target=None):
        """Return how to load a module of the checks, or None for all others."""
        from importlib.machinery import ModuleSpec

        package, _, short = name.rpartition(".")
        known = package == "mlcourse.checks" and short in self.sources
        return ModuleSpec(name, self, origin=f"{short}.py") if known else None

    def create_module(self, spec):
        """Let Python make the module."""

    def exec_module(self, module):
        """Run the text of a module."""
        short = module.__name__.rpartition(".")[2]
        exec(compile(self.sources[short], f"{short}.py", "exec"), vars(module))


class Harness:
    """One interpreter with one student's notebook in it."""

    def __init__(self, commands, answers):
        self.commands, self.answers = os.fdopen(commands, "rb"), answers
        self.pid, self.taken, self.asked = getpid(), {}, {}
        self.active = frozenset()  # names that the question being graded asks for

    def serve(self):
        """Answer commands until there are no more."""
        for line in self.commands:
            command = loads(line)
            action = getattr(self, f"do_{command['do']}")
            try:
                answer = action(**command["with"])
            except MemoryError:
                answer = {"raised": {"type": "MemoryError", "message": "no memory left"}}
            except BaseException as error:  # of student code, or of a broken installation
                early = str(error)[:300] if command["do"] == "start" else ""
                answer = {"raised": {"type": type(error).__name__[:60], "message": early}}
            self.reply({"tag": command["tag"], **answer})

    def reply(self, answer):
        """Write one line; a copy of this process made by os.fork ends here."""
        if getpid() != self.pid:
            _exit(0)
        try:
            data = dumps(answer).encode()
        except (ValueError, TypeError, RecursionError, MemoryError):  # nested without end, say
            data = dumps({"tag": answer["tag"], "odd": "value that is not plain data"})
            data = data.encode()
        if len(data) > self.largest:
            data = dumps({"tag": answer["tag"], "odd": "value of more than 1 MB"}).encode()
        data += b"\n"
        while data:
            data = data[write(self.answers, data) :]

    largest = 1_000_000

    # Commands ---------------------------------------------------------------------------------

    def do_start(self, root, lesson, sources, folder):
        """Load the library and the lesson, hide the references, start IPython."""
        sys.path.insert(0, root)
        import random
        from importlib import import_module

        import numpy as np
        import pandas  # noqa: F401 (before student code can replace it)
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        from mlcourse import checks

        finder = Sources(sources)
        sys.meta_path.insert(0, finder)
        module = import_module(f"mlcourse.checks.lesson{lesson}")
        sys.meta_path.remove(finder)
        self.questions = {question.name: question for question in module.QUESTIONS}
        checks._harness.add(__file__)
        self.checks_run, self.raised = checks.run, checks.Raised
        self.changed = checks.Changed
        for question in self.questions.values():
            self.asked[question.name] = frozenset(question.asks)
        self.guard(frozenset().union(*self.asked.values()))
        self.hide(checks)
        random.seed(0)  # the same for all: the secret seed is never in here
        np.random.seed(0)  # noqa: NPY002 (what students call is the old one)
        config = Config()
        config.HistoryManager.enabled = False

        class Shell(InteractiveShell):
            """IPython without a screen: magics about pictures and settings do nothing."""

            def enable_gui(self, gui=None):
                pass

            def run_line_magic(self, name, line, *args, **keywords):
                if name in ("matplotlib", "pylab", "config", "load_ext", "autoreload"):
                    return None
                return super().run_line_magic(name, line, *args, **keywords)

        self.shell = Shell.instance(config=config)
        sys.path[:] = [entry for entry in sys.path if entry not in ("", ".")]
        sys.path.append(folder)  # a student's helper module is found, but it hides no other
        return {"ready": True}

    def do_cell(self, source):
        """Run a cell; tell the exception, if there is one."""
        result = self.shell.run_cell(source, store_history=False)
        error = result.error_before_exec or result.error_in_exec
        if error is None:
            return {"error": None}
        message = " ".join(str(error).split())[:300]
        line = getattr(error, "lineno", None) or 0
        return {"error": [type(error).__name__[:60], message, int(line)]}

    def do_take(self, question):
        """Keep the student's function as it is now."""
        name = self.questions[question].function
        found = self.shell.user_ns.get(name)
        if found is None or found is Ellipsis:
            return {"found": "nothing"}
        if not callable(found):
            return {"found": "no function", "kind": type(found).__name__[:60]}
        if str(getattr(found, "__module__", "")).startswith("mlcourse"):
            return {"found": "mlcourse"}
        self.taken[question] = found
        return {"found": "function"}

    def do_call(self, question, args=None, case=None):
        """Call the student's function once, on a visible case or on ``args``; tell the outcome."""
        asked, answer = self.questions[question], self.taken[question]
        args = asked.cases[case].args if args is None else args

        def guarded(*given):
            self.active = self.asked[question]
            try:
                return answer(*given)
            finally:
                self.active = frozenset()

        got = self.checks_run(asked, guarded, tuple(args))
        if isinstance(got, self.raised):
            parts = {key: str(getattr(got, key))[:300] for key in ("type", "message", "function")}
            return {"raised": {**parts, "line": int(got.line), "code": str(got.code)[:200]}}
        if isinstance(got, self.changed):
            return {"changed": got.position}
        try:
            return {"value": plain(got)}
        except Unplain as odd:
            return {"odd": str(odd)[:60]}

    # What may not be used ---------------------------------------------------------------------

    def hide(self, checks):
        """Leave of the checks the tables that a notebook may need; references and mistakes go."""
        for name in [name for name in sys.modules if name.startswith("mlcourse.checks.")]:
            public = types.ModuleType(name)
            for key, value in vars(sys.modules[name]).items():
                if key.isupper() and key != "QUESTIONS" and not callable(value):
                    setattr(public, key, value)
            sys.modules[name] = public
            setattr(checks, name.rpartition(".")[2], public)
        checks.use = lambda lesson: print(f"Exercise {lesson}")
        checks.check = lambda name, *answers: print(f"{name}: the grader checks this")
        checks.hint = lambda name: print(f"{name}: no hints while grading")
        for unneeded in ("questions", "lessons", "judge", "_find", "_recognized"):
            if hasattr(checks, unneeded):
                delattr(checks, unneeded)

    def guard(self, names):
        """Change functions and classes of mlcourse in place: every alias of them is guarded."""
        import mlcourse

        for name in names:
            thing = mlcourse
            for part in name.removeprefix("mlcourse.").split("."):
                thing = getattr(thing, part, None)
            if isinstance(thing, type):
                self.guard_class(name, thing)
            elif isinstance(thing, types.FunctionType):
                self.guard_function(name, thing)

    def refuse(self, name, depth):
        """Raise if student code calls ``name`` itself while a question asks for it."""
        if name not in self.active:
            return
        frame = sys._getframe(depth)
        while frame:
            module = frame.f_globals.get("__name__", "")
            if module.startswith("mlcourse.") and not module.startswith("mlcourse.checks"):
                return  # the library may use itself
            if module == "__main__":
                break
            frame = frame.f_back
        raise RuntimeError(f"mlcourse's {name} is what this question asks for: write this yourself")

    def guard_function(self, name, function):
        """Give a function the code of a guard, so that all who hold it hold the guard."""
        if function.__closure__:  # its code cannot be exchanged: exchange it where it is named
            self.guard_names(name, function)
            return
        real = types.FunctionType(
            function.__code__, function.__globals__, name, function.__defaults__
        )
        real.__kwdefaults__ = function.__kwdefaults__

        def guarded(*args, **keywords):
            self.refuse(name, 3)
            return real(*args, **keywords)

        key = f"_guarded_{name.replace('.', '_')}"
        function.__globals__[key] = guarded
        source = f"lambda *args, **keywords: {key}(*args, **keywords)"
        function.__code__ = eval(source).__code__
        function.__defaults__ = function.__kwdefaults__ = None

    def guard_names(self, name, function):
        """Put a guard in the place of a function in every module that has it."""

        def guarded(*args, **keywords):
            self.refuse(name, 2)
            return function(*args, **keywords)

        for module in [m for key, m in sys.modules.items() if key.split(".")[0] == "mlcourse"]:
            for key in [key for key, value in vars(module).items() if value is function]:
                setattr(module, key, guarded)

    def guard_class(self, name, cls):
        """Let a class refuse to make objects for student code."""
        real = cls.__new__

        def guarded(made, *args, **keywords):
            if made is cls or not made.__module__.startswith("mlcourse"):
                self.refuse(name, 2)
            return real(made) if real is object.__new__ else real(made, *args, **keywords)

        cls.__new__ = guarded


class Unplain(Exception):
    """A returned value that is not plain data."""


def plain(value, depth=0):
    """Turn a returned value into what JSON can say, as far as it goes."""
    if depth > 30:
        raise Unplain("value nested too deeply")
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        if value.bit_length() > 1000:
            raise Unplain("number beyond all limits")
        return value
    if isinstance(value, float):
        return float(value)
    if isinstance(value, dict):
        pairs = [[plain_key(key), plain(entry, depth + 1)] for key, entry in value.items()]
        if all(isinstance(key, str) for key, _ in pairs):
            return dict(pairs)
        return {"__pairs__": pairs}  # JSON has no other keys than strings
    if isinstance(value, list | tuple):
        return [plain(entry, depth + 1) for entry in value]
    if callable(getattr(value, "tolist", None)):  # NumPy and pandas
        if getattr(value, "size", 0) > 100_000:
            raise Unplain("huge array")
        inner = value.tolist()
        if type(inner) is type(value):
            raise Unplain(type(value).__name__)
        return plain(inner, depth + 1)
    if isinstance(value, numbers.Real):
        return float(value)
    raise Unplain(type(value).__name__)


def plain_key(key):
    """Return a key of a dict as plain data."""
    if isinstance(key, str):
        return str(key)
    if isinstance(key, bool | int | float | None):
        return plain(key)
    if callable(getattr(key, "item", None)):
        return plain_key(key.item())
    raise Unplain(f"dict whose keys are of type {type(key).__name__}")


def main(commands, answers, limits):
    """Take the descriptors away from student code, set the limits, copy the files, serve."""
    limits = loads(limits)
    commands, answers = os.dup(int(commands)), os.dup(int(answers))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    if limits["files_from"]:
        shutil.copytree(limits["files_from"], limits["folder"], dirs_exist_ok=True)
    if os.path.isdir("/tmp/fonts") and not limits["unsafe"]:
        shutil.copytree("/tmp/fonts", os.environ["MPLCONFIGDIR"], dirs_exist_ok=True)
    if limits["user"]:
        for path, folders, files in os.walk(limits["folder"]):
            for name in ["", *folders, *files]:
                os.chown(os.path.join(path, name), limits["user"], limits["user"])
    os.chdir(limits["folder"])
    limit(limits)
    Harness(commands, answers).serve()


if __name__ == "__main__":
    # Student code sees another __main__; this one keeps a name of its own.
    sys.modules["grader_inside"] = sys.modules["__main__"]
    __name__ = "grader_inside"
    main(*sys.argv[1:])
