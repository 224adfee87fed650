"""Counting: files and data frames of predictions, or of answers that are right or wrong, become performances.

Whatever holds a data frame (pandas, polars, DuckDB, Dask, Spark, Ibis) groups its rows, and few rows travel. What is
right or wrong, or has grades, becomes performances that know their cases, as predictions do.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import chain, count, repeat
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ..account import NO_CASES, NUMBERED_ANEW, SAME_NAMES, Positive
from ..arrays import Flags, Floats, Integers, mean_of
from ..checks.positive import listed, order_of
from ..errors import DataError, Option, UsageError, no_effect, not_among
from ..kernels.counting import weighted_bincount
from ..kernels.exact import integers_of_floats
from ..outcomes import TWO_CLASS, SampleSpace
from ..performances import Joint, Performances, Shared
from ..results import Table
from ..tasks.success import SPACE, SPACE_WITH_UNANSWERED, graded, mean_of_grades
from ..texts import counted, joined, some
from ..typing import Label, TableLike
from .cells import number_of_text
from .codes import (
    Chunk,
    CodedCases,
    Coding,
    Column,
    LabelsOf,
    Rows,
    Tally,
    answered,
    coded_cases,
    codes_of,
    coding_of,
    column_of,
    combined,
    counted_once,
    gaps,
    lacking,
    meaning_of_labels,
    name_in,
    of_same_cases,
    on_all_domains,
    performances_of,
    plain_value,
    ranked,
    refuse_nameless,
    refuse_same_cases,
    refuse_single,
    repeated,
    rows_of,
    settled,
    unmatched,
    wrong_labels,
)
from .content import lazy_frame, parquet_relation, whole_sheet
from .headers import (
    ANSWERS,
    CLUSTERS,
    CORRECT,
    FILE,
    MODELS_OF_CASES,
    MULTIPLIERS,
    PERHAPS,
    PREDICTIONS,
    RUNS,
    RUNS_OF_CASES,
    UNANSWERED_AS,
    UNIT,
    Columns,
    checked_scale,
    chosen_columns,
    empty,
    first_of,
    grade_of,
    levels_of,
    likely_role,
    plain,
    role,
)
from .sheets import (
    Sheet,
    Source,
    are_pieces,
    format_of,
    is_source,
    located,
    names_of_files,
    no_column,
    places_of,
    quoted,
    refuse_encoding,
    separated_table,
    sources_of,
)

WITHOUT_ANSWER = (
    ["count missing predictions as wrong with ", Option("unanswered", "wrong")],
    ["compare on the cases that every model answered with ", Option("unanswered", "common")],
)
"""What to do about cases that a model did not answer; of those without a score the first makes no sense."""

MOST_STRANGERS = 3
"""Labels that were not expected and are named one by one."""

COSTLY = "so many entities may do too many different things to count each; uncertainty.paired_table does so"
_PLURAL = {"entity": "entities", "domain": "domains"}


if TYPE_CHECKING:
    import narwhals as nw

# Opening tables of any kind

MANY_TEXTS = 10_000
"""Of more texts the distinct ones are found by pyarrow, where it is installed."""

MOST_COLUMNS = 15
"""Of more columns of predictions rows are not grouped, as few are alike, and more models are paired on demand only."""

Choose = Callable[[Sequence[str]], tuple[Columns, Mapping[str, str]]]
"""Gives, for the headers of a table, its columns, and others that are needed, with what each holds."""


def opened(
    source: Any, columns: Columns, *, encoding: str | None = None, distinct: bool = False
) -> tuple[CodedCases, Columns]:
    """Return a table of predictions, and its columns, with that which names the models where nobody named it.

    Rows stand in the order of the source where it has one; ``distinct`` ones are put together.
    """
    roles = columns.roles()
    # Kinds of cases have no names, which are needed where the column of cases is another one, too.
    distinct = distinct and columns.case not in columns._replace(case=None).roles()
    likely = () if columns.repeat is not None else RUNS if columns.case is None else RUNS_OF_CASES

    def choose(headers: Sequence[str]) -> tuple[Columns, Mapping[str, str]]:
        return columns, {header: "repeat" for header in headers if plain(header) in likely and header not in roles}

    table, columns = table_of(source, choose, roles.__contains__, encoding=encoding, distinct=distinct)
    runs = [header for header in table.columns if header not in {*columns.roles(), FILE}]
    doubtful = runs
    if columns.case is None and FILE in table.columns:  # what some files lack can be no option that settles it
        doubtful = [header for header in runs if (table.columns[header].codes >= 0).all()]
    for header in of_same_cases(table, columns, doubtful):
        refuse_same_cases(header, columns)
    for header in runs:  # which say no more
        del table.columns[header]
    if distinct and columns.case is not None:
        table.put_together(columns.case)
    table.join(columns.levels)
    return table, columns


def table_of(
    source: Any, choose: Choose, known: Callable[[str], bool], *, encoding: str | None = None, distinct: bool = False
) -> tuple[CodedCases, Columns]:
    """Return columns of files, a data frame, a mapping or records, and which of them holds what.

    ``known`` recognizes headers, of texts. Engines give ``distinct`` rows, where that is asked for.
    """

    def read(frame: nw.LazyFrame[Any], where: str, files: Sequence[Source] = ()) -> tuple[CodedCases, Columns]:
        columns, roles = _models(list(map(str, frame.collect_schema())), choose, where, files)
        _check(frame, roles, columns, where)
        few = distinct and columns.case is None and not columns.scored and len(columns.answers) <= MOST_COLUMNS
        table = _of_frame(frame, list(roles), where, distinct=few)
        for header in {*roles} - {*(columns.answers if columns.scored else ())}:
            if str(frame.collect_schema().get(header)) == "Float32":  # 0.1 is meant, whatever it is in 64 bits
                values, codes = table.columns[header]
                table.columns[header] = Column([float(str(np.float32(value))) for value in values], codes)
        table.ordered = table.ordered or bool(files) or few
        return table, columns

    listed = isinstance(source, (list, tuple))
    if is_source(source) or (listed and not source):
        sources = sources_of(source, encoding)
        kinds = sorted({format_of(one).name for one in sources})
        if "parquet" in kinds and len(kinds) > 1:
            raise DataError(f"the files are of several kinds ({', '.join(kinds)}); expected one: name a pattern")
        where = some(sources, 1, quote="", word=lambda source: source.where)
        if kinds != ["parquet"]:
            return _of_rows(sources, choose, known, where)
        paths = [one.on_disk for one in sources]
        with parquet_relation(paths, where) as relation:
            columns, _ = _models(relation.columns, choose, where, sources)
        names = names_of_files([one.where for one in sources]) if columns.entity == FILE else []
        with parquet_relation(paths, where, names) as relation:
            table, columns = read(lazy_frame(relation), where, sources)
        return _about_files(table, columns, sources, names), columns
    refuse_encoding(encoding)
    if not (isinstance(source, (Mapping, Table)) or (listed and all(isinstance(row, Mapping) for row in source))):
        frame = lazy_frame(source)
        schema = frame.collect_schema()
        kinds = [str(schema.get(header)) for header in _models(list(map(str, schema)), choose, "")[0].numbers()]
        if "Object" not in kinds:  # as decimals of Python are
            return read(frame, "")
    return _of_rows([source], choose, known, "")


def _models(
    headers: Sequence[str], choose: Choose, where: str, files: Sequence[Source] = ()
) -> tuple[Columns, dict[str, str]]:
    """Return the columns, with that which names the models where nobody named it, and what all that are needed hold."""
    # It is one called so, or else that of the files: a file that names no model is one, called by the file, unless the
    # files are pieces of one table. Errors name the file.
    try:
        columns, more = choose(headers)
    except DataError as error:
        raise error.located(where) from None
    roles = {**columns.roles(), **more}
    if columns.lone is None:
        return columns, roles
    named = [source for source in files if source.path == source.where or os.path.splitext(source.where)[1]]
    of_files = len(named) == len(files) and not are_pieces(named) and bool(named)
    model = None
    if columns.truth is not None:  # of answers it was looked for already
        model = first_of(headers, MODELS_OF_CASES, *roles)
        # The header of a lone column of predictions names the model, unless any model's could be called so.
        of_files = of_files and (len(files) > 1 or plain(columns.lone) in PREDICTIONS["prediction"])
    entity = model or (FILE if of_files else None)
    return columns._replace(entity=entity), roles | ({} if entity is None else {entity: "entity"})


# Files of text


def _of_rows(
    sources: Sequence[Any], choose: Choose, known: Callable[[str], bool], where: str
) -> tuple[CodedCases, Columns]:
    """Return the table in files of text, of which CSV need not be in memory, or in what is in memory already."""
    files = [source for source in sources if isinstance(source, Source)]

    def sheets_of(source: Any) -> Iterator[Sheet]:
        if not files:
            return iter([whole_sheet(source, None, known)])
        if not format_of(source).texts:
            return iter([format_of(source).sheet(source, known)])
        headers, records, _ = separated_table(source, known)
        of_records = (Sheet(headers, rows, source.where, starts) for starts, rows in records)
        return chain([Sheet(headers, [], source.where)], of_records)  # the headers are looked at first

    sheets = sheets_of(sources[0])
    start, first = next(sheets), dict[str, Any]()
    columns, roles = _models(start.headers, choose, where, files)
    names = names_of_files([source.where for source in files]) if columns.entity == FILE else []
    of_files = {header: what for header, what in roles.items() if header != FILE}
    named = columns.roles()
    may_lack = {header for header, what in of_files.items() if what == "repeat" and header not in named}

    def needed() -> Iterator[Chunk]:
        for i, source in enumerate(sources):
            for sheet in sheets_of(source) if i else chain([start], sheets):
                if not first:
                    first.update(zip(sheet.headers, next(iter(sheet.rows), ()), strict=False))
                here = {header: what for header, what in of_files.items() if header not in may_lack - {*sheet.headers}}
                places = dict(zip(here, places_of(sheet.headers, here, sheet.where), strict=True))
                nothing = [""] * len(sheet.rows)
                cells = [sheet.column(places[header]) if header in here else nothing for header in of_files]
                of_file = ([name] * len(sheet.rows) for name in names[i : i + 1])
                yield sheet.where, sheet.lines or repeat(None), [*cells, *of_file]

    texts = bool(files) and all(format_of(one).texts for one in files)
    table = coded_cases(needed(), list(roles), columns.numbers(), where, texts)
    table.headers, table.first = tuple(start.headers), first
    return _about_files(table, columns, files, names), columns


def _about_files(table: CodedCases, columns: Columns, sources: Sequence[Source], names: Sequence[str]) -> CodedCases:
    """Return a table with a note on what several files are taken for."""
    if columns.lone and are_pieces(sources):
        table.notes = ("the files are read as pieces of one table",)
    elif missed := {*names} - {*(table.columns[FILE].values if names else ())}:
        table.notes = (f"no row is in {some(sorted(missed))}",)
    return table


# Data frames


def _check(frame: nw.LazyFrame[Any], roles: Mapping[str, str], columns: Columns, where: str) -> None:
    """Raise DataError for a column that is not there, or cannot hold what it must."""
    schema = frame.collect_schema()
    for header in roles:
        # SQLFrame takes 1 for the number, and null for nothing.
        named = header.startswith("`") or (header.isidentifier() and header.casefold() != "null")
        if frame.implementation.is_sqlframe() and not named:
            problem = f"SQLFrame does not take {quoted(header)} for the name of a column"
            raise located(where, f"{problem}; expected letters, digits and underscores: rename it")
        if header not in schema:
            raise no_column(where, header, roles, list(schema))
    for header, (what, expected) in columns.numbers().items():
        if not schema[header].is_numeric():
            problem = f"the column {quoted(header)} holds no {what} but {schema[header]}; expected {expected}"
            raise located(where, problem)


def _of_frame(frame: nw.LazyFrame[Any], headers: Sequence[str], where: str, *, distinct: bool) -> CodedCases:
    """Return some columns, fetched in one job: all rows, or ``distinct`` ones with the number of each."""
    import narwhals as nw

    kind, schema = frame.implementation, frame.collect_schema()
    plan = frame.select(*(nw.col(header).alias(f"c{i}") for i, header in enumerate(headers)))
    if distinct:
        plan = plan.group_by(*plan.collect_schema().names()).agg(nw.len().alias("n"))
    try:
        coded = _columns(plan, streaming=distinct)
    except DataError:
        raise
    except Exception as error:  # each engine has its own, such as one that is not there
        reason = " ".join(str(error).split())[:200]
        raise located(where, f"this cannot be counted: {reason}") from error
    times = None
    if distinct:
        *coded, n = coded
        times = np.array([*map(int, n.values)], dtype=np.int64)[n.codes]
    rows = len(coded[0].codes) if times is None else int(times.sum())
    table = CodedCases(dict(zip(headers, coded, strict=True)), rows, where, False, times)
    table.first = {header: 1 if k.is_numeric() else None for header, k in schema.items() if header != FILE}
    table.headers = list(table.first)
    table.ordered = kind.is_pandas_like() or kind.is_polars() or kind.is_pyarrow() or kind.is_dask()
    return table


def _columns(plan: nw.LazyFrame[Any], streaming: bool) -> list[Column]:
    """Carry out a plan, and return its columns."""
    import narwhals as nw

    schema, kind = plan.collect_schema(), plan.implementation
    if kind.is_duckdb():
        plain = (nw.Float32, nw.Float64, nw.Boolean, nw.String)  # not 128 bits, decimals and dates
        if all(k in plain or (k.is_integer() and "128" not in str(k)) for k in schema.values()):
            arrays = plan.to_native().fetchnumpy().values()
            return [_of_array(np.ma.getdata(column), ~np.ma.getmaskarray(column)) for column in arrays]
    if not (kind.is_duckdb() or kind.is_pyspark() or kind.is_pyspark_connect()):
        frame = plan.collect("polars", engine="streaming") if streaming and kind.is_polars() else plan.collect()
        return [_of_series(frame[name]) for name in schema]
    rows = plan.to_native().fetchall() if kind.is_duckdb() else plan.to_native().collect()
    return [_of_cells(cells) for cells in zip(*rows, strict=True)] if rows else [_of_cells(())] * len(schema)


def _of_series(series: nw.Series[Any]) -> Column:
    import narwhals as nw

    kind = series.dtype
    if kind.is_integer() or kind.is_float():
        values = series.fill_null(0).to_numpy()
        if values.dtype.kind in "biuf":
            return _of_array(values, ~np.asarray(series.is_null().to_numpy(), dtype=bool))
    if kind == nw.String and len(series) > MANY_TEXTS and find_spec("pyarrow"):  # which tells them apart in no time
        coded = series.to_frame().to_arrow().column(0).dictionary_encode().unify_dictionaries()
        parts = [part.indices.fill_null(-1).to_numpy(zero_copy_only=False) for part in coded.chunks]
        return Column(coded.chunk(0).dictionary.to_pylist(), np.concatenate(parts, dtype=np.int64))
    return _of_cells(series.to_list())


def _of_array(values: NDArray[Any], known: Flags) -> Column:
    """Return a column of an array of which some values are known."""
    if values.dtype.kind == "f":
        known = known & ~np.isnan(values)
    there, codes = values[known], np.full(len(values), -1, dtype=np.int64)
    if values.dtype.kind not in "biuf":
        distinct, codes[known] = _of_cells(there.tolist())
        return Column(distinct, codes)
    small = values.dtype.kind != "f" and values.dtype != np.uint64
    numbers, codes[known] = ranked(there.astype(np.int64)) if small else np.unique(there, return_inverse=True)
    return Column((numbers.astype(bool) if values.dtype.kind == "b" else numbers).tolist(), codes)


def _of_cells(cells: Sequence[Any]) -> Column:
    """Return a column of values of any kind."""
    index: defaultdict[Any, int] = defaultdict(count().__next__)
    codes = codes_of(index, cells)
    none = index.get(None, -1)
    if {*map(type, index)} <= {str, type(None)}:  # as most are, and nothing else means the same
        if none >= 0:
            codes = np.where(codes == none, -1, codes - (codes > none))
        return Column([cell for cell in index if cell is not None], codes)
    return column_of(map(plain_value, index), codes)


# Counting


def tally(
    source: TableLike, *, prediction: str | Sequence[str] | None = None, score: str | Sequence[str] | None = None,
    threshold: Any = None, entity: str | None = None, domain: str | Sequence[str] | None = None,
    pos_label: Label | None = None, labels: LabelsOf = None, unanswered: str | None = None, pairs: str = "never",
    only: str | None = None, encoding: str | None = None, **named: Any,
) -> Tally:  # fmt: skip
    """Return what :func:`rankscape.count` does, with the number of rows, the positive label and pooled columns.

    ``pairs`` tells whether the performances know which cases their entities share: "never"; "perhaps", where the table
    says it and that is cheap; or "always", so that what cannot be paired is refused. ``cluster`` names a column, too,
    ``repeat`` the one that numbers repeated predictions of a case, which are averaged, and ``only`` is the one domain
    that is looked at; all need pairs. Other columns are ``named``: truth, case, weight.

    >>> import pyarrow as pa
    >>> result = tally(pa.table({"y": [0, 1, 1], "p": [0, 1, 0]}), truth="y", prediction="p")
    >>> result.rows, result.positive, result.performances.counts.tolist()
    (3, 1, [[1, 0, 1, 1]])
    """
    names = predictions_of(score if prediction is None else prediction, entity)
    try:
        cut = None if prediction is not None else float(threshold)
    except (TypeError, ValueError, OverflowError):
        cut = math.nan
    if cut != cut:
        raise UsageError(Option("threshold", threshold), expected="a number such as 0.5")
    if unanswered is not None and score is not None:
        raise no_effect("unanswered", "a case without a score has no threshold")
    columns = Columns(names, entity, levels_of(domain), threshold=cut, **named)
    if (
        columns.weight is not None
        or columns.scored
        or (pairs == "perhaps" and len(names) == 1 and columns.case is None)
    ):
        pairs = "never"
    distinct = unanswered is None and columns.repeat is None
    table, columns = opened(source, columns, encoding=encoding, distinct=distinct)
    try:
        result = tally_of(table, columns, pos_label, labels, unanswered)
        if columns.case is None and (columns.repeat is not None or (pairs == "always" and columns.entity is not None)):
            why = "entities are paired by their cases" if columns.repeat is None else "repeats are of the same cases"
            raise UsageError(why, way_out=("name the column of cases with ", Option("case")))
        if only is not None:
            result = result._replace(performances=result.performances.in_domain(only), cases=result.cases.on(only))
        P, rows = result.performances, result.cases
        if pairs == "never" or (pairs == "perhaps" and len({*P.names}) < 2):
            return result
        lost = on_all_domains(rows, columns, result.truth) if columns.repeat is None else ""
        if pairs == "perhaps" and (lost := COSTLY if len({*P.names}) > MOST_COLUMNS else lost):
            return result._replace(performances=P.sharing(Shared(None, np.arange(len(P)), lost=lost)))
        if lost:
            raise DataError(
                lost, where=table.where,
                way_out=[counted_once(columns.levels[-1]),
                         "where they are different cases, name them apart, as domain/case"],
            )  # fmt: skip
        # Other cases are drawn with all of their repeats, so that ten copies of a test set are as sure as one.
        known = performances_of(rows, np.identity(len(P.space), dtype=object), P.space, columns.cluster)
        of_domains = cast(Joint, cast(Shared, known.shared).cases).cases
        known = replace(known, account=P.account).sharing(known.shared).noting(cases=sum(of_domains.values()))
        return result._replace(performances=known)
    except DataError as error:
        raise error.located(table.where) from None


def tally_of(
    table: CodedCases, columns: Columns, pos_label: Any = None, labels: Any = None, unanswered: str | None = None
) -> Tally:
    """Return the same as :func:`tally`, of a table that is open, with an account of its columns."""
    used, several = {*columns.roles(), *table.columns}, len(columns.answers) > 1
    for header in table.headers if columns.weight is None else ():
        number = number_of_text(str(table.first.get(header)), True)
        if plain(header) in MULTIPLIERS and header not in used and number is not None:
            raise DataError(
                f"the column {quoted(header)} seems to say how often each row counts", where=table.where,
                expected="its name, or a table without it",
                way_out=[["count each row so often with ", Option("weight", header)], "rename or drop the column"],
            )  # fmt: skip
    result = tallied(table, columns, pos_label, labels, unanswered)
    refuse_nameless(result.cases, columns)
    facts = {"truths": result.truth}
    if columns.scored:
        facts |= {f"{what}s": table.codes(getattr(columns, what))[result.cases.row] for what in ("fold", "weight")}
    if columns.case is not None and (amiss := unmatched(result.cases, columns, facts)):
        only_absent = amiss == [lacking(result.cases, untried=False)]
        ways = WITHOUT_ANSWER[columns.scored :] if only_absent else []
        raise DataError("; ".join(amiss), way_out=[*ways, "complete or correct the table"])
    # The numbered index that pandas writes beside the columns of a table is none of them.
    index = re.compile(r"|__index_level_\d+__|Unnamed: \d+").fullmatch
    spare = {header: likely_role(header) for header in table.headers if header not in used and not index(header)}
    named = {"entity": columns.entity is not None or several, "domain": bool(columns.levels)}
    pooled = {header: kind for header, kind in spare.items() if kind is not None and not named.get(kind, True)}
    notes = [
        f"if {quoted(header)} names the {_PLURAL[kind]}, add --{kind}-column {quoted(header)} "
        f"({kind}={quoted(header)} in Python)"
        for header, kind in pooled.items()
    ]
    P, n = result.performances, result.rows // len(columns.answers)
    by_file = ("each file is a model",) if columns.entity == FILE and len(set(P.names)) > 1 else ()
    P = P.noting(
        *by_file, *table.notes, *result.notes, *notes,
        source=table.where or "a data frame", records=n, cases=n if several or len(P) == 1 else None,
        columns=columns.by_role(),
        positive=positive_of(P, result.positive),
        unused=sorted(spare, key=lambda header: spare[header] is None),  # those that would split the rows first
    )  # fmt: skip
    plainly = [note for note, (header, kind) in zip(notes, pooled.items(), strict=True) if role(header) == kind]
    return result._replace(performances=P, notes=(*result.notes, *notes), pooled=tuple(plainly))


def tallied(table: CodedCases, columns: Columns, pos_label: Any, labels: Any, unanswered: str | None) -> Tally:
    """Return the performances in a table, one per domain and entity, sorted; see :func:`rankscape.count`.

    Raises DataError, with numbers, for rows that cannot be counted.
    """
    rows, notes = rows_of(table, columns), list[str]()
    if not len(rows.code):
        raise DataError("there is no row; expected one per case and entity")
    truth, predicted, known = _labels(table, columns)
    rows = rows._replace(code=predicted)
    if columns.repeat is not None and columns.case is not None:
        refuse_single(rows)
    if unanswered is not None:
        rows, notes = answered(rows, columns, unanswered)
    truth, predicted = truth[rows.row], rows.code
    if unanswered == "wrong":
        others = wrong_labels(known, pos_label)
        known += [label for label in dict.fromkeys(others) if label not in known]
        predicted = np.where(predicted < 0, np.array([*map(known.index, others), -1])[truth], predicted)
    coding, code = _outcomes(rows, truth, predicted, known, columns.scored, pos_label, labels)
    rows = rows._replace(code=code)
    k, n = len(coding.space), len(rows.entities)
    cell, size = rows.domain * n + rows.entity, max(len(rows.domains), 1) * n
    code = cell * k + rows.code
    there, _ = ranked(cell, size)
    weight = columns.weight
    sums = weighted_bincount(code, rows.size, size * k) if weight is None else table.sums(weight, rows, code, size * k)
    counts, names = sums.reshape(-1, k)[there], [rows.entities[place % n] for place in there.tolist()]
    domains = [rows.domains[place // n] for place in there.tolist()] if rows.domains else None
    if (void := np.flatnonzero(~counts.astype(bool).any(axis=1))).size:
        on = "" if domains is None else f" on domain {quoted(domains[void[0]])}"
        raise DataError(
            f"entity {quoted(names[void[0]])}{on} has only weights of 0", expected="a row that counts",
            way_out=["correct the table", "drop the entity"],
        )  # fmt: skip
    P = Performances.from_weighted_counts(counts, names=names, domains=domains, space=coding.space)
    if unanswered == "common":
        lost = table.records - len(rows.code) // len(columns.answers)
        P = P.noting(left_out={"some model did not answer the case": lost})
    if absent := gaps(P):  # without any row
        d, e = absent[0]
        more = f" and {counted(len(absent) - 1, 'more', 'more')}" if absent[1:] else ""
        of_all = len({*P.names}) * P.n_domains
        notes.append(f"{len(absent)} of {of_all} cells have no row: entity {quoted(e)} on domain {quoted(d)}{more}")
    return Tally(P, rows, truth, coding.positive, tuple(notes))


def _outcomes(
    rows: Rows, truth: Integers, predicted: Integers, known: Sequence[Any], scored: bool, pos_label: Any, labels: Any
) -> tuple[Coding, Integers]:
    """Return how pairs of labels are outcomes, and the outcome of each row; raise for rows that have none."""
    sizes = rows.size
    holes = {
        "truth": truth, "score" if scored else "prediction": predicted, "name of the entity": rows.entity,
        "name of the domain": rows.domain,
    }  # fmt: skip
    total = int(sizes.sum())
    problems = [(f"the {what} is missing", n) for what, of in holes.items() if (n := int(sizes[of < 0].sum()))]
    whole: Any = np.min([*holes.values()], axis=0) >= 0 if problems else slice(None)
    without = "the prediction is missing" in dict(problems)
    ways: list[Any] = [
        *(WITHOUT_ANSWER if without else ()),
        *(["fill in what is missing"] if problems[without:] else []),
    ]
    if not len(truth[whole]):
        raise DataError(f"no row can be counted: {_sentence(problems, total)}", way_out=ways)
    pair, pairs = combined([truth[whole], predicted[whole]])
    numbers = weighted_bincount(pair, sizes[whole], len(pairs)).tolist()
    both = [(known[true], other if scored else known[other]) for true, other in pairs.tolist()]
    met: tuple[Counter[Any], Counter[Any]] = (Counter(), Counter())
    for pair_of, n in zip(both, numbers, strict=True):
        for of, label in zip(met[: 2 - scored], pair_of, strict=False):
            of[label] += n
    coding = coding_of(*met, pos_label, labels, scored)
    outcomes, strangers = list[int](), Counter[Any]()
    for pair_of, n in zip(both, numbers, strict=True):
        strange = [label for label in pair_of[: 2 - scored] if coding.known is not None and label not in coding.known]
        outcomes.append(-1 if strange else coding.place(*pair_of))
        strangers.update(dict.fromkeys(strange[:1], n))
    if strangers:
        which = joined([listed([label]) for label, _ in strangers.most_common()], MOST_STRANGERS, "or")
        expected = listed(sorted(coding.known or (), key=order_of))
        problems.append((f"a label is {which}, which is none of {expected}", strangers.total()))
        ways += (
            ["correct the labels"] if scored else ["correct the labels", ["name all labels with ", Option("labels")]]
        )
    if problems:
        raise DataError(_sentence(problems, total), way_out=ways)
    return coding, np.array(outcomes)[pair]


def _sentence(problems: Sequence[tuple[str, int]], total: int) -> str:
    return "; ".join(f"in {n} of {counted(total, 'row')} {what}" for what, n in problems)


def _labels(table: CodedCases, columns: Columns) -> tuple[Integers, Integers, list[Any]]:
    """Return the true label of each row, and the predicted one, column after column, as places among all; −1 for none.

    Of scores the predictions are 0 and 1, below the threshold or not.
    """
    truth, several = table.columns[str(columns.truth)], [table.columns[header] for header in columns.answers]
    for header, column in zip(columns.answers, several, strict=True):
        rows = [of.codes == (of.values.index(name) if name in of.values else -2)
                for of, name in ((truth, columns.truth), (column, header))]  # fmt: skip
        if again := int(table.times[rows[0] & rows[1]].sum()):
            raise DataError(
                f"{counted(again, 'row repeats', 'rows repeat')} the header ({quoted(columns.truth)}, "
                f"{quoted(header)})", where=table.where,
                way_out="drop them, or, where several files were put together, name the files instead",
            )  # fmt: skip
    labeled = [truth] if columns.scored else [truth, *several]
    used = (column.values[code] for column in labeled for code in ranked(column.codes)[0].tolist() if code >= 0)
    meaning = meaning_of_labels(used, table.texts)
    known: dict[Any, int] = {}

    def places(column: Column) -> Integers:
        labels = map(meaning, column.values)
        at = [-1 if label is None else known.setdefault(label, len(known)) for label in labels]
        return np.array([*at, -1])[column.codes]

    true = places(truth)
    if columns.threshold is not None:
        least = columns.threshold
        reached = [np.array([*(float(score) >= least for score in of.values), -1])[of.codes] for of in several]
        return true, np.concatenate(reached), [*known]
    return true, np.concatenate([*map(places, several)]), [*known]


def positive_of(P: Performances, label: Any) -> Positive | None:
    """Return the positive class of performances of two classes, and its share among their cases."""
    if label is None or P.space != TWO_CLASS:
        return None
    if P.counts is None:
        return Positive.of(label, mean_of(P.priors))
    return Positive.of(label, int(P.counts[:, 2:].sum()) / int(P.counts.sum()))


def predictions_of(given: str | Sequence[str] | None, entity: str | None) -> tuple[str, ...]:
    """Return the columns of predictions or scores: one, or several, which no column names."""
    names = (given,) if isinstance(given, str) else tuple(given or ())
    if not names or len(set(names)) < len(names):
        raise UsageError(f"expected one column of predictions, or several different ones; got {given!r}")
    if len(names) > 1 and entity is not None:
        name = Option("entity")
        raise UsageError("several columns of predictions are several entities", way_out=[["leave out ", name]])
    return names


# Right or wrong


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
        raise not_among("unanswered", unanswered, UNANSWERED_AS)
    correct, repeat = named.get("correct"), named.get("repeat")
    given = {correct} if isinstance(correct, str) else {*(correct or ())}
    seen: dict[str, Any] = {}

    def choose(headers: Sequence[str]) -> tuple[Columns, Mapping[str, str]]:
        columns = chosen_columns(headers, **named)
        beside = [header for header in headers if header not in columns.roles()]
        likely = [header for header in beside if plain(header) in CLUSTERS and columns.cluster is None]
        settings = [header for header in beside if plain(header) in _SETTINGS]
        seen.update(likely=likely, settings=settings, unused=[*filter(None, headers)])
        return columns, dict.fromkeys([*settings, *likely], "cluster")

    def recognized(header: str) -> bool:
        return plain(header) in ANSWERS or header in given

    table, columns = table_of(source, choose, recognized, encoding=encoding)
    try:
        stated = UNIT if scale is None else checked_scale(scale)
        columns, notes = _with_cluster(table, columns, seen["likely"]) if columns.cluster is None else (columns, [])
        rows, levels = _answers(table, columns, stated)
        if rows.case is None and (columns.cluster or columns.repeat or repeat):
            why = "clusters are of cases" if columns.cluster else "repeats are of the same cases"
            raise DataError(why, way_out=[["name the column of cases with ", Option("case")]])
        if repeat:
            refuse_single(rows)
        notes += _asked_again(table, rows, columns, seen["settings"], averaged=repeat is True)
        if scale is None and (correct is None or not asked):
            _refuse_guessed(columns, levels.tolist(), rows)
        every = len(rows.code)
        rows, levels, gone = _settled(rows, levels, unanswered)
        notes, lost = [*notes, *gone], max(every - len(rows.code), 0)
        space, whole = _graded(rows, levels, columns, stated)
        if rows.case is not None:
            if repeat is not True and (again := repeated(rows, columns)):
                name = ["name the column that numbers the repeats with ", Option("repeat")]
                raise DataError(again, way_out=[name if columns.repeat is None else "number the answers", AVERAGE])
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
    refuse_nameless(rows, columns)
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


def _settled(rows: Rows, levels: Floats, unanswered: str | None) -> tuple[Rows, Floats, list[str]]:
    """Return the answers, their levels and notes, once it is settled what missing ones are."""
    whole, missing, notes = settled(rows, unanswered == "common")
    if missing and unanswered is None:
        empty_ones = int((rows.code < 0).sum())
        many = f"{counted(empty_ones, 'answer')} of {len(rows.code)} {'is' if empty_ones == 1 else 'are'} empty"
        raise DataError(
            many if empty_ones else lacking(rows),
            expected="right or wrong in each" if empty_ones else "an answer of each model to each case",
            way_out=[["count them as failures with ", Option("unanswered", "wrong")],
                     ["keep them as an outcome with ", Option("unanswered", "apart")],
                     ["compare on the cases that all answered with ", Option("unanswered", "common")]],
        )  # fmt: skip
    if missing and unanswered == "wrong":
        levels, place = np.unique(np.append(levels, 0.0), return_inverse=True)
        whole = whole._replace(code=np.where(whole.code < 0, place[-1], place[whole.code]))
    return whole, levels, notes


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


def _graded(rows: Rows, levels: Floats, columns: Columns, scale: tuple[float, float]) -> tuple[SampleSpace, Any]:
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
    if not (same := on_all_domains(rows, columns)):
        return []
    numbers = sorted(str(name_in(name, False)) for name in names)
    numbered = any(numbers == sorted(map(str, range(first, first + len(numbers)))) for first in (0, 1))
    if asked or (numbered and "fold" not in map(plain, columns.levels)):  # folds are of one test set
        return [NUMBERED_ANEW if numbered else SAME_NAMES]
    *_, header = columns.levels
    raise DataError(
        same,
        way_out=[counted_once(header),
                 ["if they are different cases, say so with ", Option("domain", header)]],
    )  # fmt: skip
