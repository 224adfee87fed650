"""The sentences of the command line: titles and summaries of domains, gate, audits and trade-offs."""

from fractions import Fraction
from math import inf, isnan

from .._report import decimals
from .._report.leaderboard import full_name, in_percent, is_linear, largest_loss, shares_right
from .._tradeoff import Tradeoffs
from ..domains import LeaveOneOut, MeanOfScores, Prepared, Roles
from ..domains.roles import BOTTLENECK as OF_ERRORS
from ..outcomes import lacks_tn
from ..texts import capitalized, counted, label, listed, percent, probability, some, visible
from ..uncertainty import Gate
from ..uncertainty.box import ACCURACY

MOST_LISTED = 5

# ---- domains


def title_of_domains(roles: Roles, chosen: int | None) -> str:
    """Say whose domains these are, and what a bottleneck is."""
    subject = counted(len(roles.names), "model") if chosen is None else label(roles.names[chosen])
    return (
        f"Domains of {subject}, by {full_name(roles.score)}: {counted(len(roles.domains), 'domain')}\n"
        f"Bottleneck: {largest_loss(roles.score) if is_linear(roles.score) else OF_ERRORS}"
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
    linear = is_linear(roles.score)  # then the mean of the scores is the score of the summary
    if chosen is not None and linear and not in_percent(roles.score):
        value = decimals([float(roles.summarized[chosen])])[0]
        lines.append(f"On average, {label(roles.names[chosen])} has the {roles.score.name} {value}")
    elif chosen is not None and linear:
        right = shares_right([float(roles.summarized[chosen])])[0]
        lines.append(f"On average, {label(roles.names[chosen])} answers {right} right")
    elif chosen is not None:
        value, mean = decimals([float(roles.summarized[chosen]), float(means.means[chosen])])
        lines.append(f"Score of the summarized performance: {value}; mean of the scores: {mean}")
    if len(roles.domains) < 2:
        return "\n".join([*lines, "There is one domain only: there is nothing to compare it with, or to leave out"])
    lines += [] if linear else means.sentences()
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
        best = sorted(stable.ranking.best)
        stay = "stays" if len(best) == 1 else "stay"
        lines.append(f"{' = '.join(map(label, best))} {stay} first whichever domain is left out")
    return "\n".join([*lines, *stable.sentences()])


# ---- the gate


def title_of_gate(gate: Gate) -> str:
    """Say whether the new model passes, and in which box."""
    share = "the margin" if gate.by_domain else f"{_as_given(float(gate.margin))} of its right answers"
    margins = [one.margin for one in gate.by_domain.values()] if gate.by_domain else [gate.margin]
    less = f" less {share}"
    if gate.allowed > gate.old_value:  # an error
        less = f" with a {gate.box.text} {_as_given(float(gate.margin))} larger"
    new, old = label(gate.new), label(gate.old) + (less if any(margins) else "")
    on, everywhere, somewhere = "", "everywhere in the box", "somewhere in the box"
    if gate.costs is not None:
        everywhere = somewhere = "at these costs"
    elif gate.box.successes:
        everywhere = somewhere = ""
    if gate.by_domain:
        names = [name for name, one in gate.by_domain.items() if one.verdict == gate.verdict]
        on = f"on {some(names, MOST_LISTED, quote='')}"
        if gate.verdict == "pass":
            on = f"on each of {counted(len(names), 'domain')}"
    places = [", ".join(filter(None, (on, where))) for where in (everywhere, somewhere)]
    everywhere, somewhere = (f" {place}" if place else "" for place in places)
    if gate.verdict == "pass":
        verdict = f"PASS: {new} is at least as good as {old}{everywhere}"
    elif gate.verdict == "worse":
        verdict = f"WORSE: {new} is worse than {old}{somewhere}"
    elif gate.reason and not gate.by_domain:
        verdict = f"UNDECIDED: {visible(gate.reason)}"
    else:
        first = f"{on}, " if on else ""
        everywhere = everywhere.removeprefix(f" {on}").removeprefix(",") if on else everywhere
        verdict = f"UNDECIDED: {first}the data cannot tell whether {new} is at least as good as {old}{everywhere}"
    return f"{verdict}\n{box_of_gate(gate)}"


def _of_grades(gate: Gate) -> bool:
    """Tell whether a gate compares the mean grades of cases."""
    return gate.box.successes and gate.box.text != ACCURACY.text


def box_of_gate(gate: Gate) -> str:
    """Say which preferences are asked about; of right-or-wrong data, how much both get right."""
    if gate.box.successes and gate.by_domain:
        return f"Compared by {gate.box.text if _of_grades(gate) else 'the share of right answers'}"
    if _of_grades(gate):
        new, old = decimals([gate.new_value, gate.old_value])
        return f"{capitalized(gate.box.text)} {new} of {label(gate.new)}, {old} of {label(gate.old)}"
    if gate.box.successes:
        new, old = shares_right([gate.new_value, gate.old_value])
        return f"{label(gate.new)} answers {new} right, {label(gate.old)} {old}"
    return f"Box: {gate.box.text}" if gate.costs is None else f"C{gate.box.text[1:]}"


def summary_of_gate(gate: Gate) -> str:
    """Say how sure the verdict is, what was drawn, and how many further cases would decide."""
    sure, compared = sure_of_gate(gate), how_averaged(gate)
    return "\n".join([*sure, *further_of_gate(gate), *compared, *notes_of_gate(gate)])


def notes_of_gate(gate: Gate) -> list[str]:
    """Return the notes of a gate."""
    return [f"Note: {visible(note)}" for note in gate.notes]


def sure_of_gate(gate: Gate) -> list[str]:
    """Say how sure the verdict is, and what was drawn."""
    lines = [f"Nothing is decided: {visible(gate.reason)}"] if gate.reason and gate.by_domain else []
    if gate.equal and not gate.by_domain and not gate.undefined:
        there = "" if gate.box.successes else " there"
        lines.append(f"By what was seen, the two are tied{there}" + (", less the margin" if gate.margin else ""))
    if isnan(gate.probability):
        lines.append("How sure this is cannot be said" + ("" if gate.draws else ": counts are needed"))
    else:
        each = ", the smallest of the domains" if gate.by_domain else ""
        everywhere, corner = ("everywhere in the box", "at a corner")
        if gate.costs is not None:
            everywhere, corner = "at these costs", "there"
        good = "P(at least as good)" if gate.box.successes else f"P(at least as good {everywhere})"
        worse = "P(worse)" if gate.box.successes else f"{'P' if gate.costs else 'Largest P'}(worse) {corner}"
        least, least_worse = _below_one(1 - gate.alpha, 6), _below_one(gate.p_worse_needed, 4)
        lines.append(
            f"{good} = {probability(gate.probability, 1 - gate.alpha)}{each}; to pass, {least} is needed. {worse} = "
            f"{probability(gate.p_worse, gate.p_worse_needed)}; for the verdict worse, {least_worse} is needed"
        )
    if gate.draws:
        how = gate.method.split("; ", 1)[-1]  # what comes before is what the unit says
        lines.append(f"{gate.unit}. {counted(gate.draws, 'draw')}, seed {gate.seed}, alpha {gate.alpha:g}; {how}")
    if gate.p_undefined > 0:
        lines.append(f"A score is undefined in {percent(gate.p_undefined)} of the draws, which speak for no verdict")
    if gate.verdict == "pass" and not gate.margin and not gate.by_domain:
        share = _as_given(gate.alpha)
        lines.append(f"A model that is just as good would pass with a probability of up to about {share}")
    return lines


def further_of_gate(gate: Gate) -> list[str]:
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


def how_averaged(gate: Gate) -> list[str]:
    """Say over which domains both models are averaged, with which weights, and at which prior they are compared."""
    lines = []
    weights = gate.prepared.weights
    pooled = gate.prepared.grid.pooled
    names = [name for name in gate.domains if weights.get(name, 1) or pooled]
    idle = [name for name in gate.domains if name not in names]
    several = len(names) > 1
    if gate.by_domain:
        lines.append(f"Each of {counted(len(names), 'domain')} is asked by itself, and none is averaged")
    elif several:
        listed_ = listed(tuple(map(visible, names)), 8)
        how = f"{gate.prepared.weights_in_words}{gate.prepared.per_thing}"
        averaged = f"Averaged over {counted(len(names), 'domain')}: {listed_}, with {how}"
        lines.append(f"Counts pooled: those of {len(names)} domains are added ({listed_})" if pooled else averaged)
    elif names:
        lines.append(f"On one domain: {visible(names[0])}")
    if idle:
        have = "has" if len(idle) == 1 else "have"
        lines.append(f"{some(idle, MOST_LISTED, quote='')} {have} the weight 0, and so no influence")
    after = " after averaging" if several and not gate.by_domain else ""
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
        + "τ is sought on lattices: all performances whose probabilities are multiples of 1/32, and for a fixed prior "
        "those whose FPR and TPR are multiples of 1/80. The paper leaves out (1/2, 1/2): some of its extremes "
        "are less."
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
