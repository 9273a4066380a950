package mle

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// SharedPrior is the prior that the rows of some CPDs share.
type SharedPrior struct {
	Vars []model.VarID // the children of the CPDs
	Rows int           // the rows with counts
	Dirichlet
}

// share finds the sets of groups with rows that share a prior: by Options.Shared, and each other
// group by itself.
func (e *Estimator) share() error {
	if e.opt.KeepZeros {
		return fmt.Errorf("numbers that stay 0 have no learned prior; want another prior")
	}
	of := map[model.VarID]int{}
	for i := range e.groups {
		g := &e.groups[i]
		if g.Hidden {
			return fmt.Errorf("%s is a noisy-max, for whose contributions no prior can be learned; want another prior", e.m.FactorName(g.f))
		}
		for _, k := range g.factors {
			of[e.m.Factors[k].ChildVar()] = i
		}
	}
	taken := make([]bool, len(e.groups))
	for _, vars := range e.opt.Shared {
		var set []int
		for _, v := range vars {
			i, ok := of[v]
			switch {
			case !ok:
				return fmt.Errorf("the CPD of %q has no table that is fitted, which could share a prior; want another variable", e.m.Vars[v].Name)
			case taken[i] && !slices.Contains(set, i):
				return fmt.Errorf("%q shares two priors; want one", e.m.Vars[v].Name)
			case e.groups[i].card != e.m.Card(vars[0]):
				return fmt.Errorf("%q has %d states and %q has %d, so that they can't share a prior; want the same number", e.m.Vars[vars[0]].Name, e.m.Card(vars[0]), e.m.Vars[v].Name, e.m.Card(v))
			}
			if !taken[i] {
				taken[i], set = true, append(set, i)
			}
		}
		if set != nil {
			e.shared = append(e.shared, set)
		}
	}
	for i := range e.groups {
		if !taken[i] {
			e.shared = append(e.shared, []int{i})
		}
	}
	return nil
}

// Learned returns the priors that are learned from counts, for the prior Learned.
func (e *Estimator) Learned(n Counts, m *model.Model) (list []SharedPrior) {
	for _, set := range e.shared {
		var x SharedPrior
		var rows [][]float64
		for _, i := range set {
			g := &e.groups[i]
			for _, k := range g.factors {
				x.Vars = append(x.Vars, m.Factors[k].ChildVar())
			}
			counts := g.counts(n, m)
			g.free(func(r int) {
				row := make([]float64, g.card)
				g.row(r, func(s, at int) { row[s] = counts[at] })
				if total(row) > 0 || rows == nil {
					rows = append(rows, row)
				}
				if total(row) > 0 {
					x.Rows++
				}
			})
		}
		x.Dirichlet = LearnDirichlet(rows)
		list = append(list, x)
	}
	return list
}

// learned returns the pseudo-counts of each group by Learned.
func (e *Estimator) learned(n Counts, m *model.Model) [][]float64 {
	pseudo := make([][]float64, len(e.groups))
	for k, x := range e.Learned(n, m) {
		for _, i := range e.shared[k] {
			g := &e.groups[i]
			pseudo[i] = make([]float64, g.n)
			for r := range g.rows() {
				g.row(r, func(s, at int) {
					if !g.isFixed(r) {
						pseudo[i][at] = x.Alpha[s]
					}
				})
			}
			e.adjust(g, pseudo[i])
		}
	}
	return pseudo
}
