/* The lecturer's remote control, on a second screen or a phone: next, ask, show, reveal, timer, audience
   questions, notes, next item. */

import { chip, h, subscript } from "./dom.js";
import { url } from "./fetch_with_retry.js";

export const remotePlace = () => document.getElementById("remote");
const TIMES_SECONDS = [30, 60, 120];
const notes = new Map(); // lesson → its steps, or null while they are loaded

/* Draw the remote for this state of the room. `lead(way, arguments)` sends an action. */
export function renderRemote({ code, secret }, state, isLost, lead) {
  const place = remotePlace(), lesson = state?.lead?.lesson ?? "";
  const slug = new URLSearchParams(state?.lead?.query ?? "").get("experiment");
  const steps = lesson
    ? notesOf(lesson, code, secret, () => renderRemote({ code, secret }, state, isLost, lead)) : null;
  const at = steps?.findIndex((step) => step.slug === slug) ?? -1, step = steps?.[at];
  const press = (label, command) => chip(label, () => lead("press", { command }), { class: "chip big" });
  const head = isLost ? "connection lost; trying again" : `${state?.here ?? 0} here`;
  place.replaceChildren(h("h1", {}, `Room ${code}`),
    h("p", { role: "status", class: isLost ? "lost" : "" }, head),
    h("p", { class: "chips" }, press("← back", "back"), press("next →", "on"), press("black", "black")),
    ...(state?.question ? pollPart(state.question, lead) : askPart(state, step, lesson, lead)),
    ...roomPart(state, lead), ...(step ? notesPart(step, steps[at + 1]) : []));
}

function notesOf(lesson, code, secret, redraw) {
  if (!notes.has(lesson)) {
    notes.set(lesson, null);
    fetch(url(`teach/notes/${lesson}?room=${code}`), { headers: { Authorization: `Bearer ${secret}` } })
      .then((answer) => (answer.ok ? answer.json() : [])).then((steps) => {
        notes.set(lesson, steps);
        redraw();
      })
      .catch(() => notes.delete(lesson));
  }
  return notes.get(lesson);
}

function askPart(state, step, lesson, lead) {
  const ask = () => lead("ask", { id: `${lesson}-${step.slug}-predict` });
  const guess = step?.ask ? chip("ask the guess", ask, { class: "chip big" }) : null;
  const prepared = state?.prepared?.length
    ? chip(`ask the next of ${state.prepared.length}: ${state.prepared[0]}`, () => lead("next"),
      { class: "chip big" }) : null;
  return guess || prepared ? [h("p", { class: "chips" }, ...[guess, prepared].filter(Boolean))] : [];
}

function pollPart(asked, lead) {
  const action = (label, way, more) => chip(label, () => lead(way, more), { class: "chip big" });
  const row = ([option, count]) => h("li", {}, h("b", {}, `${count}`), " ", ...subscript(option));
  const given = (text) => h("li", {},
    chip(asked.passed.includes(text) ? "hide" : "show to all", () => lead("pass", { text })), " ", text);
  return [h("h2", {}, "The question"), h("p", {}, asked.text),
    h("p", {}, h("b", {}, `${asked.answered} of ${asked.of} answered`)),
    h("p", { class: "chips" }, ...[asked.told ? null : action("show answers", "tell"),
      asked.whys ? null : action("reveal", "reveal"),
      asked.round < 2 ? action("ask again", "again") : null, action("done", "done")].filter(Boolean)),
    h("p", { class: "chips" }, ...TIMES_SECONDS.map((seconds) =>
      action(`${seconds} s`, "timer", { seconds }))),
    ...asked.rounds.filter(Boolean).map((round) => h("ul", {}, ...round.map(row))),
    h("ul", {}, ...asked.given.map(given))];
}

function roomPart(state, lead) {
  if (!state?.asked?.length) return [];
  return [h("h2", {}, "From the room"), h("ul", {}, ...state.asked.map(({ n, text }) => h("li", {},
    chip("show to all", () => lead("hear", { n })), " ", chip("drop", () => lead("drop", { n })), " ",
    text)))];
}

function notesPart(step, next) {
  const sign = ({ ok }) => (ok ? "✓ right: " : ok === false ? "✗ wrong: " : "");
  return [h("h2", {}, step.title), h("p", {}, step.question), step.ask
    ? h("p", {}, h("b", {}, "Ask: "), ...subscript(step.ask)) : null,
    h("ul", {}, ...step.options.map((one) => h("li", {}, sign(one), h("b", {}, one.option),
      ` ${one.message}`))),
    ...Object.entries(step.parts).map(([name, words]) =>
      h("p", {}, h("b", {}, `${name}: `), ...subscript(words))),
    next ? h("p", {}, h("b", {}, "Then: "), `${next.title}. ${next.question}`) : null].filter(Boolean);
}
