"""Opening tables of predictions: files and data frames of any kind become cases in arrays, as they are counted.

Whatever holds a data frame (pandas, polars, DuckDB, Dask, Spark, Ibis) groups its rows, and few rows travel.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import count, repeat
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags
from ..errors import DataError
from ..results import Table
from ..texts import some
from .codes import Chunk, CodedCases, Column, Columns, coded_cases, codes_of, column_of, plain_value, ranked
from .content import lazy_frame, parquet_relation, whole_sheet
from .headers import FILE, MODELS_OF_CASES, PREDICTIONS, first_of, plain
from .sheets import (
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

if TYPE_CHECKING:
    import narwhals as nw

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
    table = table_of(source, lambda headers: roles, roles.__contains__, columns, encoding=encoding, distinct=distinct)
    if distinct and columns.case is not None:
        table.put_together(columns.case)
    table.join(columns.levels)
    return table, columns if table.entity is None else columns._replace(entity=table.entity)


def table_of(
    source: Any, choose: Choose, known: Callable[[str], bool], columns: Columns | None = None, *,
    encoding: str | None = None, distinct: bool = False,
) -> CodedCases:  # fmt: skip
    """Return columns of files, a data frame, a mapping or records: ``choose`` gets the headers and returns them.

    ``known`` recognizes headers, of texts; ``columns`` are those that are counted, if they are known before, of which
    an engine gives ``distinct`` rows. The table tells which column names the models where nobody named it.
    """
    numbers = {} if columns is None else columns.numbers()
    weight = None if columns is None else columns.weight

    def read(frame: nw.LazyFrame[Any], where: str, files: Sequence[Source] = ()) -> CodedCases:
        entity, roles = _models(list(map(str, frame.collect_schema())), choose, columns, where, files)
        _check(frame, roles, columns, where)
        few = distinct and columns is not None and columns.case is None and not columns.scored
        few = few and columns is not None and len(columns.predictions) <= MOST_COLUMNS
        table = _of_frame(frame, list(roles), where, distinct=few)
        if weight is not None and str(frame.collect_schema()[weight]) == "Float32":
            values, codes = table.columns[weight]  # 0.1 is meant, whatever it is in 64 bits
            table.columns[weight] = Column([float(str(np.float32(value))) for value in values], codes)
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
            return _of_texts(sources, choose, known, columns, numbers, where)
        paths = [one.on_disk for one in sources]
        with parquet_relation(paths, where) as relation:
            entity, _ = _models(relation.columns, choose, columns, where, sources)
        names = names_of_files([one.where for one in sources]) if entity == FILE else []
        with parquet_relation(paths, where, names) as relation:
            return _about_files(read(lazy_frame(relation), where, sources), sources, names, columns)
    refuse_encoding(encoding)
    if not (isinstance(source, (Mapping, Table)) or (listed and all(isinstance(row, Mapping) for row in source))):
        frame = lazy_frame(source)
        schema = frame.collect_schema()
        if not any(str(schema.get(header)) == "Object" for header in numbers):  # as decimals of Python are
            return read(frame, "")
    sheet = whole_sheet(source, None, known)
    entity, roles = _models(sheet.headers, choose, columns, sheet.where)
    cells = [sheet.column(place) for place in places_of(sheet.headers, roles, sheet.where)]
    table = coded_cases([(sheet.where, repeat(None), cells)], list(roles), numbers, sheet.where, texts=False)
    table.headers, table.entity = sheet.headers, entity
    table.first = dict(zip(sheet.headers, next(iter(sheet.rows), ()), strict=False))
    return table


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
    predicted = _lone_prediction(columns)
    answers = [what for what in roles.values() if what in ("right or wrong", "entity")] == ["right or wrong"]
    if predicted is None and not answers:
        return None, roles
    named = [source for source in files if source.path == source.where or os.path.splitext(source.where)[1]]
    of_files = len(named) == len(files) and not are_pieces(named) and bool(named)
    # The header of a lone column of predictions names the model, unless any model's could be called so.
    alone = len(files) == 1 and plain(predicted or "y_pred") not in PREDICTIONS["prediction"]
    model = None if answers else first_of(headers, MODELS_OF_CASES, *roles)  # of answers it was looked for already
    entity = model or (FILE if of_files and not alone else None)
    return entity, roles | ({} if entity is None else {entity: "entity"})


def _lone_prediction(columns: Columns | None) -> str | None:
    """Return the only column of predictions or scores, where no column was named that names the models."""
    alone = columns is not None and len(columns.predictions) == 1 and columns.entity is None
    return columns.predictions[0] if columns is not None and alone else None


# Files of text


def _of_texts(
    sources: Sequence[Source], choose: Choose, known: Callable[[str], bool], columns: Columns | None,
    numbers: Collection[str], where: str,
) -> CodedCases:  # fmt: skip
    """Return the table in files of text, of which CSV need not be in memory."""
    first: dict[str, Any] = {}

    def rows_of(source: Source) -> tuple[Sequence[str], Iterator[Chunk]]:
        format_ = format_of(source)
        if format_.texts:
            headers, records, _ = separated_table(source, known)
            return headers, ((source.where, starts, rows) for starts, rows in records)
        sheet = format_.sheet(source, known)
        return sheet.headers, iter([(source.where, sheet.lines or repeat(None), sheet.rows)])

    headers, rows = rows_of(sources[0])
    entity, roles = _models(headers, choose, columns, where, sources)
    names = names_of_files([source.where for source in sources]) if entity == FILE else []
    of_files = {header: what for header, what in roles.items() if header != FILE}

    def needed() -> Iterator[Chunk]:
        for i, source in enumerate(sources):
            its_headers, its_rows = rows_of(source) if i else (headers, rows)
            places = places_of(its_headers, of_files, source.where)
            for file, lines, records in its_rows:
                if not first and len(records):
                    first.update(zip(its_headers, records[0], strict=False))
                cells = [list(map(itemgetter(place), records)) for place in places]
                yield file, lines, [*cells, *([name] * len(records) for name in names[i : i + 1])]

    table = coded_cases(needed(), list(roles), numbers, where, texts=all(format_of(one).texts for one in sources))
    table.headers, table.first, table.entity = tuple(headers), first, entity
    return _about_files(table, sources, names, columns)


def _about_files(
    table: CodedCases, sources: Sequence[Source], names: Sequence[str], columns: Columns | None
) -> CodedCases:
    """Return a table with a note on what several files are taken for."""
    if (_lone_prediction(columns) or columns is None) and table.entity is None and are_pieces(sources):
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
