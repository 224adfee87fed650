"""Columns of right or wrong: which column of a table says whether a case succeeded, and which one names the case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any, NamedTuple

from ..errors import DataError, Option, UsageError
from ..texts import some
from .cells import missing, missing_text, number_of_text
from .headers import HEADERS, plain, rate_of
from .sheets import quoted

CORRECT = (
    *("correct", "iscorrect", "wascorrect", "answeredcorrectly", "success", "succeeded", "issuccess", "successful"),
    *("passed", "pass", "ispassed", "solved", "resolved", "right", "isright", "exactmatch", "em", "hit", "grade"),
)
"""Headers of columns that say whether a case succeeded, or how far, as headers are compared."""

PERHAPS = ("acc", "accuracy", "score", "reward", "rating", "value", "result", "outcome", "mark", "points")
"""Headers that say so where another column names the case."""

CASES = (
    *("case", "caseid", "question", "questionid", "item", "itemid", "example", "exampleid", "instance", "instanceid"),
    *("docid", "doc", "prompt", "promptid", "problem", "problemid", "query", "queryid", "sampleid", "index", "idx"),
    *("id", "testid", "taskid", "input", "inputid", "row", "rowid", "uid", "sample", "test"),
)
"""Headers of the column that names the case, the likelier ones first."""

REPEATS = ("repeat", "repetition", "replicate", "epoch", "attempt", "trial", "generation", "rollout", "seed", "sample")
"""Headers of the column that numbers repeated answers to a case, which are averaged."""

CLUSTERS = ("cluster", "clusterid", "group", "groupid", "template", "templateid", "family", "passage", "passageid")
"""Headers that may name clusters of cases; they are used where they are asked for only."""

FALSE, TRUE = (
    {"false", "f", "no", "n", "incorrect", "wrong", "fail", "failed", "failure", "i"},
    {"true", "t", "yes", "y", "correct", "right", "pass", "passed", "success", "c"},
)
"""Words for a failure and a success."""

_ENTITIES = (*HEADERS["entity"], "modelname", "modelid", "llm")
_COUNTS = {"total", "n", "count", "cases", "ncases", "numcases", "samplesize", "tn", "fp", "fn", "tp"}
_OTHER = {
    *("truth", "y", "ytrue", "true", "label", "labels", "target", "gold", "gt", "groundtruth", "actual", "reference"),
    *("class", "diagnosis", "disease", "prediction", "predicted", "ypred", "yhat", "pred", "weight"),
}
"""Headers of predictions, whose truth is no model."""

_TRUTHS = {"expected", "expectedanswer", "answer", "correctanswer", "goldlabel", "goldanswer", "truelabel"}
"""Headers of a truth beside which there may be grades, but no model."""


WEIGHTS = {"weight", "weights", "sampleweight", "caseweight"}
"""Headers of weights of cases, which are not used."""


class CaseColumns(NamedTuple):
    """The headers of a table of right or wrong: one column per entity in ``correct``, or one, and who is in which row.

    ``case`` names the case, ``cluster`` the cluster that it belongs to, ``repeat`` numbers repeated answers. Several
    columns may make a ``domain``.
    """

    correct: tuple[str, ...]
    entity: str | None = None
    domain: tuple[str, ...] = ()
    case: str | None = None
    cluster: str | None = None
    repeat: str | None = None

    def roles(self) -> dict[str, str]:
        """Return the headers that are used, and what each column holds."""
        names = (self.entity, self.case, self.cluster, self.repeat)
        of = ("entity", "case", "cluster", "repeat")
        roles = dict.fromkeys(self.correct, "right or wrong") | dict.fromkeys(self.domain, "domain")
        return roles | {header: what for header, what in zip(names, of, strict=True) if header is not None}


def known(header: str) -> bool:
    """Tell whether a header is one of those that this module understands."""
    return plain(header) in {*CORRECT, *PERHAPS, *CASES, *REPEATS, *CLUSTERS, *_ENTITIES, *HEADERS["domain"]}


def case_columns(headers: Sequence[str]) -> CaseColumns | None:
    """Return which columns hold right or wrong per case, by the headers alone; None where they are of something else.

    A header such as "correct" is enough, unless there is a total, too; one such as "score" needs a case beside it.

    >>> case_columns(["model", "question", "is_correct"])
    CaseColumns(correct=('is_correct',), entity='model', domain=(), case='question', cluster=None, repeat=None)
    >>> case_columns(["model", "correct", "total"]), case_columns(["model", "f1"])
    (None, None)
    """
    if {plain(header) for header in headers} & _COUNTS:
        return None
    right = _first(headers, CORRECT)
    case = _first(headers, CASES, right)
    if right is None and case is not None and not {plain(header) for header in headers} & _OTHER:
        right = _first(headers, PERHAPS)
        if any(rate_of(header) is not None for header in headers if header != right):
            return None  # a list of printed rates, whose rows have numbers
    return None if right is None else _with_roles(headers, (right,), case)


def wide_columns(headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> CaseColumns | None:
    """Return the columns of a table with one column per entity, by its headers and some rows; None for other tables.

    All columns but those of the case, the domain and the cluster hold right or wrong, and there are at least two.

    >>> wide_columns(["question", "alpha", "beta"], [["q1", 1, 0], ["q2", "true", "0.5"]]).correct
    ('alpha', 'beta')
    >>> wide_columns(["question", "alpha", "beta"], [["q1", 1, 7]]) is None
    True
    """
    columns = wide_headers(headers)
    some_rows = [dict(zip(headers, row, strict=False)) for row in rows]
    if columns is None or not some_rows:
        return None
    cells = [row.get(header) for row in some_rows for header in columns.correct]
    return None if any(map(_is_odd, cells)) or all(map(empty, cells)) else columns


def odd_answer(headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> tuple[int, str, Any] | None:
    """Return the row, the header and the value of the first odd cell of a table that would have a column per entity.

    None where the headers name no cases, or where more than one in twenty cells is odd.

    >>> odd_answer(["question", "alpha", "beta"], [["q1", 1, 0], ["q2", 1, "oops"]])
    (1, 'beta', 'oops')
    """
    columns = wide_headers(headers)
    if columns is None or columns.case is None:
        return None
    some_rows = [dict(zip(headers, row, strict=False)) for row in rows]
    odd = [(i, name, row.get(name)) for i, row in enumerate(some_rows) for name in columns.correct]
    odd, cells = [cell for cell in odd if _is_odd(cell[-1])], len(odd)
    return odd[0] if odd and cells >= 4 and len(odd) <= max(cells // 20, 1) else None


def wide_headers(headers: Sequence[str]) -> CaseColumns | None:
    """Return the columns of a table with one column per entity, by its headers alone; None for other tables."""
    case = _first(headers, CASES)
    domain, cluster = _first(headers, HEADERS["domain"], case), _first(headers, CLUSTERS, case)
    index = "" if headers and headers[0] == "" else None  # of a data frame, which numbers the rows
    of_entities = [header for header in headers if header not in (case, domain, cluster, index)]
    taken = {*_COUNTS, *_OTHER, *_TRUTHS, *_ENTITIES, *REPEATS}
    if len(of_entities) < 2 or any(plain(header) in taken for header in of_entities):
        return None
    return CaseColumns(tuple(of_entities), None, () if domain is None else (domain,), case, None)


def _is_odd(cell: Any) -> bool:
    """Tell whether a cell is neither empty nor a grade."""
    return not empty(cell) and grade_of(cell) is None


def chosen_columns(
    headers: Sequence[str],
    correct: str | Sequence[str] | None,
    entity: str | None,
    domain: str | Sequence[str] | None,
    case: str | None,
    cluster: str | None,
    repeat: str | bool | None,
) -> CaseColumns:
    """Return the columns that are asked for, and by their headers those that are not."""
    given = (correct,) if isinstance(correct, str) else tuple(correct or ())
    if not given:
        known = case_columns(headers)
        if known is None:
            listed = some(headers, 12, quote="", word=quoted)
            raise DataError(
                "no column says whether a case succeeded", expected="one called correct, success or passed",
                got=listed, way_out=[["name it with ", Option("correct")]],
            )  # fmt: skip
        given = known.correct
    places = (domain,) if isinstance(domain, str) else tuple(domain or ())
    if entity is not None and len(given) > 1:
        raise UsageError(
            [Option("entity", entity), " would change nothing: each of the columns ", some(given, 4), " is one"],
            way_out=["name one column of answers"],
        )
    columns = _with_roles(headers, given, case or _first(headers, CASES, *given), entity, places)
    numbered = repeat if isinstance(repeat, str) else None if repeat is False else columns.repeat
    return columns._replace(cluster=cluster, repeat=numbered)


def _with_roles(
    headers: Sequence[str],
    correct: tuple[str, ...],
    case: str | None,
    entity: str | None = None,
    domain: tuple[str, ...] = (),
) -> CaseColumns:
    if entity is None and len(correct) == 1:
        entity = _first(headers, _ENTITIES, *correct, case, *domain)
    if not domain and (place := _first(headers, HEADERS["domain"], *correct, case, entity)):
        domain = (place,)
    repeat = _first(headers, REPEATS, *correct, case, entity, *domain)
    return CaseColumns(correct, entity, domain, case, None, repeat)


def _first(headers: Sequence[str], names: Sequence[str], *taken: str | None) -> str | None:
    """Return the header that has the first of some names that any has."""
    others = set(taken)
    free = {plain(header): header for header in reversed(headers) if header not in others}
    return next((free[name] for name in names if name in free), None)


def notes_on_ends(columns: CaseColumns, levels: Sequence[float]) -> tuple[str, ...]:
    """Return the note that values of a column such as "score" are taken as grades: smaller ones might be better."""
    if {*levels} <= {0, 1} or plain(columns.correct[0]) not in PERHAPS:
        return ()
    grades = "grades from 0, the worst, to 1, the best"
    return (f"{quoted(columns.correct[0])} is read as {grades}; the option scale states other ends",)


def refuse_doubtful(columns: CaseColumns) -> None:
    """Refuse numbers under a header such as "score" where no two entities share a case: they may be listed."""
    if plain(columns.correct[0]) in PERHAPS:
        raise DataError(
            f"no two models share a case in the column {quoted(columns.case)}, so that {quoted(columns.correct[0])} "
            "may be a score of each model",
            expected="answers of the models to the same cases",
            way_out=[["if it is the grade of a case, name it with ", Option("correct")]],
        )  # fmt: skip


def empty(cell: Any) -> bool:
    """Tell whether nothing was answered: a cell that is missing or blank, or a text such as "n/a"."""
    return missing(cell) or (isinstance(cell, str) and missing_text(cell))


Scale = tuple[float, float]
"""The worst and the best value of a metric."""

UNIT: Scale = (0.0, 1.0)


def checked_scale(scale: Any) -> Scale:
    """Return the worst and the best value of a metric: two different finite numbers."""
    try:
        worst, best = (float(end) for end in scale)
        if isfinite(worst) and isfinite(best) and worst != best:
            return worst, best
    except (TypeError, ValueError):
        pass
    raise UsageError(
        Option("scale"), expected="the worst and the best value of the metric, as in (100, 0)", got=repr(scale)[:60]
    )


def grade_of(cell: Any, commas: bool = False, scale: Scale = UNIT) -> float | None:
    """Return the grade in [0, 1] that a cell means: 1 for right, 0 for wrong; None where it means none.

    Values of a metric are graded from the worst to the best one of its ``scale``.

    >>> grade_of("True"), grade_of(0), grade_of("0.25"), grade_of("wrong"), grade_of(2)
    (1.0, 0.0, 0.25, 0.0, None)
    """
    if isinstance(cell, str):
        text = cell.strip().casefold()
        if scale == UNIT and text in TRUE | FALSE:
            return float(text in TRUE)
        cell = number_of_text(text, commas)
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return None
    if scale != UNIT:
        number = (number - scale[0]) / (scale[1] - scale[0])
    return number if 0 <= number <= 1 else None
