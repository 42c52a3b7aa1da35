/* Request drawings: one at a time per experiment, always the latest state. The browser caches the answers. */

import { config } from "./config.js";
import { phone } from "./dom.js";
import { experiments, isPrivate, linkOf, setControls, drawingOf, touched, valuesOf } from "./experiments.js";
import { fetchWithRetry, url } from "./fetch_with_retry.js";
import { translate } from "./language.js";
import { show } from "./show_drawing.js";

const MAX_ADDRESS_CHARS = 2000;
const PREFETCH_DELAY_MS = 400; // delay after the last drawing
const PREFETCH_PAUSE_MS = 20_000; // pause after the server was busy
const MAX_RECENT = 48;
const recent = new Map(); // address → drawing
// the server limits the requests in flight of one visitor
const visitor = Math.random().toString(36).slice(2);
let pausedUntil = 0, timer, turn = 0;

/* Draw the current state of the controls. */
export const redraw = (experiment) => request(experiment, null);

/* Pictures have another layout on a phone. */
phone.addEventListener("change", () => {
  for (const experiment of experiments.values()) if (drawingOf(experiment)) redraw(experiment);
});

/* Set all controls to the state of a link, and draw. */
export const showLink = (experiment, link) => request(experiment, link);

/* Return to the default state, but keep the results of jobs. */
export function reset(experiment) {
  touched(experiment, "presets");
  experiment.presets?.mark(null);
  showLink(experiment, `experiment=${experiment.slug}`);
}

/* Wait until the requested drawing is shown, but at most a second. */
export async function whenDrawn({ flow }) {
  for (let frames = 0; flow?.busy && frames < 60; frames += 1) await new Promise(requestAnimationFrame);
}

function request(experiment, link) {
  const flow = (experiment.flow ??= { wanted: false, link: null, busy: false });
  turn += 1;
  clearTimeout(timer);
  Object.assign(flow, { wanted: true, link });
  // set them now, so that changes before the answer arrives apply to this state
  if (link !== null) setControls(experiment, link);
  if (!flow.busy) flush(experiment, flow);
}

async function flush(experiment, flow) {
  flow.busy = true;
  try {
    while (flow.wanted) {
      flow.wanted = false;
      const address = addressOf(experiment, flow.link);
      show(experiment, recent.get(address) ?? await ask(experiment, address));
    }
  } finally { flow.busy = false; } // also after an error, so that the next state is drawn
}

/* The URL of a drawing; null if the state is private or too long, so that it must be sent by POST and is not
   cached. */
function addressOf(experiment, link) {
  const query = `${link ?? linkOf(experiment)}${phone.matches ? "&narrow=1" : ""}`;
  if (link === null && (query.length > MAX_ADDRESS_CHARS || isPrivate(experiment))) return null;
  return `draw/${experiment.lesson}/${experiment.slug}?${query}&_v=${config.version}`;
}

async function ask(experiment, address) {
  const body = JSON.stringify({ values: valuesOf(experiment), acts: experiment.acts, narrow: phone.matches });
  const headers = { "X-Visitor": visitor, "Content-Type": "application/json" };
  const answer = address ? await fetchWithRetry(url(address), { headers: { "X-Visitor": visitor } })
    : await fetchWithRetry(url(`draw/${experiment.lesson}/${experiment.slug}`),
      { method: "POST", body, headers });
  const text = await answer.text();
  if (address && answer.headers.get("Cache-Control")?.includes("immutable")) remember(address, text);
  return answer.ok ? text : errorBody(text);
}

/* Recent drawings. The browser caches them too, but its cache takes some milliseconds. */
function remember(address, text) {
  recent.set(address, text);
  if (recent.size > MAX_RECENT) recent.delete(recent.keys().next().value);
}

/* Convert a server error to the form of a drawing's error. */
const errorBody = (text) => JSON.stringify({
  complaint: text.length < 300 && !text.startsWith("<") ? text
    : translate("This could not be shown. Please try another setting, or reset."),
});

/* ---- prefetching ---- */

/* Prefetch the next steps and the presets of this experiment into the browser's cache, one after the other.
   */
export function prefetch(experiment) {
  clearTimeout(timer);
  if (!experiment.moved || navigator.connection?.saveData || document.hidden || isPrivate(experiment)) return;
  timer = setTimeout(async () => {
    const mine = turn;
    for (const query of nextLinks(experiment)) {
      if (mine !== turn || performance.now() < pausedUntil) return;
      const address = url(addressOf(experiment, query));
      const answer = await fetch(address, { priority: "low",
        headers: { "X-Ahead": "1", "X-Visitor": visitor } }).catch(() => null);
      if (answer?.status !== 200) pausedUntil = performance.now() + PREFETCH_PAUSE_MS;
      await answer?.arrayBuffer().catch(() => null); // the browser may not cache a body that is not read
    }
  }, PREFETCH_DELAY_MS);
}

function* nextLinks(experiment) {
  for (const [name, control] of experiment.controls) {
    for (const text of control.nextValues?.() ?? []) yield linkOf(experiment, { [name]: text });
  }
  yield* experiment.presets?.links ?? [];
}
