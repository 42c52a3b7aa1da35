/* Drag marks in pictures: the mark moves at once, the model's result follows. */

import { closest } from "./dom.js";
import { point, setDragging, showTip } from "./hover.js";
import { experimentOf } from "./experiments.js";
import { translate } from "./language.js";
import { withMinus } from "./numbers.js";

const KEY_STEP = 0.05;
const CLICK_PX = 4; // a shorter movement is a click
const SWIPE_PX = 8; // distance after which the direction of a finger is known
let held = null; // the handle that is being dragged, and its position
let chosen = null; // the arrow that was clicked: a click in its picture moves its tip there

const numbers = (text) => text.split(" ").map(Number);
const controlOf = (handle) => experimentOf(handle).controls.get(handle.dataset.handle);

/* The origin of a handle, and pixels per unit along x and y. A bar has one direction (isBar), an arrow has
   two. */
function geometry(handle) {
  const stem = handle.querySelector(".stem"), unit = numbers(handle.dataset.unit);
  return { start: ["x1", "y1"].map((end) => +stem.getAttribute(end)), unit, isBar: unit.includes(0) };
}
const limits = (handle) => ["aria-valuemin", "aria-valuemax"].map((end) => +handle.getAttribute(end));

function place(handle, row) {
  const { start, unit } = geometry(handle), both = row.length === 2 ? row : [row[0], row[0]];
  const [x, y] = start.map((s, i) => s + both[i] * unit[i]);
  const stem = handle.querySelector(".stem"), knob = handle.querySelector(".knob");
  stem.setAttribute("x2", x);
  stem.setAttribute("y2", y);
  knob.setAttribute("cx", x);
  knob.setAttribute("cy", y);
}

function clampRow(handle, row) {
  const [low, high] = limits(handle);
  return row.map((value) => Math.round(Math.max(low, Math.min(high, value)) * 100) / 100);
}

function move(handle, row) {
  const next = clampRow(handle, row), control = controlOf(handle), now = control?.row(+handle.dataset.index);
  place(handle, next);
  if (now && next.some((value, i) => value !== now[i])) control.setRow(+handle.dataset.index, next);
  const text = next.map((value) => withMinus(value.toFixed(2))).join(", ");
  showTip({ text: translate("{name}: {value}", { name: handle.getAttribute("aria-label"), value: text }),
    box: handle.querySelector(".knob").getBoundingClientRect() });
  return next;
}

document.addEventListener("pointerdown", (event) => {
  const handle = closest(event, ".handle");
  if (!handle || event.button) return;
  event.preventDefault();
  handle.focus({ preventScroll: true });
  held = { handle, pointer: event.pointerId, from: event, isDrag: event.pointerType !== "touch"
    || !geometry(handle).isBar };
  setDragging(true);
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

/* A finger drags a bar only along its direction; otherwise the page scrolls (pictures.css). */
function isAlong(handle, from, to) {
  const [x] = geometry(handle).unit, by = x ? to.clientX - from.clientX : to.clientY - from.clientY;
  return Math.abs(by) > SWIPE_PX;
}

function follow() {
  held.row = move(held.handle, rowAt(held.handle, held.event));
}

/* The value of a handle whose end would be at the pointer. */
function rowAt(handle, event) {
  const { x, y } = point(handle.ownerSVGElement, event), { start, unit, isBar } = geometry(handle);
  const at = [x, y].map((p, i) => (unit[i] ? (p - start[i]) / unit[i] : 0));
  return isBar ? [unit[0] ? at[0] : at[1]] : at;
}

for (const end of ["pointerup", "pointercancel"]) {
  window.addEventListener(end, (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    if (held.frame) { cancelAnimationFrame(held.frame); follow(); }
    held = null;
    setDragging(false);
    document.body.classList.remove("holding");
    showTip(null);
  });
}

/* Without dragging: a click in the track of a bar sets it; a click on an arrow, then on a place, moves its
   tip there. */
document.addEventListener("click", (event) => {
  const handle = closest(event, ".handle"), picture = closest(event, ".picture"), arrow = chosen;
  const wasDragged = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK_PX;
  if (wasDragged || !picture) return;
  choose(null);
  if (handle) {
    if (!geometry(handle).isBar && handle !== arrow) choose(handle);
    return;
  }
  const bar = closest(event, "[data-tip]")?.querySelector(".handle");
  if (bar && geometry(bar).isBar) {
    const [low, high] = limits(bar), [value] = rowAt(bar, event);
    if (value >= low && value <= high) move(bar, [value]); // not on its label
  } else if (arrow?.isConnected && picture.contains(arrow)) {
    move(arrow, rowAt(arrow, event));
    arrow.focus({ preventScroll: true });
  }
});

let pressed = { x: 0, y: 0 };
document.addEventListener("pointerdown", ({ clientX, clientY }) => {
  pressed = { x: clientX, y: clientY };
}, true);

function choose(handle) {
  chosen?.classList.remove("chosen");
  handle?.classList.add("chosen");
  chosen = handle;
  if (!handle) return;
  const name = handle.getAttribute("aria-label");
  const text = translate("{name}: click where its tip should be", { name });
  showTip({ text, box: handle.querySelector(".knob").getBoundingClientRect() });
}

/* A double click sets a bar to its maximum. */
document.addEventListener("dblclick", (event) => {
  const handle = closest(event, ".handle");
  if (handle && geometry(handle).isBar) move(handle, [limits(handle)[1]]);
});

/* Keep the dragged handle at the pointer after a redraw. */
export function restoreHeld() {
  if (held?.row && held.handle.isConnected) place(held.handle, held.row);
}

document.addEventListener("keydown", (event) => {
  const handle = event.target;
  if (!(handle instanceof Element) || !handle.matches(".handle")) return;
  const [low, high] = limits(handle), by = KEY_STEP * (event.shiftKey ? 4 : 1);
  const row = [...controlOf(handle).row(+handle.dataset.index)], isBar = row.length === 1;
  const moves = {
    ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by], PageUp: [0, 5 * by],
    PageDown: [0, -5 * by],
  };
  const extremes = { Delete: low, Home: low, End: high }, step = moves[event.key];
  if (step && isBar) row[0] += step[0] + step[1];
  else if (step) row.forEach((_, i) => { row[i] += step[i]; });
  else if (isBar && event.key in extremes) row[0] = extremes[event.key];
  else return;
  event.preventDefault();
  move(handle, row);
});
