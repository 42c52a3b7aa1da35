/* The classroom: members' pages follow the lecturer's page, and answer questions. Only links are sent; each page draws them. */

import { isPresenting } from "./address.js";
import { isCovered, reveal } from "./covers.js";
import { chip, closest, h, subscript, TEXT_FIELDS } from "./dom.js";
import { showLink } from "./draw.js";
import { current, onTouched, drawingOf } from "./experiments.js";
import { url } from "./fetch_with_retry.js";
import { memory } from "./memory.js";
import { poll } from "./poll.js";
import { openTab } from "./tabs.js";

const tabId = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36).padStart(7, "0")).join("");
const room = { now: null, sent: "", isUnsent: false }; // the last state from the server, the place sent last, and whether that failed
let isFollowing = false; // a link of the lecturer is being shown

const membership = () => memory.read().room ?? null; // {code, member, secret}: a member's token or the lecturer's secret
const isLecturer = () => Boolean(membership()?.secret);
const isFree = () => memory.read().free === true;

async function request(address, body, method = "POST") {
  const token = membership()?.secret ?? membership()?.member;
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  try {
    const answer = await fetch(url(address), { method, headers, body: body && JSON.stringify(body) });
    const content = answer.status === 204 ? {} : await answer.json();
    if (!answer.ok && answer.status !== 401) showNotice(content.message);
    return { ok: answer.ok, status: answer.status, ...content };
  } catch {
    return { ok: false, status: 0 };
  }
}
const lead = (way, more = {}) => request(`room/${membership().code}/lead`, { way, ...more });

/* ---- following ---- */

const lessonHere = () => location.pathname.split("/").pop();

function currentPlace() {
  const experiment = current(), drawing = drawingOf(experiment);
  const query = drawing ? drawing.dataset.link ?? "" : experiment ? "experiment=check" : "";
  return { lesson: lessonHere(), query, covered: isCovered(experiment) };
}
const solvedExercises = () => Object.keys(memory.read().done ?? {}).filter((id) => id.startsWith(`${lessonHere()}-check-`))
  .map((id) => id.slice(lessonHere().length + 7)).slice(0, 9).join(".");
const placeName = () => `${lessonHere()}/${new URLSearchParams(currentPlace().query).get("experiment") ?? ""}`;

/* Send the lecturer's place to all. */
function sendPlace() {
  if (!membership()) return;
  const here = currentPlace(), text = JSON.stringify(here);
  if (!isLecturer() || isFollowing || (here.lesson && !here.query) || text === room.sent) return;
  room.sent = text;
  lead("show", { ...here, by: tabId }).then(({ ok, status }) => { room.isUnsent = !ok && status !== 400; });
}

async function follow({ lesson, query, covered }) {
  if (lesson !== lessonHere()) {
    const to = url(lesson || "./");
    to.search = [query, `guess=${covered ? 1 : 0}`, isPresenting() ? "present=1" : ""].filter(Boolean).join("&");
    return location.assign(to);
  }
  isFollowing = true;
  room.sent = JSON.stringify({ lesson, query, covered });
  try {
    const slug = new URLSearchParams(query).get("experiment");
    if (!slug) return null;
    if (current()?.slug !== slug) await openTab(slug, false);
    const experiment = current(), drawing = drawingOf(experiment);
    if (!drawing || experiment.slug !== slug) return null;
    const before = drawing.dataset.link;
    if (before !== query) showLink(experiment, query);
    if (!covered) reveal(experiment);
    await waitUntil(() => before === query || drawingOf(current())?.dataset.link !== before); // from then on changes are the learner's own
  } finally { isFollowing = false; }
  return null;
}

async function waitUntil(isDone) {
  for (let tries = 0; tries < 100 && !isDone(); tries += 1) await new Promise((resolve) => { setTimeout(resolve, 50); });
}

function setFree(yes) {
  if (!membership() || isLecturer() || isFree() === yes) return;
  memory.write({ free: yes });
  render();
  if (!yes && room.now?.lead) follow(room.now.lead);
}

/* ---- entering and leaving ---- */

export function enterRoom() {
  const link = new URLSearchParams(location.search), code = link.get("room"), secret = /^#lead=([\w-]+)$/.exec(location.hash)?.[1];
  if (code && /^[A-Z]{4}$/.test(code)) {
    const old = membership()?.code === code ? membership() : { code };
    memory.write({ room: secret ? { ...old, secret } : old, free: false });
    link.delete("room");
    history.replaceState(history.state, "", `${location.pathname}${link.size ? `?${link}` : ""}`);
  }
  if (!membership()) return;
  listen();
  if (!lessonHere()) sendPlace(); // the map has no drawing that would send it
}

export async function teach() {
  if (membership()) return isLecturer() ? showCode() : showNotice(`You are in room ${membership().code}. Leave it first.`);
  const opened = await request("room", {});
  if (!opened.ok) return opened.status || showNotice("The server does not answer. Please try again in a moment.");
  memory.write({ room: { code: opened.code, secret: opened.secret } });
  listen();
  sendPlace();
  return showCode();
}

function leave() {
  memory.write({ room: null, free: false });
  room.now = null;
  render();
}

async function close() {
  if (!confirm("Close this room? The report stays for twelve hours.")) return;
  const { code } = membership(), key = room.now?.report;
  await lead("close");
  leave();
  showNotice("Closed. ", h("a", { href: reportAddress(code, key), target: "_blank" }, "The report"));
}
const reportAddress = (code, key) => url(`room/${code}/report?key=${key}`).href;

const presence = (v) => ({ v, at: placeName(), free: isFree() ? 1 : 0, solved: solvedExercises() });

/* Long polling: the server answers when something changes, or after a quarter of a minute. */
function listen() {
  render();
  poll(async () => {
    if (!membership()) return false;
    const { code } = membership(), { v = 0, d = 0 } = room.now?.code === code ? room.now : {};
    if (!isLecturer() && !membership().member && !await join(code)) return membership() ? null : false;
    const state = isLecturer() ? await request(`room/${code}/desk?v=${v}&d=${d}&by=${tabId}`, undefined, "GET")
      : await request(`room/${code}/state?${new URLSearchParams(presence(v))}`, undefined, "GET");
    if (state.status === 401) { memory.write({ room: { code } }); return true; } // the token is of another room: join again
    if (state.status === 404 || state.status === 403 || state.closed) { leave(); return false; }
    if (!state.ok) return null;
    receive(state);
    if (room.isUnsent) { room.sent = ""; sendPlace(); } // the connection is back
    return true;
  });
}

async function join(code) {
  const { ok, status, member } = await request(`room/${code}/join`, {});
  if (ok) memory.write({ room: { code, member } });
  else if (status === 404) leave();
  return ok;
}

function receive(state) {
  const before = room.now;
  room.now = state;
  if (before?.turn && !state.turn) memory.write({ free: false }); // the lecturer calls back
  const hasMoved = !before || JSON.stringify(before.lead) !== JSON.stringify(state.lead) || (before.turn && !state.turn);
  const isForUs = isLecturer() ? before && state.lead?.by !== tabId : !isFree() && !state.turn;
  if (state.lead && hasMoved && isForUs) follow(state.lead);
  render();
}

/* ---- display ---- */

const note = h("p", { class: "busy room-note", role: "status", hidden: true });
function showNotice(...content) {
  if (!note.isConnected) document.body.append(note);
  note.replaceChildren(...content.filter(Boolean));
  note.hidden = !note.childNodes.length;
  clearTimeout(showNotice.timer);
  showNotice.timer = setTimeout(() => { note.hidden = true; }, 8000);
}

const strip = h("aside", { "aria-label": "room" }), card = h("section", { class: "card", "aria-live": "polite", "aria-label": "question" });
const board = h("dialog", { class: "dialog board", "aria-label": "Join this room", onclick: () => board.close() });
const form = h("dialog", { class: "dialog room-form" });

function render() {
  const isInside = Boolean(membership());
  document.body.classList.toggle("in-room", isInside);
  if (!isInside) { strip.remove(); card.remove(); return; }
  if (!strip.isConnected) document.body.append(strip, card, board, form);
  strip.className = isLecturer() ? "desk" : "strip";
  const focused = strip.contains(document.activeElement) ? document.activeElement.textContent : null;
  strip.replaceChildren(...(isLecturer() ? lecturerStrip() : memberStrip()));
  if (focused) [...strip.querySelectorAll("button")].find((one) => one.textContent === focused)?.focus();
  document.body.style.setProperty("--strip", `${strip.offsetHeight}px`);
  renderQuestion();
  dispatchEvent(new Event("resize"));
}

function memberStrip() {
  const { code } = membership(), present = room.now?.here ? ` · ${room.now.here} here` : "", turn = room.now?.turn, isAlone = isFree();
  const how = turn ? `your turn: ${room.now.goal || "try it"}` : isAlone ? "on your own" : "following";
  return [h("span", {}, `Room ${code} · ${how}${present}`),
    isAlone ? chip("back to the lecture", () => setFree(false)) : turn ? null : chip("look around on my own", () => setFree(true)),
    chip("leave", leave)].filter(Boolean);
}

function lecturerStrip() {
  const { here = 0, places = {}, solved = {}, turn, report } = room.now ?? {};
  const largest = (counts) => Object.entries(counts).sort((a, b) => b[1] - a[1]).slice(0, 6).map((one) => one.join(": ")).join(" · ");
  const where = [largest(places), largest(solved) && `solved: ${largest(solved)}`].filter(Boolean).join(" · ");
  return [h("span", {}, h("b", {}, `Room ${membership().code}`), ` · ${here} here`),
    chip("code", showCode, { title: "K" }), chip("ask", showQuestions),
    turn ? chip("call back", () => lead("turn", { yours: false }), { "aria-pressed": "true" }) : chip("your turn", showTurn),
    h("details", { class: "places", open: strip.querySelector(".places")?.open }, h("summary", {}, "where they are"),
      h("span", {}, where || "nobody yet")),
    report ? h("a", { href: reportAddress(membership().code, report), target: "_blank" }, "report") : null,
    chip("close", close)].filter(Boolean);
}

function showCode() {
  if (board.open) return board.close();
  const { code, secret } = membership(), short = url(`r/${code}`).href;
  const copyLink = (event) => { event.stopPropagation(); copy(event.target, `${short}#lead=${secret}`); };
  board.replaceChildren(h("div", {}, h("p", { class: "code" }, code), h("p", { class: "short" }, short.replace(/^https?:\/\//, "")),
    h("p", {}, h("button", { type: "button", class: "quiet", onclick: copyLink }, "copy my private link (it leads)"))),
  h("img", { src: `room/${code}/qr.svg`, alt: `QR code of ${short}` }));
  render();
  return board.showModal();
}

async function copy(button, text) {
  try { await navigator.clipboard.writeText(text); button.textContent = "copied"; } catch { prompt("Your private link:", text); }
}

/* Questions to ask: the guess in view, the lesson's exercises, or the lecturer's own. */
async function showQuestions() {
  const lesson = lessonHere(), id = `${current()?.id}-predict`;
  const all = lesson ? await (await fetch(url(`questions/${lesson}`))).json() : [];
  const offered = [...all.filter((one) => one.id === id), ...all.filter((one) => one.id.includes("-check-"))];
  const ask = async (question) => { if ((await lead("ask", question)).ok) form.close(); };
  const text = h("input", { id: "room-text", maxlength: 300, autocomplete: "off" });
  const options = h("textarea", { id: "room-options", rows: 4, placeholder: "one option per line, two to five" });
  const lines = () => options.value.split("\n").map((line) => line.trim()).filter(Boolean);
  openForm("Ask the room",
    h("ul", {}, ...offered.map((one) => h("li", {},
      chip(one.id === id ? "ask this guess" : "ask", () => ask({ id: one.id })), " ", one.text))),
    h("div", { class: "free widget" }, h("label", { for: "room-text" }, "Your own question"), text,
      h("label", { for: "room-options" }, "Options"), options, chip("ask", () => ask({ text: text.value, options: lines() }))));
}

function openForm(title, ...parts) {
  form.setAttribute("aria-label", title);
  form.replaceChildren(h("div", { class: "dialog-head" }, h("h2", {}, title),
    h("button", { type: "button", "aria-label": "close", onclick: () => form.close() }, "×")), ...parts);
  form.showModal();
}

/* Let members try it themselves, with a goal if the lecturer names one. */
function showTurn() {
  const start = async () => { if ((await lead("turn", { yours: true, goal: goal.value })).ok) form.close(); };
  const goal = h("input", { id: "room-goal", maxlength: 160, autocomplete: "off",
    onkeydown: (event) => { if (event.key === "Enter") start(); } });
  openForm("Your turn", h("div", { class: "free widget" },
    h("label", { for: "room-goal" }, "What should they find? (may be empty)"), goal, h("p", {}, chip("hand out", start))));
}

/* The current question: options to choose from, or, for the lecturer, the answers. */
function renderQuestion() {
  const asked = room.now?.question;
  if (!asked) return card.replaceChildren();
  const content = JSON.stringify([asked, room.now.here, isLecturer()]);
  if (card.dataset.content === content && card.childElementCount) return null;
  card.dataset.content = content;
  const typing = card.querySelector("input:focus")?.value;
  card.replaceChildren(h("p", { class: "asked" }, ...subscript(asked.text), asked.round > 1 ? h("em", {}, " (asked again)") : null),
    ...(isLecturer() ? lecturerCard(asked) : memberCard(asked)));
  if (typing !== undefined && card.querySelector("input")) Object.assign(card.querySelector("input"), { value: typing }).focus();
  return null;
}

function lecturerCard(asked) {
  const rounds = asked.rounds.filter(Boolean), isShown = rounds.length > 0;
  const options = asked.options ?? [...new Set(rounds.flat().map(([option]) => option))];
  const action = (label, way) => chip(label, () => lead(way));
  return [isShown || asked.options ? bars(options, rounds, asked.whys) : null,
    h("p", { class: "chips" }, h("span", { class: "count" }, `${asked.answered} of ${room.now.here} answered`),
      asked.told ? null : action("show answers", "tell"), asked.whys ? null : action("reveal", "reveal"),
      asked.round < 2 && asked.told ? action("ask again", "again") : null, action("done", "done"))].filter(Boolean);
}

function bars(options, rounds, whys, yours) {
  const row = (option) => {
    const why = whys?.find((one) => one.option === option);
    const total = (round) => Math.max(1, round.reduce((sum, [, count]) => sum + count, 0));
    const counts = rounds.map((round) => [round.find(([one]) => one === option)?.[1] ?? 0, total(round)]);
    return h("li", { class: why?.ok ? "right" : "" },
      h("span", {}, why?.ok ? "✓ " : "", ...subscript(option), option === yours ? " (yours)" : ""),
      ...counts.map(([count, all], i) => h("span", { class: "bar-row" }, counts.length > 1 ? h("small", {}, ["before", "after"][i]) : "",
        h("span", { class: "of", style: `--share:${count / all}` }), h("b", {}, `${count}`))),
      why?.message ? h("small", { class: "why" }, ...subscript(why.message)) : null);
  };
  return h("ul", { class: "bars" }, ...options.map(row));
}

function memberCard(asked) {
  const send = (answer) => request(`room/${membership().code}/answer`, { n: asked.n, answer }).then(({ ok }) => {
    if (ok && room.now.question?.n === asked.n) { room.now.question.yours = answer; renderQuestion(); }
  });
  if (asked.whys) {
    const options = asked.options ?? asked.counts.map(([option]) => option);
    return [bars(options, [asked.counts], asked.whys, asked.yours)];
  }
  const sent = asked.yours ? h("p", { class: "sent", role: "status" }, `Sent: ${asked.yours}. The answer comes from the front.`) : null;
  if (asked.options) {
    const pressed = (option) => ({ "aria-pressed": String(option === asked.yours) });
    const chips = asked.options.map((option) => chip(option, () => send(option), pressed(option)));
    return [h("div", { class: "chips" }, ...chips), sent].filter(Boolean);
  }
  const field = h("input", { inputmode: "decimal", autocomplete: "off", "aria-label": "your answer", maxlength: 40,
    onkeydown: (event) => { if (event.key === "Enter") send(field.value); } });
  return [h("div", { class: "chips" }, field, chip("send", () => send(field.value))), sent].filter(Boolean);
}

/* ---- listeners ---- */

addEventListener("settled", sendPlace);
onTouched(() => { if (!isFollowing) setFree(true); });
document.addEventListener("click", (event) => {
  const links = "a[data-tab], .foot-tools .steps *, .header a[href], #start-map a[href]";
  if (event.isTrusted && closest(event, links)) setFree(true);
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || event.ctrlKey || event.metaKey || event.altKey || !isLecturer()) return;
  if (!closest(event, TEXT_FIELDS)) showCode();
});
