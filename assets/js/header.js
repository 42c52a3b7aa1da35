/* Name, lessons, quiet tools: of what the server drew, and of Gradio's page. */

import { memory, progress } from "./memory.js";
import { present } from "./present.js";

const link = new URLSearchParams(location.search);

export function dress() {
  if (link.get("present") === "1") present(true);
  for (const here of document.querySelectorAll(".bar [aria-current]")) { // on a phone: not all are in view
    const bar = here.parentElement;
    bar.scrollLeft = here.offsetLeft - bar.offsetLeft - (bar.clientWidth - here.offsetWidth) / 2;
  }
  progress();
}

/* Once Gradio's header is there, Gradio has chosen its theme; a learner's own choice comes after it. */
export function header() {
  const { theme } = memory.read();
  if (theme && !link.has("__theme")) document.body.classList.toggle("dark", theme === "dark");
  document.documentElement.classList.remove("dark"); // it was there until Gradio had its own
  dress();
}
