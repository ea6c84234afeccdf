"""Run the benchmarks: ``python3 course.py bench`` calls this.

One core: the libraries read these variables when they are loaded, so they are set first.
"""

import os

THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
os.environ.update({f"{name}_NUM_THREADS": "1" for name in THREADS})

import argparse  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402

FOLDER = Path(__file__).resolve().parent


def main(argv=None):
    """Measure the tables that were asked for, print them and write them down."""
    from benchmarks import report
    from benchmarks.tables import TABLES, Plan

    parser = argparse.ArgumentParser(
        prog="course.py bench",
        description="Time the library against its peers, on one core, in one run.",
        epilog="tables: " + ", ".join(TABLES),
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these tables")
    parser.add_argument("--quick", action="store_true", help="small sizes, few repeats")
    parser.add_argument("--out", type=Path, default=FOLDER / "results", metavar="DIR")
    options = parser.parse_args(argv)
    unknown = [name for name in options.names if name not in TABLES]
    if unknown:
        parser.error(f"no table {', '.join(unknown)}; there are {', '.join(TABLES)}")
    names, rows = options.names or list(TABLES), []
    start, plan = time.monotonic(), Plan(options.quick)
    for place, name in enumerate(names, 1):
        for row in TABLES[name](plan):
            rows.append(row)
            took = f"{time.monotonic() - start:5.0f} s  {place}/{len(names)}"
            print(f"  {took}  {row.title}, n = {row.n:,}: {report.result(row)}", flush=True)
    rows = report.kept(options.out, names, options.quick) + rows
    rows.sort(key=lambda row: list(TABLES).index(row.table))
    print("\n" + report.table(rows))
    for path in report.write(rows, options.out, options.quick):
        print(f"Written: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
