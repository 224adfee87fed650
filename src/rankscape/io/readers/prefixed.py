"""Metrics of trackers: the counts under a common prefix, such as ``metrics.true_negatives`` or ``eval/TN``.

``mlflow.models.evaluate`` logs true_negatives, false_positives, false_negatives and true_positives of binary
classifiers: ``EvaluationResult.metrics``, ``run.data.metrics`` and ``run.to_dictionary()`` have them by name, the table
of ``mlflow.search_runs`` in columns metrics.true_negatives, …, beside run_id and tags.mlflow.runName. Runs of Weights &
Biases are exported with the keys that were logged, such as eval/TN, beside Name; ``wandb-summary.json`` has them, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...outcomes import TWO_CLASS, WITHOUT_TN
from ...performances import Performances
from ...texts import some
from ..content import JSON, NAMED, Content, How, Reader
from ..counts import read_sheet
from ..headers import behind_prefix, empty, matters, plain, role
from ..sheets import Sheet, sheet_of_records

_WRAPPERS = ("metrics", "data", "results", "summary", "runs")
"""Keys that hold the metrics of a run, and are no names."""

_RUN_NAMES = ("runname", "tagsmlflowrunname", "inforunname")
MOST_NAMED = 6
_RUN_IDS = ("runid", "inforunid")


def recognise(content: Content) -> bool:
    """Tell whether a content is runs whose counts have a prefix."""
    records = _records(content) if content.first_record is None else [_flat(content.first_record)]
    headers = content.headers if records is None else [*records[0]]
    return bool(_prefixes(headers)) and not _is_plain(headers)


def _prefixes(headers: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the headers of the outcomes, for each prefix that has all of them, or all but true negatives."""
    by_prefix: dict[str, dict[str, str]] = {}
    for header in headers:
        if (parts := behind_prefix(header)) is not None:
            by_prefix.setdefault(parts[0], {})[header] = parts[1]
    whole = ({*TWO_CLASS.outcomes}, {*WITHOUT_TN.outcomes})
    return {prefix: names for prefix, names in by_prefix.items() if {*names.values()} in whole}


def _is_plain(headers: Sequence[str]) -> bool:
    return {role(header) for header in headers} >= {*TWO_CLASS.outcomes}


def read(content: Content, how: How) -> Performances:
    """Return the performances of runs, whose counts have a common prefix; runs without any have failed."""
    records = _records(content)
    sheet = content.sheet if records is None else sheet_of_records(records, content.where)
    prefixes = _prefixes(sheet.headers)
    if len(prefixes) > 1:
        several = ", ".join(map(repr, prefixes))
        raise sheet.error(
            f"{len(prefixes)} prefixes have all four counts: {several}", expected="one",
            way_out="keep the columns of the data that the models are compared on",
        )  # fmt: skip
    ((prefix, renamed),) = prefixes.items()
    headers = [_header(header, prefix, renamed, how) for header in sheet.headers]
    counts = [i for i, header in enumerate(headers) if header in renamed.values()]
    bare = [i for i, row in enumerate(sheet.rows) if all(empty(row[j]) for j in counts)]
    left_out = {}
    if 0 < len(bare) < len(sheet.rows):
        naming = [i for i, h in enumerate(headers) if h is not None and (h == how.entity or role(h) == "entity")]
        names = [str(sheet.rows[i][naming[0]]) if naming else f"in row {i + 1}" for i in bare]
        left_out = {f"{some(names, MOST_NAMED)}, which {'has' if len(bare) == 1 else 'have'} no counts": len(bare)}
    rows = [i for i in range(len(sheet.rows)) if not left_out or i not in {*bare}]
    kept = [i for i, header in enumerate(headers) if header is not None]
    cells = [[sheet.rows[row][i] for i in kept] for row in rows]
    lines = [sheet.lines[row] for row in rows] if sheet.lines else ()
    chosen = Sheet(tuple(str(headers[i]) for i in kept), cells, sheet.where, lines, sheet.separator)
    name = how.name or (content.stem if len(sheet.rows) == 1 else "")
    return read_sheet(chosen, replace(how, name=name or None)).noting(left_out=left_out)


def _header(header: str, prefix: str, renamed: Mapping[str, str], how: How) -> str | None:
    """Return what a column is called once the prefix is gone; None for one that does not matter."""
    if header in renamed:
        return renamed[header]
    if header == how.entity or header in how.domain or not header:
        return header
    if plain(header) in _RUN_NAMES:
        return None if how.entity else "Name"
    if plain(header) in _RUN_IDS:
        return None if how.entity else "run id"
    if header.startswith(prefix) and matters(header[len(prefix) :]):
        return header[len(prefix) :]
    return header if role(header) in ("entity", "domain") else None


# JSON


def _records(content: Content) -> list[dict[str, Any]] | None:
    """Return runs of JSON as records of one level; None for tables, and for columns."""
    value = content.value
    if isinstance(value, Mapping) and isinstance(value.get("runs"), (list, tuple)):
        value = value["runs"]
    if isinstance(value, (list, tuple)) and value and all(isinstance(run, Mapping) for run in value):
        return list(map(_flat, value))
    if not isinstance(value, Mapping) or any(map(_is_column, value.values())):
        return None
    runs = {str(name): _flat(run) for name, run in value.items() if isinstance(run, Mapping)}
    complete = bool(runs) and all(_is_plain([*run]) or _prefixes([*run]) for run in runs.values())
    if complete and len(runs) == len(value) and (len(runs) > 1 or plain(next(iter(runs))) not in _WRAPPERS):
        return [{"entity": name, **run} for name, run in runs.items()]
    counts = [run for run in runs.values() if any(role(k) in TWO_CLASS.outcomes or behind_prefix(k) for k in run)]
    if len(counts) > 1:  # of several runs none may be passed over
        return None
    return [_flat(value)]


def _is_column(value: Any) -> bool:
    """Tell lists and arrays from single values, and from lists of metrics."""
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__len__") or getattr(value, "shape", 1) == ():
        return False
    return not _is_list_of_metrics(value)


def _is_list_of_metrics(value: Any) -> bool:
    """Tell whether a value is metrics as MLflow's REST interface has them: [{"key": …, "value": …}, …]."""
    return isinstance(value, (list, tuple)) and bool(value) and all(
        isinstance(one, Mapping) and {"key", "value"} <= {*one} for one in value
    )  # fmt: skip


def _flat(record: Mapping[Any, Any], prefix: str = "") -> dict[str, Any]:
    """Return a record of one level, whose keys are joined by points.

    >>> _flat({"info": {"run_id": "x"}, "metrics": [{"key": "tn", "value": 5}], "loss": 0.5})
    {'info.run_id': 'x', 'metrics.tn': 5, 'loss': 0.5}
    """
    out: dict[str, Any] = {}
    for key, value in record.items():
        if _is_list_of_metrics(value):
            value = {one["key"]: one["value"] for one in value}
        if isinstance(value, Mapping):
            out |= _flat(value, f"{prefix}{key}.")
        else:
            out[f"{prefix}{key}"] = value
    return out


READER = Reader(
    name="prefixed", files="MLflow evaluate metrics and runs; exports of Weights & Biases; saved metrics",
    columns="the four counts with a common prefix: metrics.true_negatives, eval/TN",
    lacks="no tn, fp, fn, tp behind a prefix", recognise=recognise, read=read, holds=(*JSON, "table"), named=NAMED,
    turn=3,
)  # fmt: skip
