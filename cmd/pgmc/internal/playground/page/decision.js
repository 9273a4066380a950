// The decisions of an influence diagram: the best strategy, and its utilities.

import { $, element, number, percent } from "./dom.js";
import { change, on, state } from "./state.js";

const limited = element("input", { type: "checkbox", id: "limited" });
const result = element("div", { id: "strategy" });
result.setAttribute("aria-live", "polite");
const box = element("section", { id: "strategy-box", hidden: true }, element("h2", { textContent: "Decisions" }), result,
  element("label", {}, limited, " A decision knows only its parents"));
box.setAttribute("aria-label", "Decisions");
$("panels").prepend(box);

const row = (cells, kind, marked = -1) => element("tr", {}, ...cells.map((x, k) => element(kind, { textContent: x, className: k === marked ? "choice" : "" })));

// policy returns the table of a decision: a row for each case, with what each option is worth.
function policy({ decision, known, options, cases, more }) {
  const head = [...known, "probability", ...options.map((o) => `${decision} = ${o}`), "choose"];
  const body = cases.map((c) => row([...c.given, percent(c.p), ...c.utilities.map(number), options[c.choice]], "td", known.length + 1 + c.choice));
  const out = [element("h3", { textContent: decision }), element("table", {}, element("thead", {}, row(head, "th")), element("tbody", {}, ...body))];
  if (more) out.push(element("p", { textContent: `… and ${more} more cases` }));
  return out;
}

function answered() {
  const { strategy } = state.answer;
  if (!strategy) return;
  const parts = strategy.utilities.length > 1 ? ` (${strategy.utilities.map((u) => `${u.name} ${number(u.mean)}`).join(", ")})` : "";
  result.replaceChildren(element("p", { textContent: `Maximum expected utility: ${number(strategy.utility)}${parts}` }), ...strategy.policies.flatMap(policy));
  if (!strategy.policies.length) result.append(element("p", { textContent: "All decisions have been taken." }));
}

on("model", () => {
  box.hidden = !state.model.diagram;
  result.replaceChildren();
});
on("evidence", () => { limited.checked = Boolean(state.evidence.limited); });
on("answer", answered);

limited.addEventListener("change", () => change((e) => { e.limited = limited.checked; }));
