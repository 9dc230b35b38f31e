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

// Choosing an element of the shown page fills the selector of the field that is being edited.
const preview = document.querySelector("[data-pick]");
if (preview) {
  let field = null;
  document.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-selector]")) field = event.target;
  });
  preview.addEventListener("click", (event) => {
    const chosen = event.target.closest("[data-path]");
    if (!chosen) return;
    event.preventDefault();
    field = field ?? document.querySelector("[data-selector]");
    field.value = chosen.dataset.path;
    field.focus();
  });
}
