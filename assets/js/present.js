/* Presentation mode, for a clicker or the keyboard: guess, answer, play, closer looks, next experiment, next
   lesson. */

import { isPresenting, setAddress } from "./address.js";
import { setActs } from "./actions.js";
import { coverAgain, isCovered, reveal, updateCovers } from "./covers.js";
import { closest, h, TEXT_FIELDS } from "./dom.js";
import { current, experiments, drawingOf } from "./experiments.js";
import { showLink } from "./draw.js";
import { answersOf } from "./controls/exercise.js";
import { fetchWithRetry, url } from "./fetch_with_retry.js";
import { turnPoll } from "./room_card.js";
import { isAlone, showAlone, turnScreen } from "./screens.js";
import { adjacentLink, lessonHere, openAdjacentTab, openTab } from "./tabs.js";

const played = new Map(); // experiment → link of the state before playing
const KEYS = [
  ["→ · Space · PageDown", "on: guess, answer, play, next picture, closer looks, next"],
  ["← · PageUp", "back"],
  ["M", "menu: jump to any experiment"], ["A · D · R · X",
    "question of a room: ask or ask again, distribution, reveal, done"],
  ["C", "controls: hide, show"], ["Z", "one picture alone, the next one, all"],
  ["B", "black"], ["F", "full screen (F11 keeps it from lesson to lesson)"], ["?", "these keys"],
  ["Esc", "end the presentation"],
];

export function present(on = !isPresenting()) {
  if (on !== isPresenting()) document.body.classList.remove("no-controls", "with-controls", "black");
  document.body.classList.toggle("present", on);
  for (const button of document.querySelectorAll('[data-action="present"]'))
    button.setAttribute("aria-pressed", String(on));
  for (const link of document.querySelectorAll(".bar a, .steps a")) {
    const target = new URL(link.href);
    if (on) target.searchParams.set("present", "1"); else target.searchParams.delete("present");
    link.href = target.href;
  }
  const query = new URLSearchParams(location.search);
  query.delete("present");
  if (on || location.search.includes("present")) setAddress(query.toString());
  if (on && !rail.isConnected) document.body.append(rail, keys);
  // hide the answers to guesses again, so that the class can guess
  for (const experiment of experiments.values()) if (drawingOf(experiment)) updateCovers(experiment);
  refit();
}

const refit = () => dispatchEvent(new Event("resize"));

/* ---- forward and back ---- */

const stepOf = ({ controls }) => [...controls.values()].find((control) => control.play);
const actsOf = (drawing) => [...drawing.querySelectorAll("[data-act]:not([data-off-stage])")];
const isOpen = (button) => button.getAttribute("aria-expanded") === "true";

function openAct(experiment, slugs) {
  setActs(experiment, slugs);
  scrollTo({ top: 0 });
}

async function goToTab(by) {
  if (!await openAdjacentTab(by)) location.assign(adjacentLesson(by));
}

/* The address of the previous or next lesson; from the map, that of the first lesson. */
function adjacentLesson(by) {
  const stops = [...document.querySelectorAll("#header .bar a")],
    at = stops.findIndex((stop) => stop.hasAttribute("aria-current"));
  const target = new URL(adjacentLink(by)?.href ?? stops[(at + by + stops.length) % stops.length].href);
  target.searchParams.set("present", "1");
  if (by < 0 && at !== 0) target.searchParams.set("experiment", "check");
  return target.href;
}

/* Play what the guess is about: the setting that it describes, the job that finds the answer, or the steps up
   to the one that it asks about. Without a guess play all steps. Return false if there is nothing to play:
   the opening state may show it already. */
function play(experiment, step) {
  const { demonstrates, choose } = experiment.presets ?? {}, before = drawingOf(experiment).dataset.link;
  if (demonstrates === before) return false;
  if (demonstrates) choose(demonstrates);
  else if (experiment.job && experiment.guess?.element.matches(":has(.shown):not(:has(.right))"))
    experiment.job.start();
  else if (!step || (experiment.guess && !step.playTo(+step.initial))) return false;
  else if (!experiment.guess) step.play();
  played.set(experiment, before);
  return true;
}

function forward() {
  if (turnPoll()) return null;
  const experiment = current(), drawing = drawingOf(experiment);
  if (!drawing) return turnExercise(1);
  const step = stepOf(experiment), acts = actsOf(drawing), open = acts.findLastIndex(isOpen);
  if (isAlone(drawing)) return showAlone(drawing, 1);
  if (isCovered(experiment)) {
    reveal(experiment);
    experiment.guess?.showAnswer().then(refit);
    return refit();
  }
  if (open < 0 && !played.has(experiment) && play(experiment, step)) return null;
  if (step?.finish()) return null;
  if (turnScreen(drawing, 1)) return null;
  if (acts[open + 1]) return openAct(experiment, [acts[open + 1].dataset.act]);
  return goToTab(1);
}

function back() {
  const experiment = current(), drawing = drawingOf(experiment);
  if (!drawing) return turnExercise(-1);
  const acts = actsOf(drawing), open = acts.findLastIndex(isOpen);
  if (isAlone(drawing)) return showAlone(drawing, -1);
  if (turnScreen(drawing, -1)) return null;
  if (open >= 0) return openAct(experiment, open > 0 ? [acts[open - 1].dataset.act] : []);
  if (played.has(experiment)) {
    stepOf(experiment)?.pause();
    showLink(experiment, played.get(experiment));
    return played.delete(experiment);
  }
  if (coverAgain(experiment)) return refit();
  return goToTab(-1);
}

/* “Check yourself”: one question at a time, and its answer before the next one. */
function turnExercise(by) {
  const exercises = [...document.querySelectorAll(".exercises > .control")];
  const at = exercises.findIndex((one) => one.offsetParent), next = exercises[at + by];
  const answer = answersOf.get(exercises[at]?.querySelector(".exercise"));
  if (answer && (by > 0) !== answer.isShown()) { answer.toggle(by > 0); return null; }
  if (at < 0 || !next) return goToTab(by);
  for (const one of exercises) one.classList.toggle("turned", one === next);
  return null;
}

/* ---- commands ---- */

const toggle = (name) => { document.body.classList.toggle(name); refit(); };

const commands = {
  on: forward, back,
  hide() { // hide the controls; if a large picture has displaced them, show them and make the picture smaller
    const shown = [...document.querySelectorAll(".columns .control:not(:has(.guess))")].some((control) =>
      control.offsetParent);
    document.body.classList.toggle("no-controls", shown);
    document.body.classList.toggle("with-controls", !shown);
    refit();
  },
  closer() {
    const drawing = drawingOf(current());
    if (drawing) showAlone(drawing, 1);
  },
  black: () => toggle("black"),
  full: () => (document.fullscreenElement ? document.exitFullscreen()
    : document.documentElement.requestFullscreen?.()),
  menu: () => (menu.open ? menu.close() : showMenu()),
  ask: () => turnPoll("ask"), tell: () => turnPoll("tell"), reveal: () => turnPoll("reveal"),
  done: () => turnPoll("done"),
  keys: () => (keys.open ? keys.close() : keys.showModal()),
  leave: () => present(false),
};
function run(name) {
  commands[name]();
  dispatchEvent(new Event("turned"));
}
const button = (name, sign, title) => h("button",
  { type: "button", title, "aria-label": title, onclick: () => run(name) }, sign);
const rail = h("nav", { class: "rail", "aria-label": "presentation" }, button("back", "←", "back"),
  button("on", "→", "on"),
  button("hide", "☰", "controls: hide or show"), button("keys", "?", "keys"),
  button("leave", "×", "end the presentation"));
const keys =
  h("dialog", { class: "dialog keys", "aria-label": "Keys of the presentation", onclick: () => keys.close() },
  h("table", {},
    h("tbody", {}, ...KEYS.map(([key, what]) =>
    h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, what))))));

/* Show a menu of all experiments, with those of the short route in bold. */
const menu = h("dialog", { class: "dialog jump", "aria-label": "Jump to an experiment" });
async function showMenu() {
  if (!menu.isConnected) document.body.append(menu);
  menu.showModal();
  if (!menu.childElementCount) fillMenu(await (await fetchWithRetry(url("outline"))).json());
  menu.querySelector(`a[href^="${lessonHere()}?"]`)?.focus();
}

function fillMenu(course) {
  const jump = (lesson, slug) => (event) => {
    event.preventDefault();
    menu.close();
    if (lesson === lessonHere()) openTab(slug); else location.assign(event.target.href);
  };
  const entry = (lesson) => ({ slug, title, core }) => h("li", { class: core ? "core" : "" },
    h("a", { href: `${lesson}?experiment=${slug}&present=1`, onclick: jump(lesson, slug) }, title));
  const showCore = () => menu.classList.toggle("core-only", !all.checked);
  const all = h("input", { type: "checkbox", onchange: showCore, checked: true });
  const lessons = course.map((one) => h("section", {}, h("h3", {}, one.title),
    h("ul", {}, ...one.experiments.map(entry(one.lesson)))));
  menu.replaceChildren(h("p", {}, h("label", {}, all, " all experiments, not only the short route")),
    h("div", { class: "lessons" }, ...lessons));
}

const BY_KEY = {
  PageDown: "on", PageUp: "back", ArrowRight: "on", ArrowLeft: "back", " ": "on",
  b: "black", ".": "black", f: "full", c: "hide", m: "menu", z: "closer", "?": "keys", Escape: "leave",
  a: "ask", d: "tell", r: "reveal", x: "done",
};
// elements that use these keys themselves
const KEY_USERS = "input, .handle, .cell, .frame, [role=tab], [role=slider], summary";

/* The command of a key. Clicker keys always work; other keys only if the focused element does not use them.
   */
function commandOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const name = BY_KEY[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!name || event.key.startsWith("Page")) return name;
  if (closest(event, TEXT_FIELDS)) return null;
  if (closest(event, KEY_USERS) && (event.key === " " || event.key.startsWith("Arrow"))) return null;
  if (event.key === " " && closest(event, "button, a, .pick")) return null;
  return name;
}

document.addEventListener("keydown", (event) => {
  if (!isPresenting()) return;
  const dialog = document.querySelector("dialog[open]");
  const isOwnKey = (event.key === "?" && dialog === keys) || (event.key === "m" && dialog === menu);
  if (dialog && !isOwnKey) return; // the browser closes dialogs on Esc
  const name = commandOf(event);
  if (!name) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // any key ends the black screen
  if (document.body.classList.contains("black") && name !== "leave") return toggle("black");
  run(name);
}, true);

/* Run a command from a remote. */
addEventListener("press", ({ detail }) => { if (isPresenting() && commands[detail]) run(detail); });
