/* The words that a model knows, by field, in a panel beside the text field. They are fetched when it is first
   opened. */

import { chip, h } from "../dom.js";
import { fetchWithRetry, url } from "../fetch_with_retry.js";
import { translate } from "../language.js";

const lists = new Map(); // vocabulary → [[field, ["go goes went", …]], …]
let insert; // inserts a word into the field for which the panel was opened

const search = h("input", { type: "search", placeholder: translate("search"),
  "aria-label": translate("Search the words"), autocomplete: "off" });
const count = h("p", { class: "count", role: "status" }), groups = h("div", { class: "groups" });
const close = h("button", { type: "button", "aria-label": translate("close") }, "×");
const panel = h("div", { popover: "auto", class: "known-words", role: "dialog",
  "aria-label": translate("Words it knows") },
  h("div", { class: "dialog-head" }, h("h2", {}, translate("Words it knows")), close), search, count, groups);

close.addEventListener("click", () => panel.hidePopover());
panel.addEventListener("keydown", (event) => { // in a search field, Escape would only clear the text
  if (event.key !== "Escape") return;
  event.preventDefault();
  panel.hidePopover();
});
search.addEventListener("input", () => filter());
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") groups.querySelector("section:not([hidden]) .chip:not([hidden])")?.click();
});
groups.addEventListener("click", ({ target }) => {
  if (target.matches(".chip")) insert(target.textContent);
});

/* Open the panel for the vocabulary that the button names. */
export async function openWords(button, onchoose) {
  insert = onchoose;
  if (!panel.isConnected) document.body.append(panel);
  const name = button.dataset.words;
  if (!lists.has(name)) {
    const answer = await fetchWithRetry(url(`words/${name}`));
    if (!answer.ok) return;
    lists.set(name, Object.entries(await answer.json()));
  }
  groups.replaceChildren(...lists.get(name).map(([field, words]) => h("section", {},
    h("h3", {}, field), h("div", { class: "chips" },
      ...words.flatMap((forms) => forms.split(" ").map((word, place) =>
      chip(word, null, { hidden: place > 0, "data-form": place > 0 })))))));
  search.value = "";
  filter();
  panel.showPopover();
  search.focus();
}

/* Show the words that contain the search text; without one, each word without its other forms. */
function filter() {
  const wanted = search.value.trim().toLowerCase();
  let shown = 0;
  for (const section of groups.children) {
    const words = [...section.querySelectorAll(".chip")];
    for (const word of words) {
      word.hidden = wanted ? !word.textContent.includes(wanted) : word.dataset.form !== undefined;
    }
    const visible = words.filter((word) => !word.hidden).length;
    section.hidden = !visible;
    shown += visible;
  }
  const template = shown === 1 ? "{n} word. Choose a word to insert it."
    : "{n} words. Choose a word to insert it.";
  count.textContent = translate(shown ? template : "No known word contains this.", { n: shown });
}
