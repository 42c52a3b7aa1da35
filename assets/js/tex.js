/* Typeset the equations in view with KaTeX, which is loaded when it is needed. */

import { config } from "./config.js";
import { h, phone } from "./dom.js";
import { isStaticCopy, loadScript } from "./static_copy.js";

const MIN_SCALE = 0.8; // smallest scale of an equation that is too wide
let katex = null;

/* \src{h_i} has the colour of the source, \tgt of the target, \att of attention, \ctx of context. */
const macros =
  Object.fromEntries(["src", "tgt", "att", "ctx"].map((role) => [`\\${role}`, `\\htmlClass{${role}}{#1}`]));
const trust = ({ command }) => command === "\\htmlClass";

function load() {
  document.head.append(h("link", { rel: "stylesheet", href: config.katex.css }));
  if (isStaticCopy) return loadScript(config.katex.js).then(() => ({ default: globalThis.katex }));
  return import(new URL(config.katex.js, document.baseURI).href);
}

export async function typeset(element) {
  const equations = [...element.querySelectorAll(".tex:not(.set)")].filter((one) => one.checkVisibility?.()
    ?? true);
  if (!equations.length) return;
  katex ??= load();
  const { default: renderer } = await katex;
  for (const equation of equations) {
    if (equation.classList.contains("set")) continue;
    equation.classList.add("set");
    equation.dataset.tex ??= equation.textContent;
    const displayMode = equation.classList.contains("display"), { tex: source } = equation.dataset;
    const isNarrow = phone.matches || equation.closest(".controls");
    const tex = displayMode && isNarrow ? source.replaceAll("\\qquad", "\\\\") : source;
    renderer.render(tex, equation, { displayMode, throwOnError: false, strict: "ignore",
      macros: { ...macros }, trust });
    // screen readers use KaTeX's MathML instead
    for (const svg of equation.querySelectorAll("svg")) svg.ariaHidden = "true";
  }
  fitEquations(element);
  dispatchEvent(new Event("resize")); // the height of the equation has changed
}

/* Mark equations to be set again, for another width. */
export function unsetEquations(element) {
  for (const equation of element.querySelectorAll(".tex.display.set")) equation.classList.remove("set");
}

/* Shrink an equation that is too wide slightly; if that is not enough, make it scrollable, also with the
   keyboard. */
function fitEquations(element) {
  for (const equation of element.querySelectorAll(".katex-display")) {
    equation.style.fontSize = "";
    if (equation.scrollWidth <= equation.clientWidth) continue;
    equation.style.fontSize = `${Math.max(MIN_SCALE, equation.clientWidth / equation.scrollWidth)}em`;
    if (equation.scrollWidth <= equation.clientWidth) continue;
    for (const [name, value] of [["tabindex", 0], ["role", "group"], ["aria-label", "equation"]])
      equation.setAttribute(name, value);
  }
}

document.fonts.addEventListener("loadingdone", () => { // the final widths of letters are known only now
  fitEquations(document.body);
  dispatchEvent(new Event("resize"));
});
// equations that are in view now
for (const when of ["settled", "resize"]) addEventListener(when, () => typeset(document.body));
