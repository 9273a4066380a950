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
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// histories is the form of a belief that is a mixture over histories of states. A filter holds a
// number of them: of each the joint state of the discrete variables that persist, its weight, and
// the moments of the real ones.
type histories struct {
	rule      *ir.Histories
	most      int // histories to keep
	states    int // joint states
	elements  int // the most that follow from one history
	moments   int
	discrete  []model.VarID // those that persist
	real      []model.VarID
	mayRefuse bool // a step fails if there are more
}

// each returns the number of numbers of a history.
func (h *histories) each() int { return 2 + h.moments }

// The most numbers of a filter, which is a value, and of an engine, 1 and 128 MiB.
const (
	maxHistoryNumbers = 1 << 17
	maxGrowthNumbers  = 1 << 24
)

// exactHistories is the most histories that a filter keeps which may leave out none.
const exactHistories = 1 << 10

// historiesOf returns the form of the belief of p, which filters or paths keep, or nil if it is no
// mixture over histories.
func historiesOf(m *model.Model, p *ir.Program) *histories {
	first, next := p.Entry(ir.FilterFirst), p.Entry(ir.FilterNext)
	if first == nil || next == nil {
		first, next = p.Entry(ir.MaxFirst), p.Entry(ir.MaxNext)
	}
	if first == nil || next == nil || next.Stream.Histories == nil || DrawnSlice(p) != nil {
		return nil
	}
	h := &histories{rule: next.Stream.Histories}
	h.most, h.mayRefuse = h.rule.Most, h.rule.Beyond == ir.RefuseHistories
	h.states, h.elements = p.Spans[next.Stream.In[0]].Len, max(p.Spans[first.Stream.Out[0]].Len, p.Spans[next.Stream.Out[0]].Len)
	if len(next.Stream.In) > 1 {
		h.moments = p.Spans[next.Stream.In[1]].Len
	}
	switch {
	case h.mayRefuse && h.moments == 0: // histories with the same state are one
		h.most = max(1, min(h.most, h.states, maxHistoryNumbers/h.each()))
	case h.mayRefuse:
		h.most = max(1, min(h.most, exactHistories, maxHistoryNumbers/h.each()))
	}
	h.discrete, h.real = m.SplitReal(m.Transition.Before)
	return h
}

// checkHistories refuses a belief whose filters or engines are too large.
func checkHistories(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if err := answer.CheckMarginals(m, p, e); err != nil || e.Query.Name != ir.FilterNext {
		return err
	}
	return checkHistoryNumbers(m, p, e)
}

// checkHistoryNumbers refuses histories that take too much memory.
func checkHistoryNumbers(m *model.Model, p *ir.Program, e *ir.Entry) error {
	h := historiesOf(m, p)
	option := diag.Option{Name: "modes"}
	if h.rule.Draw != nil {
		option.Name = "particles"
	}
	if n := float64(h.most) * float64(h.each()); n > maxHistoryNumbers {
		return diag.Errorf("query %q: a filter of %d histories with %d numbers each is a value of more than %d numbers; want at most %d histories: %v",
			e.Query.Name, h.most, h.each(), maxHistoryNumbers, maxHistoryNumbers/h.each(), option)
	}
	if n := float64(h.room()) * float64(h.each()); n > maxGrowthNumbers {
		return diag.Errorf("query %q: %d histories, each of which goes on as %d, take %.3g numbers of an engine; limit: %d; want fewer histories: %v",
			e.Query.Name, h.most, h.elements, n, maxGrowthNumbers, option)
	}
	return nil
}

// room returns how many histories may follow from those that are kept, until too many fail a step.
func (h *histories) room() int {
	if h.mayRefuse {
		return h.most + h.elements
	}
	return h.most * h.elements
}

// growthFields returns the field of Engine that filters with histories need.
func (g *Methods) growthFields(e *ir.Entry) []answer.Field {
	if g.past == nil || e.Query.Name != ir.FilterFirst {
		return nil
	}
	return []answer.Field{
		{Name: "growth", Type: "*" + g.RT("Growth"), Comment: "what histories lead to", Value: fmt.Sprintf("%s(historyOptions(), %d)", g.RT("NewGrowth"), g.past.room())},
		{Name: "ahead", Type: "*Filter", Comment: "the memory of Predict"},
	}
}

// historyFilter declares the type Filter of a belief that is a mixture over histories, and what it
// answers. The entry of slice 0 stands for both.
func (g *Methods) historyFilter(e *ir.Entry) {
	g.historyType(e)
	g.historyOptions()
	g.filterAbout()
	g.historyAbout()
	g.historySlice(e, "filterFirst", "filterFirst makes the first step of f; see Step.")
	g.historySlice(g.Program.Entry(ir.FilterNext), "filterNext", "filterNext makes a later step of f; see Step.")
	g.steps()
	g.historyBelief()
	g.predict("Filter", "the posteriors", ownEngine+"branch := f.e.ahead\nif branch == nil {\n\tbranch = new(Filter)\n\tf.e.ahead = branch\n}\n*branch = *f\n",
		"The first call allocates the memory of a filter, which the engine keeps.")
	g.historyForm()
}

// text says what is kept.
func (h *histories) text() []string {
	switch {
	case h.rule.Draw != nil:
		return []string{fmt.Sprintf("Once there are more than %d histories of discrete states, that many are drawn by the %s scheme, as Rao-Blackwellised", h.most, h.rule.Draw.Scheme),
			"particles; until then the belief is exact."}
	case h.mayRefuse:
		return []string{fmt.Sprintf("The belief is exact. A step that would leave more than %d histories of discrete states fails with ErrHistories.", h.most)}
	}
	return []string{fmt.Sprintf("Of histories of discrete states, the %d most probable ones are kept; until there are more, the belief is exact.", h.most)}
}

// historyType declares the type Filter.
func (g *Methods) historyType(e *ir.Entry) {
	h := g.past
	g.Out.Add(source.Doc(slices.Concat([]string{"Filter follows one sequence slice by slice, in constant memory. It holds what the evidence so far says about the variables",
		"that have an effect on the next slice, " + g.persisting() + ": a mixture, with a Gaussian of the real variables for each history of",
		"states. A copy of a Filter is a branch of the sequence. The zero Filter is before slice 0."}, h.text(), []string{"",
		"A Filter computes in the memory of an engine, which it keeps a pointer to. It is for one goroutine at a time, and so are all filters",
		"of one engine and their copies. Use gives a Filter another engine; Steps uses its own for many filters."})...))
	g.Out.Type().Id("Filter").StructFunc(func(s *jen.Group) {
		s.Id("e").Op("*").Id("Engine").Comment("// nil until a step needs one")
		s.Id("n").Int()
		s.Id("logP").Float64()
		s.Id("past").Id(g.RT("HistoryState"))
		s.Id("belief").Index(jen.Lit(h.most * h.each())).Float64().Comment("// of each history the joint state, the last variable fastest, the weight, and means and the lower triangle of covariances")
	})
	g.Out.Line()
}

// historyOptions declares the function that returns the options of what histories lead to.
func (g *Methods) historyOptions() {
	h := g.past
	scheme := pgmrt.ResampleSystematic
	if h.rule.Draw != nil {
		scheme = pgmrt.Scheme(h.rule.Draw.Scheme)
	}
	var cards []string
	for _, x := range g.Names.Observable() {
		n := 0
		if !g.Model.IsReal(x.Var.ID) {
			n = g.Model.Card(x.Var.ID)
		}
		cards = append(cards, fmt.Sprint(n))
	}
	beyond := [...]string{"HistoriesRefuse", "HistoriesDrop", "HistoriesDraw"}[h.rule.Beyond]
	g.Func(source.Doc("historyOptions returns the options that the package was compiled with."), "historyOptions() "+g.RT("HistoryOptions"), fmt.Sprintf(
		"return %s{Most: %d, Beyond: %s, Resampling: %d, States: %d, Moments: %d, Cards: []int32{%s}}",
		g.RT("HistoryOptions"), h.most, g.RT(beyond), scheme, h.states, h.moments, strings.Join(cards, ", ")))
}

// historyAbout declares the methods of Filter about its histories.
func (g *Methods) historyAbout() {
	h := g.past
	if h.rule.Draw != nil {
		g.Out.Comment("// firstRand is the generator that filters begin with.")
		g.Out.Var().Id("firstRand").Op("=").Op("*").Id("NewRand").Call(jen.Lit(h.rule.Draw.Seed))
		g.Out.Line()
	}
	g.Func(source.Doc("LogProb returns the natural logarithm of the probability of the evidence so far: of its density, if it has values of real variables."),
		"(f *Filter) LogProb() float64", "return f.logP")
	g.Func(source.Doc("Histories returns the number of histories of states that f holds. Before slice 0 it is 0."), "(f *Filter) Histories() int", "return f.past.Size")
	if h.rule.Draw == nil {
		return
	}
	g.Func(source.Doc("Seed makes f draw by other random numbers from now on, those of a seed. A filter begins with those of pgmc compile, "+fmt.Sprint(h.rule.Draw.Seed)+"."),
		"(f *Filter) Seed(seed uint64)", "f.past.Rand = *NewRand(seed)")
	g.Func(source.Doc("LogError returns the standard error of LogProb, which is 0 until histories are drawn. It is estimated from the same histories and leaves",
		"out what resampling adds."), "(f *Filter) LogError() float64", "return "+g.Std("math.Sqrt")+"(f.past.Variance)")
	g.Func(source.Doc("ESS returns the effective sample size of the histories: the number of those of equal weight with the same standard errors. Before slice",
		"0 it is 0."), "(f *Filter) ESS() float64", fmt.Sprintf("return %s(%s, %d)", g.RT("EffectiveHistories"), h.list(), h.each()))
}

// list returns the expression of the histories of a filter.
func (h *histories) list() string { return fmt.Sprintf("f.belief[:%d*f.past.Size]", h.each()) }

// historySlice declares a method of Engine that makes a step of a filter: a run for each history.
func (g *Methods) historySlice(e *ir.Entry, name, comment string) {
	h, partial, first := g.past, "", ""
	switch {
	case e.Query.Name == ir.FilterFirst:
	case h.rule.Beyond == ir.DropHistories:
		partial = "x.Partial = true\n"
	case h.rule.Draw != nil:
		partial = "x.Partial = f.past.Sampled\n"
	}
	if h.rule.Draw != nil {
		first = "if f.n == 0 && f.past.Rand == (Rand{}) {\n\tf.past.Rand = firstRand\n}\n"
	}
	g.Func(source.Doc(comment), fmt.Sprintf("(e *Engine) %s(f *Filter, ev *Evidence, soft *Soft, out *Marginals) error", name),
		g.Enter(e, "scale", "return failSlice(out, err)")+g.historyProgram(e, false)+partial+"if out != nil {\n"+g.posteriors(e)+`}
g := e.growth
if err := g.Grow(&x, `+h.list()+`); err != nil {
	return failSlice(out, err)
}
`+first+`f.logP = g.End(&f.past, f.logP)
g.Store(f.belief[:])
f.n++
if out != nil {
`+g.CopyAll(e)+"out.LogP = f.logP\n}\nreturn nil")
}

// historyProgram returns the statements that declare x, which runs e along histories: forwards,
// with the scale of the evidence, or back.
func (g *Methods) historyProgram(e *ir.Entry, back bool) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "w := e.work()\nx := %s{\n", g.RT("HistoryProgram"))
	s := e.Stream.History(back, slices.Contains([]string{ir.FilterNext, ir.MaxNext, ir.SmoothNext, ir.TraceNext}, e.Query.Name), g.past.moments > 0)
	for _, f := range []struct {
		name string
		id   ir.SpanID
	}{{"State", s.State}, {"Moments", s.Moments}, {"After", s.After}, {"Element", s.Element}, {"Leaving", s.Leaving}, {"Left", s.Left}} {
		if f.id != ir.NoSpan {
			fmt.Fprintf(b, "%s: %s,\n", f.name, api.Slice("w", &g.Program.Spans[f.id]))
		}
	}
	root := fmt.Sprintf("w[%d]", g.Program.Spans[e.Root].Offset)
	b.WriteString("Run: func() (float64, error) {\n" + g.Run(e, e.Blocks))
	if back {
		test, text := g.Impossible(e, root, "return 0, ErrImpossible")
		fmt.Fprintf(b, "if %s {\n\t%s\n}\nreturn 0, nil\n", test, text)
	} else {
		fmt.Fprintf(b, "root := %s\nif root == 0 {\n\treturn %s(-1), nil\n}\nreturn %s, nil\n", root, g.Std("math.Inf"), g.LogOf(e))
	}
	return b.String() + "},\n}\n"
}

// posteriors returns the statement by which x mixes the posteriors of e.
func (g *Methods) posteriors(e *ir.Entry) string {
	var list []string
	for _, x := range g.Names.Observable() {
		list = append(list, api.Slice("w", &g.Program.Spans[api.Out(g.Program, e, x.Var.ID)]))
	}
	return "x.Mix = [][]float64{" + strings.Join(list, ", ") + "}\n"
}

// historyBelief declares Belief.
func (g *Methods) historyBelief() {
	h := g.past
	sums, squares := &strings.Builder{}, &strings.Builder{}
	stride := h.states
	for k, v := range h.discrete {
		stride /= g.Model.Card(v)
		if x := g.Names.Of(v); x != nil {
			fmt.Fprintf(sums, "out.%s[%s] += p\n", x.ID, indexOf(k, stride, g.Model.Card(v)))
		}
	}
	for i, v := range h.real {
		if x := g.Names.Of(v); x != nil {
			fmt.Fprintf(sums, "out.%s.Mean += float64(p * h[%d])\n", x.ID, 2+i)
			fmt.Fprintf(squares, "out.%[1]s.Var += float64(p * (h[%[2]d] + float64((h[%[3]d]-out.%[1]s.Mean)*(h[%[3]d]-out.%[1]s.Mean))))\n",
				x.ID, 2+len(h.real)+i*(i+1)/2+i, 2+i)
		}
	}
	text := ""
	for _, loop := range []string{sums.String(), squares.String()} { // variances need the means
		if loop == "" {
			continue
		}
		state := ""
		if strings.Contains(loop, "[i") {
			state = "i := int(h[0])\n"
		}
		text += fmt.Sprintf("for k := range f.past.Size {\nh := f.belief[%[1]d*k:][:%[1]d]\n%[2]sp := h[1]\n%[3]s}\n", h.each(), state, loop)
	}
	g.Func(source.Doc("Belief sets out to the posteriors of the variables that persist, "+g.persisting()+", of the last slice given the evidence so far,",
		"and LogP to LogProb. The other posteriors are 0, since a Filter does not hold them; Step has them. Before slice 0 all are 0."),
		"(f *Filter) Belief(out *Marginals)", "*out = Marginals{LogP: f.LogProb()}\n"+text)
}

// historyForm declares the methods that write and read the binary form of a filter.
func (g *Methods) historyForm() {
	h := g.past
	g.binaryForm("Filter", "the filter", "a filter", "of f", fmt.Sprintf("%s(b, fingerprint, f.n, f.logP, &f.past, %s)", g.RT("AppendHistories"), h.list()), fmt.Sprintf(`
n, logP, past, err := %s(data, fingerprint, f.belief[:], %d, %d)
if err != nil {
	return names.Wrap(err)
}
f.n, f.logP, f.past = n, logP, past
return nil`, g.RT("ReadHistories"), h.moments, h.states))
}
