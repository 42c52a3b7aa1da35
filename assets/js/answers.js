/* All is asked for here, of the events that Gradio declares: its own way through an event takes longer than most answers, and begins
   later. What was answered stays, so going back costs nothing; and while the hand rests, what may come next is asked for ahead. */

import { controls } from "./memory.js";
import { patiently } from "./patience.js";
import { show } from "./stages.js";

const ROOM = 8 << 20; // characters
const REST = 400, CALM = 20_000; // milliseconds: until the hand rests, and after the server had enough to do
const session_hash = Math.random().toString(36).slice(2); // one visitor may have only so much in flight
const kept = new Map(); // what was asked → the text of the answer, the latest last
const ways = new Map(); // experiment → its events, and how far they are
const { components, dependencies } = window.gradio_config;
const names = new Map(components.map(({ id, props }) => [id, props.elem_id]));
const declared = new Map(components.map(({ props }) => [props.elem_id, props]));
let used = 0, quietUntil = 0, timer, turn = 0;

/* What Gradio was told of a component. */
export const given = (name) => declared.get(name);
const valueOf = (name) => (controls.has(name) ? controls.get(name).value() : given(name).value); // its tab may never have been open

/* ---- what a hand asks for ---- */

/* A control was moved: its stage as the controls are now. */
export function redraw(id) {
  want(id, drawing);
}

/* A preset by its number, or a link: all controls, and the stage. */
export function choose(id, chosen) {
  want(id, (way) => ({ fn_index: way.tries, data: [chosen, controls.get(`${id}-acts`)?.value() ?? []] }));
}

/* The stage of a tab that is opened for the first time; a link may have asked for it already. */
export function begin(id) {
  if (!wayOf(id).asked) redraw(id);
}

const drawing = (way) => ({ fn_index: way.draw, data: way.settings.map(valueOf) });

/* An answer to a question of ours: what is said to it. */
export async function judge(name, answer) {
  const asks = dependencies.find(({ outputs }) => names.get(outputs[0]) === name);
  const [, ...settings] = asks.inputs.map((input) => names.get(input));
  const told = await ask({ fn_index: asks.id, data: [answer, ...settings.map(valueOf)] }, patiently);
  return told.ok ? (await told.json()).data[0] : { ...answer, ok: false, message: "This could not be checked. Please reload the page." };
}

/* One question at a time, the last one always. What comes late is shown too, unless something newer is there already. */
function want(id, event) {
  const way = wayOf(id), known = kept.get(keyOf(event(way)));
  way.asked += 1;
  turn += 1;
  clearTimeout(timer);
  if (known) {
    way.wanted = null;
    take(id, way, way.asked, known);
  } else {
    way.wanted = event;
    if (!way.busy) pursue(id, way);
  }
}

async function pursue(id, way) {
  way.busy = true;
  while (way.wanted) {
    const asked = way.wanted(way), number = way.asked; // with what an answer has set meanwhile
    way.wanted = null;
    const answer = await ask(asked, patiently), text = await answer.text();
    if (answer.ok && answer.headers.get("Cache-Control") !== "no-store") keep(keyOf(asked), text);
    take(id, way, number, answer.ok ? text : refusal(text));
  }
  way.busy = false;
}

function take(id, way, number, text) {
  if (number < way.shown) return;
  way.shown = number;
  const values = JSON.parse(text).data, drawn = values.pop();
  for (const [place, value] of values.entries()) controls.get(way.settings[place])?.take(value);
  show(id, drawn);
}

/* What the server would not take, as a stage says it. */
function refusal(text) {
  let said = "";
  try { said = JSON.parse(text).error; } catch { /* no sentence of ours */ }
  const complaint = said || "This could not be shown. Please try another setting, or reset.";
  return JSON.stringify({ data: [JSON.stringify({ complaint })] });
}

const ask = (event, by, more = {}) => by(new URL("gradio_api/run/predict", document.baseURI), {
  method: "POST", body: JSON.stringify({ ...event, session_hash }), headers: { "Content-Type": "application/json", ...more },
});

/* The two events that draw the stage of an experiment: from its controls, or from a preset for all of them. */
function wayOf(id) {
  if (!ways.has(id)) {
    const [draw, tries] = dependencies.filter((one) => names.get(one.outputs.at(-1)) === `${id}-stage`)
      .sort((one, other) => one.outputs.length - other.outputs.length);
    const settings = draw.inputs.map((input) => names.get(input));
    ways.set(id, { draw: draw.id, tries: tries.id, settings, asked: 0, shown: 0, wanted: null, busy: false });
  }
  return ways.get(id);
}

/* ---- what was answered ---- */

const keyOf = ({ fn_index, data }) => JSON.stringify([fn_index, data]);

function keep(key, text) {
  if (!text.includes('\\"link\\"')) return; // no stage: a complaint
  used += kept.has(key) ? text.length - kept.get(key).length : key.length + text.length;
  kept.delete(key);
  kept.set(key, text);
  for (const [oldest, { length }] of kept) {
    if (used <= ROOM) break;
    kept.delete(oldest);
    used -= oldest.length + length;
  }
}

/* ---- what may come next ---- */

/* Something was drawn: when the hand rests, the next steps and the presets of this experiment, one after the other; then how the
   other tabs begin. */
export function ahead(id) {
  clearTimeout(timer);
  if (navigator.connection?.saveData || document.hidden) return;
  timer = setTimeout(async () => {
    const mine = turn;
    for (const asked of next(id)) {
      if (mine !== turn || performance.now() < quietUntil) return;
      if (!kept.has(keyOf(asked))) await fetchAhead(asked); // one at a time
    }
  }, REST);
}

async function fetchAhead(asked) {
  const lowly = (address, options) => fetch(address, { ...options, priority: "low" });
  const answer = await ask(asked, lowly, { "X-Ahead": "1" }).catch(() => null);
  if (answer?.status === 200) keep(keyOf(asked), await answer.text());
  else quietUntil = performance.now() + CALM;
}

function* next(id) {
  const way = wayOf(id), now = drawing(way);
  for (const [place, name] of way.settings.entries()) {
    for (const value of controls.get(name)?.coming?.() ?? []) yield { ...now, data: now.data.with(place, value) };
  }
  for (let i = 0; i < controls.get(`${id}-presets`).count; i += 1) yield { fn_index: way.tries, data: [i, now.data.at(-1)] };
  for (const stage of [...declared.keys()].filter((name) => name?.endsWith("-stage"))) {
    const other = wayOf(stage.slice(0, -"-stage".length));
    if (!other.asked && other !== way) yield drawing(other);
  }
}
