/* Questions from earlier lessons at the start of a lesson: three of them, missed ones first. */

import { closest } from "./dom.js";
import { memory } from "./memory.js";

const SHOWN = 3;

/* Sort questions: missed last time, never answered, answered; shuffled within each group. */
function urgency(id) {
  const { missed = {}, done = {} } = memory.read();
  return missed[id] ? 0 : done[id] ? 2 : 1;
}

export function chooseQuestions(section) {
  const all = [...section.querySelectorAll(".control")].map((control) => (
    { control, rank: urgency(control.querySelector("[data-question]").dataset.question) + Math.random() }));
  all.sort((a, b) => a.rank - b.rank);
  all.forEach(({ control }, n) => {
    control.hidden = n >= SHOWN;
    if (n < SHOWN) section.append(control); // append the questions in sorted order
  });
}

document.addEventListener("click", (event) => {
  if (closest(event, "[data-action=skip-recall]")) closest(event, ".recall").hidden = true;
});
