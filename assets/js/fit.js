/* Pictures that fill the window, and stay in view. */

import { phone } from "./dom.js";
import { fit } from "./screens.js";

export { fit };

/* Where a picture is wider than its room, the current step is brought into view; a hand that scrolled it knows better. */
export function centre(stage) {
  for (const frame of stage.querySelectorAll(".frame")) {
    if (frame.scrollWidth <= frame.clientWidth + 1 || frame.dataset.scrolled) continue;
    const now = frame.querySelector("[data-at][font-weight]")?.getBoundingClientRect(), room = frame.getBoundingClientRect();
    if (now) frame.scrollLeft += now.left + now.width / 2 - room.left - room.width / 2;
  }
}
for (const by of ["wheel", "touchmove"]) {
  document.addEventListener(by, (event) => {
    const frame = event.target instanceof Element ? event.target.closest(".frame") : null;
    if (frame) frame.dataset.scrolled = "by hand";
  }, { passive: true });
}

/* The controls' column ends where the window does, however many rows of tabs are above it. */
export function measureAbove() {
  const bench = !phone.matches && document.querySelector(".experiment:not([hidden]) .bench");
  if (bench) document.documentElement.style.setProperty("--above", `${Math.round(bench.getBoundingClientRect().top + scrollY) + 6}px`);
}

for (const when of ["resize", "rested"]) {
  addEventListener(when, () => {
    measureAbove();
    for (const stage of document.querySelectorAll(".stage")) fit(stage);
  });
}
