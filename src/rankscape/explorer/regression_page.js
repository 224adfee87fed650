// The page of regressors: errors by band of the true values, weighed by sliders; a leaderboard, and a sentence.

import { make } from "./dom.js";
import { shortName } from "./names.js";

const STEPS = [0, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const EVEN = STEPS.indexOf(1);

const carried = JSON.parse(document.getElementById("rankscape-data").textContent);

/** The value of each regressor, where the bands count with these weights: NaN where no case does. */
function valuesOf({ sums, weights, root }, importance) {
  const whole = weights.reduce((sum, w, band) => sum + w * importance[band], 0);
  return sums.map((row) => {
    const value = row.reduce((sum, x, band) => sum + x * importance[band], 0) / whole;
    return root ? Math.sqrt(value) : value;
  });
}

/** The rank of each value, ties at the smallest; NaN has none. */
function ranksOf(values, smaller) {
  const better = (x, y) => (smaller ? x < y : x > y);
  return values.map((x) => (Number.isNaN(x) ? NaN : 1 + values.filter((y) => better(y, x)).length));
}

const digits = (x) => (Number.isNaN(x) ? "—" : Number(x.toPrecision(4)).toString());
const chance = (p) => (p === null ? "—" : p >= 0.995 ? "> 0.99" : p < 0.005 ? "< 0.01" : p.toFixed(2));

function regressionPage(root, { title, names, bands, cases, measures }) {
  const state = { measure: 0, steps: bands.map(() => EVEN) };
  const hash = new URLSearchParams(location.hash.slice(1));
  const kind = measures.findIndex((one) => one.kind === hash.get("by"));
  if (kind >= 0) state.measure = kind;
  const given = (hash.get("weights") ?? "").split(",").map((text) => STEPS.indexOf(Number(text)));
  if (given.length === bands.length && given.every((step) => step >= 0)) state.steps = given;

  const lead = make("p", { class: "lead", "aria-live": "polite" });
  const note = make("p", { class: "note" });
  const head = make("tr");
  const body = make("tbody");
  const table = make("table", {}, make("caption", { class: "unseen" }, "Leaderboard"), make("thead", {}, head), body);
  const choose = make("select", { "aria-label": "Error", onchange: () => ((state.measure = Number(choose.value)), update()) }, ...measures.map((one, i) => make("option", { value: String(i) }, one.name)));
  const sliders = bands.map((band, i) => {
    const output = make("output");
    const input = make("input", { type: "range", min: "0", max: String(STEPS.length - 1), step: "1", "aria-label": `How much cases with a true value ${band} matter`, oninput: () => ((state.steps[i] = Number(input.value)), update()) });
    return { input, output, label: make("label", { class: "weight" }, make("bdi", {}, band), input, output) };
  });
  const reset = make("button", { type: "button", onclick: () => (state.steps.fill(EVEN), update()) }, "all alike");
  root.replaceChildren(
    make("header", {}, make("h1", {}, title), lead),
    make("main", {},
      make("section", { class: "board" }, make("h2", {}, "Leaderboard"), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Leaderboard" }, table), note),
      make("section", { class: "panel" }, make("h2", {}, "What matters"), make("label", {}, "Error ", choose), make("p", {}, "How much cases matter, by their true value:"), ...sliders.map((one) => one.label), reset)),
  );
  root.classList.add("rankscape", "simple");

  function row(i, rank, value, interval, largest) {
    const width = largest > 0 && value > 0 ? (100 * value) / largest : 0;
    const fill = make("span", { class: "fill" });
    fill.style.width = `${width}%`;
    const cells = [make("td", { class: "rank" }, Number.isNaN(rank) ? "—" : String(rank)), make("th", { scope: "row", class: "name", title: names[i] }, make("bdi", {}, shortName(names[i], 60))), make("td", { class: "bars" }, make("span", { class: "meter" }, fill)), make("td", { class: "value" }, digits(value))];
    if (interval) {
      const [low, high, first, last, p] = interval;
      cells.push(make("td", {}, low === null ? "—" : `${digits(low)} to ${digits(high)}`), make("td", {}, first === null ? "—" : `${first}–${last}`), make("td", {}, chance(p)));
    }
    return make("tr", {}, ...cells);
  }

  function update() {
    const measure = measures[state.measure];
    const importance = state.steps.map((step) => STEPS[step]);
    const values = valuesOf(measure, importance);
    const ranks = ranksOf(values, measure.smaller);
    const alike = importance.every((x) => x === importance[0]) && importance[0] > 0;
    const intervals = alike ? measure.intervals : null;
    const order = names.map((_, i) => i).sort((i, j) => (Number.isNaN(ranks[i]) ? Infinity : ranks[i]) - (Number.isNaN(ranks[j]) ? Infinity : ranks[j]) || i - j);
    const best = order.filter((i) => ranks[i] === 1);
    const which = `the ${measure.smaller ? "smallest" : "largest"} ${measure.name}`;
    lead.textContent = best.length
      ? `${best.slice(0, 3).map((i) => shortName(names[i])).join(" and ")}${best.length > 3 ? ` and ${best.length - 3} more` : ""} ${best.length > 1 ? "have" : "has"} ${which}, ${digits(values[best[0]])}, of ${names.length} on ${cases} cases.`
      : "No case matters, so nothing can be ranked.";
    note.textContent = intervals
      ? "Intervals and P(first) are of draws of other cases, the same for all."
      : measure.intervals ? "Intervals are known where all cases matter alike: press “all alike” to see them." : "This page carries no draws.";
    head.replaceChildren(...["rank", "regressor", "", measure.name, ...(intervals ? ["interval", "ranks", "P(first)"] : [])].map((text) => make("th", { scope: "col" }, text)));
    const largest = Math.max(...values.filter((x) => !Number.isNaN(x)), 0);
    body.replaceChildren(...order.map((i) => row(i, ranks[i], values[i], intervals?.[i], largest)));
    choose.value = String(state.measure);
    sliders.forEach(({ input, output }, i) => {
      input.value = String(state.steps[i]);
      output.textContent = `${STEPS[state.steps[i]]} ×`;
    });
    history.replaceState(null, "", `#by=${measure.kind}&weights=${importance.join(",")}`);
    return { values, ranks, names };
  }

  update();
  return { set: (patch) => (Object.assign(state, patch), update()), steps: STEPS };
}

globalThis.rankscape = regressionPage(document.getElementById("rankscape"), carried);
