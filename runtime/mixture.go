package pgmrt

import "math"

// Component is one normal distribution of a [Mixture]: its weight P, its mean and its variance,
// which may be 0.
type Component struct {
	P    float64 `json:"p"`
	Mean float64 `json:"mean"`
	Var  float64 `json:"var"`
}

// Mixture is a mixture of normal distributions. Its weights sum to 1.
type Mixture []Component

// Mean returns the mean of the mixture. It adds up differences from the mean of the first
// component, so that components of one mean have exactly that.
func (m Mixture) Mean() float64 {
	if len(m) == 0 {
		return 0
	}
	first, sum := m[0].Mean, 0.0
	for _, c := range m {
		sum += float64(c.P * (c.Mean - first))
	}
	return first + sum
}

// Variance returns the variance of the mixture.
func (m Mixture) Variance() float64 {
	mean, sum := m.Mean(), 0.0
	for _, c := range m {
		z := c.Mean - mean
		sum += float64(c.P * (c.Var + float64(z*z)))
	}
	return sum
}

// PDF returns the density at x. It is +Inf at the mean of a component of variance 0.
func (m Mixture) PDF(x float64) float64 {
	sum := 0.0
	for _, c := range m {
		z := x - c.Mean
		switch {
		case c.P == 0 || c.Var == 0 && z != 0:
		case c.Var == 0:
			return math.Inf(1)
		default:
			sum += float64(c.P * (math.Exp(-z*z/(2*c.Var)) / math.Sqrt(2*math.Pi*c.Var)))
		}
	}
	return sum
}

// CDF returns the probability of a value of at most x.
func (m Mixture) CDF(x float64) float64 {
	sum := 0.0
	for _, c := range m {
		switch z := c.Mean - x; {
		case c.Var > 0:
			sum += float64(c.P * (math.Erfc(z/math.Sqrt(2*c.Var)) / 2))
		case z <= 0:
			sum += c.P
		}
	}
	return min(sum, 1)
}

// Quantile returns the smallest value with a CDF of at least p, up to rounding. It is -Inf for 0,
// +Inf for 1, and NaN if p is not a probability or the mixture has no components.
func (m Mixture) Quantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || len(m) == 0:
		return math.NaN()
	case p == 0 || p == 1:
		return math.Inf(int(2*p) - 1)
	}
	// The quantile lies between the components' quantiles.
	low, high, z := math.Inf(1), math.Inf(-1), math.Sqrt(2)*math.Erfinv(2*p-1)
	for _, c := range m {
		if c.P > 0 {
			x := c.Mean + float64(z*math.Sqrt(c.Var))
			low, high = min(low, x), max(high, x)
		}
	}
	if !(low < high) || m.CDF(low) >= p {
		return low
	}
	for { // CDF(low) < p, and CDF(high) >= p up to rounding
		x := low + (high-low)/2
		if x <= low || x >= high {
			return high
		}
		if m.CDF(x) < p {
			low = x
		} else {
			high = x
		}
	}
}
