import { h } from "../dom.js";

/* The name of a control, its value or shape at the right. */
export const label = (spec, ...more) => h("div", { class: "label" }, h("label", { for: `${spec.id}-field` }, spec.label), ...more);
