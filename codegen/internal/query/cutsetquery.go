package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// Cutsets returns the entries that run once for each joint state of their cutset.
func (g *Statements) Cutsets() []*ir.Entry {
	var list []*ir.Entry
	for i := range g.Program.Entries {
		if len(g.Program.Entries[i].Cutset) > 0 {
			list = append(list, &g.Program.Entries[i])
		}
	}
	return list
}

// CutsetName returns the name of the field of Engine that adds up the runs of e. That of the plan
// begins with it.
func (g *Statements) CutsetName(e *ir.Entry) string {
	return fmt.Sprintf("cutset%d", 1+slices.Index(g.Cutsets(), e))
}

// CutsetPlan declares the places of the numbers of e, and the method that runs its blocks for each
// joint state of its cutset.
func (g *Statements) CutsetPlan(e *ir.Entry) {
	name, vars, outs := g.CutsetName(e), &strings.Builder{}, &strings.Builder{}
	inputs := g.Inputs(e)
	for _, v := range e.Cutset {
		in := -1
		if len(inputs[v]) > 0 {
			in = inputs[v][0].Offset
		}
		fmt.Fprintf(vars, "{State: %d, Card: %d, In: %d}, // %s\n", g.Program.Spans[g.Program.State].Offset+int(v), g.Model.Card(v), in, source.Plain(g.Model.Vars[v].Name))
	}
	for _, id := range e.Outs {
		span := &g.Program.Spans[id]
		fmt.Fprintf(outs, "{At: %d, N: %d, Cut: %d},\n", span.Offset, span.Len, slices.Index(e.Cutset, span.Var))
	}
	exp, clear := -1, ""
	if e.Exp != ir.NoSpan {
		exp = g.Program.Spans[e.Exp].Offset
		clear = fmt.Sprintf("\te.state()[%d] = 0\n", exp)
	}
	g.Out.Comment(fmt.Sprintf("// %sPlan holds the places of the numbers of %s, and of the variables that are fixed at each of their states in turn.", name, source.Plain(e.Query.Name)))
	g.Out.Var().Id(name + "Plan").Op("=").Id(g.RT("CutsetPlan") + "{\nVars: []" + g.RT("CutsetVar") + "{\n" + vars.String() +
		"},\nOuts: []" + g.RT("CutsetOut") + "{\n" + outs.String() + fmt.Sprintf("},\nRoot: %d, Exp: %d,\n}", g.Program.Spans[e.Root].Offset, exp))
	g.Out.Line()
	g.Func(source.Doc(fmt.Sprintf("sum%d runs the blocks of %s for each joint state of the variables that they fix, and adds up.", 1+slices.Index(g.Cutsets(), e), source.Plain(e.Query.Name))),
		fmt.Sprintf("(e *Engine) sum%d()", 1+slices.Index(g.Cutsets(), e)),
		fmt.Sprintf("s, t := e.work()[:], e.state()[:]\nfor more := e.%[1]s.First(s, t); more; more = e.%[1]s.Next(s, t) {\n%s%s}", name, clear, g.Calls(e.Blocks)))
}
