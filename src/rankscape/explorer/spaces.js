// ROC and PR space: everybody as a point, the hull of who can win, the lines of equal value of the preference.

import { valueAt } from "./model.js";
import { overlap } from "./tile.js";
import { widthOf } from "./dom.js";
import { LOOK } from "./look.js";
import { REST } from "./palette.js";

export const SPACE_MARGIN = { left: 54, right: 12, top: 13, bottom: 40 };

/** The point of entity i, null where it has none: (FPR, TPR), or (recall, precision). */
export function pointOf(set, i, space) {
  const [tn, fp, fn, tp] = set.p.subarray(4 * i, 4 * i + 4);
  const point = space === "roc" ? [fp / (tn + fp), tp / (fn + tp)] : [tp / (fn + tp), tp / (tp + fp)];
  return point.some(Number.isNaN) ? null : point;
}

/** The line u·FPR + v·TPR + w = 0 on which R_{a,b} has a value at a prior. (Tile, 3.3.) */
export function isoLine({ a, b }, prior, value) {
  const [negative, zero] = [1 - prior, 1 - value];
  return [
    -(zero * negative * (1 - a) + value * negative * (1 - b)),
    zero * prior * a + value * prior * b,
    zero * negative * (1 - a) - value * prior * b,
  ];
}

/** The ends of a line inside the unit square, null where it misses it. */
export function clipped([u, v, w]) {
  const ends = [];
  for (const x of [0, 1]) if (v && -(u * x + w) / v >= 0 && -(u * x + w) / v <= 1) ends.push([x, -(u * x + w) / v]);
  for (const y of [0, 1]) if (u && -(v * y + w) / u >= 0 && -(v * y + w) / u <= 1) ends.push([-(v * y + w) / u, y]);
  if (ends.length < 2) return null;
  ends.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  return [ends[0], ends.at(-1)];
}

/** A segment of ROC space in the space shown: in PR space an arc. */
function shownSegment([[x0, y0], [x1, y1]], space, prior) {
  if (space === "roc") return [[x0, y0], [x1, y1]];
  const steps = 48;
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const t = (i / steps) ** 2; // denser near FPR = 0, where precision moves fast
    const [fpr, tpr] = [x0 + t * (x1 - x0), y0 + t * (y1 - y0)];
    return [tpr, (prior * tpr) / (prior * tpr + (1 - prior) * fpr)];
  });
  return points.filter((point) => !point.some(Number.isNaN));
}

const line = (pen, frame, points, look) => points.length > 1 && pen.path(points.map(([x, y]) => [frame.x(x), frame.y(y)]), look);

const [SKILLED, AIR, NARROWEST] = [0.5, 0.12, 0.03];
const windows = new WeakMap();

/** The part of a plane [x0, x1, y0, y1] that holds those with half of the skill of the most skilled, or more. */
export function zoomOf({ set, regions }, space) {
  const kept = windows.get(set) ?? windows.set(set, {}).get(set);
  return (kept[space] ??= windowOf(set, regions, space));
}

function windowOf(set, regions, space) {
  const skills = new Float64Array(set.n);
  for (let i = 0; i < set.n; i++) {
    const point = pointOf(set, i, "roc");
    skills[i] = point ? point[1] - point[0] : -1;
  }
  const most = skills.reduce((x, y) => Math.max(x, y), 0);
  const enough = most * SKILLED;
  let ends = [1, 0, 1, 0];
  const add = ([x, y]) => (ends = [Math.min(ends[0], x), Math.max(ends[1], x), Math.min(ends[2], y), Math.max(ends[3], y)]);
  for (let i = 0; i < set.n; i++) {
    const point = skills[i] > 0 && skills[i] >= enough ? pointOf(set, i, space) : null;
    if (point) add(point);
  }
  if (ends[0] > ends[1]) return [0, 1, 0, 1];
  return [...widened(ends[0], ends[1]), ...widened(ends[2], ends[3])];
}

/** An interval with air around, inside [0, 1]. */
function widened(low, high) {
  const air = Math.max((high - low) * AIR, (NARROWEST - (high - low)) / 2, 0.004);
  return [Math.max(0, low - air), Math.min(1, high + air)];
}

/** Where a part of a plane lies in a picture; ticks are inside. */
export function spaceFrameOf(size, margin, [x0, x1, y0, y1], corner = { left: 0, top: 0 }) {
  const [w, h] = [size - margin.left - margin.right, size - margin.top - margin.bottom];
  const [left, top] = [corner.left + margin.left, corner.top + margin.top];
  return {
    x: (x) => left + ((x - x0) / (x1 - x0)) * w, y: (y) => top + (1 - (y - y0) / (y1 - y0)) * h,
    atX: (x) => x0 + ((x - left) / w) * (x1 - x0), atY: (y) => y0 + (1 - (y - top) / h) * (y1 - y0),
    w, h, left, top, across: ticksIn(x0, x1), up: ticksIn(y0, y1),
    whole: x0 === 0 && y0 === 0 && x1 === 1 && y1 === 1,
    holds: ([x, y]) => x >= x0 && x <= x1 && y >= y0 && y <= y1,
  };
}

/** Round numbers in an interval, three to six of them. */
function ticksIn(low, high) {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, t) => Number(((first + t) * step).toPrecision(6)));
}

/** What does not depend on the preference: the axes, all points, no skill, the hull. */
export function drawSpace(pen, frame, view, space) {
  const { set, regions, hue, ink, muted, faint } = view;
  const [x0, x1, y0, y1] = [frame.left, frame.left + frame.w, frame.top + frame.h, frame.top];
  for (const t of frame.across) pen.text(String(t), frame.x(t), y0 + 12, { size: 11, align: "center", color: muted });
  for (const t of frame.up) pen.text(String(t), x0 - 6, frame.y(t), { size: 11, align: "right", color: muted });
  const [across, up] = LOOK.axes[space].map((text) => (frame.w < 320 ? LOOK.narrow[text] ?? text : text));
  pen.text(across, (x0 + x1) / 2, y0 + 28, { size: 11.5, align: "center", color: ink });
  pen.text(up, x0 - 40, (y0 + y1) / 2, { size: 11.5, align: "center", angle: -90, color: ink });
  pen.clip(frame, () => {
    if (space === "roc") line(pen, frame, [[0, 0], [1, 1]], { stroke: muted, dash: [4, 4] });
    else if (set.common !== null) line(pen, frame, [[0, set.common], [1, set.common]], { stroke: muted, dash: [4, 4] });
    for (let i = 0; i < set.n; i++) {
      const point = pointOf(set, i, space);
      if (point) pen.circle(frame.x(point[0]), frame.y(point[1]), set.n > 1000 ? 1.2 : 2.8, { fill: faint, opacity: set.n > 1000 ? 0.35 : 0.9 });
    }
    if (set.common !== null) {
      const hull = regions.map(({ rows }) => pointOf(set, rows[0], "roc")).filter(Boolean).sort((p, q) => p[0] - q[0] || p[1] - q[1]);
      for (let t = 1; t < hull.length; t++) line(pen, frame, shownSegment([hull[t - 1], hull[t]], space, set.common), { stroke: ink, width: 1, dash: [5, 3] });
    }
    for (const { rows } of regions) {
      const point = pointOf(set, rows[0], space);
      if (point) pen.circle(frame.x(point[0]), frame.y(point[1]), 5, { fill: hue.get(rows[0]) ?? REST, stroke: ink, width: 1 });
    }
  });
  pen.path([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], { stroke: muted, close: true });
}

const MOST_NAMED = 8;
const IMAGINED = "what if";

/** The point of a method that does not exist in a plane; null where it has no precision. */
function imaginedPoint([fpr, tpr], prior, space) {
  if (space === "roc") return [fpr, tpr];
  const precision = (prior * tpr) / (prior * tpr + (1 - prior) * fpr);
  return Number.isNaN(precision) ? null : [tpr, precision];
}

/** What moves with the preference: lines of equal value, the one of the leader in bold; who is marked, and names. */
export function drawPreference(pen, frame, view, space, marked) {
  const { set, state, regions, leader, ink, paper, accent } = view;
  pen.clip(frame, () => {
    if (!(set.common > 0 && set.common < 1)) return;
    const at = (value, look) => {
      const ends = clipped(isoLine(state, set.common, value));
      if (ends) line(pen, frame, shownSegment(ends, space, set.common), look);
    };
    const steps = frame.whole ? 10 : 40;
    for (let t = 1; t < steps; t++) at(t / steps, { stroke: accent, width: 0.7, opacity: 0.35 });
    if (leader >= 0) at(valueAt(set, leader, view.importance), { stroke: accent, width: 2 });
  });
  const taken = [];
  const dream = state.imagined && set.common !== null ? imaginedPoint(state.imagined, set.common, space) : null;
  if (dream && frame.holds(dream)) {
    const [x, y] = [frame.x(dream[0]), frame.y(dream[1])];
    pen.path([[x, y - 8], [x + 8, y], [x, y + 8], [x - 8, y]], { fill: paper, stroke: accent, width: 2.5, close: true });
    const place = besidePoint(frame, x, y, widthOf(IMAGINED, 11.5, true), taken, true);
    taken.push(place.box, { x: x - 8, y: y - 8, width: 16, height: 16 });
    pen.text(IMAGINED, place.x, place.y, { size: 11.5, align: place.right ? "left" : "right", color: accent, halo: paper, bold: true });
  }
  const pointIn = (i) => {
    const point = i === null || i === undefined || i < 0 ? null : pointOf(set, i, space);
    return point && frame.holds(point) ? [frame.x(point[0]), frame.y(point[1])] : null;
  };
  const rings = [[leader, 8, accent], [view.pin, 7, ink], [view.k, 8, ink], [marked, 9, ink]];
  for (const [i, radius, color] of rings) {
    const point = pointIn(i);
    if (!point) continue;
    pen.circle(...point, radius, { stroke: paper, width: 5 });
    pen.circle(...point, radius, { stroke: color, width: i === marked || i === view.k ? 3 : 2 });
  }
  const winners = regions.slice(0, MOST_NAMED).map(({ rows }) => rows[0]);
  for (const i of winners) {
    const point = pointIn(i);
    if (point) taken.push({ x: point[0] - 5, y: point[1] - 5, width: 10, height: 10 });
  }
  for (const i of new Set([leader, marked, view.k, view.pin, ...winners])) {
    const point = pointIn(i);
    if (!point) continue;
    const bold = i === marked || i === view.k || i === leader;
    const place = besidePoint(frame, ...point, widthOf(view.labelOfRow(i), 11.5, bold), taken, i === marked || i === view.k || i === view.pin || i === leader);
    if (!place) continue;
    taken.push(place.box);
    if (Math.abs(place.y - point[1]) > 12) pen.path([point, [place.x - (place.right ? 2 : -2), place.y]], { stroke: ink, width: 0.8 }); // else it seems to be that of another point
    pen.text(view.labelOfRow(i), place.x, place.y, { size: 11.5, align: place.right ? "left" : "right", color: ink, halo: paper, bold });
  }
}

/** The place of a name beside its point: inside, and up or down from names that are there; one that must be has one. */
function besidePoint(frame, x, y, width, taken, must) {
  const at = (right, dy) => {
    const box = { x: right ? x + 11 : x - 11 - width, y: y + dy - 8, width, height: 16 };
    return { x: right ? x + 11 : x - 11, y: y + dy, right, box };
  };
  const inside = ({ box }) => box.x >= frame.left - 12 && box.x + width <= frame.left + frame.w + 8 && box.y >= frame.top && box.y + 16 <= frame.top + frame.h;
  const places = [0, 16, -16, 32, -32].flatMap((dy) => [at(true, dy), at(false, dy)]);
  const free = places.filter((place) => !taken.some((box) => overlap(box, place.box)));
  const toMiddle = ({ right }) => right === x < frame.left + frame.w * 0.6;
  return free.find(inside) ?? (must ? (free.find(toMiddle) ?? places.find(toMiddle)) : undefined);
}

/** The entity whose point is nearest to a place of the picture, −1 where none is within some pixels. */
export function nearestPoint(set, frame, space, x, y, within = 12) {
  let best = -1;
  let least = within ** 2;
  for (let i = 0; i < set.n; i++) {
    const point = pointOf(set, i, space);
    if (!point) continue;
    const distance = (frame.x(point[0]) - x) ** 2 + (frame.y(point[1]) - y) ** 2;
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}
