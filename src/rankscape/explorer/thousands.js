// Thousands: numbers whose groups of three digits are separated, read only where nothing else can be meant; as in Python.

import { stripped } from "./texts.js";

const SURE = /^[1-9][0-9]{0,2}(?:([ \u00a0\u2009\u202f'\u2019])[0-9]{3}(?:\1[0-9]{3})*|([.,])[0-9]{3}(?:\2[0-9]{3})+)$/;
const DOUBTFUL = /^[1-9][0-9]{0,2},[0-9]{3}$/;
const SMALL = /^[0-9]{1,3}$/;
const LARGE = /^[0-9]{4,}$/;
const DECIMAL_POINT = /^[+-]?[0-9]*\.[0-9]+ ?%?$/;

const withoutThousands = (text) => (SURE.test(stripped(text)) ? stripped(text).replace(/[^0-9]/g, "") : null);
const several = (cell) => cell.split(",").length > 2 && withoutThousands(cell) !== null;

/** The number of cases in a cell, whose signs all separate thousands; null where it holds none. */
export function wholeOf(cell) {
  const text = stripped(cell);
  const plain = withoutThousands(text) ?? (DOUBTFUL.test(text) ? text.replace(/,/g, "") : text);
  if (/^[0-9]+$/.test(plain)) return BigInt(plain);
  const number = /^[+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(plain) ? Number(plain) : NaN;
  return Number.isInteger(number) ? BigInt(number) : null;
}

/** Tell whether the commas in rows of counts cannot be decimal signs. */
function commasSeparateThousands(counts, rest, inEnglish) {
  const cells = counts.flat().map(stripped);
  if (!cells.filter((cell) => cell.includes(",")).every((cell) => DOUBTFUL.test(cell) || withoutThousands(cell))) return false;
  const others = inEnglish ? rest.map(stripped) : [];
  if ([...cells, ...others].some((cell) => several(cell) || DECIMAL_POINT.test(cell))) return true;
  const grouped = counts.map((row) => row.map(stripped)).filter((row) => row.some((cell) => cell.includes(",")));
  return inEnglish && grouped.every((row) => row.some((cell) => SMALL.test(cell))) && !cells.some((cell) => LARGE.test(cell));
}

/** Return the cells of some columns, without the signs between thousands where these can be nothing else. */
export function plainCells({ rows, separator }, columns) {
  const values = rows.map(({ cells }) => columns.map((column) => cells[column]));
  const texts = values.map((row) => row.filter((value) => typeof value === "string"));
  const rest = rows.flatMap(({ cells }) => cells.filter((value, i) => typeof value === "string" && !columns.includes(i)));
  const sure = commasSeparateThousands(texts, rest, separator === "" || separator === ",");
  const plain = (text) => withoutThousands(text) ?? (sure && DOUBTFUL.test(stripped(text)) ? text.replace(/,/g, "") : text);
  return values.map((row) => row.map((value) => (typeof value === "string" ? plain(value) : value)));
}
