// What every reader of a table needs: the refusal in one sentence, and texts as Python cuts them.

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
