/* Dialogs of a room: ask a question, prepare a set, show audience questions, control access, start "your
   turn". */

import { chip, h } from "./dom.js";
import { current } from "./experiments.js";
import { fetchWithRetry, url } from "./fetch_with_retry.js";
import { copy, isLecturer, lead, lessonHere, membership, room, send, showNotice } from "./room_state.js";

export const form = h("dialog", { class: "dialog room-form" });

/* A question from the audience: only the lecturer sees it, until they pass it on. */
export function showSpeak() {
  const text = h("textarea", { id: "room-speak", rows: 3, maxlength: 300 });
  const submit = async () => {
    const { ok, status } = await send(`room/${membership().code}/speak`, { text: text.value }, true);
    if (!ok && status) return;
    form.close();
    showNotice(ok ? "Sent to your lecturer, without a name." : "It is sent when the connection is back.");
  };
  openForm("Ask your lecturer", h("div", { class: "free widget" },
    h("label", { for: "room-speak" }, "Your question, without your name"),
    text, h("p", {}, chip("send", submit))));
}

/* Questions to ask: the guess in view, the lesson's exercises, or the lecturer's own. */
export async function showQuestions() {
  const lesson = lessonHere(), id = `${current()?.id}-predict`;
  const all = lesson ? await (await fetchWithRetry(url(`questions/${lesson}`))).json() : [];
  const offered = [...all.filter((one) => one.id === id), ...all.filter((one) => one.id.includes("-check-"))];
  const ask = async (question) => { if ((await lead("ask", question)).ok) form.close(); };
  const field = (id, more = {}) => h("input", { id: `room-${id}`, autocomplete: "off", ...more });
  const text = field("text", { maxlength: 300 }), right = field("right", { maxlength: 120 });
  const seconds = field("seconds", { type: "number", min: 0, max: 900, value: 0 });
  const options =
    h("textarea", { id: "room-options", rows: 4, placeholder: "one option per line, two to five" });
  const kind = h("select", { id: "room-kind" },
    ...["options", "number", "text"].map((name) => h("option", {}, name)));
  const lines = () => options.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const own = () => ({ text: text.value, options: kind.value === "options" ? lines()
    : null, right: right.value.trim(),
    kind: kind.value === "text" ? "text" : "number", seconds: Math.round(+seconds.value) || 0 });
  const labelled = (name, input) => [h("label", { for: input.id }, name), input];
  openForm("Ask the room", ...audienceQuestions(), preparedSet(),
    h("ul", {}, ...offered.map((one) => h("li", {},
      chip(one.id === id ? "ask this guess" : "ask", () => ask({ id: one.id })), " ", one.text))),
    h("div", { class: "free widget" }, ...labelled("Your own question ($…$ is a formula)", text),
      ...labelled("Answers are", kind),
      ...labelled("Options", options), ...labelled("Right answer (optional)", right),
      ...labelled("Seconds to answer (0: no limit)", seconds),
      chip("ask", () => ask(own()))), door());
}

/* Questions from the audience: show one to all, or drop it. */
function audienceQuestions() {
  const asked = room.now?.asked ?? [];
  const press = async (way, n) => { if ((await lead(way, { n })).ok) form.close(); };
  if (!asked.length && !room.now?.spoken) return [];
  const row = ({ n, text }) => h("li", {},
    chip("show to all", () => press("hear", n)), " ", chip("drop", () => press("drop", n)), " ", text);
  return [h("h3", {}, "From the room"), h("ul", { class: "from-the-room" }, ...asked.map(row)),
  room.now?.spoken ? h("p", {}, chip("show none", () => press("hear", 0))) : null].filter(Boolean);
}

/* A set of questions, prepared before: a JSON file, or a link with #set=…; they are asked in order. */
function preparedSet() {
  const left = room.now?.prepared ?? [];
  const file =
    h("input", { type: "file", id: "room-set", accept: ".json,application/json", onchange: async () => {
    const questions = parseSet(await file.files[0].text());
    if (questions && await takeSet(questions)) form.close();
  } });
  const next = async () => { if ((await lead("next")).ok) form.close(); };
  return h("div", { class: "free widget" }, h("label", { for: "room-set" },
    "A prepared set of questions (JSON file)"), file,
    left.length ? h("p", {}, chip(`ask the next of ${left.length}`, next), ` ${left[0]}`) : null);
}

function parseSet(text) {
  try {
    const questions = JSON.parse(text);
    if (Array.isArray(questions)) return questions;
  } catch { /* the file is not JSON */ }
  showNotice("A set is a JSON list of questions: "
    + '[{"text": "…", "options": ["…", "…"], "right": "…", "seconds": 60}, {"id": "…"}].');
  return null;
}

async function takeSet(questions) {
  const { ok } = await lead("set", { questions });
  const count = `${questions.length} question${questions.length > 1 ? "s" : ""}`;
  if (ok)
    showNotice(`Prepared: ${count}. “ask” asks them in order. `, chip("copy them as a link", (event) => {
    const bytes = new TextEncoder().encode(JSON.stringify(questions));
    const packed = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
    copy(event.target, `${url(lessonHere() || "./").href}#set=${packed.replace(/=+$/, "")}`);
  }));
  return ok;
}

/* Take the set of questions from the address (#set=…), once the lecturer has a room. */
export function takeSetOfAddress() {
  const packed = /^#set=([\w-]+)$/.exec(location.hash)?.[1];
  if (!packed || !isLecturer()) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  let text = "";
  try {
    const bytes = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    text = new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
  } catch { /* the set in the link is incomplete */ }
  const questions = parseSet(text);
  if (questions) takeSet(questions);
}

/* Set who may join the room. */
function door() {
  const { door: state = "open", expects = 400 } = room.now ?? {};
  const number = h("input", { type: "number", id: "room-expects", min: 1, max: 400, value: expects });
  const set = async (isOpen) => {
    if ((await lead("door", { open: isOpen, expects: Math.round(+number.value) || 0 })).ok) form.close();
  };
  return h("div", { class: "free widget" }, h("label", { for: "room-expects" },
    "How many people do you expect?"), number,
    h("p", {}, chip(state === "open" ? "set" : "open the door", () => set(true)),
      state === "open" ? chip("shut the door for newcomers", () => set(false)) : null));
}

function openForm(title, ...parts) {
  form.setAttribute("aria-label", title);
  form.replaceChildren(h("div", { class: "dialog-head" }, h("h2", {}, title),
    h("button", { type: "button", "aria-label": "close", onclick: () => form.close() }, "×")), ...parts);
  form.showModal();
}

/* Let members explore by themselves, with an optional goal. */
export function showTurn() {
  const start = async () => { if ((await lead("turn", { yours: true, goal: goal.value })).ok) form.close(); };
  const goal = h("input", { id: "room-goal", maxlength: 160, autocomplete: "off",
    onkeydown: (event) => { if (event.key === "Enter") start(); } });
  openForm("Your turn", h("div", { class: "free widget" },
    h("label", { for: "room-goal" }, "What should people find? (optional)"), goal,
    h("p", {}, chip("hand out", start))));
}
