"""The table of readers: a new format costs one small module and one row."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...errors import DataError, Option, UsageError
from ...outcomes import TWO_CLASS
from ...performances import Performances, concat
from ...results import Table
from ...tasks import success
from ..diagnoses import diagnosed
from ..frames import data_frame
from ..headers import PrintedRatesError, is_cv_results, role
from . import (
    class_report,
    coco,
    counts,
    cross_validated,
    every_eval,
    helm,
    inspect_ai,
    lm_eval,
    matrices,
    mteb,
    owasp,
    prefixed,
    right_wrong,
    trackeval,
    trec,
)
from .content import Content, How, names_of, noted
from .totals import without_totals


@dataclass(frozen=True, kw_only=True)
class Reader:
    """A format: its name, which files have it, and which columns or keys it needs.

    ``lacks`` returns what a content lacks to be of the format, in a few words, or nothing where it is; ``lacks_asked``
    does so where the format was named. ``read`` makes
    performances of one content; ``together`` of all that were given, where one needs another. ``files`` and
    ``columns`` stand in :func:`rankscape.formats`. ``holds`` are the containers that may hold it, as in
    ``Content.container``, none for any; ``options`` those of :func:`rankscape.read` that are about it; where
    ``goes_with`` is given, all contents are of this format; ``named`` are the columns whose headers can be others,
    "entity" and "domain", and
    ``beside`` are other files of the tool, which are passed over.
    """

    name: str
    files: str
    columns: str
    lacks: Callable[[Content], str]
    lacks_asked: Callable[[Content], str] | None = None
    read: Callable[[Content, How], Performances] | None = None
    together: Callable[[Sequence[Content], How], Performances] | None = None
    holds: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    goes_with: str = ""
    named: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


JSON = ("JSON object", "JSON list")
NAMED = ("entity", "domain")
"""What a table has a column of."""

READERS: tuple[Reader, ...] = (
    Reader(
        name="sklearn-report", files="scikit-learn: classification_report(…, output_dict=True), also by model",
        columns="classes, each with precision, recall, f1-score and support; accuracy", lacks=class_report.lacks,
        read=class_report.read_report, holds=(*JSON, "table"), options=("pos_label",),
    ),
    Reader(
        name="confusion-matrix", files="confusion matrices in JSON, rows = truth: of one model, by model, with labels",
        columns="[[tn, fp], [fn, tp]]; or labels and matrix", lacks=matrices.lacks, read=matrices.read_matrices,
        holds=JSON, options=("pos_label",),
    ),
    Reader(
        name="cross-validate", files="scikit-learn: cross_validate(…, scoring=rs.outcome_scorers()); folds are domains",
        columns="test_tn, test_fp, test_fn, test_tp, one value per fold", lacks=cross_validated.lacks,
        read=cross_validated.read_folds, holds=("JSON object", "table"), named=("entity",),
    ),
    Reader(
        name="trackeval", files="TrackEval: CLASS_detailed.csv and CLASS_summary.txt; the folder names the tracker",
        columns="seq, CLR_TP, CLR_FN, CLR_FP (or IDTP, IDFN, IDFP)", lacks=trackeval.lacks,
        together=trackeval.read_trackers, holds=("table", "text"),
    ),
    Reader(
        name="owasp", files="scorecards of the OWASP benchmark, one file per tool, named in Scorecard_for_TOOL.csv",
        columns="test name, category, real vulnerability, identified by tool; or Category, CWE #, TP, FN, TN, FP",
        lacks=owasp.lacks, together=owasp.read_scorecards, holds=("table", "text"), named=("entity",),
    ),
    Reader(
        name="coco", files="COCO: detections in JSON, one file per detector, with annotations=",
        columns="image_id, category_id, bbox, score", lacks=coco.lacks, together=coco.read_detections, holds=JSON,
        options=("annotations", "iou", "min_score"), goes_with="annotations",
    ),
    Reader(
        name="trec", files="runs of TREC, pytrec_eval or ranx, one per system, with qrels=",
        columns="query, Q0, document, rank, score, run; or {query: {document: score}}", lacks=trec.lacks,
        together=trec.read_runs, holds=("text", "table", "JSON object"), options=("qrels", "depth", "relevance"),
        goes_with="qrels",
    ),
    Reader(
        name="lm-eval", files="lm-evaluation-harness: samples_*.jsonl and results_*.json of models, or their folder",
        columns="doc_id, filter, metrics, acc, …; results by task with acc,none and n-samples", lacks=lm_eval.lacks,
        together=lm_eval.read_lm_eval, holds=JSON, options=("metric",),
    ),
    Reader(
        name="every-eval-ever", files="Every Eval Ever (schema 0.2): aggregates in JSON, instances in JSON lines",
        columns="model_info, evaluation_results; or model_id, evaluation_name, sample_id, evaluation",
        lacks=every_eval.lacks, together=every_eval.read_every_eval, holds=JSON, options=("metric",),
    ),
    Reader(
        name="mteb", files="mteb: results of models, one file per task, or their folder",
        columns="task_name, scores by split with main_score", lacks=mteb.lacks,
        together=mteb.read_mteb, holds=JSON, options=("metric",), beside=("model_meta.json",),
    ),
    Reader(
        name="helm", files="HELM: per_instance_stats.json of runs, or their folder",
        columns="instance_id, train_trial_index, perturbation, stats", lacks=helm.lacks,
        together=helm.read_helm, holds=JSON, options=("metric",), beside=helm.BESIDE,
    ),
    Reader(
        name="inspect", files="Inspect: logs in JSON, one per model and task, or their folder",
        columns="eval with task and model; samples with id, epoch, scores", lacks=inspect_ai.lacks,
        together=inspect_ai.read_inspect, holds=JSON, options=("metric",),
    ),
    Reader(
        name="right-or-wrong", files="right or wrong, or a grade, per case: one row per model and case, or wide",
        columns="entity, domain?, case, correct; or case, domain?, one column of 0 and 1 per model",
        lacks=right_wrong.lacks, lacks_asked=right_wrong.lacks_asked, together=right_wrong.read_cases,
        holds=("table", "JSON list"), options=right_wrong.OPTIONS, goes_with="correct", named=NAMED,
    ),
    Reader(
        name="accuracies", files="printed accuracies, with the number of cases", columns="entity, domain?, accuracy, n",
        lacks=right_wrong.lacks_rates, read=right_wrong.read_rates, holds=("table", "JSON list", "JSON object"),
        named=NAMED,
    ),
    Reader(
        name="prefixed", files="MLflow evaluate metrics and runs; exports of Weights & Biases; saved metrics",
        columns="the four counts with a common prefix: metrics.true_negatives, eval/TN", lacks=prefixed.lacks,
        read=prefixed.read_prefixed, holds=(*JSON, "table"), named=NAMED,
    ),
)  # fmt: skip
"""The formats of other tools; the first that recognizes a content reads it, and else it is a table of counts."""

KINDS = (
    ("csv", "text, with commas, semicolons, tabs or bars between cells; also compressed (gz, zst, zip)"),
    ("json", "JSON records, columns, or one record per line"),
    ("parquet", "Parquet"),
    ("markdown", "a table in Markdown, such as in a README; of several tables the one whose headers are understood"),
    ("latex", "a tabular of LaTeX, with booktabs, multicolumn and multirow; bold and footnote marks are dropped"),
    ("html", "a table of a web page"),
)
"""How tables are written in files: kinds of them, as in ``io.formats``."""

OF_COUNTS = (("cdnet", "statistics of CDnet, one row per method and video", "method, category, video, tn, fp, fn, tp"),)
"""Formats that are tables of counts with headers of their own."""

COLUMNS = "entity, domain?, tn, fp, fn, tp; or correct, total; or passed, failed; or pairs truth→prediction"


def formats() -> Table:
    """Return the formats that :func:`rankscape.read` understands.

    Returns
    -------
    Table
        One row per format: ``format``, the name that ``read(source, format=...)`` takes, ``files`` and ``columns``.

    See Also
    --------
    rankscape.read

    Examples
    --------
    >>> import rankscape as rs
    >>> table = rs.formats()
    >>> list(table.columns)
    ['format', 'files', 'columns']
    >>> "cdnet" in table["format"]
    True
    """
    rows = [(name, files, COLUMNS) for name, files in KINDS]
    rows += OF_COUNTS
    rows += [(reader.name, reader.files, reader.columns) for reader in READERS]
    return Table(dict(zip(("format", "files", "columns"), zip(*rows, strict=True), strict=True)))


def reader_of(content: Content, name: str | None, how: How) -> Reader:
    """Return the reader of a content: the one named, or the first that recognizes it; that of counts for all others.

    The name of a kind of file, such as "csv", says nothing about what its table holds.
    """
    kinds, of_counts = ([row[0] for row in rows] for rows in (KINDS, OF_COUNTS))
    if name in kinds:
        _refuse_other_kind(content, name)
    elif name is not None:
        by_name = dict.fromkeys(of_counts, COUNTS) | {reader.name: reader for reader in READERS}
        if name not in by_name:
            raise UsageError(f"format {name!r} is unknown", expected=f"one of {', '.join((*kinds, *by_name))}")
        reader = by_name[name]
        asked = reader is not COUNTS and reader.goes_with not in how.more
        if asked and (lacking := (reader.lacks_asked or reader.lacks)(content)):
            raise content.error(f"this is not of the format {name}: {lacking}")
        return reader
    with_it = next((reader for reader in READERS if reader.goes_with in how.more), None)
    return with_it or next((reader for reader in READERS if not reader.lacks(content)), COUNTS)


def _refuse_other_kind(content: Content, name: str) -> None:
    """Refuse what is of another kind than the one named."""
    kind = None if content.format is None else content.format.name
    if kind != name:
        what = "this is no file" if kind is None else f"this file is of the kind {kind}"
        leave = ("leave out ", Option("format", python="format", option="from"))
        raise content.error(what, expected=f"one of the kind {name}", way_out=[leave])


def read_all(contents: Sequence[Content], how: How, name: str | None) -> Performances:
    """Return the performances in one or several contents, each of the format that it has, or of the one named.

    Beside logs of benchmarks, JSON files that are no logs are left out, and named.
    """
    contents = _without_others(contents)
    readers = [reader_of(content, name, how) for content in contents]
    foreign = [i for i, reader in enumerate(readers) if reader is COUNTS and _is_foreign(contents[i])]
    if foreign and any("metric" in reader.options for reader in readers):
        rest = [content for i, content in enumerate(contents) if i not in foreign]
        reasons = {f"{contents[i].where}, which is no log": 1 for i in foreign}
        return noted(read_all(rest, how, name), (), reasons)
    how = replace(how, named=name is not None)
    _refuse_idle(readers, how)
    kinds = list(dict.fromkeys(reader.name for reader in readers))
    called = names_of(contents)
    parts, several = list[Performances](), len(contents) > 1
    for kind in kinds:
        places = [i for i, reader in enumerate(readers) if reader.name == kind]
        together = readers[places[0]].together
        if together is not None:
            parts.append(together([contents[i] for i in places], how))
        else:
            named = [replace(how, name=called[i]) if several else how for i in places]
            parts += [_read(readers[i], contents[i], one) for i, one in zip(places, named, strict=True)]
    if len(parts) == 1:
        return parts[0]
    if {part.space.name for part in parts} == {success.SPACE.name, "grade"}:  # right and wrong are grades, too
        parts = [replace(part, space=success.graded("grade", len(part.space) > len(success.SPACE))) for part in parts]
    try:
        return concat(parts)
    except UsageError as error:
        raise DataError(f"the files do not fit together ({', '.join(kinds)}): {error}") from None


def _is_foreign(content: Content) -> bool:
    """Tell whether a file is whole JSON, and nothing that any reader knows."""
    is_json = content.container.startswith("JSON") and content.source is not None
    return (
        is_json and bool(content.headers) and not any(role(header) in TWO_CLASS.outcomes for header in content.headers)
    )


def _refuse_idle(readers: Sequence[Reader], how: How) -> None:
    """Refuse an option that is about none of the formats that are read."""
    for name in (name for name in NAMED if getattr(how, name) and not any(name in one.named for one in readers)):
        formats_ = ", ".join(dict.fromkeys(reader.name for reader in readers))
        raise UsageError(
            [Option(name, option=f"{name}-column"), f" would change nothing: {formats_} has no such column"]
        )
    idle = [option for option in how.more if not any(option in reader.options for reader in readers)]
    if idle:
        of = ", ".join(reader.name for reader in READERS if idle[0] in reader.options)
        raise UsageError(
            [Option(idle[0]), " would change nothing"], expected=f"data of the format {of}",
            got=", ".join(dict.fromkeys(reader.name for reader in readers)),
        )  # fmt: skip


def _without_others(contents: Sequence[Content]) -> Sequence[Content]:
    """Return contents without the files that tools write beside what is read, as a folder holds them."""
    names = [os.path.basename(content.where) for content in contents]
    others = {name for reader in READERS for name in reader.beside} & {*names}
    if not others:
        return contents
    rest = [content for content, name in zip(contents, names, strict=True) if name not in others]
    tools = [reader for reader in READERS if {*reader.beside} & others]
    read = any(not reader.lacks(content) for content in rest for reader in tools)
    return rest if read else contents


def _read(reader: Reader, content: Content, how: How) -> Performances:
    if reader.together is not None:
        return reader.together([content], how)
    if reader.read is None:
        raise UsageError(f"the format {reader.name} cannot be read")
    try:
        return without_totals(reader.read(content, how), content.where)
    except DataError as error:
        if reader is not COUNTS or error.where.row is not None:
            raise
        known = any(role(header) in TWO_CLASS.outcomes for header in content.headers)
        is_empty = not content.headers and (content.value is None or len(content.value) == 0)
        if known or is_empty:  # the headers are right
            raise
        if (looks := _looks_like(content, isinstance(error, PrintedRatesError))) is not None:
            raise looks from None
        if isinstance(error, PrintedRatesError) or error.ways_out:
            raise
        raise _of_no_format(content, error) from None


def _looks_like(content: Content, rates: bool) -> DataError | None:
    """Return the error that says what a table looks like; None for what is none, and for frames that are lazy."""
    frame = None if content.source is not None or content.value is not None else data_frame(content.frame, "")
    if is_cv_results(content.headers) or (frame is not None and hasattr(frame, "collect")):
        return None  # a search of scikit-learn has errors of its own
    try:
        return diagnosed(content.sheet, rates) if len(content.headers) > 1 else None
    except DataError:
        return None


def _of_no_format(content: Content, error: DataError) -> DataError:
    """Return the error about a content that nothing recognizes: what each format lacks that comes in its container."""
    if content.container == "table":
        advice = [
            Option("truth", python="count predictions with rs.count", shell="name the columns of predictions with "
                   "--truth and --prediction"),
            Option("format", python="see rs.formats() for files of other tools", shell="see `rankscape formats` for "
                   "files of other tools", option="from"),
        ]  # fmt: skip
        return DataError(error.what, where=error.where, expected=error.expected, got=error.got, way_out=advice)
    lacking = [
        f"{reader.name} ({reader.lacks(content)})"
        for reader in READERS if not reader.holds or content.container in reader.holds
    ]  # fmt: skip
    return DataError(
        error.what, where=error.where, expected=error.expected, got=error.got,
        way_out=f"no other format in a {content.container} fits: {', '.join(lacking)}",
    )  # fmt: skip


COUNTS = Reader(
    name="counts", files="", columns=COLUMNS, lacks=lambda content: "", read=counts.read_counts, named=NAMED
)  # fmt: skip
"""The format of rankscape itself."""
