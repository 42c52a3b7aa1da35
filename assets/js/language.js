/* Words of the script in the language of the page. English stands in the code; the server sends the others
   (assets/js/fr.po). */

import { config } from "./config.js";

/* The template in the page's language, with its {placeholders} filled in. */
export const translate = (template, values = {}) => (config.words?.[template] ?? template)
  .replace(/\{(\w+)\}/g, (_, name) => values[name]);

/* A number, already formatted, with the decimal mark of the language. */
export const localNumber = (text) => String(text).replace(".", config.decimal ?? ".");

/* Keep the language in an address, which may end in #…. */
export function keepLanguage(address) {
  if (!config.language || /[?&]lang=/.test(address)) return address;
  const [path, hash = ""] = address.split(/(?=#)/);
  return `${path}${path.includes("?") ? "&" : "?"}lang=${config.language}${hash}`;
}
