"""A decision as it is read: what to deploy, what it costs and saves, how sure that is, and what would change it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import inf, isinf

from .. import plots
from .._costs import Costs
from ..decisions import Decision
from ..decisions.decide import CONSTANTS
from ..decisions.record import NARROW
from ..results import Table
from ..texts import and_more, counted, exact, grouped, label, probability
from ..version import __version__
from .answers import ends_within, within
from .pages import Card, Drawing, Section
from .render import share_text

MOST_LISTED = 6
WIDE = NARROW
"""Other ranges are named where their upper end is so many times the lower one: narrower ones are chance."""
RULE = (
    "Detection = true positive, correct rejection = true negative, miss = false negative, false alarm = false positive."
)
LEVEL = "95 % interval"


def deployed(decision: Decision) -> str:
    """Say which model to deploy, at which threshold, or which one to keep."""
    threshold = decision.threshold
    if isinf(threshold) and not decision.kept:
        return f"No threshold of any model pays off here: {CONSTANTS[threshold < 0]}."
    verb, now = ("Keep", ", as now") if decision.kept else ("Deploy", "")
    return f"{verb} {label(decision.entity)}, and call a case positive at a score of {exact(threshold)} or more{now}."


def stated_cost(decision: Decision) -> str:
    """Say what that costs, at which share of positives, and where this comes from if not from all cases alike."""
    costs, share, domains = decision.costs, share_text(decision.prior), len(decision.prepared.domains)
    sentence = f"Expect a cost of {costs.text(decision.cost)}"
    if decision.cost_interval is not None:
        low, high = costs.numbers(decision.cost_interval)
        sentence += f" ({LEVEL}: {low} to {high})"
    average = f"averaged over {domains} domains with {decision.prepared.weights_in_words}" if domains > 1 else ""
    if decision.shift_prior is not None:
        share += " (stated)" + (f", performances {average}" if average else "")
    elif average:
        share += f", {average} (pooled: {share_text(decision.pooled_prior)})"
    cases = f"The data have {grouped(decision.cases)} cases, {grouped(decision.positives)} of them positive."
    return f"{sentence}. Costs: {costs.phrase}. Share of positives: {share}. {cases}"


def alternatives(decision: Decision) -> Table:
    """Return what else one could do, the cheapest first, with what the decision saves against it.

    All are compared with the stated cost. The next model is not: a sentence compares it with the first.
    """
    costs, others = decision.costs, [each for each in decision.alternatives if each.kind != "next model"]
    others.sort(key=lambda other: other.cost)
    numbers = costs.numbers([other.cost for other in others])
    columns: dict[str, list[str]] = {
        "alternative": [label(other.name) for other in others],
        costs.heading: numbers,
        "saved": [_as(number, costs, [other.saved])[0] for number, other in zip(numbers, others, strict=True)],
    }
    if any(other.interval for other in others):
        columns[LEVEL] = [" to ".join(_as(numbers[0], costs, other.interval or ())) or "—" for other in others]
        columns["P(saves)"] = ["—" if o.p_cheaper is None else probability(o.p_cheaper, 0.95) for o in others]
    return Table(columns)


def _as(number: str, costs: Costs, values: Sequence[float]) -> list[str]:
    """Return costs per case, or exact differences of them, with the decimals of a printed number."""
    return [grouped(value * costs.per, len(number.partition(".")[2])) for value in values]


def models(decision: Decision) -> Table:
    """Return the models, the cheapest first, each at its own threshold."""
    costs, rows = decision.costs, decision.candidates
    at = iter(costs.numbers([end for row in rows for end in (row.interval or ())]))
    columns: dict[str, list[str]] = {
        "model": [label(row.entity) for row in rows],
        "threshold": [exact_threshold(row.threshold) for row in rows],
        costs.heading: costs.numbers([row.cost for row in rows]),
    }
    if any(row.interval for row in rows):
        columns[LEVEL] = [f"{next(at)} to {next(at)}" if row.interval else "—" for row in rows]
    if any(row.p_cheapest is not None for row in rows):
        columns["P(cheapest)"] = ["—" if r.p_cheapest is None else probability(r.p_cheapest, 0.95) for r in rows]
    return Table(columns)


def exact_threshold(threshold: float) -> str:
    """Return a threshold as it can be deployed, with all its digits."""
    return threshold_text(threshold) if isinf(threshold) else exact(threshold)


def threshold_text(threshold: float) -> str:
    """Return a threshold as it is read: with six digits, or with as many as tell how far it is from a whole number.

    >>> (
    ...     threshold_text(0.25),
    ...     threshold_text(float("inf")),
    ...     threshold_text(0.123456789),
    ...     threshold_text(0.9999995),
    ... )
    ('0.25', 'all negative', '0.123457', '0.9999995')
    """
    if isinf(threshold):
        return "all negative" if threshold > 0 else "all positive"
    apart = abs(threshold - round(threshold)) if abs(threshold) < 2**53 else inf
    texts = (f"{threshold:.{digits}g}" for digits in range(6, 18))
    return next((text for text in texts if abs(float(text) - threshold) <= 1e-4 * apart), repr(threshold))


def how_sure(decision: Decision) -> list[str]:
    """Say how sure the choice of the model is, and that of the threshold."""
    first, costs, name = decision.candidates[0], decision.costs, label(decision.candidates[0].entity)
    before, after = costs.around
    lines = []
    if (new := decision.new) is not None:  # what is in use stays, and rests on this
        more = f"{before}{_as(costs.numbers([new.cost])[0], costs, [new.cost - decision.cost])[0]}{after}"
        choice = new.name.replace("call ", "Calling ", 1) if new.entity is None else label(new.name)
        lines += [
            f"{choice}, would cost {more} more than {label(decision.entity)} at {exact(decision.threshold)}, in use. "
            "So what is in use stays.",
            f"If the threshold {exact(decision.threshold)} was chosen on these cases, its cost looks lower than it is.",
        ]
    if decision.p_cheapest is not None and not decision.constant:
        p = probability(decision.p_cheapest, 0.95)
        at = ", each at its own threshold," if decision.kept else ""
        lines.append(
            f"{name} is the cheapest of {counted(len(decision.candidates), 'model')}{at} with probability {p}."
        )
        if not decision.sure:
            rivals = [c for c in decision.candidates[1:] if (c.p_cheapest or 0) >= 0.05]
            names = ", ".join(label(c.entity) for c in rivals[:MOST_LISTED]) + and_more(len(rivals), MOST_LISTED)
            which = f" ({names})" if names else ""
            still = "" if decision.kept else f" {name} is still the best choice on these data."
            lines.append(
                f"That is not certain: on other cases, another model could be cheaper{which}.{still} With more cases "
                "you would know."
            )
    for other in decision.alternatives:
        if other.kind == "next model" and not decision.constant:
            more, *ends = _as(costs.numbers([first.cost, other.cost])[1], costs, [other.saved, *(other.interval or ())])
            interval = f" ({LEVEL}: {' to '.join(ends)})" if ends else ""
            lines.append(
                f"The next model, {label(str(other.entity))} at {exact_threshold(other.threshold)}, would cost "
                f"{before}{more}{after} more than {name}{interval}."
            )
    for other in decision.alternatives:
        if other.saved < 0 and other.kind in ("at 0.5", "constant"):
            (less,) = costs.amounts([-other.saved])
            instead = other.name if other.entity is None else f"deploy {label(other.name)}"
            so = (
                ", so the model may not pay off."
                if other.entity is None
                else ". If that is what you use today, name it with --in-use (current= in Python)."
            )
            lines.append(f"On these cases, it would cost {less} less to {instead}{so}")
    low, high = decision.threshold_interval
    if not decision.constant and low < high:
        loss = costs.text(max(decision.loss_if_off, 0.0))
        lines.append(
            f"The best threshold of {name} lies between {_end(low)} and {_end(high)} in 95 % of draws of other cases. "
            f"On these cases the worse end would cost an extra {loss}."
        )
    return lines


def _end(threshold: float) -> str:
    """Return an end of the interval of the threshold as it is read."""
    if isinf(threshold):
        return "the highest score" if threshold > 0 else "the lowest score"
    return threshold_text(threshold)


def what_would_change(decision: Decision) -> list[str]:
    """Say from which ratio of costs, and from which share of positives, another choice is the cheapest."""
    new = decision.new
    constant = CONSTANTS[(decision.threshold if new is None else new.threshold) < 0]
    name = constant.replace("call ", "Calling ", 1) if decision.constant else label(decision.candidates[0].entity)
    if decision.ratio_range is None or decision.prior_range is None:
        return []
    what = "the cheapest new choice" if decision.kept else "the cheapest"
    if decision.ratio_range == (0.0, inf):
        return [f"{name} stays {what} whatever a miss is worth, and for any share of positives."]
    low, high = decision.ratio_range
    worth = _between(low, high, 0.0, inf, decision.ratio)
    share = _between(*decision.prior_range, 0.0, 1.0, decision.prior)
    lines = [
        f"{name} stays {what} while a miss is worth {worth} false alarms (here {decision.ratio:.4g}), or for a "
        f"share of positives of {share} (here {share_text(decision.prior)})."
    ]
    below = [one for one in reversed(decision.answers) if one[1] <= low]
    above = [one for one in decision.answers if one[0] >= high]
    for side, beyond in (("below", below), ("above", above)):
        if beyond:
            nearest = next((one for one in beyond if one[1] > WIDE * one[0]), beyond[0])  # the first that is no sliver
            near, model = "Just" if nearest == beyond[0] else "Next", nearest[2]
            other = f"{label(model)} at its own threshold"
            other = model.replace("call ", "calling ", 1) if model in CONSTANTS else other
            lines.append(f"{near} {side} either range, {other} is cheaper.")
    return lines


def _between(low: float, high: float, least: float, most: float, here: float) -> str:
    if low <= least:
        return f"at most {within(high, up=False)}"
    if high >= most:
        return f"at least {within(low, up=True)}"
    return " to ".join(ends_within(low, high, here))


def how_chosen(decision: Decision) -> list[str]:
    """Say how the model and the threshold were chosen and judged, and that a choice on all cases flatters."""
    costs, chosen = decision.costs, decision.candidates[0]
    folds = f"{decision.folds} folds"
    given = decision.sweeps.folds is not None
    kind = "of the data" if given else f"stratified, seed {decision.seed}"
    lines = [
        f"rankscape chose model and threshold inside {folds} ({kind}), without the cases on which it judged them; "
        f"{chosen.folds_chosen} of {decision.folds} folds chose {label(chosen.entity)}."
    ]
    cost = decision.cost if decision.new is None else decision.new.cost
    if decision.constant:
        lines = [
            f"{label(chosen.entity)} is the cheapest model. With its threshold chosen inside {folds} ({kind}), without "
            f"the cases on which it is judged, it costs {costs.text(chosen.cross_fitted)}."
        ]
        if isinf(chosen.threshold):
            lines.append("Its best threshold calls every case the same, so no model is needed.")
        elif chosen.cross_fitted > cost:
            lines[0] += " That is more."
    elif decision.cost_of_folds:
        low, high = costs.numbers([min(decision.cost_of_folds), max(decision.cost_of_folds)])
        number, of_new = len(decision.cost_of_folds), " of the new choice" if decision.kept else ""
        (error,) = costs.amounts([decision.cost_error or 0.0])
        lines.append(
            f"Which cases share a fold is chance, so the cost to expect{of_new} is the mean of {number} divisions into "
            f"folds, which give {low} to {high}; its standard error is {error}."
        )
    best = f"the best threshold of {label(chosen.entity)} on all cases, {threshold_text(chosen.best_threshold)},"
    if cost > chosen.flattered and not decision.constant:
        flattered, expected = costs.numbers([chosen.flattered, cost])
        (less,), (before, after) = _as(expected, costs, [cost - chosen.flattered]), costs.around
        lines.append(
            f"On the cases that it was chosen on, {best} seems to cost {before}{flattered}{after} {costs.unit()}. That "
            f"understates the {before}{expected}{after} to expect by {before}{less}{after}."
        )
    if len(decision.candidates) > 1:
        lines.append(
            "rankscape compared the models on the same cases, case by case."
            if decision.paired
            else "The data do not say which cases the models share, so rankscape drew cases for each model separately. "
            "If a column names the case, pass it as --case."
        )
    lines += [f"{note}." for note in decision.notes]
    return lines


def last_words(decision: Decision) -> str:
    """Return what stands below the table on one screen."""
    lines = [*how_sure(decision), *what_would_change(decision), *how_chosen(decision), RULE]
    return "\n".join(lines)


def right_of(decision: Decision) -> tuple[str, ...]:
    """Return the columns that are aligned to the right."""
    return decision.costs.heading, "threshold", "saved", LEVEL, "P(saves)", "P(cheapest)"


def decision_card(decision: Decision) -> Card:
    """Return the decision as a page of sections."""
    table, others = models(decision), alternatives(decision)
    right = right_of(decision)
    saver = "keeping what is in use" if decision.kept else "the decision"
    change = tuple(what_would_change(decision))
    caption = "Expected cost at every threshold of every model"
    figure = Drawing("costs", caption, partial(plots.draw_decision, decision))
    sections = [
        Section("What to expect", (stated_cost(decision), RULE), figures=(figure,)),
        Section("What it saves", (f"What {saver} saves compared with each alternative.",), others, right),
        Section("How sure", tuple(how_sure(decision)), table, right),
        *([Section("What would change the answer", change)] if change else []),
        Section("How rankscape chose", tuple(how_chosen(decision))),
    ]
    return Card(deployed(decision).rstrip("."), tuple(sections), (f"rankscape {__version__}",))
