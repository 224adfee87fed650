"""Right or wrong: tables of cases that succeed or fail, or have grades, become performances that know their cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..arrays import Floats, Integers
from ..checks.names import domain_text
from ..errors import DataError, Option, UsageError
from ..kernels.exact import integers_of_floats
from ..outcomes import SampleSpace
from ..performances import Joint, Performances, Units
from ..results import without_guard
from ..tasks.success import SPACE, SPACE_WITH_UNANSWERED, graded, mean_of_grades
from ..texts import counted, some
from .case_columns import (
    CORRECT,
    UNIT,
    CaseColumns,
    Scale,
    checked_scale,
    chosen_columns,
    empty,
    grade_of,
    known,
    likely_clusters,
    refuse_doubtful,
    refuse_guessed,
)
from .coded import CodedCases, Column, combined
from .codes import name_order, plain_name
from .content import Content, names_of
from .headers import FILE, UNANSWERED_AS, plain
from .joint import crossing_clusters
from .opening import Choose, columns_in_memory
from .sheets import located, quoted
from .sources import is_source, sources_of

AVERAGE = ["average all answers to a case with ", Option("repeat", True, shell="--repeat all")]
"""What to do with several answers to a case that nothing numbers."""


class _Answers(NamedTuple):
    """Answers, one row each: the places of entity, domain, case and cluster among names, the repeat, and the grade.

    ``grade`` is the place among ``levels``, −1 where nothing was answered; ``case`` is None where no column names it.
    ``lasting`` is how many rows are left of those that were read, where some were left out.
    """

    entity: Integers
    domain: Integers
    case: Integers | None
    cluster: Integers | None
    repeat: Integers | None
    grade: Integers
    levels: Floats
    entities: tuple[str, ...]
    domains: tuple[str, ...]
    clusters: tuple[str, ...]
    lasting: int | None = None


class _Cells(NamedTuple):
    """One row per domain, case and entity, in that order: where it is, its code, and how many answers it is of.

    ``grades`` (codes, outcomes) are the shares of the outcomes that codes stand for, None where codes are outcomes;
    ``whole`` are integers proportional to those of repeats, all by one factor.
    """

    where: Integers
    question: Integers
    entity: Integers
    code: Integers
    grades: Floats | None
    whole: Any = None


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
        likely[:] = likely_clusters(headers, chosen[0]) if cluster is None else []
        unused[:] = [header for header in headers if header]
        return chosen[0].roles() | dict.fromkeys(likely, "cluster")

    table, columns = _table(source, choose, lambda header: known(header) or header in named, encoding, chosen)
    try:
        stated = UNIT if scale is None else checked_scale(scale)
        columns, notes = _with_cluster(table, columns, likely)
        answers = _answers(table, columns, stated)
        if scale is None and (correct is None or not asked):
            if answers.case is not None and len(answers.entities) > 1 and not _has_shared_case(answers):
                refuse_doubtful(columns)
            refuse_guessed(columns, answers.levels.tolist())
        several, tried = len(columns.correct), len(answers.grade)
        answers = _settled(answers, unanswered)
        gone = 0 if answers.lasting is None else (tried - answers.lasting) // several
        space = _space(answers, columns.metric if stated == UNIT else f"grade of {columns.metric}")
        cells = _apart(answers, space) if answers.case is None else _cells(answers, space, columns, repeat)
        P = _performances(cells, answers, space)
        if answers.case is None:
            if len(answers.entities) > 1:
                notes += ["Not paired: no column names the case, so each model is counted by itself"]
        elif lacking := _lacking(answers):
            note = f"Not paired: {lacking}; so the entities are compared on different cases"
            notes += [note + "; grades of different cases have no uncertainty here" * (cells.grades is not None)]
        else:
            P = P.with_pairing(Joint(P, _units(cells, answers, columns), columns.cluster is not None))
        if columns.entity == FILE and len(answers.entities) > 1:
            notes = ["each file is a model", *notes]
        return P.noting(
            *notes,
            source=table.where or "data in memory",
            records=table.records,
            cases=None if answers.case is None else len(combined([answers.domain, answers.case])[1]),
            models=len({*P.names}),
            domains=P.n_domains or None,
            columns=columns.by_role(),
            metric=None if mean_of_grades(space) is None else space.name,
            unused=unused,
            left_out={"some model did not answer the case": gone} if gone else {},
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


def _answers(table: CodedCases, columns: CaseColumns, scale: Scale) -> _Answers:
    """Return the answers of a table, one row each; several columns of them stand below each other."""
    if not table.records:
        raise DataError("there is no row", expected="one per case")
    grade, levels = _grades(table, columns, scale)
    several, m = len(columns.correct), table.records
    nowhere = np.zeros(m, dtype=np.int64)
    entities, entity = _names(table, columns.entity, "entity") or ((_lone(columns.correct[0]),), nowhere)
    if several > 1:
        entities = columns.correct
    case = None if columns.case is None else table.columns[columns.case].codes
    if case is not None and (lost := int((case < 0).sum())):
        raise DataError(f"in {counted(lost, 'row')} the case is missing (column {quoted(columns.case)})")
    if case is None and len(entities) in (1, several):  # each row is a case
        case = np.arange(m)
    domains, domain = _domains(table, columns.domain) or ((), nowhere)
    clusters, cluster = _names(table, columns.cluster, "cluster") or ((), None)
    repeats = _names(table, columns.repeat, "repeat")

    def down(column: Integers) -> Integers:
        """Return a column once for each of the columns of answers, which stand below each other."""
        return np.tile(column, several)

    return _Answers(
        np.repeat(np.arange(several), m) if several > 1 else entity,
        down(domain),
        None if case is None else down(case),
        None if cluster is None else down(cluster),
        None if repeats is None else down(repeats[1]),
        grade, levels, entities, domains, clusters,
    )  # fmt: skip


def _settled(answers: _Answers, unanswered: str | None) -> _Answers:
    """Return the answers once it is settled what becomes of missing ones, empty cells and absent rows.

    They are refused, or count as wrong or apart, or only the cases that all have answered in common count.
    """
    empty_ones, n, lacking = int((answers.grade < 0).sum()), len(answers.grade), _lacking(answers)
    like, entity = _absent(answers)
    if len(like):
        rows: Any = {name: getattr(answers, name) for name in ("domain", "case", "cluster", "repeat")}
        longer: Any = {name: np.append(column, column[like]) for name, column in rows.items() if column is not None}
        longer["grade"] = np.append(answers.grade, np.full(len(like), -1))
        answers = answers._replace(**longer, entity=np.append(answers.entity, entity))
    if not (answers.grade < 0).any() or unanswered == "apart":
        return answers
    if unanswered is None:
        many = f"{counted(empty_ones, 'answer')} of {n} {'is' if empty_ones == 1 else 'are'} empty"
        raise DataError(
            many if empty_ones else lacking,
            expected="right or wrong in each" if empty_ones else "an answer of each model to each case",
            way_out=[["count them as failures with ", Option("unanswered", "wrong")],
                     ["keep them as an outcome with ", Option("unanswered", "apart")],
                     ["compare on the cases that all answered with ", Option("unanswered", "common")]],
        )  # fmt: skip
    if unanswered == "wrong":
        levels, place = np.unique(np.append(answers.levels, 0.0), return_inverse=True)
        return answers._replace(levels=levels, grade=np.where(answers.grade < 0, place[-1], place[answers.grade]))
    return _in_common(answers, n)


def _has_shared_case(answers: _Answers) -> bool:
    """Tell whether any case was answered by two entities."""
    _, cells = combined([answers.domain, np.asarray(answers.case), answers.entity])
    return len(combined([cells[:, 0], cells[:, 1]])[1]) < len(cells)


def _absent(answers: _Answers) -> tuple[Integers, Integers]:
    """Return an answer to each case that an entity lacks on a domain where it has others, and the entity.

    Domains on which no two entities share a case have cases of their own for each, and so lack nothing.
    """
    if answers.case is None:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    n = len(answers.entities)
    question, _ = combined([answers.domain, answers.case])
    first = np.unique(question, return_index=True)[1]
    at, where = np.unique(question * n + answers.entity), answers.domain[first]
    shared = np.unique(where[np.bincount(at // n) > 1])
    of_domain = {d: np.flatnonzero(where == d) for d in shared.tolist()}
    tried = np.unique(answers.domain * n + answers.entity).tolist()
    due = [of_domain[t // n] * n + t % n for t in tried if t // n in of_domain]
    missing = np.setdiff1d(np.concatenate(due), at) if due else np.zeros(0, dtype=np.int64)
    return first[missing // n], missing % n


def _in_common(answers: _Answers, n: int) -> _Answers:
    """Return the answers to the cases that all have answered; the first n of the answers were read."""
    if answers.case is None:
        way_out = [["name it with ", Option("case")]]
        raise DataError("no column names the case, so which ones all have answered is not known", way_out=way_out)
    question, places = combined([answers.domain, answers.case])
    keep = np.bincount(question, answers.grade < 0) == 0
    gone = np.setdiff1d(places[:, 0], places[keep, 0])
    if len(gone):
        on = f" on {quoted(answers.domains[int(gone[0])])}" if answers.domains else ""
        ways = [["count missing answers as failures with ", Option("unanswered", "wrong")]]
        raise DataError(f"no case{on} has an answer of every model", way_out=ways)
    rows: Any = {name: getattr(answers, name) for name in ("entity", "domain", "case", "cluster", "repeat", "grade")}
    kept: Any = {name: column[keep[question]] for name, column in rows.items() if column is not None}
    return answers._replace(**kept, lasting=int(keep[question][:n].sum()))


def _lone(header: str) -> str:
    """Return the name of an entity that no column names: the header, unless that only says right or wrong."""
    return "P1" if plain(header) in CORRECT else header


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


def _grades(table: CodedCases, columns: CaseColumns, scale: Scale) -> tuple[Integers, Floats]:
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


# From answers to cells


def _space(answers: _Answers, metric: str) -> SampleSpace:
    """Return the outcomes of the cases: right or wrong, or, where some have a grade between, those of the metric."""
    open_ones = bool((answers.grade < 0).any())
    if ((answers.levels == 0) | (answers.levels == 1)).all():
        return SPACE_WITH_UNANSWERED if open_ones else SPACE
    return graded(metric, open_ones)


def _shares_of_levels(levels: Floats, space: SampleSpace) -> Floats:
    """Return the shares of the outcomes of each level, (levels + 1, outcomes); the last is that of no answer."""
    shares = np.zeros((len(levels) + 1, len(space)))
    shares[:-1, 0], shares[:-1, -1] = 1 - levels, levels
    shares[-1, 1] = 1.0
    return shares


def _codes(grade: Integers, levels: Floats, space: SampleSpace) -> tuple[Integers, Floats | None]:
    """Return outcomes, or, where some answers are graded, places among shares of outcomes."""
    shares = _shares_of_levels(levels, space)
    if ((levels == 0) | (levels == 1)).all():
        return shares.argmax(axis=1)[grade], None
    if len(space) == 2:
        return grade, shares[:-1]
    return np.where(grade < 0, len(levels), grade), shares


def _apart(answers: _Answers, space: SampleSpace) -> _Cells:
    """Return each answer as a case of its own."""
    order = np.lexsort((answers.entity, answers.domain))
    code, grades = _codes(answers.grade[order], answers.levels, space)
    return _Cells(answers.domain[order], np.arange(len(order)), answers.entity[order], code, grades)


def _cells(answers: _Answers, space: SampleSpace, columns: CaseColumns, repeat: str | bool | None) -> _Cells:
    """Return the cells of cases and entities; raises where a case was answered twice and nothing says why."""
    averaged, averaged_all = columns.repeat is not None or repeat is True, repeat is True
    n = len(answers.entities)
    question, places = combined([answers.domain, np.asarray(answers.case)])
    at = question * n + answers.entity
    if answers.repeat is not None and not averaged_all:
        _, numbered = combined([at, answers.repeat])
        if len(numbered) < len(at):
            raise DataError(
                f"{counted(len(at) - len(numbered), 'answer')} too many: the same model has the same case and "
                f"{columns.repeat!s} more than once",
                way_out=["number the answers to each case", AVERAGE],
            )
    cells, row, times = np.unique(at, return_inverse=True, return_counts=True)
    where = places[:, 0][cells // n]
    if len(cells) == len(at) and repeat:
        raise UsageError([Option("repeat"), " would change nothing: no model has several answers to a case"])
    if len(cells) < len(at):
        if not averaged:
            first = int(np.argmax(times > 1))
            name = quoted(answers.entities[int(cells[first] % n)])
            raise DataError(
                f"{counted(int((times > 1).sum()), 'case')} with several answers of one model, such as {name}",
                way_out=[["name the column that numbers the repeats with ", Option("repeat")], AVERAGE],
            )
        return _Cells(where, cells // n, cells % n, *_averages(answers, space, row, times))
    code, grades = _codes(answers.grade[np.argsort(at)], answers.levels, space)
    return _Cells(where, cells // n, cells % n, code, grades)


def _averages(answers: _Answers, space: SampleSpace, row: Integers, times: Integers) -> tuple[Integers, Floats, Any]:
    """Return the means over the repeats of each cell: codes (cells,), and the shares of outcomes that they stand for.

    The last are integers proportional to these, all by one factor: equal means are one code, whatever they are of.
    """
    kinds = len(answers.levels) + 1
    level = np.where(answers.grade < 0, kinds - 1, answers.grade)
    cell_level, numbers = np.unique(row * kinds + level, return_counts=True)
    whole = _whole(_shares_of_levels(answers.levels, space))
    common = int(np.lcm.reduce(np.unique(times).astype(object)))
    total = int(whole[0].sum()) * common  # of the integers of each mean
    kind = np.int64 if total < 2**53 else object
    parts = (common // times.astype(object)).astype(kind)[cell_level // kinds]
    sums = np.zeros((len(times), len(space)), dtype=kind)
    np.add.at(sums, cell_level // kinds, whole.astype(kind)[cell_level % kinds] * (parts * numbers)[:, None])
    if kind is object:  # which numpy does not sort by rows
        texts = np.array([",".join(map(str, cell)) for cell in sums.tolist()])
        _, first, code = np.unique(texts, return_index=True, return_inverse=True)
        means = sums[first]
    else:
        means, code = np.unique(sums, axis=0, return_inverse=True)
    return code.ravel(), (means / total).astype(np.float64), means.astype(object)


# From cells to performances


def _performances(cells: _Cells, answers: _Answers, space: SampleSpace) -> Performances:
    """Return the performances, by domain and entity; counts where no case is graded, else exact sums of grades."""
    n = len(answers.entities)
    pair = cells.where * n + cells.entity
    there = np.unique(pair)
    names = [answers.entities[int(p % n)] for p in there]
    domains = [answers.domains[int(p // n)] for p in there] if answers.domains else None
    if cells.grades is None:
        counts = np.bincount(pair * len(space) + cells.code, minlength=(int(there[-1]) + 1) * len(space))
        return Performances.from_counts(
            counts.reshape(-1, len(space))[there], names=names, domains=domains, space=space
        )
    whole = _whole(cells.grades) if cells.whole is None else cells.whole
    order = np.argsort(pair, kind="stable")
    starts = np.flatnonzero(np.diff(pair[order], prepend=-1))
    sums = np.add.reduceat(whole[cells.code[order]], starts, axis=0)
    return Performances.from_exact(sums, names=names, domains=domains, space=space)


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


def _lacking(answers: _Answers) -> str:
    """Return who lacks how many of the cases that others have, or nothing."""
    if answers.case is None:
        return ""
    n, number = len(answers.entities), max(len(answers.domains), 1)
    _, cells = combined([answers.domain, answers.entity, answers.case])
    have = np.bincount(cells[:, 0] * n + cells[:, 1], minlength=number * n).reshape(number, n)
    questions = np.bincount(combined([answers.domain, answers.case])[1][:, 0], minlength=number)

    def word(pair: Any) -> str:
        d, e = int(pair[0]), int(pair[1])
        on = f" on {quoted(answers.domains[d])}" if answers.domains else ""
        return f"{quoted(answers.entities[e])} lacks {questions[d] - have[d, e]} of {questions[d]} cases{on}"

    absent = list(np.argwhere(have < questions[:, None]))
    return some(absent, 3, quote="", joint="; ", word=word) if absent else ""


def _units(cells: _Cells, answers: _Answers, columns: CaseColumns) -> tuple[Units, ...]:
    """Return, per domain, the kinds of cases: what each entity does on them; every entity has every case."""
    n = len(answers.entities)
    codes, where = cells.code.reshape(-1, n), cells.where.reshape(-1, n)[:, 0]
    cluster = None if answers.cluster is None else _clusters(cells, answers, columns)
    units = []
    for d in range(max(len(answers.domains), 1)):
        here = np.flatnonzero(where == d)
        inside = np.zeros(len(here), np.int64) if cluster is None else cluster[here]
        group, kinds = combined([inside, *codes[here].T])
        number = None if cluster is None else np.unique(kinds[:, 0], return_inverse=True)[1].ravel()
        units.append(Units(kinds[:, 1:], np.bincount(group), number, cells.grades))
    return tuple(units)


def _clusters(cells: _Cells, answers: _Answers, columns: CaseColumns) -> Integers:
    """Return the cluster of each case; raises where a case lies in several, or a cluster on several domains."""
    question, _ = combined([answers.domain, np.asarray(answers.case)])
    of_case, both = np.unique(np.stack([question, np.asarray(answers.cluster)]), axis=1, return_index=True)
    if of_case.shape[1] > int(question.max()) + 1:
        raise located("", f"some cases lie in several clusters of {quoted(str(columns.cluster))}: expected one of each")
    pairs = zip(answers.domain[both].tolist(), of_case[1].tolist(), strict=True)
    if answers.domains and (crossing := crossing_clusters((answers.domains[d], answers.clusters[c]) for d, c in pairs)):
        raise located("", crossing)
    return np.asarray(of_case[1])
