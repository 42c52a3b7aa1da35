/* A room's question in place of the page's own: options to choose from or, for the lecturer, the members'
   answers. */

import { isPresenting } from "./address.js";
import { announce } from "./announce.js";
import { isCovered } from "./covers.js";
import { chip, h, subscript } from "./dom.js";
import { current } from "./experiments.js";
import { isLeading, isLecturer, lead, membership, room, send } from "./room_state.js";
import { typeset } from "./tex.js";

export const card = h("section", { class: "card", "aria-label": "question" });

export function renderQuestion() {
  const asked = room.now?.question, spoken = room.now?.spoken;
  placeCard(asked);
  if (!asked && !spoken) { delete card.dataset.content; announced = ""; return card.replaceChildren(); }
  const content = JSON.stringify([asked, asked && room.now.here, spoken, isLecturer(), isPresenting()]);
  if (card.dataset.content === content && card.childElementCount) return null;
  card.dataset.content = content;
  const typing = card.querySelector("input:focus")?.value;
  card.replaceChildren(...[spoken
    ? h("p", { class: "heard" }, h("b", {}, "From the room: "), ...formulas(spoken)) : null,
    ...(asked ? [askedText(asked), ...(isLecturer() ? lecturerCard(asked) : memberCard(asked))]
      : [])].filter(Boolean));
  if (typing !== undefined && card.querySelector("input"))
    Object.assign(card.querySelector("input"), { value: typing }).focus();
  // without focusable parts, the keyboard could not scroll the card
  card.tabIndex = card.querySelector("button, input") ? -1 : 0;
  showTime();
  announceQuestion(asked, spoken);
  typeset(card);
  dispatchEvent(new Event("resize"));
  return null;
}

/* Say a question when it is asked, and its answers when they are shown; not whenever somebody answers. */
let announced = "";
function announceQuestion(asked, spoken) {
  const part = JSON.stringify([asked?.n, asked?.round, asked?.told, Boolean(asked?.whys), spoken]);
  if (part === announced) return;
  announced = part;
  announce([spoken, asked?.text, asked?.told || asked?.whys ? card.querySelector(".bars")?.innerText
    : ""].filter(Boolean).join(". "));
}

const askedText = (asked) => h("p", { class: "asked" }, ...formulas(asked.text), asked.round > 1
  ? h("em", {}, " (asked again)") : null,
  asked.ends && !asked.whys ? h("b", { class: "timer", role: "timer" }) : null);

/* The poll takes the place of the page's own question. If that is not in view, it is below the page
   or, when presenting, above the pictures. */
function placeCard(asked) {
  const own = asked ? document.getElementById(asked.id) : null, experiment = current();
  const hidden = document.querySelector(".asked-by-room-now");
  if (hidden !== own) hidden?.classList.remove("asked-by-room-now");
  const isInPlace = Boolean(own && experiment?.element.contains(own));
  const heading = isPresenting() ? experiment?.element.querySelector(".heading") : null;
  const place = isInPlace ? own.parentElement : heading ?? document.body;
  own?.classList.toggle("asked-by-room-now", isInPlace);
  card.classList.toggle("in-place", isInPlace || place.matches(".heading"));
  if (card.parentElement !== place) place.append(card);
}

/* Convert text with formulas between dollar signs to nodes. */
function formulas(text) {
  const tex = (part) => Object.assign(h("span", { class: "tex" }), { textContent: part });
  return text.split(/\$([^$]+)\$/).flatMap((part, i) => (i % 2 ? [tex(part)] : subscript(part)));
}

const secondsLeft = ({ ends }) => Math.max(0, Math.ceil(ends - Date.now() / 1000 - room.clock));
function showTime() {
  const timer = card.querySelector(".timer"), asked = room.now?.question;
  if (timer && asked?.ends)
    timer.textContent = secondsLeft(asked) ? ` ${secondsLeft(asked)} s` : " time is up";
}
setInterval(showTime, 500);

/* Advance a poll: ask again after a discussion, show the answers before and after, reveal the right one, end.
   */
const nextWay = ({ round, kind, told, whys }) => (whys ? "done" : told ? "reveal"
  : round < 2 && kind !== "text" ? "again" : "tell");

function lecturerCard(asked) {
  const rounds = asked.rounds.filter(Boolean), isShown = rounds.length > 0 && (asked.told || asked.whys);
  const options = asked.options ?? [...new Set(rounds.flat().map(([option]) => option))];
  const action = (label, way, key) => chip(label, () => lead(way), { title: key });
  const texts = isPresenting() ? [] : asked.given.map((text) => h("li", {},
    chip(asked.passed.includes(text) ? "hide" : "show to all", () => lead("pass", { text })), " ", text));
  return [isShown || asked.options ? bars(options, isShown ? rounds : [], asked.whys) : null,
    asked.kind === "text" ? h("ul", { class: "passed" }, ...asked.passed.map((text) => h("li", {}, text)))
      : null,
    texts.length ? h("ul", { class: "given" }, ...texts) : null,
    h("p", { class: "chips" }, h("span", { class: "count" }, `${asked.answered} of ${asked.of} answered`),
      asked.told ? null : action("show answers", "tell", "D"), asked.whys ? null
        : action("reveal", "reveal", "R"),
      asked.round < 2 ? action("ask again", "again", "A")
        : null, action("reset", "reset"), action("done", "done", "X")),
  ].filter(Boolean);
}

/* Handle a key press of a presentation with members in the room; true if the poll has used it. */
export function turnPoll(way = null) {
  const asked = room.now?.question, experiment = current(), id = `${experiment?.id}-predict`;
  if (!isLeading() || !room.now || Date.now() < (turnPoll.busyUntil ?? 0))
    return isLeading() && Boolean(asked);
  if (!asked && (way ?? "ask") !== "ask") return false;
  if (!asked && !(room.now.here && isCovered(experiment) && (way === "ask" || !room.asked.has(id))))
    return false;
  turnPoll.busyUntil = Date.now() + 400; // ignore a repeated press of a bouncing clicker
  if (!asked) lead("ask", { id }); else lead(way === "ask" ? "again" : way ?? nextWay(asked));
  return true;
}

function bars(options, rounds, whys, yours) {
  const row = (option) => {
    const why = whys?.find((one) => one.option === option);
    const total = (round) => Math.max(1, round.reduce((sum, [, count]) => sum + count, 0));
    const counts = rounds.map((round) => [round.find(([one]) => one === option)?.[1] ?? 0, total(round)]);
    return h("li", { class: why?.ok ? "right" : "" },
      h("span", {}, why?.ok ? "✓ right: " : "", ...subscript(option), option === yours ? " (yours)" : ""),
      ...counts.map(([count, all], i) => h("span", { class: "bar-row" }, counts.length > 1
        ? h("small", {}, ["before", "after"][i]) : "",
        h("span", { class: "of", style: `--share:${count / all}` }), h("b", {}, `${count}`))),
      why?.message ? h("small", { class: "why" }, ...subscript(why.message)) : null);
  };
  return h("ul", { class: "bars" }, ...options.map(row));
}

function memberCard(asked) {
  const give = (answer) => send(`room/${membership().code}/answer`, { n: asked.n, answer }, true)
  .then(({ ok }) => {
    if (ok && room.now.question?.n === asked.n) { room.now.question.yours = answer; renderQuestion(); }
  });
  if (asked.whys) {
    const given = asked.counts.map(([option]) => option),
      right = asked.whys.filter((why) => why.ok).map((why) => why.option);
    const options = asked.options ?? (asked.kind === "text" ? [...new Set([...given, ...right])] : given);
    return [bars(options, [asked.counts], asked.whys, asked.yours)];
  }
  const shown = asked.passed.length
    ? h("ul", { class: "passed" }, ...asked.passed.map((text) => h("li", {}, text))) : null;
  const sent = asked.yours ? h("p", { class: "sent", role: "status" },
    `Sent: ${asked.yours}. Your lecturer will show the answer.`) : null;
  if (asked.told && asked.kind !== "text")
    return [sent ?? h("p", { class: "sent", role: "status" }, "The answers are shown in front.")];
  if (asked.options) {
    const pressed = (option) => ({ "aria-pressed": String(option === asked.yours) });
    const chips = asked.options.map((option) => chip(option, () => give(option), pressed(option)));
    return [h("div", { class: "chips" }, ...chips), sent].filter(Boolean);
  }
  // "2/3" needs a whole keyboard
  const field = h("input", { autocomplete: "off", "aria-label": "your answer", maxlength: 120,
    onkeydown: (event) => { if (event.key === "Enter") give(field.value); } });
  return [h("div", { class: "chips" }, field, chip("send", () => give(field.value))), sent,
    shown].filter(Boolean);
}
