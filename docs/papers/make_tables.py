"""Write the tables of the page "The papers reproduced": what is printed, beside what rankscape computes.

    python docs/papers/make_tables.py [--data DIR]

The rows come from the scripts in examples/papers, which say what is checked and how. Rows on real performances need
the folder ``--data`` (examples/README.md); without it the files are not written, so that no row gets lost.
"""

import argparse
import csv
import importlib
import re
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "examples" / "papers"))
COLUMNS = ("what", "printed", "ours", "status")
COARSE: dict[str, dict[str, int]] = {"fig4": {"resolution": 5}, "fig7": {"fine": 1}}
"""Maps by draws, on grids that have the places that are checked: the same draws, and so the same rows, sooner."""

DERIVED = ("distance", "difference", "deviation", "spread", "shifted back", " off ", " less ")
"""Words in what is 0 if a formula or a statement of a paper holds."""


def of_the_tile() -> list[Any]:
    """Return the checks of the Tile paper."""
    script = importlib.import_module("tile")
    found = []
    for name, make in {**script.TABLES, **script.FIGURES}.items():
        found += make(**COARSE.get(name, {}))[1]
        plt.close("all")
    return found


def of_the_foundations() -> list[Any]:
    """Return the checks of the foundations paper."""
    script = importlib.import_module("foundations")
    return [one for make in script.TABLES.values() for one in make()[1]]


def of_the_tradeoff(data: Path) -> list[Any]:
    """Return the checks of the paper on the optimal trade-off; those on real performances where these are at hand."""
    script = importlib.import_module("optimal_tradeoff")
    found = []
    folder = script.Data(data)
    for make in {**script.TABLES, **script.FIGURES}.values():
        try:
            found += make(folder)[1]
        except FileNotFoundError:
            continue
        finally:
            plt.close("all")
    return found


def rows(checks: list[Any]) -> list[tuple[str, str, str, str]]:
    """Return checks as rows; differences from 0 that are rounding are written as such."""
    return [as_printed(one.what, one.printed, _without_noise(one.ours), one.status) for one in checks]


def as_printed(what: str, printed: str, ours: str, status: str) -> tuple[str, str, str, str]:
    """Return a row, nothing in its column "printed" where the paper has a formula or a statement, and no number.

    >>> as_printed("(58): τ(Pr;F_β), largest difference", "0", "below 1e-12", "printed")
    ('(58): τ(Pr;F_β), largest difference', '', 'below 1e-12', 'follows')
    """
    stated = printed in ("yes", "no") or (printed == "0" and any(word in what for word in DERIVED))
    if not stated:
        return what, printed, ours, status
    return what, "", ours, status if status.startswith("differs") else "follows"


def _without_noise(number: str) -> str:
    try:
        value = float(number)
    except ValueError:
        return number
    return "below 1e-12" if 0 < abs(value) < 1e-12 else number


def written(path: Path) -> list[tuple[str, ...]]:
    """Read a table back."""
    with path.open(encoding="utf-8", newline="") as file:
        head, *found = (tuple(cell.replace("\\", "") for cell in row) for row in csv.reader(file))
    if head != COLUMNS:
        raise ValueError(f"{path.name}: expected the columns {', '.join(COLUMNS)}, got {', '.join(head)}")
    return found


def write(path: Path, found: list[tuple[str, str, str, str]]) -> None:
    """Write a table, without what reStructuredText would take for markup."""
    plain = [tuple(re.sub(r"([|*`])", r"\\\1", cell) for cell in row) for row in found]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *plain])


def main() -> int:
    """Write all tables; 1 where the data are missing."""
    parser = argparse.ArgumentParser(description="Write the tables of the page on the papers.")
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder of the real performances (data)")
    data = parser.parse_args().data
    if not (data / "cada_rre.csv").exists():
        sys.stderr.write(f"cada_rre.csv is not in {data}: nothing is written\n")
        return 1
    tables = {
        "foundations": rows(of_the_foundations()),
        "tile": rows(of_the_tile()),
        "optimal_tradeoff": rows(of_the_tradeoff(data)),
    }
    for name, found in tables.items():
        write(HERE / f"{name}.csv", found)
    write(HERE / "differs.csv", [row for found in tables.values() for row in found if row[3].startswith("differs")])
    return 0


if __name__ == "__main__":
    sys.exit(main())
