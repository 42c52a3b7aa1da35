/* Small DOM helpers. */

import { config } from "./config.js";

/* h("button", {class: "chip", onclick: f}, "text", child…) */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined).flatMap(subscript));
  return element;
}

/* W_hh with its subscript, as nodes. The rule is the server's. */
const SUBSCRIPT = new RegExp(config.subscript);
export function subscript(words) {
  if (typeof words !== "string" || !words.includes("_")) return [words];
  return words.split(SUBSCRIPT).map((part, i) => (i % 2 ? h("sub", {}, part.replace(/[{}]/g, "")) : part));
}

export const chip = (words, onclick, more = {}) => h("button", { type: "button", class: "chip", onclick, ...more }, words);

/* One element from its HTML. */
export function parseHTML(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

/* What is under the event, if it matches. */
export const closest = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

/* A phone: what stands side by side on a desktop stands one below the other, as in the style sheet. (To ask for the window's width
   would lay out the page.) */
export const phone = matchMedia("(max-width: 700px)");

/* What takes letters. */
export const TYPED = "input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]";
