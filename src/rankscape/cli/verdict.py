"""How the verdict of a gate is shown: its table, what to do, and the summary of a pipeline's job."""

from math import isnan

from .._costs import Costs
from .._report import decimals, render
from .._report.leaderboard import shares_right
from .._report.render import markdown_escaped
from ..results import Table
from ..texts import label, probability, visible
from ..uncertainty import Gate
from ..uncertainty.box import ACCURACY
from .sentences import box_of_gate, further_of_gate, how_averaged, notes_of_gate, sure_of_gate, title_of_gate

Shown = tuple[Table, tuple[str, ...] | None]
"""A table, and the columns that are aligned to the right; None: those of numbers."""


def readable(gate: Gate) -> Shown:
    """Return the table of a gate: of costs one column per model, else one row per domain, or one."""
    if gate.costs is not None and gate.by_domain is None:
        return _of_costs(gate, gate.costs)
    gates = [("", gate)] if gate.by_domain is None else list(gate.by_domain.items())
    columns: dict[str, list[str]] = {}
    for name, one in gates:
        worst, (new, old) = one.worst, decimals([one.new_value, one.old_value])
        cells = {} if gate.by_domain is None else {"domain": visible(name), "verdict": one.verdict}
        if gate.box.successes:
            cells |= _right(one, any(each.margin for _, each in gates))
        else:
            cells |= {"least favorable corner": f"a = {float(worst.a):.4g}, b = {float(worst.b):.4g}"}
        if one.prior is not None or worst.prior is not None:
            cells["prior"] = f"{_prior(one):.4g}"
        cells |= {} if gate.box.successes else {"score of the new": new, "of the other": old}
        if not gate.box.successes and any(each.margin for _, each in gates):
            cells["of the other less the margin"] = decimals([one.allowed])[0]
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
    return Table(columns), None


def _right(gate: Gate, margin: bool) -> dict[str, str]:
    """Return how much both answer right, or their mean grades, and the difference."""
    if gate.box.text != ACCURACY.text:
        values = [gate.new_value, gate.old_value, *([gate.allowed] if margin else []), gate.new_value - gate.old_value]
        names = ["the new", "the other", *(["the other less the margin"] if margin else []), "difference"]
        return dict(zip(names, decimals(values), strict=True))
    new, old, allowed = shares_right([gate.new_value, gate.old_value, gate.allowed])
    cells = {"right, the new": new, "right, the other": old}
    cells |= {"the other less the margin": allowed} if margin else {}
    return cells | {"difference": f"{100 * (gate.new_value - gate.old_value):+.2f} points"}


def _prior(gate: Gate) -> float:
    """Return the share of positives at which both are compared."""
    return float(gate.worst.prior) if gate.worst.prior is not None else gate.prior if gate.prior is not None else 0.0


def _of_costs(gate: Gate, costs: Costs) -> Shown:
    """Return what both cost and score, and the difference with its interval."""
    expenses = gate.expenses
    new, old = (label(name) for name in (gate.new, gate.old))
    if len({"expected", new, old, "difference", interval_of_gate(gate)}) < 5:
        new, old = "the new", "the other"
    columns: dict[str, list[str]] = {"expected": [], new: [], old: [], "difference": []}
    rows = [
        [costs.heading, *costs.numbers([expenses.new_cost, expenses.old_cost, expenses.cost_change])],
        ["ranking score", *decimals([gate.new_value, gate.old_value, gate.new_value - gate.old_value])],
    ]
    if gate.margin:
        less = [gate.new_value, gate.allowed, gate.new_value - gate.allowed]
        rows.append(["ranking score, less the margin", *decimals(less)])
    for row in rows:
        for column, cell in zip(columns.values(), row, strict=True):
            column.append(cell)
    right = [new, old, "difference"]
    if not isnan(expenses.cost_change_low):
        ends = " to ".join(costs.numbers([expenses.cost_change_low, expenses.cost_change_high]))
        right.append(interval_of_gate(gate))
        columns[right[-1]] = [ends, *[""] * (len(rows) - 1)]
    return Table(columns), tuple(right)


def interval_of_gate(gate: Gate) -> str:
    """Name the interval of the difference of the costs: it leaves out alpha at either end, as the verdict does."""
    return f"{100 * (1 - 2 * gate.alpha):.4g} % interval"


def advice_of_gate(gate: Gate) -> str:
    """Say what to do, and what that saves where costs are known."""
    new, old = label(gate.new), label(gate.old)
    advice = {
        "pass": f"So {new} may replace {old}",
        "worse": f"So keep {old}",
        "undecided": f"So keep {old} for now",
    }[gate.verdict]
    costs, change = gate.costs, gate.expenses.cost_change
    if costs is None or isnan(change) or gate.by_domain:
        return advice
    where = f"at a share of positives of {_prior(gate):.4g}"
    if change == 0:
        return f"{advice}: on these data, both cost the same {where}"
    amount = costs.amounts([gate.expenses.new_cost, gate.expenses.old_cost, abs(change)])[2]
    more = f"{amount} {'more' if change > 0 else 'less'}"
    if gate.verdict == "undecided":
        ends = (gate.expenses.cost_change_low, gate.expenses.cost_change_high)
        chance = "" if isnan(ends[0]) else f" ({interval_of_gate(gate)}: {' to '.join(costs.numbers(ends))})"
        return (
            f"{advice}. On these data, {new} costs {more} {costs.unit()}, {where}, but the difference may be "
            f"chance{chance}"
        )
    return f"{advice}: on these data, {new} would cost {more} {costs.unit()}, {where}"


def job_summary(gate: Gate) -> str:
    """Return the verdict as Markdown for the summary of a job: what to do, table, what was compared, how sure it is.

    >>> from rankscape import gate
    >>> print(job_summary(gate([[900, 10, 5, 85]], [[870, 40, 30, 60]])).partition("|")[0].strip())
    ## PASS: P1 is at least as good as P1 everywhere in the box
    <BLANKLINE>
    So P1 may replace P1.
    """
    table, right = readable(gate)
    at = "" if gate.prior is None or gate.by_domain else f", at a share of positives of {gate.prior:.4g}"
    compared = [f"{label(gate.new)} (new) against {label(gate.old)} (in use){at}"]
    compared += [f"{box_of_gate(gate)}; alpha {gate.alpha:g}", *how_averaged(gate)]
    if gate.margin and not gate.by_domain:
        of = gate.box.text if gate.allowed > gate.old_value else "right answers"
        compared.append(f"Margin: {float(gate.margin):g} of the {of} of {label(gate.old)}")
    parts = [
        f"## {markdown_escaped(title_of_gate(gate).splitlines()[0])}",
        f"{markdown_escaped(advice_of_gate(gate))}.",
        render(table, "markdown", right=right).strip(),
        _listed("What was compared", compared),
        _listed("How sure this is", [*sure_of_gate(gate), *further_of_gate(gate), *notes_of_gate(gate)]),
    ]
    return "\n\n".join(parts) + "\n"


def _listed(title: str, lines: list[str]) -> str:
    return "\n".join([f"**{title}**", "", *(f"- {markdown_escaped(line)}" for line in lines)])
