/* Cover pieces that would give away the guess until the learner guesses, asks to see them, or moves a
   control. The server decides whether a link asks first (web/layout.py, `asks_first`); this browser may have
   guessed before. */

import { isPresenting } from "./address.js";
import { closest, parseHTML } from "./dom.js";
import { experimentOf, onTouched } from "./experiments.js";
import { translate } from "./language.js";
import { memory } from "./memory.js";

const COVER = `<span class='cover'>${translate("Your guess first, or")}
  <button type='button' class='quiet'>${translate("show me")}</button></span>`;

/* On a handout answers stay hidden; in a room they stay hidden while the question is open. */
const isLocked = ({ id }) => document.body.classList.contains("hide-answers")
  || document.body.dataset.asked === `${id}-predict`;
// the learner has changed the saved state
const wasSeen = ({ id }) => memory.has("guessed", id) || memory.has("left", id);
const isRevealed = (experiment) => !isLocked(experiment)
  && (experiment.revealed || (!isPresenting() && wasSeen(experiment)));
export const isCovered = (experiment) => (experiment?.covers ?? []).length > 0 && !isRevealed(experiment);

/* Add or remove the covers of these pieces, after every drawing. */
export function updateCovers(experiment, ids = experiment.covers ?? []) {
  experiment.covers = ids;
  const covered = isCovered(experiment);
  for (const id of ids) {
    const piece = document.getElementById(id), cover = piece?.querySelector(":scope > .cover");
    if (!piece) continue;
    piece.classList.toggle("covered", covered);
    if (!covered) cover?.remove(); else if (!cover) piece.append(parseHTML(COVER));
  }
  experiment.guess?.setCovered(covered);
}

export function reveal(experiment, hasGuessed = false) {
  if (isLocked(experiment)) return;
  if (hasGuessed) memory.add("guessed", experiment.id);
  experiment.revealed = true;
  updateCovers(experiment);
  dispatchEvent(new Event("settled"));
  dispatchEvent(new Event("resize"));
}

/* Outline the pictures that were covered, and in them the mark with the name of the right answer; false if
   there is none. */
export function markDecidingPlace(experiment, right) {
  const pieces = (experiment.covers ?? []).map((id) => document.getElementById(id));
  const pictures = pieces.filter((piece) => piece?.closest(".scene") && piece.querySelector("svg"));
  for (const picture of pictures) {
    picture.classList.add("decides");
    for (const mark of picture.querySelectorAll("[data-tip]")) {
      mark.classList.toggle("decides-mark", mark.dataset.tip.replace("\u202f:", ":").startsWith(`${right}:`));
    }
  }
  return pictures.length > 0;
}

/* Return to the guess in a presentation; false if there is none or if it is already covered. */
export function coverAgain(experiment) {
  if (!experiment.revealed || !experiment.covers?.length) return false;
  experiment.revealed = false;
  updateCovers(experiment);
  dispatchEvent(new Event("settled"));
  return isCovered(experiment);
}

document.addEventListener("click", (event) => {
  const show = closest(event, ".cover button");
  if (show) reveal(experimentOf(show));
});
onTouched((experiment, by) => {
  if (by === "acts") return;
  for (const picture of experiment.element.querySelectorAll(".decides")) picture.classList.remove("decides");
  if (experiment.covers?.length) reveal(experiment);
});
