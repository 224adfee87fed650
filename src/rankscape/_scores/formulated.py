"""What is written down of a score: its names, formula, domain, direction and importance. Proofs need no more."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from ..outcomes import TWO_CLASS, SampleSpace
from ..performances import Performances
from ..typing import Direction, Floats
from .expressions import Node, evaluate
from .ratios import Ratio


@dataclass(frozen=True, eq=False, repr=False)
class Formulated:
    """The fields of a :class:`rankscape.Score`."""

    key: str
    name: str
    symbol: str
    formula: str
    domain: str = "no denominator is 0"
    low: float = -np.inf
    high: float = np.inf
    direction: Direction | None = "larger"
    aliases: tuple[str, ...] = ()
    importance: tuple[Fraction, ...] | None = None
    source: str = ""
    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    note: str = ""
    space: SampleSpace = TWO_CLASS
    node: Node | None = None  # the formula, names of other scores resolved
    order_node: Node | None = None  # a rational formula that orders alike
    function: Callable[[Performances], ArrayLike] | None = None  # where there is no formula
    orders_as: tuple[Fraction, ...] | None = None
    place_nodes: tuple[Node, Node] | None = None
    known: bool = False  # from the catalogue, whose rows say all that holds
    caution: Callable[[Performances], str | None] | None = None  # why not to rank these performances by it
    exactly: Callable[[Performances], Ratio | None] | None = None  # exact ratios, where the formula would be too long
    proved: bool | None = None  # of an expression: whether it is proved to be sound on all performances
    why_undefined: Callable[[Floats], str | None] | None = None  # in short, of one measure

    @property
    def constant(self) -> bool:
        """Whether all outcomes that matter are equally satisfying, so that the score is the same for every entity."""
        if self.orders_as is None or self.space.satisfaction is None:
            return bool(self.proved) and self.orders_as is None
        return len({s for s, w in zip(self.space.satisfaction, self.orders_as, strict=True) if w}) == 1

    def place_at(self, prior: Fraction) -> tuple[Fraction, Fraction] | None:
        """Return the place on the Tile that ``place_nodes`` give at a prior; None where a class is absent."""
        values = {"p": Ratio.constant(prior), "q": Ratio.constant(1 - prior)}
        values |= {name: Ratio.constant(value) for name, value in self.parameters.items()}
        a, b = (evaluate(node, values).as_fraction() for node in self.place_nodes or ())
        return None if a is None or b is None or prior in (0, 1) else (a, b)
