"""``rankscape tile``: the map of all sound rankings, as a figure or as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from inspect import signature
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
from .base import (
    Output,
    accounted,
    example,
    figure_options,
    given,
    note,
    number,
    output_option,
    progress,
    refuse,
    single,
)
from .endings import Refusal
from .reading import OF_READING, Given, Reading, domain_option, file_argument, performances, reading_options
from .summaries import summary_options

FLAVORS = {flavor.id.replace("_", "-"): flavor for flavor in TABLE.values() if not flavor.computed_by}
_LINES = "\n".join(f"  {name:15} {flavor.summary}" for name, flavor in FLAVORS.items())
MEANINGS = f"\b\nFlavors, for every preference:\n{_LINES}"
OPTIONS = {"performances": "file", "other": "against"}  # where options have other names than in the table of flavors,
ARGUMENTS = {"file": "performances", "against": "other", "entity": "name"}  # and arguments other ones than options
OF_FLAVORS = ("entity", "against", "score", "prior", "rank", "last", "roc")


@click.command("tile", cls=Reading, epilog=f"{MEANINGS}\n\n{example('rankscape tile results.csv -o tile.png')}")
@file_argument(required=False)
@click.option(
    "--flavor", type=click.Choice(tuple(FLAVORS)), default="entity", help="What to map; by default who is first."
)
@single("--entity", metavar="NAME", help="The model whose values or ranks are mapped.")
@single("--against", metavar="NAME", help="The other model, for the difference flavor.")
@single("--score", metavar="SCORE", help="The score, for the correlation flavor.")
@click.option("--rank", type=click.IntRange(min=1), metavar="R", help="Map who is R-th, for the entity flavor.")
@click.option("--last", is_flag=True, help="Count ranks from the last, for the entity flavor.")
@summary_options()
@single("--prior", type=number, metavar="P", help="Share of positives, for the no-skill flavor.")
@click.option("--resolution", type=click.IntRange(2, 2001), help="Points per side; by default 201 (correlation: 101).")
@single("--roc", metavar="SCORE", help="ROC space beside, with the lines of SCORE.")
@figure_options
@output_option("File to write: png, svg, pdf, csv or json.", default="tile.png", show_default=True)
@reading_options(domain_option)
def command(
    file: Given | None, flavor: str, average: dict[str, Any], resolution: int | None,
    style: str | None, figure_width: float | None, output: Path, reading: dict[str, Any], **asked: Any,
) -> None:  # fmt: skip
    """Draw the Tile, the map of all sound rankings.

    FILE is a table as for `rankscape rank`; the no-skill flavor needs only --prior. A name that ends with .csv or
    .json gets the numbers instead of the figure.
    """
    kind = output.suffix.lower().removeprefix(".")
    if kind not in (*FIGURES, "csv", "json"):
        raise click.UsageError(
            f"cannot write {str(output)!r}; expected a name that ends with .png, .svg, .pdf, .csv or .json"
        )
    out = Output(kind, output, style, figure_width)
    _refuse_idle(flavor, file, out)
    asked = {option: value for option, value in asked.items() if value not in (None, False)}
    base = None if file is None else prepare(performances(file, reading), **average)
    data = None if base is None else base.performances
    if data is not None and lacks_tn(data.space):
        ways = [
            "`rankscape why` says who is first on its right side, and `rankscape tradeoff -o x.png` draws the ranks"
        ]
        raise needs_tn("the Tile", way_out=ways)
    roc = asked.pop("roc", None)
    view = None if roc is None or data is None else _captioned(rs.views.roc(data, by=roc), base)
    tile_map: rs.tile.TileMap = _captioned(_map(flavor, asked, data, resolution), base)
    compared = None  # with the shares of the rank at the reference prior, where the map has exact ones
    if data is not None and tile_map.flavor == "entity" and tile_map.regions is not None:
        compared = _report.answers.reference_shares(data, **tile_map.parameters)
    if out.is_figure and view is not None:
        out.draw(partial(rs.plots.draw_tile_and_roc, tile_map, view))
    elif out.is_figure:
        out.draw(tile_map.plot)
    else:
        out.show(tile_map.table().to_csv() if kind == "csv" else _document(tile_map, base, compared))
    if base is not None:
        note([*base.sentences(), *(["--domain chooses one domain"] if len(base.domains) > 1 else [])])
    click.echo(summary(tile_map, compared), nl=False)


def _captioned(drawing: Any, base: Prepared | None) -> Any:
    """Return a map or a view whose subtitle says how domains were averaged and priors shifted."""
    return replace(drawing, subtitle=" ".join(filter(None, (drawing.subtitle, base.in_short if base else ""))))


def _refuse_idle(flavor: str, file: Given | None, out: Output) -> None:
    """Refuse what would do nothing, and what is missing."""
    if file is not None and "file" not in _options(flavor):
        raise click.UsageError(f"FILE is not for --flavor {flavor}, which is the same for all data")
    for option in OF_FLAVORS:
        if option not in _options(flavor):
            users = [f"--flavor {name}" for name in FLAVORS if option in _options(name)]
            refuse((option,), f"is for {' or '.join(users)}")
    if not out.is_figure:
        refuse(("roc",), "is for figures: a name that ends with .png, .svg or .pdf")
    needed, prior, score = _needed(flavor), given("prior"), given("score")
    if file is not None and prior:
        raise click.UsageError("FILE and --prior both set the prior: choose one of them")
    if file is None and ("file" in needed or ("prior" in needed and not prior)):
        raise click.UsageError("FILE is missing: a table with the columns model, tn, fp, fn, tp")
    if file is None:
        refuse(("shift_prior", "weights", "missing", *OF_READING), "is for reading FILE, and there is none")
    if "score" in needed and not score:
        raise click.UsageError(f"--flavor {flavor} needs --score, such as --score mcc")


def _needed(flavor: str) -> list[str]:
    """Return the options without which a flavor cannot be drawn."""
    return [OPTIONS.get(need, need) for need in FLAVORS[flavor].needs]


def _options(flavor: str) -> list[str]:
    """Return the options that a flavor needs or may have."""
    may = [OPTIONS.get(need, need) for need in FLAVORS[flavor].may]
    return _needed(flavor) + may + ["roc"] * (FLAVORS[flavor].scale == "regions")


def _map(flavor: str, asked: Mapping[str, Any], data: Performances | None, resolution: int | None) -> rs.tile.TileMap:
    function = getattr(rs.tile, FLAVORS[flavor].id)
    options = asked if data is None else {**asked, "file": data} | _plain_from(data, flavor, asked)
    arguments = {ARGUMENTS.get(option, option): value for option, value in options.items()}
    arguments["resolution"] = resolution or FLAVORS[flavor].resolution
    arguments["progress"] = progress(arguments["resolution"], "rows")
    known = signature(function).parameters
    tile_map: rs.tile.TileMap = function(**{name: value for name, value in arguments.items() if name in known})
    return tile_map


def _plain_from(data: Performances, flavor: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a flavor needs, is not given, and is plain from the data."""
    needed, names = _needed(flavor), list(dict.fromkeys(data.names))
    entity, against = asked.get("entity"), asked.get("against")
    if "against" in needed:
        if entity is None and against is None and len(names) == 2:
            entity, against = names
        if entity is None or against is None:
            raise Refusal("--entity and --against are required; name two of " + some(names, quote="'"))
        return {"entity": entity, "against": against}
    if "entity" in needed and entity is None:
        if len(names) > 1:
            raise Refusal("--entity is required; choose one of " + some(names, quote="'"))
        return {"entity": names[0]}
    if "prior" not in needed:
        return {}
    common = data.per_entity().common_prior()
    if common is None:
        raise Refusal(
            "the models have different priors: choose one with --shift-prior, or leave out FILE and pass --prior"
        )
    return {"prior": common}


def _document(tile_map: rs.tile.TileMap, base: Prepared | None, compared: dict[str, Any] | None) -> str:
    """Return the grid of a map as JSON."""
    whole = {
        "schema": "rankscape/tile/1",
        "flavor": tile_map.flavor,
        "title": tile_map.title,
        "parameters": tile_map.parameters,
        "prior": tile_map.prior,
        "prepared": base and base.document(),
        "a": tile_map.a,
        "b": tile_map.b,
        "values": tile_map.values,
        "sets": tile_map.sets,
        "shares": tile_map.shares,
        "reference": compared,
        "ties": tile_map.ties,
    }
    return _report.to_json(accounted(whole))


def summary(tile_map: rs.tile.TileMap, compared: dict[str, Any] | None = None) -> str:
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
