/* A server that is busy, or gone for a moment: the page says so, and asks again by itself with the same settings. */

import { h } from "./dom.js";

const strip = h("p", { class: "busy", role: "status", hidden: true });
let waiting = 0; // requests that are being asked again

function say(words) {
  if (!strip.isConnected) document.body.append(strip);
  strip.textContent = words;
  strip.hidden = !words;
}

const pause = (seconds) => new Promise((go) => { setTimeout(go, 1000 * seconds); });

/* An answer, however long it takes. */
export async function fetchWithRetry(input, init) {
  waiting += 1;
  try {
    for (let tries = 0; ; tries += 1) {
      const answer = await fetch(input, init).catch(() => null);
      if (answer && ![502, 503, 504].includes(answer.status)) return answer;
      say(answer ? "The server is busy; trying again." : "The server does not answer; trying again.");
      await pause(Math.min(5, Number(answer?.headers.get("Retry-After")) || 1 + tries));
    }
  } finally {
    waiting -= 1;
    if (!waiting) say("");
  }
}

/* Sends an object. With `keepalive` (of a small one) also while the page is being left. */
export const postJSON = (path, body, { headers, ...more } = {}) => fetch(url(path), {
  method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body), ...more,
});

/* The address of something on this site, wherever it lives. */
export const url = (path) => new URL(path, document.baseURI);
