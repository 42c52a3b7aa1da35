/* Once the header is there, Gradio has chosen its theme; a learner's own choice comes after it. */

import { address, presenting } from "./address.js";
import { leave } from "./first.js";
import { memory, progress } from "./memory.js";

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

/* On stage: larger, and only what is needed; it goes along to other lessons, and is in the link. */
export function present(on = !presenting()) {
  document.body.classList.toggle("present", on);
  for (const button of document.querySelectorAll('[data-action="present"]')) button.setAttribute("aria-pressed", String(on));
  for (const link of document.querySelectorAll(".bar a, .steps a")) {
    const target = new URL(link.href);
    if (on) target.searchParams.set("present", "1"); else target.searchParams.delete("present");
    link.href = target.href;
  }
  const query = new URLSearchParams(location.search);
  query.delete("present");
  if (on || location.search.includes("present")) address(query.toString());
  dispatchEvent(new Event("resize"));
}
