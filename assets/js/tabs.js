/* The tabs of a lesson: one an experiment, then "Check yourself". */

import { address } from "./address.js";
import { fit } from "./fit.js";
import { moved } from "./memory.js";

const tabs = () => [...document.querySelectorAll(".experiments button[data-tab-id]")];

export function go(slug) {
  const tab = tabs().find((one) => one.dataset.tabId === slug);
  if (!tab) return;
  tab.click();
  scrollTo({ top: 0 });
}

export function goBy(steps) {
  const open = tabs().findIndex((tab) => tab.getAttribute("aria-selected") === "true");
  go(tabs()[open + steps]?.dataset.tabId);
}

/* On a phone a stage has no box of its own: its scene has. */
export const inView = (stage) => Boolean(stage.querySelector(".scene")?.offsetParent);

const shown = () => [...document.querySelectorAll(".stage")].find(inView);

/* History and bookmarks name what is open; Gradio names every page alike. */
export function entitle() {
  const seen = shown()?.closest('[role="tabpanel"]');
  const tab = tabs().find((one) => one.getAttribute("aria-selected") === "true");
  const question = seen?.querySelector(".question")?.innerText, place = document.querySelector(".bar [aria-current]")?.innerText;
  const words = tab ? [question ?? place, tab.innerText] : [];
  if (words.length) document.title = [...words, "Seq2See"].join(" · ");
}

/* The address names the open tab, with its settings once the learner made some. */
export function opened() {
  entitle();
  const stage = shown();
  if (stage?.dataset.link) {
    address(moved.has(stage.dataset.experiment) ? stage.dataset.link : stage.dataset.link.split("&")[0]);
    fit(stage);
  } else if (document.querySelector(".exercises")?.offsetParent) address("experiment=check");
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest(".experiments button[data-tab-id]")) requestAnimationFrame(opened);
});
