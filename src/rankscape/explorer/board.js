// The leaderboard: rows that are reused, so that a moving preference changes text only.

import { make } from "./dom.js";
import { fixed, percent } from "./texts.js";

const COLUMNS = [
  ["rank", "Rank", "Tied entities share a rank."],
  ["name", "Entity", ""],
  ["value", "Value", "The value of the ranking score R(a, b) of the preference, from 0 to 1."],
  ["cost", "Cost", "Expected cost, at the costs that you gave for each outcome."],
  ["behind", "Behind", "How much smaller the value is than that of the first."],
  ["first", "P(first)", "How probably it is first: its share of the draws, divided where several tie."],
  ["interval", "Ranks", "The ranks that it may have: 1 + the number of those that are surely better, to all but those that are surely worse."],
  ["area", "Share", "The share of all preferences for which it is first, at the share of positives of the page."],
  ["even", "At ½", "The share of all preferences for which it is first if half of the cases are positive."],
  ["flip", "Flip", "How far the preference must move on the Tile until it is first; for the first: until it no longer is."],
];
const STEP = 14;

/** P(first): nothing where somebody is surely better, never 0 for what draws did not show. */
const chance = (p, lowest) => (p === 0 ? (lowest > 1 ? "" : "<\u00a00.1\u00a0%") : percent(p));

/** Build the leaderboard into an element; returns {update(view)}. `act` has select(data index) and pin(data index). */
export function leaderboard(root, act) {
  let limit = STEP;
  let view = null;
  const rows = [];
  const body = make("tbody");
  const find = make("input", { type: "search", placeholder: "find an entity", "aria-label": "Find an entity in the leaderboard", oninput: () => view && update(view) });
  const more = make("button", { type: "button", onclick: () => ((limit += 100), update(view)) }, "");
  const note = make("p", { class: "note" });
  const head = make("tr", {}, make("th", { scope: "col", class: "pin" }, "Pin"), ...COLUMNS.map(([key, label, title]) => make("th", { scope: "col", class: key, title }, label)));
  const table = make("table", {}, make("caption", { class: "unseen" }, "Leaderboard for the current preference"), make("thead", {}, head), body);
  root.append(make("div", { class: "find" }, find), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Leaderboard" }, table), more, note);

  function addRow() {
    const row = { data: -1, cells: {}, text: {} };
    row.label = make("bdi");
    row.name = make("button", { type: "button", class: "entity", onclick: () => act.select(row.data) }, row.label);
    row.swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    row.pin = make("button", { type: "button", class: "pin", onclick: () => act.pin(row.data) }, "pin");
    row.element = make("tr", {}, make("td", { class: "pin" }, row.pin));
    for (const [key] of COLUMNS) {
      row.cells[key] = make(key === "name" ? "th" : "td", { class: key, scope: key === "name" ? "row" : null });
      if (key === "name") row.cells[key].append(row.swatch, row.name);
      row.element.append(row.cells[key]);
    }
    rows.push(row);
    body.append(row.element);
    return row;
  }

  const write = (row, key, text, element = row.cells[key]) => {
    if (row.text[key] !== text) element.textContent = row.text[key] = text;
  };

  function fill(row, i) {
    const { set, ranking, state, detail } = view;
    const data = set.rows[i];
    const [low, high] = [ranking.low[i], ranking.high[i]];
    const best = ranking.value[ranking.order[0]];
    const value = ranking.value[i];
    write(row, "rank", low === 0 ? "–" : low === high ? String(low) : `${low}=`);
    write(row, "name", view.longLabel(data), row.label);
    write(row, "value", low === 0 ? "undefined" : value.toFixed(4));
    write(row, "cost", view.costs ? view.costs.number(i) : "");
    write(row, "behind", low === 0 || low === 1 ? "" : fixed(best - value, 4));
    const drawn = detail.sample ? detail.placeOf.get(i) : undefined;
    write(row, "first", drawn === undefined || !detail.first || low === 0 ? "" : chance(detail.first[drawn], detail.low?.[drawn] ?? 1));
    write(row, "interval", drawn === undefined || !detail.low || low === 0 ? "" : `${detail.low[drawn]}–${detail.high[drawn]}`);
    const region = view.regionOf.get(i);
    write(row, "area", region === undefined ? "" : percent(view.regions[region].area));
    const even = detail.even?.get(i);
    write(row, "even", even === undefined ? "" : percent(even));
    const far = detail.flips?.get(i);
    write(row, "flip", region === undefined && low !== 1 ? "never" : far === undefined ? "" : far === Infinity ? "never" : fixed(far, 3));
    const color = view.hue.get(i) ?? "transparent";
    if (row.color !== color) row.swatch.style.background = row.color = color;
    const [selected, pinned] = [state.selected === data, state.pinned === data];
    if (row.data !== data || row.selected !== selected || row.pinned !== pinned) {
      row.element.classList.toggle("selected", selected);
      row.element.classList.toggle("pinned", pinned);
      row.name.setAttribute("aria-pressed", String(selected));
      row.name.title = set.data.entities[data];
      row.pin.setAttribute("aria-pressed", String(pinned));
      row.pin.setAttribute("aria-label", `Pin ${view.longLabel(data)} for comparison`);
      Object.assign(row, { data, selected, pinned });
    }
  }

  function update(next) {
    view = next;
    const { set, ranking, state } = view;
    const wanted = find.value.trim().toLowerCase();
    let shown = [];
    if (wanted) {
      for (const i of ranking.order) {
        if (set.names[i].toLowerCase().includes(wanted)) shown.push(i);
        if (shown.length === limit) break;
      }
    } else {
      shown = Array.from(ranking.order.subarray(0, limit));
      for (const data of [state.selected, state.pinned]) {
        const i = data === null ? -1 : (view.rowOf.get(data) ?? -1);
        if (i >= 0 && !shown.includes(i)) shown.push(i);
      }
    }
    shown.forEach((i, t) => fill(rows[t] ?? addRow(), i));
    rows.forEach((row, t) => (row.element.hidden = t >= shown.length));
    table.classList.toggle("costly", Boolean(view.costs));
    if (view.costs) write({ text: {} }, "cost", view.costs.heading, head.querySelector(".cost"));
    table.classList.toggle("certain", !state.uncertainty || !view.detail.sample);
    table.classList.toggle("fixed", !view.canShift);
    more.hidden = wanted !== "" || limit >= set.n;
    const label = more.hidden ? "" : `Show ${Math.min(100, set.n - limit)} more of ${set.n}`;
    if (more.textContent !== label) more.textContent = label;
    write({ text: {} }, "note", view.note, note);
  }

  return { update };
}
