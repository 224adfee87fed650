// The simple page: one state, and the parts that follow it.

import { make } from "./dom.js";
import { dress } from "./embed.js";
import { simpleExports } from "./simple_files.js";
import { simplePanel } from "./simple_panel.js";
import { simpleAnswer, simpleChance, simpleLasting, simpleNotes, widestView } from "./simple_sentences.js";
import { linkOfState, openedState, readState } from "./simple_state.js";
import { simpleTables } from "./simple_tables.js";
import { simpleDeriver } from "./simple_view.js";
import { explanations } from "./terms.js";
import { trail } from "./trail.js";

const REST_TIME = 160;

/**
 * Put the page of some data into an element. `options`: title; start (the first state); link (read and write the
 * address); embed (in a frame of another page); theme (light or dark, else that of the reader). Returns {state(), set(patch), view(), settled(), destroy()}.
 */
export function explorer(root, source, options = {}) {
  const start = openedState(options.start);
  source = { ...source, given: start.weights, weighs: source.kind === "classes" || (source.kind === "outcomes" && source.outcomes.length <= 12) };
  const viewOf = simpleDeriver(source);
  let state = start;
  let view = null;
  let frame = 0;
  let rest = 0;
  let followed = false; // the address says what is shown

  dress(root, "simple", options);
  // what is heard is `live`, which waits; each text has the room that its longest version takes, so that nothing below jumps
  const [lead, sure, about] = ["lead", "sure", "about"].map((name) => make("p", { class: name, "aria-hidden": "true" }));
  const rooms = [lead, sure, about].map(() => make("p"));
  const back = make("button", { type: "button", class: "return", onclick: () => set({ weights: start.weights }) }, "Back to those weights");
  const room = back.cloneNode(true);
  const slots = [lead, sure, about].map((text, k) => make("div", { class: `slot ${text.className}s` }, make("div", {}, text, ...(text === sure ? [back] : [])), make("div", { class: "room", "aria-hidden": "true" }, rooms[k], ...(text === sure ? [room] : []))));
  const tool = (label, title, onclick) => make("button", { type: "button", title, onclick }, label);
  const undo = tool("↶ Undo", "Go back to what was shown before", () => stepBy("undo"));
  const redo = tool("↷ Redo", "Go forward again", () => stepBy("redo"));
  const reset = tool("Reset", "Show the page as it was opened", () => set(start));
  const tools = make("div", { class: "tools", role: "group", "aria-label": "This page" }, undo, redo, reset);
  const live = make("p", { class: "unseen", "aria-live": "polite" });
  const notice = make("p", { class: "notice bad", role: "status" });
  const [boardBox, noteBox, panelBox, domainBox, classBox, fileBox] = ["board", "notes", "panel", "heat", "classes", "files"].map((name) => make("section", { class: name }));
  root.replaceChildren(make("header", {}, make("h1", {}, options.title ?? "Which is best?"), tools, ...slots), notice, live, make("main", {}, boardBox, panelBox, noteBox, classBox, domainBox, fileBox));
  panelBox.append(make("h2", {}, source.kind === "one" ? "What counts" : "Your preference"));
  const select = (row) => set({ selected: state.selected === row ? null : row });
  const tables = simpleTables(boardBox, noteBox, domainBox, classBox, { select });
  const panel = simplePanel(panelBox, source, set);
  const link = () => linkOfState(state, source);
  simpleExports(fileBox, { view: () => view, link });
  explanations(root);
  const steps = trail(Boolean(options.link) && !options.embed, (entry) => {
    state = entry.state;
    render();
  });

  function stepBy(name) {
    settled();
    steps[name]();
  }

  function set(patch) {
    state = { ...state, ...patch };
    frame ||= requestAnimationFrame(render);
  }

  function render() {
    cancelAnimationFrame(frame);
    frame = 0;
    view = viewOf(state);
    show();
    clearTimeout(rest);
    rest = setTimeout(settled, REST_TIME);
  }

  function show() {
    view.aside = panelBox.offsetLeft > boardBox.offsetLeft + 9 ? "on the right" : "below";
    view.notes = simpleNotes(view);
    tables.update(view);
    panel.update(view);
    say([lead, sure, about], view);
    back.hidden = !view.drawn || view.follows;
    const wide = widestView(view);
    say(rooms, wide);
    rooms[0].textContent = simpleAnswer({ ...wide, first: [...wide.first, ...wide.first] }); // of two that tie
    const unsure = source.domains?.length > 1 ? simpleChance({ ...wide, follows: false }) : "";
    if (unsure.length > rooms[1].textContent.length) rooms[1].textContent = unsure;
    room.hidden = !view.drawn || !(source.domains?.length > 1);
  }

  function say(places, what) {
    [simpleAnswer, simpleChance, simpleLasting].forEach((text, k) => (places[k].textContent = text(what)));
  }

  function settled() {
    if (frame) render();
    clearTimeout(rest);
    view.known = view.sure();
    show();
    live.textContent = [lead, sure, about].map((text) => text.textContent).join(" ").trim();
    steps.record({ data: source, state }, link(), followed);
    followed = false;
    undo.disabled = !steps.canUndo();
    redo.disabled = !steps.canRedo();
    reset.disabled = JSON.stringify(state) === JSON.stringify(start);
  }

  function readAddress() {
    const text = location.hash.slice(1);
    if (!text || text === link()) return;
    const read = readState(text, source);
    state = { ...start, ...read.state };
    notice.textContent = read.foreign ? "This link was made for other data: its preference is kept, its weights and its selection are not."
      : read.broken.length ? `This link is damaged (${read.broken.map((part) => part.slice(0, 20)).join(", ")}); the rest of it is shown.` : "";
    followed = true;
    render();
  }

  root.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("input:not([type=range]), select") || !"zy".includes(event.key.toLowerCase())) return;
    event.preventDefault();
    stepBy(event.key.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo");
  });
  if (options.link) globalThis.addEventListener("hashchange", readAddress);
  globalThis.addEventListener("resize", render); // the sliders may move from the right to below
  render();
  if (options.link) readAddress();
  return {
    state: () => state, view: () => view, set, settled,
    destroy() {
      globalThis.removeEventListener("hashchange", readAddress);
      globalThis.removeEventListener("resize", render);
      steps.stop();
      clearTimeout(rest);
      cancelAnimationFrame(frame);
    },
  };
}
