// Texts and numbers as people write them, and what every reader of a table needs: the refusal in one sentence.

/** An error whose message is one sentence for the reader. */
export class TableError extends Error {}

export const refuse = (sentence) => {
  throw new TableError(sentence);
};

/** A text as a sentence quotes it: in marks, on one line, short. */
export const quoted = (text) => {
  const clean = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return `“${clean.length > 40 ? `${clean.slice(0, 40)}…` : clean}”`;
};

/** What `str.strip` of Python takes for white space: not all of it is so for `trim`, and the byte order mark is none. */
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** A text without the white space at its ends. */
export function stripped(text) {
  let [start, end] = [0, text.length];
  while (start < end && BLANKS.test(text[start])) start++;
  while (end > start && BLANKS.test(text[end - 1])) end--;
  return text.slice(start, end);
}

const MISSING = new Set(["", "na", "nan", "n/a", "#n/a", "null", "none", "nil", "-", "--", "–", "—", "?"]);

/** Tell whether a text stands for a missing value, such as "n/a". */
export const isMissing = (text) => MISSING.has(stripped(text).toLowerCase());

/** A number with three digits, as people write it. */
export function plain(x, digits = 3) {
  if (x === Infinity) return "∞";
  if (Number.isNaN(x)) return "undefined";
  if (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6)) return x.toExponential(digits - 1).replace("e", " · 10^").replace("+", "");
  return String(Number(x.toPrecision(digits)));
}

/** A number with a space before each three digits, which no line breaks. */
export function grouped(x, digits = 0) {
  const [whole, ...rest] = x.toFixed(digits).split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, "\u00a0"), ...rest].join(".").replace(/^-(?=[0.]*$)/, "");
}

/** Decimals with which the largest of some amounts has three digits at least. */
export function digitsOfAmounts(amounts) {
  const largest = amounts.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return largest > 0 && largest < Infinity ? Math.max(0, Math.min(9, 2 - Math.floor(Math.log10(largest)))) : 0;
}

/** A share in percent: never 0 % or 100 % for what is between. */
export function percent(x) {
  if (x > 0 && x < 0.0005) return "<\u00a00.1\u00a0%";
  if (x < 1 && x >= 0.9995) return ">\u00a099.9\u00a0%";
  return `${x === 0 || x === 1 ? 100 * x : (100 * x).toFixed(1)}\u00a0%`;
}

/** How amounts are written: with four digits of the largest, and as many more as tell different ones apart. */
export function amountText(amounts) {
  const known = [...new Set(amounts)].filter((x) => !Number.isNaN(x));
  const most = Math.max(...known, 0);
  const far = most >= 1e9 || (most > 0 && most < 1e-4);
  const style = (digits) => (x) => (Number.isNaN(x) ? "—" : far ? x.toExponential(digits) : x.toFixed(digits));
  let digits = far || most === 0 ? 4 : Math.min(Math.max(3 - Math.floor(Math.log10(most)), 0), 8);
  while (digits < 9 && new Set(known.map(style(digits))).size < known.length) digits += 1;
  return style(digits);
}

/** A share of draws, as Python says it: "all draws" or "97.2 % of the draws". */
export const shareOfDraws = (share) => (share === 1 ? "all draws" : `${percent(share)} of the draws`);

/** A probability in percent: never 0 % or 100 % for what draws did not show. */
export const chance = (p) => percent(Math.min(Math.max(p, 1e-9), 1 - 1e-9));

/** Ranks from one to another, one number where they are the same. */
export const span = (low, high) => (low === high ? String(low) : `${low}–${high}`);

/** A share of positives in percent: with as many digits as keep it from 100 %. */
export function positives(x) {
  const digits = x <= 0.99 || x === 1 ? 3 : ([8, 12].find((many) => Number((100 * x).toPrecision(many)) < 100) ?? 15);
  const shown = Number((100 * x).toPrecision(digits));
  return `${shown < 1e-4 ? plain(shown) : shown}\u00a0%`;
}

/** An exchange rate as it is written: two digits, three from 1 on; 1/3 is that. */
export function rateText(x) {
  const parts = Math.round(1 / x);
  return parts > 1 && parts <= 30 && Math.abs(x * parts - 1) < 1e-9 ? `1/${parts}` : plain(x, x < 1 ? 2 : 3);
}

/** An end of an interval of rates, rounded up or down, so that the sentence about it holds; `why` prints the same. */
export function bound(x, up, digits = 3) {
  if (x === 0 || x === Infinity) return plain(x);
  const exact = x * (up ? 1 - 1e-12 : 1 + 1e-12);
  const step = 10 ** (Math.floor(Math.log10(exact)) - digits + 1);
  return plain(Number(((up ? Math.ceil : Math.floor)(exact / step) * step).toPrecision(digits)), digits);
}

/** The two ends of an interval of rates, rounded towards the inside, with digits enough to leave something in it. */
export function ratesText(low, high, here = low === 0 ? high / 2 : high === Infinity ? 2 * low : (low + high) / 2) {
  for (let digits = 3; ; digits++) {
    const ends = [bound(low, true, digits), bound(high, false, digits)];
    const [from, to] = ends.map((end) => (end === "∞" ? Infinity : Number(end.replace(" · 10^", "e"))));
    if ((from <= here * (1 + 1e-12) && here * (1 - 1e-12) <= to) || digits === 15 || low >= high) return ends;
  }
}

/** An interval of rates in words. */
export function rangeText(low, high) {
  const [from, to] = ratesText(low, high);
  return low === 0 ? (high === Infinity ? "always" : `below ${to}`) : high === Infinity ? `above ${from}` : `${from} to ${to}`;
}

const TYPED = "(\\d+\\.?\\d*(?:e[+-]?\\d+)?|\\.\\d+(?:e[+-]?\\d+)?)";
const TYPED_RATE = new RegExp(`^${TYPED}(?:/${TYPED})?$`, "i");

/** The rate that is typed: 2.5, 2,5, 1e2, 1/3, ⅓ or ∞; null for anything else. A comma before three digits may be either. */
export function rateOf(typed) {
  const text = typed.normalize("NFKC").replace(/\s+/g, "").replace("\u2044", "/");
  if (/^(∞|inf|infinity)$/i.test(text)) return Infinity;
  const parts = /,\d{3}(?!\d)/.test(text) ? null : TYPED_RATE.exec(text.replace(/,(?=\d)/g, "."));
  const rate = parts ? Number(parts[1]) / Number(parts[2] ?? 1) : NaN;
  return rate < Infinity ? rate : null;
}

/** How many false alarms. */
export const alarms = (x) => `${rateText(x)} false ${rateText(x) === "1" ? "alarm" : "alarms"}`;

/** What a page says where all weight is on domains that nobody shares. */
export const NOBODY = "No method has results on every weighted domain: give weight to other domains.";

/** What a page says that has no draws. */
export const NO_DRAWS = "This page cannot say how sure the ranking is: that takes simulated new samples, which rankscape explore makes from counts or predictions.";

/** The first few texts, and how many more there are. */
export const listed = (texts, most = 3, between = ", ") => texts.slice(0, most).join(between) + (texts.length > most ? ` and ${texts.length - most} more` : "");

const cellText = (value) => (/[",;\t\r\n]/.test(value) || value !== stripped(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** A text that a spreadsheet would take for a formula, behind an apostrophe; readers take it off again. */
const harmless = (text) => (/^'*[=+\-@]/.test(stripped(text)) ? `'${stripped(text)}` : text);

/** Return rows as CSV: a header, which stays as it is, and rows of texts and numbers. */
export const csvOf = ([header, ...rows]) =>
  `${[header, ...rows.map((row) => row.map((cell) => (typeof cell === "string" ? harmless(cell) : String(cell))))].map((row) => row.map(cellText).join(",")).join("\n")}\n`;
