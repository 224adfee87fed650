"""Headers: which column of a table is which, by the names that people give them."""

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from ..errors import DataError, Option, Place, UsageError
from ..outcomes import TWO_CLASS
from ..texts import some
from .cells import missing, missing_text, number_of_text
from .sheets import Sheet, quoted

HEADERS = {
    "entity": (
        *("entity", "model", "method", "classifier", "algorithm", "system", "name", "team", "approach", "detector"),
        *("estimator", "tool", "run", "runid", "tracker", "submission", "participant", "agent", "framework", "llm"),
        *("modelname", "modelid", "methodname", "classifiername", "algorithmname", "systemname", "teamname"),
    ),
    "domain": ("domain", "dataset", "video", "task", "sequence", "benchmark", "fold", "split", "category"),
    "tn": (
        *("tn", "tns", "tncount", "truenegative", "truenegatives", "trueneg"),
        *("correctrejection", "correctrejections", "correctnegative", "correctnegatives"),
    ),
    "fp": ("fp", "fps", "fpcount", "falsepositive", "falsepositives", "falsepos", "falsealarm", "falsealarms"),
    "fn": ("fn", "fns", "fncount", "falsenegative", "falsenegatives", "falseneg", "miss", "misses"),
    "tp": ("tp", "tps", "tpcount", "truepositive", "truepositives", "truepos", "hit", "hits"),
}
"""The headers that are understood, compared without case, spaces and signs; the first one of each is its own name."""

LIKE_DOMAINS = (
    *("site", "sites", "siteid", "hospital", "clinic", "center", "centre", "region", "country", "city", "location"),
    *("scanner", "camera", "device", "cohort", "scenario", "scene", "weather", "language", "store", "plant"),
)
"""Headers of columns of cases that often name domains; they are only mentioned, never used by themselves."""

MULTIPLIERS = (
    *("freq", "freqs", "frequency", "frequencies", "n", "count", "counts", "weight", "weights", "sampleweight"),
    *("patients", "subjects", "participants", "samples", "cases", "images", "examples", "items", "documents", "anzahl"),
    *("caseweight", "ncases", "npatients", "nobs", "instances", "occurrences", "multiplicity", "total"),
)
"""Headers of columns that say how often each row of a table of cases counts."""

SIZES = {
    "n": ("n", "total", "ntotal", "samplesize", "ncases", "npatients"),
    "n_positive": ("npositive", "npositives", "npos", "positives", "diseased", "ndiseased", "nill", "nsick"),
    "n_negative": ("nnegative", "nnegatives", "nneg", "negatives", "healthy", "nhealthy", "nondiseased"),
}
"""The headers of numbers of cases, without case and signs."""

UNANSWERED = (
    *("unanswered", "nunanswered", "abstained", "abstention", "abstentions", "noanswer", "noanswers", "notanswered"),
    *("noprediction", "nopredictions", "refused", "refusals", "skipped", "failures", "failed", "timeouts", "crashed"),
)
"""The headers of numbers of cases without an answer."""

RATES = {
    "accuracy": ("accuracy", "acc", "overallaccuracy"),
    "er": ("errorrate",),
    "tpr": ("recall", "tpr", "sensitivity", "truepositiverate", "hitrate"),
    "tnr": ("specificity", "tnr", "truenegativerate"),
    "fpr": ("fpr", "falsepositiverate"),
    "fnr": ("fnr", "falsenegativerate", "missrate"),
    "ppv": ("precision", "ppv", "prec", "positivepredictivevalue"),
    "npv": ("npv", "negativepredictivevalue"),
    "f1": ("f1", "f1score", "fmeasure", "fscore", "dice"),
    "jplus": ("iou", "jaccard", "csi", "threatscore"),
    "ba": ("balancedaccuracy", "bacc"),
    "prior": ("prevalence",),
}
"""The rates that are recomputed, by their formulas, and their headers, without case and signs."""

UNANSWERED_AS = ("wrong", "apart", "common")
"""What may become of cases without an answer: they are errors, or apart; or only those count that all answered."""

UNNAMED = ("", "Unnamed: 0")
"""What the index of a data frame is called in a file, and once that is saved again."""

PERCENT = re.compile(r"[\s,_]*[(\[]?\s*(in\s+)?(%|per ?cent|pct)\s*[)\]]?\s*$", re.IGNORECASE)
"""How a header ends whose numbers are percentages."""

JOINED = "_domain_of_levels"
"""The column that a table is given where several columns make a domain."""

FILE = "_file_of_row"
"""The column that a table is given where each of its files is a model, or the only one names it."""


class PrintedRatesError(DataError):
    """A table has rates in the place of counts: :mod:`rankscape.published` reads it."""


_OF_MODELS = {*HEADERS["entity"], "agent", "framework", "llm", "network", "architecture", "variant"} - {"name", "run"}
"""Words of a header that say that the column names models, also beside other words: "Classifier Name"."""

_NO_NAMES = {
    *("note", "notes", "comment", "comments", "remark", "remarks", "description", "date", "time", "timestamp"),
    *("duration", "runtime", "url", "link", "updated", "created", "started", "finished", "latency", "cost", "price"),
    *("size", "memory", "status"),
}
"""Words of a header that say that the column names nothing."""

_AMOUNT = r"[-+]?[0-9][0-9.,' \u202f]*"
_UNIT = (
    r"(?:%|‰|[$€£¥]|USD|EUR|GBP|[munµ]s|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?|weeks?|[kKMGT]i?B|bytes?|"
    r"px|pixels?|[kmM]?W|[kM]?Wh|k?J|[MGTP]?FLOPs?|[MGT]?MACs?|fps|FPS|[kMG]?Hz|°C|[cm]?m|km|k?g|mg|m?l|tokens?|params?|"
    r"parameters?|million|epochs?|steps?)"
)
_MEASURE = re.compile(
    rf"[~≈<>≤≥]?\s*(?:[$€£¥]\s*{_AMOUNT}[kKMB]?|(?:{_AMOUNT}\s*{_UNIT}[\s,]*)+)(?:±\s*{_AMOUNT}\s*{_UNIT}?)?(?:/\s*\w+)?"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_TIME = re.compile(
    r"[0-9]{4}([-/.])[0-9]{1,2}(\1[0-9]{1,2})?([T ][0-9:.]+)?\s?(Z|UTC|[+-][0-9:]+)?|"
    r"[0-9]{1,2}:[0-9]{2}(:[0-9.]+)?\s?([ap]m)?|"
    rf"[0-9]{{1,2}}\.?[ -]{_MONTH}[ -][0-9]{{2,4}}.*|{_MONTH} [0-9]{{1,2}},? [0-9]{{4}}.*|{_MONTH} [0-9]{{4}}",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\[?[^\s\]]*\]?\(?(https?://|www\.|doi:)\S+", re.IGNORECASE)
_WORDS_OF_A_NOTE = 8

_OUTCOMES = {name: outcome for outcome in TWO_CLASS.outcomes for name in HEADERS[outcome]}
_OPTIONAL = ("entity", "domain")
_LAST = ("runid",)
"""Headers of names that give way to others: a run has a name, too."""
_OF_CASES_TOO = ("name", "run", "runid", "tool")
"""Headers that name models in a table of counts, but in one of cases perhaps patients, or runs of one model."""
TRUTH = {"truth", "y", "ytrue", "true", "label", "labels", "target", "groundtruth", "gt", "actual"}
"""The headers of true labels, without case and signs."""
PREDICTION = {
    *("prediction", "predictions", "predicted", "ypred", "yhat", "pred", "preds", "yscore", "score", "scores"),
    *("proba", "prob", "probability", "yprob", "yproba", "predictedlabel", "predlabel", "predictedclass", "output"),
    *("answer", "response", "confidence", "logit"),
}
"""The headers of predictions and scores that any model's could have, without case and signs."""
_MORE_RATES = {"auc", "mcc", "kappa", "youden", "se", "sp", "sens", "spec"}
"""Headers of rates that are not recomputed."""
_MOST_LISTED = 12
_COUNT_FIRST = Option(
    "truth",
    python="count them first with rs.count, or `rankscape count`",
    shell="name the columns with --truth and --prediction, or count them first with `rankscape count`",
)
_AS_PRINTED = Option(
    "format",
    option="from",
    python="rank them as they are printed, with rs.read_published",
    shell="rank them as they are printed, with `rankscape rank`",
)
_SHARES = (
    "make shares of them, at a share p of positives: tp = p × sensitivity, fn = p − tp, "
    "tn = (1 − p) × specificity, fp = 1 − p − tn"
)


_LONG_NAME = 7
"""Letters that the name of an outcome has at least, for a header to be a slip of it: "fpn" is none of "fp"."""

_MOST_PIECES = 12
"""Words, and signs between them, that the name of an outcome has at most."""


def plain(header: str) -> str:
    """Return a header as headers are compared, without case, spaces and signs.

    >>> plain("True_Negatives"), plain(" #TN ")
    ('truenegatives', 'tn')
    """
    return re.sub(r"[\W_]+", "", header).casefold()


def role(header: str) -> str | None:
    """Return what a column holds: "entity", "domain", "tn", "fp", "fn", "tp", or None where the header is not known."""
    name = plain(header)
    return next((key for key, names in HEADERS.items() if name in names), None)


def likely_role(header: str) -> str | None:
    """Return what a column of a table of cases may hold, in more cases than :func:`role` tells.

    >>> likely_role("Site"), likely_role("dataset"), likely_role("age")
    ('domain', 'domain', None)
    """
    return "domain" if plain(header) in LIKE_DOMAINS else role(header)


def model_column(headers: Sequence[str], used: Collection[str]) -> str | None:
    """Return the column of a table of cases that names the models, unless it is used for something else.

    >>> (
    ...     model_column(["LLM", "truth", "answer"], ["truth", "answer"]),
    ...     model_column(["name", "y", "yhat"], ["y"]),
    ... )
    ('LLM', None)
    """
    models = [h for h in headers if role(h) == "entity" and plain(h) not in _OF_CASES_TOO and h not in used]
    order = {name: place for place, name in enumerate(HEADERS["entity"])}
    return min(models, key=lambda header: order[plain(header)], default=None)


def says_nothing_of_models(header: str) -> bool:
    """Tell whether a column of predictions or scores has a header that any model's could have.

    >>> says_nothing_of_models("y_pred"), says_nothing_of_models("forest")
    (True, False)
    """
    return plain(header) in PREDICTION


def behind_prefix(header: str) -> tuple[str, str] | None:
    """Return the prefix of a header and the outcome that it names behind it; None where it names none, or has none.

    >>> (
    ...     behind_prefix("metrics.true_negatives"),
    ...     behind_prefix("Test TN"),
    ...     behind_prefix("tn"),
    ...     behind_prefix("eval/loss"),
    ... )
    (('metrics.', 'tn'), ('Test ', 'tn'), None, None)
    """
    if plain(header) in _OUTCOMES:
        return None
    pieces = re.split(r"(?<=[\W_])|(?<=[a-z0-9])(?=[A-Z])", header.strip())
    last = range(max(1, len(pieces) - _MOST_PIECES), len(pieces))
    names = ((i, _OUTCOMES.get(plain("".join(pieces[i:])))) for i in last)  # true_negatives first
    return next((("".join(pieces[:i]), outcome) for i, outcome in names if outcome is not None), None)


def known(header: str) -> bool:
    """Tell whether a header is understood."""
    return role(header) is not None


def matters(header: str) -> bool:
    """Tell whether a column beside the counts is looked at.

    >>> matters("F1 (%)"), matters("Total"), matters("authors")
    (True, True, False)
    """
    return rate_of(header) is not None or size_of(header) is not None


def rate_of(header: str) -> str | None:
    """Return the rate that a header names, of those in ``RATES``; None where it names none of them."""
    name = plain(PERCENT.sub("", header))
    return next((key for key, names in RATES.items() if name in names), None)


def in_percent(header: str) -> bool:
    """Tell whether a header says that its numbers are percentages.

    >>> in_percent("Prevalence (percent)"), in_percent("% correct"), in_percent("Sensitivity")
    (True, True, False)
    """
    return "%" in header or PERCENT.search(header) is not None


def size_of(header: str) -> str | None:
    """Return which number of cases a header names: n, n_positive, n_negative or unanswered; None for another one."""
    name = plain(header)
    return next((key for key, names in (*SIZES.items(), ("unanswered", UNANSWERED)) if name in names), None)


def is_cv_results(headers: Sequence[str]) -> bool:
    """Tell whether columns are those of ``cv_results_`` of scikit-learn.

    >>> is_cv_results(["params", "split0_test_tn", "split0_test_fp"]), is_cv_results(["tn", "fp"])
    (True, False)
    """
    return any(re.fullmatch(r"split\d+_test_.+", header) for header in headers)


def columns_of(
    sheet: Sheet, entity: str | None = None, domain: str | None = None, outcomes: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Return where the columns are: tn, fp, fn, tp, and entity and domain where they exist or are named.

    True negatives may be missing, unless some header that is not understood may mean them. ``outcomes`` gives the
    columns of outcomes of a space other than that of two classes. Raises DataError for a column
    that is missing, that occurs twice, or that could be either of two.
    """
    if not sheet.headers:
        raise sheet.error("the table is empty; expected columns tn, fp, fn, tp and one row per entity")
    named = {"entity": entity, "domain": domain}
    columns = {key: named_column(sheet, header, key) for key, header in named.items() if header is not None}
    columns |= outcomes or {}
    taken = set(columns.values())
    for key in HEADERS if outcomes is None else _OPTIONAL:
        places = [i for i, header in enumerate(sheet.headers) if role(header) == key and i not in taken]
        if key in _OPTIONAL:  # the name itself goes before its synonyms
            places = [i for i in places if plain(sheet.headers[i]) == key] or places
            places = [i for i in places if plain(sheet.headers[i]) not in _LAST] or places
        if key in columns or not places:
            continue
        if len(places) > 1:
            same = " and ".join(quoted(sheet.headers[i]) for i in places)
            which = ("say which with ", Option(key, "…", option=f"{key}-column"))
            way_out = which if key in _OPTIONAL else "rename or drop one"
            raise sheet.error(f"the columns {same} all mean {key}", expected="one", way_out=[way_out])
        columns[key] = places[0]
    lacking = [outcome for outcome in TWO_CLASS.outcomes if outcome not in columns and outcomes is None]
    if lacking and (lacking != ["tn"] or _near(sheet.headers, lacking)):
        raise _about_lacking(sheet, lacking)
    if "entity" not in columns and sheet.headers[0] in UNNAMED:  # the index of a data frame
        columns["entity"] = 0
    return columns


def naming_column(sheet: Sheet, columns: Mapping[str, int]) -> int | None:
    """Return the column without a role whose texts tell the rows apart, and so name the entities; None where none does.

    Measures with a unit, times, addresses and notes name nothing. A header with a word such as "model" in it goes
    before others. Raises DataError where that leaves several columns, or texts that do not tell the rows apart: a name
    in a column that nobody knows would otherwise be dropped without a word.

    >>> sheet = Sheet(("Model Variant", "Time", "tp"), [("a", "12 min", 1), ("b", "3 min", 2)])
    >>> naming_column(sheet, {"tp": 2})
    0
    """
    free = [i for i, header in enumerate(sheet.headers) if i not in columns.values() and not _names_nothing(header)]
    of_models = [i for i in free if _OF_MODELS & {*_pieces(sheet.headers[i])}]
    texts = [i for i in free if _are_names([row[i] for row in sheet.rows], i in of_models)]
    places = [row[columns["domain"]] if "domain" in columns else "" for row in sheet.rows]

    def apart(*several: int) -> bool:
        keys = {(place, *(row[i] for i in several)) for place, row in zip(places, sheet.rows, strict=True)}
        return len(keys) == len(places)

    first = [i for i in texts if i in of_models] or texts
    naming = [i for i in first if apart(i)]
    if len(naming) == 1 or not texts:
        return naming[0] if naming else None
    ways: list[Any] = [("say which with ", Option("entity", "…", option="entity-column")), "drop them"]
    pairs = [] if naming else [(i, j) for i in first for j in texts if i != j and apart(i, j)]
    if pairs:
        model, other = (sheet.headers[i] for i in pairs[0])
        named = (Option("entity", model, option="entity-column"), Option("domain", other, option="domain-column"))
        ways = [("name the models with ", named[0], " and the domains with ", named[1]), "join both in one column"]
    raise sheet.error(
        f"no column entity, but texts in {', '.join(quoted(sheet.headers[i]) for i in texts)}", way_out=ways
    )


def _pieces(header: str) -> list[str]:
    """Return the words of a header: those of "classifierName" are classifier and name."""
    return [word.casefold() for word in re.split(r"[\W_0-9]+|(?<=[a-z])(?=[A-Z])", header) if word]


def _names_nothing(header: str) -> bool:
    """Tell whether a column holds notes, times or amounts by its header, such as "Training time of the model (s)"."""
    pieces = _pieces(header)
    return bool(_NO_NAMES & {*pieces}) and pieces[-1] not in {*_OF_MODELS, "name"}


def _are_names(cells: Sequence[Any], of_models: bool) -> bool:
    """Tell whether cells may be names: texts, and neither measures, nor times, addresses or notes.

    Where the header speaks of models, some may be missing, which then is an error.
    """
    there = [cell for cell in cells if not (missing(cell) or (isinstance(cell, str) and missing_text(cell)))]
    if not there or (len(there) < len(cells) and not of_models) or not all(isinstance(cell, str) for cell in there):
        return False
    texts = [cell.strip() for cell in there]
    is_note = sum(len(text.split()) for text in texts) > _WORDS_OF_A_NOTE * len(texts)
    odd = any(all(map(pattern.fullmatch, texts)) for pattern in (_MEASURE, _TIME, _ADDRESS))
    lettered = sum(number_of_text(text, False) is None and bool(re.search(r"[^\W\d_]", text)) for text in texts)
    return 2 * lettered > len(texts) and not is_note and not odd


def named_column(sheet: Sheet, header: str, key: str) -> int:
    """Return the column that was asked for with ``entity=`` or ``domain=``."""
    places = [i for i, other in enumerate(sheet.headers) if other == header]
    places = places or [i for i, other in enumerate(sheet.headers) if plain(other) == plain(header)]
    if len(places) == 1:
        return places[0]
    count = f"{len(places)} columns are called" if places else "no column is called"
    asked = Option(key, python=f"{key}=", option=f"{key}-column")
    raise sheet.error((f"{count} {quoted(header)} (", asked, ")"), expected=f"one of {_list(sheet.headers)}")


def _about_lacking(sheet: Sheet, lacking: Sequence[str]) -> DataError:
    headers = sheet.headers
    if {plain(h) for h in headers} & TRUTH and {plain(h) for h in headers} & PREDICTION:
        pair = _list([h for h in headers if plain(h) in TRUTH | PREDICTION])
        return sheet.error(
            f"this holds predictions, one case per row (columns {pair})",
            expected="counts tn, fp, fn, tp, one entity per row",
            way_out=_COUNT_FIRST,
        )
    what = ("column " if len(lacking) == 1 else "columns ") + ", ".join(lacking)
    sentence, expected = f"no {what}", f"tn, fp, fn, tp (and entity, domain), found {_list(headers)}"
    rates = [header for header in headers if rate_of(header) is not None or plain(header) in _MORE_RATES]
    if rates:
        problem = f"{_list(rates)} {'is a rate' if len(rates) == 1 else 'are rates'}; give the counts"
        ways = [problem, _AS_PRINTED, *([_SHARES] if {"tpr", "tnr"} <= {*map(rate_of, rates)} else [])]
        if len(lacking) == len(TWO_CLASS.outcomes):
            return PrintedRatesError(sentence, where=Place(sheet.where), expected=expected, way_out=ways)
        return sheet.error(sentence, expected=expected, way_out=problem)
    near = _near(headers, lacking)
    if any(re.fullmatch(r"[+-]?[0-9.]+", header) for header in headers):
        return sheet.error(sentence, expected=expected, way_out="the first row must hold the headers")
    rename = f"rename {' or '.join(map(quoted, near))} if that is what is meant" if near else ""
    return sheet.error(sentence, expected=expected, way_out=rename)


def _near(headers: Sequence[str], lacking: Sequence[str]) -> dict[str, None]:
    """Return the headers that are near misses of the outcomes that are missing; none unless each of these has one.

    A near miss is a long name with a slip in it, or the only header in which the short name stands as a word.

    >>> list(_near(["unit", "false_negs"], ["fn"])), list(_near(["MLP", "FPN", "fn_on"], ["fp", "fn"]))
    (['false_negs'], [])
    """
    spare = {plain(header): header for header in headers if not known(header) and plain(header)}
    near: dict[str, None] = {}
    for outcome in lacking:
        usual = [name for name in HEADERS[outcome] if len(name) >= _LONG_NAME]
        slips = (get_close_matches(name, spare, n=1, cutoff=0.8) for name in usual)
        close = dict.fromkeys(spare[name] for names in slips for name in names)
        worded = [header for header in spare.values() if outcome in re.split(r"[\W_]+", header.casefold())]
        if not close and len(worded) != 1:
            return {}
        near |= close or dict.fromkeys(worded)
    return near


def _list(headers: Sequence[str]) -> str:
    return some(headers, _MOST_LISTED, quote="", word=lambda header: quoted(header[:40]))


def domain_of(domain: str | Sequence[str] | None) -> tuple[str | None, tuple[str, ...]]:
    """Return the column of domains, and the columns that make it where there are several.

    >>> domain_of("video"), domain_of(["category", "video"])
    (('video', ()), ('_domain_of_levels', ('category', 'video')))
    """
    if domain is None or isinstance(domain, str):
        return domain, ()
    levels = tuple(domain)
    if not levels or len({*levels}) < len(levels):
        name = Option("domain", option="domain-column")
        raise UsageError([name, " names the columns of a hierarchy"], expected="different ones", got=f"{list(levels)}")
    return (JOINED, levels) if len(levels) > 1 else (levels[0], ())
