// Headers: which column of a table is which, by the names that people give them, as in Python.

import { OUTCOMES } from "./model.js";
import { nameOf } from "./sheet.js";
import { isMissing, quoted, refuse, stripped } from "./texts.js";

/** The headers that are understood, without case, spaces and signs: those of the command line. */
export const HEADERS = {
  entity: ["entity", "model", "method", "classifier", "algorithm", "system", "name", "team", "approach", "detector", "estimator", "tool", "run", "runid", "tracker", "submission", "participant"],
  domain: ["domain", "dataset", "video", "task", "sequence", "benchmark", "fold", "split", "category"],
  tn: ["tn", "tns", "tncount", "truenegative", "truenegatives", "trueneg", "correctrejection", "correctrejections", "correctnegative", "correctnegatives"],
  fp: ["fp", "fps", "fpcount", "falsepositive", "falsepositives", "falsepos", "falsealarm", "falsealarms"],
  fn: ["fn", "fns", "fncount", "falsenegative", "falsenegatives", "falseneg", "miss", "misses"],
  tp: ["tp", "tps", "tpcount", "truepositive", "truepositives", "truepos", "hit", "hits"],
};

const ROLES = new Map(Object.entries(HEADERS).flatMap(([column, names]) => names.map((name) => [name, column])));

/** A header without case, spaces and signs; as Python's casefold, which keeps the dotless i apart. */
const bare = (header) => header.replace(/[^\p{L}\p{N}]+/gu, "").replace(/[^ı]+/g, (text) => text.toUpperCase().toLowerCase());

/** Tell whether a header is understood. */
export const isKnown = (header) => ROLES.has(bare(header));

/** Return where the columns are: tn, fp, fn, tp, and entity and domain where there are any. */
export function columnsOf(headers) {
  const columns = {};
  for (const column of Object.keys(HEADERS)) {
    let places = headers.flatMap((header, i) => (ROLES.get(bare(header)) === column ? [i] : []));
    if (column === "entity" || column === "domain") {
      const itself = places.filter((i) => bare(headers[i]) === column); // goes before its synonyms
      places = itself.length ? itself : places;
    }
    if (places.length > 1) refuse(`The columns ${places.map((i) => quoted(headers[i])).join(" and ")} all mean ${column}; expected one: rename or drop one.`);
    if (places.length) columns[column] = places[0];
  }
  const lacking = OUTCOMES.filter((outcome) => !(outcome in columns));
  if (lacking.length) {
    refuse(`The header has no column ${lacking.join(", ")}; expected entity, tn, fp, fn, tp and, for several, domain.`);
  }
  if (!("entity" in columns) && headers[0] === "") columns.entity = 0; // the index of a data frame
  return columns;
}

/** Refuse the result of a query that left rows of its table out, or of which rows are missing. */
export function refuseIncomplete(headers, rows) {
  headers.map(bare).forEach((check, column) => {
    const cells = rows.map((row) => stripped(nameOf(row.cells[column] ?? null) ?? ""));
    const leftOut = check === "notcounted" ? cells.findIndex((cell) => cell === "" || Number(cell) !== 0) : -1;
    if (leftOut >= 0) refuse(`${rows[leftOut].place}: ${cells[leftOut] || "some"} rows of the table could not be counted; correct the table, or name all labels in the query.`);
    const size = check === "resultrows" ? cells.find((cell) => Number(cell) !== rows.length) : undefined;
    if (size !== undefined) refuse(`Here are ${rows.length} rows of a result that has ${size || "another number"}; save the whole result.`);
  });
}

/** Return the column of the only texts that no other column is, if they can name the entities; refuse where several could. */
export function onlyText(headers, rows, columns) {
  const isName = (cell) => typeof cell === "string" && /[\p{L}\p{Nl}\p{No}]/u.test(cell) && !isMissing(cell);
  const free = headers.map((_, i) => i).filter((i) => !Object.values(columns).includes(i));
  const texts = free.filter((i) => rows.every(({ cells }) => isName(cells[i])));
  const place = (cells) => ("domain" in columns ? cells[columns.domain] : "");
  const naming = texts.filter((i) => new Set(rows.map(({ cells }) => JSON.stringify([place(cells), cells[i]]))).size === rows.length);
  if (naming.length > 1 || (texts.length && !naming.length)) {
    refuse(`No column is called entity, but there are texts in ${texts.map((i) => quoted(headers[i])).join(", ")}; call the one with the names entity.`);
  }
  return naming.length ? { entity: naming[0] } : {};
}
