/* The registry of open experiments, and their state. */

import { markDone, memory } from "./memory.js";

/* id → {id, element, slug, lesson, controls: name → control, acts: open closer looks, guess, presets, job,
   covers, revealed, moved} */
export const experiments = new Map();

export const experimentOf = (node) => experiments.get(node.closest(".experiment")?.id);
export const current = () => [...experiments.values()].find(({ element }) => !element.hidden);
export const drawingOf = (experiment) => experiment?.element.querySelector(".drawing");

const listeners = [];
export const onTouched = (listener) => listeners.push(listener);

/* Record that a learner has moved something; `by` names the control. */
export function touched(experiment, by) {
  if (!drawingOf(experiment)) return;
  experiment.moved = true;
  markDone(experiment.id);
  for (const listener of listeners) listener(experiment, by);
}

/* ---- the link is the state ---- */

/* The query string of the controls' values, without defaults. */
export function linkOf(experiment, changes = {}) {
  const query = new URLSearchParams({ experiment: experiment.slug });
  for (const [name, control] of experiment.controls) {
    const text = changes[name] ?? control.text();
    if (text !== control.initial) query.set(name, text);
  }
  if (experiment.acts.length) query.set("acts", experiment.acts.join("."));
  return query.toString();
}

/* Set every control to its value in a link. */
export function setControls(experiment, link) {
  const query = new URLSearchParams(link);
  for (const [name, control] of experiment.controls) control.set(query.get(name) ?? control.initial);
  experiment.acts = (query.get("acts") ?? "").split(".").filter(Boolean);
}

export const valuesOf = (experiment) =>
  Object.fromEntries([...experiment.controls].map(([name, control]) => [name, control.text()]));
export const isPrivate = (experiment) => [...experiment.controls.values()].some((one) => one.isPrivate
  && one.text() !== one.initial);

/* The link of the saved state if it has private results. An explicit link to another state has priority. */
export const savedLink = (experiment) => (experiment.isLinked ? null : memory.read().left?.[experiment.id]);

/* The control values of the saved state, for an experiment that is not open. */
export function savedValues(id) {
  const query = new URLSearchParams(memory.read().left?.[id] ?? "");
  for (const name of ["experiment", "acts"]) query.delete(name);
  return Object.fromEntries(query);
}
