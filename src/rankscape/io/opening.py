"""Opening tables of predictions: files and data frames of any kind become cases in arrays, as they are counted.

Whatever holds the rows (pandas, polars, DuckDB, Dask, Spark, Ibis) groups them, and few rows travel.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, count, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Integers
from ..errors import DataError, RankscapeError
from ..results import Table
from ..texts import some
from .codes import (
    LARGEST_TOTAL,
    CodedCases,
    Column,
    Columns,
    Origin,
    coded_cases,
    column_of,
    plain_value,
    ranked,
    roles_of,
)
from .content import whole_sheet
from .engines import (
    NotPlainError,
    connected,
    fetching,
    keys_of_lines,
    labels_of_json,
    lazy_frame,
    on_duckdb,
    parquet_relation,
    refuse_misread,
    text_relation,
)
from .headers import FILE, MODELS_OF_CASES, PREDICTIONS, first_of, plain
from .sheets import (
    Format,
    Source,
    are_pieces,
    format_of,
    is_source,
    located,
    names_of_files,
    no_column,
    places_of,
    quoted,
    records_of_lines,
    refuse_encoding,
    separated_table,
    sources_of,
)

if TYPE_CHECKING:
    import narwhals as nw

Answer = TypeVar("Answer")
Counted: TypeAlias = "tuple[list[Column], Integers | None, Integers | None]"
"""Columns, how many rows each row stands for, and how many cases there are like that of the row."""

TABLE = f"_rankscape_{uuid4().hex}"
"""What queries of DuckDB call the rows of a plan: as no table of anybody is called."""

MANY_TEXTS = 10_000
"""Of more texts the distinct ones are found by pyarrow, where it is installed."""

MOST_COLUMNS = 15
"""Of more columns of predictions rows are grouped by each alone, unless what they do together is asked for."""


class Engine(NamedTuple):
    """A table on its own engine: a plan, and for files of DuckDB how it is carried out, and how many rows it has."""

    frame: nw.LazyFrame[Any]
    where: str = ""
    fetch: Callable[..., Any] | None = None
    records: int = -1
    texts: bool = False

    def asked(self, ask: Callable[[], Answer]) -> Answer:
        """Return what an engine says, and its errors in one sentence."""
        try:
            return ask()
        except RankscapeError:
            raise
        except Exception as error:  # each engine has its own, such as sums that overflow
            problem = f"this cannot be counted: {' '.join(str(error).split())[:200]}"
            raise located(self.where, problem) from error

    def check(self, roles: Mapping[str, str], columns: Sequence[Columns]) -> None:
        """Raise DataError for a column that is not there, or cannot hold what it must."""
        schema = self.frame.collect_schema()
        for header in roles:
            refuse_misread(self.frame, header, self.where)
            if header not in schema:
                raise no_column(self.where, header, roles, list(schema))
        numbers = {one.prediction: ("scores", "numbers") for one in columns if one.scored}
        numbers |= {one.weight: ("numbers", "weights ≥ 0") for one in columns if one.weight is not None}
        for header, (what, expected) in numbers.items():
            if not schema[header].is_numeric():
                problem = f"the column {quoted(header)} holds no {what} but {schema[header]}; expected {expected}"
                raise located(self.where, problem)
        for header in columns[0].levels if columns else ():
            if schema[header].is_temporal() or schema[header].is_nested():
                problem = f"the column {quoted(header)} holds {schema[header]}; expected texts or numbers as a part of"
                raise located(self.where, f"{problem} a domain: make texts of it")

    def read(self, headers: Sequence[str], columns: Sequence[Columns], distinct: bool, together: bool) -> CodedCases:
        """Return some columns, fetched in one job: all rows, or ``distinct`` ones with the number of each.

        Where cases have names, DuckDB and Spark put together those that are alike, and others give all rows. Many
        ``columns`` that need not be taken ``together`` are taken one by one. All rows are in order, but for those of
        DuckDB, Spark and Ibis.
        """
        first = columns[0] if columns else None
        if distinct and first and first.case is None and len(columns) > MOST_COLUMNS and not together:
            parts = {one.prediction: self.read([*roles_of([one])], [one], True, False) for one in columns}
            table = parts[first.prediction]
            table.apart = parts
            return table
        kind, schema = self.frame.implementation, self.frame.collect_schema()
        cells = self._cells(headers, columns if distinct else ())
        names = {header: f"c{i}" for i, header in enumerate(headers)}
        plan = self.frame.select(*(cell.alias(names[header]) for header, cell in cells.items()))
        ask: Callable[[nw.LazyFrame[Any]], Counted] = lambda plan: (self._columns(plan), None, None)  # noqa: E731
        added, weight = None, first and first.weight
        if distinct and first and first.case is None:
            ask = self._groups
            if weight is not None and is_small(schema[weight]):
                with suppress(Exception):  # such as sums that overflow: the general way refuses weights that large
                    added = self._sums(plan, names[weight])
        elif distinct and first and kind.is_duckdb():
            ask = partial(self._kinds_on_duckdb, case=names[str(first.case)])
        elif distinct and first and self._on_spark:
            of_domain = [names[header] for header in first.levels or filter(None, [first.domain])]
            ask = partial(self._kinds_on_spark, case=names[str(first.case)], by=of_domain)
        coded, times, size = added or self.asked(lambda: ask(plan))
        by_header = dict(zip(headers, coded, strict=True))
        for one in columns if distinct else ():
            if one.threshold is not None:  # as numbers, −1 where there is no score
                values, codes = by_header[one.prediction]
                by_header[one.prediction] = Column([False, True], np.array([*map(int, values), -1])[codes])
        if weight is not None and str(schema[weight]) == "Float32":  # 0.1 is meant, whatever it is in 64 bits
            values, codes = by_header[weight]
            by_header[weight] = Column([float(str(np.float32(value))) for value in values], codes)
        rows = len(coded[0].codes) if times is None else int(times.sum())
        if self.records not in (-1, rows):
            raise located(
                self.where,
                f"{rows} rows were counted, but there are {self.records} records; this must not happen: "
                "pass the table as a data frame, and report it",
            )
        table = CodedCases(by_header, rows, self.where, self.texts, times, size)
        table.first = {header: 1 if k.is_numeric() else None for header, k in schema.items() if header != FILE}
        table.headers, table.summed = list(table.first), added is not None
        in_order = kind.is_pandas_like() or kind.is_polars() or kind.is_pyarrow() or kind.is_dask()
        table.ordered = distinct or in_order or self.records >= 0
        return table

    @property
    def _on_spark(self) -> bool:
        kind = self.frame.implementation
        return bool(kind.is_pyspark() or kind.is_pyspark_connect())

    def _cells(self, headers: Sequence[str], columns: Sequence[Columns]) -> dict[str, nw.Expr]:
        """Return what is read of columns: of scores whether they reach the threshold, of weights numbers."""
        import narwhals as nw

        schema = self.frame.collect_schema()
        cells = {header: nw.col(header) for header in headers}
        for one in columns:
            if one.scored:
                cells[one.prediction] = score = nw.col(one.prediction).cast(nw.Float64())
            if one.threshold is not None:
                # DuckDB decides isnan by the least and greatest value that Parquet notes, and Parquet leaves NaN out of
                # them; of exp nothing is known before it is computed, and it is NaN for NaN only.
                absent = (score.exp() if on_duckdb(self.frame) else score).is_nan()
                absent = score.is_null() | absent if schema[one.prediction].is_float() else score.is_null()
                # Dask tries what it is asked for on a column of its own, of which a text is no number.
                limit = nw.lit(one.threshold) if self.frame.implementation.is_dask() else exactly(one.threshold)
                above = nw.when(score >= limit).then(nw.lit(1)).otherwise(nw.lit(0))
                cells[one.prediction] = nw.when(absent).then(nw.lit(-1)).otherwise(above)
            if one.weight is not None and (is_small(schema[one.weight]) or not schema[one.weight].is_integer()):
                number = nw.Int64() if schema[one.weight].is_integer() else nw.Float64()
                cells[one.weight] = nw.col(one.weight).cast(number)
        return cells

    def _groups(self, plan: nw.LazyFrame[Any]) -> Counted:
        """Return distinct rows, and how many there are of each."""
        import narwhals as nw

        *coded, n = self._columns(plan.group_by(*plan.collect_schema().names()).agg(nw.len().alias("n")), True)
        return coded, _numbers(n), _numbers(n)

    def _sums(self, plan: nw.LazyFrame[Any], weight: str) -> Counted | None:
        """Return the same as :meth:`_groups`, with the sum of whole weights in each; None where they are not plain."""
        import narwhals as nw

        names = plan.collect_schema().names()
        w, groups = nw.col(weight), plan.group_by(*(name for name in names if name != weight))
        sums = [nw.len().alias("n"), w.count().alias("known"), w.max().alias("high"), w.min().alias("low")]
        total_of = w.sum().cast(nw.Int64()) if plan.implementation.is_sqlframe() else w.sum()  # it knows no larger ones
        sums += [total_of.alias("sum")]
        *coded, n, known, high, low, total = self._columns(groups.agg(*sums), True)
        times = _numbers(n)
        if (_numbers(known) < times).any() or min(low.values, default=0) < 0:
            return None
        if (_numbers(high).astype(object) * times > LARGEST_TOTAL).any():
            return None
        coded.insert(names.index(weight), total)
        return coded, times, times

    def _kinds_on_duckdb(self, plan: nw.LazyFrame[Any], case: str) -> Counted:
        """Return the rows of each kind of cases, how many are alike, and how many cases there are of the kind."""
        # Cases are of one kind where their rows say the same, in whatever order: lists of numbers of distinct rows.
        schema = plan.collect_schema()
        says = ", ".join(name for name in schema if name != case)
        alike = " and ".join(f"t.{name} is not distinct from g.{name}" for name in says.split(", "))
        # NaN is a missing name; of exp nothing is known before it is computed, whatever Parquet notes of the column.
        absent = f"coalesce(isnan(exp({case}::double)), true)" if schema[case].is_float() else f"{case} is null"
        g = f"{TABLE}_numbered"
        query = f"""
            with {g} as (select row_number() over (order by {says}) as g, * from (select distinct {says} from {TABLE})),
            {TABLE}_cases as (select {absent} as nameless, list_sort(list(g.g)) as g from {TABLE} t join {g} g
            on {alike} group by {case}),
            {TABLE}_kinds as (select row_number() over () as kind, count(*) as n, * from {TABLE}_cases group by all)
            select g, null::bigint as {case}, 0::bigint as n, {says} from {g} union all by name
            select unnest(g) as g, if(nameless, null, kind) as {case}, n from {TABLE}_kinds
        """
        numbered, kind, times, *cells = self._columns(plan, query=query)
        place, n = _numbers(numbered), _numbers(times)
        first = np.zeros(int((n == 0).sum()) + 1, dtype=np.int64)
        first[place[n == 0]] = np.flatnonzero(n == 0)  # the row that has the cells of a number
        by_name = {name: Column(values, codes[first[place[n > 0]]])
                   for name, (values, codes) in zip(says.split(", "), cells, strict=True)}  # fmt: skip
        by_name[case] = Column(kind.values, kind.codes[n > 0])
        return [by_name[name] for name in schema], n[n > 0], n[n > 0]

    def _kinds_on_spark(self, plan: nw.LazyFrame[Any], case: str, by: Sequence[str]) -> Counted:
        """Return the same as :meth:`_kinds_on_duckdb`, of each domain by itself: rows are shuffled once."""
        # Equal rows of a case are counted first, so that where a case is many a time there they do not pile up.
        functions: Any = import_module("pyspark.sql.functions")
        native, names = plan.to_native(), plan.collect_schema().names()
        says, one = [name for name in names if name not in (*by, case)], functions.count(functions.lit(1))
        rows = native.repartition(*by, case).groupBy(*by, case, *says).agg(one.alias("n"))
        listed = functions.sort_array(functions.collect_list(functions.struct(*says, "n")))
        absent = functions.col(case).isNull()
        absent = absent | functions.isnan(case) if plan.collect_schema()[case].is_float() else absent
        cases = rows.groupBy(*by, case).agg(listed.alias("rows")).withColumn("nameless", absent)
        out = []
        for i, kind in enumerate(cases.groupBy(*by, "nameless", "rows").agg(one.alias("size")).collect()):
            for row in kind["rows"]:
                cells = {**row.asDict(), **kind.asDict(recursive=False), case: None if kind["nameless"] else i}
                out.append((*map(cells.__getitem__, names), row["n"] * kind["size"], kind["size"]))
        *coded, times, size = _of_rows(out, len(names) + 2)
        return coded, _numbers(times), _numbers(size)

    def _columns(self, plan: nw.LazyFrame[Any], groups: bool = False, query: str = "") -> list[Column]:
        """Carry out a plan, on DuckDB perhaps a query of :data:`TABLE`, and return its columns."""
        import narwhals as nw

        schema, kind = plan.collect_schema(), plan.implementation
        width = len(schema) + 2 * bool(query)
        if self._on_spark:
            return _of_rows(plan.to_native().collect(), width)
        if not kind.is_duckdb():
            frame = plan.collect("polars", engine="streaming") if groups and kind.is_polars() else plan.collect()
            return [_of_series(frame[name]) for name in schema]
        fetch = self.fetch or (lambda plan, take: take(plan.to_native()))

        plain = (nw.Float32, nw.Float64, nw.Boolean, nw.String)  # not 128 bits, decimals and dates
        arrays = all(k in plain or (k.is_integer() and "128" not in str(k)) for k in schema.values())

        def taken(rows: Any) -> Any:
            asked = rows.query(TABLE, query) if query else rows
            return asked.fetchnumpy() if arrays else asked.fetchall()

        try:
            cells = fetch(plan, taken)
        finally:
            if query:  # DuckDB 1.1 leaves a view behind
                with suppress(Exception):
                    plan.to_native().query(TABLE, f"drop view if exists {TABLE}")
        if not arrays:
            return _of_rows(cells, width)
        return [_of_array(np.ma.getdata(column), ~np.ma.getmaskarray(column)) for column in cells.values()]


def is_small(kind: Any) -> bool:
    """Tell whether a column holds whole numbers that fit into 64 bits."""
    return bool(kind.is_integer()) and str(kind) not in ("UInt64", "Int128", "UInt128")


def exactly(value: float) -> nw.Expr:
    """Return a float for an engine: as a text, since DuckDB 1 takes many digits for a decimal, and rounds twice."""
    import narwhals as nw

    return nw.lit(f"{value:.17e}").cast(nw.Float64())


def _numbers(column: Column) -> Integers:
    """Return the whole numbers in a column."""
    return np.array([*map(int, column.values)], dtype=np.int64)[column.codes]


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
    codes = np.fromiter(map(index.__getitem__, cells), dtype=np.int64, count=len(cells))
    none = index.get(None, -1)
    if {*map(type, index)} <= {str, type(None)}:  # as most are, and nothing else means the same
        if none >= 0:
            codes = np.where(codes == none, -1, codes - (codes > none))
        return Column([cell for cell in index if cell is not None], codes)
    return column_of(map(plain_value, index), codes)


def _of_rows(rows: Sequence[Sequence[Any]], width: int) -> list[Column]:
    return [_of_cells(cells) for cells in zip(*rows, strict=True)] if rows else [_of_cells(())] * width


# Files and data frames

Choose = Callable[[Sequence[str]], Mapping[str, str]]
"""Gives, for the headers of a table, those that are needed, and what the column of each holds."""
Progress = Callable[[int], None]


class Chosen(NamedTuple):
    """Which columns are needed: ``roles`` of the headers of a table gives what each holds.

    ``known`` recognizes headers, of texts; ``columns`` are those that are counted, of which an engine gives
    ``distinct`` rows, ``together`` or one by one.
    """

    roles: Choose
    known: Callable[[str], bool]
    columns: Sequence[Columns] = ()
    distinct: bool = False
    together: bool = False

    @property
    def numbers(self) -> list[str]:
        """The columns that hold numbers."""
        scores = [one.prediction for one in self.columns if one.scored]
        return list(dict.fromkeys([*(one.weight for one in self.columns[:1] if one.weight is not None), *scores]))

    @property
    def predicted(self) -> str | None:
        """The only column of predictions or scores, where no column was named that names the models."""
        alone = len(self.columns) == 1 and self.columns[0].entity is None
        return self.columns[0].prediction if alone else None

    def of(self, headers: Sequence[str], where: str, files: Sequence[Source] = ()) -> tuple[str | None, dict[str, str]]:
        """Return the column that names the models where nobody named it, and what each needed column holds.

        It is one called so, or else that of the files: a file that names no model is one, called by the file, unless
        the files are pieces of one table. Errors name the file.
        """
        try:
            roles = dict(self.roles(headers))
        except DataError as error:
            raise error.located(where) from None
        answers = [what for what in roles.values() if what in ("right or wrong", "entity")] == ["right or wrong"]
        if self.predicted is None and not answers:
            return None, roles
        named = [source for source in files if source.path == source.where or os.path.splitext(source.where)[1]]
        of_files = len(named) == len(files) and not are_pieces(named) and bool(named)
        # The header of a lone column of predictions names the model, unless any model's could be called so.
        alone = len(files) == 1 and plain(self.predicted or "y_pred") not in PREDICTIONS["prediction"]
        model = None if answers else first_of(headers, MODELS_OF_CASES, *roles)  # of answers it was looked for already
        entity = model or (FILE if of_files and not alone else None)
        return entity, roles | ({} if entity is None else {entity: "entity"})

    def read(self, engine: Engine, entity: str | None, roles: Mapping[str, str]) -> CodedCases:
        """Return the cases that an engine holds."""
        columns = [one if entity is None else one._replace(entity=entity) for one in self.columns]
        engine.check(roles, columns)
        table = engine.read(list(roles), columns, self.distinct, self.together)
        table.entity = entity
        return table


def opened(
    source: Any, columns: Sequence[Columns], progress: Progress | None = None, *, cluster: str | None = None,
    repeat: str | None = None, encoding: str | None = None, distinct: bool = False, together: bool = False,
) -> CodedCases:  # fmt: skip
    """Return a table of predictions, after checking that the columns asked for are there.

    Rows stand in the order of the source where it has one; ``distinct`` ones are put together by an engine that holds
    them, ``together`` of all columns of predictions or each by itself.
    """
    roles, case = roles_of(columns, cluster, repeat), columns[0].case
    # Kinds of cases have no names, which are needed where the column of cases is another one, too.
    distinct = distinct and case not in roles_of([one._replace(case=None) for one in columns], cluster)
    table = _table(
        source, Chosen(lambda headers: roles, roles.__contains__, columns, distinct, together), progress, encoding
    )
    if distinct and case is not None and (together or len(columns) <= MOST_COLUMNS):
        table.put_together(case)
    table.join(columns[0].levels)
    if progress is not None and not is_source(source):  # a data frame is counted in one go
        progress(100)
    return table


def columns_in_memory(
    source: Any, choose: Choose, known: Callable[[str], bool], *, encoding: str | None = None
) -> CodedCases:
    """Return columns of files, a data frame, a mapping or records: ``choose`` gets the headers and returns them."""
    return _table(source, Chosen(choose, known), None, encoding)


def with_models(table: CodedCases, columns: Sequence[Columns]) -> list[Columns]:
    """Return the columns that are counted, with the one that names the models where the table has told it."""
    return [one if table.entity is None else one._replace(entity=table.entity) for one in columns]


def _table(source: Any, wanted: Chosen, progress: Progress | None, encoding: str | None) -> CodedCases:
    """Return the table of predictions of files, a data frame, a mapping or records."""
    listed = isinstance(source, (list, tuple))
    if is_source(source) or (listed and not source):
        return _of_files(sources_of(source, encoding), wanted, progress)
    refuse_encoding(encoding)
    if not (isinstance(source, (Mapping, Table)) or (listed and all(isinstance(row, Mapping) for row in source))):
        engine = Engine(lazy_frame(source))
        schema = engine.frame.collect_schema()
        if not any(str(schema.get(header)) == "Object" for header in wanted.numbers):  # as decimals of Python are
            return wanted.read(engine, *wanted.of([*map(str, schema)], ""))
    sheet = whole_sheet(source, None, wanted.known)
    entity, roles = wanted.of(sheet.headers, sheet.where)
    places = places_of(sheet.headers, roles, sheet.where)
    rows = (((sheet.where, None), [row[place] for place in places]) for row in sheet.rows)
    table = coded_cases(rows, list(roles), wanted.numbers, sheet.where, texts=False)
    table.headers, table.entity = sheet.headers, entity
    table.first = _first_of(sheet.headers, sheet.rows)
    return table


def _of_files(sources: Sequence[Source], wanted: Chosen, progress: Progress | None) -> CodedCases:
    """Return the table in files: of DuckDB where they are Parquet or plain text, else record by record."""
    formats = [format_of(source) for source in sources]
    kinds, texts = sorted({format_.name for format_ in formats}), all(format_.texts for format_ in formats)
    if "parquet" in kinds and len(kinds) > 1:
        raise DataError(f"the files are of several kinds ({', '.join(kinds)}); expected one: name a pattern")
    where = some(sources, 1, quote="", word=lambda source: source.where)
    first: Mapping[str, Any] = {}
    plain: tuple[Any, int] | None = None
    with connected() as connection:
        if kinds == ["parquet"]:
            paths = [source.on_disk for source in sources]
            plain = parquet_relation(connection, paths, where)
        else:
            first = _first_row(connection, sources[0], formats[0], wanted.known)
        entity, roles = wanted.of(tuple(first) if plain is None else plain[0].columns, where, sources)
        names = names_of_files([source.where for source in sources]) if entity == FILE else []
        if plain is not None and names:
            plain = parquet_relation(connection, paths, where, names)
        elif kinds in (["csv"], ["json"]):
            cases = [header for header, what in roles.items() if what == "case" and wanted.distinct]
            plain = text_relation(connection, sources, texts, list(roles), wanted.numbers, names, cases)
        table = None
        if plain is not None:
            fetch = fetching(connection, where, progress)
            table = wanted.read(Engine(lazy_frame(plain[0], where), where, fetch, plain[1], texts), entity, roles)
        if table is not None and kinds == ["json"]:
            table = _of_json(table)
        if table is None:
            rows = _rows(sources, formats, roles, names, progress)
            table = coded_cases(rows, list(roles), wanted.numbers, where, texts=texts)
    if first:
        table.headers, table.first = tuple(first), first
    table.entity = entity
    if (wanted.predicted is not None or not wanted.columns) and entity is None and are_pieces(sources):
        table.notes = ("the files are read as pieces of one table",)
    elif missed := {*names} - {*(table.columns[FILE].values if names else ())}:
        table.notes = (f"no row is in {some(sorted(missed))}",)
    return table


def _of_json(table: CodedCases) -> CodedCases | None:
    """Return the table with the labels that JSON writes, None where the strict reader must say more of them."""
    with suppress(NotPlainError):
        for part in dict.fromkeys((table, *table.apart.values())):
            for header, column in part.columns.items():
                part.columns[header] = column if header == FILE else labels_of_json(column)
        return table
    return None


def _first_row(connection: Any, source: Source, format_: Format, known: Callable[[str], bool]) -> dict[str, Any]:
    """Return the headers of a file of text, each with the first cell below it, None where there is no row."""
    if format_.name == "json" and (keys := keys_of_lines(connection, source)) is not None:
        for _, first in records_of_lines(source):
            return dict.fromkeys([*first, *keys]) | {**first}
    if format_.texts:
        table, cells = separated_table(source, known), list[str]()
        with suppress(DataError):  # of an odd row: where the headers are not understood these are what is wrong
            _, cells = next(table.records, (0, cells))
        return _first_of(table.headers, [cells])
    sheet = None if format_.sheet is None else format_.sheet(source, known)
    return {} if sheet is None else _first_of(sheet.headers, sheet.rows)


def _first_of(headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> dict[str, Any]:
    return dict(zip(headers, chain(next(iter(rows), ()), repeat(None)), strict=False))


def _rows(
    sources: Sequence[Source], formats: Sequence[Format], roles: Mapping[str, str], names: Sequence[str],
    progress: Progress | None,
) -> Iterator[tuple[Origin, Sequence[Any]]]:  # fmt: skip
    """Yield the file and line, and the cells that are needed, of one row after the other; the last is its file."""
    of_files = {header: what for header, what in roles.items() if header != FILE}
    for i, (source, format_) in enumerate(zip(sources, formats, strict=True)):
        named, headers = list(names[i : i + 1]), None
        records: Iterable[tuple[int | None, Sequence[Any]]] = ()
        if format_.texts:
            headers, records, _ = separated_table(source, of_files.__contains__)
        elif format_.name == "json":  # of lines, which need not be in memory
            seen = dict[str, None]()
            for line, record in records_of_lines(source):
                seen.update(dict.fromkeys(record))
                yield (source.where, line), [*map(record.get, of_files), *named]
            headers = tuple(seen) or None
        if headers is None and format_.sheet is not None:
            sheet = format_.sheet(source, of_files.__contains__)
            headers, records = sheet.headers, ((sheet.line(k), row) for k, row in enumerate(sheet.rows))
        places = places_of(headers or (), of_files, source.where)
        for number, cells in records:
            chosen = [cells[place] for place in places]
            yield (source.where, number), chosen + named if named else chosen
        if progress is not None:
            progress(100 * (i + 1) // len(sources))
