import { chip, h, replaceKeepingFocus } from "../dom.js";
import { translate } from "../language.js";
import { openWords } from "./known_words.js";

/* A text field, sent shortly after the last key press. A result may change the suggestions and offer words
   for unknown ones. */
export function text(element, send) {
  const field = element.querySelector("textarea"), chips = element.querySelector(".suggestions");
  const offers = element.querySelector(".offers"), list = element.querySelector("[data-words]");
  let timer, hasCaret = false; // before the field is focused, its caret position is meaningless
  field.addEventListener("focus", () => { hasCaret = true; }, { once: true });
  const sendNow = () => { clearTimeout(timer); send(); };
  const choose = (words) => { field.value = words; sendNow(); };
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(sendNow, 250); });
  field.addEventListener("keydown",
    (event) => { if (event.key === "Enter") { event.preventDefault(); sendNow(); } });
  chips.addEventListener("click", (event) => {
    if (event.target.matches(".chip")) choose(event.target.textContent);
  });
  offers.addEventListener("click", ({ target }) => {
    if (!target.matches(".chip")) return;
    choose(target.dataset.typed ? replaceWord(field.value, target.dataset.typed, target.textContent)
      : target.textContent);
    field.focus();
  });
  list.addEventListener("click", () => openWords(list, (word) => choose(insertWord(field, word, hasCaret))));
  return {
    read: () => field.value,
    show: (words) => { if (document.activeElement !== field || !field.value) field.value = words; },
    choose,
    limit: (used) => { // suggestions for the field; false if this state does not use its text
      element.toggleAttribute("hidden", used === false);
      if (!Array.isArray(used) || used.join("\n") === [...chips.children].map((one) => one.title).join("\n"))
        return;
      replaceKeepingFocus(chips, ...used.map((words) => chip(words, null, { title: words })));
    },
    offer: (found = []) => { // [[typed word, [words]]]; an empty typed word stands for the whole text
      const shown = JSON.stringify(found);
      if (offers.dataset.shown === shown) return;
      offers.dataset.shown = shown;
      offers.replaceChildren(...found.map(([typed, words]) => h("div", {},
        h("span", {}, typed ? translate("{typed}:", { typed }) : translate("Use")),
        ...words.map((word) => chip(word, null, { "data-typed": typed })))));
    },
    nameVocabulary: (name = "") => {
      list.dataset.words = name;
      list.hidden = !name;
    },
  };
}

/* Replace the first occurrence of a word, ignoring case. */
export function replaceWord(text, typed, word) {
  const plain = text.toLowerCase().replaceAll("’", "'"),
    isLetter = (letter) => /[\p{L}\p{N}]/u.test(letter ?? "");
  for (let at = plain.indexOf(typed); at >= 0; at = plain.indexOf(typed, at + 1)) {
    const end = at + typed.length;
    if (!isLetter(plain[at - 1]) && !isLetter(plain[end])) return text.slice(0, at) + word + text.slice(end);
  }
  return text;
}

/* The field's text with a word, between spaces, in place of the selection or at the end. */
function insertWord(field, word, hasCaret) {
  const { length } = field.value, [start, end] = hasCaret ? [field.selectionStart, field.selectionEnd]
    : [length, length];
  const before = field.value.slice(0, start).trimEnd(), after = field.value.slice(end).trimStart();
  const text = [before, word, after].filter(Boolean).join(" ");
  field.value = text;
  const caret = before.length + word.length + (before ? 1 : 0);
  field.setSelectionRange(caret, caret);
  return text;
}
