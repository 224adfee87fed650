// Headers: which column of a table is which, by the names that people give them, as in Python.

import { OUTCOMES } from "./model.js";
import { nameOf } from "./sheet.js";
import { isMissing, quoted, refuse, stripped } from "./texts.js";
import { wholeOf } from "./thousands.js";

/** The headers that are understood, without case, spaces and signs: those of the command line. */
export const HEADERS = {
  entity: ["entity", "model", "method", "classifier", "algorithm", "system", "name", "team", "approach", "detector", "estimator", "tool", "run", "runid", "tracker", "submission", "participant", "agent", "framework", "llm", "modelname", "modelid", "methodname", "classifiername", "algorithmname", "systemname", "teamname", "clf", "learner", "modell", "modelle", "modelo", "modelos", "modele", "modèle", "modello", "modelli", "methode", "metodo", "metodos", "algorithmus", "algorithmen", "algoritmo", "algorithme", "verfahren"],
  domain: ["domain", "dataset", "video", "task", "sequence", "benchmark", "fold", "split", "category"],
  tn: ["tn", "tns", "tncount", "truenegative", "truenegatives", "trueneg", "correctrejection", "correctrejections", "correctnegative", "correctnegatives"],
  fp: ["fp", "fpcount", "falsepositive", "falsepositives", "falsepos", "falsealarm", "falsealarms"],
  fn: ["fn", "fns", "fncount", "falsenegative", "falsenegatives", "falseneg", "miss", "misses"],
  tp: ["tp", "tps", "tpcount", "truepositive", "truepositives", "truepos", "hit", "hits"],
};

const ROLES = new Map(Object.entries(HEADERS).flatMap(([column, names]) => names.map((name) => [name, column])));

/** A header without case, spaces and signs; as Python's casefold, which keeps the dotless i apart. */
const bare = (header) => header.replace(/[^\p{L}\p{N}]+/gu, "").replace(/[^ı]+/g, (text) => text.toUpperCase().toLowerCase());

/** Tell whether a header is understood. */
export const isKnown = (header) => ROLES.has(bare(header));

/** Headers of numbers of cases, and of cases without an answer, as Python has them. */
const SIZES = {
  unanswered: ["unanswered", "nunanswered", "abstained", "abstention", "abstentions", "noanswer", "noanswers", "notanswered", "noprediction", "nopredictions", "refused", "refusals", "skipped", "failures", "failed", "timeouts", "crashed"],
  n: ["n", "total", "ntotal", "samplesize", "ncases", "npatients"],
  positive: ["npositive", "npositives", "npos", "positives", "diseased", "ndiseased", "nill", "nsick"],
  negative: ["nnegative", "nnegatives", "nneg", "negatives", "healthy", "nhealthy", "nondiseased"],
};

/** Refuse counts that leave cases out: a column says that some have no answer, or a total is above the counts. */
export function refuseUnanswered(headers, rows, counts) {
  const columns = Object.fromEntries(Object.entries(SIZES).map(([key, names]) => [key, headers.findIndex((header) => names.includes(bare(header)))]));
  const column = Object.values(columns).find((i) => i >= 0);
  if (column === undefined) return;
  rows.forEach((row, i) => {
    const [unanswered, n, positive, negative] = Object.values(columns).map((j) => (j < 0 ? null : wholeOf(nameOf(row.cells[j] ?? null) ?? "")));
    const total = n ?? (positive === null || negative === null ? null : positive + negative);
    const left = unanswered ?? (total === null ? 0n : total - counts[i].reduce((x, y) => x + y));
    if (left > 0n) refuse(`${row.place}: ${left} cases have no answer (column ${quoted(headers[column])}); say what they are with rankscape rank --unanswered, or drop the column.`);
  });
}

/** The categories and videos of CDnet: two columns that make one domain; the columns by which domains are named else. */
export function levelsOf(headers) {
  const levels = ["category", "video"].map((level) => headers.findLastIndex((header) => bare(header) === level));
  return levels.every((i) => i >= 0) ? levels : [];
}

/** The name of a domain of several parts, in which a slash inside a part is escaped. */
export const joined = (parts) => parts.map((part) => part.replace(/[\\/]/g, "\\$&")).join("/");

/** Return where the columns are: tn, fp, fn, tp, and entity and domain where there are any. */
export function columnsOf(headers) {
  const columns = {};
  const named = headers.map(bare); // beside tns, fns or tps, fps are no frames per second
  const plural = named.some((name) => ["tns", "fns", "tps"].includes(name)) && !named.some((name) => HEADERS.fp.includes(name));
  for (const column of Object.keys(HEADERS)) {
    let places = headers.flatMap((header, i) => (ROLES.get(bare(header)) === column || (plural && column === "fp" && named[i] === "fps") ? [i] : []));
    if (column === "entity" || column === "domain") {
      const itself = places.filter((i) => bare(headers[i]) === column); // goes before its synonyms
      places = itself.length ? itself : places;
    }
    if (column === "domain" && levelsOf(headers).length) places = levelsOf(headers).slice(0, 1); // of several columns
    const unlike = places.filter((i) => bare(headers[i]) !== "runid"); // a run has a name, too
    places = column === "entity" && unlike.length ? unlike : places;
    if (places.length > 1) refuse(`The columns ${places.map((i) => quoted(headers[i])).join(" and ")} all mean ${column}; expected one: rename or drop one.`);
    if (places.length) columns[column] = places[0];
  }
  const lacking = OUTCOMES.filter((outcome) => !(outcome in columns));
  if (lacking.length) {
    const wayOut = lacking.join() === "tn" ? " Without tn: rankscape explore FILE writes the page of fp, fn and tp." : "";
    refuse(`The header has no column ${lacking.join(", ")}; expected entity, tn, fp, fn, tp and, for several, domain.${wayOut}`);
  }
  if (!("entity" in columns) && headers[0] === "") columns.entity = 0; // the index of a data frame
  return columns;
}

/** Words of a header that say that the column names nothing, as Python has them. */
const NO_NAMES = new Set(["note", "notes", "comment", "comments", "remark", "remarks", "description", "date", "time", "timestamp", "duration", "runtime", "url", "link", "updated", "created", "started", "finished", "latency", "cost", "price", "size", "memory", "status"]);
const wordsOf = (header) => header.split(/[^\p{L}]+|(?<=[a-z])(?=[A-Z])/u).filter(Boolean).map((word) => word.toLowerCase());
const namesNothing = (header) => wordsOf(header).some((word) => NO_NAMES.has(word));

/** Headers of groups of one model, whose rows are no models; as Python has them. */
const GROUPS = new Set("site sites siteid hospital clinic center centre region country city location scanner camera device cohort scenario scene weather language store plant sex gender age agegroup agerange ageband race ethnicity group groupname subgroup demographic nationality religion education income attributevalue sensitivefeature slice segment difficulty complexity level topic".split(" "));

/** Headers of the classes, and of the runs, of one model, whose rows are no models either; as Python has them. */
const CLASSES = new Set("category class classes classname defect diagnosis disease emotion intent label labelname labels pathology sentiment species target type types".split(" "));
const PER_CLASS = /(per|by|each)[\W_]?(class|label|categor|type|species|intent)/i; // names of files
const RUNS = new Set("seed seeds randomseed rngseed run runid repeat repeats repetition replicate rep rollout epoch attempt".split(" "));

/** Words of headers that name models, as in "Model type". */
const MODELS = new Set([...HEADERS.entity, "network", "architecture", "variant"].filter((name) => name !== "name" && name !== "run"));

/** Headers of numbers that name the rows where no text does. */
const THRESHOLDS = new Set(["threshold", "thresholds", "cutoff", "cutpoint"]);

/** Return the column of the only texts that no other column is, if they can name the entities; refuse where several could. */
export function onlyText(headers, rows, columns, file) {
  const lettered = (cell) => /[\p{L}\p{Nl}\p{No}]/u.test(cell) && Number.isNaN(Number(cell));
  const yesOrNo = (cell) => /^(true|false|yes|no)$/iu.test(cell.trim()); // which names nothing, either
  const areNames = (cells) =>
    cells.every((cell) => typeof cell === "string" && !isMissing(cell)) && 2 * cells.filter(lettered).length > cells.length && !cells.every(yesOrNo);
  const free = headers.map((_, i) => i).filter((i) => !Object.values(columns).includes(i) && !namesNothing(headers[i]));
  const place = (cells) => ("domain" in columns ? cells[columns.domain] : "");
  const apart = (i) => new Set(rows.map(({ cells }) => JSON.stringify([place(cells), cells[i]]))).size === rows.length;
  const named = free.filter((i) => areNames(rows.map(({ cells }) => cells[i])));
  const numbered = (i) => THRESHOLDS.has(bare(headers[i])) || ([GROUPS, CLASSES, RUNS].some((names) => names.has(bare(headers[i]))) && apart(i));
  const texts = named.length ? named : free.filter(numbered);
  const naming = texts.filter(apart);
  if (naming.length > 1 || (texts.length && !naming.length)) {
    refuse(`No column is called entity, but there are texts in ${texts.map((i) => quoted(headers[i])).join(", ")}; call the one with the names entity.`);
  }
  const header = naming.length && !wordsOf(headers[naming[0]]).some((word) => MODELS.has(word)) ? headers[naming[0]] : "";
  const means = (names) => header !== "" && (names.has(bare(header)) || names.has(wordsOf(header).at(-1))); // as in "cancer type"
  if (means(RUNS)) refuse(`The rows look like runs of one model, by ${quoted(header)}; give the counts of all runs together, or call that column entity if it names the models.`);
  if (means(GROUPS)) refuse(`The rows look like groups of one model, by ${quoted(header)}; call that column domain, or entity if it names the models.`);
  if (means(CLASSES) || (header !== "" && (PER_CLASS.test(file) || headers.some((other) => bare(other) === "support")))) {
    refuse(`The rows look like the classes of one model, each against the others, by ${quoted(header)}; call that column entity if it names the models.`);
  }
  return naming.length ? { entity: naming[0] } : {};
}
