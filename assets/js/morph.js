/* Change an element into another one, only where they differ, to keep focus, scroll positions and drags. */

const keyOf = (node) => (node instanceof Element ? node.id || node.dataset?.key || null : null);

export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return old;
  if (old.nodeName !== fresh.nodeName || !(old instanceof Element)) {
    old.replaceWith(fresh);
    return fresh;
  }
  copyAttributes(old, fresh);
  const keyed = new Map([...old.childNodes].map((child) => [keyOf(child), child]).filter(([key]) => key));
  let here = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const key = keyOf(child);
    const same = key ? keyed.get(key) : here && !keyOf(here) && here.nodeName === child.nodeName ? here
      : null;
    if (!same) { old.insertBefore(child, here); continue; }
    if (same === here) here = here.nextSibling; else old.insertBefore(same, here);
    morph(same, child);
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
  return old;
}

function copyAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value)
    old.setAttribute(name, value);
}
