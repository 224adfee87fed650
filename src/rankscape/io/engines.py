"""Engines: whatever holds the rows (pandas, polars, Arrow, DuckDB, Dask, Spark) groups them, and only counts travel."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import DataError, UsageError
from ..texts import counted
from .codes import plain_name, plain_value
from .groups import Group
from .tabular import located, shown

if TYPE_CHECKING:
    import narwhals as nw

Fetch = Callable[["nw.LazyFrame[Any]"], list[tuple[Any, ...]]]
LARGEST_TOTAL = 2**62
"""Sums of whole weights up to here are exact on every engine."""
LARGEST_FLOAT = 2**53
"""Sums of whole weights up to here are exact in floats."""


class Columns(NamedTuple):
    """Which column holds what; ``prediction`` is a score where there is a threshold."""

    truth: str
    prediction: str
    entity: str | None
    domain: str | None
    case: str | None
    weight: str | None
    threshold: float | None
    all_thresholds: bool


def lazy_frame(native: Any, where: str = "") -> "nw.LazyFrame[Any]":
    """Return a data frame of any kind as a plan that its own engine will carry out."""
    import narwhals as nw

    try:
        frame = nw.from_native(native, pass_through=True)
    except Exception as error:  # each library has its own way to refuse a frame, such as one with equal headers
        raise located(where, f"the data frame cannot be used: {' '.join(str(error).split())}") from error
    if not isinstance(frame, (nw.DataFrame, nw.LazyFrame)):
        raise DataError(
            f"expected files or a data frame of predictions, one case per row; got {type(native).__name__}: "
            "for arrays use Performances.from_labels, or an Accumulator for batches"
        )
    return frame.lazy()


def fetched(frame: "nw.LazyFrame[Any]") -> list[tuple[Any, ...]]:
    """Carry out a plan and return its few rows."""
    native: Any = frame.to_native()
    kind = frame.implementation
    if kind.is_duckdb():
        return list(native.fetchall())
    if kind.is_pyspark() or kind.is_pyspark_connect():
        return [tuple(row) for row in native.collect()]
    eager = frame.collect("polars", engine="streaming") if kind.is_polars() else frame.collect()
    return list(eager.rows())


def groups_of(frame: "nw.LazyFrame[Any]", columns: Columns, where: str, fetch: Fetch = fetched) -> list[Group]:
    """Return the groups of equal rows of a table of predictions, counted by its engine."""
    import narwhals as nw

    schema = checked_schema(frame, columns, where)
    keys = {"_truth": nw.col(columns.truth), "_predicted": _predicted(frame, columns, schema, where)}
    for name, column in (("_entity", columns.entity), ("_domain", columns.domain)):
        if column is not None:
            keys[name] = nw.col(column)
    chosen = [expression.alias(name) for name, expression in keys.items()]
    counts = [nw.len().alias("_rows")]
    if columns.weight is not None:
        kind = schema[columns.weight]
        if not kind.is_numeric():
            raise located(where, f"the column {shown(columns.weight)} holds no numbers; expected weights ≥ 0")
        weight = nw.col("_weight")
        own = nw.col(columns.weight)
        if not kind.is_integer():
            own = own.cast(nw.Float64())
        elif kind != nw.UInt64():  # of which not all fit; too large ones are refused by their maximum
            own = own.cast(nw.Int64())
        broken = nw.lit(0) if kind.is_integer() else (own - own.round(0)).abs()
        chosen += [own.alias("_weight"), broken.alias("_broken")]
        counts += [
            weight.sum().alias("_sum"),
            weight.count().alias("_known"),
            weight.min().alias("_low"),
            weight.max().alias("_high"),
            (nw.col("_broken").max()).alias("_parts"),
        ]
    try:
        rows = fetch(frame.select(*chosen).group_by(*keys).agg(*counts))
    except DataError:
        raise
    except Exception as error:  # each engine has its own, such as sums that overflow
        raise located(where, f"this cannot be counted: {' '.join(str(error).split())[:200]}") from error
    names = [*keys, *("_rows", "_sum", "_known", "_low", "_high", "_parts")]
    return [_group(dict(zip(names, row, strict=False)), columns, where) for row in rows]


def _group(row: dict[str, Any], columns: Columns, where: str) -> Group:
    rows = int(row["_rows"])
    weight: int | float = rows
    if columns.weight is not None:
        total, low, high = (plain_weight(row[key]) for key in ("_sum", "_low", "_high"))
        known = int(row["_known"])
        if known < rows or total is None or low is None or high is None or total != total:
            lacking = f" ({rows - known} of {rows} such rows)" if known < rows else ""
            raise located(where, f"a weight in the column {shown(columns.weight)} is missing{lacking}; fill it in")
        if low < 0 or high == float("inf"):
            value = low if low < 0 else high
            raise located(where, f"a weight in the column {shown(columns.weight)} is {value:g}; expected finite, ≥ 0")
        if high * rows > LARGEST_TOTAL:
            raise located(where, f"the weights in the column {shown(columns.weight)} are too large to be added exactly")
        whole = row["_parts"] == 0 and high * rows <= LARGEST_FLOAT
        weight = int(total) if whole else total
    predicted = plain_value(row["_predicted"])
    if columns.threshold is not None:
        predicted = None if predicted == -1 else bool(predicted)
    return Group(
        plain_name(row["_domain"]) if columns.domain is not None else "",
        plain_name(row["_entity"]) if columns.entity is not None else columns.prediction,
        plain_value(row["_truth"]),
        predicted,
        rows,
        weight,
    )


def plain_weight(value: Any) -> int | float | None:
    """Return a sum of weights as a number: integers stay integers."""
    plain = value.item() if hasattr(value, "item") else value
    if plain is None or isinstance(plain, (int, float)):
        return plain
    return int(plain) if plain == int(plain) else float(plain)  # a Decimal, or a number of an engine's own


def _predicted(frame: "nw.LazyFrame[Any]", columns: Columns, schema: Any, where: str) -> "nw.Expr":
    """Return the prediction, or that of a score ≥ threshold: 1, 0, and −1 where there is no score."""
    import narwhals as nw

    column = nw.col(columns.prediction)
    if columns.threshold is None and not columns.all_thresholds:
        return column
    if not schema[columns.prediction].is_numeric():
        kind = schema[columns.prediction]
        raise located(where, f"the column {shown(columns.prediction)} holds no scores but {kind}; expected numbers")
    score = column.cast(nw.Float64())
    if columns.all_thresholds:
        return score
    above = nw.when(score >= columns.threshold).then(nw.lit(1)).otherwise(nw.lit(0))
    return nw.when(_lacking(frame, columns.prediction, schema)).then(nw.lit(-1)).otherwise(above)


def _lacking(frame: "nw.LazyFrame[Any]", name: str, schema: Any) -> "nw.Expr":
    """Return whether a cell is missing, or NaN."""
    import narwhals as nw

    column = nw.col(name)
    if not schema[name].is_float():
        return column.is_null()
    # DuckDB decides isnan by the least and greatest value that Parquet notes, and Parquet leaves NaN out of them;
    # of exp nothing is known before it is computed, and it is NaN for NaN only.
    number = column.cast(nw.Float64())
    number = number.exp() if frame.implementation.is_duckdb() else number
    return column.is_null() | number.is_nan()


def checked_schema(frame: "nw.LazyFrame[Any]", columns: Columns, where: str) -> Any:
    """Return the types of the columns, after checking that those asked for are there."""
    schema = frame.collect_schema()
    roles = {"truth": columns.truth, "prediction": columns.prediction, "entity": columns.entity}
    roles |= {"domain": columns.domain, "case": columns.case, "weight": columns.weight}
    for role, name in roles.items():
        if name is not None and name not in schema:
            near = get_close_matches(str(name), list(schema), n=3)
            names = list(map(shown, near or list(schema)[:12]))
            raise located(where, f"no column is called {shown(name)} ({role}); expected one of {', '.join(names)}")
    return schema


def unmatched_cases(
    frame: "nw.LazyFrame[Any]",
    everything: Sequence[Columns],
    where: str,
    fetch: Fetch = fetched,
    strange: Sequence[Any] = (),
) -> list[str]:
    """Return what is wrong with the cases, in words with numbers: repeated, absent for an entity, of several truths.

    Rows that are not counted are none: those without truth, prediction or name, and with ``strange`` labels.
    """
    import narwhals as nw

    columns = everything[0]
    if columns.case is None:
        return []
    parts = [_cases(frame, one, where, strange, alone=len(everything) == 1) for one in everything]
    table, many = parts[0] if len(parts) == 1 else nw.concat(parts), nw.len().alias("_n")
    known = table.filter(~nw.col("_nameless"))
    rows = known.group_by("_domain", "_entity", "_case").agg(many)  # not n_unique: engines in parts add it up wrongly
    per_entity = fetch(rows.group_by("_domain", "_entity").agg(nw.col("_n").sum().alias("_rows"), nw.len().alias("_c")))
    cases = known.group_by("_domain", "_case", "_truth").agg(many).group_by("_domain", "_case").agg(many)
    per_domain: dict[Any, Any] = dict(fetch(cases.group_by("_domain").agg(nw.len().alias("_c"))))
    disagree = fetch(cases.filter(nw.col("_n") > 1).group_by("_domain").agg(nw.len().alias("_c")))
    nameless = fetch(table.filter(nw.col("_nameless")).group_by("_domain").agg(nw.len().alias("_n")))
    repeated = [(d, e, int(rows) - int(cases)) for d, e, rows, cases in per_entity if int(rows) > int(cases)]
    absent = [(d, e, int(per_domain[d]) - int(n)) for d, e, _, n in per_entity if int(n) < int(per_domain[d])]
    found = []
    if nameless:
        found.append(f"in {counted(sum(int(n) for _, n in nameless), 'row')} the case is missing")
    named = columns.entity is not None or len(everything) > 1

    def first_of(places: list[Any]) -> tuple[str, str, int, int]:
        """Return who it is first, and how many more, the number, and that of the cases."""
        places.sort(key=lambda place: (str(place[0]), str(place[1])))
        d, e, n = places[0]
        on = "" if columns.domain is None else f" on domain {shown(str(d))}"
        more = f", and so {counted(len(places) - 1, 'more', 'more')}" if places[1:] else ""
        return f"entity {shown(str(e))}{on}" if named else f"the table{on}", more, n, int(per_domain[d])

    if repeated:
        who, others, n, total = first_of(repeated)
        hint = "" if named else "; does another column name the entity?"
        said = f"{counted(n, 'row')} too many, of {counted(total, 'case')}"
        found.append(f"{who} has more than one row of a case: {said}{others}{hint}")
    if absent:
        who, others, n, total = first_of(absent)
        found.append(f"{who} lacks cases that others have: {n} of {total}{others}")
    if disagree:
        found.append(f"{counted(sum(int(n) for _, n in disagree), 'case')} with several truths")
    return found


def _cases(
    frame: "nw.LazyFrame[Any]", columns: Columns, where: str, strange: Sequence[Any], alone: bool
) -> "nw.LazyFrame[Any]":
    """Return domain, entity, case and truth of the rows that are counted, and whether the case is missing."""
    import narwhals as nw

    schema = checked_schema(frame, columns, where)
    needed = (columns.truth, columns.prediction, columns.entity, columns.domain)
    counting = frame
    for name in dict.fromkeys(filter(None, needed)):
        counting = counting.filter(~_lacking(frame, name, schema))
    labels = [columns.truth]
    if columns.threshold is None and not columns.all_thresholds:
        labels.append(columns.prediction)
    for name in labels if strange else ():
        counting = counting.filter(~nw.col(name).is_in(list(strange)))
    own_name = nw.lit("" if alone else columns.prediction)
    return counting.select(
        (nw.lit("") if columns.domain is None else nw.col(columns.domain)).alias("_domain"),
        (own_name if columns.entity is None else nw.col(columns.entity)).alias("_entity"),
        nw.col(str(columns.case)).alias("_case"),
        nw.col(columns.truth).alias("_truth"),
        _lacking(frame, str(columns.case), schema).alias("_nameless"),
    )


def checked_threshold(threshold: Any) -> tuple[float | None, bool]:
    """Return the threshold as a number, and whether all thresholds are asked for."""
    if isinstance(threshold, str):
        if threshold.strip().casefold() == "all":
            return None, True
        try:
            threshold = float(threshold)
        except ValueError:
            raise UsageError(f'threshold={threshold!r}: expected a number such as 0.5, or "all"') from None
    number = float(threshold)
    if number != number:
        raise UsageError('threshold is NaN: expected a number such as 0.5, or "all"')
    return number, False


def predictions_of(
    prediction: str | Sequence[str] | None, score: str | Sequence[str] | None, entity: str | None
) -> list[str]:
    """Return the columns of predictions or scores: exactly one of both kinds is given."""
    if (prediction is None) == (score is None):
        raise UsageError("expected either prediction=, the column of predicted labels, or score= with threshold=")
    given = prediction if prediction is not None else score
    names = [given] if isinstance(given, str) else list(given or ())
    if not names or len(set(names)) < len(names):
        raise UsageError(f"expected one column of predictions, or several different ones; got {given!r}")
    if len(names) > 1 and entity is not None:
        raise UsageError("several columns of predictions are several entities: leave out entity=")
    return names
