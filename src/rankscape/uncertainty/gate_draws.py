"""What a gate starts from: two models, what was seen of them, and draws, which are those of a ranking of the two."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..outcomes import lacks_tn
from ..typing import Floats, Integers, Resample
from .box import Rates
from .draws import drawn_from
from .evidence import Evidence

ODDS = 2.0**-10
"""The odds of positives that stand for unknown ones: at a = 1 scores do not depend on it."""


@dataclass(frozen=True, eq=False)
class Pair:
    """What was seen of two models on domains: the new one, then the one in use.

    ``weights`` (domains,) sum to 1. ``right`` and ``total`` (domains, 2 models, classes) are numbers of cases,
    negatives first; cases that are right or wrong have one class. ``kinds`` are, per domain, the joint kinds of cases
    (clusters, classes, 4), in one row where there are no clusters; empty where only the counts of each model are known,
    or ``unit`` is "domains". Where cases are ``graded``, each has a row, with its share of each kind. With ``side``
    there are no true negatives: the "negatives" are the false positives, and positives are what was to be found.
    ``evidence`` is what draws start from, ``places`` are the domains there.
    """

    evidence: Evidence

    weights: Floats
    right: Floats
    total: Floats
    kinds: tuple[Floats, ...] = ()
    unit: Resample = "cases"
    graded: bool = False
    side: bool = False
    places: tuple[int, ...] = ()

    @property
    def cases(self) -> Floats:
        """Cases of each class that both models have, (domains, classes); without true negatives, positives for both."""
        cases = self.total.min(axis=1)
        return np.repeat(cases[:, 1:], 2, axis=1) if self.side else cases

    @property
    def paired(self) -> bool:
        """Whether both models share what is drawn."""
        return bool(self.kinds) or self.unit == "domains"

    @property
    def discordant(self) -> float:
        """How many cases just one of the two gets right; NaN where that is not known."""
        return float(sum(of[..., 1:3].sum() for of in self.kinds)) if self.kinds else np.nan

    @property
    def alike(self) -> bool:
        """Whether nothing that was seen tells one from the other."""
        if self.kinds:
            return not self.discordant
        right = self.total - self.right if self.side else self.right
        total = self.total[..., 1:] if self.side else self.total
        return self.unit == "domains" and bool((right[:, 0] * total[:, 1] == right[:, 1] * total[:, 0]).all())

    @property
    def copies(self) -> bool:
        """Whether exactly the same was seen of both; of counts each was perhaps seen on other cases."""
        return len(np.unique(self.evidence.kinds)) == 1

    def units(self) -> Integers:
        """Return how many units hold each class, (domains, classes): cases, clusters; one row of domains."""
        cases = self.cases
        if self.unit == "domains":
            return np.asarray((cases > 0).sum(axis=0, keepdims=True))
        if self.unit == "clusters" or self.graded:
            return np.array([(of.sum(axis=2) > 0).sum(axis=0) for of in self.kinds])
        return np.asarray(cases.astype(np.int64))

    def on(self, d: int) -> Pair:
        """Return what was seen on one domain."""
        unit: Resample = "cases" if self.unit == "domains" else self.unit
        return replace(
            self, weights=np.ones(1), right=self.right[d : d + 1], total=self.total[d : d + 1],
            kinds=self.kinds[d : d + 1], unit=unit, evidence=self.evidence.on(self.places[d]), places=(0,),
        )  # fmt: skip


def rates_of(pair: Pair, draws: int, seed: int, times: float = 1.0) -> Rates:
    """Return draws of the rates of two models, averaged over domains, as if of so many ``times`` the units.

    They are those of a ranking of the two. Gains are NaN of a class of which too few units were seen. The odds are
    those of the model in use.
    """
    evidence = replace(pair.evidence, times=times)
    masses = np.asarray(drawn_from(evidence, draws, seed).values, dtype=np.float64)
    space = evidence.space
    with np.errstate(invalid="ignore", divide="ignore"):
        if lacks_tn(space):
            fp, fn, tp = (masses[:, :, space.index(outcome)] for outcome in ("fp", "fn", "tp"))
            alarms, recall = fp / (fn + tp), tp / (fn + tp)  # of so many negatives that nothing depends on the number
            new, old = (np.stack([1 - ODDS * alarms[:, model], recall[:, model]], axis=1) for model in (0, 1))
            gain = np.stack([ODDS * (alarms[:, 1] - alarms[:, 0]), (new - old)[:, 1]], axis=1)
            return Rates(old, gain, np.full(len(masses), ODDS))
        totals = np.stack([masses[:, :, outcomes].sum(axis=2) for outcomes in evidence.classes], axis=2)
        rates = np.stack([masses[:, :, outcomes[0]] for outcomes in evidence.classes], axis=2) / totals
        old, gain = rates[:, 1], rates[:, 0] - rates[:, 1]
        if len(evidence.classes) == 1:  # cases that are right or wrong are all positive
            none = np.zeros_like(old)
            return Rates(np.hstack([none, old]), np.hstack([none, gain]), np.ones(len(old)))
        return Rates(old, gain, totals[:, 1, 1] / totals[:, 1, 0])
