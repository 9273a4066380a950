// The Go package of the model, which a second engine writes.

import { $ } from "./dom.js";
import { Engine } from "./engine.js";
import { fileOf } from "./save.js";
import { on, state } from "./state.js";

let generator = null; // made when a package is first wanted

async function write() {
  const asked = state.source;
  if (!asked || !$("go-box").open) return;
  $("go").textContent = "Loading the generator…";
  try {
    generator = generator || new Engine("pgmc-go.wasm");
    await generator.ask({ op: "load", ...await fileOf(asked) });
    const text = await generator.ask({ op: "go" });
    if (asked === state.source) $("go").textContent = text;
  } catch (problem) {
    $("go").textContent = problem.message;
  }
}

on("model", write);
$("go-box").addEventListener("toggle", write);
