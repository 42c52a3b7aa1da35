/* Which acts are open. Their headings are in the stage; a click there comes here. */
export function acts(spec, send) {
  let open = [];
  return {
    element: document.createElement("span"),
    show: (value) => { open = value ?? []; },
    toggle: (slug) => send((open = open.includes(slug) ? open.filter((one) => one !== slug) : [...open, slug])),
  };
}
