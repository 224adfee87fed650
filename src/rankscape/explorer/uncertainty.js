// Uncertainty from counts alone: independent Dirichlet posteriors (Jeffreys, ½) and a seeded generator.

import { importanceAt, rank } from "./model.js";

/** A small generator (sfc32): the same numbers for the same seed, everywhere. */
export function generator(seed) {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, seed ^ 0xdeadbeef];
  const next = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return ((t >>> 0) + 0.5) / 4294967296;
  };
  for (let i = 0; i < 15; i++) next();
  return next;
}

function normal(uniform) {
  return Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** A gamma variate (Marsaglia and Tsang, 2000). */
export function gamma(shape, uniform) {
  if (shape < 1) return gamma(shape + 1, uniform) * uniform() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(uniform);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** The rows that may be first, for many entities: those among the best 40 at one of 25 places; all, for a few. */
export function contenders(set, most = 300) {
  const all = Array.from({ length: set.n }, (_, i) => i);
  if (set.n <= most) return all;
  const rows = new Set();
  const places = [0.05, 0.25, 0.5, 0.75, 0.95];
  for (const a of places) {
    for (const b of places) {
      const { order } = rank(set, importanceAt(a, b));
      order.subarray(0, 40).forEach((i) => rows.add(i));
    }
  }
  return [...rows].sort((i, j) => i - j).slice(0, most);
}

/**
 * Posterior draws of the compared performances `chosen`, as one array: draw t of the i-th of them starts at 4(t·n + i).
 * Each domain is drawn on its own and mixed as the data are.
 */
export function posterior(set, draws, seed, chosen = contenders(set)) {
  const uniform = generator(seed);
  const n = chosen.length;
  const out = new Float64Array(4 * n * draws);
  const g = new Float64Array(4);
  for (let i = 0; i < n; i++) {
    const cells = set.used.map((d, t) => [set.shares[t], set.data.cells[set.rows[chosen[i]]][d].map(Number)]);
    for (let t = 0; t < draws; t++) {
      const at = 4 * (t * n + i);
      for (const [share, counts] of cells) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += g[k] = gamma(counts[k] + 0.5, uniform);
        for (let k = 0; k < 4; k++) out[at + k] += (share * g[k]) / sum;
      }
      if (set.prior !== null) shiftDraw(out, at, set.prior);
    }
  }
  return { p: out, draws, n, chosen };
}

function shiftDraw(p, at, prior) {
  const negative = (1 - prior) / (p[at] + p[at + 1]);
  const positive = prior / (p[at + 2] + p[at + 3]);
  p[at] *= negative;
  p[at + 1] *= negative;
  p[at + 2] *= positive;
  p[at + 3] *= positive;
}

function fillOdds({ p, n }, t, importance, odds) {
  const [itn, ifp, ifn, itp] = importance;
  for (let i = 0, at = 4 * t * n; i < n; i++, at += 4) {
    odds[i] = (ifp * p[at + 1] + ifn * p[at + 2]) / (itn * p[at] + itp * p[at + 3]);
  }
}

/** How often each entity is first among the draws; all who tie for first are first. */
export function shareFirst(sample, importance) {
  const { n, draws } = sample;
  const first = new Float64Array(n);
  const odds = new Float64Array(n);
  for (let t = 0; t < draws; t++) {
    fillOdds(sample, t, importance, odds);
    let least = Infinity;
    for (let i = 0; i < n; i++) if (odds[i] < least) least = odds[i];
    for (let i = 0; i < n; i++) if (odds[i] === least) first[i]++;
  }
  return first.map((times) => times / draws);
}

/** The interval of ranks that holds each entity in 95 % of the draws: {low, high}, (n) each. */
export function rankIntervals(sample, importance, level = 0.95) {
  const { n, draws } = sample;
  const odds = new Float64Array(n);
  const ranks = Array.from({ length: n }, () => new Uint32Array(draws));
  const order = new Uint32Array(n);
  for (let t = 0; t < draws; t++) {
    fillOdds(sample, t, importance, odds);
    for (let i = 0; i < n; i++) order[i] = i;
    order.sort((i, j) => odds[i] - odds[j]);
    for (let place = 0; place < n; place++) ranks[order[place]][t] = place + 1;
  }
  const tail = Math.floor(((1 - level) / 2) * draws);
  const low = new Int32Array(n);
  const high = new Int32Array(n);
  ranks.forEach((drawn, i) => {
    drawn.sort();
    low[i] = drawn[tail];
    high[i] = drawn[draws - 1 - tail];
  });
  return { low, high };
}

/** The rank of the k-th of the drawn entities in every draw, sorted. */
export function ranksOf(sample, k, importance) {
  const { n, draws } = sample;
  const odds = new Float64Array(n);
  const ranks = new Uint32Array(draws);
  for (let t = 0; t < draws; t++) {
    fillOdds(sample, t, importance, odds);
    let better = 0;
    for (let i = 0; i < n; i++) if (odds[i] < odds[k]) better++;
    ranks[t] = better + 1;
  }
  return ranks.sort();
}
