// The page in a frame of another page: what was asked for, and how high it is.

const THEMES = ["light", "dark"];

/** Give an element the classes of a page: which it is, whether it is in a frame, and its theme. */
export function dress(root, page, { embed, theme }) {
  root.classList.add("rankscape", page, ...(embed ? ["embed"] : []), ...(THEMES.includes(theme) ? [theme] : []));
}

/** Whether the page is in a frame, and what the address asks for: ?embed (or ?embed=0), ?theme=dark. */
export function embedded() {
  const asked = new URLSearchParams(globalThis.location?.search ?? "");
  const embed = asked.has("embed") ? asked.get("embed") !== "0" : globalThis.top !== globalThis.self;
  return { embed, theme: asked.get("theme"), follow: tellHeight };
}

/** Tell the page around, whichever it is, how high this one is, at first and whenever that changes. */
function tellHeight(root) {
  const tell = () => {
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (height > 0) globalThis.parent?.postMessage({ type: "rankscape:height", height }, "*");
  };
  new ResizeObserver(tell).observe(root);
  tell();
}
