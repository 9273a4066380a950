package stream

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// smoothing describes how packages smooth with one form of belief. The code fragments are
// statements of methods of s, which is the memory of Smooth and Lagged: a filter f, and what the
// filter leaves of each slice.
type smoothing struct {
	filter                      string // the type of f
	fields                      []jen.Code
	holds, follows              string   // parts of comments: what SmoothBuffer holds, and what Lagged does
	exact                       []string // how exact the posteriors are
	of, prob                    string   // parts of comments: what answers are, and of what LogProb is the logarithm
	begin, forward, start, over string   // the bodies of the methods of s
	keep                        string   // statements of Smooth that keep the belief given all evidence, after over
	save, restore               string   // statements of Lagged.Step that restore f if over fails
}

// Smooth declares Smooth and the type Lagged. The entry of slice 0 stands for both.
func (g *Methods) Smooth(e *ir.Entry) {
	if first := DrawnSlice(g.Program); first != nil {
		if e == first {
			g.smoothBy(g.smoothParticles(e))
		}
		return
	}
	switch {
	case e.Query.Name != ir.SmoothFirst:
	case g.past != nil:
		g.smoothBy(g.smoothHistories(e))
	default:
		g.smoothBy(g.smoothBeliefs(e))
	}
}

// smooths reports whether Smooth declares something.
func (g *Methods) smooths() bool {
	if first := DrawnSlice(g.Program); first != nil {
		return first.Query.Kind == ir.Smooth
	}
	return g.Program.Entry(ir.SmoothFirst) != nil
}

// smoothBeliefs declares the methods of Engine that go back over a slice with one belief, and
// returns how packages smooth with them.
func (g *Methods) smoothBeliefs(e *ir.Entry) *smoothing {
	g.back(e, "smoothFirst", "filtered, smoothed", "*filtered", "*smoothed")
	g.back(g.Program.Entry(ir.SmoothNext), "smoothNext", "before, filtered, smoothed", "*before", "*filtered", "*smoothed")
	n := g.kept.size
	return &smoothing{
		filter: "Filter",
		fields: []jen.Code{jen.Id("beliefs").Index().Index(jen.Lit(n)).Float64(), jen.Id("smoothed").Index(jen.Lit(n)).Float64().Comment("// the belief about the last slice that over has not gone over, given all evidence")},
		holds:  ".", follows: ", in constant memory: it follows a sequence and answers about each slice when some more slices are known.",
		of: "the posteriors", prob: "the probability",
		begin:   fmt.Sprintf("if len(s.beliefs) < n {\n\ts.beliefs = make([][%d]float64, n)\n}\ns.f = Filter{e: e}", n),
		forward: "if err := s.f.e.step(&s.f, ev, soft, nil); err != nil {\n\treturn err\n}\ns.beliefs[t%len(s.beliefs)] = s.f.belief\nreturn nil",
		start:   "s.smoothed = s.f.belief",
		over: `
here := &s.beliefs[t%len(s.beliefs)]
if t == 0 {
	return s.f.e.smoothFirst(ev, soft, here, &s.smoothed, out)
}
return s.f.e.smoothNext(ev, soft, &s.beliefs[(t-1)%len(s.beliefs)], here, &s.smoothed, out)`,
		keep: "s.beliefs[t] = mine\n",
		save: "was := l.s.f\n", restore: "l.s.f = was\n",
	}
}

// back declares a method of Engine that goes back over a slice. The text in holds its parameters
// that are beliefs.
func (g *Methods) back(e *ir.Entry, name, in string, from ...string) {
	fail := "\treturn failSlice(out, "
	test, text := g.Impossible(e, fmt.Sprintf("e.work()[%d]", g.Program.Spans[e.Root].Offset), fail+"ErrImpossible)")
	body := g.EnterOnly(e, fail+"err)") + g.enterStream(e, from...) + g.Run(e, e.Blocks) +
		fmt.Sprintf("if %s {\n%s\n}\n", test, text) + g.CopyAll(e) + g.leaveStream(e, "*smoothed") + "return nil"
	g.Func(source.Doc(name+" goes back over a slice with the belief by all evidence, which it replaces by the belief about the slice before; see over."),
		fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft, %s *[%d]float64, out *Marginals) error", name, in, g.kept.size), body)
}

// smoothBy declares Smooth and Lagged.
func (g *Methods) smoothBy(s *smoothing) {
	g.Out.Add(source.Doc("smoothing is the memory of going over slices and back: the filter, and what it left of the last slices, that of slice t at t modulo",
		"their number."))
	g.Out.Type().Id("smoothing").Struct(append([]jen.Code{jen.Id("f").Id(s.filter)}, s.fields...)...)
	g.Out.Line()
	g.Func(source.Doc("begin makes room for n slices and puts the filter before slice 0."), "(s *smoothing) begin(e *Engine, n int)", s.begin)
	g.Func(source.Doc("forward makes the step of slice t."), "(s *smoothing) forward(t int, ev *Evidence, soft *Soft) error", s.forward)
	g.Func(source.Doc("start begins going back from the last slice."), "(s *smoothing) start(last int)", s.start)
	g.Func(source.Doc("over goes back over slice t, which has the given evidence, and sets out to its posteriors given all evidence. LogP is the caller's."),
		"(s *smoothing) over(t int, ev *Evidence, soft *Soft, out *Marginals) error", s.over)
	g.smoothAll(s)
	g.sequenceErrors()
	g.lagged(s)
}

// smoothAll declares Smooth and its buffer.
func (g *Methods) smoothAll(s *smoothing) {
	g.Out.Add(source.Doc("SmoothBuffer is the memory of Smooth, which grows with the longest sequence"+s.holds, "The zero SmoothBuffer is ready for use, by one goroutine at a time."))
	g.Out.Type().Id("SmoothBuffer").Struct(jen.Id("s").Id("smoothing"))
	g.Out.Line()
	mine := ""
	if s.keep != "" {
		mine = "mine := s.smoothed\n"
	}
	g.Func(source.Doc(append([]string{"Smooth sets out[t] to " + s.of + " of the variables of slice t given the evidence on all slices, evs[t] and soft[t]; soft may be nil.",
		"It returns the natural logarithm of the probability of all evidence, which LogP of each answer is too. It allocates only what buf",
		"lacks; buf may be nil. If a slice fails, the error names it, and all posteriors are 0."}, s.exact...)...),
		"(e *Engine) Smooth(evs []Evidence, soft []Soft, buf *SmoothBuffer, out []Marginals) (logp float64, err error)", fmt.Sprintf(`
if err := checkLengths(len(evs), len(out), soft); err != nil {
	return %s(-1), err
}
if len(evs) == 0 {
	return 0, nil
}
if buf == nil {
	buf = new(SmoothBuffer)
}
s := &buf.s
s.begin(e, len(evs))
for t := range evs {
	if err := s.forward(t, &evs[t], softOf(soft, t)); err != nil {
		return failSequence(out, t, err)
	}
}
logp = s.f.LogProb()
s.start(len(evs) - 1)
for t := len(evs) - 1; t >= 0; t-- {
	%sif err := s.over(t, &evs[t], softOf(soft, t), &out[t]); err != nil {
		return failSequence(out, t, err)
	}
	%sout[t].LogP = logp
}
return logp, nil`, g.Std("math.Inf"), mine, s.keep))
	g.Func(source.Doc("failSequence sets out to the answers of a sequence of which slice t failed, and returns the error that names it."),
		"failSequence(out []Marginals, t int, err error) (float64, error)", `
for i := range out {
	_ = failSlice(&out[i], err)
}
return `+g.Std("math.Inf")+"(-1), sliceError(t, err)")
}

// sequenceErrors declares the functions about the slices of a sequence that several queries share.
func (g *Methods) sequenceErrors() {
	g.Func(source.Doc("sliceError returns the error about slice t of a sequence."), "sliceError(t int, err error) error",
		`return names.Fail("slice " + `+g.Std("strconv.Itoa")+`(t) + ": " + err.Error(), err)`)
	g.Func(source.Doc("checkLengths returns an error unless a sequence of n slices has answers and likelihoods for each."), "checkLengths(n, answers int, soft []Soft) error", `
if answers != n {
	return names.BadLength("out", answers, n)
}
if soft != nil && len(soft) != n {
	return names.BadLength("soft", len(soft), n)
}
return nil`)
}

// lagged declares the type Lagged. Its rings have a slice more than an answer reads, so that the
// slice before a step that fails is still there.
func (g *Methods) lagged(s *smoothing) {
	g.Out.Add(source.Doc("Lagged smooths with a fixed lag"+s.follows, "It is for one goroutine at a time."))
	g.Out.Type().Id("Lagged").Struct(jen.Id("s").Id("smoothing"), jen.Id("lag").Int(),
		jen.Id("past").Index().Id("pastSlice").Comment("// a ring of the last slices: lag of them, the one to be answered, and the one before"))
	g.Out.Line()
	g.pastSlice()
	g.Func(source.Doc("NewLagged returns a smoother before slice 0, with an engine of its own. A negative lag counts as 0."), "NewLagged(lag int) *Lagged", "return New().NewLagged(lag)")
	g.Func(source.Doc("NewLagged returns a smoother before slice 0 that uses e. A negative lag counts as 0."), "(e *Engine) NewLagged(lag int) *Lagged",
		"lag = max(lag, 0)\nl := &Lagged{lag: lag, past: make([]pastSlice, lag+2)}\nl.s.begin(e, lag+2)\nreturn l")
	g.Func(source.Doc("Len returns the number of slices so far."), "(l *Lagged) Len() int", "return l.s.f.Len()")
	g.Func(source.Doc("LogProb returns the natural logarithm of "+s.prob+" of the evidence so far."), "(l *Lagged) LogProb() float64", "return l.s.f.LogProb()")
	g.Func(source.Doc("Reset puts l before slice 0 again."), "(l *Lagged) Reset()", "l.s.f.Reset()")
	of := ""
	if s.restore == "" {
		of = " of the evidence"
	}
	g.Func(source.Doc("Step enters the evidence on the next slice t; ev and soft may be nil. If there is a slice t-lag, ready is true, out is set to "+s.of,
		"of its variables given the evidence up to t, and LogP to LogProb. An error"+of+" leaves l as it was, and all posteriors of out 0."),
		"(l *Lagged) Step(ev *Evidence, soft *Soft, out *Marginals) (ready bool, err error)", fmt.Sprintf(`
t := l.s.f.Len()
%sif err := l.s.forward(t, ev, soft); err != nil {
	return false, failSlice(out, err)
}
l.past[t%%len(l.past)].enter(ev, soft)
if t < l.lag {
	return false, nil
}
if err := l.about(l.lag, out); err != nil {
	%sreturn false, err
}
return true, nil`, s.save, s.restore))
	g.Func(source.Doc("Rest sets out to "+s.of+" of the last slices, which Step has not answered about, given all evidence. It returns their number,",
		"which is lag unless there are fewer slices. A shorter out is refused."),
		"(l *Lagged) Rest(out []Marginals) (n int, err error)", `
n = min(l.lag, l.s.f.Len())
if len(out) < n {
	return 0, names.BadLength("out", len(out), n)
}
for i := range n {
	if err := l.about(n-1-i, &out[i]); err != nil {
		return 0, err
	}
}
return n, nil`)
	g.Func(source.Doc("about sets out to "+s.of+" of the slice that is lag slices before the last one, given the evidence so far."),
		"(l *Lagged) about(lag int, out *Marginals) error", `
last := l.s.f.Len() - 1
l.s.start(last)
for t := last; t >= last-lag; t-- {
	past := &l.past[t%len(l.past)]
	if err := l.s.over(t, &past.ev, past.likelihood(), out); err != nil {
		return err
	}
}
out.LogP = l.s.f.LogProb()
return nil`)
}

// pastSlice declares the type of a slice of a Lagged that has passed.
func (g *Methods) pastSlice() {
	g.Out.Add(source.Doc("pastSlice is the evidence on a slice."))
	g.Out.Type().Id("pastSlice").Struct(jen.Id("ev").Id("Evidence"), jen.Id("soft").Id("Soft"), jen.Id("likelihoods").Bool())
	g.Out.Line()
	g.Func(source.Doc("enter sets the evidence on the slice; ev and soft may be nil."), "(p *pastSlice) enter(ev *Evidence, soft *Soft)", `
p.ev, p.likelihoods = Evidence{}, soft != nil
if ev != nil {
	p.ev = *ev
}
if soft != nil {
	p.soft = *soft
}`)
	g.Func(source.Doc("likelihood returns the likelihoods of the slice, or nil."), "(p *pastSlice) likelihood() *Soft", `
if p.likelihoods {
	return &p.soft
}
return nil`)
}
