/* Dragging: the mark moves in the browser at once, the model's answer follows. */

import { closest } from "./dom.js";
import { handBusy, point, say } from "./hover.js";
import { experimentOf } from "./experiments.js";
import { withMinus } from "./numbers.js";

const STEP = 0.05; // of a key
const SWIPE = 8; // pixels after which a finger's direction is known
let held = null; // the handle in the hand, and where it is

const numbers = (text) => text.split(" ").map(Number);
const controlOf = (handle) => experimentOf(handle).controls.get(handle.dataset.handle);

/* Where a handle starts, and how many pixels one is worth, along x and y: a bar has one way, an arrow both. */
function ways(handle) {
  const stem = handle.querySelector(".stem"), unit = numbers(handle.dataset.unit);
  return { start: ["x1", "y1"].map((end) => +stem.getAttribute(end)), unit, flat: unit.includes(0) };
}
const ends = (handle) => ["aria-valuemin", "aria-valuemax"].map((end) => +handle.getAttribute(end));

function put(handle, row) {
  const { start, unit } = ways(handle), both = row.length === 2 ? row : [row[0], row[0]];
  const [x, y] = start.map((s, i) => s + both[i] * unit[i]);
  const stem = handle.querySelector(".stem"), knob = handle.querySelector(".knob");
  stem.setAttribute("x2", x);
  stem.setAttribute("y2", y);
  knob.setAttribute("cx", x);
  knob.setAttribute("cy", y);
}

function within(handle, row) {
  const [low, high] = ends(handle);
  return row.map((value) => Math.round(Math.max(low, Math.min(high, value)) * 100) / 100);
}

function move(handle, row) {
  const next = within(handle, row), control = controlOf(handle), now = control?.row(+handle.dataset.index);
  put(handle, next);
  if (now && next.some((value, i) => value !== now[i])) control.setRow(+handle.dataset.index, next);
  const said = next.map((value) => withMinus(value.toFixed(2))).join(", ");
  say({ says: `${handle.getAttribute("aria-label")}: ${said}`, box: handle.querySelector(".knob").getBoundingClientRect() });
  return next;
}

document.addEventListener("pointerdown", (event) => {
  const handle = closest(event, ".handle");
  if (!handle || event.button) return;
  event.preventDefault();
  handle.focus({ preventScroll: true });
  held = { handle, pointer: event.pointerId, from: event, isDrag: event.pointerType !== "touch" || !ways(handle).flat };
  handBusy(true);
  document.body.classList.add("holding");
});
window.addEventListener("pointermove", (event) => {
  if (!held || event.pointerId !== held.pointer) return;
  held.isDrag ||= isAlong(held.handle, held.from, event);
  if (!held.isDrag) return;
  event.preventDefault();
  held.event = event;
  held.frame ||= requestAnimationFrame(() => {
    if (!held) return;
    held.frame = 0;
    follow();
  });
}, { passive: false });

/* A finger that begins on a bar drags it only along the bar: up and down the page scrolls (pictures.css). */
function isAlong(handle, from, to) {
  const [x] = ways(handle).unit, by = x ? to.clientX - from.clientX : to.clientY - from.clientY;
  return Math.abs(by) > SWIPE;
}

function follow() {
  const { handle, event } = held, { x, y } = point(handle.ownerSVGElement, event), { start, unit, flat } = ways(handle);
  const at = [x, y].map((p, i) => (unit[i] ? (p - start[i]) / unit[i] : 0));
  held.row = move(handle, flat ? [unit[0] ? at[0] : at[1]] : at);
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
  if (handle && ways(handle).flat) move(handle, [ends(handle)[1]]);
});

/* After a redraw the hand is still where it is. */
export function hold() {
  if (held?.row && held.handle.isConnected) put(held.handle, held.row);
}

document.addEventListener("keydown", (event) => {
  const handle = event.target;
  if (!(handle instanceof Element) || !handle.matches(".handle")) return;
  const [low, high] = ends(handle), by = STEP * (event.shiftKey ? 4 : 1);
  const row = [...controlOf(handle).row(+handle.dataset.index)], flat = row.length === 1;
  const moves = {
    ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by], PageUp: [0, 5 * by], PageDown: [0, -5 * by],
  };
  const far = { Delete: low, Home: low, End: high }, way = moves[event.key];
  if (way && flat) row[0] += way[0] + way[1];
  else if (way) row.forEach((_, i) => { row[i] += way[i]; });
  else if (flat && event.key in far) row[0] = far[event.key];
  else return;
  event.preventDefault();
  move(handle, row);
});
