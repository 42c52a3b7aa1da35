/* What an experiment means: its equation and its first sentence stay in view, the rest is one click away. */

import { h } from "./dom.js";

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
