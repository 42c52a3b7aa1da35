/* Progress, links, tabs, header and foot. What a learner did is kept in this browser only. */

const STORE = "seq2see";
const memory = {
  read() { try { return JSON.parse(localStorage.getItem(STORE)) ?? {}; } catch { return {}; } },
  write(change) { try { localStorage.setItem(STORE, JSON.stringify({ ...memory.read(), ...change })); } catch { /* private mode: progress lasts as long as the page */ } },
};
seq2see.limits = new Map();

/* ---- progress ---- */

seq2see.done = (id) => {
  const done = memory.read().done ?? {};
  if (!done[id]) { memory.write({ done: { ...done, [id]: 1 } }); seq2see.progress(); }
};
/* A learner has tried an experiment once something in it was moved. */
seq2see.touched = (element) => {
  const experiment = element.closest(".experiment");
  if (experiment && !experiment.matches(".exercises")) { moved.add(experiment.id); seq2see.done(experiment.id); }
};
const moved = new Set(); // experiments set by this learner: only these go into the address

seq2see.progress = () => {
  const done = Object.keys(memory.read().done ?? {});
  for (const place of document.querySelectorAll("[data-progress]")) {
    const all = place.dataset.progress === "*", total = all ? window.SEQ2SEE_IDS.length : +place.dataset.total;
    const count = all ? done.filter((id) => window.SEQ2SEE_IDS.includes(id)).length : done.filter((id) => id.startsWith(`${place.dataset.progress}-`) && window.SEQ2SEE_IDS.includes(id)).length;
    const words = `${count}/${total} done`;
    if (place.dataset.said === words) continue;
    place.dataset.said = words;
    place.style.setProperty("--share", total ? count / total : 0);
    place.textContent = words;
  }
};

/* ---- the stage: links, limits, exports ---- */

seq2see.stage = (element, props, watch) => {
  let later, shown = []; // its lines: one a view, between those that open and close the stage
  const apply = () => {
    const lines = props.value.split("\n");
    if (lines.length === shown.length) redraw(element.firstElementChild, shown, lines);
    else element.innerHTML = props.value;
    shown = lines;
    const stage = element.firstElementChild, id = stage.dataset.experiment;
    for (const [name, limit] of Object.entries(JSON.parse(stage.dataset.limits))) {
      seq2see.limits.set(`${id}-${name}`, limit);
      seq2see.controls.get(`${id}-${name}`)?.limit?.(limit);
    }
    seq2see.hold();
    clearTimeout(later);
    later = setTimeout(() => { // once the hand rests
      foot(stage);
      reachable(stage.closest(".experiment"));
      if (moved.has(id) && stage.offsetParent) address(stage.dataset.link);
    }, 200);
  };
  watch("value", apply);
  apply();
};

/* Only views that are not as they were, and of these only what differs: focus, scrolling and the hand on a mark stay. */
function redraw(stage, before, lines) {
  lines.slice(1, -1).forEach((line, i) => { if (line !== before[i + 1]) become(stage.children[i], made(line)); });
  take(stage, made(lines[0]));
}
function made(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}
function become(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeName !== fresh.nodeName || !(old instanceof Element)) return old.replaceWith(fresh);
  take(old, fresh);
  const children = [...old.childNodes], wanted = [...fresh.childNodes];
  wanted.forEach((child, i) => (children[i] ? become(children[i], child) : old.append(child)));
  children.slice(wanted.length).forEach((child) => child.remove());
}
function take(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

/* An equation too long for the screen scrolls, with the keyboard too. */
function reachable(experiment) {
  for (const equation of experiment?.querySelectorAll(".katex-display") ?? [])
    if (equation.scrollWidth > equation.clientWidth) Object.entries({ tabindex: 0, role: "group", "aria-label": "equation" }).forEach((pair) => equation.setAttribute(...pair));
}

function address(query) {
  if (location.search.slice(1) === query) return;
  history.replaceState(history.state, "", `${location.pathname}?${query}`);
  if (window.parent !== window) window.parent.postMessage({ queryString: query }, "*");
}

function foot(stage) {
  const tools = document.querySelector(`.foot-tools[data-for="${stage.dataset.experiment}"]`);
  if (!tools || tools.dataset.link === stage.dataset.link) return;
  tools.dataset.link = stage.dataset.link;
  const state = stage.dataset.link.split("&").slice(1).join("&");
  const list = tools.querySelector("[data-export]"), formats = list.dataset.formats.split(" ");
  list.replaceChildren(...[...stage.querySelectorAll(".view")].map((view) => {
    const name = view.id.slice(stage.dataset.experiment.length + 1);
    const links = formats.map((kind) => h("a", { href: `${list.dataset.export}${name}.${kind}${state ? `?${state}` : ""}`, download: true, "data-kind": kind }, kind.toUpperCase()));
    return h("li", {}, view.querySelector("figcaption").textContent, ...links);
  }));
  if (tools.querySelector(".numbers").open) tables(tools);
}

/* Numbers: the CSV of each picture, as a table. */
async function tables(tools) {
  const place = tools.querySelector(".tables"), wanted = tools.dataset.link;
  const shown = await Promise.all([...tools.querySelectorAll('[data-kind="csv"]')].map(async (a) => {
    const text = await (await fetch(a.href)).text();
    const [head, ...rows] = text.trim().split(/\r?\n/).map(cells);
    return h("table", {}, h("caption", {}, a.closest("li").firstChild.textContent.trim()), h("thead", {}, h("tr", {}, ...head.map((cell) => h("th", { scope: "col" }, cell)))),
      h("tbody", {}, ...rows.slice(0, 400).map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, short(cell)))))));
  }));
  if (tools.dataset.link === wanted) place.replaceChildren(...shown);
}
const short = (cell) => (cell !== "" && isFinite(cell) && cell.includes(".") ? String(+(+cell).toPrecision(4)).replace("-", "−") : cell);
function cells(line) {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => (quoted ?? bare ?? "").replaceAll('""', '"'));
}
/* The code, once asked for. */
async function showCode(details) {
  const place = details.querySelector("div");
  if (!place.childElementCount) place.innerHTML = await (await fetch(details.dataset.code)).text();
}
document.addEventListener("toggle", (event) => {
  if (!(event.target instanceof Element) || !event.target.open) return;
  if (event.target.matches(".numbers")) tables(event.target.closest(".foot-tools"));
  if (event.target.matches(".code")) showCode(event.target);
}, true);

/* ---- tabs ---- */

const tabs = () => [...document.querySelectorAll(".experiments button[data-tab-id]")];
const openTab = () => tabs().findIndex((tab) => tab.getAttribute("aria-selected") === "true");
seq2see.go = (slug) => {
  const tab = tabs().find((one) => one.dataset.tabId === slug);
  if (tab) { tab.click(); scrollTo({ top: 0 }); }
};

/* ---- header and foot ---- */

const actions = {
  theme() { const dark = document.body.classList.toggle("dark"); memory.write({ theme: dark ? "dark" : "light" }); },
  present(button) { const on = document.body.classList.toggle("present"); button.setAttribute("aria-pressed", String(on)); },
  open(button) { document.querySelector(`dialog[data-name="${button.dataset.dialog}"]`).showModal(); },
  close(button) { button.closest("dialog").close(); },
  clear() { if (confirm("Forget what you have done here? This cannot be undone.")) { memory.write({ done: {} }); seq2see.progress(); } },
  reset(button) { seq2see.controls.get(`${button.closest(".foot-tools").dataset.for}-presets`).reset(); },
  async link(button) {
    const url = new URL(location.href);
    url.search = button.closest(".foot-tools").dataset.link;
    try { await navigator.clipboard.writeText(url.href); button.textContent = "copied"; } catch { prompt("The link to this state:", url.href); }
    setTimeout(() => { button.textContent = "copy link"; }, 1500);
  },
  go(button) {
    const next = openTab() + +button.dataset.by;
    if (tabs()[next]) seq2see.go(tabs()[next].dataset.tabId);
  },
};
document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-action]") : null;
  if (button) actions[button.dataset.action]?.(button);
  else if (event.target instanceof HTMLDialogElement) event.target.close();
  if (event.target instanceof Element && event.target.closest(".experiments button[data-tab-id]")) requestAnimationFrame(tabOpened);
});
for (const kind of ["input", "change"]) document.addEventListener(kind, (event) => { if (event.isTrusted && event.target.closest?.(".control")) seq2see.touched(event.target); });

/* The address names the open tab; a state only once the learner made one. */
function tabOpened() {
  const stage = [...document.querySelectorAll(".stage")].find((one) => one.offsetParent);
  if (stage) address(moved.has(stage.dataset.experiment) ? stage.dataset.link : stage.dataset.link.split("&")[0]);
  else if (document.querySelector(".exercises")?.offsetParent) address("experiment=check");
}

/* Once the header is there, Gradio has chosen its theme; a learner's own choice comes after it. */
seq2see.header = () => {
  const { theme } = memory.read();
  if (theme && !new URLSearchParams(location.search).has("__theme")) document.body.classList.toggle("dark", theme === "dark");
  seq2see.progress();
};
