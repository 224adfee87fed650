// The leaderboard: rows that are reused, so that a moving preference changes text only.

import { make } from "./dom.js";
import { leadOf } from "./leads.js";
import { help } from "./terms.js";
import { chance, percent, shareOfDraws, span } from "./texts.js";

/** Columns: class, label, term that explains it, and the key to sort by, from what is best on (null: none). */
const COLUMNS = [
  ["pin", "Pin", null, null],
  ["rank", "Rank", null, (_, i, { ranking }) => ranking.low[i] || Infinity],
  ["name", "Method", null, null],
  ["bars", "Score", "score", null],
  ["value", "", null, (_, i, { ranking }) => -ranking.value[i]],
  ["cost", "Cost", "cost", (_, i, { costs }) => costs?.each(i) ?? 0],
  ["interval", "Ranks", "ranks", ({ sure }) => sure?.low ?? Infinity],
  ["first", "Best with", "first", ({ sure }) => -(sure?.first ?? -1)],
  ["keeps", "Wins", "lead", ({ lead }) => lead.at],
  ["area", "Area", "share", (_, i, view) => -shareOf(view, i)],
  ["even", "At ½", "even", (_, i, { detail }) => -(detail.even?.get(i) ?? 0)],
];
/** The heading and the unit of the column that says for which worth of a miss each method wins, by mode. */
const WINS = {
  costs: ["Wins when a miss costs", "false alarms"], f: ["Wins when a miss weighs", "× a false alarm"], free: ["Wins when a miss is worth", "false alarms"],
};
const STEP = 14;
const FEW_ROWS = 12;
const MOST_SORTED = 20_000;

/** P(first): nothing where somebody is surely better, never 0 for what draws did not show. */
const chanceText = (p, lowest) => (p === 0 && lowest > 1 ? "" : chance(p));

const shareOf = ({ regionOf, regions }, i) => (regionOf.has(i) ? regions[regionOf.get(i)].area : 0);

/** Build the leaderboard into an element; returns {update(view), hover(row)}. `act` has select, pin and hover. */
export function leaderboard(root, act) {
  let limit = STEP;
  let view = null;
  let sorted = { key: "rank", down: false };
  let marked = -1;
  const rows = [];
  const body = make("tbody", { onpointerleave: () => act.hover(-1) });
  const find = make("input", { type: "search", placeholder: "find a method", "aria-label": "Find a method in the leaderboard", oninput: () => view && update(view) });
  const more = make("button", { type: "button", onclick: () => ((limit += 100), update(view)) }, "");
  const tiers = make("p", { class: "note tiers" });
  const note = make("p", { class: "note" });
  const unit = make("small");
  const heads = COLUMNS.map(([key, label, term, sort]) => {
    const text = sort ? make("button", { type: "button", class: "sort", onclick: () => sortBy(key) }, label || "Value") : label;
    return make("th", { scope: "col", class: key }, text, term ? help(term) : null, key === "keeps" ? unit : null);
  });
  const head = make("tr", {}, ...heads);
  const table = make("table", {}, make("caption", { class: "unseen" }, "Leaderboard for the current preference"), make("thead", {}, head), body);
  root.append(make("p", { class: "note aside", "aria-hidden": "true" }, "Swipe the table for more columns →"), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Leaderboard" }, table), make("div", { class: "find" }, more, find), tiers, note);

  function sortBy(key) {
    sorted = { key, down: sorted.key === key && !sorted.down };
    update(view);
  }

  function addRow() {
    const row = { data: -1, i: -1, cells: {}, text: {} };
    row.label = make("bdi");
    row.name = make("button", { type: "button", class: "entity", onclick: () => act.select(row.data) }, row.label);
    row.swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    row.pin = make("button", { type: "button", class: "pin", onclick: () => act.pin(row.data) }, "pin");
    row.dot = make("i", { class: "dot" });
    row.whisker = make("i", { class: "whisker" });
    row.element = make("tr", { onpointerenter: () => act.hover(row.i) });
    for (const [key] of COLUMNS) {
      row.cells[key] = make(key === "name" ? "th" : "td", { class: key, scope: key === "name" ? "row" : null });
      if (key === "name") row.cells[key].append(make("span", {}, row.swatch, row.name));
      else if (key === "pin") row.cells[key].append(row.pin);
      else if (key === "bars") row.cells[key].append(make("span", { class: "meter", "aria-hidden": "true" }, row.whisker, row.dot));
      row.element.append(row.cells[key]);
    }
    rows.push(row);
    body.append(row.element);
    return row;
  }

  const write = (row, key, text, element = row.cells[key]) => {
    if (row.text[key] !== text) element.textContent = row.text[key] = text;
  };
  const style = (element, key, value) => {
    if (element.style[key] !== value) element.style[key] = value;
  };

  /** What draws say of a row: {first, low, high, from, to}; null where there are none. */
  function sureOf(i) {
    const { detail, ranking } = view;
    const at = detail.sample ? detail.placeOf.get(i) : undefined;
    if (at === undefined || !detail.first || !ranking.low[i]) return null;
    return { first: detail.first[at], low: detail.low?.[at], high: detail.high?.[at], from: detail.values?.from[at], to: detail.values?.to[at] };
  }

  function fill(row, i, scale) {
    const { set, ranking, state, detail } = view;
    const data = set.rows[i];
    const [low, high] = [ranking.low[i], ranking.high[i]];
    const value = ranking.value[i];
    const sure = sureOf(i);
    row.i = i;
    write(row, "rank", low === 0 ? "–" : low === high ? String(low) : `${low}=`);
    write(row, "name", view.longLabel(data), row.label);
    write(row, "value", low === 0 ? "undefined" : value.toFixed(4));
    write(row, "cost", view.costs ? view.costs.number(i) : "");
    write(row, "first", sure && !Number.isNaN(sure.first) ? chanceText(sure.first, sure.low ?? 1) : "");
    write(row, "interval", sure?.low ? span(sure.low, sure.high) : "");
    write(row, "area", view.regionOf.has(i) ? percent(shareOf(view, i)) : "");
    const even = detail.even?.get(i);
    write(row, "even", even === undefined ? "" : percent(even));
    write(row, "keeps", low === 0 ? "" : leadOf(view, i).text);
    const color = view.hue.get(i) ?? "";
    style(row.swatch, "background", color);
    row.swatch.classList.toggle("none", !color);
    row.dot.hidden = !low || scale(value) < 0;
    style(row.dot, "left", `${scale(value)}%`);
    style(row.dot, "background", color);
    row.cells.bars.classList.toggle("off", scale(value) < 0);
    const spans = sure && !Number.isNaN(sure.from ?? NaN);
    row.whisker.hidden = !spans;
    if (spans) {
      style(row.whisker, "left", `${Math.max(0, scale(sure.from))}%`);
      style(row.whisker, "width", `${Math.max(0, scale(sure.to)) - Math.max(0, scale(sure.from))}%`);
      row.cells.bars.title = `${sure.from.toFixed(4)} to ${sure.to.toFixed(4)}`;
    }
    row.element.classList.toggle("tier", Boolean(detail.tier?.has(i)) && sorted.key === "rank" && !sorted.down);
    row.element.classList.toggle("hovered", i === marked);
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

  /** Everybody in the order that is asked for; ties in the order of the ranking. */
  function ordered() {
    const { order } = view.ranking;
    const [, , , key] = COLUMNS.find(([name]) => name === sorted.key);
    if ((sorted.key === "rank" && !sorted.down) || order.length > MOST_SORTED) return order;
    const keys = new Map(Array.from(order, (i) => [i, key({ sure: sureOf(i), lead: leadOf(view, i) }, i, view)]));
    const known = (x) => (Number.isNaN(x) ? Infinity : x);
    const sign = sorted.down ? -1 : 1;
    return Array.from(order).sort((i, j) => {
      const [x, y] = [known(keys.get(i)), known(keys.get(j))];
      return x === y ? 0 : sign * (x < y ? -1 : 1);
    });
  }

  /** The rows to show: found by name, or the first ones and who is selected. */
  function chosen() {
    const { set, state } = view;
    const wanted = find.value.trim().toLowerCase();
    const order = ordered();
    if (!wanted) {
      const shown = Array.from(order.slice(0, limit));
      for (const data of [state.selected, state.pinned]) {
        const i = data === null ? -1 : (view.rowOf.get(data) ?? -1);
        if (i >= 0 && !shown.includes(i)) shown.push(i);
      }
      return shown;
    }
    const shown = [];
    for (const i of order) {
      if (set.names[i].toLowerCase().includes(wanted)) shown.push(i);
      if (shown.length === limit) break;
    }
    return shown;
  }

  /** From the score to a place in percent: the better half has the room; who is far below it is left of it. */
  function scaleFor(shown) {
    const { ranking } = view;
    const defined = shown.filter((i) => ranking.low[i]).sort((i, j) => ranking.low[i] - ranking.low[j]);
    const better = defined.slice(0, Math.max(2, Math.ceil(defined.length / 2)));
    const ends = better.flatMap((i) => [ranking.value[i], sureOf(i)?.from ?? NaN, sureOf(i)?.to ?? NaN]).filter((x) => !Number.isNaN(x));
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const air = 0.06 * (high - low) || 0.01;
    return (x) => (100 * (x - low + air)) / (high - low + 2 * air);
  }

  function update(next) {
    view = next;
    const { set, state, detail } = view;
    const shown = chosen();
    const scale = scaleFor(shown);
    shown.forEach((i, t) => fill(rows[t] ?? addRow(), i, scale));
    rows.forEach((row, t) => (row.element.hidden = t >= shown.length));
    table.classList.toggle("costly", Boolean(view.costs));
    if (view.costs) write({ text: {} }, "cost", view.costs.heading, head.querySelector(".cost button"));
    write({ text: {} }, "keeps", WINS[view.mode][0], head.querySelector(".keeps button"));
    write({ text: {} }, "keeps", WINS[view.mode][1], unit);
    table.classList.toggle("certain", !state.uncertainty || !(view.about && view.follows));
    table.classList.toggle("unranked", Boolean(view.about) && view.about.rows.length < set.n);
    table.classList.toggle("fixed", !view.canShift);
    heads.forEach((th, t) => {
      const [key] = COLUMNS[t];
      if (key === sorted.key) th.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    });
    find.hidden = set.n <= FEW_ROWS;
    more.hidden = find.value.trim() !== "" || limit >= set.n;
    const label = more.hidden ? "" : `Show ${Math.min(100, set.n - limit)} more of ${set.n}`;
    if (more.textContent !== label) more.textContent = label;
    const level = view.about ? `${Number((100 * view.about.level).toPrecision(4))}\u00a0%` : "";
    write({ text: {} }, "tiers", !detail.first ? "" : `Dots: scores; lines: ${level} credible intervals, each by itself.${detail.held === undefined ? "" : ` Ranks: sets that are right at once in ${shareOfDraws(detail.held)} (level: at least ${level}).`}${detail.tier?.size ? " Thick line: the next one is surely worse than the first above it." : detail.tier ? " No thick line: nobody is surely worse than the first." : ""}`, tiers);
    write({ text: {} }, "note", view.note, note);
  }

  function hover(i) {
    if (marked === i) return;
    marked = i;
    for (const row of rows) row.element.classList.toggle("hovered", row.i === i && !row.element.hidden);
  }

  return { update, hover };
}
