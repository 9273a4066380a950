package codegen

import (
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// queries declares the methods that answer queries.
func (g *generator) queries() {
	if g.MinusLogZ() == " - logZ" {
		g.LogZ()
	}
	if len(g.First) > 0 {
		g.Func(source.Doc("begin runs the blocks with which several queries begin."), "(e *Engine) begin()", g.Calls(g.First))
	}
	for _, e := range g.Cutsets() {
		g.CutsetPlan(e)
	}
	g.eachAnswer(func(a *answerKind, e *ir.Entry) { a.emit(g, e) })
	if g.Entry(ir.Marginals) != nil || g.Entry(ir.LogProb) != nil {
		g.Settle()
	}
	g.sequences.Declare()
	if g.any(func(a *answerKind) bool { return a.readsStates }) {
		g.ReadStates(g.valued()...)
	}
}

// valued returns the entries that have values of real variables in assignments, in the same places.
func (g *generator) valued() (list []*ir.Entry) {
	for _, a := range g.entries {
		if a.row.readsStates && a.entry.Query.Kind.Run() == ir.RunOnce {
			list = append(list, a.entry)
		}
	}
	return list
}
