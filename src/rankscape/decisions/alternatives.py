"""What else one could do, compared with the decision, and whether what is in use stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import NamedTuple

from ..performances import Performances, concat
from ..texts import exact
from ..typing import Number
from .cells import Cells
from .certainty import DrawnCosts
from .choice import CONSTANTS, PROCEDURE, Chosen, called_inside, counted_inside
from .folding import Folded, judged
from .record import Alternative, Kind
from .sweeps import Sweeps
from .thresholds import checked_threshold


class Other(NamedTuple):
    """What else one could do: a model (None for none) at a threshold."""

    name: str
    kind: Kind
    entity: str | None
    threshold: float


Drawn = Callable[[Performances], DrawnCosts]


def alternatives_of(
    sweeps: Sweeps, what: Chosen, thresholds: list[float], current: Number | Mapping[str, Number] | None
) -> list[Other]:
    """Return what else one could do."""
    chosen = sweeps.names[what.best]
    others: list[Other] = []
    if current is not None:
        given = current if isinstance(current, Mapping) else {chosen: current}
        for name, given_one in given.items():
            sweeps.cells(name)
            threshold = checked_threshold(given_one, name)
            others.append(Other(f"{name} at {exact(threshold)}, in use", "in use", name, threshold))
    cells = sweeps.cells(chosen)
    in_unit = cells.thresholds[-1] >= 0 and cells.thresholds[0] <= 1
    if in_unit and all((one.entity, one.threshold) != (chosen, 0.5) for one in others):
        others.append(Other(f"{chosen} at 0.5", "at 0.5", chosen, 0.5))
    if len(what.order) > 1 and what.constant is None:
        following = sweeps.names[what.order[1]]
        others.append(Other(f"{following}, the next model", "next model", following, thresholds[what.order[1]]))
    for place, (name, threshold) in enumerate(zip(CONSTANTS, (inf, -inf), strict=True)):
        if place != what.constant:
            others.append(Other(name, "constant", None, threshold))
    return others


class Comparison(NamedTuple):
    """What decisions are compared on: the data, and what was chosen on them; ``drawn`` gives the costs of several.

    ``chance`` is by how much the mean over divisions into folds differs from the cost of the present one.
    """

    sweeps: Sweeps
    cases: Folded
    what: Chosen
    drawn: Drawn
    chance: float = 0.0

    def beside(self, other: Other, kept: Other | None) -> DrawnCosts:
        """Return the costs of what is kept, or of the choice made inside the folds, and of a model at one threshold."""
        return self.drawn(self._both(other, kept)).moved({PROCEDURE: self.chance})

    def alone(self, one: Other) -> Performances:
        """Return the performance of a model at one threshold."""
        cells = self._cells(one)
        called = cells.thresholds[cells.place] >= one.threshold
        return judged([cells], [called], [one.name], self.cases.domains, False)

    def _both(self, other: Other, kept: Other | None) -> Performances:
        cases, what, cells = self.cases, self.what, self._cells(other)
        first = cases.models[0].cells if kept is None else self._cells(kept)
        if not (cases.paired and cells.single and first.single):
            inside = counted_inside(cases, what.places, what.inside) if kept is None else self.alone(kept)
            return concat([inside, self.alone(other)])
        if kept is None:
            before = called_inside(cases, what.places, what.inside)
        else:
            before = first.thresholds[first.place] >= kept.threshold
        names = [PROCEDURE if kept is None else kept.name, other.name]
        both = [before, cells.thresholds[cells.place] >= other.threshold]
        return judged([first, cells], both, names, cases.domains, paired=True)

    def _cells(self, one: Other) -> Cells:
        return self.sweeps.models[0] if one.entity is None else self.sweeps.cells(one.entity)


def compared(
    on: Comparison, others: Sequence[Other], spread: DrawnCosts, best: str, new: Other
) -> tuple[Other | None, list[Alternative]]:
    """Return what is kept, or None, and the alternatives, compared with the decision.

    What is in use stays where it costs less in expectation than the choice made inside the folds, the ``new`` one, by
    the comparison that is stated; of several in use, the cheapest. All alternatives are then compared with it. The next
    model alone is compared with the cheapest one, both at their own thresholds.
    """
    columns = {other: on.beside(other, None) for other in others if other.kind != "next model"}
    in_use = [other for other in columns if other.kind == "in use"]
    cheaper = [one for one in in_use if columns[one].cost(one.name) < columns[one].cost(PROCEDURE)]
    kept = min(cheaper, key=lambda one: columns[one].cost(one.name), default=None)
    out = []
    for other in others:
        if other.kind == "next model":
            out.append(_against(other, spread, best, str(other.entity), sure=False))  # P(cheapest) says it of models
        elif kept is None:
            out.append(_against(other, columns[other], PROCEDURE, other.name))
        elif other == kept:
            out.append(_against(new, columns[kept], kept.name, PROCEDURE))
        else:
            out.append(_against(other, on.beside(other, kept), kept.name, other.name))
    return kept, out


def _against(other: Other, columns: DrawnCosts, here: str, there: str, sure: bool = True) -> Alternative:
    """Return an alternative, compared with the decision ``here``."""
    saved, interval = columns.saved(here, there)
    p_cheaper = columns.p_cheaper(here, there) if sure else None
    return Alternative(*other, columns.cost(there), columns.cost(here), saved, interval, p_cheaper)
