// Exact regions: who is first where, their areas, and what would change the answer.

import { Fraction, ONE, ZERO } from "./exact.js";
import { areaBelow, borderOf, clippedB, nearestOnBorder, nearestOnCurve, sidesAt, signAt, transposed } from "./borders.js";
import { importanceAt, oddsAgainst } from "./model.js";

const SPLITS = [[1n, 2n], [5n, 13n], [34n, 55n], [7n, 31n], [71n, 97n]].map(([n, d]) => new Fraction(n, d));
const SEEDS = [0.02, 0.15, 0.35, 0.5, 0.65, 0.85, 0.98];
const DOUBT = 1e-12;

/**
 * The exact regions of who is first, for any priors, in decreasing order of area: [{rows, pieces, area}]; a piece is
 * {start, end, low, high}, b between two borders (null: a side of the Tile). Candidates are taken from places, and the
 * envelope of the candidates is checked at all its vertices: somebody who is ever first is better at one of them, for
 * along a border the lead over a third one is linear in a.
 */
export function firstRegions(set) {
  const able = Array.from({ length: set.n }, (_, i) => i).filter((i) => set.p[4 * i] > 0 || set.p[4 * i + 3] > 0);
  const whole = [{ start: ZERO, end: ONE, low: null, high: null }];
  if (!able.length) return set.n ? [{ rows: Array.from({ length: set.n }, (_, i) => i), pieces: whole, area: 1 }] : [];
  const perfect = able.filter((i) => set.exact(i)[1] === 0n && set.exact(i)[2] === 0n);
  if (perfect.length) return [{ rows: perfect, pieces: whole, area: 1 }];
  const candidates = [];
  const known = new Set();
  const add = (i) => {
    if (!known.has(set.group(i))) candidates.push(i);
    known.add(set.group(i));
  };
  for (const a of SEEDS) for (const b of SEEDS) add(bestOf(set, able, importanceAt(a, b)));
  const checked = new Set();
  const borders = new Map();
  for (;;) {
    const slabs = slabsOf(candidates.map((i) => set.exact(i)));
    const missing = slabs.flatMap((slab) => rivals(set, able, candidates, slab, checked));
    const before = candidates.length;
    missing.forEach(add);
    if (candidates.length === before) return gathered(set, able, candidates, slabs, borders);
  }
}

function bestOf(set, able, importance) {
  let best = able[0];
  let least = Infinity;
  for (const i of able) {
    const odds = oddsAgainst(set.p, i, importance);
    if (odds < least) [best, least] = [i, odds];
  }
  return best;
}

/** Who is better than the envelope at the vertices of a slab: per vertex the best of them. */
function rivals(set, able, candidates, slab, checked) {
  const missing = [];
  const middle = slab.start.plus(slab.end).over(new Fraction(2n));
  const cut = (t, a) => crossing(candidates, set, slab.groups[t], slab.groups[t + 1], a, middle);
  for (const a of [slab.start, slab.end]) {
    const cuts = [ZERO, ...slab.groups.slice(1).map((_, t) => cut(t, a)), ONE];
    slab.groups.forEach((k, t) => {
      for (const b of [cuts[t], cuts[t + 1]]) {
        const key = `${a.key} ${b.key} ${candidates[k]}`;
        if (checked.has(key)) continue;
        const rival = betterAt(set, able, candidates[k], a, b);
        if (rival === -1) checked.add(key);
        else missing.push(rival);
      }
    });
  }
  return missing;
}

function crossing(candidates, set, k, j, a, middle) {
  const border = borderOf(set.exact(candidates[k]), set.exact(candidates[j]));
  const [below, above] = sidesAt(border, a);
  if (below.compare(above)) return below.over(below.minus(above));
  const [under, over] = sidesAt(border, middle); // they tie all along this column: the border is horizontal
  return under.over(under.minus(over));
}

/** The best of those that are strictly better than row k at a place, exactly; −1 where nobody is. */
function betterAt(set, able, k, a, b) {
  const importance = importanceAt(a.number, b.number);
  const [itn, ifp, ifn, itp] = importance;
  const { p } = set;
  const sides = (i) => [itn * p[4 * i] + itp * p[4 * i + 3], ifp * p[4 * i + 1] + ifn * p[4 * i + 2]];
  const [s, u] = sides(k);
  let best = -1;
  let lead = 0;
  for (const i of able) {
    const [si, ui] = sides(i);
    const h = si * u - s * ui;
    const size = si * u + s * ui;
    if (h < -DOUBT * size || set.group(i) === set.group(k)) continue;
    if (h <= DOUBT * size && signAt(borderOf(set.exact(i), set.exact(k)), a, b) <= 0) continue;
    const ahead = s > 0 && si > 0 ? u / s - ui / si : h;
    if (best === -1 || ahead > lead) [best, lead] = [i, ahead];
  }
  return best;
}

// Slabs: intervals of columns in which the same rows are first, groups[0] at b = 0.

/** The slabs of the envelope of distinct rows of big integers, from a = 0 to a = 1. */
function slabsOf(rows) {
  const slabs = [];
  const waiting = [[ZERO, ONE]];
  while (waiting.length) {
    const [start, end] = waiting.pop();
    let around = null;
    let groups = [];
    for (let k = 0; !around; k++) {
      const split = SPLITS[k] ?? new Fraction(BigInt(k + 45), BigInt(2 * k + 91)); // finitely many events: one is none
      const middle = between(start, end, split);
      groups = envelope(rows, middle);
      around = eventsAround(rows, groups, middle, start, end);
    }
    slabs.push({ start: around[0], end: around[1], groups });
    if (start.compare(around[0]) < 0) waiting.push([start, around[0]]);
    if (around[1].compare(end) < 0) waiting.push([around[1], end]);
  }
  return slabs.sort((x, y) => x.start.compare(y.start));
}

/** A column inside an interval, with a small denominator where there is room. */
function between(start, end, split) {
  const exact = start.plus(end.minus(start).times(split));
  const scale = 2n ** 40n;
  const simple = new Fraction((exact.n * scale) / exact.d, scale);
  return start.compare(simple) < 0 && simple.compare(end) < 0 ? simple : exact;
}

/** Who is first in a column inside the Tile, from b = 0 to b = 1: the lower envelope of the lines of the odds against. */
function envelope(rows, a) {
  const s = rows.map(([tn, , , tp]) => (a.d - a.n) * tn + a.n * tp);
  const smaller = (k, j, column) => rows[k][column] * s[j] - rows[j][column] * s[k];
  let k = 0;
  for (let j = 1; j < rows.length; j++) {
    const lead = smaller(j, k, 1) || smaller(j, k, 2);
    if (lead < 0n) k = j;
  }
  const groups = [k];
  for (;;) {
    let next = -1;
    let at = null;
    for (let j = 0; j < rows.length; j++) {
      const above = smaller(j, k, 2);
      if (j === k || above >= 0n) continue;
      const below = smaller(j, k, 1);
      const b = { n: below, d: below - above };
      const order = at === null ? -1n : b.n * at.d - at.n * b.d;
      if (order < 0n || (order === 0n && smaller(j, next, 2) < 0n)) [next, at] = [j, b];
    }
    if (next === -1) return groups;
    groups.push(next);
    k = next;
  }
}

/** The events next to a column between which the envelope keeps its groups, or null where one falls on it. */
function eventsAround(rows, groups, middle, start, end) {
  let [left, right] = [start, end];
  let onIt = false;
  const look = (at0, at1) => {
    if (!((at0 < 0n && at1 > 0n) || (at0 > 0n && at1 < 0n))) return;
    const root = new Fraction(at0, at0 - at1);
    const side = root.compare(middle);
    if (side === 0) onIt = true;
    else if (side > 0 && root.compare(right) < 0) right = root;
    else if (side < 0 && root.compare(left) > 0) left = root;
  };
  const pair = (k, j, s, u) => rows[k][s] * rows[j][u] - rows[j][s] * rows[k][u];
  // Rows that tie all along a side swap where they meet the next group, or at the other side: no need to look here.
  for (const [k, side] of [[groups[0], 1], [groups.at(-1), 2]]) {
    rows.forEach((_, j) => look(pair(k, j, 0, side), pair(k, j, 3, side)));
  }
  for (let t = 1; t < groups.length; t++) {
    const [k, l] = [rows[groups[t - 1]], rows[groups[t]]];
    const minors = [k[1] * l[2] - k[2] * l[1], [0, 3].map((s) => k[s] * l[2] - k[2] * l[s]), [0, 3].map((s) => k[s] * l[1] - k[1] * l[s])];
    for (const j of rows) {
      const determinant = (s, t) => j[s] * minors[0] - j[1] * minors[1][t] + j[2] * minors[2][t];
      look(determinant(0, 0), determinant(3, 1));
    }
  }
  return onIt ? null : [left, right];
}

/** The regions of the slabs, pieces merged where their borders go on, tied rows named together. */
function gathered(set, able, candidates, slabs, borders) {
  const between = (k, j) => {
    const key = k < j ? `${k} ${j}` : `${j} ${k}`;
    if (!borders.has(key)) borders.set(key, borderOf(set.exact(candidates[Math.min(k, j)]), set.exact(candidates[Math.max(k, j)])));
    return borders.get(key);
  };
  const pieces = new Map();
  for (const { start, end, groups } of slabs) {
    groups.forEach((k, t) => {
      const low = t ? between(groups[t - 1], k) : null;
      const high = t + 1 < groups.length ? between(k, groups[t + 1]) : null;
      const piecesOf = pieces.get(k) ?? [];
      pieces.set(k, piecesOf);
      const before = piecesOf.find((piece) => piece.end.compare(start) === 0 && piece.low === low && piece.high === high);
      if (before) before.end = end;
      else piecesOf.push({ start, end, low, high });
    });
  }
  const byGroup = new Map([...pieces].map(([k, piecesOf]) => [set.group(candidates[k]), { rows: [], pieces: piecesOf, area: areaOf(piecesOf) }]));
  for (const i of able) byGroup.get(set.group(i))?.rows.push(i);
  return [...byGroup.values()].sort((x, y) => y.area - x.area || x.rows[0] - y.rows[0]);
}

function areaOf(pieces) {
  let area = 0;
  for (const { start, end, low, high } of pieces) {
    area += (high ? areaBelow(high, start, end) : end.minus(start).number) - (low ? areaBelow(low, start, end) : 0);
  }
  return area;
}

/** b below and above in a piece, at a column. */
export const bandOf = (piece, a) => [piece.low ? clippedB(piece.low, a) : 0, piece.high ? clippedB(piece.high, a) : 1];

/** The region at a place, null where there is none. */
export function regionAt(regions, a, b) {
  for (const region of regions) {
    for (const piece of region.pieces) {
      if (a < piece.start.number || a > piece.end.number) continue;
      const [low, high] = bandOf(piece, a);
      if (b >= low && b <= high) return region;
    }
  }
  return null;
}

/**
 * The rows that come first at some place of the Tile, those too that do so only in ties or on its sides: they show at the
 * ends and in the middle of the parts of its borders and sides, as in Python.
 */
export function everFirst(set, regions) {
  const half = (x, y) => x.plus(y).over(new Fraction(2n));
  const places = new Map();
  const add = (a, b) => places.set(`${a.key} ${b.key}`, [a, b]);
  for (const { start, end, low, high } of regions.flatMap(({ pieces }) => pieces)) {
    for (const a of [start, half(start, end), end]) {
      for (const b of [ZERO, ONE]) add(a, b);
      for (const border of [low, high]) {
        const [below, above] = border ? sidesAt(border, a) : [ZERO, ZERO];
        if (below.compare(above)) add(a, below.over(below.minus(above)));
      }
    }
  }
  for (const side of [ZERO, ONE]) {
    const ends = [...places.values()].filter(([a]) => a.compare(side) === 0).map(([, b]) => b).sort((x, y) => x.compare(y));
    ends.slice(1).forEach((end, t) => add(side, half(ends[t], end)));
  }
  return new Set([...places.values()].flatMap(([a, b]) => firstAt(set, a, b)));
}

/** The rows that come first at a place given by fractions, exactly; where a score is undefined it is not compared. */
function firstAt(set, a, b) {
  const importance = [ONE.minus(a), ONE.minus(b), b, a].map((x) => x.number);
  const odds = Array.from({ length: set.n }, (_, i) => oddsAgainst(set.p, i, importance));
  const least = odds.reduce((x, y) => (y < x ? y : x), Infinity);
  const near = odds.flatMap((x, i) => (x === least || x <= least * (1 + DOUBT) ? [i] : []));
  const ahead = (i, j) => signAt(borderOf(set.exact(i), set.exact(j)), a, b);
  const best = near.reduce((i, j) => (ahead(j, i) > 0 ? j : i), near[0]);
  return near.filter((i) => ahead(i, best) === 0);
}

/** The distance on the Tile from a place to a region, 0 inside, and the nearest point. */
export function distanceTo(region, a, b) {
  let best = { distance: Infinity, a, b };
  for (const piece of region.pieces) {
    const [start, end] = [piece.start.number, piece.end.number];
    const inside = Math.min(end, Math.max(start, a));
    const [low, high] = bandOf(piece, inside);
    const straight = { a: inside, b: Math.min(high, Math.max(low, b)) };
    straight.distance = Math.hypot(straight.a - a, straight.b - b);
    const side = (t) => nearestOnCurve((x) => bandOf(piece, x)[t], start, end, a, b);
    for (const nearest of straight.distance ? [straight, side(0), side(1)] : [straight]) {
      if (nearest.distance < best.distance) best = nearest;
    }
    if (best.distance === 0) break;
  }
  return best;
}

/**
 * How far a preference may move while row k, who is first there, stays first: the intervals of a and of b, the other
 * coordinate fixed, the names beyond, and the nearest change at all. `regions` are those of who is first.
 */
export function stability(set, regions, k, a, b) {
  const [at, up] = [Fraction.of(a), Fraction.of(b)];
  const rivals = regions.map((region) => region.rows[0]).filter((j) => set.group(j) !== set.group(k));
  const borders = rivals.map((j) => ({ j, border: borderOf(set.exact(k), set.exact(j)) }));
  const alongB = intervalAt(borders, at);
  const alongA = intervalAt(borders.map(({ j, border }) => ({ j, border: transposed(border) })), up);
  let nearest = { distance: Infinity, a, b, rows: [] };
  for (const { j, border } of borders) {
    const point = nearestOnBorder(border, a, b);
    if (point.distance < nearest.distance) nearest = { ...point, rows: [j] };
  }
  return { alongA, alongB, nearest };
}

/** The interval of b in which no rival is better in a column, and who is beyond. */
function intervalAt(borders, a) {
  const interval = { low: 0, high: 1, below: null, above: null };
  for (const { j, border } of borders) {
    const [below, above] = sidesAt(border, a);
    if (below.sign < 0 && above.sign >= 0) {
      const b = below.over(below.minus(above)).number;
      if (b >= interval.low) Object.assign(interval, { low: b, below: j });
    } else if (above.sign < 0 && below.sign >= 0) {
      const b = below.over(below.minus(above)).number;
      if (b <= interval.high) Object.assign(interval, { high: b, above: j });
    }
  }
  return interval;
}
