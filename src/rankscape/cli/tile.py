"""``rankscape tile``: the map of all sound rankings, as a figure or as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import click
import numpy as np

from .. import plots, tile, views
from .._report import render, to_json
from .._report.answers import reference_shares
from ..checks import needs_tn
from ..domains import Prepared
from ..flavors import FLAVORS as TABLE
from ..outcomes import lacks_tn
from ..outputs import FIGURES
from ..performances import Performances
from ..regions.shares import REFERENCE, checked_reference
from ..results import Table
from ..texts import inside, label, percent, some, visible
from ..tile import TileMap
from ..views import PointView
from .base import Spelled, example, output_option, prior_option, progress, show, single
from .endings import Refusal
from .figures import FigureLook, figure_options, write_figure
from .reading import OF_READING, Given, Reading, accounted, file_argument, performances, reading_options
from .summaries import note, prepared, reference_option, summary_options

FLAVORS = {flavor.id.replace("_", "-"): flavor for flavor in TABLE.values() if not flavor.computed_by}
_LINES = "\n".join(f"  {name:15} {flavor.summary}" for name, flavor in FLAVORS.items())
MEANINGS = f"\b\nFlavors, for every preference:\n{_LINES}"
OPTIONS = {"performances": "file", "other": "against"}  # where options have other names than in the table of flavors,
ARGUMENTS = {"file": "performances", "against": "other", "entity": "name"}  # and arguments other ones than options
OF_FIGURES = ("roc", "print", "grid")
WITHOUT_FILE = "FILE is missing: a table with the columns model, tn, fp, fn, tp"


@click.command("tile", cls=Reading, epilog=f"{MEANINGS}\n\n{example('rankscape tile results.csv -o tile.png')}")
@file_argument(required=False)
@click.option("--flavor", type=Spelled(tuple(FLAVORS)), default="entity", help="What to map; by default who is first.")
@single("--entity", metavar="NAME", help="The model whose values or ranks are mapped.")
@single("--against", metavar="NAME", help="The other model, for the difference flavor.")
@single("--score", metavar="SCORE", help="The score, for the correlation flavor.")
@click.option("--rank", type=click.IntRange(min=1), metavar="R", help="Map who is R-th, for the entity flavor.")
@click.option("--last", is_flag=True, help="Count ranks from the last, for the entity flavor.")
@single("--domain", metavar="NAME", help="Map one domain; otherwise all are averaged.")
@summary_options()
@prior_option("Share of positives, for the no-skill flavor.")
@reference_option
@click.option("--resolution", type=click.IntRange(2, 2001), help="Points per side; by default 201 (correlation: 101).")
@single("--roc", metavar="SCORE", help="ROC space beside, with the lines of SCORE.")
@click.option("--grid", is_flag=True, help="Draw the grid of uniform priors.")
@figure_options
@output_option("File to write: png, svg, pdf, csv or json.", default="tile.png", show_default=True)
@reading_options
def command(
    file: Given | None, flavor: str, entity: str | None, against: str | None, score: str | None, rank: int | None,
    last: bool, domain: str | None, given: Any, missing: str, shift_prior: Fraction | None, prior: Fraction | None,
    reference_prior: Fraction | None, resolution: int | None, roc: str | None, grid: bool,
    output: Path, look: FigureLook, **reading: Any,
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
    look.refuse_without(kind if kind in FIGURES else None)
    options: dict[str, Any] = {"file": file, "entity": entity, "against": against, "score": score, "prior": prior}
    options |= {"rank": rank, "last": last, "roc": roc, "grid": grid, "domain": domain}
    options |= {"weights": given, "missing": missing if missing != "error" else None}
    options |= {"shift-prior": shift_prior, "reference-prior": reference_prior}
    reference = REFERENCE if reference_prior is None else checked_reference(reference_prior)
    options |= {option.rstrip("_").replace("_", "-"): value for option, value in reading.items()}
    asked = {option: value for option, value in options.items() if value not in (None, False, ())}
    _refuse_idle(flavor, kind, asked)
    base = None if file is None else prepared(performances(file, domain, **reading), given, missing, shift_prior)
    data = None if base is None else base.performances
    if data is not None and lacks_tn(data.space):
        ways = [
            "`rankscape why` says who is first on its right side, and `rankscape tradeoff -o x.png` draws the ranks"
        ]
        raise needs_tn("the Tile", way_out=ways)
    view = None if roc is None or data is None else _captioned(views.roc(data, by=roc), base)
    tile_map = _captioned(_map(flavor, asked, data, resolution), base)
    compared = None if data is None else _at_reference(tile_map, data, reference)
    if kind in FIGURES:
        names = () if data is None else data.names
        write_figure(output, partial(drawn, tile_map, view, grid=grid), kind, look, names)
    else:
        show(numbers(tile_map, kind, base, compared), kind, output)
    if base is not None:
        note(base)
    if base is not None and len(base.domains) > 1:
        click.echo("note: --domain chooses one domain", err=True)
    if grid and tile_map.prior is None:
        click.echo("note: no grid, because the models have different priors", err=True)
    click.echo(summary(tile_map, compared), nl=False)


def _at_reference(tile_map: TileMap, data: Performances, reference: Fraction) -> dict[str, Any] | None:
    """Return the shares of the rank at the reference prior; None where the map has no exact ones, or no priors."""
    exact = tile_map.flavor == "entity" and tile_map.regions is not None
    return reference_shares(data, reference, **tile_map.parameters) if exact else None


def _captioned(drawing: Any, base: Prepared | None) -> Any:
    """Return a map or a view whose subtitle says how domains were averaged and priors shifted."""
    return replace(drawing, subtitle=" ".join(filter(None, (drawing.subtitle, base.in_short if base else ""))))


def _refuse_idle(flavor: str, kind: str, given: Mapping[str, Any]) -> None:
    """Refuse what would do nothing, and what is missing."""
    users: dict[str, list[str]] = {}
    for name in FLAVORS:
        for option in _options(name):
            users.setdefault(option, []).append(name)
    if "file" in given and flavor not in users["file"]:
        raise click.UsageError(f"FILE is not for --flavor {flavor}, which is the same for all data")
    if "reference-prior" in given and flavor != "entity":
        raise click.UsageError("--reference-prior is for --flavor entity, whose shares are printed")
    for option in given:
        if option in users and flavor not in users[option]:
            raise click.UsageError(f"--{option} is for {' or '.join(f'--flavor {name}' for name in users[option])}")
        if option in OF_FIGURES and kind not in FIGURES:
            raise click.UsageError(f"--{option} is for figures: a name that ends with .png, .svg or .pdf")
    if "grid" in given and flavor == "no-skill-prior":
        raise click.UsageError(f"--grid is that of one prior, and --flavor {flavor} maps all of them")
    if "file" in given and "prior" in given:
        raise click.UsageError("FILE and --prior both set the prior: choose one of them")
    needed = _needed(flavor)
    if "file" not in given and ("file" in needed or ("prior" in needed and "prior" not in given)):
        raise click.UsageError(WITHOUT_FILE)
    for option in ("domain", "shift-prior", "weights", "missing", *OF_READING):
        option = option.rstrip("_").replace("_", "-")
        if option in given and "file" not in given:
            raise click.UsageError(f"--{option} is for reading FILE, and there is none")
    if "score" in needed and "score" not in given:
        raise click.UsageError(f"--flavor {flavor} needs --score, such as --score mcc")


def _needed(flavor: str) -> list[str]:
    """Return the options without which a flavor cannot be drawn."""
    return [OPTIONS.get(need, need) for need in FLAVORS[flavor].needs]


def _options(flavor: str) -> list[str]:
    """Return the options that a flavor needs or may have."""
    may = [OPTIONS.get(need, need) for need in FLAVORS[flavor].may]
    return _needed(flavor) + may + ["roc"] * (FLAVORS[flavor].scale == "regions")


def _map(flavor: str, given: Mapping[str, Any], data: Performances | None, resolution: int | None) -> TileMap:
    function = getattr(tile, FLAVORS[flavor].id)
    known = signature(function).parameters
    options = given if data is None else {**given, "file": data} | _plain_from(data, flavor, given)
    arguments = {ARGUMENTS.get(option, option): value for option, value in options.items()}
    arguments["resolution"] = resolution or FLAVORS[flavor].resolution
    arguments["progress"] = progress(arguments["resolution"], "rows")
    tile_map: TileMap = function(**{name: value for name, value in arguments.items() if name in known})
    return tile_map


def _plain_from(data: Performances, flavor: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a flavor needs, is not given, and is plain from the data."""
    needed = _needed(flavor)
    if "against" in needed:
        return dict(zip(("entity", "against"), _two(data, given.get("entity"), given.get("against")), strict=True))
    if "entity" in needed and "entity" not in given:
        return {"entity": _only(data)}
    return {"prior": _prior(data)} if "prior" in needed else {}


def _two(data: Performances, entity: str | None, against: str | None) -> tuple[str, str]:
    names = list(dict.fromkeys(data.names))
    if entity is None and against is None and len(names) == 2:
        return names[0], names[1]
    if entity is None or against is None:
        raise Refusal("--entity and --against are required; name two of " + some(names, quote="'"))
    return entity, against


def _only(data: Performances) -> str:
    names = list(dict.fromkeys(data.names))
    if len(names) > 1:
        raise Refusal("--entity is required; choose one of " + some(names, quote="'"))
    return names[0]


def _prior(data: Performances) -> float:
    common = data.per_entity().common_prior()
    if common is None:
        raise Refusal(
            "the models have different priors: choose one with --shift-prior, or leave out FILE and pass --prior"
        )
    return common


def drawn(tile_map: TileMap, view: PointView | None = None, *, grid: bool = False, **look: Any) -> Any:
    """Return the figure of a map, or of a map beside ROC space."""
    if view is None:
        return tile_map.plot(grid=grid, **look).figure
    return plots.draw_tile_and_roc(tile_map, view, grid=grid, **look)


def numbers(tile_map: TileMap, kind: str, base: Prepared | None = None, compared: dict[str, Any] | None = None) -> str:
    """Return the numbers of a map as CSV (one place per row) or JSON (the grid)."""
    if kind == "csv":
        return tile_map.table().to_csv()
    return to_json(
        accounted(
            {
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
        )
    )


def summary(tile_map: TileMap, compared: dict[str, Any] | None = None) -> str:
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
        return render(Table(rows), title=title, summary="\n".join(tied), right=tuple(columns))
    finite = tile_map.values[np.isfinite(tile_map.values)]
    span = f": from {finite.min():.4g} to {finite.max():.4g}" if finite.size else ": undefined everywhere"
    return f"{visible(tile_map.title)}{span}\n"
