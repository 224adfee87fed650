// ROC and PR space: everybody as a point, the hull of who can win, the lines of equal value of the preference.

import { valueAt } from "./model.js";
import { overlap } from "./tile.js";
import { REST, widthOf } from "./dom.js";

export const SPACE_MARGIN = { left: 48, right: 10, top: 10, bottom: 40 };

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

/** What does not depend on the preference: the axes, all points, no skill, the hull. */
export function drawSpace(pen, frame, view, space) {
  const { set, regions, hue, ink, muted, faint } = view;
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => [frame.x(x), frame.y(y)]);
  pen.path(corners, { stroke: muted, close: true });
  for (const t of [0, 0.5, 1]) {
    pen.text(String(t), frame.x(t), frame.y(0) + 12, { size: 11, align: t === 1 ? "right" : t ? "center" : "left", color: muted });
    pen.text(String(t), frame.x(0) - 6, frame.y(t), { size: 11, align: "right", color: muted });
  }
  const [across, up] = space === "roc" ? ["false positive rate", "true positive rate"] : ["recall", "precision"];
  pen.text(across, frame.x(0.5), frame.y(0) + 28, { size: 12, align: "center", color: ink });
  pen.text(up, frame.x(0) - 36, frame.y(0.5), { size: 12, align: "center", angle: -90, color: ink });
  if (space === "roc") line(pen, frame, [[0, 0], [1, 1]], { stroke: muted, dash: [4, 4] });
  else if (set.common !== null) line(pen, frame, [[0, set.common], [1, set.common]], { stroke: muted, dash: [4, 4] });
  for (let i = 0; i < set.n; i++) {
    const point = pointOf(set, i, space);
    if (point) pen.circle(frame.x(point[0]), frame.y(point[1]), set.n > 1000 ? 1.2 : 2.4, { fill: faint, opacity: set.n > 1000 ? 0.35 : 0.8 });
  }
  const winners = regions.map((region) => region.rows[0]);
  if (set.common !== null) {
    const hull = winners.map((i) => pointOf(set, i, "roc")).filter(Boolean).sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    for (let t = 1; t < hull.length; t++) line(pen, frame, shownSegment([hull[t - 1], hull[t]], space, set.common), { stroke: ink, width: 1 });
  }
  for (const i of winners) {
    const point = pointOf(set, i, space);
    if (point) pen.circle(frame.x(point[0]), frame.y(point[1]), 4.5, { fill: hue.get(i) ?? REST, stroke: ink, width: 1 });
  }
}

/** What moves with the preference: lines of equal value, the one of the leader in bold, and who is marked. */
export function drawPreference(pen, frame, view, space) {
  const { set, state, leader, ink, paper, accent } = view;
  if (set.common !== null && set.common > 0 && set.common < 1) {
    const at = (value, look) => {
      const ends = clipped(isoLine(state, set.common, value));
      if (ends) line(pen, frame, shownSegment(ends, space, set.common), look);
    };
    for (let t = 1; t < 10; t++) at(t / 10, { stroke: accent, width: 0.7, opacity: 0.5 });
    if (leader >= 0) at(valueAt(set, leader, view.importance), { stroke: accent, width: 2 });
  }
  const taken = [];
  for (const [i, radius, color] of [[leader, 8, accent], [view.k, 7, ink], [view.pin, 7, ink]]) {
    const point = i === null || i === undefined || i < 0 ? null : pointOf(set, i, space);
    if (!point) continue;
    pen.circle(frame.x(point[0]), frame.y(point[1]), radius, { stroke: paper, width: 4 });
    pen.circle(frame.x(point[0]), frame.y(point[1]), radius, { stroke: color, width: 2 });
    if (i === leader || taken.some((one) => one.i === i)) continue;
    const place = besidePoint(frame, frame.x(point[0]), frame.y(point[1]), widthOf(view.labelOfRow(i), 11.5), taken);
    taken.push({ i, ...place.box });
    pen.text(view.labelOfRow(i), place.x, place.y, { size: 11.5, align: place.right ? "left" : "right", color: ink, halo: paper });
  }
}

/** The place of a name beside its point: inside, and up or down from names that are already there. */
function besidePoint(frame, x, y, width, taken) {
  const at = (right, dy) => {
    const box = { x: right ? x + 11 : x - 11 - width, y: y + dy - 8, width, height: 16 };
    return { x: right ? x + 11 : x - 11, y: y + dy, right, box };
  };
  const inside = ({ box }) => box.x >= frame.left - 12 && box.x + width <= frame.left + frame.w + 8 && box.y >= frame.top && box.y <= frame.top + frame.h;
  const places = [0, 16, -16, 32, -32].flatMap((dy) => [at(true, dy), at(false, dy)]);
  const free = places.filter((place) => !taken.some((box) => overlap(box, place.box)));
  const toMiddle = ({ right }) => right === x < frame.left + frame.w * 0.6;
  return free.find(inside) ?? free.find(toMiddle) ?? places.find(toMiddle);
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
