/* The tabs of a lesson: links that open in place. An experiment that was not open yet comes from its own page. */

import { address, presenting, wholeQuery } from "./address.js";
import { closest } from "./dom.js";
import { reset, showLink } from "./draw.js";
import { current, experiments, stageOf } from "./experiments.js";
import { fetchWithRetry, url } from "./fetch_with_retry.js";
import { fit } from "./fit.js";
import { refreshTip } from "./hover.js";
import { hydrate } from "./hydrate.js";

const bar = () => document.querySelector(".tabs");
export const lessonHere = () => bar()?.id ?? "";

const visited = new WeakSet(); // links of challenges that were followed
let turn = 0; // of the tab that was asked for last

/* Opens a tab. `isNew`: a step in the browser's history. False if there is no such tab; of two on their way the later one opens. */
export async function openTab(slug, isNew = true) {
  if (!bar()?.querySelector(`[data-tab="${CSS.escape(slug)}"]`)) return false;
  const id = `${lessonHere()}-${slug}`, mine = ++turn, links = document.querySelectorAll(`.tabs [data-tab="${CSS.escape(slug)}"]`);
  if (!experiments.has(id)) {
    for (const link of links) link.ariaBusy = "true";
    await load(slug, id, mine);
    for (const link of links) link.ariaBusy = null;
  }
  if (mine !== turn) return true;
  const experiment = experiments.get(id);
  if (!experiment) return false;
  for (const { element } of experiments.values()) element.hidden = element !== experiment.element;
  mark(slug);
  address(linkOfTab(experiment), isNew);
  document.title = `${experiment.element.dataset.title} · Seq2See`;
  scrollTo({ top: 0 });
  const stage = stageOf(experiment);
  if (stage) fit(stage);
  refreshTip();
  dispatchEvent(new Event("rested"));
  return true;
}

/* With its settings, once the learner made some. */
function linkOfTab({ slug, element, moved }) {
  const link = element.querySelector(".stage")?.dataset.link;
  return moved && link ? link : `experiment=${slug}`;
}

async function load(slug, id, mine) {
  const answer = await fetchWithRetry(url(`${lessonHere()}?${wholeQuery(`experiment=${slug}`)}`));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const element = page.getElementById(id);
  if (!element || experiments.has(id) || mine !== turn) return;
  for (const other of experiments.values()) other.element.hidden = true; // it is laid out while it becomes live
  document.querySelector(".experiments").append(document.adoptNode(element));
  hydrate(element);
}

/* The current tab is marked, and in view where not all of them are. */
export function mark(slug) {
  for (const tab of document.querySelectorAll(".tabs [data-tab]")) {
    if (tab.dataset.tab === slug) tab.setAttribute("aria-current", "page"); else tab.removeAttribute("aria-current");
  }
  const guess = document.getElementById(`${lessonHere()}-${slug}-predict`), skip = document.querySelector(".skip");
  skip.href = `#${guess ? guess.id : "main"}`;
  skip.textContent = `Skip to the ${guess ? "guess" : "content"}`;
  document.querySelector(".all-tabs")?.removeAttribute("open");
  for (const here of document.querySelectorAll(".bar [aria-current], .tab-strip [aria-current]")) {
    const row = here.parentElement;
    row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
  }
}

/* Previous or next, as the foot of the open tab has it; false if that leaves the lesson. */
export const wayOn = (by) => current()?.element.querySelector(`.steps a[rel="${by < 0 ? "prev" : "next"}"]`);
export async function goBy(by) {
  const tab = wayOn(by)?.dataset.tab;
  return tab ? openTab(tab) : false;
}

document.addEventListener("click", async (event) => {
  const link = closest(event, "a[data-tab]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (!await openTab(link.dataset.tab)) { location.assign(link.href); return; } // the page says what is wrong
  if (link.closest(".exercise") && !visited.has(link)) { // what was tried before may make the challenge impossible
    visited.add(link);
    if (current().moved) reset(current());
  }
  const held = document.activeElement;
  if (held === document.body || !held.checkVisibility()) focusHeading();
});

/* The link that was followed is out of view: the keyboard goes on at the question, which a screen reader then reads. */
function focusHeading() {
  const heading = current()?.element.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/* The menu of all tabs closes with Escape, and when something else is clicked. */
const openMenu = () => document.querySelector(".all-tabs[open]");
document.addEventListener("click", (event) => { if (!closest(event, ".all-tabs")) openMenu()?.removeAttribute("open"); });
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" ? openMenu() : null;
  if (!menu) return;
  menu.removeAttribute("open");
  menu.querySelector("summary").focus();
});

/* Back and forward. */
addEventListener("popstate", async () => {
  const query = new URLSearchParams(location.search), first = bar()?.querySelector(".tab-strip [data-tab]")?.dataset.tab;
  const slug = query.get("experiment") ?? first;
  if (!slug) return;
  for (const name of ["present", "hide", "embed", "guess", "__theme"]) query.delete(name);
  if (presenting() !== location.search.includes("present=1")) return location.reload();
  await openTab(slug, false);
  const experiment = current(), link = stageOf(experiment)?.dataset.link;
  if (link && query.size > 1 && link !== query.toString()) showLink(experiment, query.toString());
});
