// The Tile on the page: its layers, its legend, and what pointer and keys do to it.

import { bandColumns, contours, drawBands, namesInBands } from "./bands.js";
import { CanvasPen, make } from "./dom.js";
import { comparedRows, flavorOf } from "./maps.js";
import { LIGHT } from "./palette.js";
import { regionAt } from "./regions.js";
import { drawBar, scaleOf } from "./scales.js";
import { atPlace } from "./sentences.js";
import { PRESETS, preferenceText } from "./state.js";
import { listed, percent } from "./texts.js";
import { TILE_MARGIN, drawAxes, drawCrosshair, drawGrid, drawHighlight, drawImagined, drawMarks, drawNoSkill, drawRegions, frameOf, hatch, numberOfRegion, placeNames } from "./tile.js";
import { gridMap, imageOf } from "./tile_map.js";

const INVITATION = "↑ misses matter more. → detections matter more. Drag the circle, or click a place, which also selects the method that is first there.";
const MORE_HEIGHT = TILE_MARGIN.top + TILE_MARGIN.bottom - TILE_MARGIN.left - TILE_MARGIN.right; // so that the frame is a square
const CATCH = 7; // pixels
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
const SHOWS = [["marks", "known scores"], ["noskill", "no-skill curve"], ["grid", "prior grid"]];

/** Build the Tile into an element. Returns {update(view, look), hover(row), invite(text), paint(pen, frame, look), map, toggles}. */
export function tileView(box, act) {
  const below = make("canvas", { "aria-hidden": "true" });
  const above = make("canvas", { role: "application", "aria-label": "The Tile: all preferences. Arrow keys move the preference, Shift faster, Alt slower; Enter selects who is first, P pins.", tabindex: "0" });
  const handle = make("div", { class: "handle", "aria-hidden": "true" });
  const layers = make("div", { class: "layers" }, below, above, handle);
  const hovered = make("p", { class: "hover" }, INVITATION);
  const legend = make("ul", { class: "legend", "aria-label": "Legend of the Tile", tabindex: "0" });
  const scaleBar = make("canvas", { class: "scale", role: "img" });
  const lack = make("p", { class: "lack" });
  const shows = { marks: true, noskill: false, grid: false };
  const toggles = SHOWS.map(([key, label]) =>
    make("label", { class: "check" }, make("input", { type: "checkbox", checked: shows[key], onchange: (e) => ((shows[key] = e.target.checked), redraw()) }), ` ${label}`),
  );
  box.append(layers, hovered, scaleBar, legend, lack);

  let view = null;
  let look = {};
  let base = [];
  let named = [];
  let marked = -1;
  const map = gridMap(() => {
    drawBase();
    drawAbove();
    act.drawn();
  });
  const frame = () => frameOf(look.size, look.size + MORE_HEIGHT);
  const painted = (how = look) => Object.assign(Object.create(view), how);
  const redraw = () => view && update(view, look);

  function update(next, how) {
    view = next;
    look = how;
    const { state } = view;
    const key = [view.set, view.regions, state.flavor, state.selected, state.pinned, state.rank, state.score, view.sample, look.size, look.paper, ...Object.values(shows)];
    if (key.some((x, i) => x !== base[i])) {
      base = key;
      map.ask(view);
      drawBase();
    }
    drawAbove();
  }

  /** Paint all but the crosshair; returns the names that go on top of its lines, the legend, and the color bar. */
  function paint(pen, at, how) {
    const flavor = flavorOf(view.state.flavor);
    const now = painted(how);
    const found = { names: [], entries: [], bar: null };
    let hatched = false;
    const grid = map.now();
    if (view.lacks(flavor)) {
      drawAxes(pen, at, now);
      return found;
    }
    if (flavor.kind === "regions") {
      drawRegions(pen, at, now);
      hatched = hatch(pen, at, now);
    } else if (grid.done && grid.values) {
      Object.assign(found, paintMap(pen, at, grid, now));
    }
    if (shows.grid) drawGrid(pen, at, now);
    if (shows.noskill) drawNoSkill(pen, at, now);
    const boxes = shows.marks ? drawMarks(pen, at, now) : [];
    if (flavor.kind === "regions") {
      found.names = placeNames(at, now, boxes);
      found.entries = legendOfRegions(found.names, hatched);
    } else if (found.columns) {
      found.names = namesInBands(at, found.columns, found.parts, boxes);
      const named_ = new Set(found.names.filter((one) => !one.numbered).map(({ t }) => found.shown[t]));
      found.entries = found.entries.map(([text, color, , round]) => [text, color, named_.has(text), round]);
    }
    drawAxes(pen, at, now);
    return found;
  }

  /** Paint a map on a grid: names with their borders, numbers with contours; returns its legend. */
  function paintMap(pen, at, grid, now) {
    const scale = scaleOf(grid.flavor.kind, grid.values, view);
    if (scale.parts) {
      const columns = bandColumns(grid, view);
      drawBands(pen, at, columns, scale, now);
      return { entries: scale.legend, columns, parts: scale.parts, shown: scale.legend.map(([text]) => text) };
    }
    const smooth = ["sequential", "signed", "share"].includes(grid.flavor.kind);
    pen.image(imageOf(grid, scale), at.x(0), at.y(1), at.w, at.h, smooth);
    for (const line of contours(grid, scale.levels)) pen.path(line.map(([a, b]) => [at.x(a), at.y(b)]), { stroke: LIGHT.paper, width: 1, opacity: 0.6 });
    return { entries: scale.legend, bar: scale.bar ?? null };
  }

  function legendOfRegions(places, hatched) {
    const numbered = new Set(places.filter((one) => one.numbered).map((one) => one.t));
    const inMap = new Set(places.filter((one) => !one.numbered && view.parts[one.t].rows.length === 1).map((one) => one.t));
    const names = ({ rows, names: models }) => models ? listed(models.map(view.labelOfModel), 3, " = ") : `${rows.slice(0, 3).map(view.labelOfRow).join(" = ")}${rows.length > 3 ? " = …" : ""}`;
    const entries = view.parts.map((region, t) => [`${numbered.has(t) ? `${numberOfRegion(t)} ` : ""}${names(region)} ${percent(region.area)}`, view.hue.get(region.rows[0]), inMap.has(t), view.rounds.get(region.rows[0])]);
    return hatched ? [["hatched: no method beats a constant answer", null], ...entries] : entries;
  }

  function drawBase() {
    const flavor = flavorOf(view.state.flavor);
    for (const canvas of [below, above]) fit(canvas, look.size, look.size + MORE_HEIGHT);
    const found = paint(new CanvasPen(below, look.size, look.size + MORE_HEIGHT), frame(), look);
    named = found.names;
    const ready = map.now().done;
    lack.textContent = view.lacks(flavor) ?? (ready ? aboutMap(flavor) : "computing …");
    legend.replaceChildren(...found.entries.slice(0, 14).map((entry) => legendItem(...entry)), ...(found.entries.length > 14 ? [make("li", {}, `and ${found.entries.length - 14} more`)] : []));
    legend.hidden = !found.entries.length;
    scaleBar.hidden = !found.bar;
    if (found.bar) {
      fit(scaleBar, look.size, 32);
      drawBar(new CanvasPen(scaleBar, look.size, 32), found.bar, frame().left, 1, frame().w, look);
      const ends = [found.bar.ticks[0][1], found.bar.ticks.at(-1)[1]];
      scaleBar.setAttribute("aria-label", `Color bar: from ${ends[0]} to ${ends[1]}`);
    }
    if (ready && act.ready) act.ready();
  }

  function aboutMap(flavor) {
    const { size, wide } = map.now();
    if (flavor.id === "correlation" && comparedRows(view.set.n).length < view.set.n) return `Computed on ${comparedRows(view.set.n).length} of the ${view.set.n} methods, evenly chosen.`;
    if (["entity", "domain"].includes(flavor.kind)) return `Shares (≈) are counted on a grid of ${wide} × ${size} preferences.`;
    if (flavor.kind !== "regions") return "";
    if (view.modelOf) return "Regions of one method share a color; inside, thin lines are changes of its threshold.";
    const ever = view.regionOf.size;
    if (ever === view.set.n && ever > 1 && view.regions.length === 1) return `All ${ever} tie, whatever the preference.`;
    const rarely = view.everFirst().size - ever;
    return `${ever} of ${view.set.n} ${ever === 1 ? "is" : "are"} first for some preference${rarely ? `, ${rarely} more only in ties or where an outcome does not count` : ""}.`;
  }

  /** Paint what lies on top: outlines, and the crosshair with the names on it. */
  function paintOver(pen, at, now, names, more = []) {
    if (flavorOf(view.state.flavor).kind === "regions") {
      for (const [i, quiet] of [[view.pin, true], [view.k, false], ...more]) if (i !== null && i >= 0) drawHighlight(pen, at, now, i, quiet);
    }
    if (view.imagined) drawImagined(pen, at, view.imagined, now);
    drawCrosshair(pen, at, view.state, now, names);
  }

  function drawAbove() {
    const pen = new CanvasPen(above, look.size, look.size + MORE_HEIGHT);
    const now = painted();
    paintOver(pen, frame(), now, named, [[marked, true]]);
    const { a, b } = view.state;
    handle.style.transform = `translate(${frame().x(a) - 24}px, ${frame().y(b) - 24}px)`;
    above.setAttribute("aria-description", `Now ${preferenceText(a, b)}.`);
  }

  /** The place at the pointer: that of a known score, exactly, where its mark is near. */
  const places = (event) => {
    const at = above.getBoundingClientRect();
    const [x, y] = [event.clientX - at.left, event.clientY - at.top];
    const marks = shows.marks ? PRESETS.filter(({ short }) => short).map((preset) => preset.place(view.set.common)).filter(Boolean) : [];
    const far = (place) => Math.hypot(frame().x(place.a) - x, frame().y(place.b) - y);
    const nearest = marks.reduce((best, place) => (far(place) < far(best) ? place : best), { a: -1, b: -1 });
    if (far(nearest) <= CATCH) return nearest;
    const rounded = (z) => Math.round(1000 * z) / 1000;
    return { a: rounded(frame().a(x)), b: rounded(frame().b(y)) };
  };
  let dragging = false;
  let moved = false;
  const grab = (element) => (event) => {
    moved = false;
    if (event.pointerType === "touch" && element === above) return; // a finger scrolls the page, unless it is on the circle
    dragging = true;
    element.setPointerCapture(event.pointerId);
    if (element === above) act.set(places(event));
  };
  const move = (event) => {
    const place = places(event);
    if (dragging) {
      moved = true;
      act.set(place);
    }
    hovered.replaceChildren(...atPlace(view, map.now(), place).reverse().map((line) => make("span", { title: line }, line))); // who, then where
    const region = flavorOf(view.state.flavor).kind === "regions" ? regionAt(view.regions, place.a, place.b) : null;
    act.hover(region ? region.rows[0] : -1);
  };
  const release = (event) => {
    dragging = false;
    if (moved) return;
    const { a, b } = places(event);
    if (event.pointerType === "touch" && event.currentTarget === above) act.set({ a, b }); // a tap does what a click does
    const region = flavorOf(view.state.flavor).kind === "regions" ? regionAt(view.regions, a, b) : null;
    if (region) act.choose(view.set.rows[region.rows[0]]);
  };
  for (const element of [above, handle]) {
    element.addEventListener("pointerdown", grab(element));
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", release);
    element.addEventListener("pointercancel", () => (dragging = false));
    element.addEventListener("pointerleave", () => {
      hovered.textContent = invited || INVITATION;
      act.hover(-1);
    });
  }
  above.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const { a, b } = act.state();
    const step = event.shiftKey ? 0.1 : event.altKey ? 0.001 : 0.01;
    const within = (x) => Math.min(1, Math.max(0, Math.round(1e6 * x) / 1e6));
    const leader = view.leader < 0 ? null : view.set.rows[view.leader];
    if (event.key in STEPS) act.set({ a: within(a + step * STEPS[event.key][0]), b: within(b + step * STEPS[event.key][1]) });
    else if (event.key === "Home") act.set({ a: 0.5, b: 0.5 });
    else if (event.key === "Enter" || event.key === " ") act.choose(leader);
    else if (event.key === "p" || event.key === "P") act.set({ pinned: leader });
    else if (event.key === "Escape") act.set({ selected: null, pinned: null });
    else return;
    event.preventDefault();
  });

  let invited = "";
  /** What stands below the Tile while the pointer is elsewhere: what the question that was asked means, or how to begin. */
  function invite(text) {
    if (text === invited) return;
    invited = text;
    hovered.textContent = text || INVITATION;
  }

  function hover(i) {
    if (marked === i) return;
    marked = i;
    drawAbove();
  }

  return { update, hover, invite, paint, paintOver: (pen, at, how, names) => paintOver(pen, at, painted(how), names), map, toggles };
}

export function fit(canvas, width, height) {
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}

/** An entry of the legend; one whose name is in the map is for readers who do not see that. */
function legendItem(text, color, inMap = false, round = 0) {
  const swatch = make("span", { class: `swatch${round ? ` pattern-${round}` : ""}`, "aria-hidden": "true" });
  swatch.style.backgroundColor = color ?? "transparent";
  return make("li", { class: inMap ? "unseen" : null }, color ? swatch : null, text);
}
