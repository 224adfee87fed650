"""``rankscape demo``: the main job on the results that come with the package."""

from pathlib import Path

import click
import numpy as np

import rankscape as rs

from .. import _report
from ..outputs import write_whole
from ..performances import Performances
from ..texts import visible
from .base import Output, OutputPath, example, output_option, refuse, width
from .endings import Refusal
from .tile import summary

FIRST_BY, ONE_BY = "f1", "precision"
DRAWS = 500
TABLES = {
    "three.csv": "three models, each the best by another measure",
    "cases.csv": "their answers, case by case",
    "hospitals.csv": "the same models in three hospitals",
    "results.csv": "14 classifiers, 14 problems",
    "predictions.parquet": "their answers and scores, case by case",
}


@click.command("demo", epilog=example("rankscape demo -o demo"))
@output_option("Folder for the pages and figures.", default="rankscape-demo", show_default=True)
@click.option("--data", metavar="DIR", type=OutputPath(path_type=Path),
              help="Write only the tables that the guides use, into this folder.")  # fmt: skip
def command(output: Path, data: Path | None) -> None:
    """Rank real classifiers, and write their explorer.

    The folder also gets their ranking card, figures of the Tile, and the tables that the guides use.
    """
    if data is not None:
        refuse(("output",), "would change nothing: --data names the folder")
    folder = output if data is None else data
    _make(folder)
    tables = {folder / name: rs.datasets.example_file(name).read_bytes() for name in TABLES}
    for path, table in tables.items():
        if path.is_dir() or (path.exists() and path.read_bytes() != table):
            option = "-o" if data is None else "--data"
            raise Refusal(f"{visible(str(path))} is there already, and another file: choose a new folder with {option}")
    for path, table in tables.items():
        write_whole(path, table)
    for name, what in TABLES.items():
        if data is not None:
            click.echo(f"{folder / name!s:<34}  {what}")
    if data is None:
        _demonstrate(output)


def _demonstrate(output: Path) -> None:
    """Show what rankscape does, and write it."""
    data = rs.datasets.classifiers()
    entities, domains = list(dict.fromkeys(data.names)), list(dict.fromkeys(data.domains or ()))
    _heading(f"{len(entities)} classifiers, {len(domains)} problems: every one averaged over all of them")
    first = _ranked(data, FIRST_BY)
    one = _richest(data, domains)
    _heading(f"The same classifiers on one problem, {one}, by {ONE_BY}: ties and undefined scores are kept")
    _ranked(data.in_domain(one), ONE_BY)
    _heading("A forecast that never warns of a tornado (Finley, 1884)")
    _finley()
    _heading("The Tile: who is first, for every preference between errors and between successes")
    _figures(data, first, output)
    _heading("Now your own results: a table with the columns model, tn, fp, fn, tp")
    table = output / "three.csv"
    click.echo(
        f"  rankscape rank {table} --by f1\n"
        f"  rankscape rank {table} --costs miss=10,false-alarm=1\n"
        f"  rankscape explore {table} -o explorer.html"
    )
    _heading("Two pages to open")
    rs.report(data, output / "card.html", FIRST_BY, draws=DRAWS, explorer="explorer.html")
    click.echo(
        f"Open first  {output / 'explorer.html'}  to drag a point and watch the winner change,\n"
        f"and then    {output / 'card.html'}  to see the ranking card, for a paper or a review."
    )


def _heading(text: str) -> None:
    click.echo(f"\n{text}\n{'-' * len(text)}")


def _ranked(data: Performances, by: str) -> str:
    """Show a leaderboard and return who is first."""
    board = _report.leaderboard(data, by)
    Output("table", None).show(board.render("table", width=width()))
    return min(board.ranking.best)


def _richest(data: Performances, domains: list[str]) -> str:
    """Return the most instructive domain: one with undefined scores, and then with the most ties."""

    def richness(domain: str) -> tuple[bool, int, int]:
        ranking = rs.rank(data.in_domain(domain), ONE_BY)
        undefined = int(np.isnan(ranking.ranks).sum())
        tied = int((ranking.bounds[:, 0] < ranking.bounds[:, 1]).sum())
        return bool(undefined and tied), tied, undefined

    return max(domains, key=richness)


def _finley() -> None:
    """Say in two lines what a score can do."""
    data = rs.datasets.finley()
    for by in ("accuracy", "f1"):
        ranking = rs.rank(data, by)
        order = [f"{ranking.names[i]} ({ranking.values[i]:.4f})" for i in ranking.order.tolist()]
        click.echo(f"By {ranking.score.name}: {' before '.join(order)}")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(f"cannot make the folder {str(folder)!r}: {error.strerror or error}") from None


def _figures(data: Performances, first: str, folder: Path) -> None:
    entity = rs.tile.entity(data)
    click.echo(summary(entity))
    maps = {"entity": entity, "value": rs.tile.value(data[first]), "ranking": rs.tile.ranking(data, first)}
    files = [(folder / f"{name}.png", name) for name in maps] + [(folder / "entity.svg", "entity")]
    for path, name in files:
        Output(path.suffix[1:], path).draw(maps[name].plot, quiet=True)
    for path, name in files:
        click.echo(f"{path!s:<30}  {maps[name].title}")
