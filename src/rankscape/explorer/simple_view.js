// What follows from data and state on the simple page, kept until its causes change.

import { lastOf, memory } from "./memory.js";
import { defaultWeights, oddsOf } from "./model.js";
import { shortName } from "./names.js";
import { averaged, simpleData } from "./simple_data.js";
import { BOTH, preferenceOf, rankingOf, reducedRows, valueOfCell, valueOfShare } from "./simple_preference.js";
import { reachOf } from "./simple_shares.js";
import { stripOf } from "./simple_strip.js";
import { amountText } from "./texts.js";
import { copiesOf, drawnNumbers, rankSets, shareFirst } from "./uncertainty.js";

/** Sets of ranks compare all pairs in all draws: of many entities in fewer draws. */
const drawsCompared = (n, draws) => Math.min(draws, Math.max(200, Math.floor(2.5e8 / n ** 2)));

/** Return a function state → view. */
export function simpleDeriver(source) {
  const keep = memory();
  const last = lastOf();
  const data = simpleData(source);
  const start = defaultWeights(data);
  const drawn = source.draws ?? null;
  const drawnFor = drawn && (drawn.weights ?? start).join();
  const labels = data.entities.map((name) => shortName(name));
  const labelsOfDomains = data.domains.map((name) => shortName(name));
  const labelsOfClasses = source.classes.map((name) => shortName(name));
  const [low, high] = source.range;

  return function viewOf(state) {
    const weights = state.weights ?? start;
    const set = keep("set", [weights.join()], () => averaged(data, weights));
    const key = [set, state.a, state.b, state.score, state.of, state.importance?.join()];
    const sides = keep("sides", key, () => preferenceOf(source, state, set));
    const ranking = keep("ranking", [set, sides], () => (sides ? rankingOf(set, sides, source) : null));
    const view = { state, source, data, set, weights, start, sides, ranking, drawn };
    view.label = (row) => labels[row];
    view.labelOfRow = (i) => labels[set.rows[i]];
    view.labelOfDomain = (d) => labelsOfDomains[d];
    view.labelOfClass = (c) => labelsOfClasses[c];
    view.leader = ranking?.defined ? ranking.order[0] : -1;
    view.first = view.leader < 0 ? [] : Array.from(ranking.order.subarray(0, ranking.high[view.leader]));
    view.rowOf = keep("rows", [set], () => new Map(set.rows.map((row, i) => [row, i])));
    view.several = set.used.length > 1;
    view.noun = source.noun;
    view.write = keep("write", [ranking], () => (source.amounts ? amountText(ranking?.value ?? []) : (x) => x.toFixed(4)));
    view.percent = source.kind === "one" && low === 0 && high === 1 && !source.graded;
    view.follows = weights.join() === drawnFor;
    view.cell = (row, d) => (sides && data.cells[row][d] ? valueOfCell(data.cells[row][d].shares, sides, source) : NaN);
    view.strip = () => keep("strip", [set, state.a], () => stripOf(set, state.a));
    view.odds = oddsOf(state.b ?? 0.5);
    view.reaches = () => keep("reaches", [set, sides], () => reaches(view));
    const base = () => keep("sample", [set], () => sampleBase(set, drawn, keep("numbers", [], () => drawnNumbers(drawn)), drawn.count, source));
    const alone = () => drawn.apart && keep("apart", [set], () => sampleBase(set, drawn, drawnNumbers(drawn.apart), drawn.apart.count, source));
    view.certain = Boolean(drawn && view.follows && set.n && ranking);
    view.compared = view.certain && drawn.rows.length >= set.n ? drawsCompared(set.n, drawn.count) : 0;
    view.known = view.certain ? last.get([set, sides]) : null; // what takes long waits until the preference rests
    view.sure = () => (view.certain ? (last.get([set, sides]) ?? last.put([set, sides], certaintyOf(view, base(), alone(), drawn))) : null);
    return view;
  };
}

/** Of each domain, how far its weight can change while those that come first stay so; none where a tie would break. */
function reaches({ data, set, weights, sides, first, leader }) {
  const alike = (i, j) => data.cells[set.rows[i]].every((cell, d) => cell && data.cells[set.rows[j]][d]?.shares.every((x, f) => x === cell.shares[f]));
  if (data.pooled || data.domains.length < 2 || set.n < 2 || !first.length || !first.every((i) => i === leader || alike(i, leader))) return [];
  const dot = (side, shares) => side.reduce((sum, weight, f) => sum + weight * shares[f], 0);
  const sidesOf = (row, d) => {
    const { shares } = data.cells[row][d];
    return [dot(sides.earned, shares), dot(sides.lost, shares)];
  };
  return data.domains.map((_, d) => reachOf(set, weights, d, leader, sidesOf));
}

/** The drawn features of the rows that are compared: {p, n, draws, chosen}. */
function sampleBase(set, drawn, numbers, draws, source) {
  const rowOf = new Map(set.rows.map((row, i) => [row, i]));
  const places = drawn.rows.map((_, at) => at).filter((at) => rowOf.has(drawn.rows[at]));
  const n = places.length;
  const { width } = set;
  const one = source.kind === "one"; // of two outcomes the page carries the second
  const carried = one ? 1 : width;
  const p = new Float64Array(n * draws * width);
  for (let t = 0, to = 0; t < draws; t++) {
    for (const place of places) {
      const from = (t * drawn.rows.length + place) * carried;
      if (one) [p[to], p[to + 1]] = [1 - numbers[from], numbers[from]];
      else for (let f = 0; f < width; f++) p[to + f] = numbers[from + f];
      to += width;
    }
  }
  return { p, n, draws, width, chosen: places.map((at) => rowOf.get(drawn.rows[at])), kinds: places.map((at) => drawn.kinds[at]) };
}

/** A sample for one preference, as `shareFirst` and `rankSets` take it. */
function sampleFor(base, sides, seen, { level, least }) {
  const p = reducedRows(base.p, base.n * base.draws, base.width, sides);
  return { p, draws: base.draws, n: base.n, chosen: base.chosen, kinds: base.kinds, seen, level, least };
}

/** How sure: P(first), sets of ranks, and intervals of the value, by index of the compared rows. */
function certaintyOf({ set, sides, ranking, source }, base, alone, drawn) {
  const seen = Float64Array.from(base.chosen.flatMap((i) => Array.from(ranking.p.subarray(4 * i, 4 * i + 4))));
  const sample = sampleFor(base, sides, seen, drawn);
  const all = base.n === set.n;
  const first = shareFirst(sample, BOTH);
  const ranks = Int32Array.from(base.chosen, (i) => ranking.low[i]);
  const fewer = { ...sample, draws: drawsCompared(base.n, sample.draws) };
  if (alone) fewer.apart = { ...sampleFor(alone, sides, seen, drawn), critical: drawn.apart.critical };
  const sets = all && set.n > 1 ? rankSets(fewer, BOTH, ranks) : null;
  const out = new Map();
  const intervals = base.chosen.map((_, t) => interval(sample, t, drawn.level, valueOfShare(source)));
  const copies = copiesOf(base.kinds);
  base.chosen.forEach((i, t) => {
    const value = ranking.value[i];
    const same = copies.find((rows) => rows.includes(t)) ?? [t]; // those of which exactly the same was seen share an interval, as in Python
    const ends = Number.isNaN(value) ? [NaN] : [value, ...[0, 1].map((end) => same.reduce((sum, s) => sum + intervals[s][end], 0) / same.length)];
    out.set(i, { first: first[t], low: sets?.low[t] ?? 0, high: sets?.high[t] ?? 0, from: Math.min(...ends), to: Math.max(...ends) });
  });
  return out;
}

/** The interval of the value of the k-th entity, by itself, as Python has it: quantiles of what is defined. */
function interval({ p, n, draws }, k, level, written) {
  const values = new Float64Array(draws);
  let m = 0;
  for (let t = 0; t < draws; t++) {
    const at = 4 * (t * n + k);
    const value = written(p[at] / (p[at] + p[at + 1]));
    if (!Number.isNaN(value)) values[m++] = value;
  }
  const sorted = values.subarray(0, m).sort();
  const quantile = (q) => {
    const place = q * (m - 1);
    const before = Math.floor(place);
    return m ? sorted[before] + (place - before) * ((sorted[before + 1] ?? sorted[before]) - sorted[before]) : NaN;
  };
  return [quantile((1 - level) / 2), quantile((1 + level) / 2)];
}
