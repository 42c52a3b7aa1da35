import { chip } from "../dom.js";
import { stageOf } from "../experiments.js";
import { postJSON } from "../fetch_with_retry.js";
import { memory } from "../memory.js";

/* What long work has made for this visitor: a chip for each, the one in view pressed. The names stay in this browser. */
export function made(element, send, experiment) {
  const { name } = element.dataset, key = `${experiment.id}-${name}`, chips = element.querySelector(".chips");
  const first = element.querySelector("input").value;
  let names = first ? first.split(",") : memory.read().made?.[key] ?? []; // a link shows what it says; these come with the next move
  const keep = (value) => {
    names = value;
    memory.keep("made", key, names);
    if (!names.length) memory.keep("left", experiment.id);
  };
  const take = (value) => { keep(value); send(); };
  const toFront = (one) => [one, ...names.filter((other) => other !== one)];
  const forget = async () => { // on the server first: what the page says of them is true then
    await postJSON("work/forget", { names }, { keepalive: true }).catch(() => {});
    take([]);
  };
  return {
    read: () => names.join(","),
    show: (text) => { if (text) keep(text.split(",")); }, // a preset sets everything, but takes nothing away
    limit: (all) => {
      const { link } = stageOf(experiment).dataset;
      if (all?.length) memory.keep("left", experiment.id, link);
      else if (all && names.length) {
        if (!new URLSearchParams(link).has(name)) return; // a preset shows something else
        keep([]); // they are gone
      }
      element.hidden = !all?.length; // none at all: they were made of something else
      const press = (one) => ({ "aria-pressed": String(one === names[0]) });
      chips.replaceChildren(...(all ?? []).map(([one, words]) => chip(words, () => take(toFront(one)), press(one))),
        chip("forget all", forget));
    },
  };
}
