// What follows from data and state on the simple page, kept until its causes change.

import { lastOf, memory } from "./memory.js";
import { dataOf, defaultWeights, oddsOf, performances, sharesOf } from "./model.js";
import { shortName } from "./names.js";
import { BOTH, preferenceOf, rankingOf, reducedRows, valueOfCell, valueOfShare } from "./simple_preference.js";
import { reachOf } from "./simple_shares.js";
import { stripOf } from "./simple_strip.js";
import { amountText } from "./texts.js";
import { drawnNumbers, rankSets, sampleOf, shareFirst, valueIntervals } from "./uncertainty.js";

/** Sets of ranks compare all pairs in all draws: of many entities in fewer draws. */
const drawsCompared = (n, draws) => Math.min(draws, Math.max(200, Math.floor(2.5e8 / n ** 2)));

/** Return a function state → view. */
export function simpleDeriver(source) {
  const keep = memory();
  const last = lastOf();
  const data = dataOf(source);
  const start = defaultWeights(data);
  const drawn = source.draws ?? null;
  const drawnFor = drawn && (drawn.weights ?? start).join();
  const labels = data.entities.map((name) => shortName(name));
  const labelsOfDomains = data.domains.map((name) => shortName(name));
  const labelsOfClasses = source.classes.map((name) => shortName(name));
  const [low, high] = source.range;

  return function viewOf(state) {
    const weights = state.weights ?? start;
    const set = keep("set", [weights.join()], () => performances(data, weights));
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
    view.cell = (row, d) => (sides && data.cells[row][d] ? valueOfCell(sharesOf(data.cells[row][d], data.size), sides, source) : NaN);
    view.strip = () => keep("strip", [set, state.a], () => stripOf(set, state.a));
    view.odds = oddsOf(state.b ?? 0.5);
    view.reaches = () => keep("reaches", [set, sides], () => reaches(view));
    const sample = () => keep("sample", [set], () => sampleOf(set, drawn, keep("numbers", [], () => drawnNumbers(drawn))));
    view.certain = Boolean(drawn && view.follows && set.n && ranking);
    view.compared = view.certain && drawn.rows.length >= set.n ? drawsCompared(set.n, drawn.count) : 0;
    view.known = view.certain ? last.get([set, sides]) : null; // what takes long waits until the preference rests
    view.sure = () => (view.certain ? (last.get([set, sides]) ?? last.put([set, sides], certaintyOf(view, sample()))) : null);
    return view;
  };
}

/** Of each domain, how far its weight can change while those that come first stay so; none where a tie would break. */
function reaches({ data, set, weights, sides, first, leader }) {
  const shares = (row, d) => sharesOf(data.cells[row][d], data.size);
  const alike = (i, j) => data.domains.every((_, d) => [i, j].every((k) => data.cells[set.rows[k]][d]) && shares(set.rows[i], d).join() === shares(set.rows[j], d).join());
  if (data.pooled || data.domains.length < 2 || set.n < 2 || !first.length || !first.every((i) => i === leader || alike(i, leader))) return [];
  const dot = (side, cell) => side.reduce((sum, weight, f) => sum + weight * cell[f], 0);
  const sidesOf = (row, d) => {
    const cell = shares(row, d);
    return [dot(sides.earned, cell), dot(sides.lost, cell)];
  };
  return data.domains.map((_, d) => reachOf(set, weights, d, leader, sidesOf));
}

/** A sample of what each earns and loses, as performances (earned, lost, 0, 0) of two classes. */
function reduced(sample, sides) {
  const { p, seen, n, draws, width, apart } = sample;
  return { ...sample, p: reducedRows(p, n * draws, width, sides), seen: reducedRows(seen, n, width, sides), apart: apart && reduced(apart, sides) };
}

/** How sure: P(first), sets of ranks, and intervals of the value, by index of the compared rows. */
function certaintyOf({ set, sides, ranking, source }, drawn) {
  const sample = reduced(drawn, sides);
  const first = shareFirst(sample, BOTH);
  const values = valueIntervals(sample, BOTH, valueOfShare(source));
  const ranks = Int32Array.from(sample.chosen, (i) => ranking.low[i]);
  const sets = sample.n === set.n && set.n > 1 ? rankSets({ ...sample, draws: drawsCompared(sample.n, sample.draws) }, BOTH, ranks) : null;
  return new Map(sample.chosen.map((i, t) => [i, { first: first[t], low: sets?.low[t] ?? 0, high: sets?.high[t] ?? 0, from: values.from[t], to: values.to[t] }]));
}
