/* Controls, each built from its spec: it shows a value, and sends a new one. */

import { choose, judge, redraw } from "../answers.js";
import { h } from "../dom.js";
import { rehouse } from "../first.js";
import { controls, idle, limits, remarks, touched } from "../memory.js";
import { acts } from "./acts.js";
import { choice, menu, toggle } from "./choice.js";
import { edits, handles } from "./dragged.js";
import { exercise } from "./exercise.js";
import { job } from "./job.js";
import { made } from "./made.js";
import { matrix } from "./matrix.js";
import { pairs } from "./pairs.js";
import { presets } from "./presets.js";
import { slider, step } from "./slider.js";
import { text } from "./text.js";

const kinds = { acts, choice, edits, exercise, handles, job, made, matrix, menu, pairs, presets, slider, step, text, toggle };

/* Called for what the server drew, and by every gr.HTML of components.widget. */
export function mount(element, props) {
  const spec = JSON.parse(props.spec), known = controls.get(spec.id);
  if (known) return rehouse(known, element);
  let now = props.value, good = now, refused = false; // the last value that was answered with a picture
  const { id } = element.closest(".experiment");
  const asks = {
    presets: (value) => choose(id, value),
    exercise: async (value) => {
      const told = await judge(spec.id, value);
      if (now === value) control.take(told); // nothing newer was answered meanwhile
    },
  }[spec.kind] ?? (() => redraw(id));
  const send = (value, byHand = true) => {
    refused = false;
    now = value;
    asks(value);
    if (byHand) touched(control.element, spec.id);
  };
  const control = kinds[spec.kind](spec, send);
  control.home = element;
  control.value = () => now;
  control.keep = (value) => { now = value; };
  control.take = (value) => { // not by hand
    refused = false;
    now = value;
    control.show(value);
  };
  control.good = () => { if (!refused) { good = now; complain(control, ""); } };
  control.refuse = (message) => { // it keeps what was typed, but the others go on with what was good
    refused = true;
    complain(control, message);
    beside(control, "remark", "");
    now = good;
  };
  element.replaceChildren(control.element);
  control.show(now);
  controls.set(spec.id, control);
  control.mounted?.();
  if (limits.has(spec.id)) control.limit?.(limits.get(spec.id));
  dim(control, idle.get(spec.id));
  beside(control, "remark", remarks.get(spec.id));
  const place = document.querySelector(`.place[data-control="${spec.id}"]`);
  if (place) place.append(control.element);
  return null;
}

/* What the server says about a control, beside it. */
function complain(control, message) {
  const note = control.element.querySelector(":scope > .wrong") ?? control.element.appendChild(h("p", { class: "wrong", role: "status" }));
  note.textContent = message;
  control.element.classList.toggle("refused", Boolean(message));
  control.element.querySelector("input, textarea")?.toggleAttribute("aria-invalid", Boolean(message));
}

/* One without effect in this setting is dimmed, and says why. */
export function dim(control, why) {
  beside(control, "idle", why);
  control.element.classList.toggle("dimmed", Boolean(why));
}

export function beside(control, kind, words = "") {
  const note = control.element.querySelector(`:scope > .${kind}`) ?? control.element.appendChild(h("p", { class: kind, role: "status" }));
  if (note.textContent !== words) note.textContent = words;
}
