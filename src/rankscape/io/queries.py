"""Queries that count: predictions in a warehouse become counts where they are, by its SQL alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from ..errors import Option, UsageError
from ..outcomes import SampleSpace
from ..typing import Label
from .cases import LARGEST_FLOAT
from .codes import Group, coding_of, plain_value, values_of_labels
from .counting import checked_threshold, predictions_of
from .dialects import DIALECTS, Dialect, DialectName
from .headers import NOT_COUNTED, RESULT_ROWS
from .sheets import quoted

MOST_CLASSES = 40
"""A query has a column per pair of classes, and no warehouse takes more than about 1600."""


class _Classes(NamedTuple):
    """The classes of a query: how the labels of each are written, and the outcomes of their pairs, in order."""

    spellings: Sequence[Sequence[str]]
    space: SampleSpace


def count_query(
    table: str | Sequence[str],
    *,
    dialect: DialectName,
    truth: str,
    prediction: str | Sequence[str] | None = None,
    score: str | Sequence[str] | None = None,
    threshold: float | None = None,
    entity: str | None = None,
    domain: str | None = None,
    weight: str | None = None,
    pos_label: Label | None = None,
    labels: Sequence[Label] | None = None,
) -> str:
    """Return the SQL query that counts a table of predictions in a warehouse; ``read`` takes its result.

    The warehouse needs no rankscape. Save the result as CSV, or hand it over as a data frame.

    Parameters
    ----------
    table : str or sequence of str
        The table, with one case per row; a sequence has its parts, such as project, dataset and table.
    dialect : {"postgres", "bigquery", "snowflake", "spark", "duckdb"}
        The dialect of SQL.
    truth, prediction, score, threshold, entity, domain
        As in :func:`count`; the threshold is a number. All names are quoted, so write them as the warehouse does.
    weight : str, optional
        The column of weights, which must be whole numbers ≥ 0.
    pos_label : label, optional
        The positive label, if the labels are no known pair such as 0 and 1, or no and yes.
    labels : sequence of labels, optional
        All labels of the table, by default 0 and 1. They are compared as texts, whatever type the column has: 1 is also
        1.0 and true. More than two without ``pos_label`` give a column per pair of classes, "truth→prediction".

    Returns
    -------
    str
        The query. Its result has a row per domain and entity with the counts, and two columns that ``read`` checks:
        ``not_counted``, the number of rows with another label or without a value, and ``result_rows``, the number of
        rows of the result. ``read`` refuses a result with rows that were not counted, or that was cut.

    Raises
    ------
    UsageError
        If an argument means nothing in a query.
    DataError
        If the labels cannot be told apart.

    See Also
    --------
    rankscape.count : without a warehouse
    rankscape.read : reads the result

    Examples
    --------
    >>> import rankscape as rs
    >>> print(
    ...     rs.count_query(
    ...         "predictions", dialect="duckdb", truth="y", prediction="yhat", entity="model"
    ...     )
    ... )
    SELECT
      entity,
      SUM(CASE WHEN truth = 0 AND prediction = 0 THEN 1 ELSE 0 END) AS tn,
      SUM(CASE WHEN truth = 0 AND prediction = 1 THEN 1 ELSE 0 END) AS fp,
      SUM(CASE WHEN truth = 1 AND prediction = 0 THEN 1 ELSE 0 END) AS fn,
      SUM(CASE WHEN truth = 1 AND prediction = 1 THEN 1 ELSE 0 END) AS tp,
      SUM(CASE WHEN entity IS NULL OR truth IS NULL OR prediction IS NULL THEN 1 ELSE 0 END) AS not_counted,
      COUNT(*) OVER () AS result_rows
    FROM (
      SELECT
        t."model" AS entity,
        CASE
          WHEN CAST(t."y" AS VARCHAR) IN ('0', '0.0', 'false') THEN 0
          WHEN CAST(t."y" AS VARCHAR) IN ('1', '1.0', 'true') THEN 1
        END AS truth,
        CASE
          WHEN CAST(t."yhat" AS VARCHAR) IN ('0', '0.0', 'false') THEN 0
          WHEN CAST(t."yhat" AS VARCHAR) IN ('1', '1.0', 'true') THEN 1
        END AS prediction
      FROM "predictions" AS t
    ) AS cases
    GROUP BY entity
    ORDER BY entity
    """
    if dialect not in DIALECTS:
        raise UsageError(
            ["the dialect of SQL is not known"], expected=f"one of {', '.join(DIALECTS)}", got=quoted(str(dialect))
        )
    sql = DIALECTS[dialect]
    predictions = predictions_of(prediction, score, entity)
    cut = _cut(score, threshold)
    classes = _classes(labels, pos_label, scored=cut is not None)
    _refuse_names(sql, dialect, classes.space, [truth, *predictions, *filter(None, (entity, domain, weight))])
    keys = ["entity"] if domain is None else ["domain", "entity"]
    parts = [
        _cases(
            [
                *([] if domain is None else [f"{_column(sql, domain)} AS domain"]),
                f"{sql.literal(name) if entity is None else _column(sql, entity)} AS entity",
                f"{_label(sql, truth, classes)} AS truth",
                f"{_label(sql, name, classes) if cut is None else _positive(sql, name, cut)} AS prediction",
                *([] if weight is None else [f"{_weight(sql, weight)} AS weight"]),
            ],
            _table_name(sql, table),
        )
        for name in predictions
    ]
    needed = [*keys, "truth", "prediction", *([] if weight is None else ["weight"])]
    lacking = " OR ".join(f"{name} IS NULL" for name in needed)
    width, size = len(classes.spellings), "1" if weight is None else "weight"
    columns = [
        *keys,
        *(
            f"SUM(CASE WHEN truth = {i // width} AND prediction = {i % width} THEN {size} ELSE 0 END) AS "
            + (outcome if outcome.isascii() and outcome.isalpha() and width == 2 else sql.name(outcome))
            for i, outcome in enumerate(classes.space.outcomes)
        ),
        f"SUM(CASE WHEN {lacking} THEN 1 ELSE 0 END) AS {NOT_COUNTED}",
        f"COUNT(*) OVER () AS {RESULT_ROWS}",
    ]
    rows = "\n  UNION ALL\n".join(parts)
    by = ", ".join(keys)
    return f"SELECT\n  {_lines(columns, 2)}\nFROM (\n{rows}\n) AS cases\nGROUP BY {by}\nORDER BY {by}"


# Parts of a query


def _lines(parts: Sequence[str], indent: int) -> str:
    return (",\n" + " " * indent).join(parts)


def _cases(columns: Sequence[str], table: str) -> str:
    return f"  SELECT\n    {_lines(columns, 4)}\n  FROM {table} AS t"


def _column(sql: Dialect, header: str) -> str:
    """Return a column of the table; without the table, a name that it lacks may mean a column of the query itself."""
    return f"t.{sql.name(header)}"


def _table_name(sql: Dialect, table: str | Sequence[str]) -> str:
    parts = [table] if isinstance(table, str) else list(table)
    if not parts or any(not isinstance(part, str) or not part.strip() or "\0" in part for part in parts):
        raise UsageError("the table has no name", expected="a text, or the parts of the name", got=repr(table))
    return ".".join(map(sql.name, parts))


def _label(sql: Dialect, header: str, classes: _Classes) -> str:
    """Return the class of a label, NULL where it is none."""
    cell = f"CAST({_column(sql, header)} AS {sql.text})"
    lines = [f"WHEN {cell} {_among(sql, texts)} THEN {place}" for place, texts in enumerate(classes.spellings)]
    return _case(lines)


def _among(sql: Dialect, texts: Sequence[str]) -> str:
    literals = list(map(sql.literal, texts))
    return f"= {literals[0]}" if len(literals) == 1 else f"IN ({', '.join(literals)})"


def _case(lines: Sequence[str]) -> str:
    return "\n      ".join(["CASE", *lines]) + "\n    END"


def _positive(sql: Dialect, header: str, threshold: float) -> str:
    """Return whether a score is at least the threshold, NULL where there is none; NaN is larger than all elsewhere."""
    score = f"CAST({_column(sql, header)} AS {sql.double})"
    nan = f"WHEN LOWER(CAST({score} AS {sql.text})) = 'nan' THEN NULL"
    return _case([nan, f"WHEN {score} >= {threshold!r} THEN 1", f"WHEN {score} < {threshold!r} THEN 0"])


def _weight(sql: Dialect, header: str) -> str:
    """Return a weight, NULL where it is no whole number."""
    weight = _column(sql, header)
    whole = f"{weight} >= 0 AND {weight} <= {LARGEST_FLOAT} AND {weight} = FLOOR({weight})"
    return _case([f"WHEN {whole} THEN CAST({weight} AS {sql.whole})"])


# What is asked for


def _cut(score: str | Sequence[str] | None, threshold: float | str | None) -> float | None:
    """Return the threshold, None where labels are predicted."""
    expected = "a finite number such as 0.5"
    if (score is None) != (threshold is None):
        raise UsageError([Option("score"), " and ", Option("threshold"), " go together"], expected=expected)
    if threshold is None:
        return None
    number, everywhere = checked_threshold(threshold)
    if everywhere or number is None:
        ways = ["count the scores themselves, as a file or a data frame"]
        raise UsageError("a query counts at one threshold", expected=expected, got="all", way_out=ways)
    if not math.isfinite(number):
        raise UsageError("the threshold is infinite", expected=expected)
    return number


def _classes(labels: Sequence[Label] | None, pos_label: Label | None, scored: bool) -> _Classes:
    """Return the classes that labels stand for, as :func:`count` understands them."""
    if isinstance(labels, str):
        raise UsageError(
            "a query must name its labels", expected="two or more different ones", got=repr(labels),
            way_out=[["list them with ", Option("labels")]],
        )  # fmt: skip
    given = [0, 1] if labels is None else list(labels)
    values = _values(given)
    if labels is None and pos_label is not None and _values([pos_label])[0] not in (0, 1):
        raise UsageError(
            f"a query must name its labels, and only {quoted(pos_label)} is known",
            way_out=[["name all of them with ", Option("labels"), ", too"]],
        )
    groups = [Group("", "", value, value, 1, 1) for value in values]
    coding = coding_of(groups, pos_label, None if labels is None else values, scored)
    spellings = [_spellings(label, value) for label, value in zip(given, values, strict=True)]
    if coding.positive is not None:
        positive = [value == coding.positive for value in values]
        both = [
            [texts for texts, yes in zip(spellings, positive, strict=True) if yes is side] for side in (False, True)
        ]
        return _Classes([[text for texts in side for text in texts] for side in both], coding.space)
    if len(values) > MOST_CLASSES:
        raise UsageError(
            f"a query has a column per pair of labels, and here are {len(values)} labels",
            expected=f"at most {MOST_CLASSES}",
            way_out=[
                ["count one class against the others with ", Option("pos_label")],
                "count the table as a file or a data frame",
            ],
        )
    return _Classes(spellings, coding.space)


def _values(labels: Sequence[Label]) -> list[Any]:
    """Return the values of labels: texts that all read as numbers are numbers, as in a file."""
    for label in labels:
        value = plain_value(label)
        number = isinstance(value, (int, float, Decimal)) and math.isfinite(value)
        if not (number or (isinstance(value, str) and value.strip() and "\0" not in value)):
            raise UsageError("a label is none", expected="texts, finite numbers or booleans", got=quoted(label))
    texts = values_of_labels(label for label in labels if isinstance(label, str))
    return [texts[label] if isinstance(label, str) else plain_value(label) for label in labels]


def _spellings(label: Label, value: Any) -> list[str]:
    """Return how a label may be written where its column is made a text: 1 is 1, 1.0 or true.

    >>> _spellings(1, 1), _spellings("spam", "spam"), _spellings("False", False), _spellings(0.5, 0.5)
    (['1', '1.0', 'true'], ['spam'], ['0', '0.0', 'false', 'False'], ['0.5'])
    """
    given = [label] if isinstance(label, str) else []
    if isinstance(value, str):
        return given
    if value != int(value):
        return list(dict.fromkeys([str(value), *given]))
    whole = int(value)
    truth = {0: ["false"], 1: ["true"]}.get(whole, [])
    return list(dict.fromkeys([f"{whole}", f"{whole}.0", *truth, *given]))


def _refuse_names(sql: Dialect, dialect: str, space: SampleSpace, headers: Sequence[str]) -> None:
    """Refuse names that the dialect cannot have."""
    for header in headers:
        if not isinstance(header, str) or not header or "\0" in header:
            raise UsageError("a column has no name", expected="a text", got=repr(header))
    if space.labels and not sql.arrows:
        raise UsageError(
            f'{dialect} has no columns with names such as "{space.outcomes[1]}"',
            way_out=[
                ["count one class against the others with ", Option("pos_label")],
                "count the table as a data frame, such as one of Ibis",
            ],
        )
    for outcome in space.outcomes:
        if len(outcome.encode()) > sql.longest:
            raise UsageError(
                f"the column {quoted(outcome)} would have more than {sql.longest} bytes, which {dialect} cuts off",
                way_out="rename the labels",
            )
