"""``rankscape gate``: may a new model replace the one in use?"""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from .._report import decimals, records, render, to_json
from ..results import Table
from ..typing import Missing
from ..uncertainty import Draws, Gate, gate
from ..uncertainty.resampling import paired_draws
from .base import chosen_format, debug_option, example, number, show, single, text_options, width
from .reading import cluster_option, is_paired, paired, performances, reading_options, refuse_idle
from .sentences import how_averaged, summary_of_gate, title_of_gate
from .summaries import posterior_option, summary_options


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
    "--min-prob",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.95,
    show_default=True,
    help="Minimum probability required to pass.",
)
@click.option(
    "--margin",
    type=number,
    default="0",
    metavar="SHARE",
    help="Compare with the model in use less this share of its right answers, such as 0.01, of each class: what that "
    "is of the score is shown. An equal model can pass only with a margin.",
)
@single("--entity", metavar="NAME", help="The entity of NEW to compare.")
@single("--against-entity", metavar="NAME", help="That of FILE; without --against, of NEW.")
@summary_options("error", "complete")
@click.option(
    "--draws",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    help="Draws from the posterior, or of the paired bootstrap.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the draws.")
@posterior_option
@cluster_option
@text_options()
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
    missing: Missing,
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
    kind = chosen_format(format_, output)
    if against is None:
        draws_of = _paired(file, entity, against_entity, cluster, draws, seed, given, reading)
        decision = replace(gate(*draws_of, box, min_prob, margin=margin, shift_prior=shift_prior), seed=seed)
    else:
        if cluster is not None:
            raise click.UsageError("--cluster is about predictions of both models in NEW: leave out --against")
        sides = ((performances(path, **reading), name) for path, name in ((file, entity), (against, against_entity)))
        new, old = (data if name is None else data[name] for data, name in sides)
        how = {"method": posterior, "weights": given, "missing": missing, "margin": margin, "shift_prior": shift_prior}
        decision = gate(new, old, box, min_prob, draws, seed, **how)
    table = decision.table()
    if kind == "json":
        document = {
            "schema": "rankscape/gate/1",
            "box": decision.box.text,
            "method": decision.method,
            **records(table)[0],
            "domains": decision.domains,
            "prepared": decision.prepared and decision.prepared.document(),
            "seed": decision.seed,
            "notes": decision.notes,
        }
        show(to_json(document), kind, output)
    elif kind == "csv":
        show(table.to_csv(), kind, output)
        for sentence in how_averaged(decision):
            click.echo(f"note: {sentence}", err=True)
    else:
        title, summary = title_of_gate(decision), summary_of_gate(decision)
        show(render(_readable(decision), kind, title=title, summary=summary, width=width()), kind, output)
    click.get_current_context().exit(decision.exit_status)


def _paired(
    file: str,
    entity: str | None,
    against: str | None,
    cluster: str | None,
    draws: int,
    seed: int,
    weights: Any,
    reading: dict[str, Any],
) -> tuple[Draws, Draws]:
    """Return draws of two entities on the same cases."""
    if not is_paired(reading):
        raise click.UsageError(
            "expected --against FILE, the performance of the model in use; or in NEW predictions of both on the same "
            "cases: --truth y --prediction new --prediction old --entity new --against-entity old"
        )
    if entity is None or against is None:
        raise click.UsageError("of predictions say which is which: --entity NEW --against-entity OLD")
    refuse_idle("cases")
    both = paired_draws(paired(file, cluster=cluster, **reading), draws, seed, weights)
    return both[entity], both[against]


def _readable(decision: Gate) -> Table:
    worst, (new, old) = decision.worst, decimals([decision.new_value, decision.old_value])
    columns = {"least favorable corner": f"a = {float(worst.a):.4g}, b = {float(worst.b):.4g}"}
    if worst.prior is not None:
        columns["prior"] = f"{float(worst.prior):.4g}"
    columns |= {"score of the new": new, "of the other": old}
    if decision.margin:
        columns["of the other less the margin"] = decimals([decision.allowed])[0]
    return Table({name: [text] for name, text in columns.items()})
