// The code that makes what is shown, in Python and on the command line, from the table that "Data CSV" saves.

import { outcomesOf } from "./imagine.js";
import { fractionOf } from "./model.js";
import { modeOf, presetAt } from "./state.js";

const NAMES = { accuracy: "accuracy", f1: "f1", f2: "f2", "f0.5": "fbeta(0.5)", tpr: "recall", ppv: "precision", tnr: "specificity", npv: "npv", ba: "balanced accuracy", kappa: "kappa" };
const SCORE_NAMES = { mcc: "mcc", kappa: "kappa", ba: "balanced accuracy", gmean: "sqrt(tpr*tnr)", markedness: "markedness", odds: "tp*tn/(fp*fn)", plr: "tpr/fpr", f1: "f1", accuracy: "accuracy" };
const FILE = "data.csv";
const ON_COMMAND_LINE = new Set(["value", "ranking", "best", "worst", "skill", "difference", "margin", "regret", "correlation"]);

const python = (text) => JSON.stringify(text);
const shell = (text) => (/^[\w.,=/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The costs of a place of the diagonal, [miss, false alarm], in short numbers; null at other places. */
function costsAt(state) {
  if (modeOf(state) !== "costs") return null;
  const [miss, whole] = fractionOf(state.a).map(Number);
  const rate = miss / (whole - miss);
  return rate === Infinity ? [1, 0] : String(rate).length < 8 ? [rate, 1] : [miss, whole - miss];
}

/** What the code needs of a view: the preference, the weights where they are not equal on all domains, names. */
function needsOf(view) {
  const { state, data, set } = view;
  const several = data.domains.length > 1;
  const weights = view.weights.map(String);
  const equal = weights.every((x) => x === weights[0]);
  const gaps = data.cells.some((row) => row.some((cell) => !cell));
  const name = (index) => (index === null ? null : data.entities[index]);
  return {
    by: NAMES[presetAt(state.a, state.b, set.common)?.id] ?? null, costs: costsAt(state), several, gaps,
    weights: several && !equal ? data.domains.map((domain, d) => [domain, weights[d]]) : null,
    prior: set.prior, selected: name(state.selected), pinned: name(state.pinned), table: several || set.prior !== null ? "table" : "P",
    pair: view.k >= 0 && view.pin >= 0 && view.k !== null && view.pin !== null && view.k !== view.pin ? [name(state.selected), name(state.pinned)] : null,
  };
}

/** The arguments that say how domains are averaged, and to which prior the averages are shifted. */
function options({ weights, gaps, prior, several }) {
  const parts = weights ? [`weights={${weights.map(([domain, x]) => `${python(domain)}: ${x}`).join(", ")}}`] : [];
  if (gaps && several) parts.push('missing="complete"');
  return { averaged: parts, all: prior === null ? parts : [...parts, `shift_prior=${prior}`] };
}

const MAPS = {
  entity: () => "rs.tile.entity(P)",
  entity_at_rank: (_, { state }) => `rs.tile.entity(P, rank=${state.rank})`,
  entity_last: () => "rs.tile.entity(P, last=True)",
  best: () => "rs.tile.best(P)",
  worst: () => "rs.tile.worst(P)",
  margin: () => "rs.tile.margin(P)",
  no_skill: () => "rs.tile.no_skill(P.common_prior())",
  no_skill_prior: () => "rs.tile.no_skill_prior()",
  difference: ({ selected, pinned }) => `rs.tile.difference(P, ${python(selected)}, ${python(pinned)})`,
  correlation: (_, { state }) => `rs.tile.correlation(${python(SCORE_NAMES[state.score])}, P)`,
  p_first: ({ selected, given, table }) => `rs.uncertainty.first_tile(${[table, ...given].join(", ")}).of(${python(selected)})`,
};
for (const id of ["value", "ranking", "skill", "regret"]) MAPS[id] = ({ selected }) => `rs.tile.${id}(P, ${python(selected)})`;
for (const id of ["easiest", "hardest", "preponderant", "bottleneck"]) MAPS[id] = ({ selected, given, table }) => {
  const from = given.length ? `rs.domains.prepare(${[table, ...given].join(", ")})` : table;
  return `rs.domains.roles_tile(${from}, ${python(selected)}, ${python(id)})`;
};

const INSTALL = "# pip install rankscape";

/** Python that prints the leaderboard, the comparison of two, and a method that does not exist, and saves the map. */
export function pythonOf(view) {
  const needs = needsOf(view);
  const { averaged, all } = options(needs);
  const { a, b, imagined } = view.state;
  const [miss, alarm] = needs.costs ?? [];
  const by = needs.costs ? `rs.costs(miss=${miss}, false_alarm=${alarm})` : needs.by ? python(needs.by) : `rs.at(${a}, ${b})`;
  const lines = [INSTALL, "import rankscape as rs", "", `${needs.table} = rs.read(${python(FILE)})  # saved by Export, Data CSV`];
  if (needs.several) lines.push(`P = rs.summarize(${["table", ...averaged].join(", ")})`);
  if (needs.prior !== null) lines.push(`P = ${needs.several ? "P" : "table"}.shift_priors(${needs.prior})`);
  lines.push(`print(rs.rank(P, by=${by}))`);
  if (view.about && view.follows) lines.push(`print(rs.uncertainty.rank_intervals(${[needs.table, `by=${by}`, ...all].join(", ")}))`);
  if (needs.pair) lines.push(`pair = P[[${needs.pair.map(python).join(", ")}]]`, `print(rs.rank(pair, by=${by}))`, "print(rs.tile.entity(pair).shares)  # on which share of the Tile each is better");
  if (imagined && view.common > 0 && view.common < 1) {
    const of = outcomesOf(imagined, view.common).join(", ");
    lines.push(`what_if = rs.Performances.from_probabilities([[${of}]], names=["what if"])`, `print(rs.rank(rs.concat([P, what_if]), by=${by}))`);
  }
  if (!view.lacks(view.flavor)) lines.push(`ax = ${MAPS[view.flavor.id]({ ...needs, given: all }, view)}.plot()`, `ax.plot(${a}, ${b}, "o", color="black", markersize=12, fillstyle="none")  # the preference`, 'ax.figure.savefig("tile.png")');
  return `${lines.join("\n")}\n`;
}

/** Commands that print the leaderboard and save the map, where there is a command for it. */
export function commandOf(view) {
  const { state, flavor } = view;
  const needs = needsOf(view);
  const common = [];
  if (needs.weights) common.push("--weights", shell(needs.weights.map(([domain, x]) => `"${domain.replaceAll('"', '""')}"=${x}`).join(",")));
  if (needs.gaps && needs.several) common.push("--missing complete");
  if (needs.prior !== null) common.push(`--shift-prior ${needs.prior}`);
  const [miss, alarm] = needs.costs ?? [];
  const by = needs.costs ? `--costs miss=${miss},false-alarm=${alarm}` : needs.by ? `--by ${shell(needs.by)}` : `--by ${state.a},${state.b}`;
  const lines = [["rankscape rank", FILE, by, ...common, ...(view.about && view.follows ? ["--uncertainty"] : [])]];
  const tile = ["rankscape tile", FILE, ...common];
  if (flavor.id === "entity") lines.push(tile);
  else if (flavor.id === "entity_at_rank") lines.push([...tile, `--rank ${state.rank}`]);
  else if (flavor.id === "entity_last") lines.push([...tile, "--last"]);
  else if (ON_COMMAND_LINE.has(flavor.id) && !view.lacks(flavor)) {
    const names = flavor.needs.includes("entity") ? [`--entity ${shell(needs.selected)}`] : [];
    if (flavor.needs.includes("other")) names.push(`--against ${shell(needs.pinned)}`);
    if (flavor.id === "correlation") names.push(`--score ${shell(SCORE_NAMES[state.score])}`);
    lines.push([...tile, `--flavor ${flavor.id}`, ...names]);
  }
  if (needs.pair && flavor.id !== "difference") lines.push([...tile, `--flavor difference --entity ${shell(needs.pair[0])} --against ${shell(needs.pair[1])}`]);
  return `${INSTALL}\n${lines.map((line) => line.join(" ")).join("\n")}\n`;
}
