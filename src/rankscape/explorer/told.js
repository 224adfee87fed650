// What the page says in sentences.

import { oddsOf } from "./model.js";
import { plain, percent, presetAt, words } from "./state.js";

/** The answer for the current preference, and how far it holds. */
export function answer(view) {
  const { state, set, ranking, leader, detail } = view;
  if (!set.n) return "Nobody was tried on all the domains that have weight: give weight to other domains.";
  const named = presetAt(state.a, state.b, set.common);
  const preference = `${named ? `By ${named.label}: ` : "Where "}${named ? "" : words(state.a, state.b)}`;
  if (leader < 0) return `${preference}${named ? "" : ", "}nobody is first: the score is undefined for everybody.`;
  const first = Array.from(ranking.order.subarray(0, ranking.high[leader]));
  const names = first.slice(0, 3).map(view.labelOfRow).join(" = ") + (first.length > 3 ? ` and ${first.length - 3} more` : "");
  const many = first.length > 1;
  const winner = first.find((i) => view.regionOf.has(i));
  const area = winner === undefined ? 0 : view.regions[view.regionOf.get(winner)].area;
  const share = area === 0 ? "" : area === 1 ? ", as for every preference" : `, and for ${percent(area)} of all preferences`;
  return `${preference}${named ? "" : ", "}${names} ${many ? "are" : "is"} first (${ranking.value[leader].toFixed(3)})${share}.${lasting(detail.stability)}`;
}

/** An exchange rate as people say it: 1/4 rather than 0.25. */
const rate = (x) => (x < 1 ? `1/${plain(1 / x)}` : plain(x));

function lasting(stability) {
  if (!stability) return "";
  const { alongB, nearest } = stability;
  if (!nearest.rows.length) return "";
  const [low, high] = [oddsOf(alongB.low), oddsOf(alongB.high)];
  if (low === 0 && high === Infinity) return " That does not depend on what a miss is worth.";
  if (low === 0) return ` That holds while a miss counts as at most ${rate(high)} false alarms.`;
  if (high === Infinity) return ` That holds while a miss counts as at least ${rate(low)} false alarms.`;
  return ` That holds while a miss counts as ${rate(low)} to ${rate(high)} false alarms.`;
}

/** The comparison of the selected with the pinned entity. */
export function told(view) {
  const { state, ranking, k, pin, set } = view;
  if (state.selected === null) return "Select an entity to see its rank and value everywhere; pin a second one to compare.";
  const me = view.label(state.selected);
  if (k < 0) return `${me} is not compared here.`;
  const mine = ranking.low[k] ? `${me}: rank ${ranking.low[k]} of ${set.n}, value ${ranking.value[k].toFixed(4)}.` : `${me}: undefined for this preference.`;
  if (state.pinned === null || pin < 0 || pin === k) return mine;
  const other = view.label(state.pinned);
  const { area, back } = view.pair();
  const both = ranking.low[k] && ranking.low[pin];
  const now = !both ? "" : ranking.low[k] === ranking.low[pin] ? ` Here it ties with ${other}.` : ` Here it is ${ranking.low[k] < ranking.low[pin] ? "better" : "worse"} than ${other} by ${plain(Math.abs(ranking.value[k] - ranking.value[pin]))}.`;
  if (area + back === 0) return `${mine} ${other} is equal for every preference.`;
  const everywhere = area === 1 ? ` It is better for every preference.` : back === 1 ? ` ${other} is better for every preference.` : ` It is better for ${percent(area)} of all preferences, ${other} for ${percent(back)}.`;
  return mine + now + everywhere;
}
