import { chip, h } from "../dom.js";
import { label } from "./label.js";

/* Typed words: sent a moment after the last key. Suggestions follow the task, if the result says which. */
export function text(spec, send) {
  let timer;
  const now = () => { clearTimeout(timer); send(field.value); };
  const field = h("textarea", {
    id: `${spec.id}-field`, rows: 1, spellcheck: "false", autocapitalize: "off", dir: "auto",
    oninput: () => { clearTimeout(timer); timer = setTimeout(now, 250); },
    onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); now(); } },
  });
  const choose = (words) => { field.value = words; now(); };
  const chips = h("div", { class: "chips suggestions", role: "group", "aria-label": "examples" });
  const suggest = (all) => chips.replaceChildren(...all.map((words) => chip(words, () => choose(words), { title: words })));
  const element = h("div", { class: "widget text" }, label(spec), field, chips);
  suggest(spec.suggestions);
  return {
    element,
    limit: (used) => { // used at all; or the suggestions that fit
      element.toggleAttribute("hidden", !used);
      if (Array.isArray(used)) suggest(used);
    },
    show: (value) => { if (document.activeElement !== field || !field.value) field.value = value ?? ""; },
    choose,
  };
}
