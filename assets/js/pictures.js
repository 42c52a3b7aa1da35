/* Hovering, focusing and dragging in pictures, without asking the server. See lessons/kit/pictures/base.py for the attributes. */

const tip = h("div", { class: "tip", role: "status", hidden: true });
const parsed = new WeakMap(); // data-grid, parsed once per text

function gridOf(group) {
  const kept = parsed.get(group), text = group.dataset.grid;
  if (kept?.text === text) return kept.grid;
  const grid = JSON.parse(text);
  parsed.set(group, { text, grid });
  return grid;
}

function point(svg, event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

/* What is under the pointer: words, keys, and where. */
function markAt(event) {
  const target = event.target;
  if (!(target instanceof Element)) return null;
  const mark = target.closest(".picture [data-tip]");
  if (mark) return { says: mark.dataset.tip, keys: keysOf(mark), box: mark.getBoundingClientRect() };
  const group = target.closest("[data-grid]");
  if (!group) return null;
  const grid = gridOf(group), { x, y } = point(group.ownerSVGElement, event);
  return cellAt(group, grid, Math.floor((y - grid.y) / grid.h), Math.floor((x - grid.x) / grid.w));
}

const keysOf = (mark) => (mark.dataset.at ?? mark.closest("[data-at]")?.dataset.at ?? "").split(" ").filter(Boolean);

function cellAt(group, grid, row, column) {
  if (row < 0 || column < 0 || row >= grid.rows.length || column >= grid.columns.length) return null;
  const value = grid.values[row * grid.columns.length + column], ctm = group.ownerSVGElement.getScreenCTM();
  const corner = new DOMPoint(grid.x + column * grid.w, grid.y + row * grid.h).matrixTransform(ctm);
  const said = value === null ? "masked" : (value * grid.unit).toFixed(Math.max(0, Math.round(-Math.log10(grid.unit)))).replace("-", "−");
  return {
    says: `${grid.rows[row]} · ${grid.columns[column]}: ${said}`, group, row, column,
    keys: [keyed(grid.keys[0], row), keyed(grid.keys[1], column)],
    box: new DOMRect(corner.x, corner.y, grid.w * ctm.a, grid.h * ctm.d),
  };
}

/* Steps are counted from 1, everything else from 0. */
const keyed = (name, index) => `${name}:${index + (name === "step" ? 1 : 0)}`;

function say(mark) {
  if (!mark) { tip.hidden = true; return; }
  if (!tip.isConnected) document.body.append(tip);
  tip.textContent = mark.says;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(6, Math.min(innerWidth - width - 6, mark.box.x + mark.box.width / 2 - width / 2))}px`;
  tip.style.top = `${mark.box.y - height - 6 < 4 ? mark.box.bottom + 6 : mark.box.y - height - 6}px`;
}

/* The same token, unit or word lights up in every picture of the experiment. */
function light(root, keys) {
  if (!root) return;
  for (const mark of root.querySelectorAll(".lit")) if (!keysOf(mark).some((key) => keys.includes(key))) mark.classList.remove("lit");
  for (const band of root.querySelectorAll(".band")) band.remove();
  if (!keys.length) return;
  for (const mark of root.querySelectorAll(".picture [data-at]")) if (keysOf(mark).some((key) => keys.includes(key))) mark.classList.add("lit");
  for (const group of root.querySelectorAll("[data-grid]")) {
    const grid = gridOf(group), width = grid.w * grid.columns.length, height = grid.h * grid.rows.length;
    grid.rows.forEach((_, r) => keys.includes(keyed(grid.keys[0], r)) && band(group, grid.x, grid.y + r * grid.h, width, grid.h));
    grid.columns.forEach((_, c) => keys.includes(keyed(grid.keys[1], c)) && band(group, grid.x + c * grid.w, grid.y, grid.w, height));
  }
}

function band(group, x, y, width, height) {
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ class: "band", x, y, width, height })) rect.setAttribute(name, value);
  group.append(rect);
}

let lit = null;
function attend(mark, root) {
  say(mark);
  if (lit && lit !== root) light(lit, []);
  light(root, mark?.keys ?? []);
  lit = mark ? root : null;
}

document.addEventListener("pointermove", (event) => {
  if (held || event.pointerType === "touch") return;
  const mark = markAt(event);
  if (mark || lit) attend(mark, event.target instanceof Element ? event.target.closest(".experiment") ?? lit : lit);
});
document.addEventListener("pointerdown", (event) => { if (event.pointerType === "touch" && !held) { const mark = markAt(event); attend(mark, event.target.closest?.(".experiment") ?? lit); } });
document.addEventListener("scroll", () => { if (!held) say(null); }, true);

/* With the keyboard: Tab to a picture, then the arrow keys walk over its marks. */
const cursors = new WeakMap();
document.addEventListener("keydown", (event) => {
  const frame = event.target;
  if (!(frame instanceof Element) || !frame.matches(".frame")) return;
  const [down, right] = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key] ?? [];
  if (event.key === "Escape") return attend(null, frame.closest(".experiment"));
  if (down === undefined) return;
  const group = frame.querySelector("[data-grid]");
  let mark;
  if (group) {
    const grid = gridOf(group), at = cursors.get(frame) ?? [0, -right];
    const row = Math.max(0, Math.min(grid.rows.length - 1, at[0] + down)), column = Math.max(0, Math.min(grid.columns.length - 1, at[1] + right));
    cursors.set(frame, [row, column]);
    mark = cellAt(group, grid, row, column);
  } else {
    const marks = [...frame.querySelectorAll("[data-tip]")];
    if (!marks.length) return;
    const at = Math.max(0, Math.min(marks.length - 1, (cursors.get(frame) ?? -1) + (right || down)));
    cursors.set(frame, at);
    mark = { says: marks[at].dataset.tip, keys: keysOf(marks[at]), box: marks[at].getBoundingClientRect() };
  }
  event.preventDefault();
  attend(mark, frame.closest(".experiment"));
});
document.addEventListener("focusout", (event) => { if (event.target instanceof Element && event.target.matches(".frame, .handle")) attend(null, lit); });
document.addEventListener("focusin", (event) => {
  if (event.target instanceof Element && event.target.matches(".handle") && !held) attend({ says: event.target.dataset.tip, keys: keysOf(event.target), box: event.target.querySelector(".knob").getBoundingClientRect() }, event.target.closest(".experiment"));
});

/* A mark that can be chosen gives its value to a control. */
function pick(target) {
  const mark = target instanceof Element ? target.closest(".pick") : null;
  if (mark) seq2see.controls.get(`${mark.closest(".stage").dataset.experiment}-${mark.dataset.pick}`)?.choose(mark.dataset.value);
  return mark;
}
document.addEventListener("click", (event) => pick(event.target));
document.addEventListener("keydown", (event) => { if (["Enter", " "].includes(event.key) && pick(event.target)) event.preventDefault(); });

/* ---- dragging ---- */

let held = null; // the handle in the hand, and where it is

const numbers = (text) => text.split(" ").map(Number);

function controlOf(handle) {
  return seq2see.controls.get(`${handle.closest(".stage").dataset.experiment}-${handle.dataset.handle}`);
}

/* Move the mark in the browser at once; the model's answer follows. */
function put(handle, row) {
  const start = numbers(handle.dataset.start), unit = numbers(handle.dataset.unit), both = row.length === 2 ? row : [row[0], row[0]];
  const [x, y] = start.map((s, i) => s + both[i] * unit[i]);
  const stem = handle.querySelector(".stem"), knob = handle.querySelector(".knob");
  stem.setAttribute("x2", x); stem.setAttribute("y2", y); knob.setAttribute("cx", x); knob.setAttribute("cy", y);
}

function within(handle, row) {
  const { low, high } = handle.dataset;
  return row.map((value) => Math.round(Math.max(+low, Math.min(+high, value)) * 100) / 100);
}

function move(handle, row) {
  const next = within(handle, row), now = controlOf(handle)?.row(+handle.dataset.index);
  put(handle, next);
  if (now && next.some((value, i) => value !== now[i])) controlOf(handle).set(+handle.dataset.index, next);
  say({ says: `${handle.getAttribute("aria-label")}: ${next.map((v) => v.toFixed(2).replace("-", "−")).join(", ")}`, box: handle.querySelector(".knob").getBoundingClientRect() });
  return next;
}

document.addEventListener("pointerdown", (event) => {
  const handle = event.target instanceof Element ? event.target.closest(".handle") : null;
  if (!handle || event.button) return;
  event.preventDefault();
  handle.focus({ preventScroll: true });
  held = { handle, pointer: event.pointerId, row: controlOf(handle)?.row(+handle.dataset.index), frame: 0 };
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
  const start = numbers(handle.dataset.start), unit = numbers(handle.dataset.unit), at = [x, y].map((p, i) => (unit[i] ? (p - start[i]) / unit[i] : 0));
  held.row = move(handle, +handle.dataset.size === 2 ? at : [unit[0] ? at[0] : at[1]]);
}
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, (event) => {
  if (!held || event.pointerId !== held.pointer) return;
  if (held.frame) { cancelAnimationFrame(held.frame); follow(); }
  held = null;
  document.body.classList.remove("holding");
  say(null);
});
/* A double click gives a bar all there is. */
document.addEventListener("dblclick", (event) => {
  const handle = event.target instanceof Element ? event.target.closest(".handle") : null;
  if (handle && +handle.dataset.size === 1) move(handle, [+handle.dataset.high]);
});
/* After a redraw the hand is still where it is. */
seq2see.hold = () => { if (held?.row && held.handle.isConnected) put(held.handle, held.row); };

document.addEventListener("keydown", (event) => {
  const handle = event.target;
  if (!(handle instanceof Element) || !handle.matches(".handle")) return;
  const step = +handle.dataset.step * (event.shiftKey ? 4 : 1), row = [...controlOf(handle).row(+handle.dataset.index)];
  const flat = row.length === 1;
  const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step], PageUp: [0, 5 * step], PageDown: [0, -5 * step] }[event.key];
  if (by) { row[0] += flat ? by[0] + by[1] : by[0]; if (!flat) row[1] += by[1]; }
  else if (event.key === "Delete" && flat) row[0] = +handle.dataset.low;
  else if (event.key === "Home" && flat) row[0] = +handle.dataset.low;
  else if (event.key === "End" && flat) row[0] = +handle.dataset.high;
  else return;
  event.preventDefault();
  move(handle, row);
});
