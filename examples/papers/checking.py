"""What the scripts of the papers share: numbers beside the printed ones, the options, figures as files."""

import argparse
import csv
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure


@dataclass(frozen=True)
class Check:
    """A number or statement of the paper beside ours."""

    what: str
    printed: str
    ours: str
    status: str


def check(what: str, printed: str, ours: Any, within: float | None = None, reason: str = "") -> Check:
    """Compare what is printed with ours, numbers within half a unit of the last digit, or ``within``."""
    if isinstance(ours, str):
        return Check(what, printed, ours, "exact" if ours == printed else f"differs ({reason})")
    number = Fraction(printed)
    digits = len(printed.partition(".")[2])
    tolerance = Fraction(1, 2 * 10**digits) if within is None else Fraction(within)
    near = abs(Fraction(ours) - number) <= tolerance
    status = "exact" if isinstance(ours, Fraction) and ours == number else "printed" if near else f"differs ({reason})"
    return Check(what, printed, str(ours) if isinstance(ours, Fraction) else f"{ours:.10g}", status)


def yes(holds: Any) -> str:
    return "yes" if holds else "no"


def asked(
    description: str, parts: Iterable[str], arguments: list[str] | None, *, figures: bool = True, data: bool = False
) -> argparse.Namespace:
    """Return the options; ``only`` is all parts where none was asked for."""
    parser, parts = argparse.ArgumentParser(description=description), list(parts)
    parser.add_argument("--only", nargs="+", choices=parts, help="what to regenerate (everything)")
    if figures:
        parser.add_argument("--output", type=Path, default=Path("figures"), help="folder to write to (figures)")
        parser.add_argument("--format", choices=("png", "pdf", "svg"), default="png", help="of the figures (png)")
    if data:
        parser.add_argument("--data", type=Path, default=Path("data"), help="folder of the real performances (data)")
    options = parser.parse_args(arguments)
    options.only = options.only or parts
    return options


def saved(figure: Figure, options: argparse.Namespace, name: str, **how: Any) -> None:
    """Write a figure into the folder asked for, and close it."""
    options.output.mkdir(parents=True, exist_ok=True)
    figure.savefig(options.output / f"{name}.{options.format}", dpi=120, **how)
    plt.close(figure)


def told(checks: list[Check]) -> list[Check]:
    """Print the checks as CSV and return them."""
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(("what", "printed", "ours", "status"))
    rows.writerows((one.what, one.printed, one.ours, one.status) for one in checks)
    return checks
