// The Tile: regions as exact curves, maps as pixels, the crosshair of the preference on top.

import { importanceAt, oddsAgainst } from "./model.js";
import { bandOf } from "./regions.js";
import { bandAt, innerBorders } from "./together.js";
import { HUES, REST, bytesOf, colorOf, css, widthOf } from "./dom.js";
import { PRESETS } from "./state.js";
import { percent, plain } from "./texts.js";

export const TILE_MARGIN = { left: 52, right: 12, top: 26, bottom: 64 };

/** Where the square lies in a picture of a width and height. */
export function frameOf(width, height, margin = TILE_MARGIN) {
  const [w, h] = [width - margin.left - margin.right, height - margin.top - margin.bottom];
  return {
    x: (a) => margin.left + a * w, y: (b) => margin.top + (1 - b) * h, w, h, left: margin.left, top: margin.top,
    a: (x) => Math.min(1, Math.max(0, (x - margin.left) / w)), b: (y) => Math.min(1, Math.max(0, 1 - (y - margin.top) / h)),
  };
}

/** Columns of a piece, dense at its ends, where arcs are steep. */
function samplesOf(piece, points = 64) {
  const [start, end] = [piece.start.number, piece.end.number];
  const steps = Math.max(8, Math.ceil(points * (end - start)));
  return Array.from({ length: steps + 1 }, (_, i) => start + ((end - start) * (1 - Math.cos((Math.PI * i) / steps))) / 2);
}

/**
 * The hue of every winner: by area, at most seven, the rest grey. `painted`, data index → hue, remembers them, so that
 * an entity keeps its hue while it has one and no larger region needs it.
 */
export function hues(regions, rows, painted) {
  const hueOf = new Map();
  const colored = regions.slice(0, HUES.length).map((region) => ({ region, hue: region.rows.map((i) => painted.get(rows[i])).find(Boolean) }));
  const taken = new Set();
  for (const one of colored) one.hue = taken.has(one.hue) ? undefined : (taken.add(one.hue), one.hue);
  taken.delete(undefined);
  const kept = new Set(painted.values());
  const free = [...HUES.filter((hue) => !kept.has(hue)), ...HUES].filter((hue) => !taken.has(hue));
  for (const { region, hue } of colored) {
    const chosen = hue ?? free.find((candidate) => !taken.has(candidate));
    taken.add(chosen);
    for (const i of region.rows) {
      hueOf.set(i, chosen);
      painted.set(rows[i], chosen);
    }
  }
  for (const region of regions.slice(HUES.length)) for (const i of region.rows) hueOf.set(i, REST);
  return hueOf;
}

/** What stands for a region where its name has no room, and beside its name in the legend. */
export const numberOfRegion = (t) => `(${t + 1})`;

export function drawRegions(pen, frame, view) {
  const { regions, ink, hue } = view;
  const inner = innerBorders(view.parts === regions ? [] : view.parts);
  for (const region of regions) {
    for (const piece of region.pieces) {
      const columns = samplesOf(piece);
      const bands = columns.map((a) => bandOf(piece, a));
      const points = [...columns.map((a, i) => [frame.x(a), frame.y(bands[i][0])]), ...columns.map((a, i) => [frame.x(a), frame.y(bands[i][1])]).reverse()];
      pen.path(points, { fill: hue.get(region.rows[0]), close: true, opacity: view.tint });
    }
  }
  for (const { pieces } of regions) {
    for (const piece of pieces) {
      if (!piece.low) continue;
      const look = inner.has(piece.low) ? { stroke: ink, width: 0.6, opacity: 0.35 } : { stroke: ink, width: 1.2 };
      pen.path(samplesOf(piece).map((a) => [frame.x(a), frame.y(bandOf(piece, a)[0])]), look);
    }
  }
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
    const rest = (region.names ?? region.rows).length - 1;
    const name = view.labelOfPart(region) + (rest > 0 ? ` = ${rest} more` : "");
    const beside = `${name} ${percent(region.area)}`;
    const lines = [[[name, 13, true], [percent(region.area), 12, false]], [[beside, 12, true]], [[numberOfRegion(t), 11, true]], [[beside, 11.5, false]]];
    for (const choice of lines) {
      const width = Math.max(...choice.map(([text, size, bold]) => widthOf(text, size, bold))) + 8;
      const height = choice.reduce((sum, [, size]) => sum + size + 5, 0);
      const outside = choice === lines[3];
      if (outside && t >= HUES.length) return;
      const spot = outside ? roomBeside(region, frame, width, height, boxes) : roomFor(region, frame, width, height, boxes);
      if (!spot) continue;
      boxes.push({ x: spot.x - width / 2, y: spot.y - height / 2, width, height });
      const line = outside ? [[spot.x, spot.y + (spot.to[1] > spot.y ? height / 2 : -height / 2)], spot.to] : null;
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
    const bands = [-1, -0.5, 0, 0.5, 1].map((k) => bandAt(region, a + k * half));
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

/** A free box near a region that is too thin for its name, and where a line from there should end. */
function roomBeside(region, frame, width, height, boxes) {
  if (boxes.length > 40) return null;
  let thickest = { room: 0 };
  for (let a = 0.2; a <= 0.8; a += 0.02) {
    const band = bandAt(region, a);
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
    if (fits && !boxes.some((other) => overlap(box, other))) return { x, y, to };
  }
  return null;
}

const RING = 10; // around the current preference

/** The places of known scores; returns the boxes that they take. */
export function drawMarks(pen, frame, view) {
  const shown = PRESETS.filter((preset) => preset.short).map((preset) => [preset.short, preset.place(view.set.common)]).filter(([, place]) => place);
  const points = shown.map(([text, { a, b }]) => ({ text, x: frame.x(a), y: frame.y(b), right: a < 0.15 }));
  const boxes = points.map(({ x, y }) => ({ x: x - RING, y: y - RING, width: 2 * RING, height: 2 * RING }));
  for (const { text, x, y, right } of points) {
    const width = widthOf(text, 11.5) + 2;
    const choices = right ? [[4, -14, "left"], [9, 0, "left"]] : [[-3, -14, "right"], [-3, 14, "right"], [-9, 0, "right"], [-3, -28, "right"]];
    const boxAt = ([dx, dy, align]) => ({ x: align === "right" ? x + dx - width : x + dx, y: y + dy - 7, width, height: 14 });
    const free = (choice) => !boxes.some((box) => overlap(box, boxAt(choice)) && !(box.x === x - RING && box.y === y - RING));
    const choice = choices.filter((c) => y + c[1] > frame.top + 7).find(free);
    if (!choice) continue;
    boxes.push(boxAt(choice));
    pen.text(text, x + choice[0], y + choice[1], { size: 11.5, align: choice[2], color: view.ink, halo: view.paper });
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

/** The frame: corners in words, exchange rates as ticks, compass. */
export function drawAxes(pen, frame, { ink, muted, narrow }) {
  const [x0, x1, y0, y1] = [frame.x(0), frame.x(1), frame.y(0), frame.y(1)];
  pen.path([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], { stroke: ink, width: 1.2, close: true });
  for (const [place, label] of [[0, "0"], [0.25, "⅓"], [0.5, "1"], [0.75, "3"], [1, "∞"]]) {
    pen.path([[frame.x(place), y0], [frame.x(place), y0 + 4]], { stroke: ink });
    pen.text(label, frame.x(place), y0 + 13, { size: 11.5, align: "center", color: muted });
    pen.path([[x0 - 4, frame.y(place)], [x0, frame.y(place)]], { stroke: ink });
    pen.text(label, x0 - 8, frame.y(place), { size: 11.5, align: "right", color: muted });
  }
  pen.text("NPV", x0, y1 - 12, { size: 11.5, color: muted });
  pen.text("recall TPR", x1, y1 - 12, { size: 11.5, align: "right", color: muted });
  pen.text(narrow ? "TNR" : "specificity TNR", x0, y0 + 30, { size: 11.5, color: muted });
  pen.text(narrow ? "PPV" : "precision PPV", x1, y0 + 30, { size: 11.5, align: "right", color: muted });
  const middle = (x0 + x1) / 2;
  const size = narrow ? 11.5 : 13;
  pen.text(narrow ? "correct rejections ← count → detections" : "correct rejections ← what counts as success → detections", middle, y0 + 50, { size, align: "center", color: ink });
  const up = narrow ? "false alarms ← count → misses" : "false alarms ← what counts as failure → misses";
  pen.text(up, x0 - 34, (y0 + y1) / 2, { size, align: "center", angle: -90, color: ink });
}

/** The crosshair of the preference; the names of regions lie on its lines, and its ring on the names. */
export function drawCrosshair(pen, frame, { a, b }, look, named) {
  const { ink, paper } = look;
  const [x, y] = [frame.x(a), frame.y(b)];
  for (const [color, width] of [[paper, 3], [ink, 1]]) {
    pen.path([[frame.x(0), y], [frame.x(1), y]], { stroke: color, width, opacity: width > 1 ? 0.5 : 0.8 });
    pen.path([[x, frame.y(0)], [x, frame.y(1)]], { stroke: color, width, opacity: width > 1 ? 0.5 : 0.8 });
  }
  drawNames(pen, named, look);
  pen.circle(x, y, 8, { stroke: paper, width: 5 });
  pen.circle(x, y, 8, { stroke: ink, width: 2 });
  pen.circle(x, y, 1.8, { fill: ink });
}

/** The colors of a map of a kind: a function value → [r, g, b] or null, and the entries of its legend. */
export function scaleOf(kind, values, context) {
  const finite = values.filter((x) => Number.isFinite(x) && !(x === -1 && (kind === "entity" || kind === "domain")));
  let [low, high] = [Infinity, -Infinity];
  for (const x of finite) [low, high] = [Math.min(low, x), Math.max(high, x)];
  if (!finite.length) return { color: () => null, legend: [["undefined everywhere", null]] };
  if (kind === "entity" || kind === "domain") return categories(kind, finite, context);
  if (kind === "share") [low, high] = [0, 1];
  if (kind === "signed") {
    high = Math.max(Math.abs(low), Math.abs(high)) || 1;
    low = -high;
  }
  if (kind === "rank") low = Math.min(low, 1);
  const width = high - low || 1;
  const at = (x) => (kind === "rank" ? 1 - (x - low) / width : (x - low) / width);
  const stops = [0, 0.25, 0.5, 0.75, 1].map((t) => low + t * (high - low)).map((x) => (kind === "rank" ? Math.round(x) : x));
  const legend = [...new Set(stops)].map((x) => [plain(x), css(colorOf(at(x), kind === "signed"))]);
  return { color: (x) => (Number.isFinite(x) ? colorOf(at(x), kind === "signed") : null), legend };
}

/** Names as colors: the seven that cover most have hues, all others share a grey. Shares are counted on the grid. */
function categories(kind, codes, { labelOfRow, labelOfDomain, modelOf, labelOfModel }) {
  const area = new Map();
  const of = kind === "entity" && modelOf ? modelOf : (code) => code;
  for (const code of codes) area.set(of(code), (area.get(of(code)) ?? 0) + 1);
  const order = [...area.keys()].sort((x, y) => area.get(y) - area.get(x));
  const few = kind === "domain" && Math.max(...order) < HUES.length; // then a domain has its hue in every map
  const hue = new Map(order.map((code, t) => [code, few ? HUES[code] : t < HUES.length ? HUES[t] : REST]));
  const label = (code) => (kind === "domain" ? labelOfDomain(code) : of === modelOf ? labelOfModel(code) : labelOfRow(code));
  const shown = order.slice(0, HUES.length).map((code) => [`${label(code)} ≈ ${percent(area.get(code) / codes.length)}`, hue.get(code)]);
  if (order.length > HUES.length) shown.push([`${order.length - HUES.length} others`, REST]);
  return { color: (code) => (hue.has(of(code)) ? bytesOf(hue.get(of(code))) : null), legend: shown };
}
