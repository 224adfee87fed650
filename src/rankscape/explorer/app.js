// The explorer: one state, views that follow from it, and what pointer and keys do to it.

import { leaderboard } from "./board.js";
import { deriver } from "./view_model.js";
import { dataHash, readTable } from "./csv.js";
import { textOf } from "./sheet.js";
import { TableError } from "./texts.js";
import { dropTarget, exportButtons } from "./files.js";
import { complaint, numberField } from "./fields.js";
import { FLAVORS, SCORES, flavorGroups, flavorOf, impossible } from "./maps.js";
import { panel } from "./panel.js";
import { make } from "./dom.js";
import { pictures } from "./pictures.js";
import { initialState, linkOf, readLink } from "./state.js";
import { answer, standings, gaps } from "./sentences.js";

const KNOWN = { flavors: FLAVORS.map((flavor) => flavor.id), scores: Object.keys(SCORES) };
const IDLE = 160;

/**
 * Put the explorer of some data into an element. `options`: title; start (the first preference, weights and prior {a, b, weights, prior}); link (read and
 * write the address); onState(state).
 * Returns {state(), set(patch), load(source), view(), destroy()}.
 */
export function explorer(root, source, options = {}) {
  let data = { source, hash: dataHash(source), viewOf: deriver(source) };
  let start = options.start;
  let state = initialState(start);
  let view = data.viewOf(state);
  let frame = 0;
  let idle = 0;

  root.classList.add("rankscape");
  const heading = make("h1", {}, options.title ?? "Which is best, for whom?");
  const lead = make("p", { class: "lead", "aria-hidden": "true" }); // what is heard is `live`, which waits
  const live = make("p", { class: "unseen", "aria-live": "polite" });
  const notice = make("p", { class: "notice", role: "status" });
  const [tileBox, boardBox, panelBox, spaceBox, fileBox] = ["tile", "board", "panel", "spaces", "files"].map((name) => make("section", { class: name }));
  const chooser = make("select", { "aria-label": "What the Tile shows", onchange: () => set({ flavor: chooser.value }) });
  const optionOf = new Map(FLAVORS.map(({ id, label }) => [id, make("option", { value: id }, label)]));
  for (const [group, members] of flavorGroups()) chooser.append(make("optgroup", { label: group }, ...members.map(({ id }) => optionOf.get(id))));
  const aboutRank = complaint();
  const rankInput = numberField({
    label: "Which rank", says: aboutRank, min: "1", step: "1", restore: () => (rankInput.value = state.rank),
    use: (x) => (Number.isInteger(x) && x >= 1 && x <= view.set.n ? set({ rank: x }) : `a whole number from 1 to ${view.set.n}`),
  });
  const scoreInput = make("select", { "aria-label": "Which score", onchange: () => set({ score: scoreInput.value }) }, ...Object.entries(SCORES).map(([id, [label]]) => make("option", { value: id }, label)));
  const uncertain = make("input", { type: "checkbox", onchange: () => set({ uncertainty: uncertain.checked }) });
  const compared = make("p", { class: "compared" });

  root.replaceChildren(
    make("header", {}, heading, lead, notice, live),
    make("main", {}, tileBox, boardBox, panelBox, spaceBox, fileBox),
  );
  tileBox.append(make("div", { class: "bar" }, make("label", {}, "Show ", chooser), rankInput, scoreInput), aboutRank);
  boardBox.append(make("h2", {}, "Leaderboard"), make("label", { class: "check" }, uncertain, " how sure?"), compared);
  panelBox.append(make("h2", {}, "Your preference"));
  spaceBox.append(make("h2", {}, "The same in ROC and PR space"));

  const select = (index) => set({ selected: state.selected === index ? null : index });
  const pin = (index) => set({ pinned: state.pinned === index ? null : index });
  const act = { set, select, pin, choose: (index) => set({ selected: index }), state: () => state, view: () => view, replace: load };
  const drawn = pictures(tileBox, spaceBox, act);
  const board = leaderboard(boardBox, { select, pin });
  const controls = panel(panelBox, set);
  exportButtons(fileBox, { ...act, pictures: drawn, source: () => data.source, dropped: () => data.dropped, link: () => linkOf(state, view.data, data.hash) });
  const endDrop = dropTarget(root, fileBox, async (file) => {
    try {
      load(readTable(await textOf(file)));
      data.dropped = true;
      say(`Your table is shown. It stays on this machine. ${gaps(view)}`.trim(), gaps(view) !== "");
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      say(error.message, true);
    }
  });

  function say(text, bad = false) {
    notice.textContent = text;
    notice.classList.toggle("bad", bad);
  }

  function set(patch) {
    const asked = patch.flavor !== undefined && patch.flavor !== state.flavor;
    state = { ...state, ...patch };
    if (asked) state = peopled(state);
    frame ||= requestAnimationFrame(render);
  }

  /** A view of somebody starts with who is first, and compares with who comes next. */
  function peopled(next) {
    const needs = flavorOf(next.flavor).needs;
    const { set: compared, ranking } = data.viewOf(next);
    const order = Array.from(ranking.order.subarray(0, 2), (i) => compared.rows[i]);
    const selected = next.selected ?? (needs.includes("entity") ? (order[0] ?? null) : null);
    const pinned = next.pinned ?? (needs.includes("other") ? (order.find((index) => index !== selected) ?? null) : null);
    return { ...next, selected, pinned };
  }

  function load(next) {
    if (data.source.costs) next = { costs: data.source.costs, ...next }; // they are the reader's, whatever the data
    data = { source: next, hash: dataHash(next), viewOf: deriver(next) };
    start = start && { ...start, weights: null, prior: null }; // they are of other data
    state = peopled({ ...state, selected: null, pinned: null, weights: null, prior: null, rank: Math.min(state.rank, next.entities.length) });
    render();
    say(gaps(view), true);
  }

  function render() {
    cancelAnimationFrame(frame);
    frame = 0;
    view = data.viewOf(state);
    for (const flavor of FLAVORS) {
      const why = impossible(flavor, view.data);
      const option = optionOf.get(flavor.id);
      option.disabled = why !== null;
      const text = why ? `${flavor.label} (${why})` : flavor.label;
      if (option.textContent !== text) option.textContent = text;
    }
    chooser.value = state.flavor;
    rankInput.hidden = state.flavor !== "entity_at_rank";
    rankInput.max = view.set.n;
    if (document.activeElement !== rankInput) rankInput.value = state.rank;
    scoreInput.hidden = state.flavor !== "correlation";
    scoreInput.value = state.score;
    uncertain.checked = state.uncertainty;
    drawn.update(view);
    board.update(view);
    controls.update(view);
    compared.textContent = standings(view);
    lead.textContent = answer(view);
    clearTimeout(idle);
    idle = setTimeout(settle, IDLE);
  }

  /** What may wait until the preference rests: uncertainty, flips, the address, the spoken sentence. */
  function settle() {
    view.detail = view.details();
    board.update(view);
    lead.textContent = live.textContent = answer(view);
    if (options.link) history.replaceState(null, "", `#${linkOf(state, view.data, data.hash)}`);
    options.onState?.(state, view);
  }

  function readAddress() {
    const text = location.hash.slice(1);
    if (!text || text === linkOf(state, view.data, data.hash)) return;
    const read = readLink(text, view.data, data.hash, KNOWN);
    state = peopled({ ...initialState(start), ...read.state });
    if (read.foreign) say("This link was made for other data: its preference is kept, its selection is not.", true);
    else if (read.broken.length) say(`This link is damaged (${read.broken.map((part) => part.slice(0, 20)).join(", ")}); the rest of it is shown.`, true);
    render();
  }

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
      endDrop();
    },
  };
}
