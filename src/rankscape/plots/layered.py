"""Where the nodes of a partial order stand: in layers, with few crossings, and where its lines pass between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import NamedTuple

import numpy as np

from ..arrays import Flags, Floats, Integers

SWEEPS = 12
PASSES = 8
BEND, GAP = 7.0, 14.0
"""Points from a line that passes a layer to the next one, and between nodes."""

SPARSE, DENSER, STEEPEST = 12, 50, 2.6
"""Layers with more pieces of lines between them than SPARSE are farther apart: twice so with DENSER more."""


class Node(NamedTuple):
    """A row in its own layer; in a layer above it, the place where the lines to it, and to its like, pass."""

    row: int
    depth: int


Segments = list[list[tuple[Node, Node]]]
"""For each layer, the pieces of lines from it to the next layer."""


@dataclass(frozen=True)
class Layout:
    """The centers of the nodes (n, 2), in points, from the upper left; the lines between them, as points (k, 2)."""

    centers: Floats
    lines: dict[tuple[int, int], Floats]
    width: float
    height: float


def layered(
    direct: Flags, layers: Integers, order: Sequence[int], widths: Floats, *, line: float, rise: float, widest: float
) -> Layout:
    """Return places for the rows that have a layer, whose widths are given; ``order`` decides where all else is equal.

    ``rise`` is the least distance of layers; where many lines run it is larger. A layer wider than ``widest`` has
    several lines of nodes, ``line`` points apart. Lines that come from farther up than the layer above share their way
    where they lead from the same rows to the same row, or to several rows of a layer: each upper one to each lower one.
    """
    leaders = _leaders(direct, layers, order)
    members, segments = _members(direct, layers, order, leaders)
    members = _uncrossed(members, segments)
    n_lines = [
        ceil(sum(widths[node.row] + GAP for node in nodes if _stands(node, layers)) / widest) for nodes in members
    ]
    x = _abscissae(members, segments, [_steps(*each, layers, widths) for each in zip(members, n_lines, strict=True)])
    rises = [rise * float(np.clip(1 + (len(pieces) - SPARSE) / DENSER, 1, STEEPEST)) for pieces in segments]
    tops = np.cumsum([0.0, *((count - 1) * line + rise for count, rise in zip(n_lines, rises, strict=True))])
    centers = np.full((len(layers), 2), np.nan)
    ways: dict[Node, list[tuple[float, float]]] = {}
    for depth, (nodes, count) in enumerate(zip(members, n_lines, strict=True)):
        first, last = tops[depth], tops[depth] + (count - 1) * line
        standing = [node for node in nodes if _stands(node, layers)]
        for place, node in enumerate(standing):
            centers[node.row] = x[node], first + line * (place % count)
        ways |= {node: [(x[node], first), (x[node], last)] for node in nodes}
    lines = {}
    for i, j in np.argwhere(direct).tolist():
        between = [spot for depth in range(layers[i] + 1, layers[j]) for spot in ways[Node(leaders[j], depth)]]
        start, end = ways[Node(i, int(layers[i]))][1], ways[Node(j, int(layers[j]))][0]
        lines[i, j] = np.array([centers[i], start, *between, end, centers[j]])
    left, right = _span(centers, widths, lines.values())
    for points in (centers, *lines.values()):
        points[:, 0] -= left
    return Layout(centers, lines, right - left, float(np.nanmax(centers[:, 1], initial=0.0)))


def _stands(node: Node, layers: Integers) -> bool:
    return bool(layers[node.row] == node.depth)


def _span(centers: Floats, widths: Floats, lines: Iterable[Floats]) -> tuple[float, float]:
    """Return the least and the largest abscissa."""
    placed = ~np.isnan(centers[:, 0])
    ends = [centers[placed, 0] - widths[placed] / 2, centers[placed, 0] + widths[placed] / 2]
    everything = np.concatenate([*ends, *(points[:, 0] for points in lines)])
    return (float(everything.min()), float(everything.max())) if len(everything) else (0.0, 0.0)


def _leaders(direct: Flags, layers: Integers, order: Sequence[int]) -> dict[int, int]:
    """Return the row whose way each row shares: the first of its layer to which the same rows lead from farther up."""
    first: dict[tuple[int, bytes], int] = {}
    return {
        j: first.setdefault((int(layers[j]), (direct[:, j] & (layers < layers[j] - 1)).tobytes()), j) for j in order
    }


def _members(
    direct: Flags, layers: Integers, order: Sequence[int], leaders: dict[int, int]
) -> tuple[list[list[Node]], Segments]:
    """Return the nodes of each layer, in the order of the rows, and the pieces of lines below each layer."""
    depth = int(layers.max(initial=-1)) + 1
    rows = [row for row in order if layers[row] >= 0]
    top = {j: min(layers[direct[:, j]], default=layers[j] - 1) + 1 if leaders[j] == j else layers[j] for j in rows}
    members = [[Node(row, d) for row in rows if top[row] <= d <= layers[row]] for d in range(depth)]
    pieces: list[dict[tuple[Node, Node], None]] = [{} for _ in range(depth)]
    for i, j in np.argwhere(direct).tolist():
        start = int(layers[i])
        end = int(layers[j])
        way = [Node(i, start), *(Node(leaders[j], d) for d in range(start + 1, end)), Node(j, end)]
        for upper, lower in pairwise(way):
            pieces[upper.depth][upper, lower] = None
    return members, [list(piece) for piece in pieces]


def _uncrossed(members: list[list[Node]], segments: Segments) -> list[list[Node]]:
    """Return the nodes of each layer in an order with few crossings: by the mean place of what they are joined to."""
    up, down = _neighbors(segments)
    best, fewest = members, _crossings(members, segments)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        members = [list(nodes) for nodes in members]
        depths = range(1, len(members)) if sweep % 2 == 0 else range(len(members) - 2, -1, -1)
        for depth in depths:
            beside, side = (depth - 1, up) if sweep % 2 == 0 else (depth + 1, down)
            places = {node: place / max(len(members[beside]) - 1, 1) for place, node in enumerate(members[beside])}
            size = max(len(members[depth]) - 1, 1)
            keys = {
                node: np.mean([places[other] for other in side[node]]) if node in side else place / size
                for place, node in enumerate(members[depth])
            }
            members[depth].sort(key=lambda node: round(float(keys[node]), 9))
        crossings = _crossings(members, segments)
        if crossings < fewest:
            best, fewest = members, crossings
    return best


def _neighbors(segments: Segments) -> tuple[dict[Node, list[Node]], dict[Node, list[Node]]]:
    """Return what each node is joined to in the layer above, and in the layer below."""
    up: dict[Node, list[Node]] = {}
    down: dict[Node, list[Node]] = {}
    for upper, lower in (piece for pieces in segments for piece in pieces):
        up.setdefault(lower, []).append(upper)
        down.setdefault(upper, []).append(lower)
    return up, down


def _crossings(members: list[list[Node]], segments: Segments) -> int:
    """Count the pairs of pieces that cross."""
    place = {node: k for nodes in members for k, node in enumerate(nodes)}
    count = 0
    for pieces in segments:
        ends = np.array([(place[upper], place[lower]) for upper, lower in pieces]).reshape(-1, 2)
        upper, lower = (column[:, None] - column for column in ends.T)
        count += int(((upper < 0) & (lower > 0)).sum())
    return count


def _steps(nodes: list[Node], n_lines: int, layers: Integers, widths: Floats) -> Floats:
    """Return the least distance of each node of a layer from the one before it."""
    stands = np.array([_stands(node, layers) for node in nodes])
    half = np.array([widths[node.row] / 2 for node in nodes])
    if n_lines > 1:  # nodes stand in turn on each of the lines; a line that passes has room beside all of them
        half = np.full(len(nodes), half[stands].max(initial=0.0))
    reach = np.where(stands, half + GAP / 2, BEND / 2)
    steps = reach[1:] + reach[:-1]
    if n_lines > 1:
        steps[stands[1:] & stands[:-1]] /= n_lines
    return np.concatenate([[0.0], steps])


def _abscissae(members: list[list[Node]], segments: Segments, steps: list[Floats]) -> dict[Node, float]:
    """Return the abscissa of each node: near the mean of what it is joined to, as far as the steps allow."""
    from scipy.optimize import isotonic_regression  # as long to load as the rest of a figure, and of this one only

    up, down = _neighbors(segments)
    x: dict[Node, float] = {}
    for nodes, step in zip(members, steps, strict=True):
        places = np.cumsum(step)
        x |= dict(zip(nodes, (places - places[-1] / 2).tolist(), strict=True))
    for turn in range(PASSES):
        depths = range(len(members)) if turn % 2 == 0 else range(len(members) - 1, -1, -1)
        sides = (up, down) if turn >= PASSES - 2 else (up,) if turn % 2 == 0 else (down,)
        for depth in depths:
            nodes, before = members[depth], np.cumsum(steps[depth])
            joined = [[other for side in sides for other in side.get(node, [])] or [node] for node in nodes]
            wished = np.array([np.mean([x[other] for other in others]) for others in joined])
            fitted = isotonic_regression(wished - before).x + before  # nearest to what is wished, in squares
            x |= dict(zip(nodes, fitted.tolist(), strict=True))
    return x
