// The data of the simple page: entities × domains with features, and their averages over the domains.

import { greatestCommonDivisor, quotient, wholeWeights } from "./exact.js";
import { valueOf } from "./model.js";

const UNIT = 2 ** -52;

/**
 * Data: cells {values, shares} of entities × domains, null where an entity was not tried on a domain. `source` is what
 * the page carries: names, columns of features, `size`, by which features sum to what a cell is divided by (its cases,
 * or, where `found`, what is to be found there), and whether the counts of all domains are added (`pooled`).
 */
export function simpleData({ entities, domains, entity, domain, values, size, found, pooled }) {
  const names = domains?.length ? domains : [""];
  const cells = entities.map(() => names.map(() => null));
  entity.forEach((e, row) => {
    const features = values.map((column) => valueOf(column[row]));
    cells[e][domain ? domain[row] : 0] = { values: features, shares: sharesOf(features, size) };
  });
  return { entities, domains: names, cells, size, found, pooled };
}

/** Features as shares of the cases, each rounded once; where nothing is to be found, of all outcomes. */
function sharesOf(features, size) {
  if (features.every((x, f) => !size[f] || !Number(x))) size = size.map(() => 1);
  const total = features.reduce((sum, x, f) => sum + (size[f] ? Number(x) : 0), 0);
  if (total <= Number.MAX_SAFE_INTEGER && features.every((x) => typeof x === "number")) return Float64Array.from(features, (x) => x / total);
  const whole = features.map(BigInt);
  return Float64Array.from(whole, (x) => quotient(x, casesOf(whole, size)));
}

const casesOf = (whole, size) => whole.reduce((sum, x, f) => (size[f] ? sum + x : sum), 0n);

/** The cases of each domain, or what is to be found there, the mean over the entities that have it, up to a factor. */
export function sizesOf(data) {
  return data.domains.map((_, d) => {
    const here = data.cells.filter((row) => row[d]).map((row) => Number(casesOf(row[d].values.map(BigInt), data.size)));
    return here.reduce((x, y) => x + y, 0) / here.length;
  });
}

/**
 * The performances that are compared: one per entity, Σ λ_d P_d over the domains of positive weight. Entities that lack
 * one of these domains are `left` out. `p` holds the features as floats, `exact(i)` proportional big integers.
 */
export function averaged(data, weights) {
  const used = data.domains.map((_, d) => d).filter((d) => weights[d] > 0);
  const [rows, left] = [[], []];
  data.cells.forEach((row, i) => (used.every((d) => row[d]) ? rows : left).push(i));
  const width = data.size.length;
  const whole = data.pooled ? used.map(() => 1n) : wholeWeights(used.map((d) => valueOf(weights[d])));
  const total = whole.reduce((x, y) => x + y, 0n);
  const shares = whole.map((weight) => quotient(weight, total));
  const p = new Float64Array(rows.length * width);
  rows.forEach((row, i) => {
    used.forEach((d, t) => {
      const cell = data.pooled ? data.cells[row][d].values.map(Number) : data.cells[row][d].shares;
      for (let f = 0; f < width; f++) p[i * width + f] += data.pooled ? cell[f] : shares[t] * cell[f];
    });
  });
  const memory = new Map();
  const exact = (i) => {
    if (!memory.has(i)) memory.set(i, exactAverage(used.map((d) => data.cells[rows[i]][d].values.map(BigInt)), whole, data.pooled ? null : data.size));
    return memory.get(i);
  };
  return { data, rows, left, used, shares, width, n: rows.length, p, exact, near: (24 + 2 * used.length + 2 * width) * UNIT };
}

/** Natural numbers without a common factor, proportional to Σ λ_d P_d; the sums of all cells where there is no size. */
function exactAverage(cells, weights, size) {
  let row = cells[0];
  if (cells.length > 1) {
    const sizes = cells.map((cell) => (size ? casesOf(cell, size) : 1n));
    const scale = sizes.reduce((x, y) => (x / greatestCommonDivisor(x, y)) * y);
    row = row.map((_, f) => cells.reduce((x, cell, d) => x + weights[d] * cell[f] * (scale / sizes[d]), 0n));
  }
  const common = row.reduce(greatestCommonDivisor);
  return common > 1n ? row.map((x) => x / common) : row;
}
