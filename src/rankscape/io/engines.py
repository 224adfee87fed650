"""Engines: whatever holds the rows (pandas, polars, DuckDB, Dask, Spark, Ibis) groups them, and few rows travel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Integers
from ..errors import RankscapeError
from .cells import missing
from .coded import CodedCases, Column, Columns, ranked, roles_of
from .codes import plain_value
from .formats import no_column
from .frames import on_duckdb, refuse_misread
from .headers import FILE
from .sheets import located, quoted

if TYPE_CHECKING:
    import narwhals as nw

Answer = TypeVar("Answer")
Counted: TypeAlias = "tuple[list[Column], Integers | None, Integers | None]"
"""Columns, how many rows each row stands for, and how many cases there are like that of the row."""

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

    def headers(self) -> list[str]:
        """Return the headers of the columns of the source."""
        return [header for header in map(str, self.frame.collect_schema()) if header != FILE]

    def check(self, roles: Mapping[str, str], columns: Sequence[Columns] = ()) -> None:
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

    def rows(self, headers: Sequence[str]) -> CodedCases:
        """Return some columns of all rows, fetched in one job.

        They have an order in files, and in data frames other than those of DuckDB, Spark and Ibis.
        """
        columns = self.asked(lambda: self._columns(self.frame.select(*headers)))
        table = self._table(dict(zip(headers, columns, strict=True)))
        kind = self.frame.implementation
        in_order = kind.is_pandas_like() or kind.is_polars() or kind.is_pyarrow() or kind.is_dask()
        table.ordered = in_order or self.records >= 0
        return table

    def distinct(self, headers: Sequence[str], columns: Sequence[Columns], together: bool) -> CodedCases:
        """Return what is counted: distinct rows, with the number of each; where cases have names, all rows.

        DuckDB and Spark put together the cases that are alike instead. Many ``columns`` that need not be taken
        ``together`` are taken one by one.
        """
        first = columns[0]
        if len(columns) > MOST_COLUMNS and first.case is None and not together:
            parts = {one.prediction: self.distinct([*roles_of([one])], [one], together=False) for one in columns}
            table = parts[first.prediction]
            table.apart = parts
            return table
        cells = self._cells(headers, columns)
        names = {header: f"c{i}" for i, header in enumerate(headers)}
        plan = self.frame.select(*(cell.alias(names[header]) for header, cell in cells.items()))
        if first.case is None:
            ask = self._groups
        elif plan.implementation.is_duckdb():
            ask = partial(self._kinds_on_duckdb, case=names[first.case])
        elif self._on_spark:
            of_domain = [names[header] for header in first.levels or filter(None, [first.domain])]
            ask = partial(self._kinds_on_spark, case=names[first.case], by=of_domain)
        else:
            ask = lambda plan: (self._columns(plan), None, None)  # noqa: E731
        coded, times, size = self.asked(lambda: ask(plan))
        for one in columns:
            if one.threshold is not None:  # as numbers, −1 where there is no score
                column = coded[list(names).index(one.prediction)]
                codes = np.array([int(value) for value in column.values] + [-1], dtype=np.int64)[column.codes]
                coded[list(names).index(one.prediction)] = Column([False, True], codes)
        if first.weight is not None and "Float32" in str(self.frame.collect_schema()[first.weight]):
            at = list(names).index(first.weight)  # 0.1 is meant, whatever it is as a float of 64 bits
            coded[at] = coded[at]._replace(values=[float(str(np.float32(value))) for value in coded[at].values])
        return self._table(dict(zip(headers, coded, strict=True)), times, size)

    def _table(self, columns: dict[str, Column], times: Any = None, size: Any = None) -> CodedCases:
        n = len(next(iter(columns.values())).codes)
        records = n if times is None else int(times.sum())
        if self.records not in (-1, records):
            raise located(
                self.where,
                f"{records} rows were counted, but there are {self.records} records; this must not happen: "
                "pass the table as a data frame, and report it",
            )
        table = CodedCases(columns, records, self.where, self.texts, times, size)
        table.headers = self.headers()
        table.first = {header: 1 for header, kind in self.frame.collect_schema().items() if kind.is_numeric()}
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
                score = nw.col(one.prediction).cast(nw.Float64())
                cells[one.prediction] = score
            if one.threshold is not None:
                # DuckDB decides isnan by the least and greatest value that Parquet notes, and Parquet leaves NaN out of
                # them; of exp nothing is known before it is computed, and it is NaN for NaN only.
                absent = (score.exp() if on_duckdb(self.frame) else score).is_nan()
                absent = score.is_null() | absent if schema[one.prediction].is_float() else score.is_null()
                above = nw.when(score >= exactly(one.threshold)).then(nw.lit(1)).otherwise(nw.lit(0))
                cells[one.prediction] = nw.when(absent).then(nw.lit(-1)).otherwise(above)
            if one.weight is not None and not schema[one.weight].is_integer():
                cells[one.weight] = nw.col(one.weight).cast(nw.Float64())
        return cells

    def _groups(self, plan: nw.LazyFrame[Any]) -> Counted:
        """Return distinct rows, and how many there are of each."""
        import narwhals as nw

        *coded, n = self._columns(plan.group_by(*plan.collect_schema().names()).agg(nw.len().alias("n")), True)
        times = _numbers(n)
        return coded, times, times

    def _kinds_on_duckdb(self, plan: nw.LazyFrame[Any], case: str) -> Counted:
        """Return the rows of each kind of cases, how many are alike, and how many cases there are of the kind.

        Cases are of one kind where their rows say the same, in whatever order: they are lists of numbers of distinct
        rows. Each kind has a number in the place of the names of its cases.
        """
        schema = plan.collect_schema()
        says = [name for name in schema if name != case]
        alike = " and ".join(f"t.{name} is not distinct from g.{name}" for name in says)
        # NaN is a missing name; of exp nothing is known before it is computed, whatever Parquet notes of the column.
        absent = f"coalesce(isnan(exp({case}::double)), true)" if schema[case].is_float() else f"{case} is null"
        listed = f"select {absent} as nameless, list_sort(list(g.g)) as g from t join g on {alike} group by {case}"
        query = f"""
            with rows as (select distinct {", ".join(says)} from t),
            g as materialized (select row_number() over () as g, * from rows),
            kinds as (select row_number() over () as kind, count(*) as size, * from ({listed}) group by all),
            each as (select kind, size, nameless, unnest(g) as g from kinds),
            counted as (select count(*) as n, * from each group by all)
            select {", ".join(schema)}, n * size as times, size
            from (select if(nameless, null, kind) as {case}, * exclude (kind, nameless) from counted) join g using (g)
        """
        *coded, times, size = self._columns(plan, query=query)
        return coded, _numbers(times), _numbers(size)

    def _kinds_on_spark(self, plan: nw.LazyFrame[Any], case: str, by: Sequence[str]) -> Counted:
        """Return the same as :meth:`_kinds_on_duckdb`, of each domain by itself.

        Rows are shuffled by their case once, and kinds of cases once more. Equal rows of a case are counted first, so
        that where a case is many a time there they do not pile up.
        """
        functions: Any = import_module("pyspark.sql.functions")
        native, names = plan.to_native(), plan.collect_schema().names()
        says, one = [name for name in names if name not in (*by, case)], functions.count(functions.lit(1))
        rows = native.repartition(*by, case).groupBy(*by, case, *says).agg(one.alias("n"))
        listed = functions.sort_array(functions.collect_list(functions.struct(*says, "n")))
        cases = rows.groupBy(*by, case).agg(listed.alias("rows"))
        absent = functions.col(case).isNull() | functions.isnan(functions.col(case).cast("double"))
        cases = cases.withColumn("nameless", functions.coalesce(absent, functions.lit(False)))
        out: dict[str, list[Any]] = {name: [] for name in (*names, "times", "size")}
        for i, kind in enumerate(cases.groupBy(*by, "nameless", "rows").agg(one.alias("cases")).collect()):
            for row in kind["rows"]:
                cells = {**row.asDict(), **{name: kind[name] for name in by}, case: None if kind["nameless"] else i}
                cells |= {"times": row["n"] * kind["cases"], "size": kind["cases"]}
                for name, values in out.items():
                    values.append(cells[name])
        *coded, times, size = map(_of_cells, out.values())
        return coded, _numbers(times), _numbers(size)

    def _columns(self, plan: nw.LazyFrame[Any], groups: bool = False, query: str = "") -> list[Column]:
        """Carry out a plan, on DuckDB perhaps a query of its table t, and return its columns."""
        import narwhals as nw

        schema, kind = plan.collect_schema(), plan.implementation
        plain = (nw.Float32, nw.Float64, nw.Boolean, nw.String)  # not 128 bits, decimals and dates
        if kind.is_duckdb():
            fetch = self.fetch or (lambda plan, take: take(plan.to_native()))

            def asked(relation: Any) -> Any:
                return relation.query("t", query) if query else relation

            if all(k in plain or (k.is_integer() and "128" not in str(k)) for k in schema.values()):
                arrays = fetch(plan, lambda relation: asked(relation).fetchnumpy())
                return [_of_array(np.ma.getdata(cells), ~np.ma.getmaskarray(cells)) for cells in arrays.values()]
            rows = fetch(plan, lambda relation: asked(relation).fetchall())
        elif self._on_spark:
            rows = plan.to_native().collect()
        else:
            frame = plan.collect("polars", engine="streaming") if groups and kind.is_polars() else plan.collect()
            return [_of_series(frame[name]) for name in schema]
        width = len(schema) + 2 * bool(query)
        return [_of_cells(cells) for cells in zip(*rows, strict=True)] if rows else [_of_cells(())] * width


def exactly(value: float) -> nw.Expr:
    """Return a float for an engine: as a text, since DuckDB 1 takes many digits for a decimal, and rounds twice."""
    import narwhals as nw

    return nw.lit(f"{value:.17e}").cast(nw.Float64())


def _numbers(column: Column) -> Integers:
    """Return the whole numbers in a column."""
    return np.array([*map(int, column.values)], dtype=np.int64)[column.codes]


def _of_series(series: nw.Series[Any]) -> Column:
    kind = series.dtype
    if kind.is_integer() or kind.is_float():
        known = ~series.is_null()
        values = series.filter(known).to_numpy()
        if values.dtype.kind in "biuf":
            flags = np.asarray(known.to_numpy(), dtype=bool)
            numbers = np.zeros(len(flags), dtype=values.dtype)
            numbers[flags] = values
            return _of_array(numbers, flags)
    return _of_cells(series.to_list())


def _of_array(values: NDArray[Any], known: Flags) -> Column:
    """Return a column of an array of which some values are known."""
    if values.dtype.kind not in "biuf":
        cells = values.astype(object)
        cells[~known] = None
        return _of_cells(cells.tolist())
    if values.dtype.kind == "f":
        known = known & ~np.isnan(values)
    there = values[known]
    small = values.dtype.kind != "f" and values.dtype != np.uint64
    distinct, place = ranked(there.astype(np.int64)) if small else np.unique(there, return_inverse=True)
    codes = np.full(len(values), -1, dtype=np.int64)
    codes[known] = place
    return Column((distinct.astype(bool) if values.dtype.kind == "b" else distinct).tolist(), codes)


def _of_cells(cells: Sequence[Any]) -> Column:
    """Return a column of values of any kind."""
    index = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
    met = np.fromiter(map(index.__getitem__, cells), dtype=np.int64, count=len(cells))
    values: dict[Any, int] = {}
    there = [-1 if missing(cell) else values.setdefault(plain_value(cell), len(values)) for cell in index]
    return Column(list(values), np.array([*there, -1], dtype=np.int64)[met])
