package hillclimb

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
)

// cooling is what the variance of random weights is multiplied by after each round. Algorithm 18.1 of Koller and Friedman has a factor
// below 1 without a number; with 0.9, twenty rounds bring it down to an eighth.
const cooling = 0.9

// rounds searches, and then again as often as the options say: from random structures, or on perturbed data. It keeps the best of all, and
// reports whether ctx ended it.
func (h *search) rounds(ctx context.Context) (stopped bool, err error) {
	stopped = h.run(ctx)
	variance := h.l.perturb
	for round := 0; round < h.l.restarts && !stopped; round++ {
		if variance == 0 {
			h.begin(h.random())
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

// random is a structure with the required edges, and as many others at most as there are variables.
func (h *search) random() [][]int {
	parents, err := h.rules.Impose(make([][]int, h.n))
	if err != nil {
		panic("hillclimb: " + err.Error()) // NewRules has imposed them before
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

// shake searches on rows of random weights, and begins anew where that ends (Koller and Friedman, algorithm 18.1). The search that
// follows is on the data as it is, of which a perturbed optimum needn't be one.
func (h *search) shake(ctx context.Context, variance float64) error {
	set := h.job.Train
	weights := make([]float64, set.Len())
	for i := range weights {
		weights[i] = set.Weight(i) * gamma(h.rng, variance)
	}
	other, err := set.Reweighted(weights)
	if err != nil {
		return err
	}
	s, err := h.l.ScorerOf(other, h.job.MaxMem)
	if err != nil {
		return err
	}
	g := newSearch(s, h.n, h.l, h.rules, h.job)
	g.rng = h.rng
	g.begin(h.parents)
	g.run(ctx)
	h.steps += g.steps
	h.begin(g.best)
	return nil
}

// gamma draws from the Gamma distribution with mean 1 and a variance: of shape 1/variance and scale variance.
//
// Source: Marsaglia and Tsang 2000, A simple method for generating gamma variables, with its step for shapes below 1.
func gamma(rng *rand.Rand, variance float64) float64 {
	shape, factor := 1/variance, variance
	if shape < 1 {
		factor *= math.Pow(1-rng.Float64(), 1/shape)
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if math.Log(1-rng.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v * factor
		}
	}
}
