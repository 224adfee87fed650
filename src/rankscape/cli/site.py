"""``rankscape site``: the static site of a challenge, and the check of its submissions."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import click

import rankscape as rs

from ..domains import prepare
from ..performances import as_performances
from ..texts import counted
from .base import example, given, output_option, say_what_was_read
from .endings import BAD_DATA, in_shell
from .preference import drawn_or_seen, preference_options
from .reading import OF_BOTH, Given, Reading, domain_option, file_argument, reading_options, source
from .summaries import draws_options, no_draws, summary_options

POLICIES = ("error", "complete")


@click.command("site", cls=Reading, epilog=example("rankscape site results.csv -o site"))
@file_argument()
@output_option("Folder of the site; needed without --check.")
@preference_options()
@click.option("--title", metavar="TEXT", help="What the challenge is called.")
@click.option("--metadata", metavar="TABLE", help="Table with a row per method, and columns such as team, date, paper, "
              "code; addresses of http and https become links.")  # fmt: skip
@draws_options(0, "; 0: no sets of ranks")
@click.option("--no-figures", is_flag=True, help="Leave out the figures of how it is ranked.")
@click.option("--check", is_flag=True, help="Write nothing: read each FILE, or each table of a folder, as a "
              "submission, and say what is wrong with it.")  # fmt: skip
@click.option(
    "--like", metavar="TABLE", help="With --check: the official results, whose domains each submission must have."
)
@summary_options(*POLICIES)
@reading_options(domain_option)
def command(
    file: Given, output: Path | None, ways: dict[str, Any], title: str | None, metadata: str | None,
    drawn: dict[str, Any], no_figures: bool, check: bool, like: str | None, average: dict[str, Any],
    reading: dict[str, Any],
) -> None:  # fmt: skip
    """Write the static site of a challenge, or check submissions.

    FILE is a table as for `rankscape rank`; several files, such as one per team, are read as one table. The site has
    the official leaderboard with intervals, ties and tiers, pages of methods and domains, the explorer, and downloads.
    It makes no request.

    With --check, nothing is written. Each file is read by itself, and the exit status is 3 if one of them is wrong.
    """
    if check:
        _check(file, like, reading)
        return
    if like is not None:
        raise click.UsageError("--like would change nothing without --check")
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output', the folder of the site.")
    if not drawn["draws"]:
        no_draws(drawn)
    data = source(file, reading, drawn)
    prepare(as_performances(data), **average, policies=POLICIES)  # warns
    what, score, averaged = drawn_or_seen(data, ways, drawn, average)
    how = {"title": title, "metadata": metadata, "level": drawn["level"], "figures": not no_figures}
    made = rs.site(what, output, score, **how, **averaged)
    say_what_was_read()
    click.echo(made.heading, err=True)


def _check(file: Given, like: str | None, reading: dict[str, Any]) -> None:
    """Print what each submission holds, or what is wrong with it."""
    ctx = click.get_current_context()
    used = {"file", "check", "like", "entity_column", "domain_column", "encoding", "format", *OF_BOTH}
    if idle := given(*(str(parameter.name) for parameter in ctx.command.params if parameter.name not in used)):
        raise click.UsageError(f"{idle} would change nothing: --check only reads")
    names = {"entity": reading["entity_column"], "domain": reading["domain_column"], "format": reading["format"]}
    same = {name: reading[name] for name in ("encoding", *OF_BOTH)}
    read = import_module(".._site.submissions", __package__)  # which few need
    submissions = read.check_submissions(file, like, **names, **same)
    for submission in submissions:
        sentence = submission.sentence(in_shell)
        click.echo(sentence if submission.error is None else f"Error: {sentence}")
        for note in submission.notes:
            click.echo(f"warning: {submission.file}: {note}")
    wrong = sum(submission.error is not None for submission in submissions)
    click.echo(f"{counted(len(submissions), 'submission')}: {len(submissions) - wrong} fine, {wrong} wrong", err=True)
    if wrong:
        ctx.exit(BAD_DATA)
