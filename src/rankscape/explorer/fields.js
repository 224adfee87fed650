// A number that is typed: used where it makes sense; else one sentence says so, and leaving the field restores it.

import { make } from "./dom.js";

/** The place of the sentence about what was typed. */
export const complaint = () => make("p", { class: "problem", "aria-live": "polite" });

/**
 * A field for a number. `use(x)` takes a number, or returns what was expected instead, in words; `restore()` shows again
 * what is used; `says` is a `complaint()` nearby.
 */
export function numberField({ label, says, use, restore, ...attributes }) {
  const wrong = (sentence) => {
    if (sentence) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    says.textContent = sentence;
  };
  const hear = () => {
    const typed = input.validity.badInput ? "this is no number" : input.value === "" ? "it is empty" : `${input.value} is not used`;
    const expected = input.value === "" ? "a number" : use(Number(input.value));
    wrong(expected ? `${label}: ${typed}; expected ${expected}.` : "");
  };
  const leave = () => {
    if (!input.hasAttribute("aria-invalid")) return;
    wrong(""); // what stays is beside a number that makes sense again
    input.value = "";
    restore();
  };
  const input = make("input", { type: "number", step: "any", "aria-label": label, ...attributes, oninput: hear, onblur: leave });
  return input;
}
