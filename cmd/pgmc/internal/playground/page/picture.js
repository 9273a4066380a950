// The picture of the network.

import { $, element } from "./dom.js";
import { engine } from "./engine.js";
import { on, state, tell } from "./state.js";

let nodes = []; // by variable: its shape, or undefined if the picture has none

// leastScale is the smallest scale of a picture at which names can be read. A wider one scrolls.
const leastScale = 0.7;

// draw draws the network, or if it is large, variable i and its neighbours.
async function draw(i) {
  const { model } = state;
  nodes = model.variables.map(() => undefined);
  try {
    const text = await engine.ask({ op: "picture", var: i === undefined ? "" : model.variables[i].name });
    const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", "The network " + model.name);
    const index = new Map(model.variables.map((v, i) => [v.name, i]));
    for (const title of svg.querySelectorAll("g > g > title")) {
      const i = index.get(title.textContent);
      if (i === undefined) continue;
      title.parentNode.dataset.variable = i;
      nodes[i] = title.nextElementSibling;
    }
    svg.style.minWidth = leastScale * svg.viewBox.baseVal.width + "px";
    $("picture").replaceChildren(svg);
    mark();
    if (i !== undefined) centre(i);
  } catch (problem) {
    $("picture").replaceChildren(element("p", { textContent: problem.message }));
  }
}

// mark colours the variables with evidence.
function mark() {
  const { evidence } = state;
  state.model.variables.forEach(({ name }, i) => {
    const known = name in evidence.do || name in evidence.hard || name in evidence.soft;
    nodes[i]?.setAttribute("fill", known ? "#fdf1dc" : "#e7effb");
  });
}

// centre scrolls the picture to variable i.
function centre(i) {
  if (!nodes[i]) return;
  const box = $("picture").getBoundingClientRect(), at = nodes[i].getBoundingClientRect();
  $("picture").scrollBy(at.x + at.width / 2 - box.x - box.width / 2, at.y + at.height / 2 - box.y - box.height / 2);
}

on("model", () => draw());
on("evidence", mark);
on("choose", (i) => {
  if (nodes.every((n) => n)) centre(i);
  else draw(i);
});

$("picture").addEventListener("click", (event) => {
  const node = event.target.closest("[data-variable]");
  if (node) tell("focus", Number(node.dataset.variable));
});
