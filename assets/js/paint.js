/* Painting: a click, a drag or the space key fills or empties cells of a grid
   (lessons/kit/pictures/pixels.py). */

import { closest } from "./dom.js";
import { experimentOf } from "./experiments.js";
import { setDragging } from "./hover.js";

let stroke = null; // {grid, pointer, isOn} while the pointer is down

const gridOf = (cell) => cell.closest("[data-pixels]");
const controlOf = (grid) => experimentOf(grid).controls.get(grid.dataset.pixels);
const isOn = (cell) => cell.getAttribute("aria-checked") === "true";

function paint(cell, on) {
  if (isOn(cell) === on) return;
  cell.setAttribute("aria-checked", String(on));
  controlOf(gridOf(cell)).setPixel(+cell.dataset.pixel, on);
}

/* After a redraw, which may show an earlier stroke, set the cells to the control's value. */
export function restorePainted(drawing) {
  for (const grid of drawing.querySelectorAll("[data-pixels]")) {
    const control = controlOf(grid);
    for (const cell of grid.querySelectorAll(".pixel"))
      cell.setAttribute("aria-checked", String(control.pixel(+cell.dataset.pixel)));
  }
}

document.addEventListener("pointerdown", (event) => {
  const cell = closest(event, ".pixel");
  if (!cell || event.button) return;
  event.preventDefault();
  cell.focus({ preventScroll: true });
  stroke = { grid: gridOf(cell), pointer: event.pointerId, isOn: !isOn(cell) };
  setDragging(true);
  paint(cell, stroke.isOn);
});
window.addEventListener("pointermove", (event) => {
  if (event.pointerId !== stroke?.pointer) return;
  const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest(".pixel");
  if (cell && stroke.grid.contains(cell)) paint(cell, stroke.isOn);
});
for (const end of ["pointerup", "pointercancel"]) {
  window.addEventListener(end, (event) => {
    if (event.pointerId !== stroke?.pointer) return;
    stroke = null;
    setDragging(false);
  });
}

document.addEventListener("keydown", (event) => {
  const cell = event.target;
  if (!(cell instanceof Element) || !cell.matches(".pixel")) return;
  const grid = gridOf(cell), columns = +grid.dataset.columns, n = +cell.dataset.pixel;
  const move = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
  if (move) grid.querySelector(`[data-pixel="${n + move}"]`)?.focus();
  else if (event.key === " " || event.key === "Enter") paint(cell, !isOn(cell));
  else return;
  event.preventDefault();
});
