package mle

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Params returns the number of free parameters.
func (e *Estimator) Params() int {
	n := 0
	for i := range e.groups {
		g := &e.groups[i]
		g.free(func(r int) { n += g.card - 1 - e.zeros(g.cpd, r) })
	}
	for i := range e.sets {
		if g := &e.sets[i]; e.fixedMean(g) {
			n += g.rows
		} else {
			n += g.parameters()
		}
	}
	for i, soft := range e.soft {
		if soft {
			n += e.softParameters(i)
		}
	}
	return n
}

// Sparse returns how many rows are fitted and how many of them have no counts.
func (e *Estimator) Sparse(n Counts, m *model.Model) (rows, empty int) {
	for i := range e.groups {
		g := &e.groups[i]
		counts := g.counts(n, m)
		g.free(func(r int) {
			sum := 0.0
			g.row(r, func(_, at int) { sum += counts[at] })
			if rows++; sum == 0 {
				empty++
			}
		})
	}
	for i := range e.sets {
		for _, x := range e.moments(&e.sets[i], n) {
			if rows++; x.Weight == 0 {
				empty++
			}
		}
	}
	return rows, empty
}

// Least returns the smallest pseudo-count of a number that is fitted; 0 without a prior.
func (e *Estimator) Least() float64 {
	least := math.Inf(1)
	for i := range e.groups {
		g := &e.groups[i]
		if e.opt.Prior.Kind == None || g.pseudo == nil {
			return 0
		}
		g.free(func(r int) {
			g.row(r, func(_, at int) {
				if !e.keeps(g.cpd, at) {
					least = min(least, g.pseudo[at])
				}
			})
		})
	}
	return least
}
