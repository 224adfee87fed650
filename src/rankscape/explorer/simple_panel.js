// The preference on the simple page: one main slider, weights of classes or outcomes, and the weights of the domains.

import { make } from "./dom.js";
import { HUES, REST } from "./palette.js";
import { complaint, numberField } from "./fields.js";
import { oddsOf, placeOfOdds, sizesOf } from "./model.js";
import { shortName } from "./names.js";
import { BALANCED, OF_ONE_CLASS, balancedWeights } from "./simple_preference.js";
import { marks, oneDecimal, range, worthOfMiss } from "./simple_sentences.js";
import { shareOf, withShare } from "./simple_shares.js";
import { help } from "./terms.js";
import { listed, plain } from "./texts.js";

const TERMS_OF = { "What is a miss worth?": "miss", "Weights of the domains": "weights", "Weights of the benchmarks": "weights", "Weights of the bands": "weights" };
const section = (title, ...children) => make("fieldset", {}, make("legend", {}, title, ...(title in TERMS_OF ? [" ", help(TERMS_OF[title])] : [])), ...children);
const MOST_HUES = HUES.length;

/** A slider with its value in words behind it. Returns {element, update(value, text)}. */
function slider({ label, name = label, title, low = 0, high, step, use, marked = false }) {
  const input = make("input", { type: "range", min: low, max: high, step, "aria-label": name, oninput: () => use(Number(input.value)) });
  const text = make("output", { "aria-hidden": "true" });
  const reach = make("i");
  const track = marked ? make("span", { class: "reach" }, input, make("span", { "aria-hidden": "true" }, reach)) : input;
  const element = make("label", { class: "weight" }, make("bdi", { title }, label), track, text);
  return {
    element, input,
    update(value, words, most = high) {
      if (Number(input.max) !== most) input.max = most;
      if (Number(input.value) !== value) input.value = value;
      input.setAttribute("aria-valuetext", words);
      text.textContent = words;
    },
    mark(from, to) {
      reach.parentElement.style.visibility = from === null ? "hidden" : "";
      if (from !== null) Object.assign(reach.style, { left: `${100 * from}%`, right: `${100 * (1 - to)}%` });
    },
  };
}

/** Build the panel into an element; `change(patch)` takes a part of the state. Returns {update(view)}. */
export function simplePanel(root, source, change) {
  const parts = { errors, classes: weighted, outcomes: weighted, one: nothing }[source.kind](root, source, change);
  const domains = source.domains?.length > 1 ? domainSliders(root, source, change) : null;
  return {
    update(view) {
      parts?.(view);
      domains?.(view);
    },
  };
}

function nothing(root, source) {
  const why = source.success ? "A case is right or wrong" : source.graded ? "Each case has a grade" : "There are two outcomes";
  if (source.amounts) root.append(make("p", { class: "note" }, "How much a case counts may depend on its true value: give the bands of true values other weights."));
  else root.append(make("p", { class: "note" }, `${why}, so every ranking score gives the same order: there is no preference to choose.`));
}

/** What a miss is worth: the strip of who comes first, the slider below it, and named scores as marks. */
function errors(root, source, change) {
  const strip = make("div", { class: "strip", role: "img", "aria-label": "Who comes first, from precision on the left to recall on the right; the list below has the borders" });
  const needle = make("i", { class: "needle" });
  const ticks = make("div", { class: "ticks" }, ...marks().map(([b, name]) => {
    const button = make("button", { type: "button", onclick: () => change({ b }) }, name);
    button.style.left = `${100 * b}%`;
    return button;
  }));
  const input = make("input", { type: "range", min: 0, max: 1, step: 0.01, "aria-label": "What a miss is worth, from precision to recall", oninput: () => change({ b: Number(input.value) }) });
  const text = make("p", { class: "worth", "aria-hidden": "true" });
  const about = complaint();
  let last = null;
  const typed = numberField({ label: "How many false alarms a miss is worth", says: about, min: "0", restore: () => update(last), use: (x) => (x >= 0 ? change({ b: placeOfOdds(x) }) : "0 or more") });
  const legend = make("ul", { class: "legend" });
  const main = section("What is a miss worth?", text, make("div", { class: "side" }, strip, needle, input, ticks), make("label", {}, make("span", {}, "a miss is worth"), typed, "false alarms"), about, legend, make("p", { class: "note" }, `A miss is a false negative (fn), a false alarm a false positive (fp)${source.none ? ", a detection a true positive (tp)" : ""}.`));
  main.classList.add("wide");
  root.append(main);
  const none = source.none ? slider({ label: "none → detections", name: "From inputs rightly left empty to detections", high: 1, step: 0.01, use: (a) => change({ a }) }) : null;
  if (none) root.append(section("Inputs without a result", none.element));

  function update(view) {
    last = view;
    const { state } = view;
    const all = view.strip();
    const hues = new Map();
    for (const { rows } of all) if (!hues.has(rows[0])) hues.set(rows[0], hues.size < MOST_HUES ? HUES[hues.size] : REST);
    strip.replaceChildren(...all.map(({ rows, from, to }) => {
      const part = make("i");
      Object.assign(part.style, { left: `${100 * from.number}%`, width: `${100 * (to.number - from.number)}%`, background: hues.get(rows[0]) });
      return part;
    }));
    needle.style.left = `${100 * state.b}%`;
    if (Number(input.value) !== state.b) input.value = state.b;
    input.setAttribute("aria-valuetext", worthOfMiss(state.b));
    const words = worthOfMiss(state.b);
    text.textContent = `${words[0].toUpperCase()}${words.slice(1)}.`;
    if (typed.getRootNode().activeElement !== typed) {
      typed.value = state.b >= 1 ? "" : Number(oddsOf(state.b).toPrecision(5));
      typed.placeholder = state.b >= 1 ? "∞" : "";
    }
    legend.replaceChildren(...all.map(({ rows, from, to }) => {
      const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
      swatch.style.background = hues.get(rows[0]);
      return make("li", {}, swatch, make("bdi", {}, listed(rows.map(view.labelOfRow), 3, " = ")), `: ${range(from.number, to.number)}`);
    }));
    if (none) {
      const odds = oddsOf(state.a);
      none.update(state.a, odds === Infinity ? "only detections count" : odds === 0 ? "only empty ones count" : odds >= 1 ? `a detection is worth ${plain(odds)}` : `one is worth ${plain(1 / odds)} detections`);
    }
  }
  return update;
}

/** Named scores, and a weight for each class, or outcome. */
function weighted(root, source, change) {
  const several = source.kind === "classes";
  const items = several ? source.classes : source.outcomes;
  const custom = several ? "weights of the classes" : "these importances";
  const ofOne = several && source.crisp ? Object.entries(OF_ONE_CLASS) : [];
  const score = make("select", { "aria-label": "Score", onchange: choose }, ...source.scores.map(({ name }) => make("option", { value: name }, name)));
  if (several) score.append(make("option", { value: BALANCED }, BALANCED));
  for (const [id, { label }] of ofOne) score.append(make("option", { value: id }, `${label} of one class`));
  const customized = make("option", { value: "" }, custom);
  if (source.weighs) score.append(customized);
  const which = make("select", { "aria-label": "Class", onchange: choose }, ...source.classes.map((name, c) => make("option", { value: c }, shortName(name, 40))));
  root.append(section("Score", make("div", { class: "bar" }, score, which)));
  let last = null;
  const sliders = source.weighs ? items.map((name, k) => slider({ label: shortName(name, 24), title: name, name: `Weight of ${shortName(name, 60)}`, high: 10, step: 0.1, use: (x) => weigh(k, x) })) : [];
  if (sliders.length) root.append(section(several ? "How much each class counts" : "How much each outcome counts", make("div", { class: "domains" }, ...sliders.map(({ element }) => element))));

  function choose() {
    if (score.value === "") change({ importance: implied(last), score: null, of: null });
    else change({ score: score.value, importance: null, of: score.value in OF_ONE_CLASS ? Number(which.value) : null });
  }
  function weigh(k, x) {
    const importance = implied(last).map((weight, i) => (i === k ? x : weight));
    if (importance.some((weight) => weight > 0)) change({ importance, score: null, of: null });
    else update(last);
  }
  /** The weights that the sliders show: those chosen, or those of the score. */
  function implied({ state, set }) {
    if (state.importance) return state.importance;
    if (several && state.score === "recall") return items.map((_name, c) => (c === state.of ? 1 : 0));
    if (several && state.score === BALANCED) {
      const weights = balancedWeights(source, set)?.map(Number);
      const mean = weights && weights.reduce((x, y) => x + y, 0) / weights.length;
      return weights ? weights.map((x) => Number((x / mean).toPrecision(6))) : items.map(() => 1);
    }
    const named = several ? null : source.scores.find(({ name }) => name === state.score);
    const scale = source.satisfaction && Number(source.satisfaction[0][0]) + Number(source.satisfaction[1][0]);
    return named ? items.map((_name, k) => (Number(named.earned[k]) + Number(named.lost[k])) / scale) : items.map(() => 1);
  }

  function update(view) {
    last = view;
    const { state } = view;
    score.value = state.importance ? "" : state.score;
    which.hidden = !(state.score in OF_ONE_CLASS);
    if (!which.hidden) which.value = state.of;
    const weights = implied(view);
    const top = Math.max(10, ...weights);
    sliders.forEach((one, k) => one.update(weights[k], plain(weights[k]), top));
  }
  return update;
}

/** The share of each domain in the weight, the others in proportion. */
function domainSliders(root, source, change) {
  if (source.pooled) {
    root.append(section("Weights of the domains", make("p", { class: "note" }, "Counts are added (pooled), because a domain has nothing to be found. Domains then have no weights.")));
    return null;
  }
  let last = null;
  const sliders = source.domains.map((name, d) =>
    slider({ label: shortName(name, 24), title: name, name: `Share of ${shortName(name, 60)} in percent, the others in proportion`, high: 100, step: 1, marked: true, use: (x) => change({ weights: withShare(last.weights, d, x / 100) }) }),
  );
  const button = (label, weights) => make("button", { type: "button", onclick: () => change({ weights: weights() }) }, label);
  const equal = button("equal", () => last.start);
  const size = source.counts ? button("by size", () => sizesOf(last.data)) : null;
  const back = source.given ? button("as opened", () => source.given) : null;
  const { noun } = source;
  const note = make("p", { class: "note" }, `A slider moves one ${noun}, the others keep their proportions. The bar below it marks where the winner stays first.`);
  root.append(section(`Weights of the ${noun}s`, make("div", { class: "bar" }, equal, size, back), make("div", { class: "domains" }, ...sliders.map(({ element }) => element)), note));
  return (view) => {
    last = view;
    const reaches = view.reaches();
    sliders.forEach((one, d) => {
      const share = shareOf(view.weights, d);
      one.update(Number((100 * share).toFixed(2)), oneDecimal(share));
      one.mark(reaches[d]?.low ?? null, reaches[d]?.high ?? null);
    });
  };
}
