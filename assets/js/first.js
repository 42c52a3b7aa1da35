/* What the server drew goes when Gradio has drawn the same. */

import { memory, progress } from "./memory.js";
import { typeset } from "./tex.js";

const view = document.getElementById("first-view");

export function prepare() {
  const stage = view?.querySelector(".first-stage");
  if (!stage) return;
  if (memory.has("guessed", stage.dataset.experiment)) {
    for (const piece of stage.querySelectorAll(".covered")) piece.classList.remove("covered");
    for (const cover of stage.querySelectorAll(".cover")) cover.remove();
  }
  progress();
  typeset(view);
}

/* Two frames later the real one is laid out. Who was at a link or a button by keyboard is at the same one there. */
export function leave() {
  if (!view?.isConnected) return;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const focused = view.contains(document.activeElement) ? document.activeElement : null;
    view.remove();
    if (focused) requestAnimationFrame(() => twin(focused)?.focus({ preventScroll: true })); // what was hidden can be focused now
  }));
}

function twin(element) {
  const { action, dialog } = element.dataset, address = element.getAttribute("href");
  if (element.closest(".first-tabs")) {
    return document.querySelector(`.experiments button[data-tab-id="${new URL(element.href).searchParams.get("experiment")}"]`);
  }
  const alike = (one) => one.getAttribute("href") === address && one.textContent === element.textContent;
  if (address) return [...document.querySelectorAll("gradio-app a")].find(alike);
  const same = (one) => one.dataset.action === action && one.dataset.dialog === dialog;
  return [...document.querySelectorAll("gradio-app button[data-action]")].find(same) ?? document.querySelector(".stage .cover button");
}
