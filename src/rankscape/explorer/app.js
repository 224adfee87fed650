// The page: one state, what follows from it, and what pointer and keys do to it. A layout says what it shows of which data.

import { make } from "./dom.js";
import { dress } from "./embed.js";
import { explanations } from "./terms.js";
import { trail } from "./trail.js";

const REST_TIME = 160;

/**
 * Put the page of some data into an element. A `layout` has: name; opened(source, start), the data {source, hash, viewOf,
 * start, first (the first state)}; changed(state, patch, data), the next state; link(state, data) and read(text, data), the
 * part of an address after #; parts(page), what is shown {show(view), rest(view) (what may wait until the preference rests),
 * spoken(), left(restore) (something else is shown), busy(), stop()}.
 *
 * `options`: title; start (what the page opens with); link (read and write the address); embed (in a frame of another page);
 * theme (light or dark, else that of the reader); onState(state, view). Returns {state(), set(patch), load(source), view(), settled(), destroy()}.
 */
export function application(root, source, layout, options = {}) {
  const opened = layout.opened(source, options.start);
  let data = opened;
  let state = opened.first;
  let view = data.viewOf(state);
  let frame = 0;
  let rest = 0;
  let followed = false; // the address says what is shown

  dress(root, layout.name, options);
  const live = make("p", { class: "unseen", "aria-live": "polite" }); // what is heard waits
  const notice = make("p", { class: "notice", role: "status" });
  const tool = (label, title, onclick) => make("button", { type: "button", title, onclick }, label);
  const undo = tool("↶ Undo", "Go back to what was shown before", () => stepBy("undo"));
  const redo = tool("↷ Redo", "Go forward again", () => stepBy("redo"));
  const reset = tool("Reset", "Show the page as it was opened", () => show({ data: opened, state: opened.first }));
  const tools = make("div", { class: "tools", role: "group", "aria-label": "This page" }, undo, redo, reset);
  const link = () => layout.link(state, data);
  const page = { root, options, tools, tool, live, notice, set, say, load, settle, link, state: () => state, view: () => view, data: () => data };
  const parts = layout.parts(page);
  explanations(root);
  const steps = trail(Boolean(options.link) && !options.embed, show);

  function say(text, bad = false) {
    notice.textContent = text;
    notice.classList.toggle("bad", bad);
  }

  function set(patch) {
    state = layout.changed(state, patch, data);
    frame ||= requestAnimationFrame(render);
  }

  /** Show other data, as far as possible with the same preference. */
  function load(next, dropped = false) {
    parts.left?.(true);
    settle();
    show(layout.reopened(next, dropped, data, state));
  }

  /** Show what was shown before: data and state. */
  function show(entry) {
    parts.left?.(false);
    ({ data, state } = entry);
    render();
    say(layout.gaps?.(view) ?? "", true);
  }

  function stepBy(name) {
    settle();
    steps[name]();
  }

  function render() {
    cancelAnimationFrame(frame);
    frame = 0;
    view = data.viewOf(state);
    parts.show(view);
    clearTimeout(rest);
    rest = setTimeout(settle, REST_TIME);
  }

  /** What may wait until the preference rests: uncertainty, flips, the address, the spoken sentence. */
  function settle() {
    if (frame) render();
    clearTimeout(rest);
    parts.rest(view);
    live.textContent = parts.spoken();
    if (!parts.busy?.()) {
      steps.record({ data, state }, link(), followed);
      followed = false;
    }
    undo.disabled = !steps.canUndo();
    redo.disabled = !steps.canRedo();
    reset.disabled = data === opened && JSON.stringify(state) === JSON.stringify(opened.first);
    options.onState?.(state, view);
  }

  function readAddress() {
    const text = location.hash.slice(1);
    if (!text || text === link()) return;
    const read = layout.read(text, data);
    state = layout.changed(data.first, read.state, data);
    if (read.foreign) say(`This link was made for other data: its preference is kept, ${layout.lost}.`, true);
    else if (read.broken.length) say(`This link is damaged (${read.broken.map((part) => part.slice(0, 20)).join(", ")}); the rest of it is shown.`, true);
    followed = true;
    render();
  }

  root.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("input:not([type=range]), textarea, select") || !"zy".includes(event.key.toLowerCase())) return;
    event.preventDefault();
    stepBy(event.key.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo");
  });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  globalThis.addEventListener("resize", render);
  dark.addEventListener("change", render);
  if (options.link) globalThis.addEventListener("hashchange", readAddress);
  show({ data, state });
  if (options.link) readAddress();
  return {
    state: () => state, view: () => view, set, load, settled: settle, ...parts.public,
    destroy() {
      globalThis.removeEventListener("resize", render);
      globalThis.removeEventListener("hashchange", readAddress);
      dark.removeEventListener("change", render);
      clearTimeout(rest);
      cancelAnimationFrame(frame);
      steps.stop();
      parts.stop?.();
    },
  };
}
