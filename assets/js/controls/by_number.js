/* Number fields for the marks that are dragged in a picture: type a value, or change it with the arrow keys.
   */

import { h, setInvalid } from "../dom.js";
import { translate } from "../language.js";
import { parseNumber, withMinus } from "../numbers.js";

const KEY_STEP = 0.05;
const AXES = ["x", "y"];

/* Add a button that opens the fields. `row(index)` and `setRow(index, values)` read and set a mark. Returns a
   function that updates the fields after each drawing. */
export function addNumberFields(element, experiment, row, setRow) {
  const place = h("div", { class: "fields", hidden: true }),
    message = h("p", { class: "wrong cell-wrong", role: "status" });
  const button =
    h("button", { type: "button", class: "quiet", "aria-expanded": "false", hidden: true, onclick: () => {
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", String(!place.hidden));
    message.textContent = "";
    update();
    if (!place.hidden) place.querySelector("input")?.focus();
  } }, translate("type numbers"));
  (element.querySelector(".label") ?? element).append(" ", button);
  element.append(place, message);
  let fields = []; // {field, index, axis, low, high}

  function build(marks) {
    const names = marks.map((mark) => mark.getAttribute("aria-label"));
    const nameOf = (name, i) => (names.indexOf(name) === names.lastIndexOf(name) ? name
      : `${name} (${i + 1})`);
    fields = marks.flatMap((mark, i) => row(+mark.dataset.index).map((_, axis, { length }) => {
      const name = nameOf(names[i], i) + (length > 1 ? `, ${AXES[axis]}` : ""),
        low = +mark.getAttribute("aria-valuemin");
      const field = h("input", { "aria-label": name, inputmode: low < 0 ? "text"
        : "decimal", autocomplete: "off" });
      return { field, name, index: +mark.dataset.index, axis, low,
        high: +mark.getAttribute("aria-valuemax") };
    }));
    place.replaceChildren(...fields.map(({ field, name }) => h("label", {}, h("span", {}, name), field)));
  }

  function update() {
    const found = [...experiment.element.querySelectorAll(`.handle[data-handle="${element.dataset.name}"]`)];
    const marks = [...new Map(found.map((mark) => [mark.dataset.index, mark])).values()];
    button.hidden = !marks.length;
    if (place.hidden) return;
    const shape = JSON.stringify(marks.map((mark) => [mark.dataset.index, mark.getAttribute("aria-label")]));
    if (place.dataset.shape !== shape) build(marks);
    place.dataset.shape = shape;
    for (const { field, index, axis } of fields) {
      if (document.activeElement !== field)
        field.value = withMinus(Math.round(row(index)[axis] * 1000) / 1000);
    }
  }

  function set({ field, name, index, axis, low, high }, value) {
    const isValid = Number.isFinite(value) && value >= low && value <= high;
    setInvalid(field, !isValid);
    message.textContent = isValid ? ""
      : translate("{name}: a number between {low} and {high}, please.",
        { name, low: withMinus(low), high: withMinus(high) });
    if (isValid) setRow(index, row(index).map((old, i) => (i === axis ? value : old)));
  }

  const entryOf = (target) => fields.find(({ field }) => field === target);
  place.addEventListener("input", ({ target }) => set(entryOf(target), parseNumber(target.value)));
  place.addEventListener("focusin", ({ target }) => target.select());
  place.addEventListener("keydown", (event) => {
    const by = { ArrowUp: KEY_STEP, ArrowDown: -KEY_STEP }[event.key], entry = entryOf(event.target);
    if (!by || !entry) return;
    event.preventDefault();
    const value = parseNumber(entry.field.value) + by * (event.shiftKey ? 4 : 1);
    const next = Math.round(Math.min(entry.high, Math.max(entry.low, value)) * 1000) / 1000;
    if (Number.isNaN(next)) return;
    entry.field.value = withMinus(next);
    set(entry, next);
  });
  return update;
}
