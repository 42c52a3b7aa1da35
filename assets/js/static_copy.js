/* A copy of the course as files, without a server (assets/deploy/static.py). This module answers the script's
   requests from files that the page loads as scripts, because a page opened from a disk must not fetch. */

import { config } from "./config.js";
import { parseNumber } from "./numbers.js";

export const isStaticCopy = config.live !== undefined;
const NO_MODEL = "This copy of the course has no models, so it cannot draw this setting.";
const NO_SERVER = "This copy of the course has no server, so this works only in the live course.";
const NOT_STATE = ["experiment", "acts", "_v", "narrow", "present", "guess", "room", "hide", "embed",
  "__theme"];
const files = new Map(); // name → promise of its content
const received = (globalThis.seq2see = {}); // name → content of its file: compressed JSON in base64

export const loadScript = (src) => new Promise((resolve, reject) => {
  const script = Object.assign(document.createElement("script"), { src, onload: resolve, onerror: reject });
  document.head.append(script);
});

/* The content of data/NAME.js; null if there is no such file. */
function read(name) {
  if (!files.has(name))
    files.set(name, loadScript(`data/${name}.js`).then(() => unpack(received[name]), () => null));
  return files.get(name);
}

function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

/* The settings in a query, and the key that the files use for them. */
const settingsOf = (query) => [...query].filter(([name]) => !NOT_STATE.includes(name));
const keyOf = (settings) => settings.map((pair) => pair.join("=")).join("&");

/* ---- answers, by the first part of the address ---- */

async function drawing([lesson, slug], query) {
  const content = await read(`${lesson}-${slug}`), settings = settingsOf(query);
  const lines = content?.drawings[keyOf(settings) + (query.has("narrow") ? " narrow" : "")];
  const live = `${lesson}?${new URLSearchParams([["experiment", slug], ...settings])}`;
  if (!lines) return JSON.stringify({ complaint: NO_MODEL, live });
  const [about, ...rest] = lines.map((line) => content.lines[line]), acts = query.get("acts");
  const open = (acts ?? "").split(".").filter(Boolean), given = JSON.parse(about);
  return [JSON.stringify({ ...given, link: given.link + (acts ? `&acts=${acts}` : ""), open }),
    ...rest].join("\n");
}

/* A guess is stored in the file of its experiment, an exercise in the file of “Check yourself”. */
const questionOf = async (id) => (await read(id.replace(/-predict$|(?<=-check)-.*$/, "")))?.questions[id];

async function verdict([id], answer) {
  const question = await questionOf(id);
  const found = question?.answers.find(({ option }) => option === answer);
  if (found) return found;
  if (question?.number === undefined) return { ok: false, message: NO_SERVER };
  const { number, tolerance, unlike } = question;
  const typed = parseNumber(answer ?? "");
  if (Number.isNaN(typed)) return { ok: false, message: "Please type a number." };
  return Math.abs(typed - number) < tolerance ? question.answers[0] : { ok: false, message: unlike };
}

const answers = {
  draw: (path, query) => drawing(path, query),
  check: async (path, query, init) => JSON.stringify(await verdict(path, JSON.parse(init.body).answer)),
  answers: async ([id]) => JSON.stringify((await questionOf(id))?.answers ?? { message: NO_SERVER }),
  code: async ([lesson, slug]) => (await read(`${lesson}-${slug}`)).code,
  work: () => JSON.stringify({ message: NO_SERVER }),
  outline: async () => JSON.stringify(await read("outline")),
};
for (const page of ["notation", "glossary", "about", "accessibility"]) {
  answers[`${page}.html`] = () => read(page);
}

async function answer(input, init) {
  const folder = new URL(".", document.baseURI).href, address = new URL(input, folder);
  const [kind, ...path] = address.href.slice(folder.length).replace(/[?#].*/, "").split("/");
  const body = await answers[kind]?.(path, address.searchParams, init);
  return new Response(body ?? NO_SERVER, { status: body ? 200 : 404 });
}

/* ---- the state in the address of a page, which otherwise the server reads ---- */

const query = new URLSearchParams(location.search);

/* Show the experiment and the guess that the address asks for, before hydration. Returns the state in the
   address, if any. */
export function readAddress(element) {
  const { lesson, slug } = element.dataset, other = query.get("experiment") ?? slug;
  if (other !== slug && document.querySelector(`.tabs [data-tab="${CSS.escape(other)}"]`)) {
    location.replace(`${lesson}-${other}.html${location.search}`);
  }
  const isLinked = settingsOf(query).length > 0, asks = query.get("guess") ?? (isLinked ? "0" : "1");
  if (isLinked) element.dataset.linked = "";
  if (asks === "0") delete element.dataset.asks;
  return isLinked || query.has("acts") ? query.toString() : null;
}

if (isStaticCopy) {
  globalThis.fetch = answer;
  const hidden = (query.get("hide") ?? "").split(".").filter(Boolean).map((part) => `hide-${part}`);
  document.body.classList.add(...["present", "embed"].filter((mode) => query.get(mode) === "1"), ...hidden);
}
