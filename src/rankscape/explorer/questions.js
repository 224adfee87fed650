// Questions that views of the page answer, a sentence about each.

import { make } from "./dom.js";
import { lacking, flavorOf, impossible } from "./maps.js";
import { placeOfOdds, preferenceAt, rank } from "./model.js";

const leader = ({ set, leader: i }) => (i < 0 ? null : set.rows[i]);
const firstBy = ({ set }, a, b) => {
  const { order, defined } = rank(set, preferenceAt(a, b));
  return defined ? set.rows[order[0]] : null;
};

const QUESTIONS = [
  { label: "Who is first, for whom?", patch: () => ({ flavor: "entity" }), about: () => "Each color is a method; it covers the preferences for which this one is the best." },
  {
    label: "Where would F1 mislead you?", patch: (view) => ({ flavor: "regret", selected: firstBy(view, 1, placeOfOdds(1)) }),
    about: ({ label, state }) => `F1 chooses ${label(state.selected)}. The map shows how much score that costs at every other preference: nothing where the value is 0.`,
  },
  {
    label: "Where would accuracy mislead you?", patch: (view) => ({ flavor: "regret", selected: firstBy(view, 0.5, 0.5) }),
    about: ({ label, state }) => `Accuracy chooses ${label(state.selected)}. The map shows how much score that costs at every other preference.`,
  },
  { label: "Who is the second choice?", patch: () => ({ flavor: "entity_at_rank", rank: 2 }), about: () => "What to take where the first is not to be had." },
  { label: "Does the choice matter?", patch: () => ({ flavor: "margin" }), about: () => "By how much the first is ahead: near 0, the second does as well." },
  { label: "How sure is the winner?", patch: (view) => ({ flavor: "p_first", selected: leader(view) }), about: ({ label, state }) => `How probably ${label(state.selected)} is the best, for every preference, if other cases were drawn.` },
  { label: "Is there skill at all?", patch: (view) => ({ flavor: "skill", selected: leader(view) }), about: ({ label, state }) => `Blue: ${label(state.selected)} beats the better constant answer. Brown: always saying the same would do better.` },
  { label: "What if positives were as common as negatives?", patch: () => ({ flavor: "entity", prior: 0.5 }), about: () => "The prior is shifted to 50 %: the rates of every method stay, the winners may change. Undo brings the measured one back." },
  { label: "Which domain holds the winner back?", patch: (view) => ({ flavor: "bottleneck", selected: leader(view) }), about: ({ label, state }) => `The domain that costs ${label(state.selected)} the most, for every preference.` },
];

/** Build the menu of questions; returns {element, update(view), about(view)}. */
export function questions(act) {
  let asked = null;
  const options = QUESTIONS.map(({ label }, t) => make("option", { value: t }, label));
  const element = make("select", { "aria-label": "Questions that a view answers", onchange: () => ask(QUESTIONS[element.value]) }, make("option", { value: "" }, "Ask …"), ...options);

  function ask(question) {
    if (!question) return;
    asked = question;
    act.set({ ...question.patch(act.view()) });
  }

  const holds = ({ state }) => asked && Object.entries(asked.patch(act.view())).every(([key, value]) => key === "selected" || state[key] === value);

  return {
    element,
    update(view) {
      if (!holds(view)) asked = null;
      element.value = asked ? String(QUESTIONS.indexOf(asked)) : "";
      QUESTIONS.forEach(({ patch }, t) => {
        const next = patch(view);
        const needsPrior = "prior" in next && !view.canShift;
        const why = impossible(flavorOf(next.flavor), view.data) ?? lacking(flavorOf(next.flavor), { ...view, ...(view.leader < 0 ? {} : { k: view.leader, sample: true }) });
        options[t].disabled = needsPrior || why !== null;
      });
    },
    about: (view) => (asked && holds(view) ? asked.about(view) : null),
  };
}
