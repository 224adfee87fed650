// The fields of a method that does not exist, and the sentence about it.

import { make } from "./dom.js";
import { complaint, numberField } from "./fields.js";
import { aboutImagined, imaginable, imaginedAt } from "./imagine.js";
import { help } from "./terms.js";

const START = [0.05, 0.95];

/** Build the fields into an element; returns {update(view)}. */
export function imagineView(root, act) {
  let view = null;
  const says = complaint();
  const part = (k, label) =>
    numberField({
      label, says, min: "0", max: "1", restore: () => update(view),
      use: (x) => {
        const next = [...(act.state().imagined ?? START)];
        next[k] = x;
        return x >= 0 && x <= 1 ? act.set({ imagined: next }) : "0 to 1, such as 0.01 for 1\u00a0%";
      },
    });
  const [rate, recall] = [part(0, "False positive rate of a method that does not exist"), part(1, "Recall of a method that does not exist")];
  const remove = make("button", { type: "button", onclick: () => act.set({ imagined: null }) }, "Remove");
  const sentence = make("p", { class: "imagined", role: "status" });
  const fields = make("div", { class: "bar whatif" }, make("label", {}, "What if a method had false positive rate ", rate), make("label", {}, " and recall ", recall), make("span", {}, "(each from 0 to 1)"), help("imagined"), remove);
  root.append(fields, says, sentence);

  function update(next) {
    view = next;
    const { imagined } = view.state;
    const able = imaginable(view);
    const editing = root.getRootNode().activeElement;
    [rate, recall].forEach((input, k) => {
      input.disabled = !able;
      const text = imagined ? String(Number(imagined[k].toPrecision(4))) : "";
      if (editing !== input && input.value !== text) input.value = text;
    });
    remove.hidden = !imagined;
    const text = !able ? "Only where all share a prior: shift the priors to one." : imagined ? aboutImagined(imaginedAt(view, imagined), view.imagined, view) : "Or click into the pictures above, beside the points.";
    sentence.classList.toggle("idle", !imagined);
    if (sentence.textContent !== text) sentence.textContent = text;
  }

  return { update };
}
