package switching

import (
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
)

// This file plans the way back over a sequence, as Kim 1994 does, "Dynamic linear models with
// Markov-switching". The slice is filtered again, with the Gaussians of all states before it and in
// it apart. Two things are then taken for true that are not in general. Given the states of the
// discrete variables that persist, later evidence tells nothing of the other discrete variables, so
// that it is a likelihood of those states: the ratio of their probabilities given all evidence and
// given that so far. And given those states and the real variables that persist, it tells nothing
// of all else, so that the other moments follow from the regression on them, as in the smoother of
// Rauch, Tung and Striebel. Both are true if the belief is exact with one Gaussian for each state.
//
// Where the Gaussians of histories are kept apart, a run is about one history before the slice, the
// states of the slice by which it goes on, and one Gaussian after it given all evidence. Nothing is
// then taken for true that is not, since a history tells all that later evidence depends on.

// backward plans the entries of smooth.
func (b *builder) backward(q *ir.Query) error {
	b.needSmoothed()
	for _, s := range []*slice{{name: ir.SmoothFirst, m: b.first, back: true}, {name: ir.SmoothNext, m: b.step, in: true, back: true}} {
		if err := b.plan(s, q); err != nil {
			return err
		}
	}
	return nil
}

// needSmoothed adds the beliefs after a slice that enter on the way back, unless they are there.
func (b *builder) needSmoothed() {
	if b.hasSmoothed {
		return
	}
	b.hasSmoothed = true
	b.filtered = belief{ir.NoTable, ir.NoTable}
	after := b.after
	if b.rule.Histories != nil {
		after.discrete = nil
	} else {
		b.filtered = b.table("filtered", after, b.rule.Each)
	}
	b.smoothed = b.table("smoothed", after, b.rule.Each)
}

// expect plans the likelihood of later evidence by the states that persist. The probabilities of
// these by the evidence so far are the filtered belief's, except for a filter that merges early:
// its result differs from the result of a slice with separate Gaussians before it.
func (b *builder) expect(s *slice) error {
	if b.smoothed.states == ir.NoTable {
		return nil
	}
	sofar := b.filtered.states
	if b.rule.Early {
		made, err := b.use(s, &ir.Query{Name: s.name + " so far", Kind: ir.Joint, Targets: b.after.discrete})
		if err != nil {
			return err
		}
		sofar = made[0].Outs[0]
	}
	s.later = b.Add(ir.Table{Name: "evidence on later slices, " + s.name, Scope: b.after.discrete, Role: ir.RoleOut, Var: -1})
	c := gauss.NewCode()
	c.Write(ir.MapPart{Table: s.later}, c.Ratio(c.Read(gauss.Part(b.smoothed.states, 0)), c.Read(gauss.Part(sofar, 0))))
	b.Do(c)
	s.e.Blocks = append(s.e.Blocks, b.Block(s.name+" later"))
	return nil
}

// regress plans the moments of the slice and the variables before it given all evidence, for each
// state of the context and of the discrete variables that persist.
func (b *builder) regress(s *slice) {
	c := gauss.NewCode()
	after := stored(b.smoothed.moments, b.after.real)
	slice, all := s.moments.Read(c), after.Read(c)
	if b.factored || b.exact {
		slice, all = slice.Factor(c.Circuit, b.exact), all.Factor(c.Circuit, b.exact)
	}
	rest, kept := slice.Regress(c.Circuit, b.after.real)
	gauss.Join(c.Circuit, all, rest, kept)
	if s.draw {
		b.drawAll(s, c, all)
	}
	scope := s.context
	if b.rule.Each {
		scope = union(scope, b.after.discrete)
	}
	w := b.NewWriter(c, b.Temp("smoothed moments, "+s.name, scope))
	vars := b.own(s.m)
	if s.in {
		vars = union(vars, b.before.real)
	}
	s.moments = keep(w, all, vars, b.before.real)
	w.Run()
}
