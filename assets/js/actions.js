/* Handle the buttons of the page: header, footer, closer looks, dialogs. */

import { announce } from "./announce.js";
import { redraw, reset, whenDrawn } from "./draw.js";
import { closest, h, lessMotion } from "./dom.js";
import { embedTexts } from "./embed_texts.js";
import { current, experimentOf, experiments, touched } from "./experiments.js";
import { url } from "./fetch_with_retry.js";
import { keepLanguage, translate } from "./language.js";
import { memory, showProgress } from "./memory.js";
import { tableOf } from "./foot.js";
import { present } from "./present.js";
import { teach } from "./room.js";
import { openDrawnActs } from "./show_drawing.js";

const experimentAt = (button) => experiments.get(button.closest(".foot-tools").dataset.for);

const dialog = h("dialog", { class: "dialog" });
function showDialog(title, lang, ...content) {
  if (!dialog.isConnected) document.body.append(dialog);
  dialog.setAttribute("aria-label", title);
  dialog.lang = lang; // "" if it is that of the page
  dialog.replaceChildren(h("div", { class: "dialog-head" }, h("h2", {}, title),
    h("button", { type: "button", "data-action": "close", "aria-label": translate("close") }, "×")),
    ...content);
  if (!dialog.open) dialog.showModal();
}

/* Show the numbers of a picture as a table. */
async function openTable(view) {
  const table = await tableOf(view);
  const title = view.querySelector(".frame").getAttribute("aria-label");
  showDialog(title, "", h("div", { class: "numbers" }, table));
}

/* Show a small page (notation, glossary or about) as a dialog. */
async function openDialog(address) {
  const answer = await fetch(address),
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const content = page.querySelector("main"), title = page.querySelector("h1");
  title?.remove();
  showDialog(title?.textContent ?? "", content.lang, ...content.childNodes);
  const term = address.hash && dialog.querySelector(CSS.escape ? `#${CSS.escape(address.hash.slice(1))}`
    : address.hash);
  if (term) {
    term.scrollIntoView({ block: "center" });
    term.parentElement.classList.add("here");
  }
}

async function copy(button, text, label, question) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = translate("copied");
    announce(translate("copied"));
  } catch { prompt(question, text); }
  setTimeout(() => { button.textContent = label; }, 1500);
}

function linkTo(button, more = "") {
  const here = new URL(location.href);
  here.search = keepLanguage(`?${button.closest(".foot-tools").dataset.link}${more}`);
  return here.href;
}

const actions = {
  theme() {
    const isDark = document.documentElement.classList.toggle("dark");
    memory.write({ theme: isDark ? "dark" : "light" });
  },
  language(link, event) { // the same state in another language
    event.preventDefault();
    const query = new URLSearchParams(location.search), code = link.hreflang;
    if (code === "en") query.delete("lang"); else query.set("lang", code);
    location.assign(location.pathname + (query.size ? `?${query}` : ""));
  },
  present() { present(); },
  teach() { teach(); },
  dialog(link, event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openDialog(url(link.getAttribute("href")));
  },
  table(button) { openTable(button.closest(".view")); },
  close(button) { button.closest("dialog").close(); },
  clear() {
    if (!confirm(translate("Delete your progress in this browser? This cannot be undone."))) return;
    memory.write({ done: {}, guessed: {} });
    showProgress();
  },
  reset(button) { reset(experimentAt(button)); },
  link(button) {
    copy(button, linkTo(button), translate("copy link"), translate("The link to this state:"));
  },
  embed(button) {
    const { platform } = button.dataset;
    copy(button, embedTexts[platform](linkTo(button, "&embed=1")), button.textContent,
      translate("The text to paste:"));
  },
};

/* Open these closer looks and close all others. The drawing of a job contains every closer look; for other
   drawings they are requested. */
export function setActs(experiment, slugs) {
  const drawing = experiment.element.querySelector(".drawing");
  experiment.acts = slugs;
  touched(experiment, "acts");
  if (drawing.hasAttribute("data-found")) openDrawnActs(experiment, slugs); else redraw(experiment);
}

async function toggle(button) {
  const experiment = experimentOf(button), slug = button.dataset.act, { acts } = experiment,
    isOpen = acts.includes(slug);
  setActs(experiment, isOpen ? acts.filter((one) => one !== slug) : [...acts, slug]);
  if (isOpen) return;
  await whenDrawn(experiment);
  const { top, bottom } = experiment.element.querySelector(`[data-act="${slug}"]`).closest(".act")
    .getBoundingClientRect();
  const below = bottom - innerHeight; // scroll the opened part into view without hiding its heading
  const behavior = lessMotion.matches ? "instant" : "smooth";
  if (below > 0) scrollBy({ top: Math.min(below, Math.max(0, top - innerHeight / 2)), behavior });
}

document.addEventListener("click", (event) => {
  const button = closest(event, "[data-action], .term"), act = closest(event, "[data-act]");
  // clicking a term opens its glossary entry
  if (button) actions[button.dataset.action ?? "dialog"]?.(button, event);
  else if (act) toggle(act);
  else if (event.target instanceof HTMLDialogElement) event.target.close();
});

/* In a picture, Enter opens its numbers. */
document.addEventListener("keydown", ({ key, target }) => {
  if (key === "Enter" && target instanceof Element && target.matches(".view > .frame"))
    openTable(target.parentElement);
});

/* On a phone, a button hides the picture. */
document.addEventListener("click", (event) => {
  if (closest(event, ".fold-scene")) current()?.element.classList.toggle("scene-folded");
});
