"""Talking to the program inside from outside: deadlines, ceilings, and a sure end.

Everything that comes out is untrusted: lines have a largest size, output is counted and thrown
away, memory of all processes is added up, and the sandbox is killed, never asked, to stop.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import tempfile
import time

import psutil

from tools.grading import sandbox

LARGEST = 1_100_000  # bytes of one answer
TICK = 0.25  # seconds between two looks at memory


class Dead(Exception):
    """The sandbox had to be killed or ended by itself; the text is the reason, for the student."""


class Session:
    """One sandbox with one student's notebook in it."""

    def __init__(self, limits, files, secret=(), *, unsafe=False):
        self.limits, self.printed, self.buffer, self.number = limits, 0, b"", 0
        self.folder = tempfile.mkdtemp(prefix="unsafe-") if unsafe else None
        self.unsafe = unsafe
        started = sandbox.start(limits, files, secret, unsafe=unsafe, folder=self.folder)
        self.process, self.commands, self.answers, self.output = started
        self.open = {self.commands, self.answers, self.output}
        os.set_blocking(self.commands, False)
        os.set_blocking(self.output, False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def ask(self, action, deadline, **arguments):
        """Send a command, wait for its answer until ``deadline`` (of time.monotonic)."""
        self.number += 1
        command = {"tag": self.number, "do": action, "with": arguments}
        self._send((json.dumps(command) + "\n").encode(), deadline)
        line = self._line(deadline)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise self._dead("sent the grader something that is no answer") from None
        if not isinstance(answer, dict) or answer.get("tag") != self.number:
            raise self._dead("sent the grader an answer that nobody asked for")
        return answer

    def _send(self, data, deadline):
        while data:
            self._look(deadline)
            _, writable, _ = select.select([], [self.commands], [], TICK)
            if writable:
                try:
                    data = data[os.write(self.commands, data) :]
                except BlockingIOError:
                    continue
                except BrokenPipeError:
                    raise self._ended() from None
            self._drain()

    def _line(self, deadline):
        looked = time.monotonic()
        while b"\n" not in self.buffer:
            if len(self.buffer) > LARGEST:
                raise self._dead("returned too much")
            wait = max(0, min(TICK, deadline - time.monotonic()))
            readable = select.select([fd for fd in self.open if fd != self.commands], [], [], wait)
            if self.output in readable[0]:
                self._drain()
            if self.answers in readable[0]:
                piece = os.read(self.answers, 65536)
                if not piece:
                    raise self._ended()
                self.buffer += piece
            if time.monotonic() - looked > TICK or not readable[0]:
                self._look(deadline)
                looked = time.monotonic()
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def _drain(self):
        """Throw away what was printed, and count it."""
        while self.output in self.open:
            try:
                piece = os.read(self.output, 65536)
            except BlockingIOError:
                return
            if not piece:
                self._close(self.output)
                return
            self.printed += len(piece)
            if self.printed > self.limits.output:
                raise self._dead(f"printed more than {self.limits.output >> 20} MB")

    def _look(self, deadline):
        """Kill the sandbox if it is over time or over memory."""
        if time.monotonic() > deadline:
            raise self._dead("did not finish in time")
        if self.memory() > self.limits.memory:
            raise self._dead(f"used more than {self.limits.memory >> 20} MB of memory")

    def memory(self):
        """Return the bytes that all processes of the sandbox use."""
        total = 0
        with contextlib.suppress(psutil.Error):
            for process in psutil.Process(self.process.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    total += share(process)
        return total

    def _ended(self):
        """Give the reason for a sandbox that ended by itself."""
        with contextlib.suppress(Exception):
            self.process.wait(timeout=2)
        code = self.process.poll()
        if code is None:
            return self._dead("closed the channel to the grader")
        if code in (-signal.SIGKILL, 128 + signal.SIGKILL):
            return self._dead("killed the Python process")
        if code in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
            return self._dead("used too much processor time")
        return self._dead(f"ended the Python process (exit code {code})")

    def _dead(self, reason):
        self.kill()
        return Dead(reason)

    def kill(self):
        """End every process of the sandbox, and wait until it is gone."""
        family = []
        if self.unsafe:  # without a sandbox, only those that are still related can be found
            with contextlib.suppress(psutil.Error):
                family = psutil.Process(self.process.pid).children(recursive=True)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for process in family:
            with contextlib.suppress(psutil.Error):
                process.kill()
        self.process.wait()
        for descriptor in list(self.open):
            self._close(descriptor)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _close(self, descriptor):
        if descriptor in self.open:
            self.open.remove(descriptor)
            os.close(descriptor)


def share(process):
    """Return the memory of a process; what it shares with others is divided among them."""
    try:
        return process.memory_full_info().pss
    except (psutil.AccessDenied, AttributeError):  # another system, or it may not be asked
        return process.memory_info().rss
