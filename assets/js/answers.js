/* Answers that drew a stage stay here, so going back costs nothing; and while the hand rests, what may come next is asked for ahead. */

import { controls } from "./memory.js";

const ROOM = 8 << 20; // characters
const REST = 400, CALM = 20_000; // milliseconds: until the hand rests, and after the server had enough to do
const kept = new Map(); // what was asked → the text of the answer, the latest last
let used = 0, quietUntil = 0, timer, turn = 0;

const keyOf = ({ fn_index, data }) => JSON.stringify([fn_index, data]);

function keep(key, text) {
  if (!text.includes('\\"link\\"')) return; // no stage: a complaint, a verdict
  used += kept.has(key) ? text.length - kept.get(key).length : key.length + text.length;
  kept.delete(key);
  kept.set(key, text);
  for (const [oldest, { length }] of kept) {
    if (used <= ROOM) break;
    kept.delete(oldest);
    used -= oldest.length + length;
  }
}

/* The answer to an event: from here, or by `ask`. */
export async function answered(body, ask) {
  const key = keyOf(JSON.parse(body));
  turn += 1;
  clearTimeout(timer);
  if (kept.has(key)) keep(key, kept.get(key));
  else {
    const answer = await ask();
    if (!answer.ok) return answer;
    keep(key, await answer.clone().text());
    if (!kept.has(key)) return answer;
  }
  return new Response(kept.get(key), { headers: { "Content-Type": "application/json" } });
}

/* Something was drawn: when the hand rests, the next steps and the presets of this experiment, one after the other. */
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
  const answer = await fetch(new URL("gradio_api/run/predict", document.baseURI), {
    method: "POST", priority: "low", body: JSON.stringify(asked), headers: { "Content-Type": "application/json", "X-Ahead": "1" },
  }).catch(() => null);
  if (answer?.status === 200) keep(keyOf(asked), await answer.text());
  else quietUntil = performance.now() + CALM;
}

/* What a learner may ask for next, as Gradio would send it. */
function* next(id) {
  const { components = [], dependencies = [] } = window.gradio_config ?? {};
  const names = new Map(components.map((one) => [one.id, one.props.elem_id]));
  const drawing = dependencies.filter((one) => names.get(one.outputs.at(-1)) === `${id}-stage`);
  const draw = drawing.find((one) => one.outputs.length === 1), tries = drawing.find((one) => one.outputs.length > 1);
  const settings = draw?.inputs.map((input) => controls.get(names.get(input))) ?? [];
  if (!settings.length || settings.some((control) => !control)) return;
  const data = settings.map((control) => control.value());
  for (const [place, control] of settings.entries()) {
    for (const value of control.coming?.() ?? []) yield { data: data.with(place, value), fn_index: draw.id };
  }
  for (let i = 0; i < controls.get(`${id}-presets`).count; i += 1) yield { data: [i, data.at(-1)], fn_index: tries.id };
}
