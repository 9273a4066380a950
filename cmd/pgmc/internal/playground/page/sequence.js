// Sequences: the slice that the cards are about, what is answered about it, and the course of the
// chosen variable. The evidence of a sequence has a member sequence: the present slice at, the number
// of slices, and the evidence on the other slices.

import { $, drawing, element, flat, number, percent } from "./dom.js";
import { change, on, state } from "./state.js";

const most = 1000; // slices

const modes = [["filter", "Filter", "given the evidence up to the slice"], ["smooth", "Smooth", "given all evidence"],
  ["path", "Most probable path", "given all evidence, with the most probable states of all slices (★)"]];

const button = (id, text, label) => {
  const b = element("button", { id, textContent: text, title: label });
  b.setAttribute("aria-label", label);
  return b;
};
const field = (id, min) => element("input", { id, type: "number", min, max: most });
const previous = button("slice-previous", "◀", "Previous slice"), next = button("slice-next", "▶", "Next slice");
const at = field("slice-at", 0), length = field("slice-length", 1);
const mode = element("select", { id: "slice-mode" }, ...modes.map(([value, text, title]) => element("option", { value, textContent: text, title })));
const bar = element("div", { id: "slices", className: "tools", hidden: true }, previous, element("label", {}, "Slice ", at), next,
  element("label", {}, "of ", length), element("label", {}, "Answer ", mode));
bar.setAttribute("role", "group");
bar.setAttribute("aria-label", "Slices");
document.querySelector("header .tools").after(bar);

const chart = element("div", { id: "course" });
const box = element("section", { id: "course-box", hidden: true }, chart);
box.setAttribute("aria-label", "Course of the chosen variable");
$("panels").prepend(box);

const empty = ({ hard, soft }) => !Object.keys(hard ?? {}).length && !Object.keys(soft ?? {}).length;

// evidenceOn returns the evidence on slice t.
const evidenceOn = (t) => (t === state.evidence.sequence.at ? state.evidence : state.evidence.sequence.others[t] ?? {});

// go makes slice t the present one. One after the last makes the sequence longer.
function go(t) {
  if (!(Number.isInteger(t) && t >= 0 && t < most)) return;
  change((e) => {
    const s = e.sequence, { hard = {}, soft = {} } = s.others[t] ?? {};
    if (t === s.at) return;
    if (!empty(e)) s.others[s.at] = { hard: e.hard, soft: e.soft };
    delete s.others[t];
    Object.assign(e, { hard, soft });
    Object.assign(s, { at: t, length: Math.max(s.length, t + 1) });
  }, false);
}

// resize makes the sequence n slices long. Evidence beyond them is kept, and has no effect.
function resize(n) {
  if (!(Number.isInteger(n) && n >= 1 && n <= most)) { mark(); return; }
  if (state.evidence.sequence.at >= n) go(n - 1);
  change((e) => { e.sequence.length = n; });
}

function mark() {
  const s = state.evidence.sequence;
  if (!s) return;
  at.value = s.at;
  length.value = s.length;
  mode.value = s.mode;
  previous.disabled = s.at === 0;
  next.disabled = s.at === most - 1;
}

// The chart: a column for each slice, with a bar of states or the mean and two standard deviations.

const height = 90, foot = 14;
const colours = ["#4472b0", "#dd8452", "#55a868", "#c44e52", "#8172b3", "#937860", "#da8bc3", "#8c8c8c"];

function answered() {
  const { course } = state.answer, v = state.model.variables.find((x) => x.name === course?.var);
  if (!v) {
    chart.replaceChildren(element("p", { textContent: "Choose a variable to see its course." }));
    return;
  }
  const n = course.list.length, step = Math.max(6, Math.min(40, 420 / n));
  const svg = drawing("svg", { viewBox: `0 0 ${step * n} ${height + foot}`, role: "img", "aria-label": `${v.name} in ${n} slices` });
  svg.style.width = step * n + "px";
  const columns = course.list.map((_, t) => {
    const g = drawing("g", { "data-slice": t, class: (t === state.evidence.sequence.at ? "present " : "") + (v.name in (evidenceOn(t).hard ?? {}) || v.name in (evidenceOn(t).soft ?? {}) ? "known" : "") });
    g.append(drawing("rect", { class: "column", x: step * t, y: 0, width: step, height: height + foot }));
    return g;
  });
  const title = v.name + " by slice" + (v.states ? bars(columns, course, v, step) : band(columns, course, step));
  columns.forEach((g, t) => {
    if (t % Math.ceil(24 / step) === 0) g.append(drawing("text", { x: step * (t + 0.5), y: height + foot - 2, "text-anchor": "middle" }, String(t)));
  });
  svg.append(...columns);
  const key = v.states ? v.states.map((s, k) => element("span", {}, Object.assign(element("i"), { style: "background:" + colours[k % colours.length] }), s)) : [];
  chart.replaceChildren(element("h2", { textContent: title }), element("div", { className: "chart" }, svg), element("p", { className: "key" }, ...key));
}

// bars stacks the probabilities of the states; a star is on the state of the path.
function bars(columns, { list, path }, v, step) {
  columns.forEach((g, t) => {
    let y = height;
    list[t].forEach((p, k) => {
      const h = height * p;
      y -= h;
      g.append(drawing("rect", { x: step * t + 1, y, width: step - 2, height: h, fill: colours[k % colours.length] }));
      if (path?.[t] === v.states[k]) g.append(drawing("text", { x: step * (t + 0.5), y: y + Math.max(h / 2, 0) + 4, "text-anchor": "middle", class: "star" }, "★"));
    });
    const text = v.states.map((s, k) => `${s} ${percent(list[t][k])}`).join(", ");
    g.prepend(drawing("title", {}, `slice ${t}: ${text}`));
  });
  return "";
}

// band draws the means, with two standard deviations on each side, and returns what the title says of it.
function band(columns, { list, path }, step) {
  const sd = ([, v]) => 2 * Math.sqrt(Math.max(v, 0)), finite = list.filter((p) => !flat(p[1]));
  const places = [...finite.flatMap((p) => [p[0] - sd(p), p[0] + sd(p)]), ...(path ?? []).map(Number)], low = Math.min(...places), high = Math.max(...places);
  const y = (x) => (high > low ? (height * (high - x)) / (high - low) : height / 2);
  list.forEach((p, t) => {
    if (flat(p[1])) return;
    const x = step * (t + 0.5);
    columns[t].append(drawing("path", { class: "spread", d: `M${x} ${y(p[0] - sd(p))}V${y(p[0] + sd(p))}` }), drawing("circle", { class: "mean", cx: x, cy: y(p[0]), r: Math.min(3, step / 3) }));
    if (path) columns[t].append(drawing("text", { x, y: y(Number(path[t])) + 4, "text-anchor": "middle", class: "star" }, "★"));
    columns[t].prepend(drawing("title", {}, `slice ${t}: ${number(p[0])} ± ${number(sd(p) / 2)}`));
  });
  return finite.length ? `: means ± 2 standard deviations, from ${number(low)} to ${number(high)}` : "";
}

// drawn colours the variables of other slices in the picture that have evidence.
function drawn() {
  if (!state.evidence.sequence) return;
  for (const title of document.querySelectorAll("#picture g > title")) {
    const cut = title.textContent.lastIndexOf("@"), t = Number(title.textContent.slice(cut + 1)), name = title.textContent.slice(0, cut);
    if (t === state.evidence.sequence.at) continue;
    const { hard = {}, soft = {} } = evidenceOn(t);
    title.parentNode.classList.toggle("known", name in hard || name in soft);
    title.parentNode.classList.add("other");
  }
}

on("model", () => {
  const sequence = Boolean(state.model.sequence);
  bar.hidden = box.hidden = !sequence;
  $("mpe").disabled = sequence;
  $("mpe").parentNode.hidden = sequence;
  chart.replaceChildren();
  if (sequence) state.evidence.sequence ??= { mode: "filter", length: 5, at: 0, others: {}, var: state.model.variables[0].name };
});
on("evidence", mark);
on("answer", answered);
on("drawn", drawn);
on("choose", (i) => {
  if (state.evidence.sequence) change((e) => { e.sequence.var = state.model.variables[i].name; }, false);
});

previous.addEventListener("click", () => go(state.evidence.sequence.at - 1));
next.addEventListener("click", () => go(state.evidence.sequence.at + 1));
at.addEventListener("change", () => { go(at.valueAsNumber); mark(); });
length.addEventListener("change", () => resize(length.valueAsNumber));
mode.addEventListener("change", () => change((e) => { e.sequence.mode = mode.value; }));
chart.addEventListener("click", (event) => {
  const column = event.target.closest("[data-slice]");
  if (column) go(Number(column.dataset.slice));
});
$("picture").addEventListener("click", (event) => {
  const text = event.target.closest(".other")?.querySelector("title").textContent;
  if (text) go(Number(text.slice(text.lastIndexOf("@") + 1)));
});
