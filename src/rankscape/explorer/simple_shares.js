// The weight of one domain, the others in proportion: how to change it, and how far the winner stays first.

/** The share of a domain in all of the weight. */
export const shareOf = (weights, d) => Number(weights[d]) / weights.reduce((sum, weight) => sum + Number(weight), 0);

/** Weights in which a domain has a share, the others in proportion; where these have none, in equal parts. */
export function withShare(weights, d, share) {
  const others = weights.some((weight, e) => e !== d && weight > 0);
  const start = others ? weights.map(Number) : weights.map(() => 1);
  if (share >= 1) return start.map((_, e) => (e === d ? 1 : 0));
  const rest = start.reduce((sum, weight, e) => (e === d ? sum : sum + weight), 0);
  return start.map((weight, e) => (e === d ? (share / (1 - share)) * rest : weight));
}

/** The roots in (low, high) of A t² + B t + C at which it changes its sign. */
function rootsOf(A, B, C, low, high) {
  const size = Math.max(Math.abs(A), Math.abs(B), Math.abs(C));
  if (!(size > 0)) return [];
  let roots = [-C / B];
  if (Math.abs(A) > 1e-13 * size) {
    const square = B * B - 4 * A * C;
    if (square <= 0) return [];
    const q = -0.5 * (B + Math.sign(B || 1) * Math.sqrt(square)); // without cancellation
    roots = [q / A, C / q];
  }
  return roots.filter((t) => t > low && t < high).sort((x, y) => x - y);
}

const SAME = 1e-9;

/** What each row earns and loses where domain d has all of the weight, and where the others share it: [[s1, u1], [s0, u0]]. */
function linesOf(set, d, others, sidesOf) {
  return set.rows.map((row) => {
    const rest = [0, 0];
    for (const [e, share] of others) sidesOf(row, e).forEach((x, k) => (rest[k] += share * x));
    return [sidesOf(row, d), rest];
  });
}

/** A t² + B t + C that is positive where the first of two lines has the larger score, at the share t. */
function ahead([[s1, u1], [s0, u0]], [[r1, v1], [r0, v0]]) {
  const A = (s1 - s0) * (v1 - v0) - (r1 - r0) * (u1 - u0);
  const B = s0 * (v1 - v0) + v0 * (s1 - s0) - r0 * (u1 - u0) - u0 * (r1 - r0);
  return [A, B, s0 * v0 - r0 * u0];
}

/**
 * For which shares of domain d the winner, row `leader`, stays first: {low, high, here, below, above}, of which `below`
 * and `above` are the rows that take over, none where nobody does. An end at 0 or 1 is none: no share lies beyond it.
 * `sidesOf(row, d)` gives what a row earns and loses on a domain. It is rankscape.domains.weightings(…).flips, in floats.
 */
export function reachOf(set, weights, d, leader, sidesOf) {
  const all = withShare(weights, d, 0);
  const total = all.reduce((sum, weight) => sum + weight, 0);
  const others = all.flatMap((weight, e) => (weight > 0 && e !== d ? [[e, weight / total]] : []));
  if (!others.length || set.rows.some((row) => !set.data.cells[row][d] || others.some(([e]) => !set.data.cells[row][e]))) return null;
  const here = shareOf(weights, d);
  if (here >= 1) return null; // the others have no proportion
  const lines = linesOf(set, d, others, sidesOf);
  const crossings = lines.flatMap((line, i) => (i === leader ? [] : rootsOf(...ahead(lines[leader], line), SAME, 1 - SAME).map((t) => [t, i])));
  const low = crossings.reduce((end, [t]) => (t < here ? Math.max(end, t) : end), 0);
  const high = crossings.reduce((end, [t]) => (t > here ? Math.min(end, t) : end), 1);
  const taking = (end, beyond) => bestAt(lines, crossings.filter(([t]) => Math.abs(t - end) < SAME).map(([, i]) => i), end + 1e-6 * (beyond - end));
  return { low, high, here, below: low > 0 ? taking(low, 0) : [], above: high < 1 ? taking(high, 1) : [] };
}

/** Which of some rows have the largest score at a share t. */
function bestAt(lines, rows, t) {
  if (rows.length < 2) return rows;
  const value = ([[s1, u1], [s0, u0]]) => (t * s1 + (1 - t) * s0) / (t * (s1 + u1) + (1 - t) * (s0 + u0));
  const values = rows.map((i) => value(lines[i]));
  const best = Math.max(...values);
  return rows.filter((_, k) => best - values[k] < 1e-13);
}
