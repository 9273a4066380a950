// Models that are opened: examples, files of the user.

import { $, complain, element, note, say } from "./dom.js";
import { engine } from "./engine.js";
import { inTurn, nothing, on, open, state } from "./state.js";

// load opens a model, with evidence if it has some.
export function load(request, evidence = nothing()) {
  engine.fresh();
  return inTurn(() => read(request, evidence));
}

async function read(request, evidence) {
  complain(null);
  say("Loading " + request.name + "…");
  let model;
  try {
    model = await engine.ask({ op: "load", ...request });
  } catch (problem) {
    complain(problem);
    say(state.model ? "" : "No model is open.");
    return;
  }
  $("filter").value = "";
  open(request, model, evidence, null);
  note(model.warnings);
}

async function openFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let raw = "";
  for (let i = 0; i < bytes.length; i += 32768) raw += String.fromCharCode(...bytes.subarray(i, i + 32768));
  await load({ name: file.name, data: btoa(raw) });
}

// listExamples fills the list of models that are part of pgmc.
export async function listExamples() {
  const names = await engine.ask({ op: "models" });
  $("examples").replaceChildren(element("option", { value: "", textContent: "(own model)" }), ...names.map((n) => element("option", { value: n, textContent: n })));
}

on("model", () => { $("examples").value = state.source.data || !state.source.name ? "" : state.source.name; });
$("examples").addEventListener("change", (event) => { if (event.target.value) load({ name: event.target.value }); });
$("file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) await openFile(file);
  event.target.value = ""; // the same file may be opened again
});
document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
});
