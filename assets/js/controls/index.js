/* Controls: real HTML from the server, made live. A control reads and shows its value as text, as a link has it. */

import { redraw } from "../draw.js";
import { h } from "../dom.js";
import { touched } from "../experiments.js";
import { choice, menu, toggle } from "./choice.js";
import { edits, handles } from "./dragged.js";
import { made } from "./made.js";
import { matrix } from "./matrix.js";
import { pairs } from "./pairs.js";
import { slider, step } from "./slider.js";
import { text } from "./text.js";

const kinds = { choice, edits, handles, made, matrix, menu, pairs, slider, step, text, toggle };

/* Each kind gives `read` and `show`, and what else it can do: `choose` (a value from a picture), `limit` (how far it reaches). */
export function mountControl(experiment, element) {
  const { kind, name } = element.dataset, id = `${experiment.id}-${name}`;
  let good, refused = false; // the last text that was answered with a picture
  const send = () => {
    refused = false;
    redraw(experiment);
    touched(experiment, name);
  };
  const made = kinds[kind](element, send, experiment);
  const control = {
    ...made,
    id,
    element,
    home: document.getElementById(id),
    initial: made.initial ?? element.dataset.default,
    isPrivate: element.dataset.private !== undefined,
    text: () => (refused ? good : made.read()),
    isRefused: () => refused,
    set(text) { // not by hand
      refused = false;
      made.show(text);
    },
    accept() { // what it says was drawn
      if (refused) return;
      good = made.read();
      refusal(element, "");
    },
    refuse(message) { // it keeps what was typed, but the others go on with what was good
      refused = true;
      good ??= control.initial;
      refusal(element, message);
      noteBeside(control, "remark", "");
    },
  };
  experiment.controls.set(name, control);
  return control;
}

/* Why a value is refused, beside its control. */
function refusal(element, message) {
  const note = element.querySelector(":scope > .wrong:not(.cell-wrong)");
  if (!message && !note) return;
  (note ?? element.appendChild(h("p", { class: "wrong", role: "status" }))).textContent = message;
  element.classList.toggle("refused", Boolean(message));
  element.querySelector("input, textarea")?.toggleAttribute("aria-invalid", Boolean(message));
}

/* A control without effect in this setting is dimmed, and says why. */
export function markIdle(control, why) {
  noteBeside(control, "idle", why);
  control.element.classList.toggle("dimmed", Boolean(why));
}

export function noteBeside({ element }, kind, words = "") {
  const note = element.querySelector(`:scope > .${kind}`);
  if (!words && !note) return;
  const place = note ?? element.appendChild(h("p", { class: kind, role: "status" }));
  if (place.textContent !== words) place.textContent = words;
}
