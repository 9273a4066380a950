package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// queries declares the methods that answer queries.
func (g *generator) queries() {
	if g.minusLogZ() == " - logZ" {
		g.logZ()
	}
	if len(g.begin) > 0 {
		g.fn(doc("begin runs the blocks with which several queries begin."), "(e *Engine) begin()", g.calls(g.begin))
	}
	for _, e := range g.cutsets() {
		g.cutsetPlan(e)
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

// enter returns the statements that enter evidence, and on an error run fail.
func (g *generator) enter(e *ir.Entry, scale, fail string) string {
	l := g.Loader(e)
	return fmt.Sprintf("%s, err := e.%s(ev, soft)\nif err != nil {\n%s\n}\n", scale, l.Func, fail) + g.Narrow(l)
}

// run returns the statements that run blocks of e.
func (g *generator) run(e *ir.Entry, blocks []int) string {
	if len(e.Cutset) > 0 {
		return fmt.Sprintf("e.sum%d()\n", 1+slices.Index(g.cutsets(), e))
	}
	b := &strings.Builder{}
	if e.Exp != ir.NoSpan && len(blocks) > 0 && len(e.Blocks) > 0 && blocks[0] == e.Blocks[0] {
		fmt.Fprintf(b, "e.state()[%d] = 0\n", g.p.Spans[e.Exp].Offset)
	}
	if n := len(g.begin); n > 0 && len(blocks) >= n && slices.Equal(blocks[:n], g.begin) {
		b.WriteString("e.begin()\n")
		blocks = blocks[n:]
	}
	b.WriteString(g.calls(blocks))
	return b.String()
}

// calls returns the statements that call blocks.
func (g *generator) calls(blocks []int) string {
	b := &strings.Builder{}
	for _, i := range blocks {
		fmt.Fprintf(b, "e.%s()\n", g.plan[i].Func)
	}
	return b.String()
}

// minBegin is the least number of blocks that are worth a method of their own.
const minBegin = 4

// findBegin finds the blocks with which the queries for single posteriors begin: the way up. A
// method that runs them keeps packages of many variables small.
func (g *generator) findBegin() {
	n := 0
	for i := range g.p.Entries {
		e := &g.p.Entries[i]
		if e.Query.Kind != ir.Posterior {
			continue
		}
		if n++; n == 1 {
			g.begin = e.Blocks
		}
		same := 0
		for same < min(len(g.begin), len(e.Blocks)) && g.begin[same] == e.Blocks[same] {
			same++
		}
		g.begin = g.begin[:same]
	}
	if n < 2 || len(g.begin) < minBegin {
		g.begin = nil
	}
}

// root returns the statements that define root, which is 0 if the evidence is impossible, and that
// run fail then.
func (g *generator) root(e *ir.Entry, fail string) string {
	test, fail := g.impossible(e, "root", fail)
	return fmt.Sprintf("root := e.work()[%d]\nif %s {\n%s\n}\n", g.p.Spans[e.Root].Offset, test, fail)
}

// impossible returns the condition under which a root refuses the evidence, and the text fail with
// its error. A root with logarithms beside it may also be no number.
func (g *generator) impossible(e *ir.Entry, root, fail string) (test, text string) {
	if len(e.Logs) == 0 {
		return root + " == 0", fail
	}
	const impossible = "ErrImpossible" // the last one: names of the model may contain it
	if i := strings.LastIndex(fail, impossible); i >= 0 {
		fail = fail[:i] + g.rt("RootError") + "(" + root + ")" + fail[i+len(impossible):]
	}
	return "!(" + root + " > 0)", fail
}

// logOf returns the expression of the logarithm of root, divided by Z if the model is a Markov
// network.
func (g *generator) logOf(e *ir.Entry) string {
	return strings.Join(append([]string{g.rt("Ln") + "(root)"}, g.besideRoot(e)...), " + ") + " + scale" + g.minusLogZ()
}

// besideRoot returns expressions that sum to the logarithm of the probability of evidence without
// the logarithm of its root.
func (g *generator) besideRoot(e *ir.Entry) []string {
	list := g.exponent(e)
	for _, id := range e.Logs {
		list = append(list, fmt.Sprintf("e.work()[%d]", g.p.Spans[id].Offset))
	}
	return list
}

// exponent returns the expression of the logarithm of the power of 2 that the root of e is to be
// multiplied by, if there is one.
func (g *generator) exponent(e *ir.Entry) []string {
	if e.Exp == ir.NoSpan {
		return nil
	}
	return []string{fmt.Sprintf("float64(float64(e.state()[%d])*"+g.std("math.Ln2")+")", g.p.Spans[e.Exp].Offset)}
}

// minusLogZ returns the term by which ln Z is subtracted, or "" if Z is 1.
func (g *generator) minusLogZ() string {
	switch {
	case g.MovesLogZ():
		return " - e.logZ"
	case g.p.LogZ != 0:
		return " - logZ"
	}
	return ""
}

// marginals declares Marginals.
func (g *generator) marginals(e *ir.Entry) {
	answer := g.marginalsOf(e, "settle("+g.logOf(e)+", ev, soft)")
	if g.lanes[ir.Marginals] != nil {
		g.fn(doc("readMarginals copies the computed answer to out; scale is the logarithm of the factor that likelihoods were divided by."),
			"(e *Engine) readMarginals(ev *Evidence, soft *Soft, scale float64, out *Marginals) error", answer)
		answer = "return e.readMarginals(ev, soft, scale, out)"
	}
	g.fn(doc("Marginals sets out to the posterior of every variable given ev and soft, which may be nil, and LogP to the natural",
		"logarithm of their probability. On failure all posteriors are 0 and LogP is -Inf."),
		"(e *Engine) Marginals(ev *Evidence, soft *Soft, out *Marginals) error",
		g.enter(e, "scale", g.failMarginals()+"err")+g.instead(e, "Marginals", "scale, out")+g.run(e, e.Blocks)+answer)
	if x := g.p.Instead(e); x != nil {
		g.tableMarginals(x)
	}
}

// failMarginals returns the statements with which a query with all marginals fails, up to its
// error.
func (g *generator) failMarginals() string {
	return "\t*out = Marginals{LogP: " + g.std("math.Inf") + "(-1)}\n\treturn "
}

// marginalsOf returns the statements that end a query with all marginals; logP is the expression of
// the log-probability.
func (g *generator) marginalsOf(e *ir.Entry, logP string) string {
	return g.root(e, g.failMarginals()+"ErrImpossible") + g.copyAll(e) + "out.LogP = " + logP + "\nreturn nil"
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

// copyAll returns the statements that copy the posteriors of all variables to out. If there are
// more than VarsPerFunc variables, the statements call methods that copy some each.
func (g *generator) copyAll(e *ir.Entry) string {
	parts := []string{""}
	for i, x := range g.ids.Observable() {
		if i > 0 && i%api.VarsPerFunc == 0 {
			parts = append(parts, "")
		}
		parts[len(parts)-1] += fmt.Sprintf("out.%s = %s\n", x.ID, x.Port.Posterior("s", &g.p.Spans[out(g.p, e, x.Var.ID)]))
	}
	if len(parts) == 1 {
		return workIfUsed(parts[0]) + parts[0]
	}
	body := ""
	for _, part := range parts {
		fn, ok := g.copied[part]
		if !ok {
			fn = fmt.Sprintf("copyMarginals%d", len(g.copied)+1)
			g.copied[part] = fn
			g.fn(doc(fn+" copies the posteriors of some variables."), fmt.Sprintf("(e *Engine) %s(out *Marginals)", fn), "s := e.work()\n"+part)
		}
		body += fmt.Sprintf("e.%s(out)\n", fn)
	}
	return body
}

// atMostOne returns the statement that sets probabilities above 1 to 1. Only a program in which the
// reciprocal of P(evidence) takes the place of normalising has some. Marginals have them too: to look
// at each number costs a tenth to a quarter of the time of all marginals.
func (g *generator) atMostOne(answer ir.SpanID) string {
	inverts := slices.ContainsFunc(g.p.Blocks, func(b ir.Block) bool {
		return slices.ContainsFunc(b.Steps, func(s ir.Step) bool { _, ok := s.(*ir.Invert); return ok })
	})
	if !inverts {
		return ""
	}
	return fmt.Sprintf(g.rt("AtMostOne")+"(%s)\n", slice("e.work()", &g.p.Spans[answer]))
}

// answer returns the statements that return the posterior of v at the end of a query.
func (g *generator) answer(e *ir.Entry, v model.VarID) string {
	x, capped := g.ids.Of(v).Port, ""
	if x.States() > 0 {
		capped = g.atMostOne(out(g.p, e, v))
	}
	dist, value := x.Answer(), x.Posterior("e.work()", &g.p.Spans[out(g.p, e, v)])
	if e.Root != ir.NoSpan {
		test, fail := g.impossible(e, fmt.Sprintf("e.work()[%d]", g.p.Spans[e.Root].Offset), "return "+dist+"{}, ErrImpossible")
		return fmt.Sprintf("if %s {\n\t%s\n}\n%sreturn %s, nil", test, fail, capped, value)
	}
	if x.States() == 0 { // a linear signature, which every value fits
		return "return " + value + ", nil"
	}
	return fmt.Sprintf("out := %s\nif out == (%s{}) {\n\treturn out, ErrImpossible\n}\nreturn out, nil", value, dist)
}

// posterior declares the method for the posterior of one variable.
func (g *generator) posterior(e *ir.Entry) {
	x := g.ids.Of(e.Query.Targets[0])
	dist := x.Port.Answer()
	g.fn(doc(fmt.Sprintf("%s returns the posterior of %s given ev and soft, which may be nil.", x.ID, quote(x.Var.Name))),
		fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft) (%s, error)", x.ID, dist),
		g.enterOnly(e, fmt.Sprintf("\treturn %s{}, err", dist))+g.run(e, e.Blocks)+g.answer(e, x.Var.ID))
}

// enterOnly is enter for queries that do not need the scale of the likelihoods.
func (g *generator) enterOnly(e *ir.Entry, fail string) string {
	l := g.Loader(e)
	return fmt.Sprintf("if _, err := e.%s(ev, soft); err != nil {\n%s\n}\n", l.Func, fail) + g.Narrow(l)
}

// logProb declares LogProb.
func (g *generator) logProb(e *ir.Entry) {
	fail := "\treturn " + g.std("math.Inf") + "(-1), "
	body := g.enter(e, "scale", fail+"err") + g.instead(e, "LogProb", "scale") + g.run(e, e.Blocks) + g.root(e, fail+"ErrImpossible")
	g.fn(doc("LogProb returns the natural logarithm of the probability of ev and soft, which may be nil. With an error it returns -Inf."),
		"(e *Engine) LogProb(ev *Evidence, soft *Soft) (float64, error)", body+"return settle("+g.logOf(e)+", ev, soft), nil")
	if x := g.p.Instead(e); x != nil {
		g.tableLogProb(x)
	}
}

// mpe declares MPE.
func (g *generator) mpe(e *ir.Entry) {
	fail := "\t*out = Assignment{}\n\treturn " + g.std("math.Inf") + "(-1), "
	body := g.enter(e, "scale", fail+"err") + g.run(e, e.Blocks) + g.bestRoot(e, fail)
	g.fn(doc("MPE sets out to a most probable completion of ev and soft, which may be nil. It returns the natural logarithm of the",
		"completion's probability times the likelihoods of its states in soft. On failure out has no states."),
		"(e *Engine) MPE(ev *Evidence, soft *Soft, out *Assignment) (logp float64, err error)", body+"e.readStates(out)\nreturn "+g.logOf(e)+", nil")
}

// bestRoot is root for states with the largest value.
func (g *generator) bestRoot(e *ir.Entry, fail string) string {
	if g.p.Least == 0 {
		return g.root(e, fail+"ErrImpossible")
	}
	return fmt.Sprintf("root := e.work()[%d]\n", g.p.Spans[e.Root].Offset) +
		g.certain(strings.Join(append([]string{g.rt("Ln") + "(root)"}, g.exponent(e)...), " + "), fail)
}

// certain returns the statements that fail if states with that logarithm of the root may not be the
// best.
func (g *generator) certain(log, fail string) string {
	if g.p.Least == 0 {
		return ""
	}
	return fmt.Sprintf("if %s < %v {\n%s%s\n}\n", log, g.p.Least, fail, g.rt("ErrUnderflow"))
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
