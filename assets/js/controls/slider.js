import { h } from "../dom.js";
import { shown } from "../numbers.js";
import { label } from "./label.js";

const digits = (step) => (String(step).split(".")[1] ?? "").length;

/* Two lines: its name and its value, and the slider. */
export function slider(spec, send) {
  const places = digits(spec.step);
  const out = h("output", { for: `${spec.id}-field` });
  const say = () => { out.textContent = shown((+range.value).toFixed(places)); };
  const go = () => { say(); send(+range.value); };
  const range = h("input", { type: "range", id: `${spec.id}-field`, min: spec.low, max: spec.high, step: spec.step, oninput: go });
  return {
    element: h("div", { class: "widget slider" }, label(spec, out), range),
    show: (value) => { range.value = value; say(); },
    choose: (value) => { range.value = value; go(); },
    limit: (last) => { range.max = last; say(); },
  };
}

/* Time: arrow keys move it, Space or the button plays it. */
export function step(spec, send) {
  let playing = null, wanted = spec.default; // a link's step may come before the limit that allows it
  const out = h("output", { for: `${spec.id}-field` });
  const range = h("input", {
    type: "range", id: `${spec.id}-field`, min: spec.low, max: spec.high, step: spec.step,
    oninput: () => { pause(); go(+range.value); },
    onkeydown: (event) => { if (event.key === " ") { event.preventDefault(); toggle(); } },
  });
  const play = h("button", { type: "button", class: "play", "aria-label": "play", onclick: () => toggle() }, "▶");
  const say = () => { out.textContent = `${range.value} of ${range.max}`; };
  const go = (value) => { range.value = value; wanted = +range.value; say(); send(wanted); };
  const set = (words, name) => { play.textContent = words; play.setAttribute("aria-label", name); };
  const pause = () => { clearInterval(playing); playing = null; set("▶", "play"); };
  const toggle = () => {
    if (playing) return pause();
    set("❚❚", "pause");
    go(+range.value >= +range.max ? +range.min : +range.value + 1);
    playing = setInterval(() => {
      if (!range.isConnected || +range.value >= +range.max) return pause();
      go(+range.value + 1);
    }, 900);
  };
  return {
    element: h("div", { class: "widget step" }, label(spec, out), h("div", { class: "line" }, play, range)),
    show: (value) => { range.value = wanted = value; say(); },
    choose: (value) => { pause(); go(+value); },
    coming: () => [1, 2, 3].map((by) => +range.value + by).filter((value) => value <= +range.max),
    play: () => { if (!playing) toggle(); },
    pause: () => { if (playing) pause(); },
    limit: (last) => { range.max = last; range.value = wanted; say(); },
  };
}
