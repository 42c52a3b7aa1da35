/* Embedding code of an experiment for web pages, learning platforms, slides and books. */

const escape = (address) => address.replaceAll("&", "&amp;");
const frame = (address) =>
  `<iframe src="${escape(address)}" title="Seq2See" width="100%" height="720" loading="lazy"></iframe>`;

/* Script for the embedding page that sets the frame's height to that of its content (address.js). */
const resize = '<script>addEventListener("message", ({ source, data }) => { '
  + 'for (const f of document.querySelectorAll("iframe")) '
  + "if (f.contentWindow === source && data.height > 0) f.height = Math.ceil(data.height); });</script>";

export const embedTexts = {
  "web page": (address) => `${frame(address)}\n${resize}`,
  "Moodle": (address) => `<p>${frame(address)}</p>`, // Moodle removes scripts
  "Quarto": (address) => `\`\`\`{=html}\n${frame(address)}\n${resize}\n\`\`\`\n`,
  "reveal.js": (address) =>
    `<section data-background-iframe="${escape(address)}" data-background-interactive></section>`,
  "Jupyter Book": (address) => `:::{iframe} ${address}\n:width: 100%\n:::\n`,
};
