"""Scores of tasks other than two-class classification: by the names of their spaces, and averages over classes."""

import re
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import one_line
from ..errors import UnknownScoreError, UsageError
from ..outcomes import SampleSpace
from ..performances import Performances
from ..tasks import multi_class
from .names import normalized
from .score import Score, score_of_importance

AVERAGES = ("macro", "micro", "weighted")


def score_of_task(name: str, space: SampleSpace, of_two_classes: Callable[[str], Score]) -> Score:
    """Return the score that a name stands for on a sample space other than that of two classes.

    ``of_two_classes`` gives the scores whose averages over classes may be asked for.
    """
    plain = normalized(name)
    known = {normalized(key): key for key in space.scores}
    if plain.removesuffix("score") in known and plain not in known:
        plain = plain.removesuffix("score")
    if plain in known:
        key = known[plain]
        return replace(score_of_importance(space.scores[key], space, name=key), symbol=key)
    found = _of_classes(name, space, of_two_classes) if space.name == "multi-class" else None
    return found or _refuse(name, space)


def _refuse(name: str, space: SampleSpace) -> Score:
    known = list(space.scores)
    if space.name == "multi-class":
        known += [f"{one}(class)" for one in multi_class.OF_ONE_CLASS]
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    nearest = f"the nearest is {near[0]!r}; " if near else ""
    raise UnknownScoreError(
        f"no score of {space.name} performances is called {one_line(name)!r}; {nearest}known are "
        f"{', '.join(known)}; P(event | event) and an importance, one number per outcome, do as well"
    )


def _of_classes(name: str, space: SampleSpace, of_two_classes: Callable[[str], Score]) -> Score | None:
    """Return the score of one class, such as recall(cat), or an average over classes, such as f1_macro."""
    name = name.strip()
    balanced = normalized(name).removesuffix("score") in ("balancedaccuracy", "ba")
    one = re.fullmatch(rf"({'|'.join(multi_class.OF_ONE_CLASS)})\s*\((.+)\)", name, re.IGNORECASE)
    average = re.fullmatch(rf"(.+?)[\s_-]+({'|'.join(AVERAGES)})", "recall_macro" if balanced else name)
    if not (one or average):
        return None
    if space.satisfaction != multi_class.space(multi_class.classes(space)).satisfaction:
        raise UsageError(f"{one_line(name)} counts classes as right or wrong; here satisfaction is a similarity")
    if one:
        weights = multi_class.importance_of_class(space, one[2].strip(), one[1].lower())
        return replace(score_of_importance(weights, space, name=one_line(name)), symbol=name)
    base, kind = average.groups() if average else ("", "")
    return averaged(of_two_classes(base), kind, space, "balanced accuracy" if balanced else name)


def averaged(base: Score, kind: str, space: SampleSpace, name: str) -> Score:
    """Return the average over classes of a score of each class against the rest: rarely sound for ranking.

    Undefined where the score of a class is. (Foundations, A.2.1. There the micro-averages are said to break Axiom 2;
    yet with one label per case, pooled over all classes, fp = fn, so that each is an increasing function of accuracy.)
    """
    everywhere = np.ones(len(space))
    accuracy = score_of_importance(everywhere, space)
    sound = base.orders_as is not None and not base.constant and base.direction == "larger"
    alike = sound and (kind == "micro" or _all_alike(base.orders_as) or (kind == "weighted" and base.key == "tpr"))
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
        order_node=accuracy.node if alike else None,
        orders_as=accuracy.importance if alike else None,
        caution=caution,
    )


def _all_alike(importance: Any) -> bool:
    return len(set(importance)) == 1


def _average(performances: Performances, base: Score, kind: str) -> NDArray[np.float64]:
    views = [multi_class.one_vs_rest(performances, label) for label in multi_class.classes(performances)]
    if kind == "micro":
        mean = np.mean([view.mass for view in views], axis=0)
        return base(Performances(mean, None, performances.names))
    values = np.stack([base(view) for view in views], axis=-1)
    if kind == "macro":
        return np.asarray(values.mean(axis=-1))
    priors = multi_class.class_priors(performances)
    return np.asarray(np.where(priors > 0, values * priors, 0).sum(axis=-1))
