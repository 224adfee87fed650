// Preferences of the simple page: what they earn and what they lose of each feature, and the ranking that they make.

import { greatestCommonDivisor, integersOf, quotient } from "./exact.js";
import { preferenceAt, rank, valueOf } from "./model.js";

export const BALANCED = "balanced accuracy";

/** Scores of one class c, by its right, missed and wrongly predicted cases: their weights. */
export const OF_ONE_CLASS = {
  recall: { label: "Recall", weights: [1, 1, 0] },
  precision: { label: "Precision", weights: [1, 0, 1] },
  f1: { label: "F₁", weights: [2, 1, 1] },
  jaccard: { label: "IoU (Jaccard)", weights: [1, 1, 1] },
};

/** Both sides of a preference: as big integers, and as floats of which the largest is 1. */
function sidesOf(earned, lost) {
  const whole = integersOf([...earned, ...lost]);
  const most = whole.reduce((x, y) => (x > y ? x : y), 1n);
  const floats = whole.map((x) => quotient(x, most));
  const half = earned.length;
  return { exact: [whole.slice(0, half), whole.slice(half)], earned: floats.slice(0, half), lost: floats.slice(half) };
}

/** The sides of a state, null where it makes no preference for these performances. */
export function preferenceOf(source, state, set) {
  const { kind, features, classes } = source;
  const pad = (values) => [...values, ...Array(features.length - values.length).fill(0)];
  if (kind === "errors") {
    const [none, fp, fn, tp] = preferenceAt(state.a, state.b);
    return sidesOf([none, 0, 0, tp], [0, fp, fn, 0]);
  }
  if (state.importance && kind === "classes") return ofClasses(state.importance, pad);
  if (state.importance) {
    const whole = integersOf(state.importance);
    const [earned, lost] = source.satisfaction.map((side) => pad(side.map((x, f) => BigInt(x) * whole[f])));
    return sidesOf(earned, lost);
  }
  const named = source.scores.find(({ name }) => name === state.score);
  if (named) return sidesOf(named.earned.map(valueOf), named.lost.map(valueOf));
  if (kind !== "classes") return null;
  if (state.score === BALANCED) {
    const weights = balancedWeights(source, set);
    return weights && ofClasses(weights, pad);
  }
  const [right, missed, wrongly] = OF_ONE_CLASS[state.score].weights;
  const only = (weight) => classes.map((_, c) => (c === state.of ? weight : 0));
  const none = classes.map(() => 0);
  return sidesOf(pad(only(right)), pad([...none, ...only(missed), ...only(wrongly)]));
}

const ofClasses = (weights, pad) => sidesOf(pad(weights), pad([...weights.map(() => 0), ...weights]));

/** The weights with which every class counts alike, null where the shares of the classes differ between entities. */
export function balancedWeights({ classes, real }, set) {
  const width = classes.length;
  const casesOf = (i) => Array.from({ length: width }, (_, c) => set.exact(i)[c] + set.exact(i)[width + c]);
  if (!set.n) return null;
  const first = casesOf(0);
  const sum = (cases) => cases.reduce((x, y) => x + y, 0n);
  if (first.some((x, c) => real[c] && x === 0n)) return null;
  for (let i = 1; i < set.n; i++) {
    const here = casesOf(i);
    const [one, other] = [sum(first), sum(here)];
    if (here.some((x, c) => x * one !== first[c] * other)) return null;
  }
  const scale = first.filter((x) => x).reduce((x, y) => (x / greatestCommonDivisor(x, y)) * y, 1n);
  return first.map((x) => (x ? scale / x : 0n));
}

const dot = (weights, p, start) => weights.reduce((sum, weight, f) => sum + weight * p[start + f], 0);
const exactDot = (weights, row) => weights.reduce((sum, weight, f) => (weight ? sum + weight * row[f] : sum), 0n);

/** What each row earns and loses, as the performances (earned, lost, 0, 0) of two classes, of which `rank` takes I = (1, 1, 0, 0). */
export const BOTH = [1, 1, 0, 0];

/** Earned and lost of rows of features, four numbers each. */
export function reducedRows(p, n, width, { earned, lost }) {
  const out = new Float64Array(4 * n);
  for (let i = 0; i < n; i++) {
    out[4 * i] = dot(earned, p, i * width);
    out[4 * i + 1] = dot(lost, p, i * width);
  }
  return out;
}

/** The value of a share of what is earned, between the ends of `range`: straight, or the root of a mean of squares. */
export const valueOfShare = ({ range: [low, high], root }) => (x) => (root ? Math.sqrt(low ** 2 + (high ** 2 - low ** 2) * x) : low + (high - low) * x);

/** The ranking of a set by a preference, ties and order exactly; values between the ends of `range`. */
export function rankingOf(set, sides, source) {
  const { n } = set;
  const [earned, lost] = sides.exact;
  const two = { n, data: set.data, rows: set.rows, p: reducedRows(set.p, n, set.width, sides), near: set.near, exact: (i) => [exactDot(earned, set.exact(i)), exactDot(lost, set.exact(i)), 0n, 0n] };
  const ranking = rank(two, BOTH);
  if (source.range.join() !== "0,1") ranking.value.forEach((x, i) => (ranking.value[i] = valueOfShare(source)(x)));
  return { ...ranking, p: two.p };
}

/** The value of one cell. */
export function valueOfCell(shares, sides, source) {
  const [earned, lost] = [dot(sides.earned, shares, 0), dot(sides.lost, shares, 0)];
  return valueOfShare(source)(earned / (earned + lost));
}
