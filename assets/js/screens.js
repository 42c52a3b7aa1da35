/* What is on the screen: the main act, or an act that is open. On stage the last row must be able to read it: pictures that cannot
   all be large enough together come screen after screen, each with as much around it as it leaves room for. */

import { fits, grow, most, room, staged, top } from "./zoom.js";

const ROW = 0.02; // of the height: what the last row can read
const ALONE = "layout presets controls heading"; // a picture can do without
const handy = () => document.body.classList.contains("handy"); // the hand has asked for the controls
const fitted = new WeakMap(); // scene → what it was fitted for, and what is on its screen
const places = new Map(); // scene, by name → where its screens begin, up to this one; and which picture is seen alone

export function fit(stage) {
  for (const scene of stage?.querySelectorAll(".scene, .closer") ?? []) if (scene.checkVisibility?.() ?? scene.offsetParent) fill(scene);
}

function fill(scene) {
  const known = fitted.get(scene), parts = partsOf(scene), place = placeOf(scene);
  place.starts = place.starts.filter((start) => start < Math.max(parts.length, 1));
  const bare = document.body.classList.contains("bare");
  const now = [innerWidth, innerHeight, staged(), bare, handy(), place.starts, place.alone, ...parts.map(shape)].join(" ");
  if (staged() && known) put(scene, known);
  const same = known?.now === now && known.top === top(scene);
  if (same && settled(scene)) return;
  scene.style.setProperty("--spare", "0px");
  const screen = same && isHeld() ? known : staged() ? arranged(scene, parts, place) : { parts };
  grow(scene, staged() ? Math.min(needed(screen), most()) : 1);
  settled(scene);
  fitted.set(scene, { ...screen, now, top: top(scene) });
}

const partsOf = (scene) => [...scene.querySelectorAll(":scope > .words, .view:not(.covered)")];
const shape = (part) => `${part.id} ${part.querySelector(".picture")?.getAttribute("viewBox") ?? part.textContent}`;
const isHeld = () => document.querySelector("body :active"); // nothing is taken from under the hand

/* ---- on stage ---- */

function placeOf(scene) {
  const name = `${scene.closest(".experiment").id} ${scene.closest(".act")?.querySelector("[data-act]").dataset.act}`;
  if (!places.has(name)) places.set(name, { starts: [0], alone: -1 });
  return places.get(name);
}

/* The first of these that the last row can read. While a guess is asked it stays, if need be without pictures. */
function arranged(scene, parts, place) {
  const rest = parts.slice(place.starts.at(-1)), one = rest.slice(0, 1), asked = scene.closest(".experiment").querySelector(".guess.open");
  const some = rest.flatMap((_, i) => ["layout", "layout presets"].map((without) => ({ parts: rest.slice(0, rest.length - i), without })));
  const last = asked ? { parts: [], without: "" } : { parts: one, without: ALONE };
  const screens = place.alone >= 0 ? [{ parts: parts.slice(place.alone, place.alone + 1), without: ALONE }] : [
    { parts, without: "" }, { parts, without: "presets" }, ...some, { parts: one, without: "layout presets below" },
    ...(handy() ? [] : [{ parts: one, without: "layout presets controls" }, last]),
  ];
  const isFitting = (screen) => {
    put(scene, screen);
    return fits(scene, Math.min(needed(screen), most()));
  };
  const isReadable = (screen) => isFitting(screen) && needed(screen) <= most() && !screen.parts.some(isSmall);
  const screen = screens.find(isReadable) ?? screens.find((one) => one.parts.length < 2 && isFitting(one)) ?? screens.at(-1);
  if (screen.parts === parts) place.starts = [0];
  return screen;
}

function put(scene, { parts, without }) {
  for (const part of scene.querySelectorAll(":scope > .words, .view")) part.classList.toggle("away", !parts.includes(part));
  scene.closest(".experiment").dataset.without = without;
}

/* Room that is left stands around the pictures; false if there is none. */
function settled(scene) {
  if (!staged()) return true;
  scene.style.setProperty("--spare", "0px");
  const spare = room(scene) - scene.offsetHeight;
  scene.style.setProperty("--spare", `${Math.max(spare, 0)}px`);
  return spare >= 0;
}

/* ---- what the last row can read ---- */

const sizeOf = (words) => parseFloat(getComputedStyle(words).fontSize);
const lineOf = (prose) => parseFloat(getComputedStyle(prose).getPropertyValue("--size"));
const labels = (part) => [...part.querySelectorAll("svg text")].filter((text) => text.textContent.trim());
const smallest = (part) => Math.min(...labels(part).map(sizeOf), ...[...part.querySelectorAll(".passages")].map(lineOf));
const needed = ({ parts }) => Math.max(0.5, ...parts.map((part) => ROW * innerHeight / smallest(part)));

/* A picture may be wider than the window: then it is not as large as it should be. */
const isSmall = (part) => labels(part).some((text) => {
  const seen = text.getScreenCTM();
  return seen && sizeOf(text) * Math.hypot(seen.a, seen.b) < ROW * innerHeight - 0.05;
});

/* ---- the hand ---- */

const sceneIn = (stage) => [...stage.querySelectorAll(".scene, .closer")].find((scene) => scene.offsetParent);

/* To the next screen, or the one before; false if there is none. */
export function turnScreen(stage, by) {
  const scene = sceneIn(stage), place = placeOf(scene);
  if (by < 0 && place.starts.length < 2) return false;
  if (by < 0) place.starts.pop();
  else {
    const next = place.starts.at(-1) + fitted.get(scene).parts.length;
    if (next >= partsOf(scene).length) return false;
    place.starts.push(next);
  }
  fill(scene);
  return true;
}

/* A picture alone, the next one, and at last all again: false. */
export function lookCloser(stage, by) {
  const scene = sceneIn(stage), place = placeOf(scene), many = partsOf(scene).length;
  place.alone = place.alone < 0 && by < 0 ? many - 1 : place.alone + by;
  if (place.alone >= many) place.alone = -1;
  fill(scene);
  return place.alone >= 0;
}

export const isCloser = (stage) => placeOf(sceneIn(stage)).alone >= 0;
