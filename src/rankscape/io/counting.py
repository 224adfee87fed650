"""Counting: files and data frames of predictions become cases in arrays, and these, or batches, performances.

Whatever holds a data frame (pandas, polars, DuckDB, Dask, Spark, Ibis) groups its rows, and few rows travel.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain, count, repeat
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..account import Positive
from ..arrays import Flags, Integers, mean_of
from ..errors import DataError, Option, UsageError
from ..kernels.counting import weighted_bincount
from ..outcomes import TWO_CLASS
from ..performances import Performances, Shared
from ..results import Table
from ..texts import counted, some
from ..typing import Label, TableLike
from .cells import number_of_text
from .codes import (
    FEW_KINDS,
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
    lacking,
    listed,
    meaning_of_labels,
    of_same_cases,
    order_of,
    paired_by_cases,
    plain_value,
    ranked,
    refuse_same_cases,
    rows_of,
    same_cases,
    stacked,
    unmatched,
    wrong_labels,
)
from .content import lazy_frame, parquet_relation, whole_sheet
from .headers import (
    FILE,
    MODELS_OF_CASES,
    MULTIPLIERS,
    PREDICTIONS,
    RUNS,
    RUNS_OF_CASES,
    Columns,
    first_of,
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
"""Labels that were not expected and are named one by one; of more, all are one sentence."""

_PLURAL = {"entity": "entities", "domain": "domains"}
COSTLY = "so many entities may do too many different things to count each; uncertainty.paired_table does so"


if TYPE_CHECKING:
    import narwhals as nw

# Opening tables of any kind

MANY_TEXTS = 10_000
"""Of more texts the distinct ones are found by pyarrow, where it is installed."""

MOST_COLUMNS = 15
"""Of more columns of predictions rows are not grouped: few are alike."""

Choose = Callable[[Sequence[str]], Mapping[str, str]]
"""Gives, for the headers of a table, those that are needed, and what the column of each holds."""


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

    def choose(headers: Sequence[str]) -> Mapping[str, str]:
        return dict.fromkeys([header for header in headers if plain(header) in likely], "repeat") | roles

    table = table_of(source, choose, roles.__contains__, columns, encoding=encoding, distinct=distinct)
    columns = columns if table.entity is None else columns._replace(entity=table.entity)
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
    source: Any, choose: Choose, known: Callable[[str], bool], columns: Columns | None = None, *,
    encoding: str | None = None, distinct: bool = False,
) -> CodedCases:  # fmt: skip
    """Return columns of files, a data frame, a mapping or records: ``choose`` gets the headers and returns them.

    ``known`` recognizes headers, of texts; ``columns`` are those that are counted, if they are known before, of which
    an engine gives ``distinct`` rows. The table tells which column names the models where nobody named it.
    """

    def read(frame: nw.LazyFrame[Any], where: str, files: Sequence[Source] = ()) -> CodedCases:
        entity, roles = _models(list(map(str, frame.collect_schema())), choose, columns, where, files)
        _check(frame, roles, columns, where)
        few = distinct and columns is not None and columns.case is None and not columns.scored
        few = few and columns is not None and len(columns.answers) <= MOST_COLUMNS
        table = _of_frame(frame, list(roles), where, distinct=few)
        for header in [header for header in roles if columns is None or header == columns.weight]:
            if str(frame.collect_schema().get(header)) == "Float32":  # 0.1 is meant, whatever it is in 64 bits
                values, codes = table.columns[header]
                table.columns[header] = Column([float(str(np.float32(value))) for value in values], codes)
        table.entity, table.ordered = entity, table.ordered or bool(files) or few
        return table

    listed = isinstance(source, (list, tuple))
    if is_source(source) or (listed and not source):
        sources = sources_of(source, encoding)
        kinds = sorted({format_of(one).name for one in sources})
        if "parquet" in kinds and len(kinds) > 1:
            raise DataError(f"the files are of several kinds ({', '.join(kinds)}); expected one: name a pattern")
        where = some(sources, 1, quote="", word=lambda source: source.where)
        if kinds != ["parquet"]:
            return _of_rows(sources, choose, known, columns, where)
        paths = [one.on_disk for one in sources]
        with parquet_relation(paths, where) as relation:
            entity, _ = _models(relation.columns, choose, columns, where, sources)
        names = names_of_files([one.where for one in sources]) if entity == FILE else []
        with parquet_relation(paths, where, names) as relation:
            return _about_files(read(lazy_frame(relation), where, sources), sources, names, columns)
    refuse_encoding(encoding)
    if not (isinstance(source, (Mapping, Table)) or (listed and all(isinstance(row, Mapping) for row in source))):
        frame = lazy_frame(source)
        kinds = [str(frame.collect_schema().get(header)) for header in (columns.numbers() if columns else ())]
        if "Object" not in kinds:  # as decimals of Python are
            return read(frame, "")
    return _of_rows([source], choose, known, columns, "")


def _models(
    headers: Sequence[str], choose: Choose, columns: Columns | None, where: str, files: Sequence[Source] = ()
) -> tuple[str | None, dict[str, str]]:
    """Return the column that names the models where nobody named it, and what each needed column holds."""
    # It is one called so, or else that of the files: a file that names no model is one, called by the file, unless the
    # files are pieces of one table. Errors name the file.
    try:
        roles = dict(choose(headers))
    except DataError as error:
        raise error.located(where) from None
    lone = None if columns is None else columns.lone
    answers = [what for what in roles.values() if what in ("right or wrong", "entity")] == ["right or wrong"]
    if lone is None and not answers:
        return None, roles
    named = [source for source in files if source.path == source.where or os.path.splitext(source.where)[1]]
    of_files = len(named) == len(files) and not are_pieces(named) and bool(named)
    # The header of a lone column of predictions names the model, unless any model's could be called so.
    alone = len(files) == 1 and plain(lone or "y_pred") not in PREDICTIONS["prediction"]
    model = None if answers else first_of(headers, MODELS_OF_CASES, *roles)  # of answers it was looked for already
    entity = model or (FILE if of_files and not alone else None)
    return entity, roles | ({} if entity is None else {entity: "entity"})


# Files of text


def _of_rows(
    sources: Sequence[Any], choose: Choose, known: Callable[[str], bool], columns: Columns | None, where: str
) -> CodedCases:
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
    entity, roles = _models(start.headers, choose, columns, where, files)
    names = names_of_files([source.where for source in files]) if entity == FILE else []
    of_files = {header: what for header, what in roles.items() if header != FILE}
    named = {} if columns is None else columns.roles()
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

    texts, numbers = bool(files) and all(format_of(one).texts for one in files), columns.numbers() if columns else ()
    table = coded_cases(needed(), list(roles), numbers, where, texts)
    table.headers, table.first, table.entity = tuple(start.headers), first, entity
    return _about_files(table, files, names, columns)


def _about_files(
    table: CodedCases, sources: Sequence[Source], names: Sequence[str], columns: Columns | None
) -> CodedCases:
    """Return a table with a note on what several files are taken for."""
    if (columns is None or columns.lone) and table.entity is None and are_pieces(sources):
        table.notes = ("the files are read as pieces of one table",)
    elif missed := {*names} - {*(table.columns[FILE].values if names else ())}:
        table.notes = (f"no row is in {some(sorted(missed))}",)
    return table


# Data frames


def _check(frame: nw.LazyFrame[Any], roles: Mapping[str, str], columns: Columns | None, where: str) -> None:
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
    for header, (what, expected) in ({} if columns is None else columns.numbers()).items():
        if not schema[header].is_numeric():
            problem = f"the column {quoted(header)} holds no {what} but {schema[header]}; expected {expected}"
            raise located(where, problem)
    for header in () if columns is None else columns.levels:
        if schema[header].is_temporal() or schema[header].is_nested():
            problem = f"the column {quoted(header)} holds {schema[header]}; expected texts or numbers as a part of"
            raise located(where, f"{problem} a domain: make texts of it")


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
        raise UsageError([Option("unanswered"), " would change nothing: a case without a score has no threshold"])
    columns = Columns(names, entity, levels_of(domain), threshold=cut, **named)
    case, repeat = columns.case, columns.repeat
    if columns.weight is not None or columns.scored or (pairs == "perhaps" and len(names) == 1 and case is None):
        pairs = "never"
    table, columns = opened(source, columns, encoding=encoding, distinct=unanswered is None and repeat is None)
    try:
        if unanswered is not None:
            table = answered(table, columns, unanswered)
        if case is None and (repeat is not None or (pairs == "always" and columns.entity is not None)):
            why = "repeats are of the same cases" if repeat is not None else "entities are paired by their cases"
            raise UsageError(why, way_out=("name the column of cases with ", Option("case")))
        result = tally_of(table, columns, pos_label, labels, wrong=unanswered == "wrong")
        if only is not None:
            result = result._replace(performances=result.performances.in_domain(only), cases=result.cases.on(only))
        P, k = result.performances, len({*result.performances.names})
        if (without := result.cases.cluster) is not None and (without < 0).any():
            n = int(np.asarray(result.cases.size)[without < 0].sum())
            raise located(table.where, f"in {counted(n, 'row')} the cluster is missing")
        if pairs == "never" or (pairs == "perhaps" and k < 2):
            return result
        costly = len(names) > MOST_COLUMNS or (len(P.space.labels) or 2) ** (k + 1) > FEW_KINDS
        lost = COSTLY if costly and pairs == "perhaps" else ""
        lost = lost or ("" if repeat is not None else same_cases(result.cases, columns, result.truth))
        if lost and pairs == "perhaps":
            return result._replace(performances=P.sharing(Shared(None, np.arange(len(P)), lost=lost)))
        if lost:
            raise DataError(
                lost, where=table.where,
                way_out=[["count each case once, with all of its repeats, by ", Option("repeat", columns.domain)],
                         "where they are different cases, name them apart, as domain/case"],
            )  # fmt: skip
        return result._replace(performances=paired_by_cases(result, columns))
    except DataError as error:
        raise error.located(table.where) from None


def tally_of(
    table: CodedCases, columns: Columns, pos_label: Any = None, labels: Any = None, wrong: bool = False
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
    result = tallied(table, columns, pos_label, labels, wrong)
    # All columns of predictions have the same cases, since no prediction is missing.
    one_row_each = columns.case is not None and columns.repeat is None
    if one_row_each and (amiss := unmatched(result.cases, columns, result.truth)):
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
        left_out=table.left_out,
    )  # fmt: skip
    plainly = [note for note, (header, kind) in zip(notes, pooled.items(), strict=True) if role(header) == kind]
    return result._replace(performances=P, notes=(*result.notes, *notes), pooled=tuple(plainly))


def tallied(
    table: CodedCases,
    columns: Columns,
    pos_label: Any,
    labels: Any,
    wrong: bool = False,
) -> Tally:
    """Return the performances in a table, one per domain and entity, sorted; see :func:`rankscape.count`.

    Missing predictions may count as ``wrong``. Raises DataError, with numbers, for rows that cannot be counted.
    """
    rows = rows_of(table, columns)
    if not len(rows.code):
        raise DataError("there is no row; expected one per case and entity")
    truth, predicted, known = _labels(table, columns)
    if wrong:
        others = wrong_labels(known, pos_label)
        known += [label for label in dict.fromkeys(others) if label not in known]
        predicted = np.where(predicted < 0, np.array([*map(known.index, others), -1])[truth], predicted)
    coding, code = _outcomes(rows, truth, predicted, known, columns.scored, pos_label, labels)
    rows = rows._replace(code=code)
    k, n = len(coding.space), len(rows.entities)
    cell, size = rows.domain * n + rows.entity, max(len(rows.domains), 1) * n
    code = cell * k + rows.code
    there, _ = ranked(cell, size)
    sums = table.sums(columns.weight, code, size * k)
    counts, names = sums.reshape(-1, k)[there], [rows.entities[place % n] for place in there.tolist()]
    domains = [rows.domains[place // n] for place in there.tolist()] if rows.domains else None
    if (void := np.flatnonzero(~counts.astype(bool).any(axis=1))).size:
        on = "" if domains is None else f" on domain {quoted(domains[void[0]])}"
        raise DataError(
            f"entity {quoted(names[void[0]])}{on} has only weights of 0", expected="a row that counts",
            way_out=["correct the table", "drop the entity"],
        )  # fmt: skip
    P = Performances.from_weighted_counts(counts, names=names, domains=domains, space=coding.space)
    notes = list[str]()
    if absent := np.setdiff1d(np.arange(size), there).tolist():  # without any row
        first = f"entity {quoted(rows.entities[absent[0] % n])} on domain {quoted(rows.domains[absent[0] // n])}"
        more = f" and {counted(len(absent) - 1, 'more', 'more')}" if absent[1:] else ""
        notes = [f"{len(absent)} of {size} cells have no row: {first}{more}"]
    return Tally(P, int(np.asarray(rows.size).sum()), rows, truth, coding.positive, tuple(notes))


def _outcomes(
    rows: Rows, truth: Integers, predicted: Integers, known: Sequence[Any], scored: bool, pos_label: Any, labels: Any
) -> tuple[Coding, Integers]:
    """Return how pairs of labels are outcomes, and the outcome of each row; raise for rows that have none."""
    sizes = np.asarray(rows.size)
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
    met: tuple[Counter[Any], Counter[Any]] = (Counter(), Counter())
    of_pairs = [
        (known[true], other if scored else known[other], n)
        for (true, other), n in zip(
            pairs.tolist(), weighted_bincount(pair, sizes[whole], len(pairs)).tolist(), strict=True
        )
    ]
    for *both, n in of_pairs:
        for of, label in zip(met[: 2 - scored], both, strict=False):
            of[label] += n
    coding = coding_of(*met, pos_label, labels, scored)
    outcomes, strangers = list[int](), Counter[Any]()
    for *both, n in of_pairs:
        strange = [label for label in both[: 2 - scored] if coding.known is not None and label not in coding.known]
        outcomes.append(-1 if strange else coding.place(*both))
        strangers.update(dict.fromkeys(strange[:1], n))
    expected = listed(sorted(coding.known or (), key=order_of))
    most = [(listed([label]), n) for label, n in strangers.most_common()]
    if len(most) > MOST_STRANGERS:  # of which only some are named
        such = ", ".join(label for label, _ in most[:MOST_STRANGERS])
        problems.append((f"a label, such as {such}, is none of {expected}", strangers.total()))
    else:
        problems += [(f"a label is {label}, which is none of {expected}", n) for label, n in most]
    if problems:
        ways += ["correct the labels"] if most else []
        ways += [["name all labels with ", Option("labels")]] if most and not scored else []
        raise DataError(_sentence(problems, total), way_out=ways)
    return coding, np.array(outcomes)[pair]


def _sentence(problems: Sequence[tuple[str, int]], total: int) -> str:
    return "; ".join(f"in {n} of {counted(total, 'row')} {what}" for what, n in problems)


def _labels(table: CodedCases, columns: Columns) -> tuple[Integers, Integers, list[Any]]:
    """Return the true and the predicted label of each row, column after column, as places among all; −1 for none.

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

    true = stacked(places(truth), len(several))
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
        name = Option("entity", option="entity-column")
        raise UsageError("several columns of predictions are several entities", way_out=[["leave out ", name]])
    return names
