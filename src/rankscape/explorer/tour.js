// A tour of about a minute, in six steps, on the data of the page.

import { make } from "./dom.js";
import { oddsOf } from "./model.js";
import { placeIn } from "./state.js";
import { alarms, percent, rateText } from "./texts.js";

const names = (view, region) => view.labelOfRow(region.rows[0]);

/** The next winner along the column of the preference: {name, b, beyond (what a miss is worth where it begins), way}, or null. */
function nextWinner(view) {
  const { along } = view;
  const here = along.findIndex(({ from, to }) => from <= view.state.b && view.state.b <= to);
  const above = along[here + 1];
  const other = above ?? along[here - 1];
  const begins = above ? { beyond: above.low, way: "Above" } : { beyond: other?.high, way: "Below" };
  return other ? { name: view.labelOfRow(other.row), b: (Math.max(other.from, 0.02) + Math.min(other.to, 0.98)) / 2, ...begins } : null;
}

const STOPS_OF_TOUR = [
  {
    at: ".tile .layers", title: "This square is the Tile",
    text: ({ set }) => `Each point weighs the four outcomes in one way. Upwards, misses weigh more than false alarms; to the right, detections weigh more than correct rejections. The color says which of the ${set.n} methods is the best for that weighing. Accuracy, F₁, recall and precision are points of it.`,
  },
  {
    at: ".tile .layers", title: "No method is the best for everybody",
    text(view) {
      const [first, second] = view.regions;
      if (!first) return "Here nobody is first anywhere: the scores are undefined.";
      const rarely = view.everFirst().size - view.regionOf.size;
      const never = view.set.n - view.everFirst().size;
      const somewhere = `${view.regionOf.size} of ${view.set.n} win somewhere${rarely ? `, ${rarely} more only in ties or where an outcome does not count` : ""}`;
      const here = view.data.domains.length > 1 ? "with these weights" : "on these data";
      if (!second) return `${here[0].toUpperCase()}${here.slice(1)} one is: ${names(view, first)} wins for every weighing.`;
      return `${names(view, first)} wins for ${percent(first.area)} of all weighings, ${names(view, second)} for ${percent(second.area)}. ${somewhere}${never ? `; ${here} the ${never > 1 ? "others never do" : "other never does"}, whatever you care about` : ""}.`;
    },
    patch: ({ regions, set }) => ({ selected: regions.length ? set.rows[regions[0].rows[0]] : null }),
  },
  {
    at: ".control", title: "You say what a miss is worth",
    text(view) {
      const other = view.next;
      return other ? `${other.way} ${alarms(other.beyond)} per miss, ${other.name} leads. To show it, the circle is now at ${rateText(view.state.b / (1 - view.state.b))}. The colors of the track show who wins where.` : "However much a miss is worth, the winner stays the same here: the track has one color.";
    },
    prepare: nextWinner, patch: (view, next) => (next ? placeIn(view.mode, oddsOf(next.b)) : {}),
  },
  {
    at: ".board", title: "The leaderboard follows",
    text: (view) => `The dot is the score${view.about ? ", the line where it may lie, and a thick line below a row says that the next one is surely worse" : ""}. “Wins” says for which worth of a miss each method is first. Click a name to see it everywhere.`,
  },
  { at: ".spaces", title: "The same methods in ROC and PR space", text: () => "Each method is a point. Only those on the dashed line can ever win. Click beside the points to invent a method, and see what it would take to win." },
  { at: ".chips", title: "Now you", text: () => "Who are you? Screening, a spam filter, search? Choose, or drag the circle. Undo takes back every step, Copy link keeps what you see, and the small question marks explain each word." },
];

/** The tour in an element: {start(), end(), running()}. `act` has set, settle, state, view and after(then). It takes back what it moved; what readers do at the last step stays. */
export function tour(root, act) {
  let step = 0;
  let running = false;
  let before = null;
  let opener = null;
  const title = make("strong", { id: "rankscape-tour" });
  const text = make("p");
  const count = make("span", { class: "note" });
  const back = make("button", { type: "button", onclick: () => go(step - 1) }, "Back");
  const next = make("button", { type: "button", class: "next", onclick: () => go(step + 1) }, "Next");
  const skip = make("button", { type: "button", onclick: () => end() }, "Skip");
  const card = make("div", { class: "tour", role: "dialog", "aria-labelledby": "rankscape-tour", hidden: true, tabindex: "-1" }, title, text, make("div", { class: "bar" }, count, back, next, skip));
  root.append(card);
  card.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end();
    else if (event.key === "ArrowRight" && step < STOPS_OF_TOUR.length - 1) go(step + 1);
    else if (event.key === "ArrowLeft" && step > 0) go(step - 1);
  });

  function mark(selector) {
    for (const element of root.querySelectorAll(".toured")) element.classList.remove("toured");
    const target = selector && root.querySelector(selector);
    target?.classList.add("toured");
    target?.scrollIntoView({ block: "nearest" });
    const [of, by] = [target, card].map((element) => element?.getBoundingClientRect());
    if (target && of.bottom > by.top && of.right > by.left && of.left < by.right) target.scrollIntoView({ block: "start" }); // not behind the card
  }

  const atLast = () => running && step === STOPS_OF_TOUR.length - 1;

  function go(to) {
    if (to >= STOPS_OF_TOUR.length) return end();
    if (atLast()) before = { ...act.state() };
    step = Math.max(0, to);
    const { at, patch, prepare } = STOPS_OF_TOUR[step];
    const found = prepare?.(act.view()) ?? null;
    running = true;
    act.set({ ...before, ...(atLast() ? {} : { flavor: "entity" }), ...(patch ? patch(act.view(), found) : {}) });
    act.after(() => {
      if (!running) return;
      title.textContent = STOPS_OF_TOUR[step].title;
      text.textContent = STOPS_OF_TOUR[step].text(Object.assign(Object.create(act.view()), { next: found }));
      count.textContent = `${step + 1} of ${STOPS_OF_TOUR.length}`;
      back.disabled = step === 0;
      next.textContent = step === STOPS_OF_TOUR.length - 1 ? "Done" : "Next";
      card.classList.toggle("left", at === ".board" || at === ".spaces");
      card.hidden = false;
      mark(at);
      card.focus();
    });
  }

  /** Stop; `restore`: show again what was shown before. */
  function end(restore = true) {
    if (!running) return;
    if (atLast()) before = { ...act.state() };
    running = false;
    mark(null);
    card.hidden = true;
    if (!restore) return;
    act.set(before);
    opener?.focus();
  }

  return {
    end, running: () => running,
    start() {
      act.settle();
      opener = root.getRootNode().activeElement;
      before = { ...act.state() };
      go(0);
    },
  };
}
