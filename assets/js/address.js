/* The address follows the state: link, history, title, and the page around us, if we are in a frame. */

export const presenting = () => document.body.classList.contains("present");

/* What a lecturer has taken out of this page, and the frame it stands in: they go along. */
const stays = ["hide", "embed"].map((name) => [name, new URLSearchParams(location.search).get(name)])
  .filter(([, value]) => value).map((pair) => new URLSearchParams([pair]).toString());

/* A query with what goes along with every address of this page. */
export const wholeQuery = (query) => [query, ...stays, presenting() ? "present=1" : ""].filter(Boolean).join("&");

export function address(query, isNew = false) {
  const whole = wholeQuery(query);
  if (location.search.slice(1) === whole) return;
  history[isNew ? "pushState" : "replaceState"](null, "", location.pathname + (whole && `?${whole}`));
  if (window.parent !== window) window.parent.postMessage({ queryString: whole }, "*");
}
