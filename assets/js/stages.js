/* The stages of this page, by experiment: long work draws on them too. */

export const stages = new Map(); // experiment → its stage: where it is, and what draws a text on it

export function show(id, text) {
  stages.get(id)?.draw(text);
}

/* Of what long work has found all acts are drawn: they are opened and closed here. */
export function turn(stage, open) {
  for (const button of stage.querySelectorAll("[data-act]")) {
    const isOpen = open.includes(button.dataset.act), closer = button.closest(".act").querySelector(".closer");
    button.setAttribute("aria-expanded", String(isOpen));
    if (closer) closer.hidden = !isOpen;
  }
}
