// One's own table, dropped in: read as the command line reads it, or refused in one sentence.

import { OUTCOMES } from "./model.js";

/** The headers that are understood, without case, spaces and signs: those of the command line. */
export const HEADERS = {
  tn: ["tn", "tns", "tncount", "truenegative", "truenegatives", "trueneg", "correctrejection", "correctrejections", "correctnegative", "correctnegatives"],
  fp: ["fp", "fps", "fpcount", "falsepositive", "falsepositives", "falsepos", "falsealarm", "falsealarms"],
  fn: ["fn", "fns", "fncount", "falsenegative", "falsenegatives", "falseneg", "miss", "misses"],
  tp: ["tp", "tps", "tpcount", "truepositive", "truepositives", "truepos", "hit", "hits"],
  entity: ["entity", "model", "method", "classifier", "algorithm", "system", "name", "team", "approach", "detector", "estimator", "tool"],
  domain: ["domain", "dataset", "video", "task", "sequence", "benchmark", "fold", "split"],
};
const bare = (header) => header.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
const LARGEST_FILE = 20e6;
const SUM_TOLERANCE = 1e-6;
const NO_TEXT = "This is no text; expected a CSV table with the columns entity, tn, fp, fn, tp.";

/** An error whose message is one sentence for the reader. */
export class TableError extends Error {}

const refuse = (sentence) => {
  throw new TableError(sentence);
};
const quoted = (text) => `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;

/** Return the text of a file: UTF-8, or UTF-16 with its byte order mark; other encodings are refused, and named. */
export async function textOf(file) {
  if (file.size > LARGEST_FILE) refuse(`This file has ${Math.round(file.size / 1e6)} MB; expected at most 20.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const marked = { "255 254": "utf-16le", "254 255": "utf-16be" }[bytes.subarray(0, 2).join(" ")];
  const text = decoded(bytes, marked ?? "utf-8");
  if (text !== null) return text;
  if (marked) refuse("This file begins as UTF-16 but is damaged further on; expected UTF-8, or sound UTF-16.");
  if (bytes.includes(0)) refuse(NO_TEXT);
  refuse(`Line ${lineOfForeignByte(bytes)} of this file is not UTF-8, perhaps Latin-1 (Windows-1252); save it as UTF-8 and take it again.`);
}

function decoded(bytes, encoding) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function lineOfForeignByte(bytes) {
  for (let start = 0, line = 1; ; line++) {
    const end = bytes.indexOf(10, start);
    if (end < 0 || decoded(bytes.subarray(start, end), "utf-8") === null) return line;
    start = end + 1;
  }
}

/** Return the data in the text of a table with the columns entity, tn, fp, fn, tp and perhaps domain. */
export function readTable(text) {
  if (text.includes("\0")) refuse(NO_TEXT);
  const clean = text.replace(/^\uFEFF/, "");
  if (!clean.trim()) refuse("This file is empty; expected a header and one row per entity.");
  const [, told, rest] = clean.match(/^sep=(.)\r?\n([^]*)$/i) ?? [null, null, clean]; // as Excel writes
  const separator = told ?? separatorOf(rest);
  const rows = rowsOf(rest, separator);
  const headers = rows[0].cells.map((cell) => cell.trim());
  const columns = columnsOf(headers.map(bare));
  const body = rows.slice(1);
  if (!body.length) refuse("There is no row below the header; expected one per entity.");
  const ragged = body.find((row) => row.cells.length !== headers.length);
  if (ragged) refuse(`Line ${ragged.line} has ${ragged.cells.length} cells; expected ${headers.length}, as in the header.`);
  if (!("entity" in columns)) Object.assign(columns, onlyText(headers, body, columns));
  const decimals = hasDecimalCommas(body, columns, separator) ? (cell) => cell.replace(",", ".") : (cell) => cell;
  const parsed = body.map((row, i) => {
    const cell = (column) => (column in columns ? row.cells[columns[column]].trim() : null);
    const named = (column) => cell(column)?.replace(/^'(?='*[=+\-@])/, "") ?? null;
    const entity = named("entity") ?? `P${i + 1}`;
    if (!entity) refuse(`Line ${row.line} has no name; expected the name of the entity.`);
    const domain = named("domain");
    if (domain === "") refuse(`Line ${row.line} has no domain; expected its name.`);
    return { line: row.line, entity, domain, values: OUTCOMES.map((o) => numberOf(decimals(cell(o)), o, row.line, entity)) };
  });
  return assembled(parsed);
}

function separatorOf(text) {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (character) => header.split(character).length;
  return ["\t", ";", "|", ","].reduce((best, next) => (count(next) > count(best) ? next : best), ",");
}

/** Split a text into rows of cells; cells in double quotes may hold anything. */
function rowsOf(text, separator) {
  const rows = [];
  let [cells, cell, line, start, inside] = [[], "", 1, 1, false];
  const endRow = () => {
    cells.push(cell);
    if (cells.length > 1 || cells[0].trim()) rows.push({ line: start, cells });
    [cells, cell] = [[], ""];
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inside && c === '"' && text[i + 1] === '"') cell += text[++i];
    else if (c === '"' && (inside || !cell.trim())) inside = !inside;
    else if (!inside && c === separator) [cells, cell] = [[...cells, cell], ""];
    else if (!inside && (c === "\n" || c === "\r")) {
      if (c === "\r" && text[i + 1] === "\n") i++;
      endRow();
      start = ++line;
    } else {
      if (c === "\n") line++;
      cell += c;
    }
  }
  if (inside) refuse(`A quotation mark that opens in the row of line ${start} is never closed.`);
  if (cell || cells.length) endRow();
  return rows;
}

function columnsOf(headers) {
  const columns = {};
  for (const [column, spellings] of Object.entries(HEADERS)) {
    let found = headers.flatMap((header, i) => (spellings.includes(header) ? [i] : []));
    if (column === "entity" || column === "domain") {
      const itself = found.filter((i) => headers[i] === column); // goes before its synonyms
      found = itself.length ? itself : found;
    }
    if (found.length > 1) refuse(`The header names ${column} twice; expected one column of each.`);
    if (found.length) columns[column] = found[0];
  }
  const missing = OUTCOMES.filter((outcome) => !(outcome in columns));
  if (missing.length) {
    refuse(`The header has no column ${missing.join(", ")}; expected entity, tn, fp, fn, tp and, for several, domain.`);
  }
  return columns;
}

/** Tell whether numbers have decimal commas; refuse commas and points that may as well separate thousands. */
function hasDecimalCommas(rows, columns, separator) {
  const cells = rows.flatMap((row) => OUTCOMES.map((o) => ({ line: row.line, o, text: row.cells[columns[o]].trim() })));
  const [commas, points] = [",", "."].map((mark) => cells.filter(({ text }) => text.includes(mark)));
  const doubtful = commas.length ? commas : separator === "," ? [] : points;
  const said = ({ line, o, text }, problem) => refuse(`Line ${line}: ${o} = ${quoted(text)} ${problem}; write 1234 for thousands, and 0.5 or 0,5 for a half.`);
  const several = commas.find(({ text }) => text.split(",").length > 2);
  if (several) said(several, "has thousands separators");
  if (commas.length && points.length) said(commas[0], `has a comma, but ${quoted(points[0].text)} in line ${points[0].line} has a point`);
  if (doubtful.length && doubtful.every(({ text }) => /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text))) {
    const { text } = doubtful[0];
    said(doubtful[0], `may mean ${text.replace(/[.,]/, "")} or ${text.replace(",", ".")}, and no other number in the table tells which`);
  }
  return commas.length > 0;
}

/** The only column of texts that nobody claimed, if it can name the entities; refused where there are several. */
function onlyText(headers, rows, columns) {
  const isName = (cell) => /\p{L}/u.test(cell) && !/^(na|nan|#?n\/a|null|none|nil)$/i.test(cell.trim());
  const free = headers.map((_, i) => i).filter((i) => !Object.values(columns).includes(i));
  const texts = free.filter((i) => rows.every((row) => isName(row.cells[i])));
  const place = (row) => ("domain" in columns ? row.cells[columns.domain].trim() : "");
  const naming = texts.filter((i) => new Set(rows.map((row) => JSON.stringify([place(row), row.cells[i]]))).size === rows.length);
  if (naming.length > 1 || (texts.length && !naming.length)) {
    refuse(`No column is called entity, but there are texts in ${texts.map((i) => quoted(headers[i])).join(", ")}; call the one with the names entity.`);
  }
  return naming.length ? { entity: naming[0] } : {};
}

function numberOf(cell, outcome, line, entity) {
  const where = `Line ${line} (${quoted(entity)}): ${outcome}`;
  if (cell === "") refuse(`${where} is missing; expected a count.`);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cell)) refuse(`${where} = ${quoted(cell)} is no number; expected a count.`);
  const value = Number(cell);
  if (value < 0) refuse(`${where} = ${cell} is negative; counts must be 0 or more.`);
  if (!Number.isFinite(value)) refuse(`${where} = ${quoted(cell)} is too large.`);
  if (/^\+?\d+$/.test(cell) && !Number.isSafeInteger(value)) return cell.replace("+", "");
  return value;
}

/** Check rows together, and put them into the form that the page carries. */
function assembled(rows) {
  const whole = (value) => typeof value === "string" || Number.isInteger(value);
  const counts = rows.every((row) => row.values.every(whole));
  for (const { line, entity, values } of rows) {
    const sum = values.reduce((x, y) => x + Number(y), 0);
    const where = `Line ${line} (${quoted(entity)})`;
    if (sum === 0) refuse(`${where} has zeros only; expected at least one case.`);
    if (counts || Math.abs(sum - 1) <= SUM_TOLERANCE) continue;
    refuse(`${where}: tn, fp, fn, tp sum to ${+sum.toPrecision(9)}; expected whole counts everywhere, or probabilities that sum to 1.`);
  }
  const entities = [...new Set(rows.map((row) => row.entity))];
  const named = rows.some((row) => row.domain !== null);
  const domains = named ? [...new Set(rows.map((row) => row.domain))] : null;
  const places = { entity: new Map(entities.map((x, i) => [x, i])), domain: new Map((domains ?? []).map((x, i) => [x, i])) };
  const source = { entities, domains, counts, entity: rows.map((row) => places.entity.get(row.entity)) };
  if (named) source.domain = rows.map((row) => places.domain.get(row.domain));
  OUTCOMES.forEach((outcome, k) => (source[outcome] = rows.map((row) => row.values[k])));
  const seen = new Set();
  rows.forEach(({ line, entity, domain }, i) => {
    const key = `${source.entity[i]} ${named ? source.domain[i] : 0}`;
    if (seen.has(key)) refuse(`Line ${line}: ${quoted(entity)}${named ? ` on ${quoted(domain)}` : ""} is there twice; expected one row of each.`);
    seen.add(key);
  });
  return source;
}

const cellText = (value) => (/[",;\t\r\n]/.test(value) || value !== value.trim() ? `"${value.replaceAll('"', '""')}"` : value);

/** A text that a spreadsheet would take for a formula, behind an apostrophe; `readTable` takes it off again. */
const harmless = (text) => (/^'*[=+\-@]/.test(text.trimStart()) ? `'${text.trimStart()}` : text);

/** Return rows as CSV. */
export const csvOf = (rows) =>
  `${rows.map((row) => row.map((cell) => (typeof cell === "string" ? cellText(harmless(cell)) : String(cell))).join(",")).join("\n")}\n`;

/** Return the data as CSV; `readTable` reads it back. */
export function tableOf(source) {
  const header = [...(source.domains ? ["domain"] : []), "entity", ...OUTCOMES];
  const rows = source.entity.map((entity, i) => [
    ...(source.domains ? [source.domains[source.domain[i]]] : []),
    source.entities[entity],
    ...OUTCOMES.map((outcome) => source[outcome][i]),
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
