/* The page becomes live: everything that listens by itself, then the experiment that the server drew. */

import "./actions.js";
import "./cells.js";
import "./drag.js";
import "./fit.js";
import "./hover.js";
import { presenting } from "./address.js";
import { hydrate } from "./hydrate.js";
import { showProgress } from "./memory.js";
import { present } from "./present.js";
import { enter } from "./room.js";
import { mark } from "./tabs.js";

const element = document.querySelector(".experiment");
if (element) hydrate(element); else showProgress();
mark(element?.dataset.slug);
if (presenting()) present(true);
enter();
document.documentElement.classList.add("live");
