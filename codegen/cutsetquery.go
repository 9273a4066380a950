package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
)

// cutsets returns the entries that run once for each joint state of their cutset.
func (g *generator) cutsets() []*ir.Entry {
	var list []*ir.Entry
	for i := range g.p.Entries {
		if len(g.p.Entries[i].Cutset) > 0 {
			list = append(list, &g.p.Entries[i])
		}
	}
	return list
}

// cutsetName returns the name of the field of Engine that adds up the runs of e. That of the plan
// begins with it.
func (g *generator) cutsetName(e *ir.Entry) string {
	return fmt.Sprintf("cutset%d", 1+slices.Index(g.cutsets(), e))
}

// cutsetPlan declares the places of the numbers of e, and the method that runs its blocks for each
// joint state of its cutset.
func (g *generator) cutsetPlan(e *ir.Entry) {
	name, vars, outs := g.cutsetName(e), &strings.Builder{}, &strings.Builder{}
	inputs := g.Inputs(e)
	for _, v := range e.Cutset {
		in := -1
		if len(inputs[v]) > 0 {
			in = inputs[v][0].Offset
		}
		fmt.Fprintf(vars, "{State: %d, Card: %d, In: %d}, // %s\n", g.p.Spans[g.p.State].Offset+int(v), g.m.Card(v), in, plain(g.m.Vars[v].Name))
	}
	for _, id := range e.Outs {
		span := &g.p.Spans[id]
		fmt.Fprintf(outs, "{At: %d, N: %d, Cut: %d},\n", span.Offset, span.Len, slices.Index(e.Cutset, span.Var))
	}
	exp, clear := -1, ""
	if e.Exp != ir.NoSpan {
		exp = g.p.Spans[e.Exp].Offset
		clear = fmt.Sprintf("\te.state()[%d] = 0\n", exp)
	}
	g.out.Comment(fmt.Sprintf("// %sPlan holds the places of the numbers of %s, and of the variables that are fixed at each of their states in turn.", name, plain(e.Query.Name)))
	g.out.Var().Id(name + "Plan").Op("=").Id(g.rt("CutsetPlan") + "{\nVars: []" + g.rt("CutsetVar") + "{\n" + vars.String() +
		"},\nOuts: []" + g.rt("CutsetOut") + "{\n" + outs.String() + fmt.Sprintf("},\nRoot: %d, Exp: %d,\n}", g.p.Spans[e.Root].Offset, exp))
	g.out.Line()
	g.fn(doc(fmt.Sprintf("sum%d runs the blocks of %s for each joint state of the variables that they fix, and adds up.", 1+slices.Index(g.cutsets(), e), plain(e.Query.Name))),
		fmt.Sprintf("(e *Engine) sum%d()", 1+slices.Index(g.cutsets(), e)),
		fmt.Sprintf("s, t := e.work()[:], e.state()[:]\nfor more := e.%[1]s.First(s, t); more; more = e.%[1]s.Next(s, t) {\n%s%s}", name, clear, g.calls(e.Blocks)))
}
