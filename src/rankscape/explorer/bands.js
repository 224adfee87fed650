// Maps of names in columns: exact borders between those who change places, drawn as curves, with names in the map.

import { borderB, borderOf } from "./borders.js";
import { tinted } from "./palette.js";
import { drawPattern, placeNames } from "./tile.js";

const SLACK = 1e-9;
const JUMP = 0.06; // between columns: a border that jumps farther is another one

/** Columns of a map: [{a, runs: [{code, low, high}]}], from b = 0 upwards. Between entities b is exact, else halfway. */
export function bandColumns({ values, wide, size, flavor }, { set }) {
  const borders = new Map();
  const between = (i, j, a, t) => {
    const [below, above] = [t / (size - 1), (t + 1) / (size - 1)];
    if (flavor.kind === "entity" && i >= 0 && j >= 0) {
      const key = i < j ? `${i} ${j}` : `${j} ${i}`;
      if (!borders.has(key)) borders.set(key, borderOf(set.exact(Math.min(i, j)), set.exact(Math.max(i, j))));
      const b = borderB(borders.get(key), a);
      const slack = 1 / (size - 1) + SLACK; // a band too thin for the grid may lie between
      if (b >= below - slack && b <= above + slack) return b;
    }
    return (below + above) / 2;
  };
  return Array.from({ length: wide }, (_, s) => {
    const a = s / (wide - 1);
    const runs = [{ code: values[s], low: 0, high: 1 }];
    for (let t = 1; t < size; t++) {
      const code = values[t * wide + s];
      const last = runs.at(-1);
      if (code === last.code) continue;
      last.high = Math.min(1, Math.max(last.low, between(last.code, code, a, t - 1)));
      runs.push({ code, low: last.high, high: 1 });
    }
    return { a, runs };
  });
}

/** Runs of one code that go on from column to column: [{code, columns: [[a, low, high]]}]. */
function strandsOf(columns) {
  const strands = [];
  let open = [];
  const half = 0.5 / (columns.length - 1);
  for (const { a, runs } of columns) {
    const next = runs.filter(({ code }) => code >= 0).map((run) => {
      const found = open.find(({ code, columns: parts, taken }) => !taken && code === run.code && parts.at(-1)[1] < run.high && parts.at(-1)[2] > run.low);
      if (found) {
        found.taken = true;
        found.columns.push([a, run.low, run.high]);
        return found;
      }
      const strand = { code: run.code, columns: [[Math.max(0, a - half), run.low, run.high], [a, run.low, run.high]] };
      strands.push(strand);
      strand.taken = true;
      return strand;
    });
    for (const strand of open) if (!strand.taken) strand.columns.push([Math.min(1, strand.columns.at(-1)[0] + half), ...strand.columns.at(-1).slice(1)]);
    for (const strand of next) strand.taken = false;
    open = next;
  }
  return strands;
}

/** Draw a map of names: `scale.color` gives their colors. */
export function drawBands(pen, frame, columns, scale, look) {
  for (const { code, columns: parts } of strandsOf(columns)) {
    const points = [...parts.map(([a, low]) => [frame.x(a), frame.y(low)]), ...parts.map(([a, , high]) => [frame.x(a), frame.y(high)]).reverse()];
    const fill = tinted(scale.hex(code), look);
    pen.path(points, { fill, stroke: fill, width: 0.7, close: true });
  }
  const codes = new Set(columns.flatMap(({ runs }) => runs.map(({ code }) => code)));
  for (const code of codes) {
    const round = scale.round(code);
    if (round) drawPattern(pen, frame, (a, b) => columns[Math.round(a * (columns.length - 1))].runs.some((run) => run.code === code && b > run.low && b < run.high), round, look.paper);
  }
  let open = [];
  const half = 0.5 / (columns.length - 1);
  const draw = ({ points }) => pen.path(whole(points, half).map(([a, b]) => [frame.x(a), frame.y(b)]), { stroke: look.ink, width: 1.2 });
  for (const { a, runs } of columns) {
    const next = runs.slice(1).map((run, t) => {
      const key = `${runs[t].code} ${run.code}`;
      const found = open.find((line) => line.key === key && Math.abs(line.points.at(-1)[1] - run.low) < JUMP);
      if (!found) return { key, points: [[a, run.low]] };
      open = open.filter((line) => line !== found);
      found.points.push([a, run.low]);
      return found;
    });
    open.forEach(draw);
    open = next;
  }
  open.forEach(draw);
}

/** A line with half a column more at both ends, so that it meets the next one. */
function whole(points, half) {
  const beyond = ([a, b], [a1, b1] = [a - 1, b], way = 1) => [Math.min(1, Math.max(0, a + way * half)), b + ((b - b1) / (a - a1)) * way * half];
  return [beyond(points[0], points[1], -1), ...points, beyond(points.at(-1), points.at(-2))];
}

/** Where names go in a map of names, clear of the obstacles; those of small areas have none. */
export function namesInBands(frame, columns, entries, obstacles) {
  const parts = entries.filter(({ area }) => area > 0.002).map(({ codes, name, area }) => ({
    name, area,
    band(a) {
      const { runs } = columns[Math.round(a * (columns.length - 1))];
      return runs.filter(({ code }) => codes.has(code)).reduce((best, { low, high }) => (!best || high - low > best[1] - best[0] ? [low, high] : best), null);
    },
  }));
  return placeNames(frame, { parts, labelOfPart: (part) => part.name, before: "≈ " }, obstacles);
}

/** Lines of equal value of a map of numbers at some levels, by marching squares: [[[a, b], [a, b]]]. */
export function contours({ values, size }, levels) {
  const lines = [];
  const at = (s, t) => values[t * size + s];
  const step = 1 / (size - 1);
  for (let t = 0; t + 1 < size; t++) {
    for (let s = 0; s + 1 < size; s++) {
      const corners = [[s, t], [s + 1, t], [s + 1, t + 1], [s, t + 1]];
      const here = corners.map(([x, y]) => at(x, y));
      if (here.some((x) => !Number.isFinite(x))) continue;
      for (const level of levels) {
        const cuts = [];
        for (let k = 0; k < 4; k++) {
          const [from, to] = [here[k], here[(k + 1) % 4]];
          if (from < level === to < level) continue;
          const share = (level - from) / (to - from);
          const [[x, y], [x1, y1]] = [corners[k], corners[(k + 1) % 4]];
          cuts.push([(x + share * (x1 - x)) * step, (y + share * (y1 - y)) * step]);
        }
        for (let k = 0; k + 1 < cuts.length; k += 2) lines.push([cuts[k], cuts[k + 1]]);
      }
    }
  }
  return lines;
}
