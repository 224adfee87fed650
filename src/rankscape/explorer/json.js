// JSON with exact numbers: they stay as they are written, for JSON.parse would round them.

import { quoted, refuse } from "./texts.js";

/** A number of JSON as it is written; also NaN and Infinity, which Python writes and reads. */
export class JsonNumber {
  constructor(text) {
    this.text = text;
  }

  /** The text that Python gives of the number, where it is a name: integers as they are, others as `str(Decimal)`. */
  get name() {
    const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(this.text);
    if (!parts) return this.text.replace("Infinity", "inf");
    const [, sign, whole, fraction = "", power = "0"] = parts;
    if (/^-?[0-9]+$/.test(this.text)) return this.text === "-0" ? "0" : this.text;
    const digits = (whole + fraction).replace(/^0+(?=[0-9])/, "");
    const exponent = Number(power) - fraction.length;
    const left = exponent + digits.length;
    const point = exponent <= 0 && left > -6 ? left : 1;
    const mantissa = point <= 0 ? `0.${"0".repeat(-point)}${digits}` : point >= digits.length ? digits + "0".repeat(point - digits.length) : `${digits.slice(0, point)}.${digits.slice(point)}`;
    return sign + mantissa + (left === point ? "" : `E${left > point ? "+" : ""}${left - point}`);
  }
}

/** The text breaks the notation, at a line and a character. */
export class JsonError extends Error {
  constructor(text, at) {
    const before = text.slice(0, at).split("\n");
    super("this is not JSON");
    Object.assign(this, { line: before.length, character: before.at(-1).length + 1 });
  }
}

const DEEPEST = 900;
const TOKEN = /[ \t\n\r]*(?:([[\]{},:])|("[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|-?Infinity|NaN)|(true|false|null))/y;
const WORDS = { true: true, false: false, null: null };

/** Return the value of a JSON text: objects as maps in their order, numbers as `JsonNumber`. */
export function parseJson(text) {
  let at = 0;
  const next = () => {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (!token) throw new JsonError(text, at);
    at = TOKEN.lastIndex;
    return token;
  };
  const broken = () => {
    throw new JsonError(text, at - 1);
  };
  const valueAt = ([, sign, string, number, word], depth) => {
    if (string !== undefined) return JSON.parse(string);
    if (number !== undefined) return new JsonNumber(number);
    if (word !== undefined) return WORDS[word];
    if (depth > DEEPEST) refuse("The JSON is nested too deeply; expected records or columns.");
    return sign === "[" ? listAt(depth) : sign === "{" ? objectAt(depth) : broken();
  };
  /** Call `member` with the token that opens each member, until the closing sign. */
  const members = (closing, member) => {
    let token = next();
    if (token[1] === closing) return;
    for (;;) {
      member(token);
      const sign = next()[1];
      if (sign === closing) return;
      if (sign !== ",") broken();
      token = next();
    }
  };
  const listAt = (depth) => {
    const list = [];
    members("]", (token) => list.push(valueAt(token, depth + 1)));
    return list;
  };
  const objectAt = (depth) => {
    const object = new Map();
    members("}", ([, , string]) => {
      if (string === undefined || next()[1] !== ":") broken();
      const key = JSON.parse(string);
      if (object.has(key)) refuse(`${quoted(key)} is there twice in one JSON object; expected once: rename or drop one.`);
      object.set(key, valueAt(next(), depth + 1));
    });
    return object;
  };
  const value = valueAt(next(), 0);
  if (/[^ \t\n\r]/.test(text.slice(at))) throw new JsonError(text, at);
  return value;
}
