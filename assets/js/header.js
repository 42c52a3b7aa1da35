/* Once the header is there, Gradio has chosen its theme; a learner's own choice comes after it. */

import { leave } from "./first.js";
import { memory, progress } from "./memory.js";
import { present } from "./present.js";

export function header() {
  const { theme } = memory.read(), link = new URLSearchParams(location.search);
  if (theme && !link.has("__theme")) document.body.classList.toggle("dark", theme === "dark");
  document.documentElement.classList.remove("dark"); // it was there until Gradio had its own
  if (link.get("present") === "1") present(true);
  const here = document.querySelector(".bar [aria-current]"), bar = here?.parentElement;
  if (bar) bar.scrollLeft = here.offsetLeft - bar.offsetLeft - (bar.clientWidth - here.offsetWidth) / 2; // on a phone: not all are in view
  progress();
  setTimeout(leave, 5000); // whatever becomes of the stage
}
