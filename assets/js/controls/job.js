import { linked } from "../address.js";
import { chip, h } from "../dom.js";
import { controls, memory, touched, whenTouched } from "../memory.js";
import { show as showStage } from "../stages.js";

const OFTEN = 300; // milliseconds between two questions
const OTHERS = /-(predict|presets|acts|job)$/; // widgets that set nothing

/* Long work: start, place in line, how far, stop. It ends when its settings change; what still comes in then is not shown.
   Who closes the page and comes back finds it again: going on, or as far as it came before nobody asked any more. */
export function job(spec) {
  const id = spec.id.replace(/-job$/, "");
  let order = null; // the one we wait for
  const bar = h("progress", { max: 1, value: 0, "aria-label": spec.label, hidden: true });
  const said = h("p", { class: "watch", role: "status" });
  const stop = chip("stop", () => drop(), { hidden: true });
  const start = chip(spec.label, () => begin(id));
  const onward = chip(spec.onward, () => begin(`${id}-onward`), { hidden: true }); // with what was made
  const busy = (yes) => { bar.hidden = stop.hidden = !yes; start.disabled = onward.disabled = yes; };

  function waited() { // since an earlier visit
    const { order: left } = memory.read();
    return left?.stage === id ? left : null;
  }

  async function begin(what) {
    touched(element, spec.id);
    const mine = order = {};
    busy(true);
    bar.removeAttribute("value");
    said.textContent = "";
    const { code: room, secret } = memory.read().room ?? {}; // who leads a room goes first
    const headers = { "Content-Type": "application/json", ...(secret ? { Authorization: `Bearer ${secret}` } : {}) };
    const body = JSON.stringify({ visitor: visitor(), room, values: settings(id), acts: controls.get(`${id}-acts`)?.value() ?? [] });
    const answer = await ask(`work/${what}`, { method: "POST", body, headers });
    if (order !== mine) return answer.id && end(answer.id);
    if (!answer.id) return finish(answer.message);
    follow(Object.assign(mine, { id: answer.id, seen: 0, misses: 0 }));
  }

  async function follow(mine) {
    const told = await ask(`work/${mine.id}/progress?seen=${mine.seen}`);
    if (order !== mine) return;
    memory.write({ order: { id: mine.id, stage: id, at: location.search } });
    if (told.stage) {
      mine.seen = told.parts;
      showStage(id, told.stage);
      if (mine.found) restore(told.stage);
      mine.found = false;
    }
    if (told.state === "waits") said.textContent = waiting(told);
    else if (told.state === "runs") { bar.value = told.share; said.textContent = ""; }
    else if (told.state) return finish(told.state === "lost" ? "The server lost this. Please start it again." : told.message);
    else if (told.message && ++mine.misses > 5) return finish(told.message);
    setTimeout(follow, OFTEN, mine);
  }

  function drop() {
    if (order?.id) end(order.id);
    if (order || waited()) finish("");
  }
  function finish(message) {
    order = null;
    memory.write({ order: null });
    busy(false);
    said.textContent = message ?? "";
  }

  /* All controls as they were when it was ordered. */
  function restore(stage) {
    const { link } = JSON.parse(stage.slice(0, stage.indexOf("\n")));
    controls.get(`${id}-presets`).link(link);
  }
  whenTouched((experiment, by) => { if (experiment === id && !/-(acts|job)$/.test(by)) drop(); });
  const element = h("div", { class: "widget job" }, h("div", { class: "chips" }, start, onward, bar, stop), said);
  return {
    element,
    show: () => {},
    limit: (can) => { onward.hidden = !can; },
    mounted: () => { // a link to something else shows that
      const left = waited();
      if (!left || (linked(id) && left.at !== location.search)) return;
      busy(true);
      follow(order = { id: left.id, seen: 0, misses: 5, found: true });
    },
  };
}

const waiting = ({ ahead, seconds }) => (ahead
  ? `${ahead === 1 ? "One other is" : `${ahead} others are`} before you: about ${seconds} seconds.` : "Next.");

const end = (id) => navigator.sendBeacon(new URL(`work/${id}/stop`, document.baseURI));

/* An answer, or a message that says why there is none. */
async function ask(address, options = {}) {
  try {
    const answer = await fetch(new URL(address, document.baseURI), options);
    return await answer.json();
  } catch {
    return { message: "The server does not answer. Please try again in a moment." };
  }
}

/* A name for this browser, made up once: one piece of work at a time is theirs. */
function visitor() {
  const made = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join("");
  if (!memory.read().visitor) memory.write({ visitor: made() });
  return memory.read().visitor ?? "";
}

/* What the controls of an experiment are set to. */
function settings(id) {
  const own = [...controls].filter(([key]) => key.startsWith(`${id}-`) && !OTHERS.test(key));
  return Object.fromEntries(own.map(([key, control]) => [key.slice(id.length + 1), control.value()]));
}
