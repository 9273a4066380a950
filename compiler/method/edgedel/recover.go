package edgedel

import (
	"cmp"
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// The limits of belief propagation before edges are ranked, and of the number of edges that are
// tried one by one, each of which needs an elimination order.
const (
	recoverRounds    = 100
	recoverTolerance = 1e-6
	recoverTries     = 200
)

// recovered chooses edges by recovery. It begins with a tree that keeps the edges with the most
// mutual information, runs belief propagation on the whole network given the evidence, and restores
// deleted edges by the mutual information of the parent and its clone while clusters stay within
// the budget. It returns the edges that stay deleted, an elimination order of the simplified
// network, and the number of restored edges.
//
// Source: Choi and Darwiche 2006, section 5 (recovering edges from polytree approximations).
func recovered(ctx context.Context, m *model.Model, budget float64, observed []model.VarID, evidence map[model.VarID]int, limit int) (deleted []Edge, by []int, back int, err error) {
	price := Price(m, true, limit)
	always := outOf(m, observed)
	candidates := crossing(m, always, price)
	s, err := calibrate(ctx, m, evidence, limit)
	if err != nil {
		return nil, nil, 0, err
	}
	tree := newKeptTree(m, append(slices.Clone(always), candidates...))
	info := map[Edge]float64{}
	for _, e := range candidates {
		info[e] = s.information(tree, e)
	}
	slices.SortStableFunc(candidates, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(info[b], info[a]), cmp.Compare(price(b), price(a)))
	})
	r := &restorer{m: m, always: slices.Clone(always), budget: pgmrt.Ln(budget) + 1e-9, tries: recoverTries}
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
	return choose(m, by, budget, deleted, price), by, back, nil // deletes no more edges unless another order made the tree too large
}

// crossing returns the edges that close a loop with a spanning tree of variables and factors. The
// tree has the edges between CPDs and their children, and then those with the highest price.
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

// restorer restores edges while some elimination order keeps clusters within the budget.
type restorer struct {
	m      *model.Model
	always []Edge
	budget float64 // ln of the number of joint states
	tries  int
}

// restore returns the edges of candidates, which are sorted from best to worst, that stay deleted.
// It restores the longest prefix that fits, found by bisection, and then each further edge that
// fits.
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

// largest returns ln of the number of joint states of the largest cluster of a greedy order without
// the deleted edges, and the order.
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
	return pgmrt.Ln(best.Cost.Largest), best.Order
}
