// The simple page in a cell of a notebook.

import { explorer } from "./simple_app.js";

function render({ model, el }) {
  const root = document.createElement("div");
  el.append(root);
  const page = explorer(root, JSON.parse(model.get("_data")), { title: model.get("_title"), start: JSON.parse(model.get("_start")) });
  return () => page.destroy();
}
