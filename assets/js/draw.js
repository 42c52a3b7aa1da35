/* Drawings are asked for here, one at a time per experiment, the latest always. The browser's own cache keeps what was seen. */

import { config } from "./config.js";
import { experiments, isPrivate, linkOf, setControls, stageOf, valuesOf } from "./experiments.js";
import { fetchWithRetry, url } from "./fetch_with_retry.js";
import { show } from "./stage.js";

const LONGEST = 2000; // characters of an address
const REST = 400, CALM = 20_000; // milliseconds: until the hand rests, and after the server had enough to do
const visitor = Math.random().toString(36).slice(2); // one visitor may have only so much in flight
let quietUntil = 0, timer, turn = 0;

/* On a phone pictures are laid out for its width. */
export const isNarrow = () => innerWidth <= 700;

/* A control was moved: draw what the controls say now. */
export const redraw = (experiment) => request(experiment, null);

let wasNarrow = isNarrow();
addEventListener("resize", () => {
  if (wasNarrow === isNarrow()) return;
  wasNarrow = isNarrow();
  for (const experiment of experiments.values()) if (stageOf(experiment)) redraw(experiment);
});

/* A preset, a link of a lecture, or what was left here: all controls are set by it. */
export const showLink = (experiment, link) => request(experiment, link);

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
      const answer = await ask(experiment, flow.link), text = await answer.text();
      show(experiment, answer.ok ? text : refusal(text));
    }
  } finally { flow.busy = false; } // also where the answer was no drawing
}

/* What is private, or too long for an address, is sent and kept nowhere. */
function ask(experiment, link) {
  const query = (link ?? linkOf(experiment)) + (isNarrow() ? "&narrow=1" : ""), address = `draw/${experiment.lesson}/${experiment.slug}`;
  const headers = { "X-Visitor": visitor };
  if (link === null && (query.length > LONGEST || isPrivate(experiment))) {
    const body = JSON.stringify({ values: valuesOf(experiment), acts: experiment.acts, narrow: isNarrow() });
    return fetchWithRetry(url(address), { method: "POST", body, headers: { ...headers, "Content-Type": "application/json" } });
  }
  return fetchWithRetry(url(`${address}?${query}&_v=${config.version}`), { headers });
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
      const address = url(`draw/${experiment.lesson}/${experiment.slug}?${query}${isNarrow() ? "&narrow=1" : ""}&_v=${config.version}`);
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
