"""Metrics of trackers: the counts under a common prefix, such as ``metrics.true_negatives`` or ``eval/TN``.

``mlflow.models.evaluate`` logs true_negatives, false_positives, false_negatives and true_positives of binary
classifiers: ``EvaluationResult.metrics``, ``run.data.metrics`` and ``run.to_dictionary()`` have them by name, the table
of ``mlflow.search_runs`` in columns metrics.true_negatives, …, beside run_id and tags.mlflow.runName. Runs of Weights &
Biases are exported with the keys that were logged, such as eval/TN, beside Name; ``wandb-summary.json`` has them, too.
"""

from collections.abc import Iterable, Mapping
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

_NAMES = {**dict.fromkeys(("runname", "tagsmlflowrunname", "inforunname"), "Name"),
          **dict.fromkeys(("runid", "inforunid"), "run id")}  # fmt: skip
"""What columns of names are called here, where no other was named."""

MOST_NAMED = 6


def recognise(content: Content) -> bool:
    """Tell whether a content is runs whose counts have a prefix."""
    records = _records(content) if content.first_record is None else [_flat(content.first_record)]
    headers = content.headers if records is None else [*records[0]]
    return bool(_prefixes(headers)) and not _is_plain(headers)


def _prefixes(headers: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the headers of the outcomes, for each prefix that has all of them, or all but true negatives."""
    by_prefix: dict[str, dict[str, str]] = {}
    for header in headers:
        if (parts := behind_prefix(header)) is not None:
            by_prefix.setdefault(parts[0], {})[header] = parts[1]
    whole = ({*TWO_CLASS.outcomes}, {*WITHOUT_TN.outcomes})
    return {prefix: names for prefix, names in by_prefix.items() if {*names.values()} in whole}


def _is_plain(headers: Iterable[str]) -> bool:
    return {role(header) for header in headers} >= {*TWO_CLASS.outcomes}


def read(content: Content, how: How) -> Performances:
    """Return the performances of runs, whose counts have a common prefix; runs without any have failed."""
    records = _records(content)
    sheet = content.sheet if records is None else sheet_of_records(records, content.where)
    prefixes = _prefixes(sheet.headers)
    if len(prefixes) > 1:
        raise sheet.error(
            f"{len(prefixes)} prefixes have all four counts: {', '.join(map(repr, prefixes))}", expected="one",
            way_out="keep the columns of the data that the models are compared on",
        )  # fmt: skip
    ((prefix, renamed),) = prefixes.items()
    headers: dict[int, str] = {}  # of the columns that are kept, once the prefix is gone
    for i, header in enumerate(sheet.headers):
        bare = header.removeprefix(prefix)
        if header in renamed:
            headers[i] = renamed[header]
        elif header == how.entity or header in how.domain or not header:
            headers[i] = header
        elif plain(header) in _NAMES:
            headers |= {} if how.entity else {i: _NAMES[plain(header)]}
        elif (bare != header and matters(bare)) or role(header) in NAMED:
            headers[i] = bare if bare != header and matters(bare) else header
    counts = [i for i, header in headers.items() if header in renamed.values()]
    failed = [row for row, cells in enumerate(sheet.rows) if all(empty(cells[i]) for i in counts)]
    failed = failed if len(failed) < len(sheet.rows) else []
    naming = next((i for i, header in headers.items() if header == how.entity or role(header) == "entity"), None)
    names = [f"in row {row + 1}" if naming is None else str(sheet.rows[row][naming]) for row in failed]
    what = f"{some(names, MOST_NAMED)}, which {'has' if len(failed) == 1 else 'have'} no counts"
    rows = sorted({*range(len(sheet.rows))} - {*failed})
    cells = [[sheet.rows[row][i] for i in headers] for row in rows]
    lines = [sheet.lines[row] for row in rows] if sheet.lines else ()
    chosen = Sheet(tuple(headers.values()), cells, sheet.where, lines, sheet.separator)
    name = how.name or (content.stem if len(sheet.rows) == 1 else "") or None
    return read_sheet(chosen, replace(how, name=name)).noting(left_out={what: len(failed)} if failed else {})


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
    complete = len(runs) == len(value) > 0 and all(_is_plain(run) or _prefixes(run) for run in runs.values())
    if complete and (len(runs) > 1 or plain(next(iter(runs))) not in _WRAPPERS):
        return [{"entity": name, **run} for name, run in runs.items()]
    counts = [run for run in runs.values() if any(role(k) in TWO_CLASS.outcomes or behind_prefix(k) for k in run)]
    return [_flat(value)] if len(counts) < 2 else None  # of several runs none may be passed over


def _is_column(value: Any) -> bool:
    """Tell lists and arrays from single values, and from lists of metrics."""
    is_single = isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__len__") or _is_list_of_metrics(value)
    return not is_single and getattr(value, "shape", 1) != ()


def _is_list_of_metrics(value: Any) -> bool:
    """Tell whether a value is metrics as MLflow's REST interface has them: [{"key": …, "value": …}, …]."""
    are_records = isinstance(value, (list, tuple)) and all(isinstance(one, Mapping) for one in value)
    return are_records and bool(value) and all({"key", "value"} <= {*one} for one in value)


def _flat(record: Mapping[Any, Any], prefix: str = "") -> dict[str, Any]:
    """Return a record of one level, whose keys are joined by points: {"metrics": {"tn": 5}} has "metrics.tn"."""
    out: dict[str, Any] = {}
    for key, value in record.items():
        if _is_list_of_metrics(value):
            value = {one["key"]: one["value"] for one in value}
        out |= _flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value}
    return out


READER = Reader(
    name="prefixed", files="MLflow evaluate metrics and runs; exports of Weights & Biases; saved metrics",
    columns="the four counts with a common prefix: metrics.true_negatives, eval/TN",
    lacks="no tn, fp, fn, tp behind a prefix", recognise=recognise, read=read, holds=(*JSON, "table"), named=NAMED,
    turn=3,
)  # fmt: skip
