// Names as they are shown: on one line, short, never able to turn the text around them.

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A text that may run from right to left, isolated (as by <bdi>), so that it does not tear the numbers beside it. */
const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

/** A name that fits on a line, its middle left out; control characters and direction marks are shown as spaces. */
export function shortName(text, most = 30) {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  const letters = Array.from(clean);
  if (letters.length <= most) return isolated(clean) || "(no name)";
  const start = Math.ceil((most - 1) * 0.6);
  return isolated(`${letters.slice(0, start).join("")}…${letters.slice(start + 1 - most).join("")}`);
}
