// Borders: where on the Tile two performances are equal, as one exact arc; and how far a place is from it.

import { Fraction, ONE, ZERO, quotient } from "./exact.js";

/**
 * The border of two rows of big integers: h = S₁U₂ − S₂U₁ is the bilinear interpolant of its values `corners` =
 * (c00, c01, c10, c11) at TNR, NPV, PPV and TPR; h > 0: the first is better. (Tile, A.4.1, for any priors.)
 */
export function borderOf(first, other) {
  const corner = (s, u) => first[s] * other[u] - other[s] * first[u];
  return borderOfCorners([corner(0, 1), corner(0, 2), corner(3, 1), corner(3, 2)]);
}

function borderOfCorners(corners) {
  const size = corners.reduce((x, c) => (c > x ? c : -c > x ? -c : x), 0n) || 1n;
  return { corners, c: corners.map((x) => quotient(x, size)), kind: kindOf(corners) };
}

/** What it is inside the square: "none", "arc", "horizontal", "vertical", or "tile" (tied everywhere). */
function kindOf([c00, c01, c10, c11]) {
  const all = [c00, c01, c10, c11];
  if (all.every((x) => x === 0n)) return "tile";
  if (all.every((x) => x >= 0n) || all.every((x) => x <= 0n)) return "none";
  if (c00 * c11 !== c01 * c10) return "arc";
  return c00 * c01 < 0n || c10 * c11 < 0n ? "horizontal" : "vertical";
}

export const transposed = ({ corners: [c00, c01, c10, c11] }) => borderOfCorners([c00, c10, c01, c11]);

/** h at b = 0 and at b = 1 in a column, exactly. */
export function sidesAt({ corners: [c00, c01, c10, c11] }, a) {
  const at = (left, right) => new Fraction((a.d - a.n) * left + a.n * right, a.d);
  return [at(c00, c10), at(c01, c11)];
}

/** The sign of h at a place given by fractions. */
export function signAt(border, a, b) {
  const [below, above] = sidesAt(border, a);
  return ONE.minus(b).times(below).plus(b.times(above)).sign;
}

/** The interval of a over which the border runs inside the square, null where there is none. */
export function spanOf(border) {
  const [c00, c01, c10, c11] = border.corners;
  if (border.kind === "none" || border.kind === "tile") return null;
  if (border.kind === "horizontal") return [ZERO, ONE];
  let ends = [];
  if (c00 * c01 <= 0n) ends.push(ZERO);
  if (c10 * c11 <= 0n) ends.push(ONE);
  for (const [left, right] of [[c00, c10], [c01, c11]]) {
    if (left === right) continue;
    const meets = new Fraction(left, left - right);
    if (meets.compare(ZERO) >= 0 && meets.compare(ONE) <= 0) ends.push(meets);
  }
  if (border.kind === "vertical") ends = ends.filter((end) => sidesAt(border, end).every((side) => side.sign === 0));
  ends.sort((x, y) => x.compare(y));
  return [ends[0], ends.at(-1)];
}

/** b on the border at a or, outside [0, 1], on its continuation. */
function ratioAt({ kind, c: [c00, c01, c10, c11] }, a) {
  if (kind === "horizontal") return c00 - c01 ? c00 / (c00 - c01) : c10 / (c10 - c11);
  const below = (1 - a) * c00 + a * c10;
  const above = (1 - a) * c01 + a * c11;
  return below / (below - above);
}

/** b on the border at a, NaN where there is none. */
export function borderB(border, a) {
  const b = border.kind === "tile" ? NaN : ratioAt(border, a);
  if (border.kind === "horizontal") return b;
  return a >= 0 && a <= 1 && b >= 0 && b <= 1 ? b : NaN;
}

/** b on the border at a, kept inside the square where rounding puts it outside by a hair. */
export function clippedB(border, a) {
  return Math.min(1, Math.max(0, ratioAt(border, a)));
}

/** ∫ b(a) da between two fractions inside the span, in closed form (see geometry/borders.py). */
export function areaBelow(border, start, end) {
  const [at0, at1] = sidesAt(border, start);
  const [to0, to1] = sidesAt(border, end);
  const width = end.minus(start);
  if (at0.compare(at1) === 0 || to0.compare(to1) === 0) {
    const [below, above] = sidesAt(border, start.plus(end).over(new Fraction(2n)));
    return width.times(below).over(below.minus(above)).number;
  }
  const from = at0.minus(at1);
  const r = to0.minus(to1).over(from);
  const x = r.minus(ONE).number;
  let logMean = 0;
  let first = 0;
  if (Math.abs(x) < 0.02) {
    for (let k = 0; k < 12; k++) {
      logMean += (-x) ** k / (k + 1);
      first += (-x) ** k / (k + 2);
    }
  } else {
    logMean = (r.n * 2n > r.d ? Math.log1p(x) : Math.log(r.number)) / x;
    first = (1 - logMean) / x;
  }
  return width.number * (at0.over(from).number * (logMean - first) + to0.over(from).number * first);
}

/** The share of the Tile on which the first performance is better. */
export function areaOfWin(border) {
  if (border.kind === "tile") return 0;
  const span = spanOf(border);
  const half = new Fraction(1n, 2n);
  if (!span) return border.corners.some((c) => c > 0n) ? 1 : 0;
  if (border.kind === "vertical") {
    const left = span[0].number;
    return signAt(border, ZERO, half) > 0 ? left : 1 - left;
  }
  const [start, end] = span;
  const middle = (x, y) => x.plus(y).times(half);
  let total = areaBelow(border, start, end);
  if (sidesAt(border, middle(start, end))[0].sign <= 0) total = end.minus(start).number - total;
  for (const [low, high] of [[ZERO, start], [end, ONE]]) {
    if (low.compare(high) < 0 && signAt(border, middle(low, high), half) > 0) total += high.minus(low).number;
  }
  return total;
}

const SAMPLES = 65;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The nearest point (a, b) of a curve b(a) over [start, end] to a place, and its distance. */
export function nearestOnCurve(curve, start, end, a, b) {
  const distance = (x) => {
    const d = Math.hypot(x - a, curve(x) - b);
    return Number.isNaN(d) ? Infinity : d;
  };
  let best = 0;
  const xs = Array.from({ length: SAMPLES }, (_, i) => start + ((end - start) * i) / (SAMPLES - 1));
  const ds = xs.map(distance);
  for (let i = 1; i < SAMPLES; i++) if (ds[i] < ds[best]) best = i;
  let low = xs[Math.max(0, best - 1)];
  let high = xs[Math.min(SAMPLES - 1, best + 1)];
  for (let step = 0; step < 60; step++) {
    const left = high - GOLDEN * (high - low);
    const right = low + GOLDEN * (high - low);
    if (distance(left) < distance(right)) high = right;
    else low = left;
  }
  const refined = (low + high) / 2;
  const x = distance(refined) < ds[best] ? refined : xs[best];
  return { distance: distance(x), a: x, b: curve(x) };
}

/** The nearest point of a whole border, searched along both axes (an arc may be steep in either). */
export function nearestOnBorder(border, a, b) {
  let best = { distance: Infinity, a, b };
  for (const flip of [false, true]) {
    const curve = flip ? transposed(border) : border;
    const span = spanOf(curve);
    if (!span || curve.kind === "vertical") continue;
    const ends = span.map((end) => end.number);
    const nearest = nearestOnCurve((x) => borderB(curve, x), ...ends, ...(flip ? [b, a] : [a, b]));
    if (nearest.distance < best.distance) best = flip ? { ...nearest, a: nearest.b, b: nearest.a } : nearest;
  }
  return best;
}
