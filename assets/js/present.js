/* Presentation mode: a clicker or the keyboard leads: guess, answer, play, closer look after closer look, next experiment, next lesson. */

import { address, presenting } from "./address.js";
import { setActs } from "./actions.js";
import { cover, coverAgain, isCovered, reveal } from "./covers.js";
import { closest, h, TYPED } from "./dom.js";
import { current, experiments, stageOf } from "./experiments.js";
import { isCloser, lookCloser, turnScreen } from "./screens.js";
import { goBy, wayOn } from "./tabs.js";

const played = new Map(); // experiment → the step it was played from
const KEYS = [
  ["→ · Space · PageDown", "on: guess, answer, play, next picture, closer looks, next"], ["← · PageUp", "back"],
  ["C", "controls: hide, show"], ["Z", "one picture alone, the next one, all"],
  ["B", "black"], ["F", "full screen (F11 keeps it from lesson to lesson)"], ["?", "these keys"], ["Esc", "end the presentation"],
];

export function present(on = !presenting()) {
  if (on !== presenting()) document.body.classList.remove("bare", "handy", "black");
  document.body.classList.toggle("present", on);
  for (const button of document.querySelectorAll('[data-action="present"]')) button.setAttribute("aria-pressed", String(on));
  for (const link of document.querySelectorAll(".bar a, .steps a")) {
    const target = new URL(link.href);
    if (on) target.searchParams.set("present", "1"); else target.searchParams.delete("present");
    link.href = target.href;
  }
  const query = new URLSearchParams(location.search);
  query.delete("present");
  if (on || location.search.includes("present")) address(query.toString());
  if (on && !rail.isConnected) document.body.append(rail, keys);
  for (const experiment of experiments.values()) if (stageOf(experiment)) cover(experiment); // a guess is asked again
  refit();
}

const refit = () => dispatchEvent(new Event("resize"));

/* ---- what is next, and what was before ---- */

const stepOf = ({ controls }) => [...controls.values()].find((control) => control.play);
const actsOf = (stage) => [...stage.querySelectorAll("[data-act]")];
const isOpen = (button) => button.getAttribute("aria-expanded") === "true";

function openAct(experiment, slugs) {
  setActs(experiment, slugs);
  scrollTo({ top: 0 });
}

async function go(by) {
  if (!await goBy(by)) location.assign(wayOut(by));
}

/* To the lesson before or after this one, or from the map to the first. */
function wayOut(by) {
  const stops = [...document.querySelectorAll("#header .bar a")], at = stops.findIndex((stop) => stop.hasAttribute("aria-current"));
  const target = new URL(wayOn(by)?.href ?? stops[(at + by + stops.length) % stops.length].href);
  target.searchParams.set("present", "1");
  if (by < 0 && at !== 0) target.searchParams.set("experiment", "check");
  return target.href;
}

function on() {
  const experiment = current(), stage = stageOf(experiment);
  if (!stage) return turnPage(1);
  const step = stepOf(experiment), acts = actsOf(stage), open = acts.findLastIndex(isOpen);
  if (isCloser(stage)) return lookCloser(stage, 1);
  if (isCovered(experiment)) {
    reveal(experiment);
    experiment.guess?.tell().then(refit);
    return refit();
  }
  if (step && open < 0 && !played.has(experiment)) {
    played.set(experiment, step.text());
    return step.play();
  }
  step?.pause();
  if (turnScreen(stage, 1)) return null;
  if (acts[open + 1]) return openAct(experiment, [acts[open + 1].dataset.act]);
  return go(1);
}

function back() {
  const experiment = current(), stage = stageOf(experiment);
  if (!stage) return turnPage(-1);
  const acts = actsOf(stage), open = acts.findLastIndex(isOpen);
  if (isCloser(stage)) return lookCloser(stage, -1);
  if (turnScreen(stage, -1)) return null;
  if (open >= 0) return openAct(experiment, open > 0 ? [acts[open - 1].dataset.act] : []);
  if (played.has(experiment)) {
    stepOf(experiment)?.choose(played.get(experiment));
    return played.delete(experiment);
  }
  if (coverAgain(experiment)) return refit();
  return go(-1);
}

/* “Check yourself”: one question at a time. */
function turnPage(by) {
  const pages = [...document.querySelectorAll(".exercises > .control")];
  const at = pages.findIndex((page) => page.offsetParent), next = pages[at + by];
  if (at < 0 || !next) return go(by);
  for (const page of pages) page.classList.toggle("turned", page === next);
  return null;
}

/* ---- the hand ---- */

const toggle = (name) => { document.body.classList.toggle(name); refit(); };

const deeds = {
  on, back,
  hide() { // and those that a large picture has taken come back, though it is smaller then
    const shown = [...document.querySelectorAll(".bench .control:not(:has(.guess))")].some((control) => control.offsetParent);
    document.body.classList.toggle("bare", shown);
    document.body.classList.toggle("handy", !shown);
    refit();
  },
  closer() {
    const stage = stageOf(current());
    if (stage) lookCloser(stage, 1);
  },
  black: () => toggle("black"),
  full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()),
  keys: () => (keys.open ? keys.close() : keys.showModal()),
  leave: () => present(false),
};
const button = (act, words, name) => h("button", { type: "button", title: name, "aria-label": name, onclick: () => deeds[act]() }, words);
const rail = h("nav", { class: "rail", "aria-label": "presentation" }, button("back", "←", "back"), button("on", "→", "on"),
  button("hide", "☰", "controls: hide or show"), button("keys", "?", "keys"), button("leave", "×", "end the presentation"));
const keys = h("dialog", { class: "dialog keys", "aria-label": "Keys of the presentation", onclick: () => keys.close() },
  h("table", {}, h("tbody", {}, ...KEYS.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, what))))));

const BY_KEY = {
  PageDown: "on", PageUp: "back", ArrowRight: "on", ArrowLeft: "back", " ": "on",
  b: "black", ".": "black", f: "full", c: "hide", z: "closer", "?": "keys", Escape: "leave",
};
const OWN = "input, .handle, .cell, .frame, [role=tab], [role=slider], summary"; // they have a use for arrows, or for Space

/* A clicker always leads; other keys only where nothing in focus needs them. */
function wanted(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const act = BY_KEY[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act || event.key.startsWith("Page")) return act;
  if (closest(event, TYPED)) return null;
  if (closest(event, OWN) && (event.key === " " || event.key.startsWith("Arrow"))) return null;
  if (event.key === " " && closest(event, "button, a, .pick")) return null;
  return act;
}

document.addEventListener("keydown", (event) => {
  if (!presenting()) return;
  const dialog = document.querySelector("dialog[open]");
  if (dialog && !(event.key === "?" && dialog === keys)) return; // Esc closes it by itself
  const act = wanted(event);
  if (!act) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (document.body.classList.contains("black") && act !== "leave") return toggle("black"); // whatever is pressed: light
  deeds[act]();
}, true);
