package pgmrt

import (
	"math"
	"strconv"
)

// Gradient sets out to the derivative of ln P(evidence) by each of the parameters params of one
// factor. derivative holds the derivatives of P(evidence) up to a common positive factor, which
// cancels: P(evidence) is the sum of params times derivatives, because it is linear in the
// parameters of a factor. All slices have one length, and P(evidence) is not zero.
//
// Source: Darwiche 2003, A differential approach to inference in Bayesian networks, section 4.
func Gradient(out, params, derivative []float64) {
	sum := gradientSum(params, derivative)
	for i, d := range derivative {
		out[i] = d / sum
	}
}

// Counts turns the derivatives of ln P(evidence) by params, as Gradient computes them, into
// expected counts: the probability, given the evidence, that each parameter is the one used. They
// add up to one.
func Counts(gradient, params []float64) {
	for i, p := range params {
		gradient[i] *= p
	}
}

// Contrast sets out to factor times the difference between a gradient, as Gradient computes it, and
// the content of out.
func Contrast(out, params, derivative []float64, factor float64) {
	sum := gradientSum(params, derivative)
	for i, d := range derivative {
		out[i] = factor * (d/sum - out[i])
	}
}

func gradientSum(params, derivative []float64) float64 {
	sum := 0.0
	for i, d := range derivative {
		sum += float64(params[i] * d)
	}
	return sum
}

// Sensitivity calls contrast with the factor by which the derivative of a probability p = P(t | e)
// is the difference between the gradients of the last call of weigh and of e, and returns p. The
// function weigh returns the logarithm of the probability of e, of which all is the logarithm, with
// the likelihoods of all states but t of a variable multiplied by a weight. Let G(e) be the
// derivative of ln P(e). The derivative of p is p (G(t, e) - G(e)). If p is 0, that does not
// determine it. A likelihood L that is 1 for t and 1/2 for the other states keeps the evidence
// possible, and then the derivative is (1 + p) (G(L, e) - G(e)).
func Sensitivity(all float64, weigh func(w float64) (logp float64, err error), contrast func(factor float64)) (p float64, err error) {
	part, err := weigh(0)
	factor := math.Exp(part - all)
	p = factor
	if err == nil && math.IsInf(part, -1) {
		_, err = weigh(.5)
		p, factor = 0, 1
	}
	if err != nil {
		return 0, err
	}
	contrast(factor)
	return p, nil
}

// Weigh multiplies the likelihoods of all states but one by w.
func Weigh(l []float64, state int, w float64) {
	for i := range l {
		if i != state {
			l[i] *= w
		}
	}
}

// Target returns the one variable with a value in the target of a query about sensitivity: n is the
// number of such variables, and the last has the state, counted from 1. If means is true, state 0
// stands for a real value.
func Target(names *Names, variable int, state uint, n int, means bool) (int, uint, error) {
	if n != 1 {
		has := "states of "
		if means {
			has = "states or values of "
		}
		return 0, 0, names.Fail("the target has "+has+strconv.Itoa(n)+" variables; want one", nil)
	}
	if state > uint(len(names.States(variable))) {
		return 0, 0, names.BadState(variable, state)
	}
	return variable, state, nil
}
