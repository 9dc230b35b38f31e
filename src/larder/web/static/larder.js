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

const typing = () => /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !typing() && !event.ctrlKey && !event.metaKey) {
    const search = document.querySelector("[data-search]");
    if (search) { event.preventDefault(); search.focus(); search.select(); }
  }
});

// A live part names its own address; the server pushes its HTML anew when it differs. What has the focus is not
// taken away: the newest waits until it is left or, unless somebody types, until nothing more will come. A summary
// that was clicked does not wait: it is found again.
for (const part of document.querySelectorAll("[data-live]")) {
  const source = new EventSource(part.dataset.live);
  let newest = null;
  const focused = () => part.contains(document.activeElement) && document.activeElement;
  const draw = () => {
    if (newest === null) return;
    const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
    const read = document.activeElement?.closest("summary")?.parentElement.id;
    const html = newest;
    newest = null;
    part.innerHTML = html;
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (read) document.querySelector(`#${read} > summary`)?.focus({ preventScroll: true });
  };
  source.addEventListener("part", (event) => {
    newest = event.data;
    if (!focused() || focused().matches("summary:not(:focus-visible, :active)")) draw();
  });
  part.addEventListener("focusout", (event) => {
    if (!focused() && !part.contains(event.relatedTarget)) draw();
  });
  source.addEventListener("end", () => {
    source.close();
    if (!typing()) draw();
  });
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
