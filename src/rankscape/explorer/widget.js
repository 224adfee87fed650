// The notebook widget: the page in a cell, what the model has of its state in step with Python. `explorer` is that of the layout.

function render({ model, el }) {
  const root = document.createElement("div");
  el.append(root);
  const source = JSON.parse(model.get("_data"));
  const keys = ["a", "b", "prior", "selected", "pinned", "flavor", "uncertainty"].filter((key) => model.get(key) !== undefined);
  const indexOf = (name) => (source.entities.includes(name) ? source.entities.indexOf(name) : null);
  const byName = (key) => key === "selected" || key === "pinned";
  const ours = () => Object.fromEntries(keys.map((key) => [key, byName(key) ? indexOf(model.get(key)) : model.get(key)]));
  const { a, b, prior } = ours();
  const page = explorer(root, source, {
    title: model.get("_title"), start: { ...JSON.parse(model.get("_start")), ...(keys.length ? { a, b, prior } : {}) },
    onState(state, view) {
      const named = (index) => (index === null ? null : view.data.entities[index]);
      for (const key of keys) {
        const value = byName(key) ? named(state[key]) : state[key];
        if (model.get(key) !== value) model.set(key, value);
      }
      if (keys.length) model.save_changes();
    },
  });
  const follow = () => page.set(ours());
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
