// The page of two classes: the Tile, the leaderboard, ROC and PR space, and tables that are dropped in.

import { application } from "./app.js";
import { leaderboard } from "./board.js";
import { chooser } from "./chooser.js";
import { mainControl } from "./control.js";
import { dataHash, readTable } from "./csv.js";
import { make } from "./dom.js";
import { dropTarget, exportButtons, sharer } from "./files.js";
import { imagineView } from "./imagine_view.js";
import { FLAVORS, SCORES, flavorOf } from "./maps.js";
import { panel } from "./panel.js";
import { pictures } from "./pictures.js";
import { questions } from "./questions.js";
import { about, atPlace, gaps, headline, standings } from "./sentences.js";
import { textOf } from "./sheet.js";
import { initialState, linkOf, readLink } from "./state.js";
import { help } from "./terms.js";
import { TableError } from "./texts.js";
import { tour } from "./tour.js";
import { deriver } from "./view_model.js";

const KNOWN = { flavors: FLAVORS.map((flavor) => flavor.id), scores: Object.keys(SCORES) };
const TITLE = "Which is best, for whom?";
const QUICK = 6; // milliseconds: what takes no longer is computed in every frame

const LAYOUT = {
  name: "story", lost: "its selection is not", gaps,
  opened: (source, start, dropped = false) => ({ source, hash: dataHash(source), viewOf: deriver(source), start, first: initialState(start), dropped }),
  link: (state, data) => linkOf(state, data.source, data.hash),
  read: (text, data) => readLink(text, data.source, data.hash, KNOWN),
  changed(state, patch, data) {
    const next = { ...state, ...("a" in patch ? { path: null } : {}), ...patch };
    return next.flavor === state.flavor ? next : peopled(next, data);
  },
  reopened(next, dropped, { source: { costs }, start }, state) {
    const data = LAYOUT.opened(costs ? { costs, ...next } : next, start && { ...start, weights: null, prior: null }, dropped); // costs are the reader's, whatever the data
    return { data, state: peopled({ ...state, selected: null, pinned: null, weights: null, prior: null, rank: Math.min(state.rank, next.entities.length) }, data) };
  },
  parts,
};

/** Put the explorer of some data into an element, as `application` says; it starts with {a, b, weights, prior}. */
export const explorer = (root, source, options) => application(root, source, LAYOUT, options);

/** A view of somebody starts with who is first, and compares with who comes next. */
function peopled(next, { viewOf }) {
  const needs = flavorOf(next.flavor).needs;
  const { set, ranking } = viewOf(next);
  const order = Array.from(ranking.order.subarray(0, 2), (i) => set.rows[i]);
  const selected = next.selected ?? (needs.includes("entity") ? (order[0] ?? null) : null);
  const pinned = next.pinned ?? (needs.includes("other") ? (order.find((index) => index !== selected) ?? null) : null);
  return { ...next, selected, pinned };
}

function parts(page) {
  const { root, set, say, state, view } = page;
  let took = Infinity;
  const title = page.options.title ?? TITLE;
  const lead = make("p", { class: "lead", "aria-hidden": "true" }); // what is heard is `live`, which waits
  const more = make("p", { class: "about", "aria-hidden": "true" });
  const [tileBox, controlBox, boardBox, spaceBox, tableBox, fileBox] = ["tile", "control", "board", "spaces", "tables", "files"].map((name) => make("section", { class: name }));
  const stick = make("div", { class: "stick" });
  tileBox.append(stick);
  const panelBox = make("div", { class: "panel" });
  const uncertain = make("input", { type: "checkbox", onchange: () => set({ uncertainty: uncertain.checked }) });
  const whole = make("input", { type: "checkbox", onchange: () => set({ whole: whole.checked }) });
  const compared = make("p", { class: "compared" });

  root.replaceChildren(
    make("header", {}, page.tools, make("div", { class: "say" }, make("h1", {}, title), lead, more)),
    page.notice, page.live,
    make("main", {}, tileBox, make("div", { class: "beside" }, controlBox, boardBox, spaceBox, tableBox), fileBox),
  );
  boardBox.append(make("div", { class: "titled" }, make("h2", {}, "Leaderboard"), make("label", { class: "check" }, uncertain, " how sure?")), compared);
  spaceBox.append(make("div", { class: "titled" }, make("h2", {}, "The same in ROC and PR space"), help("roc"), make("label", { class: "check" }, whole, " whole square")));

  const select = (index) => set({ selected: state().selected === index ? null : index });
  const pin = (index) => set({ pinned: state().pinned === index ? null : index, ...(joins(index) ? { selected: state().pinned } : {}) });
  /** Whether a second pin is compared with the first: nobody else is selected. */
  const joins = (index) => state().pinned !== null && state().pinned !== index && [null, index, state().pinned].includes(state().selected);
  const act = { set, select, pin, hover, choose: (index) => set({ selected: index }), state, view };
  const menuBox = make("div", { class: "menu" });
  stick.append(menuBox);
  act.words = (which) => ({
    title: which === "tile" ? view().flavor.title(view()) : `The same methods in ${which === "roc" ? "ROC" : "precision–recall"} space`,
    answer: which === "tile" && view().flavor.id !== "entity" ? atPlace(view(), drawn.map(), state())[0] : `${headline(view())}. ${about(view())}`, caption: view().caption(which),
    source: `${title} · ${view().set.n} methods · made with rankscape on ${new Date().toISOString().slice(0, 10)}`,
  });
  const drawn = pictures(root, { tile: stick, spaces: spaceBox, tables: tableBox }, act);
  const asking = questions(act);
  const menu = chooser(menuBox, act, drawn.toggles, asking.element);
  const board = leaderboard(boardBox, act);
  const control = mainControl(controlBox, set, state);
  controlBox.append(make("details", { class: "more" }, make("summary", {}, "More preferences: scores, costs, prior, domains"), panelBox));
  const controls = panel(panelBox, set);
  const dream = imagineView(spaceBox, act);
  const files = { ...act, say, pictures: drawn, source: () => page.data().source, dropped: () => page.data().dropped, link: page.link };
  const exporter = exportButtons(root, files);
  const guide = tour(root, { ...act, settle: page.settle, after: (then) => requestAnimationFrame(() => requestAnimationFrame(then)) });
  page.tools.append(page.tool("Tour", "What this page is, in a minute", guide.start), sharer(files), page.tool("Export", "Pictures, tables, and code", () => exporter.showModal()));
  const endDrop = dropTarget(root, fileBox, async (file) => {
    try {
      page.load(readTable(await textOf(file), file.name), true);
      say(`Your table is shown. It stays on this machine; Undo brings back what was shown. ${gaps(view())}`.trim(), gaps(view()) !== "");
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      say(error.message, true);
    }
  });

  function hover(i) {
    drawn.hover(i);
    board.hover(i);
  }

  function speak(now) {
    lead.textContent = headline(now);
    more.textContent = about(now);
  }

  return {
    public: { pictures: drawn },
    show(now) {
      if (took < QUICK) now.detail = now.details();
      speak(now);
      menu.update(now);
      uncertain.checked = now.state.uncertainty;
      uncertain.parentElement.hidden = !page.data().source.draws;
      whole.checked = now.state.whole;
      for (const part of [drawn, board, control, controls, dream, asking]) part.update(now);
      drawn.invite(asking.about(now));
      compared.textContent = standings(now);
    },
    rest(now) {
      const before = performance.now();
      now.detail = now.details();
      if (took === Infinity) took = performance.now() - before;
      board.update(now);
      speak(now);
    },
    spoken: () => `${lead.textContent}. ${more.textContent}`,
    left: (restore) => guide.end(restore),
    busy: () => guide.running(),
    stop() {
      drawn.stop();
      endDrop();
    },
  };
}
