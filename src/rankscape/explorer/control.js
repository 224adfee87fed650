// The main control: what a miss costs, weighs in an F-score, or is worth; its track has the colors of those who win there.

import { complaint } from "./fields.js";
import { make } from "./dom.js";
import { oddsOf } from "./model.js";
import { ASKERS, detectionText, modeOf, placeIn } from "./state.js";
import { help } from "./terms.js";
import { plain, quoted, rangeText, rateOf, rateText } from "./texts.js";

const MOST = Math.log10(30);
const TICKS = [[1 / 30, "1/30"], [0.1, "1/10"], [1 / 3, "1/3"], [1, "1"], [3, "3"], [10, "10"], [30, "30"]];
const NEAR = 0.006; // the slider catches the ticks, and a step of a key leaves them

/** Of each mode: its choice and what that explains, the question around the number, and what a screen reader says of the number. */
const ASKS = {
  costs: ["costs of errors", "A miss costs so many false alarms; right answers cost nothing", "A miss costs ", "false alarms", "What a miss costs, as a number of false alarms"],
  f: ["an F-score", "How much a miss weighs against a false alarm where correct rejections do not count", "In the F-score, a miss weighs ", "× a false alarm", "How much a miss weighs in the F-score, against a false alarm"],
  free: ["other", "Any other place of the Tile: drag its circle, or open more preferences", "A miss counts as ", "false alarms", "How many false alarms a miss counts as here"],
};

/** Where a rate is on the track, from 0 to 1. */
const onTrack = (rate) => Math.min(1, Math.max(0, (Math.log10(rate) + MOST) / (2 * MOST)));

/**
 * Build the control into an element; `change(patch)` takes a part of the state, and `now()` gives it, which may be newer
 * than the view. Returns {update(view)}.
 */
export function mainControl(root, change, now) {
  let view = null;
  let drawn = [];
  let shown = null; // the place that the number was written for; what is typed makes it that of the state
  const says = complaint();
  const use = (rate) => change(placeIn(modeOf(now()), rate));
  const number = make("input", { type: "text", class: "rate", autocomplete: "off", spellcheck: "false", oninput: hear, onblur: () => write() });
  const [before, unit] = [make("span"), make("span")];
  const kept = make("p", { class: "quiet" });
  const modes = Object.entries(ASKS).map(([mode, [label, title]]) => make("button", { type: "button", class: "mode", title, onclick: () => choose(mode) }, label));
  const slider = make("input", { type: "range", min: -MOST, max: MOST, step: "0.01", oninput: () => use(caught(Number(slider.value))) });
  const track = make("span", { class: "track", "aria-hidden": "true" });
  const ticks = make("span", { class: "ticks", "aria-hidden": "true" }, ...TICKS.map(([rate, label]) => {
    const tick = make("span", {}, label);
    tick.style.left = `${100 * onTrack(rate)}%`;
    return tick;
  }));
  const roles = ASKERS.map((role) => {
    const place = placeIn(role.f ? "f" : "costs", role.rate);
    return { place, button: make("button", { type: "button", class: "chip", title: role.about, onclick: () => change(place) }, `${role.label} ${role.f ?? rateText(role.rate)}`) };
  });
  root.append(
    make("div", { class: "modes", role: "group", "aria-label": "What decides" }, make("span", {}, "Decide by"), ...modes),
    make("h2", { class: "ask" }, make("label", {}, before, number, " "), unit, help("miss")),
    kept,
    says,
    make("div", { class: "slide" }, track, slider, ticks),
    make("div", { class: "chips", role: "group", "aria-label": "Presets by role" }, ...roles.map(({ button }) => button)),
  );

  /** Costs and F-scores keep what a miss is worth; other preferences are chosen elsewhere. */
  function choose(mode) {
    if (mode !== "free") return change(placeIn(mode, oddsOf(now().b)));
    const more = root.querySelector("details.more");
    more.open = true;
    more.scrollIntoView({ block: "nearest" });
    return undefined;
  }

  function complain(sentence) {
    if (sentence) number.setAttribute("aria-invalid", "true");
    else number.removeAttribute("aria-invalid");
    if (says.textContent !== sentence) says.textContent = sentence;
  }

  function hear() {
    const rate = rateOf(number.value);
    complain(rate === null ? `${number.value.trim() ? `${quoted(number.value)} is not used` : "Nothing is typed"}; expected a number, 0 or more, such as 10, 2.5, 1/3 or ∞.` : "");
    if (rate === null) return;
    use(rate);
    shown = placeOfState(now());
  }

  const placeOfState = (state) => `${state.a} ${state.b} ${modeOf(state)}`;

  /** Show the number of the state; what was complained of is gone. */
  function write() {
    shown = placeOfState(view.state);
    const text = rateText(oddsOf(view.state.b));
    if (number.value !== text) number.value = text;
    complain("");
  }

  function caught(x) {
    const near = TICKS.find(([rate]) => Math.abs(Math.log10(rate) - x) < NEAR);
    return near ? near[0] : Number((10 ** x).toPrecision(3));
  }

  function update(next) {
    view = next;
    const { state, mode, set } = view;
    const rate = oddsOf(state.b);
    const editing = root.getRootNode().activeElement;
    if (shown !== placeOfState(state)) write();
    const [, , ask, after, label] = ASKS[mode];
    before.textContent = ask;
    unit.textContent = rate === 1 ? after.replace("alarms", "alarm") : after;
    number.setAttribute("aria-label", label);
    slider.setAttribute("aria-label", label);
    Object.keys(ASKS).forEach((one, t) => modes[t].setAttribute("aria-pressed", String(one === mode)));
    kept.textContent = mode === "f" ? "Correct rejections do not count, so this is not what errors cost."
      : mode === "free" ? `While ${detectionText(state.a)}.`
      : set.common === null ? "Right answers cost nothing. Shares of positives differ: costs are compared as shares of the largest possible." : "Right answers cost nothing: the method with the least total cost is first.";
    if (editing !== slider || Math.abs(Math.log10(rate) - slider.value) > NEAR) slider.value = Math.min(MOST, Math.max(-MOST, Math.log10(rate)));
    slider.setAttribute("aria-valuetext", `${plain(rate)} ${after}${view.leader < 0 ? "" : `: ${view.labelOfRow(view.leader)} is first`}`);
    for (const { place, button } of roles) button.setAttribute("aria-pressed", String(place.a === state.a && place.b === state.b));
    const key = [view.along, view.hue];
    if (key.every((x, i) => x === drawn[i])) return;
    drawn = key;
    track.replaceChildren(...view.along.map(({ row, rows, low, high }) => {
      const part = make("i", { title: `${rows.slice(0, 3).map(view.labelOfRow).join(" = ")}: ${rangeText(low, high)}` });
      const [from, to] = [onTrack(low), onTrack(high)];
      Object.assign(part.style, { left: `${100 * from}%`, width: `${100 * (to - from)}%`, background: view.hueOf(row) });
      return part;
    }));
  }

  return { update };
}
