// The picture of the network: one stop of Tab, with arrow keys between the variables.

import { $, element } from "./dom.js";
import { engine } from "./engine.js";
import { choose, on, state, tell } from "./state.js";
import { View } from "./view.js";

export const view = new View($("picture"));

export let nodes = []; // by variable: its group of shapes, or undefined if the picture has none
export let edges = []; // of the picture: the line, and the variables at its ends
let slices = ""; // those of a sequence in the picture

const present = ({ sequence: s } = state.evidence) => (s ? `${s.at} of ${s.length}` : "");

// draw draws the network, or if it is very large, variable i and its neighbours.
async function draw(i) {
  const { model } = state;
  [nodes, edges] = [[], []];
  slices = present();
  try {
    const { svg: text, nodes: list, edges: ends } = await engine.ask({ op: "picture", var: i === undefined ? "" : model.variables[i].name, sequence: state.evidence.sequence });
    if (model !== state.model) return;
    const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", "The network " + model.name);
    const groups = [...svg.querySelectorAll(":scope > g:last-of-type > g")], lines = svg.querySelectorAll(":scope > g:first-of-type > path");
    list.forEach((v, k) => { if (v >= 0) addNode(groups[k], v); });
    edges = ends.map(([from, to], k) => ({ line: lines[k], from, to }));
    const held = $("picture").contains(document.activeElement);
    view.show(svg);
    mark();
    point(state.chosen ?? list.find((v) => v >= 0));
    if (held) svg.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
    tell("drawn");
  } catch (problem) {
    $("picture").replaceChildren(element("p", { textContent: problem.message }));
  }
}

function addNode(group, i) {
  const v = state.model.variables[i];
  nodes[i] = group;
  group.dataset.variable = i;
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", -1);
  group.setAttribute("aria-label", v.name + (v.parents ? ", child of " + v.parents.join(", ") : ""));
}

// mark colours the variables with evidence.
function mark() {
  const { evidence } = state;
  state.model.variables.forEach(({ name }, i) => {
    nodes[i]?.classList.toggle("known", name in evidence.do || name in evidence.hard || name in evidence.soft);
    nodes[i]?.classList.toggle("conflict", state.conflict.includes(name));
  });
}

// point marks the chosen variable, at which Tab enters the picture.
function point(i) {
  nodes.forEach((node, k) => {
    node.setAttribute("tabindex", k === i ? 0 : -1);
    node.classList.toggle("chosen", k === state.chosen);
  });
  const near = [];
  for (const { line, from, to } of edges) {
    const own = state.chosen !== undefined && (from === state.chosen || to === state.chosen);
    line.classList.toggle("own", own);
    if (own) near.push(nodes[from === i ? to : from]);
  }
  if (nodes[i] && i === state.chosen) view.reveal(nodes[i], near.filter(Boolean));
}

// beside returns the nearest variable in a direction from variable i, or undefined.
function beside(i, [dx, dy]) {
  const centre = (node) => { const b = node.getBBox(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; };
  const from = centre(nodes[i]);
  let best, least = Infinity;
  nodes.forEach((node, k) => {
    const at = centre(node), along = (at.x - from.x) * dx + (at.y - from.y) * dy;
    const aside = Math.abs((at.x - from.x) * dy) + Math.abs((at.y - from.y) * dx);
    if (k === i || along < 1) return;
    const far = along + 2 * aside;
    if (far < least) { least = far; best = k; }
  });
  return best;
}

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const sizes = { "+": () => view.zoom(1.25), "=": () => view.zoom(1.25), "-": () => view.zoom(0.8), 0: () => view.fit() };

on("model", (other) => { if (other) draw(); });
on("evidence", () => {
  if (present() !== slices) draw(state.chosen);
  else mark();
});
on("conflict", mark);
on("choose", (i) => {
  if (nodes[i]) point(i);
  else draw(i);
});

$("picture").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const node = event.target.closest("[data-variable]"), i = Number(node?.dataset.variable);
  if (sizes[event.key]) sizes[event.key]();
  else if (node && directions[event.key]) {
    const next = beside(i, directions[event.key]);
    if (next !== undefined) { choose(next); nodes[next].focus({ preventScroll: true }); }
  } else if (node && event.key === "Enter") tell("focus", i);
  else if (node && event.key === " ") choose(i);
  else return;
  event.preventDefault();
});

$("picture").addEventListener("click", (event) => {
  const node = event.target.closest("[data-variable]");
  if (node) choose(Number(node.dataset.variable));
});
$("zoom-in").addEventListener("click", sizes["+"]);
$("zoom-out").addEventListener("click", sizes["-"]);
$("zoom-fit").addEventListener("click", sizes[0]);
