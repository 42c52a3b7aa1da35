/* One experiment, drawn. Its text: a line about it, a line that lays it out, then a line for each piece (shell/stage.py). */

import { address } from "./address.js";
import { ahead, begin } from "./answers.js";
import { beside, dim } from "./controls/index.js";
import { cover } from "./covers.js";
import { h, made } from "./dom.js";
import { hold } from "./drag.js";
import { centre, fit } from "./fit.js";
import { rehouse, settled } from "./first.js";
import { foot } from "./foot.js";
import { controls, idle, limits, memory, moved, remarks } from "./memory.js";
import { become } from "./morph.js";
import { stages, turn } from "./stages.js";
import { entitle, inView, opened } from "./tabs.js";
import { typeset } from "./tex.js";

export function stage(element) {
  const { id } = element.closest(".experiment"), known = stages.get(id);
  if (known) return rehouse(known, element);
  const it = { home: element, draw }, shown = { layout: "", lines: new Map() };
  let later, asked = false;
  function draw(text) {
    const [first, layout, ...pieces] = text.split("\n"), about = JSON.parse(first);
    if (about.complaint !== undefined) { complain(it.home, id, about); return; }
    lay(it.home, shown, layout, pieces);
    const drawn = it.home.querySelector(".stage");
    drawn.classList.remove("stale");
    drawn.querySelector(":scope > .note").replaceChildren();
    attend(drawn, about);
    if (asked && inView(drawn)) opened(); // only now the tab has something to show
    asked = false;
  }
  function attend(drawn, about) {
    drawn.dataset.link = about.link;
    drawn.toggleAttribute("data-found", Boolean(about.open)); // by long work: all acts are there
    if (about.open) turn(drawn, about.open);
    accept(id, about);
    hold();
    typeset(it.home);
    fit(drawn);
    centre(drawn);
    clearTimeout(later);
    later = setTimeout(rest, 200);
  }
  async function rest() { // the hand does
    const drawn = it.home.querySelector(".stage"), { link } = drawn.dataset;
    if (moved.has(id) && inView(drawn)) address(link);
    dispatchEvent(new Event("rested"));
    await settled;
    foot(drawn);
    entitle();
    if (inView(drawn)) ahead(id);
  }
  stages.set(id, it);
  const early = element.querySelector(".stage"); // drawn by the server
  if (!early) { asked = true; begin(id); }
  else if (early.dataset.about) {
    for (const piece of early.querySelectorAll(".covered")) piece.classList.remove("covered");
    for (const curtain of early.querySelectorAll(".cover")) curtain.remove();
    attend(early, JSON.parse(early.dataset.about));
  }
  return null;
}

/* Only pieces that are not as they were, and of these only what differs. */
function lay(element, shown, layout, pieces) {
  const lines = new Map(pieces.map((line) => [/ id='([^']+)'/.exec(line)[1], line]));
  const piece = (id) => {
    const old = element.querySelector(`#${CSS.escape(id)}`), line = lines.get(id);
    if (!old) return made(line);
    return line === shown.lines.get(id) ? old : become(old, made(line));
  };
  if (layout === shown.layout) {
    for (const id of lines.keys()) if (lines.get(id) !== shown.lines.get(id)) piece(id);
  } else {
    const focus = document.activeElement, fresh = made(layout);
    for (const slot of fresh.querySelectorAll("[data-piece]")) slot.replaceWith(piece(slot.dataset.piece));
    const places = new Set([...fresh.querySelectorAll(".place")].map((place) => place.dataset.control));
    for (const place of element.querySelectorAll(".place")) if (!places.has(place.dataset.control)) sendHome(place.dataset.control);
    for (const place of fresh.querySelectorAll(".place")) {
      const control = controls.get(place.dataset.control);
      if (control) place.append(control.element);
    }
    element.replaceChildren(fresh);
    if (focus?.isConnected && element.contains(focus)) focus.focus({ preventScroll: true });
  }
  Object.assign(shown, { layout, lines });
}

/* A control of an act that was closed waits where it came from. */
function sendHome(id) {
  const control = controls.get(id);
  control?.home.append(control.element);
}

/* What was asked could be shown: the controls learn what holds now. */
function accept(id, about) {
  for (const [name, limit] of Object.entries(about.limits)) {
    limits.set(`${id}-${name}`, limit);
    controls.get(`${id}-${name}`)?.limit?.(limit);
  }
  if (!about.open) for (const key of remarks.keys()) if (key.startsWith(`${id}-`)) remarks.delete(key); // long work reads nothing anew
  for (const [name, value] of Object.entries(about.set ?? {})) { // what long work has made
    controls.get(`${id}-${name}`)?.keep(value);
    controls.get(`${id}-${name}`)?.show(value);
  }
  for (const [name, words] of Object.entries(about.remarks ?? {})) remarks.set(`${id}-${name}`, words);
  for (const [key, control] of controls) {
    if (!key.startsWith(`${id}-`)) continue;
    const why = about.idle?.[key.slice(id.length + 1)];
    if (why) idle.set(key, why); else idle.delete(key);
    dim(control, why);
    beside(control, "remark", remarks.get(key));
    control.good();
  }
  cover(id, about.covers);
}

/* Something could not be read: it is said where it stands, and the last picture stays, dimmed. */
function complain(element, id, { complaint, control }) {
  const field = control && controls.get(`${id}-${control}`), drawn = element.querySelector(".stage");
  field?.refuse?.(complaint);
  if (memory.has("left", id)) memory.keep("left", id); // the next visit begins afresh
  const about = field && drawn?.querySelector(".scene") ? [complaint, " The picture is of what you had before."] : [complaint];
  const note = h("p", { class: "message", role: "status" }, ...about);
  if (!drawn) return element.replaceChildren(h("div", { class: "stage" }, h("div", { class: "note" }, note)));
  drawn.classList.toggle("stale", Boolean(field));
  drawn.querySelector(":scope > .note").replaceChildren(note);
}
