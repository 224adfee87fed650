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
"""Sums of weights up to here are exact on every engine."""


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
    keys = {"_truth": nw.col(columns.truth), "_predicted": _predicted(columns, schema, where)}
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
        chosen.append(nw.col(columns.weight).cast(nw.Int64() if kind.is_integer() else nw.Float64()).alias("_weight"))
        counts += [
            weight.sum().alias("_sum"),
            weight.count().alias("_known"),
            weight.min().alias("_low"),
            weight.max().alias("_high"),
        ]
    rows = fetch(frame.select(*chosen).group_by(*keys).agg(*counts))
    names = [*keys, *("_rows", "_sum", "_known", "_low", "_high")]
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
        weight = total
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


def _predicted(columns: Columns, schema: Any, where: str) -> "nw.Expr":
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
    return nw.when(score.is_null() | score.is_nan()).then(nw.lit(-1)).otherwise(above)


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
    frame: "nw.LazyFrame[Any]", columns: Columns, where: str, fetch: Fetch = fetched, *, countable: bool = False
) -> list[str]:
    """Return what is wrong with the cases, in words with numbers: repeated, absent for an entity, of several truths.

    ``countable``: rows without truth or prediction, which will be left out, are not there.
    """
    import narwhals as nw

    schema = checked_schema(frame, columns, where)
    if columns.case is None:
        return []
    domain = nw.lit("") if columns.domain is None else nw.col(columns.domain)
    entity = nw.lit("") if columns.entity is None else nw.col(columns.entity)
    table = frame.select(
        domain.alias("_domain"),
        entity.alias("_entity"),
        nw.col(columns.case).alias("_case"),
        nw.col(columns.truth).alias("_truth"),
        nw.col(columns.prediction).alias("_predicted"),
    )
    with_truth = ~_missing("_truth", schema[columns.truth])
    if countable:
        complete = with_truth & ~_missing("_predicted", schema[columns.prediction])
        table = table.filter(complete)
    known, many = table.filter(~nw.col("_case").is_null()), nw.len().alias("_n")
    rows = known.group_by("_domain", "_entity", "_case").agg(many)  # not n_unique: engines in parts add it up wrongly
    per_entity = fetch(rows.group_by("_domain", "_entity").agg(nw.col("_n").sum().alias("_rows"), nw.len().alias("_c")))
    of_domain = known.group_by("_domain", "_case").agg(many).group_by("_domain").agg(nw.len().alias("_c"))
    per_domain: dict[Any, Any] = dict(fetch(of_domain))
    true = known.filter(with_truth)
    cases = true.group_by("_domain", "_case", "_truth").agg(many).group_by("_domain", "_case").agg(many)
    disagree = fetch(cases.filter(nw.col("_n") > 1).group_by("_domain").agg(nw.len().alias("_c")))
    nameless = fetch(table.filter(nw.col("_case").is_null()).group_by("_domain").agg(nw.len().alias("_n")))
    repeated = [(d, e, int(rows) - int(cases)) for d, e, rows, cases in per_entity if int(rows) > int(cases)]
    absent = [(d, e, int(per_domain[d]) - int(n)) for d, e, _, n in per_entity if int(n) < int(per_domain[d])]
    found = []
    if nameless:
        found.append(f"in {counted(sum(int(n) for _, n in nameless), 'row')} the case is missing")
    for what, places in (("has rows of a case it has already", repeated), ("lacks cases that others have", absent)):
        if places:
            places.sort(key=lambda place: (str(place[0]), str(place[1])))
            d, e, n = places[0]
            on = "" if columns.domain is None else f" on domain {shown(str(d))}"
            who = f"entity {shown(str(e))}{on}" if columns.entity is not None else f"the table{on}"
            more = f", and so {counted(len(places) - 1, 'more', 'more')}" if places[1:] else ""
            found.append(f"{who} {what}: {n} of {int(per_domain[d])}{more}")
    if disagree:
        found.append(f"{counted(sum(int(n) for _, n in disagree), 'case')} with several truths")
    return found


def _missing(name: str, kind: Any) -> "nw.Expr":
    import narwhals as nw

    column = nw.col(name)
    return column.is_null() | column.is_nan() if kind.is_float() else column.is_null()


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


def predictions_of(prediction: str | Sequence[str] | None, score: str | Sequence[str] | None) -> list[str]:
    """Return the columns of predictions or scores: exactly one of both kinds is given."""
    if (prediction is None) == (score is None):
        raise UsageError("expected either prediction=, the column of predicted labels, or score= with threshold=")
    given = prediction if prediction is not None else score
    names = [given] if isinstance(given, str) else list(given or ())
    if not names or len(set(names)) < len(names):
        raise UsageError(f"expected one column of predictions, or several different ones; got {given!r}")
    return names
