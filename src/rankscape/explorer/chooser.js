// What the Tile shows: the menu of maps, and what some of them ask for.

import { make } from "./dom.js";
import { complaint, numberField } from "./fields.js";
import { FLAVORS, SCORES, flavorGroups, flavorOf, impossible } from "./maps.js";
import { help } from "./terms.js";

/** Build the menu into an element; `toggles` are what can be drawn on top, `asking` the menu of questions. Returns {update(view)}. */
export function chooser(root, act, toggles, asking) {
  const title = make("h2");
  const menu = make("select", { "aria-label": "What the Tile shows", onchange: () => act.set({ flavor: menu.value }) });
  const optionOf = new Map(FLAVORS.map(({ id, label }) => [id, make("option", { value: id }, label)]));
  for (const [group, members] of flavorGroups()) menu.append(make("optgroup", { label: group }, ...members.map(({ id }) => optionOf.get(id))));
  const aboutRank = complaint();
  const rank = numberField({
    label: "Which rank", says: aboutRank, min: "1", step: "1", restore: () => (rank.value = act.state().rank),
    use: (x) => (Number.isInteger(x) && x >= 1 && x <= act.view().set.n ? act.set({ rank: x }) : `a whole number from 1 to ${act.view().set.n}`),
  });
  const score = make("select", { "aria-label": "Which score", onchange: () => act.set({ score: score.value }) }, ...Object.entries(SCORES).map(([id, [label]]) => make("option", { value: id }, label)));
  const more = make("details", { class: "layersmenu" }, make("summary", {}, "Draw"), make("div", {}, ...toggles));
  root.append(make("div", { class: "bar" }, make("label", {}, "Show ", menu), rank, score, asking, more), make("div", { class: "titled" }, title, help("tile")), aboutRank);

  return {
    update(view) {
      const { state } = view;
      for (const flavor of FLAVORS) {
        const why = impossible(flavor, view.data);
        const option = optionOf.get(flavor.id);
        option.disabled = why !== null;
        const text = why ? `${flavor.label} (${why})` : flavor.label;
        if (option.textContent !== text) option.textContent = text;
      }
      menu.value = state.flavor;
      rank.hidden = state.flavor !== "entity_at_rank";
      rank.max = view.set.n;
      if (document.activeElement !== rank) rank.value = state.rank;
      score.hidden = state.flavor !== "correlation";
      score.value = state.score;
      const flavor = flavorOf(state.flavor);
      title.textContent = view.lacks(flavor) ? flavor.label : flavor.title(view);
    },
  };
}
