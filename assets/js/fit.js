/* Fit the pictures to the window and keep them in view. */

import { phone } from "./dom.js";
import { fit } from "./screens.js";

export { fit };

/* If a picture is wider than its frame, scroll to the current step, unless the learner has scrolled it. */
export function centre(drawing) {
  for (const frame of drawing.querySelectorAll(".frame")) {
    if (frame.scrollWidth <= frame.clientWidth + 1 || frame.dataset.scrolled) continue;
    const now = frame.querySelector("[data-at][font-weight]")?.getBoundingClientRect(),
      box = frame.getBoundingClientRect();
    if (now) frame.scrollLeft += now.left + now.width / 2 - box.left - box.width / 2;
  }
}
for (const by of ["wheel", "touchmove"]) {
  document.addEventListener(by, (event) => {
    const frame = event.target instanceof Element ? event.target.closest(".frame") : null;
    if (frame) frame.dataset.scrolled = "by hand";
  }, { passive: true });
}

/* End the column of controls at the bottom of the window, however many rows of tabs are above it. */
export function measureAbove() {
  const columns = !phone.matches && document.querySelector(".experiment:not([hidden]) .columns");
  if (columns)
    document.documentElement.style.setProperty("--above",
    `${Math.round(columns.getBoundingClientRect().top + scrollY) + 6}px`);
}

for (const when of ["resize", "settled"]) {
  addEventListener(when, () => {
    measureAbove();
    for (const drawing of document.querySelectorAll(".drawing")) fit(drawing);
  });
}
