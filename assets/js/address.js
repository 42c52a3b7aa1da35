/* The address follows the state. A page that embeds this one is told. */

export const isPresenting = () => document.body.classList.contains("present");

/* Parameters that stay while the page is open: hidden parts, embedding. */
const kept = ["hide", "embed"].map((name) => [name, new URLSearchParams(location.search).get(name)])
  .filter(([, value]) => value).map((pair) => new URLSearchParams([pair]).toString());

/* A query with the parameters that stay. */
export const fullQuery = (query) => [query, ...kept, isPresenting() ? "present=1" : ""].filter(Boolean).join("&");

/* A page that embeds this one can fit its frame: it is told the height of the content whenever that changes. */
if (window.parent !== window) {
  const tell = () => window.parent.postMessage({ height: Math.ceil(document.querySelector(".gradio-container").offsetHeight) }, "*");
  addEventListener("load", () => new ResizeObserver(tell).observe(document.querySelector(".gradio-container")));
}

export function setAddress(query, isNew = false) {
  const whole = fullQuery(query);
  if (location.search.slice(1) === whole) return;
  history[isNew ? "pushState" : "replaceState"](null, "", location.pathname + (whole && `?${whole}`));
  if (window.parent !== window) window.parent.postMessage({ queryString: whole }, "*");
}
