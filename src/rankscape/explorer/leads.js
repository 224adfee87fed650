// Who wins along the path on which the main control moves: costs (a = b), F-scores (a = 1), or another column of the Tile.

import { Fraction, quotient } from "./exact.js";
import { fractionOf, importanceAt, oddsAgainst, oddsOf, placeOfOdds } from "./model.js";
import { modeOf, placeIn } from "./state.js";
import { listed, rangeText, rateText } from "./texts.js";

const BEYOND = 1 + 2 ** -30; // a lead that is shorter, relative to the rate, is not seen
const CLOSE = 1e-9;
const TINIEST = 1e-250;
const MOST_TIED = 3000; // of more, only those who are first on some area are looked at
const BINARY_DIGITS = 128n; // of square roots, after the binary point

/** What satisfies row i and what does not, along the path, as polynomials [s0, s1, u0, u1] of the rate, up to a factor. */
function sidesOn(set, state) {
  const memory = new Map();
  const [n, d] = fractionOf(state.a);
  const compute = ([tn, fp, fn, tp]) => (modeOf(state) === "costs" ? [tn, tp, fp, fn] : [(d - n) * tn + n * tp, 0n, fp, fn]);
  return (i) => memory.get(i) ?? memory.set(i, compute(set.exact(i))).get(i);
}

/** The lead of one over another, S₁U₂ − S₂U₁, as coefficients of 1, r and r². */
const leadOver = ([s0, s1, u0, u1], [t0, t1, v0, v1]) => [s0 * v0 - t0 * u0, s0 * v1 + s1 * v0 - t0 * u1 - t1 * u0, s1 * v1 - t1 * u1];

/** The sign of a lead just after a rate. */
function signAfter([c0, c1, c2], { n, d }) {
  const sign = d * d * c0 + n * d * c1 + n * n * c2 || d * c1 + 2n * n * c2 || c2;
  return sign > 0n ? 1 : sign < 0n ? -1 : 0;
}

/** The integer square root of a big integer, by Newton's method from above. */
function squareRoot(x) {
  let root = 1n << BigInt(2 * x.toString(16).length + 1);
  for (;;) {
    const next = (root + x / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Where a lead that is positive just after a rate ends beyond it, rounded once; Infinity where it does not. */
function endOfLead([c0, c1, c2], { n, d }) {
  if (c2 === 0n) return c1 < 0n ? quotient(c0, -c1) : Infinity;
  const square = c1 * c1 - 4n * c0 * c2;
  if (square <= 0n || (c2 > 0n && d * c1 + 2n * n * c2 >= 0n)) return Infinity;
  const root = squareRoot(square << (2n * BINARY_DIGITS));
  const middle = c1 << BINARY_DIGITS;
  return c1 > 0n ? quotient(-middle - root, 2n * c2 << BINARY_DIGITS) : quotient(2n * c0 << BINARY_DIGITS, root - middle); // nothing cancels
}

/** Floats decide what they can: who of some rows may be best just after a rate, and for whom of them a lead may end first. */
function floatsOn(set, state, rows) {
  const costs = modeOf(state) === "costs";
  const sides = new Map(rows.map((i) => {
    const [tn, fp, fn, tp] = set.p.subarray(4 * i, 4 * i + 4);
    return [i, costs ? [tn, tp, fp, fn] : [(1 - state.a) * tn + state.a * tp, 0, fp, fn]];
  }));
  const ending = (k, rate) => (j) => {
    const [[s0, s1, u0, u1], [t0, t1, v0, v1]] = [sides.get(k), sides.get(j)];
    const terms = [[s0 * v0, t0 * u0], [s0 * v1 + s1 * v0, t0 * u1 + t1 * u0], [s1 * v1, t1 * u1]];
    const [c0, c1, c2] = terms.map(([x, y]) => x - y);
    const square = c1 * c1 - 4 * c0 * c2;
    const unsure = terms.some(([x, y], t) => (costs || t < 2) && !(Math.abs(x - y) > CLOSE * (x + y) && x + y > TINIEST));
    if (unsure || Math.abs(square) < 1e-6 * (c1 * c1 + Math.abs(4 * c0 * c2))) return 0; // floats cannot tell
    if (square < 0 || (c2 > 0 && c1 + 2 * rate * c2 > 0) || (c2 === 0 && c1 > 0)) return Infinity;
    return c1 > 0 ? (-c1 - Math.sqrt(square)) / (2 * c2) : (2 * c0) / (Math.sqrt(square) - c1);
  };
  return {
    best(rate) {
      const odds = rows.map((i) => sides.get(i)).map(([s0, s1, u0, u1]) => (u0 + u1 * rate) / (s0 + s1 * rate));
      const least = odds.reduce((x, y) => Math.min(x, y));
      return rows.filter((_, t) => !(odds[t] > least * (1 + CLOSE) && odds[t] > TINIEST));
    },
    ending(k, rate) {
      const keys = rows.map(ending(k, rate));
      const first = keys.reduce((x, y) => (y > 0 && y < x ? y : x), Infinity);
      return rows.filter((_, t) => keys[t] < Infinity && keys[t] <= first * (1 + 1e-4));
    },
  };
}

/**
 * The parts of the path of a state: {row, rows (all who tie there), low, high, from, to}, from no false alarms per miss
 * to infinitely many; low and high are exact, rounded once, from and to are their b. `regions` are those of who is first.
 */
export function winnersAlong({ set, regions, state }) {
  const of = sidesOn(set, state);
  const able = (i) => of(i).some((x) => x > 0n);
  const everybody = () => Array.from({ length: set.n }, (_, i) => i);
  let rows = regions.map((region) => region.rows[0]);
  if (!rows.every(able)) rows = everybody().filter(able); // who is first inside of the Tile has no score on this side
  if (!rows.length) return [];
  const members = set.n <= MOST_TIED ? everybody() : regions.flatMap((region) => region.rows);
  const mode = modeOf(state);
  const tied = (k, rate) => {
    const { a, b } = { ...state, ...placeIn(mode, rate) };
    const odds = (i) => oddsAgainst(set.p, i, importanceAt(a, b));
    const least = odds(k);
    return members.filter((i) => (Math.abs(odds(i) - least) <= CLOSE * least || odds(i) === least) && able(i) && leadOver(of(k), of(i)).every((c) => c === 0n));
  };
  const near = floatsOn(set, state, rows);
  const parts = [];
  for (let low = 0, at = new Fraction(0n); low < Infinity; ) {
    const k = near.best(at.number).reduce((best, j) => (signAfter(leadOver(of(best), of(j)), at) < 0 ? j : best));
    const high = near.ending(k, at.number).reduce((end, j) => Math.min(end, endOfLead(leadOver(of(k), of(j)), at)), Infinity);
    if (parts.at(-1)?.row === k) parts.at(-1).high = high;
    else parts.push({ row: k, low, high });
    if (high < Infinity) at = Fraction.of(Math.max(high, at.number) * BEYOND);
    low = high;
  }
  return parts.map(({ row, low, high }) => {
    const rows = tied(row, high === Infinity ? 2 * low + 1 : low === 0 ? high / 2 : Math.sqrt(low) * Math.sqrt(high));
    return { row, rows: rows.length ? rows : [row], low, high, from: placeOfOdds(low), to: placeOfOdds(high) };
  });
}

/** The part in which a row is first at the rate of a state, undefined where there is none. */
export function partOf({ along, state }, i) {
  const rate = oddsOf(state.b);
  return along.find(({ rows, low, high }) => rows.includes(i) && low <= rate * (1 + CLOSE) && rate <= high * (1 + CLOSE));
}

/** For which rates row i wins, in words and as a number to sort by: {text, at}. */
export function leadOf({ along, ranking, everFirst, state }, i) {
  const parts = along.filter(({ rows }) => rows.includes(i));
  if (parts.length) return { text: listed(parts.map(({ low, high }) => rangeText(low, high)), 3, " or "), at: parts[0].low };
  if (ranking.low[i] === 1) return { text: `only at ${rateText(oddsOf(state.b))}`, at: oddsOf(state.b) };
  return everFirst().has(i) ? { text: "elsewhere", at: Number.MAX_VALUE } : { text: "never", at: Infinity };
}
