// Edges that are drawn and removed in the picture, by mouse and by keyboard.

import { $, drawing as svgElement, element, say } from "./dom.js";
import { send } from "./edit.js";
import { edges, nodes, view } from "./picture.js";
import { on, state } from "./state.js";

const nameOf = (i) => state.model.variables[i].name;
const variableAt = (e) => { const node = e?.closest?.("[data-variable]"); return node ? Number(node.dataset.variable) : undefined; };

let picked = null; // the edge that is picked
let from; // the variable from which the keyboard draws an edge

const join = (parent, child) => send({ kind: "edge", var: nameOf(child), parent: nameOf(parent) });
const part = ({ from, to }) => send({ kind: "unedge", var: nameOf(to), parent: nameOf(from) });

// widen gives each edge that can be removed a line that is wide enough for the mouse: those of utilities
// and of networks without directions stay.
function widen() {
  pick(null);
  for (const edge of edges) {
    if (!state.model.causal || edge.from < 0 || edge.to < 0) continue;
    const wide = svgElement("path", { d: edge.line.getAttribute("d"), class: "grip" });
    wide.addEventListener("click", () => { if (state.editing) pick(edge); });
    edge.line.after(wide);
  }
}

// pick picks an edge, and offers to remove it.
function pick(edge) {
  picked?.line.classList.remove("picked");
  picked = edge;
  edge?.line.classList.add("picked");
  const remove = element("button", {}), box = $("edge");
  if (box.contains(document.activeElement)) $("picture").querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  if (edge) {
    remove.textContent = `Remove edge ${nameOf(edge.from)} → ${nameOf(edge.to)}`;
    remove.addEventListener("click", () => part(edge));
  }
  box.replaceChildren(...edge ? [remove] : []);
}

// drawing follows the mouse from a variable to another one.
function drawing(event) {
  const start = variableAt(event.target);
  if (!state.editing || event.button || start === undefined || !state.model.causal) return;
  const { x, y } = view.point({ x: event.clientX, y: event.clientY });
  const line = svgElement("path", { class: "rubber", d: "" }), stop = new AbortController();
  const over = (e) => variableAt(document.elementFromPoint(e.clientX, e.clientY));
  view.svg.append(line);
  event.preventDefault();
  $("picture").addEventListener("pointermove", (e) => {
    const to = view.point({ x: e.clientX, y: e.clientY });
    line.setAttribute("d", `M${x} ${y}L${to.x} ${to.y}`);
    nodes.forEach((node, i) => node.classList.toggle("target", i === over(e) && i !== start));
  }, stop);
  const end = (e) => {
    stop.abort();
    line.remove();
    nodes.forEach((node) => node.classList.remove("target"));
    const to = e.type === "pointerup" ? over(e) : undefined;
    if (to !== undefined && to !== start) join(start, to);
  };
  window.addEventListener("pointerup", end, stop);
  window.addEventListener("pointercancel", end, stop);
}

// press draws an edge by the keyboard: e, arrow keys to the child, Enter. Delete removes.
function press(event) {
  const i = variableAt(event.target);
  if (!state.editing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "e" && i !== undefined && state.model.causal) {
    from = i;
    say(`An edge from ${nameOf(i)}: arrow keys lead to the child, Enter joins them, Escape ends.`);
  } else if (event.key === "Enter" && from !== undefined && i !== undefined) {
    if (i !== from) join(from, i);
    from = undefined;
  } else if (event.key === "Escape" && from !== undefined) {
    from = undefined;
    say("No edge is drawn.");
  } else if (event.key === "Escape" && picked) pick(null);
  else if (event.key === "Delete" && (picked || i !== undefined)) {
    if (picked) part(picked);
    else send({ kind: "remove", var: nameOf(i) });
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

view.drags = (event) => !state.editing || variableAt(event.target) === undefined;
on("drawn", widen);
on("edit", () => pick(null));
$("picture").addEventListener("pointerdown", drawing);
$("picture").addEventListener("keydown", press, true);
$("picture").addEventListener("dblclick", (event) => { if (state.editing && variableAt(event.target) === undefined) $("add-name").focus(); });
