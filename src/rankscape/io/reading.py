"""Reading: files, data frames and records become Performances, each by the format that recognizes it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from ..errors import DataError, IncompleteDataWarning, Option, UsageError, no_effect, not_among
from ..outcomes import TWO_CLASS
from ..performances import Performances, as_performances
from ..results import Table
from ..texts import some
from ..typing import Label, PathLike, PerformancesLike
from .content import NAMED, Content, How, Reader, data_frame, of_file, put_together, with_names
from .counts import read_counts, read_sheet, without_totals
from .headers import UNANSWERED_AS, PrintedRatesError, behind_prefix, known, levels_of, matters, of_task, role, size_of
from .sheets import FORMATS, is_source, refuse_encoding, sources_of

COUNTS = Reader(
    name="counts", files="", recognise=lambda content: True, read=read_counts, named=NAMED,
    columns="entity, domain?, tn, fp, fn, tp; correct, total; passed, failed; accuracy, n; or pairs truth→prediction",
)  # fmt: skip
"""The format of rankscape itself, which reads all that nothing else recognizes."""

OF_COUNTS = ("cdnet", "statistics of CDnet, one row per method and video", "method, category, video, tn, fp, fn, tp")
"""A format that is a table of counts with headers of its own."""


def read(
    source: PerformancesLike,
    *,
    format: str | None = None,
    entity: str | None = None,
    domain: str | Sequence[str] | None = None,
    encoding: str | None = None,
    unanswered: str | None = None,
    pos_label: Label | None = None,
    qrels: PathLike | Mapping[str, Mapping[str, float]] | None = None,
    depth: int | None = None,
    relevance: float | None = None,
    annotations: PathLike | Mapping[str, object] | None = None,
    iou: float | None = None,
    min_score: float | None = None,
    metric: str | None = None,
    correct: str | Sequence[str] | None = None,
    case: str | None = None,
    cluster: str | None = None,
    repeat: str | bool | None = None,
    scale: tuple[float, float] | None = None,
) -> Performances:
    r"""Read performances from a table of counts, or from a file of another tool.

    Parameters
    ----------
    source
        A path (CSV, TSV, JSON, JSON lines or Parquet, also compressed with gz, zst or zip; "-" is standard input), an
        open file, a data frame (pandas, polars, pyarrow, …), a mapping of columns or a list of records; several paths,
        a pattern or a folder; or what another tool writes or returns (:func:`rankscape.formats` lists them). A table
        has the columns tn, fp, fn, tp, and optionally entity and domain; or one column per pair of classes, called
        "truth→prediction", as :func:`count` has them; or correct and total, passed and failed, or accuracy and n;
        or printed rates and numbers of cases, where exactly one table of counts rounds to each row.
        Numbers that are all whole are counts, others probabilities; of decimal text 0.9 is 9/10 exactly.
        Headers are compared without case, and the usual ones are understood ("model", "True Negatives", "n_correct").
        Without such a header the only column of different texts holds the names. Rows without a name are P1, P2, …
    format
        The name of one of :func:`rankscape.formats`; by default the content tells.
    entity, domain
        Other headers. Several headers of domains make a hierarchy: ``domain=["Category", "Video"]``.
    encoding
        The encoding of a text; by default that of its byte-order mark, else UTF-8.
    unanswered
        What to do with cases that a column, or a total above the counts, says have no answer: "wrong" counts them as
        errors; "apart" makes them an outcome of right-or-wrong data (see the score "accuracy when answered"), and ranks
        counts of two classes on the cases that each answered, with a warning. By default they are refused.
    pos_label
        The positive class of reports and confusion matrices whose classes are no known pair such as 0 and 1, or
        no and yes; of several classes, all others are then negative.
    qrels, depth, relevance
        The judgements that belong to runs of TREC, a file or ``{query: {document: grade}}``; how many documents of each
        run count, by default all; and the least grade of a relevant one, by default 1. Queries are domains.
    annotations, iou, min_score
        The annotations that belong to detections of COCO; from which intersection over union boxes match, by default
        0.5; and the least score of a box that counts, by default 0.5. Images are domains.
    metric
        Which score of a benchmark to read, such as "acc_norm"; by default an accuracy of each task, of several the
        first of an order that each format has. Tasks without one are left out.
    correct, case, cluster, repeat, scale
        Columns of a table of cases that are right or wrong: the one that says so, or one per model; those that name the
        case, and its cluster, such as its prompt; and the one that numbers repeated answers. ``scale`` is the worst and
        the best value of a metric. All are as in :func:`rankscape.cases`; by default the headers
        tell, except for clusters.

    Returns
    -------
    Performances
        In the order of the rows. Those of cases know which cases they share, so that draws are paired.

    Raises
    ------
    DataError
        Naming file, row and column, for what is missing, doubtful or impossible.
    UsageError
        For an unknown way to treat cases without an answer.

    See Also
    --------
    rankscape.count : count predictions, one case per row
    rankscape.read_published : printed rates instead of counts
    rankscape.formats : what can be read
    rankscape.Performances.from_counts : arrays

    Examples
    --------
    >>> import io
    >>> import rankscape as rs
    >>> P = rs.read(io.StringIO("model;TN;FP;FN;TP\nunet;0,5;0,2;0,05;0,25\n"))
    >>> P.names, P.mass.tolist()
    (('unet',), [[0.5, 0.2, 0.05, 0.25]])
    """
    options = {name: given for name, given in locals().items() if name != "source"}
    performances = read_quietly(source, **options)
    if not isinstance(source, Performances) and performances.account is not None:
        for sentence in performances.account.warnings():
            warnings.warn(sentence, IncompleteDataWarning, stacklevel=2)
    return performances


def read_quietly(source: PerformancesLike, **options: Any) -> Performances:
    """Return what :func:`read` does with the same options, without warnings of what the account says."""
    more = {name: given for name, given in options.items() if given is not None}
    if isinstance(source, Performances):
        for name in more:
            raise no_effect(name, "these performances are read already")
        return as_performances(source)
    name, encoding, only = (more.pop(option, None) for option in ("format", "encoding", "only"))
    entity, domain, unanswered = (more.pop(option, None) for option in ("entity", "domain", "unanswered"))
    if unanswered not in (None, *UNANSWERED_AS):
        raise not_among("unanswered", unanswered, UNANSWERED_AS)
    levels = levels_of(domain or None)
    how = How(entity=entity, domain=levels, unanswered=unanswered, only=only, more=more)
    named = {"domain": levels, **{role: (more[role],) for role in ("case", "cluster") if more.get(role)}}

    def wanted(header: str) -> bool:
        return known(header) or matters(header) or header in (entity, *levels) or behind_prefix(header) is not None

    if not is_source(source):
        refuse_encoding(encoding)
    answers = of_file(more.pop("answers")) if "answers" in more else None  # of a command, for runs or for boxes
    boxes = next(reader for reader in all_readers() if reader.name == "coco") if answers is not None else COUNTS
    of_runs = "qrels" in more or (answers is not None and not boxes.recognise(answers))  # which have no known names
    files = sources_of(source, encoding, of_runs) if is_source(source) else [source]
    contents = [Content(one, wanted, named, name is not None) for one in files]
    if answers is not None:
        more["qrels" if of_runs and not boxes.recognise(contents[0]) else "annotations"] = answers
    headers = contents[0].headers  # plainly of counts of two classes, and no scorecard of OWASP
    plain = {*TWO_CLASS.outcomes} <= {role(header) for header in headers} and "CWE #" not in headers
    if unanswered is not None and len(contents) == 1 and plain and not any(map(size_of, headers)):
        raise no_effect(Option("unanswered", unanswered), "no column says how many cases have no answer")
    if name is None and not more and len(contents) == 1 and plain:  # the other readers need not be loaded
        performances = without_totals(read_counts(contents[0], how), contents[0].where)
    else:
        performances = _read_all(contents, how, name)
    where = [content.where for content in contents if content.where]
    return performances.noting(source=some(where, 1, quote="", word=str) or "data in memory")


# The formats of other tools


@cache
def all_readers() -> tuple[Reader, ...]:
    """Return the formats of other tools, as they are tried: all that modules of the folder ``readers`` hold."""
    package = import_module(".readers", __package__)
    modules = [import_module(f"{package.__name__}.{module.name}") for module in iter_modules(package.__path__)]
    held = (value for module in modules for value in vars(module).values() if isinstance(value, Reader))
    return tuple(sorted(dict.fromkeys(held), key=lambda reader: (reader.turn, reader.name)))


def formats() -> Table:
    """Return the formats that :func:`rankscape.read` understands.

    Returns
    -------
    Table
        One row per format: ``format``, the name that ``read(source, format=...)`` takes, ``files`` and ``columns``.

    Examples
    --------
    >>> import rankscape as rs
    >>> table = rs.formats()
    >>> list(table.columns)
    ['format', 'files', 'columns']
    >>> "cdnet" in table["format"]
    True
    """
    rows = [*((kind.name, kind.files, COUNTS.columns) for kind in reversed(FORMATS)), OF_COUNTS]
    rows += [(reader.name, reader.files, reader.columns) for reader in all_readers()]
    return Table(dict(zip(("format", "files", "columns"), zip(*rows, strict=True), strict=True)))


def _has_counts(content: Content) -> bool:
    return any(role(header) in TWO_CLASS.outcomes for header in content.headers)


def _read_all(contents: Sequence[Content], how: How, name: str | None) -> Performances:
    """Return the performances in one or several contents, each of the format that it has, or of the one named."""
    # Files that tools write beside what is read are passed over.
    tools = [reader for reader in all_readers() if reader.beside]
    of_tools = {name for reader in tools for name in reader.beside}
    rest = [content for content in contents if os.path.basename(content.where) not in of_tools]
    if any(reader.recognise(content) for content in rest for reader in tools):
        contents = rest
    by_content = [(content, _reader_of(content, name, how)) for content in contents]
    logs = any("metric" in reader.options for _, reader in by_content)  # beside them, JSON that is no log is left out
    strays = [
        content for content, reader in by_content if logs and reader is COUNTS and content.source is not None
        and content.value is not None and content.headers and not _has_counts(content)
    ]  # fmt: skip
    left_out = {f"{content.where}, which is no log": 1 for content in strays}
    by_content = [pair for pair in by_content if pair[0] not in strays]
    used = list(dict.fromkeys(reader for _, reader in by_content))
    kinds = ", ".join(reader.name for reader in used)
    idle = [
        no_effect(column, f"{kinds} has no such column")
        for column in NAMED if getattr(how, column) and not any(column in one.named for one in used)
    ]  # fmt: skip
    for option in (option for option in how.more if not any(option in reader.options for reader in used)):
        of = f"data of the format {', '.join(reader.name for reader in all_readers() if option in reader.options)}"
        idle.append(UsageError([Option(option), " would change nothing"], expected=of, got=kinds))
    called = with_names([content for content, _ in by_content])
    parts = list[Performances]()
    try:  # what a content that cannot be read looks like says more than what is idle, but rates are ranked elsewhere
        for reader in used:
            its = [pair for pair, (_, other) in zip(called, by_content, strict=True) if other is reader]
            if reader.together is not None:
                parts.append(reader.together([content for content, _ in its], how))
            else:
                parts += [_read(reader, one, replace(how, name=file) if called[1:] else how) for one, file in its]
    except PrintedRatesError as error:
        raise (idle[0] if idle else error) from None
    if idle:
        raise idle[0]
    try:
        P = put_together(parts)
    except UsageError as error:
        raise DataError(f"the files do not fit together ({kinds}): {error}") from None
    return P.noting(left_out=left_out)


def _reader_of(content: Content, name: str | None, how: How) -> Reader:
    """Return the reader of a content: the one named, or the first that recognizes it; that of counts for all others."""
    by_name = {OF_COUNTS[0]: COUNTS, **{reader.name: reader for reader in all_readers()}}
    kinds = [kind.name for kind in reversed(FORMATS)]  # such as "csv", which says nothing about what its table holds
    if name not in (None, *kinds, *by_name):
        raise UsageError(f"format {name!r} is unknown", expected=f"one of {', '.join((*kinds, *by_name))}")
    with_it = next((reader for reader in all_readers() if reader.goes_with in how.more), None)
    recognised = (reader for reader in all_readers() if reader.recognise(content))
    reader = by_name.get(name or "") or with_it or next(recognised, COUNTS)
    kind = "data in memory" if content.format is None else content.format.name
    is_other = name in by_name and reader.goes_with not in how.more and not reader.recognise(content)
    if is_other or (name in kinds and name != kind):
        leave = ("leave out ", Option("format", python="format", option="from"))
        expected = reader.columns if is_other else f"one of the kind {name}; got {kind}"
        raise content.error(f"this is not of the format {name}", expected=expected, way_out=[leave])
    return reader


def _read(reader: Reader, content: Content, how: How) -> Performances:
    """Return the performances in one content; what is no table of counts is asked for what it might be."""
    one: Any = reader.read  # which reads one content, or reads all together
    try:
        return without_totals(one(content, how), content.where)
    except DataError as error:
        is_empty = not content.headers and (content.value is None or len(content.value) == 0)
        right = _has_counts(content) or of_task(content.headers) is not None  # such as correct and total
        if reader is not COUNTS or error.where.row is not None or is_empty or right:
            raise  # the headers are right
        rates, looks = isinstance(error, PrintedRatesError), None
        with suppress(DataError):  # of a table that cannot be read as a whole
            frame = None if content.source is not None or content.value is not None else data_frame(content.given, "")
            if len(content.headers) > 1 and not hasattr(frame, "collect"):  # of a lazy one nothing is computed
                looks = import_module(".diagnoses", __package__).diagnosed(content.sheet, rates)
        if looks is not None:
            raise looks from None
        if rates:  # of a lazy frame, too, whose few rows are needed
            domain = how.domain[0] if len(how.domain) == 1 else None
            counts = import_module(".published", __package__).sheet_of_counts(
                content.sheet, how.entity, domain, how.only
            )
            if counts is not None:
                return without_totals(read_sheet(counts[0], how), content.where).noting(columns=counts[1])
        if rates or error.ways_out:
            raise
        tools = ["see ", Option("format", python="rs.formats()", shell="`rankscape formats`", option="from"),
                 " for files of other tools"]  # fmt: skip
        columns = Option("truth", python="count predictions with rs.count",
                         shell="name the columns of predictions with --truth and --prediction")  # fmt: skip
        advice: list[Any] = [columns, tools] if content.value is None and not content.is_text else [tools]
        raise DataError(error.what, where=error.where, expected=error.expected, got=error.got, way_out=advice) from None
