"""At which shares of positives the answer stays, and shares of the Tile at the data's and at another one, in words."""

from collections.abc import Iterable
from contextlib import suppress
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from typing import Any

from .._scores import Score
from ..domains import Prepared
from ..errors import DataError, NoPlaceError, RankscapeError, UsageError, in_prose
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..regions import PriorFlips, Regions, first, prior_flips
from ..regions.prior_flips import FEWER
from ..regions.shares import REFERENCE
from ..texts import inside, percent, tied

SAME_PRIOR = 1e-9
"""Priors that differ by less are one."""


def priors_of(data: Performances, score: Score) -> PriorFlips | RankscapeError:
    """Return who is first at which share of positives, or the error that says why that is not known."""
    try:
        return prior_flips(data, score)
    except (NoPlaceError, DataError, UsageError) as error:
        return error


def stays_at_priors(changes: PriorFlips | RankscapeError, here: frozenset[str]) -> str:
    """Say for which shares of positives the answer stays, and who takes over; "" where there is nothing to say.

    ``here`` are the names that the sentence before calls first.
    """
    if isinstance(changes, RankscapeError):
        why = changes.worded(in_prose) if isinstance(changes, NoPlaceError) else ""
        return f"For which shares of positives the answer holds is not known: {why}." if why else ""
    if changes.first is None or changes.stays is None or changes.prior is None:
        return _at_common_priors(changes)
    verb = "stay" if len(changes.first) > 1 else "stays"
    subject = f"{'They' if len(changes.first) > 1 else 'It'} {verb}"
    if changes.first != here:  # the score has no value for those that its place on the Tile calls first
        subject = f"{tied(tuple(sorted(changes.first)))} {verb}"
    low, high = changes.stays
    if low == high:
        return f"{subject} first only at exactly this share of positives ({inside(low)}).{_beyond(changes)}"
    least, most, now = interval(low, high, changes.prior)
    if low == 0 and high == 1:
        return f"{subject} first for any share of positives (here {now})."
    which = f"from {least} to {most}" if low > 0 and high < 1 else f"up to {most}" if low == 0 else f"from {least} on"
    return f"{subject} first for any share of positives {which} (here {now}).{_beyond(changes)}"


def _beyond(changes: PriorFlips) -> str:
    """Say who takes over at the ends of the interval."""
    sides = [
        f"{'below' if direction == FEWER else 'above'} it, {tied(names)}" for direction, _, names in changes.beyond()
    ]
    if not sides:
        return ""
    verb = "come" if len(changes.beyond()[0][-1]) > 1 else "comes"
    sides[0] = f" {sides[0][0].upper()}{sides[0][1:]} {verb} first"
    return f"{'; '.join(sides)}."


def _at_common_priors(changes: PriorFlips) -> str:
    """Say who would be first at a prior that all share, where they have none in common."""
    if len(changes.intervals) == 1:
        return f"Shifted to any common share of positives, {tied(changes.intervals[0].names)} would come first."
    texts = [
        f"{tied(one.names)} {f'up to {inside(one.high)}' if one.low == 0 else f'from {inside(one.low)}'}"
        for one in changes.intervals
    ]
    return f"Shifted to a common share of positives, these would come first: {', '.join(texts)}."


def interval(low: float, high: float, here: float) -> tuple[str, str, str]:
    """Return both ends, rounded towards the inside, and a share between, with digits that show what is where.

    >>> interval(0.04118, 0.30999, 0.1), interval(1 / 3, 0.3335, 0.33342)
    (('0.0412', '0.309', '0.1'), ('0.3334', '0.3335', '0.3334'))
    """
    for digits in range(3, 18):
        least, most = _cut(low, digits, ROUND_CEILING), _cut(high, digits, ROUND_FLOOR)
        if least <= Decimal(repr(here)) <= most and (high == 1 or most < 1):
            break
    texts = (f"{here:.{digits}g}" for digits in range(3, 18))
    now = next((text for text in texts if least <= Decimal(text) <= most and float(text) < 1), f"{here!r}")
    return f"{float(least):.{digits}g}", f"{float(most):.{digits}g}", now


def _cut(x: float, digits: int, rounding: str) -> Decimal:
    """Return a decimal with so many digits, rounded up or down."""
    exact = Decimal(repr(x))
    return exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), rounding=rounding) if x else exact


def shares_at_priors(prepared: Prepared, here: Regions, reference: Fraction = REFERENCE) -> list[str]:
    """Say on which share of the Tile each model is first: in the regions ``here``, and at the reference prior."""
    what, data = "Share of the Tile on which each comes first", prepared.performances
    if here.side:
        return [
            f"Share of the right side of the Tile, b from 0 (precision) to 1 (recall), on which each comes first: "
            f"{_areas(here)}."
        ]
    if data.space != TWO_CLASS:  # others have no priors
        return [f"{what}: {_areas(here)}."]
    prior = data.common_prior()
    whose = "the chosen share of positives" if prepared.shift_prior is not None else "the data's share of positives"
    at = ", each with its own share of positives" if prior is None else f" at {whose} ({inside(prior)})"
    lines = [f"{what}{at}: {_areas(here)}."]
    if prior is None or abs(prior - float(reference)) > SAME_PRIOR:
        known = "not known, because not every model has cases of both classes"
        with suppress(DataError):
            known = _areas(first(data.shift_priors(reference)))
        lines.append(f"At the reference share ({inside(float(reference))}): {known}.")
    return lines


def reference_shares(
    data: Performances, reference: Fraction, rank: int = 1, last: bool = False
) -> dict[str, Any] | None:
    """Return the shares of the Tile at the reference prior for a JSON document; None where priors cannot be shifted."""
    if data.space != TWO_CLASS:
        return None
    with suppress(DataError):
        return {"prior": float(reference), "areas": first(data.shift_priors(reference), rank, last).areas}
    return None


def _areas(regions: Regions) -> str:
    return listed_areas((region.names, region.area) for region in regions)


def listed_areas(areas: Iterable[tuple[tuple[str, ...], float]]) -> str:
    """Return names, those that tie together, with their shares of the Tile.

    >>> listed_areas([(("a", "b"), 0.75), (("c",), 0.25)])
    'a = b 75.0 %, c 25.0 %'
    """
    return ", ".join(f"{tied(names)} {percent(area)}" for names, area in areas)
