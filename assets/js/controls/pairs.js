import { chip, h } from "../dom.js";
import { label } from "./label.js";

/* Pairs of the learner's own: a file, or pasted text. It is read here, stays in this page, and comes with every question. */
export function pairs(spec, send) {
  const faults = Object.fromEntries(spec.faults);
  let own = "", name = "", timer; // what was brought last, and how it is called here
  const said = h("p", { class: "watch", role: "status" });
  const field = h("textarea", {
    rows: 3, spellcheck: "false", autocapitalize: "off", dir: "auto", hidden: true,
    placeholder: "left\tright", "aria-label": "Pasted pairs",
    oninput: () => { clearTimeout(timer); timer = setTimeout(() => take(field.value, "What you pasted"), 400); },
  });
  const file = h("input", { type: "file", id: `${spec.id}-field`, accept: ".tsv,.csv,.txt,text/*", onchange: () => open(file.files[0]) });
  const paste = chip("paste", () => { field.hidden = !field.hidden; if (!field.hidden) field.focus(); }, { "aria-expanded": "false" });
  const aside = chip("sample", () => { show(""); send(""); }, { hidden: true });
  const again = chip("", () => { show(own); send(own); }, { hidden: true });

  /* Nothing that could not be read is sent: what is in view stays. */
  const refuse = (words) => { said.textContent = words; said.classList.add("wrong"); };

  function take(text, called) {
    const size = new Blob([text]).size;
    if (size > spec.most) return refuse(tooLarge(size));
    if (!text.trim()) return called === "What you pasted" ? undefined : refuse(faults.empty);
    [own, name] = [text, called];
    show(own);
    send(own);
  }

  async function open(chosen) {
    file.value = ""; // the same file may be chosen again, changed
    if (!chosen) return;
    if (chosen.size > spec.most) return refuse(tooLarge(chosen.size));
    const bytes = new Uint8Array(await chosen.arrayBuffer());
    const fault = unreadable(bytes);
    if (fault) return refuse(faults[fault]);
    take(new TextDecoder().decode(bytes), chosen.name);
  }

  function show(value) {
    const brought = Boolean(value);
    said.classList.remove("wrong");
    said.textContent = brought && value === own ? `${name}: in this page only; a link does not carry it.` : "";
    aside.hidden = !brought;
    again.hidden = brought || !own;
    again.textContent = `${name} again`;
  }

  const tooLarge = (size) => `At most ${spec.most / 1000} KB, please; this has ${kilobytes(size)} KB. Take its first lines.`;
  const choose = h("label", { class: "chip file", for: `${spec.id}-field` }, "choose a file", file);
  return {
    element: h("div", { class: "widget pairs" }, label(spec), h("div", { class: "chips" }, choose, paste, aside, again), field, said,
      h("p", { class: "fits" }, spec.fits)),
    show,
  };
}

const kilobytes = (size) => Math.round(size / 1000).toLocaleString("en");

/* Why these bytes are no text in UTF-8; nothing if they are. */
function unreadable(bytes) {
  const mark = bytes[0] << 8 | bytes[1], zeros = bytes.reduce((count, byte) => count + (byte === 0), 0);
  if (bytes.length > 1 && (mark === 0xfffe || mark === 0xfeff)) return "utf-16";
  if (zeros > bytes.length / 5 && zeros < bytes.length / 1.5) return "utf-16";
  if (zeros) return "binary";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const strange = bytes.reduce((count, byte) => count + (byte < 9 || (byte > 13 && byte < 32)), 0);
    return strange ? "binary" : "encoding";
  }
  return "";
}
