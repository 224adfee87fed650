// What was computed is kept until its causes change.

/** Keeps what was computed last, per name, as long as its key stays. */
export function memory() {
  const kept = new Map();
  return (name, key, compute) => {
    const before = kept.get(name);
    if (before && before.key.length === key.length && before.key.every((x, i) => x === key[i])) return before.value;
    const value = compute();
    kept.set(name, { key, value });
    return value;
  };
}

/** Tell what was computed for these causes, without computing it. */
export function lastOf() {
  let last = { key: [] };
  return {
    get: (key) => (last.key.length && key.every((x, i) => x === last.key[i]) ? last.value : null),
    put: (key, value) => (last = { key, value }).value,
  };
}
