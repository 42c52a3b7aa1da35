/* Tooltips and highlights in pictures, handled in the browser. lessons/kit/pictures/base.py describes the
   attributes. */

import { announce } from "./announce.js";
import { closest, h } from "./dom.js";
import { experimentOf } from "./experiments.js";
import { translate } from "./language.js";
import { withMinus } from "./numbers.js";

// `announce` says what the keyboard reaches
const tip = h("div", { class: "tip", "aria-hidden": "true", hidden: true });
const parsed = new WeakMap(); // data-grid, parsed once per text

function gridOf(group) {
  const cached = parsed.get(group), text = group.dataset.grid;
  if (cached?.text === text) return cached.grid;
  const grid = JSON.parse(text);
  parsed.set(group, { text, grid });
  return grid;
}

/* The pointer's position in units of the picture. */
export function point(svg, event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

/* Find the mark under the pointer: tooltip text, keys, and bounding box. */
function markAt(event) {
  const mark = closest(event, ".picture [data-tip]"), group = closest(event, "[data-grid]");
  if (mark) return describe(mark);
  if (!group) return null;
  const grid = gridOf(group), { x, y } = point(group.ownerSVGElement, event);
  return cellAt(group, grid, Math.floor((y - grid.y) / grid.h), Math.floor((x - grid.x) / grid.w));
}

const describe =
  (mark, box = mark) => ({ text: mark.dataset.tip, keys: keysOf(mark), box: box.getBoundingClientRect() });
const keysOf = (mark) => (mark.dataset.at ?? mark.closest("[data-at]")?.dataset.at ?? "").split(" ")
  .filter(Boolean);

function cellAt(group, grid, row, column) {
  if (row < 0 || column < 0 || row >= grid.rows.length || column >= grid.columns.length) return null;
  const value = grid.values[row * grid.columns.length + column], ctm = group.ownerSVGElement.getScreenCTM();
  const corner = new DOMPoint(grid.x + column * grid.w, grid.y + row * grid.h).matrixTransform(ctm);
  const digits = Math.max(0, Math.round(-Math.log10(grid.unit)));
  const number = value === null ? grid.hatched ?? translate("masked")
    : withMinus((value * grid.unit).toFixed(digits));
  return {
    text: translate("{row} · {column}: {number}",
      { row: grid.rows[row], column: grid.columns[column], number }), group, row, column,
    keys: [keyOf(grid.keys[0], row), keyOf(grid.keys[1], column)],
    box: new DOMRect(corner.x, corner.y, grid.w * ctm.a, grid.h * ctm.d),
  };
}

/* Row and column keys: steps are counted from 1, everything else from 0. */
const keyOf = (name, index) => `${name}:${index + (name === "step" ? 1 : 0)}`;

export function showTip(mark) {
  if (!mark) { tip.hidden = true; return; }
  if (!tip.isConnected) document.body.append(tip);
  tip.textContent = mark.text;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect(), middle = mark.box.x + mark.box.width / 2;
  tip.style.left = `${Math.max(6, Math.min(innerWidth - width - 6, middle - width / 2))}px`;
  tip.style.top = `${mark.box.y - height - 6 < 4 ? mark.box.bottom + 6 : mark.box.y - height - 6}px`;
}

/* Highlight the same token, unit or word in every picture of the experiment. */
function setLit(root, keys) {
  if (!root) return;
  const shares = (mark) => keysOf(mark).some((key) => keys.includes(key));
  for (const mark of root.querySelectorAll(".lit")) if (!shares(mark)) mark.classList.remove("lit");
  for (const old of root.querySelectorAll(".band")) old.remove();
  if (!keys.length) return;
  for (const mark of root.querySelectorAll(".picture [data-at]")) if (shares(mark)) mark.classList.add("lit");
  for (const group of root.querySelectorAll("[data-grid]")) {
    const grid = gridOf(group), width = grid.w * grid.columns.length, height = grid.h * grid.rows.length;
    grid.rows.forEach((_, r) => keys.includes(keyOf(grid.keys[0], r))
      && band(group, grid.x, grid.y + r * grid.h, width, grid.h));
    grid.columns.forEach((_, c) => keys.includes(keyOf(grid.keys[1], c))
      && band(group, grid.x + c * grid.w, grid.y, grid.w, height));
  }
}

function band(group, x, y, width, height) {
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ class: "band", x, y, width, height }))
    rect.setAttribute(name, value);
  group.append(rect);
}

let lit = null; // the experiment that has highlights
let isDragging = false; // while a mark is dragged, nothing else is highlighted
export const setDragging = (yes) => { isDragging = yes; };

function highlight(mark, root) {
  showTip(mark);
  if (lit && lit !== root) setLit(lit, []);
  setLit(root, mark?.keys ?? []);
  lit = mark ? root : null;
}

let last = null; // the pointer's last event; null while the keyboard is used
document.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "touch") last = event;
  if (isDragging || event.pointerType === "touch") return;
  const mark = markAt(event);
  if (mark || lit) highlight(mark, closest(event, ".experiment") ?? lit);
});
document.addEventListener("pointerdown", (event) => {
  last = event;
  if (event.pointerType === "touch" && !isDragging)
    highlight(markAt(event), closest(event, ".experiment") ?? lit);
});
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") showTip(null); });
document.addEventListener("scroll", () => { if (!isDragging) showTip(null); }, true);

/* Update the tooltip after a picture has changed. A handle that is moved with the keyboard keeps its tooltip.
   */
export function refreshTip() {
  if (tip.hidden || isDragging || document.activeElement?.matches(".handle:focus-visible")) return;
  const target = last && document.elementFromPoint(last.clientX, last.clientY);
  const mark = target && markAt({ target, clientX: last.clientX, clientY: last.clientY });
  highlight(mark, (mark && target.closest(".experiment")) ?? lit);
}

/* Keyboard access: Tab focuses a picture, then the arrow keys move from mark to mark. */
const cursors = new WeakMap();
const clamp = (value, count) => Math.max(0, Math.min(count - 1, value));
document.addEventListener("keydown", (event) => {
  const frame = event.target;
  if (!(frame instanceof Element) || !frame.matches(".frame")) return;
  const [down, right] = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0],
    ArrowDown: [1, 0] }[event.key] ?? [];
  if (event.key === "Escape") return highlight(null, frame.closest(".experiment"));
  if (down === undefined) return;
  const mark = moveCursor(frame, down, right);
  if (!mark) return;
  event.preventDefault();
  last = null;
  highlight(mark, frame.closest(".experiment"));
  announce(mark.text);
});

function moveCursor(frame, down, right) {
  const group = frame.querySelector("[data-grid]");
  if (group) {
    const grid = gridOf(group), at = cursors.get(frame) ?? [0, -right];
    const cell = [clamp(at[0] + down, grid.rows.length), clamp(at[1] + right, grid.columns.length)];
    cursors.set(frame, cell);
    return cellAt(group, grid, ...cell);
  }
  const marks = [...frame.querySelectorAll("[data-tip]")];
  if (!marks.length) return null;
  const at = clamp((cursors.get(frame) ?? -1) + (right || down), marks.length);
  cursors.set(frame, at);
  return describe(marks[at]);
}

document.addEventListener("focusout", (event) => {
  if (closest(event, ".frame, .handle") === event.target) highlight(null, lit);
});
document.addEventListener("focusin", (event) => {
  const handle = closest(event, ".handle");
  if (!handle || handle !== event.target || isDragging) return;
  highlight(describe(handle.closest("[data-tip]"), handle.querySelector(".knob")),
    handle.closest(".experiment"));
});

/* Choosing a mark sets its control; a group around it may set another one. */
function pick(event) {
  const picked = closest(event, ".pick");
  if (!picked) return null;
  const control = (mark) => experimentOf(mark).controls.get(mark.dataset.pick);
  for (let mark = picked.parentElement.closest("[data-pick]"); mark; mark =
    mark.parentElement.closest("[data-pick]")) {
    control(mark)?.set(mark.dataset.value); // set the controls of the surrounding groups, without a redraw
  }
  control(picked)?.choose(picked.dataset.value);
  return picked;
}
document.addEventListener("click", pick);
document.addEventListener("keydown", (event) => {
  if (["Enter", " "].includes(event.key) && pick(event)) event.preventDefault();
});
