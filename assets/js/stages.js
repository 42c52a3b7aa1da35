/* The stages of this page, by experiment: long work draws on them too. */

export const stages = new Map(); // experiment → what draws a text on its stage

export function show(id, text) {
  stages.get(id)?.(text);
}
