import { closest } from "../dom.js";
import { showLink } from "../draw.js";
import { onTouched, touched } from "../experiments.js";

/* Presets (“Try”): links to states, with a hint on what to watch. */
export function mountPresets(experiment, element) {
  const watch = element.querySelector(".watch"), chips = [...element.querySelectorAll(".chip")];
  element.role = "group";
  element.ariaLabel = element.querySelector(".label")?.textContent ?? null;
  const linkOf = (chip) => new URL(chip.href).search.slice(1).replace(/&lang=\w+/, "");
  const mark = (chosen) => {
    for (const one of chips) one.setAttribute("aria-pressed", String(one === chosen));
    watch.textContent = chosen?.dataset.watch ?? "";
  };
  const choose = (link) => {
    touched(experiment, "presets");
    const acts = experiment.acts.length ? `&acts=${experiment.acts.join(".")}` : ""; // keep closer looks open
    showLink(experiment, link + acts);
    mark(chips.find((chip) => linkOf(chip) === link));
  };
  element.addEventListener("click", (event) => {
    const chip = closest(event, ".chip");
    if (!chip || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(linkOf(chip));
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === " " && closest(event, ".chip")) {
      event.preventDefault();
      choose(linkOf(event.target));
    }
  });
  onTouched((one, by) => { if (one === experiment && !["presets", "acts", "job"].includes(by)) mark(null); });
  return { mark, links: chips.map(linkOf), choose, demonstrates: element.dataset.demonstrates };
}
