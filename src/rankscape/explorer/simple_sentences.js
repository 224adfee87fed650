// What the simple page says in sentences.

import { oddsOf } from "./model.js";
import { BALANCED, OF_ONE_CLASS } from "./simple_preference.js";
import { NOBODY, alarms, chance, listed, percent, rateText } from "./texts.js";

const MARKS = [[0, "precision"], [0.2, "F½"], [0.5, "F₁"], [0.8, "F₂"], [1, "recall"]];

/** Places with a name on the right side of the Tile. */
export const marks = () => MARKS;

/** A value as it is written: a share in percent, else four decimals. */
export function valueText(view, x) {
  if (Number.isNaN(x)) return "undefined";
  return view.percent ? oneDecimal(x) : x.toFixed(4);
}

/** What a miss is worth at a place b. */
export function worthOfMiss(b) {
  const odds = oddsOf(b);
  if (odds === 0) return "only false alarms count as errors";
  if (odds === Infinity) return "only misses count as errors";
  return `a miss is worth ${alarms(odds)}`;
}

/** From which to which worth of a miss. */
export function range(from, to) {
  const [low, high] = [oddsOf(from), oddsOf(to)];
  if (low === 0 && high === Infinity) return "whatever a miss is worth";
  if (low === 0) return `while a miss is worth at most ${alarms(high)}`;
  if (high === Infinity) return `while a miss is worth at least ${alarms(low)}`;
  return `while a miss is worth ${rateText(low)} to ${alarms(high)}`;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** What the entities are ranked by. */
function rankedBy({ source, state, labelOfClass }) {
  if (source.kind === "errors") {
    const named = state.a === 1 && MARKS.find(([b]) => Math.abs(b - state.b) < 1e-9);
    return named ? `By ${named[1]}` : `Where ${worthOfMiss(state.b)}`;
  }
  if (state.importance) return source.kind === "classes" ? "With these weights of the classes" : "With these importances";
  if (state.score in OF_ONE_CLASS) return `By ${state.score === "recall" || state.score === "precision" ? state.score : OF_ONE_CLASS[state.score].label} of ${labelOfClass(state.of)}`;
  return `By ${state.score}`;
}

/** Over which domains the performances are averaged; "" for one. */
export function average({ set, data, weights, several }) {
  if (!several) return "";
  const used = set.used.map((d) => Number(weights[d]));
  const kind = used.every((x) => x === used[0]) ? "equal weights" : "the weights below";
  const all = data.domains.length;
  return `over ${set.used.length}${set.used.length < all ? ` of ${all}` : ""} domains with ${kind}`;
}

/** The answer for the current preference. */
export function simpleAnswer(view) {
  const { source, set, ranking, first, leader, labelOfRow } = view;
  if (!set.n) return NOBODY;
  if (!ranking) return `${capital(BALANCED)} needs the same shares of the classes for all, and they differ: choose another score.`;
  if (leader < 0) return `${rankedBy(view)}, nobody comes first: the score is undefined for everybody.`;
  const names = listed(first.map(labelOfRow), 3, " = ");
  const many = first.length > 1;
  const value = valueText(view, ranking.value[leader]);
  const mean = average(view);
  const over = mean && `, averaged ${mean}`;
  const tied = many ? " They tie." : "";
  const others = set.n > 1 ? ` and ${many ? "come" : "comes"} first of ${set.n}` : "";
  if (source.success) return `${names} ${many ? "answer" : "answers"} ${value} right${others}${over}.${tied}${chanceOf(view)}${lasting(view)}`;
  const place = set.n > 1 ? `${many ? "come" : "comes"} first of ${set.n}` : "is the only one";
  const start = source.kind === "one" ? `${names} ${place}, with ${source.scores[0].name} ${value}` : `${rankedBy(view)}, ${names} ${place} (${value})`;
  return `${start}${over}.${tied}${chanceOf(view)}${lasting(view)}`;
}

/** How probably the first is the best. */
function chanceOf(view) {
  const sure = view.first.length === 1 && view.set.n > 1 ? view.known?.get(view.leader) : null;
  if (!sure || Number.isNaN(sure.first)) return "";
  const rivals = Array.from(view.known.values()).filter(({ low }) => low === 1).length - 1;
  const all = view.set.n === 2 ? "the other one is" : "all others are";
  const others = !sure.high ? "" : rivals > 0 ? `; ${rivals} ${rivals === 1 ? "other is" : "others are"} not surely worse` : `; ${all} surely worse`;
  return ` It is the best with probability ${chance(sure.first)}${others}.`;
}

/** A share in percent with one decimal, as in a column. */
export const oneDecimal = (x) => `${(100 * x).toFixed(1)}\u00a0%`;

/** For what the first stays first: what a miss is worth, or the weight of the domain that needs to change least. */
function lasting(view) {
  const { source, state, first, leader } = view;
  if (view.set.n < 2) return "";
  const parts = [];
  if (source.kind === "errors") {
    const part = view.strip().find(({ rows, from, to }) => rows.includes(leader) && from.number <= state.b && state.b <= to.number);
    if (part && first.every((i) => part.rows.includes(i))) parts.push(`That holds ${range(part.from.number, part.to.number)}.`);
  }
  const nearest = nearestReach(view);
  if (nearest) parts.push(nearest);
  return parts.length ? ` ${parts.join(" ")}` : "";
}

/** The end of an interval of weights, rounded towards the present one as `rankscape why` does, unless they then look alike. */
function towards(end, here) {
  const rounded = (end > here ? Math.floor(1000 * end + 1e-9) : Math.ceil(1000 * end - 1e-9)) / 1000;
  return Math.abs(rounded - here) < 0.001 ? end : rounded;
}

/** The smallest change of the weight of one domain after which another one comes first. */
function nearestReach(view) {
  const reaches = view.reaches().flatMap((reach, d) => (reach ? [{ ...reach, d }] : []));
  if (!reaches.length) return "";
  const ends = reaches.flatMap(({ d, low, high, here, below, above }) => [
    ...(above === null ? [] : [{ d, way: "more", end: towards(high, here), far: high - here, next: above }]),
    ...(below === null ? [] : [{ d, way: "less", end: towards(low, here), far: here - low, next: below }]),
  ]);
  const name = view.labelOfRow(view.leader);
  if (!ends.length) return `No change of the weight of one domain makes another one first.`;
  const { d, way, end, next } = ends.reduce((best, one) => (one.far < best.far ? one : best));
  return `${name} stays first unless ${view.labelOfDomain(d)} gets ${way} than ${percent(end)} of the weight; then ${view.labelOfRow(next)} comes first.`;
}

/** How the numbers came about, and how sure they are. */
export function simpleNotes(view) {
  const { set, data, drawn, follows, several, labelOfDomain, label } = view;
  const notes = [];
  if (several) notes.push(`Performances, not scores, are averaged ${average(view)}.`);
  const all = data.domains.map((_, d) => d);
  const short = data.cells.map((row, i) => [i, all.filter((d) => !row[d])]).filter(([, lacks]) => lacks.length);
  if (short.length) notes.push(`Not everybody has every domain (${listed(short.map(([i, lacks]) => `${label(i)} lacks ${listed(lacks.map(labelOfDomain))}`))}). Compared on ${listed(set.used.map(labelOfDomain))}.`);
  if (set.left.length) notes.push(`Not compared: ${listed(set.left.map(label))}.`);
  if (!drawn) notes.push("This page carries no draws, so it does not say how sure the ranking is.");
  else if (!follows) notes.push("The draws are those of the weights that the page was opened with, so intervals and probabilities are hidden: go back to these weights to see them.");
  else notes.push(...[...drawn.notes, view.compared && view.compared < drawn.count ? `Sets of ranks take ${view.compared} of them` : "", drawn.left].filter(Boolean).map((note) => `${note}.`));
  return notes.join(" ");
}

/** The standing of the selected entity. */
export function simpleStanding(view) {
  const { state, ranking, rowOf, set } = view;
  if (state.selected === null || !ranking) return "";
  const name = view.label(state.selected);
  const i = rowOf.get(state.selected);
  if (i === undefined) return `${name} is not compared here.`;
  if (!ranking.low[i]) return `${name}: undefined for this preference.`;
  const tied = ranking.high[i] > ranking.low[i] ? `, tied with ${ranking.high[i] - ranking.low[i]} more` : "";
  return `${name}: rank ${ranking.low[i]} of ${set.n}${tied}, ${valueText(view, ranking.value[i])}.`;
}
