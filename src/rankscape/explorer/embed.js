// The page in a frame of another page: what was asked for, and how high it is.

const THEMES = ["light", "dark"];

/** Give an element the classes of a page: which it is, whether it is in a frame, and its theme. */
export function dress(root, page, { embed, theme }) {
  root.classList.add("rankscape", page, ...(embed ? ["embed"] : []), ...(THEMES.includes(theme) ? [theme] : []));
}

/** What the address, or the page itself, asks for: ?embed, ?theme=dark. A frame made of a text has no address to ask. */
export function embedded(carried) {
  const asked = new URLSearchParams(globalThis.location?.search ?? "");
  const embed = carried.embed === true || (asked.has("embed") && asked.get("embed") !== "0");
  return { embed, theme: asked.get("theme") ?? carried.theme, follow: tellHeight };
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
