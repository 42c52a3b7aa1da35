/* Which acts are open. Their headings are in the stage; a click there comes here. */
export function acts(spec, send) {
  let open = [];
  const turned = (slug) => (open = open.includes(slug) ? open.filter((one) => one !== slug) : [...open, slug]);
  return {
    element: document.createElement("span"),
    show: (value) => { open = value ?? []; },
    toggle: (slug) => send(turned(slug)),
    set: (slugs) => send((open = slugs)),
    turn(slug) { // where nothing need be asked for
      this.keep(turned(slug));
      return open;
    },
  };
}
