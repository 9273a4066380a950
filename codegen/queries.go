package codegen

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
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
	g.batches.Declare()
	if g.any(func(a *answerKind) bool { return a.readsStates }) {
		g.readStates()
	}
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
	g.Func(source.Doc("readStates copies the chosen states and values to out."), "(e *Engine) readStates(out *Assignment)", body)
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
