// The preference panel: four editors of one preference, the prior, the weights of the domains.

import { importanceAt, oddsOf, placeOf, placeOfOdds, OUTCOMES } from "./model.js";
import { shortName } from "./names.js";
import { complaint, numberField } from "./fields.js";
import { make } from "./dom.js";
import { LEAST_PRIOR, LARGEST_WEIGHT, PRESETS, presetAt } from "./state.js";
import { staysFirst } from "./sentences.js";
import { help } from "./terms.js";
import { positives } from "./texts.js";

const ABOUT = [["Prior", "prior"], ["Weights", "weights"]];

const field = (label, input, after = "") => make("label", {}, make("span", {}, label), input, after);
const round = (x) => Number(x.toPrecision(5));

/** Build the panel into an element; `change(patch)` takes a part of the state. Returns {update(view)}. */
export function panel(root, change) {
  const editing = (input) => document.activeElement === input || root.getRootNode().activeElement === input;
  const put = (input, value) => {
    if (!editing(input) && input.value !== String(value)) input.value = String(value);
  };
  const range = (label, key) =>
    make("input", { type: "range", min: "0", max: "1", step: "0.001", "aria-label": label, oninput: (e) => change({ [key]: Number(e.target.value) }) });
  const restore = () => update(last);
  const number = (label, says, use, attributes = {}) => numberField({ label, says, use, restore, min: "0", ...attributes });
  const positive = (apply) => (x) => (x >= 0 ? apply(x) : "0 or more");

  const a = range("a: from correct rejections to detections", "a");
  const b = range("b: from false alarms to misses", "b");
  const sliders = section("Sliders", field("a: rejections → detections", a), field("b: false alarms → misses", b));

  const [aboutRates, aboutWeights, aboutBeta, aboutPrior, aboutDomains] = Array.from({ length: 5 }, complaint);
  const miss = number("How many false alarms a miss counts as", aboutRates, positive((x) => change({ b: placeOfOdds(x) })));
  const detection = number("How many correct rejections a detection counts as", aboutRates, positive((x) => change({ a: placeOfOdds(x) })));
  const cost = number("What a miss costs, in false alarms", aboutRates, positive((x) => change({ a: placeOfOdds(x), b: placeOfOdds(x) })));
  const rates = section(
    "Exchange rates and costs",
    field("a miss counts as", miss, "false alarms"), field("a detection counts as", detection, "rejections"), field("or: a miss costs", cost, "false alarms"), aboutRates,
  );

  const importances = OUTCOMES.map((outcome) =>
    number(`Importance of ${outcome}`, aboutWeights, () => {
      const typed = importances.map((input) => Number(input.value));
      const place = typed.every((x) => x >= 0) && placeOf(typed);
      return place && [place.a, place.b].every(Number.isFinite) ? change(place) : "0 or more, tn and tp not both 0, fp and fn not both 0";
    }),
  );
  const weights = section("Importances", ...OUTCOMES.map((outcome, k) => field(outcome, importances[k])), aboutWeights);

  const options = PRESETS.map((preset) => make("option", { value: preset.id }, preset.label));
  const picker = make(
    "select",
    {
      "aria-label": "A named score",
      onchange: () => {
        const place = PRESETS.find((preset) => preset.id === picker.value)?.place(last.set.common);
        if (place) change(place);
      },
    },
    make("option", { value: "" }, "no named score"), ...options,
  );
  const beta = number("β of an F-score", aboutBeta, positive((x) => change({ a: 1, b: placeOfOdds(x * x) })));
  const scores = section("Named score", field("score", picker), field("or Fβ with β =", beta), aboutBeta);

  const LOGIT = 7;
  const prior = make("input", { type: "range", min: -LOGIT, max: LOGIT, step: "0.01", "aria-label": "Share of positives, on a logarithmic scale", oninput: () => change({ prior: round(1 / (1 + Math.exp(-prior.value))) }) });
  const [least, most] = [0.0001, 99.9999]; // those of LEAST_PRIOR, in percent
  const usePercent = (x) => (x >= least && x <= most ? change({ prior: Math.min(1 - LEAST_PRIOR, Math.max(LEAST_PRIOR, Number((x / 100).toPrecision(12)))) }) : `${least} to ${most}`);
  const share = number("Share of positives in percent", aboutPrior, usePercent, { max: "100" });
  const measured = make("button", { type: "button", onclick: () => change({ prior: null }) }, "as measured");
  const priorText = make("p", { class: "note" });
  const reach = make("i");
  const marked = make("span", { class: "reach" }, prior, make("span", { "aria-hidden": "true" }, reach));
  const onSlider = (x) => 100 * Math.min(1, Math.max(0, (Math.log(x / (1 - x)) + LOGIT) / (2 * LOGIT)));
  const priors = section("Prior: share of positives", field("positives", marked), field("in percent", share, measured), aboutPrior, priorText);

  const domainList = make("div", { class: "domains" });
  const equal = make("button", { type: "button", onclick: () => change({ weights: null }) }, "back to the start");
  const domains = section("Weights of the domains", domainList, aboutDomains, equal);
  let last = null;
  let domainInputs = [];
  root.append(scores, sliders, rates, weights, priors, domains);

  function section(title, ...children) {
    const about = ABOUT.find(([start]) => title.startsWith(start));
    return make("fieldset", {}, make("legend", {}, title, about && " ", about && help(about[1])), ...children);
  }

  function buildDomains(data) {
    domainInputs = data.domains.map((domain, d) =>
      number(`Weight of ${shortName(domain, 60)}`, aboutDomains, (x) => {
        const next = last.weights.map((weight, e) => (e === d ? x : weight));
        return x >= 0 && x < LARGEST_WEIGHT && next.some((weight) => weight > 0) ? change({ weights: next }) : "0 or more, below 10⁹, not all of them 0";
      }),
    );
    const solo = (d) => make("button", { type: "button", "aria-label": `${shortName(data.domains[d], 60)} alone`, onclick: () => change({ weights: data.domains.map((_, e) => (e === d ? 1 : 0)) }) }, "alone");
    domainList.replaceChildren(...data.domains.map((domain, d) => field(shortName(domain, 22), domainInputs[d], solo(d))));
  }

  function update(view) {
    const { state, set } = view;
    if (last?.set.data !== set.data) buildDomains(set.data);
    last = view;
    put(a, state.a);
    put(b, state.b);
    const rate = (x) => (x === Infinity ? "" : round(x));
    put(miss, rate(oddsOf(state.b)));
    put(detection, rate(oddsOf(state.a)));
    miss.placeholder = state.b >= 1 ? "∞" : "";
    detection.placeholder = state.a >= 1 ? "∞" : "";
    put(cost, Math.abs(state.a - state.b) < 1e-12 ? rate(oddsOf(state.a)) : "");
    put(beta, state.a === 1 && state.b < 1 ? round(Math.sqrt(oddsOf(state.b))) : "");
    if (!importances.some(editing)) importanceAt(state.a, state.b).forEach((x, k) => put(importances[k], round(x)));
    put(picker, presetAt(state.a, state.b, set.common)?.id ?? "");
    options.forEach((option, t) => {
      option.disabled = !PRESETS[t].place(set.common);
      option.textContent = option.disabled ? `${PRESETS[t].label} (needs the same share of positives for all)` : PRESETS[t].label;
    });
    const at = state.prior ?? set.common;
    put(prior, at === null ? 0 : Math.log(at / (1 - at)).toFixed(2));
    put(share, at === null ? "" : Number((100 * at).toPrecision(at > 0.99 ? 8 : 5)));
    for (const input of [prior, share]) input.disabled = !view.canShift;
    measured.disabled = state.prior === null;
    const text = !view.canShift ? "Priors cannot be shifted: somebody has no cases of one class."
      : state.prior !== null ? `Shifted to ${positives(state.prior)} positives.`
      : set.common !== null ? `As measured: ${positives(set.common)} positives.` : "As measured: priors differ between methods.";
    const range = view.priorRange();
    const sentences = range ? `${text} ${staysFirst(view, range)}` : text;
    if (priorText.textContent !== sentences) priorText.textContent = sentences;
    reach.parentElement.style.visibility = range ? "" : "hidden"; // marks where the first stays first
    if (range) Object.assign(reach.style, { left: `${onSlider(range.low)}%`, right: `${100 - onSlider(range.high)}%` });
    domains.hidden = set.data.domains.length < 2;
    if (!domains.hidden) {
      domainInputs.forEach((input, d) => put(input, round(Number(view.weights[d]))));
      equal.disabled = state.weights === null;
    }
  }

  return { update };
}
