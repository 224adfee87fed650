// The main control: how many false alarms a miss is worth; its track has the colors of those who win there.

import { complaint, numberField } from "./fields.js";
import { make } from "./dom.js";
import { oddsOf, placeOfOdds } from "./model.js";
import { winnersAlong } from "./leads.js";
import { regionAt } from "./regions.js";
import { ASKERS, detectionText } from "./state.js";
import { help } from "./terms.js";
import { plain } from "./texts.js";

const MOST = Math.log10(30);
const TICKS = [[1 / 30, "1/30"], [0.1, "1/10"], [1 / 3, "1/3"], [1, "1"], [3, "3"], [10, "10"], [30, "30"]];
const NEAR = 0.012; // the slider catches the ticks

/** Where a rate is on the track, from 0 to 1. */
const onTrack = (rate) => Math.min(1, Math.max(0, (Math.log10(rate) + MOST) / (2 * MOST)));

/** Build the control into an element; `change(patch)` takes a part of the state. Returns {update(view)}. */
export function mainControl(root, change) {
  let view = null;
  let drawn = [];
  const says = complaint();
  const number = numberField({
    label: "For me, a miss is worth this many false alarms", says, min: "0", class: "rate", restore: () => update(view),
    use: (x) => (x >= 0 ? change({ b: placeOfOdds(x) }) : "0 or more"),
  });
  const unit = make("span", {}, "false alarms");
  const kept = make("p", { class: "quiet" });
  const slider = make("input", { type: "range", min: -MOST, max: MOST, step: "0.01", "aria-label": "How many false alarms a miss is worth", oninput: () => change({ b: placeOfOdds(caught(Number(slider.value))) }) });
  const track = make("span", { class: "track", "aria-hidden": "true" });
  const ticks = make("span", { class: "ticks", "aria-hidden": "true" }, ...TICKS.map(([rate, label]) => {
    const tick = make("span", {}, label);
    tick.style.left = `${100 * onTrack(rate)}%`;
    return tick;
  }));
  const roles = ASKERS.map((role) => {
    const patch = () => ({ b: placeOfOdds(role.rate), ...(role.a === undefined ? {} : { a: role.a }) });
    const worth = TICKS.find(([rate]) => rate === role.rate)?.[1] ?? (role.rate < 1 ? `1/${1 / role.rate}` : role.rate);
    return { role, button: make("button", { type: "button", class: "chip", title: role.about, onclick: () => change(patch()) }, `${role.label} ${worth}`) };
  });
  root.append(
    make("h2", { class: "ask" }, make("label", {}, "For me, a miss is worth ", number, " "), unit, help("miss")),
    kept,
    says,
    make("div", { class: "slide" }, track, slider, ticks),
    make("div", { class: "chips", role: "group", "aria-label": "Presets by role" }, ...roles.map(({ button }) => button)),
  );

  function caught(x) {
    const near = TICKS.find(([rate]) => Math.abs(Math.log10(rate) - x) < NEAR);
    return near ? near[0] : Number((10 ** x).toPrecision(3));
  }

  function update(next) {
    view = next;
    const { state, regions } = view;
    const rate = oddsOf(state.b);
    const editing = root.getRootNode().activeElement;
    const text = rate === Infinity ? "" : String(Number(rate.toPrecision(4)));
    if (editing !== number && number.value !== text) number.value = text;
    number.placeholder = rate === Infinity ? "∞" : "";
    unit.textContent = rate === 1 ? "false alarm" : "false alarms";
    kept.textContent = state.a === 1 ? "Correct rejections do not count, as in the F-scores. For costs, see more preferences." : `While ${detectionText(state.a)}.`;
    if (editing !== slider || Math.abs(Math.log10(rate) - slider.value) > NEAR) slider.value = Math.min(MOST, Math.max(-MOST, Math.log10(rate)));
    const winner = regionAt(regions, state.a, state.b);
    slider.setAttribute("aria-valuetext", `${plain(rate)} false alarms${winner ? `: ${view.labelOfRow(winner.rows[0])} is first` : ""}`);
    for (const { role, button } of roles) button.setAttribute("aria-pressed", String(Math.abs(rate - role.rate) < 1e-9 && (role.a === undefined || role.a === state.a)));
    const key = [regions, view.hue, state.a];
    if (key.every((x, i) => x === drawn[i])) return;
    drawn = key;
    track.replaceChildren(...winnersAlong(view).map(({ row, low, high }) => {
      const part = make("i", { title: view.labelOfRow(row) });
      const [from, to] = [onTrack(low), onTrack(high)];
      Object.assign(part.style, { left: `${100 * from}%`, width: `${100 * (to - from)}%`, background: view.hue.get(row) });
      return part;
    }));
  }

  return { update };
}
