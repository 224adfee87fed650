// Errors of regressors, where cases matter by the band of their true value: exactly, so that ties are those of Python.

import { quotient } from "./exact.js";

/** How much a band may matter, in tenths. */
export const TENTHS = [0, 1, 2, 5, 10, 20, 50, 100];
export const EVEN = TENTHS.indexOf(10);
export const factorText = (step) => String(TENTHS[step] / 10);

/** What the page carries, its sums as big integers. */
export const exactMeasure = ({ sums, weights, unit, ...rest }) => ({ ...rest, sums: sums.map((row) => row.map(BigInt)), weights: weights.map(BigInt), unit: BigInt(unit) });

const dot = (numbers, tenths) => numbers.reduce((sum, x, band) => sum + x * BigInt(tenths[band]), 0n);

/** The root of n / d, also where that is far outside the range of doubles. */
function rootOf(n, d) {
  const shift = 2 * (n.toString(16).length - d.toString(16).length);
  return Math.sqrt(shift >= 0 ? quotient(n, d << BigInt(2 * shift)) : quotient(n << BigInt(-2 * shift), d)) * 2 ** shift;
}

/** The value and the rank of each regressor where the bands matter as much as these tenths say: NaN where no case does. */
export function rankedErrors({ sums, weights, unit, root, smaller }, tenths) {
  const whole = dot(weights, tenths);
  if (whole === 0n) return { values: sums.map(() => NaN), ranks: sums.map(() => NaN) };
  const totals = sums.map((row) => dot(row, tenths));
  const sorted = [...totals].sort((x, y) => (x === y ? 0 : x < y === smaller ? -1 : 1));
  const rankOf = new Map();
  sorted.forEach((total, i) => rankOf.has(total) || rankOf.set(total, i + 1));
  return { values: totals.map((total) => (root ? rootOf : quotient)(total, whole * unit)), ranks: totals.map((total) => rankOf.get(total)) };
}

const farOff = (x) => x >= 1e9 || (x > 0 && x < 1e-4);
const scientific = (x, digits) => (!x || x === Infinity ? String(x) : x.toExponential(digits - 1));

/** Numbers as texts, with as many digits as tell different ones apart (eight decimals at most), and a dash for NaN. */
export function apart(numbers) {
  const known = [...new Set(numbers.filter((x) => !Number.isNaN(x)))];
  const most = Math.max(...known, 0);
  const style = (digits) => (x) => (farOff(most) ? scientific(x, digits) : most >= 1e4 ? String(Number(x.toPrecision(digits + 4))) : x.toFixed(digits));
  let digits = 4;
  while (digits < 8 && new Set(known.map(style(digits))).size < known.length) digits += 1;
  return numbers.map((x) => (Number.isNaN(x) ? "—" : style(digits)(x)));
}

/** How intervals are written: with as many decimals in all as show four digits of the upper end in the middle. */
export function intervalStyle(intervals) {
  const highs = intervals.map(([, high]) => high).filter((high) => high > 0 && high < Infinity).sort((x, y) => x - y);
  const middle = highs[highs.length >> 1] ?? 1;
  const decimals = Math.min(Math.max(0, 3 - Math.floor(Math.log10(middle))), 8);
  return (low, high) => {
    const style = farOff(high) ? (x) => scientific(x, 4) : (x) => x.toFixed(decimals);
    return `${style(low)} to ${style(high)}`;
  };
}
