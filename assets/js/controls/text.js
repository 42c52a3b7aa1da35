import { chip } from "../dom.js";

/* A typed text, sent a moment after the last key. A result may change the suggestions. */
export function text(element, send) {
  const field = element.querySelector("textarea"), chips = element.querySelector(".suggestions");
  let timer;
  const sendNow = () => { clearTimeout(timer); send(); };
  const choose = (words) => { field.value = words; sendNow(); };
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(sendNow, 250); });
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); sendNow(); } });
  chips.addEventListener("click", (event) => { if (event.target.matches(".chip")) choose(event.target.textContent); });
  return {
    read: () => field.value,
    show: (words) => { if (document.activeElement !== field || !field.value) field.value = words; },
    choose,
    limit: (used) => { // false if the text is not used; or its suggestions
      element.toggleAttribute("hidden", used === false);
      if (!Array.isArray(used) || used.join("\n") === [...chips.children].map((one) => one.title).join("\n")) return;
      chips.replaceChildren(...used.map((words) => chip(words, null, { title: words })));
    },
  };
}
