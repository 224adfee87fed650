// The one state of the simple page, and its link.

import { valueOf } from "./model.js";
import { OF_ONE_CLASS, BALANCED } from "./simple_preference.js";

const LARGEST = 1e9;

/** The state that a page opens with. */
export const openedState = (start) => ({
  a: start.a ?? null, b: start.b ?? null, score: start.score ?? null, of: start.of ?? null, importance: start.importance ?? null,
  weights: start.weights ?? null, selected: null,
});

/** The scores by name that a page knows. */
const scoresOf = (source) => [...source.scores.map(({ name }) => name), ...(source.kind === "classes" ? [BALANCED, ...(source.crisp ? Object.keys(OF_ONE_CLASS) : [])] : [])];

/** The part of a link after #. */
export function linkOfState(state, source) {
  const link = new URLSearchParams({ data: source.hash });
  if (source.kind === "errors") {
    if (source.none) link.set("a", state.a);
    link.set("b", state.b);
  } else if (state.importance) link.set("importance", state.importance.join(" "));
  else link.set("score", state.score);
  if (state.score in OF_ONE_CLASS) link.set("of", source.classes[state.of]);
  if (state.weights) link.set("weights", state.weights.join(" "));
  if (state.selected !== null) link.set("selected", source.entities[state.selected]);
  return link.toString();
}

const inside = (text) => (text && Number(text) >= 0 && Number(text) <= 1 ? Number(text) : null);

function numbersIn(text, many) {
  const numbers = (text ?? "").split(" ").map((x) => (/^[0-9]{10,}$/.test(x) ? x : Number(x)));
  const sound = numbers.length === many && numbers.every((x) => typeof x === "string" || (x >= 0 && x < LARGEST)) && numbers.some((x) => valueOf(x) > 0);
  return sound ? numbers : null;
}

/** Read a link: {state (what it says), foreign (made for other data), broken (parts that make no sense)}. */
export function readState(text, source) {
  const link = new URLSearchParams(text.replace(/^#/, ""));
  const [state, broken] = [{}, []];
  const foreign = link.has("data") && link.get("data") !== source.hash;
  const take = (key, value, more = {}) => {
    if (!link.has(key)) return;
    if (value === null || value === undefined || value === -1) broken.push(key);
    else Object.assign(state, { [key]: value }, more);
  };
  if (source.kind === "errors") {
    if (source.none) take("a", inside(link.get("a")));
    take("b", inside(link.get("b")));
  } else {
    const score = scoresOf(source).find((name) => name === link.get("score"));
    take("score", score, { importance: null });
    if (state.score in OF_ONE_CLASS) take("of", source.classes.indexOf(link.get("of")));
    if (state.score in OF_ONE_CLASS && state.of === undefined) delete state.score;
    const many = source.kind === "classes" ? source.classes.length : source.outcomes.length;
    if (source.kind === "classes" || source.weighs) take("importance", numbersIn(link.get("importance"), many)?.map(Number), { score: null });
  }
  if (!foreign) {
    if (link.has("data")) state.weights = null;
    take("weights", numbersIn(link.get("weights"), source.domains?.length ?? 0));
    take("selected", source.entities.indexOf(link.get("selected")));
  }
  return { state, foreign, broken };
}
