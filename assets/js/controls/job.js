import { showLink } from "../draw.js";
import { onTouched, touched, valuesOf } from "../experiments.js";
import { postJSON, url } from "../fetch_with_retry.js";
import { memory } from "../memory.js";
import { show } from "../stage.js";

const OFTEN = 300; // milliseconds between two questions

/* Long work: start, place in line, how far, stop. It ends when its settings change; what still comes in then is not shown.
   Who closes the page and comes back finds it again: going on, or as far as it came before nobody asked any more. */
export function mountJob(experiment, element) {
  const { id } = experiment, part = (name) => element.querySelector(`[data-part="${name}"]`);
  const bar = element.querySelector("progress"), said = element.querySelector(".watch");
  const start = part("start"), onward = part("onward"), stop = part("stop"); // `onward` goes on with what was made
  let order = null; // the one we wait for
  let sending = Promise.resolve(); // orders are sent one after the other: on the server the latest takes the place of the others
  const setBusy = (isBusy) => {
    bar.hidden = stop.hidden = !isBusy;
    for (const button of [start, onward].filter(Boolean)) button.disabled = isBusy;
  };
  start.addEventListener("click", () => begin(id));
  onward?.addEventListener("click", () => begin(`${id}-onward`));
  stop.addEventListener("click", () => drop());

  function waited() { // since an earlier visit
    const { order: left } = memory.read();
    return left?.stage === id ? left : null;
  }

  async function begin(what) {
    touched(experiment, "job");
    const mine = order = {};
    setBusy(true);
    bar.removeAttribute("value");
    said.textContent = "";
    const { code: room, secret } = memory.read().room ?? {}; // who leads a room goes first
    const proof = secret ? { headers: { Authorization: `Bearer ${secret}` } } : {};
    const body = { visitor: visitor(), room, values: valuesOf(experiment), acts: experiment.acts };
    const send = () => (order === mine ? answered(postJSON(`work/${what}`, body, proof)) : {});
    const answer = await (sending = sending.then(send));
    if (order !== mine) return answer.id && end(answer.id);
    if (!answer.id) return finish(answer.message);
    follow(Object.assign(mine, { id: answer.id, seen: 0, misses: 0 }));
  }

  async function follow(mine) {
    const told = await answered(fetch(url(`work/${mine.id}/progress?seen=${mine.seen}`)));
    if (order !== mine) return;
    memory.write({ order: { id: mine.id, stage: id, at: location.search } });
    if (told.stage) {
      mine.seen = told.parts;
      show(experiment, told.stage);
      if (mine.found) showLink(experiment, JSON.parse(told.stage.slice(0, told.stage.indexOf("\n"))).link); // as it was ordered
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
    setBusy(false);
    said.textContent = message ?? "";
  }
  onTouched((one, by) => { if (one === experiment && !["acts", "job"].includes(by)) drop(); });
  return {
    limit: (can) => { if (onward) onward.hidden = !can; },
    resume() { // a link to something else shows that
      const left = waited();
      if (!left || (experiment.isLinked && left.at !== location.search)) return;
      setBusy(true);
      follow(order = { id: left.id, seen: 0, misses: 5, found: true });
    },
  };
}

const waiting = ({ ahead, seconds }) => (ahead
  ? `${ahead === 1 ? "One other is" : `${ahead} others are`} before you: about ${seconds} seconds.` : "Next.");

const end = (id) => postJSON(`work/${id}/stop`, {}, { keepalive: true }).catch(() => {});

/* An answer, or a message that says why there is none. */
async function answered(request) {
  try {
    return await (await request).json();
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
