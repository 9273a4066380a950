package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Searches returns the entries that are answered by search.
func (g *Methods) Searches() []*ir.Entry {
	var list []*ir.Entry
	for i := range g.Program.Entries {
		if g.Program.Entries[i].Search {
			list = append(list, &g.Program.Entries[i])
		}
	}
	return list
}

// SearchName returns the name of the field of Engine that holds the search of e. The name of the
// plan begins with it.
func (g *Methods) SearchName(e *ir.Entry) string {
	return fmt.Sprintf("search%d", 1+slices.Index(g.Searches(), e))
}

// SearchType returns the type of the runtime that searches for e.
func SearchType(e *ir.Entry) string {
	if e.Query.Kind == ir.KMPE {
		return "Completions"
	}
	return "MAPSearch"
}

// NewSearch returns the expression that makes the search of e.
func (g *Methods) NewSearch(e *ir.Entry) string {
	args := "&" + g.SearchName(e) + "Plan"
	if e.Query.Kind == ir.KMPE {
		args += fmt.Sprintf(", %d", e.Query.K)
	}
	return g.RT("New"+SearchType(e)) + "(" + args + ")"
}

// searchPlan declares the places of the numbers that the search of e reads.
func (g *Methods) searchPlan(e *ir.Entry) {
	var vars strings.Builder
	inputs := g.Inputs(e)
	for _, id := range e.Outs {
		out := &g.Program.Spans[id]
		fmt.Fprintf(&vars, "{In: %d, Out: %d, State: %d, Card: %d}, // %s\n", inputs[out.Var][0].Offset, out.Offset,
			g.Program.Spans[g.Program.State].Offset+int(out.Var), out.Len, source.Plain(g.Model.Vars[out.Var].Name))
	}
	exp := -1
	if e.Exp != ir.NoSpan {
		exp = g.Program.Spans[e.Exp].Offset
	}
	g.Out.Comment(fmt.Sprintf("// %sPlan holds the places of the numbers that the search for %s reads.", g.SearchName(e), source.Plain(e.Query.Name)))
	g.Out.Var().Id(g.SearchName(e) + "Plan").Op("=").Id(g.RT("SearchPlan") + "{\nVars: []" + g.RT("SearchVar") + "{\n").Id(vars.String()).
		Id(fmt.Sprintf("},\nRoot: %d, Exp: %d, Comparable: %v,\n}", g.Program.Spans[e.Root].Offset, exp, !g.Program.Rescales(e)))
	g.Out.Line()
}

// KMPE declares KMPE.
func (g *Methods) KMPE(e *ir.Entry) {
	g.searchPlan(e)
	g.Func(source.Doc(fmt.Sprintf("KMPE sets out to the %d most probable completions of ev and soft, best first; soft may be nil. It sets logps to the natural", e.Query.K),
		"logarithms of their "+g.worth("probabilities", "pseudo-likelihoods")+" times the likelihoods of their states in soft. It returns the number of completions, which is smaller",
		"if fewer are possible or if out or logps is shorter. The remaining elements of out have no states, those of logps are -Inf."),
		"(e *Engine) KMPE(ev *Evidence, soft *Soft, out []Assignment, logps []float64) (int, error)", `
clear(out)
for i := range logps {
	logps[i] = `+g.Std("math.Inf")+`(-1)
}
`+g.Enter(e, "scale", "\treturn 0, err")+fmt.Sprintf(`c, k := e.%s, min(len(out), len(logps))
for c.Start(e.work()[:], k); c.More(); c.Step(e.work()[:], e.state()[:]) {
	%s}
%sif k > 0 && c.Found() == 0 {
	return 0, ErrImpossible
}
for i := range c.Found() {
	c.States(i, e.state()[:])
	e.readStates(&out[i])
	logps[i] = c.LogP(i) + scale%s
}
return c.Found(), nil`, g.SearchName(e), g.Run(e, e.Blocks), g.fewOrUncertain(), g.MinusLogZ()))
}

// fewOrUncertain returns the statements that fail if completions may be lost: some that are
// missing, or others that are more probable than the last.
func (g *Methods) fewOrUncertain() string {
	if g.Program.Least == 0 {
		return ""
	}
	return "if c.Found() < k {\n\treturn 0, " + g.RT("ErrUnderflow") + "\n}\n" + g.Certain("k > 0 && c.LogP(k-1)", "\treturn 0, ")
}

// MapStates declares the method that finds the most probable states of some variables.
func (g *Methods) MapStates(e *ir.Entry) {
	name, names := "MAP", []string{}
	for _, v := range e.Query.Targets {
		name += g.Names.Of(v).ID
		names = append(names, source.Quote(g.Model.Vars[v].Name))
	}
	name = g.Names.Scope.Members.Claim(name)
	lines := []string{
		fmt.Sprintf("%s sets out to most probable states of %s given ev and soft, with all other variables", name, strings.Join(names, ", ")),
		"summed out; soft may be nil. It returns the natural logarithm of the joint probability of these states, ev and soft. The other",
		"fields of out are zero. On failure all are.",
	}
	header := fmt.Sprintf("(e *Engine) %s(ctx "+g.Std("context.Context")+", ev *Evidence, soft *Soft, out *Assignment) (logp float64, err error)", name)
	fail := "\treturn " + g.Std("math.Inf") + "(-1), "
	body := "*out = Assignment{}\n"
	if !e.Search {
		body += "if err := ctx.Err(); err != nil {\n" + fail + "err\n}\n" + g.Enter(e, "scale", fail+"err") + g.Run(e, e.Blocks) +
			g.BestRoot(e, fail) + g.readTargets(e.Query.Targets) + "return " + g.LogOf(e) + ", nil"
		g.Func(source.Doc(lines...), header, body)
		return
	}
	g.searchPlan(e)
	lines = append(lines, "It searches. If ctx ends first, it returns the best states found so far and a *SearchError, which holds a bound and wraps the error of ctx.")
	body += g.Enter(e, "scale", fail+"err") + fmt.Sprintf(`m := e.%s
for m.Start(e.work()[:]); m.More(); m.Step(e.work()[:], e.state()[:]) {
	if cause := ctx.Err(); cause != nil {
		m.Stop(e.work()[:])
		err = &SearchError{Bound: m.Bound() + scale%s, Cause: cause}
		break
	}
	%s}
%sif `+g.Std("math.IsInf")+`(m.LogP(), -1) {
	if err == nil {
		err = ErrImpossible
	}
	%serr
}
m.States(e.state()[:])
`, g.SearchName(e), g.MinusLogZ(), g.Run(e, e.Blocks), g.Certain("err == nil && m.LogP()", fail), fail) + g.readTargets(e.Query.Targets) + "return m.LogP() + scale" + g.MinusLogZ() + ", err"
	g.Func(source.Doc(lines...), header, body)
}

// readTargets returns the statements that copy the states of some variables to out.
func (g *Methods) readTargets(vars []model.VarID) string {
	b := &strings.Builder{}
	b.WriteString("t := e.state()\n")
	for _, v := range vars {
		x := g.Names.Of(v)
		fmt.Fprintf(b, "out.%s = %s(t[%d] + 1)\n", x.ID, x.Port.Field(), g.Program.Spans[g.Program.State].Offset+int(v))
	}
	return b.String()
}
