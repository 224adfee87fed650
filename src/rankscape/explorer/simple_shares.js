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

/**
 * For which shares of domain d the winner, row `leader`, stays first: {low, high, here, below, above}, of which `below`
 * and `above` are the rows that take over, or null. `sidesOf(row, d)` gives what a row earns and loses on a domain.
 */
export function reachOf(set, weights, d, leader, sidesOf) {
  const all = withShare(weights, d, 0);
  const total = all.reduce((sum, weight) => sum + weight, 0);
  const others = all.flatMap((weight, e) => (weight > 0 ? [[e, weight / total]] : []));
  if (!others.length || set.rows.some((row) => !set.data.cells[row][d] || others.some(([e]) => !set.data.cells[row][e]))) return null;
  const ends = (i) => {
    const rest = [0, 0];
    for (const [e, share] of others) sidesOf(set.rows[i], e).forEach((x, k) => (rest[k] += share * x));
    return [sidesOf(set.rows[i], d), rest];
  };
  const here = shareOf(weights, d);
  const [[s1, u1], [s0, u0]] = ends(leader);
  const reach = { low: 0, high: 1, here, below: null, above: null };
  for (let i = 0; i < set.n; i++) {
    if (i === leader) continue;
    const [[r1, v1], [r0, v0]] = ends(i);
    // the leader is ahead where s(t)·v(t) − r(t)·u(t) > 0, each linear in the share t
    const C = s0 * v0 - r0 * u0;
    const A = (s1 - s0) * (v1 - v0) - (r1 - r0) * (u1 - u0);
    const B = s0 * (v1 - v0) + v0 * (s1 - s0) - r0 * (u1 - u0) - u0 * (r1 - r0);
    for (const t of rootsOf(A, B, C, -1e-12, 1 + 1e-12)) {
      if (t > here && t < reach.high) [reach.high, reach.above] = [t, i];
      if (t < here && t > reach.low) [reach.low, reach.below] = [t, i];
    }
  }
  return reach;
}
