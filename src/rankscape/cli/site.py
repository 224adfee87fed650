"""``rankscape site``: the static site of a challenge, and the check of its submissions."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from .._site.build import site
from .._site.submissions import check_submissions
from ..domains import prepare
from ..explorer.build import POLICIES
from ..performances import as_performances
from ..texts import counted
from ..typing import Ties
from .base import OutputPath, Spelled, example, say_what_was_read
from .endings import BAD_DATA, in_shell
from .preference import preference_options, seen_and_drawn, wanted
from .reading import Given, Reading, file_argument, reading_options, source
from .summaries import draws_asked, draws_options, summary_options

OF_READ = (
    "entity_column",
    "domain_column",
    "encoding",
    "from_",
    "unanswered",
    "case",
    "pos_label",
    "scale",
    "correct",
    "repeat",
)
"""The options that the check of submissions has a use for."""


@click.command("site", cls=Reading, epilog=example("rankscape site results.csv -o site"))
@file_argument()
@click.option("-o", "--output", type=OutputPath(path_type=Path), help="Folder of the site; needed without --check.")
@preference_options
@click.option("--title", metavar="TEXT", help="What the challenge is called.")
@click.option("--metadata", metavar="TABLE", help="Table with a row per method, and columns such as team, date, paper, "
              "code; addresses of http and https become links.")  # fmt: skip
@click.option("--date", metavar="2026-01-31", help="Date of this update, for the list of changes.")
@click.option("--ties", type=Spelled(["min", "max", "average"]), default="min", help="Which rank tied models get.")
@draws_options(0, "; 0: no sets of ranks")
@click.option("--no-figures", is_flag=True, help="Leave out the figures of how it is ranked.")
@click.option("--check", is_flag=True, help="Write nothing: read each FILE, or each table of a folder, as a "
              "submission, and say what is wrong with it.")  # fmt: skip
@click.option(
    "--like", metavar="TABLE", help="With --check: the official results, whose domains each submission must have."
)
@summary_options(*POLICIES)
@reading_options
def command(
    file: Given,
    output: Path | None,
    given: Any,
    missing: Any,
    shift_prior: Any,
    ties: Ties,
    title: str | None,
    metadata: str | None,
    date: str | None,
    no_figures: bool,
    check: bool,
    like: str | None,
    **options: Any,
) -> None:
    """Write the static site of a challenge, or check submissions.

    FILE is a table as for `rankscape rank`; several files, such as one per team, are read as one table. The site has
    the official leaderboard with intervals, ties and tiers, pages of methods and domains, the explorer, downloads, and
    the changes since the last run into the same folder. It makes no request.

    With --check, nothing is written. Each file is read by itself, and the exit status is 3 if one of them is wrong.
    """
    if check:
        _check(file, like, options)
        return
    if like is not None:
        raise click.UsageError("--like would change nothing without --check")
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output', the folder of the site.")
    drawn = draws_asked(options["draws"] > 0, "would change nothing: --draws 0 draws nothing")
    options = {name: value for name, value in options.items() if name not in drawn}
    ways = wanted(options)
    data = source(file, drawn["draws"] > 0, drawn["resample"], drawn["cluster"], **options)
    how: dict[str, Any] = {
        "title": title, "metadata": metadata, "date": date, "ties": ties,
        "level": drawn["level"], "figures": not no_figures, "shift_prior": shift_prior,
    }  # fmt: skip
    prepare(as_performances(data), weights=given, missing=missing, shift_prior=shift_prior, policies=POLICIES)  # warns
    seen, draws, score = seen_and_drawn(data, ways, drawn, given, missing)
    how |= {"draws": 0, "weights": given, "missing": missing} if draws is None else {}
    made = site(draws or seen, output, score, **how)
    say_what_was_read("")
    click.echo(made.heading, err=True)


def _check(file: Given, like: str | None, options: dict[str, Any]) -> None:
    """Print what each submission holds, or what is wrong with it."""
    ctx = click.get_current_context()
    for parameter in ctx.command.params:
        name = parameter.name or ""
        allowed = {"file", "check", "like", *OF_READ}
        if name not in allowed and ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"{parameter.opts[0]} would change nothing: --check only reads")
    names = {"entity": options["entity_column"], "domain": options["domain_column"], "format": options["from_"]}
    same = {name: options[name] for name in OF_READ if name not in ("entity_column", "domain_column", "from_")}
    submissions = check_submissions(file, like, **names, **same)
    for submission in submissions:
        if submission.error is None:
            click.echo(submission.sentence())
        else:
            click.echo(f"Error: {submission.sentence(in_shell)}")
        for note in submission.notes:
            click.echo(f"warning: {submission.file}: {note}")
    wrong = sum(submission.error is not None for submission in submissions)
    click.echo(f"{counted(len(submissions), 'submission')}: {len(submissions) - wrong} fine, {wrong} wrong", err=True)
    if wrong:
        ctx.exit(BAD_DATA)
