package codegen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
)

// smooth declares Smooth and the type Lagged. The entry of slice 0 stands for both.
func (g *generator) smooth(e *ir.Entry) {
	if first := drawnSlice(g.p); first != nil {
		if e == first {
			g.smoothParticles(e)
		}
		return
	}
	if e.Query.Name != ir.SmoothFirst {
		return
	}
	if g.past != nil {
		g.smoothHistories(e)
		return
	}
	next := g.p.Entry(ir.SmoothNext)
	g.back(e, "smoothFirst", "filtered, smoothed", "*filtered", "*smoothed")
	g.back(next, "smoothNext", "before, filtered, smoothed", "*before", "*filtered", "*smoothed")
	n := g.kept.size
	g.fn(doc("smooth sets out to the posteriors of slice t given all evidence. It takes the evidence on the slice, the beliefs by the evidence up to",
		"the slice before, which slice 0 does not read, and up to t, and the one by all evidence, which it replaces by that about the slice before."),
		fmt.Sprintf("(e *Engine) smooth(t int, ev *Evidence, soft *Soft, before, filtered, smoothed *[%d]float64, out *Marginals) error", n), `
if t == 0 {
	return e.smoothFirst(ev, soft, filtered, smoothed, out)
}
return e.smoothNext(ev, soft, before, filtered, smoothed, out)`)
	g.smoothAll()
	g.lagged()
}

// back declares a method of Engine that goes back over a slice. The text in holds its parameters
// that are beliefs.
func (g *generator) back(e *ir.Entry, name, in string, from ...string) {
	fail := "\treturn failSlice(out, "
	test, text := g.impossible(e, fmt.Sprintf("e.work()[%d]", g.p.Spans[e.Root].Offset), fail+"ErrImpossible)")
	body := g.enterOnly(e, fail+"err)") + g.enterStream(e, from...) + g.run(e, e.Blocks) +
		fmt.Sprintf("if %s {\n%s\n}\n", test, text) + g.copyAll(e) + g.leaveStream(e, "*smoothed") + "return nil"
	g.fn(doc(name+" goes back over a slice; see smooth."),
		fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft, %s *[%d]float64, out *Marginals) error", name, in, g.kept.size), body)
}

// smoothAll declares Smooth and its buffer.
func (g *generator) smoothAll() {
	n := g.kept.size
	g.out.Add(doc("SmoothBuffer is the memory of Smooth, which grows with the longest sequence. The zero SmoothBuffer is ready for use, by one goroutine at a time."))
	g.out.Type().Id("SmoothBuffer").Struct(jen.Id("beliefs").Index().Index(jen.Lit(n)).Float64())
	g.out.Line()
	g.fn(doc("Smooth sets out[t] to the posteriors of the variables of slice t given the evidence on all slices, evs[t] and soft[t]; soft may be nil.",
		"It returns the natural logarithm of the probability of all evidence, which LogP of each answer is too. It allocates only what buf",
		"lacks; buf may be nil. If a slice fails, the error names it, and all posteriors are 0."),
		"(e *Engine) Smooth(evs []Evidence, soft []Soft, buf *SmoothBuffer, out []Marginals) (logp float64, err error)", fmt.Sprintf(`
if err := checkLengths(len(evs), len(out), soft); err != nil {
	return %[2]s(-1), err
}
if buf == nil {
	buf = new(SmoothBuffer)
}
if len(buf.beliefs) < len(evs) {
	buf.beliefs = make([][%[1]d]float64, len(evs))
}
f := Filter{e: e}
for t := range evs {
	if err := e.step(&f, &evs[t], softOf(soft, t), nil); err != nil {
		return failSequence(out, t, err)
	}
	buf.beliefs[t] = f.belief
}
smoothed := f.belief
logp = f.LogProb()
for t := len(evs) - 1; t >= 0; t-- {
	mine := smoothed
	if err := e.smooth(t, &evs[t], softOf(soft, t), &buf.beliefs[max(t-1, 0)], &buf.beliefs[t], &smoothed, &out[t]); err != nil {
		return failSequence(out, t, err)
	}
	buf.beliefs[t] = mine
	out[t].LogP = logp
}
return logp, nil`, n, g.std("math.Inf")))
	g.failSequence()
	g.sequenceErrors()
}

// failSequence declares the function that ends Smooth with an error.
func (g *generator) failSequence() {
	g.fn(doc("failSequence sets out to the answers of a sequence of which slice t failed, and returns the error that names it."),
		"failSequence(out []Marginals, t int, err error) (float64, error)", `
for i := range out {
	_ = failSlice(&out[i], err)
}
return `+g.std("math.Inf")+"(-1), sliceError(t, err)")
}

// sequenceErrors declares the functions about the slices of a sequence that several queries share,
// in the first of them.
func (g *generator) sequenceErrors() {
	if g.sequenced {
		return
	}
	g.sequenced = true
	g.fn(doc("sliceError returns the error about slice t of a sequence."), "sliceError(t int, err error) error",
		`return &failure{"slice " + `+g.std("strconv.Itoa")+`(t) + ": " + err.Error(), err}`)
	g.fn(doc("checkLengths returns an error unless a sequence of n slices has answers and likelihoods for each."), "checkLengths(n, answers int, soft []Soft) error", `
if answers != n {
	return badLength("out", answers, n)
}
if soft != nil && len(soft) != n {
	return badLength("soft", len(soft), n)
}
return nil`)
}

// lagged declares the type Lagged.
func (g *generator) lagged() {
	n := g.kept.size
	g.out.Add(doc("Lagged smooths with a fixed lag, in constant memory: it follows a sequence and answers about each slice when some more slices are",
		"known. It is for one goroutine at a time."))
	g.out.Type().Id("Lagged").Struct(
		jen.Id("f").Id("Filter"), jen.Id("lag").Int(),
		jen.Id("past").Index().Id("pastSlice").Comment("// a ring of the last slices: lag of them, the one to be answered, and the one before"))
	g.out.Line()
	g.pastSlice("and the belief that it left", jen.Id("belief").Index(jen.Lit(n)).Float64())
	g.fn(doc("NewLagged returns a smoother before slice 0, with an engine of its own. A negative lag counts as 0."), "NewLagged(lag int) *Lagged", "return New().NewLagged(lag)")
	g.fn(doc("NewLagged returns a smoother before slice 0 that uses e. A negative lag counts as 0."), "(e *Engine) NewLagged(lag int) *Lagged",
		"lag = max(lag, 0)\nreturn &Lagged{f: Filter{e: e}, lag: lag, past: make([]pastSlice, lag+2)}")
	g.fn(doc("Len returns the number of slices so far."), "(l *Lagged) Len() int", "return l.f.n")
	g.fn(doc("LogProb returns the natural logarithm of the probability of the evidence so far."), "(l *Lagged) LogProb() float64", "return l.f.LogProb()")
	g.fn(doc("Reset puts l before slice 0 again."), "(l *Lagged) Reset()", "l.f.Reset()")
	g.laggedStep()
	g.laggedBack()
}

// pastSlice declares the type of a slice of a Lagged that has passed, with a field of what it left.
func (g *generator) pastSlice(text string, left jen.Code) {
	g.out.Add(doc("pastSlice is the evidence on a slice, " + text + "."))
	g.out.Type().Id("pastSlice").Struct(jen.Id("ev").Id("Evidence"), jen.Id("soft").Id("Soft"), jen.Id("likelihoods").Bool(), left)
	g.out.Line()
	g.fn(doc("enter sets the evidence on the slice; ev and soft may be nil."), "(p *pastSlice) enter(ev *Evidence, soft *Soft)", `
p.ev, p.likelihoods = Evidence{}, soft != nil
if ev != nil {
	p.ev = *ev
}
if soft != nil {
	p.soft = *soft
}`)
	g.fn(doc("likelihood returns the likelihoods of the slice, or nil."), "(p *pastSlice) likelihood() *Soft", `
if p.likelihoods {
	return &p.soft
}
return nil`)
}

// laggedStep declares the method Step of the type Lagged.
func (g *generator) laggedStep() {
	g.fn(doc("Step enters the evidence on the next slice t; ev and soft may be nil. If there is a slice t-lag, ready is true, out is set to the",
		"posteriors of its variables given the evidence up to t, and LogP to LogProb. An error leaves l as it was, and all posteriors of out 0."),
		"(l *Lagged) Step(ev *Evidence, soft *Soft, out *Marginals) (ready bool, err error)", `
was := l.f
if err := l.f.Step(ev, soft, nil); err != nil {
	return false, failSlice(out, err)
}
here := &l.past[was.n%len(l.past)]
replaced := *here
here.enter(ev, soft)
here.belief = l.f.belief
if l.f.n <= l.lag {
	return false, nil
}
if err := l.about(l.lag, out); err != nil {
	l.f, *here = was, replaced
	return false, err
}
return true, nil`)
}

// laggedRest is the body of Rest.
const laggedRest = `
n = min(l.lag, l.f.n)
if len(out) < n {
	return 0, badLength("out", len(out), n)
}
for i := range n {
	if err := l.about(n-1-i, &out[i]); err != nil {
		return 0, err
	}
}
return n, nil`

// laggedBack declares the methods of the type Lagged that go back over the slices.
func (g *generator) laggedBack() {
	g.fn(doc("Rest sets out to the posteriors of the last slices, which Step has not answered about, given all evidence. It returns their number,",
		"which is lag unless there are fewer slices. A shorter out is refused."),
		"(l *Lagged) Rest(out []Marginals) (n int, err error)", laggedRest)
	g.fn(doc("about sets out to the posteriors of the slice that is lag slices before the last one, given the evidence so far."),
		"(l *Lagged) about(lag int, out *Marginals) error", `
smoothed := l.f.belief
for t := l.f.n - 1; t >= l.f.n-1-lag; t-- {
	here, before := &l.past[t%len(l.past)], &l.past[max(t-1, 0)%len(l.past)]
	if err := l.f.e.smooth(t, &here.ev, here.likelihood(), &before.belief, &here.belief, &smoothed, out); err != nil {
		return err
	}
}
out.LogP = l.f.LogProb()
return nil`)
}
