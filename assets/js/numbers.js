/* Parse a typed number: 1,280 and 1 280 are 1280, 0,5 is 0.5, anything else is NaN. The pattern comes from
   the server. */

import { config } from "./config.js";
import { localNumber } from "./language.js";

const GROUPED = new RegExp(`^(?:${config.grouped})$`);

export function parseNumber(text) {
  const typed = String(text).trim().replace("−", "-"), grouped = GROUPED.exec(typed);
  const plain = grouped ? typed.replaceAll(grouped[1], "") : typed.replace(",", ".");
  return plain === "" ? NaN : Number(plain);
}

/* Format a number with a true minus sign and the decimal mark of the language. */
export const withMinus = (number) => localNumber(number).replace("-", "−");
