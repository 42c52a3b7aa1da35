/* What a learner did, kept in this browser only; and what holds for this page. */

const STORE = "seq2see";

export const memory = {
  read() {
    try { return JSON.parse(localStorage.getItem(STORE)) ?? {}; } catch { return {}; }
  },
  write(change) {
    try { localStorage.setItem(STORE, JSON.stringify({ ...memory.read(), ...change })); } catch { /* private mode: for this page only */ }
  },
  add(list, id) {
    const kept = memory.read()[list] ?? {};
    if (kept[id]) return false;
    memory.write({ [list]: { ...kept, [id]: 1 } });
    return true;
  },
  has: (list, id) => Boolean(memory.read()[list]?.[id]),
  keep: (list, id, what) => memory.write({ [list]: { ...memory.read()[list], [id]: what } }),
};

export const controls = new Map(); // id → control
export const limits = new Map(); // id → how far it reaches here
export const idle = new Map(); // id → why it has no effect here
export const remarks = new Map(); // id → what was made of its value

/* ---- progress ---- */

export function done(id) {
  if (memory.add("done", id)) progress();
}

export function progress() {
  const done = Object.keys(memory.read().done ?? {}).filter((id) => window.seq2see.ids.includes(id));
  for (const place of document.querySelectorAll("[data-progress]")) {
    const lesson = place.dataset.progress, all = lesson === "*";
    const total = all ? window.seq2see.ids.length : +place.dataset.total;
    const count = all ? done.length : done.filter((id) => id.startsWith(`${lesson}-`)).length;
    const words = `${count}/${total} done`;
    if (place.dataset.said === words) continue;
    place.dataset.said = words;
    place.style.setProperty("--share", total ? count / total : 0);
    place.textContent = words;
  }
}

/* ---- what this learner has moved ---- */

export const moved = new Set(); // experiments set by this learner: only these go into the address
const listeners = [];
export const whenTouched = (listener) => listeners.push(listener);

/* A learner has tried an experiment once something in it was moved; `by` is the id of the control. */
export function touched(element, by) {
  const experiment = element.closest(".experiment");
  if (!experiment || experiment.matches(".exercises")) return;
  moved.add(experiment.id);
  done(experiment.id);
  for (const listener of listeners) listener(experiment.id, by);
}
