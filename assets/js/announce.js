/* Tell screen readers what has changed: one polite region, which speaks only when the learner has paused. */

import { h } from "./dom.js";
import { current } from "./experiments.js";

const REST_MS = 1000; // longer than a step of a playback
const region = h("div", { class: "announcer", role: "status" });
document.body.append(region);
let timer;

export function announce(text) {
  region.textContent = text;
}

/* The reading of an experiment; "" while it is covered. */
function readingOf({ element }) {
  const reading = element.querySelector(".scene .reading");
  return reading?.checkVisibility({ visibilityProperty: true }) && !reading.matches(".covered")
    ? reading.textContent.trim() : "";
}

/* Say the reading once nothing has changed for a moment, except the one that the page opened with. */
addEventListener("settled", () => {
  const experiment = current();
  if (!experiment) return;
  experiment.announced ??= readingOf(experiment);
  clearTimeout(timer);
  timer = setTimeout(() => {
    const words = readingOf(experiment);
    if (experiment !== current() || !words || words === experiment.announced) return;
    experiment.announced = words;
    announce(words);
  }, REST_MS);
});
