"""``rankscape gate``: may a new model replace the one in use?"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from .. import uncertainty
from .._costs import Costs
from .._report import records, render, to_json
from ..io.sheets import names_of_files, sources_of
from ..performances import Performances
from ..results import Table
from ..typing import Missing, Resample
from .base import (
    Spelled,
    chosen_format,
    costs_option,
    example,
    number,
    numbers_by_name,
    show,
    single,
    text_options,
    width,
)
from .reading import (
    Given,
    Reading,
    accounted,
    case_options,
    is_paired,
    performances,
    reading_options,
    source,
)
from .summaries import summary_options
from .thresholds import FLATTERED, at_thresholds, threshold_options
from .verdict import advice_of_gate, how_averaged, job_summary, readable, summary_of_gate, title_of_gate

APART = ("domain", "verdict", "probability", "p_worse", "margin", "worst_a", "worst_b", "worst_prior", "value",
         "value_against", "value_allowed", "prior", "times_as_many_cases", "more_cases", "more_discordant",
         "p_undefined", "reason")  # fmt: skip
"""The fields of each domain in the JSON document."""


def margins(text: str) -> Fraction | dict[str, Fraction]:
    """Return the margin, or those of domains in ``x=0.02,y=0.01``."""
    return numbers_by_name(text, "domain", "0.01, or x=0.02,y=0.01") if "=" in text else number(text)


@click.command(
    "gate",
    cls=Reading,
    epilog="\b\nIn a pipeline (GitHub Actions and others fail on any status but 0):\n"
    '  - run: rankscape gate new.csv --against prod.csv --box "beta in [0.5, 2]"\n'
    "With a job summary: add --format markdown -o $GITHUB_STEP_SUMMARY\n\n"
    + example('rankscape gate new.csv --against prod.csv --box "beta in [0.5, 2], prior in [0.05, 0.2]"'),
)
@click.argument("file", metavar="NEW|-")
@click.option("--against", metavar="FILE", help="The performance of the model in use; left out if NEW has both models.")
@single("--box", metavar="TEXT", help="Preferences and priors; see above. By default beta = 1.")
@single("--by", metavar="NAME", help="Error by which regressors are compared, such as rmse; by default mae.")
@costs_option
@click.option(
    "--alpha",
    type=click.FloatRange(0, 0.5, min_open=True),
    default=0.05,
    show_default=True,
    help="Largest probability of either error: to pass a worse model, or to call worse one that is not.",
)
@click.option(
    "--margin",
    type=margins,
    default="0",
    metavar="SHARE",
    help="Share of the right answers of the model in use that the new one may lose in each class, such as 0.01; with "
    "--every-domain also one per domain: x=0.02,y=0.01. An unchanged model passes only with a margin.",
)
@click.option(
    "--every-domain", is_flag=True, help="Ask each domain on its own instead of their average; all must pass."
)
@single("--entity", metavar="NAME", help="The model of NEW to compare.")
@single("--against-entity", metavar="NAME", help="The model in use, of FILE; without --against, of NEW.")
@summary_options("error", "complete")
@click.option(
    "--resample",
    type=Spelled(["cases", "domains"]),
    help="Unit that is drawn: cases or whole domains. By default cases, but domains where at least five have 10 000 "
    "cases or more each on average.",
)
@click.option("--draws", type=click.IntRange(1), default=2000, show_default=True,
              help="Number of draws; fewer than 1/alpha decide nothing.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the draws.")
@case_options("cluster")
@threshold_options
@text_options()
@reading_options
def command(
    file: str, against: str | None, box: str | None, by: str | None, costs: Costs | None,
    alpha: float, margin: Fraction | dict[str, Fraction], every_domain: bool, entity: str | None,
    against_entity: str | None, draws: int, seed: int, resample: Resample | None, cluster: str | None,
    threshold: Fraction | None, against_threshold: Fraction | None, given: Any, missing: Missing,
    shift_prior: Fraction | None, format_: str | None, output: Path | None, **reading: Any,
) -> None:  # fmt: skip
    """Check that a new model is no worse than the one in use (for CI).

    The new model passes if it is surely at least as good as the one in use, everywhere in a box of preferences. NEW
    and FILE hold counts of one entity each: entity, tn, fp, fn, tp, and perhaps domain; their domains must be the
    same. Or NEW holds both: --entity is the new one, --against-entity the one in use. The box bounds what is
    preferred, by beta, or by a and b on the Tile, or by miss (false alarms per miss) and detection (correct
    rejections per detection), and perhaps the prior to which both are shifted. Without a prior, both are compared
    at the share of positives of the model in use. Counts do not say which cases the two share, so each model is
    drawn by itself.

    With --truth and --prediction, NEW holds predictions of both models, --entity and --against-entity, on the same
    cases, and the cases are drawn for both at once. Or NEW and FILE each have the predictions of one model, which is
    called by its file: --case then says which rows are of one case; without it the models are not paired.

    With --truth and --score, NEW holds scores, and the gate compares two thresholds: --threshold and the one in use,
    --against-threshold. If the scores are of two models, name both as above.

    Exit status: 0 pass; 1 worse: surely worse somewhere in the box; 4 undecided (the output says why, or estimates how
    many further cases would decide); 2 wrong usage; 3 bad data. --alpha bounds the probability of either error.

    With --task regression, NEW holds values of both models, and the gate compares their errors.

    With --costs, it also says what both models are expected to cost.
    """
    kind = chosen_format(format_, output)
    if box is not None and costs is not None:
        raise click.UsageError("--box and --costs each say what to prefer: choose one of them")
    if reading["task"] == "clustering":
        raise click.UsageError(
            "--task clustering has no gate, because pairs of elements are not independent cases: `rankscape rank` says "
            "which model is better"
        )
    how: dict[str, Any] = {"alpha": alpha, "margin": margin, "costs": costs}
    how |= {"box": box} if box is not None else {}
    ctx = click.get_current_context()
    how |= {
        "every_domain": every_domain, "shift_prior": shift_prior, "draws": draws, "rng": seed, "weights": given,
        "missing": missing, "resample": resample, "by": by,
    }  # fmt: skip
    if reading["score"] is not None or threshold is not None or against_threshold is not None:
        _refuse(ctx, ("against", "cluster"), "would change nothing: NEW has the scores of both")
        both = at_thresholds(file, threshold, against_threshold, entity, against_entity, reading)
        decision = uncertainty.gate(*both, **how)
        decision = replace(decision, notes=(*decision.notes, FLATTERED))
    elif reading["task"] == "regression" and reading["truth"] is not None:
        _refuse(ctx, ("against",), "would change nothing: NEW has the values of both")
        values = source(file, True, resample, cluster, **reading)
        if entity is None or against_entity is None:
            raise click.UsageError("of predictions say which is which: --entity NEW --against-entity OLD")
        decision = uncertainty.gate(values[entity], values[against_entity], **how)
    elif against is not None and not (is_paired(reading) and reading["case"] is not None):
        if cluster is not None:
            raise click.UsageError("--cluster is about predictions of both models on the same cases: add --case")
        sides = ((performances(path, **reading), name) for path, name in ((file, entity), (against, against_entity)))
        of_new, of_old = (data if name is None else data[name] for data, name in sides)
        decision = uncertainty.gate(of_new, of_old, **how)
    elif is_paired(reading):
        files: Given = file
        if against is not None:  # a model that no column names is called by its file
            files = [file, against]
            new, old = names_of_files([one.where for one in sources_of(files)])
            entity, against_entity = entity or new, against_entity or old
        decision = uncertainty.gate(*_paired(files, entity, against_entity, cluster, resample, reading), **how)
    else:
        decision = uncertainty.gate(*_sharing_cases(file, entity, against_entity, cluster, reading), **how)
    if kind == "json":
        show(to_json(accounted(_document(decision))), kind, output)
    elif kind == "csv":
        show(decision.table().to_csv(), kind, output)
        for sentence in how_averaged(decision):
            click.echo(f"note: {sentence}", err=True)
    else:
        title, summary, (table, right) = title_of_gate(decision), summary_of_gate(decision), readable(decision)
        if kind == "markdown":
            text = job_summary(decision)
        else:
            summary = f"{advice_of_gate(decision)}\n{summary}" if decision.costs else summary
            text = render(table, kind, title=title, summary=summary, right=right, width=width())
        show(text, kind, output)
    ctx.exit(decision.exit_status)


def _refuse(ctx: click.Context, names: tuple[str, ...], why: str) -> None:
    for parameter in ctx.command.params:
        if parameter.name in names and ctx.get_parameter_source(parameter.name) is not ParameterSource.DEFAULT:
            what = parameter.opts[0] if isinstance(parameter, click.Option) else "NEW"
            raise click.UsageError(f"{what} {why}")


def _document(decision: uncertainty.Gate) -> dict[str, Any]:
    table = records(decision.table())
    apart, costs = decision.by_domain, decision.costs
    names = APART if costs is None else (*APART, *decision.expenses._fields)
    return {
        "schema": "rankscape/gate/1",
        "box": decision.box.text,
        **({} if costs is None else {"costs": costs.document()}),
        **records(Table({name: [value] for name, value in decision.row().items()}))[0],
        "domains": decision.domains,
        "prepared": decision.prepared.document(),
        "notes": decision.notes,
        "by_domain": None if apart is None else [{name: row[name] for name in names} for row in table],
    }


def _sharing_cases(
    file: str, entity: str | None, against: str | None, cluster: str | None, reading: dict[str, Any]
) -> tuple[Performances, Performances]:
    """Return two entities of one file, which may say which cases they share, as right or wrong answers do."""
    if entity is None or against is None:
        raise click.UsageError(
            "expected --against FILE, the performance of the model in use; or both models in NEW, as --entity new "
            "--against-entity old; of predictions with --truth y --prediction new --prediction old, too"
        )
    clusters = {} if cluster is None else {"cluster": cluster}
    data = performances(file, **clusters, **reading)
    if cluster is not None and (data.pairing is None or not data.pairing.clustered):
        raise click.UsageError("--cluster would change nothing: what was read knows no clusters")
    return data[entity], data[against]


def _paired(
    file: Given, entity: str | None, against: str | None, cluster: str | None, resample: Resample | None,
    reading: dict[str, Any],
) -> tuple[Performances, Performances]:  # fmt: skip
    """Return two entities of predictions, which know the cases that they share."""
    if entity is None or against is None:
        raise click.UsageError("of predictions say which is which: --entity NEW --against-entity OLD")
    if cluster is not None and resample == "domains":
        raise click.UsageError("--cluster would change nothing: domains are drawn")
    data = performances(file, cluster=cluster, pairs="always", **reading)
    if lacking := [name for name in (entity, against) if name not in data.names]:
        there = ", ".join(map(repr, dict.fromkeys(data.names)))
        raise click.UsageError(
            f"no model is called {lacking[0]!r}: name two of {there}, with --entity and --against-entity"
        )
    return data[entity], data[against]
