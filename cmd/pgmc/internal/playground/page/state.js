// The state of the page: the model, the evidence, and the answer. Parts of the page change it by the
// functions here, and hear of changes by on.

import { complain, note } from "./dom.js";
import { engine } from "./engine.js";

// plain returns an object without a prototype, so that any name can be a key.
const plain = (o) => Object.assign(Object.create(null), o);

export const nothing = () => ({ hard: plain(), soft: plain(), do: plain() });

// evidenceOf returns the evidence in a text.
export const evidenceOf = (text) => JSON.parse(text, (_, x) => (x && typeof x === "object" && !Array.isArray(x) ? plain(x) : x));

// cleared returns evidence without its findings.
export const cleared = (e) => ({ ...e, ...nothing(), ...(e.sequence && { sequence: { ...e.sequence, others: {} } }) });

export const state = {
  source: null, // what loads the model: a file, an example, or the version of a changed model
  model: null, // what the engine says of it
  evidence: nothing(),
  past: [], // earlier snapshots, the last one last
  future: [], // those that undo took back
  answer: null, // the newest answer
  conflict: [], // names of variables with findings that contradict each other
  chosen: undefined, // the number of the chosen variable
  editing: false, // the model may be changed
};

const hearers = {};

// on calls hear after each event of a kind, after the hearers that came before:
//   model (other): the model is another one, with other variables if other is true; evidence follows
//   evidence: the evidence is another one
//   answer: state.answer is the answer to the evidence
//   conflict: state.conflict is another one
//   settled: the newest question has its answer or problem
//   drawn: the picture is another one
//   choose (i): variable i is chosen, which is state.chosen
//   focus (i): the card of variable i is wanted
//   edit: state.editing is another one
export function on(kind, hear) {
  (hearers[kind] ??= []).push(hear);
}

export function tell(kind, ...what) {
  for (const hear of hearers[kind] ?? []) hear(...what);
}

// mostPast is the number of steps that undo takes back.
const mostPast = 500;

const chosenName = () => state.model?.variables[state.chosen]?.name;

const snapshot = () => ({ source: state.source, model: state.model, evidence: JSON.stringify(state.evidence), chosen: chosenName() });

// keep makes a step for undo. Without a snapshot it is of now.
export function keep(before = snapshot()) {
  state.past.push(before);
  if (state.past.length > mostPast) state.past.shift();
  state.future = [];
}

// before returns what undo would come back to.
export const before = snapshot;

// shape returns all of a model but its parameters, as text.
const shape = ({ version, start, name, size, warnings, effects, ...rest }) => JSON.stringify(rest);

// replace makes a model the model of the page. The chosen variable is the one with a name.
function replace(source, model, evidence, chosen) {
  const other = !state.model || shape(model) !== shape(state.model);
  const at = model.variables.findIndex((v) => v.name === chosen);
  Object.assign(state, { source, model, evidence, conflict: [], chosen: at < 0 ? undefined : at });
  if (other) state.answer = null;
  note([]);
  tell("model", other);
  tell("evidence");
}

// open opens a model, which undo takes back.
export function open(source, model, evidence, chosen = chosenName()) {
  if (state.model) keep();
  model.start = engine.starts;
  replace(source, model, evidence, chosen);
}

// choose makes variable i the chosen one.
export function choose(i) {
  state.chosen = i;
  tell("choose", i);
}

// change changes the evidence and asks again. If step is false, it makes no step for undo.
export function change(update, step = true) {
  if (step) keep();
  update(state.evidence);
  tell("evidence");
}

export function observe(i, k) {
  const { name, states } = state.model.variables[i];
  change((e) => {
    const set = name in e.do ? e.do : e.hard;
    if (set[name] === states[k]) delete set[name];
    else set[name] = states[k];
  });
}

export function intervene(i) {
  const { name, states } = state.model.variables[i];
  change((e) => {
    if (name in e.do) {
      e.hard[name] = e.do[name];
      delete e.do[name];
      return;
    }
    e.do[name] = name in e.hard ? e.hard[name] : states[0];
    delete e.hard[name];
    delete e.soft[name];
  });
}

let queue = Promise.resolve();

// inTurn runs f after what was to run before, and shows its problem. What changes the model runs in turn.
export const inTurn = (f) => queue = queue.then(f).catch(complain);

// back makes an earlier model the model of the engine again. One that the engine has lost is loaded.
export async function back(source, model) {
  if (model.start === engine.starts) { await engine.ask({ op: "back", version: model.version }); return; }
  if (source.version && !source.file) throw new Error("the engine has stopped since, and the changed model of that step is gone");
  const { version } = await engine.ask({ op: "load", ...source.file ?? source });
  Object.assign(model, { version, start: engine.starts });
}

// travel goes to the last snapshot of a list, and puts one of now in another.
const travel = (from, to) => inTurn(async () => {
  if (!state[from].length) return;
  const { source, model, evidence, chosen } = state[from].pop(), now = chosenName();
  if (model === state.model) {
    state[to].push(snapshot());
    state.evidence = evidenceOf(evidence);
    tell("evidence");
    return;
  }
  await back(source, model);
  state[to].push(snapshot());
  replace(source, model, evidenceOf(evidence), model.variables.some((v) => v.name === now) ? now : chosen);
});

export const undo = () => travel("past", "future");
export const redo = () => travel("future", "past");
