"""``rankscape report``: the ranking card."""

from pathlib import Path
from typing import Any

import click

from .._report.card import report
from ..regions.shares import REFERENCE
from ..tasks.pairs import Pairs
from ..texts import visible
from ..typing import Missing, Ties
from .base import OutputPath, Spelled, example
from .preference import preference, preference_options, seen_and_drawn, wanted
from .reading import Given, Reading, case_options, file_argument, reading_options, source
from .summaries import draws_asked, draws_options, reference_option, summary_options
from .thresholds import NO_DRAWS, models


@click.command("report", cls=Reading, epilog=example("rankscape report results.csv -o report.html"))
@file_argument()
@click.option(
    "-o", "--output", type=OutputPath(path_type=Path), required=True, help="File to write: report.html or .md."
)
@preference_options
@click.option("--ties", type=Spelled(["min", "max", "average"]), default="min", help="Which rank tied models get.")
@draws_options(0, "; 0 leaves out the sets of ranks")
@click.option("--title", metavar="TEXT", help="Title of the page.")
@click.option(
    "--explorer", metavar="NAME", help="Write an explorer, such as explorer.html, beside the card, and link to it."
)
@click.option("--no-figures", is_flag=True, help="Write text and tables only.")
@summary_options()
@reference_option
@case_options("score")
@reading_options
def command(
    file: Given,
    output: Path,
    given: Any,
    missing: Missing,
    shift_prior: Any,
    reference_prior: Any,
    ties: Ties,
    title: str | None,
    explorer: str | None,
    no_figures: bool,
    **options: Any,
) -> None:
    """Write the ranking card, for a paper or a review.

    The card holds all that a reader must know about a ranking: the leaderboard with sets of ranks, the question, the
    data, what would change the answer, the audit of the score, the trade-off, and the version and hash of the data.
    An HTML page contains its figures; beside Markdown they are files. FILE is a table as for `rankscape rank`.

    With --truth and --score, FILE holds scores, one row per case (and model), and the card compares the models, each at
    its own best thresholds. These are chosen on the same cases, so the card shows no uncertainty.
    """
    scores = options["score"] is not None
    idle = NO_DRAWS if scores else "would change nothing: --draws 0 draws nothing"
    drawn = draws_asked(options["draws"] > 0 and not scores, idle)
    options = {name: value for name, value in options.items() if name not in drawn}
    ways = wanted(options)
    how: dict[str, Any] = {
        "ties": ties, "title": title, "figures": not no_figures, "explorer": explorer, "shift_prior": shift_prior,
        "reference_prior": REFERENCE if reference_prior is None else reference_prior,
    }  # fmt: skip
    if scores:
        report(models(file, given, missing, options), output, preference(**ways), **how)
    else:
        data = source(file, drawn["draws"] > 0, drawn["resample"], drawn["cluster"], **options)
        how["level"] = drawn["level"]
        if isinstance(data, Pairs):
            named = {"rng": drawn["seed"], "method": drawn["posterior"]} if drawn["draws"] else {}
            report(data, output, ways["by"], draws=drawn["draws"], **named, **how)
        else:
            seen, draws, score = seen_and_drawn(data, ways, drawn, given, missing)
            how |= {"draws": 0, "weights": given, "missing": missing} if draws is None else {}
            report(draws or seen, output, score, **how)
    click.echo(f"written to {visible(str(output))}", err=True)
