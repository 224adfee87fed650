// Questions that views of the page answer, a sentence about each.

import { make } from "./dom.js";
import { lacking, flavorOf, impossible } from "./maps.js";
import { preferenceAt, rank } from "./model.js";

const leader = ({ set, leader: i }) => (i < 0 ? null : set.rows[i]);
const firstBy = (a, b) => ({ set }) => {
  const { order, defined } = rank(set, preferenceAt(a, b));
  return defined ? set.rows[order[0]] : null;
};

/** A question: what the state must be, who is selected (a function), and what the view says. */
const QUESTIONS = [
  { label: "Who is first, for whom?", state: { flavor: "entity" }, about: () => "Each color is a method; it covers the preferences for which this one is the best." },
  {
    label: "Where would F₁ mislead you?", state: { flavor: "regret" }, selected: firstBy(1, 0.5),
    about: (name) => `F₁ chooses ${name}. The map shows how much score that costs at every other preference: nothing where the value is 0.`,
  },
  {
    label: "Where would accuracy mislead you?", state: { flavor: "regret" }, selected: firstBy(0.5, 0.5),
    about: (name) => `Accuracy chooses ${name}. The map shows how much score that costs at every other preference.`,
  },
  { label: "Who is the second choice?", state: { flavor: "entity_at_rank", rank: 2 }, about: () => "What to take where the first is not to be had." },
  { label: "Does the choice matter?", state: { flavor: "margin" }, about: () => "By how much the first is ahead: near 0, the second does as well." },
  { label: "How sure is the winner?", state: { flavor: "p_first" }, selected: leader, about: (name) => `How probably ${name} is the best, for every preference, if other cases were drawn.` },
  { label: "Is there skill at all?", state: { flavor: "skill" }, selected: leader, about: (name) => `Blue: ${name} beats the better constant answer. Brown: always saying the same would do better.` },
  { label: "What if positives were as common as negatives?", state: { flavor: "entity", prior: 0.5 }, about: () => "The prior is shifted to 50 %: the rates of every method stay, the winners may change. Undo brings the measured one back." },
  { label: "Which domain holds the winner back?", state: { flavor: "bottleneck" }, selected: leader, about: (name) => `The domain that costs ${name} the most, for every preference.` },
];

/** Build the menu of questions; returns {element, update(view), about(view)}. */
export function questions(act) {
  let asked = null;
  const options = QUESTIONS.map(({ label }, t) => make("option", { value: t }, label));
  const element = make("select", { "aria-label": "Questions that a view answers", onchange: () => ask(QUESTIONS[element.value]) }, make("option", { value: "" }, "Ask …"), ...options);

  function ask(question) {
    if (!question) return;
    const patch = { ...question.state, ...(question.selected ? { selected: question.selected(act.view()) } : {}) };
    asked = { question, patch };
    act.set(patch);
  }

  return {
    element,
    update(view) {
      if (asked && Object.entries(asked.patch).some(([key, value]) => view.state[key] !== value)) asked = null;
      element.value = asked ? String(QUESTIONS.indexOf(asked.question)) : "";
      const known = { ...view, k: view.leader, sample: view.follows };
      QUESTIONS.forEach(({ state }, t) => {
        const flavor = flavorOf(state.flavor);
        const why = "prior" in state && !view.canShift ? "a method has no cases of one class" : (impossible(flavor, view.data) ?? lacking(flavor, known)?.replace(/^This view |\.$/g, "") ?? null);
        const text = why ? `${QUESTIONS[t].label} (${why})` : QUESTIONS[t].label;
        options[t].disabled = why !== null;
        if (options[t].textContent !== text) options[t].textContent = text;
      });
    },
    about: (view) => (asked ? asked.question.about(view.label(view.state.selected ?? 0)) : ""),
  };
}
