import { isPresenting } from "../address.js";
import { closest, h, subscript } from "../dom.js";
import { experiments, savedValues, onTouched, valuesOf } from "../experiments.js";
import { fetchWithRetry, url } from "../fetch_with_retry.js";
import { translate } from "../language.js";
import { markDone, memory } from "../memory.js";
import { parseNumber, withMinus } from "../numbers.js";
import { markDecidingPlace, reveal } from "../covers.js";

const WRONG = new RegExp(translate("No. {why} The answer: {right}.", { why: ".*", right: "(.+)" }));
const RIGHT = new RegExp(`^${translate("Yes. {why}", { why: "" })}`);

/* In a presentation: the answers of exercises. element → {toggle, isShown} */
export const answersOf = new WeakMap();

/* A question with its options or field, a hint, and the server's verdict. A guess shrinks to one line once it
   is made. */
export function mountExercise(experiment, element) {
  const { question: id } = element.dataset, isGuess = element.matches(".guess");
  const verdict = element.querySelector(".verdict"), options = [...element.querySelectorAll("[data-answer]")];
  const field = element.querySelector("input"), parsed = element.querySelector(".parsed");
  // the experiment that the answer depends on
  const about = isGuess ? experiment.id : `${experiment.lesson}-${element.dataset.about}`;
  const values = () => (experiments.has(about) ? valuesOf(experiments.get(about)) : savedValues(about));
  const shownText = (answer) => options.find((option) => option.dataset.answer === answer)?.dataset.shown
    ?? answer;
  let latest = 0;

  async function ask(answer) {
    if (document.body.classList.contains("hide-answers")) return note(answer);
    const mine = ++latest, body = JSON.stringify({ answer, values: values() });
    verdict.textContent = "…";
    const response = await fetchWithRetry(url(`check/${id}`),
      { method: "POST", body, headers: { "Content-Type": "application/json" } });
    const result = response.ok ? await response.json()
      : { ok: false, message: translate("This could not be checked. Please reload the page.") };
    if (mine === latest) show(answer, result); // ignore the verdict if a newer answer has been sent
  }

  /* If answers are hidden, only mark the chosen option. */
  function note(answer) {
    for (const option of options)
      option.setAttribute("aria-pressed", String(option.dataset.answer === answer));
  }

  function show(answer, { ok, message }) {
    const sign = ok === null ? "" : ok ? "✓ " : "✗ ";
    verdict.replaceChildren(...subscript(sign + message));
    verdict.className = `verdict ${ok ? "yes" : ok === null ? "open" : "no"}`;
    for (const option of options) {
      const isChosen = option.dataset.answer === answer;
      option.setAttribute("aria-pressed", String(isChosen));
      option.dataset.verdict = isChosen && ok === false ? "no" : "";
    }
    if (!isGuess) {
      // missed questions are asked again at the start of a later lesson
      memory.set("missed", id, ok === false ? 1 : 0);
      if (ok !== false) markDone(id);
      return;
    }
    const judged = ok === null ? "{answer}" : ok ? "✓ right: {answer}" : "✗ wrong: {answer}",
      chosen = shownText(answer);
    fold.replaceChildren(h("b", { class: ok === false ? "no" : "yes" },
      translate(judged, { answer: chosen })), h("span", {}, translate("why?")));
    const hadFocus = element.contains(document.activeElement); // the focused option is about to be hidden
    setFolded("answered");
    reveal(experiment, true);
    const right = ok ? chosen : message.match(WRONG)?.[1];
    if (markDecidingPlace(experiment, right))
      verdict.append(" ", h("span", { class: "where" }, translate("Look at the outlined picture.")));
    if (hadFocus) fold.focus({ preventScroll: true });
  }

  /* ---- data-folded of a guess: "" open, "answered" only the verdict, "line" one line ---- */
  const fold = isGuess ? element.querySelector(".fold") : null;
  function setFolded(state) {
    element.dataset.folded = state;
    fold?.setAttribute("aria-expanded", String(state === ""));
    dispatchEvent(new Event("settled"));
  }
  fold?.addEventListener("click", () => setFolded(element.dataset.folded ? "" : "line"));
  if (isGuess) {
    onTouched((one, by) => {
      if (one !== experiment || by === "acts") return;
      verdict.classList.add("of-start"); // marks the verdict as one about the default state
      if (element.dataset.folded !== undefined || one.covers?.length) setFolded("line");
    });
  }

  element.addEventListener("click", (event) => {
    const option = closest(event, "[data-answer]"), part = closest(event, "[data-part]")?.dataset.part;
    if (option) ask(option.dataset.answer);
    else if (part === "check") ask(field.value);
    else if (part === "settings") ask(null);
    else if (part === "show") { reveal(experiment); setFolded("line"); fold.focus({ preventScroll: true }); }
  });
  field?.addEventListener("input", () => {
    const value = parseNumber(field.value);
    parsed.textContent = field.value.trim() === "" ? "" : Number.isNaN(value) ? translate("not a number yet")
      : `= ${withMinus(value)}`;
  });
  field?.addEventListener("keydown",
    (event) => { if (event.key === "Enter") { event.preventDefault(); ask(field.value); } });

  const mark = (marked) => {
    for (const option of options) option.classList.toggle("right", option.dataset.answer === marked);
  };
  // a large model needs seconds for its answers, so a presentation asks for them while the guess is open
  let loaded = null;
  const load = () => (document.body.dataset.asked ? null : fetch(url(`answers/${id}`))
    .then((answer) => (answer.ok ? answer.json() : null)).catch(() => null));
  async function showAnswer() { // show the right answer and its explanation
    const verdicts = await loaded ?? await (await fetchWithRetry(url(`answers/${id}`))).json();
    const right = Array.isArray(verdicts) ? verdicts.find(({ ok }) => ok) : verdicts;
    mark(right?.option);
    verdict.className = "verdict yes shown";
    const why = (right ?? verdicts[0])?.message?.replace(RIGHT, "");
    verdict.replaceChildren(...subscript([shownText(right?.option), why].filter(Boolean).join(". ")));
  }
  if (!isGuess) {
    answersOf.set(element, {
      isShown: () => verdict.matches(".shown"),
      toggle(isOn) {
        if (isOn) {
          verdict.classList.add("shown");
          showAnswer().then(() => dispatchEvent(new Event("resize")));
          return;
        }
        mark(null);
        verdict.className = "verdict";
        verdict.replaceChildren();
      },
    });
    return;
  }
  experiment.guess = {
    element,
    // make space for the text below the controls
    makeSpace: () => { if (element.dataset.folded === "answered") setFolded("line"); },
    showAnswer,
    setCovered(isCovered) {
      element.querySelector('[data-part="show"]').hidden = !isCovered;
      element.classList.toggle("open", isCovered);
      if (isCovered && isPresenting()) loaded ??= load();
      if (isCovered) { mark(null); verdict.replaceChildren(); delete element.dataset.folded; }
      else element.dataset.folded ??= "line";
    },
  };
}
