"""Engines: whatever holds the rows (pandas, polars, DuckDB, Dask, Spark, Ibis) groups them, and only counts travel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Integers
from ..checks.numbers import meant
from ..errors import RankscapeError
from .cases import (
    LARGEST_FLOAT,
    LARGEST_TOTAL,
    CaseNumbers,
    CaseTable,
    Classes,
    Columns,
    Kind,
    Places,
    refuse_lost,
    roles_of,
)
from .cells import missing
from .coded import CodedCases, Column
from .codes import Group, plain_name, plain_value
from .formats import no_column
from .frames import Fetch, Rows, fetched, fetched_together, on_duckdb, plain_weight, refuse_misread
from .headers import FILE, JOINED
from .sheets import located, quoted
from .spark import MARKS, JointCases, case_marks, is_spark, joint_cases, stacked

if TYPE_CHECKING:
    import narwhals as nw

Answer = TypeVar("Answer")

MOST_WEIGHTED = 5_000_000
"""Rows with fractional weights up to which these are added as decimals; beyond, an engine adds floats."""


class Answers(NamedTuple):
    """What an engine said, so that it is not asked again: rows as the plans of a table give them, None if unknown."""

    groups: dict[Columns, Rows]
    numbers: CaseNumbers | None = None
    clusters: Rows | None = None
    kinds: Rows | None = None
    cases: list[JointCases] | None = None


class EngineCases(CaseTable):
    """A table of predictions on its own engine."""

    def __init__(
        self, frame: nw.LazyFrame[Any], where: str, fetch: Fetch = fetched, records: int = -1, texts: bool = False
    ) -> None:
        self.frame = frame
        self.fetch = fetch
        self.schema = frame.collect_schema()
        super().__init__([header for header in map(str, self.schema) if header != FILE], records, where, texts)
        self.answers = Answers({})

    def check(self, roles: Mapping[str, str]) -> None:
        """Raise DataError for a column that is not there."""
        for header in roles:
            refuse_misread(self.frame, header, self.where)
            if header not in self.schema:
                raise no_column(self.where, header, roles, list(self.schema))

    def has_numbers(self, header: str) -> bool:
        """Tell whether a column holds numbers, or texts of which the first is one."""
        return self.schema[header].is_numeric() if header in self.schema else super().has_numbers(header)

    def join(self, levels: Sequence[str]) -> None:
        """Add the column :data:`JOINED` where several columns make a domain."""
        if levels:
            self.frame = with_joined(self.frame, levels, self.absent, self.where)
            self.schema = self.frame.collect_schema()

    def groups(self, columns: Columns) -> list[Group]:
        """Return the groups of equal rows, counted by the engine."""
        keys = self.keys(columns)
        if columns not in self.answers.groups:
            chosen = self.frame.select(*self.chosen(columns))
            self.answers.groups[columns] = self.counting(lambda: self.fetch(chosen.group_by(*keys).agg(*sums(columns))))
        names = [*keys, *("_rows", "_sum", "_known", "_low", "_high", "_parts")]
        rows = [dict(zip(names, row, strict=False)) for row in self.answers.groups[columns]]
        if columns.weight is not None:
            every, known = (sum(int(row[name]) for row in rows) for name in ("_rows", "_known"))
            if known < every:
                lacking = (
                    f"a weight in the column {quoted(columns.weight)} is missing ({every - known} of {every} rows)"
                )
                raise located(self.where, f"{lacking}; fill it in")
            rows = self._by_weight(columns, rows) if any(row["_parts"] for row in rows) else rows
        return [self._group(row, columns) for row in rows]

    def _by_weight(self, columns: Columns, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return groups of equal fractional weights, too, so that their sums are exact; so many rows at most."""
        if sum(int(row["_rows"]) for row in rows) > MOST_WEIGHTED:
            return rows
        keys = self.keys(columns)
        plan = self.frame.select(*self.chosen(columns)).group_by(*keys, "_weight").agg(*sums(columns))
        names = [*keys, "_weight", *("_rows", "_sum", "_known", "_low", "_high", "_parts")]
        return [dict(zip(names, row, strict=True)) for row in self.counting(lambda: self.fetch(plan))]

    def counting(self, ask: Callable[[], Answer]) -> Answer:
        """Return what an engine says, and its errors in one sentence."""
        try:
            return ask()
        except RankscapeError:
            raise
        except Exception as error:  # each engine has its own, such as sums that overflow
            problem = f"this cannot be counted: {' '.join(str(error).split())[:200]}"
            raise located(self.where, problem) from error

    def keys(self, columns: Columns) -> dict[str, nw.Expr]:
        """Return what equal rows have in common."""
        import narwhals as nw

        keys = {"_truth": nw.col(columns.truth), "_predicted": self._predicted(columns)}
        for name, column in (("_entity", columns.entity), ("_domain", columns.domain), ("_fold", columns.fold)):
            if column is not None:
                keys[name] = nw.col(column)
        return keys

    def chosen(self, columns: Columns) -> list[nw.Expr]:
        """Return the columns that counting needs."""
        chosen = [expression.alias(name) for name, expression in self.keys(columns).items()]
        return chosen + ([] if columns.weight is None else self.weights(columns.weight))

    def weights(self, header: str) -> list[nw.Expr]:
        """Return the weights, and how far each is from a whole number."""
        import narwhals as nw

        kind = self.schema[header]
        if not kind.is_numeric():
            raise located(self.where, f"the column {quoted(header)} holds no numbers; expected weights ≥ 0")
        weight = nw.col(header)
        if not kind.is_integer():
            weight = weight.cast(nw.Float64())
        elif kind != nw.UInt64():  # of which not all fit; too large ones are refused by their maximum
            weight = weight.cast(nw.Int64())
        broken = nw.lit(0) if kind.is_integer() else (weight - weight.round(0)).abs()
        return [weight.alias("_weight"), broken.alias("_broken")]

    def _group(self, row: dict[str, Any], columns: Columns) -> Group:
        rows = int(row["_rows"])
        weight = rows if columns.weight is None else self._sum(row, rows, columns.weight)
        predicted = plain_value(row["_predicted"])
        if columns.threshold is not None:
            predicted = None if predicted == -1 else bool(predicted)
        return Group(
            row["_domain"] if columns.domain is not None else "",
            row["_entity"] if columns.entity is not None else columns.prediction,
            plain_value(row["_truth"]),
            predicted,
            rows,
            weight,
            row["_fold"] if columns.fold is not None else "",
        )

    def _sum(self, row: dict[str, Any], rows: int, header: str) -> int | float | Fraction:
        """Return the sum of the weights of a group, after checking them; of equal ones as the decimals they print."""
        import narwhals as nw

        total, low, high = (plain_weight(row[key]) for key in ("_sum", "_low", "_high"))
        column = f"in the column {quoted(header)}"
        if total is None or low is None or high is None or total != total:
            raise located(self.where, f"a weight {column} is missing; fill it in")
        if low < 0 or high == float("inf"):
            value = low if low < 0 else high
            raise located(self.where, f"a weight {column} is {value:g}; expected finite, ≥ 0")
        if high * rows > LARGEST_TOTAL:
            raise located(self.where, f"the weights {column} are too large to be added exactly")
        if "_weight" in row:
            single = self.schema[header] == nw.Float32()
            return rows * meant(np.float32(low) if single else low)
        return int(total) if row["_parts"] == 0 and high * rows <= LARGEST_FLOAT else total

    def _predicted(self, columns: Columns) -> nw.Expr:
        """Return the prediction, or that of a score ≥ threshold: 1, 0, and −1 where there is no score."""
        import narwhals as nw

        column = nw.col(columns.prediction)
        if not columns.scored:
            return column
        kind = self.schema[columns.prediction]
        if not kind.is_numeric():
            problem = f"the column {quoted(columns.prediction)} holds no scores but {kind}; expected numbers"
            raise located(self.where, problem)
        score = column.cast(nw.Float64())
        if columns.threshold is None:
            return score
        above = nw.when(score >= exactly(columns.threshold)).then(nw.lit(1)).otherwise(nw.lit(0))
        return nw.when(self.absent(columns.prediction)).then(nw.lit(-1)).otherwise(above)

    def absent(self, header: str) -> nw.Expr:
        """Return whether a cell is missing, or NaN."""
        import narwhals as nw

        column = nw.col(header)
        if not self.schema[header].is_float():
            return column.is_null()
        # DuckDB decides isnan by the least and greatest value that Parquet notes, and Parquet leaves NaN out of them;
        # of exp nothing is known before it is computed, and it is NaN for NaN only.
        number = column.cast(nw.Float64())
        number = number.exp() if on_duckdb(self.frame) else number
        return column.is_null() | number.is_nan()

    def case_numbers(self, everything: Sequence[Columns], strange: Sequence[Any]) -> CaseNumbers:
        """Count what is wrong with cases."""
        import narwhals as nw

        if self.answers.numbers is not None and not strange and len(everything) == 1:
            return self.answers.numbers
        parts = [self._cases(one, strange, alone=len(everything) == 1) for one in everything]
        table = parts[0] if len(parts) == 1 else nw.concat(parts)
        if is_spark(self.frame):
            marks = case_marks(table, everything[0].domain is not None)
            return numbers_of_marks(
                self.fetch(marks.group_by("_domain", "_entity").agg(*(nw.col(mark).sum() for mark in MARKS)))
            )
        return numbers_of_rows(fetched_together(number_plans(table), self.fetch))

    def cases_of(self, columns: Columns) -> nw.LazyFrame[Any]:
        """Return domain, entity, case and truth of the rows that are counted where every label was expected."""
        return self._cases(columns, (), alone=True)

    def _cases(self, columns: Columns, strange: Sequence[Any], alone: bool) -> nw.LazyFrame[Any]:
        """Return domain, entity, case and truth of the rows that are counted, and whether the case is missing."""
        import narwhals as nw

        counting = self.frame
        for name in dict.fromkeys(filter(None, (columns.truth, columns.prediction, columns.entity, columns.domain))):
            counting = counting.filter(~self.absent(name))
        labels = [columns.truth] if columns.scored else [columns.truth, columns.prediction]
        for name in labels if strange else ():
            counting = counting.filter(~nw.col(name).is_in(list(strange)))
        column_name = nw.lit("" if alone else columns.prediction)
        return counting.select(
            (nw.lit("") if columns.domain is None else nw.col(columns.domain)).alias("_domain"),
            (column_name if columns.entity is None else nw.col(columns.entity)).alias("_entity"),
            nw.col(str(columns.case)).alias("_case"),
            nw.col(columns.truth).alias("_truth"),
            self.absent(str(columns.case)).alias("_nameless"),
        )

    def lacking(self, header: str) -> int:
        """Count the rows without a value in a column; a blank text is none."""
        values = self.answers.clusters if self.answers.clusters is not None else self.fetch(self.values(header))
        return sum(int(n) for value, n in values if plain_name(value) is None)

    def values(self, header: str) -> nw.LazyFrame[Any]:
        """Return the values of a column, and how many rows have each."""
        import narwhals as nw

        return self.frame.select(nw.col(header).alias("_value")).group_by("_value").agg(nw.len().alias("_n"))

    def kinds(self, everything: Sequence[Columns], cluster: str | None, classes: Classes, place: Places) -> list[Kind]:
        """Return the kinds of cases."""
        if everything[0].entity is None:
            return self._kinds_of_columns(everything, cluster, classes)
        return self._kinds_of_rows(everything[0], cluster, classes, place)

    def _kinds_of_columns(self, everything: Sequence[Columns], cluster: str | None, classes: Classes) -> list[Kind]:
        """Return the kinds of a table with one row per case."""
        rows = self.answers.kinds
        rows = self.fetch(self.kinds_of_columns(everything, cluster)) if rows is None else rows
        at = {label: classes.place(label) for label in {label for row in rows for label in row[2:-1]}}
        return [
            Kind(
                domain, unit, np.array([classes.number * at[truth] + at[p] for p in predicted], dtype=np.int64), int(n)
            )
            for domain, unit, truth, *predicted, n in rows
        ]

    def kinds_of_columns(self, everything: Sequence[Columns], cluster: str | None) -> nw.LazyFrame[Any]:
        """Return how many rows are equal in domain, cluster, truth and all predictions: one group-by."""
        import narwhals as nw

        keys = {"_domain": everything[0].domain, "_unit": cluster, "_truth": everything[0].truth}
        keys |= {f"_p{i}": one.prediction for i, one in enumerate(everything)}
        chosen = [(nw.lit(0) if name is None else nw.col(name)).alias(key) for key, name in keys.items()]
        return self.frame.select(*chosen).group_by(*keys).agg(nw.len().alias("_n"))

    def _kinds_of_rows(self, columns: Columns, cluster: str | None, classes: Classes, place: Places) -> list[Kind]:
        """Return the kinds of a table with a row per case and entity: outcomes, digits of keys, are added per case."""
        import narwhals as nw

        if self.answers.cases is not None:
            return _kinds_of_cases(self.answers.cases, classes, place)
        groups = self.answers.groups[columns]
        truths, predictions, entities = (list(dict.fromkeys(row[place] for row in groups)) for place in range(3))

        def whole(number: int) -> nw.Expr:
            return nw.lit(number, nw.Int64())

        def position(name: str, labels: Sequence[Any], worth: int) -> nw.Expr:
            """Return the position of a label, bit by bit: short, however many classes there are."""
            at = [(label, classes.place(label)) for label in labels]
            out = whole(0)
            for bit in range((classes.number - 1).bit_length()):
                raw = [label for label, i in at if i >> bit & 1]
                one = nw.when(nw.col(name).is_in(raw)).then(whole(worth << bit)).otherwise(whole(0))
                out = out + one if raw else out
            return out

        header = str(columns.entity)
        at = {raw: place(raw) for raw in entities}
        used = [(raw, i) for raw, i in at.items() if i is not None]  # the others are on other domains
        n, size = 1 + max(i for _, i in used), classes.per_key

        def weight(key: int) -> nw.Expr:
            here = [(raw, classes.outcomes ** (i % size)) for raw, i in used if i // size == key]
            return reduce(
                lambda rest, one: nw.when(nw.col(header) == one[0]).then(whole(one[1])).otherwise(rest), here, whole(0)
            )

        code = position(columns.truth, truths, classes.number) + position(columns.prediction, predictions, 1)
        keys = [f"_k{key}" for key in range(-(-n // size))]
        where = {"_domain": columns.domain, "_unit": cluster, "_case": columns.case}
        chosen = [(nw.lit(0) if column is None else nw.col(column)).alias(key) for key, column in where.items()]
        rows = self.frame.select(*chosen, *((code * weight(key)).alias(name) for key, name in enumerate(keys)))
        cases = rows.group_by(*where).agg(*(nw.col(key).sum() for key in keys))
        counted_cases = self.fetch(cases.group_by("_domain", "_unit", *keys).agg(nw.len().alias("_n")))
        return [
            Kind(domain, unit, _outcomes(sums, n, classes), int(rows)) for domain, unit, *sums, rows in counted_cases
        ]


def exactly(value: float) -> nw.Expr:
    """Return a float for an engine. DuckDB 1 takes a literal of many digits for a decimal, and rounds it twice."""
    import narwhals as nw

    if float(f"{value:.15g}") == value or "e" in repr(value):
        return nw.lit(value)
    numerator, denominator = value.as_integer_ratio()  # a power of two, at most 2⁶⁶ where there is no exponent
    half = denominator.bit_length() // 2
    return nw.lit(numerator).cast(nw.Float64()) / float(2**half) / float(denominator >> half)


def sums(columns: Columns) -> list[nw.Expr]:
    """Return what is added up over equal rows."""
    import narwhals as nw

    weight = nw.col("_weight")
    weights = [
        weight.sum().alias("_sum"),
        weight.count().alias("_known"),
        weight.min().alias("_low"),
        weight.max().alias("_high"),
        nw.col("_broken").max().alias("_parts"),
    ]
    return [nw.len().alias("_rows"), *(() if columns.weight is None else weights)]


def number_plans(table: nw.LazyFrame[Any]) -> dict[str, nw.LazyFrame[Any]]:
    """Return the plans that together tell what is wrong with cases, of the rows that are counted."""
    import narwhals as nw

    many = nw.len().alias("_n")
    known = table.filter(~nw.col("_nameless"))
    rows = known.group_by("_domain", "_entity", "_case").agg(many)  # not n_unique: engines in parts add it up
    per_entity = rows.group_by("_domain", "_entity").agg(nw.col("_n").sum().alias("_rows"), nw.len().alias("_c"))
    cases = known.group_by("_domain", "_case", "_truth").agg(many).group_by("_domain", "_case").agg(many)
    per_truths = cases.group_by("_domain", "_n").agg(nw.len().alias("_c"))
    nameless = table.filter(nw.col("_nameless")).group_by("_domain").agg(many)
    return {"entities": per_entity, "truths": per_truths, "nameless": nameless}


def numbers_of_rows(rows: dict[str, Rows]) -> CaseNumbers:
    """Return what is wrong with cases, from the rows of :func:`number_plans`."""
    cases: Counter[Any] = Counter()
    for domain, _, n in rows["truths"]:
        cases[domain] += int(n)
    torn = sum(int(n) for _, truths, n in rows["truths"] if int(truths) > 1)
    return CaseNumbers.of(sum(int(n) for _, n in rows["nameless"]), rows["entities"], cases, torn)


def numbers_of_marks(rows: Iterable[tuple[Any, ...]]) -> CaseNumbers:
    """Return what is wrong with cases, from domains and entities, perhaps in parts, and the sums of MARKS."""
    cases: Counter[Any] = Counter()
    pairs: dict[tuple[Any, Any], list[int]] = {}
    nameless = torn = 0
    for domain, entity, *marks in rows:
        counted, unnamed, per_entity, _, per_case, with_truths = (int(mark or 0) for mark in marks)
        nameless, torn = nameless + unnamed, torn + with_truths
        cases[domain] += per_case
        if counted:
            pair = pairs.setdefault((domain, entity), [0, 0])
            pair[0], pair[1] = pair[0] + counted, pair[1] + per_entity
    return CaseNumbers.of(nameless, ((*place, n, c) for place, (n, c) in pairs.items()), cases, torn)


def _kinds_of_cases(cases: Sequence[JointCases], classes: Classes, place: Places) -> list[Kind]:
    """Return the kinds of cases of which all entities are known."""
    cells = {cell for case in cases for cell in case.outcomes}
    at = {(e, t, p): (place(e), classes.number * classes.place(t) + classes.place(p)) for e, t, p in cells}
    n = 1 + max(i for i, _ in at.values() if i is not None)
    kinds = []
    for case in cases:
        outcomes = np.zeros(n, dtype=np.int64)
        for cell in case.outcomes:
            i, outcome = at[cell]
            if i is not None:  # else the entity is on other domains only
                outcomes[i] = outcome
        kinds.append(Kind(case.domain, case.unit, outcomes, case.size))
    return kinds


def _outcomes(sums: Sequence[Any], n: int, classes: Classes) -> Integers:
    """Return the outcomes of n entities that keys hold as digits."""
    keys, places, size = np.array(list(map(int, sums)), dtype=np.int64), np.arange(n), classes.per_key
    return np.asarray(keys[places // size] // classes.outcomes ** (places % size) % classes.outcomes)


# Domains of several columns


def with_joined(
    frame: nw.LazyFrame[Any], levels: Sequence[str], absent: Callable[[str], nw.Expr], where: str
) -> nw.LazyFrame[Any]:
    r"""Return a frame with the column :data:`JOINED`, as :func:`rankscape.checks.names.domain_text` joins its parts.

    ``absent`` tells where a cell is missing; then the domain is, too.

    >>> import narwhals as nw, pyarrow as pa
    >>> frame = nw.from_native(pa.table({"a": ["x/y"], "b": [2.0]})).lazy()
    >>> joined = with_joined(frame, ["a", "b"], lambda header: nw.col(header).is_null(), "")
    >>> print(joined.collect()[JOINED].item())
    x\/y/2
    """
    import narwhals as nw

    schema = frame.collect_schema()

    def part(header: str) -> nw.Expr:
        """Return a cell as a text, as Python writes it."""
        kind, cell = schema[header], nw.col(header)
        if not (kind.is_numeric() or kind in (nw.String, nw.Categorical, nw.Enum, nw.Boolean, nw.Object)):
            problem = f"the column {quoted(header)} holds {kind}; expected texts or numbers as a part of a domain"
            raise located(where, f"{problem}: make texts of it")
        text = cell.cast(nw.String())
        if kind == nw.Boolean:
            text = nw.when(cell).then(nw.lit("True")).otherwise(nw.lit("False"))
        elif kind.is_numeric() and not kind.is_integer():
            whole = (cell.abs() < LARGEST_FLOAT) & (cell == cell.round(0))
            integer = nw.when(whole).then(cell).otherwise(nw.lit(0)).cast(nw.Int64())
            text = nw.when(whole).then(integer.cast(nw.String())).otherwise(text)
        for sign in "\\/":  # in this order
            text = text.str.replace_all(sign, f"\\{sign}", literal=True)
        return nw.when(~absent(header)).then(text)

    return frame.with_columns(nw.concat_str([part(level) for level in levels], separator="/").alias(JOINED))


# Rows themselves


def coded_rows(table: EngineCases, columns: Sequence[Columns]) -> CodedCases:
    """Return the rows of a table on an engine: one job, which fetches the columns that are named, and no others.

    They have an order in files, and in data frames other than those of DuckDB, Spark and Ibis.

    >>> import pyarrow as pa
    >>> from rankscape.io.frames import lazy_frame
    >>> columns = [Columns("y", "s", None, None, None, None, None, True)]
    >>> rows = coded_rows(
    ...     EngineCases(lazy_frame(pa.table({"y": ["n", None], "s": [0.5, 0.5], "z": [1, 2]})), ""),
    ...     columns,
    ... )
    >>> {header: (column.values, column.codes.tolist()) for header, column in rows.columns.items()}
    {'y': (['n'], [0, -1]), 's': ([0.5], [0, 0])}
    """
    for one in columns:
        table.chosen(one)  # which refuses scores and weights that are no numbers
    rows = coded_columns(table, list(roles_of(columns)))
    rows.join(columns[0].levels)
    return rows


def rows_here(table: CaseTable, headers: Sequence[str]) -> CodedCases | None:
    """Return some columns of a table whose rows are on this machine; None where Spark, Dask or a warehouse has them."""
    if isinstance(table, CodedCases):
        return table
    if not isinstance(table, EngineCases):
        return None
    kind = table.frame.implementation
    here = kind.is_pandas_like() or kind.is_polars() or kind.is_pyarrow() or table.records >= 0
    return coded_columns(table, list(dict.fromkeys(headers))) if here else None


def coded_columns(table: EngineCases, headers: Sequence[str]) -> CodedCases:
    """Return some columns of a table on an engine, fetched in one job."""
    fetched = table.counting(lambda: _columns(table, table.frame.select(*headers)))
    records = len(fetched[0].codes)
    refuse_lost(table.where, table.records, records)
    rows = CodedCases(dict(zip(headers, fetched, strict=True)), records, table.where, table.texts)
    rows.headers = table.headers
    rows.first = {header: 1 for header in table.headers if table.has_numbers(header)}
    kind = table.frame.implementation
    in_order = kind.is_pandas_like() or kind.is_polars() or kind.is_pyarrow() or kind.is_dask()
    rows.ordered = in_order or table.records >= 0
    return rows


def _columns(table: EngineCases, plan: nw.LazyFrame[Any]) -> list[Column]:
    """Carry out a plan and return its columns."""
    schema = plan.collect_schema()
    if plan.implementation.is_duckdb() and all(map(_plain, schema.values())):
        arrays = table.fetch(plan, lambda relation: relation.fetchnumpy())
        return [_of_array(np.ma.getdata(arrays[name]), ~np.ma.getmaskarray(arrays[name])) for name in schema]
    if plan.implementation.is_duckdb() or is_spark(plan):
        cells = list(zip(*table.fetch(plan), strict=True))
        return [_of_cells(column) for column in cells] if cells else [_of_cells(()) for _ in schema]
    frame = plan.collect()
    return [_of_series(frame[name]) for name in schema]


def _plain(kind: Any) -> bool:
    """Tell whether DuckDB gives values of a type to numpy as they are: not so 128 bits, decimals and dates."""
    import narwhals as nw

    plain = (nw.Int8, nw.Int16, nw.Int32, nw.Int64, nw.UInt8, nw.UInt16, nw.UInt32, nw.UInt64, nw.Float32, nw.Float64)
    return kind in (*plain, nw.Boolean, nw.String)


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
    if values.dtype.kind not in "biuf" and known.all():
        return _of_cells(values.tolist())
    if values.dtype.kind not in "biuf":
        return _of_cells(
            [value if there else None for value, there in zip(values.tolist(), known.tolist(), strict=True)]
        )
    if values.dtype.kind == "f":
        known = known & ~np.isnan(values)
    distinct, place = np.unique(values[known], return_inverse=True)
    codes = np.full(len(values), -1, dtype=np.int64)
    codes[known] = place
    return Column(distinct.tolist(), codes)


def _of_cells(cells: Sequence[Any]) -> Column:
    """Return a column of values of any kind."""
    index = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
    met = np.fromiter(map(index.__getitem__, cells), dtype=np.int64, count=len(cells))
    values: dict[Any, int] = {}
    there = [-1 if missing(cell) else values.setdefault(plain_value(cell), len(values)) for cell in index]
    return Column(list(values), np.array([*there, -1], dtype=np.int64)[met])


# Questions asked ahead


def ask(table: EngineCases, columns: Sequence[Columns], cluster: str | None, pairs: bool) -> None:
    """Ask a table ahead where that saves jobs; ``pairs`` tells whether kinds of cases will be asked for, too.

    Spark answers in one query of at most two shuffles, each of which is a job, and so is what follows them. Dask
    answers in one computation; only the kinds of cases of a table with rows per entity are another one. What the
    answers cannot tell exactly is left out, and the table asks for it when it is needed.
    """
    wide = pairs and columns[0].entity is None
    if table.frame.implementation.is_dask():  # which reads all columns where a constant stands beside some
        table.frame = table.frame.select(
            *{**roles_of(columns, cluster), **dict.fromkeys(columns[0].levels and [JOINED])}
        )
    if is_spark(table.frame):
        answers = table.counting(lambda: _of_spark(table, columns, cluster, pairs))
    elif wide or table.frame.implementation.is_dask():
        answers = table.counting(lambda: _of_plans(table, columns, cluster, wide))
    else:
        return
    table.answers = answers


# Several plans


def _of_plans(table: EngineCases, columns: Sequence[Columns], cluster: str | None, wide: bool) -> Answers:
    """Return the answers of plans that are carried out together."""
    plans: dict[Any, nw.LazyFrame[Any]] = {}
    if wide:
        plans["kinds"] = table.kinds_of_columns(columns, cluster)
    else:
        for one in columns:
            plans[one] = table.frame.select(*table.chosen(one)).group_by(*table.keys(one)).agg(*sums(one))
        if cluster is not None:
            plans["clusters"] = table.values(cluster)
    numbers = number_plans(table.cases_of(columns[0])) if columns[0].case is not None else {}
    rows = fetched_together(plans | numbers, table.fetch)
    answers = _of_kinds(columns, rows["kinds"]) if wide else Answers({one: rows[one] for one in columns})
    return answers._replace(
        numbers=numbers_of_rows({name: rows[name] for name in numbers}) if numbers else None,
        clusters=rows.get("clusters", answers.clusters),
    )


def _of_kinds(columns: Sequence[Columns], kinds: Rows) -> Answers:
    """Return what the kinds of cases (domain, cluster, truth, predictions, number) tell of each column and cluster."""
    clusters: Counter[Any] = Counter()
    groups: dict[Columns, Counter[Any]] = {one: Counter() for one in columns}
    for domain, unit, truth, *predicted, n in kinds:
        clusters[unit] += int(n)
        for (one, group), label in zip(groups.items(), predicted, strict=True):
            group[(truth, label) if one.domain is None else (truth, label, domain)] += int(n)
    rows = {one: [(*key, n) for key, n in group.items()] for one, group in groups.items()}
    return Answers(rows, clusters=list(clusters.items()), kinds=kinds)


# Spark


def _of_spark(table: EngineCases, columns: Sequence[Columns], cluster: str | None, pairs: bool) -> Answers:
    """Return the answers of one query of Spark."""
    import narwhals as nw

    first = columns[0]
    if pairs and first.entity is not None:
        answers = _of_joint_cases(table, first, cluster)
        if answers is not None:
            return answers
        pairs = False
    if not (pairs or len(columns) > 1 or first.case is not None):
        return Answers({})  # one group-by, when it is asked for
    keys = {name: expression for name, expression in table.keys(first).items() if name != "_predicted"}
    if pairs and cluster is not None:
        keys["_unit"] = nw.col(cluster)
    labels = {f"_p{i}": table.keys(one)["_predicted"] for i, one in enumerate(columns)}
    weights = () if first.weight is None else table.weights(first.weight)
    chosen = [expression.alias(name) for name, expression in (keys | labels).items()]
    rows = table.frame.select(*chosen, *weights)
    places, stack = list(labels), len(columns) > 1 and not pairs
    rows, places = stacked(rows, places) if stack else (rows, places)
    by = [*keys, *dict.fromkeys(places), *(["_column"] if stack else [])]
    if first.case is None:
        plan = rows.group_by(*by).agg(*sums(first))
    else:
        of_cases = case_marks(table.cases_of(first), first.domain is not None)
        of_cases = of_cases.rename({"_domain": "_place", "_entity": "_name"})
        parts = [rows.with_columns(nw.lit(0).alias("_part")), of_cases.with_columns(nw.lit(1).alias("_part"))]
        by += ["_place", "_name", "_part"]
        plan = nw.concat(parts, how="diagonal").group_by(*by).agg(*sums(first), *(nw.col(mark).sum() for mark in MARKS))
    names = plan.collect_schema().names()
    both = [dict(zip(names, row, strict=True)) for row in table.fetch(plan)]
    counted, checks = ([row for row in both if row.get("_part", 0) == part] for part in (0, 1))
    numbers = None
    if first.case is not None:
        numbers = numbers_of_marks(tuple(row[name] for name in ("_place", "_name", *MARKS)) for row in checks)
    if pairs:
        kinds = [
            (row.get("_domain", 0), row.get("_unit", 0), row["_truth"], *(row[p] for p in places), row["_rows"])
            for row in counted
        ]
        return _of_kinds(columns, kinds)._replace(numbers=numbers)
    groups: dict[Columns, Rows] = {one: [] for one in columns}
    rest = [name for name in names if name not in (*by, *MARKS)]
    for row in counted:
        i = row.get("_column", 0)
        of_row = [row[name] for name in ("_entity", "_domain", "_fold") if name in keys]
        groups[columns[i]].append((row["_truth"], row[places[i]], *of_row, *(row[name] for name in rest)))
    return Answers(groups, numbers)


def _of_joint_cases(table: EngineCases, columns: Columns, cluster: str | None) -> Answers | None:
    """Return what the kinds of cases of a table with a row per case and entity tell; None where that is not all."""
    import narwhals as nw

    domain = nw.lit("") if columns.domain is None else nw.col(columns.domain)
    unit = nw.lit(0) if cluster is None else nw.col(cluster)
    keys = {name: expression for name, expression in table.keys(columns).items() if name != "_domain"}
    keys |= {"_domain": domain, "_unit": unit, "_case": nw.col(str(columns.case))}
    chosen = [expression.alias(name) for name, expression in keys.items()]
    rows = table.frame.select(*chosen, table.absent(str(columns.case)).alias("_nameless"))
    cases = joint_cases(rows, cluster is not None)
    if cases is None:
        return None
    groups: Counter[Any] = Counter()
    clusters: Counter[Any] = Counter()
    for case in cases:
        clusters[case.unit] += case.size * len(case.outcomes)
        for entity, truth, predicted in case.outcomes:
            key = (truth, predicted, entity)
            groups[key if columns.domain is None else (*key, case.domain)] += case.size
    return Answers(
        {columns: [(*key, n) for key, n in groups.items()]},
        numbers=CaseNumbers(0, [], [], 0),
        clusters=list(clusters.items()),
        cases=cases,
    )
