package compiler

import (
	"iter"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
)

// order returns an elimination order; see method.Context.Order.
func (b *build) order(scopes [][]model.VarID, vars []model.VarID, group []int) ([]int, error) {
	m := b.problem.Model
	if b.used != nil {
		m = b.used
	}
	g := order.NewGraph(m)
	eliminated := make([]bool, len(m.Vars))
	for _, v := range vars {
		g.Vertices = append(g.Vertices, int(v))
		eliminated[v] = true
	}
	for _, scope := range scopes {
		var in []model.VarID
		for _, v := range scope {
			if eliminated[v] {
				in = append(in, v)
			}
		}
		g.AddClique(in)
	}
	r := b.given(g, eliminated, group)
	if r.Order == nil {
		opt := b.searching()
		opt.Group = group
		r = b.searches.Best(g, opt)
	}
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	b.result.Orders = append(b.result.Orders, r)
	if r.Cost.Members > maxMembers || math.IsInf(r.Cost.Entries, 1) {
		b.tables = unknown(r.Cost.Largest, b.problem.Queries)
		return nil, errSized
	}
	return r.Order, nil
}

// searching returns the options of searches for orders, which end with the context.
func (b *build) searching() order.Options {
	return order.Options{Heuristics: b.opt.Heuristics, Steps: max(0, b.opt.Steps), Seed: b.opt.Seed, Quick: b.opt.Steps < 0,
		Stop: func() bool { return b.ctx.Err() != nil }}
}

// orders returns several orders of all variables of m; see method.Context.
func (b *build) orders(m *model.Model, n int) iter.Seq[[]int] {
	g := order.FromModel(m)
	if b.opt.Order != nil {
		given := slices.Clone(b.opt.Order)
		for v := len(given); v < len(m.Vars); v++ { // auxiliary variables come last, where they keep apart the factors that they decompose
			given = append(given, v)
		}
		b.result.Orders = append(b.result.Orders, order.Result{Order: given, Cost: g.CostOf(given)})
		return slices.Values([][]int{given})
	}
	opt := b.searching()
	if b.opt.Steps < 0 {
		n = 1
	}
	first := b.searches.Best(g, opt)
	b.result.Orders = append(b.result.Orders, order.Result{Order: first.Order, Cost: g.CostOf(first.Order)})
	return order.Candidates(g, first.Order, opt, n)
}

// given returns the order of the options, restricted to the variables that are eliminated. Without
// one, the result has no order.
func (b *build) given(g *order.Graph, eliminated []bool, group []int) order.Result {
	var r order.Result
	if b.opt.Order == nil {
		return r
	}
	last := 0
	for _, x := range group {
		last = max(last, x)
	}
	for level := 0; level <= last; level++ {
		for _, v := range b.opt.Order {
			if eliminated[v] && (group == nil || group[v] == level) {
				r.Order = append(r.Order, v)
			}
		}
	}
	r.Cost = g.CostOf(r.Order)
	return r
}
