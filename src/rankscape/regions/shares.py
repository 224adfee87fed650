"""The prior at which shares of the Tile are shown beside those of the data."""

from fractions import Fraction

from ..checks import checked_prior
from ..checks.numbers import is_number, meant
from ..errors import Option, UsageError
from ..typing import PriorLike

REFERENCE = Fraction(1, 2)
"""That of all who choose none."""


def checked_reference(prior: PriorLike) -> Fraction:
    """Return a prior inside (0, 1) as the number that is meant: 0.2 is 1/5.

    >>> str(checked_reference(0.2))
    '1/5'
    """
    if is_number(prior) and not 0 < prior < 1:
        raise UsageError(
            [Option("reference_prior", python="a reference prior"), " must lie inside (0, 1)"], got=f"{prior!s:.80}"
        )
    checked_prior(prior, "a reference prior")
    return meant(prior)
