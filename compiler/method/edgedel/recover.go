package edgedel

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
)

// How far belief propagation goes before edges are ranked, and how many edges are tried one by one:
// each wants an order.
const (
	recoverRounds    = 100
	recoverTolerance = 1e-6
	recoverTries     = 200
)

// recovered begins with a tree, in which the edges that tell most of their children are kept, lets
// messages along the others settle given the evidence, and puts deleted edges back by the mutual
// information of the parent and its clone, while clusters stay within the budget. It gives the
// edges that stay deleted, an elimination order for what is left, and how many edges came back.
//
// Source: Choi and Darwiche 2006, section 5 (recovering edges from polytree approximations).
func recovered(ctx context.Context, m *model.Model, budget float64, observed []model.VarID, evidence map[model.VarID]int, limit int) (deleted []Edge, by []int, back int, err error) {
	price := Price(m, true, limit)
	always := outOf(m, observed)
	candidates := crossing(m, always, price)
	s, err := settled(ctx, m, evidence, limit)
	if err != nil {
		return nil, nil, 0, err
	}
	kept := newKept(m, append(slices.Clone(always), candidates...))
	worth := map[Edge]float64{}
	for _, e := range candidates {
		worth[e] = s.information(kept, e)
	}
	slices.SortStableFunc(candidates, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(worth[b], worth[a]), cmp.Compare(price(b), price(a)))
	})
	r := &restorer{m: m, always: slices.Clone(always), budget: math.Log(budget) + 1e-9, tries: recoverTries}
	if size, by := r.largest(append(slices.Clone(always), candidates...)); size > r.budget { // the tree itself is too large
		for _, e := range choose(m, by, budget, append(slices.Clone(always), candidates...), price) {
			if !slices.Contains(candidates, e) && !slices.Contains(always, e) {
				r.always = append(r.always, e)
			}
		}
	}
	deleted = r.restore(candidates)
	back = len(candidates) - len(deleted)
	deleted = append(slices.Clone(r.always), deleted...)
	_, by = r.largest(deleted)
	return choose(m, by, budget, deleted, price), by, back, nil // no more, unless another order left the tree too large
}

// crossing are the edges that close a loop of a tree of variables and factors: one that keeps CPDs
// with their children, and then the edges with the highest price.
func crossing(m *model.Model, gone []Edge, price func(Edge) float64) (out []Edge) {
	trees := model.NewDisjointSets(len(m.Vars) + len(m.Factors))
	var edges []Edge
	for n, f := range m.Factors {
		for i, v := range f.Scope {
			switch e := (Edge{n, v}); {
			case i == f.Child:
				trees.Join(len(m.Vars)+n, int(v))
			case !slices.Contains(gone, e):
				edges = append(edges, e)
			}
		}
	}
	slices.SortStableFunc(edges, func(a, b Edge) int { return cmp.Compare(price(b), price(a)) })
	for _, e := range edges {
		if !trees.Join(len(m.Vars)+e.Factor, int(e.Parent)) {
			out = append(out, e)
		}
	}
	return out
}

// restorer puts edges back while an order of what is left keeps clusters within the budget.
type restorer struct {
	m      *model.Model
	always []Edge
	budget float64 // ln of joint states
	tries  int
}

// restore gives those of candidates, the best first, that stay deleted: as many of the first as fit
// together come back, then each that fits yet.
func (r *restorer) restore(candidates []Edge) (deleted []Edge) {
	low, high := 0, len(candidates)
	for low < high {
		k := (low + high + 1) / 2
		if r.fits(candidates[k:]) {
			low = k
		} else {
			high = k - 1
		}
	}
	deleted = slices.Clone(candidates[low:])
	for i := 1; i < len(deleted) && r.tries > 0; r.tries-- { // the first does not fit
		if less := slices.Delete(slices.Clone(deleted), i, i+1); r.fits(less) {
			deleted = less
		} else {
			i++
		}
	}
	return deleted
}

func (r *restorer) fits(deleted []Edge) bool {
	size, _ := r.largest(append(slices.Clone(r.always), deleted...))
	return size <= r.budget
}

// largest is ln of the joint states of the largest cluster of a greedy order without some edges,
// and the order.
func (r *restorer) largest(deleted []Edge) (size float64, by []int) {
	left := &model.Model{Vars: r.m.Vars}
	gone := map[Edge]bool{}
	for _, e := range deleted {
		gone[e] = true
	}
	for n, f := range r.m.Factors {
		scope := slices.DeleteFunc(slices.Clone(f.Scope), func(v model.VarID) bool { return gone[Edge{n, v}] })
		left.Factors = append(left.Factors, &model.Factor{Scope: scope, Child: -1})
	}
	best := order.Best(order.FromModel(left), order.Options{Heuristics: []order.Heuristic{order.WeightedMinFill}})
	return math.Log(best.Cost.Largest), best.Order
}
