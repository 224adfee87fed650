// The Tile: regions as exact curves, maps as pixels, the crosshair of the preference on top.

import { importanceAt, oddsAgainst } from "./model.js";
import { bandOf } from "./regions.js";
import { bandAt, innerBorders } from "./together.js";
import { widthOf } from "./dom.js";
import { LOOK } from "./look.js";
import { HUES, tinted } from "./palette.js";
import { PRESETS } from "./state.js";
import { percent } from "./texts.js";

export const TILE_MARGIN = { left: 52, right: 12, top: 26, bottom: 64 };

/** Where the square lies in a picture of a width and height. */
export function frameOf(width, height, margin = TILE_MARGIN, corner = { left: 0, top: 0 }) {
  const [w, h] = [width - margin.left - margin.right, height - margin.top - margin.bottom];
  const [left, top] = [corner.left + margin.left, corner.top + margin.top];
  return {
    x: (a) => left + a * w, y: (b) => top + (1 - b) * h, w, h, left, top,
    a: (x) => Math.min(1, Math.max(0, (x - left) / w)), b: (y) => Math.min(1, Math.max(0, 1 - (y - top) / h)),
  };
}

/** Columns of a piece, dense at its ends, where arcs are steep. */
function samplesOf(piece, points = 64) {
  const [start, end] = [piece.start.number, piece.end.number];
  const steps = Math.max(8, Math.ceil(points * (end - start)));
  return Array.from({ length: steps + 1 }, (_, i) => start + ((end - start) * (1 - Math.cos((Math.PI * i) / steps))) / 2);
}

/** b below and above in a region, or in a part of a map, at a column. */
const bandIn = (region, a) => (region.band ? region.band(a) : bandAt(region, a));

/** What stands for a region where its name has no room, and beside its name in the legend. */
export const numberOfRegion = (t) => `(${t + 1})`;

/** The outline of a piece of a region. */
function outline(piece, frame) {
  const columns = samplesOf(piece);
  const bands = columns.map((a) => bandOf(piece, a));
  return [...columns.map((a, i) => [frame.x(a), frame.y(bands[i][0])]), ...columns.map((a, i) => [frame.x(a), frame.y(bands[i][1])]).reverse()];
}

export function drawRegions(pen, frame, view) {
  const { regions, ink, paper, hue, rounds } = view;
  const inner = innerBorders(view.parts === regions ? [] : view.parts);
  for (const region of regions) {
    const [row] = region.rows;
    for (const piece of region.pieces) {
      const fill = tinted(hue.get(row), view);
      pen.path(outline(piece, frame), { fill, stroke: fill, width: 0.7, close: true });
    }
    if (rounds.get(row)) drawPattern(pen, frame, (a, b) => region.pieces.some((piece) => inPiece(piece, a, b)), rounds.get(row), paper);
  }
  for (const { pieces } of regions) {
    for (const piece of pieces) {
      if (!piece.low) continue;
      const look = inner.has(piece.low) ? { stroke: ink, width: 0.6, opacity: 0.35 } : { stroke: ink, width: 1.2 };
      pen.path(samplesOf(piece).map((a) => [frame.x(a), frame.y(bandOf(piece, a)[0])]), look);
    }
  }
}

function inPiece(piece, a, b) {
  if (a < piece.start.number || a > piece.end.number) return false;
  const [low, high] = bandOf(piece, a);
  return b > low && b < high;
}

/** Lines of paper across where `within(a, b)`, for a hue that another part has, too: falling, upright or level. */
export function drawPattern(pen, frame, within, round, paper) {
  const [dx, dy] = [null, [1, 1], [0, 1], [1, 0]][round];
  const [gap, step] = [9, 3];
  const inside = (x, y) => within(x / frame.w, 1 - y / frame.h);
  const starts = round === 1 ? [-frame.h, frame.w] : round === 2 ? [0, frame.w] : [0, frame.h];
  for (let offset = starts[0] + gap / 2; offset < starts[1]; offset += gap) {
    let from = null;
    for (let t = 0; t <= frame.h + step; t += step) {
      const [x, y] = round === 3 ? [t, offset] : [offset + dx * t, dy * t];
      const here = x >= 0 && x <= frame.w && y <= frame.h && inside(x, y);
      if (here) from ??= t;
      else if (from !== null) {
        const at = (s) => (round === 3 ? [frame.left + s, frame.top + offset] : [frame.left + offset + dx * s, frame.top + s]);
        pen.path([at(from), at(t - step)], { stroke: paper, width: 2 });
        from = null;
      }
    }
  }
}

/** The borders of a region, without those between its pieces: lower and upper curves, and what lies on the sides of the Tile. */
function bordersOf(pieces, frame) {
  return pieces.flatMap((piece) => {
    const columns = samplesOf(piece);
    const bands = columns.map((a) => bandOf(piece, a));
    const curves = [0, 1].map((k) => columns.map((a, i) => [frame.x(a), frame.y(bands[i][k])]));
    const side = (i) => bands.at(i).map((b) => [frame.x(columns.at(i)), frame.y(b)]);
    return [...curves, ...(columns[0] === 0 ? [side(0)] : []), ...(columns.at(-1) === 1 ? [side(-1)] : [])];
  });
}

/** Where a method that does not exist would come first, dashed. */
export function drawImagined(pen, frame, region, { accent, paper }) {
  const borders = bordersOf(region.pieces, frame);
  for (const line of borders) pen.path(line, { stroke: paper, width: 5, opacity: 0.8 });
  for (const line of borders) pen.path(line, { stroke: accent, width: 2.5, dash: [7, 4] });
}

/** Where a method comes first, in a thick line; `quiet`: a thinner one. */
export function drawHighlight(pen, frame, view, i, quiet) {
  const t = view.regionOf.get(i);
  if (t === undefined) return;
  const borders = bordersOf(view.regions[t].pieces, frame);
  for (const line of borders) pen.path(line, { stroke: view.paper, width: quiet ? 4 : 6, opacity: 0.8 });
  for (const line of borders) pen.path(line, { stroke: view.ink, width: quiet ? 1.8 : 3 });
}

/** Averages of domains are rounded: an answer that is as good as the constant one may seem better by this much. */
const ROUNDING = 1e-12;

/** Hatch where nobody beats the better constant answer; true where that can be seen. */
export function hatch(pen, frame, { set, regions, muted }) {
  const prior = set.common;
  if (prior === null || !regions.length) return false;
  const rows = regions.map((region) => region.rows[0]);
  const constant = [1 - prior, 0, prior, 0, 0, 1 - prior, 0, prior];
  const least = (p, all, importance) => Math.min(...all.map((i) => oddsAgainst(p, i, importance)).filter((x) => !Number.isNaN(x)));
  const without = (a, b) => {
    const importance = importanceAt(a, b);
    return least(constant, [0, 1], importance) <= least(set.p, rows, importance) * (1 + ROUNDING);
  };
  const lines = [];
  const step = 3;
  for (let offset = -frame.h; offset < frame.w; offset += 9) {
    let [from, last] = [null, null];
    for (let t = Math.max(0, -offset); t <= Math.min(frame.h, frame.w - offset); t += step) {
      const x = offset + t;
      const inside = without(x / frame.w, t / frame.h);
      if (inside) last = [frame.left + x, frame.top + frame.h - t];
      from ??= inside ? last : null;
      if (from && (!inside || t + step > Math.min(frame.h, frame.w - offset))) {
        lines.push([from, last]);
        from = null;
      }
    }
  }
  if (lines.reduce((sum, [from, to]) => sum + to[0] - from[0], 0) < 4 * step) return false;
  for (const line of lines) pen.path(line, { stroke: muted, width: 1 });
  return true;
}

/**
 * Where names and shares of regions go: inside, where there is room; a number, where there is little; beside, for the
 * thin ones. Returns [{t, texts, numbered, line}], clear of the obstacles.
 */
export function placeNames(frame, view, obstacles) {
  const boxes = [...obstacles];
  const named = [];
  view.parts.forEach((region, t) => {
    const rest = (region.names ?? region.rows ?? [0]).length - 1;
    const name = view.labelOfPart(region) + (rest > 0 ? ` = ${rest} more` : "");
    const beside = `${name} ${view.before ?? ""}${percent(region.area)}`;
    const lines = [[[name, 13, true], [`${view.before ?? ""}${percent(region.area)}`, 12, false]], [[beside, 12, true]], [[numberOfRegion(t), 11, true]], [[beside, 11.5, false]]];
    for (const choice of lines) {
      const width = Math.max(...choice.map(([text, size, bold]) => widthOf(text, size, bold))) + 8;
      const height = choice.reduce((sum, [, size]) => sum + size + 5, 0);
      const outside = choice === lines[3];
      if (outside && t >= HUES.length) return;
      const spot = outside ? roomBeside(region, frame, width, height, boxes) : roomFor(region, frame, width, height, boxes);
      if (!spot) continue;
      boxes.push({ x: spot.x - width / 2, y: spot.y - height / 2, width, height }, ...(spot.line ? stringOf(spot.line) : []));
      const line = spot.line ?? null;
      let y = spot.y - height / 2;
      const texts = choice.map(([text, size, bold]) => ({ text, size, bold, x: spot.x, y: (y += size + 5) - (size + 5) / 2 }));
      named.push({ t, texts, line, numbered: choice === lines[2] });
      return;
    }
  });
  return named;
}

/** Draw the names of regions at their places. */
function drawNames(pen, named, { ink, paper }) {
  for (const { texts, line } of named) {
    if (line) {
      pen.path(line, { stroke: ink, width: 1 });
      pen.circle(...line[1], 2, { fill: ink });
    }
    for (const { text, x, y, size, bold } of texts) pen.text(text, x, y, { size, bold, align: "center", color: ink, halo: paper });
  }
}

/** Tell whether two boxes {x, y, width, height} overlap. */
export const overlap = (p, q) => p.x < q.x + q.width && q.x < p.x + p.width && p.y < q.y + q.height && q.y < p.y + p.height;

/** The middle of the roomiest box of a size inside a region that meets no obstacle, null where there is none. */
function roomFor(region, frame, width, height, boxes) {
  let best = null;
  const half = width / 2 / frame.w;
  for (let a = half + 0.01; a <= 1 - half - 0.01; a += 0.02) {
    const bands = [-1, -0.5, 0, 0.5, 1].map((k) => bandIn(region, a + k * half));
    if (bands.some((band) => !band)) continue;
    const low = Math.max(...bands.map((band) => band[0]));
    const high = Math.min(...bands.map((band) => band[1]));
    const room = (high - low) * frame.h - height;
    if (room < 2) continue;
    for (const share of [0.5, 0.3, 0.7, 0.15, 0.85]) {
      const b = low + height / 2 / frame.h + ((high - low) - height / frame.h) * share;
      const box = { x: frame.x(a) - width / 2, y: frame.y(b) - height / 2, width, height };
      if (boxes.some((other) => overlap(box, other))) continue;
      const goodness = Math.min(room, 60) - 40 * Math.abs(a - 0.42) - 20 * Math.abs(share - 0.5);
      if (!best || goodness > best.goodness) best = { goodness, x: frame.x(a), y: frame.y(b) };
    }
  }
  return best;
}

const DOTS = 12;

/** Small boxes along a line, from a name to its region. */
const stringOf = ([[x0, y0], [x1, y1]]) => Array.from({ length: DOTS }, (_, k) => ({ x: x0 + ((x1 - x0) * (k + 1)) / DOTS - 2, y: y0 + ((y1 - y0) * (k + 1)) / DOTS - 2, width: 4, height: 4 }));

/** A free box near a region that is too thin for its name, and the line from there to it. */
function roomBeside(region, frame, width, height, boxes) {
  if (boxes.length > 80) return null;
  let thickest = { room: 0 };
  for (let a = 0.2; a <= 0.8; a += 0.02) {
    const band = bandIn(region, a);
    if (!band) continue;
    const [low, high] = band;
    if (high - low > thickest.room + 1e-3) thickest = { room: high - low, a, b: (low + high) / 2 };
  }
  if (thickest.room * frame.h < 2) return null;
  const to = [frame.x(thickest.a), frame.y(thickest.b)];
  for (const [dx, dy] of [[70, -32], [-70, -32], [70, 32], [-70, 32], [110, -52], [-110, -52], [110, 52], [-110, 52], [0, -72], [0, 72]]) {
    const [x, y] = [to[0] + dx, to[1] + dy];
    const box = { x: x - width / 2, y: y - height / 2, width, height };
    const fits = box.x > frame.left + 4 && box.x + width < frame.left + frame.w - 4 && box.y > frame.top + 4 && box.y + height < frame.top + frame.h - 4;
    const line = [[x, y + (to[1] > y ? height / 2 : -height / 2)], to];
    if (fits && !boxes.some((other) => overlap(box, other) || stringOf(line).some((part) => overlap(part, other)))) return { x, y, line };
  }
  return null;
}

const RING = 10; // around the current preference

/** The places of known scores; returns the boxes that they take. */
export function drawMarks(pen, frame, view) {
  const shown = PRESETS.filter((preset) => preset.short).map((preset) => [[preset.long, preset.short].filter(Boolean), preset.place(view.set.common)]).filter(([, place]) => place);
  const points = shown.map(([texts, { a, b }]) => ({ texts, x: frame.x(a), y: frame.y(b), right: a < 0.15 }));
  const boxes = points.map(({ x, y }) => ({ x: x - RING, y: y - RING, width: 2 * RING, height: 2 * RING }));
  for (const { texts, x, y, right } of points) {
    const choices = right ? [[4, -14, "left"], [9, 0, "left"]] : [[-3, -14, "right"], [-3, 14, "right"], [-9, 0, "right"], [-3, -28, "right"]];
    const inFrame = (box) => box.x > frame.left + 2 && box.y > frame.top;
    const free = (box) => !boxes.some((other) => overlap(other, box) && !(other.x === x - RING && other.y === y - RING));
    for (const [text, [dx, dy, align]] of texts.flatMap((text) => choices.map((choice) => [text, choice]))) {
      const width = widthOf(text, 11.5) + 2;
      const box = { x: align === "right" ? x + dx - width : x + dx, y: y + dy - 7, width, height: 14 };
      if (!inFrame(box) || !free(box)) continue;
      boxes.push(box);
      pen.text(text, x + dx, y + dy, { size: 11.5, align, color: view.ink, halo: view.paper });
      break;
    }
  }
  for (const { x, y } of points) pen.circle(x, y, 3.8, { fill: view.paper, stroke: view.ink, width: 1.4 });
  return boxes;
}

/** Dashed: where all answers without skill are equal, at the common prior. */
export function drawNoSkill(pen, frame, { set, ink }) {
  if (set.common === null) return;
  const [right, left] = [set.common ** 2, (1 - set.common) ** 2];
  const columns = Array.from({ length: 201 }, (_, i) => (1 - Math.cos((Math.PI * i) / 200)) / 2);
  const b = (a) => (left * (1 - a)) / (left * (1 - a) + right * a);
  pen.path(columns.map((a) => [frame.x(a), frame.y(b(a) || 0)]), { stroke: ink, width: 1, dash: [5, 4] });
}

/** The grid of uniform priors, moved to the common prior. */
export function drawGrid(pen, frame, { set, muted }) {
  if (set.common === null || set.common <= 0 || set.common >= 1) return;
  for (let i = 1; i < 10; i++) {
    const x = i / 10;
    const moved = (x * (1 - set.common)) / (x * (1 - set.common) + (1 - x) * set.common);
    pen.path([[frame.x(moved), frame.y(0)], [frame.x(moved), frame.y(1)]], { stroke: muted, width: 0.6 });
    pen.path([[frame.x(0), frame.y(moved)], [frame.x(1), frame.y(moved)]], { stroke: muted, width: 0.6 });
  }
}

/** Words of an axis as they fit into a width: in full, else what stands in their place. */
function fitting(text, size, width) {
  for (; LOOK.narrow[text] && widthOf(text, size) > width; text = LOOK.narrow[text]);
  return text;
}

/** The frame: corners in words, exchange rates as ticks, compass. */
export function drawAxes(pen, frame, { ink, muted }) {
  const [x0, x1, y0, y1] = [frame.x(0), frame.x(1), frame.y(0), frame.y(1)];
  pen.path([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], { stroke: ink, width: 1.2, close: true });
  for (const [place, label] of LOOK.rates) {
    pen.path([[frame.x(place), y0], [frame.x(place), y0 + 4]], { stroke: ink });
    pen.text(label, frame.x(place), y0 + 13, { size: 11.5, align: "center", color: muted });
    pen.path([[x0 - 4, frame.y(place)], [x0, frame.y(place)]], { stroke: ink });
    pen.text(label, x0 - 8, frame.y(place), { size: 11.5, align: "right", color: muted });
  }
  const [tnr, ppv, npv, tpr] = LOOK.corners;
  pen.text(fitting(npv, 11.5, frame.w - widthOf(tpr, 11.5) - 16), x0, y1 - 12, { size: 11.5, color: muted });
  pen.text(tpr, x1, y1 - 12, { size: 11.5, align: "right", color: muted });
  pen.text(tnr, x0, y0 + 30, { size: 11.5, color: muted });
  pen.text(ppv, x1, y0 + 30, { size: 11.5, align: "right", color: muted });
  const words = LOOK.axes.tile.map((text) => fitting(text, 12, 1.04 * frame.w));
  pen.text(words[0], (x0 + x1) / 2, y0 + 50, { size: 12, align: "center", color: ink });
  pen.text(words[1], x0 - 40, (y0 + y1) / 2, { size: 12, align: "center", angle: -90, color: ink });
}

/** The crosshair of the preference; the names of regions lie on its lines, and its ring on the names. */
export function drawCrosshair(pen, frame, { a, b }, look, named) {
  const { ink, paper, accent } = look;
  const [x, y] = [frame.x(a), frame.y(b)];
  for (const [color, width] of [[paper, 3], [ink, 1]]) {
    pen.path([[frame.x(0), y], [frame.x(1), y]], { stroke: color, width, opacity: width > 1 ? 0.5 : 0.8 });
    pen.path([[x, frame.y(0)], [x, frame.y(1)]], { stroke: color, width, opacity: width > 1 ? 0.5 : 0.8 });
  }
  drawNames(pen, named, look);
  pen.circle(x, y, 9, { fill: paper, stroke: paper, width: 3, opacity: 0.9 });
  pen.circle(x, y, 9, { stroke: accent, width: 3 });
  pen.circle(x, y, 2.2, { fill: ink });
}
