"""Repeated predictions of the same cases: each case counts once, as what its repeats amount to on average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..account import Account
from ..arrays import Integers
from ..errors import DataError, Option
from ..performances import Joint, Performances, Units, kinds_of
from ..texts import counted
from .cases import Columns
from .coded import CodedCases, combined
from .groups import Tally
from .headers import JOINED
from .kinds import classes_of
from .sheets import quoted
from .terms import Terms


def joint_of_repeats(
    rows: CodedCases, columns: Sequence[Columns], seen: Tally, terms: Terms, repeat: str, cluster: str | None
) -> Joint:
    """Return what the entities do on each case on average over its repeats, which is a share of each outcome.

    Other cases are drawn with all of their repeats, so that ten copies of a test set are as sure as one. Raises
    DataError where a case has two predictions of one repeat, or an entity lacks a case.
    """
    first, P = columns[0], seen.performances
    entities, places = list(dict.fromkeys(P.names)), list(dict.fromkeys(P.domains or [""]))
    cell, outcome, numbered = _predictions(rows, columns, seen, terms, repeat, entities, places)
    code, numbers = combined([*cell, numbered])
    if len(numbers) < len(code):
        extra = counted(len(code) - len(numbers), "prediction")
        raise DataError(
            f"{extra} too many: the same model has the same case and {quoted(repeat)} more than once", where=rows.where,
            way_out=[["name another column with ", Option("repeat")]],
        )  # fmt: skip
    _refuse_other_truths(rows, first)
    at, cells = combined(cell)
    shares = np.zeros((len(cells), len(P.space)), dtype=np.int64)
    np.add.at(shares, (at, outcome), 1)
    reduced = shares // np.gcd.reduce(shares, axis=1, keepdims=True)
    grades, grade = np.unique(reduced, axis=0, return_inverse=True)
    common = int(np.lcm.reduce(grades.sum(axis=1).astype(object)))
    whole = grades.astype(object) * [[common // int(total)] for total in grades.sum(axis=1)]
    parts, masses = [], []
    for place in range(len(places)):
        here = cells[:, 0] == place
        cases, column = combined([cells[here, 1]])[0], cells[here, 2]
        codes = np.full((len(entities), int(cases.max()) + 1), -1)
        codes[column, cases] = grade.ravel()[here]
        if (codes < 0).any():
            name = entities[int(np.argmax((codes < 0).any(axis=1)))]
            raise DataError(
                f"{quoted(name)} lacks cases that others have", where=rows.where, way_out="complete the table"
            )
        inside = None if cluster is None else _clusters(rows, columns, cluster, cells[here, 1], cases)
        parts.append(_units(kinds_of(codes, inside), grades))
        masses += [whole[row].sum(axis=0) for row in codes]
    names, domains = tuple(entities * len(places)), tuple(d for d in places for _ in entities)
    sizes = sum(int(units.size.sum()) for units in parts)
    numbers, of = np.array(masses, dtype=object), None if P.domains is None else domains
    if common == 1:  # each case has the same outcome in all of its repeats
        averaged = Performances.from_counts(numbers, names=names, domains=of, space=P.space)
    else:
        averaged = Performances.from_trusted(numbers, names, of, P.space)
    account = (P.account or Account()).noting(cases=sizes, columns={"case": (str(first.case),), "repeat": (repeat,)})
    return Joint(replace(averaged, account=account), tuple(parts), cluster is not None)


def _units(units: Units, grades: Integers) -> Units:
    """Return kinds of cases whose codes are rows of ``grades``: as outcomes where each is one, else as shares."""
    if ((grades > 0).sum(axis=1) == 1).all():
        return units._replace(codes=grades.argmax(axis=1)[units.codes])
    return units._replace(grades=grades / grades.sum(axis=1, keepdims=True))


def _refuse_other_truths(rows: CodedCases, columns: Columns) -> None:
    """Refuse a case that has several truths, which is no repeat."""
    where = np.zeros(rows.records, dtype=np.int64) if columns.domain is None else rows.columns[columns.domain].codes
    case, truth = rows.columns[str(columns.case)].codes, rows.columns[columns.truth].codes
    several = len(combined([where, case, truth])[1]) - len(combined([where, case])[1])
    if several:
        raise DataError(
            f"{counted(several, 'case')} with several truths", where=rows.where,
            way_out=["where they are different cases, name them apart"],
        )  # fmt: skip


def _predictions(
    rows: CodedCases,
    columns: Sequence[Columns],
    seen: Tally,
    terms: Terms,
    repeat: str,
    entities: Sequence[str],
    places: Sequence[str],
) -> tuple[list[Integers], Integers, Integers]:
    """Return the place, the case and the entity of each prediction, its outcome, and the number of its repeat."""
    first, classes = columns[0], classes_of(seen, terms)

    def coded(header: str, meaning: Any) -> Integers:
        column = rows.columns[header]
        return np.array([meaning(value) for value in column.values], dtype=np.int64)[column.codes]

    n = rows.records
    of_place = {name: i for i, name in enumerate(places)}
    of_entity = {name: i for i, name in enumerate(entities)}
    where = np.zeros(n, dtype=np.int64)
    if first.domain is not None:
        where = coded(first.domain, lambda value: of_place[str(terms.domain(value))])
    truth = classes.number * coded(first.truth, classes.place)
    outcomes = [truth + coded(one.prediction, classes.place) for one in columns]
    case, numbered = rows.columns[str(first.case)].codes, rows.columns[repeat].codes
    if first.entity is not None:
        models = [coded(first.entity, lambda value: of_entity[str(terms.name(value))])]
    else:
        models = [np.full(n, of_entity[one.prediction]) for one in columns]
    k = len(columns)
    cell = [np.tile(where, k), np.tile(case, k), np.concatenate(models)]
    return cell, np.concatenate(outcomes), np.tile(numbered, k)


def _clusters(rows: CodedCases, columns: Sequence[Columns], cluster: str, of: Integers, cases: Integers) -> Integers:
    """Return the cluster of each case, in their order."""
    of_case = np.full(len(rows.columns[str(columns[0].case)].values), -1)
    of_case[rows.columns[str(columns[0].case)].codes] = rows.columns[cluster].codes
    out = np.zeros(int(cases.max()) + 1, dtype=np.int64)
    out[cases] = of_case[of]
    return out


def refuse_crossing(rows: CodedCases, columns: Columns) -> None:
    """Refuse domains of which each has all the same cases, with the same truth: they are repeats of these cases.

    Drawn domain by domain, ten copies of a test set would be ten test sets. Cases whose names begin anew in each
    domain have other truths there.
    """
    domain, header = rows.columns[str(columns.domain)], str(columns.domain)
    case, truth = rows.columns[str(columns.case)].codes, rows.columns[columns.truth].codes
    cells = combined([domain.codes, case])[1]
    places, cases = len(np.unique(cells[:, 0])), len(np.unique(cells[:, 1]))
    same_truth = len(combined([case, truth])[1]) == cases
    if places > 1 and cases > 1 and same_truth and len(cells) == places * cases:
        called = quoted(header) if header != JOINED else "the domains"
        raise DataError(
            f"all {cases} cases stand in each of the {places} domains of {called}, with the same truth, so they are "
            "probably the same cases", where=rows.where,
            way_out=[["count each case once, with all of its repeats, by ", Option("repeat", header)],
                     "where they are different cases, name them apart, as domain/case"],
        )  # fmt: skip
