"""How is it measured? Times in turns, memory in a process of its own, data from fixed seeds."""

import gc
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

FEATURES = 20


def make_classes(n_samples, seed=0, sample=0):
    """Return X (n, 20) and two noisy classes: no tree is right in more than about 4 of 5 cases."""
    X, score = make_numbers(n_samples, seed, sample)
    return X, (score > 0).astype(int)


def make_numbers(n_samples, seed=0, sample=0):
    """Return X (n, 20), standard normal, and y = a + b·c + d/2 + noise of variance 1.

    Which columns a, b, c and d are depends on the seed. Were they always the first ones, a tree
    that breaks ties by the order of the columns, as ours does, would guess better by accident.
    """
    columns = np.random.default_rng(seed).permutation(FEATURES)[:4]
    random = np.random.default_rng([n_samples, seed, sample])
    X = random.normal(size=(n_samples, FEATURES))
    a, b, c, d = X[:, columns].T
    return X, a + b * c + d / 2 + random.normal(size=n_samples)


def take_turns(functions, repeats):
    """Call every function once to warm up, then all of them in turns; return their times.

    In turns, because a machine that is busy for a while is then busy for all of them. The result
    is {name: {"best": seconds, "median": seconds}}.
    """
    times = {name: [] for name in functions}
    gc.collect()
    gc.disable()  # as timeit does
    for turn in range(repeats + 1):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            if turn:
                times[name].append(time.perf_counter() - start)
    gc.enable()
    return {
        name: {"best": min(took), "median": statistics.median(took)} for name, took in times.items()
    }


def peak_memory(case, peer, n_samples):
    """Return the peak extra memory (MB) of one fit in a new process, and how it was measured.

    The new process inherits the variables that limit it to one core.
    """
    command = [sys.executable, "-m", "benchmarks.measure", case, peer, str(n_samples)]
    folder = Path(__file__).resolve().parent.parent
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    answer = json.loads(run.stdout)
    return answer["MB"], answer["how"]


def fit_and_watch(case, peer, n_samples):
    """Fit one model in this process; return the extra memory (MB) at its peak, and the method."""
    from benchmarks.cases import CASES

    case = CASES[case]
    case.models()[peer]().fit(*case.data(100))  # load what loads on first use
    X, y = case.data(n_samples)
    status, model = Path("/proc/self/status"), case.models()[peer]()
    try:
        Path("/proc/self/clear_refs").write_text("5")  # Linux: the peak starts anew from here
        before = _kilobytes(status, "VmRSS")
        model.fit(X, y)
        return (_kilobytes(status, "VmHWM") - before) / 1024, "resident memory of the process"
    except OSError:
        import tracemalloc

        tracemalloc.start()
        model.fit(X, y)
        return tracemalloc.get_traced_memory()[1] / 2**20, "tracemalloc: arrays of NumPy only"


def _kilobytes(status, name):
    """Return one entry of /proc/self/status."""
    return next(int(s.split()[1]) for s in status.read_text().splitlines() if s.startswith(name))


if __name__ == "__main__":
    MB, HOW = fit_and_watch(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    print(json.dumps({"MB": MB, "how": HOW}))
