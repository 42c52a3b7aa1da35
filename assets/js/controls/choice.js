import { h } from "../dom.js";
import { label } from "./label.js";

/* One of a few: all in view. */
export function choice(spec, send) {
  const radios = spec.options.map((option) => h("input", { type: "radio", name: spec.id, value: option, onchange: () => send(option) }));
  const pills = radios.map((radio, i) => h("label", { class: "pill" }, radio, h("span", {}, spec.options[i])));
  const show = (value) => { for (const radio of radios) radio.checked = radio.value === value; };
  return {
    element: h("div", { class: "widget choice", role: "radiogroup", "aria-label": spec.label },
      h("div", { class: "label" }, h("span", {}, spec.label)), h("div", { class: "pills" }, ...pills)),
    show,
    choose: (value) => { show(value); send(value); },
  };
}

/* One of many: a menu, which a mark in a picture can set as well. */
export function menu(spec, send) {
  const options = spec.options.map((option) => h("option", {}, option));
  const field = h("select", { id: `${spec.id}-field`, onchange: () => send(field.value) }, ...options);
  return {
    element: h("div", { class: "widget menu" }, label(spec), field),
    show: (value) => { field.value = value; },
    choose: (value) => { field.value = value; send(value); },
  };
}

export function toggle(spec, send) {
  const field = h("input", { type: "checkbox", id: `${spec.id}-field`, onchange: () => send(field.checked) });
  return {
    element: h("div", { class: "widget toggle" }, h("label", {}, field, h("span", {}, spec.label))),
    show: (value) => { field.checked = value; },
    choose: (value) => { field.checked = value === true || value === "true" || value === "1"; send(field.checked); },
  };
}
