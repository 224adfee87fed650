"""Who comes first for which weights of the domains, in the words and tables of commands and cards."""

from fractions import Fraction

from ..domains import WeightFlip, Weightings
from ..domains.weightings import limits
from ..results import Table
from ..texts import label, tied

MOST_LISTED = 6


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
