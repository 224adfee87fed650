"""Who is where: the regions of an entity map, filled, bordered and named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import matplotlib as mpl
import numpy as np
from scipy.ndimage import binary_erosion, distance_transform_edt, gaussian_filter, zoom
from scipy.ndimage import label as components

from ..arrays import Flags, Floats, Integers
from ..look import HUES, INK, PAPER, PATTERNS, REST, colors_of, gray_patterns_of, rounds_of, tint
from ..regions import Region
from ..texts import percent
from ..tile import TileMap
from .board import CELLS, CENTERS, Board, apart, join_names, label_region, names_to_try, on_cells, plain, wanted

SLIVER = 0.004  # smaller regions are listed in the note
TIE_HATCH = "."
LARGE_PART = 0.02
FINER = 4
PATTERNED = "Patterns tell the regions apart in gray."
STRIPED = "White stripes only tell equal colors apart."


@dataclass(frozen=True, eq=False)
class NamedRegion:
    """Where the same names are: exactly, as polygons that follow the arcs, or as cells of a grid."""

    names: tuple[str, ...]
    share: float
    cells: Flags
    outlines: tuple[tuple[Floats, Floats], ...] = ()
    mesh: tuple[Floats, Floats, Flags] | None = None

    @property
    def tied(self) -> bool:
        """Tell whether several names share the region."""
        return len(self.names) > 1


def regions_of(tile_map: TileMap) -> list[NamedRegion]:
    """Return the regions in decreasing order of their share of the Tile."""
    exact = tile_map.regions
    regions = _from_grid(tile_map) if exact is None else map(_from_exact, exact)
    return sorted(regions, key=lambda region: -region.share)


def _from_exact(region: Region) -> NamedRegion:
    cells = np.zeros((CELLS, CELLS), dtype=bool)
    for piece in region.pieces:
        columns = np.flatnonzero((float(piece.start) <= CENTERS) & (float(piece.end) >= CENTERS))
        low, high = piece.band(CENTERS[columns])
        cells[:, columns] |= (CENTERS[:, None] >= low) & (CENTERS[:, None] <= high)
    return NamedRegion(region.names, region.area, cells, outlines=tuple(region.outlines()))


def _from_grid(tile_map: TileMap) -> Iterator[NamedRegion]:
    codes = np.where(np.isnan(tile_map.values), -1, tile_map.values).astype(int)
    present = np.unique(codes[codes >= 0]).tolist()
    solid = [code for code in present if binary_erosion(codes == code, np.ones((2, 2))).any()]
    if not solid:
        return
    thin = ~np.isin(codes, [*solid, -1])  # ties on a border only: drawn as what is next to them
    i, j = distance_transform_edt(thin, return_indices=True, return_distances=False)
    codes = codes[i, j]
    a, b, fine = _smooth(tile_map.a, tile_map.b, codes)
    for code in solid:
        names = tile_map.sets[code]
        share = tile_map.shares[names[0]]
        yield NamedRegion(names, share, on_cells(a, b, fine == code), mesh=(a, b, fine == code))
    named = {name for code in solid for name in tile_map.sets[code]}
    for name, share in tile_map.shares.items():
        if name not in named:  # too thin for the grid: for the note
            yield NamedRegion((name,), share, np.zeros((CELLS, CELLS), dtype=bool))


def _smooth(a: Floats, b: Floats, codes: Integers) -> tuple[Floats, Floats, Integers]:
    """Return a finer grid whose regions have smooth borders; at the points of the grid they are within a step."""
    x, y = (zoom(axis, FINER, order=1) for axis in (a, b))
    best, fine = np.zeros((len(y), len(x))), np.full((len(y), len(x)), -1)
    for code in np.unique(codes):
        weight = zoom(gaussian_filter((codes == code).astype(float), 0.8, mode="nearest"), FINER, order=1)
        fine, best = np.where(weight > best, code, fine), np.maximum(weight, best)
    return x, y, fine


def entities_of(tile_map: TileMap) -> list[str]:
    """Return the names of a map in the order of the data."""
    return [names[0] for names in tile_map.sets if len(names) == 1]


def fill_regions(board: Board, regions: list[NamedRegion], entities: Sequence[str]) -> tuple[list[str], str]:
    """Fill the regions and draw their borders; return the fills, and the sentence about their patterns.

    A region has the color of the first of its names that has one, else gray; dots where several tie; and a pattern: on
    paper of its own hue, over which no name is written, else white lines where another region has the same color.
    """
    in_gray, rounds, hues_of = wanted().paper, rounds_of(entities), colors_of(entities)
    patterns = gray_patterns_of(entities) if in_gray else {name: PATTERNS[rounds[name]] for name in entities}
    hues = [next((hues_of[name] for name in region.names if name in hues_of), REST) for region in regions]
    faces, note = [tint(hue) for hue in hues], ""
    with mpl.rc_context({"hatch.linewidth": 0.5 if in_gray else mpl.rcParams["hatch.linewidth"]}):
        for region, hue, face in zip(regions, hues, faces, strict=True):
            alone = region.tied or not (in_gray or faces.count(face) > 1)
            pattern = "" if alone else patterns.get(region.names[0], "")
            if pattern and in_gray:
                board.hatched |= region.cells
            if pattern:
                note = PATTERNED if in_gray else STRIPED
            hatch = TIE_HATCH if region.tied else pattern
            _fill(
                board, region, face, hatch, REST if region.tied else hue if in_gray and pattern else PAPER, len(regions)
            )
    return faces, note


def _fill(board: Board, region: NamedRegion, face: str, hatch: str, ink: str, n: int) -> None:
    """Fill one of n regions, and draw its border."""
    ax, ink = board.ax, ink if hatch else face
    width = board.scale.line(1.1 * (0.55 if n > len(HUES) else 1.0))
    for x, y in region.outlines:
        area = ax.fill(x, y, facecolor=face, hatch=hatch or None, edgecolor=ink, lw=0, zorder=1)[0]
        area.set(gid="region", label="_" + plain(region.names[0]))
        ax.plot(x, y, color=INK, lw=width, zorder=2, gid="border", solid_joinstyle="round")
        board.draw_over(x, y, soft=True)
    if region.mesh is not None and region.mesh[2].any():
        x, y, mask = region.mesh
        filled = ax.contourf(*framed(x, y, mask), levels=[0.5, 1.5], colors=[face], hatches=[hatch or None], zorder=1)
        filled.set(edgecolor=ink, linewidth=0)
        if not mask.all():
            ax.contour(x, y, mask, levels=[0.5], colors=[INK], linewidths=width, zorder=2)


def framed(x: Floats, y: Floats, mask: Flags) -> tuple[Floats, Floats, Floats]:
    """Extend a mask by a step on every side, so that its contour reaches the frame."""
    wide = [np.concatenate([[2 * axis[0] - axis[1]], axis, [2 * axis[-1] - axis[-2]]]) for axis in (x, y)]
    return wide[0], wide[1], np.pad(mask.astype(float), 1, mode="edge")


def name_regions(board: Board, regions: list[NamedRegion], faces: list[str]) -> str:
    """Write names and shares, on their fills; return what the note says of the pattern of ties."""
    called = apart(name for region in regions for name in region.names)
    regions = [replace(region, names=tuple(called[name] for name in region.names)) for region in regions]
    for region in regions:
        board.inked |= region.cells & ~binary_erosion(region.cells, border_value=1)
        if region.tied:
            board.hatched |= region.cells
    listed, waiting = [], []
    roomy = [region for region in regions if region.share >= SLIVER and region.cells.any()]
    for region, face in zip(regions, faces, strict=True):
        if region in roomy and not label_region(board, _parts(region)[0], variants(region), leader=False, ground=face):
            waiting.append(region)
    for region in waiting:
        if not label_region(board, _parts(region)[0], variants(region)[-1:]):
            listed.append(region)
    for region in roomy:
        for cells in _parts(region)[1:]:
            if cells.mean() >= LARGE_PART:
                label_region(board, cells, [join_names(region.names)], leader=False)
    listed = sorted([*listed, *(region for region in regions if region not in roomy)], key=lambda region: -region.share)
    for region in listed:
        share = percent(region.share).replace(" %", "\N{NO-BREAK SPACE}%")
        board.unnamed.append(f"{join_names(region.names, 22)} {share}")
    return "Dotted: tied." if any(region.tied for region in regions) else ""


def _parts(region: NamedRegion) -> list[Flags]:
    """Return the connected parts of a region, the largest first."""
    parts, n = components(region.cells)
    sizes = np.bincount(parts.ravel(), minlength=n + 1)[1:]
    return [parts == part + 1 for part in np.argsort(-sizes, kind="stable")]


def variants(region: NamedRegion) -> list[str]:
    """Return the texts to try for a region, the most legible first, the most compact last."""
    share = percent(region.share)
    return [f"{name}{between}{share}" for name in names_to_try(region.names) for between in ("\n", "  ")]
