/* What the server drew is the experiment itself, and moves at once. When Gradio has built the page around it, it moves in there. */

const view = document.getElementById("first-view");
const next = new Map(); // a control or the stage → its place in Gradio's page
let settle;
export const settled = new Promise((done) => { settle = done; }); // until then there are no panels, no foot, and no other tabs
if (!view) settle();

/* Something that is in the page already gets another place there. */
export function rehouse(tenant, home) {
  if (!view?.isConnected || !view.contains(tenant.home)) return move(tenant, home);
  next.set(tenant, home);
  if (next.size === view.querySelectorAll("[data-mount], .stage-block").length) leave(); // all of them
  return null;
}

function move(tenant, home) {
  for (const node of [...tenant.home.childNodes]) { // focus and scrolling stay, where browsers can do it
    if (home.moveBefore && node.isConnected && home.isConnected) home.moveBefore(node, null); else home.append(node);
  }
  tenant.home = home;
}

/* Two frames later Gradio's page is laid out; and nothing is taken out of a hand. */
export function leave() {
  if (view?.isConnected) requestAnimationFrame(() => requestAnimationFrame(moveIn));
}

function moveIn() {
  if (!view.isConnected) return;
  if (view.querySelector(":active") || document.body.matches(".holding")) return leave();
  const focused = view.contains(document.activeElement) ? document.activeElement : null;
  for (const [tenant, home] of next) move(tenant, home);
  view.remove();
  settle();
  dispatchEvent(new Event("rested")); // what was taken away to make room is taken away here, too
  if (focused) requestAnimationFrame(() => (focused.isConnected ? focused : twin(focused))?.focus({ preventScroll: true }));
}

/* Who was at a link or a button by keyboard is at the same one there. */
function twin(element) {
  const { action, dialog } = element.dataset, address = element.getAttribute("href");
  if (element.closest(".first-tabs")) {
    return document.querySelector(`.experiments button[data-tab-id="${new URL(element.href).searchParams.get("experiment")}"]`);
  }
  const alike = (one) => one.getAttribute("href") === address && one.textContent === element.textContent;
  if (address) return [...document.querySelectorAll("gradio-app a")].find(alike);
  return [...document.querySelectorAll("gradio-app button[data-action]")]
    .find((one) => one.dataset.action === action && one.dataset.dialog === dialog);
}
