/* Entry point: modules with their own listeners, then the experiment that the server rendered. */

// must be first: it answers the requests of the other modules
import { isStaticCopy, readAddress } from "./static_copy.js";
import "./actions.js";
import "./cells.js";
import "./drag.js";
import "./hover.js";
import { isPresenting } from "./address.js";
import { showLink } from "./draw.js";
import { experiments } from "./experiments.js";
import { measureAbove } from "./fit.js";
import { hydrate } from "./hydrate.js";
import { showProgress } from "./memory.js";
import { present } from "./present.js";
import { enterRoom } from "./room.js";
import { markTab } from "./tabs.js";

const element = document.querySelector(".experiment");
const linked = isStaticCopy && element ? readAddress(element) : null;
if (element) hydrate(element); else showProgress();
if (linked) showLink(experiments.get(element.id), linked);
// measured after the pictures have their sizes, because the first layout is the most expensive
measureAbove();
markTab(element?.dataset.slug);
if (isPresenting()) present(true);
enterRoom();
document.documentElement.classList.add("live");
