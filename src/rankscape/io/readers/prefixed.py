"""Metrics of trackers: the four counts under a common prefix, such as ``metrics.true_negatives`` or ``eval/TN``.

``mlflow.models.evaluate`` logs ``true_negatives``, ``false_positives``, ``false_negatives`` and ``true_positives`` for
binary classifiers; tables of runs call them ``metrics.true_negatives``. Runs of Weights & Biases are exported with the
keys that were logged, such as ``eval/TN``, beside Name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...outcomes import TWO_CLASS
from ...performances import Performances
from ..headers import HEADERS, plain, role
from ..sheets import Sheet
from .content import Content, How
from .counts import read_counts

_OUTCOMES = {name: outcome for outcome in TWO_CLASS.outcomes for name in HEADERS[outcome]}


def is_prefixed(header: str) -> bool:
    """Tell whether a header ends in the name of an outcome, after a prefix.

    >>> is_prefixed("metrics.true_negatives"), is_prefixed("eval/TN"), is_prefixed("tn"), is_prefixed("eval/loss")
    (True, True, False, False)
    """
    return _parts(header) is not None


def _parts(header: str) -> tuple[str, str] | None:
    """Return the prefix of a header and the outcome that it names; None where it has no prefix or names none."""
    pieces = re.split(r"(?<=[./:|])", header)
    for i in range(len(pieces) - 1, 0, -1):
        outcome = _OUTCOMES.get(plain("".join(pieces[i:])))
        if outcome is not None:
            return "".join(pieces[:i]), outcome
    match = re.fullmatch(r"(.+_)?(tn|fp|fn|tp)", header.strip(), re.IGNORECASE)
    return (match[1], match[2].lower()) if match and match[1] else None


def _prefixes(headers: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the headers of the four outcomes, for each prefix that has all of them."""
    by_prefix: dict[str, dict[str, str]] = {}
    for header in headers:
        if (parts := _parts(header)) is not None:
            by_prefix.setdefault(parts[0], {})[header] = parts[1]
    return {
        prefix: names for prefix, names in by_prefix.items() if sorted(names.values()) == sorted(TWO_CLASS.outcomes)
    }


def lacks(content: Content) -> str:
    """Return what a content lacks to be of this format."""
    headers = _headers(content)
    plain_ones = {role(header) for header in headers}
    if plain_ones >= {*TWO_CLASS.outcomes}:
        return "the four counts have no prefix"
    prefixes = _prefixes(headers)
    if len(prefixes) > 1:
        return f"{len(prefixes)} prefixes have all four counts: {', '.join(map(repr, prefixes))}"
    return "" if prefixes else "no tn, fp, fn, tp with a common prefix"


def _headers(content: Content) -> tuple[str, ...]:
    """Return the headers, or the keys of metrics that lie deeper in JSON."""
    metrics = _metrics(content)
    return content.headers if metrics is None else tuple(map(str, metrics))


def _metrics(content: Content) -> Mapping[str, Any] | None:
    """Return the metrics of one run, under ``metrics`` or ``data`` and ``metrics``; None for a table of runs."""
    value = content.value
    for key in ("data", "metrics"):
        if isinstance(value, Mapping) and isinstance(value.get(key), Mapping):
            value = value[key]
    single = isinstance(value, Mapping) and not any(isinstance(cell, (Mapping, list, tuple)) for cell in value.values())
    return value if single and value is not content.value else None


def read_prefixed(content: Content, how: How) -> Performances:
    """Return the performances of runs, whose counts have a common prefix."""
    metrics = _metrics(content)
    sheet = (
        content.sheet if metrics is None else Sheet(tuple(map(str, metrics)), [list(metrics.values())], content.where)
    )
    renamed = next(iter(_prefixes(sheet.headers).values()))
    kept = [i for i, header in enumerate(sheet.headers) if header in renamed or _names(header, how)]
    headers = [renamed.get(sheet.headers[i], sheet.headers[i]) for i in kept]
    columns = {header: [row[i] for row in sheet.rows] for header, i in zip(headers, kept, strict=True)}
    name = how.name or (content.stem if len(sheet.rows) == 1 else "")
    return read_counts(Content(columns, content.wanted), replace(how, name=name or None))


def _names(header: str, how: How) -> bool:
    """Tell whether a column names the run, its model or its data."""
    return header == how.entity or header in how.domain or role(header) in ("entity", "domain") or not header
