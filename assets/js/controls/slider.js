import { translate } from "../language.js";
import { withMinus } from "../numbers.js";

const MIN_STEPS_BEFORE = 3;
const countDecimals = (step) => (String(step).split(".")[1] ?? "").length;

/* Show the value beside its slider. The slider says it; the text alone would be announced a second time. */
function showBeside(range, out, text) {
  out.ariaLive = "off";
  out.textContent = text;
  range.setAttribute("aria-valuetext", text);
}

export function slider(element, send) {
  const range = element.querySelector("input"), out = element.querySelector("output"),
    decimals = countDecimals(range.step);
  const showValue = () => showBeside(range, out, withMinus((+range.value).toFixed(decimals)));
  const update = () => { showValue(); send(); };
  range.addEventListener("input", update);
  return {
    initial: String(+element.dataset.default),
    read: () => String(+range.value),
    show: (text) => { range.value = text; showValue(); },
    choose: (text) => { range.value = text; update(); },
    limit: (last) => { range.max = last; showValue(); },
  };
}

/* A slider over the steps of a sequence: arrow keys move it, Space or the button plays. */
export function step(element, send) {
  const range = element.querySelector("input"), out = element.querySelector("output"),
    button = element.querySelector(".play");
  // a link may set a step before the slider's maximum is known
  let timer = null, last = Infinity, wanted = +range.getAttribute("value");
  const showValue = () => {
    showBeside(range, out, translate("{value} of {last}", { value: range.value, last: range.max }));
  };
  const goTo = (value) => { range.value = value; wanted = +range.value; showValue(); send(); };
  const setButton = (sign, name) => { button.textContent = sign; button.setAttribute("aria-label", name); };
  const pause = () => { clearInterval(timer); timer = null; setButton("▶", translate("play")); };
  const toggle = () => {
    if (timer) return pause();
    last = Infinity;
    setButton("❚❚", translate("pause"));
    goTo(+range.value >= +range.max ? +range.min : +range.value + 1);
    timer = setInterval(() => {
      if (!range.isConnected || +range.value >= Math.min(+range.max, last)) return pause();
      goTo(+range.value + 1);
    }, 900);
  };
  button.addEventListener("click", toggle);
  range.addEventListener("input", () => { pause(); goTo(+range.value); });
  range.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); toggle();
  } });
  return {
    initial: String(+element.dataset.default),
    read: () => String(wanted),
    show: (text) => { range.value = text; wanted = +text; showValue(); },
    choose: (text) => { pause(); goTo(+text); },
    nextValues: () => [1, 2, 3].map((by) => +range.value + by).filter((value) => value <= +range.max)
    .map(String),
    play: () => { if (!timer) toggle(); },
    // play from the first step to this one; false if there are too few steps to be worth playing
    playTo(step) {
      if (step - range.min < MIN_STEPS_BEFORE) return false;
      pause();
      goTo(+range.min);
      toggle();
      last = step;
      return true;
    },
    pause: () => { if (timer) pause(); },
    finish() { // jump to the final step of the playback; false if it is already there
      const end = Math.min(+range.max, last), isPlaying = timer !== null;
      if (isPlaying) pause();
      if (!isPlaying || +range.value === end) return false;
      goTo(end);
      return true;
    },
    limit: (last) => { range.max = last; range.value = wanted; showValue(); },
  };
}
