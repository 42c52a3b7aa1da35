import { withMinus } from "../numbers.js";

const digits = (step) => (String(step).split(".")[1] ?? "").length;

/* Its name and its value, and below them the slider. */
export function slider(element, send) {
  const range = element.querySelector("input"), out = element.querySelector("output"), places = digits(range.step);
  const say = () => { out.textContent = withMinus((+range.value).toFixed(places)); };
  const go = () => { say(); send(); };
  range.addEventListener("input", go);
  return {
    initial: String(+element.dataset.default),
    read: () => String(+range.value),
    show: (text) => { range.value = text; say(); },
    choose: (text) => { range.value = text; go(); },
    limit: (last) => { range.max = last; say(); },
  };
}

/* Time: arrow keys move it, Space or the button plays it. */
export function step(element, send) {
  const range = element.querySelector("input"), out = element.querySelector("output"), button = element.querySelector(".play");
  let timer = null, wanted = +range.getAttribute("value"); // a link's step may come before the limit that allows it
  const say = () => { out.textContent = `${range.value} of ${range.max}`; };
  const go = (value) => { range.value = value; wanted = +range.value; say(); send(); };
  const set = (words, name) => { button.textContent = words; button.setAttribute("aria-label", name); };
  const pause = () => { clearInterval(timer); timer = null; set("▶", "play"); };
  const toggle = () => {
    if (timer) return pause();
    set("❚❚", "pause");
    go(+range.value >= +range.max ? +range.min : +range.value + 1);
    timer = setInterval(() => {
      if (!range.isConnected || +range.value >= +range.max) return pause();
      go(+range.value + 1);
    }, 900);
  };
  button.addEventListener("click", toggle);
  range.addEventListener("input", () => { pause(); go(+range.value); });
  range.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); toggle(); } });
  return {
    initial: String(+element.dataset.default),
    read: () => String(wanted),
    show: (text) => { range.value = text; wanted = +text; say(); },
    choose: (text) => { pause(); go(+text); },
    coming: () => [1, 2, 3].map((by) => +range.value + by).filter((value) => value <= +range.max).map(String),
    play: () => { if (!timer) toggle(); },
    pause: () => { if (timer) pause(); },
    limit: (last) => { range.max = last; range.value = wanted; say(); },
  };
}
