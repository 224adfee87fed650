"""The catalogue of the scores, written from the table that ``rankscape scores`` prints."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rankscape as rs
from rankscape.cli.scores import _range

from .rst import escaped, table, title

Row = dict[str, Any]

VERDICTS = {
    "always": "Sound for ranking",
    "fixed priors": "Sound where all have the same prior",
    "fixed prediction rates": "Sound where all have the same prediction rate",
    "never": "Not sound for ranking",
}

MEANING = {
    "always": "These scores rank as a ranking score does, whatever is compared: each has one place on the Tile.",
    "fixed priors": "These scores rank as a ranking score does if all entities have the same share of "
    "positives, as on one "
    "test set. Their place depends on it: p is the prior π₊, and q = 1 − p.",
    "fixed prediction rates": "Such a score ranks as a ranking score does if all entities predict positive "
    "equally often. "
    "Its place depends on how often: t is the prediction rate τ₊.",
    "never": "These scores can put a blind mixture of models above the best of them, below the worst, or order "
    "against the "
    "task, even on one test set. The neighbor is the sound score with a name that ranks most alike. It depends "
    "on what is "
    "compared, so it is given for all performances and for those of one prior, here 0.2, with Kendall's τ to the most "
    "similar place of the Tile.",
}

WORDS = {
    "sensitivity, recall, hit rate": "tpr",
    "specificity": "tnr",
    "precision, positive predictive value": "ppv",
    "negative predictive value": "npv",
    "false alarm rate, false positive rate, fall-out": "fpr",
    "miss rate, false negative rate": "fnr",
    "false discovery rate": "fdr",
    "Dice, F1, F-measure": "fbeta",
    "Jaccard, intersection over union (IoU), threat score": "jplus",
    "error rate, misclassification rate": "er",
    "Youden's J, informedness": "youden",
    "phi coefficient, Matthews correlation": "mcc",
    "agreement, Cohen's kappa, Heidke skill score": "kappa",
}
"""Words that people search for, each with the key of its score."""

TOPICS = {
    "imbalanced data, rare positives": "Accuracy hardly moves when positives are rare. Say instead what a miss "
    "costs next "
    "to a false alarm (:func:`rankscape.costs`), which fits any share of positives, and see :doc:`/tutorials/6-prior`. "
    ":ref:`Balanced accuracy <score-ba>` and the :ref:`F-scores <score-fbeta>` are two places among all those "
    "on the Tile.",
    "AUC, area under the ROC curve, average precision": "These belong to a model at all of its thresholds. The "
    "scores of "
    "this page belong to one confusion matrix, that is, to one threshold. :func:`rankscape.decisions.sweep` "
    "finds the best "
    "threshold of each model for your preference; :func:`rankscape.views.roc` and :func:`rankscape.views.pr` "
    "draw the planes.",
    "confidence interval, error bars, significance": "``rankscape rank --uncertainty`` prints an interval for "
    "each score and "
    "a set of ranks for each model, see :func:`rankscape.uncertainty.rank_intervals`.",
    "macro F1, micro F1, weighted F1, several classes": "See :doc:`/howto/other-tasks` and :doc:`/reference/6-tasks`.",
    "log loss, Brier score, calibration": "These judge probabilities. rankscape judges decisions, so it has neither. "
    "See :func:`rankscape.views.decision_curves` for decisions that follow from risks.",
    "net benefit, decision curve": "See the :ref:`net benefit <score-netbenefit>` and "
    ":func:`rankscape.views.decision_curve`.",
    "mean squared error, RMSE, MAE": "See :func:`rankscape.tasks.regression.criterion`.",
    "mean average precision, NDCG": "See :func:`rankscape.tasks.retrieval.evaluate` and "
    ":func:`rankscape.tasks.detection.evaluate` for what retrieval and detection have instead.",
}
"""Words that people search for that are no score of one confusion matrix, and where the answer is."""


def rows() -> list[Row]:
    """Return the table of the scores, one mapping per score."""
    scores = rs.scores()
    return [dict(zip(scores.columns, row, strict=True)) for row in scores.rows()]


def key_of(row: Row) -> str:
    """Return the key of a score without its parameters."""
    return str(row["key"]).partition("(")[0]


MEMBERS = {"F₁": ("f1", "fbeta"), "F₂": ("f2", "fbeta")}
"""Well-known members of families: what rankscape calls them, and the key of the family."""


def alike(row: Row, every: list[Row]) -> Iterator[tuple[str, str]]:
    """Yield (symbol, key) of the other scores with the same place and verdict, which rank in the same way."""
    if "=" not in (row["place"] or ""):
        return
    for other in every:
        if other is not row and all(row[k] == other[k] for k in ("sound", "place", "rate_place")):
            yield other["symbol"], key_of(other)
    if row["sound"] == "always":
        place = rs.locate(key_of(row))
        yield from ((symbol, family) for symbol, (name, family) in MEMBERS.items() if rs.locate(name) == place)


def neighbors(key: str) -> Iterator[str]:
    """Yield the sound scores that rank most as an unsound one does."""
    for among, prior in (("all performances", None), ("the prior 0.2", 0.2)):
        audit = rs.audit(key, prior)
        if audit.closest is not None:
            yield f"{audit.closest} (τ = {audit.tau_max:.2f}, {among})"


def described(row: Row, every: list[Row], audits: bool) -> Iterator[tuple[str, str]]:
    """Yield what the catalogue says of a score, by field."""
    yield "Name in rankscape", f"``{row['key']}``"
    if row["aliases"]:
        yield "Also called", escaped(row["aliases"])
    yield "Formula", f"``{row['formula']}``" if row["formula"] else "none in closed form"
    yield "Defined for", escaped(row["domain"])
    yield "Range", escaped(_range(row["low"], row["high"]))
    yield "Better", "neither larger nor smaller values" if row["better"] == "neither" else f"{row['better']} values"
    if row["importance"]:
        yield "Importance", f"tn, fp, fn, tp = {escaped(row['importance'])}"
    if row["place"]:
        yield "Place on the Tile", escaped(row["place"])
    if row["rate_place"]:
        yield "Place at a prediction rate", f"{escaped(row['rate_place'])}, where t = τ₊"
    same = list(alike(row, every))
    if same:
        yield "Ranks as", ", ".join(f":ref:`{escaped(symbol)} <score-{key}>`" for symbol, key in same)
    if row["sound"] == "never" and audits:
        near = list(neighbors(key_of(row)))
        if near:
            yield "Neighbor", "; ".join(map(escaped, near))
    yield "Source", escaped(row["source"])
    if row["note"]:
        yield "Note", escaped(row["note"])


def heading(row: Row) -> str:
    """Return the name of a score with its symbol, where the name does not hold it already.

    >>> (
    ...     heading({"name": "accuracy", "symbol": "A"}),
    ...     heading({"name": "d′ (sensitivity index)", "symbol": "d′"}),
    ... )
    ('Accuracy (A)', 'd′ (sensitivity index)')
    """
    name, symbol = row["name"], row["symbol"]
    if symbol in name.split():
        return name if name.startswith(symbol) else f"{name[0].upper()}{name[1:]}"
    return f"{name[0].upper()}{name[1:]}" + (f" ({symbol})" if symbol.lower() != name.lower() else "")


def entry(row: Row, every: list[Row], audits: bool = True) -> str:
    """Return the part of the page about one score."""
    name = row["name"]
    terms = [name, *filter(None, row["aliases"].split(", "))]
    words = [re.sub(r"[;!]", "", term) for term in dict.fromkeys(terms)]
    lines = [".. index::", *(f"   single: {word}" for word in words), "", f".. _score-{key_of(row)}:", ""]
    fields = [f":{field}: {text}" for field, text in described(row, every, audits)]
    return "\n".join([*lines, title(escaped(heading(row)), "~"), *fields, ""])


def page(audits: bool = True) -> str:
    """Return the catalogue; ``audits`` looks for the neighbors of scores that are not sound, which takes a minute."""
    every = rows()
    by_key = {key_of(row): row for row in every}
    words = [(escaped(word), f":ref:`{escaped(by_key[key]['name'])} <score-{key}>`") for word, key in WORDS.items()]
    parts = [
        title("Catalogue of the scores"),
        f"Look up any of the {len(every)} named scores here: its formula, its range, and whether you may rank by it. "
        "Every name and every alias works in ``rankscape rank --by NAME``, and ``rankscape scores`` prints the same "
        "table.\n",
        "A score is *sound* if ranking by it respects the axioms of :doc:`/theory/2-scores`. For the proofs and the "
        "counterexamples, also for scores of your own, use :func:`rankscape.audit`.\n",
        title("Looking for …", "-"),
        table(("You search for", "Here it is"), words, (60, 40)),
        *(f"{escaped(word)}\n   {text}\n" for word, text in TOPICS.items()),
    ]
    for verdict, heading in VERDICTS.items():
        parts += [title(heading, "-"), f"{MEANING[verdict]}\n"]
        parts += [entry(row, every, audits) for row in every if row["sound"] == verdict]
    return "\n".join(parts)


def write(path: Path) -> None:
    """Write the catalogue."""
    path.write_text(page(), "utf-8")
