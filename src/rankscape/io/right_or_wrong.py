"""Right or wrong: tables of cases that succeed or fail, or have grades, become performances that know their cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..account import NO_CASES, NUMBERED_ANEW, SAME_NAMES
from ..arrays import Floats, Integers
from ..errors import DataError, Option, UsageError
from ..kernels.exact import integers_of_floats
from ..outcomes import SampleSpace
from ..performances import Performances
from ..tasks.success import SPACE, SPACE_WITH_UNANSWERED, graded, mean_of_grades
from ..texts import counted, some
from .codes import (
    CodedCases,
    Rows,
    combined,
    lacking,
    name_in,
    none_common,
    of_same_cases,
    on_all_domains,
    performances_of,
    refuse_same_cases,
    rows_of,
    settled,
)
from .counting import table_of
from .headers import (
    ANSWERS,
    CLUSTERS,
    CORRECT,
    FILE,
    PERHAPS,
    UNANSWERED_AS,
    UNIT,
    Columns,
    checked_scale,
    chosen_columns,
    empty,
    grade_of,
    plain,
)
from .sheets import quoted

_SETTINGS = {
    *("config", "filter", "filters", "limit", "setting", "settings", "temperature", "version", "taskversion"),
    *("fewshot", "fewshots", "kshot", "nfewshot", "nshot", "nshots", "numfewshot", "numshots", "shot", "shots"),
    *("promptid", "prompttemplate", "promptversion", "template", "templateid"),
}
"""What may make runs of a model incomparable: how it was asked."""

AVERAGE = ["average all answers to a case with ", Option("repeat", True, shell="--repeat all")]
"""What to do with several answers to a case that nothing numbers."""


def right_or_wrong(
    source: Any, *, unanswered: str | None = None, scale: Any = None, encoding: str | None = None, asked: bool = True,
    **named: Any,
) -> Performances:  # fmt: skip
    """Return the performances in a table of right or wrong; see :func:`rankscape.cases`.

    Columns are ``named`` as in :func:`chosen_columns`. Those of ``correct`` were not ``asked`` for where they were
    recognized: these must be right or wrong.

    >>> rows = {"model": ["a", "a", "b", "b"], "question": [1, 2, 1, 2], "correct": [1, 0, 1, 1]}
    >>> P = right_or_wrong(rows)
    >>> P.counts.tolist(), P.pairing.units[0].codes.tolist(), P.account.columns["case"]
    ([[1, 1], [0, 2]], [[0, 1], [1, 1]], ('question',))
    """
    if unanswered not in (None, *UNANSWERED_AS):
        raise UsageError(Option("unanswered", unanswered), expected=f"one of {', '.join(map(repr, UNANSWERED_AS))}")
    correct, repeat = named.get("correct"), named.get("repeat")
    given = {correct} if isinstance(correct, str) else {*(correct or ())}
    seen: dict[str, Any] = {}

    def choose(headers: Sequence[str]) -> dict[str, str]:
        columns = chosen_columns(headers, **named)
        beside = [header for header in headers if header not in columns.roles()]
        likely = [header for header in beside if plain(header) in CLUSTERS and columns.cluster is None]
        settings = [header for header in beside if plain(header) in _SETTINGS]
        seen.update(columns=columns, likely=likely, settings=settings, unused=[*filter(None, headers)])
        return columns.roles() | dict.fromkeys([*settings, *likely], "cluster")

    table = table_of(source, choose, lambda header: plain(header) in ANSWERS or header in given, encoding=encoding)
    columns: Columns = seen["columns"]
    columns = columns if table.entity is None else columns._replace(entity=table.entity)
    try:
        stated = UNIT if scale is None else checked_scale(scale)
        columns, notes = _with_cluster(table, columns, seen["likely"]) if columns.cluster is None else (columns, [])
        rows, levels = _answers(table, columns, stated)
        if rows.case is None and (columns.cluster or columns.repeat or repeat):
            why = "clusters are of cases" if columns.cluster else "repeats are of the same cases"
            raise DataError(why, way_out=[["name the column of cases with ", Option("case")]])
        notes += _asked_again(table, rows, columns, seen["settings"], averaged=repeat is True)
        if scale is None and (correct is None or not asked):
            _refuse_guessed(columns, levels.tolist(), rows)
        every = rows.domains
        rows, levels, lost = _settled(rows, levels, unanswered)
        if gone := [domain for domain in every if domain not in rows.domains]:
            notes += [none_common(gone)]
        space, whole = _outcomes(rows, levels, columns, stated)
        if rows.case is not None:
            _refuse_repeats(rows, columns, repeat)
            if columns.case is not None:
                names = table.columns[columns.case].values
                notes += _on_each_domain(rows, columns, names, asked=bool(named.get("domain")))
        P = performances_of(rows._replace(code=rows.code % len(whole)), whole, space, columns.cluster)
        notes += _not_paired(P, rows)
        if columns.entity == FILE and len(rows.entities) > 1:
            notes = ["each file is a model", *notes]
        return P.noting(
            *table.notes,
            *notes,
            source=table.where or "data in memory", records=table.records, models=len({*P.names}),
            cases=None if rows.case is None else len(combined([rows.domain, rows.case])[1]),
            domains=P.n_domains or None,
            columns={role: of for role, of in columns.by_role().items() if of != ("",)},
            metric=None if mean_of_grades(space) is None else space.name,
            unused=seen["unused"],
            left_out={"some model did not answer the case": lost // len(columns.answers)} if lost else {},
        )  # fmt: skip
    except DataError as error:
        raise error.located(table.where) from None


def _with_cluster(table: CodedCases, columns: Columns, likely: Sequence[str]) -> tuple[Columns, list[str]]:
    """Return the columns, with one that names clusters where some does: each case lies in one, and there are fewer."""
    codes = {header: table.columns[header].codes for header in likely}
    places = [table.columns[header].codes for header in columns.levels]
    if columns.case is None:  # a column that has each value once for each model names them: a patient with one answer
        if columns.entity is not None and len(likely) == 1:
            cells, _ = combined([*places, table.columns[columns.entity].codes, codes[likely[0]]])
            columns = columns._replace(case=likely[0]) if len(np.unique(cells)) == table.records else columns
        return columns, []
    question, questions = combined([*places, table.columns[columns.case].codes])
    clusters, notes = [], []
    for header, code in codes.items():
        number = len(np.unique(code))
        if not 1 < number < len(questions) or len(combined([question, code])[1]) > len(questions):
            continue
        if (code < 0).any() or len(combined([code, *places])[1]) > number:
            why = "it is empty in some rows" if (code < 0).any() else "it goes across domains"
            notes.append(f"{quoted(header)} may name clusters of cases, and is not used: {why}")
        else:
            clusters.append(header)
    if len(clusters) > 1:
        raise DataError(
            f"the columns {some(clusters, 3, quote='', word=quoted)} may each name the clusters of the cases",
            way_out=[["say which with ", Option("cluster", clusters[0])]],
        )
    if not clusters:
        return columns, notes
    note = f"the cases of one {quoted(clusters[0])} are a cluster, and draws are of these"
    return columns._replace(cluster=clusters[0]), [note, *notes]


# From cells of a table to answers


def _answers(table: CodedCases, columns: Columns, scale: tuple[float, float]) -> tuple[Rows, Floats]:
    """Return the answers of a table, whose codes are places among levels of grades; several columns are stacked."""
    if not table.records:
        raise DataError("there is no row", expected="one per case")
    grade, levels = _grades(table, columns, scale)
    table.join(columns.levels)
    rows = rows_of(table, columns)._replace(code=grade)
    for role, headers in columns.by_role().items():
        place = getattr(rows, role, None)
        if place is not None and (lost := int((place[: table.records] < 0).sum())):
            header = some(headers, quote="", word=quoted)
            raise DataError(f"in {counted(lost, 'row')} the {role} is missing (column {header})")
    if columns.lone is not None and plain(columns.lone) in CORRECT:  # which says no more
        rows = rows._replace(entities=("P1",))
    return rows, levels


def _grades(table: CodedCases, columns: Columns, scale: tuple[float, float]) -> tuple[Integers, Floats]:
    """Return the grade of each answer, as a place among levels, which are sorted, or −1; column after column."""
    values: list[float] = []
    parts = []
    for header in columns.answers:
        column = table.columns[header]
        commas = table.texts and any(isinstance(value, str) and "," in value for value in column.values)
        grades = [np.nan if empty(value) else grade_of(value, commas, scale) for value in column.values]
        wrong = [code for code, grade in enumerate(grades) if grade is None]
        if wrong:
            rows = int(np.isin(column.codes, wrong).sum())
            unit = "1 or 0, true or false, or a grade in [0, 1]"
            raise DataError(
                f"the column {quoted(header)} holds {quoted(column.values[wrong[0]])} in {counted(rows, 'row')}",
                expected=unit if scale == UNIT else f"values from {scale[0]:g} to {scale[1]:g}",
                way_out=[("state the worst and the best value with ", Option("scale"))],
            )
        parts.append(np.where(column.codes < 0, -1, column.codes + len(values)))
        values += [float(grade) for grade in grades if grade is not None]
    level, place = np.unique(np.array([*values, np.nan]), return_inverse=True)
    known = int(np.isfinite(level).sum())
    return np.where(place < known, place, -1)[np.concatenate(parts)], level[:known]


def _settled(rows: Rows, levels: Floats, unanswered: str | None) -> tuple[Rows, Floats, int]:
    """Return the answers, their levels and the number of rows left out, once it is settled what missing ones are."""
    whole, _, missing = settled(rows, unanswered == "common")
    if not missing or unanswered == "apart":
        return whole, levels, 0
    if unanswered is None:
        empty_ones = int((rows.code < 0).sum())
        many = f"{counted(empty_ones, 'answer')} of {len(rows.code)} {'is' if empty_ones == 1 else 'are'} empty"
        raise DataError(
            many if empty_ones else lacking(rows),
            expected="right or wrong in each" if empty_ones else "an answer of each model to each case",
            way_out=[["count them as failures with ", Option("unanswered", "wrong")],
                     ["keep them as an outcome with ", Option("unanswered", "apart")],
                     ["compare on the cases that all answered with ", Option("unanswered", "common")]],
        )  # fmt: skip
    if unanswered == "wrong":
        levels, place = np.unique(np.append(levels, 0.0), return_inverse=True)
        return whole._replace(code=np.where(whole.code < 0, place[-1], place[whole.code])), levels, 0
    if not len(whole.code):
        way_out = [["count missing answers as failures with ", Option("unanswered", "wrong")]]
        raise DataError("no case was answered by every model", way_out=way_out)
    kept, domain = np.unique(whole.domain, return_inverse=True)
    whole = whole._replace(domain=domain, domains=tuple(rows.domains[d] for d in kept.tolist() if rows.domains))
    return whole, levels, len(rows.code) - len(whole.code)


def _refuse_guessed(columns: Columns, levels: Sequence[float], rows: Rows) -> None:
    """Refuse what nobody asked for by name: grades under a header that does not say that larger ones are better."""
    header = columns.answers[0]
    if rows.case is not None and len(rows.entities) > 1 and plain(header) in PERHAPS:
        _, cells = combined([rows.domain, rows.case, rows.entity])
        if len(combined([cells[:, 0], cells[:, 1]])[1]) == len(cells):
            raise DataError(
                f"no two models share a case in the column {quoted(columns.case)}, so that {quoted(header)} may be a "
                "score of each model", expected="answers of the models to the same cases",
                way_out=[["if it is the grade of a case, name it with ", Option("correct", header)]],
            )  # fmt: skip
    if not {*levels} <= {0, 1} and (plain(header) not in CORRECT or columns.case is None):
        odd = next(x for x in levels if x not in (0, 1))
        raise DataError(
            f"{quoted(header)} holds numbers such as {odd:g}, not right or wrong",
            way_out=[
                ["if it is a grade from 0 to 1, the larger the better, name it with ", Option("correct", header)],
                ["else state its worst and best value with ", Option("scale"), " too"],
            ],
        )


# From answers to outcomes


def _outcomes(rows: Rows, levels: Floats, columns: Columns, scale: tuple[float, float]) -> tuple[SampleSpace, Any]:
    """Return what may come of a case, and integers proportional to its shares at each level, and without an answer."""
    open_ones = bool((rows.code < 0).any())
    space = SPACE_WITH_UNANSWERED if open_ones else SPACE
    if not {*levels.tolist()} <= {0, 1}:
        # The header is the metric, unless it only says right or wrong, or is a model.
        metric = "grade" if len(columns.answers) > 1 or plain(columns.answers[0]) in CORRECT else columns.answers[0]
        space = graded(metric if scale == UNIT else f"grade of {metric}", open_ones)
    shares = np.zeros((len(levels) + open_ones, len(space)))
    shares[: len(levels), 0], shares[: len(levels), -1] = 1 - levels, levels
    if open_ones:
        shares[-1, 1] = 1.0
    rest = shares[:, 1:]  # as integers all by one factor: of the fractions that floats stand for, if they do
    for parts in (*range(1, 61), *(10**digits for digits in range(2, 13))):  # means of repeats, and decimals
        rounded = np.rint(rest * parts)
        if (rounded / parts == rest).all():
            whole = rounded.astype(np.int64).astype(object)
            break
    else:
        *exact, parts = integers_of_floats(np.append(rest.ravel(), 1.0))
        whole = np.array(exact, dtype=object).reshape(rest.shape)
    return space, np.concatenate([parts - whole.sum(axis=1, keepdims=True), whole], axis=1)


def _asked_again(table: CodedCases, rows: Rows, columns: Columns, settings: Sequence[str], averaged: bool) -> list[str]:
    """Return a note on cases that were asked in several ways, where all answers are ``averaged``; else refuse them.

    A domain may say how a case was asked, too; and a column of repeats, by which each model must have the same ways.
    """
    ways = [header for header in columns.levels if plain(header) in _SETTINGS and columns.case is not None]
    others = columns._replace(levels=tuple(header for header in columns.levels if header not in ways))
    apart = of_same_cases(table, others, [*ways, *settings])
    if apart and not averaged:
        refuse_same_cases(apart[0], columns)
    if columns.repeat is not None and plain(columns.repeat) in _SETTINGS:
        asked = combined([rows.entity, np.asarray(rows.repeat)])[1]
        if len(asked) < len(rows.entities) * len({*asked[:, 1].tolist()}):
            raise DataError(
                f"not every model was asked with each {quoted(columns.repeat)}, so that averages would not be alike",
                way_out="keep the rows of those with which every model was asked",
            )
    return [f"answers with different {some(apart, 3, quote='', word=quoted)} are averaged"] if apart else []


def _not_paired(P: Performances, rows: Rows) -> list[str]:
    """Return a note on why models are not paired, if so."""
    if rows.case is None and len(rows.entities) > 1:
        return [NO_CASES]
    if (P.shared is not None and P.pairing is not None) or not (absent := lacking(rows)):
        return []
    where = "; on the domains where all were tried they are"
    if P.shared is None:
        where = "; so the entities are compared on different cases"
        where += "; grades of different cases have no uncertainty here" if P.counts is None else ""
    return [f"Not paired: {absent}{where}"]


def _on_each_domain(rows: Rows, columns: Columns, names: Sequence[Any], asked: bool) -> list[str]:
    """Return a note if all domains have cases of the same names; refuse names that are no numbers, unless asked for."""
    if not (cases := on_all_domains(rows)):
        return []
    numbers = sorted(str(name_in(name, False)) for name in names)
    numbered = any(numbers == sorted(map(str, range(first, first + len(numbers)))) for first in (0, 1))
    if asked or (numbered and "fold" not in map(plain, columns.levels)):  # folds are of one test set
        return [NUMBERED_ANEW if numbered else SAME_NAMES]
    *_, header = columns.levels
    of = some(columns.levels, word=quoted, quote="")
    raise DataError(
        f"all {cases} cases stand in each of the {len(rows.domains)} domains of {of}, so they may be the same cases",
        way_out=[["count each case once, with all of its repeats, by ", Option("repeat", header)],
                 ["if they are different cases, say so with ", Option("domain", header, option="domain-column")]],
    )  # fmt: skip


def _refuse_repeats(rows: Rows, columns: Columns, repeat: str | bool | None) -> None:
    """Refuse a case that was answered twice where nothing says why, and averages where none was."""
    if rows.repeat is not None and repeat is not True:
        rows.refuse_renumbered("answer", str(columns.repeat), ["number the answers to each case", AVERAGE])
    n = len(rows.entities)
    times = np.bincount(combined([rows.domain, np.asarray(rows.case)])[0] * n + rows.entity)
    if times.max() < 2:
        if repeat:
            raise UsageError([Option("repeat"), " would change nothing: no model has several answers to a case"])
    elif columns.repeat is None and repeat is not True:
        name = quoted(rows.entities[int(np.argmax(times > 1)) % n])
        raise DataError(
            f"{counted(int((times > 1).sum()), 'case')} with several answers of one model, such as {name}",
            way_out=[["name the column that numbers the repeats with ", Option("repeat")], AVERAGE],
        )
