// Package query writes the statements that the methods of all kinds of queries share: they enter
// evidence, run blocks, and read the root and the posteriors.
package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/choose"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Statements returns the statements of the queries of one package.
type Statements struct {
	*api.API
	Plan   []choose.Choice   // the back-end of each block
	First  []int             // the blocks with which the queries for single posteriors begin; nil if there are few
	copied map[string]string // the methods that copy answers, by their bodies
}

// New returns the statements of a package with the given back-ends.
func New(a *api.API, plan []choose.Choice) *Statements {
	g := &Statements{API: a, Plan: plan, copied: map[string]string{}}
	g.findBegin()
	return g
}

// Enter returns the statements that enter evidence, and on an error run fail.
func (g *Statements) Enter(e *ir.Entry, scale, fail string) string {
	l := g.Loader(e)
	return fmt.Sprintf("%s, err := e.%s(ev, soft)\nif err != nil {\n%s\n}\n", scale, l.Func, fail) + g.Narrow(l)
}

// Run returns the statements that run blocks of e.
func (g *Statements) Run(e *ir.Entry, blocks []int) string {
	if len(e.Cutset) > 0 {
		return fmt.Sprintf("e.sum%d()\n", 1+slices.Index(g.Cutsets(), e))
	}
	b := &strings.Builder{}
	if e.Exp != ir.NoSpan && len(blocks) > 0 && len(e.Blocks) > 0 && blocks[0] == e.Blocks[0] {
		fmt.Fprintf(b, "e.state()[%d] = 0\n", g.Program.Spans[e.Exp].Offset)
	}
	if n := len(g.First); n > 0 && len(blocks) >= n && slices.Equal(blocks[:n], g.First) {
		b.WriteString("e.begin()\n")
		blocks = blocks[n:]
	}
	b.WriteString(g.Calls(blocks))
	return b.String()
}

// Calls returns the statements that call blocks.
func (g *Statements) Calls(blocks []int) string {
	b := &strings.Builder{}
	for _, i := range blocks {
		fmt.Fprintf(b, "e.%s()\n", g.Plan[i].Func)
	}
	return b.String()
}

// minBegin is the least number of blocks that are worth a method of their own.
const minBegin = 4

// findBegin finds the blocks with which the queries for single posteriors begin: the way up. A
// method that runs them keeps packages of many variables small.
func (g *Statements) findBegin() {
	n := 0
	for i := range g.Program.Entries {
		e := &g.Program.Entries[i]
		if e.Query.Kind != ir.Posterior {
			continue
		}
		if n++; n == 1 {
			g.First = e.Blocks
		}
		same := 0
		for same < min(len(g.First), len(e.Blocks)) && g.First[same] == e.Blocks[same] {
			same++
		}
		g.First = g.First[:same]
	}
	if n < 2 || len(g.First) < minBegin {
		g.First = nil
	}
}

// Root returns the statements that define root, which is 0 if the evidence is impossible, and that
// run fail then.
func (g *Statements) Root(e *ir.Entry, fail string) string {
	test, fail := g.Impossible(e, "root", fail)
	return fmt.Sprintf("root := e.work()[%d]\nif %s {\n%s\n}\n", g.Program.Spans[e.Root].Offset, test, fail)
}

// Impossible returns the condition under which a root refuses the evidence, and the text fail with
// its error. A root with logarithms beside it may also be no number.
func (g *Statements) Impossible(e *ir.Entry, root, fail string) (test, text string) {
	if len(e.Logs) == 0 {
		return root + " == 0", fail
	}
	const impossible = "ErrImpossible" // the last one: names of the model may contain it
	if i := strings.LastIndex(fail, impossible); i >= 0 {
		fail = fail[:i] + g.RT("RootError") + "(" + root + ")" + fail[i+len(impossible):]
	}
	return "!(" + root + " > 0)", fail
}

// LogOf returns the expression of the logarithm of root, divided by Z if the model is a Markov
// network.
func (g *Statements) LogOf(e *ir.Entry) string {
	return strings.Join(append([]string{g.RT("Ln") + "(root)"}, g.BesideRoot(e)...), " + ") + " + scale" + g.MinusLogZOf(e)
}

// MinusLogZOf is MinusLogZ for an entry that may have a number of its own beside it.
func (g *Statements) MinusLogZOf(e *ir.Entry) string {
	if e.LogZ == 0 {
		return g.MinusLogZ()
	}
	return fmt.Sprintf("%s - (%v)", g.MinusLogZ(), e.LogZ)
}

// BesideRoot returns expressions that sum to the logarithm of the probability of evidence without
// the logarithm of its root.
func (g *Statements) BesideRoot(e *ir.Entry) []string {
	list := g.exponent(e)
	for _, id := range e.Logs {
		list = append(list, fmt.Sprintf("e.work()[%d]", g.Program.Spans[id].Offset))
	}
	return list
}

// exponent returns the expression of the logarithm of the power of 2 that the root of e is to be
// multiplied by, if there is one.
func (g *Statements) exponent(e *ir.Entry) []string {
	if e.Exp == ir.NoSpan {
		return nil
	}
	return []string{fmt.Sprintf("float64(float64(e.state()[%d])*"+g.Std("math.Ln2")+")", g.Program.Spans[e.Exp].Offset)}
}

// MinusLogZ returns the term by which ln Z is subtracted, or "" if Z is 1.
func (g *Statements) MinusLogZ() string {
	switch {
	case g.MovesLogZ():
		return " - e.logZ"
	case g.Program.LogZ != 0:
		return " - logZ"
	}
	return ""
}

// FailMarginals returns the statements with which a query with all marginals fails, up to its
// error.
func (g *Statements) FailMarginals() string {
	return "\t*out = Marginals{LogP: " + g.Std("math.Inf") + "(-1)}\n\treturn "
}

// MarginalsOf returns the statements that end a query with all marginals; logP is the expression of
// the log-probability.
func (g *Statements) MarginalsOf(e *ir.Entry, logP string) string {
	return g.Root(e, g.FailMarginals()+"ErrImpossible") + g.CopyAll(e) + "out.LogP = " + logP + "\nreturn nil"
}

// CopyAll returns the statements that copy the posteriors of all variables to out. If there are
// more than VarsPerFunc variables, the statements call methods that copy some each.
func (g *Statements) CopyAll(e *ir.Entry) string { return g.CopyAllTo(e, "out") }

// CopyAllTo is CopyAll, by an expression of the Marginals of out for methods.
func (g *Statements) CopyAllTo(e *ir.Entry, marginals string) string {
	parts := []string{""}
	for i, x := range g.Names.Observable() {
		if i > 0 && i%api.VarsPerFunc == 0 {
			parts = append(parts, "")
		}
		parts[len(parts)-1] += fmt.Sprintf("out.%s = %s\n", x.ID, x.Port.Posterior("s", &g.Program.Spans[api.Out(g.Program, e, x.Var.ID)]))
	}
	if len(parts) == 1 {
		return api.WorkIfUsed(parts[0]) + parts[0]
	}
	body := ""
	for _, part := range parts {
		fn, ok := g.copied[part]
		if !ok {
			fn = fmt.Sprintf("copyMarginals%d", len(g.copied)+1)
			g.copied[part] = fn
			g.Func(source.Doc(fn+" copies the posteriors of some variables."), fmt.Sprintf("(e *Engine) %s(out *Marginals)", fn), "s := e.work()\n"+part)
		}
		body += fmt.Sprintf("e.%s(%s)\n", fn, marginals)
	}
	return body
}

// AtMostOne returns the statement that sets probabilities above 1 to 1. Only a program in which the
// reciprocal of P(evidence) takes the place of normalising has some. Marginals have them too: to
// look at each number costs a tenth to a quarter of the time of all marginals.
func (g *Statements) AtMostOne(answer ir.SpanID) string {
	inverts := slices.ContainsFunc(g.Program.Blocks, func(b ir.Block) bool {
		return slices.ContainsFunc(b.Steps, func(s ir.Step) bool { _, ok := s.(*ir.Invert); return ok })
	})
	if !inverts {
		return ""
	}
	return fmt.Sprintf(g.RT("AtMostOne")+"(%s)\n", api.Slice("e.work()", &g.Program.Spans[answer]))
}

// Answer returns the statements that return the posterior of v at the end of a query.
func (g *Statements) Answer(e *ir.Entry, v model.VarID) string {
	x, capped := g.Names.Of(v).Port, ""
	if x.States() > 0 {
		capped = g.AtMostOne(api.Out(g.Program, e, v))
	}
	dist, value := x.Answer(), x.Posterior("e.work()", &g.Program.Spans[api.Out(g.Program, e, v)])
	if e.Root != ir.NoSpan {
		test, fail := g.Impossible(e, fmt.Sprintf("e.work()[%d]", g.Program.Spans[e.Root].Offset), "return "+dist+"{}, ErrImpossible")
		return fmt.Sprintf("if %s {\n\t%s\n}\n%sreturn %s, nil", test, fail, capped, value)
	}
	if x.States() == 0 { // a linear signature, which every value fits
		return "return " + value + ", nil"
	}
	return fmt.Sprintf("out := %s\nif out == (%s{}) {\n\treturn out, ErrImpossible\n}\nreturn out, nil", value, dist)
}

// EnterOnly is enter for queries that do not need the scale of the likelihoods.
func (g *Statements) EnterOnly(e *ir.Entry, fail string) string {
	l := g.Loader(e)
	return fmt.Sprintf("if _, err := e.%s(ev, soft); err != nil {\n%s\n}\n", l.Func, fail) + g.Narrow(l)
}

// BestRoot is root for states with the largest value.
func (g *Statements) BestRoot(e *ir.Entry, fail string) string {
	if g.Program.Least == 0 {
		return g.Root(e, fail+"ErrImpossible")
	}
	return fmt.Sprintf("root := e.work()[%d]\n", g.Program.Spans[e.Root].Offset) +
		g.Certain(strings.Join(append([]string{g.RT("Ln") + "(root)"}, g.exponent(e)...), " + "), fail)
}

// Certain returns the statements that fail if states with that logarithm of the root may not be the
// best.
func (g *Statements) Certain(log, fail string) string {
	if g.Program.Least == 0 {
		return ""
	}
	return fmt.Sprintf("if %s < %v {\n%s%s\n}\n", log, g.Program.Least, fail, g.RT("ErrUnderflow"))
}

// ColumnRow returns the expression of the numbers from the row of a column on that belongs to the
// evidence ev.
func (g *Statements) ColumnRow(c ir.Column, ev string) string {
	row := fmt.Sprint(g.Program.Spans[c.Rows].Offset)
	if x := g.Names.Of(c.Var); x != nil {
		row += fmt.Sprintf("+%d*int(%s.%s)", g.Program.Spans[c.To].Len, ev, x.ID)
	}
	return "e.data()[" + row + ":]"
}

// At returns the expression of the number in a span of one.
func (g *Statements) At(id ir.SpanID) string {
	return fmt.Sprintf("e.work()[%d]", g.Program.Spans[id].Offset)
}

// ReadStates declares the method that copies the states of all variables to an assignment, and the
// values of real variables that the given entries have.
func (g *Statements) ReadStates(entries ...*ir.Entry) {
	states, values := &strings.Builder{}, &strings.Builder{}
	for _, x := range g.Names.Observable() {
		if x.Port.States() > 0 {
			fmt.Fprintf(states, "out.%s = %s(t[%d] + 1)\n", x.ID, x.Port.Field(), g.Program.Spans[g.Program.State].Offset+int(x.Var.ID))
		} else if at := g.valueOf(x.Var.ID, entries); at >= 0 {
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
func (g *Statements) valueOf(v model.VarID, entries []*ir.Entry) int {
	for _, e := range entries {
		for _, id := range e.Outs {
			if g.Program.Spans[id].Var == v {
				return g.Program.Spans[id].Offset
			}
		}
	}
	return -1
}
