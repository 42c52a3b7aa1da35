/* How people write numbers: 1,280 and 1 280 are 1280, 0,5 is 0.5; NaN for what is none. The server reads them alike. */

const GROUPED = /^[+-]?[1-9]\d{0,2}([ ,\u00a0\u202f’'])\d{3}(\1\d{3})*(\.\d+)?$/;

export function understood(text) {
  const typed = String(text).trim().replace("−", "-"), grouped = GROUPED.exec(typed);
  const plain = grouped ? typed.replaceAll(grouped[1], "") : typed.replace(",", ".");
  return plain === "" ? NaN : Number(plain);
}

/* A true minus, as everywhere on the page. */
export const shown = (number) => String(number).replace("-", "−");
