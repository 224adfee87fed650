"""Scores of tasks other than two-class classification, by the names that people give them."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ..checks import one_line
from ..errors import UnknownScoreError, UsageError
from ..outcomes import TWO_CLASS, SampleSpace
from ..tasks import multi_class
from ..tasks.classes import is_crisp
from .averages import absent, averaged
from .expressions import weighted_sum
from .names import normalized
from .score import Score, score_of_importance

AVERAGES = ("macro", "micro", "weighted")
_MOST_COMPARED = 200

_KIND = rf"(?P<kind>{'|'.join(AVERAGES)})(?:[\s_-]*(?:averaged|average|avg|mean))?"
_AVERAGES = (
    re.compile(rf"(?P<base>.+?)[\s_-]*\(\s*{_KIND}\s*\)"),
    re.compile(rf"(?P<base>.+?)[\s_-]*{_KIND}"),
    re.compile(rf"{_KIND}[\s_-]*(?:of[\s_-]+)?(?P<base>.+)"),
)
_OF_ONE_CLASS = {
    **{name: name for name in multi_class.OF_ONE_CLASS},
    **dict.fromkeys(("sensitivity", "tpr", "hit rate"), "recall"),
    **dict.fromkeys(("ppv", "positive predictive value"), "precision"),
    **dict.fromkeys(("iou", "jaccard index", "threat score", "csi"), "jaccard"),
    **dict.fromkeys(("dice", "f1 measure"), "f1"),
}
"""The ranking scores of one class, by the names that people give them."""

_FORMULAS = {
    "recall": "P(prediction = {label} | truth = {label})",
    "precision": "P(truth = {label} | prediction = {label})",
    "jaccard": "P(both are {label} | truth or prediction is {label})",
    "f1": "2*P(both are {label}) / (P(truth = {label}) + P(prediction = {label}))",
}
"""The formula printed for the scores of one class: their sums over all pairs of classes would be long."""

_ONE = "|".join(re.escape(name).replace(r"\ ", r"[\s_-]*") for name in sorted(_OF_ONE_CLASS, key=len, reverse=True))
_ONE = rf"(?P<one>{_ONE})(?:[\s_-]*score)?"
_EXPLICIT = (
    re.compile(rf"{_ONE}\s*\((?P<label>.+)\)", re.IGNORECASE | re.DOTALL),
    re.compile(rf"{_ONE}[\s_]+(?:of|for)[\s_]+(?:the\s+)?(?:class\s+)?(?P<label>.+)", re.IGNORECASE | re.DOTALL),
)
_BARE = (
    re.compile(rf"(?P<label>.+?)[\s_-]+{_ONE}", re.IGNORECASE | re.DOTALL),
    re.compile(rf"{_ONE}[\s_-]+(?P<label>.+)", re.IGNORECASE | re.DOTALL),
)
_FILLERS = {"score", "of", "the", "rate", "coefficient"}
"""Words that change no meaning; "mean" and "average" do: the average precision is no precision."""

_BALANCED = {"balanced accuracy", "ba"}
_ERRORS = {"error", "misclassification", "er", "err", "zero one loss", "zerooneloss"}


def score_of_task(name: str, space: SampleSpace, of_two_classes: Callable[[str], Score]) -> Score:
    """Return the score that a name stands for on a sample space other than that of two classes.

    Names are compared without case and signs, the words of averages and of scores of one class in any order: "macro f1"
    is "f1_macro", "cat recall" is "recall(cat)". ``of_two_classes`` gives the scores whose averages over classes may be
    asked for.
    """
    key = _key_among(name, space.scores)
    if key is not None:
        found = replace(score_of_importance(space.scores[key], space, name=key), symbol=key)
        return replace(found, formula="P(prediction = truth)") if space.labels and is_crisp(space) else found
    return (_of_classes(name, space, of_two_classes) if space.labels else _f_beta(name, space)) or _refuse(name, space)


def _key_among(name: str, known: Iterable[str]) -> str | None:
    """Return which of some names is meant: the same without case and signs, else the same words in another order."""
    plain, words = normalized(name), _words(name)
    for same in (lambda key: normalized(key) in (plain, plain.removesuffix("score")), lambda key: _words(key) == words):
        found = next(filter(same, known), None)
        if found is not None:
            return found
    return None


def _words(name: str) -> list[str]:
    """Return the words of a name that say which score it is, in the order of the alphabet.

    >>> _words("Kendall's tau") == _words("tau (Kendall)"), _words("balanced_accuracy_score")
    (True, ['accuracy', 'balanced'])
    """
    plain = re.sub(r"['’]s?\b", "", name.lower())
    return sorted(word for word in re.split(r"[^\w.]+|_+", plain) if word and word not in _FILLERS)


def default_score(space: SampleSpace) -> str | None:
    """Return the name of the score by which performances are ranked where none is named: F₁, or accuracy.

    >>> default_score(multi_class.space(["a", "b", "c"]))
    'accuracy'
    """
    if space.outcomes == TWO_CLASS.outcomes or "f1" in space.scores:
        return "f1"
    return "accuracy" if space.labels and "accuracy" in space.scores else None


def _f_beta(name: str, space: SampleSpace) -> Score | None:
    """Return F_β for any β, such as f3, where the space has an F₁."""
    plain = re.sub(r"[\s_-]", "", name.lower())
    beta = re.fullmatch(r"(?:f|fbeta)\(?(\d+\.?\d*|\.\d+|\d+/\d+)\)?(?:score|measure)?", plain)
    if beta is None or "f1" not in space.scores:
        return None
    square = Fraction(beta[1]) ** 2
    weights: list[Any] = [{"fp": 1, "fn": square, "tp": 1 + square}.get(outcome, 0) for outcome in space.outcomes]
    return replace(score_of_importance(weights, space, name=one_line(name)), symbol=name)


def _error_rate(name: str, space: SampleSpace) -> Score:
    """Return the share of wrong predictions, 1 − accuracy; smaller is better."""
    _refuse_similarity(name, space)
    wrong = {o: 1 for o, s in zip(space.outcomes, space.satisfaction or (), strict=True) if not s}
    accuracy = score_of_importance(np.ones(len(space)), space, name="error rate")
    return replace(
        accuracy,
        key="er",
        symbol="error rate",
        formula="1 − accuracy",
        direction="smaller",
        importance=None,
        node=weighted_sum(wrong),
    )


def _refuse_similarity(name: str, space: SampleSpace) -> None:
    if not is_crisp(space):
        raise UsageError(f"{one_line(name)} counts classes as right or wrong; here satisfaction is a similarity")


def _refuse(name: str, space: SampleSpace) -> Score:
    reason = _why_not(name, space)
    if reason is not None:
        raise UnknownScoreError(f"{one_line(name)} is no score of {space.name} performances here: {reason}")
    known, also = list(space.scores), list[str]()
    if space.labels:
        known += [f"{one}(class)" for one in multi_class.OF_ONE_CLASS]
        also = [f"{one}({label})" for one in multi_class.OF_ONE_CLASS for label in space.labels[:_MOST_COMPARED]]
        also += [f"{kind} {one}" for kind in AVERAGES for one in multi_class.OF_ONE_CLASS]
        also += ["balanced accuracy", "error rate"]
    nearest = _nearest(name, [*also, *known])
    nearest = f"the nearest is {one_line(nearest)!r}; " if nearest else ""
    raise UnknownScoreError(
        f"no score of {space.name} performances is called {one_line(name)!r}; {nearest}known are "
        f"{', '.join(known)}; P(event | event) and an importance, one number per outcome, do as well"
    )


def _nearest(name: str, known: Sequence[str]) -> str | None:
    """Return the name that is most alike, whatever the order of the words; None where none is alike."""
    plain = {" ".join(_words(key)): key for key in reversed(known)}
    near = get_close_matches(" ".join(_words(name)), plain, n=1, cutoff=0.6)
    return plain[near[0]] if near else None


def _why_not(name: str, space: SampleSpace) -> str | None:
    plain = normalized(name).removesuffix("score")
    if space.labels and plain in ("mcc", "kappa", "cohenkappa", "cohenskappa", "matthewscorrcoef"):
        short = "kappa" if "kappa" in plain else "mcc"
        way_out = f"take accuracy or balanced accuracy; {short}_macro averages that of each class against the rest"
        return f"of several classes it is no ranking score (it corrects for chance by all margins); {way_out}"
    if space.labels and "weighted" in _words(name) and {"kappa", "cohen"} & {*_words(name)}:
        way_out = "pass the weights as similarity= of multi_class.evaluate, and rank by the expected similarity"
        return (
            f"it weighs pairs of classes, and corrects for chance by all margins, so it is no ranking score; {way_out}"
        )
    others = ("taub", "tauc", "kendalltaub", "kendalltauc", "spearman", "spearmanr", "rho")
    if space.name == "ranking" and plain in others:
        return "it needs more than the pairs that are concordant and discordant; without ties tau is τ-a, τ-b and τ-c"
    return None


def _of_classes(name: str, space: SampleSpace, of_two_classes: Callable[[str], Score]) -> Score | None:
    """Return the score of one class, such as recall(cat), an average such as f1_macro, or the error rate."""
    name = name.strip()
    if _why_not(name, space) is not None:
        return None
    if _key_among(name, _ERRORS) is not None:
        return _error_rate(name, space)
    explicit = next(filter(None, (form.fullmatch(name) for form in _EXPLICIT)), None)
    if explicit is not None and (_class_called(explicit["label"], space) or explicit["label"] not in AVERAGES):
        return _of_one_class(name, explicit["one"], explicit["label"], space)
    if _key_among(name, _BALANCED) is not None:
        _refuse_similarity(name, space)
        return averaged(of_two_classes("recall"), "macro", space, "balanced accuracy")
    average = next(filter(None, (form.fullmatch(name.lower()) for form in _AVERAGES)), None)
    if average is not None:
        _refuse_similarity(name, space)
        return averaged(of_two_classes(average["base"]), average["kind"], space, name)
    for bare in filter(None, (form.fullmatch(name) for form in _BARE)):
        if _class_called(bare["label"], space) is not None:
            return _of_one_class(name, bare["one"], bare["label"], space)
    return None


def _class_called(text: str, space: SampleSpace) -> str | None:
    """Return the class of a name, with other capitals if only one class is called so; None where there is none."""
    text = text.strip()
    if text in space.labels:
        return text
    alike = [label for label in space.labels if label.casefold() == text.casefold()]
    return alike[0] if len(alike) == 1 else None


def _of_one_class(name: str, one: str, label: str, space: SampleSpace) -> Score:
    _refuse_similarity(name, space)
    label = _class_called(label, space) or label.strip()
    which = next(known for key, known in _OF_ONE_CLASS.items() if normalized(key) == normalized(one))
    weights = multi_class.importance_of_class(space, label, which)
    why = partial(absent, space, [label])
    found = score_of_importance(weights, space, name=one_line(name))
    formula = _FORMULAS[which].format(label=label)
    return replace(found, symbol=name, formula=formula, why_undefined=why)
