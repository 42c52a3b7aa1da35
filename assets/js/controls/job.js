import { chip, h } from "../dom.js";
import { whenTouched } from "../memory.js";

/* Long work: start, how far, stop. It ends when its settings change; what still comes in then is not shown. */
export function job(spec, send, trigger) {
  let running = false, dropped = false;
  const bar = h("progress", { max: 1, value: 0, "aria-label": spec.label, hidden: true });
  const cancel = () => { if (running) { show(null); dropped = true; trigger("stop"); } };
  const stop = chip("stop", cancel, { hidden: true });
  const start = chip(spec.label, () => { dropped = false; show(0); send(0); });
  const show = (share) => {
    running = typeof share === "number" && !dropped;
    bar.hidden = stop.hidden = !running;
    start.disabled = running;
    bar.value = share ?? 0;
  };
  const element = h("div", { class: "widget job" }, h("div", { class: "chips" }, start, bar, stop));
  whenTouched((id, by) => { if (spec.id === `${id}-job` && !by.contains(element)) cancel(); });
  return { element, show, dropped: () => dropped };
}
