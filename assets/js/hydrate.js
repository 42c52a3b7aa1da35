/* What the server drew becomes live, where it stands. */

import { mountControl } from "./controls/index.js";
import { mountExercise } from "./controls/exercise.js";
import { mountJob } from "./controls/job.js";
import { mountPresets } from "./controls/presets.js";
import { phone } from "./dom.js";
import { redraw, showLink, whenDrawn } from "./draw.js";
import { experiments, leftLink, stageOf } from "./experiments.js";
import { showProgress } from "./memory.js";
import { hydrateStage } from "./stage.js";
import { typeset } from "./tex.js";

/* What was moved before the script came: a function that moves it again, now that it is seen. */
function earlyMoves(element) {
  const fields = [...element.querySelectorAll("[data-field]:not([type=hidden])")].filter((field) => {
    if (field.type === "checkbox") return field.checked !== field.defaultChecked;
    if (field.type === "radio") return field.checked && !field.defaultChecked;
    if (field.type === "select-one") return field.querySelector("[selected]") && !field.selectedOptions[0].defaultSelected;
    if (field.type !== "range") return field.value !== field.defaultValue;
    return Math.abs(field.value - Math.min(field.max, Math.max(field.min, field.defaultValue))) > 1e-9;
  });
  const moves = fields.map((field) => [field, field.value, field.checked]);
  return () => {
    for (const [field, value, checked] of moves) {
      Object.assign(field, { value, checked });
      field.dispatchEvent(new Event(field.matches("[type=range], textarea") ? "input" : "change", { bubbles: true }));
    }
  };
}

/* An experiment, or “Check yourself”. */
export function hydrate(element) {
  const { lesson, slug, asks, linked, narrow } = element.dataset;
  const experiment = { id: element.id, element, lesson, slug, controls: new Map(), acts: [], revealed: asks === undefined,
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
  const stage = stageOf(experiment);
  if (stage) {
    experiment.acts = (new URLSearchParams(stage.dataset.link).get("acts") ?? "").split(".").filter(Boolean);
    hydrateStage(experiment);
    const left = leftLink(experiment);
    if (left) showLink(experiment, left);
    else if (stage.dataset.about && phone.matches !== (narrow !== undefined)) redraw(experiment); // drawn for another width
    experiment.job?.resume();
    moveAgain();
  }
  // a first drawing that will change is not shown
  whenDrawn(experiment).then(() => element.querySelector(".bench")?.classList.add("fitted"));
  typeset(element);
  showProgress();
}
