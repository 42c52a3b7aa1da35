import { chip, h, lowered } from "../dom.js";
import { done, whenTouched } from "../memory.js";
import { go } from "../tabs.js";
import { shown, understood } from "../numbers.js";
import { uncover } from "../covers.js";

/* A question, its answer field, a hint, and the verdict of the server. A guess has a way out: show me. */
export function exercise(spec, send) {
  const verdict = h("p", { class: "verdict", role: "status" });
  const experiment = spec.id.replace(/-predict$/, "");
  const ask = (answer) => { verdict.textContent = "…"; send({ answer }, false); };
  const fields = spec.options ? options() : spec.number ? number() : challenge();
  function options() {
    return spec.options.map((option) => chip(option, () => ask(option), { "aria-pressed": "false" }));
  }
  function number() {
    const heard = h("span", { class: "heard" });
    const listen = () => {
      const value = understood(field.value);
      heard.textContent = field.value.trim() === "" ? "" : Number.isNaN(value) ? "not a number yet" : `= ${shown(value)}`;
    };
    const field = h("input", {
      inputmode: "decimal", autocomplete: "off", id: `${spec.id}-field`, "aria-label": spec.label || spec.question,
      oninput: listen, onkeydown: (e) => { if (e.key === "Enter") ask(field.value); },
    });
    return [h("label", { for: `${spec.id}-field` }, spec.label), field, heard, chip("check", () => ask(field.value))];
  }
  function challenge() {
    return [chip("go there", () => go(spec.experiment)), chip("check my settings", () => ask(null))];
  }
  const show = h("button", { type: "button", class: "quiet", onclick: () => uncover(experiment) }, "show me");
  const kind = spec.guess ? "Your guess" : spec.options || spec.number ? "Question" : "Challenge";
  const element = h("div", { class: `widget exercise ${spec.guess ? "guess" : ""}` },
    h("p", { class: "asked" }, h("span", { class: "tag" }, kind), " ", spec.question),
    h("div", { class: "chips", role: "group", "aria-label": spec.question }, ...fields), verdict,
    h("div", { class: "ways-out" }, spec.hint ? h("details", { class: "hint" }, h("summary", {}, "hint"), spec.hint) : null,
      spec.guess ? show : null));
  if (spec.guess) { // what it says is about the start
    whenTouched((id, by) => { if (id === experiment && !by.endsWith("-acts")) verdict.classList.add("of-start"); });
  }
  const mark = (marked) => fields.forEach((one, i) => one.classList.toggle("right", spec.options[i] === marked));
  return {
    element,
    tell: async () => { // on stage: the right answer, and why
      const whys = await (await fetch(new URL(`answers/${spec.id}`, document.baseURI))).json();
      const right = whys.find(({ ok }) => ok);
      mark(right?.option);
      verdict.className = "verdict yes told";
      verdict.replaceChildren(...lowered(right ? `${right.option}. ${right.message.replace(/^Yes\. /, "")}` : "Nobody can tell."));
    },
    covered: (yes) => {
      show.hidden = !yes;
      element.classList.toggle("open", yes);
      if (yes && spec.options) { mark(null); verdict.replaceChildren(); }
    },
    show: (value) => {
      if (!value || value.message === undefined) return;
      const mark = value.ok === null ? "" : value.ok ? "✓ " : "✗ ";
      verdict.replaceChildren(...lowered(mark + value.message));
      verdict.className = `verdict ${value.ok ? "yes" : value.ok === null ? "open" : "no"}`;
      if (spec.options) {
        fields.forEach((one, i) => {
          one.setAttribute("aria-pressed", String(spec.options[i] === value.answer));
          one.dataset.verdict = spec.options[i] === value.answer && value.ok === false ? "no" : "";
        });
      }
      if (spec.guess) { uncover(experiment, true); } else if (value.ok !== false) done(spec.id);
    },
  };
}
