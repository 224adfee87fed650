// The explorer: one state, views that follow from it, and what pointer and keys do to it.

import { leaderboard } from "./board.js";
import { chooser } from "./chooser.js";
import { mainControl } from "./control.js";
import { dataHash, readTable } from "./csv.js";
import { make } from "./dom.js";
import { dress } from "./embed.js";
import { dropTarget, exportButtons, sharer } from "./files.js";
import { imagineView } from "./imagine_view.js";
import { FLAVORS, SCORES, flavorOf } from "./maps.js";
import { panel } from "./panel.js";
import { pictures } from "./pictures.js";
import { questions } from "./questions.js";
import { about, atPlace, gaps, headline, standings } from "./sentences.js";
import { textOf } from "./sheet.js";
import { initialState, linkOf, readLink } from "./state.js";
import { explanations, help } from "./terms.js";
import { TableError } from "./texts.js";
import { tour } from "./tour.js";
import { trail } from "./trail.js";
import { deriver } from "./view_model.js";

const KNOWN = { flavors: FLAVORS.map((flavor) => flavor.id), scores: Object.keys(SCORES) };
const TITLE = "Which is best, for whom?";
const IDLE = 160;
const QUICK = 6; // milliseconds: what takes no longer is computed in every frame

/**
 * Put the explorer of some data into an element. `options`: title; start (the first preference, weights and prior {a, b, weights, prior}); link (read and
 * write the address); embed (in a frame of another page); theme (light or dark, else that of the reader); onState(state).
 * Returns {state(), set(patch), load(source), view(), destroy()}.
 */
export function explorer(root, source, options = {}) {
  const opened = { source, hash: dataHash(source), viewOf: deriver(source), start: options.start };
  let data = opened;
  let state = initialState(data.start);
  let view = data.viewOf(state);
  let frame = 0;
  let idle = 0;
  let took = Infinity;
  let followed = false; // the address says what is shown

  dress(root, "story", options);
  const lead = make("p", { class: "lead", "aria-hidden": "true" }); // what is heard is `live`, which waits
  const more = make("p", { class: "about", "aria-hidden": "true" });
  const live = make("p", { class: "unseen", "aria-live": "polite" });
  const notice = make("p", { class: "notice", role: "status" });
  const tool = (label, title, onclick) => make("button", { type: "button", title, onclick }, label);
  const undo = tool("↶ Undo", "Go back to what was shown before", () => stepBy("undo"));
  const redo = tool("↷ Redo", "Go forward again", () => stepBy("redo"));
  const reset = tool("Reset", "Show the page as it was opened", () => show({ data: opened, state: peopled(initialState(opened.start), opened) }));
  const tools = make("div", { class: "tools", role: "group", "aria-label": "This page" }, undo, redo, reset);
  const [tileBox, controlBox, boardBox, spaceBox, tableBox, fileBox] = ["tile", "control", "board", "spaces", "tables", "files"].map((name) => make("section", { class: name }));
  const stick = make("div", { class: "stick" });
  tileBox.append(stick);
  const panelBox = make("div", { class: "panel" });
  const uncertain = make("input", { type: "checkbox", onchange: () => set({ uncertainty: uncertain.checked }) });
  const whole = make("input", { type: "checkbox", onchange: () => set({ whole: whole.checked }) });
  const compared = make("p", { class: "compared" });

  root.replaceChildren(
    make("header", {}, tools, make("div", { class: "say" }, make("h1", {}, options.title ?? TITLE), lead, more)),
    notice, live,
    make("main", {}, tileBox, make("div", { class: "beside" }, controlBox, boardBox, spaceBox, tableBox), fileBox),
  );
  boardBox.append(make("div", { class: "titled" }, make("h2", {}, "Leaderboard"), make("label", { class: "check" }, uncertain, " how sure?")), compared);
  spaceBox.append(make("div", { class: "titled" }, make("h2", {}, "The same in ROC and PR space"), help("roc"), make("label", { class: "check" }, whole, " whole square")));
  explanations(root);

  const select = (index) => set({ selected: state.selected === index ? null : index });
  const pin = (index) => set({ pinned: state.pinned === index ? null : index, ...(joins(index) ? { selected: state.pinned } : {}) });
  /** Whether a second pin is compared with the first: nobody else is selected. */
  const joins = (index) => state.pinned !== null && state.pinned !== index && [null, index, state.pinned].includes(state.selected);
  const act = { set, select, pin, hover, choose: (index) => set({ selected: index }), state: () => state, view: () => view };
  const menuBox = make("div", { class: "menu" });
  stick.append(menuBox);
  act.words = (which) => ({
    title: which === "tile" ? view.flavor.title(view) : `The same methods in ${which === "roc" ? "ROC" : "precision–recall"} space`,
    answer: which === "tile" && view.flavor.id !== "entity" ? atPlace(view, drawn.map(), state)[0] : `${headline(view)}. ${about(view)}`, caption: view.caption(which),
    source: `${options.title ?? TITLE} · ${view.set.n} methods · made with rankscape on ${new Date().toISOString().slice(0, 10)}`,
  });
  const drawn = pictures(root, { tile: stick, spaces: spaceBox, tables: tableBox }, act);
  const asking = questions(act);
  const menu = chooser(menuBox, act, drawn.toggles, asking.element);
  const board = leaderboard(boardBox, act);
  const control = mainControl(controlBox, set, () => state);
  controlBox.append(make("details", { class: "more" }, make("summary", {}, "More preferences: scores, costs, prior, domains"), panelBox));
  const controls = panel(panelBox, set);
  const dream = imagineView(spaceBox, act);
  const files = { ...act, say, pictures: drawn, source: () => data.source, dropped: () => data.dropped, link: () => linkOf(state, view.data, data.hash) };
  const exporter = exportButtons(root, files);
  const guide = tour(root, { ...act, settle, after: (then) => requestAnimationFrame(() => requestAnimationFrame(then)) });
  tools.append(tool("Tour", "What this page is, in a minute", guide.start), sharer(files), tool("Export", "Pictures, tables, and code", () => exporter.showModal()));
  const endDrop = dropTarget(root, fileBox, async (file) => {
    try {
      load(readTable(await textOf(file), file.name), true);
      say(`Your table is shown. It stays on this machine; Undo brings back what was shown. ${gaps(view)}`.trim(), gaps(view) !== "");
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      say(error.message, true);
    }
  });
  const steps = trail(Boolean(options.link) && !options.embed, show);

  function say(text, bad = false) {
    notice.textContent = text;
    notice.classList.toggle("bad", bad);
  }

  function set(patch) {
    const asked = patch.flavor !== undefined && patch.flavor !== state.flavor;
    state = { ...state, ...("a" in patch ? { path: null } : {}), ...patch };
    if (asked) state = peopled(state);
    frame ||= requestAnimationFrame(render);
  }

  /** A view of somebody starts with who is first, and compares with who comes next. */
  function peopled(next, of = data) {
    const needs = flavorOf(next.flavor).needs;
    const { set: compared_, ranking } = of.viewOf(next);
    const order = Array.from(ranking.order.subarray(0, 2), (i) => compared_.rows[i]);
    const selected = next.selected ?? (needs.includes("entity") ? (order[0] ?? null) : null);
    const pinned = next.pinned ?? (needs.includes("other") ? (order.find((index) => index !== selected) ?? null) : null);
    return { ...next, selected, pinned };
  }

  function load(next, dropped = false) {
    guide.end();
    settle();
    if (data.source.costs) next = { costs: data.source.costs, ...next }; // they are the reader's, whatever the data
    const start = data.start && { ...data.start, weights: null, prior: null }; // they are of other data
    data = { source: next, hash: dataHash(next), viewOf: deriver(next), start, dropped };
    state = peopled({ ...state, selected: null, pinned: null, weights: null, prior: null, rank: Math.min(state.rank, next.entities.length) });
    render();
    say(gaps(view), true);
  }

  /** Show what was shown before: data and state. */
  function show(entry) {
    guide.end(false);
    ({ data, state } = entry);
    render();
    say(gaps(view), true);
  }

  function stepBy(name) {
    settle();
    steps[name]();
  }

  function hover(i) {
    drawn.hover(i);
    board.hover(i);
  }

  function render() {
    cancelAnimationFrame(frame);
    frame = 0;
    view = data.viewOf(state);
    if (took < QUICK) view.detail = view.details();
    speak();
    menu.update(view);
    uncertain.checked = state.uncertainty;
    uncertain.parentElement.hidden = !data.source.draws;
    whole.checked = state.whole;
    drawn.update(view);
    board.update(view);
    control.update(view);
    controls.update(view);
    dream.update(view);
    asking.update(view);
    drawn.invite(asking.about(view));
    compared.textContent = standings(view);
    clearTimeout(idle);
    idle = setTimeout(settle, IDLE);
  }

  function speak() {
    lead.textContent = headline(view);
    more.textContent = about(view);
  }

  /** What may wait until the preference rests: uncertainty, flips, the address, the spoken sentence. */
  function settle() {
    const before = performance.now();
    view.detail = view.details();
    if (took === Infinity) took = performance.now() - before;
    board.update(view);
    speak();
    live.textContent = `${lead.textContent}. ${more.textContent}`;
    if (!guide.running()) {
      steps.record({ data, state }, linkOf(state, view.data, data.hash), followed);
      followed = false;
    }
    undo.disabled = !steps.canUndo();
    redo.disabled = !steps.canRedo();
    options.onState?.(state, view);
  }

  function readAddress() {
    const text = location.hash.slice(1);
    if (!text || text === linkOf(state, view.data, data.hash)) return;
    const read = readLink(text, view.data, data.hash, KNOWN);
    state = peopled({ ...initialState(data.start), ...read.state });
    if (read.foreign) say("This link was made for other data: its preference is kept, its selection is not.", true);
    else if (read.broken.length) say(`This link is damaged (${read.broken.map((part) => part.slice(0, 20)).join(", ")}); the rest of it is shown.`, true);
    followed = true;
    render();
  }

  root.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("input, textarea, select") || !"zy".includes(event.key.toLowerCase())) return;
    event.preventDefault();
    stepBy(event.key.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo");
  });
  const resized = () => render();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  globalThis.addEventListener("resize", resized);
  dark.addEventListener("change", resized);
  if (options.link) globalThis.addEventListener("hashchange", readAddress);
  render();
  say(gaps(view), true);
  if (options.link) readAddress();
  return {
    state: () => state, view: () => view, set, load, settled: settle, pictures: drawn,
    destroy() {
      globalThis.removeEventListener("resize", resized);
      globalThis.removeEventListener("hashchange", readAddress);
      dark.removeEventListener("change", resized);
      clearTimeout(idle);
      cancelAnimationFrame(frame);
      steps.stop();
      drawn.stop();
      endDrop();
    },
  };
}
