package brute

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// LogPartition returns ln Z, where Z is the sum of the product over all joint states. It is 0 in a
// Bayesian network with rows that sum to one.
func (j *Joint) LogPartition() float64 { return j.logSum(Evidence{}) }

func (j *Joint) logSum(e Evidence) float64 {
	w, exp := j.weights(e)
	var total sum
	for _, x := range w {
		total.add(x)
	}
	return number{total.value(), exp}.log()
}

// logZ returns the number that log-probabilities are relative to: ln Z in a Markov network or a
// forest model, 0 in a Bayesian network and for a pseudo-likelihood.
func (j *Joint) logZ() float64 {
	if j.Model.Kind == model.Markov && !j.Model.Pseudo || j.Model.Kind == model.Forest {
		return j.z()
	}
	return 0
}

// LogProb returns ln P(e), with unscaled likelihoods, or -Inf if e is impossible.
func (j *Joint) LogProb(e Evidence) float64 { return j.logSum(e) - j.logZ() }

// Conditional returns the probability of every joint state given e, with which samples are
// compared. It is all zeros if e is impossible.
func (j *Joint) Conditional(e Evidence) []float64 {
	w, _ := j.weights(e)
	return normalized(w)
}

func normalized(w []float64) []float64 {
	var total sum
	for _, x := range w {
		total.add(x)
	}
	if total.value() == 0 {
		return w
	}
	for i := range w {
		w[i] /= total.value()
	}
	return w
}

// JointPosterior returns P(vars | e), row-major in the order of vars, or all zeros if e is
// impossible.
func (j *Joint) JointPosterior(vars []model.VarID, e Evidence) []float64 {
	w, _ := j.weights(e)
	return j.marginal(w, vars)
}

// marginal sums w onto vars and normalises the result.
func (j *Joint) marginal(w []float64, vars []model.VarID) []float64 {
	sums := make([]sum, j.size(vars))
	j.each(vars, func(i, at int) { sums[at].add(w[i]) })
	out := make([]float64, len(sums))
	for i := range sums {
		out[i] = sums[i].value()
	}
	return normalized(out)
}

// Posterior returns P(v | e), or all zeros if e is impossible.
func (j *Joint) Posterior(v model.VarID, e Evidence) []float64 {
	return j.JointPosterior([]model.VarID{v}, e)
}

// Marginals returns P(v | e) for every variable v, by VarID, or all zeros if e is impossible.
func (j *Joint) Marginals(e Evidence) [][]float64 {
	w, _ := j.weights(e)
	out := make([][]float64, len(j.vars))
	for _, v := range j.vars {
		out[v] = j.marginal(w, []model.VarID{v})
	}
	return out
}

// tie is the largest relative difference from the best at which a completion counts as best, so
// that rounding does not decide.
const tie = 1e-12

// MPE returns ln P of the most probable completion of e together with e, and all completions that
// are as probable, each by VarID, in row-major order. It returns -Inf and nil if e is impossible.
func (j *Joint) MPE(e Evidence) (logProb float64, best [][]int) {
	w, exp := j.weights(e)
	top := 0.0
	for _, x := range w {
		top = max(top, x)
	}
	if top == 0 {
		return math.Inf(-1), nil
	}
	for i, x := range w {
		if x >= top*(1-tie) {
			best = append(best, j.State(i))
		}
	}
	return number{top, exp}.log() - j.logZ(), best
}
