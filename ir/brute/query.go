package brute

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// LogPartition is ln Z: of the sum of the product over all joint states, 0 in a Bayesian network whose rows sum to one.
func (j *Joint) LogPartition() float64 { return j.logSum(Evidence{}) }

func (j *Joint) logSum(e Evidence) float64 {
	w, exp := j.weights(e)
	var total sum
	for _, x := range w {
		total.add(x)
	}
	return number{total.value(), exp}.log()
}

// logZ is what log-probabilities are relative to: ln Z in a Markov network or a forest model, 0 in a Bayesian network.
func (j *Joint) logZ() float64 {
	if j.Model.Kind == model.Markov || j.Model.Kind == model.Forest {
		return j.LogPartition()
	}
	return 0
}

// LogProb is ln P(e), with likelihoods as they stand; -Inf where e is impossible.
func (j *Joint) LogProb(e Evidence) float64 { return j.logSum(e) - j.logZ() }

// Conditional is the probability of every joint state given e: what samples are compared with. It is all zeros where e is
// impossible.
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

// JointPosterior is P(vars | e), row-major in the order of vars; all zeros where e is impossible.
func (j *Joint) JointPosterior(vars []model.VarID, e Evidence) []float64 {
	w, _ := j.weights(e)
	return j.marginal(w, vars)
}

// marginal sums w onto vars, and normalises.
func (j *Joint) marginal(w []float64, vars []model.VarID) []float64 {
	sums := make([]sum, j.size(vars))
	j.each(vars, func(i, at int) { sums[at].add(w[i]) })
	out := make([]float64, len(sums))
	for i := range sums {
		out[i] = sums[i].value()
	}
	return normalized(out)
}

// Posterior is P(v | e); all zeros where e is impossible.
func (j *Joint) Posterior(v model.VarID, e Evidence) []float64 {
	return j.JointPosterior([]model.VarID{v}, e)
}

// Marginals is P(v | e) of every variable v, by VarID; all zeros where e is impossible.
func (j *Joint) Marginals(e Evidence) [][]float64 {
	w, _ := j.weights(e)
	out := make([][]float64, len(j.vars))
	for _, v := range j.vars {
		out[v] = j.marginal(w, []model.VarID{v})
	}
	return out
}

// Tie is how far below the best, relatively, a completion may be to count as best: rounding must not decide.
const Tie = 1e-12

// MPE gives ln P of the most probable completion of e together with e, and all the completions that are as probable,
// each by VarID, in row-major order. Where e is impossible it gives -Inf and nil.
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
		if x >= top*(1-Tie) {
			best = append(best, j.State(i))
		}
	}
	return number{top, exp}.log() - j.logZ(), best
}
