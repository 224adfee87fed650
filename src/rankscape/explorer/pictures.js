// The three pictures, their sizes and colors, and the same as tables.

import { make } from "./dom.js";
import { figures } from "./figures.js";
import { spacesView } from "./spaces_view.js";
import { tableOfSpaces, tableOfTile } from "./accessible_tables.js";
import { tileView } from "./tile_view.js";

const LARGEST_TILE = 640;
const SMALLEST_TILE = 280;
const BESIDE = 820; // the width from which the Tile stays beside the rest
const IN_FRAME = 520; // whose height follows the page, not the page it
const AROUND = 192; // what else is in sight above and below the Tile

/** Build the pictures; `boxes`: {tile, spaces, tables}. */
export function pictures(root, boxes, act) {
  let view = null;
  let tallest = { width: 0, head: 0 };
  const tile = tileView(boxes.tile, { ...act, hover: (i) => act.hover(i), drawn: () => refreshTables() });
  const spaces = spacesView(boxes.spaces, act);
  const [tileTable, otherTable] = [make("div"), make("div")];
  const details = (text, content) => make("details", { ontoggle: () => refreshTables() }, make("summary", {}, text), content);
  const [ofTile, ofSpaces] = [details("The Tile as a table", tileTable), details("ROC and PR as a table", otherTable)];
  boxes.tables.append(ofTile, ofSpaces);

  function colors() {
    const style = getComputedStyle(root);
    const read = (name) => style.getPropertyValue(name).trim();
    return { ink: read("--ink"), paper: read("--paper"), muted: read("--muted"), faint: read("--faint"), accent: read("--accent"), tint: Number(read("--tint")) };
  }

  /** The Tile fits beside the rest without scrolling, or takes the width. */
  function sizes() {
    const width = Math.floor(boxes.tile.clientWidth);
    const beside = root.clientWidth > BESIDE;
    if (tallest.width !== root.clientWidth) tallest = { width: root.clientWidth, head: 0 };
    const sticks = beside ? ["header"] : [".tools", ".lead"];
    const tall = sticks.reduce((sum, part) => sum + root.querySelector(part).offsetHeight, 0);
    const head = (tallest.head = Math.max(tallest.head, tall)); // a longer answer must not make the Tile breathe
    root.style.setProperty("--head", `${head + 8}px`);
    const room = root.classList.contains("embed") ? IN_FRAME : beside ? globalThis.innerHeight - head - AROUND : LARGEST_TILE;
    return { size: Math.max(SMALLEST_TILE, Math.min(LARGEST_TILE, width, room)), small: Math.max(200, Math.min(420, Math.floor(spaces.first.clientWidth))) };
  }

  function update(next) {
    view = next;
    const look = { ...colors(), ...sizes() };
    tile.update(view, look);
    spaces.update(view, look);
    refreshTables();
  }

  function refreshTables() {
    if (!view) return;
    if (ofTile.open) tableOfTile(tileTable, view, tile.map.now());
    if (ofSpaces.open) tableOfSpaces(otherTable, view);
  }

  const out = figures({ tile, spaces }, () => view, act.words);

  /** On paper everything is light, and drawn anew: browsers print a canvas that was just painted without its content. */
  function print(now) {
    root.classList.toggle("printed", now);
    const places = [[boxes.tile, ["tile"]], [boxes.spaces, ["roc", "pr"]]];
    for (const [box, names] of places) {
      box.querySelectorAll(".layers").forEach((layers, i) => {
        layers.querySelector(":scope > svg")?.remove();
        if (now && view) layers.append(document.importNode(new DOMParser().parseFromString(out.svg(names[i], true), "image/svg+xml").documentElement, true));
      });
    }
  }
  const [toPaper, fromPaper] = [() => print(true), () => print(false)];
  globalThis.addEventListener("beforeprint", toPaper);
  globalThis.addEventListener("afterprint", fromPaper);

  function stop() {
    globalThis.removeEventListener("beforeprint", toPaper);
    globalThis.removeEventListener("afterprint", fromPaper);
  }

  function hover(i) {
    tile.hover(i);
    spaces.hover(i);
  }

  return { update, hover, stop, ...out, ready: () => tile.map.now().done, map: () => tile.map.now(), toggles: tile.toggles, invite: tile.invite };
}
