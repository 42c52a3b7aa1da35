import { chip, h } from "../dom.js";

/* Marks that are dragged in a picture (pictures/drag.js): here is only their value. */
export function handles(spec, send) {
  let rows = spec.default;
  return {
    element: h("p", { class: "widget handles-note" }, "✥ ", spec.label),
    show: (value) => { rows = value; },
    set: (index, row) => { rows = rows.map((old, i) => (i === index ? row : old)); send(rows); },
    row: (index) => rows[index],
  };
}

/* 1, 2, 3, 5 → 1–3, 5 */
const ranges = (steps) => steps.filter((step) => !steps.includes(step - 1)).map((first) => {
  let last = first;
  while (steps.includes(last + 1)) last++;
  return first === last ? `${first}` : `${first}–${last}`;
}).join(", ");

/* Rows changed by the learner, by step; the row of the open step is dragged, or taken from an offer. */
export function edits(spec, send) {
  let kept = [], now = { step: 1, row: [], offers: {} };
  const offers = h("div", { class: "chips", role: "group", "aria-label": spec.label }), told = h("p", { class: "watch" });
  const rounded = (row) => row.map((v) => Math.round(v * 1000) / 1000);
  const others = () => kept.filter(([step]) => step !== now.step);
  const keep = (row) => send((kept = [...others(), [now.step, rounded(row)]]));
  const drop = (all) => send((kept = all ? [] : others()));
  const say = () => {
    const changed = kept.map(([step]) => step).sort((a, b) => a - b);
    offers.replaceChildren(...Object.entries(now.offers ?? {}).map(([name, row]) => chip(name, () => keep(row))),
      chip("undo step", () => drop(false), { disabled: !changed.includes(now.step) }),
      chip("undo all", () => drop(true), { disabled: !changed.length }));
    told.textContent = changed.length ? `You changed step${changed.length > 1 ? "s" : ""} ${ranges(changed)}.` : "";
  };
  return {
    element: h("div", { class: "widget" }, h("div", { class: "label" }, h("span", {}, "✥ ", spec.label)), offers, told),
    show: (value) => { kept = value ?? []; say(); },
    limit: (given) => { now = given; say(); },
    row: (index) => [now.row[index]],
    set: (index, [value]) => { // the others share what is left, in their old proportions
      const rest = now.row.reduce((sum, v, i) => sum + (i === index ? 0 : v), 0), left = 1 - value;
      const share = (v) => (rest > 0 ? (v / rest) * left : left / Math.max(1, now.row.length - 1));
      now = { ...now, row: now.row.map((v, i) => (i === index ? value : share(v))) };
      keep(now.row);
    },
  };
}
