/* Small DOM helpers. */

import { config } from "./config.js";

/* Create an element: h("button", {class: "chip", onclick: f}, "text", child…) */
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

/* Convert text with subscripts (W_hh) to nodes. The pattern comes from the server. */
const SUBSCRIPT = new RegExp(config.subscript);
export function subscript(words) {
  if (typeof words !== "string" || !words.includes("_")) return [words];
  return words.split(SUBSCRIPT).map((part, i) => (i % 2 ? h("sub", {}, part.replace(/[{}]/g, "")) : part));
}

export const chip = (words, onclick, more = {}) =>
  h("button", { type: "button", class: "chip", onclick, ...more }, words);

/* Parse the HTML of one element. */
export function parseHTML(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

/* The closest element of an event's target that matches. */
export const closest = (event, selector) => (event.target instanceof Element ? event.target.closest(selector)
  : null);

/* Whether the window is narrow, as in the style sheet. (Reading innerWidth would force a layout.) */
export const phone = matchMedia("(max-width: 700px)");

/* Replace the children of an element. If one of them had the focus, the one with its text gets it, otherwise
   one that can. */
export function replaceKeepingFocus(place, ...children) {
  const focused = place.contains(document.activeElement) ? document.activeElement.textContent : null;
  place.replaceChildren(...children);
  if (focused === null) return;
  const able = [...place.children].filter((child) => !child.disabled);
  (able.find((child) => child.textContent === focused) ?? able[0])?.focus({ preventScroll: true });
}

/* Mark a field whose value is not valid. (An empty attribute would mean “valid”.) */
export function setInvalid(field, isInvalid) {
  if (isInvalid) field.setAttribute("aria-invalid", "true"); else field.removeAttribute("aria-invalid");
}

export const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");

/* Selector of elements that accept typed text. */
export const TEXT_FIELDS =
  "input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]";
