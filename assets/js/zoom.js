/* The main act fills the screen: its pictures grow together as far as the window has room. Below their natural size they shrink
   only on stage, where they can be seen one by one (near.js).
   It imports nothing: what the server drew is fitted by the same lines, before anything else is here (shell/script.py). */

const PHONE = 700;
const staged = () => document.body.classList.contains("present");
const most = () => (staged() ? 2.4 * innerHeight / 720 : Math.min(1.7, 1.2 * innerWidth / 1280));
const fitted = new WeakMap(); // scene → what it was fitted for

export function fit(stage) {
  for (const scene of stage?.querySelectorAll(".scene, .closer") ?? []) if (scene.offsetParent) fill(scene);
}

function fill(scene) {
  const seen = [...scene.querySelectorAll(".picture")].filter((picture) => picture.getClientRects().length);
  const pictures = seen.map((picture) => picture.getAttribute("viewBox") ?? picture.textContent);
  const now = [innerWidth, innerHeight, document.body.className, scene.getBoundingClientRect().top + scrollY, ...pictures].join(" ");
  if (fitted.get(scene) === now) return;
  fitted.set(scene, now);
  const set = (zoom) => scene.style.setProperty("--zoom", zoom.toFixed(2));
  if (innerWidth <= PHONE || (scene.matches(".closer") && !staged())) return set(1);
  const room = innerHeight - (scene.getBoundingClientRect().top + scrollY) - (staged() ? 5 : 12) - below(scene);
  const fits = (zoom) => { set(zoom); return scene.offsetHeight <= room && scene.scrollWidth <= scene.clientWidth && !wrapped(scene); };
  let low = staged() ? 0.8 : 1, high = most();
  if (fits(high)) return;
  for (let tries = 0; tries < 6; tries++) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle; else high = middle;
  }
  set(low);
}

/* On stage the controls are a strip under the picture. */
function below(scene) {
  const bench = scene.closest(".bench"), block = scene.closest(".stage-block");
  const strip = document.querySelector(".desk, .strip")?.offsetHeight ?? 0; // of a room
  return strip + (staged() && block ? bench.getBoundingClientRect().bottom - block.getBoundingClientRect().bottom : 0);
}

/* What should stand side by side stands one below the other. */
const wrapped = (scene) => [...scene.querySelectorAll(".across")].some((row) => {
  if (!row.getClientRects().length) return false; // a picture alone: nothing is beside it
  const tops = [...row.children].map((child) => child.getBoundingClientRect()).filter((box) => box.height);
  return tops.some((box, i) => i > 0 && box.left < tops[i - 1].right - 1);
});
