// The chosen variable: its CPD, and its part in the cost of the model.

import { $, element } from "./dom.js";
import { engine } from "./engine.js";
import { on, state } from "./state.js";

const n = (x) => x.toLocaleString("en");
const line = (text) => element("p", { textContent: text });

async function describe(i) {
  if (state.editing) return;
  const { model } = state, v = model.variables[i];
  const out = $("variable"), title = element("h2", { textContent: v.name });
  out.replaceChildren(title, line("Loading…"));
  try {
    const c = await engine.ask({ op: "variable", var: v.name });
    if (state.editing || model !== state.model || i !== state.chosen) return;
    out.replaceChildren(title);
    if (v.parents) out.append(line((v.decision ? "Known: " : "Parents: ") + v.parents.join(", ")));
    if (c.kind) out.append(line(`CPD: ${c.kind}, ${n(c.size)} parameters`));
    if (c.cpd) out.append(...cpd(c.cpd));
    if (c.later) out.append(line("In later slices (@-1 is the slice before):"), ...cpd(c.later));
    out.append(...cost(c));
  } catch (problem) {
    out.replaceChildren(line(problem.message));
  }
}

function cost(c) {
  if (!c.problem && !c.total) return [];
  const first = c.problem ? "Cost: " + c.problem
    : `Cost: the cliques that hold it have ${n(c.entries)} of ${n(c.total)} entries. If it is always observed, the cliques have ${n(c.without)} in all.`;
  return [line(first), ...c.cliques.map((q) => line(`${n(q.entries)} entries: ${q.variables.join(", ")}`))];
}

function cpd({ heads, rows, lines, more }) {
  const out = [];
  if (heads) {
    const row = (cells, kind) => element("tr", {}, ...cells.map((x) => element(kind, { textContent: x })));
    out.push(element("table", {}, element("thead", {}, row(heads, "th")), element("tbody", {}, ...(rows || []).map((r) => row(r, "td")))));
  }
  if (lines) out.push(element("pre", { textContent: lines.join("\n") }));
  if (more) out.push(line(`… and ${n(more)} more`));
  return out;
}

function show() {
  if (state.chosen !== undefined) describe(state.chosen);
  else $("variable").replaceChildren(line("Choose the name of a variable."));
}

on("model", show);
on("edit", show);
on("choose", describe);
