/* The classroom: members' pages follow the lecturer's page, and answer questions. Only links are sent; each page draws them. */

import { isPresenting } from "./address.js";
import { isCovered, reveal, updateCovers } from "./covers.js";
import { chip, closest, h, phone, subscript, TEXT_FIELDS } from "./dom.js";
import { showLink } from "./draw.js";
import { current, onTouched, drawingOf } from "./experiments.js";
import { url } from "./fetch_with_retry.js";
import { memory } from "./memory.js";
import { poll } from "./poll.js";
import { remotePlace, renderRemote } from "./remote.js";
import { firstPart, turnTo } from "./screens.js";
import { openTab } from "./tabs.js";
import { typeset } from "./tex.js";

/* This tab of the browser: {id, leads: code of the room that it leads, free: whether it does not follow the leading tab}. */
const TAB = "seq2see-tab";
const randomId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36).padStart(7, "0")).join("");
const tab = { id: randomId(), leads: null, free: false };
try { Object.assign(tab, JSON.parse(sessionStorage.getItem(TAB))); } catch { /* no storage */ }
function updateTab(change) {
  Object.assign(tab, change);
  try { sessionStorage.setItem(TAB, JSON.stringify(tab)); } catch { /* no storage */ }
}
updateTab({});
/* A duplicated tab has the same id; the tab that was there first keeps it. */
const tabs = new BroadcastChannel(TAB);
tabs.addEventListener("message", ({ data }) => {
  if (data.id !== tab.id) return;
  if (data.isTaken) { updateTab({ id: randomId(), leads: null }); render(); } else tabs.postMessage({ id: tab.id, isTaken: true });
});
tabs.postMessage({ id: tab.id });

/* The last state from the server and the difference of its clock, the place sent last and whether that failed, the last command of a
   remote, whether the connection is lost, and the guesses that were asked here. */
const room = { now: null, clock: 0, sent: "", isUnsent: false, pressed: null, isLost: false, asked: new Set() };
let isFollowing = false; // a link of the lecturer is being shown

const membership = () => memory.read().room ?? null; // {code, member, secret}: a member's token or the lecturer's secret
const isLecturer = () => Boolean(membership()?.secret);
const isLeading = () => isLecturer() && tab.leads === membership().code;
const isFree = () => (isLecturer() ? tab.free : memory.read().free === true);

const isLost = ({ status }) => status === 0 || [502, 503, 504].includes(status);

async function request(address, body, method = "POST", signal = undefined) {
  const token = membership()?.secret ?? membership()?.member;
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  try {
    const answer = await fetch(url(address), { method, headers, body: body && JSON.stringify(body), signal });
    const content = answer.status === 204 ? {} : await answer.json();
    if (!answer.ok && ![401, 409].includes(answer.status)) showNotice(content.message);
    return { ok: answer.ok, status: answer.status, ...content };
  } catch {
    return { ok: false, status: 0 };
  }
}
const lead = (way, more = {}) => send(`room/${membership().code}/lead`, { way, ...more }, way !== "show" && way !== "press");

/* What was pressed while the connection was lost is sent when it is back, in order; what is older than a minute is said to be lost. */
const outbox = [];
const OUTBOX_MS = 60_000;

async function send(address, body, isKept) {
  const result = await request(address, body);
  if (isKept && isLost(result)) {
    outbox.push({ address, body, at: Date.now() });
    setLost(true);
  }
  return result;
}

async function flushOutbox() {
  while (outbox.length) {
    const { address, body, at } = outbox[0];
    const isOld = Date.now() - at > OUTBOX_MS;
    if (isOld) showNotice(`Not sent, because the connection was lost for too long: ${body.way ?? body.answer ?? body.text}.`);
    else if (isLost(await request(address, body))) return;
    outbox.shift();
  }
}

function setLost(isLostNow) {
  if (room.isLost === isLostNow && !outbox.length) return;
  room.isLost = isLostNow;
  render();
}
addEventListener("offline", () => { if (membership()) setLost(true); });

/* ---- following ---- */

const lessonHere = () => location.pathname.split("/").pop();

function currentPlace() {
  const experiment = current(), drawing = drawingOf(experiment);
  const query = drawing ? drawing.dataset.link ?? "" : experiment ? "experiment=check" : "";
  return { lesson: lessonHere(), query, covered: isCovered(experiment), focus: focusedPart(experiment, drawing) };
}

/* The id of the part that the lecturer shows: on a stage the first part of this screen, else the closer look that was opened last, or the
   exercise at the top of the window; "" for the top of the page. */
function focusedPart(experiment, drawing) {
  if (!experiment) return "";
  const { element } = experiment;
  if (!drawing) {
    if (isPresenting()) return element.querySelector(".turned .exercise")?.id ?? "";
    const isAtTop = (exercise) => exercise.getBoundingClientRect().bottom > 60;
    return scrollY < 40 ? "" : [...element.querySelectorAll(".exercise")].find(isAtTop)?.id ?? "";
  }
  const open = experiment.acts.map((slug) => element.querySelector(`.act-head:has([data-act="${slug}"])`)).filter(Boolean).reverse();
  if (isPresenting()) return firstPart(drawing)?.id ?? open[0]?.id ?? "";
  const isInView = (head) => { const { top, bottom } = head.getBoundingClientRect(); return bottom > 0 && top < innerHeight - 60; };
  return open.find(isInView)?.id ?? "";
}

/* Bring this part into view; on a phone the pictures scroll in their own frame. */
function showPart(id) {
  const experiment = current(), drawing = drawingOf(experiment), part = id && document.getElementById(id);
  if (isPresenting() && drawing) { turnTo(drawing, part); return; }
  const exercises = isPresenting() ? document.querySelectorAll(".exercises > .control") : [];
  for (const one of exercises) one.classList.toggle("turned", Boolean(part) && one.contains(part));
  if (isPresenting()) return;
  const scene = experiment?.element.querySelector(".scene");
  const isInFrame = phone.matches && part && scene?.contains(part);
  if (scene) scene.scrollTop = isInFrame ? part.getBoundingClientRect().top - scene.getBoundingClientRect().top + scene.scrollTop : 0;
  if (!part || isInFrame) scrollTo({ top: 0 }); else part.scrollIntoView({ block: "start" });
}
const solvedExercises = () => Object.keys(memory.read().done ?? {}).filter((id) => id.startsWith(`${lessonHere()}-check-`))
  .map((id) => id.slice(lessonHere().length + 7)).slice(0, 9).join(".");
const placeName = () => `${lessonHere()}/${new URLSearchParams(currentPlace().query).get("experiment") ?? ""}`;

/* Send the lecturer's place to all. */
function sendPlace() {
  if (!membership()) return;
  const here = currentPlace(), text = JSON.stringify(here);
  if (!isLeading() || isFollowing || (here.lesson && !here.query) || text === room.sent) return;
  room.sent = text;
  lead("show", { ...here, by: tab.id }).then(({ ok, status }) => {
    room.isUnsent = !ok && ![400, 409].includes(status);
    if (status === 409) stopLeading();
  });
}

/* One tab of the lecturer leads. The others follow it, and lead when they are asked to. */
async function leadFromHere() {
  const here = currentPlace(), { ok } = await lead("show", { ...here, by: tab.id, take: true });
  if (!ok) return;
  room.sent = JSON.stringify(here);
  updateTab({ leads: membership().code, free: false });
  render();
}

function stopLeading() {
  updateTab({ leads: null, free: false });
  render();
}

async function follow({ lesson, query, covered, focus }) {
  if (lesson !== lessonHere()) {
    const to = url(lesson || "./");
    to.search = [query, `guess=${covered ? 1 : 0}`, isPresenting() ? "present=1" : ""].filter(Boolean).join("&");
    return location.assign(to);
  }
  isFollowing = true;
  try {
    const slug = new URLSearchParams(query).get("experiment");
    if (!slug) return null;
    if (current()?.slug !== slug) await openTab(slug, false);
    const experiment = current(), drawing = drawingOf(experiment);
    if (experiment?.slug !== slug) return null;
    if (!drawing) { showPart(focus); return null; }
    const before = drawing.dataset.link;
    if (before !== query) showLink(experiment, query);
    if (!covered) reveal(experiment);
    await waitUntil(() => before === query || drawingOf(current())?.dataset.link !== before); // from then on changes are the learner's own
    showPart(focus);
  } finally { isFollowing = false; }
  return null;
}

async function waitUntil(isDone) {
  for (let tries = 0; tries < 100 && !isDone(); tries += 1) await new Promise((resolve) => { setTimeout(resolve, 50); });
}

function setFree(yes) {
  if (!membership() || isLeading() || isFree() === yes) return;
  if (isLecturer()) updateTab({ free: yes }); else memory.write({ free: yes });
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
  takeSetOfAddress();
  if (!lessonHere()) sendPlace(); // the map has no drawing that would send it
}

export async function teach() {
  if (membership()) return isLecturer() ? showCode() : showNotice(`You are in room ${membership().code}. Leave it first.`);
  const opened = await request("room", {});
  if (!opened.ok) return opened.status || showNotice("The server does not answer. Please try again in a moment.");
  memory.write({ room: { code: opened.code, secret: opened.secret } });
  updateTab({ leads: opened.code });
  listen();
  sendPlace();
  takeSetOfAddress();
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

/* Long polling: the server answers when something changes, or after three seconds; without an answer the connection counts as lost. */
const ANSWER_MS = 4500, MAX_ANSWER_MS = 15_000;

function listen() {
  let patience = ANSWER_MS;
  render();
  poll(async () => {
    if (!membership()) return false;
    const { code } = membership(), isKnown = room.now?.code === code && !room.isLost;
    const { v = 0, d = 0 } = isKnown ? room.now : {}; // after a loss the server answers at once
    if (!isLecturer() && !membership().member && !await join(code)) return membership() ? null : false;
    const address = isLecturer() ? `desk?v=${v}&d=${d}&by=${tab.id}` : `state?${new URLSearchParams(presence(v))}`;
    const controller = new AbortController(), abort = () => controller.abort(), timer = setTimeout(abort, patience);
    addEventListener("online", abort);
    const state = await request(`room/${code}/${address}`, undefined, "GET", controller.signal);
    clearTimeout(timer);
    removeEventListener("online", abort);
    patience = controller.signal.aborted ? Math.min(1.5 * patience, MAX_ANSWER_MS) : ANSWER_MS;
    if (membership()?.code !== code) return Boolean(membership());
    if (isLost(state)) setLost(true);
    if (state.status === 401) { memory.write({ room: { code } }); return true; } // the token is of another room: join again
    if (state.status === 404 || state.status === 403 || state.closed) { leave(); return false; }
    if (!state.ok) return null;
    setLost(false);
    receive(state);
    if (room.isUnsent) { room.sent = ""; sendPlace(); } // the connection is back
    await flushOutbox();
    return true;
  });
}

async function join(code) {
  const { ok, status, member } = await request(`room/${code}/join`, {});
  if (ok) memory.write({ room: { code, member } });
  else if (status === 404) leave();
  return ok;
}

/* While the room asks a question of the page, a member's page does not tell its answer. */
function holdBack(id) {
  if ((document.body.dataset.asked ?? "") === id) return;
  document.body.dataset.asked = id;
  const experiment = current();
  if (drawingOf(experiment)) updateCovers(experiment);
}

/* A remote presses on the tab that leads. */
function obeyRemote({ pressed }) {
  const number = pressed?.[0] ?? 0;
  if (room.pressed !== null && number > room.pressed && isLeading()) dispatchEvent(new CustomEvent("press", { detail: pressed[1] }));
  room.pressed = number;
}

function receive(state) {
  const before = room.now;
  room.now = state;
  room.clock = state.now - Date.now() / 1000;
  obeyRemote(state);
  const asked = state.question;
  if (asked && isLeading()) {
    room.asked.add(asked.id);
    if (asked.whys && asked.id === `${current()?.id}-predict`) reveal(current());
  }
  holdBack(asked && !asked.whys && !isLecturer() ? asked.id : "");
  if (asked && asked.n !== before?.question?.n) {
    queueMicrotask(() => { if (card.matches(".in-place")) card.scrollIntoView({ block: "nearest" }); });
  }
  if (before?.turn && !state.turn) memory.write({ free: false }); // the lecturer calls back
  const hasMoved = !before || JSON.stringify(before.lead) !== JSON.stringify(state.lead) || (before.turn && !state.turn);
  if (isLeading() && state.lead && state.lead.by !== tab.id) updateTab({ leads: null, free: false }); // another tab has taken over
  const isForUs = !isLeading() && !isFree() && (isLecturer() || !state.turn);
  if (state.lead && hasMoved && isForUs && !remotePlace()) follow(state.lead);
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
  if (remotePlace()) { if (isLecturer()) renderRemote(membership(), room.now, room.isLost, lead); return; }
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
  if (room.isLost) return [h("span", { class: "lost" }, lostText()), chip("leave", leave)];
  const how = turn ? `your turn: ${room.now.goal || "try it"}` : isAlone ? "on your own" : "following";
  return [h("span", {}, `Room ${code} · ${how}${present}`),
    isAlone ? chip("back to the lecture", () => setFree(false)) : turn ? null : chip("look around on my own", () => setFree(true)),
    chip("ask a question", showSpeak), chip("leave", leave)].filter(Boolean);
}

function lecturerStrip() {
  const { here = 0, places = {}, solved = {}, turn, report } = room.now ?? {}, isFollower = !isLeading();
  const largest = (counts) => Object.entries(counts).sort((a, b) => b[1] - a[1]).slice(0, 6).map((one) => one.join(": ")).join(" · ");
  const where = [largest(places), largest(solved) && `solved: ${largest(solved)}`].filter(Boolean).join(" · ");
  const status = room.isLost ? lostText() : `${here} here`;
  return [h("span", { class: room.isLost ? "lost" : "" }, h("b", {}, `Room ${membership().code}`), ` · ${status}`,
    isFollower ? ` · this tab ${isFree() ? "is on its own" : "follows your other tab"}` : ""),
    isFollower ? chip("lead from here", leadFromHere) : null,
    isFollower && isFree() ? chip("back to the lecture", () => setFree(false)) : null,
    chip("code", showCode, { title: "K" }), chip("ask", showQuestions),
    room.now?.asked?.length ? chip(`${room.now.asked.length} from the room`, showQuestions) : null,
    turn ? chip("call back", () => lead("turn", { yours: false }), { "aria-pressed": "true" }) : chip("your turn", showTurn),
    h("details", { class: "places", open: strip.querySelector(".places")?.open }, h("summary", {}, "where they are"),
      h("span", {}, where || "nobody yet")),
    report ? h("a", { href: reportAddress(membership().code, report), target: "_blank" }, "report") : null,
    chip("close", close)].filter(Boolean);
}

const lostText = () => `connection lost; trying again${outbox.length ? ` · ${outbox.length} not sent yet` : ""}`;

/* A question from the audience: only the lecturer sees it, until they pass it on. */
function showSpeak() {
  const text = h("textarea", { id: "room-speak", rows: 3, maxlength: 300 });
  const submit = async () => {
    const { ok, status } = await send(`room/${membership().code}/speak`, { text: text.value }, true);
    if (!ok && status) return;
    form.close();
    showNotice(ok ? "Sent to your lecturer, without a name." : "It is sent when the connection is back.");
  };
  openForm("Ask your lecturer", h("div", { class: "free widget" }, h("label", { for: "room-speak" }, "Your question, without your name"),
    text, h("p", {}, chip("send", submit))));
}

function showCode() {
  if (board.open) return board.close();
  const { code, secret } = membership(), short = url(`r/${code}`).href;
  const copyLink = (address) => (event) => { event.stopPropagation(); copy(event.target, `${address}#lead=${secret}`); };
  board.replaceChildren(h("div", {}, h("p", { class: "code" }, code), h("p", { class: "short" }, short.replace(/^https?:\/\//, "")),
    h("p", {}, h("button", { type: "button", class: "quiet", onclick: copyLink(short) }, "copy my private link (it leads)")),
    h("p", {}, h("button", { type: "button", class: "quiet", onclick: copyLink(url(`teach/remote?room=${code}`).href) },
      "copy the link of my remote")), ...unreachable(code, secret)),
  h("img", { src: `room/${code}/qr.svg`, alt: `QR code of ${short}` }));
  render();
  return board.showModal();
}

/* On this machine's own address phones cannot reach the room: say so, and offer the other addresses. */
function unreachable(code, secret) {
  if (!/^(localhost|127\.|\[::1\])/.test(location.hostname)) return [];
  const place = h("p", { class: "message", role: "status" });
  fetch(url("addresses")).then((answer) => answer.json()).then(({ addresses }) => {
    const links = addresses.map((host) => {
      const target = new URL(url(`r/${code}`));
      target.hostname = host;
      return h("a", { href: `${target.href}#lead=${secret}`, onclick: (event) => event.stopPropagation() }, target.host);
    });
    place.replaceChildren(`Phones cannot reach ${location.host}. `, links.length
      ? "Open the course at this machine’s address: " : "This machine has no other address now. ",
    ...links.flatMap((link, i) => (i ? [", ", link] : [link])),
    ". If it does not answer, start the course with ", h("code", {}, "--host 0.0.0.0"), ".");
  }).catch(() => {});
  return [place];
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
  const field = (id, more = {}) => h("input", { id: `room-${id}`, autocomplete: "off", ...more });
  const text = field("text", { maxlength: 300 }), right = field("right", { maxlength: 120 });
  const seconds = field("seconds", { type: "number", min: 0, max: 900, value: 0 });
  const options = h("textarea", { id: "room-options", rows: 4, placeholder: "one option per line, two to five" });
  const kind = h("select", { id: "room-kind" }, ...["options", "number", "text"].map((name) => h("option", {}, name)));
  const lines = () => options.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const own = () => ({ text: text.value, options: kind.value === "options" ? lines() : null, right: right.value.trim(),
    kind: kind.value === "text" ? "text" : "number", seconds: Math.round(+seconds.value) || 0 });
  const labelled = (name, input) => [h("label", { for: input.id }, name), input];
  openForm("Ask the room", ...audienceQuestions(), preparedSet(),
    h("ul", {}, ...offered.map((one) => h("li", {},
      chip(one.id === id ? "ask this guess" : "ask", () => ask({ id: one.id })), " ", one.text))),
    h("div", { class: "free widget" }, ...labelled("Your own question ($…$ is a formula)", text), ...labelled("Answers are", kind),
      ...labelled("Options", options), ...labelled("Right answer (may be empty)", right),
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
  const file = h("input", { type: "file", id: "room-set", accept: ".json,application/json", onchange: async () => {
    const questions = parseSet(await file.files[0].text());
    if (questions && await takeSet(questions)) form.close();
  } });
  const next = async () => { if ((await lead("next")).ok) form.close(); };
  return h("div", { class: "free widget" }, h("label", { for: "room-set" }, "A prepared set of questions (JSON file)"), file,
    left.length ? h("p", {}, chip(`ask the next of ${left.length}`, next), ` ${left[0]}`) : null);
}

function parseSet(text) {
  try {
    const questions = JSON.parse(text);
    if (Array.isArray(questions)) return questions;
  } catch { /* no JSON */ }
  showNotice('A set is a JSON list of questions: [{"text": "…", "options": ["…", "…"], "right": "…", "seconds": 60}, {"id": "…"}].');
  return null;
}

async function takeSet(questions) {
  const { ok } = await lead("set", { questions });
  const count = `${questions.length} question${questions.length > 1 ? "s" : ""}`;
  if (ok) showNotice(`Prepared: ${count}. “ask” asks them in order. `, chip("copy them as a link", (event) => {
    const bytes = new TextEncoder().encode(JSON.stringify(questions));
    const packed = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
    copy(event.target, `${url(lessonHere() || "./").href}#set=${packed.replace(/=+$/, "")}`);
  }));
  return ok;
}

/* The set in the address, until there is a room for it. */
function takeSetOfAddress() {
  const packed = /^#set=([\w-]+)$/.exec(location.hash)?.[1];
  if (!packed || !isLecturer()) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  let text = "";
  try {
    const bytes = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    text = new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
  } catch { /* cut off */ }
  const questions = parseSet(text);
  if (questions) takeSet(questions);
}

/* Who may come in. */
function door() {
  const { door: state = "open", expects = 400 } = room.now ?? {};
  const number = h("input", { type: "number", id: "room-expects", min: 1, max: 400, value: expects });
  const set = async (isOpen) => { if ((await lead("door", { open: isOpen, expects: Math.round(+number.value) || 0 })).ok) form.close(); };
  return h("div", { class: "free widget" }, h("label", { for: "room-expects" }, "How many do you expect?"), number,
    h("p", {}, chip(state === "open" ? "set" : "open the door", () => set(true)),
      state === "open" ? chip("shut the door for newcomers", () => set(false)) : null));
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
  const asked = room.now?.question, spoken = room.now?.spoken;
  placeCard(asked);
  if (!asked && !spoken) { delete card.dataset.content; return card.replaceChildren(); }
  const content = JSON.stringify([asked, asked && room.now.here, spoken, isLecturer(), isPresenting()]);
  if (card.dataset.content === content && card.childElementCount) return null;
  card.dataset.content = content;
  const typing = card.querySelector("input:focus")?.value;
  card.replaceChildren(...[spoken ? h("p", { class: "heard" }, h("b", {}, "From the room: "), ...formulas(spoken)) : null,
    ...(asked ? [askedText(asked), ...(isLecturer() ? lecturerCard(asked) : memberCard(asked))] : [])].filter(Boolean));
  if (typing !== undefined && card.querySelector("input")) Object.assign(card.querySelector("input"), { value: typing }).focus();
  showTime();
  typeset(card);
  dispatchEvent(new Event("resize"));
  return null;
}

const askedText = (asked) => h("p", { class: "asked" }, ...formulas(asked.text), asked.round > 1 ? h("em", {}, " (asked again)") : null,
  asked.ends && !asked.whys ? h("b", { class: "timer", role: "timer" }) : null);

/* The poll takes the place of the page's own question. If that is not in view, it is below the page; on a stage above the pictures. */
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

/* Text with formulas between dollar signs. */
function formulas(text) {
  const tex = (part) => Object.assign(h("span", { class: "tex" }), { textContent: part });
  return text.split(/\$([^$]+)\$/).flatMap((part, i) => (i % 2 ? [tex(part)] : subscript(part)));
}

const secondsLeft = ({ ends }) => Math.max(0, Math.ceil(ends - Date.now() / 1000 - room.clock));
function showTime() {
  const timer = card.querySelector(".timer"), asked = room.now?.question;
  if (timer && asked?.ends) timer.textContent = secondsLeft(asked) ? ` ${secondsLeft(asked)} s` : " time is up";
}
setInterval(showTime, 500);

/* The next step of a poll: ask again after a discussion, show the answers before and after, reveal, end. */
const nextWay = ({ round, kind, told, whys }) => (whys ? "done" : told ? "reveal" : round < 2 && kind !== "text" ? "again" : "tell");

function lecturerCard(asked) {
  const rounds = asked.rounds.filter(Boolean), isShown = rounds.length > 0 && (asked.told || asked.whys);
  const options = asked.options ?? [...new Set(rounds.flat().map(([option]) => option))];
  const action = (label, way, key) => chip(label, () => lead(way), { title: key });
  const texts = isPresenting() ? [] : asked.given.map((text) => h("li", {},
    chip(asked.passed.includes(text) ? "hide" : "show to all", () => lead("pass", { text })), " ", text));
  return [isShown || asked.options ? bars(options, isShown ? rounds : [], asked.whys) : null,
    asked.kind === "text" ? h("ul", { class: "passed" }, ...asked.passed.map((text) => h("li", {}, text))) : null,
    texts.length ? h("ul", { class: "given" }, ...texts) : null,
    h("p", { class: "chips" }, h("span", { class: "count" }, `${asked.answered} of ${asked.of} answered`),
      asked.told ? null : action("show answers", "tell", "D"), asked.whys ? null : action("reveal", "reveal", "R"),
      asked.round < 2 ? action("ask again", "again", "A") : null, action("reset", "reset"), action("done", "done", "X")),
  ].filter(Boolean);
}

/* A press in a presentation, while there is somebody in the room: true if the poll has used it. */
export function turnPoll(way = null) {
  const asked = room.now?.question, experiment = current(), id = `${experiment?.id}-predict`;
  if (!isLeading() || !room.now || Date.now() < (turnPoll.busyUntil ?? 0)) return isLeading() && Boolean(asked);
  if (!asked && (way ?? "ask") !== "ask") return false;
  if (!asked && !(room.now.here && isCovered(experiment) && (way === "ask" || !room.asked.has(id)))) return false;
  turnPoll.busyUntil = Date.now() + 400; // a clicker that bounces
  if (!asked) lead("ask", { id }); else lead(way === "ask" ? "again" : way ?? nextWay(asked));
  return true;
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
  const give = (answer) => send(`room/${membership().code}/answer`, { n: asked.n, answer }, true).then(({ ok }) => {
    if (ok && room.now.question?.n === asked.n) { room.now.question.yours = answer; renderQuestion(); }
  });
  if (asked.whys) {
    const given = asked.counts.map(([option]) => option), right = asked.whys.filter((why) => why.ok).map((why) => why.option);
    const options = asked.options ?? (asked.kind === "text" ? [...new Set([...given, ...right])] : given);
    return [bars(options, [asked.counts], asked.whys, asked.yours)];
  }
  const shown = asked.passed.length ? h("ul", { class: "passed" }, ...asked.passed.map((text) => h("li", {}, text))) : null;
  const sent = asked.yours ? h("p", { class: "sent", role: "status" }, `Sent: ${asked.yours}. The answer comes from the front.`) : null;
  if (asked.options) {
    const pressed = (option) => ({ "aria-pressed": String(option === asked.yours) });
    const chips = asked.options.map((option) => chip(option, () => give(option), pressed(option)));
    return [h("div", { class: "chips" }, ...chips), sent].filter(Boolean);
  }
  const field = h("input", { autocomplete: "off", "aria-label": "your answer", maxlength: 120, // "2/3" needs a whole keyboard
    onkeydown: (event) => { if (event.key === "Enter") give(field.value); } });
  return [h("div", { class: "chips" }, field, chip("send", () => give(field.value))), sent, shown].filter(Boolean);
}

/* ---- listeners ---- */

for (const when of ["settled", "turned"]) addEventListener(when, () => { sendPlace(); if (membership()) renderQuestion(); });
let scrolling;
addEventListener("scroll", () => { // the scrolling place travels when it rests
  clearTimeout(scrolling);
  scrolling = setTimeout(sendPlace, 250);
}, { passive: true });
onTouched(() => { if (!isFollowing) setFree(true); });
document.addEventListener("click", (event) => {
  const links = "a[data-tab], .foot-tools .steps *, .header a[href], #start-map a[href]";
  if (event.isTrusted && closest(event, links)) setFree(true);
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || event.ctrlKey || event.metaKey || event.altKey || !isLecturer()) return;
  if (!closest(event, TEXT_FIELDS)) showCode();
});
