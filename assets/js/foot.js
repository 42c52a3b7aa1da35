/* Tools in the footer of an experiment: pictures in all formats, numbers, code. */

import { h } from "./dom.js";
import { keepLanguage } from "./language.js";
import { withMinus } from "./numbers.js";

const MAX_ROWS = 400;

export function updateFoot(drawing) {
  const tools = document.querySelector(`.foot-tools[data-for="${drawing.dataset.experiment}"]`);
  if (!tools || tools.dataset.link === drawing.dataset.link) return;
  tools.dataset.link = drawing.dataset.link;
  const state = new URLSearchParams(drawing.dataset.link);
  state.delete("experiment");
  state.delete("acts");
  const query = keepLanguage(state.size ? `?${state}` : "");
  const list = tools.querySelector("[data-export]"), formats = list.dataset.formats.split(" ");
  list.replaceChildren(...[...drawing.querySelectorAll(".view")].map((view) => {
    const address = list.dataset.export + view.id.slice(drawing.dataset.experiment.length + 1);
    const links = formats.map((kind) => h("a", { href: `${address}.${kind}${query}`, download: true },
      kind.toUpperCase()));
    const where = { "data-numbers": `${address}.json${query}`, "data-view": view.id };
    return h("li", where, view.querySelector(".frame").getAttribute("aria-label"), ...links);
  }));
  const notebook = tools.querySelector("[data-notebook]");
  notebook.href = notebook.getAttribute("href").split("?")[0] + query;
  if (tools.querySelector(".numbers").open) showTables(tools);
}

/* The numbers of each picture, as tables. */
async function showTables(tools) {
  const place = tools.querySelector(".tables"), wanted = tools.dataset.link;
  const drawn = await Promise.all([...tools.querySelectorAll("[data-numbers]")].map(loadTable));
  if (tools.dataset.link === wanted) place.replaceChildren(...drawn);
}

async function loadTable(item) {
  const answer = await fetch(item.dataset.numbers);
  // the server's message, which says why there are no numbers
  if (!answer.ok) return h("p", {}, await answer.text());
  const { columns, data } = await answer.json();
  return h("table", {}, h("caption", {}, item.firstChild.textContent.trim()),
    h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...data.slice(0, MAX_ROWS)
      .map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, formatCell(cell)))))));
}

/* The numbers of one picture, as a table. */
export function tableOf(view) {
  updateFoot(view.closest(".drawing"));
  return loadTable(view.closest(".experiment").querySelector(`[data-view="${CSS.escape(view.id)}"]`));
}

const formatCell = (cell) => {
  if (cell === null) return "";
  return typeof cell === "number" && !Number.isInteger(cell) ? withMinus(+cell.toPrecision(4)) : String(cell);
};

/* Load the source code when its section is opened. */
async function showCode(details) {
  const place = details.querySelector("div");
  if (!place.childElementCount) place.innerHTML = await (await fetch(details.dataset.code)).text();
}

document.addEventListener("toggle", (event) => {
  if (!(event.target instanceof Element) || !event.target.open) return;
  if (event.target.matches(".numbers")) showTables(event.target.closest(".foot-tools"));
  if (event.target.matches(".code")) showCode(event.target);
}, true);
