/* One experiment, drawn. Its text: a line about it, a line that lays it out, then a line for each piece (shell/stage.py). */

import { address } from "./address.js";
import { ahead } from "./answers.js";
import { beside, dim } from "./controls/index.js";
import { cover } from "./covers.js";
import { h, made } from "./dom.js";
import { hold } from "./drag.js";
import { centre, fit } from "./fit.js";
import { leave } from "./first.js";
import { foot } from "./foot.js";
import { controls, idle, limits, memory, moved, remarks } from "./memory.js";
import { become } from "./morph.js";
import { stages, turn } from "./stages.js";
import { entitle, inView } from "./tabs.js";
import { typeset } from "./tex.js";

export function stage(element, props, watch) {
  const shown = { layout: "", lines: new Map() };
  let later;
  const id = element.closest(".experiment").id;
  const draw = (text) => {
    const [first, layout, ...pieces] = text.split("\n"), about = JSON.parse(first);
    if (element.closest(".experiment").offsetParent) leave();
    if (about.complaint !== undefined) return complain(element, id, about);
    lay(element, shown, layout, pieces);
    const drawn = element.querySelector(".stage");
    drawn.dataset.link = about.link;
    drawn.toggleAttribute("data-found", Boolean(about.open)); // by long work: all acts are there
    if (about.open) turn(drawn, about.open);
    accept(drawn, id, about);
    hold();
    typeset(element);
    fit(drawn);
    centre(drawn);
    clearTimeout(later);
    later = setTimeout(() => { // once the hand rests
      foot(drawn);
      entitle();
      if (moved.has(id) && inView(drawn)) address(about.link);
      if (inView(drawn)) ahead(id);
      dispatchEvent(new Event("rested"));
    }, 200);
  };
  watch("value", () => draw(props.value));
  draw(props.value);
  stages.set(id, draw);
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
function accept(drawn, id, about) {
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
  drawn.classList.remove("stale");
  drawn.querySelector(":scope > .note").replaceChildren();
  cover(id, about.covers);
}

/* Something could not be read: it is said where it stands, and the last picture stays, dimmed. */
function complain(element, id, { complaint, control }) {
  const field = control && controls.get(`${id}-${control}`), drawn = element.querySelector(".stage");
  field?.refuse?.(complaint);
  if (memory.has("left", id)) memory.keep("left", id); // the next visit begins afresh
  const about = field ? [complaint, " The picture is of what you had before."] : [complaint];
  const note = h("p", { class: "message", role: "status" }, ...about);
  if (!drawn) return element.replaceChildren(h("div", { class: "stage" }, h("div", { class: "note" }, note)));
  drawn.classList.toggle("stale", Boolean(field));
  drawn.querySelector(":scope > .note").replaceChildren(note);
}
