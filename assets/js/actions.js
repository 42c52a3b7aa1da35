/* Buttons of the page: header, foot, acts, glossary. */

import { closest } from "./dom.js";
import { settled } from "./first.js";
import { controls, memory, progress } from "./memory.js";
import { present } from "./present.js";
import { teach } from "./room.js";
import { turn } from "./stages.js";
import { goBy } from "./tabs.js";

const dialog = (name) => document.querySelector(`dialog[data-name="${name}"]`);

const actions = {
  theme() {
    const dark = !document.querySelector("html.dark, body.dark"); // before Gradio is there, and then
    document.documentElement.classList.remove("dark");
    document.body.classList.toggle("dark", dark);
    memory.write({ theme: dark ? "dark" : "light" });
  },
  present() { present(); },
  teach() { teach(); },
  open(button) { settled.then(() => dialog(button.dataset.dialog).showModal()); },
  close(button) { button.closest("dialog").close(); },
  async term(link, event) { // a word of the lesson, in the glossary
    event.preventDefault();
    await settled;
    dialog("glossary").showModal();
    const term = document.getElementById(link.getAttribute("href").slice(1));
    term?.scrollIntoView({ block: "center" });
    for (const lit of document.querySelectorAll(".glossary-list .here")) lit.classList.remove("here");
    term?.parentElement.classList.add("here");
  },
  clear() {
    if (!confirm("Forget what you have done here? This cannot be undone.")) return;
    memory.write({ done: {}, guessed: {} });
    progress();
  },
  reset(button) { controls.get(`${button.closest(".foot-tools").dataset.for}-presets`).reset(); },
  async link(button) {
    const url = new URL(location.href);
    url.search = button.closest(".foot-tools").dataset.link;
    try {
      await navigator.clipboard.writeText(url.href);
      button.textContent = "copied";
    } catch { prompt("The link to this state:", url.href); }
    setTimeout(() => { button.textContent = "copy link"; }, 1500);
  },
  async embed(button) {
    const url = new URL(location.href);
    url.search = `${button.closest(".foot-tools").dataset.link}&embed=1`;
    const code = `<iframe src="${url.href.replaceAll("&", "&amp;")}" title="Seq2See" width="100%" height="720" loading="lazy"></iframe>`;
    try {
      await navigator.clipboard.writeText(code);
      button.textContent = "copied";
    } catch { prompt("The code to put into your page:", code); }
    setTimeout(() => { button.textContent = "embed"; }, 1500);
  },
  go(button) { goBy(+button.dataset.by); },
};

function toggle(stage, slug) {
  const acts = controls.get(`${stage.dataset.experiment}-acts`);
  if (stage.hasAttribute("data-found")) turn(stage, acts.turn(slug)); else acts.toggle(slug);
}

document.addEventListener("click", (event) => {
  const button = closest(event, "[data-action]"), act = closest(event, "[data-act]");
  if (button) actions[button.dataset.action]?.(button, event);
  else if (act) toggle(act.closest(".stage"), act.dataset.act);
  else if (event.target instanceof HTMLDialogElement) event.target.close();
});
