/* The tabs of a lesson: links that open in place. A new experiment is loaded from its own page. */

import { fullQuery, isPresenting, setAddress } from "./address.js";
import { closest } from "./dom.js";
import { reset, showLink } from "./draw.js";
import { current, experiments, drawingOf } from "./experiments.js";
import { fetchWithRetry, url } from "./fetch_with_retry.js";
import { fit } from "./fit.js";
import { refreshTip } from "./hover.js";
import { hydrate } from "./hydrate.js";
import { translate } from "./language.js";
import { isStaticCopy } from "./static_copy.js";

const bar = () => document.querySelector(".tabs");
export const lessonHere = () => bar()?.id ?? "";

const visited = new WeakSet(); // links of challenges that were followed
let latest = 0; // number of the last request for a tab

/* Open a tab; false if there is no such tab. The later of two requests wins. `isNew`: adds a step to the
   browser's history. */
export async function openTab(slug, isNew = true) {
  if (isStaticCopy) return false; // each tab is a separate file
  if (!bar()?.querySelector(`[data-tab="${CSS.escape(slug)}"]`)) return false;
  const id = `${lessonHere()}-${slug}`, mine = ++latest,
    links = document.querySelectorAll(`.tabs [data-tab="${CSS.escape(slug)}"]`);
  if (!experiments.has(id)) {
    for (const link of links) link.ariaBusy = "true";
    await load(slug, id, mine);
    for (const link of links) link.ariaBusy = null;
  }
  if (mine !== latest) return true;
  const experiment = experiments.get(id);
  if (!experiment) return false;
  for (const { element } of experiments.values()) element.hidden = element !== experiment.element;
  markTab(slug);
  updateTitle(experiment);
  setAddress(linkOfTab(experiment), isNew);
  scrollTo({ top: 0 });
  const drawing = drawingOf(experiment);
  if (drawing) fit(drawing);
  refreshTip();
  dispatchEvent(new Event("settled"));
  return true;
}

const updateTitle = ({ element }) => { document.title = `${element.dataset.title} · Seq2See`; };

/* The link of a tab, with its state once the learner has moved something. */
function linkOfTab({ slug, element, moved }) {
  const link = element.querySelector(".drawing")?.dataset.link;
  return moved && link ? link : `experiment=${slug}`;
}

async function load(slug, id, mine) {
  const answer = await fetchWithRetry(url(`${lessonHere()}?${fullQuery(`experiment=${slug}`)}`));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const element = page.getElementById(id);
  if (!element || experiments.has(id) || mine !== latest) return;
  // hide the others before the new one is laid out
  for (const other of experiments.values()) other.element.hidden = true;
  document.querySelector(".experiments").append(document.adoptNode(element));
  hydrate(element);
}

/* Mark the current tab and scroll it into view. */
export function markTab(slug) {
  for (const tab of document.querySelectorAll(".tabs [data-tab]")) {
    if (tab.dataset.tab === slug) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  const guess = document.getElementById(`${lessonHere()}-${slug}-predict`),
    skip = document.querySelector(".skip");
  skip.href = `#${guess ? guess.id : "main"}`;
  skip.textContent = translate(guess ? "Skip to the guess" : "Skip to the content");
  document.querySelector(".all-tabs")?.removeAttribute("open");
  for (const here of document.querySelectorAll(".bar [aria-current], .tab-strip [aria-current]")) {
    const row = here.parentElement;
    row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
  }
}

/* The link to the previous or next page, in the footer of the open tab. */
export const adjacentLink = (by) =>
  current()?.element.querySelector(`.steps a[rel="${by < 0 ? "prev" : "next"}"]`);

/* Open the previous or next tab; false if that leaves the lesson. */
export async function openAdjacentTab(by) {
  const tab = adjacentLink(by)?.dataset.tab;
  return tab ? openTab(tab) : false;
}

document.addEventListener("click", async (event) => {
  const link = closest(event, "a[data-tab]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  // load the whole page, which shows the error
  if (!await openTab(link.dataset.tab)) { location.assign(link.href); return; }
  // reset settings with which the challenge could not be solved
  if (link.closest(".exercise") && !visited.has(link)) {
    visited.add(link);
    if (current().moved) reset(current());
  }
  const held = document.activeElement;
  if (held === document.body || !held.checkVisibility()) focusHeading();
});

/* If the followed link is out of view, focus the question, so that a screen reader reads it. */
function focusHeading() {
  const heading = current()?.element.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/* Close the menu of all tabs on Escape, or when something else is clicked. */
const openMenu = () => document.querySelector(".all-tabs[open]");
document.addEventListener("click", (event) => {
  if (!closest(event, ".all-tabs")) openMenu()?.removeAttribute("open");
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" ? openMenu() : null;
  if (!menu) return;
  menu.removeAttribute("open");
  menu.querySelector("summary").focus();
});

/* Handle the browser's back and forward buttons. */
addEventListener("popstate", async () => {
  const query = new URLSearchParams(location.search),
    first = bar()?.querySelector(".tab-strip [data-tab]")?.dataset.tab;
  const slug = query.get("experiment") ?? first;
  if (!slug) return;
  for (const name of ["present", "hide", "embed", "lang", "guess", "__theme"]) query.delete(name);
  if (isPresenting() !== location.search.includes("present=1")) return location.reload();
  await openTab(slug, false);
  const experiment = current(), link = drawingOf(experiment)?.dataset.link;
  if (link && query.size > 1 && link !== query.toString()) showLink(experiment, query.toString());
});
