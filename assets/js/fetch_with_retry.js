/* Repeat requests while the server is busy or down; meanwhile the page shows a notice. */

import { h } from "./dom.js";
import { keepLanguage, translate } from "./language.js";

const strip = h("p", { class: "busy", role: "status", hidden: true });
let waiting = 0; // number of requests without an answer so far

function showNotice(text) {
  if (!strip.isConnected) document.body.append(strip);
  strip.textContent = text;
  strip.hidden = !text;
}

const pause = (seconds) => new Promise((resolve) => { setTimeout(resolve, 1000 * seconds); });

/* The first answer that is not 502, 503 or 504. */
export async function fetchWithRetry(input, init) {
  waiting += 1;
  try {
    for (let tries = 0; ; tries += 1) {
      const answer = await fetch(input, init).catch(() => null);
      if (answer && ![502, 503, 504].includes(answer.status)) return answer;
      showNotice(translate(answer ? "The server is busy; trying again."
        : "The server does not answer; trying again."));
      await pause(Math.min(5, Number(answer?.headers.get("Retry-After")) || 1 + tries));
    }
  } finally {
    waiting -= 1;
    if (!waiting) showNotice("");
  }
}

/* Send an object as JSON. With `keepalive`, a small one is sent even while the page is closing. */
export const postJSON = (path, body, { headers, ...more } = {}) => fetch(url(path), {
  method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body),
  ...more,
});

/* An absolute address on this site, which may have a path prefix, in the page's language. */
export const url = (path) => new URL(keepLanguage(path), document.baseURI);
