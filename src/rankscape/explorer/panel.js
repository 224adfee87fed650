// The preference panel: four editors of one preference, the prior, the weights of the domains.

import { importanceAt, oddsOf, placeOf, placeOfOdds, OUTCOMES } from "./model.js";
import { shortName } from "./derived.js";
import { make } from "./pens.js";
import { PRESETS, plain, presetAt } from "./state.js";

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
  const number = (label, apply, max) =>
    make("input", { type: "number", min: "0", max, step: "any", "aria-label": label, oninput: (e) => e.target.value !== "" && Number(e.target.value) >= 0 && apply(Number(e.target.value)) });

  const a = range("a: from correct rejections to detections", "a");
  const b = range("b: from false alarms to misses", "b");
  const sliders = section("Sliders", field("a: rejections → detections", a), field("b: false alarms → misses", b));

  const miss = number("How many false alarms a miss counts as", (x) => change({ b: placeOfOdds(x) }));
  const detection = number("How many correct rejections a detection counts as", (x) => change({ a: placeOfOdds(x) }));
  const cost = number("What a miss costs, in false alarms", (x) => change({ a: placeOfOdds(x), b: placeOfOdds(x) }));
  const rates = section(
    "Exchange rates and costs",
    field("a miss counts as", miss, "false alarms"), field("a detection counts as", detection, "rejections"), field("or: a miss costs", cost, "false alarms"),
  );

  const importances = OUTCOMES.map((outcome) =>
    number(`Importance of ${outcome}`, () => {
      const place = placeOf(importances.map((input) => Number(input.value) || 0));
      if (place) change(place);
    }),
  );
  const weights = section("Importances", ...OUTCOMES.map((outcome, k) => field(outcome, importances[k])));

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
  const beta = number("β of an F-score", (x) => change({ a: 1, b: placeOfOdds(x * x) }));
  const scores = section("Named score", field("score", picker), field("or Fβ with β =", beta));

  const LOGIT = 7;
  const prior = make("input", { type: "range", min: -LOGIT, max: LOGIT, step: "0.01", "aria-label": "Share of positives, on a logarithmic scale", oninput: () => change({ prior: round(1 / (1 + Math.exp(-prior.value))) }) });
  const share = number("Share of positives in percent", (x) => x > 0 && x < 100 && change({ prior: round(x / 100) }), "100");
  const measured = make("button", { type: "button", onclick: () => change({ prior: null }) }, "as measured");
  const priorText = make("p", { class: "note" });
  const priors = section("Prior: how common positives are", field("share of positives", prior), field("in percent", share, measured), priorText);

  const domainList = make("div", { class: "domains" });
  const equal = make("button", { type: "button", onclick: () => change({ weights: null }) }, "back to the start");
  const domains = section("Weights of the domains", domainList, equal);
  let last = null;
  let domainInputs = [];
  root.append(scores, sliders, rates, weights, priors, domains);

  function section(title, ...children) {
    return make("fieldset", {}, make("legend", {}, title), ...children);
  }

  function buildDomains(data) {
    domainInputs = data.domains.map((domain, d) =>
      make("input", {
        type: "number", min: "0", step: "any", "aria-label": `Weight of ${domain}`,
        oninput: () => {
          const next = [...last.weights];
          next[d] = Number(domainInputs[d].value);
          if (next[d] >= 0 && next.some((x) => x > 0)) change({ weights: next });
        },
      }),
    );
    const solo = (d) => make("button", { type: "button", "aria-label": `${data.domains[d]} alone`, onclick: () => change({ weights: data.domains.map((_, e) => (e === d ? 1 : 0)) }) }, "alone");
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
    put(cost, Math.abs(state.a - state.b) < 1e-12 ? rate(oddsOf(state.a)) : "");
    put(beta, state.a === 1 && state.b < 1 ? round(Math.sqrt(oddsOf(state.b))) : "");
    if (!importances.some(editing)) importanceAt(state.a, state.b).forEach((x, k) => put(importances[k], round(x)));
    put(picker, presetAt(state.a, state.b, set.common)?.id ?? "");
    options.forEach((option, t) => (option.disabled = !PRESETS[t].place(set.common)));
    const at = state.prior ?? set.common;
    put(prior, at === null ? 0 : Math.log(at / (1 - at)).toFixed(2));
    put(share, at === null ? "" : round(100 * at));
    for (const input of [prior, share]) input.disabled = !view.canShift;
    measured.disabled = state.prior === null;
    const text = !view.canShift ? "Priors cannot be shifted: somebody has no cases of one class."
      : state.prior !== null ? `Shifted to ${plain(100 * state.prior)} % positives.`
      : set.common !== null ? `As measured: ${plain(100 * set.common)} % positives.` : "As measured: priors differ between entities.";
    if (priorText.textContent !== text) priorText.textContent = text;
    domains.hidden = set.data.domains.length < 2;
    if (!domains.hidden) {
      domainInputs.forEach((input, d) => put(input, round(view.weights[d])));
      equal.disabled = state.weights === null;
    }
  }

  return { update };
}
