// What follows from data and state, computed when it is asked for and kept until its causes change.

import { canShift, dataOf, defaultWeights, performances, preferenceAt, rank } from "./model.js";
import { priorRange } from "./priors.js";
import { winnersAlong } from "./leads.js";
import { distanceTo, everFirst, firstRegions, stability } from "./regions.js";
import { drawnNumbers, fewer, rankSets, sampleOf, shareFirst, valueIntervals } from "./uncertainty.js";
import { areaOfWin, borderOf } from "./borders.js";
import { imaginable, regionOfImagined } from "./imagine.js";
import { hueAt, roundAt, roundsOf } from "./palette.js";
import { together } from "./together.js";
import { flavorOf, lacking } from "./maps.js";
import { lastOf, memory } from "./memory.js";
import { shortName } from "./names.js";
import { modeOf, preferenceText, presetAt } from "./state.js";
import { NO_DRAWS, digitsOfAmounts, grouped, listed, plain, positives } from "./texts.js";

/** What everybody is expected to cost, by index: `amount` in the unit, `number` without it; `least` costs least. */
function costsOf(set, { each, per, unit, around, heading, phrase }) {
  const amounts = Float64Array.from({ length: set.n }, (_, i) => per * each.reduce((sum, cost, k) => sum + cost * set.p[4 * i + k], 0));
  const digits = digitsOfAmounts(amounts);
  const number = (i) => grouped(amounts[i], digits);
  const least = amounts.reduce((best, x, i) => (x < amounts[best] ? i : best), 0);
  return { heading, phrase, unit, least, amounts, number, each: (i) => amounts[i] / per, amount: (i) => around.join(number(i)) };
}

/** Return a function state → view: everything that the page shows, for data as they were given. */
export function deriver(source) {
  const keep = memory();
  const details = lastOf();
  const even = lastOf();
  const data = dataOf(source);
  const start = defaultWeights(data);
  const drawn = source.draws ?? null;
  const drawnFor = drawn && (drawn.weights ?? start).join(); // draws follow any preference and prior, but no other weights
  const labels = data.entities.map((name) => shortName(name));
  const longLabels = data.entities.map((name) => shortName(name, 90));
  const places = source.models ? new Map([...new Set(source.models)].map((name, t) => [name, t])) : null;
  const placeOf = (index) => (places ? places.get(source.models[index]) : index);
  const labelsOfModels = new Map(source.models?.map((name) => [name, shortName(name)]));
  const labelsOfDomains = data.domains.map((name) => shortName(name));

  return function viewOf(state) {
    const weights = state.weights ?? start;
    const key = [weights.join(), state.prior];
    const plain = keep("plain", [weights.join()], () => performances(data, weights));
    const shiftable = keep("shiftable", [plain], () => canShift(plain));
    const set = state.prior === null || !shiftable ? plain : keep("set", key, () => performances(data, weights, state.prior));
    const regions = keep("regions", [set], () => firstRegions(set));
    const importance = preferenceAt(state.a, state.b);
    const ranking = keep("ranking", [set, state.a, state.b], () => rank(set, importance));
    const rowOf = keep("rows", [set], () => new Map(set.rows.map((row, i) => [row, i])));
    const row = (index) => (index === null ? null : (rowOf.get(index) ?? -1));
    const view = { state, data, set, weights, regions, importance, ranking, rowOf, canShift: shiftable, label: (index) => labels[index] };
    view.longLabel = (index) => longLabels[index];
    view.labelOfDomain = (d) => labelsOfDomains[d] ?? "none";
    view.labelOfRow = (i) => labels[set.rows[i]];
    view.k = row(state.selected);
    view.pin = row(state.pinned);
    view.leader = ranking.defined ? ranking.order[0] : -1;
    if (source.models) view.modelOf = (i) => source.models[set.rows[i]];
    view.labelOfModel = (name) => labelsOfModels.get(name);
    view.parts = view.modelOf ? keep("parts", [regions], () => together(regions, view.modelOf)) : regions;
    view.labelOfPart = ({ names, rows }) => (names ? labelsOfModels.get(names[0]) : labels[set.rows[rows[0]]]);
    view.hueOf = (i) => hueAt(placeOf(set.rows[i])); // by its place in the data: the same in every view
    view.hue = keep("hue", [regions], () => new Map(regions.flatMap((region) => region.rows.map((i) => [i, view.hueOf(i)]))));
    view.roundOf = (i) => roundAt(placeOf(set.rows[i]));
    view.rounds = keep("rounds", [regions], () => roundsOf(regions.map(({ rows }) => rows[0]), (i) => view.hue.get(i), view.roundOf, (i) => placeOf(set.rows[i])));
    view.regionOf = keep("regionOf", [regions], () => new Map(regions.flatMap((region, t) => region.rows.map((i) => [i, t]))));
    view.everFirst = () => keep("everFirst", [regions], () => everFirst(set, regions));
    view.costs = source.costs && set.n ? keep("costs", [set], () => costsOf(set, source.costs)) : null;
    view.flavor = flavorOf(state.flavor);
    view.mode = modeOf(state);
    view.along = keep("along", [regions, view.mode, view.mode === "free" ? state.a : null], () => winnersAlong(view));
    view.imagined = state.imagined && imaginable(view) ? keep("imagined", [set, ...state.imagined], () => regionOfImagined(view, state.imagined)) : null;
    view.common = set.common;
    view.several = set.used.length > 1;
    view.two = set.n > 1;
    view.about = drawn;
    view.read = source.read;
    view.aboutPoints = source.about ?? [];
    view.follows = weights.join() === drawnFor;
    view.dethroned = holds(source.dethroned, state, weights, start) ? source.dethroned.text : "";
    view.sampleNow = () => (drawn && view.follows && set.n ? keep("sample", [set], () => sampleOf(set, drawn, keep("numbers", [], () => drawnNumbers(drawn)))) : null);
    view.sample = flavorOf(state.flavor).needs.includes("sample") ? view.sampleNow() : null;
    const chosen = view.sample ? keep("placeOf", [view.sample], () => new Map(view.sample.chosen.map((i, t) => [i, t]))) : new Map();
    view.placeOf = chosen;
    view.drawn = view.k === null ? null : (chosen.get(view.k) ?? -1);
    view.note = noteOf(view);
    const causes = [set, state.uncertainty && view.follows, view.sample, state.a, state.b];
    view.detail = details.get(causes) ?? { sample: null, placeOf: chosen, even: even.get([plain]) };
    view.details = () => details.get(causes) ?? details.put(causes, { ...detailsOf(view), even: view.even() });
    view.even = () => (shiftable ? (even.get([plain]) ?? even.put([plain], areasByRow(firstRegions(performances(data, weights, 0.5))))) : null);
    view.priorRange = () => (alone(view) ? keep("range", [set, state.a, state.b], () => priorRange(set, regions, view.leader, state.a, state.b)) : null);
    view.caption = (which) => captionOf(view, which);
    view.pair = () => keep("pair", [set, view.k, view.pin], () => ({ area: areaOfWin(borderOf(set.exact(view.k), set.exact(view.pin))), back: areaOfWin(borderOf(set.exact(view.pin), set.exact(view.k))) }));
    view.lacks = (flavor) => (flavor.needs.includes("sample") && view.k !== null && view.drawn === -1 ? "The selected method is not among those that may be first." : lacking(flavor, view));
    return view;
  };
}

/** Tell whether what Python says of a preference, weights and a prior is of those of the page. */
const holds = (about, state, weights, start) => Boolean(about) && about.a === state.a && about.b === state.b && about.prior === state.prior && (about.weights ?? start).join() === weights.join();

/** Of each row that comes first anywhere on the Tile, the share where it does. */
const areasByRow = (regions) => new Map(regions.flatMap(({ rows, area }) => rows.map((i) => [i, area])));

/** Tell whether one entity, or several equal ones, is first at a prior that all share and that can be shifted. */
function alone({ set, ranking, leader, common, canShift: able }) {
  if (!able || leader < 0 || !(common > 0 && common < 1)) return false;
  return ranking.order.subarray(0, ranking.high[leader]).every((i) => set.group(i) === set.group(leader));
}

/** What takes longer than a frame: flip distances, what would change the answer, and uncertainty. */
function detailsOf(view) {
  const { set, regions, state, leader, importance } = view;
  const sample = view.sample ?? (state.uncertainty ? view.sampleNow() : null);
  const details = { sample, placeOf: new Map((sample?.chosen ?? []).map((i, t) => [i, t])), flips: new Map() };
  if (leader >= 0) details.stability = stability(set, regions, leader, state.a, state.b);
  for (const region of regions) {
    const first = region.rows.find((i) => view.ranking.low[i] === 1);
    const range = first === undefined ? null : set.group(first) === set.group(leader) ? details.stability : stability(set, regions, first, state.a, state.b);
    const far = range ? range.nearest.distance : distanceTo(region, state.a, state.b).distance;
    region.rows.forEach((i) => details.flips.set(i, far));
  }
  for (const i of leader < 0 ? [] : view.ranking.order.subarray(0, view.ranking.high[leader])) {
    if (!details.flips.has(i)) details.flips.set(i, 0); // first here, and nowhere around
  }
  if (sample) {
    details.first = shareFirst(sample, importance);
    details.values = valueIntervals(sample, importance);
    if (sample.n === set.n) {
      Object.assign(details, rankSets(sample, importance, Int32Array.from(sample.chosen, (i) => view.ranking.low[i])));
      details.tier = tiersOf(view.ranking, (i, j) => details.sure(details.placeOf.get(i), details.placeOf.get(j)));
    }
  }
  return details;
}

/** Who begins a tier below the first one: surely worse than who begins the tier before. */
function tiersOf({ order, defined }, sure) {
  const starts = new Set();
  let leader = order[0];
  for (const i of order.subarray(0, defined)) {
    if (i === leader || !sure(leader, i)) continue;
    starts.add(i);
    leader = i;
  }
  return starts;
}

/** What was drawn, and of what to beware; or why the page does not say how sure it is. */
function howSure({ about, follows, modelOf }) {
  if (modelOf) return []; // the notes say why not
  if (!about) return [NO_DRAWS];
  if (!follows) return ["How sure the ranking is, rankscape computed only for the weights that the page opened with: “back to the start” under the weights brings them back."];
  return [...about.notes, about.left].filter(Boolean).map((note) => `${note}.`);
}

/** What the outlines on the Tile are. */
function outlined({ state, k, pin, regionOf, labelOfRow, flavor, imagined }) {
  const drawn = (i) => flavor.kind === "regions" && regionOf.has(i);
  const lines = [drawn(k) && `thick, ${labelOfRow(k)}`, drawn(pin) && pin !== k && `thin, ${labelOfRow(pin)}`].filter(Boolean);
  const where = lines.length ? ` Outlined: ${lines.join("; ")}.` : "";
  return `${where}${imagined ? ` Dashed: where a method with false positive rate ${plain(state.imagined[0])} and recall ${plain(state.imagined[1])} would be first.` : ""}`;
}

/** The caption of a picture that leaves the page: how to read it, and of which population it is. */
function captionOf(view, which) {
  const { set, data, state } = view;
  const place = preferenceText(state.a, state.b); // in the units of the axes
  const read = which === "tile"
    ? `Each point is a preference: to the right, detections count more against correct rejections; upwards, misses more against false alarms. At the circle, ${place}.${outlined(view)}`
    : `Dashed: who can be first for some preference. Along the thin lines the score is the same where ${place}; on the thick one it is that of the first.`;
  const used = data.domains.length > 1 ? ` Averaged over ${set.used.length < data.domains.length ? `${set.used.length} of ` : ""}${data.domains.length} domains.` : "";
  const prior = set.prior === null ? "" : ` Priors are shifted to ${positives(set.prior)} positives.`;
  return `${read}${used}${prior}`;
}

function noteOf(view) {
  const { set, data, state, sample, several } = view;
  const notes = [...(view.read ? [view.read] : []), ...view.aboutPoints.map((note) => `${note}.`)];
  const named = presetAt(state.a, state.b, set.common);
  if (named?.orders) notes.push(`Values are those of the ranking score R(a, b), which orders as ${named.name} does; they are not ${named.name}.`);
  const [used, all] = [set.used.length, data.domains.length];
  const weights = set.used.map((d) => view.weights[d]);
  const how = weights.every((x) => x === weights[0]) ? "equal weights" : "the weights under “More preferences”";
  if (several) notes.push(`Each score is computed from the shares of tn, fp, fn and tp, averaged over ${used} ${used < all ? `of ${all} ` : ""}domains with ${how}${used < all ? " (the others have no weight)" : ""}; it is not an average of scores.`);
  if (view.costs) notes.push(`Expected costs ${view.costs.unit} always use your costs, ${view.costs.phrase}, wherever you move the preference.`);
  if (set.prior !== null) notes.push(`Priors are shifted to ${positives(set.prior)} positives${several ? " after averaging" : ""}.`);
  if (set.left.length) {
    notes.push(`Not compared, for they lack one of these domains: ${listed(set.left.map(view.label))}.`);
  }
  if (view.dethroned) notes.push(view.dethroned);
  if (state.uncertainty) notes.push(...howSure(view));
  if (sample && flavorOf(state.flavor).needs.includes("sample") && fewer(sample).draws < sample.draws) notes.push(`The Tile takes ${fewer(sample).draws} of the draws.`);
  return notes.join(" ");
}
