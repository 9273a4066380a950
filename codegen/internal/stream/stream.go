// Package stream writes the methods that answer queries about sequences: filters, smoothers, the
// search for most probable paths, and the predictions of slices. The belief that passes from slice
// to slice may be an array of numbers, a mixture over histories of states, or a cloud of particles.
package stream

import (
	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/batch"
	"github.com/pgmc-go/pgmc/codegen/internal/store"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Methods plans and writes the methods of queries about sequences.
type Methods struct {
	*batch.Methods
	kept   beliefForm             // of filters and paths, if it is an array
	past   *histories             // the belief, if it is a mixture over histories of states; nil otherwise
	steady map[string]*steadyStep // by entry: its step with gains that came again
	many   manySteps
}

// manySteps is how Steps makes several steps at once other than in lanes. Both may be nil.
type manySteps struct {
	forward *forwardStep // the step of a hidden Markov model
	wide    *wideStep    // the assembly of the step of a model of real variables
}

// New returns the sequences of a package. It refuses a belief of a form that packages do not know.
func New(b *batch.Methods) (g *Methods, err error) {
	m, p := b.Model, b.Program
	g = &Methods{Methods: b, past: historiesOf(m, p)}
	for _, name := range []string{ir.MaxNext, ir.FilterNext} { // that of filter counts, if there are both
		if e := p.Entry(name); e != nil && e.Stream != nil && e.Stream.Histories == nil && err == nil && (name == ir.FilterNext || len(m.Reals()) == 0) {
			g.kept, err = beliefOf(m, p, e)
		}
	}
	return g, err
}

// PlanLanes prepares what runs in lanes: batches, and Steps.
func (g *Methods) PlanLanes(numbers *store.NumberPool, ints *[]int32) error {
	step := g.Program.Entry(ir.FilterBelief)
	if g.many.forward = g.findForward(); g.many.forward != nil {
		step = nil
	}
	if err := g.Methods.PlanLanes(numbers, ints, step); err != nil {
		return err
	}
	if step != nil && g.Steps == nil {
		g.findWide(numbers)
	}
	return nil
}

// Names of the runtime that are part of the API: of packages with filters, if a filter does not
// keep all of a belief, and if a step may find too many histories.
const (
	filterError    = "ErrFilter"
	particlesError = "ErrParticles"
	historiesError = "ErrHistories"
)

// Shown holds the names of the runtime that are part of the API of packages with filters.
var Shown = []string{filterError}

// ErrorNames returns further names of the runtime that are part of the API of a package for p.
func ErrorNames(m *model.Model, p *ir.Program) (list []string) {
	h, recalls := historiesOf(m, p), p.Entry(ir.SmoothFirst) != nil || p.Entry(ir.MaxFirst) != nil
	if h != nil && (h.mayRefuse || recalls) {
		list = append(list, historiesError)
	}
	if DrawnSlice(p) != nil || h != nil && h.rule.Beyond != ir.RefuseHistories {
		list = append(list, particlesError)
	}
	return list
}

// particlesType is the type of a filter by particles.
const particlesType = "Particles"

// Names returns the exported names of filters, which keep their belief in particles or not.
func Names(p *ir.Program) []string {
	if DrawnSlice(p) != nil {
		return []string{"NewParticles", particlesType}
	}
	return []string{"Filter", "NewFilter", batch.StepsMethod}
}

// DrawnSlice returns the entry that draws slice 0 of a particle, or nil if the program has none.
func DrawnSlice(p *ir.Program) *ir.Entry {
	e := p.Entry(ir.FilterFirst)
	if e == nil || e.Stream.Histories == nil || e.Stream.Histories.Draw == nil || !e.Stream.Histories.Draw.Whole {
		return nil
	}
	return e
}

// Fields declares the fields of Engine for rows and filters that are answered at once.
func (g *Methods) Fields(s *jen.Group) {
	g.Methods.Fields(s)
	if w := g.many.wide; w != nil {
		s.Id("stepLanes").Op("*").Index(jen.Lit(w.numbers())).Float64().Comment("// streams in lanes, allocated by the first call of " + batch.StepsMethod)
	}
	if g.many.forward != nil {
		s.Id("forward").Op("*").Id(g.RT("Forward")).Comment("// streams at once, allocated by the first call of " + batch.StepsMethod)
	}
	g.NestFields(s)
}

// Reports returns the reports of the batches that the package has, and of Steps.
func (g *Methods) Reports() []batch.Report {
	list := g.Methods.Reports()
	switch {
	case g.Program.Entry(ir.FilterFirst) == nil || DrawnSlice(g.Program) != nil:
		return list
	case g.many.wide != nil:
		return append(list, g.many.wide.report())
	case g.many.forward != nil:
		return append(list, g.many.forward.report())
	}
	return append(list, g.Steps.Report(batch.StepsMethod))
}

// Histories returns the most histories of states that a filter holds, and how many numbers each
// has: 0 if its belief is no mixture over histories.
func (g *Methods) Histories() (most, each int) {
	if g.past == nil {
		return 0, 0
	}
	return g.past.most, g.past.each()
}

// SteadyOps returns the number of operations of a step of a filter, with posteriors, with the gains
// of a step before: 0 if all steps compute their gains.
func (g *Methods) SteadyOps() int {
	if g.steady[ir.FilterNext] == nil {
		return 0
	}
	return g.Plan[g.Program.Entry(ir.MeansOf(ir.FilterNext)).Blocks[0]].Cost.Ops
}
