import { chip } from "../dom.js";

/* Typed words: drawn a moment after the last key. Suggestions follow the task, if the result says which. */
export function text(element, send) {
  const field = element.querySelector("textarea"), chips = element.querySelector(".suggestions");
  let timer;
  const now = () => { clearTimeout(timer); send(); };
  const choose = (words) => { field.value = words; now(); };
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(now, 250); });
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); now(); } });
  chips.addEventListener("click", (event) => { if (event.target.matches(".chip")) choose(event.target.textContent); });
  return {
    read: () => field.value,
    show: (words) => { if (document.activeElement !== field || !field.value) field.value = words; },
    choose,
    limit: (used) => { // used at all; or the suggestions that fit
      element.toggleAttribute("hidden", used === false);
      if (!Array.isArray(used) || used.join("\n") === [...chips.children].map((one) => one.title).join("\n")) return;
      chips.replaceChildren(...used.map((words) => chip(words, null, { title: words })));
    },
  };
}
