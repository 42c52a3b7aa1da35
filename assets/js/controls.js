/* Controls that Gradio has no component for. Each is built from its spec, shows a value, and sends a new one. */

const seq2see = { controls: new Map(), kinds: {}, link: location.search.slice(1) };

/* Small DOM: h("button", {class: "chip", onclick: f}, "text", child…) */
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/* Called by every gr.HTML of components.widget. */
seq2see.mount = (element, props, trigger, watch) => {
  const spec = JSON.parse(props.spec);
  const send = (value, byHand = true) => {
    props.value = value;
    trigger("input");
    if (byHand) seq2see.touched(element);
  };
  const control = seq2see.kinds[spec.kind](spec, send, trigger);
  control.value = () => props.value;
  element.replaceChildren(control.element);
  control.show(props.value);
  watch("value", () => control.show(props.value));
  seq2see.controls.set(spec.id, control);
  control.mounted?.();
  const limit = seq2see.limits?.get(spec.id);
  if (limit !== undefined) control.limit?.(limit);
};

const label = (spec, ...more) => h("div", { class: "label" }, h("label", { for: `${spec.id}-field` }, spec.label), ...more);

/* Typed words: sent a moment after the last key. */
seq2see.kinds.text = (spec, send) => {
  let timer;
  const field = h("textarea", {
    id: `${spec.id}-field`, rows: 2, spellcheck: "false", autocapitalize: "off", dir: "auto",
    oninput: () => { clearTimeout(timer); timer = setTimeout(() => send(field.value), 250); },
    onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); clearTimeout(timer); send(field.value); } },
  });
  const choose = (words) => { clearTimeout(timer); field.value = words; send(words); };
  const chips = spec.suggestions.map((words) => h("button", { type: "button", class: "chip", onclick: () => choose(words) }, words));
  const element = h("div", { class: "widget" }, label(spec), field, chips.length ? h("div", { class: "chips suggestions", role: "group", "aria-label": "examples" }, ...chips) : null);
  return {
    element,
    limit: (used) => element.closest(".control")?.toggleAttribute("hidden", !used),
    show: (value) => { if (document.activeElement !== field || !field.value) field.value = value ?? ""; },
    choose,
  };
};

/* One of many: a menu, which a mark in a picture can set as well. */
seq2see.kinds.menu = (spec, send) => {
  const field = h("select", { id: `${spec.id}-field`, onchange: () => send(field.value) }, ...spec.options.map((option) => h("option", {}, option)));
  return {
    element: h("div", { class: "widget" }, label(spec), field),
    show: (value) => { field.value = value; },
    choose: (value) => { field.value = value; send(value); },
  };
};

/* Time: arrow keys move it, Space or the button plays it. */
seq2see.kinds.step = (spec, send) => {
  let playing = null, wanted = spec.default; // a link's step may come before the limit that allows it
  const out = h("output", { for: `${spec.id}-field` });
  const range = h("input", { type: "range", id: `${spec.id}-field`, min: spec.low, max: spec.high, step: spec.step, oninput: () => { pause(); go(+range.value); },
    onkeydown: (event) => { if (event.key === " ") { event.preventDefault(); toggle(); } } });
  const play = h("button", { type: "button", class: "play", "aria-label": "play", onclick: () => toggle() }, "▶");
  const say = () => { out.textContent = `${range.value} of ${range.max}`; };
  const go = (value) => { range.value = value; wanted = +range.value; say(); send(wanted); };
  const pause = () => { clearInterval(playing); playing = null; play.textContent = "▶"; play.setAttribute("aria-label", "play"); };
  const toggle = () => {
    if (playing) return pause();
    play.textContent = "❚❚"; play.setAttribute("aria-label", "pause");
    if (+range.value >= +range.max) go(+range.min); else go(+range.value + 1);
    playing = setInterval(() => { if (!range.isConnected || +range.value >= +range.max) return pause(); go(+range.value + 1); }, 900);
  };
  return {
    element: h("div", { class: "widget step" }, label(spec, out), h("div", { class: "line" }, play, range)),
    show: (value) => { range.value = wanted = value; say(); },
    choose: (value) => { pause(); go(+value); },
    limit: (last) => { range.max = last; range.value = wanted; say(); },
  };
};

/* Numbers cell by cell: type, arrow up and down, drag sideways, or paste a block. */
seq2see.kinds.matrix = (spec, send) => {
  let rows = [], shape = [spec.default.length, spec.default[0].length];
  const table = h("table", { class: "matrix", role: "group", "aria-label": spec.label });
  const size = h("span", { class: "shape" });
  const fields = new Map();
  const set = (r, c, value) => { rows = rows.map((row, i) => i === r ? row.map((cell, j) => (j === c ? value : cell)) : row); };
  const read = (text) => { const number = parseFloat(text.replace("−", "-").replace(",", ".")); return text.trim() !== "" && isFinite(number) && isFinite(+text.replace("−", "-").replace(",", ".")) ? number : text; };
  const clamp = (number) => Math.min(spec.high, Math.max(spec.low, Math.round(number * 1000) / 1000));
  const nudge = (r, c, by) => { const now = +rows[r][c]; if (!isFinite(now)) return; set(r, c, clamp(now + by)); fill(); send(rows); };
  const keys = (event, r, c) => {
    const big = event.shiftKey ? 10 : 1;
    if (event.key === "ArrowUp") { event.preventDefault(); nudge(r, c, spec.step * big); }
    else if (event.key === "ArrowDown") { event.preventDefault(); nudge(r, c, -spec.step * big); }
    else if (event.key === "Enter") { event.preventDefault(); (fields.get(`${r + 1} ${c}`) ?? fields.get(`0 ${c + 1}`))?.select(); }
  };
  const paste = (event, r, c) => {
    const block = event.clipboardData.getData("text").trim().split(/\r?\n|;/).map((line) => line.trim().split(/[\t, ]+/));
    if (block.length * block[0].length < 2) return;
    event.preventDefault();
    block.forEach((line, i) => line.forEach((text, j) => { if (r + i < shape[0] && c + j < shape[1]) set(r + i, c + j, read(text)); }));
    fill(true); send(rows);
  };
  const scrub = (event, r, c) => {
    const field = event.target, from = event.clientX, start = +rows[r][c];
    if (document.activeElement === field || !isFinite(start) || event.button) return;
    const move = (e) => { if (Math.abs(e.clientX - from) > 3) { e.preventDefault(); field.classList.add("scrubbed"); set(r, c, clamp(Math.round((start + (e.clientX - from) * spec.step / 8) / spec.step * 2) * spec.step / 2)); fill(); send(rows); } };
    const up = () => { window.removeEventListener("pointermove", move); window.removeEventListener("pointerup", up); if (field.classList.contains("scrubbed")) { field.classList.remove("scrubbed"); field.blur(); } };
    window.addEventListener("pointermove", move); window.addEventListener("pointerup", up);
  };
  const fill = (all) => fields.forEach((field, key) => {
    const [r, c] = key.split(" "), value = rows[r][c];
    if (all || typeof value === "number" && +field.value !== value) field.value = value;
    const good = isFinite(+value) && value !== "";
    field.toggleAttribute("aria-invalid", !good);
    field.style.setProperty("--share", good ? Math.min(1, Math.abs(value)) : 0);
    field.dataset.sign = value < 0 ? "minus" : "plus";
  });
  const build = () => {
    fields.clear();
    table.replaceChildren(h("tbody", {}, ...Array.from({ length: shape[0] }, (_, r) => h("tr", {}, ...Array.from({ length: shape[1] }, (_, c) => {
      const field = h("input", { inputmode: "decimal", autocomplete: "off", "aria-label": `${spec.label}, row ${r + 1}, column ${c + 1}`,
        oninput: (e) => { set(r, c, read(e.target.value)); fill(); send(rows); }, onkeydown: (e) => keys(e, r, c), onpaste: (e) => paste(e, r, c), onpointerdown: (e) => scrub(e, r, c), onfocus: (e) => e.target.select() });
      fields.set(`${r} ${c}`, field);
      return h("td", {}, field);
    })))));
    size.textContent = `${shape[0]}×${shape[1]}`;
    fill(true);
  };
  const element = h("div", { class: "widget" }, h("div", { class: "label" }, h("span", {}, spec.label), size), table);
  return {
    element,
    show: (value) => { rows = value; if (fields.size !== shape[0] * shape[1]) build(); else fill(!table.contains(document.activeElement)); },
    limit: ([r, c]) => { element.closest(".control")?.toggleAttribute("hidden", !(r && c)); if (r !== shape[0] || c !== shape[1]) { shape = [r, c]; build(); } },
  };
};

/* Marks that are dragged in a picture (pictures.js): here is only their value. */
seq2see.kinds.handles = (spec, send) => {
  let rows = spec.default;
  return {
    element: h("p", { class: "widget handles-note" }, "✥ ", spec.label),
    show: (value) => { rows = value; },
    set: (index, row) => { rows = rows.map((old, i) => (i === index ? row : old)); send(rows); },
    row: (index) => rows[index],
  };
};

/* Rows changed by the learner, by step; the row of the open step is dragged, or taken from an offer. */
seq2see.kinds.edits = (spec, send) => {
  let edits = [], now = { step: 1, row: [], offers: {} };
  const offers = h("div", { class: "chips", role: "group", "aria-label": spec.label }), told = h("p", { class: "watch" });
  const keep = (row) => send((edits = [...edits.filter(([step]) => step !== now.step), [now.step, row.map((v) => Math.round(v * 1000) / 1000)]]));
  const drop = (all) => send((edits = all ? [] : edits.filter(([step]) => step !== now.step)));
  const button = (words, act, off) => h("button", { type: "button", class: "chip", disabled: off, onclick: act }, words);
  const say = () => {
    const changed = edits.map(([step]) => step).sort((a, b) => a - b);
    offers.replaceChildren(...Object.entries(now.offers ?? {}).map(([name, row]) => button(name, () => keep(row))),
      button("undo step", () => drop(false), !changed.includes(now.step)), button("undo all", () => drop(true), !changed.length));
    told.textContent = changed.length ? `You changed step ${changed.join(", ")}.` : "";
  };
  return {
    element: h("div", { class: "widget" }, h("div", { class: "label" }, h("span", {}, "✥ ", spec.label)), offers, told),
    show: (value) => { edits = value ?? []; say(); },
    limit: (given) => { now = given; say(); },
    row: (index) => [now.row[index]],
    set: (index, [value]) => { // the others share what is left, in their old proportions
      const rest = now.row.reduce((sum, v, i) => sum + (i === index ? 0 : v), 0), left = 1 - value;
      now = { ...now, row: now.row.map((v, i) => (i === index ? value : rest > 0 ? (v / rest) * left : left / Math.max(1, now.row.length - 1))) };
      keep(now.row);
    },
  };
};

/* Long work: start, how far, stop. What still comes in after a stop is not shown. */
seq2see.kinds.job = (spec, send, trigger) => {
  let stopped = false;
  const bar = h("progress", { max: 1, value: 0, "aria-label": spec.label, hidden: true });
  const stop = h("button", { type: "button", class: "chip", hidden: true, onclick: () => { show(null); stopped = true; trigger("stop"); } }, "stop");
  const start = h("button", { type: "button", class: "chip", onclick: () => { stopped = false; show(0); send(0); } }, spec.label);
  const show = (share) => {
    const busy = typeof share === "number" && !stopped;
    bar.hidden = stop.hidden = !busy;
    start.disabled = busy;
    bar.value = share ?? 0;
  };
  return { element: h("div", { class: "widget job" }, h("div", { class: "chips" }, start, bar, stop)), show };
};

/* "Try this": chips, and what to watch. −1 is reset. */
seq2see.kinds.presets = (spec, send) => {
  const watch = h("p", { class: "watch", "aria-live": "polite" });
  const chips = spec.items.map((item, index) => h("button", { type: "button", class: "chip", "aria-pressed": "false", onclick: () => choose(index) }, item.title));
  const choose = (index) => {
    chips.forEach((chip, i) => chip.setAttribute("aria-pressed", String(i === index)));
    watch.textContent = index < 0 ? "" : spec.items[index].watch;
    send(index);
  };
  return {
    element: h("div", { class: "widget presets" }, chips.length ? h("div", { class: "label" }, "Try this") : null, h("div", { class: "chips" }, ...chips), watch),
    show: () => {},
    reset: () => choose(-1),
    mounted: () => { // a link for this experiment: once, when it is first there
      const link = new URLSearchParams(seq2see.link), wanted = link.get("experiment");
      if (wanted !== spec.slug && !(spec.first && !spec.known.includes(wanted))) return;
      const query = seq2see.link;
      seq2see.link = "";
      if ((wanted && wanted !== spec.slug) || [...link.keys()].some((name) => !["experiment", "view", "__theme", "__sign"].includes(name))) send(query, false);
    },
  };
};

/* A question, its answer field, a hint, and the verdict of the server. */
seq2see.kinds.exercise = (spec, send) => {
  const verdict = h("p", { class: "verdict", role: "status" });
  const ask = (answer) => { verdict.textContent = "…"; send({ answer }); };
  let fields, chips = [];
  if (spec.options) {
    chips = spec.options.map((option) => h("button", { type: "button", class: "chip", "aria-pressed": "false", onclick: () => ask(option) }, option));
    fields = chips;
  } else if (spec.number) {
    const field = h("input", { inputmode: "decimal", autocomplete: "off", id: `${spec.id}-field`, "aria-label": spec.label || spec.question, onkeydown: (e) => { if (e.key === "Enter") ask(field.value.replace("−", "-").replace(",", ".")); } });
    fields = [h("label", { for: `${spec.id}-field` }, spec.label), field, h("button", { type: "button", class: "chip", onclick: () => ask(field.value.replace("−", "-").replace(",", ".")) }, "check")];
  } else {
    fields = [h("button", { type: "button", class: "chip", onclick: () => seq2see.go(spec.experiment) }, "go there"), h("button", { type: "button", class: "chip", onclick: () => ask(null) }, "check my settings")];
  }
  const element = h("div", { class: `widget exercise ${spec.guess ? "guess" : ""}` },
    h("p", { class: "asked" }, h("span", { class: "tag" }, spec.guess ? "Your guess" : spec.options || spec.number ? "Question" : "Challenge"), " ", spec.question),
    h("div", { class: "chips", role: "group", "aria-label": spec.question }, ...fields), verdict,
    spec.hint ? h("details", { class: "hint" }, h("summary", {}, "hint"), spec.hint) : null);
  return {
    element,
    show: (value) => {
      if (!value || value.message === undefined) return;
      verdict.textContent = `${value.ok ? "✓" : "✗"} ${value.message}`;
      verdict.className = `verdict ${value.ok ? "right" : "wrong"}`;
      chips.forEach((chip, i) => chip.setAttribute("aria-pressed", String(spec.options[i] === value.answer)));
      if (value.ok && !spec.guess) seq2see.done(spec.id);
    },
  };
};
