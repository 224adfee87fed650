// What the page says in sentences.

import { oddsOf, preferenceAt, rank } from "./model.js";
import { SCORES } from "./maps.js";
import { partOf } from "./leads.js";
import { regionAt } from "./regions.js";
import { detectionText, presetAt, preferenceText } from "./state.js";
import { valueOnMap } from "./tile_map.js";
import { NOBODY, alarms, chance, listed, plain, percent, positives, rateText, ratesText } from "./texts.js";

/** The answer in one short sentence. */
export function headline(view) {
  const { state, set, ranking, leader } = view;
  if (!set.n) return NOBODY;
  const named = presetAt(state.a, state.b, set.common);
  const if_ = `${asked(view, named)}${changed(view)}`;
  if (leader < 0) return `Nobody is first ${if_}: the score is undefined for everybody.`;
  const first = ranking.order.subarray(0, ranking.high[leader]);
  return `${listed(Array.from(first, view.labelOfRow), 3, " = ")} ${first.length > 1 ? "are" : "is"} first ${if_}`;
}

/** How a miss and a false alarm compare, in the words of each mode. */
const WORTH = { costs: (rate) => `a miss costs ${alarms(rate)}`, f: (rate) => `a miss weighs ${rateText(rate)} × a false alarm`, free: (rate) => `a miss is worth ${alarms(rate)}` };

/** What is asked, so that no two preferences read alike: an F-score is a score, costs and others are conditions. */
function asked({ state, mode }, named) {
  const rate = oddsOf(state.b);
  const name = named ? named.name ?? named.label : "";
  if (mode === "f") return `by ${name || `the F-score in which ${WORTH.f(rate)}`}`;
  const worth = rate === Infinity ? "only misses count" : rate === 0 ? "only false alarms count" : WORTH[mode](rate);
  return `if ${worth}${named ? ` (${named.orders ? "order of " : ""}${name})` : ""}`;
}

/** What else was changed: the prior, or the weights of the domains. */
function changed({ data, set, state, weights, mode, labelOfDomain }) {
  const prior = set.prior === null ? "" : ` ${mode === "f" ? "if" : "and"} ${positives(set.prior)} were positive`;
  const even = set.used.every((d) => weights[d] === weights[set.used[0]]);
  const part = data.domains.length > 1 && set.used.length === 1 ? `on ${labelOfDomain(set.used[0])} alone`
    : !state.weights ? "" : !even ? "for your weights" : set.used.length < data.domains.length ? `on ${listed(set.used.map(labelOfDomain))} only` : "";
  return `${prior}${part && (prior || mode !== "f") ? "," : ""}${part && " "}${part}`;
}

/** How good the first is, until when that holds, and how sure it is. */
export function about(view) {
  const { state, set, ranking, leader } = view;
  if (!set.n || leader < 0) return "";
  const named = presetAt(state.a, state.b, set.common);
  const first = Array.from(ranking.order.subarray(0, ranking.high[leader]));
  const value = ranking.value[leader].toFixed(3);
  const itself = named?.orders ? SCORES[named.id][1](...set.p.subarray(4 * leader, 4 * leader + 4)) : NaN;
  const start = named?.orders ? `${named.name} ${itself.toFixed(3)}; value of the ranking score R(a, b) ${value}.` : `${named ? (named.name ?? named.label) : "Score"} ${value}.`;
  const rest = named || view.mode !== "free" ? "" : ` ${sentence(detectionText(state.a))}`;
  if (first.some((i) => set.group(i) !== set.group(first[0]))) return `${start}${rest} They tie for this preference, not for all.`;
  const winner = first.find((i) => view.regionOf.has(i));
  const area = winner === undefined ? 0 : view.regions[view.regionOf.get(winner)].area;
  const share = area === 0 ? "" : area === 1 ? " First for every preference." : ` First for ${percent(area)} of all preferences.`;
  return `${start}${surely(view, first)}${rest}${share}${area === 1 ? "" : lasting(view, first)}${ofModel(view, winner)}${expense(view, first)}`;
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** How probably the first is the best, and who is so more probably. */
function surely({ detail, set, labelOfRow }, first) {
  const at = first.length === 1 && set.n > 1 && detail.first ? detail.placeOf.get(first[0]) : undefined;
  if (at === undefined || Number.isNaN(detail.first[at])) return "";
  const most = detail.first.reduce((best, p, t) => (p > detail.first[best] ? t : best), at);
  if (most === at) return ` Best with probability ${chance(detail.first[at])}.`;
  return ` First by score; ${labelOfRow(detail.sample.chosen[most])} is more probably best (${chance(detail.first[most])} against ${chance(detail.first[at])}).`;
}

const MOST_LADDER = 4;
const LARGEST_LADDER = 3000; // of more, ranking everybody at each move of the pointer takes too long

/** What is at a place of the Tile, in lines: the preference, and who is first, second and so on there. */
export function atPlace(view, map, { a, b }) {
  const { flavor } = view;
  const where = `Where ${preferenceText(a, b)}`;
  if (flavor.kind === "regions" && view.set.n > LARGEST_LADDER) {
    const region = regionAt(view.regions, a, b);
    return region ? [`${where}, ${region.rows.slice(0, 2).map(view.labelOfRow).join(" = ")} is first.`] : [`${where}.`];
  }
  if (flavor.kind === "regions") return ladder(view, where, a, b);
  if (!map.done || !map.values) return [`${where}.`];
  const value = valueOnMap(map, a, b);
  if (flavor.kind === "entity") return [`${where}: ${value < 0 ? "nobody" : view.labelOfRow(value)}.`, ...ladder(view, where, a, b).slice(1)];
  const text = flavor.kind === "domain" ? (value < 0 ? "none" : view.labelOfDomain(value)) : `${flavor.label.toLowerCase()} ${plain(value)}`;
  return [`${where}: ${text}.`];
}

/** Who is first at a place, and the first ranks below each other. */
function ladder(view, where, a, b) {
  if (view.set.n > LARGEST_LADDER) return [`${where}.`];
  const { order, defined, low, value } = rank(view.set, preferenceAt(a, b));
  if (!defined) return [`${where}, nobody is first.`];
  const steps = Array.from(order.subarray(0, Math.min(MOST_LADDER, defined)), (i) => `${low[i]}. ${view.labelOfRow(i)} ${value[i].toFixed(3)}`);
  return [`${where}, ${view.labelOfRow(order[0])} is first.`, steps.join(" · ")];
}

/** How much the model of an operating point wins with all of its thresholds. */
function ofModel({ parts, modelOf, labelOfModel }, winner) {
  const part = modelOf && parts.find(({ rows }) => rows.includes(winner));
  if (!part || part.rows.length === 1) return "";
  const where = part.area === 1 ? "every preference" : `${percent(part.area)} of all preferences`;
  const names = listed(part.names.map(labelOfModel), 3, " = ");
  return part.names.length > 1 ? ` Over all their thresholds, ${names} come first together for ${where}.` : ` Over all its thresholds, ${names} comes first for ${where}.`;
}

/** What the first is expected to cost, and who costs least where that is another one. */
function expense({ costs, labelOfRow }, first) {
  if (!costs) return "";
  const [here] = first;
  const less = costs.number(costs.least) !== costs.number(here) ? `; ${labelOfRow(costs.least)} would cost least, ${costs.amount(costs.least)}` : "";
  return ` Expected cost: ${costs.amount(here)} ${costs.unit}${less}.`;
}

/** For which worth of a miss the first stays first: what the track and the leaderboard say, too. */
function lasting(view, [i]) {
  const part = partOf(view, i);
  if (!part) return "";
  const [verb, after] = { costs: ["costs", "false alarms"], f: ["weighs", "× a false alarm"], free: ["counts as", "false alarms"] }[view.mode];
  const { low, high } = part;
  if (low === 0 && high === Infinity) return ` Holds whatever a miss ${view.mode === "free" ? "is worth" : verb}.`;
  const [from, to] = ratesText(low, high, oddsOf(view.state.b));
  const range = low === 0 ? `at most ${to}` : high === Infinity ? `at least ${from}` : `${from} to ${to}`;
  return ` Holds while a miss ${verb} ${range} ${(high === Infinity ? from : to) === "1" ? after.replace("alarms", "alarm") : after}.`;
}

/** For which shares of positives the first stays first, and who takes over; ends rounded towards the inside. */
export function staysFirst(view, { low, high, below, above }) {
  const { ranking, leader, common } = view;
  const names = (rows) => listed(Array.from(rows, view.labelOfRow), 3, " = ");
  const first = ranking.order.subarray(0, ranking.high[leader]);
  const start = `${names(first)} ${first.length > 1 ? "stay" : "stays"} first`;
  if (!below && !above) return `${start} for any share of positives.`;
  const [least, most] = inwards(low, high, common);
  const where = !below ? `up to ${most}` : !above ? `from ${least} on` : `from ${least} to ${most}`;
  const sides = [below && `below it, ${names(below.rows)}`, above && `above it, ${names(above.rows)}`].filter(Boolean);
  const [one, ...other] = sides.map((text, t) => (t ? text : `${text[0].toUpperCase()}${text.slice(1)} ${(below ?? above).rows.length > 1 ? "come" : "comes"} first`));
  return `${start} ${where}. ${[one, ...other].join("; ")}.`;
}

/** Both ends of an interval of shares in percent, rounded inwards, with digits enough that a share between stays there. */
function inwards(low, high, here) {
  const cut = (x, digits, side) => {
    const step = 10 ** (Math.floor(Math.log10(x)) - digits + 1);
    const whole = x / step;
    return Math.abs(whole - Math.round(whole)) < 1e-9 * whole ? Math.round(whole) * step : side(whole) * step;
  };
  for (let digits = 3; ; digits++) {
    const [least, most] = [low && cut(low, digits, Math.ceil), high < 1 ? cut(high, digits, Math.floor) : 1];
    if ((least <= here && here <= most && (high === 1 || most < 1)) || digits === 15) return [least, most].map((x) => `${Number((100 * x).toPrecision(digits))}\u00a0%`);
  }
}

/** Who lacks which domain, and what is shown instead; "" where nothing is missing. */
export function gaps({ data, set, label, labelOfDomain }) {
  const all = data.domains.map((_, d) => d);
  const lacks = data.cells.map((row) => all.filter((d) => !row[d]));
  const short = data.cells.map((_, i) => i).filter((i) => lacks[i].length);
  if (!short.length) return "";
  const missing = listed(short.map((i) => `${label(i)} lacks ${listed(lacks[i].map(labelOfDomain))}`));
  const unused = all.filter((d) => !set.used.includes(d));
  const zero = unused.length ? `; without weight: ${listed(unused.map(labelOfDomain))}` : "";
  const left = set.left.length ? `; not compared: ${listed(set.left.map(label))}` : "";
  return `Not everybody has every domain (${missing}). Shown: ${listed(set.used.map(labelOfDomain))}${zero}${left}.`;
}

/** The standings of the selected with the pinned entity. */
export function standings(view) {
  const { state, ranking, k, pin, set } = view;
  if (state.selected === null && state.pinned !== null) return `${view.label(state.pinned)} is pinned. Pin another one, or click its name, to compare the two.`;
  if (state.selected === null) return "Click a name to see it everywhere. Pin two to compare them.";
  const selected = view.label(state.selected);
  if (k < 0) return `${selected} is not compared here.`;
  const standing = ranking.low[k] ? `${selected}: rank ${ranking.low[k]} of ${set.n}, value ${ranking.value[k].toFixed(4)}.` : `${selected}: undefined for this preference.`;
  if (state.pinned === null || pin < 0 || pin === k) return standing;
  const other = view.label(state.pinned);
  const { area, back } = view.pair();
  const both = ranking.low[k] && ranking.low[pin];
  const now = !both ? "" : ranking.low[k] === ranking.low[pin] ? ` Here it ties with ${other}.` : ` Here it is ${ranking.low[k] < ranking.low[pin] ? "better" : "worse"} than ${other} by ${plain(Math.abs(ranking.value[k] - ranking.value[pin]))}.`;
  if (area + back === 0) return `${standing} ${other} is equal for every preference.`;
  const where = !both || ranking.low[k] === ranking.low[pin] ? "everywhere inside the Tile" : "for every preference";
  const everywhere = area === 1 ? ` It is better ${where}.` : back === 1 ? ` ${other} is better ${where}.` : ` It is better for ${percent(area)} of all preferences, ${other} for ${percent(back)}.`;
  return standing + now + everywhere;
}
