/* What an experiment means: its equation and its first sentence stay in view, the rest is one click away. */

import { presenting } from "./address.js";
import { isCovered } from "./covers.js";
import { h, phone } from "./dom.js";
import { current } from "./experiments.js";
import { fit } from "./fit.js";
import { typeset, unset } from "./tex.js";

const SENTENCE = /[.?!]["”’)]*(?=\s)/;

/* Once per experiment: the text does not change with its state. */
export function foldMeaning(experiment) {
  const meaning = document.getElementById(`${experiment.id}-meaning`);
  if (!meaning || meaning.dataset.folded !== undefined) return;
  meaning.dataset.folded = "";
  const lead = [...meaning.children].find((part) => part.matches("p") && !part.querySelector(":scope > .tex.display:only-child"));
  const rest = lead && splitSentence(lead);
  const later = lead ? [...meaning.children].slice([...meaning.children].indexOf(lead) + 1) : [];
  if (!rest && !later.length) return;
  const more = h("button", { type: "button", class: "quiet more", "aria-expanded": "false", onclick: () => {
    const open = more.getAttribute("aria-expanded") !== "true";
    more.setAttribute("aria-expanded", String(open));
    more.textContent = open ? "less" : "more";
    for (const part of [rest, ...later].filter(Boolean)) part.hidden = !open;
    dispatchEvent(new Event("resize"));
  } }, "more");
  for (const part of [rest, ...later].filter(Boolean)) part.hidden = true;
  lead.append(" ", more);
}

/* Below the pictures, if it is in view there; else below the controls, if they leave room for it. Decided once per size of the window. */
export function placeMeaning(experiment) {
  const meaning = document.getElementById(`${experiment.id}-meaning`), hand = experiment.element.querySelector(".hand");
  const scene = experiment.element.querySelector(".scene");
  if (!meaning || !scene || experiment.element.hidden || meaning.querySelector('.more[aria-expanded="true"]')) return;
  if (experiment.guess?.element.dataset.folded === "") return; // a guess that is open again takes the room only for a while
  const stays = presenting() || phone.matches || isCovered(experiment), size = stays ? "any" : `${innerWidth} ${innerHeight}`;
  const makeRoom = () => { if (hand.scrollHeight > hand.clientHeight + 1) experiment.guess?.makeRoom(); };
  if (meaning.dataset.size === size) {
    if (meaning.parentElement === hand) makeRoom(); // another answer, with more to say
    return;
  }
  const moveTo = (isBeside) => {
    if (isBeside) hand.append(meaning); else scene.after(meaning);
    unset(meaning); // equations are as wide as they can be there
    return typeset(meaning);
  };
  if (meaning.parentElement === hand) moveTo(false);
  else if (!stays && meaning.querySelector(".tex:not(.set)")) typeset(meaning);
  if (!stays && meaning.querySelector(".tex:not(.set)")) return; // once they are set, this is called again
  meaning.dataset.size = size;
  fit(scene.parentElement);
  if (stays || meaning.getBoundingClientRect().bottom + scrollY <= innerHeight) return;
  moveTo(true).then(() => {
    makeRoom();
    if (hand.scrollHeight > hand.clientHeight + 1) moveTo(false);
    fit(scene.parentElement);
  });
}
for (const when of ["resize", "rested"]) addEventListener(when, () => { if (current()) placeMeaning(current()); });

/* What follows the first sentence goes into an element of its own. */
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
