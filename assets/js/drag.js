/* Dragging: the mark moves in the browser at once, the model's answer follows. */

import { closest } from "./dom.js";
import { handBusy, point, say } from "./hover.js";
import { controls } from "./memory.js";
import { shown } from "./numbers.js";

let held = null; // the handle in the hand, and where it is

const numbers = (text) => text.split(" ").map(Number);
const controlOf = (handle) => controls.get(`${handle.closest(".stage").dataset.experiment}-${handle.dataset.handle}`);

function put(handle, row) {
  const start = numbers(handle.dataset.start), unit = numbers(handle.dataset.unit), both = row.length === 2 ? row : [row[0], row[0]];
  const [x, y] = start.map((s, i) => s + both[i] * unit[i]);
  const stem = handle.querySelector(".stem"), knob = handle.querySelector(".knob");
  stem.setAttribute("x2", x);
  stem.setAttribute("y2", y);
  knob.setAttribute("cx", x);
  knob.setAttribute("cy", y);
}

function within(handle, row) {
  const { low, high } = handle.dataset;
  return row.map((value) => Math.round(Math.max(+low, Math.min(+high, value)) * 100) / 100);
}

function move(handle, row) {
  const next = within(handle, row), control = controlOf(handle), now = control?.row(+handle.dataset.index);
  put(handle, next);
  if (now && next.some((value, i) => value !== now[i])) control.set(+handle.dataset.index, next);
  const said = next.map((value) => shown(value.toFixed(2))).join(", ");
  say({ says: `${handle.getAttribute("aria-label")}: ${said}`, box: handle.querySelector(".knob").getBoundingClientRect() });
  return next;
}

document.addEventListener("pointerdown", (event) => {
  const handle = closest(event, ".handle");
  if (!handle || event.button) return;
  event.preventDefault();
  handle.focus({ preventScroll: true });
  held = { handle, pointer: event.pointerId };
  handBusy(true);
  document.body.classList.add("holding");
});
window.addEventListener("pointermove", (event) => {
  if (!held || event.pointerId !== held.pointer) return;
  event.preventDefault();
  held.event = event;
  held.frame ||= requestAnimationFrame(() => {
    if (!held) return;
    held.frame = 0;
    follow();
  });
}, { passive: false });

function follow() {
  const { handle, event } = held, { x, y } = point(handle.ownerSVGElement, event);
  const start = numbers(handle.dataset.start), unit = numbers(handle.dataset.unit);
  const at = [x, y].map((p, i) => (unit[i] ? (p - start[i]) / unit[i] : 0));
  held.row = move(handle, +handle.dataset.size === 2 ? at : [unit[0] ? at[0] : at[1]]);
}

for (const end of ["pointerup", "pointercancel"]) {
  window.addEventListener(end, (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    if (held.frame) { cancelAnimationFrame(held.frame); follow(); }
    held = null;
    handBusy(false);
    document.body.classList.remove("holding");
    say(null);
  });
}

/* A double click gives a bar all there is. */
document.addEventListener("dblclick", (event) => {
  const handle = closest(event, ".handle");
  if (handle && +handle.dataset.size === 1) move(handle, [+handle.dataset.high]);
});

/* After a redraw the hand is still where it is. */
export function hold() {
  if (held?.row && held.handle.isConnected) put(held.handle, held.row);
}

document.addEventListener("keydown", (event) => {
  const handle = event.target;
  if (!(handle instanceof Element) || !handle.matches(".handle")) return;
  const { step, low, high, index } = handle.dataset, by = +step * (event.shiftKey ? 4 : 1);
  const row = [...controlOf(handle).row(+index)], flat = row.length === 1;
  const moves = {
    ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by], PageUp: [0, 5 * by], PageDown: [0, -5 * by],
  };
  const ends = { Delete: +low, Home: +low, End: +high }, way = moves[event.key];
  if (way && flat) row[0] += way[0] + way[1];
  else if (way) row.forEach((_, i) => { row[i] += way[i]; });
  else if (flat && event.key in ends) row[0] = ends[event.key];
  else return;
  event.preventDefault();
  move(handle, row);
});
