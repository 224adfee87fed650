"""Terms: the meaning of labels and names, once all of a table are known; texts that read as numbers are numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..checks.names import domain_parts, domain_text
from ..results import without_guard
from .codes import Group, plain_name, plain_value, values_of_labels


@dataclass(frozen=True)
class Terms:
    """What is meant by the cells of a table of predictions; ``labels`` of a table of text, else None.

    ``levels`` tells whether domains have several parts, which are joined as :func:`domain_text` does.
    """

    labels: Mapping[str, Any] | None
    levels: bool = False

    @classmethod
    def of(cls, groups: Sequence[Group], *, texts: bool, scored: bool, levels: bool = False) -> Terms:
        """Return the terms of a table with these groups."""
        if not texts:
            return cls(None, levels)
        cells = [group.truth for group in groups] + ([] if scored else [group.predicted for group in groups])
        return cls(values_of_labels(cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()), levels)

    def label(self, raw: Any) -> Any:
        """Return the value of a label."""
        if self.labels is None or not isinstance(raw, str):
            return plain_value(raw)
        value = self.labels.get(raw.strip(), raw.strip())
        return None if value == "" else value

    def name(self, raw: Any) -> Any:
        """Return the name of an entity, a fold or a cluster, None where it is missing or blank."""
        name = plain_name(raw)
        return without_guard(name.strip()) if self.labels is not None and isinstance(name, str) else name

    def domain(self, raw: Any) -> Any:
        """Return the name of a domain, None where it, or a part of it, is missing or blank."""
        if not self.levels or not isinstance(raw, str):
            return self.name(raw)
        parts = [self.name(part) for part in domain_parts(raw)]
        return None if None in parts else domain_text(parts)

    def group(self, raw: Group) -> Group:
        """Return a group in these terms."""
        return raw._replace(
            domain=_place(raw.domain, self.domain),
            entity=self.name(raw.entity),
            truth=self.label(raw.truth),
            predicted=self.label(raw.predicted),
            fold=_place(raw.fold, self.name),
        )


def _place(raw: Any, name: Callable[[Any], Any]) -> Any:
    """Return the name of a domain or a fold, the empty text where no column has them."""
    return "" if isinstance(raw, str) and raw == "" else name(raw)
