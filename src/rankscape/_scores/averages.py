"""Averages over classes of two-class scores, each class against the rest: macro, micro and weighted."""

from functools import reduce
from operator import add

import numpy as np

from ..checks import one_line
from ..outcomes import SampleSpace
from ..performances import Performances
from ..tasks import multi_class
from ..tasks.classes import true_classes
from ..typing import Floats
from .ratios import Ratio
from .score import Score, score_of_importance


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
        return base.exact_values(Performances.from_exact(pooled, names=range(len(pooled))))
    ratios = [base.exact_values(view) for view in views]
    parts = [ratio for ratio in ratios if ratio is not None]
    if len(parts) < len(ratios):
        return None
    if kind == "macro":
        total = reduce(add, parts)
        return Ratio(total.top, total.bottom * len(parts))
    width = len(parts)  # what does not occur does not count, defined or not
    sizes = performances.integers.reshape(-1, width, width).sum(axis=2).T
    tops = [np.where(size > 0, size * part.top, 0) for size, part in zip(sizes, parts, strict=True)]
    bottoms = [np.where(size > 0, part.bottom, 1) for size, part in zip(sizes, parts, strict=True)]
    total = reduce(add, map(Ratio, tops, bottoms))
    return Ratio(total.top, total.bottom * sizes.sum(axis=0))


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
