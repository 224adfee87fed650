// Cells to numbers, as Python reads them: whole numbers and decimals stay exact, and what could be misread is refused.

import { decimalOfDouble } from "./exact.js";
import { JsonNumber } from "./json.js";
import { isMissing, quoted, refuse, stripped } from "./texts.js";
import { plainCells } from "./thousands.js";

const MOST_DIGITS = 60;
const LARGEST_EXPONENT = 30;
const NUMBER = /^([+-]?)(?:([0-9]+)\.?([0-9]*)|\.([0-9]+))(?:e([+-]?[0-9]+))?$/i;
const GROUPED = /^[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}$/;
const FEW_DIGITS = /^[0-9]{1,15}$/;
const EXPECTED = "expected a count (a whole number ≥ 0) or a probability";
const ABSENT = ` is missing; ${EXPECTED}: fill it in or drop the row`;

/** A decimal that is not whole: n / 10^places exactly, the double next to it, and whether it has fewer digits than were written. */
export class Decimal {
  constructor(n, places, double, rounded = false) {
    Object.assign(this, { n, places, double, rounded });
  }
}

/**
 * Return the numbers in some columns, one list per row: a big integer where they are whole, else a Decimal, which is the
 * shortest one of its double where there are more digits than one reads. `outcomes` are the headers, `wanted` their columns.
 */
export function numbersOf(sheet, outcomes, wanted, names) {
  const complain = (row, k, problem) => refuse(`${sheet.rows[row].place} (${quoted(names[row])}): ${outcomes[k]}${problem}.`);
  const plain = plainCells(sheet, wanted);
  const comma = hasDecimalCommas(plain, sheet, complain);
  return plain.map((cells, row) => cells.map((cell, k) => {
    const value = numberOf(cell, comma);
    return typeof value === "string" ? complain(row, k, value) : value;
  }));
}

/** The number in a cell, or a text: what is wrong with it. */
function numberOf(cell, comma) {
  if (cell === null || (cell instanceof JsonNumber && cell.text === "NaN")) return ABSENT;
  if (cell instanceof JsonNumber) return cell.text.endsWith("Infinity") ? ` is not finite; ${EXPECTED}` : valueOfText(cell.text);
  if (typeof cell !== "string") return ` is no number; ${EXPECTED}`;
  const text = stripped(cell);
  if (isMissing(text)) return ABSENT;
  const written = text.replaceAll("\u2212", "-");
  return valueOfText(comma ? written.replaceAll(",", ".") : written, text);
}

/** The exact value of a number that is written as text, or a text: what is wrong with it. */
function valueOfText(text, typed = text) {
  if (FEW_DIGITS.test(text)) return BigInt(text);
  const parts = NUMBER.exec(text);
  if (!parts) return ` = ${quoted(typed)} is no number; ${EXPECTED}, without units, % or thousands separators`;
  const [, sign, whole = "", fraction = "", behind = "", power = "0"] = parts;
  const digits = (whole + fraction + behind).replace(/^0+/, "");
  if (!digits) return 0n;
  const exponent = Number(power) - fraction.length - behind.length;
  const largest = digits.length - 1 + exponent;
  if (largest > LARGEST_EXPONENT) return ` = ${quoted(typed)} is too large; expected at most 2^60`;
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  const last = exponent + digits.length - end; // the value is digits[0 … end) · 10^last
  const n = BigInt(sign.replace("+", "") + digits.slice(0, end));
  if (last >= 0) return n * 10n ** BigInt(last);
  return largest > -LARGEST_EXPONENT && digits.length <= MOST_DIGITS ? new Decimal(n, -last, Number(text)) : shortest(Number(text));
}

/** The shortest decimal that rounds to a double. */
function shortest(double) {
  return new Decimal(...decimalOfDouble(double), double, true);
}

/** Tell whether numbers have decimal commas; refuse commas and points that may as well separate thousands. */
function hasDecimalCommas(plain, { rows, separator }, complain) {
  const [commas, points] = [[], []];
  plain.forEach((cells, row) => cells.forEach((cell, k) => {
    if (typeof cell !== "string") return;
    if (cell.includes(",")) commas.push({ row, k, text: stripped(cell) });
    if (cell.includes(".")) points.push({ row, k, text: stripped(cell) });
  }));
  const doubtful = commas.length ? commas : separator === "" || separator === "," ? [] : points;
  const about = ({ row, k, text }, problem) => complain(row, k, ` = ${quoted(text)} ${problem}; write 1234 for thousands, and 0.5 or 0,5 for a half`);
  const several = commas.find(({ text }) => text.split(",").length > 2);
  if (several) about(several, "has thousands separators");
  if (commas.length && points.length) about(commas[0], `has a comma, but ${quoted(points[0].text)} in ${rows[points[0].row].place.toLowerCase()} has a point`);
  if (doubtful.length && doubtful.every(({ text }) => GROUPED.test(text))) {
    const { text } = doubtful[0];
    about(doubtful[0], `may mean ${text.replace(/[.,]/, "")} or ${text.replace(",", ".")}, and no other number in the table tells which`);
  }
  return commas.length > 0;
}

const doubleOf = (value) => (value instanceof Decimal ? value.double : Number(value));

/** The sum of a row as doubles add up: that which must be 1 for probabilities. */
export const sumOf = (row) => row.reduce((sum, value) => sum + doubleOf(value), 0);

/** Tell whether a number is below 0. */
export const isNegative = (value) => (value instanceof Decimal ? value.n < 0n : value < 0);

/** Return rows as the page holds them: integers in proportion to what is written. */
export function proportional(rows) {
  return rows.map((row) => {
    const places = Math.max(...row.map((value) => (value instanceof Decimal ? value.places : 0)));
    return row.map((value) => (value instanceof Decimal ? value.n * 10n ** BigInt(places - value.places) : value * 10n ** BigInt(places)));
  });
}

const digitsOf = (n) => n.toString().length;

/** A ratio n / 10^places as text, without zeros at its end. */
function decimalText(n, places) {
  const digits = n.toString().padStart(places + 1, "0");
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  return digits.slice(0, digits.length - places) + (places && fraction ? `.${fraction}` : "");
}

/** How many decimal places a fraction over `whole` needs, or null where no number of them is enough. */
function placesFor(whole) {
  const powers = [2n, 5n].map((prime) => {
    let power = 0;
    for (; whole % prime === 0n; power++) whole /= prime;
    return power;
  });
  return whole === 1n ? Math.max(...powers) : null;
}

/**
 * Return probabilities, given by integers in proportion to them, as decimal texts that are read back as the same row:
 * what was typed, where its sum is 1 as closely as tables must sum, else exact shares; null where neither is short enough.
 */
export function decimalsOf(integers, tolerance) {
  const sum = integers.reduce((x, y) => x + y);
  const isExact = (text) => !valueOfText(text).rounded;
  const readBack = (row, places) => Math.abs(row.reduce((x, y) => x + Number(y), 0) - 1) <= tolerance && (places < LARGEST_EXPONENT || row.every(isExact));
  const length = digitsOf(sum);
  for (const places of [length - 1, length]) {
    const typed = integers.map((n) => decimalText(n, places));
    if (readBack(typed, places)) return typed;
  }
  const places = placesFor(sum);
  if (places === null || places > 2 * MOST_DIGITS) return null;
  const shares = integers.map((n) => decimalText((n * 10n ** BigInt(places)) / sum, places));
  return readBack(shares, places) ? shares : null;
}
