/* Numbers as people write them: 1,280 and 1 280 are 1280, 0,5 is 0.5; else NaN. The pattern comes from the server. */

import { config } from "./config.js";

const GROUPED = new RegExp(`^(?:${config.grouped})$`);

export function parseNumber(text) {
  const typed = String(text).trim().replace("−", "-"), grouped = GROUPED.exec(typed);
  const plain = grouped ? typed.replaceAll(grouped[1], "") : typed.replace(",", ".");
  return plain === "" ? NaN : Number(plain);
}

/* With a true minus sign. */
export const withMinus = (number) => String(number).replace("-", "−");
