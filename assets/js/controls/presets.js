import { OWN } from "../address.js";
import { chip, h } from "../dom.js";
import { memory, whenTouched } from "../memory.js";

const arrived = { query: location.search.slice(1) }; // the link that brought us here, until it is used

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
  const meant = () => {
    const link = new URLSearchParams(arrived.query), wanted = link.get("experiment");
    if (wanted !== spec.slug && !(spec.first && !spec.known.includes(wanted))) return "";
    const { query } = arrived;
    arrived.query = "";
    return (wanted && wanted !== spec.slug) || [...link.keys()].some((name) => !OWN.includes(name)) ? query : "";
  };
  return {
    element: h("div", { class: "widget presets" }, chips.length ? h("span", { class: "label" }, "Try") : null, ...chips, watch),
    show: () => {},
    count: chips.length,
    reset: () => choose(-1),
    link: (query) => { mark(-1); send(query, false); }, // a room's
    mounted: () => { // a link for this experiment: once, when it is first there; else as this visitor left it, with what was made
      const query = meant() || memory.read().left?.[spec.id.replace(/-presets$/, "")];
      if (query) send(query, false);
    },
  };
}
