"""Right or wrong: tables of cases that succeed or fail, or have grades, become performances that know their cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..arrays import Floats, Integers
from ..checks.names import domain_text
from ..errors import DataError, Option, UsageError
from ..kernels.exact import integers_of_floats
from ..outcomes import SampleSpace
from ..performances import Performances
from ..results import without_guard
from ..tasks.success import SPACE, SPACE_WITH_UNANSWERED, graded, mean_of_grades
from ..texts import counted, some
from .case_rows import Rows, absent_rows, answered_by_all, lacking, performances_of
from .coded import CodedCases, Column, combined
from .codes import name_order, plain_name
from .content import Content, names_of
from .headers import (
    CLUSTERS,
    CORRECT,
    FILE,
    PERHAPS,
    UNANSWERED_AS,
    UNIT,
    CaseColumns,
    checked_scale,
    chosen_columns,
    empty,
    grade_of,
    known_of_cases,
    plain,
)
from .opening import Choose, columns_in_memory
from .sheets import quoted
from .sources import is_source, sources_of

AVERAGE = ["average all answers to a case with ", Option("repeat", True, shell="--repeat all")]
"""What to do with several answers to a case that nothing numbers."""


def right_or_wrong(
    source: Any,
    *,
    correct: str | Sequence[str] | None = None,
    entity: str | None = None,
    domain: str | Sequence[str] | None = None,
    case: str | None = None,
    cluster: str | None = None,
    repeat: str | bool | None = None,
    unanswered: str | None = None,
    scale: Any = None,
    encoding: str | None = None,
    asked: bool = True,
) -> Performances:
    """Return the performances in a table of right or wrong; see :func:`rankscape.tasks.success.from_cases`.

    The columns of ``correct`` were not ``asked`` for where they were recognized: these must be right or wrong.

    >>> rows = {"model": ["a", "a", "b", "b"], "question": [1, 2, 1, 2], "correct": [1, 0, 1, 1]}
    >>> P = right_or_wrong(rows)
    >>> P.counts.tolist(), P.pairing.units[0].codes.tolist(), P.account.columns["case"]
    ([[1, 1], [0, 2]], [[0, 1], [1, 1]], ('question',))
    """
    if unanswered not in (None, *UNANSWERED_AS):
        raise UsageError(Option("unanswered", unanswered), expected=f"one of {', '.join(map(repr, UNANSWERED_AS))}")
    named = {correct} if isinstance(correct, str) else {*(correct or ())}
    chosen: list[CaseColumns] = []
    likely: list[str] = []
    unused: list[str] = []

    def choose(headers: Sequence[str]) -> dict[str, str]:
        chosen[:] = [chosen_columns(headers, correct, entity, domain, case, cluster, repeat)]
        free = [header for header in headers if header not in chosen[0].roles()]
        likely[:] = [header for header in free if plain(header) in CLUSTERS] if cluster is None else []
        unused[:] = [header for header in headers if header]
        return chosen[0].roles() | dict.fromkeys(likely, "cluster")

    table, columns = _table(source, choose, lambda header: known_of_cases(header) or header in named, encoding, chosen)
    try:
        stated = UNIT if scale is None else checked_scale(scale)
        columns, notes = _with_cluster(table, columns, likely)
        answers, levels = _answers(table, columns, stated)
        if scale is None and (correct is None or not asked):
            apart = answers.case is not None and len(answers.entities) > 1 and not _has_shared_case(answers)
            refuse_guessed(columns, levels.tolist(), not apart)
        answers, levels, lost = _settled(answers, levels, unanswered)
        several = len(columns.correct) > 1 or plain(columns.correct[0]) in CORRECT  # which say no more
        metric = "grade" if several else columns.correct[0]
        space, whole = _outcomes(answers, levels, metric if stated == UNIT else f"grade of {metric}")
        if answers.case is not None:
            _refuse_repeats(answers, columns, repeat)
        P = performances_of(answers._replace(code=answers.code % len(whole)), whole, space, columns.cluster)
        absent = "" if P.shared is not None and P.pairing is not None else lacking(answers)
        if answers.case is None and len(answers.entities) > 1:
            notes += ["Not paired: no column names the case, so each model is counted by itself"]
        elif P.shared is None and absent:
            note = f"Not paired: {absent}; so the entities are compared on different cases"
            notes += [note + "; grades of different cases have no uncertainty here" * (P.counts is None)]
        elif absent:
            notes += [f"Not paired: {absent}; on the domains where all were tried they are"]
        if columns.entity == FILE and len(answers.entities) > 1:
            notes = ["each file is a model", *notes]
        return P.noting(
            *notes,
            source=table.where or "data in memory",
            records=table.records,
            cases=None if answers.case is None else len(combined([answers.domain, answers.case])[1]),
            models=len({*P.names}),
            domains=P.n_domains or None,
            columns={role: of for role, of in columns.by_role().items() if of not in (("",), (FILE,))},
            metric=None if mean_of_grades(space) is None else space.name,
            unused=unused,
            left_out={"some model did not answer the case": lost // len(columns.correct)} if lost else {},
        )
    except DataError as error:
        raise error.located(table.where) from None


# From a source to cells of a table


def _table(
    source: Any, choose: Choose, recognized: Callable[[str], bool], encoding: str | None, chosen: list[CaseColumns]
) -> tuple[CodedCases, CaseColumns]:
    """Return the table in a source, and its columns; a file that names no model is one, called by the file."""
    if not is_source(source) or source == "-":
        return columns_in_memory(source, choose, recognized, encoding=encoding), chosen[0]
    files = sources_of(source, encoding)
    contents = [Content(file, recognized) for file in files]
    if contents[0].headers and all(content.stem for content in contents):
        choose(contents[0].headers)
    if not chosen or chosen[0].entity is not None or len(chosen[0].correct) > 1:
        return columns_in_memory(files, choose, recognized), chosen[0]
    tables = [columns_in_memory(file, choose, recognized) for file in files]
    return _stacked(tables, chosen[0], names_of(contents))


def _stacked(
    tables: Sequence[CodedCases], columns: CaseColumns, names: Sequence[str]
) -> tuple[CodedCases, CaseColumns]:
    """Return tables below each other, each of one model, and their columns, with one that names it."""
    together: dict[str, Column] = {}
    for header in tables[0].columns:
        at: dict[Any, int] = {}
        places = [[at.setdefault(value, len(at)) for value in table.columns[header].values] for table in tables]
        codes = [np.array([*of, -1])[table.columns[header].codes] for of, table in zip(places, tables, strict=True)]
        together[header] = Column(list(at), np.concatenate(codes))
    records = [table.records for table in tables]
    together[FILE] = Column(list(names), np.repeat(np.arange(len(tables)), records))
    where = tables[0].where if len(tables) == 1 else ""
    whole = CodedCases(together, sum(records), where, all(table.texts for table in tables))
    return whole, columns._replace(entity=FILE)


def _with_cluster(table: CodedCases, columns: CaseColumns, likely: Sequence[str]) -> tuple[CaseColumns, list[str]]:
    """Return the columns, with one that names clusters where some does: each case lies in one, and there are fewer.

    Where no column names the cases, one that has each value once for each model does: a patient with one answer.
    """
    places = [table.columns[header].codes for header in columns.domain]
    if columns.case is None and columns.entity is not None and len(likely) == 1:
        cells, _ = combined([*places, table.columns[columns.entity].codes, table.columns[likely[0]].codes])
        alone = len(np.unique(cells)) == table.records
        return (columns._replace(case=likely[0]) if alone else columns), []
    if not likely or columns.case is None:
        return columns, []
    question, questions = combined([*places, table.columns[columns.case].codes])
    clusters, notes = [], []
    for header in likely:
        codes = table.columns[header].codes
        number = len(np.unique(codes))
        if not 1 < number < len(questions) or len(combined([question, codes])[1]) > len(questions):
            continue
        if (codes >= 0).all() and len(combined([codes, *places])[1]) == number:
            clusters.append(header)
        else:
            why = "it is empty in some rows" if (codes < 0).any() else "it goes across domains"
            notes.append(f"{quoted(header)} may name clusters of cases, and is not used: {why}")
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


def _answers(table: CodedCases, columns: CaseColumns, scale: tuple[float, float]) -> tuple[Rows, Floats]:
    """Return the answers of a table, whose codes are places among levels of grades; several columns are stacked."""
    if not table.records:
        raise DataError("there is no row", expected="one per case")
    grade, levels = _grades(table, columns, scale)
    several, m = len(columns.correct), table.records
    nowhere = np.zeros(m, dtype=np.int64)
    lone = "P1" if plain(columns.correct[0]) in CORRECT else columns.correct[0]  # the header, unless it says no more
    entities, entity = _names(table, columns.entity, "entity") or ((lone,), nowhere)
    if several > 1:
        entities = columns.correct
    case = None if columns.case is None else table.columns[columns.case].codes
    if case is not None and (lost := int((case < 0).sum())):
        raise DataError(f"in {counted(lost, 'row')} the case is missing (column {quoted(columns.case)})")
    if case is None and len(entities) in (1, several):  # each row is a case
        case = np.arange(m)
    domains, domain = _domains(table, columns.domain) or ((), nowhere)
    clusters, cluster = _names(table, columns.cluster, "cluster") or ((), None)
    repeats = None if columns.repeat is None else (_names(table, columns.repeat, "repeat") or ((), None))[1]

    def down(column: Integers | None) -> Any:
        """Return a column once for each of the columns of answers, which stand below each other."""
        return None if column is None else np.tile(column, several)

    if several > 1:
        entity = np.repeat(np.arange(several), m)
    rows = Rows(entity, down(domain), down(case), down(cluster), down(repeats), grade, entities, domains, clusters)
    return rows, levels


def _settled(answers: Rows, levels: Floats, unanswered: str | None) -> tuple[Rows, Floats, int]:
    """Return the answers, their levels and the number of rows left out, once it is settled what missing ones are.

    Empty cells and absent rows are refused, or count as wrong or apart, or only the cases that all have answered count.
    """
    empty_ones, n, absent = int((answers.code < 0).sum()), len(answers.code), lacking(answers)
    if answers.case is not None and absent:
        like, entity = absent_rows(answers.domain, answers.case, answers.entity)
        code = np.append(answers.code, np.full(len(like), -1))
        answers = answers.at(np.append(np.arange(n), like), entity=np.append(answers.entity, entity), code=code)
    if not (answers.code < 0).any() or unanswered == "apart":
        return answers, levels, 0
    wrong = [["count missing answers as failures with ", Option("unanswered", "wrong")]]
    if unanswered is None:
        many = f"{counted(empty_ones, 'answer')} of {n} {'is' if empty_ones == 1 else 'are'} empty"
        raise DataError(
            many if empty_ones else absent,
            expected="right or wrong in each" if empty_ones else "an answer of each model to each case",
            way_out=[["count them as failures with ", Option("unanswered", "wrong")],
                     ["keep them as an outcome with ", Option("unanswered", "apart")],
                     ["compare on the cases that all answered with ", Option("unanswered", "common")]],
        )  # fmt: skip
    if unanswered == "wrong":
        levels, place = np.unique(np.append(levels, 0.0), return_inverse=True)
        return answers._replace(code=np.where(answers.code < 0, place[-1], place[answers.code])), levels, 0
    if answers.case is None:
        way_out = [["name it with ", Option("case")]]
        raise DataError("no column names the case, so which ones all have answered is not known", way_out=way_out)
    keep = answered_by_all(answers.domain, answers.case, answers.code < 0)
    gone = np.setdiff1d(answers.domain, answers.domain[keep])
    if len(gone):
        on = f" on {quoted(answers.domains[int(gone[0])])}" if answers.domains else ""
        raise DataError(f"no case{on} has an answer of every model", way_out=wrong)
    return answers.at(keep), levels, n - int(keep[:n].sum())


def _has_shared_case(answers: Rows) -> bool:
    """Tell whether any case was answered by two entities."""
    _, cells = combined([answers.domain, np.asarray(answers.case), answers.entity])
    return len(combined([cells[:, 0], cells[:, 1]])[1]) < len(cells)


def _names(table: CodedCases, header: str | None, what: str) -> tuple[tuple[str, ...], Integers] | None:
    """Return the names in a column, in their order, and the place of each row's; None where there is no column."""
    if header is None:
        return None
    column = table.columns[header]
    names = [plain_name(value) for value in column.values]
    texts = [None if name is None else str(name).strip() for name in names]
    if table.texts:
        texts = [None if text is None else without_guard(text) for text in texts]
    ordered = sorted({text for text in texts if text is not None}, key=name_order)
    at = {name: place for place, name in enumerate(ordered)}
    place = np.array([-1 if text is None else at[text] for text in texts] + [-1])[column.codes]
    if lost := int((place < 0).sum()):
        raise DataError(f"in {counted(lost, 'row')} the {what} is missing (column {quoted(header)})")
    return tuple(ordered), place


def _domains(table: CodedCases, headers: Sequence[str]) -> tuple[tuple[str, ...], Integers] | None:
    """Return the names that one or several columns of domains make, and the place of each row's."""
    parts = [_names(table, header, "domain") for header in headers]
    known = [part for part in parts if part is not None]
    if len(known) < 2:
        return known[0] if known else None
    place, combinations = combined([codes for _, codes in known])
    texts = [domain_text([names[i] for (names, _), i in zip(known, row, strict=True)]) for row in combinations.tolist()]
    return tuple(texts), place


def _grades(table: CodedCases, columns: CaseColumns, scale: tuple[float, float]) -> tuple[Integers, Floats]:
    """Return the grade of each answer, as a place among levels, which are sorted, or −1; column after column."""
    values: list[float] = []
    parts = []
    for header in columns.correct:
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
        start = len(values)
        values += [float(grade) for grade in grades if grade is not None]
        parts.append(np.where(column.codes < 0, -1, column.codes + start))
    level, place = np.unique(np.array([*values, np.nan]), return_inverse=True)
    known = int(np.isfinite(level).sum())
    place = np.where(place < known, place, -1)
    return place[np.concatenate(parts)], level[:known]


# From answers to outcomes


def refuse_guessed(columns: CaseColumns, levels: Sequence[float], shared: bool) -> None:
    """Refuse what nobody asked for by name: grades under a header that does not say that larger ones are better.

    Numbers under one such as "score" may be listed where no two entities have a ``shared`` case.
    """
    header = columns.correct[0]
    if not shared and plain(header) in PERHAPS:
        raise DataError(
            f"no two models share a case in the column {quoted(columns.case)}, so that {quoted(header)} may be a score "
            "of each model", expected="answers of the models to the same cases",
            way_out=[["if it is the grade of a case, name it with ", Option("correct", header)]],
        )  # fmt: skip
    if {*levels} <= {0, 1} or (plain(header) in CORRECT and columns.case is not None):
        return
    raise DataError(
        f"{quoted(header)} holds numbers such as {next(x for x in levels if x not in (0, 1)):g}, not right or wrong",
        way_out=[
            ["if it is a grade from 0 to 1, the larger the better, name it with ", Option("correct", header)],
            ["else state its worst and best value with ", Option("scale"), " too"],
        ],
    )


def _outcomes(answers: Rows, levels: Floats, metric: str) -> tuple[SampleSpace, Any]:
    """Return what may come of a case, and integers proportional to the shares of that of each level, and of no answer.

    Cases are right or wrong, or, where some have a grade between, have a metric.
    """
    open_ones = bool((answers.code < 0).any())
    if ((levels == 0) | (levels == 1)).all():
        space = SPACE_WITH_UNANSWERED if open_ones else SPACE
    else:
        space = graded(metric, open_ones)
    shares = np.zeros((len(levels) + open_ones, len(space)))
    shares[: len(levels), 0], shares[: len(levels), -1] = 1 - levels, levels
    if open_ones:
        shares[-1, 1] = 1.0
    return space, _whole(shares)


def _refuse_repeats(answers: Rows, columns: CaseColumns, repeat: str | bool | None) -> None:
    """Refuse a case that was answered twice where nothing says why, and averages where none was."""
    if answers.repeat is not None and repeat is not True:
        answers.refuse_renumbered("answer", str(columns.repeat), ["number the answers to each case", AVERAGE])
    n = len(answers.entities)
    times = np.bincount(combined([answers.domain, np.asarray(answers.case)])[0] * n + answers.entity)
    if times.max() < 2:
        if repeat:
            raise UsageError([Option("repeat"), " would change nothing: no model has several answers to a case"])
    elif columns.repeat is None and repeat is not True:
        name = quoted(answers.entities[int(np.argmax(times > 1)) % n])
        raise DataError(
            f"{counted(int((times > 1).sum()), 'case')} with several answers of one model, such as {name}",
            way_out=[["name the column that numbers the repeats with ", Option("repeat")], AVERAGE],
        )


def _whole(grades: Floats) -> Any:
    """Return integers proportional to shares, all by one factor: of the fractions that floats stand for, if they do."""
    rest = grades[:, 1:]
    for parts in (*range(1, 61), *(10**digits for digits in range(2, 13))):  # means of repeats, and decimals
        rounded = np.rint(rest * parts)
        if (rounded / parts == rest).all():
            whole = rounded.astype(np.int64).astype(object)
            return np.concatenate([parts - whole.sum(axis=1, keepdims=True), whole], axis=1)
    exact = integers_of_floats(np.append(rest.ravel(), 1.0))
    whole = exact[:-1].reshape(rest.shape)
    return np.concatenate([exact[-1] - whole.sum(axis=1, keepdims=True), whole], axis=1)
