// The page of the playground. The engine runs in a worker; the page shows its answers.
"use strict";

const $ = (id) => document.getElementById(id);

// An Engine sends requests to a worker and resolves to the replies.
class Engine {
  constructor(file) {
    this.worker = new Worker("worker.js?engine=" + file);
    this.waiting = new Map();
    this.next = 0;
    this.worker.onmessage = ({ data }) => {
      const { resolve, reject } = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      const reply = JSON.parse(data.reply);
      if (reply && reply.error) reject(new Error(reply.error));
      else resolve(reply);
    };
  }
  ask(request) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, request: JSON.stringify(request) });
    });
  }
}

const engine = new Engine("pgmc.wasm");
let generator = null; // the engine that writes Go, made when it is wanted

let source = null; // the request that loaded the model
let model = null; // the reply
let cards = []; // by variable: its elements
let evidence = { hard: {}, soft: {}, do: {} };
let past = []; // earlier evidence, as JSON

const copy = (x) => JSON.parse(JSON.stringify(x));
const element = (name, properties, ...children) => {
  const e = Object.assign(document.createElement(name), properties);
  e.append(...children);
  return e;
};
const say = (text) => { $("status").textContent = text; };
const complain = (problem) => { $("problem").textContent = problem ? problem.message : ""; };

// percent writes a probability. Only 0 and 1 are 0% and 100%, but for rounding errors.
function percent(p) {
  if (p === 0) return "0%";
  if (p > 1 - 1e-12) return "100%";
  if (p < 0.0001) return "<0.01%";
  if (p < 0.01) return (100 * p).toFixed(2) + "%";
  if (p >= 0.9995) return ">99.9%";
  return (100 * p).toFixed(1) + "%";
}

// Models.

async function load(request, kept) {
  complain(null);
  say("Loading " + request.name + "…");
  try {
    model = await engine.ask({ op: "load", ...request });
  } catch (problem) {
    complain(problem);
    say(model ? "" : "No model is open.");
    return;
  }
  source = request;
  evidence = kept || { hard: {}, soft: {}, do: {} };
  past = [];
  $("model-name").textContent = model.name;
  document.title = model.name + ": pgmc playground";
  $("examples").value = request.data ? "" : request.name;
  $("filter").value = "";
  show();
  drawPicture();
  $("variable").replaceChildren(element("p", { textContent: "Choose the name of a variable." }));
  if ($("go-box").open) writeGo();
  if (model.warnings.length) complain(new Error(model.warnings.join("; ")));
  await ask();
  warm();
}

// warm asks a few questions before the first click. Browsers compile WebAssembly again, to faster code,
// after its first use.
async function warm() {
  const loaded = model;
  for (let k = 0; k < 3 && model === loaded && !asking; k++) await engine.ask({ op: "ask", ...copy(evidence) });
}

// show makes a card for each variable.
function show() {
  latest = null;
  clearTimeout(behind);
  behind = 0;
  near.clear();
  watch.disconnect();
  const all = document.createDocumentFragment();
  cards = model.variables.map((v, i) => {
    const card = element("section", { className: "card" });
    card.dataset.index = i;
    card.setAttribute("role", "group");
    card.setAttribute("aria-labelledby", "v" + i);
    const name = element("button", { className: "name", textContent: v.name });
    card.append(element("h2", { id: "v" + i }, name));
    const found = { card, states: [], shown: [] };
    if (v.states) addStates(found, v, i);
    else addNumber(found, v, i);
    all.append(card);
    return found;
  });
  $("variables").replaceChildren(all);
  for (const { card } of cards) watch.observe(card);
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
  found.do = element("button", { className: "do", textContent: "Intervene", disabled: !model.causal || v.given });
  found.do.setAttribute("aria-pressed", "false");
  found.do.setAttribute("aria-label", "Intervene on " + v.name);
  found.soft = element("button", { className: "soft", textContent: "Likelihood" });
  found.soft.setAttribute("aria-expanded", "false");
  found.soft.setAttribute("aria-label", "Likelihood of " + v.name);
  found.card.append(group, element("div", { className: "more" }, found.do, found.soft));
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

// Evidence.

// change changes the evidence and asks again. If keep is false, it makes no step for undo.
function change(update, keep = true) {
  if (keep) past.push(JSON.stringify(evidence));
  update(evidence);
  ask();
}

function observe(i, k) {
  const name = model.variables[i].name, state = model.variables[i].states[k];
  change((e) => {
    const set = name in e.do ? e.do : e.hard;
    if (set[name] === state) delete set[name];
    else set[name] = state;
  });
}

function intervene(i) {
  const name = model.variables[i].name;
  change((e) => {
    if (name in e.do) {
      e.hard[name] = e.do[name];
      delete e.do[name];
      return;
    }
    e.do[name] = name in e.hard ? e.hard[name] : model.variables[i].states[0];
    delete e.hard[name];
    delete e.soft[name];
  });
}

function undo() {
  if (!past.length) return;
  evidence = JSON.parse(past.pop());
  ask();
}

let asking = false, again = false;

// ask asks for the posteriors. While an answer is awaited, only the newest question is kept.
async function ask() {
  mark();
  if (asking) { again = true; return; }
  asking = true;
  do {
    again = false;
    const question = { op: "ask", ...copy(evidence), mpe: $("mpe").checked };
    const began = performance.now();
    try {
      const answer = await engine.ask(question);
      if (!again) {
        complain(null);
        document.body.classList.remove("stale");
        answered(answer, performance.now() - began);
      }
    } catch (problem) {
      complain(problem);
      document.body.classList.add("stale");
    }
  } while (again);
  asking = false;
  keepLink();
}

// mark shows the evidence.
function mark() {
  model.variables.forEach((v, i) => {
    const c = cards[i], set = evidence.do[v.name] ?? evidence.hard[v.name];
    const known = set !== undefined || v.name in evidence.soft;
    if (c.known !== known) {
      c.known = known;
      c.card.classList.toggle("known", known);
      if (c.node) c.node.setAttribute("fill", known ? "#fdf1dc" : "#e7effb");
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
    const l = evidence.soft[v.name];
    if (l && !c.sliders) { addSliders(c, v); c.soft.setAttribute("aria-expanded", "true"); }
    if (c.sliders && (l || c.soften)) {
      [...c.sliders.querySelectorAll("input")].forEach((slider, k) => {
        const value = l ? l[k] : 1;
        if (document.activeElement !== slider) slider.value = 100 * value;
        slider.nextElementSibling.textContent = value.toFixed(2);
      });
    }
    c.soften = Boolean(l);
  });
  $("undo").disabled = !past.length;
  $("clear").disabled = JSON.stringify(evidence) === JSON.stringify({ hard: {}, soft: {}, do: {} });
}

// near holds the cards that are on the screen or close to it.
const near = new Set();

const watch = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const i = indexOf(target);
    if (cards[i]?.card !== target) continue; // of an earlier model
    if (!isIntersecting) { near.delete(i); continue; }
    near.add(i);
    if (latest) showCard(i);
  }
}, { rootMargin: "50%" });

// quiet is how long, in milliseconds, the page waits before it shows an answer on cards that are not
// seen: their update takes longer than that of the others.
const quiet = 300;

let latest = null; // the newest answer
let behind = 0; // the timer by which all cards show it; 0 if they do

// answered shows an answer on the cards that can be seen, and on the others if no other one comes.
function answered(answer, took) {
  latest = answer;
  near.forEach(showCard);
  clearTimeout(behind);
  behind = setTimeout(showFrom, quiet, 0);
  let text = "P(evidence) = " + Math.exp(answer.logp).toPrecision(6) + ", ln P = " + answer.logp.toPrecision(10);
  if (answer.mpe) text += "; ★ most probable completion, ln P = " + answer.mpe_logp.toPrecision(8);
  say(text + "; " + took.toFixed(0) + " ms");
  $("status").dataset.logp = answer.logp;
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
  const c = cards[i], v = model.variables[i], p = latest.marginals[i];
  if (!v.states) {
    c.value.textContent = p[0].toPrecision(5) + " ± " + Math.sqrt(Math.max(p[1], 0)).toPrecision(3);
    c.value.dataset.mean = p[0];
    return;
  }
  p.forEach((x, k) => {
    if (c.shown[k] === x) return;
    c.shown[k] = x;
    const s = c.states[k], text = percent(x);
    s.fill.style.transform = "scaleX(" + Math.min(Math.max(x, 0), 1) + ")";
    if (s.p.textContent !== text) s.p.textContent = text;
  });
  const best = latest.mpe ? v.states.indexOf(latest.mpe[i]) : -1;
  if (c.best !== best) {
    c.best = best;
    c.states.forEach(({ button }, k) => button.classList.toggle("best", k === best));
  }
}

// What stands beside the variables.

// leastScale is the smallest scale of a picture at which names can be read. A wider one scrolls.
const leastScale = 0.7;

// drawPicture draws the network, or if it is large, variable i and its neighbours.
async function drawPicture(i) {
  cards.forEach((c) => { c.node = null; });
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
      cards[i].node = title.nextElementSibling;
      cards[i].known = undefined;
    }
    svg.style.minWidth = leastScale * svg.viewBox.baseVal.width + "px";
    $("picture").replaceChildren(svg);
    mark();
    if (i !== undefined) centre(i);
  } catch (problem) {
    $("picture").replaceChildren(element("p", { textContent: problem.message }));
  }
}

// centre scrolls the picture to variable i.
function centre(i) {
  if (!cards[i].node) return;
  const box = $("picture").getBoundingClientRect(), at = cards[i].node.getBoundingClientRect();
  $("picture").scrollBy(at.x + at.width / 2 - box.x - box.width / 2, at.y + at.height / 2 - box.y - box.height / 2);
}

async function describe(i) {
  const v = model.variables[i];
  if (cards.every((c) => c.node)) centre(i);
  else drawPicture(i);
  $("variable-box").open = true;
  const out = $("variable");
  out.replaceChildren(element("h3", { textContent: v.name }), element("p", { textContent: "Loading…" }));
  try {
    const c = await engine.ask({ op: "variable", var: v.name });
    const n = (x) => x.toLocaleString("en");
    out.replaceChildren(element("h3", { textContent: v.name }));
    if (v.parents) out.append(element("p", { textContent: "Parents: " + v.parents.join(", ") }));
    if (c.problem) out.append(element("p", { textContent: "Cost: " + c.problem }));
    else out.append(element("p", { textContent: `Cost: the cliques that hold it have ${n(c.entries)} of ${n(c.total)} entries. Always observed, it would leave ${n(c.without)}.` }));
    for (const q of c.cliques) out.append(element("p", { textContent: `${n(q.entries)} entries: ${q.variables.join(", ")}` }));
    if (c.kind) out.append(element("p", { textContent: `CPD: ${c.kind}, ${n(c.size)} numbers` }));
    if (c.cpd && c.cpd.heads) {
      const row = (cells, kind) => element("tr", {}, ...cells.map((x) => element(kind, { textContent: x })));
      out.append(element("table", {}, element("thead", {}, row(c.cpd.heads, "th")), element("tbody", {}, ...(c.cpd.rows || []).map((r) => row(r, "td")))));
    }
    if (c.cpd && c.cpd.lines) out.append(element("pre", { textContent: c.cpd.lines.join("\n") }));
    if (c.cpd && c.cpd.more) out.append(element("p", { textContent: `… and ${n(c.cpd.more)} more` }));
  } catch (problem) {
    out.replaceChildren(element("p", { textContent: problem.message }));
  }
}

async function writeGo() {
  const asked = source;
  $("go").textContent = "Loading the generator…";
  try {
    generator = generator || new Engine("pgmc-go.wasm");
    await generator.ask({ op: "load", ...asked });
    const text = await generator.ask({ op: "go" });
    if (asked === source) $("go").textContent = text;
  } catch (problem) {
    $("go").textContent = problem.message;
  }
}

// The link: model and evidence in the fragment, compressed.

const mostLink = 60000; // characters

async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let raw = "";
  for (const b of bytes) raw += String.fromCharCode(b);
  return btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(text) {
  const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

let linkTimer = 0, ownHash = "";

function keepLink() {
  clearTimeout(linkTimer);
  linkTimer = setTimeout(writeLink, 250);
}

async function writeLink() {
  if (source.data && source.data.length > 20 * mostLink) return false;
  const text = "#s=" + await pack(JSON.stringify({ source, evidence, mpe: $("mpe").checked }));
  if (text.length > mostLink) return false;
  ownHash = text;
  history.replaceState(null, "", text);
  return true;
}

async function readLink() {
  if (!location.hash.startsWith("#s=") || location.hash === ownHash) return false;
  try {
    const kept = JSON.parse(await unpack(location.hash.slice(3)));
    $("mpe").checked = Boolean(kept.mpe);
    await load(kept.source, { hard: {}, soft: {}, do: {}, ...kept.evidence });
    return true;
  } catch (problem) {
    complain(new Error("the link cannot be read: " + problem.message));
    return false;
  }
}

// Events.

async function openFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let raw = "";
  for (let i = 0; i < bytes.length; i += 32768) raw += String.fromCharCode(...bytes.subarray(i, i + 32768));
  await load({ name: file.name, data: btoa(raw) });
}

const indexOf = (target) => { const card = target.closest(".card"); return card ? Number(card.dataset.index) : -1; };

$("variables").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const i = indexOf(button);
  if (button.matches(".state")) { rove(button); observe(i, Number(button.dataset.state)); }
  else if (button.matches(".do")) intervene(i);
  else if (button.matches(".name")) describe(i);
  else if (button.matches(".soft")) {
    const c = cards[i], v = model.variables[i];
    const open = button.getAttribute("aria-expanded") !== "true";
    if (open && !c.sliders) addSliders(c, v);
    c.sliders.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  }
});

// rove makes a state the one that Tab reaches in its group.
function rove(button) {
  for (const other of button.parentNode.children) other.tabIndex = other === button ? 0 : -1;
}

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

let before = null; // the evidence before a slider moved

$("variables").addEventListener("input", (event) => {
  const i = indexOf(event.target), name = model.variables[i].name;
  if (event.target.type !== "range") return;
  if (before === null) before = JSON.stringify(evidence);
  change((e) => {
    const l = [...cards[i].sliders.querySelectorAll("input")].map((slider) => slider.value / 100);
    if (l.every((x) => x === 1)) delete e.soft[name];
    else e.soft[name] = l;
  }, false);
});

$("variables").addEventListener("change", (event) => {
  const i = indexOf(event.target), name = model.variables[i].name;
  if (event.target.type === "range") {
    if (before !== null) past.push(before);
    before = null;
    mark();
    return;
  }
  if (event.target.type !== "number") return;
  change((e) => {
    if (event.target.value === "") delete e.hard[name];
    else e.hard[name] = event.target.value;
  });
});

$("picture").addEventListener("click", (event) => {
  const node = event.target.closest("[data-variable]");
  if (!node) return;
  const c = cards[Number(node.dataset.variable)];
  c.card.scrollIntoView({ block: "center" });
  c.card.querySelector(".state, input, button").focus();
});

$("undo").addEventListener("click", undo);
$("clear").addEventListener("click", () => change((e) => { e.hard = {}; e.soft = {}; e.do = {}; }));
$("mpe").addEventListener("change", ask);
$("examples").addEventListener("change", (event) => { if (event.target.value) load({ name: event.target.value }); });
$("file").addEventListener("change", (event) => { if (event.target.files[0]) openFile(event.target.files[0]); });
$("go-box").addEventListener("toggle", () => { if ($("go-box").open && source) writeGo(); });
$("filter").addEventListener("input", (event) => {
  const text = event.target.value.toLowerCase();
  model.variables.forEach((v, i) => { cards[i].card.hidden = !v.name.toLowerCase().includes(text); });
});
$("link").addEventListener("click", async () => {
  if (!await writeLink()) { complain(new Error("the model is too large for a link")); return; }
  try { await navigator.clipboard.writeText(location.href); say("The link is copied."); }
  catch { say("The link is the address of this page."); }
});
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.matches("input:not([type=range]), textarea")) {
    event.preventDefault();
    undo();
  }
});
document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
});
window.addEventListener("hashchange", readLink);

(async () => {
  const names = await engine.ask({ op: "models" });
  $("examples").replaceChildren(element("option", { value: "", textContent: "(own file)" }), ...names.map((n) => element("option", { value: n, textContent: n })));
  if (!await readLink()) await load({ name: names[0] });
})().catch(complain);
