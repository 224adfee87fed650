// The pictures as tables, for readers who do not see them.

import { flavorOf } from "./maps.js";
import { pointOf } from "./spaces.js";
import { make } from "./dom.js";
import { valueOnMap } from "./tile_map.js";
import { percent, plain } from "./texts.js";

const MOST_ROWS = 60;

function table(caption, headers, rows) {
  const row = (cells) => make("tr", {}, make("th", { scope: "row" }, cells[0]), ...cells.slice(1).map((cell) => make("td", {}, cell)));
  const head = make("tr", {}, ...headers.map((header) => make("th", { scope: "col" }, header)));
  const box = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption });
  box.append(make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...rows.map(row))));
  return box;
}

/** The Tile: shares of the regions, or a map at five by five places. */
export function tableOfTile(root, view, map) {
  const flavor = flavorOf(view.state.flavor);
  if (flavor.kind === "regions") {
    const rows = view.regions.slice(0, MOST_ROWS).map((region) => [region.rows.map(view.labelOfRow).join(" = "), percent(region.area)]);
    root.replaceChildren(table("Who is first, and for which share of all preferences", ["method", "share"], rows));
    return;
  }
  if (!map.done || !map.values) {
    root.replaceChildren(make("p", {}, "Nothing is drawn."));
    return;
  }
  const places = [0, 0.25, 0.5, 0.75, 1];
  const say = (value) => (flavor.kind === "entity" ? (value < 0 ? "nobody" : view.labelOfRow(value)) : flavor.kind === "domain" ? (view.labelOfDomain(value)) : plain(value));
  const at = (a, b) => say(valueOnMap(map, a, b));
  const rows = [...places].reverse().map((b) => [`b = ${b}`, ...places.map((a) => at(a, b))]);
  root.replaceChildren(table(flavor.title(view), ["", ...places.map((a) => `a = ${a}`)], rows));
}

/** The points of ROC and PR space, in the order of the leaderboard. */
export function tableOfSpaces(root, view) {
  const { set, ranking } = view;
  const rows = Array.from(ranking.order.subarray(0, MOST_ROWS)).map((i) => {
    const [roc, pr] = [pointOf(set, i, "roc"), pointOf(set, i, "pr")];
    const cell = (point, k) => (point ? plain(point[k], 4) : "undefined");
    return [view.labelOfRow(i), cell(roc, 0), cell(roc, 1), cell(pr, 1)];
  });
  const caption = set.n > MOST_ROWS ? `The first ${MOST_ROWS} of ${set.n}` : "Everybody, in the order of the leaderboard";
  root.replaceChildren(table(caption, ["method", "false positive rate", "true positive rate, recall", "precision"], rows));
}
