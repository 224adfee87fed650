"""Who is first, how long that lasts, and who can ever be first, in sentences."""

from math import inf
from typing import TYPE_CHECKING

from ..geometry.curves import odds
from ..outcomes import TWO_CLASS
from ..tables import Table
from ..texts import label, percent
from .leaderboard import full_name

if TYPE_CHECKING:
    from ..performances import Performances
    from ..regions import Flip, Flips

MOST_LISTED = 6


def rate(x: float) -> str:
    """Return an exchange rate with three digits."""
    return "∞" if x == inf else f"{x:.3g}"


def stays(interval: tuple[float, float], here: float, one: str, others: str) -> str:
    """Say in which interval of an exchange rate the answer stays."""
    low, high = (odds(x) for x in interval)
    if low == high:
        return f"Stays first only while {one} is worth exactly {rate(here)} {others}"
    if low == 0 and high == inf:
        return f"Stays first however many {others} {one} is worth (here {rate(here)})"
    worth = f"{rate(low)} to {rate(high)}" if low > 0 and high < inf else f"at most {rate(high)}"
    worth = f"at least {rate(low)}" if high == inf else worth
    return f"Stays first while {one} is worth {worth} {others} (here {rate(here)})"


def answer(found: "Flips", data: "Performances") -> str:
    """Say who is first and how long that lasts."""
    who = " = ".join(map(label, sorted(found.first)[:MOST_LISTED]))
    verb = "are tied for first" if len(found.first) > 1 else "is first"
    lines = [
        f"{who} {verb} by {full_name(found.score)}{f', among {len(data)}' if len(data) > 1 else ''}",
        stays(found.along_b, odds(found.b), "a miss", "false alarms"),
        stays(found.along_a, odds(found.a), "a detection", "correct rejections"),
    ]
    if found.beta and found.beta != (0.0, inf) and found.beta[0] < found.beta[1]:
        lines[1] += ", for every β from {} to {}".format(*map(rate, found.beta or ()))
    both = "The exchange rate" if found.a in (0, 1) or found.b in (0, 1) else "Both exchange rates"
    at_a_corner = found.a in (0, 1) and found.b in (0, 1)  # where a factor changes nothing
    if found.factor > 1 and not at_a_corner:
        factor = "any factor" if found.factor == inf else f"a factor of {found.factor:.3g}"
        lines.append(f"{both} may be off by {factor}, up or down")
    return "\n".join(lines)


def readable(found: "Flips") -> Table:
    """Return the nearest changes as they are read."""
    places = {_shown(flip) for flip in found.flips if flip.direction != "nearest"}
    shown = [flip for flip in found.flips if flip.direction != "nearest" or _shown(flip) not in places]
    return Table(
        {
            "nearest change": [flip.direction for flip in shown],
            "false alarms per miss": [rate(flip.miss) for flip in shown],
            "correct rejections per detection": [rate(flip.detection) for flip in shown],
            "first beyond": [" = ".join(map(label, flip.names[:MOST_LISTED])) for flip in shown],
        }
    )


def _shown(flip: "Flip") -> tuple[str, ...]:
    return rate(flip.miss), rate(flip.detection), *flip.names


def beyond(data: "Performances", here: frozenset[str]) -> str:
    """Say who can ever be first, besides those who are ``here``, and where nobody has skill."""
    from ..regions import first, without_skill

    found = first(data)
    shares = [f"{' = '.join(map(label, r.names[:MOST_LISTED]))} {percent(r.area)}" for r in found]
    more = f" and {len(shares) - MOST_LISTED} more" if len(shares) > MOST_LISTED else ""
    names = {name for region in found for name in region.names} | here
    lines = [f"First for some preference: {', '.join(shares[:MOST_LISTED])}{more} (shares of the Tile)"]
    others = len(data) - len(names)
    if others:
        lines.append(f"The other {others if others > 1 else 'one'} can be dropped: never first inside the Tile")
    poor = without_skill(data)
    if poor is None and data.space == TWO_CLASS:  # others have no priors
        low, high = data.priors.min(), data.priors.max()
        lines.append(f"Shares of positives differ between entities ({low:.3g} to {high:.3g})")
    elif poor:
        lines.append(f"On {percent(poor)} of the Tile nobody beats always answering the same class")
    return "\n".join(lines)
