/* Equations: the words carry TeX, and the KaTeX that Gradio brings sets it, loaded once. */

const PHONE = 700; // pixels: there, what stands side by side stands one below the other
let katex = null;

export async function typeset(element) {
  const equations = [...element.querySelectorAll(".tex:not(.set)")];
  if (!equations.length) return;
  katex ??= import(new URL(window.seq2see.katex, document.baseURI).href);
  const { default: writer } = await katex;
  for (const equation of equations) {
    if (equation.classList.contains("set")) continue;
    equation.classList.add("set");
    const displayMode = equation.classList.contains("display");
    const tex = displayMode && innerWidth <= PHONE ? equation.textContent.replaceAll("\\qquad", "\\\\") : equation.textContent;
    writer.render(tex, equation, { displayMode, throwOnError: false, strict: "ignore" });
  }
  reachable(element);
}

/* An equation too long for the screen scrolls, with the keyboard too. */
function reachable(element) {
  for (const equation of element.querySelectorAll(".katex-display")) {
    if (equation.scrollWidth <= equation.clientWidth) continue;
    for (const [name, value] of [["tabindex", 0], ["role", "group"], ["aria-label", "equation"]]) equation.setAttribute(name, value);
  }
}
