"""How the verdict of a gate is read: in sentences and a table."""

from __future__ import annotations

from math import inf, isnan
from typing import Any

from .. import _report, uncertainty
from ..outcomes import lacks_tn
from ..results import Table
from ..texts import capitalized, counted, label, percent, probability, some, visible

MOST_LISTED = 5

TEXTS = ("domain", "verdict", "least favorable corner")
"""The columns of the table that have no numbers."""


def reading_of(gate: uncertainty.Gate) -> dict[str, Any]:
    """Return the verdict as it is read: what :func:`rankscape._report.render` takes.

    >>> read = reading_of(uncertainty.gate([[900, 10, 5, 85]], [[870, 40, 30, 60]]))
    >>> read["title"].splitlines()[0], read["right"]
    ('PASS: P1 is at least as good as P1 everywhere in the box', ['prior', 'score of the new', 'of the other'])
    """
    table = readable(gate)
    right = [name for name in table.columns if name not in TEXTS]
    return {"table": table, "title": title_of_gate(gate), "summary": summary_of_gate(gate), "right": right}


def title_of_gate(gate: uncertainty.Gate) -> str:
    """Say whether the new model passes, what to do, and in which box."""
    new, old = label(gate.new), label(gate.old)
    if any(one.margin for one in (gate.by_domain or {"": gate}).values()):
        share = "the margin" if gate.by_domain else f"{_as_given(float(gate.margin))} of its right answers"
        is_error = gate.allowed > gate.old_value
        old += f" with a {gate.box.text} {_as_given(float(gate.margin))} larger" if is_error else f" less {share}"
    if gate.costs is not None:
        everywhere = somewhere = "at these costs"
    elif gate.box.successes:
        everywhere = somewhere = ""
    else:
        everywhere, somewhere = "everywhere in the box", "somewhere in the box"
    on = ""
    if gate.by_domain:
        names = [name for name, one in gate.by_domain.items() if one.verdict == gate.verdict]
        passes = gate.verdict == "pass"
        on = f"on each of {counted(len(names), 'domain')}" if passes else f"on {some(names, MOST_LISTED, quote='')}"
    where = ", ".join(filter(None, (on, somewhere if gate.verdict == "worse" else everywhere)))
    if gate.verdict == "pass":
        verdict = f"PASS: {new} is at least as good as {old} {where}"
    elif gate.verdict == "worse":
        verdict = f"WORSE: {new} is worse than {old} {where}"
    elif gate.reason and not gate.by_domain:
        verdict = f"UNDECIDED: {visible(gate.reason)}"
    else:
        first = f"{on}, " if on else ""
        verdict = f"UNDECIDED: {first}the data cannot tell whether {new} is at least as good as {old} {everywhere}"
    return f"{verdict.rstrip()}\n{advice_of_gate(gate)}\n{box_of_gate(gate)}"


def _of_grades(gate: uncertainty.Gate) -> bool:
    """Tell whether a gate compares the mean grades of cases."""
    return gate.box.successes and gate.box.text != uncertainty.ACCURACY.text


def box_of_gate(gate: uncertainty.Gate) -> str:
    """Say which preferences are asked about; of right-or-wrong data, how much both get right."""
    if gate.box.successes and gate.by_domain:
        return f"Compared by {gate.box.text if _of_grades(gate) else 'the share of right answers'}"
    if _of_grades(gate):
        new, old = _report.decimals([gate.new_value, gate.old_value])
        return f"{capitalized(gate.box.text)} {new} of {label(gate.new)}, {old} of {label(gate.old)}"
    if gate.box.successes:
        new, old = _report.shares_right([gate.new_value, gate.old_value])
        return f"{label(gate.new)} answers {new} right, {label(gate.old)} {old}"
    return f"Box: {gate.box.text}" if gate.costs is None else f"C{gate.box.text[1:]}"


def summary_of_gate(gate: uncertainty.Gate) -> str:
    """Say how sure the verdict is, what was drawn, and how many further cases would decide."""
    lines = [f"Nothing is decided: {visible(gate.reason)}"] if gate.reason and gate.by_domain else []
    if gate.equal and not gate.by_domain and not gate.undefined:
        there, less = "" if gate.box.successes else " there", ", less the margin" if gate.margin else ""
        lines.append(f"By what was seen, the two are tied{there}{less}")
    if isnan(gate.probability):
        lines.append("How sure this is cannot be said" + ("" if gate.draws else ": counts are needed"))
    else:
        good, worse = "P(at least as good)", "P(worse)"
        if gate.costs is not None:
            good, worse = "P(at least as good at these costs)", "P(worse) there"
        elif not gate.box.successes:
            good, worse = "P(at least as good everywhere in the box)", "Largest P(worse) at a corner"
        each = ", the smallest of the domains" if gate.by_domain else ""
        lines.append(
            f"{good} = {probability(gate.probability, 1 - gate.alpha)}{each}; to pass, "
            f"{_below_one(1 - gate.alpha, 6)} is needed. {worse} = {probability(gate.p_worse, gate.p_worse_needed)}; "
            f"for the verdict worse, {_below_one(gate.p_worse_needed, 4)} is needed"
        )
    if gate.draws:
        how = gate.method.split("; ", 1)[-1]  # what comes before is what the unit says
        lines.append(f"{gate.unit}. {counted(gate.draws, 'draw')}, seed {gate.seed}, alpha {gate.alpha:g}; {how}")
    if gate.p_undefined > 0:
        lines.append(f"A score is undefined in {percent(gate.p_undefined)} of the draws, which speak for no verdict")
    if gate.verdict == "pass" and not gate.margin and not gate.by_domain:
        share = _as_given(gate.alpha)
        lines.append(f"A model that is just as good would pass with a probability of up to about {share}")
    lines += [*_further(gate), *how_averaged(gate), *(f"Note: {visible(note)}" for note in gate.notes)]
    return "\n".join(lines)


def _further(gate: uncertainty.Gate) -> list[str]:
    """Say how many further cases would bring a verdict."""
    if isnan(gate.sample_size_factor):
        return []
    if gate.sample_size_factor == inf:
        if gate.equal or gate.by_domain:
            return [
                "More cases with the same rates would never decide it: with --margin 0.01 a model passes that loses "
                "less than 1 % of the right answers"
            ]
        units = "domains" if isnan(gate.more_cases) else "cases"
        return [f"It would take more than a million times as many {units} to decide"]
    factor = float(f"{gate.sample_size_factor:.2g}")
    times = f"{factor:g}" if factor < 100 else f"{factor:,.0f}"
    if factor == 1:
        times = f"{max(gate.sample_size_factor, 1.001):.4g}"
    would = "would bring a verdict with a probability of one half, if the rates stay"
    if isnan(gate.more_cases):  # domains are drawn
        return [f"About {times} times as many domains {would}"]
    which = "" if isnan(gate.more_discordant) or _of_grades(gate) else (
        f", of them {gate.more_discordant:,.0f} that just one of the two gets right"
    )  # fmt: skip
    of = " of each of the two" if not gate.paired else ""
    cases = "case" if gate.more_cases == 1 else "cases"
    cases = f"positive {cases}" if lacks_tn(gate.prepared.given.space) else cases
    return [f"About {gate.more_cases:,.0f} further {cases}{of} ({times} times as many in all{which}) {would}"]


def _as_given(share: float) -> str:
    """Write a share that the user gave: unlike one that was found, it may be 0, and is never a bound.

    >>> _as_given(0.05), _as_given(0), _as_given(0.0001)
    ('5.0 %', '0 %', '0.01 %')
    """
    return percent(share) if 0.0005 <= share <= 0.9995 else f"{100 * share:.6g} %"


def _below_one(needed: float, digits: int) -> str:
    """Write a probability below 1 with so many digits, or with as many as keep it off 1."""
    texts = (f"{needed:.{n}g}" for n in range(digits, 18))
    return next((text for text in texts if float(text) < 1), "more than 0.9999999999999999")


def how_averaged(gate: uncertainty.Gate) -> list[str]:
    """Say over which domains both models are averaged, with which weights, and at which prior they are compared."""
    several = len(gate.domains) > 1
    apart = f"Each of {counted(len(gate.domains), 'domain')} is asked by itself, and none is averaged"
    lines = list(filter(None, [apart if gate.by_domain else gate.prepared.about_average]))
    after = " after averaging" if several and not gate.by_domain else ""
    if gate.shift_prior is not None:
        lines.append(f"Prior (share of positives) of both models shifted to {float(gate.shift_prior):.4g}{after}")
    elif gate.box.prior is not None:
        lines.append(f"Priors (shares of positives) of both models shifted to those of the box{after}")
    return lines


def readable(gate: uncertainty.Gate) -> Table:
    """Return the table of a gate: one row, or one per domain."""
    gates = [("", gate)] if gate.by_domain is None else list(gate.by_domain.items())
    columns: dict[str, list[str]] = {}
    for name, one in gates:
        worst, (new, old) = one.worst, _report.decimals([one.new_value, one.old_value])
        cells = {} if gate.by_domain is None else {"domain": visible(name), "verdict": one.verdict}
        if gate.box.successes:
            cells |= _right(one, any(each.margin for _, each in gates))
        elif one.costs is None:
            cells |= {"least favorable corner": f"a = {float(worst.a):.4g}, b = {float(worst.b):.4g}"}
        if one.prior is not None or worst.prior is not None:
            cells["prior"] = f"{_prior(one):.4g}"
        cells |= {} if gate.box.successes else {"score of the new": new, "of the other": old}
        if not gate.box.successes and any(each.margin for _, each in gates):
            cells["of the other less the margin"] = _report.decimals([one.allowed])[0]
        if one.costs is not None:
            expenses = one.expenses
            cost, other = one.costs.numbers([expenses.new_cost, expenses.old_cost])
            cells |= {f"new, {one.costs.heading}": cost, "the other": other}
        if gate.by_domain is not None:
            cells |= {
                "P(at least as good)": probability(one.probability, 1 - one.alpha),
                "P(worse)": probability(one.p_worse, one.p_worse_needed),
            }
        for column, cell in cells.items():
            columns.setdefault(column, []).append(cell)
    return Table(columns)


def _right(gate: uncertainty.Gate, margin: bool) -> dict[str, str]:
    """Return how much both answer right, or their mean grades, and the difference."""
    if gate.box.text != uncertainty.ACCURACY.text:
        values = [gate.new_value, gate.old_value, *([gate.allowed] if margin else []), gate.new_value - gate.old_value]
        names = ["the new", "the other", *(["the other less the margin"] if margin else []), "difference"]
        return dict(zip(names, _report.decimals(values), strict=True))
    new, old, allowed = _report.shares_right([gate.new_value, gate.old_value, gate.allowed])
    cells = {"right, the new": new, "right, the other": old}
    cells |= {"the other less the margin": allowed} if margin else {}
    return cells | {"difference": f"{100 * (gate.new_value - gate.old_value):+.2f} points"}


def _prior(gate: uncertainty.Gate) -> float:
    """Return the share of positives at which both are compared."""
    return float(gate.worst.prior) if gate.worst.prior is not None else gate.prior if gate.prior is not None else 0.0


def advice_of_gate(gate: uncertainty.Gate) -> str:
    """Say what to do, and what that saves where costs are known.

    The interval leaves out alpha at either end, as the verdict does.
    """
    new, old, expenses = label(gate.new), label(gate.old), gate.expenses
    advice = {
        "pass": f"So {new} may replace {old}",
        "worse": f"So keep {old}",
        "undecided": f"So keep {old} for now",
    }[gate.verdict]
    if gate.costs is None or isnan(expenses.cost_change) or gate.by_domain:
        return advice
    where = f"on these data, at a share of positives of {_prior(gate):.4g}"
    if expenses.cost_change == 0:
        return f"{advice}: both cost the same {where}"
    change = gate.costs.amounts([expenses.new_cost, expenses.old_cost, abs(expenses.cost_change)])[2]
    more = f"{change} {'more' if expenses.cost_change > 0 else 'less'} {gate.costs.unit()}"
    ends = (expenses.cost_change_low, expenses.cost_change_high)
    level = f"{100 * (1 - 2 * gate.alpha):.4g} % interval of the difference"
    chance = "" if isnan(ends[0]) else f" ({level}: {' to '.join(gate.costs.numbers(ends))})"
    return f"{advice}: {new} costs {more} {where}{chance}"
