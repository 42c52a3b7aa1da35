/* A choice with few options, shown as radio buttons. */
export function choice(element, send) {
  const radios = [...element.querySelectorAll("input")];
  const show = (text) => { for (const radio of radios) radio.checked = radio.value === text; };
  element.addEventListener("change", send);
  return {
    read: () => radios.find((radio) => radio.checked)?.value ?? element.dataset.default,
    show,
    choose: (text) => { show(text); send(); },
  };
}

/* A choice with many options, shown as a menu. */
export function menu(element, send) {
  const field = element.querySelector("select");
  field.addEventListener("change", send);
  return {
    read: () => field.value,
    show: (text) => { field.value = text; },
    choose: (text) => { field.value = text; send(); },
  };
}

export function toggle(element, send) {
  const field = element.querySelector("input");
  field.addEventListener("change", send);
  return {
    read: () => String(Number(field.checked)),
    show: (text) => { field.checked = text === "1"; },
    choose: (text) => { field.checked = text === "1" || text === "true"; send(); },
  };
}
