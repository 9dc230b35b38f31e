// Everything works without this file. It asks before what cannot be undone, keeps open pages live, and lets
// the keyboard reach the search.
"use strict";

document.addEventListener("submit", (event) => {
  const question = event.target.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

document.addEventListener("change", (event) => {
  const { all } = event.target.dataset;
  if (!all) return;
  for (const box of document.querySelectorAll(`[name="${all}"]`)) box.checked = event.target.checked;
});

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    const search = document.querySelector("[data-search]");
    if (search) { event.preventDefault(); search.focus(); search.select(); }
  }
});

// A live part names its own address; the server pushes its HTML anew when it differs.
for (const part of document.querySelectorAll("[data-live]")) {
  const source = new EventSource(part.dataset.live);
  source.addEventListener("part", (event) => {
    const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
    if (part.contains(document.activeElement) && document.activeElement !== document.body) return;
    part.innerHTML = event.data;
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  });
  source.addEventListener("end", () => source.close());
  window.addEventListener("pagehide", () => source.close());
}

// Pointing at words of a page fills the selector of the field that was clicked last, and shows what it will hold.
const words = document.querySelector("[data-pick]");
if (words) {
  const row = document.querySelector('[name="row"]');
  let field = document.querySelector('[name="f.title"]');
  const aim = (chosen) => {
    field.classList.remove("aimed");
    field = chosen;
    field.classList.add("aimed");
  };
  const fitting = ({ path, link, row: rows }) => ({ row: rows, "f.url": link })[field.name] || path;
  // On a page that lists things, the first words name their row, and bring along what was found beside them.
  const startRows = (rows) => {
    if (row.value || words.dataset.rows === undefined) return;
    row.value = rows;
    if (rows !== words.dataset.rows) return;
    for (const each of document.querySelectorAll("[data-suggested]")) each.value ||= each.dataset.suggested;
  };
  document.addEventListener("focusin", ({ target }) => target.matches("[data-selector]") && aim(target));
  words.addEventListener("click", ({ target }) => {
    const piece = target.closest("[data-path]");
    if (!piece) return;
    startRows(piece.dataset.row);
    field.value = fitting(piece.dataset);
    field.removeAttribute("aria-invalid");
    document.getElementById(`of-${field.name}`).textContent = `“${piece.textContent}”`;
    field.focus();
  });
}
