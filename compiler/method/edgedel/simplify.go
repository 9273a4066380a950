package edgedel

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Simplify returns m without some edges: each CPD that lost edges is averaged over the given
// distributions of the lost parents (definition 1 of Choi, Chan and Darwiche 2005). It returns an
// error if a table of m has more than limit numbers.
func Simplify(m *model.Model, edges []Edge, posterior func(model.VarID) []float64, limit int) (*model.Model, error) {
	out := *m
	out.Factors = slices.Clone(m.Factors)
	lost := make([][]model.VarID, len(m.Factors))
	for _, e := range edges {
		lost[e.Factor] = append(lost[e.Factor], e.Parent)
	}
	for n, parents := range lost {
		if len(parents) == 0 {
			continue
		}
		f := m.Factors[n]
		values, err := m.Tabulate(f, limit)
		if err != nil {
			return nil, err
		}
		g := &model.Factor{Scope: slices.Clone(f.Scope), Child: -1, Pos: f.Pos}
		for _, v := range parents {
			g.Scope = without(g.Scope, v)
		}
		if f.Child >= 0 {
			g.Child = slices.Index(g.Scope, f.ChildVar())
		}
		g.Dist = &model.Table{Values: average(m, f.Scope, values, g.Scope, parents, posterior)}
		out.Factors[n] = g
	}
	return &out, nil
}

// average sums values over scope onto left, weighted by the distributions of the other variables.
func average(m *model.Model, scope []model.VarID, values []float64, left, others []model.VarID, posterior func(model.VarID) []float64) []float64 {
	size, _ := m.TableSize(left)
	out, state := make([]float64, size), make([]int, len(m.Vars))
	for _, x := range values {
		at := m.Index(left, state)
		for _, v := range others {
			x *= posterior(v)[state[v]]
		}
		out[at] += x
		m.Next(scope, state)
	}
	return out
}
