"""Columns of cases: which column of a table says whether a case succeeded, which one names it, and which is the truth.

Nothing is right or wrong unless it is: 0 and 1, true and false, passed and failed, or a column that is asked for by
name. Other numbers are grades, which keep the name of their column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any, NamedTuple

from ..errors import DataError, Option, UsageError
from ..texts import some
from .cells import missing, missing_text, number_of_text
from .headers import FILE, HEADERS, plain, rate_of, role
from .sheets import quoted

GRADES = ("grade", "grades", "credit", "partialcredit", "mark", "marks")
"""Headers of grades, of which larger ones are better."""

CORRECT = (
    *("correct", "iscorrect", "wascorrect", "answeredcorrectly", "success", "succeeded", "issuccess", "successful"),
    *("passed", "pass", "ispassed", "solved", "resolved", "right", "isright", "exactmatch", "em", "hit", *GRADES),
)
"""Headers of columns that say whether a case succeeded, or how far, as headers are compared."""

PERHAPS = ("acc", "accuracy", "score", "reward", "rating", "value", "result", "outcome", "points")
"""Headers that say so where other columns name the model and the case, and all is right or wrong."""

CASES = (
    *("case", "caseid", "question", "questionid", "item", "itemid", "example", "exampleid", "instance", "instanceid"),
    *("docid", "doc", "prompt", "promptid", "problem", "problemid", "query", "queryid", "sampleid", "index", "idx"),
    *(
        "id",
        "testid",
        "taskid",
        "input",
        "inputid",
        "row",
        "rowid",
        "uid",
        "sample",
        "test",
        "image",
        "imageid",
        "scan",
    ),
    *("imagename", "filename", "file", "utterance", "utteranceid", "sentence", "sentenceid", "scenario"),
    *("scenarioid",),
)
"""Headers of the column that names the case, the likelier ones first."""

REPEATS = (
    *("repeat", "repetition", "replicate", "epoch", "attempt", "trial", "generation", "rollout", "seed", "sample"),
    *("iteration",),
)
"""Headers of the column that numbers repeated answers to a case, which are averaged."""

CLUSTERS = (
    *("cluster", "clusterid", "passage", "passageid", "patient", "patientid", "document", "documentid", "template"),
    *("templateid", "subject", "subjectid", "family", "familyid", "group", "groupid", "context", "contextid"),
)
"""Headers of the column that names the cluster of a case."""

FALSE, TRUE = (
    {"false", "f", "no", "n", "incorrect", "wrong", "fail", "failed", "failure", "i"},
    {"true", "t", "yes", "y", "correct", "right", "pass", "passed", "success", "c"},
)
"""Words for a failure and a success."""

_ENTITIES = (*HEADERS["entity"], "modelname", "modelid", "llm")
_COUNTS = {"total", "n", "count", "cases", "ncases", "numcases", "samplesize", "tn", "fp", "fn", "tp"}

OF_METRICS = {"metric", "metrics", "metricname", "measure", "measurename", "scorer"}
"""Headers of the column that says what the number of each row is."""

ONE_COLUMN_EACH = "give each metric a column of its own"

_OF_TRUTH = {
    *("truth", "true", "target", "targets", "gold", "golden", "gt", "groundtruth", "actual", "observed", "obs"),
    *("reference", "expected", "label", "labels", "outcome", "event", "diagnosis", "disease", "class", "annotation"),
    *("status", "survived", "died", "death", "churn"),
}
"""Words in the header of a truth."""

_OF_NO_TRUTH = {
    *("pred", "preds", "predicted", "prediction", "predictions", "hat", "yhat", "ypred", "score", "prob", "proba"),
    *("probability", "model", "logit", "positive", "positives", "negative", "negatives", "rate"),
    *("id", "name", "index", "type", "time", "date"),
}
"""Words that a truth has not in its header."""

_TRUTHS = {"y", "ytrue", "ytest", "answer", "correctanswer", "answerkey", "goldstandard", "solution"}
"""Other headers of a truth, as headers are compared."""

WEIGHTS = {"weight", "weights", "sampleweight", "caseweight"}
"""Headers of weights of cases, which are not used."""

_METRICS = {
    *("acc", "accuracy", "precision", "recall", "fscore", "auc", "auroc", "auprc", "roc", "mcc", "kappa", "dice"),
    *("sensitivity", "specificity", "loss", "error", "err", "rmse", "mse", "mae", "mape", "iou", "miou", "jaccard"),
    *("ndcg", "mrr", "map", "bleu", "rouge", "meteor", "perplexity", "ppl", "logloss", "brier", "ece", "tpr", "fpr"),
    *("tnr", "fnr", "ppv", "npv", "support", "gmean", "runtime", "latency", "time", "psnr", "ssim", "wer", "cer"),
}
"""Words in the names of metrics."""

_SCORES = re.compile(
    r"(fit|score)_time|(test|train|val|valid|validation)_\w+|(macro|micro|weighted)\W(avg|average|f1)|f[0-9.]+|"
    r"f[0-9.]*[\W_]?(score|measure|macro|micro)\w*|r2|r²|mean_\w+|\w*_score",
    re.IGNORECASE,
)
"""Other names of metrics."""

_ITEM = re.compile(r"([a-z]{1,12}[\W_]*)?[0-9]+", re.IGNORECASE)
"""Headers of columns that are items, such as q12."""


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

    def by_role(self) -> dict[str, tuple[str, ...]]:
        """Return the headers by what their columns hold, as an account has them."""
        one = {"entity": self.entity, "case": self.case, "cluster": self.cluster, "repeat": self.repeat}
        named = {role: (header,) for role, header in one.items() if header not in (None, "", FILE)}
        return {"correct": self.correct, **({"domain": self.domain} if self.domain else {}), **named}

    def roles(self) -> dict[str, str]:
        """Return the headers that are used, and what each column holds; the index of a data frame has none."""
        one = {self.entity: "entity", self.case: "case", self.cluster: "cluster", self.repeat: "repeat"}
        roles = dict.fromkeys(self.correct, "right or wrong") | dict.fromkeys(self.domain, "domain")
        return roles | {header: what for header, what in one.items() if header is not None}

    @property
    def metric(self) -> str:
        """What a grade measures: the header, unless it only says right or wrong, or each column is of a model."""
        several = len(self.correct) > 1 or plain(self.correct[0]) in CORRECT
        return "grade" if several else self.correct[0]


def known(header: str) -> bool:
    """Tell whether a header is one of those that this module understands."""
    return plain(header) in {*CORRECT, *PERHAPS, *CASES, *REPEATS, *CLUSTERS, *_ENTITIES, *HEADERS["domain"]}


def words_of(header: str) -> list[str]:
    """Return the parts of a header in small letters.

    >>> words_of("True_Label"), words_of("yTrue"), words_of("y_target2")
    (['true', 'label'], ['y', 'true'], ['y', 'target'])
    """
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+", header)]


def is_truth(header: str) -> bool:
    """Tell whether a header names the true labels of cases, by its parts.

    >>> all(map(is_truth, ("y_target", "obs", "gold_standard", "True_Label", "event", "Ground Truth")))
    True
    >>> any(map(is_truth, ("REF", "y_model1", "predicted_label", "true_positives", "class_id")))
    False
    """
    parts = {*words_of(header)}
    return plain(header) in _TRUTHS or bool(parts & _OF_TRUTH and not parts & _OF_NO_TRUTH)


def truth_of(headers: Sequence[str]) -> str | None:
    """Return the header that names the truth; None where none, or where several do and none is called exactly so."""
    truths = [header for header in headers if is_truth(header)]
    sure = [header for header in truths if plain(header) in {*_TRUTHS, "truth", "groundtruth", "label", "target"}]
    return truths[0] if len(truths) == 1 else sure[0] if len(sure) == 1 else None


def is_metric(name: str) -> bool:
    """Tell whether a text is the name of a metric.

    >>> all(
    ...     map(
    ...         is_metric,
    ...         ("fit_time", "test_score", "Accuracy", "F1-score", "hamming_loss", "f1_micro"),
    ...     )
    ... )
    True
    >>> any(map(is_metric, ("alpha", "question 1", "mapper", "f")))
    False
    """
    named = rate_of(name) is not None or _SCORES.fullmatch(name.strip()) is not None
    return named or bool({*words_of(name)} & _METRICS)


def case_columns(headers: Sequence[str]) -> CaseColumns | None:
    """Return which columns hold right or wrong per case, by the headers alone; None where they are of something else.

    A header such as "correct" needs a column beside it that names the case or the model, and no total; one such as
    "score" needs both.

    >>> case_columns(["model", "question", "is_correct"])
    CaseColumns(correct=('is_correct',), entity='model', domain=(), case='question', cluster=None, repeat=None)
    >>> [*map(case_columns, (["model", "correct", "total"], ["model", "f1"], ["id", "score"]))]
    [None, None, None]
    """
    if {plain(header) for header in headers} & (_COUNTS | OF_METRICS):
        return None
    right = _first(headers, CORRECT)
    case = _first(headers, CASES, right)
    if right is None and case is not None and _first(headers, _ENTITIES, case) is not None:
        right = _first(headers, PERHAPS, case)
        others = [header for header in headers if header != right]
        if any(rate_of(header) is not None or (is_truth(header) and plain(header) != "answer") for header in others):
            return None  # a list of printed rates, whose rows have numbers; or predictions
    if right is None:
        return None
    columns = _with_roles(headers, (right,), case)
    return columns if columns.case or columns.entity or len(headers) == 1 else None


def wide_columns(headers: Sequence[str], rows: Iterable[Sequence[Any]], **named: tuple[str, ...]) -> CaseColumns | None:
    """Return the columns of a table with one column per entity, by its headers and some rows; None for other tables.

    A column names the cases, and all others but those of the domain and the cluster, two at least, are right or wrong.
    These may be ``named``: case, domain and cluster.

    >>> wide_columns(["question", "alpha", "beta"], [["q1", 1, 0], ["q2", "true", "0"]]).correct
    ('alpha', 'beta')
    >>> wide_columns(["question", "alpha", "beta"], [["q1", 1, 0.7]]) is None
    True
    """
    columns = wide_headers(headers, **named)
    some_rows = [dict(zip(headers, row, strict=False)) for row in rows]
    if columns is None or not some_rows or any(map(is_truth, columns.correct)):
        return None
    answers = [[row.get(header) for header in columns.correct] for row in some_rows]
    if not all(empty(cell) or grade_of(cell) in (0, 1) for row in answers for cell in row):
        return None
    names = [str(row.get("" if columns.case is None else columns.case)) for row in some_rows]
    if columns.case is None and not all(_ITEM.fullmatch(name) and not name.isdigit() for name in names):
        return None
    of_metrics = sum(map(is_metric, names)) > len(names) / 2 or all(map(is_metric, columns.correct))
    labeled = len({*names} & {*columns.correct}) > 1  # as a matrix is
    return None if of_metrics or labeled or is_one_hot(answers) else columns


def is_one_hot(answers: Sequence[Sequence[Any]]) -> bool:
    """Tell whether each of some rows has one 1 only, as an encoding of classes has.

    >>> is_one_hot([[1, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]), is_one_hot([[1, 0], [0, 1], [1, 1]])
    (True, False)
    """
    sums = {sum(grade_of(cell) or 0 for cell in row) for row in answers if not all(map(empty, row))}
    return sums == {1} and len(answers) >= (4 if len(answers[0]) > 2 else 8)


def transposed_columns(headers: Sequence[str], rows: Sequence[Sequence[Any]], asked: bool) -> CaseColumns | None:
    """Return the columns of a table with one row per entity and one column per item; None for other tables.

    The first column names the models by its header, and the others are items, numbered, unless the format was
    ``asked`` for.

    >>> transposed_columns(["model", "q1", "q2"], [["a", 1, 0], ["b", 1, 1]], False).correct
    ('q1', 'q2')
    >>> transposed_columns(["model", "open", "free"], [["a", 1, 0], ["b", 1, 1]], False) is None
    True
    """
    entity = _first(headers, _ENTITIES)
    items = tuple(header for header in headers if header != entity)
    if entity is None or len(items) < 2 or len(rows) < 1 or any(is_truth(header) for header in items):
        return None
    if not asked and not all(_ITEM.fullmatch(header.strip()) for header in items):
        return None
    at = [i for i, header in enumerate(headers) if header != entity]
    right = all(empty(row[i]) or grade_of(row[i]) in (0, 1) for row in rows for i in at)
    return CaseColumns(items, entity) if right else None


def wide_headers(
    headers: Sequence[str], domain: tuple[str, ...] = (), case: tuple[str, ...] = (), cluster: tuple[str, ...] = ()
) -> CaseColumns | None:
    """Return the columns of a table with one column per entity, by its headers alone; None for other tables."""
    of_case = case[0] if case else _first(headers, (*CASES, *CLUSTERS), *domain, *cluster)
    place = None if domain else _first(headers, HEADERS["domain"], of_case, *cluster)
    domain = domain if place is None else (place,)
    group = cluster[0] if cluster else _first(headers, CLUSTERS, of_case, *domain)
    index = "" if headers and headers[0] == "" else None  # of a data frame, which numbers the rows
    of_entities = [header for header in headers if header not in (of_case, *domain, group, index)]
    taken = {*_COUNTS, *_ENTITIES, *REPEATS, *WEIGHTS}
    if len(of_entities) < 2 or any(plain(header) in taken or role(header) is not None for header in of_entities):
        return None
    return CaseColumns(tuple(of_entities), None, domain, of_case, group)


def chosen_columns(
    headers: Sequence[str], correct: str | Sequence[str] | None, entity: str | None, domain: str | Sequence[str] | None,
    case: str | None, cluster: str | None, repeat: str | bool | None,
) -> CaseColumns:  # fmt: skip
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
    case = _first(headers, CASES, *given, entity, *places) if case is None else case
    names = entity if entity is not None else _first(headers, _ENTITIES, case, *given, *places)
    if names is not None and len(given) > 1:
        raise UsageError(
            [Option("entity", names, option="entity-column"), " names models, and so would each of the columns ",
             some(given, 4)],
            way_out=["name one column of answers", ["say what else it is, such as ", Option("case", names)]],
        )  # fmt: skip
    columns = _with_roles(headers, given, case, entity, places)
    for header in headers:
        if plain(header) in OF_METRICS and header not in columns.roles():
            raise DataError(f"{quoted(header)} says what each number is", way_out=ONE_COLUMN_EACH)
    numbered = repeat if isinstance(repeat, str) else None if repeat is False else columns.repeat
    return columns._replace(cluster=cluster, repeat=numbered)


def _with_roles(
    headers: Sequence[str], correct: tuple[str, ...], case: str | None, entity: str | None = None,
    domain: tuple[str, ...] = (),
) -> CaseColumns:  # fmt: skip
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


def refuse_guessed(columns: CaseColumns, levels: Sequence[float], shared: bool) -> None:
    """Refuse what nobody asked for by name: grades under a header that does not say that larger ones are better.

    Numbers under one such as "score" may be listed where no two entities have a ``shared`` case.
    """
    header = columns.correct[0]
    if not shared and plain(header) in PERHAPS:
        raise DataError(
            f"no two models share a case in the column {quoted(columns.case)}, so that {quoted(header)} may be a score "
            "of each model", expected="answers of the models to the same cases",
            way_out=[["if it is the grade of a case, name it with ", Option("correct", header)]],
        )  # fmt: skip
    if {*levels} <= {0, 1} or (plain(header) in CORRECT and columns.case is not None):
        return
    raise DataError(
        f"{quoted(header)} holds numbers such as {next(x for x in levels if x not in (0, 1)):g}, not right or wrong",
        way_out=[
            ["if it is a grade from 0 to 1, the larger the better, name it with ", Option("correct", header)],
            ["else state its worst and best value with ", Option("scale"), " too"],
        ],
    )


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
