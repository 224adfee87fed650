// Exact numbers: doubles as integers over powers of two, and fractions of big integers.

const wordsOfDouble = new DataView(new ArrayBuffer(8));

/** Return [m, e] with x = m · 2^e exactly. */
export function dyadic(x) {
  wordsOfDouble.setFloat64(0, x);
  const bits = wordsOfDouble.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 2047n);
  const fraction = bits & ((1n << 52n) - 1n);
  const m = exponent ? fraction | (1n << 52n) : fraction;
  return [x < 0 ? -m : m, (exponent || 1) - 1075];
}

/** Return big integers proportional to numbers, each a double or already a big integer: exactly, nothing is rounded. */
export function integersOf(values) {
  if (values.every((x) => typeof x === "bigint" || Number.isInteger(x))) return values.map(BigInt);
  const parts = values.map((x) => (typeof x === "bigint" ? [x, 0] : dyadic(x)));
  const lowest = Math.min(...parts.filter(([m]) => m).map(([, e]) => e));
  return parts.map(([m, e]) => (m ? m << BigInt(e - lowest) : 0n));
}

/** The shortest decimal that rounds to a double, as [n, places]: n / 10^places. */
export function decimalOfDouble(double) {
  const [digits, power = "0"] = String(double).split("e");
  const fraction = digits.split(".")[1] ?? "";
  return [BigInt(digits.replace(".", "")), fraction.length - Number(power)];
}

/** Integers in proportion to weights: a double is the shortest decimal that rounds to it, which is what was typed. */
export function wholeWeights(weights) {
  const parts = weights.map((x) => (typeof x === "bigint" || Number.isInteger(x) ? [BigInt(x), 0] : decimalOfDouble(x)));
  const most = Math.max(...parts.map(([, places]) => places));
  return parts.map(([n, places]) => n * 10n ** BigInt(most - places));
}

export function greatestCommonDivisor(x, y) {
  if (x < 0n) x = -x;
  if (y < 0n) y = -y;
  while (y) [x, y] = [y, x % y];
  return x;
}

const bitLength = (x) => x.toString(16).length * 4;

/** Return n / d as a double, also where both are far outside the range of doubles. */
export function quotient(n, d) {
  if (n === 0n) return 0;
  if (d < 0n) [n, d] = [-n, -d];
  const size = n < 0n ? -n : n;
  const shift = 68 - (bitLength(size) - bitLength(d));
  const [above, below] = shift >= 0 ? [size << BigInt(shift), d] : [size, d << BigInt(-shift)];
  const whole = above / below;
  let q = Number(whole * below === above ? whole : whole | 1n); // the last bit says that there is more: rounded once
  const half = Math.trunc(shift / 2);
  q = q * 2 ** -half * 2 ** (half - shift);
  return n < 0n ? -q : q;
}

const signOf = (x) => (x > 0n ? 1 : x < 0n ? -1 : 0);

/** A fraction of big integers in lowest terms. */
export class Fraction {
  constructor(n, d = 1n) {
    if (d < 0n) [n, d] = [-n, -d];
    const common = greatestCommonDivisor(n, d);
    this.n = common > 1n ? n / common : n;
    this.d = common > 1n ? d / common : d;
  }

  /** The exact fraction that a double is. */
  static of(x) {
    const [m, e] = dyadic(x);
    return e >= 0 ? new Fraction(m << BigInt(e)) : new Fraction(m, 1n << BigInt(-e));
  }

  plus(other) {
    return new Fraction(this.n * other.d + other.n * this.d, this.d * other.d);
  }

  minus(other) {
    return new Fraction(this.n * other.d - other.n * this.d, this.d * other.d);
  }

  times(other) {
    return new Fraction(this.n * other.n, this.d * other.d);
  }

  over(other) {
    return new Fraction(this.n * other.d, this.d * other.n);
  }

  compare(other) {
    return signOf(this.n * other.d - other.n * this.d);
  }

  get sign() {
    return signOf(this.n);
  }

  get number() {
    return quotient(this.n, this.d);
  }

  get key() {
    return `${this.n}/${this.d}`;
  }
}

export const ZERO = new Fraction(0n);
export const ONE = new Fraction(1n);

const NAMES_SORTED = new WeakMap();

/** The place of each of some names when they are sorted as in Python, so that no list depends on the order of the rows. */
export function placesByName(names) {
  if (!NAMES_SORTED.has(names)) {
    const signs = names.map((name) => Array.from(name, (sign) => sign.codePointAt(0)));
    const compared = (x, y) => {
      const apart = x.findIndex((sign, k) => sign !== y[k]);
      return apart < 0 ? x.length - y.length : x[apart] - (y[apart] ?? -1);
    };
    const sorted = new Uint32Array(names.length);
    names.map((_, i) => i).sort((i, j) => compared(signs[i], signs[j])).forEach((i, place) => (sorted[i] = place));
    NAMES_SORTED.set(names, sorted);
  }
  return NAMES_SORTED.get(names);
}
