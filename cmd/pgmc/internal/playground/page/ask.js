// Questions to the engine about the evidence.

import { $, complain, say } from "./dom.js";
import { engine } from "./engine.js";
import { back, on, state, tell } from "./state.js";

export let asking = false; // an answer is awaited
export let again = false; // the evidence has changed since

const question = () => ({ op: "ask", ...state.evidence, mpe: $("mpe").checked });

// ask asks for the posteriors. While an answer is awaited, only the newest question is kept.
export async function ask() {
  if (asking) { again = true; return; }
  asking = true;
  do {
    again = false;
    const began = performance.now();
    try {
      if (state.model.start !== engine.starts) await back(state.source, state.model); // the engine has stopped since
      const answer = await engine.ask(question());
      if (!again) {
        complain(null);
        document.body.classList.remove("stale");
        state.answer = answer;
        contradict([]);
        tell("answer");
        report(answer, performance.now() - began);
      }
    } catch (problem) {
      if (again || problem.replaced) continue;
      complain(problem);
      document.body.classList.add("stale");
      say(problem.conflict ? `P(evidence) = 0: ${problem.conflict.join(" and ")} contradict each other` : "There is no answer.");
      contradict(problem.conflict ?? []);
    }
  } while (again);
  asking = false;
  tell("settled");
}

// contradict takes the names of variables with findings that contradict each other.
function contradict(names) {
  if (!names.length && !state.conflict.length) return;
  state.conflict = names;
  tell("conflict");
}

function report(answer, took) {
  const { sequence } = state.evidence;
  let text = answer.strategy ? "Maximum expected utility = " + answer.strategy.utility.toPrecision(6) + "; " : "";
  text += (answer.density ? "Density of the evidence" : "P(evidence)") + (sequence?.mode === "filter" ? " up to slice " + sequence.at : "") + " = " + Math.exp(answer.logp).toPrecision(6) + (answer.density ? ", ln density = " : ", ln P = ") + answer.logp.toPrecision(10);
  if (answer.mpe) text += (sequence ? "; ★ most probable path" : "; ★ most probable completion") + (state.model.variables.some((v) => !v.states) ? ", ln density = " : ", ln P = ") + answer.mpe_logp.toPrecision(8);
  say(text + "; " + took.toFixed(0) + " ms");
  $("status").dataset.logp = answer.logp;
}

let cold = true; // no question about the model has been answered

// warm asks a few questions before the first click. Browsers compile WebAssembly again, to faster code,
// after its first use.
async function warm() {
  if (!cold || !state.answer || state.model.diagram) return; // each answer of a diagram compiles a program
  cold = false;
  const loaded = state.model;
  for (let k = 0; k < 3 && state.model === loaded && !asking; k++) {
    await engine.ask({ ...question(), mpe: false }).catch(() => {}); // a change of the model may be on its way
  }
}

on("model", (other) => { cold ||= other; });
on("evidence", ask);
on("settled", warm);
