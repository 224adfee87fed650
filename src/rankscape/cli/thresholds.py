"""Models with thresholds: scores in a file, and a gate between the threshold in use and a new one."""

from fractions import Fraction
from typing import Any

import click

from ..decisions import Sweeps, sweep
from ..performances import Performances
from ..texts import exact
from ..typing import WeightsLike
from .base import group, number, one_or_several, progress, single
from .reading import OF_COUNTS, Given, announce, averageable, refuse_idle

threshold_options = group(
    click.option("--score", "scores", multiple=True, metavar="HEADER", help="Column of scores in NEW, larger for "
                 "more positive (repeat it for one column per model); needs --threshold and --against-threshold."),
    single("--threshold", type=number, metavar="NUMBER", help="The new threshold: positive at this score or more."),
    single("--against-threshold", type=number, metavar="NUMBER", help="The threshold in use."),
)  # fmt: skip
"""The options of which :func:`at_thresholds` takes the values."""

scores_option = click.option(
    "--score",
    "scores",
    multiple=True,
    metavar="HEADER",
    help="Column of scores in FILE, larger for more positive (repeat it for one column per model); needs --truth.",
)
"""The option of which :func:`models` takes the value."""

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
    scores: tuple[str, ...],
    new: Fraction | None,
    old: Fraction | None,
    entity: str | None,
    against: str | None,
    reading: dict[str, Any],
) -> tuple[Performances, Performances]:
    """Return the performances of a new model or threshold, and of the one in use, on the cases that they share."""
    if reading["truth"] is None or not scores or new is None or old is None:
        raise click.UsageError(NEEDED)
    sweeps = swept(file, scores, reading)
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


def swept(file: Given, scores: tuple[str, ...], reading: dict[str, Any], weights: WeightsLike = "equal") -> Sweeps:
    """Return the models whose scores a file holds."""
    if reading["prediction"]:
        raise click.UsageError("--score and --prediction each say what was predicted: choose one of them")
    refuse_idle(reading, (*OF_COUNTS, "task", "unit"), "would change nothing: FILE has one row per case, with scores")
    sweeps = sweep(
        file, truth=reading["truth"], score=one_or_several(scores),
        entity=reading["entity_column"], domain=reading["domain_column"], case=reading["case"],
        pos_label=reading["pos_label"], encoding=reading["encoding"], weights=weights,
        progress=progress(100, "% scanned"),
    )  # fmt: skip
    announce(sweeps.account)
    return sweeps


def models(
    file: Given, scores: tuple[str, ...], weights: WeightsLike | None, missing: str, reading: dict[str, Any]
) -> Sweeps:
    """Return the models whose scores a file holds, for a page that shows each at its best thresholds."""
    if reading["truth"] is None:
        raise click.UsageError("--score needs --truth, the column of true labels")
    if reading.get("domain") is not None:
        raise click.UsageError("--domain is about predictions and counts: with --score, pass a FILE of one domain")
    if missing != "error":
        raise click.UsageError(f"--missing {missing} would change nothing: scores need every model on every domain")
    return swept(file, scores, reading, weights or "equal")
