"""``rankscape tile``: the map of all sound rankings, as a figure or as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np

import rankscape as rs

from .. import _report
from ..checks import needs_tn
from ..domains import Prepared, prepare
from ..flavors import FLAVORS as TABLE
from ..outcomes import lacks_tn
from ..outputs import FIGURES
from ..performances import Performances
from ..results import Table
from ..texts import inside, label, percent, some, visible
from .base import Output, accounted, example, note, output_option, refuse, single, style_option
from .endings import Refusal
from .reading import Given, Reading, domain_option, file_argument, performances, reading_options
from .summaries import summary_options

MAPPED = {"performances", "entity", "other", "two", "equal priors"}
"""What the maps of this command are computed from: FILE, and models that are named."""

FLAVORS = {
    flavor.id.replace("_", "-"): flavor
    for flavor in TABLE.values()
    if not flavor.computed_by and "performances" in flavor.needs and {*flavor.needs} <= MAPPED
}
_LINES = "\n".join(f"  {name:15} {flavor.summary}" for name, flavor in FLAVORS.items())
MEANINGS = f"\b\nFlavors, for every preference:\n{_LINES}"
OPTIONS = {"entity": "entity", "other": "against", "rank": "rank"}
"""The options of some flavors only, by what the table of flavors calls them."""


@click.command("tile", cls=Reading, epilog=f"{MEANINGS}\n\n{example('rankscape tile results.csv -o tile.png')}")
@file_argument()
@click.option(
    "--flavor", type=click.Choice(tuple(FLAVORS)), default="entity", help="What to map; by default who is first."
)
@single("--entity", metavar="NAME", help="The model whose values or ranks are mapped.")
@single("--against", metavar="NAME", help="The other model, for the difference flavor.")
@click.option("--rank", type=click.IntRange(min=1), metavar="R", help="Map who is R-th, for the entity flavor.")
@summary_options()
@click.option("--resolution", type=click.IntRange(2, 2001), default=201, show_default=True, help="Points per side.")
@style_option
@output_option("File to write: png, svg, pdf, csv or json.", default="tile.png", show_default=True)
@reading_options(domain_option)
def command(
    file: Given, flavor: str, entity: str | None, against: str | None, rank: int | None, average: dict[str, Any],
    resolution: int, style: str | None, output: Path,
    reading: dict[str, Any],
) -> None:  # fmt: skip
    """Draw the Tile, the map of all sound rankings.

    FILE is a table as for `rankscape rank`. A name that ends with .csv or .json gets the numbers instead of the figure.
    """
    kind = output.suffix.lower().removeprefix(".")
    if kind not in (*FIGURES, "csv", "json"):
        raise click.UsageError(
            f"cannot write {str(output)!r}; expected a name that ends with .png, .svg, .pdf, .csv or .json"
        )
    out = Output(kind, output, style)
    _refuse_idle(flavor)
    base = prepare(performances(file, reading), **average)
    data = base.performances
    if lacks_tn(data.space):
        ways = [
            "`rankscape why` says who is first on its right side, and `rankscape tradeoff -o x.png` draws the ranks"
        ]
        raise needs_tn("the Tile", way_out=ways)
    asked = _named(flavor, data, entity, against) | ({} if rank is None else {"rank": rank})
    tile_map: rs.tile.TileMap = getattr(rs.tile, FLAVORS[flavor].id)(data, **asked, resolution=resolution)
    tile_map = replace(tile_map, subtitle=" ".join(filter(None, (tile_map.subtitle, base.in_short))))
    compared = None  # with the shares of the rank at the reference prior, where the map has exact ones
    if flavor == "entity" and tile_map.regions is not None:
        compared = _report.answers.reference_shares(data, **tile_map.parameters)
    if out.is_figure:
        out.draw(tile_map.plot)
    else:
        out.show(tile_map.table().to_csv() if kind == "csv" else _document(tile_map, base, compared))
    note([*base.sentences(), *(["--domain chooses one domain"] if len(base.domains) > 1 else [])])
    click.echo(summary(tile_map, compared), nl=False)


def _refuse_idle(flavor: str) -> None:
    """Refuse options that are for other flavors."""
    for what, option in OPTIONS.items():
        users = [name for name, its in FLAVORS.items() if what in its.needs + its.may]
        if flavor not in users:
            refuse((option,), f"is for {' or '.join(f'--flavor {name}' for name in users)}")


def _named(flavor: str, data: Performances, entity: str | None, against: str | None) -> dict[str, str]:
    """Return the models that are mapped; those that are not named are plain only where there is no choice."""
    needs, names = FLAVORS[flavor].needs, list(dict.fromkeys(data.names))
    if "other" in needs:
        if entity is None and against is None and len(names) == 2:
            entity, against = names
        if entity is None or against is None:
            raise Refusal("--entity and --against are required; name two of " + some(names, quote="'"))
        return {"name": entity, "other": against}
    if entity is None and "entity" in needs:
        if len(names) > 1:
            raise Refusal("--entity is required; choose one of " + some(names, quote="'"))
        entity = names[0]
    return {} if entity is None else {"name": entity}


def _document(tile_map: rs.tile.TileMap, base: Prepared, compared: Mapping[str, Any] | None) -> str:
    """Return the grid of a map as JSON."""
    whole = {
        "schema": "rankscape/tile/1",
        "flavor": tile_map.flavor,
        "title": tile_map.title,
        "parameters": tile_map.parameters,
        "prior": tile_map.prior,
        "prepared": base.document(),
        "a": tile_map.a,
        "b": tile_map.b,
        "values": tile_map.values,
        "sets": tile_map.sets,
        "shares": tile_map.shares,
        "reference": compared,
        "ties": tile_map.ties,
    }
    return _report.to_json(accounted(whole))


def summary(tile_map: rs.tile.TileMap, compared: Mapping[str, Any] | None = None) -> str:
    """Return what a map says in a few lines: the shares of the entity flavor, else the range of the values."""
    if tile_map.named:
        columns = {"share": tile_map.shares}
        if compared is not None:
            here = "at own priors" if tile_map.prior is None else f"at prior {inside(tile_map.prior)}"
            columns = {here: tile_map.shares}
            columns.setdefault(f"at prior {inside(compared['prior'])}", compared["areas"])
        names = list(dict.fromkeys(name for areas in columns.values() for name in areas))
        rows = {
            column: [percent(areas[n]) if n in areas else "0 %" for n in names] for column, areas in columns.items()
        }
        rows["model"] = [label(name) for name in names]
        tied = [f"Equal everywhere: {' = '.join(map(label, names))}" for names in tile_map.ties]
        title = f"{visible(tile_map.title)} (share of the Tile, tied or not)"
        return _report.render(Table(rows), title=title, summary="\n".join(tied), right=tuple(columns))
    finite = tile_map.values[np.isfinite(tile_map.values)]
    span = f": from {finite.min():.4g} to {finite.max():.4g}" if finite.size else ": undefined everywhere"
    return f"{visible(tile_map.title)}{span}\n"
