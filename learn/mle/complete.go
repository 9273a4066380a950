package mle

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// EM of a noisy-max on complete counts ends if a step gains less than this share of the
// log-likelihood, or after this many steps.
const (
	noisyGain  = 1e-10
	noisySteps = 2000
)

// Complete is Fit for counts of complete rows: it fits noisy-max CPDs until EM converges. It starts
// their free numbers from a mixture with a tenth of the uniform distribution, since EM never leaves
// a zero.
func (e *Estimator) Complete(n Counts, old *model.Model) *model.Model {
	m := e.Fit(n, e.softened(old))
	var noisy []int
	for i, c := range e.cpds {
		if c != nil && c.Hidden {
			noisy = append(noisy, i)
		}
	}
	last := math.Inf(-1)
	for step := 0; len(noisy) > 0 && step < noisySteps; step++ {
		now := e.Penalty(m)
		for _, i := range noisy {
			now += e.LogLikelihood(i, n, m)
		}
		if now <= last+noisyGain*math.Abs(last) {
			break
		}
		m, last = e.Fit(n, m), now
	}
	return m
}

// softened mixes the numbers of noisy-max CPDs with the uniform distribution.
func (e *Estimator) softened(m *model.Model) *model.Model {
	out := clone(m)
	for i, c := range e.cpds {
		if c == nil || !c.Hidden {
			continue
		}
		numbers := slices.Clone(m.Factors[i].Dist.Numbers())
		c.free(func(r int) {
			c.row(r, func(_, at int) { numbers[at] = 0.9*numbers[at] + 0.1/float64(c.card) })
		})
		out.Factors[i].Dist = c.dist(numbers)
	}
	return out
}

// LogLikelihood returns a factor's part of the log-likelihood of complete data with the given
// counts, in nats, and 0 for a softmax CPD, see FitSoftmax. It is -Inf if a state that has counts
// is impossible, or rows contradict a linear function.
func (e *Estimator) LogLikelihood(i int, n Counts, m *model.Model) float64 {
	c := e.cpds[i]
	switch {
	case e.reals[i] != nil:
		return e.reals[i].logLikelihood(n[i], m.Factors[i].Gaussian())
	case e.soft[i] || e.none[i]:
		return 0
	case c == nil && n[i][0] > 0:
		return math.Inf(-1)
	case c == nil:
		return 0
	}
	total := 0.0
	if c.Hidden {
		state := make([]int, len(m.Vars))
		f := &model.Factor{Scope: c.f.Scope, Child: c.f.Child, Dist: m.Factors[i].Dist}
		for _, x := range n[i] {
			if x > 0 {
				total += x * pgmrt.Ln(m.Value(f, state))
			}
			m.Next(f.Scope, state)
		}
		return total
	}
	for k, p := range m.Factors[i].Dist.Numbers() {
		if x := n[i][k]; x > 0 {
			total += x * pgmrt.Ln(p)
		}
	}
	return total
}
