/* Keep the address of the page in step with the state, and report it to a page that embeds this one. */

export const isPresenting = () => document.body.classList.contains("present");

/* Query parameters that do not change while the page is open: hidden parts, embedding, language. */
const kept = ["hide", "embed", "lang"].map((name) => [name, new URLSearchParams(location.search).get(name)])
  .filter(([, value]) => value).map((pair) => new URLSearchParams([pair]).toString());

/* Add the permanent parameters to a query. */
export const fullQuery = (query) => [query, ...kept, isPresenting() ? "present=1" : ""].filter(Boolean)
  .join("&");

/* Report every change of the content's height to the embedding page, so that it can resize its frame. */
if (window.parent !== window) {
  const tell = () => window.parent.postMessage(
    { height: Math.ceil(document.querySelector(".gradio-container").offsetHeight) }, "*");
  addEventListener("load", () => new ResizeObserver(tell)
    .observe(document.querySelector(".gradio-container")));
}

export function setAddress(query, isNew = false) {
  const whole = fullQuery(query);
  if (location.search.slice(1) === whole) return;
  history[isNew ? "pushState" : "replaceState"](null, "", location.pathname + (whole && `?${whole}`));
  if (window.parent !== window) window.parent.postMessage({ queryString: whole }, "*");
}
