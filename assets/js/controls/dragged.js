import { chip } from "../dom.js";

const rowsOf = (text) => text.split(";").map((row) => row.split(",").map(Number));
const textOf = (rows) => rows.map((row) => row.join(",")).join(";");

/* Marks that are dragged in a picture (drag.js): here is only their value. */
export function handles(element, send) {
  const field = element.querySelector("input");
  return {
    initial: textOf(rowsOf(element.dataset.default)),
    read: () => textOf(rowsOf(field.value)),
    show: (text) => { field.value = text; },
    row: (index) => rowsOf(field.value)[index],
    setRow: (index, row) => { field.value = textOf(rowsOf(field.value).map((old, i) => (i === index ? row : old))); send(); },
  };
}

/* 1, 2, 3, 5 → 1–3, 5 */
const ranges = (steps) => steps.filter((step) => !steps.includes(step - 1)).map((first) => {
  let last = first;
  while (steps.includes(last + 1)) last++;
  return first === last ? `${first}` : `${first}–${last}`;
}).join(", ");

/* Rows changed by the learner, by step; the row of the open step is dragged, or taken from an offer. As text: 5:0,1,0;6:… */
export function edits(element, send) {
  const field = element.querySelector("input"), offers = element.querySelector(".chips"), told = element.querySelector(".watch");
  let now = { step: 1, row: [], offers: {} };
  const changed = () => field.value.split(";").filter(Boolean).map((part) => [+part.split(":")[0], part]).sort(([a], [b]) => a - b);
  const write = (parts) => { field.value = parts.map(([, part]) => part).join(";"); };
  const others = () => changed().filter(([step]) => step !== now.step);
  const keep = (row) => {
    write([...others(), [now.step, `${now.step}:${row.map((v) => Math.round(v * 1000) / 1000).join(",")}`]].sort(([a], [b]) => a - b));
    say();
    send();
  };
  const drop = (all) => { write(all ? [] : others()); say(); send(); };
  const say = () => {
    const steps = changed().map(([step]) => step);
    offers.replaceChildren(...Object.entries(now.offers ?? {}).map(([name, row]) => chip(name, () => keep(row))),
      chip("undo step", () => drop(false), { disabled: !steps.includes(now.step) }),
      chip("undo all", () => drop(true), { disabled: !steps.length }));
    told.textContent = steps.length ? `You changed step${steps.length > 1 ? "s" : ""} ${ranges(steps)}.` : "";
  };
  return {
    read: () => field.value,
    show: (text) => { field.value = text; say(); },
    limit: (given) => { now = given; say(); },
    row: (index) => [now.row[index]],
    setRow: (index, [value]) => { // the others share what is left, in their old proportions
      const rest = now.row.reduce((sum, v, i) => sum + (i === index ? 0 : v), 0), left = 1 - value;
      const share = (v) => (rest > 0 ? (v / rest) * left : left / Math.max(1, now.row.length - 1));
      now = { ...now, row: now.row.map((v, i) => (i === index ? value : share(v))) };
      keep(now.row);
    },
  };
}
