/* Drawings are asked for here, one at a time per experiment, the latest always. The browser's own cache keeps what was seen. */

import { config } from "./config.js";
import { phone } from "./dom.js";
import { experiments, isPrivate, linkOf, setControls, stageOf, touched, valuesOf } from "./experiments.js";
import { fetchWithRetry, url } from "./fetch_with_retry.js";
import { show } from "./stage.js";

const LONGEST = 2000; // characters of an address
const REST = 400, CALM = 20_000; // milliseconds: until the hand rests, and after the server had enough to do
const RECENT = 48;
const recent = new Map(); // address → drawing
const visitor = Math.random().toString(36).slice(2); // one visitor may have only so much in flight
let quietUntil = 0, timer, turn = 0;

/* A control was moved: draw what the controls say now. */
export const redraw = (experiment) => request(experiment, null);

/* On a phone pictures are laid out for its width. */
phone.addEventListener("change", () => {
  for (const experiment of experiments.values()) if (stageOf(experiment)) redraw(experiment);
});

/* A preset, a link of a lecture, or what was left here: all controls are set by it. */
export const showLink = (experiment, link) => request(experiment, link);

/* The opening settings. What long work has made stays. */
export function reset(experiment) {
  touched(experiment, "presets");
  experiment.presets?.mark(null);
  showLink(experiment, `experiment=${experiment.slug}`);
}

/* When the drawing that is asked for is there; or after a second. */
export async function whenDrawn({ flow }) {
  for (let frames = 0; flow?.busy && frames < 60; frames += 1) await new Promise(requestAnimationFrame);
}

function request(experiment, link) {
  const flow = (experiment.flow ??= { wanted: false, link: null, busy: false });
  turn += 1;
  clearTimeout(timer);
  Object.assign(flow, { wanted: true, link });
  if (link !== null) setControls(experiment, link); // at once: what is moved until the answer comes counts on top of it
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
  } finally { flow.busy = false; } // also where the answer was no drawing
}

/* The address of a drawing; none for what is private, or too long: that is sent, and kept nowhere. */
function addressOf(experiment, link) {
  const query = `${link ?? linkOf(experiment)}${phone.matches ? "&narrow=1" : ""}`;
  if (link === null && (query.length > LONGEST || isPrivate(experiment))) return null;
  return `draw/${experiment.lesson}/${experiment.slug}?${query}&_v=${config.version}`;
}

async function ask(experiment, address) {
  const body = JSON.stringify({ values: valuesOf(experiment), acts: experiment.acts, narrow: phone.matches });
  const headers = { "X-Visitor": visitor, "Content-Type": "application/json" };
  const answer = address ? await fetchWithRetry(url(address), { headers: { "X-Visitor": visitor } })
    : await fetchWithRetry(url(`draw/${experiment.lesson}/${experiment.slug}`), { method: "POST", body, headers });
  const text = await answer.text();
  if (address && answer.headers.get("Cache-Control")?.includes("immutable")) remember(address, text);
  return answer.ok ? text : refusal(text);
}

/* The last drawings are at hand at once; older ones are in the browser's own cache, which takes some milliseconds. */
function remember(address, text) {
  recent.set(address, text);
  if (recent.size > RECENT) recent.delete(recent.keys().next().value);
}

/* What the server would not take, as a drawing says it. */
const refusal = (text) => JSON.stringify({
  complaint: text.length < 300 && !text.startsWith("<") ? text : "This could not be shown. Please try another setting, or reset.",
});

/* ---- what may come next ---- */

/* The hand rests: the next steps and the presets of this experiment, one after the other, into the browser's cache. */
export function prefetch(experiment) {
  clearTimeout(timer);
  if (!experiment.moved || navigator.connection?.saveData || document.hidden || isPrivate(experiment)) return;
  timer = setTimeout(async () => {
    const mine = turn;
    for (const query of next(experiment)) {
      if (mine !== turn || performance.now() < quietUntil) return;
      const address = url(addressOf(experiment, query));
      const answer = await fetch(address, { priority: "low", headers: { "X-Ahead": "1", "X-Visitor": visitor } }).catch(() => null);
      if (answer?.status !== 200) quietUntil = performance.now() + CALM;
      await answer?.arrayBuffer().catch(() => null); // to its end: the browser may drop a body that nobody reads
    }
  }, REST);
}

function* next(experiment) {
  for (const [name, control] of experiment.controls) {
    for (const text of control.coming?.() ?? []) yield linkOf(experiment, { [name]: text });
  }
  yield* experiment.presets?.links ?? [];
}
