/* Zoom all pictures of a scene by the largest factor that fits the window. */

import { isPresenting } from "./address.js";
import { phone } from "./dom.js";

const ZOOM_STEP = 0.004, NEAR_PX = 3; // smaller differences cannot be seen
export const maxZoom = () => (isPresenting() ? 2.4 * innerHeight / 720
  : Math.min(1.7, 1.2 * innerWidth / 1280));
const setZoom = (scene, zoom) => scene.style.setProperty("--zoom", zoom.toFixed(3));

export function zoomToFit(scene, least) {
  if (phone.matches || (scene.matches(".closer") && !isPresenting())) { setZoom(scene, 1); return; }
  setHollow(scene, true);
  const found = largestZoom(scene, least, maxZoom());
  setHollow(scene, false);
  if (!fits(scene, found)) largestZoom(scene, least, found); // a scrolling frame is taller than its picture
}

/* Turn pictures into empty boxes of their shape while sizes are tried, because their layout is expensive.
   Scrolled pictures are excluded, because they would lose their scroll position. */
export function setHollow(scene, yes) {
  for (const svg of scene.querySelectorAll(".frame:not([data-scrolled]) > svg")) {
    const { width, height } = svg.viewBox.baseVal;
    const box = { contentVisibility: "hidden", boxSizing: "content-box", aspectRatio: `${width} / ${height}`,
      minHeight: `calc(${height}px * min(1, var(--zoom)))` };
    for (const [name, value] of Object.entries(box)) svg.parentElement.style[name] = yes ? value : "";
  }
}

function largestZoom(scene, low, high) {
  if (fits(scene, high)) return high;
  // with a long sentence, small pictures are better than cut ones
  if (isPresenting() && !fits(scene, low)) [low, high] = [0.5, low];
  for (let next = estimateZoom(scene, low, high); high - low > ZOOM_STEP; next = (low + high) / 2) {
    if (!fits(scene, next)) high = next;
    else if (availableHeight(scene) - scene.offsetHeight < NEAR_PX) return next;
    else low = next;
  }
  setZoom(scene, low);
  return low;
}

/* The zoom that fills the height if it grows linearly from `low` to `high`, which is the current zoom. */
function estimateZoom(scene, low, high) {
  const above = scene.offsetHeight;
  setZoom(scene, low);
  const below = scene.offsetHeight, share = (availableHeight(scene) - below) / (above - below);
  return share > 0 && share < 1 ? low + Math.max(0, share * (high - low) - ZOOM_STEP / 2) : (low + high) / 2;
}

export function fits(scene, zoom) {
  setZoom(scene, zoom);
  return scene.offsetHeight <= availableHeight(scene) && scene.scrollWidth <= scene.clientWidth
    && !isWrapped(scene) && !isCrowded(scene);
}

export const topOf = (scene) => scene.getBoundingClientRect().top + scrollY;
export const availableHeight = (scene) => (
  innerHeight - topOf(scene) - (isPresenting() ? 5 : 12) - heightBelow(scene) - meaningHeight(scene));

/* Height that the equation and the first sentence need below the pictures. */
function meaningHeight(scene) {
  if (isPresenting() || !scene.matches(".scene")) return 0;
  const words = scene.parentElement.querySelector(":scope > .words");
  return words && !words.querySelector('.more[aria-expanded="true"]')
    ? words.offsetHeight + (words.offsetHeight && 8) : 0;
}

/* Height of the strips below the pictures: controls in a presentation, and the strip of a room. */
function heightBelow(scene) {
  const columns = scene.closest(".columns"), slot = scene.closest(".drawing-slot");
  const strip = document.querySelector(".desk, .strip")?.offsetHeight ?? 0;
  return strip + (isPresenting() && slot
    ? columns.getBoundingClientRect().bottom - slot.getBoundingClientRect().bottom : 0);
}

/* Whether pictures that should be side by side are one below the other. */
const isWrapped = (scene) => [...scene.querySelectorAll(".across")].some((row) => {
  if (!row.getClientRects().length) return false; // a screen that shows only some of the pictures has no rows
  const tops = [...row.children].map((child) => child.getBoundingClientRect()).filter((box) => box.height);
  return tops.some((box, i) => i > 0 && box.left < tops[i - 1].right - 1);
});

/* Whether controls and reading have too little space beside a tall picture. */
function isCrowded(scene) {
  const controls = scene.closest('.experiment[data-without~="below"]')?.querySelector(".controls");
  if (!isPresenting() || !controls) return false;
  const heights = [...controls.children, scene.querySelector(".reading")].map((piece) => piece?.offsetHeight
    ?? 0);
  return heights.reduce((sum, height) => sum + height + 0.01 * innerHeight) > availableHeight(scene);
}
