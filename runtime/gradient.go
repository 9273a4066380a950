package pgmrt

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
