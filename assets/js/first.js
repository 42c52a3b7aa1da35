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

/* Two frames later the real one is laid out. */
export function leave() {
  if (view?.isConnected) requestAnimationFrame(() => requestAnimationFrame(() => view.remove()));
}
