/* What the components call (js_on_load, in lessons/kit/web), and everything that listens by itself. */

import "./actions.js";
import "./cells.js";
import "./drag.js";
import "./fit.js";
import "./hover.js";
import { given } from "./answers.js";
import { mount } from "./controls/index.js";
import { leave } from "./first.js";
import { dress, header } from "./header.js";
import { progress } from "./memory.js";
import { enter } from "./room.js";
import { stage } from "./stage.js";
import { typeset } from "./tex.js";

/* The experiment that the server drew: every control from the spec that Gradio will have too, set as the address says. */
function enliven(view) {
  const drawn = view.querySelector(".stage"), values = drawn ? JSON.parse(drawn.dataset.values) : {};
  for (const slot of view.querySelectorAll("[data-mount]")) {
    const name = slot.dataset.mount, { value, props } = given(name);
    mount(slot.querySelector(".html-container > div"), { value: values[name] ?? value, spec: props.spec });
  }
  if (drawn) stage(drawn.parentElement);
  dress();
  typeset(view);
  view.classList.add("live");
}

const map = () => { progress(); leave(); };
Object.assign(window.seq2see, { mount, stage, typeset, map, header });
const view = document.getElementById("first-view");
if (view) enliven(view);
enter();
