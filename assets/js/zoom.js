/* How large pictures can be: they grow together as far as the window has room. The last row of a lecture hall must be able to read
   them, so in a presentation they begin at what it needs (screens.js). */

import { phone } from "./dom.js";

const FINE = 0.004, NEAR = 3; // of the zoom, in pixels: nobody sees less
export const staged = () => document.body.classList.contains("present");
export const most = () => (staged() ? 2.4 * innerHeight / 720 : Math.min(1.7, 1.2 * innerWidth / 1280));
const set = (scene, zoom) => scene.style.setProperty("--zoom", zoom.toFixed(3));

export function grow(scene, least) {
  if (phone.matches || (scene.matches(".closer") && !staged())) { set(scene, 1); return; }
  hollow(scene, true);
  const found = largest(scene, least, most());
  hollow(scene, false);
  if (!fits(scene, found)) largest(scene, least, found); // a frame that scrolls is higher than its picture
}

/* While sizes are tried, pictures are empty boxes of their shape: to lay out what is in them is dear. (One that a hand has scrolled
   would forget where.) */
export function hollow(scene, yes) {
  for (const svg of scene.querySelectorAll(".frame:not([data-scrolled]) > svg")) {
    const { width, height } = svg.viewBox.baseVal;
    const box = { contentVisibility: "hidden", boxSizing: "content-box", aspectRatio: `${width} / ${height}`, minHeight: `${height}px` };
    for (const [name, value] of Object.entries(box)) svg.parentElement.style[name] = yes ? value : "";
  }
}

function largest(scene, low, high) {
  if (fits(scene, high)) return high;
  if (staged() && !fits(scene, low)) [low, high] = [0.5, low]; // a long sentence: rather small than cut
  for (let next = guessed(scene, low, high); high - low > FINE; next = (low + high) / 2) {
    if (!fits(scene, next)) high = next;
    else if (room(scene) - scene.offsetHeight < NEAR) return next;
    else low = next;
  }
  set(scene, low);
  return low;
}

/* Where the room would be just full if heights grew evenly from `low` to `high`, where the scene is now. */
function guessed(scene, low, high) {
  const above = scene.offsetHeight;
  set(scene, low);
  const below = scene.offsetHeight, share = (room(scene) - below) / (above - below);
  return share > 0 && share < 1 ? low + Math.max(0, share * (high - low) - FINE / 2) : (low + high) / 2;
}

export function fits(scene, zoom) {
  set(scene, zoom);
  return scene.offsetHeight <= room(scene) && scene.scrollWidth <= scene.clientWidth && !wrapped(scene) && !crowded(scene);
}

export const top = (scene) => scene.getBoundingClientRect().top + scrollY;
export const room = (scene) => innerHeight - top(scene) - (staged() ? 5 : 12) - below(scene) - meaning(scene);

/* What an experiment means stands below its pictures: the equation and the first sentence, if that leaves the pictures readable. */
function meaning(scene) {
  if (staged() || !scene.matches(".scene")) return 0;
  const words = scene.parentElement.querySelector(":scope > .words");
  return words && !words.querySelector('.more[aria-expanded="true"]') ? words.offsetHeight + (words.offsetHeight && 8) : 0;
}

/* In a presentation the controls are a strip under the picture. */
function below(scene) {
  const bench = scene.closest(".bench"), block = scene.closest(".stage-block");
  const strip = document.querySelector(".desk, .strip")?.offsetHeight ?? 0; // of a room
  return strip + (staged() && block ? bench.getBoundingClientRect().bottom - block.getBoundingClientRect().bottom : 0);
}

/* What should stand side by side stands one below the other. */
const wrapped = (scene) => [...scene.querySelectorAll(".across")].some((row) => {
  if (!row.getClientRects().length) return false; // some of the pictures: they stand as they can
  const tops = [...row.children].map((child) => child.getBoundingClientRect()).filter((box) => box.height);
  return tops.some((box, i) => i > 0 && box.left < tops[i - 1].right - 1);
});

/* What stands beside a tall picture has no room: the hand on top, the reading at the bottom. */
function crowded(scene) {
  const hand = scene.closest('.experiment[data-without~="below"]')?.querySelector(".hand");
  if (!staged() || !hand) return false;
  const heights = [...hand.children, scene.querySelector(".reading")].map((piece) => piece?.offsetHeight ?? 0);
  return heights.reduce((sum, height) => sum + height + 0.01 * innerHeight) > room(scene);
}
