// One's own table, dropped in: read as the command line reads it, or refused in one sentence; and tables going out as CSV.

import { decimalsOf, isNegative, numbersOf, proportional, sumOf } from "./cells.js";
import { columnsOf, isKnown, joined, levelsOf, onlyText, refuseUnanswered } from "./headers.js";
import { quotient } from "./exact.js";
import { OUTCOMES, valueOf } from "./model.js";
import { nameOf, sheetOf } from "./sheet.js";
import { csvOf, quoted, refuse, stripped } from "./texts.js";

const SUM_TOLERANCE = 1e-6;
const LARGEST_COUNT = 2n ** 60n;

const SUFFIXES = [/\.(gz|zst|zip)$/i, /\.(parquet|pq|csv|tsv|txt|jsonl?|ndjson|run|md|markdown|tex|html?|dat|tab|out|log|xlsx)$/i];

/** Return the data in the text of a table with the columns entity, tn, fp, fn, tp and perhaps domain; a file that names no model is one. */
export function readTable(text, file = "") {
  const sheet = sheetOf(text, isKnown);
  const { headers, rows } = sheet;
  const columns = columnsOf(headers);
  if (!rows.length) refuse("There is no row below the header; expected one per entity.");
  if ("entity" in columns && isNumbered(sheet, columns.entity)) delete columns.entity; // another column may hold the names
  if (!("entity" in columns)) Object.assign(columns, onlyText(headers, rows, columns, file));
  const named = namesOf(sheet, columns, "entity");
  const levels = levelsOf(headers).map((column) => namesOf(sheet, { domain: column }, "domain"));
  const domains = levels.length ? rows.map((_, i) => joined(levels.map((names) => names[i]))) : namesOf(sheet, columns, "domain");
  const ofOne = domains !== null && new Set(domains).size === rows.length;
  const model = SUFFIXES.reduce((name, suffix) => name.replace(suffix, ""), file) || "P1";
  const names = named ?? rows.map((_, i) => (ofOne ? model : `P${i + 1}`));
  const values = numbersOf(sheet, OUTCOMES, OUTCOMES.map((outcome) => columns[outcome]), names);
  const counts = values.every((row) => row.every((value) => typeof value === "bigint"));
  if (counts) refuseUnanswered(headers, rows, values);
  values.forEach((row, i) => checkRow(row, counts, `${rows[i].place} (${quoted(names[i])})`));
  return assembled(names, domains, counts ? values : proportional(values), counts, rows);
}

/** Tell whether a column is the index of a data frame, which numbers its rows. */
const isNumbered = ({ headers, rows }, column) => headers[column] === "" && rows.every((row) => /^\p{Nd}*$/u.test(nameOf(row.cells[column]) ?? ""));

/** The names in a column; null where there are none. Our CSV puts an apostrophe before what could be a formula: off again. */
function namesOf({ rows, separator }, columns, kind) {
  if (!(kind in columns)) return null;
  const cells = rows.map((row) => row.cells[columns[kind]]);
  return cells.map((cell, i) => {
    const text = stripped(nameOf(cell) ?? "");
    const name = separator ? text.replace(/^'(?='*[=+\-@])/, "") : text;
    return name || refuse(`${rows[i].place} has no ${kind === "entity" ? "name; expected the name of the entity" : "domain; expected its name"}.`);
  });
}

/** Refuse a row that is neither counts nor probabilities. */
function checkRow(row, counts, where) {
  const wrong = (test) => row.findIndex(test);
  const negative = wrong(isNegative);
  if (negative >= 0) refuse(`${where}: ${OUTCOMES[negative]} = ${sumOf([row[negative]])} is negative; counts must be 0 or more.`);
  const large = counts ? wrong((count) => count > LARGEST_COUNT) : -1;
  if (large >= 0) refuse(`${where}: ${OUTCOMES[large]} = ${row[large]} is too large; expected at most 2^60: divide all counts, or give probabilities.`);
  const sum = sumOf(row);
  if (sum === 0) refuse(`${where} has zeros only; expected at least one case.`);
  if (counts || Math.abs(sum - 1) <= SUM_TOLERANCE) return;
  refuse(`${where}: tn, fp, fn, tp sum to ${+sum.toPrecision(9)}; expected whole counts everywhere, or probabilities that sum to 1.`);
}

/** A number as the page carries it: integers that no double holds as digits. */
const asCarried = (value) => (typeof value === "bigint" ? (value < 2n ** 53n ? Number(value) : String(value)) : value);

/** Put checked rows into the form that the page carries. */
function assembled(names, places, values, counts, rows) {
  const entities = [...new Set(names)];
  const domains = places && [...new Set(places)];
  const [ofEntity, ofDomain] = [entities, domains ?? []].map((list) => new Map(list.map((name, i) => [name, i])));
  const source = { entities, domains, counts, entity: names.map((name) => ofEntity.get(name)) };
  if (domains) source.domain = places.map((place) => ofDomain.get(place));
  OUTCOMES.forEach((outcome, k) => (source[outcome] = values.map((row) => asCarried(row[k]))));
  const seen = new Set();
  names.forEach((name, i) => {
    const key = `${source.entity[i]} ${domains ? source.domain[i] : 0}`;
    if (seen.has(key)) refuse(`${rows[i].place}: ${quoted(name)}${domains ? ` on ${quoted(places[i])}` : ""} is there twice; expected one row of each.`);
    seen.add(key);
  });
  return source;
}

/** The numbers of a row as they are written into a table: counts, or probabilities that are read back as the same. */
function writtenRow(values, counts) {
  if (counts || !values.every((x) => typeof x === "string" || Number.isInteger(x))) return values;
  const integers = values.map((x) => BigInt(valueOf(x)));
  const sum = integers.reduce((x, y) => x + y);
  return decimalsOf(integers, SUM_TOLERANCE) ?? integers.map((n) => quotient(n, sum));
}

/** Return the data as CSV; `readTable` reads it back, and so does Python: the same rows, or, of doubles, their shortest decimals. */
export function tableOf(source) {
  const header = [...(source.domains ? ["domain"] : []), "entity", ...OUTCOMES];
  const rows = source.entity.map((entity, i) => [
    ...(source.domains ? [source.domains[source.domain[i]]] : []),
    source.entities[entity],
    ...writtenRow(OUTCOMES.map((outcome) => source[outcome][i]), source.counts),
  ]);
  return csvOf([header, ...rows]);
}

/** A short name of the data (CRC-32 of their table), by which a link tells whether it was made for them. */
export function dataHash(source) {
  let crc = -1;
  for (const byte of new TextEncoder().encode(tableOf(source))) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ((crc ^ -1) >>> 0).toString(16).padStart(8, "0");
}
