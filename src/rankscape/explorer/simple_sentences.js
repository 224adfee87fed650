// What the simple page says in sentences.

import { oddsOf, sizesOf } from "./model.js";
import { BALANCED, OF_ONE_CLASS } from "./simple_preference.js";
import { NOBODY, NO_DRAWS, alarms, chance, listed, plain, ratesText } from "./texts.js";

const MARKS = [[0, "precision"], [0.2, "F½"], [0.5, "F₁"], [0.8, "F₂"], [1, "recall"]];

/** Places with a name on the right side of the Tile. */
export const marks = () => MARKS;

/** A value as it is written: a share in percent, an amount, or with four decimals. */
export function valueText(view, x) {
  if (Number.isNaN(x)) return "undefined";
  return view.percent ? oneDecimal(x) : view.write(x);
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
  const [least, most] = ratesText(low, high);
  const many = (text) => `${text} false ${text === "1" ? "alarm" : "alarms"}`;
  if (low === 0) return `while a miss is worth at most ${many(most)}`;
  if (high === Infinity) return `while a miss is worth at least ${many(least)}`;
  return `while a miss is worth ${least} to ${many(most)}`;
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

/** Whether the weights are those with which the counts of the domains are added, where true negatives are not known. */
function addsCounts({ set, data, weights }) {
  if (data.pooled || !data.found) return Boolean(data.pooled);
  const sizes = sizesOf(data);
  const [first, ...others] = set.used;
  const alike = set.used.every((d) => Number(weights[d]) === Number(weights[first])); // then both names hold
  return !alike && others.every((d) => Math.abs(Number(weights[d]) * sizes[first] - Number(weights[first]) * sizes[d]) <= 1e-12 * Number(weights[first]) * sizes[d]);
}

/** Over which domains the performances are averaged; "" for one. */
export function average({ set, data, weights, several, noun, aside }) {
  if (!several) return "";
  const used = set.used.map((d) => Number(weights[d]));
  const kind = used.every((x) => x === used[0]) ? "equal weights" : `the weights ${aside}`;
  const all = data.domains.length;
  if (addsCounts({ set, data, weights })) return `over ${set.used.length}${set.used.length < all ? ` of ${all}` : ""} ${noun}s by adding their counts (pooled)`;
  return `over ${set.used.length}${set.used.length < all ? ` of ${all}` : ""} ${noun}s with ${kind}`;
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
  if (source.success) return `${names} ${many ? "answer" : "answers"} ${value} right${others}${over}.${tied}`;
  const place = set.n > 1 ? `${many ? "come" : "comes"} first of ${set.n}` : "is the only one";
  const start = source.kind === "one" ? `${names} ${place}, with ${source.scores[0].name} ${value}` : `${rankedBy(view)}, ${names} ${place} (${value})`;
  return `${start}${over}.${tied}`;
}

/** How probably the first is the best; or why that is not known. */
export function simpleChance(view) {
  if (view.drawn && !view.follows) return "How sure this is, rankscape computed only for the weights that the page opened with.";
  const sure = view.first.length === 1 && view.set.n > 1 ? view.known?.get(view.leader) : null;
  if (!sure || Number.isNaN(sure.first)) return "";
  const [surest, most] = Array.from(view.known).reduce((best, [i, { first }]) => (first > best[1] ? [i, first] : best), [view.leader, sure.first]);
  if (surest !== view.leader && chance(most) !== chance(sure.first)) return `By the draws it is the best with probability ${chance(sure.first)}; ${view.labelOfRow(surest)} is so more probably (${chance(most)}).`;
  const rivals = Array.from(view.known.values()).filter(({ low }) => low === 1).length - 1;
  const all = view.set.n === 2 ? "the other one is" : "all others are";
  const others = !sure.high ? "" : rivals > 0 ? `; ${rivals} ${rivals === 1 ? "other is" : "others are"} not surely worse` : `; ${all} surely worse`;
  return `It is the best with probability ${chance(sure.first)}${others}.`;
}

/** A share in percent with one decimal, as in a column. */
export const oneDecimal = (x) => `${(100 * x).toFixed(1)}\u00a0%`;

/** For what the first stays first: what a miss is worth, and the weights of the domains. */
export function simpleLasting(view) {
  const { source, state, first, leader } = view;
  if (view.set.n < 2 || leader < 0) return "";
  const parts = [];
  if (source.kind === "errors") {
    const part = view.strip().find(({ rows, from, to }) => rows.includes(leader) && from.number <= state.b && state.b <= to.number);
    if (part && first.every((i) => part.rows.includes(i))) parts.push(`That holds ${range(part.from.number, part.to.number)}.`);
  }
  const ranges = rangesOfWeights(view);
  if (ranges) parts.push(ranges);
  return parts.join(" ");
}

/** The end of an interval of weights in percent, rounded towards the present one, as in Python: never beyond, never 0 or 100 %. */
function endText(end, here) {
  for (let digits = 1; digits < 9; digits++) {
    const scale = 100 * 10 ** digits;
    const now = Math.round(here * scale);
    const limit = end > here ? Math.floor(end * scale + 1e-6) : Math.ceil(end * scale - 1e-6);
    if (limit !== now && limit > now === end > here && limit > 0 && limit < scale) return `${limit / (scale / 100)}\u00a0%`;
  }
  return `${plain(100 * end, 9)}\u00a0%`;
}

const MOST_RANGES = 4;
const every = (texts) => (texts.length > 1 ? `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}` : texts[0]);

/** For which weights of each domain the first stays first, and who comes first beyond either end; as in Python. */
function rangesOfWeights(view) {
  const all = view.reaches().flatMap((reach, d) => (reach ? [{ ...reach, name: view.labelOfDomain(d) }] : []));
  if (!all.length) return "";
  const names = listed(view.first.map(view.labelOfRow), 3, " = ");
  const stays = `${names} ${view.first.length > 1 ? "stay" : "stays"} first`;
  const far = ({ low, high, here, below, above }) => Math.min(below.length ? here - low : Infinity, above.length ? high - here : Infinity);
  const ending = all.filter((reach) => far(reach) < Infinity).sort((one, other) => far(one) - far(other));
  if (!ending.length) return `${stays} whatever weight a single ${view.noun} gets.`;
  const next = (rows) => listed(rows.map(view.labelOfRow), 3, " = ");
  const range = ({ name, low, high, here, below, above }) => {
    const [from, to] = [below.length && endText(low, here), above.length && endText(high, here)];
    const who = [from && `below: ${next(below)}`, to && `above: ${next(above)}`].filter(Boolean).join(", ");
    return `${name} at ${from && to ? `${from} to ${to}` : from ? `${from} or more` : `${to} or less`} (${who})`;
  };
  const named = ending.slice(0, ending.length > MOST_RANGES ? MOST_RANGES - 1 : MOST_RANGES).map(range);
  const whatever = all.filter((reach) => far(reach) === Infinity).map(({ name }) => name);
  if (ending.length > MOST_RANGES) return `${ALONE(view.noun)}, ${stays} for ${every(named)}; the other ${all.length - named.length} ${view.noun}s leave more room.`;
  return `${ALONE(view.noun)}, ${stays} for ${every([...named, ...(whatever.length ? [`${listed(whatever)} at any weight`] : [])])}.`;
}

const ALONE = (noun) => `If the weight of one ${noun} changes and the others keep their proportions`;

/** The view of which the sentences at the top are the longest: for the room that they need, whatever the preference. */
export function widestView(view) {
  const { set, data, source, drawn } = view;
  const all = [...set.rows.keys()];
  const widest = all.reduce((best, i) => (view.labelOfRow(i).length > view.labelOfRow(best).length ? i : best), 0);
  const several = data.domains.length > 1;
  const two = set.n > 1 ? [widest] : [];
  const out = { ...view, first: all.length ? [widest] : [], leader: set.n ? widest : -1, known: null, follows: true, labelOfRow: () => view.labelOfRow(widest) };
  if (source.kind === "errors") {
    out.state = { ...view.state, b: 0.1234 };
    out.strip = () => [{ rows: [widest], from: { number: 0.1111 }, to: { number: 0.8888 } }];
  }
  if (source.weighs) out.state = { ...view.state, importance: view.state.importance ?? [] };
  if (set.n) out.reaches = () => (several ? data.domains.map(() => ({ low: 0.1001, high: 0.9001, here: 0.5, below: two, above: two })) : []);
  if (drawn && set.n > 1) out.known = new Map([[widest, { first: 0.3005, low: 1, high: 2 }], [-1, { first: 0.5005, low: 1, high: 2 }]]);
  if (view.ranking && set.n) out.ranking = { ...view.ranking, value: Float64Array.from(view.ranking.value, () => (view.percent ? 0.8888 : -0.8888)) };
  if (several) out.weights = data.domains.map((_, d) => d + 1);
  return out;
}

/** How the numbers came about, and how sure they are. */
export function simpleNotes(view) {
  const { set, data, source, drawn, follows, several, labelOfDomain, label } = view;
  const notes = source.read ? [source.read] : [];
  if (several) notes.push(source.success ? `Shares of right answers are averaged ${average(view)}.` : source.graded ? `${source.amounts ? "Cases" : "Mean grades"} are averaged ${average(view)}.` : `Each value is computed from the shares of the outcomes, averaged ${average(view)}${data.found && !addsCounts(view) ? `, each ${view.noun} measured per thing to be found (fn + tp)` : ""}; it is not an average of scores.`);
  const all = data.domains.map((_, d) => d);
  const short = data.cells.map((row, i) => [i, all.filter((d) => !row[d])]).filter(([, lacks]) => lacks.length);
  if (short.length) notes.push(`Not everybody has every domain (${listed(short.map(([i, lacks]) => `${label(i)} lacks ${listed(lacks.map(labelOfDomain))}`))}). Compared on ${listed(set.used.map(labelOfDomain))}.`);
  if (set.left.length) notes.push(`Not compared: ${listed(set.left.map(label))}.`);
  if (!drawn) notes.push(NO_DRAWS);
  else if (!follows) notes.push("Intervals, sets of ranks and probabilities were computed for the weights that the page opened with, so they are empty now.");
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
