// A table as it comes: bytes to text, text to a header and rows of cells, by the rules of Python's reader.

import { JsonError, JsonNumber, parseJson } from "./json.js";
import { TableError, quoted, refuse, stripped } from "./texts.js";

const LARGEST_FILE = 20e6;
const NO_TEXT = "This is no text; expected a table with the columns entity, tn, fp, fn, tp, as CSV, TSV or JSON.";
const TERMINAL = "the command “rankscape explore FILE” writes a page of it";
const OTHER_FILES = [
  ["PAR1", `This is a Parquet file, and the page reads CSV, TSV and JSON; ${TERMINAL}.`],
  ["\x1f\x8b", `This file is compressed with gzip; unpack it, or ${TERMINAL}.`],
  ["PK\x03\x04", `This is an Excel workbook or a zip archive; save the sheet as CSV, or unpack the archive, or, of a table in an archive, ${TERMINAL}.`],
  ["BZh", "This file is compressed with bzip2; unpack it and take it again."],
  ["\xfd7zXZ\0", "This file is compressed with xz; unpack it and take it again."],
  ["\x28\xb5\x2f\xfd", "This file is compressed with zstd; unpack it and take it again."],
  ["\xd0\xcf\x11\xe0", "This is an old Excel workbook; save the sheet as CSV."],
  ["%PDF", "This is a PDF document; expected a table as CSV, TSV or JSON."],
];
const MARKS = [
  ["\xff\xfe\0\0", "utf-32le"],
  ["\0\0\xfe\xff", "utf-32be"],
  ["\xff\xfe", "utf-16le"],
  ["\xfe\xff", "utf-16be"],
];
const SEPARATORS = [",", ";", "\t", "|"];
const RECORD = "{\"entity\": \"A\", \"tn\": 50, …}";

/** Return the text of a file: UTF-8, or UTF-16 or UTF-32 with a byte order mark; all else is refused, and named. */
export async function textOf(file) {
  if (file.size > LARGEST_FILE) refuse(`This file has ${Math.round(file.size / 1e6)} MB; expected at most 20.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  for (const [magic, sentence] of OTHER_FILES) if (start.startsWith(magic)) refuse(sentence);
  const marked = MARKS.find(([mark]) => start.startsWith(mark))?.[1];
  const text = marked?.startsWith("utf-32") ? decoded32(bytes, marked === "utf-32le") : decoded(bytes, marked ?? "utf-8");
  if (text !== null) return text;
  if (marked) refuse(`This file begins as ${marked.slice(0, 6).toUpperCase()} but is damaged further on; expected UTF-8, or sound UTF-16.`);
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

/** UTF-32, which no TextDecoder reads, without its mark. */
function decoded32(bytes, little) {
  if (bytes.length % 4) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const letters = [];
  for (let at = 4; at < bytes.length; at += 4) {
    const code = view.getUint32(at, little);
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return null;
    letters.push(String.fromCodePoint(code));
  }
  return letters.join("");
}

function lineOfForeignByte(bytes) {
  for (let start = 0, line = 1; ; line++) {
    const end = bytes.indexOf(10, start);
    if (end < 0 || decoded(bytes.subarray(start, end), "utf-8") === null) return line;
    start = end + 1;
  }
}

/**
 * Return the table in a text as {headers, rows, separator}, each row {place, cells}: JSON or JSON lines where it starts
 * with [ or {, else separated values. `known` recognizes the headers that matter, and so finds the separator.
 */
export function sheetOf(text, known) {
  const clean = text.replace(/^\uFEFF/, "");
  const first = stripped(clean)[0];
  if (!first) refuse("This file is empty; expected a header and one row per entity.");
  if (clean.includes("\0")) refuse(`Line ${linesIn(clean.slice(0, clean.indexOf("\0")))} of this file is no text; expected a table, as CSV, TSV or JSON.`);
  if (first === "<") refuse("This is HTML or XML, not a table; download the data themselves, as CSV or JSON.");
  return "[{".includes(first) ? sheetOfJson(clean, known) : sheetOfCsv(clean, known);
}

function sheetOfCsv(text, known) {
  const [whole, announced] = text.match(/^sep=([^\n])(?:\r\n|\n|\r)/iu) ?? ["", null]; // the first line that Excel writes and reads
  if (announced === '"' || announced === "\r") refuse("The first line names no separator; expected one such as sep=; or no such line.");
  const rest = text.slice(whole.length);
  const separator = announced ?? separatorOf(rest, known);
  const records = [...recordsOf(rest, separator, announced === null ? 1 : 2)];
  if (!records.length) refuse("This file is empty; expected a header and one row per entity.");
  const headers = records[0].cells.map(stripped);
  const rows = records.slice(1).map(({ line, cells }) => ({ place: `Line ${line}`, cells }));
  for (const { place, cells } of headers.some(known) ? rows : []) { // else the headers are what is wrong
    if (cells.length !== headers.length) {
      refuse(`${place} has ${cells.length} cell${cells.length === 1 ? "" : "s"}; expected ${headers.length}, as in the header: complete the row, or put cells that hold the separator in "quotes".`);
    }
    if (cells.every((cell, i) => stripped(cell) === headers[i])) refuse(`${place} repeats the header; expected one table: drop the line, or take the tables one by one.`);
  }
  return { headers, rows, separator };
}

/** The separator that finds the most different known headers, then a first row as long as the header, then more cells. */
function separatorOf(text, known) {
  const counted = SEPARATORS.map((separator) => {
    try {
      const records = recordsOf(text, separator, 1);
      const [header, row] = [records.next().value?.cells ?? [], records.next().value?.cells];
      const understood = new Set(header.map(stripped).filter(known)).size;
      return [separator, understood, Number(understood > 0 && (!row || row.length === header.length)), header.length];
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      return [separator, 0, 0, 0];
    }
  });
  const better = (next, best) => [1, 2, 3].map((k) => next[k] - best[k]).find((difference) => difference) > 0;
  return counted.reduce((best, next) => (better(next, best) ? next : best))[0];
}

/** Yield {line (on which it starts), cells} for every record that is not blank; a cell is quoted where it starts with ". */
function* recordsOf(text, separator, firstLine) {
  const stop = new RegExp(`[\r\n]|${separator.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`, "gu");
  for (let at = 0, line = firstLine; at < text.length; line++) {
    const start = line;
    const cells = [];
    for (let more = true; more; ) {
      const inQuotes = text[at] === '"';
      const end = inQuotes ? closingQuote(text, at, start) : nextOf(stop, text, at);
      const cell = inQuotes ? text.slice(at + 1, end - 1) : text.slice(at, end);
      line += inQuotes ? linesIn(cell) - 1 : 0;
      cells.push(inQuotes ? cell.replaceAll('""', '"') : cell);
      more = text.startsWith(separator, end);
      at = end + (more ? separator.length : 0);
      if (inQuotes && !more && end < text.length && !"\r\n".includes(text[end])) refuse(`In the row of line ${start} there is text behind a closing quotation mark; expected the separator: write a quotation mark inside a cell twice.`);
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    if (cells.some(stripped)) yield { line: start, cells };
  }
}

const linesIn = (text) => text.split(/\r\n|\r|\n/).length;

function nextOf(stop, text, at) {
  stop.lastIndex = at;
  return stop.exec(text)?.index ?? text.length;
}

/** Where a cell ends that starts with a quotation mark: behind the first one that is not doubled. */
function closingQuote(text, at, line) {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 2)) {
    if (text[end + 1] !== '"') return end + 1;
  }
  return refuse(`A quotation mark that opens in the row of line ${line} is never closed.`);
}

function sheetOfJson(text, known) {
  let value;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const lines = text.split("\n").map(stripped);
    const [first, second] = lines.filter(Boolean);
    if (!second || !/^\{[^]*\}$/.test(first)) refuse(notJson(error, error.line));
    return sheetOfLines(lines);
  }
  if (Array.isArray(value) && value.every((record) => record instanceof Map)) return sheetOfMaps(value);
  if (value instanceof Map) return sheetOfColumns(value, known);
  return refuse(`This is a list of values; expected JSON records, [${RECORD}, …], or columns, {"tn": [50, …], …}.`);
}

const notJson = (error, line) => `Line ${line}, character ${error.character} is not JSON; correct it, or save the table as CSV.`;

function sheetOfLines(lines) {
  const given = lines.map((text, i) => ({ text, line: i + 1 })).filter(({ text }) => text);
  const records = given.map(({ text, line }) => {
    try {
      const record = parseJson(text);
      return record instanceof Map ? record : refuse(`Line ${line} is ${quoted(text)}; expected a record, ${RECORD}.`);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      return refuse(notJson(error, line));
    }
  });
  return sheetOfMaps(records, given.map(({ line }) => `Line ${line}`));
}

const rowPlace = (_, i) => `Row ${i + 1}`;

/** One map per row; what a row does not have is missing. */
function sheetOfMaps(records, places = records.map(rowPlace)) {
  const headers = [...new Set(records.flatMap((record) => [...record.keys()]))];
  const rows = records.map((record, i) => ({ place: places[i], cells: headers.map((header) => record.get(header) ?? null) }));
  return { headers, rows, separator: "" };
}

/** Columns by header, or one row, or one row per entity: {"A": {"tn": …}, …}. */
function sheetOfColumns(columns, known) {
  const headers = [...columns.keys()];
  const values = [...columns.values()];
  const sheet = (cells, more = headers) => ({ headers: more, rows: cells.map((row, i) => ({ place: rowPlace(row, i), cells: row })), separator: "" });
  if (values.length && values.every((column) => column instanceof Map)) {
    if (!headers.some(known)) return sheetOfMaps(headers.map((name, i) => new Map([["entity", name], ...values[i]])));
    const index = [...new Set(values.flatMap((column) => [...column.keys()]))];
    const own = values[headers.indexOf("")]; // goes before the index
    const others = headers.filter((header) => header !== "");
    const cells = (key) => [own ? (own.get(key) ?? null) : key, ...others.map((header) => values[headers.indexOf(header)].get(key) ?? null)];
    return sheet(index.map(cells), ["", ...others]);
  }
  if (!values.some(Array.isArray)) return sheet(values.length ? [values] : []);
  values.forEach((column, i) => Array.isArray(column) || refuse(`The column ${quoted(headers[i])} is no list; expected one, with one value per row.`));
  if (new Set(values.map((column) => column.length)).size > 1) refuse("The columns have different lengths; expected one value per row in each.");
  return sheet(values[0].map((_, i) => values.map((column) => column[i])));
}

/** The text of a cell that holds a name; null where it is missing. */
export function nameOf(cell) {
  if (cell === null || (cell instanceof JsonNumber && cell.text === "NaN")) return null;
  if (cell instanceof JsonNumber) return cell.name;
  if (typeof cell === "boolean") return cell ? "True" : "False";
  return typeof cell === "string" ? cell : refuse("A name is a list or an object; expected a text.");
}
