(() => {
"use strict";
const number = (text) => parseFloat(text.replace(/^[^\d+\-−]*/, "").replace("−", "-").replace(/(\d)\s(?=\d{3}\b)/g, "$1"));
const rowsOf = (table) => [...table.tBodies[0].rows];

// Sort by a column: first as its numbers, or texts, go up, then down; undefined ones stay last.
function sort(table, column, descending) {
  const numeric = table.tHead.rows[0].cells[column].classList.contains("num");
  const keyed = rowsOf(table).map((row, place) => {
    const text = row.cells[column].textContent.trim();
    return { row, place: row.place ?? (row.place = place), text, value: numeric ? number(text) : text === "" ? NaN : 0 };
  });
  const sign = descending ? -1 : 1;
  keyed.sort((a, b) => {
    const missing = Number.isNaN(a.value) - Number.isNaN(b.value);
    const order = numeric ? a.value - b.value : a.text.localeCompare(b.text, "en", { numeric: true });
    return missing || (Number.isNaN(a.value) ? 0 : sign * order) || a.place - b.place;
  });
  table.tBodies[0].append(...keyed.map((one) => one.row));
}

function makeSortable(table) {
  if (!table.tHead.rows.length) return;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (head.classList.contains("still") || head.querySelector("button")) return;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sort(table, column, descending);
      table.classList.toggle("sorted", column > 0 || descending);
    });
  });
}

document.querySelectorAll("table.sortable").forEach(makeSortable);

const search = document.querySelector("input[type=search]");
const board = document.querySelector("table.board");
if (search && board && rowsOf(board).length > 10) {
  search.closest(".tools").hidden = false;
  const status = search.closest(".tools").querySelector("[role=status]");
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    let left = 0;
    for (const row of rowsOf(board)) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
      left += row.hidden ? 0 : 1;
    }
    status.textContent = wanted ? `${left} of ${rowsOf(board).length}` : "";
  });
}

const element = (tag, text, numeric) => {
  const made = document.createElement(tag);
  made.textContent = text;
  if (numeric) made.className = "num";
  if (tag === "th") made.scope = "col";
  return made;
};
const line = (cells) => { const row = document.createElement("tr"); row.append(...cells); return row; };

function comparison(data, root) {
  const values = data.values.map((row) => row.split("|"));
  const [first, second] = root.querySelectorAll("select");
  const [whole, apart] = root.querySelectorAll("table");
  for (const select of [first, second]) {
    select.append(...data.names.map((name, i) => new Option(name.length > 60 ? `${name.slice(0, 60)}…` : name, String(i))));
  }
  const pages = () => decodeURIComponent(location.hash.slice(1)).split(",").map((page) => data.pages.indexOf(page));
  const better = (i, j) => Number(data.better.substr(2 * (i * data.paired + j), 2));
  const sure = (i, j) => {
    const bit = i * data.paired + j;
    return (parseInt(data.sure[bit >> 2], 16) >> (3 - (bit & 3))) & 1;
  };
  const cut = (name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name);
  function verdict(i, j) {
    if (i === j) return "Choose two different methods.";
    if (i >= data.paired || j >= data.paired) return "";
    const [a, b] = [cut(data.names[i]), cut(data.names[j])];
    const percent = (p) => (p >= 99 ? "at least 0.99" : p === 0 ? "less than 0.01" : (p / 100).toFixed(2));
    const chance = `P(${a} is better) = ${percent(better(i, j))}; P(${b} is better) = ${percent(better(j, i))}.`;
    const claim = sure(i, j) ? `${a} is surely better than ${b}.` : sure(j, i) ? `${b} is surely better than ${a}.` : "Neither is surely better than the other.";
    return `${claim} ${chance}`;
  }
  function show() {
    const [i, j] = [Number(first.value), Number(second.value)];
    const names = [element("th", cut(data.names[i]), true), element("th", cut(data.names[j]), true)];
    root.querySelector(".lead").textContent = verdict(i, j);
    whole.tHead.replaceChildren(line([element("th", "Overall"), ...names]));
    whole.tBodies[0].replaceChildren(...data.columns.map((title, k) => {
      const head = element("th", title);
      head.scope = "row";
      return line([head, element("td", data.cells[i][k], true), element("td", data.cells[j][k], true)]);
    }));
    if (apart) showDomains(i, j, names);
  }
  function showDomains(i, j, names) {
    const wins = [0, 0, 0];
    apart.tHead.replaceChildren(line([element("th", "Domain"), ...names.map((name) => name.cloneNode(true)), element("th", "Difference", true)]));
    apart.tBodies[0].replaceChildren(...data.domains.map(([title, page, isLevel], k) => {
      const [a, b] = [values[k][i], values[k][j]];
      const gap = number(a) - number(b);
      if (!isLevel && !Number.isNaN(gap)) wins[gap === 0 ? 2 : (gap > 0) !== data.smaller ? 0 : 1] += 1;
      const digits = Math.max(...[a, b].map((text) => (text.split(".")[1] || "").replace(/\D/g, "").length));
      const head = element("th", "");
      const link = document.createElement("a");
      link.href = `domains/${page}.html`;
      link.textContent = title;
      head.append(link);
      head.scope = "row";
      const row = line([head, element("td", a || "—", true), element("td", b || "—", true),
        element("td", Number.isNaN(gap) ? "—" : `${gap > 0 ? "+" : gap < 0 ? "−" : ""}${Math.abs(gap).toFixed(digits)}`, true)]);
      if (isLevel) row.className = "level";
      return row;
    }));
    const tied = wins[2] ? `, and ${wins[2]} tied as printed` : "";
    root.querySelector("h2 + p").textContent = i === j || !data.domains.length ? "" :
      `${cut(data.names[i])} is better on ${wins[0]}, ${cut(data.names[j])} on ${wins[1]}${tied}.`;
    makeSortable(apart);
  }
  const choose = () => {
    const [i, j] = pages();
    first.value = String(i >= 0 ? i : 0);
    second.value = String(j >= 0 ? j : Math.min(1, data.names.length - 1));
    show();
  };
  const chosen = () => {
    history.replaceState(null, "", `#${data.pages[Number(first.value)]},${data.pages[Number(second.value)]}`);
    show();
  };
  first.addEventListener("change", chosen);
  second.addEventListener("change", chosen);
  addEventListener("hashchange", choose);
  root.hidden = false;
  choose();
}

const carried = document.getElementById("pairs");
if (carried) comparison(JSON.parse(carried.textContent), document.getElementById("compare"));
})();
