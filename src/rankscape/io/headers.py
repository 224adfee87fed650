"""Headers: which column of a table is which, by the names that people give them, and by what their cells look like.

Nothing is right or wrong unless it is: 0 and 1, true and false, passed and failed, or a column that is asked for by
name. Other numbers are grades, which keep the name of their column.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from ..checks.numbers import PERCENT
from ..errors import DataError, Option, Place, UsageError
from ..outcomes import TWO_CLASS, WITHOUT_TN, SampleSpace
from ..tasks.classes import ARROW, classes_in, pair_text, space
from ..tasks.success import SPACE as SUCCESSES
from ..tasks.table import TASKS
from ..texts import some
from .cells import missing, missing_text, number_of_text
from .sheets import Sheet, quoted


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Names of columns, compared without case, spaces and signs; the first one of each is its own name.
HEADERS = {
    "entity": _names("""entity model method classifier algorithm system name team approach detector estimator tool run
        runid tracker submission participant agent framework llm modelname modelid methodname classifiername
        algorithmname systemname teamname clf learner modell modelle modelo modelos modele modèle modello modelli
        methode metodo metodos algorithmus algorithmen algoritmo algorithme verfahren"""),
    "domain": _names("domain dataset video task sequence benchmark fold split category"),
    "tn": _names("""tn tns tncount truenegative truenegatives trueneg correctrejection correctrejections
        correctnegative correctnegatives"""),
    "fp": _names("fp fpcount falsepositive falsepositives falsepos falsealarm falsealarms"),
    "fn": _names("fn fns fncount falsenegative falsenegatives falseneg miss misses"),
    "tp": _names("tp tps tpcount truepositive truepositives truepos hit hits"),
}
# Columns of cases that often name domains are only mentioned, never used by themselves.
LIKE_DOMAINS = _names("""site sites siteid hospital clinic center centre region country city location scanner camera
    device cohort scenario scene weather language store plant""")
_OF_GROUPS = {
    *LIKE_DOMAINS,
    *_names("""sex gender age agegroup agerange ageband race ethnicity group groupname subgroup
    demographic nationality religion education income attributevalue sensitivefeature slice segment difficulty
    complexity level topic"""),
}  # rows of one model, unless they are asked for as models
MULTIPLIERS = _names("""freq freqs frequency frequencies n count counts weight weights sampleweight patients subjects
    participants samples cases images examples items documents anzahl caseweight ncases npatients nobs instances
    occurrences multiplicity total""")  # how often each row of a table of cases counts
WEIGHTS = {"weight", "weights", "sampleweight", "caseweight"}  # which answers have not
SIZES = {
    "n": _names("n total ntotal samplesize ncases npatients"),
    "n_positive": _names("npositive npositives npos positives diseased ndiseased nill nsick"),
    "n_negative": _names("nnegative nnegatives nneg negatives healthy nhealthy nondiseased"),
}
UNANSWERED = _names("""unanswered nunanswered abstained abstention abstentions noanswer noanswers notanswered
    noprediction nopredictions refused refusals skipped failures failed timeouts crashed""")
RATES = {  # which are recomputed, by the names of their scores
    "accuracy": _names("accuracy acc overallaccuracy"),
    "er": _names("errorrate"),
    "tpr": _names("recall tpr sensitivity truepositiverate hitrate"),
    "tnr": _names("specificity tnr truenegativerate"),
    "fpr": _names("fpr falsepositiverate"),
    "fnr": _names("fnr falsenegativerate missrate"),
    "ppv": _names("precision ppv prec positivepredictivevalue"),
    "npv": _names("npv negativepredictivevalue"),
    "f1": _names("f1 f1score fmeasure fscore dice"),
    "jplus": _names("iou jaccard csi threatscore"),
    "ba": _names("balancedaccuracy bacc"),
    "prior": _names("prevalence"),
}
PREDICTIONS = {
    "truth": _names("truth y ytrue true label labels target groundtruth gt actual"),
    "prediction": _names("""prediction predictions predicted ypred yhat pred preds yscore score scores proba prob
        probability yprob yproba predictedlabel predlabel predictedclass output answer response confidence logit"""),
}
CORRECT = _names("""correct iscorrect wascorrect answeredcorrectly success succeeded issuccess successful passed pass
    ispassed solved resolved right isright exactmatch em hit grade grades credit partialcredit mark marks""")
PERHAPS = _names("acc accuracy score reward rating value result outcome points")  # beside a model and a case
CASES = _names("""case caseid question questionid item itemid example exampleid instance instanceid docid doc prompt
    promptid problem problemid query queryid sampleid index idx id testid taskid input inputid row rowid uid
    sample test image imageid scan imagename filename file utterance utteranceid sentence sentenceid scenario
    scenarioid""")  # the likelier ones first
REPEATS = _names("repeat repetition replicate epoch attempt trial generation rollout seed sample iteration")
RUNS = _names("""seed seeds randomseed rngseed run runid repeat repeats repetition replicate rep rollout epoch
    attempt""")  # which number predictions of the same cases again
RUNS_OF_CASES = (*RUNS, *REPEATS, "fold", "split", "resample")  # beside a column of cases, which decides
CLUSTERS = _names("""cluster clusterid passage passageid patient patientid document documentid template templateid
    subject subjectid family familyid group groupid context contextid""")
OF_METRICS = {"metric", "metrics", "metricname", "measure", "measurename", "scorer"}  # what the number of a row is
ONE_COLUMN_EACH = "give each metric a column of its own"
ANSWERS = {*CORRECT, *PERHAPS, *CASES, *REPEATS, *CLUSTERS, *HEADERS["entity"], *HEADERS["domain"]}  # all of them
FALSE = {*_names("false f no n incorrect wrong fail failed failure i")}
TRUE = {*_names("true t yes y correct right pass passed success c")}
UNANSWERED_AS = ("wrong", "apart", "common")  # errors; an outcome; or only the cases count that all answered

UNNAMED = ("", "Unnamed: 0")  # the index of a data frame in a file, and once that is saved again
JOINED = "_domain_of_levels"  # the column that a table is given where several columns make a domain
FILE = "_file_of_row"  # the column that a table is given where each of its files is a model

# Words in headers: that the column names models, as in "Classifier Name", or nothing, or classes, or numbers of rows.
_OF_MODELS = {*HEADERS["entity"], "network", "architecture", "variant"} - {"name", "run"}
_NO_NAMES = set(
    _names("""note notes comment comments remark remarks description date time timestamp duration runtime
    url link updated created started finished latency cost price size memory status""")
)
_OF_CLASSES = {
    *_names("""class classes classname label labels labelname species target intent type types category emotion
    sentiment disease diagnosis pathology defect""")
}
_PER_CLASS = re.compile(r"(per|by|each)[\W_]?(class|label|categor|type|species|intent)", re.IGNORECASE)  # files
_THRESHOLDS = {"threshold", "thresholds", "cutoff", "cutpoint"}
_OF_TRUTH = set(
    _names("""truth true target targets gold golden gt groundtruth actual observed obs reference expected
    label labels outcome event diagnosis disease class annotation status survived died death churn spam fraud
    default readmitted readmission relevant relevance wahrheit""")
)
_OF_NO_TRUTH = set(
    _names("""pred preds predicted prediction predictions hat yhat ypred score prob proba probability
    model logit positive positives negative negatives rate id name index type time date""")
)
_TRUTHS = {*_names("y ytrue ytest answer correctanswer answerkey goldstandard solution")}  # whole headers
_METRICS = set(
    _names("""acc accuracy precision recall fscore auc auroc auprc roc mcc kappa dice sensitivity specificity
    loss error err rmse mse mae mape iou miou jaccard ndcg mrr map bleu rouge meteor perplexity ppl logloss
    brier ece tpr fpr tnr fnr ppv npv support gmean runtime latency time psnr ssim wer cer""")
)
_SCORES = re.compile(
    r"(fit|score)_time|(test|train|val|valid|validation)_\w+|(macro|micro|weighted)\W(avg|average|f1)|f[0-9.]+|"
    r"f[0-9.]*[\W_]?(score|measure|macro|micro)\w*|r2|r²|mean_\w+|\w*_score",
    re.IGNORECASE,
)
_ITEM = re.compile(r"([a-z]{1,12}[\W_]*)?[0-9]+", re.IGNORECASE)  # such as q12
_COUNTS = {*_names("total n count cases ncases numcases samplesize tn fp fn tp")}

# Cells that name nothing: measures with a unit, times, addresses, and answers.
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
_YES = re.compile("true|false|yes|no", re.IGNORECASE)
_ADDRESS = re.compile(r"\[?[^\s\]]*\]?\(?(https?://|www\.|doi:)\S+", re.IGNORECASE)

_ROLES, _SIZES, _RATES, _OUTCOMES = (  # keys by each of their names
    {name: key for key, names in table.items() for name in names}
    for table in (HEADERS, SIZES | {"unanswered": UNANSWERED}, RATES,
                  {outcome: HEADERS[outcome] for outcome in TWO_CLASS.outcomes})
)  # fmt: skip
_OF_TASKS = [  # columns of counts of other tasks: correct and total, or the outcomes of a space, more of these first
    pair for task in TASKS if task.columns
    for pair in (*((task.spaces[0], made) for made in task.columns),
                 *((omega, omega.outcomes) for omega in sorted(task.spaces, key=len, reverse=True)))
]  # fmt: skip
_RIGHT = _names("""correct ncorrect numcorrect successes solved nsolved numsolved passed npassed numpassed resolved
    nresolved numresolved right nright numright""")
_OF_ALL = _names("total ntotal n numtotal trials questions problems")
_COUNTED = {*_RIGHT, *_OF_ALL}.union(*(names for _, names in _OF_TASKS))
_OPTIONAL = ("entity", "domain")
_MORE_RATES = {"auc", "mcc", "kappa", "youden", "se", "sp", "sens", "spec"}  # which are not recomputed
MODELS_OF_CASES = tuple(  # name, run and tool are perhaps patients in a table of cases, or runs of one model
    name for name in (*HEADERS["entity"], "variant", "architecture", "backbone")
    if name not in ("name", "run", "runid", "tool")
)  # fmt: skip
_COUNT_FIRST = Option(
    "truth", python="count them first with rs.count, or `rankscape count`",
    shell="name the columns with --truth and --prediction, or count them first with `rankscape count`",
)  # fmt: skip
AS_PRINTED = [
    "rank them as they are printed, with ",
    Option("format", option="from", python="rs.read_published", shell="`rankscape rank`"),
    ", which bounds the ranks over the rounding",
]


class PrintedRatesError(DataError):
    """A table has rates in the place of counts, which these do not fix: :mod:`rankscape.published` ranks it."""


# One header


def plain(header: str) -> str:
    """Return a header as headers are compared, without case, spaces and signs: " #True_Negatives" is truenegatives."""
    return re.sub(r"[\W_]+", "", header).casefold()


def role(header: str) -> str | None:
    """Return what a column holds: "entity", "domain", "tn", "fp", "fn", "tp", or None where the header is not known."""
    return _ROLES.get(plain(header))


def likely_role(header: str) -> str | None:
    """Return what a column of a table of cases may hold, in more cases than :func:`role` tells: "Site" is a domain."""
    return "domain" if plain(header) in LIKE_DOMAINS else role(header)


def rate_of(header: str) -> str | None:
    """Return the rate that a header names, of those in ``RATES``; None where it names none of them."""
    return _RATES.get(plain(PERCENT.sub("", header)))


def size_of(header: str) -> str | None:
    """Return which number of cases a header names: n, n_positive, n_negative or unanswered; None for another one."""
    return _SIZES.get(plain(header))


def known(header: str) -> bool:
    """Tell whether a header is understood: of an entity, a domain, an outcome or a pair."""
    pair = ARROW in header and len(classes_in(header)) == 2
    return pair or role(header) is not None or plain(header) in _COUNTED


def matters(header: str) -> bool:
    """Tell whether a column beside the counts is looked at: "F1 (%)" and "Total" are, "authors" is not."""
    return rate_of(header) is not None or size_of(header) is not None


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


def words_of(header: str) -> list[str]:
    """Return the words of a header in small letters: those of "yTrue2" are y and true."""
    ends = r"[\W_0-9]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
    return [word.casefold() for word in re.split(ends, header) if word]


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

    >>> [*map(is_metric, ("fit_time", "F1-score", "hamming_loss", "alpha", "question 1", "f"))]
    [True, True, True, False, False, False]
    """
    named = rate_of(name) is not None or _SCORES.fullmatch(name.strip()) is not None
    return named or bool({*words_of(name)} & _METRICS)


# The columns of a table


def first_of(headers: Sequence[str], names: Sequence[str], *taken: str | None) -> str | None:
    """Return the header that has the first of some names that any has, of those that are not taken."""
    others = {*taken}
    free = {plain(header): header for header in reversed(headers) if header not in others}
    return next((free[name] for name in names if name in free), None)


def levels_of(domain: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the columns that make a domain, several in a hierarchy, none without domains."""
    levels = (domain,) if isinstance(domain, str) else tuple(domain or ())
    if (domain is not None and not levels) or len({*levels}) < len(levels):
        name = Option("domain")
        raise UsageError([name, " names the columns of a hierarchy"], expected="different ones", got=f"{list(levels)}")
    return levels


def named_column(sheet: Sheet, header: str, key: str) -> int:
    """Return the column that was asked for with ``entity=`` or ``domain=``."""
    places = [i for i, other in enumerate(sheet.headers) if other == header]
    places = places or [i for i, other in enumerate(sheet.headers) if plain(other) == plain(header)]
    if len(places) == 1:
        return places[0]
    count = f"{len(places)} columns are called" if places else "no column is called"
    asked = Option(key, python=f"{key}=")
    raise sheet.error((f"{count} {quoted(header)} (", asked, ")"), expected=f"one of {_list(sheet.headers)}")


def columns_in(
    sheet: Sheet, entity: str | None = None, domain: str | None = None
) -> tuple[SampleSpace, dict[str, int]]:
    """Return the sample space of a table, and where its columns are: the outcomes, and entity and domain if any."""
    pairs: dict[tuple[str, ...], int] = {}  # of classes, such as "cat→dog", in the order in which truths come first
    for column, header in enumerate(sheet.headers):
        parts = classes_in(header) if ARROW in header else ()
        if len(parts) > 2:
            raise sheet.error(
                f"column {quoted(header)} has {len(parts) - 1} arrows, and can be read as several pairs of classes; "
                'expected one arrow, as in "truth→prediction": write an arrow inside the name of a class as "\\→"'
            )
        if len(parts) == 2 and pairs.setdefault(tuple(parts), column) != column:
            raise sheet.error(f"the pair {quoted(header)} occurs twice; expected one column per pair: drop one")
    outcomes = {*map(role, sheet.headers)} & {*TWO_CLASS.outcomes}
    if not pairs and not outcomes and (task := of_task(sheet.headers)) is not None:
        return task[0], columns_of(sheet, entity, domain, task[1])
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    lacking = [pair_text(true, other) for true in names for other in names if (true, other) not in pairs]
    two_class = len(outcomes) == len(TWO_CLASS)
    if not pairs or (two_class and (lacking or len(names) < 2)):
        columns = columns_of(sheet, entity, domain)
        return (TWO_CLASS if "tn" in columns else WITHOUT_TN), columns
    first = quoted(pair_text(*next(iter(pairs))))
    if two_class:
        raise sheet.error(
            f"columns of two classes (tn, fp, fn, tp) and pairs of classes (such as {first}) in one table; "
            "expected one kind: drop the other"
        )
    if len(names) < 2:
        raise sheet.error(f"the only pair of classes is {first}; expected all pairs of two or more classes")
    if lacking:
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
    for omega, columns in _OF_TASKS:
        if all(names.count(name) == 1 for name in columns):
            return omega, {name: names.index(name) for name in columns}
    right, total = first_of(headers, _RIGHT), first_of(headers, _OF_ALL)
    rates, sizes = ([i for i, header in enumerate(headers) if of(header) in known]
                    for of, known in ((rate_of, RATES), (size_of, ("n",))))  # fmt: skip
    alone = [rate_of(headers[i]) for i in rates] == ["accuracy"]
    # Beside rates "passed" may say anything, and these may be what is printed.
    if right is not None and total is not None and (not rates or (alone and plain(right).startswith("n"))):
        return SUCCESSES, {"correct": headers.index(right), "total": headers.index(total)}
    return (SUCCESSES, {"accuracy": rates[0], "total": sizes[0]}) if alone and len(sizes) == 1 else None


def columns_of(
    sheet: Sheet, entity: str | None = None, domain: str | None = None, outcomes: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Return where tn, fp, fn, tp are, or the other ``outcomes`` given, and entity and domain if any or named."""
    if not sheet.headers:
        raise sheet.error("the table is empty; expected columns tn, fp, fn, tp and one row per entity")
    named = {"entity": entity, "domain": domain}
    columns = {key: named_column(sheet, header, key) for key, header in named.items() if header is not None}
    columns |= outcomes or {}
    taken, roles = set(columns.values()), list(map(role, sheet.headers))
    plural = {"tns", "fns", "tps"} & {*map(plain, sheet.headers)}  # beside these fps are no frames per second
    if plural and "fp" not in roles:
        roles = ["fp" if plain(header) == "fps" else of for header, of in zip(sheet.headers, roles, strict=True)]
    for key in HEADERS if outcomes is None else _OPTIONAL:
        places = [i for i, of in enumerate(roles) if of == key and i not in taken]
        if key in _OPTIONAL:  # the name itself goes before its synonyms, and a run has a name, too
            places = [i for i in places if plain(sheet.headers[i]) == key] or places
            places = [i for i in places if plain(sheet.headers[i]) != "runid"] or places
        if key in columns or not places:
            continue
        if len(places) > 1:
            same = " and ".join(quoted(sheet.headers[i]) for i in places)
            which = ("say which with ", Option(key, "…"))
            way_out = which if key in _OPTIONAL else "rename or drop one"
            raise sheet.error(f"the columns {same} all mean {key}", expected="one", way_out=[way_out])
        columns[key] = places[0]
    lacking = [outcome for outcome in TWO_CLASS.outcomes if outcome not in columns and outcomes is None]
    if lacking and (lacking != ["tn"] or _near(sheet.headers, lacking)):  # a table without true negatives has none
        raise _about_lacking(sheet, lacking)
    if "entity" not in columns and sheet.headers[0] in UNNAMED:  # the index of a data frame, unless it numbers the rows
        index = [cell for cell in sheet.column(0) if not empty(cell)]  # that of a row of sums may be
        columns |= {} if all(str(cell).strip().isdigit() for cell in index) else {"entity": 0}
    return columns


def _about_lacking(sheet: Sheet, lacking: Sequence[str]) -> DataError:
    """Return the error about a table without some outcomes: they are predictions, rates, or called something else."""
    headers = sheet.headers
    of_cases = [[header for header in headers if plain(header) in names] for names in PREDICTIONS.values()]
    if all(of_cases):
        used = [header for header in headers if any(header in of for of in of_cases)]
        return sheet.error(
            f"this holds predictions, one case per row (columns {_list(used)})",
            expected="counts tn, fp, fn, tp, one entity per row", way_out=_COUNT_FIRST,
        )  # fmt: skip
    sentence = f"no column{'s' if lacking[1:] else ''} {', '.join(lacking)}"
    expected = f"tn, fp, fn, tp (and entity, domain), found {_list(headers)}"
    rates = [header for header in headers if rate_of(header) is not None or plain(header) in _MORE_RATES]
    ways: list[Any] = [f"{_list(rates)} {'is a rate' if len(rates) == 1 else 'are rates'}; give the counts"]
    if rates and len(lacking) == len(TWO_CLASS.outcomes):
        ways.append(AS_PRINTED)
        return PrintedRatesError(sentence, where=Place(sheet.where), expected=expected, way_out=ways)
    near = _near(headers, lacking)
    if near or not rates:
        of_numbers = any(re.fullmatch(r"[+-]?[0-9.]+", header) for header in headers)
        rename = f"rename {' or '.join(map(quoted, near))} if that is what is meant" if near else ""
        ways = ["the first row must hold the headers" if of_numbers else rename]
    return sheet.error(sentence, expected=expected, way_out=ways[0])


def _near(headers: Sequence[str], lacking: Sequence[str]) -> dict[str, None]:
    """Return the headers that are near misses of the outcomes that are missing; none unless each of these has one."""
    spare = {plain(header): header for header in headers if role(header) is None and plain(header)}
    near: dict[str, None] = {}
    for outcome in lacking:
        usual = [name for name in HEADERS[outcome] if len(name) > 6]  # "fpn" is no slip of "fp"
        slips = [name for one in usual for name in get_close_matches(one, spare, n=1, cutoff=0.8)]
        slips += {*spare} & {f"{outcome}s"}  # "fps" may be frames per second
        close = dict.fromkeys(spare[name] for name in slips)  # else the only one with it as a word
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

    Several such columns, and texts that do not tell the rows apart, are an error: a name would be dropped otherwise.
    """
    free, of_models = [], []
    for i, header in enumerate(sheet.headers):
        pieces = words_of(header)
        named = bool(pieces) and pieces[-1] in {*_OF_MODELS, "name"}
        if i not in columns.values() and (named or not _NO_NAMES & {*pieces}):  # as in "training time of the model (s)"
            free.append(i)
            of_models += [i] if _OF_MODELS & {*pieces} else []
    texts = [i for i in free if _are_names(sheet.column(i), i in of_models)]
    places = sheet.column(columns["domain"]) if "domain" in columns else [""] * len(sheet.rows)

    def apart(*several: int) -> bool:
        return len({*zip(places, *map(sheet.column, several), strict=True)}) == len(places)

    called = [(i, plain(sheet.headers[i])) for i in free if not texts]  # numbers, where no text names
    of_rows = _OF_GROUPS | _OF_CLASSES | {*RUNS}
    texts = texts or [i for i, name in called if name in _THRESHOLDS or (name in of_rows and apart(i))]
    first = [i for i in texts if i in of_models] or texts
    naming = [i for i in first if apart(i)]
    header = sheet.headers[naming[0]] if len(naming) == 1 and naming[0] not in of_models else ""
    means = {plain(header), *words_of(header)[-1:]}  # as in "cancer type" and "task_difficulty"
    ways, models = list[Any](), _models_named(header)
    if means & {*RUNS}:
        ways = ["give the counts of all runs together", models]
        raise sheet.error(f"the rows look like runs of one model, by {quoted(header)}", way_out=ways)
    if means & _OF_GROUPS:
        ways = [("if so, they are domains: ", Option("domain", header)), models]
        raise sheet.error(f"the rows look like groups of one model, by {quoted(header)}", way_out=ways)
    if len(naming) == 1 or not texts:
        names_classes = "support" in map(plain, sheet.headers) or _PER_CLASS.search(Path(sheet.where).name)
        if means & _OF_CLASSES or (header and names_classes):
            refuse_classes(header, sheet.where)
        return naming[0] if naming else None
    ways = [("say which with ", Option("entity", "…")), "drop them"]
    models_first = [i for i in first if plain(sheet.headers[i]) not in _OF_GROUPS]
    for i, j in [(i, j) for i in models_first for j in texts if not naming and i != j and apart(i, j)][:1]:
        model, domain = Option("entity", sheet.headers[i]), Option("domain", sheet.headers[j])
        ways = [("name the models with ", model, " and the domains with ", domain), "join both in one column"]
    raise sheet.error(
        f"no column entity, but texts in {', '.join(quoted(sheet.headers[i]) for i in texts)}", way_out=ways
    )


def _models_named(header: str) -> tuple[str | Option, ...]:
    return "if they are models, say so with ", Option("entity", header)


def refuse_classes(header: str, where: str = "") -> None:
    """Refuse rows of the classes of one model, each against the others, which the column of a header may name."""
    ways: list[Any] = ['give its confusion matrix as JSON: {"labels": ["a", "b"], "matrix": [[…], […]]}']
    if header:
        ways.append(_models_named(header))
    what = "the rows look like the classes of one model, each against the others"
    raise DataError(what, where=Place(where), way_out=ways)


def _are_names(cells: Sequence[Any], of_models: bool) -> bool:
    """Tell whether cells may be names: texts, no measures, times, notes and the like; of models some may be missing."""
    there = [cell for cell in cells if not empty(cell)]
    if not there or (len(there) < len(cells) and not of_models) or not all(isinstance(cell, str) for cell in there):
        return False
    texts = [cell.strip() for cell in there]
    is_note = sum(len(text.split()) for text in texts) > 8 * len(texts)  # words of each
    odd = any(all(map(pattern.fullmatch, texts)) for pattern in (_MEASURE, _TIME, _ADDRESS, _YES))
    lettered = sum(number_of_text(text, False) is None and bool(re.search(r"[^\W\d_]", text)) for text in texts)
    return 2 * lettered > len(texts) and not is_note and not odd


# Right or wrong


class Columns(NamedTuple):
    """Which column holds what in a table of cases: several of ``answers`` are several models.

    They are right or wrong, or predictions where there is a ``truth``, which are scores where there is a ``threshold``.
    Several ``levels`` make a domain, in a hierarchy.
    """

    answers: tuple[str, ...]
    entity: str | None = None
    levels: tuple[str, ...] = ()
    case: str | None = None
    cluster: str | None = None
    repeat: str | None = None
    truth: str | None = None
    threshold: float | None = None
    fold: str | None = None
    weight: str | None = None

    @property
    def scored(self) -> bool:
        """Whether the answers are scores."""
        return self.threshold is not None

    @property
    def lone(self) -> str | None:
        """The only column of answers, where no column was named that names the models."""
        return self.answers[0] if len(self.answers) == 1 and self.entity is None else None

    @property
    def domain(self) -> str | None:
        """The column that names the domain, None where none does."""
        return JOINED if len(self.levels) > 1 else next(iter(self.levels), None)

    def numbers(self) -> dict[str, tuple[str, str]]:
        """Return the columns that must hold numbers: what they hold, and what is expected."""
        weights = {} if self.weight is None else {self.weight: ("numbers", "weights ≥ 0")}
        return dict.fromkeys(self.answers if self.scored else (), ("scores", "numbers")) | weights

    def by_role(self) -> dict[str, tuple[str, ...]]:
        """Return the headers by what their columns hold; a column that files are given is none."""
        answers = "correct" if self.truth is None else "score" if self.scored else "prediction"
        several = {answers: self.answers, "domain": self.levels}
        roles = ("truth", answers, "entity", "domain", "case", "weight", "cluster", "fold", "repeat")
        named: dict[str, Any] = {role: several.get(role) or (getattr(self, role, None),) for role in roles}
        return {role: headers for role, headers in named.items() if headers not in ((None,), (FILE,))}

    def roles(self) -> dict[str, str]:
        """Return the headers of the source that are used, and what each column holds."""
        roles: dict[str, str] = {}
        for role, headers in self.by_role().items():
            for header in headers:
                roles.setdefault(header, role)
        return roles


_BESIDE = {"case": CASES, "entity": HEADERS["entity"], "domain": HEADERS["domain"], "repeat": REPEATS}
_BESIDE_MODELS = {"case": (*CASES, *CLUSTERS), "domain": HEADERS["domain"], "cluster": CLUSTERS}


def _filled(headers: Sequence[str], columns: Columns, names_of: Mapping[str, Sequence[str]]) -> Columns:
    """Return columns with those that headers name, role by role, where none is named; each has one role."""
    for word, names in names_of.items():
        header = first_of(headers, names, *columns.roles())
        if header is not None and word not in columns.by_role():
            given: Any = {"levels": (header,)} if word == "domain" else {word: header}
            columns = columns._replace(**given)
    return columns


def case_columns(headers: Sequence[str]) -> Columns | None:
    """Return which columns hold right or wrong per case, by the headers alone; None where they are of something else.

    A header such as "correct" needs a column beside it that names the case or the model, and no total; one such as
    "score" needs both.
    """
    if {plain(header) for header in headers} & (_COUNTS | OF_METRICS):
        return None
    right = first_of(headers, CORRECT)
    case = first_of(headers, CASES, right)
    if right is None and case is not None and first_of(headers, HEADERS["entity"], case) is not None:
        right = first_of(headers, PERHAPS, case)
        others = [header for header in headers if header != right]
        if any(rate_of(header) is not None or (is_truth(header) and plain(header) != "answer") for header in others):
            return None  # a list of printed rates, whose rows have numbers; or predictions
        predicted = (plain(header) in PREDICTIONS["prediction"] for header in others)
        if right is not None and is_truth(right) and any(predicted):
            return None
    if right is None:
        return None
    columns = _filled(headers, Columns((right,), case=case), _BESIDE)
    return columns if columns.case or columns.entity or len(headers) == 1 else None


def wide_headers(
    headers: Sequence[str], domain: tuple[str, ...] = (), case: tuple[str, ...] = (), cluster: tuple[str, ...] = ()
) -> Columns | None:
    """Return the columns of a table with one column per entity, by its headers alone; None for other tables."""
    named = Columns((), None, domain, case[0] if case else None, cluster[0] if cluster else None)
    columns = _filled(headers, named, _BESIDE_MODELS)
    index = "" if headers and headers[0] == "" else None  # of a data frame, which numbers the rows
    of_entities = tuple(header for header in headers if header not in columns.roles() and header != index)
    taken = {*_COUNTS, *HEADERS["entity"], *REPEATS, *WEIGHTS}
    if len(of_entities) < 2 or any(plain(header) in taken or role(header) is not None for header in of_entities):
        return None
    return columns._replace(answers=of_entities)


def wide_columns(
    headers: Sequence[str], rows: Iterable[Sequence[Any]], asked: bool = False, **named: tuple[str, ...]
) -> Columns | None:
    """Return the columns of a table of right or wrong with one column per entity, or per item; None for other tables.

    A column names the cases, and all others but those of the domain and the cluster, two at least, are of entities.
    These may be ``named``: case, domain and cluster. Or one column names the models, and the others are items, which
    are numbered unless the format was ``asked`` for.
    """
    columns, entity = wide_headers(headers, **named), first_of(headers, HEADERS["entity"])
    if columns is None:
        items = tuple(header for header in headers if header != entity)
        if entity is None or len(items) < 2 or not (asked or all(_ITEM.fullmatch(item.strip()) for item in items)):
            return None
        columns = Columns(items, entity)
    some_rows = [dict(zip(headers, row, strict=False)) for row in rows]
    answers = [[row.get(header) for header in columns.answers] for row in some_rows]
    right = all(empty(cell) or grade_of(cell) in (0, 1) for row in answers for cell in row)
    if not answers or not right or any(map(is_truth, columns.answers)):
        return None
    if columns.entity is not None:
        return columns
    names = [str(row.get("" if columns.case is None else columns.case)) for row in some_rows]
    if columns.case is None and not all(_ITEM.fullmatch(name) and not name.isdigit() for name in names):
        return None
    of_metrics = sum(map(is_metric, names)) > len(names) / 2 or all(map(is_metric, columns.answers))
    labeled = len({*names} & {*columns.answers}) > 1  # as a matrix is
    sums = {sum(grade_of(cell) or 0 for cell in row) for row in answers if not all(map(empty, row))}
    one_hot = sums == {1} and len(answers) >= (4 if len(columns.answers) > 2 else 8)  # an encoding of classes
    return None if of_metrics or labeled or one_hot else columns


def chosen_columns(
    headers: Sequence[str], correct: str | Sequence[str] | None = None, entity: str | None = None,
    domain: str | Sequence[str] | None = None, case: str | None = None, cluster: str | None = None,
    repeat: str | bool | None = None,
) -> Columns:  # fmt: skip
    """Return the columns that are asked for, and by their headers those that are not."""
    given = (correct,) if isinstance(correct, str) else tuple(correct or ())
    if not given:
        known = case_columns(headers)
        if known is None:
            raise DataError(
                "no column says whether a case succeeded", expected="one called correct, success or passed",
                got=_list(headers), way_out=[["name it with ", Option("correct")]],
            )  # fmt: skip
        given = known.answers
    places = (domain,) if isinstance(domain, str) else tuple(domain or ())
    named = Columns(given, entity, places, case, cluster, repeat if isinstance(repeat, str) else None)
    columns = _filled(headers, named, _BESIDE)
    if columns.entity is not None and len(given) > 1:
        raise UsageError(
            [Option("entity", columns.entity), " names models, and so would each of the "
             "columns ", some(given, 4)],
            way_out=["name one column of answers", ["say what else it is, such as ", Option("case", columns.entity)]],
        )  # fmt: skip
    for header in headers:
        if plain(header) in OF_METRICS and header not in columns.roles():
            raise DataError(f"{quoted(header)} says what each number is", way_out=ONE_COLUMN_EACH)
    return columns._replace(repeat=None) if repeat is False else columns


# Cells of right or wrong, and of grades


def empty(cell: Any) -> bool:
    """Tell whether nothing was answered: a cell that is missing or blank, or a text such as "n/a"."""
    return missing(cell) or (isinstance(cell, str) and missing_text(cell))


UNIT = (0.0, 1.0)


def checked_scale(scale: Any) -> tuple[float, float]:
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


def grade_of(cell: Any, commas: bool = False, scale: tuple[float, float] = UNIT) -> float | None:
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
