// A CPD as a table of inputs. A row goes to the engine when it is complete: when its probabilities sum
// to one.

import { element } from "./dom.js";

// near is the difference from one that the engine takes for rounding.
const near = 1e-6;

// number reads a number, with a decimal point or comma, or a fraction.
function number(text) {
  const [, top, bottom] = /^\s*([^/]+?)\s*(?:\/\s*(.+?)\s*)?$/.exec(text.replace(",", ".")) ?? [];
  return top === undefined ? NaN : Number(top) / (bottom === undefined ? 1 : Number(bottom));
}

// short drops the digits of rounding errors.
const short = (x) => Number(x.toPrecision(12));
const sum = (list) => list.reduce((a, b) => a + b, 0);

// rows holds what a row of a table is, by its element.
const rows = new WeakMap();

const inputs = (tr) => [...tr.querySelectorAll("input")];
const typed = (input) => input.value !== input.defaultValue;

// cells makes the table of a CPD. commit takes a row of the CPD and its new numbers.
export function cells(v, cpd, commit) {
  const head = (texts) => texts.map((text) => element("th", { textContent: text, scope: "col" }));
  const body = element("tbody", {}, ...cpd.rows.map((row) => {
    const given = row.labels.map((l, k) => `${cpd.heads[k]} = ${l}`).join(", ");
    const tr = element("tr", {}, ...row.labels.map((l) => element("th", { textContent: l, scope: "row" })));
    cpd.columns.forEach((c, k) => {
      const input = element("input", { className: "cell", inputMode: "decimal", autocomplete: "off" });
      input.dataset.key = JSON.stringify([row.labels, k]);
      input.setAttribute("aria-label", (cpd.sums ? `P(${v.name} = ${c}` : `${c} of ${v.name}`) + (given ? (cpd.sums ? " | " : " for ") + given : "") + (cpd.sums ? ")" : ""));
      tr.append(element("td", {}, input));
    });
    tr.append(element("td", { className: "help" }));
    rows.set(tr, { row, sums: cpd.sums, commit });
    set(tr, row.numbers);
    return tr;
  }));
  const table = element("table", { className: "cells" }, element("thead", {}, element("tr", {}, ...head(cpd.heads), ...head(cpd.columns))), body);
  table.addEventListener("input", (event) => check(event.target.closest("tr")));
  table.addEventListener("change", (event) => tryCommit(event.target.closest("tr")));
  table.addEventListener("keydown", (event) => { if (event.target.matches(".cell")) press(event); });
  table.addEventListener("paste", (event) => { if (event.target.matches(".cell")) paste(event); });
  return table;
}

// refresh shows other parameters in a table of the same shape. Rows with numbers that are being typed
// stay.
export function refresh(box, cpd) {
  [...box.querySelectorAll(".cells tbody tr")].forEach((tr, r) => {
    const known = rows.get(tr), waits = inputs(tr).some(typed) && !known.sent;
    known.row = cpd.rows[r];
    known.sent = false;
    if (!waits) set(tr, cpd.rows[r].numbers);
  });
}

// set shows numbers as the committed ones.
function set(tr, numbers) {
  inputs(tr).forEach((input, k) => {
    input.value = input.defaultValue = String(short(numbers[k]));
    input.size = Math.min(Math.max(input.value.length, 5), 18);
  });
  check(tr);
}

// check marks a row that is not complete, and offers help. It returns the numbers of a complete row.
function check(tr) {
  const { sums } = rows.get(tr), list = inputs(tr), numbers = list.map((input) => number(input.value));
  list.forEach((input, k) => input.setAttribute("aria-invalid", String(!Number.isFinite(numbers[k]) || sums && !(numbers[k] >= 0 && numbers[k] <= 1))));
  const total = sum(numbers), off = sums && !(Math.abs(total - 1) < near);
  tr.classList.toggle("off", off);
  const help = tr.querySelector(".help");
  if (off && !help.firstChild) help.append(element("span", { className: "sum" }), helper(tr, "Normalise", normalise), helper(tr, "Complement", complement));
  if (!off) help.replaceChildren();
  else help.querySelector(".sum").textContent = Number.isNaN(total) ? "no number" : "sum " + short(total);
  return off || list.some((input) => input.getAttribute("aria-invalid") === "true") ? null : numbers;
}

function helper(tr, text, act) {
  const out = element("button", { textContent: text, type: "button" });
  out.addEventListener("click", () => {
    const list = inputs(tr), numbers = act(list.map((input) => number(input.value)), list.map(typed));
    if (!numbers) return;
    list.forEach((input, k) => { input.value = String(numbers[k]); });
    list[0].focus();
    tryCommit(tr);
  });
  return out;
}

// normalise divides numbers by their sum.
function normalise(numbers) {
  const total = sum(numbers);
  return total > 0 && numbers.every((x) => x >= 0) ? numbers.map((x) => short(x / total)) : null;
}

// complement lets the numbers that were not typed, or else the last one, share what the others leave.
function complement(numbers, typed) {
  const rest = numbers.map((_, k) => typed.every((t) => t) ? k === numbers.length - 1 : !typed[k]);
  const left = short(1 - sum(numbers.filter((_, k) => !rest[k]))), share = sum(numbers.filter((_, k) => rest[k])), count = rest.filter((r) => r).length;
  if (!(left >= 0)) return null;
  return numbers.map((x, k) => rest[k] ? short(share > 0 ? left * x / share : left / count) : x);
}

// tryCommit sends a row that is complete and has other numbers than before.
function tryCommit(tr) {
  const numbers = check(tr), known = rows.get(tr);
  if (!numbers || numbers.every((x, k) => x === short(known.row.numbers[k]))) return;
  known.sent = true;
  known.commit(known.row, numbers);
}

// press moves between cells by Enter and the arrow keys, and takes a row back by Escape.
function press(event) {
  const tr = event.target.closest("tr"), k = inputs(tr).indexOf(event.target);
  const to = { ArrowDown: tr.nextElementSibling, Enter: tr.nextElementSibling ?? tr, ArrowUp: tr.previousElementSibling }[event.key];
  if (event.key === "Escape") set(tr, rows.get(tr).row.numbers);
  else if (!to) return;
  else {
    if (event.key === "Enter") tryCommit(tr);
    inputs(to)[k].focus();
    inputs(to)[k].select();
  }
  event.preventDefault();
}

// paste fills cells from a table on the clipboard: lines of numbers between tabs, semicolons or blanks.
function paste(event) {
  const lines = event.clipboardData.getData("text").trim().split(/\r?\n/).map((l) => l.trim().split(/[\t; ]+/));
  if (lines.length === 1 && lines[0].length === 1) return;
  event.preventDefault();
  const k = inputs(event.target.closest("tr")).indexOf(event.target);
  let tr = event.target.closest("tr");
  for (const line of lines) {
    if (!tr) return;
    inputs(tr).slice(k, k + line.length).forEach((input, j) => { input.value = line[j]; });
    tryCommit(tr);
    tr = tr.nextElementSibling;
  }
}
