// The tables of the simple page: the leaderboard, the domains, and the classes of one entity.

import { heading, make, shade, tableRegion } from "./dom.js";
import { shortName } from "./names.js";
import { oneDecimal, simpleStanding, valueText } from "./simple_sentences.js";
import { help } from "./terms.js";
import { chance, span } from "./texts.js";

const STEP = 50;
const LONGEST = 90;

function ends(values) {
  const known = values.filter((x) => !Number.isNaN(x));
  return [Math.min(...known), Math.max(...known)];
}

/** The leaderboard and the table of the domains, rows in the same order. Returns {update(view)}. */
export function simpleTables(boardBox, noteBox, domainBox, classBox, { select }) {
  let limit = STEP;
  let view = null;
  const find = make("input", { type: "search", placeholder: "find a method", "aria-label": "Find a method in the leaderboard", oninput: () => update(view) });
  const more = make("button", { type: "button", onclick: () => ((limit += 100), update(view)) });
  const standing = make("p", { class: "compared" });
  const note = make("p", { class: "note" });
  const head = make("tr");
  const body = make("tbody");
  boardBox.append(make("h2", {}, "Leaderboard"), make("div", { class: "find" }, find), tableRegion("Leaderboard", head, body), more, standing);
  noteBox.append(note);
  const domainHead = make("tr");
  const domainBody = make("tbody");
  const domainNote = make("p", { class: "note" }, "");
  const domainTitle = make("h2");
  domainBox.append(domainTitle, tableRegion("The value on each domain", domainHead, domainBody), domainNote);
  const classTitle = make("h2");
  const classHead = make("tr");
  const classBody = make("tbody");
  classBox.append(classTitle, tableRegion("Class by class", classHead, classBody), make("p", { class: "note" }, "The stronger the color, the higher. Select another method in the leaderboard to see its classes."));

  const nameCell = (row, meter) => {
    const pressed = String(view.state.selected === row);
    const button = make("button", { type: "button", class: "entity", "aria-pressed": pressed, title: view.data.entities[row], onclick: () => select(row) }, make("bdi", {}, shortName(view.data.entities[row], LONGEST)));
    return make("th", { scope: "row", class: "name" }, button, meter);
  };

  function bar(value, sure) {
    const [low, high] = view.source.smaller ? [0, Math.max(...Array.from(view.ranking.value).filter((x) => !Number.isNaN(x)))] : view.source.range;
    const at = (x) => `${Math.min((100 * (x - low)) / (high - low || 1), 100)}%`;
    const fill = make("i", { class: "fill" });
    fill.style.width = Number.isNaN(value) ? "0" : at(value);
    const meter = make("span", { class: "meter", "aria-hidden": "true" }, fill);
    if (sure && !Number.isNaN(sure.from)) {
      const whisker = make("i", { class: "whisker" });
      Object.assign(whisker.style, { left: at(sure.from), width: `calc(${at(sure.to)} - ${at(sure.from)})` });
      meter.append(whisker);
    }
    return meter;
  }

  const percentRange = (from, to) => `${(100 * from).toFixed(1)}–${oneDecimal(to)}`;
  const short = (x) => (view.source.amounts ? view.write(x) : x.toFixed(3));
  const rangeText = ({ from, to }) => (Number.isNaN(from) ? "" : view.percent ? percentRange(from, to) : `${short(from)}–${short(to)}`);

  function row(i, sure) {
    const { ranking, set } = view;
    const [low, high, value] = [ranking.low[i], ranking.high[i], ranking.value[i]];
    const cells = [
      make("td", { class: "rank" }, low === 0 ? "–" : low === high ? String(low) : `${low}=`),
      nameCell(set.rows[i], bar(value, sure?.get(i))), // this bar is for narrow screens
      make("td", { class: "bars" }, bar(value, sure?.get(i))),
      make("td", { class: "value" }, valueText(view, value)),
    ];
    const one = sure?.get(i);
    if (view.drawn && !view.follows) cells.push(...["interval", "ranks", "first"].map((name) => make("td", { class: `${name} unknown` }, "–"))); // the columns stay, so that nothing jumps
    else if (sure) {
      cells.push(make("td", { class: "interval" }, one ? rangeText(one) : ""));
      cells.push(make("td", { class: "ranks" }, one?.high ? span(one.low, one.high) : ""));
      cells.push(make("td", { class: "first" }, one && !Number.isNaN(one.first) ? (one.first === 0 && one.low > 1 ? "" : chance(one.first)) : ""));
    }
    return make("tr", { class: view.state.selected === set.rows[i] ? "selected" : null }, ...cells);
  }

  function update(next) {
    view = next;
    const { ranking, set, state, source } = view;
    const wanted = find.value.trim().toLowerCase();
    const order = ranking ? Array.from(ranking.order) : [];
    let shown = wanted ? order.filter((i) => view.data.entities[set.rows[i]].toLowerCase().includes(wanted)) : order;
    const cut = shown.length;
    shown = shown.slice(0, limit);
    const chosen = view.rowOf.get(state.selected);
    if (!wanted && chosen !== undefined && order.length && !shown.includes(chosen)) shown.push(chosen);
    const sure = view.certain ? (view.known ?? new Map()) : null;
    const columns = sure || (view.drawn && !view.follows);
    const level = columns ? `${100 * view.drawn.level}\u00a0%` : "";
    head.replaceChildren(
      ...[
        ["Rank", "rank", "Those that tie share a rank."], ["Method", "name", null], ["", "bars", null],
        [view.percent ? (source.success ? "Right" : "Share") : source.smaller ? "Error" : "Value", "value", `${source.smaller ? "Smaller" : "Larger"} is better.`],
        ...(columns ? [["Interval", "interval", `A ${level} credible interval of the value, each by itself.`], ["Ranks", "ranks", `In at least ${level} of the draws all ranks lie in these sets at once.`], ["P(first)", "first", "How probably it is the best."]] : []),
      ].map(heading),
    );
    for (const [name, term] of [["interval", "interval"], ["ranks", "ranks"], ["first", "first"]]) head.querySelector(`.${name}`)?.append(" ", help(term));
    head.querySelector(".bars").replaceChildren(make("span", { class: "unseen" }, "Bar"));
    keepFocus(body, () => body.replaceChildren(...shown.map((i) => row(i, sure))));
    find.parentElement.hidden = set.n <= 12;
    more.hidden = cut <= limit;
    more.textContent = `Show ${Math.min(100, cut - limit)} more of ${cut}`;
    standing.textContent = simpleStanding(view);
    note.textContent = view.notes;
    domains(shown);
    classes();
  }

  function domains(shown) {
    const { data, set, source } = view;
    domainBox.hidden = data.domains.length < 2;
    if (domainBox.hidden) return;
    const Noun = view.noun[0].toUpperCase() + view.noun.slice(1);
    domainTitle.textContent = `${Noun} by ${view.noun}`;
    const many = data.domains.length > 8;
    const th = (text, d) => make("th", { scope: "col", class: many ? "tall" : null, title: data.domains[d] }, make("span", {}, make("bdi", {}, text)));
    domainHead.replaceChildren(make("th", { scope: "col", class: "name" }, "Method"), ...data.domains.map((name, d) => th(shortName(name, 24), d)));
    const columns = data.domains.map((_, d) => ends(shown.map((i) => view.cell(set.rows[i], d))));
    const text = (x) => (Number.isNaN(x) ? "–" : view.percent ? (100 * x).toFixed(1) : short(x));
    domainBody.replaceChildren(
      ...shown.map((i) => {
        const cells = data.domains.map((_, d) => {
          const value = view.cell(set.rows[i], d);
          const cell = make("td", {}, text(value));
          const [least, most] = columns[d];
          cell.style.background = source.smaller ? shade(-value, -most, -least) : shade(value, least, most);
          return cell;
        });
        return make("tr", { class: view.state.selected === set.rows[i] ? "selected" : null }, make("th", { scope: "row", class: "name" }, make("bdi", { title: data.entities[set.rows[i]] }, shortName(data.entities[set.rows[i]], 34))), ...cells);
      }),
    );
    domainNote.textContent = `${view.percent ? "In percent. " : ""}The stronger the color, the better on that ${view.noun}.`;
  }

  function classes() {
    const { source, set } = view;
    const i = view.rowOf.get(view.state.selected) ?? view.leader;
    classBox.hidden = source.kind !== "classes" || i < 0 || i === undefined;
    if (classBox.hidden) return;
    const width = source.classes.length;
    const at = (f) => set.p[i * set.width + f];
    const columns = source.crisp ? ["Recall", "Precision", "F₁"] : ["Expected similarity"];
    const rows = source.classes.map((_, c) => {
      const [right, missed, wrongly] = [at(c), at(width + c), source.crisp ? at(2 * width + c) : 0];
      const values = [right / (right + missed), right / (right + wrongly), (2 * right) / (2 * right + missed + wrongly)];
      return { share: right + missed, values: values.slice(0, columns.length) };
    });
    classTitle.textContent = `Class by class: ${view.labelOfRow(i)}`;
    classHead.replaceChildren(make("th", { scope: "col", class: "name" }, "Class"), ...["Share of the cases", ...columns].map((name) => make("th", { scope: "col" }, name)));
    classBody.replaceChildren(
      ...rows.map(({ share, values }, c) => {
        const cells = values.map((x) => {
          const cell = make("td", {}, Number.isNaN(x) ? "–" : x.toFixed(3));
          cell.style.background = shade(x, 0, 1);
          return cell;
        });
        return make("tr", {}, make("th", { scope: "row", class: "name" }, make("bdi", { title: source.classes[c] }, shortName(source.classes[c], 40))), make("td", {}, oneDecimal(share)), ...cells);
      }),
    );
  }

  return { update };
}

/** Rows are made anew: the name that has the focus keeps it. */
function keepFocus(body, change) {
  const buttons = () => [...body.querySelectorAll("button.entity")];
  const focused = body.getRootNode().activeElement;
  const name = buttons().includes(focused) ? focused.title : null;
  change();
  if (name !== null) buttons().find((button) => button.title === name)?.focus();
}
