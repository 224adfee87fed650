"""Spark: several questions about a table of predictions in one query of few shuffles, each of which is a job."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from .cells import missing

if TYPE_CHECKING:
    import narwhals as nw

MARKS = ("_counted", "_unnamed", "_per_entity", "_unlike", "_per_case", "_torn")
"""What :func:`case_marks` adds: rows, rows without a case, cases of an entity and whether its truths differ, cases of
all entities and whether their truths differ."""

WHAT = ("_entity", "_truth", "_predicted")
"""What a row says of a case."""

_AS_WRITTEN = {"string", "boolean", "tinyint", "smallint", "int", "bigint", "double"}
"""The types whose values JSON keeps as they are."""


class JointCases(NamedTuple):
    """Cases on which all entities do the same: (entity, truth, prediction) of each entity, and how many cases."""

    domain: Any
    unit: Any
    outcomes: tuple[tuple[Any, Any, Any], ...]
    size: int


def is_spark(frame: nw.LazyFrame[Any]) -> bool:
    """Tell whether Spark holds the rows."""
    return bool(frame.implementation.is_pyspark() or frame.implementation.is_pyspark_connect())


def _functions() -> Any:
    return import_module("pyspark.sql.functions")


def case_marks(cases: nw.LazyFrame[Any], on_domains: bool) -> nw.LazyFrame[Any]:
    """Return ``_domain``, ``_entity`` and MARKS, whose sums tell whether every entity has the same cases, once.

    Of the rows that count ``cases`` has ``_domain``, ``_entity``, ``_case``, ``_truth`` and ``_nameless`` (whether the
    case is missing). Rows are shuffled by case once: both parts of the answer use all columns of ``pairs``, as Spark
    shuffles anew for a part that needs fewer.
    """
    import narwhals as nw

    def mark(condition: nw.Expr, number: nw.Expr | int = 1) -> nw.Expr:
        return nw.when(condition).then(nw.lit(number) if isinstance(number, int) else number).otherwise(nw.lit(0))

    native: Any = cases.to_native()
    by = ["_domain", "_case"] if on_domains else ["_case"]  # a constant among them would make Spark shuffle again
    shuffled: nw.LazyFrame[Any] = nw.from_native(native.repartition(*by))
    case = ["_domain", "_nameless", "_case"]
    truth, named = nw.col("_truth"), ~nw.col("_nameless")
    ends = [truth.min().alias("_low"), truth.max().alias("_high")]
    pairs = shuffled.group_by(*case, "_entity").agg(nw.len().alias("_n"), *ends)
    several = (nw.col("_low") != nw.col("_high")) & named
    per_entity = pairs.select(
        "_domain",
        "_entity",
        mark(named, nw.col("_n")).alias("_counted"),
        mark(~named, nw.col("_n")).alias("_unnamed"),
        mark(named).alias("_per_entity"),
        mark(several).alias("_unlike"),
    )
    lows = [nw.col("_low").min(), nw.col("_high").max()]
    per_case = (
        pairs.group_by(*case)
        .agg(*lows, nw.col("_n").sum())
        .select("_domain", mark(named).alias("_per_case"), mark(several).alias("_torn"))
    )
    return nw.concat([per_entity, per_case], how="diagonal")


def stacked(rows: nw.LazyFrame[Any], names: Sequence[str]) -> tuple[nw.LazyFrame[Any], list[str]]:
    """Return a row for each of several columns, and the new column that holds the values of each.

    ``_column`` numbers the columns. Those of one type share a new column, and no value changes its type.
    """
    import narwhals as nw

    native: Any = rows.to_native()
    functions = _functions()
    types = {name: native.schema[name].dataType for name in names}
    distinct = list({kind.simpleString(): kind for kind in types.values()}.values())
    places = {name: f"_p{distinct.index(kind)}_" for name, kind in types.items()}

    def cells(name: str) -> list[Any]:
        return [
            (functions.col(name) if types[name] == kind else functions.lit(None).cast(kind)).alias(f"_p{i}_")
            for i, kind in enumerate(distinct)
        ]

    each = [functions.struct(functions.lit(i).alias("_column"), *cells(name)) for i, name in enumerate(names)]
    others = [name for name in native.columns if name not in types]
    native = native.select(*others, functions.explode(functions.array(*each)).alias("_each")).select(*others, "_each.*")
    return nw.from_native(native), [places[name] for name in names]


def joint_cases(rows: nw.LazyFrame[Any], clustered: bool) -> list[JointCases] | None:
    """Return the kinds of cases of rows: ``_domain``, ``_unit``, ``_case``, ``_nameless``, and what of each is WHAT.

    None where something is missing or repeated, where entities differ in their cases, where a case lies in several
    clusters or has several truths, and where cells are of a type such as a date: other questions then find out which.
    A case is the set of what its entities do, so the rows of a case that is many a time there do not pile up.
    """
    native: Any = rows.to_native()
    functions = _functions()
    kinds = {name: native.schema[name].dataType.simpleString() for name in WHAT}
    casts = {kind: _as_json(kind) for kind in kinds.values()}
    if None in casts.values():
        return None
    cells = [functions.col(name).cast(casts[kind]).alias(name) for name, kind in kinds.items()]
    unit = functions.col("_unit")
    cases = native.groupBy("_domain", "_case", "_nameless").agg(
        functions.count(functions.lit(1)).alias("_rows"),
        functions.count(unit).alias("_known"),
        functions.min(unit).alias("_unit"),
        functions.max(unit).alias("_last"),
        functions.sort_array(functions.collect_set(functions.struct(*cells))).alias("_outcomes"),
    )
    keys = ["_domain", "_nameless", "_unit", "_last", "_rows", "_known", "_outcomes"]
    counted = cases.groupBy(*keys).count().select(*keys[:-1], functions.to_json("_outcomes"), "count")
    return _checked(counted.collect(), kinds, clustered)


def _as_json(kind: str) -> str | None:
    """Return the type whose values JSON keeps exactly, None where there is none."""
    if kind.startswith("decimal("):
        return "string"
    return {"float": "double"}.get(kind, kind if kind in _AS_WRITTEN else None)


def _checked(rows: Sequence[Any], kinds: dict[str, str], clustered: bool) -> list[JointCases] | None:
    """Return what Spark gives, None unless each case of a domain has one row of each of the same entities."""
    numbers = [name for name, kind in kinds.items() if kind in ("float", "double")]
    decimals = [name for name, kind in kinds.items() if kind.startswith("decimal(")]
    entities_of: dict[Any, list[Any]] = {}
    known: dict[Any, tuple[Any, Any, Any]] = {}
    out = []
    for domain, nameless, unit, last, size, clusters, text, cases in rows:
        outcomes = json.loads(text)
        if missing(domain) or nameless or len(outcomes) != size:
            return None
        if clustered and (clusters != size or unit != last):
            return None
        done = []
        for cell in outcomes:
            if len(cell) != len(WHAT) or any(isinstance(cell[name], str) for name in numbers):  # null, or "NaN"
                return None
            entity, truth, predicted = (Decimal(cell[name]) if name in decimals else cell[name] for name in WHAT)
            plain = (entity, truth, predicted)
            done.append(known.setdefault(plain, plain))
        entities = [entity for entity, _, _ in done]
        if len({*entities}) < size or entities_of.setdefault(domain, entities) != entities:
            return None
        if any(truth != done[0][1] for _, truth, _ in done):
            return None
        out.append(JointCases(domain, unit, tuple(done), cases))
    return out
