/* The tabs of a lesson: one an experiment, then "Check yourself". */

import { address } from "./address.js";
import { closest } from "./dom.js";
import { settled } from "./first.js";
import { fit } from "./fit.js";
import { moved } from "./memory.js";

const tabs = () => [...document.querySelectorAll(".experiments button[data-tab-id]")];

/* Who is quicker than Gradio waits for its tabs. */
export async function go(slug) {
  await settled;
  const tab = tabs().find((one) => one.dataset.tabId === slug);
  tab?.click();
  if (tab) scrollTo({ top: 0 });
  return Boolean(tab); // it is there
}

/* The number of the open tab. */
export const here = () => tabs().findIndex((tab) => tab.getAttribute("aria-selected") === "true");

export async function goBy(steps) {
  await settled;
  return go(tabs()[here() + steps]?.dataset.tabId);
}

/* On a phone a stage has no box of its own: its scene has; on stage an open act takes its place. */
export const inView = (stage) => [...stage.querySelectorAll(".scene, .closer")].some((part) => part.offsetParent);

const shown = () => [...document.querySelectorAll(".stage")].find(inView);

/* History and bookmarks name what is open; Gradio names every page alike. */
export function entitle() {
  const seen = shown()?.closest('[role="tabpanel"]');
  const tab = tabs()[here()];
  const question = seen?.querySelector(".question")?.textContent, place = document.querySelector(".bar [aria-current]")?.innerText;
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
  dispatchEvent(new Event("rested"));
}

document.addEventListener("click", (event) => {
  const early = closest(event, ".first-tabs a");
  if (early && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    go(new URL(early.href).searchParams.get("experiment"));
  }
  if (event.target instanceof Element && event.target.closest(".experiments button[data-tab-id]")) requestAnimationFrame(opened);
});
