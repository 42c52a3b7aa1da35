/* Fit the pictures to the window. A presentation must be readable from the last row: pictures that cannot all
   be large enough at once are split into several screens, each with as much of the other content as there is
   space for. */

import { isPresenting } from "./address.js";
import { availableHeight, fits, maxZoom, topOf, zoomToFit } from "./zoom.js";

const PROSE_SIZES = [1.5, 1.25, 1]; // explanations are large where there is space
const READABLE = 0.02; // font size that the last row can read, as a fraction of the window's height
const ALONE = "layout presets controls heading"; // parts that are hidden when a picture is shown alone
/* Whether the lecturer shows presets, one after the other. */
const usesPresets = (scene) =>
  scene.closest(".experiment").querySelector('.presets [aria-pressed="true"]');
const keepsControls = () => document.body.classList.contains("with-controls");
const fitted = new WeakMap(); // scene → what it was fitted for, and its screen {parts, without}
const positions = new Map(); // scene → first parts of the screens visited so far, and the part shown alone

export function fit(drawing) {
  const scenes = [...drawing?.querySelectorAll(".scene, .closer") ?? []];
  for (const scene of scenes.filter((one) => one.checkVisibility?.() ?? one.offsetParent)) fitScene(scene);
}

function fitScene(scene) {
  const known = fitted.get(scene), parts = partsOf(scene), position = positionOf(scene);
  position.starts = position.starts.filter((start) => start < Math.max(parts.length, 1));
  const hasNoControls = document.body.classList.contains("no-controls");
  const now = [innerWidth, innerHeight, isPresenting(), hasNoControls, keepsControls(), position.starts,
    position.alone, pollIn(scene)?.dataset.content, verdictIn(scene), Boolean(usesPresets(scene)),
    ...parts.map(shapeOf)].join(" ");
  if (isPresenting() && known) applyScreen(scene, known);
  const isSame = known?.now === now && known.top === topOf(scene);
  if (isSame && centre(scene)) return;
  scene.style.setProperty("--spare", "0px");
  setProse(scene, 1);
  let screen = { parts };
  if (isPresenting()) {
    screen = isSame && isPressed() ? known : chooseScreen(scene, parts, position);
    enlargeProse(scene, screen);
    zoomScreen(scene, screen);
    screen = stack(scene, screen);
  } else zoomToFit(scene, 1);
  centre(scene);
  fitted.set(scene, { ...screen, now, top: topOf(scene) });
}

const pollIn = (scene) => scene.closest(".experiment").querySelector(".card.in-place:not(:empty)");
const verdictIn = (scene) => scene.closest(".experiment").querySelector(".guess .verdict")?.textContent;
const partsOf = (scene) => [...scene.querySelectorAll(":scope > .words, .view:not(.covered)")];
const shapeOf = (part) =>
  `${part.id} ${part.querySelector(".picture")?.getAttribute("viewBox") ?? part.textContent}`;
// nothing may move while the pointer is pressed
const isPressed = () => document.querySelector("body :active");

/* ---- presentation ---- */

function positionOf(scene) {
  const name =
    `${scene.closest(".experiment").id} ${scene.closest(".act")?.querySelector("[data-act]").dataset.act}`;
  if (!positions.has(name)) positions.set(name, { starts: [0], alone: -1 });
  return positions.get(name);
}

/* Choose the content of a screen: as many of the remaining parts as the last row can read. An open guess
   stays, if necessary without pictures. The text of a closer look is never shown without a picture if there
   is one. */
function chooseScreen(scene, parts, position) {
  const rest = parts.slice(position.starts.at(-1)), one = rest.slice(0, 1);
  const poll = pollIn(scene), asked = poll ?? scene.closest(".experiment").querySelector(".guess.open");
  const some = rest.flatMap((_, i) => ["layout", "layout presets"]
    .map((without) => ({ parts: rest.slice(0, rest.length - i), without })));
  const last = asked ? { parts: [], without: poll ? "presets controls" : "" }
    : { parts: one, without: ALONE };
  const besides = one[0]?.matches(".words") && rest.length > 1
    ? ["layout presets beside", "layout presets beside controls", "layout presets controls"]
      .map((without) => ({ parts: rest.slice(0, 2), without }))
    : [];
  // a poll takes the whole width
  const singles = [...(poll ? [] : [{ parts: one, without: "layout presets below" }]),
    ...(keepsControls() ? [] : [{ parts: one, without: "layout presets controls" }, last])];
  const screens = position.alone >= 0
    ? [{ parts: parts.slice(position.alone, position.alone + 1), without: ALONE }] : [
    { parts, without: "" }, { parts, without: "presets" },
    ...(besides.length ? [...some.filter((screen) => screen.parts.length > 1), ...besides]
      : [...some, ...singles]),
  ];
  const isFitting = (screen) => {
    applyScreen(scene, screen);
    return hasSpace(scene, screen, 1);
  };
  const isReadable = (screen) => isFitting(screen) && neededZoom(screen) <= maxZoom()
    && !screen.parts.some(isSmall);
  const isNearlyFitting = (screen) => { applyScreen(scene, screen); return hasSpace(scene, screen, 0.7); };
  const single = (isGood) => screens.find((one) => one.parts.length === 1 && isGood(one));
  // a smaller picture beside the question is better than none
  const nearly = () => (asked ? single(isNearlyFitting) : null);
  // a poll without pictures is the last resort
  const isGood = (one) => !(poll && one === last) && isReadable(one);
  const withPresets = usesPresets(scene) ? screens.filter((one) => !one.without.includes("presets")) : [];
  const good = withPresets.find(isGood) ?? screens.find(isGood);
  const largest = () => besides.map((screen) => [zoomScreen(scene, screen), screen])
    .sort(([a], [b]) => b - a)[0]?.[1];
  const screen = good ?? single(isFitting) ?? nearly() ?? largest() ?? screens.at(-1);
  applyScreen(scene, screen);
  if (screen.parts === parts) position.starts = [0];
  return screen;
}

/* Whether a screen has space for pictures enlarged by this factor. */
const hasSpace = (scene, screen, factor) => fits(scene, Math.min(factor * neededZoom(screen), maxZoom()));
const setProse = (scene, size) => scene.closest(".experiment").style.setProperty("--prose", size);

/* Show a screen as large as it fits; return its zoom. */
function zoomScreen(scene, screen) {
  applyScreen(scene, screen);
  zoomToFit(scene, Math.min(neededZoom(screen), maxZoom()));
  return parseFloat(scene.style.getPropertyValue("--zoom"));
}

/* Enlarge explanations where the pictures stay easy to read, or as large as they are beside small
   explanations. */
function enlargeProse(scene, screen) {
  const zoom = zoomScreen(scene, screen);
  setProse(scene, PROSE_SIZES.find((size) => {
    setProse(scene, size);
    return size === 1 || (!hasCutEquation(scene)
      && (hasSpace(scene, screen, 1.25) || fits(scene, 0.98 * zoom)));
  }));
}

const hasCutEquation = (scene) => [...scene.querySelectorAll(".katex-display")].some((one) =>
  one.scrollWidth > one.clientWidth + 1);

/* Stack pictures that are side by side if they leave much height unused and become larger this way. */
function stack(scene, screen) {
  const zoom = parseFloat(scene.style.getPropertyValue("--zoom")),
    free = availableHeight(scene) - scene.offsetHeight;
  if (free < 0.3 * innerHeight || screen.parts.length < 2 || screen.without.includes("layout")) return screen;
  const stacked = { ...screen, without: `layout ${screen.without}` };
  applyScreen(scene, stacked);
  const isLarger = fits(scene, Math.min(1.25 * zoom, maxZoom())) && 1.25 * zoom <= maxZoom();
  if (!isLarger) applyScreen(scene, screen);
  zoomToFit(scene, zoom);
  return isLarger ? stacked : screen;
}

function applyScreen(scene, { parts, without }) {
  for (const part of scene.querySelectorAll(":scope > .words, .view"))
    part.classList.toggle("off-screen", !parts.includes(part));
  scene.closest(".experiment").dataset.without = without;
}

/* Distribute the remaining space around the pictures; false if there is too little. */
function centre(scene) {
  if (!isPresenting()) return true;
  scene.style.setProperty("--spare", "0px");
  const spare = availableHeight(scene) - scene.offsetHeight;
  scene.style.setProperty("--spare", `${Math.max(spare, 0)}px`);
  return spare >= 0;
}

/* ---- readability from the last row ---- */

const fontSize = (text) => parseFloat(getComputedStyle(text).fontSize);
const proseSize = (prose) => parseFloat(getComputedStyle(prose).getPropertyValue("--size"));
const labels = (part) => [...part.querySelectorAll("svg text")].filter((text) => text.textContent.trim());
const smallest = (part) => Math.min(...labels(part).map(fontSize),
  ...[...part.querySelectorAll(".passages")].map(proseSize));
const neededZoom = ({ parts }) => Math.max(0.5,
  ...parts.map((part) => READABLE * innerHeight / smallest(part)));

/* Whether a part has labels that are too small for the last row, as in a picture that is wider than the
   window. */
const isSmall = (part) => labels(part).some((text) => {
  const matrix = text.getScreenCTM();
  return matrix && fontSize(text) * Math.hypot(matrix.a, matrix.b) < READABLE * innerHeight - 0.05;
});

/* ---- commands ---- */

const sceneIn = (drawing) => [...drawing.querySelectorAll(".scene, .closer")].find((scene) =>
  scene.offsetParent);

/* Go to the next or previous screen; false if there is none. */
export function turnScreen(drawing, by) {
  const scene = sceneIn(drawing), { starts } = positionOf(scene);
  if (by < 0 && starts.length < 2) return false;
  if (by < 0) starts.pop();
  else {
    const next = starts.at(-1) + fitted.get(scene).parts.length;
    if (next >= partsOf(scene).length) return false;
    starts.push(next);
  }
  fitScene(scene);
  return true;
}

/* The first part of the screen that is shown, if there are several screens. */
export function firstPart(drawing) {
  const scene = sceneIn(drawing), { starts, alone } = positionOf(scene), all = partsOf(scene),
    shown = fitted.get(scene)?.parts ?? all;
  return alone >= 0 || starts.length > 1 || shown.length < all.length ? shown[0] : null;
}

/* Show the screen with this part. */
export function turnTo(drawing, part) {
  const scene = sceneIn(drawing), position = positionOf(scene), at = partsOf(scene).indexOf(part);
  if (at < 0 && position.starts.length < 2) return;
  position.starts = position.starts.filter((start) => start <= Math.max(at, 0));
  fitScene(scene);
  if (at >= 0 && !fitted.get(scene).parts.includes(part)) { position.starts.push(at); fitScene(scene); }
}

/* Show one picture alone, on each call the next. After the last, show all again and return false. */
export function showAlone(drawing, by) {
  const scene = sceneIn(drawing), position = positionOf(scene), count = partsOf(scene).length;
  position.alone = position.alone < 0 && by < 0 ? count - 1 : position.alone + by;
  if (position.alone >= count) position.alone = -1;
  fitScene(scene);
  return position.alone >= 0;
}

export const isAlone = (drawing) => positionOf(sceneIn(drawing)).alone >= 0;
