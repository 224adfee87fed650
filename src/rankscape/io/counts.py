"""Tables of counts or probabilities, one row per entity: the format of rankscape itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import chain
from typing import Any

import numpy as np

from ..errors import DataError, Option, Place
from ..outcomes import TWO_CLASS, SampleSpace
from ..performances import Performances
from ..results import without_guard
from ..tasks.table import task_of
from ..texts import listed
from .cells import integers_of_decimals, missing, numbers
from .codes import plain_value
from .content import Content, How
from .headers import JOINED, UNNAMED, columns_in, matters, naming_column, plain, refuse_classes, role
from .sheets import Sheet, quoted
from .tables import joined_sheet, table_of
from .totals import fractional_means


def read_counts(content: Content, how: How) -> Performances:
    """Return the performances in a table of counts or probabilities; raise DataError for the cell in the way."""
    levels = how.domain or _levels(content.headers)
    sheet = table_of(content.given, how.entity, levels, matters)
    return _read(sheet, how, JOINED if len(levels) > 1 else levels[0] if levels else None)


def read_sheet(sheet: Sheet, how: How) -> Performances:
    """Return the performances in a sheet of counts or probabilities that a reader has made of something else."""
    if len(how.domain) > 1:
        return _read(joined_sheet(sheet, how.domain), how, JOINED)
    return _read(sheet, how, how.domain[0] if how.domain else None)


def accounted(P: Performances, headers: Sequence[str], columns: Mapping[str, int], how: How) -> Performances:
    """Return performances whose account says which columns of their table name models and domains, and which nothing.

    A numbered index is no column; of all others those that are not used are named, texts or not.
    """
    used = {headers[place]: kind for kind, place in columns.items()}
    name = next((header for header, kind in used.items() if kind == "entity"), "")
    if how.entity is None and role(name) != "entity" and _of_classes(P):
        refuse_classes(name)
    levels = how.domain or _levels(headers)
    named = {kind: header for header, kind in used.items() if kind in ("entity", "domain") and header != ""}
    roles = {kind: (header,) for kind, header in named.items()} | ({"domain": tuple(levels)} if levels[1:] else {})
    rest = (header for header in headers if header not in {*used, *levels, "", JOINED})
    records = P.account.records if P.account is not None and P.account.records else len(P)
    return P.noting(columns=roles, unused=[header for header in rest if not matters(header)], records=records)


def _read(sheet: Sheet, how: How, domain: str | None) -> Performances:
    entity = how.entity
    space, columns = columns_in(sheet, entity, domain)
    if not sheet.rows:
        raise sheet.error("there is no row", expected="one per entity below the header")
    if entity is None and "entity" in columns and is_numbered(sheet, columns["entity"]):
        del columns["entity"]  # the index of a data frame, beside which another column may hold the names
    if "entity" not in columns and (naming := naming_column(sheet, columns)) is not None:
        columns["entity"] = naming
    names, domains = (
        names_in(sheet, columns[kind], kind) if kind in columns else None for kind in ("entity", "domain")
    )
    if names is None and how.name is not None:
        names = [how.name] * len(sheet.rows)
    if names is not None and len({*names}) < len(names):
        _refuse_repeated(sheet, columns, list(zip(domains or [""] * len(names), names, strict=True)))
    called = names or [f"P{i + 1}" for i in range(len(sheet.rows))]
    made = [key for key in task_of(space).columns if {*key} <= {*columns}]  # such as correct and total
    counted = made[0] if made else space.outcomes
    places = [columns[name] for name in counted]
    values: Any = numbers(sheet, places, called)
    counts = values if isinstance(values, np.ndarray) else None
    if counts is None and not made and (means := fractional_means(values, called, domains)):
        kept = [i for i in range(len(sheet.rows)) if i not in means]
        lines = [sheet.lines[i] for i in kept] if sheet.lines else ()
        rest = _read(replace(sheet, rows=[sheet.rows[i] for i in kept], lines=lines), how, domain)
        return rest.noting(left_out=Counter(means.values()), records=len(sheet.rows))
    try:
        if made:
            rows = values if counts is None else counts.tolist()
            P = task_of(space).columns[counted](*zip(*rows, strict=True), names=names, domains=domains)
            return _audited(P, sheet, columns, how)
        if counts is None and {int}.issuperset(map(type, chain.from_iterable(values))):
            counts = np.array(values, dtype=object)
        if counts is not None:
            P = Performances.from_counts(counts, names=names, domains=domains, space=space)
            return _audited(P, sheet, columns, how)
        mass = np.fromiter(map(float, chain.from_iterable(values)), dtype=np.float64).reshape(len(values), -1)
        _refuse_sums(values, mass.sum(axis=1).tolist(), called, how.tolerance, space)
        P = Performances.from_probabilities(mass, names=names, domains=domains, space=space, tolerance=how.tolerance)
        return _audited(replace(P, exact=integers_of_decimals(values)), sheet, columns, how)
    except DataError as error:
        raise error.located(sheet.where, sheet.line(error.where.row)) from None


def _audited(P: Performances, sheet: Sheet, columns: Mapping[str, int], how: How) -> Performances:
    """Return performances with their account, after a look at the columns beside the counts, where there are some."""
    P = accounted(P.noting(*sheet.notes), sheet.headers, columns, how)
    if not any(matters(header) for i, header in enumerate(sheet.headers) if i not in columns.values()):
        return P
    audit: Any = import_module(".audited", __package__)  # which few tables need
    audited: Performances = audit.audited(P, sheet, columns, how.unanswered)
    return audited


def _of_classes(P: Performances) -> bool:
    """Tell whether rows are of the classes of one model: each case is positive, and predicted so, in one row.

    >>> _of_classes(Performances.from_counts([[4, 1, 1, 3], [5, 2, 1, 1], [5, 1, 2, 1]]))
    True
    """
    if P.space != TWO_CLASS or P.counts is None or P.domains is not None or len(P) < 3:
        return False
    tn, fp, fn, tp = P.counts.T
    return {*(tn + fp + fn + tp).tolist()} == {int((fn + tp).sum())} == {int((fp + tp).sum())}


def _levels(headers: Sequence[str]) -> tuple[str, ...]:
    """Return the headers of a hierarchy of domains that is well known: the categories and videos of CDnet."""
    by_name = {plain(header): header for header in headers}
    return (by_name["category"], by_name["video"]) if {"category", "video"} <= {*by_name} else ()


# Names and sums


def is_numbered(sheet: Sheet, column: int) -> bool:
    """Tell whether a column is the index of a data frame that numbers its rows."""
    return sheet.headers[column] in UNNAMED and all(str(row[column]).strip().isdigit() for row in sheet.rows)


def names_in(sheet: Sheet, column: int, kind: str) -> list[str]:
    """Return the names of entities or domains in a column, of which none may be missing."""
    cells = sheet.column(column)
    try:
        plain = all(cells := list(map(str.strip, cells)))
    except TypeError:  # other values than texts
        plain = False
    for row, cell in enumerate(() if plain else cells):
        if isinstance(cell, (list, dict)):
            problem = f"{sheet.headers[column] or kind} = {quoted(cell)} is no name"
            raise DataError(problem, where=sheet.place(row), expected="a text")
        if missing(cell) or not str(cell).strip():
            raise DataError(
                f"{sheet.headers[column] or kind} is missing",
                where=sheet.place(row),
                expected=f"the name of the {kind}",
                way_out="fill it in or drop the row",
            )
    texts = cells if plain else [str(plain_value(cell)).strip() for cell in cells]  # 1.0 of a frame is 1, as in count
    guarded = sheet.separator and any(text[0] == "'" for text in texts)
    return list(map(without_guard, texts)) if guarded else texts


def _refuse_repeated(sheet: Sheet, columns: Mapping[str, int], keys: Sequence[tuple[str, str]]) -> None:
    """Refuse names that occur twice where one of the other columns tells them apart, such as a threshold."""
    name, times = Counter(keys).most_common(1)[0]
    if times < 2:
        return
    free = [i for i, header in enumerate(sheet.headers) if i not in columns.values() and not matters(header)]
    cells = {i: [str(row[i]).strip() for row in sheet.rows] for i in free}
    apart = [i for i in free if len({*zip(keys, cells[i], strict=True)}) == len(keys) > len({*cells[i]})]
    if apart:
        header = sheet.headers[apart[0]]
        rows = [i + 1 for i, key in enumerate(keys) if key == name]
        raise DataError(
            f"{quoted(name[1])} occurs {times} times, told apart by the column {quoted(header)}",
            where=Place(sheet.where, column=f"rows {', '.join(map(str, rows[:5]))}"),
            expected="each name once",
            way_out=[
                ("name that column with ", Option("domain", header, option="domain-column")),
                "join both in one column if both name the model",
            ],
        )


def _refuse_sums(
    values: Sequence[Sequence[Any]], totals: Sequence[float], names: Sequence[str], tolerance: float, space: SampleSpace
) -> None:
    """Explain both readings of a table that is neither counts nor probabilities."""
    off = [i for i, total in enumerate(totals) if abs(total - 1) > tolerance]
    if not off or any(value < 0 for row in values for value in row) or 0 in totals:
        return
    i = off[0]
    j, k = next((j, k) for j, row in enumerate(values) for k, value in enumerate(row) if not isinstance(value, int))
    if all(abs(total - 100) < 1 for total in totals):
        ways: list[Any] = ["if these are percentages, divide them by 100"]
    elif all(abs(total - 1) < 0.01 for total in totals):
        ways = ["if these are rounded, divide each row by its sum", ("pass a larger ", Option("tolerance"))]
    else:
        ways = ["give whole counts in every row", "divide each row by its sum"]
    raise DataError(
        f"{listed(space.outcomes)} sum to {totals[i]:.9g}. As probabilities they must sum to 1 within {tolerance:g}; "
        f"as counts all must be whole numbers, but row {j + 1} has {space.outcomes[k]} = {values[j][k]:.9g}",
        where=Place(row=i, name=names[i]),
        way_out=ways,
    )
