"""Models with thresholds: scores in a file, and a gate between the threshold in use and a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from .. import decisions
from ..performances import Performances
from ..texts import exact
from .base import grouped, number, refuse, single
from .endings import WAYS_OUT
from .reading import Given, averageable, case_options, cases_in

score_option = case_options("score")
threshold_options = grouped(
    "thresholds",
    score_option,
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
    file: Given, thresholds: Mapping[str, Any], models: tuple[str | None, str | None], reading: Mapping[str, Any]
) -> tuple[Performances, Performances]:
    """Return the performances of a new model or threshold, and of the one in use, on the cases that they share."""
    if reading["truth"] is None or None in thresholds.values():
        raise click.UsageError(NEEDED)
    sweeps = swept(file, reading, thresholds["score"])
    new, old = models
    if new is None and len(sweeps) > 1:
        raise click.UsageError(f"--entity is required; choose one of {', '.join(map(repr, sweeps.names[:6]))}")
    new = sweeps.names[0] if new is None else new
    at = ((new, thresholds["threshold"]), (new if old is None else old, thresholds["against_threshold"]))
    sides = {f"{name} at {exact(float(threshold))}": (name, threshold) for name, threshold in at}
    if len(sides) < 2:
        raise click.UsageError(f"the new threshold of {new!r} is the one in use: there is nothing to compare")
    both = sweeps.at(sides)
    first, second = (averageable(both[side], file) for side in sides)
    return first, second


def swept(file: Given, reading: Mapping[str, Any], score: Any, weights: Any = None) -> decisions.Sweeps:
    """Return the models whose scores a file holds."""
    refuse(("task",), "would change nothing: FILE has one row per case, with scores")
    return cases_in(file, {**reading, "score": score}).sweep(weights or "equal")


def models(file: Given, reading: Mapping[str, Any], score: Any, weights: Any) -> decisions.Sweeps:
    """Return the models whose scores a file holds, for a page that shows each at its best thresholds."""
    if reading["truth"] is None:
        raise click.UsageError("--score needs --truth, the column of true labels")
    refuse(("domain",), "is about predictions and counts: with --score, pass a FILE of one domain")
    refuse(("missing",), f"is about counts: with --score, {WAYS_OUT['--missing']}")
    return swept(file, reading, score, weights)
