// The three pictures: sizes, colors, layers, pointer and keys, and the same as tables.

import { importanceAt, rank, valueAt } from "./model.js";
import { comparedRows, flavorOf } from "./maps.js";
import { CanvasPen, SvgPen, make } from "./dom.js";
import { SPACE_MARGIN, drawPreference, drawSpace, nearestPoint } from "./spaces.js";
import { preferenceText } from "./state.js";
import { listed, percent, plain } from "./texts.js";
import { TILE_MARGIN, drawAxes, drawCrosshair, drawGrid, drawMarks, drawNoSkill, drawRegions, frameOf, hatch, numberOfRegion, placeNames, scaleOf } from "./tile.js";
import { tableOfSpaces, tableOfTile } from "./accessible_tables.js";
import { regionAt } from "./regions.js";

const INVITATION = "Every point is a preference: drag to set yours, click a region to select who is first there.";
const SLICE = 8;

/** A picture of two canvases: what stays, and what moves with the preference. */
function layers(label, role) {
  const below = make("canvas", { "aria-hidden": "true" });
  const above = make("canvas", { role, "aria-label": label, tabindex: "0" });
  return { below, above, box: make("div", { class: "layers" }, below, above) };
}

export function pictures(tileBox, spaceBox, act) {
  const tile = layers("The Tile: all preferences. Arrow keys move the preference, Shift faster, Alt slower; Enter selects who is first, P pins.", "application");
  const spaces = { roc: layers("ROC space: false positive rate and true positive rate of everybody.", "img"), pr: layers("Precision–recall space of everybody.", "img") };
  for (const { above } of Object.values(spaces)) above.removeAttribute("tabindex");
  const hover = make("p", { class: "hover" }, INVITATION);
  const title = make("h2", {});
  const legend = make("ul", { class: "legend", "aria-label": "Legend of the Tile" });
  const lack = make("p", { class: "lack" });
  const shows = { marks: true, noskill: false, grid: false };
  const toggles = [["marks", "known scores"], ["noskill", "no-skill curve"], ["grid", "prior grid"]].map(([key, label]) =>
    make("label", { class: "check" }, make("input", { type: "checkbox", checked: shows[key], onchange: (e) => ((shows[key] = e.target.checked), redraw()) }), ` ${label}`),
  );
  const tileTableBox = make("div");
  const spacesBox = make("div");
  const details = (text, content) => make("details", { ontoggle: () => refreshTables() }, make("summary", {}, text), content);
  const [tileTable, otherTable] = [details("The Tile as a table", tileTableBox), details("ROC and PR as a table", spacesBox)];
  tileBox.prepend(title);
  tileBox.append(tile.box, hover, legend, lack, make("div", { class: "bar" }, ...toggles), tileTable);
  spaceBox.append(make("div", { class: "pair" }, spaces.roc.box, spaces.pr.box), otherTable);

  let view = null;
  let base = [];
  let map = { key: [], done: true };
  let look = {};
  let named = [];

  function colors() {
    const style = getComputedStyle(tileBox);
    const read = (name) => style.getPropertyValue(name).trim();
    return { ink: read("--ink"), paper: read("--paper"), muted: read("--muted"), faint: read("--faint"), accent: read("--accent"), tint: Number(read("--tint")) };
  }

  const sized = (box, most) => Math.max(220, Math.min(most, Math.floor(box.clientWidth)));

  function update(next) {
    view = next;
    const size = sized(tile.box, 680);
    const small = sized(spaces.roc.box, 420);
    const { state } = view;
    const key = [view.set, view.regions, state.flavor, state.selected, state.pinned, state.rank, state.score, view.sample, size, small, matchMedia("(prefers-color-scheme: dark)").matches, ...Object.values(shows)];
    if (key.some((x, i) => x !== base[i])) {
      base = key;
      look = { ...colors(), narrow: size < 460, size, small };
      prepareMap();
      drawBase();
    }
    drawAbove();
    refreshTables();
  }

  const redraw = () => view && update(view);
  const painted = () => Object.assign(Object.create(view), look);
  const tileFrame = () => frameOf(look.size, look.size + 26, TILE_MARGIN);
  const spaceFrame = () => frameOf(look.small, look.small, SPACE_MARGIN);

  // The map of a flavor is computed in slices, so that the page stays alive.

  function prepareMap() {
    const flavor = flavorOf(view.state.flavor);
    const { state } = view;
    const key = [view.set, flavor.id, state.selected, state.pinned, state.rank, state.score, view.sample];
    if (!flavor.column || view.lacks(flavor)) {
      map = { key: [], done: true };
      return;
    }
    if (key.every((x, i) => x === map.key[i])) return;
    const { size } = flavor;
    map = { key, flavor, size, values: new Float64Array(size * size).fill(NaN), next: 0, done: false, context: view };
    const current = map;
    const work = () => {
      if (map !== current) return;
      const until = performance.now() + SLICE;
      const column = new Float64Array(size);
      while (current.next < size && performance.now() < until) {
        flavor.column(current.context, current.next / (size - 1), column);
        for (let t = 0; t < size; t++) current.values[t * size + current.next] = column[t];
        current.next++;
      }
      if (current.next < size) setTimeout(work, 0);
      else {
        current.done = true;
        drawBase();
        refreshTables();
      }
    };
    work();
  }

  function mapImage() {
    const { size, values, flavor } = map;
    const scale = scaleOf(flavor.kind, values, view);
    const canvas = make("canvas", { width: size, height: size });
    const context = canvas.getContext("2d");
    const pixels = context.createImageData(size, size);
    for (let t = 0; t < size; t++) {
      for (let s = 0; s < size; s++) {
        const color = scale.color(values[t * size + s]);
        if (color) pixels.data.set([...color, 255], 4 * ((size - 1 - t) * size + s));
      }
    }
    context.putImageData(pixels, 0, 0);
    return { canvas, legend: scale.legend };
  }

  function paintTile(pen, frame) {
    const flavor = flavorOf(view.state.flavor);
    const now = painted();
    let entries = [];
    let hatched = false;
    if (flavor.kind === "regions") {
      drawRegions(pen, frame, now);
      hatched = hatch(pen, frame, now);
    } else if (map.done && map.values) {
      const image = mapImage();
      pen.image(image.canvas, frame.x(0), frame.y(1), frame.w, frame.h, ["sequential", "signed", "share"].includes(flavor.kind));
      entries = image.legend;
    }
    if (shows.grid) drawGrid(pen, frame, now);
    if (shows.noskill) drawNoSkill(pen, frame, now);
    const boxes = shows.marks ? drawMarks(pen, frame, now) : [];
    named = flavor.kind === "regions" ? placeNames(frame, now, boxes) : [];
    if (flavor.kind === "regions") entries = legendOfRegions(hatched);
    drawAxes(pen, frame, now);
    return entries;
  }

  function legendOfRegions(hatched) {
    const numbered = new Set(named.filter((one) => one.numbered).map((one) => one.t));
    const names = ({ rows, names: models }) => models ? listed(models.map(view.labelOfModel), 3, " = ") : `${rows.slice(0, 3).map(view.labelOfRow).join(" = ")}${rows.length > 3 ? " = …" : ""}`;
    const entries = view.parts.map((region, t) => [`${numbered.has(t) ? `${numberOfRegion(t)} ` : ""}${names(region)} ${percent(region.area)}`, view.hue.get(region.rows[0])]);
    return hatched ? [...entries, ["hatched: nobody beats the better constant answer", null]] : entries;
  }

  function drawBase() {
    const flavor = flavorOf(view.state.flavor);
    const why = view.lacks(flavor);
    title.textContent = why ? flavor.label : flavor.title(view);
    lack.textContent = why ?? (map.done ? summary(flavor) : "computing …");
    for (const canvas of [tile.below, tile.above]) fit(canvas, look.size, look.size + 26);
    named = [];
    const entries = why ? [] : paintTile(new CanvasPen(tile.below, look.size, look.size + 26), tileFrame());
    if (why) drawAxes(new CanvasPen(tile.below, look.size, look.size + 26), tileFrame(), painted());
    legend.replaceChildren(...entries.slice(0, 14).map(([text, color]) => legendItem(text, color)), ...(entries.length > 14 ? [make("li", {}, `and ${entries.length - 14} more`)] : []));
    for (const [space, { below, above }] of Object.entries(spaces)) {
      for (const canvas of [below, above]) fit(canvas, look.small, look.small);
      drawSpace(new CanvasPen(below, look.small, look.small), spaceFrame(), painted(), space);
    }
  }

  function legendItem(text, color) {
    const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = color ?? "transparent";
    return make("li", {}, color ? swatch : null, text);
  }

  function summary(flavor) {
    if (flavor.id === "correlation" && comparedRows(view.set.n).length < view.set.n) return `Computed on ${comparedRows(view.set.n).length} of the ${view.set.n} entities, evenly chosen.`;
    if (["entity", "domain"].includes(flavor.kind)) return `Shares (≈) are counted on a grid of ${map.size} × ${map.size} preferences.`;
    if (flavor.kind !== "regions") return "";
    if (view.modelOf) return "Regions of one model share a color; inside, thin lines are changes of its threshold.";
    const ever = view.regionOf.size;
    return `${ever} of ${view.set.n} ${ever === 1 ? "is" : "are"} first for some preference.`;
  }

  function fit(canvas, width, height) {
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }

  function drawAbove() {
    drawCrosshair(new CanvasPen(tile.above, look.size, look.size + 26), tileFrame(), view.state, look, named);
    for (const [space, { above }] of Object.entries(spaces)) drawPreference(new CanvasPen(above, look.small, look.small), spaceFrame(), painted(), space);
    tile.above.setAttribute("aria-description", `Now ${preferenceText(view.state.a, view.state.b)}.`);
  }

  function refreshTables() {
    if (!view) return;
    if (tileTable.open) tableOfTile(tileTableBox, view, map);
    if (otherTable.open) tableOfSpaces(spacesBox, view);
  }

  // Pointer and keys

  const places = (event) => {
    const box = tile.above.getBoundingClientRect();
    const frame = tileFrame();
    const rounded = (x) => Math.round(1000 * x) / 1000;
    return { a: rounded(frame.a(event.clientX - box.left)), b: rounded(frame.b(event.clientY - box.top)) };
  };
  let dragging = false;
  let moved = false;
  tile.above.addEventListener("pointerdown", (event) => {
    dragging = true;
    moved = false;
    tile.above.setPointerCapture(event.pointerId);
    act.set(places(event));
  });
  tile.above.addEventListener("pointermove", (event) => {
    const place = places(event);
    if (dragging) {
      moved = true;
      act.set(place);
    }
    hover.textContent = sentence(place);
  });
  tile.above.addEventListener("pointerup", (event) => {
    dragging = false;
    if (moved) return;
    const { a, b } = places(event);
    const region = flavorOf(view.state.flavor).kind === "regions" ? regionAt(view.regions, a, b) : null;
    if (region) act.choose(view.set.rows[region.rows[0]]);
  });
  tile.above.addEventListener("pointercancel", () => (dragging = false));
  tile.above.addEventListener("pointerleave", () => (hover.textContent = INVITATION));
  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
  tile.above.addEventListener("keydown", (event) => {
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
  for (const [space, { above }] of Object.entries(spaces)) {
    const find = (event) => {
      const box = above.getBoundingClientRect();
      return nearestPoint(view.set, spaceFrame(), space, event.clientX - box.left, event.clientY - box.top);
    };
    above.addEventListener("click", (event) => {
      const i = find(event);
      if (i >= 0) act.choose(view.set.rows[i]);
    });
    above.addEventListener("pointermove", (event) => {
      const i = view.set.n > 3000 ? -1 : find(event);
      above.title = i < 0 ? "" : `${view.labelOfRow(i)}: value ${plain(valueAt(view.set, i, view.importance))}`;
    });
  }

  /** What is under the pointer, in a sentence. */
  function sentence({ a, b }) {
    const flavor = flavorOf(view.state.flavor);
    const where = `Where ${preferenceText(a, b)}`;
    if (flavor.kind === "regions") {
      const region = regionAt(view.regions, a, b);
      if (!region) return `${where}.`;
      let winner = region.rows.slice(0, 2).map(view.labelOfRow).join(" = ");
      let value = valueAt(view.set, region.rows[0], importanceAt(a, b));
      if (Number.isNaN(value)) {
        // on the border of the Tile it may have no score
        const { order, defined } = rank(view.set, importanceAt(a, b));
        if (!defined) return `${where}, nobody is first.`;
        [winner, value] = [view.labelOfRow(order[0]), valueAt(view.set, order[0], importanceAt(a, b))];
      }
      return `${where}, ${winner} is first (${value.toFixed(3)}).`;
    }
    if (!map.done || !map.values) return `${where}.`;
    const at = (x) => Math.round(x * (map.size - 1));
    const value = map.values[at(b) * map.size + at(a)];
    if (flavor.kind === "entity") return `${where}: ${value < 0 ? "nobody" : view.labelOfRow(value)}.`;
    if (flavor.kind === "domain") return `${where}: ${value < 0 ? "none" : view.labelOfDomain(value)}.`;
    return `${where}: ${flavor.label.toLowerCase()} ${plain(value)}.`;
  }

  const sizeOf = (which) => (which === "tile" ? [look.size, look.size + 26] : [look.small, look.small]);

  function svg(which) {
    const pen = new SvgPen(...sizeOf(which), look.paper);
    drawInto(pen, which);
    return pen.toString();
  }

  function png(which) {
    const [width, height] = sizeOf(which);
    const canvas = make("canvas");
    const pen = new CanvasPen(canvas, width, height, 3);
    pen.path([[0, 0], [width, 0], [width, height], [0, height]], { fill: look.paper, close: true });
    drawInto(pen, which);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  function drawInto(pen, which) {
    if (which === "tile") {
      paintTile(pen, tileFrame());
      drawCrosshair(pen, tileFrame(), view.state, look, named);
    } else {
      drawSpace(pen, spaceFrame(), painted(), which);
      drawPreference(pen, spaceFrame(), painted(), which);
    }
  }

  return { update, svg, png, ready: () => map.done, map: () => map };
}
