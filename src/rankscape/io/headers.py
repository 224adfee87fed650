"""Headers: which column of a table is which, by the names that people give them."""

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from ..errors import DataError, Option, Place, UsageError
from ..outcomes import TWO_CLASS, WITHOUT_TN, SampleSpace
from ..tasks.classes import ARROW, classes_in, pair_text, space
from ..tasks.table import TASKS
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

PREDICTIONS = {
    "truth": ("truth", "y", "ytrue", "true", "label", "labels", "target", "groundtruth", "gt", "actual"),
    "prediction": (
        *("prediction", "predictions", "predicted", "ypred", "yhat", "pred", "preds", "yscore", "score", "scores"),
        *("proba", "prob", "probability", "yprob", "yproba", "predictedlabel", "predlabel", "predictedclass", "output"),
        *("answer", "response", "confidence", "logit"),
    ),
}
"""The usual headers of true labels, and of predictions or scores."""

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

_OF_MODELS = {*HEADERS["entity"], "network", "architecture", "variant"} - {"name", "run"}
"""Words of a header that say that the column names models, also beside other words: "Classifier Name"."""

_NO_NAMES = {
    *("note", "notes", "comment", "comments", "remark", "remarks", "description", "date", "time", "timestamp"),
    *("duration", "runtime", "url", "link", "updated", "created", "started", "finished", "latency", "cost", "price"),
    *("size", "memory", "status"),
}
"""Words of a header that say that the column names nothing."""

_OF_CLASSES = {"class", "classes", "classname", "label", "labels", "labelname", "species", "target", "intent"}
"""Headers of columns that name classes."""

_THRESHOLDS = {"threshold", "thresholds", "cutoff", "cutpoint"}
"""Headers of numbers that may name the rows where no text does."""

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

_OUTCOMES = {name: outcome for outcome in TWO_CLASS.outcomes for name in HEADERS[outcome]}
_OPTIONAL = ("entity", "domain")
_OF_CASES_TOO = ("name", "run", "runid", "tool")
"""Headers that name models in a table of counts, but in one of cases perhaps patients, or runs of one model."""

_MORE_RATES = {"auc", "mcc", "kappa", "youden", "se", "sp", "sens", "spec"}
"""Headers of rates that are not recomputed."""

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


class PrintedRatesError(DataError):
    """A table has rates in the place of counts: :mod:`rankscape.published` reads it."""


# One header


def plain(header: str) -> str:
    """Return a header as headers are compared, without case, spaces and signs.

    >>> plain("True_Negatives"), plain(" #TN ")
    ('truenegatives', 'tn')
    """
    return re.sub(r"[\W_]+", "", header).casefold()


def _meaning(header: str, names_of: Mapping[str, Collection[str]]) -> str | None:
    """Return the key under which a table of names has a header, None where none."""
    name = plain(header)
    return next((key for key, names in names_of.items() if name in names), None)


def role(header: str) -> str | None:
    """Return what a column holds: "entity", "domain", "tn", "fp", "fn", "tp", or None where the header is not known."""
    return _meaning(header, HEADERS)


def likely_role(header: str) -> str | None:
    """Return what a column of a table of cases may hold, in more cases than :func:`role` tells.

    >>> likely_role("Site"), likely_role("dataset"), likely_role("age")
    ('domain', 'domain', None)
    """
    return "domain" if plain(header) in LIKE_DOMAINS else role(header)


def rate_of(header: str) -> str | None:
    """Return the rate that a header names, of those in ``RATES``; None where it names none of them."""
    return _meaning(PERCENT.sub("", header), RATES)


def size_of(header: str) -> str | None:
    """Return which number of cases a header names: n, n_positive, n_negative or unanswered; None for another one."""
    return _meaning(header, SIZES | {"unanswered": UNANSWERED})


def known(header: str) -> bool:
    """Tell whether a header is understood: of an entity, a domain, an outcome or a pair."""
    return role(header) is not None or (ARROW in header and len(classes_in(header)) == 2)


def matters(header: str) -> bool:
    """Tell whether a column beside the counts is looked at.

    >>> matters("F1 (%)"), matters("Total"), matters("authors")
    (True, True, False)
    """
    return rate_of(header) is not None or size_of(header) is not None


def in_percent(header: str) -> bool:
    """Tell whether a header says that its numbers are percentages.

    >>> in_percent("Prevalence (percent)"), in_percent("% correct"), in_percent("Sensitivity")
    (True, True, False)
    """
    return "%" in header or PERCENT.search(header) is not None


def says_nothing_of_models(header: str) -> bool:
    """Tell whether a column of predictions or scores has a header that any model's could have.

    >>> says_nothing_of_models("y_pred"), says_nothing_of_models("forest")
    (True, False)
    """
    return plain(header) in PREDICTIONS["prediction"]


def behind_prefix(header: str) -> tuple[str, str] | None:
    """Return the prefix of a header and the outcome that it names behind it; None where it names none, or has none.

    >>> [behind_prefix(header) for header in ("metrics.true_negatives", "Test TN", "tn", "eval/loss")]
    [('metrics.', 'tn'), ('Test ', 'tn'), None, None]
    """
    if plain(header) in _OUTCOMES:
        return None
    pieces = re.split(r"(?<=[\W_])|(?<=[a-z0-9])(?=[A-Z])", header.strip())
    last = range(max(1, len(pieces) - 12), len(pieces))  # names have so many words, and signs between them, at most
    names = ((i, _OUTCOMES.get(plain("".join(pieces[i:])))) for i in last)  # true_negatives first
    return next((("".join(pieces[:i]), outcome) for i, outcome in names if outcome is not None), None)


# The columns of a table


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


def named_column(sheet: Sheet, header: str, key: str) -> int:
    """Return the column that was asked for with ``entity=`` or ``domain=``."""
    places = [i for i, other in enumerate(sheet.headers) if other == header]
    places = places or [i for i, other in enumerate(sheet.headers) if plain(other) == plain(header)]
    if len(places) == 1:
        return places[0]
    count = f"{len(places)} columns are called" if places else "no column is called"
    asked = Option(key, python=f"{key}=", option=f"{key}-column")
    raise sheet.error((f"{count} {quoted(header)} (", asked, ")"), expected=f"one of {_list(sheet.headers)}")


def model_column(headers: Sequence[str], used: Collection[str]) -> str | None:
    """Return the column of a table of cases that names the models, unless it is used for something else.

    >>> (
    ...     model_column(["LLM", "truth", "answer"], ["truth", "answer"]),
    ...     model_column(["name", "y", "yhat"], ["y"]),
    ... )
    ('LLM', None)
    """
    order = [name for name in (*HEADERS["entity"], "variant", "architecture", "backbone") if name not in _OF_CASES_TOO]
    models = [header for header in headers if plain(header) in order and header not in used]
    return min(models, key=lambda header: order.index(plain(header)), default=None)


def columns_in(
    sheet: Sheet, entity: str | None = None, domain: str | None = None
) -> tuple[SampleSpace, dict[str, int]]:
    """Return the sample space of a table, and where its columns are: the outcomes, and entity and domain if any.

    Columns called by pairs of classes, such as "cat→dog", are those of multi-class performances; classes keep the order
    in which they come first as the truth. A table that lacks tn only is one without true negatives. The table of tasks
    knows the columns of other tasks, such as correct and total. Raises DataError where some pair is missing or occurs
    twice, where an arrow can be read in two ways, and where columns of two classes are there as well.
    """
    pairs = _pairs(sheet)
    roles = {*map(role, sheet.headers)}
    two_class = roles >= {*TWO_CLASS.outcomes}
    complete = {*pairs} == {(true, other) for true, _ in pairs for other, _ in pairs} and len(pairs) > 1
    task = None if pairs or roles & {*TWO_CLASS.outcomes} else of_task(sheet.headers)
    if task is not None:
        return task[0], columns_of(sheet, entity, domain, task[1])
    if not pairs or (two_class and not complete):
        columns = columns_of(sheet, entity, domain)
        return (TWO_CLASS if "tn" in columns else WITHOUT_TN), columns
    first, names = quoted(pair_text(*next(iter(pairs)))), list(dict.fromkeys(name for pair in pairs for name in pair))
    if two_class:
        raise sheet.error(
            f"columns of two classes (tn, fp, fn, tp) and pairs of classes (such as {first}) in one table; "
            "expected one kind: drop the other"
        )
    if len(names) < 2:
        raise sheet.error(f"the only pair of classes is {first}; expected all pairs of two or more classes")
    if not complete:
        lacking = [pair_text(true, other) for true in names for other in names if (true, other) not in pairs]
        raise sheet.error(
            f"no column {some(lacking, quote='', word=quoted)}; expected all {len(names) ** 2} pairs "
            f"truth→prediction of the classes {some(names, quote='', word=quoted)}: add what is missing, with 0 where "
            "nothing was counted"
        )
    omega = space(list(dict.fromkeys(true for true, _ in pairs)))
    places = {pair_text(*pair): column for pair, column in pairs.items()}
    return omega, columns_of(sheet, entity, domain, {name: places[name] for name in omega.outcomes})


def of_task(headers: Sequence[str]) -> tuple[SampleSpace, dict[str, int]] | None:
    """Return the sample space of a task, and where its columns are; None where they are those of no task."""
    names = list(map(plain, headers))
    for task in filter(lambda task: task.columns, TASKS):
        spaces = sorted(task.spaces, key=len, reverse=True)  # failure, unanswered, success are not two outcomes
        for columns, omega in (*((made, task.spaces[0]) for made in task.columns), *((s.outcomes, s) for s in spaces)):
            if all(names.count(name) == 1 for name in columns):
                return omega, {name: names.index(name) for name in columns}
    return None


def _pairs(sheet: Sheet) -> dict[tuple[str, str], int]:
    """Return where each pair of classes is."""
    columns: dict[tuple[str, str], int] = {}
    for column, header in enumerate(sheet.headers):
        parts = classes_in(header) if ARROW in header else ()
        if len(parts) > 2:
            raise sheet.error(
                f"column {quoted(header)} has {len(parts) - 1} arrows, and can be read as several pairs of classes; "
                'expected one arrow, as in "truth→prediction": write an arrow inside the name of a class as "\\→"'
            )
        if len(parts) == 2 and columns.setdefault((parts[0], parts[1]), column) != column:
            raise sheet.error(f"the pair {quoted(header)} occurs twice; expected one column per pair: drop one")
    return columns


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
        if key in _OPTIONAL:  # the name itself goes before its synonyms, and a run has a name, too
            places = [i for i in places if plain(sheet.headers[i]) == key] or places
            places = [i for i in places if plain(sheet.headers[i]) != "runid"] or places
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


def _about_lacking(sheet: Sheet, lacking: Sequence[str]) -> DataError:
    """Return the error about a table without some outcomes: they are predictions, rates, or called something else."""
    headers = sheet.headers
    of_cases = {header: kind for header in headers if (kind := _meaning(header, PREDICTIONS)) is not None}
    if {*of_cases.values()} == {*PREDICTIONS}:
        return sheet.error(
            f"this holds predictions, one case per row (columns {_list(list(of_cases))})",
            expected="counts tn, fp, fn, tp, one entity per row",
            way_out=_COUNT_FIRST,
        )
    what = ("column " if len(lacking) == 1 else "columns ") + ", ".join(lacking)
    sentence, expected = f"no {what}", f"tn, fp, fn, tp (and entity, domain), found {_list(headers)}"
    rates = [header for header in headers if rate_of(header) is not None or plain(header) in _MORE_RATES]
    ways: list[Any] = [f"{_list(rates)} {'is a rate' if len(rates) == 1 else 'are rates'}; give the counts"]
    if rates and len(lacking) == len(TWO_CLASS.outcomes):
        ways += [_AS_PRINTED, *([_SHARES] if {"tpr", "tnr"} <= {*map(rate_of, rates)} else [])]
        return PrintedRatesError(sentence, where=Place(sheet.where), expected=expected, way_out=ways)
    if not rates:
        near = _near(headers, lacking)
        of_numbers = any(re.fullmatch(r"[+-]?[0-9.]+", header) for header in headers)
        rename = f"rename {' or '.join(map(quoted, near))} if that is what is meant" if near else ""
        ways = ["the first row must hold the headers" if of_numbers else rename]
    return sheet.error(sentence, expected=expected, way_out=ways[0])


def _near(headers: Sequence[str], lacking: Sequence[str]) -> dict[str, None]:
    """Return the headers that are near misses of the outcomes that are missing; none unless each of these has one.

    A near miss is a long name with a slip in it, or the only header in which the short name stands as a word.

    >>> list(_near(["unit", "false_negs"], ["fn"])), list(_near(["MLP", "FPN", "fn_on"], ["fp", "fn"]))
    (['false_negs'], [])
    """
    spare = {plain(header): header for header in headers if role(header) is None and plain(header)}
    near: dict[str, None] = {}
    for outcome in lacking:
        usual = [name for name in HEADERS[outcome] if len(name) > 6]  # "fpn" is no slip of "fp"
        slips = (get_close_matches(name, spare, n=1, cutoff=0.8) for name in usual)
        close = dict.fromkeys(spare[name] for names in slips for name in names)
        worded = [header for header in spare.values() if outcome in re.split(r"[\W_]+", header.casefold())]
        if not close and len(worded) != 1:
            return {}
        near |= close or dict.fromkeys(worded)
    return near


def _list(headers: Sequence[str]) -> str:
    return some(headers, 12, quote="", word=lambda header: quoted(header[:40]))


# What names


def naming_column(sheet: Sheet, columns: Mapping[str, int]) -> int | None:
    """Return the column without a role whose texts tell the rows apart, and so name the entities; None where none does.

    Measures with a unit, times, addresses and notes name nothing. A header with a word such as "model" in it goes
    before others. Raises DataError where that leaves several columns, or texts that do not tell the rows apart: a name
    in a column that nobody knows would otherwise be dropped without a word.

    >>> sheet = Sheet(("Model Variant", "Time", "tp"), [("a", "12 min", 1), ("b", "3 min", 2)])
    >>> naming_column(sheet, {"tp": 2})
    0
    """
    free, of_models = [], []
    for i, header in enumerate(sheet.headers):  # the words of "classifierName" are classifier and name
        pieces = [word.casefold() for word in re.split(r"[\W_0-9]+|(?<=[a-z])(?=[A-Z])", header) if word]
        named = bool(pieces) and pieces[-1] in {*_OF_MODELS, "name"}
        if i not in columns.values() and (named or not _NO_NAMES & {*pieces}):  # as in "training time of the model (s)"
            free.append(i)
            of_models += [i] if _OF_MODELS & {*pieces} else []
    texts = [i for i in free if _are_names(sheet.column(i), i in of_models)]
    places = sheet.column(columns["domain"]) if "domain" in columns else [""] * len(sheet.rows)

    def apart(*several: int) -> bool:
        return len({*zip(places, *map(sheet.column, several), strict=True)}) == len(places)

    texts = texts or [i for i in free if plain(sheet.headers[i]) in _THRESHOLDS]
    first = [i for i in texts if i in of_models] or texts
    naming = [i for i in first if apart(i)]
    if len(naming) == 1 or not texts:
        header = sheet.headers[naming[0]] if naming and naming[0] not in of_models else ""
        if plain(header) in _OF_CLASSES or (header and "support" in map(plain, sheet.headers)):
            refuse_classes(header, sheet.where)
        return naming[0] if naming else None
    ways: list[Any] = [("say which with ", Option("entity", "…", option="entity-column")), "drop them"]
    pairs = [] if naming else [(i, j) for i in first for j in texts if i != j and apart(i, j)]
    if pairs:
        model, other = (sheet.headers[i] for i in pairs[0])
        named_by = (Option("entity", model, option="entity-column"), Option("domain", other, option="domain-column"))
        ways = [
            ("name the models with ", named_by[0], " and the domains with ", named_by[1]),
            "join both in one column",
        ]
    raise sheet.error(
        f"no column entity, but texts in {', '.join(quoted(sheet.headers[i]) for i in texts)}", way_out=ways
    )


def refuse_classes(header: str, where: str = "") -> None:
    """Refuse rows of the classes of one model, each against the others, which the column of a header may name."""
    ways: list[Any] = ['give its confusion matrix as JSON: {"labels": ["a", "b"], "matrix": [[…], […]]}']
    if header:
        ways.append(("if they are models, say so with ", Option("entity", header, option="entity-column")))
    what = "the rows look like the classes of one model, each against the others"
    raise DataError(what, where=Place(where), way_out=ways)


def _are_names(cells: Sequence[Any], of_models: bool) -> bool:
    """Tell whether cells may be names: texts, and neither measures, nor times, addresses or notes.

    Where the header speaks of models, some may be missing, which then is an error.
    """
    there = [cell for cell in cells if not (missing(cell) or (isinstance(cell, str) and missing_text(cell)))]
    if not there or (len(there) < len(cells) and not of_models) or not all(isinstance(cell, str) for cell in there):
        return False
    texts = [cell.strip() for cell in there]
    is_note = sum(len(text.split()) for text in texts) > 8 * len(texts)  # words of each
    odd = any(all(map(pattern.fullmatch, texts)) for pattern in (_MEASURE, _TIME, _ADDRESS))
    lettered = sum(number_of_text(text, False) is None and bool(re.search(r"[^\W\d_]", text)) for text in texts)
    return 2 * lettered > len(texts) and not is_note and not odd
