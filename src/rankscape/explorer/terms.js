// What the words of the page mean: one list of short explanations, and a "?" beside each word.

import { make } from "./dom.js";

const TERMS = {
  miss: ["miss and false alarm", "A miss is a positive case that the method calls negative; a false alarm is a negative case that it calls positive. By costs, the number says how many false alarms you would accept to avoid one miss, and right answers cost nothing. An F-score is no cost: it leaves correct rejections out, and the number (β²) is the weight of a miss in it. Elsewhere on the Tile, a detection keeps what it counts as, and only the miss moves."],
  tile: ["the Tile", "Each point of the square is one way to weigh the four outcomes. Upwards, misses weigh more against false alarms; to the right, detections weigh more against correct rejections. The numbers say how many false alarms a miss is worth, and how many correct rejections a detection. The color says which method is first for that weighing. Accuracy, F₁, recall and precision are points of it."],
  score: ["score", "Of everything that matters to you, the share that the method gets right: from 0 to 1, larger is better. At the places of named scores it is that score."],
  interval: ["interval", "Another sample of cases would give other counts. The interval is a credible interval: it holds the score in the share of the draws that is written with the table, each method by itself."],
  ranks: ["ranks", "The ranks that a method may have: 1 + the number of those that are surely better, to all but those that are surely worse. These sets are right at once in at least the share of the draws that was asked for, the level."],
  first: ["best with", "How probably the method is the best one, for your preference: its share of the draws, which are simulated new samples. Where methods are pooled, those that look alike are drawn towards one another, so that luck alone makes none the best."],
  share: ["area", "The share of the area of the Tile where the method is first: of all ways to weigh the four outcomes, each alike. It counts no votes, and not how many people want what."],
  even: ["at ½", "The same area if half of the cases were positive: what does not depend on how common positives are here."],
  lead: ["when a method wins", "For which worth of a miss the method is first, in false alarms: what the slider says, and the colors of its track. Elsewhere: it is first only for other preferences, in another part of the Tile. Never: it is first for none."],
  cost: ["cost", "What the method is expected to cost, at the costs that you gave for each outcome."],
  tiers: ["thick line", "The first below a thick line is surely worse than the first above it; methods between two lines cannot be told apart from the first of them."],
  roc: ["ROC and PR space", "Each method is a point: false positive rate against recall, and recall against precision. The dashed line joins those that can win. Along a thin line the score of your preference stays the same; on the thick one it is that of the first."],
  prior: ["prior", "The share of positive cases. If positives are rarer where you use the method, shift it: the rates of each method stay, and the ranking may change."],
  weights: ["weights of the domains", "How much each domain, or benchmark, counts. For each method the shares of the outcomes are averaged with these weights, and the score is computed from these averages: it is not an average of scores."],
  imagined: ["a method that does not exist", "Click into ROC or PR space to put a method there, and see which rank it would have and for which share of preferences it would be first."],
};

/** A button beside a word, that explains it. */
export function help(key) {
  const [title] = TERMS[key];
  return make("button", { type: "button", class: "help", "aria-label": `What is ${title}?`, "aria-expanded": "false", "data-term": key }, "?");
}

/** Let all "?" inside an element show their explanations, one at a time; returns a function that stops that. */
export function explanations(root) {
  const bubble = make("div", { class: "bubble", role: "status", hidden: true });
  root.append(bubble);
  let asked = null;
  function close() {
    asked?.setAttribute("aria-expanded", "false");
    asked = null;
    bubble.hidden = true;
  }
  function open(button) {
    close();
    asked = button;
    button.setAttribute("aria-expanded", "true");
    const [title, text] = TERMS[button.dataset.term];
    bubble.replaceChildren(make("strong", {}, `${title[0].toUpperCase()}${title.slice(1)}. `), text);
    bubble.hidden = false;
    const [at, around] = [button.getBoundingClientRect(), root.getBoundingClientRect()];
    const left = Math.max(8, Math.min(at.left - around.left - 20, around.width - bubble.offsetWidth - 8));
    const below = at.bottom + bubble.offsetHeight + 12 < globalThis.innerHeight || at.top < bubble.offsetHeight;
    Object.assign(bubble.style, { left: `${left}px`, top: `${below ? at.bottom - around.top + 6 : at.top - around.top - bubble.offsetHeight - 6}px` });
  }
  const clicked = (event) => {
    const button = event.target.closest?.("button.help");
    if (button && button !== asked) open(button);
    else if (!bubble.contains(event.target)) close();
  };
  const pressed = (event) => {
    if (event.key === "Escape" && asked) close();
  };
  root.addEventListener("click", clicked);
  root.addEventListener("keydown", pressed);
}
