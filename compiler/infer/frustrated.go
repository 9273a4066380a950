package infer

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/internal/bound"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// beliefSlack is the distance from the least energy of a belief up to which an energy counts as
// least, as in [pgmrt.Decoding].
const beliefSlack = 1e-6

// frustrated reports whether it is proven that no joint state is the best of every belief of
// max-product messages, after the last run of m. To find one is a constraint satisfaction problem:
// arc consistency makes it small, and a search of little work solves the rest. Source: Koller and
// Friedman, section 13.4.1.2.
func frustrated(ctx context.Context, p *ir.Program, e *ir.Entry, m *eval.Machine) bool {
	c := constraintsOf(p, e, m)
	if !c.propagate() {
		return true
	}
	rest := c.rest()
	found, err := bound.First(ctx, rest, slices.Repeat([]bool{true}, len(rest.Vars)), bound.Options{MaxTable: compiler.DefaultMaxTable})
	return err == nil && found != nil && math.IsInf(found.Value, -1)
}

// constraints has the joint states that are best in each belief over several variables.
type constraints struct {
	domain [][]bool // by variable and state: it may be part of a solution
	list   []constraint
}

type constraint struct {
	axes []ir.Axis
	best []bool // by joint state, row-major
}

// constraintsOf reads the beliefs by which entry e of p has measured the slack of its states.
func constraintsOf(p *ir.Program, e *ir.Entry, m *eval.Machine) *constraints {
	c := &constraints{}
	for _, n := range e.Blocks[e.Loop.End:] {
		for _, step := range p.Blocks[n].Steps {
			s, ok := step.(*ir.MinSum)
			if !ok || slices.ContainsFunc(s.Axes, func(a ir.Axis) bool { return a.Kind != ir.AxisFixed }) {
				continue
			}
			c.list = append(c.list, constraint{s.Axes, bestOf(s, m)})
			for _, a := range s.Axes {
				for len(c.domain) <= int(a.Var) {
					c.domain = append(c.domain, nil)
				}
				c.domain[a.Var] = slices.Repeat([]bool{true}, a.Size)
			}
		}
	}
	return c
}

// bestOf reports which joint states of the axes of s have the least energy.
func bestOf(s *ir.MinSum, m *eval.Machine) []bool {
	x := constraint{axes: s.Axes}
	var energies []float64
	table := m.Span(s.Table)
	x.each(func(at int, states []int) {
		if s.Form != ir.FormTable {
			at = states[0] - states[1] + s.Axes[0].Size - 1
		}
		sum := table[at]
		for i, in := range s.In {
			if in != ir.NoSpan {
				sum += m.Span(in)[states[i]]
			}
		}
		energies = append(energies, sum)
	})
	least := slices.Min(energies)
	for _, e := range energies {
		x.best = append(x.best, e <= least+beliefSlack)
	}
	return x.best
}

// each calls do with each joint state, and its place.
func (x *constraint) each(do func(at int, states []int)) {
	n := 1
	for _, a := range x.axes {
		n *= a.Size
	}
	states := make([]int, len(x.axes))
	for at := range n {
		rest := at
		for i, a := range slices.Backward(x.axes) {
			states[i], rest = rest%a.Size, rest/a.Size
		}
		do(at, states)
	}
}

// propagate removes states without support until all constraints are arc consistent. It reports
// false if a variable has no state left.
func (c *constraints) propagate() bool {
	for changed := true; changed; {
		changed = false
		for i := range c.list {
			x := &c.list[i]
			support := make([][]bool, len(x.axes))
			for k, a := range x.axes {
				support[k] = make([]bool, a.Size)
			}
			x.each(func(at int, states []int) {
				for k, s := range states {
					x.best[at] = x.best[at] && c.domain[x.axes[k].Var][s]
				}
				for k, s := range states {
					support[k][s] = support[k][s] || x.best[at]
				}
			})
			for k, a := range x.axes {
				changed = changed || !slices.Equal(c.domain[a.Var], support[k])
				c.domain[a.Var] = support[k]
				if !slices.Contains(support[k], true) {
					return false
				}
			}
		}
	}
	return true
}

// rest returns a Markov network of the variables with several states left: with a factor for each
// constraint between them, which is 1 for its best joint states and 0 for others.
func (c *constraints) rest() *model.Model {
	m := &model.Model{Kind: model.Markov}
	id := make([]model.VarID, len(c.domain))
	for v, domain := range c.domain {
		var states []string
		for s, left := range domain {
			if left {
				states = append(states, strconv.Itoa(s))
			}
		}
		if id[v] = -1; len(states) > 1 {
			id[v] = model.VarID(len(m.Vars))
			m.NewVar(strconv.Itoa(v), states...)
		}
	}
	for i := range c.list {
		x, f := &c.list[i], &model.Factor{Child: -1}
		values := &model.Table{}
		for _, a := range x.axes {
			if id[a.Var] >= 0 {
				f.Scope = append(f.Scope, id[a.Var])
			}
		}
		x.each(func(at int, states []int) {
			for k, s := range states {
				if !c.domain[x.axes[k].Var][s] {
					return
				}
			}
			values.Values = append(values.Values, map[bool]float64{true: 1}[x.best[at]])
		})
		if f.Dist = values; len(f.Scope) > 0 {
			m.Factors = append(m.Factors, f)
		}
	}
	return m
}
