"""Which entity is first, how long that lasts, and which ones ever come first, in sentences."""

from collections.abc import Sequence
from contextlib import suppress
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from math import inf, sqrt

from ..domains import Prepared
from ..errors import DataError, RankscapeError
from ..geometry.curves import odds
from ..ordering import reasons_of
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..regions import Flip, Flips, PriorFlips, Regions, first, without_skill
from ..regions.shares import REFERENCE
from ..results import Table
from ..texts import inside, joined, label, percent, spelled, tied
from ..uncertainty.page_inputs import WinningPoints
from .at_priors import SAME_PRIOR, listed_areas, shares_at_priors, stays_at_priors
from .expenses import Kept, costs_that_keep, expense, written
from .leaderboard import full_name

MOST_LISTED = 6
MOST_COMPARED = 2000
"""Entities of which it is also looked up whether they tie somewhere."""

MOST_WRITTEN = 10**6
"""Exchange rates from here on are written as powers of ten."""

SLACK = Decimal("1e-12")
"""What the rounding of floats may take from the end of an interval."""

ALMOST = 1 + Fraction(1, 10**10)
"""More than what a factor is off by: it is found by halving an interval."""

UNKNOWN = "What if correct rejections counted, too? That needs true negatives, which these data do not have"

DO_NOT_COUNT = (("detections", "correct rejections"), ("misses", "false alarms"))
"""The outcomes without importance at a = 0 and 1, and at b = 0 and 1."""


def rate(x: float) -> str:
    """Return an exchange rate with three digits."""
    return "∞" if x == inf else f"{x:.0f}" if 1000 <= x < MOST_WRITTEN else f"{x:.3g}"


def at_most(x: float) -> str:
    """Return a factor above 1, rounded down, with as many digits as keep it above 1.

    >>> at_most(1.0769), at_most(1.00049), at_most(4.9999999999995), at_most(1e9)
    ('1.07', '1.0004', '5', '1e+09')
    """
    for digits in range(3, 17):
        step = Fraction(10) ** (digits - len(str(int(x))))
        text = f"{float(int(Fraction(x) * ALMOST * step) / step):.{digits}g}"
        if float(text) > 1 or x <= 1:
            break
    return text


def within(x: float, *, up: bool, digits: int = 3) -> str:
    """Return the end of an interval with three digits, rounded up or down, so that the sentence about it holds.

    Whoever types the end in finds that what is first is still first there; beyond it, others come soon.

    >>> within(2.9932, up=True), within(4.99, up=False), within(1 / 3, up=True), within(0.5, up=True)
    ('3', '4.99', '0.334', '0.5')
    """
    if x in (0, inf):
        return rate(x)
    exact = Decimal(x) * (1 - SLACK if up else 1 + SLACK)
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    end = float(exact.quantize(step, rounding=ROUND_CEILING if up else ROUND_FLOOR))
    return rate(end) if digits == 3 else f"{end:.{digits}g}"


def ends_within(low: float, high: float, here: float) -> tuple[str, str]:
    """Return both ends of an interval, rounded towards the inside, with digits that leave ``here`` in it.

    >>> ends_within(0.33333, 0.3339, 0.3335), ends_within(17.83, inf, 20), ends_within(0, 1234.5, 1)
    (('0.3334', '0.3339'), ('17.9', '∞'), ('0', '1230'))
    """
    for digits in range(3, 18):
        ends = within(low, up=True, digits=digits), within(high, up=False, digits=digits)
        least, most = (inf if end == "∞" else float(end) for end in ends)
        if least <= here * float(1 + SLACK) and here * float(1 - SLACK) <= most:
            break
    return ends


def stays(
    interval: tuple[float, float],
    here: float,
    one: str,
    others: str,
    winner: str = "It stays",
    verb: str = "is worth",
) -> str:
    """Say in which interval of an exchange rate the answer stays; ``verb`` says what one is in terms of the others.

    >>> stays((0.25, 1.0), 1.0, "a miss", "false alarms")
    'It stays first while a miss is worth at least 0.334 false alarms (here 1)'
    """
    low, high = (odds(x) for x in interval)
    if low == high:
        return f"{winner} first only while {one} {verb} exactly {amount(rate(here), others)}"
    if low == 0 and high == inf:
        return f"{winner} first however many {others} {one} {verb} (here {rate(here)})"
    least, most = ends_within(low, high, here)
    worth = f"{least} to {most}" if low > 0 and high < inf else f"at most {most}"
    worth = f"at least {least}" if high == inf else worth
    return f"{winner} first while {one} {verb} {amount(worth, others)} (here {rate(here)})"


def amount(worth: str, others: str) -> str:
    """Return how many of the others, which stand in the plural.

    >>> amount("at least 1", "false alarms"), amount("0.5 to 1", "false alarms")
    ('at least 1 false alarm', '0.5 to 1 false alarms')
    """
    return f"{worth} {others.removesuffix('s') if worth.rpartition(' ')[2] == '1' and ' to ' not in worth else others}"


def place_of(rate: Fraction | float) -> float:
    """Return the place of an exchange rate on an axis of the Tile."""
    return 1.0 if rate == inf else float(Fraction(rate) / (1 + Fraction(rate)))


def answer(changes: Flips, data: Performances, at_priors: PriorFlips | RankscapeError) -> str:
    """Say which entity is first and how long that lasts, also at other shares of positives."""
    names = tied(sorted(changes.first))
    verb, winner = ("are tied for first", "They stay") if len(changes.first) > 1 else ("is first", "It stays")
    kept = None if changes.score.costs is None else costs_that_keep(changes.score.costs, data, changes.first)
    held = ("", "")
    if kept is not None:  # the costs move both exchange rates; each of the next two sentences moves one
        held = (
            f"With a detection held at {amount(rate(odds(changes.a)), 'correct rejections')}, ",
            f"With a miss held at {amount(rate(odds(changes.b)), 'false alarms')}, ",
        )
    lines = [
        f"{names} {verb} by {full_name(changes.score)}{f', among {len(data)} models' if len(data) > 1 else ''}",
        _held(held[0], stays(changes.along_b, odds(changes.b), "a miss", "false alarms", winner)),
    ]
    if changes.side:
        lines.append(UNKNOWN)
    else:
        along = stays(changes.along_a, odds(changes.a), "a detection", "correct rejections", winner)
        lines.append(_held(held[1], along))
    if changes.beta and changes.beta != (0.0, inf) and changes.beta[0] < changes.beta[1]:
        least, most = ends_within(*changes.beta, sqrt(odds(changes.b)))
        lines[1] += f", for every β from {least} to {most}"
    if kept is not None:
        ends = place_of(kept.low), place_of(kept.high)
        sentence = stays(ends, float(kept.here), "a miss", "false alarms", winner, verb="costs")
        lines.insert(1, f"{sentence}; this changes what a miss and a detection are worth together")
    price = expense(changes.score.costs, data, changes.first, beside=True)
    price += "." * bool(price)
    lines[1:] = [f"{line}." for line in lines[1:]]
    lines += _without_value(changes, data)
    lines += [stays_at_priors(at_priors, changes.first), margin_of_error(changes), price]
    return "\n".join(filter(None, lines))


def _without_value(changes: Flips, data: Performances) -> list[str]:
    """Say whom a ranking by the score leaves out although its place on the Tile calls them first."""
    groups: dict[str, list[str]] = {}
    for name, reason in zip(data.names, reasons_of(changes.score, data), strict=True):
        if reason is not None and name in changes.first:
            groups.setdefault(reason, []).append(name)
    return [f"A ranking leaves {tied(names)} out: {reason}." for reason, names in groups.items()]


def _held(what: str, sentence: str) -> str:
    """Return a sentence with what is held fixed before it.

    >>> _held("When it rains, ", "It stays dry"), _held("", "It stays dry")
    ('When it rains, it stays dry', 'It stays dry')
    """
    return f"{what}{sentence[:1].lower()}{sentence[1:]}" if what else sentence


def margin_of_error(changes: Flips) -> str:
    """Say by which factor the exchange rates may be wrong; "" where that says nothing, as at a corner of the Tile.

    On a side of the Tile one outcome does not count: the factor is that of the other rate, and the answer may change
    as soon as that outcome counts.
    """
    on_side = [text for place, text in zip((changes.a, changes.b), DO_NOT_COUNT, strict=True) if place in (0, 1)]
    if changes.factor <= 1 or len(on_side) == 2:
        return ""
    same = "the winners stay the same" if len(changes.first) > 1 else "the winner stays the same"
    factor = "any factor" if changes.factor == inf else f"a factor of up to {at_most(changes.factor)}"
    if not on_side:
        return f"You may be wrong about both rates by {factor} and {same}."
    place, worth = (changes.a, "a miss") if changes.a in (0, 1) else (changes.b, "a detection")
    about = f"you may be wrong about the worth of {worth} by {factor} and {same}"
    return f"While {on_side[0][int(place)]} do not count, {about}."


def readable(changes: Flips, data: Performances) -> Table:
    """Return the nearest changes as they are read; of costs, with what the others would cost now."""
    places = {_place(flip) for flip in changes.flips if flip.direction != "nearest"}
    flips = [flip for flip in changes.flips if flip.direction != "nearest" or _place(flip) not in places]
    rows = [(flip.direction, *_rates(flip), flip.names) for flip in flips]
    costs, columns = changes.score.costs, {}
    if costs is not None:
        rows = [*_changes_of_costs(costs_that_keep(costs, data, changes.first)), *rows]
        expected = dict(zip(data.names, written(costs, data), strict=True))
        columns[f"now {costs.heading}"] = [expected[row[3][0]] for row in rows]
    return Table(
        {
            "nearest change": [row[0] for row in rows],
            "false alarms per miss": [row[1] for row in rows],
            **({} if changes.side else {"correct rejections per detection": [row[2] for row in rows]}),
            "first beyond": [tied(row[3], MOST_LISTED) for row in rows],
            **columns,
        }
    )


def _rates(flip: Flip) -> tuple[str, str]:
    """Return both exchange rates of a flip, the one that moves rounded as in the sentences above the table."""
    up = flip.direction.startswith("fewer")
    miss = within(flip.miss, up=up) if flip.direction.endswith("per miss") else rate(flip.miss)
    return miss, within(flip.detection, up=up) if flip.direction.endswith("detection") else rate(flip.detection)


def _changes_of_costs(kept: Kept | None) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Return the costs of a miss at which others come first: right answers are worth what they save."""
    if kept is None:
        return []
    ends = (
        ("lower cost of a miss", kept.low, kept.below, True),
        ("higher cost of a miss", kept.high, kept.above, False),
    )
    rows = [(what, within(float(end), up=up), names) for what, end, names, up in ends]
    return [(what, text, text, names) for what, text, names in rows if names]


def right_of_changes(changes: Flips) -> tuple[str, ...]:
    """Return the columns of :func:`readable` that are aligned to the right."""
    costs = changes.score.costs
    rates = ("false alarms per miss", "correct rejections per detection")
    return (*rates[: 1 if changes.side else 2], *([f"now {costs.heading}"] if costs else []))


def _place(flip: Flip) -> tuple[str, ...]:
    return rate(flip.miss), rate(flip.detection), *flip.names


def beyond(prepared: Prepared, here: frozenset[str], reference: Fraction = REFERENCE) -> str:
    """Say on which share of the Tile each model is first, which never are but ``here``, and where none has skill."""
    data, regions = prepared.performances, first(prepared.performances)
    lines = shares_at_priors(prepared, regions, reference)
    weighted = len(prepared.domains) > 1 and not prepared.only_pooled
    lines += never_first(regions, data.names, here, weighted=weighted)
    poor = without_skill(data)
    if poor is None and data.space == TWO_CLASS:  # others have no priors
        low, high = data.priors.min(), data.priors.max()
        lines.append(f"The share of positives differs between models ({low:.3g} to {high:.3g}).")
    elif poor:
        lines.append(f"On {percent(poor)} of the Tile no model beats always answering the same class.")
    return "\n".join(lines)


def of_models(points: WinningPoints, prior: Fraction | None, reference: Fraction) -> list[str]:
    """Say on which share of the Tile each model wins, at the prior of the page and at the reference one."""
    what = "Share of the Tile on which each model wins, at its own best threshold there"
    lines = [f"{what}: {listed_areas(points.shares(prior).items())}."]
    here = points.performances.common_prior() if prior is None else float(prior)
    if here is None or abs(here - float(reference)) > SAME_PRIOR:
        with suppress(DataError):  # a model without cases of one class cannot be shifted
            areas = listed_areas(points.shares(reference).items())
            lines.append(f"At the reference share ({inside(float(reference))}): {areas}.")
    return lines


def never_first(regions: Regions, names: Sequence[str], here: frozenset[str], *, weighted: bool = False) -> list[str]:
    """Say who comes first in ties only, or on a side of the Tile, and how many never do, or which one.

    ``weighted`` tells that performances are averages of several domains: with other weights others may come first. Of
    very many models only those with a region, and those that are first ``here``, are known to come first.
    """
    n = len(names)
    inside = {name for region in regions for name in region.names} | here
    known = n <= MOST_COMPARED
    everywhere = regions.everywhere() if known and len(inside) < n else inside
    rarely = sorted(everywhere - inside)
    lines = []
    if rarely:
        verb = "comes" if len(rarely) == 1 else "come"
        start = "With these weights, " if weighted else ""
        lines.append(f"{start}{joined(rarely, n)} {verb} first only in ties or where an outcome does not count.")
    but = "" if known else ", except perhaps in ties or where an outcome does not count"
    never = [name for name in names if name not in inside and name not in rarely]
    start = "With these weights," if weighted else "On these data"
    if len(never) == 1:
        lines.append(f"{start} {label(never[0])} never comes first{but}.")
    elif never:
        lines.append(f"{start} the other {spelled(len(never))} never come first{but}.")
    return lines
