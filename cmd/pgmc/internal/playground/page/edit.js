// Changes of the model: the engine makes them, and evidence that they leave stays.

import { $, complain, note } from "./dom.js";
import { engine } from "./engine.js";
import { inTurn, nothing, on, open, state, tell } from "./state.js";

// adapted returns the evidence that a changed model can have. renamed are new names by old ones: of
// variables, and of states by variable.
function adapted(model, evidence, { variables = {}, states = {} }) {
  const own = (o, key) => (o && Object.hasOwn(o, key) ? o[key] : undefined);
  const known = new Map(model.variables.map((v) => [v.name, v])), out = { ...evidence, ...nothing() };
  for (const kind of ["hard", "do", "soft"]) {
    for (const [old, value] of Object.entries(evidence[kind])) {
      const name = own(variables, old) ?? old, v = known.get(name), now = kind === "soft" ? value : own(own(states, old), value) ?? value;
      if (!v) continue;
      if (kind === "soft" ? v.states?.length === now.length : !v.states || v.states.includes(now)) out[kind][name] = now;
    }
  }
  return out;
}

// send changes the model. chosen is the name of the variable that is chosen then, by default that of
// now.
export const send = (edit, { chosen, renamed = {} } = {}) => inTurn(async () => {
  const model = await engine.ask({ op: "edit", edit });
  complain(null);
  open({ version: model.version }, model, adapted(model, state.evidence, renamed), chosen);
  note(model.effects);
  if (document.activeElement === document.body) $("variable-box").focus({ preventScroll: true }); // what had the focus is gone
});

// editable lets the model be changed or not.
export function editable(on) {
  state.editing = on;
  document.body.classList.toggle("editing", on);
  $("edit").setAttribute("aria-pressed", String(on));
  $("edit-bar").hidden = !on;
  $("variable").setAttribute("aria-live", on ? "off" : "polite");
  tell("edit");
}

// statesOf returns the names in a list with commas.
const statesOf = (text) => text.split(",").map((s) => s.trim()).filter((s) => s);

on("model", () => {
  $("rename").value = $("rename").defaultValue = state.model.name;
  $("edit").disabled = Boolean(state.model.sequence);
  $("edit").title = state.model.sequence ? "The page changes networks of one time; pgmc edit changes sequences" : "Change variables, edges and parameters";
  if (state.editing && state.model.sequence) editable(false);
});
$("edit").addEventListener("click", () => editable(!state.editing));
$("new").addEventListener("click", () => inTurn(async () => {
  const model = await engine.ask({ op: "new" });
  complain(null);
  open({ version: model.version }, model, nothing(), null);
  editable(true);
  $("add-name").focus();
}));
$("rename").addEventListener("change", (event) => send({ kind: "name", name: event.target.value }));
$("add-real").addEventListener("change", (event) => { $("add-states").disabled = event.target.checked; });
$("add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = $("add-name").value.trim(), real = $("add-real").checked;
  const states = statesOf($("add-states").value).map((s) => ({ name: s }));
  $("add-name").value = ""; // for the next one
  $("add-name").focus();
  await send({ kind: "add", name, real, states }, { chosen: name });
  if (!state.model.variables.some((v) => v.name === name)) $("add-name").value ||= name;
});
