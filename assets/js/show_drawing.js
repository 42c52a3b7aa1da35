/* Show a drawing: a line of JSON, a line with its layout, then a line for each piece (web/renderer.py). */

import { setAddress } from "./address.js";
import { config } from "./config.js";
import { markIdle, noteBeside } from "./controls/index.js";
import { updateCovers } from "./covers.js";
import { prefetch } from "./draw.js";
import { h, parseHTML, phone } from "./dom.js";
import { restoreHeld } from "./drag.js";
import { current, drawingOf } from "./experiments.js";
import { centre, fit } from "./fit.js";
import { updateFoot } from "./foot.js";
import { refreshTip } from "./hover.js";
import { translate } from "./language.js";
import { memory } from "./memory.js";
import { morph } from "./morph.js";
import { foldMeaning, placeMeaning } from "./meaning.js";
import { restorePainted } from "./paint.js";
import { typeset } from "./tex.js";
import { setHollow } from "./zoom.js";

const PIECE_ID = / id='([^']+)'/;
const STALE = "The picture still shows your previous setting.";

/* Show a drawing, or the error instead of one. */
export function show(experiment, text) {
  const [first, layout, ...pieces] = text.split("\n"), about = JSON.parse(first);
  if (about.complaint !== undefined) { showError(experiment, about); return; }
  updatePieces(experiment, layoutOf(about), layout, pieces);
  drawingOf(experiment).classList.remove("stale");
  apply(experiment, about);
  // refused: the drawing shows the control's last valid value
  const isRefused = [...experiment.controls.values()].some((control) => control.isRefused());
  setNote(experiment, isRefused ? translate(STALE) : "");
  refreshTip();
}

/* Set the message above the pictures. `live`: the address of this state in the live course. */
function setNote(experiment, text, live) {
  const place = drawingOf(experiment).querySelector(":scope > .note");
  const link = live ? h("a", { href: config.live + live }, "Open it in the live course.") : "";
  place.replaceChildren(...(text ? [h("p", { class: "message", role: "status" }, text, " ", link)] : []));
}

/* Take over the drawing that the server rendered. */
export function hydrateDrawing(experiment) {
  const drawing = drawingOf(experiment);
  const about = drawing.dataset.about ? JSON.parse(drawing.dataset.about) : null;
  // empty boxes save a layout before `fit` knows the sizes
  if (about && !phone.matches) for (const scene of drawing.querySelectorAll(".scene")) setHollow(scene, true);
  experiment.drawn = { layout: about && layoutOf(about), lines: new Map() };
  if (about) apply(experiment, about);
}

/* The layout of a drawing depends only on the open closer looks. */
const layoutOf = ({ link, open }) => (open ? "all" : new URLSearchParams(link).get("acts") ?? "");

/* Update only the pieces that have changed, and in them only the differences. */
function updatePieces(experiment, layout, html, pieces) {
  const place = experiment.element.querySelector(".drawing-slot"), { drawn } = experiment;
  const lines = new Map(pieces.map((line) => [PIECE_ID.exec(line)[1], line]));
  const piece = (id) => {
    const old = experiment.element.querySelector(`#${CSS.escape(id)}`), line = lines.get(id);
    if (!old) return parseHTML(line);
    // texts do not depend on the state
    return line === drawn.lines.get(id) || old.matches(".words") ? old : morph(old, parseHTML(line));
  };
  if (layout === drawn.layout) {
    for (const id of lines.keys()) if (lines.get(id) !== drawn.lines.get(id)) piece(id);
  } else {
    const focus = document.activeElement, fresh = parseHTML(html);
    for (const slot of fresh.querySelectorAll("[data-piece]")) {
      const part = piece(slot.dataset.piece);
      // the text may be below the controls (meaning.js)
      if (part.closest(".controls")) slot.remove(); else slot.replaceWith(part);
    }
    const places = new Map([...fresh.querySelectorAll(".place")].map((one) => [one.dataset.control, one]));
    for (const control of experiment.controls.values()) {
      const now = places.get(control.id);
      if (now) now.append(control.element);
      // the closer look of this piece has been closed
      else if (control.element.closest(".place")) control.home.append(control.element);
    }
    place.replaceChildren(fresh);
    if (focus?.isConnected && place.contains(focus)) focus.focus({ preventScroll: true });
  }
  Object.assign(drawn, { layout, lines });
}

/* Apply the JSON of a drawing: limits, notes, covers, layout. */
function apply(experiment, about) {
  const drawing = drawingOf(experiment), hadAllActs = drawing.hasAttribute("data-found");
  drawing.dataset.link = about.link;
  drawing.toggleAttribute("data-found", Boolean(about.open)); // the drawing of a job has all closer looks
  // while a job runs, the learner opens and closes them
  if (about.open) setOpenActs(drawing, hadAllActs ? experiment.acts : about.open);
  const named = (name) => (name === "job" ? experiment.job : experiment.controls.get(name));
  for (const [name, limit] of Object.entries(about.limits)) named(name)?.limit?.(limit);
  // values set by the job
  for (const [name, value] of Object.entries(about.set ?? {})) named(name)?.set(value.join(","));
  for (const [name, control] of experiment.controls) {
    markIdle(control, about.idle?.[name]);
    if (!about.set) { // after a job's drawing, the controls are not read again
      noteBeside(control, "notice", about.notices?.[name]);
      control.offer?.(about.offers?.[name]);
      control.nameVocabulary?.(about.vocabularies?.[name]);
    }
    control.accept();
    control.drawn?.();
  }
  updateCovers(experiment, about.covers);
  foldMeaning(experiment);
  restoreHeld();
  restorePainted(drawing);
  typeset(experiment.element);
  fit(drawing);
  placeMeaning(experiment);
  centre(drawing);
  clearTimeout(experiment.resting);
  experiment.resting = setTimeout(settle, 200, experiment);
}

/* Work that is postponed until no control has moved for a moment: address, footer, prefetching. */
function settle(experiment) {
  const drawing = drawingOf(experiment), isCurrent = experiment === current();
  if (experiment.moved && isCurrent) setAddress(drawing.dataset.link);
  dispatchEvent(new Event("settled"));
  placeMeaning(experiment);
  updateFoot(drawing);
  if (isCurrent) prefetch(experiment);
}

/* Open closer looks in the drawing of a job, which contains all of them. */
export function openDrawnActs(experiment, open) {
  setOpenActs(drawingOf(experiment), open);
  settle(experiment);
}

function setOpenActs(drawing, open) {
  const state = drawing.dataset.link.replace(/&acts=[^&]*/, "");
  drawing.dataset.link = open.length ? `${state}&acts=${open.join(".")}` : state;
  for (const button of drawing.querySelectorAll("[data-act]")) {
    const isOpen = open.includes(button.dataset.act),
      closer = button.closest(".act").querySelector(".closer");
    button.setAttribute("aria-expanded", String(isOpen));
    if (closer) closer.hidden = !isOpen;
  }
}

/* Show an error once, beside its control if that is in view. The last picture stays, dimmed. */
function showError(experiment, { complaint, control, nearest, live }) {
  const field = control && experiment.controls.get(control), drawing = drawingOf(experiment);
  field?.refuse(complaint, nearest);
  // the next visit begins with the default state
  if (memory.has("left", experiment.id)) memory.set("left", experiment.id);
  const isBeside = field?.element.checkVisibility(),
    hasPicture = (field || live) && drawing.querySelector(".scene");
  drawing.classList.toggle("stale", Boolean(hasPicture));
  setNote(experiment, [isBeside ? "" : complaint, hasPicture ? translate(STALE) : ""].filter(Boolean)
    .join(" "), live);
}
