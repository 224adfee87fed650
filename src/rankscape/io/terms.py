"""Terms: the meaning of labels and names, once all of a table are known; texts that read as numbers are numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..results import without_guard
from .codes import Group, plain_name, plain_value, values_of_labels


@dataclass(frozen=True)
class Terms:
    """What is meant by the cells of a table of predictions; ``labels`` of a table of text, else None."""

    labels: Mapping[str, Any] | None

    @classmethod
    def of(cls, groups: Sequence[Group], *, texts: bool, scored: bool) -> Terms:
        """Return the terms of a table with these groups."""
        if not texts:
            return cls(None)
        cells = [group.truth for group in groups] + ([] if scored else [group.predicted for group in groups])
        return cls(values_of_labels(cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()))

    def label(self, raw: Any) -> Any:
        """Return the value of a label."""
        if self.labels is None or not isinstance(raw, str):
            return plain_value(raw)
        value = self.labels.get(raw.strip(), raw.strip())
        return None if value == "" else value

    def name(self, raw: Any) -> Any:
        """Return the name of an entity, a domain or a cluster, None where it is missing or blank."""
        name = plain_name(raw)
        return without_guard(name.strip()) if self.labels is not None and isinstance(name, str) else name

    def group(self, raw: Group) -> Group:
        """Return a group in these terms."""
        return raw._replace(
            domain=self._place(raw.domain),
            entity=self.name(raw.entity),
            truth=self.label(raw.truth),
            predicted=self.label(raw.predicted),
            fold=self._place(raw.fold),
        )

    def _place(self, raw: Any) -> Any:
        """Return the name of a domain or a fold, the empty text where no column has them."""
        return "" if isinstance(raw, str) and raw == "" else self.name(raw)
