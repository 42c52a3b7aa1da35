/* On stage: a picture alone, as large as the screen lets it be. Where a full screen has labels too small for the last row,
   the clicker comes by here. */

const LEAST = 0.02; // of the height: what the last row can read
const sheet = document.createElement("style");
let row = [], at = -1; // the pictures to be seen alone, and which one is

const part = (stage) => [...stage.querySelectorAll(".scene, .closer")].find((one) => one.offsetParent);
const views = (stage) => [...part(stage).querySelectorAll(".view:not(.covered)")];

const isSmall = (view) => [...view.querySelectorAll("svg text")].some((text) => {
  const ctm = text.getScreenCTM(), size = parseFloat(getComputedStyle(text).fontSize);
  return ctm && text.textContent.trim() && size * Math.hypot(ctm.a, ctm.b) < LEAST * innerHeight - 0.05;
});

export const isNear = (stage) => stage.closest(".experiment").hasAttribute("data-near");

/* All together again. */
export function far(stage) {
  at = -1;
  stage.closest(".experiment").removeAttribute("data-near");
  sheet.remove();
}

/* The next one, or the one before; false if there is none, and all are seen again. `all`: not only those that are hard to read. */
export function near(stage, by = 1, all = false) {
  if (!isNear(stage)) {
    row = views(stage).filter((view) => all || isSmall(view)).map((view) => view.id);
    at = by > 0 ? -1 : row.length;
  }
  at += by;
  if (!row[at]) { far(stage); return false; }
  stage.closest(".experiment").setAttribute("data-near", "");
  sheet.textContent = `body.present .view:not(#${row[at]}) { display: none; }`;
  document.head.append(sheet);
  return true;
}
