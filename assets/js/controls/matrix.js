import { h } from "../dom.js";
import { shown, understood } from "../numbers.js";

const changed = (rows, r, c, value) => rows.map((row, i) => (i === r ? row.map((cell, j) => (j === c ? value : cell)) : row));
const within = ({ low, high }, number) => Math.min(high, Math.max(low, Math.round(number * 1000) / 1000));

/* Numbers that only a picture shows (cells.js): here is their value. */
function unseen(spec, send) {
  let rows = spec.default;
  return {
    element: h("div", { class: "widget" }),
    show: (value) => { rows = value; },
    cell: (r, c) => rows[r][c],
    set: (r, c, value) => send((rows = changed(rows, r, c, within(spec, value)))),
  };
}

/* Numbers cell by cell: type, arrow up and down, drag sideways, or paste a block. In a table of its own, or in a picture. */
export function matrix(spec, send) {
  if (spec.in_picture) return unseen(spec, send);
  let rows = spec.default, shape = [spec.default.length, spec.default[0].length];
  const table = h("table", { class: "matrix", role: "group", "aria-label": spec.label });
  const size = h("span", { class: "shape" }), wrong = h("p", { class: "wrong cell-wrong", role: "status" });
  const fields = new Map();
  const range = `between ${shown(spec.low)} and ${shown(spec.high)}`;
  const good = (value) => Number.isFinite(value) && value >= spec.low && value <= spec.high;
  const put = (r, c, value) => { rows = changed(rows, r, c, value); };
  const clamp = (number) => within(spec, number);
  const sent = () => { fill(); if (rows.flat().every(good)) send(rows); };
  const nudge = (r, c, by) => { if (good(rows[r][c])) { put(r, c, clamp(rows[r][c] + by)); sent(); } };
  const keys = (event, r, c) => {
    const by = spec.step * (event.shiftKey ? 10 : 1);
    if (event.key === "ArrowUp") nudge(r, c, by);
    else if (event.key === "ArrowDown") nudge(r, c, -by);
    else if (event.key === "Enter") (fields.get(`${r + 1} ${c}`) ?? fields.get(`0 ${c + 1}`))?.select();
    else return;
    event.preventDefault();
  };
  const paste = (event, r, c) => {
    const lines = event.clipboardData.getData("text").trim().split(/\r?\n|;/);
    const block = lines.map((line) => line.trim().split(/[\t, ]+/));
    if (block.length * block[0].length < 2) return;
    event.preventDefault();
    block.forEach((line, i) => line.forEach((text, j) => {
      if (r + i < shape[0] && c + j < shape[1]) put(r + i, c + j, understood(text));
    }));
    fill(true);
    sent();
  };
  const scrub = (event, r, c) => {
    const field = event.target, from = event.clientX, start = rows[r][c];
    if (document.activeElement === field || !good(start) || event.button) return;
    const move = (e) => {
      if (Math.abs(e.clientX - from) <= 3) return;
      e.preventDefault();
      field.classList.add("scrubbed");
      put(r, c, clamp(Math.round((start + (e.clientX - from) * spec.step / 8) / spec.step * 2) * spec.step / 2));
      sent();
    };
    const up = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", up);
      if (field.classList.contains("scrubbed")) { field.classList.remove("scrubbed"); field.blur(); }
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
  };
  const fill = (all) => {
    let bad = "";
    for (const [key, field] of fields) {
      const [r, c] = key.split(" "), value = rows[r][c], fine = good(value);
      if (all || fine && understood(field.value) !== value) field.value = Number.isNaN(value) ? field.value : shown(value);
      if (!fine) bad = `Row ${+r + 1}, column ${+c + 1}: a number ${range}, please.`;
      field.toggleAttribute("aria-invalid", !fine);
      field.style.setProperty("--share", fine ? Math.min(1, Math.abs(value)) : 0);
      field.dataset.sign = value < 0 ? "minus" : "plus";
    }
    wrong.textContent = bad;
  };
  const cell = (r, c) => {
    const field = h("input", {
      inputmode: "decimal", autocomplete: "off", "aria-label": `${spec.label}, row ${r + 1}, column ${c + 1}`,
      oninput: () => { put(r, c, understood(field.value)); sent(); },
      onkeydown: (e) => keys(e, r, c), onpaste: (e) => paste(e, r, c), onpointerdown: (e) => scrub(e, r, c), onfocus: () => field.select(),
    });
    fields.set(`${r} ${c}`, field);
    return h("td", {}, field);
  };
  const build = () => {
    fields.clear();
    const line = (r) => h("tr", {}, ...Array.from({ length: shape[1] }, (_, c) => cell(r, c)));
    table.replaceChildren(h("tbody", {}, ...Array.from({ length: shape[0] }, (_, r) => line(r))));
    size.textContent = `${shape[0]}×${shape[1]}`;
    fill(true);
  };
  const element = h("div", { class: "widget" }, h("div", { class: "label" }, h("span", {}, spec.label), size), table, wrong);
  return {
    element,
    show: (value) => {
      rows = value;
      if (fields.size !== shape[0] * shape[1]) build(); else fill(!table.contains(document.activeElement));
    },
    limit: ([r, c]) => {
      element.toggleAttribute("hidden", !(r && c));
      if (r !== shape[0] || c !== shape[1]) { shape = [r, c]; build(); }
    },
    cell: (r, c) => rows[r][c],
    set: (r, c, value) => { put(r, c, clamp(value)); sent(); }, // from a picture
  };
}
