// Operating points of one model: one color, one name, one share of the Tile.

import { bandOf } from "./regions.js";

/**
 * The regions of models, in decreasing order of area: those of operating points of the same models (several: they tie)
 * together. `modelOf` gives the model of a row.
 */
export function together(regions, modelOf) {
  const parts = new Map();
  for (const region of regions) {
    const names = [...new Set(region.rows.map(modelOf))];
    const key = JSON.stringify(names);
    const part = parts.get(key) ?? { names, rows: [], pieces: [], area: 0 };
    parts.set(key, part);
    part.rows.push(...region.rows);
    part.pieces.push(...region.pieces);
    part.area = Math.min(1, part.area + region.area);
  }
  return [...parts.values()].sort((x, y) => y.area - x.area || x.rows[0] - y.rows[0]);
}

/** The borders inside a part, where a model changes its threshold only. */
export function innerBorders(parts) {
  const sides = new Map();
  for (const part of parts) {
    for (const border of part.pieces.flatMap(({ low, high }) => [low, high]).filter(Boolean)) sides.set(border, (sides.get(border) ?? new Set()).add(part));
  }
  return new Set([...sides.keys()].filter((border) => sides.get(border).size === 1));
}

/** b below and above in a region at a column; where pieces of a model lie above each other, of the tallest stack. */
export function bandAt(region, a) {
  const here = region.names ? region.pieces.filter((p) => a >= p.start.number && a <= p.end.number) : [];
  if (here.length < 2) {
    const piece = region.pieces.find((p) => a >= p.start.number && a <= p.end.number);
    return piece ? bandOf(piece, a) : null;
  }
  const stacks = [];
  for (const [low, high] of here.map((piece) => bandOf(piece, a)).sort((x, y) => x[0] - y[0])) {
    const last = stacks.at(-1);
    if (last && low <= last[1] + 1e-9) last[1] = Math.max(last[1], high);
    else stacks.push([low, high]);
  }
  return stacks.reduce((best, stack) => (stack[1] - stack[0] > best[1] - best[0] ? stack : best));
}
