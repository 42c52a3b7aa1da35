/* How people write numbers: 1,280 and 1 280 are 1280, 0,5 is 0.5; NaN for what is none. The pattern is the server's. */

import { config } from "./config.js";

const GROUPED = new RegExp(`^(?:${config.grouped})$`);

export function parseNumber(text) {
  const typed = String(text).trim().replace("−", "-"), grouped = GROUPED.exec(typed);
  const plain = grouped ? typed.replaceAll(grouped[1], "") : typed.replace(",", ".");
  return plain === "" ? NaN : Number(plain);
}

/* A true minus, as everywhere on the page. */
export const withMinus = (number) => String(number).replace("-", "−");
