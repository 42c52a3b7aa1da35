/* What the components call (see lessons/kit/shell/script.py), and everything that listens by itself. */

import "./actions.js";
import "./cells.js";
import "./drag.js";
import "./fit.js";
import "./hover.js";
import "./patience.js";
import { enter } from "./room.js";
import { mount } from "./controls/index.js";
import { leave, prepare } from "./first.js";
import { header } from "./header.js";
import { progress } from "./memory.js";
import { stage } from "./stage.js";
import { typeset } from "./tex.js";

prepare();
const { asked } = window.seq2see;
const map = () => { progress(); leave(); };
Object.assign(window.seq2see, { mount, stage, typeset, map, header });
enter();
for (const [name, given] of asked.splice(0)) window.seq2see[name](...given);
