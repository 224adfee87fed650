"""Rows of scores that were read and checked: what each says, which of them count, and which are of one case."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import EXACT, Flags, Integers
from ..checks import checked_weights
from ..checks.labels import checked_scores
from ..checks.numbers import LARGEST_LABEL
from ..texts import counted
from .cases import Columns
from .coded import CodedCases, Column, combined
from .codes import name_order, plain_value
from .groups import Tally
from .terms import Terms

Names = tuple[str, ...]


class Facts(NamedTuple):
    """What rows (m,) say: whether they count, whether the truth is positive, and places among names.

    ``domains`` and ``folds`` are None where no column has them; then all places are 0, and so are those of entities.
    """

    known: Flags
    truth: Flags
    entities: Names | None
    entity: Integers
    domains: Names | None
    domain: Integers
    folds: Names | None
    fold: Integers


def facts_of(rows: CodedCases, columns: Sequence[Columns], tally: Tally, terms: Terms) -> Facts:
    """Return what rows say once they were counted: those that are left out there do not count here."""
    first = columns[0]
    truths = rows.columns[first.truth]
    labels = [terms.label(value) for value in truths.values]
    strange = [label is None or (tally.known is not None and label not in tally.known) for label in labels]
    known = ~_of_rows(truths, strange, True)
    for one in columns:
        known &= rows.columns[one.prediction].codes >= 0
    named = [rows.columns[header] if header else None for header in (first.entity, first.domain, first.fold)]
    naming = (terms.name, terms.domain, terms.name)
    names = [
        None if column is None else [name(value) for value in column.values]
        for column, name in zip(named, naming, strict=True)
    ]
    for column, values in zip(named, names, strict=True):
        if column is not None and values is not None:
            known &= ~_of_rows(column, [value is None for value in values], True)
    known_places = [
        (None, np.zeros(rows.records, dtype=np.int64))
        if column is None or values is None
        else places(values, np.where(known, column.codes, -1))
        for column, values in zip(named, names, strict=True)
    ]
    (entities, entity), (domains, domain), (folds, fold) = known_places
    truth = _of_rows(truths, [label == tally.positive for label in labels], False)
    return Facts(known, truth, entities, entity, domains, domain, folds, fold)


def _of_rows(column: Column, flags: Sequence[bool], absent: bool) -> Flags:
    """Return a flag for each row, from those of the values of a column."""
    return np.array([*flags, absent], dtype=bool)[column.codes]


def places(names: Sequence[Any], codes: Integers) -> tuple[Names, Integers]:
    """Return the names that codes use, as texts in order, and the place of each code among them, −1 for none.

    >>> places([10, 9, None, "9"], np.array([0, 1, 3, -1]))[0]
    ('9', '10')
    """
    used = set(np.unique(codes).tolist())
    there = [name for i, name in enumerate(names) if i in used and name is not None]
    texts = list(dict.fromkeys(map(str, sorted(there, key=name_order))))
    at = {text: place for place, text in enumerate(texts)}
    return tuple(texts), np.array([*(at.get(str(name), -1) for name in names), -1], dtype=np.int64)[codes]


def only_used(names: Names | None, codes: Integers, rows: Iterable[Integers]) -> tuple[Names | None, Integers]:
    """Return the names that some of the rows use, in their order, and the codes (m,) among them."""
    if names is None:
        return None, codes
    used = np.unique(np.concatenate([codes[part] for part in rows]))
    place = np.full(len(names) + 1, -1, dtype=np.int64)
    place[used] = np.arange(len(used))
    return tuple(names[i] for i in used.tolist()), place[codes]


def scores_of(rows: CodedCases, header: str, chosen: Integers) -> NDArray[Any]:
    """Return the scores of some rows, as integers and fractions where floats would merge some; −0 is 0."""
    column = rows.columns[header]
    values = np.array([*map(float, column.values)], dtype=np.float64)
    whole = any(isinstance(value, int) and EXACT < abs(value) < LARGEST_LABEL for value in column.values)
    if whole or len(np.unique(values)) < len(values):  # the values are distinct
        values = checked_scores(column.values)
    return (values if values.dtype == object else values + 0.0)[column.codes[chosen]]


def weights_of(rows: CodedCases, header: str | None, chosen: Integers) -> NDArray[Any] | None:
    """Return the weights of some rows, as integers where they are whole."""
    if header is None:
        return None
    column = rows.columns[header]
    values = np.empty(len(column.values), dtype=object)
    values[:] = column.values
    weights = checked_weights(values[column.codes[chosen]], len(chosen))
    return None if weights is None else weights.plain


def in_canonical_order(rows: CodedCases, columns: Sequence[Columns], facts: Facts, chosen: Integers) -> Integers:
    """Return rows in the order of domain, fold, truth, scores and weight: the same, however an engine gives them."""
    keys: list[NDArray[Any]] = [facts.domain[chosen], facts.fold[chosen], facts.truth[chosen]]
    keys += [scores_of(rows, one.prediction, chosen) for one in columns]
    weight = weights_of(rows, columns[0].weight, chosen)
    return chosen[np.lexsort((keys if weight is None else [*keys, weight])[::-1])]


# Cases


class Whole(NamedTuple):
    """Cases that are there once for every entity: their ``rows`` (cases, n), their names, and what others lack."""

    rows: Integers
    names: Names
    problems: tuple[str, ...]


def whole_cases(rows: CodedCases, columns: Columns, facts: Facts) -> Whole:
    """Return the cases that every entity has once, with one truth, fold and weight, by domain and name."""
    column = rows.columns[str(columns.case)]
    cases = list(map(plain_value, column.values))
    rank = np.full(len(cases) + 1, -1, dtype=np.int64)
    keys = (
        cases if set(map(type, cases)) == {int} else list(map(name_order, cases))
    )  # of numbers the order is that, too
    order = sorted(range(len(cases)), key=keys.__getitem__)
    rank[order] = np.arange(len(order))
    chosen = np.flatnonzero(facts.known & (column.codes >= 0))
    n = len(facts.entities or ("",))
    code, cells = combined([facts.domain[chosen], rank[column.codes[chosen]]])
    at = code * n + facts.entity[chosen]
    there = (np.bincount(at, minlength=len(cells) * n).reshape(len(cells), n) == 1).all(axis=1)
    table = chosen[np.argsort(at, kind="stable")[there[np.sort(code)]]].reshape(-1, n)
    whole = np.ones(len(table), dtype=bool)
    problems = []
    alike = {"truths": facts.truth, "folds": facts.fold}
    alike |= {} if columns.weight is None else {"weights": rows.columns[columns.weight].codes}
    for what, values in alike.items():
        torn = (values[table] != values[table][:, :1]).any(axis=1)
        if torn.any():
            problems.append(f"{counted(int(torn.sum()), 'case')} with several {what}")
        whole &= ~torn
    names = [str(cases[order[i]]) for i in cells[there][whole, 1].tolist()]
    return Whole(table[whole], tuple(names), tuple(problems))
