"""``rankscape gate``: may a new model replace the one in use?"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from .. import uncertainty
from .._costs import Costs
from .._report import records, render
from ..io.sheets import names_of_files, sources_of
from .base import Output, costs_option, example, number_or_by_name, output_options, refuse, single
from .reading import Given, Reading, case_options, is_paired, performances, reading_options, source
from .summaries import draws_option, seed_option, summary_options
from .verdict import how_averaged, reading_of

COMMON = {"new", "against", "p_worse_needed", "alpha", "domains", "draws", "seed", "unit", "method", "paired",
          "exit_status"}  # fmt: skip
"""The fields that domains have in common in the JSON document."""


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
    type=number_or_by_name("domain", "0.01", "x=0.02,y=0.01"),
    default="0",
    metavar="SHARE",
    help="Share of the right answers of the model in use that the new one may lose in each class, such as 0.01, or "
    "with --every-domain x=0.02,y=0.01. An unchanged model passes only with a margin.",
)
@click.option(
    "--every-domain", is_flag=True, help="Ask each domain on its own instead of their average; all must pass."
)
@single("--entity", metavar="NAME", help="The model of NEW to compare.")
@single("--against-entity", metavar="NAME", help="The model in use, of FILE; without --against, of NEW.")
@summary_options("error", "complete")
@click.option(
    "--resample",
    type=click.Choice(["cases", "domains"]),
    help="Unit that is drawn: cases or whole domains. By default cases, but domains where at least five have 10 000 "
    "cases or more each on average.",
)
@draws_option(1, "; fewer than 1/alpha decide nothing")
@seed_option
@case_options("cluster")
@output_options()
@reading_options()
def command(
    file: str, against: str | None, box: str | None, by: str | None, costs: Costs | None, alpha: float,
    margin: Fraction | dict[str, Fraction], every_domain: bool, entity: str | None, against_entity: str | None,
    average: dict[str, Any], resample: str | None, draws: int, seed: int, cluster: str | None,
    out: Output, reading: dict[str, Any],
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

    Exit status: 0 pass; 1 worse: surely worse somewhere in the box; 4 undecided (the output says why, or estimates how
    many further cases would decide); 2 wrong usage; 3 bad data. --alpha bounds the probability of either error.

    With --task regression, NEW holds values of both models, and the gate compares their errors.

    With --costs, it also says what both models are expected to cost.
    """
    if box is not None and costs is not None:
        raise click.UsageError("--box and --costs each say what to prefer: choose one of them")
    if reading["task"] == "clustering":
        raise click.UsageError(
            "--task clustering has no gate, because pairs of elements are not independent cases: `rankscape rank` says "
            "which model is better"
        )
    how: dict[str, Any] = {
        "alpha": alpha, "margin": margin, "costs": costs, "every_domain": every_domain, "draws": draws, "rng": seed,
        "resample": resample, "by": by, **average, **({} if box is None else {"box": box}),
    }  # fmt: skip
    both: tuple[Any, Any]
    names = (entity, against_entity)
    if reading["task"] == "regression" and reading["truth"] is not None:
        refuse(("against",), "would change nothing: NEW has the values of both")
        values = source(file, reading, {"draws": draws, "resample": resample, "cluster": cluster})
        both = _two_of(values, names)
    elif against is not None and not (is_paired(reading) and reading["case"] is not None):
        refuse(("cluster",), "is about predictions of both models on the same cases: add --case")
        sides = ((performances(path, reading), name) for path, name in ((file, entity), (against, against_entity)))
        new, old = (data if name is None else data[name] for data, name in sides)
        both = (new, old)
    elif is_paired(reading):
        both = _paired(file, against, names, cluster, resample, reading)
    else:
        both = _sharing_cases(file, names, cluster, reading)
    decision = uncertainty.gate(*both, **how)
    if out.kind == "markdown":
        out.show(f"## {render(format='markdown', **reading_of(decision))}")
    else:
        out.answer(lambda: _document(decision), decision.table, lambda: reading_of(decision), how_averaged(decision))
    click.get_current_context().exit(decision.exit_status)


def _document(decision: uncertainty.Gate) -> dict[str, Any]:
    apart, costs = decision.by_domain, decision.costs
    return {
        "schema": "rankscape/gate/1",
        "box": decision.box.text,
        **({} if costs is None else {"costs": costs.document()}),
        **decision.row(),
        "domains": decision.domains,
        "prepared": decision.prepared.document(),
        "notes": decision.notes,
        "by_domain": apart
        and [{name: value for name, value in row.items() if name not in COMMON} for row in records(decision.table())],
    }


Names = tuple[str | None, str | None]
"""The names of the new model and of the one in use."""


def _two_of(data: Any, names: Names) -> tuple[Any, Any]:
    """Return the two models that are named."""
    new, old = names
    if new is None or old is None:
        raise click.UsageError("FILE has several models: say which is which with --entity NEW --against-entity OLD")
    return data[new], data[old]


def _sharing_cases(file: str, names: Names, cluster: str | None, reading: dict[str, Any]) -> tuple[Any, Any]:
    """Return two entities of one file, which may say which cases they share, as right or wrong answers do."""
    if None in names:
        raise click.UsageError(
            "expected --against FILE, the performance of the model in use; or both models in NEW, as --entity new "
            "--against-entity old; of predictions with --truth y --prediction new --prediction old, too"
        )
    data = performances(file, reading, cluster)
    if cluster is not None and (data.pairing is None or not data.pairing.clustered):
        raise click.UsageError("--cluster would change nothing: what was read knows no clusters")
    return _two_of(data, names)


def _paired(
    file: str, against: str | None, names: Names, cluster: str | None, resample: str | None, reading: dict[str, Any]
) -> tuple[Any, Any]:
    """Return two entities of predictions, which know the cases that they share."""
    files: Given = file
    if against is not None:  # a model that no column names is called by its file
        if "-" in (file, against):
            raise click.UsageError("with --case models are called by their files: save standard input (-) as one")
        files = [file, against]
        of_new, of_old = names_of_files([one.where for one in sources_of(files)])
        names = (names[0] or of_new, names[1] or of_old)
    if cluster is not None and resample == "domains":
        raise click.UsageError("--cluster would change nothing: domains are drawn")
    data = performances(files, reading, cluster, "always")
    if lacking := [name for name in names if name not in (None, *data.names)]:
        there = ", ".join(map(repr, dict.fromkeys(data.names)))
        raise click.UsageError(
            f"no model is called {lacking[0]!r}: name two of {there}, with --entity and --against-entity"
        )
    return _two_of(data, names)
