/* Controls: HTML from the server, made interactive. A control reads and shows its value as text, as in a
   link. */

import { redraw } from "../draw.js";
import { h, setInvalid } from "../dom.js";
import { touched } from "../experiments.js";
import { choice, menu, toggle } from "./choice.js";
import { matrix } from "./matrix.js";
import { pairFile } from "./pair_file.js";
import { pixels } from "./pixels.js";
import { dragHandles, rowEdits } from "./row_edits.js";
import { savedRuns } from "./saved_runs.js";
import { slider, step } from "./slider.js";
import { text } from "./text.js";

const kinds = {
  choice, matrix, menu, pixels, slider, step, text, toggle,
  "drag-handles": dragHandles, "pair-file": pairFile, "row-edits": rowEdits, "saved-runs": savedRuns,
};

/* Each kind has `read` and `show`, and may have `choose` (set by a picture), `limit` (set by a result),
   `nextValues` (to prefetch). */
export function mountControl(experiment, element) {
  const { kind, name } = element.dataset, id = `${experiment.id}-${name}`;
  let lastGood, isRefused = false; // lastGood: the last text that was drawn
  const send = () => {
    isRefused = false;
    redraw(experiment);
    touched(experiment, name);
  };
  const widget = kinds[kind](element, send, experiment);
  const control = {
    ...widget,
    id,
    element,
    home: document.getElementById(id),
    initial: widget.initial ?? element.dataset.default,
    isPrivate: element.dataset.private !== undefined,
    text: () => (isRefused ? lastGood : widget.read()),
    isRefused: () => isRefused,
    set(text) { // called for a link or a picture
      isRefused = false;
      widget.show(text);
    },
    accept() { // called after the value was drawn
      if (isRefused) return;
      lastGood = widget.read();
      showRefusal(element, "");
    },
    refuse(message, nearest) { // keep the typed text, but draw the last valid value until it is corrected
      isRefused = true;
      lastGood ??= control.initial;
      showRefusal(element, message);
      noteBeside(control, "notice", "");
      control.offer?.(nearest ? [["", [nearest]]] : []);
    },
  };
  experiment.controls.set(name, control);
  return control;
}

/* Show beside a control why its value is invalid. */
function showRefusal(element, message) {
  const note = element.querySelector(":scope > .wrong:not(.cell-wrong)");
  if (!message && !note) return;
  (note ?? element.appendChild(h("p", { class: "wrong", role: "status" }))).textContent = message;
  element.classList.toggle("refused", Boolean(message));
  const field = element.querySelector("input, textarea");
  if (field) setInvalid(field, Boolean(message));
}

/* Dim a control that has no effect in this state, and say why. */
export function markIdle(control, why) {
  noteBeside(control, "idle", why);
  control.element.classList.toggle("dimmed", Boolean(why));
}

export function noteBeside({ element }, kind, message = "") {
  const note = element.querySelector(`:scope > .${kind}`);
  if (!message && !note) return;
  const place = note ?? element.appendChild(h("p", { class: kind, role: "status" }));
  if (place.textContent !== message) place.textContent = message;
}
