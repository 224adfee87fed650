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
})();
