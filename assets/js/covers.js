/* The guess comes first: what would give it away is covered until the learner guesses, asks to be shown, or moves something.
   Whether a link asks first is the server's rule (web/layout.py, `asks_first`); this browser may have guessed already. */

import { presenting } from "./address.js";
import { closest, parseHTML } from "./dom.js";
import { experimentOf, onTouched } from "./experiments.js";
import { memory } from "./memory.js";

const CURTAIN = "<span class='cover'>Your guess first, or <button type='button' class='quiet'>show me</button></span>";

const isLocked = () => document.body.classList.contains("hide-answers"); // a handout's: nobody is told here
const seen = ({ id }) => memory.has("guessed", id) || memory.has("left", id); // who comes back to what was made has moved something
const isRevealed = (experiment) => !isLocked() && (experiment.revealed || (!presenting() && seen(experiment)));
export const isCovered = (experiment) => (experiment?.covers ?? []).length > 0 && !isRevealed(experiment);

/* After every drawing: these pieces are covered, or they are not. */
export function cover(experiment, ids = experiment.covers ?? []) {
  experiment.covers = ids;
  const covered = isCovered(experiment);
  for (const id of ids) {
    const piece = document.getElementById(id), curtain = piece?.querySelector(":scope > .cover");
    if (!piece) continue;
    piece.classList.toggle("covered", covered);
    if (!covered) curtain?.remove(); else if (!curtain) piece.append(parseHTML(CURTAIN));
  }
  experiment.guess?.setCovered(covered);
}

export function reveal(experiment, hasGuessed = false) {
  if (isLocked()) return;
  if (hasGuessed) memory.add("guessed", experiment.id);
  experiment.revealed = true;
  cover(experiment);
  dispatchEvent(new Event("rested"));
  dispatchEvent(new Event("resize"));
}

/* Back to the question, in a presentation; false if there was none, or if it is asked already. */
export function coverAgain(experiment) {
  if (!experiment.revealed || !experiment.covers?.length) return false;
  experiment.revealed = false;
  cover(experiment);
  dispatchEvent(new Event("rested"));
  return isCovered(experiment);
}

document.addEventListener("click", (event) => {
  const show = closest(event, ".cover button");
  if (show) reveal(experimentOf(show));
});
onTouched((experiment, by) => { if (by !== "acts" && experiment.covers?.length) reveal(experiment); });
