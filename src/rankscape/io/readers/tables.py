"""Tables that tools write with columns of their own: of counts, and of cases that are right or wrong.

Trackers of metrics have the counts under a common prefix, such as ``metrics.true_negatives`` or ``eval/TN``.
``mlflow.models.evaluate`` logs true_negatives, false_positives, false_negatives and true_positives of binary
classifiers: ``EvaluationResult.metrics``, ``run.data.metrics`` and ``run.to_dictionary()`` have them by name, the table
of ``mlflow.search_runs`` in columns metrics.true_negatives, …, beside run_id and tags.mlflow.runName. Runs of Weights &
Biases are exported with the keys that were logged, such as eval/TN, beside Name; ``wandb-summary.json`` has them, too.

TrackEval writes TRACKER/CLASS_detailed.csv, with a row per sequence (seq) and the row COMBINED at the end, and
TRACKER/CLASS_summary.txt, one row for all sequences, separated by spaces. Sequences are domains. The counts of
detections are CLR_TP, CLR_FN and CLR_FP of the CLEAR metrics; where these were not computed, IDTP, IDFN and IDFP of the
identity metrics are taken. There are no true negatives.

Scorecards of the OWASP Benchmark (BenchmarkJava, BenchmarkUtils) are one file per tool, whose name only the file has,
``Benchmark_v1.2_Scorecard_for_TOOL.csv``: a test case per row, under the header "# test name, category, CWE, real
vulnerability, identified by tool, pass/fail", to which the versions are appended. The page of the same name has the
table Category, CWE #, TP, FN, TN, FP, Total, TPR, FPR, Score, with a row of totals. Categories are domains.

Of right or wrong, one row per model and case has a column called correct, success, passed, …, or a score beside a case;
a wide table has one column of 0 and 1, or of grades, per model, or one row per model. All know which cases the models
share.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from ...account import ONE_IS_RIGHT, Account
from ...checks.names import domain_text
from ...errors import DataError, Place
from ...outcomes import TWO_CLASS, WITHOUT_TN
from ...performances import Performances, concat
from ...tasks.classes import ARROW
from ...tasks.retrieval import SPACE
from ...texts import some
from .. import headers as known
from ..content import NAMED, Content, How, Reader, put_together, with_names
from ..counting import right_or_wrong, tally
from ..counts import read_sheet, without_totals
from ..headers import CORRECT, WEIGHTS, Columns, behind_prefix, case_columns, empty, plain, role, wide_columns
from ..sheets import Sheet, is_column, numbered_records, quoted, sheet_of_records

_OUTCOMES = {*TWO_CLASS.outcomes}
_MOST_NAMED = 6


def _chosen(sheet: Sheet, headers: Mapping[int, str], rows: Sequence[int] | None = None) -> Sheet:
    """Return some of the columns of a table, under other headers, and some of its rows."""
    at = range(len(sheet.rows)) if rows is None else rows
    cells = [[sheet.rows[i][j] for j in headers] for i in at]
    return Sheet(tuple(headers.values()), cells, sheet.where, [sheet.lines[i] for i in at] if sheet.lines else (),
                 sheet.separator)  # fmt: skip


# Counts behind a prefix

_WRAPPERS = ("metrics", "data", "results", "summary", "runs")
"""Keys that hold the metrics of a run, and are no names."""

_CALLED = {**dict.fromkeys(("runname", "tagsmlflowrunname", "inforunname"), "Name"),
           **dict.fromkeys(("runid", "inforunid"), "run id")}  # fmt: skip
"""What columns of names are called here, where no other was named."""


def _have_prefix(content: Content) -> bool:
    """Tell whether a content is runs whose counts have a prefix."""
    records = _records(content) if content.first_record is None else [_flat(content.first_record)]
    headers = content.headers if records is None else [*records[0]]
    return bool(_prefixes(headers)) and not {*map(role, headers)} >= _OUTCOMES


def _prefixes(headers: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the headers of the outcomes, for each prefix that has all of them, or all but true negatives."""
    by_prefix: dict[str, dict[str, str]] = {}
    for header in headers:
        if (parts := behind_prefix(header)) is not None:
            by_prefix.setdefault(parts[0], {})[header] = parts[1]
    whole = (_OUTCOMES, {*WITHOUT_TN.outcomes})
    return {prefix: names for prefix, names in by_prefix.items() if {*names.values()} in whole}


def _prefixed(content: Content, how: How) -> Performances:
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
        elif plain(header) in _CALLED:
            headers |= {} if how.entity else {i: _CALLED[plain(header)]}
        elif (bare != header and known.matters(bare)) or role(header) in NAMED:
            headers[i] = bare if bare != header and known.matters(bare) else header
    counts = [i for i, header in headers.items() if header in renamed.values()]
    failed = [row for row, cells in enumerate(sheet.rows) if all(empty(cells[i]) for i in counts)]
    failed = failed if len(failed) < len(sheet.rows) else []
    naming = next((i for i, header in headers.items() if header == how.entity or role(header) == "entity"), None)
    names = [f"in row {row + 1}" if naming is None else str(sheet.rows[row][naming]) for row in failed]
    what = f"{some(names, _MOST_NAMED)}, which {'has' if len(failed) == 1 else 'have'} no counts"
    name = how.name or (content.stem if len(sheet.rows) == 1 else "") or None
    chosen = _chosen(sheet, headers, sorted({*range(len(sheet.rows))} - {*failed}))
    return read_sheet(chosen, replace(how, name=name)).noting(left_out={what: len(failed)} if failed else {})


def _records(content: Content) -> list[dict[str, Any]] | None:
    """Return runs of JSON as records of one level; None for tables, and for columns."""
    value = content.value
    if isinstance(value, Mapping) and isinstance(value.get("runs"), (list, tuple)):
        value = value["runs"]
    if isinstance(value, (list, tuple)) and value and all(isinstance(run, Mapping) for run in value):
        return list(map(_flat, value))
    if not isinstance(value, Mapping) or any(map(is_column, value.values())):
        return None
    runs = {str(name): _flat(run) for name, run in value.items() if isinstance(run, Mapping)}
    complete = len(runs) == len(value) > 0 and all(
        {*map(role, run)} >= _OUTCOMES or _prefixes(run) for run in runs.values()
    )
    if complete and (len(runs) > 1 or plain(next(iter(runs))) not in _WRAPPERS):
        return [{"entity": name, **run} for name, run in runs.items()]
    counts = [run for run in runs.values() if any(role(key) in _OUTCOMES or behind_prefix(key) for key in run)]
    return [_flat(value)] if len(counts) < 2 else None  # of several runs none may be passed over


def _flat(record: Mapping[Any, Any], prefix: str = "") -> dict[str, Any]:
    """Return a record of one level, whose keys are joined by points: {"metrics": {"tn": 5}} has "metrics.tn"."""
    out: dict[str, Any] = {}
    for key, value in record.items():
        out |= _flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value}
    return out


PREFIXED = Reader(
    name="prefixed", files="MLflow evaluate metrics and runs; exports of Weights & Biases; saved metrics",
    columns="the four counts with a common prefix: metrics.true_negatives, eval/TN",
    recognise=_have_prefix, read=_prefixed,
    named=NAMED, turn=3,
)  # fmt: skip


# TrackEval

_METRICS = (("CLR_FP", "CLR_FN", "CLR_TP"), ("IDFP", "IDFN", "IDTP"))
_KIND = re.compile(r"_(detailed|summary)$")
_CLASSES = ("pedestrian", "person", "car", "cyclist", "rider", "bus", "truck", "train", "motorcycle", "bicycle", "van")
"""Classes of the usual benchmarks: a file called by one of them lies in the folder of its tracker."""


def _headers(content: Content) -> Sequence[str]:
    """Return the headers of a table, or those of a summary, which spaces separate."""
    is_summary = content.is_text and content.first_lines
    return content.first_lines[0].split() if is_summary else content.headers


def _trackeval(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of trackers on every sequence; a summary is left out where the sequences are there."""
    files = [(*_tracker(content, name), content) for content, name in with_names(contents)]
    detailed = {file[:2] for file in files if "seq" in _headers(file[2])}
    summaries = [file for file in files if detailed and "seq" not in _headers(file[2])]
    for file in (file for file in summaries if file[:2] not in detailed):
        raise file[2].error(
            "this sums up all sequences, but other files have a row per sequence", expected="the same kind of all",
            way_out="name the detailed file in its place",
        )  # fmt: skip
    files = [file for file in files if file not in summaries]
    several = len({of_class for _, of_class, _ in files}) > 1
    parts = [_of_tracker(content, tracker, of_class if several else "", how) for tracker, of_class, content in files]
    P = without_totals(replace(concat(parts), space=SPACE), contents[0].where if len(contents) == 1 else "")
    left = some([content.where for _, _, content in summaries])
    return P.noting(*([f"{left} left out, because the sequences are read one by one"] if summaries else []))


def _tracker(content: Content, name: str) -> tuple[str, str]:
    """Return the tracker of a file and its class: TRACKER/CLASS_detailed.csv, or TRACKER_detailed.csv."""
    prefix = _KIND.sub("", content.stem)
    if prefix.startswith("cls_comb"):
        raise content.error(
            f"{quoted(content.stem)} averages over classes that have files of their own",
            way_out="leave it out, or read it alone under another name",
        )
    if prefix.lower() in _CLASSES and content.directory:
        return os.path.basename(content.directory), prefix
    return _KIND.sub("", name), ""


def _of_tracker(content: Content, tracker: str, of_class: str, how: How) -> Performances:
    """Return the performances in the rows of a file in which there is something, as a table of counts."""
    if not content.is_text or content.source is None:
        sheet = content.sheet
    else:  # a summary, whose cells spaces separate
        with content.source.lines() as text:
            header, *cells = [line.split() for line in text if line.strip()]
        for odd in (row for row in cells if len(row) != len(header)):
            raise content.error(f"a row has {len(odd)} numbers", expected=f"{len(header)}, as in the header")
        sheet = Sheet(tuple(header), cells, content.where)
    counts = next(columns for columns in _METRICS if {*columns} <= {*sheet.headers})
    at = [sheet.headers.index(column) for column in counts]
    kept = [i for i, row in enumerate(sheet.rows) if {str(row[j]).strip() for j in at} - {"0", "0.0"}]
    if sheet.rows and not kept:
        raise sheet.error(f"{', '.join(counts)} are 0 everywhere", expected="detections, or objects, in a sequence")
    headers = dict(zip(at, ("fp", "fn", "tp"), strict=True))
    headers = {sheet.headers.index("seq"): "seq", **headers} if "seq" in sheet.headers else headers
    chosen = _chosen(sheet, headers, kept)
    P = read_sheet(chosen, replace(how, name=tracker, domain=chosen.headers[:-3]))
    if not of_class:
        return P
    places = P.domains or [""] * len(P)
    return P.rename(P.names, [domain_text([*filter(None, (of_class, place))]) for place in places])


TRACKEVAL = Reader(
    name="trackeval", files="TrackEval: CLASS_detailed.csv and CLASS_summary.txt; the folder names the tracker",
    columns="seq, CLR_TP, CLR_FN, CLR_FP (or IDTP, IDFN, IDFP)",
    recognise=lambda content: any({*columns} <= {*_headers(content)} for columns in _METRICS), together=_trackeval,

)  # fmt: skip


# OWASP

_OF_FLAGS = ("real vulnerability", "identified by tool")
_OF_TESTS = ("testname", "category", "realvulnerability", "identifiedbytool")
_HEADER = "test name, category, CWE, real vulnerability, identified by tool, pass/fail"


def _is_scorecard(content: Content) -> bool:
    """Tell whether a content is a scorecard, of tests or of categories."""
    counts = {role(header) for header in content.headers} >= _OUTCOMES
    return _is_of_tests(content) or (counts and {"category", "cwe"} <= {*map(plain, content.headers)})


def _is_of_tests(content: Content) -> bool:
    return {*_OF_TESTS} <= {*map(plain, content.headers)}


def _owasp(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of tools in each category, paired by test where scorecards list the same tests."""
    parts, tests = list[Performances](), dict[str, list[tuple[str, ...]]]()
    for content, name in with_names(contents):
        tool = re.sub(r"^.*Scorecard_for_", "", name)
        if _is_of_tests(content):
            tests.setdefault(tool, []).extend(_tests(content))
            continue
        called = {"category": "domain"}  # and no column for the tool
        sheet = content.sheet
        chosen = _chosen(sheet, {i: called.get(plain(header), header) for i, header in enumerate(sheet.headers)})
        parts.append(without_totals(read_sheet(chosen, replace(how, name=tool)), content.where))
    if tests:
        rows = [(tool, *cells) for tool, of_tool in tests.items() for cells in of_tool]
        names = ("entity", "domain", "case", "truth", "prediction")
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        tried = Counter(category for of_tool in tests.values() for category in {cells[0] for cells in of_tool})
        times = Counter(cells[1:4] for cells in rows)  # of a test with the same truth
        if any(n < tried[category] for (category, _, _), n in times.items()):
            del columns["case"]
        roles: dict[str, Any] = {name: name for name in columns}
        P = tally(columns, pairs="perhaps", pos_label="true", **roles).performances
        tools, categories = ([*dict.fromkeys(columns[name])] for name in names[:2])
        each = zip(P.domains or (), P.names, strict=True)
        places = [(categories.index(category), tools.index(tool)) for category, tool in each]
        P = P[sorted(range(len(P)), key=places.__getitem__)]  # as they stand in the files
        parts.insert(0, P.noting(columns=dict.fromkeys(names, ())))  # which are ours, not those of a file
    return put_together(parts)


def _tests(content: Content) -> Iterator[tuple[str, ...]]:
    """Yield category, test, and both flags. The header has more cells than the rows: the versions, too."""
    if content.source is None:
        rows: list[tuple[int | None, Sequence[Any]]] = [(None, row) for row in (content.headers, *content.sheet.rows)]
    else:
        with content.source.lines() as text:
            several = [zip(*part, strict=True) for part in numbered_records(text, ",", content.where)]
            rows = [*chain.from_iterable(several)]
    places = [list(map(plain, rows[0][1])).index(header) for header in _OF_TESTS]
    seen, where = set[tuple[str, str]](), content.where
    for line, cells in rows[1:]:
        if len(cells) <= max(places):
            raise DataError(f"this row has {len(cells)} cells", where=Place(where, line=line), expected=_HEADER)
        test, category, *flags = [str(cells[place]).strip() for place in places]
        for header, flag in zip(_OF_FLAGS, flags, strict=True):
            if flag.lower() not in ("false", "true"):
                raise DataError(f"{header} = {quoted(flag)}", where=Place(where, line=line), expected="true or false")
        if (category, test) in seen:
            what = f"the test {quoted(test)} occurs twice"
            raise DataError(what, where=Place(where, line=line), expected="each test once")
        seen.add((category, test))
        yield category, test, *map(str.lower, flags)
    if not seen:
        raise content.error("there is no test below the header")


OWASP = Reader(
    name="owasp", files="scorecards of the OWASP benchmark, one file per tool, named in Scorecard_for_TOOL.csv",
    columns="test name, category, real vulnerability, identified by tool; or Category, CWE #, TP, FN, TN, FP",
    recognise=_is_scorecard, together=_owasp,
    named=("entity",),
)  # fmt: skip


# Right or wrong

_LOOKED_AT = 1000
"""Rows of a wide table that tell what it is; all of them are checked when it is read."""


def _are_answers(content: Content) -> bool:
    """Tell whether a content is a table of cases that are right or wrong; items need numbers where nobody asked."""
    if known.of_task(content.headers) is not None:
        return False  # columns of counts
    return case_columns(content.headers) is not None or _side_by_side(content) is not None


def _side_by_side(content: Content) -> Columns | None:
    """Return the columns of a table with one column of answers per entity, or per item; else None."""
    others = (header for header in content.headers if role(header) is not None or known.matters(header))
    if any(role(header) not in NAMED for header in others):
        return None  # counts, or what is printed beside them
    if len(content.headers) < 2 or any(ARROW in header for header in content.headers):
        return None  # pairs of classes
    if content.source is not None and isinstance(content.value, Mapping):
        return None
    try:
        sheet = content.sheet
    except DataError:
        return None
    return wide_columns(sheet.headers, list(islice(sheet.rows, _LOOKED_AT)), content.asked, **content.named)


def _answers(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances in tables of cases; several files are read as one table."""
    options = {name: how.more.get(name) for name in ("case", "cluster", "repeat", "scale")}
    given: Any = contents[0].given if len(contents) == 1 else [content.given for content in contents]
    correct, entity, domain, asked = how.more.get("correct"), how.entity, how.domain, "correct" in how.more
    is_long = asked or len(contents) > 1 or case_columns(contents[0].headers) is not None
    columns = None if is_long else _side_by_side(contents[0])
    if columns is not None and columns.entity is None:
        correct, domain, options["case"] = columns.answers, domain or columns.levels, options["case"] or columns.case
    elif columns is not None:  # one row per entity, of which each cell becomes a row
        sheet = contents[0].sheet
        place, *at = (sheet.headers.index(header) for header in (str(columns.entity), *columns.answers))
        cells = [(row[place], sheet.headers[i], row[i]) for row in sheet.rows for i in at]
        given = dict(zip(("entity", "case", "correct"), map(list, zip(*cells, strict=True)), strict=True))
        correct, entity, options["case"] = "correct", "entity", "case"
    P = right_or_wrong(
        given, correct=correct, entity=entity, domain=domain or None, unanswered=how.unanswered, asked=asked, **options
    )
    account = P.account or Account()
    if columns is not None and columns.entity is not None:
        items = {"entity": (columns.entity,), "correct": columns.answers, "case": ()}
        each = "each column of answers is an item"
        return replace(P, account=account.noting(each, ONE_IS_RIGHT, columns=items)).sharing(P.shared)
    notes, unused = ([], account.unused) if columns is None else ([ONE_IS_RIGHT], ())
    if others := [name for name in unused if not asked and plain(name) in CORRECT]:
        says = quoted(account.columns["correct"][0])
        notes.append(f"right or wrong as {says} says; not looked at: {some(others, 4)}")
    for name in [name for name in unused if plain(name) in WEIGHTS][:1]:
        notes.append(f"the weights in {quoted(name)} are not used: each case counts once")
    return P.noting(*notes)


RIGHT_OR_WRONG = Reader(
    name="right-or-wrong", files="right or wrong, or a grade, per case: one row per model and case, or wide",
    columns="entity, domain?, case, correct; or case, domain?, one column of 0 and 1 per model",
    recognise=_are_answers, together=_answers,
    options=("case", "cluster", "repeat", "correct", "scale"), goes_with="correct",
    named=NAMED, turn=1,
)  # fmt: skip
