// The flavors of the Tile on the page: the values of each, column by column, and what the data lack for it.

import { TABLE } from "./flavors.js";
import { importanceAt, oddsAgainst, valueOfOdds } from "./model.js";
import { fewer, shareFirst } from "./uncertainty.js";

const sqrt = Math.sqrt;
/** Scores that may be compared with all sound rankings: label and formula of (tn, fp, fn, tp) as probabilities. */
export const SCORES = {
  mcc: ["MCC", (tn, fp, fn, tp) => (tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))],
  kappa: ["Cohen’s κ", (tn, fp, fn, tp) => (2 * (tp * tn - fp * fn)) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))],
  ba: ["balanced accuracy", (tn, fp, fn, tp) => (tp / (tp + fn) + tn / (tn + fp)) / 2],
  gmean: ["geometric mean of TPR and TNR", (tn, fp, fn, tp) => sqrt((tp / (tp + fn)) * (tn / (tn + fp)))],
  markedness: ["markedness", (tn, fp, fn, tp) => tp / (tp + fp) + tn / (tn + fn) - 1],
  odds: ["odds ratio", (tn, fp, fn, tp) => (tp * tn) / (fp * fn)],
  plr: ["positive likelihood ratio", (tn, fp, fn, tp) => tp / (tp + fn) / (fp / (fp + tn))],
  f1: ["F₁", (tn, fp, fn, tp) => (2 * tp) / (2 * tp + fp + fn)],
  accuracy: ["accuracy", (tn, fp, fn, tp) => tn + tp],
};

/** How a flavor fills the column at a: out[t] for b = t/(m−1). Without one its regions are drawn exactly. */
const FILLERS = {
  entity_at_rank: ({ set, state }, a, out) => rowsAtRank(set, a, out, state.rank, 1),
  entity_last: ({ set }, a, out) => rowsAtRank(set, a, out, 1, -1),
  value: ({ set, k }, a, out) => valuesOf(set.p, k, a, out),
  ranking: ({ set, k }, a, out) => ranksInColumn(set, k, a, out),
  best: ({ set }, a, out) => extremes(set, a, out, 0),
  worst: ({ set }, a, out) => extremes(set, a, out, 2),
  no_skill: ({ set }, a, out) => constants(set.common, a, out),
  skill({ set, k }, a, out) {
    const base = constants(set.common, a, new Float64Array(out.length));
    valuesOf(set.p, k, a, out).forEach((value, t) => (out[t] = base[t] < 1 ? Math.max(-1, (value - base[t]) / (1 - base[t])) : NaN));
  },
  difference({ set, k, pin }, a, out) {
    const other = valuesOf(set.p, pin, a, new Float64Array(out.length));
    valuesOf(set.p, k, a, out).forEach((value, t) => (out[t] = value - other[t]));
  },
  margin: ({ set }, a, out) => extremes(set, a, out, 1),
  regret({ set, k }, a, out) {
    const best = extremes(set, a, new Float64Array(out.length), 0);
    valuesOf(set.p, k, a, out).forEach((value, t) => (out[t] = best[t] - value));
  },
  p_first: ({ sample, drawn }, a, out) => out.forEach((_, t) => (out[t] = shareFirst(fewer(sample), placeAt(a, t, out))[drawn])),
  correlation: correlations,
  no_skill_prior: (_, a, out) =>
    out.forEach((_, t) => {
      const [both, neither] = [sqrt(a * placeB(t, out)), sqrt((1 - a) * (1 - placeB(t, out)))];
      out[t] = neither / (both + neither);
    }),
  easiest: (context, a, out) => domainRoles(context, a, out, (v) => v.value),
  hardest: (context, a, out) => domainRoles(context, a, out, (v) => -v.value),
  preponderant: (context, a, out) => domainRoles(context, a, out, (v) => v.weight),
  bottleneck: (context, a, out) => domainRoles(context, a, out, (v) => v.weight * (1 - v.value)),
};

/** A flavor of the table: with its column and kind, "entity" where names are counted on a grid, and title(context). */
export const FLAVORS = TABLE.map((row) => ({
  ...row, column: FILLERS[row.id], kind: row.scale === "regions" && FILLERS[row.id] ? "entity" : row.scale,
  title({ state, label }) {
    const called = { name: label(state.selected), other: label(state.pinned), rank: state.rank, score: SCORES[state.score][0] };
    return row.title.replace(/\{(\w+)\}/g, (_, key) => called[key]);
  },
}));
export const flavorGroups = () => [...new Set(FLAVORS.map(({ group }) => group))].map((group) => [group, FLAVORS.filter((flavor) => flavor.group === group)]);
export const flavorOf = (id) => FLAVORS.find((flavor) => flavor.id === id);

const WANTED = {
  entity: ["k", "select a method in the leaderboard, or click on a region"],
  other: ["pin", "pin a second method in the leaderboard"],
  prior: ["common", "needs one prior for all: shift the priors to one"],
  "equal priors": ["common", "needs one prior for all: shift the priors to one"],
  sample: ["sample", "needs simulated samples, which the page has only for the weights that it opened with"],
  domains: ["several", "needs several domains that have weight"],
  two: ["two", "needs two methods"],
};

/** What a flavor lacks, in words; null where it can be drawn. */
export function lacking(flavor, context) {
  const missing = flavor.needs.find((need) => [undefined, null, false, -1].includes(context[WANTED[need][0]]));
  return missing ? `This view ${/^needs/.test(WANTED[missing][1]) ? "" : "needs somebody: "}${WANTED[missing][1]}.` : null;
}

/** Why data can never be shown so, whatever is selected: null where they can. */
export function impossible({ needs }, data) {
  if (needs.includes("domains") && data.domains.length < 2) return "one domain only";
  if (needs.includes("sample") && !data.drawn) return "this page has no simulated samples";
  return (needs.includes("two") || needs.includes("other")) && data.entities.length < 2 ? "one method only" : null;
}

const placeB = (t, out) => t / (out.length - 1);
const placeAt = (a, t, out) => importanceAt(a, placeB(t, out));

function valuesOf(p, k, a, out) {
  for (let t = 0; t < out.length; t++) out[t] = valueOfOdds(oddsAgainst(p, k, placeAt(a, t, out)));
  return out;
}

function constants(prior, a, out) {
  const p = [1 - prior, 0, prior, 0, 0, 1 - prior, 0, prior];
  for (let t = 0; t < out.length; t++) {
    const [never, always] = [0, 1].map((i) => valueOfOdds(oddsAgainst(p, i, placeAt(a, t, out))));
    out[t] = Number.isNaN(never) ? always : Number.isNaN(always) ? never : Math.max(never, always);
  }
  return out;
}

/** In a column the odds against everybody are lines in b; fill the best value (0), the lead (1) or the worst value (2). */
function extremes({ p, n }, a, out, which) {
  for (let t = 0; t < out.length; t++) {
    const importance = placeAt(a, t, out);
    let [least, second, most] = [Infinity, Infinity, -1];
    for (let i = 0; i < n; i++) {
      const odds = oddsAgainst(p, i, importance);
      if (odds < least) [second, least] = [least, odds];
      else if (odds < second) second = odds;
      if (odds > most) most = odds;
    }
    const best = most < 0 ? NaN : valueOfOdds(least);
    out[t] = which === 0 ? best : which === 1 ? best - valueOfOdds(second) : most < 0 ? NaN : valueOfOdds(most);
  }
  return out;
}

const ROUNDED = 1e-11;

/** The rank of one entity in a column: every other line crosses its line once at most, so one pass and a running sum. */
function ranksInColumn({ p, n }, k, a, out) {
  const last = out.length - 1;
  const change = new Float64Array(out.length + 1);
  const at = (i, b) => oddsAgainst(p, i, importanceAt(a, b));
  const [start, end] = [at(k, 0), at(k, 1)];
  for (let i = 0; i < n; i++) {
    const [below, above] = [at(i, 0) - start, at(i, 1) - end];
    if (!Number.isFinite(below) || !Number.isFinite(above)) {
      // an end is 0/0, or nothing is right there: no line, so place by place
      for (let t = 0; t <= last; t++) {
        if (at(i, t / last) < at(k, t / last)) {
          change[t]++;
          change[t + 1]--;
        }
      }
    } else if (below < 0 && above < 0) change[0]++;
    else if (below < 0 || above < 0) {
      const crossing = (below / (below - above)) * last;
      const place = Math.round(crossing);
      const tie = Math.abs(crossing - place) < ROUNDED * last; // they tie at that place, but for rounding
      if (below < 0) {
        change[0]++;
        change[tie ? place : Math.ceil(crossing)]--;
      } else change[(tie ? place : Math.floor(crossing)) + 1]++;
    }
  }
  for (let t = 0, sum = 1; t <= last; t++) {
    sum += change[t];
    out[t] = Number.isNaN(at(k, t / last)) ? NaN : sum;
  }
}

/** Who has a rank from the first (sign 1) or from the last (−1): the row, −1 where fewer are defined. */
function rowsAtRank({ p, n }, a, out, wanted, sign) {
  const key = new Float64Array(n);
  for (let t = 0; t < out.length; t++) {
    const importance = placeAt(a, t, out);
    let m = 0;
    for (let i = 0; i < n; i++) {
      const odds = sign * oddsAgainst(p, i, importance);
      if (!Number.isNaN(odds)) key[m++] = odds;
    }
    const sorted = key.subarray(0, m).sort();
    out[t] = -1;
    for (let i = 0; i < n && wanted <= m; i++) {
      if (sign * oddsAgainst(p, i, importance) === sorted[wanted - 1]) {
        out[t] = i;
        break;
      }
    }
  }
}

const MOST_COMPARED = 160;

/** The rows that a score is compared on: all, or evenly chosen ones where there are many. */
export function comparedRows(n) {
  const most = Math.min(n, MOST_COMPARED);
  return Array.from({ length: most }, (_, t) => Math.floor((t * n) / most));
}

/** Kendall's τ-b of a score and every ranking score, over the entities that are compared. */
function correlations(context, a, out) {
  const { set, state } = context;
  const formula = SCORES[state.score][1];
  const rows = comparedRows(set.n);
  const xs = rows.map((i) => formula(...set.p.subarray(4 * i, 4 * i + 4)));
  for (let t = 0; t < out.length; t++) {
    const importance = placeAt(a, t, out);
    const ys = rows.map((i) => -Math.min(1e300, oddsAgainst(set.p, i, importance)));
    out[t] = kendall(xs, ys);
  }
}

const sameness = 1e-13;
const step = (x, y) => (Math.abs(x - y) <= sameness * Math.max(Math.abs(x), Math.abs(y)) ? 0 : Math.sign(x - y));

/** Kendall's τ-b; pairs with an undefined or infinite score are dropped; NaN against a constant. */
export function kendall(xs, ys) {
  const kept = xs.map((_, i) => i).filter((i) => Number.isFinite(xs[i]) && Number.isFinite(ys[i]));
  let [sum, inX, inY] = [0, 0, 0];
  for (let s = 0; s < kept.length; s++) {
    for (let t = 0; t < s; t++) {
      const [x, y] = [step(xs[kept[s]], xs[kept[t]]), step(ys[kept[s]], ys[kept[t]])];
      sum += x * y;
      inX += x * x;
      inY += y * y;
    }
  }
  return sum / sqrt(inX * inY);
}

/** The domain with the largest key {value, weight}, weight ∝ λ_d·E_d[I], for the selected entity. */
function domainRoles({ set, state }, a, out, key) {
  const cells = set.used.map((d, t) => {
    const values = set.data.cells[state.selected][d].map(Number);
    const size = values.reduce((x, y) => x + y);
    return { d, share: set.shares[t], p: values.map((x) => x / size) };
  });
  for (let t = 0; t < out.length; t++) {
    const importance = placeAt(a, t, out);
    let most = -Infinity;
    out[t] = -1;
    for (const { d, share, p } of cells) {
      const weight = share * p.reduce((sum, x, k) => sum + x * importance[k], 0);
      const x = weight > 0 ? key({ value: valueOfOdds(oddsAgainst(p, 0, importance)), weight }) : NaN;
      if (x > most) [most, out[t]] = [x, d];
    }
  }
}
