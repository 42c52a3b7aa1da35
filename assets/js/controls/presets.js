import { linked } from "../address.js";
import { chip, h } from "../dom.js";
import { memory, whenTouched } from "../memory.js";

/* "Try": chips, and what to watch beside them. −1 is reset. */
export function presets(spec, send) {
  const watch = h("p", { class: "watch", "aria-live": "polite" });
  const chips = spec.items.map((item, index) => chip(item.title, () => choose(index), { "aria-pressed": "false" }));
  const mark = (index) => {
    chips.forEach((one, i) => one.setAttribute("aria-pressed", String(i === index)));
    watch.textContent = index < 0 ? "" : spec.items[index].watch;
  };
  const choose = (index) => { send(index); mark(index); };
  whenTouched((id, by) => { if (spec.id === `${id}-presets` && !/-(presets|acts|job)$/.test(by)) mark(-1); });
  return {
    element: h("div", { class: "widget presets" }, chips.length ? h("span", { class: "label" }, "Try") : null, ...chips, watch),
    show: () => {},
    count: chips.length,
    reset: () => choose(-1),
    link: (query) => { mark(-1); send(query, false); }, // a room's
    mounted: () => { // as this visitor left it, with what was made; a link shows what it says
      const id = spec.id.replace(/-presets$/, ""), query = !linked(id) && memory.read().left?.[id];
      if (query) send(query, false);
    },
  };
}
