// The three pictures, their sizes and colors, and the same as tables.

import { CanvasPen, SvgPen, make } from "./dom.js";
import { LIGHT } from "./palette.js";
import { spacesView } from "./spaces_view.js";
import { tableOfSpaces, tableOfTile } from "./accessible_tables.js";
import { tileView } from "./tile_view.js";
import { drawCrosshair, frameOf } from "./tile.js";

const LARGEST_TILE = 640;
const SMALLEST_TILE = 280;
const BESIDE = 820; // the width from which the Tile stays beside the rest
const AROUND = 172; // what else is in sight above and below the Tile

/** Build the pictures; `boxes`: {tile, spaces, tables}. */
export function pictures(root, boxes, act) {
  let view = null;
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
    const head = root.querySelector("header").offsetHeight;
    root.style.setProperty("--head", `${head + 8}px`);
    const room = beside ? globalThis.innerHeight - head - AROUND : LARGEST_TILE;
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

  function hover(i) {
    tile.hover(i);
    spaces.hover(i);
  }

  const sizeOf = (which) => (which === "tile" ? tile.size() : [spaces.size(), spaces.size()]);

  function drawInto(pen, which) {
    if (which !== "tile") return spaces.paint(pen, spaces.size(), LIGHT, which);
    const [width, height] = tile.size();
    const frame = frameOf(width, height);
    const look = { ...LIGHT, narrow: width < 430 };
    const { names } = tile.paint(pen, frame, look);
    drawCrosshair(pen, frame, view.state, look, names);
  }

  function svg(which) {
    const pen = new SvgPen(...sizeOf(which), LIGHT.paper);
    drawInto(pen, which);
    return pen.toString();
  }

  function png(which) {
    const [width, height] = sizeOf(which);
    const canvas = make("canvas");
    const pen = new CanvasPen(canvas, width, height, 3);
    pen.path([[0, 0], [width, 0], [width, height], [0, height]], { fill: LIGHT.paper, close: true });
    drawInto(pen, which);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  return { update, hover, svg, png, ready: () => tile.map.now().done, map: () => tile.map.now(), toggles: tile.toggles, tile };
}
