/* This tab's view of its room: membership, last state, unsent requests. A "room" event reports changes. */

import { h } from "./dom.js";
import { url } from "./fetch_with_retry.js";
import { memory } from "./memory.js";

const changed = () => dispatchEvent(new Event("room"));

/* This tab of the browser: {id, leads: code of the room that it leads, free: whether it does not follow the
   leading tab}. */
const TAB = "seq2see-tab";
const randomId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)
  .padStart(7, "0")).join("");
export const tab = { id: randomId(), leads: null, free: false };
try { Object.assign(tab, JSON.parse(sessionStorage.getItem(TAB))); } catch { /* storage is disabled */ }
export function updateTab(change) {
  Object.assign(tab, change);
  try { sessionStorage.setItem(TAB, JSON.stringify(tab)); } catch { /* storage is disabled */ }
}
updateTab({});
/* A duplicated tab has the same id; the original tab keeps it. */
const tabs = new BroadcastChannel(TAB);
tabs.addEventListener("message", ({ data }) => {
  if (data.id !== tab.id) return;
  if (data.isTaken) {
    updateTab({ id: randomId(), leads: null });
    changed();
  } else tabs.postMessage({ id: tab.id, isTaken: true });
});
tabs.postMessage({ id: tab.id });

/* The last state from the server and its clock offset, the last position sent and whether that failed, the
   last command of a remote, whether the connection is lost, and the guesses that were asked here. */
export const room = { now: null, clock: 0, sent: "", isUnsent: false, pressed: null, isLost: false,
  asked: new Set() };

// {code, member, secret}: a member's token or the lecturer's secret
export const membership = () => memory.read().room ?? null;
export const isLecturer = () => Boolean(membership()?.secret);
export const isLeading = () => isLecturer() && tab.leads === membership().code;
export const isFree = () => (isLecturer() ? tab.free : memory.read().free === true);

export const isLost = ({ status }) => status === 0 || [502, 503, 504].includes(status);

export async function request(address, body, method = "POST", signal = undefined) {
  const token = membership()?.secret ?? membership()?.member;
  const headers = { "Content-Type": "application/json",
    ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  try {
    const answer = await fetch(url(address), { method, headers, body: body && JSON.stringify(body), signal });
    const content = answer.status === 204 ? {} : await answer.json();
    if (!answer.ok && ![401, 409].includes(answer.status)) showNotice(content.message);
    return { ok: answer.ok, status: answer.status, ...content };
  } catch {
    return { ok: false, status: 0 };
  }
}
export const lead = (way, more = {}) => send(`room/${membership().code}/lead`, { way, ...more },
  way !== "show" && way !== "press");

/* Send presses that were made offline, in order, when the connection is restored. Those older than a minute
   are reported as lost. */
export const outbox = [];
const OUTBOX_MS = 60_000;

export async function send(address, body, isKept) {
  const result = await request(address, body);
  if (isKept && isLost(result)) {
    outbox.push({ address, body, at: Date.now() });
    setLost(true);
  }
  return result;
}

export async function flushOutbox() {
  while (outbox.length) {
    const { address, body, at } = outbox[0];
    const isOld = Date.now() - at > OUTBOX_MS;
    const what = body.way ?? body.answer ?? body.text;
    if (isOld) showNotice(`Not sent, because the connection was lost for too long: ${what}.`);
    else if (isLost(await request(address, body))) return;
    outbox.shift();
  }
}

export function setLost(isLostNow) {
  if (room.isLost === isLostNow && !outbox.length) return;
  room.isLost = isLostNow;
  changed();
}
addEventListener("offline", () => { if (membership()) setLost(true); });

export const lessonHere = () => location.pathname.split("/").pop();

/* ---- notices ---- */

const note = h("p", { class: "busy room-note", role: "status", hidden: true });
export function showNotice(...content) {
  if (!note.isConnected) document.body.append(note);
  note.replaceChildren(...content.filter(Boolean));
  note.hidden = !note.childNodes.length;
  clearTimeout(showNotice.timer);
  showNotice.timer = setTimeout(() => { note.hidden = true; }, 8000);
}

export async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch { prompt("Your private link:", text); }
}
