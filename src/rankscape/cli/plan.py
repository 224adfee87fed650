"""``rankscape gate --plan``: how a gate will decide, before there are cases."""

from pathlib import Path
from typing import Any

import click

from .._report import records, render, to_json
from ..results import Table
from ..texts import percent
from ..uncertainty import gate_plan
from .base import group, number, parts_of, show, width
from .sentences import summary_of_plan, title_of_plan

OF_PLANS = ("difference", "cases", "baseline", "discordant", "unpaired")
"""The options that need ``--plan``."""

RATES = ("tnr", "tpr", "prior", "accuracy")


def baseline(text: str) -> dict[str, float]:
    """Return the rates in ``tnr=0.9,tpr=0.8,prior=0.3``, or in ``accuracy=0.8``."""
    given: dict[str, float] = {}
    for part in parts_of(text):
        name, _, value = part.partition("=")
        if name.strip().lower() not in RATES:
            raise click.BadParameter(
                f"{part[:80]!r} is not understood; expected, for example, tnr=0.9,tpr=0.8,prior=0.3"
            )
        if name.strip().lower() in given:
            raise click.BadParameter(f"{name.strip().lower()} is given twice")
        given[name.strip().lower()] = float(number(value.strip()))
    if "accuracy" in given and len(given) > 1:
        raise click.BadParameter("accuracy is of cases that are right or wrong, which have no tnr, tpr and prior")
    return given


plan_options = group(
    click.option("--plan", is_flag=True, help="Simulate how often a gate would pass, by the number of cases."),
    click.option("--difference", type=float, default=0.02, show_default=True,
                 help="With --plan: the difference of the two models in both TNR and TPR, or in accuracy."),
    click.option("--cases", type=click.IntRange(1), default=500, show_default=True, help="With --plan: their number."),
    click.option("--baseline", type=baseline, default="", metavar="tnr=0.8,tpr=0.8,prior=0.5",
                 help="With --plan: the rates of the model in use, and the share of positives; or accuracy=0.8 of "
                 "cases that are right or wrong."),
    click.option("--discordant", type=float, default=0.1, show_default=True, metavar="SHARE",
                 help="With --plan: the share of cases that just one of two equal models gets right."),
    click.option("--unpaired", is_flag=True, help="With --plan: the two are tried on different cases."),
)  # fmt: skip


def show_plan(
    kind: str, output: Path | None, difference: float, cases: int, discordant: float | None, seed: int,
    baseline: dict[str, float], how: dict[str, Any],
) -> None:  # fmt: skip
    """Show how a gate would decide."""
    how |= baseline
    power = gate_plan(difference, cases, discordant=discordant, rng=seed, **how)
    table = power.table()
    if kind == "json":
        names = ("difference", "alpha", "margin", *RATES, "discordant", "trials", "seed")
        what = {name: getattr(power, name) for name in names}
        show(
            to_json({"schema": "rankscape/plan/1", "box": power.box.text, **what, "rows": records(table)}), kind, output
        )
    elif kind == "csv":
        show(table.to_csv(), kind, output)
    else:
        cells = {name: table[name] for name in table.columns}
        readable = {
            name.replace("_", " "): [f"{x:,}" for x in cells[name]]
            if name == "cases"
            else list(map(percent, cells[name]))
            for name in table.columns
        }
        text = render(Table(readable), kind, title=title_of_plan(power), summary=summary_of_plan(power), width=width())
        show(text, kind, output)
