/* Small DOM: h("button", {class: "chip", onclick: f}, "text", child…) */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const chip = (words, onclick, more = {}) => h("button", { type: "button", class: "chip", onclick, ...more }, words);

/* HTML in one element. */
export function made(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

/* What is under the event, if it matches. */
export const closest = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);
