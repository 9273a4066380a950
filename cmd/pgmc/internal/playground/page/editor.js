// The chosen variable, to be changed: its name, states and parents, and its CPD.

import { cells, refresh } from "./cpt.js";
import { $, complain, element } from "./dom.js";
import { send } from "./edit.js";
import { engine } from "./engine.js";
import { on, state } from "./state.js";

// field makes an input that does something with its value after a change. Its key keeps the focus on
// it when the panel is made again.
function field(key, label, value, act) {
  const input = element("input", { value, defaultValue: value, size: Math.max(value.length, 4), autocomplete: "off" });
  input.dataset.key = key;
  input.setAttribute("aria-label", label);
  input.addEventListener("change", () => { if (input.value !== value) act(input.value); });
  return input;
}

function button(key, text, label, act) {
  const out = element("button", { textContent: text, title: label });
  out.dataset.key = key;
  out.setAttribute("aria-label", label);
  out.addEventListener("click", act);
  return out;
}

function naming({ name }) {
  const rename = (to) => send({ kind: "rename", var: name, name: to }, { chosen: to, renamed: { variables: { [name]: to } } });
  return element("div", { className: "row" }, element("label", {}, "Name ", field("name", "Name of the variable", name, rename)),
    button("remove", "Remove", "Remove " + name, () => send({ kind: "remove", var: name })));
}

function states({ name, states }) {
  const set = (list, renamed = {}) => send({ kind: "states", var: name, states: list }, { renamed: { states: { [name]: renamed } } });
  const all = states.map((s, k) => ({ name: s, from: k }));
  const out = element("div", { className: "row" }, "States ");
  states.forEach((s, k) => out.append(element("span", { className: "item" },
    field("state" + k, `State ${k + 1} of ${name}`, s, (to) => set(all.with(k, { name: to, from: k }), { [s]: to })),
    button("drop" + k, "✕", `Remove state ${s}`, () => set(all.toSpliced(k, 1))))));
  let n = states.length + 1;
  while (states.includes("state" + n)) n++;
  out.append(button("more", "Add a state", "Add a state to " + name, () => set([...all, { name: "state" + n, from: -1 }])));
  return out;
}

function parents({ name, parents = [] }) {
  const out = element("div", { className: "row" }, "Parents ");
  for (const p of parents) {
    out.append(element("span", { className: "item" }, p, " ", button("edge " + p, "✕", `Remove edge ${p} → ${name}`, () => send({ kind: "unedge", var: name, parent: p }))));
  }
  const others = state.model.variables.map((v) => v.name).filter((o) => o !== name && !parents.includes(o));
  if (!others.length) return out;
  const select = element("select", {}, ...others.map((o) => element("option", { textContent: o })));
  select.dataset.key = "parent";
  select.setAttribute("aria-label", "Another parent of " + name);
  out.append(select, button("join", "Add", "Add the parent", () => send({ kind: "edge", var: name, parent: select.value })));
  return out;
}

// others are what a CPD can become, by its kind.
const others = { table: "Make it a table", "noisy-max": "Make it a noisy-or" };

function kinds({ name }, cpd) {
  const out = element("div", { className: "row" }, cpd.kind ? `CPD: ${cpd.kind} ` : "");
  for (const k of cpd.kinds) {
    if (k !== cpd.kind) out.append(button("kind " + k, others[k], others[k], () => send({ kind: "cpd", var: name, cpd: k })));
  }
  return out;
}

let first = 0; // the first row that is shown
let shown = ""; // what the panel shows, but for parameters

// show makes the panel, or if only parameters are others, sets them. What is being typed stays.
async function show() {
  if (!state.editing || state.chosen === undefined) { shown = ""; return; }
  const { model } = state, v = model.variables[state.chosen];
  const cpd = await engine.ask({ op: "cpd", var: v.name, from: first }).catch((problem) => { if (model === state.model) complain(problem); });
  if (!cpd || model !== state.model || !state.editing || model.variables[state.chosen] !== v) return;
  const { rows, ...rest } = cpd, is = JSON.stringify([v, rest, rows.map((r) => r.labels), first, model.variables.map((o) => o.name)]);
  if (is === shown && $("variable").querySelector(".cells")) { refresh($("variable"), cpd); return; }
  shown = is;
  const at = document.activeElement, held = $("variable").contains(at) && { key: at.dataset.key, typed: at.value !== at.defaultValue && at.value };
  const out = [naming(v), ...v.states ? [states(v)] : [], ...model.causal ? [parents(v)] : [], kinds(v, cpd)];
  if (cpd.problem) out.push(element("p", { textContent: cpd.problem }));
  else out.push(cells(v, cpd, (row, numbers) => send({ kind: "row", var: v.name, given: row.given, state: row.state, numbers })));
  out.push(pages(cpd));
  $("variable").replaceChildren(...out);
  hold(held);
}

// hold gives the focus back to what had it, with what was being typed, or to the panel.
function hold(held) {
  if (!held) return;
  const again = [...$("variable").querySelectorAll("[data-key]")].find((e) => e.dataset.key === held.key) ?? $("variable-box");
  if (held.typed) again.value = held.typed;
  again.focus();
  if (again.matches("input")) again.select();
}

// pages has buttons for other rows of a large CPD.
function pages(cpd) {
  const out = element("div", { className: "row" }), go = (to) => () => { first = to; show(); };
  if (first) out.append(button("first", "First rows", "First rows", go(0)));
  if (cpd.next) out.append(button("next", "Next rows", "Next rows", go(cpd.next)));
  return out;
}

on("model", show);
on("edit", show);
on("choose", () => { first = 0; show(); });
