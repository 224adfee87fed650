"""Where on the Tile the ordering of a score is: on all performances, at a fixed prior, or a fixed prediction rate."""

from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from ..checks import checked_prior
from ..errors import NoPlaceError, Option, UsageError
from ..kernels.exact import fractions_of
from ..outcomes import TWO_CLASS, checked_importance, lacks_tn
from ..performances import Performances
from .formulated import Formulated
from .proofs import ranking_proof
from .sets import PerformanceSet

Share = float | Fraction
Place = tuple[Fraction, Fraction]

WAYS: dict[str, tuple[str, list[str | Option]]] = {
    "prior": ("prior", ["pass ", Option("prior"), " (the share of positives)"]),
    "rate": ("prediction rate", ["pass ", Option("prediction_rate"), " (the share of positive predictions)"]),
}
"""What can be fixed so that a score has a place: its name, and the way out of an error."""


def place_of_importance(importance: Any) -> Place:
    """Return a = I(tp)/(I(tn)+I(tp)), b = I(fn)/(I(fp)+I(fn)). (Tile, A.3.1, which differs from 4.2.)"""
    tn, fp, fn, tp = fractions_of(checked_importance(np.asarray(importance, dtype=object)))
    if tn + tp == 0 or fp + fn == 0:
        kind = "satisfying (tn, tp)" if tn + tp == 0 else "unsatisfying (fp, fn)"
        constant = f"no {kind} outcome matters, so its score is constant"
        raise NoPlaceError(f"this importance has no place on the Tile: {constant}")
    return tp / (tn + tp), fn / (fp + fn)


def needs(score: Formulated, fixed: str) -> bool:
    """Tell whether a score has a place where the "prior", or the "rate", is fixed, and none on all performances."""
    if score.orders_as is not None or score.space.outcomes != TWO_CLASS.outcomes:
        return False
    if score.known:
        return score.nodes_at(fixed) is not None
    proof = ranking_proof(score, PerformanceSet(fixed, Fraction(1, 2)))
    return proof is not None and proof.sign > 0


def exact_place(score: Formulated, prior: Share | None = None, prediction_rate: Share | None = None) -> Place:
    """Return the place of a score as exact fractions. Raises NoPlaceError where there is none."""
    if prior is not None:
        checked_prior(prior)
    if prediction_rate is not None:
        checked_prior(prediction_rate, "a prediction rate", "the share of positive predictions")
    if prior is not None and prediction_rate is not None:
        raise UsageError(["pass ", Option("prior"), " or ", Option("prediction_rate"), ", not both"])
    if lacks_tn(score.space) and score.orders_as is not None:
        return place_of_importance((0, *score.orders_as))
    if len(score.space) != len(TWO_CLASS) and not lacks_tn(score.space):
        raise NoPlaceError(f"{score.name} is on {score.space.name}, which has no Tile: a Tile is for four outcomes")
    if score.orders_as is not None:
        return place_of_importance(score.orders_as)
    fixed = "prior" if prior is not None else "rate" if prediction_rate is not None else None
    if fixed is None:
        ways = [way for way in WAYS if needs(score, way)]
        if ways:
            only = " or ".join(f"fixed {WAYS[way][0]}s" for way in ways)
            raise NoPlaceError(
                f"{score.name} has a place on the Tile only for {only}", way_out=[WAYS[way][1] for way in ways]
            )
        return _by_proof(score, PerformanceSet())
    share = prediction_rate if prior is None else prior
    among = PerformanceSet(fixed, Fraction(share.item() if isinstance(share, np.generic) else share or 0))
    if score.nodes_at(fixed) is None:
        return _by_proof(score, among)
    place = score.place_at(fixed, among.share)
    if place is None:
        must = "both classes must occur" if fixed == "prior" else "both predictions must occur"
        at = f"{WAYS[fixed][0]} {float(among.share):g}"
        raise NoPlaceError(f"{score.name} has no place on the Tile at the {at}: {must}")
    return place


def _by_proof(score: Formulated, among: PerformanceSet) -> Place:
    """Return the place that a proof gives an expression on a set; raise NoPlaceError where there is none."""
    proof = None if score.known or (among.fixed and among.share in (0, 1)) else ranking_proof(score, among)
    if proof is None:
        share = WAYS[among.fixed or "prior"][0]
        why = "it breaks the axioms of ranking" if score.known else "it is not known to order as a ranking score"
        why += f", even for fixed {share}s" if among.fixed is None or score.known else f" at this {share}"
        ways = [
            [f"at fixed {WAYS[way][0]}s it has one, ", *WAYS[way][1]]
            for way in WAYS
            if score.known and needs(score, way)
        ]
        raise NoPlaceError(f"{score.name} has no place on the Tile: {why}", way_out=ways)
    if proof.sign <= 0:
        why = "it decreases where a ranking score increases" if proof.sign else "it is constant"
        raise NoPlaceError(f"{score.name} has no place on the Tile: {why}")
    return place_of_importance(proof.importance)


def place_among(score: Formulated, performances: Performances) -> Place:
    """Return the exact place of a score at the prior, or else at the prediction rate, that all performances share."""
    prior, rate = performances.common_prior(), performances.common_prediction_rate()
    try:
        return exact_place(score, prior)
    except NoPlaceError:
        if rate is not None:
            with suppress(NoPlaceError):
                return exact_place(score, prediction_rate=rate)
        if rate is None and needs(score, "rate") and not needs(score, "prior"):
            raise NoPlaceError(
                f"{score.name} has a place on the Tile only where {differing_rates(performances)}"
            ) from None
        raise


def differing_rates(performances: Performances) -> str:
    """Say what equal prediction rates would be, and what they are."""
    low, high = performances.prediction_rates.min(), performances.prediction_rates.max()
    return f"prediction rates are equal; here they go from {low:.4g} to {high:.4g}"
