package pgmrt

// Gradient sets out to the derivative of ln P(evidence) by each of the numbers params of one factor, of which derivative holds
// the derivatives of P(evidence) up to a common positive number: P(evidence) is the sum of params times derivatives, since it is
// linear in the numbers of a factor. All have one length, and P(evidence) is not zero.
//
// Source: Darwiche 2003, A differential approach to inference in Bayesian networks, section 4.
func Gradient(out, params, derivative []float64) {
	sum := gradientSum(params, derivative)
	for i, d := range derivative {
		out[i] = d / sum
	}
}

// Counts turns the derivatives of ln P(evidence) by params, as Gradient gives them, into expected counts: how probable each number
// is to be the one that is used, given the evidence. They add up to one.
func Counts(gradient, params []float64) {
	for i, p := range params {
		gradient[i] *= p
	}
}

// Contrast sets out to factor times the difference between a gradient, as Gradient finds it, and what out holds.
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
