"""Answers: what will be asked of a table of predictions, asked ahead in as few jobs as its engine can do it in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .cases import CaseNumbers, Columns, roles_of
from .engines import Answers, EngineCases, number_plans, numbers_of_marks, numbers_of_rows, sums, sums_of_marks
from .frames import Rows, fetched_together
from .headers import JOINED
from .spark import MARKS, case_marks, is_spark, joint_cases, stacked

if TYPE_CHECKING:
    import narwhals as nw


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
        plan = nw.concat(parts, how="diagonal").group_by(*by).agg(*sums(first), *sums_of_marks())
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
