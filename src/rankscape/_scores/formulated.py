"""What is written down of a score: its names, formula, domain, direction and importance. Proofs need no more."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from .._costs import Costs
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
    place_nodes: tuple[Node, Node] | None = None  # of p = π₊ and q = π₋, at fixed priors
    rate_nodes: tuple[Node, Node] | None = None  # of t = τ₊, at fixed prediction rates
    known: bool = False  # from the catalogue, whose rows say all that holds
    caution: Callable[[Performances], str | None] | None = None  # why not to rank these performances by it
    exactly: Callable[[Performances], Ratio | None] | None = None  # exact ratios, where the formula would be too long
    proved: bool | None = None  # of an expression: whether it is proved to be sound on all performances
    why_undefined: Callable[[Floats], str | None] | None = None  # in short, of one measure
    costs: Costs | None = None  # of which it is the ranking score

    @property
    def constant(self) -> bool:
        """Whether all outcomes that matter are equally satisfying, so that the score is the same for every entity."""
        if self.orders_as is None or self.space.satisfaction is None:
            return bool(self.proved) and self.orders_as is None
        return len({s for s, w in zip(self.space.satisfaction, self.orders_as, strict=True) if w}) == 1

    def nodes_at(self, fixed: str | None) -> tuple[Node, Node] | None:
        """Return the formulas of the place where the "prior", or the "rate", is fixed; None where there are none."""
        return self.place_nodes if fixed == "prior" else self.rate_nodes if fixed == "rate" else None

    def place_at(self, fixed: str, share: Fraction) -> tuple[Fraction, Fraction] | None:
        """Return the place that these formulas give at a share; None where a class, or a prediction, is absent."""
        shares = {"p": share, "q": 1 - share} if fixed == "prior" else {"t": share}
        values = {name: Ratio.constant(value) for name, value in (*shares.items(), *self.parameters.items())}
        a, b = (evaluate(node, values).as_fraction() for node in self.nodes_at(fixed) or ())
        return None if a is None or b is None or share in (0, 1) else (a, b)
