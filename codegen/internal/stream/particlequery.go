package stream

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// particles declares the type Particles and what it answers. The entry of slice 0 stands for both.
func (g *Methods) particles(e *ir.Entry) {
	next := g.Program.Entry(ir.FilterNext)
	g.particlesType(e, next)
	g.particlesAbout()
	g.particlesSlice(e, "particlesFirst", "particlesFirst draws slice 0 of p; see Step.", nil)
	g.particlesSlice(next, "particlesNext", "particlesNext draws a later slice of p; see Step.", g.Model.Transition.Before)
	g.Func(source.Doc("Step draws the next slice of all particles and weighs them by its evidence; ev and soft may be nil. Unless out is nil, it sets out to",
		"estimates of the posterior of each variable of the slice given the evidence so far, and LogP to LogProb. It allocates nothing. The error",
		"is ErrParticles if no particle agrees with the evidence, which need not be impossible. An error leaves p as it was, and all posteriors of out 0."),
		"(p *Particles) Step(ev *Evidence, soft *Soft, out *Marginals) error", `
if p.c.Slices() == 0 {
	return p.e.particlesFirst(p, ev, soft, out)
}
return p.e.particlesNext(p, ev, soft, out)`)
	g.failSlice()
	g.particlesBelief()
	g.particlesPredict()
	g.particlesBinary()
}

// particlesType declares the type Particles, its options and how one begins.
func (g *Methods) particlesType(first, next *ir.Entry) {
	how := first.Stream.Histories
	discrete, _ := g.Model.SplitReal(g.Model.IDs())
	certain := false
	for _, e := range []*ir.Entry{first, next} {
		_, count := e.Stream.Particle(g.Model)
		certain = certain || count != ir.NoSpan
	}
	scheme := [...]string{ir.Systematic: "ResampleSystematic", ir.Stratified: "ResampleStratified", ir.Residual: "ResampleResidual"}[how.Draw.Scheme]
	from := "from the distributions of the model"
	switch p := how.Draw.Proposal; p {
	case ir.FromCPDs:
	case ir.FromPosterior:
		from = "from their posterior given the evidence on the slice"
	default:
		from = "near their distribution given the evidence, by method " + p.String()
	}
	of := "the variables of a slice: a particle filter (Gordon, Salmond and"
	if how.Draw.Kept != nil {
		of = "some variables of a slice, with a normal distribution of the others: a Rao-Blackwellised particle filter (Gordon, Salmond and"
	}
	g.Out.Add(source.Doc("Particles follows one sequence slice by slice, by weighted samples of "+of,
		"Smith 1993). Particles are drawn "+from+", and weighed by the evidence. If their effective sample size falls",
		fmt.Sprintf("below %v of their number, those that go on are drawn by the %s scheme. The same seed gives the same numbers.", how.Draw.Enough, how.Draw.Scheme), "",
		"Particles computes in the memory of an engine, which it keeps a pointer to. It is for one goroutine at a time, and so are all of one",
		"engine. NewParticles makes one; the zero Particles is ready for UnmarshalBinary alone."))
	g.Out.Type().Id(particlesType).StructFunc(func(s *jen.Group) {
		s.Id("e").Op("*").Id("Engine")
		s.Id("c").Op("*").Id(g.RT("Cloud"))
		if !slices.ContainsFunc(g.Model.Vars, func(v *model.Var) bool { return v.Given }) {
			s.Id("ahead").Op("*").Id(particlesType).Comment("// the memory of Predict")
		}
	})
	g.Out.Line()
	g.Func(source.Doc("particlesOptions returns the options that the package was compiled with."), "particlesOptions() "+g.RT("CloudOptions"), fmt.Sprintf(
		"return %s{Particles: %d, Seed: %d, Resampling: %s, Enough: %v, States: %d, Values: %d, Certain: %v%s}",
		g.RT("CloudOptions"), how.Most, how.Draw.Seed, g.RT(scheme), how.Draw.Enough, len(discrete), g.particleValues(how), certain, furtherOptions(how.Draw)))
	g.Func(source.Doc(fmt.Sprintf("NewParticles returns n particles before slice 0, with an engine of their own. If n or seed is 0, it is that of pgmc compile: %d, %d.",
		how.Most, how.Draw.Seed)), "NewParticles(n int, seed uint64) *Particles", "return New().NewParticles(n, seed)")
	g.Func(source.Doc("NewParticles returns n particles before slice 0 that use e, as many others may in one goroutine; see the function NewParticles."),
		"(e *Engine) NewParticles(n int, seed uint64) *Particles",
		fmt.Sprintf("return &Particles{e: e, c: %s(%s{Particles: n, Seed: seed}, particlesOptions())}", g.RT("NewCloud"), g.RT("CloudOptions")))
}

// particlesAbout declares the methods of Particles about the state of a run.
func (g *Methods) particlesAbout() {
	g.Func(source.Doc("Use makes p use the memory of e from now on, so that another goroutine than before may have p."), "(p *Particles) Use(e *Engine)", "p.e = e")
	g.Func(source.Doc("Clone returns a copy of p, which is a branch of the sequence: from now on both go on from the same random numbers."), "(p *Particles) Clone() *Particles",
		"return &Particles{e: p.e, c: p.c.Clone()}")
	g.Func(source.Doc("Reset puts p before slice 0 again, with its first seed."), "(p *Particles) Reset()", "p.c.Reset()")
	g.Func(source.Doc("Len returns the number of slices so far."), "(p *Particles) Len() int", "return p.c.Slices()")
	g.Func(source.Doc("Size returns the number of particles."), "(p *Particles) Size() int", "return p.c.Size()")
	g.Func(source.Doc("LogProb returns the natural logarithm of an unbiased estimate of the probability of the evidence so far: of its density, if it has",
		"values of real variables."), "(p *Particles) LogProb() float64", "return p.c.LogP()")
	g.Func(source.Doc("LogError returns the standard error of LogProb. It is estimated from the same particles and leaves out what resampling adds."),
		"(p *Particles) LogError() float64", "return p.c.LogError()")
	g.Func(source.Doc("ESS returns the effective sample size of the last slice: the number of particles of equal weight with the same standard errors. If it is",
		"far below Size, more particles are needed. Before slice 0 it is 0."), "(p *Particles) ESS() float64", "return p.c.ESS()")
}

// furtherOptions returns the fields of options about trial draws and moves that are not 0.
func furtherOptions(d *ir.Draw) (text string) {
	if d.Ahead > 0 {
		text += fmt.Sprintf(", Ahead: %d", d.Ahead)
	}
	if d.Moves > 0 {
		text += fmt.Sprintf(", Moves: %d", d.Moves)
	}
	if d.Kept != nil {
		text += fmt.Sprintf(", Spread: []int32{%s}", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(d.Kept.Spread)), ", "), "[]"))
	}
	return text
}

// particleValues returns the number of values of a particle.
func (g *Methods) particleValues(how *ir.Histories) int {
	if how.Draw.Kept != nil {
		return how.Draw.Kept.Values
	}
	return len(g.Model.Reals())
}

// particlesSlice declares a method of Engine that draws a slice of all particles.
func (g *Methods) particlesSlice(e *ir.Entry, name, comment string, before []model.VarID) {
	const fail = "\treturn failSlice(out, "
	draw := strings.Replace(name, "particles", "particle", 1)
	g.Func(source.Doc(draw+" draws the slice of new particle i of c. It returns the logarithm of what its weight is multiplied by, and the number of",
		"observed values that are certain."), fmt.Sprintf("(e *Engine) %s(c *%s, i int) (log, certain float64, err error)", draw, g.RT("Cloud")),
		g.particleMemories()+g.drawParticle(e, before))
	move := ""
	if e.Stream.Histories.Draw.Moves > 0 {
		move = "_ = p.c.Move(e." + draw + ") // which draws without errors\n"
	}
	g.Func(source.Doc(comment), fmt.Sprintf("(e *Engine) %s(p *Particles, ev *Evidence, soft *Soft, out *Marginals) error", name),
		g.Enter(e, "scale", fail+"err)")+"e.rng = p.c.Rand()\nif err := p.c.Step(e."+draw+", scale); err != nil {\n"+fail+"err)\n}\nif out != nil {\n\tp.Belief(out)\n}\n"+move+"return nil")
}

// particleMemories returns the statements that declare the memories of a particle's program.
func (g *Methods) particleMemories() string {
	if discrete, _ := g.Model.SplitReal(g.Model.IDs()); len(discrete) > 0 {
		return "w := e.work()\nt := e.state()\n"
	}
	return "w := e.work()\n"
}

// drawParticle returns the statements that draw a slice of new particle i of c.
func (g *Methods) drawParticle(e *ir.Entry, before []model.VarID) string {
	var out strings.Builder
	discrete, _ := g.Model.SplitReal(g.Model.IDs())
	size := g.particleValues(e.Stream.Histories)
	for k, v := range discrete {
		fmt.Fprintf(&out, "states[%d] = %s\n", k, g.stateOf(int(v)))
	}
	from, count := e.Stream.Particle(g.Model)
	certain := "0"
	if count != ir.NoSpan {
		certain = fmt.Sprintf("w[%d]", g.Program.Spans[count].Offset)
	}
	if from != ir.NoSpan {
		fmt.Fprintf(&out, "*(*[%[1]d]float64)(values) = [%[1]d]float64(%s)\n", size, api.Slice("w", &g.Program.Spans[from]))
	}
	text := ""
	if in, states, values := g.enterParticle(e, before); in != "" {
		text = fmt.Sprintf("%s, %s := c.Before(i)\n%s", states, values, in)
	}
	return text + g.Run(e, e.Blocks) + g.particleRows(len(discrete), size) + out.String() + fmt.Sprintf("return %s, %s, nil", g.particleLog(e), certain)
}

// stateOf returns the expression of the state of a variable of the step.
func (g *Methods) stateOf(v int) string {
	return fmt.Sprintf("t[%d]", g.Program.Spans[g.Program.State].Offset+v)
}

// particleLog returns the expression of the logarithm of what the weight of a particle is
// multiplied by. The root is part of it if the posterior is drawn from; other programs have none.
func (g *Methods) particleLog(e *ir.Entry) string {
	list := g.BesideRoot(e)
	if e.Stream.Histories.Draw.Proposal == ir.FromPosterior && e.Query.Name != ir.SmoothNext {
		list = append([]string{fmt.Sprintf("%s(w[%d])", g.RT("Ln"), g.Program.Spans[e.Root].Offset)}, list...)
	}
	return strings.ReplaceAll(strings.Join(list, " + "), "e.work()", "w")
}

// enterParticle returns the statements that enter a particle of the slice before, and the names of
// its states and values there, each _ if it is not read.
func (g *Methods) enterParticle(e *ir.Entry, before []model.VarID) (text, states, values string) {
	var in strings.Builder
	discrete, real := g.Model.SplitReal(g.Model.IDs())
	states, values = "_", "_"
	k, joint := 0, ""
	for i, v := range before {
		if g.Model.IsReal(v) {
			values = "valuesBefore"
			fmt.Fprintf(&in, "w[%d] = valuesBefore[%d]\n", g.Program.Spans[e.Stream.In[len(e.Stream.In)-1]].Offset+k, slices.Index(real, v))
			k++
			continue
		}
		states = "statesBefore"
		state := fmt.Sprintf("statesBefore[%d]", slices.Index(discrete, v))
		switch {
		case len(e.Stream.States) > 0:
			fmt.Fprintf(&in, "%s = %s\n", g.stateOf(len(g.Model.Vars)+i), state)
		case joint == "":
			joint = fmt.Sprintf("int(%s)", state)
		default:
			joint = fmt.Sprintf("(%s)*%d+int(%s)", joint, g.Model.Card(v), state)
		}
	}
	if kept := e.Stream.Histories.Draw.Kept; kept != nil && len(e.Stream.In) > 0 {
		first := g.Program.Spans[e.Stream.In[0]].Offset + k
		for i, at := range kept.Carried {
			values = "valuesBefore"
			fmt.Fprintf(&in, "w[%d] = valuesBefore[%d]\n", first+i, at)
		}
	}
	if joint != "" {
		s := &g.Program.Spans[e.Stream.In[0]]
		fmt.Fprintf(&in, "clear(%s)\nw[%d+%s] = 1\n", api.Slice("w", s), s.Offset, joint)
	}
	return in.String(), states, values
}

// particleRows returns the statement that finds the rows of a new particle.
func (g *Methods) particleRows(states, values int) string {
	switch {
	case states == 0:
		return "_, values := c.New(i)\n"
	case values == 0:
		return "states, _ := c.New(i)\n"
	}
	return "states, values := c.New(i)\n"
}

// particlesBelief declares Belief.
func (g *Methods) particlesBelief() {
	g.Func(source.Doc("Belief sets out to estimates of the posteriors of the variables of the last slice given the evidence so far, and LogP to LogProb. Before",
		"slice 0 all posteriors are 0."),
		"(p *Particles) Belief(out *Marginals)", "*out = Marginals{LogP: p.LogProb()}\nif p.c.Slices() == 0 {\n\treturn\n}\n"+g.drawnAnswers("p.c"))
}

// drawnAnswers returns the statements that set the posteriors of out to those by samples, which the
// expression from holds.
func (g *Methods) drawnAnswers(from string) string {
	discrete, real := g.Model.SplitReal(g.Model.IDs())
	text := &strings.Builder{}
	for _, x := range g.Names.Observable() {
		text.WriteString(x.Port.Drawn("out."+x.ID, from, max(slices.Index(discrete, x.Var.ID), slices.Index(real, x.Var.ID))))
	}
	return text.String()
}

// particlesPredict declares Predict.
func (g *Methods) particlesPredict() {
	g.predict(particlesType, "estimates of the posteriors", "if p.ahead == nil {\n\tp.ahead = p.Clone()\n}\nbranch := p.ahead\nbranch.e = p.e\nbranch.c.Set(p.c)\n",
		"The first call allocates a second set of particles, which p keeps.")
}

// particlesBinary declares the binary form of Particles.
func (g *Methods) particlesBinary() {
	var cards []string
	discrete, _ := g.Model.SplitReal(g.Model.IDs())
	for _, v := range discrete {
		cards = append(cards, fmt.Sprint(g.Model.Card(v)))
	}
	g.binaryForm(particlesType, "the particles", "particles", "of p, its particles and the state of its random numbers,", g.RT("AppendCloud")+"(b, fingerprint, p.c)", fmt.Sprintf(`
c, err := %s(data, fingerprint, []int32{%s}, particlesOptions())
if err != nil {
	return names.Wrap(err)
}
if p.e == nil {
	p.e = New()
}
p.c = c
return nil`, g.RT("ReadCloud"), strings.Join(cards, ", ")))
}
