// The notebook widget: the explorer in a cell, its preference and selection in step with Python.

import { explorer } from "./app.js";

function render({ model, el }) {
  const root = document.createElement("div");
  el.append(root);
  const source = JSON.parse(model.get("_data"));
  const page = explorer(root, source, {
    title: model.get("_title"), start: { a: model.get("a"), b: model.get("b"), weights: JSON.parse(model.get("_start")).weights, prior: model.get("prior") },
    onState(state, view) {
      const named = (index) => (index === null ? null : view.data.entities[index]);
      const values = { a: state.a, b: state.b, prior: state.prior, selected: named(state.selected), pinned: named(state.pinned), flavor: state.flavor, uncertainty: state.uncertainty };
      for (const [key, value] of Object.entries(values)) if (model.get(key) !== value) model.set(key, value);
      model.save_changes();
    },
  });
  const follow = () => {
    const index = (name) => (source.entities.includes(name) ? source.entities.indexOf(name) : null);
    page.set({ a: model.get("a"), b: model.get("b"), prior: model.get("prior"), selected: index(model.get("selected")), pinned: index(model.get("pinned")), flavor: model.get("flavor"), uncertainty: model.get("uncertainty") });
  };
  const keys = ["a", "b", "prior", "selected", "pinned", "flavor", "uncertainty"];
  for (const key of keys) model.on(`change:${key}`, follow);
  follow();
  const box = new ResizeObserver(() => page.set({}));
  box.observe(el);
  return () => {
    box.disconnect();
    for (const key of keys) model.off(`change:${key}`, follow);
    page.destroy();
  };
}
