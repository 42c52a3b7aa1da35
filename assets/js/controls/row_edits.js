import { chip, replaceKeepingFocus } from "../dom.js";
import { translate } from "../language.js";
import { addNumberFields } from "./by_number.js";

const rowsOf = (text) => text.split(";").map((row) => row.split(",").map(Number));
const textOf = (rows) => rows.map((row) => row.join(",")).join(";");

/* Control for the marks that are dragged in a picture (drag.js). */
export function dragHandles(element, send, experiment) {
  const field = element.querySelector("input");
  const row = (index) => rowsOf(field.value)[index];
  const setRow = (index, next) => {
    field.value = textOf(rowsOf(field.value).map((old, i) => (i === index ? next : old)));
    send();
  };
  return {
    initial: textOf(rowsOf(element.dataset.default)),
    read: () => textOf(rowsOf(field.value)),
    show: (text) => { field.value = text; },
    row,
    setRow,
    drawn: addNumberFields(element, experiment, row, setRow),
  };
}

/* Format step numbers as ranges: 1, 2, 3, 5 → 1–3, 5. */
const ranges = (steps) => steps.filter((step) => !steps.includes(step - 1)).map((first) => {
  let last = first;
  while (steps.includes(last + 1)) last++;
  return first === last ? `${first}` : `${first}–${last}`;
}).join(", ");

/* Rows that the learner has changed, by step, as text: 5:0,1,0;6:… The current step's row is dragged or
   chosen from offers. */
export function rowEdits(element, send, experiment) {
  const field = element.querySelector("input"), offers = element.querySelector(".chips"),
    summary = element.querySelector(".watch");
  let now = { step: 1, row: [], offers: {} };
  const changed = () => field.value.split(";").filter(Boolean).map((part) => [+part.split(":")[0], part])
    .sort(([a], [b]) => a - b);
  const write = (parts) => { field.value = parts.map(([, part]) => part).join(";"); };
  const others = () => changed().filter(([step]) => step !== now.step);
  const setCurrent = (row) => {
    write([...others(),
      [now.step, `${now.step}:${row.map((v) => Math.round(v * 1000) / 1000).join(",")}`]].sort(([a], [b]) =>
      a - b));
    update();
    send();
  };
  const undo = (all) => { write(all ? [] : others()); update(); send(); };
  const update = () => {
    const steps = changed().map(([step]) => step);
    replaceKeepingFocus(offers, ...Object.entries(now.offers ?? {})
      .map(([name, row]) => chip(name, () => setCurrent(row))),
      chip(translate("undo step"), () => undo(false), { disabled: !steps.includes(now.step) }),
      chip(translate("undo all"), () => undo(true), { disabled: !steps.length }));
    const template = steps.length > 1 ? "You changed steps {steps}." : "You changed step {steps}.";
    summary.textContent = steps.length ? translate(template, { steps: ranges(steps) }) : "";
  };
  const row = (index) => [now.row[index]];
  const setRow = (index, [value]) => { // the other weights share the remainder in their old proportions
    const rest = now.row.reduce((sum, v, i) => sum + (i === index ? 0 : v), 0), left = 1 - value;
    const share = (v) => (rest > 0 ? (v / rest) * left : left / Math.max(1, now.row.length - 1));
    now = { ...now, row: now.row.map((v, i) => (i === index ? value : share(v))) };
    setCurrent(now.row);
  };
  return {
    read: () => field.value,
    show: (text) => { field.value = text; update(); },
    limit: (given) => { now = given; update(); },
    row,
    setRow,
    drawn: addNumberFields(element, experiment, row, setRow),
  };
}
