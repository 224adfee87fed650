// What the simple page gives out: the leaderboard, and a link to what it shows.

import { make, offer } from "./dom.js";
import { csvOf } from "./texts.js";

const EXPORTED = ["rank", "entity", "value", "rank_low", "rank_high", "value_low", "value_high", "low", "high", "p_first"];

/** The leaderboard as rows for a CSV. */
function rowsOf({ ranking, set, data, sure }) {
  const known = sure();
  const filled = (x) => (x === undefined || Number.isNaN(x) || x === 0 ? "" : x);
  const rows = Array.from(ranking?.order ?? [], (i) => {
    const one = known?.get(i);
    const value = Number.isNaN(ranking.value[i]) ? "" : ranking.value[i];
    const drawn = one ? [one.from, one.to].map((x) => (Number.isNaN(x) ? "" : x)) : ["", ""];
    const first = one && !Number.isNaN(one.first) ? Number(one.first.toPrecision(12)) : "";
    return [filled(ranking.low[i]), data.entities[set.rows[i]], value, filled(ranking.low[i]), filled(ranking.high[i]), ...drawn, filled(one?.low), filled(one?.high), first];
  });
  return [EXPORTED, ...rows];
}

/** The buttons of the exports. `act` has view() and link(). */
export function simpleExports(root, act) {
  const button = (label, onclick) => make("button", { type: "button", onclick }, label);
  const copied = make("span", { role: "status" });
  const address = make("input", { type: "text", readonly: true, "aria-label": "The link", hidden: true });
  const copy = async () => {
    const link = `${location.href.split("#")[0]}#${act.link()}`;
    try {
      await navigator.clipboard.writeText(link);
      copied.textContent = " copied";
    } catch {
      address.hidden = false;
      address.value = link;
      address.select();
      copied.textContent = " copy it from here:";
    }
  };
  const board = button("Leaderboard CSV", () => offer("leaderboard.csv", csvOf(rowsOf(act.view())), "text/csv"));
  root.append(make("h2", {}, "Take it with you"), make("div", { class: "bar" }, board, button("Copy the link", copy), copied, address));
}
