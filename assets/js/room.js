/* The room: a lecturer's page leads, those of the members follow; questions go to all. The link travels, each page draws it. */

import { presenting } from "./address.js";
import { isCovered, reveal } from "./covers.js";
import { chip, closest, h, subscript, TYPED } from "./dom.js";
import { showLink } from "./draw.js";
import { current, onTouched, stageOf } from "./experiments.js";
import { url } from "./fetch_with_retry.js";
import { memory } from "./memory.js";
import { poll } from "./poll.js";
import { openTab } from "./tabs.js";

const me = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36).padStart(7, "0")).join(""); // this tab
const room = { now: null, sent: "", owed: false }; // what the server said last, where we last led, and whether it did not hear it
let following = false; // while a link is being followed, nothing moves by hand

const kept = () => memory.read().room ?? null; // {code, member, secret}: a member's token, or the secret of who leads
const leads = () => Boolean(kept()?.secret);
const free = () => memory.read().free === true;

async function ask(address, body, method = "POST") {
  const proof = kept()?.secret ?? kept()?.member;
  const headers = { "Content-Type": "application/json", ...(proof ? { Authorization: `Bearer ${proof}` } : {}) };
  try {
    const answer = await fetch(url(address), { method, headers, body: body && JSON.stringify(body) });
    const told = answer.status === 204 ? {} : await answer.json();
    if (!answer.ok && answer.status !== 401) say(told.message);
    return { ok: answer.ok, status: answer.status, ...told };
  } catch {
    return { ok: false, status: 0 };
  }
}
const lead = (way, more = {}) => ask(`room/${kept().code}/lead`, { way, ...more });

/* ---- where we are, and where the room is ---- */

const lessonHere = () => location.pathname.split("/").pop();

function place() {
  const experiment = current(), stage = stageOf(experiment);
  const query = stage ? stage.dataset.link ?? "" : experiment ? "experiment=check" : "";
  return { lesson: lessonHere(), query, covered: isCovered(experiment) };
}
const solved = () => Object.keys(memory.read().done ?? {}).filter((id) => id.startsWith(`${lessonHere()}-check-`))
  .map((id) => id.slice(lessonHere().length + 7)).slice(0, 9).join(".");
const at = () => `${lessonHere()}/${new URLSearchParams(place().query).get("experiment") ?? ""}`;

/* The hand rests: all go there. */
function rested() {
  if (!kept()) return;
  const here = place(), text = JSON.stringify(here);
  if (!leads() || following || (here.lesson && !here.query) || text === room.sent) return;
  room.sent = text;
  lead("show", { ...here, by: me }).then(({ ok, status }) => { room.owed = !ok && status !== 400; });
}

async function follow({ lesson, query, covered }) {
  if (lesson !== lessonHere()) {
    const to = url(lesson || "./");
    to.search = [query, `guess=${covered ? 1 : 0}`, presenting() ? "present=1" : ""].filter(Boolean).join("&");
    return location.assign(to);
  }
  following = true;
  room.sent = JSON.stringify({ lesson, query, covered });
  try {
    const slug = new URLSearchParams(query).get("experiment");
    if (!slug) return null;
    if (current()?.slug !== slug) await openTab(slug, false);
    const experiment = current(), stage = stageOf(experiment);
    if (!stage || experiment.slug !== slug) return null;
    const before = stage.dataset.link;
    if (before !== query) showLink(experiment, query);
    if (!covered) reveal(experiment);
    await until(() => before === query || stageOf(current())?.dataset.link !== before); // then the hand may move again
  } finally { following = false; }
  return null;
}

async function until(done) {
  for (let tries = 0; tries < 100 && !done(); tries += 1) await new Promise((on) => { setTimeout(on, 50); });
}

function setFree(yes) {
  if (!kept() || leads() || free() === yes) return;
  memory.write({ free: yes });
  draw();
  if (!yes && room.now?.lead) follow(room.now.lead);
}

/* ---- going in and out ---- */

export function enter() {
  const link = new URLSearchParams(location.search), code = link.get("room"), secret = /^#lead=([\w-]+)$/.exec(location.hash)?.[1];
  if (code && /^[A-Z]{4}$/.test(code)) {
    const old = kept()?.code === code ? kept() : { code };
    memory.write({ room: secret ? { ...old, secret } : old, free: false });
    link.delete("room");
    history.replaceState(history.state, "", `${location.pathname}${link.size ? `?${link}` : ""}`);
  }
  if (!kept()) return;
  listen();
  if (!lessonHere()) rested(); // on the map nothing is drawn, and nothing comes to rest
}

export async function teach() {
  if (kept()) return leads() ? showCode() : say(`You are in room ${kept().code}. Leave it first.`);
  const opened = await ask("room", {});
  if (!opened.ok) return opened.status || say("The server does not answer. Please try again in a moment.");
  memory.write({ room: { code: opened.code, secret: opened.secret } });
  listen();
  rested();
  return showCode();
}

function leave() {
  memory.write({ room: null, free: false });
  room.now = null;
  draw();
}

async function close() {
  if (!confirm("Close this room? The report stays for twelve hours.")) return;
  const { code } = kept(), key = room.now?.report;
  await lead("close");
  leave();
  say("Closed. ", h("a", { href: reportOf(code, key), target: "_blank" }, "The report"));
}
const reportOf = (code, key) => url(`room/${code}/report?key=${key}`).href;

const mine = (v) => ({ v, at: at(), free: free() ? 1 : 0, solved: solved() }); // a sign of life

/* What the server says: at once when there is news, else every quarter of a minute. */
function listen() {
  draw();
  poll(async () => {
    if (!kept()) return false;
    const { code } = kept(), { v = 0, d = 0 } = room.now?.code === code ? room.now : {};
    if (!leads() && !kept().member && !await join(code)) return kept() ? null : false;
    const told = leads() ? await ask(`room/${code}/desk?v=${v}&d=${d}&by=${me}`, undefined, "GET")
      : await ask(`room/${code}/state?${new URLSearchParams(mine(v))}`, undefined, "GET");
    if (told.status === 401) { memory.write({ room: { code } }); return true; } // a token that is not of this room: join it
    if (told.status === 404 || told.status === 403 || told.closed) { leave(); return false; }
    if (!told.ok) return null;
    heard(told);
    if (room.owed) { room.sent = ""; rested(); } // the connection is back
    return true;
  });
}

async function join(code) {
  const { ok, status, member } = await ask(`room/${code}/join`, {});
  if (ok) memory.write({ room: { code, member } });
  else if (status === 404) leave();
  return ok;
}

function heard(told) {
  const before = room.now;
  room.now = told;
  if (before?.turn && !told.turn) memory.write({ free: false }); // called back
  const news = told.lead && (!before || JSON.stringify(before.lead) !== JSON.stringify(told.lead) || (before.turn && !told.turn));
  if (news && (leads() ? before && told.lead.by !== me : !free() && !told.turn)) follow(told.lead);
  draw();
}

/* ---- what is seen ---- */

const note = h("p", { class: "busy room-note", role: "status", hidden: true });
function say(...words) {
  if (!note.isConnected) document.body.append(note);
  note.replaceChildren(...words.filter(Boolean));
  note.hidden = !note.childNodes.length;
  clearTimeout(say.later);
  say.later = setTimeout(() => { note.hidden = true; }, 8000);
}

const strip = h("aside", { "aria-label": "room" }), card = h("section", { class: "card", "aria-live": "polite", "aria-label": "question" });
const board = h("dialog", { class: "dialog board", "aria-label": "Join this room", onclick: () => board.close() });
const panel = h("dialog", { class: "dialog panel" });

function draw() {
  const inside = Boolean(kept());
  document.body.classList.toggle("in-room", inside);
  if (!inside) { strip.remove(); card.remove(); return; }
  if (!strip.isConnected) document.body.append(strip, card, board, panel);
  strip.className = leads() ? "desk" : "strip";
  const held = strip.contains(document.activeElement) ? document.activeElement.textContent : null;
  strip.replaceChildren(...(leads() ? desk() : status()));
  if (held) [...strip.querySelectorAll("button")].find((one) => one.textContent === held)?.focus();
  document.body.style.setProperty("--strip", `${strip.offsetHeight}px`);
  drawQuestion();
  dispatchEvent(new Event("resize"));
}

function status() {
  const { code } = kept(), many = room.now?.here ? ` · ${room.now.here} here` : "", turn = room.now?.turn, alone = free();
  const how = turn ? `your turn: ${room.now.goal || "try it"}` : alone ? "on your own" : "following";
  return [h("span", {}, `Room ${code} · ${how}${many}`),
    alone ? chip("back to the lecture", () => setFree(false)) : turn ? null : chip("look around on my own", () => setFree(true)),
    chip("leave", leave)].filter(Boolean);
}

function desk() {
  const { here = 0, places = {}, solved = {}, turn, report } = room.now ?? {};
  const most = (counts) => Object.entries(counts).sort((a, b) => b[1] - a[1]).slice(0, 6).map((one) => one.join(": ")).join(" · ");
  const where = [most(places), most(solved) && `solved: ${most(solved)}`].filter(Boolean).join(" · ");
  return [h("span", {}, h("b", {}, `Room ${kept().code}`), ` · ${here} here`),
    chip("code", showCode, { title: "K" }), chip("ask", showPanel),
    turn ? chip("call back", () => lead("turn", { yours: false }), { "aria-pressed": "true" }) : chip("your turn", showTurn),
    h("details", { class: "places", open: strip.querySelector(".places")?.open }, h("summary", {}, "where they are"),
      h("span", {}, where || "nobody yet")),
    report ? h("a", { href: reportOf(kept().code, report), target: "_blank" }, "report") : null, chip("close", close)].filter(Boolean);
}

function showCode() {
  if (board.open) return board.close();
  const { code, secret } = kept(), short = url(`r/${code}`).href;
  const mine = (event) => { event.stopPropagation(); copy(event.target, `${short}#lead=${secret}`); };
  board.replaceChildren(h("div", {}, h("p", { class: "code" }, code), h("p", { class: "short" }, short.replace(/^https?:\/\//, "")),
    h("p", {}, h("button", { type: "button", class: "quiet", onclick: mine }, "copy my private link (it leads)"))),
  h("img", { src: `room/${code}/qr.svg`, alt: `QR code of ${short}` }));
  draw();
  return board.showModal();
}

async function copy(button, text) {
  try { await navigator.clipboard.writeText(text); button.textContent = "copied"; } catch { prompt("Your private link:", text); }
}

/* What can be asked: the guess in view, the lesson's exercises, or anything. */
async function showPanel() {
  const lesson = lessonHere(), id = `${current()?.id}-predict`;
  const all = lesson ? await (await fetch(url(`questions/${lesson}`))).json() : [];
  const offered = [...all.filter((one) => one.id === id), ...all.filter((one) => one.id.includes("-check-"))];
  const put = async (what) => { if ((await lead("ask", what)).ok) panel.close(); };
  const text = h("input", { id: "room-text", maxlength: 300, autocomplete: "off" });
  const options = h("textarea", { id: "room-options", rows: 4, placeholder: "one option a line, two to five" });
  const lines = () => options.value.split("\n").map((line) => line.trim()).filter(Boolean);
  openPanel("Ask the room",
    h("ul", {}, ...offered.map((one) => h("li", {},
      chip(one.id === id ? "ask this guess" : "ask", () => put({ id: one.id })), " ", one.text))),
    h("div", { class: "free widget" }, h("label", { for: "room-text" }, "Your own question"), text,
      h("label", { for: "room-options" }, "Options"), options, chip("ask", () => put({ text: text.value, options: lines() }))));
}

function openPanel(title, ...parts) {
  panel.setAttribute("aria-label", title);
  panel.replaceChildren(h("div", { class: "dialog-head" }, h("h2", {}, title),
    h("button", { type: "button", "aria-label": "close", onclick: () => panel.close() }, "×")), ...parts);
  panel.showModal();
}

/* All may try it themselves: with something to find, if the lecturer names it. */
function showTurn() {
  const start = async () => { if ((await lead("turn", { yours: true, goal: goal.value })).ok) panel.close(); };
  const goal = h("input", { id: "room-goal", maxlength: 160, autocomplete: "off",
    onkeydown: (event) => { if (event.key === "Enter") start(); } });
  openPanel("Your turn", h("div", { class: "free widget" }, h("label", { for: "room-goal" }, "What should they find? (may be empty)"), goal,
    h("p", {}, chip("hand out", start))));
}

/* A question: options to choose from, or, for the lecturer, how many chose them. */
function drawQuestion() {
  const asked = room.now?.question;
  if (!asked) return card.replaceChildren();
  const told = JSON.stringify([asked, room.now.here, leads()]);
  if (card.dataset.told === told && card.childElementCount) return null;
  card.dataset.told = told;
  const typing = card.querySelector("input:focus")?.value;
  card.replaceChildren(h("p", { class: "asked" }, ...subscript(asked.text), asked.round > 1 ? h("em", {}, " (asked again)") : null),
    ...(leads() ? chart(asked) : answers(asked)));
  if (typing !== undefined && card.querySelector("input")) Object.assign(card.querySelector("input"), { value: typing }).focus();
  return null;
}

function chart(asked) {
  const rounds = asked.rounds.filter(Boolean), shown = rounds.length > 0;
  const options = asked.options ?? [...new Set(rounds.flat().map(([option]) => option))];
  const way = (words, step) => chip(words, () => lead(step));
  return [shown || asked.options ? bars(options, rounds, asked.whys) : null,
    h("p", { class: "chips" }, h("span", { class: "count" }, `${asked.answered} of ${room.now.here} answered`),
      asked.told ? null : way("show answers", "tell"), asked.whys ? null : way("reveal", "reveal"),
      asked.round < 2 && asked.told ? way("ask again", "again") : null, way("done", "done"))].filter(Boolean);
}

function bars(options, rounds, whys, yours) {
  const row = (option) => {
    const why = whys?.find((one) => one.option === option);
    const all = (round) => Math.max(1, round.reduce((sum, [, many]) => sum + many, 0));
    const counts = rounds.map((round) => [round.find(([one]) => one === option)?.[1] ?? 0, all(round)]);
    return h("li", { class: why?.ok ? "right" : "" },
      h("span", {}, why?.ok ? "✓ " : "", ...subscript(option), option === yours ? " (yours)" : ""),
      ...counts.map(([many, all], i) => h("span", { class: "bar-row" }, counts.length > 1 ? h("small", {}, ["before", "after"][i]) : "",
        h("span", { class: "of", style: `--share:${many / all}` }), h("b", {}, `${many}`))),
      why?.message ? h("small", { class: "why" }, ...subscript(why.message)) : null);
  };
  return h("ul", { class: "bars" }, ...options.map(row));
}

function answers(asked) {
  const send = (answer) => ask(`room/${kept().code}/answer`, { n: asked.n, answer }).then(({ ok }) => {
    if (ok && room.now.question?.n === asked.n) { room.now.question.yours = answer; drawQuestion(); }
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

/* ---- the hand ---- */

addEventListener("rested", rested);
onTouched(() => { if (!following) setFree(true); });
document.addEventListener("click", (event) => {
  const away = "a[data-tab], .foot-tools .steps *, .header a[href], #start-map a[href]";
  if (event.isTrusted && closest(event, away)) setFree(true);
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || event.ctrlKey || event.metaKey || event.altKey || !leads()) return;
  if (!closest(event, TYPED)) showCode();
});
