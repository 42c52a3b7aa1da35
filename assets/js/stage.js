/* One experiment, drawn. A drawing is a line about it, a line that lays it out, then a line for each piece (web/renderer.py). */

import { address } from "./address.js";
import { markIdle, noteBeside } from "./controls/index.js";
import { cover } from "./covers.js";
import { prefetch } from "./draw.js";
import { h, parseHTML, phone } from "./dom.js";
import { hold } from "./drag.js";
import { current, stageOf } from "./experiments.js";
import { centre, fit } from "./fit.js";
import { foot } from "./foot.js";
import { refreshTip } from "./hover.js";
import { memory } from "./memory.js";
import { morph } from "./morph.js";
import { foldMeaning, placeMeaning } from "./meaning.js";
import { typeset } from "./tex.js";
import { hollow } from "./zoom.js";

const PIECE_ID = / id='([^']+)'/;
const BEFORE = "The picture is of what you had before.";

/* Draws a text in its place. */
export function show(experiment, text) {
  const [first, layout, ...pieces] = text.split("\n"), about = JSON.parse(first);
  if (about.complaint !== undefined) { complain(experiment, about); return; }
  arrange(experiment, layoutOf(about), layout, pieces);
  stageOf(experiment).classList.remove("stale");
  accept(experiment, about);
  const isRefused = [...experiment.controls.values()].some((control) => control.isRefused()); // the others were drawn without it
  note(experiment, isRefused ? BEFORE : "");
  refreshTip();
}

/* A sentence above the pictures. */
function note(experiment, words) {
  const place = stageOf(experiment).querySelector(":scope > .note");
  place.replaceChildren(...(words ? [h("p", { class: "message", role: "status" }, words)] : []));
}

/* What the server drew becomes live as it stands. */
export function hydrateStage(experiment) {
  const stage = stageOf(experiment);
  const about = stage.dataset.about ? JSON.parse(stage.dataset.about) : null;
  if (about && !phone.matches) for (const scene of stage.querySelectorAll(".scene")) hollow(scene, true); // until `fit` has their size
  experiment.drawn = { layout: about && layoutOf(about), lines: new Map() };
  if (about) accept(experiment, about);
}

/* How a drawing is laid out depends on the closer looks that are open, and on nothing else. */
const layoutOf = ({ link, open }) => (open ? "all" : new URLSearchParams(link).get("acts") ?? "");

/* Only pieces that are not as they were, and of these only what differs. */
function arrange(experiment, layout, html, pieces) {
  const place = experiment.element.querySelector(".stage-block"), { drawn } = experiment;
  const lines = new Map(pieces.map((line) => [PIECE_ID.exec(line)[1], line]));
  const piece = (id) => {
    const old = experiment.element.querySelector(`#${CSS.escape(id)}`), line = lines.get(id);
    if (!old) return parseHTML(line);
    return line === drawn.lines.get(id) || old.matches(".words") ? old : morph(old, parseHTML(line)); // texts never change
  };
  if (layout === drawn.layout) {
    for (const id of lines.keys()) if (lines.get(id) !== drawn.lines.get(id)) piece(id);
  } else {
    const focus = document.activeElement, fresh = parseHTML(html);
    for (const slot of fresh.querySelectorAll("[data-piece]")) {
      const part = piece(slot.dataset.piece);
      if (part.closest(".hand")) slot.remove(); else slot.replaceWith(part); // what it means may stand below the controls (meaning.js)
    }
    const places = new Map([...fresh.querySelectorAll(".place")].map((one) => [one.dataset.control, one]));
    for (const control of experiment.controls.values()) {
      const now = places.get(control.id);
      if (now) now.append(control.element);
      else if (control.element.closest(".place")) control.home.append(control.element); // its closer look was closed
    }
    place.replaceChildren(fresh);
    if (focus?.isConnected && place.contains(focus)) focus.focus({ preventScroll: true });
  }
  Object.assign(drawn, { layout, lines });
}

/* What was asked could be shown: the controls learn what holds now. */
function accept(experiment, about) {
  const stage = stageOf(experiment);
  stage.dataset.link = about.link;
  stage.toggleAttribute("data-found", Boolean(about.open)); // by long work: all closer looks are there
  if (about.open) toggleActs(stage, about.open);
  const named = (name) => (name === "job" ? experiment.job : experiment.controls.get(name));
  for (const [name, limit] of Object.entries(about.limits)) named(name)?.limit?.(limit);
  for (const [name, value] of Object.entries(about.set ?? {})) named(name)?.set(value.join(",")); // what long work has made
  for (const [name, control] of experiment.controls) {
    markIdle(control, about.idle?.[name]);
    if (!about.open) noteBeside(control, "remark", about.remarks?.[name]); // long work reads nothing anew
    control.accept();
  }
  cover(experiment, about.covers);
  foldMeaning(experiment);
  hold();
  typeset(experiment.element);
  fit(stage);
  placeMeaning(experiment);
  centre(stage);
  clearTimeout(experiment.resting);
  experiment.resting = setTimeout(rest, 200, experiment);
}

/* The hand rests. */
function rest(experiment) {
  const stage = stageOf(experiment), isCurrent = experiment === current();
  if (experiment.moved && isCurrent) address(stage.dataset.link);
  dispatchEvent(new Event("rested"));
  placeMeaning(experiment);
  foot(stage);
  if (isCurrent) prefetch(experiment);
}

/* Of what long work has found all closer looks are drawn: they are opened and closed here, and the link follows. */
export function openFoundActs(experiment, open) {
  const stage = stageOf(experiment), state = stage.dataset.link.replace(/&acts=[^&]*/, "");
  stage.dataset.link = open.length ? `${state}&acts=${open.join(".")}` : state;
  toggleActs(stage, open);
  rest(experiment);
}

function toggleActs(stage, open) {
  for (const button of stage.querySelectorAll("[data-act]")) {
    const isOpen = open.includes(button.dataset.act), closer = button.closest(".act").querySelector(".closer");
    button.setAttribute("aria-expanded", String(isOpen));
    if (closer) closer.hidden = !isOpen;
  }
}

/* Something could not be read: it is said once, beside its control where that is in view, and the last picture stays, dimmed. */
function complain(experiment, { complaint, control }) {
  const field = control && experiment.controls.get(control), stage = stageOf(experiment);
  field?.refuse(complaint);
  if (memory.has("left", experiment.id)) memory.keep("left", experiment.id); // the next visit begins afresh
  const isBeside = field?.element.checkVisibility(), hasPicture = field && stage.querySelector(".scene");
  stage.classList.toggle("stale", Boolean(field));
  note(experiment, [isBeside ? "" : complaint, hasPicture ? BEFORE : ""].filter(Boolean).join(" "));
}
