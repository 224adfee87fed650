"""Which entity is first, how long that lasts, and which ones ever come first, in sentences and tables."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from math import inf, sqrt
from typing import Any

from .._costs import Costs
from .._scores import Score
from ..domains import Prepared, WeightFlip, Weightings
from ..domains.weightings import limits
from ..errors import DataError, NoPlaceError, RankscapeError, UsageError, in_prose
from ..geometry.curves import odds
from ..lines import Line, fall
from ..ordering import reasons_of
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..regions import Flip, Flips, PriorFlips, Regions, first, prior_flips, without_skill
from ..regions.flips import FEWER
from ..results import Table
from ..texts import inside, joined, label, percent, spelled, tied
from .leaderboard import expense, full_name, names_by_reason

REFERENCE = Fraction(1, 2)
"""The prior at which shares of the Tile are shown beside those of the data."""

SAME_PRIOR = 1e-9
"""Priors that differ by less are one."""

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


def around(low: float, high: float, here: float) -> tuple[str, str, str]:
    """Return both ends, rounded towards the inside, and a share between, with digits that show what is where.

    >>> around(0.04118, 0.30999, 0.1), around(1 / 3, 0.3335, 0.33342)
    (('0.0412', '0.309', '0.1'), ('0.3334', '0.3335', '0.3334'))
    """
    least, most = ends_within(low, high, here)
    texts = (f"{here:.{digits}g}" for digits in range(3, 18))
    now = (text for text in texts if float(least) <= float(text) <= float(most) and float(text) < 1)
    return least, most, next(now, f"{here!r}")


def stays(
    interval: tuple[float, float],
    here: float,
    one: str,
    others: str,
    winner: str = "It stays",
    verb: str = "is worth",
) -> str:
    """Say in which interval of an exchange rate the answer stays; ``verb`` says what one is in terms of the others.

    >>> stays((1 / 3, inf), 1.0, "a miss", "false alarms")
    'It stays first while a miss is worth at least 0.334 false alarms (here 1)'
    """
    low, high = interval
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


Areas = Iterable[tuple[tuple[str, ...], float]]
"""Names, those that tie together, and their shares of the Tile."""


@dataclass(frozen=True)
class Kept:
    """For which costs of a miss, in false alarms, the first stays first, and who comes first beyond either end."""

    low: Fraction
    high: Fraction | float
    here: Fraction
    below: tuple[str, ...] = ()
    above: tuple[str, ...] = ()


def costs_that_keep(costs: Costs | None, data: Performances, first: Collection[str]) -> Kept | None:
    """Return for which ratios of the costs of a miss and a false alarm the first stays first; None without costs.

    Right answers are worth what they save, so both exchange rates move together, and the score is (tn + tp·r) / (N +
    P·r) at the ratio r. It is None where shares of positives differ, or a false alarm costs nothing.

    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> kept = costs_that_keep(Costs(miss=2), P, {"b"})
    >>> str(kept.low), kept.high, kept.here == 2, kept.below
    ('1/2', inf, True, ('a',))
    """
    if costs is None or not costs.importance[1] or data.common_prior() is None:
        return None
    _, negative, positive, _ = (Fraction(weight) for weight in costs.importance.tolist())
    here = positive / negative
    lines: list[Line] = [(tn, tp, tn + fp, fn + tp) for tn, fp, fn, tp in data.integers.tolist()]
    rows = [row for row, name in enumerate(data.names) if name in first]
    above, more = fall(lines, rows, here)
    below, fewer = fall([(e1, e0, u1, u0) for e0, e1, u0, u1 in lines], rows, 1 / here) if here else (None, [])
    return Kept(
        low=Fraction(0) if below is None or not below[0] else 1 / below[0], high=inf if above is None else above[0],
        here=here, below=tuple(data.names[row] for row in fewer), above=tuple(data.names[row] for row in more),
    )  # fmt: skip


def answer(changes: Flips, data: Performances, at_priors: PriorFlips | RankscapeError) -> str:
    """Say which entity is first and how long that lasts, also at other shares of positives."""
    winner = "They stay" if len(changes.first) > 1 else "It stays"
    costs, a, b = changes.score.costs, odds(changes.a), odds(changes.b)
    lines = [stays(changes.worth("miss"), b, "a miss", "false alarms", winner)]
    if not changes.side:
        lines.append(stays(changes.worth("detection"), a, "a detection", "correct rejections", winner))
    kept = costs_that_keep(costs, data, changes.first)
    if kept is not None:  # the costs move both exchange rates; each of these sentences moves one
        held = (
            f"detection held at {amount(rate(a), 'correct rejections')}",
            f"miss held at {amount(rate(b), 'false alarms')}",
        )
        lines = [f"With a {other}, {line[:1].lower()}{line[1:]}" for other, line in zip(held, lines, strict=False)]
    if changes.beta and changes.beta != (0.0, inf) and changes.beta[0] < changes.beta[1]:
        least, most = ends_within(*changes.beta, sqrt(b))
        lines[0] += f", for every β from {least} to {most}"
    if kept is not None:
        ends = float(kept.low), float(kept.high)
        sentence = stays(ends, float(kept.here), "a miss", "false alarms", winner, verb="costs")
        lines.insert(0, f"{sentence}; this changes what a miss and a detection are worth together")
    lines += [UNKNOWN] if changes.side else []
    price = expense(costs, data, changes.first, beside=True)
    parts = [
        first_by(changes.first, changes.score, len(data)),
        *(f"{line}." for line in lines),
        *_without_value(changes, data),
        stays_at_priors(at_priors, changes.first),
        margin_of_error(changes),
        price and f"{price}.",
    ]
    return "\n".join(filter(None, parts))


def first_by(first: Collection[str], score: Score, n: int) -> str:
    """Say who is first by a score, among how many."""
    verb = "are tied for first" if len(first) > 1 else "is first"
    among = f", among {n} models" if n > 1 else ""
    return f"{tied(sorted(first))} {verb} by {full_name(score)}{among}"


def _without_value(changes: Flips, data: Performances) -> list[str]:
    """Say whom a ranking by the score leaves out although its place on the Tile calls them first."""
    reasons = dict(zip(data.names, reasons_of(changes.score, data), strict=True))
    groups = names_by_reason({name: reason for name, reason in reasons.items() if name in changes.first})
    return [f"A ranking leaves {tied(names)} out: {reason}." for reason, names in groups.items()]


def margin_of_error(changes: Flips) -> str:
    """Say by which factor the exchange rates may be wrong; "" where that says nothing, as at a corner of the Tile.

    On a side of the Tile one outcome does not count: the factor is that of the other rate, and the answer may change
    as soon as that outcome counts.
    """
    on_side = [text for place, text in zip((changes.a, changes.b), DO_NOT_COUNT, strict=True) if place in (0, 1)]
    if not changes.factor > 1 or len(on_side) == 2:
        return ""
    same = "the winners stay the same" if len(changes.first) > 1 else "the winner stays the same"
    factor = "any factor" if changes.factor == inf else f"a factor of up to {at_most(changes.factor)}"
    if not on_side:
        return f"You may be wrong about both rates by {factor} and {same}."
    place, worth = (changes.a, "a miss") if changes.a in (0, 1) else (changes.b, "a detection")
    about = f"you may be wrong about the worth of {worth} by {factor} and {same}"
    return f"While {on_side[0][int(place)]} do not count, {about}."


def by_costs(changes: Flips, data: Performances) -> list[tuple[str, tuple[str, ...]]]:
    """Return which other costs of a miss, in false alarms, put others first, and who they are."""
    kept, rows = costs_that_keep(changes.score.costs, data, changes.first), list[tuple[str, tuple[str, ...]]]()
    if kept is not None:
        for less, end, names in (("less", kept.low, kept.below), ("more", kept.high, kept.above)):
            cost, here = amount(within(float(end), up=less == "less"), "false alarms"), rate(float(kept.here))
            rows += [(f"a miss costing {less} than {cost} (here {here})", names)] if names else []
    return rows


def by_rates(changes: Flips) -> list[tuple[str, tuple[str, ...]]]:
    """Return which other exchange rates, each by itself, put others first, and who they are."""
    return [(condition(flip), flip.names) for flip in changes.flips]


def condition(flip: Flip) -> str:
    """Return where another comes first, with the number up to which the first stays first.

    >>> condition(Flip("fewer correct rejections per detection", (Fraction(1, 2), Fraction(2, 3)), ()))
    'a detection worth less than 1 correct rejection'
    """
    less, one = ("less" if flip.direction.startswith("fewer") else "more"), flip.direction.rpartition(" ")[2]
    worth, others = (flip.miss, "false alarms") if one == "miss" else (flip.detection, "correct rejections")
    if worth == inf:
        return f"a {one} worth anything but infinitely many {others}"
    return f"a {one} worth {less} than {amount(within(worth, up=less == 'less'), others)}"


def readable(changes: Flips, data: Performances) -> Table:
    """Return the nearest changes as they are read; of costs, with what the others would cost now."""
    rows, costs = by_costs(changes, data) + by_rates(changes), changes.score.costs
    columns = {"nearest change": [row[0] for row in rows], "first beyond": [tied(row[1], MOST_LISTED) for row in rows]}
    if costs is not None:
        expected = dict(zip(data.names, costs.numbers(costs.expected(data)), strict=True))
        columns[f"now {costs.heading}"] = [expected[row[1][0]] for row in rows]
    return Table(columns)


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
    least, most, now = around(low, high, changes.prior)
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


def shares_of_tile(what: str, areas: Areas, at_reference: Callable[[], Areas], prior: float | None) -> list[str]:
    """Say on which share of the Tile each comes first: at the prior of the data, and at the reference prior."""
    lines = [f"{what}: {listed_areas(areas)}."]
    if prior is None or abs(prior - float(REFERENCE)) > SAME_PRIOR:
        known = "not known, because not every model has cases of both classes"
        with suppress(DataError):
            known = listed_areas(at_reference())
        lines.append(f"At the reference share ({float(REFERENCE)}): {known}.")
    return lines


def reference_shares(data: Performances, rank: int = 1, last: bool = False) -> dict[str, Any] | None:
    """Return the shares of the Tile at the reference prior for a JSON document; None where priors cannot be shifted."""
    if data.space != TWO_CLASS:
        return None
    with suppress(DataError):
        return {"prior": float(REFERENCE), "areas": first(data.shift_priors(REFERENCE), rank, last).areas}
    return None


def listed_areas(areas: Areas) -> str:
    """Return names, those that tie together, with their shares of the Tile.

    >>> listed_areas([(("a", "b"), 0.75), (("c",), 0.25)])
    'a = b 75.0 %, c 25.0 %'
    """
    return ", ".join(f"{tied(names)} {percent(area)}" for names, area in areas)


def areas_of(regions: Regions) -> Areas:
    """Return who is first in each region, and its share of the Tile."""
    return [(region.names, region.area) for region in regions]


def beyond(prepared: Prepared, here: frozenset[str]) -> str:
    """Say on which share of the Tile each model is first, which never are but ``here``, and where none has skill."""
    data, regions = prepared.performances, first(prepared.performances)
    what, two_class = "Share of the Tile on which each comes first", data.space == TWO_CLASS  # others have no priors
    if regions.side:
        what = "Share of the right side of the Tile, b from 0 (precision) to 1 (recall), on which each comes first"
    lines = [f"{what}: {listed_areas(areas_of(regions))}."]
    if two_class:
        prior = data.common_prior()
        whose = "the chosen share of positives" if prepared.shift_prior is not None else "the data's share of positives"
        what += ", each with its own share of positives" if prior is None else f" at {whose} ({inside(prior)})"

        def at_reference() -> Any:
            return areas_of(first(data.shift_priors(REFERENCE)))

        lines = shares_of_tile(what, areas_of(regions), at_reference, prior)
    weighted = len(prepared.domains) > 1 and not prepared.only_pooled
    lines += never_first(regions, data.names, here, weighted=weighted)
    poor = without_skill(data)
    if poor is None and two_class:
        low, high = data.priors.min(), data.priors.max()
        lines.append(f"The share of positives differs between models ({low:.3g} to {high:.3g}).")
    elif poor:
        lines.append(f"On {percent(poor)} of the Tile no model beats always answering the same class.")
    return "\n".join(lines)


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


def about_weights(result: Weightings | None) -> list[str]:
    """Return the sentences; none without a result."""
    return [] if result is None else [f"{sentence}." for sentence in result.sentences()]


def readable_changes(result: Weightings, most: int | None = None) -> Table:
    """Return the changes of one weight as they are read, the smallest first: those that put another entity first."""
    flips = [flip for flip in result.flips if flip.below or flip.above][:most]
    return Table(
        {
            f"weight of the {result.noun}": [label(flip.domain) for flip in flips],
            "now": [_end(flip, flip.weight) for flip in flips],
            "at least": [_end(flip, flip.ends[0]) if flip.below else "" for flip in flips],
            "at most": [_end(flip, flip.ends[1]) if flip.above else "" for flip in flips],
            "first below": [tied(flip.below, MOST_LISTED) for flip in flips],
            "first above": [tied(flip.above, MOST_LISTED) for flip in flips],
        }
    )


RIGHT_OF_WEIGHTS = ("now", "at least", "at most")
"""The columns of :func:`readable_changes` that are aligned to the right."""


def _end(flip: WeightFlip, end: Fraction) -> str:
    """Return a weight in percent; an end is rounded towards the present weight."""
    limit, now = limits(end, flip.weight)
    return now if end == flip.weight else limit


def compared(t: Any, quantile: float | None = None) -> Table:
    """Return the scores between both ends of a :class:`rankscape.Tradeoff` as they are read."""
    table, (first, second) = t.compare(quantile), t.ends
    places = {"β": "beta"} if t.segment.is_f_beta else {"a": "a", "b": "b"}
    numbers = places | {f"τ with {first}": "tau_first", f"τ with {second}": "tau_second"}
    columns = {"rank by": table["score"]} | {name: list(map(_short, table[column])) for name, column in numbers.items()}
    return Table(columns | {"degree of optimality": ["" if x != x else percent(x) for x in table["optimality"]]})


def _short(x: float) -> str:
    """Return a number with three digits at least; "" where it is undefined."""
    return "∞" if x == inf else "" if x != x else f"{x:.3f}" if x >= 0.1 or x <= 0 else f"{x:.3g}"
