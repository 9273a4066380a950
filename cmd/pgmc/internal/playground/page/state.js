// The state of the page: the model, the evidence, and the answer. Parts of the page change it by the
// functions here, and hear of changes by on.

import { complain } from "./dom.js";
import { engine } from "./engine.js";

export const nothing = () => ({ hard: {}, soft: {}, do: {} });

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
const shape = ({ version, name, size, warnings, effects, ...rest }) => JSON.stringify(rest);

// replace makes a model the model of the page. The chosen variable is the one with a name.
function replace(source, model, evidence, chosen) {
  const other = !state.model || shape(model) !== shape(state.model);
  const at = model.variables.findIndex((v) => v.name === chosen);
  Object.assign(state, { source, model, evidence, conflict: [], chosen: at < 0 ? undefined : at });
  if (other) state.answer = null;
  tell("model", other);
  tell("evidence");
}

// open opens a model, which undo takes back.
export function open(source, model, evidence, chosen = chosenName()) {
  if (state.model) keep();
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

// travel goes to the last snapshot of a list, and puts one of now in another.
const travel = (from, to) => inTurn(() => {
  if (!state[from].length) return;
  const { source, model, evidence, chosen } = state[from].pop(), now = chosenName(), changed = model !== state.model;
  state[to].push(snapshot());
  if (changed) {
    engine.ask({ op: "back", version: model.version }).catch(complain);
    replace(source, model, JSON.parse(evidence), model.variables.some((v) => v.name === now) ? now : chosen);
    return;
  }
  state.evidence = JSON.parse(evidence);
  tell("evidence");
});

export const undo = () => travel("past", "future");
export const redo = () => travel("future", "past");
