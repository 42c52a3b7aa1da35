/* Equations: texts carry TeX; KaTeX sets what is in view, and is loaded when there is something to set. */

import { config } from "./config.js";
import { h, phone } from "./dom.js";

const SMALLEST = 0.8; // of an equation's own size
let katex = null;

/* Quantities have the colour of their role: \src{h_i} of the source, \tgt of the target, \att of attention, \ctx of context. */
const macros = Object.fromEntries(["src", "tgt", "att", "ctx"].map((role) => [`\\${role}`, `\\htmlClass{${role}}{#1}`]));
const trust = ({ command }) => command === "\\htmlClass";

function load() {
  document.head.append(h("link", { rel: "stylesheet", href: config.katex.css }));
  return import(new URL(config.katex.js, document.baseURI).href);
}

export async function typeset(element) {
  const equations = [...element.querySelectorAll(".tex:not(.set)")].filter((one) => one.checkVisibility?.() ?? true);
  if (!equations.length) return;
  katex ??= load();
  const { default: writer } = await katex;
  for (const equation of equations) {
    if (equation.classList.contains("set")) continue;
    equation.classList.add("set");
    equation.dataset.tex ??= equation.textContent;
    const displayMode = equation.classList.contains("display"), { tex: written } = equation.dataset;
    const isNarrow = phone.matches || equation.closest(".hand");
    const tex = displayMode && isNarrow ? written.replaceAll("\\qquad", "\\\\") : written;
    writer.render(tex, equation, { displayMode, throwOnError: false, strict: "ignore", macros: { ...macros }, trust });
    for (const svg of equation.querySelectorAll("svg")) svg.ariaHidden = "true"; // a brace, a root: KaTeX's MathML says them
  }
  reachable(element);
  dispatchEvent(new Event("resize")); // an equation that is set has another height
}

/* Equations that will be set again, for another width. */
export function unset(element) {
  for (const equation of element.querySelectorAll(".tex.display.set")) equation.classList.remove("set");
}

/* An equation too long for its place is a little smaller; if that is not enough it scrolls, with the keyboard too. */
function reachable(element) {
  for (const equation of element.querySelectorAll(".katex-display")) {
    equation.style.fontSize = "";
    if (equation.scrollWidth <= equation.clientWidth) continue;
    equation.style.fontSize = `${Math.max(SMALLEST, equation.clientWidth / equation.scrollWidth)}em`;
    if (equation.scrollWidth <= equation.clientWidth) continue;
    for (const [name, value] of [["tabindex", 0], ["role", "group"], ["aria-label", "equation"]]) equation.setAttribute(name, value);
  }
}

document.fonts.addEventListener("loadingdone", () => { // letters are as wide as they are only now
  reachable(document.body);
  dispatchEvent(new Event("resize"));
});
for (const when of ["rested", "resize"]) addEventListener(when, () => typeset(document.body)); // what came into view
