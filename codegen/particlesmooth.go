package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
)

// smoothParticles declares the type Particles, and Smooth and Lagged by trajectories that are drawn
// back. The density of a trajectory in a slice given a particle of the slice before is the weight
// of a draw that has nothing left to draw: all variables are observed. Proposals by the posterior
// have an entry for that, which draws from the CPDs.
func (g *generator) smoothParticles(e *ir.Entry) {
	g.particles(e)
	draw := e.Stream.Histories.Draw
	weigh := g.p.Entry(ir.SmoothNext)
	if weigh == nil {
		weigh = g.p.Entry(ir.FilterNext)
	}
	g.weighBack(weigh)
	g.goBack()
	g.particleSmooth(draw)
	g.particleLagged(draw)
	g.failSequence()
	g.sequenceErrors()
	g.softOf()
	if len(g.batched()) == 0 {
		g.rowErrors()
	}
}

// weighBack declares the method that weighs the particles that a trajectory may go back to.
func (g *generator) weighBack(e *ir.Entry) {
	discrete, real := g.m.SplitReal(g.m.IDs())
	fields, states, values := &strings.Builder{}, "_", "_"
	for _, x := range g.ids.observable() {
		if k := slices.Index(discrete, x.v.ID); k >= 0 {
			states = "states"
			fmt.Fprintf(fields, "%s: %s(states[%d] + 1), ", x.id, x.port.field(), k)
		} else {
			values = "values"
			fmt.Fprintf(fields, "%s: Obs(values[%d]), ", x.id, slices.Index(real, x.v.ID))
		}
	}
	in, statesBefore, valuesBefore := g.enterParticle(e, g.m.Transition.Before)
	memories := "w := e.work()\n"
	if statesBefore != "_" {
		memories += "t := e.state()\n"
	}
	g.fn(doc("weighBack weighs the particles of the slice before by the density of a trajectory in a slice given each."),
		fmt.Sprintf("(e *Engine) weighBack(b *%s, before *%s, path int) error", g.rt("BackDraws"), g.rt("ParticleFrame")),
		fmt.Sprintf("%s, %s := b.At(path)\nev := &Evidence{%s}\nvar soft *Soft\n", states, values, strings.TrimSuffix(fields.String(), ", "))+
			g.enter(e, "scale", "\treturn err")+"e.rng = &b.Spare\n"+memories+
			fmt.Sprintf("for i := range before.Size() {\n%s, %s, counts := before.Particle(i)\nif !counts {\n\tcontinue\n}\n", statesBefore, valuesBefore)+
			in+g.run(e, e.Blocks)+fmt.Sprintf("b.Weigh(i, %s)\n}\nreturn nil", strings.Join([]string{g.particleLog(e), "scale"}, " + ")))
}

// goBack declares the method that goes back over slices.
func (g *generator) goBack() {
	g.fn(doc("goBack draws trajectories back from the slice last to the slice first, of which the particles of slice t are frame t modulo the number of",
		"frames. It sets out to the posteriors of slices from first on, as many as it is long."),
		fmt.Sprintf("(e *Engine) goBack(b *%s, frames []%s, last, first int, logp float64, out []Marginals) error", g.rt("BackDraws"), g.rt("ParticleFrame")), `
b.Begin(&frames[last%len(frames)])
for t := last; ; t-- {
	if t-first < len(out) {
		e.drawnAnswers(b, &out[t-first])
		out[t-first].LogP = logp
	}
	if t == first {
		return nil
	}
	before := &frames[(t-1)%len(frames)]
	for k := range b.Paths() {
		if err := e.weighBack(b, before, k); err != nil {
			return sliceError(t, err)
		}
		b.Choose(k, before)
	}
	b.Enter(before)
}`)
	g.fn(doc("drawnAnswers sets out to the posteriors of the slice that trajectories are in."),
		fmt.Sprintf("(e *Engine) drawnAnswers(b *%s, out *Marginals)", g.rt("BackDraws")), g.drawnAnswers("b"))
}

// particleSmooth declares Smooth and its buffer.
func (g *generator) particleSmooth(draw *ir.Draw) {
	g.out.Add(doc("SmoothBuffer is the memory of Smooth, which grows with the longest sequence: the particles of all slices. The zero SmoothBuffer is ready",
		"for use, by one goroutine at a time."))
	g.out.Type().Id("SmoothBuffer").Struct(jen.Id("p").Op("*").Id(particlesType), jen.Id("back").Op("*").Id(g.rt("BackDraws")), jen.Id("frames").Index().Id(g.rt("ParticleFrame")))
	g.out.Line()
	g.fn(doc("Smooth sets out[t] to estimates of the posteriors of the variables of slice t given the evidence on all slices, evs[t] and soft[t]; soft",
		fmt.Sprintf("may be nil. It follows the sequence with as many particles as the package was compiled with, and draws %d trajectories back. It returns", draw.Paths),
		"the natural logarithm of the estimate of the probability of all evidence, which LogP of each answer is too. It allocates only what buf",
		"lacks; buf may be nil. If a slice fails, the error names it, and all posteriors are 0."),
		"(e *Engine) Smooth(evs []Evidence, soft []Soft, buf *SmoothBuffer, out []Marginals) (logp float64, err error)", fmt.Sprintf(`
if err := checkLengths(len(evs), len(out), soft); err != nil {
	return %[2]s(-1), err
}
if len(evs) == 0 {
	return 0, nil
}
if buf == nil {
	buf = new(SmoothBuffer)
}
if buf.p == nil {
	buf.p, buf.back = e.NewParticles(0, 0), %[3]s(%[1]d, %[5]d)
}
for len(buf.frames) < len(evs) {
	buf.frames = append(buf.frames, %[4]s{})
}
buf.p.Use(e)
buf.p.Reset()
for t := range evs {
	if err := buf.p.Step(&evs[t], softOf(soft, t), nil); err != nil {
		return failSequence(out, t, err)
	}
	buf.frames[t].Copy(buf.p.c)
}
logp = buf.p.LogProb()
if err := e.goBack(buf.back, buf.frames[:len(evs)], len(evs)-1, 0, logp, out); err != nil {
	for t := range out {
		_ = failSlice(&out[t], err)
	}
	return %[2]s(-1), err
}
return logp, nil`, draw.Paths, g.std("math.Inf"), g.rt("NewBackDraws"), g.rt("ParticleFrame"), draw.Seed+1))
}

// particleLagged declares the type Lagged.
func (g *generator) particleLagged(draw *ir.Draw) {
	g.out.Add(doc("Lagged smooths with a fixed lag, in constant memory: it follows a sequence with particles, and answers about each slice when some more",
		"slices are known, by trajectories that are drawn back. It is for one goroutine at a time."))
	g.out.Type().Id("Lagged").Struct(
		jen.Id("p").Op("*").Id(particlesType), jen.Id("lag").Int(), jen.Id("back").Op("*").Id(g.rt("BackDraws")),
		jen.Id("frames").Index().Id(g.rt("ParticleFrame")).Comment("// a ring of the last slices: lag of them, and the one to be answered"),
		jen.Id("one").Index(jen.Lit(1)).Id("Marginals"))
	g.out.Line()
	g.fn(doc("NewLagged returns a smoother before slice 0, with an engine of its own. A negative lag counts as 0."), "NewLagged(lag int) *Lagged", "return New().NewLagged(lag)")
	g.fn(doc("NewLagged returns a smoother before slice 0 that uses e. A negative lag counts as 0."), "(e *Engine) NewLagged(lag int) *Lagged", fmt.Sprintf(
		"lag = max(lag, 0)\nreturn &Lagged{p: e.NewParticles(0, 0), lag: lag, back: %s(%d, %d), frames: make([]%s, lag+1)}", g.rt("NewBackDraws"), draw.Paths, draw.Seed+1, g.rt("ParticleFrame")))
	g.fn(doc("Len returns the number of slices so far."), "(l *Lagged) Len() int", "return l.p.Len()")
	g.fn(doc("LogProb returns the natural logarithm of an unbiased estimate of the probability of the evidence so far."), "(l *Lagged) LogProb() float64", "return l.p.LogProb()")
	g.fn(doc("Reset puts l before slice 0 again."), "(l *Lagged) Reset()", "l.p.Reset()")
	g.fn(doc("Step enters the evidence on the next slice t; ev and soft may be nil. If there is a slice t-lag, ready is true, out is set to estimates of",
		"the posteriors of its variables given the evidence up to t, and LogP to LogProb. An error of the evidence leaves l as it was, and all",
		"posteriors of out 0."),
		"(l *Lagged) Step(ev *Evidence, soft *Soft, out *Marginals) (ready bool, err error)", `
t := l.p.Len()
if err := l.p.Step(ev, soft, nil); err != nil {
	return false, failSlice(out, err)
}
l.frames[t%len(l.frames)].Copy(l.p.c)
if t < l.lag {
	return false, nil
}
return true, l.about(t-l.lag, out)`)
	g.fn(doc("Rest sets out to estimates of the posteriors of the last slices, which Step has not answered about, given all evidence. It returns their",
		"number, which is lag unless there are fewer slices. A shorter out is refused."),
		"(l *Lagged) Rest(out []Marginals) (n int, err error)", `
n = min(l.lag, l.p.Len())
if len(out) < n {
	return 0, badLength("out", len(out), n)
}
for i := range n {
	if err := l.about(l.p.Len()-n+i, &out[i]); err != nil {
		return 0, err
	}
}
return n, nil`)
	g.fn(doc("about sets out to the posteriors of a slice given the evidence so far."), "(l *Lagged) about(slice int, out *Marginals) error", `
if err := l.p.e.goBack(l.back, l.frames, l.p.Len()-1, slice, l.p.LogProb(), l.one[:]); err != nil {
	return failSlice(out, err)
}
*out = l.one[0]
return nil`)
}
