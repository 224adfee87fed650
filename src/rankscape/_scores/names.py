"""Names of scores as they are compared."""

import re

NOT_OF_COUNTS = (
    *("auc", "auroc", "rocauc", "rocaucscore", "auprc", "prauc", "aucpr", "ap", "averageprecision", "gini", "eer"),
    *("averageprecisionscore", "brier", "brierscore", "brierscoreloss", "logloss", "crossentropy", "equalerrorrate"),
)
"""Normalized names of scores that users ask for but that need more than counts."""

OF_REGRESSION = (
    *("mae", "mse", "rmse", "within", "r2", "r2score", "mape", "medae", "maxerror", "explainedvariance"),
    *("meanabsoluteerror", "meansquarederror", "rootmeansquarederror", "medianabsoluteerror"),
    "meanabsolutepercentageerror",
)
"""Normalized names of scores of regressors, that need pairs (truth, prediction)."""

OF_CLUSTERS = (
    *("nmi", "ami", "mutualinfo", "mutualinformation", "normalizedmutualinfo", "normalizedmutualinformation"),
    *("adjustedmutualinfo", "adjustedmutualinformation", "vmeasure", "homogeneity", "completeness"),
)
"""Normalized names of scores that need the sizes of clusters and of their intersections, not the pairs in them."""

OF_POSITIONS = ("silhouette", "daviesbouldin", "calinskiharabasz")
"""Normalized names of scores of clusters that need where elements are, and no truth."""

MACRO = {
    "f1": "(2*tp/(2*tp + fp + fn) + 2*tn/(2*tn + fp + fn))/2",
    "precision": "(ppv + npv)/2",
    "jaccard": "(jplus + jminus)/2",
}
"""Averages of a score over both classes, each taken as the positive one; that of recall is the balanced accuracy."""


def why_not(name: str) -> str | None:
    """Say why a name that users know is no score of counts, and what to do; None for other names.

    >>> why_not("neg_log_loss")[:60]
    'neg_log_loss is not a function of tn, fp, fn, tp: it needs t'
    """
    plain = normalized(name)
    stems = {stem.removesuffix(end) for stem in (plain, plain.removeprefix("neg")) for end in ("", "score")}
    start = f"{name.strip()[:80]} is not a function of tn, fp, fn, tp"
    if stems & {*NOT_OF_COUNTS}:
        way_out = "Performances.from_scores gives all operating points of a scored classifier"
        return f"{start}: it needs the scores of every case; {way_out}"
    if stems & {*OF_REGRESSION} or re.fullmatch(r"\s*within\s*\(.*\)\s*", name.lower()):
        way_out = 'pass the name itself, as in rs.rank(tasks.regression.evaluate(y, predictions), by="mae")'
        return f"{start} but of pairs (truth, prediction) of regression, which have no Score: {way_out}"
    if stems & {*OF_CLUSTERS}:
        way_out = "of pairs of elements ask for rand, adjusted rand or fmi"
        return f"{start}, here of pairs of elements: it needs the sizes of clusters and of what they share; {way_out}"
    if stems & {*OF_POSITIONS}:
        return f"{start}: it needs the positions of the elements, and no truth to be compared with"
    if re.search(r"[_\s-](macro|micro|weighted|samples)$", name.strip()) or name.strip().startswith("neg_"):
        return (
            f"{name.strip()[:80]} is no name of a two-class score: ask for that of the positive class, such as f1; for "
            "f1_macro, precision_macro, recall_macro or jaccard_macro, in which both classes count alike; or for "
            "accuracy, which micro-averages over both classes equal; signs as in neg_ are kept as directions"
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
    """Return a name without case, spaces, hyphens, dashes, underscores, dots or apostrophes.

    >>> normalized("Cohen's kappa") == normalized("cohens-KAPPA")
    True
    >>> normalized("J₊"), normalized("J-")
    ('jplus', 'jminus')
    """
    text = name.strip().lower()
    text = text.replace("tau", "τ").replace("pi", "π") if re.fullmatch(r"(tau|pi)[+\-−]", text) else text
    text = re.sub(r"[+₊]$", "plus", text)
    text = re.sub(r"[-−₋]$", "minus", text)
    return re.sub(r"[\s\-‐‑–—_.'’′`]", "", text)
