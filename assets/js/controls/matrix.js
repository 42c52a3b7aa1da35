import { h, setInvalid } from "../dom.js";
import { translate } from "../language.js";
import { parseNumber, withMinus } from "../numbers.js";

const rowsOf = (text) => text.split(";").map((row) => row.split(",").map(Number));
const textOf = (rows) => rows.map((row) => row.join(",")).join(";");
const withCell = (rows, r, c, value) =>
  rows.map((row, i) => (i === r ? row.map((cell, j) => (j === c ? value : cell)) : row));

/* Edit a matrix cell by cell, in a table or in a picture: type, use the arrow keys, drag sideways, or paste a
   block. */
export function matrix(element, send) {
  const [low, high, step] = ["low", "high", "step"].map((name) => +element.dataset[name]);
  const field = element.querySelector("[data-field]"), table = element.querySelector("table");
  const clamp = (number) => Math.min(high, Math.max(low, Math.round(number * 1000) / 1000));
  let rows = rowsOf(field.value);
  const common = { initial: textOf(rowsOf(element.dataset.default)), read: () => field.value,
    cell: (r, c) => rows[r][c] };
  field.value = textOf(rows);
  if (!table) { // shown only in a picture (cells.js)
    return {
      ...common,
      show: (text) => { rows = rowsOf(text); field.value = textOf(rows); },
      setCell: (r, c, value) => {
        rows = withCell(rows, r, c, clamp(value));
        field.value = textOf(rows);
        send();
      },
    };
  }

  let shape = [table.rows.length, table.rows[0]?.cells.length ?? 0];
  const size = element.querySelector(".shape"), message = element.querySelector(".cell-wrong"),
    label = table.getAttribute("aria-label");
  const fieldAt = (r, c) => table.rows[r]?.cells[c]?.firstElementChild;
  const isValid = (value) => Number.isFinite(value) && value >= low && value <= high;
  const setValue = (r, c, value) => { rows = withCell(rows, r, c, value); };
  const update = () => {
    fill();
    if (!rows.flat().every(isValid)) return;
    field.value = textOf(rows);
    send();
  };
  const nudge = (r, c, by) => { if (isValid(rows[r][c])) {
    setValue(r, c, clamp(rows[r][c] + by));
    update();
  } };
  const positionOf = (input) => [input.closest("tr").rowIndex, input.closest("td").cellIndex];

  function fill(all) {
    let problem = "";
    for (let r = 0; r < shape[0]; r += 1) {
      for (let c = 0; c < shape[1]; c += 1) {
        const cell = fieldAt(r, c), value = rows[r][c], isGood = isValid(value);
        if (all || (isGood && parseNumber(cell.value) !== value))
          cell.value = Number.isNaN(value) ? cell.value : withMinus(value);
        if (!isGood)
          problem = translate("Row {row}, column {column}: a number between {low} and {high}, please.",
          { row: r + 1, column: c + 1, low: withMinus(low), high: withMinus(high) });
        setInvalid(cell, !isGood);
        cell.style.setProperty("--share", isGood ? Math.min(1, Math.abs(value)) : 0);
        cell.dataset.sign = value < 0 ? "minus" : "plus";
      }
    }
    message.textContent = problem;
  }

  function build() {
    const inputmode = low < 0 ? "text" : "decimal"; // a phone's number pad may have no minus
    const nameOf = (r, c) => `${label}, row ${r + 1}, column ${c + 1}`;
    const cell = (r, c) =>
      h("td", {}, h("input", { inputmode, autocomplete: "off", "aria-label": nameOf(r, c) }));
    table.tBodies[0].replaceChildren(...Array.from({ length: shape[0] }, (_, r) => h("tr", {},
      ...Array.from({ length: shape[1] }, (_, c) => cell(r, c)))));
    size.textContent = `${shape[0]}×${shape[1]}`;
    fill(true);
  }

  table.addEventListener("input", ({ target }) => {
    setValue(...positionOf(target), parseNumber(target.value));
    update();
  });
  table.addEventListener("focusin", ({ target }) => target.select());
  table.addEventListener("keydown", (event) => {
    const [r, c] = positionOf(event.target), by = step * (event.shiftKey ? 10 : 1);
    if (event.key === "ArrowUp") nudge(r, c, by);
    else if (event.key === "ArrowDown") nudge(r, c, -by);
    else if (event.key === "Enter") (fieldAt(r + 1, c) ?? fieldAt(0, c + 1))?.select();
    else return;
    event.preventDefault();
  });
  table.addEventListener("paste", (event) => {
    const [r, c] = positionOf(event.target),
      lines = event.clipboardData.getData("text").trim().split(/\r?\n|;/);
    const block = lines.map((line) => line.trim().split(/[\t, ]+/));
    if (block.length * block[0].length < 2) return;
    event.preventDefault();
    block.forEach((line, i) => line.forEach((text, j) => {
      if (r + i < shape[0] && c + j < shape[1]) setValue(r + i, c + j, parseNumber(text));
    }));
    fill(true);
    update();
  });
  table.addEventListener("pointerdown", (event) => { // a drag sideways changes the number
    const input = event.target;
    if (!(input instanceof HTMLInputElement) || event.button) return;
    const [r, c] = positionOf(input), from = event.clientX, start = rows[r][c];
    if (document.activeElement === input || !isValid(start)) return;
    const move = (e) => {
      if (Math.abs(e.clientX - from) <= 3) return;
      e.preventDefault();
      input.classList.add("scrubbed");
      setValue(r, c, clamp(Math.round((start + (e.clientX - from) * step / 8) / step * 2) * step / 2));
      update();
    };
    const up = () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener);
      if (input.classList.contains("scrubbed")) { input.classList.remove("scrubbed"); input.blur(); }
    };
    const listeners = [["pointermove", move], ["pointerup", up], ["pointercancel", up]];
    for (const [name, listener] of listeners) window.addEventListener(name, listener);
  });
  fill(true);
  return {
    ...common,
    show: (text) => {
      rows = rowsOf(text);
      field.value = textOf(rows);
      fill(!table.contains(document.activeElement));
    },
    limit: ([r, c]) => {
      element.toggleAttribute("hidden", !(r && c));
      if (r !== shape[0] || c !== shape[1]) { shape = [r, c]; build(); }
    },
    // called when a cell is edited in a picture
    setCell: (r, c, value) => { setValue(r, c, clamp(value)); update(); },
  };
}
