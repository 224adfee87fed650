// The theory in numbers: performances, preferences, values and ranks. No view, no state, no clock.

import { greatestCommonDivisor, integersOf, dyadic, placesByName, quotient, wholeWeights } from "./exact.js";

export const OUTCOMES = ["tn", "fp", "fn", "tp"];
const EPSILON = 2 ** -52;
const TINY = 1e-280;

/** The canonical importance (tn, fp, fn, tp) at a place of the Tile, rounded as in Python. */
export const importanceAt = (a, b) => [1 - a, 1 - b, b, a];

/** The place of an importance, or null where one of the two exchange rates is 0/0. */
export function placeOf([tn, fp, fn, tp]) {
  const right = tn + tp;
  const wrong = fp + fn;
  return right > 0 && wrong > 0 ? { a: tp / right, b: fn / wrong } : null;
}

/** How many correct rejections a detection, or false alarms a miss, is worth. */
export const oddsOf = (x) => (x >= 1 ? Infinity : x / (1 - x));
export const placeOfOdds = (odds) => (odds === Infinity ? 1 : odds / (1 + odds));

/** Parse the values of a row of data: numbers, or digits of integers too large for a double. */
export const valueOf = (x) => (typeof x === "string" ? BigInt(x) : x);

/**
 * Data: entities × domains with the values of the features, null where an entity was not tried on a domain. `source` is what
 * the page carries: names, and columns of features, which of two classes are the outcomes. By `size`, features sum to what
 * a cell is divided by (its cases, or, where `found`, what is to be found there); the counts of all domains may be added (`pooled`).
 */
export function dataOf(source) {
  const domains = source.domains?.length ? source.domains : [""];
  const cells = source.entities.map(() => domains.map(() => null));
  const columns = source.values ?? OUTCOMES.map((outcome) => source[outcome]);
  source.entity.forEach((entity, row) => {
    cells[entity][source.domain ? source.domain[row] : 0] = columns.map((column) => valueOf(column[row]));
  });
  const { entities, size, found, pooled, counts, draws } = source;
  return { entities, domains, cells, size, found, pooled, counts, drawn: Boolean(draws) };
}

/** Features as shares of the cases, each rounded once; where nothing is to be found, of all outcomes. */
export function sharesOf(values, size) {
  let [total, small] = [0, true];
  for (let f = 0; f < values.length; f++) {
    small &&= typeof values[f] === "number";
    if (!size || size[f]) total += Number(values[f]);
  }
  if (!total && size) return sharesOf(values, null);
  if (small && total <= Number.MAX_SAFE_INTEGER) return values.map((x) => x / total);
  const whole = values.map(BigInt);
  return whole.map((x) => quotient(x, casesOf(whole, size)));
}

const casesOf = (whole, size) => whole.reduce((sum, x, f) => (!size || size[f] ? sum + x : sum), 0n);

/** The cases of each domain, or what is to be found there, the mean over the entities that have it, up to a factor. */
export function sizesOf(data) {
  return data.domains.map((_, d) => {
    const here = data.cells.filter((row) => row[d]).map((row) => Number(casesOf(row[d].map(BigInt), data.size)));
    return here.reduce((x, y) => x + y, 0) / here.length;
  });
}

/** Equal weights on the domains that all entities share; where there are none, on those of the domain tried most. */
export function defaultWeights(data) {
  const tried = data.domains.map((_, d) => data.cells.map((row) => row[d] !== null));
  const number = tried.map((column) => column.filter(Boolean).length);
  const most = Math.max(...number);
  const best = tried[number.indexOf(most)];
  return tried.map((column) => (column.every((x, i) => x === best[i]) || column.every(Boolean) ? 1 : 0));
}

/**
 * The performances that are compared: one per entity, Σ λ_d P_d over the domains of positive weight, shifted to a
 * prior. Entities that lack one of these domains are `left` out, by name. `p` holds floats, `exact(i)` big integers.
 * A weight is a number, or digits of an integer; `shares` are those of the `used` domains, which sum to 1.
 */
export function performances(data, weights, prior = null) {
  const used = data.domains.map((_, d) => d).filter((d) => weights[d] > 0);
  const rows = [];
  const left = [];
  data.cells.forEach((row, i) => (used.every((d) => row[d]) ? rows : left).push(i));
  const n = rows.length;
  const width = data.size?.length ?? 4;
  const p = new Float64Array(width * n);
  const whole = data.pooled ? used.map(() => 1n) : wholeWeights(used.map((d) => valueOf(weights[d])));
  const total = whole.reduce((x, y) => x + y, 0n);
  const shares = whole.map((weight) => quotient(weight, total));
  rows.forEach((row, i) => {
    for (const [t, d] of used.entries()) {
      const cell = data.pooled ? data.cells[row][d].map(Number) : sharesOf(data.cells[row][d], data.size);
      const share = data.pooled ? 1 : shares[t];
      for (let f = 0; f < width; f++) p[width * i + f] += share * cell[f];
    }
    if (prior !== null) shifted(p, i, prior);
  });
  const memory = new Map();
  const groups = new Map();
  const groupOf = new Map();
  const set = { data, rows, left, used, shares, width, n, p, prior, near: (24 + 2 * used.length + 2 * width) * EPSILON };
  set.names = rows.map((row) => data.entities[row]);
  set.exact = (i) => {
    if (!memory.has(i)) memory.set(i, exactRow(used.map((d) => data.cells[rows[i]][d]), whole, data, prior));
    return memory.get(i);
  };
  set.group = (i) => {
    if (!groupOf.has(i)) {
      const key = set.exact(i).join();
      if (!groups.has(key)) groups.set(key, groups.size);
      groupOf.set(i, groups.get(key));
    }
    return groupOf.get(i);
  };
  if (data.size) return set; // what follows is of two classes
  if (used.length === 1 && prior === null) {
    const cells = rows.map((row) => data.cells[row][used[0]]);
    set.largest = cells.reduce((most, cell) => Math.max(most, ...cell.map(Number)), 0);
    if (cells.every((cell) => cell.every(Number.isInteger))) set.whole = Float64Array.from(cells.flat());
  }
  set.common = commonPrior(set);
  return set;
}

/** Multiply floats of one row by π'/π. */
function shifted(p, i, prior) {
  const [tn, fp, fn, tp] = p.subarray(4 * i, 4 * i + 4);
  const negative = (1 - prior) / (tn + fp);
  const positive = prior / (fn + tp);
  p.set([tn * negative, fp * negative, fn * positive, tp * positive], 4 * i);
}

/** The number in [0, 1] that is meant, as big integers [p, q]: 0.2 is 1/5, as for Python; other doubles are what they are. */
export function fractionOf(x) {
  const short = simplest(x);
  if (short) return short.map(BigInt);
  const [m, e] = dyadic(x);
  return [m, 1n << BigInt(-e)];
}

/** Integers in lowest terms proportional to Σ λ_d P_d, or to sums of counts, then shifted to a prior. */
function exactRow(cells, weights, { size, pooled }, prior) {
  const integers = cells.map(integersOf);
  let row = integers[0];
  if (cells.length > 1) {
    const sizes = integers.map((cell) => (pooled ? 1n : casesOf(cell, size)));
    const scale = sizes.reduce((x, y) => (x / greatestCommonDivisor(x, y)) * y);
    row = row.map((_, f) => integers.reduce((x, cell, d) => x + weights[d] * cell[f] * (scale / sizes[d]), 0n));
  }
  if (prior !== null) {
    const [positive, whole] = fractionOf(prior);
    const negative = whole - positive;
    const [tn, fp, fn, tp] = row;
    row = [tn, fp].map((x) => x * negative * (fn + tp)).concat([fn, tp].map((x) => x * positive * (tn + fp)));
  }
  const common = row.reduce(greatestCommonDivisor);
  return common > 1n ? row.map((x) => x / common) : row;
}

/** The prior that all compared entities share within 1e-9, or null. */
function commonPrior(set) {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < set.n; i++) {
    const prior = set.p[4 * i + 2] + set.p[4 * i + 3];
    low = Math.min(low, prior);
    high = Math.max(high, prior);
  }
  return set.n && high - low <= 1e-9 && (low > 0 || high === 0) ? (low + high) / 2 : null;
}

/** Tell whether everybody has cases of both classes, so that priors can be shifted. */
export function canShift(plain) {
  for (let i = 0; i < plain.n; i++) {
    const [tn, fp, fn, tp] = plain.p.subarray(4 * i, 4 * i + 4);
    if (!(tn + fp > 0) || !(fn + tp > 0)) return false;
  }
  return plain.n > 0;
}

/** The odds against entity i, U/S: smaller is better; NaN where the score is undefined. */
export function oddsAgainst(p, i, [itn, ifp, ifn, itp]) {
  return (ifp * p[4 * i + 1] + ifn * p[4 * i + 2]) / (itn * p[4 * i] + itp * p[4 * i + 3]);
}

/** The value of the ranking score whose odds against are given. */
export const valueOfOdds = (odds) => 1 / (1 + odds);

/** The value R_I of entity i, NaN where it is undefined. */
export const valueAt = (set, i, importance) => valueOfOdds(oddsAgainst(set.p, i, importance));

const keys = { size: 0 };

/** Scratch space for sorting n numbers. */
function scratch(n) {
  if (keys.size !== n) {
    keys.size = n;
    keys.floats = new Float64Array(n);
    keys.low = new Uint32Array(keys.floats.buffer); // low and high words, on little-endian machines
  }
  return keys;
}

/** Indices in the order of keys ≥ 0 (NaN left out): the low bits of each double carry its index through a native sort. */
function sortedByKey(key, n) {
  const { floats, low } = scratch(n);
  const bits = Math.max(1, Math.ceil(Math.log2(n + 1)));
  const mask = 2 ** bits - 1;
  let m = 0;
  for (let i = 0; i < n; i++) {
    if (Number.isNaN(key[i])) continue;
    floats[m] = Math.min(key[i], 1e300);
    low[2 * m] = ((low[2 * m] & ~mask) | i) >>> 0;
    m++;
  }
  floats.subarray(0, m).sort();
  const order = new Uint32Array(m);
  for (let t = 0; t < m; t++) order[t] = low[2 * t] & mask;
  return { order, blur: 2 ** (bits - 50) };
}

/** Tell whether two odds are too close for floats to say which is smaller. */
function close(x, y, near) {
  return x === y || Math.abs(x - y) <= near * Math.max(x, y) || (x < TINY && y < TINY) || (x > 1 / TINY && y > 1 / TINY);
}

/** The simplest fraction [p, q], q ≤ 10⁶, that rounds to a number in [0, 1]; null where there is none. */
export function simplest(x) {
  let [p0, q0, p1, q1] = [0, 1, 1, 0];
  let rest = x;
  for (let step = 0; step < 40; step++) {
    const whole = Math.floor(rest);
    [p0, q0, p1, q1] = [p1, q1, whole * p1 + p0, whole * q1 + q0];
    if (q1 > 1e6) return null;
    if (p1 / q1 === x) return [p1, q1];
    rest = 1 / (rest - whole);
  }
  return null;
}

/**
 * The importance meant by a place: 0.8 is 4/5, so that ties of F2 are ties. Where both coordinates are simple fractions
 * these are whole numbers, else the doubles of `importanceAt`.
 */
export function preferenceAt(a, b) {
  const [right, wrong] = [simplest(a), simplest(b)];
  if (!right || !wrong) return importanceAt(a, b);
  const [[p, q], [r, s]] = [right, wrong];
  return [(q - p) * s, (s - r) * q, r * q, p * s];
}

/**
 * Rank the performances for an importance. `order`: rows from first to last, tied ones and undefined ones by name,
 * undefined ones at the end; `low` and `high`: 1 + the number of better ones, and of better or equivalent ones (0 where
 * undefined); `value` (n). Order and ties are those of the exact rationals.
 */
export function rank(set, importance) {
  const n = set.n;
  const odds = new Float64Array(n);
  for (let i = 0; i < n; i++) odds[i] = oddsAgainst(set.p, i, importance);
  const { order, blur } = sortedByKey(odds, n);
  const m = order.length;
  const low = new Int32Array(n);
  const high = new Int32Array(n);
  const value = new Float64Array(n).fill(NaN);
  const exactly = comparison(set, importance);
  const byName = (i, j) => placesByName(set.data.entities)[set.rows[i]] - placesByName(set.data.entities)[set.rows[j]];
  let first = 0; // of the rows that are tied with the one before
  const settle = (end) => {
    for (let t = first; t < end; t++) {
      low[order[t]] = first + 1;
      high[order[t]] = end;
      value[order[t]] = valueOfOdds(odds[order[first]]);
    }
    first = end;
  };
  for (let start = 0, end; start < m; start = end) {
    for (end = start + 1; end < m && close(odds[order[end - 1]], odds[order[end]], blur); ) end++;
    if (end - start === 1) {
      settle(end);
      continue;
    }
    const run = order.subarray(start, end);
    run.sort((i, j) => (close(odds[i], odds[j], set.near) ? exactly(i, j) || byName(i, j) : odds[i] - odds[j]));
    for (let t = start + 1; t < end; t++) {
      const [i, j] = [order[t - 1], order[t]];
      if (!close(odds[i], odds[j], set.near) || exactly(i, j)) settle(t);
    }
    settle(end);
  }
  const all = new Uint32Array(n);
  all.set(order);
  all.set(Array.from(odds.keys()).filter((i) => Number.isNaN(odds[i])).sort(byName), m);
  return { order: all, defined: m, low, high, value, importance };
}

/** Return [S, U] of a row as big integers, for an importance of doubles. */
export function exactSides(set, importance) {
  const [itn, ifp, ifn, itp] = integersOf(importance);
  return (i) => {
    const [tn, fp, fn, tp] = set.exact(i);
    return [itn * tn + itp * tp, ifp * fp + ifn * fn];
  };
}

/** Return a function (i, j) → sign of U_i·S_j − U_j·S_i, negative where i is better: exact. */
function comparison(set, importance) {
  if (set.whole && importance.every(Number.isInteger)) {
    const [itn, ifp, ifn, itp] = importance;
    if (Math.max(...importance) * set.largest * 2 <= LARGEST_FACTOR) {
      const w = set.whole;
      const s = (i) => itn * w[4 * i] + itp * w[4 * i + 3];
      const u = (i) => ifp * w[4 * i + 1] + ifn * w[4 * i + 2];
      return (i, j) => compareProducts(u(i), s(j), u(j), s(i));
    }
  }
  const sides = exactSides(set, importance);
  const memory = new Map();
  const of = (i) => memory.get(i) ?? memory.set(i, sides(i)).get(i);
  return (i, j) => {
    const difference = of(i)[1] * of(j)[0] - of(j)[1] * of(i)[0];
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  };
}

const LARGEST_FACTOR = 2 ** 50;
const SPLITTER = 2 ** 27 + 1;

/** The rounding error of x·y, exactly (Dekker, 1971). */
function productError(x, y, product) {
  const [bigX, bigY] = [SPLITTER * x, SPLITTER * y];
  const [highX, highY] = [bigX - (bigX - x), bigY - (bigY - y)];
  const [lowX, lowY] = [x - highX, y - highY];
  return lowX * lowY - (product - highX * highY - lowX * highY - highX * lowY);
}

/** The sign of x·y − z·w for whole numbers up to 2⁵⁰, exactly: the errors of the products are whole numbers below 2⁴⁸. */
function compareProducts(x, y, z, w) {
  const [left, right] = [x * y, z * w];
  return Math.sign(left - right - (productError(z, w, right) - productError(x, y, left)));
}
