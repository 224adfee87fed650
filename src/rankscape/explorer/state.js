// The one state of the explorer, its link, the named preferences, and what they say in words.

import { oddsOf, placeOfOdds } from "./model.js";
import { plain } from "./texts.js";

export const LEAST_PRIOR = 1e-6;
export const LARGEST_WEIGHT = 1e9;

/** The state that a page opens with, at a place of the Tile: that of F1, unless another one is asked for. */
export const initialState = ({ a, b, weights, prior } = { a: 1, b: 0.5 }) => ({
  flavor: "entity", a, b, prior: prior ?? null, weights: weights ?? null, selected: null, pinned: null, uncertainty: true, rank: 2, score: "mcc", whole: false, imagined: null, path: null,
});

const beta = (x) => ({ a: 1, b: placeOfOdds(x * x) });

/**
 * How the preference is asked for, which follows from its place: "costs" of the two errors (a = b), an "f"-score, in which
 * correct rejections do not count (a = 1), or "free". Where paths cross, it is the `path` on which the control came.
 */
export const modeOf = ({ a, b, path }) => (path === "free" ? "free" : a === 1 && !(b === 1 && path === "costs") ? "f" : a === b ? "costs" : "free");

/** The part of the state that a rate is in a mode; free leaves a as it is. */
export function placeIn(mode, rate) {
  const b = placeOfOdds(rate);
  return mode === "free" ? { b, path: mode } : { a: mode === "costs" ? b : 1, b, path: mode };
}

/** Named scores with a place on the Tile; some need the prior that all entities share; `orders`: only the order is theirs. */
export const PRESETS = [
  { id: "accuracy", label: "Accuracy", short: "Accuracy", place: () => ({ a: 0.5, b: 0.5 }) },
  { id: "f1", label: "F₁ (orders as IoU)", name: "F₁", short: "F₁, IoU", place: () => beta(1) },
  { id: "f2", label: "F₂", short: "F₂", place: () => ({ a: 1, b: 0.8 }) },
  { id: "f0.5", label: "F½", short: "F½", place: () => ({ a: 1, b: 0.2 }) },
  { id: "tpr", label: "Recall (TPR)", place: () => ({ a: 1, b: 1 }) },
  { id: "ppv", label: "Precision (PPV)", place: () => ({ a: 1, b: 0 }) },
  { id: "tnr", label: "Specificity (TNR)", place: () => ({ a: 0, b: 0 }) },
  { id: "npv", label: "NPV", place: () => ({ a: 0, b: 1 }) },
  { id: "ba", label: "Balanced accuracy", long: "balanced accuracy", short: "BA", place: (prior) => prior !== null && { a: 1 - prior, b: 1 - prior } },
  {
    id: "kappa", label: "Order of Cohen’s κ", name: "Cohen’s κ", short: "κ", orders: true,
    place: (prior) => prior !== null && { a: (1 - prior) ** 2 / ((1 - prior) ** 2 + prior ** 2), b: 0.5 },
  },
];

/** Who asks: how many false alarms a miss costs them; `f`: an F-score instead, in which it weighs that many. */
export const ASKERS = [
  { id: "balanced", label: "equal", rate: 1, about: "A miss and a false alarm are equally bad." },
  { id: "spam", label: "spam filter", rate: 1 / 3, about: "A letter that is lost is worse than three that should have been stopped: a miss costs a third of a false alarm." },
  { id: "search", label: "search", rate: 1 / 4, f: "F½", about: "What is listed must be right, and nobody counts what is rightly left out: precision counts more than recall (F½)." },
  { id: "screening", label: "screening", rate: 10, about: "A second test is cheap and a missed illness is not: a miss costs ten false alarms." },
  { id: "safety", label: "safety", rate: 30, about: "A miss is an accident: it costs thirty false alarms." },
];

/** The named score at a place, undefined where there is none. */
export function presetAt(a, b, prior) {
  return PRESETS.find((preset) => {
    const place = preset.place(prior);
    return place && Math.abs(place.a - a) < 1e-9 && Math.abs(place.b - b) < 1e-9;
  });
}

const times = (x, one, many) => (plain(x) === "1" ? `counts as much as a ${one}` : `counts as ${plain(x)} ${many}`);

const missText = (b) => {
  const miss = oddsOf(b);
  return miss === Infinity ? "only misses count as failures" : miss === 0 ? "only false alarms count as failures"
    : miss >= 1 ? `a miss ${times(miss, "false alarm", "false alarms")}`
    : `a false alarm ${times(1 / miss, "miss", "misses")}`;
};

/** What the a of a preference says in words. */
export const detectionText = (a) => {
  const detection = oddsOf(a);
  return detection === Infinity ? "only detections count as successes" : detection === 0 ? "only correct rejections count as successes"
    : detection >= 1 ? `a detection ${times(detection, "correct rejection", "correct rejections")}`
    : `a correct rejection ${times(1 / detection, "detection", "detections")}`;
};

/** What a preference says: its exchange rates in words. */
export const preferenceText = (a, b) => `${missText(b)}, ${detectionText(a)}`;

/** The part of a link after #, with the hash of the data that it was made for. */
export function linkOf(state, data, hash) {
  const link = new URLSearchParams();
  link.set("data", hash);
  link.set("view", state.flavor);
  link.set("a", state.a);
  link.set("b", state.b);
  if (modeOf(state) !== modeOf({ ...state, path: null })) link.set("path", state.path);
  if (state.prior !== null) link.set("prior", state.prior);
  if (state.weights) link.set("weights", state.weights.join(" "));
  if (state.selected !== null) link.set("selected", data.entities[state.selected]);
  if (state.pinned !== null) link.set("pinned", data.entities[state.pinned]);
  if (!state.uncertainty) link.set("uncertainty", "0");
  if (state.whole) link.set("whole", "1");
  if (state.imagined) link.set("imagined", state.imagined.join(" "));
  if (state.flavor === "entity_at_rank") link.set("rank", state.rank);
  if (state.flavor === "correlation") link.set("score", state.score);
  return link.toString();
}

/** A weight as a link writes it: a number, or the digits of an integer above those that one may type. */
const weightOf = (text) => (/^[0-9]{10,}$/.test(text) ? text : Number(text));

const inside = (text, low, high) => (text !== null && text !== "" && Number(text) >= low && Number(text) <= high ? Number(text) : null);

/**
 * Read a link: {state (what it says), foreign (made for other data), broken (parts that make no sense)}. A link that the
 * page made for these data says all: without a prior, or weights, it means those of the data.
 */
export function readLink(text, data, hash, { flavors, scores }) {
  const link = new URLSearchParams(text.replace(/^#/, ""));
  const state = {};
  const broken = [];
  const take = (key, value) => {
    if (!link.has(key)) return;
    if (value === null || value === undefined || value === -1) broken.push(key);
    else state[key === "view" ? "flavor" : key] = value;
  };
  const foreign = link.has("data") && link.get("data") !== hash;
  if (link.has("data") && !foreign) Object.assign(state, { prior: null, weights: null });
  take("view", flavors.find((id) => id === link.get("view")));
  take("a", inside(link.get("a"), 0, 1));
  take("b", inside(link.get("b"), 0, 1));
  take("path", ["costs", "free"].find((mode) => mode === link.get("path")));
  take("prior", inside(link.get("prior"), LEAST_PRIOR, 1 - LEAST_PRIOR));
  take("score", scores.find((id) => id === link.get("score")));
  if (link.has("uncertainty")) state.uncertainty = link.get("uncertainty") === "1";
  if (link.has("whole")) state.whole = link.get("whole") === "1";
  const point = (link.get("imagined") ?? "").split(" ").map((x) => inside(x, 0, 1));
  take("imagined", point.length === 2 && !point.includes(null) ? point : null);
  if (!foreign) {
    take("selected", data.entities.indexOf(link.get("selected")));
    take("pinned", data.entities.indexOf(link.get("pinned")));
    const rank = inside(link.get("rank"), 1, data.entities.length);
    take("rank", rank !== null && Number.isInteger(rank) ? rank : null);
    const weights = (link.get("weights") ?? "").split(" ").map(weightOf);
    const sound = weights.length === (data.domains?.length || 1) && weights.every((x) => typeof x === "string" || (x >= 0 && x < LARGEST_WEIGHT)) && weights.some((x) => x > 0);
    take("weights", sound ? weights : null);
  }
  return { state, foreign, broken };
}
