"""Names of scores as they are compared."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from ..errors import Option, UnknownScoreError, UsageError
from ..tasks.judgements import is_of_ranked_lists

REFUSED: tuple[tuple[str, str, Any], ...] = (
    ("auc auroc rocauc rocaucscore auprc prauc aucpr ap averageprecision averageprecisionscore gini eer equalerrorrate "
     "brier brierscore brierscoreloss logloss crossentropy", " but of the scores of every case", [Option(
        "by",
        python="Performances.from_scores gives all operating points of a scored classifier",
        shell="`rankscape decide FILE --truth y --score p --costs miss=2` looks at all operating points",
    )]),
    ("mae mse rmse within r2 r2score mape medae maxerror explainedvariance meanabsoluteerror meansquarederror "
     "rootmeansquarederror medianabsoluteerror meanabsolutepercentageerror",
     " but of pairs (truth, prediction) of regression", [Option(
        "task",
        python='pass the name itself, as in rs.rank(tasks.regression.evaluate(y, predictions), by="mae")',
        shell="give the predictions, as in `rankscape rank FILE --truth y --prediction p --task regression --by mae`",
    )]),
    ("nmi ami mutualinfo mutualinformation normalizedmutualinfo normalizedmutualinformation adjustedmutualinfo "
     "adjustedmutualinformation vmeasure homogeneity completeness",
     ", here of pairs of elements: it needs the sizes of clusters and of what they share",
     "of pairs of elements ask for rand, adjusted rand or fmi"),
    ("silhouette daviesbouldin calinskiharabasz",
     ": it needs the positions of the elements, and no truth to be compared with", ()),
)  # fmt: skip
"""Normalized names that users know of what is no score of counts, why it is none, and what to do."""

_BEST_TEN = [
    "of runs and judgements, ",
    Option(
        "qrels",
        python='rs.read(["a.run", "b.run"], qrels="judgements.qrels", depth=10)',
        shell="`rankscape convert a.run b.run --qrels judgements.qrels --depth 10`",
    ),
    " counts the best ten documents of each query, to be ranked by precision, recall or f1",
]

MACRO = {
    "f1": "(2*tp/(2*tp + fp + fn) + 2*tn/(2*tn + fp + fn))/2",
    "precision": "(ppv + npv)/2",
    "jaccard": "(jplus + jminus)/2",
}
"""Averages of a score over both classes, each taken as the positive one; that of recall is the balanced accuracy."""


_SOKAL_SNEATH = {"ttheta(2)": "tp/(tp + 2(fp + fn))", "stheta(1/2)": "(tn + tp)/(tn + tp + (fp + fn)/2)"}

AMBIGUOUS: dict[str, dict[str, str]] = {
    "gmeasure": {"fmi": "the geometric mean of precision and recall", "gmean": "that of sensitivity and specificity"},
    "far": {"fdr": "the false alarm ratio, fp/(fp + tp)", "fpr": "the false alarm rate, fp/(tn + fp)"},
    "detectionrate": {"tpr": "the recall, tp/(fn + tp)", "ptp": "the share of tp in all cases"},
    "rejectionrate": {
        "ptn": "the share of tn in all cases",
        "tnr": "the specificity, tn/(tn + fp)",
        "negativerate": "the share of negative predictions",
    },
    "positiverate": {"predictionrate": "the share of positive predictions", "prior": "the share of positive cases"},
    "successrate": {"accuracy": "the share of right predictions", "tpr": "the recall", "ppv": "the success ratio"},
    "likelihoodratio": {"plr": "the positive likelihood ratio", "nlr": "the negative likelihood ratio"},
    "predictivevalue": {"ppv": "the positive predictive value", "npv": "the negative predictive value"},
    "j": {"youden": "Youden's J", "jplus": "the Jaccard index"},
    **dict.fromkeys(("sokalsneath", "sokalsneath1", "sokalsneath2"), _SOKAL_SNEATH),
}
"""Normalized names that mean several things: {name to type instead: what it means}."""

ENDINGS = ("score", "statistic", "coefficient", "index", "measure", "metric", "similarity")
"""Words at the end of a name that do not change which score it is."""


def refuse_ambiguous(name: str, plain: str) -> None:
    """Raise UsageError for a name that means several things, with the names to type instead."""
    meanings = [f"{key} ({meaning})" for key, meaning in AMBIGUOUS.get(plain, {}).items()]
    if meanings:
        raise UsageError(
            f"{name.strip()!r} means several things", way_out=f"type {', '.join(meanings[:-1])} or {meanings[-1]}"
        )


def possible_names(name: str) -> Iterator[str]:
    """Yield the normalized names that a name may stand for: itself, without 's, and without words such as "score".

    >>> list(possible_names("Youden's J statistic"))
    ['youdensjstatistic', 'youdensj', 'youdenjstatistic', 'youdenj']
    """
    for text in dict.fromkeys((name, re.sub(r"(?i)['’ʼ]s?(?![^\W_])", "", name))):
        plain = normalized(text)
        yield plain
        while len(plain := next((plain.removesuffix(word) for word in ENDINGS if plain.endswith(word)), "")) > 1:
            yield plain


def refusal(name: str) -> UnknownScoreError | None:
    """Return why a name that users know is no score of counts, and what to do; None for other names.

    >>> str(refusal("neg_log_loss"))[:60]
    'neg_log_loss is not a function of tn, fp, fn, tp but of the '
    """
    plain, short = normalized(name), name.strip()[:80]
    stems = {stem.removesuffix(end) for stem in (plain, plain.removeprefix("neg")) for end in ("", "score")}
    if re.fullmatch(r"\s*within\s*\(.*\)\s*", name.lower()):
        stems.add("within")
    refused = [(why, way_out) for names, why, way_out in REFUSED if stems & {*names.split()}]
    if is_of_ranked_lists(name):
        refused.append((" but a metric of ranked lists", [_BEST_TEN]))
    for why, way_out in refused:
        return UnknownScoreError(f"{short} is not a function of tn, fp, fn, tp{why}", way_out=way_out)
    if re.search(r"[_\s-](macro|micro|weighted|samples)$", name.strip()) or name.strip().startswith("neg_"):
        return UnknownScoreError(
            f"{short} is no name of a two-class score",
            way_out="ask for f1, of the positive class; for f1_macro, precision_macro, recall_macro or jaccard_macro; "
            "or for accuracy, which micro-averages equal; signs as in neg_ are kept as directions",
        )
    return None


def macro(name: str) -> str | None:
    """Return the expression of an average over both classes, such as f1_macro; None for other names.

    >>> macro("Precision macro"), macro("macro f1") == macro("f1_macro"), macro("mcc_macro")
    ('(ppv + npv)/2', True, None)
    """
    plain = normalized(name).removesuffix("score").replace("macroaveraged", "macro")
    if "macro" not in plain:
        return None
    base = plain.removeprefix("macro") if plain.startswith("macro") else plain.removesuffix("macro")
    base = {"fscore": "f1", "f1score": "f1", "dice": "f1", "iou": "jaccard", "ppv": "precision"}.get(base, base)
    return MACRO.get(base)


def normalized(name: str) -> str:
    """Return a name without case, accents, spaces, hyphens, dashes, underscores, dots, apostrophes and "and".

    >>> normalized("Cohen's kappa") == normalized("cohens-KAPPA"), normalized("Hanssen & Sørensen")
    (True, 'hanssensorensen')
    >>> normalized("J₊"), normalized("J-")
    ('jplus', 'jminus')
    """
    text = name.strip().lower()
    text = text.replace("tau", "τ").replace("pi", "π") if re.fullmatch(r"(tau|pi)[+\-−]", text) else text
    text = re.sub(r"[+₊]$", "plus", text)
    text = re.sub(r"[-−₋]$", "minus", text)
    text = re.sub(r"[\s_\-]+(and|&)[\s_\-]+|&", "", text)
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)).replace("ø", "o")
    return re.sub(r"[\s\-‐-―_.'‘’ʼ´′`]", "", text)
