// Two pens with one hand: what is drawn on a canvas is exported, by the same calls, as a vector SVG.

const fontOf = (size, bold) => `${bold ? "600 " : ""}${size}px system-ui, sans-serif`;
const ruler = { context: null };

/** How wide a text is, in pixels. */
export function widthOf(text, size, bold = false) {
  ruler.context ??= document.createElement("canvas").getContext("2d");
  ruler.context.font = fontOf(size, bold);
  return ruler.context.measureText(text).width;
}

/** Draws on a canvas of a size in CSS pixels. */
export class CanvasPen {
  constructor(canvas, width, height, scale = globalThis.devicePixelRatio || 1) {
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    this.context = canvas.getContext("2d");
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.context.clearRect(0, 0, width, height);
  }

  path(points, { fill, stroke, width = 1, dash = [], close = false, opacity = 1 }) {
    const c = this.context;
    c.beginPath();
    points.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
    if (close) c.closePath();
    this.ink({ fill, stroke, width, dash, opacity });
  }

  ink({ fill, stroke, width, dash, opacity }) {
    const c = this.context;
    Object.assign(c, { globalAlpha: opacity, lineWidth: width, lineJoin: "round" });
    c.setLineDash(dash);
    if (fill) (c.fillStyle = fill), c.fill();
    if (stroke) (c.strokeStyle = stroke), c.stroke();
    c.globalAlpha = 1;
  }

  circle(x, y, r, { fill, stroke, width = 1, opacity = 1 }) {
    const c = this.context;
    c.beginPath();
    c.arc(x, y, r, 0, 2 * Math.PI);
    this.ink({ fill, stroke, width, dash: [], opacity });
  }

  text(string, x, y, { size = 12, align = "left", color, halo, angle = 0, bold = false }) {
    const c = this.context;
    c.save();
    c.translate(x, y);
    c.rotate((angle * Math.PI) / 180);
    c.font = fontOf(size, bold);
    c.textAlign = align;
    c.textBaseline = "middle";
    if (halo) {
      c.strokeStyle = halo;
      c.lineWidth = 3.5;
      c.lineJoin = "round";
      c.setLineDash([]);
      c.strokeText(string, 0, 0);
    }
    c.fillStyle = color;
    c.fillText(string, 0, 0);
    c.restore();
  }

  /** Draw only inside a frame {left, top, w, h}. */
  clip({ left, top, w, h }, draw) {
    this.context.save();
    this.context.beginPath();
    this.context.rect(left, top, w, h);
    this.context.clip();
    draw();
    this.context.restore();
  }

  image(canvas, x, y, width, height, smooth) {
    this.context.imageSmoothingEnabled = smooth;
    this.context.drawImage(canvas, x, y, width, height);
  }
}

const XML = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
// Characters that XML cannot hold are dropped.
const escaped = (text) => String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").replace(/[&<>"']/g, (c) => XML[c]);
const attributes = (values) =>
  Object.entries(values).filter(([, value]) => value !== undefined && value !== null).map(([key, value]) => ` ${key}="${escaped(value)}"`).join("");
const short = (x) => +x.toFixed(2);

/** Collects the same drawing as an SVG text. */
export class SvgPen {
  constructor(width, height, background) {
    this.size = [width, height];
    this.parts = [`<rect${attributes({ width, height, fill: background })}/>`];
  }

  path(points, { fill, stroke, width = 1, dash = [], close = false, opacity }) {
    const d = points.map(([x, y], i) => `${i ? "L" : "M"}${short(x)} ${short(y)}`).join("") + (close ? "Z" : "");
    const line = stroke ? { stroke, "stroke-width": width, "stroke-dasharray": dash.length ? dash.join(" ") : undefined } : {};
    this.parts.push(`<path${attributes({ d, fill: fill ?? "none", opacity, ...line, "stroke-linejoin": stroke && "round" })}/>`);
  }

  circle(cx, cy, r, { fill, stroke, width = 1, opacity }) {
    this.parts.push(`<circle${attributes({ cx: short(cx), cy: short(cy), r, fill: fill ?? "none", stroke, "stroke-width": stroke && width, opacity })}/>`);
  }

  text(string, x, y, { size = 12, align = "left", color, halo, angle = 0, bold = false }) {
    const place = angle ? { transform: `translate(${short(x)} ${short(y)}) rotate(${angle})` } : { x: short(x), y: short(y) };
    const anchor = { center: "middle", right: "end", left: "start" }[align];
    const outline = halo ? { stroke: halo, "stroke-width": 3.5, "stroke-linejoin": "round", "paint-order": "stroke" } : {};
    const font = { "font-size": size, "font-weight": bold ? 600 : undefined, "text-anchor": anchor, "dominant-baseline": "central" };
    this.parts.push(`<text${attributes({ ...place, ...font, fill: color, ...outline })}>${escaped(string)}</text>`);
  }

  clip({ left, top, w, h }, draw) {
    const id = `inside-${(this.clips = (this.clips ?? 0) + 1)}`;
    this.parts.push(`<clipPath id="${id}"><rect${attributes({ x: left, y: top, width: w, height: h })}/></clipPath>`, `<g clip-path="url(#${id})">`);
    draw();
    this.parts.push("</g>");
  }

  image(canvas, x, y, width, height, smooth) {
    const look = smooth ? undefined : "pixelated";
    const place = { x, y, width, height, "image-rendering": look, preserveAspectRatio: "none" };
    this.parts.push(`<image${attributes({ ...place, href: canvas.toDataURL("image/png") })}/>`);
  }

  toString() {
    const [width, height] = this.size;
    const root = { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "system-ui, sans-serif" };
    return `<svg${attributes(root)}>\n${this.parts.join("\n")}\n</svg>\n`;
  }
}

/** Make an element; attributes that start with "on" are listeners, children are elements or text, never markup. */
export function make(tag, values = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** The head of a column: its text, its class, and what explains it. */
export const heading = ([text, name, title]) => make("th", { scope: "col", class: name, title }, text);

/** A color for the place of x between the lowest and the highest; none where all are equal. */
export const shade = (x, low, high) => (high > low && !Number.isNaN(x) ? `rgba(86, 180, 233, ${((0.5 * (x - low)) / (high - low)).toFixed(3)})` : "");

/** A table with its head and body, which scrolls in a region of its own. */
export const tableRegion = (label, head, body) =>
  make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, make("table", {}, make("caption", { class: "unseen" }, label), make("thead", {}, head), body));

/** Offer a text or a blob as a file. */
export function offer(name, content, type) {
  const link = make("a", { download: name, href: URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
