/* Fold the text below the pictures to its equation and first sentence; a click shows the rest. */

import { isPresenting } from "./address.js";
import { isCovered } from "./covers.js";
import { h, phone } from "./dom.js";
import { current } from "./experiments.js";
import { fit } from "./fit.js";
import { translate } from "./language.js";
import { typeset, unsetEquations } from "./tex.js";

const SENTENCE = /[.?!]["”’)]*(?=\s)/;

/* Fold the text once per experiment, because it does not depend on the state. */
export function foldMeaning(experiment) {
  const meaning = document.getElementById(`${experiment.id}-meaning`);
  if (!meaning || meaning.dataset.folded !== undefined) return;
  meaning.dataset.folded = "";
  const lead = [...meaning.children].find((part) => part.matches("p")
    && !part.querySelector(":scope > .tex.display:only-child"));
  const rest = lead && splitSentence(lead);
  const later = lead ? [...meaning.children].slice([...meaning.children].indexOf(lead) + 1) : [];
  if (!rest && !later.length) return;
  const more = h("button", { type: "button", class: "quiet more", "aria-expanded": "false", onclick: () => {
    const open = more.getAttribute("aria-expanded") !== "true";
    more.setAttribute("aria-expanded", String(open));
    more.textContent = translate(open ? "less" : "more");
    for (const part of [rest, ...later].filter(Boolean)) part.hidden = !open;
    dispatchEvent(new Event("resize"));
  } }, translate("more"));
  for (const part of [rest, ...later].filter(Boolean)) part.hidden = true;
  lead.append(" ", more);
}

/* Place the text below the pictures if it is in view there, else below the controls if there is space.
   Decided once per window size. */
export function placeMeaning(experiment) {
  const meaning = document.getElementById(`${experiment.id}-meaning`),
    controls = experiment.element.querySelector(".controls");
  const scene = experiment.element.querySelector(".scene");
  if (!meaning || !scene || experiment.element.hidden || meaning.querySelector('.more[aria-expanded="true"]'))
    return;
  // a guess that was opened again takes this space for a short time only
  if (experiment.guess?.element.dataset.folded === "") return;
  const isFixed = isPresenting() || phone.matches || isCovered(experiment),
    size = isFixed ? "any" : `${innerWidth} ${innerHeight}`;
  const makeSpace = () => {
    if (controls.scrollHeight > controls.clientHeight + 1) experiment.guess?.makeSpace();
  };
  if (meaning.dataset.size === size) {
    if (meaning.parentElement === controls) makeSpace(); // the verdict has become longer
    return;
  }
  const moveTo = (isBeside) => {
    if (isBeside) controls.append(meaning); else scene.after(meaning);
    unsetEquations(meaning); // equations are typeset again for the new width
    return typeset(meaning);
  };
  if (meaning.parentElement === controls) moveTo(false);
  else if (!isFixed && meaning.querySelector(".tex:not(.set)")) typeset(meaning);
  // this function runs again when the equations are typeset
  if (!isFixed && meaning.querySelector(".tex:not(.set)")) return;
  meaning.dataset.size = size;
  fit(scene.parentElement);
  if (isFixed || meaning.getBoundingClientRect().bottom + scrollY <= innerHeight) return;
  moveTo(true).then(() => {
    makeSpace();
    if (controls.scrollHeight > controls.clientHeight + 1) moveTo(false);
    fit(scene.parentElement);
  });
}
for (const when of ["resize", "settled"]) addEventListener(when, () => {
  if (current()) placeMeaning(current());
});

/* Move what follows the first sentence into a span. */
function splitSentence(paragraph) {
  for (const node of paragraph.childNodes) {
    const end = node instanceof Text ? SENTENCE.exec(node.data) : null;
    if (!end) continue;
    const after = node.splitText(end.index + end[0].length), rest = h("span");
    rest.append(...[...paragraph.childNodes].slice([...paragraph.childNodes].indexOf(after)));
    paragraph.append(rest);
    return rest.textContent.trim() ? rest : null;
  }
  return null;
}
