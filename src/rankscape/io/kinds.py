"""Kinds of cases in a table of predictions: what all entities do on the same cases, and how often."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arrays import Integers
from ..performances import Joint, Performances, Units
from ..tasks.classes import class_text
from .cases import CaseTable, Classes, Columns
from .groups import Tally
from .terms import Terms

Kinds = list[tuple[str, Any, Integers, int]]
"""Per kind of cases its domain, its cluster, the outcomes of all entities, and how many cases there are."""

FEW_KINDS = 100_000
"""Tables that may have more kinds of cases than this are not asked for them where nobody needs them yet."""


def kinds_of_table(
    table: CaseTable, columns: Sequence[Columns], seen: Tally, terms: Terms, P: Performances, cluster: str | None
) -> Kinds:
    """Return the kinds of cases of the entities of ``P``, in their order."""
    entities = list(dict.fromkeys(P.names))
    row = {name: i for i, name in enumerate(entities)}
    raw = table.kinds(columns, cluster, classes_of(seen, terms), lambda name: row.get(str(terms.name(name))))
    names = [one.prediction for one in columns]
    several = columns[0].entity is None
    order = [names.index(name) for name in entities] if several else list(range(len(entities)))
    nowhere = columns[0].domain is None
    return [
        ("" if nowhere else str(terms.domain(kind.domain)), terms.name(kind.unit), kind.outcomes[order], kind.size)
        for kind in raw
    ]


def joint_of_table(table: CaseTable, columns: Sequence[Columns], seen: Tally, terms: Terms) -> Joint | None:
    """Return the joint kinds of cases of a table that was counted; None where entities lack domains."""
    P = seen.performances
    domains = dict.fromkeys(P.domains or [""])
    if len(P) < len(domains) * len(set(P.names)):
        return None
    here: dict[str, list[tuple[Any, Integers, int]]] = {place: [] for place in domains}
    for place, *kind in kinds_of_table(table, columns, seen, terms, P, None):
        here[place].append((kind[0], kind[1], kind[2]))
    return Joint(P, tuple(units_of_kinds(kinds, clustered=False) for kinds in here.values()), clustered=False)


def classes_of(seen: Tally, terms: Terms) -> Classes:
    """Return where labels stand among the classes of the performances counted."""
    labels = seen.performances.space.labels
    if not labels:
        return Classes(lambda label: int(terms.label(label) == seen.positive), 2)
    at = {label: i for i, label in enumerate(labels)}
    return Classes(lambda label: at[class_text(terms.label(label))], len(labels))


def units_of_kinds(kinds: Sequence[tuple[Any, Integers, int]], clustered: bool) -> Units:
    """Return the kinds of cases in the order of their outcomes, within clusters in the order of their names."""
    together: dict[tuple[str, tuple[int, ...]], int] = {}
    for cluster, codes, size in kinds:  # labels of several types may be one kind
        key = (str(cluster) if clustered else "", tuple(codes.tolist()))
        together[key] = together.get(key, 0) + size
    ordered = sorted(together.items())
    codes = np.array([key for (_, key), _ in ordered])
    sizes = np.array([number for _, number in ordered])
    index = np.unique([name for (name, _), _ in ordered], return_inverse=True)[1].ravel() if clustered else None
    return Units(codes, sizes, index)
