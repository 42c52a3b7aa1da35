/* The page becomes live: everything that listens by itself, then the experiment that the server drew. */

import "./actions.js";
import "./cells.js";
import "./drag.js";
import "./hover.js";
import { presenting } from "./address.js";
import { measureAbove } from "./fit.js";
import { hydrate } from "./hydrate.js";
import { showProgress } from "./memory.js";
import { present } from "./present.js";
import { enter } from "./room.js";
import { mark } from "./tabs.js";

const element = document.querySelector(".experiment");
if (element) hydrate(element); else showProgress();
measureAbove(); // after the pictures have their size: the first layout is the dearest
mark(element?.dataset.slug);
if (presenting()) present(true);
enter();
document.documentElement.classList.add("live");
