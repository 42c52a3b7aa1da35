/* Edit numbers in a picture: type into a cell, use the arrow keys, or drag sideways. */

import { closest, h, setInvalid } from "./dom.js";
import { point } from "./hover.js";
import { experimentOf } from "./experiments.js";
import { translate } from "./language.js";
import { parseNumber, withMinus } from "./numbers.js";

const positionOf = (cell) => [+cell.dataset.row, +cell.dataset.column];
const controlOf = (cell) => experimentOf(cell).controls.get(cell.dataset.cell);
const valueOf = (cell) => controlOf(cell).cell(...positionOf(cell));
const set = (cell, value) => controlOf(cell).setCell(...positionOf(cell), value);

/* Open an input field over the cell. Only valid numbers are sent. */
function openField(cell, first) {
  const box = cell.getBoundingClientRect(), { low, high } = cell.dataset;
  const isValid = (value) => Number.isFinite(value) && value >= +low && value <= +high;
  const inputmode = +low < 0 ? "text" : "decimal"; // a phone's number pad may have no minus
  const field = h("input", { class: "cell-field", inputmode, "aria-label": cell.getAttribute("aria-label") });
  const message = h("p", { class: "cell-note", role: "status" });
  const over = h("div", { class: "cell-over" }, field, message);
  over.style.left = `${box.left + scrollX}px`;
  over.style.top = `${box.top + scrollY}px`;
  field.style.width = `${Math.max(52, box.width)}px`;
  field.style.height = `${Math.max(22, box.height)}px`;
  field.value = first ?? withMinus(valueOf(cell));
  const leave = () => { field.blur(); if (cell.isConnected) cell.focus({ preventScroll: true }); };
  const check = () => {
    const value = parseNumber(field.value), ok = isValid(value);
    setInvalid(field, !ok);
    message.textContent = ok ? "" : translate("A number between {low} and {high}, please.",
      { low: withMinus(low), high: withMinus(high) });
    if (ok) set(cell, value);
  };
  field.addEventListener("input", check);
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (!["Enter", "Escape", "Tab"].includes(event.key)) return;
    event.preventDefault();
    leave();
    if (event.key === "Tab") neighbour(cell, event.shiftKey ? -1 : 1)?.focus();
  });
  field.addEventListener("blur", () => over.remove());
  document.body.append(over);
  field.focus();
  if (first === undefined) field.select(); else check();
}

function neighbour(cell, by) {
  const all = [...cell.closest(".drawing").querySelectorAll(".cell")];
  return all[all.indexOf(cell) + by];
}

document.addEventListener("keydown", (event) => {
  const cell = event.target;
  if (!(cell instanceof Element) || !cell.matches(".cell")) return;
  const by = +cell.dataset.step * (event.shiftKey ? 10 : 1);
  if (event.key === "ArrowUp") set(cell, valueOf(cell) + by);
  else if (event.key === "ArrowDown") set(cell, valueOf(cell) - by);
  else if (event.key === "ArrowLeft") neighbour(cell, -1)?.focus();
  else if (event.key === "ArrowRight") neighbour(cell, 1)?.focus();
  else if (event.key === "Enter") openField(cell);
  else if (/^[\d.,−-]$/.test(event.key)) openField(cell, event.key);
  else return;
  event.preventDefault();
});

/* A click opens the field; a drag sideways changes the number. */
document.addEventListener("pointerdown", (event) => {
  const cell = closest(event, ".cell");
  if (!cell || event.button) return;
  event.preventDefault();
  cell.focus({ preventScroll: true });
  const from = point(cell.ownerSVGElement, event).x, start = valueOf(cell), step = +cell.dataset.step;
  let dragged = false;
  const move = (e) => {
    const by = point(cell.ownerSVGElement, e).x - from;
    if (Math.abs(by) < 4 && !dragged) return;
    dragged = true;
    set(cell, Math.round((start + by * step / 8) / step) * step);
  };
  const up = () => {
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", up);
    if (!dragged && cell.isConnected) openField(cell);
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", up);
});
