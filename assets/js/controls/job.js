import { showLink } from "../draw.js";
import { onTouched, touched, valuesOf } from "../experiments.js";
import { postJSON, url } from "../fetch_with_retry.js";
import { memory } from "../memory.js";
import { show } from "../show_drawing.js";

const POLL_MS = 300;

/* A job: start, position in the queue, progress, stop. Changing a control stops it and discards further
   results. After a reload it continues, or shows the results so far. */
export function mountJob(experiment, element) {
  const { id } = experiment, part = (name) => element.querySelector(`[data-part="${name}"]`);
  const bar = element.querySelector("progress"), status = element.querySelector(".watch");
  // the button `onward` continues a saved run
  const start = part("start"), onward = part("onward"), stop = part("stop");
  let order = null; // the current job
  // one request at a time, because on the server the latest request replaces the others
  let sending = Promise.resolve();
  const setBusy = (isBusy) => {
    bar.hidden = stop.hidden = !isBusy;
    for (const button of [start, onward].filter(Boolean)) button.disabled = isBusy;
  };
  start.addEventListener("click", () => begin(id));
  onward?.addEventListener("click", () => begin(`${id}-onward`));
  stop.addEventListener("click", () => drop());

  function savedOrder() { // the job of an earlier visit
    const { order: saved } = memory.read();
    return saved?.stage === id ? saved : null;
  }

  async function begin(job) {
    touched(experiment, "job");
    const mine = order = {};
    setBusy(true);
    bar.removeAttribute("value");
    status.textContent = "";
    const { code: room, secret } = memory.read().room ?? {}; // a lecturer's job goes first
    const auth = secret ? { headers: { Authorization: `Bearer ${secret}` } } : {};
    const body = { visitor: visitor(), room, values: valuesOf(experiment), acts: experiment.acts };
    const send = () => (order === mine ? readJSON(postJSON(`work/${job}`, body, auth)) : {});
    const answer = await (sending = sending.then(send));
    if (order !== mine) return answer.id && end(answer.id);
    if (!answer.id) return finish(answer.message);
    follow(Object.assign(mine, { id: answer.id, seen: 0, misses: 0 }));
  }

  async function follow(mine) {
    const progress = await readJSON(fetch(url(`work/${mine.id}/progress?seen=${mine.seen}`)));
    if (order !== mine) return;
    memory.write({ order: { id: mine.id, stage: id, at: location.search } });
    if (progress.stage) {
      mine.seen = progress.parts;
      show(experiment, progress.stage);
      const { link } = JSON.parse(progress.stage.slice(0, progress.stage.indexOf("\n")));
      if (mine.found) showLink(experiment, link); // restore the state in which the job was started
      mine.found = false;
    }
    if (progress.state === "waits") status.textContent = waitingText(progress);
    else if (progress.state === "runs") { bar.value = progress.share; status.textContent = ""; }
    else if (progress.state)
      return finish(progress.state === "lost" ? "This run is lost. Please start it again."
      : progress.message);
    else if (progress.message && ++mine.misses > 5) return finish(progress.message);
    setTimeout(follow, POLL_MS, mine);
  }

  function drop() {
    if (order?.id) end(order.id);
    if (order || savedOrder()) finish("");
  }
  function finish(message) {
    order = null;
    memory.write({ order: null });
    setBusy(false);
    status.textContent = message ?? "";
  }
  onTouched((one, by) => { if (one === experiment && !["acts", "job"].includes(by)) drop(); });
  return {
    start: () => begin(id),
    limit: (can) => { if (onward) onward.hidden = !can; },
    resume() { // show the job of an earlier visit, unless the link leads to another state
      const saved = savedOrder();
      if (!saved || (experiment.isLinked && saved.at !== location.search)) return;
      setBusy(true);
      follow(order = { id: saved.id, seen: 0, misses: 5, found: true });
    },
  };
}

const waitingText = ({ ahead, seconds }) => (ahead
  ? `${ahead === 1 ? "One other is" : `${ahead} others are`} before you: about ${seconds} seconds.`
    : "Next.");

const end = (id) => postJSON(`work/${id}/stop`, {}, { keepalive: true }).catch(() => {});

/* The JSON of an answer, or a message if there is none. */
async function readJSON(request) {
  try {
    return await (await request).json();
  } catch {
    return { message: "The server does not answer. Please try again in a moment." };
  }
}

/* A random name for this browser, which may have one job at a time. */
function visitor() {
  const randomName = () => Array.from(crypto.getRandomValues(new Uint32Array(4)),
    (number) => number.toString(36)).join("");
  if (!memory.read().visitor) memory.write({ visitor: randomName() });
  return memory.read().visitor ?? "";
}
