"""What comes out: a plain table, results.json, RESULTS.md without times, and a picture."""

import json
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata

import matplotlib

matplotlib.use("Agg")  # files only, no window

import matplotlib.pyplot as plt

from benchmarks.cases import CASES, HISTOGRAM, OURS, PEER, SIZES
from benchmarks.measure import FEATURES
from benchmarks.tables import Row
from mlcourse import use_style

WRITES = {"ratio": "{:.2f} ×", "exponent": "{:.2f}", "difference": "{:+.2f} points"}
WRITES |= {"MB": "{:.0f} MB", "seconds": "{:.3f} s"}
UNITS = {"s": lambda x: f"{1000 * x:.2f} ms", "MB": "{:.0f} MB".format, "points": "{:.2f}".format}
UNITS[""] = "{:.2f}".format
HEAD = ("what", "n", "ours: best", "median", "peer", "best", "median", "result", "goal", "floor")
CAPTION = (
    "Line charts, both axes logarithmic: seconds to fit (best of several) against the number of "
    "training rows, one panel per kind of model, a line per library. The numbers at our line say "
    "how many times as fast as scikit-learn it is."
)
ABOUT = """\
# The learners against their peers

Made by `python3 course.py bench --out benchmarks` on {date}; nothing here is edited by hand.
Times belong to one machine, ratios hold roughly on all, so this page keeps ratios: **time of the
peer / our time**, more than 1 means that we are faster. One core; {features} standard normal
columns of 64-bit numbers, two noisy classes; the libraries take turns, after one round to warm
up, and the ratio is that of the best times. Predicting is of 10,000 rows, with models fitted to n
rows. Accuracy and R² are in points of 100 on 20,000 new rows: ours minus the peer's. The exponent
is of the cost from 10,000 to 100,000 rows (one fit of these against ten of those, in turns).
Memory is what one fit adds at its peak, in a process of its own ({how}).
In brackets: the peer's own value.

Versions: {versions}.

{table}

![{caption}](results.png)

*{caption}*
"""


def result(row):
    """Return the number of a row that has a goal, in words."""
    return WRITES[row.measure].format(row.value) + (f" {row.peer}" if row.peer != PEER else "")


def limit(row, number):
    """Return a goal or a floor in words."""
    if number is None:
        return ""
    return ("≥ " if row.more else "≤ ") + WRITES[row.measure].format(number).lstrip("+")


def cells(row):
    """Return the entries of one line of the table."""

    def written(times, key):
        return UNITS[row.unit](times[key]) if times and key in times else ""

    return (
        row.title, f"{row.n:,}", written(row.ours, "best"), written(row.ours, "median"), row.peer,
        written(row.theirs, "best"), written(row.theirs, "median"),
        WRITES[row.measure].format(row.value), limit(row, row.goal), limit(row, row.floor),
        row.verdict,
    )  # fmt: skip


def table(rows):
    """Return the table as plain text, its columns aligned."""
    lines = [(*HEAD, "reached"), *map(cells, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    left = (0, 4, 10)  # the columns of words
    text = [
        "  ".join(
            entry.ljust(width) if place in left else entry.rjust(width)
            for place, (entry, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    text.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(text) + "\n"


def markdown(rows):
    """Return the table without times, which are of one machine only."""
    text = [
        "| what | n | peer | result | goal | floor | reached |",
        "|---|--:|---|--:|--:|--:|---|",
    ]
    for row in rows:
        what, n, _, _, peer, *_, value, goal, floor, verdict = cells(row)
        if row.unit in ("points", "MB", "") and row.theirs:
            peer += f" ({UNITS[row.unit](row.theirs['best'])})"
        if row.note.startswith("mean"):
            value += f" ({row.note})"
        text.append("| " + " | ".join((what, n, peer, value, goal, floor, verdict)) + " |")
    return "\n".join(text)


def versions(rows):
    """Return the versions of what took part."""
    names = {"numpy", OURS, *(row.peer for row in rows if row.peer)} - {HISTOGRAM}
    return {"python": platform.python_version()} | {n: metadata.version(n) for n in sorted(names)}


def kept(folder, names, quick):
    """Return the rows of an earlier run in the folder, of tables that were not measured anew."""
    path = folder / "results.json"
    if not path.exists():
        return []
    data = json.loads(path.read_text(encoding="utf-8"))
    if data["quick"] != quick:
        return []
    rows = [{k: v for k, v in row.items() if k != "verdict"} for row in data["rows"]]
    return [Row(**row) for row in rows if row["table"] not in names]


def write(rows, folder, quick):
    """Write results.json, RESULTS.md and results.png into the folder; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    date, used = datetime.now(UTC).date().isoformat(), versions(rows)
    data = {"date": date, "quick": quick, "versions": used}
    data["rows"] = [asdict(row) | {"verdict": row.verdict} for row in rows]
    paths = [folder / name for name in ("results.json", "RESULTS.md", "results.png")]
    paths[0].write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    text = ABOUT.format(
        date=date,
        features=FEATURES,
        how=next((row.note for row in rows if row.table.startswith("memory")), "not measured"),
        versions=", ".join(f"{name} {version}" for name, version in used.items()),
        table=markdown(rows),
        caption=CAPTION,
    )
    paths[1].write_text(text, encoding="utf-8")
    timed = [row for row in rows if row.table in CASES and row.measure == "ratio"]
    if not timed:
        text = text.replace(text[text.index("\n![") :], "")
        paths[1].write_text(text, encoding="utf-8")
        return paths[:2]
    picture(timed).savefig(paths[2], metadata={"Software": None})
    plt.close("all")
    return paths


def picture(rows):
    """Draw seconds against rows, both logarithmic, a panel per case and a line per library."""
    use_style()
    names = [name for name in CASES if any(row.table == name for row in rows)]
    across = min(len(names), 4)
    down = -(-len(names) // across)  # rounded up
    figure, axes = plt.subplots(
        down, across, figsize=(2.7 * across + 0.6, 3.6 * down), sharey="row", squeeze=False
    )
    for spare in axes.ravel()[len(names) :]:
        spare.set_axis_off()
    peers = [PEER, *sorted({row.peer for row in rows} - {PEER})]
    for axis, name in zip(axes.ravel(), names, strict=False):
        mine = [row for row in rows if row.table == name]
        ours = [row for row in mine if row.peer == PEER]
        lines = {OURS: [(row.n, row.ours["best"]) for row in ours]}
        lines |= {peer: [(r.n, r.theirs["best"]) for r in mine if r.peer == peer] for peer in peers}
        for place, (who, points) in enumerate(lines.items()):
            if points:
                style = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))[place]
                axis.plot(
                    *zip(*points, strict=True),
                    marker="osD^v"[place],
                    ls=style,
                    c=f"C{place}",
                    label=who,
                )
        slowest = any(row.value < 1 for row in mine)  # then the peers' lines are below
        for row in ours:
            axis.annotate(
                f"{row.value:.1f}×", (row.n, row.ours["best"]), (0, 9) if slowest else (5, -14),
                ha="center" if slowest else "left", textcoords="offset points", color="C0",
                fontsize=9.5,
            )  # fmt: skip
        axis.set(xscale="log", yscale="log", title=CASES[name].title, xlabel="training rows")
        axis.set_xticks(SIZES[: len(ours)], [f"{n:,}" for n in SIZES[: len(ours)]])
        axis.minorticks_off()
        axis.margins(x=0.2, y=0.12)
    for axis in axes[:, 0]:
        axis.set_ylabel("seconds to fit")
    handles = {
        label: handle
        for axis in axes.ravel()
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    spare = len(names) < axes.size
    place = (axes.ravel()[-1], "center") if spare else (axes[0, 0], "upper left")
    place[0].legend(handles.values(), handles.keys(), loc=place[1])
    return figure
