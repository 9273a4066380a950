// The model as files: in the formats that hold it, for the user, for links, and for the other engine.

import { $, complain, element, note } from "./dom.js";
import { engine } from "./engine.js";
import { on, state } from "./state.js";

let formats = []; // that hold the model

// fileOf returns a request that loads what a source names: of a changed model, a file of it.
export async function fileOf(source) {
  if (!source.version) return source;
  const name = state.model.name + ".pgmc.json";
  const { files: [file] } = await engine.ask({ op: "save", name, format: "json" });
  return { name, data: file.data };
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
    note(lost.map((l) => "the file lacks " + l));
  } catch (problem) {
    complain(problem);
  }
});
