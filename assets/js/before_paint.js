/* Stands in every page itself, before anything is seen: the theme (the link's, the learner's own, or the system's), and whether there
   is a script that makes the page live. */

{
  const { classList } = document.documentElement;
  let theme = new URLSearchParams(location.search).get("__theme");
  try { theme ??= JSON.parse(localStorage.getItem("seq2see")).theme; } catch { /* nothing is kept here */ }
  classList.toggle("dark", theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  classList.add("scripted");
  addEventListener("error", ({ target }) => { if (target instanceof HTMLScriptElement) classList.remove("scripted"); }, true);
}
