import { drawingOf } from "../experiments.js";

/* The learner's sentence pairs: a file, or pasted text. They stay in this page and are sent with every
   request. A link has only a hash of the text, by which the server finds what was trained on it. "" is the
   sample. */
export function pairFile(element, send, experiment) {
  const errors = Object.fromEntries(JSON.parse(element.dataset.errors)), maxBytes = +element.dataset.maxBytes;
  const file = element.querySelector("input"), field = element.querySelector("textarea"),
    status = element.querySelector(".watch");
  const [paste, sample, again] = ["paste", "sample", "again"]
    .map((part) => element.querySelector(`[data-part="${part}"]`));
  // the text in use
  let current = new URLSearchParams(drawingOf(experiment).dataset.link).get(element.dataset.name) ?? "";
  let own = "", name = "", timer; // the last text that the learner gave, and the name of its file

  /* Text that cannot be parsed is not sent. */
  const refuse = (message) => { status.textContent = message; status.classList.add("wrong"); };

  function use(text, title) {
    const size = new Blob([text]).size;
    if (size > maxBytes) return refuse(tooLarge(size));
    if (!text.trim()) return title === "What you pasted" ? undefined : refuse(errors.empty);
    [own, name] = [text, title];
    show(own);
    send();
  }

  async function open(chosen) {
    file.value = ""; // so that choosing the same file again fires an event
    if (!chosen) return;
    if (chosen.size > maxBytes) return refuse(tooLarge(chosen.size));
    const bytes = new Uint8Array(await chosen.arrayBuffer());
    const problem = findProblem(bytes);
    if (problem) return refuse(errors[problem]);
    use(new TextDecoder().decode(bytes), chosen.name);
  }

  function show(text) {
    current = text;
    const isOwn = Boolean(text);
    status.classList.remove("wrong");
    status.textContent = isOwn && text === own ? `${name}: in this page only; a link does not carry it.` : "";
    sample.hidden = !isOwn;
    again.hidden = isOwn || !own;
    again.textContent = `${name} again`;
  }

  const tooLarge = (size) =>
    `At most ${maxBytes / 1000} KB, please; this has ${kilobytes(size)} KB. Take its first lines.`;
  file.addEventListener("change", () => open(file.files[0]));
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => use(field.value, "What you pasted"), 400);
  });
  paste.addEventListener("click", () => {
    field.hidden = !field.hidden;
    paste.setAttribute("aria-expanded", String(!field.hidden));
    if (!field.hidden) field.focus();
  });
  sample.addEventListener("click", () => { show(""); send(); });
  again.addEventListener("click", () => { show(own); send(); });
  return { read: () => current, show };
}

const kilobytes = (size) => Math.round(size / 1000).toLocaleString("en");

/* Explain why these bytes are not UTF-8 text; "" if they are. */
function findProblem(bytes) {
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
