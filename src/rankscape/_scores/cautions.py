"""Why a score is not sound for ranking some performances: from the catalogue, or else from what an audit proves."""

from ..outcomes import TWO_CLASS
from ..performances import Performances
from .places import differing_rates
from .proofs import proved_sound, ranking_proof
from .score import Score
from .sets import PerformanceSet, rate_set_of, set_of


def caution(performances: Performances, by: Score) -> tuple[str | None, bool]:
    """Say why a score is not sound for ranking these performances, and whether a sound one may be alike.

    None where it is sound. Of an expression, what is proved is what an audit proves: on all performances or, where
    priors are equal, at that prior; or else where prediction rates are equal, at that rate. Nothing is searched.
    """
    two_class = performances.space == by.space and by.space.outcomes == TWO_CLASS.outcomes
    if by.constant:
        way_out = ": give importance to satisfying and unsatisfying outcomes" if by.orders_as is not None else ""
        return f"{by.name} has the same value for every model{way_out}", False
    if by.direction is None:
        return f"{by.name} says nothing about quality: neither larger nor smaller is better", False
    if by.caution is not None:
        return by.caution(performances), False
    if by.sound == "always":
        return None, False
    among = set_of(performances) if two_class else PerformanceSet()
    at_rate = rate_set_of(performances) if two_class else PerformanceSet()
    if at_rate.fixed and by.nodes_at("rate") is not None:
        return None, False
    if by.sound == "fixed prediction rates":
        return f"{by.name} is sound for ranking only where {differing_rates(performances)}", True
    if by.sound == "fixed priors":
        if two_class and performances.common_prior() is not None:
            return None, False
        low, high = performances.priors.min(), performances.priors.max()
        return (
            f"{by.name} is sound for ranking only where priors are equal; here they go from {low:.4g} to {high:.4g}",
            True,
        )
    proof = ranking_proof(by, among) if two_class else None
    if proof is not None and proof.sign == 0:
        return f"{by.name} has the same value for every model", False
    if proof is not None and proved_sound(by, among):
        return None, False
    if at_rate.fixed and (rate_proof := ranking_proof(by, at_rate)) and rate_proof.sign and proved_sound(by, at_rate):
        return None, False
    if by.known:
        why = "it can put a blind mixture before the best, or after the worst, of what it mixes"
        return f"{by.name} is not sound for ranking: {why}", True
    if proof is not None and proof.sign < 0:
        return f"{by.name} is not sound for ranking: it is largest for the worst; rank by -({by.name})", True
    return f"{by.name} is not known to be sound for ranking", True
