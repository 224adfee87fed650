"""``python -m benchmarks``: how fast every path, every command and every kernel is, as ratios.

Nothing fails here: what is slow has a mark. ``--output docs`` writes the tables of the pages on scale and on limits.
"""

import argparse
import csv
import signal
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from . import commands, floors, table
from .measure import Limits, cells_of
from .paths import PATHS

SIZES = (100, 10_000, 1_000_000)
PARTS = ("paths", "commands", "kernels")
WIDTHS = (40, 6, 9, 8, 8, 8, 8, 8, 28, 8, 8, 7, 6)


def write(path: Path, rows: Iterable[Iterable[str]]) -> None:
    """Write a table as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def measured(names: Iterable[str], sizes: Iterable[int], limits: Limits, scratch: str) -> Iterator[table.Row]:
    """Measure the paths at the sizes that make sense."""
    for name in names:
        for n in sorted({min(size, PATHS[name].largest) for size in sizes}):
            yield table.Row(name, n, cells_of(name, n, limits, scratch))


def all_paths(names: list[str], sizes: list[int], limits: Limits, scratch: str) -> list[list[str]]:
    """Print a line for each path and size, and return the table of the page."""
    print(table.for_terminal([(name, False) for name in table.COLUMNS], WIDTHS), flush=True)
    before: table.Row | None = None
    rows, marks = [table.header()], 0
    for row in measured(names, sizes, limits, scratch):
        line = table.line(row, before)
        print(table.for_terminal(line, WIDTHS), flush=True)
        rows += table.for_page(row, before, line)
        marks += table.marked(line)
        before = row
    print(f"{marks} lines have a mark (!)\n", flush=True)
    return rows


def all_commands(limits: Limits, scratch: str) -> list[list[str]]:
    """Print a line for each command and table, and return the table of the page."""
    rows = [list(commands.COLUMNS)]
    for line in commands.lines(Path(scratch), limits.seconds):
        print(table.for_terminal(line, (22, 10, 12, 6)), flush=True)
        rows.append(table.bold(line))
    print(flush=True)
    return rows


def all_kernels(n: int) -> tuple[list[list[str]], list[list[str]]]:
    """Print a line for each unit and each kernel, and return both tables of the page."""
    tables: tuple[list[list[str]], list[list[str]]] = ([list(floors.UNITS)], [list(floors.COLUMNS)])
    for rows, lines in zip(tables, (floors.units(n), floors.lines(n)), strict=True):
        for line in lines:
            print("  ".join(cell.ljust(width) for cell, width in zip(line, (40, 12, 24, 6), strict=False)), flush=True)
            rows.append(line)
        print(flush=True)
    return tables


def main() -> None:
    """Measure what is asked for, print it, and write it where asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; by default all")
    parser.add_argument(
        "--sizes", nargs="+", type=int, default=SIZES, help="of the paths; the largest is that of the kernels"
    )
    parser.add_argument("--paths", nargs="+", choices=list(PATHS), metavar="PATH", help=", ".join(PATHS))
    parser.add_argument("--limit", type=float, default=60, help="seconds that one call may take (60)")
    parser.add_argument("--memory", type=float, default=6, help="GB that one process may take (6)")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="write the tables of the pages there: docs")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"{', '.join(sorted(unknown))}: the parts are {', '.join(PARTS)}")
    if options.output and options.paths:
        parser.error("--output writes whole tables: leave out --paths")
    parts = options.parts or (["paths"] if options.paths else PARTS)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the process that measures ends, too
    limits, tables = Limits(options.limit, options.memory), {}
    with tempfile.TemporaryDirectory(prefix="rankscape-") as scratch:
        tempfile.tempdir = scratch
        if "paths" in parts:
            tables["scale"] = all_paths(options.paths or list(PATHS), options.sizes, limits, scratch)
        if "commands" in parts:
            tables["scale-commands"] = all_commands(limits, scratch)
        if "kernels" in parts:
            tables["limits-units"], tables["limits"] = all_kernels(max(options.sizes))
    if options.output:
        for name, rows in tables.items():
            write(options.output / f"{name}.csv", rows)


if __name__ == "__main__":
    main()
