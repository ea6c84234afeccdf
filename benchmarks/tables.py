"""The tables: what each measures, row by row, and whether it reaches its goal and its floor."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks import cases
from benchmarks.cases import CASES, HISTOGRAM, OURS, PEER, PREDICTED, SIZES
from benchmarks.measure import peak_memory, take_turns

ENSEMBLES = tuple(name for name, case in CASES.items() if not case.one_tree)


def table_of(measure, one_tree):
    """Return the name of a table: "predict" for trees, "predict-ensembles" for the others."""
    return measure if one_tree else f"{measure}-ensembles"


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

    def sizes(self, one_tree=True):
        """Return the numbers of training rows."""
        return SIZES[: 2 if one_tree else 1] if self.quick else SIZES

    def repeats(self, n, one_tree=True):
        """Return how often something is timed at n rows."""
        times = (3, 2, 1) if self.quick else (25, 11, 5) if one_tree else (7, 3, 1)
        return times[SIZES.index(n)]

    def seeds(self, n, one_tree=True):
        """Return the seeds of the data sets on which accuracy is compared."""
        times = (2, 2, 1) if self.quick else (40, 10, 3) if one_tree else (20, 3)
        return range(times[SIZES.index(n)])


def fit(name, plan):
    """Yield the rows of one case: fitting at every size, then how the cost grows."""
    case = CASES[name]
    for place, n in enumerate(plan.sizes(case.one_tree)):
        fits = fits_at(case, n)
        if n == SIZES[-1] and case.one_tree:
            # For the exponent: ten fits of a tenth take part in the turns. They last about as long
            # as the one, so a busy machine hurts both alike (a short fit slips through more often).
            tenth = fits_at(case, n // 10)
            fits |= {f"{who}, tenths": partial(ten_times, tenth[who]) for who in (OURS, PEER)}
        times = take_turns(fits, plan.repeats(n, case.one_tree))
        for peer in list(case.models())[1:]:
            row = ratio(name, f"fit, {case.title}", n, peer, times)
            row.goal = case.goal(peer, place)
            if peer == PEER and case.one_tree:
                row.floor = cases.FLOOR[n]
            yield row
    if n == SIZES[-1] and case.one_tree:
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


def predict(plan, one_tree=True):
    """Yield the rows about predicting 10,000 rows with models fitted to n rows."""
    for name in ("gini", "depth6", "regression") if one_tree else ENSEMBLES:
        case = CASES[name]
        new, _ = case.data(PREDICTED, sample=1)
        for n in plan.sizes(one_tree)[: 3 if one_tree else 2]:
            models = {OURS: case.ours(), PEER: case.peer()}
            for model in models.values():
                model.fit(*case.data(n))
            asks = {who: partial(model.predict, new) for who, model in models.items()}
            times = take_turns(asks, 5 if plan.quick or not one_tree else 25)
            row = ratio(table_of("predict", one_tree), f"predict, {case.title}", n, PEER, times)
            row.goal = 1 / cases.SLOWEST_PREDICTION
            yield row


def accuracy(plan, one_tree=True):
    """Yield the rows about accuracy on fresh rows, in points; the mean over some data sets."""
    for name, case in CASES.items():
        if case.one_tree != one_tree:
            continue
        peers = {who: make for who, make in case.models().items() if who in (PEER, HISTOGRAM)}
        for n in plan.sizes(one_tree)[: 3 if one_tree else 2]:
            seeds = plan.seeds(n, one_tree)
            scores = {who: [] for who in (OURS, *peers)}
            for seed in seeds:
                new = case.data(20_000, seed, sample=1)
                for who, make in ({OURS: case.ours} | peers).items():
                    model = make().fit(*case.data(n, seed))
                    scores[who].append(100 * model.score(*new))
            mean = {who: {"best": float(np.mean(points))} for who, points in scores.items()}
            what, goal = "accuracy", -cases.POINTS
            if name == "regression":  # a full regression tree learns the noise: no goal
                what, goal = "R² of new rows", None
            for peer in peers:
                yield Row(
                    table_of("accuracy", one_tree), f"{what}, {case.title}", n, peer, "points",
                    mean[OURS], mean[peer], "difference",
                    mean[OURS]["best"] - mean[peer]["best"], goal,
                    note=f"mean of {len(seeds)}",
                )  # fmt: skip


def memory(plan, one_tree=True):
    """Yield the rows about the memory that growing takes on top of the data."""
    n = plan.sizes(one_tree)[-1]
    names = ("gini", "entropy", "regression") if one_tree else ("forest",)
    for name in names[:1] if plan.quick else names:
        most = cases.MEGABYTES if one_tree else cases.FOREST_MEGABYTES
        (ours, how), (theirs, _) = (peak_memory(name, who, n) for who in (OURS, PEER))
        yield Row(
            table_of("memory", one_tree), f"peak extra memory, {CASES[name].title}", n, PEER, "MB",
            {"best": ours}, {"best": theirs}, "MB", ours, most if n == SIZES[-1] else None,
            more=False, note=how,
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
TABLES |= {
    table_of(measure.__name__, False): partial(measure, one_tree=False)
    for measure in (predict, accuracy, memory)
}
