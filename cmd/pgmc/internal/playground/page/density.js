// The densities of real variables, as curves on their cards.

import { asking } from "./ask.js";
import { cards } from "./cards.js";
import { drawing, number, percent } from "./dom.js";
import { engine } from "./engine.js";
import { on, state } from "./state.js";

const width = 220, height = 68, head = 13, foot = 12; // in pixels; texts are in head and foot
const points = 120;

// most is the largest number of curves: each is a question of its own.
const most = 60;

// answered draws the curves of the newest answer, one after the other, until another question comes.
async function answered() {
  const { model, answer } = state, { hard, soft, do: done, sequence } = state.evidence;
  let left = most;
  for (const [i, v] of model.variables.entries()) {
    if (v.states) continue;
    if (left-- === 0) return;
    let mixture = [];
    if (!(v.name in hard) && !v.given) {
      try { mixture = await engine.ask({ op: "mixture", var: v.name, hard, soft, do: done, sequence }); }
      catch { /* the variable has no exact posterior; its mean is on the card */ }
    }
    if (state.answer !== answer || asking) return;
    place(cards[i], v, mixture);
  }
}

// place shows a mixture on a card, or nothing if it has no components.
function place(card, v, mixture) {
  card.curve?.remove();
  card.curve = mixture.length ? curve(v.name, mixture) : null;
  if (card.curve) card.value.after(card.curve);
}

// density returns the density of the components that are no points.
const density = (mixture, x) => mixture.reduce((sum, { p, mean, var: v }) =>
  v > 0 ? sum + p * Math.exp(-((x - mean) ** 2) / (2 * v)) / Math.sqrt(2 * Math.PI * v) : sum, 0);

// rare is the weight of components that are outside the curve if they are far from the others.
const rare = 0.01;

// reach returns the ends of a component, and the points between them at which the curve is drawn.
const reach = ({ mean, var: v }, z = 4) => [mean - z * Math.sqrt(v), mean + z * Math.sqrt(v)];
const within = (c) => Array.from({ length: 33 }, (_, k) => c.mean + (k / 4 - 4) * Math.sqrt(c.var));

function curve(name, mixture) {
  const heaviest = Math.max(...mixture.map(({ p }) => p)), seen = mixture.filter(({ p }) => p >= Math.min(rare, heaviest));
  let low = Math.min(...seen.map((c) => reach(c)[0])), high = Math.max(...seen.map((c) => reach(c)[1]));
  if (low === high) [low, high] = [low - Math.abs(low) / 2 - 1, high + Math.abs(high) / 2 + 1];
  const x = (value) => (width * (value - low)) / (high - low), y = (d) => head + (height - head - foot) * (1 - d);
  const grid = Array.from({ length: points + 1 }, (_, k) => low + (k / points) * (high - low));
  const at = [...grid, ...seen.flatMap(within).filter((v) => v > low && v < high)].sort((a, b) => a - b);
  const list = at.map((v) => density(mixture, v)), top = Math.max(...list);
  const masses = seen.filter(({ var: v }) => v === 0), left = 1 - seen.reduce((sum, { p }) => sum + p, 0);
  let text = mixture.length === 1 ? `density of ${name}, a normal distribution` : `density of ${name}, a mixture of ${mixture.length} normal distributions`;
  if (masses.length) text += `, ${masses.length} of them single values`;
  if (left > 1e-12) text += `; components of probability ${percent(left)} may be outside`;
  const svg = drawing("svg", { class: "density", viewBox: `0 0 ${width} ${height}`, role: "img" });
  if (top > 0) {
    const line = list.map((d, k) => `${x(at[k]).toFixed(1)} ${y(d / top).toFixed(1)}`).join("L");
    svg.append(drawing("path", { class: "area", d: `M0 ${y(0)}L${line}L${width} ${y(0)}z` }), drawing("path", { class: "line", d: "M" + line }),
      drawing("text", { x: 0, y: 9 }, `density, up to ${number(top)}`));
  }
  for (const { p, mean } of masses) svg.append(drawing("path", { class: "line", d: `M${x(mean)} ${y(0)}V${y(p)}` }));
  svg.append(drawing("text", { x: 0, y: height - 2 }, number(low)), drawing("text", { x: width, y: height - 2, "text-anchor": "end" }, number(high)));
  svg.prepend(drawing("title", {}, text));
  svg.setAttribute("aria-label", text);
  return svg;
}

on("answer", answered);
