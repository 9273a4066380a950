package codegen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
)

// smoothHistories declares Smooth and the type Lagged of a belief that is a mixture over histories:
// they go back over the slices along each history that remains after the last one.
func (g *generator) smoothHistories(first *ir.Entry) {
	g.backAlong(first, "smoothFirst")
	g.backAlong(g.p.Entry(ir.SmoothNext), "smoothNext")
	g.recalled()
	g.historyBack()
	g.historySmooth()
	g.historyLagged()
	g.failSequence()
	g.sequenceErrors()
}

// backAlong declares a method of Engine that goes back over a slice: a run for each way to a
// history of the slice.
func (g *generator) backAlong(e *ir.Entry, name string) {
	later := e.Query.Name == ir.SmoothNext
	test, text := g.impossible(e, fmt.Sprintf("w[%d]", g.p.Spans[e.Root].Offset), "\treturn ErrImpossible")
	b := &strings.Builder{}
	b.WriteString(g.enterOnly(e, "return err") + "w := e.work()\nfor b.Next() {\n")
	b.WriteString(g.enterEdge(e, later, "b.Edge()", "b.After()") + g.run(e, e.Blocks))
	fmt.Fprintf(b, "if %s {\n%s\n}\n", test, text)
	for _, x := range g.ids.observable() {
		fmt.Fprintf(b, "b.Mix(%s)\n", slice("w", &g.p.Spans[out(g.p, e, x.v.ID)]))
	}
	before := ""
	if later {
		before = "before *" + g.rt("HistoryFrame") + ", "
		moments := "nil"
		if g.past.moments > 0 {
			moments = slice("w", &g.p.Spans[e.Stream.Out[0]])
		}
		fmt.Fprintf(b, "if err := b.Leave(%s); err != nil {\n\treturn err\n}\n", moments)
	}
	b.WriteString("}\n" + g.mixedAnswers(e, "b") + "return nil")
	g.fn(doc(name+" goes back over a slice; see back."),
		fmt.Sprintf("(e *Engine) %s(b *%s, %sev *Evidence, soft *Soft, out *Marginals) error", name, g.rt("BackHistories"), before), b.String())
}

// enterEdge returns the statements that enter a way to a history of the slice of e, by an
// expression, and the moments after the slice. If there is a slice before, its histories are in
// before.
func (g *generator) enterEdge(e *ir.Entry, later bool, edge, after string) string {
	text, in := "", e.Stream.In
	if later {
		text, in = g.enterHistory(e, "before.State(int(edge.From))", "before.Moments(int(edge.From))"), in[1:]
	}
	if g.past.moments > 0 {
		if later {
			in = in[1:]
		}
		text += fmt.Sprintf("copy(%s, %s)\n", slice("w", &g.p.Spans[in[0]]), after)
		in = in[1:]
	}
	if len(in) > 0 {
		chosen := &g.p.Spans[in[0]]
		text += fmt.Sprintf("clear(%s)\nw[%d+int(edge.Element)] = 1\n", slice("w", chosen), chosen.Offset)
	}
	if strings.Contains(text, "edge.") && edge != "edge" {
		text = "edge := " + edge + "\n" + text
	}
	return text
}

// recalled declares the method that makes a step of a filter and keeps what is needed to go back.
func (g *generator) recalled() {
	g.fn(doc("recalled makes a step of f without posteriors, and sets frame to the histories of the slice and how they came about."),
		fmt.Sprintf("(e *Engine) recalled(f *Filter, frame *%s, ev *Evidence, soft *Soft) error", g.rt("HistoryFrame")), `
e.growth.Recall(true)
err := e.step(f, ev, soft, nil)
e.growth.Recall(false)
if err == nil {
	frame.Copy(e.growth)
}
return err`)
}

// historyBack declares the method that goes back over a slice.
func (g *generator) historyBack() {
	g.fn(doc("back goes back over slice t along each history that remains after the last one, and sets out to the posteriors of the slice given all",
		"evidence. The histories of slice t are frame t modulo the number of frames."),
		fmt.Sprintf("(e *Engine) back(b *%s, frames []%s, t int, ev *Evidence, soft *Soft, out *Marginals) (err error)", g.rt("BackHistories"), g.rt("HistoryFrame")), `
b.Slice(&frames[t%len(frames)])
if t == 0 {
	err = e.smoothFirst(b, ev, soft, out)
} else {
	err = e.smoothNext(b, &frames[(t-1)%len(frames)], ev, soft, out)
}
b.Enter()
if err != nil {
	return failSlice(out, err)
}
return nil`)
}

// newBack returns the expression of the memory of going back.
func (g *generator) newBack() string {
	return fmt.Sprintf("%s(historyOptions().Cards, %d)", g.rt("NewBackHistories"), maxGrowthNumbers/g.past.each())
}

// historySmooth declares Smooth and its buffer.
func (g *generator) historySmooth() {
	h := g.past
	g.out.Add(doc("SmoothBuffer is the memory of Smooth, which grows with the longest sequence: of each slice its histories, of",
		fmt.Sprintf("%d bytes each, and how they came about, of 16 bytes for each way. The zero SmoothBuffer is ready for use, by one goroutine at a time.", 8*h.each())))
	g.out.Type().Id("SmoothBuffer").Struct(
		jen.Id("f").Id("Filter"), jen.Id("back").Op("*").Id(g.rt("BackHistories")), jen.Id("frames").Index().Id(g.rt("HistoryFrame")))
	g.out.Line()
	g.fn(doc(append([]string{"Smooth sets out[t] to the posteriors of the variables of slice t given the evidence on all slices, evs[t] and soft[t]; soft may be nil.",
		"It returns the natural logarithm of the probability of all evidence, which LogP of each answer is too. It allocates only what buf",
		"lacks; buf may be nil. If a slice fails, the error names it, and all posteriors are 0.", ""}, h.backText()...)...),
		"(e *Engine) Smooth(evs []Evidence, soft []Soft, buf *SmoothBuffer, out []Marginals) (logp float64, err error)", fmt.Sprintf(`
if err := checkLengths(len(evs), len(out), soft); err != nil {
	return %[1]s(-1), err
}
if len(evs) == 0 {
	return 0, nil
}
if buf == nil {
	buf = new(SmoothBuffer)
}
if buf.back == nil {
	buf.back = %[2]s
}
for len(buf.frames) < len(evs) {
	buf.frames = append(buf.frames, %[3]s{})
}
buf.f.Use(e)
buf.f.Reset()
for t := range evs {
	if err := e.recalled(&buf.f, &buf.frames[t], &evs[t], softOf(soft, t)); err != nil {
		return failSequence(out, t, err)
	}
}
logp = buf.f.LogProb()
buf.back.Start(&buf.frames[len(evs)-1])
for t := len(evs) - 1; t >= 0; t-- {
	if err := e.back(buf.back, buf.frames, t, &evs[t], softOf(soft, t), &out[t]); err != nil {
		return failSequence(out, t, err)
	}
	out[t].LogP = logp
}
return logp, nil`, g.std("math.Inf"), g.newBack(), g.rt("HistoryFrame")))
}

// backText says how exact smoothing is.
func (h *histories) backText() []string {
	if h.mayRefuse {
		return []string{"The posteriors are exact."}
	}
	return []string{"Until histories are left out, the posteriors are exact. Then the histories of early slices are the ancestors of those that remain",
		"after the last one: fewer, the further back."}
}

// historyLagged declares the type Lagged.
func (g *generator) historyLagged() {
	g.out.Add(doc("Lagged smooths with a fixed lag: it follows a sequence and answers about each slice when some more slices are known. Its memory is",
		"that of the histories of lag+2 slices; a step allocates only if it has more of them than slices before. It is for one goroutine",
		"at a time."))
	g.out.Type().Id("Lagged").Struct(
		jen.Id("f").Id("Filter"), jen.Id("lag").Int(), jen.Id("back").Op("*").Id(g.rt("BackHistories")),
		jen.Id("frames").Index().Id(g.rt("HistoryFrame")).Comment("// a ring of the last slices: lag of them, the one to be answered, and the one before"),
		jen.Id("past").Index().Id("pastSlice").Comment("// the same slices"))
	g.out.Line()
	g.pastSlice("and ln P of that so far", jen.Id("logP").Float64())
	g.fn(doc("NewLagged returns a smoother before slice 0, with an engine of its own. A negative lag counts as 0."), "NewLagged(lag int) *Lagged", "return New().NewLagged(lag)")
	g.fn(doc("NewLagged returns a smoother before slice 0 that uses e. A negative lag counts as 0."), "(e *Engine) NewLagged(lag int) *Lagged", fmt.Sprintf(
		"lag = max(lag, 0)\nreturn &Lagged{f: Filter{e: e}, lag: lag, back: %s, frames: make([]%s, lag+2), past: make([]pastSlice, lag+2)}", g.newBack(), g.rt("HistoryFrame")))
	g.fn(doc("Len returns the number of slices so far."), "(l *Lagged) Len() int", "return l.f.n")
	g.fn(doc("LogProb returns the natural logarithm of the probability of the evidence so far."), "(l *Lagged) LogProb() float64", "return l.f.LogProb()")
	g.fn(doc("Reset puts l before slice 0 again."), "(l *Lagged) Reset()", "l.f.Reset()")
	g.historyLaggedStep()
	g.fn(doc("Rest sets out to the posteriors of the last slices, which Step has not answered about, given all evidence. It returns their number,",
		"which is lag unless there are fewer slices. A shorter out is refused."), "(l *Lagged) Rest(out []Marginals) (n int, err error)", laggedRest)
	g.fn(doc("about sets out to the posteriors of the slice that is lag slices before the last one, given the evidence so far."),
		"(l *Lagged) about(lag int, out *Marginals) error", `
last := l.f.n - 1
l.back.Start(&l.frames[last%len(l.frames)])
for t := last; t >= last-lag; t-- {
	past := &l.past[t%len(l.past)]
	if err := l.f.e.back(l.back, l.frames, t, &past.ev, past.likelihood(), out); err != nil {
		return err
	}
}
out.LogP = l.f.LogProb()
return nil`)
}

// historyLaggedStep declares the method Step of the type Lagged. A ring has a slice more than an
// answer reads, so that the slice before a step that fails is still there.
func (g *generator) historyLaggedStep() {
	g.fn(doc("Step enters the evidence on the next slice t; ev and soft may be nil. If there is a slice t-lag, ready is true, out is set to the",
		"posteriors of its variables given the evidence up to t, and LogP to LogProb. An error leaves l as it was, and all posteriors of out 0."),
		"(l *Lagged) Step(ev *Evidence, soft *Soft, out *Marginals) (ready bool, err error)", `
n, logP, past := l.f.n, l.f.logP, l.f.past
here := n % len(l.frames)
if err := l.f.e.recalled(&l.f, &l.frames[here], ev, soft); err != nil {
	return false, failSlice(out, err)
}
l.past[here].enter(ev, soft)
if n < l.lag {
	return false, nil
}
if err := l.about(l.lag, out); err != nil {
	l.f.n, l.f.logP, l.f.past = n, logP, past
	before := new(`+g.rt("HistoryFrame")+`)
	if n > 0 {
		before = &l.frames[(n-1)%len(l.frames)]
	}
	before.Store(l.f.belief[:])
	return false, err
}
return true, nil`)
}
