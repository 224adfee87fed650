"""Scores of tasks other than two-class classification, by the names that people give them."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from functools import partial, reduce
from typing import Any

import numpy as np

from ..checks import one_line
from ..errors import Option, RankscapeError, UnknownScoreError, UsageError
from ..outcomes import SampleSpace
from ..performances import Performances
from ..tasks import multi_class
from ..tasks.classes import is_crisp, true_classes
from ..tasks.success import is_right_or_wrong, mean_of_grades
from ..tasks.table import task_of
from ..typing import Floats
from .expressions import Ratio, weighted_sum
from .names import normalized
from .score import Score, score_of_importance

_MOST_COMPARED = 200
_KIND = r"(?P<kind>macro|micro|weighted)(?:[\s_-]*(?:averaged|average|avg|mean))?"
_AVERAGES = (
    rf"(?P<base>.+?)[\s_-]*\(\s*{_KIND}\s*\)",
    rf"(?P<base>.+?)[\s_-]*{_KIND}",
    rf"{_KIND}[\s_-]*(?:of[\s_-]+)?(?P<base>.+)",
)
_ONE_CLASS = {other: key for key, names in multi_class.OF_ONE_CLASS.items() for other in (key, *names)}
"""The ranking scores of one class, by the names that people give them."""

_FORMULAS = {
    "recall": "P(prediction = {label} | truth = {label})",
    "precision": "P(truth = {label} | prediction = {label})",
    "jaccard": "P(both are {label} | truth or prediction is {label})",
    "f1": "2*P(both are {label}) / (P(truth = {label}) + P(prediction = {label}))",
}
"""The formula printed for the scores of one class: their sums over all pairs of classes would be long."""

_ONE = "|".join(re.escape(name).replace(r"\ ", r"[\s_-]*") for name in sorted(_ONE_CLASS, key=len, reverse=True))
_ONE = rf"(?P<one>{_ONE})(?:[\s_-]*score)?"
_EXPLICIT = (
    rf"(?is){_ONE}\s*\((?P<label>.+)\)",
    rf"(?is){_ONE}[\s_]+(?:of|for)[\s_]+(?:the\s+)?(?:class\s+)?(?P<label>.+)",
)
_BARE = (
    rf"(?is)(?P<label>.+?)[\s_-]+{_ONE}",
    rf"(?is){_ONE}[\s_-]+(?P<label>.+)",
)
_FILLERS = {"score", "of", "the", "rate", "coefficient"}
"""Words that change no meaning; "mean" and "average" do: the average precision is no precision."""


def score_of_task(name: str, space: SampleSpace, of_two_classes: Callable[[str], Score]) -> Score:
    """Return the score that a name stands for on a sample space other than that of two classes.

    Names are compared without case and signs, the words of averages and of scores of one class in any order: "macro f1"
    is "f1_macro", "cat recall" is "recall(cat)". ``of_two_classes`` gives the scores whose averages over classes may be
    asked for.
    """
    task = task_of(space)
    key = _key_among(name, space.scores)
    if key is not None:
        named = replace(score_of_importance(space.scores[key], space, name=key), symbol=key)
        formula = mean_of_grades(space) or task.formula
        every = len({*space.scores[key]}) == 1  # else the formula is of some cases only
        return replace(named, formula=formula) if formula and every and is_crisp(space) else named
    reason = task.why_not(normalized(name).removesuffix("score"), _tokens(name))
    if reason is not None:
        raise UnknownScoreError(f"{one_line(name)} is no score of {space.name} performances here: {reason}")
    if _key_among(name, task.errors) is not None and mean_of_grades(space) is None:
        return _error_rate(name, space)
    by = _of_classes(name.strip(), space, of_two_classes) if task.several else _f_beta(name, space)
    return by or _refuse(name, space, of_two_classes)


def _matches(forms: Iterable[str], name: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a name; forms are compiled when the first name is asked for, and most commands ask none."""
    return filter(None, (re.fullmatch(form, name) for form in forms))


def _key_among(name: str, known: Iterable[str]) -> str | None:
    """Return which of some names is meant: the same without case and signs, else the same words in another order."""
    plain, parts = normalized(name), _tokens(name)
    same = (key for key in known if normalized(key) in (plain, plain.removesuffix("score")))
    return next(same, None) or next((key for key in known if _tokens(key) == parts), None)


def _tokens(name: str) -> list[str]:
    """Return the words of a name that say which score it is, in the order of the alphabet.

    >>> _tokens("Kendall's tau") == _tokens("tau (Kendall)"), _tokens("balanced_accuracy_score")
    (True, ['accuracy', 'balanced'])
    """
    plain = re.sub(r"['’]s?\b", "", name.lower())
    return sorted(word for word in re.split(r"[^\w.]+|_+", plain) if word and word not in _FILLERS)


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


def _refuse(name: str, space: SampleSpace, of_two_classes: Callable[[str], Score]) -> Score:
    mean = mean_of_grades(space)
    if is_right_or_wrong(space) and _is_score(name, of_two_classes):
        raise UnknownScoreError(
            f"these data say which answers are right or wrong, and {one_line(name)} needs misses and false alarms"
            if mean is None else f"these data have a grade of each case, and no {one_line(name)}",
            way_out=[
                f"rank by {mean or 'accuracy'}",
                Option("truth", python="count predictions with rs.count", shell="give predictions, with --truth and "
                       "--prediction, or counts tn, fp, fn, tp"),
            ],
        )  # fmt: skip
    task, known, also = task_of(space), list(space.scores), list[str]()
    if task.several:
        known += [f"{one}(class)" for one in multi_class.OF_ONE_CLASS]
        also = [f"{one}({label})" for one in multi_class.OF_ONE_CLASS for label in space.labels[:_MOST_COMPARED]]
        also += [f"{kind} {one}" for kind in task.averages for one in multi_class.OF_ONE_CLASS]
    also += [names[0] for names in task.means.values()] + ["error rate"] * bool(task.errors)
    nearest = _nearest(name, [*also, *known])
    nearest = f"the nearest is {one_line(nearest)!r}; " if nearest else ""
    raise UnknownScoreError(
        f"no score of {space.name} performances is called {one_line(name)!r}; {nearest}known are "
        f"{', '.join(known)}; P(event | event) and an importance, one number per outcome, do as well"
    )


def _is_score(name: str, of_two_classes: Callable[[str], Score]) -> bool:
    """Tell whether a name is that of a score of two classes."""
    try:
        of_two_classes(name)
    except RankscapeError:
        return False
    return True


def _nearest(name: str, known: Sequence[str]) -> str | None:
    """Return the name that is most alike, whatever the order of the words; None where none is alike."""
    plain = {" ".join(_tokens(key)): key for key in reversed(known)}
    near = get_close_matches(" ".join(_tokens(name)), plain, n=1, cutoff=0.6)
    return plain[near[0]] if near else None


def _of_classes(name: str, space: SampleSpace, of_two_classes: Callable[[str], Score]) -> Score | None:
    """Return the score of one class, such as recall(cat), or an average such as f1_macro."""
    task = task_of(space)
    explicit = next(_matches(_EXPLICIT, name), None)
    if explicit is not None and (_class_called(explicit["label"], space) or explicit["label"] not in task.averages):
        return _of_one_class(name, explicit["one"], explicit["label"], space)
    for base, names in task.means.items():
        if _key_among(name, names) is not None:
            _refuse_similarity(name, space)
            return averaged(of_two_classes(base), "macro", space, names[0])
    average = next(_matches(_AVERAGES, name.lower()), None)
    if average is not None:
        _refuse_similarity(name, space)
        return averaged(of_two_classes(average["base"]), average["kind"], space, name)
    for bare in _matches(_BARE, name):
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
    which = next(known for key, known in _ONE_CLASS.items() if normalized(key) == normalized(one))
    weights = multi_class.importance_of_class(space, label, which)
    why = partial(absent, space, [label])
    by = score_of_importance(weights, space, name=one_line(name))
    return replace(by, symbol=name, formula=_FORMULAS[which].format(label=label), why_undefined=why)


# Averages over classes of two-class scores, each class against the rest


def averaged(base: Score, kind: str, space: SampleSpace, name: str) -> Score:
    """Return the average over classes of a score of each class against the rest: rarely sound for ranking.

    Undefined where the score of a class is. (Foundations, A.2.1. It states that micro-averages break Axiom 2;
    yet with one label per case, pooled over all classes, fp = fn, so that each is an increasing function of accuracy.)
    """
    accuracy = score_of_importance(np.ones(len(space)), space)
    sound = base.orders_as is not None and not base.constant and base.direction == "larger"
    alike = sound and (
        kind == "micro" or len({*(base.orders_as or ())}) == 1 or (kind == "weighted" and base.key == "tpr")
    )
    note = f'{name} orders as the accuracy, under another name: ask for "accuracy"' if alike else ""

    def caution(performances: Performances) -> str | None:
        if alike:
            return None
        way_out = "a sound choice is accuracy, the recall of one class, or an importance per class"
        if sound and kind == "macro" and base.key == "tpr":
            if multi_class.same_priors(performances):
                return None
            return f"{name} is sound for ranking only where class priors are equal, and here they differ; {way_out}"
        return (
            f"{name} is not sound for ranking: averaged over classes, a blind mixture can come before the best or "
            "after the worst of what it mixes (Axiom 3), or classifiers that are never right can differ (Axiom 2); "
            + way_out
        )

    return Score(
        key=name,
        name=name,
        symbol=name,
        formula="",
        domain=f"{base.symbol} to be defined for every class",
        low=base.low,
        high=base.high,
        direction=base.direction,
        source="Foundations, A.2.1",
        note=note,
        space=space,
        function=lambda performances: _average(performances, base, kind),
        exactly=lambda performances: _exact_average(performances, base, kind),
        why_undefined=lambda mass: _undefined_class(mass, base, kind, space),
        order_node=accuracy.node if alike else None,
        orders_as=accuracy.importance if alike else None,
        caution=caution,
    )


def _average(performances: Performances, base: Score, kind: str) -> Floats:
    views = _views(performances, kind)
    if kind == "micro":
        return base(Performances(np.mean([view.mass for view in views.values()], axis=0), None, performances.names))
    values = np.stack([base(view) for view in views.values()], axis=-1)
    if kind == "macro":
        return np.asarray(values.mean(axis=-1))
    priors = multi_class.class_priors(performances)
    return np.asarray(np.where(priors > 0, values * priors, 0).sum(axis=-1))


def _views(performances: Performances, kind: str) -> dict[str, Performances]:
    """Return each class against the rest; for means of scores, void has none."""
    labels = true_classes(performances) if kind == "macro" else multi_class.classes(performances)
    return {label: multi_class.one_vs_rest(performances, label) for label in labels}


def _exact_average(performances: Performances, base: Score, kind: str) -> Ratio | None:
    """Return the average as exact ratios of integers; None where the score of a class is not rational."""
    views = _views(performances, kind).values()
    if kind == "micro":
        pooled = np.sum([view.integers for view in views], axis=0)
        return base.exact(Performances.from_exact(pooled, names=range(len(pooled))), values=True)
    ratios = [base.exact(view, values=True) for view in views]
    parts = [ratio for ratio in ratios if ratio is not None]
    if len(parts) < len(ratios):
        return None
    if kind == "macro":
        total = reduce(_added, parts)
        return Ratio(total.top, total.bottom * len(parts))
    width = len(parts)  # what does not occur does not count, defined or not
    sizes = performances.integers.reshape(-1, width, width).sum(axis=2).T
    tops = [np.where(size > 0, size * part.top, 0) for size, part in zip(sizes, parts, strict=True)]
    bottoms = [np.where(size > 0, part.bottom, 1) for size, part in zip(sizes, parts, strict=True)]
    total = reduce(_added, map(Ratio, tops, bottoms))
    return Ratio(total.top, total.bottom * sizes.sum(axis=0))


def _added(one: Ratio, two: Ratio) -> Ratio:
    return Ratio(one.top * two.bottom + two.top * one.bottom, one.bottom * two.bottom)


def _undefined_class(mass: Floats, base: Score, kind: str, space: SampleSpace) -> str | None:
    """Say in short which class has no score, and why."""
    views = _views(Performances.from_probabilities(mass, space=space), kind)
    wrong = [label for label, view in views.items() if np.isnan(base(view)).any()]
    if not wrong:
        return None
    return absent(space, wrong, mass) or f"of class {one_line(wrong[0])}: {base.reasons(views[wrong[0]])[0]}"


def absent(space: SampleSpace, labels: list[str], mass: Floats) -> str | None:
    """Say that the first of some classes is never predicted, or has no case; None where neither is so."""
    known = multi_class.classes(space)
    table = mass.reshape(len(known), len(known))
    at = known.index(labels[0])
    more = "" if len(labels) == 1 else f", and so for {len(labels) - 1} more"
    never = [] if table[:, at].any() else [f"never predicts {one_line(labels[0])}"]
    never += [] if table[at].any() else [f"no case is of class {one_line(labels[0])}"]
    return " and ".join(never) + more if never else None
