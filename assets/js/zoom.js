/* The main act fills the screen: its pictures grow together, never below their natural size, as far as the window has room.
   It imports nothing: what the server drew is fitted by the same lines, before anything else is here (shell/script.py). */

const PHONE = 700;
const most = () => Math.min(1.7, 1.2 * innerWidth / 1280);
const fitted = new WeakMap(); // scene → what it was fitted for

export function fit(stage) {
  const scene = stage?.querySelector(".scene");
  if (!scene?.offsetParent) return;
  const pictures = [...scene.querySelectorAll(".picture")].map((picture) => picture.getAttribute("viewBox") ?? picture.textContent);
  const now = [innerWidth, innerHeight, document.body.className, ...pictures].join(" ");
  if (fitted.get(scene) === now) return;
  fitted.set(scene, now);
  const set = (zoom) => scene.style.setProperty("--zoom", zoom.toFixed(2));
  if (innerWidth <= PHONE) return set(1);
  const room = innerHeight - (scene.getBoundingClientRect().top + scrollY) - 12;
  const fits = (zoom) => { set(zoom); return scene.offsetHeight <= room && scene.scrollWidth <= scene.clientWidth && !wrapped(scene); };
  let low = 1, high = most();
  if (fits(high)) return;
  for (let tries = 0; tries < 6; tries++) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle; else high = middle;
  }
  set(low);
}

/* What should stand side by side stands one below the other. */
const wrapped = (scene) => [...scene.querySelectorAll(".across")].some(({ children }) => {
  const tops = [...children].map((child) => child.getBoundingClientRect()).filter((box) => box.height);
  return tops.some((box, i) => i > 0 && box.left < tops[i - 1].right - 1);
});
