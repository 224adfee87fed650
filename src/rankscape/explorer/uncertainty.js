// How sure: by draws that Python made and the page carries, so that both say the same.

import { oddsAgainst, valueOfOdds } from "./model.js";

/** With fewer draws than this no difference is sure; as in Python. */
const FEW = 100;
const NOWHERE = 0x7fffffff;

/** The numbers that the page carries of every entity in every draw: its features, or of two classes prior, FPR and FNR. */
export function drawnNumbers({ data }) {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

/**
 * The draws of the compared performances, shifted to their prior: {p, width, draws, n, chosen, kinds, seen, level, least}. In p, draw t of the i-th starts
 * at width·(t·n + i); `chosen` are their rows among those that are compared, `seen` the performances that were seen. Those of
 * one of the `kinds` are copies, of which exactly the same was seen.
 */
export function sampleOf(set, drawn, numbers) {
  const sample = sampleIn(set, drawn, drawn.count, numbers);
  if (!drawn.apart) return sample;
  const apart = sampleIn(set, drawn, drawn.apart.count, drawnNumbers(drawn.apart));
  return { ...sample, apart: { ...apart, critical: drawn.apart.critical } };
}

function sampleIn(set, drawn, count, numbers) {
  const rowOf = new Map(set.rows.map((row, i) => [row, i]));
  const places = drawn.rows.map((_, at) => at).filter((at) => rowOf.has(drawn.rows[at]));
  const chosen = places.map((at) => rowOf.get(drawn.rows[at]));
  const n = chosen.length;
  const { width } = set;
  const p = new Float64Array(width * n * count);
  const carried = numbers.length / (count * drawn.rows.length);
  const expand = carried === width ? copied : carried === 1 ? ofTheSecond : ratesToShares(set.prior); // of two outcomes the second is carried
  for (let t = 0, to = 0; t < count; t++) {
    for (let i = 0; i < n; i++, to += width) {
      expand(numbers, carried * (t * drawn.rows.length + places[i]), p, to, width);
    }
  }
  const seen = Float64Array.from(chosen.flatMap((i) => Array.from(set.p.subarray(width * i, width * i + width))));
  const kinds = places.map((at) => drawn.kinds[at]);
  return { p, width, draws: count, n, chosen, kinds, seen, level: drawn.level, least: drawn.least };
}

function copied(numbers, from, p, to, width) {
  for (let f = 0; f < width; f++) p[to + f] = numbers[from + f];
}

function ofTheSecond(numbers, from, p, to) {
  p[to] = 1 - numbers[from];
  p[to + 1] = numbers[from];
}

/** From prior, FPR and FNR to the shares of the outcomes, at another prior where one is given. */
function ratesToShares(prior) {
  const mix = (share, rate) => (share === 0 ? 0 : share * rate);
  return (numbers, from, p, to) => {
    const positive = prior ?? numbers[from];
    const [fpr, fnr] = [numbers[from + 1], numbers[from + 2]];
    p[to] = mix(1 - positive, 1 - fpr);
    p[to + 1] = mix(1 - positive, fpr);
    p[to + 2] = mix(positive, fnr);
    p[to + 3] = mix(positive, 1 - fnr);
  };
}

/** A part of a sample for a Tile, where every point takes all of its draws: fewer of many entities. */
export const fewer = (sample) => ({ ...sample, draws: Math.min(sample.draws, Math.max(200, Math.floor(1e5 / sample.n))) });

/** Tell who has no score by what was seen: they take no rank, in any draw. */
function unranked({ n, seen }, importance) {
  return Uint8Array.from({ length: n }, (_, i) => (Number.isNaN(oddsAgainst(seen, i, importance)) ? 1 : 0));
}

/** Fill in the odds against each entity in draw t; NaN for the unranked. Millions of them: so it is written out. */
function fillOdds(p, n, t, [itn, ifp, ifn, itp], none, odds) {
  for (let i = 0, at = 4 * t * n; i < n; i++, at += 4) {
    odds[i] = none[i] ? NaN : (ifp * p[at + 1] + ifn * p[at + 2]) / (itn * p[at] + itp * p[at + 3]);
  }
}

/**
 * How often each entity is first among the draws, shared by those that tie; NaN for those that have no score, and for one
 * that has a score alone.
 */
export function shareFirst(sample, importance) {
  const { p, n, draws } = sample;
  const first = new Float64Array(n);
  const odds = new Float64Array(n);
  const none = unranked(sample, importance);
  if (none.filter((x) => !x).length < 2) return first.fill(NaN);
  for (let t = 0; t < draws; t++) {
    fillOdds(p, n, t, importance, none, odds);
    let least = Infinity;
    let times = 0;
    for (let i = 0; i < n; i++) {
      if (odds[i] < least) {
        least = odds[i];
        times = 1;
      } else if (odds[i] === least) times++;
    }
    for (let i = 0; i < n && times; i++) if (odds[i] === least) first[i] += 1 / times;
  }
  const share = first.map((times, i) => (none[i] ? NaN : times / draws));
  for (const rows of copiesOf(sample.kinds)) {
    const mean = meanOf(rows.map((i) => share[i]));
    for (const i of rows) share[i] = mean;
  }
  return share;
}

/** The rows of each kind that has several. */
function copiesOf(kinds) {
  const rows = new Map(kinds.map((kind) => [kind, []]));
  kinds.forEach((kind, i) => rows.get(kind).push(i));
  return [...rows.values()].filter((each) => each.length > 1);
}

/** A mean that is the same in any order. */
const meanOf = (numbers) => Float64Array.from(numbers).sort().reduce((sum, x) => sum + x, 0) / numbers.length;

/** Give all copies the mean of their numbers (n, n) of pairs, and two copies of one another 0. */
function sharePairs(pairs, n, kinds) {
  for (const rows of copiesOf(kinds)) {
    for (let j = 0; j < n; j++) {
      const [across, down] = [meanOf(rows.map((i) => pairs[i * n + j])), meanOf(rows.map((i) => pairs[j * n + i]))];
      for (const i of rows) [pairs[i * n + j], pairs[j * n + i]] = [across, down];
    }
    for (const i of rows) for (const j of rows) pairs[i * n + j] = 0;
  }
  return pairs;
}

/** Scores and ranks in all draws, entity by entity: those of the i-th in draw t are at i·draws + t; rank 0 is undefined. */
function drawnRanks(sample, importance) {
  const { p, n, draws } = sample;
  const none = unranked(sample, importance);
  const values = new Float64Array(n * draws);
  const places = new Int32Array(n * draws);
  const odds = new Float64Array(n);
  for (let t = 0; t < draws; t++) {
    fillOdds(p, n, t, importance, none, odds);
    const order = Array.from(odds.keys()).filter((i) => !Number.isNaN(odds[i]));
    order.sort((i, j) => (odds[i] === odds[j] ? 0 : odds[i] < odds[j] ? -1 : 1));
    order.forEach((i, at) => {
      const before = order[at - 1];
      places[i * draws + t] = at && odds[before] === odds[i] ? places[before * draws + t] : at + 1;
    });
    for (let i = 0; i < n; i++) values[i * draws + t] = valueOfOdds(odds[i]);
  }
  return { values, places };
}

/** Mean differences (n, n) in their standard deviations; −∞ for those that are never defined. */
function strengths(values, n, draws) {
  const rest = values.slice();
  const means = new Float64Array(n);
  const times = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    const row = rest.subarray(i * draws, (i + 1) * draws);
    let sum = 0;
    for (const x of row) if (!Number.isNaN(x)) [sum, times[i]] = [sum + x, times[i] + 1];
    means[i] = sum / (times[i] || 1);
    for (let t = 0; t < draws; t++) row[t] = Number.isNaN(row[t]) ? 0 : row[t] - means[i];
  }
  const products = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) {
      let sum = 0;
      for (let t = 0, a = i * draws, b = j * draws; t < draws; t++) sum += rest[a + t] * rest[b + t];
      products[i * n + j] = products[j * n + i] = sum / draws;
    }
  }
  const out = new Float64Array(n * n).fill(-Infinity);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (!times[i] || !times[j]) continue;
      const difference = means[i] - means[j];
      const variance = products[i * n + i] + products[j * n + j] - 2 * products[i * n + j];
      out[i * n + j] = difference / Math.sqrt(Math.max(variance, 1e-18 * difference ** 2 + 1e-300));
    }
  }
  return out;
}

/**
 * The claims "i is better than j", 1 at i·n + j, as many as hold together in the share `level` of the draws, and of at
 * least `least` standard deviations; where draws that pool nothing are given, {values, draws, critical}, differences must
 * be clear there, too.
 */
function claimsOf(values, places, kinds, { draws, level, least }, apart = null) {
  const n = kinds.length;
  if (draws < FEW || draws * (1 - level) < 1) return new Uint8Array(n * n); // these cannot tell the level from certainty
  const alone = apart && sharePairs(strengths(apart.values, n, apart.draws), n, kinds);
  const strength = sharePairs(strengths(values, n, draws), n, kinds);
  const [worst, best] = [new Int32Array(n), new Int32Array(n).fill(NOWHERE)];
  for (let i = 0; i < n; i++) {
    for (const place of places.subarray(i * draws, (i + 1) * draws)) {
      worst[i] = Math.max(worst[i], place || NOWHERE);
      best[i] = Math.min(best[i], place);
    }
  }
  const largest = new Float64Array(draws).fill(-Infinity); // of the strengths of the claims that a draw refutes
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const claim = strength[i * n + j];
      if (!(claim > least) || worst[i] < best[j]) continue;
      for (let t = 0, a = i * draws, b = j * draws; t < draws; t++) {
        const isTrue = places[a + t] > 0 && places[a + t] < places[b + t];
        if (!isTrue && claim > largest[t]) largest[t] = claim;
      }
    }
  }
  const safe = level + Math.sqrt((level * (1 - level)) / draws); // by one standard error, for the draws are a sample
  const refuted = largest.sort()[Math.min(Math.ceil(safe * draws), draws) - 1];
  const claims = new Uint8Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const at = i * n + j;
      const clear = !alone || alone[at] > apart.critical;
      claims[at] = i !== j && worst[i] < NOWHERE && strength[at] > Math.max(refuted, least) && clear ? 1 : 0;
    }
  }
  return claims;
}

/** What follows from claims: a better than b, b better than c; but for those that go round in a circle. */
function sureOf(claims, n) {
  const width = Math.ceil(n / 32);
  const reach = new Int32Array(n * width);
  const has = (i, j) => (reach[i * width + (j >> 5)] >>> (j & 31)) & 1;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (claims[i * n + j]) reach[i * width + (j >> 5)] |= 1 << (j & 31);
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) if (has(i, k)) for (let w = 0; w < width; w++) reach[i * width + w] |= reach[k * width + w];
  }
  return (i, j) => has(i, j) && !has(j, i);
}

/**
 * The sets of ranks, together right in at least the share `level` of the draws; they hold the `ranks` seen, 0 where undefined.
 * `held` is the share of the draws in which all ranks are in them; `sure(i, j)`: the i-th that was drawn is surely better
 * than the j-th.
 */
export function rankSets(sample, importance, ranks) {
  const { draws } = sample;
  const { values, places } = drawnRanks(sample, importance);
  const ranked = Array.from(ranks.keys()).filter((i) => ranks[i] > 0);
  const m = ranked.length;
  const part = (all, count = draws) => {
    const out = new all.constructor(m * count);
    ranked.forEach((i, at) => out.set(all.subarray(i * count, (i + 1) * count), at * count));
    return out;
  };
  const alone = sample.apart;
  const apart = alone && { ...alone, values: part(drawnRanks(alone, importance).values, alone.draws) };
  const sure = sureOf(claimsOf(part(values), part(places), ranked.map((i) => sample.kinds[i]), sample, apart), m);
  const [low, high] = [new Int32Array(sample.n), new Int32Array(sample.n)];
  ranked.forEach((i, at) => {
    let [above, below] = [0, 0];
    for (let j = 0; j < m; j++) {
      above += sure(j, at) ? 1 : 0;
      below += sure(at, j) ? 1 : 0;
    }
    low[i] = Math.min(1 + above, ranks[i]);
    high[i] = Math.max(m - below, ranks[i]);
  });
  let held = 0;
  for (let t = 0; t < draws; t++) {
    const inside = (i) => places[i * draws + t] === 0 || (places[i * draws + t] >= low[i] && places[i * draws + t] <= high[i]);
    held += ranked.every(inside) ? 1 : 0;
  }
  const place = new Map(ranked.map((i, at) => [i, at]));
  return { low, high, held: held / draws, sure: (i, j) => sure(place.get(i), place.get(j)) };
}

/**
 * The interval of the value of each that was drawn, by itself, as Python has it: quantiles of what is defined, the same for
 * copies. `written` makes the value that is shown of that of the ranking score.
 */
export function valueIntervals(sample, importance, written = (x) => x) {
  const { p, n, draws, level } = sample;
  const ends = [new Float64Array(n), new Float64Array(n)];
  const values = new Float64Array(draws);
  for (let i = 0; i < n; i++) {
    let m = 0;
    for (let t = 0; t < draws; t++) {
      const value = written(valueOfOdds(oddsAgainst(p, t * n + i, importance)));
      if (!Number.isNaN(value)) values[m++] = value;
    }
    const all = values.subarray(0, m).sort();
    const quantile = (q) => {
      const before = Math.floor(q * (m - 1));
      return m ? all[before] + (q * (m - 1) - before) * ((all[before + 1] ?? all[before]) - all[before]) : NaN;
    };
    [ends[0][i], ends[1][i]] = [quantile((1 - level) / 2), quantile((1 + level) / 2)];
  }
  for (const rows of copiesOf(sample.kinds)) {
    for (const end of ends) {
      const mean = meanOf(rows.map((i) => end[i]));
      for (const i of rows) end[i] = mean;
    }
  }
  const seen = Float64Array.from({ length: n }, (_, i) => written(valueOfOdds(oddsAgainst(sample.seen, i, importance))));
  return { from: seen.map((x, i) => Math.min(ends[0][i], x)), to: seen.map((x, i) => Math.max(ends[1][i], x)) };
}
