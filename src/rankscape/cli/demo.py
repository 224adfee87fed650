"""``rankscape demo``: the main job on the results that come with the package."""

from pathlib import Path

import click

import rankscape as rs

from .. import _report
from ..outputs import write_whole
from ..texts import visible
from .base import Output, OutputPath, example, output_option, refuse, width
from .endings import Refusal
from .tile import summary

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

    The folder also gets their ranking card, a figure of the Tile, and the tables that the guides use.
    """
    if data is not None:
        refuse(("output",), "would change nothing: --data names the folder")
    folder = output if data is None else data
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(f"cannot make the folder {str(folder)!r}: {error.strerror or error}") from None
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
    """Rank the classifiers, map who is first, and write their pages."""
    data = rs.datasets.classifiers()
    board = _report.leaderboard(data, "f1")
    Output("table", None).show(board.render("table", width=width()))
    entity = rs.tile.entity(data)
    click.echo(f"\n{summary(entity)}")
    Output("png", output / "entity.png").draw(entity.plot, quiet=True)
    draws = rs.uncertainty.posterior(data, DRAWS)
    rs.report(draws, output / "card.html", "f1")
    rs.explore(draws, output / "explorer.html", by="f1")
    table = output / "three.csv"
    click.echo(
        f"Open  {output / 'explorer.html'}  to drag a point and watch the winner change, {output / 'card.html'}, the\n"
        f"ranking card, for a paper or a review, and {output / 'entity.png'}, the map of who is first.\n\n"
        "Now your own results: a table with the columns model, tn, fp, fn, tp\n"
        f"  rankscape rank {table} --by f1\n"
        f"  rankscape rank {table} --costs miss=10,false-alarm=1\n"
        f"  rankscape explore {table} -o explorer.html"
    )
