// The cards: one for each variable, with bars, evidence, sliders.

import { $, element, flat, number, percent } from "./dom.js";
import { before, change, choose, intervene, keep, observe, on, state, tell } from "./state.js";

export let cards = []; // by variable: its elements

// beside says whether the picture and the chosen variable are beside the cards, not above them.
const beside = matchMedia("(min-width: 801px)");

const indexOf = (target) => { const card = target.closest(".card"); return card ? Number(card.dataset.index) : -1; };

// show makes a card for each variable.
function show() {
  clearTimeout(behind);
  behind = 0;
  near.clear();
  watch.disconnect();
  const all = document.createDocumentFragment();
  cards = state.model.variables.map((v, i) => {
    const card = element("section", { className: "card" });
    card.dataset.index = i;
    card.setAttribute("role", "group");
    card.setAttribute("aria-labelledby", "v" + i);
    const name = element("button", { className: "name", textContent: v.name });
    const title = element("h2", { id: "v" + i }, name);
    if (v.given) title.append(element("span", { className: "tag", textContent: v.decision ? "decision" : "given" }));
    card.append(title);
    const found = { card, states: [], shown: [] };
    if (v.states) addStates(found, v, i);
    else addNumber(found, v, i);
    all.append(card);
    return found;
  });
  $("variables").replaceChildren(all);
  for (const { card } of cards) watch.observe(card);
  cards[state.chosen]?.card.classList.add("chosen");
  filter();
}

// filter shows the cards of variables with a text in their names.
function filter() {
  const text = $("filter").value.toLowerCase();
  state.model.variables.forEach((v, i) => { cards[i].card.hidden = !v.name.toLowerCase().includes(text); });
}

function addStates(found, v, i) {
  const group = element("div", { className: "states" });
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-labelledby", "v" + i);
  v.states.forEach((s, k) => {
    const fill = element("span", { className: "fill" });
    const p = element("span", { className: "p" });
    const button = element("button", { className: "state", tabIndex: k ? -1 : 0, title: s },
      element("span", { className: "label", textContent: s }), element("span", { className: "bar" }, fill), p);
    button.dataset.state = k;
    button.setAttribute("role", "radio");
    button.setAttribute("aria-checked", "false");
    group.append(button);
    found.states.push({ button, fill, p });
  });
  found.do = element("button", { className: "do", textContent: "Intervene", disabled: !state.model.causal || v.given });
  found.do.setAttribute("aria-pressed", "false");
  found.do.setAttribute("aria-label", "Intervene on " + v.name);
  found.soft = element("button", { className: "soft", textContent: "Likelihood" });
  found.soft.setAttribute("aria-expanded", "false");
  found.soft.setAttribute("aria-label", "Likelihood of " + v.name);
  found.card.append(group, element("div", { className: "more", hidden: Boolean(v.given) }, found.do, found.soft));
}

function addNumber(found, v, i) {
  found.value = element("p", { className: "value" });
  found.input = element("input", { type: "number", step: "any", className: "number" });
  found.input.setAttribute("aria-label", "Observed value of " + v.name);
  found.card.append(found.value, element("label", {}, "observed ", found.input));
}

// addSliders makes the sliders of a variable when they are first wanted.
function addSliders(found, v) {
  found.sliders = element("div", { className: "sliders" });
  v.states.forEach((s, k) => {
    const slider = element("input", { type: "range", min: 0, max: 100, value: 100 });
    slider.dataset.state = k;
    slider.setAttribute("aria-label", "Likelihood of " + v.name + " = " + s);
    found.sliders.append(element("label", {}, element("span", { textContent: s }), slider, element("output", { textContent: "1.00" })));
  });
  found.card.append(found.sliders);
}

// mark shows the evidence.
function mark() {
  const { model, evidence } = state;
  model.variables.forEach((v, i) => {
    const c = cards[i], set = evidence.do[v.name] ?? evidence.hard[v.name];
    const known = set !== undefined || v.name in evidence.soft;
    if (c.known !== known) {
      c.known = known;
      c.card.classList.toggle("known", known);
    }
    const conflict = state.conflict.includes(v.name);
    if (c.conflict !== conflict) {
      c.conflict = conflict;
      c.card.classList.toggle("conflict", conflict);
    }
    if (!v.states) {
      if (document.activeElement !== c.input) c.input.value = set ?? "";
      return;
    }
    if (c.set !== set) {
      c.set = set;
      c.states.forEach(({ button }, k) => button.setAttribute("aria-checked", String(v.states[k] === set)));
    }
    const done = v.name in evidence.do;
    if (c.done !== done) {
      c.done = done;
      c.do.setAttribute("aria-pressed", String(done));
    }
    markSliders(c, v, evidence.soft[v.name]);
  });
}

// markSliders shows a likelihood, or undefined for none.
function markSliders(c, v, l) {
  if (l && !c.sliders) { addSliders(c, v); c.soft.setAttribute("aria-expanded", "true"); }
  if (c.sliders && (l || c.soften)) {
    [...c.sliders.querySelectorAll("input")].forEach((slider, k) => {
      const value = l ? l[k] : 1;
      if (document.activeElement !== slider) slider.value = 100 * value;
      slider.nextElementSibling.textContent = value.toFixed(2);
    });
  }
  c.soften = Boolean(l);
}

// near holds the cards that are on the screen or close to it.
export const near = new Set();

const watch = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const i = indexOf(target);
    if (cards[i]?.card !== target) continue; // of an earlier model
    if (!isIntersecting) { near.delete(i); continue; }
    near.add(i);
    if (state.answer) showCard(i);
  }
}, { rootMargin: "50%" });

// quiet is how long, in milliseconds, the page waits before it shows an answer on cards that are not
// seen: their update takes longer than that of the others.
const quiet = 300;

export let behind = 0; // the timer by which all cards show the newest answer; 0 if they do

// answered shows an answer on the cards that can be seen, and on the others if no other one comes.
function answered() {
  near.forEach(showCard);
  clearTimeout(behind);
  behind = setTimeout(showFrom, quiet, 0);
}

// showFrom shows the newest answer on card i and those after it, a few milliseconds at a time, so that
// a click does not wait for all of them.
function showFrom(i) {
  const end = performance.now() + 8;
  while (i < cards.length && performance.now() < end) showCard(i++);
  behind = i < cards.length ? setTimeout(showFrom, 0, i) : 0;
}

// showCard shows the newest answer on card i. Only what differs from what it shows touches the page.
function showCard(i) {
  const c = cards[i], v = state.model.variables[i], p = state.answer.marginals[i];
  if (!v.states) {
    c.value.textContent = flat(p[1]) ? "any value (flat prior)" : p[0].toPrecision(5) + " ± " + Math.sqrt(Math.max(p[1], 0)).toPrecision(3);
    c.value.dataset.mean = p[0];
    if (state.answer.mpe) c.value.textContent += ", ★ " + number(Number(state.answer.mpe[i]));
    return;
  }
  p.forEach((x, k) => {
    if (c.shown[k] === x) return;
    c.shown[k] = x;
    const s = c.states[k], text = percent(x);
    s.fill.style.transform = "scaleX(" + Math.min(Math.max(x, 0), 1) + ")";
    if (s.p.textContent !== text) s.p.textContent = text;
  });
  const best = state.answer.mpe ? v.states.indexOf(state.answer.mpe[i]) : -1;
  if (c.best !== best) {
    c.best = best;
    c.states.forEach(({ button }, k) => button.classList.toggle("best", k === best));
  }
}

// rove makes a state the one that Tab reaches in its group.
function rove(button) {
  for (const other of button.parentNode.children) other.tabIndex = other === button ? 0 : -1;
}

on("model", (other) => { if (other) show(); });
on("evidence", mark);
on("conflict", mark);
on("answer", answered);
on("choose", (i) => {
  cards.forEach(({ card }, k) => card.classList.toggle("chosen", k === i));
  const { card } = cards[i];
  if (beside.matches && (card.getBoundingClientRect().bottom > innerHeight || card.getBoundingClientRect().top < 0)) card.scrollIntoView({ block: "nearest" });
});
on("focus", (i) => {
  const { card } = cards[i];
  card.scrollIntoView({ block: "center" });
  card.querySelector(".state, input, button").focus();
});

$("variables").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const i = indexOf(button);
  if (button.matches(".state")) { rove(button); observe(i, Number(button.dataset.state)); }
  else if (button.matches(".do")) intervene(i);
  else if (button.matches(".name")) {
    choose(i);
    if (!beside.matches) $("variable-box").scrollIntoView({ block: "center" });
  }
  else if (button.matches(".soft")) {
    const c = cards[i], v = state.model.variables[i];
    const open = button.getAttribute("aria-expanded") !== "true";
    if (open && !c.sliders) addSliders(c, v);
    c.sliders.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  }
});

$("variables").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const button = event.target.closest(".state");
  if (!step || !button) return;
  event.preventDefault();
  const all = [...button.parentNode.children];
  const next = all[(all.indexOf(button) + step + all.length) % all.length];
  rove(next);
  next.focus();
});

let past = null; // what was before a slider moved

$("variables").addEventListener("input", (event) => {
  const i = indexOf(event.target), { name } = state.model.variables[i];
  if (event.target.type !== "range") return;
  past ??= before();
  change((e) => {
    const l = [...cards[i].sliders.querySelectorAll("input")].map((slider) => slider.value / 100);
    if (l.every((x) => x === 1)) delete e.soft[name];
    else e.soft[name] = l;
  }, false);
});

$("variables").addEventListener("change", (event) => {
  const i = indexOf(event.target), { name } = state.model.variables[i];
  if (event.target.type === "range") {
    if (past) keep(past);
    past = null;
    tell("evidence");
    return;
  }
  if (event.target.type !== "number") return;
  change((e) => {
    if (event.target.value === "") delete e.hard[name];
    else e.hard[name] = event.target.value;
  });
});

$("filter").addEventListener("input", filter);
