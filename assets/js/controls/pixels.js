/* A drawing as a hexadecimal number, one bit per cell, row by row. It is painted in a picture (paint.js). */
export function pixels(element, send) {
  const field = element.querySelector("[data-field]"), bitOf = (n) => 8 >> n % 4;
  const digitOf = (n) => parseInt(field.value[n >> 2], 16);
  const set = (text) => { field.value = text; send(); };
  element.querySelector("[data-part='clear']")
    .addEventListener("click", () => set("0".repeat(field.value.length)));
  return {
    read: () => field.value,
    show: (text) => { field.value = text; },
    pixel: (n) => Boolean(digitOf(n) & bitOf(n)),
    setPixel: (n, isOn) => {
      const digit = isOn ? digitOf(n) | bitOf(n) : digitOf(n) & ~bitOf(n);
      set(field.value.slice(0, n >> 2) + digit.toString(16) + field.value.slice((n >> 2) + 1));
    },
  };
}
