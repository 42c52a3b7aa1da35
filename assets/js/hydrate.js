/* Make the server-rendered experiment interactive. */

import { mountControl } from "./controls/index.js";
import { mountExercise } from "./controls/exercise.js";
import { mountJob } from "./controls/job.js";
import { mountPresets } from "./controls/presets.js";
import { phone } from "./dom.js";
import { redraw, showLink, whenDrawn } from "./draw.js";
import { experiments, savedLink, drawingOf } from "./experiments.js";
import { showProgress } from "./memory.js";
import { chooseQuestions } from "./recall.js";
import { hydrateDrawing } from "./show_drawing.js";
import { typeset } from "./tex.js";

/* Record controls that were moved before the script ran; return a function that applies these values again.
   */
function earlyMoves(element) {
  const fields = [...element.querySelectorAll("[data-field]:not([type=hidden])")].filter((field) => {
    if (field.type === "checkbox") return field.checked !== field.defaultChecked;
    if (field.type === "radio") return field.checked && !field.defaultChecked;
    if (field.type === "select-one")
      return field.querySelector("[selected]") && !field.selectedOptions[0].defaultSelected;
    if (field.type !== "range") return field.value !== field.defaultValue;
    return Math.abs(field.value - Math.min(field.max, Math.max(field.min, field.defaultValue))) > 1e-9;
  });
  const moves = fields.map((field) => [field, field.value, field.checked]);
  return () => {
    for (const [field, value, checked] of moves) {
      Object.assign(field, { value, checked });
      field.dispatchEvent(new Event(field.matches("[type=range], textarea") ? "input"
        : "change", { bubbles: true }));
    }
  };
}

export function hydrate(element) {
  const { lesson, slug, asks, linked, narrow } = element.dataset;
  const experiment = { id: element.id, element, lesson, slug, controls: new Map(), acts: [],
    revealed: asks === undefined,
    isLinked: linked !== undefined, moved: false };
  const moveAgain = earlyMoves(element);
  experiments.set(experiment.id, experiment);
  for (const widget of element.querySelectorAll("[data-kind]")) {
    const { kind } = widget.dataset;
    if (kind === "exercise") mountExercise(experiment, widget);
    else if (kind === "presets") experiment.presets = mountPresets(experiment, widget);
    else if (kind === "job") experiment.job = mountJob(experiment, widget);
    else mountControl(experiment, widget);
  }
  element.querySelector("form")?.addEventListener("submit", (event) => event.preventDefault());
  const drawing = drawingOf(experiment);
  if (drawing) {
    experiment.acts = (new URLSearchParams(drawing.dataset.link).get("acts") ?? "").split(".")
      .filter(Boolean);
    hydrateDrawing(experiment);
    const saved = savedLink(experiment);
    if (saved) showLink(experiment, saved);
    // the server drew it for another window width
    else if (drawing.dataset.about && phone.matches !== (narrow !== undefined)) redraw(experiment);
    experiment.job?.resume();
    moveAgain();
  }
  // do not show a first drawing that will be replaced
  whenDrawn(experiment).then(() => element.querySelector(".columns")?.classList.add("fitted"));
  const recall = element.querySelector(".recall");
  if (recall) chooseQuestions(recall);
  typeset(element);
  showProgress();
}
