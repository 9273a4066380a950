package brute

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// MAP returns ln P of the most probable joint state of vars together with e, all other variables
// summed out, and all joint states that are as probable, each in the order of vars. It returns -Inf
// and nil if e is impossible.
func (j *Joint) MAP(vars []model.VarID, e Evidence) (logProb float64, best [][]int) {
	w, exp := j.weights(e)
	sums := make([]sum, j.size(vars))
	j.each(vars, func(i, at int) { sums[at].add(w[i]) })
	values := make([]float64, len(sums))
	for i := range sums {
		values[i] = sums[i].value()
	}
	top := slices.Max(values)
	if top == 0 {
		return math.Inf(-1), nil
	}
	for at, x := range values {
		if x >= top*(1-tie) {
			best = append(best, j.statesOf(vars, at))
		}
	}
	return number{top, exp}.log() - j.logZ(), best
}

// LogValue returns ln of the largest probability of a completion in which vars have the given
// states, together with e.
func (j *Joint) LogValue(vars []model.VarID, states []int, e Evidence) float64 {
	at := 0
	for k, v := range vars {
		at = at*j.Model.Card(v) + states[k]
	}
	return j.MaxMarginal(vars, e)[at]
}

// MaxMarginal returns, for each joint state of vars, ln of the largest probability of a completion
// with it, together with e.
func (j *Joint) MaxMarginal(vars []model.VarID, e Evidence) []float64 {
	w, exp := j.weights(e)
	out := make([]float64, j.size(vars))
	j.each(vars, func(i, at int) { out[at] = max(out[at], w[i]) })
	for at, x := range out {
		out[at] = number{x, exp}.log() - j.logZ()
	}
	return out
}

// KMPE returns ln P of the k most probable completions of e together with e, best first, or fewer
// if fewer are possible. A completion is the states of the variables that are not latent. Its
// probability is that with the best states of the latent ones.
func (j *Joint) KMPE(k int, e Evidence) []float64 {
	w, exp := j.weights(e)
	vars := j.Observable()
	best := make([]float64, j.size(vars))
	j.each(vars, func(i, at int) { best[at] = max(best[at], w[i]) })
	slices.SortFunc(best, func(a, b float64) int {
		if a > b {
			return -1
		}
		if a < b {
			return 1
		}
		return 0
	})
	var out []float64
	for _, x := range best[:min(k, len(best))] {
		if x > 0 {
			out = append(out, number{x, exp}.log()-j.logZ())
		}
	}
	return out
}

// Observable returns the variables that are not latent.
func (j *Joint) Observable() []model.VarID {
	return j.Model.Observable()
}

// size returns the number of joint states of vars.
func (j *Joint) size(vars []model.VarID) int {
	n := 1
	for _, v := range vars {
		n *= j.Model.Card(v)
	}
	return n
}

// each calls do with every joint state i and the joint state of vars in it, row-major in their
// order.
func (j *Joint) each(vars []model.VarID, do func(i, at int)) {
	state := make([]int, len(j.vars))
	for i := range j.product {
		at := 0
		for _, v := range vars {
			at = at*j.Model.Card(v) + state[v]
		}
		do(i, at)
		j.Model.Next(j.vars, state)
	}
}

// statesOf returns the states of vars in their joint state at.
func (j *Joint) statesOf(vars []model.VarID, at int) []int {
	out := make([]int, len(vars))
	for i := len(vars) - 1; i >= 0; i-- {
		card := j.Model.Card(vars[i])
		out[i], at = at%card, at/card
	}
	return out
}
