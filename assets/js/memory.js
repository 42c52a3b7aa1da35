/* Store the learner's progress and settings, in this browser only. */

import { config } from "./config.js";
import { translate } from "./language.js";

const STORE = "seq2see";

export const memory = {
  read() {
    try { return JSON.parse(localStorage.getItem(STORE)) ?? {}; } catch { return {}; }
  },
  write(change) {
    try {
      localStorage.setItem(STORE, JSON.stringify({ ...memory.read(), ...change }));
    } catch { /* storage is disabled */ }
  },
  add(list, id) {
    const ids = memory.read()[list] ?? {};
    if (ids[id]) return false;
    memory.write({ [list]: { ...ids, [id]: 1 } });
    return true;
  },
  has: (list, id) => Boolean(memory.read()[list]?.[id]),
  set: (list, id, value) => memory.write({ [list]: { ...memory.read()[list], [id]: value } }),
};

/* ---- progress ---- */

export function markDone(id) {
  if (memory.add("done", id)) showProgress();
}

export function showProgress() {
  const done = Object.keys(memory.read().done ?? {}).filter((id) => config.ids.includes(id));
  for (const place of document.querySelectorAll("[data-progress]")) {
    const lesson = place.dataset.progress, isAll = lesson === "*";
    const total = isAll ? config.ids.length : +place.dataset.total;
    const count = isAll ? done.length : done.filter((id) => id.startsWith(`${lesson}-`)).length;
    place.style.setProperty("--share", total ? count / total : 0);
    place.textContent = translate("{count}/{total} done", { count, total });
  }
  for (const tab of document.querySelectorAll("[data-done]")) {
    // exercises of “Check yourself”
    const exercises = config.ids.filter((id) => id.startsWith(`${tab.dataset.done}-`));
    tab.classList.toggle("done", done.includes(tab.dataset.done)
      || (exercises.length > 0 && exercises.every((id) => done.includes(id))));
  }
}
