// What was looked at before, for Undo and Redo; where the page has an address, Back and Forward go along.

const same = (one, other) => one.data === other.data && JSON.stringify(one.state) === JSON.stringify(other.state);

/**
 * Keeps entries {data, state}. `linked`: write the address; `go(entry)` shows one. Frames without an address of their
 * own refuse to write it: then the page keeps its steps to itself.
 */
export function trail(linked, go) {
  const token = String(globalThis.performance?.timeOrigin ?? 0);
  let entries = [];
  let at = -1;
  let usable = linked;
  const alone = globalThis.top === globalThis.self; // in a frame, Back is that of the page around

  function write(method, hash) {
    if (!usable) return;
    try {
      history[method]({ rankscape: token, at }, "", `#${hash}`);
    } catch {
      usable = false;
    }
  }

  /** Remember what is shown, if it is new; `instead`: the address is there already. */
  function record(entry, hash, instead = false) {
    if (at >= 0 && same(entries[at], entry)) return;
    entries = [...entries.slice(0, at + 1), entry];
    at = entries.length - 1;
    write(at === 0 || instead || !alone ? "replaceState" : "pushState", hash);
  }

  function step(by) {
    if (!entries[at + by]) return;
    if (usable && alone) history.go(by);
    else go(entries[(at += by)]);
  }

  const popped = ({ state }) => {
    if (state?.rankscape !== token || !entries[state.at] || state.at === at) return;
    at = state.at;
    go(entries[at]);
  };
  if (linked) globalThis.addEventListener("popstate", popped);
  return {
    record, undo: () => step(-1), redo: () => step(1), canUndo: () => at > 0, canRedo: () => at < entries.length - 1,
    stop: () => globalThis.removeEventListener("popstate", popped),
  };
}
