// Who wins for which worth of a miss, the rest of the preference as it is: the column of the Tile at a.

import { oddsOf } from "./model.js";
import { bandOf } from "./regions.js";
import { rateText } from "./texts.js";

const SLIM = 1e-12;

/** The parts of the column at a, from below: {row, rows, from, to} in b, and {low, high} in false alarms per miss. */
export function winnersAlong({ regions, state }) {
  const parts = [];
  for (const { rows, pieces } of regions) {
    for (const piece of pieces) {
      if (state.a < piece.start.number || state.a > piece.end.number) continue;
      const [from, to] = bandOf(piece, state.a);
      if (to - from > SLIM && !parts.some((part) => part.row === rows[0] && Math.abs(part.from - from) < SLIM)) parts.push({ row: rows[0], rows, from, to });
    }
  }
  return parts.sort((x, y) => x.from - y.from).map((part) => ({ ...part, low: oddsOf(part.from), high: oddsOf(part.to) }));
}

/** When row i loses the lead, or wins, in words and as a number to sort by: {text, at}. */
export function leadOf(view, along, i) {
  const { ranking, state, regionOf } = view;
  const own = along.filter(({ rows }) => rows.includes(i));
  const here = own.find(({ from, to }) => from <= state.b + SLIM && to >= state.b - SLIM);
  if (ranking.low[i] === 1 && here) {
    const ends = [here.low > 0 && `below ${rateText(here.low)}`, here.high < Infinity && `above ${rateText(here.high)}`].filter(Boolean);
    return { text: ends.length ? ends.join(" or ") : "never", at: -1 };
  }
  if (!own.length) return regionOf.has(i) ? { text: "wins elsewhere", at: 1e6 } : { text: "never wins", at: Infinity };
  const away = ({ from, to }) => Math.max(from - state.b, state.b - to, 0);
  const near = own.reduce((best, part) => (away(part) < away(best) ? part : best));
  const text = near.low === 0 ? `wins below ${rateText(near.high)}` : near.high === Infinity ? `wins above ${rateText(near.low)}` : `wins ${rateText(near.low)} to ${rateText(near.high)}`;
  return { text, at: away(near) };
}
