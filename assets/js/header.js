/* Name, lessons, quiet tools: of what the server drew, and of Gradio's page. */

import { presenting } from "./address.js";
import { leave } from "./first.js";
import { memory, progress } from "./memory.js";
import { present } from "./present.js";

export function dress() {
  if (presenting()) present(true);
  for (const here of document.querySelectorAll(".bar [aria-current]")) { // on a phone: not all are in view
    const bar = here.parentElement;
    bar.scrollLeft = here.offsetLeft - bar.offsetLeft - (bar.clientWidth - here.offsetWidth) / 2;
  }
  progress();
}

/* Once Gradio's header is there, Gradio has chosen its theme; a learner's own choice comes after it. */
export function header() {
  const { theme } = memory.read();
  if (theme && !new URLSearchParams(location.search).has("__theme")) document.body.classList.toggle("dark", theme === "dark");
  document.documentElement.classList.remove("dark"); // it was there until Gradio had its own
  dress();
  setTimeout(leave, 5000); // whatever becomes of a component
}
