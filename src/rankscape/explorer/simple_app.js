// The simple page: one state, and the parts that follow it.

import { make } from "./dom.js";
import { simpleExports } from "./simple_files.js";
import { simplePanel } from "./simple_panel.js";
import { simpleAnswer, simpleNotes } from "./simple_sentences.js";
import { linkOfState, openedState, readState } from "./simple_state.js";
import { simpleTables } from "./simple_tables.js";
import { simpleDeriver } from "./simple_view.js";

const REST_TIME = 160;

/**
 * Put the page of some data into an element. `options`: title; start (the first state); link (read and write the
 * address). Returns {state(), set(patch), view(), settled(), destroy()}.
 */
export function simpleExplorer(root, source, options = {}) {
  const start = openedState(options.start);
  source = { ...source, given: start.weights, weighs: source.kind === "classes" || (source.kind === "outcomes" && source.outcomes.length <= 12) };
  const viewOf = simpleDeriver(source);
  let state = start;
  let view = null;
  let frame = 0;
  let rest = 0;

  root.classList.add("rankscape", "simple");
  const lead = make("p", { class: "lead", "aria-hidden": "true" }); // what is heard is `live`, which waits
  const live = make("p", { class: "unseen", "aria-live": "polite" });
  const notice = make("p", { class: "notice bad", role: "status" });
  const [boardBox, panelBox, domainBox, classBox, fileBox] = ["board", "panel", "heat", "classes", "files"].map((name) => make("section", { class: name }));
  root.replaceChildren(make("header", {}, make("h1", {}, options.title ?? "Which is best?"), lead, notice, live), make("main", {}, boardBox, panelBox, classBox, domainBox, fileBox));
  panelBox.append(make("h2", {}, source.kind === "one" ? "What counts" : "Your preference"));
  const select = (row) => set({ selected: state.selected === row ? null : row });
  const tables = simpleTables(boardBox, domainBox, classBox, { select });
  const panel = simplePanel(panelBox, source, set);
  const link = () => linkOfState(state, source);
  simpleExports(fileBox, { view: () => view, link });

  function set(patch) {
    state = { ...state, ...patch };
    frame ||= requestAnimationFrame(render);
  }

  function render() {
    cancelAnimationFrame(frame);
    frame = 0;
    view = viewOf(state);
    view.notes = simpleNotes(view);
    show();
    clearTimeout(rest);
    rest = setTimeout(settled, REST_TIME);
  }

  function show() {
    tables.update(view);
    panel.update(view);
    lead.textContent = simpleAnswer(view);
  }

  function settled() {
    if (frame) render();
    clearTimeout(rest);
    view.known = view.sure();
    show();
    live.textContent = lead.textContent;
    if (options.link) history.replaceState(null, "", `#${link()}`);
  }

  function readAddress() {
    const text = location.hash.slice(1);
    if (!text || text === link()) return;
    const read = readState(text, source);
    state = { ...start, ...read.state };
    notice.textContent = read.foreign ? "This link was made for other data: its preference is kept, its weights and its selection are not."
      : read.broken.length ? `This link is damaged (${read.broken.map((part) => part.slice(0, 20)).join(", ")}); the rest of it is shown.` : "";
    render();
  }

  if (options.link) globalThis.addEventListener("hashchange", readAddress);
  render();
  if (options.link) readAddress();
  return {
    state: () => state, view: () => view, set, settled,
    destroy() {
      globalThis.removeEventListener("hashchange", readAddress);
      clearTimeout(rest);
      cancelAnimationFrame(frame);
    },
  };
}
