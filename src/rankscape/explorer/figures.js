// Pictures that leave the page: with title, legend, color bar, caption, source and date, always light.

import { CanvasPen, SvgPen, make, widthOf } from "./dom.js";
import { LIGHT } from "./palette.js";
import { drawBar } from "./scales.js";
import { drawPattern, frameOf } from "./tile.js";

const SIDES = { tile: [560, 586], roc: [460, 460], pr: [460, 460] };
const EDGE = 16;
const LINE = 17;
const SCALE = 3; // of a PNG

/** A text in lines that are no wider than a width. */
function wrapped(text, size, width, bold = false) {
  const lines = [];
  for (const word of text.split(/ +/)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && widthOf(longer, size, bold) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Entries of a legend, [text, color], in rows that fit. */
function legendRows(entries, width) {
  const rows = [];
  let x = width;
  for (const [text, color, , round] of entries) {
    const wide = widthOf(text, 12) + (color ? 18 : 0) + 16;
    if (x + wide > width) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1).push({ text, color, round, x });
    x += wide;
  }
  return rows;
}

/** `parts`: tile and spaces, which paint; `words(which)`: {title, answer, caption, source}. Returns {svg(which, bare), png(which, bare)}. */
export function figures({ tile, spaces }, view, words) {
  function paint(pen, which, top) {
    const [width, height] = SIDES[which];
    if (which !== "tile") {
      spaces.paint(pen, { left: EDGE, top, size: width }, LIGHT, which);
      return { entries: [], bar: null };
    }
    const frame = frameOf(width, height, undefined, { left: EDGE, top });
    const found = tile.paint(pen, frame, LIGHT);
    tile.paintOver(pen, frame, LIGHT, found.names);
    return found;
  }

  /** A picture with all that explains it; `bare`: only its legend and color bar, for a page that has a caption. */
  function composed(which, bare) {
    const [width, height] = SIDES[which];
    const { title, answer, caption, source } = words(which);
    const head = bare ? [] : [...wrapped(title, 16, width, true).map((text) => [text, 16, true]), ...wrapped(answer, 12.5, width).map((text) => [text, 12.5, false])];
    const top = EDGE + head.reduce((sum, [, size]) => sum + size + 6, 0);
    const { entries, bar } = paint(new SvgPen(1, 1, LIGHT.paper), which, top); // to know what stands below
    const legend = legendRows(entries, width);
    const foot = bare ? [] : [...wrapped(caption, 11.5, width), ...wrapped(source, 11.5, width)];
    const below = top + height + 8;
    const captionTop = below + (bar ? 34 : 0) + legend.length * LINE + 6;
    const size = [width + 2 * EDGE, captionTop + foot.length * LINE + EDGE / 2];
    const draw = (pen) => {
      let y = EDGE;
      for (const [text, px, bold] of head) {
        pen.text(text, EDGE, y + px / 2, { size: px, bold, color: LIGHT.ink });
        y += px + 6;
      }
      paint(pen, which, top);
      if (bar) drawBar(pen, bar, EDGE + 52, below, width - 64, LIGHT);
      legend.forEach((row, t) => {
        const at = below + (bar ? 34 : 0) + (t + 0.5) * LINE;
        for (const { text, color, round, x } of row) {
          if (color) pen.path([[EDGE + x, at - 6], [EDGE + x + 12, at - 6], [EDGE + x + 12, at + 6], [EDGE + x, at + 6]], { fill: color, close: true, opacity: LIGHT.tint + 0.2 });
          if (round) drawPattern(pen, { left: EDGE + x, top: at - 6, w: 12, h: 12 }, () => true, round, LIGHT.paper);
          pen.text(text, EDGE + x + (color ? 18 : 0), at, { size: 12, color: LIGHT.ink });
        }
      });
      foot.forEach((text, t) => pen.text(text, EDGE, captionTop + (t + 0.5) * LINE, { size: 11.5, color: LIGHT.muted }));
    };
    return { size, draw };
  }

  function svg(which, bare = false) {
    const { size, draw } = composed(which, bare);
    const pen = new SvgPen(...size, LIGHT.paper);
    draw(pen);
    return pen.toString();
  }

  function png(which, bare = false) {
    const { size: [width, height], draw } = composed(which, bare);
    const canvas = make("canvas");
    const pen = new CanvasPen(canvas, width, height, SCALE);
    pen.path([[0, 0], [width, 0], [width, height], [0, height]], { fill: LIGHT.paper, close: true });
    draw(pen);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  return { svg, png };
}
