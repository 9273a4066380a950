// The model as files: in the formats that hold it, for the user, for links, and for the other engine.

import { $, complain, element, note } from "./dom.js";
import { engine } from "./engine.js";
import { on, state } from "./state.js";

let formats = []; // that hold the model
let saved = null; // the model that was saved last

// mostKept is the most characters of a file that a source keeps.
const mostKept = 100000;

// fileOf returns a request that loads what a source names: of a changed model, a file of it, which the
// source keeps if it is small.
export async function fileOf(source) {
  if (!source.version || source.file) return source.file ?? source;
  const name = "model.pgmc.json";
  const { files: [{ data }] } = await engine.ask({ op: "save", name, format: "json", version: source.version });
  const file = { name, data };
  if (data.length <= mostKept) source.file = file;
  return file;
}

// list lists the formats that hold the model. The one that was chosen stays so if it can.
async function list() {
  const { model } = state, select = $("format");
  const [found, opened] = [await engine.ask({ op: "formats" }), state.source.data && state.source.name.replace(/\.gz$/, "")];
  if (model !== state.model) return;
  formats = found;
  const wanted = [select.value, formats.find((f) => opened?.endsWith(f.ext))?.name, "bif", "json"];
  select.replaceChildren(...formats.map((f) => element("option", { value: f.name, textContent: `${f.name} (${f.ext})`, title: f.doc })));
  select.value = wanted.find((name) => formats.some((f) => f.name === name));
}

function download({ name, data }) {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const a = element("a", { download: name, href: URL.createObjectURL(new Blob([bytes])) });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

on("model", (other) => { if (other) list().catch(complain); });
$("save").addEventListener("click", async () => {
  const f = formats.find(({ name }) => name === $("format").value);
  try {
    const { files, lost } = await engine.ask({ op: "save", name: (state.model.name || "model") + f.ext, format: f.name });
    complain(null);
    files.forEach(download);
    saved = state.model;
    note(lost.map((l) => "the file lacks " + l));
  } catch (problem) {
    complain(problem);
  }
});

// Changes are lost with the page if neither a file nor the address holds them.
window.addEventListener("beforeunload", (event) => {
  if (state.source?.version && state.model !== saved && !location.hash) event.preventDefault();
});
