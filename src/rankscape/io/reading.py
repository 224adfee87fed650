"""Reading: files, data frames and records become Performances, or an error names the cell in the way."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, cast

import numpy as np

from ..account import Account
from ..checks import SUM_TOLERANCE
from ..errors import DataError, IncompleteDataWarning, Option, UsageError
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..tasks.pairs import Pairs
from ..texts import some
from ..typing import Label, PathLike, PerformancesLike, TableLike
from .content import Content, How
from .counts import read_counts, without_totals
from .headers import UNANSWERED_AS, behind_prefix, known, matters, role
from .sheets import is_source, refuse_encoding, sources_of


def read(
    source: PerformancesLike,
    *,
    format: str | None = None,
    entity: str | None = None,
    domain: str | Sequence[str] | None = None,
    tolerance: float | None = None,
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
        "truth→prediction", as :func:`count` has them; or correct and total, passed and failed, or accuracy and n.
        Headers are compared without case, and the usual ones are understood ("model", "True Negatives", "n_correct").
        Without such a header the only column of different texts holds the names. Rows without a name are P1, P2, …
    format
        The name of one of :func:`rankscape.formats`; by default the content tells.
    entity, domain
        Other headers. Several headers of domains make a hierarchy: ``domain=["Category", "Video"]``.
    tolerance
        How far probabilities may sum from 1, ≥ 0 and below 1. If all numbers are whole they are counts, otherwise
        probabilities; of decimal text 0.9 is 9/10 exactly.
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
        the best value of a metric. All are as in :func:`rankscape.tasks.success.from_cases`; by default the headers
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
        For a ``tolerance`` outside [0, 1), or an unknown way to treat cases without an answer.

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
    options = {
        "pos_label": pos_label, "qrels": qrels, "depth": depth, "relevance": relevance, "annotations": annotations,
        "iou": iou, "min_score": min_score, "metric": metric, "correct": correct, "case": case, "cluster": cluster,
        "repeat": repeat, "scale": scale,
    }  # fmt: skip
    performances = read_quietly(
        source, format=format, entity=entity, domain=domain, tolerance=tolerance, encoding=encoding,
        unanswered=unanswered, more=options,
    )  # fmt: skip
    if not isinstance(source, Performances) and performances.account is not None:
        warn_of(performances.account)
    return performances


def warn_of(account: Account) -> None:
    """Warn of the rows that a reading left out, and of what it decided without being asked."""
    for sentence in account.warnings():
        warnings.warn(sentence, IncompleteDataWarning, stacklevel=3)


def read_quietly(
    source: PerformancesLike,
    *,
    format: str | None,
    entity: str | None,
    domain: str | Sequence[str] | None,
    tolerance: float | None,
    encoding: str | None,
    unanswered: str | None,
    more: Mapping[str, Any],
) -> Performances:
    """Return what :func:`read` does, without warnings of what the account says; ``more`` are its other arguments."""
    within = SUM_TOLERANCE if tolerance is None else tolerance
    if not 0 <= within < 1:
        out = (Option("tolerance", python="tolerance"), " is out of range")
        raise UsageError(out, expected="a number from 0 to below 1", got=str(tolerance))
    if unanswered not in (None, *UNANSWERED_AS):
        raise UsageError(Option("unanswered", unanswered), expected=f"one of {', '.join(map(repr, UNANSWERED_AS))}")
    levels = () if domain is None else (domain,) if isinstance(domain, str) else tuple(domain)
    more = {name: given for name, given in more.items() if given is not None}
    if isinstance(source, Performances):
        given = {"format": format, "entity": entity, "domain": domain, "tolerance": tolerance, "encoding": encoding,
                 "unanswered": unanswered} | more  # fmt: skip
        for name in (name for name, value in given.items() if value is not None):
            raise UsageError([Option(name), " would change nothing: these performances are read already"])
        return as_performances(source)
    how = How(entity=entity, domain=levels, tolerance=within, unanswered=unanswered, more=more)
    named = {"domain": levels, **{name: (more[name],) for name in ("case", "cluster") if more.get(name)}}

    def wanted(header: str) -> bool:
        return known(header) or matters(header) or header in (entity, *levels) or behind_prefix(header) is not None

    if not is_source(source):
        refuse_encoding(encoding)
    files = sources_of(source, encoding) if is_source(source) else [source]
    contents = [Content(one, wanted, named, format is not None) for one in files]
    headers = contents[0].headers  # plainly of counts of two classes, and no scorecard of OWASP
    plain = {*TWO_CLASS.outcomes} <= {role(header) for header in headers} and "CWE #" not in headers
    if format is None and not more and len(contents) == 1 and plain:
        performances = without_totals(read_counts(contents[0], how), contents[0].where)
    else:
        tools: Any = import_module(".tools", __package__)  # which few need
        performances = tools.read_all(contents, how, format)
    if tolerance is not None and performances.counts is not None:
        raise UsageError([Option("tolerance"), " would change nothing: these are counts, not probabilities"])
    where = [content.where for content in contents if content.where]
    return performances.noting(source=some(where, 1, quote="", word=str) or "data in memory")


def as_performances(obj: PerformancesLike | Pairs) -> Performances:
    """Return performances from whatever holds them: Performances, a table as in :func:`read`, or an array.

    An array is a confusion matrix of scikit-learn (2, 2), a stack of them (n, 2, 2), or rows tn, fp, fn, tp (n, 4).

    >>> as_performances([[50, 10], [5, 35]]).counts.tolist()
    [[50, 10, 5, 35]]
    """
    if isinstance(obj, Pairs):
        way = Option("pairs", python="use rs.rank, rs.compare or rs.ranking_score: maps and scores need outcomes")
        problem = "these are pairs (truth, prediction) of regression, with no finite set of outcomes"
        raise UsageError(problem, way_out=[way])
    if hasattr(type(obj), "cross_fitted"):
        ways = ["S.cross_fitted(by) chooses them", "S.at(0.5) takes one", "S.first() is their Tile"]
        raise UsageError("these are models with scores, and no thresholds yet", way_out=ways)
    if isinstance(getattr(obj, "performances", None), Performances):
        raise UsageError(f"expected performances, got {type(obj).__name__}", way_out="pass its .performances")
    if isinstance(obj, Performances):
        if len(obj) == 0:
            raise UsageError("no performance is selected; expected at least one")
        return obj
    records = isinstance(obj, (list, tuple)) and len(obj) > 0 and all(isinstance(item, Mapping) for item in obj)
    if records or not isinstance(obj, (list, tuple, np.ndarray)):
        return read(cast(TableLike, obj))
    try:
        array = np.asarray(obj)
    except ValueError:
        raise DataError("the rows of the array have different lengths; expected tn, fp, fn, tp in each") from None
    if array.dtype.kind not in "iufO":
        raise DataError(f"expected an array of numbers; got one of type {array.dtype}")
    if array.ndim >= 2 and array.shape[-2:] == (2, 2):
        return Performances.from_confusion_matrix(array)
    if array.ndim not in (1, 2) or array.shape[-1] != len(TWO_CLASS):
        expected = "expected confusion matrices (2, 2) or (n, 2, 2), or rows tn, fp, fn, tp (n, 4)"
        raise DataError(f"{expected}; got an array of shape {array.shape}")
    try:
        floats = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return Performances.from_counts(array)  # which raises for the first that is no number
    whole = not np.isfinite(floats).all() or bool((floats == np.floor(floats)).all())
    return Performances.from_counts(array) if whole else Performances.from_probabilities(array)
