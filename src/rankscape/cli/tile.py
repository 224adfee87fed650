"""``rankscape tile``: the map of all sound rankings, as a figure or as numbers."""

import warnings
from collections.abc import Callable
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .base import (
    Refusal,
    Spelled,
    debug_option,
    example,
    number,
    once,
    output_option,
    performances,
    progress,
    reading_options,
    show,
    write,
)

if TYPE_CHECKING:
    from ..performances import Performances
    from ..tile import TileMap

FLAVORS = (
    *("entity", "value", "ranking", "best", "worst", "no-skill"),
    *("skill", "difference", "margin", "regret", "correlation", "no-skill-prior"),
)
OF_ONE = ("value", "ranking", "skill", "difference", "regret")
WITHOUT_FILE = "FILE is missing: a table with the columns entity, tn, fp, fn, tp"
FIGURES = ("png", "svg", "pdf")
DPI = 200
_NO_DATE = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}  # equal inputs, equal files


@click.command("tile", epilog=example("rankscape tile results.csv -o tile.png"))
@click.argument("file", metavar="FILE|-", required=False)
@click.option("--flavor", type=Spelled(FLAVORS), default="entity", help="What to map; by default who is first.")
@click.option("--entity", multiple=True, callback=once, metavar="NAME", help="Whose values or ranks.")
@click.option("--against", multiple=True, callback=once, metavar="NAME", help="The other, for the difference flavor.")
@click.option("--score", multiple=True, callback=once, metavar="SCORE", help="Which, for the correlation flavor.")
@click.option("--rank", type=click.IntRange(min=1), metavar="R", help="Who is R-th, for the entity flavor.")
@click.option("--last", is_flag=True, help="Count ranks from the last, for the entity flavor.")
@click.option(
    "--domain", multiple=True, callback=once, metavar="NAME", help="Map one domain; otherwise all are averaged."
)
@click.option("--prior", type=number, metavar="P", help="Share of positives, for the no-skill flavor.")
@click.option("--resolution", type=click.IntRange(2, 2001), help="Points per side; by default 201 (correlation: 101).")
@click.option("--roc", multiple=True, callback=once, metavar="SCORE", help="ROC space beside, with the lines of SCORE.")
@click.option("--print", "for_print", is_flag=True, help="Draw without color, for print.")
@click.option("--grid", is_flag=True, help="Draw the grid of uniform priors.")
@output_option("File to write: png, svg, pdf, csv or json.", default="tile.png", show_default=True)
@reading_options
@debug_option
def command(
    file: str | None,
    flavor: str,
    entity: str | None,
    against: str | None,
    score: str | None,
    rank: int | None,
    last: bool,
    domain: str | None,
    prior: Fraction | None,
    resolution: int | None,
    roc: str | None,
    for_print: bool,
    grid: bool,
    output: Path,
    **reading: Any,
) -> None:
    """Draw the Tile, the map of all sound rankings.

    FILE is that of `rankscape rank`; the no-skill flavor can do without, given --prior. A name that ends with .csv
    or .json gets the numbers instead of the figure.
    """
    kind = output.suffix.lower().removeprefix(".")
    if kind not in (*FIGURES, "csv", "json"):
        raise click.UsageError(
            f"cannot write {str(output)!r}; expected a name that ends with .png, .svg, .pdf, .csv or .json"
        )
    _refuse_idle(flavor, entity=entity, against=against, score=score, rank=rank, last=last or None, prior=prior)
    data = None if file is None else performances(file, domain, **reading)
    if roc is not None:
        if kind not in FIGURES or flavor != "entity" or data is None:
            raise click.UsageError("--roc is for figures of --flavor entity", click.get_current_context(silent=True))
        write(output, beside_roc(data, roc, kind))
        return
    size: dict[str, Any] = {} if resolution is None else {"resolution": resolution}
    tile_map = _map(data, flavor, entity, against, score, rank or 1, last, prior, size)
    if kind in FIGURES:
        write(output, drawn(tile_map, kind, color=not for_print, grid=grid))
    else:
        show(numbers(tile_map, kind), kind, output)
    if data is not None and data.n_domains > 1:
        click.echo(f"note: averaged over {data.n_domains} domains; --domain chooses one", err=True)
    if grid and tile_map.prior is None:
        click.echo("note: no grid, because the entities have different priors", err=True)
    click.echo(said(tile_map), nl=False)


def _refuse_idle(flavor: str, **given: Any) -> None:
    """Refuse an option that would do nothing."""
    uses = {"entity": OF_ONE, "rank": ("entity",), "last": ("entity",), "prior": ("no-skill",)}
    uses |= {"against": ("difference",), "score": ("correlation",)}
    for option, value in given.items():
        if value is not None and flavor not in uses[option]:
            needed = " or ".join(f"--flavor {name}" for name in uses[option])
            raise click.UsageError(f"--{option} is for {needed}", click.get_current_context(silent=True))


def _map(
    data: "Performances | None",
    flavor: str,
    entity: str | None,
    against: str | None,
    score: str | None,
    rank: int,
    last: bool,
    prior: Fraction | None,
    size: dict[str, Any],
) -> "TileMap":
    from .. import tile

    if flavor == "no-skill-prior":
        return tile.no_skill_prior(**size)
    if flavor == "no-skill" and (data is not None or prior is not None):
        return tile.no_skill(_prior(data, prior), **size)
    if data is None:
        raise click.UsageError(WITHOUT_FILE, click.get_current_context(silent=True))
    if flavor == "correlation":
        if score is None:
            raise click.UsageError("--flavor correlation needs --score, such as --score mcc")
        return tile.correlation(score, data, progress=progress(size.get("resolution", 101), "rows"), **size)
    if flavor == "entity":
        return tile.entity(data, rank, last, progress=progress(size.get("resolution", 201), "rows"), **size)
    if flavor == "difference":
        return tile.difference(data, *_two(data, entity, against), **size)
    if flavor == "skill":
        return tile.skill(data, entity, **size)
    if flavor in OF_ONE:
        of_one = {"value": tile.value, "ranking": tile.ranking, "regret": tile.regret}[flavor]
        return of_one(data, _only(data) if entity is None else entity, **size)
    return {"best": tile.best, "worst": tile.worst, "margin": tile.margin}[flavor](data, **size)


def _two(data: "Performances", entity: str | None, against: str | None) -> tuple[str, str]:
    names = list(dict.fromkeys(data.names))
    if entity is None and against is None and len(names) == 2:
        return names[0], names[1]
    if entity is None or against is None:
        raise Refusal("whose difference? Say it with --entity NAME --against NAME")
    return entity, against


def _only(data: "Performances") -> str:
    names = list(dict.fromkeys(data.names))
    if len(names) > 1:
        some = ", ".join(map(repr, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        raise Refusal(f"of whom? Say it with --entity; there are {some}")
    return names[0]


def _prior(data: "Performances | None", prior: Fraction | None) -> float:
    if prior is not None:
        return float(prior)
    common = None
    if data is not None:
        common = data.per_entity().common_prior()
    if common is None:
        raise Refusal("the entities have different priors: say which one with --prior")
    return common


def drawn(tile_map: "TileMap", kind: str, *, color: bool = True, grid: bool = False) -> bytes:
    """Return the figure of a map as the content of a file."""
    return _file(lambda: tile_map.plot(color=color, grid=grid).figure, kind)


def beside_roc(data: "Performances", score: str, kind: str) -> bytes:
    """Return the figure of the Tile and ROC space as the content of a file."""

    def figure() -> Any:
        from ..plots import draw_tile_and_roc

        return draw_tile_and_roc(data, by=score)

    return _file(figure, kind)


def _file(figure_of: Callable[[], Any], kind: str) -> bytes:
    import matplotlib

    matplotlib.use("Agg")  # files only; the machine may have no screen
    import matplotlib.pyplot as plt

    buffer = BytesIO()
    with warnings.catch_warnings(), plt.rc_context({"svg.hashsalt": "rankscape"}):
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # a name in a script that the font lacks
        figure = figure_of()
        figure.savefig(buffer, format=kind, dpi=DPI, bbox_inches="tight", metadata=_NO_DATE[kind])
        plt.close(figure)
    return buffer.getvalue()


def numbers(tile_map: "TileMap", kind: str) -> str:
    """Return the numbers of a map as CSV (one place per row) or JSON (the grid)."""
    from ..report import to_json

    if kind == "csv":
        return tile_map.table().to_csv()
    return to_json(
        {
            "schema": "rankscape/tile/1",
            "flavor": tile_map.flavor,
            "title": tile_map.title,
            "prior": tile_map.prior,
            "a": tile_map.a,
            "b": tile_map.b,
            "values": tile_map.values,
            "sets": tile_map.sets,
            "shares": tile_map.shares,
            "ties": tile_map.ties,
        }
    )


def said(tile_map: "TileMap") -> str:
    """Return what a map says in a few lines: the shares of the entity flavor, else the range of the values."""
    import numpy as np

    from ..report import label, render
    from ..tables import Table
    from ..texts import percent

    if tile_map.flavor == "entity":
        rows = {"share": [percent(share) for share in tile_map.shares.values()]}
        rows["entity"] = [label(name) for name in tile_map.shares]
        tied = [f"Equal everywhere: {' = '.join(map(label, names))}" for names in tile_map.ties]
        title = f"{visible_title(tile_map)} (share of the Tile, tied or not)"
        return render(Table(rows), title=title, summary="\n".join(tied), right=("share",))
    finite = tile_map.values[np.isfinite(tile_map.values)]
    span = f": from {finite.min():.4g} to {finite.max():.4g}" if finite.size else ": undefined everywhere"
    return f"{visible_title(tile_map)}{span}\n"


def visible_title(tile_map: "TileMap") -> str:
    """Return the title for a terminal."""
    from ..texts import visible

    return visible(tile_map.title)
