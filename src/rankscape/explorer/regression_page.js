// The page of regressors: a leaderboard of errors, sliders for how much cases matter, and the errors of each band.

import { heading, make, shade, tableRegion } from "./dom.js";
import { placesByName } from "./exact.js";
import { shortName } from "./names.js";
import { EVEN, TENTHS, apart, exactMeasure, factorText, intervalStyle, rankedErrors } from "./regression_errors.js";
import { NO_DRAWS, chance, shareOfDraws, span } from "./texts.js";

const REST_TIME = 160;
const LONGEST = 60;
const UNSURE = "How sure this is, rankscape computed only for cases that all matter alike: press “All alike”.";

const carried = JSON.parse(document.getElementById("rankscape-data").textContent);

const cell = (name, text) => make("td", { class: name }, text);

function regressionPage(root, { title, names, bands, sizes, level, measures: packed }) {
  const measures = packed.map(exactMeasure);
  const opened = () => ({ measure: 0, steps: bands.map(() => EVEN) });
  const state = opened();
  const cases = sizes.reduce((sum, size) => sum + size, 0);
  const several = bands.length > 1;
  let rest = 0;

  const lead = make("p", { class: "lead", "aria-hidden": "true" }); // what is heard is `live`, which waits
  const room = make("p", { class: "room", "aria-hidden": "true" }); // what the longest sentence takes, so that no slider jumps
  const widest = names.reduce((best, name, i) => (shortName(name).length > shortName(names[best]).length ? i : best), 0);
  const unsure = make("p", { class: "sure" });
  const live = make("p", { class: "unseen", "aria-live": "polite" });
  const note = make("p", { class: "note" });
  const [head, bandHead] = [make("tr"), make("tr")];
  const [body, bandBody] = [make("tbody"), make("tbody")];
  const choose = make("select", { onchange: () => set({ measure: Number(choose.value) }) }, ...measures.map(({ name }, i) => make("option", { value: String(i) }, name)));
  const sliders = bands.map((band, i) => {
    const output = make("output");
    const input = make("input", { type: "range", min: "0", max: String(TENTHS.length - 1), step: "1", "aria-label": `How much cases with a true value ${band} matter`, oninput: () => set({ steps: state.steps.map((step, other) => (other === i ? Number(input.value) : step)) }) });
    return { input, output, label: make("label", { class: "weight", title: `${sizes[i]} of ${cases} cases` }, make("bdi", {}, band), input, output) };
  });
  const reset = make("button", { type: "button", onclick: () => set({ steps: opened().steps }) }, "All alike");
  root.classList.add("rankscape", "simple");
  root.replaceChildren(
    make("header", {}, make("h1", {}, title), make("div", { class: "slot leads" }, lead, room), make("div", { class: "slot sures", "aria-hidden": "true" }, unsure, make("p", { class: "room" }, measures.some((one) => one.intervals) ? UNSURE : "")), live),
    make("main", {},
      make("section", { class: "board" }, make("h2", {}, "Leaderboard"), tableRegion("Leaderboard", head, body), note),
      make("section", { class: "panel" }, make("h2", {}, "What matters"), make("label", {}, "Error ", choose), ...(several ? [make("p", {}, "How much cases matter, by their true value:"), ...sliders.map(({ label }) => label), make("p", {}, reset)] : [])),
      make("section", { class: "classes", hidden: !several }, make("h2", {}, "By true value"), tableRegion("The error on each band of true values", bandHead, bandBody), make("p", { class: "note" }, "The stronger the color, the better the rank in that column."))),
  );

  const nameCell = (i, ...more) => make("th", { scope: "row", class: "name", title: names[i] }, make("bdi", { class: "whole" }, shortName(names[i], LONGEST)), ...more);

  function meter(value, largest) {
    const fill = make("i", { class: "fill" });
    fill.style.width = value > 0 ? `${largest < Infinity ? (100 * value) / largest : 100}%` : "0";
    return make("span", { class: "meter", "aria-hidden": "true" }, fill);
  }

  function sure([low, high, first, last, p], between) {
    return [cell("interval", low === null || high === null ? "—" : between(low, high)), cell("ranks", first === null ? "—" : span(first, last)), cell("first", p === null ? "—" : chance(p))];
  }

  /** How probably the one that comes first is the best. */
  function certainty(best, intervals) {
    const p = best.length === 1 && names.length > 1 ? intervals[best[0]][4] : null;
    return p === null ? "" : `It is the best with probability ${chance(p)}.`;
  }

  function update() {
    const measure = measures[state.measure];
    const tenths = state.steps.map((step) => TENTHS[step]);
    const { values, ranks } = rankedErrors(measure, tenths);
    const intervals = tenths[0] > 0 && tenths.every((x) => x === tenths[0]) ? measure.intervals : null;
    const byName = placesByName(names);
    const order = names.map((_, i) => i).sort((i, j) => ranks[i] - ranks[j] || byName[i] - byName[j]);
    const texts = apart(values);
    const between = intervalStyle(intervals ?? []);
    const best = order.filter((i) => ranks[i] === 1);
    const few = best.slice(0, best.length > 4 ? 3 : 4).map((i) => shortName(names[i]));
    const last = best.length > few.length ? `${best.length - few.length} more` : few.pop();
    const bests = few.length ? `${few.join(", ")} and ${last}` : last;
    const first = (who, many, value) => `${who} ${many ? "tie for" : "has"} the ${measure.smaller ? "smallest" : "largest"} ${measure.name}, ${value}, of ${names.length} on ${cases} ${cases === 1 ? "case" : "cases"}.`;
    lead.textContent = best.length ? first(bests, best.length > 1, texts[best[0]]) : "No case matters, so nothing can be ranked.";
    room.textContent = first(shortName(names[widest]), false, texts.reduce((long, text) => (text.length > long.length ? text : long), ""));
    unsure.textContent = measure.intervals && !intervals ? UNSURE : measure.intervals ? certainty(best, intervals) : "";
    note.textContent = measure.intervals
      ? `Intervals: ${Number((100 * level).toPrecision(12))}\u00a0% credible, each by itself. Ranks: sets that are right at once in ${shareOfDraws(measure.held)} (level: at least ${Number((100 * level).toPrecision(12))}\u00a0%). P(first) is the probability of being the best. Other cases were drawn, the same for all.`
      : NO_DRAWS;
    head.replaceChildren(
      ...[["Rank", "rank"], ["Method", "name"], ["", "bars"], [measure.smaller ? "Error" : "Share", "value", measure.name], ...(measure.intervals ? [["Interval", "interval"], ["Ranks", "ranks"], ["P(first)", "first"]] : [])].map(heading),
    );
    head.querySelector(".bars").append(make("span", { class: "unseen" }, "Bar"));
    const largest = Math.max(...values, 0);
    const tied = (i) => ranks.filter((rank) => rank === ranks[i]).length > 1;
    body.replaceChildren(
      ...order.map((i) => {
        const rank = Number.isNaN(ranks[i]) ? "—" : `${ranks[i]}${tied(i) ? "=" : ""}`;
        return make("tr", {}, cell("rank", rank), nameCell(i, meter(values[i], largest)), make("td", { class: "bars" }, meter(values[i], largest)), cell("value", texts[i]), ...(intervals ? sure(intervals[i], between) : measure.intervals ? ["interval", "ranks", "first"].map((name) => cell(`${name} unknown`, "–")) : []));
      }),
    );
    byBand(measure, order);
    choose.value = String(state.measure);
    sliders.forEach(({ input, output }, i) => {
      input.value = String(state.steps[i]);
      input.setAttribute("aria-valuetext", `${factorText(state.steps[i])} times`);
      output.textContent = `${factorText(state.steps[i])} ×`;
    });
    clearTimeout(rest);
    rest = setTimeout(settled, REST_TIME);
    return { values, ranks };
  }

  /** The error of each regressor on each band alone, the stronger the color, the better. */
  function byBand(measure, order) {
    const columns = bands.map((_, band) => rankedErrors(measure, bands.map((_, other) => (other === band ? 10 : 0))));
    const texts = columns.map(({ values }) => apart(values));
    bandHead.replaceChildren(heading(["Method", "name"]), ...bands.map((band) => heading([band])));
    bandBody.replaceChildren(
      ...order.map((i) => {
        const cells = columns.map(({ ranks }, band) => {
          const one = cell(null, texts[band][i]);
          one.style.background = shade(-ranks[i], -Math.max(...ranks), -1);
          return one;
        });
        return make("tr", {}, nameCell(i), ...cells);
      }),
    );
  }

  const link = () => `error=${state.measure}&weights=${state.steps.map(factorText).join(",")}`;

  /** What waits until nothing moves: the address, and what is read aloud. */
  function settled() {
    clearTimeout(rest);
    live.textContent = `${lead.textContent} ${unsure.textContent}`.trim();
    history.replaceState(null, "", `#${link()}`);
  }

  function readAddress() {
    const text = location.hash.slice(1);
    if (!text || text === link()) return;
    const read = new URLSearchParams(text);
    const steps = (read.get("weights") ?? "").split(",").map((factor) => TENTHS.findIndex((_, step) => factorText(step) === factor));
    const measure = Number(read.get("error"));
    set({ measure: measure in measures ? measure : 0, steps: steps.length === bands.length && steps.every((step) => step >= 0) ? steps : opened().steps });
  }

  function set(patch) {
    Object.assign(state, patch);
    return update();
  }

  globalThis.addEventListener("hashchange", readAddress);
  update();
  readAddress();
  return { set, settled, tenths: TENTHS };
}

globalThis.rankscape = regressionPage(document.getElementById("rankscape"), carried);
