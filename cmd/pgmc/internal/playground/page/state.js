// The state of the page: the model, the evidence, and the answer. Parts of the page change it by the
// functions here, and hear of changes by on.

export const nothing = () => ({ hard: {}, soft: {}, do: {} });

// cleared returns evidence without its findings.
export const cleared = (e) => ({ ...e, ...nothing(), ...(e.sequence && { sequence: { ...e.sequence, others: {} } }) });

export const state = {
  source: null, // the request that loaded the model
  model: null, // the reply
  evidence: nothing(),
  past: [], // earlier evidence, as JSON
  answer: null, // the newest answer
  conflict: [], // names of variables with findings that contradict each other
  chosen: undefined, // the number of the chosen variable
};

const hearers = {};

// on calls hear after each event of a kind, after the hearers that came before:
//   model: another model is open; evidence follows
//   evidence: the evidence is another one
//   answer: state.answer is the answer to the evidence
//   conflict: state.conflict is another one
//   settled: the newest question has its answer or problem
//   drawn: the picture is another one
//   choose (i): variable i is chosen, which is state.chosen
//   focus (i): the card of variable i is wanted
export function on(kind, hear) {
  (hearers[kind] ??= []).push(hear);
}

export function tell(kind, ...what) {
  for (const hear of hearers[kind] ?? []) hear(...what);
}

// open makes a model the model of the page.
export function open(source, model, evidence) {
  Object.assign(state, { source, model, evidence, past: [], answer: null, conflict: [], chosen: undefined });
  tell("model");
  tell("evidence");
}

// choose makes variable i the chosen one.
export function choose(i) {
  state.chosen = i;
  tell("choose", i);
}

// change changes the evidence and asks again. If keep is false, it makes no step for undo.
export function change(update, keep = true) {
  if (keep) state.past.push(JSON.stringify(state.evidence));
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

export function undo() {
  if (!state.past.length) return;
  state.evidence = JSON.parse(state.past.pop());
  tell("evidence");
}
