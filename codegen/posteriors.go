package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// queries declares the methods that answer queries.
func (g *generator) queries() {
	if g.MinusLogZ() == " - logZ" {
		g.logZ()
	}
	if len(g.First) > 0 {
		g.fn(doc("begin runs the blocks with which several queries begin."), "(e *Engine) begin()", g.Calls(g.First))
	}
	for _, e := range g.Cutsets() {
		g.CutsetPlan(e)
	}
	g.eachAnswer(func(a *answerKind, e *ir.Entry) { a.emit(g, e) })
	if g.Entry(ir.Marginals) != nil || g.Entry(ir.LogProb) != nil {
		g.settle()
	}
	g.batches()
	if g.any(func(a *answerKind) bool { return a.readsStates }) {
		g.readStates()
	}
}

// marginals declares Marginals.
func (g *generator) marginals(e *ir.Entry) {
	answer := g.MarginalsOf(e, "settle("+g.LogOf(e)+", ev, soft)")
	if g.lanes[ir.Marginals] != nil {
		g.fn(doc("readMarginals copies the computed answer to out; scale is the logarithm of the factor that likelihoods were divided by."),
			"(e *Engine) readMarginals(ev *Evidence, soft *Soft, scale float64, out *Marginals) error", answer)
		answer = "return e.readMarginals(ev, soft, scale, out)"
	}
	g.fn(doc("Marginals sets out to the posterior of every variable given ev and soft, which may be nil, and LogP to the natural",
		"logarithm of their probability. On failure all posteriors are 0 and LogP is -Inf."),
		"(e *Engine) Marginals(ev *Evidence, soft *Soft, out *Marginals) error",
		g.Enter(e, "scale", g.FailMarginals()+"err")+g.instead(e, "Marginals", "scale, out")+g.Run(e, e.Blocks)+answer)
	if x := g.p.Instead(e); x != nil {
		g.tableMarginals(x)
	}
}

// settle declares the function that makes ln P of no evidence exactly 0.
func (g *generator) settle() {
	g.fn(doc("settle returns logp, or 0 if nothing was observed and logp is 0 but for rounding."),
		"settle(logp float64, ev *Evidence, soft *Soft) float64", fmt.Sprintf(`
if `+g.std("math.Abs")+`(logp) < %g && (ev == nil || *ev == Evidence{}) && (soft == nil || *soft == Soft{}) {
	return 0
}
return logp`, ir.Settled))
}

// posterior declares the method for the posterior of one variable.
func (g *generator) posterior(e *ir.Entry) {
	x := g.ids.Of(e.Query.Targets[0])
	dist := x.Port.Answer()
	g.fn(doc(fmt.Sprintf("%s returns the posterior of %s given ev and soft, which may be nil.", x.ID, quote(x.Var.Name))),
		fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft) (%s, error)", x.ID, dist),
		g.EnterOnly(e, fmt.Sprintf("\treturn %s{}, err", dist))+g.Run(e, e.Blocks)+g.Answer(e, x.Var.ID))
}

// logProb declares LogProb.
func (g *generator) logProb(e *ir.Entry) {
	fail := "\treturn " + g.std("math.Inf") + "(-1), "
	body := g.Enter(e, "scale", fail+"err") + g.instead(e, "LogProb", "scale") + g.Run(e, e.Blocks) + g.Root(e, fail+"ErrImpossible")
	g.fn(doc("LogProb returns the natural logarithm of the probability of ev and soft, which may be nil. With an error it returns -Inf."),
		"(e *Engine) LogProb(ev *Evidence, soft *Soft) (float64, error)", body+"return settle("+g.LogOf(e)+", ev, soft), nil")
	if x := g.p.Instead(e); x != nil {
		g.tableLogProb(x)
	}
}

// mpe declares MPE.
func (g *generator) mpe(e *ir.Entry) {
	fail := "\t*out = Assignment{}\n\treturn " + g.std("math.Inf") + "(-1), "
	body := g.Enter(e, "scale", fail+"err") + g.Run(e, e.Blocks) + g.BestRoot(e, fail)
	g.fn(doc("MPE sets out to a most probable completion of ev and soft, which may be nil. It returns the natural logarithm of the",
		"completion's probability times the likelihoods of its states in soft. On failure out has no states."),
		"(e *Engine) MPE(ev *Evidence, soft *Soft, out *Assignment) (logp float64, err error)", body+"e.readStates(out)\nreturn "+g.LogOf(e)+", nil")
}

// readStates declares the method that copies the states of all variables to an assignment.
func (g *generator) readStates() {
	states, values := &strings.Builder{}, &strings.Builder{}
	for _, x := range g.ids.Observable() {
		if x.Port.States() > 0 {
			fmt.Fprintf(states, "out.%s = %s(t[%d] + 1)\n", x.ID, x.Port.Field(), g.p.Spans[g.p.State].Offset+int(x.Var.ID))
		} else if at := g.valueOf(x.Var.ID); at >= 0 {
			fmt.Fprintf(values, "out.%s = Obs(s[%d])\n", x.ID, at)
		}
	}
	body := ""
	if states.Len() > 0 {
		body = "t := e.state()\n" + states.String()
	}
	if values.Len() > 0 {
		body += "s := e.work()\n" + values.String()
	}
	g.fn(doc("readStates copies the chosen states and values to out."), "(e *Engine) readStates(out *Assignment)", body)
}

// valueOf returns the place in work memory of the value of a real variable in assignments, which is
// the same for all queries, or -1 if they have none.
func (g *generator) valueOf(v model.VarID) int {
	for _, a := range g.entries {
		if a.row.readsStates && a.entry.Query.Kind.Run() == ir.RunOnce {
			for _, id := range a.entry.Outs {
				if g.p.Spans[id].Var == v {
					return g.p.Spans[id].Offset
				}
			}
		}
	}
	return -1
}

// logZ declares the constant ln Z.
func (g *generator) logZ() {
	g.out.Comment("// logZ is ln Z, the natural logarithm of the sum of the product of all potentials.")
	g.out.Const().Id("logZ").Op("=").Id(strconv.FormatFloat(g.p.LogZ, 'g', -1, 64))
	g.out.Line()
}
