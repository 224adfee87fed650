"""``rankscape gate``: may a new model replace the one in use?"""

from dataclasses import replace
from fractions import Fraction
from math import inf, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..texts import counted, label, listed, percent, visible
from .base import chosen_format, debug_option, example, format_option, number, once, output_option, show, width
from .reading import cluster_option, is_paired, paired, performances, reading_options, refuse_idle
from .summaries import missing_option, posterior_option, shift_option, weights_option

if TYPE_CHECKING:
    from ..performances import Performances
    from ..uncertainty import Draws, Gate


@click.command(
    "gate",
    epilog="\b\nIn a pipeline (GitHub Actions and others fail on any status but 0):\n"
    '  - run: rankscape gate new.csv --against prod.csv --box "beta in [0.5, 2]"\n\n'
    + example('rankscape gate new.csv --against prod.csv --box "beta in [0.5, 2], prior in [0.05, 0.2]"'),
)
@click.argument("file", metavar="NEW|-")
@click.option(
    "--against", metavar="FILE", help="The performance of the model in use; left out if NEW has predictions of both."
)
@click.option("--box", default="beta = 1", show_default=True, metavar="TEXT", help="Preferences and priors; see above.")
@click.option(
    "--min-prob", type=click.FloatRange(0, 1, max_open=True), default=0.95, show_default=True, help="To pass."
)
@click.option(
    "--margin",
    type=number,
    default="0",
    metavar="SHARE",
    help="Compare with the model in use less this share of its right answers, such as 0.01, of each class: what that "
    "is of the score is shown. An equal model can pass only with a margin.",
)
@click.option("--entity", multiple=True, callback=once, metavar="NAME", help="Which one of NEW.")
@click.option(
    "--against-entity",
    multiple=True,
    callback=once,
    metavar="NAME",
    help="Which one of FILE, or, without --against, of NEW.",
)
@weights_option
@missing_option("error", "complete")
@shift_option
@click.option(
    "--draws",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    help="Of the posterior, or of the paired bootstrap.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draws.")
@posterior_option
@cluster_option
@format_option
@output_option("File to write; its suffix (csv, json, tex, md, txt) sets the format.")
@reading_options
@debug_option
def command(
    file: str,
    against: str | None,
    box: str,
    min_prob: float,
    margin: Fraction,
    entity: str | None,
    against_entity: str | None,
    draws: int,
    seed: int,
    posterior: Any,
    cluster: str | None,
    given: Any,
    missing: str,
    shift_prior: Fraction | None,
    format_: str | None,
    output: Path | None,
    **reading: Any,
) -> None:
    """Check that a new model is no worse than the one in use (for CI).

    It passes if it is surely at least as good as the one in use everywhere in a box of preferences. NEW and FILE hold
    counts of one entity each: entity, tn, fp, fn, tp, and perhaps domain; their domains must be the same. The box
    bounds what is preferred, by beta, or by a and b on the Tile, or by miss (false alarms per miss) and detection
    (correct rejections per detection), and perhaps the prior to which both are shifted. Of the counts it is decided
    exactly; how sure that is, by draws from the posterior of each model, unpaired: independent, as if of different
    cases.

    With --truth and --prediction, NEW holds predictions of both models, --entity and --against-entity, on the same
    cases, and draws are those of a paired bootstrap: --against is left out. With it, both files are counted, unpaired.

    Exit status: 0 pass; 1 worse: by the counts seen, the new one has a smaller score somewhere in the box, be it by
    chance; 4 undecided: not worse, but not sure enough (the output estimates how many more cases it would take),
    undefined somewhere, or with draws that cannot be trusted; 2 wrong usage; 3 bad data.
    """
    from .._report import render, to_json
    from ..uncertainty import gate

    kind = chosen_format(format_, output)
    if against is None:
        draws_of = _paired(file, entity, against_entity, cluster, draws, seed, given, reading)
        found = replace(gate(*draws_of, box, min_prob, margin=margin, shift_prior=shift_prior), seed=seed)
    else:
        if cluster is not None:
            raise click.UsageError("--cluster is about predictions of both models in NEW: leave out --against")
        new = _chosen(performances(file, None, **reading), entity)
        old = _chosen(performances(against, None, **reading), against_entity)
        how = {"method": posterior, "weights": given, "missing": missing, "margin": margin, "shift_prior": shift_prior}
        found = gate(new, old, box, min_prob, draws, seed, **how)
    table = found.table()
    if kind == "json":
        row = dict(zip(table.columns, next(table.rows()), strict=True))
        prepared = found.prepared and found.prepared.document()
        more = {"domains": list(found.domains), "prepared": prepared, "seed": found.seed, "notes": list(found.notes)}
        head = {"schema": "rankscape/gate/1", "box": found.box.text, "method": found.method}
        show(to_json(head | row | more), kind, output)
    elif kind == "csv":
        show(table.to_csv(), kind, output)
        for sentence in _how(found):
            click.echo(f"note: {sentence}", err=True)
    else:
        show(render(_readable(found), kind, title=_title(found), summary=_summary(found), width=width()), kind, output)
    click.get_current_context().exit(found.exit_status)


def _paired(
    file: str,
    entity: str | None,
    against: str | None,
    cluster: str | None,
    draws: int,
    seed: int,
    weights: Any,
    reading: dict[str, Any],
) -> tuple["Draws", "Draws"]:
    """Return draws of two entities on the same cases."""
    from ..uncertainty.resampling import paired_draws

    ctx = click.get_current_context()
    if not is_paired(reading):
        raise click.UsageError(
            "expected --against FILE, the performance of the model in use; or in NEW predictions of both on the same "
            "cases: --truth y --prediction new --prediction old --entity new --against-entity old",
            ctx,
        )
    if entity is None or against is None:
        raise click.UsageError("of predictions say which is which: --entity NEW --against-entity OLD", ctx)
    refuse_idle("cases")
    both = paired_draws(paired(file, None, cluster, **reading), draws, seed, weights)
    return both[entity], both[against]


def _chosen(data: "Performances", name: str | None) -> "Performances":
    return data if name is None else data[name]


def _title(found: "Gate") -> str:
    seen = "counts" if found.draws else "probabilities"
    less = f" less {percent(float(found.margin))} of its right answers" if found.margin else ""
    said = {
        "pass": "PASS: {new} is at least as good as {old} everywhere in the box",
        "worse": "WORSE: by the {seen} seen, {new} is worse than {old} somewhere in the box",
        "undecided": "UNDECIDED: {new} is nowhere worse than {old} in the box, but that is not sure enough",
    }[found.verdict]
    if found.undefined and found.verdict == "undecided":
        said = "UNDECIDED: {new} and {old} cannot be compared everywhere in the box, for a score is undefined there"
    return f"{said.format(new=label(found.new), old=label(found.old) + less, seen=seen)}\nBox: {found.box.text}"


def _readable(found: "Gate") -> Any:
    from .._report import decimals
    from ..results import Table

    worst, (new, old) = found.worst, decimals([found.new_value, found.old_value])
    columns = {"least favorable corner": f"a = {float(worst.a):.4g}, b = {float(worst.b):.4g}"}
    if worst.prior is not None:
        columns["prior"] = f"{float(worst.prior):.4g}"
    columns |= {"score of the new": new, "of the other": old}
    if found.margin:
        columns["of the other less the margin"] = decimals([found.allowed])[0]
    return Table({name: [text] for name, text in columns.items()})


def _summary(found: "Gate") -> str:
    lines = []
    if found.equal:
        lines.append("The two are tied there" + (", less the margin" if found.margin else ""))
    if isnan(found.probability):
        lines.append("The files hold probabilities, not counts: how sure this is cannot be told")
    else:
        lines.append(
            f"P(at least as good everywhere in the box) = {found.probability:.3f}, to pass {found.min_prob:g}; "
            f"{counted(found.draws, 'draw')}, {'' if found.seed is None else f'seed {found.seed}, '}{found.method}"
        )
        if not found.paired:
            lines.append(
                "Unpaired: on the same cases the difference is usually surer; counts do not say which they share"
            )
    if found.sample_size_factor == inf and found.equal and not found.margin:
        lines.append(
            "More cases of this kind would never decide it, for the two are equal: --margin 0.01 lets pass what loses "
            "less than 1 % of the right answers"
        )
    elif found.sample_size_factor == inf:
        lines.append("More cases of this kind would never decide it" if found.equal else "It would take too many cases")
    elif not isnan(found.sample_size_factor):
        factor = float(f"{found.sample_size_factor:.2g}")
        times = f"{factor:g}" if factor < 100 else f"{factor:,.0f}"
        lines.append(
            f"About {times} times as many cases of each of the two would do if the rates stay: "
            f"{found.more_cases:,.0f} more of the new one, and as many times more of the other"
        )
    return "\n".join(lines + _how(found) + [f"Note: {visible(note)}" for note in found.notes])


def _how(found: "Gate") -> list[str]:
    """Say over which domains both models are averaged, with which weights, and to which prior they are shifted."""
    lines = []
    if found.domains:
        shown = listed(tuple(map(visible, found.domains)), 8)
        weights = found.prepared.weights_in_words if found.prepared and len(found.domains) > 1 else ""
        how = f", with {weights}" if weights else ""
        lines.append(f"Averaged over {counted(len(found.domains), 'domain')}: {shown}{how}")
    if found.shift_prior is not None:
        after = " after averaging" if len(found.domains) > 1 else ""
        lines.append(f"Prior (share of positives) of both models shifted to {float(found.shift_prior):.4g}{after}")
    elif found.box.prior is not None:
        after = " after averaging" if len(found.domains) > 1 else ""
        lines.append(f"Priors (shares of positives) of both models shifted to those of the box{after}")
    return lines
