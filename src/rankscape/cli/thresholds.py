"""Models with thresholds: scores in a file, and a gate between the threshold in use and a new one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from .. import decisions
from ..performances import Performances
from ..texts import exact
from ..typing import WeightsLike
from .base import group, number, single
from .endings import WAYS_OUT
from .reading import Given, averageable, case_options, cases_in, refuse_idle

threshold_options = group(
    case_options("score"),
    single("--threshold", type=number, metavar="NUMBER", help="With --score: the new threshold; positive at this score "
           "or more."),
    single("--against-threshold", type=number, metavar="NUMBER", help="With --score: the threshold in use."),
)  # fmt: skip
"""The options of which :func:`at_thresholds` takes the values."""

NO_DRAWS = (
    "is about draws, and thresholds chosen on these cases have none; for their uncertainty, use `rankscape decide`"
)
FLATTERED = (
    "A threshold that was chosen on these cases looks better here than it is, and the gate cannot know. To compare "
    "it with the threshold in use, run `rankscape decide` with --in-use, which chooses inside folds"
)
NEEDED = "a gate between thresholds needs --truth, --score, --threshold (the new one) and --against-threshold (in use)"


def at_thresholds(
    file: Given,
    new: Fraction | None,
    old: Fraction | None,
    entity: str | None,
    against: str | None,
    reading: dict[str, Any],
) -> tuple[Performances, Performances]:
    """Return the performances of a new model or threshold, and of the one in use, on the cases that they share."""
    if reading["truth"] is None or reading["score"] is None or new is None or old is None:
        raise click.UsageError(NEEDED)
    sweeps = swept(file, reading)
    if entity is None and len(sweeps) > 1:
        raise click.UsageError(f"--entity is required; choose one of {', '.join(map(repr, sweeps.names[:6]))}")
    model = sweeps.names[0] if entity is None else entity
    other = model if against is None else against
    sides = {f"{name} at {exact(float(at))}": (name, at) for name, at in ((model, new), (other, old))}
    if len(sides) < 2:
        raise click.UsageError(f"the new threshold of {model!r} is the one in use: there is nothing to compare")
    both = sweeps.at(sides)
    first, second = sides
    return averageable(both[first], file), averageable(both[second], file)


def swept(file: Given, reading: dict[str, Any], weights: WeightsLike = "equal") -> decisions.Sweeps:
    """Return the models whose scores a file holds."""
    refuse_idle(reading, ("task",), "would change nothing: FILE has one row per case, with scores")
    return cases_in(file, reading).sweep(weights)


def models(file: Given, weights: WeightsLike | None, missing: str, reading: dict[str, Any]) -> decisions.Sweeps:
    """Return the models whose scores a file holds, for a page that shows each at its best thresholds."""
    if reading["truth"] is None:
        raise click.UsageError("--score needs --truth, the column of true labels")
    if reading.get("domain") is not None:
        raise click.UsageError("--domain is about predictions and counts: with --score, pass a FILE of one domain")
    if missing != "error":
        raise click.UsageError(f"--missing is about counts: with --score, {WAYS_OUT['--missing']}")
    return swept(file, reading, weights or "equal")
