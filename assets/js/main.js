/* What the components call (see lessons/kit/shell/script.py), and everything that listens by itself. */

import "./actions.js";
import "./cells.js";
import "./drag.js";
import "./fit.js";
import "./hover.js";
import "./patience.js";
import { mount } from "./controls/index.js";
import { header } from "./header.js";
import { progress } from "./memory.js";
import { stage } from "./stage.js";
import { typeset } from "./tex.js";

const { asked } = window.seq2see;
Object.assign(window.seq2see, { mount, stage, typeset, progress, header });
for (const [name, given] of asked.splice(0)) window.seq2see[name](...given);
