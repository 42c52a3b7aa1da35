import { chip, h } from "../dom.js";
import { memory } from "../memory.js";
import { label } from "./label.js";

/* What long work has made for this visitor: a chip for each, the one in view pressed. The names stay in this browser. */
export function made(spec, send) {
  const id = spec.id.slice(0, -spec.name.length - 1); // of the experiment
  let names = [];
  const chips = h("div", { class: "chips", role: "group", "aria-label": spec.label });
  const element = h("div", { class: "widget made", hidden: true }, label(spec), chips);
  const keep = (value) => {
    names = value;
    memory.keep("made", spec.id, names);
    if (!names.length) memory.keep("left", id);
  };
  const take = (value) => { keep(value); send(value); };
  const first = (name) => [name, ...names.filter((other) => other !== name)];
  const forget = () => { // here, and on the server
    navigator.sendBeacon(new URL("work/forget", document.baseURI), names.join(","));
    take([]);
  };
  const control = {
    element,
    limit: (all) => {
      const { link } = document.querySelector(`#${id} .stage`)?.dataset ?? {};
      if (all?.length) memory.keep("left", id, link);
      else if (all && names.length) {
        if (!new URLSearchParams(link).has(spec.name)) return; // a preset shows something else
        keep([]); // they are gone
      }
      element.hidden = !all?.length; // none at all: they were made of something else
      const press = (name) => ({ "aria-pressed": String(name === names[0]) });
      chips.replaceChildren(...(all ?? []).map(([name, words]) => chip(words, () => take(first(name)), press(name))),
        chip("forget all", forget));
    },
    show: (value) => {
      if (value?.length) keep(value);
      else if (names.length) control.keep(names); // a preset sets everything, but takes nothing away
    },
    mounted: () => { // those of an earlier visit; a link shows what it says, and they come with the next move
      if (!names.length) names = memory.read().made?.[spec.id] ?? [];
      control.keep(names);
    },
  };
  return control;
}
