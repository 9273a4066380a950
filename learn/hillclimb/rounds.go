package hillclimb

import (
	"context"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
)

// cooling multiplies the variance of random weights after each round. Algorithm 18.1 of Koller and
// Friedman has a factor below 1 without a value; with 0.9, twenty rounds reduce the variance to an
// eighth.
const cooling = 0.9

// rounds runs the search and the further searches: from random structures, or on perturbed data. It
// keeps the best result of all, and reports whether ctx ended it.
func (h *search) rounds(ctx context.Context) (stopped bool, err error) {
	stopped = h.run(ctx)
	variance := h.l.Perturb
	for round := 0; round < h.l.Restarts && !stopped; round++ {
		if variance == 0 {
			h.begin(ctx, h.random())
		} else {
			if err := h.shake(ctx, variance); err != nil {
				return false, err
			}
			variance *= cooling
		}
		stopped = h.run(ctx)
	}
	return stopped, nil
}

// random returns a structure with the required edges and random others, at most as many as there
// are variables.
func (h *search) random() [][]int {
	parents, err := h.rules.Impose(make([][]int, h.n))
	if err != nil {
		panic("hillclimb: " + err.Error()) // NewRules has imposed the rules before
	}
	h.bound.forget()
	for range h.n {
		x, y := h.rng.IntN(h.n), h.rng.IntN(h.n)
		with := append(slices.Clone(parents[y]), x)
		if x == y || slices.Contains(parents[y], x) || len(with) > h.l.MaxParents || graph.Reaches(parents, y, x) {
			continue
		}
		if m := (move{add, x, y}); h.permitted(m) && h.s.Fits(y, with...) && h.bound.allows(parents, m) {
			parents[y] = with
		}
	}
	return parents
}

// shake searches on rows of random weights and makes the result the new start (Koller and Friedman,
// algorithm 18.1). The following search uses the data itself, for which the result need not be an
// optimum.
func (h *search) shake(ctx context.Context, variance float64) error {
	set := h.job.Train.ByContent() // weights go to rows, not to places
	weights := make([]float64, set.Len())
	noise := noiseOf(variance, h.rng)
	for i := range weights {
		weights[i] = set.Weight(i) * noise.Rand()
	}
	other, err := set.Reweighted(weights)
	if err != nil {
		return err
	}
	s, err := h.l.common().ScorerOf(other, h.job)
	if err != nil {
		return err
	}
	g := newSearch(s.Barring(h.near), h.n, h.l, h.rules, h.job)
	g.rng = h.rng
	g.begin(ctx, h.parents)
	g.run(ctx)
	h.steps += g.steps
	h.begin(ctx, g.best)
	return nil
}

// noiseOf returns the gamma distribution with mean 1 and the given variance.
func noiseOf(variance float64, src rand.Source) distuv.Gamma {
	return distuv.Gamma{Alpha: 1 / variance, Beta: 1 / variance, Src: src}
}
