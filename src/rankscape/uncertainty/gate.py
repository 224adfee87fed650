"""The gate: may a new model replace the one in use, for every preference and prior in a box?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isnan, nan
from typing import Any, Literal

from .._costs import Costs
from ..checks.numbers import checked_flag
from ..domains import Prepared
from ..errors import Option, UsageError
from ..results import Result, Table
from ..typing import Number, PerformancesLike, PriorLike, RandomLike, Resample, Verdict, WeightsLike
from .box import Box, Worst
from .defaults import DRAWS
from .draws import Draws
from .gate_costs import Expenses
from .gate_decision import Decision, decision_on
from .gate_inputs import (
    DEFAULT_BOX,
    Sides,
    checked_alpha,
    checked_box,
    checked_margin,
    checked_prior,
    refuse_idle_weights,
    refuse_unknown_policy,
    sides_of_draws,
    sides_of_performances,
    sides_sharing_cases,
)


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Result):
    """Whether a new model may replace another one: the verdict, and the evidence for it.

    A worse model passes, and one that is as good is called worse, with a probability of about ``alpha`` at most. Draws
    in which a score is undefined count for neither verdict.

    Attributes
    ----------
    verdict
        "pass" (P(nowhere in the box worse) is at least 1 − ``alpha``), "worse" (at one of the k corners of the box
        P(worse) is at least 1 − ``alpha``/k) or "undecided".
    probability, p_worse, p_worse_needed
        P(nowhere in the box worse), the largest P(worse) over the corners, and how much of it is enough, 1 −
        ``alpha``/k. The first two are NaN for probabilities instead of counts.
    alpha, box, margin
        What was asked for; the margin is a share of the right answers of the model in use, for which "worse" allows.
    worst
        The least favorable corner by what was seen (its sign is that of the whole box; between the corners the
        difference may be larger).
    new, old
        The names of the two models.
    new_value, old_value, allowed
        The scores seen at that corner, and that of the model in use less the margin.
    prior
        The share of positives at which both are compared there, or None: those of the box.
    sample_size_factor, more_cases, more_discordant
        How many times as many cases, and how many further ones, with the rates seen, would bring a verdict with a
        probability of about one half, and how many of them just one of the two gets right (NaN where that is not
        known). Infinite where no number suffices, NaN where there is a verdict already. Where domains are drawn, the
        factor is of domains, and the numbers of cases are NaN. With fewer than 10/alpha draws it is about a tenth too
        large.
    draws, seed, method, unit, paired
        How many draws, their seed, how performances were drawn, what is drawn, and whether both models share it.
    undefined, p_undefined
        Whether a score is undefined in the box by what was seen, and the share of draws in which one is.
    reason
        Why nothing was decided where more than chance is in the way.
    domains, prepared, shift_prior
        The domains that were summarized, how, and the prior to which both were shifted.
    notes
        What a reader must know.
    expenses
        Where the preference was given as ``costs``, the expected costs per case of both models at that prior, and their
        difference with an interval that leaves out ``alpha`` at either end; elsewhere NaN.
    by_domain
        The gate of each domain, where each is asked.

    See Also
    --------
    rankscape.gate

    Examples
    --------
    >>> import rankscape as rs
    >>> decision = rs.gate([[900, 10, 5, 85]], [[870, 40, 30, 60]], "beta in [0.5, 2]")
    >>> decision.verdict, round(decision.probability, 1), decision.exit_status
    ('pass', 1.0, 0)
    """

    verdict: Verdict
    probability: float
    p_worse: float
    p_worse_needed: float
    alpha: float
    box: Box
    worst: Worst
    new: str
    old: str
    new_value: float
    old_value: float
    allowed: float
    margin: Fraction
    prior: float | None
    sample_size_factor: float
    more_cases: float
    more_discordant: float
    draws: int
    method: str
    unit: str
    paired: bool
    undefined: bool
    p_undefined: float
    reason: str
    domains: tuple[str, ...]
    notes: tuple[str, ...]
    shift_prior: Fraction | None
    prepared: Prepared
    seed: int
    expenses: Expenses
    by_domain: Mapping[str, Gate] | None = None

    @property
    def costs(self) -> Costs | None:
        """The costs that were given instead of a box."""
        return self.box.costs

    @property
    def equal(self) -> bool:
        """Whether the two tie at the least favorable corner, by what was seen."""
        return self.worst.difference == 0

    @property
    def exit_status(self) -> int:
        """The exit status of ``rankscape gate``: 0 pass, 1 worse, 4 undecided."""
        return {"pass": 0, "worse": 1, "undecided": 4}[self.verdict]

    def table(self) -> Table:
        """Return one row, or with ``by_domain`` one per domain: verdict, probability, p_worse, alpha, margin, …

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        rows = [("", self)] if self.by_domain is None else list(self.by_domain.items())
        columns: dict[str, list[Any]] = {} if self.by_domain is None else {"domain": [name for name, _ in rows]}
        for _, row in rows:
            for name, value in row.row().items():
                columns.setdefault(name, []).append(value)
        return Table(columns)

    def row(self) -> dict[str, Any]:
        """Return what the table holds, by name.

        Returns
        -------
        dict
            What a row of :meth:`table` holds, by column.
        """
        return {
            "verdict": self.verdict,
            "new": self.new,
            "against": self.old,
            "probability": self.probability,
            "p_worse": self.p_worse,
            "p_worse_needed": self.p_worse_needed,
            "alpha": self.alpha,
            "margin": float(self.margin),
            "worst_a": nan if self.box.successes else float(self.worst.a),
            "worst_b": nan if self.box.successes else float(self.worst.b),
            "worst_prior": nan if self.worst.prior is None else float(self.worst.prior),
            "value": self.new_value,
            "value_against": self.old_value,
            "value_allowed": self.allowed,
            "prior": nan if self.prior is None else self.prior,
            **({} if self.costs is None else self.expenses._asdict()),
            "times_as_many_cases": self.sample_size_factor,
            "more_cases": self.more_cases,
            "more_discordant": self.more_discordant,
            "p_undefined": self.p_undefined,
            "reason": self.reason,
            "domains": ", ".join(self.domains),
            "draws": self.draws,
            "seed": self.seed,
            "unit": self.unit,
            "method": self.method,
            "paired": self.paired,
            "exit_status": self.exit_status,
        }

    @property
    def heading(self) -> str:
        """The two models, the verdict, and the notes."""
        return ". ".join(filter(None, (f"{self.new} against {self.old}: {self.verdict}", self.reason, *self.notes)))


def gate(
    new: PerformancesLike | Draws,
    against: PerformancesLike | Draws,
    box: str | Box = DEFAULT_BOX,
    alpha: float = 0.05,
    margin: Number | Mapping[str, Number] = 0,
    costs: Costs | Mapping[str, float] | Sequence[float] | None = None,
    *,
    every_domain: bool = False,
    draws: int | None = None,
    rng: RandomLike = None,
    weights: WeightsLike | None = None,
    missing: Literal["error", "complete"] = "error",
    resample: Resample | None = None,
    shift_prior: PriorLike | None = None,
) -> Gate:
    """Decide whether a new model is at least as good as another one for every preference and prior in a box.

    Of cases that are right or wrong (``rankscape.tasks.success``) it compares the accuracies; there is no box.

    Parameters
    ----------
    new, against
        One entity each, on one or several domains: counts, drawn each by itself, or two members of the same draws,
        ``d = paired(y, {"new": …, "old": …})``, ``gate(d["new"], d["old"])``, which share their cases; so do
        performances of ``tasks.success.from_cases``, ``gate(P["new"], P["old"])``. Of draws only what they were drawn
        from, their number and their seed matter: the gate draws anew, as a ranking of the two does. Counts
        may lack true negatives where the box is one in beta.
    box
        The preferences, and perhaps the priors to which both are shifted, as in :func:`parse_box`.
    alpha
        The largest probability of either error, in (0, 0.5]: to pass a model that is worse, or to call worse one that
        is not. At ``margin=0`` a model that is just as good passes with up to about this probability.
    margin
        The share of the right answers of the model in use, of each class, that may be lost, in [0, 1); with
        ``every_domain`` one for all domains, or one per domain. An unchanged model passes only with a margin.
    costs
        Instead of a box: ``rankscape.costs(miss=5, false_alarm=1)``. Then the gate also says what both are expected to
        cost.
    every_domain
        Ask each domain by itself, instead of their average: to pass, all must pass at ``alpha``; for "worse" ``alpha``
        is divided by their number.
    draws, rng
        How many draws (2000), and their seed (0). Fewer than 1/``alpha`` decide nothing, and for "worse" k/``alpha``
        are needed.
    weights, missing, resample, shift_prior
        How domains are averaged, as in :func:`rankscape.summarize` ("size" is the mean number of cases of the two);
        what is drawn, as in :func:`posterior`; the prior of the population that is compared. Without a prior, both are
        compared at the prior of the model in use.

    Returns
    -------
    Gate
        The verdict, its probabilities, and how many further cases would decide.

    Raises
    ------
    UsageError
        For a box that is not understood, a prior that is stated twice, or draws that were made apart.
    DataError
        For several entities, different domains, or a prior to be shifted where a class has no case.

    See Also
    --------
    rankscape.gate_plan : how many cases a gate needs
    rankscape.decide : choose among several models
    rankscape.uncertainty.rank_intervals

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.gate([[90, 3, 2, 5]], [[89, 4, 2, 5]], "beta in [0.5, 2], prior in [0.05, 0.2]").verdict
    'undecided'
    >>> rs.gate([[9000, 300, 200, 500]], [[9000, 300, 200, 500]], margin=0.2).verdict
    'pass'
    >>> rs.gate(
    ...     rs.tasks.success.from_counts(880, 1000), rs.tasks.success.from_counts(840, 1000)
    ... ).verdict
    'pass'
    """
    alpha = checked_alpha(alpha)
    refuse_unknown_policy(missing)
    together = sides_sharing_cases(new, against, draws, rng, weights, missing, resample)
    if together is not None:
        sides = together
    elif isinstance(new, Draws) and isinstance(against, Draws):
        policy = None if missing == "error" else missing
        options = {"draws": draws, "rng": rng, "weights": weights, "missing": policy, "resample": resample}
        sides = sides_of_draws(new, against, [name for name, value in options.items() if value is not None])
        if new.prepared is not None and new.prepared.shift_prior is not None:
            if shift_prior is not None:
                raise UsageError([Option("shift_prior"), " would change nothing: the draws are shifted already"])
            shift_prior = new.prepared.shift_prior
    elif isinstance(new, Draws) or isinstance(against, Draws):
        raise UsageError("expected performances of both models, or draws of both; got draws of one only")
    else:
        sides = sides_of_performances(
            new, against, DRAWS if draws is None else draws, 0 if rng is None else rng,
            weights, missing, resample,
        )  # fmt: skip
    box = checked_box(box, costs, sides.successes)
    sides.refuse(box, shift_prior)
    prior = checked_prior(shift_prior, box)
    if checked_flag("every_domain", every_domain):
        refuse_idle_weights(weights)
        return _of_every_domain(sides, box, alpha, margin, prior, resample)
    if isinstance(margin, Mapping):
        raise UsageError(["one ", Option("margin"), " per domain needs ", Option("every_domain")])
    return _gate(sides, box, alpha, checked_margin(margin), prior)


def _gate(sides: Sides, box: Box, alpha: float, margin: Fraction, prior: Fraction | None, domains: int = 1) -> Gate:
    """Return the gate of the averages, or of one domain of several."""
    shifted = box if prior is None else replace(box, prior=(prior, prior))
    decision: Decision = decision_on(sides, shifted, alpha, margin, domains)
    prepared = sides.prepared if prior is None else replace(sides.prepared, shift_prior=prior)
    return Gate(
        alpha=alpha, box=shifted, new=sides.observed[0].names[0], old=sides.observed[1].names[0], margin=margin,
        draws=sides.draws, unit=sides.sentence, paired=bool(sides.pair and sides.pair.paired), domains=sides.domains,
        shift_prior=prior, prepared=prepared, seed=sides.seed, **decision._asdict(),
    )  # fmt: skip


def _of_every_domain(
    sides: Sides, box: Box, alpha: float, margin: Any, prior: Fraction | None, resample: Resample | None
) -> Gate:
    """Return the gate of the averages with the verdict of all domains."""
    if not sides.apart:
        raise UsageError([Option("every_domain"), " needs domains, and none is named"])
    if resample == "domains":
        raise UsageError([Option("every_domain"), " asks each domain by itself, so that others cannot be drawn"])
    names = [name for name, _ in sides.apart]
    margins = dict(margin) if isinstance(margin, Mapping) else dict.fromkeys(names, margin)
    unknown, lost = [name for name in margins if name not in names], [name for name in names if name not in margins]
    if unknown or lost:
        problem = f"{unknown[0]!r} is no domain" if unknown else f"the domain {lost[0]!r} has none"
        raise UsageError([Option("margin"), f": {problem}"], expected=f"one for each of {', '.join(names)[:200]}")
    by_domain = {
        name: _gate(side, box, alpha, checked_margin(margins[name]), prior, len(names)) for name, side in sides.each()
    }
    gates = list(by_domain.values())
    verdicts = [one.verdict for one in gates]
    verdict: Verdict = "worse" if "worse" in verdicts else "pass" if set(verdicts) == {"pass"} else "undecided"
    least = min(gates, key=lambda one: (isnan(one.probability), one.probability))
    waiting = [one for one in gates if one.verdict == "undecided"] if verdict == "undecided" else []
    more: dict[str, Any] = {
        "sample_size_factor": _most([one.sample_size_factor for one in waiting]),
        "more_cases": sum(one.more_cases for one in waiting) if waiting else nan,
        "more_discordant": sum(one.more_discordant for one in waiting) if waiting else nan,
    }
    notes = [f"{name}: {note}" for name, one in by_domain.items() for note in one.notes]
    if sides.chosen:
        notes.append("So many cases per domain can hardly be independent: all probabilities are too sure")
    return replace(
        least, verdict=verdict, probability=min(one.probability for one in gates), domains=sides.domains,
        p_worse=max(one.p_worse for one in gates), undefined=any(one.undefined for one in gates),
        reason="; ".join(f"{name}: {one.reason}" for name, one in by_domain.items() if one.reason),
        notes=(*sides.notes, *notes), by_domain=by_domain, **more,
    )  # fmt: skip


def _most(factors: list[float]) -> float:
    """Return the largest factor; NaN where there is none, or one is not known."""
    return nan if any(map(isnan, factors)) else max(factors, default=nan)
