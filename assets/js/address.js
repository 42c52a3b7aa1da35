/* The address follows the state: link, history, and the page around us, if we are in a frame. */

/* Parameters that set nothing in an experiment. */
export const OWN = ["experiment", "view", "present", "guess", "room", "hide", "embed", "__theme", "__sign"];

/* Did the link that brought us here set something in this experiment? */
const arrived = [...new URLSearchParams(location.search).keys()].some((name) => !OWN.includes(name));
const drawn = document.querySelector("#first-view .stage")?.dataset.experiment;
export const linked = (id) => arrived && id === drawn;

export const presenting = () => document.body.classList.contains("present");

/* What a lecturer has taken out of this page, and the frame it stands in: they go along. */
const stays = ["hide", "embed"].map((name) => [name, new URLSearchParams(location.search).get(name)])
  .filter(([, value]) => value).map((pair) => new URLSearchParams([pair]).toString());

export function address(query) {
  const whole = [query, ...stays, presenting() ? "present=1" : ""].filter(Boolean).join("&");
  if (location.search.slice(1) === whole) return;
  history.replaceState(history.state, "", location.pathname + (whole && `?${whole}`));
  if (window.parent !== window) window.parent.postMessage({ queryString: whole }, "*");
}
