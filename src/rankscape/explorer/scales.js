// The colors of maps on a grid, their legends and their color bars.

import { colorOf, css, hueAt, roundAt, roundsOf } from "./palette.js";
import { percent, plain } from "./texts.js";

const MOST_LISTED = 12;

/**
 * The colors of a map of a kind: of numbers a function value → [r, g, b] or null, a color bar
 * and the levels of its contours; of names a function code → hue, and the `parts` of the map; and the entries of a legend.
 */
export function scaleOf(kind, values, context) {
  const finite = values.filter((x) => Number.isFinite(x) && !(x === -1 && (kind === "entity" || kind === "domain")));
  let [low, high] = [Infinity, -Infinity];
  for (const x of finite) [low, high] = [Math.min(low, x), Math.max(high, x)];
  if (!finite.length) return { color: () => null, hex: () => null, round: () => 0, parts: [], legend: [["undefined everywhere", null]] };
  if (kind === "entity" || kind === "domain") return categories(kind, finite, context);
  if (kind === "share") [low, high] = [0, 1];
  if (kind === "signed") {
    high = Math.max(Math.abs(low), Math.abs(high)) || 1;
    low = -high;
  }
  if (kind === "rank") low = Math.min(low, 1);
  const width = high - low || 1;
  const at = (x) => (kind === "rank" ? 1 - (x - low) / width : (x - low) / width);
  const signed = kind === "signed";
  const stops = [0, 0.25, 0.5, 0.75, 1].map((t) => low + t * (high - low)).map((x) => (kind === "rank" ? Math.round(x) : x));
  const ticks = [...new Set(stops)].map((x) => [(x - low) / width, x !== 0 && Math.abs(x) < width / 1000 ? "≈ 0" : plain(x)]);
  const bar = { color: (t) => css(colorOf(kind === "rank" ? 1 - t : t, signed)), ticks };
  const levels = kind === "rank" ? [] : stops.slice(1, -1);
  return { color: (x) => (Number.isFinite(x) ? colorOf(at(x), signed) : null), legend: [], bar, levels };
}

/** Names as colors, those that they have in every view. Shares are counted on the grid. */
function categories(kind, codes, view) {
  const area = new Map();
  const of = kind === "entity" && view.modelOf ? view.modelOf : (code) => code;
  const hue = new Map();
  for (const code of codes) {
    area.set(of(code), (area.get(of(code)) ?? 0) + 1);
    hue.set(of(code), kind === "domain" ? hueAt(code) : view.hueOf(code));
  }
  const order = [...area.keys()].sort((x, y) => area.get(y) - area.get(x));
  const members = new Map(order.map((code) => [code, new Set()]));
  for (const code of codes) members.get(of(code)).add(code);
  const label = (code) => (kind === "domain" ? view.labelOfDomain(code) : of === view.modelOf ? view.labelOfModel(code) : view.labelOfRow(code));
  const shareOf_ = (code) => area.get(code) / codes.length;
  const rounds = roundsOf([...new Set(codes)].filter((code) => code >= 0), (code) => hue.get(of(code)), kind === "domain" ? roundAt : view.roundOf, of);
  const about = (share) => (share < 0.0005 ? percent(share) : `≈ ${percent(share)}`);
  const shown = order.slice(0, MOST_LISTED).map((code) => [`${label(code)} ${about(shareOf_(code))}`, hue.get(code), false, rounds.get([...members.get(code)][0])]);
  if (order.length > MOST_LISTED) shown.push([`and ${order.length - MOST_LISTED} more`, null]);
  const parts = order.map((code) => ({ codes: members.get(code), name: label(code), area: shareOf_(code) }));
  const round = (code) => rounds.get(code) ?? 0;
  return { hex: (code) => hue.get(of(code)), round, legend: shown, parts };
}

/** Draw a color bar: its ticks are below. */
export function drawBar(pen, bar, x, y, width, look) {
  const steps = 64;
  for (let t = 0; t < steps; t++) {
    const [left, right] = [x + (width * t) / steps, Math.min(x + width, x + (width * (t + 1)) / steps + 0.5)];
    pen.path([[left, y], [right, y], [right, y + 10], [left, y + 10]], { fill: bar.color((t + 0.5) / steps), close: true });
  }
  pen.path([[x, y], [x + width, y], [x + width, y + 10], [x, y + 10]], { stroke: look.muted, width: 0.8, close: true });
  for (const [t, text] of bar.ticks) {
    pen.path([[x + t * width, y + 10], [x + t * width, y + 13]], { stroke: look.muted, width: 0.8 });
    pen.text(text, x + t * width, y + 20, { size: 11, align: t === 0 ? "left" : t === 1 ? "right" : "center", color: look.ink });
  }
}
