/* The guess comes first: what would give it away is covered until the learner guesses, asks to be shown, or moves something. */

import { h } from "./dom.js";
import { OWN, presenting } from "./address.js";
import { controls, memory, whenTouched } from "./memory.js";

const shown = new Set(); // experiments that are open on this page
const pieces = new Map(); // experiment → what would give its guess away
const link = new URLSearchParams(location.search);
const SET = [...link.keys()].some((name) => !["acts", ...OWN].includes(name));
if (link.get("guess") === "0" || (SET && link.get("guess") !== "1")) shown.add("*"); // a link that carries a state shows it

/* On stage a guess is asked again, though its lecturer has made it long ago. */
const closed = () => document.body.classList.contains("hide-answers"); // a handout's: nobody is told here
const seen = (id) => memory.has("guessed", id) || memory.has("left", id); // who comes back to what was made has moved something
const isOpen = (id) => !closed() && (shown.has(id) || shown.has("*") || (!presenting() && seen(id)));
export const isCovered = (id) => (pieces.get(id) ?? []).length > 0 && !isOpen(id);

/* After every drawing: these pieces are covered, or they are not. */
export function cover(id, names) {
  pieces.set(id, names);
  const covered = isCovered(id);
  for (const name of names) {
    const piece = document.getElementById(name);
    if (!piece || piece.classList.contains("covered") === covered) continue;
    piece.classList.toggle("covered", covered);
    piece.querySelector(":scope > .cover")?.remove();
    if (covered) piece.append(curtain(id));
  }
  controls.get(`${id}-predict`)?.covered(covered);
}

const curtain = (id) => h("span", { class: "cover" }, "Your guess first, or ",
  h("button", { type: "button", class: "quiet", onclick: () => uncover(id) }, "show me"));

export function uncover(id, guessed = false) {
  if (closed()) return;
  if (guessed) memory.add("guessed", id);
  shown.add(id);
  for (const piece of document.querySelectorAll(`#${id} .covered`)) {
    piece.classList.remove("covered");
    piece.querySelector(":scope > .cover")?.remove();
  }
  controls.get(`${id}-predict`)?.covered(false);
  dispatchEvent(new Event("rested"));
}

/* Back to the question, on stage; false if there was none, or if it is asked already. */
export function coverAgain(id) {
  if (!shown.delete(id) || !pieces.get(id)?.length) return false;
  cover(id, pieces.get(id));
  dispatchEvent(new Event("rested"));
  return isCovered(id);
}

whenTouched((id, by) => { if (!by.endsWith("-acts")) uncover(id); });
