package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// searches are the entries that search.
func (g *generator) searches() []*ir.Entry {
	var list []*ir.Entry
	for i := range g.p.Entries {
		if g.p.Entries[i].Search {
			list = append(list, &g.p.Entries[i])
		}
	}
	return list
}

// searchName is a field of Engine, and a part of the name of a variable.
func (g *generator) searchName(e *ir.Entry) string {
	return fmt.Sprintf("search%d", 1+slices.Index(g.searches(), e))
}

// searchType is the type of the runtime that searches for e.
func searchType(e *ir.Entry) string {
	if e.Query.Kind == ir.KMPE {
		return "Completions"
	}
	return "MAPSearch"
}

// newSearch is the expression that makes it.
func (g *generator) newSearch(e *ir.Entry) string {
	args := "&" + g.searchName(e) + "Plan"
	if e.Query.Kind == ir.KMPE {
		args += fmt.Sprintf(", %d", e.Query.K)
	}
	return g.rt("New"+searchType(e)) + "(" + args + ")"
}

// searchPlan declares where the search of e finds its numbers.
func (g *generator) searchPlan(e *ir.Entry) {
	var vars strings.Builder
	inputs := g.inputs(e)
	for _, id := range e.Outs {
		out := &g.p.Spans[id]
		fmt.Fprintf(&vars, "{In: %d, Out: %d, State: %d, Card: %d}, // %s\n", inputs[out.Var][0].Offset, out.Offset,
			g.p.Spans[g.p.State].Offset+int(out.Var), out.Len, plain(g.m.Vars[out.Var].Name))
	}
	exp := -1
	if e.Exp != ir.NoSpan {
		exp = g.p.Spans[e.Exp].Offset
	}
	g.out.Comment(fmt.Sprintf("// %sPlan is where the search for %s finds its numbers.", g.searchName(e), plain(e.Query.Name)))
	g.out.Var().Id(g.searchName(e) + "Plan").Op("=").Id(g.rt("SearchPlan") + "{\nVars: []" + g.rt("SearchVar") + "{\n").Id(vars.String()).
		Id(fmt.Sprintf("},\nRoot: %d, Exp: %d, Comparable: %v,\n}", g.p.Spans[e.Root].Offset, exp, !g.p.Rescales(e)))
	g.out.Line()
}

// kmpe declares KMPE.
func (g *generator) kmpe(e *ir.Entry) {
	g.searchPlan(e)
	g.fn(doc(fmt.Sprintf("KMPE sets out to the %d most probable completions of ev, best first, and logps to the natural logarithms of their", e.Query.K),
		"probabilities, in which the likelihoods of soft count; soft may be nil. It finds fewer where fewer are possible, or where out or logps",
		"are shorter, and gives their number; what lies behind them has no states, and -Inf."),
		"(e *Engine) KMPE(ev *Evidence, soft *Soft, out []Assignment, logps []float64) (int, error)", `
clear(out)
for i := range logps {
	logps[i] = `+g.std("math.Inf")+`(-1)
}
`+g.enter(e, "scale", "\treturn 0, err")+fmt.Sprintf(`c, k := e.%s, min(len(out), len(logps))
for c.Start(e.work()[:], k); c.More(); c.Step(e.work()[:], e.state()[:]) {
	%s}
if k > 0 && c.Found() == 0 {
	return 0, ErrImpossible
}
for i := range c.Found() {
	c.States(i, e.state()[:])
	e.readStates(&out[i])
	logps[i] = c.LogP(i) + scale%s
}
return c.Found(), nil`, g.searchName(e), g.run(e, e.Blocks), g.minusLogZ()))
}

// mapStates declares the method for the best states of some variables.
func (g *generator) mapStates(e *ir.Entry) {
	name, names := "MAP", []string{}
	for _, v := range e.Query.Targets {
		name += g.ids.of(v).id
		names = append(names, quote(g.m.Vars[v].Name))
	}
	name = g.ids.scope.members.Claim(name)
	lines := []string{
		fmt.Sprintf("%s sets out to most probable states of %s given ev, all other variables", name, strings.Join(names, ", ")),
		"summed out, and gives the natural logarithm of their probability, in which the likelihoods of soft count; soft may be nil. The other",
		"fields of out are not set, nor is any on failure.",
	}
	header := fmt.Sprintf("(e *Engine) %s(ctx "+g.std("context.Context")+", ev *Evidence, soft *Soft, out *Assignment) (logp float64, err error)", name)
	fail := "\treturn " + g.std("math.Inf") + "(-1), "
	body := "*out = Assignment{}\n"
	if !e.Search {
		body += "if err := ctx.Err(); err != nil {\n" + fail + "err\n}\n" + g.enter(e, "scale", fail+"err") + g.run(e, e.Blocks) +
			g.root(e, fail+"ErrImpossible") + g.readTargets(e.Query.Targets) + "return " + g.logOf(e) + ", nil"
		g.fn(doc(lines...), header, body)
		return
	}
	g.searchPlan(e)
	lines = append(lines, "It searches: when ctx is done, it gives the best states so far with a *SearchError, which has a bound and wraps the error of ctx.")
	body += g.enter(e, "scale", fail+"err") + fmt.Sprintf(`m := e.%s
for m.Start(e.work()[:]); m.More(); m.Step(e.work()[:], e.state()[:]) {
	if cause := ctx.Err(); cause != nil {
		m.Stop(e.work()[:])
		err = &SearchError{Bound: m.Bound() + scale%s, Cause: cause}
		break
	}
	%s}
if `+g.std("math.IsInf")+`(m.LogP(), -1) {
	if err == nil {
		err = ErrImpossible
	}
	%serr
}
m.States(e.state()[:])
`, g.searchName(e), g.minusLogZ(), g.run(e, e.Blocks), fail) + g.readTargets(e.Query.Targets) + "return m.LogP() + scale" + g.minusLogZ() + ", err"
	g.fn(doc(lines...), header, body)
}

// readTargets is the statements that copy the states of some variables.
func (g *generator) readTargets(vars []model.VarID) string {
	b := &strings.Builder{}
	b.WriteString("t := e.state()\n")
	for _, v := range vars {
		x := g.ids.of(v)
		fmt.Fprintf(b, "out.%s = %s(t[%d] + 1)\n", x.id, x.port.field(), g.p.Spans[g.p.State].Offset+int(v))
	}
	return b.String()
}
