// The page of the playground. The engine runs in a worker; the modules of the page show its answers,
// each one concern, and hear of each other's changes through state.js.

import "./sequence.js";
import "./cards.js";
import "./picture.js";
import "./variable.js";
import "./edges.js";
import "./editor.js";
import "./package.js";
import "./save.js";
import "./decision.js";
import "./density.js";
import { ask } from "./ask.js";
import { $, complain } from "./dom.js";
import { listExamples, load } from "./files.js";
import { readLink } from "./link.js";
import { change, cleared, on, redo, state, undo } from "./state.js";

on("model", () => {
  $("model-name").textContent = state.model.name;
  document.title = state.model.name + ": pgmc playground";
});
on("evidence", () => {
  $("undo").disabled = !state.past.length;
  $("redo").disabled = !state.future.length;
  $("clear").disabled = JSON.stringify(state.evidence) === JSON.stringify(cleared(state.evidence));
});

$("undo").addEventListener("click", undo);
$("redo").addEventListener("click", redo);
$("clear").addEventListener("click", () => change((e) => Object.assign(e, cleared(e))));
$("mpe").addEventListener("change", ask);
document.addEventListener("keydown", (event) => {
  const key = (event.ctrlKey || event.metaKey) && event.key.toLowerCase();
  const again = key === "y" || key === "z" && event.shiftKey;
  const typing = event.target.matches("input:not([type=range], [type=checkbox])") && event.target.value !== event.target.defaultValue;
  if (!again && key !== "z" || typing) return; // the browser takes back what is being typed
  event.preventDefault();
  if (again) redo();
  else undo();
});

for (const button of document.querySelectorAll("#skip button")) {
  button.addEventListener("click", () => {
    const to = $(button.dataset.to);
    (to.matches("[tabindex]") ? to : to.querySelector('[tabindex="0"], button, input'))?.focus();
  });
}

// The header's height, below which the picture stays.
new ResizeObserver(([{ target }]) => document.documentElement.style.setProperty("--head", target.offsetHeight + "px")).observe(document.querySelector("header"));

(async () => {
  await listExamples();
  if (!await readLink()) await load({ name: "asia" });
})().catch(complain);
