// The page of any other sample space: the leaderboard, the preference as sliders, what each class is like, and the domains.

import { application } from "./app.js";
import { make } from "./dom.js";
import { simpleExports } from "./simple_files.js";
import { simplePanel } from "./simple_panel.js";
import { simpleAnswer, simpleChance, simpleLasting, simpleNotes, widestView } from "./simple_sentences.js";
import { linkOfState, openedState, readState } from "./simple_state.js";
import { simpleTables } from "./simple_tables.js";
import { simpleDeriver } from "./simple_view.js";

const LAYOUT_OF_ANY = {
  name: "simple", lost: "its weights and its selection are not",
  opened(source, start) {
    const first = openedState(start);
    const weighs = source.kind === "classes" || (source.kind === "outcomes" && source.outcomes.length <= 12);
    const data = { source: { ...source, given: first.weights, weighs }, hash: source.hash, first };
    return { ...data, viewOf: simpleDeriver(data.source) };
  },
  changed: (state, patch) => ({ ...state, ...patch }),
  link: (state, { source }) => linkOfState(state, source),
  read: (text, { source }) => readState(text, source),
  parts: partsOfAny,
};

/** Put the page of some data into an element, as `application` says. */
export const explorer = (root, source, options) => application(root, source, LAYOUT_OF_ANY, options);

function partsOfAny(page) {
  const { root, set, state, view } = page;
  const { source, first } = page.data();
  // each text has the room that its longest version takes, so that nothing below jumps
  const [lead, sure, about] = ["lead", "sure", "about"].map((name) => make("p", { class: name, "aria-hidden": "true" }));
  const rooms = [lead, sure, about].map(() => make("p"));
  const back = make("button", { type: "button", class: "return", onclick: () => set({ weights: first.weights }) }, "Back to those weights");
  const room = back.cloneNode(true);
  const slots = [lead, sure, about].map((text, k) => make("div", { class: `slot ${text.className}s` }, make("div", {}, text, ...(text === sure ? [back] : [])), make("div", { class: "room", "aria-hidden": "true" }, rooms[k], ...(text === sure ? [room] : []))));
  const [boardBox, noteBox, panelBox, domainBox, classBox, fileBox] = ["board", "notes", "panel", "heat", "classes", "files"].map((name) => make("section", { class: name }));
  root.replaceChildren(make("header", {}, make("h1", {}, page.options.title ?? "Which is best?"), page.tools, ...slots), page.notice, page.live, make("main", {}, boardBox, panelBox, noteBox, classBox, domainBox, fileBox));
  panelBox.append(make("h2", {}, source.kind === "one" ? "What counts" : "Your preference"));
  const select = (row) => set({ selected: state().selected === row ? null : row });
  const tables = simpleTables(boardBox, noteBox, domainBox, classBox, { select });
  const panel = simplePanel(panelBox, source, set);
  simpleExports(fileBox, { view, link: page.link });

  const say = (places, what) => [simpleAnswer, simpleChance, simpleLasting].forEach((text, k) => (places[k].textContent = text(what)));

  function show(now) {
    now.aside = panelBox.offsetLeft > boardBox.offsetLeft + 9 ? "on the right" : "below"; // the sliders may move
    now.notes = simpleNotes(now);
    tables.update(now);
    panel.update(now);
    say([lead, sure, about], now);
    back.hidden = !now.drawn || now.follows;
    const wide = widestView(now);
    say(rooms, wide);
    rooms[0].textContent = simpleAnswer({ ...wide, first: [...wide.first, ...wide.first] }); // of two that tie
    const several = source.domains?.length > 1;
    const unsure = several ? simpleChance({ ...wide, follows: false }) : "";
    if (unsure.length > rooms[1].textContent.length) rooms[1].textContent = unsure;
    room.hidden = !now.drawn || !several;
  }

  return {
    show,
    rest(now) {
      now.known = now.sure();
      show(now);
    },
    spoken: () => [lead, sure, about].map((text) => text.textContent).join(" ").trim(),
  };
}
