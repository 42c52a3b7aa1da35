import { chip, replaceKeepingFocus } from "../dom.js";
import { drawingOf } from "../experiments.js";
import { postJSON } from "../fetch_with_retry.js";
import { memory } from "../memory.js";

/* Saved results of this visitor's jobs, one button each. This browser stores their names. */
export function savedRuns(element, send, experiment) {
  const { name } = element.dataset, key = `${experiment.id}-${name}`, chips = element.querySelector(".chips");
  const first = element.querySelector("input").value;
  // names in the link have priority; names from storage are sent with the next change
  let names = first ? first.split(",") : memory.read().made?.[key] ?? [];
  const store = (value) => {
    names = value;
    memory.set("made", key, names);
    if (!names.length) memory.set("left", experiment.id);
  };
  const apply = (value) => { store(value); send(); };
  const toFront = (one) => [one, ...names.filter((other) => other !== one)];
  const forget = async () => { // delete them on the server first, so that the next drawing does not use them
    await postJSON("work/forget", { names }, { keepalive: true }).catch(() => {});
    apply([]);
  };
  return {
    read: () => names.join(","),
    show: (text) => { if (text) store(text.split(",")); }, // a preset must not remove results
    limit: (all) => {
      const { link } = drawingOf(experiment).dataset;
      if (all?.length) memory.set("left", experiment.id, link);
      else if (all && names.length) {
        // the drawing is that of a preset without saved runs
        if (!new URLSearchParams(link).has(name)) return;
        store([]); // the results have expired
      }
      element.hidden = !all?.length; // hidden if there are no results, or only results for other data
      const press = (one) => ({ "aria-pressed": String(one === names[0]) });
      replaceKeepingFocus(chips, ...(all ?? [])
        .map(([one, words]) => chip(words, () => apply(toFront(one)), press(one))),
        chip("forget all", forget));
    },
  };
}
