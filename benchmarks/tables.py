"""The tables: what each measures, row by row, and whether it reaches its goal and its floor."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks import cases
from benchmarks.cases import CASES, OURS, PEER, PREDICTED, SIZES
from benchmarks.measure import peak_memory, take_turns


@dataclass
class Row:
    """One line of the table: ours against a peer, and one number that has a goal."""

    table: str  # "gini", "predict", …
    title: str
    n: int
    peer: str
    unit: str  # of ours and theirs
    ours: dict | None = None  # {"best": …, "median": …}
    theirs: dict | None = None
    measure: str = "ratio"  # what value is
    value: float | None = None
    goal: float | None = None
    floor: float | None = None
    more: bool = True  # is more better?
    note: str = ""

    @property
    def verdict(self):
        """Say in a word how the value stands to goal and floor."""
        if self.goal is None:
            return ""
        sign = 1 if self.more else -1
        if sign * self.value >= sign * self.goal:
            return "goal"
        if self.floor is not None and sign * self.value >= sign * self.floor:
            return "floor"
        return "MISSED"


@dataclass
class Plan:
    """How much is measured: ``quick`` is for seeing that it works."""

    quick: bool

    @property
    def sizes(self):
        """Numbers of training rows."""
        return SIZES[:2] if self.quick else SIZES

    def repeats(self, n):
        """Return how often something is timed at n rows."""
        times = (3, 2, 1) if self.quick else (25, 11, 5)
        return times[SIZES.index(n)]


def fit(name, plan):
    """Yield the rows of one case: fitting at every size, then how the cost grows."""
    case = CASES[name]
    for place, n in enumerate(plan.sizes):
        fits = fits_at(case, n)
        if n == SIZES[-1]:
            # For the exponent: ten fits of a tenth take part in the turns. They last about as long
            # as the one, so a busy machine hurts both alike (a short fit slips through more often).
            tenth = fits_at(case, n // 10)
            fits |= {f"{who}, tenths": partial(ten_times, tenth[who]) for who in (OURS, PEER)}
        times = take_turns(fits, plan.repeats(n))
        for peer in list(case.models())[1:]:
            row = ratio(name, f"fit, {case.title}", n, peer, times)
            if peer == PEER:
                row.goal, row.floor = case.goals[place], cases.FLOOR[n]
            yield row
    if n == SIZES[-1]:
        ours, theirs = (
            1 + float(np.log10(times[who]["best"] / times[f"{who}, tenths"]["best"]))
            for who in (OURS, PEER)
        )
        yield Row(
            name, f"exponent of cost, {case.title}", n, PEER, "", {"best": ours},
            {"best": theirs}, "exponent", ours, cases.EXPONENT, more=False,
        )  # fmt: skip


def fits_at(case, n):
    """Return {library: function that fits its model to n rows}."""
    X, y = case.data(n)

    def fit_one(make):
        make().fit(X, y)

    return {who: partial(fit_one, make) for who, make in case.models().items()}


def ten_times(fit):
    """Fit ten times."""
    for _ in range(10):
        fit()


def ratio(name, title, n, peer, times):
    """Return the row that says how many times as fast as a peer we are."""
    value = times[peer]["best"] / times[OURS]["best"]
    return Row(name, title, n, peer, "s", times[OURS], times[peer], value=value)


def predict(plan):
    """Yield the rows about predicting 10,000 rows with trees grown on n."""
    for name in ("gini", "depth6", "regression"):
        case = CASES[name]
        new, _ = case.data(PREDICTED, sample=1)
        for n in plan.sizes:
            models = {OURS: case.ours(), PEER: case.peer()}
            for model in models.values():
                model.fit(*case.data(n))
            asks = {who: partial(model.predict, new) for who, model in models.items()}
            times = take_turns(asks, 5 if plan.quick else 25)
            row = ratio("predict", f"predict, {case.title}", n, PEER, times)
            row.goal = 1 / cases.SLOWEST_PREDICTION
            yield row


def accuracy(plan):
    """Yield the rows about accuracy on fresh rows, in points; the mean over some data sets."""
    for name, case in CASES.items():
        for n in plan.sizes:
            seeds = range(2 if plan.quick else {1_000: 40, 10_000: 10}.get(n, 3))
            scores = {OURS: [], PEER: []}
            for seed in seeds:
                new = case.data(20_000, seed, sample=1)
                for who, make in ((OURS, case.ours), (PEER, case.peer)):
                    model = make().fit(*case.data(n, seed))
                    scores[who].append(100 * model.score(*new))
            mean = {who: {"best": float(np.mean(points))} for who, points in scores.items()}
            what, goal = "accuracy", -cases.POINTS
            if name == "regression":  # a full regression tree learns the noise: no goal
                what, goal = "R² of new rows", None
            yield Row(
                "accuracy", f"{what}, {case.title}", n, PEER, "points", mean[OURS], mean[PEER],
                "difference", mean[OURS]["best"] - mean[PEER]["best"], goal,
                note=f"mean of {len(seeds)}",
            )  # fmt: skip


def memory(plan):
    """Yield the rows about the memory that growing a tree takes on top of the data."""
    n = plan.sizes[-1]
    for name in ("gini",) if plan.quick else ("gini", "entropy", "regression"):
        (ours, how), (theirs, _) = (peak_memory(name, who, n) for who in (OURS, PEER))
        yield Row(
            "memory", f"peak extra memory, {CASES[name].title}", n, PEER, "MB", {"best": ours},
            {"best": theirs}, "MB", ours, cases.MEGABYTES if n == SIZES[-1] else None, more=False,
            note=how,
        )  # fmt: skip


def c45(plan):
    """Yield the row about C4.5 on the German credit data, if there is a C4.5."""
    from mlcourse import load_german

    try:
        from mlcourse import C45Classifier
    except (ImportError, AttributeError):
        return
    X, y = load_german()
    took = take_turns({OURS: lambda: C45Classifier().fit(X, y)}, 2 if plan.quick else 11)[OURS]
    yield Row(
        "c45", "fit, C4.5 on german, 20 mixed columns", len(X), "", "s", took,
        measure="seconds", value=took["best"], goal=cases.C45_SECONDS, more=False,
    )  # fmt: skip


TABLES = {name: (lambda plan, name=name: fit(name, plan)) for name in CASES}
TABLES |= {"predict": predict, "accuracy": accuracy, "memory": memory, "c45": c45}
