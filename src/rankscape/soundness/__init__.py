"""Soundness: whether a score may be used to rank, decided by a proof, a counterexample or a search."""

from __future__ import annotations

from typing import Literal

from .._scores import as_score
from .._scores.sets import PerformanceSet, performance_set
from ..errors import UsageError, refuse_unknown
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..tasks.pairs import Pairs
from ..typing import Direction, PriorLike, ScoreLike
from .verdict import Audit, Finding, audited

__all__ = ["Audit", "Finding", "PerformanceSet", "audit"]
__dir__ = __all__.copy  # dir() lists the public names


def audit(
    score: ScoreLike,
    priors: PriorLike | None = None,
    prediction_rates: PriorLike | None = None,
    *,
    direction: Direction | None = None,
    statistic: Literal["kendall"] | None = "kendall",
    **unknown: object,
) -> Audit:
    """Prove or refute that a score may be used to rank: on all performances, of one prior, or of one prediction rate.

    Tested are Axiom 2, quasi-convexity and quasi-concavity (no mixture above the best, or below the worst, of what it
    mixes), and that mixtures stay in the domain. A property is proved only where the score is a ranking score, a
    strictly monotone function of one, or a ratio of means; refuted only by a counterexample in whole numbers, checked
    exactly, or in floating point where the score has no rational formula; else it is not refuted, after a search that
    is named. (Foundations, 5.2, Table 1 and A.7.2.)

    Parameters
    ----------
    score
        A name, an expression, a :class:`Score`, an importance, or a function. A function receives
        :class:`~rankscape.Performances` of n members, P, and returns n numbers, such as ``lambda P: P.mass[:, 0] *
        P.mass[:, 3]`` (the columns of ``P.mass`` are tn, fp, fn, tp); what it makes of 0/0 is undefined.
    priors
        One prior inside (0, 1), taken as the nearest short fraction: only performances that have it are meant.
    prediction_rates
        One prediction rate inside (0, 1), likewise.
    direction
        "larger" or "smaller", what is better; by default the score's own counts, of expressions and functions "larger"
        (as for all scores in Table 1 of the paper). A strictly decreasing function of a ranking score is refuted where
        larger is better, and ``sound_if`` says "smaller".
    statistic
        The correlation with ranking scores: "kendall" (τ-b), or None for none; where smaller is better they
        are those of −X.
    **unknown
        Refused, with the word for what is meant.

    Returns
    -------
    Audit
        What is proved, what is refuted and by which counterexample, and which sound score is closest.

    Raises
    ------
    UsageError
        For a share outside (0, 1) or a score that is not of two classes.
    UnknownScoreError
        For an unknown score.

    See Also
    --------
    rankscape.scores : for which performances each named score is sound

    Examples
    --------
    >>> import rankscape as rs
    >>> verdict = rs.audit("mcc")
    >>> verdict.sound, verdict.quasiconcave.counterexample
    (False, ((1, 0, 2, 1), (1, 2, 0, 1), Fraction(1, 2)))
    >>> rs.audit("mcc", priors=0.2).quasiconvex.status, rs.audit("kappa", priors=0.2).status
    ('refuted', 'proved')
    """
    refuse_unknown(unknown, ("priors", "prediction_rates", "direction", "statistic"), "audit()")
    if isinstance(score, (Performances, Pairs)):
        raise UsageError(
            'audit is about a score, not about performances: audit("f1") says whether F₁ may be used to rank'
        )
    among = performance_set(priors, prediction_rates)
    if statistic not in ("kendall", None):
        raise UsageError(f"statistic={statistic!r}: expected 'kendall' or None")
    if direction not in (None, "larger", "smaller"):
        raise UsageError(f"direction={direction!r}: expected None, the score's own, or 'larger' or 'smaller'")
    by = as_score(score)
    if by.space.outcomes != TWO_CLASS.outcomes:
        raise UsageError(f"an audit is of scores of two-class performances; {by.name} is one on {by.space.name}")
    return audited(by, among, direction, statistic)
