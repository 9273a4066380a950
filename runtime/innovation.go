package pgmrt

import "math"

// leastSpread is the least variance of a residual given others, relative to its own, that is not
// rounding error.
const leastSpread = 1e-12

// Innovation compares observed values x of real variables with their prediction: moments holds the
// means of all and the lower triangle of their covariances, in which an infinite variance stands
// for a variable that nothing is known of. It sets x to the values less the means, cov, which has a
// row for each variable, to the covariances of these residuals, and seen, which says which
// variables are observed, to false for those of infinite variance; residuals and covariances of
// variables that are not seen are 0. Work has room for as many numbers as x and cov.
//
// It returns the normalised squared distance, the residuals times the inverse of cov times the
// residuals, found by conditioning on one after the other. A residual that those before it
// determine adds nothing, or +Inf if it is not near what they say.
func Innovation(moments []float64, seen []bool, x, cov, work []float64) (distance float64) {
	n := len(x)
	for i := range n {
		row := moments[n+i*(i+1)/2:][:i+1]
		seen[i] = seen[i] && !math.IsInf(row[i], 1)
		x[i] -= moments[i]
		if !seen[i] {
			x[i] = 0
		}
		for j, c := range row {
			if !seen[i] || !seen[j] {
				c = 0
			}
			cov[n*i+j], cov[n*j+i] = c, c
		}
	}
	left, c := work[:n], work[n:][:n*n]
	copy(left, x)
	copy(c, cov)
	for k := range n {
		spread := c[n*k+k]
		switch {
		case !seen[k]:
			continue
		case spread <= leastSpread*cov[n*k+k]:
			if left[k]*left[k] > leastSpread*(cov[n*k+k]+x[k]*x[k]) {
				return math.Inf(1)
			}
			continue
		}
		distance += left[k] * left[k] / spread
		for i := k + 1; i < n; i++ {
			gain := c[n*i+k] / spread
			left[i] -= gain * left[k]
			for j := k + 1; j < n; j++ {
				c[n*i+j] -= gain * c[n*k+j]
			}
		}
	}
	return distance
}

// ChiSquaredTail returns the probability that a number from the chi-squared distribution with n
// degrees of freedom is above x: the finite sums of Abramowitz and Stegun 1964, 26.4.4 and 26.4.5.
func ChiSquaredTail(n int, x float64) float64 {
	switch {
	case !(x > 0) || n < 1:
		return 1
	case math.IsInf(x, 1):
		return 0
	}
	term, tail := math.Exp(-x/2), 0.0 // x^(k/2) e^(-x/2) / Γ(k/2+1), from the first k on
	first := n % 2
	if first == 1 {
		tail, term = math.Erfc(math.Sqrt(x/2)), term*math.Sqrt(2*x/math.Pi)
	}
	for k := first; k < n-1; k += 2 {
		tail += term
		term *= x / float64(k+2)
	}
	return tail
}
