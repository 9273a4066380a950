package stream

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/answer"
	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// CheckViterbi refuses a discrete network without a span of states, and a network of real variables
// whose program does not smooth: its most probable values are the smoothed means.
func CheckViterbi(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if len(m.Reals()) == 0 {
		return answer.CheckState(m, p, e)
	}
	if e.Stream.Histories != nil {
		return checkHistoryPath(m, p, e)
	}
	if p.Entry(ir.SmoothFirst) == nil {
		return fmt.Errorf("query %q needs the entries of smooth", e.Query.Name)
	}
	return nil
}

// Viterbi declares Viterbi. The first of its entries stands for all.
func (g *Methods) Viterbi(e *ir.Entry) {
	if e.Query.Name != ir.MaxFirst {
		return
	}
	if !g.smooths() {
		g.sequenceErrors()
	}
	if g.past != nil {
		g.historyPath(e)
		return
	}
	if len(g.Model.Reals()) > 0 {
		g.meanPath(e, g.Program.Entry(ir.MaxNext))
		return
	}
	g.best(e, "maxFirst")
	g.best(g.Program.Entry(ir.MaxNext), "maxNext")
	g.trace(g.Program.Entry(ir.TraceFirst), "traceFirst")
	g.trace(g.Program.Entry(ir.TraceNext), "traceNext")
	g.path()
}

// best declares a method of Engine that makes a step of the search for the most probable path.
func (g *Methods) best(e *ir.Entry, name string) {
	fail := "\treturn 0, "
	g.Func(source.Doc(name+" replaces belief by the largest probability of a path that ends in each joint state of the variables that persist, divided by",
		"the sum of these. It returns the logarithm of that sum."),
		fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft, belief *[%d]float64) (float64, error)", name, g.kept.size),
		g.Enter(e, "scale", fail+"err")+g.enterStream(e, "*belief")+g.Run(e, e.Blocks)+g.Root(e, fail+"ErrImpossible")+g.leaveStream(e, "*belief")+"return "+g.LogOf(e)+", nil")
}

// trace declares a method of Engine that chooses the states of a slice.
func (g *Methods) trace(e *ir.Entry, name string) {
	before := g.Model.Transition.Before
	l := g.Loader(e)
	set, leave := &strings.Builder{}, &strings.Builder{}
	for i, v := range before {
		for _, s := range l.Inputs[v] {
			fmt.Fprintf(set, "if state := persists[%d]; state > 0 {\n\t"+g.RT("Observe")+"(%s, uint(state))\n}\n", i, api.Slice("e.work()", s))
		}
		if e.Query.Name == ir.TraceNext {
			fmt.Fprintf(leave, "persists[%d] = e.state()[%d] + 1\n", i, g.Program.Spans[g.Program.State].Offset+len(g.Model.Vars)+i)
		}
	}
	test, fail := g.Impossible(e, fmt.Sprintf("e.work()[%d]", g.Program.Spans[e.Root].Offset), "\treturn ErrImpossible")
	g.Func(source.Doc(name+" chooses the states of a slice, which has the given states of the variables that persist, and replaces those by the ones of the",
		"slice before. States count from 1, and 0 is none."),
		fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft, before *[%d]float64, persists *[%d]int32, out *Assignment) error", name, g.kept.size, len(before)),
		fmt.Sprintf("if _, err := e.%s(ev, soft); err != nil {\n\treturn err\n}\n", l.Func)+set.String()+g.Narrow(l)+g.enterStream(e, "*before")+g.Run(e, e.Blocks)+
			fmt.Sprintf("if %s {\n%s\n}\n", test, fail)+"e.readStates(out)\n"+leave.String()+"return nil")
}

// pathDoc is the comment of Viterbi, without what a path consists of.
func pathDoc(of string) *jen.Statement {
	return source.Doc("Viterbi sets out to a most probable completion of the evidence on all slices, evs[t] and soft[t]: "+of+"; soft may be nil.",
		"It returns the natural logarithm of the probability of the completion, or of its density if there are real variables, times the",
		"likelihoods of its states in soft. It allocates only what buf lacks; buf may be nil. If a slice fails, the error names it, and out has",
		"no states.")
}

// pathHeader is the header of Viterbi.
const pathHeader = "(e *Engine) Viterbi(evs []Evidence, soft []Soft, buf *ViterbiBuffer, out []Assignment) (logp float64, err error)"

// pathBegin returns the statements that check the arguments of Viterbi.
func (g *Methods) pathBegin() string {
	return fmt.Sprintf(`
if err := checkLengths(len(evs), len(out), soft); err != nil {
	return %s(-1), err
}
if buf == nil {
	buf = new(ViterbiBuffer)
}
`, g.Std("math.Inf"))
}

// viterbiBuffer declares the type ViterbiBuffer.
func (g *Methods) viterbiBuffer(fields ...jen.Code) {
	g.Out.Add(source.Doc("ViterbiBuffer is the memory of Viterbi, which grows with the longest sequence. The zero ViterbiBuffer is ready for use, by one",
		"goroutine at a time."))
	g.Out.Type().Id("ViterbiBuffer").Struct(fields...)
	g.Out.Line()
}

// pathSearch describes Viterbi with one form of what is kept of slices. The code fragments are
// statements.
type pathSearch struct {
	of         string    // what a path consists of, for the comment
	begin, end string    // before and after the way forwards
	max, trace [2]string // make a step forwards, and back: of slice 0, and of a later one
	kept       string    // after a step forwards
	traced     string    // after a step back
}

// pathBy declares Viterbi, which goes forwards and then back.
func (g *Methods) pathBy(s *pathSearch) {
	g.Func(pathDoc(s.of), pathHeader, g.pathBegin()+fmt.Sprintf(`%sfor t := range evs {
	if t == 0 {
		%s
	} else {
		%s
	}
	if err != nil {
		return failPath(out, t, err)
	}
	%s}
%sfor t := len(evs) - 1; t >= 0; t-- {
	if t == 0 {
		%s
	} else {
		%s
	}
	if err != nil {
		return failPath(out, t, err)
	}
	%s}
return logp, nil`, s.begin, s.max[0], s.max[1], s.kept, s.end, s.trace[0], s.trace[1], s.traced))
	g.Func(source.Doc("failPath clears out, the path of a sequence of which slice t failed, and returns the error that names it."),
		"failPath(out []Assignment, t int, err error) (float64, error)", "clear(out)\nreturn "+g.Std("math.Inf")+"(-1), sliceError(t, err)")
	g.ReadStates()
	if g.Program.Entry(ir.FilterFirst) == nil { // filters declare them
		g.SoftOf()
	}
}

// path declares Viterbi for a network of discrete variables.
func (g *Methods) path() {
	n, last := g.kept.size, ""
	g.viterbiBuffer(jen.Id("best").Index().Index(jen.Lit(n)).Float64())
	if n > 0 {
		last = "if len(evs) > 0 {\n\t_, top := " + g.RT("Largest") + "(belief[:])\n\tlogp += " + g.RT("Ln") + "(top)\n}\n"
	}
	g.pathBy(&pathSearch{
		of:    "a state of each variable",
		begin: fmt.Sprintf("if len(buf.best) < len(evs) {\n\tbuf.best = make([][%[1]d]float64, len(evs))\n}\nvar part float64\nvar belief [%[1]d]float64\n", n),
		max:   [2]string{"part, err = e.maxFirst(&evs[t], softOf(soft, t), &belief)", "part, err = e.maxNext(&evs[t], softOf(soft, t), &belief)"},
		kept:  "buf.best[t] = belief\nlogp += part\n",
		end:   fmt.Sprintf("%svar persists [%d]int32\n", last, len(g.Model.Transition.Before)),
		trace: [2]string{"err = e.traceFirst(&evs[t], softOf(soft, t), &buf.best[0], &persists, &out[t])",
			"err = e.traceNext(&evs[t], softOf(soft, t), &buf.best[t-1], &persists, &out[t])"},
	})
}

// meanPath declares Viterbi for a network of real variables: the density is highest at the smoothed
// means. The entries give the density of a slice at values. Beliefs have the means of latent
// variables, which persist.
func (g *Methods) meanPath(first, next *ir.Entry) {
	g.viterbiBuffer(jen.Id("smooth").Id("SmoothBuffer"), jen.Id("means").Index().Id("Marginals"))
	before := g.Model.Transition.Before
	values := make([]string, len(g.Model.Vars))
	assign, carry := &strings.Builder{}, &strings.Builder{}
	for v := range values {
		x := g.Names.Of(model.VarID(v))
		switch i := slices.Index(before, model.VarID(v)); {
		case x != nil:
			values[v] = fmt.Sprintf("buf.means[t].%s.Mean", x.ID)
			fmt.Fprintf(assign, "out[t].%s = Obs(%s)\n", x.ID, values[v])
		case i >= 0:
			values[v] = fmt.Sprintf("buf.smooth.s.beliefs[t][%d]", i)
		default:
			values[v] = "0"
		}
	}
	for i, v := range before {
		fmt.Fprintf(carry, "before[%d] = values[%d]\n", i, v)
	}
	g.Func(pathDoc("the value of each variable"), pathHeader, g.pathBegin()+fmt.Sprintf(`if len(buf.means) < len(evs) {
	buf.means = make([]Marginals, len(evs))
}
if _, err := e.Smooth(evs, soft, &buf.smooth, buf.means[:len(evs)]); err != nil {
	clear(out)
	return %s(-1), err
}
var before [%d]float64
for t := range out {
	%svalues := [%d]float64{%s}
	if t == 0 {
		logp += e.densityFirst(&values)
	} else {
		logp += e.densityNext(&before, &values)
	}
	%s}
return logp, nil`, g.Std("math.Inf"), len(before), assign, len(values), strings.Join(values, ", "), carry))
	g.density(first, "densityFirst", fmt.Sprintf("values *[%d]float64", len(values)), "*values")
	arrays := []string{"*before", "*values"}
	g.density(next, "densityNext", fmt.Sprintf("before *[%d]float64, values *[%d]float64", len(before), len(values)), arrays[2-len(next.Stream.In):]...)
}

// density declares a method of Engine that returns the density of a slice.
func (g *Methods) density(e *ir.Entry, name, params string, arrays ...string) {
	b := &strings.Builder{}
	for i, id := range e.Stream.In {
		if s := &g.Program.Spans[id]; s.Len > 0 {
			fmt.Fprintf(b, "*(*[%d]float64)(%s) = %s\n", s.Len, api.Slice("e.work()", s), arrays[i])
		}
	}
	g.Func(source.Doc(name+" returns the natural logarithm of the density of a slice at the values of its variables and of those before it."),
		fmt.Sprintf("(e *Engine) %s(%s) float64", name, params), b.String()+g.Run(e, e.Blocks)+"return "+g.At(e.Logs[0]))
}
