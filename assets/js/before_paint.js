/* Inline in every page, before the first paint: set the theme (from the link, the learner or the system; from
   the system alone if it forces colours), and mark that scripts run. */

{
  const { classList } = document.documentElement;
  let theme = new URLSearchParams(location.search).get("__theme");
  try { theme ??= JSON.parse(localStorage.getItem("seq2see")).theme; } catch { /* storage is disabled */ }
  if (matchMedia("(forced-colors: active)").matches) theme = null;
  classList.toggle("dark", theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  classList.add("scripted");
  addEventListener("error", ({ target }) => {
    if (target instanceof HTMLScriptElement) classList.remove("scripted");
  }, true);
}
