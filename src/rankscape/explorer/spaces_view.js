// ROC and PR space on the page: zoomed to the data, with names, and linked with everything else.

import { CanvasPen, make } from "./dom.js";
import { fromPrecision, imaginable } from "./imagine.js";
import { valueAt } from "./model.js";
import { SPACE_MARGIN, drawPreference, drawSpace, nearestPoint, spaceFrameOf, zoomOf } from "./spaces.js";
import { fit } from "./tile_view.js";
import { plain } from "./texts.js";

const LABELS = {
  roc: "ROC space: false positive rate and true positive rate of everybody.",
  pr: "Precision–recall space of everybody.",
};

/** Build both planes into an element. Returns {update(view, look), hover(row), paint(pen, size, look, space)}. */
export function spacesView(box, act) {
  const planes = Object.entries(LABELS).map(([space, label]) => {
    const below = make("canvas", { "aria-hidden": "true" });
    const above = make("canvas", { role: "img", "aria-label": label });
    return { space, below, above, box: make("div", { class: "layers" }, below, above) };
  });
  box.append(make("div", { class: "pair" }, ...planes.map((plane) => plane.box)));

  let view = null;
  let look = {};
  let base = [];
  let marked = -1;
  const windowOf = (space) => (view.state.whole ? [0, 1, 0, 1] : zoomOf(view, space));
  const frames = {};
  const frameIn = (space) => frames[space];
  const painted = (how = look) => Object.assign(Object.create(view), how);

  function update(next, how) {
    view = next;
    look = how;
    const key = [view.set, view.regions, view.state.whole, look.small, look.paper];
    if (key.some((x, i) => x !== base[i])) {
      base = key;
      for (const { space, below, above } of planes) {
        frames[space] = spaceFrameOf(look.small, SPACE_MARGIN, windowOf(space));
        for (const canvas of [below, above]) fit(canvas, look.small, look.small);
        drawSpace(new CanvasPen(below, look.small, look.small), frameIn(space), painted(), space);
      }
    }
    drawAbove();
  }

  function drawAbove() {
    for (const { space, above } of planes) drawPreference(new CanvasPen(above, look.small, look.small), frameIn(space), painted(), space, marked);
  }

  function hover(i) {
    if (marked === i) return;
    marked = i;
    drawAbove();
  }

  for (const { space, above } of planes) {
    const find = (event) => {
      const at = above.getBoundingClientRect();
      return nearestPoint(view.set, frameIn(space), space, event.clientX - at.left, event.clientY - at.top);
    };
    above.addEventListener("click", (event) => {
      const i = find(event);
      if (i >= 0) act.choose(view.set.rows[i]);
      else if (imaginable(view)) imagine(event);
    });
    const imagine = (event) => {
      const box_ = above.getBoundingClientRect();
      const frame = frameIn(space);
      const point = [frame.atX(event.clientX - box_.left), frame.atY(event.clientY - box_.top)];
      if (!frame.holds(point)) return;
      const place = space === "roc" ? point : fromPrecision(point, view.set.common);
      if (place) act.set({ imagined: place.map((x) => Number(x.toPrecision(3))) });
    };
    above.addEventListener("pointermove", (event) => {
      const i = view.set.n > 3000 ? -1 : find(event);
      above.title = i < 0 ? "" : `${view.labelOfRow(i)}: value ${plain(valueAt(view.set, i, view.importance))}`;
      act.hover(i);
    });
    above.addEventListener("pointerleave", () => act.hover(-1));
  }

  /** Paint a plane on a square of a size with a corner {left, top, size}. */
  function paint(pen, square, how, space) {
    const frame = spaceFrameOf(square.size, SPACE_MARGIN, windowOf(space), square);
    drawSpace(pen, frame, painted(how), space);
    drawPreference(pen, frame, painted(how), space, -1);
  }

  return { update, hover, paint, first: planes[0].box };
}
