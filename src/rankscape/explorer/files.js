// Files in and out: exports, one's own table, the link.

import { commandOf, pythonOf } from "./code.js";
import { tableOf } from "./csv.js";
import { Fraction, quotient } from "./exact.js";
import { make, offer } from "./dom.js";
import { OUTCOMES, exactSides } from "./model.js";
import { csvOf } from "./texts.js";
import { shareFirst } from "./uncertainty.js";

/** The shares of the outcomes of a row: as they were given, or its exact ratios, rounded once. */
function exportedShares(set, i) {
  const given = set.data.cells[set.rows[i]][set.used[0]];
  const sum = given.reduce((x, y) => x + Number(y), 0);
  if (!set.data.counts && set.used.length === 1 && set.prior === null && Math.abs(sum - 1) < 1e-15) return given.map(Number);
  const row = set.exact(i);
  const total = row.reduce((x, y) => x + y);
  return row.map((x) => quotient(x, total));
}

/** Who is how probably first, by row: empty where there are no draws. */
function probabilities(view) {
  const sample = view.sampleNow();
  const first = sample ? shareFirst(sample, view.importance) : [];
  return new Map(Array.from(first, (x, t) => [sample.chosen[t], Number.isNaN(x) ? "" : Number(x.toPrecision(12))]));
}

/** The first columns are those of `frame()` in Python, of a ranking and of its intervals; the last ones are read back as data. */
const EXPORTED = ["rank", "entity", "value", "rank_low", "rank_high", "reason", "low", "high", "p_first", "value_low", "value_high", "tier", "area", "area_at_half", "behind_first", "flip_distance", ...OUTCOMES];

/** What draws say of a row: [low, high, value_low, value_high], empty where there are none. */
function drawnOf({ detail, ranking }, i) {
  const at = ranking.low[i] ? detail.placeOf.get(i) : undefined;
  const of = (numbers) => (at === undefined || !numbers || Number.isNaN(numbers[at]) ? "" : Number(numbers[at].toPrecision(12)));
  return [of(detail.low), of(detail.high), of(detail.values?.from), of(detail.values?.to)];
}

/** The leaderboard as rows for a CSV, everybody in order; numbers are exact ratios, rounded once, where they are ratios. */
function leaderboardRows(view) {
  const { set, ranking } = view;
  const { costs } = view;
  const header = [...EXPORTED.slice(0, 3), ...(costs ? ["expected_cost"] : []), ...EXPORTED.slice(3)];
  const whole = (x) => (x === 0 ? "" : x);
  const sides = exactSides(set, view.importance);
  const ratio = (i) => {
    const [s, u] = sides(i);
    return new Fraction(s, s + u);
  };
  const best = ranking.defined ? ratio(ranking.order[0]) : null;
  const detail = view.details();
  const { flips, even } = detail;
  let tier = 1;
  const first = probabilities(view);
  const rows = Array.from(ranking.order, (i) => {
    const region = view.regionOf.get(i);
    const value = ranking.low[i] ? ratio(i) : null;
    const share = region === undefined ? 0 : Number(view.regions[region].area.toPrecision(12));
    const half = even ? Number((even.get(i) ?? 0).toPrecision(12)) : "";
    const far = flips.get(i) ?? Infinity;
    const flip = Number.isFinite(far) ? Number(far.toPrecision(12)) : "";
    const [low, high, from, to] = drawnOf({ detail, ranking }, i);
    if (detail.tier?.has(i)) tier++;
    const cost = costs ? [Number(costs.each(i).toPrecision(12))] : [];
    const place = [value ? value.number : "", ...cost, whole(ranking.low[i]), whole(ranking.high[i]), value ? "" : "no case that counts for this preference"];
    const sure = [low, high, first.get(i) ?? "", from, to, value && detail.tier ? tier : ""];
    return [whole(ranking.low[i]), set.names[i], ...place, ...sure, share, half, value ? best.minus(value).number : "", flip, ...exportedShares(set, i)];
  });
  return [header, ...rows];
}

/** Everything that the page says now, as JSON. */
function documentOf(view, { draws: _, dethroned: _words, ...source }, link) {
  const { state, set } = view;
  const [header, ...rows] = leaderboardRows(view);
  const board = rows.map((row) => Object.fromEntries(header.map((key, t) => [key, row[t] === "" ? null : row[t]])));
  const shares = view.regions.map(({ rows: members, area }) => ({ entities: members.map((i) => set.names[i]), area }));
  const sure = view.about ? { level: view.about.level, held: view.details().held ?? null } : { level: null, held: null };
  return { schema: "rankscape/explorer/1", link, state, weights: view.weights, prior: set.common, ...sure, leaderboard: board, first: shares, data: source };
}

const OWN = "It does not carry your table: whoever opens it needs the table too (Data CSV).";
const LOCAL = "This page is a file on this machine, so the link opens here only: for others, send the file and the link.";

/** The button that copies the link to what is shown. */
export function sharer(act) {
  const copy = async () => {
    const link = `${location.href.split("#")[0]}#${act.link()}`;
    const notes = [act.dropped() ? OWN : "", location.protocol === "file:" ? LOCAL : ""].filter(Boolean).join(" ");
    try {
      await navigator.clipboard.writeText(link);
      act.say(`The link to this view is copied. ${notes}`.trim());
    } catch {
      act.say(`${notes} Copy the link to this view: ${link}`.trim());
    }
  };
  return make("button", { type: "button", title: "Copy the link to what is shown", onclick: copy }, "Copy link");
}

/** The dialog of the exports. */
export function exportButtons(root, act) {
  const button = (label, onclick) => make("button", { type: "button", onclick }, label);
  const picture = (which, label) =>
    make("span", {}, button(`${label} SVG`, () => offer(`${which}.svg`, act.pictures.svg(which, bare.checked), "image/svg+xml")), button(`${label} PNG`, async () => offer(`${which}.png`, await act.pictures.png(which, bare.checked), "image/png")));
  const bare = make("input", { type: "checkbox" });
  const copied = make("span", { role: "status" });
  const code = make("textarea", { readonly: true, hidden: true, rows: "9", spellcheck: "false", "aria-label": "Code" });
  async function copyCode(text) {
    code.hidden = false;
    code.value = text;
    try {
      await navigator.clipboard.writeText(text);
      copied.textContent = "copied";
    } catch {
      code.select();
      copied.textContent = "copy it from here";
    }
  }
  const dialog = make(
    "dialog", { class: "export", "aria-label": "Export" },
    make("h2", {}, "Take it with you"),
    make("h3", {}, "Pictures"),
    make("div", { class: "bar" }, picture("tile", "Tile"), picture("roc", "ROC"), picture("pr", "PR"), make("label", { class: "check" }, bare, " picture only, without title and caption")),
    make("h3", {}, "Tables"),
    make(
      "div", { class: "bar" },
      button("Leaderboard CSV", () => offer("leaderboard.csv", csvOf(leaderboardRows(act.view())), "text/csv")),
      button("Data CSV", () => offer("data.csv", tableOf(act.source()), "text/csv")),
      button("Everything JSON", () => offer("explorer.json", `${JSON.stringify(documentOf(act.view(), act.source(), act.link()))}\n`, "application/json")),
    ),
    make("h3", {}, "Code that makes what is shown, from that data.csv"),
    make("div", { class: "bar" }, button("Copy as Python", () => copyCode(pythonOf(act.view()))), button("Copy as command line", () => copyCode(commandOf(act.view()))), copied),
    code,
    make("h3", {}, "Paper"),
    make("div", { class: "bar" }, button("Print, or save as PDF", () => (dialog.close(), globalThis.print()))),
    make("div", { class: "bar end" }, button("Close", () => dialog.close())),
  );
  root.append(dialog);
  return dialog;
}

/** Take a table by a button or by dropping it anywhere; returns a function that stops that. */
export function dropTarget(root, box, take) {
  const input = make("input", { type: "file", accept: ".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,application/json", "aria-label": "Your own table", onchange: () => input.files[0] && read(input.files[0]) });
  box.append(make("h2", {}, "Your own table"), make("p", {}, "Drop a table (CSV, TSV, JSON) with the columns entity, tn, fp, fn, tp (and perhaps domain) anywhere, or choose one. It stays on this machine. "), input);
  const read = async (file) => {
    await take(file);
    input.value = "";
  };
  const over = (event) => {
    event.preventDefault();
    root.classList.add("dropping");
  };
  const leave = () => root.classList.remove("dropping");
  const drop = (event) => {
    event.preventDefault();
    leave();
    const file = event.dataTransfer?.files[0];
    if (file) read(file);
  };
  const listeners = { dragover: over, dragleave: leave, drop };
  for (const [name, listener] of Object.entries(listeners)) root.addEventListener(name, listener);
  return () => Object.entries(listeners).forEach(([name, listener]) => root.removeEventListener(name, listener));
}
