// The map of a flavor on a grid: computed in slices, so that the page stays alive.

import { make } from "./dom.js";
import { flavorOf } from "./maps.js";

const SLICE = 8;
const COLUMNS_OF_NAMES = 201;
const FEW_ENOUGH = 200;

/** Keeps the map that was asked for last; `done()` is called when one is ready. */
export function gridMap(done) {
  let map = { key: [], done: true };

  function ask(view) {
    const { state } = view;
    const flavor = flavorOf(state.flavor);
    const key = [view.set, flavor.id, state.selected, state.pinned, state.rank, state.score, view.sample];
    if (!flavor.column || view.lacks(flavor)) {
      map = { key: [], done: true };
      return;
    }
    if (key.every((x, i) => x === map.key[i])) return;
    const fine = flavor.kind === "entity" && view.set.n <= FEW_ENOUGH; // then borders are exact, and thin bands seen
    const [size, wide] = fine ? [2 * flavor.size - 1, COLUMNS_OF_NAMES] : [flavor.size, flavor.size];
    const current = { key, flavor, size, wide, values: new Float64Array(size * wide).fill(NaN), next: 0, done: false };
    map = current;
    const work = () => {
      if (map !== current) return;
      const until = performance.now() + SLICE;
      const column = new Float64Array(size);
      while (current.next < wide && performance.now() < until) {
        flavor.column(view, current.next / (wide - 1), column);
        for (let t = 0; t < size; t++) current.values[t * wide + current.next] = column[t];
        current.next++;
      }
      if (current.next < wide) setTimeout(work, 0);
      else {
        current.done = true;
        done();
      }
    };
    work();
  }

  return { ask, now: () => map };
}

/** The pixels of a map of numbers. */
export function imageOf({ size, values }, scale) {
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
  return canvas;
}

/** The value of a map at a place. */
export function valueOnMap({ size, wide, values }, a, b) {
  return values[Math.round(b * (size - 1)) * wide + Math.round(a * (wide - 1))];
}
