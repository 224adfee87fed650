"""Engines: whatever holds the rows (pandas, polars, DuckDB, Dask, Spark, Ibis) groups them, and only counts travel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from ..arrays import Integers
from ..checks.numbers import meant
from ..errors import RankscapeError
from .cases import LARGEST_FLOAT, LARGEST_TOTAL, CaseNumbers, Classes, Columns, Kind, Places
from .cells import is_number
from .codes import Group, plain_name, plain_value
from .formats import no_column
from .frames import Fetch, Rows, fetched, fetched_together, on_duckdb, plain_weight, refuse_misread
from .headers import FILE
from .levels import with_joined
from .sheets import located, quoted
from .spark import MARKS, JointCases, case_marks, is_spark

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


class EngineCases:
    """A table of predictions on its own engine; see :class:`rankscape.io.cases.CaseTable`."""

    def __init__(
        self, frame: nw.LazyFrame[Any], where: str, fetch: Fetch = fetched, records: int = -1, texts: bool = False
    ) -> None:
        self.frame = frame
        self.where = where
        self.fetch = fetch
        self.records = records
        self.texts = texts
        self.schema = frame.collect_schema()
        self.headers: Sequence[str] = [header for header in map(str, self.schema) if header != FILE]
        self.entity: str | None = None
        self.first: Mapping[str, Any] = {}
        self.left_out: dict[str, int] = {}
        self.notes: tuple[str, ...] = ()
        self.answers = Answers({})

    def check(self, roles: Mapping[str, str]) -> None:
        """Raise DataError for a column that is not there."""
        for header in roles:
            refuse_misread(self.frame, header, self.where)
            if header not in self.schema:
                raise no_column(self.where, header, roles, list(self.schema))

    def has_numbers(self, header: str) -> bool:
        """Tell whether a column holds numbers, or texts of which the first is one."""
        return self.schema[header].is_numeric() if header in self.schema else is_number(self.first.get(header))

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
        if columns.weight is not None and any(row["_parts"] for row in rows):
            rows = self._by_weight(columns, rows)
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
        known = int(row["_known"])
        column = f"in the column {quoted(header)}"
        if known < rows or total is None or low is None or high is None or total != total:
            lacking = f" ({rows - known} of {rows} such rows)" if known < rows else ""
            raise located(self.where, f"a weight {column} is missing{lacking}; fill it in")
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
        """Count what is wrong with cases; see :class:`rankscape.io.cases.CaseTable`."""
        import narwhals as nw

        if self.answers.numbers is not None and not strange and len(everything) == 1:
            return self.answers.numbers
        parts = [self._cases(one, strange, alone=len(everything) == 1) for one in everything]
        table = parts[0] if len(parts) == 1 else nw.concat(parts)
        if is_spark(self.frame):
            marks = case_marks(table, everything[0].domain is not None)
            return numbers_of_marks(self.fetch(marks.group_by("_domain", "_entity").agg(*sums_of_marks())))
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
        """Return the kinds of cases; see :class:`rankscape.io.cases.CaseTable`."""
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


def sums_of_marks() -> list[nw.Expr]:
    """Return the sums of MARKS."""
    import narwhals as nw

    return [nw.col(mark).sum() for mark in MARKS]


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
    return _numbers(sum(int(n) for _, n in rows["nameless"]), rows["entities"], cases, torn)


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
    return _numbers(nameless, ((*place, n, c) for place, (n, c) in pairs.items()), cases, torn)


def _numbers(nameless: int, entities: Iterable[tuple[Any, ...]], of: Counter[Any], torn: int) -> CaseNumbers:
    """Return the numbers from (domain, entity, rows, cases) and the cases of each domain."""
    per_entity = [(d, e, int(n), int(c)) for d, e, n, c in entities]
    return CaseNumbers(
        nameless,
        [(d, e, n - c, of[d]) for d, e, n, c in per_entity if n > c],
        [(d, e, of[d] - c, of[d]) for d, e, _, c in per_entity if c < of[d]],
        torn,
    )


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
