// Who comes first along the right side of the Tile, from precision to recall: exact borders.

import { Fraction, ONE, ZERO, integersOf } from "./exact.js";
import { simplest } from "./model.js";

/** The satisfied part of a row for a preference at a, up to a factor that all rows share. */
function satisfied(a) {
  const simple = simplest(a);
  const [none, tp] = simple ? [simple[1] - simple[0], simple[0]].map(BigInt) : integersOf([1 - a, a]);
  return (row) => none * row[0] + tp * row[3];
}

/**
 * The parts of the side, from b = 0 (only false alarms count) to b = 1 (only misses do): {rows, from, to}, of which
 * `rows` come first together. The odds against a row, ((1 − b)·fp + b·fn)/s, are a line in b: this is their lower envelope.
 */
export function stripOf(set, a) {
  const of = satisfied(a);
  const lines = [];
  const known = new Map();
  for (let i = 0; i < set.n; i++) {
    const row = set.exact(i);
    const s = of(row);
    if (s === 0n) continue;
    const [start, end] = [new Fraction(row[1], s), new Fraction(row[2], s)];
    const key = `${start.key} ${end.key}`;
    if (known.has(key)) known.get(key).rows.push(i);
    else known.set(key, { start, end, rows: [i] });
  }
  lines.push(...known.values());
  if (!lines.length) return [];
  let here = lines.reduce((best, line) => ((line.start.compare(best.start) || line.end.compare(best.end)) < 0 ? line : best));
  const parts = [];
  for (let from = ZERO; ; ) {
    let [next, at] = [null, ONE];
    for (const line of lines) {
      const gain = here.end.minus(line.end);
      if (gain.sign <= 0) continue;
      const loss = line.start.minus(here.start);
      const crossing = loss.over(loss.plus(gain));
      const order = crossing.compare(at);
      if (order < 0 || (order === 0 && next && line.end.compare(next.end) < 0)) [next, at] = [line, crossing];
    }
    if (at.compare(from) > 0 || !next) parts.push({ rows: here.rows, from, to: at });
    if (!next) return parts;
    [here, from] = [next, at];
  }
}
