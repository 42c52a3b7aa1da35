/* The classroom: members' pages follow the lecturer's page and answer questions. Only links are sent; each
   page draws itself. */

import { isPresenting } from "./address.js";
import { isCovered, reveal, updateCovers } from "./covers.js";
import { chip, closest, h, phone, TEXT_FIELDS } from "./dom.js";
import { showLink } from "./draw.js";
import { current, onTouched, drawingOf } from "./experiments.js";
import { url } from "./fetch_with_retry.js";
import { memory } from "./memory.js";
import { poll } from "./poll.js";
import { remotePlace, renderRemote } from "./remote.js";
import { card, renderQuestion } from "./room_card.js";
import { form, showQuestions, showSpeak, showTurn, takeSetOfAddress } from "./room_forms.js";
import {
  copy, flushOutbox, isFree, isLeading, isLecturer, isLost, lead, lessonHere, membership, outbox, request,
  room, setLost, showNotice, tab,
  updateTab,
} from "./room_state.js";
import { firstPart, turnTo } from "./screens.js";
import { openTab } from "./tabs.js";

let isFollowing = false; // a link of the lecturer is being shown
let isSending = false; // the server has not confirmed the last position yet

/* ---- following ---- */

function currentPlace() {
  const experiment = current(), drawing = drawingOf(experiment);
  const query = drawing ? drawing.dataset.link ?? "" : experiment ? `experiment=${experiment.slug}` : "";
  return { lesson: lessonHere(), query, covered: isCovered(experiment),
    focus: focusedPart(experiment, drawing) };
}

/* The id of the part that the lecturer shows: in a presentation the first part of this screen, else the last
   opened closer look or the exercise at the top of the window; "" for the top of the page. */
function focusedPart(experiment, drawing) {
  if (!experiment) return "";
  const { element } = experiment;
  if (!drawing) {
    if (isPresenting()) return element.querySelector(".turned .exercise")?.id ?? "";
    const isAtTop = (exercise) => exercise.getBoundingClientRect().bottom > 60;
    return scrollY < 40 ? "" : [...element.querySelectorAll(".exercise")].find(isAtTop)?.id ?? "";
  }
  const open = experiment.acts.map((slug) => element.querySelector(`.act-head:has([data-act="${slug}"])`))
    .filter(Boolean).reverse();
  if (isPresenting()) return firstPart(drawing)?.id ?? open[0]?.id ?? "";
  const isInView = (head) => {
    const { top, bottom } = head.getBoundingClientRect();
    return bottom > 0 && top < innerHeight - 60;
  };
  return open.find(isInView)?.id ?? "";
}

/* Scroll this part into view; on a phone the pictures scroll in their own frame. */
function showPart(id) {
  const experiment = current(), drawing = drawingOf(experiment), part = id && document.getElementById(id);
  if (isPresenting() && drawing) { turnTo(drawing, part); return; }
  const exercises = isPresenting() ? document.querySelectorAll(".exercises > .control") : [];
  for (const one of exercises) one.classList.toggle("turned", Boolean(part) && one.contains(part));
  if (isPresenting()) return;
  const scene = experiment?.element.querySelector(".scene");
  const isInFrame = phone.matches && part && scene?.contains(part);
  if (scene)
    scene.scrollTop = isInFrame ? part.getBoundingClientRect().top - scene.getBoundingClientRect().top
    + scene.scrollTop : 0;
  if (!part || isInFrame) scrollTo({ top: 0 }); else part.scrollIntoView({ block: "start" });
}
const solvedExercises = () => Object.keys(memory.read().done ?? {})
  .filter((id) => id.startsWith(`${lessonHere()}-check-`))
  .map((id) => id.slice(lessonHere().length + 7)).slice(0, 9).join(".");
const placeName = () =>
  `${lessonHere()}/${new URLSearchParams(currentPlace().query).get("experiment") ?? ""}`;

/* Send the lecturer's position to all members: one request at a time, so that no earlier position arrives
   after a later one. */
async function sendPlace() {
  if (isSending || !isLeading() || isFollowing) return;
  const here = currentPlace(), text = JSON.stringify(here);
  if ((here.lesson && !here.query) || text === room.sent) return;
  room.sent = text;
  isSending = true;
  const body = { way: "show", ...here, by: tab.id };
  const { ok, status } = await request(`room/${membership().code}/lead`, body, "POST",
    AbortSignal.timeout(ANSWER_MS));
  isSending = false;
  room.isUnsent = !ok && ![400, 409].includes(status);
  if (status === 409) stopLeading(); else sendPlace(); // the position may have changed meanwhile
}

/* One of the lecturer's tabs leads and the others follow it; the lecturer can make another tab lead. */
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
  const load = () => {
    const to = url(lesson || "./");
    to.search = [query, `guess=${covered ? 1 : 0}`, isPresenting() ? "present=1" : ""].filter(Boolean)
      .join("&");
    location.assign(to);
  };
  if (lesson !== lessonHere()) return load();
  isFollowing = true;
  try {
    const slug = new URLSearchParams(query).get("experiment");
    if (!slug) return null;
    const isOpen = current()?.slug === slug || await openTab(slug, false);
    // the start page of a lesson is not a tab, so load its address
    if (!isOpen && new URLSearchParams(location.search).get("experiment") !== slug) return load();
    const experiment = current(), drawing = drawingOf(experiment);
    if (experiment?.slug !== slug) return null;
    if (!drawing) { showPart(focus); return null; }
    const before = drawing.dataset.link;
    if (before !== query) showLink(experiment, query);
    if (!covered) reveal(experiment);
    // changes after this drawing are the learner's own
    await waitUntil(() => before === query || drawingOf(current())?.dataset.link !== before);
    showPart(focus);
  } finally { isFollowing = false; }
  return null;
}

async function waitUntil(isDone) {
  for (let tries = 0; tries < 100 && !isDone(); tries += 1) await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
}

function setFree(yes) {
  if (!membership() || isLeading() || isFree() === yes) return;
  if (isLecturer()) updateTab({ free: yes }); else memory.write({ free: yes });
  render();
  if (!yes && room.now?.lead) follow(room.now.lead);
}

/* ---- joining and leaving ---- */

export function enterRoom() {
  const link = new URLSearchParams(location.search), code = link.get("room"),
    secret = /^#lead=([\w-]+)$/.exec(location.hash)?.[1];
  if (code && /^[A-Z]{4}$/.test(code)) {
    const old = membership()?.code === code ? membership() : { code };
    memory.write({ room: secret ? { ...old, secret } : old, free: false });
    link.delete("room");
    history.replaceState(history.state, "", `${location.pathname}${link.size ? `?${link}` : ""}`);
  }
  if (!membership()) return;
  listen();
  takeSetOfAddress();
  if (!drawingOf(current())) sendPlace(); // no drawing will follow, so send the position now
}

export async function teach() {
  if (membership())
    return isLecturer() ? showCode() : showNotice(`You are in room ${membership().code}. Leave it first.`);
  const opened = await request("room", {});
  if (!opened.ok)
    return opened.status || showNotice("The server does not answer. Please try again in a moment.");
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

/* Long polling: the server answers when something changes, or after three seconds; without an answer the
   connection counts as lost. */
const ANSWER_MS = 4500, MAX_ANSWER_MS = 15_000;

function listen() {
  let patience = ANSWER_MS;
  render();
  poll(async () => {
    if (!membership()) return false;
    const { code } = membership(), isKnown = room.now?.code === code && !room.isLost;
    // after a lost connection, ask for the full state at once
    const { v = 0, d = 0 } = isKnown ? room.now : {};
    if (!isLecturer() && !membership().member && !await join(code)) return membership() ? null : false;
    const address = isLecturer() ? `desk?v=${v}&d=${d}&by=${tab.id}`
      : `state?${new URLSearchParams(presence(v))}`;
    const controller = new AbortController(), abort = () => controller.abort(),
      timer = setTimeout(abort, patience);
    addEventListener("online", abort);
    const state = await request(`room/${code}/${address}`, undefined, "GET", controller.signal);
    clearTimeout(timer);
    removeEventListener("online", abort);
    patience = controller.signal.aborted ? Math.min(1.5 * patience, MAX_ANSWER_MS) : ANSWER_MS;
    if (membership()?.code !== code) return Boolean(membership());
    if (isLost(state)) setLost(true);
    // the token belongs to another room: join again
    if (state.status === 401) { memory.write({ room: { code } }); return true; }
    if (state.status === 404 || state.status === 403 || state.closed) { leave(); return false; }
    if (!state.ok) return null;
    setLost(false);
    receive(state);
    if (room.isUnsent) { room.sent = ""; sendPlace(); } // the connection has been restored
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

/* While the room is asking a question of this page, hide its answer on members' pages. */
function holdBack(id) {
  if ((document.body.dataset.asked ?? "") === id) return;
  document.body.dataset.asked = id;
  const experiment = current();
  if (drawingOf(experiment)) updateCovers(experiment);
}

/* Run commands of a remote on the leading tab. */
function obeyRemote({ pressed }) {
  const number = pressed?.[0] ?? 0;
  if (room.pressed !== null && number > room.pressed && isLeading())
    dispatchEvent(new CustomEvent("press", { detail: pressed[1] }));
  room.pressed = number;
}

function receive(state) {
  const before = room.now;
  room.now = state;
  room.clock = state.now - Date.now() / 1000;
  obeyRemote(state);
  const asked = state.question;
  if (asked && isLeading()) room.asked.add(asked.id);
  holdBack(asked && !asked.whys && !isLecturer() ? asked.id : "");
  if (asked?.whys && asked.id === `${current()?.id}-predict` && isCovered(current())) {
    reveal(current());
    if (isPresenting()) current().guess.showAnswer(); // keep the answer visible after the poll has ended
  }
  if (asked && asked.n !== before?.question?.n) {
    queueMicrotask(() => { if (card.matches(".in-place")) card.scrollIntoView({ block: "nearest" }); });
  }
  // the lecturer has ended “your turn”: follow again
  if (asked?.whys && !before?.question?.whys && !isLecturer()) { // the right answer may be below the window
    queueMicrotask(() => card.querySelector(".right")?.scrollIntoView({ block: "center" }));
  }
  if (before?.turn && !state.turn) memory.write({ free: false });
  const hasMoved = !before || JSON.stringify(before.lead) !== JSON.stringify(state.lead)
    || (before.turn && !state.turn);
  // another tab has taken over
  if (isLeading() && state.lead && state.lead.by !== tab.id) updateTab({ leads: null, free: false });
  const isForUs = !isLeading() && !isFree() && (isLecturer() || !state.turn);
  if (state.lead && hasMoved && isForUs && !remotePlace()) follow(state.lead);
  render();
}

/* ---- display ---- */

const strip = h("aside", { "aria-label": "room" });
const board =
  h("dialog", { class: "dialog board", "aria-label": "Join this room", onclick: () => board.close() });

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
  const { code } = membership(), present = room.now?.here ? ` · ${room.now.here} here` : "",
    turn = room.now?.turn, isAlone = isFree();
  if (room.isLost) return [h("span", { class: "lost" }, lostText()), chip("leave", leave)];
  const how = turn ? `your turn: ${room.now.goal || "try it"}` : isAlone ? "on your own" : "following";
  return [h("span", {}, `Room ${code} · ${how}${present}`),
    isAlone ? chip("back to the lecture", () => setFree(false)) : turn ? null
      : chip("look around on my own", () => setFree(true)),
    chip("ask a question", showSpeak), chip("leave", leave)].filter(Boolean);
}

function lecturerStrip() {
  const { here = 0, places = {}, solved = {}, turn, report } = room.now ?? {}, isFollower = !isLeading();
  const largest = (counts) => Object.entries(counts).sort((a, b) => b[1] - a[1]).slice(0, 6)
    .map((one) => one.join(": ")).join(" · ");
  const where = [largest(places), largest(solved) && `solved: ${largest(solved)}`].filter(Boolean)
    .join(" · ");
  const status = room.isLost ? lostText() : `${here} here`;
  return [h("span", { class: room.isLost ? "lost" : "" }, h("b", {}, `Room ${membership().code}`),
    ` · ${status}`,
    isFollower ? ` · this tab ${isFree() ? "is on its own" : "follows your other tab"}` : ""),
    isFollower ? chip("lead from here", leadFromHere) : null,
    isFollower && isFree() ? chip("back to the lecture", () => setFree(false)) : null,
    chip("code", showCode, { title: "K" }), chip("ask", showQuestions),
    room.now?.asked?.length ? chip(`${room.now.asked.length} from the room`, showQuestions) : null,
    turn ? chip("call back", () => lead("turn", { yours: false }), { "aria-pressed": "true" })
      : chip("your turn", showTurn),
    h("details", { class: "places", open: strip.querySelector(".places")?.open },
      h("summary", {}, "where they are"),
      h("span", {}, where || "nobody yet")),
    report ? h("a", { href: reportAddress(membership().code, report), target: "_blank" }, "report") : null,
    chip("close", close)].filter(Boolean);
}

const lostText = () =>
  `connection lost; trying again${outbox.length ? ` · ${outbox.length} not sent yet` : ""}`;

function showCode() {
  if (board.open) return board.close();
  const { code, secret } = membership(), short = url(`r/${code}`).href;
  const copyLink = (address) => (event) => {
    event.stopPropagation();
    copy(event.target, `${address}#lead=${secret}`);
  };
  board.replaceChildren(h("div", {}, h("p", { class: "code" }, code),
    h("p", { class: "short" }, short.replace(/^https?:\/\//, "")),
    h("p", {}, h("button", { type: "button", class: "quiet", onclick: copyLink(short) },
      "copy my private link (it leads)")),
    h("p", {}, h("button", { type: "button", class: "quiet",
      onclick: copyLink(url(`teach/remote?room=${code}`).href) },
      "copy the link of my remote")), ...unreachable(code, secret)),
  h("img", { src: `room/${code}/qr.svg`, alt: `QR code of ${short}` }));
  render();
  return board.showModal();
}

/* Warn that phones cannot reach a room on a loopback address, and offer this machine's other addresses. */
function unreachable(code, secret) {
  if (!/^(localhost|127\.|\[::1\])/.test(location.hostname)) return [];
  const place = h("p", { class: "message", role: "status" });
  fetch(url("addresses")).then((answer) => answer.json()).then(({ addresses }) => {
    const links = addresses.map((host) => {
      const target = new URL(url(`r/${code}`));
      target.hostname = host;
      return h("a", { href: `${target.href}#lead=${secret}`, onclick: (event) => event.stopPropagation() },
        target.host);
    });
    place.replaceChildren(`Phones cannot reach ${location.host}. `, links.length
      ? "Open the course at this machine’s address: " : "This machine has no other address now. ",
    ...links.flatMap((link, i) => (i ? [", ", link] : [link])),
    ". If it does not answer, start the course with ", h("code", {}, "--host 0.0.0.0"), ".");
  }).catch(() => {});
  return [place];
}

/* ---- listeners ---- */

addEventListener("room", render);
for (const when of ["settled", "turned"]) addEventListener(when, () => {
  sendPlace();
  if (membership()) renderQuestion();
});
let scrolling;
addEventListener("scroll", () => { // send the scroll position when scrolling stops
  clearTimeout(scrolling);
  scrolling = setTimeout(sendPlace, 250);
}, { passive: true });
onTouched(() => { if (!isFollowing) setFree(true); });
document.addEventListener("click", (event) => {
  const links = "a[data-tab], .foot-tools .steps *, .header a[href], #start-map a[href]";
  if (event.isTrusted && closest(event, links)) setFree(true);
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || event.ctrlKey || event.metaKey || event.altKey || !isLecturer())
    return;
  if (!closest(event, TEXT_FIELDS)) showCode();
});
