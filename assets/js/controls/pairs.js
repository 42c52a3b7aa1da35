import { stageOf } from "../experiments.js";

/* Pairs of the learner's own: a file, or pasted text. It is read here, stays in this page, and comes with every question.
   A link has only the mark of a text: by that the server finds what was trained on it. Without one there is the sample, "". */
export function pairs(element, send, experiment) {
  const faults = Object.fromEntries(JSON.parse(element.dataset.faults)), most = +element.dataset.most;
  const file = element.querySelector("input"), field = element.querySelector("textarea"), said = element.querySelector(".watch");
  const [paste, sample, again] = ["paste", "sample", "again"].map((part) => element.querySelector(`[data-part="${part}"]`));
  let now = new URLSearchParams(stageOf(experiment).dataset.link).get(element.dataset.name) ?? ""; // what is in use
  let own = "", name = "", timer; // what was brought last, and how it is called here

  /* Nothing that could not be read is sent: what is in view stays. */
  const refuse = (words) => { said.textContent = words; said.classList.add("wrong"); };

  function take(text, called) {
    const size = new Blob([text]).size;
    if (size > most) return refuse(tooLarge(size));
    if (!text.trim()) return called === "What you pasted" ? undefined : refuse(faults.empty);
    [own, name] = [text, called];
    show(own);
    send();
  }

  async function open(chosen) {
    file.value = ""; // the same file may be chosen again, changed
    if (!chosen) return;
    if (chosen.size > most) return refuse(tooLarge(chosen.size));
    const bytes = new Uint8Array(await chosen.arrayBuffer());
    const fault = unreadable(bytes);
    if (fault) return refuse(faults[fault]);
    take(new TextDecoder().decode(bytes), chosen.name);
  }

  function show(text) {
    now = text;
    const isBrought = Boolean(text);
    said.classList.remove("wrong");
    said.textContent = isBrought && text === own ? `${name}: in this page only; a link does not carry it.` : "";
    sample.hidden = !isBrought;
    again.hidden = isBrought || !own;
    again.textContent = `${name} again`;
  }

  const tooLarge = (size) => `At most ${most / 1000} KB, please; this has ${kilobytes(size)} KB. Take its first lines.`;
  file.addEventListener("change", () => open(file.files[0]));
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => take(field.value, "What you pasted"), 400); });
  paste.addEventListener("click", () => {
    field.hidden = !field.hidden;
    paste.setAttribute("aria-expanded", String(!field.hidden));
    if (!field.hidden) field.focus();
  });
  sample.addEventListener("click", () => { show(""); send(); });
  again.addEventListener("click", () => { show(own); send(); });
  return { read: () => now, show };
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
