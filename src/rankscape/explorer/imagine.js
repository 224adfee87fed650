// A method that does not exist: a point of ROC space, and what it would take for it to win.

import { oddsAgainst, performances, valueOfOdds } from "./model.js";
import { firstRegions } from "./regions.js";
import { isoLine } from "./spaces.js";
import { percent, plain } from "./texts.js";

/** Whether a method can be imagined: all share a prior, at which both classes exist. */
export const imaginable = ({ set }) => set.n > 0 && set.common > 0 && set.common < 1;

/** The point of ROC space of a point of PR space at a prior; null where there is none. */
export function fromPrecision([recall, precision], prior) {
  const rate = (prior / (1 - prior)) * recall * ((1 - precision) / precision);
  return rate >= 0 && rate <= 1 ? [rate, recall] : null;
}

/** Its shares of the outcomes. */
export const outcomesOf = ([fpr, tpr], prior) => [(1 - prior) * (1 - fpr), (1 - prior) * fpr, prior * (1 - tpr), prior * tpr];

/** Where it would be first, against those that ever come first: its region, null where there is none. */
export function regionOfImagined({ set, regions }, point) {
  const rivals = regions.map(({ rows }) => Array.from(set.p.subarray(4 * rows[0], 4 * rows[0] + 4)));
  const cells = [...rivals, outcomesOf(point, set.common)].map((cell) => [cell]);
  const all = performances({ entities: cells.map((_, i) => String(i)), domains: [""], cells, counts: false }, [1]);
  return firstRegions(all).find(({ rows }) => rows.includes(cells.length - 1)) ?? null;
}

/** Its value and rank for the preference, and the recall, the false positive rate, or both, from which on it would be first. */
export function imaginedAt({ set, state, importance, leader, ranking }, point) {
  const odds = oddsAgainst(outcomesOf(point, set.common), 0, importance);
  let rank = 1;
  for (let i = 0; i < set.n; i++) if (oddsAgainst(set.p, i, importance) < odds) rank++;
  const found = { value: valueOfOdds(odds), rank, recall: null, rate: null };
  if (leader < 0 || rank === 1) return found;
  const [u, v, w] = isoLine(state, set.common, ranking.value[leader]);
  const recall = v ? -(u * point[0] + w) / v : NaN;
  const rate = u ? -(v * point[1] + w) / u : NaN;
  const far = -(u * point[0] + v * point[1] + w) / (v * (1 - point[1]) - u * point[0]); // on the way to a perfect method
  const both = far > 0 && far <= 1 ? [point[0] * (1 - far), point[1] + far * (1 - point[1])] : null;
  return { ...found, recall: recall > point[1] && recall <= 1 ? recall : null, rate: rate < point[0] && rate >= 0 ? rate : null, both };
}

/** What there is to say about it. */
export function aboutImagined({ value, rank, recall, rate, both }, region, { set, leader, labelOfRow }) {
  if (Number.isNaN(value)) return "It would have no score for this preference.";
  const share = region ? `It would be first for ${percent(region.area)} of all preferences` : "It would be first for no preference";
  const start = `Score ${value.toFixed(3)}, rank ${rank} of ${set.n + 1}. ${share}`;
  if (rank === 1) return `${start}, and for yours${leader < 0 ? "" : `, ahead of ${labelOfRow(leader)}`}.`;
  const [above, below] = [(x) => plain(Math.ceil(x * 1e4) / 1e4, 4), (x) => plain(Math.floor(x * 1e4) / 1e4, 4)];
  const needs = [recall === null ? "" : `a recall of ${above(recall)} at this false positive rate`, rate === null ? "" : `a false positive rate of ${below(rate)} at this recall`].filter(Boolean);
  const together = both ? `, such as a recall of ${above(both[1])} at a false positive rate of ${below(both[0])}` : "";
  return `${start}. To be first for yours, it needs ${needs.length ? needs.join(", or ") : `both a higher recall and a lower false positive rate${together}`}.`;
}
