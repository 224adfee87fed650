"""The sentences of the command line: titles and summaries of domains, gate, audits and trade-offs."""

from fractions import Fraction
from math import inf, isnan

from .._report import decimals
from .._report.leaderboard import full_name
from .._tradeoff import Tradeoffs
from ..domains import CrossValidation, LeaveOneOut, MeanOfScores, Prepared, Roles
from ..domains.elsewhere import sentences as about_prediction
from ..domains.roles import RULES
from ..texts import and_more, counted, label, listed, percent, some, visible
from ..uncertainty import Gate

MOST_LISTED = 5

# ---- domains


def title_of_domains(roles: Roles, chosen: int | None) -> str:
    """Say whose domains these are, and what a bottleneck is."""
    subject = counted(len(roles.names), "entity", "entities") if chosen is None else label(roles.names[chosen])
    return (
        f"Domains of {subject}, by {full_name(roles.score)}: {counted(len(roles.domains), 'domain')}\n"
        f"Bottleneck: {RULES[roles.rule]}"
    )


def named_domains(names: tuple[str, ...]) -> str:
    """Name the domains that share a role."""
    if len(names) > 2:
        return some(names, 2, quote="")
    return " and ".join(map(label, names)) or "—"


def summary_of_domains(
    roles: Roles,
    means: MeanOfScores,
    stable: LeaveOneOut,
    validation: CrossValidation | None,
    chosen: int | None,
    preparation: Prepared,
) -> str:
    """Say where the mean of the scores ranks otherwise, which domains decide who is first, and what predicts them."""
    lines = list(preparation.sentences())
    if preparation.shift_prior is not None and len(roles.domains) > 1:
        lines.append(
            "The shift multiplies all positives by one factor and all negatives by another, so that domains with many "
            "positives change their share of the population; values and real weights are those after it"
        )
    if chosen is not None:
        value, mean = decimals([float(roles.summarized[chosen]), float(means.means[chosen])])
        lines.append(f"Score of the summarized performance: {value}; mean of the scores: {mean}")
    symbol = roles.score.symbol
    if len(roles.domains) < 2:
        return "\n".join([*lines, "There is one domain only: there is nothing to compare it with, or to leave out"])
    if means.swapped:
        pairs = "; ".join(f"{label(y)} above {label(x)}" for x, y in means.swapped[:MOST_LISTED])
        lines.append(
            f"The mean of the {symbol} of the domains tells another story: it swaps "
            f"{counted(len(means.swapped), 'pair')} (and puts {pairs}{and_more(len(means.swapped), MOST_LISTED)})"
        )
    elif len(roles.names) > 1:
        lines.append(f"The mean of the {symbol} of the domains swaps no pair")
    if means.bijection_broken:
        lines.append("Averaged scores contradict each other: the mean precision is not that of the mean TPR and FPR")
    lost = int(means.undefined.sum())
    if lost:
        lines.append(
            f"{symbol} is undefined in {counted(lost, 'cell')}, which the mean of the {symbol} leaves out; the "
            "summarized performances count them too"
        )
    if stable.deciding and len(roles.names) > 1:
        names = some(stable.deciding, MOST_LISTED, quote="")
        if len(stable.deciding) == 1:
            lines.append(f"Who is first depends on one domain: without {names}, others are first")
        else:
            lines.append(
                f"Who is first depends on each of {len(stable.deciding)} domains: leaving out any one of them, {names}"
                ", changes who is first"
            )
    elif len(stable.domains) and len(roles.names) > 1:
        lines.append(f"Whichever domain is left out, first stays {' = '.join(map(label, sorted(stable.ranking.best)))}")
    if validation is not None:
        lines += about_prediction(validation)
    return "\n".join(lines)


# ---- the gate


def title_of_gate(gate: Gate) -> str:
    """Say whether the new model passes, and in which box."""
    basis = "counts" if gate.draws else "probabilities"
    less = f" less {percent(float(gate.margin))} of its right answers" if gate.margin else ""
    verdict = {
        "pass": "PASS: {new} is at least as good as {old} everywhere in the box",
        "worse": "WORSE: by the {basis} seen, {new} is worse than {old} somewhere in the box",
        "undecided": "UNDECIDED: {new} is nowhere worse than {old} in the box, but that is not sure enough",
    }[gate.verdict]
    if gate.undefined and gate.verdict == "undecided":
        verdict = "UNDECIDED: {new} and {old} cannot be compared everywhere in the box, for a score is undefined there"
    return f"{verdict.format(new=label(gate.new), old=label(gate.old) + less, basis=basis)}\nBox: {gate.box.text}"


def summary_of_gate(gate: Gate) -> str:
    """Say how sure the verdict is, and how many more cases would decide."""
    lines = []
    if gate.equal:
        lines.append("The two are tied there" + (", less the margin" if gate.margin else ""))
    if isnan(gate.probability):
        lines.append("The files hold probabilities, not counts: how sure this is cannot be told")
    else:
        lines.append(
            f"P(at least as good everywhere in the box) = {gate.probability:.3f}, to pass {gate.min_prob:g}; "
            f"{counted(gate.draws, 'draw')}, {'' if gate.seed is None else f'seed {gate.seed}, '}{gate.method}"
        )
        if not gate.paired:
            lines.append(
                "Unpaired: on the same cases the difference is usually surer; counts do not say which they share"
            )
    if gate.sample_size_factor == inf and gate.equal and not gate.margin:
        lines.append(
            "More cases of this kind would never decide it, for the two are equal: --margin 0.01 lets pass what loses "
            "less than 1 % of the right answers"
        )
    elif gate.sample_size_factor == inf:
        lines.append("More cases of this kind would never decide it" if gate.equal else "It would take too many cases")
    elif not isnan(gate.sample_size_factor):
        factor = float(f"{gate.sample_size_factor:.2g}")
        times = f"{factor:g}" if factor < 100 else f"{factor:,.0f}"
        lines.append(
            f"About {times} times as many cases of each of the two would do if the rates stay: "
            f"{gate.more_cases:,.0f} more of the new one, and as many times more of the other"
        )
    return "\n".join(lines + how_averaged(gate) + [f"Note: {visible(note)}" for note in gate.notes])


def how_averaged(gate: Gate) -> list[str]:
    """Say over which domains both models are averaged, with which weights, and to which prior they are shifted."""
    lines = []
    several = len(gate.domains) > 1
    if gate.domains:
        weights = gate.prepared.weights_in_words if gate.prepared and several else ""
        how = f", with {weights}" if weights else ""
        names = listed(tuple(map(visible, gate.domains)), 8)
        lines.append(f"Averaged over {counted(len(gate.domains), 'domain')}: {names}{how}")
    after = " after averaging" if several else ""
    if gate.shift_prior is not None:
        lines.append(f"Prior (share of positives) of both models shifted to {float(gate.shift_prior):.4g}{after}")
    elif gate.box.prior is not None:
        lines.append(f"Priors (shares of positives) of both models shifted to those of the box{after}")
    return lines


# ---- audits of all scores

TITLE_OF_TABLE_1 = "Scores of two-class performances: may they be used to rank?"


def footer_of_table_1(as_printed: bool) -> str:
    """Explain the signs, and which direction of a score is better: its own, or that of the printed table."""
    return (
        "Tests: Axiom 2, quasi-convex, quasi-concave. ✓ proved, ○ not refuted, ✗ refuted.\n"
        "τ: the least and the largest with ranking scores. † proved, — a constant.\n"
        + (
            "Larger values are taken as better for all scores, as in Table 1 of the foundations paper; of those "
            "with ↓ smaller values are better, so that τ has the other sign than in an audit of the score alone.\n"
            if as_printed
            else "↓ Smaller is better; tests and τ are those of that direction, as in an audit of the score alone.\n"
            "Table 1 of the foundations paper takes larger values as better for all scores: --direction larger.\n"
        )
        + "τ is sought as in the paper (A.7.2); an audit of one score searches further."
    )


# ---- trade-offs


def title_of_tradeoffs(tradeoffs: Tradeoffs) -> str:
    """Say between which optimal F_β the domains lie."""
    one = tradeoffs.any
    text = f"The optimal trade-off between {one.ends[0]} and {one.ends[1]} on {counted(len(tradeoffs), 'domain')}"
    betas = [tradeoff.beta for tradeoff in tradeoffs.values() if tradeoff.n_discordant]
    if not betas:
        return f"{text}: nowhere do they order a pair differently"
    if not one.segment.is_f_beta:
        return text
    if len(betas) == 1:
        return f"{text}: β = {betas[0]:.3g}" + (" where they order a pair differently" if len(tradeoffs) > 1 else "")
    inside = sum(0.5 <= beta <= 2 for beta in betas)
    return f"{text}: β from {min(betas):.3g} to {max(betas):.3g}, between ½ and 2 on {inside} of {len(betas)}"


def each_shifted(shift_prior: Fraction) -> str:
    """Say that the domains are shifted, each on its own."""
    return f"Nothing is averaged: every domain is shifted to the prior (share of positives) {float(shift_prior):.4g}"
