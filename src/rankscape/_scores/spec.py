"""What the catalogue says about one score."""

from dataclasses import dataclass

from ..typing import Direction

Expression = str | int
Importance = tuple[Expression, Expression, Expression, Expression]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a family of scores, with the interval of its values; ``below``: the upper end is left out.

    ``letter`` stands for it in the name and the symbol of the family.
    """

    name: str
    letter: str
    low: float
    high: float
    default: str | None = None
    below: bool = False


@dataclass(frozen=True, kw_only=True)
class ScoreSpec:
    """One row of the catalogue: plain data, all texts in the grammar of ``expressions.py``.

    ``importance`` is given where the score *is* the ranking score R_I; ``orders_as`` where it is a strictly monotone
    function of one (increasing, or decreasing if ``direction`` is "smaller"); ``place`` where that is so only for fixed
    priors: (a, b) in terms of p = π₊ and q = π₋; ``rate_place`` where it is so for fixed prediction rates: (a, b) in
    terms of t = τ₊. ``order`` is a rational formula that orders as the score does.
    """

    key: str
    name: str
    symbol: str
    formula: str
    low: float = 0
    high: float = 1
    direction: Direction | None = "larger"
    aliases: tuple[str, ...] = ()
    importance: Importance | None = None
    orders_as: Importance | None = None
    place: tuple[Expression, Expression] | None = None
    rate_place: tuple[Expression, Expression] | None = None
    order: str | None = None
    domain: str = "all performances"
    source: str = ""
    parameters: tuple[Parameter, ...] = ()
    note: str = ""
