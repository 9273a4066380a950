package switching

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// This file plans paths, where the Gaussians of histories are kept apart.
//
// The most probable path is a history of states together with the best values given it. On the way
// forward a history has the largest density of any values that end in its Gaussian's mean: the
// product of the densities of all CPDs at these values and of the probabilities of its states. As a
// function of the values that persist it is an unnormalised Gaussian with the moments of the
// filter, since the maximum of a Gaussian over some variables has the mean and the covariances of
// its integral, so that only the number that multiplies it differs. Two histories that are one to
// the filter are one here too, and the better past counts. On the way back, the best values of a
// slice are means given the slice after it.
//
// A draw goes back along a history that is drawn by its probability, in the same way.

// path plans the entries of viterbi.
func (b *builder) path(q *ir.Query) error {
	b.needSmoothed()
	for _, s := range []*slice{
		{name: ir.MaxFirst, m: b.first, best: true}, {name: ir.MaxNext, m: b.step, in: true, best: true},
		{name: ir.TraceFirst, m: b.first, best: true, back: true}, {name: ir.TraceNext, m: b.step, in: true, best: true, back: true},
	} {
		if err := b.plan(s, q); err != nil {
			return err
		}
	}
	return nil
}

// trajectory plans the entries of trajectory.
func (b *builder) trajectory(q *ir.Query) error {
	b.needSmoothed()
	for _, s := range []*slice{{name: ir.DrawFirst, m: b.first, draw: true, back: true}, {name: ir.DrawNext, m: b.step, in: true, draw: true, back: true}} {
		if err := b.plan(s, q); err != nil {
			return err
		}
	}
	return nil
}

// norms returns the sum of the logarithms of the densities of the CPDs of a slice at their means. A
// function has none.
func (b *builder) norms(c *gauss.Code, m *model.Model) circuit.Node {
	sum := circuit.Zero
	for _, v := range b.own(m) {
		f := m.CPD(v)
		if f == nil {
			continue
		}
		own, _ := m.SplitParents(f)
		var logs []float64
		for _, variance := range f.Gaussian().Var {
			log := 0.
			if variance > 0 {
				log = -.5 * pgmrt.Ln(2*math.Pi*variance)
			}
			logs = append(logs, log)
		}
		sum = c.Sum(sum, gauss.NewColumns(b.S, "ln density at the mean of "+m.FactorName(f), own).Read(c, logs))
	}
	return sum
}

// leaveValues adds the means of the real variables of a slice to the stream, in order.
func (b *builder) leaveValues(s *slice) {
	own := b.own(s.m)
	if len(own) == 0 {
		return
	}
	values := s.moments.Of(own)
	if s.weights != ir.NoTable {
		values = b.Mixture(values, s.weights, nil)
	}
	out := b.Add(ir.Table{Name: "values, " + s.name, Role: ir.RoleOut, Var: -1, Parts: len(own)})
	c := gauss.NewCode()
	for i := range own {
		c.Write(ir.MapPart{Table: out, Part: i}, c.Read(values.Mean[i]))
	}
	b.Do(c)
	s.e.Stream.Out = append(s.e.Stream.Out, out)
}

// drawAll draws all variables, each given those before it. The draws are then the means, and
// covariances are 0.
func (b *builder) drawAll(s *slice, c *gauss.Code, all *gauss.Moments) {
	noise := b.Add(ir.Table{Name: "noise, " + s.name, Role: ir.RoleTemp, Var: -1, Parts: len(all.Scope)})
	b.Ops = append(b.Ops, &ir.NoiseOp{Out: noise})
	for i, v := range append([]model.VarID(nil), all.Scope...) {
		spread := c.Sqrt(c.Max(all.Between(v, v), circuit.Zero))
		all.Condition(c.Circuit, v, circuit.One, c.Sum(all.Of(v), c.Prod(spread, c.Read(gauss.Part(noise, i)))))
	}
}
